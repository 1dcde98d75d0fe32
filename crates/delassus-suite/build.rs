//! Puts the shipped cases and their meshes into the program, so that they are at hand without the repository (`gallery.rs`).

use std::fmt::Write;
use std::path::{Path, PathBuf};

fn main() {
    gallery();
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
    // By name, not by file: `bars-impact` before `bars-impact-2d`.
    out.sort_by_key(|path| (path.file_stem().map(ToOwned::to_owned), path.extension().map(ToOwned::to_owned)));
    out
}
