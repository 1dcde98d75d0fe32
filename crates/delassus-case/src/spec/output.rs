//! What a run writes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::units::{COUNT, UnitTable};

/// What is written.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct OutputSpec {
    /// Steps between two frames of `fields.pvd` and `contacts.pvd`; about 50 frames a run when absent.
    pub every: Option<usize>,
    /// Fields of `fields.pvd` besides `displacement`, `von_mises` and `body`, which are always there; the usual ones when absent.
    pub fields: Option<Vec<OutputField>>,
    /// Precision of the numbers in frames.
    pub precision: NumberPrecision,
    /// Are the frames packed?
    pub compress: bool,
    /// Is `chains.pvd` written, with a line from centre to centre for every contact of rigid bodies that pushes?
    pub chains: bool,
}

impl OutputSpec {
    /// What its numbers measure.
    pub(super) const UNITS: UnitTable = &[("every", COUNT)];

    /// Is a field written?
    #[must_use]
    pub fn has(&self, field: OutputField) -> bool {
        field.is_needed() || self.fields.as_ref().map_or_else(|| field.is_usual(), |fields| fields.contains(&field))
    }
}

impl Default for OutputSpec {
    fn default() -> Self {
        Self { every: None, fields: None, precision: NumberPrecision::Double, compress: true, chains: false }
    }
}

/// Precision of the numbers in frames. Computed is always in double precision.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, PartialEq, Eq, Serialize)]
#[serde(rename = "Precision")]
pub enum NumberPrecision {
    /// 64 bits: the numbers as they were computed.
    #[default]
    Double,
    /// 32 bits: seven digits, half the size.
    Single,
}

/// A field of the bodies, by the name that it has in files.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, PartialEq, Eq, Serialize)]
#[serde(rename = "Field", rename_all = "snake_case")]
pub enum OutputField {
    /// Displacements of the nodes.
    Displacement,
    /// Velocities of the nodes.
    Velocity,
    /// Mean accelerations of the nodes over the last step.
    Acceleration,
    /// Forces of contacts and supports on the nodes.
    Reaction,
    /// Stress at the nodes.
    NodalStress,
    /// Von Mises stress at the nodes.
    NodalVonMises,
    /// Stress of the cells.
    Stress,
    /// Strain of the cells.
    Strain,
    /// Von Mises stress of the cells.
    VonMises,
    /// Principal stresses of the cells, the largest first.
    PrincipalStress,
    /// Their directions.
    PrincipalDirections,
    /// Second invariant of the deviator of the stress.
    StressInvariant,
    /// The same of the strain.
    StrainInvariant,
    /// Equivalent plastic strain of the cells, the mean.
    PlasticStrain,
    /// Its largest value in the cells.
    LargestPlasticStrain,
    /// Yield stress of the cells.
    YieldStress,
    /// Number of the body.
    Body,
    /// Number of the material.
    Material,
    /// Rotation, angular velocity, momentum and angular momentum of rigid bodies, in cases that have some.
    RigidMotion,
}

impl OutputField {
    /// Does a report draw it of every run?
    #[must_use]
    pub fn is_needed(self) -> bool {
        matches!(self, Self::Displacement | Self::VonMises | Self::Body)
    }

    /// Is it written unless a case says which are?
    #[must_use]
    pub fn is_usual(self) -> bool {
        !matches!(self, Self::PrincipalDirections)
    }

    /// Is it written of materials that yield alone?
    #[must_use]
    pub fn is_plastic(self) -> bool {
        matches!(self, Self::PlasticStrain | Self::LargestPlasticStrain | Self::YieldStress)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_fields_leave_directions_out() {
        let usual = OutputSpec::default();
        assert!(usual.has(OutputField::NodalStress) && !usual.has(OutputField::PrincipalDirections));
        let chosen = OutputSpec { fields: Some(vec![OutputField::PrincipalDirections]), ..usual };
        assert!(chosen.has(OutputField::PrincipalDirections) && chosen.has(OutputField::Body));
        assert!(!chosen.has(OutputField::NodalStress) && !chosen.has(OutputField::Velocity));
    }
}
