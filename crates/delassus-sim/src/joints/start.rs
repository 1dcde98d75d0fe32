//! Velocities at the start that fit the joints: what a sudden impulse of the joints leaves of those that are given,
//!
//! ```text
//! v = v₀ + M⁻¹ Jᵀ λ ,   J v = ġ*(0)
//! ```
//!
//! the nearest in the norm of the kinetic energy. They are left as they are where they fit.

use delassus_contact::{local_velocity, scatter};
use delassus_dynamics::MassInverse;
use delassus_solver::Vector;

use super::envelope::Envelope;
use super::phase::values;
use super::rows::{JointRows, RowLaw};
use crate::error::SimError;
use crate::model::Model;
use crate::snapshot::Snapshot;
use crate::velocities::{seen, views};

/// Relative velocity of a held row over the speeds of the bodies that is none.
const FITS: f64 = 1e-13;

/// The same that joints may leave after the impulse; more is a contradiction.
const CONTRADICTION: f64 = 1e-6;

/// Passes of the refinement.
const PASSES: usize = 4;

/// E over A_ii.
const SOFT: f64 = 1e-12;

/// Puts the velocities of a state right.
pub(crate) fn fit_velocities<const D: usize>(model: &Model<D>, snapshot: &mut Snapshot) -> Result<(), SimError> {
    if model.joints.is_empty() {
        return Ok(());
    }
    let q: Vec<Vec<f64>> = snapshot.states.iter().map(|s| s.q.clone()).collect();
    let t = snapshot.time();
    let JointRows { blocks, rows } = JointRows::at(model, &q);
    let held: Vec<usize> = (0..rows.len()).filter(|&r| rows[r].law == RowLaw::Held).collect();
    let size = model.size();
    let unit = |r: usize| if rows[r].turns { 1.0 / size } else { 1.0 };
    for (&r, value) in held.iter().zip(held_values(model, &rows, &held, &q, &snapshot.joints)) {
        let joint = &model.joints[rows[r].joint];
        let off = (value - rows[r].target(joint, t)).abs() * if rows[r].turns { size } else { 1.0 };
        if off.is_nan() || off > CONTRADICTION * size {
            return Err(SimError::JointApart { joint: joint.name.clone(), by: off });
        }
    }
    // Statics has no velocities to begin with.
    if !model.integrator.has_inertia() {
        return Ok(());
    }
    let mut v: Vec<Vec<f64>> = snapshot.states.iter().map(|s| s.v.clone()).collect();
    let missing = |v: &[Vec<f64>]| -> Vec<f64> {
        let sites = model.site_velocities(&q, &views(v));
        let sites = seen(&sites);
        let rate = |r: usize| local_velocity(&blocks[rows[r].block], &sites)[rows[r].component];
        held.iter().map(|&r| rows[r].target_rate(&model.joints[rows[r].joint], t) - rate(r)).collect()
    };
    let speed = |v: &[Vec<f64>], missing: &[f64]| {
        let sites = model.site_velocities(&q, &views(v));
        let points = sites.iter().flat_map(|s| s.iter()).fold(0.0, |m: f64, x| m.max(x.abs()));
        held.iter().zip(missing).fold(points, |m: f64, (&r, x)| m.max(x.abs() / unit(r)))
    };
    let worst = |missing: &[f64]| {
        let sizes = held.iter().zip(missing).map(|(&r, x)| (x.abs() / unit(r), rows[r].joint));
        sizes.fold((0.0, 0), |a, b| if b.0 > a.0 || b.0.is_nan() { b } else { a })
    };
    let mut left = missing(&v);
    let scale = speed(&v, &left);
    if worst(&left).0 <= FITS * scale {
        return Ok(());
    }
    let pushed: Vec<Vec<Vec<f64>>> = held
        .iter()
        .map(|&r| {
            let mut sites = model.no_impulses();
            let p = Vector::<D>::from_fn(|i, _| f64::from(u8::from(i == rows[r].component)));
            scatter(&blocks[rows[r].block], &p, &mut sites);
            accelerated(model, t, model.gathered(&q, sites))
        })
        .collect::<Result<_, SimError>>()?;
    let rate_of = |k: usize, dv: &[Vec<f64>]| {
        let sites = model.site_velocities(&q, &views(dv));
        local_velocity(&blocks[rows[held[k]].block], &seen(&sites))[rows[held[k]].component]
    };
    let entries: Vec<Vec<(usize, f64)>> = (0..held.len())
        .map(|i| {
            let mut row: Vec<(usize, f64)> = (0..=i).map(|j| (j, rate_of(i, &pushed[j]))).collect();
            if let Some(last) = row.last_mut() {
                last.1 *= 1.0 + SOFT;
            }
            row
        })
        .collect();
    let factor = Envelope::factored(&entries);
    for _ in 0..PASSES {
        let mut x = left.clone();
        factor.forward(&mut x);
        factor.backward(&mut x);
        for (push, x) in pushed.iter().zip(&x) {
            v.iter_mut().zip(push).for_each(|(v, p)| v.iter_mut().zip(p).for_each(|(v, p)| *v += x * p));
        }
        left = missing(&v);
    }
    let (off, joint) = worst(&left);
    if off.is_nan() || off > CONTRADICTION * scale {
        return Err(SimError::JointConflict { joint: model.joints[joint].name.clone(), by: off });
    }
    for (k, v) in v.into_iter().enumerate() {
        let known = &model.bodies[k].body;
        let state = &mut snapshot.states[k];
        // The angular momentum of a rigid body belongs to its velocities.
        match known.rigid() {
            Some(rigid) => *state = rigid.with_velocity(state, v),
            None => state.v = v,
        }
    }
    Ok(())
}

fn held_values<const D: usize>(
    model: &Model<D>,
    rows: &[super::rows::JointRow],
    held: &[usize],
    q: &[Vec<f64>],
    near: &[f64],
) -> Vec<f64> {
    let all = values(model, rows, q, near);
    held.iter().map(|&r| all[r]).collect()
}

/// M⁻¹ f on the degrees of freedom that are not prescribed.
fn accelerated<const D: usize>(model: &Model<D>, t: f64, forces: Vec<Vec<f64>>) -> Result<Vec<Vec<f64>>, SimError> {
    let of = |(known, mut f): (&crate::model::ModelBody<D>, Vec<f64>)| {
        if f.iter().all(|x| x.abs() <= 0.0) {
            return Ok(f);
        }
        let named = |source| SimError::Body { body: known.name.clone(), source };
        let inverse = MassInverse::new(&*known.body).map_err(named)?;
        let mut nothing = vec![0.0; f.len()];
        inverse.acceleration(&*known.body, t, &mut nothing);
        delassus_dynamics::ties::gather(known.body.tied(), &mut f);
        inverse.acceleration(&*known.body, t, &mut f);
        f.iter_mut().zip(&nothing).for_each(|(f, n)| *f -= n);
        known.body.prescribed().iter().for_each(|&dof| f[dof] = 0.0);
        Ok(f)
    };
    model.bodies.iter().zip(forces).map(of).collect()
}
