//! One run at a time in a results folder.
//!
//! A run holds the file `lock` in its folder, locked by the operating system, until it ends. The system frees the lock when the process is gone, however
//! it went, so a dead holder never keeps a folder. What stands in the file only tells who holds it.

use std::fs::{self, File, TryLockError};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use delassus_error::FileError;

use crate::error::RunError;

/// Name of the file.
pub const LOCK: &str = "lock";

/// Longest text about a holder that is shown.
const MOST_SHOWN: u64 = 200;

/// A folder that is held. Freed when dropped.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    /// Locked as long as it is open.
    _file: File,
}

impl Lock {
    /// Takes hold of a folder that is there, or tells who holds it.
    pub fn take(folder: &Path) -> Result<Self, RunError> {
        let path = folder.join(LOCK);
        let failed = |action: &'static str| {
            let path = path.clone();
            move |source| FileError { action, path, source }
        };
        loop {
            let options = || File::options().read(true).write(true).create(true).truncate(false).clone();
            let mut file = options().open(&path).map_err(failed("open"))?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(RunError::Held { folder: folder.to_owned(), by: holder(&mut file) });
                }
                Err(TryLockError::Error(source)) => return Err(failed("lock")(source).into()),
            }
            // Between opening and locking the last holder may have removed the file: then another one has its name, or none.
            if !is_same(&file, &path) {
                continue;
            }
            let text = format!("process {}\n", std::process::id());
            file.set_len(0).and_then(|()| file.write_all(text.as_bytes())).map_err(failed("write"))?;
            return Ok(Self { path, _file: file });
        }
    }

    /// Is a run going on in this folder?
    #[must_use]
    pub fn is_held(folder: &Path) -> bool {
        let Ok(file) = File::open(folder.join(LOCK)) else { return false };
        matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // While it is still locked: nobody else can have taken it in between.
        let _ = fs::remove_file(&self.path);
    }
}

/// What the holder wrote about itself.
fn holder(file: &mut File) -> String {
    let mut text = String::new();
    match file.take(MOST_SHOWN).read_to_string(&mut text) {
        Ok(_) if !text.trim().is_empty() => text.trim().chars().filter(|c| !c.is_control()).collect(),
        _ => "another process".to_owned(),
    }
}

/// Does the path still name this open file?
#[cfg(unix)]
fn is_same(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), fs::metadata(path)) {
        (Ok(a), Ok(b)) => (a.dev(), a.ino()) == (b.dev(), b.ino()),
        _ => false,
    }
}

/// Elsewhere an open file cannot be removed.
#[cfg(not(unix))]
fn is_same(_: &File, path: &Path) -> bool {
    path.exists()
}

#[cfg(test)]
mod tests {
    use delassus_error::{Coded, Failure};

    use super::*;

    #[test]
    fn a_folder_is_held_once_and_free_again_afterwards() {
        let dir = tempfile::tempdir().unwrap();
        assert!(!Lock::is_held(dir.path()));
        let lock = Lock::take(dir.path()).unwrap();
        assert!(Lock::is_held(dir.path()));
        let refused = Lock::take(dir.path()).unwrap_err();
        assert_eq!((refused.code().as_str(), refused.exit_code()), ("E0809", 5));
        assert!(refused.to_string().contains(&format!("process {}", std::process::id())), "{refused}");
        drop(lock);
        assert!(!Lock::is_held(dir.path()) && !dir.path().join(LOCK).exists());
        drop(Lock::take(dir.path()).unwrap());
    }

    /// A process that was killed leaves its file, and the system has freed the lock.
    #[test]
    fn the_file_of_a_dead_holder_is_taken_over() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join(LOCK), "process 1\n").unwrap();
        assert!(!Lock::is_held(dir.path()));
        let lock = Lock::take(dir.path()).unwrap();
        let text = fs::read_to_string(dir.path().join(LOCK)).unwrap();
        assert_eq!(text, format!("process {}\n", std::process::id()));
        drop(lock);
    }

    /// However many ask at once, one gets it.
    #[test]
    fn of_many_at_once_one_holds_it() {
        let dir = tempfile::tempdir().unwrap();
        for _ in 0..50 {
            let taken: Vec<_> = std::thread::scope(|s| {
                let ask = || Lock::take(dir.path()).ok();
                let threads: Vec<_> = (0..8).map(|_| s.spawn(ask)).collect();
                threads.into_iter().map(|t| t.join().unwrap()).collect()
            });
            assert_eq!(taken.iter().flatten().count(), 1);
        }
    }
}
