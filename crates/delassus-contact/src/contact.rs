//! One contact: the data of a candidate and its antagonist that condensation, laws and output need.

use nalgebra::{SMatrix, SVector};
use serde::{Deserialize, Serialize};

use crate::Side;

/// A vector of the physical space.
pub type Vector<const D: usize> = SVector<f64, D>;

/// A square matrix of the physical space.
pub type Matrix<const D: usize> = SMatrix<f64, D, D>;

/// Name of a contact that stays the same from step to step, whatever facet the candidate faces.
///
/// Warm starts and law histories are kept under it; contacts are sorted by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
pub struct ContactKey {
    /// The caller's number of the pair ([`crate::Pair::id`]).
    pub pair: u32,
    /// Number of the pass: one body's candidates with one antagonist ([`crate::PassNumbers`]).
    pub pass: u64,
    /// Index of the candidate in the list of its pair; never the facet.
    pub candidate: u32,
    /// 0 for the contact with the nearest facet; 1 and more for those with facets across its re-entrant ridges ([`crate::Pair::corners`]).
    pub corner: u32,
}

impl ContactKey {
    /// The contact of a candidate with what is nearest to it.
    #[must_use]
    pub fn nearest(pair: u32, pass: u64, candidate: u32) -> Self {
        Self { pair, pass, candidate, corner: 0 }
    }

    /// The key of the moment that this contact transmits: rolling and spinning resistance.
    #[must_use]
    pub fn of_moment(self) -> Self {
        Self { pass: self.pass | MOMENT, ..self }
    }

    /// Is it that of a moment?
    #[must_use]
    pub fn is_moment(&self) -> bool {
        self.pass & MOMENT != 0
    }

    /// The key of the contact itself.
    #[must_use]
    pub fn of_force(self) -> Self {
        Self { pass: self.pass & !MOMENT, ..self }
    }

    /// Is it a further contact of its candidate, across a re-entrant ridge?
    #[must_use]
    pub fn is_across(&self) -> bool {
        self.corner > 0
    }
}

/// The bit of `pass` that tells a moment from the contact it belongs to; no pair has so many passes.
const MOMENT: u64 = 1 << 63;

/// A candidate point facing one antagonist point.
#[derive(Debug, Clone, PartialEq)]
pub struct Contact<const D: usize> {
    /// Stable name.
    pub key: ContactKey,
    /// The candidate (0) and the antagonist (1).
    pub sides: [Side<D>; 2],
    /// Further sides with their weights, + on the part of the candidate, − on that of the antagonist: where one of the two is made of points of
    /// several bodies. None as a rule.
    pub further: Vec<(f64, Side<D>)>,
    /// Signed distance (m): positive when open, negative when penetrating.
    pub gap: f64,
    /// Columns n, t…: orthonormal, right-handed, n pointing from the antagonist to the candidate.
    pub frame: Matrix<D>,
    /// Tributary area of the candidate (m²) (in 2D: length times thickness). Of a moment the lever over which it is taken (m).
    pub area: f64,
    /// World position of the candidate (m).
    pub point: Vector<D>,
}

impl<const D: usize> Contact<D> {
    /// All sides with their signs: the relative velocity is the sum of sign times point velocity.
    pub fn signed_sides(&self) -> impl Iterator<Item = (f64, &Side<D>)> {
        let further = self.further.iter().map(|(weight, side)| (*weight, side));
        [1.0, -1.0].into_iter().zip(&self.sides).chain(further)
    }

    /// The unit normal, from the antagonist to the candidate.
    #[must_use]
    pub fn normal(&self) -> Vector<D> {
        self.frame.column(0).into_owned()
    }
}
