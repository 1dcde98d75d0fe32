//! A stiff block meets rigid obstacles of every shape that move and turn.
//!
//! Reference: Coulomb's law. While an obstacle's surface slides under the block all the time, friction is μ times the normal
//! force in the direction of the surface, so the impulses are in the same ratio and the block ends with
//!
//! ```text
//! Δv_x / Δv_y = ± μ          (the mass cancels)
//! ```
//!
//! Goal: every shape of obstacle works from the case file on, translation and rotation carry the block along as friction says,
//! law, ledger and penetration hold.
//!
//! ```text
//!      +------+  | 2 m/s        block 0.2 m x 0.1 m, 6 x 3 Q4, centred at the origin
//!      |      |  v
//!      +------+
//!      .-""""-.                 roller of radius 0.29 m, its top 10 mm below the block, turning at ω
//! ```
//!
//! Parameters: E = 1e9 Pa, ν = 0.3, ρ = 1000 kg/m³, μ = 0.4, h = 5e-6 s.
//! Tolerances: 1e-8 on a flat face (the solver's 1e-10, a hundred steps); 1 % on the roller, whose normal turns by up to 0.3° as the
//! contact moves.

use verification::{Run, load_text, run, show};

const CASE: &str = r#"(
    title: "A block meets an obstacle",
    kinematics: SmallStrain,
    materials: [(name: "hard", density: 1000.0, law: KelvinVoigt(young: 1e9, poisson: 0.3))],
    bodies: [(
        name: "block",
        mesh: Rectangle(corner: (-0.1, -0.05), size: (0.2, 0.1), cells: (6, 3)),
        material: "hard",
        velocity: (0.0, -2.0),
    )],
    obstacles: [(name: "it", shape: Circle(centre: (0.0, -0.341), radius: 0.29))],
    contacts: [(
        name: "touch",
        candidates: (body: "block", group: "boundary"),
        antagonists: Obstacle("it"),
        law: SignoriniCoulomb(friction: 0.4),
    )],
    integrator: ModifiedTheta(theta: 0.55),
    step: 5e-6,
    duration: 2e-3,
    probes: [(name: "block", at: Body("block"))],
)"#;

fn meet(shape: &str, motion: &[&str]) -> Run {
    let shaped = format!("obstacles.it.shape={shape}");
    let run = run(&load_text(CASE, &[&[shaped.as_str()], motion].concat()));
    let v = &run.summary.verdict;
    show(&format!(
        "{shape}: v = ({:.4}, {:.4}) m/s, at most {} contacts, law {:.1e}, ledger {:.1e}",
        run.last("block.vx"),
        run.last("block.vy"),
        v.max_active,
        v.law_error,
        v.energy_residual
    ));
    assert!(v.max_active > 0, "{shape}: never touched");
    assert!(v.law_error <= 1e-10 && v.energy_residual < 1e-12 && v.flagged + v.too_deep == 0, "{shape}: {v:?}");
    // The law keeps the predicted gap closed; the true one is open by what the scheme allows at a first touch, h(1−θ)²V.
    assert!(v.max_penetration < 1e-12, "{shape}: {v:?}");
    run
}

/// Δv_x/Δv_y of the block.
fn ratio(run: &Run) -> f64 {
    run.last("block.vx") / (run.last("block.vy") + 2.0)
}

#[test]
fn a_turning_roller_drags_the_block() {
    for (omega, expected) in [(20.0, -0.4), (-20.0, 0.4)] {
        let spin = format!("obstacles.it.spin={omega}");
        let run = meet("Circle(centre: (0.0, -0.341), radius: 0.29)", &[&spin, "obstacles.it.pivot=(0.0, -0.341)"]);
        assert!((ratio(&run) - expected).abs() < 0.01 * 0.4, "ω = {omega}: ratio {}", ratio(&run));
        assert!(run.last("block.vy") > 0.0, "it bounces");
    }
}

#[test]
fn a_moving_table_drags_the_block_exactly() {
    for shape in [
        "Polygon(points: [(-1.0, -0.051), (1.0, -0.051), (1.0, -0.3), (-1.0, -0.3)])",
        "HalfPlane(point: (0.0, -0.051), normal: (0.0, 2.0))",
        "Segment(a: (1.0, -0.051), b: (-1.0, -0.051))",
    ] {
        let run = meet(shape, &["obstacles.it.velocity=(x: -6.0)"]);
        assert!((ratio(&run) + 0.4).abs() < 1e-8, "{shape}: ratio {}", ratio(&run));
    }
}

#[test]
fn the_same_roller_as_a_polygon_of_many_sides_differs_little() {
    let n = 720;
    let corner = |k: i32| {
        let a = std::f64::consts::TAU * (f64::from(k) + 0.5) / f64::from(n);
        format!("({:.17}, {:.17})", 0.29 * a.cos(), -0.341 + 0.29 * a.sin())
    };
    let points: Vec<String> = (0..n).map(corner).collect();
    let motion = ["obstacles.it.spin=20.0", "obstacles.it.pivot=(0.0, -0.341)"];
    let polygon = meet(&format!("Polygon(points: [{}])", points.join(", ")), &motion);
    let circle = meet("Circle(centre: (0.0, -0.341), radius: 0.29)", &motion);
    for column in ["block.vx", "block.vy"] {
        let (a, b) = (polygon.last(column), circle.last(column));
        // The sides are 2.5 mm long: the face is 2.8 µm below the circle and its normal up to 0.25° off.
        assert!((a - b).abs() < 0.02 * b.abs(), "{column}: {a} and {b}");
    }
}

#[test]
fn containers_hold_the_block() {
    let lasting = "duration=2e-2";
    let hole = meet("Hole(centre: (0.0, 0.0), radius: 0.13)", &["obstacles.it.spin=5.0", lasting]);
    let corners = "[(-0.12, -0.06), (0.12, -0.06), (0.12, 0.06), (-0.12, 0.06)]";
    let container = meet(&format!("Container(points: {corners})"), &["obstacles.it.velocity=(x: 1.0)", lasting]);
    // Room below until the corners meet the wall: √(0.13² − 0.1²) − 0.05 = 33.07 mm in the hole, 10 mm in the box; 1 mm more for
    // what the block gives way. Without walls it would have gone 2 m/s · 20 ms = 40 mm down.
    for (run, room) in [(hole, 33.07e-3), (container, 10e-3)] {
        assert!(run.largest("block.uy") < room + 1e-3, "{}", run.largest("block.uy"));
    }
}
