//! Ties by elimination: periodic cells.
//!
//! Reference: problems without ties that have the same solution by symmetry, on the same mesh.
//!
//! Goal: a tied bar is a ring: what runs out at one end comes in at the other; tied faces in contact; energy.
//!
//! ```text
//! ring    L = 8 m, 32 cells, right end tied to the left. v_x = sin(2π(x − s)/L) at t = 0: a standing wave with its knots at s
//!         and s + L/2, which does not know where the bar was cut.
//! bar     The same with s = 0 and both ends held, no ties: there the knots are at the ends.
//! ```
//!
//! E = 1 Pa, ν = 0, ρ = 1 kg/m³, so that c = 1 m/s; plane strain, y held. Tolerance 1e-10 of the largest velocity: two solves that
//! differ by rounding, over a period of 160 steps.

use std::f64::consts::TAU;
use std::sync::Arc;

use delassus_dynamics::effective_mass::{Coefficients, combine};
use delassus_dynamics::{Operator, System, symmetric_times_into, ties};
use delassus_sim::engine::Engine;
use delassus_sim::model::Model;
use delassus_sim::step::step;
use delassus_sim::timings::Timings;
use verification::{load_text, run, show, try_run};

const CELLS: usize = 32;
const LENGTH: f64 = 8.0;

const BAR: &str = r#"(
    title: "A ring",
    kinematics: SmallStrain,
    materials: [(name: "m", density: 1.0, law: KelvinVoigt(young: 1.0, poisson: 0.0))],
    bodies: [(name: "bar", mesh: Rectangle(corner: (0, 0), size: (8, 0.25), cells: (32, 1)), material: "m")],
    boundary: [(body: "bar", group: "body", y: 0.0)],
    integrator: Theta(theta: 0.5),
    step: 0.05,
    duration: 8.0,
)"#;

const RING: &str = "ties=[(body: \"bar\", slaves: \"right\", masters: \"left\", components: [X])]";
const HELD: &str = "boundary=[(body: \"bar\", group: \"body\", y: 0.0), (body: \"bar\", group: \"left\", x: 0.0), \
                    (body: \"bar\", group: \"right\", x: 0.0)]";

/// The velocities v_x of the lower nodes after every step, and the largest error of the energy.
fn swing(settings: &[&str], cells_shifted: usize) -> (Vec<Vec<f64>>, f64) {
    let mut model: Arc<Model<2>> = load_text(BAR, settings).model::<2>().unwrap();
    let points = model.bodies[0].body.mesh().points.clone();
    for (node, x) in points.iter().enumerate() {
        // In whole cells, so that tied nodes start alike to the bit.
        let cell = (x[0] / LENGTH * CELLS as f64).round() as usize;
        let place = (cell + CELLS - cells_shifted) % CELLS;
        Arc::get_mut(&mut model).unwrap().bodies[0].initial_velocity[2 * node] =
            (TAU * place as f64 / CELLS as f64).sin();
    }
    let mut engine = Engine::new(&model).unwrap();
    let mut timings = Timings::default();
    let mut from = model.start();
    let (mut series, mut first, mut worst) = (Vec::new(), None, 0.0_f64);
    for _ in 0..model.n_steps {
        let outcome = step(&mut engine, &mut timings, &from, model.h).unwrap();
        let energy = outcome.balances[0].kinetic + outcome.balances[0].elastic;
        worst = worst.max((energy / *first.get_or_insert(energy) - 1.0).abs());
        from = outcome.snapshot;
        series.push((0..=CELLS).map(|i| from.states[0].v[2 * i]).collect());
    }
    (series, worst)
}

#[test]
fn a_tied_bar_is_a_ring() {
    let (bar, _) = swing(&[HELD], 0);
    for shift in [0, CELLS / 4, 5] {
        for scheme in ["Theta(theta: 0.5)", "Explicit()"] {
            let integrator = format!("integrator={scheme}");
            let (bar, _) = if scheme.starts_with('E') { swing(&[HELD, &integrator], 0) } else { (bar.clone(), 0.0) };
            let (ring, energy) = swing(&[RING, &integrator], shift);
            let mut worst = 0.0_f64;
            for (ring, bar) in ring.iter().zip(&bar) {
                assert_eq!(ring[0].to_bits(), ring[CELLS].to_bits(), "tied nodes move alike");
                for i in 0..CELLS {
                    worst = worst.max((ring[i] - bar[(i + CELLS - shift) % CELLS]).abs());
                }
            }
            show(&format!("{scheme}, cut {shift} cells from a knot: {worst:.2e}, energy {energy:.2e}"));
            assert!(worst < 1e-10, "{scheme}, shift {shift}: {worst:e}");
            // θ = ½ keeps the energy of a linear body.
            assert!(scheme.starts_with('E') || energy < 1e-12, "{energy:e}");
        }
    }
    // After a period L/c the wave is back; 32 cells and 160 steps a wave are slower by (π/32)²/6 + (π/160)²/3 of 2π at most.
    let (ring, _) = swing(&[RING], 5);
    let last = ring.last().unwrap();
    let off = (0..CELLS).map(|i| (last[i] - (TAU * (i as f64 - 5.0) / CELLS as f64).sin()).abs()).fold(0.0, f64::max);
    assert!(off < 0.012, "{off}");
}

const CELL: &str = r#"(
    title: "A periodic cell on a floor",
    kinematics: SmallStrain,
    materials: [(name: "m", density: 1000.0, law: KelvinVoigt(young: 1e6, poisson: 0.3))],
    bodies: [(name: "cell", mesh: Rectangle(corner: (0, 0), size: (1, 1), cells: (4, 4)), material: "m", velocity: (0, -0.5))],
    obstacles: [(name: "floor", shape: HalfPlane(point: (0, 0), normal: (0, 1)))],
    contacts: [(name: "sole", candidates: (body: "cell", group: "bottom"), antagonists: Obstacle("floor"),
        law: SignoriniCoulomb(friction: 0.2))],
    loads: [Gravity(acceleration: (0, -10))],
    integrator: Theta(theta: 0.5),
    step: 1e-3,
    duration: 0.1,
    solver: Nlgs(tolerance: 1e-12),
)"#;

const PERIODIC: &str = "ties=[(body: \"cell\", slaves: \"right\", masters: \"left\")]";

const IN_SPACE: [&str; 5] = [
    "dimension=3",
    "bodies.cell.mesh=Box(corner: (0, 0, 0), size: (1, 1, 1), cells: (3, 2, 2))",
    "bodies.cell.velocity=(0, -0.5, 0)",
    "obstacles=[(name: \"floor\", shape: HalfPlane(point: (0, 0, 0), normal: (0, 1, 0)))]",
    "loads=[Gravity(acceleration: (0, -10, 0))]",
];

/// Thrown down or put down, a periodic cell of a layer does what a cell between smooth walls does: nothing moves sideways.
#[test]
fn a_periodic_cell_falls_and_bounces_as_one_between_walls() {
    let walls = "boundary=[(body: \"cell\", group: \"left\", x: 0.0), (body: \"cell\", group: \"right\", x: 0.0)]";
    compare(&[PERIODIC], &[walls]);
    let put_down = ["start=Equilibrium", "bodies.cell.velocity=(0, 0)", "loads[0].factor=Table([(0, 1), (0.05, 3)])"];
    compare(&[&put_down[..], &[PERIODIC]].concat(), &[&put_down[..], &[walls]].concat());
}

#[test]
fn a_periodic_column_falls_and_bounces_as_one_between_walls_in_space() {
    let tied = "ties=[(body: \"cell\", slaves: \"right\", masters: \"left\"), (body: \"cell\", slaves: \"back\", masters: \"front\")]";
    let walls = "boundary=[(body: \"cell\", group: \"left\", x: 0.0), (body: \"cell\", group: \"right\", x: 0.0), \
                 (body: \"cell\", group: \"front\", z: 0.0), (body: \"cell\", group: \"back\", z: 0.0)]";
    // Tied nodes that touch pose one condition two or four times. One of them carries all, and what the others see is rounding, which
    // the certificate compares with 1e-6 of the largest velocity: law errors of 1e-16/1e-6 = 1e-10 are none.
    let solver = ["solver=Nlgs(tolerance: 1e-9)"];
    compare(&[&IN_SPACE[..], &solver, &[tied]].concat(), &[&IN_SPACE[..], &solver, &[walls]].concat());
}

fn compare(tied: &[&str], held: &[&str]) {
    let (tied, held) = (run(&load_text(CELL, tied)), run(&load_text(CELL, held)));
    for column in ["sole.force_y", "kinetic_energy", "elastic_energy"] {
        let (a, b) = (tied.column(column), held.column(column));
        let size = b.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let off = a.iter().zip(&b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / size;
        show(&format!("{column}: {off:.2e}"));
        // The solver's 1e-12 over 100 steps; 1e-9 in space, of which rounding is left only.
        assert!(off < 1e-9, "{column}: {off:e}");
    }
}

#[test]
fn the_ledger_closes_with_ties_contact_and_friction() {
    for scheme in ["Theta(theta: 0.5)", "ModifiedTheta(theta: 0.55)", "ThetaEuler(theta: 0.6)", "Explicit()"] {
        let scheme = format!("integrator={scheme}");
        let run = run(&load_text(CELL, &[PERIODIC, &scheme, "step=1e-4", "bodies.cell.velocity=(1, -0.5)"]));
        let residual = run.largest("energy_residual");
        show(&format!("{scheme}: {residual:.2e}, friction {:.2e}", run.last("friction_dissipation")));
        assert!(residual < 1e-11, "{scheme}: {residual:e}");
        assert!(run.last("friction_dissipation") > 1.0, "it slides");
    }
}

/// w = E (Eᵀ M̂ E)⁻¹ Eᵀ: applied and condensed it is the same symmetric matrix, whose columns satisfy the ties and solve
/// Eᵀ M̂ w f = Eᵀ f.
#[test]
fn w_applied_and_condensed_satisfies_the_ties() {
    let both = "ties=[(body: \"cell\", slaves: \"right\", masters: \"left\"), (body: \"cell\", slaves: \"top\", masters: \"bottom\", components: [Y])]";
    let model = load_text(CELL, &[both, "bodies.cell.mass=Consistent"]).model::<2>().unwrap();
    let system: &dyn System = &*model.bodies[0].body;
    let coefficients = Coefficients { damping: 0.0, stiffness: 1e-4 };
    let mut operator = Operator::new(system, coefficients).unwrap();
    let n = system.n_dof();
    let mut condensed = operator.condensed(2, &(0..n / 2).collect::<Vec<_>>());
    condensed.expose_all(operator.factor()).unwrap();
    let matrix = combine(system.matrices(), coefficients, system.matrices().stiffness.values());
    let mut columns: Vec<Vec<f64>> = Vec::new();
    for j in 0..n {
        let mut column = vec![0.0; n];
        column[j] = 1.0;
        operator.apply(&mut column);
        assert!(system.tied().iter().all(|&(s, m)| column[s].to_bits() == column[m].to_bits()));
        let mut back = vec![0.0; n];
        symmetric_times_into(system.matrices().pattern(), &matrix, &column, &mut back);
        ties::gather(system.tied(), &mut back);
        let at = ties::master_of(system.tied(), j);
        for (i, b) in back.iter().enumerate() {
            // Masses and stiffnesses of a few hundred, condition below 1e3.
            assert!((b - f64::from(u8::from(i == at))).abs() < 1e-11, "({i}, {j}): {b:e}");
        }
        columns.push(column);
    }
    let size = columns.iter().flatten().fold(0.0_f64, |m, x| m.max(x.abs()));
    for i in 0..n {
        for j in 0..n {
            assert!((columns[i][j] - columns[j][i]).abs() < 1e-13 * size);
            assert!((condensed.entry(i, j).unwrap() - columns[j][i]).abs() < 1e-13 * size, "({i}, {j})");
        }
    }
}

#[test]
fn threads_and_memory_change_no_bit() {
    let hash = |threads: usize, memory: &str| {
        let (summary, _folder) = try_run(&load_text(CELL, &[PERIODIC, memory]), Some(threads));
        summary.unwrap().state_hash
    };
    let first = hash(1, "memory=1e9");
    for (threads, memory) in [(1, "memory=1e9"), (2, "memory=1e9"), (2, "memory=1e6")] {
        assert_eq!(hash(threads, memory), first, "{threads} threads, {memory}");
    }
}

/// A periodic cell of a flowing layer, sheared far with its geometry moving along: the shear is uniform, u_x = V t y/H, u_y = 0. Newton's
/// iteration must not take the forces between tied nodes for an imbalance. ωh = 300 or more: what the start shook up is gone at once.
#[test]
fn a_periodic_layer_shears_uniformly_far_beyond_small_strains() {
    let case = r#"(
        title: "A sheared layer",
        kinematics: SmallStrain,
        materials: [(name: "m", density: 1.0, law: Maxwell(young: 1e6, poisson: 0.25, viscosity: 1e6))],
        bodies: [(name: "cell", mesh: Rectangle(corner: (0, 0), size: (1, 1), cells: (3, 4)), material: "m",
            kinematics: UpdatedGeometry(rate: GreenNaghdi))],
        boundary: [(body: "cell", group: "bottom", x: 0.0, y: 0.0), (body: "cell", group: "top", x: 0.5, y: 0.0)],
        ties: [(body: "cell", slaves: "right", masters: "left")],
        integrator: Theta(theta: 1.0),
        step: 0.1,
        duration: 2.0,
    )"#;
    let model = load_text(case, &[]).model::<2>().unwrap();
    let mut engine = Engine::new(&model).unwrap();
    let mut from = model.start();
    let mut turns = 0;
    for _ in 0..model.n_steps {
        let outcome = step(&mut engine, &mut Timings::default(), &from, model.h).unwrap();
        assert!(outcome.balancing.is_balanced(), "{}", outcome.description());
        turns += outcome.balancing.iterations;
        from = outcome.snapshot;
    }
    let mut worst = 0.0_f64;
    for (node, x) in model.bodies[0].body.mesh().points.iter().enumerate() {
        let q = &from.states[0].q[2 * node..2 * node + 2];
        worst = worst.max((q[0] - x[1]).abs()).max(q[1].abs());
    }
    show(&format!("sheared layer: {worst:.2e} off after a shear of 1, {turns} iterations in {} steps", model.n_steps));
    assert!(worst < 1e-7, "{worst:e}");
}

#[test]
fn what_cannot_be_tied_is_said() {
    let right_to_left = "(body: \"cell\", slaves: \"right\", masters: \"left\")";
    for (settings, words) in [
        (
            vec![format!("ties=[{right_to_left}, (body: \"cell\", slaves: \"left\", masters: \"right\")]")],
            "is tied to itself",
        ),
        (vec!["ties=[(body: \"cell\", slaves: \"right\", masters: \"top\")]".into()], "has no partner"),
        (
            vec!["ties=[(body: \"cell\", slaves: \"right\", masters: \"left\", translation: (0.9, 0))]".into()],
            "nearest node is 9.9",
        ),
        (
            vec![PERIODIC.into(), "boundary=[(body: \"cell\", group: \"left\", x: 0.0)]".into()],
            "prescribe both in the same way, or neither",
        ),
        (vec![PERIODIC.into(), "bodies.cell.spin=1".into()], "start with different velocities"),
        (vec![PERIODIC.into(), "integrator=Newmark(gamma: 0.5, beta: 0.25)".into()], "cannot be used with ties"),
        (vec!["ties=[(body: \"cell\", slaves: \"rigt\", masters: \"left\")]".into()], "did you mean `right`?"),
        (vec!["ties=[(body: \"sell\", slaves: \"right\", masters: \"left\")]".into()], "sell"),
        (
            vec!["ties=[(body: \"cell\", slaves: \"right\", masters: \"left\", components: [Z])]".into()],
            "no such direction",
        ),
    ] {
        let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
        let text = load_text(CELL, &settings).model::<2>().map(|_| ()).unwrap_err().to_string();
        assert!(text.contains(words), "{settings:?}: {text}");
    }
    // Prescribed alike on both sides is no contradiction, and corners tied twice follow one node.
    let alike = "boundary=[(body: \"cell\", group: \"left\", y: 0.0), (body: \"cell\", group: \"right\", y: 0.0)]";
    load_text(CELL, &[PERIODIC, alike, "bodies.cell.velocity=(0, 0)"]).model::<2>().unwrap();
    let both = format!("ties=[{right_to_left}, (body: \"cell\", slaves: \"top\", masters: \"bottom\")]");
    let model = load_text(CELL, &[&both]).model::<2>().unwrap();
    let mesh = model.bodies[0].body.mesh();
    let node = |name: &str| mesh.group_nodes(mesh.group(name).unwrap())[0];
    let ties = model.bodies[0].body.tied();
    for corner in ["bottom_right", "top_right", "top_left"] {
        for i in 0..2 {
            assert!(ties.contains(&(2 * node(corner) + i, 2 * node("bottom_left") + i)), "{corner}");
        }
    }
    assert_eq!(ties.len(), 2 * (5 + 5 - 1));
}
