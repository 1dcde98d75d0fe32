//! The program itself: exit codes, the table, replay.

#![expect(clippy::unwrap_used, reason = "helpers of tests may panic")]

use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_delassus-fuzz")).args(arguments).output().unwrap()
}

#[test]
fn a_run_ends_with_a_table() {
    let output = run(&["--target", "pvd", "--runs", "300"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}");
    let row: Vec<&str> = text.lines().find(|l| l.starts_with("pvd")).unwrap().split_whitespace().collect();
    assert_eq!((row[1], row[6]), ("300", "0"), "{text}");
}

#[test]
fn a_file_is_run_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("csv.0.failure");
    std::fs::write(&file, "time\nx\n").unwrap();
    let output = run(&["--replay", file.to_str().unwrap()]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(text.contains("refused: line 2: there is no number"), "{text}");
}

#[test]
fn wrong_arguments_are_told() {
    for (arguments, words) in [
        (&["--target", "nothing"][..], "no target `nothing`; the targets are all, msh22-ascii"),
        (&["--replay", "/nowhere/csv.1"], "/nowhere/csv.1"),
        (&["--target", "csv", "--corpus", "/nowhere"], "no seeds for csv in /nowhere"),
    ] {
        let output = run(arguments);
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
        assert!(text.contains(words), "{text}");
    }
}

/// In processes of their own: what an execution asks for is counted for the whole process, and other tests would disturb it.
#[test]
fn a_seed_is_a_run() {
    let counts = |seed: &str| -> Vec<String> {
        let output = run(&["--target", "msh22-ascii", "--runs", "3000", "--seed", seed]);
        let text = String::from_utf8(output.stdout).unwrap();
        let row: Vec<&str> = text.lines().find(|l| l.starts_with("msh22")).unwrap().split_whitespace().collect();
        // Without the rate.
        [row[1], row[3], row[4]].map(str::to_owned).to_vec()
    };
    assert_eq!(counts("1"), counts("1"));
    assert_ne!(counts("1"), counts("2"));
}
