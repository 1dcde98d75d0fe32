//! A frame as it is drawn: points, displacements, faces, stress and contact forces, in the plane or in space.

use delassus_mesh::vtk::GridData;

use super::shown::Shown;
use super::skin::{Cell, drawn_cells};
use crate::error::ReportError;
use crate::folder::Results;

/// A contact force.
#[derive(Clone, Copy, Debug)]
pub struct Arrow<const D: usize> {
    /// Where it acts \[m\].
    pub point: [f64; D],
    /// Force on the candidate \[N\].
    pub force: [f64; D],
    /// Unit normal, towards the candidate.
    pub normal: [f64; D],
    /// Number of the contact pair.
    pub pair: usize,
}

impl<const D: usize> Arrow<D> {
    /// Size of the force \[N\].
    #[must_use]
    pub fn size(&self) -> f64 {
        length(&self.force)
    }
}

/// A frame.
pub struct Shot<const D: usize> {
    /// Time \[s\].
    pub time: f64,
    /// What happens then; may be empty.
    pub reason: String,
    /// Undeformed positions \[m\].
    pub points: Vec<[f64; D]>,
    /// Displacements \[m\].
    pub displacement: Vec<[f64; D]>,
    /// What is drawn: corners of each triangle or quadrilateral in the plane, the nodes around each outer face in space.
    pub cells: Vec<Vec<usize>>,
    /// Body of each point.
    pub body: Vec<usize>,
    /// What the colours show, of each cell: by default the von Mises stress \[Pa\].
    pub values: Vec<f64>,
    /// Contact forces that act, the largest first.
    pub arrows: Vec<Arrow<D>>,
    /// Where joints are \[m\].
    pub joints: Vec<[f64; D]>,
    /// Cells of other shapes, not drawn.
    pub skipped: usize,
}

/// The first components of a vector of three.
pub fn first<const D: usize>(x: &[f64; 3]) -> [f64; D] {
    std::array::from_fn(|k| x.get(k).copied().unwrap_or(0.0))
}

/// Euclidean length.
pub fn length<const D: usize>(x: &[f64; D]) -> f64 {
    x.iter().fold(0.0, |sum: f64, x| sum.hypot(*x))
}

impl<const D: usize> Shot<D> {
    /// Reads frame number `frame`, to be coloured by `shown`.
    pub fn read(results: &Results, shown: &Shown, frame: usize, reason: String) -> Result<Option<Self>, ReportError> {
        let Some((time, file)) = results.fields.get(frame) else { return Ok(None) };
        let grid = results.frame(file)?;
        let broken = |e| results.frame_error(file, e);
        let displacement = grid.point_field("displacement", 3).map_err(broken)?.as_chunks::<3>().0;
        let values = grid.cell_field(shown.field, 1).map_err(broken)?;
        let body = grid.cell_field("body", 1).map_err(broken)?;
        let mut shot = Self {
            time: *time,
            reason,
            points: grid.points.iter().map(first).collect(),
            displacement: displacement.iter().map(first).collect(),
            cells: Vec::new(),
            body: vec![0; grid.points.len()],
            values: Vec::new(),
            arrows: if shown.has_arrows { arrows(results, *time)? } else { Vec::new() },
            joints: joints(results, *time)?,
            skipped: 0,
        };
        for i in 0..grid.n_cells() {
            for &n in grid.cell(i) {
                shot.body[n] = body[i].max(0.0) as usize;
            }
        }
        let (cells, skipped) = drawn_cells::<D>(&grid);
        shot.skipped = skipped;
        for Cell { ring, owner } in cells {
            shot.cells.push(ring);
            shot.values.push(values[owner]);
        }
        Ok(Some(shot))
    }

    /// Body of a cell.
    #[must_use]
    pub fn owner(&self, cell: usize) -> usize {
        self.cells[cell].first().and_then(|&n| self.body.get(n)).copied().unwrap_or(0)
    }

    /// Where a point is drawn.
    #[must_use]
    pub fn place(&self, node: usize, magnification: f64) -> [f64; D] {
        std::array::from_fn(|k| self.points[node][k] + magnification * self.displacement[node][k])
    }

    /// The point nearest to `at` in the true deformed state, among those `wanted`.
    #[must_use]
    pub fn nearest(&self, at: [f64; D], wanted: impl Fn(usize) -> bool) -> Option<usize> {
        let distance = |n: &usize| {
            let p = self.place(*n, 1.0);
            length::<D>(&std::array::from_fn(|k| p[k] - at[k]))
        };
        (0..self.points.len()).filter(|&n| wanted(n)).min_by(|a, b| distance(a).total_cmp(&distance(b)))
    }

    /// Keeps the `most` largest forces; these and the joints are at points that move along with the node next to them when displacements are magnified.
    pub fn carry_arrows(&mut self, magnification: f64, most: usize) {
        self.arrows.truncate(most);
        if magnification <= 1.0 {
            return;
        }
        for i in 0..self.arrows.len() {
            if let Some(node) = self.nearest(self.arrows[i].point, |_| true) {
                let u = self.displacement[node];
                let point = &mut self.arrows[i].point;
                *point = std::array::from_fn(|k| point[k] + (magnification - 1.0) * u[k]);
            }
        }
        for i in 0..self.joints.len() {
            if let Some(node) = self.nearest(self.joints[i], |_| true) {
                let u = self.displacement[node];
                self.joints[i] = std::array::from_fn(|k| self.joints[i][k] + (magnification - 1.0) * u[k]);
            }
        }
    }
}

/// The forces of the frame of contacts at this very time; none when there is no such frame.
fn arrows<const D: usize>(results: &Results, time: f64) -> Result<Vec<Arrow<D>>, ReportError> {
    let Some(file) = at_time(&results.contacts, time) else { return Ok(Vec::new()) };
    let grid: GridData = results.frame(file)?;
    let broken = |e| results.frame_error(file, e);
    let force = grid.point_field("force", 3).map_err(broken)?.as_chunks::<3>().0;
    let normal = grid.point_field("normal", 3).map_err(broken)?.as_chunks::<3>().0;
    let pair = grid.point_field("pair", 1).map_err(broken)?;
    let arrow = |i: usize| Arrow {
        point: first(&grid.points[i]),
        force: first(&force[i]),
        normal: first(&normal[i]),
        pair: pair[i].max(0.0) as usize,
    };
    let mut out: Vec<Arrow<D>> = (0..grid.points.len()).map(arrow).filter(|a| a.size() > 0.0).collect();
    // Stable: equal forces stay in the order of the file.
    out.sort_by(|a, b| b.size().total_cmp(&a.size()));
    Ok(out)
}

/// The places of the frame of joints at this very time; none when there is no such frame.
fn joints<const D: usize>(results: &Results, time: f64) -> Result<Vec<[f64; D]>, ReportError> {
    let Some(file) = at_time(&results.joints, time) else { return Ok(Vec::new()) };
    Ok(results.frame(file)?.points.iter().map(first).collect())
}

/// The file of a collection at this very time.
pub fn at_time(list: &[(f64, String)], time: f64) -> Option<&str> {
    list.iter().find(|(t, _)| t.to_bits() == time.to_bits()).map(|(_, file)| file.as_str())
}
