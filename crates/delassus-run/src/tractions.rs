//! Tractions at the candidates of a contact after the last step.

use delassus_sim::Model;
use delassus_sim::outcome::Outcome;
use delassus_sim::traction::ContactTraction;
use delassus_verify::{PointTraction, Profile, TractionPart};
use nalgebra::SVector;

/// A part of a traction, as one number.
pub(crate) fn part_of<const D: usize>(traction: &ContactTraction<D>, part: TractionPart) -> f64 {
    match part {
        TractionPart::Normal => traction.pressure,
        // In world axes, so that the sign does not depend on the frame.
        TractionPart::Tangential => traction.shear[0],
    }
}

/// The tractions of a profile's contact, by their place along it.
#[must_use]
pub fn tractions<const D: usize>(profile: &Profile<'_>, model: &Model<D>, outcome: &Outcome<D>) -> Vec<PointTraction> {
    let found = delassus_sim::traction::tractions(model, &outcome.touches, outcome.h);
    let is_meant = |pair: u32| model.pairs.get(pair as usize).is_some_and(|p| p.name == profile.pair);
    let touches = outcome.touches.iter().zip(found).filter(|(t, _)| is_meant(t.contact.key.pair));
    let mut out: Vec<PointTraction> = touches
        .map(|(t, traction)| {
            let value = part_of(&traction, profile.part);
            let three = |v: &SVector<f64, D>| std::array::from_fn(|i| if i < D { v[i] } else { 0.0 });
            let x = profile.place.of(three(&t.contact.point), three(&t.contact.normal()));
            PointTraction { x, value, area: t.contact.area }
        })
        .filter(|t| t.x.abs() <= profile.reach)
        .collect();
    out.sort_by(|a, b| a.x.total_cmp(&b.x));
    out
}
