//! Output of bodies: positions, areas, fields, scales.

use std::sync::Arc;

use delassus_dynamics::System;
use delassus_fem::{Body, BodyInput, KelvinVoigt, Region, Section};
use delassus_mesh::{CellKind, Group, generate};

use crate::support::{Numbers, body, build, distorted, for_every_body, soft};

#[test]
fn positions_are_reference_plus_displacement() {
    for_every_body(2, |body, _| {
        let q = Numbers::new(1).vector(body.n_dof());
        for (node, x) in body.positions(&q).iter().enumerate() {
            for i in 0..2 {
                assert!((x[i] - body.mesh().points[node][i] - q[2 * node + i]).abs() < 1e-15);
            }
        }
    });
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

#[test]
fn viscous_stress_is_in_the_output() {
    // uniaxial strain rate 0.1 in plane strain with κ_v = 0, μ_v = 2: σ_xx = 4/3 μ_v ε̇, σ_yy = σ_zz = −2/3 μ_v ε̇
    let material = build(KelvinVoigt::elastic(3.0, 0.3).with_viscosity(0.0, 2.0), 1.0);
    let body = Body::new(BodyInput::new("test", Arc::new(distorted(CellKind::Quad4, 2)), material)).unwrap();
    let v: Vec<f64> = body.mesh().points.iter().flat_map(|x| [0.1 * x[0], 0.0]).collect();
    let fields = body.cell_fields(&vec![0.0; v.len()], &v);
    for (stress, strain) in fields.stress.iter().zip(&fields.strain) {
        let exact = [0.8 / 3.0, -0.4 / 3.0, -0.4 / 3.0, 0.0, 0.0, 0.0];
        assert!(stress.iter().zip(exact).all(|(a, b)| (a - b).abs() < 1e-14), "{stress:?}");
        assert!(strain.iter().all(|e| e.abs() <= 0.0));
    }
    assert!(fields.von_mises.iter().all(|s| (s - 0.4).abs() < 1e-14), "2 μ_v ε̇");
}

#[test]
fn stress_stays_exact_after_a_long_flight() {
    let body = body(CellKind::Quad4, 3, Section::default(), delassus_fem::Formulation::Standard);
    let q: Vec<f64> = (0..body.n_dof()).map(|k| if k % 2 == 0 { 1e6 + 0.1 } else { -3e5 }).collect();
    let fields = body.cell_fields(&q, &vec![0.0; q.len()]);
    assert!(fields.stress.iter().flatten().all(|s| s.abs() <= 0.0));
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
