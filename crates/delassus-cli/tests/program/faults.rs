//! A panic on any thread ends the program with E1099 and exit code 70, and leaves a results folder whole.
//!
//! The program has no switch that makes it panic. So these tests start themselves again: tests that are ignored in a usual run are
//! processes that do what `main` does, with work that panics.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a helper of a test fails by panicking")]

use std::path::Path;
use std::process::{Command, ExitCode};

use delassus_case::Loaded;
use delassus_cli::faults::watched;
use delassus_run::checkpoint::Cadence;
use delassus_run::{Monitor, RunOptions, run_case};
use serde_json::Value;

use crate::common::{BLOCK, Done, Scene, edited};

/// Ends this process with this code, which shows its number to `Debug` alone.
fn end_with(code: ExitCode) {
    let number: String = format!("{code:?}").chars().filter(char::is_ascii_digit).collect();
    std::process::exit(number.parse().unwrap());
}

/// Runs one of the processes below.
fn process(name: &str, folder: &Path, backtrace: bool) -> Done {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", &format!("faults::{name}"), "--ignored", "--nocapture", "--test-threads=1"])
        .current_dir(folder);
    command.env_remove("RUST_LIB_BACKTRACE").env("RUST_BACKTRACE", if backtrace { "1" } else { "0" });
    let output = command.output().unwrap();
    Done {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

fn told(name: &str, words: &str) {
    let scene = Scene::new(BLOCK);
    let done = process(name, &scene.path(""), false);
    assert_eq!(done.code, 70, "{name}: {}", done.stderr);
    assert!(done.stderr.starts_with("error[E1099]: internal error, please report it: "), "{name}: {}", done.stderr);
    for part in [words, "\n  at       ", "faults.rs:", "\n  version  0.", "\n  command  ", "delassus explain E1099"] {
        assert!(done.stderr.contains(part), "{name}: `{part}` is not in\n{}", done.stderr);
    }
    // Five lines, and no more: neither the words of Rust nor a backtrace.
    assert_eq!(done.stderr.lines().count(), 5, "{name}: {}", done.stderr);
}

#[test]
#[ignore = "a process of the tests below"]
fn on_this_thread() {
    end_with(watched(|| panic!("words {}", "and more ".repeat(100))));
}

#[test]
#[ignore = "a process of the tests below"]
fn on_a_thread_that_nobody_waits_for() {
    end_with(watched(|| {
        let thread = std::thread::spawn(|| panic!("words elsewhere"));
        while !thread.is_finished() {
            std::thread::yield_now();
        }
        ExitCode::SUCCESS
    }));
}

#[test]
#[ignore = "a process of the tests below"]
fn within_a_panic() {
    struct Falls;
    impl Drop for Falls {
        fn drop(&mut self) {
            panic!("words of a second");
        }
    }
    end_with(watched(|| {
        let _falls = Falls;
        panic!("words of a first");
    }));
}

#[test]
#[ignore = "a process of the tests below"]
fn nowhere() {
    end_with(watched(|| ExitCode::SUCCESS));
}

#[test]
#[ignore = "a process of the tests below"]
fn in_a_run() {
    /// Panics after the step of this number, on a thread of the run.
    struct PanicAt(usize);
    impl Monitor for PanicAt {
        fn started(&mut self, _: &str, _: usize) {}
        fn progressed(&mut self, done: usize, _: f64) {
            assert!(done < self.0, "words after step {done}");
        }
        fn message(&mut self, _: &str) {}
        fn ended(&mut self) {}
    }
    end_with(watched(|| {
        let loaded = Loaded::read(Path::new("case.ron"), &[]).unwrap();
        let checkpoints = Cadence { steps: Some(4), ..Cadence::default() };
        let options = RunOptions { out: Some("out".into()), checkpoints, threads: Some(2), ..RunOptions::default() };
        run_case(&loaded, &options, &mut PanicAt(11)).unwrap();
        ExitCode::SUCCESS
    }));
}

#[test]
fn every_panic_is_told_with_what_to_report() {
    told("on_this_thread", "please report it: words and more and more");
    told("on_a_thread_that_nobody_waits_for", "words elsewhere");
    told("within_a_panic", "words of a first");
    let scene = Scene::new(BLOCK);
    let well = process("nowhere", &scene.path(""), false);
    assert!(well.code == 0 && well.stderr.is_empty(), "{}", well.stderr);
    let long = process("on_this_thread", &scene.path(""), false).stderr;
    // The words are cut, whatever they show.
    assert!(long.lines().all(|line| line.chars().count() < 260) && long.contains('…'), "{long}");
    let traced = process("on_this_thread", &scene.path(""), true).stderr;
    assert!(traced.lines().count() > 8 && traced.contains("watched"), "{traced}");
}

/// The status says that the run failed, its files are whole, and `--resume` ends where a run ends that nothing happened to.
#[test]
fn a_run_that_panics_leaves_a_whole_folder() {
    // Frames on the way, so that there is something to keep whole.
    let scene = Scene::new(&edited(BLOCK, &[("output: (every: 5)", "output: (every: 2)")]));
    let done = process("in_a_run", &scene.path(""), false);
    assert!(done.code == 70 && done.stderr.contains("please report it: words after step 11"), "{}", done.stderr);
    let status = read(&scene.path("out/status.json"));
    assert_eq!((&status["state"], &status["error"]["code"]), (&"failed".into(), &"E1099".into()), "{status}");
    assert!(status["error"]["message"].as_str().unwrap().contains("words after step 11"), "{status}");
    let shown = scene.delassus(&["show", "out"]);
    assert!(shown.code == 0 && shown.stdout.contains("words after step 11"), "{}{}", shown.stdout, shown.stderr);
    let resumed = scene.delassus(&["run", "case.ron", "--out", "out", "--resume"]);
    assert!(resumed.code == 0 && resumed.stderr.contains("step 8"), "{}", resumed.stderr);
    assert_eq!(scene.delassus(&["run", "case.ron", "--out", "straight"]).code, 0);
    let hash = |folder: &str| read(&scene.path(folder).join("manifest.json"))["state_hash"].clone();
    assert_eq!(hash("out"), hash("straight"));
}

fn read(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}
