//! Puts into the binary: the commit, so that a manifest can name it; the shipped cases and their meshes, so that they are at hand without
//! the repository (`gallery.rs`).

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    commit();
    gallery();
}

fn commit() {
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

/// Writes `gallery.rs` to the output folder: two tables of (file name, bytes of the file).
fn gallery() {
    let tables = [("CASE_FILES", "cases", &["ron"][..]), ("MESH_FILES", "meshes", &["geo", "msh"])];
    let mut code = String::new();
    for (table, folder, endings) in tables {
        let folder = Path::new("../..").join(folder);
        println!("cargo::rerun-if-changed={}", folder.display());
        let _ = writeln!(code, "const {table}: &[(&str, &str)] = &[");
        for path in files(&folder, endings) {
            let (Some(name), Ok(whole)) = (path.file_name(), path.canonicalize()) else { continue };
            let _ =
                writeln!(code, "    ({:?}, include_str!({:?})),", name.to_string_lossy(), whole.display().to_string());
        }
        code.push_str("];\n");
    }
    let out = std::env::var("OUT_DIR").map(PathBuf::from).unwrap_or_default();
    if let Err(e) = std::fs::write(out.join("gallery.rs"), code) {
        println!("cargo::error=the table of cases cannot be written: {e}");
    }
}

/// The files of a folder with one of these endings, by name.
fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let mut out: Vec<PathBuf> =
        entries.map(|e| e.path()).filter(|p| p.extension().is_some_and(|x| endings.iter().any(|e| x == *e))).collect();
    out.sort();
    out
}
