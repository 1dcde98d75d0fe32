//! `contacts.pvd`: a point per candidate with gap, force, traction, slip and status.
//!
//! Points are the candidates' positions in the contact configuration. The frame of the initial state is an empty file.

use delassus_case::spec::OutputSpec;
use delassus_mesh::vtk::{Cells, Field, Grid, Values};
use delassus_sim::model::Model;
use delassus_sim::observer::Frame;
use delassus_sim::record::place_of;
use delassus_sim::step::Touch;
use delassus_sim::traction::tractions;
use delassus_solver::{HistoryEntry, HistoryEntryKind};

use super::{Frames, Writer, WriterCursor};
use crate::error::RunError;
use crate::records::Records;
use crate::results::Folder;

/// Writes a frame at every output state, and the collection after each.
pub struct ContactFrames(Frames);

impl ContactFrames {
    /// Frames go into `contacts/` of the folder.
    #[must_use]
    pub fn new(folder: &Folder, output: &OutputSpec) -> Self {
        Self(Frames::new(folder, "contacts", output))
    }
}

fn three(x: impl IntoIterator<Item = f64>) -> [f64; 3] {
    let mut out = [0.0; 3];
    for (o, x) in out.iter_mut().zip(x) {
        *o = x;
    }
    out
}

/// What the laws of the model remember, by the names of their entries; 0 where a contact's law has no such entry.
fn histories<const D: usize>(model: &Model<D>, touches: &[Touch<D>]) -> Vec<(HistoryEntry, Vec<f64>)> {
    let mut slots: Vec<HistoryEntry> = Vec::new();
    for slot in model.pairs.iter().flat_map(|p| p.law.history_entries()) {
        if !slots.iter().any(|s| s.name == slot.name) {
            slots.push(*slot);
        }
    }
    let values = |slot: &HistoryEntry| {
        let entry = |t: &Touch<D>| {
            let place = place_of::<D>(model.law_of(&t.contact).history_entries(), slot.name);
            let found = place.map_or(&[][..], |k| &t.history.z[k..k + slot.len::<D>()]);
            match slot.kind {
                HistoryEntryKind::Scalar => vec![found.first().copied().unwrap_or(0.0)],
                HistoryEntryKind::Vector => three(found.iter().copied()).to_vec(),
            }
        };
        touches.iter().flat_map(entry).collect()
    };
    slots.into_iter().map(|slot| (slot, values(&slot))).collect()
}

impl<const D: usize> Writer<D> for ContactFrames {
    fn write(&mut self, frame: &Frame<'_, D>, _: &Records) -> Result<(), RunError> {
        if !frame.is_output {
            return Ok(());
        }
        let h = frame.outcome.map_or(1.0, |o| o.h);
        let touches = frame.outcome.map_or(&[][..], |o| &o.touches);
        let points: Vec<[f64; 3]> = touches.iter().map(|t| three(t.contact.point.iter().copied())).collect();
        let vector = |f: &dyn Fn(&Touch<D>) -> [f64; 3]| touches.iter().flat_map(f).collect::<Vec<f64>>();
        let scalar = |f: &dyn Fn(&Touch<D>) -> f64| touches.iter().map(f).collect::<Vec<f64>>();
        let normal = vector(&|t| three(t.contact.normal().iter().copied()));
        let force = vector(&|t| three((t.contact.frame * t.impulse / h).iter().copied()));
        let slip = vector(&|t| {
            let mut tangential = t.velocity;
            tangential[0] = 0.0;
            three((t.contact.frame * tangential).iter().copied())
        });
        let found = tractions(frame.model, touches, h);
        let pressure: Vec<f64> = found.iter().map(|t| t.pressure).collect();
        let shear: Vec<f64> = found.iter().flat_map(|t| three(t.shear.iter().copied())).collect();
        let gap = scalar(&|t| t.gap);
        let force_normal = scalar(&|t| t.impulse[0] / h);
        let mu = scalar(&|t| t.friction);
        let area = scalar(&|t| t.contact.area);
        let law_error = scalar(&|t| t.law_error);
        let status: Vec<i32> = touches.iter().map(|t| i32::from(t.status.code())).collect();
        let pair: Vec<i32> = touches.iter().map(|t| t.contact.key.pair as i32).collect();
        let (slid, friction) = (scalar(&|t| t.history.slip), scalar(&|t| t.history.friction));
        let histories = histories(frame.model, touches);
        let mut fields = vec![
            Field::scalar("gap", Values::F64(&gap)),
            Field::vector("normal", &normal),
            Field::vector("force", &force),
            Field::scalar("force_normal", Values::F64(&force_normal)),
            Field::vector("slip_velocity", &slip),
            Field::scalar("status", Values::I32(&status)),
            Field::scalar("mu", Values::F64(&mu)),
            Field::scalar("area", Values::F64(&area)),
            Field::scalar("pressure", Values::F64(&pressure)),
            Field::vector("shear", &shear),
            Field::scalar("law_error", Values::F64(&law_error)),
            Field::scalar("pair", Values::I32(&pair)),
            Field::scalar("slip_distance", Values::F64(&slid)),
            Field::scalar("friction_energy", Values::F64(&friction)),
        ];
        fields.extend(histories.iter().map(|(slot, values)| match slot.kind {
            HistoryEntryKind::Scalar => Field::scalar(slot.name, Values::F64(values)),
            HistoryEntryKind::Vector => Field::vector(slot.name, values),
        }));
        let grid =
            Grid { points: &points, cells: Cells::vertices(points.len()), point_fields: &fields, cell_fields: &[] };
        self.0.write(frame, &grid)
    }

    fn cursor(&self, _: &Records) -> WriterCursor {
        self.0.cursor()
    }

    fn resume(&mut self, cursor: &WriterCursor, _: &mut Records) -> Result<(), RunError> {
        self.0.resume(cursor);
        Ok(())
    }
}
