//! The worst penetrations of all surfaces in a run, and contacts that extend beyond their groups.
//!
//! Penetrations are judged by their ratio to the size of facets (`delassus_sim::surfaces`): up to [`DEEP`] the mesh alone may explain it.

use delassus_case::spec::Units;
use delassus_error::digits::{fixed, place as shown_place};
use delassus_sim::model::Model;
use delassus_sim::surfaces::{EdgeContact, EdgeSide, Entered, SurfacePenetration, SurfaceView};
use delassus_verify::number;
use serde::{Deserialize, Serialize};

/// Ratio of depth to facet size above which bodies count as penetrating.
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

    /// What matters, in words with the case's units.
    pub fn warnings(&self, units: Units) -> impl Iterator<Item = String> + '_ {
        let all = [&self.declared, &self.undeclared, &self.edge];
        all.into_iter().flatten().filter(|s| s.steps > 0).map(move |s| s.words(units))
    }
}

impl Sighting {
    /// What was worst, where and when.
    #[must_use]
    pub fn words(&self, units: Units) -> String {
        let Self { what, depth, ratio, place, step, time, since, steps } = self;
        let [m, s] = [" m", " s"].map(|symbol| units.symbol(symbol));
        format!(
            "{what}: at most by {depth:.3e}{m}, {} of a facet, at {} (step {step}, t = {time:.4e}{s}); \
             since t = {since:.4e}{s}, in {steps} steps",
            fixed(*ratio, 2),
            shown_place(place)
        )
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
pub(crate) fn outgrown<const D: usize>(model: &Model<D>, found: &EdgeContact<D>) -> String {
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
    use std::path::Path;

    use delassus_case::load::Loaded;
    use delassus_error::Interrupt;

    use super::*;
    use crate::check::check_case;
    use crate::run::{Monitor, RunOptions, run_case};

    /// A wide block of one cell falls on a narrow one, with the candidates on the side of WHO.
    const BLOCKS: &str = r#"(title: "blocks", materials: [(name: "m", density: 1000, law: KelvinVoigt(young: 1e8, poisson: 0.3))],
        bodies: [
            (name: "big", mesh: Rectangle(corner: (-0.5, 0.01), size: (1, 0.5), cells: (1, 1)), material: "m"),
            (name: "small", mesh: Rectangle(corner: (-0.1, -0.2), size: (0.2, 0.2), cells: (4, 4)), material: "m"),
        ],
        contacts: [(name: "g", law: SignoriniCoulomb(friction: 0.3), SIDES)],
        boundary: [(body: "small", group: "bottom", x: 0, y: 0)],
        loads: [Gravity(acceleration: (0, -9.81))], integrator: ThetaEuler(theta: 0.55), step: 5e-3, duration: 0.2)"#;
    const BIG: &str =
        r#"candidates: (body: "big", group: "bottom"), antagonists: Surface(body: "small", group: "top")"#;
    const SMALL: &str =
        r#"candidates: (body: "small", group: "top"), antagonists: Surface(body: "big", group: "bottom")"#;

    fn blocks(sides: &str) -> Loaded {
        Loaded::from_text(Path::new("blocks.ron"), BLOCKS.replace("SIDES", sides), &[]).unwrap()
    }

    /// Asks for a stop after a step, and writes down what it is told.
    #[derive(Default)]
    struct Listener {
        stop_after: usize,
        stop: Interrupt,
        said: Vec<String>,
    }

    impl Monitor for Listener {
        fn started(&mut self, _: &str, _: usize) {}
        fn progressed(&mut self, done: usize, _: f64) {
            if done == self.stop_after {
                self.stop.raise();
            }
        }
        fn message(&mut self, text: &str) {
            self.said.push(text.to_owned());
        }
        fn ended(&mut self) {}
    }

    #[test]
    fn a_run_says_that_a_body_falls_through_another_and_check_says_why() {
        let dir = tempfile::tempdir().unwrap();
        let loaded = blocks(BIG);
        let mut listener = Listener::default();
        let options = |name: &str| RunOptions { out: Some(dir.path().join(name)), ..RunOptions::default() };
        let whole = run_case(&loaded, &options("whole"), &mut listener).unwrap();
        let found = whole.verdict.sightings.declared.as_ref().unwrap();
        // Free fall over 0.2 s less the gap: 0.19 m, and 0.05 m are a facet.
        assert!(found.ratio > 3.0 && found.depth > 0.15 && found.step == 40, "{found:?}");
        let told: Vec<&String> = listener.said.iter().filter(|s| s.contains("`small` is inside `big`")).collect();
        assert_eq!(told.len(), 1, "once: {:?}", listener.said);
        assert!(whole.to_string().contains("doubtful   The surface of `small` is inside `big`"), "{whole}");
        let column = whole.history.column("surface_penetration").unwrap();
        assert!((column[40] - found.depth).abs() < 1e-15 && column[..5].iter().all(|d| d.abs() < 1e-15));
        // Stopped when it has been told, and resumed: the same, and it is not told again.
        let mut first = Listener { stop_after: 30, stop: Interrupt::new(), ..Listener::default() };
        let stopped = RunOptions { stop: first.stop.clone(), ..options("parts") };
        assert!(run_case(&loaded, &stopped, &mut first).is_err());
        let mut second = Listener::default();
        let resumed = run_case(&loaded, &RunOptions { resume: true, ..options("parts") }, &mut second).unwrap();
        assert_eq!(resumed.verdict.sightings, whole.verdict.sightings);
        assert_eq!(resumed.history.column("surface_penetration"), whole.history.column("surface_penetration"));
        assert!(first.said.iter().any(|s| s.contains("inside")) && !second.said.iter().any(|s| s.contains("inside")));

        let advice = check_case(&loaded).unwrap();
        let expected = "advice: contact `g`: candidates of `big` are 1.000e0 m apart, facets of `small` 5.000e-2 m: exchange the sides, \
                        set `both: true`, or `points: OnFacets(20)`";
        assert!(advice.contains(expected), "{advice}");
    }

    #[test]
    fn a_block_that_lies_on_another_is_not_spoken_of() {
        let dir = tempfile::tempdir().unwrap();
        for (k, sides) in [SMALL.to_owned(), format!("{BIG}, both: true")].iter().enumerate() {
            let loaded = blocks(sides);
            let options = RunOptions { out: Some(dir.path().join(k.to_string())), ..RunOptions::default() };
            let summary = run_case(&loaded, &options, &mut Listener::default()).unwrap();
            assert_eq!(summary.verdict.sightings, Sightings::default());
            assert!(!check_case(&loaded).unwrap().contains("advice: contact `g`"));
        }
    }

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
        let sightings = Sightings { declared: kept, ..Sightings::default() };
        let words: Vec<String> = sightings.warnings(Units::Si).collect();
        assert!(words.len() == 1 && words[0].contains("ratio 0.9") && words[0].contains("in 3 steps"), "{words:?}");
        // What never mattered is kept, and not told.
        let mut slight = None;
        assert_eq!(add(&mut slight, glimpse(0.2, false), Moment { step: 1, time: 0.0 }), None);
        assert!(slight.as_ref().unwrap().since.is_nan());
        assert_eq!(Sightings { edge: slight, ..Sightings::default() }.warnings(Units::Plain).count(), 0);
    }
}
