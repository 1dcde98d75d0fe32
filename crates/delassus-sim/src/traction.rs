//! Pressure, shear and area of contact, computed from quantities that the impulses determine uniquely.
//!
//! Points on facets may outnumber the nodes that carry them (two on each segment of a chain of n: 2 n points, n + 1 nodes). Their impulses p_i
//! are then not unique, and p_i/(h A_i) has no meaning. Their sums at the nodes, H p, are unique. So tractions are measured at the corners a
//! of the facets, by the linear functions φ_a, and interpolated between them:
//!
//! ```text
//! F_a = Σ_i φ_a(x_i) p_i     A_a = Σ_i φ_a(x_i) A_i     t_a = F_a/(h A_a)     t(x_i) = Σ_a φ_a(x_i) t_a
//! ```
//!
//! A uniform traction is found exactly (F_a = h t A_a), a smooth one to second order in the size of the facets: t_a is the mean of t weighted
//! by φ_a. φ_a ≥ 0, so that t_a is a pressure where all p_i are. At a node φ = 1, and t is its own force over its own area. Pressures are
//! sums of p_N, whatever the normals: where these turn by δ within a facet, they are unique to order δ².
//!
//! A point is in contact if it has a normal impulse, or if it is equally closed and lies between corners that carry a force: which of the
//! closed points have an impulse is not unique. Such a point sticks as its corners do, weighted by their forces.

use std::collections::BTreeMap;

use delassus_contact::CandidateSet;
use delassus_math as math;
use delassus_solver::{Status, Vector};

use crate::model::{Model, ModelPair, Pass};
use crate::outcome::Touch;

/// A gap of so many times the largest one of the points that push is closed too: all of them are closed to the tolerance of the laws.
const AS_CLOSED: f64 = 10.0;
/// A gap below this part of the size of a point's area is none, however well the others are closed: rounding of positions.
const ROUNDED: f64 = 1e-9;

/// What acts at a candidate \[Pa\], mean over the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactTraction<const D: usize> {
    /// Along the normal; positive pushes.
    pub pressure: f64,
    /// Along the contact, in world axes.
    pub shear: Vector<D>,
}

/// The extent of a pair's contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactExtent {
    /// Area in contact \[m²\].
    pub area: f64,
    /// The part of it that sticks \[m²\].
    pub stick: f64,
    /// Largest pressure at a corner \[Pa\].
    pub pressure: f64,
}

/// The tractions of all touches, in their order.
#[must_use]
pub fn tractions<const D: usize>(model: &Model<D>, touches: &[Touch<D>], h: f64) -> Vec<ContactTraction<D>> {
    let mut out = vec![ContactTraction { pressure: 0.0, shear: Vector::zeros() }; touches.len()];
    let mut begin = 0;
    for same in touches.chunk_by(|a, b| a.contact.key.pair == b.contact.key.pair) {
        for patch in patches(&model.pairs[same[0].contact.key.pair as usize], same) {
            for &k in &patch.members {
                out[begin + k] = patch.at(&same[k], h);
            }
        }
        begin += same.len();
    }
    out
}

/// What acts on the candidates of a body in a pair, at the corners of their facets.
pub struct SurfaceTractions<'a, const D: usize> {
    /// The candidates.
    pub candidates: &'a CandidateSet,
    /// Of each corner, in the order of [`CandidateSet::corner_areas`]; nothing where it touches nothing.
    pub corners: Vec<ContactTraction<D>>,
}

/// The tractions on all surfaces of a pair, of which these are the touches: every set of candidates once, whether it touches or not.
#[must_use]
pub fn surface_tractions<'a, const D: usize>(
    pair: &'a ModelPair<D>,
    touches: &[Touch<D>],
    h: f64,
) -> Vec<SurfaceTractions<'a, D>> {
    let touched = patches(pair, touches);
    let sides = pair.directions.iter().flat_map(|d| d.candidates().iter().map(|c| (d.is_exchanged(), c)));
    let none = ContactTraction { pressure: 0.0, shear: Vector::zeros() };
    sides
        .map(|(exchanged, candidates)| {
            let n = candidates.corner_areas().len();
            let patch = touched.iter().find(|p| p.exchanged == exchanged && same(p.candidates) == same(candidates));
            let corners = patch.map_or_else(|| vec![none; n], |p| (0..n).map(|c| p.at_corner(c, h)).collect());
            SurfaceTractions { candidates, corners }
        })
        .collect()
}

/// Area in contact, area that sticks and largest pressure of a pair, of which these are the touches.
#[must_use]
pub fn extent<const D: usize>(pair: &ModelPair<D>, touches: &[Touch<D>], h: f64) -> ContactExtent {
    let mut extent = ContactExtent::default();
    for patch in patches(pair, touches) {
        patch.add_to(&mut extent, touches, h);
    }
    // Contacts of shapes have areas of their own; points have none, and no pressure.
    for touch in touches.iter().filter(|t| t.contact.key.pass >= pair.n_passes() && pushes(t)) {
        let area = touch.contact.area;
        extent.area += area;
        extent.stick += if sticks(touch) { area } else { 0.0 };
        if area > 0.0 {
            extent.pressure = extent.pressure.max(touch.impulse[0] / (h * area));
        }
    }
    extent
}

/// The contacts of the candidates of a body in a pair, with all antagonists, and their sums at the corners.
struct Patch<'a, const D: usize> {
    candidates: &'a CandidateSet,
    /// Are the candidates those of the pair's second side?
    exchanged: bool,
    /// Places among the touches of the pair.
    members: Vec<usize>,
    /// Of each corner.
    corners: Vec<Carried<D>>,
}

/// Sums at a corner \[N·s\].
#[derive(Clone)]
struct Carried<const D: usize> {
    normal: f64,
    shear: Vector<D>,
    /// Of the points that push alone, and of those among them that stick.
    push: f64,
    stuck: f64,
}

/// What tells sets of candidates apart: their body, and of a rigid body with several sets their first node.
fn same(candidates: &CandidateSet) -> (usize, Option<usize>) {
    (candidates.body(), candidates.nodes().first().copied())
}

/// The patches of a pair. The candidates of a body are the same in all passes that look at it from one side.
fn patches<'a, const D: usize>(pair: &'a ModelPair<D>, touches: &[Touch<D>]) -> Vec<Patch<'a, D>> {
    let mut patches: BTreeMap<(bool, (usize, Option<usize>)), Patch<'a, D>> = BTreeMap::new();
    for (k, touch) in touches.iter().enumerate() {
        let Some(Pass { candidates, exchanged, .. }) = pair.pass(touch.contact.key.pass) else { continue };
        let patch = patches.entry((exchanged, same(candidates))).or_insert_with(|| {
            let none = Carried { normal: 0.0, shear: Vector::zeros(), push: 0.0, stuck: 0.0 };
            Patch { candidates, exchanged, members: Vec::new(), corners: vec![none; candidates.corner_areas().len()] }
        });
        patch.members.push(k);
        patch.carry(touch);
    }
    patches.into_values().collect()
}

/// Does a touch push?
fn pushes<const D: usize>(touch: &Touch<D>) -> bool {
    touch.impulse[0] > 0.0
}

/// Does it stick? Without friction nothing does, even where it does not move.
fn sticks<const D: usize>(touch: &Touch<D>) -> bool {
    touch.status == Status::Stick && touch.friction > 0.0
}

impl<const D: usize> Patch<'_, D> {
    /// Corners of a touch and their φ.
    fn shares(&self, touch: &Touch<D>) -> impl Iterator<Item = (usize, f64)> {
        let point = &self.candidates.points()[touch.contact.key.candidate as usize];
        let place = |node: usize| self.candidates.corner_areas().binary_search_by_key(&node, |c| c.0).ok();
        point.corner_shares().filter_map(move |(node, share)| Some((place(node)?, share)))
    }

    /// Hands the impulse of a touch to its corners.
    fn carry(&mut self, touch: &Touch<D>) {
        let p = touch.impulse[0];
        let shear = touch.contact.frame * touch.impulse - touch.contact.frame.column(0) * p;
        let shares: Vec<(usize, f64)> = self.shares(touch).collect();
        for (corner, share) in shares {
            let Carried { normal, shear: across, push, stuck } = &mut self.corners[corner];
            *normal += share * p;
            *across += shear * share;
            *push += share * p.max(0.0);
            *stuck += if sticks(touch) { share * p.max(0.0) } else { 0.0 };
        }
    }

    /// h A_a of a corner \[m²·s\].
    fn scale(&self, corner: usize, h: f64) -> f64 {
        h * self.candidates.corner_areas()[corner].1
    }

    /// The traction at a touch.
    fn at(&self, touch: &Touch<D>, h: f64) -> ContactTraction<D> {
        let none = ContactTraction { pressure: 0.0, shear: Vector::zeros() };
        self.shares(touch).fold(none, |sum, (corner, share)| {
            let here = self.at_corner(corner, h);
            ContactTraction { pressure: sum.pressure + share * here.pressure, shear: sum.shear + here.shear * share }
        })
    }

    /// The traction at a corner.
    fn at_corner(&self, corner: usize, h: f64) -> ContactTraction<D> {
        let (Carried { normal, shear, .. }, scale) = (&self.corners[corner], self.scale(corner, h));
        ContactTraction { pressure: normal / scale, shear: shear / scale }
    }

    fn add_to(&self, extent: &mut ContactExtent, touches: &[Touch<D>], h: f64) {
        let mine = || self.members.iter().map(|&k| &touches[k]);
        let closed = AS_CLOSED * mine().filter(|t| pushes(t)).map(|t| t.gap).fold(0.0, f64::max);
        let mut counted = vec![false; self.candidates.n_points()];
        // A point that touches two things counts once, as one that pushes if it pushes one of them.
        for pushing in [true, false] {
            for touch in mine().filter(|t| pushes(t) == pushing) {
                let carried = || self.shares(touch).map(|(corner, share)| (&self.corners[corner], share));
                let size = math::powf(touch.contact.area, 1.0 / (D as f64 - 1.0));
                let is_closed = touch.gap <= closed.max(ROUNDED * size) && carried().all(|(c, _)| c.push > 0.0);
                let first = !counted[touch.contact.key.candidate as usize];
                if !first || !(pushing || is_closed) {
                    continue;
                }
                counted[touch.contact.key.candidate as usize] = true;
                let held = match pushing {
                    true => f64::from(u8::from(sticks(touch))),
                    false => carried().map(|(c, share)| share * c.stuck / c.push).sum(),
                };
                // Its own area: facets of a corner share it among their contacts.
                let area = self.candidates.areas()[touch.contact.key.candidate as usize];
                extent.area += area;
                extent.stick += held * area;
            }
        }
        let pressures = (0..self.corners.len()).map(|c| self.corners[c].normal / self.scale(c, h));
        extent.pressure = pressures.fold(extent.pressure, f64::max);
    }
}
