//! Coulomb's cone in space: one scalar equation, which always has the root that is wanted.
//!
//! ```text
//! sliding and sticking alike:   v_N = 0,   v_T = −s p_T,   s ≥ 0        (s = 0 sticks)
//! S = W_TT − W_TN W_NT/W_NN,   b = v_free,T − W_TN v_free,N/W_NN
//! p_T(s) = −(S + s I)⁻¹ b,   p_N(s) = −(v_free,N + W_NT p_T(s))/W_NN
//! stick:  f(0) ≤ 0       slip:  f(s) = ‖p_T(s)‖ − μ p_N(s) = 0
//! ```
//!
//! The problem of Jean, Acary & Monerie 2001, §9, in space. Where v_free,N < 0 and sticking is outside the cone, f(0) > 0 and
//! f(∞) = μ v_free,N/W_NN < 0, so there is a root between. It is found by Newton's method on φ(s) = μ p_N/‖p_T‖ − 1, which is
//! linear in s for an isotropic S and no coupling (the form used for trust regions, Moré & Sorensen 1983), kept within a bracket that
//! shrinks at every step: no start and no data make it fail. In the axes of S, prepared once for all sweeps, an evaluation is two
//! divisions and a root, and no tangential direction is preferred.
//!
//! By Kantorovich's inequality f falls steadily, and the solution is unique, where
//!
//! ```text
//! μ ‖W_TN‖/W_NN < 2√κ/(1 + κ),   κ = S₁/S₂       (≤ 1: Jean, Acary & Monerie's (9.1) and a little more)
//! ```
//!
//! Elsewhere the statuses are tried in the order open, stick, slip by growing s, and it is said if several hold. The sliding ones are
//! roots of f, among those of a polynomial of degree four in s, which are all found by bisection between those of its derivatives.
//!
//! Rounding: the elimination is the Cholesky factor of W, whose backward error is a few roundings of ‖W‖ in any order of the pivots; what is
//! left of v is a few roundings of ‖W‖‖p‖, whatever the condition of W.

mod quartic;

use delassus_math as math;

use super::{Dimension, LocalBlock, LocalKernel, LocalSolution, Status};
use crate::linalg::eigen::symmetric_eigenvalues;
use crate::linalg::{Matrix, Vector};
use crate::natural_map::natural_map;
use crate::problem::Cone;

/// Impulses nearer than this, relative to their size, are one solution seen twice.
const SAME: f64 = 1e-9;

/// Newton steps and bisections together. A bracket of doubles is exhausted by 64 bisections, and at least every other step is one
/// when Newton's do not shrink it.
const MAX_STEPS: usize = 200;

/// A block as the kernel wants it, the shift of singular blocks included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Eliminated {
    /// W_NN [1/kg].
    normal: f64,
    /// W_TN/W_NN in the axes of S.
    coupling: [f64; 2],
    /// Eigenvalues of S [1/kg].
    schur: [f64; 2],
    /// 1/W_NN and 1/S_i \[kg\]: sticking is tried at every visit, and a division takes as long as ten products.
    inverse: [f64; 3],
    /// First axis of S is (cos, sin) in the tangents of the contact.
    axis: [f64; 2],
    /// Below this friction the solution is unique.
    unique_below: f64,
}

impl Eliminated {
    fn new(w: &Matrix<3>) -> Self {
        let normal = w[(0, 0)];
        let c = [w[(1, 0)] / normal, w[(2, 0)] / normal];
        let s11 = w[(1, 1)] - c[0] * w[(1, 0)];
        let s22 = w[(2, 2)] - c[1] * w[(2, 0)];
        let s12 = w[(1, 2)] - 0.5 * (c[0] * w[(2, 0)] + c[1] * w[(1, 0)]);
        let (axis, mut schur) = principal(s11, s22, s12);
        // A positive definite W cannot have less than rounding here, and rounding must not make it negative.
        let least = f64::EPSILON * (w[(1, 1)].abs() + w[(2, 2)].abs());
        for s in &mut schur {
            *s = if *s < least { least } else { *s };
        }
        let ratio = (schur[0] / schur[1]).sqrt();
        Self {
            normal,
            coupling: turn(axis, c),
            schur,
            inverse: [1.0 / normal, 1.0 / schur[0], 1.0 / schur[1]],
            axis,
            unique_below: 2.0 / ((ratio + 1.0 / ratio) * math::hypot(c[0], c[1])),
        }
    }
}

/// First axis and eigenvalues of a symmetric 2×2 matrix, by one Jacobi rotation.
fn principal(a: f64, d: f64, off: f64) -> ([f64; 2], [f64; 2]) {
    if off == 0.0 {
        return ([1.0, 0.0], [a, d]);
    }
    let zeta = 0.5 * (d - a) / off;
    let t = zeta.signum() / (zeta.abs() + math::hypot(zeta, 1.0));
    let cos = 1.0 / math::hypot(t, 1.0);
    ([cos, -t * cos], [a - t * off, d + t * off])
}

/// Tangential components in the axes of S.
#[inline(always)]
fn turn(axis: [f64; 2], x: [f64; 2]) -> [f64; 2] {
    [axis[0] * x[0] + axis[1] * x[1], axis[0] * x[1] - axis[1] * x[0]]
}

impl LocalKernel<3> for Dimension<3> {
    type Prepared = Eliminated;

    fn prepare(shifted: &Matrix<3>) -> Eliminated {
        Eliminated::new(shifted)
    }

    fn extreme_eigenvalues(w: &Matrix<3>) -> (f64, f64) {
        let e = symmetric_eigenvalues(w);
        if e.iter().any(|x| x.is_nan()) { (f64::NAN, f64::NAN) } else { (e.min(), e.max()) }
    }

    fn solve(w: &Matrix<3>, b: &Vector<3>) -> Vector<3> {
        // L D Lᵀ in the given order: stable for a positive definite block, whose entries bound all that the elimination makes.
        let (l1, l2) = (w[(1, 0)] / w[(0, 0)], w[(2, 0)] / w[(0, 0)]);
        let (s11, s12, s22) = (w[(1, 1)] - l1 * w[(1, 0)], w[(2, 1)] - l2 * w[(1, 0)], w[(2, 2)] - l2 * w[(2, 0)]);
        let m = s12 / s11;
        let y1 = b[1] - l1 * b[0];
        let y2 = b[2] - l2 * b[0] - m * y1;
        let x2 = y2 / (s22 - m * s12);
        let x1 = y1 / s11 - m * x2;
        Vector::<3>::new(b[0] / w[(0, 0)] - l1 * x1 - l2 * x2, x1, x2)
    }

    #[inline(always)]
    fn coulomb(block: &LocalBlock<3>, v_free: &Vector<3>, mu: f64, last: &Vector<3>) -> LocalSolution<3> {
        let local = SpaceKernelProblem::new(&block.prepared, &block.shifted_free(v_free, last), mu);
        if mu < block.prepared.unique_below { local.unique(last) } else { local.enumerate(block, v_free, last) }
    }
}

/// The data of one local problem, shift included, tangents in the axes of S.
struct SpaceKernelProblem<'a> {
    block: &'a Eliminated,
    /// v_free,N [m/s].
    normal: f64,
    /// b [m/s].
    b: [f64; 2],
    mu: f64,
}

/// p(s), tangents in the axes of S.
#[derive(Clone, Copy)]
struct TrialImpulse {
    normal: f64,
    tangent: [f64; 2],
    /// 1/(S_i + s).
    inverse: [f64; 2],
}

impl TrialImpulse {
    /// ‖p_T‖².
    #[inline(always)]
    fn square(&self) -> f64 {
        self.tangent[0] * self.tangent[0] + self.tangent[1] * self.tangent[1]
    }

    /// ‖p_T‖.
    #[inline(always)]
    fn size(&self) -> f64 {
        self.square().sqrt()
    }
}

impl<'a> SpaceKernelProblem<'a> {
    #[inline(always)]
    fn new(block: &'a Eliminated, v_free: &Vector<3>, mu: f64) -> Self {
        let t = turn(block.axis, [v_free[1], v_free[2]]);
        let b = [t[0] - block.coupling[0] * v_free[0], t[1] - block.coupling[1] * v_free[0]];
        Self { block, normal: v_free[0], b, mu }
    }

    /// p(s); one division for both axes.
    #[inline(always)]
    fn at(&self, s: f64) -> TrialImpulse {
        let [s0, s1] = [self.block.schur[0] + s, self.block.schur[1] + s];
        let both = 1.0 / (s0 * s1);
        self.with([s1 * both, s0 * both])
    }

    /// p(0), without a division.
    #[inline(always)]
    fn stick(&self) -> TrialImpulse {
        self.with([self.block.inverse[1], self.block.inverse[2]])
    }

    #[inline(always)]
    fn with(&self, inverse: [f64; 2]) -> TrialImpulse {
        let tangent = [-self.b[0] * inverse[0], -self.b[1] * inverse[1]];
        let [c0, c1] = self.block.coupling;
        let normal = -self.normal * self.block.inverse[0] - (c0 * tangent[0] + c1 * tangent[1]);
        TrialImpulse { normal, tangent, inverse }
    }

    /// f(s).
    fn excess(&self, s: f64) -> f64 {
        let point = self.at(s);
        point.size() - self.mu * point.normal
    }

    /// Impulse in the tangents of the contact.
    #[inline(always)]
    fn impulse(&self, normal: f64, tangent: [f64; 2]) -> Vector<3> {
        let [cos, sin] = self.block.axis;
        Vector::<3>::new(normal, cos * tangent[0] - sin * tangent[1], sin * tangent[0] + cos * tangent[1])
    }

    /// p(s) at a root of f, put on the edge of the cone. The normal part is that of p(s), not −v_free,N/(W_NN + μ W_NT d) for the direction
    /// d: near a wedge that denominator is all rounding, while p(s) leaves no more velocity than the elimination does.
    #[inline(always)]
    fn edge(&self, point: &TrialImpulse) -> Vector<3> {
        let size = point.size();
        let ratio = if size > 0.0 { self.mu * point.normal / size } else { 0.0 };
        self.impulse(point.normal, point.tangent.map(|t| ratio * t))
    }

    /// The solution where there is but one.
    #[inline(always)]
    fn unique(&self, last: &Vector<3>) -> LocalSolution<3> {
        if self.normal > 0.0 {
            return LocalSolution::unique(Vector::<3>::zeros(), Status::Open);
        }
        let stick = self.stick();
        // NaN counts as sticking, and comes out as NaN.
        let bound = self.mu * stick.normal;
        let slides = stick.square() > bound * bound || bound < 0.0;
        if !slides {
            return LocalSolution::unique(self.impulse(stick.normal, stick.tangent), Status::Stick);
        }
        if self.mu == 0.0 || self.normal == 0.0 {
            let normal = -self.normal * self.block.inverse[0];
            return LocalSolution::unique(Vector::<3>::new(normal, 0.0, 0.0), Status::Slip);
        }
        let point = self.root(self.guess(last), 0.0, f64::INFINITY, true);
        LocalSolution::unique(self.edge(&point), Status::Slip)
    }

    /// s of the last iterate: −v_T·p_T/‖p_T‖² with the velocity it now has; zero if that says nothing.
    #[inline(always)]
    fn guess(&self, last: &Vector<3>) -> f64 {
        let p = turn(self.block.axis, [last[1], last[2]]);
        let square = p[0] * p[0] + p[1] * p[1];
        let [s0, s1] = self.block.schur;
        // With v_N = 0 the velocity is b + S p_T.
        let v = [self.b[0] + s0 * p[0], self.b[1] + s1 * p[1]];
        let s = -(v[0] * p[0] + v[1] * p[1]) / square;
        if s > 0.0 && s.is_finite() { s } else { 0.0 }
    }

    /// p at the root of f between `low` and `high`, where f changes its sign, from f > 0 to f < 0 if `falling`.
    #[inline(always)]
    fn root(&self, start: f64, mut low: f64, mut high: f64, falling: bool) -> TrialImpulse {
        let [c0, c1] = self.block.coupling;
        let mut s = start;
        let mut width = f64::INFINITY;
        let mut point = self.at(s);
        for step in 0..MAX_STEPS {
            let pull = self.mu * point.normal;
            let square = point.square();
            let size = square.sqrt();
            // φ ‖p_T‖.
            let rest = pull - size;
            if rest.abs() <= 4.0 * f64::EPSILON * size {
                break;
            }
            if (rest < 0.0) == falling {
                low = s;
            } else {
                high = s;
            }
            // dp_T/ds = −p_T/(S + s), and what it does to p_N and ‖p_T‖, all times ‖p_T‖²: φ/φ′ with one division.
            let rate = [point.tangent[0] * point.inverse[0], point.tangent[1] * point.inverse[1]];
            let size_rate = point.tangent[0] * rate[0] + point.tangent[1] * rate[1];
            let pull_rate = self.mu * (c0 * rate[0] + c1 * rate[1]);
            let mut next = s - rest * square / (pull_rate * square + pull * size_rate);
            let slow = step % 2 == 1 && high - low > 0.5 * width;
            if step % 2 == 1 {
                width = high - low;
            }
            if !(next > low && next < high) || (slow && step > 8) {
                next = middle(low, high, self.block.schur[1]);
            }
            let moved = (next - s).abs();
            s = next;
            point = self.at(s);
            if moved <= 2.0 * f64::EPSILON * s || low >= high {
                break;
            }
        }
        point
    }

    #[inline(never)]
    fn enumerate(&self, block: &LocalBlock<3>, v_free: &Vector<3>, last: &Vector<3>) -> LocalSolution<3> {
        let open = LocalSolution::unique(Vector::<3>::zeros(), Status::Open);
        let point = self.stick();
        let stick = LocalSolution::unique(self.impulse(point.normal, point.tangent), Status::Stick);
        let possible = !block.leans_on_shift(v_free, &stick.impulse, last);
        let sticks = point.size() <= self.mu * point.normal && possible;
        let mut found: Option<LocalSolution<3>> = None;
        let candidates = [(self.normal >= 0.0).then_some(open), sticks.then_some(stick)];
        for solution in candidates.into_iter().flatten().chain(self.slips()) {
            match &mut found {
                None => found = Some(solution),
                Some(first) => {
                    let size = solution.impulse.norm().max(first.impulse.norm());
                    first.several |= (solution.impulse - first.impulse).norm() > SAME * size;
                }
            }
        }
        found.unwrap_or_else(|| {
            let stick = possible.then_some(stick);
            self.nearest(block, v_free, last, [open].into_iter().chain(stick))
        })
    }

    /// Sliding solutions by growing s: 0…∞ is cut between the roots of ‖p_T‖² − μ²p_N², so that f changes its sign at most once in each
    /// part.
    fn slips(&self) -> impl Iterator<Item = LocalSolution<3>> {
        let unit = self.block.schur[0].max(self.block.schur[1]);
        let cuts = quartic::separators(self.polynomial());
        (0..=cuts.len()).filter_map(move |k| {
            let low = if k == 0 { 0.0 } else { cuts[k - 1]? * unit };
            let high = cuts.get(k).copied().flatten().map_or(f64::INFINITY, |x| x * unit);
            // f(∞) = μ v_free,N/W_NN has the sign of v_free,N.
            let falls = self.excess(low) > 0.0;
            let rises = if high.is_finite() { self.excess(high) } else { self.normal } > 0.0;
            if falls == rises {
                return None;
            }
            let impulse = self.edge(&self.root(middle(low, high, self.block.schur[1]), low, high, falls));
            let sound = impulse[0] >= 0.0 && impulse.iter().all(|x| x.is_finite());
            sound.then(|| LocalSolution::unique(impulse, Status::Slip))
        })
    }

    /// (‖p_T‖² − μ²p_N²) det(S + sI)², in s/max(S_i), lowest power first.
    fn polynomial(&self) -> [f64; 5] {
        let unit = self.block.schur[0].max(self.block.schur[1]);
        let [s0, s1] = self.block.schur.map(|s| s / unit);
        let [b0, b1] = self.b;
        let [c0, c1] = self.block.coupling;
        // p_N det = −(v_N/W_NN) unit (s0+x)(s1+x) + c0 b0 (s1+x) + c1 b1 (s0+x), and p_T det = −b_i (s_j + x), in units of `unit`.
        let n = self.normal / self.block.normal * unit;
        let pull = [
            self.mu * (-n * s0 * s1 + c0 * b0 * s1 + c1 * b1 * s0),
            self.mu * (-n * (s0 + s1) + c0 * b0 + c1 * b1),
            -self.mu * n,
        ];
        let (x, y) = (b0 * b0, b1 * b1);
        [
            x * s1 * s1 + y * s0 * s0 - pull[0] * pull[0],
            2.0 * (x * s1 + y * s0) - 2.0 * pull[0] * pull[1],
            x + y - pull[1] * pull[1] - 2.0 * pull[0] * pull[2],
            -2.0 * pull[1] * pull[2],
            -pull[2] * pull[2],
        ]
    }

    /// Rounding can make every test fail by a little, on the boundary between two statuses: then the one that fails least.
    fn nearest(
        &self,
        block: &LocalBlock<3>,
        v_free: &Vector<3>,
        last: &Vector<3>,
        candidates: impl Iterator<Item = LocalSolution<3>>,
    ) -> LocalSolution<3> {
        let (w, q) = (block.shifted(), block.shifted_free(v_free, last));
        let unit = self.block.schur[0].max(self.block.schur[1]);
        let edges =
            [0.0, unit * 1e3 / f64::EPSILON].map(|s| LocalSolution::unique(self.edge(&self.at(s)), Status::Slip));
        let mut best = (f64::INFINITY, LocalSolution::unique(Vector::<3>::zeros(), Status::Open));
        for candidate in candidates.chain(edges) {
            let p = candidate.impulse;
            let scale = q.norm().max(block.largest * p.norm());
            let error = natural_map(Cone::Coulomb(self.mu), block.largest, &(q + w * p), &p) / scale;
            if error < best.0 {
                best = (error, candidate);
            }
        }
        best.1
    }
}

/// A point between: the geometric mean where the ends are apart by more than a factor.
#[cold]
fn middle(low: f64, high: f64, unit: f64) -> f64 {
    if high.is_infinite() {
        return if low > 0.0 { low * 16.0 } else { unit };
    }
    if low == 0.0 {
        return if high > f64::EPSILON * unit {
            (high * f64::EPSILON * unit).sqrt().min(0.5 * high)
        } else {
            0.5 * high
        };
    }
    if high > 4.0 * low { low.sqrt() * high.sqrt() } else { 0.5 * (low + high) }
}
