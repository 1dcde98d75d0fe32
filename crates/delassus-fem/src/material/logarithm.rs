//! The logarithmic strain of a stretch, with its derivatives, and a law of small strains written in it.
//!
//! ```text
//! E = ½ ln C = Σ ½ ln c_a N_a⊗N_a           C = FᵀF = Σ c_a N_a⊗N_a
//! S = T : 𝒫 ,   𝒫 = 2 ∂E/∂C                  T the stress that a law of small strains has for the strain E
//! 2 ∂S/∂C = 𝒫ᵀ (∂T/∂E) 𝒫 + T : ℒ ,   ℒ = 4 ∂²E/∂C²
//!
//! in the axes N_a:   𝒫[H]_ab = 2 f[c_a,c_b] H_ab ,   ℒ[H,K]_ab = 4 Σ_c f[c_a,c_c,c_b] (H_ac K_cb + K_ac H_cb) ,     f = ½ ln
//! ```
//!
//! (Miehe, Apel & Lambrecht 2002 §2.2, with divided differences f[…] in place of their cases of equal and different c_a.) T is work-conjugate to E: T : Ė is
//! the power per undeformed volume, so stored energy, dissipation and work of the small-strain law are those of the finite strain. A function of C
//! alone is objective.
//!
//! Eigenvalues of C are known to ε c_max: the smallest of a point that is squeezed to a hundredth keeps few digits, and κ multiplies the error of its logarithm. It follows from J and
//! the other two, c_min = J²/(c_1 c_2), so that tr E = ln J.

use delassus_math as math;
use nalgebra::{Matrix3, SMatrix, Vector3};

use super::{Kinematics3, Response, Stretch, Stretching};
use crate::tensor::{Mandel, Tangent, matrix, rotated, rotated_tangent, symmetric_part};

/// Below this relative spread of three numbers their divided difference is summed as a series.
const CLOSE: f64 = 0.1;

/// Terms of the series: 0.1¹⁶ is rounding.
const TERMS: usize = 20;

/// f\[a, b\] of f = ½ ln: (ln a − ln b) / (2 (a − b)), and its limit 1/(2a).
fn difference(a: f64, b: f64) -> f64 {
    let x = (a - b) / b;
    // ln(1 + x)/x has no cancellation, however small x is
    let ratio = if x.abs() > 0.0 { math::ln_1p(x) / x } else { 1.0 };
    0.5 * ratio / b
}

/// f\[a, b, c\] of f = ½ ln, and its limits.
fn second_difference(a: f64, b: f64, c: f64) -> f64 {
    let mut sorted = [a, b, c];
    sorted.sort_unstable_by(f64::total_cmp);
    let [low, middle, high] = sorted;
    let mean = (low + middle + high) / 3.0;
    if high - low > CLOSE * mean {
        return (difference(high, middle) - difference(middle, low)) / (high - low);
    }
    // Σ_k f⁽ᵏ⁾(m)/k! h_{k−2}(δ) with the complete homogeneous polynomials h of the distances δ from m; f⁽ᵏ⁾/k! = (−1)ᵏ⁻¹/(2k mᵏ)
    let [x, y, z] = sorted.map(|c| (c - mean) / mean);
    let (mut of_x, mut of_xy, mut of_xyz, mut sum, mut sign) = (1.0, 1.0, 1.0, 0.0, -1.0);
    for k in 2..TERMS {
        sum += sign * of_xyz / (2.0 * k as f64);
        sign = -sign;
        of_x *= x;
        of_xy = of_x + y * of_xy;
        of_xyz = of_xy + z * of_xyz;
    }
    sum / (mean * mean)
}

/// A stretch with its principal axes.
pub(super) struct Logarithm {
    /// c_a.
    values: Vector3<f64>,
    /// Columns N_a.
    axes: Matrix3<f64>,
    /// E.
    pub strain: Mandel,
}

impl Logarithm {
    /// Of C with its volume; none unless C is positive definite.
    pub fn of(stretch: &Stretch) -> Option<Self> {
        let Stretch { c, volume } = stretch;
        if !(c.iter().all(|x| x.is_finite()) && *volume > 0.0 && volume.is_finite()) {
            return None;
        }
        let eigen = matrix(c).symmetric_eigen();
        let (mut values, axes) = (eigen.eigenvalues, eigen.eigenvectors);
        if !values.iter().all(|x| *x > 0.0) {
            return None;
        }
        let least = values.imin();
        let [a, b] = [values[(least + 1) % 3], values[(least + 2) % 3]];
        values[least] = (volume / a) * (volume / b);
        let logarithms = Matrix3::from_diagonal(&values.map(|x| 0.5 * math::ln(x)));
        let strain = symmetric_part(&(axes * logarithms * axes.transpose()));
        Some(Self { values, axes, strain })
    }

    /// 𝒫 in the axes N_a, where it is diagonal in Mandel notation.
    fn first(&self) -> Mandel {
        let c = &self.values;
        let of = |a: usize, b: usize| 2.0 * difference(c[a], c[b]);
        Mandel::new(of(0, 0), of(1, 1), of(2, 2), of(0, 1), of(1, 2), of(0, 2))
    }

    /// S for a stress T.
    pub fn second_piola(&self, stress: &Mandel) -> Mandel {
        let inside = rotated(stress, &self.axes.transpose());
        rotated(&inside.component_mul(&self.first()), &self.axes)
    }

    /// 2 ∂S/∂C for a stress T and its tangent ∂T/∂E; with T left out what remains is as definite as ∂T/∂E.
    pub fn tangent(&self, stress: Option<&Mandel>, tangent: &Tangent) -> Tangent {
        let first = Tangent::from_diagonal(&self.first());
        let mut inside = first * rotated_tangent(tangent, &self.axes.transpose()) * first;
        if let Some(stress) = stress {
            inside += self.bent(&matrix(&rotated(stress, &self.axes.transpose())));
        }
        rotated_tangent(&inside, &self.axes)
    }

    /// T : ℒ in the axes N_a.
    fn bent(&self, stress: &Matrix3<f64>) -> Tangent {
        let c = &self.values;
        let basis: [Matrix3<f64>; 6] = std::array::from_fn(|k| matrix(&Mandel::ith(k, 1.0)));
        // Σ_ab T_ab f[a,c,b] H_ac K_cb = Σ_c (Hᵀ G_c K)_cc with (G_c)_ab = T_ab f[a,c,b]
        let weighted: [Matrix3<f64>; 3] =
            std::array::from_fn(|m| Matrix3::from_fn(|a, b| stress[(a, b)] * second_difference(c[a], c[m], c[b])));
        let mut out = Tangent::zeros();
        for (row, h) in basis.iter().enumerate() {
            let left: SMatrix<f64, 3, 3> =
                SMatrix::from_fn(|m, b| (0..3).map(|a| h[(a, m)] * weighted[m][(a, b)]).sum());
            for (column, k) in basis.iter().enumerate().take(row + 1) {
                let sum: f64 = (0..3).map(|m| (0..3).map(|b| left[(m, b)] * k[(m, b)]).sum::<f64>()).sum();
                out[(row, column)] = 8.0 * sum;
                out[(column, row)] = 8.0 * sum;
            }
        }
        out
    }
}

/// A law of small strains in logarithmic ones: the response to a motion from C to C⁺, as S and 2 ∂S⁺/∂C⁺; none where C or C⁺ is no stretch.
pub(super) fn in_logarithms(motion: &Stretching, law: impl FnOnce(&Kinematics3) -> Response) -> Option<Response> {
    let (start, end) = (Logarithm::of(&motion.before)?, Logarithm::of(&motion.after)?);
    let kinematics =
        Kinematics3 { strain: end.strain, increment: end.strain - start.strain, strain_rate: Mandel::zeros() };
    let response = law(&kinematics);
    Some(Response {
        stress: end.second_piola(&response.stress),
        tangent: end.tangent(motion.stresses.then_some(&response.stress), &response.tangent),
        ..response
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensor::isotropic;

    /// Stretches with three different, two near, two equal and three equal principal values, in turned axes.
    fn stretches() -> Vec<Mandel> {
        let turn = nalgebra::Rotation3::from_euler_angles(0.3, -0.7, 1.1).into_inner();
        let values = [
            [0.3, 1.7, 4.0],
            [0.9, 0.9 + 1e-9, 2.0],
            [1.0, 1.0 + 1e-3, 1.0 - 2e-3],
            [1.3, 1.3, 0.6],
            [1.1, 1.1, 1.1],
            [1.0, 1.04, 1.101],
        ];
        values.map(|v| rotated(&Mandel::new(v[0], v[1], v[2], 0.0, 0.0, 0.0), &turn)).to_vec()
    }

    #[test]
    fn derivatives_are_those_of_differences() {
        let (stress, law) = (Mandel::new(1.0, -0.4, 0.7, 0.3, 0.9, -0.6), isotropic(1.3, 0.8));
        let step = 1e-5;
        for c in stretches() {
            let of = |c: Mandel| Logarithm::of(&Stretch::of(c)).unwrap();
            let at = of(c);
            // T = T₀ + 𝔼 (E − E₀)
            let s = |c: &Mandel| {
                let l = of(*c);
                l.second_piola(&(stress + law * (l.strain - at.strain)))
            };
            let tangent = at.tangent(Some(&stress), &law);
            for k in 0..6 {
                let d = Mandel::ith(k, step);
                let energy = (of(c + d).strain - of(c - d).strain) / step;
                // S = T : 2 ∂E/∂C
                assert!(
                    (stress.dot(&energy) - at.second_piola(&stress)[k]).abs() < 1e-8,
                    "{c}: central differences of 1e-5"
                );
                let by_difference = (s(&(c + d)) - s(&(c - d))) / step;
                assert!((by_difference - tangent.column(k)).norm() < 1e-7, "{c} {k}: {by_difference} {tangent}");
            }
        }
    }

    /// A point pressed to a hundredth of its height, spread in its plane and sheared. ln J is known to the rounding of J, 1e-15 here; by the eigenvalues of C alone it would be to 1e-16 × 1e6.
    #[test]
    fn the_volume_of_a_squeezed_point_keeps_its_digits() {
        let turn = |x: f64| nalgebra::Rotation3::from_euler_angles(x, 0.4 - x, 2.0 * x).into_inner();
        let diagonal = Matrix3::from_diagonal(&Vector3::new(0.01, 7.0, 10.0));
        let f = turn(0.6) * diagonal * turn(-0.9);
        let c = symmetric_part(&(f.transpose() * f));
        let volume = 0.01 * 7.0 * 10.0;
        let error = |volume: f64| {
            let strain = Logarithm::of(&Stretch { c, volume }).unwrap().strain;
            (crate::tensor::trace(&strain) - math::ln(0.7)).abs()
        };
        assert!(error(volume) < 4e-15, "{:e}", error(volume));
        assert!(error(matrix(&c).determinant().sqrt()) > 1e-13, "else this test shows nothing");
    }

    #[test]
    fn differences_of_near_numbers_join_those_of_far_ones() {
        // both branches of the second difference at their border, against exact sums with twice the digits: f[a,b,c] of 1, 1.05, 1.1
        let (a, b, c) = (1.0_f64, 1.05_f64, 1.1_f64);
        let far = (difference(c, b) - difference(b, a)) / (c - a);
        assert!((second_difference(a, b, c) / far - 1.0).abs() < 1e-13);
        assert!((second_difference(2.0, 2.0, 2.0) + 0.0625).abs() < 1e-17, "f''/2 = −1/(4 c²)");
        assert!((difference(3.0, 3.0) - 1.0 / 6.0).abs() < 1e-17);
    }
}
