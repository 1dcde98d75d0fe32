//! References along a line at a given time: displacements, velocities or stresses of a body, or tractions of a
//! contact.
//!
//! Every place gives a row `time, s, x, y, z, weight, computed, exact`; s is the distance from the beginning of the line to the foot
//! of the place on it. Errors are those of columns, with `weight` for the length of a step.

use delassus_fem::Expression;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::components::Components;
use crate::history::History;
use crate::reference::{Curve, Norm, ReferenceFile, check_of};
use crate::{CheckResult, ColumnError, TractionPart, weighted_errors};

/// Variables of an expression along a line.
pub const LINE_VARIABLES: [&str; 5] = ["s", "x", "y", "z", "t"];

/// Columns of what is written of a line.
const COLUMNS: [&str; 8] = ["time", "s", "x", "y", "z", "weight", "computed", "exact"];

/// A line along which a field is compared.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct LineSpec {
    /// Name.
    pub name: String,
    /// Which field.
    pub of: LineOf,
    /// Beginning of the line, in the undeformed body \[m\].
    pub from: Components,
    /// Its end \[m\].
    pub to: Components,
    /// Places along it, both ends included.
    #[serde(default = "samples")]
    pub samples: usize,
    /// When \[s\]; at the end of the run when absent.
    #[serde(default)]
    pub time: Option<f64>,
    /// The curve.
    pub curve: LineCurveSpec,
    /// Which mean of the error `tolerance` bounds.
    #[serde(default)]
    pub norm: Norm,
    /// Largest relative error; without it nothing is checked.
    #[serde(default)]
    pub tolerance: Option<f64>,
}

fn samples() -> usize {
    50
}

/// A field along a line.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub enum LineOf {
    /// Of a body.
    Body {
        /// The body.
        body: String,
        /// Which of its fields.
        field: LineField,
    },
    /// Of the candidates of a contact pair whose feet lie on the line.
    Contact {
        /// The contact pair.
        pair: String,
        /// Pressure, or shear.
        part: TractionPart,
    },
}

/// Fields of a body.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, PartialEq, Eq, Serialize)]
pub enum LineField {
    /// Displacement along x \[m\].
    Ux,
    /// Displacement along y \[m\].
    Uy,
    /// Displacement along z \[m\].
    Uz,
    /// Velocity along x \[m/s\].
    Vx,
    /// Velocity along y \[m/s\].
    Vy,
    /// Velocity along z \[m/s\].
    Vz,
    /// Stress σ_xx \[Pa\].
    Sxx,
    /// Stress σ_yy \[Pa\].
    Syy,
    /// Stress σ_zz \[Pa\].
    Szz,
    /// Stress σ_xy \[Pa\].
    Sxy,
    /// Stress σ_yz \[Pa\].
    Syz,
    /// Stress σ_xz \[Pa\].
    Sxz,
}

/// What a field is taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldSource {
    /// A component of the displacement.
    Displacement(usize),
    /// A component of the velocity.
    Velocity(usize),
    /// A component of the stress, in the order XX YY ZZ XY YZ XZ.
    Stress(usize),
}

impl LineField {
    /// What it is taken from.
    #[must_use]
    pub fn source(self) -> FieldSource {
        match self {
            Self::Ux => FieldSource::Displacement(0),
            Self::Uy => FieldSource::Displacement(1),
            Self::Uz => FieldSource::Displacement(2),
            Self::Vx => FieldSource::Velocity(0),
            Self::Vy => FieldSource::Velocity(1),
            Self::Vz => FieldSource::Velocity(2),
            Self::Sxx => FieldSource::Stress(0),
            Self::Syy => FieldSource::Stress(1),
            Self::Szz => FieldSource::Stress(2),
            Self::Sxy => FieldSource::Stress(3),
            Self::Syz => FieldSource::Stress(4),
            Self::Sxz => FieldSource::Stress(5),
        }
    }
}

impl LineOf {
    /// What it measures, and the unit.
    #[must_use]
    pub fn quantity(&self) -> (&'static str, &'static str) {
        match self {
            Self::Body { field, .. } => match field.source() {
                FieldSource::Displacement(_) => ("displacement", "m"),
                FieldSource::Velocity(_) => ("velocity", "m/s"),
                FieldSource::Stress(_) => ("stress", "Pa"),
            },
            Self::Contact { part, .. } => (part.quantity(), "Pa"),
        }
    }
}

/// Where a curve along a line comes from.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub enum LineCurveSpec {
    /// An expression of the distance `s`, the place `x`, `y`, `z` \[m\] and the time `t` \[s\].
    Expression(String),
    /// Two columns of a CSV file.
    Csv(LineCsv),
}

/// A curve along a line in a CSV file.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct LineCsv {
    /// The file, relative to the case file.
    pub file: String,
    /// Column of the distances from the beginning of the line.
    #[serde(default = "distance")]
    pub s: String,
    /// Column of the values.
    pub value: String,
    /// The unit of the distances \[m\].
    #[serde(default = "one")]
    pub s_unit: f64,
    /// The unit of the values, in that of the field.
    #[serde(default = "one")]
    pub value_unit: f64,
}

fn distance() -> String {
    "s".to_owned()
}

fn one() -> f64 {
    1.0
}

/// A line that has been read; points have three components whatever the dimension.
#[derive(Clone, Debug)]
pub struct ReferenceLine {
    /// What the case says.
    pub spec: LineSpec,
    /// The curve.
    pub curve: Curve,
    /// The file it comes from.
    pub file: Option<ReferenceFile>,
    /// Its ends \[m\].
    pub ends: [[f64; 3]; 2],
    /// When it is looked at \[s\].
    pub time: f64,
}

impl ReferenceLine {
    /// Reads an expression of the variables along a line.
    ///
    /// # Errors
    /// Where it is wrong.
    pub fn formula(text: &str) -> Result<Curve, delassus_fem::ExpressionError> {
        Expression::parse(text, &LINE_VARIABLES).map(Curve::Formula)
    }

    /// Its length \[m\].
    #[must_use]
    pub fn length(&self) -> f64 {
        let [a, b] = &self.ends;
        (0..3).map(|i| (b[i] - a[i]).powi(2)).sum::<f64>().sqrt()
    }

    /// The places along it, both ends included.
    #[must_use]
    pub fn places(&self) -> Vec<[f64; 3]> {
        let [a, b] = &self.ends;
        let last = self.spec.samples.saturating_sub(1).max(1) as f64;
        let place = |k: usize| {
            let part = k as f64 / last;
            std::array::from_fn(|i| a[i] + part * (b[i] - a[i]))
        };
        (0..self.spec.samples).map(place).collect()
    }

    /// Distance of the foot of a point from the beginning \[m\].
    #[must_use]
    pub fn distance(&self, point: [f64; 3]) -> f64 {
        let [a, b] = &self.ends;
        (0..3).map(|i| (point[i] - a[i]) * (b[i] - a[i])).sum::<f64>() / self.length()
    }

    /// Rows of the places `(point, weight, value)` at time `t`, by ascending distance.
    #[must_use]
    pub fn record(&self, t: f64, places: impl IntoIterator<Item = ([f64; 3], f64, f64)>) -> History {
        let row = |(point, weight, computed): ([f64; 3], f64, f64)| {
            let s = self.distance(point);
            let [x, y, z] = point;
            vec![t, s, x, y, z, weight, computed, self.curve.value(&[s, x, y, z, t])]
        };
        let mut rows: Vec<Vec<f64>> = places.into_iter().map(row).collect();
        rows.sort_by(|a, b| a[1].total_cmp(&b[1]));
        let mut out = History::new(COLUMNS.map(str::to_owned).to_vec());
        rows.into_iter().for_each(|row| out.push(row));
        out
    }

    /// Errors of what was recorded; not numbers where nothing was, or a value is none.
    #[must_use]
    pub fn error(&self, record: Option<&History>) -> ColumnError {
        let column = format!("{}(s)", self.spec.name);
        let nothing = ColumnError { column: column.clone(), l1: f64::NAN, l2: f64::NAN, max: f64::NAN, window: None };
        let wanted =
            ["weight", "computed", "exact"].map(|name| record.and_then(|r| r.column(name)).unwrap_or_default());
        let [weight, computed, exact] = &wanted;
        if wanted.iter().flatten().any(|x| !x.is_finite()) {
            return nothing;
        }
        let points = weight.iter().zip(computed).zip(exact).map(|((w, c), e)| (*w, *c, *e));
        weighted_errors(column, points).unwrap_or(nothing)
    }

    /// The check that its tolerance asks for.
    #[must_use]
    pub fn check(&self, errors: &ColumnError) -> Option<CheckResult> {
        check_of(&self.spec.name, self.spec.norm, self.spec.tolerance, errors)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(curve: &str, tolerance: f64) -> ReferenceLine {
        let spec = LineSpec {
            name: "bending".to_owned(),
            of: LineOf::Body { body: "beam".to_owned(), field: LineField::Uy },
            from: Components(vec![1.0, 0.0]),
            to: Components(vec![1.0, 4.0]),
            samples: 5,
            time: None,
            curve: LineCurveSpec::Expression(curve.to_owned()),
            norm: Norm::L1,
            tolerance: Some(tolerance),
        };
        let curve = ReferenceLine::formula(curve).unwrap();
        ReferenceLine { spec, curve, file: None, ends: [[1.0, 0.0, 0.0], [1.0, 4.0, 0.0]], time: 2.0 }
    }

    #[test]
    fn places_distances_and_errors() {
        let line = line("y*s + x + t", 0.01);
        let off = line.places()[3].iter().zip([1.0, 3.0, 0.0]).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(off < 1e-15 && line.places().len() == 5);
        assert!((line.distance([9.0, 2.5, 7.0]) - 2.5).abs() < 1e-15, "the foot of a point beside it");
        // y² + 3, but for one value that is 0.5 too large, of the largest 19; given in the other direction.
        let value = |y: f64| y * y + 3.0 + if y > 3.5 { 0.5 } else { 0.0 };
        let record = line.record(2.0, line.places().into_iter().rev().map(|p| (p, 1.0, value(p[1]))));
        assert_eq!(record.column("s").unwrap(), [0.0, 1.0, 2.0, 3.0, 4.0]);
        let errors = line.error(Some(&record));
        assert_eq!(errors.column, "bending(s)");
        assert!((errors.max - 0.5 / 19.0).abs() < 1e-15 && (errors.l1 - 0.1 / 19.0).abs() < 1e-15, "{errors:?}");
        let check = line.check(&errors).unwrap();
        assert!(check.passed && check.name == "bending against its reference, mean error (L1)", "{check:?}");
    }

    #[test]
    fn a_wrong_curve_and_no_record_fail() {
        let wrong = line("sqrt(-y-1)", 0.01);
        let record = wrong.record(0.0, wrong.places().into_iter().map(|p| (p, 1.0, 1.0)));
        assert!(!wrong.check(&wrong.error(Some(&record))).unwrap().passed);
        assert!(!wrong.check(&wrong.error(None)).unwrap().passed);
    }
}
