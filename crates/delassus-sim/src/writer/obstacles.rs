//! `obstacles.pvd`: the outlines of rigid obstacles where they are at each frame, so that a viewer shows what bodies touch.
//!
//! In the plane these are lines, in space surfaces (`obstacle_faces.rs`). A half-plane is drawn as far as the bodies reach at
//! the time; circles as polygons of 96 sides.

use std::f64::consts::TAU;

use delassus_contact::{Antagonist, Obstacle};
use delassus_mesh::vtk::{Cells, Field, Grid, Values};
use nalgebra::{Rotation, SVector};

use super::obstacle_faces::faces;
use super::{Cursor, Frames, Writer};
use crate::model::{Model, MovingObstacle, Target};
use crate::observer::{Frame, Observer, ObserverError};
use crate::results::Folder;
use crate::run_error::RunError;

/// Sides of the polygon drawn for a circle.
const SIDES: u32 = 96;

/// A half-plane is drawn beyond the bodies by this part of their extent.
pub const MARGIN: f64 = 0.1;

/// VTK's number of the line, triangle or quadrilateral with so many points.
fn vtk_type(n_points: usize) -> u8 {
    match n_points {
        2 => 3,
        3 => 5,
        _ => 9,
    }
}

/// Writes a frame at every output state, and the collection after each; nothing for a case without obstacles.
pub struct ObstacleFrames(Frames);

impl ObstacleFrames {
    /// Frames go into `obstacles/` of the folder.
    #[must_use]
    pub fn new(folder: &Folder) -> Self {
        Self(Frames::new(folder, "obstacles"))
    }
}

impl<const D: usize> Observer<D> for ObstacleFrames {
    fn observe(&mut self, frame: &Frame<'_, D>) -> Result<(), ObserverError> {
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
            if D == 2 {
                for line in outline(obstacle, time, &nodes) {
                    drawing.add(&line.map(|x| [x[0], x[1], 0.0]), &[vec![0, 1]], number);
                }
            } else {
                let surface = faces(obstacle, time, &nodes);
                let points: Vec<[f64; 3]> = surface.points.iter().map(|x| [x[0], x[1], x[2]]).collect();
                drawing.add(&points, &surface.faces, number);
            }
        }
        let Drawing { points, connectivity, offsets, types, owner } = drawing;
        let cells = Cells::new(&connectivity, &offsets, &types);
        let fields = [Field::scalar("obstacle", Values::I32(&owner))];
        let grid = Grid { points: &points, cells, point_fields: &[], cell_fields: &fields };
        Ok(self.0.write(frame, &grid)?)
    }
}

impl<const D: usize> Writer<D> for ObstacleFrames {
    fn cursor(&self) -> Cursor {
        self.0.cursor()
    }

    fn resume(&mut self, cursor: &Cursor) -> Result<(), RunError> {
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
    model.passes().filter_map(move |(_, _, pass)| match &pass.antagonist {
        Target::Obstacle(o) if !seen.contains(&o.number) => {
            seen.push(o.number);
            Some(o)
        }
        _ => None,
    })
}

type Line<const D: usize> = [SVector<f64, D>; 2];

/// The outline at time `t`, line by line.
fn outline<const D: usize>(obstacle: &MovingObstacle<D>, t: f64, nodes: &[SVector<f64, D>]) -> Vec<Line<D>> {
    let pose = obstacle.pose(t);
    match &obstacle.shape {
        Antagonist::Surface(_) => Vec::new(),
        Antagonist::Rigid(surface) => {
            let place = |i: usize| pose.place(&surface.points()[i]);
            surface.facets().iter().map(|f| [place(f[0]), place(f[D - 1])]).collect()
        }
        Antagonist::Obstacle(shape) => match shape.placed(&pose) {
            Obstacle::HalfSpace { point, normal } => half_plane(&point, &normal, nodes),
            Obstacle::Segment { a, b } => vec![[a, b]],
            Obstacle::Ball { centre, radius } | Obstacle::Cavity { centre, radius } => circle(&centre, radius),
            Obstacle::Box { centre, half_sizes, rotation } => rectangle(&centre, &half_sizes, &rotation),
            _ => Vec::new(),
        },
    }
}

/// The border, from one end of the bodies' shadow on it to the other.
fn half_plane<const D: usize>(
    point: &SVector<f64, D>,
    normal: &SVector<f64, D>,
    nodes: &[SVector<f64, D>],
) -> Vec<Line<D>> {
    let mut along = SVector::<f64, D>::zeros();
    (along[0], along[1]) = (normal[1], -normal[0]);
    let along = along / normal.norm();
    let Some((low, high)) = shadow(nodes.iter().map(|x| (x - point).dot(&along))) else { return Vec::new() };
    let margin = MARGIN * (high - low);
    vec![[point + along * (low - margin), point + along * (high + margin)]]
}

/// The smallest and the largest of some values; none if there are none, or not all are finite.
pub fn shadow(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), s| (l.min(s), h.max(s)));
    (low.is_finite() && high.is_finite()).then_some((low, high))
}

fn circle<const D: usize>(centre: &SVector<f64, D>, radius: f64) -> Vec<Line<D>> {
    let at = |k: u32| {
        let (sin, cos) = (TAU * f64::from(k % SIDES) / f64::from(SIDES)).sin_cos();
        let mut x = *centre;
        (x[0], x[1]) = (x[0] + radius * cos, x[1] + radius * sin);
        x
    };
    (0..SIDES).map(|k| [at(k), at(k + 1)]).collect()
}

/// The four sides of a box in the plane.
fn rectangle<const D: usize>(
    centre: &SVector<f64, D>,
    half_sizes: &SVector<f64, D>,
    rotation: &Rotation<f64, D>,
) -> Vec<Line<D>> {
    let corner = |signs: [f64; 2]| {
        let half = SVector::<f64, D>::from_fn(|i, _| signs.get(i).map_or(0.0, |s| s * half_sizes[i]));
        centre + rotation * half
    };
    let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(corner);
    (0..4).map(|k| [corners[k], corners[(k + 1) % 4]]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outlines_lie_on_their_shapes() {
        let v = |x: f64, y: f64| SVector::<f64, 2>::new(x, y);
        let nodes = [v(0.0, 1.0), v(2.0, 3.0), v(1.0, 0.5)];
        let lines = half_plane(&v(0.0, 0.0), &v(0.0, 2.0), &nodes);
        // The shadow is [0, 2], a tenth more on either side.
        let [a, b] = lines[0];
        let (left, right) = (a[0].min(b[0]), a[0].max(b[0]));
        assert!(a[1].abs() + b[1].abs() < 1e-15 && (left + 0.2).abs() < 1e-15 && (right - 2.2).abs() < 1e-15);
        let lines = circle(&v(3.0, 4.0), 5.0);
        assert_eq!(lines.len(), 96);
        for [a, b] in &lines {
            assert!(((a - v(3.0, 4.0)).norm() - 5.0).abs() < 1e-14 && (a - b).norm() < 0.33);
        }
        assert!(half_plane(&v(0.0, 0.0), &v(1.0, 0.0), &[]).is_empty());
        // Turned by a right angle about its centre: 2 m wide, 4 m high.
        let sides = rectangle(&v(1.0, 1.0), &v(2.0, 1.0), &Rotation::<f64, 2>::new(std::f64::consts::FRAC_PI_2));
        assert!(
            sides
                .iter()
                .flatten()
                .all(|x| (x[0] - 1.0).abs() - 1.0 < 1e-14 && ((x[1] - 1.0).abs() - 2.0).abs() < 1e-14)
        );
        assert!((sides.iter().map(|[a, b]| (b - a).norm()).sum::<f64>() - 12.0).abs() < 1e-14);
    }
}
