//! Triangle3: the three-node triangle with linear shape functions (constant strain).
//!
//! ```text
//! N = (1 − ξ − η, ξ, η)   on the triangle (0,0), (1,0), (0,1), counter-clockwise
//! ```
//!
//! The strain is constant, so one point integrates the stiffness exactly; the mass needs degree 2. It locks in bending
//! and for nearly incompressible materials: prefer Quad4 with B-bar there.

use delassus_mesh::CellKind;
use nalgebra::{SMatrix, SVector};

use super::{Element, quadrature};
use crate::tensor::Vector;

/// The three-node triangle.
#[derive(Clone, Copy, Debug)]
pub struct Triangle3;

impl Element<2, 3> for Triangle3 {
    const KIND: CellKind = CellKind::Triangle3;
    const NODES: [[f64; 2]; 3] = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
    const RULE: &'static [([f64; 2], f64)] = &quadrature::TRIANGLE_1;
    // One point would leave a motion of an axisymmetric triangle without stiffness: four strains for five motions.
    const REVOLVED_RULE: &'static [([f64; 2], f64)] = &quadrature::TRIANGLE_3;
    const MASS_RULE: &'static [([f64; 2], f64)] = &quadrature::TRIANGLE_3;

    fn shape(xi: &Vector<2>) -> SVector<f64, 3> {
        SVector::<f64, 3>::new(1.0 - xi[0] - xi[1], xi[0], xi[1])
    }

    fn shape_grad(_xi: &Vector<2>) -> SMatrix<f64, 2, 3> {
        SMatrix::<f64, 2, 3>::new(-1.0, 1.0, 0.0, -1.0, 0.0, 1.0)
    }
}
