//! Interior points on the cone form of Coulomb's law, and Newton's method from there.
//!
//! ```text
//! K ∋ p̃ ⟂ ṽ + s n ∈ K*,   s = μ‖ṽ_T‖
//! at once:      s moves with ṽ in every step                                        ten to thirty factors
//! fixed point:  s given: convex, ṽ is unique (module `convex`);  then s ← μ‖ṽ_T‖     ten to twenty factors for each s
//! ```
//!
//! At once is tried first. The problem is not convex then: where the gap no longer falls, the fixed point takes over.
//! De Saxcé & Feng 1998 for the form, Cadoux 2009 and Acary, Cadoux, Lemaréchal & Malick 2011 for the fixed point (a solution exists under a mild condition), Acary, Armand, Nguyen & Shpakovych 2023 for interior points. Interior points do
//! not care how many contacts share a load: they stay in the middle of the set of solutions, where the statuses are plain. From there
//! Newton's method (module [`newton`](super::newton)) takes a few steps to the tolerance. It is tried as soon as s has settled a little, and again as s settles further.
//!
//! The convex problem has the symmetric part of W; what W does beyond it is put into b with s. At once takes W as it is. The fixed point is found by mixing ([`Mixing`]): plain iterations go to and fro where friction is large.

mod cone;
mod convex;

use delassus_error::Interrupt;

use super::admm::{scaled, scaled_symmetric};
use super::newton::frontal::FrontPattern;
use super::plain::{is_plain, solve_plain};
use super::{ChainPlace, ChainSolver, newton};
use crate::linalg::{Matrix, Vector};
use crate::local::{Dimension, LocalKernel};
use crate::mixing::Mixing;
use crate::prepared::PreparedProblem;
use crate::problem::{Cone, ContactProblem, IMMOBILE};
use crate::report::{SolverOptions, SolverReport};
use crate::work::Allowance;
use convex::{ConvexPart, ConvexProblem, SlidingSource};

/// Name in reports and cases.
pub const NAME: &str = "interior";

/// Gap of the first convex problem and of the last ones, b being of size one; each has a tenth of the one before.
const FIRST_GAP: f64 = 1e-4;
const LAST_GAP: f64 = 1e-11;

/// Gaps at which Newton's method is tried where the sliding velocities follow.
const GAPS_AT_ONCE: [f64; 3] = [1e-7, 1e-10, 1e-13];

/// Fixed-point iterations in all, how many come before Newton's method is tried, and how many between two tries.
const MOST: usize = 60;
const BEFORE_NEWTON: usize = 6;
const BETWEEN: usize = 2;

/// Change of s, relative, below which it does not change.
const SETTLED: f64 = 1e-13;

/// A change so many times the least one: what was learned from the iterations before is forgotten.
const WORSE: f64 = 10.0;

/// The method in a chain.
pub(super) struct InteriorSolver;

impl<const D: usize> ChainSolver<D> for InteriorSolver
where
    Dimension<D>: LocalKernel<D>,
{
    fn name(&self) -> &'static str {
        NAME
    }

    fn applies(&self, problem: &ContactProblem<D>) -> bool {
        is_plain(problem)
    }

    fn solve(
        &self,
        problem: &ContactProblem<D>,
        p: &mut [Vector<D>],
        options: &SolverOptions,
        mut place: ChainPlace<'_>,
    ) -> SolverReport {
        solve_within(problem, p, options, place.is_short, &mut place.allowance)
    }
}

/// Solves the problem by at most `options.max_iterations` factors; `p` holds the best impulses seen, and is not used as a start. Laws with springs, moments, data that are not finite and
/// sizes that do not fit give a report with no iterations.
pub fn solve<const D: usize>(problem: &ContactProblem<D>, p: &mut [Vector<D>], options: &SolverOptions) -> SolverReport
where
    Dimension<D>: LocalKernel<D>,
{
    solve_within(problem, p, options, false, &mut Allowance::unlimited(&Interrupt::never()))
}

fn solve_within<const D: usize>(
    problem: &ContactProblem<D>,
    p: &mut [Vector<D>],
    options: &SolverOptions,
    is_short: bool,
    allowance: &mut Allowance<'_>,
) -> SolverReport
where
    Dimension<D>: LocalKernel<D>,
{
    solve_plain(NAME, problem, p, options, allowance, |prepared, p, allowance, report| {
        iterate(prepared, p, options, is_short, allowance, report);
    })
}

/// How a contact takes part in the convex problem, and T: p̃ = T x.
fn part<const D: usize>(prepared: &PreparedProblem<'_, D>, root: f64, i: usize) -> (ConvexPart, Vector<D>)
where
    Dimension<D>: LocalKernel<D>,
{
    let law = &prepared.laws[i];
    let block = prepared.operator.diagonal(i);
    let is_fast = block[(0, 0)] + law.w_shift[0] <= IMMOBILE * (block.trace() + law.w_shift.sum());
    let mut scale = Vector::<D>::repeat(1.0 / root);
    let part = match law.cone {
        _ if root <= 0.0 => ConvexPart::Open,
        Cone::Open | Cone::Within { .. } | Cone::Turning(_) => ConvexPart::Open,
        Cone::Bilateral => ConvexPart::Bond,
        Cone::Coulomb(_) if is_fast => ConvexPart::Open,
        Cone::Coulomb(mu) if mu > 0.0 => {
            scale[0] /= mu;
            ConvexPart::Cone(D)
        }
        Cone::Coulomb(_) => ConvexPart::Cone(1),
    };
    (part, scale)
}

/// The cone form of a problem: how the contacts take part, and the order of elimination.
struct ConeForm<const D: usize> {
    root: Vec<f64>,
    parts: Vec<ConvexPart>,
    /// T.
    scales: Vec<Vector<D>>,
    sizes: Vec<usize>,
    first: Vec<usize>,
    pattern: FrontPattern,
    /// Impulses of contacts that have no unknown.
    nothing: Vec<Vector<D>>,
    /// b without impulses, of size one, and its size.
    b: Vec<Vector<D>>,
    size: f64,
}

impl<const D: usize> ConeForm<D> {
    /// None if there is nothing to find: no velocity that could press.
    fn new(prepared: &mut PreparedProblem<'_, D>) -> Option<Self>
    where
        Dimension<D>: LocalKernel<D>,
    {
        let n = prepared.n();
        let root: Vec<f64> = prepared.contacts.iter().map(|c| c.block.largest().sqrt()).collect();
        let (parts, scales): (Vec<ConvexPart>, Vec<Vector<D>>) = (0..n).map(|i| part(prepared, root[i], i)).unzip();
        let sizes: Vec<usize> = parts
            .iter()
            .map(|part| match part {
                ConvexPart::Open => 0,
                ConvexPart::Bond => D,
                ConvexPart::Cone(size) => *size,
            })
            .collect();
        let first: Vec<usize> = sizes
            .iter()
            .scan(0, |next, size| {
                *next += size;
                Some(*next - size)
            })
            .collect();
        let is_kept: Vec<bool> = sizes.iter().map(|&size| size > 0).collect();
        let pattern = FrontPattern::new(prepared.operator, &is_kept);
        let nothing: Vec<Vector<D>> = prepared.laws.iter().map(|law| -law.p_shift).collect();
        prepared.residual(&nothing);
        let mut form = Self { root, parts, scales, sizes, first, pattern, nothing, b: Vec::new(), size: 1.0 };
        let mut b: Vec<Vector<D>> = (0..n).map(|i| form.velocity(prepared, i)).collect();
        let size = (b.iter().map(|b| b.norm_squared()).sum::<f64>() / n.max(1) as f64).sqrt();
        if size.is_nan() || size <= 0.0 {
            return None;
        }
        b.iter_mut().for_each(|b| *b /= size);
        (form.b, form.size) = (b, size);
        Some(form)
    }

    /// T ṽ of the impulses last judged.
    fn velocity(&self, prepared: &PreparedProblem<'_, D>, i: usize) -> Vector<D>
    where
        Dimension<D>: LocalKernel<D>,
    {
        if self.sizes[i] > 0 {
            self.scales[i].component_mul(prepared.standard_velocity(i))
        } else {
            Vector::<D>::zeros()
        }
    }

    /// A by rows: of W as it is, or of its symmetric part.
    fn rows(&self, prepared: &PreparedProblem<'_, D>, symmetric: bool) -> Vec<Vec<(usize, Matrix<D>)>>
    where
        Dimension<D>: LocalKernel<D>,
    {
        let stretch = |i: usize| Matrix::<D>::from_diagonal(&(self.scales[i] * self.root[i]));
        let block_of = if symmetric { scaled_symmetric::<D> } else { scaled::<D> };
        let row = |i: usize| {
            let mut row = Vec::with_capacity(prepared.operator.row_len(i));
            prepared.operator.for_row(i, |j, block| {
                let inner = self.sizes[i] > 0 && self.sizes[j] > 0;
                let value = || stretch(i) * block_of(prepared, &self.root, i, j, block) * stretch(j);
                row.push((j, if inner { value() } else { Matrix::zeros() }));
            });
            row
        };
        (0..prepared.n()).map(row).collect()
    }

    /// The problem of these rows and velocities.
    fn problem<'a>(&'a self, rows: &'a [Vec<(usize, Matrix<D>)>], b: &'a [Vector<D>]) -> ConvexProblem<'a, D> {
        ConvexProblem { pattern: &self.pattern, parts: &self.parts, sizes: &self.sizes, first: &self.first, rows, b }
    }

    /// The impulses of a point.
    fn impulses(&self, prepared: &PreparedProblem<'_, D>, x: &[Vector<D>]) -> Vec<Vector<D>>
    where
        Dimension<D>: LocalKernel<D>,
    {
        let one = |i: usize| {
            if self.sizes[i] > 0 {
                self.scales[i].component_mul(&x[i]) * self.size - prepared.laws[i].p_shift
            } else {
                self.nothing[i]
            }
        };
        (0..x.len()).map(one).collect()
    }
}

/// First Coulomb's problem at once, then, where that comes to a halt, the fixed point of convex ones.
fn iterate<const D: usize>(
    prepared: &mut PreparedProblem<'_, D>,
    p: &mut [Vector<D>],
    options: &SolverOptions,
    is_short: bool,
    allowance: &mut Allowance<'_>,
    report: &mut SolverReport,
) where
    Dimension<D>: LocalKernel<D>,
{
    let Some(form) = ConeForm::new(prepared) else { return };
    at_once(prepared, &form, p, options, allowance, report);
    let is_over = report.residual <= options.tolerance || report.iterations >= options.max_iterations;
    if !is_over && !is_short && allowance.end().is_none() {
        fixed_point(prepared, &form, p, options, allowance, report);
    }
}

/// Interior points with sliding velocities that follow the impulses; Newton's method is tried at some gaps on the way.
fn at_once<const D: usize>(
    prepared: &mut PreparedProblem<'_, D>,
    form: &ConeForm<D>,
    p: &mut [Vector<D>],
    options: &SolverOptions,
    allowance: &mut Allowance<'_>,
    report: &mut SolverReport,
) where
    Dimension<D>: LocalKernel<D>,
{
    let rows = form.rows(prepared, false);
    let problem = form.problem(&rows, &form.b);
    let mut inside = problem.middle();
    for gap in GAPS_AT_ONCE {
        let point = match problem.solve(inside, SlidingSource::Own, gap, allowance) {
            Ok(point) => point,
            Err(end) => {
                report.end = end;
                return;
            }
        };
        report.iterations += point.iterations;
        let candidate = form.impulses(prepared, &point.inside.x);
        newton::keep(prepared, p, &candidate, report);
        if report.residual <= options.tolerance || report.iterations >= options.max_iterations {
            return;
        }
        // Far from the solution the statuses say nothing.
        if point.closed || gap < GAPS_AT_ONCE[0] {
            newton::finish(prepared, p, candidate, options, allowance, report);
        }
        if report.residual <= options.tolerance || !point.closed || allowance.end().is_some() {
            return;
        }
        inside = point.inside;
    }
}

fn fixed_point<const D: usize>(
    prepared: &mut PreparedProblem<'_, D>,
    form: &ConeForm<D>,
    p: &mut [Vector<D>],
    options: &SolverOptions,
    allowance: &mut Allowance<'_>,
    report: &mut SolverReport,
) where
    Dimension<D>: LocalKernel<D>,
{
    let n = prepared.n();
    let rows = form.rows(prepared, true);
    let mut b = form.b.clone();
    let mut sliding = vec![0.0; n];
    let mut gap = FIRST_GAP;
    let (mut mixing, mut least) = (Mixing::default(), f64::INFINITY);
    for round in 1..=MOST {
        let convex = form.problem(&rows, &b);
        let point = match convex.solve(convex.middle(), SlidingSource::Given(&sliding), gap, allowance) {
            Ok(point) => point,
            Err(end) => {
                report.end = end;
                return;
            }
        };
        report.iterations += point.iterations;
        let x = &point.inside.x;
        let candidate = form.impulses(prepared, x);
        let (change, norm) = point
            .sliding
            .iter()
            .zip(&sliding)
            .fold((0.0, 0.0), |(c, s), (new, old): (&f64, &f64)| (c + (new - old).powi(2), s + new * new));
        let change = (change / f64::max(norm, f64::MIN_POSITIVE)).sqrt();
        newton::keep(prepared, p, &candidate, report);
        // What the part of W that is not symmetric does.
        for i in 0..n {
            let symmetric = rows[i].iter().fold(Vector::<D>::zeros(), |sum, (j, a)| sum + a * x[*j]);
            b[i] = form.velocity(prepared, i) / form.size - symmetric;
        }
        sliding = if gap <= LAST_GAP {
            if change > WORSE * least {
                mixing.restart();
            }
            least = least.min(change);
            mixing.next(&sliding, &point.sliding).into_iter().map(|s| s.max(0.0)).collect()
        } else {
            point.sliding
        };
        if report.residual <= options.tolerance || report.iterations >= options.max_iterations {
            return;
        }
        let settled = change <= SETTLED && gap <= LAST_GAP;
        if settled || round >= BEFORE_NEWTON && (round - BEFORE_NEWTON).is_multiple_of(BETWEEN) {
            newton::finish(prepared, p, candidate, options, allowance, report);
            if report.residual <= options.tolerance || settled || allowance.end().is_some() {
                return;
            }
        }
        gap = (0.1 * gap).max(LAST_GAP);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::certify;
    use crate::operator::BlockMatrix;
    use crate::problem::Derived;
    use crate::testing::space::{TILTED, box_stack, nothing, space_problem};
    use crate::testing::{BodyKind, Random};

    /// Rigid bodies with more contacts than freedoms, friction from 0 to 1, some contacts without any; the certificate judges.
    #[test]
    fn rigid_bodies_with_more_contacts_than_freedoms() {
        let mut random = Random::new(31);
        let options = SolverOptions { tolerance: 1e-9, ..SolverOptions::default() };
        for n in [1, 6, 15, 30, 30, 30] {
            let problem = space_problem(&mut random, n, BodyKind::Rigid);
            let mut p = nothing(n);
            let report = solve(&problem, &mut p, &options);
            assert!(report.converged, "{n}: {report:?}");
            assert!(certify(&problem, &p).unwrap().law_error <= 1.01e-9);
        }
        let problem = box_stack(5, 2, 0.5, TILTED);
        let mut p = nothing(problem.n());
        assert!(solve(&problem, &mut p, &options).converged);
        assert!(certify(&problem, &p).unwrap().law_error <= 1.01e-9);
    }

    /// W of other codes is not symmetric: it is solved as it is.
    #[test]
    fn operators_that_are_not_symmetric_are_solved_as_they_are() {
        let mut random = Random::new(32);
        let mut problem = space_problem(&mut random, 12, BodyKind::Deformable);
        let rows = (0..12).map(|i| {
            let noise = |random: &mut Random| Matrix::<3>::from_fn(|_, _| 1e-3 * random.between(-1.0, 1.0));
            (0..12)
                .map(|j| (j, problem.operator.block(i, j) + noise(&mut random) * problem.operator.diagonal(i).trace()))
                .collect()
        });
        problem.operator = BlockMatrix::from_rows(rows.collect()).unwrap();
        assert!(problem.operator.max_asymmetry() > 1e-5);
        let mut p = nothing(12);
        let options = SolverOptions { tolerance: 1e-9, ..SolverOptions::default() };
        assert!(solve(&problem, &mut p, &options).converged);
        assert!(certify(&problem, &p).unwrap().law_error <= 1.01e-9);
    }

    /// Bonds, open contacts and the limits: springs, a budget of no factor.
    #[test]
    fn bonds_open_contacts_and_limits() {
        let mut random = Random::new(33);
        let mut problem = space_problem(&mut random, 10, BodyKind::Deformable);
        problem.laws[2] = Derived::standard(Cone::Bilateral);
        problem.laws[5] = Derived::standard(Cone::Open);
        let mut p = nothing(10);
        let options = SolverOptions { tolerance: 1e-9, ..SolverOptions::default() };
        let report = solve(&problem, &mut p, &options);
        assert!(report.converged, "{report:?}");
        assert!(certify(&problem, &p).unwrap().law_error <= 1.01e-9 && p[5].norm() < 1e-300);
        let mut soft = problem.clone();
        soft.laws[0].spring[0] = 1.0;
        assert_eq!(solve(&soft, &mut nothing(10), &options).iterations, 0);
        let never = Interrupt::never();
        let report = solve_within(&problem, &mut nothing(10), &options, false, &mut Allowance::of(1, &never));
        assert!(!report.converged && matches!(report.end, crate::report::StopReason::Spent { .. }), "{report:?}");
    }
}
