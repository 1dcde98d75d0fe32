//! What a body refuses, and how it says so.

use std::sync::Arc;

use delassus_fem::{
    Body, BodyInput, Formulation, GeneralizedMaxwell, Gravity, InitialStress, Kinematics, Lithostatic, MaterialSpec,
    Maxwell, NodalForce, ObjectiveRate, PrescribedVelocity, PronyTerm, Rayleigh, Region, Section, SurfaceLoad,
    TimeFunction, Traction,
};
use delassus_mesh::{CellKind, Group, Mesh};

use crate::support::{distorted, soft};

fn input() -> BodyInput<2> {
    BodyInput::new("block", Arc::new(distorted(CellKind::Quad4, 2)), soft())
}

fn refuses(input: BodyInput<2>, words: &[&str]) {
    let message = Body::new(input).unwrap_err().to_string();
    assert!(message.starts_with("body `block`"), "{message}");
    for word in words {
        assert!(message.contains(word), "`{word}` is not in: {message}");
    }
}

fn with_mesh(change: impl FnOnce(&mut Mesh<2>)) -> BodyInput<2> {
    let mut mesh = distorted(CellKind::Quad4, 2);
    change(&mut mesh);
    BodyInput { mesh: Arc::new(mesh), ..input() }
}

fn region(name: &str, group: Option<&str>) -> Region {
    Region { name: name.into(), group: group.map(Into::into), material: soft() }
}

fn motion(group: &str, component: usize, velocity: impl Into<TimeFunction>) -> PrescribedVelocity {
    PrescribedVelocity { group: group.into(), component, velocity: velocity.into() }
}

#[test]
fn bad_meshes() {
    refuses(with_mesh(|m| m.blocks[0].nodes[..4].reverse()), &["cell 0", "inverted"]);
    refuses(with_mesh(|m| m.blocks[0].nodes[0] = 1_000_000), &["1000000"]);
    refuses(with_mesh(|m| m.points[3][1] = f64::NAN), &["3"]);
    refuses(with_mesh(|m| m.points.push([7.0, 8.0])), &["node 9", "(7, 8)", "mass 0e0"]);
    refuses(with_mesh(|m| m.blocks.clear()), &[]);
}

#[test]
fn bad_materials() {
    let with = |regions: Vec<Region>| BodyInput { regions, ..input() };
    refuses(with(vec![]), &["4 cells have no material", "cell 0 centred at ("]);
    refuses(with(vec![region("steel", Some("nowhere"))]), &["material `steel`", "no group `nowhere`"]);
    refuses(with(vec![region("steel", Some("left"))]), &["material `steel`", "group `left`", "dimension 1"]);
    refuses(with(vec![region("steel", None), region("wood", None)]), &["cell 0", "`steel` and `wood`"]);
    refuses(with(vec![region("steel", Some("body")), region("wood", Some("body"))]), &["cell 0", "`steel` and `wood`"]);
    let part = |m: &mut Mesh<2>| m.groups.push(Group { name: "part".into(), tag: 77, dim: 2, cells: vec![0, 2] });
    let regions = vec![region("steel", Some("part"))];
    refuses(BodyInput { regions, ..with_mesh(part) }, &["2 cells have no material", "cell 1 "]);
}

#[test]
fn what_bodies_with_memory_cannot_be() {
    let region =
        |spec: MaterialSpec| vec![Region { name: "mud".into(), group: None, material: spec.build(1.0).unwrap() }];
    let maxwell = || region(MaterialSpec::Maxwell(Maxwell::new(1.0, 0.3, 1.0)));
    let section = Section::PlaneStress { thickness: 1.0 };
    let kinematics = Kinematics::UpdatedGeometry { rate: ObjectiveRate::GreenNaghdi };
    refuses(
        BodyInput { regions: maxwell(), section, kinematics, ..input() },
        &["plane stress is not available with UpdatedGeometry", "PlaneStrain"],
    );
    let formulation = Formulation::IncompatibleModes;
    refuses(BodyInput { regions: maxwell(), formulation, ..input() }, &["IncompatibleModes", "BBar"]);
    refuses(BodyInput { kinematics, ..input() }, &["UpdatedGeometry needs", "Maxwell"]);
    let rayleigh = Rayleigh { alpha: 0.0, beta: 0.1 };
    refuses(BodyInput { regions: maxwell(), kinematics, rayleigh, ..input() }, &["beta = 0.1 must be 0"]);
    let weight = |density| {
        let gravity = [0.0, -10.0];
        Some(InitialStress::Lithostatic(Lithostatic { surface: [0.0; 2], density, gravity, lateral: 1.0 }))
    };
    refuses(BodyInput { initial_stress: weight(1.0), ..input() }, &["initial_stress", "only Maxwell"]);
    let prony = GeneralizedMaxwell {
        young: Some(1.0),
        poisson: Some(0.3),
        terms: vec![PronyTerm { share: 0.5, time: 1.0 }],
        ..GeneralizedMaxwell::default()
    };
    let regions = region(MaterialSpec::GeneralizedMaxwell(prony));
    refuses(BodyInput { regions, initial_stress: weight(1.0), ..input() }, &["initial_stress", "only Maxwell"]);
    refuses(
        BodyInput { regions: maxwell(), initial_stress: weight(f64::NAN), ..input() },
        &["Lithostatic", "density = NaN"],
    );
}

#[test]
fn bad_sections_and_formulations() {
    refuses(BodyInput { section: Section::PlaneStrain { thickness: 0.0 }, ..input() }, &["thickness = 0"]);
    let section = Section::PlaneStress { thickness: 1.0 };
    refuses(BodyInput { section, formulation: Formulation::BBar, ..input() }, &["BBar", "plane stress", "Standard"]);
    refuses(BodyInput { section: Section::Solid, ..input() }, &["section Solid", "cannot be used in 2D"]);
    refuses(BodyInput { rayleigh: Rayleigh { alpha: -1.0, beta: 0.0 }, ..input() }, &["alpha = -1"]);
    refuses(BodyInput { rayleigh: Rayleigh { alpha: 0.0, beta: f64::NAN }, ..input() }, &["beta = NaN"]);
}

#[test]
fn bad_loads() {
    let gravity = |x, factor: TimeFunction| Gravity { acceleration: [0.0, x], factor };
    refuses(BodyInput { gravity: vec![gravity(f64::NAN, 1.0.into())], ..input() }, &["gravity", "acceleration", "NaN"]);
    refuses(BodyInput { gravity: vec![gravity(1.0, f64::INFINITY.into())], ..input() }, &["gravity", "inf"]);

    let surface = |group: &str, traction| {
        let load = SurfaceLoad { group: group.into(), traction, factor: 1.0.into() };
        BodyInput { surface_loads: vec![load], ..input() }
    };
    refuses(surface("topp", Traction::Pressure(1.0)), &["traction on `topp`", "no group `topp`"]);
    refuses(surface("top", Traction::Pressure(f64::NAN)), &["traction on `top`", "pressure = NaN"]);
    refuses(surface("top", Traction::Vector([f64::INFINITY, 0.0])), &["traction on `top`", "inf"]);

    let force = |group: &str, x| {
        let load = NodalForce { group: group.into(), force: [x, 0.0], factor: 1.0.into() };
        BodyInput { nodal_forces: vec![load], ..input() }
    };
    refuses(force("nowhere", 1.0), &["force on `nowhere`", "no group"]);
    refuses(force("top", f64::NAN), &["force on `top`", "NaN"]);
}

#[test]
fn bad_motions() {
    let with = |prescribed: Vec<PrescribedVelocity>| BodyInput { prescribed, ..input() };
    refuses(with(vec![motion("left", 2, 0.0)]), &["prescribed velocity on `left`", "component 2", "0 … 1"]);
    refuses(with(vec![motion("nowhere", 0, 0.0)]), &["prescribed velocity on `nowhere`", "no group"]);
    refuses(with(vec![motion("left", 0, TimeFunction::Table(vec![]))]), &["prescribed velocity on `left`", "table"]);
    refuses(
        with(vec![motion("left", 0, 0.0), motion("bottom", 0, 1.0)]),
        &["component 0 of node", "`left` and `bottom`"],
    );
}
