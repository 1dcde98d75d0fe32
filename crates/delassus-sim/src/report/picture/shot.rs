//! A frame as it is drawn: plane points, displacements, cells, stress and contact forces.

use delassus_mesh::vtk::GridData;

use crate::report::error::ReportError;
use crate::report::folder::Results;

/// A contact force.
#[derive(Clone, Copy, Debug)]
pub struct Arrow {
    /// Where it acts \[m\].
    pub point: [f64; 2],
    /// Force on the candidate \[N\].
    pub force: [f64; 2],
    /// Unit normal, towards the candidate.
    pub normal: [f64; 2],
    /// Number of the contact pair.
    pub pair: usize,
}

impl Arrow {
    /// Size of the force \[N\].
    #[must_use]
    pub fn size(&self) -> f64 {
        self.force[0].hypot(self.force[1])
    }
}

/// A frame.
pub struct Shot {
    /// Time \[s\].
    pub time: f64,
    /// What happens then; may be empty.
    pub reason: String,
    /// Undeformed positions \[m\].
    pub points: Vec<[f64; 2]>,
    /// Displacements \[m\].
    pub displacement: Vec<[f64; 2]>,
    /// Corners of each triangle or quadrilateral.
    pub cells: Vec<Vec<usize>>,
    /// Body of each point.
    pub body: Vec<usize>,
    /// Von Mises stress of each cell \[Pa\].
    pub von_mises: Vec<f64>,
    /// Contact forces that act, the largest first.
    pub arrows: Vec<Arrow>,
    /// Cells of other shapes, not drawn.
    pub skipped: usize,
}

/// Corners of VTK's plane cells: linear and quadratic triangles and quadrilaterals.
fn corners(kind: u8) -> Option<usize> {
    match kind {
        5 | 22 => Some(3),
        9 | 23 | 28 => Some(4),
        _ => None,
    }
}

impl Shot {
    /// Reads frame number `frame`; none if it does not lie in the plane.
    pub fn read(results: &Results, frame: usize, reason: String) -> Result<Option<Self>, ReportError> {
        let Some((time, file)) = results.fields.get(frame) else { return Ok(None) };
        let grid = results.frame(file)?;
        let broken = |e| results.frame_error(file, e);
        let displacement = grid.point_field("displacement", 3).map_err(broken)?.as_chunks::<3>().0;
        let von_mises = grid.cell_field("von_mises", 1).map_err(broken)?;
        let body = grid.cell_field("body", 1).map_err(broken)?;
        let flat = |x: &[f64; 3]| x[2].abs() <= 0.0;
        if !grid.points.iter().chain(displacement).all(flat) {
            return Ok(None);
        }
        let plane = |x: &[f64; 3]| [x[0], x[1]];
        let mut shot = Self {
            time: *time,
            reason,
            points: grid.points.iter().map(plane).collect(),
            displacement: displacement.iter().map(plane).collect(),
            cells: Vec::with_capacity(grid.n_cells()),
            body: vec![0; grid.points.len()],
            von_mises: Vec::with_capacity(grid.n_cells()),
            arrows: Vec::new(),
            skipped: 0,
        };
        for i in 0..grid.n_cells() {
            let nodes = corners(grid.types[i]).and_then(|n| grid.cell(i).get(..n));
            let Some(nodes) = nodes else {
                shot.skipped += 1;
                continue;
            };
            for &n in nodes {
                shot.body[n] = body[i].max(0.0) as usize;
            }
            shot.cells.push(nodes.to_vec());
            shot.von_mises.push(von_mises[i]);
        }
        shot.arrows = arrows(results, *time)?;
        Ok(Some(shot))
    }

    /// Where a point is drawn.
    #[must_use]
    pub fn place(&self, node: usize, magnification: f64) -> [f64; 2] {
        std::array::from_fn(|k| self.points[node][k] + magnification * self.displacement[node][k])
    }

    /// The point nearest to `at` in the true deformed state, among those `wanted`.
    #[must_use]
    pub fn nearest(&self, at: [f64; 2], wanted: impl Fn(usize) -> bool) -> Option<usize> {
        let distance = |n: &usize| {
            let p = self.place(*n, 1.0);
            (p[0] - at[0]).hypot(p[1] - at[1])
        };
        (0..self.points.len()).filter(|&n| wanted(n)).min_by(|a, b| distance(a).total_cmp(&distance(b)))
    }
}

/// The forces of the frame of contacts at this very time; none when there is no such frame.
fn arrows(results: &Results, time: f64) -> Result<Vec<Arrow>, ReportError> {
    let same = |t: f64| t.to_bits() == time.to_bits();
    let Some((_, file)) = results.contacts.iter().find(|(t, _)| same(*t)) else { return Ok(Vec::new()) };
    let grid: GridData = results.frame(file)?;
    let broken = |e| results.frame_error(file, e);
    let force = grid.point_field("force", 3).map_err(broken)?.as_chunks::<3>().0;
    let normal = grid.point_field("normal", 3).map_err(broken)?.as_chunks::<3>().0;
    let pair = grid.point_field("pair", 1).map_err(broken)?;
    let arrow = |i: usize| Arrow {
        point: [grid.points[i][0], grid.points[i][1]],
        force: [force[i][0], force[i][1]],
        normal: [normal[i][0], normal[i][1]],
        pair: pair[i].max(0.0) as usize,
    };
    let mut out: Vec<Arrow> = (0..grid.points.len()).map(arrow).filter(|a| a.size() > 0.0).collect();
    // Stable: equal forces stay in the order of the file.
    out.sort_by(|a, b| b.size().total_cmp(&a.size()));
    Ok(out)
}
