//! The one way in which files of the user are read: regular files only, whole, and never more than a bound.
//!
//! A device may have no end, a pipe may block, a folder is not a file. The kind of a file is checked before it is opened, so that a pipe
//! does not block, and again after it is opened, because the name may refer to another file by then. The size is compared with the bound and
//! with the available memory before anything is read, and reading ends at the bound: files may grow, and those of `/proc` have a size of 0
//! but contents. Standard input, named `-`, may be anything; its bound is the same.

use std::fmt;
use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::digits::bytes;
use crate::machine::{self, MemoryError};
use crate::{Code, Coded, Failure, FileError};

/// A kind of file, and how much of it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputKind {
    /// As messages call it.
    pub noun: &'static str,
    /// Most bytes.
    pub most: u64,
}

const MEGA: u64 = 1_000_000;
const GIGA: u64 = 1_000_000_000;

/// A case: 64 MB are half a million bodies written out one by one, and the text is held several times over while it is checked.
pub const CASE: InputKind = InputKind { noun: "a case", most: 64 * MEGA };

/// A mesh: 8 GB are about 100 million nodes in binary, far more than can be factored.
pub const MESH: InputKind = InputKind { noun: "a mesh", most: 8 * GIGA };

/// A table of a reference: 64 MB are a million rows.
pub const TABLE: InputKind = InputKind { noun: "a table", most: 64 * MEGA };

/// A contact problem: 4 GB are a full W of 10 000 contacts in space as JSON, of 20 000 in HDF5.
pub const PROBLEM: InputKind = InputKind { noun: "a contact problem", most: 4 * GIGA };

/// A checkpoint: about 50 bytes a degree of freedom; what a run could write must be read again.
pub const CHECKPOINT: InputKind = InputKind { noun: "a checkpoint", most: 64 * GIGA };

/// Rows or a frame of results: ten million rows of a hundred columns, or a frame of 100 million nodes.
pub const RESULTS: InputKind = InputKind { noun: "a file of results", most: 32 * GIGA };

/// Records of a run: manifest, status, log, lists of frames.
pub const RECORD: InputKind = InputKind { noun: "a record of a run", most: GIGA };

/// What a file may grow by while it is read; files of `/proc` have no size at all.
const GROWTH: u64 = 64 * MEGA;

/// The name of standard input.
pub const STDIN: &str = "-";

/// Code of a device, pipe or folder in place of a file.
pub const NOT_REGULAR: Code = Code("E0922");

/// Code of a file that is too large.
pub const TOO_LARGE: Code = Code("E0923");

/// Why a file was not read.
#[derive(Debug)]
pub enum ReadError {
    /// The system refused.
    File(FileError),
    /// Not a regular file.
    NotRegular {
        /// The file.
        path: PathBuf,
        /// What it should be.
        kind: InputKind,
        /// What it is.
        found: &'static str,
    },
    /// More than is read.
    TooLarge {
        /// The file.
        path: PathBuf,
        /// What it should be.
        kind: InputKind,
        /// Its size, if it was known before it was read.
        size: Option<u64>,
    },
    /// More than there is memory for.
    Memory(MemoryError),
}

impl ReadError {
    /// Is there no such file?
    #[must_use]
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::File(e) if e.source.kind() == io::ErrorKind::NotFound)
    }

    /// What is wrong, without the name of the file.
    #[must_use]
    pub fn reason(&self) -> String {
        match self {
            Self::File(e) => e.source.to_string(),
            Self::NotRegular { kind, found, .. } => format!(
                "it is {found}; {} is read from a regular file, or from standard input if the command accepts `-`",
                kind.noun
            ),
            Self::TooLarge { kind, size: Some(size), .. } => {
                format!("it has {}; {} has at most {}", bytes(*size), kind.noun, bytes(kind.most))
            }
            Self::TooLarge { kind, size: None, .. } => {
                format!("it has no end, or grows while it is read; {} has at most {}", kind.noun, bytes(kind.most))
            }
            Self::Memory(e) => e.to_string(),
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(e) => e.fmt(f),
            Self::NotRegular { path, .. } | Self::TooLarge { path, .. } => {
                write!(f, "cannot read `{}`: {}", path.display(), self.reason())
            }
            Self::Memory(e) => e.fmt(f),
        }
    }
}

impl std::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::File(e) => e.source(),
            Self::NotRegular { .. } | Self::TooLarge { .. } | Self::Memory(_) => None,
        }
    }
}

impl Coded for ReadError {
    fn code(&self) -> Code {
        match self {
            Self::File(e) => e.code(),
            Self::NotRegular { .. } => NOT_REGULAR,
            Self::TooLarge { .. } => TOO_LARGE,
            Self::Memory(e) => e.code(),
        }
    }
}

impl Failure for ReadError {
    fn exit_code(&self) -> u8 {
        match self {
            Self::File(e) => e.exit_code(),
            Self::NotRegular { .. } | Self::TooLarge { .. } => 5,
            Self::Memory(e) => e.exit_code(),
        }
    }
}

impl From<FileError> for ReadError {
    fn from(e: FileError) -> Self {
        Self::File(e)
    }
}

/// All bytes of a regular file.
///
/// # Errors
/// [`ReadError`]; nothing is read of a file that is refused.
pub fn read_file(path: &Path, kind: InputKind) -> Result<Vec<u8>, ReadError> {
    let failed = |source: io::Error| FileError { action: "read", path: path.to_owned(), source };
    let too_large = |size: Option<u64>| ReadError::TooLarge { path: path.to_owned(), kind, size };
    check_regular(path, kind, &std::fs::metadata(path).map_err(failed)?)?;
    let file = File::open(path).map_err(failed)?;
    let about = file.metadata().map_err(failed)?;
    check_regular(path, kind, &about)?;
    let size = about.len();
    if size > kind.most {
        return Err(too_large(Some(size)));
    }
    admit(size, path)?;
    let most = kind.most.min(size + GROWTH);
    let mut out = Vec::with_capacity(usize::try_from(size).unwrap_or(0));
    file.take(most + 1).read_to_end(&mut out).map_err(failed)?;
    if out.len() as u64 > most { Err(too_large(None)) } else { Ok(out) }
}

/// The text of a regular file.
///
/// # Errors
/// As [`read_file`], and of what is not UTF-8.
pub fn read_text(path: &Path, kind: InputKind) -> Result<String, ReadError> {
    String::from_utf8(read_file(path, kind)?).map_err(|e| {
        let reason = format!("byte {} is not UTF-8, the file should be text", e.utf8_error().valid_up_to());
        let source = io::Error::new(io::ErrorKind::InvalidData, reason);
        FileError { action: "read", path: path.to_owned(), source }.into()
    })
}

/// All bytes of a regular file, or of standard input if the path is `-`.
///
/// # Errors
/// As [`read_file`].
pub fn read_file_or_stdin(path: &Path, kind: InputKind) -> Result<Vec<u8>, ReadError> {
    if path != Path::new(STDIN) {
        return read_file(path, kind);
    }
    let failed = |source: io::Error| FileError { action: "read", path: PathBuf::from("standard input"), source };
    let mut out = Vec::new();
    io::stdin().lock().take(kind.most + 1).read_to_end(&mut out).map_err(failed)?;
    if out.len() as u64 > kind.most {
        return Err(ReadError::TooLarge { path: PathBuf::from("standard input"), kind, size: None });
    }
    Ok(out)
}

/// Is there memory for so many bytes? Not checked for small files.
fn admit(size: u64, path: &Path) -> Result<(), ReadError> {
    if size <= GROWTH {
        return Ok(());
    }
    let help = "Make it smaller, or give the process more memory";
    machine::admit_more(size, &format!("reading `{}`", path.display()), help).map_err(ReadError::Memory)
}

fn check_regular(path: &Path, kind: InputKind, about: &Metadata) -> Result<(), ReadError> {
    if about.is_file() {
        return Ok(());
    }
    Err(ReadError::NotRegular { path: path.to_owned(), kind, found: what_it_is(about) })
}

fn what_it_is(about: &Metadata) -> &'static str {
    if about.is_dir() {
        return "a folder";
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        let kind = about.file_type();
        let known = [
            (kind.is_fifo(), "a pipe (FIFO)"),
            (kind.is_socket(), "a socket"),
            (kind.is_char_device() || kind.is_block_device(), "a device"),
        ];
        if let Some((_, word)) = known.into_iter().find(|(yes, _)| *yes) {
            return word;
        }
    }
    "not a regular file"
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: InputKind = InputKind { noun: "a thing", most: 10 };

    /// A folder of this test alone, gone with it.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("delassus-input-{}-{name}", std::process::id()));
            std::fs::create_dir_all(&path).expect("a scratch folder");
            Self(path)
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn regular_files_up_to_the_bound() {
        let scratch = Scratch::new("bound");
        let path = scratch.0.join("x");
        std::fs::write(&path, [7; 10]).expect("written");
        assert_eq!(read_file(&path, SMALL).expect("within the bound"), [7; 10]);
        std::fs::write(&path, [7; 11]).expect("written");
        let e = read_file(&path, SMALL).expect_err("beyond the bound");
        assert_eq!((e.code().as_str(), e.exit_code()), ("E0923", 5));
        assert!(e.to_string().contains("it has 11 B; a thing has at most 10 B"), "{e}");
        let e = read_file(&scratch.0.join("none"), SMALL).expect_err("not there");
        assert!(e.is_missing() && e.code() == "E0802");
        // What is taken is bounded, whatever a size says.
        let sparse = File::create(&path).expect("made");
        sparse.set_len(1 << 40).expect("a file with a hole");
        assert!(matches!(read_file(&path, MESH), Err(ReadError::TooLarge { size: Some(_), .. })));
    }

    #[test]
    fn folders_and_devices_are_named() {
        let scratch = Scratch::new("kinds");
        let refused = |path: &Path, word: &str| {
            let e = read_file(path, MESH).expect_err("refused");
            assert_eq!((e.code().as_str(), e.exit_code()), ("E0922", 5));
            assert!(e.to_string().contains(word), "{e}");
        };
        refused(&scratch.0, "it is a folder");
        #[cfg(unix)]
        {
            refused(Path::new("/dev/zero"), "it is a device");
            let socket = scratch.0.join("socket");
            let _held = std::os::unix::net::UnixListener::bind(&socket).expect("a socket");
            refused(&socket, "it is a socket");
            let link = scratch.0.join("link");
            std::os::unix::fs::symlink("/dev/random", &link).expect("a link");
            refused(&link, "it is a device");
            // Waits for a writer that never comes, if it is opened.
            let pipe = scratch.0.join("pipe");
            let made = std::process::Command::new("mkfifo").arg(&pipe).status();
            if made.is_ok_and(|s| s.success()) {
                refused(&pipe, "it is a pipe (FIFO)");
            }
        }
    }

    /// A size of 0 does not mean that a file is empty.
    #[cfg(target_os = "linux")]
    #[test]
    fn files_without_a_size_are_bounded_too() {
        let status = read_file(Path::new("/proc/self/status"), CASE).expect("a text");
        assert!(status.starts_with(b"Name:"));
        let e = read_file(Path::new("/proc/self/status"), SMALL).expect_err("more than ten bytes");
        assert!(matches!(e, ReadError::TooLarge { size: None, .. }), "{e}");
        assert!(e.to_string().contains("it has no end"));
    }
}
