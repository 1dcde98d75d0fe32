//! A results folder read back: manifest, history, case, log and the list of frames.

use std::path::{Path, PathBuf};

use delassus_case::error::CaseError;
use delassus_case::load::Loaded;
use delassus_case::spec::Case;
use delassus_chart::scale::PrefixedUnit;
use delassus_error::input::{InputKind, RECORD, RESULTS, read_file};
use delassus_mesh::vtk::{GridData, read_pvd, read_vtu};
use delassus_run::json_fault;
use delassus_run::judgement::tolerance;
use delassus_run::manifest::{self, Manifest};
use delassus_run::status::{self, RunStatus, STATUS};
use delassus_verify::history::{self, History};

use super::error::ReportError;

/// What a run left. Frames are read one by one, when they are drawn.
pub struct Results {
    path: PathBuf,
    /// The manifest; none when the run did not finish.
    pub manifest: Option<Manifest>,
    /// The last status of the run; none in folders of older versions.
    pub status: Option<RunStatus>,
    /// All rows of `history.csv`, at least one.
    pub history: History,
    /// The case with all defaults.
    pub case: Case,
    /// The case as it was given.
    pub case_text: String,
    /// The log, empty when there is none.
    pub log: String,
    /// Time \[s\] and file of each frame of the fields, in order.
    pub fields: Vec<(f64, String)>,
    /// Time \[s\] and file of each frame of the contacts, in order.
    pub contacts: Vec<(f64, String)>,
    /// Time \[s\] and file of each frame of the obstacles, in order; none in a run without obstacles.
    pub obstacles: Vec<(f64, String)>,
    /// Time \[s\] and file of each frame of the joints, in order; none in a run without joints.
    pub joints: Vec<(f64, String)>,
}

impl Results {
    /// Reads all but the frames. A folder without a manifest is that of a run that did not finish (or has not yet).
    pub fn read(path: &Path) -> Result<Self, ReportError> {
        Self::check_folder(path)?;
        let is_there = |name: &str| path.join(name).is_file();
        let manifest = if is_there("manifest.json") { Some(read_manifest(path)?) } else { None };
        let unfinished = manifest.is_none();
        let collection =
            |name: &str| if unfinished && !is_there(name) { Ok(Vec::new()) } else { read_list(path, name) };
        Ok(Self {
            history: read_history(path, unfinished)?,
            case: read_case(path)?,
            case_text: text(&path.join(if is_there("case.json") { "case.json" } else { "case.ron" }), RECORD)?,
            log: if is_there("run.log") { text(&path.join("run.log"), RECORD)? } else { String::new() },
            fields: collection("fields.pvd")?,
            contacts: collection("contacts.pvd")?,
            obstacles: if is_there("obstacles.pvd") { read_list(path, "obstacles.pvd")? } else { Vec::new() },
            joints: if is_there("joints.pvd") { read_list(path, "joints.pvd")? } else { Vec::new() },
            status: if is_there(STATUS) { Some(read_status(path)?) } else { None },
            manifest,
            path: path.to_owned(),
        })
    }

    /// An error unless it is a folder with anything in it that a run leaves.
    pub(crate) fn check_folder(path: &Path) -> Result<(), ReportError> {
        if !path.is_dir() {
            return Err(ReportError::NoFolder(path.to_owned()));
        }
        let is_there = |name: &str| path.join(name).is_file();
        match ["case.resolved.ron", "history.csv", "manifest.json"].into_iter().any(is_there) {
            true => Ok(()),
            false => Err(ReportError::NotResults(path.to_owned())),
        }
    }

    /// Where the folder is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads a frame named by a collection.
    pub fn frame(&self, file: &str) -> Result<GridData, ReportError> {
        let path = self.path.join(file);
        read_vtu(&read_file(&path, RESULTS)?).map_err(|source| ReportError::Vtk { path, source })
    }

    /// A table of the folder besides the history; none when it is not there, or has no row.
    pub fn table(&self, name: &str) -> Result<Option<History>, ReportError> {
        let path = self.path.join(name);
        if !path.is_file() {
            return Ok(None);
        }
        let text = text(&path, RESULTS)?;
        if text.lines().count() < 2 {
            return Ok(None);
        }
        let read = history::parse(&text, false);
        read.map(Some).map_err(|fault| ReportError::Line { path, line: fault.line, reason: fault.reason })
    }

    /// An error about a frame that was read.
    pub fn frame_error(&self, file: &str, source: delassus_mesh::vtk::VtkReadError) -> ReportError {
        ReportError::Vtk { path: self.path.join(file), source }
    }

    /// The law error the case asked for.
    #[must_use]
    pub fn tolerance(&self) -> f64 {
        tolerance(&self.case)
    }

    /// A number in words, with its unit if the case has units.
    #[must_use]
    pub fn show(&self, value: f64, si: &'static str) -> String {
        match self.case.units.symbol(si) {
            "s" => PrefixedUnit::show_time(value),
            symbol => PrefixedUnit::show(value, symbol),
        }
    }

    /// A column of the history; empty when there is none of that name.
    #[must_use]
    pub fn column(&self, name: &str) -> Vec<f64> {
        self.history.column(name).unwrap_or_default()
    }

    /// Names `<name>.<ending>` in the history, without the ending, in order.
    #[must_use]
    pub fn groups(&self, ending: &str) -> Vec<String> {
        let dotted = format!(".{ending}");
        self.history.names().iter().filter_map(|n| n.strip_suffix(&dotted)).map(str::to_owned).collect()
    }
}

fn text(path: &Path, kind: InputKind) -> Result<String, ReportError> {
    String::from_utf8(read_file(path, kind)?).map_err(|e| ReportError::Damaged {
        path: path.to_owned(),
        reason: format!("byte {} is not UTF-8, the file should be text", e.utf8_error().valid_up_to()),
    })
}

fn read_manifest(folder: &Path) -> Result<Manifest, ReportError> {
    let path = folder.join("manifest.json");
    let damaged = |e: serde_json::Error| ReportError::Damaged { path: path.clone(), reason: json_fault(&e) };
    manifest::parse(&read_file(&path, RECORD)?).map_err(damaged)
}

fn read_status(folder: &Path) -> Result<RunStatus, ReportError> {
    let path = folder.join(STATUS);
    let damaged = |e: serde_json::Error| ReportError::Damaged { path: path.clone(), reason: json_fault(&e) };
    status::parse(&read_file(&path, RECORD)?).map_err(damaged)
}

fn read_history(folder: &Path, unfinished: bool) -> Result<History, ReportError> {
    let path = folder.join("history.csv");
    let text = text(&path, RESULTS)?;
    history::parse(&text, unfinished).map_err(|fault| ReportError::Line {
        path,
        line: fault.line,
        reason: fault.reason,
    })
}

fn read_case(folder: &Path) -> Result<Case, ReportError> {
    let path = folder.join("case.resolved.ron");
    match Loaded::from_text(&path, text(&path, RECORD)?, &[]) {
        Ok(loaded) => Ok(loaded.case),
        Err(e) => {
            let reason = match e {
                CaseError::Case { text, .. } => text,
                other => other.to_string(),
            };
            Err(ReportError::Damaged { path, reason })
        }
    }
}

fn read_list(folder: &Path, name: &str) -> Result<Vec<(f64, String)>, ReportError> {
    let path = folder.join(name);
    let list = read_pvd(&read_file(&path, RECORD)?);
    list.map_err(|source| ReportError::Vtk { path, source })
}
