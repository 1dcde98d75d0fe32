//! Shape functions of quadratic simplices from the barycentric coordinates λ = (1 − Σ ξ_i, ξ_1, …, ξ_D).
//!
//! ```text
//! corners  N_a = λ_a (2 λ_a − 1) ,          ∇N_a = (4 λ_a − 1) ∇λ_a
//! middles  N_ab = 4 λ_a λ_b ,               ∇N_ab = 4 (λ_a ∇λ_b + λ_b ∇λ_a)
//! ```

use delassus_mesh::CellKind;
use nalgebra::{SMatrix, SVector};

use crate::tensor::Vector;

fn lambda<const D: usize>(xi: &Vector<D>, a: usize) -> f64 {
    if a == 0 { 1.0 - xi.sum() } else { xi[a - 1] }
}

fn lambda_grad<const D: usize>(a: usize) -> Vector<D> {
    if a == 0 { Vector::repeat(-1.0) } else { Vector::from_fn(|i, _| f64::from(u8::from(i + 1 == a))) }
}

pub(super) fn shape<const D: usize, const N: usize>(kind: CellKind, xi: &Vector<D>) -> SVector<f64, N> {
    SVector::from_fn(|a, _| match a.checked_sub(D + 1) {
        None => lambda(xi, a) * (2.0 * lambda(xi, a) - 1.0),
        Some(m) => {
            let [b, c] = kind.mid_nodes()[m];
            4.0 * lambda(xi, b) * lambda(xi, c)
        }
    })
}

pub(super) fn shape_grad<const D: usize, const N: usize>(kind: CellKind, xi: &Vector<D>) -> SMatrix<f64, D, N> {
    let mut gradient = SMatrix::<f64, D, N>::zeros();
    for a in 0..N {
        let column: Vector<D> = match a.checked_sub(D + 1) {
            None => lambda_grad(a) * (4.0 * lambda(xi, a) - 1.0),
            Some(m) => {
                let [b, c] = kind.mid_nodes()[m];
                (lambda_grad(c) * lambda(xi, b) + lambda_grad(b) * lambda(xi, c)) * 4.0
            }
        };
        gradient.set_column(a, &column);
    }
    gradient
}
