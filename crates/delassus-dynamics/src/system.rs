//! The dimension-free face of a body.
//!
//! ```text
//! M dv + (C v + K q) dt = P(t) dt + H dp
//! ```
//!
//! Forces are asked for as functions, not as products with the assembled matrices: a body computes them from relative
//! displacements, so that a rigid translation of kilometres leaves no round-off in the stresses.

use nalgebra_sparse::pattern::SparsityPattern;

/// The matrices of a linear body, lower triangles in one common sparsity pattern (compressed columns, sorted rows,
/// every diagonal entry present).
#[derive(Clone, Debug)]
pub struct Matrices {
    /// Lower triangle: major = column, minor = row.
    pub pattern: SparsityPattern,
    /// M \[kg\].
    pub mass: Vec<f64>,
    /// C \[N·s/m\].
    pub damping: Vec<f64>,
    /// K \[N/m\].
    pub stiffness: Vec<f64>,
    /// Is M diagonal (lumped)?
    pub lumped: bool,
}

impl Matrices {
    /// Memory they take \[B\].
    #[must_use]
    pub fn bytes(&self) -> usize {
        let values = self.mass.len() + self.damping.len() + self.stiffness.len();
        size_of::<f64>() * values + bytes_of_pattern(&self.pattern)
    }
}

/// Memory of a pattern \[B\].
pub(crate) fn bytes_of_pattern(pattern: &SparsityPattern) -> usize {
    size_of::<usize>() * (pattern.major_offsets().len() + pattern.nnz())
}

/// A body: what the integrators need to know of it.
pub trait System: Send + Sync {
    /// Number of degrees of freedom.
    fn n_dof(&self) -> usize;
    /// M, C and K.
    fn matrices(&self) -> &Matrices;
    /// `out` ← M x.
    fn mass_times_into(&self, x: &[f64], out: &mut [f64]);
    /// `out` ← K q, from relative displacements.
    fn elastic_force_into(&self, q: &[f64], out: &mut [f64]);
    /// ½ qᵀ K q \[J\], from relative displacements.
    fn elastic_energy(&self, q: &[f64]) -> f64;
    /// `out` ← C v.
    fn viscous_force_into(&self, v: &[f64], out: &mut [f64]);
    /// Is C ≠ 0?
    fn is_damped(&self) -> bool;
    /// `out` ← P(t), the loads \[N\].
    fn loads_into(&self, t: f64, out: &mut [f64]);
    /// The degrees of freedom with prescribed velocity, ascending.
    fn prescribed(&self) -> &[usize];
    /// Velocity and acceleration of the prescribed degrees of freedom at `t`, in the order of
    /// [`prescribed`](System::prescribed).
    fn prescribed_motion(&self, t: f64) -> Vec<(f64, f64)>;
}

/// y ← A x for a symmetric matrix given by its lower triangle.
pub fn symmetric_times_into(pattern: &SparsityPattern, values: &[f64], x: &[f64], y: &mut [f64]) {
    y.fill(0.0);
    let (offsets, rows) = (pattern.major_offsets(), pattern.minor_indices());
    for j in 0..pattern.major_dim() {
        let mut sum = 0.0;
        for k in offsets[j]..offsets[j + 1] {
            let (i, a) = (rows[k], values[k]);
            if i == j {
                sum += a * x[j];
            } else {
                y[i] += a * x[j];
                sum += a * x[i];
            }
        }
        y[j] += sum;
    }
}
