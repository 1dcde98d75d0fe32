//! Condensation, Eᵀ A⁻¹ E = ZᵀZ with Z = L⁻¹ P E, in blocks that do not depend on each other.
//!
//! ```text
//! supernode s, from the leaves to the root:    X = L_ss⁻¹ Z_s ,   ZᵀZ += XᵀX ,   Z_below −= L_bs X
//! ```
//!
//! The columns of E are cut into panels of [`PANEL`] neighbours in the order of elimination. Each product is one of two
//! panels, over the supernodes that both reach (a column reaches the path from its own supernode to the root), and in
//! each supernode over the columns that reach it, a range of the panel. So the block of two panels has the same bits
//! whichever other panels are computed with it, now or later; and zeros are neither stored nor multiplied, except at the
//! ends of the ranges. Time and memory follow the entries of Z and not n times the number of columns.
//!
//! Contact dofs ordered last, so that w comes from the last block of L alone, cost more: docs/performance.md has the times.

use std::ops::Range;

use delassus_error::Interrupt;
use faer::linalg::matmul::matmul;
use faer::linalg::triangular_solve::solve_lower_triangular_in_place;
use faer::reborrow::ReborrowMut;
use faer::sparse::linalg::cholesky::supernodal::{SupernodalLltRef, SymbolicSupernodalCholesky};
use faer::{Accum, Mat, MatMut, Par};

use super::{Analysis, Factor, supernodal};
use crate::error::DynamicsError;

/// Columns solved together. One constant: the bits of a solve depend on it. A multiple of 2 and 3, so that dofs of a
/// node need not be parted.
pub const PANEL: usize = 96;

/// Unit columns at places in the order of elimination; `None` is a column of zeros.
pub type Panel = Vec<Option<usize>>;

/// The columns of a panel that reach a supernode.
#[derive(Debug)]
struct PanelPart {
    panel: usize,
    columns: Range<usize>,
    /// Where they begin in the supernode's block of Z.
    offset: usize,
}

/// Which columns reach which supernodes.
#[derive(Debug)]
struct Reach<'a> {
    supernodes: &'a SymbolicSupernodalCholesky<usize>,
    supernode_of: &'a [usize],
    /// By supernode, panels ascending.
    parts: Vec<Vec<PanelPart>>,
    /// (supernode, panel, column, row) of the unit entries, ascending.
    units: Vec<(usize, usize, usize, usize)>,
}

impl<'a> Reach<'a> {
    fn new(analysis: &'a Analysis, panels: &[&Panel], matrix: &'static str) -> Result<Self, DynamicsError> {
        let supernodes = supernodal(&analysis.symbolic, matrix)?;
        let supernode_of = analysis.supernode_of.as_slice();
        let mut units = Vec::new();
        for (p, panel) in panels.iter().enumerate() {
            let columns = panel.iter().enumerate().filter_map(|(j, row)| row.map(|row| (j, row)));
            units.extend(columns.map(|(j, row)| (supernode_of[row], p, j, row)));
        }
        units.sort_unstable();
        let n = supernodes.n_supernodes();
        let mut parts: Vec<Vec<PanelPart>> = std::iter::repeat_with(Vec::new).take(n).collect();
        for &(s, panel, column, _) in &units {
            join(&mut parts[s], panel, column..column + 1);
        }
        for s in 0..n {
            // The parent holds the first row below.
            let Some(&next) = supernodes.supernode(s).pattern().first() else { continue };
            let (below, above) = parts.split_at_mut(supernode_of[next]);
            for part in &below[s] {
                join(&mut above[0], part.panel, part.columns.clone());
            }
        }
        for part in parts.iter_mut() {
            let mut offset = 0;
            for p in part {
                p.offset = offset;
                offset += p.columns.len();
            }
        }
        Ok(Self { supernodes, supernode_of, parts, units })
    }

    /// Size of the block of Z at a supernode.
    fn size(&self, s: usize) -> (usize, usize) {
        let rows = self.supernodes.supernode_end()[s] - self.supernodes.supernode_begin()[s];
        (rows, self.parts[s].last().map_or(0, |p| p.offset + p.columns.len()))
    }

    /// Where a column of a panel is in the block of Z at a supernode that it reaches.
    fn place(&self, s: usize, panel: usize, column: usize) -> Option<usize> {
        let k = self.parts[s].binary_search_by_key(&panel, |p| p.panel).ok()?;
        let part = &self.parts[s][k];
        Some(part.offset + column - part.columns.start)
    }

    /// Largest number of entries of Z held at one time.
    fn peak(&self) -> usize {
        let mut is_held = vec![false; self.parts.len()];
        let (mut now, mut peak) = (0, 0);
        for s in (0..self.parts.len()).filter(|&s| !self.parts[s].is_empty()) {
            let own = self.size(s).0 * self.size(s).1;
            now += if is_held[s] { 0 } else { own };
            for &row in self.supernodes.supernode(s).pattern() {
                let above = self.supernode_of[row];
                if !std::mem::replace(&mut is_held[above], true) {
                    now += self.size(above).0 * self.size(above).1;
                }
            }
            peak = peak.max(now);
            now -= own;
        }
        peak
    }
}

fn join(parts: &mut Vec<PanelPart>, panel: usize, columns: Range<usize>) {
    match parts.binary_search_by_key(&panel, |p| p.panel) {
        Ok(k) => {
            let own = &mut parts[k].columns;
            *own = own.start.min(columns.start)..own.end.max(columns.end);
        }
        Err(k) => parts.insert(k, PanelPart { panel, columns, offset: 0 }),
    }
}

/// Place of the block of panels a ≥ b in a list of the lower triangle.
#[must_use]
pub fn triangle(a: usize, b: usize) -> usize {
    a * (a + 1) / 2 + b
}

impl Analysis {
    /// Bytes that a condensation on these panels holds at one time, besides its result.
    pub(crate) fn condensation_peak(&self, panels: &[&Panel], matrix: &'static str) -> Result<usize, DynamicsError> {
        Ok(size_of::<f64>() * Reach::new(self, panels, matrix)?.peak())
    }
}

impl Factor {
    /// The blocks Z_aᵀ Z_b, a ≥ b, of the panels that are `wanted`, by [`triangle`]; the others are left empty. The
    /// lower triangle of a block on the diagonal counts. The interrupt is checked between supernodes.
    pub(crate) fn products(
        &self,
        panels: &[&Panel],
        wanted: impl Fn(usize, usize) -> bool,
        interrupt: &Interrupt,
    ) -> Result<Vec<Mat<f64>>, DynamicsError> {
        let reach = Reach::new(&self.analysis, panels, self.matrix)?;
        let factor = SupernodalLltRef::new(reach.supernodes, &self.values);
        let mut result: Vec<Mat<f64>> = Vec::new();
        for a in 0..panels.len() {
            let block = |b: usize| if wanted(a, b) { Mat::zeros(panels[a].len(), panels[b].len()) } else { Mat::new() };
            result.extend((0..=a).map(block));
        }
        let mut held: Vec<Option<Mat<f64>>> = vec![None; reach.parts.len()];
        let empty = |s: usize| Mat::<f64>::zeros(reach.size(s).0, reach.size(s).1);
        let mut units = reach.units.iter().peekable();
        let mut update = Vec::new();
        for s in (0..reach.parts.len()).filter(|&s| !reach.parts[s].is_empty()) {
            interrupt.check()?;
            let supernode = factor.supernode(s);
            let mut x = held[s].take().unwrap_or_else(|| empty(s));
            while let Some(&(_, panel, column, row)) = units.next_if(|unit| unit.0 == s) {
                if let Some(j) = reach.place(s, panel, column) {
                    x[(row - supernode.start(), j)] = 1.0;
                }
            }
            let (diagonal, below) = supernode.val().split_at_row(x.nrows());
            for part in &reach.parts[s] {
                let columns = x.as_mut().subcols_mut(part.offset, part.columns.len());
                solve_lower_triangular_in_place(diagonal, columns, Par::Seq);
            }
            multiply(&reach.parts[s], &x, &wanted, &mut result);
            for part in &reach.parts[s] {
                let (width, pattern) = (part.columns.len(), supernode.pattern());
                update.resize(update.len().max(pattern.len() * width), 0.0);
                let mut product =
                    MatMut::from_column_major_slice_mut(&mut update[..pattern.len() * width], pattern.len(), width);
                matmul(product.rb_mut(), Accum::Replace, below, x.as_ref().subcols(part.offset, width), 1.0, Par::Seq);
                let mut first = 0;
                for run in pattern.chunk_by(|&a, &b| reach.supernode_of[a] == reach.supernode_of[b]) {
                    let above = reach.supernode_of[run[0]];
                    let base = reach.supernodes.supernode_begin()[above];
                    let block = held[above].get_or_insert_with(|| empty(above));
                    if let Some(shift) = reach.place(above, part.panel, part.columns.start) {
                        for j in 0..width {
                            for (k, &row) in run.iter().enumerate() {
                                block[(row - base, j + shift)] -= product[(first + k, j)];
                            }
                        }
                    }
                    first += run.len();
                }
            }
        }
        Ok(result)
    }

    /// The dense symmetric block Eᵀ A⁻¹ E for unit columns at `dofs`, row by row.
    pub fn condense(&self, dofs: &[usize]) -> Result<Vec<f64>, DynamicsError> {
        let m = dofs.len();
        let row_of = self.analysis.rows_of_dofs();
        let mut order: Vec<usize> = (0..m).collect();
        order.sort_by_key(|&j| (row_of[dofs[j]], j));
        let panels: Vec<Panel> =
            order.chunks(PANEL).map(|chunk| chunk.iter().map(|&j| Some(row_of[dofs[j]])).collect()).collect();
        let blocks = self.products(&panels.iter().collect::<Vec<_>>(), |_, _| true, &Interrupt::never())?;
        let mut w = vec![0.0; m * m];
        for a in 0..m {
            for b in 0..=a {
                let value = blocks[triangle(a / PANEL, b / PANEL)][(a % PANEL, b % PANEL)];
                w[order[a] * m + order[b]] = value;
                w[order[b] * m + order[a]] = value;
            }
        }
        Ok(w)
    }
}

/// ZᵀZ += XᵀX for the pairs of parts of one supernode.
fn multiply(parts: &[PanelPart], x: &Mat<f64>, wanted: &impl Fn(usize, usize) -> bool, result: &mut [Mat<f64>]) {
    for (k, a) in parts.iter().enumerate() {
        for b in parts[..=k].iter().filter(|b| wanted(a.panel, b.panel)) {
            let (m, n) = (a.columns.len(), b.columns.len());
            let block = result[triangle(a.panel, b.panel)].as_mut();
            let part = block.submatrix_mut(a.columns.start, b.columns.start, m, n);
            let (left, right) = (x.as_ref().subcols(a.offset, m), x.as_ref().subcols(b.offset, n));
            matmul(part, Accum::Add, left.transpose(), right, 1.0, Par::Seq);
        }
    }
}
