//! Springs, dashpots, masses and absorbing boundaries between a body and the ground; initial fields; loads that travel.
//!
//! References:
//!
//! ```text
//! a bar with the impedance Z = ρ c A ends in a dashpot C     reflected over incoming velocity (Z − C)/(Z + C): 0, ½, −1/3, …
//! a block of mass m on a spring k with a dashpot C           ω₀ = √(k/m), u = v₀/ω_d e^(−ζ ω₀ t) sin ω_d t, ζ = C/(2 √(k m)), ω_d = ω₀ √(1 − ζ²)
//! a block of weight m g on springs                           sinks by m g/k
//! a free bar with u = U cos(π x/L), or v = V cos(π x/L)       standing waves u = U cos(π x/L) cos ω t, ω = π c/L
//! ```
//!
//! Parameters: bars of 1 m, E = 100 MPa, ρ = 1000 kg/m³, ν = 0, so that c = 316.2 m/s in plane strain; θ = ½. Tolerances: dispersion of the mesh, (ω h)²/12 and (k Δx)²/24
//! of the wave length of the pulse; the block is 1e4 times stiffer than its spring.

use std::f64::consts::PI;

use verification::{Run, load_text, run, show};

const BAR: &str = r#"(
    title: "A bar",
    kinematics: SmallStrain,
    materials: [(name: "m", density: 1000.0, law: KelvinVoigt(young: 1e8, poisson: 0.0))],
    bodies: [(name: "bar", mesh: Rectangle(corner: (0, 0), size: (1, 0.02), cells: (200, 1)), material: "m")],
    boundary: [(body: "bar", group: "body", y: 0.0)],
    integrator: Theta(theta: 0.5),
    step: 1e-5,
    duration: 4e-3,
    probes: [(name: "mid", at: Point(body: "bar", point: (0.5, 0))), (name: "left", at: Point(body: "bar", point: (0, 0)))],
)"#;

/// The pulse has passed the middle, and has not come back.
const PASSED: f64 = 2.6e-3;

fn speed() -> f64 {
    (1e8_f64 / 1000.0).sqrt()
}

/// A smooth pulse that travels to the right: v = f(x), u' = −f/c.
fn pulse(end: &str) -> Run {
    let v = "if(abs(x - 0.3) < 0.2, cos(2.5*pi*(x - 0.3))^2, 0)";
    // u = −∫ v/c: with s = x − 0.3 the integral of cos² is s/2 + sin(5π s)/(10π).
    let c = speed();
    let s = "min(max(x - 0.3, -0.2), 0.2)";
    let u = format!("-({s}/2 + sin(5*pi*{s})/(10*pi) - 0.1)/{c:?}");
    let fields = format!("bodies.bar.velocity_field=[\"{v}\", \"0\"]");
    let shifts = format!("bodies.bar.displacement_field=[\"{u}\", \"0\"]");
    run(&load_text(BAR, &[&fields, &shifts, &format!("attachments=[{end}]")]))
}

/// Largest velocity of a column between two times, with its sign.
fn largest(run: &Run, column: &str, from: f64, to: f64) -> f64 {
    let (t, v) = (run.column("time"), run.column(column));
    let later = t.iter().zip(&v).filter(|(t, _)| (from..=to).contains(*t)).map(|(_, v)| *v);
    later.fold(0.0, |m: f64, v| if v.abs() > m.abs() { v } else { m })
}

#[test]
fn a_wave_leaves_a_bar() {
    // The middle is passed at about 0.6 ms and by the reflection, if there is one, at 3.8 ms.
    let absorbed = pulse("(body: \"bar\", group: \"right\", absorbing: true)");
    let incoming = largest(&absorbed, "mid.vx", 0.0, PASSED);
    let back = largest(&absorbed, "mid.vx", PASSED, 1.0).abs() / incoming;
    show(&format!("incoming {incoming:.4} m/s, reflected {back:.2e} of it"));
    assert!((incoming - 1.0).abs() < 2e-3, "{incoming}");
    assert!(back < 2e-3, "reflected: {back}; the mesh alone leaves (k Δx)²/24 ~ 1e-3 of the pulse");
    // What is gone went through the dashpots, and the ledger closes.
    let energies: Vec<f64> =
        ["kinetic_energy", "viscous_dissipation", "energy_residual"].map(|c| absorbed.last(c)).into();
    let before = absorbed.column("kinetic_energy")[0] + absorbed.column("elastic_energy")[0];
    show(&format!(
        "energy {before:.4e} J, left {:.2e}, absorbed {:.4e}, residual {:.1e}",
        energies[0], energies[1], energies[2]
    ));
    assert!((energies[1] / before - 1.0).abs() < 1e-4 && energies[0] < 1e-4 * before);
    assert!(energies[2].abs() < 1e-12);
}

/// A dashpot that does not fit reflects what it should.
#[test]
fn a_dashpot_reflects_by_its_impedance() {
    let z = 1000.0 * speed() * 0.02;
    for part in [1.0 / 3.0, 2.0, 1e4] {
        let end = format!("(body: \"bar\", group: \"right\", damping: ({:?}, 0))", part * z);
        let found = pulse(&end);
        let back = largest(&found, "mid.vx", PASSED, 1.0) / largest(&found, "mid.vx", 0.0, PASSED);
        let exact = (1.0 - part) / (1.0 + part);
        show(&format!("C = {part:.3} Z: reflected {back:.4}, exact {exact:.4}"));
        assert!((back - exact).abs() < 2e-3, "{back} {exact}");
    }
}

/// A standing wave from its displacement, and from its velocity.
#[test]
fn standing_waves_start_from_fields() {
    let omega = PI * speed();
    let end = 4e-3;
    let from = |key: &str| run(&load_text(BAR, &[&format!("bodies.bar.{key}=[\"1e-3*cos(pi*x)\", \"0\"]")]));
    let (u, v) = (from("displacement_field"), from("velocity_field"));
    let exact_u = 1e-3 * (omega * end).cos();
    let exact_v = 1e-3 / omega * (omega * end).sin();
    for (found, exact, size, what) in
        [(u.last("left.ux"), exact_u, 1e-3, "displacement"), (v.last("left.ux"), exact_v, 1e-3 / omega, "velocity")]
    {
        show(&format!("from a {what}: {found:.6e}, exact {exact:.6e}"));
        // The phase: (ω h)²/12 ω t = 3e-6, and (k Δx)²/24 ω t = 4e-5.
        assert!((found - exact).abs() < 1e-4 * size, "{what}: {found} {exact}");
    }
    let energy = u.column("elastic_energy")[0];
    // ½ E A ∫ u′² = ½ E A (π U)²/2
    assert!((energy / (0.25 * 1e8 * 0.02 * (PI * 1e-3).powi(2)) - 1.0).abs() < 1e-4, "{energy}");
}

const BLOCK: &str = r#"(
    title: "A block on a spring",
    kinematics: SmallStrain,
    materials: [(name: "m", density: 1000.0, law: KelvinVoigt(young: 1e9, poisson: 0.0))],
    bodies: [(name: "block", mesh: Rectangle(corner: (0, 0), size: (0.1, 0.1), cells: (2, 2)), material: "m", velocity: (0, 0.2))],
    attachments: [(body: "block", group: "bottom", stiffness: (1e5, 1e5), damping: (0, 80)), (body: "block", group: "body", mass: 6.0)],
    integrator: Theta(theta: 0.5),
    step: 5e-5,
    duration: 0.05,
    probes: [(name: "block", at: Body("block"))],
)"#;

#[test]
fn a_block_on_a_spring_and_a_dashpot() {
    let found = run(&load_text(BLOCK, &[]));
    let (m, k, c) = (16.0_f64, 1e5_f64, 80.0);
    let (omega, zeta) = ((k / m).sqrt(), c / (2.0 * (k * m).sqrt()));
    let damped = omega * (1.0 - zeta * zeta).sqrt();
    let exact = |t: f64| 0.2 / damped * (-zeta * omega * t).exp() * (damped * t).sin();
    let (t, u) = (found.column("time"), found.column("block.uy"));
    let error = t.iter().zip(&u).fold(0.0, |e: f64, (t, u)| e.max((u - exact(*t)).abs())) / (0.2 / omega);
    show(&format!("worst error {error:.2e} of the amplitude"));
    // The block's own stiffness is 1e9 N/m a unit of length: k/K = 1e-4 changes the frequency by half of that.
    assert!(error < 1e-3, "{error}");
    assert!(found.last("energy_residual").abs() < 1e-12);
}

/// Statics: the block sinks by its weight, mass included, over the stiffness; and so does a start at equilibrium.
#[test]
fn a_block_sinks_on_springs() {
    let loads = "loads=[Gravity(acceleration: (0, -9.81))]";
    let sunk = 16.0 * 9.81 / 1e5;
    let at_rest = "bodies.block.velocity=(0, 0)";
    let statics = run(&load_text(BLOCK, &[loads, at_rest, "integrator=QuasiStatic", "step=1e-2"]));
    // Its own compression under the weight: of the order of ρ g L²/E.
    assert!((statics.last("block.uy") + sunk).abs() < 1e-3 * sunk, "{}", statics.last("block.uy"));
    let started = run(&load_text(BLOCK, &[loads, at_rest, "start=Equilibrium"]));
    let moved = started.column("block.uy").iter().fold(0.0, |m: f64, u| m.max((u + sunk).abs()));
    assert!(moved < 1e-3 * sunk, "{moved}");
}

/// The same bits on one and two threads and after a resume are tested for all loads together; here: a travelling load has the impulse that it has.
#[test]
fn a_load_that_travels_has_its_impulse() {
    let found = run(&load_text(
        BLOCK,
        &[
            "attachments=[]",
            "bodies.block.velocity=(0, 0)",
            "loads=[Pressure(body: \"block\", group: \"top\", pressure: 1000, field: \"t*(1 + x)\")]",
        ],
    ));
    // ∫∫ p t (1 + x) dx dt = 1000 · ½ 0.05² · (0.1 + 0.005)
    let exact = -1000.0 * 0.5 * 0.05_f64.powi(2) * 0.105 / 10.0;
    assert!((found.last("block.vy") / exact - 1.0).abs() < 1e-9, "{} {exact}", found.last("block.vy"));
}
