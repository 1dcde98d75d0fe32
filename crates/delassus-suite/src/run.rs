//! Runs the entries of the list one after the other. An entry that cannot be run counts as failed, and the
//! next ones are run.

use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};

use delassus_case::load::Loaded;
use delassus_error::{FileError, Interrupt};
use delassus_report::figures::Figure;
use delassus_run::judgement::{Topic, Word};
use delassus_run::run::{RunOptions, Silent, run_case};
use delassus_run::summary::Summary;
use delassus_verify::{CheckResult, ColumnError};
use serde::Serialize;

use super::error::SuiteError;
use super::list::time_in_words;
use super::machine::{Machine, date};
use super::{Entry, Expect, ReferenceKind, StudiedQuantity, Study, figures};
use crate::gallery;

/// How the suite is to be run.
#[derive(Clone, Debug)]
pub struct SuiteOptions {
    /// Threads of a run; all cores when absent.
    pub threads: Option<usize>,
    /// Where the runs go: kept there. A temporary folder, removed at the end, when absent.
    pub results: Option<PathBuf>,
    /// Further `--set` assignments of every run.
    pub settings: Vec<String>,
    /// Were only the quick entries asked for?
    pub quick: bool,
    /// The time of day.
    pub now: SystemTime,
    /// Raised from outside: the suite is to stop, without a page.
    pub stop: Interrupt,
}

impl Default for SuiteOptions {
    fn default() -> Self {
        let (now, stop) = (SystemTime::now(), Interrupt::never());
        Self { threads: None, results: None, settings: Vec::new(), quick: false, now, stop }
    }
}

/// Someone who wants to know how the suite goes.
pub trait Watcher {
    /// An entry starts: its number from 1, of how many, its name, seconds left.
    fn started(&mut self, number: usize, of: usize, name: &str, left: f64);
    /// It ended.
    fn ended(&mut self, result: &EntryResult);
}

/// All that came out.
#[derive(Clone, Debug, Serialize)]
pub struct SuiteResult {
    /// Version of the program.
    pub version: &'static str,
    /// The commit it was built from.
    pub commit: &'static str,
    /// What it ran on.
    pub machine: Machine,
    /// Threads of a run.
    pub threads: usize,
    /// When.
    pub date: String,
    /// Only the quick entries?
    pub quick: bool,
    /// Wall time \[s\].
    pub wall: f64,
    /// Entries that passed.
    pub passed: usize,
    /// Entries that were run.
    pub total: usize,
    /// The entries.
    pub entries: Vec<EntryResult>,
}

/// What came out of an entry.
#[derive(Clone, Debug, Serialize)]
pub struct EntryResult {
    /// Name of the entry.
    pub name: String,
    /// Name of its case.
    pub case: String,
    /// The problem.
    pub problem: String,
    /// ReferenceKind of the reference.
    pub kind: ReferenceKind,
    /// Where it comes from.
    pub citation: String,
    /// Did it pass?
    pub passed: bool,
    /// What failed, one sentence each.
    pub failures: Vec<String>,
    /// Wall time \[s\].
    pub wall: f64,
    /// The run; none for a study, and none when it failed on the way.
    pub run: Option<RunResult>,
    /// The study; none for a single run.
    pub study: Option<StudyResult>,
    /// Pictures of the run.
    #[serde(skip)]
    pub figures: Vec<Figure>,
}

/// What a run said of itself.
#[derive(Clone, Debug, Serialize)]
pub struct RunResult {
    /// The verdict; anything but `Pass` counts as failed.
    pub verdict: Word,
    /// `--set` assignments.
    pub settings: Vec<String>,
    /// Checks.
    pub checks: Vec<CheckResult>,
    /// Errors against exact curves.
    pub errors: Vec<ColumnError>,
    /// Worst law error.
    pub law_error: f64,
    /// Law error asked for.
    pub tolerance: f64,
    /// Steps accepted beyond it.
    pub flagged: usize,
    /// Worst residual of the energy ledger, relative.
    pub energy_residual: f64,
    /// Steps.
    pub steps: usize,
    /// Degrees of freedom.
    pub dofs: usize,
    /// Wall time \[s\].
    pub wall: f64,
}

/// What came out of a study.
#[derive(Clone, Debug, Serialize)]
pub struct StudyResult {
    /// What is made smaller.
    pub variable: String,
    /// Whose error it is.
    pub quantity: String,
    /// What was expected.
    pub expect: Expect,
    /// `--set` assignments of all levels.
    pub common: Vec<String>,
    /// The levels.
    pub levels: Vec<LevelResult>,
    /// Slope of the straight line through all levels.
    pub order: f64,
}

/// A level of a study.
#[derive(Clone, Debug, Serialize)]
pub struct LevelResult {
    /// Size of what is made smaller.
    pub size: f64,
    /// The error.
    pub error: f64,
    /// Order from the level before to this one; none at the first.
    pub order: Option<f64>,
    /// Worst law error of the run.
    pub law_error: f64,
    /// Worst residual of the energy ledger.
    pub energy_residual: f64,
    /// Steps.
    pub steps: usize,
    /// Wall time \[s\].
    pub wall: f64,
    /// `--set` assignments.
    pub settings: Vec<String>,
}

impl SuiteResult {
    /// Did everything pass?
    #[must_use]
    pub fn all_passed(&self) -> bool {
        self.passed == self.total
    }

    /// What a person reads at the end: what failed, and how many passed.
    #[must_use]
    pub fn text(&self) -> String {
        let mut lines = Vec::new();
        for e in self.entries.iter().filter(|e| !e.passed) {
            for failure in &e.failures {
                lines.push(format!("FAIL  {}: {failure}", e.name));
            }
        }
        lines.push(format!("{} of {} passed in {}", self.passed, self.total, time_in_words(self.wall)));
        lines.join("\n")
    }
}

/// Runs entries, one after the other.
pub fn run_suite(
    entries: &[Entry],
    options: &SuiteOptions,
    watcher: &mut dyn Watcher,
) -> Result<SuiteResult, SuiteError> {
    let started = Instant::now();
    let temporary = std::env::temp_dir().join(format!("delassus-verify-{}-{}", std::process::id(), unique()));
    let root = options.results.clone().unwrap_or_else(|| temporary.clone());
    std::fs::create_dir_all(&root).map_err(|source| FileError { action: "create", path: root.clone(), source })?;
    let total: f64 = entries.iter().map(|e| e.cost).sum();
    let (mut done, mut results) = (0.0, Vec::new());
    for (k, entry) in entries.iter().enumerate() {
        // Stored costs are those of another machine: scaled by what was seen so far.
        let speed = if done > 1.0 { started.elapsed().as_secs_f64() / done } else { 1.0 };
        watcher.started(k + 1, entries.len(), &entry.name, speed * (total - done));
        let result = run_entry(entry, options, &root);
        done += entry.cost;
        let stopped = options.stop.is_raised();
        if !stopped {
            watcher.ended(&result);
            results.push(result);
        }
        if options.results.is_none() {
            let _ = std::fs::remove_dir_all(root.join("runs"));
        }
        if stopped {
            break;
        }
    }
    if options.results.is_none() {
        let _ = std::fs::remove_dir_all(&temporary);
    }
    options.stop.check()?;
    let machine = Machine::this();
    Ok(SuiteResult {
        version: env!("CARGO_PKG_VERSION"),
        commit: delassus_run::COMMIT,
        threads: options.threads.unwrap_or(machine.cores),
        machine,
        date: date(options.now),
        quick: options.quick,
        wall: started.elapsed().as_secs_f64(),
        passed: results.iter().filter(|r| r.passed).count(),
        total: results.len(),
        entries: results,
    })
}

/// A number no other suite of this process has.
fn unique() -> usize {
    static NEXT: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
    NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed)
}

/// Runs an entry. A failure to run is a failure of the entry.
fn run_entry(entry: &Entry, options: &SuiteOptions, root: &Path) -> EntryResult {
    let started = Instant::now();
    let mut result = EntryResult {
        name: entry.name.clone(),
        case: entry.case_name().to_owned(),
        problem: entry.problem.clone(),
        kind: entry.kind,
        citation: entry.citation.clone(),
        passed: false,
        failures: Vec::new(),
        wall: 0.0,
        run: None,
        study: None,
        figures: Vec::new(),
    };
    let done = match &entry.study {
        None => single(entry, options, root, &mut result),
        Some(study) => levels(entry, study, options, root, &mut result),
    };
    if let Err(e) = done {
        result.failures.push(format!("it did not finish: {e}"));
    }
    result.passed = result.failures.is_empty();
    result.wall = started.elapsed().as_secs_f64();
    result
}

/// Runs the case of an entry with some settings, without frames on the way.
fn run(
    entry: &Entry,
    settings: &[String],
    options: &SuiteOptions,
    root: &Path,
    folder: &str,
) -> Result<(Summary, Loaded), SuiteError> {
    let settings = [settings, &options.settings[..]].concat();
    let path = gallery::write_case(entry.case()?, root)?;
    for s in &settings {
        gallery::write_meshes_named_in(s, root)?;
    }
    let mut loaded = Loaded::read(&path, &settings)?;
    loaded.case.output.every = Some(usize::MAX);
    let out = Some(root.join("runs").join(folder));
    let summary = run_case(
        &loaded,
        &RunOptions { out, force: true, threads: options.threads, stop: options.stop.clone(), ..RunOptions::default() },
        &mut Silent,
    )?;
    Ok((summary, loaded))
}

fn single(entry: &Entry, options: &SuiteOptions, root: &Path, result: &mut EntryResult) -> Result<(), SuiteError> {
    let (summary, loaded) = run(entry, &entry.settings, options, root, &entry.name)?;
    let verification = summary.verification.clone().unwrap_or_default();
    if verification.checks.is_empty() {
        result.failures.push("the case checks nothing: its `verify` block has no checks".to_owned());
    }
    let v = &summary.verdict;
    result.failures.extend(summary.judgement.reasons().map(|f| f.text.clone()));
    result.run = Some(RunResult {
        verdict: summary.judgement.word,
        settings: loaded.settings.clone(),
        checks: verification.checks,
        errors: verification.errors,
        law_error: v.law_error,
        tolerance: summary.tolerance,
        flagged: v.flagged,
        energy_residual: v.energy_residual,
        steps: summary.steps,
        dofs: summary.n_dof,
        wall: summary.wall,
    });
    result.figures = figures::of_run(&entry.name, &summary, &loaded.case)?;
    Ok(())
}

fn levels(
    entry: &Entry,
    study: &Study,
    options: &SuiteOptions,
    root: &Path,
    result: &mut EntryResult,
) -> Result<(), SuiteError> {
    let mut levels: Vec<LevelResult> = Vec::new();
    for (k, level) in study.levels.iter().enumerate() {
        let settings = [&study.common[..], &level.settings[..]].concat();
        let (summary, _) = run(entry, &settings, options, root, &format!("{}-{}", entry.name, k + 1))?;
        let error = error_of(&study.quantity, &summary);
        let slope = |before: &LevelResult| (before.error / error).ln() / (before.size / level.size).ln();
        // The checks of a case are made for its own size; a study judges the errors of all sizes by itself.
        let reasons = summary.judgement.reasons().filter(|f| f.topic != Topic::Check);
        result.failures.extend(reasons.map(|f| format!("level {}: {}", k + 1, f.text)));
        levels.push(LevelResult {
            size: level.size,
            error,
            order: levels.last().map(slope),
            law_error: summary.verdict.law_error,
            energy_residual: summary.verdict.energy_residual,
            steps: summary.steps,
            wall: summary.wall,
            settings: level.settings.clone(),
        });
    }
    let order = fitted_order(&levels);
    match study.expect {
        Expect::Order { order: expected, tolerance } => {
            let within = (order - expected).abs() <= tolerance;
            if !within {
                let text = format!("observed order {order:.3}, expected {expected} ± {tolerance}");
                result.failures.push(text);
            }
        }
        Expect::Below { factor, order } => {
            for (k, l) in levels.iter().enumerate() {
                let bound = factor * l.size.powf(order);
                let below = l.error <= bound;
                if !below {
                    result.failures.push(format!("level {}: error {:.2e}, bound {bound:.2e}", k + 1, l.error));
                }
            }
        }
    }
    result.study = Some(StudyResult {
        variable: study.variable.clone(),
        quantity: study.quantity.text(),
        expect: study.expect,
        common: study.common.clone(),
        levels,
        order,
    });
    Ok(())
}

/// The error a study looks at; NaN where the run does not tell it, which no expectation meets.
fn error_of(quantity: &StudiedQuantity, summary: &Summary) -> f64 {
    let Some(v) = &summary.verification else { return f64::NAN };
    match quantity {
        StudiedQuantity::Column { column, norm } => {
            v.errors.iter().find(|e| e.column == *column).map_or(f64::NAN, |e| norm.of(e))
        }
        StudiedQuantity::Check(name) => v.checks.iter().find(|c| c.name == *name).map_or(f64::NAN, |c| c.error),
    }
}

/// Slope of the straight line through (ln h, ln e) by least squares.
fn fitted_order(levels: &[LevelResult]) -> f64 {
    let n = levels.len() as f64;
    let points: Vec<(f64, f64)> = levels.iter().map(|l| (l.size.ln(), l.error.ln())).collect();
    let (mx, my) = points.iter().fold((0.0, 0.0), |m, p| (m.0 + p.0 / n, m.1 + p.1 / n));
    let (sxy, sxx) = points.iter().fold((0.0, 0.0), |s, p| (s.0 + (p.0 - mx) * (p.1 - my), s.1 + (p.0 - mx).powi(2)));
    sxy / sxx
}
