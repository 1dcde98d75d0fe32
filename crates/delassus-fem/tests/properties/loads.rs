//! Loads and prescribed motions.

use std::sync::Arc;

use delassus_dynamics::System;
use delassus_fem::{
    Body, BodyInput, Gravity, NodalForce, PrescribedVelocity, Section, SurfaceLoad, TimeFunction, Traction,
};
use delassus_mesh::{CellKind, Mesh};

use crate::support::{KINDS, distorted, soft};

const THICKNESS: f64 = 0.7;

fn input(kind: CellKind) -> BodyInput<2> {
    let section = Section::PlaneStrain { thickness: THICKNESS };
    BodyInput { section, ..BodyInput::new("test", Arc::new(distorted(kind, 3)), soft()) }
}

/// Total force and moment about the origin at `t`.
fn resultant(input: BodyInput<2>, t: f64) -> [f64; 3] {
    let body = Body::new(input).unwrap();
    let mut f = vec![f64::NAN; body.n_dof()];
    body.loads_into(t, &mut f);
    body.mesh()
        .points
        .iter()
        .zip(f.chunks(2))
        .fold([0.0; 3], |s, (x, f)| [s[0] + f[0], s[1] + f[1], s[2] + x[0] * f[1] - x[1] * f[0]])
}

fn near(got: [f64; 3], exact: [f64; 3]) {
    for k in 0..3 {
        assert!((got[k] - exact[k]).abs() < 1e-13 * 50.0, "{got:?} {exact:?}: rounding of a few dozen terms up to 50");
    }
}

/// Ends of a side of the body, walking counter-clockwise.
fn ends(mesh: &Mesh<2>, group: &str) -> [[f64; 2]; 2] {
    let facets = mesh.group_facets(group).unwrap();
    let starts: Vec<usize> = facets.iter().map(|f| f.nodes[0]).collect();
    let stops: Vec<usize> = facets.iter().map(|f| f.nodes[1]).collect();
    let first = starts.iter().find(|n| !stops.contains(n)).unwrap();
    let last = stops.iter().find(|n| !starts.contains(n)).unwrap();
    [mesh.points[*first], mesh.points[*last]]
}

#[test]
fn gravity_weighs_the_mass_at_its_centre() {
    for kind in KINDS {
        let gravity = Gravity { acceleration: [1.5, -9.81], factor: TimeFunction::Table(vec![(0.0, 0.0), (2.0, 1.0)]) };
        let input = BodyInput { gravity: vec![gravity], ..input(kind) };
        let body = Body::new(input.clone()).unwrap();
        let m = body.total_mass();
        let centre = body
            .node_masses()
            .iter()
            .zip(&body.mesh().points)
            .fold([0.0; 2], |c, (w, x)| [c[0] + w * x[0] / m, c[1] + w * x[1] / m]);
        let weight = [m * 1.5, -m * 9.81, m * (-9.81 * centre[0] - 1.5 * centre[1])];
        near(resultant(input.clone(), 2.0), weight);
        near(resultant(input, 1.0), weight.map(|f| 0.5 * f));
    }
}

#[test]
fn pressure_pushes_into_the_body_with_pressure_times_area() {
    for kind in KINDS {
        for group in ["left", "right", "top", "bottom"] {
            let traction = Traction::Pressure(4.0);
            let load = SurfaceLoad { group: group.into(), traction, factor: 1.0.into() };
            let input = BodyInput { surface_loads: vec![load], ..input(kind) };
            // the integral of the outward normal along a crooked side depends on its ends alone, and so does the
            // moment of a pressure: −p t ½ (|b|² − |a|²)
            let [a, b] = ends(&input.mesh, group);
            let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
            let p = 4.0 * THICKNESS;
            let moment = 0.5 * p * (b[0] * b[0] + b[1] * b[1] - a[0] * a[0] - a[1] * a[1]);
            near(resultant(input, 0.0), [-p * dy, p * dx, moment]);
        }
    }
}

#[test]
fn pressure_all_around_is_in_equilibrium() {
    let surface_loads = ["left", "right", "top", "bottom"]
        .map(|group| SurfaceLoad { group: group.into(), traction: Traction::Pressure(4.0), factor: 1.0.into() })
        .to_vec();
    near(resultant(BodyInput { surface_loads, ..input(CellKind::Quad4) }, 0.0), [0.0; 3]);
}

#[test]
fn traction_has_its_direction_and_its_area() {
    let load = SurfaceLoad { group: "top".into(), traction: Traction::Vector([2.0, -3.0]), factor: 2.0.into() };
    let input = BodyInput { surface_loads: vec![load], ..input(CellKind::Triangle3) };
    let length: f64 = input.mesh.group_facets("top").unwrap().iter().map(|f| input.mesh.facet_measure(f)).sum();
    let got = resultant(input, 0.0);
    near([got[0], got[1], 0.0], [4.0 * length * THICKNESS, -6.0 * length * THICKNESS, 0.0]);
}

#[test]
fn nodal_force_is_a_total() {
    let load = NodalForce {
        group: "right".into(),
        force: [5.0, -1.0],
        factor: TimeFunction::Sine { amplitude: 1.0, frequency: 0.25, phase: 0.0, offset: 0.0 },
    };
    let input = BodyInput { nodal_forces: vec![load], ..input(CellKind::Quad4) };
    let got = resultant(input, 1.0);
    near([got[0], got[1], 0.0], [5.0, -1.0, 0.0]);
}

#[test]
fn loads_of_all_kinds_add() {
    let gravity = vec![Gravity { acceleration: [0.0, -1.0], factor: 1.0.into() }; 2];
    let force = NodalForce { group: "right".into(), force: [5.0, 0.0], factor: 1.0.into() };
    let input = BodyInput { gravity, nodal_forces: vec![force.clone(), force], ..input(CellKind::Quad4) };
    let mass = Body::new(input.clone()).unwrap().total_mass();
    let got = resultant(input, 0.0);
    near([got[0], got[1], 0.0], [10.0, -2.0 * mass, 0.0]);
}

#[test]
fn prescribed_motions_are_ascending_and_follow_their_functions() {
    let slide = TimeFunction::Ramp { start: 0.0, end: 2.0, from: 0.0, to: 3.0 };
    let motion = |group: &str, component, velocity: TimeFunction| PrescribedVelocity {
        group: group.into(),
        component,
        velocity,
    };
    let prescribed = vec![
        motion("right", 0, slide.clone()),
        motion("left", 0, 0.0.into()),
        motion("bottom", 1, 0.0.into()),
        // the same again, and a corner shared by two groups with equal functions: no conflict
        motion("left", 1, 0.0.into()),
        motion("left", 0, 0.0.into()),
    ];
    let body = Body::new(BodyInput { prescribed, ..input(CellKind::Quad4) }).unwrap();
    let dofs = body.prescribed();
    assert!(dofs.windows(2).all(|w| w[0] < w[1]));
    // 4 nodes to a side, the lower left corner shared in y
    assert_eq!(dofs.len(), 4 + 4 + 4 + 4 - 1);
    let right = body.mesh().group_nodes(body.mesh().group("right").unwrap());
    let motions = body.prescribed_motion(1.0);
    assert_eq!(motions.len(), dofs.len());
    for (dof, (v, a)) in dofs.iter().zip(motions) {
        let driven = dof % 2 == 0 && right.contains(&(dof / 2));
        let exact = if driven { (1.5, 1.5) } else { (0.0, 0.0) };
        assert!((v - exact.0).abs() < 1e-15 && (a - exact.1).abs() < 1e-15, "dof {dof}");
    }
}
