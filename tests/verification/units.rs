//! The two bars in millimetres, tonnes and seconds.
//!
//! Reference: mechanics has no unit of its own: a change of units changes every number by the factor of its dimension.
//!
//! Goal: no absolute tolerance hides in detection, condensation or solver; dimensionless results are the same.
//!
//! Parameters: `cases/bars-impact.ron` with lengths in mm, masses in t, forces in N, stresses in MPa, energies in mJ; the other
//! set has lengths in km, masses in kg and times in ms.
//!
//! Tolerance: 1e-9 of the largest value of each column (rounding is of the order of 1e-13).

use verification::bars::run_bars;
use verification::{SCHEMES, distance, load, run, show};

struct Units {
    name: &'static str,
    /// Numbers of these per m, kg, s.
    length: f64,
    mass: f64,
    time: f64,
}

fn check(units: &Units) {
    let Units { name, length, mass, time } = units;
    let force = mass * length / (time * time);
    let speed = 5.13588 * length / time;
    let (bar, width) = (0.254 * length, 1.0 * length);
    let material = format!(
        "materials.steel=(name: \"steel\", density: {:e}, law: KelvinVoigt(young: {:e}, poisson: 0.0))",
        7895.7 * mass / length.powi(3),
        0.20684e12 * force / length.powi(2)
    );
    let settings = [
        material,
        format!("bodies.left.mesh=Rectangle(corner: ({:e}, 0.0), size: ({bar:e}, {width:e}), cells: (20, 1))", -bar),
        format!("bodies.right.mesh=Rectangle(corner: (0.0, 0.0), size: ({bar:e}, {width:e}), cells: (20, 1))"),
        format!("bodies.left.section=PlaneStress(thickness: {width:e})"),
        format!("bodies.right.section=PlaneStress(thickness: {width:e})"),
        format!("bodies.left.velocity=({speed:e}, 0.0)"),
        format!("bodies.right.velocity=({:e}, 0.0)", -speed),
        format!("step={:e}", 0.2226e-5 * time),
        format!("duration={:e}", 0.2e-3 * time),
        "verify=(checks: [])".to_owned(),
    ];
    for scheme in SCHEMES {
        let integrator = format!("integrator={scheme}");
        let mut all: Vec<&str> = settings.iter().map(String::as_str).collect();
        all.push(&integrator);
        let (other, si) = (run(&load("bars-impact", &all)), run_bars(scheme, 20, &[]));
        let mut worst: f64 = 0.0;
        for (column, unit) in [
            ("time", *time),
            ("left_face.vx", length / time),
            ("right_bar.vx", length / time),
            ("left_face.ux", *length),
            ("faces.force_x", force),
            ("kinetic_energy", force * length),
            ("elastic_energy", force * length),
            ("numerical_dissipation", force * length),
        ] {
            let scaled: Vec<f64> = other.column(column).iter().map(|x| x / unit).collect();
            let reference = if column == "numerical_dissipation" { "kinetic_energy" } else { column };
            worst = worst.max(distance(&scaled, &si.column(column)) / si.largest(reference));
        }
        show(&format!("units {name:10} {scheme:34} {worst:.1e}"));
        assert!(worst <= 1e-9, "{name}, {scheme}: {worst:e}");
    }
}

#[test]
fn millimetres_and_tonnes() {
    check(&Units { name: "mm, t, s", length: 1e3, mass: 1e-3, time: 1.0 });
}

#[test]
fn kilometres_and_milliseconds() {
    check(&Units { name: "km, kg, ms", length: 1e-3, mass: 1.0, time: 1e3 });
}
