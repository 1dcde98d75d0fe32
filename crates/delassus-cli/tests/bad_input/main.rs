//! Bad input: every mistake ends with the right exit code and a message that names file, line, key, value and what
//! would be right; and nothing is written.
//!
//! A row of a table is: name, text of `tests/data/block.ron` that is replaced, by what, and what the message has to
//! contain (pieces separated by ` | `), the codes of all errors first.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails by panicking")]

#[path = "../common/mod.rs"]
mod common;

mod command;
mod functions;
mod meshes;
mod names;
mod numbers;
mod references;
mod several;
mod space;
mod start;
mod text;
mod units;
mod values;

use common::{BLOCK, Done, Scene, edited};

/// Exit code for a case that is wrong.
const INPUT: i32 = 2;
/// Exit code for a mesh or a geometry that is wrong.
const MESH: i32 = 3;
/// Exit code for equations that are not solved.
const NOT_CONVERGED: i32 = 4;
/// Exit code for files that cannot be read or written.
const FILES: i32 = 5;

/// Name, text replaced, by what, what the message has to say.
type Row = (&'static str, &'static str, &'static str, &'static str);

/// Every row is a mistake of its own that both `run` and `check` refuse with this code.
fn check_rows(rows: &[Row], code: i32) {
    for (i, (name, from, to, says)) in rows.iter().enumerate() {
        assert!(rows[..i].iter().all(|r| r.0 != *name && (r.1, r.2) != (*from, *to)), "`{name}` is there twice");
        let scene = Scene::new(&edited(BLOCK, &[(*from, *to)]));
        check_refused(name, &scene, code, says);
    }
}

/// `run` and `check` refuse the case of a scene with the same words, and leave nothing behind.
fn check_refused(name: &str, scene: &Scene, code: i32, says: &str) {
    let before = listing(scene);
    let ran = scene.delassus(&["run", "case.ron", "--out", "out"]);
    check_message(name, &ran, code, says);
    let ends: Vec<&str> = ran.stderr.lines().rev().take(2).collect();
    let problems = ran.stderr.lines().filter(|l| l.starts_with("error[") && l.contains("]: case.ron:")).count();
    let plural = if problems == 1 { "problem" } else { "problems" };
    let first = codes(&ran).first().cloned().unwrap_or_default();
    let expected = [format!("for more: delassus explain {first}"), format!("{problems} {plural} in case.ron")];
    assert_eq!(ends, expected, "{name}");
    let checked = scene.delassus(&["check", "case.ron"]);
    assert_eq!((checked.code, &checked.stderr), (code, &ran.stderr), "{name}: `check` and `run` must agree");
    assert_eq!(listing(scene), before, "{name}: something was written");
}

/// The program ended with this exit code, said all of this on stderr with these error codes and no others, and nothing on
/// stdout. What clap says of arguments has no codes.
fn check_message(name: &str, done: &Done, code: i32, says: &str) {
    assert_eq!(done.code, code, "{name}: {}", done.stderr);
    assert!(done.stderr.starts_with("error"), "{name}: {}", done.stderr);
    assert_eq!(done.stdout, "", "{name}: errors go to stderr");
    let is_code = |piece: &&str| piece.len() == 5 && piece.starts_with('E') && piece[1..].parse::<u16>().is_ok();
    let (expected, pieces): (Vec<&str>, Vec<&str>) = says.split(" | ").partition(is_code);
    assert_eq!(codes(done), expected, "{name}: {}", done.stderr);
    for piece in pieces {
        assert!(done.stderr.contains(piece), "{name}: no `{piece}` in\n{}", done.stderr);
    }
}

/// The codes of all errors, each once, in the order shown.
fn codes(done: &Done) -> Vec<String> {
    let mut codes: Vec<String> = Vec::new();
    let printed = done.stderr.lines().filter_map(|l| l.strip_prefix("error[")?.split(']').next());
    for code in printed {
        if !codes.iter().any(|c| c == code) {
            codes.push(code.to_owned());
        }
    }
    codes
}

/// Names of everything in the folder of a scene.
fn listing(scene: &Scene) -> Vec<String> {
    let entries = std::fs::read_dir(scene.path("")).unwrap();
    let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// The base case itself is good: what the rows find is what they changed.
#[test]
fn the_base_case_is_good() {
    let scene = Scene::new(BLOCK);
    let done = scene.delassus(&["run", "case.ron", "--out", "out"]);
    assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{done:?}");
    assert_eq!(listing(&scene), ["case.ron", "out"]);
}

/// A table that was emptied by accident would pass: these are the numbers of rows that cannot be lost in silence.
#[test]
fn the_tables_are_not_empty() {
    let in_case = text::ROWS.len() + values::ROWS.len() + names::INPUT_ROWS.len() + names::MESH_ROWS.len();
    assert!(space::INPUT_ROWS.len() + space::MESH_ROWS.len() >= 33, "mistakes in space");
    assert!(units::ROWS.len() >= 18, "mistakes in units");
    assert!(in_case >= 105, "{in_case} mistakes in cases");
    assert!(meshes::ROWS.len() >= 17, "{} mistakes in meshes", meshes::ROWS.len());
}
