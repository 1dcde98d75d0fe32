//! Elliptic cones made round, so that every solver here knows them.
//!
//! ```text
//! p = T p̂ ,   Û = Tᵀ U ,   T = (n, e_1, r e_2)        e_1, e_2 axes of the ellipse of semi-axes μ and r μ, r ≤ 1
//! Ŵ = Tᵀ W T ,   Û_free = Tᵀ U_free ,   â = Tᵀ a ,   B̂ = Tᵀ B T ,   ŝ = T⁻¹ s ,   Ŝ = T⁻¹ S T⁻ᵀ
//! ```
//!
//! ‖p̂_T‖ ≤ μ p̂_N is p_T in the ellipse, and Û_T = −κ p̂_T is U_i = −κ p_i/μ_i² (but for a factor): the sliding velocity is a normal of the ellipse, the rule of
//! Jean & Moreau 1992, (4.1), for a cone that is not axisymmetric. Powers are the same, p̂·Û = p·U. B and S must be alike in both tangents, so that B̂ and Ŝ are
//! diagonal. Problems without an ellipse are not touched.

use crate::linalg::{Matrix, Vector};
use crate::operator::BlockMatrix;
use crate::problem::{ConeSection, ContactProblem, Derived};

/// T of every contact; none at those with a round cone.
pub(crate) struct ConeStretch<const D: usize> {
    maps: Vec<Option<RoundMap<D>>>,
}

struct RoundMap<const D: usize> {
    t: Matrix<D>,
    /// T⁻¹.
    inverse: Matrix<D>,
    ratio: f64,
}

impl<const D: usize> RoundMap<D> {
    fn new(axis: [f64; 2], ratio: f64) -> Self {
        let mut turn = Matrix::<D>::identity();
        for (k, l, x) in [(1, 1, axis[0]), (2, 1, axis[1]), (1, 2, -axis[1]), (2, 2, axis[0])] {
            turn[(k, l)] = x;
        }
        let weigh = |r: f64| {
            let mut diagonal = Vector::<D>::from_element(1.0);
            diagonal[2] = r;
            Matrix::<D>::from_diagonal(&diagonal)
        };
        Self { t: turn * weigh(ratio), inverse: weigh(1.0 / ratio) * turn.transpose(), ratio }
    }

    /// The law in the round variables.
    fn law(&self, law: &Derived<D>) -> Derived<D> {
        let weighed = |mut x: Vector<D>, by: f64| {
            x[2] *= by * by;
            x
        };
        Derived {
            v_shift: self.t.tr_mul(&law.v_shift),
            w_shift: weighed(law.w_shift, self.ratio),
            p_shift: self.inverse * law.p_shift,
            spring: weighed(law.spring, 1.0 / self.ratio),
            section: ConeSection::Circle,
            ..*law
        }
    }
}

impl<const D: usize> ConeStretch<D> {
    /// Of a problem that has an ellipse.
    pub(crate) fn of(problem: &ContactProblem<D>) -> Option<Self> {
        let map = |law: &Derived<D>| match law.section {
            ConeSection::Ellipse { axis, ratio } if D == 3 => Some(RoundMap::new(axis, ratio)),
            ConeSection::Ellipse { .. } | ConeSection::Circle => None,
        };
        let any = problem.laws.iter().any(|law| D == 3 && law.section != ConeSection::Circle);
        any.then(|| Self { maps: problem.laws.iter().map(map).collect() })
    }

    /// The problem in the round variables.
    pub(crate) fn rounded(&self, problem: &ContactProblem<D>) -> ContactProblem<D> {
        let left = |i: usize, block: Matrix<D>| self.maps[i].as_ref().map_or(block, |map| map.t.tr_mul(&block));
        let right = |j: usize, block: Matrix<D>| self.maps[j].as_ref().map_or(block, |map| block * map.t);
        // The block below the diagonal is the transpose of the one above by its bits: it is made from it.
        let block = |i: usize, j: usize, block: Matrix<D>| {
            if i <= j { right(j, left(i, block)) } else { right(i, left(j, block.transpose())).transpose() }
        };
        let n = problem.n();
        let rows: Vec<Vec<(usize, Matrix<D>)>> =
            (0..n).map(|i| problem.operator.row(i).into_iter().map(|(j, w)| (j, block(i, j, w))).collect()).collect();
        let v_free = self.maps.iter().zip(&problem.v_free).map(|(map, v)| map.as_ref().map_or(*v, |m| m.t.tr_mul(v)));
        let laws = self.maps.iter().zip(&problem.laws).map(|(map, law)| map.as_ref().map_or(*law, |m| m.law(law)));
        ContactProblem { operator: BlockMatrix::from_sorted(&rows), v_free: v_free.collect(), laws: laws.collect() }
    }

    /// p̂ of impulses.
    pub(crate) fn to_round(&self, p: &[Vector<D>]) -> Vec<Vector<D>> {
        self.maps.iter().zip(p).map(|(map, p)| map.as_ref().map_or(*p, |m| m.inverse * p)).collect()
    }

    /// Solves by `solver`, which knows round cones.
    pub(crate) fn solve<R>(
        &self,
        problem: &ContactProblem<D>,
        p: &mut [Vector<D>],
        solver: impl FnOnce(&ContactProblem<D>, &mut [Vector<D>]) -> R,
    ) -> R {
        let mut round = self.to_round(p);
        let report = solver(&self.rounded(problem), &mut round);
        for ((map, p), round) in self.maps.iter().zip(p).zip(round) {
            *p = map.as_ref().map_or(round, |m| m.t * round);
        }
        report
    }

    /// U of Û at a contact.
    pub(crate) fn velocity(&self, contact: usize, round: &Vector<D>) -> Vector<D> {
        self.maps[contact].as_ref().map_or(*round, |m| m.inverse.tr_mul(round))
    }
}
