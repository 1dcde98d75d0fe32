//! Kinematics: the strain increments that materials receive. Small strains in fixed axes, or moving geometry.
//!
//! With updated geometry, the equations of a material are written in a frame Λ that rotates with it, so that any rate in that
//! frame is objective. Over a step from x to x⁺, with gradients at the middle x + ½ Δq,
//!
//! ```text
//! Δε = sym ∇_m Δq ,   Δω = skw ∇_m Δq ,   Δε̂ = Λ_mᵀ Δε Λ_m ,   σ⁺ = Λ⁺ σ̂⁺ Λ⁺ᵀ
//! Green–Naghdi :  Λ = R of F = R U ,   Λ_m = R of ½(F + F⁺)
//! Jaumann      :  Λ⁺ = Q Λ ,   Λ_m = Q^½ Λ ,   Q = (I − ½Δω)⁻¹ (I + ½Δω)
//! f_a = Σ_qp B_a(x⁺)ᵀ σ⁺ w |J(x⁺)|
//! ```
//!
//! (Jean 1995 §5.1 has the Green–Naghdi rate; the midpoint rule and Q are those of Hughes & Winget 1980: a rigid rotation, however large, gives
//! no Δε, and Q is that rotation.) R follows from the displacements; Jaumann's frame depends on the way and is kept, nine numbers per quadrature
//! point. The tangent used is the material's in the rotated frame, on the geometry of x⁺; the geometric part is left out. This only costs Newton
//! iterations if stresses are not small compared with the moduli.

use delassus_math as math;
use nalgebra::{Matrix3, SMatrix, Vector3};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::tensor::{Mandel, symmetric_part};

/// How strains are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub enum Kinematics {
    /// Small strains and rotations: everything is integrated over the geometry as given.
    SmallStrain,
    /// Small strains in a frame that turns with the body: rotations of any size.
    Corotational {
        /// What has a frame.
        #[serde(default)]
        frames: FrameScope,
    },
    /// The geometry moves with the body; materials must be given by a stress rate.
    UpdatedGeometry {
        /// Objective rate of the stress.
        #[serde(default)]
        rate: ObjectiveRate,
    },
    /// Strains and rotations of any size, over the geometry as given (total Lagrangian). Laws of small strains are taken in logarithmic strains.
    FiniteStrain {},
}

/// What has a frame that turns with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum FrameScope {
    /// The body as a whole: its parts may turn against each other by small rotations.
    #[default]
    Body,
    /// Each element on its own: its parts may turn against each other as far as they like, with small strains in each element.
    Elements,
}

/// Objective rates: which frame rotates with the material.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum ObjectiveRate {
    /// The rotation of the polar decomposition.
    #[default]
    GreenNaghdi,
    /// The spin.
    Jaumann,
}

/// Numbers of a kept frame.
const FRAME: usize = 9;

impl Kinematics {
    /// Numbers kept per quadrature point beyond the material's.
    pub(crate) fn n_kept(self) -> usize {
        match self {
            Self::UpdatedGeometry { rate: ObjectiveRate::Jaumann } => FRAME,
            Self::SmallStrain
            | Self::Corotational { .. }
            | Self::FiniteStrain {}
            | Self::UpdatedGeometry { rate: ObjectiveRate::GreenNaghdi } => 0,
        }
    }

    /// Do forces and strains follow from the geometry as it is now, whatever its rotations?
    #[must_use]
    pub fn moves_geometry(self) -> bool {
        matches!(self, Self::UpdatedGeometry { .. } | Self::FiniteStrain {})
    }

    /// Do volumes that change take stored energy along?
    #[must_use]
    pub fn dilates(self) -> bool {
        matches!(self, Self::UpdatedGeometry { .. })
    }

    /// That of the cells: in a frame they see small strains.
    pub(crate) fn of_cells(self) -> Self {
        if self.moves_geometry() { self } else { Self::SmallStrain }
    }

    /// Their values at the start.
    pub(crate) fn initial_kept(self) -> Vec<f64> {
        Matrix3::<f64>::identity().as_slice()[..self.n_kept()].to_vec()
    }
}

/// A material's frame over a step.
pub(crate) struct MaterialFrames {
    /// Λ_m.
    pub middle: Matrix3<f64>,
    /// Λ⁺.
    pub end: Matrix3<f64>,
}

impl MaterialFrames {
    /// From the deformation gradients before and after.
    pub fn of_rotations(before: &Matrix3<f64>, after: &Matrix3<f64>) -> Self {
        Self { middle: rotation_of(&((before + after) * 0.5)), end: rotation_of(after) }
    }

    /// From the kept frame and the increment Δω of rotation.
    pub fn of_spin(kept: &[f64], spin: &Matrix3<f64>) -> Self {
        let before = Matrix3::from_column_slice(kept);
        Self { middle: rotation_by(spin, 0.5) * before, end: rotation_by(spin, 1.0) * before }
    }
}

/// A D × D gradient in space; nothing happens along the missing directions.
pub(crate) fn in_space<const D: usize>(gradient: &SMatrix<f64, D, D>) -> Matrix3<f64> {
    Matrix3::from_fn(|i, j| if i < D && j < D { gradient[(i, j)] } else { 0.0 })
}

/// R of the polar decomposition F = R U.
fn rotation_of(f: &Matrix3<f64>) -> Matrix3<f64> {
    let in_plane = [(0, 2), (1, 2), (2, 0), (2, 1)].iter().all(|&k| f[k].abs() <= 0.0);
    if in_plane {
        let (sin, cos) = (f[(1, 0)] - f[(0, 1)], f[(0, 0)] + f[(1, 1)]);
        let length = math::hypot(sin, cos);
        let (sin, cos) = (sin / length, cos / length);
        return Matrix3::new(cos, -sin, 0.0, sin, cos, 0.0, 0.0, 0.0, 1.0);
    }
    orthogonal_factor(f)
}

/// R of F = R U by Newton's iteration for the orthogonal factor (Higham 1986): quadratic from any regular start. det F > 0.
pub(crate) fn orthogonal_factor(f: &Matrix3<f64>) -> Matrix3<f64> {
    let mut r = *f;
    for _ in 0..MOST_ITERATIONS {
        let Some(inverse) = r.try_inverse() else { break };
        let next = (r + inverse.transpose()) * 0.5;
        let change = (next - r).amax();
        r = next;
        if change <= ROUNDING {
            break;
        }
    }
    r
}

/// Far above what a deformation gradient of a cell that is not inverted needs.
const MOST_ITERATIONS: usize = 60;

/// Change of a rotation by rounding.
const ROUNDING: f64 = 1e-15;

/// Q to some power by Rodrigues' formula: Q rotates about the axis of Δω by the angle α with tan(α/2) = |Δω|/2.
fn rotation_by(spin: &Matrix3<f64>, power: f64) -> Matrix3<f64> {
    let size = Vector3::new(spin[(2, 1)], spin[(0, 2)], spin[(1, 0)]).norm();
    if size <= 0.0 {
        return Matrix3::identity();
    }
    let half = power * math::atan(0.5 * size);
    // 1 − cos α = 2 sin²(α/2): no difference of near numbers
    let axis = spin / size;
    Matrix3::identity() + axis * math::sin(2.0 * half) + axis * axis * (2.0 * math::sin(half) * math::sin(half))
}

/// Logarithmic strain ½ ln(F Fᵀ).
pub(crate) fn logarithmic_strain(f: &Matrix3<f64>) -> Mandel {
    let eigen = (f * f.transpose()).symmetric_eigen();
    let logarithms = Matrix3::from_diagonal(&eigen.eigenvalues.map(|x| 0.5 * math::ln(x)));
    symmetric_part(&(eigen.eigenvectors * logarithms * eigen.eigenvectors.transpose()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_rotation(r: &Matrix3<f64>) -> bool {
        (r * r.transpose() - Matrix3::identity()).amax() < 1e-14 && (r.determinant() - 1.0).abs() < 1e-14
    }

    #[test]
    fn polar_rotation_leaves_a_symmetric_stretch() {
        let rotation = rotation_by(&Matrix3::new(0.0, -0.7, 0.4, 0.7, 0.0, -1.1, -0.4, 1.1, 0.0), 1.0);
        assert!(is_rotation(&rotation));
        let stretch = Matrix3::new(1.3, 0.2, -0.1, 0.2, 0.8, 0.3, -0.1, 0.3, 1.1);
        let r = rotation_of(&(rotation * stretch));
        assert!((r - rotation).amax() < 1e-14, "a few roundings");
        // the plane has a formula of its own
        let shear = Matrix3::new(1.0, 1.7, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0);
        let r = rotation_of(&shear);
        assert!(is_rotation(&r));
        let u = r.transpose() * shear;
        assert!((u - u.transpose()).amax() < 1e-15);
        assert!((r[(0, 1)] - (1.7_f64 / 2.0).atan().sin()).abs() < 1e-15, "tan β = γ/2");
    }

    #[test]
    fn the_increment_of_a_rotation_gives_the_rotation_back() {
        for angle in [0.01_f64, 0.3, 2.0, 3.0] {
            // Δq = (R − I) x over x_m = ½ (R + I) x
            let (sin, cos) = angle.sin_cos();
            let r = Matrix3::new(1.0, 0.0, 0.0, 0.0, cos, -sin, 0.0, sin, cos);
            let middle = (r + Matrix3::identity()) * 0.5;
            let increment = (r - Matrix3::identity()) * middle.try_inverse().unwrap();
            // the middle of a rotation by 3 is nearly flat: 14 times the rounding
            assert!(symmetric_part(&increment).norm() < 1e-13 * increment.norm());
            assert!((rotation_by(&increment, 1.0) - r).amax() < 1e-13, "{angle}");
            let half = rotation_by(&increment, 0.5);
            assert!((half * half - r).amax() < 1e-13, "{angle}");
        }
        assert_eq!(rotation_by(&Matrix3::zeros(), 1.0), Matrix3::identity());
    }

    #[test]
    fn logarithmic_strain_of_stretches_adds() {
        let f = Matrix3::from_diagonal(&Vector3::new(2.0, 0.5, 1.0));
        let e = logarithmic_strain(&f);
        assert!((e - Mandel::new(2.0_f64.ln(), 0.5_f64.ln(), 0.0, 0.0, 0.0, 0.0)).norm() < 1e-14);
        // a rotation before the stretch does not show
        let rotation = rotation_by(&Matrix3::new(0.0, -0.7, 0.4, 0.7, 0.0, -1.1, -0.4, 1.1, 0.0), 1.0);
        assert!((logarithmic_strain(&(f * rotation)) - e).norm() < 1e-14);
    }
}
