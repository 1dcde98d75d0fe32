//! Rigid shapes without dofs, moved by the caller.

mod rigid_mesh;
mod rigid_surface;

use crate::frame::unit;
use crate::{ContactError, Pose, Vector};
use nalgebra::Rotation;

pub use rigid_surface::{RigidSurface, Solid};

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
    /// A solid rectangle (2D) or box (3D), turned about its centre.
    Box {
        /// Its centre (m).
        centre: Vector<D>,
        /// Half its sizes along its own axes (m).
        half_sizes: Vector<D>,
        /// From the world's axes to its own.
        rotation: Rotation<f64, D>,
    },
    /// A solid cylinder with flat ends (3D).
    Cylinder {
        /// Its centre (m).
        centre: Vector<D>,
        /// Direction of its axis, of any length but zero.
        axis: Vector<D>,
        /// Its radius (m).
        radius: f64,
        /// Half its length (m).
        half_length: f64,
    },
    /// A round hole without ends, seen from inside, with everything around it solid (3D): gap R − distance from the axis. It has no
    /// other side, so no penetration is too deep.
    Bore {
        /// A point of its axis (m).
        point: Vector<D>,
        /// Direction of its axis, of any length but zero.
        axis: Vector<D>,
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
            Self::Box { centre, half_sizes, rotation } => Self::Box {
                centre: pose.place(centre),
                half_sizes: *half_sizes,
                rotation: Rotation::from_matrix_unchecked(pose.rotation.matrix() * rotation.matrix()),
            },
            Self::Cylinder { centre, axis, radius, half_length } => Self::Cylinder {
                centre: pose.place(centre),
                axis: pose.rotation * axis,
                radius: *radius,
                half_length: *half_length,
            },
            Self::Bore { point, axis, radius } => {
                Self::Bore { point: pose.place(point), axis: pose.rotation * axis, radius: *radius }
            }
        }
    }

    /// Checks that the shape is a shape.
    ///
    /// # Errors
    /// If a coordinate is not finite, a normal or axis has no direction, a segment has no length or is not in 2D, a cylinder or bore is
    /// not in 3D, or a radius or size is not positive.
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
                check_radius(*radius)
            }
            Self::Box { centre, half_sizes, rotation } => {
                check_finite("centre", centre)?;
                let turn = rotation.matrix().as_slice();
                if turn.iter().any(|c| !c.is_finite()) {
                    return Err(ContactError::NonFiniteObstacle { what: "rotation", value: turn.to_vec() });
                }
                half_sizes.iter().try_for_each(|&size| check_size("half size", size))
            }
            Self::Cylinder { centre, axis, radius, half_length } => {
                check_space::<D>("cylinder")?;
                check_finite("centre", centre)?;
                check_axis(axis)?;
                check_radius(*radius)?;
                check_size("half length", *half_length)
            }
            Self::Bore { point, axis, radius } => {
                check_space::<D>("bore")?;
                check_finite("point", point)?;
                check_axis(axis)?;
                check_radius(*radius)
            }
        }
    }
}

fn is_length(value: f64) -> bool {
    value > 0.0 && (value * value).is_finite()
}

fn check_radius(radius: f64) -> Result<(), ContactError> {
    if is_length(radius) { Ok(()) } else { Err(ContactError::InvalidRadius { radius }) }
}

fn check_size(what: &'static str, value: f64) -> Result<(), ContactError> {
    if is_length(value) { Ok(()) } else { Err(ContactError::InvalidSize { what, value }) }
}

fn check_space<const D: usize>(shape: &'static str) -> Result<(), ContactError> {
    if D == 3 { Ok(()) } else { Err(ContactError::ShapeDimension { shape, dimension: D }) }
}

fn check_axis<const D: usize>(axis: &Vector<D>) -> Result<(), ContactError> {
    unit(axis).map(|_| ()).ok_or_else(|| ContactError::ZeroAxis { axis: components(axis) })
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
    fn boxes_and_cylinders_are_checked() {
        let (centre, axis) = (Vector::<3>::zeros(), Vector::<3>::new(0.0, 0.0, 2.0));
        let cuboid = |half_sizes: [f64; 3]| {
            Obstacle::Box { centre, half_sizes: half_sizes.into(), rotation: Rotation::identity() }.validate()
        };
        assert_eq!(cuboid([1.0, 2.0, 3.0]), Ok(()));
        assert_eq!(cuboid([1.0, 0.0, 3.0]), Err(ContactError::InvalidSize { what: "half size", value: 0.0 }));
        assert!(cuboid([1.0, f64::NAN, 3.0]).is_err() && cuboid([1e200, 1.0, 1.0]).is_err());
        let rotation = Rotation::from_matrix_unchecked(crate::Matrix::<3>::repeat(f64::NAN));
        let turned = Obstacle::Box { centre, half_sizes: axis, rotation }.validate();
        assert!(matches!(turned, Err(ContactError::NonFiniteObstacle { what: "rotation", .. })), "{turned:?}");
        let lost = Vector::<3>::repeat(f64::INFINITY);
        let cylinder = |centre, axis, radius, half_length| {
            Obstacle::<3>::Cylinder { centre, axis, radius, half_length }.validate()
        };
        assert_eq!(cylinder(centre, axis, 1.0, 2.0), Ok(()));
        assert_eq!(cylinder(centre, centre, 1.0, 2.0), Err(ContactError::ZeroAxis { axis: vec![0.0; 3] }));
        assert_eq!(cylinder(centre, axis, -1.0, 2.0), Err(ContactError::InvalidRadius { radius: -1.0 }));
        let short = ContactError::InvalidSize { what: "half length", value: 0.0 };
        assert_eq!(cylinder(centre, axis, 1.0, 0.0), Err(short));
        assert!(matches!(cylinder(lost, axis, 1.0, 1.0), Err(ContactError::NonFiniteObstacle { what: "centre", .. })));
        assert!(matches!(cylinder(centre, lost, 1.0, 1.0), Err(ContactError::ZeroAxis { .. })));
        let bore = |point, axis, radius| Obstacle::<3>::Bore { point, axis, radius }.validate();
        assert_eq!(bore(centre, axis, 1.0), Ok(()));
        assert_eq!(bore(centre, centre, 1.0), Err(ContactError::ZeroAxis { axis: vec![0.0; 3] }));
        assert_eq!(bore(centre, axis, 0.0), Err(ContactError::InvalidRadius { radius: 0.0 }));
        assert!(matches!(bore(lost, axis, 1.0), Err(ContactError::NonFiniteObstacle { what: "point", .. })));
        let (c, a) = (Vector::<2>::zeros(), Vector::<2>::new(1.0, 0.0));
        for (shape, flat) in [
            ("cylinder", Obstacle::Cylinder { centre: c, axis: a, radius: 1.0, half_length: 1.0 }),
            ("bore", Obstacle::Bore { point: c, axis: a, radius: 1.0 }),
        ] {
            assert_eq!(flat.validate(), Err(ContactError::ShapeDimension { shape, dimension: 2 }));
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
