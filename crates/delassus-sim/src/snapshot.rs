//! The state of a run between two steps.

use delassus_contact::ContactKey;
use delassus_dynamics::State;
use serde::{Deserialize, Serialize};

/// The accepted state at the end of a step: everything that the next step needs.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Snapshot {
    /// States of the bodies.
    pub states: Vec<State>,
    /// Impulses of the contacts that acted, in world axes \[N·s\], sorted by key: the next warm start.
    pub impulses: Vec<(ContactKey, Vec<f64>)>,
    /// Histories of contacts, sorted by key; those of contacts that are not detected are kept.
    pub histories: Vec<(ContactKey, ContactHistory)>,
    /// Coordinates of the joints, angles over whole turns \[m, rad\].
    pub joints: Vec<f64>,
}

/// History of a contact.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct ContactHistory {
    /// The law's history z; vectors in world axes, so that they keep their meaning when the frame turns.
    pub z: Vec<f64>,
    /// Slip distance under pressure \[m\].
    pub slip: f64,
    /// Energy dissipated by friction \[J\].
    pub friction: f64,
}

impl Snapshot {
    /// Time of the state \[s\].
    #[must_use]
    pub fn time(&self) -> f64 {
        self.states.first().map_or(0.0, |s| s.t)
    }
}
