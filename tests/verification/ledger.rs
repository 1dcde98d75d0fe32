//! Energy ledger and momentum, to rounding, whatever acts.
//!
//! Reference: the exact discrete energy identity of each scheme (Newmark's with its algorithmic energy), and the sum of the
//! impulse balance over all dofs.
//!
//! Goal: the ledger closes and momentum changes by outside impulses only, in every scheme, with friction, gravity, changing
//! loads, moving supports and obstacles, viscosity, Rayleigh damping, consistent mass, B-bar, triangles, two-pass contact.
//!
//! ```text
//!        traction, sine          |/
//!        v v v v v v v           |/
//!      +---+---+---+---+ -> 1.5  |/  wall, may move
//!      |  upper, soft  | | 4     |/
//!      +---+---+---+---+ v m/s   |/
//!    +-----+-----+-----+-----+
//!    |  lower, soft          |     friction 0.3 everywhere
//!    +-----+-----+-----+-----+
//!    ///////////////////////////   support, may move
//! ```
//!
//! Parameters: E = 1e7 Pa, ν = 0.45 (plane strain), ρ = 1000 kg/m³, gravity 9.81 m/s², h = 2e-4 s, 100 steps.
//!
//! Tolerances: ledger 1e-12 of the energy or the work done (a hundred steps of rounding; a term left out shows at 1e-6 and
//! more); momentum 1e-11 of Σ |M v| and of the impulses.

use verification::bars::run_bars;
use verification::momentum::trace;
use verification::{SCHEMES, largest, load, load_text, run, show};

/// Largest relative residual of the ledger.
const LEDGER: f64 = 1e-12;

const BLOCKS: &str = r#"(
    title: "Two blocks and a wall",
    kinematics: SmallStrain,
    materials: [(name: "soft", density: 1000.0, law: KelvinVoigt(young: 1e7, poisson: 0.45))],
    bodies: [
        (
            name: "lower",
            mesh: Rectangle(corner: (0.0, 0.0), size: (2.0, 0.5), cells: (6, 2)),
            material: "soft",
        ),
        (
            name: "upper",
            mesh: Rectangle(corner: (0.3, 0.502), size: (1.0, 0.6), cells: (4, 3)),
            material: "soft",
            velocity: (1.5, -4.0),
        ),
    ],
    obstacles: [(name: "wall", shape: HalfPlane(point: (1.31, 0.0), normal: (-1.0, 0.0)))],
    contacts: [
        (
            name: "joint",
            candidates: (body: "upper", group: "bottom"),
            antagonists: Surface(body: "lower", group: "top"),
            law: SignoriniCoulomb(friction: 0.3),
        ),
        (
            name: "wall",
            candidates: (body: "upper", group: "right"),
            antagonists: Obstacle("wall"),
            law: SignoriniCoulomb(friction: 0.3),
        ),
    ],
    loads: [
        Gravity(acceleration: (0.0, -9.81)),
        Traction(body: "upper", group: "top", traction: (0.0, -5e3), factor: Sine(amplitude: 1.0, frequency: 90.0)),
    ],
    boundary: [(body: "lower", group: "bottom", x: 0.0, y: 0.0)],
    integrator: Theta(theta: 0.5),
    step: 2e-4,
    duration: 2e-2,
    solver: Nlgs(tolerance: 1e-10, max_iterations: 20000),
)"#;

/// The weight θ or γ of the step's end in a scheme.
fn weight(scheme: &str) -> f64 {
    if scheme.starts_with("EnergyMomentum") {
        return 0.5;
    }
    let number = scheme.split([':', ',', ')']).nth(1).unwrap();
    number.trim().parse().unwrap()
}

fn check(name: &str, settings: &[&str]) {
    let mut worst = (0.0_f64, 0.0_f64);
    let mut outside: f64 = f64::INFINITY;
    for scheme in SCHEMES {
        let integrator = format!("integrator={scheme}");
        let loaded = load_text(BLOCKS, &[&[integrator.as_str()], settings].concat());
        let run = run(&loaded);
        let energy = run.largest("energy_residual");
        let t = trace(&loaded, weight(scheme));
        assert!(
            energy <= LEDGER && t.energy_residual <= LEDGER,
            "{name}, {scheme}: ledger {energy:e}, {:e}",
            t.energy_residual
        );
        assert!(t.momentum_error <= 1e-11, "{name}, {scheme}: momentum {:e}", t.momentum_error);
        assert!(run.summary.verdict.flagged + run.summary.verdict.cuts == 0, "{name}, {scheme}");
        assert!(t.law_error <= 1e-10 + 1e-12, "{name}, {scheme}: law error {:e}", t.law_error);
        // Five nodes on the lower block, or some at the wall: contact did happen.
        assert!(t.active >= 4 && run.largest("wall.force_x") > 0.0, "{name}, {scheme}: {} contacts", t.active);
        let slip = run.last("friction_dissipation");
        assert!(slip > 0.0, "{name}, {scheme}: friction {slip:e} J");
        worst = (worst.0.max(energy), worst.1.max(t.momentum_error));
        outside = outside.min(t.outside);
    }
    show(&format!(
        "ledger {name:22} energy {:.1e}  momentum {:.1e}  (outside impulses {outside:.2e} N s)",
        worst.0, worst.1
    ));
}

#[test]
fn blocks_with_friction_gravity_and_load() {
    check("plain", &[]);
}

#[test]
fn moving_support() {
    let motion = "boundary[0].x=Sine(amplitude: 0.8, frequency: 60.0, phase: 0.4)";
    check("moving support", &[motion, "boundary[0].y=Ramp(start: 1e-3, end: 1e-2, from: 0.0, to: 0.5)"]);
}

#[test]
fn moving_obstacle() {
    check(
        "moving obstacle",
        &["obstacles.wall.velocity=(x: Ramp(end: 5e-3, to: -1.0), y: Sine(amplitude: 2.0, frequency: 100.0))"],
    );
}

#[test]
fn viscosity_and_rayleigh_damping() {
    let law = "materials.soft.law=KelvinVoigt(young: 1e7, poisson: 0.45, bulk_viscosity: 1e3, shear_viscosity: 2e3)";
    check("viscous", &[law]);
    let damping = ["bodies.lower.damping=(alpha: 5.0, beta: 1e-4)", "bodies.upper.damping=(alpha: 9.0, beta: 2e-4)"];
    check("Rayleigh", &damping);
    check("viscous and Rayleigh", &[&[law], &damping[..]].concat());
}

#[test]
fn consistent_mass_with_moving_support() {
    let mass = ["bodies.lower.mass=Consistent", "bodies.upper.mass=Consistent"];
    check("consistent mass", &mass);
    let motion = "boundary[0].x=Sine(amplitude: 0.8, frequency: 60.0)";
    check("consistent, moving", &[mass[0], mass[1], motion]);
}

#[test]
fn formulations_and_elements() {
    check("B-bar", &["bodies.lower.formulation=BBar", "bodies.upper.formulation=BBar"]);
    check("T3", &["bodies.lower.mesh.element=Triangle3", "bodies.upper.mesh.element=Triangle3"]);
    check(
        "T3 on Q4, plane stress",
        &["bodies.upper.mesh.element=Triangle3", "bodies.upper.section=PlaneStress(thickness: 0.5)"],
    );
}

#[test]
fn two_passes() {
    // The lower block is the finer one: its nodes would rise between those of the upper block.
    let finer = "bodies.lower.mesh.cells=(21, 3)";
    check("both passes", &["contacts.joint.both=true", finer]);
    let early = |both: &str| {
        let run = run(&load_text(BLOCKS, &[both, finer]));
        // Before the wall is reached, at 7 ms.
        run.column("active_contacts").iter().take(25).fold(0.0, |m: f64, n| m.max(*n))
    };
    let (one, two) = (early("contacts.joint.both=false"), early("contacts.joint.both=true"));
    show(&format!("two passes: {two} contacts act at once, {one} with one pass"));
    assert!(two > one, "nodes of the lower block act too: {one}, {two}");
}

/// The balances can fail: another weight of the loads, or a load left out, is seen.
#[test]
fn errors_are_seen() {
    let loaded = load_text(BLOCKS, &["integrator=Theta(theta: 0.55)"]);
    assert!(trace(&loaded, 0.55).momentum_error < 1e-14);
    let wrong = trace(&loaded, 0.6).momentum_error;
    assert!(wrong > 1e-7, "{wrong:e}");
}

#[test]
fn bars_of_the_benchmark() {
    for mass in ["Lumped", "Consistent"] {
        for scheme in SCHEMES {
            let settings = [format!("bodies.left.mass={mass}"), format!("bodies.right.mass={mass}")];
            let run = run_bars(scheme, 20, &[&settings[0], &settings[1]]);
            let energy = run.largest("energy_residual");
            let integrator = format!("integrator={scheme}");
            let t = trace(&load("bars-impact", &[&settings[0], &settings[1], &integrator]), weight(scheme));
            show(&format!("ledger bars {mass:10} {scheme:32} energy {energy:.1e}  momentum {:.1e}", t.momentum_error));
            assert!(
                energy <= LEDGER && t.momentum_error <= 1e-11,
                "{mass}, {scheme}: {energy:e}, {:e}",
                t.momentum_error
            );
        }
    }
}

/// The thick bar thrown obliquely at a wall with friction: stick, slip and release.
#[test]
fn bar_against_a_wall_with_friction() {
    let oblique =
        ["bodies.bar.velocity=(5.13588, 3.0)", "contacts.wall.law=SignoriniCoulomb(friction: 0.3)", "duration=1.2e-4"];
    for scheme in SCHEMES {
        let integrator = format!("integrator={scheme}");
        let loaded = load("bars-impact-2d", &[&oblique[..], &[integrator.as_str()]].concat());
        let run = run(&loaded);
        let (energy, t) = (run.largest("energy_residual"), trace(&loaded, weight(scheme)));
        let friction = run.last("friction_dissipation") / run.column("kinetic_energy")[0];
        show(&format!(
            "ledger oblique bar {scheme:34} energy {energy:.1e}  momentum {:.1e}  friction {friction:.4} E0",
            t.momentum_error
        ));
        assert!(energy <= LEDGER && t.momentum_error <= 1e-11, "{scheme}: {energy:e}, {:e}", t.momentum_error);
        assert!(friction > 1e-3, "{scheme}: {friction}");
    }
}

/// No outside force: the momentum written in the history does not change.
#[test]
fn momentum_of_free_bars_is_constant() {
    let shifted = [
        "bodies.left.velocity=(10.27176, 0.3)",
        "bodies.right.velocity=(0.0, 0.0)",
        "contacts.faces.law=SignoriniCoulomb(friction: 0.2)",
    ];
    for scheme in SCHEMES {
        let run = run_bars(scheme, 20, &shifted);
        let total = run.column("momentum_x")[0];
        let mut worst: f64 = 0.0;
        for column in ["momentum_x", "momentum_y"] {
            let p = run.column(column);
            worst = worst.max(largest(&p.iter().map(|x| x - p[0]).collect::<Vec<_>>()) / total);
        }
        show(&format!("momentum of free bars, {scheme}: {worst:.1e}; ledger {:.1e}", run.largest("energy_residual")));
        assert!(worst <= 1e-11, "{scheme}: {worst:e}");
        assert!(run.largest("energy_residual") <= LEDGER, "{scheme}: {:e}", run.largest("energy_residual"));
    }
}
