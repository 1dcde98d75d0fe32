//! The linear system of a final basis, solved afresh so that the rounding of the pivots is gone.
//!
//! ```text
//! stick: ṽ_N = ṽ_T = 0      slip: ṽ_N = 0, p̃_T = ratio · p̃_N      bond: ṽ = 0      open: p̃ = 0
//! ```
//!
//! LU of the active components, scaled, with iterative refinement: ṽ is rebuilt from all of p̃ each time.

use nalgebra::{DMatrix, DVector};

use super::form::{ContactMode, FrictionalContact};
use crate::standard::problem::StandardProblem;

/// Rounds of solving for what is left; the first is the solution itself.
const ROUNDS: usize = 3;

/// A component that must not move, and the one that its impulse takes along.
struct ActiveComponent {
    component: usize,
    /// p̃_T = ratio · p̃_N of a sliding contact.
    ratio: Option<f64>,
}

/// p̃ of all components for given motions; none if the system is singular.
pub(super) fn polish(
    standard: &StandardProblem<2>,
    contacts: &[FrictionalContact],
    modes: &[ContactMode],
    bonds: &[usize],
) -> Option<DVector<f64>> {
    let mut p = DVector::zeros(standard.w.nrows());
    let active = actives(contacts, modes, bonds);
    if active.is_empty() {
        return Some(p);
    }
    let scale = |i: usize| standard.scale[active[i].component / 2];
    let n = active.len();
    let matrix = DMatrix::from_fn(n, n, |i, j| {
        let (row, column) = (active[i].component, active[j].component);
        let along = active[j].ratio.map_or(0.0, |ratio| ratio * standard.w[(row, column + 1)]);
        scale(i) * scale(j) * (standard.w[(row, column)] + along)
    });
    let factor = matrix.lu();
    for _ in 0..ROUNDS {
        let v = &standard.v_free + &standard.w * &p;
        let right = DVector::from_fn(n, |i, _| -v[active[i].component] * scale(i));
        let x = factor.solve(&right)?;
        for (i, a) in active.iter().enumerate() {
            p[a.component] += x[i] * scale(i);
            if let Some(ratio) = a.ratio {
                // From the sum, not summed: the impulse stays on the edge of the cone to the last bit.
                p[a.component + 1] = ratio * p[a.component];
            }
        }
    }
    Some(p)
}

fn actives(contacts: &[FrictionalContact], modes: &[ContactMode], bonds: &[usize]) -> Vec<ActiveComponent> {
    let mut active: Vec<ActiveComponent> =
        bonds.iter().map(|&component| ActiveComponent { component, ratio: None }).collect();
    for (c, mode) in contacts.iter().zip(modes) {
        let component = 2 * c.contact;
        match *mode {
            ContactMode::Open => {}
            ContactMode::Stick => {
                active.extend([component, component + 1].map(|component| ActiveComponent { component, ratio: None }))
            }
            ContactMode::Slip { ratio } => active.push(ActiveComponent { component, ratio: Some(ratio) }),
        }
    }
    active
}
