//! Quadrature rules on reference cells, as constant tables of points and weights.

/// 1/√3, the abscissa of the two-point Gauss rule on \[−1, 1\] (exact to degree 3).
const GAUSS_2: f64 = 0.577_350_269_189_625_8;

/// Reference triangle (0,0), (1,0), (0,1): one point, exact to degree 1.
pub(crate) const TRIANGLE_1: [([f64; 2], f64); 1] = [([1.0 / 3.0, 1.0 / 3.0], 0.5)];

/// Reference triangle: three interior points, exact to degree 2.
pub(crate) const TRIANGLE_3: [([f64; 2], f64); 3] =
    [([1.0 / 6.0, 1.0 / 6.0], 1.0 / 6.0), ([2.0 / 3.0, 1.0 / 6.0], 1.0 / 6.0), ([1.0 / 6.0, 2.0 / 3.0], 1.0 / 6.0)];

/// Reference square \[−1, 1\]²: 2×2 Gauss points, exact to degree 3 in each coordinate.
pub(crate) const SQUARE_2X2: [([f64; 2], f64); 4] =
    [([-GAUSS_2, -GAUSS_2], 1.0), ([GAUSS_2, -GAUSS_2], 1.0), ([GAUSS_2, GAUSS_2], 1.0), ([-GAUSS_2, GAUSS_2], 1.0)];

#[cfg(test)]
mod tests {
    use super::*;

    /// ∫ ξ^a η^b by the rule.
    fn moment(rule: &[([f64; 2], f64)], a: i32, b: i32) -> f64 {
        rule.iter().map(|(x, w)| w * x[0].powi(a) * x[1].powi(b)).sum()
    }

    /// Exact on the triangle: a! b! / (a + b + 2)!.
    fn triangle(a: i32, b: i32) -> f64 {
        let factorial = |n: i32| (1..=n).map(f64::from).product::<f64>();
        factorial(a) * factorial(b) / factorial(a + b + 2)
    }

    #[test]
    fn triangle_rules_are_exact_to_their_degree() {
        for (rule, degree) in [(&TRIANGLE_1[..], 1), (&TRIANGLE_3[..], 2)] {
            for a in 0..=degree {
                for b in 0..=degree - a {
                    let error = (moment(rule, a, b) - triangle(a, b)).abs();
                    assert!(error < 1e-16, "ξ^{a} η^{b}: {error:e} (a few roundings of numbers below ½)");
                }
            }
            assert!((moment(rule, degree + 1, 0) - triangle(degree + 1, 0)).abs() > 5e-4, "and not beyond");
        }
    }

    #[test]
    fn gauss_rule_is_exact_to_degree_3_in_each_coordinate() {
        let line = |n: i32| if n % 2 == 0 { 2.0 / f64::from(n + 1) } else { 0.0 };
        for a in 0..=3 {
            for b in 0..=3 {
                let error = (moment(&SQUARE_2X2, a, b) - line(a) * line(b)).abs();
                assert!(error < 1e-15, "ξ^{a} η^{b}: {error:e} (a few roundings of numbers up to 4)");
            }
        }
        assert!((moment(&SQUARE_2X2, 4, 0) - line(4) * 2.0).abs() > 0.1, "and not beyond");
    }
}
