//! Lemke's method: the plane problem as a linear complementarity problem, solved by pivoting in a finite number of steps.
//!
//! ```text
//! U_N = A_NN p_N + A_NT p_T + q_N,   U_T = A_TN p_N + A_TT p_T + q_T
//! 0 ≤ p_N ⟂ U_N ≥ 0,   0 ≤ Φ₁ = μ p_N + p_T ⟂ U_T⁺ ≥ 0,   0 ≤ Φ₂ = μ p_N − p_T ⟂ U_T⁻ ≥ 0,   U_T = U_T⁺ − U_T⁻
//! ```
//!
//! Vola, Pratt, Jean & Raous 1998, §5, (14), dimension 3n. There g ≤ 0 and R ≤ 0, and the printed Φ₁ = −R_T + μR_N, Φ₂ = R_T + μR_N
//! add up to 2μR_N ≤ 0 and cannot both be ≥ 0: with the signs of that paper Φ₁ = R_T − μR_N and Φ₂ = −R_T − μR_N are meant, which in
//! ours (p_N ≥ 0) is the line above.
//!
//! A and q are W̃ and ṽ_free of the whole problem in its standard variables (module `standard`); open contacts are left out, bonds are
//! eliminated, and so are contacts without normal mobility, which carry no impulse (if one closes, the problem has no solution and the
//! residual shows it). Everything is scaled by 1/√λmax(W̃_αα) and by the largest free velocity, so that units do not matter.
//!
//! For large μ that problem is not copositive, and the pivots can end on a ray although there is a solution (not seen up to μ = 1.2; in
//! one of a thousand strongly coupled problems with μ up to 10). Then a second form takes over, of dimension 4n, whose matrix is
//! copositive for every μ (module `form`). On it the method cannot fail, but for rounding, if q·p ≥ 0 for every p of the cones with A p = 0: so for any
//! positive definite A, and for rigid bodies whose free velocities derive from a motion, with gaps ≥ 0.
//!
//! At the end the linear system of the final basis is solved afresh, and up to fifty Gauss–Seidel sweeps remove rounding at contacts at
//! rest beside fast ones. The pivots do not use the warm start, except that nothing is done if it is a solution already.
//!
//! Cost: about 1.5n pivots, each 9n² multiplications (16n² in the second form), and one LU of order ≤ 2n. Memory: (3n)² numbers,
//! (4n)² in the second form, besides half a dozen copies of W: about 1.4 GB in all at [`MAX_CONTACTS`].
//!
//! # Several solutions
//! With friction a problem can have several solutions; this method finds one, other solvers perhaps another. They are recognised
//! - at one contact: where μ|W_NT| ≥ W_NN the local kernel tries every status and flags it ([`SolverReport::several_solutions`], here by
//!   solving each local problem again with the other impulses as found). A contact may then wedge though it could open;
//! - of a whole problem: when two solvers, or one solver from two starts, give velocities that differ and the certificate passes both.
//!   That nothing is flagged does not prove uniqueness. Equal velocities with different impulses are no such case: a singular W (rigid bodies with more
//!   contacts than freedoms) leaves impulses undetermined.

mod form;
mod lcp;
mod polish;

use delassus_error::Interrupt;
use nalgebra::{DMatrix, DVector};

use super::{ChainPlace, ChainSolver};
use crate::linalg::Vector;
use crate::local::{Dimension, LocalKernel};
use crate::prepared::PreparedProblem;
use crate::problem::{Cone, ContactProblem, IMMOBILE};
use crate::report::{SolverOptions, SolverReport};
use crate::solvers::nlgs;
use crate::standard::problem::StandardProblem;
use crate::work::{self, Allowance};
use form::{FrictionalContact, LemkeForm, ReducedProblem};
use lcp::LcpEnd;

/// Name in reports and cases.
pub const NAME: &str = "lemke";

/// More contacts are not tried: the dense tableau would not fit in the memory of a usual machine.
pub const MAX_CONTACTS: usize = 2048;

/// What a residual is brought to by the last sweeps if that is easy, and how many there are.
const CLEAN: SolverOptions = SolverOptions { tolerance: 1e-12, max_iterations: 50 };

/// Residual above which there is more to be cleaned than rounding: sweeps would then only hide that the pivots went wrong.
const CLEANABLE: f64 = 1e-6;

/// Part of its own mobility, or of the fastest free velocity, that is rounding at a component which bonds hold.
const HELD: f64 = 1e-11;

/// The method in a chain.
pub(super) struct LemkeSolver;

impl<const D: usize> ChainSolver<D> for LemkeSolver
where
    Dimension<D>: LocalKernel<D>,
{
    fn name(&self) -> &'static str {
        NAME
    }

    fn applies(&self, problem: &ContactProblem<D>) -> bool {
        D == 2 && problem.n() <= MAX_CONTACTS && !problem.has_moments()
    }

    fn expected_work(&self, problem: &ContactProblem<D>) -> u64 {
        expected_work(problem)
    }

    fn solve(
        &self,
        problem: &ContactProblem<D>,
        p: &mut [Vector<D>],
        options: &SolverOptions,
        mut place: ChainPlace<'_>,
    ) -> SolverReport {
        match Dimension::<D>::in_plane(problem, p) {
            Some(plane) => solve_within(plane.problem, plane.p, options, &mut place.allowance),
            None => SolverReport::not_started(NAME),
        }
    }
}

/// Work of the usual number of pivots, half the order of the first form, and of the factors about them, by the kinds of the contacts.
fn expected_work<const D: usize>(problem: &ContactProblem<D>) -> u64 {
    let (mut order, mut components, mut bonds) = (0, 0, 0);
    for law in &problem.laws {
        match law.cone {
            Cone::Open | Cone::Within { .. } | Cone::Turning(_) => {}
            Cone::Bilateral => bonds += D,
            Cone::Coulomb(mu) => {
                order += if mu > 0.0 { 3 } else { 1 };
                components += if mu > 0.0 { 2 } else { 1 };
            }
        }
    }
    let soft = problem.has_springs();
    // Bonds are eliminated by a factor of their own, and the last basis has one of all that holds; springs are eliminated before all else.
    let factors = work::of_dense_factor(bonds) + work::of_dense_factor(bonds + components);
    let softening = if soft { work::of_softening(D * problem.n()) } else { 0 };
    (order as u64).div_ceil(2) * work::of_pivot(order) + factors + softening
}

/// Solves the problem by at most `options.max_iterations` pivots; `p` holds the solution, or is left as it was if none was found that is
/// better. Converged or not is decided by the natural-map residual. Data that are not finite, or sizes that do not fit, give a
/// report with a residual of NaN or infinity; more than [`MAX_CONTACTS`] contacts give one with no pivots.
pub fn solve(problem: &ContactProblem<2>, p: &mut [Vector<2>], options: &SolverOptions) -> SolverReport {
    solve_within(problem, p, options, &mut Allowance::unlimited(&Interrupt::never()))
}

fn solve_within(
    problem: &ContactProblem<2>,
    p: &mut [Vector<2>],
    options: &SolverOptions,
    allowance: &mut Allowance<'_>,
) -> SolverReport {
    let mut report = SolverReport::not_started(NAME);
    if problem.check_sizes(p).is_err() {
        return report;
    }
    let mut prepared = PreparedProblem::new(problem);
    report.residual = prepared.residual(p);
    let wanted = report.residual.is_finite() && report.residual > options.tolerance;
    if wanted && problem.n() <= MAX_CONTACTS {
        pivot(problem, &mut prepared, p, options, allowance, &mut report);
    }
    report.work = allowance.spent();
    report = report.conclude(options);
    if report.residual.is_finite() {
        prepared.residual(p);
        report.several_solutions = prepared.several();
    }
    report
}

/// Tries the two forms one after the other, until one ends in a solution.
fn pivot(
    problem: &ContactProblem<2>,
    prepared: &mut PreparedProblem<'_, 2>,
    p: &mut [Vector<2>],
    options: &SolverOptions,
    allowance: &mut Allowance<'_>,
    report: &mut SolverReport,
) {
    if problem.has_springs() {
        allowance.spend(work::of_softening(2 * problem.n()));
    }
    let Some(standard) = StandardProblem::new(problem) else { return };
    let Some(reduced) = reduce(problem, &standard, allowance.interrupt()) else {
        note_end(allowance, report);
        return;
    };
    for form in [LemkeForm::Signs, LemkeForm::Bound] {
        let left = options.max_iterations.saturating_sub(report.iterations);
        let outcome = form.problem(&reduced).solve(left, allowance);
        report.iterations += outcome.pivots;
        if outcome.end != LcpEnd::Solved || allowance.interrupt().is_raised() {
            if note_end(allowance, report) {
                return;
            }
            continue;
        }
        let mut raw = DVector::zeros(standard.w.nrows());
        for (c, impulse) in reduced.contacts.iter().zip(form.impulses(&reduced, &outcome)) {
            for k in 0..2 {
                raw[2 * c.contact + k] = impulse[k] * reduced.unit * standard.scale[c.contact];
            }
        }
        let polished = polish::polish(&standard, &reduced.contacts, &form.modes(&reduced, &outcome), &reduced.bonds);
        for candidate in polished.into_iter().chain([raw]).filter_map(|x| standard.original(&x)) {
            accept(prepared, p, candidate, options, allowance, report);
        }
        if report.residual <= options.tolerance {
            return;
        }
    }
}

/// Takes note of why no more may be done; true if so.
fn note_end(allowance: &Allowance<'_>, report: &mut SolverReport) -> bool {
    let end = allowance.end();
    report.end = end.unwrap_or(report.end);
    end.is_some()
}

/// Accepts a trial solution, improved by a few sweeps if possible, if it is better than the present one.
fn accept(
    prepared: &mut PreparedProblem<'_, 2>,
    p: &mut [Vector<2>],
    mut candidate: Vec<Vector<2>>,
    options: &SolverOptions,
    allowance: &mut Allowance<'_>,
    report: &mut SolverReport,
) {
    let mut keep = |residual: f64, candidate: &[Vector<2>]| {
        if residual < report.residual {
            report.residual = residual;
            p.copy_from_slice(candidate);
        }
    };
    let residual = prepared.residual(&candidate);
    keep(residual, &candidate);
    if residual <= CLEANABLE {
        let tolerance = CLEAN.tolerance.min(options.tolerance);
        let options = SolverOptions { tolerance, ..CLEAN };
        let cleaned = nlgs::sweeps(prepared, &mut candidate, &options, None, allowance);
        keep(cleaned.residual, &candidate);
    }
}

/// The frictional contacts in scaled variables; none if anything is not finite, or if someone asked to stop.
fn reduce(problem: &ContactProblem<2>, standard: &StandardProblem<2>, interrupt: &Interrupt) -> Option<ReducedProblem> {
    let mobility = |i: usize| standard.w[(i, i)];
    let (mut rubbing, mut free, mut bonded) = (Vec::new(), Vec::new(), Vec::new());
    for (contact, law) in problem.laws.iter().enumerate() {
        let components = [2 * contact, 2 * contact + 1];
        let trace: f64 = components.map(mobility).iter().sum();
        match law.cone {
            Cone::Open | Cone::Within { .. } | Cone::Turning(_) => {}
            Cone::Bilateral => bonded.extend(components),
            Cone::Coulomb(_) if mobility(components[0]) <= IMMOBILE * trace => {}
            Cone::Coulomb(mu) => {
                let used = if mu > 0.0 { 2 } else { 1 };
                rubbing.push((contact, mu, free.len()));
                free.extend(components.into_iter().take(used));
            }
        }
    }
    let (a, q, bonds) = standard.without_bonds(&free, &bonded, interrupt)?;
    // What the bonds hold already is rounding in A and q: a normal without mobility takes its contact out, a tangent stands still.
    let fastest = standard.v_free.amax();
    let is_held = |k: usize| !bonds.is_empty() && a[(k, k)] <= HELD * mobility(free[k]);
    let (mut contacts, mut rows) = (Vec::new(), Vec::new());
    for (contact, mu, k) in rubbing.into_iter().filter(|c| !is_held(c.2)) {
        contacts.push(FrictionalContact { contact, mu, place: rows.len() });
        rows.extend(k..k + if mu > 0.0 { 2 } else { 1 });
    }
    let scale = |k: usize| standard.scale[free[k] / 2];
    let velocity = |k: usize| if is_held(k) && q[k].abs() <= HELD * fastest { 0.0 } else { scale(k) * q[k] };
    let unit = rows.iter().map(|&k| velocity(k).abs()).fold(0.0, f64::max);
    let part = |x: f64| if unit > 0.0 { x / unit } else { 0.0 };
    let entry = |k: usize, l: usize| if is_held(k) || is_held(l) { 0.0 } else { scale(k) * scale(l) * a[(k, l)] };
    let scaled = DMatrix::from_fn(rows.len(), rows.len(), |i, j| entry(rows[i], rows[j]));
    let q = DVector::from_fn(rows.len(), |i, _| part(velocity(rows[i])));
    let finite = scaled.iter().chain(q.iter()).all(|x| x.is_finite());
    finite.then_some(ReducedProblem { contacts, a: scaled, q, bonds, unit })
}

#[cfg(test)]
mod tests;
