//! Sparse Cholesky factor of a symmetric positive definite matrix whose pattern never changes.
//!
//! ```text
//! P A Pᵀ = L Lᵀ
//! A⁻¹ b            two triangular solves
//! Eᵀ A⁻¹ E         by half solves: Z = L⁻¹ P E, then ZᵀZ
//! ```
//!
//! The analysis (order, elimination tree, supernodes) is done once and shared by every numeric factor of the same
//! pattern. In a half solve the supernodes that a column does not reach are skipped: a column of E touches only the path
//! from its own supernode to the root.
//!
//! Bits: all solves run on one thread and condensation uses one fixed panel layout, because the bits of a solve depend
//! on the number of columns solved together. Parallelism belongs to the caller, one body a task.

use std::sync::Arc;

use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::linalg::cholesky::llt::factor::LltError;
use faer::linalg::matmul::matmul;
use faer::linalg::triangular_solve::solve_lower_triangular_in_place;
use faer::reborrow::{Reborrow, ReborrowMut};
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::cholesky::supernodal::{SupernodalLltRef, SymbolicSupernodalCholesky};
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LltRef, SymbolicCholesky, SymbolicCholeskyRaw, SymmetricOrdering,
    factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Accum, Conj, Mat, MatMut, Par, Side};
use nalgebra_sparse::pattern::SparsityPattern;

use crate::DynamicsError;

/// Columns solved together in a condensation. One constant: see the module's note on bits.
const PANEL: usize = 64;

/// The part of a factorisation that depends on the pattern alone.
#[derive(Debug)]
pub struct Analysis {
    pattern: SparsityPattern,
    symbolic: SymbolicCholesky<usize>,
    supernode_of: Vec<usize>,
}

impl Analysis {
    /// Analyses a lower-triangle pattern (columns sorted, diagonal present) in approximate-minimum-degree order.
    pub fn new(pattern: &SparsityPattern, matrix: &'static str) -> Result<Self, DynamicsError> {
        let n = pattern.major_dim();
        if n == 0 {
            return Err(DynamicsError::Factorisation { matrix, reason: "it has no degree of freedom".into() });
        }
        let view = SymbolicSparseColMatRef::new_checked(n, n, pattern.major_offsets(), None, pattern.minor_indices());
        // Half solves exist for supernodal factors only. The threshold is compared strictly with the ratio of
        // operations to entries, which is zero for a diagonal matrix: FORCE_SUPERNODAL (zero) would not force it.
        let parameters =
            CholeskySymbolicParams { supernodal_flop_ratio_threshold: SupernodalThreshold(-1.0), ..Default::default() };
        let symbolic = factorize_symbolic_cholesky(view, Side::Lower, SymmetricOrdering::Amd, parameters)
            .map_err(|e| DynamicsError::Factorisation { matrix, reason: format!("{e:?}") })?;
        let mut supernode_of = vec![0; n];
        let supernodes = supernodal(&symbolic, matrix)?;
        for s in 0..supernodes.n_supernodes() {
            supernode_of[supernodes.supernode_begin()[s]..supernodes.supernode_end()[s]].fill(s);
        }
        Ok(Self { pattern: pattern.clone(), symbolic, supernode_of })
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
