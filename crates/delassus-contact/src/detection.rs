//! The result of a detection: contacts, candidates that are too deep, and a summary of the penetrations of every
//! pairing.

use crate::{Contact, ContactKey, Vector};

/// What a detection found.
#[derive(Debug, Clone, PartialEq)]
pub struct Detection<const D: usize> {
    /// The contacts, sorted by key; no key occurs twice.
    pub contacts: Vec<Contact<D>>,
    /// Candidates found between once and twice the depth behind their antagonist, sorted; they are not among the contacts.
    pub too_deep: Vec<ContactKey>,
    /// The penetrations of every pairing, in the order in which they were given to the detector.
    pub penetrations: Vec<PairPenetration<D>>,
    /// Number of facets looked at, a measure of the work.
    pub n_visited: usize,
}

/// How many candidates of a pairing are behind their antagonist, and which is the deepest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairPenetration<const D: usize> {
    /// Candidates with a gap below zero, those that are too deep included. A gap of rounding counts too: `deepest` tells the size.
    pub n_behind: usize,
    /// Those among them that are too deep to be contacts.
    pub n_too_deep: usize,
    /// The deepest of them, the one of lowest key among equals; `None` if no candidate is behind.
    pub deepest: Option<Penetration<D>>,
}

/// A candidate behind its antagonist.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Penetration<const D: usize> {
    /// Name of the contact.
    pub key: ContactKey,
    /// World position of the candidate (m).
    pub point: Vector<D>,
    /// Its gap (m), below zero.
    pub gap: f64,
}

impl<const D: usize> Default for PairPenetration<D> {
    fn default() -> Self {
        Self { n_behind: 0, n_too_deep: 0, deepest: None }
    }
}

impl<const D: usize> PairPenetration<D> {
    /// Keys come in ascending order, so that only a deeper one replaces.
    fn add(&mut self, found: Penetration<D>, too_deep: bool) {
        if found.gap < 0.0 {
            self.n_behind += 1;
            self.n_too_deep += usize::from(too_deep);
            if self.deepest.is_none_or(|deepest| found.gap < deepest.gap) {
                self.deepest = Some(found);
            }
        }
    }
}

impl<const D: usize> Detection<D> {
    pub(crate) fn new(n_pairings: usize) -> Self {
        let penetrations = vec![PairPenetration::default(); n_pairings];
        Self { contacts: Vec::new(), too_deep: Vec::new(), penetrations, n_visited: 0 }
    }

    /// Adds a contact of the pairing of this index; they come in the order of their keys.
    pub(crate) fn push(&mut self, pairing: usize, contact: Contact<D>) {
        let found = Penetration { key: contact.key, point: contact.point, gap: contact.gap };
        self.penetrations[pairing].add(found, false);
        self.contacts.push(contact);
    }

    /// Adds a further contact of a candidate, which counts once among the penetrations.
    pub(crate) fn push_across(&mut self, contact: Contact<D>) {
        self.contacts.push(contact);
    }

    /// Adds a candidate of the pairing of this index that is too deep.
    pub(crate) fn push_too_deep(&mut self, pairing: usize, found: Penetration<D>) {
        self.penetrations[pairing].add(found, true);
        self.too_deep.push(found.key);
    }
}
