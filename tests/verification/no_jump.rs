//! Nodes slide across the ends of segments and around a corner under friction: impulses do not jump by more than the surface bends.
//!
//! Reference: equilibrium. A tip dragged along x and pressed down by F has f_y = F, and while it slides on a face of slope α (down,
//! seen along its way), friction gives
//!
//! ```text
//! f_x = F tan(α − φ) ,   tan φ = μ        df_x = F (1 + f_x²/F²) dα
//! ```
//!
//! so a bend of the surface turns the reaction by the same angle, and changes nothing else. That gaps and normals themselves have no
//! jumps but those of the bends is shown by the detection's own tests (`sliding`); here it is the impulses.
//!
//! Goal: collinear segments act as one plane; a polygon tends to the circle around it; behind a corner the reaction is at once that of the new
//! face; on an elastic slab a change at a crossing is the fold's, and the forces of a punch are continuous.
//!
//! ```text
//!     | F
//!    / \     tip: one Q4 on its corner, side 0.1 m, three corners moved at 0.1 m/s along x, the lowest one touches
//!    \ /  ->
//!  ___v______
//! ```
//!
//! Parameters: E = 1e9 Pa, ν = 0.3, ρ = 1e-3 kg/m³ (no inertia to speak of: a bend of 40° asks for 1e-7 of F h), F = 1000 N, μ = 0.3,
//! implicit Euler, h = 10 ms: the tip moves 1 mm a step and yields by 2 µm.
//!
//! Tolerances: beside each check.

use delassus_case::Loaded;
use delassus_contact::Map;
use delassus_sim::engine::Engine;
use delassus_sim::step::{Touch, step};
use delassus_sim::timings::Timings;
use nalgebra::Vector2;
use verification::{SCHEMES, fitted_order, load_text, show};

const TIP: &str = r#"(
    title: "A tip dragged over a surface",
    kinematics: SmallStrain,
    materials: [(name: "m", density: 1e-3, law: KelvinVoigt(young: 1e9, poisson: 0.3))],
    bodies: [
        (
            name: "tip",
            mesh: Rectangle(corner: (0.0, 0.0), size: (0.1, 0.1), cells: (1, 1)),
            material: "m",
            rotation: 45.0,
        ),
    ],
    obstacles: [(name: "it", shape: HalfPlane(point: (0.0, 0.0), normal: (0.0, 1.0)))],
    contacts: [(
        name: "touch",
        candidates: (body: "tip", group: "bottom_left"),
        antagonists: Obstacle("it"),
        law: SignoriniCoulomb(friction: 0.3),
    )],
    loads: [NodalForce(body: "tip", group: "top_right", force: (0.0, -1000.0))],
    boundary: [
        (body: "tip", group: "bottom_right", x: 0.1),
        (body: "tip", group: "top_right", x: 0.1),
        (body: "tip", group: "top_left", x: 0.1),
    ],
    integrator: Theta(theta: 1.0),
    step: 1e-2,
    duration: 4.0,
    solver: Nlgs(tolerance: 1e-13, max_iterations: 10000),
)"#;

/// On an elastic slab of 20 x 4 cells, 1 m x 0.2 m, held at its bottom.
const SLAB: &[&str] = &[
    "bodies=[
        (name: \"tip\", mesh: Rectangle(corner: (0.0, 0.0), size: (0.1, 0.1), cells: (1, 1)), material: \"m\", rotation: 45.0,
            translation: (0.33, 0.0)),
        (name: \"slab\", mesh: Rectangle(corner: (0.0, -0.2), size: (1.0, 0.2), cells: (20, 4)), material: \"m\"),
    ]",
    "boundary=[
        (body: \"tip\", group: \"bottom_right\", x: 0.1),
        (body: \"tip\", group: \"top_right\", x: 0.1),
        (body: \"tip\", group: \"top_left\", x: 0.1),
        (body: \"slab\", group: \"bottom\", x: 0.0, y: 0.0),
    ]",
    "contacts.touch.antagonists=Surface(body: \"slab\", group: \"top\")",
    "duration=3.0",
];

/// A flat punch of 4 x 2 cells, 0.2 m x 0.1 m, in place of the tip.
const PUNCH: &[&str] = &[
    "bodies.tip.mesh=Rectangle(corner: (0.0, 0.0), size: (0.2, 0.1), cells: (4, 2))",
    "bodies.tip.rotation=0.0",
    "contacts.touch.candidates=(body: \"tip\", group: \"bottom\")",
    "loads=[Pressure(body: \"tip\", group: \"top\", pressure: 5e3)]",
];

/// The force F on the tip \[N\].
const FORCE: f64 = 1000.0;
/// Coulomb's coefficient.
const FRICTION: f64 = 0.3;

/// One contact in one step.
#[derive(Clone, Debug)]
struct Moment {
    /// Where the node was as the step saw it \[m\].
    point: Vector2<f64>,
    normal: Vector2<f64>,
    /// Force on the node \[N\].
    force: Vector2<f64>,
    /// First node of the segment.
    segment: usize,
}

impl Moment {
    fn of(touch: &Touch<2>, h: f64) -> Self {
        let segment = match &touch.contact.sides[1].map {
            Map::Nodes(weights) => weights.iter().map(|w| w.0).min().unwrap(),
            Map::Fixed | Map::Arm { .. } => 0,
        };
        let force = touch.contact.frame * touch.impulse / h;
        Self { point: touch.contact.point, normal: touch.contact.normal(), force, segment }
    }
}

/// Every contact in every step.
fn drag(loaded: &Loaded) -> Vec<Vec<Moment>> {
    let model = loaded.model::<2>().unwrap();
    let mut engine = Engine::new(&model).unwrap();
    let mut timings = Timings::default();
    let mut from = model.start();
    let mut story = Vec::with_capacity(model.n_steps);
    for i in 0..model.n_steps {
        let outcome = step(&mut engine, &mut timings, &from, model.h).unwrap();
        assert!(outcome.is_accepted(model.solver_options.tolerance), "step {i}: {}", outcome.description());
        story.push(outcome.touches.iter().map(|t| Moment::of(t, model.h)).collect());
        from = outcome.snapshot;
    }
    story
}

/// The tip over a rigid shape.
fn over(shape: &str, more: &[&str]) -> Vec<Vec<Moment>> {
    let shaped = format!("obstacles.it.shape={shape}");
    drag(&load_text(TIP, &[&[shaped.as_str()], more].concat()))
}

fn polygon(points: impl Iterator<Item = [f64; 2]>) -> String {
    let points: Vec<String> = points.map(|[x, y]| format!("({x:.17}, {y:.17})")).collect();
    format!("Polygon(points: [{}])", points.join(", "))
}

/// Fast and heavy enough for every scheme to be itself: ωh is about 1, not 1e5. The tip moves 1 mm a step as before.
const LIVELY: &[&str] = &["materials.m.density=1e3", "step=1e-4", "duration=1.5e-2"];

#[test]
fn collinear_segments_are_a_plane() {
    let moved = |groups: &[&str]| {
        let entries: Vec<String> = groups.iter().map(|g| format!("(body: \"tip\", group: \"{g}\", x: 10.0)")).collect();
        format!("boundary=[{}]", entries.join(", "))
    };
    let (by_corners, by_top) = (moved(&["bottom_right", "top_right", "top_left"]), moved(&["top"]));
    let tip = [LIVELY, &["loads[0].force=(0.0, -1e6)", by_corners.as_str()]].concat();
    let punch = [LIVELY, PUNCH, &["loads[0].pressure=5e6", by_top.as_str()]].concat();
    // On the level both are exact. On the slope the corners of the pieces are rounded to 1e-16 m: 1e-12 m/s in a step, and 1e-13 of
    // the impulse that stops 10 m/s, in each of 150 steps that do not forget (θ = ½).
    for (slope, tolerance) in [(0.0_f64, 1e-12), (-12.0, 2e-11)] {
        let mut worst: f64 = 0.0;
        let (sin, cos) = slope.to_radians().sin_cos();
        let plane = format!("HalfPlane(point: (0.0, 0.0), normal: ({:.17}, {cos:.17}))", -sin);
        // Pieces of 43.7 mm: the nodes of the punch, 50 mm apart, cross their ends at different times.
        let line = (0..40).map(|k| 1.0 - 0.0437 * f64::from(k)).map(|s| [s * cos, s * sin]);
        let pieces = polygon(line.chain([[-1.0, -1.0], [1.0, -1.0]]));
        for scheme in SCHEMES {
            let integrator = format!("integrator={scheme}");
            for (name, body) in [("tip", &tip), ("punch", &punch)] {
                let settings = [&body[..], &[integrator.as_str()]].concat();
                let (a, b) = (over(&plane, &settings), over(&pieces, &settings));
                let pairs = || a.iter().flatten().zip(b.iter().flatten());
                // Half of the candidates' steps at least with a force, over 150 mm: three ends or more of pieces.
                let acting = pairs().filter(|(a, _)| a.force.norm() > 0.0).count();
                assert!(
                    a.len() == b.len() && 2 * acting >= pairs().count() && acting >= 75,
                    "{name}, {scheme}: {acting}"
                );
                let scale = a.iter().flatten().map(|m| m.force.norm()).fold(FORCE, f64::max);
                let force = pairs().map(|(a, b)| (a.force - b.force).norm()).fold(0.0, f64::max) / scale;
                let place = pairs().map(|(a, b)| (a.point - b.point).norm()).fold(0.0, f64::max);
                assert!(force < tolerance && place < tolerance, "{name}, {scheme}, {slope}°: {force:e}, {place:e} m");
                worst = worst.max(force).max(place);
            }
        }
        show(&format!("no jump: collinear segments and a half-plane of {slope}° differ by {worst:.1e}"));
    }
}

#[test]
fn a_polygon_tends_to_its_circle() {
    let above = ["bodies.tip.translation=(0.0, -0.0202)"];
    let circle = over("Circle(centre: (0.2, -1.0), radius: 1.0)", &above);
    let sides = [90, 180, 360, 720];
    let (mut forces, mut heights) = (Vec::new(), Vec::new());
    for n in sides {
        let corner = |k: i32| std::f64::consts::TAU * (f64::from(k) + 0.3) / f64::from(n);
        let found = over(&polygon((0..n).map(corner).map(|a| [0.2 + a.cos(), -1.0 + a.sin()])), &above);
        // The first steps land.
        let pairs = || circle.iter().flatten().zip(found.iter().flatten()).skip(3);
        let force = pairs().map(|(a, b)| (a.force - b.force).norm()).fold(0.0, f64::max) / FORCE;
        let height = pairs().map(|(a, b)| (a.point[1] - b.point[1]).abs()).fold(0.0, f64::max);
        let (half, steepest) = (std::f64::consts::PI / f64::from(n), 0.2 / 0.96_f64.sqrt());
        show(&format!(
            "no jump: polygon of {n} sides: force {force:.2e} F (half a bend {half:.2e}), height {height:.2e} m"
        ));
        // A side is off by half a bend at its ends; the reaction turns with it, most on the way up. One step more may pass before the
        // next side is seen.
        let sensitivity = 1.0 + ((steepest + FRICTION) / (1.0 - steepest * FRICTION)).powi(2);
        assert!(force < sensitivity * (half + 2e-3) * 1.05, "{n} sides: {force:e}");
        forces.push(force);
        heights.push(height);
    }
    let steps = sides.map(|n| 1.0 / f64::from(n));
    let orders = [fitted_order(&steps, &forces), fitted_order(&steps, &heights)];
    show(&format!("no jump: orders {orders:.2?} of force and height"));
    // Normals of the sides are off by O(1/n), their distance from the circle by O(1/n²).
    assert!((orders[0] - 1.0).abs() < 0.05 && (orders[1] - 2.0).abs() < 0.1, "{orders:?}");
}

#[test]
fn around_a_convex_corner() {
    for degrees in [5.0_f64, 20.0, 40.0] {
        let slope = degrees.to_radians();
        let (sin, cos) = slope.sin_cos();
        let end = [0.2 + cos, -sin];
        let story = over(&polygon([[-1.0, 0.0], [-1.0, -2.0], [end[0], -2.0], end, [0.2, 0.0]].into_iter()), &[]);
        let expected = |alpha: f64| FORCE * (alpha - FRICTION.atan()).tan();
        let past = story.iter().position(|m| m[0].point[0] > 0.2).unwrap();
        // Before the corner, and from the second step behind it on: the reaction of the face. f_x of the steps at the corner lies between
        // (and f_y is F) up to the inertia of the turn, m V tan α/h < 1e-6 F.
        for (i, m) in story.iter().enumerate().skip(3) {
            let (f, off) = (m[0].force, i.abs_diff(past));
            let tolerance = if off > 3 { 1e-10 } else { 1e-6 } * FORCE;
            let (low, high) = if i < past { (0.0, 0.0) } else { (if off > 3 { slope } else { 0.0 }, slope) };
            let inside = f[0] > expected(low) - tolerance && f[0] < expected(high) + tolerance;
            assert!(inside && (f[1] - FORCE).abs() < tolerance, "{degrees}°, step {i} (corner at {past}): {f}");
        }
        show(&format!(
            "no jump: corner of {degrees}°: f_x {:.4} N -> {:.4} N, exact {:.4} N -> {:.4} N",
            story[past - 1][0].force[0],
            story[past + 1][0].force[0],
            expected(0.0),
            expected(slope)
        ));
    }
}

/// Changes of a force from step to step.
#[derive(Clone, Copy, Debug, Default)]
struct Changes {
    crossings: usize,
    /// Largest at the crossing of a segment's end \[N\].
    crossing: f64,
    /// Largest elsewhere \[N\].
    between: f64,
    /// Largest difference from what the turn of the normal makes of the reaction, at crossings \[N\].
    beyond_fold: f64,
    /// Largest error of the sum of vertical forces, relative.
    balance: f64,
}

impl Changes {
    fn words(&self) -> String {
        format!(
            "{} crossings, change {:.3e} N there ({:.1e} N beyond the fold), {:.3e} N between; balance {:.0e}",
            self.crossings, self.crossing, self.beyond_fold, self.between, self.balance
        )
    }
}

fn changes(settings: &[&str]) -> Changes {
    let story = drag(&load_text(TIP, settings));
    let mut found = Changes::default();
    // The first sixth: landing and the onset of sliding.
    for w in story[story.len() / 6..].windows(2) {
        let total: f64 = w[1].iter().map(|m| m.force[1]).sum();
        found.balance = found.balance.max((total / FORCE - 1.0).abs());
        for (a, b) in w[0].iter().zip(&w[1]) {
            let change = (b.force - a.force).norm();
            if a.segment == b.segment {
                found.between = found.between.max(change);
            } else {
                let turn = a.normal.perp(&b.normal).abs();
                let fold = a.force.norm_squared() / a.force[1] * turn;
                found.crossings += 1;
                found.crossing = found.crossing.max(change);
                found.beyond_fold = found.beyond_fold.max((change - fold).abs());
            }
        }
    }
    found
}

const STEPS: [f64; 3] = [1e-2, 5e-3, 2.5e-3];

#[test]
fn a_tip_on_a_slab_feels_the_folds_only() {
    for h in STEPS {
        let c = changes(&[SLAB, &[format!("step={h:e}").as_str()]].concat());
        show(&format!("no jump: tip on a slab, h = {h}: {}", c.words()));
        assert_eq!(c.crossings, 5, "{c:?}");
        // The slab sinks most under a node: a fold, across which the normal turns by 5e-5.
        assert!(c.crossing < 1e-4 * FORCE, "{c:?}");
        // f_x is a function of the slope alone: what is left is of second order in it.
        assert!(c.beyond_fold < 1e-4 * c.crossing, "{c:?}");
        assert!(c.balance < 1e-9, "{c:?}");
    }
}

#[test]
fn forces_of_a_punch_on_a_slab_are_continuous() {
    let boundary =
        "boundary=[(body: \"tip\", group: \"top\", x: 0.1), (body: \"slab\", group: \"bottom\", x: 0.0, y: 0.0)]";
    let found = STEPS.map(|h| {
        let c = changes(&[SLAB, PUNCH, &[boundary, format!("step={h:e}").as_str()]].concat());
        show(&format!("no jump: punch on a slab, h = {h}: {}", c.words()));
        assert!(c.crossings >= 20 && c.balance < 1e-9, "{c:?}");
        // In the step that crosses, the old segment goes on straight on beyond its end: about twice the usual change.
        assert!(c.crossing < 2.5 * c.between, "{c:?}");
        c
    });
    // A jump would not depend on h.
    let order = fitted_order(&STEPS, &found.map(|c| c.crossing));
    show(&format!("no jump: the change at crossings goes with h to the power {order:.3}"));
    assert!((order - 1.0).abs() < 0.05, "{order}");
}
