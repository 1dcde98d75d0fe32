//! Elements: reference cells with shape functions and quadrature.
//!
//! An element is its reference nodes, its shape functions and their gradients; everything else (mapping, B matrices,
//! mass, stiffness) is one generic kernel. Isoparametric:
//!
//! ```text
//! x(ξ) = Σ_a N_a(ξ) x_a ,   J = ∂x/∂ξ ,   ∇N_a = J⁻ᵀ ∇_ξ N_a
//! ```

mod q4;
pub(crate) mod quadrature;
mod t3;

use delassus_mesh::CellKind;
use nalgebra::{SMatrix, SVector};

use crate::Vector;

pub use q4::Q4;
pub use t3::T3;

/// A reference cell of D-dimensional space with N nodes.
pub trait Element<const D: usize, const N: usize> {
    /// The kind of mesh cell this element lives on; its node order is this element's.
    const KIND: CellKind;
    /// Reference coordinates of the nodes.
    const NODES: [[f64; D]; N];
    /// Quadrature of the stiffness: points and weights; the weights add to the volume of the reference cell.
    const RULE: &'static [([f64; D], f64)];
    /// Quadrature of the mass: exact for N_a N_b |J|.
    const MASS_RULE: &'static [([f64; D], f64)];
    /// The shape functions at ξ.
    fn shape(xi: &Vector<D>) -> SVector<f64, N>;
    /// Their gradients ∇_ξ N_a at ξ, one column per node.
    fn shape_grad(xi: &Vector<D>) -> SMatrix<f64, D, N>;
}
