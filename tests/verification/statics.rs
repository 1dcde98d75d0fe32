//! Statics: `integrator: QuasiStatic`.
//!
//! References:
//! - A column of height L under its weight and a pressure, ν = 0, that only its contact with the floor holds: u(y) = −(ρ g (L y − y²/2) + p y)/E at the nodes.
//! - A linear body: one equilibrium, whatever the number of load steps; the steps take 1/n of the energy stored.
//! - A block on a slope: friction holds it up to tan φ = μ. Beyond, nothing does, and the run says which motion is free.
//! - A Maxwell bar that is held stretched relaxes with exp(−t/τ) where strains are prescribed everywhere.
//! - A stiff block on a support that turns follows it: small strains in a frame that turns with the body.
//!
//! Tolerances: a step ends at an imbalance of 1e-10 of its forces; displacements are as good as the stiffness of the softest motion lets them be (1e-9 of the largest).

use delassus_error::Coded;
use verification::{load, load_text, run, show, try_run};

const YOUNG: f64 = 1e7;
const DENSITY: f64 = 2000.0;
const GRAVITY: f64 = 10.0;

/// A column on a plane, without any support.
fn column(friction: f64, across: f64, more: &str) -> String {
    format!(
        r#"(
        title: "A column stands on a plane",
        kinematics: SmallStrain,
        materials: [(name: "soft", density: {DENSITY}, law: KelvinVoigt(young: {YOUNG}, poisson: 0.0))],
        bodies: [(name: "column", mesh: Rectangle(corner: (-0.2, 0.0), size: (0.4, 1.0), cells: (4, 10)), material: "soft")],
        obstacles: [(name: "plane", shape: HalfPlane(point: (0.0, 0.0), normal: (0.0, 1.0)))],
        contacts: [(name: "ground", candidates: (body: "column", group: "bottom"), antagonists: Obstacle("plane"), law: SignoriniCoulomb(friction: {friction}))],
        loads: [
            Gravity(acceleration: ({across}, -{GRAVITY})),
            Pressure(body: "column", group: "top", pressure: 5e4, factor: Ramp(end: 1.0, to: 1.0)),
        ],
        integrator: QuasiStatic,
        step: 0.25,
        duration: 1.0,
        probes: [
            (name: "top", at: Point(body: "column", point: (0.2, 1.0))),
            (name: "middle", at: Point(body: "column", point: (-0.2, 0.5))),
        ],
        {more}
    )"#
    )
}

#[test]
fn contact_alone_holds_a_column() {
    for friction in [0.0, 0.3] {
        // Laws that hold to the usual 1e-10 leave an imbalance that moves a column, which contacts alone hold, by ten times as much.
        let done = run(&load_text(&column(friction, 0.0, ""), &["solver=Nlgs(tolerance: 1e-12)"]));
        let exact = |y: f64| -(DENSITY * GRAVITY * (y - 0.5 * y * y) + 5e4 * y) / YOUNG;
        for (name, y) in [("top", 1.0), ("middle", 0.5)] {
            let (found, across) = (done.last(&format!("{name}.uy")), done.last(&format!("{name}.ux")));
            show(&format!("statics, column, friction {friction}: {name} {found:e}, exact {:e}", exact(y)));
            assert!((found / exact(y) - 1.0).abs() < 1e-9, "{name}: {found} not {}", exact(y));
            // Nothing drives it along the plane: an imbalance of 1e-10 moves it there by 1e-8 of its deflection, since the proximal stiffness of a free
            // motion is a hundredth of that of the softest elastic one.
            assert!(across.abs() < 1e-8 * exact(1.0).abs(), "{name}: {across}");
        }
        assert!((done.last("ground.force_y") / (0.4 * (DENSITY * GRAVITY + 5e4)) - 1.0).abs() < 1e-9);
        assert!(done.largest("kinetic_energy") <= 0.0);
        assert!(done.largest("energy_residual") < 1e-9, "{}", done.largest("energy_residual"));
        assert!(done.summary.verdict.cuts == 0);
    }
}

/// The error names the code, the body and the motion.
fn refused(name: &str, text: &str, settings: &[&str], code: &str, words: &[&str]) {
    let (result, _folder) = try_run(&load_text(text, settings), Some(1));
    let error = result.err().map(|e| (e.code().as_str().to_owned(), e.to_string()));
    let (found, message) = error.unwrap_or_else(|| panic!("{name}: was not refused"));
    assert_eq!(found, code, "{name}: {message}");
    words.iter().for_each(|word| assert!(message.contains(word), "{name}: no `{word}` in {message}"));
}

#[test]
fn friction_holds_a_column_on_a_slope_or_the_run_says_what_is_free() {
    let done = run(&load_text(&column(0.3, 0.29 * GRAVITY, "start: Undeformed,"), &["loads[1].pressure=0.0"]));
    assert!((done.last("ground.force_x") / (-0.4 * DENSITY * 0.29 * GRAVITY) - 1.0).abs() < 1e-9);
    let slides = column(0.3, 0.31 * GRAVITY, "");
    refused("slides", &slides, &["loads[1].pressure=0.0"], "E0709", &["`column`", "shift along x", "boundary"]);
    refused("smooth", &column(0.0, 1e-3, ""), &[], "E0709", &["`column`", "shift along x"]);
    let lifted = ["loads[0].acceleration=(0, 1)", "loads[1].pressure=0.0"];
    refused("flies", &column(0.3, 0.0, ""), &lifted, "E0709", &["`column`", "shift along y"]);
    // The resultant of weight and thrust passes 0.25 m beside the middle of a base of 0.4 m.
    let tips = ["loads[1].pressure=0.0"];
    refused("tips over", &column(2.0, 0.5 * GRAVITY, ""), &tips, "E0709", &["`column`", "turn in the plane"]);
}

/// A cantilever: displacements do not depend on the number of load steps, and the steps take 1/n of the energy stored.
#[test]
fn load_steps_of_a_linear_body() {
    let mut ends = Vec::new();
    for n in [1_u32, 2, 8] {
        let done = run(&load("cantilever-static", &[&format!("step={}", 1.0 / f64::from(n)), "verify=None"]));
        let (stored, taken) = (done.last("elastic_energy"), done.last("numerical_dissipation"));
        assert!((taken * f64::from(n) / stored - 1.0).abs() < 1e-9, "{n}: {taken} of {stored}");
        assert!((done.last("external_work") - stored - taken).abs() < 1e-9 * stored);
        ends.push(done.last("end.uy"));
    }
    ends.iter().for_each(|end| assert!((end / ends[0] - 1.0).abs() < 1e-10, "{ends:?}"));
}

/// A frame that turns by little changes little; a beam that is bent by more is shorter in its frame.
#[test]
fn a_frame_changes_a_small_deflection_by_its_square() {
    let end = |kinematics: &str, traction: f64| {
        let (kinematics, traction) = (format!("kinematics={kinematics}"), format!("loads[0].traction=(0, {traction})"));
        let settings = [kinematics.as_str(), traction.as_str(), "verify=None"];
        let done = run(&load("cantilever-static", &settings));
        assert!(done.largest("energy_residual") < 1e-9 && done.summary.verdict.cuts == 0);
        done.last("end.uy")
    };
    for traction in [-1e5, -1e6] {
        let (small, turning) = (end("SmallStrain", traction), end("Corotational()", traction));
        let rotation = 1.5 * small.abs();
        show(&format!("statics, cantilever at {traction:e} Pa: {small:e}, with a frame {turning:e}"));
        assert!((turning / small - 1.0).abs() < rotation, "{traction}: {turning} against {small}");
    }
}

/// A deflection of more than half the height: one equilibrium, in four steps or in sixteen.
#[test]
fn a_deflection_in_a_frame_does_not_depend_on_the_steps() {
    let end = |step: f64| {
        let settings =
            ["kinematics=Corotational()", "loads[0].traction=(0, -3e7)", "verify=None", &format!("step={step}")];
        let done = run(&load("cantilever-static", &settings));
        show(&format!(
            "statics, cantilever in a frame, step {step}: {:e}, {} cuts",
            done.last("end.uy"),
            done.summary.verdict.cuts
        ));
        assert!(done.largest("energy_residual") < 1e-9 && done.summary.verdict.cuts == 0);
        done.last("end.uy")
    };
    let [few, many] = [end(0.25), end(0.0625)];
    assert!(few < -0.05 && (few / many - 1.0).abs() < 1e-8, "{few} {many}");
}

const TURNTABLE: &str = r#"(
    title: "A plate is turned by its left side",
    units: Plain,
    materials: [(name: "m", density: 1.0, law: KelvinVoigt(young: 1000.0, poisson: 0.3))],
    bodies: [(name: "plate", mesh: Rectangle(corner: (0.0, -0.5), size: (2.0, 1.0), cells: (4, 2)), material: "m", section: PlaneStress(thickness: 1.0))],
    boundary: [
        (body: "plate", group: "bottom_left", x: Displacement(Expression("0.5*sin(t)")), y: Displacement(Expression("0.5*(1 - cos(t))"))),
        (body: "plate", group: "top_left", x: Displacement(Expression("-0.5*sin(t)")), y: Displacement(Expression("-0.5*(1 - cos(t))"))),
    ],
    integrator: QuasiStatic,
    step: 0.1,
    duration: 2.0,
    probes: [(name: "far", at: Point(body: "plate", point: (2.0, 0.5)))],
)"#;

/// Two corners are led along circles by 2 rad: the plate follows without strain.
#[test]
fn a_plate_that_is_turned_follows_without_strain() {
    let done = run(&load_text(TURNTABLE, &[]));
    let (sin, cos) = 2.0_f64.sin_cos();
    let exact = [2.0 * cos - 0.5 * sin - 2.0, 2.0 * sin + 0.5 * cos - 0.5];
    for (k, name) in ["far.ux", "far.uy"].into_iter().enumerate() {
        assert!((done.last(name) - exact[k]).abs() < 1e-8, "{name}: {} not {}", done.last(name), exact[k]);
    }
    // 1000 J of energy of a strain of one
    assert!(done.largest("elastic_energy") < 1e-12, "{}", done.largest("elastic_energy"));
    assert!((done.last("frame_rotation") - 2.0).abs() < 1e-8);
}

/// Shear of a Maxwell body: stress that relaxes with its own time, without inertia to disturb it.
#[test]
fn a_maxwell_body_relaxes() {
    let text = r#"(
        title: "Sheared and held",
        units: Plain,
        materials: [(name: "m", density: 1.0, law: Maxwell(young: 3.0, poisson: 0.0, viscosity: 3.0))],
        kinematics: SmallStrain,
        bodies: [(name: "b", mesh: Rectangle(corner: (0, 0), size: (1, 1), cells: (2, 2)), material: "m")],
        boundary: [
            (body: "b", group: "bottom", x: 0.0, y: 0.0),
            (body: "b", group: "top", x: Table([(0.0, 0.1), (0.1, 0.1), (0.1000001, 0.0)]), y: 0.0),
            (body: "b", group: "left", y: 0.0),
            (body: "b", group: "right", y: 0.0),
        ],
        integrator: QuasiStatic,
        step: 0.1,
        duration: 2.0,
        probes: [(name: "s", at: Stress(body: "b", group: "body"))],
    )"#;
    let done = run(&load_text(text, &[]));
    let stress = done.column("s.sxy");
    // μ = 1.5, τ = η/μ = 2: the exact integration of the branch relaxes by exp(−h/τ) in each step
    for pair in stress[2..].windows(2) {
        assert!((pair[1] / pair[0] - (-0.1_f64 / 2.0).exp()).abs() < 1e-8, "{stress:?}");
    }
    assert!(done.largest("energy_residual") < 1e-9);
}

/// A Maxwell strip in plane stress, stretched at once and held: σ = E ε exp(−t/τ′), τ′ = τ (3κ + μ)/(3κ), since volume changes are elastic.
#[test]
fn a_maxwell_strip_relaxes_in_plane_stress() {
    let (young, poisson, viscosity) = (3.0, 0.25, 2.4);
    let (mu, kappa) = (young / (2.0 * (1.0 + poisson)), young / (3.0 * (1.0 - 2.0 * poisson)));
    let time = viscosity / mu * (3.0 * kappa + mu) / (3.0 * kappa);
    for kinematics in ["SmallStrain", "Corotational()"] {
        let error = |step: f64| {
            let text = format!(
                r#"(
                title: "A strip is stretched and held",
                units: Plain,
                materials: [(name: "m", density: 1.0, law: Maxwell(young: {young}, poisson: {poisson}, viscosity: {viscosity}))],
                kinematics: {kinematics},
                bodies: [(name: "b", mesh: Rectangle(corner: (0, 0), size: (2, 1), cells: (4, 2)), material: "m", section: PlaneStress(thickness: 0.5))],
                boundary: [
                    (body: "b", group: "left", x: 0.0),
                    (body: "b", group: "bottom_left", y: 0.0),
                    (body: "b", group: "right", x: Displacement(Table([(0.0, 0.0), (1e-6, 2e-6), (9.0, 2e-6)]))),
                ],
                integrator: QuasiStatic,
                step: {step},
                duration: 2.0,
                probes: [(name: "s", at: Stress(body: "b", group: "body"))],
            )"#
            );
            let done = run(&load_text(&text, &[]));
            assert!(done.largest("energy_residual") < 1e-9, "{}", done.largest("energy_residual"));
            let (times, stress) = (done.column("time"), done.column("s.sxx"));
            let exact = |t: f64| young * 1e-6 * (-t / time).exp();
            // The first step stretches: what relaxes from its end on is compared.
            let from = stress[1] / exact(times[1]);
            times.iter().zip(&stress).skip(1).fold(0.0, |m: f64, (t, s)| m.max((s / (from * exact(*t)) - 1.0).abs()))
        };
        let errors = [error(0.1), error(0.05), error(0.025)];
        show(&format!("statics, Maxwell strip in plane stress, {kinematics}: errors {errors:?}"));
        // second order: the branch is exact for a constant rate along z over the step
        assert!(errors[2] < 2e-4 && errors[0] / errors[2] > 12.0, "{kinematics}: {errors:?}");
    }
}

/// Same bits on any number of threads, and with other steps in between.
#[test]
fn threads_change_no_bit() {
    for case in ["pulled-bar", "cantilever-static"] {
        let runs: Vec<(String, Vec<u8>)> = [1, 2, 4]
            .into_iter()
            .map(|threads| {
                let (summary, folder) = try_run(&load(case, &[]), Some(threads));
                let hash = summary.map(|s| s.state_hash).unwrap_or_else(|e| panic!("{e}"));
                (hash, std::fs::read(folder.path().join("history.csv")).unwrap_or_default())
            })
            .collect();
        assert!(runs.iter().all(|r| *r == runs[0] && !r.1.is_empty()), "{case}");
    }
}
