//! The worst penetrations of all surfaces in a run, and contacts that extend beyond their groups.
//!
//! Penetrations are judged by their ratio to the size of facets ([`crate::surfaces`]): up to [`DEEP`] the mesh alone may
//! explain it.

use delassus_error::digits::{fixed, place as shown_place};
use delassus_error::number;
use serde::{Deserialize, Serialize};

use crate::model::Model;
use crate::surfaces::{EdgeContact, EdgeSide, Entered, SurfacePenetration, SurfaceView};

/// Part of a facet's size beyond which bodies have passed into each other.
pub const DEEP: f64 = 0.5;

/// Something seen, where and when it was worst.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Sighting {
    /// What was seen, in words.
    pub what: String,
    /// Largest depth at the place of the largest ratio \[m\].
    #[serde(with = "number")]
    pub depth: f64,
    /// Largest ratio of depth to facet size.
    #[serde(with = "number")]
    pub ratio: f64,
    /// Where it was largest \[m\].
    pub place: Vec<f64>,
    /// After which accepted step.
    pub step: usize,
    /// When \[s\].
    #[serde(with = "number")]
    pub time: f64,
    /// When it was first as much as matters \[s\]; not a number if it never was.
    #[serde(with = "number")]
    pub since: f64,
    /// After how many steps it was.
    pub steps: usize,
}

/// Penetrations of all surfaces in a run.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct Sightings {
    /// Penetration between bodies, or of an obstacle, that some contact names.
    pub declared: Option<Sighting>,
    /// Between those that no contact names.
    pub undeclared: Option<Sighting>,
    /// A contact beyond its group.
    pub edge: Option<Sighting>,
}

/// When something was seen.
#[derive(Clone, Copy)]
struct Moment {
    step: usize,
    time: f64,
}

/// What is seen at one moment.
struct Glimpse {
    what: String,
    depth: f64,
    ratio: f64,
    place: Vec<f64>,
    matters: bool,
}

impl Sightings {
    /// Takes what was seen after a step into account; a line for what matters for the first time.
    pub fn look_at<const D: usize>(
        &mut self,
        model: &Model<D>,
        seen: &SurfaceView<D>,
        step: usize,
        time: f64,
    ) -> Vec<String> {
        let moment = Moment { step, time };
        let SurfaceView { penetrations, edge } = seen;
        let penetration = |p: &SurfacePenetration<D>| Glimpse {
            what: entered(model, p),
            depth: p.depth,
            ratio: p.ratio,
            place: p.place.to_vec(),
            matters: p.ratio > DEEP,
        };
        let beyond = |e: &EdgeContact<D>| Glimpse {
            what: outgrown(model, e),
            depth: e.depth,
            ratio: e.ratio,
            place: e.place.to_vec(),
            matters: true,
        };
        let told = [
            add(&mut self.declared, penetrations.declared.as_ref().map(penetration), moment),
            add(&mut self.undeclared, penetrations.undeclared.as_ref().map(penetration), moment),
            add(&mut self.edge, edge.as_ref().map(beyond), moment),
        ];
        told.into_iter().flatten().collect()
    }
}

/// Keeps the worst; says whether something matters for the first time.
fn add(kept: &mut Option<Sighting>, found: Option<Glimpse>, Moment { step, time }: Moment) -> Option<String> {
    let Glimpse { what, depth, ratio, place, matters } = found?;
    let (before, known_since) = kept.as_ref().map_or((0, f64::NAN), |k| (k.steps, k.since));
    let steps = before + usize::from(matters);
    let first = matters && before == 0;
    let since = if first { time } else { known_since };
    match kept {
        Some(worst) if worst.ratio >= ratio => (worst.since, worst.steps) = (since, steps),
        _ => {
            *kept = Some(Sighting { what: what.clone(), depth, ratio, place: place.clone(), step, time, since, steps })
        }
    }
    first.then(|| {
        let at = shown_place(&place);
        let ratio = fixed(ratio, 2);
        format!("step {step} at t = {time:.4e} s: {what}, by {depth:.3e} m, {ratio} of a facet, at {at}")
    })
}

fn entered<const D: usize>(model: &Model<D>, found: &SurfacePenetration<D>) -> String {
    let name = |body: usize| &model.bodies[body].name;
    let between = match found.into {
        Entered::Body(into) if into == found.body => format!("parts of `{}` penetrate each other", name(into)),
        Entered::Body(into) => format!("the surface of `{}` is inside `{}`", name(found.body), name(into)),
        Entered::Obstacle(number) => {
            let named = model.obstacles().find(|(_, o)| o.number == number);
            let contact = named.map_or("", |(pair, _)| &model.pairs[pair].name);
            format!("the surface of `{}` is inside the obstacle of contact `{contact}`", name(found.body))
        }
    };
    if found.declared { between } else { format!("{between}, and no contact is declared between them") }
}

/// A contact beyond its group, in words.
#[must_use]
pub fn outgrown<const D: usize>(model: &Model<D>, found: &EdgeContact<D>) -> String {
    let EdgeContact { pair, body, side, .. } = found;
    let of = match side {
        EdgeSide::Candidates => "candidates",
        EdgeSide::Antagonists => "antagonists",
    };
    let (pair, body) = (&model.pairs[*pair].name, &model.bodies[*body].name);
    format!("contact `{pair}` extends beyond the edge of its group of {of} on `{body}`: choose a larger group")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn glimpse(ratio: f64, matters: bool) -> Option<Glimpse> {
        Some(Glimpse { what: format!("ratio {ratio}"), depth: ratio * 0.1, ratio, place: vec![ratio], matters })
    }

    #[test]
    fn the_worst_is_kept_and_the_first_that_matters_is_told() {
        let mut kept = None;
        let mut see = |step: usize, found| add(&mut kept, found, Moment { step, time: step as f64 });
        assert_eq!(see(1, glimpse(0.1, false)), None);
        assert!(see(2, glimpse(0.7, true)).unwrap().starts_with("step 2 at t = 2.0000e0 s: ratio 0.7, by 7.000e-2 m"));
        assert_eq!(see(3, glimpse(0.9, true)), None);
        assert_eq!(see(4, glimpse(0.6, true)), None);
        assert_eq!(see(5, None), None);
        let worst = kept.clone().unwrap();
        assert_eq!((worst.step, worst.steps), (3, 3));
        assert!((worst.ratio - 0.9).abs() < 1e-15 && (worst.since - 2.0).abs() < 1e-15);
        assert_eq!(worst.what, "ratio 0.9");
        // What never mattered is kept, and not told.
        let mut slight = None;
        assert_eq!(add(&mut slight, glimpse(0.2, false), Moment { step: 1, time: 0.0 }), None);
        assert!(slight.as_ref().unwrap().since.is_nan());
        assert_eq!(slight.unwrap().steps, 0);
    }
}
