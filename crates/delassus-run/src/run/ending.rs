//! The end of a run: the files of a finished run, and what is saved when a step cannot be solved.

use delassus_case::load::Loaded;
use delassus_error::InternalError;
use delassus_sim::outcome::Outcome;
use delassus_sim::space::{Dimension, Space};
use delassus_verify::verify;
use serde_json::json;

use super::{Runner, Summary};
use crate::error::RunError;
use crate::judgement::{Evidence, judge};
use crate::status::RunState;
use crate::summary::{manifest, state_hash};
use crate::tractions::tractions;
use crate::writer::line_file;

impl<const D: usize> Runner<'_, D>
where
    Dimension<D>: Space<D>,
{
    /// Saves the last good state.
    pub(super) fn save_state(&self) -> Result<(), RunError> {
        let bodies: Vec<_> = self
            .model
            .bodies
            .iter()
            .zip(&self.snapshot.states)
            .map(|(b, s)| json!({ "name": b.name, "displacement": s.q, "velocity": s.v }))
            .collect();
        let state = json!({ "step": self.step, "time": self.snapshot.time(), "bodies": bodies });
        Ok(self.folder.write("last-good-state.json", state.to_string().as_bytes())?)
    }

    /// Saves the last good state and the problem that was not solved; returns the error to end with.
    pub(super) fn give_up(&self, outcome: &Outcome<D>) -> RunError {
        let saved = self.save_state();
        let (step, time) = (self.step + 1, self.snapshot.time());
        if let Some(bad) = outcome.overflown() {
            let body = self.model.bodies[bad].name.clone();
            return RunError::NotFinite { step, time, body, saved: self.place_of(saved) };
        }
        let saved = saved.and_then(|()| {
            let problem = serde_json::to_vec(&outcome.problem).map_err(|e| InternalError(e.to_string()))?;
            self.folder.write("failed-problem.json", &problem)?;
            // For other codes; bonds have no form there, and the JSON says it all.
            let description = format!("step {step} at t = {time:e} s, law error {:.1e}", outcome.certificate.law_error);
            match delassus_fclib::write(&outcome.problem, "a contact problem of Delassus", &description) {
                Ok(bytes) => Ok(self.folder.write("failed-problem.hdf5", &bytes)?),
                Err(_) => Ok(()),
            }
        });
        RunError::NotConverged {
            step,
            time,
            contacts: outcome.problem.n(),
            law_error: outcome.certificate.law_error,
            iterations: outcome.iterations(),
            judged: outcome.description(),
            tolerance: self.model.solver_options.tolerance,
            h: outcome.h,
            saved: self.place_of(saved),
        }
    }

    /// Where things were saved, or why they were not.
    pub(super) fn place_of(&self, saved: Result<(), RunError>) -> String {
        match saved {
            Ok(()) => self.folder.path().display().to_string(),
            Err(e) => format!("no file ({e})"),
        }
    }

    /// Pictures, verification, verdict, log and manifest of a finished run; its checkpoints go.
    pub(super) fn conclude(&mut self, loaded: &Loaded, wall: f64) -> Result<Summary, RunError> {
        let history = &self.history.history;
        let mut pictures = Vec::new();
        let references = &self.lowered.references;
        let mut verification = loaded.case.verify.as_ref().map(|spec| verify(spec, references, history));
        if let Some(solution) = loaded.case.verify.as_ref().and_then(|v| v.solution.as_ref()) {
            for plot in solution.solution().plots() {
                let path = self.folder.file(plot.file);
                let svg = crate::plot::against_exact(&plot, history, loaded.case.units)
                    .map_err(|reason| RunError::Plot { path, reason })?;
                self.folder.write(plot.file, svg.as_bytes())?;
                pictures.push(plot.file.to_owned());
            }
            if let (Some(outcome), Some(verification)) = (&self.last, &mut verification) {
                let is_single = |name: &str| self.model.pairs.iter().any(|p| p.name == name && p.n_passes() == 1);
                let profiles = solution.solution().profiles(self.snapshot.time());
                for profile in profiles.into_iter().filter(|p| is_single(p.pair)) {
                    let tractions = tractions(&profile, self.model, outcome);
                    verification.errors.extend(profile.error(&tractions));
                    let svg = crate::plot::along_contact(&profile, &tractions, loaded.case.units);
                    self.folder.write(profile.file, svg.as_bytes())?;
                    pictures.push(profile.file.to_owned());
                }
            }
        }
        let failed = |file: &str| {
            let path = self.folder.file(file);
            move |reason| RunError::Plot { path, reason }
        };
        for (k, reference) in references.iter().enumerate() {
            let file = format!("reference-{}.svg", k + 1);
            let svg = crate::plot::against_reference(k, &reference.spec.column, history, loaded.case.units);
            self.folder.write(&file, svg.map_err(failed(&file))?.as_bytes())?;
            pictures.push(file);
        }
        for (k, (placed, record)) in self.lines.records().enumerate() {
            let errors = placed.line.error(record);
            if let Some(verification) = &mut verification {
                verification.checks.extend(placed.line.check(&errors));
                verification.errors.push(errors);
            }
            if let Some(record) = record.filter(|r| !r.rows().is_empty()) {
                let file = line_file(k, "svg");
                let svg = crate::plot::along_line(k, &placed.line.spec, record, loaded.case.units);
                self.folder.write(&file, svg.map_err(failed(&file))?.as_bytes())?;
                pictures.push(file);
            }
        }
        let evidence = Evidence {
            case: &loaded.case,
            verdict: &self.verdict,
            history,
            verification: verification.as_ref(),
            steps: self.step,
        };
        let summary = Summary {
            judgement: judge(&evidence),
            title: loaded.case.title.clone(),
            units: loaded.case.units,
            folder: self.folder.path().to_owned(),
            steps: self.step,
            time: self.snapshot.time(),
            wall,
            n_dof: self.model.n_dof(),
            n_candidates: self.model.n_candidates(),
            verdict: self.verdict.clone(),
            tolerance: self.model.solver_options.tolerance,
            verification,
            pictures,
            state_hash: state_hash(&self.snapshot),
            final_snapshot: self.snapshot.clone(),
            history: history.clone(),
        };
        self.log.push(summary.to_string());
        if self.engine.n_given_up() > 0 {
            let times = self.engine.n_given_up();
            self.log.push(format!(
                "columns of w were discarded and computed again {times} times: more `memory` would save time"
            ));
        }
        self.write_log()?;
        let threads = self.options.threads.unwrap_or_else(rayon::current_num_threads);
        let manifest = manifest(&summary, loaded, self.lowered, threads, &self.timings);
        self.tell(RunState::Finished, None)?;
        // All that the manifest speaks of is on the disk before it is, and the manifest before the checkpoints go.
        self.synchronise()?;
        self.folder.write_durably("manifest.json", manifest.text().as_bytes())?;
        // That one stays is no reason to fail now.
        let _ = self.folder.remove_checkpoints();
        Ok(summary)
    }
}
