//! The results folder: names, atomic writes, and the rule that finished work is never overwritten by accident.
//!
//! The folder may itself be a link, to another disk for example; in it links are not followed. Files are written aside and renamed.
//! [`Folder::synchronise`] waits until all that was written since the last time is on the disk, with its names: it comes before anything that
//! these files make superfluous is removed.

mod contents;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use delassus_error::{FileError, InternalError};

use crate::error::{FolderError, RunError};
use crate::files::{self, EntryKind};
use crate::lock::{Holder, Lock};

pub(crate) use contents::Contents;

/// Everything a run may leave in its folder, so that `--force` removes these and nothing else.
const FILES: [&str; 37] = [
    "case.ron",
    "case.json",
    "case.resolved.ron",
    "manifest.json",
    "status.json",
    "names.csv",
    "history.csv",
    "fields.pvd",
    "contacts.pvd",
    "contact_surfaces.pvd",
    "obstacles.pvd",
    "joints.pvd",
    "chains.pvd",
    "end.state",
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
    "film.svg",
    "view.py",
    "blocks.pvd",
    "fields.vtkhdf",
    "solid.pvd",
    "modes.csv",
    "modes.pvd",
];
/// Beginnings and endings of the numbered files of a run: pictures of references, and what was compared along lines.
const NUMBERED: [(&str, &str); 3] = [("reference-", ".svg"), ("line-", ".svg"), ("line-", ".csv")];
/// Names under which the given case is copied.
const COPIES: [&str; 2] = ["case.ron", "case.json"];
/// Numbers of bodies, materials, obstacles and pairs in frames, with their names.
pub const NAMES: &str = "names.csv";
/// The state in which a run ended.
pub const END_STATE: &str = "end.state";
/// Folders of frames.
const FOLDERS: [&str; 9] =
    ["fields", "contacts", "contact_surfaces", "obstacles", "joints", "chains", "modes", "blocks", "solid"];

/// Folder of the checkpoints in the results.
pub const CHECKPOINTS: &str = "checkpoints";

/// Their ending.
pub const CHECKPOINT_ENDING: &str = ".ckpt";

/// Status of a run.
pub const STATUS: &str = "status.json";

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
    /// Files that may not be on the disk yet; all copies of this value write into the same folder.
    unsynchronised: Arc<Mutex<BTreeSet<String>>>,
}

impl Folder {
    /// Makes the folder ready for a new run. The whole folder is inspected before the first file is removed.
    pub fn create(path: &Path, force: bool) -> Result<Self, RunError> {
        let folder = Self::open(path);
        let contents = Contents::of(path)?;
        if contents.is_occupied() && !contents.has_mark() {
            return Err(RunError::NotResults(path.to_owned()));
        }
        if contents.is_occupied() && !force {
            return Err(RunError::Occupied(path.to_owned()));
        }
        contents.check_ours()?;
        folder.make_dir(path)?;
        for (k, file) in contents.removable().into_iter().enumerate() {
            remove(file)?;
            if k == 0 {
                // Without its manifest a run is not finished, whatever goes next.
                files::synchronise_folder(path)?;
            }
        }
        for name in FOLDERS.iter().chain(&[CHECKPOINTS]) {
            // Of an earlier case; it stays if something else is in it.
            let _ = fs::remove_dir(path.join(name));
        }
        Ok(folder)
    }

    /// A folder that holds a run already; nothing is touched.
    #[must_use]
    pub fn open(path: &Path) -> Self {
        Self { path: path.to_owned(), unsynchronised: Arc::default() }
    }

    /// Makes the folder, unless it is there, and takes hold of it.
    pub fn hold(&self, holder: Holder) -> Result<Lock, FolderError> {
        self.make_dir(&self.path)?;
        Lock::take(&self.path, holder)
    }

    fn make_dir(&self, path: &Path) -> Result<(), FileError> {
        fs::create_dir_all(path).map_err(|source| FileError { action: "create", path: path.to_owned(), source })
    }

    /// Makes a folder in it, unless it is there.
    pub fn make(&self, name: &str) -> Result<(), FolderError> {
        let path = self.path.join(name);
        EntryKind::of(&path)?.expect(EntryKind::Folder, &path)?;
        Ok(self.make_dir(&path)?)
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
    pub fn write(&self, name: &str, content: &[u8]) -> Result<(), FolderError> {
        self.replace(name, content, false)?;
        self.pending()?.insert(name.to_owned());
        Ok(())
    }

    /// The same, and content and name are on the disk when it returns.
    pub fn write_durably(&self, name: &str, content: &[u8]) -> Result<(), FolderError> {
        self.replace(name, content, true)?;
        self.pending()?.remove(name);
        Ok(self.synchronise_folders([name])?)
    }

    fn replace(&self, name: &str, content: &[u8], durably: bool) -> Result<(), FolderError> {
        let target = self.file(name);
        if let Some((folder, _)) = name.rsplit_once('/') {
            let folder = self.file(folder);
            EntryKind::of(&folder)?.expect(EntryKind::Folder, &folder)?;
        }
        files::replace(&target, &self.file(&aside(name)), content, durably)
    }

    fn pending(&self) -> Result<std::sync::MutexGuard<'_, BTreeSet<String>>, FolderError> {
        let poisoned = |_| FileError {
            action: "write",
            path: self.path.clone(),
            source: std::io::Error::other(InternalError("a thread that wrote files has failed".into())),
        };
        Ok(self.unsynchronised.lock().map_err(poisoned)?)
    }

    /// Waits until all that was written is on the disk, with its names.
    pub fn synchronise(&self) -> Result<(), FolderError> {
        let names = std::mem::take(&mut *self.pending()?);
        let paths: Vec<PathBuf> = names.iter().map(|name| self.file(name)).collect();
        files::synchronise(&paths)?;
        Ok(self.synchronise_folders(names.iter().map(String::as_str))?)
    }

    /// Waits for the folders in which these files are, and for this one.
    fn synchronise_folders<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> Result<(), FileError> {
        let inner: BTreeSet<&str> = names.into_iter().filter_map(|n| Some(n.rsplit_once('/')?.0)).collect();
        for name in inner {
            files::synchronise_folder(&self.file(name))?;
        }
        files::synchronise_folder(&self.path)
    }

    /// Removes the checkpoints, also half-written ones, of a run that is finished. What is no checkpoint of a run stays.
    pub fn remove_checkpoints(&self) -> Result<(), FolderError> {
        for file in Contents::of(&self.path)?.checkpoints() {
            remove(file)?;
        }
        // It stays if something else is in it.
        let _ = fs::remove_dir(self.file(CHECKPOINTS));
        Ok(())
    }
}

fn remove(path: &Path) -> Result<(), FileError> {
    fs::remove_file(path).map_err(|source| FileError { action: "remove", path: path.to_owned(), source })
}

/// The name under which a file is written before it gets its own.
fn aside(name: &str) -> String {
    format!("{name}.part")
}

#[cfg(test)]
mod tests;
