//! Interior-point iterations on the cone form, with sliding velocities that are given or that follow.
//!
//! ```text
//! x ∈ L,  y = A x + b + s e ∈ L,  x·y = 0         x = T⁻¹ p̃,  y = T ṽ + s e,  A = T W̃ T,  T = diag(1/μ, 1, 1)/√λ  at each contact
//! (A + E V⁻²) dx = E V⁻¹ t − (A x + b + s e − y),   dy = V⁻¹ t − V⁻² dx,    λ ∘ t = −λ∘λ − (V⁻¹dx)∘(V dy) + σ gap e
//! s given:   E = I                        convex
//! s = ‖y_T‖:  E = I − e ŷᵀ,  ŷ = y_T/‖y_T‖   Coulomb's problem: s moves with y in the same step
//! ```
//!
//! Predictor and corrector with one factor (Mehrotra 1992), in the scaling of Nesterov & Todd (module `cone`); the matrix has the pattern of W, which is
//! ordered once. With s of its own the problem is not convex, and the iterations may come to a halt: then the gap no longer falls.

use super::cone::{self, ConeScaling};
use crate::linalg::{Matrix, Vector};
use crate::report::StopReason;
use crate::solvers::newton::frontal::{FrontFactor, FrontPattern, Numbering};
use crate::work::{self, Allowance};

/// Iterations of one convex problem, and the shortest step that still leads anywhere.
const MOST: usize = 40;
const SHORTEST: f64 = 1e-6;

/// Iterations over which the gap must fall to so much of itself.
const PATIENCE: usize = 6;
const PROGRESS: f64 = 0.5;

/// Part of the way to the edge of the cones.
const SHARE: f64 = 0.99;

/// Largest relative residual of the linear equations at the end.
const FEASIBLE: f64 = 1e-7;

/// Added to the diagonal of bonds, which have no barrier, relative to their block.
const BOND_SHIFT: f64 = 1e-12;

/// How a contact takes part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ConvexPart {
    /// No unknown.
    Open,
    /// D unknowns without a condition.
    Bond,
    /// So many unknowns, in a cone.
    Cone(usize),
}

/// Where the sliding velocities s come from.
#[derive(Clone, Copy, Debug)]
pub(super) enum SlidingSource<'a> {
    /// They are these.
    Given(&'a [f64]),
    /// s = ‖y_T‖.
    Own,
}

/// Impulses and velocities inside their cones.
pub(super) struct InnerPoint<const D: usize> {
    pub(super) x: Vec<Vector<D>>,
    y: Vec<Vector<D>>,
}

/// The cone form, its sliding velocities apart.
pub(super) struct ConvexProblem<'a, const D: usize> {
    pub(super) pattern: &'a FrontPattern,
    pub(super) parts: &'a [ConvexPart],
    pub(super) sizes: &'a [usize],
    pub(super) first: &'a [usize],
    /// A by rows: columns and blocks, in the order of the rows of W.
    pub(super) rows: &'a [Vec<(usize, Matrix<D>)>],
    pub(super) b: &'a [Vector<D>],
}

/// Where the iterations came to.
pub(super) struct ConvexPoint<const D: usize> {
    pub(super) inside: InnerPoint<D>,
    /// ‖y_T‖ of A x + b.
    pub(super) sliding: Vec<f64>,
    pub(super) iterations: usize,
    /// Did the gap become as small as asked?
    pub(super) closed: bool,
}

/// The linear system of a step.
#[derive(Clone, Copy)]
struct StepSystem<'a, const D: usize> {
    factor: &'a FrontFactor,
    scalings: &'a [Option<ConeScaling<D>>],
    /// E.
    coupling: &'a [Matrix<D>],
    residual: &'a [Vector<D>],
}

struct SearchDirection<const D: usize> {
    x: Vec<Vector<D>>,
    y: Vec<Vector<D>>,
}

impl<const D: usize> ConvexProblem<'_, D> {
    fn n(&self) -> usize {
        self.parts.len()
    }

    fn numbering(&self) -> Numbering<'_> {
        Numbering { sizes: self.sizes, first: self.first }
    }

    /// A x + b.
    fn velocities(&self, x: &[Vector<D>]) -> Vec<Vector<D>> {
        let row = |(row, b): (&Vec<(usize, Matrix<D>)>, &Vector<D>)| row.iter().fold(*b, |sum, (j, a)| sum + a * x[*j]);
        self.rows.iter().zip(self.b).map(row).collect()
    }

    /// The middle of all cones.
    pub(super) fn middle(&self) -> InnerPoint<D> {
        let mut unit = Vector::<D>::zeros();
        unit[0] = 1.0;
        let inside = |part: &ConvexPart| if matches!(part, ConvexPart::Cone(_)) { unit } else { Vector::<D>::zeros() };
        let x: Vec<Vector<D>> = self.parts.iter().map(inside).collect();
        InnerPoint { y: x.clone(), x }
    }

    /// Iterates from `start` until the gap is below `tolerance` (b being of size one).
    pub(super) fn solve(
        &self,
        start: InnerPoint<D>,
        from: SlidingSource<'_>,
        tolerance: f64,
        allowance: &mut Allowance<'_>,
    ) -> Result<ConvexPoint<D>, StopReason> {
        let n = self.n();
        let InnerPoint { mut x, mut y } = start;
        let mut gaps: Vec<f64> = Vec::new();
        let mut closed = false;
        let cones = self.parts.iter().filter(|p| matches!(p, ConvexPart::Cone(_))).count().max(1) as f64;
        let factor_work = work::of_front_factor(self.pattern.work(self.sizes));
        let mut iterations = 0;
        let mut u = self.velocities(&x);
        while iterations < MOST {
            let gap = x.iter().zip(&y).map(|(x, y)| x.dot(y)).sum::<f64>() / cones;
            let residual: Vec<Vector<D>> = (0..n)
                .map(|i| match self.parts[i] {
                    ConvexPart::Open => Vector::<D>::zeros(),
                    ConvexPart::Bond => u[i],
                    ConvexPart::Cone(size) => {
                        let mut r = u[i] - y[i];
                        r[0] += match from {
                            SlidingSource::Given(sliding) => sliding[i],
                            SlidingSource::Own => cone::tangential(&y[i], size),
                        };
                        r.iter_mut().skip(size).for_each(|r| *r = 0.0);
                        r
                    }
                })
                .collect();
            let infeasible = (residual.iter().map(|r| r.norm_squared()).sum::<f64>() / cones).sqrt();
            closed = gap <= tolerance && infeasible <= FEASIBLE;
            let halts = gaps.iter().nth_back(PATIENCE - 1).is_some_and(|before| gap > PROGRESS * before);
            if !gap.is_finite() || closed || halts && matches!(from, SlidingSource::Own) {
                break;
            }
            gaps.push(gap);
            if let Some(end) = allowance.end_before(factor_work) {
                return Err(end);
            }
            allowance.spend(factor_work);
            let scalings: Vec<Option<ConeScaling<D>>> = (0..n)
                .map(|i| match self.parts[i] {
                    ConvexPart::Cone(size) => Some(ConeScaling::new(&x[i], &y[i], size)),
                    _ => None,
                })
                .collect();
            let coupling: Vec<Matrix<D>> = (0..n)
                .map(|i| match (from, self.parts[i]) {
                    (SlidingSource::Own, ConvexPart::Cone(size)) => cone::sliding_part(&y[i], size),
                    _ => Matrix::<D>::identity(),
                })
                .collect();
            let Some(factor) = self.factor(&scalings, &coupling) else { break };
            let with = StepSystem { factor: &factor, scalings: &scalings, coupling: &coupling, residual: &residual };
            let centred = |i: usize, second: Option<&SearchDirection<D>>, target: f64| {
                let Some(s) = &scalings[i] else { return Vector::<D>::zeros() };
                let mut r = -cone::product(&s.point, &s.point);
                if let Some(d) = second {
                    r -= cone::product(&(s.inverse * d.x[i]), &(s.matrix * d.y[i]));
                }
                r[0] += target;
                r
            };
            let first: Vec<Vector<D>> = (0..n).map(|i| centred(i, None, 0.0)).collect();
            let predictor = self.direction(&with, &first);
            let reach = self.reach(&x, &y, &predictor).min(1.0);
            let ahead: f64 = (0..n)
                .filter(|&i| scalings[i].is_some())
                .map(|i| (x[i] + predictor.x[i] * reach).dot(&(y[i] + predictor.y[i] * reach)))
                .sum::<f64>()
                / cones;
            let sigma = (ahead / gap).clamp(0.0, 1.0).powi(3).max(1e-8);
            let second: Vec<Vector<D>> = (0..n).map(|i| centred(i, Some(&predictor), sigma * gap)).collect();
            let step = self.direction(&with, &second);
            let length = (SHARE * self.reach(&x, &y, &step)).min(1.0);
            if length.is_nan() || length <= SHORTEST {
                break;
            }
            for i in 0..n {
                x[i] += step.x[i] * length;
                y[i] += step.y[i] * length;
            }
            u = self.velocities(&x);
            iterations += 1;
        }
        let sliding = (0..n)
            .map(|i| match self.parts[i] {
                ConvexPart::Cone(size) => (1..size).map(|k| u[i][k] * u[i][k]).sum::<f64>().sqrt(),
                _ => 0.0,
            })
            .collect();
        Ok(ConvexPoint { inside: InnerPoint { x, y }, sliding, iterations, closed })
    }

    /// Factors of A + E V⁻².
    fn factor(&self, scalings: &[Option<ConeScaling<D>>], coupling: &[Matrix<D>]) -> Option<FrontFactor> {
        let mut blocks = Vec::with_capacity(self.rows.iter().map(Vec::len).sum());
        for (i, row) in self.rows.iter().enumerate() {
            for (j, block) in row {
                let mut block = *block;
                if *j == i {
                    match &scalings[i] {
                        Some(s) => block += coupling[i] * (s.inverse * s.inverse),
                        None => block += Matrix::<D>::identity() * (BOND_SHIFT * block.trace()),
                    }
                }
                blocks.push(block);
            }
        }
        FrontFactor::new(self.pattern, &self.numbering(), &blocks)
    }

    /// dx and dy for V⁻¹ dx + V dy = t with λ ∘ t = `centred`.
    fn direction(&self, system: &StepSystem<'_, D>, centred: &[Vector<D>]) -> SearchDirection<D> {
        let StepSystem { factor, scalings, coupling, residual } = *system;
        let n = self.n();
        let mut right = vec![0.0; self.sizes.iter().sum()];
        let mut pull = vec![Vector::<D>::zeros(); n];
        for i in 0..n {
            if let (Some(s), ConvexPart::Cone(size)) = (&scalings[i], self.parts[i]) {
                pull[i] = s.inverse * cone::quotient(&s.point, &centred[i], size);
            }
            let values = coupling[i] * pull[i] - residual[i];
            right[self.first[i]..self.first[i] + self.sizes[i]].copy_from_slice(&values.as_slice()[..self.sizes[i]]);
        }
        factor.solve(&mut right);
        let mut out = SearchDirection { x: vec![Vector::<D>::zeros(); n], y: vec![Vector::<D>::zeros(); n] };
        for i in 0..n {
            for k in 0..self.sizes[i] {
                out.x[i][k] = right[self.first[i] + k];
            }
            if let Some(s) = &scalings[i] {
                out.y[i] = pull[i] - s.inverse * (s.inverse * out.x[i]);
                out.y[i].iter_mut().skip(self.sizes[i]).for_each(|y| *y = 0.0);
            }
        }
        out
    }

    /// How far one may go along a direction.
    fn reach(&self, x: &[Vector<D>], y: &[Vector<D>], d: &SearchDirection<D>) -> f64 {
        let mut reach = f64::INFINITY;
        for i in 0..self.n() {
            if let ConvexPart::Cone(size) = self.parts[i] {
                let both = cone::longest_step(&x[i], &d.x[i], size).min(cone::longest_step(&y[i], &d.y[i], size));
                reach = if both < reach { both } else { reach };
            }
        }
        reach
    }
}
