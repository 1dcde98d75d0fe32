//! A simulation as bytes.
//!
//! The payload is what a checkpoint has (origin, place in the run, accepted state, ledger, verdict), the rows and lines recorded so far, and the state before the last
//! accepted step with its length. A step is a pure function of these two, so contacts and the rest of what the last step left are computed again, and must lead to the
//! saved state bit for bit.

use std::sync::Arc;

use delassus_sim::error::SimError;
use delassus_sim::ledger::Ledger;
use delassus_sim::model::Model;
use delassus_sim::snapshot::Snapshot;
use delassus_sim::space::{Dimension, Space};
use delassus_sim::stepper::Standing;
use delassus_sim::verdict::Verdict;
use serde::{Deserialize, Serialize};

use crate::checkpoint::{Origin, OriginDifference, Seal, SealFault, fits};
use crate::error::{RunError, SimulationError};
use crate::execution::Execution;
use crate::records::LineRecord;
use crate::summary::state_hash;

/// What surrounds a saved simulation.
const SEAL: Seal = Seal { magic: b"DelassusSimState", format: 1, what: "a saved simulation" };

/// A line's record: its time \[s\], and its rows.
type SavedLine = (f64, Vec<Vec<f64>>);

/// A simulation between two nominal steps.
#[derive(Deserialize, Serialize)]
struct SavedSimulation {
    origin: Origin,
    done: usize,
    step: usize,
    snapshot: Snapshot,
    ledger: Ledger,
    verdict: Verdict,
    /// State before the last accepted step, and its length \[s\]; none at the start.
    before: Option<(Snapshot, f64)>,
    rows: Vec<Vec<f64>>,
    lines: Vec<Vec<SavedLine>>,
}

/// The bytes of a simulation.
pub(super) fn save<const D: usize>(of: &Execution<D>) -> Result<Vec<u8>, RunError>
where
    Dimension<D>: Space<D>,
{
    let Standing { done, step, snapshot, ledger, verdict, last } = of.stepper.now();
    let line = |r: &LineRecord| (r.time, r.record.rows().to_vec());
    Ok(SEAL.close(&SavedSimulation {
        origin: of.origin.clone(),
        done: *done,
        step: *step,
        snapshot: snapshot.as_ref().clone(),
        ledger: *ledger,
        verdict: verdict.clone(),
        before: last.as_ref().map(|l| (l.from.as_ref().clone(), l.outcome.h)),
        rows: of.records.history().rows().to_vec(),
        lines: of.records.line_records().iter().map(|all| all.iter().map(line).collect()).collect(),
    })?)
}

fn damaged(reason: &str) -> SimulationError {
    SimulationError::Damaged { reason: reason.to_owned() }
}

fn read(bytes: &[u8], ours: &Origin) -> Result<SavedSimulation, SimulationError> {
    let saved: SavedSimulation = SEAL.open(bytes).map_err(|fault| match fault {
        SealFault::Damaged(reason) => SimulationError::Damaged { reason },
        SealFault::Format(format) => SimulationError::Foreign {
            what: format!("its format is {format}, and this program writes {}", SEAL.format),
        },
    })?;
    let what = match saved.origin.difference(ours) {
        None => return Ok(saved),
        Some(OriginDifference::Version { found, ours }) => {
            format!("it was saved by version {found} of the program, and this is {ours}")
        }
        Some(OriginDifference::Case { what }) => format!("{what} is not the same"),
        Some(OriginDifference::Level { found, ours }) => {
            format!("it was saved on instruction level `{found}`, and this is `{ours}`")
        }
    };
    Err(SimulationError::Foreign { what })
}

impl SavedSimulation {
    /// Can it be a state of this model?
    fn is_of<const D: usize>(&self, model: &Model<D>) -> bool {
        let before = match &self.before {
            Some((from, h)) => self.step > 0 && fits(from, model) && *h > 0.0 && *h <= model.h,
            None => self.step == 0,
        };
        before && fits(&self.snapshot, model) && self.done <= model.n_steps && self.done <= self.step
    }
}

/// Goes to a saved state; on an error nothing has changed.
pub(super) fn restore<const D: usize>(to: &mut Execution<D>, bytes: &[u8]) -> Result<(), RunError>
where
    Dimension<D>: Space<D>,
{
    let saved = read(bytes, &to.origin)?;
    let (columns, n_lines) = (to.records.history().names().len(), to.records.line_records().len());
    let rows_fit = saved.rows.len() == saved.step + 1 && saved.rows.iter().all(|row| row.len() == columns);
    if !saved.is_of(to.stepper.model()) || !rows_fit || saved.lines.len() != n_lines {
        return Err(damaged("it does not fit the model").into());
    }
    let SavedSimulation { done, step, snapshot, ledger, verdict, before, rows, lines, .. } = saved;
    let last = match before {
        None => None,
        Some((from, h)) => {
            let arrival = to.stepper.retrace(Arc::new(from), h).map_err(|e| interrupted(to, e))?;
            if state_hash(&arrival.outcome.snapshot) != state_hash(&snapshot) {
                return Err(damaged("its last step, done again, does not lead to its state").into());
            }
            Some(Arc::new(arrival))
        }
    };
    to.stepper.go_to(Standing { done, step, snapshot: Arc::new(snapshot), ledger, verdict, last });
    let mut history = to.records.empty_history();
    rows.into_iter().for_each(|row| history.push(row));
    to.records.set_history(history);
    for (k, line) in lines.into_iter().enumerate() {
        let mut records = Vec::new();
        for (time, rows) in line {
            let mut record = to.records.empty_line(k, time);
            rows.into_iter().for_each(|row| record.push(row));
            records.push(LineRecord { time, record });
        }
        to.records.set_line(k, records);
    }
    Ok(())
}

/// The error of a step that was to be done again.
fn interrupted<const D: usize>(at: &Execution<D>, e: SimError) -> RunError
where
    Dimension<D>: Space<D>,
{
    match e {
        SimError::Interrupted(_) => {
            let (now, n) = (at.stepper.now(), at.stepper.model().n_steps);
            SimulationError::Interrupted { done: now.done, n, time: now.snapshot.time() }.into()
        }
        other => other.into(),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use delassus_case::load::Loaded;
    use delassus_error::Coded;

    use super::*;
    use crate::Simulation;

    const BLOCK: &str = include_str!("../../../delassus-cli/tests/data/block.ron");

    /// Other content with a right checksum: what does not fit the case, or is not what its last step leads to, is refused.
    #[test]
    fn content_that_was_made_up_is_refused() {
        let loaded = Loaded::from_text(Path::new("block.ron"), BLOCK.to_owned(), &[]).unwrap();
        let mut simulation = Simulation::new(&loaded).unwrap();
        simulation.run_until(3e-4).unwrap();
        let (bytes, hash) = (simulation.save().unwrap(), simulation.state_hash());
        let mut refused = |change: &dyn Fn(&mut SavedSimulation), code: &str, says: &str| {
            let Ok(mut saved) = SEAL.open::<SavedSimulation>(&bytes) else { panic!("the bytes are whole") };
            change(&mut saved);
            let error = simulation.restore(&SEAL.close(&saved).unwrap()).unwrap_err();
            assert_eq!(error.code(), code, "{error}");
            assert!(error.to_string().contains(says), "no `{says}` in {error}");
            assert_eq!(simulation.state_hash(), hash);
        };
        let unfit = "it does not fit the model";
        refused(&|s| s.done = 21, "E0847", unfit);
        refused(&|s| s.step = 0, "E0847", unfit);
        refused(&|s| s.before = None, "E0847", unfit);
        refused(&|s| s.before.as_mut().unwrap().1 = f64::NAN, "E0847", unfit);
        refused(&|s| s.rows.truncate(2), "E0847", unfit);
        refused(&|s| s.rows[1].truncate(2), "E0847", unfit);
        refused(&|s| s.lines.push(Vec::new()), "E0847", unfit);
        refused(&|s| s.snapshot.states.truncate(1), "E0847", unfit);
        let elsewhere = "done again, does not lead to its state";
        refused(&|s| s.snapshot.states[0].q[3] += 1e-12, "E0847", elsewhere);
        refused(&|s| s.before.as_mut().unwrap().1 *= 0.5, "E0847", elsewhere);
        refused(&|s| s.origin.version = "0.0.1".into(), "E0848", "version 0.0.1");
        refused(&|s| s.origin.level = "other".into(), "E0848", "instruction level `other`");
        refused(&|s| s.origin.case = "other".into(), "E0848", "the text of the case");
        simulation.restore(&bytes).unwrap();
    }
}
