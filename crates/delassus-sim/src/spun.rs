//! The start of a free body that spins, at relative equilibrium: stretched as its spin stretches it, so that it turns without vibration.
//!
//! ```text
//! K u = −M ω × (ω × (X + u)) ,     v = V + ω × (X + u)          in the plane (K − ω² M) u = ω² M X
//! u_{k+1} = u_k + (s M + K)⁻¹ (−M ω × (ω × (X + u_k)) − K u_k)      s: the proximal term of statics
//! ```
//!
//! An iteration leaves (s + ω²)/(s + ω_i²) of the error in an elastic motion of eigenvalue ω_i²: it converges for spins below the lowest one, and a body that spins
//! faster has no such equilibrium. A rigid motion, ω_i = 0, would grow from rounding: forces are made free of resultant and moment, F − M R (RᵀM R)⁻¹ Rᵀ F with the rigid motions R. In space the axis must be a principal one, or centrifugal forces have a moment and the body precesses: then it starts as it is given.

use delassus_dynamics::integrator::{BodyView, Integrator, QuasiStatic, StepStart};
use delassus_dynamics::{Inelastic, Operator, State, System};
use nalgebra::{DMatrix, DVector, Vector3};

use crate::error::SimError;
use crate::outcome::worse;

/// What of the centrifugal forces may be out of balance.
const BALANCED: f64 = 1e-13;

/// Iterations that a body may take.
const MOST: usize = 500;

/// Moment of the centrifugal forces over the sum of its parts above which the axis is not a principal one.
const ALONG_AXIS: f64 = 1e-9;

fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |m: f64, y| worse(m, y.abs()))
}

/// ω × x of every node; in the plane ω is along z.
fn crossed(omega: &Vector3<f64>, x: &[f64], d: usize) -> Vec<f64> {
    let node = |x: &[f64]| Vector3::from_fn(|i, _| x.get(i).copied().unwrap_or(0.0));
    x.chunks_exact(d).flat_map(|x| omega.cross(&node(x)).iter().copied().take(d).collect::<Vec<_>>()).collect()
}

/// Stretches a body that is free, elastic and spins, and gives every node the velocity of its place. `name` is that of the body.
pub(crate) fn spin_up(system: &dyn System, name: &str, state: &mut State) -> Result<(), SimError> {
    let (d, n) = (system.block_size(), system.n_dof());
    let Some(turning) = system.turning() else { return Ok(()) };
    let is_free = system.prescribed().is_empty() && system.tied().is_empty() && system.floating().is_some();
    let omega = Vector3::from(turning.begin(state, 1.0).spin);
    if !is_free || omega.norm() <= 0.0 || !system.inelastic().is_some_and(Inelastic::is_elastic) {
        return Ok(());
    }
    let places = turning.places();
    let centrifugal = |u: &[f64]| {
        let x: Vec<f64> = places.iter().zip(u).map(|(x, u)| x + u).collect();
        let (mut load, inward) = (vec![0.0; n], crossed(&omega, &crossed(&omega, &x, d), d));
        system.mass_times_into(&inward, &mut load);
        load.iter_mut().for_each(|f| *f = -*f);
        load
    };
    if !is_balanced(&places, &centrifugal(&vec![0.0; n]), d) {
        return Ok(());
    }
    let view = BodyView { system, mass: None };
    let rest = State::new(0.0, vec![0.0; n], vec![0.0; n]);
    let start = StepStart::new(view, &rest, 1.0);
    let named = |source| SimError::Body { body: name.to_owned(), source };
    let values = QuasiStatic.effective_mass(&start, &rest.v);
    let mut operator =
        Operator::with_analysis(&QuasiStatic.analyse(system).map_err(named)?, system, values).map_err(named)?;
    let rigid = RigidMotions::of(system);
    let (mut u, mut best, mut since) = (vec![0.0; n], f64::INFINITY, 0);
    for _ in 0..MOST {
        let load = centrifugal(&u);
        let mut force = vec![0.0; n];
        system.elastic_force_into(&u, &mut force);
        let mut left: Vec<f64> = load.iter().zip(&force).map(|(p, f)| p - f).collect();
        rigid.take_from(&mut left);
        let part = largest(&left) / largest(&load);
        operator.apply(&mut left);
        u.iter_mut().zip(&left).for_each(|(u, d)| *u += d);
        (best, since) = if part < 0.5 * best { (part, 0) } else { (best, since + 1) };
        // Rounding of the forces stops it a little above.
        if part <= BALANCED || (since > 5 && part <= 1e3 * BALANCED) {
            // Stretched, a body without symmetry may have its principal axes elsewhere.
            let stretched: Vec<f64> = places.iter().zip(&u).map(|(x, u)| x + u).collect();
            if !is_balanced(&stretched, &load, d) {
                return Ok(());
            }
            let more = crossed(&omega, &u, d);
            state.v.iter_mut().zip(&more).for_each(|(v, w)| *v += w);
            state.q = u;
            return Ok(());
        }
        if part.is_nan() {
            break;
        }
    }
    Err(SimError::NoSpinEquilibrium { body: name.to_owned(), spin: omega.norm() })
}

/// Have these forces no moment?
fn is_balanced(places: &[f64], load: &[f64], d: usize) -> bool {
    let node = |x: &[f64]| Vector3::from_fn(|i, _| x.get(i).copied().unwrap_or(0.0));
    let (mut moment, mut size) = (Vector3::zeros(), 0.0);
    for (x, f) in places.chunks_exact(d).zip(load.chunks_exact(d)) {
        let m = node(x).cross(&node(f));
        moment += m;
        size += node(x).norm() * node(f).norm();
    }
    moment.amax() <= ALONG_AXIS * size
}

/// The rigid motions of a free body.
struct RigidMotions {
    /// R, a motion in a column.
    motions: DMatrix<f64>,
    /// M R (RᵀM R)⁻¹.
    weights: DMatrix<f64>,
}

impl RigidMotions {
    fn of(system: &dyn System) -> Self {
        // Parts that nothing connects fly apart.
        let whole = system.floating().filter(|floating| floating.parts.len() == 1);
        let modes = whole.map_or(&[][..], |floating| &floating.modes);
        let n = system.n_dof();
        let mut motions = DMatrix::zeros(n, modes.len());
        for (k, mode) in modes.iter().enumerate() {
            mode.motion.iter().for_each(|&(dof, x)| motions[(dof, k)] = x);
        }
        let mut carried = DMatrix::zeros(n, modes.len());
        for (from, mut to) in motions.column_iter().zip(carried.column_iter_mut()) {
            system.mass_times_into(from.into_owned().as_slice(), to.as_mut_slice());
        }
        let inertia =
            (motions.tr_mul(&carried)).try_inverse().unwrap_or_else(|| DMatrix::zeros(modes.len(), modes.len()));
        Self { weights: carried * inertia, motions }
    }

    /// Takes resultant and moment out of forces.
    fn take_from(&self, forces: &mut [f64]) {
        let f = DVector::from_column_slice(forces);
        let rest = &f - &self.weights * self.motions.tr_mul(&f);
        forces.copy_from_slice(rest.as_slice());
    }
}
