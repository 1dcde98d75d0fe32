//! Grains: measures against packings whose forces are known, and penetrations against places that are given.

use std::f64::consts::PI;

use delassus_sim::engine::Engine;
use delassus_sim::granular::{grain_columns, grain_measures, stress_of_grains};
use delassus_sim::model::GrainGroup;
use delassus_sim::outcome::Outcome;
use delassus_sim::surfaces::{Entered, SurfaceFindings};

use crate::rigid::{close, made, run};

const WALLS: &str = "obstacles: [(name: \"floor\", shape: HalfPlane(point: (0, 0), normal: (0, 1))), \
    (name: \"left\", shape: HalfPlane(point: (0, 0), normal: (1, 0))), (name: \"right\", shape: HalfPlane(point: (3, 0), normal: (-1, 0)))]";

/// Disks of radius ½ at these places between walls at x = 0 and 3, on a floor at y = 0, under a plate at `top` that carries 6 N; all 2 m thick, without gravity and friction.
fn pressed(places: &[[f64; 2]], top: f64) -> String {
    let disk = |(k, p): (usize, &[f64; 2])| {
        format!(
            "(name: \"d{k}\", mesh: Round(centre: ({:?}, {:?}), radius: 0.5), inertia: (density: 1.0), section: PlaneStrain(thickness: 2.0)), ",
            p[0], p[1]
        )
    };
    let disks: String = places.iter().enumerate().map(disk).collect();
    let plate = format!(
        "(name: \"plate\", rigid: true, mesh: Rectangle(corner: (-1, {top:?}), size: (5, 0.1), cells: (1, 1)), inertia: (mass: 0.1))"
    );
    // The plate reaches through the walls, and must not touch them.
    let pair = |a: usize, to: &str, other: &str| {
        format!("(name: \"d{a}-{other}\", candidates: (body: \"d{a}\"), antagonists: {to}, law: Restitution()), ")
    };
    let body = |name: &str| format!("Surface(body: \"{name}\")");
    let mut contacts = String::new();
    for a in 0..places.len() {
        (a + 1..places.len()).for_each(|b| contacts += &pair(a, &body(&format!("d{b}")), &format!("d{b}")));
        contacts += &pair(a, &body("plate"), "plate");
        ["floor", "left", "right"].iter().for_each(|wall| contacts += &pair(a, &format!("Obstacle(\"{wall}\")"), wall));
    }
    format!(
        "step: 1e-3, bodies: [{disks}{plate}], {WALLS}, contacts: [{contacts}], motions: [(body: \"plate\", x: 0.0, spin: 0.0)], \
         loads: [Force(body: \"plate\", force: (0, -6))]"
    )
}

fn group(n: usize) -> GrainGroup {
    GrainGroup { bodies: (0..n).collect(), thickness: 2.0 }
}

fn measured(keys: &str, n: usize, wall: &str) -> (Vec<(String, f64)>, f64, [f64; 3]) {
    let model = made::<2>(keys);
    let (mut values, mut push, mut of_grains) = (Vec::new(), 0.0, [0.0; 3]);
    run(&model, 3, |_, o: &Outcome<2>| {
        values = grain_measures(&model, &o.snapshot, &o.touches, o.h, &group(n));
        let on_wall = o.touches.iter().filter(|t| model.pairs[t.contact.key.pair as usize].name.ends_with(wall));
        push = on_wall.map(|t| t.impulse[0] / o.h).sum();
        let own = stress_of_grains(&model, &o.touches, o.h);
        let sum = |k: usize| own.iter().flatten().map(|s| s[k] * PI * 0.25 * 2.0).sum::<f64>();
        of_grains = [sum(0), sum(1), sum(3)];
    });
    (grain_columns(2).into_iter().zip(values).collect(), push, of_grains)
}

fn value(values: &[(String, f64)], name: &str) -> f64 {
    values.iter().find(|(n, _)| n == name).map_or(f64::NAN, |v| v.1)
}

/// Nine disks in rows and columns: the columns carry, and every number is known. Force over area: 6 N on 3 m × 2 m.
#[test]
fn a_square_packing_under_a_plate() {
    let places: Vec<[f64; 2]> = (0..9).map(|k| [0.5 + f64::from(k % 3), 0.5 + f64::from(k / 3)]).collect();
    let (values, push, of_grains) = measured(&pressed(&places, 3.0), 9, "plate");
    close(push, 6.0, 1e-11, "force of the plate");
    for (name, exact) in [
        ("syy", -1.0),
        ("sxx", 0.0),
        ("sxy", 0.0),
        ("fabric_xx", 0.0),
        ("fabric_yy", 1.0),
        ("coordination", 2.0),
        ("void_ratio", 4.0 / PI - 1.0),
        ("slipping", 0.0),
        ("floating", 0.0),
    ] {
        close(value(&values, name), exact, 1e-11, name);
    }
    // The sine of the angle is 1 to the law error of 1e-13, of which the angle has the root.
    close(value(&values, "mobilised"), PI / 2.0, 1e-5, "mobilised");
    // V σ is the sum of V σ of the grains: of the box 3 m × 3 m × 2 m.
    close(of_grains[1], -18.0, 1e-10, "stresses of the grains");
    close(of_grains[0], 0.0, 1e-10, "stresses of the grains");
}

/// Rows of three, two and three: the middle ones push those beside them to the walls, so that the stress has two components that only the walls tell.
#[test]
fn the_stress_of_a_triangular_packing_is_that_of_its_walls() {
    let up = 0.75_f64.sqrt();
    let row = |n: u32, x: f64, y: f64| (0..n).map(move |k| [x + f64::from(k), y]).collect::<Vec<[f64; 2]>>();
    let places = [row(3, 0.5, 0.5), row(2, 1.0, 0.5 + up), row(3, 0.5, 0.5 + 2.0 * up)].concat();
    let height = 1.0 + 2.0 * up;
    let (values, push, of_grains) = measured(&pressed(&places, height), 8, "right");
    // The two middle disks carry all of it over four inclined contacts below: their thrust is half of 6 N tan 30°.
    assert!(push > 0.5, "{push}");
    close(value(&values, "syy"), -1.0, 1e-10, "syy");
    close(value(&values, "sxx"), -push / (2.0 * height), 1e-10, "sxx");
    close(of_grains[0], -push * 3.0, 1e-9, "stresses of the grains");
    // Mohr's circle: the largest and the least principal stress are its centre and its radius, whose ratio is the sine.
    let (half, shear) = (0.5 * (value(&values, "sxx") - value(&values, "syy")), value(&values, "sxy"));
    let (radius, centre) =
        ((half * half + shear * shear).sqrt(), 0.5 * (value(&values, "sxx") + value(&values, "syy")).abs());
    let along = (centre * centre - radius * radius).sqrt();
    close(value(&values, "mobilised"), delassus_math::atan2(radius, along), 1e-10, "mobilised");
}

/// A disk that rolls without sliding, one that slides without turning, and one in the air; fabric and coordination count those on the floor.
#[test]
fn rolling_is_told_from_sliding() {
    let disk = |name: &str, x: f64, y: f64, v: f64, w: f64| {
        format!(
            "(name: \"{name}\", mesh: Round(centre: ({x:?}, {y:?}), radius: 0.5), inertia: (density: 1.0), velocity: ({v:?}, 0), spin: {w:?}), "
        )
    };
    let bodies =
        disk("rolls", 0.0, 0.5, 1.0, -2.0) + &disk("slides", 5.0, 0.5, 1.0, 0.0) + &disk("flies", 9.0, 2.0, 0.0, 0.0);
    let model = made::<2>(&format!(
        "step: 1e-3, bodies: [{bodies}], obstacles: [(name: \"floor\", shape: HalfPlane(point: (0, 0), normal: (0, 1)))], \
         contacts: All(law: Restitution(friction: 0.3)), loads: [Gravity(acceleration: (0, -10))]"
    ));
    run(&model, 2, |_, o| {
        let one = GrainGroup { bodies: vec![0, 1, 2], thickness: 1.0 };
        let values: Vec<(String, f64)> =
            grain_columns(2).into_iter().zip(grain_measures(&model, &o.snapshot, &o.touches, o.h, &one)).collect();
        for (name, exact) in [
            ("rolling", 0.5),
            ("slipping", 0.5),
            ("coordination", 2.0 / 3.0),
            ("floating", 1.0 / 3.0),
            ("fabric_yy", 1.0),
        ] {
            close(value(&values, name), exact, 1e-12, name);
        }
    });
}

/// Grains of a packing have no facets: they are looked for by their radii, in each other, in solids and in obstacles.
#[test]
fn grains_that_are_moved_into_something_are_found() {
    let model = made::<3>(
        "step: 1e-3, bodies: [(name: \"g\", mesh: Packing(sizes: Counts([(count: 2, radius: 0.5)]), base: (9.0, 9.0)), inertia: (density: 1.0)), \
         (name: \"block\", rigid: true, mesh: Box(corner: (20, 0, 0), size: (4, 4, 4), cells: (1, 1, 1)), inertia: (density: 1.0))], \
         obstacles: [(name: \"floor\", shape: HalfSpace(point: (0, 0, 0), normal: (0, 0, 1)))], \
         contacts: All(law: Restitution())",
    );
    let look = |places: [[f64; 3]; 2]| -> SurfaceFindings<3> {
        let mut engine = Engine::new(&model).unwrap();
        let mut snapshot = engine.start().unwrap();
        for (k, place) in places.iter().enumerate() {
            let start = model.bodies[k].body.rigid().unwrap().input().inertia.centre;
            (0..3).for_each(|i| snapshot.states[k].q[i] = place[i] - start[i]);
        }
        engine.surfaces().unwrap().look(&model, &snapshot).unwrap()
    };
    assert_eq!(look([[5.0, 5.0, 5.0], [5.0, 6.0, 5.0]]), SurfaceFindings::default());
    let found = |places: [[f64; 3]; 2]| {
        let found = look(places);
        assert!(found.undeclared.is_none());
        let worst = found.declared.unwrap();
        (worst.depth, worst.ratio, worst.into)
    };
    // 0.9 m apart: 0.1 m deep, a fifth of the radius.
    let (depth, ratio, into) = found([[5.0, 5.0, 5.0], [5.0, 5.9, 5.0]]);
    close(depth, 0.1, 1e-14, "depth");
    close(ratio, 0.2, 1e-13, "ratio");
    assert_eq!(into, Entered::Body(1));
    let (depth, _, into) = found([[5.0, 5.0, 0.3], [5.0, 9.0, 5.0]]);
    close(depth, 0.2, 1e-14, "depth in the floor");
    assert_eq!(into, Entered::Obstacle(0));
    let (depth, _, into) = found([[5.0, 5.0, 5.0], [19.8, 2.0, 2.0]]);
    close(depth, 0.3, 1e-13, "depth in the block");
    assert_eq!(into, Entered::Body(2));
}
