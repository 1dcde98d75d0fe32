//! The gmsh reader on files written by gmsh 4.15, in both versions and encodings, and on bad ones.
//!
//! `tests/data`: meshes of gmsh, `<name>.<v41|v22><a|b>.msh` (a text, b binary). Counts are those of
//! gmsh's own API.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests stop the test when something is missing")]

mod errors;
mod handmade;
mod mutations;
mod samples;

use std::path::PathBuf;

/// Endings of the four forms every sample comes in.
const FORMS: [&str; 4] = ["v41a", "v41b", "v22a", "v22b"];

fn data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(data(name)).unwrap()
}

/// Every sample file, sorted.
fn all_samples() -> Vec<(String, Vec<u8>)> {
    let mut names: Vec<String> = std::fs::read_dir(data(""))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".msh"))
        .collect();
    names.sort();
    names.into_iter().map(|name| (name.clone(), bytes(&name))).collect()
}
