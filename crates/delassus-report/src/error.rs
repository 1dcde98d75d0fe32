//! Reasons why a report cannot be made.

use std::path::PathBuf;

use delassus_error::input::ReadError;
use delassus_error::{Code, Coded, Failure, FileError};
use delassus_mesh::vtk::VtkReadError;
use delassus_run::error::FolderError;

/// Reasons why no report was written.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The folder is not there.
    #[error("there is no folder `{0}`; `delassus run CASE` makes one")]
    NoFolder(PathBuf),
    /// The folder holds nothing a run leaves.
    #[error(
        "`{0}` is not a results folder: it has none of case.resolved.ron, history.csv and manifest.json; \
         give the folder that `delassus run` wrote"
    )]
    NotResults(PathBuf),
    /// A file of the folder is missing or cannot be read.
    #[error("cannot read `{path}`: {source}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file of the folder is not read for what it is.
    #[error(transparent)]
    Refused(ReadError),
    /// A file that does not hold what it should.
    #[error("`{path}` is damaged: {reason}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A line of a table that cannot be read.
    #[error("`{path}` is damaged, line {line}: {reason}")]
    Line {
        /// The file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// A frame or collection that cannot be read.
    #[error("`{path}` is damaged: {source}")]
    Vtk {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: VtkReadError,
    },
    /// The folder is in use, or the page cannot be written.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A column that the history does not have.
    #[error("`{path}` has no column `{column}`{}; `delassus plot RESULTS` lists its columns", near.as_ref().map_or(String::new(), |n| format!("; did you mean `{n}`?")))]
    NoColumn {
        /// The table.
        path: PathBuf,
        /// What was asked for.
        column: String,
        /// The name that is nearest to it.
        near: Option<String>,
    },
    /// A column of which there is no spectrum.
    #[error("column `{column}` has no spectrum: {reason}")]
    NoSpectrum {
        /// The column.
        column: String,
        /// Why.
        reason: String,
    },
    /// A film or an export of a run without frames.
    #[error("the run in `{0}` has no frames to draw or export")]
    NoPictures(PathBuf),
    /// A solid of revolution of a body that is not axisymmetric.
    #[error(
        "`{path}` has no solid of revolution: body `{body}` is not axisymmetric; --revolve is for cases whose bodies all have `section: Axisymmetric`"
    )]
    NotRevolved {
        /// The folder.
        path: PathBuf,
        /// The body.
        body: String,
    },
    /// `diff` with a tolerance that is not valid.
    #[error("--tolerance {0}: it must be a number ≥ 0, such as 1e-9")]
    BadTolerance(f64),
}

impl From<ReadError> for ReportError {
    fn from(e: ReadError) -> Self {
        match e {
            ReadError::File(FileError { path, source, .. }) => Self::Unreadable { path, source },
            other => Self::Refused(other),
        }
    }
}

impl Coded for ReportError {
    fn code(&self) -> Code {
        match self {
            Self::NoFolder(_) => Code("E0811"),
            Self::NotResults(_) => Code("E0812"),
            Self::Unreadable { .. } => Code("E0813"),
            Self::Refused(e) => e.code(),
            Self::Damaged { .. } => Code("E0814"),
            Self::Line { .. } => Code("E0815"),
            Self::Vtk { source, .. } => source.code(),
            Self::Folder(e) => e.code(),
            Self::NoColumn { .. } => Code("E0855"),
            Self::NoSpectrum { .. } => Code("E0856"),
            Self::NoPictures(_) => Code("E0857"),
            Self::NotRevolved { .. } => Code("E0354"),
            Self::BadTolerance(_) => Code("E1002"),
        }
    }
}

impl Failure for ReportError {
    /// 2 for the wrong folder, 5 for files that are missing or damaged.
    fn exit_code(&self) -> u8 {
        match self {
            Self::NoFolder(_)
            | Self::NotResults(_)
            | Self::BadTolerance(_)
            | Self::NoColumn { .. }
            | Self::NoSpectrum { .. }
            | Self::NotRevolved { .. }
            | Self::NoPictures(_) => 2,
            Self::Refused(e) => e.exit_code(),
            Self::Unreadable { .. } | Self::Damaged { .. } | Self::Line { .. } | Self::Vtk { .. } => 5,
            Self::Folder(e) => e.exit_code(),
        }
    }
}
