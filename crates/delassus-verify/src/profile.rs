//! Tractions along a contact at the end of a run, beside an exact profile.
//!
//! ```text
//! traction of candidate i   t_i = p_i / (h A_i) of a node, of impulse p over the step and tributary area A; of a point on a facet from what the nodes carry
//! error                     Σ A_i |t_i − t(x_i)| / Σ A_i / max |t|     over the candidates with |x_i − x₀| ≤ reach
//! ```

use super::{ColumnError, weighted_errors};

/// Which part of the traction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TractionPart {
    /// Pressure.
    Normal,
    /// Shear, with the sign of the x direction.
    Tangential,
}

impl TractionPart {
    /// What it measures, in words.
    #[must_use]
    pub fn quantity(self) -> &'static str {
        match self {
            Self::Normal => "pressure",
            Self::Tangential => "shear traction",
        }
    }
}

/// How far a candidate is from the middle of the contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ProfileCoordinate {
    /// Along x from this place \[m\], with a sign.
    AlongX(f64),
    /// From this point, along the tangent plane \[m\].
    From([f64; 3]),
}

impl ProfileCoordinate {
    /// The distance of a point with this unit normal \[m\].
    #[must_use]
    pub fn of(&self, point: [f64; 3], normal: [f64; 3]) -> f64 {
        match self {
            Self::AlongX(x) => point[0] - x,
            Self::From(centre) => {
                let from: [f64; 3] = std::array::from_fn(|i| point[i] - centre[i]);
                let along: f64 = (0..3).map(|i| from[i] * normal[i]).sum();
                (0..3).map(|i| (from[i] - along * normal[i]).powi(2)).sum::<f64>().sqrt()
            }
        }
    }

    /// Least distance there is, over the reach of a profile.
    #[must_use]
    pub fn least(&self) -> f64 {
        match self {
            Self::AlongX(_) => -1.0,
            Self::From(_) => 0.0,
        }
    }
}

/// An exact traction along a contact.
pub struct Profile<'a> {
    /// File name of its picture in the results folder.
    pub file: &'static str,
    /// Title.
    pub title: &'static str,
    /// Contact pair.
    pub pair: &'a str,
    /// Which part.
    pub part: TractionPart,
    /// Where the middle of the contact is.
    pub place: ProfileCoordinate,
    /// How far from the middle the comparison goes \[m\].
    pub reach: f64,
    /// PointTraction at a distance x from the middle \[Pa\].
    pub exact: Box<dyn Fn(f64) -> f64 + 'a>,
}

/// Computed traction of one candidate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointTraction {
    /// Distance from the middle of the contact \[m\].
    pub x: f64,
    /// PointTraction \[Pa\].
    pub value: f64,
    /// Tributary area \[m²\].
    pub area: f64,
}

impl Profile<'_> {
    /// Errors of the computed tractions, relative to the largest exact one found at a candidate.
    #[must_use]
    pub fn error(&self, tractions: &[PointTraction]) -> Option<ColumnError> {
        let word = match self.part {
            TractionPart::Normal => "pressure",
            TractionPart::Tangential => "shear",
        };
        let points = tractions.iter().map(|t| (t.area, t.value, (self.exact)(t.x)));
        let variable = match self.place {
            ProfileCoordinate::AlongX(_) => 'x',
            ProfileCoordinate::From(_) => 'r',
        };
        weighted_errors(format!("{}.{word}({variable})", self.pair), points)
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
            pair: "ground",
            part: TractionPart::Normal,
            place: ProfileCoordinate::AlongX(1.0),
            reach: 9.0,
            exact: Box::new(|x| 2.0 - x.abs()),
        };
        // Exact values 2 and 1; errors 0.5 on an area of 3 and 0 on an area of 1.
        let found = [PointTraction { x: 0.0, value: 1.5, area: 3.0 }, PointTraction { x: 1.0, value: 1.0, area: 1.0 }];
        let e = profile.error(&found).unwrap();
        assert_eq!(e.column, "ground.pressure(x)");
        for (x, y) in [(e.l1, 1.5 / 4.0 / 2.0), (e.l2, (0.75f64 / 4.0).sqrt() / 2.0), (e.max, 0.25)] {
            assert!((x - y).abs() < 1e-15, "{x} {y}");
        }
        assert!(profile.error(&[]).is_none());
    }

    #[test]
    fn distances_from_the_middle() {
        let up = [0.0, 1.0, 0.0];
        assert!((ProfileCoordinate::AlongX(1.0).of([-2.0, 7.0, 9.0], up) + 3.0).abs() < 1e-15);
        // Height does not count.
        assert!((ProfileCoordinate::From([1.0, 2.0, 3.0]).of([4.0, 99.0, 7.0], up) - 5.0).abs() < 1e-13);
    }
}
