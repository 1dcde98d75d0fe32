//! Loads that follow the surface they act on.
//!
//! ```text
//! pressure   P_a = −p ∫ N_a n da                    over the facet as it is now, with 2π r of now of an axisymmetric section
//! traction   P_a = R_f ∫ N_a T dA                   force per area as given, turned with the facet
//! couple     the traction field of `couple`         force per area as given, turned with the facet
//! R_f        polar rotation of Σ (x_a − x̄)(X_a − X̄)ᵀ + s n Nᵀ ,   s = Σ |X_a − X̄|²/(D−1)
//! ```
//!
//! On a plane face a couple with its axis in the face is a traction along the normal, linear over the face, as bending makes it.
//!
//! The derivative of such a load is not symmetric in general. The tangent takes the symmetric part of −∂P/∂x, facet by facet, by central
//! differences: an error of it costs passes, not accuracy.

use delassus_mesh::{Facet, Mesh};
use nalgebra::{SMatrix, SVector};

use crate::assembly::{facet_points, facet_points_of_moments, scatter};
use crate::corotation::polar;
use crate::error::FemError;
use crate::function::TimeFunction;
use crate::kernel::FacetPoint;
use crate::load::{SurfaceLoad, Traction};
use crate::section::Section;
use crate::sparsity::NodeBlocks;
use crate::surface::{couple_forces, facet_forces, group_couple};

/// Step of the differences, over the size of a facet.
const DIFFERENCE: f64 = 1e-5;

/// What acts on a facet.
#[derive(Clone, Debug)]
enum Action<const D: usize> {
    /// p times the thickness \[N/m\] or \[Pa\], and the section that tells the way around an axis.
    Pressure(f64, Section),
    /// Forces on the nodes that turn with it \[N\].
    Turned(Vec<SVector<f64, D>>),
}

/// A facet under such a load.
#[derive(Clone, Debug)]
struct FollowedFacet<const D: usize> {
    facet: Facet,
    /// Places of its nodes as given \[m\].
    reference: Vec<SVector<f64, D>>,
    /// N.
    normal: SVector<f64, D>,
    action: Action<D>,
}

/// A load that follows the facets of a group.
#[derive(Clone, Debug)]
pub(crate) struct FollowingLoad<const D: usize> {
    facets: Vec<FollowedFacet<D>>,
    pub factor: TimeFunction,
}

/// The quadrature points of a facet with its nodes at x.
fn points<const D: usize>(facet: &Facet, x: &[SVector<f64, D>]) -> Vec<FacetPoint> {
    facet_points(facet.kind, &in_space(x)).unwrap_or_default()
}

/// Those of the rule that is exact with the radius of an axisymmetric section.
fn points_of_moments<const D: usize>(facet: &Facet, x: &[SVector<f64, D>]) -> Vec<FacetPoint> {
    facet_points_of_moments(facet.kind, &in_space(x)).unwrap_or_default()
}

fn in_space<const D: usize>(x: &[SVector<f64, D>]) -> Vec<[f64; 3]> {
    x.iter().map(|x| std::array::from_fn(|i| if i < D { x[i] } else { 0.0 })).collect()
}

/// The mean normal, of length 1.
fn normal_of<const D: usize>(points: &[FacetPoint]) -> SVector<f64, D> {
    let sum = points
        .iter()
        .fold(SVector::<f64, D>::zeros(), |sum, p| sum + SVector::<f64, D>::from_fn(|i, _| p.normal[i]) * p.area);
    sum / sum.norm()
}

impl<const D: usize> FollowedFacet<D> {
    /// R_f.
    fn rotation(&self, x: &[SVector<f64, D>]) -> SMatrix<f64, D, D> {
        let mean = |x: &[SVector<f64, D>]| x.iter().sum::<SVector<f64, D>>() / x.len() as f64;
        let (given, now) = (mean(&self.reference), mean(x));
        let normal = normal_of::<D>(&points(&self.facet, x));
        let (mut g, mut size) = (SMatrix::<f64, D, D>::zeros(), 0.0);
        for (x, reference) in x.iter().zip(&self.reference) {
            g += (x - now) * (reference - given).transpose();
            size += (reference - given).norm_squared();
        }
        polar(&(g + normal * self.normal.transpose() * (size / (D - 1) as f64))).0
    }

    /// P_a on its nodes at x, for the factor 1.
    fn forces(&self, x: &[SVector<f64, D>]) -> Vec<SVector<f64, D>> {
        match &self.action {
            Action::Pressure(p, section) => {
                let mut out = vec![SVector::zeros(); x.len()];
                let points =
                    if section.is_revolved() { points_of_moments(&self.facet, x) } else { points(&self.facet, x) };
                for point in points {
                    let normal = SVector::<f64, D>::from_fn(|i, _| point.normal[i]);
                    let radius = point.shape.iter().zip(x).map(|(n, x)| n * x[0]).sum();
                    let p = p * section.around(radius);
                    out.iter_mut().zip(&point.shape).for_each(|(f, n)| *f -= normal * (p * point.area * n));
                }
                out
            }
            Action::Turned(forces) => {
                let rotation = self.rotation(x);
                forces.iter().map(|f| rotation * f).collect()
            }
        }
    }

    /// Its nodes for displacements q.
    fn places(&self, q: &[f64]) -> Vec<SVector<f64, D>> {
        let at = |(n, x): (&usize, &SVector<f64, D>)| x + SVector::from_column_slice(&q[D * n..D * n + D]);
        self.facet.nodes.iter().zip(&self.reference).map(at).collect()
    }

    /// −∂P/∂x, row by row, for the factor 1.
    fn stiffness(&self, x: &[SVector<f64, D>]) -> Vec<f64> {
        let n = D * x.len();
        let size = self.reference.iter().map(|a| (a - self.reference[0]).norm()).fold(0.0, f64::max);
        let (step, mut out) = (DIFFERENCE * size, vec![0.0; n * n]);
        for column in 0..n {
            let moved = |by: f64| {
                let mut x = x.to_vec();
                x[column / D][column % D] += by;
                self.forces(&x)
            };
            let (after, before) = (moved(step), moved(-step));
            for row in 0..n {
                out[row * n + column] = (before[row / D][row % D] - after[row / D][row % D]) / (2.0 * step);
            }
        }
        out
    }
}

impl<const D: usize> FollowingLoad<D> {
    pub fn new(load: &SurfaceLoad<D>, mesh: &Mesh<D>, section: Section) -> Result<Self, FemError> {
        // The checks of a load that does not follow.
        load.vector(mesh, section)?;
        let facets = mesh.group_facets(&load.group)?;
        let couple = match &load.traction {
            Traction::Couple(moment) => Some(group_couple(mesh, &facets, section, moment)?),
            Traction::Vector(_) | Traction::Pressure(_) => None,
        };
        let mut followed = Vec::new();
        for facet in facets {
            let reference: Vec<SVector<f64, D>> = facet.nodes.iter().map(|&n| SVector::from(mesh.points[n])).collect();
            let action = match (&load.traction, &couple) {
                (Traction::Pressure(p), _) => Action::Pressure(p * section.thickness(), section),
                (_, Some(couple)) => turned(&couple_forces(mesh, &facet, section, couple)?),
                (Traction::Vector(t), None) => turned(&facet_forces(mesh, &facet, section, |_| *t)?),
                (Traction::Couple(_), None) => Action::Turned(Vec::new()),
            };
            let normal = normal_of(&points(&facet, &reference));
            followed.push(FollowedFacet { facet, reference, normal, action });
        }
        Ok(Self { facets: followed, factor: load.factor.clone() })
    }

    /// `out` += P(t, q).
    pub fn add_into(&self, t: f64, q: &[f64], out: &mut [f64]) {
        let factor = self.factor.value(t);
        for facet in &self.facets {
            for (n, f) in facet.facet.nodes.iter().zip(facet.forces(&facet.places(q))) {
                (0..D).for_each(|i| out[D * n + i] += factor * f[i]);
            }
        }
    }

    /// Adds `share` of the symmetric part of −∂P/∂q, for the mean of the factor between two times.
    pub fn add_stiffness(&self, t: [f64; 2], q: &[f64], share: f64, pattern: &NodeBlocks<D>, values: &mut [f64]) {
        let factor = 0.5 * share * (self.factor.value(t[0]) + self.factor.value(t[1]));
        for facet in &self.facets {
            let n = D * facet.facet.nodes.len();
            let k = facet.stiffness(&facet.places(q));
            scatter(pattern, &facet.facet.nodes, values, |a, i, c, j| {
                let (row, column) = (D * a + i, D * c + j);
                0.5 * factor * (k[row * n + column] + k[column * n + row])
            });
        }
    }

    /// Numbers that it keeps.
    pub fn n_numbers(&self) -> usize {
        self.facets.iter().map(|f| (2 * D + 1) * f.facet.nodes.len() + D).sum()
    }
}

fn turned<const D: usize>(forces: &[(usize, [f64; D])]) -> Action<D> {
    Action::Turned(forces.iter().map(|(_, f)| SVector::from(*f)).collect())
}
