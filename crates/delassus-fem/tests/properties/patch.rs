//! Patch test: a linear displacement field on the boundary of a distorted mesh gives uniform stress inside.
//!
//! Reference: Irons' patch test; any conforming element passes it for linear fields. Tolerance 1e-12: rounding of a
//! dense solve with a condition number of about 100.

use delassus_dynamics::System;
use delassus_fem::{Body, Section};

use crate::support::{equilibrium, for_every_body};

/// Displacement gradient H, u = H x.
const GRADIENT: [[f64; 2]; 2] = [[1e-3, 4e-4], [-7e-4, 2e-3]];

/// Stress and strain XX YY ZZ XY YZ XZ for E = 3, ν = 0.3.
fn exact(section: Section) -> ([f64; 6], [f64; 6]) {
    let (young, poisson) = (3.0, 0.3);
    let [[xx, ux_y], [uy_x, yy]] = GRADIENT;
    let xy = 0.5 * (ux_y + uy_x);
    let mu = young / (2.0 * (1.0 + poisson));
    let lambda = young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson));
    let zz = match section {
        Section::PlaneStrain { .. } => 0.0,
        Section::PlaneStress { .. } => -poisson / (1.0 - poisson) * (xx + yy),
    };
    let pressure = lambda * (xx + yy + zz);
    let stress = [xx, yy, zz].map(|e| pressure + 2.0 * mu * e);
    ([stress[0], stress[1], stress[2], 2.0 * mu * xy, 0.0, 0.0], [xx, yy, zz, xy, 0.0, 0.0])
}

fn check(body: &Body<2>, name: &str) {
    let points = &body.mesh().points;
    let field = |node: usize| GRADIENT.map(|row| row[0] * points[node][0] + row[1] * points[node][1]);
    let boundary: std::collections::BTreeSet<usize> =
        body.mesh().boundary().iter().flat_map(|f| f.nodes.clone()).collect();
    let fixed: Vec<(usize, f64)> =
        boundary.iter().flat_map(|&n| [(2 * n, field(n)[0]), (2 * n + 1, field(n)[1])]).collect();
    assert!(fixed.len() < body.n_dof(), "there are free nodes");
    let q = equilibrium(body, &fixed, &vec![0.0; body.n_dof()]);
    for (node, u) in q.chunks(2).enumerate() {
        let exact = field(node);
        assert!((u[0] - exact[0]).abs() + (u[1] - exact[1]).abs() < 1e-12 * 5e-3, "{name} node {node}");
    }
    let fields = body.cell_fields(&q, &vec![0.0; q.len()]);
    assert_eq!(fields.cells.len(), body.mesh().bulk_cells().count());
    let (stress, strain) = exact(body.section());
    for (cell, got) in fields.stress.iter().enumerate() {
        for k in 0..6 {
            assert!((got[k] - stress[k]).abs() < 1e-12 * stress[0], "{name} cell {cell} σ[{k}]: {got:?} {stress:?}");
            assert!((fields.strain[cell][k] - strain[k]).abs() < 1e-12 * strain[1], "{name} cell {cell} ε[{k}]");
        }
    }
    // the matrices know the same material as the output: W = ½ σ:ε V
    let density = 0.5 * (0..3).map(|k| stress[k] * strain[k]).sum::<f64>() + stress[3] * strain[3];
    let energy = density * body.mesh().total_measure() * body.section().thickness();
    assert!((body.elastic_energy(&q) / energy - 1.0).abs() < 1e-12, "{name}: {} {energy}", body.elastic_energy(&q));
    let [xx, yy, zz, xy, ..] = stress;
    let von_mises = (0.5 * ((xx - yy).powi(2) + (yy - zz).powi(2) + (zz - xx).powi(2)) + 3.0 * xy * xy).sqrt();
    assert!(fields.von_mises.iter().all(|s| (s - von_mises).abs() < 1e-12 * stress[0]), "{name}");
}

#[test]
fn linear_fields_are_reproduced_by_every_element_section_and_formulation() {
    for_every_body(4, check);
}
