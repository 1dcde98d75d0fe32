//! Symmetric tensors of three-dimensional space in Mandel notation.
//!
//! ```text
//! ε = (ε_xx, ε_yy, ε_zz, √2 ε_xy, √2 ε_yz, √2 ε_xz)
//! ```
//!
//! The double contraction is then the dot product (σ:ε = σ·ε), a fourth-order tensor is a 6×6 matrix that is symmetric
//! whenever the tensor has the major symmetry, and rotation-invariant norms are ordinary norms: no factor 2 has to be
//! remembered for the shears, neither in strains nor in stresses.

use std::f64::consts::{FRAC_1_SQRT_2, SQRT_2};

use nalgebra::{Matrix3, SMatrix, SVector};

/// A vector of D-dimensional space.
pub type Vector<const D: usize> = SVector<f64, D>;

/// A symmetric second-order tensor (strain \[-\], strain rate \[1/s\], stress \[Pa\]) in Mandel notation.
pub type Mandel = SVector<f64, 6>;

/// A fourth-order tensor with minor symmetries (dσ/dε \[Pa\], dσ/dε̇ \[Pa·s\]) in Mandel notation.
pub type Tangent = SMatrix<f64, 6, 6>;

/// Position of component (i, j) in the Mandel vector.
const INDEX: [[usize; 3]; 3] = [[0, 3, 5], [3, 1, 4], [5, 4, 2]];

/// Position of the out-of-plane normal component zz.
pub(crate) const ZZ: usize = 2;

/// The unit tensor I.
#[must_use]
pub fn unit() -> Mandel {
    Mandel::new(1.0, 1.0, 1.0, 0.0, 0.0, 0.0)
}

/// The trace of a symmetric tensor.
#[must_use]
pub fn trace(a: &Mandel) -> f64 {
    a[0] + a[1] + a[2]
}

/// The deviator A − ⅓ tr A I.
#[must_use]
pub fn deviator(a: &Mandel) -> Mandel {
    a - unit() * (trace(a) / 3.0)
}

/// The second invariant √(½ dev A : dev A) of the deviator: the shear stress of pure shear, half its engineering strain.
#[must_use]
pub fn shear_invariant(a: &Mandel) -> f64 {
    (0.5 * deviator(a).norm_squared()).sqrt()
}

/// The symmetric part of a matrix.
#[must_use]
pub fn symmetric_part(a: &Matrix3<f64>) -> Mandel {
    let off = |i: usize, j: usize| 0.5 * SQRT_2 * (a[(i, j)] + a[(j, i)]);
    Mandel::new(a[(0, 0)], a[(1, 1)], a[(2, 2)], off(0, 1), off(1, 2), off(0, 2))
}

/// The matrix of the components.
#[must_use]
pub fn matrix(a: &Mandel) -> Matrix3<f64> {
    let c = components(a);
    Matrix3::new(c[0], c[3], c[5], c[3], c[1], c[4], c[5], c[4], c[2])
}

/// Q A Qᵀ.
#[must_use]
pub fn rotated(a: &Mandel, q: &Matrix3<f64>) -> Mandel {
    symmetric_part(&(q * matrix(a) * q.transpose()))
}

/// The tangent whose arguments and results are rotated by Q: A ↦ Q C(Qᵀ A Q) Qᵀ.
#[must_use]
pub fn rotated_tangent(c: &Tangent, q: &Matrix3<f64>) -> Tangent {
    let rotation = Tangent::from_columns(&std::array::from_fn::<Mandel, 6, _>(|k| rotated(&Mandel::ith(k, 1.0), q)));
    rotation * c * rotation.transpose()
}

/// The isotropic tensor λ I⊗I + 2μ 𝕀.
#[must_use]
pub fn isotropic(lambda: f64, mu: f64) -> Tangent {
    unit() * unit().transpose() * lambda + Tangent::identity() * (2.0 * mu)
}

/// The components of the tensor itself in the order of files, XX YY ZZ XY YZ XZ (no factor √2).
#[must_use]
pub fn components(a: &Mandel) -> [f64; 6] {
    [a[0], a[1], a[2], a[3] * FRAC_1_SQRT_2, a[4] * FRAC_1_SQRT_2, a[5] * FRAC_1_SQRT_2]
}

/// The von Mises stress √(3/2 s:s), s the deviator \[Pa\].
#[must_use]
pub fn von_mises(stress: &Mandel) -> f64 {
    (1.5 * deviator(stress).norm_squared()).sqrt()
}

/// The strain operator of a node: ε = B_a u_a for the nodal displacement u_a, from the gradient of its shape function.
///
/// Column i is the symmetric part of e_i ⊗ ∇N_a.
#[must_use]
pub fn strain_operator<const D: usize>(gradient: &Vector<D>) -> SMatrix<f64, 6, D> {
    let mut b = SMatrix::<f64, 6, D>::zeros();
    for i in 0..D.min(3) {
        for j in 0..D.min(3) {
            // ε_ij = ½ g_j, and Mandel doubles it by √2 off the diagonal
            let scale = if i == j { 1.0 } else { 0.5 * SQRT_2 };
            b[(INDEX[i][j], i)] = scale * gradient[j];
        }
    }
    b
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ε of the displacement gradient H (3×3), by the definition.
    fn mandel_of(h: &SMatrix<f64, 3, 3>) -> Mandel {
        let e = (h + h.transpose()) * 0.5;
        Mandel::new(e[(0, 0)], e[(1, 1)], e[(2, 2)], SQRT_2 * e[(0, 1)], SQRT_2 * e[(1, 2)], SQRT_2 * e[(0, 2)])
    }

    #[test]
    fn strain_operator_is_the_symmetric_gradient_in_3d() {
        let (g, u) = (Vector::<3>::new(0.3, -1.2, 0.7), Vector::<3>::new(2.0, 0.4, -0.9));
        let direct = mandel_of(&(u * g.transpose()));
        assert!((strain_operator(&g) * u - direct).norm() < 1e-15, "same few products, differently ordered");
    }

    #[test]
    fn strain_operator_in_2d_is_that_in_3d_without_z() {
        let b2 = strain_operator(&Vector::<2>::new(0.3, -1.2));
        let b3 = strain_operator(&Vector::<3>::new(0.3, -1.2, 0.0));
        assert_eq!(b2, b3.fixed_columns::<2>(0).into_owned());
    }

    #[test]
    fn contraction_is_a_dot_product() {
        let h = SMatrix::<f64, 3, 3>::new(1.0, 2.0, 3.0, -4.0, 5.0, 0.5, 0.25, -1.0, 2.0);
        let e = (h + h.transpose()) * 0.5;
        let full: f64 = e.component_mul(&e).sum();
        assert!((mandel_of(&h).norm_squared() - full).abs() < 1e-13, "two sums of nine numbers of order 10");
    }

    #[test]
    fn isotropic_law_and_von_mises() {
        let (lambda, mu) = (3.0, 2.0);
        let e = Mandel::new(0.1, -0.2, 0.05, 0.3, 0.0, -0.4);
        let direct = unit() * (lambda * trace(&e)) + e * (2.0 * mu);
        assert!((isotropic(lambda, mu) * e - direct).norm() < 1e-15);
        // uniaxial: the stress itself; pure shear τ: √3 τ; hydrostatic: none
        assert!((von_mises(&Mandel::new(5.0, 0.0, 0.0, 0.0, 0.0, 0.0)) - 5.0).abs() < 1e-14);
        assert!((von_mises(&Mandel::new(0.0, 0.0, 0.0, SQRT_2, 0.0, 0.0)) - 3.0_f64.sqrt()).abs() < 1e-14);
        assert!(von_mises(&(unit() * 7.0)) < 1e-14);
    }

    #[test]
    fn components_lose_the_factor() {
        let c = components(&Mandel::new(1.0, 2.0, 3.0, 4.0 * SQRT_2, 5.0 * SQRT_2, 6.0 * SQRT_2));
        for (k, x) in c.iter().enumerate() {
            assert!((x - (k as f64 + 1.0)).abs() < 1e-14);
        }
    }
}
