//! What is remembered of contacts: histories go into a step in the local frame of the contact as it is now, and out of it in world axes.

use delassus_contact::{Contact, ContactKey};
use delassus_solver::{ContactLaw, SlotKind, Vector, memory_len};

use crate::outcome::{Past, Touch};

/// What is remembered, sorted by key.
pub(crate) type Pasts = [(ContactKey, Past)];

/// The past of a contact; of one that was never seen, that of a contact which did not touch when the run began.
pub(crate) fn recall<const D: usize>(law: &dyn ContactLaw<D>, contact: &Contact<D>, pasts: &Pasts) -> Past {
    match pasts.binary_search_by_key(&contact.key, |(key, _)| *key) {
        Ok(k) => pasts[k].1.clone(),
        Err(_) => first(law, false),
    }
}

/// The past of a contact seen for the first time.
pub(crate) fn first<const D: usize>(law: &dyn ContactLaw<D>, at_start: bool) -> Past {
    let mut z = vec![0.0; memory_len(law)];
    law.start(at_start, &mut z);
    Past { z, ..Past::default() }
}

/// A history with its vectors turned: from world axes into the contact's frame, or back.
fn turned<const D: usize>(law: &dyn ContactLaw<D>, mut z: Vec<f64>, turn: impl Fn(Vector<D>) -> Vector<D>) -> Vec<f64> {
    let mut at = 0;
    for slot in law.memory() {
        let len = slot.len::<D>();
        if slot.kind == SlotKind::Vector {
            let x = turn(Vector::from_column_slice(&z[at..at + len]));
            z[at..at + len].copy_from_slice(x.as_slice());
        }
        at += len;
    }
    z
}

/// A history as the law wants it.
pub(crate) fn to_local<const D: usize>(law: &dyn ContactLaw<D>, contact: &Contact<D>, z: Vec<f64>) -> Vec<f64> {
    turned(law, z, |x| contact.frame.transpose() * x)
}

/// A history as it is kept.
pub(crate) fn to_world<const D: usize>(law: &dyn ContactLaw<D>, contact: &Contact<D>, z: Vec<f64>) -> Vec<f64> {
    turned(law, z, |x| contact.frame * x)
}

/// The pasts after a step: those of the contacts in sight as it left them, the others as they were.
pub(crate) fn carried_on<const D: usize>(before: &Pasts, touches: &[Touch<D>]) -> Vec<(ContactKey, Past)> {
    let mut out = Vec::with_capacity(before.len());
    let mut old = before.iter().peekable();
    for t in touches {
        let key = t.contact.key;
        while let Some(unseen) = old.next_if(|(k, _)| *k < key) {
            out.push(unseen.clone());
        }
        old.next_if(|(k, _)| *k == key);
        if t.past != Past::default() {
            out.push((key, t.past.clone()));
        }
    }
    out.extend(old.cloned());
    out
}
