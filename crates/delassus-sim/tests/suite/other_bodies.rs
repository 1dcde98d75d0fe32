//! The door for other bodies: a point mass and a rigid disk, defined here, bounce, slide and roll through the step of the method.
//!
//! ```text
//! slide   v = v₀ − μ g t until it stops, x = v₀²/(2 μ g)                     point mass
//! bounce  U_N⁺ = −e U_N⁻, p_T = −μ p_N or U_T⁺ = 0 with p_T = −m v_T/3        disk, I = ½ m r²
//! roll    from v₀ without spin: rolls from t₁ = v₀/(3 μ g) on with ⅔ v₀       down a slope: ⅔ g sin α, or slides if tan α > 3 μ
//! ```
//!
//! The forces of these motions are constant between changes of status, and the midpoint rule integrates such motions exactly: tolerances are
//! rounding, unless a comment says otherwise. The disk has q = (x, y, cos φ, sin φ) and v = (ẋ, ẏ, φ̇), of different lengths.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails by panicking")]

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use delassus_case::Loaded;
use delassus_contact::{CandidateSet, Contact, HalfSpace, Map, Round, Side, local_velocity, scatter};
use delassus_dynamics::integrator::ModifiedTheta;
use delassus_dynamics::{BodyResponse, Inelastic, Integrator, Matrices, Motion, State, System};
use delassus_error::Coded;
use delassus_fem::{FemError, TimeFunction};
use delassus_mesh::{CellBlock, CellKind, Mesh};
use delassus_sim::Model;
use delassus_sim::condense::{Sites, condense};
use delassus_sim::engine::Engine;
use delassus_sim::ledger::Ledger;
use delassus_sim::model::{
    Direction, FailurePolicy, Jacobian, MarginSpec, ModelAntagonist, ModelBody, ModelPair, MovingObstacle, SpatialBody,
    StartSpec, Twins,
};
use delassus_sim::operators::Operators;
use delassus_sim::outcome::Outcome;
use delassus_sim::snapshot::Snapshot;
use delassus_sim::space::{Dimension, Space};
use delassus_sim::step::step;
use delassus_sim::stepper::{FailureReason, Stepper};
use delassus_sim::timings::Timings;
use delassus_solver::law::{Restitution, SignoriniCoulomb};
use delassus_solver::{LawSpec, Method, SolverOptions};
use nalgebra::{Const, Dyn, OMatrix, SVector, Vector3};
use nalgebra_sparse::CscMatrix;

const G: f64 = 10.0;

/// A body of few degrees of freedom with a diagonal mass and constant loads.
struct Few {
    matrices: Matrices,
    loads: Vec<f64>,
}

impl Few {
    fn new(masses: &[f64], loads: Vec<f64>) -> Self {
        let n = masses.len();
        let mut mass = CscMatrix::identity(n);
        mass.values_mut().copy_from_slice(masses);
        let mut stiffness = CscMatrix::identity(n);
        stiffness.values_mut().fill(0.0);
        Self { matrices: Matrices { mass, damping: CscMatrix::zeros(n, n), stiffness, lumped: true }, loads }
    }
}

/// What both test bodies answer in the same way.
macro_rules! system_of_few {
    () => {
        fn n_dof(&self) -> usize {
            self.few.loads.len()
        }
        fn matrices(&self) -> &Matrices {
            &self.few.matrices
        }
        fn mass_times_into(&self, x: &[f64], out: &mut [f64]) {
            let masses = self.few.matrices.mass.values();
            out.iter_mut().zip(masses.iter().zip(x)).for_each(|(y, (m, x))| *y = m * x);
        }
        fn elastic_force_into(&self, _q: &[f64], out: &mut [f64]) {
            out.fill(0.0);
        }
        fn elastic_energy(&self, _q: &[f64]) -> f64 {
            0.0
        }
        fn viscous_force_into(&self, _q: &[f64], _v: &[f64], out: &mut [f64]) {
            out.fill(0.0);
        }
        fn is_damped(&self) -> bool {
            false
        }
        fn loads_into(&self, _t: f64, out: &mut [f64]) {
            out.copy_from_slice(&self.few.loads);
        }
        fn prescribed(&self) -> &[usize] {
            &[]
        }
        fn prescribed_motion(&self, _t: f64) -> Vec<(f64, f64)> {
            Vec::new()
        }
    };
}

/// A point with a mass: one node, one site.
struct PointMass<const D: usize> {
    few: Few,
    mesh: Arc<Mesh<D>>,
}

impl<const D: usize> System for PointMass<D> {
    system_of_few!();
}

impl<const D: usize> SpatialBody<D> for PointMass<D> {
    fn mesh(&self) -> &Arc<Mesh<D>> {
        &self.mesh
    }
    fn displacements<'a>(&'a self, q: &'a [f64]) -> Cow<'a, [f64]> {
        Cow::Borrowed(q)
    }
    fn jacobian(&self, _q: &[f64], _site: usize) -> Option<Jacobian<D>> {
        Some(OMatrix::<f64, Const<D>, Dyn>::identity(D))
    }
    fn add_momentum(&self, v: &[f64], total: &mut [f64; D]) {
        total.iter_mut().zip(v).for_each(|(t, v)| *t += self.total_mass() * v);
    }
    fn total_mass(&self) -> f64 {
        self.few.matrices.mass.values()[0]
    }
    fn frozen(&self) -> Result<Box<dyn SpatialBody<D>>, FemError> {
        Ok(Box::new(point_mass::<D>(self.total_mass(), self.few.loads[D - 1], self.mesh.points[0])))
    }
}

fn point_mass<const D: usize>(mass: f64, weight: f64, at: [f64; D]) -> PointMass<D> {
    let mut loads = vec![0.0; D];
    loads[D - 1] = weight;
    let mesh = Mesh { points: vec![at], blocks: Vec::new(), groups: Vec::new() };
    PointMass { few: Few::new(&vec![mass; D], loads), mesh: Arc::new(mesh) }
}

/// A mass on a pole that has buckled: the farther it is aside, the harder it is pushed, f = −2q.
struct Buckled {
    few: Few,
    mesh: Arc<Mesh<2>>,
}

impl System for Buckled {
    system_of_few!();
    fn inelastic(&self) -> Option<&dyn Inelastic> {
        Some(self)
    }
}

impl Inelastic for Buckled {
    fn initial(&self) -> Vec<f64> {
        Vec::new()
    }
    fn respond(&self, motion: &Motion<'_>) -> BodyResponse {
        let before = &motion.from.q;
        let q: Vec<f64> = before.iter().zip(motion.dq).map(|(q, d)| q + d).collect();
        let energy = |q: &[f64]| -q.iter().map(|x| x * x).sum::<f64>();
        let work = q.iter().zip(before).zip(motion.dq).map(|((b, a), d)| -(a + b) * d).sum();
        BodyResponse {
            force: q.iter().map(|x| -2.0 * x).collect(),
            stored: energy(&q),
            path_work: work,
            ..BodyResponse::default()
        }
    }
    fn tangent(&self, motion: &Motion<'_>) -> Vec<f64> {
        vec![-2.0; motion.dq.len()]
    }
    fn tangent_varies(&self) -> bool {
        true
    }
}

impl SpatialBody<2> for Buckled {
    fn mesh(&self) -> &Arc<Mesh<2>> {
        &self.mesh
    }
    fn displacements<'a>(&'a self, q: &'a [f64]) -> Cow<'a, [f64]> {
        Cow::Borrowed(q)
    }
    fn jacobian(&self, _q: &[f64], _site: usize) -> Option<Jacobian<2>> {
        Some(OMatrix::<f64, Const<2>, Dyn>::identity(2))
    }
    fn add_momentum(&self, v: &[f64], total: &mut [f64; 2]) {
        total.iter_mut().zip(v).for_each(|(t, v)| *t += v);
    }
    fn total_mass(&self) -> f64 {
        1.0
    }
    fn frozen(&self) -> Result<Box<dyn SpatialBody<2>>, FemError> {
        Ok(Box::new(buckled()))
    }
}

fn buckled() -> Buckled {
    let mesh = Mesh { points: vec![[0.0; 2]], blocks: Vec::new(), groups: Vec::new() };
    Buckled { few: Few::new(&[1.0; 2], vec![0.0; 2]), mesh: Arc::new(mesh) }
}

/// A disk that turns: node 0 is its centre, the others its rim; the last site is its rotation.
struct Disk {
    few: Few,
    mesh: Arc<Mesh<2>>,
    radius: f64,
}

const RIM: usize = 24;

impl Disk {
    fn new(mass: f64, radius: f64, at: [f64; 2], load: [f64; 2]) -> Self {
        let mut points = vec![at];
        for k in 0..RIM {
            let (s, c) = (std::f64::consts::TAU * k as f64 / RIM as f64).sin_cos();
            points.push([at[0] + radius * c, at[1] + radius * s]);
        }
        let nodes = (0..RIM).flat_map(|k| [0, 1 + k, 1 + (k + 1) % RIM]).collect();
        let mesh = Mesh { points, blocks: vec![CellBlock { kind: CellKind::Triangle3, nodes }], groups: Vec::new() };
        let few = Few::new(&[mass, mass, 0.5 * mass * radius * radius], vec![load[0], load[1], 0.0]);
        Self { few, mesh: Arc::new(mesh), radius }
    }

    /// From the centre to a node now.
    fn arm(&self, q: &[f64], node: usize) -> [f64; 2] {
        let [x, y] = [0, 1].map(|i| self.mesh.points[node][i] - self.mesh.points[0][i]);
        [q[2] * x - q[3] * y, q[3] * x + q[2] * y]
    }
}

impl System for Disk {
    system_of_few!();

    fn n_position(&self) -> usize {
        4
    }
    fn moved(&self, q: &[f64], motion: &[f64]) -> Vec<f64> {
        let (s, c) = motion[2].sin_cos();
        vec![q[0] + motion[0], q[1] + motion[1], q[2] * c - q[3] * s, q[3] * c + q[2] * s]
    }
    fn motion_between(&self, q: &[f64], p: &[f64]) -> Vec<f64> {
        let turn = (q[2] * p[3] - q[3] * p[2]).atan2(q[2] * p[2] + q[3] * p[3]);
        vec![p[0] - q[0], p[1] - q[1], turn]
    }
}

impl SpatialBody<2> for Disk {
    fn mesh(&self) -> &Arc<Mesh<2>> {
        &self.mesh
    }
    fn n_sites(&self) -> usize {
        self.mesh.n_points() + 1
    }
    fn reference(&self) -> Vec<f64> {
        vec![0.0, 0.0, 1.0, 0.0]
    }
    fn displacements<'a>(&'a self, q: &'a [f64]) -> Cow<'a, [f64]> {
        let place = |node: usize| {
            let (now, at_rest) = (self.arm(q, node), self.arm(&self.reference(), node));
            [0, 1].map(|i| q[i] + now[i] - at_rest[i])
        };
        Cow::Owned((0..self.mesh.n_points()).flat_map(place).collect())
    }
    fn jacobian(&self, q: &[f64], site: usize) -> Option<Jacobian<2>> {
        let rows = if site == self.mesh.n_points() {
            [0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
        } else {
            let [x, y] = self.arm(q, site);
            [1.0, 0.0, -y, 0.0, 1.0, x]
        };
        Some(Jacobian::<2>::from_row_slice(&rows))
    }
    fn add_momentum(&self, v: &[f64], total: &mut [f64; 2]) {
        (0..2).for_each(|i| total[i] += self.total_mass() * v[i]);
    }
    fn total_mass(&self) -> f64 {
        self.few.matrices.mass.values()[0]
    }
    fn frozen(&self) -> Result<Box<dyn SpatialBody<2>>, FemError> {
        let load = [self.few.loads[0], self.few.loads[1]];
        Ok(Box::new(Self::new(self.total_mass(), self.radius, self.mesh.points[0], load)))
    }
}

fn of_model<const D: usize>(name: &str, body: impl SpatialBody<D> + 'static, velocity: Vec<f64>) -> ModelBody<D> {
    ModelBody {
        name: name.to_owned(),
        entry: 0,
        body: Box::new(body),
        initial_velocity: velocity,
        initial_displacement: Vec::new(),
        contact_dofs: Vec::new(),
        mass_inverse: None,
        mesh_hash: None,
    }
}

/// Bodies and pairs, stepped by the midpoint rule.
fn model<const D: usize>(bodies: Vec<ModelBody<D>>, pairs: Vec<ModelPair<D>>, h: f64) -> Arc<Model<D>> {
    Arc::new(Model {
        twins: Twins::find(&bodies, true),
        bodies,
        pairs,
        joints: Vec::new(),
        memory: usize::MAX,
        integrator: Arc::new(ModifiedTheta { theta: 0.5 }),
        h,
        n_steps: 1,
        methods: vec![Method::Nlgs],
        solver_options: SolverOptions { tolerance: 1e-13, ..SolverOptions::default() },
        margins: MarginSpec::default(),
        policy: FailurePolicy::Stop,
        start_state: StartSpec::Undeformed,
        probes: Vec::new(),
        materials: Vec::new(),
    })
}

/// Contact of candidates with the half-space of this normal through the origin.
fn on_floor<const D: usize>(candidates: CandidateSet, normal: SVector<f64, D>, law: LawSpec) -> ModelPair<D> {
    let floor = MovingObstacle {
        number: 0,
        shape: Arc::new(HalfSpace { point: SVector::zeros(), normal }),
        velocity: Vec::new(),
        spin: TimeFunction::Constant(0.0),
        axis: Vector3::z_axis(),
        pivot: SVector::zeros(),
        mesh_hash: None,
    };
    ModelPair {
        name: "floor".to_owned(),
        law: law.build().unwrap(),
        resistance: None,
        initial_penetration: 0.0,
        normals: delassus_contact::Normals::Facet,
        directions: vec![Direction::new(vec![candidates], vec![ModelAntagonist::Obstacle(floor)], false)],
        shapes: None,
    }
}

fn coulomb(friction: f64) -> LawSpec {
    LawSpec::SignoriniCoulomb(SignoriniCoulomb { friction })
}

/// A disk of 3 kg and radius ½ m at rest on a half-space, its gravity turned instead of the floor, and its velocity.
fn disk_on_floor(slope: f64, velocity: [f64; 3], law: LawSpec, h: f64) -> Arc<Model<2>> {
    let (mass, radius) = (3.0, 0.5);
    let load = [mass * G * slope.sin(), -mass * G * slope.cos()];
    let disk = Disk::new(mass, radius, [0.0, radius], load);
    let round = Round { radius, rotation: disk.mesh.n_points() };
    let centre = CandidateSet::new(0, vec![0], vec![1.0]).and_then(|set| set.round(round)).unwrap();
    let floor = on_floor(centre, SVector::<f64, 2>::new(0.0, 1.0), law);
    model(vec![of_model("disk", disk, velocity.to_vec())], vec![floor], h)
}

/// `n` steps; every one is accepted by solver, certificate and law, and the energy ledger closes.
fn run<const D: usize>(model: &Arc<Model<D>>, n: usize, mut look: impl FnMut(&Outcome<D>)) -> Snapshot
where
    Dimension<D>: Space<D>,
{
    let mut engine = Engine::new(model).unwrap();
    let mut snapshot = engine.start().unwrap();
    let system: &dyn System = &*model.bodies[0].body;
    let (kinetic, elastic) = delassus_dynamics::integrator::energies(system, &snapshot.states[0]);
    let mut ledger = Ledger::new(kinetic, elastic);
    for k in 0..n {
        let outcome = step(&mut engine, &mut Timings::default(), &snapshot, model.h).unwrap();
        assert!(outcome.is_accepted(model.solver_options.tolerance), "step {k}: {}", outcome.description());
        ledger = ledger.after(&outcome);
        assert!(ledger.relative_residual() < 1e-12, "step {k}: {:e}", ledger.relative_residual());
        look(&outcome);
        snapshot = outcome.snapshot;
    }
    snapshot
}

fn close(found: f64, exact: f64, tolerance: f64, what: &str) {
    assert!((found - exact).abs() <= tolerance, "{what}: {found}, not {exact}");
}

/// v₀ = 2 m/s, μ = ½, g = 10: stops after 0.4 s, 0.4 m away; the weight is carried in every step.
#[test]
fn a_point_mass_slides_until_friction_has_stopped_it() {
    let candidate = CandidateSet::new(0, vec![0], vec![1.0]).unwrap();
    let floor = on_floor(candidate, Vector3::new(0.0, 0.0, 1.0), coulomb(0.5));
    // Obliquely, so that both tangents take part.
    let start = vec![1.6, 1.2, 0.0];
    let stone = point_mass::<3>(2.0, -2.0 * G, [0.0; 3]);
    let model = model(vec![of_model("stone", stone, start)], vec![floor], 1e-3);
    let end = run(&model, 600, |outcome| {
        let weight: f64 = outcome.touches.iter().map(|t| t.impulse[0]).sum();
        close(weight, 2.0 * G * 1e-3, 1e-14, "impulse of the floor");
    });
    let State { q, v, .. } = &end.states[0];
    // Of 400 sliding steps each leaves the tolerance of the law.
    close(q[0], 0.8 * 0.4, 1e-11, "x");
    close(q[1], 0.6 * 0.4, 1e-11, "y");
    assert!(v.iter().all(|v| v.abs() < 1e-12) && q[2].abs() < 1e-15, "{v:?} {q:?}");
}

/// Newton's law of impact with e = ¾, and a second impact after the flight that gravity leaves.
#[test]
fn a_point_mass_bounces() {
    let law = LawSpec::Restitution(Restitution { normal: Some(0.75), friction: 0.2, ..Restitution::default() });
    let candidate = CandidateSet::new(0, vec![0], vec![1.0]).unwrap();
    let floor = on_floor(candidate, SVector::<f64, 2>::new(0.0, 1.0), law);
    let ball = point_mass::<2>(2.0, 0.0, [0.0, 1e-3]);
    let model = model(vec![of_model("ball", ball, vec![3.0, -4.0])], vec![floor], 1e-3);
    let end = run(&model, 10, |_| {});
    // p_N = m (1 + e) 4 = 14, p_T = −μ p_N = −2.8: 3 − 1.4 m/s along the floor.
    close(end.states[0].v[1], 3.0, 1e-13, "rebound");
    close(end.states[0].v[0], 1.6, 1e-13, "along the floor");
}

/// Without spin it slides, then rolls with ⅔ of its velocity; the rolling part loses nothing. With enough backspin it comes back.
#[test]
fn a_disk_slides_and_then_rolls() {
    let (mu, radius, v0, h) = (0.25, 0.5, 3.0, 1e-3);
    for spin in [0.0, 24.0] {
        // Contact velocity v₀ + r ω₀ (ω counter-clockwise), taken away at the rate 3 μ g.
        let slip = v0 + radius * spin;
        let t1 = slip / (3.0 * mu * G);
        let (v_roll, steps) = (v0 - slip / 3.0, 3000);
        let model = disk_on_floor(0.0, [v0, 0.0, spin], coulomb(mu), h);
        let mut angle = 0.0;
        let mut last = model.start().states[0].q.clone();
        let end = run(&model, steps, |outcome| {
            let q = &outcome.snapshot.states[0].q;
            angle += model.bodies[0].body.motion_between(&last, q)[2];
            last.clone_from(q);
        });
        let State { q, v, .. } = &end.states[0];
        close(v[0], v_roll, 1e-11, "velocity of rolling");
        close(v[2], -v_roll / radius, 1e-11, "angular velocity of rolling");
        let x = v0 * t1 - 0.5 * mu * G * t1 * t1 + v_roll * (h * steps as f64 - t1);
        // t₁ is a whole number of steps, so that no step slides and rolls.
        close(q[0], x, 1e-10, "way");
        let turned = spin * t1 - mu * G / radius * t1 * t1 - v_roll / radius * (h * steps as f64 - t1);
        close(angle, turned, 1e-10, "angle");
        // 3000 products of complex numbers, each rounded.
        close(q[2] * q[2] + q[3] * q[3], 1.0, 3000.0 * 4.0 * f64::EPSILON, "unit complex number");
        assert!(q[1].abs() < 1e-14, "the disk stays on the floor: {}", q[1]);
    }
}

/// tan α < 3 μ: rolls with ⅔ g sin α. Beyond, it slides with g (sin α − μ cos α) and spins up with 2 μ g cos α / r.
#[test]
fn a_disk_rolls_or_slides_down_a_slope() {
    let (mu, radius, h, steps) = (0.3, 0.5, 1e-3, 500);
    let time = h * steps as f64;
    for (slope, rolls) in [(0.5_f64, true), (0.7, true), (0.8, false), (1.2, false)] {
        assert_eq!(slope.tan() < 3.0 * mu, rolls);
        let model = disk_on_floor(slope, [0.0; 3], coulomb(mu), h);
        let end = run(&model, steps, |_| {});
        let a = if rolls { G * slope.sin() / 1.5 } else { G * (slope.sin() - mu * slope.cos()) };
        let spin = if rolls { a / radius } else { 2.0 * mu * G * slope.cos() / radius };
        let State { q, v, .. } = &end.states[0];
        close(v[0], a * time, 1e-11, "velocity");
        close(q[0], 0.5 * a * time * time, 1e-11, "way");
        close(v[2], -spin * time, 1e-11, "spin");
    }
}

/// Oblique impacts: friction that holds turns the disk, U_T⁺ = 0 with p_T = −m U_T/3; friction that slips gives μ p_N.
#[test]
fn a_disk_bounces_with_spin() {
    let (mass, radius, e) = (3.0, 0.5, 0.5);
    for (mu, holds) in [(0.5, true), (0.1, false)] {
        let law = LawSpec::Restitution(Restitution { normal: Some(e), friction: mu, ..Restitution::default() });
        let disk = Disk::new(mass, radius, [0.0, radius + 1e-3], [0.0; 2]);
        let round = Round { radius, rotation: disk.mesh.n_points() };
        let centre = CandidateSet::new(0, vec![0], vec![1.0]).and_then(|set| set.round(round)).unwrap();
        let floor = on_floor(centre, SVector::<f64, 2>::new(0.0, 1.0), law);
        let start = vec![2.0, -4.0, 1.0];
        let model = model(vec![of_model("disk", disk, start)], vec![floor], 1e-3);
        let mut p = SVector::<f64, 2>::zeros();
        let end =
            run(&model, 4, |o| p += o.touches.iter().map(|t| t.contact.frame * t.impulse).sum::<SVector<f64, 2>>());
        let p_n = mass * (1.0 + e) * 4.0;
        let p_t = if holds { -mass * (2.0 + radius) / 3.0 } else { -mu * p_n };
        assert!(p_t.abs() <= mu * p_n);
        close(p[1], p_n, 1e-12, "normal impulse");
        close(p[0], p_t, 1e-12, "friction");
        let v = &end.states[0].v;
        close(v[1], e * 4.0, 1e-12, "rebound");
        close(v[0], 2.0 + p_t / mass, 1e-12, "along the floor");
        // The impulse acts at the arm (0, −r): moment r p_T, with I = m r²/2.
        close(v[2], 1.0 + 2.0 * p_t / (mass * radius), 1e-12, "spin");
    }
}

/// A disk on a deformable block: W is what unit impulses do, by whole solves; with rows on the rotation and a side of two bodies.
#[test]
fn w_of_mixed_bodies_is_what_unit_impulses_do() {
    let text = "(title: \"t\", kinematics: SmallStrain, materials: [(name: \"m\", density: 1000.0, law: KelvinVoigt(young: 1e7, poisson: 0.3))],\n\
         bodies: [(name: \"block\", material: \"m\", mesh: Rectangle(corner: (-0.5, -1.0), size: (1.0, 1.0), cells: (4, 4)))],\n\
         integrator: Theta(theta: 0.5), step: 1e-3, duration: 1.0)";
    let loaded = Loaded::from_text(Path::new("t.ron"), text.to_owned(), &[]).unwrap();
    let mut made = Arc::into_inner(loaded.model::<2>().unwrap()).unwrap();
    let disk = Disk::new(3.0, 0.5, [0.1, 0.5], [0.0; 2]);
    let rotation = disk.mesh.n_points();
    made.bodies.push(of_model("disk", disk, vec![0.0; 3]));
    let top: Vec<usize> = (0..made.bodies[0].body.mesh().n_points())
        .filter(|&n| made.bodies[0].body.mesh().points[n][1] > -1e-9)
        .collect();
    made.bodies[0].contact_dofs = top.iter().flat_map(|n| [2 * n, 2 * n + 1]).collect();
    made.twins = Twins::find(&made.bodies, true);
    // Turned, so that arms are not those of the reference.
    let q = vec![vec![0.0; made.bodies[0].body.n_dof()], vec![0.2, 0.1, 0.6, 0.8]];
    let contact = |candidate: u32, sides: [Side<2>; 2], further: Vec<(f64, Side<2>)>| Contact {
        key: delassus_contact::ContactKey::nearest(0, 0, candidate),
        sides,
        further,
        gap: 0.0,
        frame: delassus_contact::frame_from_normal(&SVector::<f64, 2>::new(0.3, 1.0)).unwrap(),
        area: 1.0,
        point: SVector::zeros(),
    };
    let ground = || Side::on_obstacle(SVector::zeros());
    let arm = SVector::<f64, 2>::new(0.2, -0.4);
    let contacts = [
        contact(
            0,
            [Side::on_arm(1, 0, rotation, arm), Side::on_nodes(0, [(top[1], 0.25), (top[2], 0.75)])],
            Vec::new(),
        ),
        contact(1, [Side::on_nodes(1, [(7, 0.5), (8, 0.5)]), Side::on_nodes(0, [(top[0], 1.0)])], Vec::new()),
        // Rows on the rotation alone, as rolling friction has them.
        contact(2, [Side::on_nodes(1, [(rotation, 1.0)]), ground()], Vec::new()),
        // The mean of a point of each body against the ground.
        contact(
            3,
            [ground(), ground()],
            vec![(0.5, Side::on_nodes(1, [(3, 1.0)])), (0.5, Side::on_nodes(0, [(top[3], 1.0)]))],
        ),
    ];
    assert!(matches!(contacts[0].sides[0].map, Map::Arm { .. }));
    let mut operators = Operators::at_start(&made, made.h).unwrap();
    let seen: Vec<&Contact<2>> = contacts.iter().collect();
    operators.expose(&made, &seen).unwrap();
    let w = condense(&seen, &operators, Sites { model: &made, q: &q }).unwrap();
    let scale = (0..contacts.len()).map(|i| w.diagonal(i).amax()).fold(0.0, f64::max);
    for (j, source) in contacts.iter().enumerate() {
        for c in 0..2 {
            let mut impulse = made.no_impulses();
            scatter(source, &SVector::<f64, 2>::from_fn(|i, _| f64::from(u8::from(i == c))), &mut impulse);
            let mut v = made.gathered(&q, impulse);
            v.iter_mut().zip(&mut operators.bodies).for_each(|(v, w)| w.apply(v));
            let views: Vec<&[f64]> = v.iter().map(Vec::as_slice).collect();
            let sites = made.site_velocities(&q, &views);
            let sites: Vec<&[f64]> = sites.iter().map(|v| &**v).collect();
            for (i, target) in contacts.iter().enumerate() {
                let error = (local_velocity(target, &sites) - w.block(i, j).column(c)).amax();
                assert!(error <= 1e-13 * scale, "block {i}, {j}: {error:e} of {scale:e}");
            }
        }
    }
    // By hand: 1/I of the rotation row, which sees the other rows of the disk.
    close(w.block(2, 2).trace(), 2.0 / (3.0 * 0.25), 1e-14, "1/I");
    assert!(w.block(0, 2).amax() > 0.0 && w.block(0, 3).amax() > 0.0);
}

/// The gap time and configurations of every scheme are asked for with ⊕: a disk that spins freely turns by ω t in all of them.
#[test]
fn every_scheme_turns_a_disk() {
    use delassus_dynamics::integrator::{Explicit, Theta, ThetaEuler};
    let schemes: [Arc<dyn Integrator>; 4] = [
        Arc::new(Theta { theta: 0.75 }),
        Arc::new(ModifiedTheta { theta: 0.5 }),
        Arc::new(ThetaEuler { theta: 1.0 }),
        Arc::new(Explicit::default()),
    ];
    for integrator in schemes {
        let disk = Disk::new(3.0, 0.5, [0.0, 2.0], [0.0; 2]);
        let made = model(vec![of_model("disk", disk, vec![1.0, 0.0, 5.0])], Vec::new(), 1e-2);
        let made = Arc::new(Model { integrator, ..Arc::into_inner(made).unwrap() });
        let end = run(&made, 20, |_| {});
        let q = &end.states[0].q;
        let (s, c) = 1.0_f64.sin_cos();
        assert!((q[0] - 0.2).abs() < 1e-14 && (q[2] - c).abs() < 1e-13 && (q[3] - s).abs() < 1e-13, "{q:?}");
        // A node of the rim is where the turn brings it.
        let x = made.bodies[0].body.positions(q);
        assert!((x[2] - (0.2 + 0.5 * c)).abs() < 1e-13 && (x[3] - (2.0 + 0.5 * s)).abs() < 1e-13);
    }
}

/// M̂ = m − 2 (½h)² of a mass on a buckled pole is −1 kg for h = 2 s and ½ kg for 1 s: the step is tried again in halves, which is counted; where the policy is to stop, it is an error.
/// With q⁺ − q = ½(v + v⁺) and v⁺ − v = q + q⁺ the way is 0, 2, 12 m with 1, 3, 17 m/s.
#[test]
fn an_indefinite_operator_asks_for_a_shorter_step() {
    let stepped = |policy| {
        let made = model(vec![of_model("pole", buckled(), vec![1.0, 0.0])], Vec::new(), 2.0);
        let mut made = Arc::into_inner(made).unwrap();
        made.policy = policy;
        let mut engine = Engine::new(&Arc::new(made)).unwrap();
        let start = engine.start().unwrap();
        let mut stepper = Stepper::new(engine, start, Timings::default());
        let mut nobody: Vec<Box<dyn delassus_sim::observer::Observer<2>>> = Vec::new();
        let done = stepper.step(false, &mut nobody);
        (stepper, done)
    };
    let (stepper, done) = stepped(FailurePolicy::CutStep { halvings: 3 });
    done.unwrap();
    let now = stepper.now();
    assert_eq!((now.step, now.verdict.cuts, now.verdict.indefinite), (2, 1, 1));
    let State { t, q, v, .. } = &now.snapshot.states[0];
    close(*t, 2.0, 0.0, "time");
    close(q[0], 12.0, 1e-12, "way");
    close(v[0], 17.0, 1e-12, "speed");
    let (stepper, done) = stepped(FailurePolicy::Stop);
    let failure = done.unwrap_err();
    let FailureReason::Step(error) = &failure.reason else { panic!("{failure}") };
    assert!(error.is_indefinite() && error.code().0 == "E0706", "{error}");
    assert_eq!((stepper.now().step, stepper.now().verdict.cuts), (0, 0));
    // too long even in halves
    let (_, done) = stepped(FailurePolicy::CutStep { halvings: 0 });
    assert!(done.is_err());
}
