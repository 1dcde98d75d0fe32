//! Puts the shipped cases and their meshes into the program, so that they are at hand without the repository (`gallery.rs`).

use std::fmt::Write;
use std::path::{Path, PathBuf};

fn main() {
    if let Err(e) = gallery() {
        println!("cargo::error=the table of cases cannot be written: {e}");
    }
}

/// Writes `gallery.rs` to the output folder: two tables of (file name, text of the file). The files are copied there and named
/// relative to the table: an absolute path would lead into another clone that shares the target folder.
fn gallery() -> std::io::Result<()> {
    let out = std::env::var("OUT_DIR").map(PathBuf::from).unwrap_or_default();
    let tables = [("CASE_FILES", "cases", &["ron"][..]), ("MESH_FILES", "meshes", &["geo", "msh", "obj"])];
    let mut code = String::new();
    for (table, folder, endings) in tables {
        let from = Path::new("../..").join(folder);
        println!("cargo::rerun-if-changed={}", from.display());
        std::fs::create_dir_all(out.join(folder))?;
        let _ = writeln!(code, "const {table}: &[(&str, &str)] = &[");
        for path in files(&from, endings) {
            let Some(name) = path.file_name().map(|n| n.to_string_lossy().into_owned()) else { continue };
            std::fs::copy(&path, out.join(folder).join(&name))?;
            let _ = writeln!(code, "    ({name:?}, include_str!({:?})),", format!("{folder}/{name}"));
        }
        code.push_str("];\n");
    }
    std::fs::write(out.join("gallery.rs"), code)
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
