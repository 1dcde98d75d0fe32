//! Loads that vary from place to place, and links to the ground.

use std::sync::Arc;

use delassus_dynamics::System;
use delassus_error::Coded as _;
use delassus_fem::{
    Attachment, Body, BodyInput, FieldLoad, FieldLoadKind, Kinematics, Section, SpaceExpression, TimeFunction,
};
use delassus_mesh::{CellKind, Mesh, generate};

use crate::support::{build, dense, distorted, kinds, max_abs, soft};

const THICKNESS: f64 = 0.7;

fn input(kind: CellKind) -> BodyInput<2> {
    let section = Section::PlaneStrain { thickness: THICKNESS };
    BodyInput { section, ..BodyInput::new("test", Arc::new(distorted(kind, 3)), soft()) }
}

fn field(kind: FieldLoadKind<2>, text: &str) -> FieldLoad<2> {
    let field = SpaceExpression::parse(text).unwrap();
    FieldLoad { kind, factor: TimeFunction::Ramp { start: 0.0, end: 2.0, from: 0.0, to: 4.0 }, field }
}

fn loads(body: &Body<2>, t: f64) -> Vec<f64> {
    let mut f = vec![f64::NAN; body.n_dof()];
    body.loads_into(t, &mut f);
    f
}

/// Force and moment about the origin.
fn resultant(mesh: &Mesh<2>, f: &[f64]) -> [f64; 3] {
    let sum = |s: [f64; 3], (x, f): (&[f64; 2], &[f64])| [s[0] + f[0], s[1] + f[1], s[2] + x[0] * f[1] - x[1] * f[0]];
    mesh.points.iter().zip(f.chunks(2)).fold([0.0; 3], sum)
}

/// ∫ g n dA and ∫ x × g n dA over the straight sides of a group by two points of Gauss on each facet: exact for g of first degree.
fn exact(mesh: &Mesh<2>, group: &str, g: impl Fn([f64; 2]) -> f64) -> [f64; 3] {
    let mut sum = [0.0; 3];
    for facet in mesh.group_facets(group).unwrap() {
        let [a, b] = [mesh.points[facet.nodes[0]], mesh.points[facet.nodes[1]]];
        let along = [b[0] - a[0], b[1] - a[1]];
        for s in [0.5 - 0.5 / 3.0_f64.sqrt(), 0.5 + 0.5 / 3.0_f64.sqrt()] {
            let x = [a[0] + s * along[0], a[1] + s * along[1]];
            // Outward for a walk counter-clockwise; half the length is in the vector.
            let n = [0.5 * along[1] * g(x) * THICKNESS, -0.5 * along[0] * g(x) * THICKNESS];
            sum = [sum[0] + n[0], sum[1] + n[1], sum[2] + x[0] * n[1] - x[1] * n[0]];
        }
    }
    sum
}

/// The pressure of water has the resultant and the moment that it has, whatever the mesh; the field may move.
#[test]
fn a_linear_field_has_its_exact_resultant_and_moment() {
    for kind in kinds::<2>() {
        for (text, t) in [("2 - 3*y + 0.5*x", 0.5), ("(2 - 3*y + 0.5*x)*t", 1.5)] {
            let pressure = field(FieldLoadKind::Pressure { group: "right".into(), pressure: 8.0 }, text);
            let body = Body::new(BodyInput { field_loads: vec![pressure], ..input(kind) }).unwrap();
            let in_time = 2.0 * t * if text.ends_with('t') { t } else { 1.0 };
            let expected = exact(body.mesh(), "right", |x| -8.0 * in_time * (2.0 - 3.0 * x[1] + 0.5 * x[0]));
            let found = resultant(body.mesh(), &loads(&body, t));
            for k in 0..3 {
                assert!((found[k] - expected[k]).abs() < 1e-12 * 50.0, "{kind:?} {text}: {found:?} {expected:?}");
            }
        }
    }
}

#[test]
fn fields_of_tractions_and_accelerations() {
    for kind in kinds::<2>() {
        let traction = FieldLoadKind::Traction { group: "top".into(), traction: [3.0, -2.0] };
        let acceleration = FieldLoadKind::Acceleration([0.0, -10.0]);
        let body = |load| Body::new(BodyInput { field_loads: vec![load], ..input(kind) }).unwrap();
        // A field of 1 is the uniform load.
        let plain = delassus_fem::SurfaceLoad {
            group: "top".into(),
            traction: delassus_fem::Traction::Vector([3.0, -2.0]),
            factor: TimeFunction::Constant(2.0),
        };
        let plain = Body::new(BodyInput { surface_loads: vec![plain], ..input(kind) }).unwrap();
        let (one, other) = (loads(&body(field(traction, "1")), 1.0), loads(&plain, 1.0));
        let error = one.iter().zip(&other).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
        assert!(error < 1e-13 * max_abs(&other).max(1.0) * 10.0, "{kind:?}: {error}");
        let heavy = body(field(acceleration, "x + 2*y"));
        let of_nodes = heavy.node_masses().iter().zip(&heavy.mesh().points);
        let expected: f64 = of_nodes.map(|(m, x)| -10.0 * 2.0 * m * (x[0] + 2.0 * x[1])).sum();
        let found = resultant(heavy.mesh(), &loads(&heavy, 1.0));
        assert!((found[1] - expected).abs() < 1e-11 && found[0].abs() < 1e-13, "{kind:?}: {found:?} {expected}");
    }
}

/// The search for an equilibrium sees the load of t = 0.
#[test]
fn frozen_fields_stay() {
    let kind = FieldLoadKind::Acceleration([1.0, 0.0]);
    let load = FieldLoad { factor: TimeFunction::Constant(3.0), ..field(kind, "1 + x + 5*t") };
    let body = Body::new(BodyInput { field_loads: vec![load], ..input(CellKind::Quad4) }).unwrap();
    let frozen = body.frozen().unwrap();
    assert_eq!(loads(&frozen, 7.0), loads(&body, 0.0));
    assert!(max_abs(&loads(&body, 7.0)) > 2.0 * max_abs(&loads(&body, 0.0)));
}

#[test]
fn fields_that_are_refused() {
    let of = |text: &str| {
        let load = field(FieldLoadKind::Acceleration([1.0, 0.0]), text);
        Body::new(BodyInput { field_loads: vec![load], ..input(CellKind::Quad4) }).err().unwrap()
    };
    let error = of("1/(x - x)");
    assert_eq!(error.code(), "E0623");
    assert!(error.to_string().contains("`1/(x - x)` is inf at") || error.to_string().contains("NaN"), "{error}");
    let reason = |text: &str| SpaceExpression::<2>::parse(text).unwrap_err().to_string();
    assert!(reason("z").contains("no variable `z`"), "{}", reason("z"));
    assert!(
        SpaceExpression::<3>::parse("z*t").unwrap().varies() && !SpaceExpression::<3>::parse("z").unwrap().varies()
    );
    // Hostile ones are bounded.
    assert!(reason(&"(".repeat(100)).contains("nested more than 64 deep"));
    assert!(reason(&"x+".repeat(3000)).contains("too long"));
}

fn attached<const D: usize>(input: BodyInput<D>, attachments: Vec<Attachment<D>>) -> Body<D> {
    Body::new(BodyInput { attachments, ..input }).unwrap()
}

fn link(group: &str) -> Attachment<2> {
    Attachment { group: group.into(), stiffness: [0.0; 2], damping: [0.0; 2], mass: 0.0, absorbing: false }
}

/// Forces, energy and matrices say the same, and the links are what they add to a free body.
#[test]
fn links_are_in_forces_and_matrices_alike() {
    for kind in kinds::<2>() {
        let free = Body::new(input(kind)).unwrap();
        let springs = Attachment { stiffness: [30.0, 20.0], damping: [3.0, 4.0], mass: 5.0, ..link("left") };
        let links = vec![springs, Attachment { absorbing: true, ..link("right") }];
        let body = attached(input(kind), links);
        let n = body.n_dof();
        let x: Vec<f64> = (0..n).map(|i| ((i * 7919) % 101) as f64 / 50.0 - 1.0).collect();
        let of = |body: &Body<2>| {
            let (mut f, mut c) = (vec![0.0; n], vec![0.0; n]);
            body.elastic_force_into(&x, &mut f);
            body.viscous_force_into(&vec![0.0; n], &x, &mut c);
            (f, c, body.elastic_energy(&x))
        };
        let (f, c, energy) = of(&body);
        let (f_free, ..) = of(&free);
        let v = nalgebra::DVector::from_column_slice(&x);
        let [k, d] = [&body.matrices().stiffness, &body.matrices().damping].map(|m| dense(m) * &v);
        for i in 0..n {
            assert!((f[i] - k[i]).abs() < 1e-11 * k.amax(), "{kind:?} K: {} {}", f[i], k[i]);
            assert!((c[i] - d[i]).abs() < 1e-12 * d.amax(), "{kind:?} C: {} {}", c[i], d[i]);
        }
        assert!((energy - 0.5 * v.dot(&k)).abs() < 1e-11 * energy, "{kind:?}");
        assert!(v.dot(&d) > 0.0 && body.is_damped());
        // Only the nodes of the group have springs, in equal parts.
        let nodes = body.mesh().group_nodes(body.mesh().group("left").unwrap());
        for i in 0..n {
            let own = if nodes.contains(&(i / 2)) { [30.0, 20.0][i % 2] / nodes.len() as f64 * x[i] } else { 0.0 };
            assert!((f[i] - f_free[i] - own).abs() < 1e-11 * k.amax(), "{kind:?} dof {i}");
        }
        assert!((body.total_mass() - free.total_mass() - 5.0).abs() < 1e-12 * body.total_mass());
    }
}

/// A uniform velocity meets ρ c_p along the normal and ρ c_s across it, on the whole area.
#[test]
fn an_absorbing_side_has_the_impedance_of_its_material() {
    let law = delassus_fem::KelvinVoigt::elastic(200.0, 0.25);
    let (rho, lambda, mu) = (8.0, 80.0, 80.0);
    let mesh = Arc::new(generate::rectangle([0.0, 0.0], [2.0, 3.0], [2, 3], CellKind::Quad4, 1).unwrap());
    for (section, modulus) in [
        (Section::PlaneStrain { thickness: THICKNESS }, lambda + 2.0 * mu),
        (Section::PlaneStress { thickness: THICKNESS }, 200.0 / (1.0 - 0.0625)),
    ] {
        let input = BodyInput { section, ..BodyInput::new("b", Arc::clone(&mesh), build(law.clone(), rho)) };
        let body = attached(input, vec![Attachment { absorbing: true, ..link("right") }]);
        let force = |v: [f64; 2]| {
            let v: Vec<f64> = (0..body.n_dof()).map(|i| v[i % 2]).collect();
            let mut f = vec![0.0; body.n_dof()];
            body.viscous_force_into(&vec![0.0; v.len()], &v, &mut f);
            resultant(body.mesh(), &f)
        };
        let area = 3.0 * THICKNESS;
        let (along, across) = (force([1.0, 0.0]), force([0.0, 1.0]));
        assert!((along[0] - area * (rho * modulus).sqrt()).abs() < 1e-12 * along[0] && along[1].abs() < 1e-12);
        assert!((across[1] - area * (rho * mu).sqrt()).abs() < 1e-12 * across[1] && across[0].abs() < 1e-12);
    }
}

#[test]
fn links_that_are_refused() {
    let refused = |input: BodyInput<2>, link: Attachment<2>| {
        Body::new(BodyInput { attachments: vec![link], ..input }).err().unwrap().code()
    };
    let quad = || input(CellKind::Quad4);
    let turning =
        BodyInput { kinematics: Kinematics::Corotational { frames: delassus_fem::FrameScope::Body }, ..quad() };
    assert_eq!(refused(turning.clone(), Attachment { absorbing: true, ..link("left") }), "E0621");
    assert_eq!(refused(quad(), Attachment { stiffness: [-1.0, 0.0], ..link("left") }), "E0601");
    assert_eq!(refused(quad(), Attachment { mass: f64::NAN, ..link("left") }), "E0601");
    // A mass may be on a body that turns.
    assert!(Body::new(BodyInput { attachments: vec![Attachment { mass: 1.0, ..link("left") }], ..turning }).is_ok());
    let solid = distorted::<3>(CellKind::Hexahedron20, 1);
    let group = solid.groups.iter().find(|g| g.dim == 2).unwrap().name.clone();
    let link = Attachment { group, stiffness: [0.0; 3], damping: [0.0; 3], mass: 0.0, absorbing: true };
    let input = BodyInput { attachments: vec![link], ..BodyInput::new("b", Arc::new(solid), soft()) };
    assert_eq!(Body::new(input).err().unwrap().code(), "E0622");
}
