//! Rigid motions that supports and ties leave free, and the softness of a free body.

use std::sync::Arc;

use delassus_dynamics::System;
use delassus_fem::{Body, BodyInput, MassKind, PrescribedVelocity, Rayleigh, Section, Tie, TimeFunction};
use delassus_mesh::{CellKind, Mesh, generate};

use crate::support::soft;

fn held<const D: usize>(mesh: Mesh<D>, groups: &[(&str, usize)]) -> BodyInput<D> {
    let motion = |(group, component): &(&str, usize)| PrescribedVelocity {
        group: (*group).to_owned(),
        component: *component,
        velocity: TimeFunction::Constant(0.0),
    };
    BodyInput { prescribed: groups.iter().map(motion).collect(), ..BodyInput::new("b", Arc::new(mesh), soft()) }
}

fn names<const D: usize>(input: BodyInput<D>) -> Vec<String> {
    let body = Body::new(input).unwrap();
    let floating = body.floating();
    if let Some(floating) = floating {
        // A rigid motion costs no energy.
        for mode in &floating.modes {
            let mut u = vec![0.0; body.n_dof()];
            mode.motion.iter().for_each(|&(dof, x)| u[dof] = x);
            let size = u.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
            assert!(size > 0.3 && size < 3.0 && body.elastic_energy(&u) < 1e-13, "{}: {size}", mode.name);
            assert!(body.prescribed().iter().all(|&dof| u[dof].abs() < 1e-9), "{}", mode.name);
            assert_eq!(mode.turns, mode.name.starts_with("turn"));
        }
    }
    floating.map(|f| f.modes.iter().map(|m| m.name.clone()).collect()).unwrap_or_default()
}

fn plate() -> Mesh<2> {
    generate::rectangle([1.0, 2.0], [3.0, 1.0], [6, 2], CellKind::Quad4, 1).unwrap()
}

fn block() -> Mesh<3> {
    generate::block([1.0, 2.0, 0.0], [3.0, 1.0, 1.0], [3, 1, 1], CellKind::Hexahedron8, 1).unwrap()
}

#[test]
fn supports_leave_motions_free() {
    let (x, y, z) = ("shift along x", "shift along y", "shift along z");
    assert_eq!(names(held(plate(), &[])), [x, y, "turn in the plane"]);
    assert_eq!(names(held(plate(), &[("left", 0)])), [y]);
    assert_eq!(names(held(plate(), &[("bottom", 1)])), [x]);
    assert_eq!(names(held(plate(), &[("bottom_left", 0), ("bottom_left", 1)])), ["turn in the plane"]);
    assert!(names(held(plate(), &[("left", 0), ("bottom_left", 1)])).is_empty());
    assert!(names(held(plate(), &[("left", 0), ("left", 1)])).is_empty());
    assert_eq!(names(held(block(), &[])), [x, y, z, "turn about x", "turn about y", "turn about z"]);
    assert_eq!(names(held(block(), &[("bottom", 1)])), [x, z, "turn about y"]);
    assert!(names(held(block(), &[("left", 0), ("left", 1), ("left", 2)])).is_empty());
}

#[test]
fn ties_and_drag_hold_too() {
    let tie = Tie { slaves: "right".into(), masters: "left".into(), components: vec![0, 1], translation: None };
    let tied = BodyInput { ties: vec![tie], ..held(plate(), &[]) };
    assert_eq!(names(tied), ["shift along x", "shift along y"], "a periodic cell cannot turn");
    let rayleigh = Rayleigh { alpha: 0.1, beta: 0.0 };
    assert!(names(BodyInput { rayleigh, ..held(plate(), &[]) }).is_empty());
}

/// A bar and a beam against the frequencies of their theories: ω = π c/L, and 22.37 √(E I/ρ A)/L². Ritz's are above, by 22 % and 44 % at most.
#[test]
fn softness_is_near_the_lowest_frequency() {
    let section = Section::PlaneStress { thickness: 1.0 };
    // soft: E = 3, ν = 0.3, density 2.5
    for (height, cells) in [(0.05, 4), (0.2, 8)] {
        let mesh = generate::rectangle([-3.0, 0.4], [2.0, height], [160, cells], CellKind::Quad4, 1).unwrap();
        for mass in [MassKind::Lumped, MassKind::Consistent] {
            let formulation = delassus_fem::Formulation::IncompatibleModes;
            let body = Body::new(BodyInput { section, mass, formulation, ..held(mesh.clone(), &[]) }).unwrap();
            let found = body.softest(body.matrices().stiffness.values());
            let beam = 22.373_f64.powi(2) * 3.0 * height * height / 12.0 / 2.5 / 16.0;
            let ratio = found / beam;
            assert!(ratio > 0.9 && ratio < 1.5, "{height}: {ratio}");
        }
    }
}
