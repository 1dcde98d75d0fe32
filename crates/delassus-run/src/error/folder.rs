//! Reasons why a results folder cannot be used.

use std::path::PathBuf;

use delassus_error::{Code, Coded, Failure, FileError};

/// What is wrong with a results folder, or with a file of it.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// Another process writes into the results folder.
    #[error("`{}` is in use {by}; wait for it to end, or give --out DIR for another folder", folder.display())]
    Held {
        /// The folder.
        folder: PathBuf,
        /// Who holds it.
        by: String,
    },
    /// Something of a name that runs use is not what a run makes.
    #[error(
        "`{path}` is {found}, but should be {wanted}: it was not followed, replaced or removed, and nothing was changed. \
         Move it away, or give --out DIR for another folder (the results folder itself may be a link, but nothing in it)"
    )]
    NotOurs {
        /// Its place.
        path: PathBuf,
        /// What it is.
        found: &'static str,
        /// What a run makes there.
        wanted: &'static str,
    },
    /// The contents of the results folder are not known.
    #[error(
        "cannot read `{path}`: {source}. The contents of the results folder are not known, so nothing was changed. \
         Make it readable (permissions, a disk that is not mounted) and repeat the command, or give --out DIR for another folder"
    )]
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
}

impl Coded for FolderError {
    fn code(&self) -> Code {
        match self {
            Self::Held { .. } => Code("E0809"),
            Self::NotOurs { .. } => Code("E0816"),
            Self::Unreadable { .. } => Code("E0817"),
            Self::File(e) => e.code(),
        }
    }
}

impl Failure for FolderError {
    fn exit_code(&self) -> u8 {
        match self {
            Self::Held { .. } | Self::NotOurs { .. } | Self::Unreadable { .. } => 5,
            Self::File(e) => e.exit_code(),
        }
    }
}
