//! Rigid motions of a free body: no stress from translation, none from a small rotation.
//!
//! Reference: a rigid translation, and in linear kinematics the velocity field of a rotation, are exact solutions with zero
//! strain.
//!
//! Goal: the stress stays at rounding after a kilometre of travel; the body moves by V t and keeps its velocity; a spin
//! leaves no elastic energy.
//!
//! ```text
//!    +---+---+---+
//!    |   |   |   |  -> V = 1000 m/s       3 m x 2 m, 6 x 4 cells, steel
//!    +---+---+---+
//! ```
//!
//! Parameters: E = 2.1e11 Pa, ν = 0.3, ρ = 7800 kg/m³; 1000 steps of 1e-3 s (translation), of 1e-5 s (spin 0.5 rad/s).
//!
//! Tolerances: translation: exact positions to 1e-13 (a sum of 1000 rounded terms), stress below 1e-15 E (ε of rounding);
//! rotation: strains of rounding, 1e-16 of the rotation angle; energy 1e-15 of the terms that cancel in it.

use std::sync::Arc;

use delassus_sim::model::Model;
use verification::{Run, SCHEMES, largest, load_text, run, show};

const CASE: &str = r#"(
    title: "Rigid motion",
    kinematics: SmallStrain,
    materials: [(name: "steel", density: 7800.0, law: KelvinVoigt(young: 2.1e11, poisson: 0.3))],
    bodies: [(
        name: "block",
        mesh: Rectangle(corner: (-1.0, 5.0), size: (3.0, 2.0), cells: (6, 4)),
        material: "steel",
        rotation: 17.0,
    )],
    integrator: Theta(theta: 0.5),
    step: 1e-3,
    duration: 1.0,
    probes: [(name: "block", at: Body("block"))],
)"#;

const VARIANTS: [&[&str]; 3] =
    [&[], &["bodies.block.mesh.element=Triangle3", "bodies.block.mass=Consistent"], &["bodies.block.formulation=BBar"]];

/// Largest stress over Young's modulus at the end.
fn stress(run: &Run, settings: &[&str]) -> f64 {
    let model: Arc<Model<2>> = load_text(CASE, settings).model().unwrap();
    let state = &run.summary.final_snapshot.states[0];
    let fields = model.bodies[0].body.cell_fields(state);
    largest(&fields.stress.iter().flatten().copied().collect::<Vec<_>>()) / 2.1e11
}

#[test]
fn translation_is_exact() {
    for scheme in SCHEMES {
        for variant in VARIANTS {
            let integrator = format!("integrator={scheme}");
            let settings = [&[integrator.as_str(), "bodies.block.velocity=(1000.0, -300.0)"], variant].concat();
            let run = run(&load_text(CASE, &settings));
            assert_eq!(run.summary.steps, 1000);
            let state = &run.summary.final_snapshot.states[0];
            let moved = |i: usize, exact: f64| {
                largest(&state.q.iter().skip(i).step_by(2).map(|x| x / exact - 1.0).collect::<Vec<_>>())
            };
            let path = moved(0, 1000.0).max(moved(1, -300.0));
            let speed = |i: usize, exact: f64| {
                largest(&state.v.iter().skip(i).step_by(2).map(|x| x / exact - 1.0).collect::<Vec<_>>())
            };
            let velocity = speed(0, 1000.0).max(speed(1, -300.0));
            let (stress, energy) =
                (stress(&run, &settings), run.largest("elastic_energy") / run.largest("kinetic_energy"));
            show(&format!(
                "translation {scheme:32} path {path:.1e} velocity {velocity:.1e} stress/E {stress:.1e} E_el/E_kin {energy:.1e}"
            ));
            assert!(path < 1e-13 && velocity < 1e-13, "{scheme}, {variant:?}: {path:e} {velocity:e}");
            assert!(stress < 1e-15 && energy < 1e-20, "{scheme}, {variant:?}: {stress:e} {energy:e}");
        }
    }
}

#[test]
fn small_rotation_has_no_energy() {
    for scheme in SCHEMES {
        for variant in VARIANTS {
            let integrator = format!("integrator={scheme}");
            let common = [integrator.as_str(), "bodies.block.spin=0.5", "step=1e-5", "duration=1e-2"];
            let settings = [&common, variant].concat();
            let run = run(&load_text(CASE, &settings));
            let model: Arc<Model<2>> = load_text(CASE, &settings).model().unwrap();
            let (start, end) = (&model.start().states[0], &run.summary.final_snapshot.states[0]);
            let velocity = verification::distance(&start.v, &end.v) / largest(&start.v);
            let displacement: Vec<f64> = start.v.iter().map(|v| v * 1e-2).collect();
            let path = verification::distance(&displacement, &end.q) / largest(&end.q);
            let (stress, energy) =
                (stress(&run, &settings), run.largest("elastic_energy") / run.largest("kinetic_energy"));
            show(&format!(
                "rotation {scheme:32} path {path:.1e} velocity {velocity:.1e} stress/E {stress:.1e} E_el/E_kin {energy:.1e}"
            ));
            // What the energy's terms amount to before they cancel: E φ² A, φ = 5e-3 rad.
            let scale = 2.1e11 * 5e-3 * 5e-3 * 6.0;
            let energy = run.largest("elastic_energy") / scale;
            // Strains of rounding are 1e-16 φ; steel is stiff, so that velocities carry c · strain.
            assert!(stress < 1e-16 && energy < 1e-15, "{scheme}, {variant:?}: {stress:e} {energy:e}");
            assert!(path < 1e-12 && velocity < 1e-10, "{scheme}, {variant:?}: {path:e} {velocity:e}");
        }
    }
}
