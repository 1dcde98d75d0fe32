//! Puts into the binary the commit, so that a manifest can name it, and the gallery: the cases and meshes of the
//! repository, all that its folders have.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() -> std::io::Result<()> {
    let output = Command::new("git").args(["rev-parse", "--short=12", "HEAD"]).output();
    let commit = output
        .ok()
        .filter(|o| o.status.success())
        .and_then(|o| String::from_utf8(o.stdout).ok())
        .map_or_else(|| "unknown".to_owned(), |s| s.trim().to_owned());
    println!("cargo::rustc-env=DELASSUS_COMMIT={commit}");
    println!("cargo::rerun-if-changed=../../.git/HEAD");
    println!("cargo::rerun-if-changed=../../.git/refs/heads");

    let top = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("../..");
    let mut text = table("CASES", &top.join("cases"), &["ron"])?;
    text += &table("MESHES", &top.join("meshes"), &["msh", "geo"])?;
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default());
    std::fs::write(out.join("gallery.rs"), text)
}

/// A constant with the names and bytes of the files of a folder.
fn table(name: &str, folder: &Path, endings: &[&str]) -> std::io::Result<String> {
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| endings.iter().any(|ending| e == *ending)) {
            files.push(path.canonicalize()?);
        }
    }
    files.sort_by_key(|file| {
        (file.file_stem().map(std::ffi::OsStr::to_owned), file.extension().map(std::ffi::OsStr::to_owned))
    });
    let mut text = format!("const {name}: &[(&str, &[u8])] = &[\n");
    for file in files {
        println!("cargo::rerun-if-changed={}", file.display());
        let short = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let _ = writeln!(text, "    ({short:?}, include_bytes!({:?})),", file.display().to_string());
    }
    Ok(text + "];\n")
}
