//! Candidate points on faces: the contact patch test in space, with nodes, with points on facets and with quadrature points.
//!
//! Reference: two blocks under a uniform pressure p with ν = 0: σ_yy = −p everywhere, the rest zero.
//!
//! Goal: matched meshes pass with every kind of points. Unmatched ones fail with nodes and with one point per facet, whose forces do not make a
//! uniform pressure on the other side. With two points along each side of a facet, or its quadrature points, there are forces that make one on
//! both sides: they pass. Blocks of quadratic elements on a rigid plane pass with quadrature points. In the plane the same.
//!
//! ```text
//!     p  v v v v v v
//!       +--+--+--+--+
//!       |   upper   |      1 m x 0.5 m x 1 m each, H8, 3 cells along x and z over 2, or 2 over 2
//!       +--+--+--+--+
//!       +---+---+---+
//!       |   lower   |      held at its bottom along y, both at x = 0 and z = 0 (planes of symmetry)
//!       +---+---+---+
//! ```
//!
//! Parameters: E = 1e9 Pa, ν = 0, p = 1e6 Pa, no friction. Implicit Euler with long steps brings the blocks to rest.
//!
//! Tolerances: with nodes and one point per facet 1e-9 of p, where the test is passed (solved to 1e-12). With more points than nodes their gaps
//! are posed more than once, and are rounded: solved to 1e-7, 1e-5 of p. The equilibrium of quadratic blocks: 1e-8, as `Equilibrium` promises.

use delassus_case::Loaded;
use delassus_contact::Normals;
use delassus_sim::space::Dimension;
use verification::{load_text, run, show};

const CASE: &str = r#"(
    title: "Contact patch test in space",
    kinematics: SmallStrain,
    dimension: 3,
    materials: [(name: "m", density: 1000.0, law: KelvinVoigt(young: 1e9, poisson: 0.0))],
    bodies: [
        (name: "lower", mesh: Box(corner: (0, 0, 0), size: (1, 0.5, 1), cells: (2, 2, 2)), material: "m"),
        (name: "upper", mesh: Box(corner: (0, 0.5, 0), size: (1, 0.5, 1), cells: (2, 1, 2)), material: "m"),
    ],
    contacts: [(
        name: "joint",
        candidates: (body: "upper", group: "bottom"),
        antagonists: Surface(body: "lower", group: "top"),
        law: Frictionless,
    )],
    loads: [Pressure(body: "upper", group: "top", pressure: 1e6)],
    boundary: [
        (body: "lower", group: "bottom", y: 0.0),
        (body: "lower", group: "left", x: 0.0), (body: "lower", group: "front", z: 0.0),
        (body: "upper", group: "left", x: 0.0), (body: "upper", group: "front", z: 0.0),
    ],
    integrator: Theta(theta: 1.0),
    step: 1e-2,
    duration: 0.15,
)"#;

const PRESSURE: f64 = 1e6;

/// Largest error of the stress in a cell, relative to the pressure. Where it is small, `max_pressure` must be as close to the pressure, and `area`
/// the whole of it, whichever points push and however hard.
fn stress_error<const D: usize>(loaded: &Loaded) -> f64
where
    Dimension<D>: delassus_case::lower::Generate<D>,
{
    let run = run(loaded);
    let model = loaded.model::<D>().unwrap();
    let mut worst: f64 = 0.0;
    for (body, state) in model.bodies.iter().zip(&run.summary.final_snapshot.states) {
        for s in &body.body.cell_fields(state).stress {
            let off = s.iter().enumerate().map(|(i, x)| if i == 1 { (x + PRESSURE).abs() } else { x.abs() });
            worst = off.fold(worst, f64::max);
        }
    }
    let error = worst / PRESSURE;
    let whole: f64 = model.pairs[0].directions[0].candidates()[0].areas().iter().sum();
    let (peak, area) = (run.last("joint.max_pressure") / PRESSURE - 1.0, run.last("joint.area") / whole - 1.0);
    show(&format!("stress {error:.1e}, largest pressure {peak:+.1e}, area {area:+.1e}"));
    // To the tolerance of the stress with more points than nodes.
    assert!(error > 0.02 || (peak.abs() < 1e-5 && area.abs() < 1e-9), "pressure {peak:e}, area {area:e}");
    error
}

/// The settings for a kind of points, and the error of the stress where the test is passed.
fn points(kind: &str) -> (Vec<String>, f64) {
    let (tolerance, error) = if matches!(kind, "Nodes" | "OnFacets(1)") { (1e-12, 1e-9) } else { (1e-7, 1e-5) };
    (vec![format!("contacts.joint.points={kind}"), format!("solver=Nlgs(tolerance: {tolerance:e})")], error)
}

fn settings<'a>(kind: &'a [String], more: &[&'a str]) -> Vec<&'a str> {
    more.iter().copied().chain(kind.iter().map(String::as_str)).collect()
}

const KINDS: [&str; 5] = ["Nodes", "OnFacets(1)", "OnFacets(2)", "OnFacets(3)", "Quadrature"];

#[test]
fn matched_meshes_pass_with_every_kind_of_points() {
    for kind in KINDS {
        for element in ["Hexahedron8", "Tetrahedron4", "Prism6"] {
            let elements = ["lower", "upper"].map(|b| format!("bodies.{b}.mesh.element={element}"));
            let (set, allowed) = points(kind);
            let error = stress_error::<3>(&load_text(CASE, &settings(&set, &[&elements[0], &elements[1]])));
            show(&format!("patch in space, matched {element}, {kind}: {error:.1e}"));
            assert!(error < allowed, "{element}, {kind}: {error:e}");
        }
    }
}

#[test]
fn unmatched_meshes_pass_with_two_points_along_a_side() {
    for kind in KINDS {
        let (set, allowed) = points(kind);
        let error = stress_error::<3>(&load_text(CASE, &settings(&set, &["bodies.upper.mesh.cells=(3, 1, 3)"])));
        show(&format!("patch in space, 3 over 2 cells, {kind}: {error:.1e}"));
        let fails = matches!(kind, "Nodes" | "OnFacets(1)");
        assert!(if fails { error > 0.02 } else { error < allowed }, "{kind}: {error:e}");
    }
}

#[test]
fn quadratic_elements_pass_on_a_plane() {
    for file in ["block_te10", "block_h20"] {
        let mesh = format!("{}/../crates/delassus-mesh/tests/data/{file}.v41a.msh", env!("CARGO_MANIFEST_DIR"));
        // The file's block stands on z = 0 with its groups bottom and top: turned so that z becomes y.
        let bodies = format!(
            "bodies=[(name: \"upper\", mesh: File(\"{mesh}\"), material: \"m\", rotation: -90, rotation_axis: (1, 0, 0))]"
        );
        let settings = [
            bodies.as_str(),
            "obstacles=[(name: \"floor\", shape: HalfSpace(point: (0, 0, 0), normal: (0, 1, 0)))]",
            "contacts.joint.antagonists=Obstacle(\"floor\")",
            "contacts.joint.points=Quadrature",
            "boundary=[]",
            "materials.m.law.poisson=0.3",
            "start=Equilibrium",
            "step=1e-4",
            "duration=1e-4",
            "solver=Nlgs(tolerance: 1e-9)",
        ];
        let error = stress_error::<3>(&load_text(CASE, &settings));
        show(&format!("patch in space, {file} on a plane, Quadrature: {error:.1e}"));
        assert!(error < 1e-8, "{file}: {error:e}");
    }
}

#[test]
fn in_the_plane_too() {
    let plane = |cells: usize, kind: &str| {
        let upper = format!("bodies.upper.mesh=Rectangle(corner: (0, 0.5), size: (1, 0.5), cells: ({cells}, 2))");
        let base = [
            "dimension=2",
            "bodies.lower.mesh=Rectangle(corner: (0, 0), size: (1, 0.5), cells: (4, 2))",
            &upper,
            "boundary=[(body: \"lower\", group: \"bottom\", y: 0.0), (body: \"lower\", group: \"left\", x: 0.0), (body: \"upper\", group: \"left\", x: 0.0)]",
            "bodies.lower.section=PlaneStrain(thickness: 0.3)",
            "bodies.upper.section=PlaneStrain(thickness: 0.3)",
        ];
        let (set, allowed) = points(kind);
        (stress_error::<2>(&load_text(CASE, &settings(&set, &base))), allowed)
    };
    for kind in KINDS {
        let (matched, allowed) = plane(4, kind);
        let (unmatched, _) = plane(5, kind);
        show(&format!("patch in the plane, {kind}: matched {matched:.1e}, 5 over 4 cells {unmatched:.1e}"));
        // The quadrature of a straight segment has one point.
        let fails = matches!(kind, "Nodes" | "OnFacets(1)" | "Quadrature");
        assert!(matched < allowed && if fails { unmatched > 0.02 } else { unmatched < allowed }, "{kind}");
    }
}

/// Areas of points on facets add up to the face, and their forces to the load.
#[test]
fn areas_and_forces_add_up() {
    for kind in KINDS {
        let (set, _) = points(kind);
        let loaded = load_text(CASE, &settings(&set, &["bodies.upper.mesh.cells=(3, 1, 4)"]));
        let model = loaded.model::<3>().unwrap();
        let candidates = &model.pairs[0].directions[0].candidates()[0];
        let expected = match kind {
            "Nodes" => 20,
            "OnFacets(1)" => 12,
            "OnFacets(3)" => 9 * 12,
            _ => 4 * 12,
        };
        assert_eq!(candidates.n_points(), expected, "{kind}");
        let sum: f64 = candidates.areas().iter().sum();
        assert!((sum - 1.0).abs() < 1e-14, "{kind}: {sum}");
        let force = run(&loaded).last("joint.force_y");
        assert!((force / PRESSURE - 1.0).abs() < 1e-9, "{kind}: {force}");
    }
}

/// The normals that a case asks for are those that detection gets.
#[test]
fn normals_are_those_of_the_case() {
    for (word, normals) in [("Facet", Normals::Facet), ("Continuous", Normals::Continuous)] {
        let model = load_text(CASE, &[&format!("contacts.joint.normals={word}")]).model::<3>().unwrap();
        assert!(model.contact_pairings().iter().all(|p| p.normals == normals), "{word}");
    }
    // On flat faces both are the same.
    for kind in ["Facet", "Continuous"] {
        let set = [format!("contacts.joint.normals={kind}"), "solver=Nlgs(tolerance: 1e-12)".to_owned()];
        let error = stress_error::<3>(&load_text(CASE, &[&set[0], &set[1]]));
        assert!(error < 1e-9, "{kind}: {error:e}");
    }
}
