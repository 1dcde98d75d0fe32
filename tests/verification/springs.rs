//! Springs and dashpots between two bodies.
//!
//! References, for masses m₁, m₂ with m = m₁ m₂/(m₁ + m₂) and the change of length s:
//!
//! ```text
//! spring     s = −(V/ω) sin ω t ,   ω = √(k/m)           in steps of θ = ½: −(V/ω) sin nφ, φ = 2 atan(ω h/2), to rounding
//! dashpot    ds/dt = −V e^(−c t/m)                       in steps of θ = ½: a factor (1 − a)/(1 + a) each, a = c h/(2 m), to rounding
//! ```
//!
//! Tolerances: the solutions in steps 1e-9 of their size (1000 steps of rounding, joints to 1e-12 of the model); the exact period (ω h)²/12 of it;
//! blocks that deform have a spring 1e5 times softer than themselves.

use verification::{Run, load_text, run, show};

const DISKS: &str = r#"(
    title: "Two disks",
    materials: [],
    bodies: [
        (name: "a", mesh: Round(centre: (0, 0), radius: 0.1), inertia: (mass: 2.0), velocity: (1, 0)),
        (name: "b", mesh: Round(centre: (1, 0), radius: 0.1), inertia: (mass: 3.0)),
    ],
    joints: [(name: "link", kind: Spring, body: "a", at: (0, 0), to: "b", to_at: (1, 0), spring: (stiffness: 1000))],
    integrator: ModifiedTheta(theta: 0.5),
    step: 1e-3,
    duration: 1.0,
)"#;

const BLOCKS: &str = r#"(
    title: "Two blocks",
    materials: [(name: "steel", law: KelvinVoigt(young: 2e11, poisson: 0.3), density: 7800.0)],
    bodies: [
        (name: "left", mesh: Rectangle(corner: (0, 0), size: (0.1, 0.1), cells: (2, 2)), material: "steel", velocity: (1, 0)),
        (name: "right", mesh: Rectangle(corner: (0.3, 0), size: (0.1, 0.1), cells: (2, 2)), material: "steel"),
    ],
    joints: [
        (name: "coil", kind: Spring, body: "left", group: "right", to: "right", to_group: "left", spring: (stiffness: 1e6)),
    ],
    integrator: ModifiedTheta(theta: 0.5),
    step: 1e-4,
    duration: 0.05,
)"#;

const STEP: f64 = 1e-3;

fn closes(run: &Run, limit: f64) {
    let verdict = &run.summary.verdict;
    assert_eq!(verdict.flagged, 0, "{verdict:?}");
    let residual = run.largest("energy_residual");
    assert!(residual <= limit, "the ledger is off by {residual:e}");
}

#[test]
fn two_masses_on_a_spring_have_their_period() {
    let run = run(&load_text(DISKS, &[]));
    closes(&run, 1e-12);
    let mass = 2.0 * 3.0 / 5.0;
    let omega = (1000.0_f64 / mass).sqrt();
    let phi = 2.0 * (0.5 * omega * STEP).atan();
    let s = run.column("link.coordinate");
    let off = |turn: f64| {
        let exact = |n: usize| -(1.0 / omega) * (n as f64 * turn).sin();
        s.iter().enumerate().map(|(n, s)| (s - exact(n)).abs() * omega).fold(0.0, f64::max)
    };
    let (steps, exact) = (off(phi), off(omega * STEP));
    show(&format!(
        "two masses: {steps:.1e} of the amplitude from the solution in steps, {exact:.1e} from the exact one"
    ));
    assert!(steps < 1e-9, "{steps}");
    // ω t (ω h)²/12 at the end, 1 s.
    assert!(exact < 1.1 * omega * (omega * STEP).powi(2) / 12.0, "{exact}");
    // What the spring stores is what the motion lacks: ½ k s².
    let (stored, s) = (run.column("spring_energy"), run.column("link.coordinate"));
    for (e, s) in stored.iter().zip(&s) {
        assert!((e - 500.0 * s * s).abs() < 1e-9, "{e} {s}");
    }
    // The force on `a` of a stretched spring points to `b`; the mean over a step is that of its middle.
    let force = run.column("link.force_x");
    for n in 1..force.len() {
        assert!((force[n] - 1000.0 * 0.5 * (s[n] + s[n - 1])).abs() < 1e-7, "{n}: {}", force[n]);
    }
}

#[test]
fn a_dashpot_lets_two_bodies_settle() {
    let damping = 20.0;
    let run = run(&load_text(DISKS, &[&format!("joints.link.spring=(damping: {damping})")]));
    closes(&run, 1e-12);
    let mass = 1.2;
    let a = damping * STEP / (2.0 * mass);
    let factor = (1.0 - a) / (1.0 + a);
    let s = run.column("link.coordinate");
    // s = −h/2 Σ (V_n + V_{n+1}) with V_n = factor^n.
    let (mut exact, mut v) = (0.0, 1.0);
    for (n, s) in s.iter().enumerate() {
        assert!((s - exact).abs() < 1e-10, "{n}: {s} {exact}");
        exact -= 0.5 * STEP * (v + v * factor);
        v *= factor;
    }
    // e^(−c t/m) itself: a²/3 of the exponent.
    let end = -mass / damping * (1.0 - (-damping / mass).exp());
    assert!((run.last("link.coordinate") / end - 1.0).abs() < a * a, "{end}");
    // All of the relative energy ½ m V² is lost in it.
    assert!((run.last("viscous_dissipation") - 0.5 * mass).abs() < 1e-6, "{}", run.last("viscous_dissipation"));
}

/// The means of two groups of nodes; the spring's line turns with the bodies, and the sum of momenta stays.
#[test]
fn groups_of_deformable_bodies_are_linked() {
    let run = run(&load_text(BLOCKS, &[]));
    closes(&run, 1e-12);
    // 78 kg each: m = 39 kg.
    let omega = (1e6_f64 / 39.0).sqrt();
    let s = run.column("coil.coordinate");
    let largest = s.iter().fold(0.0, |m: f64, s| m.max(s.abs()));
    let crossing = s.windows(2).skip(10).position(|w| w[0] < 0.0 && w[1] >= 0.0).unwrap() + 10;
    let half = 1e-4 * (crossing as f64 + s[crossing] / (s[crossing] - s[crossing + 1]));
    let exact = std::f64::consts::PI / omega;
    show(&format!(
        "blocks: half a period {half:.6} s, exact {exact:.6}; amplitude {largest:.6} m, exact {:.6}",
        1.0 / omega
    ));
    assert!((half / exact - 1.0).abs() < 1e-3 && (largest * omega - 1.0).abs() < 1e-3, "{half} {exact} {largest}");
    let momentum = run.column("momentum_x");
    assert!(momentum.iter().all(|p| (p - 78.0).abs() < 1e-9), "{momentum:?}");
}

/// A spring in space that is not along an axis, to the ground; with a rest it starts to pull at once.
#[test]
fn a_spring_to_the_ground_pulls_along_its_line() {
    let text = r#"(
        title: "A ball",
        dimension: 3,
        materials: [],
        bodies: [(name: "ball", mesh: Round(centre: (0, 0, 0), radius: 0.1), inertia: (mass: 2.0))],
        joints: [(name: "link", kind: Spring, body: "ball", at: (0, 0, 0), to_at: (1, 2, 2), spring: (stiffness: 100, rest: -0.5))],
        integrator: ModifiedTheta(theta: 0.5),
        step: 1e-3,
        duration: 0.05,
    )"#;
    let run = run(&load_text(text, &[]));
    // 12.5 J in the spring and 1e-3 J of work in the first step: rounding is 1e-12 of the latter.
    closes(&run, 1e-11);
    // 50 N along (1, 2, 2)/3 in the first step, less what the first way of 1e-5 m changes.
    let force = ["x", "y", "z"].map(|c| run.column(&format!("link.force_{c}"))[1]);
    for (f, exact) in force.iter().zip([50.0 / 3.0, 100.0 / 3.0, 100.0 / 3.0]) {
        assert!((f - exact).abs() < 2e-3, "{force:?}");
    }
}
