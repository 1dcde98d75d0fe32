//! What varies from place to place: fields of loads, initial velocities and displacements; and what links bodies to the ground.

use delassus_dynamics::System as _;
use delassus_error::{Coded as _, digits};
use delassus_fem::{Attachment, Body, BodyInput, FieldLoad, FieldLoadKind, SpaceExpression, TimeFunction};
use delassus_sim::model::StartSpec;

use super::Builder;
use crate::codes;
use crate::spec::BodyEntry;

impl Builder<'_> {
    /// An expression of the place; a fault is told at its place in the text.
    pub(super) fn expression<const D: usize>(&mut self, path: &str, text: &str) -> Option<SpaceExpression<D>> {
        match SpaceExpression::parse(text) {
            Ok(expression) => Some(expression),
            Err(e) => {
                self.problems.within(e.code(), path, e.at, e.to_string());
                None
            }
        }
    }

    /// Adds a load times an expression.
    pub(super) fn field_load<const D: usize>(
        &mut self,
        path: &str,
        text: &str,
        (kind, factor): (FieldLoadKind<D>, &TimeFunction),
        input: &mut BodyInput<D>,
    ) {
        if let Some(field) = self.expression(path, text) {
            input.field_loads.push(FieldLoad { kind, factor: factor.clone(), field });
        }
    }

    /// The values of a vector of expressions at the nodes of a body, at t = 0; all zero of none.
    fn nodal_values<const D: usize>(&mut self, path: &str, texts: &[String], body: &Body<D>) -> Option<Vec<f64>> {
        if texts.is_empty() {
            return Some(vec![0.0; body.n_dof()]);
        }
        if texts.len() != D {
            let message = format!("{} expressions where {D} are needed, one for each component", texts.len());
            self.problems.input(codes::COMPONENTS, path, message);
            return None;
        }
        let read: Vec<_> =
            texts.iter().enumerate().map(|(i, text)| self.expression::<D>(&format!("{path}[{i}]"), text)).collect();
        let read = read.into_iter().collect::<Option<Vec<_>>>()?;
        let mut values = Vec::with_capacity(body.n_dof());
        for place in &body.mesh().points {
            for (i, expression) in read.iter().enumerate() {
                let value = expression.value(place, 0.0);
                if !value.is_finite() {
                    let message = format!(
                        "the expression is {value} at {}; it must be finite on the whole body",
                        digits::place(place)
                    );
                    self.problems.input(codes::FUNCTION_NOT_FINITE, format!("{path}[{i}]"), message);
                    return None;
                }
                values.push(value);
            }
        }
        Some(values)
    }

    /// The velocities and displacements of a body at t = 0 that expressions give.
    pub(super) fn initial_fields<const D: usize>(
        &mut self,
        i: usize,
        entry: &BodyEntry,
        body: &Body<D>,
    ) -> Option<(Vec<f64>, Vec<f64>)> {
        let at = |key: &str| format!("bodies[{i}].{key}");
        let velocity = self.nodal_values(&at("velocity_field"), &entry.velocity_field, body);
        let displacement = self.nodal_values(&at("displacement_field"), &entry.displacement_field, body);
        let (velocity, displacement) = (velocity?, displacement?);
        if entry.displacement_field.is_empty() {
            return Some((velocity, Vec::new()));
        }
        let why = if self.case.start == StartSpec::Equilibrium {
            Some("a run that starts at equilibrium finds its own displacements")
        } else if !body.at_start(Vec::new()).z.is_empty() {
            Some("the stress of this material follows from its history, which a displacement does not give")
        } else if body.tied().iter().any(|&(s, m)| (displacement[s] - displacement[m]).abs() > 0.0) {
            Some("nodes that are tied would start with different displacements")
        } else {
            None
        };
        match why {
            Some(why) => {
                self.problems.input(codes::NO_DISPLACEMENTS, at("displacement_field"), why);
                None
            }
            None => Some((velocity, displacement)),
        }
    }

    /// What can be said of attachments without the bodies.
    pub(super) fn check_attachments(&mut self) {
        let case = self.case;
        for (k, entry) in case.attachments.iter().enumerate() {
            let at = |key: &str| format!("attachments[{k}].{key}");
            self.known_bodies(&at("body"), &entry.body);
            let numbers = [("stiffness", &entry.stiffness.0), ("damping", &entry.damping.0)];
            let mut all: Vec<(&str, f64)> =
                numbers.into_iter().flat_map(|(key, values)| values.iter().map(move |x| (key, *x))).collect();
            all.push(("mass", entry.mass));
            for (key, value) in all.iter().filter(|(_, x)| !(x.is_finite() && *x >= 0.0)) {
                self.problems.input(codes::NEGATIVE, at(key), format!("{key} = {value} must be a finite number >= 0"));
            }
            if !entry.absorbing && all.iter().all(|(_, x)| x.abs() <= 0.0) {
                let message = "it does nothing: give `stiffness`, `damping`, `mass` or `absorbing: true`";
                self.problems.input(codes::NOTHING_ATTACHED, format!("attachments[{k}]"), message);
            }
            if let Some(body) = case.bodies.iter().find(|b| b.name == entry.body && b.is_rigid()) {
                let message = format!("body `{}` is rigid: attachments are for deformable bodies", body.name);
                self.problems.input(codes::RIGID_ATTACHMENT, at("body"), message);
            }
        }
    }

    /// The attachments of a body.
    pub(super) fn attachments<const D: usize>(&mut self, body: usize, input: &mut BodyInput<D>) {
        let case = self.case;
        for (k, entry) in
            case.attachments.iter().enumerate().filter(|(_, e)| self.roster.means(&e.body, body)).collect::<Vec<_>>()
        {
            let at = |key: &str| format!("attachments[{k}].{key}");
            let stiffness = self.vector::<D>(&at("stiffness"), &entry.stiffness);
            let damping = self.vector::<D>(&at("damping"), &entry.damping);
            let known = self.known_group(&at("group"), &input.mesh, &entry.group)
                && (!entry.absorbing || self.has_facets(&at("group"), &input.mesh, &entry.group));
            let good = [entry.mass]
                .iter()
                .chain(&entry.stiffness.0)
                .chain(&entry.damping.0)
                .all(|x| x.is_finite() && *x >= 0.0);
            if let (Some(stiffness), Some(damping), true) = (stiffness, damping, known && good) {
                let (group, mass, absorbing) = (entry.group.clone(), entry.mass, entry.absorbing);
                input.attachments.push(Attachment { group, stiffness, damping, mass, absorbing });
            }
        }
    }
}
