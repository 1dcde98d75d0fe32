//! The block on a rough plane at other scales, in other units and turned; and shrunk with its stiffness kept.
//!
//! Reference: mechanics has neither a unit nor a direction of its own. With lengths × s, E × s, times and speeds × √s, and density,
//! gravity and friction kept, every force is × s³ and the motion is the same on the scaled axes.
//!
//! Goal: no tolerance in detection, start, condensation, solvers or certificate depends on units, size or direction. Where the
//! shrunk block is *not* similar — E and h kept — it gets ever more rigid within a step and Gauss–Seidel stalls; then Lemke's
//! method must take over by itself.
//!
//! Parameters: `cases/sliding-block.ron` and `cases/incline.ron` (tan α = 0.99 μ from equilibrium, 1.01 μ undeformed) at scales 1,
//! 1/10, 1/1000; in mm-t-s and mm-g-ms; turned by 37° and by −143° (body, plane, gravity and velocity); and two at once.
//!
//! Tolerances, similar problems: 1e-6 for every figure and every row of the histories, relative to the largest value of the column,
//! velocities to the largest velocity (the problems are the same up to rounding; the solver stops at 1e-10, one sweep earlier or
//! later, which is 1e-7 of the small vibrations). Drift 1e-10 m/s × √s.
//!
//! Tolerances, stiffness kept: stop time and way to one step, drift 1e-10 m/s, acceleration 1e-6. The ledger closes only to 1e-8
//! there: M̂ = M + hθC + h²θ²K has the condition (hc/l)² ≈ 2e7 for elements of l = 25 µm, times rounding.

use std::fs;

use verification::blocks::{
    FRICTION, GRAVITY, SIZE, SPEED, STEP, Similar, Track, slide_acceleration, slope, stop_distance, stop_time,
};
use verification::{Run, largest, load, run, show};

const LEVEL: [f64; 2] = [0.0, -GRAVITY];

fn on_plane(case: &str, similar: &Similar, gravity: [f64; 2], speed: f64, duration: f64, own: &[&str]) -> (Run, Track) {
    let settings = similar.settings(gravity, speed, duration);
    let all: Vec<&str> = settings.iter().map(String::as_str).chain(own.iter().copied()).collect();
    let run = run(&load(case, &all));
    let track = similar.track(&run);
    (run, track)
}

/// Thrown, held, sliding down.
fn three_runs(similar: &Similar) -> [Track; 3] {
    let runs = [
        on_plane("sliding-block", similar, LEVEL, SPEED, 0.2, &[]),
        on_plane("incline", similar, slope(0.99), 0.0, 0.02, &["start=Equilibrium"]),
        on_plane("incline", similar, slope(1.01), 0.0, 0.05, &[]),
    ];
    runs.map(|(run, track)| {
        let v = &run.summary.verdict;
        assert!(v.law_error <= 1e-10 && v.flagged + v.cuts + v.takeovers + v.too_deep == 0, "{}: {v:?}", similar.name);
        track
    })
}

#[test]
fn similar_problems_have_the_same_figures() {
    let itself = Similar::ITSELF;
    let others = [
        Similar::model("scale 1/10", 0.1),
        Similar::model("scale 1/1000", 1e-3),
        Similar { name: "mm, t, s", length: 1e3, mass: 1e-3, ..itself },
        Similar { name: "mm, g, ms", length: 1e3, mass: 1e3, time: 1e3, ..itself },
        Similar { name: "turned by 37°", degrees: 37.0, ..itself },
        Similar { name: "turned by −143°", degrees: -143.0, ..itself },
        Similar { name: "1/1000 and 37°", degrees: 37.0, ..Similar::model("", 1e-3) },
        Similar { name: "mm, t, s and 37°", length: 1e3, mass: 1e-3, degrees: 37.0, ..itself },
    ];
    let reference = three_runs(&itself);
    let figures = |[thrown, _, slides]: &[Track; 3]| {
        let acceleration = slides.acceleration(0.03) / slide_acceleration(1.01);
        [thrown.stop_time() / stop_time(), thrown.distance() / stop_distance(), thrown.friction_ratio(), acceleration]
    };
    let expected = figures(&reference);
    show(&format!("similar: stop time, way, friction work, acceleration over their exact values {expected:.9?}"));
    for similar in &others {
        let tracks = three_runs(similar);
        let off = figures(&tracks).iter().zip(&expected).map(|(x, y)| (x / y - 1.0).abs()).fold(0.0, f64::max);
        let drift = largest(&tracks[1].v);
        let [thrown, held, slides] = [
            reference[0].difference(&tracks[0], &[]),
            // Its velocities and works are rounding, and judged by their size.
            reference[1].difference(&tracks[1], &["time", "u", "rise", "force", "normal", "elastic"]),
            reference[2].difference(&tracks[2], &[]),
        ];
        show(&format!(
            "similar {:17} figures {off:.1e}, drift {drift:.1e} m/s; histories: thrown {:.1e} ({}), held {:.1e} ({}), slides {:.1e} ({})",
            similar.name, thrown.0, thrown.1, held.0, held.1, slides.0, slides.1
        ));
        assert!(off <= 1e-6, "{}: figures off by {off:e}", similar.name);
        assert!(drift < 1e-10, "{}: drift {drift:e} m/s", similar.name);
        for (differ, column) in [thrown, held, slides] {
            assert!(differ <= 1e-6, "{}: {column} differs by {differ:e}", similar.name);
        }
    }
}

/// The comparison can fail: a millionth of the gravity, or another mesh, is seen.
#[test]
fn differences_are_seen() {
    let of =
        |gravity: f64, own: &[&str]| on_plane("sliding-block", &Similar::ITSELF, [0.0, -gravity], SPEED, 0.01, own).1;
    let reference = of(GRAVITY, &[]);
    let (heavier, _) = reference.difference(&of(GRAVITY * (1.0 + 3e-6), &[]), &[]);
    let (coarser, _) = reference.difference(&of(GRAVITY, &["bodies.block.mesh.cells=(8, 3)"]), &[]);
    assert!(heavier > 1e-6 && coarser > 1e-3, "{heavier:e}, {coarser:e}");
}

/// The block of scale `s` with E, viscosity and h kept.
fn shrunk(s: f64) -> String {
    format!("bodies.block.mesh.size=({:e}, {:e})", SIZE[0] * s, SIZE[1] * s)
}

/// Newton's method would end the sweeps before they are slow.
const LEMKE_ALONE: &str = "solver.fallback=[Lemke]";

struct Stiff {
    scale: f64,
    scheme: &'static str,
    degrees: f64,
    /// Must Lemke's method have helped?
    takeover: bool,
}

/// Sweeps of Gauss–Seidel alone to 1e-10 in the hardest step: 29, 675, 5e4 for scales 1, 1/10, 1/100, not in 1e6 for 1/1000.
const STIFF: [Stiff; 6] = [
    Stiff { scale: 0.1, scheme: "Theta(theta: 0.55)", degrees: 0.0, takeover: false },
    Stiff { scale: 0.01, scheme: "Theta(theta: 0.55)", degrees: 0.0, takeover: true },
    Stiff { scale: 1e-3, scheme: "Theta(theta: 0.55)", degrees: 0.0, takeover: true },
    Stiff { scale: 1e-3, scheme: "ModifiedTheta(theta: 0.55)", degrees: 0.0, takeover: true },
    Stiff { scale: 1e-3, scheme: "ThetaEuler(theta: 0.55)", degrees: 0.0, takeover: true },
    Stiff { scale: 1e-3, scheme: "Theta(theta: 0.55)", degrees: 37.0, takeover: true },
];

fn check_verdict(name: &str, run: &Run, takeover: bool) {
    let v = &run.summary.verdict;
    assert!(v.law_error <= 1e-10 && v.flagged + v.cuts + v.too_deep == 0, "{name}: {v:?}");
    assert_eq!(v.takeovers > 0, takeover, "{name}: {v:?}");
    assert!(v.energy_residual <= 1e-8, "{name}: ledger {:e}", v.energy_residual);
    if takeover {
        let log = fs::read_to_string(run.folder.path().join("run.log")).unwrap();
        // Which step, what Gauss–Seidel left, why it ended, and who took over.
        let told = |line: &&str| {
            line.starts_with("step ")
                && line.contains(" iterations of nlgs (residual ")
                && line.contains("of lemke (converged")
        };
        let said = log.lines().filter(told).count();
        assert_eq!(said, v.takeovers, "{name}: the log says so once for each such step");
    }
}

/// Speed, gravity, E and h kept: stop time and way are those of the large block.
#[test]
fn lemke_takes_over_when_the_block_gets_rigid() {
    for Stiff { scale, scheme, degrees, takeover } in STIFF {
        let (similar, size, integrator) =
            (Similar { degrees, ..Similar::ITSELF }, shrunk(scale), format!("integrator={scheme}"));
        let name = format!("scale {scale}, E and h kept, {scheme}, {degrees}°");
        let own = [size.as_str(), &integrator, LEMKE_ALONE];

        let (run, track) = on_plane("sliding-block", &similar, LEVEL, SPEED, 0.2, &own);
        let v = &run.summary.verdict;
        show(&format!(
            "{name}: stop {:.4} s, way {:.7} m, friction work {:.7}; {} steps by Lemke, most sweeps {}, ledger {:.1e}",
            track.stop_time(),
            track.distance(),
            track.friction_ratio(),
            v.takeovers,
            v.max_iterations,
            v.energy_residual
        ));
        assert!((track.stop_time() - stop_time()).abs() <= STEP, "{name}: {}", track.stop_time());
        assert!((track.distance() - stop_distance()).abs() <= STEP * SPEED, "{name}: {}", track.distance());
        check_verdict(&name, &run, takeover);

        let (run, track) =
            on_plane("incline", &similar, slope(0.99), 0.0, 0.02, &[&own[..], &["start=Equilibrium"]].concat());
        let drift = largest(&track.v);
        check_verdict(&name, &run, false);
        assert!(drift < 1e-10, "{name}: drift {drift:e}");

        let (run, track) = on_plane("incline", &similar, slope(1.01), 0.0, 0.05, &own);
        let off = track.acceleration(0.03) / slide_acceleration(1.01) - 1.0;
        show(&format!(
            "    drift {drift:.1e} m/s; acceleration off by {off:.1e}, {} steps by Lemke",
            run.summary.verdict.takeovers
        ));
        check_verdict(&name, &run, takeover);
        assert!(off.abs() < 1e-6, "{name}: {off:e}");
    }
}

/// The speed × √s as well, as in the similar problem: stop time × √s, way × s.
#[test]
fn lemke_takes_over_at_the_speed_of_the_model() {
    for s in [0.1, 0.01, 1e-3_f64] {
        let speed = SPEED * s.sqrt();
        let time = speed / (FRICTION * GRAVITY);
        let (run, track) =
            on_plane("sliding-block", &Similar::ITSELF, LEVEL, speed, 1.2 * time, &[&shrunk(s), LEMKE_ALONE]);
        let v = &run.summary.verdict;
        show(&format!(
            "scale {s}, E and h kept, speed × √s: stop {:.5} of {time:.5} s, way {:.4e} of {:.4e} m, {} steps by Lemke",
            track.stop_time(),
            track.distance(),
            0.5 * speed * time,
            v.takeovers
        ));
        assert!((track.stop_time() - time).abs() <= STEP, "{s}: {}", track.stop_time());
        assert!((track.distance() - 0.5 * speed * time).abs() <= STEP * speed, "{s}: {}", track.distance());
        check_verdict(&format!("speed × √s, {s}"), &run, s < 0.05);
    }
}
