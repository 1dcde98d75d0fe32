//! What all shapes are made of: a *core* of corners, edges and faces, and a radius around it.
//!
//! ```text
//! disk, sphere, point   one corner,               radius r (0 for a point)
//! capsule               two corners, one edge,    radius r
//! polygon, polyhedron   corners, edges and faces, radius 0; convex or not
//! ```
//!
//! A distance between shapes is the distance between their cores less the radii. In the plane a face is a side of two corners, there are
//! no edges, and the core of a capsule has two faces back to back. A re-entrant polyhedron has triangles as faces; those of a convex one that lie
//! in one plane are one face.

use std::collections::BTreeSet;

use delassus_contact::{Aabb, BoxTree, Vector};

/// A face with its exact unit normal.
#[derive(Debug, Clone, PartialEq)]
pub struct CoreFace<const D: usize> {
    /// Outward unit normal.
    pub normal: Vector<D>,
    /// Corners, counter-clockwise seen from outside (in the plane: two, the solid on the left).
    pub corners: Vec<usize>,
}

/// How two faces meet at an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bend {
    Convex,
    Flat,
    Reentrant,
}

/// An edge in space: where two faces meet, or the core of a capsule.
#[derive(Debug, Clone, PartialEq)]
pub struct CoreEdge {
    /// Ends, in the direction in which the first face runs along it.
    pub ends: [usize; 2],
    /// The two faces; none at the core of a capsule.
    pub faces: Option<[usize; 2]>,
    pub bend: Bend,
}

/// Corners, edges and faces, and a radius around them.
#[derive(Debug, Clone)]
pub struct Core<const D: usize> {
    /// Corners (m).
    pub points: Vec<Vector<D>>,
    pub faces: Vec<CoreFace<D>>,
    pub edges: Vec<CoreEdge>,
    /// Radius around the core (m).
    pub radius: f64,
    pub is_convex: bool,
    /// Mean of the corners (m).
    pub centre: Vector<D>,
    /// Largest distance of a corner from the centre (m).
    pub extent: f64,
    /// For each corner the other ends of its edges.
    pub neighbours: Vec<Vec<usize>>,
    /// For each corner its faces.
    pub faces_at: Vec<Vec<usize>>,
    /// For each corner a direction whose sign tells inside from outside (Bærentzen & Aanæs 2005): the mean of the normals of its
    /// faces, weighted by their angles there.
    pub pseudonormals: Vec<Vector<D>>,
    /// Edges by their ends, the lower first.
    edge_numbers: Vec<([usize; 2], usize)>,
    /// For each face the lowest of the faces that lie in one plane with it and are joined to it.
    pub plane_of: Vec<usize>,
    /// Does a corner have an angle, or does it lie within a face or along an edge?
    pub is_corner: Vec<bool>,
    /// Of a core that is not convex: boxes around its faces.
    pub tree: Option<BoxTree<D>>,
}

impl<const D: usize> Core<D> {
    /// Completes what follows from corners, faces and edges.
    pub fn new(
        points: Vec<Vector<D>>,
        faces: Vec<CoreFace<D>>,
        edges: Vec<CoreEdge>,
        radius: f64,
        is_convex: bool,
    ) -> Self {
        let n = points.len();
        let centre = points.iter().sum::<Vector<D>>() / n.max(1) as f64;
        let extent = points.iter().map(|p| (p - centre).norm()).fold(0.0, f64::max);
        let mut neighbours = vec![Vec::new(); n];
        let mut faces_at = vec![Vec::new(); n];
        let mut pseudonormals = vec![Vector::zeros(); n];
        for (f, face) in faces.iter().enumerate() {
            let k = face.corners.len();
            for (i, &corner) in face.corners.iter().enumerate() {
                faces_at[corner].push(f);
                let next = face.corners[(i + 1) % k];
                neighbours[corner].push(next);
                neighbours[next].push(corner);
                let [to, from] = [next, face.corners[(i + k - 1) % k]].map(|c| points[c] - points[corner]);
                // The angle of a side with itself is zero: in the plane all weights are equal.
                let angle = if k > 2 { angle_between(&to, &from) } else { 1.0 };
                pseudonormals[corner] += face.normal * angle;
            }
        }
        for edge in &edges {
            neighbours[edge.ends[0]].push(edge.ends[1]);
            neighbours[edge.ends[1]].push(edge.ends[0]);
        }
        for list in &mut neighbours {
            list.sort_unstable();
            list.dedup();
        }
        let boxes: Vec<Aabb<D>> = faces.iter().map(|f| Aabb::around(f.corners.iter().map(|&c| points[c]))).collect();
        let tree = (!is_convex).then(|| BoxTree::new(&boxes));
        let mut edge_numbers: Vec<([usize; 2], usize)> =
            edges.iter().enumerate().map(|(i, e)| ([e.ends[0].min(e.ends[1]), e.ends[0].max(e.ends[1])], i)).collect();
        edge_numbers.sort_unstable();
        let plane_of = planes(faces.len(), &edges);
        let planes_at = |list: &Vec<usize>| list.iter().map(|&f| plane_of[f]).collect::<BTreeSet<_>>().len();
        let is_corner = faces_at.iter().map(|list| D == 2 || list.is_empty() || planes_at(list) > 2).collect();
        Self {
            points,
            faces,
            edges,
            radius,
            is_convex,
            centre,
            extent,
            neighbours,
            faces_at,
            pseudonormals,
            edge_numbers,
            plane_of,
            is_corner,
            tree,
        }
    }

    /// A ball, or a point.
    pub fn ball(centre: Vector<D>, radius: f64) -> Self {
        Self::new(vec![centre], Vec::new(), Vec::new(), radius, true)
    }

    /// A capsule.
    pub fn capsule(ends: [Vector<D>; 2], radius: f64) -> Self {
        let edge = CoreEdge { ends: [0, 1], faces: None, bend: Bend::Convex };
        if D != 2 {
            return Self::new(ends.to_vec(), Vec::new(), vec![edge], radius, true);
        }
        let along = (ends[1] - ends[0]).normalize();
        let side = |corners: [usize; 2], sign: f64| {
            let mut normal = Vector::zeros();
            normal[0] = sign * along[1];
            normal[1] = -sign * along[0];
            CoreFace { normal, corners: corners.to_vec() }
        };
        Self::new(ends.to_vec(), vec![side([0, 1], 1.0), side([1, 0], -1.0)], Vec::new(), radius, true)
    }

    /// The number of features: corners, edges and faces, in this order.
    pub fn n_features(&self) -> usize {
        self.points.len() + self.edges.len() + self.faces.len()
    }

    /// The number of a feature.
    pub fn number(&self, feature: Feature) -> u32 {
        let index = match feature {
            Feature::Corner(i) => i,
            Feature::Edge(i) => self.points.len() + i,
            Feature::Face(i) => self.points.len() + self.edges.len() + i,
        };
        u32::try_from(index).unwrap_or(u32::MAX)
    }

    /// The edge between two corners.
    pub fn edge_between(&self, from: usize, to: usize) -> Option<usize> {
        let ends = [from.min(to), from.max(to)];
        let place = self.edge_numbers.binary_search_by(|(e, _)| e.cmp(&ends)).ok()?;
        Some(self.edge_numbers[place].1)
    }

    /// The same after a rigid motion: of the parts of a clump.
    pub fn moved(&self, pose: &crate::ShapePose<D>) -> Self {
        let points = self.points.iter().map(|p| pose.place(p)).collect();
        let turned = |f: &CoreFace<D>| CoreFace { normal: pose.rotation * f.normal, corners: f.corners.clone() };
        Self::new(points, self.faces.iter().map(turned).collect(), self.edges.clone(), self.radius, self.is_convex)
    }
}

/// A part of a core's boundary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feature {
    Corner(usize),
    Edge(usize),
    Face(usize),
}

/// For each face the lowest one of its plane.
fn planes(n_faces: usize, edges: &[CoreEdge]) -> Vec<usize> {
    let mut lowest: Vec<usize> = (0..n_faces).collect();
    let root = |lowest: &[usize], mut i: usize| {
        while lowest[i] != i {
            i = lowest[i];
        }
        i
    };
    for edge in edges.iter().filter(|e| e.bend == Bend::Flat) {
        let Some(faces) = edge.faces else { continue };
        let [a, b] = faces.map(|f| root(&lowest, f));
        lowest[a.max(b)] = a.min(b);
    }
    (0..n_faces).map(|f| root(&lowest, f)).collect()
}

/// The angle between two directions (rad), also where it is small or close to π.
fn angle_between<const D: usize>(a: &Vector<D>, b: &Vector<D>) -> f64 {
    let (a, b) = (a.normalize(), b.normalize());
    2.0 * delassus_math::atan2((a - b).norm(), (a + b).norm())
}

/// The unit vector along a coordinate.
pub(crate) fn axis<const D: usize>(k: usize) -> Vector<D> {
    Vector::from_fn(|i, _| if i == k { 1.0 } else { 0.0 })
}
