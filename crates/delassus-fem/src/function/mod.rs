//! Functions of time for loads and prescribed motions.
//!
//! ```text
//! 2e-4                                             constant
//! Table([(0, 0), (1, 2.5)])                        linear between the points, constant outside
//! Ramp(start: 0, end: 1, from: 0, to: 5)           from → to between the times start and end, constant outside
//! Sine(amplitude: 1, frequency: 2)                 offset + amplitude · sin(2π frequency t + phase)
//! Expression("1e-3*sin(2*pi*50*t)*exp(-t/0.1)")    a formula of t
//! Csv(file: "quake.csv", value: "a")               a table in a file
//! Displacement(Ramp(end: 1, to: 0.01))             the velocity of this displacement
//! ```
//!
//! Values and derivatives are exact (to rounding), and so are integrals of all but expressions, which are by adaptive quadrature: the work of a load over a
//! step can be checked without quadrature error. A program may bring a function of its own ([`OwnFunction`]).

mod csv;
mod in_space;
mod in_time;
mod own;

use std::borrow::Cow;
use std::f64::consts::TAU;

use delassus_error::Own;
use delassus_math as math;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::error::{FemError, check_finite, check_non_negative};

pub use csv::TimeCsv;
pub use delassus_math::{Expression, ExpressionError};
pub use in_space::SpaceExpression;
pub use in_time::TimeExpression;
pub use own::OwnFunction;

/// A function of time; the unit of its values is that of what it drives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub enum TimeFunction {
    /// The same value always; written as a plain number.
    Constant(f64),
    /// Points (time \[s\], value), times strictly ascending.
    Table(Vec<(f64, f64)>),
    /// Linear from one value to another.
    Ramp {
        /// Time at which it leaves `from` \[s\].
        #[serde(default)]
        start: f64,
        /// Time at which it reaches `to`, after `start` \[s\].
        end: f64,
        /// Value until `start`.
        #[serde(default)]
        from: f64,
        /// Value after `end`.
        to: f64,
    },
    /// A harmonic oscillation.
    Sine {
        /// Amplitude about the offset.
        amplitude: f64,
        /// Frequency, ≥ 0 \[Hz\].
        frequency: f64,
        /// Phase at t = 0 \[rad\].
        #[serde(default)]
        phase: f64,
        /// Mean value.
        #[serde(default)]
        offset: f64,
    },
    /// A formula of `t` \[s\].
    Expression(TimeExpression),
    /// Two columns of a CSV file, which become a table when a case becomes a model.
    Csv(TimeCsv),
    /// Where a velocity is asked for: the rate of this displacement.
    Displacement(Box<TimeFunction>),
    /// A function of the program that makes the case; a text has only its name and cannot be run.
    Own(Own<dyn OwnFunction>),
}

impl Default for TimeFunction {
    fn default() -> Self {
        Self::Constant(1.0)
    }
}

impl From<f64> for TimeFunction {
    fn from(value: f64) -> Self {
        Self::Constant(value)
    }
}

impl TimeFunction {
    /// The value at time `t`.
    #[must_use]
    pub fn value(&self, t: f64) -> f64 {
        match self {
            Self::Constant(value) => *value,
            Self::Table(points) => piece(points, t).value(t),
            Self::Ramp { start, end, from, to } => piece(&[(*start, *from), (*end, *to)], t).value(t),
            Self::Sine { amplitude, frequency, phase, offset } => {
                offset + amplitude * math::sin(TAU * frequency * t + phase)
            }
            Self::Expression(expression) => expression.value(t),
            Self::Csv(_) => f64::NAN,
            Self::Displacement(of) => of.derivative(t),
            Self::Own(function) => own::asked(function, |f| f.value(t)),
        }
    }

    /// The derivative at time `t`; at a kink the one to the right.
    #[must_use]
    pub fn derivative(&self, t: f64) -> f64 {
        match self {
            Self::Constant(_) => 0.0,
            Self::Table(points) => piece(points, t).slope,
            Self::Ramp { start, end, from, to } => piece(&[(*start, *from), (*end, *to)], t).slope,
            Self::Sine { amplitude, frequency, phase, .. } => {
                let omega = TAU * frequency;
                amplitude * omega * math::cos(omega * t + phase)
            }
            Self::Expression(expression) => expression.jet(t)[1],
            Self::Csv(_) => f64::NAN,
            Self::Displacement(of) => of.second_derivative(t),
            Self::Own(function) => own::asked(function, |f| f.derivative(t)),
        }
    }

    /// The second derivative at time `t`, without the jumps of the first; of a function that [`TimeFunction::validate`] accepts within `Displacement`.
    fn second_derivative(&self, t: f64) -> f64 {
        match self {
            Self::Constant(_) | Self::Table(_) | Self::Ramp { .. } => 0.0,
            Self::Sine { amplitude, frequency, phase, .. } => {
                let omega = TAU * frequency;
                -amplitude * omega * omega * math::sin(omega * t + phase)
            }
            Self::Expression(expression) => expression.jet(t)[2],
            Self::Displacement(_) | Self::Csv(_) | Self::Own(_) => f64::NAN,
        }
    }

    /// The integral from `t0` to `t1`; changes sign with the order of the limits.
    #[must_use]
    pub fn integral(&self, t0: f64, t1: f64) -> f64 {
        match self {
            Self::Constant(value) => value * (t1 - t0),
            Self::Table(points) => integrate(points, t0, t1),
            Self::Ramp { start, end, from, to } => integrate(&[(*start, *from), (*end, *to)], t0, t1),
            Self::Sine { amplitude, frequency, phase, offset } => {
                // ∫ sin = (cos a − cos b)/ω = (t1 − t0) sin((a+b)/2) sinc((b−a)/2), without cancellation or division by ω
                let omega = TAU * frequency;
                let half = 0.5 * omega * (t1 - t0);
                let sinc = if half.abs() < 1e-5 { 1.0 - half * half / 6.0 } else { math::sin(half) / half };
                (t1 - t0) * (offset + amplitude * math::sin(0.5 * omega * (t0 + t1) + phase) * sinc)
            }
            Self::Expression(expression) => own::quadrature(&|t| expression.value(t), t0, t1),
            Self::Csv(_) => f64::NAN,
            Self::Displacement(of) => of.value(t1) - of.value(t0),
            Self::Own(function) => own::asked(function, |f| f.integral(t0, t1)),
        }
    }

    /// Checks that all numbers are finite, tables ascending, ramps forward in time, frequencies not negative.
    ///
    /// # Errors
    /// [`FemError::Parameter`], [`FemError::EmptyTable`] or [`FemError::TableOrder`]; [`FemError::Expression`] for a text that is none,
    /// [`FemError::NoRate`] for a `Displacement` without a rate; [`FemError::Own`] for a function that is only named.
    pub fn validate(&self) -> Result<(), FemError> {
        match self {
            Self::Constant(value) => check_finite("constant function", "value", *value),
            Self::Table(points) => {
                if points.is_empty() {
                    return Err(FemError::EmptyTable);
                }
                for (row, (t, value)) in points.iter().enumerate() {
                    check_finite(&format!("table, row {row}"), "time", *t)?;
                    check_finite(&format!("table, row {row}"), "value", *value)?;
                }
                match points.windows(2).position(|w| w[0].0 >= w[1].0) {
                    Some(i) => Err(FemError::TableOrder { row: i + 1, time: points[i + 1].0, previous: points[i].0 }),
                    None => Ok(()),
                }
            }
            Self::Ramp { start, end, from, to } => {
                for (name, value) in [("start", start), ("end", end), ("from", from), ("to", to)] {
                    check_finite("Ramp", name, *value)?;
                }
                if end <= start {
                    return Err(FemError::Parameter {
                        what: format!("Ramp with start = {start}"),
                        parameter: "end",
                        value: *end,
                        allowed: "> start",
                    });
                }
                Ok(())
            }
            Self::Sine { amplitude, frequency, phase, offset } => {
                for (name, value) in
                    [("amplitude", amplitude), ("frequency", frequency), ("phase", phase), ("offset", offset)]
                {
                    check_finite("Sine", name, *value)?;
                }
                check_non_negative("Sine", "frequency", *frequency)
            }
            Self::Expression(expression) => expression.validate(),
            Self::Csv(csv) => Err(FemError::UnreadTable { file: csv.file.clone() }),
            Self::Displacement(of) => match of.as_ref() {
                Self::Displacement(_) | Self::Own(_) => Err(FemError::NoRate),
                of => of.validate(),
            },
            Self::Own(function) => function.get(own::KIND)?.validate(),
        }
    }
}

/// A straight piece through (t, value).
struct Piece {
    t: f64,
    value: f64,
    slope: f64,
}

impl Piece {
    fn value(&self, t: f64) -> f64 {
        // a flat piece stays exact, also at t = ±∞
        if self.slope.abs() > 0.0 { self.value + self.slope * (t - self.t) } else { self.value }
    }
}

/// The piece of a polyline (times ascending) that holds at `t` and just after.
fn piece(points: &[(f64, f64)], t: f64) -> Piece {
    let after = points.partition_point(|p| p.0 <= t);
    match (after.checked_sub(1).map(|i| points[i]), points.get(after)) {
        (Some((t0, v0)), Some(&(t1, v1))) => Piece { t: t0, value: v0, slope: (v1 - v0) / (t1 - t0) },
        (Some((t0, value)), None) => Piece { t: t0, value, slope: 0.0 },
        (None, Some(&(t1, value))) => Piece { t: t1, value, slope: 0.0 },
        (None, None) => Piece { t, value: 0.0, slope: 0.0 },
    }
}

/// ∫ of a polyline, by the trapezium rule between the kinks (exact).
fn integrate(points: &[(f64, f64)], t0: f64, t1: f64) -> f64 {
    if t1 < t0 {
        return -integrate(points, t1, t0);
    }
    let value = |t| piece(points, t).value(t);
    let (mut t, mut v, mut sum) = (t0, value(t0), 0.0);
    for &(tk, vk) in points.iter().filter(|p| t0 < p.0 && p.0 < t1) {
        sum += 0.5 * (v + vk) * (tk - t);
        (t, v) = (tk, vk);
    }
    sum + 0.5 * (v + value(t1)) * (t1 - t)
}

/// A number, or else a named function, of which the first error is kept: serde's own untagged enums would only say that
/// nothing matched.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Number(f64),
    Named(Attempt),
}

struct Attempt(Result<TimeFunction, String>);

impl<'de> Deserialize<'de> for Attempt {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(TimeFunction::deserialize(deserializer).map_err(|e| e.to_string())))
    }
}

impl<'de> Deserialize<'de> for TimeFunction {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match <Written as Deserialize>::deserialize(deserializer)? {
            Written::Number(value) => Ok(Self::Constant(value)),
            Written::Named(Attempt(Ok(function))) => Ok(function),
            Written::Named(Attempt(Err(reason))) => Err(de::Error::custom(format!(
                "a function of time is a number, Table([(t, v), …]), Ramp(…), Sine(…), Expression(\"…\"), Csv(…) or Displacement(…): {reason}"
            ))),
        }
    }
}

/// By hand, for a plain number is accepted too.
impl JsonSchema for TimeFunction {
    fn schema_name() -> Cow<'static, str> {
        "TimeFunction".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let number = |about: &str| json_schema!({ "type": "number", "description": about });
        let named = |name: &str, of: Schema| {
            json_schema!({
                "type": "object", "properties": { name: of }, "required": [name], "additionalProperties": false
            })
        };
        let point = json_schema!({
            "type": "array", "prefixItems": [number("Time [s]."), number("Value.")], "minItems": 2, "maxItems": 2
        });
        let table = json_schema!({
            "type": "array", "items": point, "description": "Points (time, value), times strictly ascending."
        });
        let ramp = json_schema!({
            "type": "object",
            "description": "Linear from one value to another.",
            "properties": {
                "start": number("Time at which it leaves `from` [s]; 0 when absent."),
                "end": number("Time at which it reaches `to`, after `start` [s]."),
                "from": number("Value until `start`; 0 when absent."),
                "to": number("Value after `end`."),
            },
            "required": ["end", "to"],
            "additionalProperties": false,
        });
        let sine = json_schema!({
            "type": "object",
            "description": "A harmonic oscillation.",
            "properties": {
                "amplitude": number("Amplitude about the offset."),
                "frequency": number("Frequency, ≥ 0 [Hz]."),
                "phase": number("Phase at t = 0 [rad]; 0 when absent."),
                "offset": number("Mean value; 0 when absent."),
            },
            "required": ["amplitude", "frequency"],
            "additionalProperties": false,
        });
        let formula = json_schema!({ "type": "string", "description": "A formula of t [s], `1e-3*sin(2*pi*50*t)`." });
        let text = |about: &str| json_schema!({ "type": "string", "description": about });
        let csv = json_schema!({
            "type": "object",
            "description": "Two columns of a CSV file.",
            "properties": {
                "file": text("The file, relative to the case file."),
                "time": text("Column of the times; `time` when absent."),
                "value": text("Column of the values."),
                "time_unit": number("The unit of the times [s]; 1 when absent."),
                "value_unit": number("The unit of the values; 1 when absent."),
            },
            "required": ["file", "value"],
            "additionalProperties": false,
        });
        let displacement = json_schema!({
            "description": "Where a velocity is asked for: the rate of this displacement.",
            "oneOf": [
                number("The same value always: at rest."),
                named("Constant", number("The same value always: at rest.")),
                named("Table", table.clone()),
                named("Ramp", ramp.clone()),
                named("Sine", sine.clone()),
                named("Expression", formula.clone()),
                named("Csv", csv.clone()),
            ],
        });
        json_schema!({
            "description": "A function of time; a plain number is a constant.",
            "oneOf": [
                number("The same value always."),
                named("Constant", number("The same value always.")),
                named("Table", table),
                named("Ramp", ramp),
                named("Sine", sine),
                named("Expression", formula),
                named("Csv", csv),
                named("Displacement", displacement),
                named("Own", json_schema!({ "type": "string", "description": "A function of the program that made the case." })),
            ],
        })
    }
}

impl Serialize for TimeFunction {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Constant(value) => serializer.serialize_f64(*value),
            _ => Self::serialize(self, serializer),
        }
    }
}

#[cfg(test)]
mod tests;
