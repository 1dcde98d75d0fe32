//! Folders `DATBOX` of LMGC90: rigid bodies, materials, contact laws, drives and the state at the start become a case and files of blocks.
//!
//! ```text
//! BODIES.DAT       bodies RBDY2 and RBDY3 with one DISKx, POLYG, JONCx, SPHER, POLYR or PLANx each
//! BULK_BEHAV.DAT   densities of RIGID materials, weight
//! TACT_BEHAV.DAT   laws IQS_CLB, VEL_SGR_CLB, RST_CLB, GAP_SGR_CLB; which colours meet by which law
//! DOF.INI          places, turns and velocities at the start; may be missing
//! DRV_DOF.DAT      prescribed velocities, forces and moments; may be missing
//! ```
//!
//! Step, duration and θ are in no file: LMGC90 has them in its command script. The laws are the same: IQS_CLB has U_N + max(g, 0)/h ≥ 0, as our `Restitution` without restitution;
//! GAP_SGR_CLB has the gap whatever its sign, as `SignoriniCoulomb`. Distances of detection (`alert`) are used as the deepest penetration accepted at the start.

mod records;
mod scene;
mod text;

use std::path::{Path, PathBuf};

use delassus_error::input::{InputKind, ReadError, read_file};
use delassus_error::{Code, Coded, Failure, FileError};
use thiserror::Error;

pub use scene::{DatboxScene, Texts};
pub use text::{Schedule, WrittenCase};

/// A file of a DATBOX: 256 MB are a million blocks.
const DATBOX: InputKind = InputKind { noun: "a file of a DATBOX", most: 256_000_000 };

/// Why a DATBOX is not read.
#[derive(Debug, Error)]
pub enum DatboxError {
    /// A file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A file cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A line that is not what it should be.
    #[error("{file}, line {line}: `{found}` where {wanted} should be")]
    RecordLine {
        /// The file.
        file: &'static str,
        /// Number of the line, from 1.
        line: usize,
        /// The line.
        found: String,
        /// What should be there.
        wanted: String,
    },
    /// A file without what it must have.
    #[error("{file}: nothing is found of {wanted}")]
    Empty {
        /// The file.
        file: &'static str,
        /// What it must have.
        wanted: String,
    },
    /// A name that is not defined.
    #[error("{file}, line {line}: {what} `{name}` is not in {place}")]
    Unknown {
        /// The file.
        file: &'static str,
        /// Number of the line, from 1.
        line: usize,
        /// What is named.
        what: &'static str,
        /// Its name.
        name: String,
        /// Where it should be.
        place: &'static str,
    },
    /// Something that this program does not have.
    #[error("{file}, line {line}: {what} is not read; {remedy}")]
    Lacks {
        /// The file.
        file: &'static str,
        /// Number of the line, from 1.
        line: usize,
        /// What it is.
        what: String,
        /// What can be done.
        remedy: &'static str,
    },
    /// A file that is there already.
    #[error("`{}` exists already, and nothing is overwritten: name a new folder", .0.display())]
    Taken(PathBuf),
}

impl Coded for DatboxError {
    fn code(&self) -> Code {
        match self {
            Self::Read(e) => e.code(),
            Self::File(e) => e.code(),
            Self::RecordLine { .. } | Self::Empty { .. } => Code("E0692"),
            Self::Unknown { .. } => Code("E0693"),
            Self::Lacks { .. } => Code("E0694"),
            Self::Taken(_) => Code("E0695"),
        }
    }
}

impl Failure for DatboxError {
    fn exit_code(&self) -> u8 {
        match self {
            Self::Read(e) => e.exit_code(),
            Self::File(e) => e.exit_code(),
            _ => 2,
        }
    }
}

/// Reads a folder.
pub fn read_folder(folder: &Path) -> Result<DatboxScene, DatboxError> {
    let read = |name: &str, may_miss: bool| match read_file(&folder.join(name), DATBOX) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Err(e) if may_miss && e.is_missing() => Ok(String::new()),
        Err(e) => Err(DatboxError::Read(e)),
    };
    DatboxScene::read(&Texts {
        bodies: read("BODIES.DAT", false)?,
        bulk: read("BULK_BEHAV.DAT", false)?,
        tact: read("TACT_BEHAV.DAT", false)?,
        start: read("DOF.INI", true)?,
        driven: read("DRV_DOF.DAT", true)?,
    })
}

/// Writes a case and its files into a new folder; returns the path of the case. Nothing is overwritten.
pub fn write_folder(written: &WrittenCase, folder: &Path) -> Result<PathBuf, DatboxError> {
    let case = ("case.ron".to_owned(), written.case.clone());
    let files: Vec<&(String, String)> = written.files.iter().chain([&case]).collect();
    // All are looked at before the first is written.
    if let Some(taken) = files.iter().map(|(name, _)| folder.join(name)).find(|path| path.exists()) {
        return Err(DatboxError::Taken(taken));
    }
    let fault = |action: &'static str, path: &Path, source| FileError { action, path: path.to_owned(), source };
    std::fs::create_dir_all(folder).map_err(|e| fault("create", folder, e))?;
    for (name, text) in files {
        let path = folder.join(name);
        std::fs::write(&path, text).map_err(|e| fault("write", &path, e))?;
    }
    Ok(folder.join("case.ron"))
}

#[cfg(test)]
mod tests;
