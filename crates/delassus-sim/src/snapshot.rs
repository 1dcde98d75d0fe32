//! What a step starts from and ends with.

use delassus_contact::ContactKey;
use delassus_dynamics::State;
use serde::{Deserialize, Serialize};

/// What is accepted at the end of a step and all that the next one needs.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Snapshot {
    /// States of the bodies.
    pub states: Vec<State>,
    /// Impulses of the contacts that acted, in world axes \[N·s\], sorted by key: the next warm start.
    pub impulses: Vec<(ContactKey, Vec<f64>)>,
    /// What is remembered of contacts, sorted by key; kept while a contact is out of sight.
    pub histories: Vec<(ContactKey, ContactHistory)>,
}

/// What is remembered of a contact from step to step.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct ContactHistory {
    /// The law's history z; vectors in world axes, so that they keep their meaning when the frame turns.
    pub z: Vec<f64>,
    /// Way slid under pressure \[m\].
    pub slip: f64,
    /// Energy that friction took \[J\].
    pub friction: f64,
}

impl Snapshot {
    /// Time of the state \[s\].
    #[must_use]
    pub fn time(&self) -> f64 {
        self.states.first().map_or(0.0, |s| s.t)
    }
}
