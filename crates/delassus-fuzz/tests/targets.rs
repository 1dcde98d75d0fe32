//! Every target for a moment, its seeds, and every input that ever failed. Longer runs: `scripts/fuzz`.

use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use delassus_fuzz::engine::replay;
use delassus_fuzz::targets::{TARGETS, find};
use delassus_fuzz::{Answer, Options, corpus, fuzz};

/// Memory is counted for the whole process: one test at a time.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

fn alone() -> std::sync::MutexGuard<'static, ()> {
    ONE_AT_A_TIME.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// A fixed seed and number of executions, so that the test is the same every time; the time is a guard only.
#[test]
fn a_short_run_of_each_target() {
    let _alone = alone();
    for target in &TARGETS {
        let seeds = corpus::load(&corpus::seeds_folder(), target.name).unwrap();
        let runs = if target.name == "case-model" { 500 } else { 5000 };
        let options = Options { seed: 7, runs: Some(runs), time: Some(Duration::from_secs(20)), ..Options::default() };
        let summary = fuzz(target, seeds, options).unwrap();
        if let Some((input, failure)) = summary.failure {
            panic!("{}: {failure}\n{}", target.name, String::from_utf8_lossy(&input));
        }
        // A run in which everything is refused alike, or nothing is read, tests nothing.
        assert!(summary.outcomes >= 8, "{}: {summary:?}", target.name);
        assert!(summary.accepted > summary.executions / 200, "{}: {summary:?}", target.name);
    }
}

/// Seeds that are refused would start every input from an error.
#[test]
fn seeds_are_sound() {
    let _alone = alone();
    for target in &TARGETS {
        let files = corpus::files(&corpus::seeds_folder(), target.name).unwrap();
        assert!(!files.is_empty(), "{}", target.name);
        for file in files {
            let outcome = replay(target, std::fs::read(&file).unwrap()).unwrap();
            let half_written = file.ends_with("csv/killed.csv");
            assert!(half_written || matches!(outcome, Ok(Answer::Accepted(_))), "{}: {outcome:?}", file.display());
        }
    }
}

#[test]
fn what_failed_once_is_mended() {
    let _alone = alone();
    let folder = corpus::regressions_folder();
    for target in &TARGETS {
        for file in corpus::files(&folder, target.name).unwrap() {
            let outcome = replay(target, std::fs::read(&file).unwrap()).unwrap();
            assert!(outcome.is_ok(), "{}: {outcome:?}", file.display());
        }
    }
}

/// A folder that no target reads would be forgotten silently.
#[test]
fn every_folder_has_its_target() {
    for folder in [corpus::seeds_folder(), corpus::regressions_folder()] {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().and_then(|n| n.to_str()).unwrap();
            assert!(path.is_file() || find(name).is_some(), "{}", path.display());
        }
    }
    assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/fuzz").is_file());
}
