//! What every mesh file can be asked for, whatever its format.

use crate::{Mesh, MeshError};

/// The contents of a mesh file: bodies in the plane or in space, or a surface for a rigid obstacle.
pub trait MeshFile: std::fmt::Debug {
    /// The bodies of a plane file.
    ///
    /// # Errors
    /// If the file has cells of space, none of the plane, cells of a kind that is not computed with, or a bad shape.
    fn plane(&self) -> Result<Mesh<2>, MeshError>;

    /// The bodies of a file in space.
    ///
    /// # Errors
    /// As [`MeshFile::plane`].
    fn space(&self) -> Result<Mesh<3>, MeshError>;

    /// The triangles and quadrilaterals of a group, or of the whole file, in the order and orientation of the file.
    ///
    /// # Errors
    /// If there is no such group, it is not a surface, or its cells are not linear.
    fn surface(&self, group: Option<&str>) -> Result<SurfaceMesh, MeshError>;
}

/// A surface of triangles and quadrilaterals in space, as it is oriented in its file: for rigid obstacles, which have no bulk.
#[derive(Debug, Clone, PartialEq)]
pub struct SurfaceMesh {
    /// Points used by the facets \[m\].
    pub points: Vec<[f64; 3]>,
    /// Three or four corners each, in the order of the file.
    pub facets: Vec<Vec<usize>>,
}

/// Collects the facets of a surface and the points they use.
pub(crate) struct SurfaceMaker {
    places: Vec<Option<usize>>,
    surface: SurfaceMesh,
}

impl SurfaceMaker {
    /// For a file with this many points.
    pub(crate) fn new(n_points: usize) -> Self {
        Self { places: vec![None; n_points], surface: SurfaceMesh { points: Vec::new(), facets: Vec::new() } }
    }

    /// Adds a facet; `at` gives the place of a point of the file.
    pub(crate) fn push(&mut self, corners: impl Iterator<Item = usize>, at: impl Fn(usize) -> [f64; 3]) {
        let Self { places, surface } = self;
        let corner = |point: usize| match places.get(point).copied().flatten() {
            Some(place) => place,
            None => {
                surface.points.push(at(point));
                let place = surface.points.len() - 1;
                if let Some(entry) = places.get_mut(point) {
                    *entry = Some(place);
                }
                place
            }
        };
        let facet = corners.map(corner).collect();
        surface.facets.push(facet);
    }

    pub(crate) fn finish(self) -> SurfaceMesh {
        self.surface
    }
}
