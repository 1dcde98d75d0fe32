//! Hexahedron8: the eight-node hexahedron with trilinear shape functions.
//!
//! ```text
//! N_a = ⅛ (1 + ξ_a ξ)(1 + η_a η)(1 + ζ_a ζ)   on [−1, 1]³
//! ```
//!
//! 2×2×2 Gauss points integrate the stiffness exactly on parallelepipeds and pass the patch test on all cells; 3×3×3 the
//! mass on all (N_a N_b |J| is of degree 4 in each coordinate). The standard form is too stiff in bending and locks for
//! nearly incompressible materials: see [`Formulation`](crate::Formulation).

use delassus_mesh::CellKind;
use nalgebra::{SMatrix, SVector};

use super::{Element, quadrature};
use crate::tensor::Vector;

/// The eight-node hexahedron, fully integrated.
#[derive(Clone, Copy, Debug)]
pub struct Hexahedron8;

impl Element<3, 8> for Hexahedron8 {
    const KIND: CellKind = CellKind::Hexahedron8;
    const NODES: [[f64; 3]; 8] = [
        [-1.0, -1.0, -1.0],
        [1.0, -1.0, -1.0],
        [1.0, 1.0, -1.0],
        [-1.0, 1.0, -1.0],
        [-1.0, -1.0, 1.0],
        [1.0, -1.0, 1.0],
        [1.0, 1.0, 1.0],
        [-1.0, 1.0, 1.0],
    ];
    const RULE: &'static [([f64; 3], f64)] = &quadrature::CUBE_2X2X2;
    const MASS_RULE: &'static [([f64; 3], f64)] = &quadrature::CUBE_3X3X3;
    const HAS_MODES: bool = true;

    fn shape(xi: &Vector<3>) -> SVector<f64, 8> {
        SVector::<f64, 8>::from_fn(|a, _| 0.125 * (0..3).map(|i| 1.0 + Self::NODES[a][i] * xi[i]).product::<f64>())
    }

    fn shape_grad(xi: &Vector<3>) -> SMatrix<f64, 3, 8> {
        SMatrix::<f64, 3, 8>::from_fn(|k, a| {
            let node = &Self::NODES[a];
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            0.125 * node[k] * (1.0 + node[i] * xi[i]) * (1.0 + node[j] * xi[j])
        })
    }
}
