//! The result of a step: the new snapshot, every contact at the end of the step, energies, and the measures
//! of the errors.

use delassus_contact::Contact;
use delassus_dynamics::integrator::Balance;
use delassus_fem::BodyRotation;
use delassus_solver::{Certificate, ContactProblem, LawEnergy, SolverReport, Status, Vector};

use crate::audited::Audit;
use crate::joints::{JointEnd, JointError};
use crate::snapshot::{ContactHistory, Snapshot};

/// What a contact did to the energy of the bodies over a step \[J\].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Work {
    /// Work of the normal impulse on the test velocity, the bond's left out.
    pub normal: f64,
    /// Energy dissipated by friction.
    pub friction: f64,
    /// Work of the obstacle on the contact.
    pub obstacle: f64,
    /// Energy that went into the bond's springs.
    pub stored: f64,
    /// Energy lost in the bond.
    pub damage: f64,
    /// Work of the bond's impulse beyond that on the bond's own path: the error of the time step.
    pub numerical: f64,
    /// What the bond's springs held before the opening was measured anew, less what they hold after.
    pub remainder: f64,
    /// Energy dissipated by the moment of rolling and spinning resistance.
    pub turning: f64,
}

impl Work {
    /// Of a contact of impulse p and law energy, whose sides and obstacle move with the scheme's test velocity U_t and V.
    #[must_use]
    pub fn of<const D: usize>(p: &Vector<D>, bond: &LawEnergy<D>, u_t: &Vector<D>, obstacle: &Vector<D>) -> Self {
        let contact = p - bond.bond;
        let normal = contact[0] * u_t[0];
        Self {
            normal,
            friction: normal - contact.dot(u_t) + bond.friction,
            obstacle: p.dot(obstacle),
            stored: bond.stored,
            damage: bond.dissipated,
            numerical: -bond.bond.dot(u_t) - bond.path_work,
            remainder: bond.remainder,
            turning: 0.0,
        }
    }

    /// Sum of the sizes.
    #[must_use]
    pub fn turnover(&self) -> f64 {
        let bond = [self.stored, self.damage, self.numerical, self.remainder, self.turning];
        [self.normal, self.friction, self.obstacle].iter().chain(&bond).map(|x| x.abs()).sum()
    }
}

/// A contact at the end of a step.
#[derive(Clone, Debug)]
pub struct Touch<const D: usize> {
    /// Geometry at the contact configuration.
    pub contact: Contact<D>,
    /// U⁺ in the local frame \[m/s\].
    pub velocity: Vector<D>,
    /// p in the local frame \[N·s\].
    pub impulse: Vector<D>,
    /// Moment of rolling and spinning resistance on the candidate in the local frame: about n, then about the tangents; (0, M) in the plane \[N·m·s\].
    pub moment: Vector<D>,
    /// Open, sticking, sliding, bonded.
    pub status: Status,
    /// Friction coefficient in force, 0 without.
    pub friction: f64,
    /// What it did to the energy.
    pub work: Work,
    /// Its history at the end of the step.
    pub history: ContactHistory,
    /// Law error of this contact (0 for an inactive one).
    pub law_error: f64,
    /// g + τ U_N: the gap in the contact law, predicted from the velocity at the end of the step \[m\].
    pub gap: f64,
    /// The gap at q⁺, to first order \[m\].
    pub true_gap: f64,
}

/// Out-of-balance impulse over the impulses at which the iteration ends.
const BALANCED: f64 = 1e-10;

/// How an iteration went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Balancing {
    /// Iterations taken.
    pub iterations: usize,
    /// Largest out-of-balance impulse over the impulses of loads, internal forces, inertia and contacts; 0 where it vanishes by
    /// construction.
    pub imbalance: f64,
    /// The part of it that rounding explains, if an iteration stalled; 0 if it was not computed.
    pub rounding: f64,
    /// Passes of bodies whose M̂ left out what stresses do in turning, because it was not positive definite with it.
    pub without_stresses: usize,
}

impl Balancing {
    /// Is the step in balance?
    #[must_use]
    pub fn is_balanced(&self) -> bool {
        self.imbalance <= BALANCED.max(self.rounding)
    }
}

/// A finished step.
#[derive(Clone, Debug)]
pub struct Outcome<const D: usize> {
    /// The new state.
    pub snapshot: Snapshot,
    /// Step taken \[s\].
    pub h: f64,
    /// Every detected contact, sorted by key.
    pub touches: Vec<Touch<D>>,
    /// Every joint.
    pub joints: Vec<JointEnd<D>>,
    /// Largest error of a joint at the end of the step, over the size of the model, its limit, and the name of the joint.
    pub joint_error: JointError,
    /// Energy terms of each body.
    pub balances: Vec<Balance>,
    /// How far each body has turned from its undeformed state; none where the geometry moves along.
    pub rotations: Vec<Option<BodyRotation>>,
    /// Newton's iteration for bodies that are not linear within a step.
    pub balancing: Balancing,
    /// Reports of the solvers, one for each that was tried; the last holds.
    pub reports: Vec<SolverReport>,
    /// The laws on U = v_free + W p, outside the solvers.
    pub certificate: Certificate,
    /// Laws, equation of motion and momentum on the velocities that the bodies reached.
    pub audit: Audit,
    /// Largest violation of a contact's law by the law's own statement, scale-free.
    pub statement_violation: f64,
    /// Times that the problem was solved for laws that are not affine over a step.
    pub law_iterations: usize,
    /// The contact problem that was solved.
    pub problem: ContactProblem<D>,
    /// Its solution, in its order and local frames \[N·s\].
    pub solution: Vec<Vector<D>>,
    /// Candidates too deep inside their antagonist for a contact, and rigid bodies too deep in one another.
    pub too_deep: usize,
    /// The first of those rigid bodies, in words.
    pub deep: Option<String>,
}

impl<const D: usize> Outcome<D> {
    /// Solver, certificate and errors of the laws as text.
    #[must_use]
    pub fn description(&self) -> String {
        let balance = match self.balancing {
            Balancing { iterations: 0 | 1, .. } => String::new(),
            Balancing { iterations, imbalance, .. } => {
                format!("; imbalance {imbalance:.1e} after {iterations} Newton iterations")
            }
        };
        let iterations =
            if self.law_iterations > 1 { format!(" in {} iterations", self.law_iterations) } else { String::new() };
        let audit = match self.audit.worst().filter(|_| !self.audit.holds()) {
            Some(w) if w.error.is_nan() => {
                format!("; forces of `{}` are no numbers: a cell turned over or a material did not follow", w.place)
            }
            Some(w) => {
                format!("; the audit finds an error of {:.1e} in the {} of `{}`", w.error, w.topic.text(), w.place)
            }
            None => String::new(),
        };
        let joint = if self.joint_error.holds() {
            String::new()
        } else {
            format!("; joint `{}` is off by {:.1e} of the size", self.joint_error.joint, self.joint_error.error)
        };
        format!(
            "law error {:.1e} after {} ({}; in the original variables of the laws {:.1e}{iterations}){balance}{joint}{audit}",
            self.certificate.law_error,
            self.reports.iter().map(SolverReport::effort).collect::<Vec<_>>().join(", then "),
            if self.converged() { "converged" } else { "not converged" },
            self.statement_violation
        )
    }

    /// Did the last solver converge?
    #[must_use]
    pub fn converged(&self) -> bool {
        self.reports.last().is_some_and(|r| r.converged)
    }

    /// Did a solver stand in for one before it?
    #[must_use]
    pub fn is_taken_over(&self) -> bool {
        self.reports.last().is_some_and(|r| r.is_fallback)
    }

    /// |M Δv/h| over |f| on the free dofs of all bodies that measure it; 0 without acceleration.
    #[must_use]
    pub fn inertia_ratio(&self) -> f64 {
        let told = self.balances.iter().filter_map(|b| b.inertia);
        let (inertia, internal) = told.fold((0.0, 0.0), |(m, f), x| (m + x.inertia, f + x.internal));
        if inertia > 0.0 { (inertia / internal).sqrt() } else { inertia }
    }

    /// The first body whose state or whose energies are not finite: squares overflow long before velocities do.
    #[must_use]
    pub fn overflown(&self) -> Option<usize> {
        let energies = |b: &Balance| {
            let works = [b.load_work, b.support_work, b.viscous, b.plastic, b.numerical, b.spin, b.remainder];
            works.iter().chain(&[b.kinetic, b.elastic]).all(|x| x.is_finite())
        };
        let mut bodies = self.snapshot.states.iter().zip(&self.balances);
        bodies.position(|(state, balance)| !state.is_finite() || !energies(balance))
    }

    /// Sweeps and pivots of all solvers.
    #[must_use]
    pub fn iterations(&self) -> usize {
        self.reports.iter().map(|r| r.iterations).sum()
    }

    /// Is the step within tolerance, by the solver, by the certificate, by the laws' own statement and by the audit?
    #[must_use]
    pub fn is_accepted(&self, tolerance: f64) -> bool {
        self.is_solved(tolerance) && self.audit.holds()
    }

    /// Whether the contact problem is solved: by the solver, by the certificate and by the conditions that the laws state.
    #[must_use]
    pub fn is_solved(&self, tolerance: f64) -> bool {
        self.converged() && self.is_within(tolerance)
    }

    /// Is it within a tolerance other than the one that the solver was given?
    #[must_use]
    pub fn is_within(&self, tolerance: f64) -> bool {
        // Solver and certificate use the same measure by different code: they differ by rounding. The error in the
        // original variables of the laws is another measure, equal to it up to a factor of order one.
        self.balancing.is_balanced()
            && self.joint_error.holds()
            && self.certificate.law_error <= tolerance + ROUNDING
            && self.statement_violation <= 10.0 * tolerance + ROUNDING
    }
}

/// The larger error; NaN is the largest of all.
#[must_use]
pub fn worse(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) }
}

/// Largest difference by rounding between two evaluations of a scale-free error.
pub const ROUNDING: f64 = 1e-12;

#[cfg(test)]
mod tests {
    use super::*;

    /// If a bond's work is what it stores and loses, the parts add up to what the impulse takes out of the bodies, p·U_t; also where no impulse is left.
    #[test]
    fn the_parts_of_the_work_add_up() {
        let u_t = Vector::<3>::new(0.3, -0.2, 0.5);
        for (p, bond, stored) in [([2.0, 0.7, -0.4], [-1.5, 0.1, -0.2], 0.25), ([0.0; 3], [0.0; 3], -0.75)] {
            let (p, bond) = (Vector::<3>::from(p), Vector::<3>::from(bond));
            let energy = LawEnergy {
                bond,
                stored,
                dissipated: 0.125,
                friction: 0.25,
                path_work: stored + 0.4375,
                remainder: 0.0625,
            };
            let work = Work::of(&p, &energy, &u_t, &Vector::<3>::new(0.0, 2.0, 0.0));
            let taken = work.friction + work.stored + work.damage + work.numerical + work.remainder - work.normal;
            assert!((taken + p.dot(&u_t)).abs() < 1e-15, "{work:?}");
            assert!((work.stored - stored).abs() < 1e-15 && (work.damage - 0.125).abs() < 1e-15);
            assert!((work.obstacle - 2.0 * p[1]).abs() < 1e-15);
            let sizes = [work.normal, work.friction, work.obstacle, work.stored, work.damage, work.numerical, 0.0625];
            assert!((work.turnover() - sizes.iter().map(|x| x.abs()).sum::<f64>()).abs() < 1e-15);
            // Half of what is stored or lost is not hidden in another part.
            let half = Work::of(&p, &LawEnergy { stored: 0.5 * stored, ..energy }, &u_t, &Vector::<3>::zeros());
            assert!((half.numerical - work.numerical).abs() <= 0.0 && (half.remainder - work.remainder).abs() <= 0.0);
        }
    }
}
