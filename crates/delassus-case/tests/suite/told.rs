//! What a user is told when a setting or a choice is wrong, and that settings reach what the case leaves out.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails by panicking")]

use std::collections::BTreeSet;
use std::path::Path;

use delassus_case::CaseError;
use delassus_case::Loaded;
use delassus_case::spec::{Case, NOUNS, SolverSpec};
use serde_json::Value;

const SMALL: &str = r#"(
    title: "small",
    kinematics: SmallStrain,
    materials: [(name: "m", density: 1.0, law: KelvinVoigt(young: 1.0, poisson: 0.3))],
    bodies: [(name: "b", mesh: Rectangle(corner: (0, 0), size: (1, 1), cells: (1, 1)), material: "m")],
    integrator: Theta(theta: 0.5), step: 1.0, duration: 1.0,
)"#;

/// The same case in JSON.
fn small_json() -> String {
    Loaded::from_text(Path::new("a.ron"), SMALL.into(), &[]).unwrap().json_text().unwrap()
}

fn loaded(name: &str, text: &str, settings: &[&str]) -> Result<Loaded, CaseError> {
    let settings: Vec<String> = settings.iter().map(|s| (*s).to_owned()).collect();
    Loaded::from_text(Path::new(name), text.to_owned(), &settings)
}

/// A key whose holder the case leaves to its default can be set, whatever the default is: a struct, a variant with
/// fields, one in an entry of a list, an optional one that is absent.
#[test]
fn holders_may_be_absent() {
    let all = ["output.every=3", "solver.tolerance=1e-9", "solver.margins.gap=1e-6", "bodies.b.damping.beta=1e-5"];
    let more = ["bodies[0].copies.count=2", "solver.fallback[0]=Newton"];
    let case = loaded("a.ron", SMALL, &[&all[..], &more].concat()).unwrap().case;
    assert_eq!(case.output.every, Some(3));
    let SolverSpec::Nlgs(nlgs) = &case.solver else { panic!("{:?}", case.solver) };
    assert!((nlgs.tolerance - 1e-9).abs() < 1e-24 && (nlgs.margins.gap - 1e-6).abs() < 1e-21);
    assert_eq!(nlgs.fallback.len(), 6);
    assert!((case.bodies[0].damping.beta - 1e-5).abs() < 1e-20);
    assert_eq!(case.bodies[0].copies.as_ref().map(|c| c.count), Some(2));
    // Defaults are not written out where nothing was set: the same as if the user had written it.
    let by_hand = SMALL.replace("duration: 1.0,", "duration: 1.0, solver: Nlgs(tolerance: 1e-9),");
    let set = loaded("a.ron", SMALL, &["solver.tolerance=1e-9"]).unwrap();
    assert_eq!(set.hash(), loaded("a.ron", &by_hand, &[]).unwrap().hash());
    // A case that lacks what a later setting gives cannot say its defaults yet; a plain struct needs none.
    let late = loaded("a.ron", &SMALL.replace("step: 1.0,", ""), &["output.every=3", "step=1.0"]).unwrap();
    assert_eq!(late.case.output.every, Some(3));
}

#[test]
fn holders_may_be_absent_in_json() {
    // As a program writes it: only what is needed.
    let mut value: serde_json::Value = serde_json::from_str(&small_json()).unwrap();
    let map = value.as_object_mut().unwrap();
    map.remove("output");
    map.remove("solver");
    let text = serde_json::to_string_pretty(&value).unwrap();
    let case = loaded("a.json", &text, &["output.every=3", "solver.tolerance=1e-9"]).unwrap().case;
    assert_eq!(case.output.every, Some(3));
    let SolverSpec::Nlgs(nlgs) = &case.solver else { panic!("{:?}", case.solver) };
    assert!((nlgs.tolerance - 1e-9).abs() < 1e-24);
}

/// Mistakes in what was set this way name the setting.
#[test]
fn mistakes_name_the_setting() {
    let says = |settings: &[&str]| match loaded("a.ron", SMALL, settings) {
        Err(e) => e.to_string(),
        Ok(loaded) => loaded.model::<2>().err().map_or(String::new(), |e| e.to_string()),
    };
    let check = |setting: &str, pieces: &[&str]| {
        let said = says(&[setting]);
        for piece in pieces {
            assert!(said.contains(piece), "{setting}: no `{piece}` in\n{said}");
        }
    };
    check("output.evry=1", &["no field `evry`", "did you mean `every`", "given by --set output.evry=1"]);
    check("output.every=0", &["0 steps between frames", "given by --set output.every=0"]);
    check("output.every=\"x\"", &["output.every", "given by --set output.every"]);
    check("solver.tolerance=2.0", &["tolerance = 2", "given by --set solver.tolerance=2.0"]);
    check("outptu.every=1", &["no key `outptu` at the top", "did you mean `output`"]);
    check("bodies.b.dampng.beta=1", &["no key `dampng` in `bodies.b`", "did you mean `damping`"]);
    check("start.x=1", &["cannot go to `x` in `start`"]);
}

/// A choice that does not exist is called by what it is, in both languages, with what there is instead.
#[test]
fn choices_by_name() {
    let said = |name: &str, text: &str| match loaded(name, text, &[]) {
        Err(e) => e.to_string(),
        Ok(_) => String::new(),
    };
    let static_scheme = said("a.ron", &SMALL.replace("Theta(theta: 0.5)", "Static"));
    let static_json = said("a.json", &small_json().replace("\"Theta\"", "\"Static\""));
    for text in [static_scheme, static_json] {
        assert!(text.contains("no integrator `Static`") && text.contains("`start: Equilibrium`"), "{text}");
        assert!(text.contains("the integrators are `Theta`") && !text.contains("IntegratorSpec"), "{text}");
    }
    let mesh = said("a.ron", &SMALL.replace("Rectangle(", "Rectangel("));
    assert!(mesh.contains("no mesh `Rectangel`") && mesh.contains("did you mean `Rectangle`?"), "{mesh}");
    let item = said("a.ron", &SMALL.replace("step: 1.0", "loads: [PointForce(body: \"b\")], step: 1.0"));
    assert!(item.contains("no load `PointForce`") && item.contains("`NodalForce`"), "{item}");
    let field = said("a.ron", &SMALL.replace("material: \"m\"", "materal: \"m\""));
    assert!(field.contains("no field `materal`") && !field.contains("BodyEntry"), "{field}");
}

/// Notes (key at the top, own key) of every choice among named variants below a schema.
fn choices(defs: &Value, schema: &Value, top: &str, key: &str, found: &mut BTreeSet<(String, String)>) {
    if let Some(name) = schema["$ref"].as_str().and_then(|r| r.rsplit('/').next()) {
        // Its own reader says what it can be.
        if name != "TimeFunction" {
            choices(defs, &defs[name], top, key, found);
        }
        return;
    }
    let is_name = |name: &str| name.starts_with(|c: char| c.is_ascii_uppercase());
    let list = |of: &str| schema[of].as_array().cloned().unwrap_or_default();
    if list("enum").iter().any(|v| v.as_str().is_some_and(is_name)) || schema["const"].as_str().is_some_and(is_name) {
        found.insert((top.into(), key.into()));
    }
    for option in ["oneOf", "anyOf", "allOf"].into_iter().flat_map(list) {
        choices(defs, &option, top, key, found);
    }
    if let Some(properties) = schema["properties"].as_object() {
        for (name, value) in properties {
            if is_name(name) {
                found.insert((top.into(), key.into()));
                choices(defs, value, top, key, found);
            } else {
                choices(defs, value, if top.is_empty() { name } else { top }, name, found);
            }
        }
    }
    choices_of_items(defs, &schema["items"], top, key, found);
    for item in list("prefixItems") {
        choices_of_items(defs, &item, top, key, found);
    }
}

fn choices_of_items(defs: &Value, items: &Value, top: &str, key: &str, found: &mut BTreeSet<(String, String)>) {
    if items.is_object() {
        choices(defs, items, top, key, found);
    }
}

#[test]
fn every_choice_has_a_name() {
    let schema = schemars::schema_for!(Case).to_value();
    let mut found = BTreeSet::new();
    choices(&schema["$defs"], &schema, "", "", &mut found);
    let named: BTreeSet<(String, String)> = NOUNS.iter().map(|n| (n.top.into(), n.key.into())).collect();
    let missing: Vec<_> = found.difference(&named).collect();
    let idle: Vec<_> = named.difference(&found).collect();
    assert!(missing.is_empty() && idle.is_empty(), "without a name: {missing:?}; without a choice: {idle:?}");
    assert_eq!(named.len(), NOUNS.len(), "one is there twice");
}

/// Names looked for are written as they are compared, and are not names that exist.
#[test]
fn names_looked_for() {
    for (name, _) in NOUNS.iter().flat_map(|n| n.instead).flat_map(|(names, way)| names.iter().map(move |n| (n, way))) {
        assert_eq!(**name, name.to_lowercase());
    }
}
