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

/// √(3/5), the outer abscissa of the three-point Gauss rule on \[−1, 1\] (exact to degree 5).
const GAUSS_3: f64 = 0.774_596_669_241_483_4;

/// \[−1, 1\]: the middle, exact to degree 1.
pub(crate) const LINE_1: [([f64; 1], f64); 1] = [([0.0], 2.0)];

/// \[−1, 1\]: two Gauss points, exact to degree 3.
pub(crate) const LINE_2: [([f64; 1], f64); 2] = [([-GAUSS_2], 1.0), ([GAUSS_2], 1.0)];

/// \[−1, 1\]: three Gauss points, exact to degree 5.
pub(crate) const LINE_3: [([f64; 1], f64); 3] = [([-GAUSS_3], 5.0 / 9.0), ([0.0], 8.0 / 9.0), ([GAUSS_3], 5.0 / 9.0)];

/// Reference triangle: six interior points, exact to degree 4 (Dunavant 1985, degree 4).
pub(crate) const TRIANGLE_6: [([f64; 2], f64); 6] = {
    const A: f64 = 0.445_948_490_915_964_9;
    const B: f64 = 0.091_576_213_509_770_74;
    const WA: f64 = 0.5 * 0.223_381_589_678_011_47;
    const WB: f64 = 0.5 * 0.109_951_743_655_321_87;
    [
        ([A, A], WA),
        ([1.0 - 2.0 * A, A], WA),
        ([A, 1.0 - 2.0 * A], WA),
        ([B, B], WB),
        ([1.0 - 2.0 * B, B], WB),
        ([B, 1.0 - 2.0 * B], WB),
    ]
};

/// Reference tetrahedron (0,0,0), (1,0,0), (0,1,0), (0,0,1): one point, exact to degree 1.
pub(crate) const TETRAHEDRON_1: [([f64; 3], f64); 1] = [([0.25, 0.25, 0.25], 1.0 / 6.0)];

/// Reference tetrahedron: four interior points, exact to degree 2; A = (5 − √5)/20.
pub(crate) const TETRAHEDRON_4: [([f64; 3], f64); 4] = {
    const A: f64 = 0.138_196_601_125_010_5;
    const B: f64 = 1.0 - 3.0 * A;
    const W: f64 = 1.0 / 24.0;
    [([A, A, A], W), ([B, A, A], W), ([A, B, A], W), ([A, A, B], W)]
};

/// Reference tetrahedron: fourteen interior points, exact to degree 5 (Walkington 2000): two orbits of four points and
/// one of six.
pub(crate) const TETRAHEDRON_14: [([f64; 3], f64); 14] = {
    const A: f64 = 0.310_885_919_263_300_6;
    const B: f64 = 0.092_735_250_310_891_23;
    const C: f64 = 0.045_503_704_125_649_65;
    const D: f64 = 0.5 - C;
    const WA: f64 = 0.112_687_925_718_015_85 / 6.0;
    const WB: f64 = 0.073_493_043_116_361_95 / 6.0;
    const WC: f64 = 0.042_546_020_777_081_47 / 6.0;
    [
        ([A, A, A], WA),
        ([1.0 - 3.0 * A, A, A], WA),
        ([A, 1.0 - 3.0 * A, A], WA),
        ([A, A, 1.0 - 3.0 * A], WA),
        ([B, B, B], WB),
        ([1.0 - 3.0 * B, B, B], WB),
        ([B, 1.0 - 3.0 * B, B], WB),
        ([B, B, 1.0 - 3.0 * B], WB),
        ([C, C, D], WC),
        ([C, D, C], WC),
        ([D, C, C], WC),
        ([C, D, D], WC),
        ([D, C, D], WC),
        ([D, D, C], WC),
    ]
};

/// Reference square: 3×3 Gauss points, exact to degree 5 in each coordinate.
pub(crate) const SQUARE_3X3: [([f64; 2], f64); 9] = square(LINE_3);

/// Reference cube \[−1, 1\]³: 2×2×2 Gauss points, exact to degree 3 in each coordinate.
pub(crate) const CUBE_2X2X2: [([f64; 3], f64); 8] = along(SQUARE_2X2, LINE_2);

/// Reference cube: 3×3×3 Gauss points, exact to degree 5 in each coordinate.
pub(crate) const CUBE_3X3X3: [([f64; 3], f64); 27] = along(SQUARE_3X3, LINE_3);

/// Reference triangle times \[−1, 1\]: degree 2 in the triangle, 3 along the axis.
pub(crate) const PRISM_3X2: [([f64; 3], f64); 6] = along(TRIANGLE_3, LINE_2);

/// Reference triangle times \[−1, 1\]: degree 4 in the triangle, 5 along the axis.
pub(crate) const PRISM_6X3: [([f64; 3], f64); 18] = along(TRIANGLE_6, LINE_3);

/// The product of a rule on a line with itself.
const fn square<const P: usize, const PP: usize>(line: [([f64; 1], f64); P]) -> [([f64; 2], f64); PP] {
    let mut rule = [([0.0; 2], 0.0); PP];
    let mut k = 0;
    while k < PP {
        let (x, y) = (line[k % P], line[k / P]);
        rule[k] = ([x.0[0], y.0[0]], x.1 * y.1);
        k += 1;
    }
    rule
}

/// The product of a rule in the plane with one along ζ.
const fn along<const P: usize, const L: usize, const PL: usize>(
    plane: [([f64; 2], f64); P],
    line: [([f64; 1], f64); L],
) -> [([f64; 3], f64); PL] {
    let mut rule = [([0.0; 3], 0.0); PL];
    let mut k = 0;
    while k < PL {
        let (p, z) = (plane[k % P], line[k / P]);
        rule[k] = ([p.0[0], p.0[1], z.0[0]], p.1 * z.1);
        k += 1;
    }
    rule
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ∫ Π ξ_i^n_i by the rule.
    fn moment_in<const D: usize>(rule: &[([f64; D], f64)], n: [i32; D]) -> f64 {
        rule.iter().map(|(x, w)| w * (0..D).map(|i| x[i].powi(n[i])).product::<f64>()).sum()
    }

    fn line(n: i32) -> f64 {
        if n % 2 == 0 { 2.0 / f64::from(n + 1) } else { 0.0 }
    }

    /// Exact on the tetrahedron: a! b! c! / (a + b + c + 3)!.
    fn tetrahedron([a, b, c]: [i32; 3]) -> f64 {
        let factorial = |n: i32| (1..=n).map(f64::from).product::<f64>();
        factorial(a) * factorial(b) * factorial(c) / factorial(a + b + c + 3)
    }

    #[test]
    fn tetrahedron_rules_are_exact_to_their_degree() {
        for (rule, degree) in [(&TETRAHEDRON_1[..], 1), (&TETRAHEDRON_4[..], 2), (&TETRAHEDRON_14[..], 5)] {
            for a in 0..=degree {
                for b in 0..=degree - a {
                    for c in 0..=degree - a - b {
                        let error = (moment_in(rule, [a, b, c]) - tetrahedron([a, b, c])).abs();
                        assert!(error < 1e-16, "ξ^{a} η^{b} ζ^{c}: {error:e} (roundings of numbers below ⅙)");
                    }
                }
            }
            let n = [degree + 1, 0, 0];
            assert!((moment_in(rule, n) - tetrahedron(n)).abs() > 1e-6, "and not beyond degree {degree}");
        }
    }

    #[test]
    fn product_rules_are_exact_to_their_degrees() {
        let check = |rule: &[([f64; 3], f64)],
                     plane: &dyn Fn(i32, i32) -> f64,
                     fits: &dyn Fn(i32, i32) -> bool,
                     degree: i32| {
            for (a, b) in (0..=5).flat_map(|a| (0..=5).map(move |b| (a, b))).filter(|&(a, b)| fits(a, b)) {
                for c in 0..=degree {
                    let error = (moment_in(rule, [a, b, c]) - plane(a, b) * line(c)).abs();
                    assert!(error < 4e-15, "ξ^{a} η^{b} ζ^{c}: {error:e} (27 roundings of numbers up to 1)");
                }
            }
        };
        let square = |a, b| line(a) * line(b);
        check(&CUBE_2X2X2, &square, &|a, b| a.max(b) <= 3, 3);
        check(&CUBE_3X3X3, &square, &|a, b| a.max(b) <= 5, 5);
        check(&PRISM_3X2, &triangle, &|a, b| a + b <= 2, 3);
        check(&PRISM_6X3, &triangle, &|a, b| a + b <= 4, 5);
        for n in 0..=5 {
            assert!((moment_in(&LINE_3, [n]) - line(n)).abs() < 1e-15);
            assert!(n > 3 || (moment_in(&LINE_2, [n]) - line(n)).abs() < 1e-15);
            assert!((moment_in(&SQUARE_3X3, [n, 5 - n]) - square(n, 5 - n)).abs() < 1e-15);
        }
        assert!((moment_in(&LINE_1, [0]) - 2.0).abs() < 1e-300);
    }

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
        for (rule, degree) in [(&TRIANGLE_1[..], 1), (&TRIANGLE_3[..], 2), (&TRIANGLE_6[..], 4)] {
            for a in 0..=degree {
                for b in 0..=degree - a {
                    let error = (moment(rule, a, b) - triangle(a, b)).abs();
                    assert!(error < 1e-16, "ξ^{a} η^{b}: {error:e} (a few roundings of numbers below ½)");
                }
            }
            assert!((moment(rule, degree + 1, 0) - triangle(degree + 1, 0)).abs() > 1e-5, "and not beyond");
        }
    }

    #[test]
    fn gauss_rule_is_exact_to_degree_3_in_each_coordinate() {
        for a in 0..=3 {
            for b in 0..=3 {
                let error = (moment(&SQUARE_2X2, a, b) - line(a) * line(b)).abs();
                assert!(error < 1e-15, "ξ^{a} η^{b}: {error:e} (a few roundings of numbers up to 4)");
            }
        }
        assert!((moment(&SQUARE_2X2, 4, 0) - line(4) * 2.0).abs() > 0.1, "and not beyond");
    }
}
