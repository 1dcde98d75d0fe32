//! Probes and the `verify` block of a case.

use delassus_fem::{Kinematics, MaterialSpec};
use delassus_rigid::RigidBody;
use delassus_sim::model::{GrainGroup, ModelBody, Probe, ProbeKind, centre_site};
use delassus_sim::record::{Columns, JointColumns, PairColumns};
use delassus_sim::space::Dimension;

use super::names::find_name;
use super::{Builder, Generate};
use crate::codes;
use crate::spec::{Case, Components, ContactEntry, JointEntry, JointKindSpec, MaterialEntry, ProbeSpec};

impl Builder<'_> {
    pub(super) fn probe<const D: usize>(&mut self, i: usize, bodies: &[Option<ModelBody<D>>]) -> Option<Probe>
    where
        Dimension<D>: Generate<D>,
    {
        let entry = &self.case.probes[i];
        let path = format!("probes[{i}].at");
        let (body, weights) = match &entry.at {
            ProbeSpec::Body(name) => {
                let k = self.known_body(&path, name)?;
                if let Some(rigid) = bodies[k].as_ref()?.body.rigid() {
                    return Some(Probe::Motion { body: k, weights: vec![(centre_site(&rigid.input().mesh), 1.0)] });
                }
                let body = bodies[k].as_ref()?.body.finite_elements()?;
                let total = body.total_mass();
                (k, body.node_masses().iter().map(|m| m / total).enumerate().collect())
            }
            ProbeSpec::Group(spec) => {
                let (k, body) = self.side(&path, spec, bodies)?;
                let mesh = body.body.mesh();
                let nodes = mesh.group_nodes(mesh.group(&spec.group).ok()?);
                let share = 1.0 / nodes.len() as f64;
                (k, nodes.into_iter().map(|n| (n, share)).collect())
            }
            ProbeSpec::Point { body, point } => {
                let (k, node) = self.nearest_node(&path, "body", body, point, bodies)?;
                (k, vec![(node, 1.0)])
            }
            ProbeSpec::Between { body, reference, point } => {
                let node = self.nearest_node(&path, "body", body, point, bodies);
                let reference = self.nearest_node(&path, "reference", reference, point, bodies);
                return Some(Probe::Between { node: node?, reference: reference? });
            }
            ProbeSpec::Turn(name) => {
                let k = self.known_body(&path, name)?;
                if bodies[k].as_ref()?.body.rigid().is_none() {
                    let message = format!("body `{name}` deforms: `Turn` follows a rigid body");
                    self.problems.input(codes::NOT_RIGID, path, message);
                    return None;
                }
                return Some(Probe::Turn { body: k });
            }
            ProbeSpec::Masonry(names) => return self.masonry(&path, names, bodies).map(Probe::Masonry),
            ProbeSpec::Grains(names) => return self.grains(&path, names, bodies).map(Probe::Grains),
            ProbeSpec::Stress(spec) => {
                let (k, body) = self.side(&path, spec, bodies)?;
                if body.body.finite_elements().is_none() {
                    let message = format!("body `{}` is rigid: it has no stress", spec.body);
                    self.problems.input(codes::STRESS_PROBE, format!("{path}.body"), message);
                    return None;
                }
                let group = body.body.mesh().group_of_dim(&spec.group, D).ok()?;
                if group.dim != D {
                    let message =
                        format!("group `{}` has no cells with a stress: name a group of dimension {D}", spec.group);
                    self.problems.input(codes::STRESS_PROBE, format!("{path}.group"), message);
                    return None;
                }
                let volumes: Vec<f64> = group.cells.iter().map(|&c| body.body.mesh().cell_measure(c)).collect();
                let total: f64 = volumes.iter().sum();
                let weights = group.cells.iter().zip(&volumes).map(|(&c, v)| (c, v / total)).collect();
                return Some(Probe::Stress { body: k, weights });
            }
        };
        Some(Probe::Motion { body, weights })
    }

    /// The disks or balls that a probe measures together.
    fn grains<const D: usize>(
        &mut self,
        path: &str,
        names: &[String],
        bodies: &[Option<ModelBody<D>>],
    ) -> Option<GrainGroup> {
        let mut found: Vec<usize> = Vec::new();
        for name in names {
            found.extend(self.known_bodies(path, name)?);
        }
        found.sort_unstable();
        found.dedup();
        let thickness = |k: usize| self.case.bodies[self.roster.members[k].entry].section.thickness();
        let first = found.first().map_or(1.0, |&k| thickness(k));
        for &k in &found {
            let body = bodies[k].as_ref()?;
            let what = match body.body.rigid().map(RigidBody::ball_radius) {
                Some(Some(_)) if D == 3 || (thickness(k) - first).abs() <= 0.0 => continue,
                Some(Some(_)) => "has another thickness than the first",
                _ => "is no rigid disk or ball",
            };
            let message = format!("body `{}` {what}: `Grains` measures disks or balls of one thickness", body.name);
            self.problems.input(codes::GRAINS_PROBE, path, message);
            return None;
        }
        if found.is_empty() {
            self.problems.input(codes::GRAINS_PROBE, path, "`Grains` names no body");
            return None;
        }
        Some(GrainGroup { bodies: found, thickness: if D == 2 { first } else { 1.0 } })
    }

    /// The node of a body nearest to a point.
    fn nearest_node<const D: usize>(
        &mut self,
        path: &str,
        key: &str,
        body: &str,
        point: &Components,
        bodies: &[Option<ModelBody<D>>],
    ) -> Option<(usize, usize)> {
        let k = self.known_body(&format!("{path}.{key}"), body)?;
        let x = self.vector::<D>(&format!("{path}.point"), point)?;
        let distance = |p: &[f64; D]| p.iter().zip(&x).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
        let points = &bodies[k].as_ref()?.body.mesh().points;
        let nearest = (0..points.len()).min_by(|a, b| distance(&points[*a]).total_cmp(&distance(&points[*b])))?;
        Some((k, nearest))
    }

    pub(super) fn verification(&mut self) {
        let Some(spec) = &self.case.verify else { return };
        let columns = columns(self.case).names();
        let known: Vec<&str> = columns.iter().map(String::as_str).collect();
        if let Some(solution) = &spec.solution {
            for (key, value, right) in solution.solution().faults() {
                self.problems.input(
                    codes::SOLUTION,
                    format!("verify.solution.{key}"),
                    format!("{key} = {value} {right}"),
                );
            }
            for column in solution.solution().columns() {
                find_name(&mut self.problems, "verify.solution", "column of history.csv", &column, &known);
            }
        }
        for (k, check) in spec.checks.iter().enumerate() {
            let path = format!("verify.checks[{k}]");
            find_name(
                &mut self.problems,
                &format!("{path}.measure.column"),
                "column of history.csv",
                check.measure.column(),
                &known,
            );
            for (key, message) in check.measure.faults() {
                self.problems.input(codes::MEASURE, format!("{path}.measure.{key}"), message);
            }
            let exact = spec.solution.as_ref().map_or(Vec::new(), |s| s.solution().columns());
            if check.measure.needs_exact() && !exact.iter().any(|c| c == check.measure.column()) {
                let column = check.measure.column();
                let own = if spec.references.iter().any(|r| r.column == column) {
                    "; a reference has `norm` and `tolerance` of its own"
                } else {
                    ""
                };
                let message = format!("no exact curve of `{column}`: the solution has {exact:?}{own}");
                self.problems.input(codes::NO_EXACT_CURVE, format!("{path}.measure.column"), message);
            }
            self.positive_check(&format!("{path}.tolerance"), check.tolerance);
            if !check.expected.is_finite() {
                self.problems.input(
                    codes::NOT_FINITE,
                    format!("{path}.expected"),
                    format!("{} is not a finite number", check.expected),
                );
            }
        }
    }

    pub(super) fn positive_check(&mut self, path: &str, value: f64) {
        if !(value.is_finite() && value > 0.0) {
            self.problems.input(codes::NOT_POSITIVE, path, format!("tolerance = {value} must be positive and finite"));
        }
    }
}

/// The columns that the history of a case will have, before there is a model.
pub(crate) fn columns(case: &Case) -> Columns {
    let remembers = |m: &MaterialEntry| match &m.law {
        MaterialSpec::KelvinVoigt(_)
        | MaterialSpec::NeoHookean(_)
        | MaterialSpec::MooneyRivlin(_)
        | MaterialSpec::StVenantKirchhoff(_)
        | MaterialSpec::Orthotropic(_) => false,
        MaterialSpec::Maxwell(_)
        | MaterialSpec::GeneralizedMaxwell(_)
        | MaterialSpec::VonMises(_)
        | MaterialSpec::DruckerPrager(_)
        | MaterialSpec::ThermoElastic(_) => true,
        MaterialSpec::Own(own) => own.thing().is_some_and(|material| material.n_internal() > 0),
    };
    let kind = |at: &ProbeSpec| match at {
        ProbeSpec::Body(_) | ProbeSpec::Group(_) | ProbeSpec::Point { .. } => ProbeKind::Motion,
        ProbeSpec::Between { .. } => ProbeKind::Between,
        ProbeSpec::Turn(_) => ProbeKind::Turn,
        ProbeSpec::Masonry(_) => ProbeKind::Masonry,
        ProbeSpec::Grains(_) => ProbeKind::Grains,
        ProbeSpec::Stress(_) => ProbeKind::Stress,
    };
    let deformable = || case.bodies.iter().filter(|b| !b.is_rigid());
    let moves = deformable().any(|b| case.kinematics_of(b).moves_geometry());
    let pair = |c: &ContactEntry| PairColumns {
        name: c.name.clone(),
        remembers: c.law.keeps_history(),
        resists: c.resistance.is_some(),
    };
    let joint = |j: &JointEntry| JointColumns {
        name: j.name.clone(),
        has_coordinate: matches!(
            j.kind,
            JointKindSpec::Hinge | JointKindSpec::Slider | JointKindSpec::Distance | JointKindSpec::Spring
        ),
        has_spring: j.spring.is_some(),
    };
    Columns {
        dimension: case.dimension,
        tells_rotation: deformable().any(|b| !case.kinematics_of(b).moves_geometry()),
        tells_inertia: case
            .integrator
            .build()
            .is_ok_and(|i| i.tells_inertia(case.materials.iter().any(remembers) || moves)),
        tells_plastic: case.materials.iter().any(|m| m.law.yields()),
        tells_dilation: deformable().any(|b| case.kinematics_of(b).dilates()),
        tells_spin: deformable().any(|b| matches!(case.kinematics_of(b), Kinematics::Corotational { .. })),
        tells_rotation_energy: case.bodies.iter().any(crate::spec::BodyEntry::is_rigid),
        pairs: case.contacts.iter().map(pair).collect(),
        joints: case.joints.iter().map(joint).collect(),
        probes: case.probes.iter().map(|p| (p.name.clone(), kind(&p.at))).collect(),
    }
}
