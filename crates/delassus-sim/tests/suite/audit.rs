//! The audit of a step: bodies and laws that lie are found, each by the check that is made for it.
//!
//! A point mass on a floor is honest or lies in one place. A step of the honest one passes; the solvers and their certificate accept the
//! lies as well, because they see the same wrong numbers.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails by panicking")]

use std::borrow::Cow;
use std::sync::Arc;

use delassus_contact::{CandidateSet, HalfSpace, Normals};
use delassus_dynamics::integrator::ModifiedTheta;
use delassus_dynamics::{Matrices, System};
use delassus_fem::{Body, BodyInput, FemError, KelvinVoigt, MaterialSpec, TimeFunction};
use delassus_mesh::{CellKind, Mesh, generate};
use delassus_sim::Model;
use delassus_sim::audit::{Audit, AuditTopic};
use delassus_sim::engine::Engine;
use delassus_sim::model::{
    Direction, FailurePolicy, Jacobian, MarginSpec, ModelAntagonist, ModelBody, ModelPair, MovingObstacle, SpatialBody,
    StartSpec, Twins,
};
use delassus_sim::outcome::Outcome;
use delassus_sim::step::step;
use delassus_sim::timings::Timings;
use delassus_solver::law::{ElasticShear, FrictionPoint, Per, SignoriniCoulomb, SmoothFriction};
use delassus_solver::{
    ContactInput, ContactLaw, ContactSolution, Derived, HistoryEntry, LawSpec, Method, SolverOptions, StepTimes,
};
use nalgebra::{SVector, Vector3};
use nalgebra_sparse::CscMatrix;

/// Where a body lies.
#[derive(Clone, Copy, PartialEq)]
enum Lie {
    No,
    /// The mass that is factored is a tenth too large.
    FactoredMass,
    /// Impulses act with nine tenths of their size.
    Gathered,
    /// The sites that contacts see move the other way along the floor than those of W.
    Jacobian,
}

struct Stone {
    lie: Lie,
    matrices: Matrices,
    mesh: Arc<Mesh<2>>,
}

impl Stone {
    fn new(lie: Lie) -> Self {
        let diagonal = |x: f64| {
            let mut m = CscMatrix::identity(2);
            m.values_mut().fill(x);
            m
        };
        let mass = diagonal(if lie == Lie::FactoredMass { 2.2 } else { 2.0 });
        let matrices = Matrices { mass, damping: CscMatrix::zeros(2, 2), stiffness: diagonal(0.0), lumped: true };
        Self { lie, matrices, mesh: Arc::new(Mesh { points: vec![[0.0; 2]], blocks: Vec::new(), groups: Vec::new() }) }
    }
}

impl System for Stone {
    fn n_dof(&self) -> usize {
        2
    }
    fn matrices(&self) -> &Matrices {
        &self.matrices
    }
    fn mass_times_into(&self, x: &[f64], out: &mut [f64]) {
        out.iter_mut().zip(x).for_each(|(y, x)| *y = 2.0 * x);
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
        out.copy_from_slice(&[0.0, -20.0]);
    }
    fn prescribed(&self) -> &[usize] {
        &[]
    }
    fn prescribed_motion(&self, _t: f64) -> Vec<(f64, f64)> {
        Vec::new()
    }
}

impl SpatialBody<2> for Stone {
    fn mesh(&self) -> &Arc<Mesh<2>> {
        &self.mesh
    }
    fn displacements<'a>(&'a self, q: &'a [f64]) -> Cow<'a, [f64]> {
        Cow::Borrowed(q)
    }
    fn site_velocities<'a>(&self, _q: &[f64], v: &'a [f64]) -> Cow<'a, [f64]> {
        if self.lie == Lie::Jacobian { Cow::Owned(vec![-v[0], v[1]]) } else { Cow::Borrowed(v) }
    }
    fn gathered(&self, _q: &[f64], p: Vec<f64>) -> Vec<f64> {
        let part = if self.lie == Lie::Gathered { 0.9 } else { 1.0 };
        p.into_iter().map(|p| part * p).collect()
    }
    fn jacobian(&self, _q: &[f64], _site: usize) -> Option<Jacobian<2>> {
        Some(Jacobian::<2>::identity(2))
    }
    fn add_momentum(&self, v: &[f64], total: &mut [f64; 2]) {
        (0..2).for_each(|i| total[i] += 2.0 * v[i]);
    }
    fn total_mass(&self) -> f64 {
        2.0
    }
    fn frozen(&self) -> Result<Box<dyn SpatialBody<2>>, FemError> {
        Ok(Box::new(Self::new(self.lie)))
    }
}

/// Coulomb's law with a coefficient other than the one that it states.
struct TooSlippery;

impl ContactLaw<2> for TooSlippery {
    fn derive(
        &self,
        x: &ContactInput<2>,
        step: &StepTimes,
        z: &[f64],
        iterate: Option<&ContactSolution<2>>,
    ) -> Derived<2> {
        SignoriniCoulomb { friction: 0.25 }.derive(x, step, z, iterate)
    }
    fn violation(&self, x: &ContactInput<2>, out: &ContactSolution<2>, step: &StepTimes, z: &[f64]) -> f64 {
        SignoriniCoulomb { friction: 0.3 }.violation(x, out, step, z)
    }
}

fn stepped(lie: Lie, law: Arc<dyn ContactLaw<2>>) -> Outcome<2> {
    stepped_as(Box::new(Stone::new(lie)), vec![1.0, 0.0], (vec![0], vec![1.0]), law)
}

/// A step of a body whose nodes touch the floor.
fn stepped_as(
    body: Box<dyn SpatialBody<2>>,
    initial_velocity: Vec<f64>,
    (nodes, areas): (Vec<usize>, Vec<f64>),
    law: Arc<dyn ContactLaw<2>>,
) -> Outcome<2> {
    let floor = MovingObstacle {
        number: 0,
        shape: Arc::new(HalfSpace { point: SVector::zeros(), normal: SVector::<f64, 2>::new(0.0, 1.0) }),
        velocity: Vec::new(),
        spin: TimeFunction::Constant(0.0),
        axis: Vector3::z_axis(),
        pivot: SVector::zeros(),
        mesh_hash: None,
    };
    let contact_dofs = nodes.iter().flat_map(|n| [2 * n, 2 * n + 1]).collect();
    let candidate = CandidateSet::new(0, nodes, areas).unwrap();
    let pair = ModelPair {
        name: "floor".to_owned(),
        law,
        resistance: None,
        initial_penetration: 0.0,
        normals: Normals::Facet,
        directions: vec![Direction::new(vec![candidate], vec![ModelAntagonist::Obstacle(floor)], false)],
        shapes: None,
    };
    let bodies = vec![ModelBody {
        name: "stone".to_owned(),
        entry: 0,
        body,
        initial_velocity,
        initial_displacement: Vec::new(),
        contact_dofs,
        mass_inverse: None,
        mesh_hash: None,
    }];
    let model = Arc::new(Model {
        twins: Twins::find(&bodies, true),
        bodies,
        pairs: vec![pair],
        joints: Vec::new(),
        memory: usize::MAX,
        integrator: Arc::new(ModifiedTheta { theta: 0.5 }),
        h: 1e-3,
        n_steps: 1,
        methods: vec![Method::Nlgs],
        solver_options: SolverOptions::default(),
        margins: MarginSpec::default(),
        policy: FailurePolicy::Stop,
        start_state: StartSpec::Undeformed,
        probes: Vec::new(),
        materials: Vec::new(),
    });
    let mut engine = Engine::new(&model).unwrap();
    let start = engine.start().unwrap();
    step(&mut engine, &mut Timings::default(), &start, model.h).unwrap()
}

/// The checks that fail.
fn failing(audit: &Audit) -> Vec<AuditTopic> {
    audit.errors.iter().filter(|e| e.ratio() > 1.0).map(|e| e.topic).collect()
}

fn coulomb() -> Arc<dyn ContactLaw<2>> {
    Arc::new(SignoriniCoulomb { friction: 0.25 })
}

#[test]
fn an_honest_step_passes() {
    let outcome = stepped(Lie::No, coulomb());
    assert!(outcome.is_accepted(1e-10), "{:?}", outcome.audit);
    // Sliding: p_T = −μ p_N, which the audit judged.
    let touch = &outcome.touches[0];
    assert!((touch.impulse[1].abs() - 0.25 * touch.impulse[0]).abs() < 1e-12 && touch.impulse[0] > 0.0);
}

#[test]
fn lies_of_bodies_are_found_where_the_solver_sees_none() {
    let found = |lie: Lie| {
        let outcome = stepped(lie, coulomb());
        assert!(outcome.is_solved(1e-10), "the solver and its certificate are content: {}", outcome.description());
        assert!(!outcome.is_accepted(1e-10) && outcome.description().contains("`"), "{:?}", outcome.audit);
        failing(&outcome.audit)
    };
    assert_eq!(found(Lie::FactoredMass), [AuditTopic::Motion]);
    // W p is what the impulses should have done.
    assert!(found(Lie::Gathered).contains(&AuditTopic::Velocity));
    // The velocity that the law saw is not the one that was reached.
    assert!(found(Lie::Jacobian).contains(&AuditTopic::Velocity));
}

/// A square of one cell whose impulses reach the wrong node, or not wholly.
struct Block {
    body: Body<2>,
    /// Where the impulse of node 0 acts, and which part of it.
    at: usize,
    part: f64,
}

impl System for Block {
    fn n_dof(&self) -> usize {
        self.body.n_dof()
    }
    fn matrices(&self) -> &Matrices {
        self.body.matrices()
    }
    fn mass_times_into(&self, x: &[f64], out: &mut [f64]) {
        self.body.mass_times_into(x, out);
    }
    fn elastic_force_into(&self, q: &[f64], out: &mut [f64]) {
        self.body.elastic_force_into(q, out);
    }
    fn elastic_energy(&self, q: &[f64]) -> f64 {
        self.body.elastic_energy(q)
    }
    fn viscous_force_into(&self, q: &[f64], v: &[f64], out: &mut [f64]) {
        self.body.viscous_force_into(q, v, out);
    }
    fn is_damped(&self) -> bool {
        self.body.is_damped()
    }
    fn loads_into(&self, t: f64, out: &mut [f64]) {
        self.body.loads_into(t, out);
    }
    fn prescribed(&self) -> &[usize] {
        self.body.prescribed()
    }
    fn prescribed_motion(&self, t: f64) -> Vec<(f64, f64)> {
        self.body.prescribed_motion(t)
    }
}

impl SpatialBody<2> for Block {
    fn mesh(&self) -> &Arc<Mesh<2>> {
        self.body.mesh()
    }
    fn displacements<'a>(&'a self, q: &'a [f64]) -> Cow<'a, [f64]> {
        Cow::Borrowed(q)
    }
    fn site_velocities<'a>(&self, _q: &[f64], v: &'a [f64]) -> Cow<'a, [f64]> {
        Cow::Borrowed(v)
    }
    fn gathered(&self, _q: &[f64], p: Vec<f64>) -> Vec<f64> {
        let mut out = vec![0.0; p.len()];
        (0..2).for_each(|i| out[2 * self.at + i] = self.part * p[i]);
        out
    }
    fn jacobian(&self, _q: &[f64], _site: usize) -> Option<Jacobian<2>> {
        None
    }
    fn add_momentum(&self, v: &[f64], total: &mut [f64; 2]) {
        SpatialBody::add_momentum(&self.body, v, total);
    }
    fn total_mass(&self) -> f64 {
        self.body.total_mass()
    }
    fn frozen(&self) -> Result<Box<dyn SpatialBody<2>>, FemError> {
        SpatialBody::frozen(&self.body)
    }
    fn finite_elements(&self) -> Option<&Body<2>> {
        Some(&self.body)
    }
}

/// The node at the origin falls on the floor: its impulse acts there and wholly, at another node, or in part.
#[test]
fn momentum_and_angular_momentum_of_a_body_are_audited() {
    let found = |at: usize, part: f64| {
        let mesh = generate::rectangle([0.0, 0.0], [1.0, 1.0], [1, 1], CellKind::Quad4, 1).unwrap();
        assert_eq!((mesh.points[0], mesh.n_points()), ([0.0, 0.0], 4));
        let rubber = MaterialSpec::KelvinVoigt(KelvinVoigt::elastic(1e6, 0.3)).build(1000.0).unwrap();
        let body = Body::new(BodyInput::new("stone", mesh.into(), rubber)).unwrap();
        let v = [0.1, -1.0].repeat(4);
        let block = Block { body, at, part };
        failing(&stepped_as(Box::new(block), v, (vec![0], vec![1.0]), coulomb()).audit)
    };
    assert_eq!(found(0, 1.0), []);
    // Another node on the same body: the sum is right, the moment is not.
    let elsewhere = found(1, 1.0);
    assert!(elsewhere.contains(&AuditTopic::AngularMomentum) && !elsewhere.contains(&AuditTopic::Momentum));
    assert!(found(0, 0.9).contains(&AuditTopic::Momentum));
}

#[test]
fn a_law_that_does_not_do_what_it_states_is_found() {
    let outcome = stepped(Lie::No, Arc::new(TooSlippery));
    assert_eq!(failing(&outcome.audit), [AuditTopic::Law]);
    let error = &outcome.audit.errors[1];
    assert!(error.place == "floor" && error.error > 1e-6, "{error:?}");
    // Sliding at 1 m/s with a friction that is off by 0.05 p_N: |0.05 p| over the scale of impulses V/λ = 2 kg · 1 m/s.
    let p = outcome.touches[0].impulse[0];
    assert!((error.error - 0.05 * p / 2.0).abs() < 0.01 * error.error, "{error:?}");
}

/// Does what one law derives, states another.
struct Differs {
    done: Arc<dyn ContactLaw<2>>,
    stated: Arc<dyn ContactLaw<2>>,
}

impl ContactLaw<2> for Differs {
    fn history_entries(&self) -> &'static [HistoryEntry] {
        self.stated.history_entries()
    }
    fn derive(
        &self,
        x: &ContactInput<2>,
        step: &StepTimes,
        z: &[f64],
        iterate: Option<&ContactSolution<2>>,
    ) -> Derived<2> {
        self.done.derive(x, step, z, iterate)
    }
    fn violation(&self, x: &ContactInput<2>, out: &ContactSolution<2>, step: &StepTimes, z: &[f64]) -> f64 {
        self.stated.violation(x, out, step, z)
    }
}

/// Laws with springs and curves are judged by their own statement: a shear a tenth too stiff, a curve that is not followed.
#[test]
fn laws_of_shear_and_of_speed_are_audited_by_their_statement() {
    let built = |law: LawSpec| law.build::<2>().unwrap();
    let shear = |k: f64| {
        built(LawSpec::from(ElasticShear { shear_stiffness: k, normal_stiffness: None, friction: 0.3, per: Per::Area }))
    };
    let curve = |added: f64| {
        let curve = vec![FrictionPoint { speed: 2.0, added }];
        built(LawSpec::from(SmoothFriction { friction: 0.2, curve }))
    };
    for law in [shear(1e3), shear(1e6), curve(0.3)] {
        let outcome = stepped(Lie::No, law);
        assert!(failing(&outcome.audit).is_empty(), "{:?}", outcome.audit);
    }
    for (done, stated) in
        [(shear(1e3), shear(900.0)), (built(LawSpec::from(SignoriniCoulomb { friction: 0.2 })), curve(0.3))]
    {
        let outcome = stepped(Lie::No, Arc::new(Differs { done, stated }));
        assert_eq!(failing(&outcome.audit), [AuditTopic::Law], "{:?}", outcome.audit);
    }
}
