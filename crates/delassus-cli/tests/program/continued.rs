//! What is done with a results folder after its run: another run that goes on from it, plots, films, states for ParaView; and natural modes.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a helper of a test fails by panicking")]

use serde_json::Value;

use crate::common::{BLOCK, Done, Scene, edited};

fn text(scene: &Scene, name: &str) -> String {
    std::fs::read_to_string(scene.path(name)).unwrap()
}

fn json(scene: &Scene, name: &str) -> Value {
    serde_json::from_str(&text(scene, name)).unwrap()
}

fn ok(done: &Done) {
    assert_eq!(done.code, 0, "{}", done.stderr);
}

/// Refused with a code, an exit code and these words.
fn refused(done: &Done, exit: u8, code: &str, words: &str) {
    assert!(done.code == i32::from(exit) && done.stderr.starts_with(&format!("error[{code}]: ")), "{}", done.stderr);
    assert!(done.stderr.contains(words), "no `{words}` in {}", done.stderr);
}

/// Two halves have the bits of the whole; a resumed second half too.
#[test]
fn a_run_that_goes_on_has_the_bits_of_one_run() {
    let scene = Scene::new(BLOCK);
    ok(&scene.delassus(&["run", "case.ron", "--out", "whole"]));
    ok(&scene.delassus(&["run", "case.ron", "--out", "first", "--set", "duration=1e-3"]));
    let second = ["run", "case.ron", "--out", "second", "--set", "duration=1e-3", "--from", "first"];
    ok(&scene.delassus(&second));
    assert_eq!(json(&scene, "second/manifest.json")["state_hash"], json(&scene, "whole/manifest.json")["state_hash"]);
    assert!(json(&scene, "second/manifest.json")["from"].is_string());
    assert!(text(&scene, "second/run.log").contains("goes on from first at t = "));
    let last = |name: &str| text(&scene, name).lines().last().unwrap().split(',').nth(1).unwrap().to_owned();
    assert_eq!(last("second/history.csv"), last("whole/history.csv"), "time goes on");
    // What is finished is finished, and another state is another run.
    ok(&scene.delassus(&[&second[..], &["--resume"]].concat()));
    // Other loads, another step and another law of friction.
    let other = ["duration=1e-3", "step=5e-5", "loads=[]", "contacts.slide.law=SignoriniCoulomb(friction: 0.1)"];
    let sets: Vec<&str> = other.iter().flat_map(|s| ["--set", s]).collect();
    ok(&scene.delassus(&[&["run", "case.ron", "--out", "other", "--from", "first"][..], &sets].concat()));
    assert_eq!(text(&scene, "other/history.csv").lines().count(), 22);
}

/// Stages have the bits of one run where nothing changes, and are in one folder; a kill between or within them changes nothing.
#[test]
fn stages_follow_one_another() {
    let two = "stages: [(name: \"first\", duration: 1e-3), (name: \"then on\", duration: 1e-3, changes: [@])],\n    integrator";
    let staged = |changes: &str| edited(BLOCK, &[("integrator", &two.replace('@', changes))]);
    let scene = Scene::new(BLOCK);
    ok(&scene.delassus(&["run", "case.ron", "--out", "whole"]));
    std::fs::write(scene.path("staged.ron"), staged("")).unwrap();
    let done = scene.delassus(&["run", "staged.ron", "--out", "staged", "--report"]);
    ok(&done);
    assert!(done.stdout.contains("stage `first`") && done.stdout.contains("stage `then on`"), "{}", done.stdout);
    let hash = |name: &str| json(&scene, &format!("{name}/manifest.json"))["state_hash"].clone();
    assert_eq!(hash("staged/2-then-on"), hash("whole"));
    assert!(scene.path("staged/1-first/report.html").exists());
    // Rows and frames of both, each state once.
    let times = |name: &str| -> Vec<String> {
        let rows = text(&scene, name);
        rows.lines().skip(1).map(|row| row.split(',').nth(1).unwrap().to_owned()).collect()
    };
    assert_eq!(times("staged/history.csv"), times("whole/history.csv"));
    let frames = text(&scene, "staged/fields.pvd");
    assert!(frames.contains("file=\"1-first/fields/") && frames.contains("file=\"2-then-on/fields/"), "{frames}");
    // Finished stages stay; one that is missing is done again from the end of the one before.
    std::fs::remove_dir_all(scene.path("staged/2-then-on")).unwrap();
    ok(&scene.delassus(&["run", "staged.ron", "--out", "staged", "--resume"]));
    assert_eq!(hash("staged/2-then-on"), hash("whole"));
    // Other loads in the second stage.
    let changes = "\"loads=[]\", \"contacts.slide.law=Frictionless\"";
    std::fs::write(scene.path("other.ron"), staged(changes)).unwrap();
    ok(&scene.delassus(&["run", "other.ron", "--out", "other"]));
    assert!(hash("other/1-first") == hash("staged/1-first") && hash("other/2-then-on") != hash("whole"));
    ok(&scene.delassus(&["check", "other.ron"]));
}

#[test]
fn stages_that_are_refused() {
    let staged = |stages: &str| edited(BLOCK, &[("integrator", &format!("stages: [{stages}],\n    integrator"))]);
    let scene = Scene::new(BLOCK);
    let run = |stages: &str| {
        std::fs::write(scene.path("staged.ron"), staged(stages)).unwrap();
        scene.delassus(&["run", "staged.ron", "--out", "staged"])
    };
    refused(&run("(name: \"a\"), (name: \"a\")"), 2, "E0333", "stages[1].name");
    refused(&run("(name: \"../a\")"), 2, "E0332", "stages[0].name");
    refused(&run("(name: \"a\"), (name: \"b\", changes: [\"lods=[]\"])"), 2, "E0121", "value given by --set lods=[]");
    refused(&run("(name: \"a\"), (name: \"b\", duration: -1)"), 2, "E0305", "duration");
    assert!(!scene.path("staged").exists(), "nothing is written before all stages are checked");
    refused(&scene.delassus(&["modes", "staged.ron"]), 2, "E0327", "a case with stages is several runs");
    ok(&scene.delassus(&["run", "case.ron", "--out", "staged"]));
    refused(&run("(name: \"a\")"), 5, "E0803", "staged");
}

#[test]
fn what_a_run_cannot_go_on_from_is_told() {
    let scene = Scene::new(BLOCK);
    ok(&scene.delassus(&["run", "case.ron", "--out", "first", "--set", "duration=5e-4"]));
    let from = |folder: &str, set: &[&str]| {
        let mut all = vec!["run", "case.ron", "--out", "second", "--force", "--from", folder];
        set.iter().for_each(|s| all.extend(["--set", s]));
        scene.delassus(&all)
    };
    std::fs::create_dir(scene.path("empty")).unwrap();
    refused(&from("empty", &[]), 2, "E0827", "no results folder");
    refused(&from("first", &["bodies.block.mesh.cells=(4, 3)"]), 2, "E0830", "body `block` has not the mesh");
    refused(&from("first", &["bodies.block.mesh.size=(0.2, 0.11)"]), 2, "E0830", "body `block` has not the mesh");
    refused(&from("first", &["contacts.slide.points=OnFacets(1)"]), 2, "E0830", "its contacts");
    // A pair of another name has no past, and the log says so.
    ok(&from("first", &["contacts.slide.name=\"glide\""]));
    assert!(text(&scene, "second/run.log").contains("no contact pair `slide`"), "{}", text(&scene, "second/run.log"));
    let whole = std::fs::read(scene.path("first/end.state")).unwrap();
    for (change, words) in [(0_usize, "does not begin like"), (200, "checksum"), (whole.len() - 1, "checksum")] {
        let mut bytes = whole.clone();
        bytes[change] ^= 1;
        std::fs::write(scene.path("first/end.state"), bytes).unwrap();
        refused(&from("first", &[]), 5, "E0829", words);
    }
    std::fs::write(scene.path("first/end.state"), &whole[..whole.len() / 2]).unwrap();
    refused(&from("first", &[]), 5, "E0829", "shorter");
    std::fs::remove_file(scene.path("first/end.state")).unwrap();
    refused(&from("first", &[]), 5, "E0828", "Finish it first");
}

#[test]
fn the_status_of_a_run_says_how_far_it_is() {
    let scene = Scene::new(&edited(BLOCK, &[("duration: 2e-3", "duration: 20.0"), ("every: 5", "every: 100000")]));
    let mut child = scene.command(&["run", "case.ron", "--out", "out", "--quiet"]).spawn().unwrap();
    let begin = std::time::Instant::now();
    let mut pace = Value::Null;
    while begin.elapsed().as_secs() < 60 && !pace["remaining_s"].is_number() {
        std::thread::sleep(std::time::Duration::from_millis(50));
        let status = std::fs::read(scene.path("out/status.json")).unwrap_or_default();
        pace = serde_json::from_slice::<Value>(&status).unwrap_or_default()["pace"].clone();
    }
    assert_eq!(pace["pid"], child.id(), "{pace}");
    assert!(pace["elapsed_s"].as_f64().unwrap() > 0.0 && pace["remaining_s"].as_f64().unwrap() > 0.0, "{pace}");
    let seen = scene.delassus(&["watch", "out", "--once", "kinetic_energy", "nothing"]);
    for words in ["running, step ", " of 200000 (", " left", "kinetic_energy: last ", "nothing: no such column"] {
        assert!(seen.stdout.contains(words), "no `{words}` in {}", seen.stdout);
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(scene.delassus(&["watch", "out", "--once"]).stdout.contains("killed, step "));
}

/// The page of a run that is over is given once.
#[test]
fn a_page_follows_the_run() {
    use std::io::{BufRead, BufReader, Read, Write};
    let scene = Scene::new(BLOCK);
    ok(&scene.delassus(&["run", "case.ron", "--out", "out"]));
    let mut child = scene
        .command(&["watch", "out", "--page", "tip.ux", "<tip>"])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.strip_prefix("http://").unwrap().split('/').next().unwrap().to_owned();
    assert!(address.starts_with("127.0.0.1:"), "{address}");
    let ask = |path: &str| {
        let mut stream = std::net::TcpStream::connect(&address).unwrap();
        stream.write_all(format!("GET {path} HTTP/1.1\r\nHost: {address}\r\n\r\n").as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    assert!(ask("/../case.ron").starts_with("HTTP/1.1 404"));
    let page = ask("/");
    assert!(
        page.starts_with("HTTP/1.1 200") && page.contains("finished, step 20 of 20") && page.contains("<svg"),
        "{page}"
    );
    let told = page.contains("<figcaption>tip.ux</figcaption>") && page.contains("has no column `&lt;tip&gt;`");
    assert!(told && !page.contains("<tip>"), "{page}");
    assert!(child.wait().unwrap().success());
}

#[test]
fn columns_are_drawn_and_wrong_names_told() {
    let scene = Scene::new(BLOCK);
    ok(&scene.delassus(&["run", "case.ron", "--out", "out"]));
    let names = scene.delassus(&["plot", "out"]);
    assert!(names.stdout.lines().any(|n| n == "slide.moment_z") && names.stdout.lines().any(|n| n == "slide.centre_x"));
    let plot = scene.delassus(&["plot", "out", "tip.ux", "base.ux"]);
    ok(&plot);
    assert!(plot.stdout.starts_with("<?xml") && plot.stdout.contains("displacement"), "{}", plot.stdout);
    ok(&scene.delassus(&["plot", "out", "tip.vy", "--spectrum", "--out", "a.svg"]));
    assert!(text(&scene, "a.svg").contains("frequency"));
    refused(&scene.delassus(&["plot", "out", "tip.uxx"]), 2, "E0855", "did you mean `tip.ux`?");
    refused(&scene.delassus(&["plot", "out", "slide.centre_x", "--spectrum"]), 2, "E0856", "not numbers");
}

#[test]
fn a_film_and_a_state_for_paraview() {
    let scene = Scene::new(BLOCK);
    ok(&scene.delassus(&["run", "case.ron", "--out", "out"]));
    let film = scene.delassus(&["film", "out", "--seconds", "2"]);
    ok(&film);
    assert!(film.stdout.contains("film.svg (5 pictures)"), "{}", film.stdout);
    let svg = text(&scene, "out/film.svg");
    assert_eq!((svg.matches("<g class=\"f").count(), svg.matches("animation:film 2s").count()), (5, 1));
    let state = scene.delassus(&["view", "out", "--no-open"]);
    assert!(state.stdout.contains("--state=out/view.py") && text(&scene, "out/view.py").contains("WarpByVector"));
    assert_eq!(
        text(&scene, "out/names.csv"),
        "kind,number,name\nbody,0,block\nbody,1,plank\nmaterial,0,rubber\nmaterial,1,steel\nobstacle,0,wall\npair,0,slide\npair,1,stop\n"
    );
    refused(&scene.delassus(&["export", "out", "--revolve"]), 2, "E0354", "`block` is not axisymmetric");
    // --force takes all of it away.
    ok(&scene.delassus(&["run", "case.ron", "--out", "out", "--force"]));
    assert!(!scene.path("out/film.svg").exists() && !scene.path("out/view.py").exists());
    std::fs::write(scene.path("out/fields.pvd"), "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\"></VTKFile>\n")
        .unwrap();
    for command in [&["film", "out"][..], &["export", "out"], &["export", "out", "--vtkhdf"]] {
        refused(&scene.delassus(command), 2, "E0857", "no frames to draw or export");
    }
    std::fs::remove_file(scene.path("out/fields.pvd")).unwrap();
    refused(&scene.delassus(&["view", "out", "--no-open"]), 2, "E0857", "no frames");
    refused(&scene.delassus(&["film", "out"]), 5, "E0813", "fields.pvd");
}

/// The free block has three rigid motions, the plank, which is held, none; the shapes are written.
#[test]
fn modes_of_the_bodies() {
    let scene = Scene::new(BLOCK);
    let done = scene.delassus(&["modes", "case.ron", "--count", "5", "--out", "modes"]);
    ok(&done);
    assert_eq!(done.stdout.matches("rigid motion").count(), 3, "{}", done.stdout);
    let table = text(&scene, "modes/modes.csv");
    assert_eq!(table.lines().count(), 11, "{table}");
    assert_eq!(std::fs::read_dir(scene.path("modes/modes")).unwrap().count(), 10);
    refused(&scene.delassus(&["modes", "case.ron", "--out", "modes"]), 5, "E0803", "--force");
    ok(&scene.delassus(&["modes", "case.ron", "--out", "modes", "--force"]));
}

/// Force, moment and centre of a pair against the statics of a block under its weight, a pressure that varies and a push from the side.
#[test]
fn resultants_of_a_pair_against_statics() {
    let case = |dimension: usize, keys: &str| {
        format!(
            "(title: \"statics\", dimension: {dimension}, kinematics: SmallStrain,
            materials: [(name: \"stiff\", density: 1000, law: KelvinVoigt(young: 1e10, poisson: 0.3))],
            {keys}
            contacts: [(name: \"ground\", candidates: (body: \"block\", group: \"bottom\"), antagonists: Obstacle(\"floor\"), law: SignoriniCoulomb(friction: 0.5))],
            integrator: QuasiStatic, step: 1, duration: 1)"
        )
    };
    let plane = "bodies: [(name: \"block\", mesh: Rectangle(corner: (0, 0), size: (0.2, 0.1), cells: (8, 4)), material: \"stiff\")],
        obstacles: [(name: \"floor\", shape: HalfPlane(point: (0, 0), normal: (0, 1)))],
        loads: [Gravity(acceleration: (0, -9.81)), Pressure(body: \"block\", group: \"top\", pressure: 1000, field: \"1 + 5*x\"),
            Traction(body: \"block\", group: \"right\", traction: (-200, 0))],";
    // weight 196.2 N at x = 0.1; pressure 300 N with the moment ∫ x p = 100/3 N·m; 20 N at the height 0.05
    let moment = 196.2 * 0.1 + 100.0 / 3.0 - 20.0 * 0.05;
    let expected =
        [("force_x", 20.0), ("force_y", 496.2), ("moment_z", moment), ("centre_x", moment / 496.2), ("centre_y", 0.0)];
    let space = "bodies: [(name: \"block\", mesh: Box(corner: (0, 0, 0), size: (0.2, 0.1, 0.1), cells: (4, 2, 2)), material: \"stiff\")],
        obstacles: [(name: \"floor\", shape: HalfSpace(point: (0, 0, 0), normal: (0, 1, 0)))],
        loads: [Gravity(acceleration: (0, -9.81, 0)), Pressure(body: \"block\", group: \"top\", pressure: 1000, field: \"1 + 5*x + 20*z\")],";
    // weight 19.62 N at (0.1, 0.05); pressure 50 N with ∫ x p = 16/3 and ∫ z p = 17/6 N·m
    let [of_x, of_z] = [19.62 * 0.1 + 16.0 / 3.0, 19.62 * 0.05 + 17.0 / 6.0];
    let in_space = [
        ("force_x", 0.0),
        ("force_y", 69.62),
        ("force_z", 0.0),
        ("moment_x", -of_z),
        ("moment_y", 0.0),
        ("moment_z", of_x),
        ("centre_x", of_x / 69.62),
        ("centre_y", 0.0),
        ("centre_z", of_z / 69.62),
    ];
    for (case, expected, size) in [(case(2, plane), &expected[..], 500.0), (case(3, space), &in_space[..], 70.0)] {
        let scene = Scene::new(&case);
        ok(&scene.delassus(&["run", "case.ron", "--out", "out"]));
        let history = text(&scene, "out/history.csv");
        let rows: Vec<Vec<&str>> = history.lines().map(|row| row.split(',').collect()).collect();
        for (name, value) in expected {
            let column = rows[0].iter().position(|c| *c == format!("ground.{name}")).unwrap();
            let found: f64 = rows[rows.len() - 1][column].parse().unwrap();
            // Statics holds for the undeformed block; the deformed one has moved by p L/E, 3e-8 m of 0.1 m.
            let scale = if name.starts_with("centre") { 0.1 } else { size };
            assert!((found - value).abs() < 1e-6 * scale, "{name} = {found}, expected {value}");
        }
    }
}
