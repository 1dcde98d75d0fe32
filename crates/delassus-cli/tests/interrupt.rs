//! A real SIGTERM while there is nothing to save yet: the program ends by itself, says so, and leaves nothing.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a helper of a test fails by panicking")]

mod common;

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::{Done, Scene};

/// A plate of a million metres without weight to speak of, on 600 contacts: its equilibrium takes minutes to be refused.
const SLOW_START: &str = "(title: \"p\", materials: [(name: \"r\", density: 1e-5, law: KelvinVoigt(young: 1160, poisson: 0.4999))],
    bodies: [(name: \"a\", mesh: Rectangle(corner: (0, 0), size: (1e6, 1e6), cells: (200, 1)), material: \"r\", mass: Lumped)],
    obstacles: [(name: \"floor\", shape: HalfPlane(point: (0, 0), normal: (0, 1)))],
    contacts: [(name: \"c\", candidates: (body: \"a\", group: \"bottom\"), antagonists: Obstacle(\"floor\"), law: Frictionless,
                points: OnFacets(3))],
    loads: [Gravity(acceleration: (0, -1e-6))], start: Equilibrium, integrator: ThetaEuler(theta: 0.55), step: 0.01, duration: 0.2)";

/// Does the process have a handler of its own for SIGTERM by now?
fn hears(child: &Child) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap().trim();
    u64::from_str_radix(caught, 16).unwrap() & (1 << (15 - 1)) != 0
}

/// Waits for something that must come, at most a minute: only a hang makes it fail.
fn wait_until(mut what: impl FnMut() -> bool) -> bool {
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_secs(60) {
        if what() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    false
}

fn terminated(scene: &Scene, args: &[&str]) -> Done {
    let mut child = scene.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    assert!(wait_until(|| hears(&child)), "{args:?}: no handler");
    // Into the search.
    std::thread::sleep(Duration::from_millis(300));
    assert!(child.try_wait().unwrap().is_none(), "{args:?} was over before it was asked to stop");
    assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
    let heard = wait_until(|| child.try_wait().unwrap().is_some());
    if !heard {
        child.kill().unwrap();
    }
    assert!(heard, "{args:?}: SIGTERM was not heard");
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Done { code: output.status.code().unwrap_or(-1), stdout: text(output.stdout), stderr: text(output.stderr) }
}

#[test]
fn the_search_for_an_equilibrium_ends_and_nothing_is_left() {
    let scene = Scene::new(SLOW_START);
    for (args, doing) in [
        (&["run", "case.ron", "--out", "out"][..], "dropping the step and saving"),
        (&["check", "case.ron"], "stopping"),
        // Minutes as well, and the page comes last.
        (&["verify", "dome", "--out", "out", "--quiet"], "stopping"),
    ] {
        let done = terminated(&scene, args);
        assert_eq!((done.code, done.stdout.as_str()), (130, ""), "{}", done.stderr);
        for piece in [&format!("interrupted: {doing} (again"), "error[E0720]: interrupted", "nothing was written"] {
            assert!(done.stderr.contains(piece), "no `{piece}` in {}", done.stderr);
        }
        assert!(!scene.path("out").exists());
    }
}
