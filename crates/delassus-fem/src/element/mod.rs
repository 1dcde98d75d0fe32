//! Elements: reference cells with shape functions and quadrature.
//!
//! An element is its reference nodes, its shape functions and their gradients; everything else (mapping, B matrices,
//! mass, stiffness) is one generic kernel. Isoparametric:
//!
//! ```text
//! x(ξ) = Σ_a N_a(ξ) x_a ,   J = ∂x/∂ξ ,   ∇N_a = J⁻ᵀ ∇_ξ N_a
//! ```

mod hexahedron20;
mod hexahedron8;
mod prism6;
mod quad4;
mod quad8;
mod quadratic_simplex;
pub(crate) mod quadrature;
mod segment2;
mod segment3;
mod serendipity;
mod tetrahedron10;
mod tetrahedron4;
mod triangle3;
mod triangle6;

use delassus_mesh::CellKind;
use nalgebra::{SMatrix, SVector};

use crate::tensor::Vector;

pub use hexahedron8::Hexahedron8;
pub use hexahedron20::Hexahedron20;
pub use prism6::Prism6;
pub use quad4::Quad4;
pub use quad8::Quad8;
pub use segment2::Segment2;
pub use segment3::Segment3;
pub use tetrahedron4::Tetrahedron4;
pub use tetrahedron10::Tetrahedron10;
pub use triangle3::Triangle3;
pub use triangle6::Triangle6;

/// A reference cell of D-dimensional space with N nodes.
pub trait Element<const D: usize, const N: usize> {
    /// The kind of mesh cell this element lives on; its node order is this element's.
    const KIND: CellKind;
    /// Reference coordinates of the nodes.
    const NODES: [[f64; D]; N];
    /// Quadrature of the stiffness, and of loads where the element is the facet of another: points and weights; the weights add to the volume of the reference cell.
    const RULE: &'static [([f64; D], f64)];
    /// Quadrature of the stiffness of an axisymmetric cell, whose hoop strain is not constant.
    const REVOLVED_RULE: &'static [([f64; D], f64)] = Self::RULE;
    /// Quadrature of the mass: exact for N_a N_b |J|, of quadratic elements at least where J is constant.
    const MASS_RULE: &'static [([f64; D], f64)];
    /// Whether the incompatible modes 1 − ξ_i² along each axis can be added: a linear cell on \[−1, 1\]^D.
    const HAS_MODES: bool = false;
    /// The shape functions at ξ.
    fn shape(xi: &Vector<D>) -> SVector<f64, N>;
    /// Their gradients ∇_ξ N_a at ξ, one column per node.
    fn shape_grad(xi: &Vector<D>) -> SMatrix<f64, D, N>;
}
