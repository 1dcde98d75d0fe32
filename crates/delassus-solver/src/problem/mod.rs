//! A contact problem as plain data: the operator W, the free velocities, and what each contact's law derived.
//!
//! ```text
//! U = v_free + W p,   ṽ = U + a + B p,   p̃ = p + s + S U,   (ṽ, p̃) in the standard relation of the cone
//! ```
//!
//! (a, B, s, S) make every law the standard "Signorini, μ-Coulomb" problem (Jean, Acary & Monerie 2001, §6); B and S are
//! diagonal, ≥ 0, and never both non-zero at one contact.

mod dump;

use delassus_math as math;
use serde::{Deserialize, Serialize};

use crate::error::SolverError;
use crate::linalg::eigen::symmetric_eigenvalues;
use crate::linalg::{Matrix, Vector};
use crate::operator::BlockMatrix;

/// Mobility below this part of a block's trace counts as none (rounding left by a rotated frame).
pub(crate) const IMMOBILE: f64 = 1e-14;

/// Set of admissible p̃ at a contact: the closed list of local kernels.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Cone {
    /// p̃ = 0: the law is not active, the contact only keeps its place in the numbering.
    Open,
    /// ‖p̃_T‖ ≤ μ p̃_N with Signorini in the normal direction and Coulomb friction μ ≥ 0.
    Coulomb(f64),
    /// No bound on p̃ and ṽ = 0: a bond in all directions.
    Bilateral,
    /// |p̃_N| ≤ `across`, ‖p̃_T‖ ≤ `along` with the largest dissipation in each, whatever presses \[N·s\].
    Within {
        /// Bound of the first component.
        across: f64,
        /// Bound of the others.
        along: f64,
    },
    /// The same with bounds in proportion to the normal impulse of another contact: a moment that resists rolling and spinning.
    Turning(ResistanceLimits),
}

/// A moment over a lever ℓ, p = M/ℓ, bounded by the push of the contact that it belongs to:
///
/// ```text
/// |p_N| ≤ spinning p_N(of) ,   ‖p_T‖ ≤ rolling p_N(of) ,      spinning = μ_s/ℓ ,  rolling = μ_r/ℓ
/// ```
///
/// Component 0 is about the normal, the others are about the tangents; in the plane only component 1 exists. W and U of a moment are those of ℓ Ω, so that all
/// numbers of a problem have the units of forces and velocities of points.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResistanceLimits {
    /// The contact whose push bounds it.
    pub of: usize,
    /// μ_s/ℓ ≥ 0.
    pub spinning: f64,
    /// μ_r/ℓ ≥ 0.
    pub rolling: f64,
}

impl Cone {
    /// The set for the normal impulse `push` of the contact on which it depends \[N·s\].
    #[inline(always)]
    #[must_use]
    pub fn under(self, push: impl FnOnce(usize) -> f64) -> Self {
        match self {
            Self::Turning(turning) => {
                let push = push(turning.of);
                // A pull bounds nothing away from zero; NaN stays.
                let push = if push < 0.0 { 0.0 } else { push };
                Self::Within { across: turning.spinning * push, along: turning.rolling * push }
            }
            _ => self,
        }
    }
}

/// What a law makes of one contact in one step: the change of variables and the cone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Derived<const D: usize> {
    /// a, added to the velocity [m/s]. Signorini on the gap: a_N = g/τ.
    pub v_shift: Vector<D>,
    /// Diagonal of B ≥ 0, compliance of the law [1/kg].
    pub w_shift: Vector<D>,
    /// s, added to the impulse [N·s]. Cohesion: s_N = h · strength · area.
    pub p_shift: Vector<D>,
    /// Diagonal of S ≥ 0, spring of the law per velocity \[kg\]. Adhesion: S = h τ k.
    pub spring: Vector<D>,
    /// Cone of p̃.
    pub cone: Cone,
    /// Cross-section of the cone.
    pub section: ConeSection,
    /// What is too small to be judged here.
    pub margin: Margin,
}

/// Cross-section of a Coulomb cone. Only in space an ellipse differs from a circle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum ConeSection {
    /// ‖p̃_T‖ ≤ μ p̃_N.
    #[default]
    Circle,
    /// (p̃_1/μ)² + (p̃_2/(ratio μ))² ≤ p̃_N², 1 along the axis and 2 across. B and S must be alike in both.
    Ellipse {
        /// Unit vector of the larger semi-axis in the tangents of the local frame.
        axis: [f64; 2],
        /// The lesser semi-axis over the larger, above 0 and up to 1.
        ratio: f64,
    },
}

/// Sizes below which a contact's errors do not count: the width of a thick graph (Jean 1995, §1.5).
///
/// ```text
/// (q, R) satisfies the relaxed law if (q + δq, R + δR) satisfies the law, for some |δq| ≤ Δq and |δR| ≤ ΔR
/// ```
///
/// An error e of the natural map [m/s] is within Δq if e ≤ Δq/τ, and within ΔR if e ≤ λ h ΔR; it counts relative to
/// V = max(…, min(velocity, λ impulse)), so that it is within both where its relative size is within the tolerance. Jean has four margins, Δq_N and ΔR_N of
/// Signorini's condition, ΔU_T and ΔR_T of Coulomb's law: with `along` the two laws are judged apart, each with a V of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Margin {
    /// Δq_N/τ over the tolerance [m/s].
    pub velocity: f64,
    /// h ΔR_N over the tolerance [N·s].
    pub impulse: f64,
    /// Those of friction; the same if left out.
    pub along: Option<AlongMargin>,
}

/// Sizes below which errors of friction do not count.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AlongMargin {
    /// ΔU_T over the tolerance [m/s].
    pub velocity: f64,
    /// h ΔR_T over the tolerance [N·s].
    pub impulse: f64,
}

impl Margin {
    /// Least velocity scale of a contact of mobility λ [m/s].
    pub fn least_velocity(&self, lambda: f64) -> f64 {
        self.velocity.min(lambda * self.impulse)
    }

    /// The same along the contact, if it is another.
    pub fn least_along(&self, lambda: f64) -> Option<f64> {
        self.along.map(|along| along.velocity.min(lambda * along.impulse))
    }
}

impl<const D: usize> Derived<D> {
    /// The law without any shift: the standard problem itself.
    pub fn standard(cone: Cone) -> Self {
        let zero = Vector::<D>::zeros();
        Self {
            v_shift: zero,
            w_shift: zero,
            p_shift: zero,
            spring: zero,
            cone,
            section: ConeSection::Circle,
            margin: Margin::default(),
        }
    }
}

/// Find U and p with U = v_free + W p and every contact's law. Plain data; it can be written to JSON and read back.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactProblem<const D: usize> {
    /// W [1/kg].
    pub operator: BlockMatrix<D>,
    /// Relative velocity at each contact if no impulse acted [m/s]; positive normal part opens.
    pub v_free: Vec<Vector<D>>,
    /// What each contact's law derived.
    pub laws: Vec<Derived<D>>,
}

impl<const D: usize> ContactProblem<D> {
    /// Number of contacts.
    pub fn n(&self) -> usize {
        self.operator.n()
    }

    /// Has any law a spring?
    pub(crate) fn has_springs(&self) -> bool {
        self.laws.iter().any(|law| law.spring.amax() > 0.0)
    }

    /// Has any contact a moment that another one bounds?
    pub(crate) fn has_moments(&self) -> bool {
        self.laws.iter().any(|law| matches!(law.cone, Cone::Turning(_) | Cone::Within { .. }))
    }

    /// Checks that the parts have the same number of contacts, and `p` too.
    ///
    /// # Errors
    /// [`SolverError::SizeMismatch`] naming the part.
    pub fn check_sizes(&self, p: &[Vector<D>]) -> Result<(), SolverError> {
        let expected = self.n();
        let parts = [("v_free", self.v_free.len()), ("laws", self.laws.len()), ("p", p.len())];
        match parts.into_iter().find(|&(_, found)| found != expected) {
            Some((what, found)) => Err(SolverError::SizeMismatch { what, expected, found }),
            None => self.check_moments(),
        }
    }

    /// Checks sizes, that all is finite, μ ≥ 0, B and S ≥ 0 and not both, diagonal blocks positive semi-definite, and that no
    /// contact without normal mobility is closing.
    ///
    /// # Errors
    /// The first fault found, with the contact and the value.
    pub fn validate(&self) -> Result<(), SolverError> {
        let n = self.n();
        for (what, found) in [("v_free", self.v_free.len()), ("laws", self.laws.len())] {
            if found != n {
                return Err(SolverError::SizeMismatch { what, expected: n, found });
            }
        }
        for (contact, law) in self.laws.iter().enumerate() {
            finite("v_free", contact, self.v_free[contact].as_slice())?;
            for (_, block) in self.operator.row(contact) {
                finite("operator", contact, block.as_slice())?;
            }
            check_derived(contact, law)?;
            let eigenvalues = symmetric_eigenvalues(&self.operator.diagonal(contact));
            let lowest = eigenvalues.min();
            // Rounding of a semi-definite block stays below 1e-12 of its largest eigenvalue.
            if lowest < -1e-12 * eigenvalues.amax() {
                return Err(SolverError::NegativeMobility { contact, eigenvalue: lowest });
            }
        }
        self.check_moments()?;
        self.check_mobility()
    }

    /// Every moment is bounded by the push of a contact.
    fn check_moments(&self) -> Result<(), SolverError> {
        for (contact, law) in self.laws.iter().enumerate() {
            let Cone::Turning(ResistanceLimits { of, .. }) = law.cone else { continue };
            if self.laws.get(of).is_none_or(|l| matches!(l.cone, Cone::Turning(_))) {
                return Err(SolverError::Moment { contact, of });
            }
        }
        Ok(())
    }

    /// No normal mobility: W is semi-definite, so the whole normal row is zero and ṽ_N = v_free,N + a_N whatever p is.
    fn check_mobility(&self) -> Result<(), SolverError> {
        let fastest = (0..self.n()).map(|i| (self.v_free[i] + self.laws[i].v_shift).norm()).fold(0.0, f64::max);
        for (contact, law) in self.laws.iter().enumerate() {
            let block = self.operator.diagonal(contact) + Matrix::<D>::from_diagonal(&law.w_shift);
            let approach = -(self.v_free[contact][0] + law.v_shift[0]);
            let immobile = block[(0, 0)] <= IMMOBILE * block.trace();
            // 1e-8 of the fastest contact: above rounding, below any motion that matters.
            if immobile && matches!(law.cone, Cone::Coulomb(_)) && approach > 1e-8 * fastest {
                return Err(SolverError::OverConstrained { contact, approach });
            }
        }
        Ok(())
    }
}

fn finite(what: &'static str, contact: usize, entries: &[f64]) -> Result<(), SolverError> {
    match entries.iter().find(|x| !x.is_finite()) {
        Some(&value) => Err(SolverError::NotFinite { what, contact, value }),
        None => Ok(()),
    }
}

fn check_derived<const D: usize>(contact: usize, law: &Derived<D>) -> Result<(), SolverError> {
    finite("v_shift", contact, law.v_shift.as_slice())?;
    finite("p_shift", contact, law.p_shift.as_slice())?;
    for (what, diagonal) in [("w_shift", &law.w_shift), ("spring", &law.spring)] {
        finite(what, contact, diagonal.as_slice())?;
        if let Some(component) = (0..D).find(|&k| diagonal[k] < 0.0) {
            return Err(SolverError::NegativeDiagonal { what, contact, component, value: diagonal[component] });
        }
    }
    if law.w_shift.amax() > 0.0 && law.spring.amax() > 0.0 {
        return Err(SolverError::ShiftAndSpring { contact });
    }
    if let ConeSection::Ellipse { axis, ratio } = law.section {
        let sound = ratio > 0.0 && ratio <= 1.0 && (math::hypot(axis[0], axis[1]) - 1.0).abs() < 1e-9;
        let alike = |x: &Vector<D>| (2..D).all(|k| (x[k] - x[1]).abs() <= 1e-14 * x[1].abs());
        if D != 3 || !sound || !alike(&law.w_shift) || !alike(&law.spring) {
            return Err(SolverError::Ellipse { contact, axis, ratio });
        }
    }
    match law.cone {
        Cone::Coulomb(mu) => check_friction(mu, || format!("contact {contact}")),
        Cone::Open | Cone::Bilateral => Ok(()),
        Cone::Within { across: a, along: b } | Cone::Turning(ResistanceLimits { spinning: a, rolling: b, .. }) => {
            let place = || format!("moment of contact {contact}");
            check_friction(a, place)?;
            check_friction(b, place)
        }
    }
}

/// A friction coefficient must be finite and ≥ 0; `place` names where it stands.
pub(crate) fn check_friction(value: f64, place: impl FnOnce() -> String) -> Result<(), SolverError> {
    if value.is_finite() && value >= 0.0 { Ok(()) } else { Err(SolverError::Friction { place: place(), value }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem() -> ContactProblem<2> {
        ContactProblem {
            operator: BlockMatrix::dense(2, |i, j| Matrix::<2>::identity() * if i == j { 2.0 } else { 0.5 }),
            v_free: vec![Vector::<2>::new(-1.0, 0.5); 2],
            laws: vec![Derived::standard(Cone::Coulomb(0.3)); 2],
        }
    }

    fn fault(change: impl FnOnce(&mut ContactProblem<2>)) -> SolverError {
        let mut broken = problem();
        change(&mut broken);
        broken.validate().unwrap_err()
    }

    #[test]
    fn a_sound_problem_passes() {
        assert_eq!(problem().validate(), Ok(()));
        assert_eq!(problem().check_sizes(&[Vector::<2>::zeros(); 2]), Ok(()));
    }

    #[test]
    fn sizes_are_checked() {
        let mismatch = |what, found| SolverError::SizeMismatch { what, expected: 2, found };
        assert_eq!(fault(|p| p.v_free.truncate(1)), mismatch("v_free", 1));
        assert_eq!(fault(|p| p.laws.truncate(0)), mismatch("laws", 0));
        assert_eq!(problem().check_sizes(&[]), Err(mismatch("p", 0)));
    }

    #[test]
    fn non_finite_numbers_are_found_everywhere() {
        let what = |e| match e {
            SolverError::NotFinite { what, contact, value } => (what, contact, value.is_nan()),
            other => panic!("{other}"),
        };
        assert_eq!(what(fault(|p| p.v_free[1][0] = f64::NAN)), ("v_free", 1, true));
        assert_eq!(what(fault(|p| p.laws[1].v_shift[1] = f64::INFINITY)), ("v_shift", 1, false));
        assert_eq!(what(fault(|p| p.laws[0].p_shift[1] = f64::NAN)), ("p_shift", 0, true));
        assert_eq!(what(fault(|p| p.laws[0].w_shift[1] = f64::NAN)), ("w_shift", 0, true));
        assert_eq!(what(fault(|p| p.laws[0].spring[1] = f64::NAN)), ("spring", 0, true));
        let nan = BlockMatrix::dense(2, |i, _| Matrix::<2>::identity() * if i == 1 { f64::NAN } else { 1.0 });
        assert_eq!(what(fault(|p| p.operator = nan)), ("operator", 1, true));
    }

    #[test]
    fn friction_and_diagonals_are_checked() {
        let friction = fault(|p| p.laws[1].cone = Cone::Coulomb(-0.1));
        assert_eq!(friction.to_string(), "contact 1: friction = -0.1 must be a finite number ≥ 0");
        assert!(matches!(fault(|p| p.laws[0].cone = Cone::Coulomb(f64::NAN)), SolverError::Friction { .. }));
        assert_eq!(
            fault(|p| p.laws[0].spring[1] = -2.0),
            SolverError::NegativeDiagonal { what: "spring", contact: 0, component: 1, value: -2.0 }
        );
        // Ellipses are of space, and not flat.
        let ellipse = |p: &mut ContactProblem<2>| {
            p.laws[1].section = ConeSection::Ellipse { axis: [1.0, 0.0], ratio: 0.5 };
        };
        assert_eq!(fault(ellipse), SolverError::Ellipse { contact: 1, axis: [1.0, 0.0], ratio: 0.5 });
        for (axis, ratio, along) in
            [([1.0, 0.0], 0.0, 1.0), ([1.0, 0.0], 1.1, 1.0), ([1.0, 1.0], 0.5, 1.0), ([0.6, 0.8], 0.5, 2.0)]
        {
            let mut law = Derived::<3>::standard(Cone::Coulomb(0.3));
            law.w_shift = Vector::<3>::new(0.0, 1.0, 1.0);
            law.section = ConeSection::Ellipse { axis: [0.6, 0.8], ratio: 0.5 };
            assert_eq!(check_derived(4, &law), Ok(()));
            law.section = ConeSection::Ellipse { axis, ratio };
            law.w_shift[2] = along;
            assert_eq!(check_derived(4, &law), Err(SolverError::Ellipse { contact: 4, axis, ratio }));
        }
        let both = fault(|p| {
            p.laws[1].spring[0] = 1.0;
            p.laws[1].w_shift[1] = 1.0;
        });
        assert_eq!(both, SolverError::ShiftAndSpring { contact: 1 });
    }

    #[test]
    fn negative_mobility_is_refused() {
        let block = Matrix::<2>::new(1.0, 2.0, 2.0, 1.0);
        match fault(|p| p.operator = BlockMatrix::dense(2, |_, _| block)) {
            SolverError::NegativeMobility { contact: 0, eigenvalue } => assert!((eigenvalue + 1.0).abs() < 1e-14),
            other => panic!("{other}"),
        }
    }

    #[test]
    fn over_constrained_contact_is_named() {
        let fixed = Matrix::<2>::new(0.0, 0.0, 0.0, 1.0);
        let change = |p: &mut ContactProblem<2>| p.operator = BlockMatrix::dense(2, |_, _| fixed);
        assert_eq!(fault(change), SolverError::OverConstrained { contact: 0, approach: 1.0 });
        // The same contact moving apart is fine.
        let mut opening = problem();
        change(&mut opening);
        opening.v_free = vec![Vector::<2>::new(1.0, 0.5); 2];
        assert_eq!(opening.validate(), Ok(()));
    }
}
