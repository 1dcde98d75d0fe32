//! Problems with rolling friction: a contact has D components of force, then the moments about its tangents.
//!
//! ```text
//! r = (r_N, r_T, m_T) ,   ‖r_T‖ ≤ μ r_N ,   ‖m_T‖ ≤ μ_r r_N          5 components in space, 3 in the plane (Acary & Bourrier 2021)
//! ```
//!
//! The solver has a contact of its own for moments, number 2k + 1 beside the force 2k, whose component about the normal is not used: p = m/ℓ and U = ℓ Ω with the lever
//! ℓ² = tr W_force/tr W_moment of the contact, so that both blocks are of one size.

use delassus_solver::{Cone, ContactProblem, ResistanceLimits};

use super::{Fclib, FclibProblem, LocalNumbers, Sparse, blocks, value};
use crate::error::FclibError;

/// The problem of W and q with coefficients [μ, μ_r].
pub(crate) fn read(
    local: LocalNumbers,
    [mu, rolling]: [&[f64]; 2],
    group: &str,
    condensed: bool,
    solution: Option<Vec<f64>>,
) -> Result<Fclib, FclibError> {
    let n = mu.len();
    let wrong = |place: &str, found: usize, right: String| value(format!("{group}/{place}"), found, right);
    if rolling.len() != n {
        return Err(wrong("vectors/mu_r", rolling.len(), format!("there are {n} contacts")));
    }
    if let Some(bad) = rolling.iter().find(|m| !(m.is_finite() && **m >= 0.0)) {
        let right = "rolling friction should be finite and not negative".to_owned();
        return Err(value(format!("{group}/vectors/mu_r"), bad, right));
    }
    let components = if local.q.len() == 3 * n { 3 } else { 5 };
    if local.q.len() != components * n || local.w.rows != components * n || local.w.columns != components * n {
        let right =
            format!("{n} contacts with rolling friction need {} components in space, {} in the plane", 5 * n, 3 * n);
        return Err(wrong("W/m", local.w.rows, right));
    }
    let given = solution.filter(|r| r.len() == components * n && r.iter().any(|x| *x != 0.0));
    let (problem, solution, levers) = if components == 3 {
        let made = spread::<2>(&local, mu, rolling, given.as_deref(), group)?;
        (FclibProblem::Plane(made.0), made.1, made.2)
    } else {
        let made = spread::<3>(&local, mu, rolling, given.as_deref(), group)?;
        (FclibProblem::Space(made.0), made.1, made.2)
    };
    Ok(Fclib { problem, condensed, solution, levers: Some(levers) })
}

/// The problem with a contact for the forces and one for the moments, the solution alike, and the levers.
type SpreadProblem<const D: usize> = (ContactProblem<D>, Option<Vec<f64>>, Vec<f64>);

fn spread<const D: usize>(
    local: &LocalNumbers,
    mu: &[f64],
    rolling: &[f64],
    solution: Option<&[f64]>,
    group: &str,
) -> Result<SpreadProblem<D>, FclibError> {
    let (n, per) = (mu.len(), 2 * D - 1);
    // Traces of the diagonal blocks.
    let mut traces = vec![[0.0; 2]; n];
    for &(i, _, x) in local.w.entries.iter().filter(|e| e.0 == e.1) {
        traces[i / per][usize::from(i % per >= D)] += x;
    }
    let lever = |[force, moment]: &[f64; 2]| {
        let ratio = (force / (D as f64)) / (moment / (D as f64 - 1.0));
        if ratio.is_finite() && ratio > 0.0 { ratio.sqrt() } else { 1.0 }
    };
    let levers: Vec<f64> = traces.iter().map(lever).collect();
    // Place of a component, and the factor of its velocity.
    let place = |i: usize| match (i / per, i % per) {
        (k, c) if c < D => (2 * D * k + c, 1.0),
        (k, c) => (2 * D * k + c + 1, levers[k]),
    };
    let size = 2 * D * n;
    let mut w = Sparse { rows: size, columns: size, entries: Vec::with_capacity(local.w.entries.len() + 2 * n) };
    for &(i, j, x) in &local.w.entries {
        let ((a, s), (b, t)) = (place(i), place(j));
        w.entries.push((a, b, x * s * t));
    }
    // A moment and its contact see one another, whatever W has.
    for k in 0..n {
        w.entries.extend([(2 * D * k, 2 * D * k + D, 0.0), (2 * D * k + D, 2 * D * k, 0.0)]);
    }
    let mut q = vec![0.0; size];
    for (i, x) in local.q.iter().enumerate() {
        let (a, s) = place(i);
        q[a] = x * s;
    }
    let twice: Vec<f64> = mu.iter().flat_map(|&mu| [mu, 0.0]).collect();
    let mut problem: ContactProblem<D> = blocks(&LocalNumbers { w, q }, &twice, group)?;
    for k in 0..n {
        let turning = ResistanceLimits { of: 2 * k, spinning: 0.0, rolling: rolling[k] / levers[k] };
        problem.laws[2 * k + 1].cone = Cone::Turning(turning);
    }
    let solution = solution.map(|r| {
        let mut out = vec![0.0; size];
        for (i, x) in r.iter().enumerate() {
            let (a, s) = place(i);
            out[a] = x / s;
        }
        out
    });
    Ok((problem, solution, levers))
}

/// Impulses of such a problem in the order and units of the file.
#[must_use]
pub fn in_file_order(dimension: usize, levers: &[f64], p: &[f64]) -> Vec<f64> {
    let both = p.chunks_exact(2 * dimension).zip(levers);
    both.flat_map(|(p, lever)| {
        let (force, moment) = p.split_at(dimension);
        force.iter().copied().chain(moment[1..].iter().map(move |m| m * lever)).collect::<Vec<_>>()
    })
    .collect()
}
