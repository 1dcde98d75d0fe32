//! Memory told, bounded, and without influence on results; factors shared by equal bodies.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails by panicking")]

use serde_json::Value;

use crate::common::{Done, Scene};

/// A strip comes down aslant on a rough plane: the contact runs along its 241 nodes.
const STRIP: &str = r#"(
    title: "A strip comes down aslant",
    kinematics: SmallStrain,
    materials: [(name: "rubber", density: 1000.0, law: KelvinVoigt(young: 1e6, poisson: 0.3, shear_viscosity: 20.0))],
    bodies: [(
        name: "strip",
        mesh: Rectangle(corner: (0.0, 0.0), size: (1.2, 0.02), cells: (240, 4)),
        material: "rubber", rotation: 2.0, velocity: (0.3, -2.0), spin: -1.0,
    )],
    obstacles: [(name: "floor", shape: HalfPlane(point: (0.0, 0.0), normal: (0.0, 1.0)))],
    contacts: [(
        name: "ground", candidates: (body: "strip", group: "bottom"), antagonists: Obstacle("floor"),
        law: SignoriniCoulomb(friction: 0.3),
    )],
    integrator: Theta(theta: 0.6), step: 2e-4, duration: 0.016,
)"#;

fn run(scene: &Scene, out: &str, memory: &str, more: &[&str]) -> Done {
    let memory = format!("memory={memory}");
    scene.delassus(&[&["run", "case.ron", "--out", out, "--set", &memory][..], more].concat())
}

fn manifest(scene: &Scene, out: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(scene.path(out).join("manifest.json")).unwrap()).unwrap()
}

/// w on all nodes of the strip takes 1.1 MB, on those in contact at one time at most a part of it. However little is
/// allowed, the results are the same to the last bit, or there is an error with the numbers.
#[test]
fn little_memory_gives_the_same_bits() {
    let scene = Scene::new(STRIP);
    let hash = |out: &str| manifest(&scene, out)["state_hash"].as_str().unwrap().to_owned();
    let history = |out: &str| std::fs::read_to_string(scene.path(out).join("history.csv")).unwrap();
    assert_eq!(run(&scene, "all", "4e9", &[]).code, 0);
    let mut given_up = 0;
    for (memory, threads) in [("1e6", "1"), ("8e5", "2"), ("7.4e5", "1"), ("7.4e5", "2")] {
        let done = run(&scene, "some", memory, &["--force", "--threads", threads]);
        assert_eq!(done.code, 0, "memory {memory}: {}", done.stderr);
        assert_eq!(hash("some"), hash("all"), "memory {memory}");
        assert_eq!(history("some"), history("all"), "memory {memory}");
        let log = std::fs::read_to_string(scene.path("some").join("run.log")).unwrap();
        given_up += usize::from(log.contains("columns of w were discarded and computed again"));
    }
    assert!(given_up > 0, "no run was short of memory");
}

#[test]
fn too_little_memory_is_an_error_with_the_numbers() {
    let scene = Scene::new(STRIP);
    let done = run(&scene, "out", "1e4", &[]);
    assert_eq!(done.code, 4, "{}", done.stderr);
    for piece in [
        "error[E0704]: ",
        "memory: the condensed operators of",
        "contacts need 73.7 kB, but memory = 10.0 kB",
        "all nodes that can be in contact would need 1.1 MB",
        "Raise `memory`",
        "the last good state is in out",
    ] {
        assert!(done.stderr.contains(piece), "no `{piece}` in {}", done.stderr);
    }
    assert!(scene.path("out").join("last-good-state.json").exists());
    // without contact there is nothing to hold
    assert_eq!(run(&scene, "none", "0", &["--set", "obstacles.floor.shape.point=(0.0, -1.0)"]).code, 0);
}

#[test]
fn memory_must_be_a_number_of_bytes() {
    for value in ["-1.0", "NaN", "inf"] {
        let scene = Scene::new(STRIP);
        let done = run(&scene, "out", value, &[]);
        assert_eq!(done.code, 2, "{value}: {}", done.stderr);
        assert!(
            done.stderr.starts_with("error[E0307]: case.ron:")
                && done.stderr.contains("must be a number of bytes >= 0, such as 4e9"),
            "{}",
            done.stderr
        );
    }
}

/// Every third of the blocks is of another material.
fn wall(n: usize) -> String {
    let block = |k: usize| {
        let material = if k.is_multiple_of(3) { "stone" } else { "brick" };
        format!(
            "(name: \"b{k}\", mesh: Rectangle(corner: (0.0, 0.0), size: (0.4, 0.2), cells: (4, 2)), \
             material: \"{material}\", rotation: {:?}, translation: ({:?}, {:?})),\n",
            12.0 * k as f64,
            0.9 * (k % 20) as f64,
            0.9 * (k / 20) as f64
        )
    };
    format!(
        "(title: \"Blocks\", kinematics: SmallStrain, materials: [\
         (name: \"stone\", density: 2000.0, law: KelvinVoigt(young: 1e9, poisson: 0.2)),\
         (name: \"brick\", density: 2000.0, law: KelvinVoigt(young: 2e9, poisson: 0.2))],\n\
         bodies: [{}],\n integrator: Theta(theta: 0.5), step: 1e-4, duration: 1e-3)",
        (0..n).map(block).collect::<String>()
    )
}

#[test]
fn check_tells_shared_factors_memory_and_disk() {
    let done = Scene::new(&wall(300)).delassus(&["check", "case.ron"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    for piece in [
        "  300 bodies, 2 distinct factors: ",
        "  memory: bodies ",
        "condensed operators 0 B\n",
        "total about ",
        "  disk: 11 frames of ",
        "  no problem found",
    ] {
        assert!(done.stdout.contains(piece), "no `{piece}` in\n{}", done.stdout);
    }
    let short = Scene::new(STRIP).delassus(&["check", "case.ron", "--set", "memory=2e5"]);
    let told = "condensed operators 200.0 kB at most, on demand: all of them would take 1.1 MB";
    assert!(short.stdout.contains(told), "{}", short.stdout);
    assert!(short.stdout.contains("  1 body, 1 distinct factor: "), "{}", short.stdout);
}

/// A row of squares side by side, each of which may touch each other.
const ROW: &str = r#"(
    title: "A row of squares",
    kinematics: SmallStrain,
    materials: [(name: "rubber", density: 1000.0, law: KelvinVoigt(young: 1e6, poisson: 0.3))],
    bodies: [(
        name: "square", mesh: Rectangle(corner: (0, 0), size: (1, 1), cells: (1, 1)), material: "rubber",
        copies: (count: 3000, translation: (1.0, 0.0)),
    )],
    contacts: [(
        name: "sides", candidates: (body: "square", group: "boundary"),
        antagonists: Surface(body: "square", group: "boundary"), law: Frictionless,
    )],
    integrator: Theta(theta: 0.5), step: 1e-2, duration: 2e-2,
)"#;

/// 3000 copies make nine million pairs of bodies, of which 2999 are neighbours. A list of the pairs would take 35 GB.
#[cfg(target_os = "linux")]
#[test]
fn copies_in_contact_take_memory_by_their_number_and_not_by_its_square() {
    let scene = Scene::new(ROW);
    let program = env!("CARGO_BIN_EXE_delassus");
    for command in ["check case.ron", "run case.ron --out out"] {
        // Address space in kB, which holds the stacks of the threads too.
        let limited = format!("ulimit -v 700000; exec '{program}' {command} --threads 1");
        let limited = limited.replace("check case.ron --threads 1", "check case.ron");
        let done = std::process::Command::new("sh")
            .args(["-c", &limited])
            .current_dir(scene.path(""))
            .env("RAYON_NUM_THREADS", "1")
            .output()
            .unwrap();
        let [out, err] = [done.stdout, done.stderr].map(|text| String::from_utf8(text).unwrap());
        assert_eq!(done.status.code(), Some(0), "{command}: {err}");
        if command.starts_with("check") {
            let told = "12000 candidates of 3000 bodies, `square-0` to `square-2999`";
            assert!(
                out.contains(told) && out.contains("bodies `square-0` to `square-2999`, each of them: 4 nodes"),
                "{out}"
            );
            assert!(out.lines().count() < 30, "{out}");
        }
    }
}
