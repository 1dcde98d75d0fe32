//! Segment2: the two-node segment with linear shape functions; the facet of plane linear elements.
//!
//! ```text
//! N_a = ½ (1 + ξ_a ξ)   on [−1, 1]
//! ```

use delassus_mesh::CellKind;
use nalgebra::{SMatrix, SVector};

use super::{Element, quadrature};
use crate::tensor::Vector;

/// The two-node segment.
#[derive(Clone, Copy, Debug)]
pub struct Segment2;

impl Element<1, 2> for Segment2 {
    const KIND: CellKind = CellKind::Segment2;
    const NODES: [[f64; 1]; 2] = [[-1.0], [1.0]];
    const RULE: &'static [([f64; 1], f64)] = &quadrature::LINE_1;
    const MASS_RULE: &'static [([f64; 1], f64)] = &quadrature::LINE_2;

    fn shape(xi: &Vector<1>) -> SVector<f64, 2> {
        SVector::<f64, 2>::new(0.5 * (1.0 - xi[0]), 0.5 * (1.0 + xi[0]))
    }

    fn shape_grad(_xi: &Vector<1>) -> SMatrix<f64, 1, 2> {
        SMatrix::<f64, 1, 2>::new(-0.5, 0.5)
    }
}
