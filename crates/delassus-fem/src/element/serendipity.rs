//! Shape functions of quadratic serendipity cells on \[−1, 1\]^D, from the reference coordinates of their nodes.
//!
//! ```text
//! corner a       N_a = 2^−D Π_i (1 + ξ_ai ξ_i) (Σ_i ξ_ai ξ_i − D + 1)
//! middle, ξ_ak = 0   N_a = 2^(1−D) (1 − ξ_k²) Π_{i ≠ k} (1 + ξ_ai ξ_i)
//! ```

use nalgebra::{SMatrix, SVector};

use crate::tensor::Vector;

/// The factor of coordinate i in the product, and its derivative.
fn factor(at: f64, x: f64) -> (f64, f64) {
    if at.abs() > 0.5 { (1.0 + at * x, at) } else { (1.0 - x * x, -2.0 * x) }
}

fn is_corner<const D: usize>(node: &[f64; D]) -> bool {
    node.iter().all(|x| x.abs() > 0.5)
}

/// The sum in the shape function of a corner; 1 for a middle.
fn bracket<const D: usize>(node: &[f64; D], xi: &Vector<D>) -> f64 {
    if !is_corner(node) {
        return 1.0;
    }
    node.iter().zip(xi.iter()).map(|(a, x)| a * x).sum::<f64>() - (D as f64 - 1.0)
}

fn scale<const D: usize>(node: &[f64; D]) -> f64 {
    0.5_f64.powi(if is_corner(node) { D as i32 } else { D as i32 - 1 })
}

pub(super) fn shape<const D: usize, const N: usize>(nodes: &[[f64; D]; N], xi: &Vector<D>) -> SVector<f64, N> {
    SVector::from_fn(|a, _| {
        let product: f64 = (0..D).map(|i| factor(nodes[a][i], xi[i]).0).product();
        scale(&nodes[a]) * product * bracket(&nodes[a], xi)
    })
}

pub(super) fn shape_grad<const D: usize, const N: usize>(nodes: &[[f64; D]; N], xi: &Vector<D>) -> SMatrix<f64, D, N> {
    SMatrix::from_fn(|k, a| {
        let node = &nodes[a];
        let others: f64 = (0..D).filter(|&i| i != k).map(|i| factor(node[i], xi[i]).0).product();
        let (value, slope) = factor(node[k], xi[k]);
        let of_bracket = if is_corner(node) { node[k] } else { 0.0 };
        scale(node) * others * (slope * bracket(node, xi) + value * of_bracket)
    })
}
