//! The rubber of Mooney and Rivlin: hyperelastic, nearly incompressible.
//!
//! ```text
//! ψ = c₁ (Ī₁ − 3) + c₂ (Ī₂ − 3) + ½κ (½(J² − 1) − ln J)        (see `invariants`) ,     μ = 2(c₁ + c₂)
//! ```
//!
//! With `SmallStrain` it is Hooke's law of μ and κ.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::invariants::InvariantEnergy;
use super::moduli::Lame;
use super::neo_hookean::Rubber;
use crate::error::{FemError, check_non_negative, check_positive};

const LAW: &str = "MooneyRivlin";

/// Parameters of Mooney's and Rivlin's rubber.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MooneyRivlin {
    /// c₁ > 0 of the first invariant \[Pa\].
    pub c1: f64,
    /// c₂ ≥ 0 of the second invariant \[Pa\].
    pub c2: f64,
    /// Bulk modulus κ > 0 \[Pa\].
    pub bulk: f64,
}

impl MooneyRivlin {
    /// Checks the parameters and makes the material.
    pub(super) fn build(&self, density: f64) -> Result<Rubber, FemError> {
        check_positive(LAW, "c1", self.c1)?;
        check_non_negative(LAW, "c2", self.c2)?;
        check_positive(LAW, "bulk", self.bulk)?;
        let energy = InvariantEnergy { moduli: [self.c1, self.c2], bulk: self.bulk };
        let lame = Lame { lambda: self.bulk - 2.0 / 3.0 * energy.shear(), mu: energy.shear() };
        Ok(Rubber { elasticity: lame.with_density(LAW, density)?, energy })
    }
}
