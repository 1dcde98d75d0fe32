//! Bodies that are the same up to a rigid motion: they are found, their matrices are those of the first, turned, and
//! whatever differs in one thing is another body.

use std::sync::Arc;

use delassus_dynamics::System;
use delassus_fem::{
    Body, BodyInput, Formulation, MassKind, PrescribedVelocity, Rayleigh, Region, Section, TimeFunction,
};
use delassus_mesh::{CellKind, Mesh, generate};
use nalgebra::{DMatrix, SMatrix, SVector};

use crate::support::{dense, distorted, kinds, models, soft};

/// A rotation about a skew axis, made of three about the axes.
fn rotation<const D: usize>(angles: [f64; 3]) -> SMatrix<f64, D, D> {
    let mut out = SMatrix::<f64, D, D>::identity();
    for (angle, [i, j]) in angles.into_iter().zip([[0, 1], [1, 2], [2, 0]]).filter(|(_, [i, j])| *i < D && *j < D) {
        let mut one = SMatrix::<f64, D, D>::identity();
        let (s, c) = angle.sin_cos();
        (one[(i, i)], one[(i, j)], one[(j, i)], one[(j, j)]) = (c, -s, s, c);
        out *= one;
    }
    out
}

fn moved<const D: usize>(mesh: &Mesh<D>, turn: &SMatrix<f64, D, D>) -> Mesh<D> {
    let shift = SVector::<f64, D>::from_fn(|i, _| [3.1, -1.7, 0.9][i]);
    let points = mesh.points.iter().map(|x| (turn * SVector::from(*x) + shift).into()).collect();
    Mesh { points, ..mesh.clone() }
}

fn turned_matrices_are_those_of_the_turned_body<const D: usize>() {
    let material = soft();
    for kind in kinds::<D>() {
        for (section, formulation) in models::<D>() {
            let mesh = distorted::<D>(kind, 2);
            for angles in [[0.0; 3], [0.4, -1.1, 2.3], [std::f64::consts::PI, 0.0, 0.0]] {
                let turn = rotation::<D>(angles);
                let make = |mesh: Mesh<D>| {
                    let input = BodyInput::new("test", Arc::new(mesh), Arc::clone(&material));
                    let mass = MassKind::Consistent;
                    let rayleigh = Rayleigh { alpha: 0.1, beta: 0.2 };
                    Body::new(BodyInput { section, formulation, mass, rayleigh, ..input }).unwrap()
                };
                let (first, twin) = (make(mesh.clone()), make(moved(&mesh, &turn)));
                let case = format!("{kind} {section:?} {formulation:?} {angles:?}");
                assert!(!first.look().differs(&twin.look()), "{case}");
                let found = first.rotation_onto(&twin).unwrap_or_else(|| panic!("{case}: not found"));
                // coordinates below 5, levers above 0.3, an epsilon each
                assert!((found - turn).amax() < 1e-14, "{case}: {found} for {turn}");
                if angles[0].abs() + angles[1].abs() == 0.0 {
                    assert_eq!(found, SMatrix::<f64, D, D>::identity(), "{case}: a straight twin is exactly straight");
                }
                let n = first.n_dof();
                let r = DMatrix::from_fn(n, n, |i, j| if i / D == j / D { found[(i % D, j % D)] } else { 0.0 });
                let (a, b) = (first.matrices(), twin.matrices());
                for (x, y) in [(&a.mass, &b.mass), (&a.damping, &b.damping), (&a.stiffness, &b.stiffness)] {
                    let (x, y) = (dense(x), dense(y));
                    let error = (&r * &x * r.transpose() - &y).amax() / x.amax();
                    // rounding of coordinates (1e-15) over the size of a cell (0.3), and of the quadrature
                    assert!(error < 1e-13, "{case}: {error:e}");
                }
            }
        }
    }
}

#[test]
fn turned_matrices_are_those_of_the_turned_body_in_the_plane_and_in_space() {
    turned_matrices_are_those_of_the_turned_body::<2>();
    turned_matrices_are_those_of_the_turned_body::<3>();
}

fn rectangle() -> Mesh<2> {
    generate::rectangle([0.0, 0.0], [1.0, 0.5], [4, 3], CellKind::Quad4, 1).unwrap()
}

/// What differs in one thing is not the same.
#[test]
fn mutants_do_not_share() {
    let material = soft();
    let turn = rotation::<2>([0.3, 0.0, 0.0]);
    let base = |mesh: Mesh<2>| BodyInput::new("test", Arc::new(mesh), Arc::clone(&material));
    let first = Body::new(base(rectangle())).unwrap();
    let shared = |input: BodyInput<2>| {
        let body = Body::new(input).unwrap();
        !first.look().differs(&body.look()) && first.rotation_onto(&body).is_some()
    };
    for mesh in [rectangle(), moved(&rectangle(), &turn)] {
        let usual = || base(mesh.clone());
        assert!(shared(usual()), "the body itself");
        let other = vec![Region { name: "other".into(), group: None, material: soft() }];
        assert!(!shared(BodyInput { regions: other, ..usual() }), "another material");
        assert!(!shared(BodyInput { section: Section::PlaneStress { thickness: 1.0 }, ..usual() }), "section");
        assert!(!shared(BodyInput { section: Section::PlaneStrain { thickness: 1.1 }, ..usual() }), "thickness");
        assert!(!shared(BodyInput { formulation: Formulation::BBar, ..usual() }), "formulation");
        assert!(!shared(BodyInput { mass: MassKind::Consistent, ..usual() }), "mass");
        assert!(!shared(BodyInput { rayleigh: Rayleigh { alpha: 0.1, beta: 0.0 }, ..usual() }), "alpha");
        assert!(!shared(BodyInput { rayleigh: Rayleigh { alpha: 0.0, beta: 0.1 }, ..usual() }), "beta");
        for (node, by) in [(0, 1e-9), (7, 1e-9), (19, 1e-9), (7, 1e-3)] {
            let mut bent = mesh.clone();
            bent.points[node][1] += by;
            assert!(!shared(base(bent)), "node {node} moved by {by}");
        }
        let mut large = mesh.clone();
        large.points.iter_mut().flatten().for_each(|x| *x *= 1.0 + 1e-10);
        assert!(!shared(base(large)), "larger");
        let mut split = mesh.clone();
        split.blocks[0].nodes.rotate_left(4);
        assert!(!shared(base(split)), "cells in another order");
    }
    // the mirror image, its cells turned over: no rotation does that
    let mut mirrored = rectangle();
    mirrored.points.iter_mut().for_each(|x| x[0] = -x[0]);
    for cell in mirrored.blocks[0].nodes.chunks_exact_mut(4) {
        cell.reverse();
    }
    assert!(!shared(base(mirrored)), "mirror image");
    // rounding of coordinates is no difference, and loads do not matter
    let mut rounded = rectangle();
    rounded.points[7][1] += 1e-13;
    assert!(shared(base(rounded)), "rounding");
}

#[test]
fn materials_are_compared_cell_by_cell() {
    let (a, b) = (soft(), soft());
    let halves = |mesh: &Mesh<2>, swap: bool| {
        let mut mesh = mesh.clone();
        let left = mesh.bulk_cells().map(|c| c.0).filter(|c| c % 4 < 2).collect();
        mesh.groups.push(delassus_mesh::Group { name: "left".into(), tag: 77, dim: 2, cells: left });
        let (one, two) = if swap { (&b, &a) } else { (&a, &b) };
        let region = |group: Option<&str>, m: &Arc<dyn delassus_fem::Material>| Region {
            name: "m".into(),
            group: group.map(Into::into),
            material: Arc::clone(m),
        };
        let regions = vec![region(Some("left"), one), region(None, two)];
        Body::new(BodyInput { regions, ..BodyInput::new("test", Arc::new(mesh), Arc::clone(&a)) }).unwrap()
    };
    let turned = moved(&rectangle(), &rotation::<2>([1.0, 0.0, 0.0]));
    let first = halves(&rectangle(), false);
    assert!(first.rotation_onto(&halves(&turned, false)).is_some());
    assert!(first.rotation_onto(&halves(&turned, true)).is_none());
}

#[test]
fn prescribed_dofs_must_be_the_same_and_cannot_be_turned() {
    let material = soft();
    let make = |turn: &SMatrix<f64, 2, 2>, held: &[(&str, usize)], speed: f64| {
        let mesh = moved(&rectangle(), turn);
        let hold = |&(group, component): &(&str, usize)| PrescribedVelocity {
            group: group.into(),
            component,
            velocity: TimeFunction::Constant(speed),
        };
        let prescribed = held.iter().map(hold).collect();
        let input = BodyInput::new("test", Arc::new(mesh), Arc::clone(&material));
        Body::new(BodyInput { prescribed, ..input }).unwrap()
    };
    let (straight, turn) = (SMatrix::identity(), rotation::<2>([0.5, 0.0, 0.0]));
    let first = make(&straight, &[("left", 0)], 0.0);
    assert_eq!(first.rotation_onto(&make(&straight, &[("left", 0)], 2.0)), Some(straight), "motions do not matter");
    assert_eq!(first.rotation_onto(&make(&straight, &[("left", 1)], 0.0)), None);
    assert_eq!(first.rotation_onto(&make(&straight, &[("right", 0)], 0.0)), None);
    assert_eq!(first.rotation_onto(&make(&straight, &[], 0.0)), None);
    assert_eq!(first.rotation_onto(&make(&turn, &[("left", 0)], 0.0)), None);
}
