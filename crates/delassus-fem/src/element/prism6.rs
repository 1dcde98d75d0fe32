//! Prism6: the six-node prism, linear in the triangle and along its axis.
//!
//! ```text
//! N_a = ½ (1 + ζ_a ζ) λ_a ,   λ = (1 − ξ − η, ξ, η)   on the triangle (0,0), (1,0), (0,1) times [−1, 1]
//! ```
//!
//! Three points in the triangle times two along the axis integrate the stiffness exactly on right and oblique prisms and
//! pass the patch test on all; six times three the mass on all.

use delassus_mesh::CellKind;
use nalgebra::{SMatrix, SVector};

use super::{Element, quadrature};
use crate::tensor::Vector;

/// The six-node prism.
#[derive(Clone, Copy, Debug)]
pub struct Prism6;

impl Element<3, 6> for Prism6 {
    const KIND: CellKind = CellKind::Prism6;
    const NODES: [[f64; 3]; 6] =
        [[0.0, 0.0, -1.0], [1.0, 0.0, -1.0], [0.0, 1.0, -1.0], [0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [0.0, 1.0, 1.0]];
    const RULE: &'static [([f64; 3], f64)] = &quadrature::PRISM_3X2;
    const MASS_RULE: &'static [([f64; 3], f64)] = &quadrature::PRISM_6X3;

    fn shape(xi: &Vector<3>) -> SVector<f64, 6> {
        let lambda = [1.0 - xi[0] - xi[1], xi[0], xi[1]];
        SVector::<f64, 6>::from_fn(|a, _| 0.5 * (1.0 + Self::NODES[a][2] * xi[2]) * lambda[a % 3])
    }

    fn shape_grad(xi: &Vector<3>) -> SMatrix<f64, 3, 6> {
        let lambda = [1.0 - xi[0] - xi[1], xi[0], xi[1]];
        let gradient = [[-1.0, -1.0], [1.0, 0.0], [0.0, 1.0]];
        SMatrix::<f64, 3, 6>::from_fn(|k, a| {
            let side = Self::NODES[a][2];
            if k == 2 { 0.5 * side * lambda[a % 3] } else { 0.5 * (1.0 + side * xi[2]) * gradient[a % 3][k] }
        })
    }
}
