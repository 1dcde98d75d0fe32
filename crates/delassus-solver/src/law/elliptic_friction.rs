//! Unilateral contact with friction that has one coefficient along a direction and another across it.
//!
//! ```text
//! 0 ≤ g⁺ ⟂ p_N ≥ 0 ,      (p_1/μ_1)² + (p_2/μ_2)² ≤ p_N² ,      U_T ≠ 0 ⇒ U_i = −κ p_i/μ_i², κ > 0
//! ```
//!
//! Jean & Moreau 1992, §4: −U ∈ proj_T ∂ψ_C(R), (4.1), "by using instead of C a non axisymmetric convex cone". Of all drags that the ellipse allows, the one that
//! acts takes most power from the sliding (the principle of maximal dissipation, Jean 1995 (8)):
//! p_i = −p_N μ_i² U_i/√(μ_1² U_1² + μ_2² U_2²), which is not opposite to U_T but along the axes. Direction 1 is the given one, drawn on the tangent plane; where it
//! is normal to the plane, every tangent is across it, and the cone is that of μ_2.

use std::any::Any;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::keys::Keys;
use super::{ContactInput, ContactLaw, StepTimes, statement};
use crate::error::SolverError;
use crate::linalg::Vector;
use crate::problem::{Cone, ConeSection, Derived};
use crate::solution::ContactSolution;

const NAME: &str = "EllipticFriction";

/// Part of the direction that must lie in the tangent plane to count as one.
const NORMAL: f64 = 1e-9;

/// Signorini's condition on the gap, Coulomb's law with an elliptic cone.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EllipticFriction {
    /// μ_1 > 0, friction coefficient along the direction.
    pub along: f64,
    /// μ_2 > 0, friction coefficient across the direction.
    pub across: f64,
    /// The direction, in world axes, of any length.
    pub direction: [f64; 3],
}

impl EllipticFriction {
    /// Checks the parameters.
    ///
    /// # Errors
    /// [`SolverError::Law`] with the one that is out of range.
    pub fn validate(&self) -> Result<(), SolverError> {
        let keys = Keys(NAME);
        keys.positive("along", self.along)?;
        keys.positive("across", self.across)?;
        let size = self.direction.iter().fold(0.0, |m: f64, x| if x.is_nan() { f64::NAN } else { m.max(x.abs()) });
        keys.check("direction", size, size > 0.0, || "a vector of finite numbers that is not zero".to_owned())
    }

    /// The law in space.
    ///
    /// # Errors
    /// In the plane, where there is one direction of sliding.
    pub(super) fn in_dimension<const D: usize>(self) -> Result<Arc<dyn ContactLaw<D>>, SolverError> {
        let space: Arc<dyn ContactLaw<3>> = Arc::new(self);
        let found = (&space as &dyn Any).downcast_ref::<Arc<dyn ContactLaw<D>>>().cloned();
        found.ok_or(SolverError::LawOfSpace { law: NAME })
    }

    /// Unit vector of direction 1 in the tangents of the contact.
    fn axis(&self, x: &ContactInput<3>) -> Option<[f64; 2]> {
        let direction = Vector::<3>::from(self.direction).normalize();
        let local = x.frame.tr_mul(&direction);
        let size = Vector::<2>::new(local[1], local[2]).norm();
        (size > NORMAL).then(|| [local[1] / size, local[2] / size])
    }
}

impl ContactLaw<3> for EllipticFriction {
    fn derive(
        &self,
        x: &ContactInput<3>,
        step: &StepTimes,
        _z: &[f64],
        _iterate: Option<&ContactSolution<3>>,
    ) -> Derived<3> {
        let (along, across) = (self.along, self.across);
        let mut derived = Derived::standard(Cone::Coulomb(across));
        derived.v_shift[0] = x.gap / step.gap_time;
        if let Some(axis) = self.axis(x) {
            derived.cone = Cone::Coulomb(along.max(across));
            // The axis of the larger coefficient.
            derived.section = if along >= across {
                ConeSection::Ellipse { axis, ratio: across / along }
            } else {
                ConeSection::Ellipse { axis: [-axis[1], axis[0]], ratio: along / across }
            };
        }
        derived
    }

    fn violation(&self, x: &ContactInput<3>, out: &ContactSolution<3>, step: &StepTimes, _z: &[f64]) -> f64 {
        let opening = x.gap / step.gap_time + out.velocity[0];
        let signorini = statement::complementary(opening, out.impulse[0], &out.scale);
        let friction = match self.axis(x) {
            Some(axis) => statement::elliptic([self.along, self.across], axis, &out.velocity, &out.impulse, &out.scale),
            None => statement::coulomb(self.across, &out.velocity, &out.impulse, &out.scale),
        };
        statement::worst([signorini, friction])
    }
}
