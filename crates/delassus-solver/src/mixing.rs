//! Anderson's acceleration of fixed points (Anderson 1965; Walker & Ni 2011, type II).
//!
//! A pass leads from x to y(x). The passes of a step lead from velocities to velocities: linearise at x, solve the contact problem, correct. Where the operator of a pass
//! is not the derivative of the forces (a frame that turns with its body, a proximal mass) x ← y converges linearly or not at all; so do the sliding velocities of
//! De Saxcé's fixed point where friction is large. With f = y − x of the passes so far
//!
//! ```text
//! γ = argmin |f_k − Σ γ_j (f_j+1 − f_j)| ,      x_k+1 = y_k − Σ γ_j (y_j+1 − y_j)
//! ```
//!
//! which for a linear y is the method of minimal residuals: as many passes as the error has directions in which the operator is wrong, 2 for a frame in the plane and 6 in space.
//! What is accepted is the result of a pass, never a mixture: laws hold on y.

/// Differences that are kept.
const DEPTH: usize = 8;

/// A difference that depends on the others up to this part is left out.
const INDEPENDENT: f64 = 1e-8;

/// A difference below this part of f says nothing: a body that nothing resists goes the same way in every pass.
const CHANGED: f64 = 1e-5;

/// A mixture may lie so many f from the end of the last pass.
const FAR: f64 = 1e5;

/// The passes so far.
#[derive(Debug, Default)]
pub struct Mixing {
    /// f and y of the last pass.
    last: Option<(Vec<f64>, Vec<f64>)>,
    /// Differences of f and of y, the newest last.
    steps: Vec<(Vec<f64>, Vec<f64>)>,
}

fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

fn minus(x: &[f64], y: &[f64]) -> Vec<f64> {
    x.iter().zip(y).map(|(x, y)| x - y).collect()
}

fn subtract(from: &mut [f64], a: f64, y: &[f64]) {
    from.iter_mut().zip(y).for_each(|(x, y)| *x -= a * y);
}

impl Mixing {
    /// Forgets all passes.
    pub fn restart(&mut self) {
        *self = Self::default();
    }

    /// Where the next pass begins after one from `x` to `y`: at `y` where there is nothing to mix.
    #[must_use]
    pub fn next(&mut self, x: &[f64], y: &[f64]) -> Vec<f64> {
        let f = minus(y, x);
        if let Some((before, y_before)) = self.last.take() {
            self.steps.push((minus(&f, &before), minus(y, &y_before)));
            if self.steps.len() > DEPTH {
                self.steps.remove(0);
            }
        }
        let mut next = y.to_vec();
        let size = dot(&f, &f).sqrt();
        let (mut left, mut basis) = (f.clone(), Vec::<(Vec<f64>, Vec<f64>)>::new());
        // Gram and Schmidt, the newest difference first; what is done to a difference of f is done to that of y.
        for (df, dy) in self.steps.iter().rev() {
            let (mut q, mut p) = (df.clone(), dy.clone());
            for (unit, image) in &basis {
                let a = dot(unit, &q);
                subtract(&mut q, a, unit);
                subtract(&mut p, a, image);
            }
            let length = dot(&q, &q).sqrt();
            let least = (INDEPENDENT * dot(df, df).sqrt()).max(CHANGED * size);
            if length <= least || !length.is_finite() {
                continue;
            }
            q.iter_mut().for_each(|x| *x /= length);
            p.iter_mut().for_each(|x| *x /= length);
            let a = dot(&q, &left);
            subtract(&mut left, a, &q);
            subtract(&mut next, a, &p);
            basis.push((q, p));
        }
        // A mixture far away is an extrapolation of nothing.
        let away = minus(&next, y);
        let distance = dot(&away, &away).sqrt();
        if distance.is_nan() || distance > FAR * size {
            next = y.to_vec();
        }
        self.last = Some((f, y.to_vec()));
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A linear pass with two directions in which it diverges ends after three mixtures.
    #[test]
    fn few_wrong_directions_take_few_passes() {
        let (n, goal) = (6, 0.7);
        // e → 0 in all directions but two, in which it grows
        let pass = |x: &[f64]| -> Vec<f64> {
            let e: Vec<f64> = x.iter().map(|x| x - goal).collect();
            let along = 3.0 * (e[0] + e[1]) / 2.0;
            (0..n)
                .map(|i| {
                    goal + if i < 2 {
                        along
                    } else if i == 2 {
                        -5.0 * e[2]
                    } else {
                        0.0
                    }
                })
                .collect()
        };
        let (mut mixing, mut x) = (Mixing::default(), vec![0.0, 0.0, 0.1, -0.3, 0.9, 2.0]);
        let mut errors = Vec::new();
        for _ in 0..5 {
            errors.push(x.iter().map(|x| (x - goal).abs()).fold(0.0, f64::max));
            x = mixing.next(&x, &pass(&x));
        }
        assert!(errors[0] > 0.5 && errors[4] < 1e-12, "{errors:?}");
        // The same way in every pass: nothing is learned, nothing is thrown far away.
        mixing.restart();
        for k in 1..6 {
            let y: Vec<f64> = x.iter().map(|x| x + 0.5).collect();
            let next = mixing.next(&x, &y);
            assert!(next.iter().zip(&y).all(|(a, b)| (a - b).abs() < 1e-9), "{k}: {next:?}");
            x = next;
        }
        mixing.restart();
        let y = vec![1.0, 2.0];
        assert_eq!(mixing.next(&[0.0, 0.0], &y), y, "without a history the next pass begins where the last one ended");
    }

    /// Nothing is learned from what is not finite, and nothing panics.
    #[test]
    fn what_is_not_finite_is_handed_on() {
        let mut mixing = Mixing::default();
        for y in [[1.0, f64::NAN], [f64::INFINITY, 0.0], [1.0, 2.0]] {
            let next = mixing.next(&[0.0, 0.5], &y);
            assert!(next.iter().zip(&y).all(|(a, b)| a.to_bits() == b.to_bits()), "{next:?}");
        }
    }
}
