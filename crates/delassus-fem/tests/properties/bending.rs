//! Bending in space: pure bending of a block against the exact solution, and the first frequency of a cantilever.
//!
//! Reference of the pure bending: Saint-Venant's solution for the curvature κ about z,
//!
//! ```text
//! u_x = −κ x y ,  u_y = ½ κ (x² + ν (y² − z²)) ,  u_z = ν κ y z ,  σ_xx = −E κ y , all other stresses zero
//! ```
//!
//! With u_x given on both ends and the sides free, the energy is ½ E I κ² L; a displacement method is above it, and the
//! ratio tells how much too stiff it is. The modes 1 − ξ_i² make the exact field part of the space of rectangular cells.
//!
//! Reference of the cantilever: Timoshenko's beam with the shear factor 5(1+ν)/(6+5ν) of Cowper 1966, its lowest frequency
//! from the frequency equation of Huang 1961.

use std::sync::Arc;

use delassus_dynamics::System;
use delassus_fem::{Body, BodyInput, Formulation, KelvinVoigt, MassKind};
use delassus_mesh::{CellKind, Mesh, generate};
use nalgebra::{Cholesky, DMatrix};

use crate::support::{Numbers, build, dense, equilibrium, stiffness};

/// A block with its axis on the x axis; of quadratic cells if `kind` is.
fn beam(kind: CellKind, size: [f64; 3], cells: [usize; 3]) -> Mesh<3> {
    let linear = CellKind::all().find(|k| k.is_linear() && k.corners() == kind.corners()).unwrap();
    let mesh = generate::block([0.0, -0.5 * size[1], -0.5 * size[2]], size, cells, linear, 1).unwrap();
    if kind.is_linear() { mesh } else { mesh.to_quadratic().unwrap() }
}

/// What disturbs the bending.
#[derive(Default)]
struct Held {
    /// No displacement along z: E/(1−ν²) takes the place of E.
    between_plates: bool,
    /// Inner nodes are moved by up to this part of a cell along x.
    noise: f64,
}

/// The energy of pure bending over the exact one, with inner nodes moved by up to `noise` of a cell along x.
fn stiffness_ratio(kind: CellKind, formulation: Formulation, poisson: f64, cells: [usize; 3], noise: f64) -> f64 {
    stiffness_ratio_held(kind, formulation, poisson, cells, Held { noise, ..Held::default() })
}

fn stiffness_ratio_held(kind: CellKind, formulation: Formulation, poisson: f64, cells: [usize; 3], held: Held) -> f64 {
    let ([length, height, width], curvature) = ([5.0, 1.0, 1.0], 1e-3);
    let mut mesh = beam(kind, [length, height, width], cells);
    let mut numbers = Numbers::new(5);
    for x in mesh.points.iter_mut().filter(|x| x[0] > 1e-9 && x[0] < length - 1e-9) {
        x[0] += held.noise * length / cells[0] as f64 * numbers.next();
    }
    let input = BodyInput::new("block", Arc::new(mesh), build(KelvinVoigt::elastic(1.0, poisson), 1.0));
    let body = Body::new(BodyInput { formulation, ..input }).unwrap();
    let mesh = body.mesh();
    let nodes = |name| mesh.group_nodes(mesh.group(name).unwrap());
    let mut fixed: Vec<(usize, f64)> = nodes("left").iter().map(|&k| (3 * k, 0.0)).collect();
    fixed.extend(nodes("right").iter().map(|&k| (3 * k, -curvature * length * mesh.points[k][1])));
    // the corners of the left end stay level: against translation, and rotation about x
    let (front, back) = (nodes("bottom_left_front")[0], nodes("bottom_left_back")[0]);
    fixed.extend([(3 * front + 1, 0.0), (3 * front + 2, 0.0), (3 * back + 1, 0.0)]);
    if held.between_plates {
        fixed.retain(|(dof, _)| dof % 3 != 2);
        fixed.extend((0..mesh.n_points()).map(|node| (3 * node + 2, 0.0)));
    }
    let q = equilibrium(&body, &fixed, &vec![0.0; body.n_dof()]);
    let modulus = if held.between_plates { 1.0 / (1.0 - poisson * poisson) } else { 1.0 };
    let inertia = width * height.powi(3) / 12.0;
    body.elastic_energy(&q) / (0.5 * modulus * inertia * curvature * curvature * length)
}

#[test]
fn modes_bend_rectangular_cells_exactly() {
    for poisson in [0.0, 0.3, 0.4999] {
        let ratio = stiffness_ratio(CellKind::Hexahedron8, Formulation::IncompatibleModes, poisson, [5, 1, 1], 0.0);
        // the bulk modulus is 1700 times Young's at ν = 0.4999
        assert!((ratio - 1.0).abs() < 1e-10, "ν = {poisson}: {:e}", ratio - 1.0);
    }
    let standard = stiffness_ratio(CellKind::Hexahedron8, Formulation::Standard, 0.3, [5, 1, 1], 0.0);
    assert!(standard > 1.5, "the standard form shears instead, one layer of cubes is half as stiff again: {standard}");
}

#[test]
fn quadratic_cells_bend_exactly() {
    for kind in [CellKind::Hexahedron20, CellKind::Tetrahedron10] {
        let ratio = stiffness_ratio(kind, Formulation::Standard, 0.3, [3, 1, 1], 0.0);
        assert!((ratio - 1.0).abs() < 1e-11, "{kind}: {:e}", ratio - 1.0);
    }
}

/// Held between two plates (plane strain) the sides cannot bulge, and the standard form locks as in the plane.
#[test]
fn b_bar_does_not_lock_in_space() {
    let h8 = |formulation, n: usize| {
        let held = Held { between_plates: true, ..Held::default() };
        stiffness_ratio_held(CellKind::Hexahedron8, formulation, 0.4999, [5 * n, n, 1], held)
    };
    let standard = h8(Formulation::Standard, 4);
    let b_bar = [2, 4].map(|n| h8(Formulation::BBar, n));
    assert!(standard > 10.0, "the standard form locks: {standard}");
    assert!((b_bar[1] - 1.0).abs() < 0.05, "B-bar does not: {b_bar:?}");
    let rate = ((b_bar[0] - 1.0) / (b_bar[1] - 1.0)).abs().log2();
    assert!(rate > 1.8, "and converges quadratically: {b_bar:?}");
    let modes = h8(Formulation::IncompatibleModes, 1);
    assert!((modes - 1.0).abs() < 1e-10, "nor do the modes: {modes}");
}

#[test]
fn modes_help_in_distorted_cells_too() {
    let h8 = |formulation, poisson| stiffness_ratio(CellKind::Hexahedron8, formulation, poisson, [6, 2, 2], 0.15);
    for poisson in [0.3, 0.4999] {
        let ratios = [Formulation::Standard, Formulation::BBar, Formulation::IncompatibleModes].map(|f| h8(f, poisson));
        assert!(ratios[2] < ratios[1] && ratios[1] < ratios[0], "ν = {poisson}: {ratios:?}");
    }
}

/// Lowest root of Huang's frequency equation of a clamped-free Timoshenko beam of square section, as a circular frequency;
/// E = ρ = height = 1.
fn timoshenko(length: f64, poisson: f64) -> f64 {
    let (area, inertia) = (1.0, 1.0 / 12.0);
    let shear = 5.0 * (1.0 + poisson) / (6.0 + 5.0 * poisson) * area / (2.0 * (1.0 + poisson));
    let r2 = inertia / (area * length * length);
    let s2 = inertia / (shear * length * length);
    let equation = |omega: f64| {
        let b2 = omega * omega * area * length.powi(4) / inertia;
        let root = ((r2 - s2).powi(2) + 4.0 / b2).sqrt();
        let alpha = ((root - (r2 + s2)) / 2.0).sqrt();
        let beta = ((root + (r2 + s2)) / 2.0).sqrt();
        let b = b2.sqrt();
        2.0 + (b2 * (r2 - s2).powi(2) + 2.0) * (b * alpha).cosh() * (b * beta).cos()
            - b * (r2 + s2) / (1.0 - b2 * r2 * s2).sqrt() * (b * alpha).sinh() * (b * beta).sin()
    };
    let euler = 1.875_104_f64.powi(2) * (inertia / (area * length.powi(4))).sqrt();
    let (mut low, mut high) = (0.5 * euler, 1.05 * euler);
    assert!(equation(low) * equation(high) < 0.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if equation(low) * equation(middle) <= 0.0 { high = middle } else { low = middle }
    }
    low
}

/// Lowest circular frequency of a cantilever, by dense matrices.
fn first_frequency(kind: CellKind, formulation: Formulation, mass: MassKind, length: f64, cells: [usize; 3]) -> f64 {
    let mesh = Arc::new(beam(kind, [length, 1.0, 1.0], cells));
    let input = BodyInput::new("cantilever", mesh, build(KelvinVoigt::elastic(1.0, 0.3), 1.0));
    let body = Body::new(BodyInput { formulation, mass, ..input }).unwrap();
    let held = body.mesh().group_nodes(body.mesh().group("left").unwrap());
    let free: Vec<usize> = (0..body.n_dof()).filter(|dof| !held.contains(&(dof / 3))).collect();
    let part = |full: DMatrix<f64>| DMatrix::from_fn(free.len(), free.len(), |i, j| full[(free[i], free[j])]);
    let (k, m) = (part(stiffness(&body)), part(dense(&body.matrices().mass)));
    let factor = Cholesky::new(m).unwrap().l();
    let half = factor.solve_lower_triangular(&k).unwrap();
    let scaled = factor.solve_lower_triangular(&half.transpose()).unwrap();
    scaled.symmetric_eigenvalues().min().sqrt()
}

/// Goal: eight hexahedra over the length (and one through the section) give the first frequency within 2 % with
/// incompatible modes, for both masses; the standard form and B-bar are far off with cells 2.5 times as long as high.
/// The clamped end also holds the section, which Timoshenko's beam does not know: fine meshes are 1 % above it.
#[test]
fn a_cantilever_of_eight_cells_has_its_first_frequency() {
    let length = 20.0;
    let exact = timoshenko(length, 0.3);
    let error = |kind, formulation, mass| first_frequency(kind, formulation, mass, length, [8, 1, 1]) / exact - 1.0;
    for mass in [MassKind::Lumped, MassKind::Consistent] {
        let error = |formulation| error(CellKind::Hexahedron8, formulation, mass);
        let modes = error(Formulation::IncompatibleModes);
        assert!(modes.abs() < 0.02, "{mass:?}: {modes}");
        let (standard, b_bar) = (error(Formulation::Standard), error(Formulation::BBar));
        assert!(standard > 0.8 && b_bar > 0.6, "{mass:?}: standard {standard}, B-bar {b_bar}");
    }
    for kind in [CellKind::Hexahedron20, CellKind::Tetrahedron10] {
        let error = error(kind, Formulation::Standard, MassKind::Lumped);
        assert!(error.abs() < 0.02, "{kind}: {error}");
    }
}

/// Without lateral contraction, cells of one size with lumped masses are a chain of masses and springs along x: K u = ω² M u
/// for u_x = sin(π x/2L) and ω = (2 c/h) sin(π h/4L), c² = E/ρ, whatever the formulation.
#[test]
fn a_bar_of_hexahedra_is_a_chain_of_masses() {
    let (length, n) = (4.0, 8_usize);
    for formulation in [Formulation::Standard, Formulation::IncompatibleModes] {
        let mesh = Arc::new(beam(CellKind::Hexahedron8, [length, 1.0, 0.7], [n, 2, 1]));
        let input = BodyInput::new("bar", mesh, build(KelvinVoigt::elastic(3.0, 0.0), 2.0));
        let body = Body::new(BodyInput { formulation, ..input }).unwrap();
        let wave = |x: f64| (std::f64::consts::FRAC_PI_2 * x / length).sin();
        let q: Vec<f64> = body.mesh().points.iter().flat_map(|x| [wave(x[0]), 0.0, 0.0]).collect();
        let cell = length / n as f64;
        let omega = 2.0 * 1.5_f64.sqrt() / cell * (std::f64::consts::FRAC_PI_4 * cell / length).sin();
        let (mut f, mut inertia) = (vec![0.0; q.len()], vec![0.0; q.len()]);
        body.elastic_force_into(&q, &mut f);
        body.mass_times_into(&q, &mut inertia);
        for (node, x) in body.mesh().points.iter().enumerate().filter(|(_, x)| x[0] > 1e-9) {
            for i in 0..3 {
                let (f, inertia) = (f[3 * node + i], omega * omega * inertia[3 * node + i]);
                assert!((f - inertia).abs() < 1e-14, "{formulation:?} at {x:?}: {f} {inertia}, sums of order 1");
            }
        }
    }
}
