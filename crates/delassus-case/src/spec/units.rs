//! The quantities of the numbers of a case, and the units in words that they accept.
//!
//! A rule belongs to a full path from the root of the case, `bodies[].mesh.Rectangle.corner`. The rules of a type are
//! beside it, in `UNITS`, by their paths in the type, and are joined at the key that contains it; those of types of
//! other crates are in `foreign_units`. Every number of a case has exactly one rule: a test compares them with the JSON
//! schema and with the tables of `docs/case-format.md`.

use std::sync::LazyLock;

use super::Case;
use crate::source::UnitMeasure::{self, Any, Bare, Count, Of, Outer};
use crate::source::{UnitPaths, UnitQuantity};

/// Paths in a type, and what stands there.
pub(super) type UnitTable = &'static [(&'static str, UnitRule)];

/// What stands at a path.
#[derive(Clone, Copy, Debug)]
pub(super) enum UnitRule {
    /// A number, or several.
    Number(UnitMeasure),
    /// A function of time with such values.
    Function(UnitMeasure),
    /// A value with a table of its own.
    Within(UnitTable),
}

pub(super) const TIME: UnitRule = UnitRule::Number(Of(UnitQuantity::Time));
pub(super) const LENGTH: UnitRule = UnitRule::Number(Of(UnitQuantity::Length));
pub(super) const SPEED: UnitRule = UnitRule::Number(Of(UnitQuantity::Speed));
pub(super) const PRESSURE: UnitRule = UnitRule::Number(Of(UnitQuantity::Pressure));
pub(super) const MASS: UnitRule = UnitRule::Number(Of(UnitQuantity::Mass));
/// A number without unit.
pub(super) const PURE: UnitRule = bare("");
/// An integer: serde refuses a unit there.
pub(super) const COUNT: UnitRule = UnitRule::Number(Count);
/// A number whose unit depends on something else.
pub(super) const ANY: UnitRule = UnitRule::Number(Any);
/// A velocity as a function of time.
pub(super) const SPEED_IN_TIME: UnitRule = UnitRule::Function(Of(UnitQuantity::Speed));
/// A factor as a function of time.
pub(super) const FACTOR_IN_TIME: UnitRule = UnitRule::Function(Bare(""));

/// A function of time in an SI unit without a word.
pub(super) const fn in_time(si: &'static str) -> UnitRule {
    UnitRule::Function(Bare(si))
}

/// A number in an SI unit without a word.
pub(super) const fn bare(si: &'static str) -> UnitRule {
    UnitRule::Number(Bare(si))
}

/// The numbers in a function of time, where it is not one number; `Outer` is what the function drives.
const FUNCTION: &[(&str, UnitMeasure)] = &[
    ("Constant", Outer),
    ("Table[][0]", Of(UnitQuantity::Time)),
    ("Table[][1]", Outer),
    ("Ramp.start", Of(UnitQuantity::Time)),
    ("Ramp.end", Of(UnitQuantity::Time)),
    ("Ramp.from", Outer),
    ("Ramp.to", Outer),
    ("Sine.amplitude", Outer),
    ("Sine.offset", Outer),
    ("Sine.frequency", Bare("Hz")),
    ("Sine.phase", Bare("rad")),
    ("Csv.time_unit", Of(UnitQuantity::Time)),
    ("Csv.value_unit", Outer),
    ("Displacement", Of(UnitQuantity::Length)),
    ("Displacement.Constant", Outer),
    ("Displacement.Table[][0]", Of(UnitQuantity::Time)),
    ("Displacement.Table[][1]", Outer),
    ("Displacement.Ramp.start", Of(UnitQuantity::Time)),
    ("Displacement.Ramp.end", Of(UnitQuantity::Time)),
    ("Displacement.Ramp.from", Outer),
    ("Displacement.Ramp.to", Outer),
    ("Displacement.Sine.amplitude", Outer),
    ("Displacement.Sine.offset", Outer),
    ("Displacement.Sine.frequency", Bare("Hz")),
    ("Displacement.Sine.phase", Bare("rad")),
    ("Displacement.Csv.time_unit", Of(UnitQuantity::Time)),
    ("Displacement.Csv.value_unit", Outer),
];

/// Every rule with its full path, in the order of the tables.
#[must_use]
pub fn all_unit_rules() -> Vec<(String, UnitMeasure)> {
    let mut found = Vec::new();
    join("", Case::UNITS, &mut found);
    found
}

fn join(holder: &str, table: UnitTable, found: &mut Vec<(String, UnitMeasure)>) {
    for (key, rule) in table {
        let path = if holder.is_empty() { (*key).to_owned() } else { format!("{holder}.{key}") };
        match *rule {
            UnitRule::Number(measure) => found.push((path, measure)),
            UnitRule::Function(measure) => {
                found.extend(FUNCTION.iter().map(|(inner, of)| (format!("{path}.{inner}"), *of)));
                found.push((path, measure));
            }
            UnitRule::Within(inner) => join(&path, inner, found),
        }
    }
}

/// The rules of [`all_unit_rules`], to look up.
#[must_use]
pub fn unit_paths() -> &'static LazyLock<UnitPaths> {
    static PATHS: LazyLock<UnitPaths> = LazyLock::new(|| all_unit_rules().into_iter().collect());
    &PATHS
}
