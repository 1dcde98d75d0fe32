//! Contact among many bodies: every set of candidates with every antagonist, without a list of all pairs.
//!
//! n sets of candidates and m antagonists make n m passes, of which only those between neighbours can have a contact. A pass has a number,
//! which is part of the keys of its contacts; each is computed from the other, and no pass is stored:
//!
//! ```text
//! set 0 with antagonists 0, 1, … m−1;  set 1 with antagonists 0, 1, … m−1;  …      numbered in this order
//! ```
//!
//! With several of both, the passes of a body with itself are left out of the count: copies touch each other, not themselves.

use crate::{Antagonist, CandidateSet, Normals, Pair};

/// The numbers of the passes between sets of candidates and antagonists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PassNumbers {
    n_antagonists: usize,
    /// For every set: the number of its first pass, and the antagonist that is left out. Ends with the number of all passes.
    first: Vec<(u64, Option<usize>)>,
}

/// A pass: which set of candidates, and which antagonist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PassPlace {
    /// Place of the candidates in the list.
    pub set: usize,
    /// Place of the antagonist in the list.
    pub antagonist: usize,
}

impl PassNumbers {
    /// For sets of candidates of these bodies, and antagonists of these bodies (`None`: an obstacle), none of them named twice.
    #[must_use]
    pub fn new(candidates: &[usize], antagonists: &[Option<usize>]) -> Self {
        let several = candidates.len() > 1 && antagonists.len() > 1;
        let mut places: Vec<(usize, usize)> =
            antagonists.iter().enumerate().filter_map(|(place, body)| body.map(|b| (b, place))).collect();
        places.sort_unstable();
        let place_of = |body: usize| places.binary_search_by_key(&body, |p| p.0).ok().map(|k| places[k].1);
        let mut next = 0_u64;
        let mut first = Vec::with_capacity(candidates.len() + 1);
        for &body in candidates {
            let left_out = if several { place_of(body) } else { None };
            first.push((next, left_out));
            next += (antagonists.len() - usize::from(left_out.is_some())) as u64;
        }
        first.push((next, None));
        Self { n_antagonists: antagonists.len(), first }
    }

    /// Number of passes.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.first.last().map_or(0, |f| f.0)
    }

    /// The number of a pass; `None` of a body with itself among several, and of what is not in the lists.
    #[must_use]
    pub fn number(&self, PassPlace { set, antagonist }: PassPlace) -> Option<u64> {
        let is_known = set + 1 < self.first.len() && antagonist < self.n_antagonists;
        let &(first, left_out) = self.first.get(set).filter(|_| is_known)?;
        match left_out {
            Some(own) if own == antagonist => None,
            Some(own) => Some(first + (antagonist - usize::from(own < antagonist)) as u64),
            None => Some(first + antagonist as u64),
        }
    }

    /// The pass of a number.
    #[must_use]
    pub fn place(&self, number: u64) -> Option<PassPlace> {
        if number >= self.count() {
            return None;
        }
        // Sets without a pass have the number of the next one: the last of equals holds it.
        let set = self.first.partition_point(|f| f.0 <= number).checked_sub(1)?;
        let (first, left_out) = self.first[set];
        let antagonist = usize::try_from(number - first).ok()?;
        let antagonist = antagonist + usize::from(left_out.is_some_and(|own| own <= antagonist));
        Some(PassPlace { set, antagonist })
    }
}

/// What candidates may touch, and within which limits.
#[derive(Debug, Clone)]
pub struct Target<const D: usize> {
    /// What it is.
    pub antagonist: Antagonist<D>,
    /// Largest gap reported, as [`Pair::reach`].
    pub reach: f64,
    /// Largest penetration accepted, as [`Pair::depth`].
    pub depth: f64,
}

/// Sets of candidates, each of which may touch each antagonist. A [`Pair`] is one with one.
#[derive(Debug, Clone)]
pub struct Pairing<const D: usize> {
    /// The caller's number of the pair, part of the contact keys.
    pub id: u32,
    /// Number of the first pass; (id, pass) is unique.
    pub first_pass: u64,
    /// The points, a set for each body.
    pub candidates: Vec<CandidateSet>,
    /// What they may touch.
    pub targets: Vec<Target<D>>,
    /// As [`Pair::normals`].
    pub normals: Normals,
    /// As [`Pair::corners`].
    pub corners: bool,
}

impl<const D: usize> From<Pair<D>> for Pairing<D> {
    fn from(pair: Pair<D>) -> Self {
        let Pair { id, pass, candidates, antagonist, reach, depth, normals, corners } = pair;
        let targets = vec![Target { antagonist, reach, depth }];
        Self { id, first_pass: pass, candidates: vec![candidates], targets, normals, corners }
    }
}

impl<const D: usize> Pairing<D> {
    /// The numbers of its passes, from 0.
    #[must_use]
    pub fn numbers(&self) -> PassNumbers {
        let bodies: Vec<usize> = self.candidates.iter().map(CandidateSet::body).collect();
        let body = |t: &Target<D>| match &t.antagonist {
            Antagonist::Surface(surface) => Some(surface.body()),
            Antagonist::Obstacle(_) => None,
        };
        PassNumbers::new(&bodies, &self.targets.iter().map(body).collect::<Vec<_>>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All passes one after another, as the numbers say they are.
    fn check(candidates: &[usize], antagonists: &[Option<usize>]) {
        let several = candidates.len() > 1 && antagonists.len() > 1;
        let numbers = PassNumbers::new(candidates, antagonists);
        let mut next = 0;
        for (set, body) in candidates.iter().enumerate() {
            for (antagonist, other) in antagonists.iter().enumerate() {
                let place = PassPlace { set, antagonist };
                if several && *other == Some(*body) {
                    assert_eq!(numbers.number(place), None);
                    continue;
                }
                assert_eq!((numbers.number(place), numbers.place(next)), (Some(next), Some(place)));
                next += 1;
            }
        }
        assert_eq!((numbers.count(), numbers.place(next)), (next, None));
        let beyond = |set, antagonist| numbers.number(PassPlace { set, antagonist });
        assert_eq!((beyond(candidates.len(), 0), beyond(0, antagonists.len())), (None, None));
    }

    #[test]
    fn passes_are_numbered_row_by_row() {
        check(&[3], &[Some(3)]);
        check(&[3], &[None]);
        check(&[4, 5, 6], &[Some(4), Some(5), Some(6)]);
        check(&[4, 5, 6], &[Some(5)]);
        check(&[5], &[Some(4), Some(5)]);
        check(&[4, 5, 6], &[Some(9), None, Some(4), Some(6)]);
        check(&[0, 1], &[Some(1), Some(0)]);
        check(&[], &[Some(1)]);
        check(&[1, 2], &[]);
    }

    #[test]
    fn a_hundred_thousand_copies_have_ten_thousand_million_passes() {
        let bodies: Vec<usize> = (0..100_000).collect();
        let numbers = PassNumbers::new(&bodies, &bodies.iter().map(|&b| Some(b)).collect::<Vec<_>>());
        assert_eq!(numbers.count(), 9_999_900_000);
        let last = PassPlace { set: 99_999, antagonist: 99_998 };
        assert_eq!((numbers.place(9_999_899_999), numbers.number(last)), (Some(last), Some(9_999_899_999)));
    }
}
