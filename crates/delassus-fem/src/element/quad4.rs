//! Quad4: the four-node quadrilateral with bilinear shape functions.
//!
//! ```text
//! N_a = ¼ (1 + ξ_a ξ)(1 + η_a η)   on [−1, 1]², counter-clockwise from (−1, −1)
//! ```
//!
//! 2×2 Gauss points integrate the mass exactly on any convex cell (N_a N_b |J| is at most cubic in each coordinate)
//! and the stiffness exactly on parallelograms.

use delassus_mesh::CellKind;
use nalgebra::{SMatrix, SVector};

use super::{Element, quadrature};
use crate::tensor::Vector;

/// The four-node quadrilateral, fully integrated.
#[derive(Clone, Copy, Debug)]
pub struct Quad4;

impl Element<2, 4> for Quad4 {
    const KIND: CellKind = CellKind::Quad4;
    const NODES: [[f64; 2]; 4] = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    const RULE: &'static [([f64; 2], f64)] = &quadrature::SQUARE_2X2;
    const MASS_RULE: &'static [([f64; 2], f64)] = &quadrature::SQUARE_2X2;
    const HAS_MODES: bool = true;

    fn shape(xi: &Vector<2>) -> SVector<f64, 4> {
        SVector::<f64, 4>::from_fn(|a, _| 0.25 * (1.0 + Self::NODES[a][0] * xi[0]) * (1.0 + Self::NODES[a][1] * xi[1]))
    }

    fn shape_grad(xi: &Vector<2>) -> SMatrix<f64, 2, 4> {
        SMatrix::<f64, 2, 4>::from_fn(|i, a| {
            let [x, y] = Self::NODES[a];
            0.25 * if i == 0 { x * (1.0 + y * xi[1]) } else { y * (1.0 + x * xi[0]) }
        })
    }
}
