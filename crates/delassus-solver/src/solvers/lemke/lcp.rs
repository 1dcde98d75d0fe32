//! Linear complementarity problems by Lemke's complementary pivoting, dense.
//!
//! ```text
//! find z:   w = q + M z,   w ≥ 0,   z ≥ 0,   wᵀz = 0
//! start:    w = q + M z + d z₀,   d > 0, z₀ just large enough;   then pivots that keep w_i z_i = 0 until z₀ leaves the basis
//! ```
//!
//! C. E. Lemke's method (the resolution named in Vola, Pratt, Jean & Raous 1998, §5.2). After the variable that left the basis its
//! complement enters; what leaves is decided by the lexicographic minimum-ratio rule, that is by q + (ε, ε², …) with ε → 0, so that no
//! basis comes twice. The path ends at a solution or on a ray; for a copositive M with q·z ≥ 0 for every solution z of the homogeneous
//! problem a ray is impossible.
//!
//! The dictionary holds the basic variables as functions of the others: n(n + 1) numbers, n² multiplications per pivot. The columns of
//! the lexicographic rule need no store of their own: w_k is either a column of the dictionary or basic, hence a unit vector.
//! M and q are expected to be of order one: the tolerances below are absolute.

use crate::work::{self, Allowance};

/// Rounding of a right-hand side: ratios within this of each other are a tie.
const TIE: f64 = 1e-12;

/// Part of the largest entry of a column below which an entry is rounding and no pivot.
const PIVOT: f64 = 1e-10;

/// Coefficients of the lexicographic rule nearer than this are equal.
const SAME: f64 = 1e-9;

/// A problem of order n.
pub(crate) struct Lcp {
    order: usize,
    /// M row by row, each row followed by its entry of the covering vector d = (1, …, 1).
    rows: Vec<f64>,
    q: Vec<f64>,
}

/// Why the pivots ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LcpEnd {
    /// z₀ left the basis: (w, z) is a solution.
    Solved,
    /// Nothing limits the entering variable.
    Ray,
    /// As many pivots as allowed, or as much work.
    Budget,
}

/// Where the pivots ended.
pub(crate) struct LcpOutcome {
    pub(crate) end: LcpEnd,
    pub(crate) pivots: usize,
    /// z, never below zero; without meaning unless solved.
    pub(crate) values: Vec<f64>,
    /// Whether z_i is basic, so that w_i = 0.
    pub(crate) basic: Vec<bool>,
}

impl Lcp {
    /// Problem with M = 0 and q = 0.
    pub(crate) fn zero(order: usize) -> Self {
        let is_cover = |k: usize| k % (order + 1) == order;
        let rows = (0..order * (order + 1)).map(|k| if is_cover(k) { 1.0 } else { 0.0 }).collect();
        Self { order, rows, q: vec![0.0; order] }
    }

    /// Entry of M.
    pub(crate) fn entry(&mut self, row: usize, column: usize) -> &mut f64 {
        &mut self.rows[row * (self.order + 1) + column]
    }

    /// Entry of q.
    pub(crate) fn right(&mut self, row: usize) -> &mut f64 {
        &mut self.q[row]
    }

    /// Lemke's method, at most so many pivots, and within the work allowed.
    pub(crate) fn solve(self, max_pivots: usize, allowance: &mut Allowance<'_>) -> LcpOutcome {
        let mut column = self.order;
        let mut dictionary = Dictionary::new(self);
        if dictionary.b.iter().all(|&q| q >= 0.0) {
            return dictionary.outcome(LcpEnd::Solved, 0);
        }
        let mut pivots = 0;
        let mut row = dictionary.first_row();
        loop {
            if pivots >= max_pivots || allowance.end().is_some() {
                return dictionary.outcome(LcpEnd::Budget, pivots);
            }
            let left = dictionary.pivot(row, column);
            allowance.spend(work::of_pivot(dictionary.n));
            pivots += 1;
            if left == dictionary.cover() {
                return dictionary.outcome(LcpEnd::Solved, pivots);
            }
            // The complement of a variable that has just left is never basic, by almost-complementarity.
            let Some(entering) = dictionary.column_of[dictionary.complement(left)] else {
                return dictionary.outcome(LcpEnd::Ray, pivots);
            };
            let Some(leaving) = dictionary.leaving_row(entering) else {
                return dictionary.outcome(LcpEnd::Ray, pivots);
            };
            (row, column) = (leaving, entering);
        }
    }
}

/// Basic variables as functions of the others: x_i = b_i + Σ_j t_ij x_j. Variables are numbered w: 0…n−1, z: n…2n−1, z₀: 2n.
struct Dictionary {
    n: usize,
    t: Vec<f64>,
    b: Vec<f64>,
    /// Variable of each row.
    rows: Vec<usize>,
    /// Variable of each column.
    columns: Vec<usize>,
    /// Column of each variable, none if it is basic.
    column_of: Vec<Option<usize>>,
    /// The pivot row, copied: every other row reads it.
    scratch: Vec<f64>,
}

impl Dictionary {
    fn new(lcp: Lcp) -> Self {
        let n = lcp.order;
        Self {
            n,
            t: lcp.rows,
            b: lcp.q,
            rows: (0..n).collect(),
            columns: (n..=2 * n).collect(),
            column_of: (0..=2 * n).map(|v| v.checked_sub(n)).collect(),
            scratch: vec![0.0; n + 1],
        }
    }

    fn cover(&self) -> usize {
        2 * self.n
    }

    fn complement(&self, variable: usize) -> usize {
        if variable < self.n { variable + self.n } else { variable - self.n }
    }

    fn entry(&self, row: usize, column: usize) -> f64 {
        self.t[row * (self.n + 1) + column]
    }

    /// Row that limits z₀ from below at the start: the most negative q, the last of equals (their ε-terms decide so).
    fn first_row(&self) -> usize {
        let lower = |best: usize, i: usize| if self.b[i] <= self.b[best] { i } else { best };
        (1..self.n).fold(0, lower)
    }

    /// Row whose variable falls to zero first when that of `column` grows; none if none does. Of equals z₀, else the
    /// lexicographically smallest.
    fn leaving_row(&self, column: usize) -> Option<usize> {
        let largest = (0..self.n).map(|i| self.entry(i, column).abs()).fold(0.0, f64::max);
        let falling: Vec<usize> = (0..self.n).filter(|&i| -self.entry(i, column) > PIVOT * largest).collect();
        let ratio = |i: usize, slack: f64| (self.b[i].max(0.0) + slack) / -self.entry(i, column);
        let bound = falling.iter().map(|&i| ratio(i, TIE)).fold(f64::INFINITY, f64::min);
        let mut tied: Vec<usize> = falling.into_iter().filter(|&i| ratio(i, 0.0) <= bound).collect();
        if let Some(&row) = tied.iter().find(|&&i| self.rows[i] == self.cover()) {
            return Some(row);
        }
        for k in 0..self.n {
            if tied.len() <= 1 {
                break;
            }
            let term = |i: usize| self.perturbation(i, k) / -self.entry(i, column);
            let least = tied.iter().map(|&i| term(i)).fold(f64::INFINITY, f64::min);
            tied.retain(|&i| term(i) <= least + SAME * (1.0 + least.abs()));
        }
        // Rows that rounding cannot tell apart: the largest pivot is the safest.
        tied.into_iter().reduce(|x, y| if self.entry(y, column) < self.entry(x, column) { y } else { x })
    }

    /// Coefficient of ε^(k+1) in the basic variable of `row`.
    fn perturbation(&self, row: usize, k: usize) -> f64 {
        match self.column_of[k] {
            Some(column) => -self.entry(row, column),
            None => f64::from(u8::from(self.rows[row] == k)),
        }
    }

    /// Exchanges the variables of a row and a column; returns the one that left the basis.
    fn pivot(&mut self, row: usize, column: usize) -> usize {
        let width = self.n + 1;
        let inverse = 1.0 / self.entry(row, column);
        let right = -self.b[row] * inverse;
        for (new, old) in self.scratch.iter_mut().zip(&self.t[row * width..(row + 1) * width]) {
            *new = -old * inverse;
        }
        self.scratch[column] = inverse;
        for (i, entries) in self.t.chunks_exact_mut(width).enumerate() {
            let factor = std::mem::replace(&mut entries[column], 0.0);
            if i == row {
                entries.copy_from_slice(&self.scratch);
                self.b[i] = right;
            } else if factor != 0.0 {
                for (entry, pivot) in entries.iter_mut().zip(&self.scratch) {
                    *entry += factor * pivot;
                }
                self.b[i] += factor * right;
            }
        }
        let (left, entered) = (self.rows[row], self.columns[column]);
        self.rows[row] = entered;
        self.columns[column] = left;
        self.column_of[left] = Some(column);
        self.column_of[entered] = None;
        left
    }

    fn outcome(&self, end: LcpEnd, pivots: usize) -> LcpOutcome {
        let mut outcome = LcpOutcome { end, pivots, values: vec![0.0; self.n], basic: vec![false; self.n] };
        for (&variable, &b) in self.rows.iter().zip(&self.b) {
            if let Some(i) = variable.checked_sub(self.n).filter(|&i| i < self.n) {
                outcome.values[i] = b.max(0.0);
                outcome.basic[i] = true;
            }
        }
        outcome
    }
}

#[cfg(test)]
mod tests {
    use delassus_error::Interrupt;

    use super::*;
    use crate::testing::Random;

    fn pivoted(lcp: Lcp, max_pivots: usize) -> LcpOutcome {
        lcp.solve(max_pivots, &mut Allowance::unlimited(&Interrupt::never()))
    }

    fn lcp(matrix: &[Vec<f64>], q: &[f64]) -> Lcp {
        let mut lcp = Lcp::zero(q.len());
        for (i, row) in matrix.iter().enumerate() {
            *lcp.right(i) = q[i];
            for (j, &entry) in row.iter().enumerate() {
                *lcp.entry(i, j) = entry;
            }
        }
        lcp
    }

    /// Largest defect of w ≥ 0, z ≥ 0, w_i z_i = 0, and that z_i = 0 unless it is basic.
    fn defect(matrix: &[Vec<f64>], q: &[f64], outcome: &LcpOutcome) -> f64 {
        let z = &outcome.values;
        let one = |i: usize| {
            let w = q[i] + matrix[i].iter().zip(z).map(|(m, z)| m * z).sum::<f64>();
            let idle = if outcome.basic[i] { w.abs() } else { z[i] };
            w.min(z[i]).abs().max(idle)
        };
        (0..q.len()).map(one).fold(0.0, f64::max)
    }

    #[test]
    fn random_positive_and_copositive_matrices_are_solved() {
        let mut random = Random::new(61);
        for case in 0..1000 {
            let n = 1 + random.below(12);
            let mut number = || random.between(-1.0, 1.0);
            let g: Vec<Vec<f64>> = (0..n).map(|_| (0..n).map(|_| number()).collect()).collect();
            let q: Vec<f64> = (0..n).map(|_| number()).collect();
            // gᵀg plus, in every other case, a non-negative part: copositive, and no longer symmetric or definite. 0.1 keeps it strict.
            let entry = |i: usize, j: usize| {
                let square: f64 = (0..n).map(|k| g[k][i] * g[k][j]).sum();
                square + if i == j { 0.1 } else { 0.0 } + if case % 2 == 1 { g[i][j].max(0.0) } else { 0.0 }
            };
            let matrix: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect();
            let outcome = pivoted(lcp(&matrix, &q), 1000);
            assert_eq!(outcome.end, LcpEnd::Solved, "case {case}");
            // Condition below 1e3 (the 0.1), a dozen pivots.
            assert!(defect(&matrix, &q, &outcome) < 1e-11, "case {case}");
        }
    }

    #[test]
    fn ties_do_not_cycle() {
        // Kostreva's matrix, on which simpler pivoting rules return to where they began; all of q tied.
        let matrix = [vec![1.0, 2.0, 0.0], vec![0.0, 1.0, 2.0], vec![2.0, 0.0, 1.0]];
        let outcome = pivoted(lcp(&matrix, &[-1.0; 3]), 20);
        assert_eq!(outcome.end, LcpEnd::Solved);
        assert!(outcome.values.iter().all(|z| (z - 1.0 / 3.0).abs() < 1e-15));
        // Equal rows and columns of any number, M of rank one: any z with Σz = 1 solves.
        for n in [2, 5, 40] {
            let matrix = vec![vec![1.0; n]; n];
            let q = vec![-1.0; n];
            let outcome = pivoted(lcp(&matrix, &q), 4 * n);
            assert!(outcome.end == LcpEnd::Solved && defect(&matrix, &q, &outcome) < 1e-14);
        }
    }

    #[test]
    fn rows_stay_lexicographically_positive() {
        // What the rule is for, and why no basis returns: the right-hand side with its ε-terms is positive after every pivot. Small
        // integers give ties at every pivot.
        let (mut random, mut tied) = (Random::new(62), 0);
        for case in 0..400 {
            let n = 3 + random.below(8);
            let g: Vec<Vec<f64>> = (0..n).map(|_| (0..n).map(|_| random.below(3) as f64 - 1.0).collect()).collect();
            let square = |i: usize, j: usize| (0..n).map(|k| g[k][i] * g[k][j]).sum::<f64>();
            let matrix: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| square(i, j)).collect()).collect();
            let q: Vec<f64> = (0..n).map(|_| -(random.below(2) as f64)).collect();
            let mut dictionary = Dictionary::new(lcp(&matrix, &q));
            if q.iter().all(|&x| x >= 0.0) {
                continue;
            }
            let (mut row, mut column) = (dictionary.first_row(), n);
            for _ in 0..100 {
                let left = dictionary.pivot(row, column);
                if left == dictionary.cover() {
                    break;
                }
                for i in 0..n {
                    let terms = std::iter::once(dictionary.b[i]).chain((0..n).map(|k| dictionary.perturbation(i, k)));
                    let leading = terms.into_iter().find(|x| x.abs() > 1e-9).unwrap();
                    assert!(leading > 0.0, "case {case}, row {i}: {leading}");
                    tied += usize::from(dictionary.b[i].abs() < 1e-9);
                }
                column = dictionary.column_of[dictionary.complement(left)].unwrap();
                let Some(next) = dictionary.leaving_row(column) else { break };
                row = next;
            }
        }
        assert!(tied > 1000, "{tied}");
    }

    #[test]
    fn no_solution_is_a_ray_and_the_budget_is_kept() {
        let outcome = pivoted(lcp(&[vec![-1.0]], &[-1.0]), 10);
        assert_eq!(outcome.end, LcpEnd::Ray);
        let matrix = [vec![2.0, 1.0], vec![1.0, 2.0]];
        let outcome = pivoted(lcp(&matrix, &[-1.0, -1.5]), 1);
        assert_eq!((outcome.end, outcome.pivots), (LcpEnd::Budget, 1));
        assert_eq!(pivoted(lcp(&matrix, &[-1.0, -1.5]), 0).end, LcpEnd::Budget);
        assert_eq!(pivoted(lcp(&matrix, &[1.0, 0.0]), 0).end, LcpEnd::Solved, "q ≥ 0 is solved by z = 0");
        assert_eq!(pivoted(Lcp::zero(0), 0).end, LcpEnd::Solved);
        assert_ne!(pivoted(lcp(&[vec![f64::NAN]], &[-1.0]), 10).end, LcpEnd::Solved);
    }

    #[test]
    fn pivots_end_with_the_work_allowed_and_with_an_interrupt() {
        let n = 12;
        let matrix: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| if i == j { 2.0 } else { 1.0 }).collect()).collect();
        let q: Vec<f64> = (0..n).map(|i| -1.0 - 0.01 * i as f64).collect();
        let all = pivoted(lcp(&matrix, &q), 1000);
        assert!(all.end == LcpEnd::Solved && all.pivots > 6);
        for k in 1..6 {
            // Work for k pivots and a bit: the one under way is the last.
            let never = Interrupt::never();
            let mut allowance = Allowance::of(k * work::of_pivot(n) - 1, &never);
            let cut = lcp(&matrix, &q).solve(1000, &mut allowance);
            assert_eq!((cut.end, cut.pivots as u64), (LcpEnd::Budget, k));
            assert_eq!(allowance.spent(), k * work::of_pivot(n));
            let interrupt = Interrupt::at_look(k as usize);
            let cut = lcp(&matrix, &q).solve(1000, &mut Allowance::unlimited(&interrupt));
            assert_eq!((cut.end, cut.pivots as u64), (LcpEnd::Budget, k));
        }
    }
}
