//! Cases that are short: a base, all contacts at once, units in JSON. Each is compared with the case written out.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails by panicking")]

use std::fs;
use std::path::Path;

use delassus_case::schema::case_schema;
use delassus_case::{CaseError, Loaded};
use serde_json::json;

const BASE: &str = r#"(
    title: "base",
    kinematics: SmallStrain,
    materials: [(name: "m", density: 1000, law: KelvinVoigt(young: 1e6, poisson: 0.3))],
    bodies: [(name: "a", mesh: Rectangle(corner: (0, 0), size: (1, 1), cells: (2, 2)), material: "m")],
    integrator: Theta(theta: 0.5),
    step: 1e-3, // seconds
    duration: Minutes(1),
)"#;

fn refused(read: Result<Loaded, CaseError>) -> String {
    read.err().unwrap().to_string()
}

/// The same case as one text: same values, and the keys of the upper text win.
#[test]
fn a_base_is_the_case_with_some_keys_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("parts")).unwrap();
    fs::write(at("parts/base.ron"), BASE).unwrap();
    fs::write(at("middle.ron"), r#"(base: "parts/base.ron", title: "middle", step: 2e-3)"#).unwrap();
    fs::write(at("top.ron"), r#"(title: "top", base: Some("middle.ron"), duration: 3)"#).unwrap();
    let whole = BASE.replace("\"base\"", "\"top\"").replace("1e-3", "2e-3").replace("Minutes(1)", "3");
    let expected = Loaded::from_text(&at("whole.ron"), whole, &[]).unwrap();
    let read = Loaded::read(&at("top.ron"), &[]).unwrap();
    assert_eq!(read.resolved_text().unwrap(), expected.resolved_text().unwrap());
    assert!(read.given.contains("Rectangle") && !read.given.contains("base:"), "{}", read.given);
    let set = Loaded::read(&at("top.ron"), &["step=5".to_owned(), "bodies.a.velocity=(1, 0)".to_owned()]).unwrap();
    assert_eq!((set.case.step, set.case.bodies[0].velocity.0.as_slice()), (5.0, [1.0, 0.0].as_slice()));
}

/// A file that a base names is looked for beside the base.
#[test]
fn files_of_a_base_are_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir_all(at("parts/meshes")).unwrap();
    fs::create_dir(at("cases")).unwrap();
    let plate = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../meshes");
    let mesh =
        fs::read_dir(plate).unwrap().map(|e| e.unwrap().path()).find(|p| p.extension().is_some_and(|e| e == "msh"));
    fs::copy(mesh.unwrap(), at("parts/meshes/plate.msh")).unwrap();
    let (start, end) = (BASE.find("Rectangle").unwrap(), BASE.find(", material: \"m\")]").unwrap());
    let base = format!("{}File(\"meshes/plate.msh\"){}", &BASE[..start], &BASE[end..]);
    fs::write(at("parts/base.ron"), &base).unwrap();
    fs::write(at("cases/top.ron"), r#"(base: "../parts/base.ron", title: "top")"#).unwrap();
    let here = Loaded::read(&at("parts/base.ron"), &[]).unwrap();
    let there = Loaded::read(&at("cases/top.ron"), &[]).unwrap();
    let mesh_of = |loaded: &Loaded| {
        let text = loaded.resolved_text().unwrap();
        text.lines().find(|l| l.contains("mesh: File")).unwrap().trim().to_owned()
    };
    assert_eq!(mesh_of(&there), mesh_of(&here));
    assert!(Path::new(mesh_of(&here).split('"').nth(1).unwrap()).exists());
    // A name in the upper text is beside the upper text.
    let bodies = &base[base.find("bodies:").unwrap()..base.find("integrator").unwrap()];
    fs::write(at("cases/own.ron"), format!("(base: \"../parts/base.ron\", {bodies})")).unwrap();
    assert!(mesh_of(&Loaded::read(&at("cases/own.ron"), &[]).unwrap()).contains("cases/meshes/plate.msh"));
}

/// Problems are told in the file, line and column where the value stands.
#[test]
fn problems_of_a_base_are_shown_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("base.ron"), BASE.replace("Theta(theta: 0.5)", "Theta(tetha: 0.5)")).unwrap();
    fs::write(at("top.ron"), "(\n  base: \"base.ron\",\n  step: \"x\",\n)").unwrap();
    let text = refused(Loaded::read(&at("top.ron"), &[]));
    assert!(text.contains("base.ron:6:23: integrator.tetha: no field `tetha`"), "{text}");
    assert!(
        text.contains("    6 |     integrator: Theta(tetha: 0.5),\n      |                       ^^^^^\n"),
        "{text}"
    );
    assert!(text.contains("top.ron:3:9: step: expected a number"), "{text}");
    // What is found after the reading, and through `--set`.
    fs::write(at("base.ron"), BASE.replace("1e-3,", "-1e-3,")).unwrap();
    fs::write(at("top.ron"), "(base: \"base.ron\", duration: 1)").unwrap();
    let wrong = |settings: &[String]| {
        let loaded = Loaded::read(&at("top.ron"), settings).unwrap();
        loaded.model::<2>().err().unwrap().to_string()
    };
    let text = wrong(&[]);
    assert!(text.contains("base.ron:7:11: step: step = -0.001 must be positive"), "{text}");
    let text = wrong(&["bodies.a.velocity=(1,)".to_owned()]);
    assert!(text.contains("note: value given by --set bodies.a.velocity=(1,)"), "{text}");
    assert!(text.contains("base.ron:7:11: step"), "behind a splice the places are as before: {text}");
    // A missing key is missing in the file that was given.
    fs::write(at("base.ron"), BASE.replace("duration: Minutes(1),", "")).unwrap();
    fs::write(at("top.ron"), "\n(base: \"base.ron\")").unwrap();
    let text = refused(Loaded::read(&at("top.ron"), &[]));
    assert!(text.contains("top.ron:2:1: the field `duration` is missing"), "{text}");
}

#[test]
fn bases_that_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let check = |name: &str, text: &str, code: &str, words: &str| {
        fs::write(at(name), text).unwrap();
        let found = refused(Loaded::read(&at(name), &[]));
        assert!(found.contains(code) && found.contains(words), "{found}");
    };
    check("a.ron", "(base: \"lost.ron\", step: 1)", "E0131", "a.ron:1:8: base: ");
    check("a.ron", "(base: \".\", step: 1)", "E0131", "base: ");
    check("a.ron", "(base: \"a.ron\", step: 1)", "E0132", "`a.ron` is a base of itself");
    fs::write(at("b.ron"), "(base: \"a.ron\", step: 1)").unwrap();
    check("a.ron", "(base: \"b.ron\", step: 1)", "E0132", "b.ron:1:8: base: `a.ron` is a base of itself");
    check("a.ron", "(base: 3, step: 1)", "E0125", "the name of a case file in quotes");
    check("a.ron", "(base: \"b.ron\", step: 1, step: 2)", "E0132", "");
    fs::write(at("b.ron"), "(step: 1, step: 2)").unwrap();
    check("a.ron", "(base: \"b.ron\", title: \"x\")", "E0124", "b.ron:1:11: step: `step` is given twice");
    fs::write(at("b.json"), "{\"step\": 1}").unwrap();
    check("a.ron", "(base: \"b.json\", step: 1)", "E0133", "the case is in RON and its base in JSON");
    fs::write(at("b.ron"), [0xff_u8, 0xfe]).unwrap();
    check("a.ron", "(base: \"b.ron\", step: 1)", "E0131", "not a text file");
    // Deep chains end.
    for k in 0..40 {
        fs::write(at(&format!("c{k}.ron")), format!("(base: \"c{}.ron\", step: 1)", k + 1)).unwrap();
    }
    check("c0.ron", "(base: \"c1.ron\", step: 1)", "E0132", "more than 16 bases");
    let mut case = Loaded::from_text(Path::new("x.ron"), BASE.to_owned(), &[]).unwrap().case;
    case.base = Some("b.ron".to_owned());
    let text = Loaded::of_case(case, "").unwrap().model::<2>().err().unwrap().to_string();
    assert!(text.contains("E0134"), "{text}");
}

/// Three bodies and an obstacle, with `contacts` as given.
fn bodies(contacts: &str) -> String {
    let body = |name: &str, x: f64, more: &str| {
        let mesh = format!("Rectangle(corner: ({x}, 0), size: (1, 1), cells: (2, 2))");
        format!("(name: \"{name}\", mesh: {mesh}, material: \"m\"{more}),")
    };
    let all = [
        body("a", 0.0, ""),
        body("b", 2.0, ", copies: (count: 3, translation: (0, 2))"),
        body("c", 4.0, ", rigid: true"),
    ];
    let round = "(name: \"d\", mesh: Round(centre: (6, 0.5), radius: 0.5), material: \"m\"),";
    let (start, end) = (BASE.find("bodies:").unwrap(), BASE.find("    integrator").unwrap());
    let floor = "obstacles: [(name: \"floor\", shape: HalfPlane(point: (0, 0), normal: (0, 1)))],";
    let text =
        format!("{}bodies: [{}{round}], {floor} contacts: {contacts},\n{}", &BASE[..start], all.concat(), &BASE[end..]);
    text.replace("kinematics: SmallStrain,", "")
}

#[test]
fn all_contacts_are_those_of_each_pair() {
    let law = "SignoriniCoulomb(friction: 0.3)";
    let short = Loaded::from_text(Path::new("x.ron"), bodies(&format!("All(law: {law})")), &[]).unwrap();
    let surface = |body: &str, group: &str| {
        format!("(body: \"{body}\"{})", if group.is_empty() { String::new() } else { format!(", group: \"{group}\"") })
    };
    let pair = |name: &str, a: (&str, &str), b: (&str, &str), both: bool| {
        let (a, b) = (surface(a.0, a.1), surface(b.0, b.1));
        format!("(name: \"{name}\", candidates: {a}, antagonists: Surface{b}, law: {law}, both: {both}),")
    };
    let on_floor = |body: &str, group: &str| {
        let side = surface(body, group);
        format!("(name: \"{body}-floor\", candidates: {side}, antagonists: Obstacle(\"floor\"), law: {law}),")
    };
    let edge = "boundary";
    let listed = [
        pair("a-b", ("a", edge), ("b", edge), true),
        pair("a-c", ("c", ""), ("a", edge), true),
        pair("a-d", ("d", ""), ("a", edge), true),
        pair("b-b", ("b", edge), ("b", edge), true),
        pair("b-c", ("c", ""), ("b", edge), true),
        pair("b-d", ("d", ""), ("b", edge), true),
        pair("c-d", ("c", ""), ("d", ""), false),
        on_floor("a", edge),
        on_floor("b", edge),
        on_floor("c", ""),
        on_floor("d", ""),
    ];
    let long = Loaded::from_text(Path::new("x.ron"), bodies(&format!("[{}]", listed.concat())), &[]).unwrap();
    assert_eq!(short.resolved_text().unwrap(), long.resolved_text().unwrap());
    let model = short.model::<2>().unwrap();
    assert_eq!(model.pairs.len(), 11);
    // In JSON, and what the schema says of it.
    let mut value: serde_json::Value = serde_json::from_str(&short.json_text().unwrap()).unwrap();
    let validator = jsonschema::draft202012::new(&case_schema()).unwrap();
    for (contacts, good) in [
        (json!({ "All": { "law": { "SignoriniCoulomb": { "friction": 0.3 } } } }), true),
        (json!({ "All": { "law": "Frictionless", "initial_penetration": { "Mm": 1 } } }), true),
        (json!({ "Some": { "law": "Frictionless" } }), false),
        (json!({ "All": {} }), false),
        (json!({ "All": { "law": "Frictionless" }, "More": 1 }), false),
        (json!(3), false),
    ] {
        value["contacts"] = contacts;
        let read = Loaded::from_text(Path::new("x.json"), value.to_string(), &[]);
        assert_eq!((validator.is_valid(&value), read.is_ok()), (good, good), "{}", value["contacts"]);
    }
}

#[test]
fn all_contacts_that_are_refused() {
    for (contacts, words) in [
        ("Every(law: Frictionless)", "expected a list [ … ] or `All(law: …)`"),
        ("(law: Frictionless)", "expected a list [ … ] or `All(law: …)`"),
        ("All(lw: Frictionless)", "x.ron:"),
        ("All()", "contacts"),
        ("All", "contacts"),
        ("All(law: Frictionles)", "Frictionless"),
        ("All(law: SignoriniCoulomb(friction: Mm(1)))", "E0144"),
    ] {
        let text = refused(Loaded::from_text(Path::new("x.ron"), bodies(contacts), &[]));
        assert!(text.contains(words), "{contacts}: {text}");
    }
    let one = "(name: \"@\", mesh: Round(centre: (0, @), radius: 0.1), material: \"m\"),";
    let many: String = (0..65).map(|k| one.replace('@', &k.to_string())).collect();
    let (start, end) = (BASE.find("bodies:").unwrap(), BASE.find("    integrator").unwrap());
    let text = format!("{}bodies: [{many}], contacts: All(law: Frictionless),\n{}", &BASE[..start], &BASE[end..]);
    let text = text.replace("kinematics: SmallStrain,", "");
    let found = Loaded::from_text(Path::new("x.ron"), text, &[]).unwrap().model::<2>().err().unwrap().to_string();
    assert!(found.contains("E0319") && found.contains("65 entries of bodies"), "{found}");
}

/// A mesh without a group `boundary` gets one where a contact asks for it: all of its outer facets.
#[test]
fn the_boundary_of_a_mesh_without_groups() {
    let folder = tempfile::tempdir().unwrap();
    let square = "*NODE\n1, 0, 0\n2, 1, 0\n3, 1, 1\n4, 0, 1\n*ELEMENT, TYPE=CPE4\n1, 1, 2, 3, 4\n";
    fs::write(folder.path().join("square.inp"), square).unwrap();
    let text = bodies("All(law: Frictionless)")
        .replace("Rectangle(corner: (0, 0), size: (1, 1), cells: (2, 2))", "File(\"square.inp\")");
    let model = Loaded::from_text(&folder.path().join("x.ron"), text, &[]).unwrap().model::<2>().unwrap();
    assert_eq!(model.bodies[0].body.mesh().group_facets("boundary").unwrap().len(), 4);
}

/// A number with its unit as an object is the number in SI units.
#[test]
fn units_in_json() {
    let ron = r#"(
        title: "x", kinematics: SmallStrain,
        materials: [(name: "m", density: 1000, law: KelvinVoigt(young: GPa(2), poisson: 0.3))],
        bodies: [(name: "a", mesh: Rectangle(corner: (0, Mm(10)), size: (Cm(20), 1), cells: (2, 2)), material: "m", velocity: (KmPerHour(3.6), 0))],
        boundary: [(body: "a", group: "left", x: Table([(0, 0), (Minutes(1), MmPerYear(2))])), (body: "a", group: "right", y: Displacement(Ramp(end: Hours(1), to: Mm(2))))],
        integrator: Theta(theta: 0.5), step: 1e-3, duration: Minutes(1),
    )"#;
    let json = r#"{
        "title": "x", "kinematics": "SmallStrain",
        "materials": [{"name": "m", "density": 1000, "law": {"KelvinVoigt": {"young": {"GPa": 2}, "poisson": 0.3}}}],
        "bodies": [{"name": "a", "mesh": {"Rectangle": {"corner": [0, {"Mm": 10}], "size": [{"Cm": 20}, 1], "cells": [2, 2]}}, "material": "m", "velocity": [{"KmPerHour": 3.6}, 0]}],
        "boundary": [{"body": "a", "group": "left", "x": {"Table": [[0, 0], [{"Minutes": 1}, {"MmPerYear": 2}]]}}, {"body": "a", "group": "right", "y": {"Displacement": {"Ramp": {"end": {"Hours": 1}, "to": {"Mm": 2}}}}}],
        "integrator": {"Theta": {"theta": 0.5}}, "step": 1e-3, "duration": {"Minutes": 1}
    }"#;
    let read = |path: &str, text: &str| Loaded::from_text(Path::new(path), text.to_owned(), &[]);
    let expected = read("x.ron", ron).unwrap().resolved_text().unwrap();
    assert_eq!(read("x.json", json).unwrap().resolved_text().unwrap(), expected);
    let validator = jsonschema::draft202012::new(&case_schema()).unwrap();
    assert!(validator.is_valid(&serde_json::from_str(json).unwrap()));
    let with = |old: &str, new: &str| {
        assert!(json.contains(old), "{old}");
        refused(read("x.json", &json.replace(old, new)))
    };
    let check = |old: &str, new: &str, words: &str| {
        let text = with(old, new);
        assert!(text.contains(words), "{text}");
    };
    check("\"duration\": {\"Minutes\": 1}", "\"duration\": {\"Mm\": 1}", "E0143]: x.json:6:");
    check("\"duration\": {\"Minutes\": 1}", "\"duration\": {\"Mins\": 1}", "no unit `Mins`");
    check(
        "\"duration\": {\"Minutes\": 1}",
        "\"duration\": {\"Minutes\": [1, 2]}",
        "each number has its own unit: `[{\"Minutes\": 1.0}",
    );
    check(
        "\"duration\": {\"Minutes\": 1}",
        "\"duration\": {\"Minutes\": \"1\"}",
        "write one number: `{\"Minutes\": 1.0}`",
    );
    check("\"duration\": {\"Minutes\": 1}", "\"duration\": {\"Myr\": 1e308}", "E0146");
    check("\"density\": 1000", "\"density\": {\"Tonnes\": 1}", "E0144");
    check("[{\"Minutes\": 1},", "[{\"Mm\": 1},", "number 1 in a row of `Table` is a time");
    check("\"to\": {\"Mm\": 2}", "\"to\": {\"Days\": 2}", "is a length: Days is a unit of time");
    check("\"title\": \"x\"", "\"title\": \"x\", \"units\": \"Plain\"", "E0145");
    // Behind a unit the places are as written.
    check("\"step\": 1e-3", "\"step\": \"x\"", "x.json:6:58: step: expected a number");
}

/// What varies from place to place, and what links to the ground: every reason for a refusal, at its key.
#[test]
fn placed_things_that_are_refused() {
    let check = |old: &str, new: &str, code: &str, words: &str| {
        let text = BASE.replace(old, new);
        assert_ne!(text, BASE, "{old}");
        let found = Loaded::from_text(Path::new("x.ron"), text, &[]).unwrap().model::<2>().err().unwrap().to_string();
        assert!(found.contains(code) && found.contains(words), "{new}: {found}");
    };
    let end = "    duration";
    let with = |key: &str| format!("    {key},\n    duration");
    let load = |rest: &str| with(&format!("loads: [Pressure(body: \"a\", group: \"left\", pressure: 1, {rest})]"));
    check(end, &load("field: \"x + q\""), "E0634", "loads[0].field: character 5: no variable `q`");
    check(end, &load("field: \"z\""), "E0634", "no variable `z`");
    check(end, &load("field: \"1/(x - x)\""), "E0623", "bodies[0]");
    check(end, &load("field: \"1\", follows: true"), "E0179", "loads[0].field");
    let body = "material: \"m\")";
    let field = |rest: &str| format!("material: \"m\", {rest})");
    check(body, &field("velocity_field: [\"1\"]"), "E0308", "bodies[0].velocity_field: 1 expressions where 2");
    check(
        body,
        &field("velocity_field: [\"1\", \"sqrt(-1 - x)\"]"),
        "E0177",
        "velocity_field[1]: the expression is NaN at",
    );
    check(body, &field("velocity_field: [\"1\", \"0\"], rigid: true"), "E0179", "bodies[0].velocity_field");
    let fields = field("displacement_field: [\"1e-3*x\", \"0\"]");
    let at_rest = BASE.replace(body, &fields).replace(end, &with("start: Equilibrium"));
    let found = Loaded::from_text(Path::new("x.ron"), at_rest, &[]).unwrap().model::<2>().err().unwrap().to_string();
    assert!(found.contains("E0178") && found.contains("displacement_field"), "{found}");
    let link = |rest: &str| with(&format!("attachments: [(body: \"a\", group: \"left\"{rest})]"));
    check(end, &link(""), "E0325", "attachments[0]: it does nothing");
    check(end, &link(", mass: -1"), "E0307", "attachments[0].mass: mass = -1");
    check(end, &link(", stiffness: (1, 2, 3)"), "E0308", "attachments[0].stiffness");
    check(end, &link(", absorbing: true").replace("left", "lost"), "E04", "attachments[0].group");
    check(end, &link(", absorbing: true").replace("\"a\"", "\"b\""), "E0335", "attachments[0].body");
    let rigid = BASE.replace(body, &field("rigid: true")).replace(end, &link(", mass: 1"));
    let found = Loaded::from_text(Path::new("x.ron"), rigid, &[]).unwrap().model::<2>().err().unwrap().to_string();
    assert!(found.contains("E0326"), "{found}");
}

/// A case in the folder of the sample meshes, with texts of `BASE` replaced.
fn beside_meshes(replaced: &[(&str, &str)]) -> Loaded {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../delassus-mesh/tests/data");
    in_folder(&folder, replaced)
}

fn in_folder(folder: &Path, replaced: &[(&str, &str)]) -> Loaded {
    let mut text = BASE.to_owned();
    for (from, to) in replaced {
        assert!(text.contains(from), "no {from}");
        text = text.replace(from, to);
    }
    Loaded::from_text(&folder.join("x.ron"), text, &[]).unwrap()
}

const GENERATED: &str = "Rectangle(corner: (0, 0), size: (1, 1), cells: (2, 2)), material: \"m\"";

/// A file in millimetres is the same file in metres, a thousandth in size.
#[test]
fn the_unit_of_a_mesh_file() {
    let plate = |keys: &str| {
        let file = format!("File(\"plate_q8.inp\"), material: \"m\"{keys}");
        beside_meshes(&[(GENERATED, &file)]).model::<2>().unwrap()
    };
    let (metres, small) = (plate(""), plate(", scale: Mm(1), translation: (2, 0)"));
    let [a, b] = [&metres, &small].map(|m| &m.bodies[0].body.mesh().points);
    assert!(a.len() > 20 && a.len() == b.len());
    for (x, y) in a.iter().zip(b) {
        assert_eq!([x[0] * 1e-3 + 2.0, x[1] * 1e-3].map(f64::to_bits), y.map(f64::to_bits), "scaled, then shifted");
    }
    let [heavy, light] = [&metres, &small].map(|m| m.bodies[0].body.total_mass());
    // An area with sides a thousandth as long; some rounding errors of some cells.
    assert!((light / heavy * 1e6 - 1.0).abs() < 1e-12, "{light} of {heavy}");
    let side = ", scale: Mm(1), faces: [(name: \"side\", all_of: [Plane(point: (Mm(1), 0), normal: (1, 0))])]";
    assert!(plate(side).bodies[0].body.mesh().groups.iter().any(|g| g.name == "side"), "rules are in metres");
    for (keys, code) in [("scale: 0", "E0305"), ("scale: -1", "E0305")] {
        let file = format!("File(\"plate_q8.inp\"), material: \"m\", {keys}");
        let found = beside_meshes(&[(GENERATED, &file)]).model::<2>().err().unwrap().to_string();
        assert!(found.contains(code) && found.contains("bodies[0].scale"), "{found}");
    }
    let made = format!("{GENERATED}, scale: 2");
    let found = beside_meshes(&[(GENERATED, &made)]).model::<2>().err().unwrap().to_string();
    assert!(found.contains("E0181") && found.contains("bodies[0].scale"), "{found}");
}

/// A cube from 0 to 1.
const CUBE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n\
    f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 4 8 7 3\nf 1 5 8 4\nf 2 3 7 6\n";

/// The highest coordinates of some points, or the lowest.
fn corner(points: &[nalgebra::Vector3<f64>], upper: bool) -> [f64; 3] {
    let sign = if upper { 1.0 } else { -1.0 };
    std::array::from_fn(|k| sign * points.iter().map(|p| sign * p[k]).fold(f64::NEG_INFINITY, f64::max))
}

/// The surface of a file is scaled, then turned, then shifted.
#[test]
fn an_obstacle_from_a_file_in_its_place() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("cube.obj"), CUBE).unwrap();
    let extent = |keys: &str| {
        let obstacle = format!(
            "obstacles: [(name: \"o\", shape: Mesh(file: \"cube.obj\", solid: Inside{keys}))],
            contacts: [(name: \"c\", candidates: (body: \"a\", group: \"boundary\"), antagonists: Obstacle(\"o\"), law: Frictionless)],
            integrator"
        );
        let solid = "Box(corner: (0, 9, 0), size: (1, 1, 1), cells: (1, 1, 1)), material: \"m\"";
        let space = [(GENERATED, solid), ("kinematics", "dimension: 3, kinematics"), ("integrator", &obstacle)];
        let lowered = in_folder(folder.path(), &space).model::<3>().map_err(|e| e.to_string())?;
        let (_, o) = lowered.obstacles().next().unwrap();
        let points = o.shape.faces(&[]).points;
        Ok::<_, String>([true, false].map(|upper| corner(&points, upper)))
    };
    // (x, y, z) → (x, z, −y), halved and shifted.
    let turned = ", scale: 0.5, rotation: -90, rotation_axis: (1, 0, 0), translation: (0, 1, 0.25)";
    for (keys, high, low) in [
        ("", [1.0, 1.0, 1.0], [0.0; 3]),
        (turned, [0.5, 1.5, 0.25], [0.0, 1.0, -0.25]),
        (", scale: Mm(500)", [0.5; 3], [0.0; 3]),
    ] {
        for (found, expected) in extent(keys).unwrap().iter().flatten().zip([high, low].iter().flatten()) {
            assert!((found - expected).abs() < 1e-12, "{keys}: {found}, expected {expected}");
        }
    }
    for (keys, code) in [
        (", scale: 0", "E0305"),
        (", rotation_axis: (0, 0, 0), rotation: 1", "E0312"),
        (", translation: (1, 2)", "E0308"),
    ] {
        let found = extent(keys).unwrap_err();
        assert!(found.contains(code) && found.contains("obstacles[0].shape."), "{keys}: {found}");
    }
}
