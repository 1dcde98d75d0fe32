//! Statics at finite strain by Newton's method: its rate, Cook's membrane on several meshes, locking as ν → ½.
//!
//! Cook's membrane (Cook 1974) in plane strain: corners (0, 0), (48, 44), (48, 60), (0, 44), clamped at x = 0, a shear force of 100 uniform over the right end. Neo-Hooke's rubber
//! with μ = 80.1938. No solution is known; what is compared are two elements and several meshes, and the same cells in space, held across the plane, which must give the same.

use std::sync::Arc;

use delassus_dynamics::{Inelastic, Motion, State, System};
use delassus_fem::material::{Material, MaterialSpec};
use delassus_fem::{Body, BodyInput, Formulation, Hardening, Kinematics, NeoHookean, Section, VonMises};
use delassus_mesh::{CellKind, Mesh, generate};
use nalgebra::DVector;

use crate::support::{dense_values, max_abs};

const MU: f64 = 80.1938;

/// Imbalance of forces over the largest one, at which an iteration ends: with κ/μ of up to 5e4 pressures are known to 1e-10 of the forces.
const BALANCED: f64 = 1e-8;

#[expect(clippy::print_stdout, reason = "figures are there to be read, for those who run the tests with --nocapture")]
fn show(text: &str) {
    println!("{text}");
}

/// Place in the membrane of a point of the unit square.
fn place(s: f64, t: f64) -> [f64; 2] {
    [48.0 * s, 44.0 * s + t * (44.0 - 28.0 * s)]
}

fn rubber(poisson: f64) -> Arc<dyn Material> {
    let lambda = 2.0 * MU * poisson / (1.0 - 2.0 * poisson);
    let law = NeoHookean { lambda: Some(lambda), mu: Some(MU), ..NeoHookean::default() };
    MaterialSpec::from(law).build(1.0).unwrap()
}

fn finite<const D: usize>(mesh: Mesh<D>, law: Arc<dyn Material>, formulation: Formulation) -> Body<D> {
    let section = if D == 3 { Section::Solid } else { Section::PlaneStrain { thickness: 1.0 } };
    let input = BodyInput::new("membrane", Arc::new(mesh), law);
    Body::new(BodyInput { section, formulation, kinematics: Kinematics::FiniteStrain {}, ..input }).unwrap()
}

fn membrane(n: usize) -> Mesh<2> {
    let mut mesh = generate::rectangle([0.0, 0.0], [1.0, 1.0], [n, n], CellKind::Quad4, 1).unwrap();
    mesh.points.iter_mut().for_each(|x| *x = place(x[0], x[1]));
    mesh
}

/// A force on the right end, uniform over it, and what holds the left one.
struct Statics {
    load: Vec<f64>,
    fixed: Vec<usize>,
    /// The upper right corner.
    tip: usize,
}

fn statics<const D: usize>(body: &Body<D>, force: f64) -> Statics {
    let mesh = body.mesh();
    let facets = mesh.group_facets("right").unwrap();
    let total: f64 = facets.iter().map(|f| mesh.facet_measure(f)).sum();
    let mut load = vec![0.0; body.n_dof()];
    for facet in facets {
        for &n in &facet.nodes {
            load[D * n + 1] += force * mesh.facet_measure(&facet) / total / facet.nodes.len() as f64;
        }
    }
    let nodes = |name: &str| mesh.group_nodes(mesh.group(name).unwrap());
    let mut fixed: Vec<usize> = nodes("left").into_iter().flat_map(|n| (0..D).map(move |i| D * n + i)).collect();
    if D == 3 {
        // held across the plane
        fixed.extend(["front", "back"].iter().flat_map(|side| nodes(side)).map(|n| D * n + 2));
    }
    let high = |n: &usize| mesh.points[*n][1];
    let tip = nodes("right").into_iter().max_by(|a, b| high(a).total_cmp(&high(b))).unwrap();
    Statics { load, fixed, tip }
}

/// Displacements under the whole load, and the imbalances of the last load step.
fn solve<const D: usize>(body: &Body<D>, given: &Statics, steps: usize, balanced: f64) -> (Vec<f64>, Vec<f64>) {
    let n = body.n_dof();
    let mut from: State = body.at_start(vec![0.0; n]);
    let mut imbalances = Vec::new();
    for step in 1..=steps {
        let part = step as f64 / steps as f64;
        let mut dq = vec![0.0; n];
        imbalances.clear();
        loop {
            let motion = Motion { from: &from, dq: &dq, h: 1.0 };
            let response = body.respond(&motion);
            let mut left = DVector::from_iterator(n, given.load.iter().zip(&response.force).map(|(p, f)| part * p - f));
            given.fixed.iter().for_each(|&dof| left[dof] = 0.0);
            imbalances.push(left.amax() / max_abs(&response.force).max(part * max_abs(&given.load)));
            if imbalances.last().is_some_and(|x| *x < balanced) {
                from = State { q: from.q.iter().zip(&dq).map(|(q, d)| q + d).collect(), z: response.z, ..from };
                break;
            }
            assert!(imbalances.len() < 20, "{imbalances:?}");
            let mut k = dense_values(body.matrices().pattern(), &body.tangent(&motion));
            for &dof in &given.fixed {
                k.row_mut(dof).fill(0.0);
                k.column_mut(dof).fill(0.0);
                k[(dof, dof)] = 1.0;
            }
            let correction = k.lu().solve(&left).unwrap();
            // A motion that turns a cell over is halved.
            let trial =
                |part: f64| -> Vec<f64> { dq.iter().zip(correction.iter()).map(|(d, c)| d + part * c).collect() };
            let is_followed = |dq: &Vec<f64>| {
                let response = body.respond(&Motion { from: &from, dq, h: 1.0 });
                response.force.iter().all(|f| f.is_finite())
            };
            let found = (0..10).map(|k| trial(0.5_f64.powi(k))).find(is_followed);
            dq = found.unwrap();
        }
    }
    (from.q, imbalances)
}

fn deflection(n: usize, poisson: f64, formulation: Formulation) -> f64 {
    let body = finite(membrane(n), rubber(poisson), formulation);
    let given = statics(&body, 100.0);
    solve(&body, &given, 10, BALANCED).0[2 * given.tip + 1]
}

/// Each imbalance is that before it squared, times a number that the problem has. Below 1e-12 rounding may take part.
fn check_rate(name: &str, imbalances: &[f64]) {
    // of the imbalances above rounding
    let above: Vec<f64> = imbalances.iter().copied().filter(|x| *x > 1e-12).collect();
    let orders: Vec<f64> = above.windows(3).map(|w| (w[2] / w[1]).ln() / (w[1] / w[0]).ln()).collect();
    let text: Vec<String> = imbalances.iter().map(|x| format!("{x:.1e}")).collect();
    show(&format!("{name}: imbalances {}, orders {orders:.2?}", text.join(", ")));
    let first_small = imbalances.iter().position(|x| *x < 1e-2).unwrap();
    for pair in imbalances[first_small..].windows(2) {
        assert!(pair[1] < 100.0 * pair[0] * pair[0] + 1e-12, "{name}: {imbalances:?}");
    }
    assert!(orders.last().is_some_and(|p| *p > 1.7), "{name}: {orders:?}");
}

#[test]
fn newtons_method_converges_quadratically() {
    for (name, poisson, formulation) in
        [("rubber", 0.3, Formulation::Standard), ("rubber, mean dilatation", 0.49, Formulation::BBar)]
    {
        let body = finite(membrane(4), rubber(poisson), formulation);
        let given = statics(&body, 100.0);
        check_rate(name, &solve(&body, &given, 2, 1e-11).1);
    }
    let law =
        VonMises::new(250.0, 0.3, 3.0).hardening(Hardening::Voce { saturation: 8.0, exponent: 20.0, modulus: 10.0 });
    let body = finite(membrane(4), MaterialSpec::from(law).build(1.0).unwrap(), Formulation::BBar);
    let given = statics(&body, 60.0);
    check_rate("metal that flows", &solve(&body, &given, 4, 1e-11).1);
}

/// The locking study. With ν → ½ the deflection has a limit: mean dilatation comes to it, the standard form to nothing of the kind.
#[test]
fn mean_dilatation_does_not_lock_as_poissons_ratio_tends_to_one_half() {
    let ratios = [0.3, 0.4, 0.49, 0.499, 0.4999, 0.49999];
    let b_bar = ratios.map(|nu| deflection(8, nu, Formulation::BBar));
    let standard = ratios.map(|nu| deflection(8, nu, Formulation::Standard));
    show(&format!("Cook's membrane, 8 x 8, ν = {ratios:?}: mean dilatation {b_bar:.4?}, standard {standard:.4?}"));
    // 1 − 2ν falls by ten from each of the last three to the next
    let steps = [b_bar[3] - b_bar[4], b_bar[4] - b_bar[5]];
    assert!((9.0..11.0).contains(&(steps[0] / steps[1])), "it has a limit: {b_bar:?}");
    assert!(standard[5] < 0.6 * b_bar[5], "the standard form locks: {standard:?}");
    assert!((standard[0] / b_bar[0] - 1.0).abs() < 0.1, "where nothing locks they agree: {standard:?} {b_bar:?}");
}

/// With cells of half the size the deflection comes nearer to its limit.
#[test]
fn cooks_membrane_converges_with_the_mesh() {
    let found = [2, 4, 8, 16].map(|n| deflection(n, 0.4999, Formulation::BBar));
    show(&format!("Cook's membrane, ν = 0.4999, 2, 4, 8, 16 cells a side: {found:.4?}"));
    let steps: Vec<f64> = found.windows(2).map(|w| w[1] - w[0]).collect();
    assert!(steps.iter().all(|s| *s > 0.0), "it grows with the mesh: {found:?}");
    assert!(steps[1] < 0.6 * steps[0] && steps[2] < 0.6 * steps[1], "{steps:?}");
}

/// Hexahedra that are held across the plane have the strains of quadrilaterals in plane strain, mean dilatation included.
#[test]
fn hexahedra_held_across_the_plane_are_quadrilaterals() {
    let mut mesh = generate::block([0.0, 0.0, 0.0], [1.0, 1.0, 1.0], [4, 4, 1], CellKind::Hexahedron8, 1).unwrap();
    for x in &mut mesh.points {
        let [u, v] = place(x[0], x[1]);
        *x = [u, v, x[2]];
    }
    let body = finite(mesh, rubber(0.4999), Formulation::BBar);
    let given = statics(&body, 100.0);
    let space = solve(&body, &given, 10, BALANCED).0[3 * given.tip + 1];
    let plane = deflection(4, 0.4999, Formulation::BBar);
    // the iteration ends at 1e-8 of the forces, and its last correction leaves far less
    assert!((space / plane - 1.0).abs() < 1e-6, "{space} {plane}");
}
