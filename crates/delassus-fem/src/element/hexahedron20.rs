//! Hexahedron20: the twenty-node hexahedron with serendipity shape functions (see `serendipity.rs`).
//!
//! 3×3×3 Gauss points for both integrals: no zero-energy mode, exact on parallelepipeds. Row sums of the mass are negative
//! at the corners: its lumped mass is scaled from the diagonal (see [`MassKind`](crate::MassKind)).

use delassus_mesh::CellKind;
use nalgebra::{SMatrix, SVector};

use super::{Element, quadrature, serendipity};
use crate::tensor::Vector;

/// The twenty-node hexahedron.
#[derive(Clone, Copy, Debug)]
pub struct Hexahedron20;

impl Element<3, 20> for Hexahedron20 {
    const KIND: CellKind = CellKind::Hexahedron20;
    const NODES: [[f64; 3]; 20] = [
        [-1.0, -1.0, -1.0],
        [1.0, -1.0, -1.0],
        [1.0, 1.0, -1.0],
        [-1.0, 1.0, -1.0],
        [-1.0, -1.0, 1.0],
        [1.0, -1.0, 1.0],
        [1.0, 1.0, 1.0],
        [-1.0, 1.0, 1.0],
        [0.0, -1.0, -1.0],
        [1.0, 0.0, -1.0],
        [0.0, 1.0, -1.0],
        [-1.0, 0.0, -1.0],
        [0.0, -1.0, 1.0],
        [1.0, 0.0, 1.0],
        [0.0, 1.0, 1.0],
        [-1.0, 0.0, 1.0],
        [-1.0, -1.0, 0.0],
        [1.0, -1.0, 0.0],
        [1.0, 1.0, 0.0],
        [-1.0, 1.0, 0.0],
    ];
    const RULE: &'static [([f64; 3], f64)] = &quadrature::CUBE_3X3X3;
    const MASS_RULE: &'static [([f64; 3], f64)] = &quadrature::CUBE_3X3X3;

    fn shape(xi: &Vector<3>) -> SVector<f64, 20> {
        serendipity::shape(&Self::NODES, xi)
    }

    fn shape_grad(xi: &Vector<3>) -> SMatrix<f64, 3, 20> {
        serendipity::shape_grad(&Self::NODES, xi)
    }
}
