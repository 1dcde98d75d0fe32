//! The results folder: names, atomic writes, and the rule that finished work is never overwritten by accident.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use delassus_error::FileError;

use crate::error::RunError;
use crate::lock::Lock;

/// Everything a run may leave in its folder, so that `--force` removes these and nothing else.
const FILES: [&str; 25] = [
    "case.ron",
    "case.json",
    "case.resolved.ron",
    "manifest.json",
    "status.json",
    "history.csv",
    "fields.pvd",
    "contacts.pvd",
    "obstacles.pvd",
    "run.log",
    "last-good-state.json",
    "failed-problem.json",
    "failed-problem.hdf5",
    "contact-velocity.svg",
    "contact-force.svg",
    "velocity.svg",
    "max-pressure.svg",
    "pressure-profile.svg",
    "shear-profile.svg",
    "approach.svg",
    "bounces.svg",
    "relaxation.svg",
    "shear-stress.svg",
    "differential-stress.svg",
    "report.html",
];
/// Beginnings and endings of the numbered files of a run: pictures of references, and what was compared along lines.
const NUMBERED: [(&str, &str); 3] = [("reference-", ".svg"), ("line-", ".svg"), ("line-", ".csv")];
const FOLDERS: [&str; 3] = ["fields", "contacts", "obstacles"];

/// Folder of the checkpoints in the results.
pub const CHECKPOINTS: &str = "checkpoints";

/// Their ending.
pub const CHECKPOINT_ENDING: &str = ".ckpt";

/// The names of the files a run may leave.
#[must_use]
pub fn file_names() -> &'static [&'static str] {
    &FILES
}

/// The file by which a results folder is known, written first.
pub const MARK: &str = "case.resolved.ron";

/// A results folder.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Makes the folder ready for a new run.
    pub fn create(path: &Path, force: bool) -> Result<Self, RunError> {
        let folder = Self { path: path.to_owned() };
        let folders = FOLDERS.iter().chain(&[CHECKPOINTS]);
        let occupied = FILES.iter().chain(folders).any(|name| path.join(name).exists());
        if occupied && !force {
            return Err(RunError::Occupied(path.to_owned()));
        }
        if occupied && !path.join(MARK).exists() {
            return Err(RunError::NotResults(path.to_owned()));
        }
        folder.make_dir(path)?;
        for name in FILES {
            folder.remove(&path.join(name))?;
            folder.remove(&path.join(aside(name)))?;
        }
        for (begin, end) in NUMBERED {
            for file in files_in(path, begin, end).iter().filter(|file| is_numbered(file, begin)) {
                folder.remove(file)?;
            }
        }
        folder.remove_checkpoints()?;
        for name in FOLDERS {
            for frame in files_in(&path.join(name), &format!("{name}_"), ".vtu") {
                folder.remove(&frame)?;
            }
            // Of an earlier case; it stays if something else is in it.
            let _ = fs::remove_dir(path.join(name));
        }
        Ok(folder)
    }

    /// A folder that holds a run already; nothing is touched.
    #[must_use]
    pub fn open(path: &Path) -> Self {
        Self { path: path.to_owned() }
    }

    /// Makes the folder, unless it is there, and takes hold of it.
    pub fn hold(&self) -> Result<Lock, RunError> {
        self.make_dir(&self.path)?;
        Lock::take(&self.path)
    }

    fn make_dir(&self, path: &Path) -> Result<(), FileError> {
        fs::create_dir_all(path).map_err(|source| FileError { action: "create", path: path.to_owned(), source })
    }

    fn remove(&self, path: &Path) -> Result<(), FileError> {
        if !path.exists() {
            return Ok(());
        }
        fs::remove_file(path).map_err(|source| FileError { action: "remove", path: path.to_owned(), source })
    }

    /// Makes a folder in it, unless it is there.
    pub fn make(&self, name: &str) -> Result<(), FileError> {
        self.make_dir(&self.path.join(name))
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A file in it.
    #[must_use]
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Writes a whole file aside and renames it: readers see the old file or the new one, never half of it.
    pub fn write(&self, name: &str, content: &[u8]) -> Result<(), FileError> {
        self.replace(name, content, false)
    }

    /// The same, and the content is on the disk before the name is.
    pub fn write_durably(&self, name: &str, content: &[u8]) -> Result<(), FileError> {
        self.replace(name, content, true)
    }

    fn replace(&self, name: &str, content: &[u8], durably: bool) -> Result<(), FileError> {
        let target = self.file(name);
        let aside = self.file(&aside(name));
        let io = |action: &'static str, path: &Path| {
            let path = path.to_owned();
            move |source| FileError { action, path, source }
        };
        let written = || {
            let mut file = fs::File::create(&aside).map_err(io("create", &aside))?;
            file.write_all(content).map_err(io("write", &aside))?;
            if durably {
                file.sync_all().map_err(io("write", &aside))?;
            }
            drop(file);
            fs::rename(&aside, &target).map_err(io("rename to", &target))
        };
        // Half a file is of no use, and takes the place that may be missing.
        written().inspect_err(|_| drop(fs::remove_file(&aside)))
    }

    /// Removes the checkpoints, also half-written ones: of a run that is finished, or is to begin again.
    pub fn remove_checkpoints(&self) -> Result<(), FileError> {
        let place = self.file(CHECKPOINTS);
        for file in files_in(&place, "step_", CHECKPOINT_ENDING) {
            self.remove(&file)?;
        }
        // It stays if something else is in it.
        let _ = fs::remove_dir(place);
        Ok(())
    }
}

/// The name under which a file is written before it gets its own.
fn aside(name: &str) -> String {
    format!("{name}.part")
}

/// Does a number, and nothing else, stand between the beginning of a file's name and its ending?
fn is_numbered(path: &Path, begin: &str) -> bool {
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let number = name.strip_prefix(begin).and_then(|rest| rest.split('.').next());
    number.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}

/// The files `begin*end` of a folder, also half-written ones.
fn files_in(folder: &Path, begin: &str, end: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let is_one = |path: &PathBuf| {
        let file = path.file_name().map(|f| f.to_string_lossy().into_owned()).unwrap_or_default();
        file.starts_with(begin) && (file.ends_with(end) || file.ends_with(&aside(end)))
    };
    entries.filter_map(|e| e.ok().map(|e| e.path())).filter(is_one).collect()
}

#[cfg(test)]
mod tests {
    use delassus_error::Failure;

    use super::*;

    #[test]
    fn a_run_is_not_overwritten_without_force_and_strangers_are_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a/b");
        let folder = Folder::create(&path, false).unwrap();
        folder.write(MARK, b"()").unwrap();
        folder.write("manifest.json", b"{}").unwrap();
        folder.make("fields").unwrap();
        folder.write("fields/fields_000001.vtu", b"x").unwrap();
        fs::write(path.join("notes.txt"), "mine").unwrap();
        fs::write(path.join("fields/mine.vtu"), "mine").unwrap();
        let refused = Folder::create(&path, false).unwrap_err();
        assert!(matches!(refused, RunError::Occupied(_)) && refused.exit_code() == 5);
        assert!(refused.to_string().contains("--force"));
        Folder::create(&path, true).unwrap();
        assert!(!path.join("manifest.json").exists() && !path.join("fields/fields_000001.vtu").exists());
        for name in ["notes.txt", "fields/mine.vtu"] {
            assert_eq!(fs::read_to_string(path.join(name)).unwrap(), "mine");
        }
    }

    #[test]
    fn force_does_not_touch_a_folder_that_is_not_of_a_run() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("case.ron"), "my own case").unwrap();
        let refused = Folder::create(dir.path(), true).unwrap_err();
        assert!(matches!(refused, RunError::NotResults(_)) && refused.exit_code() == 5, "{refused}");
        assert!(refused.to_string().contains("case.resolved.ron"));
        assert_eq!(fs::read_to_string(dir.path().join("case.ron")).unwrap(), "my own case");
    }

    #[test]
    fn a_file_in_the_way_is_an_error_that_names_it() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("results");
        fs::write(&path, "a file").unwrap();
        let e = Folder::create(&path, false).unwrap_err();
        assert!(e.to_string().contains("results") && e.exit_code() == 5, "{e}");
    }
}
