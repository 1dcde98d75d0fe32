//! Patch test: a linear displacement field on the boundary of a distorted mesh gives uniform stress inside.
//!
//! Reference: Irons' patch test; any conforming element passes it for linear fields, incompatible modes only with the
//! correction of Taylor, Beresford & Wilson 1976. Tolerance 1e-12: rounding of a dense solve with a condition number of
//! about 100.

use std::sync::Arc;

use delassus_dynamics::{State, System};
use delassus_fem::{Body, BodyInput, Section};
use delassus_mesh::{CellKind, Mesh};

use crate::support::{Numbers, distorted, equilibrium, for_every_body, soft};

/// Displacement gradient H, u = H x.
const GRADIENT: [[f64; 3]; 3] = [[1e-3, 4e-4, -3e-4], [-7e-4, 2e-3, 6e-4], [5e-4, -2e-4, -8e-4]];

/// Stress and strain XX YY ZZ XY YZ XZ for E = 3, ν = 0.3.
fn exact(section: Section) -> ([f64; 6], [f64; 6]) {
    let (young, poisson) = (3.0, 0.3);
    let h = |i: usize, j: usize| if section == Section::Solid || i.max(j) < 2 { GRADIENT[i][j] } else { 0.0 };
    let mut e: [[f64; 3]; 3] = std::array::from_fn(|i| std::array::from_fn(|j| 0.5 * (h(i, j) + h(j, i))));
    if matches!(section, Section::PlaneStress { .. }) {
        e[2][2] = -poisson / (1.0 - poisson) * (e[0][0] + e[1][1]);
    }
    let mu = young / (2.0 * (1.0 + poisson));
    let lambda = young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson));
    let pressure = lambda * (e[0][0] + e[1][1] + e[2][2]);
    let order = [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2)];
    let strain = order.map(|(i, j)| e[i][j]);
    (order.map(|(i, j)| 2.0 * mu * e[i][j] + if i == j { pressure } else { 0.0 }), strain)
}

/// The displacements in equilibrium with the linear field on the boundary, which they must follow inside.
fn equilibrium_of_the_field<const D: usize>(body: &Body<D>, name: &str) -> Vec<f64> {
    let points = &body.mesh().points;
    let field =
        |node: usize| -> [f64; D] { std::array::from_fn(|i| (0..D).map(|j| GRADIENT[i][j] * points[node][j]).sum()) };
    let boundary: std::collections::BTreeSet<usize> =
        body.mesh().boundary().iter().flat_map(|f| f.nodes.clone()).collect();
    let fixed: Vec<(usize, f64)> =
        boundary.iter().flat_map(|&n| (0..D).map(move |i| (n, i))).map(|(n, i)| (D * n + i, field(n)[i])).collect();
    assert!(fixed.len() < body.n_dof(), "there are free nodes");
    let q = equilibrium(body, &fixed, &vec![0.0; body.n_dof()]);
    for (node, u) in q.chunks(D).enumerate() {
        let exact = field(node);
        let error: f64 = (0..D).map(|i| (u[i] - exact[i]).abs()).sum();
        assert!(error < 1e-12 * 5e-3, "{name} node {node}: {error:e}");
    }
    q
}

fn check<const D: usize>(body: &Body<D>, name: &str) {
    let q = equilibrium_of_the_field(body, name);
    let fields = body.cell_fields(&State::new(0.0, q.clone(), vec![0.0; q.len()]));
    assert_eq!(fields.cells.len(), body.mesh().bulk_cells().count());
    let (stress, strain) = exact(body.section());
    for (cell, got) in fields.stress.iter().enumerate() {
        for k in 0..6 {
            assert!((got[k] - stress[k]).abs() < 1e-12 * stress[0], "{name} cell {cell} σ[{k}]: {got:?} {stress:?}");
            assert!((fields.strain[cell][k] - strain[k]).abs() < 1e-12 * strain[1], "{name} cell {cell} ε[{k}]");
        }
    }
    // the matrices know the same material as the output: W = ½ σ:ε V
    let density = (0..6).map(|k| if k < 3 { 0.5 } else { 1.0 } * stress[k] * strain[k]).sum::<f64>();
    let energy = density * body.mesh().total_measure() * body.section().thickness();
    assert!((body.elastic_energy(&q) / energy - 1.0).abs() < 1e-12, "{name}: {} {energy}", body.elastic_energy(&q));
    let [xx, yy, zz, xy, yz, xz] = stress;
    let shear = xy * xy + yz * yz + xz * xz;
    let von_mises = (0.5 * ((xx - yy).powi(2) + (yy - zz).powi(2) + (zz - xx).powi(2)) + 3.0 * shear).sqrt();
    assert!(fields.von_mises.iter().all(|s| (s - von_mises).abs() < 1e-12 * stress[0]), "{name}");
}

#[test]
fn linear_fields_are_reproduced_by_every_element_section_and_formulation() {
    for_every_body!(4, check);
}

/// Curved edges: the middles are moved by 3 % of the size. Tetrahedron10 is left out: its four points do not integrate the
/// gradients of a curved cell exactly (see the element).
#[test]
fn curved_quadratic_cells_pass_too() {
    fn curved<const D: usize>(kind: CellKind) {
        let mut mesh: Mesh<D> = distorted(kind, 2);
        let corners: Vec<bool> = {
            let mut corners = vec![false; mesh.n_points()];
            mesh.bulk_cells()
                .for_each(|(_, kind, nodes)| nodes[..kind.n_corners()].iter().for_each(|&n| corners[n] = true));
            corners
        };
        let mut numbers = Numbers::new(21);
        for (x, _) in mesh.points.iter_mut().zip(corners).filter(|(_, corner)| !corner) {
            x.iter_mut().for_each(|x| *x += 0.03 * numbers.next());
        }
        let body = Body::new(BodyInput::new("curved", Arc::new(mesh), soft())).unwrap();
        equilibrium_of_the_field(&body, kind.name());
    }
    curved::<2>(CellKind::Triangle6);
    curved::<2>(CellKind::Quad8);
    curved::<3>(CellKind::Hexahedron20);
}
