//! Tetrahedron10: the ten-node tetrahedron with quadratic shape functions.
//!
//! ```text
//! corners  N_a = λ_a (2 λ_a − 1) ,   middles  N_ab = 4 λ_a λ_b ,   λ = (1 − ξ − η − ζ, ξ, η, ζ)
//! ```
//!
//! Four points integrate the stiffness, fourteen the mass, exactly on straight-edged cells; on curved ones the gradients
//! (degree 3) are integrated to the second degree, so that only cells at a curved boundary miss the patch test. Row sums of the mass are
//! negative at the corners: its lumped mass is scaled from the diagonal (see [`MassKind`](crate::MassKind)).

use delassus_mesh::CellKind;
use nalgebra::{SMatrix, SVector};

use super::{Element, quadrature};
use crate::tensor::Vector;

/// The ten-node tetrahedron.
#[derive(Clone, Copy, Debug)]
pub struct Tetrahedron10;

impl Element<3, 10> for Tetrahedron10 {
    const KIND: CellKind = CellKind::Tetrahedron10;
    const NODES: [[f64; 3]; 10] = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
        [0.5, 0.0, 0.0],
        [0.5, 0.5, 0.0],
        [0.0, 0.5, 0.0],
        [0.0, 0.0, 0.5],
        [0.5, 0.0, 0.5],
        [0.0, 0.5, 0.5],
    ];
    const RULE: &'static [([f64; 3], f64)] = &quadrature::TETRAHEDRON_4;
    const MASS_RULE: &'static [([f64; 3], f64)] = &quadrature::TETRAHEDRON_14;

    fn shape(xi: &Vector<3>) -> SVector<f64, 10> {
        super::quadratic_simplex::shape::<3, 10>(Self::KIND, xi)
    }

    fn shape_grad(xi: &Vector<3>) -> SMatrix<f64, 3, 10> {
        super::quadratic_simplex::shape_grad::<3, 10>(Self::KIND, xi)
    }
}
