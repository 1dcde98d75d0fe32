//! The list of the suite: what is run and against what.

use std::fmt::Write as _;
use std::path::Path;

use delassus_case::load::Loaded;
use delassus_case::source::nearest;
use delassus_error::InternalError;
use delassus_verify::Norm;
use serde::{Deserialize, Serialize};

use super::error::SuiteError;
use crate::gallery::{self, GalleryFile};

/// Cases that belong to the suite alone.
const OWN: [GalleryFile; 18] = [
    GalleryFile { file: "oscillator.ron", text: include_str!("oscillator.ron") },
    GalleryFile { file: "laws.ron", text: include_str!("laws.ron") },
    GalleryFile { file: "laws-of-friction.ron", text: include_str!("laws-of-friction.ron") },
    GalleryFile { file: "carried.ron", text: include_str!("carried.ron") },
    GalleryFile { file: "turned-bars.ron", text: include_str!("turned-bars.ron") },
    GalleryFile { file: "tetrahedra.ron", text: include_str!("tetrahedra.ron") },
    GalleryFile { file: "joined.ron", text: include_str!("joined.ron") },
    GalleryFile { file: "driven.ron", text: include_str!("driven.ron") },
    GalleryFile { file: "weighed.ron", text: include_str!("weighed.ron") },
    GalleryFile { file: "prony-shear.ron", text: include_str!("prony-shear.ron") },
    GalleryFile { file: "viscoplastic-shear.ron", text: include_str!("viscoplastic-shear.ron") },
    GalleryFile { file: "soil-block.ron", text: include_str!("soil-block.ron") },
    GalleryFile { file: "board-askew.ron", text: include_str!("board-askew.ron") },
    GalleryFile { file: "heated-block.ron", text: include_str!("heated-block.ron") },
    GalleryFile { file: "sliding-corner.ron", text: include_str!("sliding-corner.ron") },
    GalleryFile { file: "spun.ron", text: include_str!("spun.ron") },
    GalleryFile { file: "fading.ron", text: include_str!("fading.ron") },
    GalleryFile { file: "linked.ron", text: include_str!("linked.ron") },
];

/// Kinds of references.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub enum ReferenceKind {
    /// A solution in closed form.
    Exact,
    /// Figures or statements of a paper.
    Published,
    /// Figures of another program.
    Independent,
    /// What must hold whatever the solution is.
    Identity,
    /// A formula that approximates the problem.
    Estimate,
    /// Another way of this program: another scheme, another mesh.
    Own,
}

impl ReferenceKind {
    /// In words.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Exact => "exact solution",
            Self::Published => "published",
            Self::Independent => "independent computation",
            Self::Identity => "identity",
            Self::Estimate => "estimate",
            Self::Own => "own computation",
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
    /// ReferenceKind of the reference.
    pub kind: ReferenceKind,
    /// Where the reference comes from, and how sure it is.
    pub citation: String,
    /// Does it belong to the quick ones, which the tests run too?
    #[serde(default)]
    pub quick: bool,
    /// Seconds it takes, more or less.
    pub cost: f64,
    /// `--set` assignments of a single run.
    #[serde(default)]
    pub settings: Vec<String>,
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
    pub quantity: StudiedQuantity,
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
pub enum StudiedQuantity {
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

impl StudiedQuantity {
    /// In words.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Column { column, norm } => format!("{} of {column}", norm.text()),
            Self::Check(name) => format!("error of “{name}”"),
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

/// The entries of these names, in the order of the list; all when no name is given. The name of a case means all of its entries. With
/// `quick` only the quick ones of them.
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
    format!("{}\n{} entries, about {} on two cores", lines.join("\n"), entries.len(), time_in_words(total))
}

/// The list of cases as a person reads it.
pub fn gallery_text() -> Result<String, SuiteError> {
    let times = list()?;
    let width = gallery::cases().map(|c| c.name().len()).max().unwrap_or(0);
    let mut text = String::new();
    for file in gallery::cases() {
        let case = Loaded::from_text(Path::new(file.file), file.text.to_owned(), &[])?.case;
        let seconds = times.iter().find(|e| e.name == file.name()).map(|e| e.cost);
        let time = seconds.map_or_else(String::new, estimate_in_words);
        let _ = writeln!(text, "{:<width$}  {}D  {time:>8}  {}", file.name(), case.dimension, case.title);
    }
    Ok(text + "\ndelassus init NAME copies a case and its meshes into a new folder NAME")
}

fn estimate_in_words(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => "< 1 s".to_owned(),
        s if s < 60.0 => format!("~ {s:.0} s"),
        s => format!("~ {:.0} min", (s / 60.0).ceil()),
    }
}

/// Seconds as people say them.
#[must_use]
pub(crate) fn time_in_words(seconds: f64) -> String {
    match seconds.round() {
        _ if seconds < 0.1 => format!("{:.0} ms", 1e3 * seconds),
        _ if seconds < 9.95 => format!("{seconds:.1} s"),
        s if s < 120.0 => format!("{s:.0} s"),
        s => format!("{:.0} min {:02.0} s", (s / 60.0).floor(), s % 60.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_has_every_case_with_its_time() {
        let text = gallery_text().unwrap();
        for case in gallery::cases() {
            let line = text.lines().find(|l| l.split_whitespace().next() == Some(case.name())).unwrap();
            assert!(line.contains(" s  ") || line.contains(" min  "), "{line}");
        }
        assert_eq!([0.2, 12.0, 61.0].map(estimate_in_words), ["< 1 s", "~ 12 s", "~ 2 min"]);
    }
}
