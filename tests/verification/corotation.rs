//! Bodies that turn: small strains in a frame that turns with the body, and the scheme `EnergyMomentum`.
//!
//! References:
//! - Relative equilibrium: with (K − ω² M) u = ω² M X across the axis and v = ω × x a body turns without vibration. The scheme keeps that state exactly
//!   for its own ω: lengths change by rounding alone, at any step.
//! - A free body keeps momentum and angular momentum, and with θ = ½ its energy; a body without strain at the start swings about the stretch of the relative equilibrium.
//! - A disk of radius a in plane stress that spins at ω is larger by ρ ω² a³ (1 − ν)/(4 E).
//! - A stiff body without symmetry moves as a rigid one: Euler's equations, here by Runge and Kutta's method.
//!
//! Tolerances: an iteration of a step ends at an imbalance of 1e-10 of its impulses, h ω of the momentum; over n steps errors add up to at most n h ω 1e-10.

#![expect(clippy::unwrap_used, reason = "a helper of tests that cannot go on ends the test")]

use std::sync::Arc;

use delassus_dynamics::System;
use delassus_error::Coded;
use delassus_sim::engine::Engine;
use delassus_sim::model::Model;
use delassus_sim::snapshot::Snapshot;
use delassus_sim::space::{Dimension, Space};
use delassus_sim::start::Start;
use delassus_sim::step::step;
use delassus_sim::timings::Timings;
use nalgebra::{DMatrix, DVector, Matrix3, Rotation3, Vector3};
use verification::{load_text, run, show};

const PLATE: &str = r#"(
    title: "A plate spins",
    units: Plain,
    materials: [(name: "m", density: 1.0, law: KelvinVoigt(young: 1000.0, poisson: 0.3))],
    bodies: [(name: "plate", mesh: Rectangle(corner: (2.0, 1.0), size: (2.0, 1.0), cells: (4, 2)), material: "m", section: PlaneStress(thickness: 1.0))],
    integrator: EnergyMomentum(theta: 0.5),
    step: 0.05,
    duration: 1.0,
)"#;

const BLOCK: [&str; 2] = [
    "dimension=3",
    "bodies=[(name: \"plate\", mesh: Box(corner: (2, 1, -3), size: (2, 1, 0.5), cells: (3, 2, 1)), material: \"m\")]",
];

/// A free body that is stepped by hand.
struct Free<const D: usize> {
    model: Arc<Model<D>>,
    engine: Engine<D>,
    snapshot: Snapshot,
    h: f64,
}

/// What a free body keeps.
struct Kept {
    energy: f64,
    /// About the origin.
    angular: Vector3<f64>,
    momentum: Vector3<f64>,
    /// Distances of all nodes from the mass centre.
    extents: Vec<f64>,
}

impl<const D: usize> Free<D>
where
    Dimension<D>: Space<D>,
{
    fn new(model: Arc<Model<D>>, h: f64) -> Self {
        let mut engine = Engine::new(&model).unwrap();
        let snapshot = engine.start().unwrap();
        Self { model, engine, snapshot, h }
    }

    fn places(&self) -> Vec<Vector3<f64>> {
        let q = &self.snapshot.states[0].q;
        let points = &self.model.bodies[0].body.mesh().points;
        points
            .iter()
            .enumerate()
            .map(|(n, x)| Vector3::from_fn(|i, _| if i < D { x[i] + q[D * n + i] } else { 0.0 }))
            .collect()
    }

    fn centre(&self) -> Vector3<f64> {
        let masses = self.model.bodies[0].body.finite_elements().unwrap().node_masses();
        self.places().iter().zip(masses).map(|(x, m)| x * *m).sum::<Vector3<f64>>() / masses.iter().sum::<f64>()
    }

    /// Sets the body going: relative equilibrium about z, or the given shape with that spin about an axis.
    fn spin(&mut self, omega: &Vector3<f64>, is_stretched: bool) {
        let body = self.model.bodies[0].body.finite_elements().unwrap();
        let centre = self.centre();
        let n = body.n_dof();
        let mut u = DVector::zeros(n);
        if is_stretched {
            let [mass, _, stiffness] = verification::dense::mass_damping_stiffness(body);
            // across z alone
            let across = DVector::from_fn(n, |i, _| if i % D < 2 { omega.z * omega.z } else { 0.0 });
            let centrifugal = DMatrix::from_fn(n, n, |i, j| mass[(i, j)] * across[i]);
            let x = DVector::from_fn(n, |i, _| body.mesh().points[i / D][i % D] - centre[i % D]);
            let svd = (stiffness - &centrifugal).svd(true, true);
            // along z the body is free
            u = svd.solve(&(&centrifugal * x), 1e-10 * svd.singular_values.max()).unwrap();
        }
        let state = &mut self.snapshot.states[0];
        state.q = u.as_slice().to_vec();
        let places = self.places();
        let v = places.iter().flat_map(|x| {
            let v = omega.cross(&(x - centre)) + Vector3::new(0.3, -0.2, if D == 3 { 0.1 } else { 0.0 });
            (0..D).map(move |i| v[i])
        });
        self.snapshot.states[0].v = v.collect();
    }

    fn kept(&self) -> Kept {
        let body = self.model.bodies[0].body.finite_elements().unwrap();
        let state = &self.snapshot.states[0];
        let mut p = vec![0.0; state.v.len()];
        body.mass_times_into(&state.v, &mut p);
        let p: Vec<Vector3<f64>> =
            p.chunks_exact(D).map(|p| Vector3::from_fn(|i, _| if i < D { p[i] } else { 0.0 })).collect();
        let (places, centre) = (self.places(), self.centre());
        let (kinetic, elastic) = delassus_dynamics::integrator::energies(body, state);
        Kept {
            energy: kinetic + elastic,
            angular: places.iter().zip(&p).map(|(x, p)| x.cross(p)).sum(),
            momentum: p.iter().sum(),
            extents: places.iter().map(|x| (x - centre).norm()).collect(),
        }
    }

    fn step(&mut self) -> usize {
        let outcome = step(&mut self.engine, &mut Timings::default(), &self.snapshot, self.h).unwrap();
        assert!(outcome.is_accepted(1e-10), "{:?}", outcome.audit);
        self.snapshot = outcome.snapshot;
        outcome.balancing.iterations
    }
}

/// Errors over some turns: extents of a body of half a length of 1.12, angular momentum, energy created and its largest change in a step; passes in a step.
fn turns<const D: usize>(mut free: Free<D>, omega: f64, turns: f64, is_stretched: bool) -> ([f64; 4], f64)
where
    Dimension<D>: Space<D>,
{
    free.spin(&Vector3::new(0.0, 0.0, omega), is_stretched);
    let start = free.kept();
    let (mut worst, mut last, mut passes) = ([0.0_f64; 4], start.energy, 0);
    let steps = (turns * std::f64::consts::TAU / (omega * free.h)).round() as usize;
    for _ in 0..steps {
        passes += free.step();
        let now = free.kept();
        let extents = now.extents.iter().zip(&start.extents).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        let changes = [
            extents,
            (now.angular - start.angular).norm() / start.angular.norm(),
            now.energy / start.energy - 1.0,
            (now.energy / last - 1.0).abs(),
        ];
        worst = std::array::from_fn(|k| worst[k].max(changes[k]));
        assert!((now.momentum - start.momentum).norm() < 1e-12, "{:e}", (now.momentum - start.momentum).norm());
        last = now.energy;
    }
    (worst, passes as f64 / steps as f64)
}

fn from_relative_equilibrium<const D: usize>(
    settings: &[&str],
    model: impl Fn(&[&str]) -> Arc<Model<D>>,
    steps: &[f64],
    n: f64,
) where
    Dimension<D>: Space<D>,
{
    for mass in ["Lumped", "Consistent"] {
        let mass = format!("bodies.plate.mass={mass}");
        let model = model(&[settings, &[mass.as_str()]].concat());
        for &step in steps {
            // ω = 1; a fast spin stretches the body by 2 %
            let (worst, passes) = turns(Free::new(Arc::clone(&model), step), 1.0, n, true);
            let [extents, angular, created, jump] = worst;
            show(&format!(
                "relative equilibrium, {D}D, {mass}, hω {step}: extents {extents:.0e}, L {angular:.0e}, energy created {created:.0e}, a step {jump:.0e}, \
                 {passes:.1} passes"
            ));
            assert!(extents < 1e-9 && angular < 1e-10 && jump < 1e-12, "{worst:?}");
            // Counted, so that a loss of convergence shows: the rate is ½hω or better.
            assert!(passes <= if step > 0.06 { 7.0 } else { 6.0 }, "{passes}");
        }
    }
}

#[test]
fn a_body_in_relative_equilibrium_turns_as_it_is() {
    from_relative_equilibrium::<2>(&[], |s| load_text(PLATE, s).model().unwrap(), &[0.05, 0.1], 2.0);
    from_relative_equilibrium::<3>(&BLOCK, |s| load_text(PLATE, s).model().unwrap(), &[0.05, 0.1], 1.0);
}

#[test]
#[ignore = "minutes: scripts/test --full"]
fn a_body_in_relative_equilibrium_turns_a_hundred_times_as_it_is() {
    from_relative_equilibrium::<2>(&[], |s| load_text(PLATE, s).model().unwrap(), &[0.01, 0.05, 0.1], 100.0);
    from_relative_equilibrium::<3>(&BLOCK, |s| load_text(PLATE, s).model().unwrap(), &[0.01, 0.05, 0.1], 100.0);
}

/// `start: Equilibrium` finds this state by itself.
fn found_by_the_start<const D: usize>(settings: &[&str], model: impl Fn(&[&str]) -> Arc<Model<D>>, velocity: &str)
where
    Dimension<D>: Space<D>,
{
    let velocity = format!("bodies.plate.velocity={velocity}");
    let model = model(&[settings, &["start=Equilibrium", "bodies.plate.spin=1.0", &velocity]].concat());
    let mut free = Free::new(model, 0.05);
    free.spin(&Vector3::new(0.0, 0.0, 1.0), true);
    let by_hand = free.snapshot.states[0].clone();
    free.snapshot = Start::find(&mut free.engine).unwrap().snapshot;
    let found = &free.snapshot.states[0];
    let apart = |a: &[f64], b: &[f64]| a.iter().zip(b).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
    let (size, q, v) = (apart(&by_hand.q, &[0.0; 400]), apart(&found.q, &by_hand.q), apart(&found.v, &by_hand.v));
    show(&format!("relative equilibrium by the start, {D}D: {q:.0e} of {size:.0e}, velocities {v:.0e}"));
    // the balance is reached to 1e-13 of the forces; the softest motion is some hundred times softer than the stiffest
    assert!(size > 1e-4 && q < 1e-10 * size && v < 1e-10, "{q:e} {v:e} of {size:e}");
    let start = free.kept();
    for _ in 0..40 {
        free.step();
    }
    let extents = free.kept().extents.iter().zip(&start.extents).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(extents < 1e-10, "{extents:e}");
}

#[test]
fn the_start_stretches_a_body_that_spins() {
    found_by_the_start::<2>(&[], |s| load_text(PLATE, s).model().unwrap(), "(0.3, -0.2)");
    found_by_the_start::<3>(&BLOCK, |s| load_text(PLATE, s).model().unwrap(), "(0.3, -0.2, 0.1)");
    // Faster than its lowest vibration nothing holds it together, and a spin about no principal axis has no such state.
    let start = |settings: &[&str]| {
        let model = load_text(PLATE, &[&["start=Equilibrium"], settings].concat()).model::<3>().unwrap();
        Start::find(&mut Engine::new(&model).unwrap())
    };
    let fast = start(&[&BLOCK[..], &["bodies.plate.spin=100.0"]].concat()).err().unwrap();
    assert!(fast.code() == "E0702" && fast.to_string().contains("`plate` spins with 1.000e2 rad/s"), "{fast}");
    let skew = start(&[&BLOCK[..], &["bodies.plate.spin=1.0", "bodies.plate.spin_axis=(1, 2, 1)"]].concat()).unwrap();
    assert!(skew.snapshot.states[0].q.iter().all(|u| u.abs() < 1e-12));
}

/// Passes that do not contract end in half the step, and the run says so.
#[test]
fn a_turn_too_far_for_a_step_halves_it() {
    let turned =
        |step: f64| run(&load_text(PLATE, &["bodies.plate.spin=1.0", &format!("step={step}"), "duration=4.0"]));
    let (far, near) = (turned(2.0), turned(0.05));
    show(&format!("a plate turns by 2 rad in a step: {} steps were cut", far.summary.verdict.cuts));
    assert!(far.summary.verdict.cuts > 0 && near.summary.verdict.cuts == 0);
    assert!(far.largest("energy_residual") < 1e-9, "{}", far.largest("energy_residual"));
}

#[test]
fn a_body_without_strain_at_the_start_swings_about_it() {
    let model = load_text(PLATE, &[]).model().unwrap();
    let (worst, _) = turns(Free::<2>::new(model, 0.05), 1.0, 2.0, false);
    let [extents, angular, created, jump] = worst;
    show(&format!(
        "unstrained start: extents {extents:.1e}, L {angular:.0e}, energy created {created:.0e}, a step {jump:.0e}"
    ));
    // twice the stretch ρ ω² L² (1/8)/E at rest, of a half length of 1 and a height of ½: 0.4e-3; vibrations across add to it
    assert!((2e-4..1.2e-3).contains(&extents), "{extents:e}");
    assert!(angular < 1e-10 && created < 1e-11 && jump < 1e-11, "{worst:?}");
}

/// Strain-rate damping in the frame leaves the spin and brings the disk to its stretch.
#[test]
fn a_spinning_disk_grows_by_the_closed_form() {
    let disk = [
        "bodies=[(name: \"plate\", mesh: Disk(centre: (1, 2), radius: 1.0, core: (4, 4), rings: 4), material: \"m\", \
         section: PlaneStress(thickness: 1.0), spin: 1.0, damping: (beta: 0.05))]",
        "probes=[(name: \"rim\", at: Point(body: \"plate\", point: (2, 2))), (name: \"disk\", at: Body(\"plate\"))]",
        "duration=20.0",
    ];
    let run = run(&load_text(PLATE, &disk));
    let at = |x: &str, k: usize| run.column(&format!("rim.u{x}"))[k] - run.column(&format!("disk.u{x}"))[k];
    let n = run.column("time").len() - 1;
    let radius = (1.0 + at("x", n)).hypot(at("y", n));
    let (growth, exact) = (radius - 1.0, 0.7 / 4000.0);
    // L = I ω is kept: the spin of the larger disk is less by twice its mean growth, 3e-4, which is nothing here
    show(&format!("spinning disk: grows by {growth:.4e}, exactly {exact:.4e}"));
    // linear cells, a polygon of 32 sides whose corners reach out: 1 %
    assert!((growth / exact - 1.0).abs() < 0.02, "{growth:e} {exact:e}");
    assert!(run.largest("energy_residual") < 1e-10);
}

/// Euler's equations of a rigid body, in its own axes, by Runge and Kutta's method of order four.
fn rigid(inertia: &Vector3<f64>, mut w: Vector3<f64>, h: f64, steps: usize) -> Vec<Vector3<f64>> {
    let rate = |w: &Vector3<f64>| -> Vector3<f64> {
        let l = inertia.component_mul(w);
        l.cross(w).component_div(inertia)
    };
    let mut out = vec![w];
    for _ in 0..steps {
        for _ in 0..20 {
            let h = h / 20.0;
            let a = rate(&w);
            let b = rate(&(w + a * (0.5 * h)));
            let c = rate(&(w + b * (0.5 * h)));
            let d = rate(&(w + c * h));
            w += (a + b * 2.0 + c * 2.0 + d) * (h / 6.0);
        }
        out.push(w);
    }
    out
}

/// A body spun about its middle axis turns over, and over again. As it becomes stiffer it does so when a rigid one does.
#[test]
fn a_body_spun_about_its_middle_axis_turns_over_as_a_rigid_one() {
    let h = 0.02;
    let steps = 1300;
    let omega = Vector3::new(0.1, 1.0, 0.05);
    let mut off = Vec::new();
    for young in [30.0, 300.0] {
        let stiff = format!("materials.m.law.young={young}");
        let model: Arc<Model<3>> = load_text(PLATE, &[&BLOCK[..], &[stiff.as_str()]].concat()).model().unwrap();
        let mut free = Free::new(model, h);
        free.spin(&omega, false);
        let masses = free.model.bodies[0].body.finite_elements().unwrap().node_masses().to_vec();
        let (start, centre) = (free.places(), free.centre());
        let moment = |i: usize| start.iter().zip(&masses).map(|(x, m)| m * (x - centre)[i].powi(2)).sum::<f64>();
        let [x, y, z] = [0, 1, 2].map(moment);
        let exact = rigid(&Vector3::new(y + z, x + z, x + y), omega, h, steps);
        let first = free.kept();
        let (mut worst, mut flips, mut before) = (0.0_f64, 0, 1.0);
        for w in exact.iter().skip(1) {
            free.step();
            let angular = free.kept().angular;
            assert!((angular - first.angular).norm() < 1e-9 * first.angular.norm());
            // spin about the body's y axis: L along it over the inertia
            let (places, centre) = (free.places(), free.centre());
            let about: Vector3<f64> = angular - centre.cross(&free.kept().momentum);
            let frame: Matrix3<f64> =
                places.iter().zip(&start).zip(&masses).fold(Matrix3::zeros(), |sum, ((x, s), m)| {
                    sum + (x - centre) * (s - first_centre(&start, &masses)).transpose() * *m
                });
            let svd = frame.svd(true, true);
            let r = svd.u.unwrap() * svd.v_t.unwrap();
            let spin = (r.transpose() * about)[1] / (x + z);
            worst = worst.max((spin - w.y).abs());
            if spin * before < 0.0 {
                flips += 1;
                before = spin;
            }
        }
        show(&format!("middle axis, E = {young}: {flips} flips, spin about it off by {worst:.1e}"));
        assert_eq!(flips, 2);
        off.push(worst);
    }
    // The error of the flexible body goes with 1/E, that of the step, (hω)²/12 a radian over 26 rad, is 9e-4 times the rate of a flip.
    assert!(off[0] / off[1] > 4.0 && off[1] < 0.02, "{off:?}");
}

/// The same beside a rigid body of the same shape, whose own scheme has an error of the fourth order in the step: a corner of both over two flips of the middle axis.
#[test]
fn a_stiff_body_turns_over_as_the_rigid_body_beside_it() {
    let off = [30.0, 300.0, 3000.0].map(|young| {
        let bodies = "bodies=[\
            (name: \"plate\", mesh: Box(corner: (2, 1, -3), size: (2, 1, 0.5), cells: (3, 2, 1)), material: \"m\", mass: Consistent, spin: 1.0, spin_axis: (0.1, 1, 0.05)), \
            (name: \"stone\", mesh: Box(corner: (2, 11, -3), size: (2, 1, 0.5), cells: (1, 1, 1)), material: \"m\", rigid: true, spin: 1.0, spin_axis: (0.1, 1, 0.05))]";
        let probes = "probes=[(name: \"soft\", at: Point(body: \"plate\", point: (4, 2, -2.5))), \
            (name: \"hard\", at: Point(body: \"stone\", point: (4, 12, -2.5))), (name: \"turn\", at: Turn(\"stone\"))]";
        let stiff = format!("materials.m.law.young={young}");
        let run = run(&load_text(PLATE, &["dimension=3", bodies, probes, &stiff, "step=0.01", "duration=26.0"]));
        // L is nearly along y: where the middle axis passes the plane across it, the rigid body turns over.
        let [rx, ry, rz] = ["rx", "ry", "rz"].map(|r| run.column(&format!("turn.{r}")));
        let along = rx.iter().zip(&ry).zip(&rz).map(|((x, y), z)| Rotation3::new(Vector3::new(*x, *y, *z))[(1, 1)]);
        let flips = along.collect::<Vec<f64>>().windows(2).filter(|a| a[0] * a[1] < 0.0).count();
        assert!(flips == 2 && run.largest("energy_residual") < 1e-9, "{flips}");
        let apart = ["x", "y", "z"].map(|x| {
            let [soft, hard] = ["soft", "hard"].map(|body| run.column(&format!("{body}.u{x}")));
            verification::distance(&soft, &hard)
        });
        show(&format!("beside a rigid body, E = {young}: a corner at 1.15 m is off by {:.1e}, {:.1e} and {:.1e} m over {flips} flips", apart[0], apart[1], apart[2]));
        apart.into_iter().fold(0.0, f64::max)
    });
    // Centrifugal strains, ρω²a²/E, change the moments of inertia: the error goes with 1/E until that of the step, (hω)²/12 a radian over 26 rad, 2e-4, is left.
    assert!(off[0] / off[1] > 6.0 && off[1] / off[2] > 6.0 && off[2] < 0.01, "{off:?}");
}

fn first_centre(places: &[Vector3<f64>], masses: &[f64]) -> Vector3<f64> {
    places.iter().zip(masses).map(|(x, m)| x * *m).sum::<Vector3<f64>>() / masses.iter().sum::<f64>()
}

/// With small rotations a body with a frame and one of small strains differ by the rotation.
#[test]
fn small_rotations_give_the_linear_result() {
    let struck = |kinematics: &str, v: f64, scheme: &str| {
        let body = format!(
            "bodies=[(name: \"plate\", mesh: Rectangle(corner: (0, 0), size: (2, 1), cells: (4, 2)), material: \"m\", velocity: (0, {}), rotation: 10, kinematics: {kinematics})]",
            -v
        );
        let (floor, contact) = (
            "obstacles=[(name: \"floor\", shape: HalfPlane(point: (0, -1e-3), normal: (0, 1)))]",
            "contacts=[(name: \"foot\", candidates: (body: \"plate\", group: \"boundary\"), antagonists: Obstacle(\"floor\"), law: SignoriniCoulomb(friction: 0.3))]",
        );
        let duration = format!("duration={}", 2e-3 / v + 0.3);
        let scheme = format!("integrator={scheme}");
        run(&load_text(
            PLATE,
            &[&body, floor, contact, "step=0.01", &duration, &scheme, "probes=[(name: \"p\", at: Body(\"plate\"))]"],
        ))
    };
    for scheme in [
        "EnergyMomentum(theta: 0.5)",
        "ModifiedTheta(theta: 0.6)",
        "ThetaEuler(theta: 0.75)",
        "Newmark(gamma: 0.5, beta: 0.25)",
    ] {
        let mut ratios = Vec::new();
        for v in [0.02, 0.01] {
            let linear = struck("SmallStrain", v, scheme);
            for kinematics in ["Corotational()", "Corotational(frames: Elements)"] {
                let turning = struck(kinematics, v, scheme);
                let angle = turning.largest("frame_rotation");
                let difference = verification::distance(&turning.column("p.vy"), &linear.column("p.vy")) / v;
                ratios.push(difference / angle);
                assert!(angle > 1e-5 && angle < 0.02, "{kinematics}: {angle}");
            }
        }
        show(&format!("small rotations, {scheme}: difference of velocities over the rotation {ratios:.2?}"));
        assert!(ratios.iter().all(|r| *r < 0.5), "{ratios:?}");
    }
}

/// Observed orders of `EnergyMomentum` for θ = ½ and θ = 1, from steps of 4 and 2 ms against 0.25 ms: a body that turns by more than a radian while it stretches.
fn orders<const D: usize>(settings: &[&str], model: impl Fn(&[&str]) -> Arc<Model<D>>) -> [f64; 2]
where
    Dimension<D>: Space<D>,
{
    [0.5, 1.0].map(|theta| {
        let scheme = format!("integrator=EnergyMomentum(theta: {theta})");
        let model = model(&[settings, &[scheme.as_str()]].concat());
        let end = |h: f64| {
            let mut free = Free::new(Arc::clone(&model), h);
            free.spin(&Vector3::new(0.0, 0.0, 3.0), false);
            for _ in 0..(0.4 / h).round() as usize {
                free.step();
            }
            free.places()
        };
        let exact = end(2.5e-4);
        let off = [4e-3, 2e-3].map(|h| end(h).iter().zip(&exact).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max));
        (off[0] / off[1]).log2()
    })
}

#[test]
fn errors_of_a_smooth_motion_fall_with_the_square_of_the_step() {
    // Soft bodies: the slowest vibration takes 0.3 s and is followed well by the longest step, the fastest one has a small part in the motion.
    let soft = "materials.m.law.young=200.0";
    let plane = orders::<2>(&[soft], |s| load_text(PLATE, s).model().unwrap());
    let space = orders::<3>(&[&BLOCK[..], &[soft]].concat(), |s| load_text(PLATE, s).model().unwrap());
    for (d, [half, one]) in [(2, plane), (3, space)] {
        show(&format!("order in smooth motion, {d}D: {half:.2} with theta = 1/2, {one:.2} with theta = 1"));
        assert!((1.8..2.3).contains(&half) && (0.8..1.3).contains(&one), "{half} {one}");
    }
}

/// A material with memory tells how slow its motion is, with a frame as without: a block that is sheared slowly.
#[test]
fn the_ratio_of_inertia_is_told_with_a_frame_too() {
    let ratio = |kinematics: &str| {
        let body = format!(
            "bodies=[(name: \"plate\", mesh: Rectangle(corner: (0, 0), size: (1, 1), cells: (2, 2)), material: \"m\", kinematics: {kinematics})]"
        );
        let (material, held) = (
            "materials=[(name: \"m\", density: 1.0, law: Maxwell(young: 1000.0, poisson: 0.3, viscosity: 100.0))]",
            "boundary=[(body: \"plate\", group: \"bottom\", x: 0, y: 0), (body: \"plate\", group: \"top\", x: 0.01, y: 0)]",
        );
        run(&load_text(PLATE, &[&body, material, held, "step=0.01", "duration=0.5"])).last("inertia_ratio")
    };
    let [turning, small] = ["Corotational()", "SmallStrain"].map(ratio);
    show(&format!("ratio of inertia: {turning:.4e} with a frame, {small:.4e} without"));
    // the frame turns by 1e-3
    assert!(small > 0.0 && (turning / small - 1.0).abs() < 0.05, "{turning:e} {small:e}");
}

/// A slender free body whose elements have frames of their own.
fn strip<const D: usize>(settings: &[&str], theta: f64, model: impl Fn(&[&str]) -> Arc<Model<D>>)
where
    Dimension<D>: Space<D>,
{
    let scheme = format!("integrator=EnergyMomentum(theta: {theta})");
    let mut free =
        Free::new(model(&[settings, &["kinematics=Corotational(frames: Elements)", &scheme]].concat()), 0.02);
    // bends by some 60° to both sides while it turns
    free.spin(&Vector3::new(0.0, 0.0, 1.0), false);
    let places = free.places();
    for (n, x) in places.iter().enumerate() {
        let along = x.x - 3.0;
        free.snapshot.states[0].v[D * n + 1] += 6.0 * along * along;
        free.snapshot.states[0].v[D * n + D - 1] += if D == 3 { 0.5 * along } else { 0.0 };
    }
    let start = free.kept();
    let (mut last, mut passes, mut worst, mut angle) = (start.energy, 0, [0.0_f64; 3], 0.0_f64);
    let steps = 60;
    for _ in 0..steps {
        passes += free.step();
        let now = free.kept();
        let changes = [
            (now.momentum - start.momentum).norm() / start.momentum.norm(),
            (now.angular - start.angular).norm() / start.angular.norm(),
            if theta > 0.5 { now.energy / last - 1.0 } else { (now.energy / last - 1.0).abs() },
        ];
        worst = std::array::from_fn(|k| worst[k].max(changes[k]));
        last = now.energy;
        let body = free.model.bodies[0].body.finite_elements().unwrap();
        angle = angle.max(body.frame_angle(&free.snapshot.states[0]).unwrap());
    }
    let (passes, lost) = (passes as f64 / f64::from(steps), 1.0 - last / start.energy);
    show(&format!(
        "frames of elements, {D}D, θ {theta}: momentum {:.0e}, L {:.0e}, energy created in a step {:.0e}, lost in all {lost:.1e}; cells turn by {angle:.1} rad, {passes:.1} passes",
        worst[0], worst[1], worst[2]
    ));
    assert!(worst[0] < 1e-12 && worst[1] < 1e-9 && worst[2] < 1e-10, "{worst:?}");
    // a tangent that is wrong takes far more than the 8.5 passes that the plane strip needs
    assert!(angle > 0.8 && passes < 12.0, "{angle} {passes}");
    assert!(if theta > 0.5 { lost > 1e-3 } else { lost.abs() < 1e-9 }, "{lost:e}");
}

#[test]
fn frames_of_elements_keep_what_a_free_body_keeps() {
    let plane = "bodies=[(name: \"plate\", mesh: Rectangle(corner: (2, 1), size: (2, 0.1), cells: (16, 1)), material: \"m\", formulation: IncompatibleModes)]";
    let space = [
        "dimension=3",
        "bodies=[(name: \"plate\", mesh: Box(corner: (2, 1, -3), size: (2, 0.2, 0.2), cells: (8, 1, 1)), material: \"m\", formulation: IncompatibleModes, mass: Consistent)]",
    ];
    for theta in [0.5, 1.0] {
        strip::<2>(&[plane], theta, |s| load_text(PLATE, s).model().unwrap());
        strip::<3>(&space, theta, |s| load_text(PLATE, s).model().unwrap());
    }
}

/// A stiff body that spins moves as with one frame.
#[test]
fn a_stiff_body_turns_as_with_one_frame() {
    let probe = "probes=[(name: \"corner\", at: Point(body: \"plate\", point: (4, 2)))]";
    let set = ["bodies.plate.spin=1.0", "materials[0].law.young=1e5", "duration=3.0", probe];
    let [one, each] = ["Corotational()", "Corotational(frames: Elements)"].map(|kinematics| {
        let kinematics = format!("kinematics={kinematics}");
        run(&load_text(PLATE, &[&set[..], &[kinematics.as_str()]].concat()))
    });
    let off = verification::distance(&one.column("corner.ux"), &each.column("corner.ux"));
    show(&format!("stiff plate, three radians: corner off by {off:.1e} m of 2"));
    // strains of 1e-5, ρω²a²/E, by which the cells turn against each other
    assert!(off < 1e-4 && each.last("frame_rotation") > 2.9, "{off:e}");
}

/// Equilibria of a strip under an end couple that turns with it, step by step without inertia: an arc of the angle M L/EI.
#[test]
fn quasi_static_steps_bend_a_strip_into_an_arc() {
    let set = [
        "bodies=[(name: \"plate\", mesh: Rectangle(corner: (0, -0.025), size: (1, 0.05), cells: (16, 1)), material: \"m\", \
         section: PlaneStress(thickness: 1.0), formulation: IncompatibleModes, kinematics: Corotational(frames: Elements))]",
        "materials[0].law.poisson=0.0",
        "boundary=[(body: \"plate\", group: \"left\", x: 0, y: 0)]",
        // EI = 1000 t³/12; a quarter of a circle
        "loads=[Couple(body: \"plate\", group: \"right\", moment: 0.01636246173744684, follows: true, factor: Ramp(end: 1.0, to: 1.0))]",
        "integrator=QuasiStatic",
        "step=0.1",
        "probes=[(name: \"tip\", at: Point(body: \"plate\", point: (1, -0.025)))]",
    ];
    let run = run(&load_text(PLATE, &set));
    let angle = std::f64::consts::FRAC_PI_2;
    // a corner of the end, half a thickness below its middle
    let exact = [angle.sin() / angle - 1.0 + 0.025 * angle.sin(), (1.0 - angle.cos()) * (1.0 / angle + 0.025)];
    let off = [run.last("tip.ux") - exact[0], run.last("tip.uy") - exact[1]];
    show(&format!(
        "strip in equilibrium, a quarter of a circle: end off by {off:?} m, {} passes",
        run.last("newton_iterations")
    ));
    // cells that bend by 5.6° are too soft by φ²/6 = 1.6e-3, and the end moves by up to 0.8 m per radian
    assert!(off.iter().all(|x| x.abs() < 4e-3), "{off:?}");
    assert!(run.largest("energy_residual") < 1e-8);
}
