//! Mass, centre of mass and inertia of shapes.
//!
//! ```text
//! disk      m = ρ π r²                    J = m r²/2
//! sphere    m = ρ 4/3 π r³                I = 2/5 m r²
//! capsule   of length l: the rectangle (cylinder) and two halves of a disk (sphere), whose centre of mass is 4r/3π (3r/8) beyond the ends
//! polygon   sum over its sides of the triangle from the first corner, with sign
//! polyhedron  sum over triangles of its faces of the tetrahedron from the first corner, with sign;
//!             ∫ x xᵀ over a tetrahedron 0, a, b, c of volume V:  V/20 (a aᵀ + b bᵀ + c cᵀ + s sᵀ),  s = a + b + c
//!             ∫ x xᵀ over a triangle 0, a, b of area A:          A/12 (a aᵀ + b bᵀ + s sᵀ),           s = a + b
//! ```
//!
//! The second moments S = ∫ ρ x xᵀ of the parts are added about the common centre (Steiner); I = tr(S) 1 − S.

use std::f64::consts::PI;

use delassus_contact::{Dimension, Matrix, Vector};
use nalgebra::Matrix3;

use crate::core::Core;
use crate::shape::ShapePart;
use crate::{RigidShape, ShapeError, ShapeSpace};

/// Mass, centre of mass and inertia.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MassProperties<const D: usize> {
    /// Mass (kg); in the plane per the thickness that the density is given for.
    pub mass: f64,
    /// Centre of mass in the shape's frame (m).
    pub centre: Vector<D>,
    /// Inertia about the centre, in the axes of the shape's frame (kg m²). In the plane only the entry (2, 2), about the normal of the plane, is not zero.
    pub inertia: Matrix3<f64>,
}

/// Moments of a part for the density 1: volume, first moment, second moment about the centre of the part.
#[derive(Debug, Clone, Copy)]
pub struct Moments<const D: usize> {
    pub volume: f64,
    pub centre: Vector<D>,
    pub second: Matrix<D>,
}

impl<const D: usize> RigidShape<D>
where
    Dimension<D>: ShapeSpace<D>,
{
    /// Mass, centre and inertia by the density (kg/m³, in the plane kg/m² for the thickness). Overlapping parts of a clump count twice.
    pub fn mass_properties(&self, density: f64) -> Result<MassProperties<D>, ShapeError> {
        if !(density > 0.0 && density.is_finite()) {
            return Err(ShapeError::ShapeDensity { density });
        }
        let mut moments = Vec::new();
        for part in &self.parts {
            match part {
                ShapePart::Core(core) if core.extent > 0.0 || core.radius > 0.0 => {
                    moments.push(Dimension::<D>::moments_of(core))
                }
                ShapePart::Core(_) => return Err(ShapeError::NoMass { what: "point" }),
                ShapePart::HalfSpace { .. } => return Err(ShapeError::NoMass { what: "half-space" }),
            }
        }
        let whole = joined(&moments);
        let mut second = Matrix3::zeros();
        second.view_mut((0, 0), (D, D)).copy_from(&(whole.second * density));
        let full = Matrix3::identity() * second.trace() - second;
        let mut inertia = full;
        if D == 2 {
            inertia = Matrix3::zeros();
            inertia[(2, 2)] = full[(2, 2)];
        }
        Ok(MassProperties { mass: density * whole.volume, centre: whole.centre, inertia })
    }
}

/// The moments of several parts together, about their common centre.
pub(crate) fn joined<const D: usize>(parts: &[Moments<D>]) -> Moments<D> {
    let volume: f64 = parts.iter().map(|p| p.volume).sum();
    let centre = parts.iter().map(|p| p.centre * p.volume).sum::<Vector<D>>() / volume;
    let second = parts.iter().map(|p| {
        let arm = p.centre - centre;
        p.second + arm * arm.transpose() * p.volume
    });
    Moments { volume, centre, second: second.sum() }
}

/// A ball in the plane or in space.
pub(crate) fn ball<const D: usize>(core: &Core<D>) -> Moments<D> {
    let r = core.radius;
    let volume = if D == 2 { PI * r * r } else { 4.0 / 3.0 * PI * r * r * r };
    // ∫ x² = V r²/(D + 2) along each axis.
    Moments { volume, centre: core.points[0], second: Matrix::identity() * (volume * r * r / (D + 2) as f64) }
}

/// A capsule in the plane or in space.
pub(crate) fn capsule<const D: usize>(core: &Core<D>) -> Moments<D> {
    let (r, axis) = (core.radius, core.points[1] - core.points[0]);
    let l = axis.norm();
    let e = axis / l;
    let along = e * e.transpose();
    let across = Matrix::identity() - along;
    // The middle: length l, across it a segment of half-length r or a disk.
    let section = if D == 2 { 2.0 * r } else { PI * r * r };
    let middle_volume = section * l;
    let section_square = if D == 2 { r * r / 3.0 } else { r * r / 4.0 };
    let middle = Moments {
        volume: middle_volume,
        centre: core.centre,
        second: along * (middle_volume * l * l / 12.0) + across * (middle_volume * section_square),
    };
    // Half balls: second moment about the centre of the ball is half that of the ball, then moved to their own centre.
    let (half, beyond) =
        if D == 2 { (0.5 * PI * r * r, 4.0 * r / (3.0 * PI)) } else { (2.0 / 3.0 * PI * r * r * r, 3.0 * r / 8.0) };
    let own = Matrix::identity() * (half * r * r / (D + 2) as f64) - along * (half * beyond * beyond);
    let end = |point: Vector<D>, sign: f64| Moments { volume: half, centre: point + e * (sign * beyond), second: own };
    joined(&[middle, end(core.points[0], -1.0), end(core.points[1], 1.0)])
}

/// What faces enclose, from simplices with the first corner as apex: `simplices` lists the other corners of each.
pub(crate) fn enclosed<const D: usize>(
    core: &Core<D>,
    simplices: impl Iterator<Item = [usize; D]>,
    volume_of: impl Fn(&Matrix<D>) -> f64,
) -> Moments<D> {
    let apex = core.points[0];
    let n = D as f64;
    let (mut volume, mut first, mut second) = (0.0, Vector::<D>::zeros(), Matrix::<D>::zeros());
    for corners in simplices {
        let arms = Matrix::<D>::from_fn(|i, j| (core.points[corners[j]] - apex)[i]);
        let part = volume_of(&arms);
        let sum: Vector<D> = arms.column_sum();
        volume += part;
        first += sum * (part / (n + 1.0));
        second += (arms * arms.transpose() + sum * sum.transpose()) * (part / ((n + 1.0) * (n + 2.0)));
    }
    let arm = first / volume;
    Moments { volume, centre: apex + arm, second: second - arm * arm.transpose() * volume }
}
