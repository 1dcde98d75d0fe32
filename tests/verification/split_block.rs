//! A block that is split along interfaces inside its mesh, and whose sides are in contact.
//!
//! Reference: the same block in one piece. Under a uniform pressure σ_yy = −p, σ_xx = σ_xy = 0 (plane strain; in space σ_zz = 0),
//! whatever ν is, and both sides of a level interface move alike: it must transmit the pressure as the material does, cut through or
//! cracked half way, in friction or without.
//!
//! Goal: contact between two groups of one body, whose facets start at gap zero and share the nodes of a crack front.
//!
//! Parameters: E = 1e9 Pa, ν = 0.3, ρ = 1000 kg/m³, p = 1e6 Pa, 1 m × 1 m (× 1 m). Implicit Euler with 15 steps of 10 ms ends at rest
//! (each step divides every motion by 200 or more).
//!
//! Tolerance: 1e-9 of the shortening p/E: the solver's tolerance is 1e-12, positions of 1 m are rounded to 1e-13 of it.

use delassus_case::lower::Generate;
use delassus_sim::engine::Engine;
use delassus_sim::space::Dimension;
use delassus_sim::step::step;
use delassus_sim::timings::Timings;
use verification::{load_text, show};

const PLANE: &str = r#"(
    title: "A block in two parts",
    kinematics: SmallStrain,
    materials: [(name: "m", density: 1000.0, law: KelvinVoigt(young: 1e9, poisson: 0.3))],
    bodies: [(name: "block", mesh: Rectangle(corner: (0, 0), size: (1, 1), cells: (4, 4)), material: "m")],
    loads: [Pressure(body: "block", group: "top", pressure: 1e6)],
    boundary: [(body: "block", group: "bottom", y: 0.0), (body: "block", group: "left", x: 0.0)],
    integrator: Theta(theta: 1.0),
    step: 1e-2,
    duration: 0.15,
    solver: Nlgs(tolerance: 1e-12),
)"#;

const SPACE: [&str; 3] = [
    "dimension=3",
    "bodies.block.mesh=Box(corner: (0, 0, 0), size: (1, 1, 1), cells: (2, 4, 2))",
    "boundary=[(body: \"block\", group: \"bottom\", y: 0.0), (body: \"block\", group: \"left\", x: 0.0), \
     (body: \"block\", group: \"front\", z: 0.0)]",
];

/// Pressure over Young's modulus: the scale of the displacements \[m\].
const SHORTENING: f64 = 1e-3;

fn contact(law: &str) -> String {
    format!(
        "contacts=[(name: \"joint\", candidates: (body: \"block\", group: \"cut-plus\"), \
         antagonists: Surface(body: \"block\", group: \"cut-minus\"), law: {law})]"
    )
}

/// A block at rest.
struct Rest<const D: usize> {
    points: Vec<[f64; D]>,
    q: Vec<f64>,
    /// Contacts, and the largest of their gaps \[m\].
    contacts: usize,
    open: f64,
}

impl<const D: usize> Rest<D>
where
    Dimension<D>: Generate<D>,
{
    fn of(settings: &[&str]) -> Self {
        let model = load_text(PLANE, settings).model::<D>().unwrap();
        let mut engine = Engine::new(&model).unwrap();
        let mut timings = Timings::default();
        let mut last = step(&mut engine, &mut timings, &model.start(), model.h).unwrap();
        for _ in 1..model.n_steps {
            assert!(last.converged(), "{}", last.description());
            last = step(&mut engine, &mut timings, &last.snapshot, model.h).unwrap();
        }
        Self {
            points: model.bodies[0].body.mesh().points.clone(),
            q: last.snapshot.states[0].q.clone(),
            contacts: last.touches.len(),
            open: last.touches.iter().map(|t| t.gap).fold(0.0, f64::max),
        }
    }

    /// Largest difference of the displacements of nodes at the same place, relative to the shortening.
    fn away_from(&self, whole: &Self) -> f64 {
        let mut worst = 0.0_f64;
        for (node, x) in self.points.iter().enumerate() {
            let near = |y: &[f64; D]| x.iter().zip(y).all(|(a, b)| (a - b).abs() < 1e-12);
            let same = whole.points.iter().position(near).unwrap();
            for i in 0..D {
                worst = worst.max((self.q[D * node + i] - whole.q[D * same + i]).abs() / SHORTENING);
            }
        }
        worst
    }
}

#[test]
fn a_split_block_transmits_a_pressure_as_a_whole_one_does() {
    for element in ["Quad4", "Triangle3"] {
        let element = format!("bodies.block.mesh.element={element}");
        let whole = Rest::<2>::of(&[&element]);
        // The end of a crack inside stays shared: it needs no contact.
        for (end, nodes) in [("1", 5), ("0.5", 2)] {
            let split = format!("bodies.block.split=[(name: \"cut\", facets: Box(from: (0, 0.5), to: ({end}, 0.5)))]");
            for law in ["SignoriniCoulomb(friction: 0.3)", "Frictionless"] {
                let rest = Rest::<2>::of(&[&element, &split, &contact(law)]);
                assert_eq!(rest.contacts, nodes, "every node that is doubled touches");
                let off = rest.away_from(&whole);
                show(&format!("to x = {end}, {law}, {element}: {off:.2e}"));
                assert!(off < 1e-9, "to x = {end}, {law}, {element}: {off:e}");
            }
        }
    }
}

#[test]
fn a_split_block_in_space_transmits_a_pressure_as_a_whole_one_does() {
    for element in ["Hexahedron8", "Tetrahedron4", "Prism6"] {
        let element = format!("bodies.block.mesh.element={element}");
        let whole = Rest::<3>::of(&[SPACE[0], SPACE[1], SPACE[2], &element]);
        for (end, nodes) in [("1", 9), ("0.5", 3)] {
            let split =
                format!("bodies.block.split=[(name: \"cut\", facets: Box(from: (0, 0.5, 0), to: ({end}, 0.5, 1)))]");
            let contact = contact("SignoriniCoulomb(friction: 0.3)");
            let rest = Rest::<3>::of(&[SPACE[0], SPACE[1], SPACE[2], &element, &split, &contact]);
            assert_eq!(rest.contacts, nodes, "every node that is doubled touches");
            let off = rest.away_from(&whole);
            show(&format!("to x = {end}, {element}: {off:.2e}"));
            assert!(off < 1e-9, "to x = {end}, {element}: {off:e}");
        }
    }
}

#[test]
fn a_pulled_crack_opens_and_a_whole_block_does_not() {
    let split = "bodies.block.split=[(name: \"cut\", facets: Box(from: (0, 0.5), to: (0.5, 0.5)))]";
    let pull = ["loads[0].pressure=-1e6", "boundary[1].group=\"bottom_left\""];
    let rest = Rest::<2>::of(&[pull[0], pull[1], split, &contact("Frictionless")]);
    // The mouth of an edge crack of length a = 0.5 in a strip of the same order opens by several σ a/E.
    assert!(rest.open > SHORTENING, "{:e}", rest.open);
    assert!(rest.away_from(&Rest::<2>::of(&pull)) > 0.1);
}
