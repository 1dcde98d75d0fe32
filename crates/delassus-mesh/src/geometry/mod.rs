//! Measures and the check that a mesh can be computed with.
//!
//! ```text
//! simplex with edge vectors e₁ … e_d from its first node:
//!   d = D:  signed measure  det[e₁ … e_d] / d!
//!   d < D:  measure         √det(eᵢ·eⱼ) / d!   (|e₁|, |e₁ × e₂|/2)
//! corner Jacobian: det of the edge vectors that leave the corner along the local axes
//! ```
//! Measures are those of the cell with straight edges: exact for linear cells (trilinear hexahedra and prisms with
//! warped faces included, by two splits along opposite diagonals), for warped quadrilaterals in space those of their two
//! triangles; the nodes in the middles of curved edges are not looked at.
//!
//! A bilinear quadrilateral has a positive Jacobian everywhere if and only if it is positive at the four
//! corners (it is linear in ξ and η), which is the same as being strictly convex and counter-clockwise.

#[cfg(test)]
mod tests;

use crate::boundary::FacetTable;
use crate::{CellDefect, CellKind, Mesh, MeshError};

/// A corner is without area when its Jacobian is below this times the D-th power of the longest edge:
/// far below any useful cell (aspect ratio 10¹²), far above the rounding of an exactly collapsed one.
const DEGENERATE: f64 = 1e-12;

impl<const D: usize> Mesh<D> {
    /// Measure of cell `i`: volume \[m³\], area \[m²\], length \[m\], 1 for a point. Signed (positive for the
    /// right orientation) for bulk cells.
    ///
    /// # Panics
    /// If `i >= n_cells()` or the cell's nodes are not points of the mesh.
    pub fn cell_measure(&self, i: usize) -> f64 {
        let (kind, nodes) = self.cell(i);
        self.measure_of(kind, nodes)
    }

    /// Sum of the measures of the bulk cells \[m^D\].
    pub fn total_measure(&self) -> f64 {
        self.bulk_cells().map(|(_, kind, nodes)| self.measure_of(kind, nodes)).sum()
    }

    pub(crate) fn measure_of(&self, kind: CellKind, nodes: &[usize]) -> f64 {
        let factorial = [1.0, 1.0, 2.0, 6.0][kind.dim()];
        let content = |simplex: &&[usize]| content::<D>(kind.dim(), &self.edges(nodes, simplex));
        kind.simplices().iter().map(content).sum::<f64>() / (factorial * kind.covers() as f64)
    }

    /// Vectors from the first of the local nodes to the others, padded with zeros to three by three.
    fn edges(&self, nodes: &[usize], local: &[usize]) -> [[f64; 3]; 3] {
        let mut edges = [[0.0; 3]; 3];
        let origin = &self.points[nodes[local[0]]];
        for (edge, &l) in edges.iter_mut().zip(&local[1..]) {
            let end = &self.points[nodes[l]];
            for ((e, x), x0) in edge.iter_mut().zip(end).zip(origin) {
                *e = x - x0;
            }
        }
        edges
    }

    /// The defect of a bulk cell with its worst corner and the Jacobian there.
    fn defect(&self, kind: CellKind, nodes: &[usize]) -> Option<(CellDefect, usize, f64)> {
        let (mut lowest, mut highest, mut longest) = ((0, f64::INFINITY), f64::NEG_INFINITY, 0.0_f64);
        for (corner, local) in kind.corners().iter().enumerate() {
            let edges = self.edges(nodes, local);
            let jacobian = content::<D>(D, &edges);
            longest = edges.iter().map(norm).fold(longest, f64::max);
            highest = highest.max(jacobian);
            // Coordinates near the largest float overflow to NaN, which has to count as the worst.
            if jacobian < lowest.1 || jacobian.is_nan() {
                lowest = (corner, jacobian);
            }
        }
        let (corner, worst) = lowest;
        let floor = DEGENERATE * longest.powi(D as i32);
        if worst > floor {
            return None;
        }
        let defect = if highest < -floor {
            CellDefect::Inverted
        } else if worst < -floor {
            CellDefect::Folded
        } else {
            CellDefect::Degenerate
        };
        Some((defect, corner, worst))
    }

    /// Turns the bulk cells over that are wholly inverted; returns how many. Folded cells are left as
    /// they are for [`Mesh::validate`] to report.
    ///
    /// # Errors
    /// [`MeshError::Inconsistent`] when cells use points that are not there.
    pub fn orient_cells(&mut self) -> Result<usize, MeshError> {
        self.check_indices()?;
        let inverted: Vec<usize> = self
            .bulk_cells()
            .filter(|(_, kind, nodes)| matches!(self.defect(*kind, nodes), Some((CellDefect::Inverted, ..))))
            .map(|(cell, ..)| cell)
            .collect();
        let mut pending = inverted.iter().copied().peekable();
        let mut first = 0;
        for block in &mut self.blocks {
            let (kind, n_cells) = (block.kind, block.n_cells());
            while let Some(cell) = pending.next_if(|&cell| cell < first + n_cells) {
                let start = (cell - first) * kind.n_nodes();
                let old = block.nodes[start..start + kind.n_nodes()].to_vec();
                for (new, &l) in block.nodes[start..].iter_mut().zip(kind.flipped()) {
                    *new = old[l];
                }
            }
            first += n_cells;
        }
        Ok(inverted.len())
    }

    /// Checks that the mesh can be computed with: indices in range, finite coordinates, groups sorted and
    /// of one dimension, bulk cells present, positive at every corner and not overlapping.
    ///
    /// # Errors
    /// [`MeshError::Inconsistent`], [`MeshError::NoBulkCells`], [`MeshError::BadCell`],
    /// [`MeshError::Overlap`]: the first defect, and how many more cells are bad.
    pub fn validate(&self) -> Result<(), MeshError> {
        self.check_indices()?;
        self.check_groups()?;
        self.check_cells()?;
        FacetTable::of(self).check_overlap()
    }

    pub(crate) fn check_indices(&self) -> Result<(), MeshError> {
        let n_points = self.n_points();
        for (i, block) in self.blocks.iter().enumerate() {
            if !block.nodes.len().is_multiple_of(block.kind.n_nodes()) {
                return inconsistent(format!(
                    "block {i} of {} has {} node numbers, not a multiple of {}",
                    block.kind,
                    block.nodes.len(),
                    block.kind.n_nodes()
                ));
            }
            if let Some(k) = block.nodes.iter().position(|&node| node >= n_points) {
                return inconsistent(format!(
                    "block {i} of {}, its cell {}: node {} does not exist, there are {n_points} points",
                    block.kind,
                    k / block.kind.n_nodes(),
                    block.nodes[k]
                ));
            }
        }
        match self.points.iter().position(|x| x.iter().any(|c| !c.is_finite())) {
            Some(i) => inconsistent(format!("point {i} is at {:?}, coordinates must be finite", self.points[i])),
            None => Ok(()),
        }
    }

    fn check_groups(&self) -> Result<(), MeshError> {
        let n_cells = self.n_cells();
        for group in &self.groups {
            let name = &group.name;
            if let Some(cell) = group.cells.iter().find(|&&cell| cell >= n_cells) {
                return inconsistent(format!("group `{name}` has cell {cell}, but there are {n_cells} cells"));
            }
            if !group.cells.is_sorted_by(|a, b| a < b) {
                return inconsistent(format!("the cells of group `{name}` must be sorted and unique"));
            }
            if let Some(cell) = group.cells.iter().find(|&&c| self.cell(c).0.dim() != group.dim) {
                return inconsistent(format!(
                    "group `{name}` has dimension {}, but its cell {cell} is a {}",
                    group.dim,
                    self.cell(*cell).0
                ));
            }
        }
        Ok(())
    }

    /// Bulk cells present and every one with a positive Jacobian at every corner.
    pub(crate) fn check_cells(&self) -> Result<(), MeshError> {
        if self.bulk_cells().next().is_none() {
            let hint = "a body needs surface cells in 2D, volume cells in 3D";
            return Err(MeshError::NoBulkCells { dim: D, hint });
        }
        let mut bad =
            self.bulk_cells().filter_map(|(cell, kind, nodes)| Some((cell, kind, nodes, self.defect(kind, nodes)?)));
        let Some((cell, kind, nodes, (defect, corner, jacobian))) = bad.next() else {
            return Ok(());
        };
        Err(MeshError::BadCell {
            cell,
            kind,
            file_tag: None,
            centre: self.mean_of(nodes).to_vec(),
            defect,
            corner,
            jacobian,
            others: bad.count(),
        })
    }
}

fn inconsistent<T>(what: String) -> Result<T, MeshError> {
    Err(MeshError::Inconsistent { what })
}

fn norm(v: &[f64; 3]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Content of the parallelepiped of the first `n` edge vectors: the determinant if `n` = D, the positive
/// content if `n` < D.
fn content<const D: usize>(n: usize, [a, b, c]: &[[f64; 3]; 3]) -> f64 {
    let normal = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    match n {
        0 => 1.0,
        1 if D == 1 => a[0],
        1 => norm(a),
        2 if D == 2 => normal[2],
        2 => norm(&normal),
        _ => normal.iter().zip(c).map(|(x, y)| x * y).sum(),
    }
}
