//! `contacts.pvd`: a point per candidate with gap, force, slip and status.
//!
//! Points are the candidates' positions in the contact configuration. The frame of the initial state is an empty file.

use delassus_mesh::vtk::{Cells, Field, Grid, Values};

use super::fields::write_frame;
use super::{Frame, Observer};
use crate::error::SimError;
use crate::results::Folder;

/// Writes a frame at every output state, and the collection after each.
pub struct ContactFrames {
    folder: Folder,
    written: Vec<(f64, String)>,
}

impl ContactFrames {
    /// Frames go into `contacts/` of the folder.
    #[must_use]
    pub fn new(folder: &Folder) -> Self {
        Self { folder: folder.clone(), written: Vec::new() }
    }
}

fn three(x: impl IntoIterator<Item = f64>) -> [f64; 3] {
    let mut out = [0.0; 3];
    for (o, x) in out.iter_mut().zip(x) {
        *o = x;
    }
    out
}

impl<const D: usize> Observer<D> for ContactFrames {
    fn observe(&mut self, frame: &Frame<'_, D>) -> Result<(), SimError> {
        if !frame.is_output {
            return Ok(());
        }
        let h = frame.outcome.map_or(1.0, |o| o.h);
        let touches = frame.outcome.map_or(&[][..], |o| &o.touches);
        let points: Vec<[f64; 3]> = touches.iter().map(|t| three(t.contact.point.iter().copied())).collect();
        let vector = |f: &dyn Fn(&crate::step::Touch<D>) -> [f64; 3]| touches.iter().flat_map(f).collect::<Vec<f64>>();
        let scalar = |f: &dyn Fn(&crate::step::Touch<D>) -> f64| touches.iter().map(f).collect::<Vec<f64>>();
        let normal = vector(&|t| three(t.contact.normal().iter().copied()));
        let force = vector(&|t| three((t.contact.frame * t.impulse / h).iter().copied()));
        let slip = vector(&|t| {
            let mut tangential = t.velocity;
            tangential[0] = 0.0;
            three((t.contact.frame * tangential).iter().copied())
        });
        let gap = scalar(&|t| t.gap);
        let force_normal = scalar(&|t| t.impulse[0] / h);
        let mu = scalar(&|t| frame.model.pairs[t.contact.key.pair as usize].friction);
        let area = scalar(&|t| t.contact.area);
        let law_error = scalar(&|t| t.law_error);
        let status: Vec<i32> = touches.iter().map(|t| i32::from(t.status.code())).collect();
        let pair: Vec<i32> = touches.iter().map(|t| t.contact.key.pair as i32).collect();
        let fields = [
            Field::scalar("gap", Values::F64(&gap)),
            Field::vector("normal", &normal),
            Field::vector("force", &force),
            Field::scalar("force_normal", Values::F64(&force_normal)),
            Field::vector("slip_velocity", &slip),
            Field::scalar("status", Values::I32(&status)),
            Field::scalar("mu", Values::F64(&mu)),
            Field::scalar("area", Values::F64(&area)),
            Field::scalar("law_error", Values::F64(&law_error)),
            Field::scalar("pair", Values::I32(&pair)),
        ];
        let grid =
            Grid { points: &points, cells: Cells::vertices(points.len()), point_fields: &fields, cell_fields: &[] };
        write_frame(&self.folder, "contacts", frame, &grid, &mut self.written)
    }
}
