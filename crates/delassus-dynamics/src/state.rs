//! The state of one body between two steps.

use serde::{Deserialize, Serialize};

/// All that a body's next step depends on, besides the contact impulses.
///
/// Quantities that can be recomputed are not part of it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct State {
    /// Time \[s\].
    pub t: f64,
    /// Configuration: displacements of a deformable body \[m\]; its length may differ from that of v ([`System::n_position`](crate::System::n_position)).
    pub q: Vec<f64>,
    /// Velocities \[m/s\].
    pub v: Vec<f64>,
    /// Internal variables of the materials; empty for a linear body.
    pub z: Vec<f64>,
    /// The integrator's own variables: accelerations \[m/s²\] for Newmark, empty for the θ family.
    pub aux: Vec<f64>,
}

impl State {
    /// A state at time `t` of a body without internal variables; the integrator fills `aux` (see
    /// [`BodyView::start`](crate::integrator::BodyView::start)).
    #[must_use]
    pub fn new(t: f64, q: Vec<f64>, v: Vec<f64>) -> Self {
        Self { t, q, v, z: Vec::new(), aux: Vec::new() }
    }

    /// Are all numbers finite?
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.t.is_finite() && [&self.q, &self.v, &self.z, &self.aux].iter().all(|x| x.iter().all(|y| y.is_finite()))
    }
}
