//! Volumetric locking: pure bending of a strip of nearly incompressible material in plane strain.
//!
//! Reference: the exact solution of plane elasticity for the curvature κ,
//!
//! ```text
//! u_x = −κ x y ,  u_y = ½ κ (x² + ν' y²) ,  σ_xx = −E' κ y ,  σ_yy = σ_xy = 0 ,   E' = E/(1−ν²), ν' = ν/(1−ν)
//! ```
//!
//! with u_x = 0 on the left end, one point fixed in y, and the linear traction on the right end. The deflection of the
//! axis at the tip is ½ κ L².

use std::sync::Arc;

use delassus_dynamics::System;
use delassus_fem::{Body, BodyInput, Formulation, KelvinVoigt};
use delassus_mesh::{CellKind, generate};

use crate::support::{build, equilibrium};

const POISSON: f64 = 0.4999;

/// Tip deflection relative to the exact one, with `n` (even) cells through the height.
fn deflection(n: usize, formulation: Formulation) -> f64 {
    let (length, height, curvature) = (5.0, 1.0, 1e-3);
    let mesh = generate::rectangle([0.0, -0.5 * height], [length, height], [5 * n, n], CellKind::Quad4, 1).unwrap();
    let input = BodyInput::new("strip", Arc::new(mesh), build(KelvinVoigt::elastic(1.0, POISSON), 1.0));
    let body = Body::new(BodyInput { formulation, ..input }).unwrap();
    let mesh = body.mesh();

    let plane = 1.0 / (1.0 - POISSON * POISSON);
    let mut load = vec![0.0; body.n_dof()];
    for facet in mesh.group_facets("right").unwrap() {
        let [a, b] = [facet.nodes[0], facet.nodes[1]];
        let traction = |node: usize| -plane * curvature * mesh.points[node][1];
        // ∫ N_a t ds of a linear traction
        load[2 * a] += mesh.facet_measure(&facet) * (2.0 * traction(a) + traction(b)) / 6.0;
        load[2 * b] += mesh.facet_measure(&facet) * (2.0 * traction(b) + traction(a)) / 6.0;
    }
    let nodes = |name| mesh.group_nodes(mesh.group(name).unwrap());
    let on_axis = |name| nodes(name).into_iter().find(|&k| mesh.points[k][1].abs() < 1e-9).unwrap();
    let mut fixed: Vec<(usize, f64)> = nodes("left").iter().map(|&k| (2 * k, 0.0)).collect();
    fixed.push((2 * on_axis("left") + 1, 0.0));
    let q = equilibrium(&body, &fixed, &load);
    q[2 * on_axis("right") + 1] / (0.5 * curvature * length * length)
}

#[test]
fn b_bar_does_not_lock_where_the_standard_form_does() {
    let counts = [2, 4, 8];
    let standard = counts.map(|n| deflection(n, Formulation::Standard));
    let b_bar = counts.map(|n| deflection(n, Formulation::BBar));
    assert!(standard[2] < 0.1, "the standard form locks: {standard:?}");
    assert!((b_bar[2] - 1.0).abs() < 0.01, "B-bar does not: {b_bar:?}");
    let rate = ((b_bar[1] - 1.0) / (b_bar[2] - 1.0)).abs().log2();
    assert!(rate > 1.8, "and converges quadratically: {b_bar:?}");
    // rectangular cells with the modes contain the exact field; the condition number is of order 10⁶ (5000 for the
    // incompressibility, the slenderness for the bending)
    let modes = deflection(2, Formulation::IncompatibleModes);
    assert!((modes - 1.0).abs() < 1e-9, "incompatible modes: {modes}");
}
