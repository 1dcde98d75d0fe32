//! Natural frequencies and mode shapes of a body: K φ = ω² M φ.
//!
//! A body that is not held has modes with ω = 0, so K has no inverse. The factor of M + c K has one, and w = (M + c K)⁻¹ gives
//!
//! ```text
//! w M φ = θ φ ,    θ = 1/(1 + c ω²) ∈ (0, 1] ,    ω² = (1/θ − 1)/c
//! ```
//!
//! with the lowest frequencies at the upper end. A block Krylov space X, wM X, (wM)² X, … is built with a basis Q that is orthonormal in M (each block twice against all before
//! it), and Rayleigh–Ritz on Qᵀ M w M Q gives θ and φ (Golub and Van Loan, Matrix Computations, §10.3). A block finds frequencies that are equal, such as those of a cube, which a
//! single vector would miss. The space grows until the wanted modes satisfy
//!
//! ```text
//! ‖w M φ − θ φ‖_M ≤ 10⁻⁷ min(θ, 1 − θ)          10⁻⁷ θ where ω = 0
//! ```
//!
//! The error of θ is the square of this, over the distance to the next θ.
//!
//! The factor is best where c ω₁² is between 1 and 10⁴: c is chosen again from the ω₁ found, if it is not.

use nalgebra_sparse::na::{DMatrix, SymmetricEigen};

use crate::effective_mass::Coefficients;
use crate::error::DynamicsError;
use crate::operator::Operator;
use crate::system::System;

/// Relative error of a vector at which a mode has converged, and what rounding leaves of it.
const TOLERANCE: f64 = 1e-7;
const ROUNDING: f64 = 1e-14;
/// Vectors of a block: more than the six rigid motions, so that what is equal is found together.
const BLOCK: usize = 8;
/// c ω₁² that is aimed at, and the range in which it is good enough.
const AIM: f64 = 100.0;
const GOOD: std::ops::RangeInclusive<f64> = 1.0..=1e4;
/// Times that c is chosen.
const CHOICES: usize = 4;
/// A vector that loses so much of its length against the basis is a combination of it.
const LOST: f64 = 1e-10;
/// 1 − θ = c ω²/(1 + c ω²) below this is rounding: a rigid motion.
const RIGID: f64 = 1e-9;

/// A natural mode.
#[derive(Clone, Debug)]
pub struct Mode {
    /// Angular frequency ω \[rad/s\]; 0 for a rigid motion.
    pub omega: f64,
    /// Shape, with φᵀ M φ = 1 kg and the largest entry positive.
    pub shape: Vec<f64>,
    /// ‖K φ − ω² M φ‖ over ‖K φ‖ + ω² ‖M φ‖.
    pub residual: f64,
}

/// The modes of lowest frequency, ascending: `count` of them, or as many as there are degrees of freedom. `time` is a guess of the inverse of the first frequency, such as the time a
/// wave needs through the body \[s\].
///
/// # Errors
/// Those of the factor; [`DynamicsError::NoModes`] if the iteration does not converge.
pub fn modes(system: &dyn System, count: usize, time: f64) -> Result<Vec<Mode>, DynamicsError> {
    let free = system.n_dof() - system.prescribed().len() - system.tied().len();
    let wanted = count.min(free);
    if wanted == 0 {
        return Ok(Vec::new());
    }
    let mut c = AIM * time * time;
    let mut found = Vec::new();
    for _ in 0..CHOICES {
        found = Krylov::new(system, c)?.modes(wanted, free)?;
        let first = found.iter().map(|m| m.omega).find(|omega| *omega > 0.0);
        match first {
            Some(omega) if !GOOD.contains(&(c * omega * omega)) => c = AIM / (omega * omega),
            _ => break,
        }
    }
    Ok(found)
}

/// A growing space.
struct Krylov<'a> {
    system: &'a dyn System,
    operator: Operator,
    c: f64,
    /// Basis q, and M q.
    basis: Vec<[Vec<f64>; 2]>,
    /// w M q of each.
    images: Vec<Vec<f64>>,
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl<'a> Krylov<'a> {
    fn new(system: &'a dyn System, c: f64) -> Result<Self, DynamicsError> {
        let operator = Operator::new(system, Coefficients { damping: 0.0, stiffness: c })?;
        Ok(Self { system, operator, c, basis: Vec::new(), images: Vec::new() })
    }

    fn mass_times(&self, x: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; x.len()];
        self.system.mass_times_into(x, &mut out);
        out
    }

    /// Adds a vector to the basis, unless it is a combination of it.
    fn add(&mut self, mut x: Vec<f64>) -> bool {
        let before = dot(&x, &self.mass_times(&x)).sqrt();
        for _ in 0..2 {
            for [q, mass_q] in &self.basis {
                let share = dot(&x, mass_q);
                x.iter_mut().zip(q).for_each(|(x, q)| *x -= share * q);
            }
        }
        let mass_x = self.mass_times(&x);
        let length = dot(&x, &mass_x).sqrt();
        if length.is_nan() || length <= LOST * before {
            return false;
        }
        let scaled = |v: Vec<f64>| v.into_iter().map(|v| v / length).collect::<Vec<_>>();
        let (q, mass_q) = (scaled(x), scaled(mass_x));
        let mut image = mass_q.clone();
        self.operator.apply(&mut image);
        self.basis.push([q, mass_q]);
        self.images.push(image);
        true
    }

    /// A vector that no symmetry leaves out, of the motions that the body can make: numbers of a repeatable sequence, smoothed once.
    fn start(&mut self, seed: u64) -> Vec<f64> {
        let mut state = seed.wrapping_mul(2).wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        let noise: Vec<f64> = (0..self.system.n_dof()).map(|_| next()).collect();
        let mut x = self.mass_times(&noise);
        self.operator.apply(&mut x);
        x
    }

    fn modes(mut self, wanted: usize, free: usize) -> Result<Vec<Mode>, DynamicsError> {
        let most = (10 * wanted + 20 * BLOCK).min(free);
        for seed in 0..BLOCK.min(free) as u64 {
            let x = self.start(seed);
            self.add(x);
        }
        let mut block = 0..self.basis.len();
        loop {
            let (ritz, converged) = self.ritz(wanted);
            if converged && ritz.len() >= wanted {
                return Ok(ritz.into_iter().map(|(theta, x)| self.mode(theta, &x)).collect());
            }
            if self.basis.len() >= most {
                return Err(DynamicsError::NoModes { wanted, vectors: self.basis.len() });
            }
            let from = self.basis.len();
            for k in block {
                let image = self.images[k].clone();
                self.add(image);
            }
            if self.basis.len() == from {
                // The space is invariant: what is missing lies in another one.
                let x = self.start(from as u64 + 1000);
                if !self.add(x) {
                    return Err(DynamicsError::NoModes { wanted, vectors: from });
                }
            }
            block = from..self.basis.len();
        }
    }

    /// The wanted θ, the largest first, with their vectors; have all of them converged?
    fn ritz(&self, wanted: usize) -> (Vec<(f64, Vec<f64>)>, bool) {
        let n = self.basis.len();
        let entry = |i: usize, j: usize| {
            // Symmetric but for rounding.
            0.5 * (dot(&self.basis[i][1], &self.images[j]) + dot(&self.basis[j][1], &self.images[i]))
        };
        let eigen = SymmetricEigen::new(DMatrix::from_fn(n, n, entry));
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by(|&a, &b| eigen.eigenvalues[b].total_cmp(&eigen.eigenvalues[a]));
        let mut out = Vec::new();
        let mut converged = true;
        for &k in order.iter().take(wanted) {
            let (theta, s) = (eigen.eigenvalues[k], eigen.eigenvectors.column(k));
            let sum = |vectors: &mut dyn Iterator<Item = &Vec<f64>>| {
                let mut x = vec![0.0; self.system.n_dof()];
                for (v, s) in vectors.zip(s.iter()) {
                    x.iter_mut().zip(v).for_each(|(x, v)| *x += s * v);
                }
                x
            };
            let x = sum(&mut self.basis.iter().map(|[q, _]| q));
            let mut rest = sum(&mut self.images.iter());
            rest.iter_mut().zip(&x).for_each(|(r, x)| *r -= theta * x);
            let error = dot(&rest, &self.mass_times(&rest)).sqrt();
            let scale = if 1.0 - theta > RIGID { 1.0 - theta } else { theta };
            converged &= error <= (TOLERANCE * scale.min(theta)).max(ROUNDING);
            out.push((theta, x));
        }
        (out, converged)
    }

    /// The mode of a Ritz vector x. Its shape is w M x: what x has of high frequencies by its error is a thousandth there, and forces would weigh it most.
    fn mode(&mut self, theta: f64, x: &[f64]) -> Mode {
        let mut shape = self.mass_times(x);
        self.operator.apply(&mut shape);
        let square = if 1.0 - theta > RIGID { (1.0 / theta - 1.0) / self.c } else { 0.0 };
        let mass_x = self.mass_times(&shape);
        let largest = shape.iter().fold(0.0_f64, |m, x| if x.abs() > m.abs() { *x } else { m });
        let length = dot(&shape, &mass_x).sqrt() * largest.signum();
        let mut force = vec![0.0; shape.len()];
        self.system.elastic_force_into(&shape, &mut force);
        let norm = |v: &[f64]| dot(v, v).sqrt();
        let mut rest: Vec<f64> = force.iter().zip(&mass_x).map(|(k, m)| k - square * m).collect();
        // At supports and ties the forces of these belong to the balance.
        self.system.prescribed().iter().for_each(|&dof| rest[dof] = 0.0);
        crate::ties::gather(self.system.tied(), &mut rest);
        let size = norm(&force) + square * norm(&mass_x);
        shape.iter_mut().for_each(|x| *x /= length);
        let residual = if square > 0.0 && size > 0.0 { norm(&rest) / size } else { 0.0 };
        Mode { omega: square.max(0.0).sqrt(), shape, residual }
    }
}
