//! Axisymmetric bodies in contact with each other: two tubes, one in the other, and two cylinders that meet head-on.
//!
//! ```text
//! axis   a    b    c                        axis
//!  |     |####|%%%%|                         |######|   V        equal cylinders of radius R, ν = 0: waves along the axis alone
//!  | p → |####|%%%%|  plane strain           |######|   ↓
//!  |     |####|%%%%|                         |%%%%%%|   ↑ V
//! ```
//!
//! Reference: Lamé. With p inside and p_c between, the displacement of a tube from r₁ to r₂ under p₁, p₂ is (1 + ν)/E ((1 − 2ν) A r + B/r) with A = (p₁ r₁² − p₂ r₂²)/(r₂² − r₁²) and
//! B = (p₁ − p₂) r₁² r₂²/(r₂² − r₁²); both tubes have the same at b. d'Alembert: the cylinders touch for 2L/c with the force ρcV πR².
//!
//! Goal: pressure, force over the whole ring 2π b l p_c, areas; force and time of the impact.
//!
//! Tolerances: Lamé to the error of the mesh, (cell/radius)² of linear cells, which also falls with the mesh; the force of the impact is that of `bars-impact` with the same cells, bit for bit up to rounding, since the
//! motion is the same.

use verification::{load, load_text, run, show};

const TUBES: &str = r#"(
    title: "A tube in a tube",
    kinematics: SmallStrain,
    dimension: 2,
    materials: [
        (name: "soft", density: 1000.0, law: KelvinVoigt(young: 1e9, poisson: 0.3)),
        (name: "stiff", density: 1000.0, law: KelvinVoigt(young: 3e9, poisson: 0.25)),
    ],
    bodies: [
        (name: "inner", mesh: Rectangle(corner: (1.0, 0.0), size: (0.5, 0.25), cells: (4, 2)), material: "soft", section: Axisymmetric),
        (name: "outer", mesh: Rectangle(corner: (1.5, 0.0), size: (1.0, 0.25), cells: (8, 2)), material: "stiff", section: Axisymmetric),
    ],
    contacts: [
        (name: "fit", candidates: (body: "inner", group: "right"), antagonists: Surface(body: "outer", group: "left"), law: SignoriniCoulomb(friction: 0.3)),
    ],
    boundary: [
        (body: "inner", group: "bottom", y: 0.0),
        (body: "inner", group: "top", y: 0.0),
        (body: "outer", group: "bottom", y: 0.0),
        (body: "outer", group: "top", y: 0.0),
    ],
    loads: [Pressure(body: "inner", group: "left", pressure: 1e6, factor: Ramp(end: 1.0, to: 1.0))],
    integrator: QuasiStatic,
    step: 0.5,
    duration: 1.0,
    probes: [
        (name: "bore", at: Point(body: "inner", point: (1.0, 0.0))),
        (name: "rim", at: Point(body: "outer", point: (2.5, 0.0))),
    ],
)"#;

/// A tube: its radii, Young's modulus and Poisson's ratio.
struct Tube {
    radii: [f64; 2],
    young: f64,
    poisson: f64,
}

const INNER: Tube = Tube { radii: [1.0, 1.5], young: 1e9, poisson: 0.3 };
const OUTER: Tube = Tube { radii: [1.5, 2.5], young: 3e9, poisson: 0.25 };
const LENGTH: f64 = 0.25;
const PRESSURE: f64 = 1e6;

impl Tube {
    /// Radial displacement at r under pressures inside and outside.
    fn displacement(&self, r: f64, [inside, outside]: [f64; 2]) -> f64 {
        let [a, b] = self.radii.map(|r| r * r);
        let (mean, part) = ((inside * a - outside * b) / (b - a), (inside - outside) * a * b / (b - a));
        (1.0 + self.poisson) / self.young * ((1.0 - 2.0 * self.poisson) * mean * r + part / r)
    }
}

/// The pressure between the tubes: both displacements at b are affine in it.
fn pressure_between() -> f64 {
    let gap = |p: f64| INNER.displacement(1.5, [PRESSURE, p]) - OUTER.displacement(1.5, [p, 0.0]);
    gap(0.0) / (gap(0.0) - gap(1.0))
}

/// Errors of the force, the largest pressure, and both ends.
fn tubes(settings: &[&str]) -> [f64; 4] {
    let run = run(&load_text(TUBES, settings));
    let between = pressure_between();
    let area = std::f64::consts::TAU * 1.5 * LENGTH;
    let exact = [
        ("fit.force_x", -between * area),
        ("fit.max_pressure", between),
        ("bore.ux", INNER.displacement(1.0, [PRESSURE, between])),
        ("rim.ux", OUTER.displacement(2.5, [between, 0.0])),
    ];
    assert!((run.last("fit.area") / area - 1.0).abs() < 1e-12, "the whole ring: {}", run.last("fit.area"));
    let work = run.last("external_work");
    assert!(run.largest("energy_residual") < 1e-9 && work > 0.0, "{}", run.largest("energy_residual"));
    exact.map(|(name, exact)| run.last(name).abs() / exact.abs() - 1.0)
}

#[test]
fn tubes_press_on_each_other_as_lame_says() {
    for element in ["Quad4", "Triangle3"] {
        let of = |n: usize| {
            let cells = format!("bodies.inner.mesh.cells=({n}, 2)");
            let others = format!("bodies.outer.mesh.cells=({}, 2)", 2 * n);
            let elements = ["inner", "outer"].map(|b| format!("bodies.{b}.mesh.element={element}"));
            tubes(&[&cells, &others, &elements[0], &elements[1]])
        };
        let (coarse, fine) = (of(4), of(8));
        let text = |errors: [f64; 4]| errors.map(|e| format!("{e:.1e}")).join(", ");
        show(&format!("tubes of {element}: errors {} with 4 cells, {} with 8", text(coarse), text(fine)));
        for (a, b) in coarse.iter().zip(fine) {
            assert!(b.abs() < 0.01, "{element}: {fine:?}");
            assert!(b.abs() < 0.6 * a.abs() + 1e-5, "{element}: {coarse:?} {fine:?}");
        }
    }
}

/// The plane bars of 1 m thickness and height H have the area H; cylinders of radius R have πR². The forces per area are those of the same chain of masses.
#[test]
fn cylinders_collide_as_bars_do() {
    const CYLINDERS: &str = r#"(
        title: "Two cylinders meet",
        kinematics: SmallStrain,
        dimension: 2,
        materials: [(name: "steel", density: 7895.7, law: KelvinVoigt(young: 0.20684e12, poisson: 0.0))],
        bodies: [
            (name: "lower", mesh: Rectangle(corner: (0.0, -0.254), size: (0.02, 0.254), cells: (3, 20)), material: "steel", section: Axisymmetric, mass: Lumped, velocity: (0.0, 5.13588)),
            (name: "upper", mesh: Rectangle(corner: (0.0, 0.0), size: (0.02, 0.254), cells: (3, 20)), material: "steel", section: Axisymmetric, mass: Lumped, velocity: (0.0, -5.13588)),
        ],
        contacts: [
            (name: "faces", candidates: (body: "lower", group: "top"), antagonists: Surface(body: "upper", group: "bottom"), law: Frictionless),
        ],
        integrator: ModifiedTheta(theta: 0.55),
        step: 2.226e-6,
        duration: 2.0e-4,
        solver: Nlgs(tolerance: 1e-12),
    )"#;
    let cylinders = run(&load_text(CYLINDERS, &[]));
    let large = run(&load_text(CYLINDERS, &["kinematics=FiniteStrain()"]));
    let (rho, young, speed, length) = (7895.7_f64, 0.20684e12_f64, 5.13588, 0.254);
    let wave = (young / rho).sqrt();
    let area = std::f64::consts::PI * 0.02 * 0.02;
    let force = rho * wave * speed * area;
    for (name, run) in [("small", &cylinders), ("finite", &large)] {
        let (time, found) = (run.column("time"), run.column("faces.force_y"));
        let plateau: Vec<f64> = time
            .iter()
            .zip(&found)
            .filter(|(t, _)| (0.4 * length / wave..1.6 * length / wave).contains(*t))
            .map(|(_, f)| f.abs() / force - 1.0)
            .collect();
        let mean = plateau.iter().sum::<f64>() / plateau.len() as f64;
        let ends = time.iter().zip(&found).filter(|(_, f)| f.abs() > 0.01 * force).map(|(t, _)| *t).fold(0.0, f64::max);
        show(&format!(
            "cylinders, {name} strain: force {mean:.1e}, contact ends at {:.4} of 2L/c, momentum left {:.1e}",
            ends * wave / (2.0 * length),
            run.largest("momentum_y") / (rho * area * length * speed)
        ));
        assert!(mean.abs() < 0.01, "{name}: {mean:e}");
        assert!((ends * wave / (2.0 * length) - 1.0).abs() < 0.05, "{name}: {ends:e}");
        assert!(run.largest("momentum_y") < 1e-10 * rho * area * length * speed, "{name}");
        assert!(run.largest("energy_residual") < 1e-12 * run.column("kinetic_energy")[0].max(1.0), "{name}");
        assert!((run.largest("faces.area") / area - 1.0).abs() < 1e-9, "{name}: {}", run.largest("faces.area"));
    }
    // the same chain of masses in the plane: forces per area
    let plane = run_of_bars();
    let of_cylinders: Vec<f64> = cylinders.column("faces.force_y").iter().map(|f| f.abs() / area).collect();
    let difference = plane.iter().zip(&of_cylinders).map(|(a, b)| (a.abs() - b).abs()).fold(0.0, f64::max);
    show(&format!("cylinders and bars: stresses differ by {:.1e} of the plateau", difference * area / force));
    assert!(difference * area < 1e-9 * force, "{difference:e}");
}

/// Contact stresses of two plane bars with the same cells along them.
fn run_of_bars() -> Vec<f64> {
    let bars = run(&load(
        "bars-impact",
        &["integrator=ModifiedTheta(theta: 0.55)", "step=2.226e-6", "duration=2.0e-4", "verify=None"],
    ));
    bars.column("faces.force_x")
}
