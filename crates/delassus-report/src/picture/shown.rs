//! What the colours of a picture show.

use delassus_case::spec::{Case, OutputField};
use delassus_fem::MaterialSpec;

/// A scalar of each cell in the frames of the fields.
#[derive(Debug)]
pub struct Shown {
    /// Name of the array.
    pub field: &'static str,
    /// What a case may leave out.
    pub of: OutputField,
    /// In words.
    pub title: &'static str,
    /// Unit, empty for plain numbers.
    pub unit: &'static str,
    /// Part of the identifiers in the page.
    pub id: &'static str,
    /// Are contact forces drawn as well? Arrows hide what happens beside a contact.
    pub has_arrows: bool,
}

/// What every run shows.
pub const VON_MISES: Shown = Shown {
    field: "von_mises",
    of: OutputField::VonMises,
    title: "von Mises stress",
    unit: "Pa",
    id: "fig-mesh",
    has_arrows: true,
};

/// √(½ s:s) and √(½ e:e) of the deviators s and e (Jean 1995, figures 11 and 12).
const INVARIANTS: [Shown; 2] = [
    Shown {
        field: "stress_invariant",
        of: OutputField::StressInvariant,
        title: "second invariant of the stress deviator",
        unit: "Pa",
        id: "fig-stress-invariant",
        has_arrows: false,
    },
    Shown {
        field: "strain_invariant",
        of: OutputField::StrainInvariant,
        title: "second invariant of the strain deviator",
        unit: "",
        id: "fig-strain-invariant",
        has_arrows: false,
    },
];

/// What is shown of the last frame besides. Where bodies flow, stress and strain are two stories: where one is large the
/// other need not be.
#[must_use]
pub fn besides(case: &Case) -> &'static [Shown] {
    let flows = case
        .materials
        .iter()
        .any(|m| matches!(m.law, MaterialSpec::Maxwell(_) | MaterialSpec::GeneralizedMaxwell(_)) || m.law.yields());
    let moves = case.bodies.iter().any(|b| case.kinematics_of(b).moves_geometry());
    if flows || moves { &INVARIANTS } else { &[] }
}
