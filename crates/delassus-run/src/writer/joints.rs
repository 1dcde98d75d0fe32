//! `joints.pvd`: a point per joint, where it is at the frame, with the force and the moment that it has given side `body` over the last step, and its coordinate.
//!
//! A group of nodes that follow a rigid body has a point for each. The point is that of `body`; of a `Distance` it is the end on `body`.

use delassus_case::spec::OutputSpec;
use delassus_mesh::vtk::{Cells, Field, Grid, Values};
use delassus_sim::observer::Frame;

use super::{Frames, Writer, WriterCursor};
use crate::error::RunError;
use crate::records::Records;
use crate::results::Folder;

/// Writes a frame at every output state, and the collection after each; nothing for a case without joints.
pub struct JointFrames(Frames);

impl JointFrames {
    /// Frames go into `joints/` of the folder.
    #[must_use]
    pub fn new(folder: &Folder, output: &OutputSpec) -> Self {
        Self(Frames::new(folder, "joints", output))
    }
}

impl<const D: usize> Writer<D> for JointFrames {
    fn write(&mut self, frame: &Frame<'_, D>, _: &Records) -> Result<(), RunError> {
        let joints = &frame.model.joints;
        if !frame.is_output || joints.is_empty() {
            return Ok(());
        }
        let q: Vec<Vec<f64>> = frame.snapshot.states.iter().map(|s| s.q.clone()).collect();
        let place = |x: &[f64]| -> [f64; 3] { std::array::from_fn(|i| x.get(i).copied().unwrap_or(0.0)) };
        let points: Vec<[f64; 3]> =
            joints.iter().map(|j| place(j.place(frame.model, &q).points[0].as_slice())).collect();
        let ends = frame.outcome.map_or(&[][..], |o| &o.joints);
        let end = |k: usize| ends.get(k);
        let force: Vec<f64> =
            (0..joints.len()).flat_map(|k| end(k).map_or([0.0; 3], |e| place(e.force.as_slice()))).collect();
        let moment: Vec<f64> =
            (0..joints.len()).flat_map(|k| end(k).map_or([0.0; 3], |e| place(e.moment.as_slice()))).collect();
        let coordinate = &frame.snapshot.joints;
        // Those of one entry of the case have one number.
        let mut number: Vec<i32> = Vec::with_capacity(joints.len());
        for joint in joints {
            let last = number.last().copied().unwrap_or(-1);
            number.push(if joint.follows { last } else { last + 1 });
        }
        let fields = [
            Field::vector("force", &force),
            Field::vector("moment", &moment),
            Field::scalar("coordinate", Values::F64(coordinate)),
            Field::scalar("joint", Values::I32(&number)),
        ];
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
