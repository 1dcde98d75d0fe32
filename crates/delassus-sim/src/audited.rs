//! What the audit of a step found: the largest error of each check, and its limit.

use serde::{Deserialize, Serialize};

/// What a check is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AuditTopic {
    /// The velocities that the bodies reached are not those that the contact problem had.
    #[default]
    Velocity,
    /// A contact law does not hold on the velocities that the bodies reached.
    Law,
    /// The equation of motion of a body does not hold.
    Motion,
    /// The momentum of a body does not change by the impulses on it.
    Momentum,
    /// The same for the angular momentum.
    AngularMomentum,
    /// The two sides of a contact do not act on one line.
    Place,
    /// The sides of a joint are not where it wants them.
    Joint,
}

impl AuditTopic {
    /// In words.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Velocity => "contact velocities",
            Self::Law => "contact laws",
            Self::Motion => "equation of motion",
            Self::Momentum => "momentum",
            Self::AngularMomentum => "angular momentum",
            Self::Place => "point of contact",
            Self::Joint => "joint",
        }
    }
}

/// The largest error of a check, over its limit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AuditError {
    /// The check.
    pub topic: AuditTopic,
    /// Without unit; 0 where the condition holds.
    pub error: f64,
    /// What it may be.
    pub limit: f64,
    /// The body, or the pair of the contact.
    pub place: String,
}

impl AuditError {
    /// Error over limit; NaN if it is not a number.
    #[must_use]
    pub fn ratio(&self) -> f64 {
        if self.error <= 0.0 { 0.0 } else { self.error / self.limit }
    }
}

/// The certificate of a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Audit {
    /// The largest error of each check.
    pub errors: Vec<AuditError>,
}

impl Audit {
    /// The check that is worst, over its limit.
    #[must_use]
    pub fn worst(&self) -> Option<&AuditError> {
        let not_a_number = self.errors.iter().find(|e| e.ratio().is_nan());
        not_a_number.or_else(|| self.errors.iter().max_by(|a, b| a.ratio().total_cmp(&b.ratio())))
    }

    /// Does every check hold?
    #[must_use]
    pub fn holds(&self) -> bool {
        self.worst().is_none_or(|w| w.ratio() <= 1.0)
    }
}

impl AuditError {
    /// Takes an error into account; NaN is the largest of all.
    pub(crate) fn see(&mut self, error: f64, place: impl FnOnce() -> String) {
        if (error > self.error || error.is_nan()) && !self.error.is_nan() {
            (self.error, self.place) = (error, place());
        }
    }
}
