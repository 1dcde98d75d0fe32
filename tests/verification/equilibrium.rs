//! Runs that start from equilibrium stay in it.
//!
//! Reference: statics. A bar of height L under its own weight, ν = 0, on a smooth plane shortens by ρ g L²/(2E); with lumped
//! masses and linear elements the nodal displacements of the bar are exact, u(y) = −ρ g (L y − y²/2)/E. Two
//! blocks that overlap by δ between fixed ends carry E A δ/(2L).
//!
//! Goal: `start: Equilibrium` finds the state of rest, with contact, friction and supports, for every scheme; the run that
//! follows stays there; initial velocities are given on top of it; overlapping bodies start pressed together.
//!
//! Tolerances: displacements 1e-9 of the largest (the balance is reached to some 1e-11 of the forces, and a soft mode
//! magnifies that); velocities of the run afterwards 1e-9 of g times the lowest period.

use delassus_sim::engine::Engine;
use delassus_sim::start::Start;
use verification::{SCHEMES, load_text, run, show};

const YOUNG: f64 = 1e7;
const DENSITY: f64 = 2000.0;
const GRAVITY: f64 = 10.0;
const HEIGHT: f64 = 1.0;

fn column(poisson: f64, friction: f64, tilt: f64, settings: &str) -> String {
    format!(
        r#"(
        title: "A column under its weight",
        kinematics: SmallStrain,
        materials: [(name: "soft", density: {DENSITY}, law: KelvinVoigt(young: {YOUNG}, poisson: {poisson}))],
        bodies: [(
            name: "column",
            mesh: Rectangle(corner: (-0.2, 0.0), size: (0.4, {HEIGHT}), cells: (4, 10)),
            material: "soft",
        )],
        obstacles: [(name: "plane", shape: HalfPlane(point: (0.0, 0.0), normal: (0.0, 1.0)))],
        contacts: [(
            name: "ground",
            candidates: (body: "column", group: "bottom"),
            antagonists: Obstacle("plane"),
            law: SignoriniCoulomb(friction: {friction}),
        )],
        loads: [Gravity(acceleration: ({tilt}, -{GRAVITY}))],
        start: Equilibrium,
        integrator: Theta(theta: 0.5),
        step: 1e-3,
        duration: 0.05,
        solver: Nlgs(tolerance: 1e-10),
        probes: [
            (name: "column", at: Body("column")),
            (name: "top", at: Group(body: "column", group: "top")),
            (name: "middle", at: Point(body: "column", point: (0.0, 0.5))),
        ],
        {settings}
    )"#
    )
}

/// u(y) of the column with ν = 0.
fn exact(y: f64) -> f64 {
    -DENSITY * GRAVITY * (HEIGHT * y - 0.5 * y * y) / YOUNG
}

#[test]
fn a_column_stands_still_as_statics_says() {
    for scheme in SCHEMES {
        let run = run(&load_text(&column(0.0, 0.0, 0.0, ""), &[&format!("integrator={scheme}")]));
        let (top, middle) = (run.column("top.uy"), run.column("middle.uy"));
        let error = ((top[0] - exact(1.0)).abs()).max((middle[0] - exact(0.5)).abs()) / exact(1.0).abs();
        let drift = run.largest("top.vy").max(run.largest("column.vx"));
        let weight = DENSITY * 0.4 * HEIGHT * GRAVITY;
        let force = run.column("ground.force_y");
        let reaction = force[1..].iter().map(|f| (f / weight - 1.0).abs()).fold(0.0, f64::max);
        show(&format!(
            "equilibrium {scheme:34} displacement {error:.1e}, drift {drift:.1e} m/s, weight {reaction:.1e}"
        ));
        // Newmark with 2β > γ keeps the free acceleration g, and has to undo its part h²(½ − β/γ)g of the contact
        // configuration: 2|½ − β/γ| of the weight in the first step.
        let allowed = if scheme == "Newmark(gamma: 0.6, beta: 0.3025)" { 2.0 * (0.3025 / 0.6 - 0.5) } else { 1e-8 };
        // g times the lowest period, 4L/c = 0.057 s, is 0.57 m/s.
        assert!(error <= 1e-9 && drift <= 1e-9 * 0.57, "{scheme}: {error:e} {drift:e}");
        assert!(reaction <= allowed, "{scheme}: {reaction:e}");
        assert!(run.largest("energy_residual") <= 1e-9, "{scheme}");
    }
}

#[test]
fn friction_holds_a_column_that_leans() {
    // ν = 0.3 spreads the foot, the tilt bends the column: some nodes stick, some slip on the way to rest.
    for friction in [0.25, 1.0] {
        let run = run(&load_text(&column(0.3, friction, 0.5, ""), &[]));
        let (drift, lean) = (run.largest("top.vx").max(run.largest("top.vy")), run.column("top.ux")[0]);
        show(&format!("equilibrium leaning, mu {friction}: lean {lean:.3e} m, drift {drift:.1e} m/s"));
        // Cantilever of section b under q = ρ a b sideways: q L⁴(1−ν²)/(8 E I) + q L²/(2 κ G b) = 1.01e-3 m, κ = 5/6;
        // the foot is held by friction alone and the elements are coarse: 10 %.
        assert!((lean / 1.01e-3 - 1.0).abs() < 0.1, "{lean}");
        assert!(drift <= 1e-7, "{drift:e}");
        let ratio = run.column("ground.force_x")[1] / run.column("ground.force_y")[1];
        assert!((ratio + 0.05).abs() < 1e-7, "the plane carries gravity along it: {ratio}");
    }
}

#[test]
fn velocities_come_on_top() {
    let text = column(0.3, 0.0, 0.0, "")
        .replace("material: \"soft\",\n        )", "material: \"soft\",\n            velocity: (3.0, 0.0),\n        )");
    let run = run(&load_text(&text, &[]));
    let (vx, vy) = (run.column("column.vx"), run.largest("top.vy"));
    show(&format!("equilibrium moving: vx {:.12} m/s, vy {vy:.1e} m/s", vx[vx.len() - 1]));
    assert!(vx.iter().all(|v| (v - 3.0).abs() < 1e-10) && vy < 1e-7);
}

/// Two blocks of length 1 m in a gap that is 1 mm short: both shorten by half of it.
#[test]
fn an_interference_fit_starts_pressed() {
    let text = r#"(
        title: "Two blocks in a short gap",
        kinematics: SmallStrain,
        materials: [(name: "soft", density: 1000.0, law: KelvinVoigt(young: 1e7, poisson: 0.0))],
        bodies: [
            (name: "left", mesh: Rectangle(corner: (0.0, 0.0), size: (1.0, 0.5), cells: (4, 2)), material: "soft"),
            (name: "right", mesh: Rectangle(corner: (0.999, 0.0), size: (1.0, 0.5), cells: (4, 2)), material: "soft"),
        ],
        contacts: [(
            name: "joint",
            candidates: (body: "left", group: "right"),
            antagonists: Surface(body: "right", group: "left"),
            law: Frictionless,
            initial_penetration: 1.0e-3,
        )],
        boundary: [(body: "left", group: "left", x: 0.0, y: 0.0), (body: "right", group: "right", x: 0.0, y: 0.0)],
        start: Equilibrium,
        integrator: Theta(theta: 0.5),
        step: 1e-3,
        duration: 0.02,
        solver: Nlgs(tolerance: 1e-10),
        probes: [(name: "face", at: Group(body: "left", group: "right"))],
    )"#;
    let pressed = run(&load_text(text, &[]));
    let force = pressed.column("joint.force_x");
    // E A (δ/2)/L with A = 0.5 m²; the whole gap 1e-3 shared by two equal springs.
    let expected = -1e7 * 0.5 * 0.5e-3;
    let worst = force[1..].iter().map(|f| (f / expected - 1.0).abs()).fold(0.0, f64::max);
    show(&format!("interference fit: force {:.8e} N, worst error {worst:.1e}", force[1]));
    assert!(worst < 1e-7, "{worst:e}");
    assert!((pressed.column("face.ux")[0] + 0.5e-3).abs() < 1e-11);
    // Without equilibrium the first step parts them with overlap/h: an impact.
    let struck = run(&load_text(text, &["start=Undeformed"]));
    assert!(struck.column("joint.force_x")[1] < 20.0 * expected, "{}", struck.column("joint.force_x")[1]);
}

/// However viscous the material, and however damped the body: the equilibrium is that of the elastic one.
#[test]
fn viscosity_does_not_hide_the_load() {
    for times in [0.0, 1.0, 1e4, 1e8] {
        let (bulk, shear) = (times * 10.0, times * 4.0);
        let text = column(0.0, 0.0, 0.0, "")
            .replace("poisson: 0", &format!("bulk_viscosity: {bulk:e}, shear_viscosity: {shear:e}, poisson: 0"));
        let text = text.replace(
            "material: \"soft\",",
            &format!("material: \"soft\", damping: (alpha: {times:e}, beta: {times:e}),"),
        );
        let run = run(&load_text(&text, &[]));
        let (error, drift) = ((run.column("top.uy")[0] / exact(1.0) - 1.0).abs(), run.largest("top.vy"));
        show(&format!("equilibrium, viscosity x {times:.0e}: displacement {error:.1e}, drift {drift:.1e} m/s"));
        assert!(error < 1e-9 && drift < 1e-9, "{times}: {error:e} {drift:e}");
    }
}

/// A slender beam has periods far above those of waves through it: the long steps grow until they are longer.
#[test]
fn a_slender_beam_hangs() {
    let text = r#"(
        title: "A thin beam under its weight",
        kinematics: SmallStrain,
        materials: [(name: "steel", density: 7800.0, law: KelvinVoigt(young: 2e11, poisson: 0.0))],
        bodies: [(
            name: "beam",
            mesh: Rectangle(corner: (0.0, 0.0), size: (1.0, 0.004), cells: (100, 2)),
            material: "steel",
        )],
        boundary: [(body: "beam", group: "left", x: 0.0, y: 0.0)],
        loads: [Gravity(acceleration: (0.0, -10.0))],
        start: Equilibrium,
        integrator: Theta(theta: 0.5),
        step: 1e-3,
        duration: 0.02,
        probes: [(name: "tip", at: Group(body: "beam", group: "right"))],
    )"#;
    let loaded = load_text(text, &[]);
    let model = loaded.model::<2>().unwrap();
    let found = Start::find(&mut Engine::new(&model).unwrap()).unwrap().equilibrium.unwrap();
    let run = run(&loaded);
    let (sag, drift) = (run.column("tip.uy")[0], run.largest("tip.vy"));
    show(&format!("equilibrium of a thin beam: {found}; sag {sag:.4e} m, drift {drift:.1e} m/s"));
    // ρ g t L⁴/(8 E I) = 36.6 mm for a beam; linear cells five times as long as high lock, and hang less.
    assert!(sag < -5e-3 && sag > -36.6e-3 && found.steps < 20, "{sag} {found}");
    // √(g·sag) is the speed of a free fall over the sag.
    assert!(drift < 1e-7 * (10.0 * sag.abs()).sqrt(), "{drift:e}");
}

/// A body above its support falls on it, however far; one that was pushed out of its support ends without any force.
#[test]
fn gaps_close_and_overlaps_open() {
    for gap in [1e-4, 1e-2, 3.0] {
        let text = column(0.0, 0.3, 0.0, "").replace("corner: (-0.2, 0.0)", &format!("corner: (-0.2, {gap:e})"));
        let run = run(&load_text(&text, &[]));
        let (top, drift) = (run.column("top.uy")[0], run.largest("top.vy"));
        show(&format!("equilibrium {gap:.0e} m above the ground: moved {top:.6e} m, drift {drift:.1e} m/s"));
        assert!((top + gap - exact(1.0)).abs() < 1e-8 * gap.max(1e-2) && drift < 1e-6, "{top} {drift:e}");
    }
    let text = column(0.0, 0.0, 0.0, "")
        .replace("corner: (-0.2, 0.0)", "corner: (-0.2, -0.01)")
        .replace("law: SignoriniCoulomb", "initial_penetration: 0.01, law: SignoriniCoulomb")
        .replace("loads: [Gravity(acceleration: (0, -10))],", "");
    assert!(!text.contains("Gravity"), "{text}");
    let run = run(&load_text(&text, &[]));
    let (moved, drift) = (run.column("top.uy")[0], run.largest("top.vy"));
    show(&format!("equilibrium 1 cm inside the ground, no load: moved {moved:.6e} m, drift {drift:.1e} m/s"));
    assert!((moved - 0.01).abs() < 1e-12 && drift < 1e-9, "{moved} {drift:e}");
}
