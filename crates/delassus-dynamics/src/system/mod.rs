//! The interface of a body, without a dimension of space.
//!
//! ```text
//! M dv + (C v + K q) dt = P(t) dt + H dp
//! ```
//!
//! Forces are functions of the body, not products with the assembled matrices: a body computes them from relative
//! displacements, so a rigid translation of kilometres causes no round-off in the stresses.
//!
//! Velocities are a flat vector v of the degrees of freedom. A configuration q need not be one: q ⊕ Δ ([`System::moved`]) is where a motion Δ
//! leads, q⁺ ⊖ q ([`System::motion_between`]) the motion between two configurations. Displacements of nodes have ⊕ = +.
//!
//! A body with internal variables or moving geometry is also [`Inelastic`]: f(q, z) then replaces K q,
//!
//! ```text
//! M dv + (C v + f) dt = P(t) dt + H dp ,      f⁺ = f(q⁺, z⁺) ,  z⁺ = z⁺(z, q, Δq, h)
//! f_θ = (1−θ) f + θ f⁺                        which is K (q + θ Δq) for a linear body
//! ```

mod conserving;
mod drifting;
mod floating;
mod turning;

use std::borrow::Cow;
use std::sync::Arc;

use nalgebra_sparse::CscMatrix;
use nalgebra_sparse::pattern::SparsityPattern;

use crate::guides::Guides;
use crate::state::State;

pub use conserving::{Conserving, ConservingStep};
pub use drifting::{Drifted, Drifting};
pub use floating::{Floating, RigidMode};
pub use turning::{StepTangent, Stresses, TangentAt, TurnedStep, Turning, TurningStart};

/// The matrices of a linear body, lower triangles.
///
/// K has every diagonal entry. M and C have no entry where K has none, and need not have all of its entries: a lumped M is
/// stored as a diagonal, a C without damping has no entry. Each matrix owns its pattern, which takes as much memory as its
/// values; so omitted entries compensate for the separate patterns.
#[derive(Clone, Debug)]
pub struct Matrices {
    /// M \[kg\].
    pub mass: CscMatrix<f64>,
    /// C \[N·s/m\].
    pub damping: CscMatrix<f64>,
    /// K \[N/m\].
    pub stiffness: CscMatrix<f64>,
    /// Is M diagonal (lumped)?
    pub lumped: bool,
}

impl Matrices {
    /// The pattern of K, which holds those of M, C and of every tangent: columns are major, rows ascend.
    #[must_use]
    pub fn pattern(&self) -> &SparsityPattern {
        self.stiffness.pattern()
    }

    /// Memory they take \[B\].
    #[must_use]
    pub fn bytes(&self) -> usize {
        let bytes = |matrix: &CscMatrix<f64>| size_of::<f64>() * matrix.nnz() + bytes_of_pattern(matrix.pattern());
        bytes(&self.mass) + bytes(&self.damping) + bytes(&self.stiffness)
    }
}

/// Memory of a pattern \[B\].
pub(crate) fn bytes_of_pattern(pattern: &SparsityPattern) -> usize {
    size_of::<usize>() * (pattern.major_offsets().len() + pattern.nnz())
}

/// A body, as the integrators use it.
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
    /// The same of two q, with the same bits: a body that reads its matrices once for both takes less time.
    fn elastic_energies(&self, q: [&[f64]; 2]) -> [f64; 2] {
        q.map(|q| self.elastic_energy(q))
    }
    /// `out` ← C v, with the C of a configuration `q`: it turns with a body that [turns](Self::turning).
    fn viscous_force_into(&self, q: &[f64], v: &[f64], out: &mut [f64]);
    /// Is C ≠ 0?
    fn is_damped(&self) -> bool;
    /// `out` ← P(t), the loads \[N\].
    fn loads_into(&self, t: f64, out: &mut [f64]);
    /// `out` += the loads that follow the body in a configuration `q` \[N\].
    fn add_following_loads(&self, _t: f64, _q: &[f64], _out: &mut [f64]) {}
    /// Are there such loads?
    fn has_following_loads(&self) -> bool {
        false
    }
    /// The degrees of freedom with prescribed velocity, ascending.
    fn prescribed(&self) -> &[usize];
    /// Velocity and acceleration of the prescribed degrees of freedom at `t`, in the order of
    /// [`prescribed`](System::prescribed).
    fn prescribed_motion(&self, t: f64) -> Vec<(f64, f64)>;
    /// The way that prescribed degrees of freedom go between two times, in their order \[m\].
    fn prescribed_way(&self, from: f64, to: f64) -> Vec<f64> {
        self.prescribed_motion(to).into_iter().map(|(v, _)| (to - from) * v).collect()
    }
    /// Rigid motions that supports, ties and drag leave free; none where they hold the body.
    fn floating(&self) -> Option<&Floating> {
        None
    }
    /// The smallest ω² > 0 of K φ = ω² M φ of a [floating](Self::floating) body, with the values `stiffness` of K: an estimate \[1/s²\].
    fn softest(&self, _stiffness: &[f64]) -> f64 {
        f64::NAN
    }
    /// (slave, master): degrees of freedom that have the motion of others, by slave; no master is a slave, none is
    /// [`prescribed`](System::prescribed).
    fn tied(&self) -> &[(usize, usize)] {
        &[]
    }
    /// Rows that stand beside the factor of M̂ for the supports of single components of nodes, of a body that turns; none where all supports are eliminated.
    fn guides(&self) -> Option<&Arc<Guides>> {
        None
    }
    /// Length of the configuration q. It may differ from [`n_dof`](System::n_dof): a rotation in space has four numbers as a unit
    /// quaternion and three as an angular velocity.
    fn n_position(&self) -> usize {
        self.n_dof()
    }
    /// q ⊕ Δ: the configuration that a motion Δ, of the length of v, leads to from `q`. A body for which this is not q + Δ has K = 0, or is
    /// [`Inelastic`]: a quadratic elastic energy needs displacements.
    fn moved(&self, q: &[f64], motion: &[f64]) -> Vec<f64> {
        q.iter().zip(motion).map(|(q, d)| q + d).collect()
    }
    /// q⁺ ⊖ q: the motion, of the length of v, that leads from `q` to `q_plus`.
    fn motion_between(&self, q: &[f64], q_plus: &[f64]) -> Vec<f64> {
        q.iter().zip(q_plus).map(|(q, q_plus)| q_plus - q).collect()
    }
    /// How many consecutive degrees of freedom belong to one node.
    fn block_size(&self) -> usize {
        1
    }
    /// The body's internal variables or moving geometry; none for a linear body.
    fn inelastic(&self) -> Option<&dyn Inelastic> {
        None
    }
    /// The frame in which the body turns; none for a body without. A body that turns is [`Inelastic`] too.
    fn turning(&self) -> Option<&dyn Turning> {
        None
    }
    /// The force of a step that conserves momentum, angular momentum and energy; none for a body without.
    fn conserving(&self) -> Option<&dyn Conserving> {
        None
    }
    /// How the body moves without forces, if its velocities change then; none for a body that keeps them.
    fn drifting(&self) -> Option<&dyn Drifting> {
        None
    }
}

/// The motion of a body within a step.
#[derive(Clone, Copy, Debug)]
pub struct Motion<'a> {
    /// Where it starts.
    pub from: &'a State,
    /// Δq = q⁺ − q \[m\].
    pub dq: &'a [f64],
    /// Time it takes \[s\].
    pub h: f64,
}

/// How a body with internal variables or moving geometry responds to a motion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BodyResponse {
    /// f⁺ = f(q⁺, z⁺) \[N\]; not finite for a motion that the body cannot make (a cell turned over).
    pub force: Vec<f64>,
    /// z⁺.
    pub z: Vec<f64>,
    /// Energy stored at the end \[J\].
    pub stored: f64,
    /// Energy dissipated by the materials on the way, but for plastic work, ≥ 0 \[J\].
    pub dissipated: f64,
    /// Plastic work on the way, ≥ 0 \[J\].
    pub plastic: f64,
    /// Energy that materials got on the way by another way than their stress (heat that expands them), of either sign \[J\].
    pub supplied: f64,
    /// Work of the stresses on the way that the materials integrate, from stresses and strains alone \[J\]. It is Δstored + dissipated + plastic − `supplied` −
    /// `dilated` to rounding, unless one of them is wrong.
    pub path_work: f64,
    /// Energy that volumes gained which grew with what they stored, without any work on it; 0 where the geometry does not move \[J\].
    pub dilated: f64,
}

/// The interface of a body with internal variables or finite displacements.
pub trait Inelastic: Send + Sync {
    /// Internal variables at the start.
    fn initial(&self) -> Vec<f64>;
    /// The response to a motion. A motion without displacement and time gives the response of the present
    /// state.
    fn respond(&self, motion: &Motion<'_>) -> BodyResponse;
    /// ∂f⁺/∂q⁺ or a symmetric approximation of it: lower triangle in the pattern of K, [`Matrices::pattern`] \[N/m\].
    fn tangent(&self, motion: &Motion<'_>) -> Vec<f64>;
    /// Does the tangent depend on more than the length of the step? If not, and unless the body [turns](System::turning), f⁺ is linear in Δq.
    fn tangent_varies(&self) -> bool;
    /// The tangent without what the present stresses do, for a body that can tell it: positive definite where that one may not be.
    fn tangent_without_stresses(&self, _motion: &Motion<'_>) -> Option<Vec<f64>> {
        None
    }
    /// Is the body's response known from its configuration alone, without internal variables or moving geometry?
    fn is_elastic(&self) -> bool {
        false
    }
}

impl dyn System + '_ {
    /// The response of an inelastic body to a motion.
    #[must_use]
    pub fn respond(&self, motion: &Motion<'_>) -> Option<BodyResponse> {
        self.inelastic().map(|body| body.respond(motion))
    }

    /// The response of an inelastic body in a state.
    #[must_use]
    pub fn response_at(&self, state: &State) -> Option<BodyResponse> {
        self.inelastic().map(|body| body.respond(&still(state, &vec![0.0; state.v.len()])))
    }

    /// `out` ← all loads in a configuration `q` \[N\].
    pub fn loads_at_into(&self, t: f64, q: &[f64], out: &mut [f64]) {
        self.loads_into(t, out);
        self.add_following_loads(t, q, out);
    }

    /// Energy stored in a state \[J\].
    #[must_use]
    pub fn stored_energy(&self, state: &State) -> f64 {
        self.response_at(state).map_or_else(|| self.elastic_energy(&state.q), |response| response.stored)
    }

    /// ∂f⁺/∂q⁺: lower triangle \[N/m\].
    #[must_use]
    pub fn tangent(&self, motion: &Motion<'_>) -> Cow<'_, [f64]> {
        match self.inelastic() {
            None => Cow::Borrowed(self.matrices().stiffness.values()),
            Some(inelastic) => Cow::Owned(inelastic.tangent(motion)),
        }
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
