//! Sparse Cholesky factor of a symmetric positive definite matrix whose pattern never changes.
//!
//! ```text
//! P A Pᵀ = L Lᵀ
//! A⁻¹ b            two triangular solves
//! Eᵀ A⁻¹ E         by half solves: Z = L⁻¹ P E, then ZᵀZ
//! ```
//!
//! The analysis (order, elimination tree, supernodes) is done once and shared by every numeric factor of the same
//! pattern. The order P is approximate minimum degree for small or plane bodies, and nested dissection where that needs
//! much less work. In a half solve the supernodes that a column does not reach are skipped: a column of E touches only
//! the path from its own supernode to the root.
//!
//! Few columns are condensed with a dense Z, in panels. Many columns go supernode by supernode, each with the columns
//! that reach it: time and memory then follow the entries of Z and not n times the number of columns. (Contact dofs
//! ordered last, so that w is read off the last block of L, were slower: the factor costs more than the condensation
//! saves.)
//!
//! Bits: all solves run on one thread, and the layout of a condensation is fixed by the pattern and the list of dofs,
//! because the bits of a solve depend on the number of columns solved together. Parallelism belongs to the caller, one
//! body a task.

use std::sync::Arc;

use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::linalg::cholesky::llt::factor::LltError;
use faer::linalg::matmul::matmul;
use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::linalg::triangular_solve::solve_lower_triangular_in_place;
use faer::perm::PermRef;
use faer::reborrow::{Reborrow, ReborrowMut};
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::cholesky::supernodal::{SupernodalLltRef, SymbolicSupernodalCholesky};
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LltRef, SymbolicCholesky, SymbolicCholeskyRaw, SymmetricOrdering,
    factorize_symbolic_cholesky,
};
use faer::sparse::{FaerError, SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Accum, Conj, Mat, MatMut, Par, Side};
use nalgebra_sparse::pattern::SparsityPattern;

use crate::DynamicsError;
use crate::order::nested_dissection;

/// Columns solved together in a condensation. One constant: see the module's note on bits.
const PANEL: usize = 64;

/// Columns updated together in a condensation by supernodes.
const WIDE: usize = 256;

/// Below this many unknowns [`Order::Automatic`] does not look for a better order than minimum degree.
const SMALL: usize = 3000;

/// Nor does it where minimum degree needs fewer operations an unknown than this: plane bodies of less than some 300 000
/// dofs, beams, chains. There the dissection costs more than the factor and saves next to nothing.
const EASY: f64 = 20_000.0;

/// Condensations that would spend more multiplications than this on ZᵀZ with a dense Z go by supernodes.
const DENSE: f64 = 5e8;

/// Nested dissection is taken if it needs at most this share of the operations of minimum degree. A lesser gain is not
/// worth other bits.
const WORTH: f64 = 0.75;

/// How the unknowns are numbered for elimination. The order changes the cost of a factor and the last bits of a solve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Nested dissection for a large matrix where it saves at least a quarter of the operations, else minimum degree.
    #[default]
    Automatic,
    /// Approximate minimum degree.
    MinimumDegree,
    /// Nested dissection.
    NestedDissection,
}

/// The part of a factorisation that depends on the pattern alone.
#[derive(Debug)]
pub struct Analysis {
    pattern: SparsityPattern,
    symbolic: SymbolicCholesky<usize>,
    supernode_of: Vec<usize>,
    n_operations: f64,
}

impl Analysis {
    /// Analyses a lower-triangle pattern (columns sorted, diagonal present) in the order that [`Order::Automatic`] finds.
    pub fn new(pattern: &SparsityPattern, matrix: &'static str) -> Result<Self, DynamicsError> {
        Self::with_order(pattern, Order::Automatic, matrix)
    }

    /// The same in a given order.
    pub fn with_order(pattern: &SparsityPattern, order: Order, matrix: &'static str) -> Result<Self, DynamicsError> {
        let n = pattern.major_dim();
        if n == 0 {
            return Err(DynamicsError::Factorisation { matrix, reason: "it has no degree of freedom".into() });
        }
        let failed = |e: FaerError| DynamicsError::Factorisation { matrix, reason: format!("{e:?}") };
        let dissected = || {
            let forward = nested_dissection(pattern)?;
            let mut inverse = vec![0; n];
            for (new, &old) in forward.iter().enumerate() {
                inverse[old] = new;
            }
            symbolic(pattern, SymmetricOrdering::Custom(PermRef::new_checked(&forward, &inverse, n)))
        };
        let chosen = match order {
            Order::MinimumDegree => symbolic(pattern, SymmetricOrdering::Amd).map_err(failed)?,
            Order::NestedDissection => dissected().map_err(failed)?,
            Order::Automatic => {
                let degree = symbolic(pattern, SymmetricOrdering::Amd).map_err(failed)?;
                let work = operations(&degree, matrix)?;
                if n < SMALL || work < EASY * n as f64 {
                    degree
                } else {
                    let nested = dissected().map_err(failed)?;
                    let is_worth = operations(&nested, matrix)? <= WORTH * work;
                    if is_worth { nested } else { degree }
                }
            }
        };
        let mut supernode_of = vec![0; n];
        let supernodes = supernodal(&chosen, matrix)?;
        for s in 0..supernodes.n_supernodes() {
            supernode_of[supernodes.supernode_begin()[s]..supernodes.supernode_end()[s]].fill(s);
        }
        let n_operations = operations(&chosen, matrix)?;
        Ok(Self { pattern: pattern.clone(), symbolic: chosen, supernode_of, n_operations })
    }

    /// The unknowns in the order of their elimination.
    #[must_use]
    pub fn order(&self) -> Vec<usize> {
        match self.symbolic.perm() {
            Some(p) => p.arrays().0.to_vec(),
            None => (0..self.n()).collect(),
        }
    }

    /// Multiplications of a numeric factorisation, about.
    #[must_use]
    pub fn n_operations(&self) -> f64 {
        self.n_operations
    }

    /// The pattern that was analysed.
    #[must_use]
    pub fn pattern(&self) -> &SparsityPattern {
        &self.pattern
    }

    /// Order of the matrix.
    #[must_use]
    pub fn n(&self) -> usize {
        self.pattern.major_dim()
    }

    /// Stored entries of L.
    #[must_use]
    pub fn n_factor_entries(&self) -> usize {
        self.symbolic.len_val()
    }
}

fn symbolic(
    pattern: &SparsityPattern,
    order: SymmetricOrdering<'_, usize>,
) -> Result<SymbolicCholesky<usize>, FaerError> {
    let n = pattern.major_dim();
    let view = SymbolicSparseColMatRef::new_checked(n, n, pattern.major_offsets(), None, pattern.minor_indices());
    // Half solves exist for supernodal factors only. The threshold is compared strictly with the ratio of
    // operations to entries, which is zero for a diagonal matrix: FORCE_SUPERNODAL (zero) would not force it.
    let parameters =
        CholeskySymbolicParams { supernodal_flop_ratio_threshold: SupernodalThreshold(-1.0), ..Default::default() };
    factorize_symbolic_cholesky(view, Side::Lower, order, parameters)
}

/// Multiplications of a factorisation: half the squared length of every column of L.
fn operations(symbolic: &SymbolicCholesky<usize>, matrix: &'static str) -> Result<f64, DynamicsError> {
    let supernodes = supernodal(symbolic, matrix)?;
    let lengths = supernodes.col_ptr_for_row_idx();
    let (begin, end) = (supernodes.supernode_begin(), supernodes.supernode_end());
    let columns = (0..supernodes.n_supernodes()).flat_map(|s| {
        let below = lengths[s + 1] - lengths[s];
        (1..=end[s] - begin[s]).map(move |own| (below + own) as f64)
    });
    Ok(columns.map(|length| 0.5 * length * length).sum())
}

fn supernodal<'a>(
    symbolic: &'a SymbolicCholesky<usize>,
    matrix: &'static str,
) -> Result<&'a SymbolicSupernodalCholesky<usize>, DynamicsError> {
    match symbolic.raw() {
        SymbolicCholeskyRaw::Supernodal(s) => Ok(s),
        SymbolicCholeskyRaw::Simplicial(_) => {
            Err(DynamicsError::Factorisation { matrix, reason: "the analysis is not supernodal".into() })
        }
    }
}

/// A numeric factor. Immutable, so that equal bodies can share one; each user brings a [`Workspace`].
#[derive(Debug)]
pub struct Factor {
    analysis: Arc<Analysis>,
    values: Vec<f64>,
    matrix: &'static str,
}

/// Scratch memory for solves with one right-hand side.
pub struct Workspace {
    memory: MemBuffer,
}

impl std::fmt::Debug for Workspace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Workspace").field("bytes", &self.memory.len()).finish()
    }
}

impl Workspace {
    /// Scratch for every factor of this analysis.
    #[must_use]
    pub fn new(analysis: &Analysis) -> Self {
        Self { memory: MemBuffer::new(analysis.symbolic.solve_in_place_scratch::<f64>(1, Par::Seq)) }
    }
}

impl Factor {
    /// Factors the matrix with these lower-triangle values in the analysis' pattern. `matrix` names it in errors.
    pub fn new(analysis: &Arc<Analysis>, values: &[f64], matrix: &'static str) -> Result<Self, DynamicsError> {
        let n = analysis.n();
        let pattern = &analysis.pattern;
        let view = SparseColMatRef::new(
            SymbolicSparseColMatRef::new_checked(n, n, pattern.major_offsets(), None, pattern.minor_indices()),
            values,
        );
        if let Some(k) = values.iter().position(|x| !x.is_finite()) {
            return Err(DynamicsError::NotPositiveDefinite { matrix, dof: pattern.minor_indices()[k] });
        }
        let symbolic = &analysis.symbolic;
        let mut factor = vec![0.0; symbolic.len_val()];
        let scratch = StackReq::any_of(&[symbolic.factorize_numeric_llt_scratch::<f64>(Par::Seq, Default::default())]);
        let mut memory = MemBuffer::new(scratch);
        symbolic
            .factorize_numeric_llt(
                &mut factor,
                view,
                Side::Lower,
                Default::default(),
                Par::Seq,
                MemStack::new(&mut memory),
                Default::default(),
            )
            .map_err(|LltError::NonPositivePivot { index }| {
                let dof = symbolic.perm().and_then(|p| p.arrays().0.get(index).copied()).unwrap_or(index);
                DynamicsError::NotPositiveDefinite { matrix, dof }
            })?;
        Ok(Self { analysis: Arc::clone(analysis), values: factor, matrix })
    }

    /// Order of the matrix.
    #[must_use]
    pub fn n(&self) -> usize {
        self.analysis.n()
    }

    /// The analysis behind this factor.
    #[must_use]
    pub fn analysis(&self) -> &Arc<Analysis> {
        &self.analysis
    }

    /// x ← A⁻¹ x.
    pub fn solve(&self, x: &mut [f64], workspace: &mut Workspace) {
        let n = x.len();
        LltRef::new(&self.analysis.symbolic, &self.values).solve_in_place_with_conj(
            Conj::No,
            MatMut::from_column_major_slice_mut(x, n, 1),
            Par::Seq,
            MemStack::new(&mut workspace.memory),
        );
    }

    /// The dense symmetric block Eᵀ A⁻¹ E for unit columns at `dofs`, row by row.
    pub fn condense(&self, dofs: &[usize]) -> Result<Vec<f64>, DynamicsError> {
        let m = dofs.len();
        let inverse: Vec<usize> = match self.analysis.symbolic.perm() {
            Some(p) => p.arrays().1.to_vec(),
            None => (0..self.n()).collect(),
        };
        // Columns whose supernodes are neighbours in the tree share a panel.
        let mut order: Vec<usize> = (0..m).collect();
        order.sort_by_key(|&j| (inverse[dofs[j]], j));
        let rows: Vec<usize> = order.iter().map(|&j| inverse[dofs[j]]).collect();
        if self.n() as f64 * (m * m) as f64 > DENSE {
            return self.condense_by_supernodes(&order, &rows);
        }
        let z = self.half_solve(&rows)?;

        let mut w = vec![0.0; m * m];
        for start in (0..m).step_by(PANEL) {
            let end = (start + PANEL).min(m);
            // Rows above the first entry of the panel's first column vanish in that panel.
            let below = z.as_ref().subrows(rows[start], self.n() - rows[start]);
            let panel = below.subcols(start, end - start);
            let mut block = Mat::<f64>::zeros(end - start, end);
            matmul(block.as_mut(), Accum::Replace, panel.transpose(), below.subcols(0, end), 1.0, Par::Seq);
            for a in start..end {
                for b in 0..=a {
                    let value = block[(a - start, b)];
                    w[order[a] * m + order[b]] = value;
                    w[order[b] * m + order[a]] = value;
                }
            }
        }
        Ok(w)
    }

    /// ZᵀZ supernode by supernode, each with the columns that reach it:
    ///
    /// ```text
    /// X = L_ss⁻¹ Z_s ,   ZᵀZ += XᵀX ,   Z_below −= L_bs X
    /// ```
    ///
    /// The columns are sorted in the order of elimination, so those of a subtree are (nearly) neighbours and Z_s is a dense
    /// block on a range of columns. A dense Z would hold and multiply zeros for the most part: two columns meet only in
    /// the supernodes above both. `rows` are ascending; `order` names their places in the result.
    fn condense_by_supernodes(&self, order: &[usize], rows: &[usize]) -> Result<Vec<f64>, DynamicsError> {
        let supernodes = supernodal(&self.analysis.symbolic, self.matrix)?;
        let factor = SupernodalLltRef::new(supernodes, &self.values);
        let supernode_of = &self.analysis.supernode_of;
        let m = rows.len();
        let n_supernodes = supernodes.n_supernodes();
        // The range of columns that reach each supernode: its own and those of its children.
        let mut reach = vec![m..0; n_supernodes];
        for (j, &row) in rows.iter().enumerate() {
            let range = &mut reach[supernode_of[row]];
            *range = range.start.min(j)..range.end.max(j + 1);
        }
        for s in 0..n_supernodes {
            let range = reach[s].clone();
            if let (false, Some(&next)) = (range.is_empty(), factor.supernode(s).pattern().first()) {
                let above = &mut reach[supernode_of[next]];
                *above = above.start.min(range.start)..above.end.max(range.end);
            }
        }
        let mut own = rows.iter().enumerate().peekable();
        let mut blocks: Vec<Option<Mat<f64>>> = vec![None; n_supernodes];
        let empty = |s: usize| {
            Mat::<f64>::zeros(supernodes.supernode_end()[s] - supernodes.supernode_begin()[s], reach[s].len())
        };
        let mut total = Mat::<f64>::zeros(m, m);
        let mut update = Vec::new();
        for s in 0..n_supernodes {
            let range = reach[s].clone();
            if range.is_empty() {
                continue;
            }
            let mut x = blocks[s].take().unwrap_or_else(|| empty(s));
            let supernode = factor.supernode(s);
            while let Some((j, row)) = own.next_if(|&(_, &row)| supernode_of[row] == s) {
                x[(row - supernode.start(), j - range.start)] = 1.0;
            }
            let (diagonal, below) = supernode.val().split_at_row(x.nrows());
            solve_lower_triangular_in_place(diagonal, x.as_mut(), Par::Seq);
            let part = total.as_mut().submatrix_mut(range.start, range.start, range.len(), range.len());
            triangular::matmul(
                part,
                BlockStructure::TriangularLower,
                Accum::Add,
                x.transpose(),
                BlockStructure::Rectangular,
                x.as_ref(),
                BlockStructure::Rectangular,
                1.0,
                Par::Seq,
            );
            let pattern = supernode.pattern();
            for start in (0..range.len()).step_by(WIDE) {
                let width = WIDE.min(range.len() - start);
                update.resize(update.len().max(pattern.len() * width), 0.0);
                let mut product =
                    MatMut::from_column_major_slice_mut(&mut update[..pattern.len() * width], pattern.len(), width);
                let columns = x.as_ref().subcols(start, width);
                matmul(product.rb_mut(), Accum::Replace, below, columns, 1.0, Par::Seq);
                let mut first = 0;
                for run in pattern.chunk_by(|&a, &b| supernode_of[a] == supernode_of[b]) {
                    let above = supernode_of[run[0]];
                    let base = supernodes.supernode_begin()[above];
                    let block = blocks[above].get_or_insert_with(|| empty(above));
                    let shift = range.start + start - reach[above].start;
                    for j in 0..width {
                        for (k, &row) in run.iter().enumerate() {
                            block[(row - base, j + shift)] -= product[(first + k, j)];
                        }
                    }
                    first += run.len();
                }
            }
        }
        let mut w = vec![0.0; m * m];
        for b in 0..m {
            for a in b..m {
                let value = total[(a, b)];
                w[order[a] * m + order[b]] = value;
                w[order[b] * m + order[a]] = value;
            }
        }
        Ok(w)
    }

    /// Z = L⁻¹ E for unit columns at the ascending permuted `rows`, panel by panel, skipping untouched supernodes.
    fn half_solve(&self, rows: &[usize]) -> Result<Mat<f64>, DynamicsError> {
        let supernodes = supernodal(&self.analysis.symbolic, self.matrix)?;
        let factor = SupernodalLltRef::new(supernodes, &self.values);
        let supernode_of = &self.analysis.supernode_of;
        let mut z = Mat::<f64>::zeros(self.n(), rows.len());
        let mut touched = vec![false; supernodes.n_supernodes()];
        let mut update = Vec::new();
        for start in (0..rows.len()).step_by(PANEL) {
            let width = PANEL.min(rows.len() - start);
            touched.fill(false);
            for j in start..start + width {
                z[(rows[j], j)] = 1.0;
                touched[supernode_of[rows[j]]] = true;
            }
            let mut panel = z.as_mut().subcols_mut(start, width);
            for s in 0..supernodes.n_supernodes() {
                if !touched[s] {
                    continue;
                }
                let supernode = factor.supernode(s);
                let block = supernode.val();
                let (diagonal, below) = block.split_at_row(block.ncols());
                let pattern = supernode.pattern();
                let mut head = panel.rb_mut().subrows_mut(supernode.start(), block.ncols());
                solve_lower_triangular_in_place(diagonal, head.rb_mut(), Par::Seq);
                let Some(&next) = pattern.first() else { continue };
                // The parent holds the first row below: the reach of a column is a path to the root.
                touched[supernode_of[next]] = true;
                update.resize(update.len().max(pattern.len() * width), 0.0);
                let mut product =
                    MatMut::from_column_major_slice_mut(&mut update[..pattern.len() * width], pattern.len(), width);
                matmul(product.rb_mut(), Accum::Replace, below, head.rb(), 1.0, Par::Seq);
                for j in 0..width {
                    for (k, &row) in pattern.iter().enumerate() {
                        panel[(row, j)] -= product[(k, j)];
                    }
                }
            }
        }
        Ok(z)
    }
}
