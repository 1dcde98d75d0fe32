//! Tractions along a contact at the end of a run, beside an exact profile.
//!
//! ```text
//! traction of candidate i   t_i = p_i / (h A_i)      p its impulse over the step, A its tributary area
//! error                     Σ A_i |t_i − t(x_i)| / Σ A_i / max |t|     over the candidates with |x_i − x₀| ≤ reach
//! ```

use super::{ColumnError, weighted_errors};
use crate::step::Outcome;

/// Which part of the traction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Pressure.
    Normal,
    /// Shear, with the sign of the x direction.
    Tangential,
}

/// An exact traction along a contact.
pub struct Profile<'a> {
    /// File name of its picture in the results folder.
    pub file: &'static str,
    /// Title.
    pub title: &'static str,
    /// Label of the vertical axis.
    pub label: &'static str,
    /// Contact pair.
    pub pair: &'a str,
    /// Which part.
    pub part: Part,
    /// Middle of the contact along x \[m\].
    pub centre: f64,
    /// How far from the middle the comparison goes \[m\].
    pub reach: f64,
    /// Traction at a distance x from the middle \[Pa\].
    pub exact: Box<dyn Fn(f64) -> f64 + 'a>,
}

/// Computed traction of one candidate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Traction {
    /// Place along x \[m\].
    pub x: f64,
    /// Traction \[Pa\].
    pub value: f64,
    /// Tributary area \[m²\].
    pub area: f64,
}

impl Profile<'_> {
    /// The computed tractions of a step within reach, by ascending x.
    #[must_use]
    pub fn tractions<const D: usize>(&self, names: &[&str], outcome: &Outcome<D>) -> Vec<Traction> {
        let mut out: Vec<Traction> = outcome
            .touches
            .iter()
            .filter(|t| names.get(t.contact.key.pair as usize) == Some(&self.pair))
            .map(|t| {
                let force = match self.part {
                    Part::Normal => t.impulse[0],
                    // In world axes, so that the sign does not hang on the frame.
                    Part::Tangential => (t.contact.frame * t.impulse - t.contact.frame.column(0) * t.impulse[0])[0],
                };
                let area = t.contact.area;
                Traction { x: t.contact.point[0], value: force / (outcome.h * area), area }
            })
            .filter(|t| (t.x - self.centre).abs() <= self.reach)
            .collect();
        out.sort_by(|a, b| a.x.total_cmp(&b.x));
        out
    }

    /// Errors of the computed tractions, relative to the largest exact one found at a candidate.
    #[must_use]
    pub fn error(&self, tractions: &[Traction]) -> Option<ColumnError> {
        let word = match self.part {
            Part::Normal => "pressure",
            Part::Tangential => "shear",
        };
        let points = tractions.iter().map(|t| (t.area, t.value, (self.exact)(t.x - self.centre)));
        weighted_errors(format!("{}.{word}(x)", self.pair), points)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_weigh_by_area() {
        let profile = Profile {
            file: "p.svg",
            title: "",
            label: "",
            pair: "ground",
            part: Part::Normal,
            centre: 1.0,
            reach: 9.0,
            exact: Box::new(|x| 2.0 - x.abs()),
        };
        // Exact values 2 and 1; errors 0.5 on an area of 3 and 0 on an area of 1.
        let found = [Traction { x: 1.0, value: 1.5, area: 3.0 }, Traction { x: 2.0, value: 1.0, area: 1.0 }];
        let e = profile.error(&found).unwrap();
        assert_eq!(e.column, "ground.pressure(x)");
        for (x, y) in [(e.l1, 1.5 / 4.0 / 2.0), (e.l2, (0.75f64 / 4.0).sqrt() / 2.0), (e.max, 0.25)] {
            assert!((x - y).abs() < 1e-15, "{x} {y}");
        }
        assert!(profile.error(&[]).is_none());
    }
}
