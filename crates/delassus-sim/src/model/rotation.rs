//! Turns about an axis.
//!
//! In space by Rodrigues' formula, R = I + sin α [n] + (1 − cos α) [n]²; in the plane the axis is z and R its upper left block.
//! About z both have the same bits.

use nalgebra::{Rotation, Rotation3, SMatrix, Unit, Vector3};

/// A direction in space, of length 1.
pub type RotationAxis = Unit<Vector3<f64>>;

/// The turn by an angle \[rad\] about an axis, right-handed; in the plane about z, whatever the axis.
#[must_use]
pub fn turn<const D: usize>(axis: &RotationAxis, angle: f64) -> Rotation<f64, D> {
    let axis = if D == 3 { *axis } else { Vector3::z_axis() };
    let whole = Rotation3::from_axis_angle(&axis, angle);
    Rotation::from_matrix_unchecked(SMatrix::from_fn(|i, j| whole[(i, j)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(x: f64, y: f64, z: f64) -> RotationAxis {
        Unit::new_normalize(Vector3::new(x, y, z))
    }

    #[test]
    fn quarter_turns_about_the_three_axes_exchange_the_others() {
        let quarter = std::f64::consts::FRAC_PI_2;
        let [x, y, z] = [Vector3::x(), Vector3::y(), Vector3::z()];
        for (about, from, to) in [(x, y, z), (y, z, x), (z, x, y)] {
            let r = turn::<3>(&Unit::new_normalize(about), quarter);
            assert!((r * from - to).norm() < 1e-15 && (r * about - about).norm() < 1e-15, "about {about}");
            // Any length of the axis; the other way round from the other side.
            let back = turn::<3>(&Unit::new_normalize(-3.0 * about), quarter);
            assert!((back * from + to).norm() < 1e-15);
        }
    }

    #[test]
    fn a_third_of_a_turn_about_the_diagonal_passes_the_axes_on() {
        let r = turn::<3>(&axis(1.0, 1.0, 1.0), std::f64::consts::TAU / 3.0);
        // A dozen roundings of numbers up to 3.
        assert!((r * Vector3::new(1.0, 2.0, 3.0) - Vector3::new(3.0, 1.0, 2.0)).norm() < 1e-14);
    }

    /// A point of an obstacle that turns with ω(t) about an axis through a pivot that moves.
    #[test]
    fn an_obstacle_turns_about_its_axis_and_its_pivot() {
        use crate::model::MovingObstacle;
        use delassus_contact::Ball;
        use delassus_fem::TimeFunction;
        let pivot = Vector3::new(1.0, 2.0, 3.0);
        let obstacle = MovingObstacle::<3> {
            number: 0,
            shape: std::sync::Arc::new(Ball { centre: Vector3::zeros(), radius: 1.0 }),
            velocity: vec![0.5.into(), 0.0.into(), (-1.0).into()],
            // ∫ω over two seconds is a quarter turn.
            spin: TimeFunction::Ramp { start: 0.0, end: 2.0, from: 0.0, to: std::f64::consts::FRAC_PI_2 },
            axis: axis(0.0, 4.0, 0.0),
            pivot,
            mesh_hash: None,
        };
        let pose = obstacle.pose(2.0);
        // About y, z goes to x; the pivot has moved by (1, 0, −2).
        let moved = pivot + Vector3::new(1.0, 0.0, -2.0);
        let x = pose.place(&(pivot + Vector3::new(0.0, 7.0, 2.0)));
        assert!((x - (moved + Vector3::new(2.0, 7.0, 0.0))).norm() < 1e-14, "{x}");
        assert!((pose.place(&pivot) - moved).norm() < 1e-15);
        assert_eq!(obstacle.pose(0.0).place(&pivot), pivot);
    }

    #[test]
    fn about_z_the_plane_and_space_have_the_same_bits() {
        for k in -20..20 {
            let angle = 0.37 * f64::from(k);
            let (sin, cos) = angle.sin_cos();
            let (flat, solid) = (turn::<2>(&axis(1.0, 0.0, 0.0), angle), turn::<3>(&Vector3::z_axis(), angle));
            for (i, j, exact) in [(0, 0, cos), (0, 1, -sin), (1, 0, sin), (1, 1, cos)] {
                assert!((flat[(i, j)] - exact).abs() <= 0.0 && (solid[(i, j)] - exact).abs() <= 0.0, "{angle} {i} {j}");
            }
            assert!((solid[(2, 2)] - 1.0).abs() <= 0.0);
        }
    }
}
