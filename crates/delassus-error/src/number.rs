//! Numbers in files. JSON has no NaN and no infinity: they are written as `null`, and are NaN again when read.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Writes a number, or nothing for NaN.
pub fn serialize<S: Serializer>(x: &f64, s: S) -> Result<S::Ok, S::Error> {
    Some(*x).filter(|x| !x.is_nan()).serialize(s)
}

/// Reads a number, or NaN for nothing.
pub fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<f64, D::Error> {
    Ok(Option::<f64>::deserialize(d)?.unwrap_or(f64::NAN))
}
