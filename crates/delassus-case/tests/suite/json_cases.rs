//! Cases in JSON: the schema and the program agree on them, and a case is the same in either language.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails by panicking")]

use std::path::{Path, PathBuf};

use delassus_case::schema::case_schema;
use delassus_case::{Case, Loaded};
use delassus_run::{RunOptions, Silent, run_case};
use jsonschema::Validator;
use serde_json::{Value, json};

fn shipped() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases");
    let mut cases: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    cases.retain(|p| p.extension().is_some_and(|e| e == "ron"));
    cases.sort();
    assert!(cases.len() >= 26, "only {} cases found", cases.len());
    cases
}

fn validator() -> Validator {
    jsonschema::draft202012::new(&case_schema()).unwrap()
}

fn case(name: &str) -> Loaded {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases").join(name);
    Loaded::read(&path, &[]).unwrap()
}

#[test]
fn the_schema_is_one_of_draft_2020_12_and_names_every_top_level_key() {
    let schema = case_schema();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    assert!(jsonschema::meta::is_valid(&schema));
    let keys = schema["properties"].as_object().unwrap();
    assert_eq!(keys.len(), Case::keys().len());
    for (key, _) in Case::keys() {
        assert!(keys.contains_key(key), "{key}");
        assert!(keys[key]["description"].is_string(), "{key} has no description");
    }
    let required: Vec<&str> = schema["required"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert_eq!(required, Case::required_keys());
    assert!(!schema.to_string().contains("\\\\["), "marks of documentation comments are left");
}

#[test]
fn every_shipped_case_validates_and_is_the_same_case_in_json() {
    let validator = validator();
    for path in shipped() {
        let name = path.display();
        let ron = Loaded::read(&path, &[]).unwrap();
        let text = ron.json_text().unwrap();
        let value: Value = serde_json::from_str(&text).unwrap();
        let errors: Vec<String> = validator.iter_errors(&value).map(|e| format!("{}: {e}", e.instance_path)).collect();
        assert!(errors.is_empty(), "{name}: {errors:?}");
        let json = Loaded::from_text(&path.with_extension("json"), text, &[]).unwrap();
        assert_eq!(json.resolved_text().unwrap(), ron.resolved_text().unwrap(), "{name}");
    }
}

/// What the schema refuses, the program refuses too.
#[test]
fn wrong_cases_do_not_validate() {
    let validator = validator();
    let good: Value = serde_json::from_str(&case("blocks-gmsh.ron").json_text().unwrap()).unwrap();
    let check = |change: fn(&mut Value), valid: bool| {
        let mut value = good.clone();
        change(&mut value);
        let read = Loaded::from_text(Path::new("x.json"), value.to_string(), &[]);
        assert_eq!((validator.is_valid(&value), read.is_ok()), (valid, valid), "{value}");
    };
    check(|_| (), true);
    check(|v| v["stepp"] = json!(1), false);
    check(|v| v["step"] = json!("fast"), false);
    check(|v| drop(v.as_object_mut().unwrap().remove("materials")), false);
    check(|v| v["bodies"][0]["velocityy"] = json!([1, 2]), false);
    check(|v| v["bodies"][0]["velocity"] = json!([1, "x"]), false);
    check(|v| v["bodies"][0]["mesh"] = json!({ "Fiel": "a.msh" }), false);
    check(|v| v["bodies"][0]["mesh"] = json!({ "Rectangle": { "corner": [0, 0], "size": [1, 1] } }), false);
    check(|v| v["integrator"] = json!({ "Theta": { "theta": 0.5, "beta": 1 } }), false);
    check(|v| v["integrator"] = json!({ "Theta": { "theta": 0.5 }, "Newmark": {} }), false);
    check(|v| v["integrator"] = json!(3), false);
    check(|v| v["output"] = json!({ "every": -1 }), false);
    check(|v| v["output"] = json!({ "every": null }), true);
    check(|v| v["verify"] = Value::Null, true);
}

/// Functions of time and the other names of obstacles are described by hand.
#[test]
fn forms_written_by_hand_are_those_that_are_read() {
    let validator = validator();
    let good: Value = serde_json::from_str(&case("blocks-gmsh.ron").json_text().unwrap()).unwrap();
    let check = |key: &str, entry: Value, valid: bool| {
        let mut value = good.clone();
        value[key] = json!([entry]);
        let read = Loaded::from_text(Path::new("x.json"), value.to_string(), &[]);
        assert_eq!((validator.is_valid(&value), read.is_ok()), (valid, valid), "{entry}");
    };
    let factor = |f: Value| json!({ "Gravity": { "acceleration": [0, -9.81], "factor": f } });
    for (function, valid) in [
        (json!(2), true),
        (json!({ "Constant": 2.5 }), true),
        (json!({ "Table": [[0, 0], [1, 2.5]] }), true),
        (json!({ "Table": [[0, 0, 1]] }), false),
        (json!({ "Ramp": { "end": 1, "to": 2 } }), true),
        (json!({ "Ramp": { "end": 1 } }), false),
        (json!({ "Ramp": { "end": 1, "to": 2, "over": 1 } }), false),
        (json!({ "Sine": { "amplitude": 1, "frequency": 2, "phase": 0.1 } }), true),
        (json!({ "Sine": { "amplitude": 1 } }), false),
        (json!("x"), false),
    ] {
        check("loads", factor(function), valid);
    }
    for (name, valid) in [("HalfPlane", true), ("HalfSpace", true), ("HalfVolume", false)] {
        check("obstacles", json!({ "name": "a", "shape": { name: { "point": [0, 0], "normal": [0, 1] } } }), valid);
    }
    for (name, valid) in [("Circle", true), ("Sphere", true), ("Hole", true), ("Cavity", true), ("Square", false)] {
        check("obstacles", json!({ "name": "a", "shape": { name: { "centre": [0, 0], "radius": 1 } } }), valid);
    }
}

/// The same bits at the end, whatever the case was written in.
#[test]
fn a_run_does_not_depend_on_the_language() {
    for name in ["bars-impact.ron", "sliding-block.ron"] {
        let folder = tempfile::tempdir().unwrap();
        let settings = [String::from("duration=2e-5"), String::from("step=1e-6"), String::from("verify=null")];
        let ron = case(name);
        let path = ron.path.with_extension("json");
        let text = ron.json_text().unwrap();
        let json = Loaded::from_text(&path, text.clone(), &settings).unwrap();
        let settings = [String::from("duration=2e-5"), String::from("step=1e-6"), String::from("verify=None")];
        let ron = Loaded::read(&ron.path, &settings).unwrap();
        let hash = |loaded: &Loaded, out: &str| {
            let options = RunOptions { out: Some(folder.path().join(out)), threads: Some(1), ..RunOptions::default() };
            run_case(loaded, &options, &mut Silent).unwrap().state_hash
        };
        assert_eq!(hash(&json, "json"), hash(&ron, "ron"), "{name}");
        assert_eq!(std::fs::read_to_string(folder.path().join("json/case.json")).unwrap(), text);
        assert!(!folder.path().join("json/case.ron").exists());
        assert!(delassus_report::write_report(&folder.path().join("json")).is_ok());
    }
}
