//! Velocities of the bodies, as contacts and joints read and change them.

use std::borrow::Cow;

use delassus_dynamics::Operator;

/// Velocities of all bodies.
pub(crate) fn views(v: &[Vec<f64>]) -> Vec<&[f64]> {
    v.iter().map(Vec::as_slice).collect()
}

/// Velocities of sites as contacts read them.
pub(crate) fn seen<'a>(v: &'a [Cow<'_, [f64]>]) -> Vec<&'a [f64]> {
    v.iter().map(|v| &**v).collect()
}

/// v_free + w H p; a body that nothing touches keeps v_free.
pub(crate) fn corrected(operator: &mut Operator, v_free: &[f64], impulse: &[f64]) -> Vec<f64> {
    if impulse.iter().all(|x| x.abs() == 0.0) {
        return v_free.to_vec();
    }
    let mut dv = impulse.to_vec();
    operator.apply(&mut dv);
    v_free.iter().zip(&dv).map(|(v, d)| v + d).collect()
}
