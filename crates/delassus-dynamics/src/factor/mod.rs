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
//! much less work. [`panels`] describes the condensation of w.
//!
//! Bits: all solves run on one thread, and the bits of a condensed entry depend on the pattern and the list of dofs
//! only. The caller runs bodies in parallel.

pub mod panels;

use std::sync::Arc;

use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::linalg::cholesky::llt::factor::LltError;
use faer::perm::PermRef;
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::cholesky::supernodal::SymbolicSupernodalCholesky;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LltRef, SymbolicCholesky, SymbolicCholeskyRaw, SymmetricOrdering,
    factorize_symbolic_cholesky,
};
use faer::sparse::{FaerError, SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Par, Side};
use nalgebra_sparse::pattern::SparsityPattern;

use crate::error::DynamicsError;
use crate::order::nested_dissection;
use crate::system::bytes_of_pattern;

/// Below this many unknowns [`Order::Automatic`] does not look for a better order than minimum degree.
const SMALL: usize = 3000;

/// Nor does it where minimum degree needs fewer operations an unknown than this: plane bodies of less than some 300 000
/// dofs, beams, chains. There the dissection costs more than the factor and saves next to nothing.
const EASY: f64 = 20_000.0;

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
        let dissected = || in_order(pattern, &nested_dissection(pattern)?);
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
        Self::of_symbolic(pattern, chosen, matrix)
    }

    /// The same with the unknowns eliminated in the order `forward`, each of them once.
    pub fn in_order(pattern: &SparsityPattern, forward: &[usize], matrix: &'static str) -> Result<Self, DynamicsError> {
        let mut sorted = forward.to_vec();
        sorted.sort_unstable();
        if !sorted.iter().copied().eq(0..pattern.major_dim()) {
            return Err(DynamicsError::Factorisation {
                matrix,
                reason: "the order is not a permutation of its unknowns".into(),
            });
        }
        let chosen = in_order(pattern, forward)
            .map_err(|e| DynamicsError::Factorisation { matrix, reason: format!("{e:?}") })?;
        Self::of_symbolic(pattern, chosen, matrix)
    }

    fn of_symbolic(
        pattern: &SparsityPattern,
        chosen: SymbolicCholesky<usize>,
        matrix: &'static str,
    ) -> Result<Self, DynamicsError> {
        let mut supernode_of = vec![0; pattern.major_dim()];
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

    /// Where each unknown comes in that order.
    #[must_use]
    pub fn rows_of_dofs(&self) -> Vec<usize> {
        match self.symbolic.perm() {
            Some(p) => p.arrays().1.to_vec(),
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

/// Memory, known before anything is factored.
impl Analysis {
    /// Of the analysis itself \[B\].
    #[must_use]
    pub fn bytes(&self) -> usize {
        let rows = match self.symbolic.raw() {
            SymbolicCholeskyRaw::Supernodal(s) => s.row_idx().len() + 5 * s.n_supernodes(),
            SymbolicCholeskyRaw::Simplicial(s) => s.row_idx().len(),
        };
        // The order and its inverse, and the supernode of each unknown.
        bytes_of_pattern(&self.pattern) + size_of::<usize>() * (rows + 3 * self.n())
    }

    /// Of a numeric factor \[B\].
    #[must_use]
    pub fn factor_bytes(&self) -> usize {
        size_of::<f64>() * self.n_factor_entries()
    }

    /// Of what is needed besides while it is made: the matrix, and the factorisation's own \[B\].
    #[must_use]
    pub fn factoring_bytes(&self) -> usize {
        let scratch = self.symbolic.factorize_numeric_llt_scratch::<f64>(Par::Seq, Default::default());
        size_of::<f64>() * self.pattern.nnz() + scratch.unaligned_bytes_required()
    }

    /// Of a [`Workspace`] \[B\].
    #[must_use]
    pub fn workspace_bytes(&self) -> usize {
        self.symbolic.solve_in_place_scratch::<f64>(1, Par::Seq).unaligned_bytes_required()
    }
}

fn in_order(pattern: &SparsityPattern, forward: &[usize]) -> Result<SymbolicCholesky<usize>, FaerError> {
    let n = forward.len();
    let mut inverse = vec![0; n];
    for (new, &old) in forward.iter().enumerate() {
        inverse[old] = new;
    }
    symbolic(pattern, SymmetricOrdering::Custom(PermRef::new_checked(forward, &inverse, n)))
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
}
