//! Hyperelasticity by invariants of C whose volume is taken out, and a volumetric energy beside them.
//!
//! ```text
//! ψ = c₁ (Ī₁ − 3) + c₂ (Ī₂ − 3) + ½κ (½(J² − 1) − ln J) ,     Ī₁ = J^(−2/3) tr C ,   Ī₂ = J^(−4/3) ½((tr C)² − C:C) ,   J² = det C
//! S = 2 ∂ψ/∂C ,   𝒟 = 2 ∂S/∂C ,     −∂C⁻¹/∂C [H] = C⁻¹ H C⁻¹
//! ```
//!
//! (Simo & Hughes 1998 (9.2.3), Holzapfel 2000 §6.4.) For small strains it is Hooke's law with μ = 2(c₁ + c₂) and κ. The work of the stress along any path is Δψ.

use nalgebra::Matrix3;

use super::{Kinematics3, Response, Stretch, Stretching};
use crate::tensor::{Mandel, Tangent, isotropic, matrix, rotated, symmetric_part, trace, unit};

/// The energy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct InvariantEnergy {
    /// c₁ and c₂ \[Pa\].
    pub moduli: [f64; 2],
    /// κ \[Pa\].
    pub bulk: f64,
}

/// A stretch, seen by its invariants.
struct Invariants {
    c: Mandel,
    inverse: Matrix3<f64>,
    /// J².
    square: f64,
    /// tr C and ½((tr C)² − C:C).
    plain: [f64; 2],
    /// J^(−2/3).
    isochoric: f64,
}

impl Invariants {
    /// None unless C is positive definite.
    fn of(stretch: &Stretch) -> Option<Self> {
        let Stretch { c, volume } = stretch;
        let full = matrix(c);
        let (square, first) = (volume * volume, trace(c));
        let second = 0.5 * (first * first - c.norm_squared());
        // all three invariants of a positive definite tensor are positive, and of no other
        let is_stretch = full.determinant() > 0.0 && first > 0.0 && second > 0.0 && square > 0.0 && square.is_finite();
        let inverse = full.try_inverse().filter(|_| is_stretch)?;
        Some(Self { c: *c, inverse, square, plain: [first, second], isochoric: 1.0 / delassus_math::cbrt(square) })
    }
}

impl InvariantEnergy {
    /// 2(c₁ + c₂) \[Pa\].
    pub fn shear(&self) -> f64 {
        2.0 * (self.moduli[0] + self.moduli[1])
    }

    /// Hooke's law.
    pub fn respond(&self, kinematics: &Kinematics3) -> Response {
        let tangent = isotropic(self.bulk - 2.0 / 3.0 * self.shear(), self.shear());
        let stress = tangent * kinematics.strain;
        Response {
            stress,
            tangent,
            rate_tangent: Tangent::zeros(),
            stored: 0.5 * stress.dot(&kinematics.strain),
            dissipated: 0.0,
            supplied: 0.0,
            path_work: (stress - tangent * kinematics.increment * 0.5).dot(&kinematics.increment),
        }
    }

    /// ψ.
    fn energy(&self, of: &Invariants) -> f64 {
        let (j, [c1, c2]) = (of.isochoric, self.moduli);
        // J² − 1 and ln J² nearly cancel where κ is large: rounding of 1 must not be multiplied by it.
        let change = of.square - 1.0;
        let volumetric = 0.25 * self.bulk * (change - delassus_math::ln_1p(change));
        c1 * (j * of.plain[0] - 3.0) + c2 * (j * j * of.plain[1] - 3.0) + volumetric
    }

    pub fn respond_finite(&self, motion: &Stretching) -> Option<Response> {
        let (before, at) = (Invariants::of(&motion.before)?, Invariants::of(&motion.after)?);
        let inverse = symmetric_part(&at.inverse);
        // C⁻¹ H C⁻¹ of every H
        let columns: [Mandel; 6] = std::array::from_fn(|k| rotated(&Mandel::ith(k, 1.0), &at.inverse));
        let turned = Tangent::from_columns(&columns);
        let outer = |a: &Mandel, b: &Mandel| a * b.transpose();
        let ([i1, i2], j, [c1, c2]) = (at.plain, at.isochoric, self.moduli);
        let second = unit() * i1 - at.c;
        let pressure = 0.5 * self.bulk * (at.square - 1.0);
        let stress = (unit() - inverse * (i1 / 3.0)) * (2.0 * c1 * j)
            + (second - inverse * (2.0 / 3.0 * i2)) * (2.0 * c2 * j * j)
            + inverse * pressure;
        let of_first =
            -outer(&unit(), &inverse) - outer(&inverse, &unit()) + outer(&inverse, &inverse) * (i1 / 3.0) + turned * i1;
        let of_second = -(outer(&second, &inverse) + outer(&inverse, &second)) * (2.0 / 3.0)
            + outer(&inverse, &inverse) * (4.0 / 9.0 * i2)
            + outer(&unit(), &unit())
            - Tangent::identity()
            + turned * (2.0 / 3.0 * i2);
        let tangent = if motion.stresses {
            of_first * (4.0 / 3.0 * c1 * j)
                + of_second * (4.0 * c2 * j * j)
                + outer(&inverse, &inverse) * (self.bulk * at.square)
                - turned * (2.0 * pressure)
        } else {
            // Hooke's law between the stretches of the deformed body: as definite, however it is stretched
            outer(&inverse, &inverse) * (self.bulk - 2.0 / 3.0 * self.shear()) + turned * (2.0 * self.shear())
        };
        let stored = self.energy(&at);
        let path_work = stored - self.energy(&before);
        let rate_tangent = Tangent::zeros();
        Some(Response { stress, tangent, rate_tangent, stored, dissipated: 0.0, supplied: 0.0, path_work })
    }
}
