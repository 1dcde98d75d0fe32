//! Check of a solution after the solve, from the data of the problem and the impulses alone. It shares W, the derived laws and the eigenvalue
//! routine with the solvers, but none of their iterations.
//!
//! ```text
//! U = v_free + W p,   ṽ = U + a + B p,   p̃ = p + s + S U
//! e_α = ‖p̃ − P_K(p̃ − ρ_α(ṽ + μ‖ṽ_T‖ n))‖ / (ρ_α V_α),   ρ_α = 1/λmax(W̃_αα),   W̃_αα = (I + W_αα S)⁻¹ W_αα + B
//! V_α = max(‖ṽ_free,α‖, λmax‖p̃_α‖, λmax‖p_α‖, 1e-6 · max over contacts),   ṽ_free,α = ṽ_α − W̃_αα p̃_α
//! ```
//!
//! The laws are those of Jean, Acary & Monerie 2001, §6, in the variables in which each is a complementarity relation; the natural map is
//! that of de Saxcé's form of Coulomb's law. A contact without any mobility (λmax = 0) is judged by the limit ρ → ∞ and by p̃·ṽ = 0.

mod moments;

use delassus_math as math;
use serde::Serialize;

use crate::error::SolverError;
use crate::linalg::eigen::symmetric_eigenvalues;
use crate::linalg::{Matrix, Vector};
use crate::problem::{Cone, ConeSection, ContactProblem, Derived};

/// Errors of a solution in the contact laws. All maxima are ≥ 0; NaN if the data are not finite.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Certificate {
    /// max e_α over the contacts, without unit; 0 without contacts.
    pub law_error: f64,
    /// Contact with the largest e_α (the first that is NaN, if any is).
    pub worst: Option<usize>,
    /// e_α of each contact.
    pub errors: Vec<f64>,
    /// Largest −ṽ_N [m/s], |ṽ_N| for a bond; times the gap time it is the penetration in metres for laws on the gap.
    pub penetration: f64,
    /// Largest −p̃_N, ‖p̃‖ at open contacts [N·s]: traction beyond what the law allows.
    pub traction: f64,
    /// Largest ‖p̃_T‖ − μ p̃_N [N·s]; the part beyond the cone.
    pub cone: f64,
    /// Largest |p̃_N ṽ_N| of unilateral contacts \[J\].
    pub complementarity: f64,
}

/// What is judged at one contact.
struct CertifiedContact<const D: usize> {
    v: Vector<D>,
    p: Vector<D>,
    lambda: f64,
    scale: f64,
}

/// Judges the impulses `p` [N·s] of a problem.
///
/// # Errors
/// [`SolverError::SizeMismatch`] if the parts do not have the same number of contacts.
pub fn certify<const D: usize>(problem: &ContactProblem<D>, p: &[Vector<D>]) -> Result<Certificate, SolverError> {
    problem.check_sizes(p)?;
    let mut velocities = vec![Vector::<D>::zeros(); p.len()];
    problem.operator.apply_into(p, &mut velocities);
    let judged: Vec<CertifiedContact<D>> = (0..p.len())
        .map(|i| {
            let velocity = velocities[i] + problem.v_free[i];
            standard_variables(&problem.operator.diagonal(i), &problem.laws[i], &velocity, &p[i])
        })
        .collect();
    let largest = maximum(judged.iter().map(|c| c.scale));
    let errors: Vec<f64> = judged
        .iter()
        .zip(&problem.laws)
        .map(|(c, law)| {
            let least = [1e-6 * largest, law.margin.velocity.min(law.margin.impulse * c.lambda)];
            let along = law
                .margin
                .along
                .map(|m| maximum([c.scale, least[0], m.velocity.min(m.impulse * c.lambda)].into_iter()));
            let scale = maximum([c.scale].into_iter().chain(least));
            match moments::bounds(law.cone, p) {
                Some(bounds) => moments::error(c, bounds, along.unwrap_or(scale)),
                None => natural_map(c, law.cone, scale, along),
            }
        })
        .collect();
    let measure =
        |f: fn(&CertifiedContact<D>, Cone) -> f64| maximum(judged.iter().zip(&problem.laws).map(|(c, l)| f(c, l.cone)));
    Ok(Certificate {
        law_error: maximum(errors.iter().copied()),
        worst: worst_index(&errors),
        penetration: measure(penetration),
        traction: measure(traction),
        cone: maximum([measure(cone_excess), moments::excess(problem, p)].into_iter()),
        complementarity: measure(complementarity),
        errors,
    })
}

/// (ṽ, p̃) by the law's own statement, and the contact's scales.
fn standard_variables<const D: usize>(
    w: &Matrix<D>,
    law: &Derived<D>,
    velocity: &Vector<D>,
    impulse: &Vector<D>,
) -> CertifiedContact<D> {
    let v = Vector::<D>::from_fn(|k, _| velocity[k] + law.v_shift[k] + law.w_shift[k] * impulse[k]);
    let p = Vector::<D>::from_fn(|k, _| impulse[k] + law.p_shift[k] + law.spring[k] * velocity[k]);
    let mut softened = Matrix::<D>::from_fn(|i, j| w[(i, j)] * law.spring[j]);
    for k in 0..D {
        softened[(k, k)] += 1.0;
    }
    let not_a_number = Matrix::<D>::from_element(f64::NAN);
    let mut mobility = softened.try_inverse().map_or(not_a_number, |inverse| inverse * w);
    for k in 0..D {
        mobility[(k, k)] += law.w_shift[k];
    }
    let (mut impulse, mut v, mut p) = (*impulse, v, p);
    if let ConeSection::Ellipse { axis, ratio } = law.section {
        let weights = [1.0, ratio];
        v = turned(&v, axis, weights);
        (p, impulse) = (turned(&p, axis, weights.map(|w| 1.0 / w)), turned(&impulse, axis, weights.map(|w| 1.0 / w)));
        // Rows, then columns: both are turned and weighed as velocities are.
        for _ in 0..2 {
            mobility = Matrix::<D>::from_columns(&std::array::from_fn::<_, D, _>(|k| {
                turned(&mobility.column(k).into_owned(), axis, weights)
            }))
            .transpose();
        }
    }
    let eigenvalues = symmetric_eigenvalues(&mobility);
    let lambda = maximum(eigenvalues.iter().copied());
    let scale = maximum([size(&(v - mobility * p)), lambda * size(&p), lambda * size(&impulse)].into_iter());
    CertifiedContact { v, p, lambda, scale }
}

/// A vector in the axes of an elliptic section, its components along and across them weighed: with p̂_2 = p_2/ratio and v̂_2 = ratio v_2 the cone is round, and
/// v̂ is opposite to p̂ where v is a normal of the ellipse at p.
fn turned<const D: usize>(x: &Vector<D>, axis: [f64; 2], weights: [f64; 2]) -> Vector<D> {
    let mut out = *x;
    if D == 3 {
        out[1] = weights[0] * (axis[0] * x[1] + axis[1] * x[2]);
        out[2] = weights[1] * (axis[0] * x[2] - axis[1] * x[1]);
    }
    out
}

/// Euclidean length; of vectors whose squares underflow it is taken from the largest component.
fn size<const D: usize>(x: &Vector<D>) -> f64 {
    let largest = x.amax();
    if largest > 0.0 && largest < 1e-150 { largest * (x / largest).norm() } else { x.norm() }
}

/// e_α for the velocity scale V_α, and that of friction if it has margins of its own.
fn natural_map<const D: usize>(c: &CertifiedContact<D>, cone: Cone, scale: f64, along: Option<f64>) -> f64 {
    if c.lambda == 0.0 {
        return immobile(c, cone, scale);
    }
    let rho = 1.0 / c.lambda;
    let target = projection(cone, &(c.p - corrected_velocity(c, cone) * rho));
    let Some(along) = along else { return quotient(size(&(c.p - target)), rho * scale) };
    let (normal, drag) = match cone {
        Cone::Open | Cone::Within { .. } | Cone::Turning(_) => (c.p[0], tangential(&c.p)),
        Cone::Bilateral => (rho * c.v[0], rho * tangential(&c.v)),
        Cone::Coulomb(mu) => {
            // Signorini's condition as min(p, ρ v) = 0, and the drag against the nearest one of the disk μ p_N to p_T − ρ v_T.
            let wanted = Vector::<D>::from_fn(|k, _| if k == 0 { 0.0 } else { c.p[k] - rho * c.v[k] });
            let (bound, reach) = (positive(mu * c.p[0]), tangential(&wanted));
            let drawn_in = if reach > bound { wanted * (bound / reach) } else { wanted };
            (if rho * c.v[0] < c.p[0] { rho * c.v[0] } else { c.p[0] }, tangential(&(c.p - drawn_in)))
        }
    };
    maximum([quotient(normal.abs(), rho * scale), quotient(drag, rho * along)].into_iter())
}

/// The limit of e_α for ρ → ∞, and that no impulse works on a velocity: of p̃ only the direction can count here.
fn immobile<const D: usize>(c: &CertifiedContact<D>, cone: Cone, scale: f64) -> f64 {
    let w = corrected_velocity(c, cone);
    let size = c.p.norm();
    let along = if size > 0.0 { quotient(c.p.dot(&w).abs() / size, scale) } else { 0.0 };
    match cone {
        Cone::Open if size > 0.0 => 1.0,
        // Moments are judged apart.
        Cone::Open | Cone::Within { .. } | Cone::Turning(_) => 0.0,
        Cone::Bilateral | Cone::Coulomb(_) => {
            maximum([quotient(projection(cone, &-w).norm(), scale), along].into_iter())
        }
    }
}

/// ṽ + μ‖ṽ_T‖ n.
fn corrected_velocity<const D: usize>(c: &CertifiedContact<D>, cone: Cone) -> Vector<D> {
    let mut w = c.v;
    if let Cone::Coulomb(mu) = cone {
        w[0] += mu * tangential(&c.v);
    }
    w
}

/// Nearest point of the cone: {0}, everything, or ‖x_T‖ ≤ μ x_N.
fn projection<const D: usize>(cone: Cone, x: &Vector<D>) -> Vector<D> {
    let mu = match cone {
        Cone::Open | Cone::Within { .. } | Cone::Turning(_) => return Vector::<D>::zeros(),
        Cone::Bilateral => return *x,
        Cone::Coulomb(mu) => mu,
    };
    let t = tangential(x);
    // The polar cone first: without friction its half line (x_N < 0, x_T = 0) also passes the test of the cone.
    if x[0] + mu * t <= 0.0 {
        return Vector::<D>::zeros();
    }
    if mu * x[0] >= t {
        return *x;
    }
    // Foot of the perpendicular on the generator through x: direction (1, μ) in the (normal, tangential) half plane.
    let along = (x[0] + mu * t) / (1.0 + mu * mu);
    Vector::<D>::from_fn(|k, _| if k == 0 { along } else { mu * along * x[k] / t })
}

fn tangential<const D: usize>(x: &Vector<D>) -> f64 {
    (1..D).fold(0.0, |sum: f64, k| math::hypot(sum, x[k]))
}

fn penetration<const D: usize>(c: &CertifiedContact<D>, cone: Cone) -> f64 {
    match cone {
        Cone::Open | Cone::Within { .. } | Cone::Turning(_) => 0.0,
        Cone::Bilateral => c.v[0].abs(),
        Cone::Coulomb(_) => positive(-c.v[0]),
    }
}

fn traction<const D: usize>(c: &CertifiedContact<D>, cone: Cone) -> f64 {
    match cone {
        Cone::Open => c.p.norm(),
        Cone::Bilateral | Cone::Within { .. } | Cone::Turning(_) => 0.0,
        Cone::Coulomb(_) => positive(-c.p[0]),
    }
}

fn cone_excess<const D: usize>(c: &CertifiedContact<D>, cone: Cone) -> f64 {
    match cone {
        Cone::Open | Cone::Bilateral | Cone::Within { .. } | Cone::Turning(_) => 0.0,
        Cone::Coulomb(mu) => positive(tangential(&c.p) - mu * c.p[0]),
    }
}

fn complementarity<const D: usize>(c: &CertifiedContact<D>, cone: Cone) -> f64 {
    match cone {
        Cone::Open | Cone::Bilateral | Cone::Within { .. } | Cone::Turning(_) => 0.0,
        Cone::Coulomb(_) => (c.p[0] * c.v[0]).abs(),
    }
}

/// Positive part that keeps NaN.
fn positive(x: f64) -> f64 {
    if x < 0.0 { 0.0 } else { x }
}

/// error/scale, where no error is none even without scale.
fn quotient(error: f64, scale: f64) -> f64 {
    if error == 0.0 { 0.0 } else { error / scale }
}

/// Largest of non-negative values, 0 if there are none, NaN if any is NaN.
fn maximum(values: impl Iterator<Item = f64>) -> f64 {
    let mut largest = 0.0;
    for value in values {
        if value.is_nan() {
            return f64::NAN;
        }
        if value > largest {
            largest = value;
        }
    }
    largest
}

fn worst_index(errors: &[f64]) -> Option<usize> {
    let mut worst: Option<usize> = None;
    for (i, &e) in errors.iter().enumerate() {
        if e.is_nan() {
            return Some(i);
        }
        if worst.is_none_or(|k| e > errors[k]) {
            worst = Some(i);
        }
    }
    worst
}

#[cfg(test)]
mod tests;
