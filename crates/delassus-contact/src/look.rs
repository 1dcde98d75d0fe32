//! Detection of one pass: the candidates of a body and their antagonist at its present position.

use crate::corner::Corners;
use crate::frame::{frame_from_unit, unit};
use crate::prepared::{FacetTree, PreparedAntagonist};
use crate::self_contact::OwnBody;
use crate::{CandidatePoint, CandidateSet, Contact, ContactError, ContactKey, Detection, Dimension, FacetSurface, Few};
use crate::{NarrowPhase, Normals, Penetration, Projection, RigidMotion, Round, Side, Vector};

/// A pass during detection.
pub(crate) struct PassView<'a, const D: usize> {
    /// Place of its pairing in the caller's list.
    pub index: usize,
    pub id: u32,
    pub pass: u64,
    pub candidates: &'a CandidateSet,
    pub target: &'a PreparedAntagonist<D>,
    pub reach: f64,
    pub depth: f64,
    pub normals: Normals,
    pub corners: bool,
    /// Largest penetration of every candidate, if the target is the surface of their own body.
    pub own_depths: Option<&'a [f64]>,
}

/// The antagonist point of one candidate.
struct AntagonistPoint<const D: usize> {
    projection: Projection<D>,
    side: Side<D>,
    /// Where it is, on facets.
    facet: Option<usize>,
}

impl<const D: usize> PassView<'_, D>
where
    Dimension<D>: NarrowPhase<D>,
{
    /// Adds its contacts.
    pub(crate) fn detect_into(
        &self,
        positions: &[&[f64]],
        surfaces: &[FacetTree<D>],
        motion: &RigidMotion<D>,
        detection: &mut Detection<D>,
    ) -> Result<(), ContactError> {
        let x = positions[self.candidates.body()];
        for (i, (candidate, &area)) in self.candidates.points().iter().zip(self.candidates.areas()).enumerate() {
            let point = candidate.position(x);
            let (found, visited) = self.antagonist_of(i, &point, positions, surfaces, motion);
            detection.n_visited += visited;
            let Some(mut nearest) = found else { continue };
            let key = ContactKey::nearest(self.id, self.pass, key_index(i)?);
            let gap = nearest.projection.gap - self.ball();
            if gap > self.reach {
                continue;
            }
            if gap < -self.depth && self.target.has_other_side() {
                detection.push_too_deep(self.index, Penetration { key, point, gap });
                continue;
            }
            let across = self.across(&mut nearest, &point, positions, surfaces, motion);
            let contact = |AntagonistPoint { projection, side, .. }, key| Contact {
                key,
                sides: [self.candidate_side(candidate, &projection.normal), side],
                further: Vec::new(),
                gap: projection.gap - self.ball(),
                frame: frame_from_unit(&projection.normal),
                area,
                point: self.candidates.as_round().map_or(point, |round| point - projection.normal * round.radius),
            };
            detection.push(self.index, contact(nearest, key));
            for (ridge, other) in (1..).zip(across) {
                let is_near =
                    |o: &AntagonistPoint<D>| (-self.depth..=self.reach).contains(&(o.projection.gap - self.ball()));
                if let Some(other) = other.filter(is_near) {
                    detection.push_across(contact(other, ContactKey { corner: ridge, ..key }));
                }
            }
        }
        Ok(())
    }

    /// The antagonist points across the re-entrant ridges of the nearest facet, by ridge.
    fn across(
        &self,
        nearest: &mut AntagonistPoint<D>,
        point: &Vector<D>,
        positions: &[&[f64]],
        surfaces: &[FacetTree<D>],
        motion: &RigidMotion<D>,
    ) -> Vec<Option<AntagonistPoint<D>>> {
        let Some(facet) = nearest.facet.filter(|_| self.corners) else { return Vec::new() };
        let (facets, x, is_body) = match self.target {
            PreparedAntagonist::Surface(index) => {
                let facets = &surfaces[*index];
                (facets, positions[facets.surface.body()], true)
            }
            PreparedAntagonist::Rigid { facets, placed, .. } => (facets, placed.as_slice(), false),
            PreparedAntagonist::Formula { .. } => return Vec::new(),
        };
        if !facets.corners[facet].contains(&true) {
            return Vec::new();
        }
        let surface = &facets.surface;
        let at = |facet: usize, projection: Projection<D>| {
            if is_body {
                on_body(surface, facet, projection)
            } else {
                on_obstacle(motion, point, Some(facet), projection)
            }
        };
        let Corners { own, others } = Corners::at(surface, &facets.corners[facet], x, facet, point);
        if let Some(own) = own {
            *nearest = at(facet, own);
        }
        others.into_iter().map(|other| other.map(|(facet, projection)| at(facet, projection))).collect()
    }

    /// The nearest antagonist point of a candidate, and the number of facets looked at.
    fn antagonist_of(
        &self,
        candidate: usize,
        point: &Vector<D>,
        positions: &[&[f64]],
        surfaces: &[FacetTree<D>],
        motion: &RigidMotion<D>,
    ) -> (Option<AntagonistPoint<D>>, usize) {
        match self.target {
            PreparedAntagonist::Surface(index) => {
                let facets = &surfaces[*index];
                let x = positions[facets.surface.body()];
                let own = self.own_depths.map(|depths| {
                    OwnBody::new(&facets.surface, x, &self.candidates.points()[candidate], depths[candidate])
                });
                let (nearest, visited) = self.nearest(facets, x, own.as_ref(), point);
                let found = nearest.map(|(facet, projection)| {
                    let found = on_body(&facets.surface, facet, projection);
                    AntagonistPoint { projection: self.with_normal(&facets.surface, x, facet, projection), ..found }
                });
                (found, visited)
            }
            PreparedAntagonist::Rigid { facets, placed, .. } => {
                let (nearest, visited) = self.nearest(facets, placed, None, point);
                let found = nearest.map(|(facet, projection)| {
                    // The velocity is that of the foot, which the facet's own normal leads to.
                    let found = on_obstacle(motion, point, Some(facet), projection);
                    AntagonistPoint {
                        projection: self.with_normal(&facets.surface, placed, facet, projection),
                        ..found
                    }
                });
                (found, visited)
            }
            PreparedAntagonist::Formula { placed, .. } => {
                let (gap, normal) = placed.gap(point);
                let projection = Projection { distance: gap.abs(), gap, normal, weights: Few::default() };
                let seen = projection.distance <= self.radius() || !placed.has_other_side();
                (seen.then(|| on_obstacle(motion, point, None, projection)), 0)
            }
        }
    }

    /// Radius of the balls whose centres the candidates are; 0 if they are points.
    fn ball(&self) -> f64 {
        self.candidates.as_round().map_or(0.0, |round| round.radius)
    }

    /// The side of a candidate that touches along a normal.
    fn candidate_side(&self, candidate: &CandidatePoint, normal: &Vector<D>) -> Side<D> {
        let body = self.candidates.body();
        match self.candidates.as_round() {
            Some(Round { radius, rotation }) => Side::on_arm(body, candidate.nodes()[0], rotation, normal * -radius),
            None => Side::on_nodes(body, candidate.shares()),
        }
    }

    /// Twice the depth: behind the face candidates are looked for so far, to tell those that went through.
    fn radius(&self) -> f64 {
        self.reach.max(2.0 * self.depth) + self.ball()
    }

    /// Nearest facet and projection; `own` is the candidate if the facets are of the same body.
    fn nearest(
        &self,
        FacetTree { surface, tree, .. }: &FacetTree<D>,
        positions: &[f64],
        own: Option<&OwnBody<'_, D>>,
        point: &Vector<D>,
    ) -> (Option<(usize, Projection<D>)>, usize) {
        let (nearest, visited) = tree.nearest(point, self.radius(), |facet, within| {
            let projection = match own {
                Some(own) => own.project(surface, positions, facet, point, within),
                None => Dimension::<D>::project(surface, positions, facet, point, within),
            };
            projection.map(|p| (p.distance, p))
        });
        (nearest.map(|n| (n.facet, n.value)), visited)
    }

    /// The projection with the normal that the pair wants ([`Normals`]); the facet's own where the other is not defined.
    fn with_normal(
        &self,
        surface: &FacetSurface<D>,
        positions: &[f64],
        facet: usize,
        projection: Projection<D>,
    ) -> Projection<D> {
        if self.normals == Normals::Facet {
            return projection;
        }
        let mut sum = Vector::zeros();
        for (node, weight) in surface.facets()[facet].into_iter().zip(projection.weights) {
            if let Some((normal, _)) = unit(&surface.normal_at(&[node], positions)) {
                sum += normal * weight;
            }
        }
        match unit(&sum) {
            Some((normal, _)) if normal.dot(&projection.normal) > 0.0 => {
                Projection { normal, gap: projection.gap * normal.dot(&projection.normal), ..projection }
            }
            _ => projection,
        }
    }
}

/// A point of a facet of a body.
fn on_body<const D: usize>(surface: &FacetSurface<D>, facet: usize, projection: Projection<D>) -> AntagonistPoint<D> {
    let weights = surface.facets()[facet].into_iter().zip(projection.weights);
    AntagonistPoint { projection, side: Side::on_nodes(surface.body(), weights), facet: Some(facet) }
}

/// A point of an obstacle, with the velocity that it has there.
fn on_obstacle<const D: usize>(
    motion: &RigidMotion<D>,
    point: &Vector<D>,
    facet: Option<usize>,
    projection: Projection<D>,
) -> AntagonistPoint<D> {
    let foot = point - projection.normal * projection.gap;
    AntagonistPoint { projection, side: Side::on_obstacle(motion.velocity_at(&foot)), facet }
}

fn key_index(index: usize) -> Result<u32, ContactError> {
    u32::try_from(index).map_err(|_| ContactError::TooManyCandidates { index })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_a_limit() {
        let index = u32::MAX as usize + 1;
        assert_eq!(key_index(index), Err(ContactError::TooManyCandidates { index }));
        assert_eq!(key_index(index - 1), Ok(u32::MAX));
    }
}
