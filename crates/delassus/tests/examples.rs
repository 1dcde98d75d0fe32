//! The examples are run, each with its own comparison, and the bars have the bits of the case file that they mirror.

use std::path::Path;

use delassus::prelude::*;

#[path = "../examples/contact_problem.rs"]
mod contact_problem;
#[path = "../examples/own_law.rs"]
mod own_law;
#[path = "../examples/own_load.rs"]
mod own_load;
#[path = "../examples/own_observer.rs"]
mod own_observer;
#[path = "../examples/two_bars.rs"]
mod two_bars;

#[test]
fn a_contact_problem() {
    contact_problem::main().unwrap();
}

#[test]
fn a_law_of_ones_own() {
    own_law::main().unwrap();
}

#[test]
fn a_load_of_ones_own() {
    own_load::main().unwrap();
}

#[test]
fn an_observer_of_ones_own() {
    own_observer::main().unwrap();
}

#[test]
fn the_bars_have_the_bits_of_their_case_file() {
    two_bars::main().unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/bars-impact.ron");
    let quiet = ["output=(every: 1000000)".to_owned()];
    let folder = tempfile::tempdir().unwrap();
    let options = RunOptions { out: Some(folder.path().to_owned()), ..RunOptions::default() };
    let file = run_case(&Loaded::read(&path, &quiet).unwrap(), &options, &mut Silent).unwrap();
    assert_eq!(two_bars::run().unwrap().state_hash(), file.state_hash);
}
