//! Coulomb's cone in the plane, in closed form.
//!
//! ```text
//! v_free,N > 0                            open     p = 0
//! else, with p_stick = −W⁻¹ v_free:
//!   p_stick,T + μ p_stick,N < 0           slip, v_T > 0    p_T = −μ p_N,  p_N = −v_free,N / (W_NN − μ W_NT)
//!   p_stick,T − μ p_stick,N > 0           slip, v_T < 0    p_T = +μ p_N,  p_N = −v_free,N / (W_NN + μ W_NT)
//!   otherwise                             stick    p = p_stick
//! ```
//!
//! Jean, Acary & Monerie 2001, (9.2), under (9.1): μ|W_NT| < W_NN, where the solution is unique. Elsewhere the statuses are tried in the
//! order open, stick, slip with v_T > 0, slip with v_T < 0, and it is said if several hold.

use delassus_math as math;

use super::{Dimension, LocalBlock, LocalKernel, LocalSolution, PlaneProblem, Status};
use crate::linalg::{Matrix, Vector};
use crate::natural_map::natural_map;
use crate::problem::{Cone, ContactProblem};

/// Impulses nearer than this, relative to their size, are one solution seen from two statuses.
const SAME: f64 = 1e-9;

impl LocalKernel<2> for Dimension<2> {
    /// The closed form needs nothing but the block.
    type Prepared = ();

    fn prepare(_shifted: &Matrix<2>) {}

    fn extreme_eigenvalues(w: &Matrix<2>) -> (f64, f64) {
        let off = 0.5 * (w[(0, 1)] + w[(1, 0)]);
        let mean = 0.5 * (w[(0, 0)] + w[(1, 1)]);
        let radius = math::hypot(0.5 * (w[(0, 0)] - w[(1, 1)]), off);
        (mean - radius, mean + radius)
    }

    fn solve(w: &Matrix<2>, b: &Vector<2>) -> Vector<2> {
        // Elimination from the larger diagonal entry: for a positive definite block the multiplier is then below one, hence stable.
        let (i, j) = if w[(0, 0)] >= w[(1, 1)] { (0, 1) } else { (1, 0) };
        let multiplier = w[(j, i)] / w[(i, i)];
        let schur = w[(j, j)] - multiplier * w[(i, j)];
        let mut x = Vector::<2>::zeros();
        x[j] = (b[j] - multiplier * b[i]) / schur;
        x[i] = (b[i] - w[(i, j)] * x[j]) / w[(i, i)];
        x
    }

    #[inline]
    fn coulomb(block: &LocalBlock<2>, v_free: &Vector<2>, mu: f64, last: &Vector<2>) -> LocalSolution<2> {
        let local = PlaneKernelProblem { w: block.shifted(), q: block.shifted_free(v_free, last), mu };
        if mu * local.w[(0, 1)].abs() < local.w[(0, 0)] {
            local.closed_form()
        } else {
            local.enumerate(|p| block.leans_on_shift(v_free, p, last), block.largest)
        }
    }

    fn in_plane<'a>(problem: &'a ContactProblem<2>, p: &'a mut [Vector<2>]) -> Option<PlaneProblem<'a>> {
        Some(PlaneProblem { problem, p })
    }
}

/// The impulse of a status, and whether the status holds with it.
#[derive(Clone, Copy)]
struct StatusCandidate {
    impulse: Vector<2>,
    status: Status,
    holds: bool,
}

/// The data of one local problem, shift included.
struct PlaneKernelProblem {
    w: Matrix<2>,
    q: Vector<2>,
    mu: f64,
}

impl PlaneKernelProblem {
    fn stick(&self) -> Vector<2> {
        -Dimension::<2>::solve(&self.w, &self.q)
    }

    /// Impulse of slip in the direction `sign` of v_T; not finite where the denominator vanishes.
    fn slip(&self, sign: f64) -> Vector<2> {
        let normal = -self.q[0] / (self.w[(0, 0)] - sign * self.mu * self.w[(0, 1)]);
        Vector::<2>::new(normal, -sign * self.mu * normal)
    }

    fn closed_form(&self) -> LocalSolution<2> {
        if self.q[0] > 0.0 {
            return LocalSolution::unique(Vector::<2>::zeros(), Status::Open);
        }
        let stick = self.stick();
        if stick[1] + self.mu * stick[0] < 0.0 {
            LocalSolution::unique(self.slip(1.0), Status::Slip)
        } else if stick[1] - self.mu * stick[0] > 0.0 {
            LocalSolution::unique(self.slip(-1.0), Status::Slip)
        } else {
            LocalSolution::unique(stick, Status::Stick)
        }
    }

    fn enumerate(&self, impossible: impl Fn(&Vector<2>) -> bool, largest: f64) -> LocalSolution<2> {
        let stick = self.stick();
        let candidates = [
            StatusCandidate { impulse: Vector::<2>::zeros(), status: Status::Open, holds: self.q[0] >= 0.0 },
            StatusCandidate {
                impulse: stick,
                status: Status::Stick,
                holds: stick[1].abs() <= self.mu * stick[0] && !impossible(&stick),
            },
            self.slip_candidate(1.0),
            self.slip_candidate(-1.0),
        ];
        let mut found: Option<LocalSolution<2>> = None;
        for StatusCandidate { impulse, status, .. } in candidates.into_iter().filter(|c| c.holds) {
            match &mut found {
                None => found = Some(LocalSolution::unique(impulse, status)),
                Some(first) => {
                    let size = impulse.norm().max(first.impulse.norm());
                    first.several |= (impulse - first.impulse).norm() > SAME * size;
                }
            }
        }
        found.unwrap_or_else(|| self.nearest(&candidates, impossible, largest))
    }

    fn slip_candidate(&self, sign: f64) -> StatusCandidate {
        let p = self.slip(sign);
        let v = self.q[1] + self.w.row(1).dot(&p.transpose());
        StatusCandidate { impulse: p, status: Status::Slip, holds: p[0] >= 0.0 && p[0].is_finite() && sign * v >= 0.0 }
    }

    /// Rounding can make every test fail by a little, on the boundary between two statuses: then the one that fails least.
    fn nearest(
        &self,
        candidates: &[StatusCandidate],
        impossible: impl Fn(&Vector<2>) -> bool,
        largest: f64,
    ) -> LocalSolution<2> {
        let mut best = (f64::INFINITY, LocalSolution::unique(Vector::<2>::zeros(), Status::Open));
        for &StatusCandidate { impulse: p, status, .. } in candidates {
            let v = self.q + self.w * p;
            let scale = self.q.norm().max(largest * p.norm());
            let error = natural_map(Cone::Coulomb(self.mu), largest, &v, &p) / scale;
            let possible = status != Status::Stick || !impossible(&p);
            if error < best.0 && possible {
                best = (error, LocalSolution::unique(p, status));
            }
        }
        best.1
    }
}
