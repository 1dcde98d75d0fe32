//! `obstacles.pvd`: the outlines of rigid obstacles where they are at each frame, so that a viewer shows what bodies touch.
//!
//! In the plane these are lines, in space surfaces, as the shapes draw themselves. What has no end, such as a half-plane, is drawn as
//! far as the bodies reach at the time.

use delassus_case::spec::OutputSpec;
use delassus_mesh::vtk::{Cells, Field, Grid, Values};
use delassus_sim::model::{Model, MovingObstacle};
use delassus_sim::observer::Frame;
use nalgebra::SVector;

use super::{Frames, Writer, WriterCursor, vtk_type};
use crate::error::RunError;
use crate::records::Records;
use crate::results::Folder;

/// Writes a frame at every output state, and the collection after each; nothing for a case without obstacles.
pub struct ObstacleFrames(Frames);

impl ObstacleFrames {
    /// Frames go into `obstacles/` of the folder.
    #[must_use]
    pub fn new(folder: &Folder, output: &OutputSpec) -> Self {
        Self(Frames::new(folder, "obstacles", output))
    }
}

impl<const D: usize> Writer<D> for ObstacleFrames {
    fn write(&mut self, frame: &Frame<'_, D>, _: &Records) -> Result<(), RunError> {
        let obstacles: Vec<&MovingObstacle<D>> = obstacles(frame.model).collect();
        if !frame.is_output || obstacles.is_empty() {
            return Ok(());
        }
        let q: Vec<Vec<f64>> = frame.snapshot.states.iter().map(|s| s.q.clone()).collect();
        let nodes: Vec<SVector<f64, D>> = frame
            .model
            .positions(Some(&q))
            .iter()
            .flat_map(|x| x.chunks_exact(D))
            .map(SVector::from_column_slice)
            .collect();
        let (time, mut drawing) = (frame.snapshot.time(), Drawing::default());
        for obstacle in &obstacles {
            let number = i32::try_from(obstacle.number).unwrap_or(i32::MAX);
            let shape = obstacle.shape.placed(&obstacle.pose(time));
            if D == 2 {
                for line in shape.lines(&nodes) {
                    drawing.add(&line.map(|x| [x[0], x[1], 0.0]), &[vec![0, 1]], number);
                }
            } else {
                let surface = shape.faces(&nodes);
                let points: Vec<[f64; 3]> = surface.points.iter().map(|x| [x[0], x[1], x[2]]).collect();
                drawing.add(&points, &surface.faces, number);
            }
        }
        let Drawing { points, connectivity, offsets, types, owner } = drawing;
        let cells = Cells::new(&connectivity, &offsets, &types);
        let fields = [Field::scalar("obstacle", Values::I32(&owner))];
        let grid = Grid { points: &points, cells, point_fields: &[], cell_fields: &fields };
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

/// The arrays of a frame.
#[derive(Default)]
struct Drawing {
    points: Vec<[f64; 3]>,
    connectivity: Vec<usize>,
    offsets: Vec<usize>,
    types: Vec<u8>,
    owner: Vec<i32>,
}

impl Drawing {
    /// Adds cells between points of their own.
    fn add(&mut self, points: &[[f64; 3]], cells: &[Vec<usize>], owner: i32) {
        let first = self.points.len();
        self.points.extend(points);
        for cell in cells {
            self.connectivity.extend(cell.iter().map(|k| first + k));
            self.offsets.push(self.connectivity.len());
            self.types.push(vtk_type(cell.len()));
            self.owner.push(owner);
        }
    }
}

/// Each obstacle once, though several pairs may name it.
fn obstacles<const D: usize>(model: &Model<D>) -> impl Iterator<Item = &MovingObstacle<D>> {
    let mut seen: Vec<usize> = Vec::new();
    model.obstacles().map(|(_, o)| o).filter(move |o| {
        let is_new = !seen.contains(&o.number);
        if is_new {
            seen.push(o.number);
        }
        is_new
    })
}
