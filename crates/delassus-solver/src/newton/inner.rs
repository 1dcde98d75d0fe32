//! Semismooth Newton on Alart & Curnier's map for one regularised problem.
//!
//! ```text
//! scaled:  x = √λ p̃,  v = ṽ/√λ,  A = W̃ scaled alike (its diagonal blocks have λmax = 1),   y = x − v
//! open    y_N ≤ 0              x = 0
//! stick   ‖y_T‖ ≤ μ y_N        v = 0
//! slip    otherwise            v_N = 0,   x_T = μ x_N ŷ + G (dx_T − dv_T),   ŷ = y_T/‖y_T‖,   G = μ y_N/‖y_T‖ (I − ŷŷᵀ)
//! ```
//!
//! Alart & Curnier 1991. Open contacts leave the linear system; it is solved by LU for the change dx of the others. In the plane
//! G = 0. The step is halved until the sum of squares of the natural map falls below the worst of the last
//! steps (Grippo, Lampariello & Lucidi 1986); where no part of it does, sweeps of Gauss–Seidel, which the
//! regularisation makes contracting, move on to where Newton's method works.

use super::linear;
use crate::judge::Judge;
use crate::local::{Dimension, LocalKernel};
use crate::nlgs;
use crate::operator::BlockMatrix;
use crate::problem::{Cone, ContactProblem, IMMOBILE, Matrix, Vector};
use crate::report::Options;

/// Halvings of a step.
const HALVINGS: usize = 7;

/// Part of the merit that a step must take off, times its length.
const DESCENT: f64 = 1e-4;

/// Residual at the start below which contacts are weighed by their own scale in the merit, not by their energy.
const FINE: f64 = 1e-6;

/// Merits of the last steps, the worst of which a step must better: a change of statuses may have to go uphill first.
const MEMORY: usize = 6;

/// Least and largest number of sweeps where a step fails, how often they may help, and how many Newton steps one problem gets.
const SWEEPS: [usize; 2] = [30, 500];
const MAX_RESCUES: usize = 3;
const MAX_STEPS: usize = 30;

/// How much an inner solve may do.
pub(super) struct Effort {
    steps: usize,
    rescues: usize,
}

impl Effort {
    /// Newton steps only.
    pub(super) fn attempt(steps: usize) -> Self {
        Self { steps, rescues: 0 }
    }

    /// All that can help, within so many steps.
    pub(super) fn full(steps: usize) -> Self {
        Self { steps: steps.min(MAX_STEPS), rescues: MAX_RESCUES }
    }
}

/// What an inner solve did.
pub(super) struct Inner {
    pub(super) steps: usize,
    pub(super) converged: bool,
}

/// How a contact takes part in a step.
#[derive(Clone, Copy, PartialEq)]
enum Part<const D: usize> {
    Open,
    Stick,
    Slip {
        mu: f64,
        /// ŷ, zero in the normal component.
        direction: Vector<D>,
        /// μ y_N/‖y_T‖ < 1.
        ratio: f64,
    },
}

/// Solves `problem`, which has no springs, from `p` within `effort`.
pub(super) fn solve<const D: usize>(
    problem: &ContactProblem<D>,
    p: &mut [Vector<D>],
    tolerance: f64,
    effort: Effort,
) -> Inner
where
    Dimension<D>: LocalKernel<D>,
{
    let mut judge = Judge::new(problem);
    let mut residual = judge.residual(p);
    let measure = if residual <= FINE { Judge::fine_merit } else { Judge::merit };
    let (mut done, mut rescues) = (Inner { steps: 0, converged: false }, 0);
    let mut trial = p.to_vec();
    let sweeps = sweeps_for_a_factor(problem);
    let mut merits = vec![measure(&judge)];
    while residual > tolerance && done.steps < effort.steps {
        done.steps += 1;
        let step = direction(&judge, p);
        let mut length = 1.0;
        let mut accepted = false;
        for _ in 0..HALVINGS {
            let Some(step) = &step else { break };
            for ((new, old), change) in trial.iter_mut().zip(p.iter()).zip(step) {
                *new = old + change * length;
            }
            let (e, m) = (judge.residual(&trial), measure(&judge));
            let worst = merits.iter().rev().take(MEMORY).copied().fold(0.0, f64::max);
            if e <= tolerance || m < (1.0 - DESCENT * length) * worst {
                (residual, accepted) = (e, true);
                merits.push(m);
                p.copy_from_slice(&trial);
                break;
            }
            length *= 0.5;
        }
        if !accepted {
            if rescues == effort.rescues {
                break;
            }
            rescues += 1;
            nlgs::solve(problem, p, &Options { tolerance, max_iterations: sweeps });
            residual = judge.residual(p);
            merits = vec![measure(&judge)];
        }
    }
    done.converged = residual <= tolerance;
    done
}

/// Sweeps that cost about a third of a dense factor, by counting operations: a sweep has 2D² for each block and some 300 for each kernel.
fn sweeps_for_a_factor<const D: usize>(problem: &ContactProblem<D>) -> usize {
    let order = (D * problem.n()) as f64;
    let sweep = 2.0 * (D * D * problem.operator.n_blocks()) as f64 + 300.0 * problem.n() as f64;
    ((0.2 * order.powi(3) / sweep) as usize).clamp(SWEEPS[0], SWEEPS[1])
}

/// Newton's change of p; none if the linear system is singular.
fn direction<const D: usize>(judge: &Judge<'_, D>, p: &[Vector<D>]) -> Option<Vec<Vector<D>>>
where
    Dimension<D>: LocalKernel<D>,
{
    let problem = judge.problem;
    let n = problem.n();
    let root: Vec<f64> = judge.contacts.iter().map(|c| c.block.largest().sqrt()).collect();
    let velocity = |p: &[Vector<D>], i: usize| {
        let u = problem.v_free[i] + problem.operator.row_times(i, p);
        u + problem.laws[i].v_shift + problem.laws[i].w_shift.component_mul(&p[i])
    };
    let scaled = |i: usize| ((p[i] + problem.laws[i].p_shift) * root[i], velocity(p, i) / root[i]);
    let state: Vec<(Vector<D>, Vector<D>)> =
        (0..n).map(|i| if root[i] > 0.0 { scaled(i) } else { (Vector::<D>::zeros(), Vector::<D>::zeros()) }).collect();
    let parts: Vec<Part<D>> = (0..n).map(|i| part(problem, root[i], i, &state[i])).collect();
    let closed: Vec<usize> = (0..n).filter(|&i| parts[i] != Part::Open).collect();
    // Open contacts lose their impulse at once; what that does to the others goes to the right-hand side.
    let start: Vec<Vector<D>> =
        (0..n).map(|i| if parts[i] == Part::Open { -problem.laws[i].p_shift } else { p[i] }).collect();
    let mut place = vec![usize::MAX; n];
    for (a, &i) in closed.iter().enumerate() {
        place[i] = a;
    }
    let mut rows: Vec<Vec<(usize, Matrix<D>)>> = Vec::with_capacity(closed.len());
    let mut right = Vec::with_capacity(D * closed.len());
    for &i in &closed {
        let row = Row::new(&parts[i], &state[i], &(velocity(&start, i) / root[i]));
        let (columns, blocks) = problem.operator.row(i);
        let entries = columns.iter().zip(blocks).filter(|&(&j, _)| place[j] != usize::MAX);
        rows.push(
            entries
                .map(|(&j, block)| {
                    let mut scaled = block / (root[i] * root[j]);
                    if i == j {
                        scaled += Matrix::<D>::from_diagonal(&(problem.laws[i].w_shift / (root[i] * root[i])));
                    }
                    (place[j], row.factor * scaled + if i == j { row.own } else { Matrix::<D>::zeros() })
                })
                .collect(),
        );
        right.extend_from_slice(row.right.as_slice());
    }
    let matrix = BlockMatrix::from_rows(rows).ok()?;
    if !linear::solve_in_place(&matrix, &mut right) {
        return None;
    }
    let change = |i: usize| match place[i] {
        usize::MAX => start[i] - p[i],
        a => Vector::<D>::from_fn(|k, _| right[D * a + k] / root[i]),
    };
    Some((0..n).map(change).collect())
}

/// Rows of the linear system at a closed contact: factor · dv + own · dx = right.
struct Row<const D: usize> {
    factor: Matrix<D>,
    own: Matrix<D>,
    right: Vector<D>,
}

impl<const D: usize> Row<D> {
    /// `v_start` is the velocity once the open contacts have lost their impulse.
    fn new(part: &Part<D>, (x, v): &(Vector<D>, Vector<D>), v_start: &Vector<D>) -> Self {
        let mut row = Self { factor: Matrix::<D>::identity(), own: Matrix::<D>::zeros(), right: -v_start };
        if let Part::Slip { mu, direction, ratio } = *part {
            let mut tangential = Matrix::<D>::identity();
            tangential[(0, 0)] = 0.0;
            let across = (tangential - direction * direction.transpose()) * ratio;
            row.factor = across;
            row.factor[(0, 0)] = 1.0;
            row.own = tangential - across;
            row.own.set_column(0, &(direction * -mu));
            row.right = direction * (mu * x[0]) - tangential * x - across * (v_start - v);
            row.right[0] = -v_start[0];
        }
        row
    }
}

fn part<const D: usize>(problem: &ContactProblem<D>, root: f64, i: usize, (x, v): &(Vector<D>, Vector<D>)) -> Part<D> {
    let y = x - v;
    match problem.laws[i].cone {
        Cone::Bilateral if root > 0.0 => Part::Stick,
        Cone::Open | Cone::Bilateral => Part::Open,
        Cone::Coulomb(mu) => {
            let block = problem.operator.diagonal(i);
            let normal = block[(0, 0)] + problem.laws[i].w_shift[0];
            if normal <= IMMOBILE * (block.trace() + problem.laws[i].w_shift.sum()) || y[0] <= 0.0 {
                return Part::Open;
            }
            let mut direction = y;
            direction[0] = 0.0;
            let size = direction.norm();
            if size <= mu * y[0] {
                return Part::Stick;
            }
            Part::Slip { mu, direction: direction / size, ratio: mu * y[0] / size }
        }
    }
}
