//! Taylor's bar, `cases/taylor-bar.ron`: an elastoplastic cylinder hits a rigid wall, axisymmetric, at finite strain.
//!
//! Reference: the published ranges of Kamoulakos 1990, Zhu & Cescotto 1995 and Camacho & Ortiz 1997 (after 80 µs: length 21.26 to 21.66 mm, radius of the foot 6.89 to
//! 7.24 mm, largest plastic strain 2.47 to 3.25), widened for coarse meshes: 21.2 to 21.75 mm, 6.9 to 7.3 mm, 2.4 to 3.5.
//!
//! Goal: these three figures on a mesh of 4 × 12 cells by an implicit and by the explicit scheme, 1 % apart at most; the energy that the bar had is found in the
//! lines of the ledger to 1e-9 of it; the same bits for any number of threads.
//!
//! Parameters: the case with 4 × 12 cells; θ = 0.55 with steps of 0.1 µs, explicit with steps of 20 ns.

use delassus_case::Loaded;
use verification::{Run, load, run, show, try_run};

const COARSE: &str = "bodies.bar.mesh.cells=(4, 12)";

/// Length and radius \[mm\], and the largest plastic strain of a quadrature point.
fn figures(loaded: &Loaded, run: &Run) -> [f64; 3] {
    let model = loaded.model::<2>().unwrap();
    let body = model.bodies[0].body.finite_elements().unwrap();
    let fields = body.cell_fields(&run.summary.final_snapshot.states[0]);
    let most = fields.largest_plastic_strain.iter().fold(0.0, |m: f64, x| m.max(*x));
    assert!(fields.plastic_strain.iter().zip(&fields.largest_plastic_strain).all(|(mean, most)| mean <= most));
    [32.4 + 1e3 * run.last("head.uy"), 3.2 + 1e3 * run.last("rim.ux"), most]
}

fn check(scheme: &str, step: &str) -> [f64; 3] {
    let loaded = load("taylor-bar", &[COARSE, &format!("integrator={scheme}"), &format!("step={step}")]);
    let run = run(&loaded);
    let found @ [length, radius, strain] = figures(&loaded, &run);
    let (start, residual) = (run.column("kinetic_energy")[0], run.largest("energy_residual"));
    let part = |name: &str| run.last(name) / start;
    show(&format!(
        "taylor bar 4 x 12, {scheme}: length {length:.3} mm, radius {radius:.3} mm, plastic strain {strain:.3}; of the energy plastic {:.4}, elastic {:.4}, \
         kinetic {:.4}, numerical {:.4}; ledger {residual:.0e}; {} steps",
        part("plastic_dissipation"),
        part("elastic_energy"),
        part("kinetic_energy"),
        part("numerical_dissipation"),
        run.column("time").len() - 1,
    ));
    assert!((21.2..21.75).contains(&length), "{scheme}: {length} mm");
    assert!((6.9..7.3).contains(&radius), "{scheme}: {radius} mm");
    assert!((2.4..3.5).contains(&strain), "{scheme}: {strain}");
    assert!(residual < 1e-9, "{scheme}: {residual:e}");
    assert!(part("plastic_dissipation") > 0.9, "{scheme}: nearly all of it flows");
    // the lines by themselves: each has a formula of its own, and nothing is viscous, rubs or is supplied
    let found_again = ["kinetic_energy", "elastic_energy", "plastic_dissipation", "numerical_dissipation"].map(part);
    let left = found_again.iter().sum::<f64>() - part("contact_work") - 1.0;
    show(&format!(
        "taylor bar, {scheme}: kinetic + elastic + plastic + numerical + loss in contact - initial = {left:.1e}"
    ));
    assert!(left.abs() < 1e-9, "{scheme}: {left:e}");
    for none in ["viscous_dissipation", "friction_dissipation", "external_work"] {
        assert!(part(none).abs() < 1e-12, "{scheme}: {none}");
    }
    found
}

#[test]
fn length_radius_and_strain_by_two_schemes() {
    let implicit = check("ModifiedTheta(theta: 0.55)", "1e-7");
    let explicit = check("Explicit()", "2e-8");
    for (a, b) in implicit.iter().zip(&explicit).take(2) {
        assert!((a / b - 1.0).abs() < 0.01, "{implicit:?} {explicit:?}");
    }
}

#[test]
fn threads_change_no_bit() {
    let loaded = load("taylor-bar", &[COARSE, "step=4e-7", "duration=4e-6", "verify=None"]);
    let hash = |threads| try_run(&loaded, Some(threads)).0.unwrap().state_hash;
    assert_eq!(hash(1), hash(2));
}
