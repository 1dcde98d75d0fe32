//! How far bodies of small strains turn: what the run measures.
//!
//! Reference: in linear kinematics a free body that spins moves along straight lines, u = ω t n × (X − C), without stress. Its deformation
//! gradient is F = I + ω t [n], the same everywhere, so every cell and the body as a whole have turned by φ = atan(ω t), and lengths across
//! the axis have grown by 1/cos φ.
//!
//! Goal: the columns `body_rotation` and `cell_rotation` are that angle, in the plane and in space, for every scheme and up to large angles;
//! they are those of the body that turns most; they are there from the first state on, and absent where the geometry moves along.
//!
//! ```text
//!    +---+---+---+
//!    |   |   |   |  ω        3 m x 2 m (x 1 m), away from the origin; in space about an axis aslant
//!    +---+---+---+
//! ```
//!
//! Tolerance: 1e-14 rad, a hundred roundings of an angle of 0.1; 1e-11 up to gradients of 8, of velocities of 1e4 m/s; 1 % for a beam, which has no shear.

use std::sync::Arc;

use delassus_case::lower::Generate;
use delassus_run::judgement::Word;
use delassus_sim::engine::Engine;
use delassus_sim::model::Model;
use delassus_sim::space::Dimension;
use delassus_sim::step::step;
use delassus_sim::timings::Timings;
use verification::{SCHEMES, load_text, run, show};

const CASE: &str = r#"(
    title: "A body spins",
    kinematics: SmallStrain,
    materials: [(name: "m", density: 1000.0, law: KelvinVoigt(young: 1e8, poisson: 0.3))],
    bodies: [
        (name: "block", mesh: Rectangle(corner: (-1.0, 5.0), size: (3.0, 2.0), cells: (3, 2)), material: "m", spin: 4.0, velocity: (1, 2)),
        (name: "slow", mesh: Rectangle(corner: (-1.0, 15.0), size: (3.0, 2.0), cells: (3, 2), element: Triangle3), material: "m", spin: -2.0),
    ],
    integrator: Theta(theta: 0.5),
    step: 2e-4,
    duration: 2e-2,
)"#;

const SPACE: [&str; 2] = [
    "dimension=3",
    "bodies=[(name: \"block\", mesh: Box(corner: (-1, 5, 2), size: (3, 2, 1), cells: (3, 2, 1)), material: \"m\", \
     spin: 4.0, spin_axis: (1, -2, 2)), (name: \"slow\", mesh: Box(corner: (-1, 15, 2), size: (3, 2, 1), cells: (1, 1, 1), \
     element: Tetrahedron4), material: \"m\", spin: 2.0, spin_axis: (0, 1, 0))]",
];

#[test]
fn columns_are_the_angle_of_a_spinning_body() {
    for scheme in SCHEMES {
        for space in [&[][..], &SPACE] {
            let integrator = format!("integrator={scheme}");
            let run = run(&load_text(CASE, &[space, &[&integrator]].concat()));
            let exact = run.column("time").iter().map(|t| (4.0 * t).atan()).collect::<Vec<_>>();
            let [body, cell] =
                ["body_rotation", "cell_rotation"].map(|c| verification::distance(&run.column(c), &exact));
            show(&format!("spin, {scheme:32} {}D: {body:.1e} {cell:.1e} rad off", 2 + space.len() / SPACE.len()));
            assert!(exact.len() == 101 && exact[100] > 0.0798, "{}", exact[100]);
            assert!(body < 1e-14 && cell < 1e-14, "{scheme}: {body:e} {cell:e}");
        }
    }
}

/// Velocities that no case is allowed, step by step: every body is told apart, up to angles near a right one.
fn turns_far<const D: usize>(mut model: Arc<Model<D>>)
where
    Dimension<D>: Generate<D>,
{
    for body in &mut Arc::get_mut(&mut model).unwrap().bodies {
        body.initial_velocity.iter_mut().for_each(|v| *v *= 500.0);
    }
    let mut engine = Engine::new(&model).unwrap();
    let mut snapshot = engine.start().unwrap();
    for _ in 0..20 {
        let outcome = step(&mut engine, &mut Timings::default(), &snapshot, 2e-4).unwrap();
        snapshot = outcome.snapshot;
        for (rotation, spin) in outcome.rotations.iter().zip([2000.0, 1000.0]) {
            let (rotation, exact) = (rotation.unwrap(), (spin * snapshot.time()).atan());
            let off = [rotation.mean - exact, rotation.largest - exact];
            // strains of rounding, beside a gradient of up to 8
            assert!(off.iter().all(|x| x.abs() < 1e-11), "{exact}: {off:?}");
        }
    }
    let most = degrees(&model, &snapshot);
    show(&format!("spin far, {D}D: {most:?} degrees"));
    assert!((most[0] - 82.9).abs() < 0.1 && (most[1] - 76.0).abs() < 0.1, "{most:?}");
}

fn degrees<const D: usize>(model: &Model<D>, snapshot: &delassus_sim::snapshot::Snapshot) -> Vec<f64> {
    model.rotations(&snapshot.states).iter().flatten().map(|r| r.mean.to_degrees()).collect()
}

#[test]
fn large_angles_are_measured_too() {
    turns_far::<2>(load_text(CASE, &[]).model().unwrap());
    turns_far::<3>(load_text(CASE, &SPACE).model().unwrap());
}

/// A cantilever that starts from its equilibrium under a load is bent at t = 0, and does not turn from there.
#[test]
fn the_first_row_has_the_rotation_of_the_equilibrium() {
    let bent = [
        "bodies=[(name: \"block\", mesh: Rectangle(corner: (0, 0), size: (3, 0.5), cells: (12, 2)), material: \"m\", \
         formulation: IncompatibleModes)]",
        "boundary=[(body: \"block\", group: \"left\", x: 0.0, y: 0.0)]",
        "loads=[Traction(body: \"block\", group: \"right\", traction: (0, 2e4))]",
        "start=Equilibrium",
        "step=1e-3",
    ];
    let run = run(&load_text(CASE, &bent));
    let (body, cell) = (run.column("body_rotation"), run.column("cell_rotation"));
    // Slope of the tip, F L²/(2 E I) with E/(1 − ν²), and its mean F L²/(3 E I).
    let slope = 2e4 * 0.5 * 9.0 / (1e8 / 0.91 * 0.125 / 12.0);
    show(&format!(
        "bent: mean {:.3e} (beam {:.3e}), largest {:.3e} (beam {:.3e})",
        body[0],
        slope / 3.0,
        cell[0],
        slope / 2.0
    ));
    assert!((body[0] / (slope / 3.0) - 1.0).abs() < 0.01 && (cell[0] / (slope / 2.0) - 1.0).abs() < 0.01);
    let moved = |c: &[f64]| c.iter().map(|x| (x / c[0] - 1.0).abs()).fold(0.0, f64::max);
    assert!(moved(&body) < 1e-9 && moved(&cell) < 1e-9, "{:e} {:e}", moved(&body), moved(&cell));
}

#[test]
fn geometry_that_moves_along_has_no_such_columns() {
    let maxwell = ["materials.m.law=Maxwell(young: 1e8, poisson: 0.3)", "bodies.block.spin=0", "bodies.slow.spin=0"];
    let moving = ["bodies.block.kinematics=UpdatedGeometry()", "bodies.slow.kinematics=UpdatedGeometry()"];
    let load = "loads=[Gravity(acceleration: (0, -9.81))]";
    for (settings, told) in [(&moving[..0], true), (&moving[..1], true), (&moving[..], false)] {
        let run = run(&load_text(CASE, &[&maxwell[..], settings, &["duration=1e-3", load]].concat()));
        let names = run.summary.history.names();
        assert_eq!(names.iter().any(|n| n == "body_rotation"), told, "{settings:?}");
        assert_eq!(names.iter().any(|n| n == "cell_rotation"), told, "{settings:?}");
        assert_eq!(names.iter().any(|n| n == "cell_strain"), told, "{settings:?}");
    }
    // A check of a case may name them, where they are there.
    let check = |kinematics: &[&str]| {
        let named = "verify=(checks: [(name: \"still\", measure: MaxAbs(column: \"body_rotation\"), expected: 0, tolerance: 1e-9)])";
        load_text(CASE, &[&maxwell[..], kinematics, &[named]].concat()).model::<2>().map(|_| ())
    };
    assert!(check(&[]).is_ok());
    assert!(check(&moving).unwrap_err().to_string().contains("no column of history.csv"));
}

/// A bar of one cell, pulled by its ends: the strain is what they were moved by over its length, and half of that length is too much for small strains.
#[test]
fn strains_of_a_pulled_bar_are_told_and_doubted() {
    let pulled = |speed: &str| {
        [
            "materials.m.law=KelvinVoigt(young: 1e8, poisson: 0)".to_owned(),
            "bodies=[(name: \"block\", mesh: Rectangle(corner: (0, 0), size: (2, 1), cells: (1, 1)), material: \"m\")]"
                .to_owned(),
            format!(
                "boundary=[(body: \"block\", group: \"left\", x: 0.0), (body: \"block\", group: \"right\", x: {speed}), \
                 (body: \"block\", group: \"bottom\", y: 0.0)]"
            ),
        ]
    };
    for (speed, largest, word) in [("5.0", 0.05, Word::Pass), ("-60.0", 0.6, Word::Doubtful)] {
        let settings = pulled(speed);
        let run = run(&load_text(CASE, &settings.each_ref().map(String::as_str)));
        let exact: Vec<f64> = run.column("time").iter().map(|t| largest * t / 2e-2).collect();
        let off = verification::distance(&run.column("cell_strain"), &exact);
        show(&format!("pulled: strain {largest} off by {off:.1e}"));
        // Sums of a hundred steps of displacements of the size of the strain.
        assert!(off < 1e-13 * largest, "{off:e}");
        assert_eq!(run.summary.judgement.word, word, "{:?}", run.summary.judgement);
    }
}
