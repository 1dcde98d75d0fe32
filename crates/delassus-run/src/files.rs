//! Files and folders in a results folder: links are never followed, and written files can be synchronised to the disk.
//!
//! A run makes plain files and folders only. Anything else with one of their names was not made by a run, and may be a link to any
//! place: it is reported ([`FolderError::NotOurs`]) and not changed.

use std::fs::{self, File, FileType, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;
use std::sync::Mutex;

use delassus_error::FileError;
use delassus_error::input::{CHECKPOINT, ReadError, read_file};

use crate::error::FolderError;

/// What stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EntryKind {
    Missing,
    File,
    Folder,
    Link,
    Special,
}

impl EntryKind {
    /// Of the path itself, not of what a link leads to.
    pub(crate) fn of(path: &Path) -> Result<Self, FolderError> {
        match fs::symlink_metadata(path) {
            Ok(found) => Ok(Self::of_type(found.file_type())),
            Err(e) if e.kind() == ErrorKind::NotFound => Ok(Self::Missing),
            Err(source) => Err(FolderError::Unreadable { path: path.to_owned(), source }),
        }
    }

    /// As a listing tells it.
    pub(crate) fn of_type(found: FileType) -> Self {
        match found {
            t if t.is_symlink() => Self::Link,
            t if t.is_dir() => Self::Folder,
            t if t.is_file() => Self::File,
            _ => Self::Special,
        }
    }

    /// In words.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Self::Missing => "nothing",
            Self::File => "a file",
            Self::Folder => "a folder",
            Self::Link => "a link",
            Self::Special => "neither file nor folder",
        }
    }

    /// An error unless it is this, or nothing is there.
    pub(crate) fn expect(self, wanted: Self, path: &Path) -> Result<(), FolderError> {
        if self == wanted || self == Self::Missing {
            return Ok(());
        }
        Err(FolderError::NotOurs { path: path.to_owned(), found: self.noun(), wanted: wanted.noun() })
    }
}

/// The content of a plain file; none when nothing is there.
pub(crate) fn read(path: &Path) -> Result<Option<Vec<u8>>, FolderError> {
    let kind = EntryKind::of(path)?;
    kind.expect(EntryKind::File, path)?;
    if kind == EntryKind::Missing {
        return Ok(None);
    }
    let unreadable = |e: ReadError| {
        let source = match e {
            ReadError::File(e) => e.source,
            other => io::Error::other(other.reason()),
        };
        FolderError::Unreadable { path: path.to_owned(), source }
    };
    read_file(path, CHECKPOINT).map(Some).map_err(unreadable)
}

/// Opens an existing plain file to append to it.
pub(crate) fn open(path: &Path) -> Result<File, FolderError> {
    EntryKind::of(path)?.expect(EntryKind::File, path)?;
    let file = OpenOptions::new().read(true).write(true).open(path).map_err(|source| FileError {
        action: "open",
        path: path.to_owned(),
        source,
    })?;
    // A link may have come into its place since.
    if is_same(&file, path) {
        return Ok(file);
    }
    let (found, wanted) = (EntryKind::of(path)?.noun(), EntryKind::File.noun());
    Err(FolderError::NotOurs { path: path.to_owned(), found, wanted })
}

/// So many bytes of an open file, or all that are left.
pub(crate) fn read_first(file: &mut File, bytes: u64) -> io::Result<Vec<u8>> {
    let mut found = Vec::new();
    file.take(bytes).read_to_end(&mut found)?;
    Ok(found)
}

/// Makes a file where nothing is: what is there, a dangling link too, is not written through.
pub(crate) fn create(path: &Path) -> Result<File, FolderError> {
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(path)
        .map_err(|source| FileError { action: "create", path: path.to_owned(), source }.into())
}

/// Writes a whole file aside and renames it; with `last` it is on the disk before it has its name.
pub(crate) fn replace(target: &Path, aside: &Path, content: &[u8], last: bool) -> Result<(), FolderError> {
    let failed = |action: &'static str, path: &Path| {
        let path = path.to_owned();
        move |source| FileError { action, path, source }
    };
    EntryKind::of(target)?.expect(EntryKind::File, target)?;
    // Of a run that was killed.
    let left = EntryKind::of(aside)?;
    left.expect(EntryKind::File, aside)?;
    if left == EntryKind::File {
        fs::remove_file(aside).map_err(failed("remove", aside))?;
    }
    let mut file = create(aside)?;
    let mut written = || {
        file.write_all(content).map_err(failed("write", aside))?;
        if last {
            file.sync_all().map_err(failed("write", aside))?;
        }
        fs::rename(aside, target).map_err(failed("rename to", target))
    };
    // Half a file is of no use, and takes the place that may be missing.
    written().inspect_err(|_| drop(fs::remove_file(aside)))?;
    Ok(())
}

/// Threads that wait for the disk: it takes many files at once in little more time than one.
const WAITING: usize = 8;

/// Waits until these files are on the disk.
pub(crate) fn synchronise(paths: &[impl AsRef<Path> + Sync]) -> Result<(), FileError> {
    let (next, failed) = (Mutex::new(paths.iter()), Mutex::new(None::<FileError>));
    let take = || next.lock().ok().and_then(|mut next| next.next());
    let work = || {
        while let Some(path) = take() {
            let path = path.as_ref();
            if let Err(source) = OpenOptions::new().write(true).open(path).and_then(|file| file.sync_all()) {
                let error = FileError { action: "write", path: path.to_owned(), source };
                if let Ok(mut first) = failed.lock() {
                    first.get_or_insert(error);
                }
                return;
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..paths.len().min(WAITING) {
            // One that cannot be started leaves its work to the others.
            let _ = std::thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    failed.into_inner().ok().flatten().map_or(Ok(()), Err)
}

/// Waits until the names in a folder are on the disk.
#[cfg(unix)]
pub(crate) fn synchronise_folder(path: &Path) -> Result<(), FileError> {
    match File::open(path).and_then(|folder| folder.sync_all()) {
        // Some file systems of networks have no such thing.
        Err(e) if matches!(e.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => Ok(()),
        done => done.map_err(|source| FileError { action: "write", path: path.to_owned(), source }),
    }
}

/// Elsewhere folders are not opened.
#[cfg(not(unix))]
pub(crate) fn synchronise_folder(_: &Path) -> Result<(), FileError> {
    Ok(())
}

/// Does the path, which may have become a link, still name this open file?
#[cfg(unix)]
pub(crate) fn is_same(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), fs::symlink_metadata(path)) {
        (Ok(a), Ok(b)) => (a.dev(), a.ino()) == (b.dev(), b.ino()),
        _ => false,
    }
}

/// Elsewhere an open file cannot be removed.
#[cfg(not(unix))]
pub(crate) fn is_same(_: &File, path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_file())
}

/// The entries of a folder with their names; none when it is not there.
pub(crate) fn list(folder: &Path) -> Result<Vec<(String, EntryKind)>, FolderError> {
    let unreadable = |source: io::Error| FolderError::Unreadable { path: folder.to_owned(), source };
    let entries = match fs::read_dir(folder) {
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        found => found.map_err(unreadable)?,
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry.map_err(unreadable)?;
        let kind = EntryKind::of_type(entry.file_type().map_err(unreadable)?);
        // A name that is no text is not one of ours.
        if let Ok(name) = entry.file_name().into_string() {
            found.push((name, kind));
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(found)
}
