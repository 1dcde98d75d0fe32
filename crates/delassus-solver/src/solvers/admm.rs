//! Alternating directions (ADMM): a linear solve with W + ρΛ, a projection on the cones, and the sliding velocities by De Saxcé's fixed point.
//!
//! ```text
//! scaled:  z = √λ p̃ ∈ K,  v = ṽ/√λ = A z + b,  w ∈ K* its multiplier,  s = μ‖v_T‖ n
//! (A + ρ) dx = w − v(z) − s(z),   x = z + dx,   z ← P_K(x − w/ρ),   w ← w − ρ (x − z)
//! ```
//!
//! Boyd et al. 2011, for friction Acary, Brémond & Huber 2018. The matrix changes with ρ alone: one factor for many iterations, each of which costs a triangular solve and a product W p. Stacks of rigid bodies at
//! rest, in which few contacts slide, take ten to fifty. ρ begins at [`FIRST`] and is raised where the residual does not fall, at most to [`LAST`]; where it does not
//! fall then either the method ends, and leaves the best impulses it had.
//!
//! The factor is that of the symmetric part of W; velocities and residuals are those of W as it is.

use delassus_error::Interrupt;

use super::newton::frontal::{FrontFactor, FrontPattern, Numbering};
use super::plain::{is_plain, solve_plain};
use super::{ChainPlace, ChainSolver};
use crate::linalg::{Matrix, Vector};
use crate::local::{Dimension, LocalKernel};
use crate::natural_map::{project, tangential_norm};
use crate::operator::BlockMatrix;
use crate::prepared::PreparedProblem;
use crate::problem::{Cone, ContactProblem};
use crate::report::{SolverOptions, SolverReport, StopReason};
use crate::work::{self, Allowance};

/// Name in reports and cases.
pub const NAME: &str = "admm";

/// Bounds of ρ, relative to the mobility of each contact, and by how much it is raised.
pub const FIRST: f64 = 0.01;
/// Largest ρ.
pub const LAST: f64 = 1.0;
const RAISE: f64 = 10.0;

/// Iterations between two looks at the progress, and the part of the residual that may be left after them.
const LOOK_EVERY: usize = 10;
const PROGRESS: f64 = 0.5;

/// Share of the blocks of W from which it counts as full.
const FULL: f64 = 0.3;

/// The method in a chain.
pub(super) struct AdmmSolver;

impl<const D: usize> ChainSolver<D> for AdmmSolver
where
    Dimension<D>: LocalKernel<D>,
{
    fn name(&self) -> &'static str {
        NAME
    }

    fn applies(&self, problem: &ContactProblem<D>) -> bool {
        is_plain(problem) && !is_full(&problem.operator)
    }

    fn worth_in_sweeps(&self, problem: &ContactProblem<D>) -> usize {
        super::newton::worth_in_sweeps(problem)
    }

    fn solve(
        &self,
        problem: &ContactProblem<D>,
        p: &mut [Vector<D>],
        options: &SolverOptions,
        mut place: ChainPlace<'_>,
    ) -> SolverReport {
        let last = if place.is_short { FIRST } else { LAST };
        solve_within(problem, p, options, last, &mut place.allowance)
    }
}

/// Is W full? Then all bodies are deformable or all contacts have one in common, and Newton's method needs few factors anyway.
fn is_full<const D: usize>(w: &BlockMatrix<D>) -> bool {
    w.n_blocks() as f64 >= FULL * (w.n() as f64).powi(2)
}

/// Solves the problem by at most `options.max_iterations` iterations; `p` holds the best impulses seen. Laws with springs, moments, data that are not finite and sizes that do not fit
/// give a report with no iterations.
pub fn solve<const D: usize>(problem: &ContactProblem<D>, p: &mut [Vector<D>], options: &SolverOptions) -> SolverReport
where
    Dimension<D>: LocalKernel<D>,
{
    solve_within(problem, p, options, LAST, &mut Allowance::unlimited(&Interrupt::never()))
}

fn solve_within<const D: usize>(
    problem: &ContactProblem<D>,
    p: &mut [Vector<D>],
    options: &SolverOptions,
    last: f64,
    allowance: &mut Allowance<'_>,
) -> SolverReport
where
    Dimension<D>: LocalKernel<D>,
{
    solve_plain(NAME, problem, p, options, allowance, |prepared, p, allowance, report| {
        iterate(prepared, p, options, last, allowance, report);
    })
}

/// The matrix A + ρ and its factor.
struct ShiftedOperator<const D: usize> {
    pattern: FrontPattern,
    sizes: Vec<usize>,
    first: Vec<usize>,
    /// A in the order of the rows of W, and the numbers of its diagonal blocks.
    blocks: Vec<Matrix<D>>,
    diagonal: Vec<usize>,
}

impl<const D: usize> ShiftedOperator<D> {
    fn new(prepared: &PreparedProblem<'_, D>, root: &[f64]) -> Self
    where
        Dimension<D>: LocalKernel<D>,
    {
        let sizes: Vec<usize> = (0..prepared.n())
            .map(|i| if prepared.laws[i].cone == Cone::Open || root[i] <= 0.0 { 0 } else { D })
            .collect();
        let mut first = Vec::with_capacity(sizes.len());
        let mut next = 0;
        for size in &sizes {
            first.push(next);
            next += size;
        }
        let is_kept: Vec<bool> = sizes.iter().map(|&size| size > 0).collect();
        let pattern = FrontPattern::new(prepared.operator, &is_kept);
        let (mut blocks, mut diagonal) = (Vec::with_capacity(prepared.operator.n_blocks()), Vec::new());
        for i in 0..prepared.n() {
            prepared.operator.for_row(i, |j, block| {
                if i == j {
                    diagonal.push(blocks.len());
                }
                blocks.push(scaled_symmetric(prepared, root, i, j, block));
            });
        }
        Self { pattern, sizes, first, blocks, diagonal }
    }

    fn factor(&mut self, rho: f64) -> Option<FrontFactor> {
        let shift = |blocks: &mut [Matrix<D>], diagonal: &[usize], by: f64| {
            for &k in diagonal {
                blocks[k] += Matrix::<D>::identity() * by;
            }
        };
        shift(&mut self.blocks, &self.diagonal, rho);
        let factor =
            FrontFactor::new(&self.pattern, &Numbering { sizes: &self.sizes, first: &self.first }, &self.blocks);
        shift(&mut self.blocks, &self.diagonal, -rho);
        factor
    }
}

/// Block (i, j) of W̃, scaled.
pub(super) fn scaled<const D: usize>(
    prepared: &PreparedProblem<'_, D>,
    root: &[f64],
    i: usize,
    j: usize,
    block: &Matrix<D>,
) -> Matrix<D>
where
    Dimension<D>: LocalKernel<D>,
{
    let scale = root[i] * root[j];
    if scale <= 0.0 {
        return Matrix::<D>::zeros();
    }
    let mut scaled = block / scale;
    if i == j {
        scaled += Matrix::<D>::from_diagonal(&(prepared.laws[i].w_shift / scale));
    }
    scaled
}

/// Block (i, j) of the symmetric part of W̃, scaled.
pub(super) fn scaled_symmetric<const D: usize>(
    prepared: &PreparedProblem<'_, D>,
    root: &[f64],
    i: usize,
    j: usize,
    block: &Matrix<D>,
) -> Matrix<D>
where
    Dimension<D>: LocalKernel<D>,
{
    let even = (block + mirrored(prepared.operator, i, j, block)) * 0.5;
    scaled(prepared, root, i, j, &even)
}

/// W_jiᵀ.
fn mirrored<const D: usize>(w: &BlockMatrix<D>, i: usize, j: usize, block: &Matrix<D>) -> Matrix<D> {
    if w.is_stored_as_half() && i != j { *block } else { w.block(j, i).transpose() }
}

fn iterate<const D: usize>(
    prepared: &mut PreparedProblem<'_, D>,
    p: &mut [Vector<D>],
    options: &SolverOptions,
    last: f64,
    allowance: &mut Allowance<'_>,
    report: &mut SolverReport,
) where
    Dimension<D>: LocalKernel<D>,
{
    let n = prepared.n();
    let root: Vec<f64> = prepared.contacts.iter().map(|c| c.block.largest().sqrt()).collect();
    let mut shifted = ShiftedOperator::new(prepared, &root);
    let factor_work = work::of_front_factor(shifted.pattern.work(&shifted.sizes));
    let mut rho = FIRST;
    // From nothing: impulses without their multipliers are no better start.
    let mut candidate: Vec<Vector<D>> = prepared.laws.iter().map(|law| -law.p_shift).collect();
    // The multipliers of the best impulses: velocities, whatever ρ is.
    let mut best = vec![Vector::<D>::zeros(); n];
    'rho: while rho <= last {
        if let Some(end) = allowance.end_before(factor_work) {
            report.end = end;
            break;
        }
        allowance.spend(factor_work);
        let Some(factor) = shifted.factor(rho) else { break };
        if rho > FIRST {
            candidate.copy_from_slice(p);
        }
        prepared.residual(&candidate);
        let mut z: Vec<Vector<D>> = (0..n).map(|i| prepared.standard_impulse(i) * root[i]).collect();
        let mut w = best.clone();
        let mut right = vec![0.0; shifted.sizes.iter().sum()];
        let mut mark = report.residual;
        for iteration in 1.. {
            if report.iterations >= options.max_iterations {
                break 'rho;
            }
            if let Some(end) = allowance.end() {
                report.end = end;
                break 'rho;
            }
            for i in (0..n).filter(|&i| shifted.sizes[i] > 0) {
                let mut r = w[i] - prepared.standard_velocity(i) / root[i];
                if let Cone::Coulomb(mu) = prepared.laws[i].cone {
                    r[0] -= mu * tangential_norm(prepared.standard_velocity(i)) / root[i];
                }
                right[shifted.first[i]..shifted.first[i] + D].copy_from_slice(r.as_slice());
            }
            factor.solve(&mut right);
            for i in (0..n).filter(|&i| shifted.sizes[i] > 0) {
                let x = z[i] + Vector::<D>::from_column_slice(&right[shifted.first[i]..shifted.first[i] + D]);
                let mut y = x - w[i] / rho;
                if let Cone::Coulomb(mu) = prepared.laws[i].cone {
                    project(mu, &mut y);
                }
                w[i] -= (x - y) * rho;
                z[i] = y;
                candidate[i] = y / root[i] - prepared.laws[i].p_shift;
            }
            report.iterations += 1;
            let residual = prepared.residual(&candidate);
            allowance.spend(2 * prepared.sweep_work);
            if residual < report.residual {
                report.residual = residual;
                p.copy_from_slice(&candidate);
                best.copy_from_slice(&w);
            }
            if !residual.is_finite() || report.residual <= options.tolerance {
                break;
            }
            if iteration % LOOK_EVERY == 0 {
                if report.residual > PROGRESS * mark {
                    break;
                }
                mark = report.residual;
            }
        }
        if report.residual <= options.tolerance {
            break;
        }
        rho *= RAISE;
        report.end = StopReason::Stuck;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::certify;
    use crate::solvers::chain::solve_in_order;
    use crate::solvers::{Method, nlgs};
    use crate::testing::space::{FLAT, box_stack, nothing};

    /// A tower at rest but for a small push: more contacts than freedoms, nearly all sticking. The certificate judges.
    #[test]
    fn towers_are_solved_with_few_factors() {
        let options = SolverOptions { tolerance: 1e-9, ..SolverOptions::default() };
        for boxes in [3, 5] {
            let problem = box_stack(boxes, 2, 0.3, FLAT);
            let mut p = nothing(problem.n());
            let report = solve(&problem, &mut p, &options);
            assert!(report.converged && report.iterations < 400, "{boxes}: {report:?}");
            assert!(certify(&problem, &p).unwrap().law_error <= 1.01e-9);
        }
    }

    /// What it cannot solve is handed on, no worse than it was.
    #[test]
    fn where_it_does_not_arrive_the_best_impulses_stay() {
        let problem = box_stack(6, 2, 0.9, [0.9, -0.7, -1.0, 0.5, -0.4, 0.8]);
        let mut p = nothing(problem.n());
        let options = SolverOptions { tolerance: 1e-15, max_iterations: 40 };
        let before = nlgs::solve(&problem, &mut p, &SolverOptions { max_iterations: 5, ..options }).residual;
        let report = solve(&problem, &mut p, &options);
        assert!(!report.converged && report.residual <= before, "{before} {report:?}");
        assert!((certify(&problem, &p).unwrap().law_error - report.residual).abs() < 1e-12);
    }

    #[test]
    fn springs_and_full_operators_are_left_to_others() {
        let problem = box_stack(20, 2, 0.3, FLAT);
        let mut soft = problem.clone();
        soft.laws[0].spring[0] = 1.0;
        let mut p = nothing(problem.n());
        assert!(Method::Admm.applies(&problem) && !Method::Admm.applies(&soft));
        assert_eq!(solve(&soft, &mut p, &SolverOptions::default()).iterations, 0);
        let one = box_stack(1, 2, 0.3, FLAT);
        assert!(!Method::Admm.applies(&one));
        let reports =
            solve_in_order(&[Method::Admm, Method::Nlgs], &one, &mut nothing(one.n()), &SolverOptions::default());
        assert!(reports.iter().all(|r| r.solver == nlgs::NAME));
    }
}
