//! The verification suite: every shipped case with its reference, and studies of how errors fall with mesh and step.
//!
//! The list is data (`suite.ron`). It says what is run and against what; what is expected of a case and how near stands in the `verify`
//! block of the case alone. `delassus verify` runs the list, and so do the tests.
//!
//! ```text
//! suite.ron --list--> Entry --run--> EntryResult --page--> verification.html
//!                                                --serde--> verification.json
//! ```
//! A study looks at errors eᵢ at sizes hᵢ. The observed order is the slope of the straight line through (ln hᵢ, ln eᵢ) by least squares.

mod error;
mod figures;
mod loglog;
mod machine;
mod page;
mod run;

use std::path::{Path, PathBuf};

use delassus_error::{FileError, InternalError};
use serde::{Deserialize, Serialize};

pub use error::SuiteError;
pub use machine::Machine;
pub use page::page;
pub use run::{
    EntryResult, Level as LevelResult, RunResult, StudyResult, SuiteOptions, SuiteResult, Watcher, run_suite,
};

use crate::gallery::{self, GalleryFile};
use crate::results::Folder;
use crate::source::nearest;

/// Cases that belong to the suite alone.
const OWN: [GalleryFile; 1] = [GalleryFile { file: "oscillator.ron", text: include_str!("oscillator.ron") }];

/// Name of the page.
pub const PAGE: &str = "verification.html";

/// Kinds of references.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub enum Kind {
    /// A solution in closed form.
    Exact,
    /// Figures or statements of a paper.
    Published,
    /// Figures of another program.
    Independent,
    /// What must hold whatever the solution is.
    Identity,
}

impl Kind {
    /// In words.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Exact => "exact solution",
            Self::Published => "published",
            Self::Independent => "independent computation",
            Self::Identity => "identity",
        }
    }
}

/// A line of the list.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// The case it runs; that of its own name when absent.
    #[serde(default)]
    case: Option<String>,
    /// What the problem is.
    pub problem: String,
    /// Kind of the reference.
    pub kind: Kind,
    /// Where the reference comes from, and how sure it is.
    pub citation: String,
    /// Does it belong to the quick ones, which the tests run too?
    #[serde(default)]
    pub quick: bool,
    /// Seconds it takes, more or less.
    pub cost: f64,
    /// The study; none for a single run.
    #[serde(default)]
    pub study: Option<Study>,
}

/// A case at several sizes.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Study {
    /// What is made smaller, in words.
    pub variable: String,
    /// Whose error is looked at.
    pub quantity: Quantity,
    /// `--set` assignments of all levels.
    #[serde(default)]
    pub common: Vec<String>,
    /// The levels, the coarsest first.
    pub levels: Vec<Level>,
    /// What the errors should do.
    pub expect: Expect,
}

/// A level of a study.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Level {
    /// Size of what is made smaller.
    pub size: f64,
    /// `--set` assignments.
    pub settings: Vec<String>,
}

/// An error that a run tells.
#[derive(Clone, Debug, Deserialize)]
pub enum Quantity {
    /// Of a column against its exact curve.
    Column {
        /// The column.
        column: String,
        /// Which mean.
        norm: Norm,
    },
    /// Of a check of the case, by name.
    Check(String),
}

impl Quantity {
    /// In words.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Column { column, norm } => format!("{} of {column}", norm.text()),
            Self::Check(name) => format!("error of “{name}”"),
        }
    }
}

/// Means of an error.
#[derive(Clone, Copy, Debug, Deserialize)]
pub enum Norm {
    /// Mean of the absolute value.
    L1,
    /// Root of the mean square.
    L2,
    /// Largest.
    Max,
}

impl Norm {
    fn text(self) -> &'static str {
        match self {
            Self::L1 => "mean error (L1)",
            Self::L2 => "root mean square error (L2)",
            Self::Max => "largest error",
        }
    }
}

/// What errors should do.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub enum Expect {
    /// Fall with this order.
    Order {
        /// The order.
        order: f64,
        /// Largest difference of the observed one.
        tolerance: f64,
    },
    /// Stay below `factor` times the size to the power `order`.
    Below {
        /// The factor.
        factor: f64,
        /// The power.
        order: f64,
    },
}

impl Entry {
    /// Name of the case it runs.
    #[must_use]
    pub fn case_name(&self) -> &str {
        self.case.as_deref().unwrap_or(&self.name)
    }

    /// The case it runs.
    pub fn case(&self) -> Result<GalleryFile, SuiteError> {
        let name = self.case_name();
        let own = || OWN.into_iter().find(|c| c.name() == name);
        gallery::case(name)
            .or_else(own)
            .ok_or_else(|| InternalError(format!("suite: there is no case `{name}`")).into())
    }
}

/// All entries.
pub fn list() -> Result<Vec<Entry>, SuiteError> {
    let options = ron::Options::default().with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME);
    options.from_str(include_str!("suite.ron")).map_err(|e| InternalError(format!("suite.ron: {e}")).into())
}

/// The entries of these names, in the order of the list; all when no name is given. The name of a case stands for all of its entries.
/// With `quick` only the quick ones of them.
pub fn select(names: &[String], quick: bool) -> Result<Vec<Entry>, SuiteError> {
    let all = list()?;
    for name in names {
        if !all.iter().any(|e| e.name == *name || e.case_name() == name) {
            let known = all.iter().map(|e| e.name.as_str());
            return Err(SuiteError::NoEntry { name: name.clone(), near: nearest(name, known).map(str::to_owned) });
        }
    }
    let is_named = |e: &Entry| names.is_empty() || names.iter().any(|n| e.name == *n || e.case_name() == n);
    Ok(all.into_iter().filter(|e| is_named(e) && (e.quick || !quick)).collect())
}

/// The list as a person reads it.
#[must_use]
pub fn listing(entries: &[Entry]) -> String {
    let width = entries.iter().map(|e| e.name.chars().count()).max().unwrap_or(0);
    let line = |e: &Entry| {
        let what = if e.study.is_some() { "study" } else { "run" };
        let quick = if e.quick { "quick" } else { "" };
        format!("{:width$}  {what:<5}  {:<23}  {quick:<5}  {:>6.1} s", e.name, e.kind.text(), e.cost)
    };
    let total: f64 = entries.iter().map(|e| e.cost).sum();
    let lines: Vec<String> = entries.iter().map(line).collect();
    format!("{}\n{} entries, about {} on two cores", lines.join("\n"), entries.len(), run::duration(total))
}

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

#[cfg(test)]
mod tests;
