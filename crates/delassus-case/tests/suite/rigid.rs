//! What is refused of rigid bodies, and what follows from shape and density.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails by panicking")]

use std::path::Path;

use delassus_case::Loaded;

/// A case with these keys.
fn text(dimension: usize, keys: &str) -> String {
    let integrator = if keys.contains("integrator:") { "" } else { "integrator: ModifiedTheta(theta: 0.5)," };
    format!(
        "(title: \"t\", dimension: {dimension}, materials: [(name: \"m\", density: 1000, law: KelvinVoigt(young: 1e6, poisson: 0.3))], \
         {integrator} step: 0.01, duration: 1, {keys})"
    )
}

/// Code and path of every problem.
fn problems(dimension: usize, keys: &str) -> Vec<String> {
    let loaded = Loaded::from_text(Path::new("t.ron"), text(dimension, keys), &[]).unwrap();
    let found = match dimension {
        2 => loaded.model::<2>().err(),
        _ => loaded.model::<3>().err(),
    };
    let text = found.map_or_else(String::new, |e| format!("{e:?}"));
    let mut codes: Vec<String> = text.split("Code(\"").skip(1).map(|t| t[..5].to_owned()).collect();
    codes.dedup();
    codes
}

/// A packing of these sizes.
fn packing(dimension: usize, sizes: &str, rest: &str) -> String {
    let gravity = if dimension == 2 { "(0, -10)" } else { "(0, 0, -10)" };
    format!(
        "bodies: [(name: \"grains\", mesh: Packing(sizes: {sizes}, {rest}), material: \"m\")], loads: [Gravity(acceleration: {gravity})]"
    )
}

/// One entry is many bodies with names, of the masses of their sizes, where the generator puts them.
#[test]
fn a_packing_is_as_many_rigid_bodies_as_it_has_grains() {
    let keys = packing(
        2,
        "Counts([(count: 2, radius: 0.5), (count: 3, radius: 1.0)])",
        "base: [7.0], corner: (10, 2), order: Deposited, seed: 3",
    );
    let loaded = Loaded::from_text(Path::new("t.ron"), text(2, &keys), &[]).unwrap();
    let model = loaded.model::<2>().unwrap();
    let names: Vec<&str> = model.bodies.iter().map(|b| b.name.as_str()).collect();
    assert_eq!(names, ["grains-0", "grains-1", "grains-2", "grains-3", "grains-4"]);
    let mut radii: Vec<f64> = model.bodies.iter().filter_map(|b| b.body.rigid()?.ball_radius()).collect();
    for (b, r) in model.bodies.iter().zip(&radii) {
        let mass = 1000.0 * std::f64::consts::PI * r * r;
        assert!((b.body.total_mass() / mass - 1.0).abs() < 1e-12, "{}", b.name);
        let rigid = b.body.rigid().unwrap();
        // A disk: I = m r²/2; in the container, above its floor.
        let moments = rigid.input().inertia.moments.unwrap();
        assert!((moments[(2, 2)] / (0.5 * mass * r * r) - 1.0).abs() < 1e-12);
        let c = rigid.input().inertia.centre;
        assert!(c.x >= 10.0 + r - 1e-12 && c.x <= 17.0 - r + 1e-12 && c.y >= 2.0 + r - 1e-12, "{c}");
        assert_eq!(b.body.mesh().n_points(), 1);
    }
    radii.sort_by(f64::total_cmp);
    assert_eq!(radii, [0.5, 0.5, 1.0, 1.0, 1.0]);
}

const BLOCK: &str = "(name: \"block\", mesh: Rectangle(corner: (0, 0), size: (1, 1), cells: (1, 1)), material: \"m\"";

#[test]
fn what_cannot_be_is_refused_with_its_code() {
    let ball = "(name: \"ball\", mesh: Round(centre: (0, 3), radius: 0.5), material: \"m\")";
    let with = |rest: &str| format!("bodies: [{BLOCK}), {ball}], {rest}");
    let cases: &[(usize, String, &str)] = &[
        (2, format!("bodies: [{BLOCK}, rigid: true, damping: (beta: 1e-3))]"), "E0381"),
        (2, format!("bodies: [{BLOCK}, rigid: true, kinematics: SmallStrain)]"), "E0381"),
        (2, "bodies: [(name: \"p\", mesh: PointMass(at: (0, 0)), inertia: (mass: 1), spin: 1.0)]".into(), "E0381"),
        (2, "bodies: [(name: \"p\", mesh: PointMass(at: (0, 0)), inertia: (mass: 1))], loads: [Force(body: \"p\", moment: [1])]".into(), "E0384"),
        (
            2,
            "bodies: [(name: \"p\", mesh: PointMass(at: (0, 0)), inertia: (mass: 1))], loads: [Force(body: \"p\", force: (1, 0), point: (0, 1))]".into(),
            "E0384",
        ),
        (
            2,
            format!("bodies: [{BLOCK}, rigid: true), {ball}], contacts: [(name: \"c\", candidates: (body: \"ball\"), antagonists: Surface(body: \"block\"), both: true, law: Frictionless)]"),
            "E0382",
        ),
        (
            2,
            format!("bodies: [{BLOCK}, rigid: true), {ball}], contacts: [(name: \"c\", candidates: (body: \"ball\"), antagonists: Surface(body: \"block\"), law: Cohesive(cohesion: 1e3))]"),
            "E0383",
        ),
        (
            2,
            with("contacts: [(name: \"c\", candidates: (body: \"block\", group: \"top\"), antagonists: Surface(body: \"ball\"), law: Frictionless, resistance: (rolling: 1e-3))]"),
            "E0691",
        ),
        (
            2,
            format!("bodies: [{BLOCK}, rigid: true), {ball}], contacts: [(name: \"c\", candidates: (body: \"ball\"), antagonists: Surface(body: \"block\"), law: Frictionless, resistance: (rolling: -1e-3))]"),
            "E0632",
        ),
        // Corners on an obstacle have no area.
        (
            2,
            format!("bodies: [{BLOCK}, rigid: true)], obstacles: [(name: \"f\", shape: HalfPlane(point: (0, 0), normal: (0, 1)))], contacts: [(name: \"c\", candidates: (body: \"block\"), antagonists: Obstacle(\"f\"), law: Cohesive(cohesion: 1e3))]"),
            "E0383",
        ),
        (2, format!("bodies: [{BLOCK}, rigid: true)], loads: [Pressure(body: \"block\", group: \"top\", pressure: 1)]"), "E0384"),
        (2, format!("bodies: [{BLOCK}, rigid: true)], boundary: [(body: \"block\", group: \"top\", x: 0.0)]"), "E0384"),
        (2, with("motions: [(body: \"ball\", x: 0.0), (body: \"ball\", x: 1.0)]"), "E0384"),
        (2, with("motions: [(body: \"block\", x: 0.0)]"), "E0385"),
        (2, with("loads: [Force(body: \"block\", force: (1, 0))]"), "E0385"),
        (2, with("probes: [(name: \"p\", at: Turn(\"block\"))]"), "E0385"),
        (2, with("contacts: [(name: \"c\", candidates: (body: \"ball\"), antagonists: Surface(body: \"block\"), law: Frictionless)]"), "E0385"),
        (
            2,
            "bodies: [(name: \"p\", mesh: PointMass(at: (0, 0)), inertia: (mass: 1), copies: (count: 2, translation: (1, 0)))], contacts: [(name: \"c\", candidates: (body: \"p\"), antagonists: Surface(body: \"p\"), law: Restitution())]".into(),
            "E0662",
        ),
        (2, format!("bodies: [{BLOCK}, inertia: (mass: 2))]"), "E0385"),
        (2, with("integrator: Newmark(gamma: 0.5, beta: 0.25)"), "E0386"),
        (2, with("integrator: Explicit()"), "E0386"),
        (2, with("integrator: QuasiStatic"), "E0386"),
        (2, with("start: Equilibrium"), "E0387"),
        (2, "bodies: [(name: \"c\", mesh: Clump(parts: []), material: \"m\")]".into(), "E0582"),
        (
            2,
            "bodies: [(name: \"c\", mesh: Clump(parts: [Round(centre: (0, 0), radius: 1), Round(centre: (1, 0), radius: 1)]), material: \"m\")]".into(),
            "E0594",
        ),
        (
            2,
            "bodies: [(name: \"c\", mesh: Clump(parts: [Round(centre: (0, 0), radius: 1), Round(centre: (1, 0), radius: 1)]), inertia: (mass: 2, moments: [1]))]".into(),
            "E0594",
        ),
        (2, "bodies: [(name: \"c\", mesh: Clump(parts: [Round(centre: (0, 0, 0), radius: 1)]), material: \"m\")]".into(), "E0308"),
        (2, "bodies: [(name: \"c\", mesh: Clump(parts: [Round(centre: (0, 0), radius: 0)]), material: \"m\")]".into(), "E0571"),
        (3, "bodies: [(name: \"c\", mesh: Clump(parts: [Polygon(points: [(0, 0), (1, 0), (0, 1)])]), material: \"m\")]".into(), "E0309"),
        (2, "bodies: [(name: \"c\", mesh: Surface(file: \"x.stl\"), material: \"m\")]".into(), "E0309"),
        (3, "bodies: [(name: \"c\", mesh: Surface(file: \"x.stl\"), material: \"m\")]".into(), "E0401"),
        (3, "bodies: [(name: \"c\", mesh: Surface(file: \"x.stl\", scale: 0), material: \"m\")]".into(), "E0305"),
        (2, "bodies: [(name: \"b\", mesh: Round(centre: (0, 0), radius: 1))]".into(), "E0389"),
        (2, "bodies: [(name: \"p\", mesh: PointMass(at: (0, 0)), material: \"m\")]".into(), "E0389"),
        (2, format!("bodies: [{BLOCK}, rigid: true, inertia: (mass: 0))]"), "E0305"),
        (2, format!("bodies: [{BLOCK}, rigid: true, inertia: (moments: [0.0]))]"), "E0592"),
        (
            3,
            "bodies: [(name: \"b\", mesh: Round(centre: (0, 0, 0), radius: 1), inertia: (mass: 1, moments: (1, 1, 3)))]".into(),
            "E0592",
        ),
        (
            3,
            "bodies: [(name: \"b\", mesh: Round(centre: (0, 0, 0), radius: 1e-20), inertia: (density: 1e-270))]".into(),
            "E0591",
        ),
        (2, "bodies: [(name: \"b\", mesh: Round(centre: (0, 0), radius: -1), material: \"m\")]".into(), "E0571"),
        (2, "bodies: [(name: \"b\", mesh: Polygon(points: [(0, 0), (1, 1), (1, 0), (0, 1)]), material: \"m\")]".into(), "E0575"),
        (
            3,
            "bodies: [(name: \"b\", mesh: Polyhedron(points: [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], faces: [[0, 2, 1], [0, 1, 3], [0, 3, 2]]), material: \"m\")]".into(),
            "E0579",
        ),
        (2, "bodies: [(name: \"b\", mesh: Round(centre: (0, 0, 0), radius: 1), material: \"m\")]".into(), "E0308"),
        (2, packing(2, "Uniform(count: 3, least: 1, most: 3)", "base: [5.0]"), "E0696"),
        (2, packing(2, "Uniform(count: 3, least: 2, most: 1)", "base: [50.0]"), "E0696"),
        (2, packing(2, "Counts([(count: 3, radius: 0.5)])", "base: [5.0], around: 2"), "E0696"),
        (3, packing(3, "Counts([(count: 3, radius: 0.5)])", "base: (5.0, 5.0), order: Deposited"), "E0696"),
        (2, packing(2, "Counts([(count: 3, radius: 0.5)])", "base: [5.0]), copies: (count: 2"), "E0697"),
        (2, packing(2, "Counts([(count: 3, radius: 0.5)])", "base: [5.0]), faces: [(name: \"f\")], velocity: (0, 0"), "E0697"),
        (2, packing(2, "Counts([(count: 3, radius: -0.5)])", "base: [5.0]"), "E0305"),
        (2, packing(2, "Counts([(count: 3, radius: 0.5)])", "base: (5.0, 5.0)"), "E0308"),
        (2, packing(2, "Uniform(count: 200000, least: 1, most: 1)", "base: [5.0]"), "E0314"),
        (2, with("probes: [(name: \"p\", at: Grains([\"block\"]))]"), "E0698"),
        (2, with("probes: [(name: \"p\", at: Grains([]))]"), "E0698"),
        (2, with("motions: [(body: \"ball\")]"), "E0341"),
        (2, with("motions: [(body: \"ball\", z: 1.0)]"), "E0310"),
        (2, with("motions: [(body: \"bal\", x: 1.0)]"), "E0335"),
        (2, with("loads: [Force(body: \"ball\", moment: (1, 2))]"), "E0308"),
    ];
    for (dimension, keys, code) in cases {
        let found = problems(*dimension, keys);
        assert!(found.iter().any(|c| c == code), "{code} of {keys}: {found:?}");
    }
}

/// A case beside files, and the codes and texts of its problems.
fn beside(files: &[(&str, String)], dimension: usize, keys: &str) -> (Vec<String>, String) {
    let folder = tempfile::tempdir().unwrap();
    for (name, contents) in files {
        std::fs::write(folder.path().join(name), contents).unwrap();
    }
    let loaded = Loaded::from_text(&folder.path().join("t.ron"), text(dimension, keys), &[]).unwrap();
    let found = if dimension == 2 { loaded.model::<2>().err() } else { loaded.model::<3>().err() };
    let text = found.map_or_else(String::new, |e| format!("{e:?}"));
    let codes = text.split("Code(\"").skip(1).map(|t| t[..5].to_owned()).collect();
    (codes, text)
}

/// An OBJ file of cubes: corner, side, and whether the faces are turned round.
fn cubes(list: &[([f64; 3], f64, bool)], without: usize) -> String {
    let mut out = String::new();
    for (corner, side, _) in list {
        for i in 0..8_usize {
            let x = [0, 1, 2].map(|k| corner[k] + side * f64::from(u8::from(i >> k & 1 == 1)));
            out += &format!("v {} {} {}\n", x[0], x[1], x[2]);
        }
    }
    let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    for (k, (.., inside_out)) in list.iter().enumerate() {
        for mut face in faces {
            if *inside_out {
                face.reverse();
            }
            out += &format!("f{}\n", face.map(|c| format!(" {}", 8 * k + c + 1)).concat());
        }
    }
    let lines: Vec<&str> = out.lines().collect();
    lines[..lines.len() - without].join("\n") + "\n"
}

/// Surfaces of files: open ones, and such as enclose the same twice, are refused; cavities and parts are not.
#[test]
fn surfaces_from_files_are_closed() {
    let body = "bodies: [(name: \"s\", mesh: Surface(file: \"s.obj\"), material: \"m\")]";
    let whole = ([0.0; 3], 1.0, false);
    for (cubes, code, part) in [
        (cubes(&[whole], 1), "E0579", "the edge goes from (0, 0, 1) to (0, 1, 1)"),
        (cubes(&[whole, ([0.25; 3], 0.5, false)], 0), "E0593", "part 1"),
        (cubes(&[whole, ([3.0; 3], 0.5, true)], 0), "E0593", "part 1"),
        (cubes(&[whole, ([0.5; 3], 1.0, false)], 0), "E0593", "part"),
        (cubes(&[whole], 6), "E0451", ""),
    ] {
        let (codes, text) = beside(&[("s.obj", cubes)], 3, body);
        assert!(codes.iter().any(|c| c == code) && text.contains(part), "{code} {part}: {text}");
    }
    for good in [cubes(&[whole, ([0.25; 3], 0.5, true)], 0), cubes(&[whole, ([3.0; 3], 0.5, false)], 0)] {
        assert_eq!(beside(&[("s.obj", good)], 3, body).0, Vec::<String>::new());
    }
}

/// Two squares that meet in a corner alone.
#[test]
fn an_outline_must_not_touch_itself() {
    let mesh = "*NODE\n1, 0, 0\n2, 1, 0\n3, 1, 1\n4, 0, 1\n5, 2, 1\n6, 2, 2\n7, 1, 2\n*ELEMENT, type=CPS4, ELSET=a\n1, 1, 2, 3, 4\n2, 3, 5, 6, 7\n";
    let body = "bodies: [(name: \"s\", mesh: File(\"s.inp\"), rigid: true, material: \"m\")]";
    let (codes, text) = beside(&[("s.inp", mesh.to_owned())], 2, body);
    assert!(codes.iter().any(|c| c == "E0388"), "{text}");
}

/// Rings, clumps and surfaces have the mass properties of what they are made of.
#[test]
fn inertia_of_rings_clumps_and_surfaces() {
    let of = |dimension: usize, files: &[(&str, String)], keys: &str| -> [f64; 5] {
        let folder = tempfile::tempdir().unwrap();
        for (name, contents) in files {
            std::fs::write(folder.path().join(name), contents).unwrap();
        }
        let loaded = Loaded::from_text(&folder.path().join("t.ron"), text(dimension, keys), &[]).unwrap();
        let (mass, centre, moments) = if dimension == 2 {
            let model = loaded.model::<2>().unwrap();
            let i = model.bodies[0].body.rigid().unwrap().input().inertia.clone();
            (i.mass, [i.centre[0], i.centre[1], 0.0], i.moments.unwrap())
        } else {
            let model = loaded.model::<3>().unwrap();
            let i = model.bodies[0].body.rigid().unwrap().input().inertia.clone();
            (i.mass, [i.centre[0], i.centre[1], i.centre[2]], i.moments.unwrap())
        };
        [mass, centre[0], centre[1], centre[2], moments[(2, 2)]]
    };
    let same = |found: [f64; 5], exact: [f64; 5]| {
        let all = found.iter().zip(exact).all(|(f, e)| (f - e).abs() <= 1e-12 * exact[0].max(exact[4]));
        assert!(all, "{found:?} {exact:?}");
    };
    // A ring of 8 corners a circle: ½ n r² sin(2π/n) of each, and I = A r² (2 + cos(2π/n))/6.
    let angle = std::f64::consts::FRAC_PI_4;
    let part = |r: f64| {
        let area = 4.0 * r * r * angle.sin();
        [area, area * r * r * (2.0 + angle.cos()) / 6.0]
    };
    let ([a, i], [b, j]) = (part(1.0), part(0.5));
    same(
        of(
            2,
            &[],
            "bodies: [(name: \"r\", mesh: Annulus(centre: (0, 0), inner_radius: 0.5, outer_radius: 1, cells: (1, 8)), rigid: true, material: \"m\")]",
        ),
        [1000.0 * (a - b), 0.0, 0.0, 0.0, 1000.0 * (i - j)],
    );
    // Two disks that touch: Steiner.
    let m = std::f64::consts::PI * 1000.0;
    let clump = "bodies: [(name: \"c\", mesh: Clump(parts: [Round(centre: (0, 0), radius: 1), Round(centre: (3, 0), radius: 2)]), material: \"m\")]";
    same(of(2, &[], clump), [5.0 * m, 2.4, 0.0, 0.0, m * (0.5 + 2.4 * 2.4) + 4.0 * m * (2.0 + 0.36)]);
    // A cube of 2 m with a cavity of 1 m in its middle, in millimetres.
    let cube = cubes(&[([0.0; 3], 2000.0, false), ([500.0; 3], 1000.0, true)], 0);
    let surface = "bodies: [(name: \"s\", mesh: Surface(file: \"s.obj\", scale: 0.001), material: \"m\")]";
    same(of(3, &[("s.obj", cube)], surface), [7000.0, 1.0, 1.0, 1.0, 8000.0 * 8.0 / 12.0 - 1000.0 * 2.0 / 12.0]);
}

/// Every generator can be rigid; its mass is that of the cells. In the plane, and of plane faces, to rounding; warped faces are cut into triangles, which leaves out or adds slivers: of a ball of 24 such faces
/// a few per cent.
#[test]
fn every_generator_can_be_rigid() {
    for (dimension, mesh, within) in [
        (2, "Rectangle(corner: (0, 0), size: (2, 1), cells: (2, 3), element: Triangle3)", 1e-12),
        (2, "Annulus(centre: (0, 0), inner_radius: 0.5, outer_radius: 1, cells: (2, 12))", 1e-12),
        (2, "Disk(centre: (0, 0), radius: 1, core: (2, 2), rings: 1)", 1e-12),
        (3, "Box(corner: (0, 0, 0), size: (1, 2, 3), cells: (1, 2, 2), element: Tetrahedron4)", 1e-12),
        (3, "Cylinder(centre: (0, 0, 0), radius: 1, length: 2, core: (2, 2), rings: 1, layers: 2)", 1e-12),
        (3, "Ball(centre: (0, 0, 0), radius: 1, core: 2, layers: 1)", 0.05),
        (3, "QuarterBall(centre: (0, 0, 0), radius: 1, patch: 0.2, cells: 2, layers: 2)", 0.05),
        (3, "ShellBlock(radii: (1, 2), azimuth: (0, 60), latitude: (0, 45), cells: (1, 2, 2))", 0.05),
    ] {
        let away = if dimension == 2 { "(10, 0)" } else { "(10, 0, 0)" };
        let keys = format!(
            "bodies: [(name: \"a\", mesh: {mesh}, material: \"m\", rigid: true), (name: \"b\", mesh: {mesh}, material: \"m\", translation: {away})]"
        );
        let loaded = Loaded::from_text(Path::new("t.ron"), text(dimension, &keys), &[]).unwrap();
        let [rigid, soft] = if dimension == 2 {
            let model = loaded.model::<2>().unwrap();
            [0, 1].map(|k: usize| model.bodies[k].body.total_mass())
        } else {
            let model = loaded.model::<3>().unwrap();
            [0, 1].map(|k: usize| model.bodies[k].body.total_mass())
        };
        assert!((rigid / soft - 1.0).abs() < within, "{mesh}: {rigid} {soft}");
    }
}

/// Mass properties of copies that are turned: those of the first, turned.
#[test]
fn inertia_follows_shape_and_density() {
    let keys = "bodies: [(name: \"b\", rigid: true, mesh: Box(corner: (0, 0, 0), size: (3, 2, 1), cells: (2, 2, 2)), material: \"m\", \
                rotation: 90, rotation_axis: (0, 0, 1), translation: (10, 0, 0), copies: (count: 2, rotation: 90, rotation_axis: (0, 1, 0), translation: (0, 5, 0)))]";
    let loaded = Loaded::from_text(Path::new("t.ron"), text(3, keys), &[]).unwrap();
    let model = loaded.model::<3>().unwrap();
    let moments = |k: usize| model.bodies[k].body.rigid().unwrap().input().inertia.clone();
    let (first, second) = (moments(0), moments(1));
    // 6000 kg; after the quarter turn about z the long side is along y, after one about y the short one along x.
    assert!((first.mass - 6000.0).abs() < 1e-9 && (second.mass - 6000.0).abs() < 1e-9);
    assert!((first.centre - nalgebra::Vector3::new(9.0, 1.5, 0.5)).norm() < 1e-12, "{}", first.centre);
    assert!((second.centre - nalgebra::Vector3::new(0.5, 6.5, -9.0)).norm() < 1e-12, "{}", second.centre);
    let exact = |x: f64, y: f64, z: f64| {
        nalgebra::Matrix3::from_diagonal(&nalgebra::Vector3::new(y * y + z * z, x * x + z * z, x * x + y * y)) * 500.0
    };
    assert!((first.moments.unwrap() - exact(2.0, 3.0, 1.0)).amax() < 1e-8);
    assert!((second.moments.unwrap() - exact(1.0, 3.0, 2.0)).amax() < 1e-8);
}

#[test]
fn joints_that_cannot_be_are_refused_with_their_code() {
    let ball = "(name: \"ball\", mesh: Round(centre: (0, 3), radius: 0.5), material: \"m\")";
    let point = "(name: \"point\", mesh: PointMass(at: (5, 5)), inertia: (mass: 1))";
    let with = |joint: &str| format!("bodies: [{BLOCK}), {ball}, {point}], joints: [(name: \"j\", {joint})]");
    let cases = [
        ("kind: Ball, body: \"bal\", at: (0, 0)", "E0335"),
        ("kind: Ball, body: \"ball\", to: \"bal\", at: (0, 0)", "E0335"),
        ("kind: Ball, body: \"ball\", to: \"ball\", at: (0, 0)", "E0651"),
        ("kind: Ball, body: \"ball\"", "E0652"),
        ("kind: Distance, body: \"ball\", at: (0, 0), to_at: (0, 0)", "E0652"),
        ("kind: Spring, body: \"ball\", at: (0, 0), to_at: (0, 0), spring: (stiffness: 1)", "E0652"),
        ("kind: Spring, body: \"ball\", at: (0, 0), to_at: (1, 0)", "E0653"),
        ("kind: Spring, body: \"ball\", at: (0, 0), to_at: (1, 0), spring: (stiffness: 1), motion: Rate(1)", "E0653"),
        ("kind: Slider, body: \"ball\", at: (0, 0)", "E0652"),
        ("kind: Ball, body: \"block\"", "E0652"),
        ("kind: Slider, body: \"ball\", at: (0, 0), axis: (0, 0)", "E0312"),
        ("kind: Ball, body: \"ball\", at: (0, 0), friction: 1.0", "E0653"),
        ("kind: Hinge, body: \"ball\", at: (0, 0), motion: Rate(1.0), friction: 1.0", "E0653"),
        ("kind: Hinge, body: \"ball\", at: (0, 0), spring: ()", "E0653"),
        ("kind: Ball, body: \"ball\", at: (0, 0), coulomb: (friction: 0.1)", "E0653"),
        ("kind: Hinge, body: \"ball\", at: (0, 0), motion: Rate(1.0), coulomb: (friction: 0.1, radius: 0.1)", "E0653"),
        ("kind: Hinge, body: \"ball\", at: (0, 0), coulomb: (friction: 0.1)", "E0660"),
        ("kind: Slider, body: \"ball\", at: (0, 0), axis: (1, 0), coulomb: (friction: 0.1, radius: 0.1)", "E0660"),
        ("kind: Ball, body: \"ball\", group: \"x\", at: (0, 0)", "E0653"),
        ("kind: Hinge, body: \"ball\", at: (0, 0), spring: (stiffness: -1.0)", "E0307"),
        ("kind: Hinge, body: \"ball\", at: (0, 0), friction: 0.0", "E0305"),
        ("kind: Hinge, body: \"point\", at: (5, 5)", "E0654"),
        // A pendulum of a point mass that nothing lets turn: it stood still.
        ("kind: Ball, body: \"point\", at: (0, 0)", "E0661"),
        ("kind: Ball, body: \"ball\", to: \"point\", at: (0, 3)", "E0661"),
        ("kind: Distance, body: \"point\", at: (5, 5.1), to_at: (0, 0)", "E0661"),
        ("kind: Distance, body: \"ball\", at: (0, 3), to: \"point\", to_at: (5, 5.1)", "E0661"),
        ("kind: Fixed, body: \"block\", group: \"left\", to: \"ball\"", "E0654"),
        ("kind: Slider, body: \"ball\", to: \"block\", at: (0, 0), axis: (1, 0)", "E0654"),
        ("kind: Bonded, body: \"ball\", group: \"left\", to: \"block\"", "E0656"),
        ("kind: Bonded, body: \"block\", to: \"ball\"", "E0656"),
    ];
    for (joint, code) in cases {
        let found = problems(2, &with(joint));
        assert!(found.iter().any(|c| c == code), "{code} of {joint}: {found:?}");
    }
    for scheme in ["Newmark(gamma: 0.5, beta: 0.25)", "Explicit()"] {
        let keys = format!(
            "integrator: {scheme}, bodies: [{BLOCK})], joints: [(name: \"j\", kind: Ball, body: \"block\", at: (0, 0))]"
        );
        assert!(problems(2, &keys).iter().any(|c| c == "E0655"), "{scheme}");
    }
    assert!(problems(2, &with("kind: Bonded, body: \"block\", group: \"left\", to: \"ball\"")).is_empty());
}

/// Laws per area are for blocks with plane faces, those per point for all.
#[test]
fn bonds_between_shapes() {
    let scene = |other: &str, law: &str| {
        format!(
            "bodies: [{BLOCK}, rigid: true), {other}], contacts: [(name: \"c\", candidates: (body: \"other\"), antagonists: Surface(body: \"block\"), law: {law})]"
        )
    };
    let brick =
        "(name: \"other\", rigid: true, mesh: Rectangle(corner: (0, 1), size: (1, 1), cells: (1, 1)), material: \"m\")";
    let hook = "(name: \"other\", mesh: Polygon(points: [(0, 1), (3, 1), (3, 2), (1, 1.5), (0, 3)]), material: \"m\")";
    let ball = "(name: \"other\", mesh: Round(centre: (0.5, 1.5), radius: 0.5), material: \"m\")";
    let (area, point) =
        ("MohrCoulomb(cohesion: 1e3, internal_friction: 0.5, friction: 0.3)", "Cohesive(cohesion: 10, per: Point)");
    for (other, law, code) in [
        (brick, area, None),
        (brick, point, None),
        (hook, area, Some("E0383")),
        (hook, point, None),
        (ball, area, Some("E0383")),
        (ball, point, None),
    ] {
        let found = problems(2, &scene(other, law));
        assert_eq!(found.first().map(String::as_str), code, "{other} {law}: {found:?}");
    }
}
