//! Quad8: the eight-node quadrilateral with serendipity shape functions (see `serendipity.rs`).
//!
//! 3×3 Gauss points for both integrals: no zero-energy mode, exact on parallelograms (the mass on all straight-sided
//! cells). Row sums of the mass are negative at the corners: its lumped mass is scaled from the diagonal (see
//! [`MassKind`](crate::MassKind)).

use delassus_mesh::CellKind;
use nalgebra::{SMatrix, SVector};

use super::{Element, quadrature, serendipity};
use crate::tensor::Vector;

/// The eight-node quadrilateral.
#[derive(Clone, Copy, Debug)]
pub struct Quad8;

impl Element<2, 8> for Quad8 {
    const KIND: CellKind = CellKind::Quad8;
    const NODES: [[f64; 2]; 8] =
        [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [0.0, -1.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]];
    const RULE: &'static [([f64; 2], f64)] = &quadrature::SQUARE_3X3;
    const MASS_RULE: &'static [([f64; 2], f64)] = &quadrature::SQUARE_3X3;

    fn shape(xi: &Vector<2>) -> SVector<f64, 8> {
        serendipity::shape(&Self::NODES, xi)
    }

    fn shape_grad(xi: &Vector<2>) -> SMatrix<f64, 2, 8> {
        serendipity::shape_grad(&Self::NODES, xi)
    }
}
