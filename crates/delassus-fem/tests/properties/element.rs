//! Properties of every element.

use delassus_fem::element::{Element, Q4, T3};
use delassus_fem::{Body, BodyInput, Vector};
use delassus_mesh::{CellBlock, Mesh};
use std::sync::Arc;

use crate::support::{Numbers, soft};

/// Runs a generic check for every element: a new element is one line here.
macro_rules! for_every_element {
    ($check:ident) => {
        $check::<T3, 2, 3>();
        $check::<Q4, 2, 4>();
    };
}

fn interior_points<E: Element<D, N>, const D: usize, const N: usize>() -> Vec<Vector<D>> {
    // convex combinations of the nodes
    let mut numbers = Numbers::new(3);
    (0..20)
        .map(|_| {
            let w: Vec<f64> = (0..N).map(|_| 1.0 + numbers.next()).collect();
            let sum: f64 = w.iter().sum();
            E::NODES.iter().zip(&w).fold(Vector::zeros(), |x, (node, w)| x + Vector::from(*node) * (w / sum))
        })
        .collect()
}

fn kronecker<E: Element<D, N>, const D: usize, const N: usize>() {
    for (a, node) in E::NODES.iter().enumerate() {
        let shape = E::shape(&Vector::from(*node));
        for b in 0..N {
            let delta = f64::from(u8::from(a == b));
            assert!((shape[b] - delta).abs() < 1e-15, "N_{b} at node {a} of {:?}", E::KIND);
        }
    }
    assert_eq!((E::KIND.n_nodes(), E::KIND.dim()), (N, D));
}

fn partition_of_unity<E: Element<D, N>, const D: usize, const N: usize>() {
    for xi in interior_points::<E, D, N>() {
        assert!((E::shape(&xi).sum() - 1.0).abs() < 1e-15, "Σ N = 1");
        assert!(E::shape_grad(&xi).column_sum().norm() < 1e-15, "Σ ∇N = 0");
        // isoparametric: Σ N_a ξ_a = ξ
        let back = (0..N).fold(Vector::<D>::zeros(), |x, a| x + Vector::from(E::NODES[a]) * E::shape(&xi)[a]);
        assert!((back - xi).norm() < 1e-15);
    }
}

fn gradients<E: Element<D, N>, const D: usize, const N: usize>() {
    let dx = 1e-5;
    for xi in interior_points::<E, D, N>() {
        let exact = E::shape_grad(&xi);
        for i in 0..D {
            let mut step = Vector::<D>::zeros();
            step[i] = dx;
            let secant = (E::shape(&(xi + step)) - E::shape(&(xi - step))) / (2.0 * dx);
            // central differences of at most quadratic functions are exact; rounding 1e-16/1e-5
            assert!((exact.row(i).transpose() - secant).norm() < 1e-10, "{:?}", E::KIND);
        }
    }
}

/// The mass of one distorted cell is ρ t times its area by the shoelace formula, and its centre of mass is right.
fn volume<E: Element<2, N>, const D: usize, const N: usize>() {
    let mut numbers = Numbers::new(11);
    for _ in 0..20 {
        let x: Vec<[f64; 2]> =
            E::NODES.iter().map(|n| std::array::from_fn(|i| 3.0 * n[i] + 0.3 * numbers.next())).collect();
        let cross = |k: usize| x[k][0] * x[(k + 1) % N][1] - x[(k + 1) % N][0] * x[k][1];
        let area: f64 = (0..N).map(|k| 0.5 * cross(k)).sum();
        let first: f64 = (0..N).map(|k| (x[k][0] + x[(k + 1) % N][0]) * cross(k) / 6.0).sum();

        let blocks = vec![CellBlock { kind: E::KIND, nodes: (0..N).collect() }];
        let mesh = Arc::new(Mesh { points: x.clone(), blocks, groups: vec![] });
        let body = Body::new(BodyInput::new("cell", mesh, soft())).unwrap();
        assert!((body.total_mass() - 2.5 * area).abs() < 1e-13 * area, "{:?}", E::KIND);
        let moment: f64 = body.node_masses().iter().zip(&x).map(|(m, x)| m * x[0]).sum();
        assert!((moment - 2.5 * first).abs() < 1e-12 * area, "rounding of a dozen terms of order 10");
    }
}

#[test]
fn shape_functions_are_one_at_their_node_and_zero_at_the_others() {
    for_every_element!(kronecker);
}

#[test]
fn shape_functions_add_to_one_and_reproduce_coordinates() {
    for_every_element!(partition_of_unity);
}

#[test]
fn gradients_are_those_of_the_shape_functions() {
    for_every_element!(gradients);
}

#[test]
fn cells_have_the_area_of_their_polygon() {
    for_every_element!(volume);
}

/// Rules integrate 1 exactly: weights add to the reference volume, which the shape functions' own nodes give.
#[test]
fn weights_of_both_rules_agree() {
    fn check<E: Element<D, N>, const D: usize, const N: usize>() {
        let sum = |rule: &[([f64; D], f64)]| rule.iter().map(|r| r.1).sum::<f64>();
        assert!((sum(E::RULE) - sum(E::MASS_RULE)).abs() < 1e-15);
    }
    for_every_element!(check);
}
