//! One Newton step: the linear system of Alart & Curnier's map, with as few unknowns as the statuses leave.
//!
//! ```text
//! scaled:  x = √λ p̃,  v = ṽ/√λ,  A = W̃ scaled alike (its diagonal blocks have λmax = 1),   y = x − v
//! open    y_N ≤ 0              x = 0                                                        no unknown
//! stick   ‖y_T‖ ≤ μ y_N        v = 0                                                        D unknowns: dx
//! slip    otherwise            v_N = 0,   x_T = μ x_N ŷ + G (dx_T − dv_T)                   D − 1 unknowns
//!         ŷ = y_T/‖y_T‖,   G = g (I − ŷŷᵀ),   g = μ y_N/‖y_T‖ < 1
//! ```
//!
//! Alart & Curnier 1991. Along ŷ the impulse of a sliding contact is μ x_N, which takes one unknown away: dx = (n + μŷ) z_N + τ z_τ + e with
//! e = ŷ(μ x_N − x_ŷ), and across, on τ ⟂ ŷ (in space),  g dv_τ + (1 − g) dx_τ = −x_τ. Without friction only z_N is left. With T = (n, g τ)
//! for the equations, E = (n + μŷ, τ) for the unknowns (both I where it sticks) and v₀ the velocity of x + e without the open contacts,
//!
//! ```text
//! (Tᵀ A E + diag(0, 1 − g)) z = −Tᵀ v₀ + (0, g v_τ − x_τ)
//! ```
//!
//! Moments (module `moment`) keep D unknowns: where they are on a bound b = c x_N of another contact, the equation is dx − c dx_N = b − x.

mod moment;

use super::frontal::Numbering;
use super::linear::{LinearMemory, NewtonMatrix, NewtonSystem};
use crate::linalg::{Matrix, Vector};
use crate::local::{Dimension, LocalKernel};
use crate::operator::Products;
use crate::prepared::PreparedProblem;
use crate::problem::{Cone, IMMOBILE};
use crate::report::StopReason;
use crate::work::Allowance;

/// How a closed contact takes part in a step.
struct ClosedContact<const D: usize> {
    contact: usize,
    /// Its first unknown, and how many it has.
    first: usize,
    size: usize,
    /// T and E, in their first `size` columns.
    test: Matrix<D>,
    basis: Matrix<D>,
    /// Added to the diagonal, and to the right-hand side.
    diagonal: Vector<D>,
    right: Vector<D>,
    /// e.
    shift: Vector<D>,
    /// The contact that bounds it, and what its equations take of dx_N there.
    bounded: Option<(usize, Vector<D>)>,
}

/// Impulse and velocity of a contact, scaled.
struct ScaledState<const D: usize> {
    x: Vector<D>,
    v: Vector<D>,
}

/// Newton's change of the impulses `p`, for which the residual was computed last; none if the linear system is singular. An error says why no more may
/// be done.
pub(super) fn newton<const D: usize>(
    prepared: &PreparedProblem<'_, D>,
    p: &[Vector<D>],
    memory: &mut LinearMemory,
    allowance: &mut Allowance<'_>,
) -> Result<Option<Vec<Vector<D>>>, StopReason>
where
    Dimension<D>: LocalKernel<D>,
{
    let n = prepared.n();
    let root: Vec<f64> = prepared.contacts.iter().map(|c| c.block.largest().sqrt()).collect();
    let mut parts: Vec<ClosedContact<D>> = Vec::with_capacity(n);
    // Open contacts lose their impulse at once, sliding ones move to the edge of their cone.
    let mut change: Vec<Vector<D>> = (0..n).map(|i| -prepared.laws[i].p_shift - p[i]).collect();
    let mut order = 0;
    for i in 0..n {
        if let Some(part) = ClosedContact::new(prepared, root[i], i, order) {
            change[i] = part.shift / root[i];
            order += part.size;
            parts.push(part);
        }
    }
    let start: Vec<Vector<D>> = p.iter().zip(&change).map(|(p, change)| p + change).collect();
    let mut products = Products::new(prepared.operator);
    products.load(prepared.operator, &start);
    let mut right = Vec::with_capacity(order);
    for part in &parts {
        let i = part.contact;
        let (w, law) = (prepared.operator.diagonal(i), &prepared.laws[i]);
        let u = prepared.v_free[i] + products.others(i) + w * start[i];
        let v = (u + law.v_shift + law.w_shift.component_mul(&start[i])) / root[i];
        let values = part.right - part.test.tr_mul(&v);
        right.extend_from_slice(&values.as_slice()[..part.size]);
    }
    let entries = entries(prepared, &parts, &root, order);
    let mut system = NewtonSystem { entries, right };
    // The product above, and putting the matrix together.
    allowance.spend(2 * prepared.sweep_work);
    let (mut sizes, mut first) = (vec![0; n], vec![0; n]);
    for part in &parts {
        (sizes[part.contact], first[part.contact]) = (part.size, part.first);
    }
    if !system.solve(prepared.operator, &Numbering { sizes: &sizes, first: &first }, memory, allowance)? {
        return Ok(None);
    }
    for part in &parts {
        let mut z = Vector::<D>::zeros();
        z.as_mut_slice()[..part.size].copy_from_slice(&system.right[part.first..part.first + part.size]);
        change[part.contact] += part.basis * z / root[part.contact];
    }
    Ok(Some(change))
}

impl<const D: usize> ClosedContact<D> {
    /// None for an open contact, and for one that cannot move.
    fn new(prepared: &PreparedProblem<'_, D>, root: f64, contact: usize, first: usize) -> Option<Self>
    where
        Dimension<D>: LocalKernel<D>,
    {
        let law = &prepared.laws[contact];
        let stick = Self {
            contact,
            first,
            size: D,
            test: Matrix::<D>::identity(),
            basis: Matrix::<D>::identity(),
            diagonal: Vector::<D>::zeros(),
            right: Vector::<D>::zeros(),
            shift: Vector::<D>::zeros(),
            bounded: None,
        };
        let mu = match law.cone {
            Cone::Open => return None,
            Cone::Bilateral => return (root > 0.0).then_some(stick),
            Cone::Coulomb(mu) => mu,
            Cone::Within { .. } | Cone::Turning(_) => return stick.of_moment(prepared, root),
        };
        let block = prepared.operator.diagonal(contact);
        let normal = block[(0, 0)] + law.w_shift[0];
        let (x, v) = (prepared.standard_impulse(contact) * root, prepared.standard_velocity(contact) / root);
        let y = x - v;
        if normal <= IMMOBILE * (block.trace() + law.w_shift.sum()) || y[0] <= 0.0 {
            return None;
        }
        let mut direction = y;
        direction[0] = 0.0;
        let size = direction.norm();
        if size <= mu * y[0] {
            return Some(stick);
        }
        direction /= size;
        Some(stick.sliding(mu, &direction, mu * y[0] / size, &ScaledState { x, v }))
    }

    /// Sliding along `direction` with the ratio g.
    fn sliding(mut self, mu: f64, direction: &Vector<D>, ratio: f64, state: &ScaledState<D>) -> Self {
        let ScaledState { x, v } = state;
        self.test.fill(0.0);
        self.basis.fill(0.0);
        self.test[(0, 0)] = 1.0;
        self.basis[(0, 0)] = 1.0;
        if mu == 0.0 {
            self.size = 1;
            self.shift = -x;
            self.shift[0] = 0.0;
            return self;
        }
        self.size = D - 1;
        for k in 1..D {
            self.basis[(k, 0)] = mu * direction[k];
        }
        self.shift = direction * (mu * x[0] - direction.dot(x));
        if D == 3 {
            // τ, a quarter turn from ŷ.
            let across = Vector::<D>::from_fn(|k, _| [0.0, -direction[2], direction[1]][k]);
            self.test.set_column(1, &(across * ratio));
            self.basis.set_column(1, &across);
            self.diagonal[1] = 1.0 - ratio;
            self.right[1] = ratio * across.dot(v) - across.dot(x);
        }
        self
    }
}

/// The matrix of the step.
fn entries<const D: usize>(
    prepared: &PreparedProblem<'_, D>,
    parts: &[ClosedContact<D>],
    root: &[f64],
    order: usize,
) -> NewtonMatrix<D>
where
    Dimension<D>: LocalKernel<D>,
{
    let share = prepared.operator.n_blocks() as f64 / (prepared.n() as f64).powi(2).max(1.0);
    let mut entries = NewtonMatrix::new(order, share, prepared.operator);
    let mut place = vec![usize::MAX; prepared.n()];
    for (a, part) in parts.iter().enumerate() {
        place[part.contact] = a;
    }
    let mut number = 0;
    for i in 0..prepared.n() {
        let Some(row) = parts.get(place[i]) else {
            number += prepared.operator.row_len(i);
            continue;
        };
        prepared.operator.for_row(i, |j, block| {
            number += 1;
            let Some(column) = parts.get(place[j]) else { return };
            let mut scaled = block / (root[i] * root[j]);
            if i == j {
                scaled += Matrix::<D>::from_diagonal(&(prepared.laws[i].w_shift / (root[i] * root[i])));
            }
            let mut small = row.test.tr_mul(&(scaled * column.basis));
            if let Some((of, shares)) = &row.bounded
                && *of == j
            {
                small -= shares * column.basis.row(0);
            }
            if i == j {
                small += Matrix::<D>::from_diagonal(&row.diagonal);
            }
            match &mut entries {
                NewtonMatrix::Dense(matrix) => {
                    for l in 0..column.size {
                        for k in 0..row.size {
                            matrix[(row.first + k, column.first + l)] = small[(k, l)];
                        }
                    }
                }
                NewtonMatrix::Sparse(blocks) => blocks[number - 1] = small,
            }
        });
    }
    entries
}
