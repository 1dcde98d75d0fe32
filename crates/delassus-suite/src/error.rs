//! Errors of the verification suite and of the gallery.

use std::path::PathBuf;

use delassus_case::error::CaseError;
use delassus_error::{Code, Coded, Failure, FileError, InternalError, Interrupted};
use delassus_report::ReportError;
use delassus_run::error::{FolderError, RunError};

/// Why the suite was not run, or a case not copied.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    /// No entry of the verification suite has this name.
    #[error(
        "the verification suite has no entry `{name}`{}; `delassus verify --list` shows all",
        near.as_ref().map(|n| format!(", did you mean `{n}`?")).unwrap_or_default()
    )]
    NoEntry {
        /// As given.
        name: String,
        /// The nearest there is.
        near: Option<String>,
    },
    /// `init` with a name that no case of the gallery has.
    #[error("there is no case `{name}` in the gallery;{near} `delassus init` lists them")]
    NoSuchExample {
        /// As given.
        name: String,
        /// The nearest name in words, or nothing.
        near: String,
    },
    /// `init` would overwrite a file.
    #[error("`{0}` exists already and is not overwritten; give --out DIR for another folder")]
    Taken(PathBuf),
    /// Someone asked to stop.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
    /// A mesh that cannot be refined.
    #[error(
        "body `{body}` has its mesh from a file, which cannot be refined; study the step alone (--refine step), or mesh the body \
         by a generator with `refine`"
    )]
    NotRefinable {
        /// The body.
        body: String,
    },
    /// A quantity that a study cannot follow.
    #[error(
        "there is no quantity `{name}`{}; give a column of history.csv, final:COLUMN, curve:COLUMN or check:NAME",
        near.as_ref().map(|n| format!(", did you mean `{n}`?")).unwrap_or_default()
    )]
    NoQuantity {
        /// As given.
        name: String,
        /// The nearest there is.
        near: Option<String>,
    },
    /// A level that is there, of something else.
    #[error(
        "`{folder}` holds a level of another case, of other files or of another version; give --force to run it again, or --out DIR"
    )]
    OtherStudy {
        /// The folder of the level.
        folder: PathBuf,
    },
    /// The user or the system asked the study to stop.
    #[error(
        "interrupted in level {level} of {of}, after step {done} of {n}; the state is saved.\n\
         The same command continues from there."
    )]
    StudyInterrupted {
        /// The level.
        level: usize,
        /// Of how many.
        of: usize,
        /// Nominal steps done.
        done: usize,
        /// Nominal steps of the level.
        n: usize,
    },
    /// A shipped case is wrong.
    #[error(transparent)]
    Case(#[from] CaseError),
    /// A run failed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// Results cannot be read back.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// A folder is in use, or a page cannot be written into it.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// Something that should be impossible.
    #[error(transparent)]
    Internal(#[from] InternalError),
}

impl Coded for SuiteError {
    fn code(&self) -> Code {
        match self {
            Self::Taken(_) => Code("E0806"),
            Self::NoSuchExample { .. } => Code("E0807"),
            Self::NoEntry { .. } => Code("E1001"),
            Self::Interrupted(e) => e.code(),
            Self::NotRefinable { .. } => Code("E0911"),
            Self::NoQuantity { .. } => Code("E0912"),
            Self::OtherStudy { .. } => Code("E0913"),
            Self::StudyInterrupted { .. } => Code("E0914"),
            Self::Case(e) => e.code(),
            Self::Run(e) => e.code(),
            Self::Report(e) => e.code(),
            Self::Folder(e) => e.code(),
            Self::File(e) => e.code(),
            Self::Internal(e) => e.code(),
        }
    }
}

impl Failure for SuiteError {
    fn exit_code(&self) -> u8 {
        match self {
            Self::NoEntry { .. } | Self::NoSuchExample { .. } | Self::NotRefinable { .. } | Self::NoQuantity { .. } => {
                2
            }
            Self::Taken(_) | Self::OtherStudy { .. } => 5,
            Self::StudyInterrupted { .. } => 130,
            Self::Interrupted(e) => e.exit_code(),
            Self::Case(e) => e.exit_code(),
            Self::Run(e) => e.exit_code(),
            Self::Report(e) => e.exit_code(),
            Self::Folder(e) => e.exit_code(),
            Self::File(e) => e.exit_code(),
            Self::Internal(e) => e.exit_code(),
        }
    }
}
