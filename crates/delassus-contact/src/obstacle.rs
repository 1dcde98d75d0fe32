//! Rigid shapes without dofs, moved by the caller.

use crate::frame::unit;
use crate::{ContactError, Vector};

/// A rigid shape in the world, at its place at rest.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Obstacle<const D: usize> {
    /// Everything behind a line (2D) or a plane (3D); it has no other side, so no penetration is too deep.
    HalfSpace {
        /// A point of the border (m).
        point: Vector<D>,
        /// Direction out of the solid, of any length but zero.
        normal: Vector<D>,
    },
    /// One face of a solid in 2D: the solid is on the left of a → b, the outward normal on the right.
    Segment {
        /// First end (m).
        a: Vector<D>,
        /// Second end (m).
        b: Vector<D>,
    },
}

impl<const D: usize> Obstacle<D> {
    /// The obstacle moved by `displacement` (m).
    #[must_use]
    pub fn translated(&self, displacement: &Vector<D>) -> Self {
        match self {
            Self::HalfSpace { point, normal } => Self::HalfSpace { point: point + displacement, normal: *normal },
            Self::Segment { a, b } => Self::Segment { a: a + displacement, b: b + displacement },
        }
    }

    /// Checks that the shape is a shape.
    ///
    /// # Errors
    /// If a coordinate is not finite, a normal has no direction, or a segment has no length or is not in 2D.
    pub fn validate(&self) -> Result<(), ContactError> {
        let finite = |what, v: &Vector<D>| {
            // The square must not overflow either: distances are made of squares.
            let bad = v.iter().any(|c| !(c * c).is_finite());
            if bad { Err(ContactError::NonFiniteObstacle { what, value: components(v) }) } else { Ok(()) }
        };
        match self {
            Self::HalfSpace { point, normal } => {
                finite("point", point)?;
                unit(normal).map(|_| ()).ok_or_else(|| ContactError::ZeroNormal { normal: components(normal) })
            }
            Self::Segment { a, b } => {
                if D != 2 {
                    return Err(ContactError::SegmentDimension { dimension: D });
                }
                finite("first end", a)?;
                finite("second end", b)?;
                if (b - a).norm_squared().is_normal() {
                    Ok(())
                } else {
                    Err(ContactError::ZeroLengthObstacle { a: components(a), b: components(b) })
                }
            }
        }
    }
}

/// The components of a vector, for messages.
pub(crate) fn components<const D: usize>(v: &Vector<D>) -> Vec<f64> {
    v.iter().copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn half_space(point: [f64; 2], normal: [f64; 2]) -> Obstacle<2> {
        Obstacle::HalfSpace { point: point.into(), normal: normal.into() }
    }

    fn segment(a: [f64; 2], b: [f64; 2]) -> Obstacle<2> {
        Obstacle::Segment { a: a.into(), b: b.into() }
    }

    #[test]
    fn obstacles_are_checked() {
        assert_eq!(half_space([0.0, 1.0], [0.0, 2.0]).validate(), Ok(()));
        assert_eq!(segment([0.0, 1.0], [0.0, 2.0]).validate(), Ok(()));
        let error = |o: Obstacle<2>| o.validate().unwrap_err();
        assert_eq!(error(half_space([0.0; 2], [0.0; 2])), ContactError::ZeroNormal { normal: vec![0.0; 2] });
        assert!(matches!(
            error(half_space([f64::NAN, 0.0], [0.0, 1.0])),
            ContactError::NonFiniteObstacle { what: "point", .. }
        ));
        assert!(matches!(
            error(segment([0.0; 2], [f64::INFINITY, 0.0])),
            ContactError::NonFiniteObstacle { what: "second end", .. }
        ));
        assert!(matches!(
            error(segment([0.0, 1e200], [0.0; 2])),
            ContactError::NonFiniteObstacle { what: "first end", .. }
        ));
        let same = error(segment([1.0, 2.0], [1.0, 2.0]));
        assert_eq!(same, ContactError::ZeroLengthObstacle { a: vec![1.0, 2.0], b: vec![1.0, 2.0] });
        let solid = Obstacle::<3>::Segment { a: Vector::<3>::zeros(), b: Vector::<3>::new(1.0, 0.0, 0.0) };
        assert_eq!(solid.validate(), Err(ContactError::SegmentDimension { dimension: 3 }));
    }

    #[test]
    fn translation_moves_the_shape_and_keeps_its_direction() {
        let d = Vector::<2>::new(1.0, -2.0);
        assert_eq!(half_space([0.0, 1.0], [0.0, 2.0]).translated(&d), half_space([1.0, -1.0], [0.0, 2.0]));
        assert_eq!(segment([0.0, 0.0], [3.0, 0.0]).translated(&d), segment([1.0, -2.0], [4.0, -2.0]));
    }
}
