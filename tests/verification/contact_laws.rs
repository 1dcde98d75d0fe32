//! Every contact law in a run: two blocks one on the other, drawn apart, sheared and pressed.
//!
//! Reference: identities. The ledger with bonds,
//!
//! ```text
//! E_kin + E_el + E_bonds = E(0) + external + contact − friction − damage − viscous − numerical − remainder
//! ```
//!
//! each law by its own statement in every step, histories that only grow, and that scenes written differently are one scene.
//!
//! Goal: what the solver's tests show of each law at one point holds between deformable bodies, with every scheme, in the plane and in space.
//!
//! ```text
//!     +--+--+--+--+  -> u_x, u_y prescribed
//!     |           |     upper 0.1 m x 0.05 m
//!     +--+--+--+--+     law; touches at the start
//!     |           |     lower, held below
//!     ooooooooooooo
//! ```
//!
//! Parameters: E = 1 GPa, ν = 0.3, ρ = 1000 kg/m³; strength some 0.3 MPa; the top rises by 60 µm and shears by 30 µm, returns and
//! presses.
//!
//! Tolerances: 1e-12 of the turnover for the sum (rounding: see the figures shown); the law error of the solver, 1e-9.

use delassus_sim::engine::Engine;
use delassus_sim::ledger::Ledger;
use delassus_sim::step::{ContactHistory, step};
use delassus_sim::timings::Timings;
use delassus_solver::Status;
use verification::{SCHEMES, load, load_text, run, show};

const PLANE: &str = r#"(
    title: "Two blocks",
    kinematics: SmallStrain,
    materials: [(name: "m", density: 1000.0, law: KelvinVoigt(young: 1e9, poisson: 0.3))],
    bodies: [
        (name: "lower", mesh: Rectangle(corner: (0.0, -0.05), size: (0.1, 0.05), cells: (4, 2)), material: "m"),
        (name: "upper", mesh: Rectangle(corner: (0.0, 0.0), size: (0.1, 0.05), cells: (4, 2)), material: "m"),
    ],
    contacts: [(
        name: "joint",
        candidates: (body: "upper", group: "bottom"),
        antagonists: Surface(body: "lower", group: "top"),
        law: Frictionless,
    )],
    boundary: [
        (body: "lower", group: "bottom", x: 0.0, y: 0.0),
        (
            body: "upper",
            group: "top",
            x: Table([(0.0, 0.0), (1e-4, 0.05), (6e-4, 0.05), (8e-4, -0.05), (2e-3, -0.02)]),
            y: Table([(0.0, 0.0), (1e-4, 0.1), (6e-4, 0.1), (8e-4, -0.1), (2e-3, -0.1)]),
        ),
    ],
    integrator: Theta(theta: 0.5),
    step: 1e-5,
    duration: 1.6e-3,
    solver: Nlgs(tolerance: 1e-9),
)"#;

const BILINEAR: &str = "BilinearCohesive(strength: 3e5, stiffness: 1e12, energy: 1.0, friction: 0.3)";

/// The laws, and which of them lose energy to damage in this scene.
const LAWS: [(&str, bool); 16] = [
    ("Frictionless", false),
    ("SignoriniCoulomb(friction: 0.3)", false),
    ("StaticDynamic(static_friction: 0.5, dynamic_friction: 0.2)", false),
    ("StaticDynamic(static_friction: 0.5, dynamic_friction: 0.2, velocity: 0.05)", false),
    (
        "RateAndState(reference_friction: 0.4, direct_effect: 0.01, evolution_effect: 0.015, reference_velocity: 1e-3, \
         slip_distance: 1e-6)",
        false,
    ),
    ("Restitution(normal: 0.5, tangential: 0.2, friction: 0.3)", false),
    ("Compliant(stiffness: 1e12, damping: 1e8, friction: 0.3)", false),
    ("Tied()", false),
    ("Tied(release: InTension)", false),
    ("Cohesive(cohesion: 3e5, glue: UnderPressure)", true),
    ("MohrCoulomb(cohesion: 3e5, internal_friction: 0.6, friction: 0.4, glue: OnContact)", true),
    ("Adhesive(normal_stiffness: 1e12, tangential_stiffness: 1e12, energy: 0.1, viscosity: 1e-6, friction: 0.3)", true),
    (BILINEAR, true),
    ("SmoothFriction(friction: 0.2, curve: [(speed: 0.01, added: -0.05), (speed: 0.05, added: 0.2)])", false),
    ("VariableFriction(friction: \"0.2 + 10*t + 0.05*x^2 + 0.1/(1 + p/1e5)\")", false),
    ("ElasticShear(shear_stiffness: 1e11, normal_stiffness: 1e12, friction: 0.3)", false),
];

/// What a run of a scene with a law must show; the largest residual of the ledger.
fn check(scene: &str, dimension: &str, law: &str, damages: bool, scheme: &str) -> f64 {
    let settings = [format!("contacts.joint.law={law}"), format!("integrator={scheme}")];
    let run = run(&load_text(scene, &[&settings[0], &settings[1]]));
    let what = format!("{dimension}, {law}, {scheme}");
    let verdict = &run.summary.verdict;
    assert!(verdict.flagged == 0 && verdict.law_error <= 1e-9 + 1e-12, "{what}: {verdict:?}");
    let residual = run.largest("energy_residual");
    assert!(residual <= 1e-12, "{what}: the ledger is off by {residual:e}");
    if damages {
        let lost = run.column("damage_dissipation");
        assert!(lost.windows(2).all(|w| w[1] >= w[0]) && lost[lost.len() - 1] > 0.0, "{what}: damage {lost:?}");
        let area = run.column("joint.bonded_area");
        let whole = area[0];
        assert!((whole - 0.1).abs() < 1e-12 * whole || dimension == "space", "{what}: {whole}");
        assert!(area.iter().any(|a| *a < 0.5 * whole), "{what}: nothing opens");
    }
    residual
}

#[test]
fn the_ledger_closes_with_every_law_and_scheme() {
    let mut worst = 0.0_f64;
    for (law, damages) in LAWS {
        for scheme in SCHEMES {
            worst = worst.max(check(PLANE, "plane", law, damages, scheme));
        }
    }
    show(&format!("{} laws x {} schemes in the plane: the ledger closes to {worst:.1e}", LAWS.len(), SCHEMES.len()));
}

/// The ledger of the scene, step by step.
struct Books {
    /// At the end.
    ledger: Ledger,
    /// Its residual at worst.
    residual: f64,
    /// The remainder of each candidate \[J\].
    remainders: [f64; 5],
}

fn ledger_of(law: &str, scheme: &str, steps: u32) -> Books {
    let h = format!("step={:e}", 1.6e-3 / f64::from(steps));
    let settings = [format!("contacts.joint.law={law}"), format!("integrator={scheme}")];
    let model = load_text(PLANE, &[&settings[0], &settings[1], &h]).model::<2>().unwrap();
    let mut engine = Engine::new(&model).unwrap();
    let mut from = engine.start().unwrap();
    let mut books = Books { ledger: Ledger::new(0.0, 0.0), residual: 0.0, remainders: [0.0; 5] };
    for _ in 0..model.n_steps {
        let outcome = step(&mut engine, &mut Timings::default(), &from, model.h).unwrap();
        assert!(outcome.converged() && outcome.is_within(1e-9), "{law}, {scheme}: {}", outcome.description());
        books.ledger = books.ledger.after(&outcome);
        books.residual = books.residual.max(books.ledger.relative_residual());
        for touch in &outcome.touches {
            books.remainders[touch.contact.key.candidate as usize] += touch.work.remainder;
        }
        from = outcome.snapshot;
    }
    books
}

/// No line of the ledger is computed from the others: what bonds store and lose has its own formulas, and so has the work on them. The residual is rounding;
/// half of the stored or of the lost energy would show.
#[test]
fn the_ledger_hides_nothing_of_bonds() {
    let (mut worst, mut largest) = (0.0_f64, 0.0_f64);
    let has_bond = |law: &str| {
        ["Compliant", "Tied()", "Cohesive", "MohrCoulomb", "Adhesive", "Bilinear", "Elastic"]
            .iter()
            .any(|b| law.starts_with(b))
    };
    for (law, damages) in LAWS.into_iter().filter(|(law, _)| has_bond(law)) {
        for scheme in [
            "Theta(theta: 0.5)",
            "ModifiedTheta(theta: 0.55)",
            "ThetaEuler(theta: 1.0)",
            "Newmark(gamma: 0.6, beta: 0.3025)",
        ] {
            let Books { residual, ledger, .. } = ledger_of(law, scheme, 160);
            // Some 160 steps of rounding.
            assert!(residual <= 1e-12, "{law}, {scheme}: {residual:e} of {ledger:?}");
            let share = ledger.damage / ledger.scale();
            // Mohr and Coulomb's bonds break by slip, without opening, in some of the schemes.
            assert!(!damages || law.starts_with("Mohr") || share > 1e-3, "{law}, {scheme}: {share:e}");
            worst = worst.max(residual);
            largest = largest.max(ledger.remainder.abs() / ledger.scale());
        }
    }
    show(&format!("bonds with formulas of their own: the ledger closes to {worst:.1e}, remainder up to {largest:.1e}"));
    // The facets of these blocks turn by 1e-4.
    assert!(largest < 1e-6, "{largest:e}");
}

/// The remainder vanishes with the step, but at the candidate at the right end: it slides beyond the facet that it faces, where the gap is no longer the
/// integral of the velocity that the law has.
#[test]
fn the_remainder_of_bonds_vanishes_with_the_step() {
    let [coarse, fine] = [640, 1280].map(|n| ledger_of(BILINEAR, "ThetaEuler(theta: 1.0)", n).remainders);
    let ratios: Vec<f64> = fine.iter().zip(&coarse).map(|(f, c)| f / c).collect();
    show(&format!("remainder of each bond at half the step: {ratios:.2?}"));
    // First order: 0.5, and what is left of second order at a tenth of the time that a wave takes through a cell.
    assert!(ratios[..4].iter().all(|r| (r - 0.5).abs() < 0.1), "{ratios:?}: {coarse:?}, {fine:?}");
}

/// The same scene in space, one cell more deep than wide.
fn space() -> String {
    PLANE
        .replace("title: \"Two blocks\",", "title: \"Two blocks\", dimension: 3,")
        .replace(
            "Rectangle(corner: (0.0, -0.05), size: (0.1, 0.05), cells: (4, 2))",
            "Box(corner: (0.0, -0.05, 0.0), size: (0.1, 0.05, 0.07), cells: (2, 1, 3))",
        )
        .replace(
            "Rectangle(corner: (0.0, 0.0), size: (0.1, 0.05), cells: (4, 2))",
            "Box(corner: (0.0, 0.0, 0.0), size: (0.1, 0.05, 0.07), cells: (2, 1, 3))",
        )
        .replace("x: 0.0, y: 0.0)", "x: 0.0, y: 0.0, z: 0.0)")
        .replace(
            "group: \"top\",\n",
            "group: \"top\",\n            z: Table([(0.0, 0.0), (2e-4, 0.02), (1.6e-3, 0.02)]),\n",
        )
}

#[test]
fn the_ledger_closes_in_space() {
    let scene = space();
    let mut worst = 0.0_f64;
    for (law, damages) in LAWS {
        for scheme in ["Theta(theta: 0.5)", "Theta(theta: 1.0)"] {
            worst = worst.max(check(&scene, "space", law, damages, scheme));
        }
    }
    let elliptic = "EllipticFriction(along: 0.1, across: 0.5, direction: (1, 0, 1))";
    worst = worst.max(check(&scene, "space", elliptic, false, "Theta(theta: 0.5)"));
    show(&format!("{} laws x 2 schemes in space: the ledger closes to {worst:.1e}", LAWS.len()));
}

/// Three blocks side by side as copies of one, and written one by one.
#[test]
fn copies_are_bodies_like_others() {
    let scene = |bodies: &str, contacts: &str| {
        format!(
            "(title: \"Blocks on a floor\", kinematics: SmallStrain, materials: [(name: \"m\", density: 1000.0, law: KelvinVoigt(young: 1e7, poisson: 0.3))],\n\
             bodies: [{bodies}], obstacles: [(name: \"floor\", shape: HalfPlane(point: (0, 0), normal: (0.1, 1)))],\n\
             contacts: [{contacts}], loads: [Gravity(acceleration: (0, -9.81))],\n\
             integrator: Theta(theta: 0.5), step: 1e-3, duration: 0.3, output: (every: 300))"
        )
    };
    let block = |name: &str, x: f64, more: &str| {
        format!(
            "(name: \"{name}\", mesh: Rectangle(corner: ({x}, 0.2), size: (0.5, 0.5), cells: (2, 2)), material: \"m\"{more}),"
        )
    };
    let floor = |name: &str, body: &str| {
        format!(
            "(name: \"{name}\", candidates: (body: \"{body}\", group: \"boundary\"), antagonists: Obstacle(\"floor\"), \
             law: SignoriniCoulomb(friction: 0.3)),"
        )
    };
    let copies = scene(&block("b", 0.0, ", copies: (count: 3, translation: (1, 0))"), &floor("floor", "b"));
    let each: String = (0..3).map(|k| block(&format!("b-{k}"), k as f64, "")).collect();
    let floors: String = (0..3).map(|k| floor(&format!("floor-{k}"), &format!("b-{k}"))).collect();
    let (copies, each) = (run(&load_text(&copies, &[])), run(&load_text(&scene(&each, &floors), &[])));
    for column in ["kinetic_energy", "elastic_energy", "friction_dissipation", "momentum_x"] {
        assert_eq!(copies.column(column), each.column(column), "{column}");
    }
    let floors = (0..3).map(|k| each.column(&format!("floor-{k}.force_y")));
    let mut sum = vec![0.0; copies.column("time").len()];
    for floor in floors {
        assert!(floor.iter().any(|f| *f > 0.0), "every block falls on the floor");
        sum.iter_mut().zip(floor).for_each(|(sum, f)| *sum += f);
    }
    let largest = sum.iter().copied().fold(0.0, f64::max);
    for (a, b) in copies.column("floor.force_y").iter().zip(sum) {
        assert!((a - b).abs() <= 1e-13 * largest, "{a} {b}");
    }
}

/// A margin of gap and force takes away the sweeps that would only refine what is smaller.
#[test]
fn margins_are_kept_and_save_work() {
    let run_with =
        |margins: &str| run(&load("h8-cubes", &["bodies.upper.mesh.refine=4", "bodies.lower.mesh.refine=4", margins]));
    let (strict, relaxed) =
        (run_with("solver.margins=(gap: 0, force: 0)"), run_with("solver.margins=(gap: 1e-8, force: 1e-2)"));
    let sweeps = |run: &verification::Run| run.column("solver_iterations").iter().sum::<f64>();
    let forces = |run: &verification::Run| run.column("joint.force_y");
    let off = forces(&strict).iter().zip(forces(&relaxed)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    show(&format!(
        "margins of 10 nm and 10 mN: {} sweeps instead of {}, force off by {off:.1e} N",
        sweeps(&relaxed),
        sweeps(&strict)
    ));
    // 25 points of 64 N together, each within 10 mN; the motion that follows is another by as much.
    assert!(sweeps(&relaxed) < 0.7 * sweeps(&strict) && off > 0.0 && off < 25.0 * 1e-2 * 2.0, "{off}");
}

/// Margins of friction alone: contact stays as strict as it was. Sweeps are compared, so that no other method may end them.
#[test]
fn margins_of_friction_leave_contact_strict() {
    let coarse = ["bodies.upper.mesh.refine=4", "bodies.lower.mesh.refine=4", "solver.fallback=[]"];
    let run_with = |margins: &str| run(&load("h8-cubes", &[&coarse[..], &[margins]].concat()));
    let strict = run_with("solver.margins=(gap: 0, force: 0)");
    let relaxed = run_with("solver.margins=(gap: 0, force: 0, sliding: 1e-3, drag: 1e-1)");
    let sweeps = |run: &verification::Run| run.column("solver_iterations").iter().sum::<f64>();
    let (most, off) = (strict.largest("joint.force_x"), |column: &str| {
        strict.column(column).iter().zip(relaxed.column(column)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    });
    show(&format!(
        "margins of friction of 1 mm/s and 0.1 N: {} sweeps instead of {}, force along off by {:.1e} of {most:.1e} N",
        sweeps(&relaxed),
        sweeps(&strict),
        off("joint.force_x")
    ));
    assert!(sweeps(&relaxed) < sweeps(&strict) && off("joint.force_x") > 0.0);
    // 25 points, each within 0.1 N, twice for the motion that follows.
    assert!(off("joint.force_x") < 25.0 * 0.1 * 2.0);
    // The gaps are judged as before.
    let depths = [&strict, &relaxed].map(|run| run.largest("max_penetration"));
    assert!(depths[1] <= 2.0 * depths[0].max(1e-15), "{depths:?}");
}

/// What is glued stays where it was, and what has slid knows how far.
#[test]
fn contacts_know_their_past() {
    let loaded = load_text(
        PLANE,
        &[
            "contacts.joint.law=SignoriniCoulomb(friction: 0.3)",
            "boundary=[(body: \"lower\", group: \"bottom\", x: 0, y: 0), (body: \"upper\", group: \"top\", x: 0.5, y: -0.02)]",
            "integrator=Theta(theta: 1.0)",
        ],
    );
    let model = loaded.model::<2>().unwrap();
    let mut engine = Engine::new(&model).unwrap();
    let mut timings = Timings::default();
    let mut from = engine.start().unwrap();
    let mut way = [0.0; 5];
    let mut taken = 0.0;
    for _ in 0..model.n_steps {
        let outcome = step(&mut engine, &mut timings, &from, model.h).unwrap();
        for t in &outcome.touches {
            taken += t.work.friction;
            if t.status == Status::Slip {
                way[t.contact.key.candidate as usize] += model.h * t.velocity[1].abs();
            }
        }
        from = outcome.snapshot;
    }
    let kept = |f: fn(&ContactHistory) -> f64| from.histories.iter().map(|(_, p)| f(p)).collect::<Vec<_>>();
    for (a, b) in way.iter().zip(kept(|p| p.slip)) {
        assert!(*a > 5e-4 && (a - b).abs() <= 1e-12 * a, "{a} {b}");
    }
    assert!((kept(|p| p.friction).iter().sum::<f64>() / taken - 1.0).abs() < 1e-12);
}
