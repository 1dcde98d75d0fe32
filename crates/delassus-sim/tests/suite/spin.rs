//! What schemes do to a spin, spins that stretch a body, and a body that turns on a roller, by steps.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails by panicking")]

use std::path::Path;
use std::sync::Arc;

use delassus_case::Loaded;
use delassus_dynamics::integrator::{Balance, energies};
use delassus_sim::Model;
use delassus_sim::engine::Engine;
use delassus_sim::snapshot::Snapshot;
use delassus_sim::start::Start;
use delassus_sim::step::step;
use delassus_sim::timings::Timings;

/// A plate of 2 m × 1 m about the origin, in plane stress.
fn plate(cells: &str, young: f64, scheme: &str, keys: &str, more: &str) -> Arc<Model<2>> {
    let text = format!(
        "(title: \"t\", units: Plain, materials: [(name: \"m\", density: 1.0, law: KelvinVoigt(young: {young:?}, poisson: 0.0))],\n\
         bodies: [(name: \"plate\", mesh: Rectangle(corner: (-1, -0.5), size: (2, 1), cells: {cells}), material: \"m\", section: PlaneStress(thickness: 1.0){keys})],\n\
         integrator: {scheme}, step: 0.01, duration: 1.0{more})"
    );
    Loaded::from_text(Path::new("t.ron"), text, &[]).and_then(|l| l.model()).unwrap()
}

/// The state after some steps, and what each did to the energy.
fn stepped(engine: &mut Engine<2>, start: Snapshot, n: usize) -> (Snapshot, Vec<Balance>) {
    let (mut at, mut balances) = (start, Vec::new());
    for _ in 0..n {
        let h = engine.model.h;
        let mut outcome = step(engine, &mut Timings::default(), &at, h).unwrap();
        assert!(outcome.is_accepted(1e-10), "{:?}", outcome.audit);
        balances.append(&mut outcome.balances);
        at = outcome.snapshot;
    }
    (at, balances)
}

/// In free spin at hω = 0.02 a scheme takes 2m (hω)² of the energy in a step: m = θ − ½, ½ for θ-Euler whatever its θ, γ − ½ for Newmark's method. The balance has it as loss of spin, and closes.
#[test]
fn what_a_scheme_takes_from_a_spin_is_booked() {
    for (scheme, m) in [
        ("Theta(theta: 1.0)", 0.5),
        ("ModifiedTheta(theta: 0.75)", 0.25),
        ("ThetaEuler(theta: 0.5)", 0.5),
        ("ThetaEuler(theta: 1.0)", 0.5),
        ("Newmark(gamma: 1.0, beta: 0.6)", 0.5),
        ("EnergyMomentum(theta: 1.0)", 0.0),
    ] {
        let model = plate("(4, 2)", 1e5, scheme, ", spin: 2.0", "");
        let mut engine = Engine::new(&model).unwrap();
        let start = engine.start().unwrap();
        let body = &*model.bodies[0].body;
        let [before, after] = [&start.states[0], &stepped(&mut engine, start.clone(), 50).0.states[0]].map(|s| {
            let (kinetic, elastic) = energies(body, s);
            kinetic + elastic
        });
        let balances = stepped(&mut engine, start, 50).1;
        let sum = |part: fn(&Balance) -> f64| balances.iter().map(part).sum::<f64>() / before;
        let (lost, spin, numerical) = (1.0 - after / before, sum(|b| b.spin), sum(|b| b.numerical));
        // dE/dn = −2m (hω)² E, and ω² falls with E.
        let in_a_step = 2.0 * m * 4e-4;
        let exact = 1.0 - 1.0 / (1.0 + in_a_step * 50.0);
        // The first step has no stretch yet, and takes less. The stretch, ρω²a²/E, makes 1e-4 of the energy; what vibrations about it lose is numerical.
        let bound = in_a_step + 2e-4;
        assert!((lost - exact).abs() < bound && (spin - exact).abs() < 1e-3, "{scheme}: {lost} {spin} {exact}");
        assert!((lost - spin - numerical).abs() < 1e-9, "{scheme}: {lost} {spin} {numerical}");
    }
}

/// Relative equilibrium of a plate of one cell, a quarter of its mass in each corner: e = k/(1 − k) along a side of length a, k = ρω²a²/(4E) = 0.02 and 0.005. Iterations to it would amplify a
/// rigid motion from rounding. Newmark's method starts with the accelerations of this state, ω × (ω × x).
#[test]
fn a_fast_spin_stretches_the_start_as_it_should() {
    for scheme in ["EnergyMomentum(theta: 0.5)", "Newmark(gamma: 0.5, beta: 0.25)"] {
        let model = plate("(1, 1)", 800.0, scheme, ", spin: 4.0", ", start: Equilibrium");
        let mut engine = Engine::new(&model).unwrap();
        let start = Start::find(&mut engine).unwrap().snapshot;
        let state = &start.states[0];
        for (n, x) in model.bodies[0].body.mesh().points.iter().enumerate() {
            for (i, k) in [0.02, 0.005].into_iter().enumerate() {
                let (u, dof) = (x[i] * k / (1.0 - k), 2 * n + i);
                assert!((state.q[dof] - u).abs() < 1e-13, "{scheme}: {} {u}", state.q[dof]);
                let acceleration = state.aux.get(dof).map_or(0.0, |a| a + 16.0 * (x[i] + u));
                assert!(acceleration.abs() < 1e-10, "{scheme}: {acceleration:e}");
            }
        }
        let (end, balances) = stepped(&mut engine, start.clone(), 30);
        assert!(balances.iter().all(|b| (b.elastic / balances[0].elastic - 1.0).abs() < 1e-2), "{scheme}");
        assert!(end.states[0].q.iter().all(|q| q.is_finite()));
    }
}

/// A plate whose corner slides along a line without friction, from rest: the mass centre falls straight down, and with its angle β over the line
/// (r² cos²β + I/m) β'' = r² sin β cos β β'² − g r cos β.
#[test]
fn a_corner_on_a_roller_slides_as_of_a_rigid_plate() {
    let held = ", boundary: [(body: \"plate\", group: \"bottom_left\", y: 0)], loads: [Gravity(acceleration: (0, -1))]";
    let model = plate("(4, 2)", 1e5, "EnergyMomentum(theta: 0.5)", ", mass: Consistent", held);
    assert!(model.bodies[0].body.guides().is_some() && !model.operator_varies(0), "the roller is a row");
    let mut engine = Engine::new(&model).unwrap();
    let start = engine.start().unwrap();
    let (end, _) = stepped(&mut engine, start, 200);
    let (r, inertia, h) = (1.25_f64.sqrt(), 5.0 / 12.0, 1e-3);
    let rate = |(b, w): (f64, f64)| {
        (w, (r * r * b.sin() * b.cos() * w * w - r * b.cos()) / (r * r * b.cos().powi(2) + inertia))
    };
    let mut y = (0.5_f64.atan(), 0.0);
    for _ in 0..2000 {
        let at = |s: (f64, f64), f: f64| (y.0 + f * s.0, y.1 + f * s.1);
        let a = rate(y);
        let b = rate(at(a, 0.5 * h));
        let c = rate(at(b, 0.5 * h));
        let d = rate(at(c, h));
        y = (y.0 + h / 6.0 * (a.0 + 2.0 * (b.0 + c.0) + d.0), y.1 + h / 6.0 * (a.1 + 2.0 * (b.1 + c.1) + d.1));
    }
    let (q, points) = (&end.states[0].q, &model.bodies[0].body.mesh().points);
    let place = |x: [f64; 2]| {
        let n = points.iter().position(|p| (p[0] - x[0]).hypot(p[1] - x[1]) < 1e-9).unwrap();
        [points[n][0] + q[2 * n], points[n][1] + q[2 * n + 1]]
    };
    let (corner, centre) = (place([-1.0, -0.5]), place([0.0, 0.0]));
    let angle = (centre[1] - corner[1]).atan2(centre[0] - corner[0]);
    assert!(y.0 < -0.5, "it has turned far: {}", y.0);
    // strains of ρ g L/E = 2e-5, a turn too small by (hω)²/12 of it
    assert!((angle - y.0).abs() < 1e-3, "{angle} {}", y.0);
    assert!(corner[1].to_bits() == (-0.5_f64).to_bits(), "{}", corner[1]);
    let masses = model.bodies[0].body.finite_elements().unwrap().node_masses();
    let aside: f64 = masses.iter().enumerate().map(|(n, m)| m * q[2 * n]).sum();
    assert!(aside.abs() < 1e-11, "{aside:e}");
}

/// Explicit steps have a diagonal M̂, whatever frames a body has.
#[test]
fn frames_of_elements_turn_in_explicit_steps() {
    let model = plate("(4, 2)", 100.0, "Explicit()", ", spin: 1.0, kinematics: Corotational(frames: Elements)", "");
    let mut engine = Engine::new(&model).unwrap();
    let start = engine.start().unwrap();
    let (end, _) = stepped(&mut engine, start, 50);
    let body = model.bodies[0].body.finite_elements().unwrap();
    let angle = body.frame_angle(&end.states[0]).unwrap();
    // stretched by ρω²a²/(2E) = 5e-3 at the most it turns slower, and cells swing
    assert!((angle / 0.5 - 1.0).abs() < 0.03, "{angle}");
}
