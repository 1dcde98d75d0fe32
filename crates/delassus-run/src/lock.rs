//! One process at a time writes into a results folder.
//!
//! A run holds the file `lock` in its folder, locked by the operating system, until it ends; so does `report` while it writes its page, and
//! `study` holds the folder of its levels, each of which is held by its run. The system frees the lock when the process ends, in any way, so an
//! ended process never blocks a folder. The content of the file only names the holder.
//!
//! `show`, `diff` and `check` write nothing, and `verify` writes its page beside results, under names that no run uses: they need no
//! lock.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use delassus_error::FileError;

use crate::error::FolderError;
use crate::files::{self, EntryKind};

/// Name of the file.
pub const LOCK: &str = "lock";

/// Longest text about a holder that is shown.
const MOST_SHOWN: u64 = 200;

/// What a folder is held for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    /// A run steps.
    Run,
    /// A report is written.
    Report,
    /// A study runs its levels.
    Study,
}

impl Holder {
    fn text(self) -> &'static str {
        match self {
            Self::Run => "by another run",
            Self::Report => "by a report that is being written",
            Self::Study => "by another study",
        }
    }
}

/// A folder that is held. Freed when dropped.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    /// Locked as long as it is open.
    _file: File,
}

impl Lock {
    /// Locks an existing folder; the error names the holder.
    pub fn take(folder: &Path, holder: Holder) -> Result<Self, FolderError> {
        let path = folder.join(LOCK);
        let failed = |action: &'static str| {
            let path = path.clone();
            move |source| FileError { action, path, source }
        };
        loop {
            let kind = EntryKind::of(&path)?;
            kind.expect(EntryKind::File, &path)?;
            let mut options = OpenOptions::new();
            options.read(true).write(true).create_new(kind == EntryKind::Missing);
            let mut file = match options.open(&path) {
                // Another one came or went in between.
                Err(e) if matches!(e.kind(), ErrorKind::AlreadyExists | ErrorKind::NotFound) && folder.is_dir() => {
                    continue;
                }
                opened => opened.map_err(failed("open"))?,
            };
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(FolderError::Held { folder: folder.to_owned(), by: said(&mut file) });
                }
                Err(TryLockError::Error(source)) => return Err(failed("lock")(source).into()),
            }
            // Between opening and locking the last holder may have removed the file: then another one has its name, or none.
            if !files::is_same(&file, &path) {
                continue;
            }
            let text = format!("{} (process {})\n", holder.text(), std::process::id());
            file.set_len(0).and_then(|()| file.write_all(text.as_bytes())).map_err(failed("write"))?;
            return Ok(Self { path, _file: file });
        }
    }

    /// Whether a run is in progress in this folder; reports and studies do not count.
    #[must_use]
    pub fn is_run_going(folder: &Path) -> bool {
        let path = folder.join(LOCK);
        let Ok(EntryKind::File) = EntryKind::of(&path) else { return false };
        let Ok(mut file) = File::open(path) else { return false };
        let held = matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock));
        held && !said(&mut file).starts_with(Holder::Report.text())
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // While it is still locked: nobody else can have taken it in between.
        let _ = fs::remove_file(&self.path);
    }
}

/// The description that the holder wrote.
fn said(file: &mut File) -> String {
    let mut text = String::new();
    match file.take(MOST_SHOWN).read_to_string(&mut text) {
        Ok(_) if !text.trim().is_empty() => text.trim().chars().filter(|c| !c.is_control()).collect(),
        _ => "by another process".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use delassus_error::{Coded, Failure};

    use super::*;

    #[test]
    fn a_folder_is_held_once_and_free_again_afterwards() {
        let dir = tempfile::tempdir().unwrap();
        assert!(!Lock::is_run_going(dir.path()));
        let lock = Lock::take(dir.path(), Holder::Run).unwrap();
        assert!(Lock::is_run_going(dir.path()));
        let refused = Lock::take(dir.path(), Holder::Run).unwrap_err();
        assert_eq!((refused.code().as_str(), refused.exit_code()), ("E0809", 5));
        assert!(refused.to_string().contains(&format!("process {}", std::process::id())), "{refused}");
        drop(lock);
        assert!(!Lock::is_run_going(dir.path()) && !dir.path().join(LOCK).exists());
        drop(Lock::take(dir.path(), Holder::Run).unwrap());
    }

    /// A process that was killed leaves its file, and the system has freed the lock.
    #[test]
    fn the_file_of_a_dead_holder_is_taken_over() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join(LOCK), "process 1\n").unwrap();
        assert!(!Lock::is_run_going(dir.path()));
        let lock = Lock::take(dir.path(), Holder::Run).unwrap();
        let text = fs::read_to_string(dir.path().join(LOCK)).unwrap();
        assert_eq!(text, format!("by another run (process {})\n", std::process::id()));
        drop(lock);
    }

    /// However many ask at once, one gets it.
    #[test]
    fn of_many_at_once_one_holds_it() {
        let dir = tempfile::tempdir().unwrap();
        for _ in 0..50 {
            let taken: Vec<_> = std::thread::scope(|s| {
                let ask = || Lock::take(dir.path(), Holder::Run).ok();
                let threads: Vec<_> = (0..8).map(|_| s.spawn(ask)).collect();
                threads.into_iter().map(|t| t.join().unwrap()).collect()
            });
            assert_eq!(taken.iter().flatten().count(), 1);
        }
    }
}
