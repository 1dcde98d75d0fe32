//! Statics: what a case without inertia cannot have.

use delassus_sim::model::ModelBody;
use delassus_solver::LawSpec;

use super::Builder;
use crate::codes;

impl Builder<'_> {
    /// Refuses initial velocities, laws of impacts, and bodies that neither supports nor contacts can hold.
    pub(super) fn check_statics<const D: usize>(&mut self, bodies: &[ModelBody<D>]) {
        let case = self.case;
        for (i, entry) in case.bodies.iter().enumerate() {
            let given =
                [("velocity", entry.velocity.0.iter().any(|x| x.abs() > 0.0)), ("spin", entry.spin.abs() > 0.0)];
            for (key, _) in given.iter().filter(|(_, is_given)| *is_given) {
                let message = format!(
                    "body `{}` has no {key} in statics: leave `{key}` out, move it by `boundary`, or choose a scheme with inertia, such as \
                     `Theta(theta: 0.55)`",
                    entry.name
                );
                self.problems.input(codes::STATIC_VELOCITY, format!("bodies[{i}].{key}"), message);
            }
        }
        for (i, entry) in case.contacts.iter().enumerate() {
            if matches!(entry.law, LawSpec::Restitution(_)) {
                let message = "`Restitution` is a law of impacts, and statics has none: choose `SignoriniCoulomb` with the same friction";
                self.problems.input(codes::STATIC_IMPACT, format!("contacts[{i}].law"), message);
            }
        }
        for (i, entry) in case.bodies.iter().enumerate() {
            let free = bodies.iter().find(|b| b.entry == i && b.contact_dofs.is_empty());
            let Some(floating) = free.and_then(|b| b.body.floating()) else { continue };
            let names: Vec<&str> = floating.modes.iter().map(|mode| mode.name.as_str()).take(6).collect();
            let message = format!(
                "body `{}` is in no contact, and `boundary` leaves it free: {}. Statics needs every body held: prescribe these motions by \
                 `boundary`, or give it a contact that holds it",
                entry.name,
                names.join(", ")
            );
            self.problems.input(codes::FREE_BODY, format!("bodies[{i}]"), message);
        }
    }
}
