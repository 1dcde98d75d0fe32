//! The dimension-free face of a body.
//!
//! ```text
//! M dv + (C v + K q) dt = P(t) dt + H dp
//! ```
//!
//! Forces are asked for as functions, not as products with the assembled matrices: a body computes them from relative
//! displacements, so that a rigid translation of kilometres leaves no round-off in the stresses.
//!
//! A body whose forces remember, or whose geometry moves along, is [`Inelastic`] besides: then f(q, z) stands for K q,
//!
//! ```text
//! M dv + (C v + f) dt = P(t) dt + H dp ,      f⁺ = f(q⁺, z⁺) ,  z⁺ = z⁺(z, q, Δq, h)
//! f_θ = (1−θ) f + θ f⁺                        which is K (q + θ Δq) for a linear body
//! ```

use std::borrow::Cow;

use nalgebra_sparse::pattern::SparsityPattern;

use crate::State;

/// The matrices of a linear body, lower triangles in one common sparsity pattern (compressed columns, sorted rows,
/// every diagonal entry present).
#[derive(Clone, Debug)]
pub struct Matrices {
    /// Lower triangle: major = column, minor = row.
    pub pattern: SparsityPattern,
    /// M \[kg\].
    pub mass: Vec<f64>,
    /// C \[N·s/m\].
    pub damping: Vec<f64>,
    /// K \[N/m\].
    pub stiffness: Vec<f64>,
    /// Is M diagonal (lumped)?
    pub lumped: bool,
}

/// A body: what the integrators need to know of it.
pub trait System: Send + Sync {
    /// Number of degrees of freedom.
    fn n_dof(&self) -> usize;
    /// M, C and K.
    fn matrices(&self) -> &Matrices;
    /// `out` ← M x.
    fn mass_times_into(&self, x: &[f64], out: &mut [f64]);
    /// `out` ← K q, from relative displacements.
    fn elastic_force_into(&self, q: &[f64], out: &mut [f64]);
    /// ½ qᵀ K q \[J\], from relative displacements.
    fn elastic_energy(&self, q: &[f64]) -> f64;
    /// `out` ← C v.
    fn viscous_force_into(&self, v: &[f64], out: &mut [f64]);
    /// Is C ≠ 0?
    fn is_damped(&self) -> bool;
    /// `out` ← P(t), the loads \[N\].
    fn loads_into(&self, t: f64, out: &mut [f64]);
    /// The degrees of freedom with prescribed velocity, ascending.
    fn prescribed(&self) -> &[usize];
    /// Velocity and acceleration of the prescribed degrees of freedom at `t`, in the order of
    /// [`prescribed`](System::prescribed).
    fn prescribed_motion(&self, t: f64) -> Vec<(f64, f64)>;
    /// How many consecutive degrees of freedom belong to one node.
    fn block_size(&self) -> usize {
        1
    }
    /// The body's memory or moving geometry; none for a linear body.
    fn inelastic(&self) -> Option<&dyn Inelastic> {
        None
    }
}

/// What a body goes through within a step.
#[derive(Clone, Copy, Debug)]
pub struct Motion<'a> {
    /// Where it starts.
    pub from: &'a State,
    /// Δq = q⁺ − q \[m\].
    pub dq: &'a [f64],
    /// Time it takes \[s\].
    pub h: f64,
}

/// Energies of a motion \[J\].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MotionEnergy {
    /// Stored at the end.
    pub stored: f64,
    /// Dissipated by the materials on the way, ≥ 0.
    pub dissipated: f64,
}

/// The side of a body with internal variables or finite displacements.
pub trait Inelastic: Send + Sync {
    /// Internal variables at the start.
    fn initial(&self) -> Vec<f64>;
    /// `out` ← f(q⁺, z⁺) after a motion; one without displacement and time gives f(q, z). Not finite for a motion that the
    /// body cannot make (a cell turned over).
    fn force_into(&self, motion: &Motion<'_>, out: &mut [f64]);
    /// z⁺ after a motion.
    fn advance(&self, motion: &Motion<'_>) -> Vec<f64>;
    /// Energies of a motion.
    fn energy(&self, motion: &Motion<'_>) -> MotionEnergy;
    /// ∂f⁺/∂q⁺ or a symmetric approximation of it: lower triangle in the pattern of [`System::matrices`] \[N/m\].
    fn tangent(&self, motion: &Motion<'_>) -> Vec<f64>;
    /// Does the tangent depend on more than the length of the step? If not, f⁺ is linear in Δq.
    fn tangent_varies(&self) -> bool;
}

impl dyn System + '_ {
    /// `out` ← f_θ of a motion.
    pub fn mean_force_into(&self, motion: &Motion<'_>, theta: f64, out: &mut [f64]) {
        let Some(inelastic) = self.inelastic() else {
            let q: Vec<f64> = motion.from.q.iter().zip(motion.dq).map(|(q, d)| q + theta * d).collect();
            return self.elastic_force_into(&q, out);
        };
        if theta <= 0.0 {
            return self.force_at_into(motion.from, out);
        }
        inelastic.force_into(motion, out);
        if theta < 1.0 {
            let mut before = vec![0.0; out.len()];
            self.force_at_into(motion.from, &mut before);
            out.iter_mut().zip(&before).for_each(|(f, b)| *f = theta * *f + (1.0 - theta) * b);
        }
    }

    /// `out` ← f(q, z) of a state.
    pub fn force_at_into(&self, state: &State, out: &mut [f64]) {
        match self.inelastic() {
            None => self.elastic_force_into(&state.q, out),
            Some(inelastic) => inelastic.force_into(&still(state, &vec![0.0; state.q.len()]), out),
        }
    }

    /// Energy stored in a state \[J\].
    #[must_use]
    pub fn stored_energy(&self, state: &State) -> f64 {
        match self.inelastic() {
            None => self.elastic_energy(&state.q),
            Some(inelastic) => inelastic.energy(&still(state, &vec![0.0; state.q.len()])).stored,
        }
    }

    /// ∂f⁺/∂q⁺: lower triangle \[N/m\].
    #[must_use]
    pub fn tangent(&self, motion: &Motion<'_>) -> Cow<'_, [f64]> {
        match self.inelastic() {
            None => Cow::Borrowed(&self.matrices().stiffness),
            Some(inelastic) => Cow::Owned(inelastic.tangent(motion)),
        }
    }

    /// z⁺ after a motion; empty for a body without memory.
    #[must_use]
    pub fn advance(&self, motion: &Motion<'_>) -> Vec<f64> {
        self.inelastic().map(|body| body.advance(motion)).unwrap_or_default()
    }
}

/// The motion that leaves a state as it is.
fn still<'a>(state: &'a State, zeros: &'a [f64]) -> Motion<'a> {
    Motion { from: state, dq: zeros, h: 0.0 }
}

/// y ← A x for a symmetric matrix given by its lower triangle.
pub fn symmetric_times_into(pattern: &SparsityPattern, values: &[f64], x: &[f64], y: &mut [f64]) {
    y.fill(0.0);
    let (offsets, rows) = (pattern.major_offsets(), pattern.minor_indices());
    for j in 0..pattern.major_dim() {
        let mut sum = 0.0;
        for k in offsets[j]..offsets[j + 1] {
            let (i, a) = (rows[k], values[k]);
            if i == j {
                sum += a * x[j];
            } else {
                y[i] += a * x[j];
                sum += a * x[i];
            }
        }
        y[j] += sum;
    }
}
