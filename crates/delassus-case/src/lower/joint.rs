//! Joints of a case.

use delassus_sim::model::{Joint, JointFriction, JointKind, JointMotion, JointSide, JointSpring, ModelBody};
use nalgebra::{Matrix3, SVector, Vector3};

use super::Builder;
use crate::codes;
use crate::spec::{Components, JointEntry, JointKindSpec, JointMotionSpec};

/// Part of the coordinates of a point by which another one may be off and still be the same.
const ROUNDED: f64 = 1e-9;

/// A side, and where it is at the start.
type PlacedSide<const D: usize> = (JointSide<D>, SVector<f64, D>);

impl Builder<'_> {
    /// The joints of the model; those of an entry that is wrong are left out.
    pub(super) fn joints<const D: usize>(&mut self, bodies: &[Option<ModelBody<D>>]) -> Option<Vec<Joint<D>>> {
        let case = self.case;
        let integrator = case.integrator.build();
        let refused = integrator.is_ok_and(|i| i.keeps_acceleration() || i.requires_lumped_mass());
        if !case.joints.is_empty() && refused {
            let message = "this scheme has no joints: choose `ModifiedTheta`, `EnergyMomentum`, `Theta` or `ThetaEuler`, or `QuasiStatic`";
            self.problems.input(codes::JOINT_SCHEME, "integrator", message);
        }
        let made: Vec<_> = (0..case.joints.len()).map(|k| self.joint(k, bodies)).collect();
        made.into_iter().collect::<Option<Vec<_>>>().map(|lists| lists.concat())
    }

    fn joint<const D: usize>(&mut self, k: usize, bodies: &[Option<ModelBody<D>>]) -> Option<Vec<Joint<D>>> {
        let entry = &self.case.joints[k];
        let at = |key: &str| format!("joints[{k}].{key}");
        let one = self.known_body(&at("body"), &entry.body);
        let other = match &entry.to {
            Some(name) => Some(self.known_body(&at("to"), name)?),
            None => None,
        };
        let one = one?;
        if other == Some(one) {
            let message = format!(
                "`{}` is jointed to itself: name another body in `to`, or leave it out for the ground",
                entry.body
            );
            self.problems.input(codes::JOINT_ITSELF, at("to"), message);
            return None;
        }
        self.joint_keys(k, entry)?;
        let (body, to) = (bodies[one].as_ref()?, other.map(|o| bodies[o].as_ref().map(|b| (o, b))));
        let to = match to {
            Some(found) => Some(found?),
            None => None,
        };
        if entry.kind == JointKindSpec::Bonded {
            return self.bonded(k, (one, body), to);
        }
        let sides = self.joint_sides(k, (one, body), to)?;
        let [(a, x_a), (b, x_b)] = sides;
        let length = (x_a - x_b).norm();
        if joins_points(entry.kind) && (length.is_nan() || length <= 0.0) {
            let message =
                "the two ends are the same point: a length of 0 has no direction; move one of them, or use `Ball`";
            self.problems.input(codes::JOINT_PLACE, at("to_at"), message);
            return None;
        }
        let axes = self.joint_axes::<D>(&at("axis"), entry)?;
        self.joint_turns(k, &a, &b, bodies)?;
        for (key, side) in [("at", &a), (if joins_points(entry.kind) { "to_at" } else { "at" }, &b)] {
            self.joint_at_point(&at(key), side, bodies)?;
        }
        Some(vec![Joint {
            name: entry.name.clone(),
            kind: kind(entry.kind),
            sides: [a, b],
            axes,
            length,
            motion: self.joint_motion(&at("motion"), entry)?,
            spring: entry.spring.map(|s| JointSpring { stiffness: s.stiffness, damping: s.damping, rest: s.rest }),
            friction: friction(entry),
            follows: false,
        }])
    }

    /// Keys that a kind does not have, and their values.
    fn joint_keys(&mut self, k: usize, entry: &JointEntry) -> Option<()> {
        let before = self.problems.0.len();
        let path = |key: &str| format!("joints[{k}].{key}");
        let moves = matches!(entry.kind, JointKindSpec::Hinge | JointKindSpec::Slider);
        let rod = joins_points(entry.kind);
        let spring = entry.kind == JointKindSpec::Spring;
        let bonded = entry.kind == JointKindSpec::Bonded;
        let given = [
            ("motion", entry.motion.is_some(), moves || rod && !spring),
            ("spring", entry.spring.is_some(), moves || spring),
            ("friction", entry.friction.is_some(), moves || spring),
            ("coulomb", entry.coulomb.is_some(), moves),
            ("axis", !entry.axis.0.is_empty(), moves),
            ("to_at", !entry.to_at.0.is_empty(), rod),
            ("at", !entry.at.0.is_empty(), !bonded),
            ("to_group", entry.to_group.is_some(), !bonded),
        ];
        for (key, _, _) in given.iter().filter(|(_, is_given, is_known)| *is_given && !*is_known) {
            let message = format!("a `{:?}` has no `{key}`: leave it out", entry.kind);
            self.problems.input(codes::JOINT_KEY, path(key), message);
        }
        if spring && entry.spring.is_none() && entry.friction.is_none() {
            let message = "it does nothing: give `spring: (stiffness: …, damping: …)` or `friction`";
            self.problems.input(codes::JOINT_KEY, format!("joints[{k}]"), message);
        }
        if entry.motion.is_some() && (entry.spring.is_some() || entry.friction.is_some() || entry.coulomb.is_some()) {
            let message = "a prescribed coordinate feels no spring and no friction: leave `motion`, or `spring`, `friction` and `coulomb` out";
            self.problems.input(codes::JOINT_KEY, path("motion"), message);
        }
        if let Some(f) = entry.friction {
            self.positive(&path("friction"), "friction", f);
        }
        if let Some(c) = &entry.coulomb {
            self.positive(&path("coulomb.friction"), "friction", c.friction);
            if let Some(r) = c.radius {
                self.positive(&path("coulomb.radius"), "radius", r);
            }
            let message = match (entry.kind, c.radius) {
                (JointKindSpec::Hinge, None) => {
                    "the moment of friction of a pin is `friction` times its radius times the force: give `radius`"
                }
                (JointKindSpec::Slider, Some(_)) => "the friction of a slider has no radius: leave it out",
                _ => "",
            };
            if !message.is_empty() {
                self.problems.input(codes::JOINT_RADIUS, path("coulomb.radius"), message);
            }
        }
        if let Some(s) = &entry.spring {
            for (key, value) in [("stiffness", s.stiffness), ("damping", s.damping)] {
                if !(value.is_finite() && value >= 0.0) {
                    let message = format!("{key} = {value} must be a finite number >= 0");
                    self.problems.input(codes::NEGATIVE, path(&format!("spring.{key}")), message);
                }
            }
            if !s.rest.is_finite() {
                let message = format!("{} is not a finite number", s.rest);
                self.problems.input(codes::NOT_FINITE, path("spring.rest"), message);
            }
            if s.stiffness.abs() <= 0.0 && s.damping.abs() <= 0.0 {
                self.problems.input(
                    codes::JOINT_KEY,
                    path("spring"),
                    "give `stiffness` or `damping`, or leave `spring` out",
                );
            }
        }
        (self.problems.0.len() == before).then_some(())
    }

    fn joint_motion(&mut self, path: &str, entry: &JointEntry) -> Option<Option<JointMotion>> {
        Some(match &entry.motion {
            None => None,
            Some(JointMotionSpec::Coordinate(f)) => {
                let good = self.function(&format!("{path}.Coordinate"), f);
                good.then(|| JointMotion::Coordinate(f.clone())).map(Some)?
            }
            Some(JointMotionSpec::Rate(f)) => {
                let good = self.velocity_function(&format!("{path}.Rate"), f);
                good.then(|| JointMotion::Rate(f.clone())).map(Some)?
            }
        })
    }

    /// Both sides, and where they are.
    fn joint_sides<const D: usize>(
        &mut self,
        k: usize,
        one: (usize, &ModelBody<D>),
        other: Option<(usize, &ModelBody<D>)>,
    ) -> Option<[PlacedSide<D>; 2]> {
        let entry = &self.case.joints[k];
        let rod = joins_points(entry.kind);
        let nodes = |key: &str| format!("joints[{k}].{key}");
        let given = self.joint_point::<D>(&nodes("at"), &entry.at)?;
        let far = if rod { self.joint_point::<D>(&nodes("to_at"), &entry.to_at)? } else { given };
        let a = self.joint_nodes(&nodes("group"), one, entry.group.as_deref(), given)?;
        let b = match other {
            Some(other) => self.joint_nodes(&nodes("to_group"), other, entry.to_group.as_deref(), far)?,
            None => None,
        };
        // The point of a side that has no nodes is the one that is given, or that of the nodes of the other side.
        let point = |own: &Option<PlacedSide<D>>, beside: &Option<PlacedSide<D>>, given: Option<SVector<f64, D>>| {
            let beside = beside.as_ref().filter(|_| !rod).map(|s| s.1);
            own.as_ref().map(|s| s.1).or(beside).or(given)
        };
        let (Some(x_a), Some(x_b)) = (point(&a, &b, given), point(&b, &a, far)) else {
            let key = if point(&a, &b, given).is_none() { "at" } else { "to_at" };
            self.problems.input(codes::JOINT_PLACE, nodes(key), format!("a joint needs a point: give `{key}`"));
            return None;
        };
        let side = |made: Option<PlacedSide<D>>, body: Option<(usize, &ModelBody<D>)>, x: SVector<f64, D>| {
            made.unwrap_or_else(|| {
                let rigid = body.and_then(|(number, b)| Some((number, b.body.rigid()?)));
                let on = |(body, r): (usize, &delassus_rigid::RigidBody<D>)| JointSide::Rigid {
                    body,
                    arm: x - r.input().inertia.centre,
                };
                (rigid.map_or(JointSide::Ground(x), on), x)
            })
        };
        Some([side(a, Some(one), x_a), side(b, other, x_b)])
    }

    /// A point, if one is given; outside: whether it could be read.
    #[expect(
        clippy::option_option,
        reason = "the inner one is the case's, the outer one says whether it could be read"
    )]
    fn joint_point<const D: usize>(&mut self, path: &str, given: &Components) -> Option<Option<SVector<f64, D>>> {
        if given.0.is_empty() {
            return Some(None);
        }
        self.vector::<D>(path, given).map(|x| Some(SVector::from(x)))
    }

    /// The nodes of a side that deforms; `None` within for a rigid one.
    #[expect(
        clippy::option_option,
        reason = "the inner one is the kind of side, the outer one says whether it could be read"
    )]
    fn joint_nodes<const D: usize>(
        &mut self,
        path: &str,
        (number, body): (usize, &ModelBody<D>),
        group: Option<&str>,
        at: Option<SVector<f64, D>>,
    ) -> Option<Option<PlacedSide<D>>> {
        let mesh = body.body.mesh();
        if body.body.finite_elements().is_none() {
            if group.is_some() {
                let message =
                    format!("body `{}` is rigid: a joint has one point of it, leave the group out", body.name);
                self.problems.input(codes::JOINT_KEY, path, message);
                return None;
            }
            return Some(None);
        }
        let nodes = match (group, at) {
            (Some(name), _) => self.joint_group(path, mesh, name)?,
            (None, Some(x)) => {
                let distance = |p: &[f64; D]| (SVector::from(*p) - x).norm_squared();
                let near = (0..mesh.n_points())
                    .min_by(|a, b| distance(&mesh.points[*a]).total_cmp(&distance(&mesh.points[*b])));
                vec![near?]
            }
            (None, None) => {
                let message = format!(
                    "body `{}` deforms: name a group of its nodes, or a point whose nearest node is meant",
                    body.name
                );
                self.problems.input(codes::JOINT_PLACE, path, message);
                return None;
            }
        };
        let share = 1.0 / nodes.len() as f64;
        let mean = nodes.iter().map(|&n| SVector::from(mesh.points[n]) * share).sum();
        Some(Some((JointSide::Nodes { body: number, weights: nodes.into_iter().map(|n| (n, share)).collect() }, mean)))
    }

    fn joint_group<const D: usize>(
        &mut self,
        path: &str,
        mesh: &delassus_mesh::Mesh<D>,
        name: &str,
    ) -> Option<Vec<usize>> {
        let group = self.problems.check(path, mesh.group(name))?;
        let nodes = mesh.group_nodes(group);
        if nodes.is_empty() {
            self.problems.input(codes::JOINT_PLACE, path, format!("group `{name}` has no nodes"));
            return None;
        }
        Some(nodes)
    }

    /// A joint for every node of a group.
    fn bonded<const D: usize>(
        &mut self,
        k: usize,
        (number, body): (usize, &ModelBody<D>),
        to: Option<(usize, &ModelBody<D>)>,
    ) -> Option<Vec<Joint<D>>> {
        let entry = &self.case.joints[k];
        let rigid = to.and_then(|(n, b)| Some((n, b.body.rigid()?)));
        let (Some((other, rigid)), Some(group), true) = (rigid, &entry.group, body.body.finite_elements().is_some())
        else {
            let message =
                "`Bonded` lets the nodes of a `group` of a deformable `body` follow a rigid body, named in `to`";
            self.problems.input(codes::JOINT_BONDED, format!("joints[{k}]"), message);
            return None;
        };
        let mesh = body.body.mesh();
        let nodes = self.joint_group(&format!("joints[{k}].group"), mesh, group)?;
        let joint = |(i, n): (usize, usize)| Joint {
            name: entry.name.clone(),
            kind: JointKind::Ball,
            sides: [
                JointSide::Nodes { body: number, weights: vec![(n, 1.0)] },
                JointSide::Rigid { body: other, arm: SVector::from(mesh.points[n]) - rigid.input().inertia.centre },
            ],
            axes: Matrix3::identity(),
            length: 0.0,
            motion: None,
            spring: None,
            friction: None,
            follows: i > 0,
        };
        Some(nodes.into_iter().enumerate().map(joint).collect())
    }

    /// F: in space the third axis, in the plane the second of a slider is the axis of the joint.
    fn joint_axes<const D: usize>(&mut self, path: &str, entry: &JointEntry) -> Option<Matrix3<f64>> {
        let is_slider = entry.kind == JointKindSpec::Slider;
        if is_slider && entry.axis.0.is_empty() {
            self.problems.input(codes::JOINT_PLACE, path, "a slider needs a direction: give `axis`");
            return None;
        }
        if D == 2 && !is_slider {
            self.axis::<D>(path, &entry.axis)?;
            return Some(Matrix3::identity());
        }
        if !matches!(entry.kind, JointKindSpec::Slider | JointKindSpec::Hinge) {
            return Some(Matrix3::identity());
        }
        let axis = match D {
            2 => {
                let [x, y] = self.vector::<2>(path, &entry.axis)?;
                Vector3::new(x, y, 0.0)
            }
            _ => return self.axis::<D>(path, &entry.axis).map(|axis| frame_about(&axis)),
        };
        let scaled = axis / axis.amax();
        let Some(axis) = scaled.try_normalize(0.0).filter(|a| a.iter().all(|x| x.is_finite())) else {
            self.problems.input(codes::ZERO_AXIS, path, format!("the axis ({}, {}) has no direction", axis.x, axis.y));
            return None;
        };
        Some(Matrix3::from_columns(&[Vector3::new(axis.y, -axis.x, 0.0), axis, Vector3::z()]))
    }

    /// Refuses joints of point masses that are elsewhere.
    fn joint_at_point<const D: usize>(
        &mut self,
        path: &str,
        side: &JointSide<D>,
        bodies: &[Option<ModelBody<D>>],
    ) -> Option<()> {
        let JointSide::Rigid { body, arm } = side else { return Some(()) };
        let known = bodies[*body].as_ref()?;
        let Some(point) = known.body.rigid().filter(|r| !r.turns()) else { return Some(()) };
        let place = point.input().inertia.centre;
        if is_at_point(arm, &place) {
            return Some(());
        }
        let message = format!(
            "the point mass `{}` is at {:?}, {:.3e} m from this joint, and cannot turn about it: put the joint there, or use a `Distance` or a body with an extent",
            known.name,
            place.as_slice(),
            arm.norm()
        );
        self.problems.input(codes::JOINT_POINT, path, message);
        None
    }

    /// Refuses joints that hold a rotation of a side that has none.
    fn joint_turns<const D: usize>(
        &mut self,
        k: usize,
        a: &JointSide<D>,
        b: &JointSide<D>,
        bodies: &[Option<ModelBody<D>>],
    ) -> Option<()> {
        let entry = &self.case.joints[k];
        let turns = |side: &JointSide<D>| match side {
            JointSide::Ground(_) => true,
            JointSide::Nodes { .. } => false,
            JointSide::Rigid { body, .. } => {
                bodies[*body].as_ref().and_then(|b| b.body.rigid()).is_some_and(delassus_rigid::RigidBody::turns)
            }
        };
        // What slides along an axis may be a point; the axis is fixed in the other side.
        let (needs_a, needs_b) = match entry.kind {
            JointKindSpec::Hinge | JointKindSpec::Fixed => (true, true),
            JointKindSpec::Slider => (false, true),
            _ => (false, false),
        };
        let missing = if needs_a && !turns(a) {
            Some(("body", entry.body.as_str()))
        } else if needs_b && !turns(b) {
            Some(("to", entry.to.as_deref().unwrap_or("the ground")))
        } else {
            None
        };
        let Some((key, name)) = missing else { return Some(()) };
        let instead = match entry.kind {
            JointKindSpec::Slider => "the axis of a slider is fixed in the side `to`: exchange the sides",
            _ => "use `Ball`, or `Bonded` for a group of nodes that follow a rigid body",
        };
        let message =
            format!("`{name}` has no rotation in a joint (a point mass, or nodes of a deformable body): {instead}");
        self.problems.input(codes::JOINT_TURN, format!("joints[{k}].{key}"), message);
        None
    }
}

/// Is a point that is `arm` away from a point mass at its place, up to rounding of coordinates?
pub(super) fn is_at_point<const D: usize>(arm: &SVector<f64, D>, place: &SVector<f64, D>) -> bool {
    arm.amax() <= ROUNDED * place.amax()
}

/// Friction of both kinds together.
fn friction(entry: &JointEntry) -> Option<JointFriction> {
    let per_force = entry.coulomb.map(|c| c.friction * c.radius.unwrap_or(1.0));
    (entry.friction.is_some() || per_force.is_some())
        .then(|| JointFriction { limit: entry.friction.unwrap_or(0.0), per_force: per_force.unwrap_or(0.0) })
}

/// Has it two ends?
fn joins_points(kind: JointKindSpec) -> bool {
    matches!(kind, JointKindSpec::Distance | JointKindSpec::Spring)
}

fn kind(spec: JointKindSpec) -> JointKind {
    match spec {
        JointKindSpec::Ball | JointKindSpec::Bonded => JointKind::Ball,
        JointKindSpec::Hinge => JointKind::Hinge,
        JointKindSpec::Slider => JointKind::Slider,
        JointKindSpec::Fixed => JointKind::Fixed,
        JointKindSpec::Distance => JointKind::Distance,
        JointKindSpec::Spring => JointKind::Spring,
    }
}

/// Right-handed axes, the third of which is given.
fn frame_about(axis: &Vector3<f64>) -> Matrix3<f64> {
    let least = axis.iamin();
    let across = Vector3::from_fn(|i, _| f64::from(u8::from(i == least)));
    let first = (across - axis * axis.dot(&across)).normalize();
    Matrix3::from_columns(&[first, axis.cross(&first), *axis])
}
