//! Output of bodies: positions, areas, fields, scales.

use std::sync::Arc;

use delassus_dynamics::{State, System};
use delassus_fem::{Body, BodyInput, KelvinVoigt, Region, Section, Vector};
use delassus_mesh::{CellKind, Group, generate};

use crate::support::{Numbers, body as body_of, build, distorted, for_every_body, kinds, soft};

#[test]
fn positions_are_reference_plus_displacement() {
    fn check<const D: usize>(body: &Body<D>, _: &str) {
        let q = Numbers::new(1).vector(body.n_dof());
        for (node, x) in body.positions(&q).iter().enumerate() {
            for i in 0..D {
                assert!((x[i] - body.mesh().points[node][i] - q[D * node + i]).abs() < 1e-15);
            }
        }
    }
    for_every_body!(2, check);
}

#[test]
fn tributary_areas_add_to_the_area_and_halve_at_the_ends() {
    let mesh = Arc::new(generate::rectangle([0.0, 0.0], [3.0, 1.0], [3, 1], CellKind::Quad4, 1).unwrap());
    let section = Section::PlaneStress { thickness: 0.5 };
    let body = Body::new(BodyInput { section, ..BodyInput::new("bar", mesh, soft()) }).unwrap();
    let areas = body.tributary_areas(&body.mesh().group_facets("top").unwrap()).unwrap();
    assert!(areas.windows(2).all(|w| w[0].0 < w[1].0), "nodes ascend");
    for (node, area) in &areas {
        let x = body.mesh().points[*node][0];
        let exact = if x > 0.5 && x < 2.5 { 0.5 } else { 0.25 };
        assert!((area - exact).abs() < 1e-15, "node at {x}");
    }
    assert!((areas.iter().map(|a| a.1).sum::<f64>() - 1.5).abs() < 1e-15);
}

/// On a block of 2 × 3 × 4 cells: whole cells inside a face, halves on its edges, quarters at its corners.
#[test]
fn tributary_areas_of_faces_are_those_of_the_cells_around() {
    let mesh = Arc::new(generate::block([0.0; 3], [2.0, 6.0, 4.0], [2, 3, 4], CellKind::Hexahedron8, 1).unwrap());
    let body = Body::new(BodyInput::new("block", mesh, soft())).unwrap();
    let areas = body.tributary_areas(&body.mesh().group_facets("left").unwrap()).unwrap();
    assert_eq!(areas.len(), 4 * 5);
    for (node, area) in &areas {
        let [_, y, z] = body.mesh().points[*node];
        let part = |x: f64, size: f64| if x > 0.5 && x < size - 0.5 { 1.0 } else { 0.5 };
        assert!((area - 2.0 * part(y, 6.0) * part(z, 4.0)).abs() < 1e-14, "node at {y}, {z}: {area}");
    }
    for kind in kinds::<3>() {
        let body: Body<3> = body_of(kind, 2, Section::Solid, delassus_fem::Formulation::Standard);
        let facets = body.mesh().group_facets("top").unwrap();
        let sum: f64 = body.tributary_areas(&facets).unwrap().iter().map(|a| a.1).sum();
        let exact: f64 = facets.iter().map(|f| true_area(&f.nodes[..f.kind.n_corners()], &body.mesh().points)).sum();
        // triangles are flat; the area element of a warped quadrilateral is a root, which 2×2 points do not integrate
        let tolerance = if facets.iter().all(|f| f.kind.n_corners() == 3) { 1e-14 } else { 1e-4 };
        assert!((sum / exact - 1.0).abs() < tolerance, "{kind}: {sum} {exact}");
    }
}

/// Area of a triangle, or of a bilinear quadrilateral by 60 × 60 nearly flat pieces.
fn true_area(corners: &[usize], points: &[[f64; 3]]) -> f64 {
    let x = |k: usize| Vector::from(points[corners[k]]);
    if corners.len() == 3 {
        return 0.5 * (x(1) - x(0)).cross(&(x(2) - x(0))).norm();
    }
    let n = 60;
    let at = |i: usize, j: usize| {
        let (s, t) = (i as f64 / n as f64, j as f64 / n as f64);
        (x(0) * (1.0 - s) + x(1) * s) * (1.0 - t) + (x(3) * (1.0 - s) + x(2) * s) * t
    };
    let piece = |i: usize, j: usize| 0.5 * (at(i + 1, j + 1) - at(i, j)).cross(&(at(i, j + 1) - at(i + 1, j))).norm();
    (0..n * n).map(|k| piece(k / n, k % n)).sum()
}

#[test]
fn viscous_stress_is_in_the_output() {
    // uniaxial strain rate 0.1 in plane strain with κ_v = 0, μ_v = 2: σ_xx = 4/3 μ_v ε̇, σ_yy = σ_zz = −2/3 μ_v ε̇
    let material = build(KelvinVoigt::elastic(3.0, 0.3).with_viscosity(0.0, 2.0), 1.0);
    let body = Body::new(BodyInput::new("test", Arc::new(distorted::<2>(CellKind::Quad4, 2)), material)).unwrap();
    let v: Vec<f64> = body.mesh().points.iter().flat_map(|x| [0.1 * x[0], 0.0]).collect();
    let fields = body.cell_fields(&State::new(0.0, vec![0.0; v.len()], v.clone()));
    for (stress, strain) in fields.stress.iter().zip(&fields.strain) {
        let exact = [0.8 / 3.0, -0.4 / 3.0, -0.4 / 3.0, 0.0, 0.0, 0.0];
        assert!(stress.iter().zip(exact).all(|(a, b)| (a - b).abs() < 1e-14), "{stress:?}");
        assert!(strain.iter().all(|e| e.abs() <= 0.0));
    }
    assert!(fields.von_mises.iter().all(|s| (s - 0.4).abs() < 1e-14), "2 μ_v ε̇");
}

#[test]
fn stress_stays_exact_after_a_long_flight() {
    fn check<const D: usize>(body: &Body<D>, name: &str) {
        let q: Vec<f64> = (0..body.n_dof()).map(|k| [1e6 + 0.1, -3e5, 7.7][k % D]).collect();
        let fields = body.cell_fields(&State::new(0.0, q.clone(), vec![0.0; q.len()]));
        assert!(fields.stress.iter().flatten().all(|s| s.abs() <= 0.0), "{name}");
    }
    for_every_body!(3, check);
}

#[test]
fn scales_are_those_of_the_smallest_cell() {
    let mesh = Arc::new(generate::rectangle([0.0, 0.0], [3.0, 1.0], [3, 4], CellKind::Quad4, 1).unwrap());
    // c² = (λ + 2μ)/ρ = 3/3
    let body = Body::new(BodyInput::new("bar", mesh, build(KelvinVoigt::lame(1.0, 1.0), 3.0 / 4.0))).unwrap();
    let c = body.characteristics();
    assert!((c.min_edge - 0.25).abs() < 1e-15);
    assert!((c.max_wave_speed - 2.0).abs() < 1e-15);
    assert!((c.crossing_time - 0.125).abs() < 1e-15);
    let mesh = Arc::new(generate::block([0.0; 3], [3.0, 1.0, 2.0], [3, 4, 4], CellKind::Hexahedron8, 1).unwrap());
    let c = Body::new(BodyInput::new("block", mesh, build(KelvinVoigt::lame(1.0, 1.0), 3.0 / 4.0)))
        .unwrap()
        .characteristics();
    assert!((c.min_edge - 0.25).abs() < 1e-15 && (c.crossing_time - 0.125).abs() < 1e-15);
}

#[test]
fn several_materials_by_group_and_the_rest() {
    let mut mesh = generate::rectangle([0.0, 0.0], [4.0, 1.0], [4, 1], CellKind::Quad4, 1).unwrap();
    mesh.groups.push(Group { name: "heavy".into(), tag: 90, dim: 2, cells: vec![1, 2] });
    let region = |name: &str, group: Option<&str>, density| Region {
        name: name.into(),
        group: group.map(Into::into),
        material: build(KelvinVoigt::lame(1.0, 1.0), density),
    };
    let mut input = BodyInput::new("mixed", Arc::new(mesh), soft());
    input.regions = vec![region("light", None, 1.0), region("lead", Some("heavy"), 10.0)];
    let body = Body::new(input).unwrap();
    let of_cell: Vec<&str> = (0..4).map(|c| body.regions()[body.region_of_cell(c).unwrap()].name.as_str()).collect();
    assert_eq!(of_cell, ["light", "lead", "lead", "light"]);
    assert_eq!(body.region_of_cell(4), None, "a boundary cell");
    assert!((body.total_mass() - 22.0).abs() < 1e-13);
    assert!((body.characteristics().max_wave_speed - 3.0_f64.sqrt()).abs() < 1e-15);
}
