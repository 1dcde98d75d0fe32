//! Checks that shapes share.

use crate::frame::unit;
use crate::{ContactError, Vector};

fn is_length(value: f64) -> bool {
    value > 0.0 && (value * value).is_finite()
}

pub(super) fn check_radius(radius: f64) -> Result<(), ContactError> {
    if is_length(radius) { Ok(()) } else { Err(ContactError::InvalidRadius { radius }) }
}

pub(super) fn check_size(what: &'static str, value: f64) -> Result<(), ContactError> {
    if is_length(value) { Ok(()) } else { Err(ContactError::InvalidSize { what, value }) }
}

pub(super) fn check_space<const D: usize>(shape: &'static str) -> Result<(), ContactError> {
    if D == 3 { Ok(()) } else { Err(ContactError::ShapeDimension { shape, dimension: D }) }
}

pub(super) fn check_axis<const D: usize>(axis: &Vector<D>) -> Result<(), ContactError> {
    direction(axis).map(|_| ())
}

/// The unit vector along an axis.
pub(super) fn direction<const D: usize>(axis: &Vector<D>) -> Result<Vector<D>, ContactError> {
    unit(axis).map(|(axis, _)| axis).ok_or_else(|| ContactError::ZeroAxis { axis: components(axis) })
}

/// Finite, and with a square that is: distances are made of squares.
pub(super) fn check_finite<const D: usize>(what: &'static str, v: &Vector<D>) -> Result<(), ContactError> {
    let bad = v.iter().any(|c| !(c * c).is_finite());
    if bad { Err(ContactError::NonFiniteObstacle { what, value: components(v) }) } else { Ok(()) }
}

/// The components of a vector, for messages.
pub(crate) fn components<const D: usize>(v: &Vector<D>) -> Vec<f64> {
    v.iter().copied().collect()
}
