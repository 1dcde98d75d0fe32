//! The verification suite: every shipped case with its reference, and studies of how errors fall with mesh and step.
//!
//! The list is data (`suite.ron`): entries and their kinds of reference. Expected values and tolerances are in the `verify` blocks of
//! the cases only. `delassus verify` runs the list, and so do the tests.
//!
//! ```text
//! suite.ron --list--> Entry --run--> EntryResult --page--> verification.html
//!                                                --serde--> verification.json
//! ```
//! A study computes errors eᵢ at sizes hᵢ. The observed order is the slope of the straight line through (ln hᵢ, ln eᵢ) by least squares.

pub mod error;
mod figures;
pub mod gallery;
mod list;
mod loglog;
mod machine;
mod page;
mod run;
pub mod study;

use std::path::{Path, PathBuf};

use delassus_error::{FileError, InternalError};

pub use error::SuiteError;
pub use list::{Entry, Expect, Level, ReferenceKind, StudiedQuantity, Study, gallery_text, list, listing, select};
pub use machine::Machine;
pub use page::page;
pub use run::{EntryResult, LevelResult, RunResult, StudyResult, SuiteOptions, SuiteResult, Watcher, run_suite};

use delassus_run::results::Folder;

/// Name of the page.
pub const PAGE: &str = "verification.html";

/// Where the page goes: `out` itself when it is named `.html`, else `verification.html` in that folder.
#[must_use]
pub fn page_path(out: &Path) -> PathBuf {
    if out.extension().is_some_and(|e| e == "html") { out.to_owned() } else { out.join(PAGE) }
}

/// Writes the page and, beside it, the figures as JSON; returns both paths.
pub fn write(result: &SuiteResult, page_path: &Path) -> Result<[PathBuf; 2], SuiteError> {
    let folder = match page_path.parent() {
        Some(p) if !p.as_os_str().is_empty() => p,
        _ => Path::new("."),
    };
    let io = |source| FileError { action: "create", path: folder.to_owned(), source };
    std::fs::create_dir_all(folder).map_err(io)?;
    let json_path = page_path.with_extension("json");
    let name = |p: &Path| p.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let json = serde_json::to_string_pretty(result).map_err(|e| InternalError(e.to_string()))?;
    let folder = Folder::open(folder);
    folder.write(&name(&json_path), (json + "\n").as_bytes())?;
    folder.write(&name(page_path), page(result).as_bytes())?;
    Ok([page_path.to_owned(), json_path])
}

/// Explanations of the codes of this crate's errors.
pub const EXPLANATIONS: &str = include_str!("explanations.md");

#[cfg(test)]
mod tests;
