//! Segment3: the three-node segment with quadratic shape functions; the facet of plane quadratic elements.
//!
//! ```text
//! N = (½ ξ (ξ − 1), ½ ξ (ξ + 1), 1 − ξ²)   on [−1, 1], the middle last
//! ```

use delassus_mesh::CellKind;
use nalgebra::{SMatrix, SVector};

use super::{Element, quadrature};
use crate::tensor::Vector;

/// The three-node segment.
#[derive(Clone, Copy, Debug)]
pub struct Segment3;

impl Element<1, 3> for Segment3 {
    const KIND: CellKind = CellKind::Segment3;
    const NODES: [[f64; 1]; 3] = [[-1.0], [1.0], [0.0]];
    const RULE: &'static [([f64; 1], f64)] = &quadrature::LINE_3;
    const MASS_RULE: &'static [([f64; 1], f64)] = &quadrature::LINE_3;

    fn shape(xi: &Vector<1>) -> SVector<f64, 3> {
        let x = xi[0];
        SVector::<f64, 3>::new(0.5 * x * (x - 1.0), 0.5 * x * (x + 1.0), 1.0 - x * x)
    }

    fn shape_grad(xi: &Vector<1>) -> SMatrix<f64, 1, 3> {
        SMatrix::<f64, 1, 3>::new(xi[0] - 0.5, xi[0] + 0.5, -2.0 * xi[0])
    }
}
