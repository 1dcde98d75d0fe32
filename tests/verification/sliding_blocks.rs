//! A small block slides over the segments of a large one: nodes cross segment boundaries under friction.
//!
//! Reference: Coulomb's law; a rigid block with initial speed v under gravity is slowed by μ g.
//!
//! Goal: the law holds at every step while candidates pass from one segment to the next, one pass and two passes, and the block
//! loses the momentum friction takes.
//!
//! ```text
//!        +---+---+  -> 20 m/s
//!        |       |               upper 0.4 m x 0.2 m, 4 x 2 Q4
//!    +--+--+--+--+--+--+--+--+
//!    |                       |   lower 2 m x 0.3 m, 23 x 3 Q4 (nodes do not match), held at its bottom
//!    +--+--+--+--+--+--+--+--+
//!    /////////////////////////
//! ```
//!
//! Parameters: E = 1e8 Pa, ν = 0.3, ρ = 2000 kg/m³, μ = 0.3, gravity 500 m/s² (to press the blocks together), h = 2e-4 s,
//! 250 steps: the upper block travels 0.8 m, over 9 ends of segments of 87 mm.
//!
//! Two passes make nearly parallel contacts where the nodes of the two sides meet: Gauss–Seidel then needs up to 5e4 sweeps (one
//! pass: 9), hence the large `max_iterations`.
//!
//! Tolerances: law error at every step within the solver's 1e-10; mean deceleration μ g within 1 % (the block vibrates on its
//! support, and the surface is level only up to its deformation).

use verification::{SCHEMES, load_text, run, show};

const CASE: &str = r#"(
    title: "Sliding blocks",
    kinematics: SmallStrain,
    materials: [(name: "soft", density: 2000.0, law: KelvinVoigt(young: 1e8, poisson: 0.3, shear_viscosity: 2e4))],
    bodies: [
        (
            name: "lower",
            mesh: Rectangle(corner: (0.0, 0.0), size: (2.0, 0.3), cells: (23, 3)),
            material: "soft",
        ),
        (
            name: "upper",
            mesh: Rectangle(corner: (0.1, 0.3), size: (0.4, 0.2), cells: (4, 2)),
            material: "soft",
            velocity: (20.0, 0.0),
        ),
    ],
    contacts: [(
        name: "joint",
        candidates: (body: "upper", group: "bottom"),
        antagonists: Surface(body: "lower", group: "top"),
        law: SignoriniCoulomb(friction: 0.3),
    )],
    loads: [Gravity(acceleration: (0.0, -500.0))],
    boundary: [(body: "lower", group: "bottom", x: 0.0, y: 0.0)],
    integrator: ThetaEuler(theta: 0.55),
    step: 2e-4,
    duration: 5e-2,
    solver: Nlgs(tolerance: 1e-10, max_iterations: 100000),
    probes: [(name: "upper", at: Body("upper")), (name: "node", at: Group(body: "upper", group: "bottom_left"))],
)"#;

#[test]
fn law_holds_while_nodes_cross_segments() {
    for both in [false, true] {
        for scheme in SCHEMES {
            let settings = [format!("integrator={scheme}"), format!("contacts.joint.both={both}")];
            let run = run(&load_text(CASE, &[&settings[0], &settings[1]]));
            let verdict = &run.summary.verdict;
            let law = run.largest("law_error");
            // Segments are 2/23 m long; the lower left node starts at 0.1 m.
            let segment = |x: f64| ((0.1 + x) * 23.0 / 2.0) as i64;
            let path = run.column("node.ux");
            let crossed = path.windows(2).filter(|w| segment(w[0]) != segment(w[1])).count();
            show(&format!(
                "sliding {scheme:34} both {both:5}: {crossed} crossings, law error {law:.1e}, penetration {:.1e} m, at most {} sweeps, cuts {}",
                verdict.max_penetration, verdict.max_iterations, verdict.cuts
            ));
            assert!(crossed >= 7, "{scheme}: {crossed} crossings");
            assert!(law <= 1e-10 + 1e-12 && verdict.flagged + verdict.too_deep == 0, "{scheme}: {law:e}, {verdict:?}");
            assert_eq!(verdict.cuts, 0, "{scheme}: {verdict:?}");
            assert!(run.largest("energy_residual") <= 1e-9, "{scheme}");
            let (normal, friction) = (run.column("joint.force_y"), run.column("joint.force_x"));
            assert!(run.summary.verdict.max_active >= 4, "{scheme}");
            let deceleration = (20.0 - run.last("upper.vx")) / run.summary.time;
            show(&format!("    mean deceleration {:.4} of mu g", deceleration / 150.0));
            assert!((deceleration / 150.0 - 1.0).abs() < 0.01, "{scheme}: {deceleration}");
            assert!(normal.iter().all(|f| *f >= 0.0) && friction.iter().all(|f| *f <= 0.0), "{scheme}");
        }
    }
}
