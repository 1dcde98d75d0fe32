//! Puts the commit into the program, so that a manifest can name it.

use std::path::Path;
use std::process::Command;

fn main() {
    commit();
}

fn commit() {
    let output = Command::new("git").args(["rev-parse", "--short=12", "HEAD"]).output();
    let commit = output
        .ok()
        .filter(|o| o.status.success())
        .and_then(|o| String::from_utf8(o.stdout).ok())
        .map_or_else(|| "unknown".to_owned(), |s| s.trim().to_owned());
    println!("cargo::rustc-env=DELASSUS_COMMIT={commit}");
    // A file that is not there would mean to build again every time: in a second work tree these lie elsewhere, in an archive nowhere.
    for name in ["HEAD", "refs/heads"] {
        let path = Command::new("git").args(["rev-parse", "--git-path", name]).output();
        let path = path.ok().and_then(|o| String::from_utf8(o.stdout).ok()).unwrap_or_default();
        if Path::new(path.trim()).exists() {
            println!("cargo::rerun-if-changed={}", path.trim());
        }
    }
}
