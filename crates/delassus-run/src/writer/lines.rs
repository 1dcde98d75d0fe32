//! `line-1.csv`, …: a field along a line of the `verify` block, at the step nearest to its time.
//!
//! A line is written at every step that is nearer to its time than those before; the steps after the time are further away, so the last
//! one written is the nearest. A step after a checkpoint may replace a file that the checkpoint speaks of, so the text is in the checkpoint too; it reads back
//! to the same bits.

use delassus_case::lower::{LinePlaces, PlacedLine};
use delassus_error::FileError;
use delassus_sim::observer::{Frame, Observer, ObserverError};
use delassus_sim::outcome::Touch;
use delassus_sim::traction::{ContactTraction, tractions};
use delassus_verify::history::{History, parse};
use delassus_verify::{FieldSource, LineOf, TractionPart};

use super::{Writer, WriterCursor};
use crate::error::RunError;
use crate::results::Folder;

/// What has been written of the lines.
pub struct LineFiles {
    folder: Folder,
    lines: Vec<PlacedLine>,
    /// Half the nominal step \[s\]: a step further from a line's time does not count.
    reach: f64,
    /// The records so far, with their times.
    records: Vec<Option<(f64, History)>>,
}

/// The file of line `k`, from 0.
#[must_use]
pub fn line_file(k: usize, ending: &str) -> String {
    format!("line-{}.{ending}", k + 1)
}

impl LineFiles {
    /// Files go into the folder; `h` is the nominal step \[s\].
    #[must_use]
    pub fn new(folder: &Folder, lines: Vec<PlacedLine>, h: f64) -> Self {
        let records = vec![None; lines.len()];
        // Times are sums of steps.
        Self { folder: folder.clone(), lines, reach: (0.5 + 1e-6) * h, records }
    }

    /// The lines with their records.
    pub fn records(&self) -> impl Iterator<Item = (&PlacedLine, Option<&History>)> {
        self.lines.iter().zip(self.records.iter().map(|r| r.as_ref().map(|(_, record)| record)))
    }
}

/// The values along a line: places, weights, values.
fn values<const D: usize>(frame: &Frame<'_, D>, placed: &PlacedLine) -> Vec<([f64; 3], f64, f64)> {
    match (&placed.places, &placed.line.spec.of) {
        (LinePlaces::Nodes { body, at }, LineOf::Body { field, .. }) => {
            let state = &frame.snapshot.states[*body];
            let (x, axis) = match field.source() {
                FieldSource::Displacement(axis) => (&state.q, axis),
                FieldSource::Velocity(axis) | FieldSource::Stress(axis) => (&state.v, axis),
            };
            let value = |shape: &[(usize, f64)]| shape.iter().map(|(node, n)| n * x[D * node + axis]).sum::<f64>();
            at.iter().map(|p| (p.point, 1.0, value(&p.shape))).collect()
        }
        (LinePlaces::Cells { body, at }, LineOf::Body { field, .. }) => {
            let FieldSource::Stress(component) = field.source() else { return Vec::new() };
            let fields = frame.model.bodies[*body].body.cell_fields(&frame.snapshot.states[*body]);
            let value =
                |cell: &usize| fields.cells.binary_search(cell).map_or(f64::NAN, |row| fields.stress[row][component]);
            at.iter().map(|(point, cell)| (*point, 1.0, value(cell))).collect()
        }
        (LinePlaces::Contact { pair }, LineOf::Contact { part, .. }) => {
            let Some(outcome) = frame.outcome else { return Vec::new() };
            let found = tractions(frame.model, &outcome.touches, outcome.h);
            let touches = outcome.touches.iter().zip(found).filter(|(t, _)| t.contact.key.pair as usize == *pair);
            let place = |(t, found): (&Touch<D>, ContactTraction<D>)| {
                let point = std::array::from_fn(|i| if i < D { t.contact.point[i] } else { 0.0 });
                let value = match part {
                    TractionPart::Normal => found.pressure,
                    TractionPart::Tangential => found.shear[0],
                };
                (point, t.contact.area, value)
            };
            let length = placed.line.length();
            let on_line = |(point, ..): &([f64; 3], f64, f64)| (0.0..=length).contains(&placed.line.distance(*point));
            touches.map(place).filter(on_line).collect()
        }
        // Places are made for their field.
        _ => Vec::new(),
    }
}

/// The content of a line's file.
fn text_of(record: &History) -> String {
    let rows: String = record.rows().iter().map(|row| History::line(row) + "\n").collect();
    format!("{}\n{rows}", record.header())
}

impl<const D: usize> Observer<D> for LineFiles {
    fn observe(&mut self, frame: &Frame<'_, D>) -> Result<(), ObserverError> {
        let t = frame.snapshot.time();
        for (k, (placed, record)) in self.lines.iter().zip(&mut self.records).enumerate() {
            let off = (t - placed.line.time).abs();
            let is_nearer = record.as_ref().is_none_or(|(before, _)| off < (before - placed.line.time).abs());
            if off > self.reach || !is_nearer {
                continue;
            }
            let found = placed.line.record(t, values(frame, placed));
            self.folder.write(&line_file(k, "csv"), text_of(&found).as_bytes()).map_err(RunError::from)?;
            *record = Some((t, found));
        }
        Ok(())
    }
}

impl<const D: usize> Writer<D> for LineFiles {
    fn cursor(&self) -> WriterCursor {
        let written = self.records.iter().enumerate().filter_map(|(k, record)| {
            let (time, record) = record.as_ref()?;
            Some((*time, line_file(k, "csv"), text_of(record)))
        });
        WriterCursor::Lines(written.collect())
    }

    fn resume(&mut self, cursor: &WriterCursor) -> Result<(), RunError> {
        let WriterCursor::Lines(written) = cursor else { return Ok(()) };
        for (k, record) in self.records.iter_mut().enumerate() {
            let Some((time, file, text)) = written.iter().find(|(_, f, _)| *f == line_file(k, "csv")) else { continue };
            let path = self.folder.file(file);
            let failed = |source| FileError { action: "continue", path: path.clone(), source };
            // Without candidates on it a line has no rows.
            let found = if text.lines().count() > 1 {
                parse(text, false).map_err(|fault| failed(std::io::Error::other(fault.to_string())))?
            } else {
                self.lines[k].line.record(*time, [])
            };
            self.folder.write(file, text.as_bytes())?;
            *record = Some((*time, found));
        }
        Ok(())
    }
}
