//! Areas of a body's surface, its links to the ground, and its scales.

use delassus_mesh::{Facet, Mesh};

use super::{Body, Characteristics};
use crate::error::FemError;
use crate::surface::{self, FacePoint};

impl<const D: usize> Body<D> {
    /// Area that belongs to each node of a surface \[m²\], ∫ N_a dA, nodes ascending; facets as of
    /// [`Mesh::group_facets`](delassus_mesh::Mesh::group_facets). Zero or negative at the corners of quadratic facets of
    /// three-dimensional bodies.
    ///
    /// # Errors
    /// [`FemError::NoElement`] for a kind of facet without shape functions.
    pub fn tributary_areas(&self, facets: &[Facet]) -> Result<Vec<(usize, f64)>, FemError> {
        surface::tributary_areas(&self.input.mesh, facets, self.input.section)
            .map_err(|e| e.at(format!("body `{}`", self.input.name)))
    }

    /// Quadrature points of facets with their areas \[m²\]: where forces that add up to a uniform pressure act, on quadratic facets
    /// too.
    ///
    /// # Errors
    /// [`FemError::NoElement`] for a kind of facet without shape functions.
    pub fn face_points(&self, facets: &[Facet]) -> Result<Vec<FacePoint>, FemError> {
        surface::face_points(&self.input.mesh, facets, self.input.section)
            .map_err(|e| e.at(format!("body `{}`", self.input.name)))
    }

    /// Adds the forces of the ground on the nodes, −K_g u − C_g v \[N\].
    pub fn add_ground_forces(&self, u: &[f64], v: &[f64], out: &mut [f64]) {
        let mut force = vec![0.0; out.len()];
        self.links.add_elastic(u, &mut force);
        self.links.add_viscous(v, &mut force);
        out.iter_mut().zip(force).for_each(|(f, g)| *f -= g);
    }

    /// Do springs or dashpots link it to the ground?
    #[must_use]
    pub fn has_ground_forces(&self) -> bool {
        !self.links.is_empty()
    }

    /// Length, speed and time scales of the body.
    #[must_use]
    pub fn characteristics(&self) -> Characteristics {
        let mut c = Characteristics { min_edge: f64::INFINITY, max_wave_speed: 0.0, crossing_time: f64::INFINITY };
        for (cell, nodes) in self.assembly.cells() {
            let Some(region) = self.region_of_cell(cell) else { continue };
            let speed = self.input.regions[region].material.wave_speed();
            let edge = shortest_distance(&self.input.mesh, nodes);
            c.min_edge = c.min_edge.min(edge);
            c.max_wave_speed = c.max_wave_speed.max(speed);
            c.crossing_time = c.crossing_time.min(edge / speed);
        }
        c
    }
}

/// Shortest distance between two nodes of a cell.
fn shortest_distance<const D: usize>(mesh: &Mesh<D>, nodes: &[usize]) -> f64 {
    let square =
        |a: usize, b: usize| mesh.points[a].iter().zip(&mesh.points[b]).map(|(x, y)| (x - y) * (x - y)).sum::<f64>();
    let pairs = nodes.iter().enumerate().flat_map(|(k, &a)| nodes[..k].iter().map(move |&b| (a, b)));
    pairs.map(|(a, b)| square(a, b)).fold(f64::INFINITY, f64::min).sqrt()
}
