//! The sparse factor against dense linear algebra.

use std::sync::Arc;

use delassus_dynamics::factor::{Analysis, Factor, Workspace};
use delassus_dynamics::{DynamicsError, System, symmetric_times_into};
use nalgebra::{DMatrix, DVector};
use nalgebra_sparse::pattern::SparsityPattern;
use proptest::prelude::*;

use crate::common::{Linear, Random, Worst, bits, dense, difference};

/// One or several panels of 96 columns, full and ragged.
const SIZES: [usize; 9] = [1, 2, 5, 37, 95, 96, 97, 130, 200];

/// The stiffness-and-mass matrix of a random system: pattern, values, dense.
fn random_matrix(random: &mut Random, n: usize) -> (SparsityPattern, Vec<f64>, DMatrix<f64>) {
    let system = Linear::random(random, n);
    let m = system.matrices();
    let values: Vec<f64> = m.mass.values().iter().zip(m.stiffness.values()).map(|(m, k)| m + k).collect();
    let full = dense::symmetric(m.pattern(), &values);
    (m.pattern().clone(), values, full)
}

fn factor(pattern: &SparsityPattern, values: &[f64]) -> Factor {
    Factor::new(&Arc::new(Analysis::new(pattern, "test").unwrap()), values, "test").unwrap()
}

/// A full lower triangle: one large supernode.
fn full_pattern(n: usize) -> SparsityPattern {
    let mut offsets = vec![0];
    let mut rows = Vec::new();
    for j in 0..n {
        rows.extend(j..n);
        offsets.push(rows.len());
    }
    SparsityPattern::try_from_offsets_and_indices(n, n, offsets, rows).unwrap()
}

#[test]
fn product_is_the_dense_product() {
    let mut worst = Worst::default();
    for n in SIZES {
        let mut random = Random::new(n as u64);
        let (pattern, values, full) = random_matrix(&mut random, n);
        let x = random.vector(n);
        let mut y = vec![9.0; n];
        symmetric_times_into(&pattern, &values, &x, &mut y);
        worst.see(difference(&y, (full * DVector::from_vec(x)).as_slice(), 0.0), || format!("n = {n}"));
    }
    worst.check(1e-14);
}

#[test]
fn solve_is_the_dense_solve() {
    let mut worst = Worst::default();
    for n in SIZES {
        let mut random = Random::new(100 + n as u64);
        let (pattern, values, full) = random_matrix(&mut random, n);
        let factor = factor(&pattern, &values);
        assert_eq!(factor.n(), n);
        assert!(factor.analysis().n_factor_entries() >= values.len());
        let inverse = full.cholesky().unwrap().inverse();
        let mut workspace = Workspace::new(factor.analysis());
        for _ in 0..3 {
            let b = random.vector(n);
            let mut x = b.clone();
            factor.solve(&mut x, &mut workspace);
            worst.see(difference(&x, (&inverse * DVector::from_vec(b)).as_slice(), 0.0), || format!("n = {n}"));
        }
    }
    worst.check(1e-12);
}

/// Condensation on `dofs` against the dense inverse; symmetric to the last bit.
fn check_condensed(factor: &Factor, full: &DMatrix<f64>, dofs: &[usize], worst: &mut Worst, case: &str) {
    let inverse = full.clone().cholesky().unwrap().inverse();
    let m = dofs.len();
    let w = factor.condense(dofs).unwrap();
    assert_eq!(w.len(), m * m);
    let expected: Vec<f64> = (0..m * m).map(|k| inverse[(dofs[k / m], dofs[k % m])]).collect();
    worst.see(difference(&w, &expected, 0.0), || format!("{case}, {m} columns"));
    for i in 0..m {
        for j in 0..i {
            assert_eq!(w[i * m + j].to_bits(), w[j * m + i].to_bits(), "{case}: w is not symmetric at ({i}, {j})");
        }
    }
}

#[test]
fn condensed_is_a_block_of_the_dense_inverse() {
    let mut worst = Worst::default();
    for n in SIZES {
        let mut random = Random::new(200 + n as u64);
        let (pattern, values, full) = random_matrix(&mut random, n);
        let factor = factor(&pattern, &values);
        for m in [0, 1, n / 3, n / 2, n] {
            let dofs = random.subset(n, m);
            check_condensed(&factor, &full, &dofs, &mut worst, &format!("random, n = {n}"));
        }
        // Neither ascending nor free of repetitions.
        let dofs: Vec<usize> = (0..n + 3).map(|i| (7 * i + 3) % n).collect();
        check_condensed(&factor, &full, &dofs, &mut worst, &format!("shuffled, n = {n}"));
    }
    worst.check(1e-12);
}

#[test]
fn condensed_on_long_chains_and_full_matrices() {
    let mut worst = Worst::default();
    // A chain: a long elimination tree of small supernodes, most of them skipped by most columns.
    let system = Linear::chain(300, 1.0, 0.0, 4.0, false);
    let m = system.matrices();
    let values: Vec<f64> = m.mass.values().iter().zip(m.stiffness.values()).map(|(m, k)| m + 0.1 * k).collect();
    let full = dense::symmetric(m.pattern(), &values);
    let chain = factor(m.pattern(), &values);
    for dofs in [vec![0], vec![299], vec![3, 150, 290], (100..240).collect(), (0..300).step_by(2).collect::<Vec<_>>()] {
        check_condensed(&chain, &full, &dofs, &mut worst, "chain");
    }
    let n = 150;
    let values: Vec<f64> =
        full_pattern(n).entries().map(|(j, i)| if i == j { 3.0 } else { 1.0 / (i + j + 1) as f64 }).collect();
    let full = dense::symmetric(&full_pattern(n), &values);
    check_condensed(&factor(&full_pattern(n), &values), &full, &(0..n).collect::<Vec<_>>(), &mut worst, "full");
    worst.check(1e-12);
}

#[test]
fn two_parts_without_a_link_do_not_see_each_other() {
    let mut mass = crate::common::Form::new(vec![1.0; 140]);
    for i in 0..139 {
        if i != 69 {
            mass.tie(i, i + 1, 0.7);
        }
    }
    let system = Linear::new(mass, crate::common::Form::zero(140), crate::common::Form::zero(140));
    let m = system.matrices();
    let w = factor(m.mass.pattern(), m.mass.values()).condense(&(0..140).collect::<Vec<_>>()).unwrap();
    for i in 0..70 {
        for j in 70..140 {
            assert!(w[i * 140 + j].abs() == 0.0, "w({i}, {j}) = {}", w[i * 140 + j]);
        }
    }
}

#[test]
fn same_bits_every_time() {
    let mut random = Random::new(9);
    let (pattern, values, _) = random_matrix(&mut random, 150);
    let b = random.vector(150);
    let dofs = random.subset(150, 100);
    let analysis = Arc::new(Analysis::new(&pattern, "test").unwrap());
    let answers: Vec<(Vec<u64>, Vec<u64>)> = (0..4)
        .map(|k| {
            let shared = Factor::new(&analysis, &values, "test").unwrap();
            let f = if k % 2 == 0 { shared } else { factor(&pattern, &values) };
            let mut x = b.clone();
            f.solve(&mut x, &mut Workspace::new(f.analysis()));
            (bits(&x), bits(&f.condense(&dofs).unwrap()))
        })
        .collect();
    assert!(answers.iter().all(|a| *a == answers[0]));
}

/// Every dof in turn gets a diagonal that spoils a matrix which is positive definite without it: that pivot, and no
/// other, must be named.
fn check_bad_pivots(pattern: &SparsityPattern, values: &[f64], dofs: impl Iterator<Item = usize>, bad: f64) {
    let analysis = Arc::new(Analysis::new(pattern, "test").unwrap());
    for dof in dofs {
        let at = pattern.entries().position(|(j, i)| i == dof && j == dof).unwrap();
        let mut values = values.to_vec();
        values[at] = bad;
        let error = Factor::new(&analysis, &values, "test").unwrap_err();
        assert_eq!(error, DynamicsError::NotPositiveDefinite { matrix: "test", dof });
    }
}

#[test]
fn bad_pivot_is_named_in_the_callers_numbering() {
    for n in [1, 2, 30, 200] {
        let (pattern, values, _) = random_matrix(&mut Random::new(n as u64), n);
        check_bad_pivots(&pattern, &values, 0..n, -0.5);
        check_bad_pivots(&pattern, &values, 0..n, 0.0);
    }
    // One supernode larger than any block of the dense kernel.
    let n = 300;
    let values: Vec<f64> = full_pattern(n).entries().map(|(j, i)| if i == j { 2.0 } else { 1e-3 }).collect();
    check_bad_pivots(&full_pattern(n), &values, (0..n).step_by(7), -1.0);
}

#[test]
fn values_that_are_not_numbers_are_refused() {
    let (pattern, values, _) = random_matrix(&mut Random::new(4), 20);
    let analysis = Arc::new(Analysis::new(&pattern, "test").unwrap());
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for k in 0..values.len() {
            let mut values = values.clone();
            values[k] = bad;
            let error = Factor::new(&analysis, &values, "test").unwrap_err();
            let dof = pattern.minor_indices()[k];
            assert_eq!(error, DynamicsError::NotPositiveDefinite { matrix: "test", dof });
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_random_matrix(seed in any::<u64>(), n in 1_usize..90, part in 0.0_f64..1.0) {
        let mut random = Random::new(seed);
        let (pattern, values, full) = random_matrix(&mut random, n);
        let dofs = random.subset(n, (part * n as f64) as usize);
        let mut worst = Worst::default();
        check_condensed(&factor(&pattern, &values), &full, &dofs, &mut worst, &format!("seed {seed}, n = {n}"));
        worst.check(1e-12);
    }
}
