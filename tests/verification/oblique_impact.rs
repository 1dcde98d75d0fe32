//! A plate with a round side strikes a rigid plane obliquely and slides on it with Coulomb friction.
//!
//! Reference: Kim & Kwak 1996; Vola, Pratt, Jean & Raous 1998 §6.3 (data; the paper's curves are lost). The expected
//! numbers are those of an independent small program (linear, fixed normals) with the same numbers of cells.
//!
//! Goal: rebound, loss of tangential velocity, impulses and end of contact with the three θ schemes, on two other meshes and
//! without friction; linear and angular momentum to rounding; Coulomb's law; the signs of the energy ledger.
//!
//! ```text
//!     +-------+
//!     |       |     0.04 m x 0.08 m x 0.01 m, 8 x 10 Q4, plane stress
//!     |       |     V = (3, −5) m/s
//!     \__   __/     radius of the round side 0.101 m, 9 candidate nodes
//!   _____`-'__________
//!   //////////////////   rigid, μ = 0.1
//! ```
//!
//! Parameters: `cases/oblique-impact.ron`, `meshes/oblique-plate.geo`; E = 1e7 Pa, ν = 0.25, ρ = 1000 kg/m³, h = 1e-5 s, θ = 0.55.
//!
//! Measured, and below it the reference; N, T impulses of the ground, ω = angular momentum over moment of inertia:
//!
//! ```text
//!                        peak N  contact ends  N [N s]   T/N       v_x     v_y     ω [1/s]   E/E₀
//! modified θ, 8 x 10     241.9   1.910e-3 s    0.30667   −0.0999   2.034   4.666   −34.11    0.859
//!                        229.8   1.91e-3       0.30668   −0.0999   2.034   4.667   −34.1     0.859
//! θ-method               260.7   1.910e-3      0.30649   −0.0999   2.035   4.660   −34.14    0.857     (no reference)
//! θ-Euler                204.9   1.920e-3      0.30405   −0.1000   2.042   4.584   −33.87    0.809
//!                        204.8   1.92e-3       0.30406   −0.1000   2.042   4.584   −33.9     0.809
//! modified θ, 10 x 8     210.5   1.920e-3      0.30673   −0.0999   2.034   4.667   −34.33    0.860
//!                        207.4   1.92e-3       0.30674   −0.0999   2.034   4.668   −34.3     0.860
//! 16 x 20, h/2           208.7   1.925e-3      0.30811   −0.0996   2.033   4.710   −34.64    0.877
//!                        208.7   1.925e-3      0.30811   −0.0996   2.033   4.710   −34.6     0.877
//! μ = 0                  243.9   1.920e-3      0.30496    0        3.000   4.612     0       0.958
//!                        229.8   1.92e-3       0.30496    0        3.000   4.612     0       0.958
//! 32 x 40, h/4 (by hand) 208.4   1.933e-3      0.30841   −0.0995   2.033   4.719             0.886
//! ```
//!
//! The peak of the coarse runs is the shock of single nodes in the first 0.1 ms and depends on mesh, scheme and the place of
//! the nodes on the arc; it is not asserted. The plateau is 200 N.
//!
//! The plate does not slide forward quite all the time: about 0.3 ms the last candidate but one at the leading end, just landed,
//! sticks or slides back for one to four steps (at most 0.4 % of the contacts of all steps; 0.9 % with 16 x 20). So T/N is −μ
//! to 0.1 % (0.4 %), in the reference too; v_x = 3 − μ N/m is exact before that, and after it with what those contacts lack.
//!
//! Tolerances: against the benchmark v_x 1 %, T/N 0.5 %, contact end 3 %, v_y 3 %. Against the row of the same scheme and cells N
//! and E/E₀ 1e-3, velocities 5e-3 m/s, ω 0.1 1/s (one unit of its last digit), two steps for the end: the programs differ only in
//! where they put the nodes on the arc. Identities of momentum 1e-12 (300 steps of rounding), ledger 1e-12.

use delassus_sim::step::Touch;
use delassus_solver::Status;
use verification::impact::{Figures, candidate, energy, figures, walk, write_plate};
use verification::{Run, distance, largest, load, run, show};

const FRICTION: f64 = 0.1;
const VELOCITY: [f64; 2] = [3.0, -5.0];
const SCHEMES: [&str; 3] = ["Theta(theta: 0.55)", "ModifiedTheta(theta: 0.55)", "ThetaEuler(theta: 0.55)"];

/// A row of the reference: end of contact \[s\], normal impulse \[N·s\], v_x, v_y \[m/s\], ω \[1/s\], E/E₀.
struct Row {
    end: f64,
    impulse: f64,
    velocity: [f64; 2],
    spin: f64,
    energy: f64,
}

/// What the steps of a run show that its history does not.
#[derive(Default)]
struct Steps {
    /// Mass of the plate \[kg\].
    mass: f64,
    /// ω at the end \[1/s\].
    spin: f64,
    /// Largest error of the angular momentum balance of a step, relative to m |V_y| times half the width.
    angular_error: f64,
    /// Closed contacts, summed over the steps.
    closed: usize,
    /// Those that stick or slide backwards.
    not_forward: usize,
    /// Largest error of m (v_x − 3) = −μ N + Σ (p_T + μ p_N), the sum over those, relative to 3 m.
    sliding_error: f64,
    /// The same without the sum, until the first of them.
    early_error: f64,
    /// Steps it was looked at.
    early_steps: usize,
    /// Largest error of Coulomb's law, relative to μ p_N, and of the velocity of sticking contacts, relative to 3 m/s.
    coulomb_error: f64,
}

/// World components of the impulse \[N·s\] and velocity \[m/s\] of a contact.
fn world(t: &Touch<2>) -> ([f64; 2], [f64; 2]) {
    ((t.contact.frame * t.impulse).into(), (t.contact.frame * t.velocity).into())
}

/// Walks through the steps with friction μ.
///
/// Linear bodies take no moment about the undeformed positions X from their elastic forces, so that for L = Σ X × m v the
/// balance ΔL = Σ X × p is exact in every step.
fn steps(settings: &[&str], mu: f64) -> Steps {
    let mut out = Steps::default();
    let (mut before, mut normal, mut lacking) = (0.0, 0.0, 0.0);
    walk(&load("oblique-impact", settings), |model, outcome, _| {
        let body = model.bodies[0].body.finite_elements().unwrap();
        let (mass, x, v) = (body.node_masses(), &body.mesh().points, &outcome.snapshot.states[0].v);
        let total = body.total_mass();
        let sum = |f: &dyn Fn(usize) -> f64| (0..mass.len()).map(|i| mass[i] * f(i)).sum::<f64>();
        let c = [0, 1].map(|d| sum(&|i| x[i][d]) / total);
        let arm = |i: usize| [x[i][0] - c[0], x[i][1] - c[1]];
        let cross = |a: [f64; 2], b: [f64; 2]| a[0] * b[1] - a[1] * b[0];
        let angular = sum(&|i| cross(arm(i), [v[2 * i], v[2 * i + 1]]));
        let inertia = sum(&|i| arm(i)[0].powi(2) + arm(i)[1].powi(2));
        let mut moment = 0.0;
        for t in outcome.touches.iter().filter(|t| t.impulse.amax() > 0.0) {
            let (p, u) = world(t);
            moment += cross(arm(candidate(t)), p);
            normal += p[1];
            out.closed += 1;
            if t.status == Status::Stick || u[0] < 0.0 {
                out.not_forward += 1;
                lacking += p[0] + mu * p[1];
            }
            let violation = match t.status {
                Status::Slip => (p[0] + mu * p[1] * u[0].signum()).abs() / p[1],
                _ => (p[0].abs() / p[1] - mu).max(u[0].abs() / VELOCITY[0]),
            };
            out.coulomb_error = out.coulomb_error.max(violation);
        }
        let drop = sum(&|i| VELOCITY[0] - v[2 * i]);
        let scale = total * VELOCITY[0];
        out.sliding_error = out.sliding_error.max((drop - mu * normal + lacking).abs() / scale);
        if out.not_forward == 0 {
            out.early_error = out.early_error.max((drop - mu * normal).abs() / scale);
            out.early_steps += 1;
        }
        let moment_scale = total * VELOCITY[1].abs() * 0.02;
        out.angular_error = out.angular_error.max((angular - before - moment).abs() / moment_scale);
        (out.mass, out.spin, before) = (total, angular / inertia, angular);
    });
    out
}

/// The figures every run with friction has to meet.
fn check_benchmark(name: &str, f: &Figures) {
    assert!((f.velocity[0] / 2.034 - 1.0).abs() < 0.01, "{name}: v_x {}", f.velocity[0]);
    let ratio = f.impulse[0] / f.impulse[1];
    assert!((ratio / -FRICTION - 1.0).abs() < 5e-3, "{name}: T/N {ratio}");
    assert!((f.release / 1.92e-3 - 1.0).abs() < 0.03, "{name}: end of contact {}", f.release);
    assert!((f.velocity[1] / 4.67 - 1.0).abs() < 0.03, "{name}: v_y {}", f.velocity[1]);
}

fn check_row(name: &str, f: &Figures, s: &Steps, row: &Row, h: f64) {
    assert!((f.release - row.end).abs() < 2.0 * h, "{name}: end of contact {}", f.release);
    assert!((f.impulse[1] / row.impulse - 1.0).abs() < 1e-3, "{name}: N {}", f.impulse[1]);
    assert!(distance(&f.velocity, &row.velocity) < 5e-3, "{name}: {:?}", f.velocity);
    assert!((s.spin - row.spin).abs() < 0.1, "{name}: spin {}", s.spin);
    assert!((f.energy - row.energy).abs() < 1e-3, "{name}: energy {}", f.energy);
}

/// What holds in every run: linear and angular momentum, one contact, free flight after it, the ledger and its signs.
fn check_laws(name: &str, run: &Run, f: &Figures, s: &Steps) {
    let (time, force) = (run.column("time"), run.column("ground.force_y"));
    let balance = [0, 1].map(|d| (f.impulse[d] / s.mass + VELOCITY[d] - f.velocity[d]).abs());
    show(&format!(
        "  {name}: momentum {:.1e}  angular {:.1e}  Coulomb {:.1e}  omega {:.2}  {} of {} contacts not sliding forward",
        largest(&balance),
        s.angular_error,
        s.coulomb_error,
        s.spin,
        s.not_forward,
        s.closed
    ));
    assert!(largest(&balance) < 1e-12 * 5.0, "{name}: {balance:?}");
    assert!(s.angular_error < 1e-12, "{name}: angular momentum {:e}", s.angular_error);
    // The solver met the law to 1e-10 in its own scale.
    assert!(s.coulomb_error < 1e-9, "{name}: Coulomb {:e}", s.coulomb_error);
    let held = (0..time.len()).filter(|&i| time[i] > 1e-4 && time[i] < f.release).all(|i| force[i] > 0.0);
    assert!(held, "{name}: contact is lost before the end");
    for (column, d) in [("plate.vx", 0), ("plate.vy", 1)] {
        let v = run.column(column);
        let drift: Vec<f64> = (0..v.len()).filter(|&i| time[i] >= f.release).map(|i| v[i] - f.velocity[d]).collect();
        assert!(drift.len() > 100 && largest(&drift) < 1e-12 * 5.0, "{name}: {column} drifts by {:e}", largest(&drift));
    }
    // What is lost is lost for good. (Friction is counted with v_θ: a step in which the slip turns round could dip. None does.)
    let e = energy(run);
    let rounding = 1e-14 * e[0];
    for column in ["friction_dissipation", "numerical_dissipation"] {
        let c = run.column(column);
        assert!(c.windows(2).all(|w| w[1] >= w[0] - rounding), "{name}: {column} decreases");
    }
    assert!(run.last("numerical_dissipation") > 0.0 && run.last("contact_work") < 0.0, "{name}: signs");
    assert!(e.windows(2).all(|w| w[1] <= w[0] + rounding), "{name}: energy increases");
    assert!(run.largest("energy_residual") <= 1e-12, "{name}: ledger {:e}", run.largest("energy_residual"));
    let v = &run.summary.verdict;
    assert!(v.flagged + v.cuts + v.too_deep == 0 && v.law_error <= 1e-10, "{name}: law error {:e}", v.law_error);
}

fn measure(name: &str, settings: &[&str], mu: f64) -> (Run, Figures, Steps) {
    let run = run(&load("oblique-impact", settings));
    let f = figures(name, &run, "plate");
    let s = steps(settings, mu);
    check_laws(name, &run, &f, &s);
    (run, f, s)
}

#[test]
fn three_schemes_as_the_reference() {
    let modified = Row { end: 1.91e-3, impulse: 0.30668, velocity: [2.034, 4.667], spin: -34.1, energy: 0.859 };
    let euler = Row { end: 1.92e-3, impulse: 0.30406, velocity: [2.042, 4.584], spin: -33.9, energy: 0.809 };
    // The reference has no row of the θ-method.
    for (scheme, row) in SCHEMES.into_iter().zip([None, Some(modified), Some(euler)]) {
        let integrator = format!("integrator={scheme}");
        let (run, f, s) = measure(scheme, &[&integrator], FRICTION);
        check_benchmark(scheme, &f);
        if let Some(row) = row {
            check_row(scheme, &f, &s, &row, 1e-5);
        }
        assert!((s.mass - 0.03173).abs() < 1e-5, "mass {}", s.mass);
        let loss = run.last("friction_dissipation") / energy(&run)[0];
        show(&format!("  {scheme}: friction takes {loss:.4} of the energy"));
        // Sliding at the mean velocity of the plate would take μ N (3 + v_x)/2; but it turns clockwise, its sole is slower.
        let rigid = FRICTION * f.impulse[1] * 0.5 * (VELOCITY[0] + f.velocity[0]) / energy(&run)[0];
        assert!(loss > 0.0 && loss < rigid, "{scheme}: friction takes {loss}, a rigid plate {rigid}");
        let verification = run.summary.verification.as_ref().unwrap();
        assert!(verification.checks.len() >= 3 && verification.passed(), "{scheme}: {:?}", verification.checks);
    }
}

/// v_x = 3 − μ N/m while all contacts slide forward, and with what the others lack after that.
#[test]
fn velocity_follows_the_normal_impulse() {
    for scheme in SCHEMES {
        let s = steps(&[&format!("integrator={scheme}")], FRICTION);
        show(&format!(
            "oblique {scheme}: v_x identity {:.1e} in {} steps, {:.1e} to the end",
            s.early_error, s.early_steps, s.sliding_error
        ));
        assert!(s.early_steps >= 29 && s.early_error < 1e-12, "{scheme}: {:e}, {}", s.early_error, s.early_steps);
        assert!(s.sliding_error < 1e-12, "{scheme}: {:e}", s.sliding_error);
        assert!(s.closed > 900 && s.not_forward <= 5, "{scheme}: {} of {}", s.not_forward, s.closed);
    }
}

/// Without friction nothing acts along x, and the plate does not turn.
#[test]
fn no_friction() {
    let (run, f, s) = measure("mu = 0", &["contacts.ground.law=Frictionless"], 0.0);
    let row = Row { end: 1.92e-3, impulse: 0.30496, velocity: [3.0, 4.612], spin: 0.0, energy: 0.958 };
    check_row("mu = 0", &f, &s, &row, 1e-5);
    let vx: Vec<f64> = run.column("plate.vx").iter().map(|v| v - VELOCITY[0]).collect();
    assert!(largest(&vx) < 1e-12 && s.spin.abs() < 1e-9, "v_x {:e}, spin {:e}", largest(&vx), s.spin);
    // A friction coefficient of zero is the same law.
    let zero = verification::run(&load("oblique-impact", &["contacts.ground.law=SignoriniCoulomb(friction: 0.0)"]));
    let difference = distance(&zero.column("plate.vy"), &run.column("plate.vy"));
    assert!(difference < 1e-12 * 5.0, "{difference:e}");
    assert!(zero.largest("friction_dissipation") < 1e-14, "{:e}", zero.largest("friction_dissipation"));
}

/// The gmsh mesh is the one made here; 10 x 8 and 16 x 20 cells as the reference.
#[test]
fn other_meshes() {
    let folder = tempfile::tempdir().unwrap();
    let coarse = run(&load("oblique-impact", &[]));
    for (across, up, h, row) in [
        (8, 10, 1e-5, Row { end: 1.91e-3, impulse: 0.30668, velocity: [2.034, 4.667], spin: -34.1, energy: 0.859 }),
        (10, 8, 1e-5, Row { end: 1.92e-3, impulse: 0.30674, velocity: [2.034, 4.668], spin: -34.3, energy: 0.860 }),
        (16, 20, 5e-6, Row { end: 1.925e-3, impulse: 0.30811, velocity: [2.033, 4.710], spin: -34.6, energy: 0.877 }),
    ] {
        let name = format!("{across} x {up}");
        let path = folder.path().join(format!("plate-{across}-{up}.msh"));
        write_plate(&path, across, up);
        let mesh = format!("bodies.plate.mesh=File({:?})", path.to_str().unwrap());
        let step = format!("step={h:e}");
        let probe = "probes=[(name: \"plate\", at: Body(\"plate\"))]";
        let (run, f, s) = measure(&name, &[&mesh, &step, probe], FRICTION);
        check_benchmark(&name, &f);
        check_row(&name, &f, &s, &row, h);
        if (across, up) == (8, 10) {
            let difference = distance(&run.column("plate.vx"), &coarse.column("plate.vx"));
            // gmsh places nodes of an arc to about 1e-9 of its length.
            assert!(difference < 1e-7, "the two meshes differ: {difference:e}");
        }
    }
}
