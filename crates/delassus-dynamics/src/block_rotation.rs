//! A rotation that acts on the dofs of a body, site by site.
//!
//! ```text
//! body 2 = R (body 1) + translation    ⇒    w₂ = R w₁ Rᵀ
//! ```
//!
//! with R on every block of d consecutive dofs.

/// R, acting on every block of d consecutive dofs.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockRotation {
    d: usize,
    rows: Vec<f64>,
}

impl BlockRotation {
    /// From the d × d matrix, row by row; none unless `rows` has d² entries.
    #[must_use]
    pub fn new(d: usize, rows: Vec<f64>) -> Option<Self> {
        (d > 0 && rows.len() == d * d).then_some(Self { d, rows })
    }

    /// This rotation after another one.
    #[must_use]
    pub fn after(&self, other: &Self) -> Self {
        let d = self.d;
        let entry = |i: usize, j: usize| (0..d).map(|k| self.rows[i * d + k] * other.rows[k * d + j]).sum();
        Self { d, rows: (0..d * d).map(|at| entry(at / d, at % d)).collect() }
    }

    /// d.
    #[must_use]
    pub fn size(&self) -> usize {
        self.d
    }

    /// The matrix, row by row.
    #[must_use]
    pub fn rows(&self) -> &[f64] {
        &self.rows
    }

    /// x ← R x.
    pub fn forward(&self, x: &mut [f64]) {
        self.act(x, |i, j| self.rows[i * self.d + j]);
    }

    /// x ← Rᵀ x.
    pub fn back(&self, x: &mut [f64]) {
        self.act(x, |i, j| self.rows[j * self.d + i]);
    }

    fn act(&self, x: &mut [f64], entry: impl Fn(usize, usize) -> f64) {
        let mut old = vec![0.0; self.d];
        for site in x.chunks_exact_mut(self.d) {
            old.copy_from_slice(site);
            for (i, new) in site.iter_mut().enumerate() {
                *new = old.iter().enumerate().map(|(j, x)| entry(i, j) * x).sum();
            }
        }
    }
}
