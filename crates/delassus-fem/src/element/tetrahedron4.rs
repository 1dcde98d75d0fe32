//! Tetrahedron4: the four-node tetrahedron with linear shape functions (constant strain).
//!
//! ```text
//! N = (1 − ξ − η − ζ, ξ, η, ζ)   on the tetrahedron (0,0,0), (1,0,0), (0,1,0), (0,0,1)
//! ```
//!
//! One point integrates the stiffness exactly; the mass needs degree 2. It locks in bending and for nearly incompressible
//! materials, like the triangle: prefer Tetrahedron10, or Hexahedron8 with B-bar or incompatible modes.

use delassus_mesh::CellKind;
use nalgebra::{SMatrix, SVector};

use super::{Element, quadrature};
use crate::tensor::Vector;

/// The four-node tetrahedron.
#[derive(Clone, Copy, Debug)]
pub struct Tetrahedron4;

impl Element<3, 4> for Tetrahedron4 {
    const KIND: CellKind = CellKind::Tetrahedron4;
    const NODES: [[f64; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    const RULE: &'static [([f64; 3], f64)] = &quadrature::TETRAHEDRON_1;
    const MASS_RULE: &'static [([f64; 3], f64)] = &quadrature::TETRAHEDRON_4;

    fn shape(xi: &Vector<3>) -> SVector<f64, 4> {
        SVector::<f64, 4>::new(1.0 - xi[0] - xi[1] - xi[2], xi[0], xi[1], xi[2])
    }

    fn shape_grad(_xi: &Vector<3>) -> SMatrix<f64, 3, 4> {
        SMatrix::<f64, 3, 4>::from_fn(|i, a| if a == 0 { -1.0 } else { f64::from(u8::from(a == i + 1)) })
    }
}
