//! Inputs in files: a folder for each target.

use std::io;
use std::path::{Path, PathBuf};

/// The seeds that belong to this crate.
#[must_use]
pub fn seeds_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

/// Inputs that failed once.
#[must_use]
pub fn regressions_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("regressions")
}

/// The files of a target in a folder, by name; none when the target has no folder there.
pub fn files(folder: &Path, target: &str) -> io::Result<Vec<PathBuf>> {
    let folder = folder.join(target);
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_file() {
            files.push(path);
        }
    }
    // The order of a folder is nobody's; that of a run must be its seed's.
    files.sort();
    Ok(files)
}

/// The contents of the files of a target in a folder.
pub fn load(folder: &Path, target: &str) -> io::Result<Vec<Vec<u8>>> {
    files(folder, target)?.iter().map(std::fs::read).collect()
}
