//! The same case gives the same bits: for any number of threads, and twice in a row.
//!
//! Reference: the contract of the program (no result depends on the number of threads or on what was computed before).
//!
//! Goal: equal hashes of the final state and equal bytes of `history.csv` for 1, 2, 4 and 8 threads and for two runs, with many
//! bodies in frictional contact; equal hashes whatever other steps were tried and thrown away in between.
//!
//! ```text
//!      [ ]  [ ]  [ ]     three blocks dropped on a fourth
//!    +----------------+
//!    +----------------+
//! ```
//!
//! Parameters: E = 1e7 Pa, μ = 0.4, gravity, 60 steps of 2e-4 s.
//!
//! Tolerance: none, bits are compared.

use delassus_case::Loaded;
use delassus_run::summary::state_hash;
use delassus_sim::engine::Engine;
use delassus_sim::step::step;
use delassus_sim::timings::Timings;
use verification::{SCHEMES, load, load_text, show, try_run};

const CASE: &str = r#"(
    title: "Three blocks on one",
    kinematics: SmallStrain,
    materials: [(name: "soft", density: 1000.0, law: KelvinVoigt(young: 1e7, poisson: 0.3))],
    bodies: [
        (name: "base", mesh: Rectangle(corner: (0.0, 0.0), size: (3.0, 0.5), cells: (17, 3)), material: "soft"),
        (name: "a", mesh: Rectangle(corner: (0.1, 0.501), size: (0.6, 0.6), cells: (5, 5)), material: "soft", velocity: (2.0, -3.0)),
        (name: "b", mesh: Rectangle(corner: (1.1, 0.502), size: (0.6, 0.6), cells: (4, 4), element: Triangle3), material: "soft", velocity: (-1.0, -3.0), spin: 1.0),
        (name: "c", mesh: Rectangle(corner: (2.1, 0.501), size: (0.6, 0.6), cells: (5, 4)), material: "soft", velocity: (0.0, -5.0)),
    ],
    contacts: [
        (name: "a", candidates: (body: "a", group: "bottom"), antagonists: Surface(body: "base", group: "top"), law: SignoriniCoulomb(friction: 0.4)),
        (name: "b", candidates: (body: "b", group: "bottom"), antagonists: Surface(body: "base", group: "top"), law: SignoriniCoulomb(friction: 0.4)),
        (name: "c", candidates: (body: "c", group: "bottom"), antagonists: Surface(body: "base", group: "top"), law: Frictionless, both: true),
    ],
    loads: [Gravity(acceleration: (0.0, -9.81))],
    boundary: [(body: "base", group: "bottom", x: 0.0, y: 0.0)],
    integrator: ThetaEuler(theta: 0.55),
    step: 2e-4,
    duration: 1.2e-2,
)"#;

#[test]
fn threads_and_repetition_change_no_bit() {
    for scheme in SCHEMES {
        let integrator = format!("integrator={scheme}");
        for loaded in [load_text(CASE, &[&integrator]), load("bars-impact", &[&integrator])] {
            let outcomes: Vec<(String, Vec<u8>)> = [1, 1, 2, 4, 8]
                .into_iter()
                .map(|threads| {
                    let (summary, folder) = try_run(&loaded, Some(threads));
                    let summary = summary.unwrap();
                    assert!(summary.verdict.max_active >= 2, "nothing touched");
                    (summary.state_hash, std::fs::read(folder.path().join("history.csv")).unwrap())
                })
                .collect();
            for (hash, history) in &outcomes[1..] {
                assert_eq!(*hash, outcomes[0].0, "{scheme}: another state");
                assert!(*history == outcomes[0].1, "{scheme}: another history.csv");
            }
            show(&format!("determinism {scheme:34} {} {}", loaded.case.title, &outcomes[0].0[..16]));
        }
    }
}

/// Bodies that turn and tumble, with one frame and with a frame for each element, and equilibria.
#[test]
fn threads_change_no_bit_of_bodies_that_turn() {
    for settings in [
        &["kinematics=Corotational()", "integrator=EnergyMomentum(theta: 0.5)", "bodies.b.spin=20.0"][..],
        &["kinematics=Corotational(frames: Elements)", "integrator=EnergyMomentum(theta: 0.75)", "duration=4e-3"],
        &["kinematics=Corotational(frames: Elements)", "integrator=Theta(theta: 1.0)", "duration=4e-3"],
    ] {
        let loaded = load_text(CASE, settings);
        let [one, two, eight] = [1, 2, 8].map(|threads| {
            let (summary, folder) = try_run(&loaded, Some(threads));
            let summary = summary.unwrap();
            assert!(summary.verdict.max_active >= 2, "nothing touched");
            (summary.state_hash, std::fs::read(folder.path().join("history.csv")).unwrap())
        });
        assert!(one == two && one == eight, "{settings:?}");
    }
}

/// The hash does see a change of the last bit of an input.
#[test]
fn the_hash_sees_a_small_change() {
    let hash = |velocity: &str| try_run(&load("bars-impact", &[velocity]), Some(1)).0.unwrap().state_hash;
    assert_ne!(hash("bodies.left.velocity=(5.13588, 0.0)"), hash("bodies.left.velocity=(5.135880000000001, 0.0)"));
}

/// The hash after some steps, with others of these lengths (in steps) tried and thrown away before each.
fn hash_after(loaded: &Loaded, steps: usize, thrown_away: &[f64]) -> String {
    let model = loaded.model::<2>().unwrap();
    let mut engine = Engine::new(&model).unwrap();
    let (mut timings, mut snapshot) = (Timings::default(), engine.start().unwrap());
    for _ in 0..steps {
        for part in thrown_away {
            // Whether it would have been accepted does not matter.
            let _ = step(&mut engine, &mut timings, &snapshot, part * model.h);
        }
        snapshot = step(&mut engine, &mut timings, &snapshot, model.h).unwrap().snapshot;
    }
    state_hash(&snapshot)
}

/// More lengths than factors are kept for, so that those of the step that counts are made again and again.
#[test]
fn steps_that_are_thrown_away_leave_no_trace() {
    let cases = [
        load_text(CASE, &["step=1e-3", "duration=0.08"]),
        load("two-blocks-shear", &["step=4e-5"]),
        load("geologic-layers", &[]),
        load("maxwell-shear", &[]),
    ];
    for loaded in &cases {
        let straight = hash_after(loaded, 12, &[]);
        assert_eq!(hash_after(loaded, 12, &[0.5]), straight, "{}", loaded.case.title);
        assert_eq!(hash_after(loaded, 12, &[0.5, 0.25, 2.0, 0.125]), straight, "{}", loaded.case.title);
    }
}
