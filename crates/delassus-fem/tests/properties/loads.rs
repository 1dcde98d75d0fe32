//! Loads and prescribed motions.

use std::sync::Arc;

use delassus_dynamics::System;
use delassus_fem::{
    Body, BodyInput, Gravity, NodalForce, PrescribedVelocity, Section, SurfaceLoad, TimeFunction, Traction,
};
use delassus_mesh::{CellKind, Mesh};

use crate::support::{distorted, kinds, rotations, soft};

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
    for kind in kinds::<2>() {
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
    for kind in kinds::<2>() {
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

/// Force and moment about the origin in space.
fn resultant_in_space(input: BodyInput<3>) -> [f64; 6] {
    let body = Body::new(input).unwrap();
    let mut f = vec![f64::NAN; body.n_dof()];
    body.loads_into(0.0, &mut f);
    let mut sum = [0.0; 6];
    for (k, force) in f.iter().enumerate() {
        sum[k % 3] += force;
    }
    // the moment about z, x, y is the work on the rotations in the planes xy, yz, zx
    for (k, rotation) in rotations(&body.mesh().points).iter().enumerate() {
        sum[3 + k] = rotation.iter().zip(&f).map(|(r, f)| r * f).sum();
    }
    sum
}

fn in_space(kind: CellKind, surface_loads: Vec<SurfaceLoad<3>>) -> BodyInput<3> {
    BodyInput { surface_loads, ..BodyInput::new("test", Arc::new(distorted(kind, 2)), soft()) }
}

/// The faces of a distorted block are crooked, and those of hexahedra and prisms warped: a pressure all around is still in
/// equilibrium, and on one face its force is −p times the area vector, which the outline of the face alone decides.
#[test]
fn pressure_in_space_is_in_equilibrium_and_has_the_area_vector_of_its_face() {
    let pressure =
        |group: &str| SurfaceLoad { group: group.into(), traction: Traction::Pressure(4.0), factor: 1.0.into() };
    for kind in kinds::<3>() {
        let sum = resultant_in_space(in_space(kind, vec![pressure("boundary")]));
        assert!(sum.iter().all(|s| s.abs() < 1e-13), "{kind}: {sum:?}, rounding of 26 forces of order 1");
        for group in ["left", "right", "bottom", "top", "front", "back"] {
            let input = in_space(kind, vec![pressure(group)]);
            let mesh = input.mesh.clone();
            let mut exact = [0.0; 3];
            for facet in mesh.group_facets(group).unwrap() {
                let x: Vec<[f64; 3]> = facet.nodes[..facet.kind.n_corners()].iter().map(|&n| mesh.points[n]).collect();
                // ½ Σ x_k × x_{k+1} round the outline of each facet; inner edges cancel
                for k in 0..x.len() {
                    let (a, b) = (x[k], x[(k + 1) % x.len()]);
                    exact[0] -= 2.0 * (a[1] * b[2] - a[2] * b[1]);
                    exact[1] -= 2.0 * (a[2] * b[0] - a[0] * b[2]);
                    exact[2] -= 2.0 * (a[0] * b[1] - a[1] * b[0]);
                }
            }
            let got = resultant_in_space(input);
            assert!((0..3).all(|i| (got[i] - exact[i]).abs() < 1e-13), "{kind} {group}: {got:?} {exact:?}");
        }
    }
}

#[test]
fn gravity_traction_and_forces_in_space_have_their_totals() {
    for kind in kinds::<3>() {
        let traction = Traction::Vector([1.0, -2.0, 0.5]);
        let load = SurfaceLoad { group: "top".into(), traction, factor: 2.0.into() };
        let input = in_space(kind, vec![load]);
        let body = Body::new(input.clone()).unwrap();
        let areas = body.tributary_areas(&body.mesh().group_facets("top").unwrap()).unwrap();
        let area: f64 = areas.iter().map(|a| a.1).sum();
        let gravity = Gravity { acceleration: [0.1, 0.0, -9.81], factor: 1.0.into() };
        let force = NodalForce { group: "top_right_back".into(), force: [0.0, 3.0, 0.0], factor: 1.0.into() };
        let input = BodyInput { gravity: vec![gravity], nodal_forces: vec![force], ..input };
        let (got, mass) = (resultant_in_space(input), body.total_mass());
        let exact = [2.0 * area + 0.1 * mass, -4.0 * area + 3.0, area - 9.81 * mass];
        assert!((0..3).all(|i| (got[i] - exact[i]).abs() < 1e-12), "{kind}: {got:?} {exact:?}");
    }
}

#[test]
fn motions_in_space_hold_the_nodes_of_their_groups() {
    let motion = |group: &str, component| PrescribedVelocity { group: group.into(), component, velocity: 0.0.into() };
    let prescribed = vec![motion("bottom", 1), motion("bottom_left", 0), motion("bottom_left_front", 2)];
    let body = Body::new(BodyInput { prescribed, ..in_space(CellKind::Hexahedron8, vec![]) }).unwrap();
    assert_eq!(body.prescribed().len(), 9 + 3 + 1);
    assert!(body.prescribed().windows(2).all(|w| w[0] < w[1]));
}
