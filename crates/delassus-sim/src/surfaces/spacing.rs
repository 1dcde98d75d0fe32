//! The spacing of the candidates of a contact, compared with the facets that they may touch.
//!
//! Contact is detected at the candidates only, not between them. Anything smaller than their spacing passes between them: a node of the
//! antagonist, or a whole body. So the finer side should have the candidates.
//!
//! Meshes are graded, so the two are compared where the contact begins: at the candidates that are nearest to the other side at the
//! start, within two facets of the nearest. Medians are taken. Where no candidate faces the other side, of all.

use std::collections::{BTreeMap, BTreeSet};

use delassus_contact::{CandidateSet, Contact, FacetSurface, Map, NarrowPhase, Vector};
use delassus_math as math;

use super::SurfaceWatch;
use crate::model::{Model, ModelAntagonist, Pass};
use crate::space::{Dimension, Space};

/// Facets beyond the smallest gap up to which candidates count.
const NEAR: f64 = 2.0;

/// The fineness of the two sides of a pass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spacing {
    /// Distance between neighbouring candidates \[m\].
    pub candidates: f64,
    /// Size of the facets that they may touch \[m\].
    pub facets: f64,
}

impl<const D: usize> SurfaceWatch<D>
where
    Dimension<D>: Space<D>,
{
    /// The fineness of the sides of a pass between bodies, with its contacts at the start; `None` against an obstacle.
    #[must_use]
    pub fn spacing(&self, model: &Model<D>, pass: &Pass<'_, D>, contacts: &[Contact<D>]) -> Option<Spacing> {
        let ModelAntagonist::Surface(surface) = pass.antagonist else { return None };
        let rest: Vec<f64> = model.bodies[surface.body()].body.mesh().points.iter().flatten().copied().collect();
        let size = |f: usize| Dimension::<D>::size(&surface.corners(f, &rest));
        let apart = self.candidate_spacings(model, pass.candidates);
        let faced: Vec<(f64, f64, f64)> = contacts
            .iter()
            .filter_map(|c| {
                let facet = faced_facet(surface, c)?;
                Some((c.gap, *apart.get(c.key.candidate as usize)?, size(facet)))
            })
            .collect();
        let nearest = faced.iter().map(|f| f.0).fold(f64::INFINITY, f64::min);
        let near = faced.iter().filter(|(gap, a, b)| *gap <= nearest + NEAR * a.max(*b));
        let (mut candidates, mut facets): (Vec<f64>, Vec<f64>) = near.map(|&(_, a, b)| (a, b)).unzip();
        if candidates.is_empty() {
            (candidates, facets) = (apart, (0..surface.facets().len()).map(size).collect());
        }
        Some(Spacing { candidates: median(candidates)?, facets: median(facets)? })
    }

    /// Distance of every candidate from its neighbours at rest: that of nodes is the size of the facets between them, that of points inside a
    /// facet its share.
    fn candidate_spacings(&self, model: &Model<D>, set: &CandidateSet) -> Vec<f64> {
        let mesh = model.bodies[set.body()].body.mesh();
        let nodes: BTreeSet<usize> = set.nodes().iter().copied().collect();
        let mut at_node: BTreeMap<usize, f64> = BTreeMap::new();
        for solid in &self.solids[self.solids_of(set.body())] {
            let shape = &self.shapes[solid.shape];
            for (facet, &size) in shape.surface().facets().iter().zip(shape.facet_sizes()) {
                let global = facet.map(|n| solid.nodes[n]);
                if global.iter().all(|n| nodes.contains(n)) {
                    for n in global {
                        let known = at_node.entry(n).or_insert(0.0);
                        *known = known.max(size);
                    }
                }
            }
        }
        let mut on_facet: BTreeMap<&[usize], usize> = BTreeMap::new();
        for point in set.points() {
            *on_facet.entry(point.nodes()).or_default() += 1;
        }
        let spacing = |nodes: &[usize]| match nodes {
            [node] => at_node.get(node).copied().unwrap_or(0.0),
            _ => {
                let x = |n: usize| Vector::<D>::from(mesh.points[n]);
                let across = nodes.iter().flat_map(|&a| nodes.iter().map(move |&b| (x(a) - x(b)).norm()));
                // A square has a diagonal of √2 sides; along a side of it are √m of its m points.
                let side = across.fold(0.0, f64::max) / ((D - 1) as f64).sqrt();
                side / math::powf(on_facet[nodes] as f64, 1.0 / (D - 1) as f64)
            }
        };
        set.points().iter().map(|p| spacing(p.nodes())).collect()
    }
}

/// The facet on which the antagonist point of a contact is.
fn faced_facet<const D: usize>(surface: &FacetSurface<D>, contact: &Contact<D>) -> Option<usize> {
    let Map::Nodes(weights) = &contact.sides[1].map else { return None };
    let (first, _) = weights.first()?;
    surface.facets_of(*first).find(|&f| weights.iter().all(|(n, _)| surface.facets()[f].contains(n)))
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}
