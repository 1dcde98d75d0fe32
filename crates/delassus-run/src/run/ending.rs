//! The end of a run: the files of a finished run, and what is saved when a step cannot be solved.

use delassus_error::InternalError;
use delassus_sim::outcome::Outcome;
use delassus_sim::space::{Dimension, Space};
use delassus_sim::stepper::{FailureReason, StepFailure};
use serde_json::json;

use super::{Runner, Summary};
use crate::end_state;
use crate::error::RunError;
use crate::judgement::judge;
use crate::status::RunState;
use crate::summary::{manifest, state_hash};
use crate::writer::line_file;

impl<const D: usize> Runner<'_, D>
where
    Dimension<D>: Space<D>,
{
    /// Saves the last good state and the problem that was not solved; where they are, or why they are not.
    pub(super) fn save_failure(&self, failure: &StepFailure<D>) -> Option<String> {
        let saved = match &failure.reason {
            FailureReason::Interrupted(_) | FailureReason::Observer(_) => return None,
            FailureReason::Step(_) => self.save_state(failure),
            FailureReason::Rejected(outcome) if outcome.overflown().is_some() => self.save_state(failure),
            FailureReason::Rejected(outcome) => {
                self.save_state(failure).and_then(|()| self.save_problem(failure, outcome))
            }
        };
        Some(match saved {
            Ok(()) => self.output.folder.path().display().to_string(),
            Err(e) => format!("no file ({e})"),
        })
    }

    fn save_state(&self, failure: &StepFailure<D>) -> Result<(), RunError> {
        let good = &failure.from;
        let bodies: Vec<_> = self
            .execution
            .stepper
            .model()
            .bodies
            .iter()
            .zip(&good.states)
            .map(|(b, s)| json!({ "name": b.name, "displacement": s.q, "velocity": s.v }))
            .collect();
        let state = json!({ "step": failure.step - 1, "time": good.time(), "bodies": bodies });
        Ok(self.output.folder.write("last-good-state.json", state.to_string().as_bytes())?)
    }

    fn save_problem(&self, failure: &StepFailure<D>, outcome: &Outcome<D>) -> Result<(), RunError> {
        let (step, time) = (failure.step, failure.from.time());
        let problem = serde_json::to_vec(&outcome.problem).map_err(|e| InternalError(e.to_string()))?;
        self.output.folder.write("failed-problem.json", &problem)?;
        // For other codes; bonds have no form there, and the JSON says it all.
        let description = format!("step {step} at t = {time:e} s, law error {:.1e}", outcome.certificate.law_error);
        match delassus_fclib::write(&outcome.problem, "a contact problem of Delassus", &description) {
            Ok(bytes) => Ok(self.output.folder.write("failed-problem.hdf5", &bytes)?),
            Err(_) => Ok(()),
        }
    }

    /// Pictures, verification, verdict, log and manifest of a finished run; its checkpoints go.
    pub(super) fn conclude(&mut self, wall: f64) -> Result<Summary, RunError> {
        let (loaded, pictures) = (self.loaded, self.pictures()?);
        let execution = &self.execution;
        let (model, now) = (execution.stepper.model(), execution.stepper.now());
        let verification = execution.verification();
        let summary = Summary {
            judgement: judge(&execution.evidence(verification.as_ref())),
            title: loaded.case.title.clone(),
            units: loaded.case.units,
            folder: self.output.folder.path().to_owned(),
            steps: now.step,
            time: now.snapshot.time(),
            wall,
            n_dof: model.n_dof(),
            n_candidates: model.n_candidates(),
            verdict: now.verdict.clone(),
            tolerance: model.solver_options.tolerance,
            verification,
            pictures,
            state_hash: state_hash(&now.snapshot),
            final_snapshot: now.snapshot.as_ref().clone(),
            history: execution.records.history().clone(),
        };
        self.output.log.push(summary.to_string());
        let times = execution.stepper.engine().n_given_up();
        if times > 0 {
            let text =
                format!("columns of w were discarded and computed again {times} times: more `memory` would save time");
            self.output.log.push(text);
        }
        self.output.write_log()?;
        let threads = self.options.threads.unwrap_or_else(delassus_sim::parallel::current_num_threads);
        let mut manifest = manifest(&summary, loaded, &execution.lowered, threads, &execution.stepper.timings);
        manifest.from.clone_from(&execution.origin.from);
        end_state::save(&self.output.folder, model, &now.snapshot)?;
        self.tell(RunState::Finished, None)?;
        // All that the manifest speaks of is on the disk before it is, and the manifest before the checkpoints go.
        self.output.synchronise()?;
        self.output.folder.write_durably("manifest.json", manifest.text().as_bytes())?;
        // That one stays is no reason to fail now.
        let _ = self.output.folder.remove_checkpoints();
        Ok(summary)
    }

    /// Draws computed against exact curves, references and lines; the names of the files.
    fn pictures(&self) -> Result<Vec<String>, RunError> {
        let (case, folder, execution) = (&self.loaded.case, &self.output.folder, &self.execution);
        let history = execution.records.history();
        let mut pictures = Vec::new();
        let mut write = |file: &str, svg: Result<String, String>| -> Result<(), RunError> {
            let path = folder.file(file);
            folder.write(file, svg.map_err(|reason| RunError::Plot { path, reason })?.as_bytes())?;
            pictures.push(file.to_owned());
            Ok(())
        };
        if let Some(solution) = case.verify.as_ref().and_then(|v| v.solution.as_ref()) {
            for plot in solution.solution().plots() {
                write(plot.file, crate::plot::against_exact(&plot, history, case.units))?;
            }
        }
        for (profile, found) in execution.profiles() {
            write(profile.file, Ok(crate::plot::along_contact(&profile, &found, case.units)))?;
        }
        for (k, reference) in execution.lowered.references.iter().enumerate() {
            let svg = crate::plot::against_reference(k, &reference.spec.column, history, case.units);
            write(&format!("reference-{}.svg", k + 1), svg)?;
        }
        for (k, (placed, found)) in execution.records.lines().enumerate() {
            if let Some(found) = found.filter(|f| !f.record.rows().is_empty()) {
                let svg = crate::plot::along_line(k, &placed.line.spec, &found.record, case.units);
                write(&line_file(k, "svg"), svg)?;
            }
        }
        Ok(pictures)
    }
}
