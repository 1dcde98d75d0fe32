//! Triangle6: the six-node triangle with quadratic shape functions.
//!
//! ```text
//! corners  N_a = λ_a (2 λ_a − 1) ,   middles  N_ab = 4 λ_a λ_b ,   λ = (1 − ξ − η, ξ, η)
//! ```
//!
//! Three points integrate the stiffness exactly on straight-sided cells (and pass the patch test on curved ones), six
//! the mass of straight-sided cells. Row sums of the mass vanish at the corners: its lumped mass is scaled from the
//! diagonal (see [`MassKind`](crate::MassKind)).

use delassus_mesh::CellKind;
use nalgebra::{SMatrix, SVector};

use super::{Element, quadrature};
use crate::tensor::Vector;

/// The six-node triangle.
#[derive(Clone, Copy, Debug)]
pub struct Triangle6;

impl Element<2, 6> for Triangle6 {
    const KIND: CellKind = CellKind::Triangle6;
    const NODES: [[f64; 2]; 6] = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.5, 0.0], [0.5, 0.5], [0.0, 0.5]];
    const RULE: &'static [([f64; 2], f64)] = &quadrature::TRIANGLE_3;
    // ∫ N_a N_b/r of the hoop strain is of degree four, over r.
    const REVOLVED_RULE: &'static [([f64; 2], f64)] = &quadrature::TRIANGLE_6;
    const MASS_RULE: &'static [([f64; 2], f64)] = &quadrature::TRIANGLE_6;

    fn shape(xi: &Vector<2>) -> SVector<f64, 6> {
        super::quadratic_simplex::shape::<2, 6>(Self::KIND, xi)
    }

    fn shape_grad(xi: &Vector<2>) -> SMatrix<f64, 2, 6> {
        super::quadratic_simplex::shape_grad::<2, 6>(Self::KIND, xi)
    }
}
