//! Cores in a common frame, and contacts between them.

use delassus_contact::Vector;

use crate::ShapePose;
use crate::core::{Core, Feature};

/// A contact between cores: features, points and normal in one frame, gap without the radii.
#[derive(Debug, Clone, Copy)]
pub struct Hit<const D: usize> {
    pub features: [Feature; 2],
    pub points: [Vector<D>; 2],
    pub normal: Vector<D>,
    pub gap: f64,
    /// Share of the common part of two faces (m², in the plane m); 0 where no faces face one another.
    pub area: f64,
}

impl<const D: usize> Hit<D> {
    /// The same with a and b exchanged.
    pub fn swapped(&self) -> Self {
        let ([a, b], [p, q]) = (self.features, self.points);
        Self { features: [b, a], points: [q, p], normal: -self.normal, ..*self }
    }
}

/// A core with its corners and normals in the frame of a pair.
#[derive(Debug)]
pub struct PlacedCore<'c, const D: usize> {
    pub core: &'c Core<D>,
    /// Corners (m).
    pub points: Vec<Vector<D>>,
    /// Normals of the faces.
    pub normals: Vec<Vector<D>>,
    /// Mean of the corners (m).
    pub centre: Vector<D>,
}

impl<'c, const D: usize> PlacedCore<'c, D> {
    /// A core in the frame of the pair where it has this pose.
    pub fn new(core: &'c Core<D>, pose: &ShapePose<D>) -> Self {
        Self {
            core,
            points: core.points.iter().map(|p| pose.place(p)).collect(),
            normals: core.faces.iter().map(|f| pose.rotation * f.normal).collect(),
            centre: pose.place(&core.centre),
        }
    }

    /// The core whose frame is that of the pair.
    pub fn at_home(core: &'c Core<D>) -> Self {
        let normals = core.faces.iter().map(|f| f.normal).collect();
        Self { core, points: core.points.clone(), normals, centre: core.centre }
    }

    /// The corner farthest in a direction (the first among equals), and how far it is.
    pub fn farthest(&self, direction: &Vector<D>) -> (usize, f64) {
        let mut best = (0, f64::NEG_INFINITY);
        for (i, p) in self.points.iter().enumerate() {
            let along = direction.dot(p);
            if along > best.1 {
                best = (i, along);
            }
        }
        best
    }

    /// Height of the plane of a face (m) along its normal.
    pub fn level(&self, face: usize) -> f64 {
        self.normals[face].dot(&self.points[self.core.faces[face].corners[0]])
    }
}
