//! Tractions at the candidates of a contact, as the last step left them.

use delassus_sim::outcome::{Outcome, Touch};
use delassus_verify::{PointTraction, Profile, TractionPart};
use nalgebra::SVector;

/// The traction of a candidate over a step of length `h` \[Pa\].
#[must_use]
pub fn traction<const D: usize>(t: &Touch<D>, part: TractionPart, h: f64) -> f64 {
    let force = match part {
        TractionPart::Normal => t.impulse[0],
        // In world axes, so that the sign does not depend on the frame.
        TractionPart::Tangential => (t.contact.frame * t.impulse - t.contact.frame.column(0) * t.impulse[0])[0],
    };
    force / (h * t.contact.area)
}

/// The tractions of a profile's contact, by their place along it; `names` are those of the pairs.
#[must_use]
pub fn tractions<const D: usize>(profile: &Profile<'_>, names: &[&str], outcome: &Outcome<D>) -> Vec<PointTraction> {
    let mut out: Vec<PointTraction> = outcome
        .touches
        .iter()
        .filter(|t| names.get(t.contact.key.pair as usize) == Some(&profile.pair))
        .map(|t| {
            let three = |v: &SVector<f64, D>| std::array::from_fn(|i| if i < D { v[i] } else { 0.0 });
            let x = profile.place.of(three(&t.contact.point), three(&t.contact.normal()));
            PointTraction { x, value: traction(t, profile.part, outcome.h), area: t.contact.area }
        })
        .filter(|t| t.x.abs() <= profile.reach)
        .collect();
    out.sort_by(|a, b| a.x.total_cmp(&b.x));
    out
}
