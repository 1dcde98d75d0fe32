//! The commands around a run: init, show, diff, schema, completions, and what programs read of a run.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails by panicking")]

use std::process::Stdio;

use serde_json::Value;

use crate::common::{BLOCK, Done, Scene, edited};

fn lines(done: &Done) -> Vec<Value> {
    done.stdout.lines().map(|l| serde_json::from_str(l).unwrap()).collect()
}

fn events(values: &[Value]) -> Vec<&str> {
    values.iter().map(|v| v["event"].as_str().unwrap()).collect()
}

/// A scene with a run in `a` and a copy of it in `b`.
fn two_runs() -> Scene {
    let scene = Scene::new(BLOCK);
    for out in ["a", "b"] {
        let done = scene.delassus(&["run", "case.ron", "--out", out, "--quiet"]);
        assert_eq!(done.code, 0, "{}", done.stderr);
    }
    scene
}

/// Replaces a text in a file.
fn change(scene: &Scene, file: &str, from: &str, to: &str) {
    let text = std::fs::read_to_string(scene.path(file)).unwrap();
    std::fs::write(scene.path(file), edited(&text, &[(from, to)])).unwrap();
}

#[test]
fn init_lists_and_copies() {
    let scene = Scene::new("");
    let list = scene.delassus(&["init"]);
    assert_eq!(list.code, 0, "{}", list.stderr);
    let line = list.stdout.lines().find(|l| l.starts_with("sliding-block ")).unwrap();
    assert!(
        line.contains("2D") && line.contains("< 1 s") && line.ends_with("A block slides on a rough plane and stops")
    );
    assert!(list.stdout.lines().count() > 26);

    let made = scene.delassus(&["init", "blocks-gmsh"]);
    assert_eq!((made.code, made.stdout.lines().next()), (0, Some("blocks-gmsh/blocks-gmsh.ron")), "{}", made.stderr);
    let short = ["--set", "duration=1e-3", "--set", "verify=None"];
    let ran = scene.delassus(&[&["run", "blocks-gmsh/blocks-gmsh.ron", "-q"][..], &short].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let elsewhere = scene.delassus(&["init", "bars-impact", "--out", "my/own"]);
    assert_eq!(elsewhere.code, 0);
    assert!(scene.path("my/own/bars-impact.ron").is_file());

    let again = scene.delassus(&["init", "blocks-gmsh"]);
    assert!(
        again.code == 5 && again.stderr.contains("error[E0806]: `blocks-gmsh/blocks-gmsh.ron` exists already"),
        "{}",
        again.stderr
    );
    let unknown = scene.delassus(&["init", "slidingblock"]);
    assert!(unknown.code == 2 && unknown.stderr.starts_with("error[E0807]: "), "{}", unknown.stderr);
    assert!(unknown.stderr.contains("did you mean `sliding-block`?"), "{}", unknown.stderr);
    assert_eq!(scene.delassus(&["init", "--out", "x"]).code, 2, "a folder for what?");
}

#[test]
fn show_a_finished_run() {
    let scene = two_runs();
    let done = scene.delassus(&["show", "a"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    for piece in [
        "A block slides along a plank\n",
        "Pass: 20 of 20 steps at tolerance 1e-10",
        "case       case.ron",
        "pass       sliding speed: ",
        "last row   step 20, t = 2.000 ms",
        "kinetic_energy = ",
        "slide.force_x = ",
        "files      case.ron, case.resolved.ron, manifest.json, status.json, names.csv, history.csv",
        "history    21 rows",
        "ParaView   open a/fields.pvd (5 frames)",
        "delassus report a",
    ] {
        assert!(done.stdout.contains(piece), "no `{piece}` in\n{}", done.stdout);
    }
    let json: Value = serde_json::from_str(&scene.delassus(&["show", "a", "--json"]).stdout).unwrap();
    assert_eq!((&json["finished"], &json["verdict"]), (&Value::Bool(true), &Value::from("Pass")));
    assert_eq!(json["manifest"]["steps"], 20);
    assert_eq!((&json["history"]["rows"], &json["history"]["last"]["step"]), (&Value::from(21), &Value::from(20.0)));
    assert_eq!(json["frames"]["fields"], 5);
}

/// Killed, or still going: no manifest, and half a line at the end of the history.
#[test]
fn show_an_unfinished_run() {
    let scene = two_runs();
    std::fs::remove_file(scene.path("a/manifest.json")).unwrap();
    std::fs::remove_file(scene.path("a/run.log")).unwrap();
    let history = std::fs::read_to_string(scene.path("a/history.csv")).unwrap();
    std::fs::write(scene.path("a/history.csv"), &history[..history.len() - 20]).unwrap();
    let done = scene.delassus(&["show", "a"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(done.stdout.contains("Unfinished: ") && done.stdout.contains("last row   step 19"), "{}", done.stdout);
    assert!(done.stdout.contains("ended after 19 of 20 steps without a message"), "{}", done.stdout);
    let json: Value = serde_json::from_str(&scene.delassus(&["show", "a", "--json"]).stdout).unwrap();
    assert_eq!((&json["finished"], &json["manifest"]), (&Value::Bool(false), &Value::Null));

    let failing = edited(
        BLOCK,
        &[(
            "tolerance: 1e-10, max_iterations: 2000",
            "tolerance: 1e-14, max_iterations: 1, fallback: [], on_failure: Stop",
        )],
    );
    let failed = Scene::new(&failing);
    assert_eq!(failed.delassus(&["run", "case.ron", "--out", "out"]).code, 4);
    let done = failed.delassus(&["show", "out"]);
    assert!(done.code == 0 && done.stdout.contains("was not solved to tolerance"), "{}", done.stdout);
    assert!(done.stdout.contains("\n  Failed: No step was accepted.\n"), "{}", done.stdout);
    assert!(done.stdout.contains("stopped with an error after 0 of 20 steps: E0701 "), "{}", done.stdout);
    let json: Value = serde_json::from_str(&failed.delassus(&["show", "out", "--json"]).stdout).unwrap();
    assert_eq!((&json["verdict"], &json["state"]), (&Value::from("Failed"), &Value::from("failed")));
    assert_eq!(json["findings"][0]["topic"], "ending");
}

/// A run that misses its reference: every command says Failed, in the same words, and `--strict` asks for an exit code.
#[test]
fn one_verdict_everywhere() {
    let scene = Scene::new(&edited(BLOCK, &[("tolerance: 1e-10, max_iterations: 2000", "tolerance: 1e-9")]));
    let wrong = ["--set", "verify.checks.0.expected=7.0"];
    let run = |extra: &[&str]| scene.delassus(&[&["run", "case.ron", "--out", "a"][..], &wrong, extra].concat());
    let done = run(&[]);
    assert_eq!(done.code, 0, "the run came to its end: {}", done.stderr);
    let verdict = done.stdout.lines().nth(1).unwrap();
    assert!(verdict.starts_with("  Failed: 20 of 20 steps"), "{}", done.stdout);
    let reason = done.stdout.lines().find(|l| l.contains("failed     The check “")).unwrap();
    let shown = scene.delassus(&["show", "a"]).stdout;
    assert!(shown.contains(verdict) && shown.contains(reason), "{shown}");
    let json: Value = serde_json::from_str(&scene.delassus(&["show", "a", "--json"]).stdout).unwrap();
    assert_eq!((&json["verdict"], &json["state"]), (&Value::from("Failed"), &Value::from("finished")));
    assert_eq!(json["manifest"]["judgement"]["findings"], json["findings"]);
    assert_eq!(scene.delassus(&["report", "a"]).code, 0);
    assert!(std::fs::read_to_string(scene.path("a/report.html")).unwrap().contains("<strong>Failed.</strong>"));
    assert_eq!(run(&["--force", "--strict"]).code, 1);
    let told = run(&["--force", "--strict", "--json"]);
    let summary = lines(&told).pop().unwrap();
    assert_eq!((told.code, &summary["exit_code"], &summary["verdict"]), (1, &Value::from(1), &Value::from("Failed")));
    assert_eq!(run(&["--resume", "--strict"]).code, 1, "it is finished, and still not to be trusted");
    assert_eq!(scene.delassus(&["run", "case.ron", "--out", "b", "--strict"]).code, 0);
}

#[test]
fn show_without_results() {
    let scene = Scene::new(BLOCK);
    let none = scene.delassus(&["show", "nowhere"]);
    assert!(none.code == 2 && none.stderr.contains("error[E0811]: there is no folder `nowhere`"), "{}", none.stderr);
    let other = scene.delassus(&["show", "."]);
    assert!(other.code == 2 && other.stderr.starts_with("error[E0812]: "), "{}", other.stderr);
}

#[test]
fn diff_of_equal_runs() {
    let scene = two_runs();
    let done = scene.delassus(&["diff", "a", "b"]);
    assert_eq!((done.code, done.stdout.lines().last()), (0, Some("equal, bit for bit")), "{}", done.stdout);
    assert!(done.stdout.contains("fields.pvd: 5 frames alike"), "{}", done.stdout);
    // Facts are told and do not count.
    change(&scene, "b/manifest.json", "\"threads\": ", "\"threads\": 9");
    let done = scene.delassus(&["diff", "a", "b"]);
    assert!(done.code == 0 && done.stdout.contains("threads: "), "{}", done.stdout);
}

#[test]
fn diff_of_other_runs() {
    let scene = two_runs();
    let other = ["run", "case.ron", "--out", "c", "--quiet", "--set", "contacts.slide.law.friction=0.3000001"];
    assert_eq!(scene.delassus(&other).code, 0);
    let done = scene.delassus(&["diff", "a", "c"]);
    assert_eq!((done.code, done.stdout.lines().last()), (1, Some("different")), "{}", done.stdout);
    for piece in
        ["case_hash: ", "settings: ", "final state: hash ", "history.csv: first in line ", "point field `displacement`"]
    {
        assert!(done.stdout.contains(piece), "no `{piece}` in\n{}", done.stdout);
    }
    // The friction differs by 3e-7 of itself, and so do forces and energies.
    let near = scene.delassus(&["diff", "a", "c", "--tolerance", "1e-5"]);
    assert_eq!((near.code, near.stdout.lines().last()), (0, Some("equal within 1e-5")), "{}", near.stdout);
    assert_eq!(scene.delassus(&["diff", "a", "c", "--tolerance", "1e-15"]).code, 1);

    let shorter = ["run", "case.ron", "--out", "d", "--quiet", "--set", "duration=1e-3"];
    assert_eq!(scene.delassus(&shorter).code, 0);
    let done = scene.delassus(&["diff", "a", "d", "--tolerance", "1"]);
    assert!(done.code == 1 && done.stdout.contains("21 rows in A, 11 in B"), "{}", done.stdout);
    assert!(done.stdout.contains("fields.pvd: 5 frames in A, 3 in B"), "{}", done.stdout);

    // One column less.
    let fewer = edited(BLOCK, &[("(name: \"tip\", at: Point(body: \"block\", point: (0.3, 0.2))),", "")]);
    std::fs::write(scene.path("case.ron"), fewer).unwrap();
    assert_eq!(scene.delassus(&["run", "case.ron", "--out", "e", "--quiet"]).code, 0);
    let done = scene.delassus(&["diff", "a", "e"]);
    assert!(done.code == 1 && done.stdout.contains("column `tip.ux` is only in A"), "{}", done.stdout);
    assert!(done.stdout.contains("final state: the same bits"), "{}", done.stdout);
}

#[test]
fn diff_of_what_cannot_be_compared() {
    let scene = two_runs();
    assert_eq!(scene.delassus(&["diff", "a", "nowhere"]).code, 2);
    let negative = scene.delassus(&["diff", "a", "b", "--tolerance=-1"]);
    assert!(negative.code == 2 && negative.stderr.starts_with("error[E1002]: "), "{}", negative.stderr);
    assert_eq!(scene.delassus(&["diff", "a", "b", "--tolerance", "x"]).code, 2);
    std::fs::write(scene.path("b/history.csv"), "time,x\n0,oops\n").unwrap();
    assert_eq!(scene.delassus(&["diff", "a", "b"]).code, 5);
}

#[test]
fn completions_name_the_commands() {
    let scene = Scene::new("");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let done = scene.delassus(&["completions", shell]);
        assert_eq!(done.code, 0, "{shell}");
        for command in ["run", "check", "report", "init", "show", "diff", "schema", "completions"] {
            assert!(done.stdout.contains(command), "{shell}: no {command}");
        }
    }
    assert_eq!(scene.delassus(&["completions", "cmd"]).code, 2);
}

#[test]
fn schema_and_json_form() {
    let scene = Scene::new(BLOCK);
    let schema: Value = serde_json::from_str(&scene.delassus(&["schema"]).stdout).unwrap();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    let json = scene.delassus(&["check", "case.ron", "--to-json"]);
    assert_eq!(json.code, 0, "{}", json.stderr);
    std::fs::write(scene.path("case.json"), &json.stdout).unwrap();
    let checked = scene.delassus(&["check", "case.json"]);
    assert_eq!(
        (checked.code, checked.stdout),
        (0, scene.delassus(&["check", "case.ron"]).stdout),
        "{}",
        checked.stderr
    );
    for (case, out) in [("case.ron", "a"), ("case.json", "b")] {
        let set = ["--set", "integrator.theta=0.7", "--set", "bodies.block.velocity=[2.0, 0]"];
        let done = scene.delassus(&[&["run", case, "--out", out, "--quiet"][..], &set].concat());
        assert_eq!(done.code, 0, "{}", done.stderr);
    }
    let same = scene.delassus(&["diff", "a", "b"]);
    assert_eq!(same.code, 0, "{}", same.stdout);
}

/// Problems of a JSON case are shown at their places, those found after reading too.
#[test]
fn json_errors_are_located() {
    let scene = Scene::new(BLOCK);
    let json = scene.delassus(&["check", "case.ron", "--to-json"]).stdout;
    let check = |from: &str, to: &str, code: i32, pieces: &[&str]| {
        let text = edited(&json, &[(from, to)]);
        let line = 1 + text.lines().position(|l| l.contains(to.lines().last().unwrap().trim())).unwrap();
        std::fs::write(scene.path("case.json"), &text).unwrap();
        let done = scene.delassus(&["run", "case.json", "--out", "none"]);
        assert_eq!(done.code, code, "{}", done.stderr);
        let place = format!("]: case.json:{line}:");
        assert!(done.stderr.contains(&place), "no `{place}` in\n{}", done.stderr);
        for piece in pieces {
            assert!(done.stderr.contains(piece), "no `{piece}` in\n{}", done.stderr);
        }
        assert!(!scene.path("none").exists());
    };
    check("\"theta\": 0.6", "\"tetha\": 0.6", 2, &["integrator.tetha: no field `tetha`", "did you mean `theta`?"]);
    check("\"step\": 0.0001", "\"step\": -0.0001", 2, &["step: ", "-0.0001"]);
    check("\"step\": 0.0001", "\"step\": \"fast\"", 2, &["step: expected a number, found the string `\"fast\"`"]);
    check("\"material\": \"steel\"", "\"material\": \"steal\"", 2, &["bodies[1].material: ", "did you mean `steel`?"]);
    check("\"step\": 0.0001", "\"step\": 0.0001,,", 2, &["error[E0105]: case.json"]);
}

#[test]
fn a_run_told_line_by_line() {
    let scene = Scene::new(BLOCK);
    let done = scene.delassus(&["run", "case.ron", "--out", "out", "--json", "--report"]);
    assert_eq!((done.code, done.stderr.as_str()), (0, ""));
    let told = lines(&done);
    let names = events(&told);
    assert_eq!((names[0], names[names.len() - 2], names[names.len() - 1]), ("started", "ended", "summary"));
    assert_eq!(
        (&told[0]["steps"], &told[0]["title"]),
        (&Value::from(20), &Value::from("A block slides along a plank"))
    );
    let last = told.iter().rfind(|v| v["event"] == "progress").unwrap();
    assert_eq!(
        (&last["step"], &last["steps"], &last["eta_s"]),
        (&Value::from(20), &Value::from(20), &Value::from(0.0))
    );
    assert!((last["time"].as_f64().unwrap() - 2e-3).abs() < 1e-12, "20 steps of 1e-4 s");
    assert!(last["rate"].as_f64().unwrap() > 0.0 && last["wall"].as_f64().unwrap() > 0.0);
    let summary = told.last().unwrap();
    assert_eq!((&summary["exit_code"], &summary["verdict"]), (&Value::from(0), &Value::from("Pass")));
    let manifest = std::fs::read(scene.path("out/manifest.json")).unwrap();
    assert_eq!(summary["manifest"], serde_json::from_slice::<Value>(&manifest).unwrap());
    assert_eq!(summary["report"], "out/report.html");
}

/// Ten lines a second at most, and those of a run of many steps are far fewer than the steps.
#[test]
fn not_too_many_lines() {
    let scene = Scene::new(&edited(BLOCK, &[("duration: 2e-3", "duration: 0.05")]));
    let done = scene.delassus(&["run", "case.ron", "--out", "out", "--json", "--set", "verify=None"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    let told = lines(&done);
    let wall: Vec<f64> =
        told.iter().filter(|v| v["event"] == "progress").map(|v| v["wall"].as_f64().unwrap()).collect();
    // The last comes whenever it comes.
    assert!(wall.len() >= 2 && wall[..wall.len() - 1].windows(2).all(|w| w[1] - w[0] > 0.099), "{wall:?}");
}

#[test]
fn errors_for_programs() {
    let scene = Scene::new(&edited(BLOCK, &[("theta: 0.6", "tetha: 0.6")]));
    let done = scene.delassus(&["run", "case.ron", "--json"]);
    let told = lines(&done);
    assert_eq!((done.code, events(&told)), (2, vec!["error"]));
    assert!(told[0]["exit_code"] == 2 && told[0]["message"].as_str().unwrap().contains("did you mean `theta`?"));

    let solver = "tolerance: 1e-14, max_iterations: 1, fallback: [], on_failure: CutStep(halvings: 1)";
    let failing = Scene::new(&edited(BLOCK, &[("tolerance: 1e-10, max_iterations: 2000", solver)]));
    let done = failing.delassus(&["run", "case.ron", "--json", "--out", "out"]);
    let told = lines(&done);
    let names = events(&told);
    assert_eq!((done.code, &names[names.len() - 2..]), (4, &["ended", "error"][..]));
    assert!(names.contains(&"message"), "the cut of the step is told");
    assert_eq!(scene.delassus(&["run", "case.ron", "--json", "--quiet"]).code, 2, "one or the other");
}

/// Neither help nor errors have colours where nobody can see them.
#[test]
fn no_colours_in_pipes() {
    let scene = Scene::new(BLOCK);
    for no_color in [None, Some("1")] {
        for args in [&["--help"][..], &["run", "--help"], &["run"], &["rum"], &["check", "case.ron"]] {
            let mut command = scene.command(args);
            command.env_remove("NO_COLOR");
            if let Some(value) = no_color {
                command.env("NO_COLOR", value);
            }
            let output = command.output().unwrap();
            assert!(!output.stdout.contains(&0x1b) && !output.stderr.contains(&0x1b), "{args:?}");
        }
    }
}

/// `delassus check … | head -1`: whoever reads may stop reading.
#[test]
fn closed_pipes_are_no_failure() {
    let scene = Scene::new(BLOCK);
    let all = [
        &["check", "case.ron"][..],
        &["schema"],
        &["init"],
        &["completions", "bash"],
        &["--help"],
        &["run", "case.ron", "--out", "a"],
        &["run", "case.ron", "--out", "b", "--json"],
    ];
    for args in all {
        let mut child = scene.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(!stderr.contains("panicked"), "{args:?}: {stderr}");
        assert_eq!(output.status.code(), Some(0), "{args:?}: {stderr}");
    }
}

/// The lower triangle of a matrix in a Matrix Market file: its size, and its entries from 0.
fn matrix(text: &str) -> (usize, Vec<(usize, usize, f64)>) {
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("%%MatrixMarket matrix coordinate real symmetric"));
    let sizes: Vec<usize> = lines.next().unwrap().split(' ').map(|n| n.parse().unwrap()).collect();
    let entry = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let index = |k: usize| words[k].parse::<usize>().unwrap() - 1;
        (index(0), index(1), words[2].parse().unwrap())
    };
    let entries: Vec<_> = lines.map(entry).collect();
    assert_eq!(sizes, [sizes[0], sizes[0], entries.len()]);
    (sizes[0], entries)
}

/// Operators for other codes: the masses add up, and a rigid motion costs no elastic energy. Nothing is overwritten.
#[test]
fn matrices_are_exported() {
    let scene = Scene::new(BLOCK);
    let export = || scene.delassus(&["check", "case.ron", "--export-matrices", "m"]);
    let done = export();
    assert!(done.code == 0 && done.stdout.contains("matrices written to m"), "{}{}", done.stdout, done.stderr);
    let read = |name: &str| matrix(&std::fs::read_to_string(scene.path("m").join(name)).unwrap());
    let (n, mass) = read("block.mass.mtx");
    // A lumped mass is diagonal, with the whole mass in each of the two directions.
    assert!(mass.iter().all(|(i, j, m)| i == j && *m > 0.0));
    let total = mass.iter().map(|(.., m)| m).sum::<f64>() / 2.0;
    assert!(done.stdout.contains(&format!("mass {total:.4e} kg")), "{total:e} in {}", done.stdout);
    let (size, stiffness) = read("block.stiffness.mtx");
    assert_eq!(size, n);
    for direction in 0..2 {
        let mut force = vec![0.0; n];
        for (i, j, k) in &stiffness {
            force[*i] += if j % 2 == direction { *k } else { 0.0 };
            if i != j {
                force[*j] += if i % 2 == direction { *k } else { 0.0 };
            }
        }
        let (left, largest) = (
            force.iter().fold(0.0, |m: f64, f| m.max(f.abs())),
            stiffness.iter().fold(0.0, |m: f64, (.., k)| m.max(k.abs())),
        );
        // a sum of some 20 rounded entries
        assert!(left <= 1e-14 * 20.0 * largest, "{left:e} of {largest:e}");
    }
    assert!(scene.path("m/block.damping.mtx").is_file());
    let again = export();
    assert!(
        again.code == 5 && again.stderr.contains("error[E0802]") && again.stderr.contains(".mtx"),
        "{}",
        again.stderr
    );
}
