//! `obstacles.pvd`: rigid obstacles where they are at each frame, so that a viewer shows what bodies touch: outlines in the plane,
//! faces in space (`outline.rs`).

use delassus_mesh::vtk::{Cells, Field, Grid, Values};
use nalgebra::SVector;

use super::fields::write_frame;
use super::outline::outline;
use super::{Frame, Observer};
use crate::error::SimError;
use crate::model::{Model, MovingObstacle, Target};
use crate::results::Folder;

/// VTK's numbers of a line, a triangle and a quadrilateral.
const VTK_LINE: u8 = 3;
const VTK_TRIANGLE: u8 = 5;
const VTK_QUAD: u8 = 9;

/// Writes a frame at every output state, and the collection after each; nothing for a case without obstacles.
pub struct ObstacleFrames {
    folder: Folder,
    written: Vec<(f64, String)>,
}

impl ObstacleFrames {
    /// Frames go into `obstacles/` of the folder.
    #[must_use]
    pub fn new(folder: &Folder) -> Self {
        Self { folder: folder.clone(), written: Vec::new() }
    }
}

impl<const D: usize> Observer<D> for ObstacleFrames {
    fn observe(&mut self, frame: &Frame<'_, D>) -> Result<(), SimError> {
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
        let (mut points, mut owner, mut offsets, mut types) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for obstacle in &obstacles {
            for cell in outline(obstacle, frame.snapshot.time(), &nodes) {
                types.push(match cell.len() {
                    2 => VTK_LINE,
                    3 => VTK_TRIANGLE,
                    _ => VTK_QUAD,
                });
                points.extend(cell.into_iter().map(|x| std::array::from_fn(|i| if i < D { x[i] } else { 0.0 })));
                offsets.push(points.len());
                owner.push(i32::try_from(obstacle.number).unwrap_or(i32::MAX));
            }
        }
        let connectivity: Vec<usize> = (0..points.len()).collect();
        let cells = Cells::new(&connectivity, &offsets, &types);
        let fields = [Field::scalar("obstacle", Values::I32(&owner))];
        let grid = Grid { points: &points, cells, point_fields: &[], cell_fields: &fields };
        write_frame(&self.folder, "obstacles", frame, &grid, &mut self.written)
    }
}

/// Each obstacle once, though several pairs may name it.
fn obstacles<const D: usize>(model: &Model<D>) -> impl Iterator<Item = &MovingObstacle<D>> {
    let mut seen: Vec<usize> = Vec::new();
    model.passes().filter_map(move |(_, _, pass)| match &pass.antagonist {
        Target::Obstacle(o) if !seen.contains(&o.number) => {
            seen.push(o.number);
            Some(o)
        }
        _ => None,
    })
}
