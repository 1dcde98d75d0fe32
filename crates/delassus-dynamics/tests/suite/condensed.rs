//! Condensed operators: tiles against solves, the same bits however they were come by, and turned twins.

use std::collections::BTreeSet;

use delassus_dynamics::effective_mass::Coefficients;
use delassus_dynamics::factor::{Factor, Order, Workspace};
use delassus_dynamics::{BlockRotation, Condensed, Operator, System};
use nalgebra::{DMatrix, DVector};

use crate::common::{Linear, Random, Worst, condensed, dense, difference};
use crate::order::{analysis, grid, values};

/// The matrix of a box of 9 × 8 × 7 nodes with three dofs each, condensed on two of its sides.
fn of_a_box(order: Order) -> (Factor, Vec<usize>) {
    let pattern = grid([9, 8, 7], 3);
    let values = values(&pattern, &mut Random::new(5));
    let factor = Factor::new(&analysis(&pattern, order), &values, "test").unwrap();
    (factor, (0..9 * 8 * 7).filter(|site| site / 72 == 0 || site % 9 == 8).collect())
}

fn all_bits(w: &Condensed, sites: &[usize]) -> Vec<u64> {
    let tile = |k: usize, l: usize| w.tile(w.place(k).unwrap(), w.place(l).unwrap()).0.iter().map(|x| x.to_bits());
    sites.iter().flat_map(|&k| sites.iter().flat_map(move |&l| tile(k, l))).collect()
}

#[test]
fn tiles_are_what_solves_give() {
    let mut worst = Worst::default();
    for order in [Order::MinimumDegree, Order::NestedDissection] {
        let (factor, sites) = of_a_box(order);
        let fixed = [3 * sites[5] + 1, 3 * sites[40]];
        let mut w = Condensed::new(factor.analysis(), 3, &sites, &fixed);
        assert!(w.n_panels() == 4 && w.n_sites() == sites.len(), "{} panels", w.n_panels());
        w.expose_all(&factor).unwrap();
        let mut workspace = Workspace::new(factor.analysis());
        for &j in sites.iter().step_by(7).chain([&sites[5]]) {
            for c in 0..3 {
                let mut x = vec![0.0; factor.n()];
                x[3 * j + c] = 1.0;
                factor.solve(&mut x, &mut workspace);
                for &i in &sites {
                    let (tile, is_flipped) = w.tile(w.place(i).unwrap(), w.place(j).unwrap());
                    for r in 0..3 {
                        let entry = if is_flipped { tile[3 * c + r] } else { tile[3 * r + c] };
                        let is_fixed = fixed.contains(&(3 * i + r)) || fixed.contains(&(3 * j + c));
                        let expected = if is_fixed { 0.0 } else { x[3 * i + r] };
                        // entries are of the order 1e-2
                        worst.see((entry - expected).abs(), || format!("{order:?}, ({i}, {j})"));
                        assert_eq!(w.entry(3 * i + r, 3 * j + c).map(f64::to_bits), Some(entry.to_bits()));
                    }
                }
            }
        }
    }
    worst.check(1e-16);
}

/// Panels one by one, in any order, with others given up in between: the same bits as all at once.
#[test]
fn bits_do_not_depend_on_what_was_exposed_before() {
    for order in [Order::MinimumDegree, Order::NestedDissection] {
        let (factor, sites) = of_a_box(order);
        let mut at_once = Condensed::new(factor.analysis(), 3, &sites, &[]);
        at_once.expose_all(&factor).unwrap();
        assert_eq!(at_once.bytes_of(at_once.exposed()), at_once.bytes_of_all());
        let expected = all_bits(&at_once, &sites);
        for history in [vec![0, 1, 2, 3], vec![3, 1, 0, 2], vec![2, 3, 0, 1]] {
            let mut w = Condensed::new(factor.analysis(), 3, &sites, &[]);
            assert!(sites.iter().all(|&s| w.place(s).is_none()) && w.bytes_of(w.exposed()) == 0);
            for &panel in &history {
                w.expose(&factor, &BTreeSet::from([panel])).unwrap();
            }
            assert_eq!(all_bits(&w, &sites), expected, "{order:?}, {history:?}");
            w.keep_only(&BTreeSet::from([1, 2]));
            let hidden = sites.iter().filter(|&&s| w.place(s).is_none()).count();
            let outside = sites.iter().filter(|&&s| ![1, 2].contains(&w.panel_of(s).unwrap())).count();
            assert!(hidden == outside && w.bytes_of(w.exposed()) < w.bytes_of_all(), "{hidden}, not {outside}");
            w.expose(&factor, &BTreeSet::from([0, 3])).unwrap();
            assert_eq!(all_bits(&w, &sites), expected, "{order:?}, {history:?}, given up and back");
        }
    }
}

#[test]
fn memory_is_known_beforehand() {
    let (factor, sites) = of_a_box(Order::NestedDissection);
    let w = Condensed::new(factor.analysis(), 3, &sites, &[]);
    // 120 sites in panels of 32: 3 of them full, one of 24; tiles of 9 numbers
    let full = (1 + 2 + 3) * 32 * 32 + 4 * 24 * 32;
    assert_eq!((sites.len(), w.bytes_of_all()), (120, 8 * 9 * full));
    // Z holds less than a dense one would, and more than the last supernode's part
    let peak = w.peak(factor.analysis()).unwrap();
    assert!(peak > 8 * 120 * 3 * 100 && peak < 8 * 120 * 3 * factor.n(), "{peak}");
}

const COEFFICIENTS: Coefficients = Coefficients { damping: 0.11, stiffness: 0.27 };

/// w of a turned twin is R w Rᵀ, by dense matrices.
#[test]
fn a_turned_twin_is_served_by_the_same_factor() {
    let mut worst = Worst::default();
    for d in [2, 3] {
        let n = 30 * d;
        let system = Linear::random(&mut Random::new(d as u64), n);
        let first = Operator::new(&system, COEFFICIENTS).unwrap();
        let (s, c) = 0.7_f64.sin_cos();
        let rows =
            if d == 2 { vec![c, -s, s, c] } else { vec![c, -s, 0.0, 0.6 * s, 0.6 * c, -0.8, 0.8 * s, 0.8 * c, 0.6] };
        let rotation = BlockRotation::new(d, rows.clone()).unwrap();
        assert_eq!(rotation.rows(), rows);
        let mut twin = first.twin(Some(rotation));
        assert!(std::sync::Arc::ptr_eq(first.factor(), twin.factor()));
        let r = DMatrix::from_fn(n, n, |i, j| if i / d == j / d { rows[i % d * d + j % d] } else { 0.0 });
        let w = &r * dense::inverse_on_free(&dense::effective(&system, COEFFICIENTS), &[]) * r.transpose();
        let x = Random::new(3).vector(n);
        let mut y = x.clone();
        twin.apply(&mut y);
        worst.see(difference(&y, (&w * DVector::from_vec(x)).as_slice(), 0.0), || format!("d = {d}"));
    }
    worst.check(1e-12);
    assert_eq!(BlockRotation::new(3, vec![1.0; 4]), None);
    assert_eq!(BlockRotation::new(0, Vec::new()), None);
}

#[test]
fn a_straight_twin_gives_the_same_bits() {
    let system = Linear::random(&mut Random::new(8), 40).moved(&[3, 4], |_, _| (0.0, 0.0));
    let mut first = Operator::new(&system, COEFFICIENTS).unwrap();
    let mut twin = first.twin(None);
    let mut x = Random::new(1).vector(system.n_dof());
    let mut y = x.clone();
    first.apply(&mut x);
    twin.apply(&mut y);
    assert_eq!(crate::common::bits(&x), crate::common::bits(&y));
    assert!(x[3].abs() == 0.0 && x[4].abs() == 0.0 && twin.rotation().is_none());
    let w = condensed(&twin, 1, &[2, 3, 9]);
    assert!(w.entry(3, 9).is_some_and(|w| w.abs() == 0.0) && w.entry(2, 9).is_some_and(|w| w.abs() > 0.0));
}
