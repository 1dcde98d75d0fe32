//! Runs that are interrupted, killed, or run out of disk: what is left can be read, and `--resume` ends where a straight run does.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a helper of a test fails by panicking")]

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::common::{BLOCK, Done, Scene, edited};

/// The sliding block with many steps, so that there is time to interrupt it.
fn long() -> Scene {
    Scene::new(&edited(BLOCK, &[("duration: 2e-3", "duration: 0.1"), ("output: (every: 5)", "output: (every: 100)")]))
}

fn lines(scene: &Scene) -> usize {
    std::fs::read_to_string(scene.path("out/history.csv")).map_or(0, |text| text.lines().count())
}

/// Starts a run and waits until it has done some steps.
fn started(scene: &Scene, args: &[&str]) -> Child {
    let all = [&["run", "case.ron", "--out", "out"][..], args].concat();
    let child = scene.command(&all).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let begin = Instant::now();
    while lines(scene) < 20 && begin.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(1));
    }
    child
}

fn signal(child: &Child, name: &str) {
    assert!(Command::new("kill").args([name, &child.id().to_string()]).status().unwrap().success());
}

fn ended(child: Child) -> Done {
    let output = child.wait_with_output().unwrap();
    Done {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

fn hash(folder: &Path) -> Value {
    let manifest: Value = serde_json::from_slice(&std::fs::read(folder.join("manifest.json")).unwrap()).unwrap();
    manifest["state_hash"].clone()
}

/// `--resume` ends with the state and the history of a run that was left alone.
fn check_resumed(scene: &Scene, says: &str) {
    let resumed = scene.delassus(&["run", "case.ron", "--out", "out", "--resume"]);
    assert_eq!(resumed.code, 0, "{}", resumed.stderr);
    assert!(resumed.stderr.contains(says), "{}", resumed.stderr);
    assert_eq!(scene.delassus(&["run", "case.ron", "--out", "straight"]).code, 0);
    assert_eq!(hash(&scene.path("out")), hash(&scene.path("straight")));
    let history = |out: &str| std::fs::read(scene.path(out).join("history.csv")).unwrap();
    assert!(history("out") == history("straight"));
}

/// What `show --json` says of a run's state, and its verdict.
fn state(scene: &Scene) -> (String, String) {
    let shown: Value = serde_json::from_str(&scene.delassus(&["show", "out", "--json"]).stdout).unwrap();
    let text = |key: &str| shown[key].as_str().unwrap().to_owned();
    (text("state"), text("verdict"))
}

/// One run at a time in a folder; a dead one holds nothing; `show` tells a run that goes on from one that was killed or interrupted.
#[test]
fn a_folder_has_one_run_and_show_says_how_it_is() {
    let scene = long();
    let mut child = started(&scene, &["--checkpoint-steps", "10", "--set", "duration=10.0"]);
    for way in ["--resume", "--force"] {
        let refused = scene.delassus(&["run", "case.ron", "--out", "out", way, "--set", "duration=10.0"]);
        assert_eq!(refused.code, 5, "{}", refused.stderr);
        let holder = format!("in use by another run (process {})", child.id());
        assert!(refused.stderr.starts_with("error[E0809]: ") && refused.stderr.contains(&holder), "{}", refused.stderr);
    }
    // Nor does a report write between its files; `show` only reads.
    let refused = scene.delassus(&["report", "out"]);
    assert!(refused.code == 5 && refused.stderr.starts_with("error[E0809]: "), "{}", refused.stderr);
    assert!(!scene.path("out/report.html").exists());
    assert_eq!(state(&scene), ("running".to_owned(), "Unfinished".to_owned()));
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(state(&scene), ("killed".to_owned(), "Unfinished".to_owned()));
    let before = lines(&scene);
    let child = started(&scene, &["--resume", "--set", "duration=10.0"]);
    let begin = Instant::now();
    while lines(&scene) <= before + 20 && begin.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(1));
    }
    signal(&child, "-INT");
    assert_eq!(ended(child).code, 130);
    assert_eq!(state(&scene), ("interrupted".to_owned(), "Unfinished".to_owned()));
    assert!(!scene.path("out/lock").exists());
    let shown = scene.delassus(&["show", "out"]).stdout;
    assert!(shown.contains("interrupted after ") && shown.contains(" of 100000 steps"), "{shown}");
}

#[test]
fn an_interrupted_run_saves_its_state_and_says_how_to_go_on() {
    for name in ["-INT", "-TERM"] {
        let scene = long();
        let child = started(&scene, &[]);
        signal(&child, name);
        let done = ended(child);
        assert_eq!((done.code, done.stdout.as_str()), (130, ""), "{}", done.stderr);
        for piece in [
            "discarding the unfinished step and saving the state",
            "error[E0705]: interrupted after step",
            "of 1000",
            "saved in out",
            "--resume",
        ] {
            assert!(done.stderr.contains(piece), "no `{piece}` in {}", done.stderr);
        }
        assert!(!scene.path("out/manifest.json").exists());
        check_resumed(&scene, "resumed after step");
        let again = scene.delassus(&["run", "case.ron", "--out", "out", "--resume"]);
        assert_eq!(again.code, 0, "{}", again.stderr);
        assert!(again.stdout.contains("is finished"), "{}", again.stdout);
    }
}

#[test]
fn a_killed_run_goes_on() {
    let scene = long();
    let child = started(&scene, &["--checkpoint-steps", "10"]);
    signal(&child, "-KILL");
    assert_eq!(ended(child).code, -1);
    check_resumed(&scene, "resumed after step");
    // Before the first checkpoint that was due: from the one that every run begins with.
    let scene = long();
    let child = started(&scene, &[]);
    signal(&child, "-KILL");
    assert_eq!(ended(child).code, -1);
    check_resumed(&scene, "resumed after step 0 of 1000");
}

/// A limit on the size of files stands for a full disk: writing fails in the middle of a run.
#[test]
fn a_full_disk_is_named_and_nothing_is_half_written() {
    let scene = long();
    let program = env!("CARGO_BIN_EXE_delassus");
    let script = format!("trap '' XFSZ; ulimit -f 40; exec {program} run case.ron --out out --checkpoint-steps 5");
    let output = Command::new("sh").args(["-c", &script]).current_dir(scene.path("")).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(5), "{stderr}");
    assert!(stderr.contains("error[E0802]: cannot write `out/history.csv`: File too large"), "{stderr}");
    let text = std::fs::read_to_string(scene.path("out/history.csv")).unwrap();
    assert!(text.ends_with('\n') && text.lines().count() > 20, "{} lines", text.lines().count());
    check_resumed(&scene, "resumed after step");
    let parts = std::fs::read_dir(scene.path("out")).unwrap().map(|e| e.unwrap().path());
    assert!(parts.filter(|p| p.extension().is_some_and(|e| e == "part")).count() == 0);
}

/// What `--resume` once took for an empty folder, and deleted 19 000 steps.
#[test]
fn resume_deletes_nothing() {
    let scene = Scene::new(BLOCK);
    let run = |more: &[&str]| scene.delassus(&[&["run", "case.ron", "--out", "out"][..], more].concat());
    assert_eq!(run(&[]).code, 0);
    let history = std::fs::read(scene.path("out/history.csv")).unwrap();
    std::fs::write(scene.path("out/manifest.json"), "").unwrap();
    let done = run(&["--resume"]);
    assert!(
        done.code == 5 && done.stderr.starts_with("error[E0818]: `out/manifest.json` is damaged: it is empty"),
        "{}",
        done.stderr
    );
    std::fs::remove_file(scene.path("out/manifest.json")).unwrap();
    let done = run(&["--resume"]);
    assert!(done.code == 5 && done.stderr.starts_with("error[E0819]: `out` has results of a run"), "{}", done.stderr);
    std::os::unix::fs::symlink("nowhere", scene.path("out/checkpoints")).unwrap();
    for way in ["--resume", "--force"] {
        let done = run(&[way]);
        assert!(
            done.code == 5 && done.stderr.starts_with("error[E0816]: `out/checkpoints` is a link"),
            "{}",
            done.stderr
        );
    }
    assert!(std::fs::read(scene.path("out/history.csv")).unwrap() == history);
    std::fs::remove_file(scene.path("out/checkpoints")).unwrap();
    assert_eq!(run(&["--force"]).code, 0);
}

/// The table of a function of time is a part of the run, finished or interrupted.
#[test]
fn a_table_that_has_changed_is_not_resumed() {
    let scene = Scene::new(&edited(
        BLOCK,
        &[
            (
                "Gravity(acceleration: (0.0, -9.81)",
                "Gravity(acceleration: (0.0, -9.81), factor: Csv(file: \"g.csv\", value: \"g\")",
            ),
            ("duration: 2e-3", "duration: 0.1"),
            ("output: (every: 5)", "output: (every: 100)"),
        ],
    ));
    let table = |last: &str| std::fs::write(scene.path("g.csv"), format!("time,g\n0,1\n1,{last}\n")).unwrap();
    let again = |out: &str| scene.delassus(&["run", "case.ron", "--out", out, "--set", "duration=2e-3", "--resume"]);
    let refused = |done: &Done| {
        let says = done.stderr.contains("the file of `table g.csv` is not the same");
        assert!(done.code == 2 && done.stderr.starts_with("error[E0823]: ") && says, "{}", done.stderr);
    };
    table("1");
    assert_eq!(again("whole").code, 0);
    assert_eq!(again("whole").code, 0, "what is finished is finished");
    let child = started(&scene, &[]);
    signal(&child, "-INT");
    assert_eq!(ended(child).code, 130);
    table("1.5");
    refused(&again("whole"));
    refused(&scene.delassus(&["run", "case.ron", "--out", "out", "--resume"]));
    table("1");
    assert_eq!(again("whole").code, 0);
    assert_eq!(scene.delassus(&["run", "case.ron", "--out", "out", "--resume"]).code, 0);
}

#[test]
fn options_that_make_no_sense_are_refused() {
    let scene = Scene::new(BLOCK);
    for (args, says) in [
        (&["--checkpoint-steps", "0"][..], "'0' for '--checkpoint-steps <N>'"),
        (&["--checkpoint-minutes", "-1"], "'-1'"),
        (&["--checkpoint-minutes", "soon"], "`soon` is not a number of minutes between 0 and 1e6"),
        (&["--resume", "--force"], "'--resume' cannot be used with '--force'"),
    ] {
        let done = scene.delassus(&[&["run", "case.ron", "--out", "out"][..], args].concat());
        assert!(done.code == 2 && done.stderr.contains(says), "{args:?}: {}", done.stderr);
    }
    assert!(!scene.path("out").exists());
}

#[cfg(target_os = "linux")]
/// A plate of a million metres without weight to speak of, on 600 contacts: its equilibrium takes minutes to be refused.
const SLOW_START: &str = "(title: \"p\", kinematics: SmallStrain, materials: [(name: \"r\", density: 1e-5, law: KelvinVoigt(young: 1160, poisson: 0.4999))],
    bodies: [(name: \"a\", mesh: Rectangle(corner: (0, 0), size: (1e6, 1e6), cells: (200, 1)), material: \"r\", mass: Lumped)],
    obstacles: [(name: \"floor\", shape: HalfPlane(point: (0, 0), normal: (0, 1)))],
    contacts: [(name: \"c\", candidates: (body: \"a\", group: \"bottom\"), antagonists: Obstacle(\"floor\"), law: Frictionless,
                points: OnFacets(3))],
    loads: [Gravity(acceleration: (0, -1e-6))], start: Equilibrium, integrator: ThetaEuler(theta: 0.55), step: 0.01, duration: 0.2)";

#[cfg(target_os = "linux")]
/// Does the process have a handler of its own for SIGTERM by now?
fn hears(child: &Child) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap().trim();
    u64::from_str_radix(caught, 16).unwrap() & (1 << (15 - 1)) != 0
}

#[cfg(target_os = "linux")]
/// Waits for something that must come, at most a minute: only a hang makes it fail.
fn wait_until(mut what: impl FnMut() -> bool) -> bool {
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_secs(60) {
        if what() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    false
}

#[cfg(target_os = "linux")]
fn terminated(scene: &Scene, args: &[&str]) -> Done {
    let mut child = scene.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    assert!(wait_until(|| hears(&child)), "{args:?}: no handler");
    // Into the search.
    std::thread::sleep(Duration::from_millis(300));
    assert!(child.try_wait().unwrap().is_none(), "{args:?} was over before it was asked to stop");
    signal(&child, "-TERM");
    let heard = wait_until(|| child.try_wait().unwrap().is_some());
    if !heard {
        child.kill().unwrap();
    }
    assert!(heard, "{args:?}: SIGTERM was not heard");
    ended(child)
}

#[cfg(target_os = "linux")]
#[test]
fn the_search_for_an_equilibrium_ends_and_nothing_is_left() {
    let scene = Scene::new(SLOW_START);
    for (args, doing) in [
        (&["run", "case.ron", "--out", "out"][..], "discarding the unfinished step and saving the state"),
        (&["check", "case.ron"], "stopping"),
        // Minutes as well, and the page comes last.
        (&["verify", "dome", "--out", "out", "--quiet"], "stopping"),
    ] {
        let done = terminated(&scene, args);
        assert_eq!((done.code, done.stdout.as_str()), (130, ""), "{}", done.stderr);
        for piece in [&format!("interrupted: {doing} (repeat"), "error[E0720]: interrupted", "nothing was written"] {
            assert!(done.stderr.contains(piece), "no `{piece}` in {}", done.stderr);
        }
        assert!(!scene.path("out").exists());
    }
}
