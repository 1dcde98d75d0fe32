//! Detection of contacts of whole shapes.
//!
//! ```text
//! rigid with rigid        the contacts of two shapes (`delassus-shapes`): sides at arms x − c from the centres of mass, x in the middle of the gap
//! point with rigid        the nearest point of the shape's surface: a side of weights on nodes, and one at an arm
//! reach = 2 h V + s/50    V: largest speed of a point of a rigid body, or of a candidate; s: radius of the smaller of the two
//! ```
//!
//! A contact beyond the reach cannot close within the step unless an impulse of another contact moves its bodies faster than anything moved before; what it then
//! penetrates is seen in the next step. Where faces face one another, a contact has its share of their common area, in the plane times the lesser thickness; contacts of corners, edges and round
//! shapes have none.
//!
//! A history belongs to the key of a contact, which names two features. Where blocks are flush, the motions of a bond are enough to exchange them: a corner of one on the face of the other becomes a
//! corner of the other, or a crossing of edges. A contact whose key has no history takes the key of one that has, if that one is not found any more and both its features are at the new contact
//! ([`SAME_PLACE`]).

use delassus_contact::{CandidateSet, Contact, ContactKey, Side, Vector, frame_from_normal};
use delassus_shapes::{BroadPhase, ShapePose, contacts, feature_distance, nearest};

use crate::contact_history::ContactHistories;
use crate::error::SimError;
use crate::model::{Model, ShapeCandidates, ShapePairing, ShapedBody, centre_site, rotation_site};
use crate::space::{Dimension, Space};

/// Part of the size of a shape within which its contacts are listed at rest.
const NEAR: f64 = 0.02;

/// Part of places and sizes that is rounding. Bodies that rest on one another fall alike without impulses, so that rounding alone would say whether their gap closes: it is
/// taken off the gap.
const ROUNDED: f64 = 1e-13;

/// Part of the size of the smaller shape within which a contact is at the place of another one.
const SAME_PLACE: f64 = 0.01;

/// Where bodies are when contacts are looked for.
pub(crate) struct Scene<'a, const D: usize> {
    pub model: &'a Model<D>,
    /// Configurations of the bodies.
    pub q: &'a [Vec<f64>],
    /// World coordinates of their nodes \[m\].
    pub positions: &'a [&'a [f64]],
    /// Way that anything may go in a step \[m\].
    pub way: f64,
    /// What is remembered of contacts.
    pub histories: &'a ContactHistories,
}

/// Do both lists have the same bodies, in ascending order?
fn is_same<const D: usize>(one: &[PosedShape<'_, D>], other: &[PosedShape<'_, D>]) -> bool {
    one.len() == other.len()
        && one.iter().zip(other).all(|(a, b)| a.shaped.body == b.shaped.body)
        && one.windows(2).all(|two| two[0].shaped.body < two[1].shaped.body)
}

/// A shape in its place.
struct PosedShape<'a, const D: usize> {
    shaped: &'a ShapedBody<D>,
    pose: ShapePose<D>,
}

impl<const D: usize> Scene<'_, D>
where
    Dimension<D>: Space<D>,
{
    /// The contacts of all pairs that have shapes; `near` has trees for each pair.
    pub fn contacts(&self, near: &mut [BroadPhase<D>]) -> Result<Vec<Contact<D>>, SimError> {
        let mut out = Vec::new();
        for ((pair, known), near) in (0..).zip(&self.model.pairs).zip(near) {
            let Some(shapes) = &known.shapes else { continue };
            let first_pass = known.n_passes();
            let antagonists = self.placed(&shapes.antagonists);
            match &shapes.candidates {
                ShapeCandidates::Shapes(list) => {
                    let sides = (&self.placed(list)[..], &antagonists[..]);
                    self.between_shapes((pair, first_pass), shapes, sides, near, &mut out)?;
                }
                ShapeCandidates::Points(sets) => {
                    for (k, set) in sets.iter().enumerate() {
                        self.of_points(pair, first_pass, shapes, (k, set), &antagonists, &mut out)?;
                    }
                }
            }
        }
        Ok(out)
    }

    fn placed<'s>(&self, list: &'s [ShapedBody<D>]) -> Vec<PosedShape<'s, D>> {
        let place = |shaped: &'s ShapedBody<D>| {
            let rigid = self.model.bodies[shaped.body].body.rigid()?;
            let at = rigid.pose(&self.q[shaped.body]);
            Some(PosedShape { shaped, pose: ShapePose { position: at.centre, rotation: at.rotation } })
        };
        list.iter().filter_map(place).collect()
    }

    /// A side on a rigid body at a point of space.
    fn side(&self, placed: &PosedShape<'_, D>, at: &Vector<D>) -> Side<D> {
        let body = placed.shaped.body;
        let mesh = self.model.bodies[body].body.mesh();
        Side::on_arm(body, centre_site(mesh), rotation_site(mesh), at - placed.pose.position)
    }

    fn reach(&self, sizes: [f64; 2]) -> f64 {
        self.way + NEAR * sizes[0].min(sizes[1])
    }

    fn between_shapes(
        &self,
        (pair, first_pass): (u32, u64),
        pairing: &ShapePairing<D>,
        (candidates, antagonists): (&[PosedShape<'_, D>], &[PosedShape<'_, D>]),
        broad: &mut BroadPhase<D>,
        out: &mut Vec<Contact<D>>,
    ) -> Result<(), SimError> {
        let n = candidates.len();
        let all = || candidates.iter().chain(antagonists);
        let size = |p: &PosedShape<'_, D>| p.shaped.shape.bounding_radius();
        // Half of what a shape of its own size would be looked for in, which is at least half of what the pair is: small shapes beside large ones keep small boxes.
        let near_own = |p: &PosedShape<'_, D>| if size(p).is_finite() { 0.5 * NEAR * size(p) } else { 0.0 };
        // A list with itself, as grains with grains, is one list: each pair is then found once.
        let is_one = is_same(candidates, antagonists);
        let listed = all().take(if is_one { n } else { n + antagonists.len() });
        let boxes: Vec<_> = listed.map(|p| p.shaped.shape.aabb(&p.pose).grown(near_own(p))).collect();
        let mut near = Vec::new();
        // One list with itself: each pair once.
        let members = |list: &[PosedShape<'_, D>]| {
            let mut is_member = vec![false; self.model.bodies.len()];
            list.iter().for_each(|p| is_member[p.shaped.body] = true);
            is_member
        };
        let (is_candidate, is_antagonist) = (members(candidates), members(antagonists));
        let among = |i: usize, j: usize| {
            let (a, b) = (candidates[i].shaped.body, antagonists[j - n].shaped.body);
            a != b && !(a > b && is_candidate[b] && is_antagonist[a])
        };
        let use_pair = |i: usize, j: usize| is_one || (i < n && j >= n && among(i, j));
        broad.pairs(&boxes, self.way, use_pair, &mut near);
        let remembers = !self.model.pairs[pair as usize].law.history_entries().is_empty();
        let mut found = Vec::new();
        for (i, j) in near.into_iter().map(|(i, j)| (i, if is_one { j } else { j - n })) {
            let (a, b) = (&candidates[i], &antagonists[j]);
            let begin = out.len();
            let thickness = a.shaped.thickness.min(b.shaped.thickness);
            found.clear();
            let reach = self.reach([size(a), size(b)]);
            contacts((&*a.shaped.shape, &a.pose), (&*b.shaped.shape, &b.pose), reach, &mut found);
            let rounding = ROUNDED * (a.pose.position.amax() + b.pose.position.amax() + size(a) + size(b));
            for c in &found {
                // In the middle of the gap: one point for both, so that p and −p have no couple.
                let middle = 0.5 * (c.on_a + c.on_b);
                let key = ContactKey {
                    pair,
                    pass: pairing.pass(first_pass, i, j),
                    candidate: c.key.feature_a(),
                    corner: c.key.feature_b(),
                };
                out.push(Contact {
                    key,
                    sides: [self.side(a, &middle), self.side(b, &middle)],
                    further: Vec::new(),
                    gap: c.gap - rounding,
                    frame: frame_from_normal(&c.normal)?,
                    area: c.area * thickness,
                    point: middle,
                });
            }
            if remembers && out.len() > begin {
                let within = SAME_PLACE * size(a).min(size(b));
                self.keep_keys((a, b), within, &mut out[begin..]);
            }
        }
        Ok(())
    }

    /// Gives contacts of a pair of shapes that have no history the keys of those that had one in their places.
    fn keep_keys(&self, (a, b): (&PosedShape<'_, D>, &PosedShape<'_, D>), within: f64, found: &mut [Contact<D>]) {
        let Some(first) = found.first().map(|c| c.key) else { return };
        let of_pair = |key: &ContactKey| (key.pair, key.pass);
        let begin = self.histories.partition_point(|(key, _)| of_pair(key) < of_pair(&first));
        let n = self.histories[begin..].partition_point(|(key, _)| of_pair(key) == of_pair(&first));
        let known: Vec<ContactKey> = self.histories[begin..begin + n].iter().map(|(key, _)| *key).collect();
        let mut lost: Vec<ContactKey> =
            known.iter().copied().filter(|key| found.iter().all(|c| c.key != *key)).collect();
        for contact in found.iter_mut().filter(|c| !known.contains(&c.key)) {
            let distance = |key: &ContactKey| {
                let on_a = feature_distance(&a.shaped.shape, &a.pose, key.candidate, &contact.point)?;
                let on_b = feature_distance(&b.shaped.shape, &b.pose, key.corner, &contact.point)?;
                Some(on_a.max(on_b)).filter(|d| *d <= within)
            };
            let near = lost.iter().enumerate().filter_map(|(k, key)| Some((k, distance(key)?)));
            if let Some((k, _)) = near.min_by(|x, y| x.1.total_cmp(&y.1)) {
                contact.key = lost.remove(k);
            }
        }
    }

    fn of_points(
        &self,
        pair: u32,
        first_pass: u64,
        pairing: &ShapePairing<D>,
        (k, set): (usize, &CandidateSet),
        antagonists: &[PosedShape<'_, D>],
        out: &mut Vec<Contact<D>>,
    ) -> Result<(), SimError> {
        let body = set.body();
        let places: Vec<Vector<D>> = set.points().iter().map(|p| p.position(self.positions[body])).collect();
        for (j, b) in antagonists.iter().enumerate() {
            let shape = &b.shaped.shape;
            let reach = self.reach([shape.bounding_radius(), shape.bounding_radius()]);
            let near = shape.aabb(&b.pose).grown(reach);
            for (number, ((point, place), area)) in (0..).zip(set.points().iter().zip(&places).zip(set.areas())) {
                if near.distance(place) > 0.0 {
                    continue;
                }
                let foot = nearest(shape, &b.pose, place);
                if foot.gap > reach {
                    continue;
                }
                out.push(Contact {
                    key: ContactKey::nearest(pair, pairing.pass(first_pass, k, j), number),
                    sides: [Side::on_nodes(body, point.shares()), self.side(b, &foot.foot)],
                    further: Vec::new(),
                    gap: foot.gap,
                    frame: frame_from_normal(&foot.normal)?,
                    area: *area,
                    point: *place,
                });
            }
        }
        Ok(())
    }
}
