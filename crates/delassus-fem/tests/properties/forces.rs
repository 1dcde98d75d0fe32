//! Internal forces, energies and matrices of bodies on distorted meshes.

use delassus_dynamics::{System, symmetric_times_into};
use delassus_fem::{Body, BodyInput, MassKind};
use delassus_mesh::{CellBlock, CellKind, Mesh};
use std::sync::Arc;

use crate::support::{Numbers, dense, distorted, for_every_body, max_abs, soft, stiffness};

fn force(body: &Body<2>, q: &[f64]) -> Vec<f64> {
    let mut f = vec![f64::NAN; body.n_dof()];
    body.elastic_force_into(q, &mut f);
    f
}

#[test]
fn rigid_translation_makes_exactly_no_force_and_no_energy() {
    for_every_body(4, |body, name| {
        // a translation that is not a round number, as large as a satellite orbit
        let q: Vec<f64> = (0..body.n_dof()).map(|k| if k % 2 == 0 { 6_371_000.1 } else { -0.123_456_789 }).collect();
        assert!(force(body, &q).iter().all(|f| f.abs() <= 0.0), "{name}");
        assert!(body.elastic_energy(&q).abs() <= 0.0, "{name}");
    });
}

#[test]
fn small_rotation_makes_no_force() {
    for_every_body(4, |body, name| {
        let q: Vec<f64> = body.mesh().points.iter().flat_map(|x| [-0.01 * x[1], 0.01 * x[0]]).collect();
        // stiffness of order 3, displacements of order 0.01
        assert!(max_abs(&force(body, &q)) < 1e-14, "{name}: {:e}", max_abs(&force(body, &q)));
        assert!(body.elastic_energy(&q).abs() < 1e-16, "{name}");
    });
}

#[test]
fn forces_of_a_free_body_add_to_zero_and_have_no_moment() {
    for_every_body(4, |body, name| {
        let f = force(body, &Numbers::new(1).vector(body.n_dof()));
        let sum = |i: usize| f.iter().skip(i).step_by(2).sum::<f64>();
        let moment: f64 = body.mesh().points.iter().zip(f.chunks(2)).map(|(x, f)| x[0] * f[1] - x[1] * f[0]).sum();
        for residual in [sum(0), sum(1), moment] {
            assert!(residual.abs() < 1e-13 * max_abs(&f), "{name}: rounding of 50 terms of order 1");
        }
    });
}

#[test]
fn stiffness_times_displacement_is_the_force() {
    for_every_body(4, |body, name| {
        let q = Numbers::new(2).vector(body.n_dof());
        let (f, mut kq) = (force(body, &q), vec![0.0; body.n_dof()]);
        symmetric_times_into(&body.matrices().pattern, &body.matrices().stiffness, &q, &mut kq);
        let error = f.iter().zip(&kq).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
        assert!(error < 1e-12 * max_abs(&f), "{name}: {error:e}");
        let work: f64 = q.iter().zip(&kq).map(|(q, f)| 0.5 * q * f).sum();
        assert!((body.elastic_energy(&q) / work - 1.0).abs() < 1e-12, "{name}");
    });
}

#[test]
fn energy_is_the_potential_of_the_force() {
    for_every_body(2, |body, name| {
        let q = Numbers::new(4).vector(body.n_dof());
        let f = force(body, &q);
        for dof in 0..body.n_dof() {
            let energy = |step: f64| {
                let mut moved = q.clone();
                moved[dof] += step;
                body.elastic_energy(&moved)
            };
            let secant = (energy(1e-4) - energy(-1e-4)) / 2e-4;
            // exact for quadratic functions, but for rounding: 1e-15·10/1e-4
            assert!((secant - f[dof]).abs() < 1e-9, "{name} dof {dof}");
        }
    });
}

#[test]
fn stiffness_is_positive_with_exactly_three_rigid_modes() {
    for_every_body(3, |body, name| {
        let mut eigenvalues: Vec<f64> = stiffness(body).symmetric_eigenvalues().as_slice().to_vec();
        eigenvalues.sort_by(f64::total_cmp);
        let largest = eigenvalues[eigenvalues.len() - 1];
        assert!(eigenvalues[..3].iter().all(|x| x.abs() < 1e-14 * largest), "{name}: {:?}", &eigenvalues[..4]);
        assert!(eigenvalues[3] > 1e-3 * largest, "{name}: no hourglass mode, {:?}", &eigenvalues[..4]);
    });
}

#[test]
fn single_cells_have_three_rigid_modes_only() {
    for_every_body(1, |body, name| {
        let mut eigenvalues: Vec<f64> = stiffness(body).symmetric_eigenvalues().as_slice().to_vec();
        eigenvalues.sort_by(f64::total_cmp);
        assert!(eigenvalues[2].abs() < 1e-14 && eigenvalues[3] > 1e-2, "{name}: {:?}", &eigenvalues[..4]);
    });
}

#[test]
fn masses_add_up_and_consistent_mass_is_positive() {
    for_every_body(3, |body, name| {
        // density 2.5, thickness 0.7
        let area = body.mesh().total_measure();
        assert!((body.total_mass() - 2.5 * 0.7 * area).abs() < 1e-13 * area, "{name}");
        assert!(body.matrices().lumped);
    });
    for kind in crate::support::KINDS {
        let mesh = Arc::new(distorted(kind, 3));
        let input = BodyInput { mass: MassKind::Consistent, ..BodyInput::new("test", mesh, soft()) };
        let body = Body::new(input).unwrap();
        let mass = dense(body.matrices(), &body.matrices().mass);
        assert!(!body.matrices().lumped && mass.clone().cholesky().is_some());
        // the same row sums as the lumped one, and no coupling between directions
        for (node, m) in body.node_masses().iter().enumerate() {
            let along = |i: usize, j: usize| mass.row(2 * node + i).iter().skip(j).step_by(2).sum::<f64>();
            assert!((along(0, 0) - m).abs() < 1e-15 && (along(1, 1) - m).abs() < 1e-15);
            assert!(along(0, 1).abs() + along(1, 0).abs() <= 0.0);
        }
    }
}

/// Textbook values: a triangle has ρA/6 on and ρA/12 off the diagonal, a rectangle ρA/36 (4, 2, 1, 2).
#[test]
fn consistent_mass_of_single_cells_is_exact() {
    let rectangle = [[0.0, 0.0], [2.0, 0.0], [2.0, 3.0], [0.0, 3.0]];
    let cases: [(CellKind, &[f64]); 2] = [
        (CellKind::Triangle3, &[1.0 / 6.0, 1.0 / 12.0, 1.0 / 12.0]),
        (CellKind::Quad4, &[4.0 / 36.0, 2.0 / 36.0, 1.0 / 36.0, 2.0 / 36.0]),
    ];
    for (kind, first_row) in cases {
        let n = kind.n_nodes();
        let blocks = vec![CellBlock { kind, nodes: (0..n).collect() }];
        let mesh = Arc::new(Mesh { points: rectangle[..n].to_vec(), blocks, groups: vec![] });
        let input = BodyInput { mass: MassKind::Consistent, ..BodyInput::new("cell", mesh, soft()) };
        let body = Body::new(input).unwrap();
        let mass = dense(body.matrices(), &body.matrices().mass);
        for (node, share) in first_row.iter().enumerate() {
            assert!((mass[(0, 2 * node)] / body.total_mass() - share).abs() < 1e-15, "{kind} node {node}");
        }
    }
}

#[test]
fn mass_times_is_the_product_with_the_matrix() {
    for mass in [MassKind::Lumped, MassKind::Consistent] {
        let mesh = Arc::new(distorted(crate::support::KINDS[1], 3));
        let body = Body::new(BodyInput { mass, ..BodyInput::new("test", mesh, soft()) }).unwrap();
        let x = Numbers::new(8).vector(body.n_dof());
        let mut y = vec![f64::NAN; x.len()];
        body.mass_times_into(&x, &mut y);
        let exact = dense(body.matrices(), &body.matrices().mass) * nalgebra::DVector::from_column_slice(&x);
        assert!(y.iter().zip(exact.iter()).all(|(a, b)| (a - b).abs() < 1e-15), "{mass:?}");
    }
}

#[test]
fn forces_are_the_same_bit_for_bit_each_time() {
    for_every_body(4, |body, _| {
        let q = Numbers::new(9).vector(body.n_dof());
        assert_eq!(force(body, &q), force(body, &q));
    });
}
