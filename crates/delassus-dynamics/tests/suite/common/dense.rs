//! The same matrices dense, as an independent reference.

use delassus_dynamics::effective_mass::Coefficients;
use delassus_dynamics::{Integrator, System};
use nalgebra::DMatrix;
use nalgebra_sparse::CscMatrix;
use nalgebra_sparse::pattern::SparsityPattern;

/// The full symmetric matrix of a lower triangle.
pub fn symmetric(pattern: &SparsityPattern, values: &[f64]) -> DMatrix<f64> {
    let n = pattern.major_dim();
    let mut a = DMatrix::zeros(n, n);
    for ((j, i), &x) in pattern.entries().zip(values) {
        a[(i, j)] = x;
        a[(j, i)] = x;
    }
    a
}

/// M + c_C C + c_K K, nothing eliminated.
pub fn effective(system: &dyn System, c: Coefficients) -> DMatrix<f64> {
    let m = system.matrices();
    let dense = |x: &CscMatrix<f64>| symmetric(x.pattern(), x.values());
    dense(&m.mass) + dense(&m.damping) * c.damping + dense(&m.stiffness) * c.stiffness
}

/// M̂ that a scheme states, nothing eliminated.
pub fn stated(system: &dyn System, integrator: &dyn Integrator, h: f64) -> DMatrix<f64> {
    let mass = &system.matrices().mass;
    let whole = effective(system, integrator.coefficients(h));
    if integrator.has_inertia() { whole } else { whole - symmetric(mass.pattern(), mass.values()) }
}

/// The inverse on the free dofs, zero on the prescribed ones.
pub fn inverse_on_free(a: &DMatrix<f64>, fixed: &[usize]) -> DMatrix<f64> {
    let n = a.nrows();
    let free: Vec<usize> = (0..n).filter(|i| !fixed.contains(i)).collect();
    let inner = DMatrix::from_fn(free.len(), free.len(), |i, j| a[(free[i], free[j])]);
    let inverse = inner.cholesky().unwrap().inverse();
    let mut w = DMatrix::zeros(n, n);
    for (i, &a) in free.iter().enumerate() {
        for (j, &b) in free.iter().enumerate() {
            w[(a, b)] = inverse[(i, j)];
        }
    }
    w
}
