//! Rows beside the factor of a body that turns: w and W are those of the turned M̂ with its supports eliminated, by dense matrices.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails by panicking")]

use std::path::Path;
use std::sync::Arc;

use delassus_case::Loaded;
use delassus_contact::{local_velocity, scatter};
use delassus_dynamics::System;
use delassus_dynamics::integrator::FramePass;
use delassus_error::Interrupt;
use delassus_sim::Model;
use delassus_sim::condense::{Sites, condense};
use delassus_sim::engine::Engine;
use delassus_sim::operators::{Linearisation, Operators, analyse};
use delassus_sim::snapshot::Snapshot;
use delassus_sim::space::{Dimension, Space};
use delassus_solver::Matrix;
use nalgebra::DMatrix;

/// A block on a floor, with rollers on its left, one node clamped and others tied in one component.
fn model<const D: usize>(step: f64) -> Arc<Model<D>>
where
    Loaded: Has<D>,
{
    let (mesh, normal, dimension) = if D == 2 {
        ("Rectangle(corner: (0, 0), size: (2, 1), cells: (4, 2))", "HalfPlane(point: (0, 0), normal: (0.1, 1))", 2)
    } else {
        (
            "Box(corner: (0, 0, 0), size: (2, 1, 1), cells: (2, 1, 2))",
            "HalfSpace(point: (0, 0, 0), normal: (0.1, 1, 0.05))",
            3,
        )
    };
    let text = format!(
        "(title: \"t\", dimension: {dimension}, units: Plain, materials: [(name: \"m\", density: 1.0, law: KelvinVoigt(young: 100.0, poisson: 0.3))],\n\
         bodies: [(name: \"b\", mesh: {mesh}, material: \"m\")],\n\
         obstacles: [(name: \"floor\", shape: {normal})],\n\
         contacts: [(name: \"floor\", candidates: (body: \"b\", group: \"bottom\"), antagonists: Obstacle(\"floor\"), law: SignoriniCoulomb(friction: 0.3))],\n\
         boundary: [(body: \"b\", group: \"left\", x: 0.0)],\n\
         ties: [(body: \"b\", slaves: \"top\", masters: \"bottom\", components: [Y])],\n\
         integrator: EnergyMomentum(theta: 0.5), step: {step}, duration: {})",
        4.0 * step
    );
    Loaded::from_text(Path::new("t.ron"), text, &[]).unwrap().made()
}

/// The model in D dimensions.
trait Has<const D: usize> {
    fn made(&self) -> Arc<Model<D>>;
}

impl Has<2> for Loaded {
    fn made(&self) -> Arc<Model<2>> {
        self.model().unwrap()
    }
}

impl Has<3> for Loaded {
    fn made(&self) -> Arc<Model<3>> {
        self.model().unwrap()
    }
}

/// The state with the body turned by a large angle about z, and about x in space.
fn turned<const D: usize>(model: &Model<D>) -> Snapshot {
    let (sin, cos) = 0.7_f64.sin_cos();
    let mut start = model.start();
    let points = &model.bodies[0].body.mesh().points;
    start.states[0].q = points
        .iter()
        .flat_map(|x| {
            let mut y = *x;
            (y[0], y[1]) = (cos * x[0] - sin * x[1], sin * x[0] + cos * x[1]);
            if D == 3 {
                (y[1], y[2]) = (cos * y[1] - sin * y[2], sin * y[1] + cos * y[2]);
            }
            (0..D).map(move |i| y[i] - x[i]).collect::<Vec<_>>()
        })
        .collect();
    start
}

/// w of the turned M̂ with supports eliminated: v = E v_r, w = E (Eᵀ M̂ E)⁻¹ Eᵀ over what is free.
fn eliminated<const D: usize>(model: &Model<D>, rotation: &[f64]) -> DMatrix<f64> {
    let body = model.bodies[0].body.finite_elements().unwrap();
    let n = body.n_dof();
    let c = model.integrator.coefficients(model.h).stiffness;
    let matrices = body.matrices();
    let mut mass = DMatrix::zeros(n, n);
    for (i, j, k) in matrices.stiffness.triplet_iter() {
        (mass[(i, j)], mass[(j, i)]) = (c * k, c * k);
    }
    matrices.mass.triplet_iter().for_each(|(i, j, m)| mass[(i, j)] += m);
    let turn = DMatrix::from_fn(n, n, |i, j| if i / D == j / D { rotation[i % D * D + j % D] } else { 0.0 });
    let mass = &turn * mass * turn.transpose();
    let free: Vec<usize> = (0..n)
        .filter(|dof| !body.prescribed().contains(dof) && body.tied().iter().all(|(slave, _)| slave != dof))
        .collect();
    let mut e = DMatrix::zeros(n, free.len());
    free.iter().enumerate().for_each(|(k, &dof)| e[(dof, k)] = 1.0);
    for (slave, master) in body.tied() {
        let row = e.row(*master).into_owned();
        e.set_row(*slave, &row);
    }
    let inverse = (e.transpose() * mass * &e).try_inverse().unwrap();
    &e * inverse * e.transpose()
}

fn check<const D: usize>()
where
    Dimension<D>: Space<D>,
    Loaded: Has<D>,
{
    let model = model::<D>(0.05);
    let body = &model.bodies[0].body;
    assert!(body.guides().is_some() && !model.operator_varies(0));
    let start = turned(&model);
    let starts = model.begin(&start, model.h);
    let (v, never) = (vec![vec![0.0; body.n_dof()]], Interrupt::never());
    let at = Linearisation { starts: &starts, v: &v, pass: FramePass::First };
    let mut operators = Operators::new(&model, at, &analyse(&model, &never).unwrap(), &never).unwrap();
    operators.turn(&model, &starts).unwrap();
    let rotation = starts[0].turning.as_ref().unwrap().middle.as_ref().unwrap().rows().to_vec();
    let exact = eliminated(&model, &rotation);
    let scale = exact.amax();
    for dof in 0..body.n_dof() {
        let mut x: Vec<f64> = (0..body.n_dof()).map(|i| if i == dof { 1.0 } else { 0.0 }).collect();
        operators.bodies[0].apply(&mut x);
        let error = x.iter().enumerate().map(|(i, x)| (x - exact[(i, dof)]).abs()).fold(0.0, f64::max);
        assert!(error < 1e-12 * scale, "column {dof}: {error:e} of {scale:e}");
        // exactly: what is held stays, what is tied has the same bits
        assert!(body.prescribed().iter().all(|&i| x[i] == 0.0));
        assert!(body.tied().iter().all(|&(slave, master)| x[slave].to_bits() == x[master].to_bits()));
    }
    let q = model.start().states[0].q.clone();
    let contacts =
        Engine::new(&model).unwrap().detect(std::slice::from_ref(&q), &model.start(), model.h).unwrap().contacts;
    let w = condense(&contacts.iter().collect::<Vec<_>>(), &operators, Sites { model: &model, q: &[q] }).unwrap();
    assert!(contacts.len() >= 5, "{}", contacts.len());
    for (j, source) in contacts.iter().enumerate() {
        for c in 0..D {
            let mut p = vec![vec![0.0; body.n_dof()]];
            scatter(source, &Matrix::<D>::identity().column(c).into_owned(), &mut p);
            let v: Vec<f64> = (&exact * DMatrix::from_column_slice(p[0].len(), 1, &p[0])).as_slice().to_vec();
            for (i, contact) in contacts.iter().enumerate() {
                let error = (local_velocity(contact, &[&v]) - w.block(i, j).column(c)).amax();
                assert!(error <= 1e-12 * scale, "block ({i}, {j}): {error:e} of {scale:e}");
            }
        }
    }
}

#[test]
fn rows_beside_a_factor_are_supports_that_are_eliminated() {
    check::<2>();
    check::<3>();
}

/// Where a step is long beside the vibrations of the cells digits would be lost: supports are eliminated, and the factor is new in each step.
#[test]
fn long_steps_have_no_rows() {
    let model = model::<2>(50.0);
    assert!(model.bodies[0].body.guides().is_none() && model.operator_varies(0));
}
