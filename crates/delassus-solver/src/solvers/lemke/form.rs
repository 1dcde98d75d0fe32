//! The two linear complementarity problems that state Coulomb's law in the plane, and how a basis of each is read.
//!
//! ```text
//! signs, 3 per contact     z = (p_N, Φ₁ = μ p_N + p_T, U_T⁻)      w = (U_N, U_T⁺, Φ₂ = μ p_N − p_T)
//! bound, 4 per contact     z = (p_N, β⁺, β⁻, λ)                   w = (U_N, λ + U_T, λ − U_T, μ p_N − β⁺ − β⁻),   p_T = β⁺ − β⁻
//! ```
//!
//! "Signs" is Vola, Pratt, Jean & Raous 1998, (14), with U_T = U_T⁺ − U_T⁻. In "bound" λ is the sliding speed |U_T|, and
//! zᵀM z = pᵀA p + μ λ p_N ≥ 0: M is copositive for every μ. A contact without friction is (p_N; U_N) in both.

use nalgebra::{DMatrix, DVector};

use super::lcp::{Lcp, LcpOutcome};

/// The frictional contacts in scaled variables, bonds eliminated.
pub(super) struct ReducedProblem {
    pub(super) contacts: Vec<FrictionalContact>,
    /// A, scaled to blocks of order one.
    pub(super) a: DMatrix<f64>,
    /// ṽ_free, scaled to a largest entry of one.
    pub(super) q: DVector<f64>,
    /// Components of bonds that hold.
    pub(super) bonds: Vec<usize>,
    /// Unit of the scaled impulses.
    pub(super) unit: f64,
}

/// A contact with Coulomb's law.
#[derive(Clone, Copy)]
pub(super) struct FrictionalContact {
    /// Its number in the problem.
    pub(super) contact: usize,
    pub(super) mu: f64,
    /// Row of its normal component in A; that of the tangential one follows, unless μ = 0.
    pub(super) place: usize,
}

impl FrictionalContact {
    fn rubs(&self) -> bool {
        self.mu > 0.0
    }
}

/// A row of M that states a velocity, and the sign with which it does.
#[derive(Clone, Copy)]
struct VelocityRow {
    row: usize,
    sign: f64,
}

/// The columns of M that a contact has.
#[derive(Clone, Copy)]
struct ContactColumns<'a> {
    /// Number of p_N in z.
    first: usize,
    contact: &'a FrictionalContact,
}

/// What a basis says of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ContactMode {
    /// p = 0.
    Open,
    /// U = 0.
    Stick,
    /// U_N = 0 and p_T = ratio · p_N.
    Slip {
        /// −μ for U_T > 0, μ for U_T < 0.
        ratio: f64,
    },
}

/// Which of the two complementarity problems states Coulomb's law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum LemkeForm {
    /// 3 unknowns per contact.
    Signs,
    /// 4 unknowns per contact.
    Bound,
}

impl LemkeForm {
    fn per_contact(self, friction: &FrictionalContact) -> usize {
        match self {
            _ if !friction.rubs() => 1,
            Self::Signs => 3,
            Self::Bound => 4,
        }
    }

    /// First number of each contact in z, and the order of the problem.
    fn places(self, contacts: &[FrictionalContact]) -> (Vec<usize>, usize) {
        let mut order = 0;
        let mut next = |c: &FrictionalContact| {
            order += self.per_contact(c);
            order - self.per_contact(c)
        };
        let places = contacts.iter().map(&mut next).collect();
        (places, order)
    }

    /// The linear complementarity problem.
    pub(super) fn problem(self, reduced: &ReducedProblem) -> Lcp {
        let (places, order) = self.places(&reduced.contacts);
        let mut lcp = Lcp::zero(order);
        for (row, &i) in reduced.contacts.iter().zip(&places) {
            *lcp.right(i) = reduced.q[row.place];
            if row.rubs() {
                self.own_rows(&mut lcp, i, row.mu, reduced.q[row.place + 1]);
            }
            for (column, &j) in reduced.contacts.iter().zip(&places) {
                let entry = |k: usize, l: usize| reduced.a[(row.place + k, column.place + l)];
                let columns = ContactColumns { first: j, contact: column };
                self.velocity_row(&mut lcp, VelocityRow { row: i, sign: 1.0 }, columns, |l| entry(0, l));
                if row.rubs() {
                    self.velocity_row(&mut lcp, VelocityRow { row: i + 1, sign: 1.0 }, columns, |l| entry(1, l));
                }
                if row.rubs() && self == Self::Bound {
                    self.velocity_row(&mut lcp, VelocityRow { row: i + 2, sign: -1.0 }, columns, |l| entry(1, l));
                }
            }
        }
        lcp
    }

    /// What the rows of a contact hold besides velocities; `q` is its tangential free velocity.
    fn own_rows(self, lcp: &mut Lcp, i: usize, mu: f64, q: f64) {
        *lcp.right(i + 1) = q;
        match self {
            Self::Signs => {
                *lcp.entry(i + 1, i + 2) = 1.0;
                *lcp.entry(i + 2, i) = 2.0 * mu;
                *lcp.entry(i + 2, i + 1) = -1.0;
            }
            Self::Bound => {
                *lcp.right(i + 2) = -q;
                *lcp.entry(i + 1, i + 3) = 1.0;
                *lcp.entry(i + 2, i + 3) = 1.0;
                *lcp.entry(i + 3, i) = mu;
                *lcp.entry(i + 3, i + 1) = -1.0;
                *lcp.entry(i + 3, i + 2) = -1.0;
            }
        }
    }

    /// Adds sign · (a_N p_N + a_T p_T) of the contact at `j` to a row, p_T being written in z.
    fn velocity_row(
        self,
        lcp: &mut Lcp,
        VelocityRow { row, sign }: VelocityRow,
        ContactColumns { first: j, contact: column }: ContactColumns<'_>,
        a: impl Fn(usize) -> f64,
    ) {
        *lcp.entry(row, j) += sign * a(0);
        if !column.rubs() {
            return;
        }
        let tangential = sign * a(1);
        *lcp.entry(row, j + 1) += tangential;
        match self {
            Self::Signs => *lcp.entry(row, j) -= column.mu * tangential,
            Self::Bound => *lcp.entry(row, j + 2) -= tangential,
        }
    }

    /// Impulses (normal, tangential) of each contact, in the scaled variables.
    pub(super) fn impulses(self, reduced: &ReducedProblem, outcome: &LcpOutcome) -> Vec<[f64; 2]> {
        let (places, _) = self.places(&reduced.contacts);
        let z = |i: usize| outcome.values[i];
        let read = |(c, i): (&FrictionalContact, usize)| match self {
            _ if !c.rubs() => [z(i), 0.0],
            Self::Signs => [z(i), z(i + 1) - c.mu * z(i)],
            Self::Bound => [z(i), z(i + 1) - z(i + 2)],
        };
        reduced.contacts.iter().zip(places).map(read).collect()
    }

    /// What each contact does in the final basis.
    pub(super) fn modes(self, reduced: &ReducedProblem, outcome: &LcpOutcome) -> Vec<ContactMode> {
        let (places, _) = self.places(&reduced.contacts);
        let read = |(c, i): (&FrictionalContact, usize)| {
            let is_basic = |k: usize| outcome.basic[i + k];
            let slip = |ratio: f64| ContactMode::Slip { ratio };
            if !is_basic(0) {
                return ContactMode::Open;
            }
            if !c.rubs() {
                return slip(0.0);
            }
            match self {
                Self::Signs => match (is_basic(1), is_basic(2)) {
                    (true, false) => ContactMode::Stick,
                    (true, true) => slip(c.mu),
                    (false, _) => slip(-c.mu),
                },
                Self::Bound => match (is_basic(1), is_basic(2), is_basic(3)) {
                    // Neither β: U_T happens to be zero without friction.
                    (false, false, _) => slip(0.0),
                    (true, false, true) => slip(c.mu),
                    (false, true, true) => slip(-c.mu),
                    (_, _, false) | (true, true, true) => ContactMode::Stick,
                },
            }
        };
        reduced.contacts.iter().zip(places).map(read).collect()
    }
}
