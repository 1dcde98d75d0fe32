//! The errors of this crate. A solve that does not converge is not one of them: it is a [`crate::SolverReport`].

use delassus_error::{Code, Coded, OwnMissing, digits};
use thiserror::Error;

/// What can be wrong with the data of a contact problem, of a law or of the solver's options.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SolverError {
    /// Two parts of a problem disagree on the number of contacts or of entries.
    #[error("{what}: {found} entries, but {expected} are needed")]
    SizeMismatch {
        /// Name of the array.
        what: &'static str,
        /// Length it should have.
        expected: usize,
        /// Length it has.
        found: usize,
    },
    /// NaN or infinity in the data.
    #[error("contact {contact}: {what} holds {value}, every entry must be finite")]
    NotFinite {
        /// Name of the quantity.
        what: &'static str,
        /// Index of the contact (row for the operator).
        contact: usize,
        /// The offending entry.
        value: f64,
    },
    /// A friction coefficient below zero or not finite.
    #[error("{place}: friction = {value} must be a finite number ≥ 0")]
    Friction {
        /// Where the coefficient stands: a contact or a law.
        place: String,
        /// The coefficient.
        value: f64,
    },
    /// A parameter of a law out of range.
    #[error("law `{law}`: {key} = {value} must be {wanted}")]
    Law {
        /// Name of the law in a case.
        law: &'static str,
        /// Name of the parameter.
        key: &'static str,
        /// Its value.
        value: f64,
        /// What would be right.
        wanted: String,
    },
    /// Two parameters of a law that say the same thing in two ways.
    #[error("law `{law}`: give {one} or {other}, not both")]
    LawTwice {
        /// Name of the law in a case.
        law: &'static str,
        /// Name of one parameter.
        one: &'static str,
        /// Name of the other.
        other: &'static str,
    },
    /// An expression of a law that cannot be read.
    #[error("law `{law}`: {key}: character {}: {reason}", .at + 1)]
    LawExpression {
        /// Name of the law in a case.
        law: &'static str,
        /// Name of the parameter.
        key: &'static str,
        /// Characters before the place.
        at: usize,
        /// What is wrong there.
        reason: String,
    },
    /// An expression of friction that has no admissible value during a run.
    #[error(
        "friction = {expression} is {value} at t = {time:e} s, at {}, under the pressure {pressure:e} Pa: it must be a finite number ≥ 0",
        digits::place(.place)
    )]
    FrictionValue {
        /// The expression.
        expression: String,
        /// Its value.
        value: f64,
        /// The time \[s\].
        time: f64,
        /// The place of the contact \[m\].
        place: Vec<f64>,
        /// The pressure \[Pa\].
        pressure: f64,
    },
    /// A law of one's own that is only named.
    #[error(transparent)]
    Own(#[from] OwnMissing),
    /// A law of one's own that is not made for the case's dimension.
    #[error("the law `{law}` is not made for {dimension} dimensions: its program gives it by `OwnLaw::{}`", if *dimension == 2 { "plane" } else { "space" })]
    LawDimension {
        /// Its name.
        law: String,
        /// The dimension asked for.
        dimension: usize,
    },
    /// A law that exists in space only.
    #[error(
        "law `{law}` needs a case with `dimension: 3`: in the plane there is one direction of sliding; use `SignoriniCoulomb` with its coefficient"
    )]
    LawOfSpace {
        /// Its name.
        law: &'static str,
    },
    /// A section of a cone that is no ellipse, or one of a law that is not alike in both tangents.
    #[error(
        "contact {contact}: an elliptic section needs space, a unit axis, 0 < ratio ≤ 1, and B and S alike in both tangents; axis {axis:?}, ratio {ratio}"
    )]
    Ellipse {
        /// Index of the contact.
        contact: usize,
        /// Axis of the larger semi-axis.
        axis: [f64; 2],
        /// The lesser semi-axis over the larger.
        ratio: f64,
    },
    /// A regularisation B or a spring S below zero.
    #[error("contact {contact}: {what}[{component}] = {value} must be ≥ 0")]
    NegativeDiagonal {
        /// `w_shift` or `spring`.
        what: &'static str,
        /// Index of the contact.
        contact: usize,
        /// Local component, 0 is the normal.
        component: usize,
        /// The entry.
        value: f64,
    },
    /// B and S at the same contact: the change of variables is then not the one the solvers use.
    #[error("contact {contact}: w_shift and spring are both non-zero, a law may use only one of them")]
    ShiftAndSpring {
        /// Index of the contact.
        contact: usize,
    },
    /// A diagonal block of the operator with a negative eigenvalue: mobility cannot be negative.
    #[error("contact {contact}: the diagonal block of the operator has eigenvalue {eigenvalue} [1/kg], it must be ≥ 0")]
    NegativeMobility {
        /// Index of the contact.
        contact: usize,
        /// The lowest eigenvalue.
        eigenvalue: f64,
    },
    /// A contact that closes but cannot be stopped, because every degree of freedom that moves its normal is prescribed.
    #[error(
        "contact {contact} is over-constrained: its gap closes at {approach} m/s and no impulse can change that, \
         because its degrees of freedom are prescribed"
    )]
    OverConstrained {
        /// Index of the contact.
        contact: usize,
        /// Closing velocity, positive [m/s].
        approach: f64,
    },
    /// A moment that no contact bounds.
    #[error("contact {contact} is a moment bounded by the push of contact {of}, which is none")]
    Moment {
        /// Index of the moment.
        contact: usize,
        /// The contact that it names.
        of: usize,
    },
    /// A block whose column is not a contact.
    #[error("operator row {row}: column {column} does not exist, there are {n} contacts")]
    ColumnOutOfRange {
        /// Row of the block.
        row: usize,
        /// Column asked for.
        column: usize,
        /// Number of contacts.
        n: usize,
    },
    /// Two blocks at one place.
    #[error("operator row {row}: column {column} is given twice: add the two blocks")]
    DuplicateColumn {
        /// Row of the block.
        row: usize,
        /// Column given twice.
        column: usize,
    },
    /// A solver option out of range.
    #[error("solver option `{name}` = {value} must be {wanted}")]
    Option {
        /// Name of the option.
        name: &'static str,
        /// Its value.
        value: f64,
        /// What would be right.
        wanted: &'static str,
    },
}

impl Coded for SolverError {
    fn code(&self) -> Code {
        match self {
            Self::Friction { .. } => Code("E0631"),
            Self::Law { .. } => Code("E0632"),
            Self::LawTwice { .. } => Code("E0633"),
            Self::LawExpression { .. } => delassus_math::ExpressionError::CODE,
            Self::FrictionValue { .. } => Code("E0180"),
            Self::Own(e) => e.code(),
            Self::LawDimension { .. } => Code("E0148"),
            Self::LawOfSpace { .. } => Code("E0150"),
            Self::Ellipse { .. } => Code("E0620"),
            Self::SizeMismatch { .. } => Code("E0711"),
            Self::NotFinite { .. } => Code("E0712"),
            Self::NegativeDiagonal { .. } => Code("E0713"),
            Self::ShiftAndSpring { .. } => Code("E0714"),
            Self::NegativeMobility { .. } => Code("E0715"),
            Self::OverConstrained { .. } => Code("E0716"),
            Self::Moment { .. } => Code("E0690"),
            Self::ColumnOutOfRange { .. } => Code("E0717"),
            Self::DuplicateColumn { .. } => Code("E0718"),
            Self::Option { .. } => Code("E0719"),
        }
    }
}
