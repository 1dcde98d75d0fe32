//! Bodies that turn: forces of a step between two configurations, in a frame that turns with the body.
//!
//! The body computes the frame and the forces; the integrators use them as one force F(x, x⁺) of the step, with
//!
//! ```text
//! Σ F = 0 ,   Σ x_½ × F = 0 ,   F·Δx = ΔΨ + D − Q + N     Ψ stored, D dissipated by the materials, Q supplied to them, N ≥ 0 by the scheme
//! ```
//!
//! for every pair of configurations, so a scheme with Δx = h v_½ conserves momentum, angular momentum and, with N = 0, energy.
//!
//! M̂ is the one of the undeformed body, turned into the frame that is predicted for the middle of the step, R_m M̂ R_mᵀ: no factor is computed
//! again. It is not the derivative of F, so a step is iterated.
//!
//! A body whose parts have frames of their own turns in no such way: its M̂ is put together and factored in every pass, from the
//! [tangents of the step](Turning::step_tangent).

use super::{BodyResponse, Motion};
use crate::block_rotation::BlockRotation;
use crate::state::State;

/// A body that turns, at the start of a step.
#[derive(Clone, Debug, Default)]
pub struct TurningStart {
    /// R_m: the frame in the middle of the step, as predicted.
    pub middle: Option<BlockRotation>,
    /// R at the start, row by row.
    pub rotation: Vec<f64>,
    /// Displacement of the mass centre at the start \[m\].
    pub centre: Vec<f64>,
    /// Q, row by row: from the frame at the start to the predicted one in the middle, R_m = R Q.
    pub half: Vec<f64>,
    /// ω of the frame, in its own axes; in the plane the third component \[rad/s\].
    pub spin: [f64; 3],
    /// Angle by which the frame turns in the step, as predicted \[rad\].
    pub angle: f64,
    /// Displacements in the frame, and internal variables.
    pub local: State,
    /// The response of internal variables in that state; none for an elastic body.
    pub response: Option<BodyResponse>,
}

/// What a step did inside a body that turns.
#[derive(Clone, Debug, Default)]
pub struct TurnedStep {
    /// z⁺.
    pub z: Vec<f64>,
    /// Energy stored at the end \[J\].
    pub stored: f64,
    /// Energy dissipated by the materials, but for plastic work \[J\].
    pub dissipated: f64,
    /// Plastic work \[J\].
    pub plastic: f64,
    /// Energy that materials got by another way than their stress \[J\].
    pub supplied: f64,
    /// Energy dissipated by the scheme, (θ−½)|Δũ|²_K \[J\].
    pub numerical: f64,
    /// |Δv|²_M of a rigid body with the spin of this one, by the turn of the frame over the step \[J\].
    pub spin: f64,
}

/// Where the tangents of a step are taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TangentAt {
    /// With the stresses of the start, in the frames predicted for the middle: for the first pass of a step.
    Start {
        /// θ.
        theta: f64,
    },
    /// In the middle of the motion, for forces at the level θ.
    Middle {
        /// θ.
        theta: f64,
    },
    /// At the end of the motion, for a scheme that uses the forces there.
    End,
}

/// Does a tangent count the turning of stresses with their frames? That part may make it indefinite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stresses {
    /// It does.
    Counted,
    /// It does not.
    LeftOut,
}

/// The tangents of a body whose parts turn against each other: lower triangles in the pattern of K.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepTangent {
    /// Symmetric part of ∂F/∂x⁺ over θ \[N/m\].
    pub stiffness: Vec<f64>,
    /// C as the frames are turned, α M included; none where M has all of it \[N·s/m\].
    pub damping: Option<Vec<f64>>,
}

/// The interface of a body that turns.
pub trait Turning: Send + Sync {
    /// Places of the nodes in the undeformed body about its mass centre \[m\].
    fn places(&self) -> Vec<f64>;
    /// The frame at the start of a step of length `h`, and the one predicted for its middle.
    fn begin(&self, from: &State, h: f64) -> TurningStart;
    /// F, linear in the motion: the frame turns as predicted. The first pass of a step uses it.
    fn predicted_force(&self, start: &TurningStart, motion: &Motion<'_>, theta: f64) -> Vec<f64>;
    /// Brings a correction δ = w r of velocities closer to what the tangent of F would give; `cause` is r. It may change how fast a step is iterated, not its result.
    fn turn_on(&self, start: &TurningStart, cause: &[f64], correction: &mut [f64]);
    /// F(x, x⁺) of the step; forces are those of displacements in the frame at the level θ.
    fn step_force(&self, start: &TurningStart, motion: &Motion<'_>, theta: f64) -> Vec<f64>;
    /// The tangents of a step of a body that has frames for its parts; none for one whose M̂ turns as a whole.
    fn step_tangent(&self, _motion: &Motion<'_>, _at: TangentAt, _stresses: Stresses) -> Option<StepTangent> {
        None
    }
    /// The energies of the step.
    fn step(&self, start: &TurningStart, motion: &Motion<'_>, theta: f64) -> TurnedStep;
}
