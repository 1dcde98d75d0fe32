//! The working parts of a run: detector trees and factored operators. Nothing here is state: everything can be made
//! again from the model, and no result depends on what was computed before.

use std::collections::BTreeMap;

use delassus_contact::{Detection, Detector, NarrowPhase, NodeToFacet};
use delassus_dynamics::Operator;

use crate::error::SimError;
use crate::model::Model;
use crate::outcome::Snapshot;

/// Step sizes whose factors are kept: the nominal one and a few halvings of it.
const KEPT_STEP_SIZES: usize = 3;

/// Detector and operators of a model.
pub struct Engine<'a, const D: usize> {
    /// The model.
    pub model: &'a Model<D>,
    detector: Detector<D>,
    /// By the bits of h.
    operators: BTreeMap<u64, Vec<Operator>>,
    analyses: Vec<std::sync::Arc<delassus_dynamics::factor::Analysis>>,
}

impl<'a, const D: usize> Engine<'a, D>
where
    NodeToFacet: NarrowPhase<D>,
{
    /// Builds the trees; operators are factored when a step size is first used.
    pub fn new(model: &'a Model<D>) -> Result<Self, SimError> {
        let positions = model.positions(None);
        let views: Vec<&[f64]> = positions.iter().map(Vec::as_slice).collect();
        let detector = Detector::new(model.contact_pairs(), &views)?;
        Ok(Self { model, detector, operators: BTreeMap::new(), analyses: Vec::new() })
    }

    /// Contacts in the configuration `q_c` of a step from `t` with length `h`.
    pub fn detect(&mut self, q_c: &[Vec<f64>], t: f64, h: f64) -> Result<Detection<D>, SimError> {
        let integrator = &self.model.integrator;
        self.detect_between(q_c, t + integrator.contact_delay(h), integrator.gap_time(h))
    }

    /// Contacts of the bodies displaced by `q`, with the obstacles where they are at `time`; they will move for `gap_time`.
    pub fn detect_between(&mut self, q: &[Vec<f64>], time: f64, gap_time: f64) -> Result<Detection<D>, SimError> {
        let positions = self.model.positions(Some(q));
        let views: Vec<&[f64]> = positions.iter().map(Vec::as_slice).collect();
        let motions = self.model.obstacle_motions(time, gap_time)?;
        Ok(self.detector.detect(&views, &motions)?)
    }

    /// Factors for the nominal step from the undeformed state: a body that cannot be factored is bad input.
    pub fn prepare(&mut self) -> Result<(), SimError> {
        let start = self.model.start();
        let v: Vec<Vec<f64>> = start.states.iter().map(|s| s.v.clone()).collect();
        self.operators(&start, &v, self.model.h).map(drop)
    }

    /// The factored operators of all bodies for a step from a snapshot, linearised at the velocities `v`: kept by step size
    /// where nothing else matters.
    pub fn operators(&mut self, from: &Snapshot, v: &[Vec<f64>], h: f64) -> Result<&mut Vec<Operator>, SimError> {
        let key = h.to_bits();
        let lasts = !self.model.iterates() && !self.model.integrator.is_explicit();
        if !lasts || !self.operators.contains_key(&key) {
            if self.analyses.is_empty() {
                self.analyses = self.model.analyse()?;
            }
            let made = self.model.factor((from, v), h, &self.analyses)?;
            while self.operators.len() >= KEPT_STEP_SIZES || (!lasts && !self.operators.is_empty()) {
                self.operators.pop_first();
            }
            self.operators.insert(key, made);
        }
        self.operators.get_mut(&key).ok_or_else(|| SimError::Internal("operators vanished".into()))
    }
}
