//! Settings of a run: the start, the margins of accepted errors, and the policy for a step that fails.

use delassus_solver::{AlongMargin, Margin, StepTimes};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How the bodies are deformed at t = 0.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, Serialize, PartialEq, Eq)]
pub enum StartSpec {
    /// As their meshes are.
    #[default]
    Undeformed,
    /// At rest under the loads of t = 0, with boundaries and obstacles held; then the initial velocities are given.
    Equilibrium,
}

/// What happens when a contact problem is not solved to tolerance.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, Serialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub enum FailurePolicy {
    /// Stop at once: last good state and the problem are saved, exit code 4.
    Stop,
    /// Try again with half the step, at most so many times, then stop.
    CutStep {
        /// Largest number of halvings.
        halvings: u32,
    },
    /// Accept the step as it is and continue; the verdict counts the step.
    AcceptAndFlag,
}

impl Default for FailurePolicy {
    fn default() -> Self {
        Self::CutStep { halvings: 6 }
    }
}

/// Margins of the relaxed laws (thick graphs, Jean 1995 §1.5): a contact is accepted where it is within the tolerance, or where gap and
/// force are within both margins of values that satisfy its law. With margins of friction, Signorini's condition and Coulomb's law are judged apart.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, Serialize, PartialEq)]
#[serde(deny_unknown_fields, default)]
pub struct MarginSpec {
    /// Δq_N, margin of the gap \[m\]; the margin of the sliding velocity is Δq_N/τ if it is left out.
    pub gap: f64,
    /// ΔR_N, margin of the force at a contact point \[N\].
    pub force: f64,
    /// ΔU_T, margin of the sliding velocity \[m/s\].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sliding: Option<f64>,
    /// ΔR_T, margin of the friction force at a contact point \[N\].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drag: Option<f64>,
}

impl MarginSpec {
    /// As the solver wants them: the sizes of which `tolerance` is the margin.
    #[must_use]
    pub fn over(&self, tolerance: f64, step: &StepTimes) -> Margin {
        let (sliding, drag) = (self.sliding, self.drag);
        let along = sliding
            .zip(drag)
            .map(|(sliding, drag)| AlongMargin { velocity: sliding / tolerance, impulse: drag * step.h / tolerance });
        Margin { velocity: self.gap / step.gap_time / tolerance, impulse: self.force * step.h / tolerance, along }
    }
}
