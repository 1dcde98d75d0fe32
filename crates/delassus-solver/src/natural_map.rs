//! The natural map: the measure by which the solvers check the law of a contact, without unit.
//!
//! ```text
//! e = ‖p̃ − P_K(p̃ − ρ(ṽ + μ‖ṽ_T‖ n))‖ / (ρ V),   ρ = 1/λ,   λ = λmax(W̃)
//! ```
//!
//! K is a cone, so λ can be drawn in: with x = λ p̃ [m/s], e = ‖x − P_K(x − ṽ − μ‖ṽ_T‖ n)‖ / V, which also has a meaning at λ = 0.
//! e = 0 exactly at solutions (de Saxcé's form of Coulomb's law); in units of V it is the velocity that is wrong.

use crate::linalg::{Vector, length};
use crate::problem::Cone;

/// Part of the largest velocity scale below which no contact is judged: what is at rest need not be more exact than that.
pub(crate) const SCALE_FLOOR: f64 = 1e-6;

/// Numerator of the natural map, in velocity [m/s].
pub(crate) fn natural_map<const D: usize>(cone: Cone, lambda: f64, v: &Vector<D>, p: &Vector<D>) -> f64 {
    let x = p * lambda;
    match cone {
        Cone::Open => length(&x),
        Cone::Bilateral => length(v),
        Cone::Within { across, along } => {
            let mut y = x - v;
            clip(lambda * across, lambda * along, &mut y);
            length(&(x - y))
        }
        // Its bounds are those of another contact: `Cone::under` comes first.
        Cone::Turning(_) => f64::NAN,
        Cone::Coulomb(mu) => {
            let mut y = x - v;
            y[0] -= mu * tangential_norm(v);
            project(mu, &mut y);
            length(&(x - y))
        }
    }
}

/// Signorini's condition and Coulomb's law apart, for margins of each (Jean 1995, (4) and (9)), in velocity [m/s]:
///
/// ```text
/// across = |x_N − max(x_N − ṽ_N, 0)| ,      along = ‖x_T − P(x_T − ṽ_T)‖ ,  P on the disk of radius μ x_N
/// ```
pub(crate) fn parted_map<const D: usize>(cone: Cone, lambda: f64, v: &Vector<D>, p: &Vector<D>) -> [f64; 2] {
    let x = p * lambda;
    match cone {
        Cone::Open => [x[0].abs(), tangential_norm(&x)],
        Cone::Bilateral => [v[0].abs(), tangential_norm(v)],
        Cone::Within { across, along } => {
            let mut y = x - v;
            clip(lambda * across, lambda * along, &mut y);
            [0.0, length(&(x - y))]
        }
        Cone::Turning(_) => [f64::NAN; 2],
        Cone::Coulomb(mu) => {
            let (mut y, bound) = (x - v, (mu * x[0]).max(0.0));
            let size = tangential_norm(&y);
            // NaN stays: nothing is compared with it but here.
            let shrink = if size > bound { bound / size } else { 1.0 };
            let across = (x[0] - y[0].max(0.0)).abs();
            y *= shrink;
            [if (x[0] - v[0]).is_nan() { f64::NAN } else { across }, tangential_norm(&(x - y))]
        }
    }
}

/// Norm of the tangential part.
pub(crate) fn tangential_norm<const D: usize>(x: &Vector<D>) -> f64 {
    x.iter().skip(1).map(|t| t * t).sum::<f64>().sqrt()
}

/// `y` replaced by its nearest point of |y_N| ≤ `across`, ‖y_T‖ ≤ `along`.
fn clip<const D: usize>(across: f64, along: f64, y: &mut Vector<D>) {
    let size = tangential_norm(y);
    let shrink = if size > along { along / size } else { 1.0 };
    let normal = if y[0] > across {
        across
    } else if y[0] < -across {
        -across
    } else {
        y[0]
    };
    *y *= shrink;
    y[0] = normal;
}

/// `y` replaced by its nearest point in the cone ‖y_T‖ ≤ μ y_N.
pub(crate) fn project<const D: usize>(mu: f64, y: &mut Vector<D>) {
    let tangential = tangential_norm(y);
    // The sign of y_N matters by itself: at μ = 0 and y_T = 0 the comparison holds for y_N < 0 too.
    if tangential <= mu * y[0] && y[0] >= 0.0 {
        return;
    }
    // What is not in the cone goes to its edge, or to the apex from the polar cone.
    let normal = ((y[0] + mu * tangential) / (1.0 + mu * mu)).max(0.0);
    let ratio = if tangential > 0.0 { mu * normal / tangential } else { 0.0 };
    *y *= ratio;
    y[0] = normal;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    #[test]
    fn projection_is_nearest_point() {
        let mut random = Random::new(21);
        for _ in 0..2000 {
            let mu = if random.below(4) == 0 { 0.0 } else { random.between(0.0, 2.0) };
            let mut y = Vector::<3>::from_fn(|_, _| random.between(-1.0, 1.0));
            if random.below(4) == 0 {
                y = Vector::<3>::new(y[0], 0.0, 0.0);
            }
            let mut z = y;
            project(mu, &mut z);
            assert!(z[0] >= 0.0 && tangential_norm(&z) <= mu * z[0] + 1e-14);
            // Moreau: y − z is normal to the cone at z. For any k of K, (y − z)·(k − z) ≤ 0.
            for _ in 0..10 {
                let n = random.between(0.0, 2.0);
                let (sin, cos) = random.between(-3.2, 3.2).sin_cos();
                let r = mu * n * random.between(0.0, 1.0);
                let k = Vector::<3>::new(n, r * cos, r * sin);
                assert!((y - z).dot(&(k - z)) < 1e-13);
            }
        }
    }

    #[test]
    fn zero_at_each_kind_of_solution_and_only_there() {
        let e = |mu, v: [f64; 2], p: [f64; 2]| {
            natural_map(Cone::Coulomb(mu), 2.0, &Vector::<2>::from(v), &Vector::<2>::from(p))
        };
        assert!(e(0.5, [1.0, 3.0], [0.0, 0.0]) < 1e-15, "open");
        assert!(e(0.5, [0.0, 0.0], [1.0, 0.4]) < 1e-15, "stick");
        assert!(e(0.5, [0.0, 0.7], [1.0, -0.5]) < 1e-15, "slip");
        assert!(e(0.5, [0.0, 0.7], [1.0, 0.5]) > 0.1, "slip the wrong way");
        assert!(e(0.5, [-1.0, 0.0], [0.0, 0.0]) > 0.1, "penetration");
        assert!(e(0.5, [1.0, 0.0], [1.0, 0.0]) > 0.1, "force at a distance");
        assert!(e(0.5, [0.0, 0.0], [1.0, 0.6]) > 0.05, "outside the cone");
        assert!(e(0.5, [0.0, 0.0], [-1.0, 0.0]) > 0.1, "pulling");
        let parts = |v: [f64; 2], p: [f64; 2]| {
            parted_map(Cone::Coulomb(0.5), 2.0, &Vector::<2>::from(v), &Vector::<2>::from(p))
        };
        let is = |found: [f64; 2], wanted: [f64; 2]| (0..2).all(|k| (found[k] - wanted[k]).abs() < 1e-15);
        assert!(is(parts([1.0, 3.0], [0.0, 0.0]), [0.0, 0.0]) && is(parts([0.0, 0.7], [1.0, -0.5]), [0.0, 0.0]));
        assert!(is(parts([0.0, 0.1], [1.0, 0.0]), [0.0, 0.1]), "a creep is an error along alone");
        assert!(is(parts([-0.1, 0.0], [1.0, 0.3]), [0.1, 0.0]), "a gap that closes is one across alone");
        assert!(is(parts([0.0, 0.0], [1.0, 0.75]), [0.0, 0.5]), "outside the cone");
        assert!(parts([f64::NAN, 0.0], [0.0, 0.0])[0].is_nan() && parts([0.0, f64::NAN], [1.0, 0.0])[1].is_nan());
    }
}
