//! Bodies that are the same up to a rigid motion, and so have the same matrices up to a rotation.
//!
//! ```text
//! x₂ = R x₁ + t   at every node    ⇒    M₂ = R M₁ Rᵀ ,  C₂ = R C₁ Rᵀ ,  K₂ = R K₁ Rᵀ
//! ```
//!
//! with R on the dofs of every node: isotropic materials have no preferred direction, and quadrature points move
//! with the cells. Materials count as the same if they are the same object. Loads and motions do not matter.
//!
//! A body that turns while single components of its nodes are held has twins if these are rows beside its factor; otherwise a factor of its own in each step, and none.

use std::sync::Arc;

use delassus_dynamics::System;
use delassus_mesh::{CellBlock, Mesh};
use nalgebra::{SMatrix, SVector};

use crate::body::Body;
use crate::section::Section;

/// Nodes may differ by this part of the body's size.
const SAME_PLACE: f64 = 1e-12;

/// Sums of squared distances that differ by more than this part are of different bodies: far beyond what nodes that
/// differ by [`SAME_PLACE`] and the rounding of a sum can do.
const SAME_SUM: f64 = 1e-8;

/// A cheap look at a body: bodies whose looks [differ](Look::differs) are no twins.
#[derive(Clone, Debug)]
pub struct Look {
    /// Nodes, cells, prescribed dofs.
    counts: [usize; 3],
    /// Sum of squared distances of the nodes from the first \[m²\].
    spread: f64,
}

impl Look {
    /// Is this certainly another body?
    #[must_use]
    pub fn differs(&self, other: &Self) -> bool {
        let same = (self.spread - other.spread).abs() <= SAME_SUM * self.spread.abs();
        self.counts != other.counts || !same
    }
}

impl<const D: usize> Body<D> {
    /// The cheap look.
    #[must_use]
    pub fn look(&self) -> Look {
        let mesh = self.mesh();
        let spread = relative(mesh).map(|x| x.norm_squared()).sum();
        Look { counts: [mesh.n_points(), mesh.n_cells(), self.prescribed().len()], spread }
    }

    /// The rotation R, if `other` is this body, moved: x_other = R x + t. Exactly the identity if it is not rotated. None
    /// also for a body that wants matrices of its own.
    #[must_use]
    pub fn rotation_onto(&self, other: &Self) -> Option<SMatrix<f64, D, D>> {
        if !self.is_made_like(other) {
            return None;
        }
        let (mine, its): (Vec<_>, Vec<_>) = (relative(self.mesh()).collect(), relative(other.mesh()).collect());
        let size = mine.iter().map(|x| x.norm()).fold(0.0, f64::max);
        let fits = |rotation: &SMatrix<f64, D, D>| {
            mine.iter().zip(&its).all(|(x, y)| (rotation * x - y).norm() <= SAME_PLACE * size)
        };
        let straight = SMatrix::identity();
        if fits(&straight) {
            return Some(straight);
        }
        let is_free = self.prescribed().is_empty()
            && self.tied().is_empty()
            && self.regions().iter().all(|r| r.material.is_isotropic());
        if !is_free {
            return None;
        }
        let pair = two_far_nodes(&mine);
        let frame = |x: &[SVector<f64, D>]| frame(&pair.map(|k| x[k]));
        let rotation = frame(&its)? * frame(&mine)?.transpose();
        fits(&rotation).then_some(rotation)
    }

    /// The same in all but the places of the nodes.
    fn is_made_like(&self, other: &Self) -> bool {
        // A section that knows an axis or a place would have to be looked at here.
        let can_be_moved = match self.section() {
            Section::PlaneStrain { .. } | Section::PlaneStress { .. } | Section::Solid => true,
            // Its rings would have other radii; one shifted along the axis alone is not worth a search.
            Section::Axisymmetric => false,
        };
        // Constant matrices only: internal variables are each body's own.
        let is_constant = self.regions().iter().all(|r| r.material.n_internal() == 0);
        can_be_moved
            && is_constant
            && self.keeps_its_factor()
            && self.section() == other.section()
            && self.has_constants_of(other)
            && self.prescribed() == other.prescribed()
            && self.tied() == other.tied()
            && bulk(self.mesh()).eq(bulk(other.mesh()))
            && self.has_materials_of(other)
    }

    fn has_materials_of(&self, other: &Self) -> bool {
        // Numbers of cells count those of the boundary too, which may differ.
        self.mesh().bulk_cells().zip(other.mesh().bulk_cells()).all(|(a, b)| {
            match (self.material_given(a.0), other.material_given(b.0)) {
                (Some(x), Some(y)) => Arc::ptr_eq(x, y),
                _ => false,
            }
        })
    }
}

/// The blocks of cells that carry mass.
fn bulk<const D: usize>(mesh: &Mesh<D>) -> impl Iterator<Item = &CellBlock> {
    mesh.blocks.iter().filter(|b| b.kind.dim() == D)
}

/// Places of the nodes relative to the first.
fn relative<const D: usize>(mesh: &Mesh<D>) -> impl Iterator<Item = SVector<f64, D>> + '_ {
    let first = mesh.points.first().copied().unwrap_or([0.0; D]);
    mesh.points.iter().map(move |x| SVector::from(*x) - SVector::from(first))
}

/// The node farthest from the first, and the one farthest from the line through both.
fn two_far_nodes<const D: usize>(x: &[SVector<f64, D>]) -> [usize; 2] {
    let farthest = |distance: &dyn Fn(&SVector<f64, D>) -> f64| {
        let best = |best: (usize, f64), (k, x): (usize, &SVector<f64, D>)| {
            let far = distance(x);
            if far > best.1 { (k, far) } else { best }
        };
        x.iter().enumerate().fold((0, -1.0), best).0
    };
    let a = farthest(&|x| x.norm_squared());
    let axis = x[a].try_normalize(0.0).unwrap_or_else(SVector::zeros);
    [a, farthest(&|x| (x - axis * axis.dot(x)).norm_squared())]
}

/// The right-handed orthonormal frame with the first vector along its first axis and the second in its first plane.
fn frame<const D: usize>(x: &[SVector<f64, D>; 2]) -> Option<SMatrix<f64, D, D>> {
    let mut frame = SMatrix::<f64, D, D>::zeros();
    let first = x[0].try_normalize(0.0)?;
    frame.set_column(0, &first);
    match D {
        2 => {
            (frame[(0, 1)], frame[(1, 1)]) = (-first[1], first[0]);
        }
        3 => {
            // Twice: of a slender body the first time leaves much of the first axis.
            let once = (x[1] - first * first.dot(&x[1])).try_normalize(0.0)?;
            let second = (once - first * first.dot(&once)).try_normalize(0.0)?;
            frame.set_column(1, &second);
            for i in 0..3 {
                let (j, k) = ((i + 1) % 3, (i + 2) % 3);
                frame[(i, 2)] = first[j] * second[k] - first[k] * second[j];
            }
        }
        _ => return None,
    }
    Some(frame)
}
