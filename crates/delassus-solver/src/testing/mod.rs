//! Random data for the tests: a small generator of its own (the same numbers everywhere) and contact problems that have solutions.

pub(crate) mod rolling;
pub(crate) mod space;

use nalgebra::{DMatrix, DVector};

use crate::linalg::{Matrix, Vector};
use crate::operator::BlockMatrix;
use crate::problem::{Cone, ContactProblem, Derived};

/// Generator "SplitMix64": state advances by a constant, output is a mix of it.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Uniform in [low, high).
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Uniform in 0..n.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    /// 10 to a uniform power.
    pub(crate) fn decades(&mut self, low: f64, high: f64) -> f64 {
        10.0_f64.powf(self.between(low, high))
    }

    pub(crate) fn vector(&mut self) -> Vector<2> {
        self.point()
    }

    /// Components uniform in [−1, 1).
    pub(crate) fn point<const D: usize>(&mut self) -> Vector<D> {
        Vector::<D>::from_fn(|_, _| self.between(-1.0, 1.0))
    }
}

/// Which bodies a random problem looks like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum BodyKind {
    /// Every contact has its own nodes on one chain-like body: W has full rank.
    Deformable,
    /// Rigid disks pressed on each other and on the ground, three dofs each: W may be singular.
    Rigid,
}

/// A problem of `n` contacts with friction 0…1, gaps ≥ 0 and free velocities that mostly approach.
pub(crate) fn random_problem(random: &mut Random, n: usize, kind: BodyKind) -> ContactProblem<2> {
    let (mass_inverse, h) = match kind {
        BodyKind::Deformable => deformable(random, n),
        BodyKind::Rigid => rigid(random, n),
    };
    let w = h.transpose() * &mass_inverse * &h;
    // Velocities come from a motion of the bodies plus gravity-like approach, so that v_free lies in the range of Hᵀ.
    let v = DVector::from_fn(h.nrows(), |i, _| random.between(-1.0, 1.0) - if i % 3 == 0 { 0.5 } else { 0.0 });
    let u = h.transpose() * v;
    let mu = random.between(0.0, 1.0);
    let laws = (0..n)
        .map(|_| {
            let mut law = Derived::standard(Cone::Coulomb(if random.below(4) == 0 { 0.0 } else { mu }));
            if random.below(3) == 0 {
                law.v_shift[0] = random.between(0.0, 1.0);
            }
            law
        })
        .collect();
    ContactProblem {
        operator: BlockMatrix::dense(n, |i, j| Matrix::<2>::from_fn(|a, b| w[(2 * i + a, 2 * j + b)])),
        v_free: (0..n).map(|i| Vector::<2>::new(u[2 * i], u[2 * i + 1])).collect(),
        laws,
    }
}

/// Inverse of a mass-plus-stiffness matrix with neighbour coupling, and H made of one rotated frame per contact node.
fn deformable(random: &mut Random, n: usize) -> (DMatrix<f64>, DMatrix<f64>) {
    let size = 2 * n + 6;
    let mut m = DMatrix::<f64>::zeros(size, size);
    for i in 0..size {
        m[(i, i)] += random.between(0.5, 2.0);
        for reach in 1..=3 {
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
    let mut h = DMatrix::<f64>::zeros(size, 2 * n);
    for c in 0..n {
        let (sin, cos) = random.between(-3.0, 3.0).sin_cos();
        h[(2 * c, 2 * c)] = cos;
        h[(2 * c + 1, 2 * c)] = sin;
        h[(2 * c, 2 * c + 1)] = -sin;
        h[(2 * c + 1, 2 * c + 1)] = cos;
    }
    (m.try_inverse().unwrap(), h)
}

/// Disks in a heap: contact 2k joins disk k to the ground side, others join random pairs.
fn rigid(random: &mut Random, n: usize) -> (DMatrix<f64>, DMatrix<f64>) {
    let bodies = 1 + n / 2;
    let mut inverse = DMatrix::<f64>::zeros(3 * bodies, 3 * bodies);
    let mut radius = Vec::new();
    for b in 0..bodies {
        let (m, r) = (random.between(0.5, 2.0), random.between(0.5, 1.5));
        inverse[(3 * b, 3 * b)] = 1.0 / m;
        inverse[(3 * b + 1, 3 * b + 1)] = 1.0 / m;
        inverse[(3 * b + 2, 3 * b + 2)] = 2.0 / (m * r * r);
        radius.push(r);
    }
    let mut h = DMatrix::<f64>::zeros(3 * bodies, 2 * n);
    for c in 0..n {
        // Normals within the upper half plane: the bodies can always leave upwards together.
        let (sin, cos) = random.between(0.2, 2.9).sin_cos();
        let upper = random.below(bodies);
        let lower = if upper > 0 && c % 2 == 1 { Some(random.below(upper)) } else { None };
        for (body, sign) in std::iter::once((upper, 1.0)).chain(lower.map(|b| (b, -1.0))) {
            h[(3 * body, 2 * c)] = sign * cos;
            h[(3 * body + 1, 2 * c)] = sign * sin;
            h[(3 * body, 2 * c + 1)] = -sign * sin;
            h[(3 * body + 1, 2 * c + 1)] = sign * cos;
            // Contact point at −r n of the upper disk, +r n of the lower: the spin moves it along −t in both.
            h[(3 * body + 2, 2 * c + 1)] = -radius[body];
        }
    }
    (inverse, h)
}

pub(crate) fn zeros(n: usize) -> Vec<Vector<2>> {
    vec![Vector::<2>::zeros(); n]
}

pub(crate) fn velocities(problem: &ContactProblem<2>, p: &[Vector<2>]) -> Vec<Vector<2>> {
    let mut u = zeros(p.len());
    problem.operator.apply_into(p, &mut u);
    u.iter().zip(&problem.v_free).map(|(u, v)| u + v).collect()
}

/// The same problem with mass, length and time measured in other units.
pub(crate) fn in_units(problem: &ContactProblem<2>, mass: f64, length: f64, time: f64) -> ContactProblem<2> {
    let velocity = length / time;
    let mut other = problem.clone();
    let n = problem.n();
    other.operator = BlockMatrix::dense(n, |i, j| problem.operator.block(i, j) / mass);
    for v in &mut other.v_free {
        *v *= velocity;
    }
    for law in &mut other.laws {
        law.v_shift *= velocity;
        law.w_shift /= mass;
        law.p_shift *= mass * velocity;
        law.spring *= mass;
    }
    other
}

/// Contacts that share `freedoms` degrees of freedom with random coefficients: normal and tangent are as strongly coupled within a
/// contact as between contacts, which no body does, and W is singular if there are fewer freedoms than 2n. Friction 0…`most`.
pub(crate) fn coupled_problem(random: &mut Random, n: usize, freedoms: usize, most: f64) -> ContactProblem<2> {
    let h = DMatrix::from_fn(freedoms, 2 * n, |_, _| random.between(-1.0, 1.0));
    let w = h.transpose() * &h;
    let u = h.transpose() * DVector::from_fn(freedoms, |_, _| random.between(-1.0, 1.0));
    let laws = (0..n)
        .map(|_| {
            let mut law = Derived::standard(Cone::Coulomb(random.between(0.0, most)));
            law.v_shift[0] = random.between(-2.0, 1.0).max(0.0);
            law
        })
        .collect();
    ContactProblem {
        operator: BlockMatrix::dense(n, |i, j| Matrix::<2>::from_fn(|a, b| w[(2 * i + a, 2 * j + b)])),
        v_free: (0..n).map(|i| Vector::<2>::new(u[2 * i], u[2 * i + 1])).collect(),
        laws,
    }
}

/// `n` equal rigid disks of mass and radius one on top of each other on the ground, falling at 1 m/s and drifting: contact 0 is that of
/// the ground.
pub(crate) fn column(n: usize, mu: f64) -> ContactProblem<2> {
    // A tangential impulse moves the centre (1) and spins a disk (m r²/I = 2); the spins of both disks add at their contact.
    let block = |i: usize, j: usize| {
        let bodies = if i == 0 { 1.0 } else { 2.0 };
        match i.abs_diff(j) {
            0 => Matrix::<2>::new(bodies, 0.0, 0.0, 3.0 * bodies),
            1 => Matrix::<2>::new(-1.0, 0.0, 0.0, 1.0),
            _ => Matrix::<2>::zeros(),
        }
    };
    let v_free = (0..n).map(|i| if i == 0 { Vector::<2>::new(-1.0, 0.5) } else { Vector::<2>::zeros() }).collect();
    ContactProblem {
        operator: BlockMatrix::dense(n, block),
        v_free,
        laws: vec![Derived::standard(Cone::Coulomb(mu)); n],
    }
}
