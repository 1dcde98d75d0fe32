//! Rigid obstacles made of triangles and quadrilaterals (3D), closed or open.
//!
//! ```text
//! volume = ⅙ Σ_triangles a·(b × c)      > 0: the faces look outwards, solid inside
//! ```
//!
//! The gap is the signed distance, with the ridges of [`crate::Dimension`]: one contact per candidate, also in the corners of a
//! container. Crossing faces are not detected; the caller must not pass them.

use super::checks::{check_finite, components};
use crate::{ContactError, Dimension, FacetNodes, Few, NarrowPhase, RigidSurface, Solid, Vector};

/// Volume of a closed surface that is none, relative to the cube of its extent.
const FLAT: f64 = 1e-12;

impl RigidSurface<3> {
    /// A surface as it is oriented, open or closed: points (m), and facets of three or four points each, counter-clockwise seen from
    /// outside the solid.
    ///
    /// # Errors
    /// If there is no facet, a point is not finite or not there, a facet has no area, three facets share an edge, or neighbours are
    /// oriented differently.
    pub fn mesh(points: Vec<Vector<3>>, facets: Vec<impl Into<FacetNodes>>) -> Result<Self, ContactError> {
        let facets: Vec<FacetNodes> = facets.into_iter().map(Into::into).collect();
        points.iter().try_for_each(|p| check_finite("point", p))?;
        for (facet, corners) in facets.iter().enumerate() {
            if let Some(&point) = corners.iter().find(|&&p| p >= points.len()) {
                return Err(ContactError::UnknownPoint { facet, point, n_points: points.len() });
            }
        }
        let surface = Self::from_facets(points, facets)?;
        for (facet, nodes) in surface.facets().iter().enumerate() {
            let corners: Few<Vector<3>> = nodes.map(|i| surface.points()[i]);
            if Dimension::<3>::normal(&corners).is_none() {
                return Err(ContactError::FlatObstacleFacet {
                    facet,
                    corners: corners.iter().map(components).collect(),
                });
            }
        }
        Ok(surface)
    }

    /// A closed surface, oriented by `solid` (all facets are turned over if need be).
    ///
    /// # Errors
    /// As [`RigidSurface::mesh`]; and if the surface has a border or encloses no volume.
    pub fn solid(
        points: Vec<Vector<3>>,
        facets: Vec<impl Into<FacetNodes>>,
        solid: Solid,
    ) -> Result<Self, ContactError> {
        let surface = Self::mesh(points, facets)?;
        for (facet, nodes) in surface.facets().iter().enumerate() {
            let neighbours = surface.surface().neighbours(facet);
            if let Some(k) = neighbours.iter().position(Option::is_none) {
                let (from, to) = (nodes[k], nodes[(k + 1) % nodes.len()]);
                return Err(ContactError::OpenSolid { facet, from, to });
            }
        }
        let (volume, extent) = volume(&surface);
        if volume.abs() <= FLAT * extent.powi(3) {
            return Err(ContactError::FlatSolid { n_facets: surface.facets().len(), volume });
        }
        if (volume > 0.0) == (solid == Solid::Inside) {
            return Ok(surface);
        }
        let turned = surface.facets().iter().map(|f| Few::from_fn(f.len(), |k| f[f.len() - 1 - k]));
        Self::from_facets(surface.points().to_vec(), turned.collect::<Vec<FacetNodes>>())
    }
}

/// Signed volume (m³), and the extent (m).
fn volume(surface: &RigidSurface<3>) -> (f64, f64) {
    // From one of the points, so that a surface far from the origin keeps its digits.
    let from_base = |i: usize| surface.points()[i] - surface.points()[surface.facets()[0][0]];
    let (mut sum, mut extent): (f64, f64) = (0.0, 0.0);
    for facet in surface.facets() {
        let c: Few<Vector<3>> = facet.map(from_base);
        extent = c.iter().map(|x| x.amax()).fold(extent, f64::max);
        let part = |i: usize, j: usize, k: usize| c[i].dot(&c[j].cross(&c[k])) / 6.0;
        sum += if c.len() == 3 {
            part(0, 1, 2)
        } else {
            // As far as volume goes, a bilinear face is the mean of its two cuts into triangles.
            0.5 * (part(0, 1, 2) + part(0, 2, 3) + part(1, 2, 3) + part(1, 3, 0))
        };
    }
    (sum, extent)
}
