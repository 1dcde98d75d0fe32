//! How far a body has moved.

use crate::model::Model;
use crate::snapshot::Snapshot;

/// A displacement and the body that has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Displaced {
    /// Name of the body.
    pub body: String,
    /// Largest displacement of one of its nodes along an axis \[m\].
    pub by: f64,
}

impl Displaced {
    /// The largest from one state to another; from the geometry as given if there is no other.
    pub(crate) fn farthest<const D: usize>(model: &Model<D>, from: Option<&Snapshot>, to: &Snapshot) -> Self {
        let mut out = Self { body: String::new(), by: 0.0 };
        for (i, (b, state)) in model.bodies.iter().zip(&to.states).enumerate() {
            let before = from.map(|s| b.body.displacements(&s.states[i].q));
            let before = |k: usize| before.as_ref().map_or(0.0, |u| u[k]);
            let now = b.body.displacements(&state.q);
            let by = now.iter().enumerate().fold(0.0, |m: f64, (k, u)| m.max((u - before(k)).abs()));
            if by > out.by || out.body.is_empty() {
                out = Self { body: b.name.clone(), by };
            }
        }
        out
    }
}
