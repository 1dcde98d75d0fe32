//! Linear systems given as sums of squares of one or two unknowns.
//!
//! ```text
//! xᵀ A x = Σ_i d_i x_i² + Σ_links a (α x_i + β x_j)²
//! ```
//!
//! A spring between two masses is a link with (α, β) = (1, −1): its force comes from the relative displacement, as a real
//! body computes it. A two-node bar of mass m has the consistent mass m/6 (x_i² + x_j² + (x_i + x_j)²).

use std::collections::BTreeMap;

use delassus_dynamics::{Matrices, System};
use nalgebra_sparse::CscMatrix;
use nalgebra_sparse::pattern::SparsityPattern;

use super::Random;

#[derive(Clone, Copy)]
struct Link {
    dofs: [usize; 2],
    weights: [f64; 2],
    value: f64,
}

/// A positive semidefinite quadratic form.
#[derive(Clone)]
pub struct Form {
    diagonal: Vec<f64>,
    links: Vec<Link>,
}

impl Form {
    pub fn new(diagonal: Vec<f64>) -> Self {
        Self { diagonal, links: Vec::new() }
    }

    pub fn zero(n: usize) -> Self {
        Self::new(vec![0.0; n])
    }

    /// A spring (or damper) between two dofs.
    pub fn tie(&mut self, i: usize, j: usize, value: f64) {
        self.link([i, j], [1.0, -1.0], value);
    }

    pub fn link(&mut self, dofs: [usize; 2], weights: [f64; 2], value: f64) {
        self.links.push(Link { dofs, weights, value });
    }

    pub fn times_into(&self, x: &[f64], out: &mut [f64]) {
        for (i, y) in out.iter_mut().enumerate() {
            *y = self.diagonal[i] * x[i];
        }
        for l in &self.links {
            let force = l.value * (l.weights[0] * x[l.dofs[0]] + l.weights[1] * x[l.dofs[1]]);
            out[l.dofs[0]] += l.weights[0] * force;
            out[l.dofs[1]] += l.weights[1] * force;
        }
    }

    /// ½ xᵀ A x.
    pub fn half_square(&self, x: &[f64]) -> f64 {
        let alone: f64 = self.diagonal.iter().zip(x).map(|(d, x)| d * x * x).sum();
        let together: f64 = self
            .links
            .iter()
            .map(|l| l.value * (l.weights[0] * x[l.dofs[0]] + l.weights[1] * x[l.dofs[1]]).powi(2))
            .sum();
        0.5 * (alone + together)
    }

    fn is_zero(&self) -> bool {
        self.links.is_empty() && self.diagonal.iter().all(|d| d.abs() == 0.0)
    }

    fn add_to(&self, entries: &mut BTreeMap<(usize, usize), [f64; 3]>, which: usize) {
        let mut add = |i: usize, j: usize, x: f64| {
            entries.entry((i.min(j), i.max(j))).or_default()[which] += x;
        };
        for (i, &d) in self.diagonal.iter().enumerate() {
            add(i, i, d);
        }
        for l in &self.links {
            let ([i, j], [a, b]) = (l.dofs, l.weights);
            add(i, i, l.value * a * a);
            add(j, j, l.value * b * b);
            add(i, j, l.value * a * b);
        }
    }
}

type Load = Box<dyn Fn(usize, f64) -> f64 + Send + Sync>;
type Motion = Box<dyn Fn(usize, f64) -> (f64, f64) + Send + Sync>;

/// M dv + (C v + K q) dt = P(t) dt + H dp, with prescribed dofs.
pub struct Linear {
    pub mass: Form,
    pub damping: Form,
    pub stiffness: Form,
    matrices: Matrices,
    load: Load,
    fixed: Vec<usize>,
    motion: Motion,
}

impl Linear {
    pub fn new(mass: Form, damping: Form, stiffness: Form) -> Self {
        let mut entries = BTreeMap::new();
        mass.add_to(&mut entries, 0);
        damping.add_to(&mut entries, 1);
        stiffness.add_to(&mut entries, 2);
        let n = mass.diagonal.len();
        let mut offsets = vec![0; n + 1];
        for &(column, _) in entries.keys() {
            offsets[column + 1] += 1;
        }
        for j in 0..n {
            offsets[j + 1] += offsets[j];
        }
        let rows = entries.keys().map(|&(_, row)| row).collect();
        let pattern = SparsityPattern::try_from_offsets_and_indices(n, n, offsets, rows).unwrap();
        let matrix = |k: usize| {
            let values = entries.values().map(|x| x[k]).collect();
            CscMatrix::try_from_pattern_and_values(pattern.clone(), values).unwrap()
        };
        let matrices =
            Matrices { mass: matrix(0), damping: matrix(1), stiffness: matrix(2), lumped: mass.links.is_empty() };
        let (load, motion): (Load, Motion) = (Box::new(|_, _| 0.0), Box::new(|_, _| (0.0, 0.0)));
        Self { mass, damping, stiffness, matrices, load, fixed: Vec::new(), motion }
    }

    /// P_dof(t).
    pub fn loaded(mut self, load: impl Fn(usize, f64) -> f64 + Send + Sync + 'static) -> Self {
        self.load = Box::new(load);
        self
    }

    /// Velocity and acceleration of the `fixed` dofs as functions of (dof, t).
    pub fn moved(mut self, fixed: &[usize], motion: impl Fn(usize, f64) -> (f64, f64) + Send + Sync + 'static) -> Self {
        self.fixed = fixed.to_vec();
        self.motion = Box::new(motion);
        self
    }

    /// One dof with mass m, damper c and spring k to the ground.
    pub fn oscillator(m: f64, c: f64, k: f64) -> Self {
        Self::new(Form::new(vec![m]), Form::new(vec![c]), Form::new(vec![k]))
    }

    /// n masses in a row, springs k and dampers c between neighbours only; lumped, or consistent as for bars.
    pub fn chain(n: usize, m: f64, c: f64, k: f64, lumped: bool) -> Self {
        let (mut mass, mut damping, mut stiffness) = (Form::zero(n), Form::zero(n), Form::zero(n));
        if lumped {
            mass.diagonal.fill(m);
        }
        for i in 0..n - 1 {
            if !lumped {
                mass.diagonal[i] += m / 6.0;
                mass.diagonal[i + 1] += m / 6.0;
                mass.link([i, i + 1], [1.0, 1.0], m / 6.0);
            }
            damping.tie(i, i + 1, c);
            stiffness.tie(i, i + 1, k);
        }
        Self::new(mass, damping, stiffness)
    }

    /// A random graph: about three links a dof in M, C and K, each with entries of both signs.
    pub fn random(random: &mut Random, n: usize) -> Self {
        let mut form = |low: f64, high: f64| {
            let mut form = Form::new((0..n).map(|_| random.between(low, high)).collect());
            for _ in 0..if n > 1 { 3 * n } else { 0 } {
                let i = random.below(n);
                let j = (i + 1 + random.below(n - 1)) % n;
                let weights = [random.between(-1.0, 1.0), random.between(-1.0, 1.0)];
                form.link([i, j], weights, random.between(0.0, high));
            }
            form
        };
        Self::new(form(1.0, 2.0), form(0.0, 0.3), form(0.0, 3.0))
    }

    /// Everything at once: a chain with random masses, springs and dampers, springs to the ground at some dofs, a load
    /// on every dof, both ends of the given list moving.
    pub fn busy_chain(random: &mut Random, n: usize, lumped: bool, fixed: &[usize]) -> Self {
        let mut mass = Form::new((0..n).map(|_| random.between(0.5, 2.0)).collect());
        let mut damping = Form::new((0..n).map(|_| random.between(0.0, 0.2)).collect());
        let mut stiffness =
            Form::new((0..n).map(|i| if i % 3 == 0 { random.between(0.0, 2.0) } else { 0.0 }).collect());
        for i in 0..n - 1 {
            if !lumped {
                mass.link([i, i + 1], [1.0, 1.0], random.between(0.1, 0.5));
            }
            damping.tie(i, i + 1, random.between(0.0, 0.5));
            stiffness.tie(i, i + 1, random.between(1.0, 5.0));
        }
        let (phase, rate) = (random.between(0.0, 6.0), random.between(0.5, 3.0));
        Self::new(mass, damping, stiffness).loaded(move |dof, t| (phase + dof as f64 + rate * t).cos()).moved(
            fixed,
            move |dof, t| {
                let angle = rate * t + dof as f64;
                (0.7 * angle.sin(), 0.7 * rate * angle.cos())
            },
        )
    }

    /// Replaces one entry of the mass matrix's lower triangle (to break it).
    pub fn with_mass_entry(mut self, row: usize, column: usize, value: f64) -> Self {
        let at = self.matrices.pattern().entries().position(|(j, i)| (i, j) == (row, column)).unwrap();
        self.matrices.mass.values_mut()[at] = value;
        if row == column {
            self.mass.diagonal[row] = value;
        }
        self
    }
}

impl System for Linear {
    fn n_dof(&self) -> usize {
        self.mass.diagonal.len()
    }

    fn matrices(&self) -> &Matrices {
        &self.matrices
    }

    fn mass_times_into(&self, x: &[f64], out: &mut [f64]) {
        self.mass.times_into(x, out);
    }

    fn elastic_force_into(&self, q: &[f64], out: &mut [f64]) {
        self.stiffness.times_into(q, out);
    }

    fn elastic_energy(&self, q: &[f64]) -> f64 {
        self.stiffness.half_square(q)
    }

    fn viscous_force_into(&self, _q: &[f64], v: &[f64], out: &mut [f64]) {
        self.damping.times_into(v, out);
    }

    fn is_damped(&self) -> bool {
        !self.damping.is_zero()
    }

    fn loads_into(&self, t: f64, out: &mut [f64]) {
        for (dof, p) in out.iter_mut().enumerate() {
            *p = (self.load)(dof, t);
        }
    }

    fn prescribed(&self) -> &[usize] {
        &self.fixed
    }

    fn prescribed_motion(&self, t: f64) -> Vec<(f64, f64)> {
        self.fixed.iter().map(|&dof| (self.motion)(dof, t)).collect()
    }
}
