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
use delassus_sim::engine::Engine;
use delassus_sim::model::Model;
use delassus_sim::snapshot::Snapshot;
use delassus_sim::space::{Dimension, Space};
use delassus_sim::step::step;
use delassus_sim::timings::Timings;
use nalgebra::{DMatrix, DVector, Matrix3, Vector3};
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

fn from_relative_equilibrium<const D: usize>(settings: &[&str], model: impl Fn(&[&str]) -> Arc<Model<D>>, n: f64)
where
    Dimension<D>: Space<D>,
{
    for mass in ["Lumped", "Consistent"] {
        let mass = format!("bodies.plate.mass={mass}");
        let model = model(&[settings, &[mass.as_str()]].concat());
        for step in [0.05, 0.1] {
            // ω = 1; a fast spin stretches the body by 2 %
            let (worst, passes) = turns(Free::new(Arc::clone(&model), step), 1.0, n, true);
            let [extents, angular, created, jump] = worst;
            show(&format!(
                "relative equilibrium, {D}D, {mass}, hω {step}: extents {extents:.0e}, L {angular:.0e}, energy created {created:.0e}, a step {jump:.0e}, \
                 {passes:.1} passes"
            ));
            assert!(extents < 1e-9 && angular < 1e-10 && jump < 1e-12, "{worst:?}");
        }
    }
}

#[test]
fn a_body_in_relative_equilibrium_turns_as_it_is() {
    from_relative_equilibrium::<2>(&[], |s| load_text(PLATE, s).model().unwrap(), 2.0);
    from_relative_equilibrium::<3>(&BLOCK, |s| load_text(PLATE, s).model().unwrap(), 1.0);
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
            let (turning, linear) = (struck("Corotational()", v, scheme), struck("SmallStrain", v, scheme));
            let angle = turning.largest("frame_rotation");
            let difference = verification::distance(&turning.column("p.vy"), &linear.column("p.vy")) / v;
            ratios.push(difference / angle);
            assert!(angle > 1e-5 && angle < 0.02, "{angle}");
        }
        show(&format!("small rotations, {scheme}: difference of velocities over the rotation {ratios:.2?}"));
        assert!(ratios.iter().all(|r| *r < 0.5), "{ratios:?}");
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
