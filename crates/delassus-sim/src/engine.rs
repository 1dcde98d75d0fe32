//! Caches of a run: detector trees and factored operators. They are not part of the state: all of them can be
//! rebuilt from the model, and no result depends on them.

use std::collections::BTreeMap;
use std::sync::Arc;

use delassus_contact::{Contact, Detection, Detector};
use delassus_dynamics::factor::Analysis;
use delassus_dynamics::integrator::FramePass;
use delassus_error::{InternalError, Interrupt};
use delassus_shapes::BroadPhase;

use crate::contact_history::{ContactHistories, first};
use crate::error::SimError;
use crate::joints::fit_velocities;
use crate::model::Model;
use crate::moments::moments;
use crate::operators::{Linearisation, Operators, analyse};
use crate::passed::thicknesses;
use crate::shape_contacts::Scene;
use crate::snapshot::Snapshot;
use crate::space::{Dimension, Space};
use crate::surfaces::SurfaceWatch;

/// Step sizes whose factors are kept: the nominal one and a few halvings of it.
const KEPT_STEP_SIZES: usize = 3;

/// Detector and operators of a model.
pub struct Engine<const D: usize> {
    /// The model.
    pub model: Arc<Model<D>>,
    detector: Detector<D>,
    /// Trees of the shapes of each pair, refitted from step to step; what they find does not depend on what they were made for.
    near: Vec<BroadPhase<D>>,
    /// By the bits of h.
    operators: BTreeMap<u64, Operators>,
    /// By class of bodies; computed at the first use.
    analyses: Vec<Arc<Analysis>>,
    /// Counted over the step sizes that were discarded.
    n_given_up: usize,
    interrupt: Interrupt,
    /// The surfaces of all bodies; built at the first use.
    surfaces: Option<SurfaceWatch<D>>,
    /// Of rigid bodies \[m\].
    thicknesses: Vec<Option<f64>>,
}

impl<const D: usize> Engine<D>
where
    Dimension<D>: Space<D>,
{
    /// Builds the trees; operators are factored when a step size is first used.
    pub fn new(model: &Arc<Model<D>>) -> Result<Self, SimError> {
        let positions = model.positions(None);
        let views: Vec<&[f64]> = positions.iter().map(Vec::as_slice).collect();
        let detector = Detector::new(model.contact_pairings(), &views)?;
        let (operators, analyses) = (BTreeMap::new(), Vec::new());
        let near = vec![BroadPhase::new(); model.pairs.len()];
        let thicknesses = thicknesses(model);
        let (model, interrupt) = (Arc::clone(model), Interrupt::never());
        Ok(Self { model, detector, near, operators, analyses, n_given_up: 0, surfaces: None, interrupt, thicknesses })
    }

    /// The same engine with an interrupt: after it is raised, every call ends with [`SimError::Interrupted`].
    #[must_use]
    pub fn heeding(mut self, interrupt: &Interrupt) -> Self {
        self.heed(interrupt);
        self
    }

    /// From now on it ends what it does when this one is raised.
    pub fn heed(&mut self, interrupt: &Interrupt) {
        self.interrupt = interrupt.clone();
        // Operators know whom to ask.
        self.forget_operators();
    }

    /// The interrupt.
    #[must_use]
    pub fn interrupt(&self) -> &Interrupt {
        &self.interrupt
    }

    /// Thicknesses of the rigid bodies \[m\].
    pub(crate) fn thicknesses(&self) -> &[Option<f64>] {
        &self.thicknesses
    }

    /// Contacts in the configuration `q_c` of a step from `from` with length `h`, sorted by key; then the moments of those that have one.
    pub fn detect(&mut self, q_c: &[Vec<f64>], from: &Snapshot, h: f64) -> Result<Detection<D>, SimError> {
        let integrator = &self.model.integrator;
        let (time, gap_time) = (from.time() + integrator.contact_delay(h), integrator.gap_time(h));
        let mut found = self.detect_between(q_c, time, gap_time)?;
        if self.model.pairs.iter().any(|p| p.shapes.is_some()) {
            let way = 2.0 * h * self.model.largest_speed(from, h);
            found.contacts.extend(self.shape_contacts(q_c, way, &from.histories)?);
            found.contacts.sort_by_key(|c| c.key);
        }
        let moments = moments(&self.model, &found.contacts, time, gap_time);
        found.contacts.extend(moments);
        Ok(found)
    }

    /// Contacts of whole shapes within the way that anything may go, with the keys of what is remembered.
    pub(crate) fn shape_contacts(
        &mut self,
        q: &[Vec<f64>],
        way: f64,
        histories: &ContactHistories,
    ) -> Result<Vec<Contact<D>>, SimError> {
        let positions = self.model.positions(Some(q));
        let views: Vec<&[f64]> = positions.iter().map(Vec::as_slice).collect();
        Scene { model: &self.model, q, positions: &views, way, histories }.contacts(&mut self.near)
    }

    /// Contacts of points with surfaces of the bodies displaced by `q`, with the obstacles where they are at `time`; they will move for `gap_time`.
    pub fn detect_between(&mut self, q: &[Vec<f64>], time: f64, gap_time: f64) -> Result<Detection<D>, SimError> {
        let positions = self.model.positions(Some(q));
        let views: Vec<&[f64]> = positions.iter().map(Vec::as_slice).collect();
        let motions = self.model.obstacle_motions(time, gap_time)?;
        Ok(self.detector.detect(&views, &motions)?)
    }

    /// The state at t = 0, with the initial histories of contacts that touch in the given geometry, for instance
    /// intact bonds.
    pub fn start(&mut self) -> Result<Snapshot, SimError> {
        let mut start = self.model.start();
        fit_velocities(&self.model, &mut start)?;
        if self.model.pairs.iter().any(|p| !p.law.history_entries().is_empty()) {
            let mut contacts = self.detect_between(&self.model.reference(), 0.0, self.model.h)?.contacts;
            let reference = self.model.reference();
            contacts.extend(self.shape_contacts(&reference, 0.0, &[])?);
            contacts.sort_by_key(|c| c.key);
            let touching = self.model.rounding();
            let remembered = contacts.iter().filter(|c| !self.model.law_of(c).history_entries().is_empty());
            start.histories = remembered.map(|c| (c.key, first(self.model.law_of(c), c.gap <= touching))).collect();
        }
        Ok(start)
    }

    /// The surfaces of all bodies, for the detection of penetrations between all bodies, with or without a
    /// contact.
    pub fn surfaces(&mut self) -> Result<&mut SurfaceWatch<D>, SimError> {
        if self.surfaces.is_none() {
            self.surfaces = Some(SurfaceWatch::new(&self.model)?);
        }
        self.surfaces.as_mut().ok_or_else(|| InternalError("surfaces vanished".into()).into())
    }

    /// The symbolic part of the factors, by class of bodies.
    pub fn analyses(&mut self) -> Result<&[Arc<Analysis>], SimError> {
        if self.analyses.is_empty() {
            self.analyses = analyse(&self.model, &self.interrupt)?;
        }
        Ok(&self.analyses)
    }

    /// Discards the operators of all step sizes.
    pub fn forget_operators(&mut self) {
        self.n_given_up = self.n_given_up();
        self.operators.clear();
    }

    /// How often condensed columns were discarded to free memory for others.
    #[must_use]
    pub fn n_given_up(&self) -> usize {
        self.n_given_up + self.operators.values().map(Operators::n_given_up).sum::<usize>()
    }

    /// Discards step sizes until there is memory for another one with all its condensed operators.
    fn make_room(&mut self) {
        let one = self.operators.first_key_value().map_or(0, |(_, made)| made.bytes_of_all());
        let held = |all: &BTreeMap<u64, Operators>| all.values().map(Operators::bytes).sum::<usize>();
        while self.operators.len() >= KEPT_STEP_SIZES
            || (!self.operators.is_empty() && held(&self.operators).saturating_add(one) > self.model.memory)
        {
            self.n_given_up += self.operators.pop_first().map_or(0, |(_, made)| made.n_given_up());
        }
    }

    /// Factors for the nominal step from the undeformed state: a body that cannot be factored is bad input.
    pub fn prepare(&mut self) -> Result<&mut Operators, SimError> {
        let (model, start) = (Arc::clone(&self.model), self.model.start());
        let v: Vec<Vec<f64>> = start.states.iter().map(|s| s.v.clone()).collect();
        self.operators(Linearisation { starts: &model.begin(&start, model.h), v: &v, pass: FramePass::First }, model.h)
    }

    /// The factored operators of all bodies for a step of length `h`, linearised at the velocities of its end. Operators that
    /// depend on `h` only are kept by step size.
    pub fn operators(&mut self, at: Linearisation<'_>, h: f64) -> Result<&mut Operators, SimError> {
        let key = h.to_bits();
        if !self.operators.contains_key(&key) {
            let analyses = self.analyses()?.to_vec();
            self.make_room();
            self.operators.insert(key, Operators::new(&self.model, at, &analyses, &self.interrupt)?);
        } else if let Some(kept) = self.operators.get_mut(&key) {
            kept.renew(&self.model, at, &self.analyses)?;
        }
        let made = self.operators.get_mut(&key).ok_or_else(|| InternalError("operators vanished".into()))?;
        made.turn(&self.model, at.starts)?;
        Ok(made)
    }
}
