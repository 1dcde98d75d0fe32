//! What the contacts of a model declare: which bodies and obstacles may touch, and how deep they may be in each other at the start.

use std::collections::{BTreeMap, BTreeSet};

use delassus_contact::CandidateSet;

use crate::model::{Direction, Model, ModelAntagonist};

/// Which bodies may touch which. n copies have n² pairs, so sides are stored instead of pairs.
#[derive(Default)]
pub(super) struct Declared {
    between_bodies: Vec<Sides>,
    /// Bodies that a joint connects, ascending, and every rigid body with itself: what they are made of may overlap there.
    jointed: BTreeSet<(usize, usize)>,
    /// Allowed at the start between a body and an obstacle \[m\].
    with_obstacles: BTreeMap<(usize, usize), f64>,
}

/// The two sides of a contact between bodies, ascending.
struct Sides {
    candidates: Vec<usize>,
    antagonists: Vec<usize>,
    /// Allowed at the start \[m\].
    allowed: f64,
}

impl Sides {
    fn of<const D: usize>(direction: &Direction<D>, allowed: f64) -> Self {
        let mut candidates: Vec<usize> = direction.candidates().iter().map(CandidateSet::body).collect();
        let mut antagonists: Vec<usize> = direction.surfaces().map(|s| s.body()).collect();
        candidates.sort_unstable();
        antagonists.sort_unstable();
        Self { candidates, antagonists, allowed }
    }

    fn hold(&self, one: usize, other: usize) -> bool {
        // Of copies none touches itself.
        let is_left_out = one == other && self.candidates.len() > 1 && self.antagonists.len() > 1;
        let is_in = |side: &[usize], body: usize| side.binary_search(&body).is_ok();
        let in_order = |a: usize, b: usize| is_in(&self.candidates, a) && is_in(&self.antagonists, b);
        !is_left_out && (in_order(one, other) || in_order(other, one))
    }
}

impl Declared {
    pub(super) fn of<const D: usize>(model: &Model<D>) -> Self {
        let mut out = Self::default();
        for joint in &model.joints {
            if let [Some(a), Some(b)] = [joint.sides[0].body(), joint.sides[1].body()] {
                out.jointed.insert((a.min(b), a.max(b)));
            }
        }
        // Parts of a rigid body stay in one another as they were given.
        out.jointed.extend((0..model.bodies.len()).filter(|&b| model.bodies[b].body.rigid().is_some()).map(|b| (b, b)));
        for known in &model.pairs {
            let Some(shapes) = &known.shapes else { continue };
            let mut candidates = shapes.candidate_bodies();
            let mut antagonists: Vec<usize> = shapes.antagonists.iter().map(|s| s.body).collect();
            candidates.sort_unstable();
            antagonists.sort_unstable();
            out.between_bodies.push(Sides { candidates, antagonists, allowed: known.initial_penetration });
        }
        for (pair, direction) in model.directions() {
            let allowed = model.pairs[pair].initial_penetration;
            out.between_bodies.push(Sides::of(direction, allowed));
            for antagonist in direction.antagonists() {
                let ModelAntagonist::Obstacle(o) = antagonist else { continue };
                for set in direction.candidates() {
                    let known = out.with_obstacles.entry((set.body(), o.number)).or_insert(0.0);
                    *known = known.max(allowed);
                }
            }
        }
        out
    }

    /// Does a joint connect two bodies?
    pub(super) fn are_jointed(&self, one: usize, other: usize) -> bool {
        self.jointed.contains(&(one.min(other), one.max(other)))
    }

    /// What is allowed at the start between two bodies, or in a body that may touch itself \[m\]; `None` if no contact names the two.
    pub(super) fn between(&self, one: usize, other: usize) -> Option<f64> {
        let allowed = self.between_bodies.iter().filter(|s| s.hold(one, other)).map(|s| s.allowed);
        allowed.reduce(f64::max)
    }

    /// The same of a body and an obstacle, by its place in the case's list.
    pub(super) fn with_obstacle(&self, body: usize, obstacle: usize) -> Option<f64> {
        self.with_obstacles.get(&(body, obstacle)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sides(candidates: &[usize], antagonists: &[usize], allowed: f64) -> Sides {
        Sides { candidates: candidates.to_vec(), antagonists: antagonists.to_vec(), allowed }
    }

    #[test]
    fn copies_touch_each_other_and_not_themselves() {
        let copies = sides(&[2, 3, 4], &[2, 3, 4], 0.1);
        let floor = sides(&[3], &[7], 0.3);
        let itself = sides(&[9], &[9], 0.2);
        let declared = Declared { between_bodies: vec![copies, floor, itself], ..Declared::default() };
        for (pair, expected) in [
            ((2, 4), Some(0.1)),
            ((4, 2), Some(0.1)),
            ((3, 3), None),
            ((7, 3), Some(0.3)),
            ((7, 4), None),
            ((9, 9), Some(0.2)),
            ((7, 7), None),
        ] {
            assert_eq!(declared.between(pair.0, pair.1), expected, "{pair:?}");
        }
    }

    #[test]
    fn the_largest_that_some_contact_allows_counts() {
        let between_bodies = vec![sides(&[0], &[1], 0.1), sides(&[1], &[0], 0.4), sides(&[0], &[1], 0.2)];
        let declared = Declared { between_bodies, ..Declared::default() };
        assert_eq!(declared.between(0, 1), Some(0.4));
    }
}
