//! Fixed points by mixing of the last iterations (Anderson 1965; Walker & Ni 2011, "type II").
//!
//! ```text
//! f_k = F(s_k) − s_k,    γ = argmin ‖f_k − Σ γ_j Δf_j‖,    s_{k+1} = s_k + f_k − Σ γ_j (Δs_j + Δf_j)
//! ```

use nalgebra::{DMatrix, DVector};

/// Differences that are kept.
const WINDOW: usize = 10;

/// A residual that is so many times the least one begins anew.
const WORSE: f64 = 10.0;

/// Part of the largest singular value below which differences count as the same.
const DEPENDENT: f64 = 1e-10;

/// The last iterations.
#[derive(Debug, Default)]
pub(super) struct Mixing {
    points: Vec<Vec<f64>>,
    residuals: Vec<Vec<f64>>,
    least: Option<f64>,
}

impl Mixing {
    /// The next point, given a point and what the map makes of it.
    pub(super) fn next(&mut self, point: &[f64], image: &[f64]) -> Vec<f64> {
        let residual: Vec<f64> = image.iter().zip(point).map(|(f, s)| f - s).collect();
        let size = norm(&residual);
        if self.least.is_some_and(|least| size > WORSE * least) {
            *self = Self::default();
        }
        self.least = Some(self.least.map_or(size, |least| least.min(size)));
        self.points.push(point.to_vec());
        self.residuals.push(residual.clone());
        if self.points.len() > WINDOW + 1 {
            self.points.remove(0);
            self.residuals.remove(0);
        }
        let mut next: Vec<f64> = image.to_vec();
        let kept = self.points.len() - 1;
        if kept > 0 {
            let change = |of: &[Vec<f64>], j: usize, i: usize| of[j + 1][i] - of[j][i];
            let f = DMatrix::from_fn(point.len(), kept, |i, j| change(&self.residuals, j, i));
            let largest = f.norm();
            if let Ok(shares) = f.svd(true, true).solve(&DVector::from_vec(residual), DEPENDENT * largest) {
                for (i, next) in next.iter_mut().enumerate() {
                    let step = |j: usize| change(&self.points, j, i) + change(&self.residuals, j, i);
                    *next -= (0..kept).map(|j| shares[j] * step(j)).sum::<f64>();
                }
            }
        }
        next
    }
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A linear map in five dimensions with an eigenvalue of −1.2, at which plain iterations diverge, is solved in six more: as many differences as dimensions.
    #[test]
    fn a_linear_map_that_does_not_contract_is_solved() {
        let rates = [0.9, -1.2, 0.5, 0.99, -0.3];
        let wanted = [1.0, 2.0, 3.0, 4.0, 5.0];
        let map = |s: &[f64]| -> Vec<f64> { (0..5).map(|i| wanted[i] + rates[i] * (s[i] - wanted[i])).collect() };
        let mut mixing = Mixing::default();
        let mut s = vec![0.0; 5];
        for _ in 0..7 {
            let image = map(&s);
            s = mixing.next(&s, &image);
        }
        let error = s.iter().zip(&wanted).map(|(s, w)| (s - w).abs()).fold(0.0, f64::max);
        // Least squares with differences down to 1e-2 of the first: rounding of 1e-16 grows by some 1e4.
        assert!(error < 1e-9, "{error}");
    }
}
