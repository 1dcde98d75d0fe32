//! `report.html`: one page with the verdict, the results and the errors of a run.
//!
//! The page is made of the results folder alone, never of a run in memory: `delassus report` on an old folder gives the
//! same bytes as `--report` at the end of the run. It holds its style and figures (inline SVG), needs no network and no
//! script, and carries no date, so the same folder always gives the same page.
//!
//! ```text
//! results folder --folder--> Results --judgement, figures, picture--> texts and SVG --page--> report.html
//! ```

pub mod diff;
mod error;
pub mod export;
pub mod figures;
pub mod film;
pub mod folder;
pub mod html;
pub mod judgement;
pub mod live;
pub mod page;
mod picture;
pub mod plot;
pub mod profiles;
pub mod references;
mod revolved;
pub mod show;
mod slip;
pub mod tables;
mod tractions;
mod upright;
pub mod view;

use std::path::{Path, PathBuf};

pub use error::ReportError;

use delassus_run::lock::{Holder, Lock};
use delassus_run::results::Folder;
use folder::Results;

/// Name of the page in its results folder.
pub const FILE: &str = "report.html";

/// The page of a results folder.
pub fn render(folder: &Path) -> Result<String, ReportError> {
    let results = Results::read(folder)?;
    let galleries = picture::galleries(&results)?;
    let mut profiles = profiles::profiles(&results)?;
    profiles.extend(slip::along(&results)?);
    let references = references::references(&results)?;
    Ok(page::page(&results, &galleries, &profiles, &references))
}

/// Writes the page into its results folder and returns its path. No run may write into the folder at the same time.
pub fn write_report(folder: &Path) -> Result<PathBuf, ReportError> {
    Results::check_folder(folder)?;
    let _lock = Lock::take(folder, Holder::Report)?;
    let page = render(folder)?;
    let folder = Folder::open(folder);
    folder.write(FILE, page.as_bytes())?;
    Ok(folder.file(FILE))
}

/// Explanations of the codes of this crate's errors.
pub const EXPLANATIONS: &str = include_str!("explanations.md");

#[cfg(test)]
mod tests;
