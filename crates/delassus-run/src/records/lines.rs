//! Fields along the lines of the `verify` block, each at the step nearest to its time.
//!
//! A line is recorded at every step that is nearer to its time than those before; the steps after the time are further away, so the last record is the nearest.

use delassus_case::lower::{LinePlaces, PlacedLine};
use delassus_sim::observer::Frame;
use delassus_sim::outcome::Touch;
use delassus_sim::traction::{ContactTraction, tractions};
use delassus_verify::history::History;
use delassus_verify::{FieldSource, LineOf};

use crate::tractions::part_of;

/// A field along a line.
#[derive(Clone, Debug)]
pub struct LineRecord {
    /// Time of the state \[s\].
    pub time: f64,
    /// Places and values.
    pub record: History,
}

/// What has been recorded of the lines.
pub(super) struct LineRecords {
    lines: Vec<PlacedLine>,
    /// Half the nominal step \[s\]: a step further from a line's time does not count.
    reach: f64,
    /// The records of each line so far, the nearest last.
    records: Vec<Vec<LineRecord>>,
}

impl LineRecords {
    /// Nothing yet; `h` is the nominal step \[s\].
    pub fn new(lines: Vec<PlacedLine>, h: f64) -> Self {
        let records = vec![Vec::new(); lines.len()];
        // Times are sums of steps.
        Self { lines, reach: (0.5 + 1e-6) * h, records }
    }

    pub fn all(&self) -> impl Iterator<Item = (&PlacedLine, Option<&LineRecord>)> {
        self.lines.iter().zip(self.records.iter().map(|r| r.last()))
    }

    pub fn records(&self) -> &[Vec<LineRecord>] {
        &self.records
    }

    pub fn empty(&self, k: usize, time: f64) -> History {
        self.lines.get(k).map_or_else(|| History::new(Vec::new()), |placed| placed.line.record(time, []))
    }

    pub fn set(&mut self, k: usize, records: Vec<LineRecord>) {
        if let Some(known) = self.records.get_mut(k) {
            *known = records;
        }
    }

    pub fn counts(&self) -> Vec<usize> {
        self.records.iter().map(Vec::len).collect()
    }

    pub fn truncate(&mut self, counts: &[usize]) {
        self.records.iter_mut().zip(counts).for_each(|(known, n)| known.truncate(*n));
    }

    /// Adds an accepted state.
    pub fn add<const D: usize>(&mut self, frame: &Frame<'_, D>) {
        let t = frame.snapshot.time();
        for (placed, known) in self.lines.iter().zip(&mut self.records) {
            let off = (t - placed.line.time).abs();
            let is_nearer = known.last().is_none_or(|before| off < (before.time - placed.line.time).abs());
            if off <= self.reach && is_nearer {
                known.push(LineRecord { time: t, record: placed.line.record(t, values(frame, placed)) });
            }
        }
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
                (point, t.contact.area, part_of(&found, *part))
            };
            let length = placed.line.length();
            let on_line = |(point, ..): &([f64; 3], f64, f64)| (0.0..=length).contains(&placed.line.distance(*point));
            touches.map(place).filter(on_line).collect()
        }
        // Places are made for their field.
        _ => Vec::new(),
    }
}
