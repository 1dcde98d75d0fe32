//! The linear system of a final basis, solved afresh so that the rounding of the pivots is gone.
//!
//! ```text
//! stick: ṽ_N = ṽ_T = 0      slip: ṽ_N = 0, p̃_T = ratio · p̃_N      bond: ṽ = 0      open: p̃ = 0
//! ```
//!
//! LU of the active components, scaled, with iterative refinement: ṽ is rebuilt from all of p̃ each time.

use faer::Mat;
use nalgebra::{DMatrix, DVector, Dyn, LU};

use super::form::{ContactMode, FrictionalContact};
use crate::linalg::dense::DenseLu;
use crate::standard::problem::StandardProblem;

/// Rounds of solving for what is left; the first is the solution itself.
const ROUNDS: usize = 3;

/// A component that must not move, and the one that its impulse takes along.
struct ActiveComponent {
    component: usize,
    /// p̃_T = ratio · p̃_N of a sliding contact.
    ratio: Option<f64>,
}

/// Order up to which nalgebra's plain loops factor the system, a third of a second at most; beyond, faer's blocks do, ten times as fast.
const PLAIN: usize = 1000;

/// The factored system.
enum BasisFactor {
    Plain(LU<f64, Dyn, Dyn>),
    Blocked(DenseLu),
}

impl BasisFactor {
    fn new(matrix: DMatrix<f64>) -> Self {
        if matrix.nrows() <= PLAIN {
            return Self::Plain(matrix.lu());
        }
        Self::Blocked(DenseLu::new(Mat::from_fn(matrix.nrows(), matrix.ncols(), |i, j| matrix[(i, j)])))
    }

    /// None if the matrix is singular.
    fn solve(&self, right: &DVector<f64>) -> Option<DVector<f64>> {
        match self {
            Self::Plain(factor) => factor.solve(right),
            Self::Blocked(factor) => factor.solve_one(right),
        }
    }
}

/// p̃ of all components for given motions; none if the system is singular.
pub(super) fn polish(
    standard: &StandardProblem<2>,
    contacts: &[FrictionalContact],
    modes: &[ContactMode],
    bonds: &[usize],
) -> Option<DVector<f64>> {
    let mut p = DVector::zeros(standard.w.nrows());
    let active = actives(contacts, modes, bonds);
    if active.is_empty() {
        return Some(p);
    }
    let scale = |i: usize| standard.scale[active[i].component / 2];
    let n = active.len();
    let matrix = DMatrix::from_fn(n, n, |i, j| {
        let (row, column) = (active[i].component, active[j].component);
        let along = active[j].ratio.map_or(0.0, |ratio| ratio * standard.w[(row, column + 1)]);
        scale(i) * scale(j) * (standard.w[(row, column)] + along)
    });
    let factor = BasisFactor::new(matrix);
    for _ in 0..ROUNDS {
        let v = &standard.v_free + &standard.w * &p;
        let right = DVector::from_fn(n, |i, _| -v[active[i].component] * scale(i));
        let x = factor.solve(&right)?;
        for (i, a) in active.iter().enumerate() {
            p[a.component] += x[i] * scale(i);
            if let Some(ratio) = a.ratio {
                // From the sum, not summed: the impulse stays on the edge of the cone to the last bit.
                p[a.component + 1] = ratio * p[a.component];
            }
        }
    }
    Some(p)
}

fn actives(contacts: &[FrictionalContact], modes: &[ContactMode], bonds: &[usize]) -> Vec<ActiveComponent> {
    let mut active: Vec<ActiveComponent> =
        bonds.iter().map(|&component| ActiveComponent { component, ratio: None }).collect();
    for (c, mode) in contacts.iter().zip(modes) {
        let component = 2 * c.contact;
        match *mode {
            ContactMode::Open => {}
            ContactMode::Stick => {
                active.extend([component, component + 1].map(|component| ActiveComponent { component, ratio: None }))
            }
            ContactMode::Slip { ratio } => active.push(ActiveComponent { component, ratio: Some(ratio) }),
        }
    }
    active
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    #[test]
    fn both_factors_solve_alike_and_see_singular_systems() {
        for n in [PLAIN, PLAIN + 1] {
            let mut random = Random::new(n as u64);
            // Diagonally dominant: condition below three.
            let matrix = DMatrix::from_fn(n, n, |i, j| if i == j { 2.0 } else { random.between(-1.0, 1.0) / n as f64 });
            let right = DVector::from_fn(n, |i, _| (i % 7) as f64);
            let x = BasisFactor::new(matrix.clone()).solve(&right).unwrap();
            assert!((&matrix * x - right).amax() < 1e-12);
            let mut singular = matrix;
            singular.fill_row(3, 0.0);
            assert!(BasisFactor::new(singular).solve(&DVector::from_element(n, 1.0)).is_none());
        }
    }
}
