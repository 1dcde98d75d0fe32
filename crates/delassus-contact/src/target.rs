//! Antagonists made ready for detection: trees over facets, and shapes with a formula of their own.
//!
//! ```text
//! half-space   g = n·(x − p)          ball    g = ‖x − c‖ − R,  normal (x − c)/‖x − c‖
//!                                     cavity  g = R − ‖x − c‖,  normal (c − x)/‖x − c‖
//! box          q_i = |y_i| − s_i,     y = Rᵀ(x − c), s half the sizes, directions ± its axes
//! cylinder     q = (ρ − R, |z| − L),  z along the axis, ρ from it; directions: radial and ± the axis
//!              outside: g = ‖max(q, 0)‖, normal along Σ max(q_i, 0) d_i;   inside: g = max q_i, normal its d_i, the first of equals
//! bore         g = R − ρ, normal towards the axis
//! ```
//!
//! On an edge of a box or cylinder (to rounding) the normal is the mean of its faces. At the very centre of a round shape every
//! direction is radial: the first axis is taken (for a cylinder or bore, the first tangent of its axis).

use crate::frame::{frame_from_unit, unit};
use crate::obstacle::components;
use crate::surface::position_of;
use crate::{BoxTree, ContactError, FacetSurface, Few, NarrowPhase, NodeToFacet, Obstacle, Pose, Projection};
use crate::{Matrix, RigidMotion, RigidSurface, Vector};

/// Distance from an edge of a shape below which a point is on it but for rounding, relative to coordinates and sizes.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Facets and a tree over them.
#[derive(Debug, Clone)]
pub(crate) struct FacetTree<const D: usize> {
    pub(crate) surface: FacetSurface<D>,
    pub(crate) tree: BoxTree<D>,
}

impl<const D: usize> FacetTree<D>
where
    NodeToFacet: NarrowPhase<D>,
{
    pub(crate) fn new(surface: FacetSurface<D>, positions: &[f64]) -> Self {
        let boxes: Vec<_> = (0..surface.facets().len()).map(|f| NodeToFacet::bounds(&surface, positions, f)).collect();
        Self { surface, tree: BoxTree::new(&boxes) }
    }

    /// Fits the tree to moved nodes.
    pub(crate) fn refit(&mut self, positions: &[f64]) {
        let surface = &self.surface;
        self.tree.refit(|facet| NodeToFacet::bounds(surface, positions, facet));
    }
}

/// The first facet without extent.
pub(crate) fn flat_facet<const D: usize>(surface: &FacetSurface<D>, positions: &[f64]) -> Option<usize>
where
    NodeToFacet: NarrowPhase<D>,
{
    (0..surface.facets().len()).find(|&f| NodeToFacet::normal(&surface.corners(f, positions)).is_none())
}

/// What the candidates of a pair may touch, where it is now.
#[derive(Debug, Clone)]
pub(crate) enum Target<const D: usize> {
    /// The surface of a body, by its index among those of the detector.
    Surface(usize),
    /// An obstacle made of facets, whose nodes have coordinates of their own: at rest, and placed.
    Rigid { facets: FacetTree<D>, at_rest: Vec<f64>, placed: Vec<f64> },
    /// A shape at rest, and placed.
    Shape { at_rest: Shape<D>, placed: Shape<D> },
}

impl<const D: usize> Target<D>
where
    NodeToFacet: NarrowPhase<D>,
{
    pub(crate) fn of_rigid(surface: RigidSurface<D>) -> Result<Self, ContactError> {
        let (surface, at_rest) = surface.into_parts();
        check_sides(&surface, &at_rest)?;
        let facets = FacetTree::new(surface, &at_rest);
        Ok(Self::Rigid { facets, placed: at_rest.clone(), at_rest })
    }

    pub(crate) fn of_obstacle(obstacle: &Obstacle<D>) -> Result<Self, ContactError> {
        obstacle.validate()?;
        let shape = match *obstacle {
            Obstacle::HalfSpace { point, normal } => {
                let (normal, _) =
                    unit(&normal).ok_or_else(|| ContactError::ZeroNormal { normal: components(&normal) })?;
                Shape::HalfSpace { point, normal }
            }
            Obstacle::Ball { centre, radius } => Shape::Ball { centre, radius },
            Obstacle::Cavity { centre, radius } => Shape::Cavity { centre, radius },
            Obstacle::Segment { a, b } => {
                // Valid in 2D only, where these are the two corners of the facet.
                return Self::of_rigid(RigidSurface::from_facets(vec![a, b], vec![Few::from([0, 1])])?);
            }
            Obstacle::Box { centre, half_sizes, rotation } => {
                Shape::Box { centre, half_sizes, axes: *rotation.matrix() }
            }
            Obstacle::Cylinder { centre, axis, radius, half_length } => {
                Shape::Cylinder { centre, axis: direction(&axis)?, radius, half_length }
            }
            Obstacle::Bore { point, axis, radius } => Shape::Bore { point, axis: direction(&axis)?, radius },
        };
        Ok(Self::Shape { at_rest: shape, placed: shape })
    }

    /// Puts an obstacle where it is now.
    pub(crate) fn place(&mut self, motion: &RigidMotion<D>) -> Result<(), ContactError> {
        match self {
            Self::Surface(_) => {}
            Self::Rigid { facets, at_rest, placed } => {
                for (node, coordinates) in placed.chunks_mut(D).enumerate() {
                    coordinates.copy_from_slice(motion.pose.place(&position_of(at_rest, node)).as_slice());
                }
                check_sides(&facets.surface, placed)?;
                facets.refit(placed);
            }
            Self::Shape { at_rest, placed } => *placed = at_rest.placed(&motion.pose),
        }
        Ok(())
    }

    /// Whether a candidate can come through from behind: no limit to the penetration otherwise.
    pub(crate) fn has_other_side(&self) -> bool {
        let endless =
            |shape: &Shape<D>| matches!(shape, Shape::HalfSpace { .. } | Shape::Cavity { .. } | Shape::Bore { .. });
        !matches!(self, Self::Shape { at_rest, .. } if endless(at_rest))
    }
}

/// Sides far from the origin can lose their length to rounding.
fn check_sides<const D: usize>(surface: &FacetSurface<D>, positions: &[f64]) -> Result<(), ContactError>
where
    NodeToFacet: NarrowPhase<D>,
{
    let Some(facet) = flat_facet(surface, positions) else { return Ok(()) };
    let corners = surface.corners(facet, positions);
    if D == 2 {
        return Err(ContactError::ZeroLengthObstacle { a: components(&corners[0]), b: components(&corners[1]) });
    }
    Err(ContactError::FlatObstacleFacet { facet, corners: corners.iter().map(components).collect() })
}

fn direction<const D: usize>(axis: &Vector<D>) -> Result<Vector<D>, ContactError> {
    unit(axis).map(|(axis, _)| axis).ok_or_else(|| ContactError::ZeroAxis { axis: components(axis) })
}

/// A shape with a formula for its gap.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Shape<const D: usize> {
    /// The normal is a unit vector.
    HalfSpace {
        point: Vector<D>,
        normal: Vector<D>,
    },
    Ball {
        centre: Vector<D>,
        radius: f64,
    },
    Cavity {
        centre: Vector<D>,
        radius: f64,
    },
    /// The columns of `axes` are unit vectors.
    Box {
        centre: Vector<D>,
        half_sizes: Vector<D>,
        axes: Matrix<D>,
    },
    /// The axis is a unit vector.
    Cylinder {
        centre: Vector<D>,
        axis: Vector<D>,
        radius: f64,
        half_length: f64,
    },
    Bore {
        point: Vector<D>,
        axis: Vector<D>,
        radius: f64,
    },
}

impl<const D: usize> Shape<D> {
    fn placed(&self, pose: &Pose<D>) -> Self {
        match *self {
            Self::HalfSpace { point, normal } => {
                Self::HalfSpace { point: pose.place(&point), normal: pose.rotation * normal }
            }
            Self::Ball { centre, radius } => Self::Ball { centre: pose.place(&centre), radius },
            Self::Cavity { centre, radius } => Self::Cavity { centre: pose.place(&centre), radius },
            Self::Box { centre, half_sizes, axes } => {
                Self::Box { centre: pose.place(&centre), half_sizes, axes: pose.rotation.matrix() * axes }
            }
            Self::Cylinder { centre, axis, radius, half_length } => {
                Self::Cylinder { centre: pose.place(&centre), axis: pose.rotation * axis, radius, half_length }
            }
            Self::Bore { point, axis, radius } => {
                Self::Bore { point: pose.place(&point), axis: pose.rotation * axis, radius }
            }
        }
    }

    pub(crate) fn project(&self, point: &Vector<D>) -> Projection<D> {
        let (gap, normal) = match self {
            Self::HalfSpace { point: border, normal } => (normal.dot(&(point - border)), *normal),
            Self::Ball { centre, radius } => {
                let (radial, distance) = from_centre(centre, point);
                (distance - radius, radial)
            }
            Self::Cavity { centre, radius } => {
                let (radial, distance) = from_centre(centre, point);
                (radius - distance, -radial)
            }
            Self::Box { centre, half_sizes, axes } => {
                let y = axes.tr_mul(&(point - centre));
                let faces = Few::from_fn(D, |i| {
                    let axis = axes.column(i).into_owned();
                    (y[i].abs() - half_sizes[i], if y[i] < 0.0 { -axis } else { axis })
                });
                from_faces(&faces, noise(point, centre, half_sizes.amax()))
            }
            Self::Cylinder { centre, axis, radius, half_length } => {
                let (radial, rho, z) = from_axis(centre, axis, point);
                let faces = Few::from([(rho - radius, radial), (z.abs() - half_length, axis * z.signum())]);
                from_faces(&faces, noise(point, centre, radius.max(*half_length)))
            }
            Self::Bore { point: centre, axis, radius } => {
                let (radial, rho, _) = from_axis(centre, axis, point);
                (radius - rho, -radial)
            }
        };
        Projection { distance: gap.abs(), gap, normal, weights: Few::default() }
    }
}

/// Radial unit vector and distance (m) of a point.
fn from_centre<const D: usize>(centre: &Vector<D>, point: &Vector<D>) -> (Vector<D>, f64) {
    unit(&(point - centre)).unwrap_or_else(|| (Vector::from_fn(|i, _| if i == 0 { 1.0 } else { 0.0 }), 0.0))
}

/// Radial unit vector, distance from the axis and place along it (m) of a point.
fn from_axis<const D: usize>(centre: &Vector<D>, axis: &Vector<D>, point: &Vector<D>) -> (Vector<D>, f64, f64) {
    let from_centre = point - centre;
    let z = axis.dot(&from_centre);
    let (radial, rho) = unit(&(from_centre - axis * z))
        .unwrap_or_else(|| (frame_from_unit(axis).column(D.min(2) - 1).into_owned(), 0.0));
    (radial, rho, z)
}

/// Lengths that are rounding noise near a shape (m).
fn noise<const D: usize>(point: &Vector<D>, centre: &Vector<D>, size: f64) -> f64 {
    ROUNDING * point.amax().max(centre.amax()).max(size)
}

/// Gap and unit normal of a convex solid with orthogonal faces: height above each face (m), and its normal.
fn from_faces<const D: usize>(faces: &[(f64, Vector<D>)], noise: f64) -> (f64, Vector<D>) {
    let outside = faces.iter().fold(Vector::zeros(), |sum, (q, d)| sum + d * q.max(0.0));
    let (highest, first) = faces
        .iter()
        .fold((f64::NEG_INFINITY, Vector::zeros()), |best, (q, d)| if *q > best.0 { (*q, *d) } else { best });
    if highest.abs() <= noise {
        // On the surface: on an edge all its faces count.
        let sum = faces.iter().filter(|(q, _)| q.abs() <= noise).fold(Vector::zeros(), |sum, (_, d)| sum + d);
        return (highest, unit(&sum).map_or(first, |(n, _)| n));
    }
    if highest < 0.0 {
        return (highest, first);
    }
    unit(&outside).map_or((highest, first), |(normal, gap)| (gap, normal))
}
