//! Rigid shapes without dofs, moved by the caller.

use crate::frame::unit;
use crate::{ContactError, Pose, Vector};

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
    /// A solid disk (2D) or ball (3D), seen from outside: gap ‖x − c‖ − R, normal radial, outwards.
    Ball {
        /// Its centre c (m).
        centre: Vector<D>,
        /// Its radius R (m).
        radius: f64,
    },
    /// A round hole, seen from inside, with everything around it solid: gap R − ‖x − c‖, normal radial, inwards. It has no other
    /// side, so no penetration is too deep.
    Cavity {
        /// Its centre c (m).
        centre: Vector<D>,
        /// Its radius R (m).
        radius: f64,
    },
}

impl<const D: usize> Obstacle<D> {
    /// The obstacle moved by `displacement` (m).
    #[must_use]
    pub fn translated(&self, displacement: &Vector<D>) -> Self {
        self.placed(&Pose::translated(*displacement))
    }

    /// The obstacle in another pose.
    #[must_use]
    pub fn placed(&self, pose: &Pose<D>) -> Self {
        match self {
            Self::HalfSpace { point, normal } => {
                Self::HalfSpace { point: pose.place(point), normal: pose.rotation * normal }
            }
            Self::Segment { a, b } => Self::Segment { a: pose.place(a), b: pose.place(b) },
            Self::Ball { centre, radius } => Self::Ball { centre: pose.place(centre), radius: *radius },
            Self::Cavity { centre, radius } => Self::Cavity { centre: pose.place(centre), radius: *radius },
        }
    }

    /// Checks that the shape is a shape.
    ///
    /// # Errors
    /// If a coordinate is not finite, a normal has no direction, a segment has no length or is not in 2D, or a radius is not
    /// positive.
    pub fn validate(&self) -> Result<(), ContactError> {
        match self {
            Self::HalfSpace { point, normal } => {
                check_finite("point", point)?;
                unit(normal).map(|_| ()).ok_or_else(|| ContactError::ZeroNormal { normal: components(normal) })
            }
            Self::Segment { a, b } => {
                if D != 2 {
                    return Err(ContactError::SegmentDimension { dimension: D });
                }
                check_finite("first end", a)?;
                check_finite("second end", b)?;
                if (b - a).norm_squared().is_normal() {
                    Ok(())
                } else {
                    Err(ContactError::ZeroLengthObstacle { a: components(a), b: components(b) })
                }
            }
            Self::Ball { centre, radius } | Self::Cavity { centre, radius } => {
                check_finite("centre", centre)?;
                if *radius > 0.0 && (radius * radius).is_finite() {
                    Ok(())
                } else {
                    Err(ContactError::InvalidRadius { radius: *radius })
                }
            }
        }
    }
}

/// Finite, and with a square that is: distances are made of squares.
pub(crate) fn check_finite<const D: usize>(what: &'static str, v: &Vector<D>) -> Result<(), ContactError> {
    let bad = v.iter().any(|c| !(c * c).is_finite());
    if bad { Err(ContactError::NonFiniteObstacle { what, value: components(v) }) } else { Ok(()) }
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
    fn round_obstacles_are_checked() {
        let c = Vector::<2>::new(1.0, 2.0);
        for shape in
            [|centre, radius| Obstacle::Ball { centre, radius }, |centre, radius| Obstacle::Cavity { centre, radius }]
        {
            assert_eq!(shape(c, 0.5).validate(), Ok(()));
            for radius in [0.0, -1.0, f64::INFINITY, 1e200] {
                assert_eq!(shape(c, radius).validate(), Err(ContactError::InvalidRadius { radius }));
            }
            let nan = shape(c, f64::NAN).validate().unwrap_err();
            assert!(matches!(nan, ContactError::InvalidRadius { .. }) && nan.to_string().contains("NaN"), "{nan}");
            let lost = shape(Vector::<2>::new(0.0, f64::NAN), 1.0).validate().unwrap_err();
            assert!(matches!(lost, ContactError::NonFiniteObstacle { what: "centre", .. }), "{lost}");
        }
    }

    #[test]
    fn a_pose_turns_points_and_normals() {
        let pose = Pose::turned(std::f64::consts::FRAC_PI_2, Vector::<2>::new(1.0, 0.0), Vector::<2>::new(0.0, 3.0));
        let Obstacle::HalfSpace { point, normal } = half_space([1.0, 1.0], [0.0, 2.0]).placed(&pose) else {
            panic!("another shape")
        };
        assert!(
            (point - Vector::<2>::new(0.0, 3.0)).norm() < 1e-15
                && (normal - Vector::<2>::new(-2.0, 0.0)).norm() < 1e-15
        );
        let ball = Obstacle::Ball { centre: Vector::<2>::new(2.0, 0.0), radius: 0.3 };
        let Obstacle::Ball { centre, radius } = ball.placed(&pose) else { panic!("another shape") };
        assert!((centre - Vector::<2>::new(1.0, 4.0)).norm() < 1e-15 && (radius - 0.3).abs() < 1e-16);
    }

    #[test]
    fn translation_moves_the_shape_and_keeps_its_direction() {
        let d = Vector::<2>::new(1.0, -2.0);
        assert_eq!(half_space([0.0, 1.0], [0.0, 2.0]).translated(&d), half_space([1.0, -1.0], [0.0, 2.0]));
        assert_eq!(segment([0.0, 0.0], [3.0, 0.0]).translated(&d), segment([1.0, -2.0], [4.0, -2.0]));
    }
}
