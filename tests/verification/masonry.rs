//! Blocks on supports, with and without mortar: a lintel, and the first steps of `cases/dome.ron`.
//!
//! Reference: weight. What stands is carried by its supports; what nothing holds falls freely. And the balance of momentum over every step,
//! R = m g − ΔP/h (implicit Euler with damping α on the mass: + α P).
//!
//! Goal: Mohr–Coulomb joints between many bodies hold what is below their strength and let go above it; copies, contacts between all of
//! them, points on facets; a structure of 300 blocks is stepped with few factors.
//!
//! ```text
//!     +---+---+---+---+---+
//!     |   |   |   |   |   |     five blocks of 1 m x 1 m, joints of 2 points
//!     +---+---+---+---+---+
//!     #####           #####     supports under the first and the last
//! ```
//!
//! Parameters: E = 1 GPa, ρ = 1000 kg/m³, tanφ = 0.6, μ = 0.6 or none once broken, gravity 9.81 m/s² rising over 0.1 s, damping 40 /s, θ = 1, h = 1 ms.
//!
//! Tolerances: 1e-6 of the weight once the lintel is at rest, as asked of the dome (its slowest mode has died out to below 1e-9 by then); for
//! the balance of a step the rounding of forces, 1e-9. A block that falls with damping has the speed g/α (1 − e^(−αt)) once gravity is
//! whole: 2 %, for the error of the scheme and the ramp.

use delassus_sim::engine::Engine;
use delassus_sim::step::step;
use delassus_sim::timings::Timings;
use verification::{Run, load, load_text, run, show};

fn lintel(cohesion: f64, friction: f64) -> Run {
    let joint = format!(
        "law: MohrCoulomb(cohesion: {cohesion:?}, internal_friction: 0.6, friction: {friction:?}, per: Point), points: OnFacets(1)"
    );
    let support = |name: &str, body: &str| {
        format!(
            "(name: \"{name}\", candidates: (body: \"{body}\", group: \"bottom\"), antagonists: Obstacle(\"{name}\"), \
             law: SignoriniCoulomb(friction: 0.6)),"
        )
    };
    let text = format!(
        "(title: \"Lintel\", kinematics: SmallStrain, materials: [(name: \"m\", density: 1000.0, law: KelvinVoigt(young: 1e9, poisson: 0.2))],\n\
         bodies: [(name: \"block\", mesh: Rectangle(corner: (0, 0), size: (1, 1), cells: (2, 2)), \
         copies: (count: 5, translation: (1, 0)), material: \"m\", damping: (alpha: 40))],\n\
         obstacles: [(name: \"left\", shape: Box(centre: (0.5, -0.5), size: (1.2, 1))), \
         (name: \"right\", shape: Box(centre: (4.5, -0.5), size: (1.2, 1)))],\n\
         contacts: [(name: \"joint\", candidates: (body: \"block\", group: \"right\"), \
         antagonists: Surface(body: \"block\", group: \"left\"), {joint}), {}{}],\n\
         loads: [Gravity(acceleration: (0, -9.81), factor: Ramp(end: 0.1, to: 1))],\n\
         integrator: Theta(theta: 1.0), step: 1e-3, duration: 0.8, solver: Nlgs(tolerance: 1e-9),\n\
         probes: [(name: \"middle\", at: Body(\"block-2\"))], output: (every: 400))",
        support("left", "block-0"),
        support("right", "block-4"),
    );
    run(&load_text(&text, &[]))
}

const WEIGHT: f64 = 5.0 * 1000.0 * 9.81;

#[test]
fn mortar_carries_what_is_below_its_strength() {
    let run = lintel(10.0 * WEIGHT, 0.6);
    let carried = run.last("left.force_y") + run.last("right.force_y");
    let (fall, speed) = (run.last("middle.uy"), run.last("middle.vy"));
    show(&format!(
        "lintel with mortar: supports carry the weight to {:.1e}; it sinks by {:.3e} m and rests to {:.1e} m/s",
        carried / WEIGHT - 1.0,
        -fall,
        speed.abs()
    ));
    assert!((carried / WEIGHT - 1.0).abs() < 1e-6);
    assert!(speed.abs() < 1e-9 && fall < 0.0 && fall > -1e-3);
    let area = run.column("joint.bonded_area");
    assert!((area[area.len() - 1] / area[0] - 1.0).abs() < 1e-12, "no joint breaks");
    assert!(run.largest("energy_residual") < 1e-9 && run.last("damage_dissipation") < 1e-9);
}

#[test]
fn what_nothing_holds_falls() {
    for (cohesion, what) in [(0.0, "without mortar"), (0.05 * WEIGHT, "with too little")] {
        // Smooth once broken: the outer blocks lean inwards and would brake the others by friction.
        let run = lintel(cohesion, 0.0);
        let (time, speed) = (run.column("time"), run.column("middle.vy"));
        // From when gravity is whole: dv/dt = −g − α v.
        let k = time.iter().position(|t| *t >= 0.2).unwrap();
        let end = speed.len() - 1;
        let (g, alpha) = (9.81_f64, 40.0_f64);
        let exact = -g / alpha + (speed[k] + g / alpha) * (-alpha * (time[end] - time[k])).exp();
        show(&format!("lintel {what}: the middle falls with {:.4} m/s, freely {exact:.4}", speed[end]));
        assert!(speed[k] < -0.1 && (speed[end] / exact - 1.0).abs() < 0.02, "{what}: {} {exact}", speed[end]);
        let carried = run.last("left.force_y") + run.last("right.force_y");
        assert!((carried / (0.4 * WEIGHT) - 1.0).abs() < 1e-3, "{what}: the first and the last stand: {carried}");
        assert!(run.largest("energy_residual") < 1e-9);
    }
}

#[test]
fn the_dome_is_stepped_with_ten_factors_and_balances() {
    for name in ["dome", "dome-cohesive"] {
        let loaded = load(name, &[]);
        let model = loaded.model::<3>().unwrap();
        assert_eq!((model.bodies.len(), model.twins.classes.len(), model.n_dof()), (300, 10, 24_300));
        let mass: f64 = model.bodies.iter().map(|b| b.body.total_mass()).sum();
        let mut engine = Engine::new(&model).unwrap();
        let mut timings = Timings::default();
        let mut from = engine.start().unwrap();
        let momentum = |from: &delassus_sim::step::Snapshot| -> f64 {
            let bodies = model.bodies.iter().zip(&from.states);
            bodies
                .flat_map(|(b, s)| b.body.finite_elements().unwrap().node_masses().iter().zip(s.v.chunks_exact(3)))
                .map(|(m, v)| m * v[2])
                .sum()
        };
        let mut before = momentum(&from);
        let (mut worst, mut sweeps) = (0.0_f64, 0);
        for k in 1..=2 {
            let h = model.h;
            let outcome = step(&mut engine, &mut timings, &from, h).unwrap();
            assert!(outcome.is_accepted(model.solver_options.tolerance), "{}", outcome.description());
            let supports = outcome.touches.iter().filter(|t| t.contact.sides[1].body.is_none());
            let carried: f64 = supports.map(|t| (t.contact.frame * t.impulse)[2] / h).sum();
            let after = momentum(&outcome.snapshot);
            let factor = if name == "dome" { 1.0 } else { f64::from(k) * h / 0.03 };
            let expected = mass * 9.81 * factor + (after - before) / h + 200.0 * after;
            worst = worst.max((carried - expected).abs() / (mass * 9.81));
            sweeps += outcome.iterations();
            before = after;
            from = outcome.snapshot;
        }
        show(&format!("{name}: 2 steps, {sweeps} sweeps; supports and momentum balance to {worst:.1e} of the weight"));
        assert!(worst < 1e-9);
    }
}
