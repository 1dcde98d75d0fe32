//! Positions of rigid obstacles, and velocities of their points over the gap time.
//!
//! A pose sends a point X of the shape at rest to x, by a rotation about a reference point and then a translation:
//!
//! ```text
//! x = c + u + R (X − c)
//! ```
//!
//! A motion joins the pose at the time t_c of the contact configuration to the one at t_c + τ, τ the gap time. The velocity of
//! the obstacle's material point found at x at t_c is its exact displacement over the gap time, divided by it:
//!
//! ```text
//! V(x) = (x(t_c + τ) − x(t_c))/τ = V_c + A (x − c − u),     A = (R₁ − R₀) R₀ᵀ/τ
//! V_c  = (u₁ − u₀ + (R₁ − I)(c₀ − c₁))/τ                     of the point found at c₀ + u₀
//! ```
//!
//! (index 0 at t_c, 1 at t_c + τ). A contact takes V at its foot, the obstacle's own point. With n the normal there, the gap of a
//! point at rest has dg/dt = −n·V = U_N for every rigid motion (the part of V that turns n is orthogonal to n), so that
//! g + τ U_N is the gap at t_c + τ but for terms in the square of the angle turned; for translations of flat faces it is
//! exact. V_T is the exact mean slip of the material points: a disk turning in place drags what it touches. (The chord of that
//! turn also leaves the disk's own surface, by R (1 − cos Δα) for an angle Δα: a node held against a roller rests that deep in
//! it, so the angle turned in a step should be small.)
//! The prediction g⁺ = g + τ U_N is that of Jean 1995 and of Vola, Pratt, Jean & Raous 1998.

use nalgebra::Rotation;

use crate::{ContactError, Matrix, Vector};

/// Place and direction of a rigid shape, relative to where it is at rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose<const D: usize> {
    /// Rotation R about the centre.
    pub rotation: Rotation<f64, D>,
    /// Point c of the shape at rest about which it turns (m).
    pub centre: Vector<D>,
    /// Translation u, after the rotation (m).
    pub translation: Vector<D>,
}

impl<const D: usize> Default for Pose<D> {
    fn default() -> Self {
        Self::translated(Vector::zeros())
    }
}

impl<const D: usize> Pose<D> {
    /// A translation (m) without rotation.
    #[must_use]
    pub fn translated(translation: Vector<D>) -> Self {
        Self { rotation: Rotation::identity(), centre: Vector::zeros(), translation }
    }

    /// Where a point of the shape at rest is (m).
    #[must_use]
    pub fn place(&self, at_rest: &Vector<D>) -> Vector<D> {
        self.origin() + self.rotation * (at_rest - self.centre)
    }

    /// Where the centre is (m).
    fn origin(&self) -> Vector<D> {
        self.centre + self.translation
    }
}

impl Pose<2> {
    /// Rotation by an angle (rad, counter-clockwise) about `centre`, then a translation (m).
    #[must_use]
    pub fn turned(angle: f64, centre: Vector<2>, translation: Vector<2>) -> Self {
        Self { rotation: Rotation::<f64, 2>::new(angle), centre, translation }
    }
}

impl Pose<3> {
    /// Rotation about an axis through `centre`, then a translation (m). The rotation vector (rad) is along the axis, as long as the
    /// angle, right-handed.
    #[must_use]
    pub fn turned_about(rotation: Vector<3>, centre: Vector<3>, translation: Vector<3>) -> Self {
        Self { rotation: Rotation::<f64, 3>::new(rotation), centre, translation }
    }
}

/// A translation of an obstacle; at rest by default, not used for the surface of a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Translation<const D: usize> {
    /// Displacement from the place at rest, at the time of the contact configuration (m).
    pub displacement: Vector<D>,
    /// Velocity over the step (m/s).
    pub velocity: Vector<D>,
}

impl<const D: usize> Default for Translation<D> {
    fn default() -> Self {
        Self { displacement: Vector::zeros(), velocity: Vector::zeros() }
    }
}

/// Where an obstacle is and how it translates and turns; at rest by default, not used for the surface of a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RigidMotion<const D: usize> {
    /// Pose at the time of the contact configuration.
    pub pose: Pose<D>,
    /// Velocity V_c of the material point found at `pose.centre + pose.translation` (m/s).
    pub velocity: Vector<D>,
    /// Matrix A of the velocity field V = V_c + A (x − c − u) (1/s).
    pub spin: Matrix<D>,
}

impl<const D: usize> Default for RigidMotion<D> {
    fn default() -> Self {
        Translation::default().into()
    }
}

impl<const D: usize> From<Translation<D>> for RigidMotion<D> {
    fn from(motion: Translation<D>) -> Self {
        Self { pose: Pose::translated(motion.displacement), velocity: motion.velocity, spin: Matrix::zeros() }
    }
}

impl<const D: usize> RigidMotion<D> {
    /// From the pose at the time of the contact configuration to the pose one gap time (s) later.
    ///
    /// # Errors
    /// [`ContactError::InvalidGapTime`] if the gap time is not a positive number.
    pub fn between(start: &Pose<D>, end: &Pose<D>, gap_time: f64) -> Result<Self, ContactError> {
        if !(gap_time > 0.0 && gap_time.is_finite()) {
            return Err(ContactError::InvalidGapTime { value: gap_time });
        }
        let [first, last] = [start, end].map(|p| *p.rotation.matrix());
        let other_centre = (last - Matrix::identity()) * (start.centre - end.centre);
        Ok(Self {
            pose: *start,
            velocity: (end.translation - start.translation + other_centre) / gap_time,
            // The difference first: a pose that is kept gives a velocity of zero exactly.
            spin: (last - first) * first.transpose() / gap_time,
        })
    }

    /// Mean velocity (m/s) over the gap time of the material point found at `point` (m) in the contact configuration.
    #[must_use]
    pub fn velocity_at(&self, point: &Vector<D>) -> Vector<D> {
        self.velocity + self.spin * (point - self.pose.origin())
    }

    /// What is not a number (or has a square that is not), and its components.
    pub(crate) fn broken(&self) -> Option<(&'static str, Vec<f64>)> {
        let parts: [(&'static str, &[f64]); 5] = [
            ("displacement", self.pose.translation.as_slice()),
            ("velocity", self.velocity.as_slice()),
            ("centre", self.pose.centre.as_slice()),
            ("rotation", self.pose.rotation.matrix().as_slice()),
            ("spin", self.spin.as_slice()),
        ];
        let broken = parts.into_iter().find(|(_, part)| part.iter().any(|c| !(c * c).is_finite()));
        broken.map(|(what, part)| (what, part.to_vec()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    fn vector(random: &mut Random) -> Vector<2> {
        Vector::<2>::new(random.within(-2.0, 2.0), random.within(-2.0, 2.0))
    }

    fn pose(random: &mut Random) -> Pose<2> {
        Pose::turned(random.within(-9.0, 9.0), vector(random), vector(random))
    }

    #[test]
    fn a_quarter_turn_about_a_point() {
        let pose = Pose::turned(std::f64::consts::FRAC_PI_2, Vector::<2>::new(1.0, 1.0), Vector::<2>::new(0.0, 5.0));
        let x = pose.place(&Vector::<2>::new(3.0, 1.0));
        assert!((x - Vector::<2>::new(1.0, 8.0)).norm() < 1e-15, "{x}");
        assert_eq!(Pose::<2>::default().place(&x), x);
    }

    #[test]
    fn the_velocity_is_the_displacement_of_the_material_point_over_the_gap_time() {
        let mut random = Random::new(71);
        for _ in 0..2000 {
            let (start, end, tau) = (pose(&mut random), pose(&mut random), random.within(0.1, 2.0));
            let motion = RigidMotion::between(&start, &end, tau).unwrap();
            let rest = vector(&mut random);
            let (x0, x1) = (start.place(&rest), end.place(&rest));
            let error = (motion.velocity_at(&x0) - (x1 - x0) / tau).norm();
            // Coordinates up to ten, divided by tau ≥ 0.1: a few roundings of 100.
            assert!(error < 1e-13, "off by {error}");
        }
    }

    #[test]
    fn in_3d_the_velocity_is_that_of_the_material_point_too() {
        let mut random = Random::new(72);
        for _ in 0..2000 {
            let mut vector = |size: f64| Vector::<3>::from_fn(|_, _| random.within(-size, size));
            let start = Pose::turned_about(vector(3.0), vector(2.0), vector(2.0));
            let end = Pose::turned_about(vector(3.0), vector(2.0), vector(2.0));
            let (rest, axis) = (vector(2.0), vector(1.0));
            let tau = random.within(0.1, 2.0);
            let motion = RigidMotion::between(&start, &end, tau).unwrap();
            let (x0, x1) = (start.place(&rest), end.place(&rest));
            let error = (motion.velocity_at(&x0) - (x1 - x0) / tau).norm();
            // As above.
            assert!(error < 2e-13, "off by {error}");
            // A turn about an axis: (ω × r) in the limit, the part along the axis kept exactly.
            let small = Pose::turned_about(axis * 1e-7, Vector::<3>::zeros(), Vector::<3>::zeros());
            let motion = RigidMotion::between(&Pose::default(), &small, 1e-7).unwrap();
            // The angle squared over two, and the rounding of the cosine over τ.
            assert!((motion.velocity_at(&rest) - axis.cross(&rest)).norm() < 1e-6);
        }
    }

    #[test]
    fn a_rotation_vector_turns_by_its_length_about_itself() {
        let turn = Vector::<3>::new(0.0, 0.0, std::f64::consts::FRAC_PI_2);
        let pose = Pose::turned_about(turn, Vector::<3>::new(1.0, 1.0, 0.0), Vector::<3>::new(0.0, 0.0, 5.0));
        let x = pose.place(&Vector::<3>::new(3.0, 1.0, 2.0));
        assert!((x - Vector::<3>::new(1.0, 3.0, 7.0)).norm() < 1e-15, "{x}");
        assert_eq!(Pose::turned_about(Vector::<3>::zeros(), x, Vector::<3>::zeros()).place(&x), x);
    }

    #[test]
    fn a_pose_that_is_kept_is_at_rest_exactly() {
        let held = Pose::turned(0.3, Vector::<2>::new(7.0, 1.0), Vector::<2>::new(0.1, 0.2));
        let motion = RigidMotion::between(&held, &held, 1e-9).unwrap();
        assert_eq!(motion.velocity_at(&Vector::<2>::new(3.0, -4.0)), Vector::<2>::zeros());
        assert_eq!(RigidMotion::<2>::default(), RigidMotion::between(&Pose::default(), &Pose::default(), 1.0).unwrap());
    }

    #[test]
    fn a_translation_has_one_velocity() {
        let motion =
            Translation { displacement: Vector::<3>::new(1.0, 2.0, 3.0), velocity: Vector::<3>::new(4.0, 5.0, 6.0) };
        let rigid = RigidMotion::from(motion);
        assert_eq!(rigid.velocity_at(&Vector::<3>::new(-1e3, 0.1, 7.0)), motion.velocity);
        assert_eq!(rigid.pose.place(&Vector::<3>::new(1.0, 1.0, 1.0)), Vector::<3>::new(2.0, 3.0, 4.0));
        let end = Pose::translated(motion.displacement + motion.velocity * 0.5);
        assert_eq!(RigidMotion::between(&rigid.pose, &end, 0.5).unwrap(), rigid);
    }

    #[test]
    fn the_gap_time_is_checked() {
        let pose = Pose::<2>::default();
        for value in [0.0, -1.0, f64::INFINITY] {
            let error = RigidMotion::between(&pose, &pose, value).unwrap_err();
            assert_eq!(error, ContactError::InvalidGapTime { value });
            assert!(error.to_string().contains("positive"), "{error}");
        }
        let nan = RigidMotion::between(&pose, &pose, f64::NAN).unwrap_err();
        assert!(matches!(nan, ContactError::InvalidGapTime { .. }));
    }
}
