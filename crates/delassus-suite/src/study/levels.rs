//! Runs the levels of a study, except those that are finished already.

use std::path::{Path, PathBuf};

use delassus_case::load::Loaded;
use delassus_error::{Coded, Failure, Interrupt};
use delassus_report::folder::Results;
use delassus_report::judgement::{JudgedRun, class, judge};
use delassus_run::error::RunError;
use delassus_run::lock::Holder;
use delassus_run::results::{Folder, MARK};
use delassus_run::run::{Monitor, RunOptions, run_case};
use delassus_run::size::case_size;

use super::follow::{self, FollowedSource};
use super::plan::{PlannedLevel, plan};
use super::{CaseStudy, Refinement, StudiedLevel};
use crate::error::SuiteError;

/// Exit code of a run that was not solved.
const NOT_CONVERGED: u8 = 4;

/// How a study is to be made.
#[derive(Clone, Debug)]
pub struct StudyOptions {
    /// What is refined.
    pub refinement: Refinement,
    /// How many levels, the case itself included.
    pub levels: usize,
    /// `--set` assignments of all levels.
    pub settings: Vec<String>,
    /// What is followed; all that has a reference, and the probes, when empty.
    pub quantities: Vec<String>,
    /// Folder of the study.
    pub out: PathBuf,
    /// Run levels again that are there.
    pub force: bool,
    /// Threads of a run; all cores when absent.
    pub threads: Option<usize>,
    /// Set from outside: the run is to save its state and stop.
    pub stop: Interrupt,
}

/// Someone who wants to know how a study goes.
pub trait StudyWatcher {
    /// These levels will be run.
    fn planned(&mut self, levels: &[PlannedLevel]);
    /// A level starts: its number from 1, of how many, and the seconds it may take, once that is known.
    fn started(&mut self, number: usize, of: usize, seconds: Option<f64>);
    /// Someone for the run of the level.
    fn monitor(&mut self) -> Box<dyn Monitor>;
    /// It ended.
    fn ended(&mut self, level: &StudiedLevel);
}

/// Makes a study of a case. A level that cannot be solved ends the study; the levels before it are reported.
pub fn study_case(
    path: &Path,
    options: &StudyOptions,
    watcher: &mut dyn StudyWatcher,
) -> Result<CaseStudy, SuiteError> {
    let base = Loaded::read(path, &options.settings)?;
    let wanted = FollowedSource::of(&options.quantities, &base)?;
    let levels = plan(&base, options.refinement, options.levels)?;
    watcher.planned(&levels);
    let _lock = Folder::open(&options.out).hold(Holder::Study)?;
    let (mut done, mut results): (Vec<StudiedLevel>, Vec<Results>) = (Vec::new(), Vec::new());
    let (mut stopped, mut exit_code) = (None, 0);
    for level in &levels {
        let seconds = done.last().map(|last: &StudiedLevel| {
            let before = &levels[last.number - 1];
            last.wall * level.work() / before.work()
        });
        watcher.started(level.number, levels.len(), seconds);
        match run_level(path, level, options, watcher) {
            Ok((studied, read)) => {
                watcher.ended(&studied);
                done.push(studied);
                results.push(read);
            }
            Err(SuiteError::Run(e)) if e.exit_code() == NOT_CONVERGED => {
                stopped = Some(format!("level {} was not solved: error[{}]: {e}", level.number, e.code()));
                exit_code = NOT_CONVERGED;
                break;
            }
            Err(SuiteError::Run(RunError::Interrupted { done, n, .. })) => {
                let of = levels.len();
                return Err(SuiteError::StudyInterrupted { level: level.number, of, done, n });
            }
            Err(e) => return Err(e),
        }
    }
    let (followed, left_out) = follow::follow(&wanted, &base, &results);
    Ok(CaseStudy {
        version: env!("CARGO_PKG_VERSION"),
        commit: delassus_run::COMMIT,
        title: base.case.title.clone(),
        case: path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default(),
        common: options.settings.clone(),
        refined: options.refinement.to_string(),
        levels: done,
        followed,
        left_out,
        stopped,
        exit_code,
        second: base.case.units.symbol("s"),
    })
}

/// Runs a level, resumes it, or finds it finished.
fn run_level(
    path: &Path,
    level: &PlannedLevel,
    options: &StudyOptions,
    watcher: &mut dyn StudyWatcher,
) -> Result<(StudiedLevel, Results), SuiteError> {
    let settings = [&options.settings[..], &level.settings[..]].concat();
    let loaded = Loaded::read(path, &settings)?;
    let name = format!("level-{}", level.number);
    let out = options.out.join(&name);
    let begun = !options.force && out.join(MARK).exists();
    let finished = begun && out.join("manifest.json").exists();
    if finished {
        let ours = case_size(&loaded)?;
        let read = Results::read(&out)?;
        let same = read.manifest.as_ref().is_some_and(|m| {
            let (version, case) = (env!("CARGO_PKG_VERSION"), loaded.hash());
            m.version == version && m.case_hash == case && m.mesh_hashes == ours.files
        });
        if !same {
            return Err(SuiteError::OtherStudy { folder: out });
        }
    } else {
        let run = RunOptions {
            out: Some(out.clone()),
            force: options.force,
            resume: begun,
            threads: options.threads,
            stop: options.stop.clone(),
            ..RunOptions::default()
        };
        run_case(&loaded, &run, &mut *watcher.monitor())?;
    }
    let read = Results::read(&out)?;
    let JudgedRun { judgement, steps, .. } = judge(&read);
    let manifest = read.manifest.as_ref();
    let checks = manifest.and_then(|m| m.verification.as_ref()).map_or(&[][..], |v| &v.checks);
    let studied = StudiedLevel {
        number: level.number,
        size: level.size,
        settings: level.settings.clone(),
        step: level.step,
        steps,
        dofs: manifest.map_or(0, |m| m.dofs),
        wall: manifest.and_then(|m| m.timings_s.get("total").copied()).unwrap_or(f64::NAN),
        verdict: judgement.word.text(),
        class: class(judgement.word),
        findings: judgement.findings,
        checks: [checks.iter().filter(|c| c.passed).count(), checks.len()],
        folder: name,
        kept: finished,
    };
    Ok((studied, read))
}
