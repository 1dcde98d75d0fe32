//! `chains.pvd`: a line for each contact that pushes on a rigid body, from centre of mass to centre of mass, or to the point of contact where the other side is not rigid.
//!
//! Forces are those of the last step, places those of the frame. Points have `force_normal` as well, so that ParaView's *Tube* can vary its radius by it.

use delassus_case::spec::OutputSpec;
use delassus_contact::Side;
use delassus_mesh::vtk::{Cells, Field, Grid, Values};
use delassus_sim::observer::Frame;
use delassus_sim::step::Touch;

use super::{Frames, Writer, WriterCursor, vtk_type};
use crate::error::RunError;
use crate::records::Records;
use crate::results::Folder;

/// Writes a frame at every output state, and the collection after each, if the case asks for it.
pub struct ChainFrames {
    frames: Frames,
    is_asked: bool,
}

impl ChainFrames {
    /// Frames go into `chains/` of the folder.
    #[must_use]
    pub fn new(folder: &Folder, output: &OutputSpec) -> Self {
        Self { frames: Frames::new(folder, "chains", output), is_asked: output.chains }
    }
}

fn three(x: impl IntoIterator<Item = f64>) -> [f64; 3] {
    let mut out = [0.0; 3];
    out.iter_mut().zip(x).for_each(|(o, x)| *o = x);
    out
}

impl<const D: usize> Writer<D> for ChainFrames {
    fn write(&mut self, frame: &Frame<'_, D>, _: &Records) -> Result<(), RunError> {
        if !(self.is_asked && frame.is_output) {
            return Ok(());
        }
        let h = frame.outcome.map_or(1.0, |o| o.h);
        let centre = |side: &Side<D>| {
            let body = side.body?;
            let rigid = frame.model.bodies[body].body.rigid()?;
            Some(rigid.pose(&frame.snapshot.states[body].q).centre)
        };
        let touches = frame.outcome.map_or(&[][..], |o| &o.touches);
        let pushing: Vec<(&Touch<D>, [[f64; 3]; 2])> = touches
            .iter()
            .filter(|t| t.impulse[0] > 0.0)
            .filter_map(|t| {
                let ends = t.contact.sides.each_ref().map(centre);
                let end = |k: usize| three(ends[k].unwrap_or(t.contact.point).iter().copied());
                ends.iter().any(Option::is_some).then(|| (t, [end(0), end(1)]))
            })
            .collect();
        let points: Vec<[f64; 3]> = pushing.iter().flat_map(|(_, ends)| *ends).collect();
        let n = pushing.len();
        let (connectivity, offsets): (Vec<usize>, Vec<usize>) =
            ((0..2 * n).collect(), (1..=n).map(|k| 2 * k).collect());
        let types = vec![vtk_type(2); n];
        let normal: Vec<f64> = pushing.iter().map(|(t, _)| t.impulse[0] / h).collect();
        let at_points: Vec<f64> = normal.iter().flat_map(|f| [*f, *f]).collect();
        let force: Vec<f64> =
            pushing.iter().flat_map(|(t, _)| three((t.contact.frame * t.impulse / h).iter().copied())).collect();
        let status: Vec<i32> = pushing.iter().map(|(t, _)| i32::from(t.status.code())).collect();
        let pair: Vec<i32> = pushing.iter().map(|(t, _)| t.contact.key.pair as i32).collect();
        let point_fields = [Field::scalar("force_normal", Values::F64(&at_points))];
        let cell_fields = [
            Field::scalar("force_normal", Values::F64(&normal)),
            Field::vector("force", &force),
            Field::scalar("status", Values::I32(&status)),
            Field::scalar("pair", Values::I32(&pair)),
        ];
        let grid = Grid {
            points: &points,
            cells: Cells::new(&connectivity, &offsets, &types),
            point_fields: &point_fields,
            cell_fields: &cell_fields,
        };
        self.frames.write(frame, &grid)
    }

    fn cursor(&self, _: &Records) -> WriterCursor {
        self.frames.cursor()
    }

    fn resume(&mut self, cursor: &WriterCursor, _: &mut Records) -> Result<(), RunError> {
        self.frames.resume(cursor);
        Ok(())
    }
}
