//! Puts the commit into the binary, so that a manifest can name it.

use std::process::Command;

fn main() {
    let output = Command::new("git").args(["rev-parse", "--short=12", "HEAD"]).output();
    let commit = output
        .ok()
        .filter(|o| o.status.success())
        .and_then(|o| String::from_utf8(o.stdout).ok())
        .map_or_else(|| "unknown".to_owned(), |s| s.trim().to_owned());
    println!("cargo::rustc-env=DELASSUS_COMMIT={commit}");
    println!("cargo::rerun-if-changed=../../.git/HEAD");
    println!("cargo::rerun-if-changed=../../.git/refs/heads");
}
