//! The same laws in space: the bars again, and a block thrown in sixteen directions.
//!
//! Reference: for ν = 0 the bars of `cases/bars-impact-3d.ron` are those of `cases/bars-impact.ron`. A block thrown with V along a rough
//! plane runs straight and stops after V²/(2 μ g), in whatever direction: Coulomb's cone has no corners.
//!
//! Goal: elements, contact detection, local frames, the kernel of the 3D cone and the ledger work together in three dimensions; results do
//! not depend on the number of threads.
//!
//! Parameters: both cases as they are written; the block with 2 × 1 × 2 cells and directions of 22.5° steps.
//!
//! Tolerances: bars 1e-9 of the largest value of each column (the solver stops at 1e-12; other frames and other sums, rounding only).
//! Block: way within the travel of one step, V h; off its direction by no more than 1e-6 of the way (a box does not vibrate alike in
//! all directions, and friction at its nodes follows).

use verification::{SCHEMES, case_path, distance, load, run, show, try_run};

#[test]
fn bars_in_space_are_bars_in_the_plane() {
    for scheme in SCHEMES {
        let integrator = format!("integrator={scheme}");
        let (plane, space) = (run(&load("bars-impact", &[&integrator])), run(&load("bars-impact-3d", &[&integrator])));
        let mut worst: f64 = 0.0;
        for column in
            ["left_face.vx", "right_bar.vx", "left_face.ux", "faces.force_x", "kinetic_energy", "elastic_energy"]
        {
            worst = worst.max(distance(&plane.column(column), &space.column(column)) / plane.largest(column));
        }
        let aside = space.largest("left_face.vz").max(space.largest("left_face.vy")) / 5.13588;
        show(&format!("bars in space {scheme:34} {worst:.1e}, aside {aside:.1e}"));
        assert!(worst <= 1e-9 && aside <= 1e-12, "{scheme}: {worst:e} {aside:e}");
        assert!(space.largest("energy_residual") <= 1e-13, "{scheme}");
    }
}

#[test]
fn no_direction_is_better_than_another() {
    let (speed, friction, gravity, h) = (0.5, 0.3, 9.81, 1e-4);
    let exact = speed * speed / (2.0 * friction * gravity);
    let (mut short, mut aside): (f64, f64) = (0.0, 0.0);
    for k in 0..16 {
        let (sin, cos) = (f64::from(k) * std::f64::consts::PI / 8.0).sin_cos();
        let velocity = format!("bodies.block.velocity=({:e}, 0.0, {:e})", speed * cos, speed * sin);
        let run =
            run(&load("block-slide-3d", &[&velocity, "bodies.block.mesh.cells=(2, 1, 2)", "verify=(checks: [])"]));
        let (x, z) = (run.last("block.ux"), run.last("block.uz"));
        let (way, off) = (x * cos + z * sin, (z * cos - x * sin).abs());
        (short, aside) = (short.max((way - exact).abs()), aside.max(off / way));
        let v = &run.summary.verdict;
        assert!(v.law_error <= 1e-10 + 1e-12 && v.flagged + v.cuts == 0, "direction {k}: {v:?}");
        assert!((way - exact).abs() <= speed * h, "direction {k}: {way} instead of {exact}");
        assert!(off <= 1e-6 * way, "direction {k}: off by {off:e}");
        assert!(run.largest("energy_residual") <= 1e-12, "direction {k}");
    }
    show(&format!("block in 16 directions: way off by {short:.1e} m of {exact:.4e} m, aside by {aside:.1e} of it"));
}

/// A block of a hundredth of the size with E and h kept is all but rigid: sweeps alone would need thousands of rounds. Some steps of Newton's method finish
/// them early, which is no fallback, and the motion is that of a rigid block.
#[test]
fn newton_finishes_the_sweeps_when_the_block_gets_rigid() {
    let size = "bodies.block.mesh.size=(0.002, 0.001, 0.0015)";
    let settings = [size, "duration=2e-3", "output.every=20", "verify=(checks: [])"];
    let run_with = |own: &[&str]| run(&load("block-slide-3d", &[&settings[..], own].concat()));
    let run = run_with(&[]);
    let v = &run.summary.verdict;
    assert!(v.law_error <= 1e-10 + 1e-12 && v.flagged + v.cuts + v.takeovers == 0, "{v:?}");
    let sweeps = run_with(&["duration=2e-4", "solver.fallback=[]"]).summary.verdict.max_iterations;
    assert!(v.max_iterations <= 60 && sweeps > 10 * v.max_iterations, "{sweeps} {v:?}");
    // Friction takes μ g t off the velocity of a rigid block.
    let (vx, vz) = (run.last("block.vx"), run.last("block.vz"));
    let slower = 0.5 - 0.3 * 9.81 * 2e-3;
    show(&format!(
        "rigid block: at most {} iterations, {sweeps} by sweeps alone, velocity off by {:.1e}",
        v.max_iterations,
        (vx.hypot(vz) - slower).abs()
    ));
    // The block is at equilibrium and rigid, but for the travel of its own waves: 1e-4 of the speed it loses.
    assert!((vx.hypot(vz) - slower).abs() <= 1e-4 * 0.3 * 9.81 * 2e-3, "{vx} {vz}");
}

#[test]
fn threads_change_no_bit() {
    // The balls in part, as far as the contact has grown: they are the largest.
    for (case, settings) in [
        ("bars-impact-3d", &[][..]),
        ("block-slide-3d", &[]),
        ("h8-cubes", &[]),
        ("hertz-sphere", &["duration=2.5e-3"]),
        ("sphere-impact", &["duration=2e-4"]),
    ] {
        assert!(case_path(case).is_file());
        let loaded = load(case, settings);
        let hash = |threads| try_run(&loaded, Some(threads)).0.unwrap().state_hash;
        assert_eq!(hash(1), hash(2), "{case}");
    }
}
