//! Properties of every element.

use std::sync::Arc;

use delassus_fem::element::{
    Element, Hexahedron8, Hexahedron20, Prism6, Quad4, Quad8, Segment2, Segment3, Tetrahedron4, Tetrahedron10,
    Triangle3, Triangle6,
};
use delassus_fem::{Body, BodyInput, MassKind, Vector};
use delassus_mesh::{CellBlock, CellKind, Mesh};

use crate::support::{Numbers, models, n_rigid, soft, stiffness};

/// Runs a generic check for every element that is a body: a new element is one line here.
macro_rules! for_every_bulk_element {
    ($check:ident) => {
        $check::<Triangle3, 2, 3>();
        $check::<Triangle6, 2, 6>();
        $check::<Quad4, 2, 4>();
        $check::<Quad8, 2, 8>();
        $check::<Tetrahedron4, 3, 4>();
        $check::<Tetrahedron10, 3, 10>();
        $check::<Hexahedron8, 3, 8>();
        $check::<Hexahedron20, 3, 20>();
        $check::<Prism6, 3, 6>();
    };
}

/// The same for all elements, also those that are facets only.
macro_rules! for_every_element {
    ($check:ident) => {
        $check::<Segment2, 1, 2>();
        $check::<Segment3, 1, 3>();
        for_every_bulk_element!($check);
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
    // the nodes are where the table of kinds has them: middles, and corners with a positive frame
    for (m, &[a, b]) in E::KIND.mid_nodes().iter().enumerate() {
        let middle = E::NODES[E::KIND.n_corners() + m];
        assert!((0..D).all(|i| (middle[i] - 0.5 * (E::NODES[a][i] + E::NODES[b][i])).abs() < 1e-300));
    }
}

fn partition_of_unity<E: Element<D, N>, const D: usize, const N: usize>() {
    for xi in interior_points::<E, D, N>() {
        // a few roundings for each of up to 20 functions
        assert!((E::shape(&xi).sum() - 1.0).abs() < 2e-15, "Σ N = 1");
        assert!(E::shape_grad(&xi).column_sum().norm() < 2e-15, "Σ ∇N = 0 {:?}", E::KIND);
        // isoparametric: Σ N_a ξ_a = ξ
        let back = (0..N).fold(Vector::<D>::zeros(), |x, a| x + Vector::from(E::NODES[a]) * E::shape(&xi)[a]);
        assert!((back - xi).norm() < 2e-15);
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
            // central differences of functions at most quadratic in each coordinate are exact; rounding 1e-16/1e-5
            assert!((exact.row(i).transpose() - secant).norm() < 1e-10, "{:?}", E::KIND);
        }
    }
}

/// Volume and first moment ∫ x dV of a cell with straight edges, from the simplices of the table.
fn simplices<const D: usize>(kind: CellKind, x: &[[f64; D]]) -> (f64, [f64; D]) {
    let (mut volume, mut moment) = (0.0, [0.0; D]);
    for simplex in kind.simplices() {
        let blocks = vec![CellBlock { kind: SIMPLEX[D], nodes: (0..=D).collect() }];
        let mesh = Mesh { points: simplex.iter().map(|&l| x[l]).collect(), blocks, groups: vec![] };
        let size = mesh.cell_measure(0) / kind.covers() as f64;
        volume += size;
        (0..D).for_each(|i| moment[i] += size * mesh.cell_centre(0)[i]);
    }
    (volume, moment)
}

const SIMPLEX: [CellKind; 4] = [CellKind::Point, CellKind::Segment2, CellKind::Triangle3, CellKind::Tetrahedron4];

/// The mass of one distorted cell is ρ t times its volume by simplices, and its centre of mass is right (where the two
/// splits of a cell with warped faces differ, their mean is exact for the volume, but not for the moment).
fn volume<E: Element<D, N>, const D: usize, const N: usize>() {
    let mut numbers = Numbers::new(11);
    for _ in 0..20 {
        // corners at random, or by a random affine map; middles in the middle
        let affine = D == 3 && E::KIND.covers() > 1 && numbers.next() > 0.0;
        let map: Vec<f64> = numbers.vector(D * D);
        let corner = |node: &[f64; D], numbers: &mut Numbers| -> [f64; D] {
            std::array::from_fn(|i| {
                let noise = if affine { (0..D).map(|j| map[D * i + j] * node[j]).sum() } else { numbers.next() };
                3.0 * node[i] + 0.3 * noise
            })
        };
        let mut x: Vec<[f64; D]> =
            E::NODES[..E::KIND.n_corners()].iter().map(|node| corner(node, &mut numbers)).collect();
        for &[a, b] in E::KIND.mid_nodes() {
            x.push(std::array::from_fn(|i| 0.5 * (x[a][i] + x[b][i])));
        }
        let (size, first) = simplices(E::KIND, &x);

        let blocks = vec![CellBlock { kind: E::KIND, nodes: (0..N).collect() }];
        let mesh = Arc::new(Mesh { points: x.clone(), blocks, groups: vec![] });
        let body = Body::new(BodyInput { mass: MassKind::Consistent, ..BodyInput::new("cell", mesh, soft()) }).unwrap();
        assert!((body.total_mass() - 2.5 * size).abs() < 1e-13 * size, "{:?}", E::KIND);
        let moment: f64 = body.node_masses().iter().zip(&x).map(|(m, x)| m * x[0]).sum();
        if affine || E::KIND.covers() == 1 {
            // N_a N_b x of quadratic cells is one degree more than the mass rules are made for, where J varies
            assert!((moment - 2.5 * first[0]).abs() < 1e-11 * size, "{:?}: {moment} {}", E::KIND, 2.5 * first[0]);
        }
    }
}

/// A single cell, slightly distorted, has no mode without energy but the rigid ones, in any formulation.
fn rigid_modes<E: Element<D, N>, const D: usize, const N: usize>() {
    for (section, formulation) in models::<D>() {
        let mut numbers = Numbers::new(13);
        let points = E::NODES.map(|x| x.map(|x| x + 0.02 * numbers.next())).to_vec();
        let mesh = Arc::new(Mesh {
            points,
            blocks: vec![CellBlock { kind: E::KIND, nodes: (0..N).collect() }],
            groups: vec![],
        });
        let body = Body::new(BodyInput { section, formulation, ..BodyInput::new("cell", mesh, soft()) }).unwrap();
        let mut eigenvalues: Vec<f64> = stiffness(&body).symmetric_eigenvalues().as_slice().to_vec();
        eigenvalues.sort_by(f64::total_cmp);
        let (n, largest) = (n_rigid(D), eigenvalues[eigenvalues.len() - 1]);
        assert!(eigenvalues[n - 1].abs() < 1e-14 * largest, "{:?} {formulation:?}: {:?}", E::KIND, &eigenvalues[..=n]);
        assert!(eigenvalues[n] > 1e-3 * largest, "{:?} {formulation:?}: {:?} {largest}", E::KIND, &eigenvalues[..=n]);
    }
}

/// A point of a distorted cell is found again with the shape functions it was made of; one outside is not.
fn located<E: Element<D, N>, const D: usize, const N: usize>() {
    let mut numbers = Numbers::new(17);
    let points = E::NODES.map(|x| x.map(|x| x + 0.05 * numbers.next())).to_vec();
    let mesh = Arc::new(Mesh {
        points: points.clone(),
        blocks: vec![CellBlock { kind: E::KIND, nodes: (0..N).collect() }],
        groups: vec![],
    });
    let body = Body::new(BodyInput::new("cell", mesh, soft())).unwrap();
    let place = |xi: &Vector<D>| -> [f64; D] {
        let shape = E::shape(xi);
        std::array::from_fn(|i| (0..N).map(|a| shape[a] * points[a][i]).sum())
    };
    let nodes = E::NODES.map(Vector::from);
    for xi in interior_points::<E, D, N>().iter().chain(&nodes) {
        let (cell, found) = body.locate(&place(xi)).unwrap_or_else(|| panic!("{:?} at {xi}", E::KIND));
        assert_eq!((cell, found.len()), (0, N));
        for (node, weight) in found {
            // Newton stops at 1e-12 of the reference cell, and gradients are of the order of 1.
            assert!((weight - E::shape(xi)[node]).abs() < 1e-10, "{:?}: N_{node} at {xi}", E::KIND);
        }
    }
    // Beyond each corner, as seen from the middle; and far away.
    let middle = nodes.iter().fold(Vector::<D>::zeros(), |m, n| m + n / N as f64);
    for corner in &nodes[..E::KIND.n_corners()] {
        let outside = middle + 1.05 * (corner - middle);
        assert!(body.locate(&place(&outside)).is_none(), "{:?} at {outside}", E::KIND);
    }
    assert!(body.locate(&[1e6; D]).is_none() && body.locate(&[f64::NAN; D]).is_none());
}

#[test]
fn points_are_found_in_their_cells() {
    for_every_bulk_element!(located);
}

#[test]
fn single_cells_have_rigid_modes_only() {
    for_every_bulk_element!(rigid_modes);
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
fn cells_have_the_volume_of_their_simplices() {
    for_every_bulk_element!(volume);
}

/// Rules integrate 1 exactly: weights add to the reference volume, which the shape functions' own nodes give.
#[test]
fn weights_of_both_rules_agree() {
    fn check<E: Element<D, N>, const D: usize, const N: usize>() {
        let sum = |rule: &[([f64; D], f64)]| rule.iter().map(|r| r.1).sum::<f64>();
        assert!((sum(E::RULE) - sum(E::MASS_RULE)).abs() < 4e-15, "up to 27 weights that add to 8");
    }
    for_every_element!(check);
}
