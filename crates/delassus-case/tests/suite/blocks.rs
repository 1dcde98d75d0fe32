//! Collections of blocks: one entry, many rigid bodies; what is refused; what a probe of masonry measures at the start.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails by panicking")]

use std::path::Path;

use delassus_case::Loaded;
use delassus_sim::model::Probe;

/// A case of blocks on a ground, with more keys of their entry and of the case.
fn text(dimension: usize, mesh: &str, entry: &str, rest: &str) -> String {
    let gravity = if dimension == 2 { "(0, -10)" } else { "(0, 0, -10)" };
    format!(
        "(title: \"t\", dimension: {dimension}, materials: [], bodies: [(name: \"b\", mesh: Blocks({mesh}), {entry})], loads: [Gravity(acceleration: {gravity})], \
         integrator: Theta(theta: 0.5), step: 0.01, duration: 1, {rest})"
    )
}

const DENSE: &str = "inertia: (density: 2000)";

fn loaded(folder: &Path, text: String) -> Loaded {
    Loaded::from_text(&folder.join("t.ron"), text, &[]).unwrap()
}

/// Codes of the problems of a case.
fn codes(folder: &Path, dimension: usize, text: String) -> Vec<String> {
    let loaded = loaded(folder, text);
    let found = match dimension {
        2 => loaded.model::<2>().err(),
        _ => loaded.model::<3>().err(),
    };
    let text = found.map_or_else(String::new, |e| format!("{e:?}"));
    let mut codes: Vec<String> = text.split("Code(\"").skip(1).map(|t| t[..5].to_owned()).collect();
    codes.dedup();
    codes
}

/// The wall of Jean & Moreau (1992): 16 courses of ten bricks of 60 cm and a half one, 6.3 m by 6.4 m.
const WALL: &str = "Wall(brick: (0.6, 0.4), per_course: 11, courses: 16, ends: Alternate)";

#[test]
fn a_wall_is_as_many_bodies_as_it_has_bricks() {
    let rest = "contacts: All(law: Restitution(friction: 0.3)), probes: [(name: \"wall\", at: Masonry([\"b\"])), (name: \"top\", at: Body(\"b-175\"))]";
    let loaded = loaded(Path::new(""), text(2, WALL, DENSE, rest));
    // One contact of the entry with itself, whatever the number of bricks.
    assert_eq!(loaded.case.contacts.len(), 1);
    assert_eq!((loaded.case.n_bodies(), loaded.case.bodies[0].n_bodies()), (176, 176));
    let model = loaded.model::<2>().unwrap();
    assert_eq!(model.bodies.len(), 176);
    let mass: f64 = model.bodies.iter().map(|b| b.body.total_mass()).sum();
    assert!((mass / (2000.0 * 6.3 * 6.4) - 1.0).abs() < 1e-12, "{mass}");
    // The half brick is the last of the first course and the first of the second.
    let centre = |k: usize| model.bodies[k].body.rigid().unwrap().input().inertia.centre;
    assert!((centre(10) - nalgebra::Vector2::new(6.15, 0.2)).amax() < 1e-12, "{}", centre(10));
    assert!((centre(11) - nalgebra::Vector2::new(0.15, 0.6)).amax() < 1e-12, "{}", centre(11));
    let Probe::Masonry(group) = &model.probes[0].1 else { panic!("a probe of masonry") };
    // Joints in a course, and two points each; of two courses the brick ends interleave: 2 · 11 − 1 beds.
    let pairs: std::collections::BTreeSet<[usize; 2]> = group.joints.iter().map(|j| j.bodies).collect();
    assert_eq!((pairs.len(), group.joints.len()), (16 * 10 + 15 * 21, 2 * (16 * 10 + 15 * 21)));
    assert!((group.up - nalgebra::Vector3::y()).norm() < 1e-15);
    assert!(group.blocks.iter().all(|b| (b.height - 0.4).abs() < 1e-12));
}

#[test]
fn blocks_of_every_kind_become_bodies() {
    let count = |dimension: usize, mesh: &str, entry: &str| {
        let loaded = loaded(Path::new(""), text(dimension, mesh, entry, ""));
        let said = loaded.case.n_bodies();
        let made = match dimension {
            2 => loaded.model::<2>().unwrap().bodies.len(),
            _ => loaded.model::<3>().unwrap().bodies.len(),
        };
        assert_eq!(said, made, "{mesh}");
        made
    };
    assert_eq!(count(2, "Wall(brick: (2, 1), per_course: 3, courses: 4)", DENSE), 3 + 4 + 3 + 4);
    assert_eq!(count(3, "Wall(brick: (2, 1, 1), per_course: 3, courses: 4, shift: 0)", DENSE), 12);
    assert_eq!(count(2, "Wall(brick: (2, 1), per_course: 3, courses: 3, ends: Toothed, joint: 0.01)", DENSE), 9);
    assert_eq!(
        count(
            2,
            "Arch(inner: 0.95, outer: 1.05, count: 27)",
            "inertia: (density: 1), rotation: 10, translation: (3, 0)"
        ),
        27
    );
    let columns =
        "Colonnade(columns: 3, spacing: 3, drums: 4, diameter: 1, drum_height: 0.8, taper: 0.9, architrave: 0.6)";
    assert_eq!((count(2, columns, DENSE), count(3, columns, DENSE)), (14, 14));
    assert_eq!(count(3, "Dome(radii: (4.5, 5), latitude: (0, 30), rings: 2, per_ring: 12)", DENSE), 24);
}

/// Blocks of a file stand where it says, and its hash goes with them.
#[test]
fn blocks_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let json = r#"{"blocks": [{"vertices": [[0,0],[2000,0],[2000,1000],[0,1000]]}, {"vertices": [[0,1000],[2000,1000],[1000,3000]]}]}"#;
    std::fs::write(folder.path().join("x.json"), json).unwrap();
    let mesh = |count: usize| format!("File(file: \"x.json\", count: {count}, scale: 1e-3)");
    let probe = "probes: [(name: \"m\", at: Masonry([\"b\"]))]";
    let model = loaded(folder.path(), text(2, &mesh(2), DENSE, probe)).model::<2>().unwrap();
    let triangle = model.bodies[1].body.rigid().unwrap().input().inertia.centre;
    assert!((triangle - nalgebra::Vector2::new(1.0, 5.0 / 3.0)).amax() < 1e-12, "{triangle}");
    assert!((model.bodies[1].body.total_mass() - 4000.0).abs() < 1e-9);
    assert!(model.bodies.iter().all(|b| b.mesh_hash.as_ref().is_some_and(|h| h.len() == 64)));
    assert_eq!(codes(folder.path(), 2, text(2, &mesh(3), DENSE, "")), ["E0586"]);
    // Triangles with a side of no length, and polygons where space is asked for.
    std::fs::write(folder.path().join("x.json"), r#"[{"vertices": [[0,0],[1,0],[2,0]]}]"#).unwrap();
    assert_eq!(codes(folder.path(), 2, text(2, &mesh(1), DENSE, "")), ["E0576"]);
    assert_eq!(codes(folder.path(), 3, text(3, &mesh(1), DENSE, "")), ["E0574"]);
    std::fs::write(folder.path().join("x.json"), "[").unwrap();
    assert_eq!(codes(folder.path(), 2, text(2, &mesh(1), DENSE, "")), ["E0452"]);
    assert_eq!(codes(folder.path(), 2, text(2, "File(file: \"no.json\", count: 1)", DENSE, "")), ["E0401"]);
}

#[test]
fn what_blocks_cannot_have_is_refused() {
    let wall = "Wall(brick: (2, 1), per_course: 3, courses: 2)";
    let cases: &[(usize, String, &str)] = &[
        (2, text(2, wall, "inertia: (density: 1), copies: (count: 2)", ""), "E0587"),
        (2, text(2, wall, "inertia: (mass: 1)", ""), "E0587"),
        (2, text(2, wall, "inertia: (density: 1, centre: (0, 0))", ""), "E0587"),
        (2, text(2, wall, "inertia: (density: 1), faces: [(name: \"f\")]", ""), "E0587"),
        (2, text(2, "Wall(brick: (2, 1), per_course: 3, courses: 2, shift: 1.5)", DENSE, ""), "E0586"),
        (2, text(2, "Wall(brick: (2, 1), per_course: 3, courses: 2, joint: -1)", DENSE, ""), "E0586"),
        (2, text(2, "Wall(brick: (2, 1), per_course: 0, courses: 2)", DENSE, ""), "E0314"),
        (2, text(2, "Wall(brick: (2, 1), per_course: 1000000, courses: 1000000)", DENSE, ""), "E0314"),
        (2, text(2, "Wall(brick: (2, 1, 1), per_course: 3, courses: 2)", DENSE, ""), "E0308"),
        (2, text(2, "Wall(brick: (2, 0), per_course: 3, courses: 2)", DENSE, ""), "E0571"),
        (3, text(3, "Arch(inner: 1, outer: 2, count: 3)", DENSE, ""), "E0309"),
        (2, text(2, "Arch(inner: 2, outer: 1, count: 3)", DENSE, ""), "E0571"),
        (2, text(2, "Dome(radii: (1, 2), latitude: (0, 30), rings: 2, per_ring: 9)", DENSE, ""), "E0309"),
        (3, text(3, "Dome(radii: (1, 2), latitude: (0, 90), rings: 2, per_ring: 9)", DENSE, ""), "E0571"),
        (2, text(2, wall, "inertia: (density: 1)", "probes: [(name: \"p\", at: Masonry([]))]"), "E0586"),
        (2, text(2, wall, "", ""), "E0389"),
    ];
    for (dimension, text, code) in cases {
        assert_eq!(codes(Path::new(""), *dimension, text.clone()), [*code], "{text}");
    }
}
