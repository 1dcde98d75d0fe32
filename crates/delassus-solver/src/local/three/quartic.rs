//! Real roots x > 0 of a polynomial of degree four, held apart.
//!
//! Between neighbouring roots of its derivative a polynomial is monotone and has at most one root, which bisection finds; the roots of the
//! derivative are found in the same way. No formula with radicals, nothing that can go wrong by rounding but a double root.

/// Bisections of a bracket of positive doubles: eleven bits of exponent and 53 of mantissa.
const BISECTIONS: usize = 70;

/// At most three roots, ascending, those that are not there last.
type Roots = [Option<f64>; 3];

/// Points x > 0, ascending, such that between two neighbours (and before the first, and behind the last) there is at most one root:
/// the roots of the derivative.
pub(super) fn separators(polynomial: [f64; 5]) -> Roots {
    let [_, a1, a2, a3, a4] = polynomial;
    let first = [a1, 2.0 * a2, 3.0 * a3, 4.0 * a4];
    let second = [first[1], 2.0 * first[2], 3.0 * first[3]];
    let third = [second[1], 2.0 * second[2]];
    roots(&first, roots(&second, roots(&third, [None; 3])))
}

/// Roots x > 0, given those of the derivative.
fn roots(polynomial: &[f64], extrema: Roots) -> Roots {
    let far = bound(polynomial);
    let (mut found, mut n, mut low) = ([None; 3], 0, 0.0);
    for high in extrema.into_iter().flatten().filter(|&x| x < far).chain([far]) {
        if let Some(root) = bisect(polynomial, low, high)
            && n < found.len()
        {
            found[n] = Some(root);
            n += 1;
        }
        low = high;
    }
    found
}

/// No root lies beyond (Cauchy): 1 + max |a_i/a_n|.
fn bound(polynomial: &[f64]) -> f64 {
    let scale = polynomial.iter().fold(0.0, |m: f64, a| m.max(a.abs()));
    let counts = |a: &f64| *a > f64::MIN_POSITIVE && *a > 1e-280 * scale;
    let leading = polynomial.iter().rev().map(|a| a.abs()).find(counts).unwrap_or(scale);
    (2.0 * scale / leading).min(1e150) + 1.0
}

fn value(polynomial: &[f64], x: f64) -> f64 {
    polynomial.iter().rev().fold(0.0, |sum, a| sum * x + a)
}

fn bisect(polynomial: &[f64], mut low: f64, mut high: f64) -> Option<f64> {
    let (at_low, at_high) = (value(polynomial, low), value(polynomial, high));
    if at_low == 0.0 || (at_low > 0.0) == (at_high > 0.0) {
        return None;
    }
    for _ in 0..BISECTIONS {
        let middle = if low > 0.0 && high > 4.0 * low { (low * high).sqrt() } else { 0.5 * (low + high) };
        if (value(polynomial, middle) > 0.0) == (at_low > 0.0) {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    #[test]
    fn separators_hold_known_roots_apart() {
        let mut random = Random::new(69);
        for _ in 0..5000 {
            // (x − r₀)(x − r₁)(x − r₂)(x − r₃) with roots of either sign and size 1e-3…1e3.
            let mut r: Vec<f64> =
                (0..4).map(|_| random.decades(-3.0, 3.0) * if random.below(3) == 0 { -1.0 } else { 1.0 }).collect();
            r.sort_by(f64::total_cmp);
            let mut a = [0.0; 5];
            a[0] = 1.0;
            for (k, root) in r.iter().enumerate() {
                for i in (0..=k + 1).rev() {
                    a[i] = if i > 0 { a[i - 1] } else { 0.0 } - root * a[i];
                }
            }
            let cuts: Vec<f64> = separators(a).into_iter().flatten().collect();
            for pair in r.windows(2).filter(|pair| pair[0] > 0.0 && pair[1] > 1.01 * pair[0]) {
                assert!(cuts.iter().any(|&x| pair[0] < x && x < pair[1]), "{r:?} {cuts:?}");
            }
            assert!(cuts.windows(2).all(|pair| pair[0] <= pair[1]));
        }
    }

    #[test]
    fn degenerate_polynomials_end() {
        for a in [[0.0; 5], [1.0, 0.0, 0.0, 0.0, 0.0], [f64::NAN; 5], [-1.0, 1.0, 0.0, 0.0, 0.0]] {
            assert!(separators(a).iter().flatten().count() <= 3);
        }
    }
}
