//! Contact problems in space, and problems with singular W of any dimension.

use nalgebra::{DMatrix, DVector, Matrix3, Vector3};

use super::{BodyKind, Random};
use crate::linalg::{Matrix, Vector};
use crate::operator::BlockMatrix;
use crate::problem::{Cone, ContactProblem, Derived};

/// A problem of `n` contacts with friction 0…1, gaps ≥ 0 and free velocities that come from a motion.
pub(crate) fn space_problem(random: &mut Random, n: usize, kind: BodyKind) -> ContactProblem<3> {
    let (w, h) = match kind {
        BodyKind::Deformable => deformable(random, n),
        BodyKind::Rigid => rigid(random, n),
    };
    let v = DVector::from_fn(h.nrows(), |i, _| random.between(-1.0, 1.0) - if i % 3 == 0 { 0.5 } else { 0.0 });
    let mu = random.between(0.0, 1.0);
    let mut problem = from_maps(&w, &h, &v, mu);
    for law in &mut problem.laws {
        if random.below(4) == 0 {
            law.cone = Cone::Coulomb(0.0);
        }
        if random.below(3) == 0 {
            law.v_shift[0] = random.between(0.0, 1.0);
        }
    }
    problem
}

/// W = Hᵀ M⁻¹ H and v_free = Hᵀ v; rows of blocks that are all zero are not stored.
fn from_maps(mass_inverse: &DMatrix<f64>, h: &DMatrix<f64>, v: &DVector<f64>, mu: f64) -> ContactProblem<3> {
    let n = h.ncols() / 3;
    let w = h.transpose() * mass_inverse * h;
    let u = h.transpose() * v;
    let block = |i: usize, j: usize| Matrix::<3>::from_fn(|k, l| w[(3 * i + k, 3 * j + l)]);
    let row = |i: usize| (0..n).map(|j| (j, block(i, j))).filter(|(_, b)| b.amax() > 0.0).collect();
    ContactProblem {
        operator: BlockMatrix::from_rows((0..n).map(row).collect()).unwrap(),
        v_free: (0..n).map(|i| Vector::<3>::from_fn(|k, _| u[3 * i + k])).collect(),
        laws: vec![Derived::standard(Cone::Coulomb(mu)); n],
    }
}

/// A frame with the normal first, about a direction within the upper half space.
fn frame(random: &mut Random) -> Matrix3<f64> {
    let normal = Vector3::new(random.between(-1.0, 1.0), random.between(-1.0, 1.0), 1.0).normalize();
    let tangent = normal.cross(&Vector3::new(random.between(0.2, 1.0), random.between(-1.0, 1.0), 0.0)).normalize();
    Matrix3::from_columns(&[normal, tangent, normal.cross(&tangent)])
}

/// Inverse of a mass-plus-stiffness matrix with neighbour coupling, and H made of one frame per contact node.
fn deformable(random: &mut Random, n: usize) -> (DMatrix<f64>, DMatrix<f64>) {
    let size = 3 * n + 6;
    let mut m = DMatrix::<f64>::zeros(size, size);
    for i in 0..size {
        m[(i, i)] += random.between(0.5, 2.0);
        for reach in 1..=4 {
            if i + reach < size {
                let k = random.between(0.0, 3.0);
                let sign = if random.below(2) == 0 { 1.0 } else { -1.0 };
                m[(i, i)] += k;
                m[(i + reach, i + reach)] += k;
                m[(i, i + reach)] += sign * k;
                m[(i + reach, i)] += sign * k;
            }
        }
    }
    let mut h = DMatrix::<f64>::zeros(size, 3 * n);
    for c in 0..n {
        h.view_mut((3 * c, 3 * c), (3, 3)).copy_from(&frame(random));
    }
    (m.try_inverse().unwrap(), h)
}

/// Rigid bodies, six dofs each, pressed on each other and on the ground at points with lever arms.
fn rigid(random: &mut Random, n: usize) -> (DMatrix<f64>, DMatrix<f64>) {
    let bodies = 1 + n / 3;
    let mut inverse = DMatrix::<f64>::zeros(6 * bodies, 6 * bodies);
    for b in 0..bodies {
        let mass = random.between(0.5, 2.0);
        for k in 0..6 {
            inverse[(6 * b + k, 6 * b + k)] = 1.0 / (mass * if k < 3 { 1.0 } else { random.between(0.2, 0.5) });
        }
    }
    let mut h = DMatrix::<f64>::zeros(6 * bodies, 3 * n);
    for c in 0..n {
        let axes = frame(random);
        let upper = random.below(bodies);
        let lower = if upper > 0 && c % 2 == 1 { Some(random.below(upper)) } else { None };
        for (body, sign) in std::iter::once((upper, 1.0)).chain(lower.map(|b| (b, -1.0))) {
            let side = Vector3::new(random.between(-0.3, 0.3), random.between(-0.3, 0.3), 0.0);
            lever(&mut h, body, c, &axes, &(axes.column(0) * (-0.5 * sign) + side), sign);
        }
    }
    (inverse, h)
}

/// Adds ±(v + ω × r) in local axes to the contact `c`.
fn lever(h: &mut DMatrix<f64>, body: usize, c: usize, axes: &Matrix3<f64>, arm: &Vector3<f64>, sign: f64) {
    for k in 0..3 {
        let axis = axes.column(k).into_owned();
        let moment = arm.cross(&axis);
        for d in 0..3 {
            h[(6 * body + d, 3 * c + k)] = sign * axis[d];
            h[(6 * body + 3 + d, 3 * c + k)] = sign * moment[d];
        }
    }
}

/// Cubes of mass and edge one, stacked on the ground, `side`² contacts between neighbours, all with the same `motion` (velocity, then spin
/// about the axes): W has rank 6 per cube.
pub(crate) fn box_stack(boxes: usize, side: usize, mu: f64, motion: [f64; 6]) -> ContactProblem<3> {
    let mut inverse = DMatrix::<f64>::identity(6 * boxes, 6 * boxes);
    for i in 0..6 * boxes {
        if i % 6 >= 3 {
            inverse[(i, i)] = 6.0;
        }
    }
    // Normal upwards first.
    let axes = Matrix3::new(0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0);
    let each = side * side;
    let mut h = DMatrix::<f64>::zeros(6 * boxes, 3 * each * boxes);
    for b in 0..boxes {
        for k in 0..each {
            let place = |i: usize| i as f64 / (side - 1) as f64 - 0.5;
            let (x, y) = (place(k % side), place(k / side));
            let c = each * b + k;
            lever(&mut h, b, c, &axes, &Vector3::new(x, y, -0.5), 1.0);
            if b > 0 {
                lever(&mut h, b - 1, c, &axes, &Vector3::new(x, y, 0.5), -1.0);
            }
        }
    }
    from_maps(&inverse, &h, &DVector::from_fn(6 * boxes, |i, _| motion[i % 6]), mu)
}

/// Falls at 1 m/s, drifts and turns so little that a stack of twenty stays flat.
pub(crate) const FLAT: [f64; 6] = [0.02, 0.01, -1.0, 0.0, 0.0, 0.05];

/// Falls, drifts and turns so that edges lift.
pub(crate) const TILTED: [f64; 6] = [0.3, 0.1, -1.0, 0.02, -0.03, 0.2];

/// Every contact posed twice, as by two passes over matching faces: free velocities differ by rounding.
pub(crate) fn twins<const D: usize>(random: &mut Random, problem: &ContactProblem<D>) -> ContactProblem<D> {
    let n = problem.n();
    let shake = |random: &mut Random, x: &Vector<D>| {
        x.map(|e| e * (1.0 + random.between(-2e-16, 2e-16)) + random.between(-1e-16, 1e-16))
    };
    let v_free = (0..2 * n).map(|i| shake(random, &problem.v_free[i / 2])).collect();
    let mut laws: Vec<Derived<D>> = (0..2 * n).map(|i| problem.laws[i / 2]).collect();
    for law in &mut laws {
        law.v_shift[0] += random.between(-1e-16, 1e-16);
    }
    ContactProblem { operator: BlockMatrix::dense(2 * n, |i, j| problem.operator.block(i / 2, j / 2)), v_free, laws }
}

/// W + `part` · λmax(diagonal block) · I: bodies that are rigid but for a trace of softness.
pub(crate) fn softened<const D: usize>(problem: &ContactProblem<D>, part: f64) -> ContactProblem<D> {
    let n = problem.n();
    let mut soft = problem.clone();
    soft.operator = BlockMatrix::dense(n, |i, j| {
        let block = problem.operator.block(i, j);
        if i == j { block + Matrix::<D>::identity() * (part * block.trace()) } else { block }
    });
    soft
}

pub(crate) fn nothing<const D: usize>(n: usize) -> Vec<Vector<D>> {
    vec![Vector::<D>::zeros(); n]
}
