//! Internal forces, energies and matrices of bodies on distorted meshes.

use std::sync::Arc;

use delassus_dynamics::{System, symmetric_times_into};
use delassus_fem::{Body, BodyInput, MassKind};
use delassus_mesh::{CellBlock, CellKind, Mesh};

use crate::support::{Numbers, dense, distorted, for_every_body, kinds, max_abs, n_rigid, rotations, soft, stiffness};

fn force<const D: usize>(body: &Body<D>, q: &[f64]) -> Vec<f64> {
    let mut f = vec![f64::NAN; body.n_dof()];
    body.elastic_force_into(q, &mut f);
    f
}

#[test]
fn rigid_translation_makes_exactly_no_force_and_no_energy() {
    fn check<const D: usize>(body: &Body<D>, name: &str) {
        // a translation that is not a round number, as large as a satellite orbit
        let shift = [6_371_000.1, -0.123_456_789, 77.7];
        let q: Vec<f64> = (0..body.n_dof()).map(|k| shift[k % D]).collect();
        assert!(force(body, &q).iter().all(|f| f.abs() <= 0.0), "{name}");
        assert!(body.elastic_energy(&q).abs() <= 0.0, "{name}");
    }
    for_every_body!(4, check);
}

#[test]
fn small_rotation_makes_no_force() {
    fn check<const D: usize>(body: &Body<D>, name: &str) {
        for rotation in rotations(&body.mesh().points) {
            let q: Vec<f64> = rotation.iter().map(|u| 0.01 * u).collect();
            // stiffness of order 3, displacements of order 0.01
            assert!(max_abs(&force(body, &q)) < 2e-14, "{name}: {:e}", max_abs(&force(body, &q)));
            assert!(body.elastic_energy(&q).abs() < 1e-16, "{name}");
        }
    }
    for_every_body!(4, check);
}

#[test]
fn forces_of_a_free_body_add_to_zero_and_have_no_moment() {
    fn check<const D: usize>(body: &Body<D>, name: &str) {
        let f = force(body, &Numbers::new(1).vector(body.n_dof()));
        let sums = (0..D).map(|i| f.iter().skip(i).step_by(D).sum::<f64>());
        // the moment is the work on a rotation
        let moments = rotations(&body.mesh().points).into_iter().map(|r| r.iter().zip(&f).map(|(r, f)| r * f).sum());
        for residual in sums.chain(moments) {
            assert!(
                residual.abs() < 2e-13 * max_abs(&f),
                "{name}: {residual:e}, rounding of 50 to 240 terms of order 1"
            );
        }
    }
    for_every_body!(4, check);
}

#[test]
fn stiffness_times_displacement_is_the_force() {
    fn check<const D: usize>(body: &Body<D>, name: &str) {
        let q = Numbers::new(2).vector(body.n_dof());
        let (f, mut kq) = (force(body, &q), vec![0.0; body.n_dof()]);
        symmetric_times_into(body.matrices().pattern(), body.matrices().stiffness.values(), &q, &mut kq);
        let error = f.iter().zip(&kq).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
        assert!(error < 1e-12 * max_abs(&f), "{name}: {error:e}");
        let work: f64 = q.iter().zip(&kq).map(|(q, f)| 0.5 * q * f).sum();
        assert!((body.elastic_energy(&q) / work - 1.0).abs() < 1e-12, "{name}");
        // Two at once: to the bit.
        let half: Vec<f64> = q.iter().map(|q| 0.5 * q).collect();
        let apart = [&q, &half].map(|q| body.elastic_energy(q).to_bits());
        assert_eq!(body.elastic_energies([&q, &half]).map(f64::to_bits), apart, "{name}");
    }
    for_every_body!(4, check);
}

#[test]
fn energy_is_the_potential_of_the_force() {
    fn check<const D: usize>(body: &Body<D>, name: &str) {
        let q = Numbers::new(4).vector(body.n_dof());
        let f = force(body, &q);
        for dof in (0..body.n_dof()).step_by(if D == 2 { 1 } else { 5 }) {
            let energy = |step: f64| {
                let mut moved = q.clone();
                moved[dof] += step;
                body.elastic_energy(&moved)
            };
            let secant = (energy(1e-4) - energy(-1e-4)) / 2e-4;
            // exact for quadratic functions, but for rounding: 1e-15·(10 to 1000)/1e-4
            assert!((secant - f[dof]).abs() < 1e-11 * (100.0 + body.elastic_energy(&q)), "{name} dof {dof}");
        }
    }
    for_every_body!(2, check);
}

/// Eigenvalues of the stiffness, ascending.
fn spectrum<const D: usize>(body: &Body<D>) -> Vec<f64> {
    let mut eigenvalues: Vec<f64> = stiffness(body).symmetric_eigenvalues().as_slice().to_vec();
    eigenvalues.sort_by(f64::total_cmp);
    eigenvalues
}

#[test]
fn stiffness_is_positive_with_the_rigid_modes_only() {
    fn check<const D: usize>(body: &Body<D>, name: &str) {
        let (eigenvalues, n) = (spectrum(body), n_rigid(D));
        let largest = eigenvalues[eigenvalues.len() - 1];
        assert!(eigenvalues[..n].iter().all(|x| x.abs() < 2e-14 * largest), "{name}: {:?}", &eigenvalues[..=n]);
        // the softest elastic mode: 7e-4 for Hexahedron20, more for the others
        assert!(eigenvalues[n] > 5e-4 * largest, "{name}: no hourglass mode, {:?} {largest}", &eigenvalues[..=n]);
    }
    for_every_body!(3, check);
}

#[test]
fn masses_add_up_and_consistent_mass_is_positive() {
    fn check<const D: usize>(body: &Body<D>, name: &str) {
        // density 2.5
        let mass = 2.5 * body.section().thickness() * body.mesh().total_measure();
        assert!((body.total_mass() - mass).abs() < 1e-13 * mass, "{name}");
        assert!(body.matrices().lumped);
        assert!(body.node_masses().iter().all(|m| *m > 0.0), "{name}");
    }
    for_every_body!(3, check);

    fn consistent<const D: usize>() {
        for kind in kinds::<D>() {
            let mesh: Arc<Mesh<D>> = Arc::new(distorted(kind, 2));
            let input = BodyInput { mass: MassKind::Consistent, ..BodyInput::new("test", mesh, soft()) };
            let body = Body::new(input).unwrap();
            let mass = dense(&body.matrices().mass);
            assert!(!body.matrices().lumped && mass.clone().cholesky().is_some(), "{kind}");
            let total = 2.5 * body.mesh().total_measure();
            assert!((body.total_mass() - total).abs() < 1e-13 * total, "{kind}");
            // node masses are the row sums, and directions are not coupled
            for (node, m) in body.node_masses().iter().enumerate() {
                for (i, j) in (0..D).flat_map(|i| (0..D).map(move |j| (i, j))) {
                    let along = mass.row(D * node + i).iter().skip(j).step_by(D).sum::<f64>();
                    let exact = if i == j { *m } else { 0.0 };
                    assert!((along - exact).abs() < 1e-15, "{kind}");
                }
            }
        }
    }
    consistent::<2>();
    consistent::<3>();
}

/// Scaled diagonals (Hinton, Rock & Zienkiewicz 1976): shares of a corner and of a middle of undistorted cells.
#[test]
fn lumped_masses_of_quadratic_cells_are_those_of_the_textbooks() {
    fn shares<const D: usize>(kind: CellKind, x: &[[f64; D]], corner: f64, middle: f64) {
        let mut points = x.to_vec();
        for &[a, b] in kind.mid_nodes() {
            points.push(std::array::from_fn(|i| 0.5 * (x[a][i] + x[b][i])));
        }
        let blocks = vec![CellBlock { kind, nodes: (0..kind.n_nodes()).collect() }];
        let body =
            Body::new(BodyInput::new("cell", Arc::new(Mesh { points, blocks, groups: vec![] }), soft())).unwrap();
        for (node, m) in body.node_masses().iter().enumerate() {
            let exact = if node < x.len() { corner } else { middle };
            assert!((m / body.total_mass() - exact).abs() < 1e-14, "{kind} node {node}: {}", m / body.total_mass());
        }
    }
    let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    let cube = [0.0, 1.0].map(|z| square.map(|[x, y]| [x, y, z])).concat();
    let tetrahedron = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    // diagonals ∫N² of corner and middle are as 3 to 16 in the plane
    shares(CellKind::Triangle6, &square[..3], 3.0 / 57.0, 16.0 / 57.0);
    shares(CellKind::Quad8, &square, 3.0 / 76.0, 16.0 / 76.0);
    // as 6 to 32 in the tetrahedron
    shares(CellKind::Tetrahedron10, &tetrahedron, 6.0 / 216.0, 32.0 / 216.0);
    // as 28/135 to 64/135 in the cube
    shares(CellKind::Hexahedron20, &cube, 7.0 / 248.0, 16.0 / 248.0);
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
        let mass = dense(&body.matrices().mass);
        for (node, share) in first_row.iter().enumerate() {
            assert!((mass[(0, 2 * node)] / body.total_mass() - share).abs() < 1e-15, "{kind} node {node}");
        }
    }
}

#[test]
fn mass_times_is_the_product_with_the_matrix() {
    for mass in [MassKind::Lumped, MassKind::Consistent] {
        let mesh = Arc::new(distorted::<2>(CellKind::Quad4, 3));
        let body = Body::new(BodyInput { mass, ..BodyInput::new("test", mesh, soft()) }).unwrap();
        let x = Numbers::new(8).vector(body.n_dof());
        let mut y = vec![f64::NAN; x.len()];
        body.mass_times_into(&x, &mut y);
        let exact = dense(&body.matrices().mass) * nalgebra::DVector::from_column_slice(&x);
        assert!(y.iter().zip(exact.iter()).all(|(a, b)| (a - b).abs() < 1e-15), "{mass:?}");
    }
}

#[test]
fn forces_are_the_same_bit_for_bit_each_time() {
    fn check<const D: usize>(body: &Body<D>, _: &str) {
        let q = Numbers::new(9).vector(body.n_dof());
        assert_eq!(force(body, &q), force(body, &q));
    }
    for_every_body!(4, check);
}
