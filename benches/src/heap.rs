//! Contact problems of rigid bodies: W is sparse, a contact sees those of its two bodies only.
//!
//! ```text
//! W_αβ = Σ_bodies ± J_αᵀ M⁻¹ J_β,     J_α = (F_α, r_α × F_α),     M = (m I, ⅖ m R² I)
//! ```
//!
//! A random graph: each contact joins a body to one with a lower number, or to the ground; frames and places on the spheres are random, the velocities
//! are those of bodies that fall. The contacts give a little (B = 0.2 in units of 1/mass), without which a heap of perfectly rigid bodies on
//! more contacts than it has freedoms takes thousands of sweeps.

use delassus_solver::{BlockMatrix, Cone, ContactProblem, Derived, Matrix, SolverError, Vector};

/// Numbers that look random and are the same everywhere (a linear congruence, high bits).
pub struct Numbers(u64);

impl Numbers {
    /// Starts somewhere.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(2).wrapping_add(1))
    }

    /// The next one, between 0 and 1.
    pub fn draw(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn below(&mut self, n: usize) -> usize {
        ((self.draw() * n as f64) as usize).min(n - 1)
    }
}

/// A contact: its bodies with the sides' signs, and its frame.
struct Joint {
    bodies: Vec<(usize, f64)>,
    frame: Matrix<3>,
}

/// Bodies of mass 1 to 2 and radius one, `contacts` contacts among them, every tenth with the ground; μ = 0.5.
///
/// # Errors
/// None for sound numbers.
pub fn heap(bodies: usize, contacts: usize) -> Result<ContactProblem<3>, SolverError> {
    let mut numbers = Numbers::new(7);
    let masses: Vec<f64> = (0..bodies).map(|_| 1.0 + numbers.draw()).collect();
    let mut joints = Vec::with_capacity(contacts);
    let mut of_body: Vec<Vec<usize>> = vec![Vec::new(); bodies];
    for i in 0..contacts {
        let first = numbers.below(bodies);
        // Each lies on one with a lower number: the bodies can always leave upwards together.
        let second = numbers.below(first.max(1));
        let on_ground = i % 10 == 0 || first == 0;
        let pair = if on_ground { vec![(first, 1.0)] } else { vec![(first, 1.0), (second, -1.0)] };
        for &(body, _) in &pair {
            of_body[body].push(i);
        }
        joints.push(Joint { bodies: pair, frame: frame(&mut numbers) });
    }
    let rows = (0..contacts).map(|i| row(i, &joints, &of_body, &masses)).collect();
    let velocities: Vec<Vector<3>> =
        (0..bodies).map(|_| Vector::<3>::new(numbers.draw() - 0.5, numbers.draw() - 0.5, -numbers.draw())).collect();
    let v_free = joints.iter().map(|joint| {
        let relative = joint.bodies.iter().fold(Vector::<3>::zeros(), |v, &(b, sign)| v + velocities[b] * sign);
        joint.frame.tr_mul(&relative)
    });
    Ok(ContactProblem {
        operator: BlockMatrix::from_rows(rows)?,
        v_free: v_free.collect(),
        laws: vec![Derived { w_shift: Vector::<3>::repeat(0.2), ..Derived::standard(Cone::Coulomb(0.5)) }; contacts],
    })
}

/// Normal and two tangents as columns; the normal has a part upwards.
fn frame(numbers: &mut Numbers) -> Matrix<3> {
    let n = Vector::<3>::new(numbers.draw() - 0.5, numbers.draw() - 0.5, 0.2 + numbers.draw()).normalize();
    let t = Vector::<3>::new(n[2], 0.0, -n[0]).normalize();
    Matrix::<3>::from_columns(&[n, t, n.cross(&t)])
}

fn row(i: usize, joints: &[Joint], of_body: &[Vec<usize>], masses: &[f64]) -> Vec<(usize, Matrix<3>)> {
    let mut seen: Vec<usize> = joints[i].bodies.iter().flat_map(|&(b, _)| of_body[b].iter().copied()).collect();
    seen.sort_unstable();
    seen.dedup();
    seen.into_iter().map(|j| (j, block(&joints[i], &joints[j], masses))).collect()
}

/// Each body is touched at −R n on the first side, +R n on the second: r × F is ∓(n × F).
fn block(a: &Joint, b: &Joint, masses: &[f64]) -> Matrix<3> {
    let mut sum = Matrix::<3>::zeros();
    let turned = |joint: &Joint| Matrix::<3>::from_fn(|r, c| -joint.frame.column(0).cross(&joint.frame.column(c))[r]);
    for &(body, sign) in &a.bodies {
        for &(_, other) in b.bodies.iter().filter(|(other, _)| *other == body) {
            // The lever changes its sign with the side, so that the turning parts add without signs.
            sum += a.frame.tr_mul(&b.frame) * (sign * other / masses[body]);
            sum += turned(a).tr_mul(&turned(b)) * (2.5 / masses[body]);
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_heap_is_a_sound_symmetric_problem() {
        let problem = heap(20, 60).unwrap();
        problem.validate().unwrap();
        // sums of a few products of numbers of the order of one
        assert!(problem.operator.max_asymmetry() < 1e-14);
        assert!(problem.operator.n_blocks() < 60 * 60 / 2);
    }
}
