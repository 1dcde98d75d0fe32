//! The initial spin of a body, and the check that small strains allow it.
//!
//! ```text
//! u = ω t n × X   in linear kinematics:   a free body turns by atan(ω t), and grows by √(1 + (ω t)²)
//! ```

use delassus_fem::{BodyRotation, Kinematics};
use delassus_math as math;

use super::Builder;
use crate::codes;
use crate::spec::BodyEntry;

impl Builder<'_> {
    /// Refuses a spin that is no number, and one that turns a free body of small strains too far before the run ends.
    ///
    /// A support stops a spin. A contact may, but that is not known before the run.
    pub(super) fn check_spin(&mut self, body: usize, i: usize, entry: &BodyEntry) {
        let (case, spin) = (self.case, entry.spin);
        let path = format!("bodies[{i}].spin");
        if !spin.is_finite() {
            return self.problems.input(codes::NOT_FINITE, path, format!("{spin} is not a finite number"));
        }
        let held = case.boundary.iter().any(|b| self.roster.means(&b.body, body));
        let turned = spin.abs() * case.duration;
        if held || case.kinematics_of(entry) != Kinematics::SmallStrain || turned <= BodyRotation::EXCESSIVE {
            return;
        }
        // What is wrong with the duration is told at its own place.
        if case.duration.is_finite() && case.duration > 0.0 {
            let most = BodyRotation::EXCESSIVE.to_degrees();
            let (degrees, growth) = (short(turned.to_degrees()), short(math::hypot(turned, 1.0)));
            let message = format!(
                "{spin:?} rad/s over the duration of {:?} s turn the body by {degrees}°, but `SmallStrain` allows \
                 {most}°: the body would grow by a \
                 factor of {growth}. End the run at {:.1e} s, or leave `kinematics` out: by default a body may turn",
                case.duration,
                BodyRotation::EXCESSIVE / spin.abs()
            );
            self.problems.input(codes::SPIN_TOO_FAR, path, message);
        }
    }
}

/// A number with few digits.
fn short(x: f64) -> String {
    if x < 1e4 { format!("{x:.3}") } else { format!("{x:.1e}") }
}
