//! Shapes of rigid bodies.

use delassus_contact::{Aabb, Dimension, Matrix, Vector};

use crate::core::Core;
use crate::{ShapeError, ShapePose, ShapeSpace};

/// Largest coordinate (m): squares of areas and inertias of what is larger could overflow.
const LARGEST: f64 = 1e50;

/// Smallest size (m): the same downwards.
const SMALLEST: f64 = 1e-50;

/// How far a rotation may be from an orthonormal one.
const NOT_RIGID: f64 = 1e-9;

/// The shape of a rigid body, in a frame of its own: one part, or several (a clump).
#[derive(Debug, Clone)]
pub struct RigidShape<const D: usize> {
    pub(crate) parts: Vec<ShapePart<D>>,
}

#[derive(Debug, Clone)]
pub(crate) enum ShapePart<const D: usize> {
    Core(Box<Core<D>>),
    /// All points x with normal·x ≤ offset (m).
    HalfSpace {
        normal: Vector<D>,
        offset: f64,
    },
}

impl<const D: usize> ShapePart<D> {
    pub fn n_features(&self) -> usize {
        match self {
            Self::Core(core) => core.n_features(),
            Self::HalfSpace { .. } => 1,
        }
    }
}

/// Points and polygons of a surface, for output and pictures.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ShapeSurface<const D: usize> {
    /// Points (m), in the shape's frame.
    pub points: Vec<Vector<D>>,
    /// Polygons: numbers of points, counter-clockwise (seen from outside in space). In the plane one for each part, not always convex.
    pub facets: Vec<Vec<usize>>,
}

impl<const D: usize> RigidShape<D> {
    fn one(core: Core<D>) -> Self {
        Self { parts: vec![ShapePart::Core(Box::new(core))] }
    }

    /// A disk or a sphere about the origin, with its radius (m).
    pub fn ball(radius: f64) -> Result<Self, ShapeError> {
        check_size("radius", radius)?;
        Ok(Self::one(Core::ball(Vector::zeros(), radius)))
    }

    /// A point without size, for point masses.
    #[must_use]
    pub fn point() -> Self {
        Self::one(Core::ball(Vector::zeros(), 0.0))
    }

    /// All that is nearer than `radius` (m) to the segment between two points (m).
    pub fn capsule(ends: [Vector<D>; 2], radius: f64) -> Result<Self, ShapeError> {
        check_size("radius", radius)?;
        check_points(&ends)?;
        check_size("length", (ends[1] - ends[0]).norm())?;
        Ok(Self::one(Core::capsule(ends, radius)))
    }

    /// A wall: all that is below the plane through the origin. The normal points out of it; its length does not matter.
    pub fn half_space(normal: Vector<D>) -> Result<Self, ShapeError> {
        let length = normal.norm();
        if !(length.is_finite() && length > 0.0) {
            return Err(ShapeError::ShapeNormal { normal: normal.iter().copied().collect() });
        }
        Ok(Self { parts: vec![ShapePart::HalfSpace { normal: normal / length, offset: 0.0 }] })
    }

    /// A rectangle or a box about the origin, with its lengths (m) along the axes.
    pub fn block(lengths: Vector<D>) -> Result<Self, ShapeError>
    where
        Dimension<D>: ShapeSpace<D>,
    {
        for length in lengths.iter() {
            check_size("length", *length)?;
        }
        Dimension::<D>::block(&(0.5 * lengths)).map(Self::one)
    }

    /// Several shapes that move together. Where parts overlap, mass by density counts twice.
    pub fn clump(parts: &[(Self, ShapePose<D>)]) -> Result<Self, ShapeError> {
        let mut all = Vec::new();
        for (number, (shape, pose)) in parts.iter().enumerate() {
            let error = (pose.rotation.tr_mul(&pose.rotation) - Matrix::identity()).amax();
            let is_rigid = pose.is_finite() && error <= NOT_RIGID && pose.position.amax() < LARGEST;
            if !is_rigid {
                return Err(ShapeError::ClumpPose {
                    part: number,
                    error: if pose.is_finite() { error } else { f64::NAN },
                });
            }
            for part in &shape.parts {
                match part {
                    ShapePart::Core(core) => all.push(ShapePart::Core(Box::new(core.moved(pose)))),
                    ShapePart::HalfSpace { .. } => {
                        return Err(ShapeError::ClumpParts { what: "has a half-space as a part" });
                    }
                }
            }
        }
        if all.is_empty() {
            return Err(ShapeError::ClumpParts { what: "has no parts" });
        }
        Ok(Self { parts: all })
    }

    /// The same shape in another frame: `pose` is where this frame is in the other one. With it the origin can be put into the centre of mass.
    #[must_use]
    pub fn moved(&self, pose: &ShapePose<D>) -> Self {
        let moved = |part: &ShapePart<D>| match part {
            ShapePart::Core(core) => ShapePart::Core(Box::new(core.moved(pose))),
            ShapePart::HalfSpace { normal, offset } => {
                let turned = pose.rotation * normal;
                ShapePart::HalfSpace { normal: turned, offset: offset + turned.dot(&pose.position) }
            }
        };
        Self { parts: self.parts.iter().map(moved).collect() }
    }

    /// Does it end somewhere? A half-space does not.
    #[must_use]
    pub fn is_bounded(&self) -> bool {
        self.cores().count() == self.parts.len()
    }

    /// Are all parts convex?
    #[must_use]
    pub fn is_convex(&self) -> bool {
        self.cores().all(|c| c.is_convex)
    }

    /// Do its contacts have areas? They do where all parts are convex and have plane faces.
    #[must_use]
    pub fn has_areas(&self) -> bool {
        self.cores().all(|c| c.is_convex && c.radius <= 0.0 && !c.faces.is_empty())
    }

    pub(crate) fn cores(&self) -> impl Iterator<Item = &Core<D>> {
        self.parts.iter().filter_map(|p| match p {
            ShapePart::Core(core) => Some(&**core),
            ShapePart::HalfSpace { .. } => None,
        })
    }

    /// Radius of the ball about the origin of the shape's frame that holds the shape (m); infinite for a half-space.
    #[must_use]
    pub fn bounding_radius(&self) -> f64 {
        if !self.is_bounded() {
            return f64::INFINITY;
        }
        let of = |c: &Core<D>| c.radius + c.points.iter().map(|p| p.norm()).fold(0.0, f64::max);
        self.cores().map(of).fold(0.0, f64::max)
    }

    /// Radius of a ball that is not larger than the shape is thick (m), for steps and reaches: the radius of round parts, else the distance of the mean of the
    /// corners from the nearest face. The smallest of the parts; infinite for a half-space.
    #[must_use]
    pub fn inner_size(&self) -> f64 {
        let of = |c: &Core<D>| {
            let inner = c.faces.iter().map(|f| f.normal.dot(&(c.points[f.corners[0]] - c.centre)).abs());
            if c.radius > 0.0 { c.radius } else { inner.fold(f64::INFINITY, f64::min).min(c.extent) }
        };
        self.cores().map(of).fold(f64::INFINITY, f64::min)
    }

    /// The smallest box around the shape at a pose (m). That of a half-space is endless.
    #[must_use]
    pub fn aabb(&self, pose: &ShapePose<D>) -> Aabb<D> {
        if !self.is_bounded() {
            return Aabb { low: Vector::repeat(f64::NEG_INFINITY), high: Vector::repeat(f64::INFINITY) };
        }
        self.cores().fold(Aabb::empty(), |all, core| {
            let around = Aabb::around(core.points.iter().map(|p| pose.place(p)));
            let radius = Vector::repeat(core.radius);
            all.merged(&Aabb { low: around.low - radius, high: around.high + radius })
        })
    }

    /// Points and polygons of the surface in the shape's frame. Round parts have `around` points a turn; a half-space and a point have none.
    #[must_use]
    pub fn surface(&self, around: usize) -> ShapeSurface<D>
    where
        Dimension<D>: ShapeSpace<D>,
    {
        let mut all = ShapeSurface::default();
        for core in self.cores() {
            let one = Dimension::<D>::surface_of(core, around.clamp(4, 256));
            let first = all.points.len();
            all.points.extend(one.points);
            all.facets.extend(one.facets.into_iter().map(|f| f.into_iter().map(|i| i + first).collect::<Vec<_>>()));
        }
        all
    }
}

impl RigidShape<2> {
    /// A polygon, convex or not, by its corners (m) in either order.
    pub fn polygon(corners: &[Vector<2>]) -> Result<Self, ShapeError> {
        check_points(corners)?;
        crate::polygon::core(corners).map(Self::one)
    }

    /// What several closed lines enclose (m), each with the solid on its left: counter-clockwise around a part, clockwise around a hole.
    pub fn outlines(lines: &[Vec<Vector<2>>]) -> Result<Self, ShapeError> {
        lines.iter().try_for_each(|line| check_points(line))?;
        crate::polygon::core_of_outlines(lines).map(Self::one)
    }
}

impl RigidShape<3> {
    /// A convex polyhedron: points (m) and plane faces, each counter-clockwise seen from outside (or all the other way round).
    pub fn polyhedron(points: &[Vector<3>], faces: &[Vec<usize>]) -> Result<Self, ShapeError> {
        check_points(points)?;
        let core = crate::polyhedron::core(points, faces)?;
        match crate::polyhedron::outside(&core) {
            Some((face, point, height)) if !core.is_convex => Err(ShapeError::NotConvex { face, point, height }),
            _ => Ok(Self::one(core)),
        }
    }

    /// What a closed surface encloses, convex or not: points (m) and triangles (or plane convex faces), each counter-clockwise seen from outside (or
    /// all the other way round).
    pub fn surface_of(points: &[Vector<3>], faces: &[Vec<usize>]) -> Result<Self, ShapeError> {
        check_points(points)?;
        crate::polyhedron::core(points, faces).map(Self::one)
    }
}

fn check_size(what: &'static str, value: f64) -> Result<(), ShapeError> {
    if value > SMALLEST && value < LARGEST { Ok(()) } else { Err(ShapeError::ShapeSize { what, value }) }
}

fn check_points<const D: usize>(points: &[Vector<D>]) -> Result<(), ShapeError> {
    match points.iter().position(|p| !p.iter().all(|c| c.abs() < LARGEST)) {
        Some(point) => Err(ShapeError::ShapePoint { point, value: points[point].iter().copied().collect() }),
        None => Ok(()),
    }
}
