//! Balls with friction, rolling and spinning resistance: W = Σ J w Jᵀ from the rows of forces and moments.

use nalgebra::{DMatrix, Matrix3, SMatrix, Vector3};

use super::Random;
use crate::linalg::{Matrix, Vector};
use crate::operator::BlockMatrix;
use crate::problem::{Cone, ContactProblem, Derived, ResistanceLimits};

/// Coefficients of a problem.
#[derive(Clone, Copy)]
pub(crate) struct Coefficients {
    pub(crate) friction: f64,
    /// μ_r and μ_s [m].
    pub(crate) rolling: f64,
    pub(crate) spinning: f64,
}

fn skew(a: &Vector3<f64>) -> Matrix3<f64> {
    Matrix3::new(0.0, -a[2], a[1], a[2], 0.0, -a[0], -a[1], a[0], 0.0)
}

/// One ball of mass 1 and radius 1 on the plane z = 0, with these free velocities: contact 0 its force, 1 its moment over the lever 1.
pub(crate) fn ball(v: [f64; 3], omega: [f64; 3], c: Coefficients) -> ContactProblem<3> {
    heap(&[(Vector3::new(0.0, 0.0, 1.0), 1.0)], &[(0, None, Vector3::z(), 0.0)], &[(v, omega)], c)
}

/// Balls (place, radius) of density one, contacts (ball, other ball or the ground, normal, lever or 0 for the radius), free velocities.
pub(crate) fn heap(
    balls: &[(Vector3<f64>, f64)],
    contacts: &[(usize, Option<usize>, Vector3<f64>, f64)],
    free: &[([f64; 3], [f64; 3])],
    c: Coefficients,
) -> ContactProblem<3> {
    let n = contacts.len();
    let mut rows = DMatrix::<f64>::zeros(6 * n, 6 * balls.len());
    let mut laws = Vec::new();
    for (k, (a, b, normal, lever)) in contacts.iter().enumerate() {
        let t = if normal[0].abs() < 0.9 { Vector3::x() } else { Vector3::y() };
        let t = (t - normal * normal.dot(&t)).normalize();
        let frame = Matrix3::from_columns(&[*normal, t, normal.cross(&t)]);
        let lever = if *lever > 0.0 { *lever } else { balls[*a].1 };
        for (sign, ball) in [(1.0, Some(*a)), (-1.0, *b)] {
            let Some(ball) = ball else { continue };
            let arm = normal * (-sign * balls[ball].1);
            let mut put = |row: usize, column: usize, block: Matrix3<f64>| {
                rows.fixed_view_mut::<3, 3>(3 * row, 6 * ball + column).copy_from(&(frame.transpose() * block * sign));
            };
            put(2 * k, 0, Matrix3::identity());
            put(2 * k, 3, -skew(&arm));
            put(2 * k + 1, 3, Matrix3::identity() * lever);
        }
        laws.push(Derived::standard(Cone::Coulomb(c.friction)));
        let turning = ResistanceLimits { of: 2 * k, spinning: c.spinning / lever, rolling: c.rolling / lever };
        laws.push(Derived::standard(Cone::Turning(turning)));
    }
    let inverse = DMatrix::from_fn(6 * balls.len(), 6 * balls.len(), |i, j| {
        let radius = balls[i / 6].1;
        let mass = radius.powi(3);
        if i != j {
            0.0
        } else if i % 6 < 3 {
            1.0 / mass
        } else {
            2.5 / (mass * radius * radius)
        }
    });
    let w = &rows * inverse * rows.transpose();
    let v = DMatrix::from_fn(6 * balls.len(), 1, |i, _| {
        let (v, omega) = free[i / 6];
        if i % 6 < 3 { v[i % 6] } else { omega[i % 6 - 3] }
    });
    let u = &rows * v;
    let block = |i: usize, j: usize| -> Matrix<3> { SMatrix::from_fn(|k, l| w[(3 * i + k, 3 * j + l)]) };
    ContactProblem {
        operator: BlockMatrix::dense(2 * n, block),
        v_free: (0..2 * n).map(|i| Vector::<3>::from_fn(|k, _| u[3 * i + k])).collect(),
        laws,
    }
}

/// A pile of `n` balls in a column with side contacts to the ground, all moving at random.
pub(crate) fn random_pile(random: &mut Random, n: usize, c: Coefficients) -> ContactProblem<3> {
    let mut balls: Vec<(Vector3<f64>, f64)> = Vec::new();
    let mut contacts = Vec::new();
    let mut free = Vec::new();
    for i in 0..n {
        let radius = random.between(0.5, 1.5);
        let direction = Vector3::new(random.between(-0.5, 0.5), random.between(-0.5, 0.5), 1.0).normalize();
        let place = match balls.last() {
            Some((below, r)) => below + direction * (r + radius),
            None => Vector3::new(0.0, 0.0, radius),
        };
        if i == 0 {
            contacts.push((0, None, Vector3::z(), 0.0));
        } else {
            contacts.push((i, Some(i - 1), direction, 0.0));
        }
        if i % 3 == 2 {
            contacts.push((i, None, Vector3::new(random.between(-1.0, 1.0), 1.0, 0.3).normalize(), 0.0));
        }
        balls.push((place, radius));
        let mut any = || [0; 3].map(|_| random.between(-1.0, 1.0));
        let (mut v, omega) = (any(), any());
        v[2] -= 1.0;
        free.push((v, omega));
    }
    heap(&balls, &contacts, &free, c)
}
