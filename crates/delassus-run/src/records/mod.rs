//! What a run keeps of its accepted steps in memory: the rows of its history, and the fields along the lines of the `verify` block.
//!
//! The files `history.csv` and `line-1.csv`, … are written from here (`writer`), and the verdict at the end is computed from here.

mod lines;

use delassus_case::load::Loaded;
use delassus_case::lower::{Lowered, PlacedLine};
use delassus_sim::observer::Frame;
use delassus_sim::record::{Columns, Row};
use delassus_sim::space::{Dimension, Space};
use delassus_verify::history::History;
use delassus_verify::{ExactCurves, exact_column};

use lines::LineRecords;

pub use lines::LineRecord;

/// What is kept of the accepted steps.
pub struct Records {
    columns: Columns,
    /// Exact solution and references, whose curves are beside the computed ones.
    exact: ExactCurves,
    history: History,
    lines: LineRecords,
}

/// How much was recorded at some moment.
#[derive(Clone, Debug)]
pub struct RecordsMark {
    rows: usize,
    lines: Vec<usize>,
}

impl Records {
    /// Nothing yet of a case.
    #[must_use]
    pub fn new<const D: usize>(loaded: &Loaded, lowered: &Lowered<D>) -> Self {
        let Lowered { model, references, lines, tables: _ } = lowered;
        let solution = loaded.case.verify.as_ref().and_then(|v| v.solution.clone());
        let exact = ExactCurves { solution, references: references.clone() };
        let columns = Columns::of(model);
        let mut names = columns.names();
        names.extend(exact.columns().iter().map(|c| exact_column(c)));
        Self { columns, exact, history: History::new(names), lines: LineRecords::new(lines.clone(), model.h) }
    }

    /// All rows so far.
    #[must_use]
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The lines, each with its record if it has one.
    pub fn lines(&self) -> impl Iterator<Item = (&PlacedLine, Option<&LineRecord>)> {
        self.lines.all()
    }

    /// Adds an accepted state.
    pub fn add<const D: usize>(&mut self, frame: &Frame<'_, D>)
    where
        Dimension<D>: Space<D>,
    {
        let Frame { step, snapshot, ledger, outcome, seen, .. } = *frame;
        let mut row = self.columns.row(frame.model, &Row { step, snapshot, ledger, outcome, seen });
        row.extend(self.exact.values(snapshot.time(), outcome.map_or(0.0, |o| o.h)));
        self.history.push(row);
        self.lines.add(frame);
    }

    /// How much is recorded.
    pub(crate) fn mark(&self) -> RecordsMark {
        RecordsMark { rows: self.history.rows().len(), lines: self.lines.counts() }
    }

    /// Drops what was recorded since.
    pub(crate) fn rewind(&mut self, mark: &RecordsMark) {
        self.history.truncate(mark.rows);
        self.lines.truncate(&mark.lines);
    }

    /// The rows of a run that goes on.
    pub(crate) fn set_history(&mut self, history: History) {
        self.history = history;
    }

    /// The records of a line of a run that goes on, the last of which counts.
    pub(crate) fn set_line(&mut self, k: usize, records: Vec<LineRecord>) {
        self.lines.set(k, records);
    }

    /// An empty history with the same columns.
    pub(crate) fn empty_history(&self) -> History {
        History::new(self.history.names().to_vec())
    }

    /// A record of line `k` without rows.
    pub(crate) fn empty_line(&self, k: usize, time: f64) -> History {
        self.lines.empty(k, time)
    }

    /// All records of every line, for a saved state.
    pub(crate) fn line_records(&self) -> &[Vec<LineRecord>] {
        self.lines.records()
    }
}
