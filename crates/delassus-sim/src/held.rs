//! Statics: bodies that neither supports nor contacts hold.
//!
//! The iteration of a quasi-static step cannot balance a force on a rigid motion that nothing resists. What is left of the balance then is s M a of that motion
//! (`dynamics/src/integrator/quasi_static.rs`), so it lies among the inertia forces of the free rigid motions u_i of a part of a body:
//!
//! ```text
//! g ≈ Σ c_i M u_i ,     (u_i·M u_j) c_j = u_i·g ,      g = r(v⁺) + H p on free dofs
//! ```
//!
//! What a slow iteration of a held body leaves is no such force: contacts balance its resultant and its moment.

use delassus_dynamics::integrator::StepStart;
use delassus_dynamics::{RigidMode, System, ties};
use nalgebra::{DMatrix, DVector};

use crate::error::SimError;
use crate::model::Model;

/// Share of the imbalance, by its square, that must be inertia of rigid motions.
const RIGID: f64 = 0.5;

/// Share of turns in that, by energy, from which the motion is called a turn: one about an edge is for the most part a shift of the mass centre.
const TURNING: f64 = 0.1;

/// A rigid motion that an imbalance drives.
struct Driven<'a> {
    mode: &'a RigidMode,
    /// |g|² of the part \[N²·s²\].
    left: f64,
    /// u·g \[N·s\].
    impulse: f64,
}

/// The body and the rigid motion that an imbalance `left` = r(v⁺) + H p of every body drives; none if it drives no such motion.
pub(crate) fn not_held<const D: usize>(
    model: &Model<D>,
    starts: &[StepStart<'_>],
    left: impl Iterator<Item = Vec<f64>>,
) -> Option<SimError> {
    let mut worst: Option<(f64, SimError)> = None;
    for ((known, start), mut g) in model.bodies.iter().zip(starts).zip(left) {
        let system = start.system();
        let Some(floating) = system.floating() else { continue };
        // What ties hold together moves together.
        ties::gather(system.tied(), &mut g);
        system.prescribed().iter().for_each(|&dof| g[dof] = 0.0);
        for part in 0..floating.parts.len() {
            let modes: Vec<&RigidMode> = floating.modes.iter().filter(|m| m.part == part).collect();
            let Some(driven) = driven(system, &modes, &floating.parts[part], &g) else { continue };
            if worst.as_ref().is_none_or(|(most, _)| driven.left > *most) {
                let error = SimError::NotHeld {
                    body: known.name.clone(),
                    motion: driven.mode.name.clone(),
                    force: driven.impulse.abs() / start.h,
                    time: start.from.t + start.h,
                };
                worst = Some((driven.left, error));
            }
        }
    }
    worst.map(|(_, error)| error)
}

/// The motion of one part that its imbalance drives.
fn driven<'a>(system: &dyn System, modes: &[&'a RigidMode], dofs: &[usize], g: &[f64]) -> Option<Driven<'a>> {
    let n = system.n_dof();
    let moved = |mode: &RigidMode| {
        let (mut u, mut m) = (vec![0.0; n], vec![0.0; n]);
        mode.motion.iter().for_each(|&(dof, x)| u[dof] = x);
        system.mass_times_into(&u, &mut m);
        // Forces of tied dofs are those of their masters together.
        ties::gather(system.tied(), &mut m);
        system.prescribed().iter().for_each(|&dof| m[dof] = 0.0);
        m
    };
    let inertia: Vec<Vec<f64>> = modes.iter().map(|mode| moved(mode)).collect();
    let along = |mode: &RigidMode, f: &[f64]| mode.motion.iter().map(|&(dof, u)| u * f[dof]).sum::<f64>();
    let gram = DMatrix::from_fn(modes.len(), modes.len(), |i, j| along(modes[i], &inertia[j]));
    let given = DVector::from_fn(modes.len(), |i, _| along(modes[i], g));
    let c = gram.clone().lu().solve(&given)?;
    let (mut rigid, mut left) = (0.0, 0.0);
    for &dof in dofs {
        let of_modes: f64 = inertia.iter().zip(c.iter()).map(|(m, c)| c * m[dof]).sum();
        rigid += of_modes * of_modes;
        left += g[dof] * g[dof];
    }
    if left <= 0.0 || rigid < RIGID * left {
        return None;
    }
    let energy = |k: usize| c[k] * c[k] * gram[(k, k)];
    let all: f64 = (0..modes.len()).map(energy).sum();
    let turns: f64 = (0..modes.len()).filter(|&k| modes[k].turns).map(energy).sum();
    let is_turn = turns > TURNING * all;
    let among = (0..modes.len()).filter(|&k| modes[k].turns == is_turn);
    let most = among.max_by(|&a, &b| energy(a).total_cmp(&energy(b)))?;
    Some(Driven { mode: modes[most], left, impulse: given[most] })
}
