//! A convergence study of any case: the same case at several levels, with half the step or half the cells from one to the next.
//!
//! ```text
//! case --plan--> levels --levels--> results folders --follow, orders--> CaseStudy --page--> study.html
//!                                                                              --serde--> study.json
//! ```
//!
//! A study is computed from the results folders only, so an interrupted study continues with the levels it has.

mod follow;
mod levels;
mod orders;
mod page;
mod plan;
mod text;

use std::path::{Path, PathBuf};

use delassus_error::InternalError;
use delassus_run::judgement::Finding;
use delassus_run::lock::Holder;
use delassus_run::results::Folder;
use serde::Serialize;

pub use levels::{StudyOptions, StudyWatcher, study_case};
pub use orders::{Followed, FollowedKind};
pub use page::study_page;
pub use plan::{PlannedLevel, Refinement};

use crate::error::SuiteError;

/// Name of the page.
pub const STUDY_PAGE: &str = "study.html";

/// A study that was made.
#[derive(Clone, Debug, Serialize)]
pub struct CaseStudy {
    /// Version of the program.
    pub version: &'static str,
    /// The commit it was built from.
    pub commit: &'static str,
    /// Title of the case.
    pub title: String,
    /// File name of the case.
    pub case: String,
    /// `--set` assignments of all levels.
    pub common: Vec<String>,
    /// What was refined, in words.
    pub refined: String,
    /// The levels that were run to their end, the case itself first.
    pub levels: Vec<StudiedLevel>,
    /// What was followed from level to level.
    pub followed: Vec<Followed>,
    /// How many quantities were left out for want of room.
    pub left_out: usize,
    /// Why the levels after these were not run.
    pub stopped: Option<String>,
    /// The exit code that this asks for; 0 when all levels were run.
    #[serde(skip)]
    pub exit_code: u8,
    /// Unit of times.
    #[serde(skip)]
    pub second: &'static str,
}

/// A level that was run.
#[derive(Clone, Debug, Serialize)]
pub struct StudiedLevel {
    /// Number, from 1.
    pub number: usize,
    /// Size of steps or cells, relative to those of the case.
    pub size: f64,
    /// `--set` assignments of this level alone.
    pub settings: Vec<String>,
    /// The nominal step \[s\].
    pub step: f64,
    /// Accepted steps.
    pub steps: usize,
    /// Degrees of freedom.
    pub dofs: usize,
    /// Wall time of its run \[s\].
    pub wall: f64,
    /// The verdict on its run.
    pub verdict: &'static str,
    /// The class of the page's style sheet for it.
    #[serde(skip)]
    pub class: &'static str,
    /// What the verdict rests on.
    pub findings: Vec<Finding>,
    /// Checks that passed, and how many there are.
    pub checks: [usize; 2],
    /// Its results, in the folder of the study.
    pub folder: String,
    /// Was it there already?
    #[serde(skip)]
    pub kept: bool,
}

/// Writes the page and the figures as JSON into the folder of the study; returns both paths.
pub fn write_study(study: &CaseStudy, folder: &Path) -> Result<[PathBuf; 2], SuiteError> {
    let json = serde_json::to_string_pretty(study).map_err(|e| InternalError(e.to_string()))?;
    let folder = Folder::open(folder);
    let _lock = folder.hold(Holder::Study)?;
    folder.write("study.json", (json + "\n").as_bytes())?;
    folder.write(STUDY_PAGE, study_page(study).as_bytes())?;
    Ok([folder.file(STUDY_PAGE), folder.file("study.json")])
}

#[cfg(test)]
mod tests;
