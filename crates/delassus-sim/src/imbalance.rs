//! The residual of the impulse balance of a step, and the part of it that rounding explains.
//!
//! ```text
//! r(v⁺) + H p + s = 0 ,        r(v⁺) = h (P_θ − C v_θ − f_θ) − M Δv          (supports s, on prescribed dofs alone)
//! imbalance = |r + H p| on free dofs  /  max { |H p| + |r + H p| on all dofs , h|P⁺| , h|f| , |M Δv| }
//! ```
//!
//! all bodies together, in the largest component. The scale has every term of the balance: loads, contacts, supports, internal forces
//! at the start, inertia. The forces at the end need no term of their own: the balance makes them no larger than the sum of the
//! others. Momentum M v is not part of it: the speed of a body does not measure the forces on it.
//!
//! Momentum counts for rounding. v⁺ is known to ε |v⁺|, and what that does to r is M̂ ε |v⁺|; internal forces are sums over
//! cells, each known to ε of itself. With Cauchy's inequality on ∫ B_iᵀ σ the forces of the cells at a dof add up to at most
//!
//! ```text
//! Σ_cells |f_i| ≤ √(2 Ψ K_ii)          Ψ: stored energy, K: stiffness
//! ρ_i = N ε ( |H p| + h|P| + |M̂| (|v| + |v⁺|) + h √(2 Ψ K_ii) )_i
//! ```
//!
//! (in a frame that turns with the body, displacements are differences of places: h |K| (|X| + |q|) is added)
//!
//! so no iteration need reduce |r + H p| below ρ = max ρ_i. N is the number of consecutive roundings; for spinning bars, a converged
//! iteration leaves up to 0.12 ρ. ρ needs a tangent, so it is computed only when an iteration no longer makes progress. (Positions are
//! taken to be no larger than the displacements of a step would tell; far from the origin their rounding is larger.)
//!
//! In statics a body may float: forces along its free rigid motions u are balanced by contacts alone, and what an iteration leaves of them has one sign at all nodes. Small at every node, it
//! adds up over a fine mesh and does work on the motion. So its resultants are measured too,
//!
//! ```text
//! resultant = |u·(r + H p)|  /  max { |u|·|H p| , h |u|·|P⁺| , scale of the imbalance }          the largest of all u
//! ```
//!
//! and an iteration goes on as long as that falls.

use delassus_dynamics::integrator::StepStart;
use delassus_dynamics::{Integrator, System, Turning, symmetric_times_into, ties};

use crate::model::{Model, ModelBody};
use crate::outcome::worse;
use crate::parallel::prelude::*;

/// N: roundings in a row that a component of r has seen.
const ROUNDINGS: f64 = 4.0;

/// |r + H p| on free dofs, and its scale \[N·s\].
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Imbalance {
    pub left: f64,
    pub scale: f64,
    /// The body with the largest |r + H p|.
    pub body: usize,
    /// What is left along the free rigid motions of a body without inertia, over its scale.
    pub resultant: f64,
}

/// The end of a step, as far as it is known.
#[derive(Clone, Copy)]
pub(crate) struct TrialEnd<'a> {
    pub starts: &'a [StepStart<'a>],
    /// v⁺ of the bodies \[m/s\].
    pub v: &'a [Vec<f64>],
    /// H p on their dofs \[N·s\].
    pub impulses: &'a [Vec<f64>],
}

/// Which internal forces are in the scale.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Internal {
    /// Those at the start: an iteration may begin far from balance.
    AtStart,
    /// None: in a step that is in balance they are no larger than the sum of the other terms.
    Implied,
}

impl Imbalance {
    /// Of an end whose residuals r(v⁺) are known.
    pub fn of(integrator: &dyn Integrator, end: TrialEnd<'_>, residuals: &[Vec<f64>], internal: Internal) -> Self {
        let mut out = Self::default();
        let mut resultants = Vec::new();
        let bodies = end.starts.iter().zip(end.v).zip(end.impulses).zip(residuals).enumerate();
        for (body, (((start, v), impulse), residual)) in bodies {
            let (system, h) = (start.system(), start.h);
            let mut sum: Vec<f64> = residual.iter().zip(impulse).map(|(r, p)| r + p).collect();
            out.against(largest(impulse) + largest(&sum));
            // What holds tied dofs together is no imbalance.
            ties::gather(system.tied(), &mut sum);
            for &dof in system.prescribed() {
                sum[dof] = 0.0;
            }
            let left = largest(&sum);
            if left > out.left || left.is_nan() {
                out.body = body;
            }
            out.left = worse(out.left, left);
            let mut part = vec![0.0; sum.len()];
            start.loads_into(start.from.t + h, &mut part);
            out.against(h * largest(&part));
            if !integrator.has_inertia() {
                resultants.extend(along_free_motions(system, &sum, |i| impulse[i].abs().max(h * part[i].abs())));
            }
            if internal == Internal::AtStart {
                start.force_into(&mut part);
                out.against(h * largest(&part));
            }
            if integrator.has_inertia() {
                let jump: Vec<f64> = v.iter().zip(start.velocity()).map(|(a, b)| a - b).collect();
                system.mass_times_into(&jump, &mut part);
                out.against(largest(&part));
            }
        }
        let relative = resultants.iter().map(|(left, size)| left / f64::max(*size, out.scale));
        out.resultant = relative.filter(|part| *part > 0.0).fold(0.0, f64::max);
        out
    }

    fn against(&mut self, impulse: f64) {
        self.scale = f64::max(self.scale, impulse);
    }

    /// Over its scale; 0 where nothing is left.
    pub fn relative(&self) -> f64 {
        self.part(self.left)
    }

    /// A part of its scale.
    pub fn part(&self, impulse: f64) -> f64 {
        if impulse > 0.0 || impulse.is_nan() { impulse / self.scale } else { 0.0 }
    }
}

/// |u·x| and Σ |u| size of the free rigid motions u of a body.
fn along_free_motions(system: &dyn System, x: &[f64], size: impl Fn(usize) -> f64) -> Vec<(f64, f64)> {
    let along = |motion: &[(usize, f64)]| {
        motion.iter().fold((0.0, 0.0), |(sum, sizes), &(dof, u)| (sum + u * x[dof], sizes + u.abs() * size(dof)))
    };
    let modes = system.floating().map(|floating| &floating.modes[..]).unwrap_or_default();
    modes.iter().map(|mode| along(&mode.motion)).map(|(sum, sizes)| (f64::abs(sum), sizes)).collect()
}

/// ρ: what of the imbalance rounding explains \[N·s\].
pub(crate) fn rounding(integrator: &dyn Integrator, end: TrialEnd<'_>) -> f64 {
    let bodies = end.starts.par_iter().zip(end.v).zip(end.impulses);
    let noises: Vec<f64> = bodies.map(|((start, v), impulse)| noise(integrator, start, v, impulse)).collect();
    ROUNDINGS * f64::EPSILON * largest(&noises)
}

/// What of the imbalance rounding of the configurations explains: N ε h |K| |q|, for bodies that have moved far in all \[N·s\].
pub(crate) fn rounding_of_places<const D: usize>(model: &Model<D>, end: TrialEnd<'_>) -> f64 {
    let bodies = model.bodies.par_iter().zip(end.starts).zip(end.v);
    let noise = |((b, start), v): ((&ModelBody<D>, &StepStart<'_>), &Vec<f64>)| {
        let (stiffness, way) =
            (&b.body.matrices().stiffness, b.body.motion_between(&b.body.reference(), &start.from.q));
        let size: Vec<f64> = way.iter().zip(v).map(|(q, v)| q.abs() + start.h * v.abs()).collect();
        let values: Vec<f64> = stiffness.values().iter().map(|k| k.abs()).collect();
        let mut sum = vec![0.0; v.len()];
        symmetric_times_into(stiffness.pattern(), &values, &size, &mut sum);
        start.h * largest(&sum)
    };
    let noises: Vec<f64> = bodies.map(noise).collect();
    ROUNDINGS * f64::EPSILON * largest(&noises)
}

/// max ρ_i/(N ε) of a body \[N·s\].
fn noise(integrator: &dyn Integrator, start: &StepStart<'_>, v: &[f64], impulse: &[f64]) -> f64 {
    let (system, h) = (start.system(), start.h);
    let (stiffness, pattern) = (&system.matrices().stiffness, system.matrices().pattern());
    let mass: Vec<f64> = integrator.effective_mass(start, v).iter().map(|m| m.abs()).collect();
    let speed: Vec<f64> = v.iter().zip(start.velocity()).map(|(a, b)| a.abs() + b.abs()).collect();
    let (mut sum, mut load) = (vec![0.0; v.len()], vec![0.0; v.len()]);
    if mass.len() == pattern.nnz() {
        symmetric_times_into(pattern, &mass, &speed, &mut sum);
    } else {
        // Of an explicit scheme the values are a diagonal.
        sum.iter_mut().zip(&mass).zip(&speed).for_each(|((s, m), v)| *s = m * v);
    }
    start.loads_into(start.from.t + h, &mut load);
    let energy = 2.0 * system.stored_energy(start.from).max(0.0);
    for (dof, x) in sum.iter_mut().enumerate() {
        // The diagonal is the first entry of a column of the lower triangle.
        let diagonal = stiffness.values()[pattern.major_offsets()[dof]];
        *x += impulse[dof].abs() + h * (load[dof].abs() + (energy * diagonal).sqrt());
    }
    if let Some(turning) = system.turning() {
        // Displacements in a frame are differences of places, each known to ε of it.
        let (stiffness_sizes, places): (Vec<f64>, Vec<f64>) =
            (stiffness.values().iter().map(|k| k.abs()).collect(), places(turning, &start.from.q));
        let mut part = vec![0.0; v.len()];
        symmetric_times_into(pattern, &stiffness_sizes, &places, &mut part);
        sum.iter_mut().zip(&part).for_each(|(x, k)| *x += h * k);
    }
    ties::gather(system.tied(), &mut sum);
    largest(&sum)
}

/// |X| + |q| of the dofs of a body that turns \[m\].
pub(crate) fn places(turning: &dyn Turning, q: &[f64]) -> Vec<f64> {
    turning.places().iter().zip(q).map(|(x, q)| x.abs() + q.abs()).collect()
}

/// Largest component; NaN if one is.
fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |m: f64, y| worse(m, y.abs()))
}
