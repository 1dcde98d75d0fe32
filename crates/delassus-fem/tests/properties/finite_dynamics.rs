//! `EnergyMomentum` at finite strain, step by step, with dense matrices.
//!
//! - A free body of rubber, thrown, spun and strained far, keeps momentum, angular momentum and energy for a thousand steps.
//! - With θ > ½ every step loses energy, as much as the formula of the scheme says, and no angular momentum.
//! - The scheme is of second order.
//! - A body that flows has all of its energy in the terms of the balance.
//!
//! An iteration ends at 1e-12 of the momentum of a node: over a thousand steps at most 1e-9 of the momenta and energies.

use std::sync::Arc;

use delassus_dynamics::integrator::{Balance, BodyView, EnergyMomentum, energies};
use delassus_dynamics::{Integrator, State, System};
use delassus_fem::material::{Material, MaterialSpec};
use delassus_fem::{Body, BodyInput, Formulation, Hardening, Kinematics, NeoHookean, VonMises};
use delassus_mesh::{CellKind, Mesh, generate};
use nalgebra::{DVector, Vector3};

use crate::support::{dense_values, max_abs};

/// What is left of the impulses of a node over its momentum, at which an iteration ends.
const ENDED: f64 = 1e-12;

fn free<const D: usize>(mesh: Mesh<D>, law: &Arc<dyn Material>, formulation: Formulation) -> Body<D> {
    let input = BodyInput::new("free", Arc::new(mesh), Arc::clone(law));
    let section = if D == 3 { delassus_fem::Section::Solid } else { delassus_fem::Section::default() };
    Body::new(BodyInput { section, formulation, kinematics: Kinematics::FiniteStrain {}, ..input }).unwrap()
}

fn plate() -> Mesh<2> {
    generate::rectangle([2.0, 1.0], [2.0, 1.0], [3, 2], CellKind::Quad4, 1).unwrap()
}

fn block() -> Mesh<3> {
    generate::block([2.0, 1.0, -3.0], [2.0, 1.0, 0.5], [2, 1, 1], CellKind::Hexahedron8, 1).unwrap()
}

fn rubber(poisson: f64) -> Arc<dyn Material> {
    MaterialSpec::from(NeoHookean::new(100.0, poisson)).build(1.0).unwrap()
}

/// A vector in space.
fn in_space<const D: usize>(x: &[f64]) -> Vector3<f64> {
    Vector3::from_fn(|i, _| if i < D { x[i] } else { 0.0 })
}

/// Pulled along x by a part, spun about an axis, with a drift.
fn thrown<const D: usize>(body: &Body<D>, pull: f64, spin: f64) -> State {
    let omega = if D == 3 { Vector3::new(0.4, -0.3, 0.8) * spin } else { Vector3::new(0.0, 0.0, spin) };
    let (mut q, mut v) = (Vec::new(), Vec::new());
    for x in &body.mesh().points {
        let x = in_space::<D>(&x[..]);
        let to = x + Vector3::new(pull * (x.x - 3.0), -0.3 * pull * (x.y - 1.5), 0.0);
        let speed = omega.cross(&(to - Vector3::new(3.0, 1.5, -2.75))) + Vector3::new(0.3, -0.2, 0.1);
        q.extend((0..D).map(|i| to[i] - x[i]));
        v.extend((0..D).map(|i| speed[i]));
    }
    State { q, v, ..body.at_start(vec![0.0; body.n_dof()]) }
}

/// A step, its balance, and the passes that it took.
fn step<const D: usize>(body: &Body<D>, scheme: EnergyMomentum, from: &State, h: f64) -> (State, Balance, usize) {
    let start = scheme.begin(BodyView { system: body, mass: None }, from, h);
    let mut v = scheme.first_guess(&start);
    let mut momentum = vec![0.0; v.len()];
    body.mass_times_into(&v, &mut momentum);
    let size = max_abs(&momentum);
    let mut left = scheme.first_residual(&start, &v);
    for pass in 1..=40 {
        let matrix = dense_values(body.matrices().pattern(), &scheme.effective_mass(&start, &v));
        let correction = matrix.lu().solve(&DVector::from_column_slice(&left)).unwrap();
        v.iter_mut().zip(correction.iter()).for_each(|(v, d)| *v += d);
        left = scheme.residual(&start, &v);
        assert!(left.iter().all(|x| x.is_finite()), "pass {pass}");
        if max_abs(&left) < ENDED * size {
            let end = scheme.finish(&start, v);
            let balance = scheme.balance(&start, &end, &vec![0.0; left.len()]);
            return (end.state, balance, pass);
        }
    }
    panic!("no balance: {:e} of {size:e}", max_abs(&left));
}

/// Energy, angular momentum about the origin, momentum.
fn kept<const D: usize>(body: &Body<D>, state: &State) -> (f64, Vector3<f64>, Vector3<f64>) {
    let mut p = vec![0.0; state.v.len()];
    body.mass_times_into(&state.v, &mut p);
    let (mut angular, mut momentum) = (Vector3::zeros(), Vector3::zeros());
    for (node, x) in body.mesh().points.iter().enumerate() {
        let dofs = D * node..D * node + D;
        let (x, p) = (in_space::<D>(&x[..]) + in_space::<D>(&state.q[dofs.clone()]), in_space::<D>(&p[dofs]));
        angular += x.cross(&p);
        momentum += p;
    }
    let (kinetic, elastic) = energies(body, state);
    (kinetic + elastic, angular, momentum)
}

#[expect(clippy::print_stdout, reason = "figures are there to be read, for those who run the tests with --nocapture")]
fn show(text: &str) {
    println!("{text}");
}

/// Largest errors of energy, angular momentum and momentum over some steps, relative; passes in a step.
fn errors<const D: usize>(body: &Body<D>, steps: usize, h: f64) -> ([f64; 3], f64) {
    let mut state = thrown(body, 0.25, 2.0);
    let (energy, angular, momentum) = kept(body, &state);
    let (mut worst, mut all) = ([0.0_f64; 3], 0);
    for _ in 0..steps {
        let (next, balance, passes) = step(body, EnergyMomentum { theta: 0.5 }, &state, h);
        assert!(balance.numerical.abs() < 1e-300 && balance.viscous.abs() < 1e-300, "θ = ½ takes nothing");
        (state, all) = (next, all + passes);
        let now = kept(body, &state);
        let found = [
            (now.0 / energy - 1.0).abs(),
            (now.1 - angular).norm() / angular.norm(),
            (now.2 - momentum).norm() / momentum.norm(),
        ];
        worst.iter_mut().zip(found).for_each(|(w, f)| *w = w.max(f));
    }
    (worst, all as f64 / steps as f64)
}

fn check_kept<const D: usize>(name: &str, body: &Body<D>, steps: usize) {
    let (worst, passes) = errors(body, steps, 0.02);
    let [energy, angular, momentum] = worst;
    show(&format!("{steps} steps, {name}: E {energy:.1e}, L {angular:.1e}, p {momentum:.1e}; {passes:.1} passes"));
    assert!(energy < 1e-9 && angular < 1e-10 && momentum < 1e-11, "{name}: {worst:?}");
}

#[test]
fn a_thousand_steps_keep_energy_momentum_and_angular_momentum() {
    check_kept("standard", &free(plate(), &rubber(0.45), Formulation::Standard), 1000);
    check_kept("mean dilatation", &free(plate(), &rubber(0.45), Formulation::BBar), 1000);
    check_kept("space, mean dilatation", &free(block(), &rubber(0.45), Formulation::BBar), 250);
}

#[test]
fn a_level_above_one_half_damps_by_its_formula_and_leaves_the_angular_momentum() {
    let body = free(plate(), &rubber(0.45), Formulation::BBar);
    let mut state = thrown(&body, 0.15, 2.0);
    let (first, angular, _) = kept(&body, &state);
    let (mut before, mut taken) = (first, 0.0);
    for _ in 0..200 {
        let (next, balance, _) = step(&body, EnergyMomentum { theta: 0.8 }, &state, 0.02);
        state = next;
        let now = kept(&body, &state);
        assert!(balance.numerical > 0.0);
        taken += balance.numerical;
        assert!((before - now.0 - balance.numerical).abs() < 1e-11 * first, "the formula has the loss");
        assert!((now.1 - angular).norm() < 1e-10 * angular.norm());
        before = now.0;
    }
    assert!(taken > 0.01 * first, "it takes vibrations: {taken} of {first}");
}

#[test]
fn the_scheme_is_of_second_order() {
    let body = free(plate(), &rubber(0.45), Formulation::BBar);
    let end = |n: usize| -> Vec<f64> {
        let mut state = thrown(&body, 0.15, 1.0);
        for _ in 0..n {
            state = step(&body, EnergyMomentum { theta: 0.5 }, &state, 0.2 / n as f64).0;
        }
        state.q
    };
    let reference = end(960);
    let error = |n: usize| end(n).iter().zip(&reference).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
    // the fastest vibration turns by 0.4 rad in the longest step
    let found = [40, 80, 160].map(error);
    let orders = [(found[0] / found[1]).log2(), (found[1] / found[2]).log2()];
    show(&format!("errors {:.1e}, {:.1e}, {:.1e}, orders {orders:.2?}", found[0], found[1], found[2]));
    assert!(orders.iter().all(|p| (1.8..2.3).contains(p)), "{orders:?} {found:?}");
}

/// A law that flows: what it dissipates has a formula of its own, and the balance closes with it.
#[test]
fn a_body_that_flows_keeps_the_balance() {
    let law = VonMises::new(100.0, 0.3, 2.0).hardening(Hardening::Linear { modulus: 5.0 });
    let body = free(plate(), &MaterialSpec::from(law).build(1.0).unwrap(), Formulation::BBar);
    let mut state = thrown(&body, 0.0, 2.0);
    // its ends fly apart
    for (x, v) in body.mesh().points.iter().zip(state.v.chunks_exact_mut(2)) {
        v[0] += 3.0 * (x[0] - 3.0);
    }
    let (first, angular, _) = kept(&body, &state);
    let (mut before, mut flowed) = (first, 0.0);
    for _ in 0..100 {
        let (next, balance, _) = step(&body, EnergyMomentum { theta: 0.5 }, &state, 0.01);
        let now = balance.kinetic + balance.elastic;
        assert!((before - now - balance.plastic).abs() < 1e-10 * first, "{before} {now} {}", balance.plastic);
        (state, before, flowed) = (next, now, flowed + balance.plastic);
    }
    let (_, end, _) = kept(&body, &state);
    assert!((end - angular).norm() < 1e-10 * angular.norm());
    show(&format!("{:.3} of the energy flows", flowed / first));
    assert!(flowed > 0.05 * first, "{flowed} of {first}");
}
