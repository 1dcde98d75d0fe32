//! Tractions at the candidates of a contact, as the last step left them.

use delassus_sim::outcome::Outcome;
use delassus_verify::{PointTraction, Profile, TractionPart};
use nalgebra::SVector;

/// The tractions of a profile's contact, by their place along it; `names` are those of the pairs.
#[must_use]
pub fn tractions<const D: usize>(profile: &Profile<'_>, names: &[&str], outcome: &Outcome<D>) -> Vec<PointTraction> {
    let mut out: Vec<PointTraction> = outcome
        .touches
        .iter()
        .filter(|t| names.get(t.contact.key.pair as usize) == Some(&profile.pair))
        .map(|t| {
            let force = match profile.part {
                TractionPart::Normal => t.impulse[0],
                // In world axes, so that the sign does not depend on the frame.
                TractionPart::Tangential => (t.contact.frame * t.impulse - t.contact.frame.column(0) * t.impulse[0])[0],
            };
            let area = t.contact.area;
            let three = |v: &SVector<f64, D>| std::array::from_fn(|i| if i < D { v[i] } else { 0.0 });
            let x = profile.place.of(three(&t.contact.point), three(&t.contact.normal()));
            PointTraction { x, value: force / (outcome.h * area), area }
        })
        .filter(|t| t.x.abs() <= profile.reach)
        .collect();
    out.sort_by(|a, b| a.x.total_cmp(&b.x));
    out
}
