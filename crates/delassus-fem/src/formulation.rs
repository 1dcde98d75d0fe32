//! How the strain follows from nodal displacements: the standard B matrix, or B-bar.
//!
//! ```text
//! standard :  B_a
//! B-bar    :  B̄_a = B_a + ⅓ I ⊗ (ḡ_a − g_a) ,   g_a = ∇N_a ,  ḡ_a = (1/V) ∫ ∇N_a dV
//! ```
//!
//! B-bar (mean dilatation, Hughes 1980) replaces the volumetric strain by its mean over the cell, so that a nearly
//! incompressible material is constrained once per cell, not at each quadrature point. The split is the
//! three-dimensional one (⅓ also in plane strain): tr ε̄ is constant in the cell and the deviator is untouched. Both
//! forms pass the patch test, since the correction vanishes for linear displacement fields.

use nalgebra::SMatrix;
use serde::{Deserialize, Serialize};

use crate::kernel::Point;
use crate::tensor::{strain_operator, unit};

/// How strains are built from nodal displacements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Formulation {
    /// B as the shape functions give it.
    #[default]
    Standard,
    /// Mean dilatation: no volumetric locking. The same as `Standard` for triangles; refused in plane stress, where
    /// nothing locks (the thickness is free to change) and the volumetric split would be that of another material.
    BBar,
}

impl Formulation {
    /// B_a of every node at every quadrature point of a cell.
    pub(crate) fn operators<const D: usize, const N: usize>(
        self,
        points: &[Point<D, N>],
    ) -> Vec<[SMatrix<f64, 6, D>; N]> {
        let mut operators: Vec<[SMatrix<f64, 6, D>; N]> = points
            .iter()
            .map(|p| std::array::from_fn(|a| strain_operator(&p.gradient.column(a).into_owned())))
            .collect();
        if self == Self::BBar {
            let volume: f64 = points.iter().map(|p| p.volume).sum();
            let mut mean = SMatrix::<f64, D, N>::zeros();
            for p in points {
                mean += p.gradient * (p.volume / volume);
            }
            for (operator, p) in operators.iter_mut().zip(points) {
                for (a, b) in operator.iter_mut().enumerate() {
                    *b += unit() * (mean.column(a) - p.gradient.column(a)).transpose() / 3.0;
                }
            }
        }
        operators
    }
}
