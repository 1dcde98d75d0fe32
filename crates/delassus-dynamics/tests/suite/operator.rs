//! The effective mass of a system: w = M̂⁻¹ with prescribed dofs eliminated.

use std::sync::Arc;

use delassus_dynamics::effective_mass::{Coefficients, combine};
use delassus_dynamics::{DynamicsError, Operator, System};
use nalgebra::DVector;

use crate::common::{Linear, Random, Worst, bits, condensed, dense, difference};

const COEFFICIENTS: Coefficients = Coefficients { damping: 0.11, stiffness: 0.27 };

/// Random systems of several sizes, without and with prescribed dofs.
fn systems() -> Vec<Linear> {
    let mut list = Vec::new();
    for n in [1, 4, 40, 65, 150] {
        for n_fixed in [0, n / 7, n / 2] {
            let mut random = Random::new((n + n_fixed) as u64);
            let fixed = random.subset(n, n_fixed);
            list.push(Linear::random(&mut random, n).moved(&fixed, |_, _| (1.0, 0.0)));
        }
    }
    list
}

#[test]
fn apply_and_condensed_are_the_dense_inverse() {
    let mut worst = Worst::default();
    for system in systems() {
        let n = system.n_dof();
        let fixed = system.prescribed();
        let all: Vec<usize> = (0..n).collect();
        let mut operator = Operator::new(&system, COEFFICIENTS).unwrap();
        let w = dense::inverse_on_free(&dense::effective(&system, COEFFICIENTS), fixed);
        let case = || format!("n = {n}, {} fixed", fixed.len());

        let x = Random::new(3).vector(n);
        let mut y = x.clone();
        operator.apply(&mut y);
        worst.see(difference(&y, (&w * DVector::from_vec(x)).as_slice(), 0.0), case);

        let condensed = condensed(&operator, 1, &all);
        assert_eq!(condensed.n_sites(), n);
        let entry = |i: usize, j: usize| condensed.entry(i, j).unwrap();
        let entries: Vec<f64> = (0..n * n).map(|k| entry(k / n, k % n)).collect();
        worst.see(difference(&entries, w.transpose().as_slice(), 0.0), case);
        for i in 0..n {
            for j in 0..n {
                assert_eq!(entry(i, j).to_bits(), entry(j, i).to_bits(), "({i}, {j}), {}", case());
                if fixed.contains(&i) {
                    assert!(y[i].abs() == 0.0 && entry(i, j).abs() == 0.0, "({i}, {j}), {}", case());
                }
            }
        }
    }
    worst.check(1e-12);
}

#[test]
fn dofs_that_were_not_asked_for_are_absent() {
    let system = Linear::random(&mut Random::new(1), 30).moved(&[4, 11], |_, _| (0.0, 0.0));
    let asked = [2, 4, 5, 20];
    let operator = Operator::new(&system, COEFFICIENTS).unwrap();
    let condensed = condensed(&operator, 1, &asked);
    let w = dense::inverse_on_free(&dense::effective(&system, COEFFICIENTS), &[4, 11]);
    assert_eq!(condensed.n_sites(), 4);
    for i in 0..30 {
        for j in 0..30 {
            match condensed.entry(i, j) {
                Some(entry) => {
                    let expected = w[(i, j)];
                    let error = (entry - expected).abs();
                    assert!(error <= 1e-12 * expected.abs().max(1e-3), "({i}, {j}): {entry}, not {expected}");
                }
                None => assert!(!asked.contains(&i) || !asked.contains(&j), "({i}, {j})"),
            }
        }
    }
}

#[test]
fn without_contact_dofs_there_is_nothing_to_condense() {
    let system = Linear::chain(5, 1.0, 0.0, 1.0, true);
    let condensed = condensed(&Operator::new(&system, COEFFICIENTS).unwrap(), 1, &[]);
    assert_eq!((condensed.n_sites(), condensed.n_panels(), condensed.bytes_of_all()), (0, 0, 0));
    assert_eq!(condensed.entry(0, 4), None);
}

#[test]
fn another_step_size_reuses_the_analysis_and_gives_the_bits_of_a_fresh_operator() {
    for system in systems() {
        let n = system.n_dof();
        let all: Vec<usize> = (0..n).collect();
        let first = Operator::new(&system, COEFFICIENTS).unwrap();
        let other = Coefficients { damping: 0.01, stiffness: 1e-3 };
        let mut reused = Operator::with_analysis(
            first.analysis(),
            &system,
            combine(system.matrices(), other, system.matrices().stiffness.values()),
        )
        .unwrap();
        let mut fresh = Operator::new(&system, other).unwrap();
        assert!(Arc::ptr_eq(first.analysis(), reused.analysis()));
        assert!(!Arc::ptr_eq(first.analysis(), fresh.analysis()));

        let mut x = Random::new(2).vector(n);
        let mut y = x.clone();
        reused.apply(&mut x);
        fresh.apply(&mut y);
        assert_eq!(bits(&x), bits(&y));
        let (a, b) = (condensed(&reused, 1, &all), condensed(&fresh, 1, &all));
        for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
            assert_eq!(a.entry(i, j).map(f64::to_bits), b.entry(i, j).map(f64::to_bits));
        }
    }
}

#[test]
fn bad_mass_is_named_by_its_dof() {
    let make = |dof: usize, value: f64| {
        Linear::chain(40, 1.0, 0.1, 2.0, false).moved(&[0, 13], |_, _| (0.0, 0.0)).with_mass_entry(dof, dof, value)
    };
    for dof in [1, 7, 12, 14, 39] {
        for bad in [-100.0, f64::NAN, f64::INFINITY] {
            let error = Operator::new(&make(dof, bad), COEFFICIENTS).unwrap_err();
            assert_eq!(error, DynamicsError::NotPositiveDefinite { matrix: "effective mass", dof }, "mass {bad}");
        }
    }
    // A prescribed dof needs no mass.
    assert!(Operator::new(&make(13, 0.0), COEFFICIENTS).is_ok());
}
