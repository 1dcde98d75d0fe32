//! Runs from the command line, end to end: what is printed, what is written, and what changes nothing.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails by panicking")]

use std::path::Path;
use std::process::Stdio;

use serde_json::Value;

use crate::common::{BLOCK, Done, Scene, edited};

/// The columns scripts rely on (DESIGN §6).
const COLUMNS: &str = "step,time,kinetic_energy,elastic_energy,external_work,viscous_dissipation,friction_dissipation,\
    contact_work,numerical_dissipation,energy_residual,momentum_x,momentum_y,active_contacts,solver_iterations,\
    law_error,max_penetration";
const BARS: &str = include_str!("../../../../cases/bars-impact.ron");

/// Runs `case.ron` of a scene into `out` with more arguments; it has to succeed.
fn run(scene: &Scene, out: &str, args: &[&str]) -> Done {
    let done = scene.delassus(&[&["run", "case.ron", "--out", out][..], args].concat());
    assert_eq!(done.code, 0, "{args:?}: {}", done.stderr);
    done
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

fn manifest(scene: &Scene, out: &str) -> Value {
    serde_json::from_str(&text(&scene.path(out).join("manifest.json"))).unwrap()
}

/// Hash of the final state of a run with these `--set`.
fn hash_with(scene: &Scene, out: &str, settings: &[&str]) -> String {
    let args: Vec<&str> = settings.iter().flat_map(|s| ["--set", s]).collect();
    run(scene, out, &args);
    manifest(scene, out)["state_hash"].as_str().unwrap().to_owned()
}

#[test]
fn the_summary_and_nothing_else() {
    let scene = Scene::new(BLOCK);
    let done = run(&scene, "out", &[]);
    // Not a terminal: no bar, no colours, no chatter.
    assert_eq!(done.stderr, "");
    assert!(!done.stdout.contains('\u{1b}') && !done.stdout.contains('\r'), "{:?}", done.stdout);
    let lines: Vec<&str> = done.stdout.lines().collect();
    assert_eq!(lines[0], "A block slides along a plank");
    for piece in [
        "  20 steps to t = 2.000000e-3 s in ",
        "54 dofs, 8 candidates",
        "  Pass: 20 of 20 steps at tolerance 1e-10; worst law error ",
        "; energy ledger closes to ",
        "  contact: at most 5 active",
        "  pass  sliding speed: ",
        "  results in out: fields.pvd, contacts.pvd, history.csv, manifest.json",
        "open out/fields.pvd",
    ] {
        assert!(done.stdout.contains(piece), "no `{piece}` in\n{}", done.stdout);
    }
    let quieter = run(&scene, "out", &["--force", "--no-progress"]);
    assert_eq!((quieter.stderr.as_str(), quieter.stdout.lines().count()), ("", lines.len()));
    for quiet in ["--quiet", "-q"] {
        let done = run(&scene, "out", &["--force", quiet]);
        assert_eq!((done.stdout.as_str(), done.stderr.as_str()), ("", ""), "{quiet}");
    }
}

#[test]
fn the_results_folder() {
    let scene = Scene::new(BLOCK);
    run(&scene, "out", &["--set", "title=\"Changed\"", "--threads", "1"]);
    let out = scene.path("out");
    assert_eq!(text(&out.join("case.ron")), BLOCK, "the case as given");
    let mut names: Vec<String> =
        std::fs::read_dir(&out).unwrap().map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    let frames =
        ["contact_surfaces", "contact_surfaces.pvd", "contacts", "contacts.pvd", "end.state", "fields", "fields.pvd"];
    let rest = ["history.csv", "manifest.json", "names.csv", "obstacles", "obstacles.pvd", "run.log", "status.json"];
    assert_eq!(names, [&["case.resolved.ron", "case.ron"][..], &frames, &rest].concat());
    // The state at the start and every fifth of 20 steps.
    for pvd in ["fields", "contacts", "contact_surfaces", "obstacles"] {
        let text = text(&out.join(format!("{pvd}.pvd")));
        let frames: Vec<&str> = text.split("file=\"").skip(1).map(|s| s.split('"').next().unwrap()).collect();
        assert_eq!(frames.len(), 5, "{text}");
        assert!(frames.iter().all(|f| out.join(f).is_file()), "{frames:?}");
        assert_eq!(std::fs::read_dir(out.join(pvd)).unwrap().count(), 5, "no stray file in {pvd}");
    }
    assert!(text(&out.join("run.log")).contains("20 of 20 steps"));
}

#[test]
fn the_manifest() {
    let scene = Scene::new(BLOCK);
    run(&scene, "out", &["--set", "title=\"Changed\"", "--threads", "1"]);
    let m = manifest(&scene, "out");
    assert_eq!(m["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(m["level"], delassus_math::level());
    assert!(!m["commit"].as_str().unwrap().is_empty());
    assert_eq!(m["title"], "Changed");
    assert_eq!(m["case"], "case.ron");
    assert_eq!(m["settings"], serde_json::json!(["title=\"Changed\""]));
    assert_eq!(m["threads"], 1);
    assert_eq!(m["steps"], 20);
    assert_eq!(m["mesh_hashes"], serde_json::json!({ "block": "generated", "plank": "generated" }));
    for hash in ["case_hash", "state_hash"] {
        let hash = m[hash].as_str().unwrap();
        assert!(hash.len() == 64 && hash.bytes().all(|b| b.is_ascii_hexdigit()), "{hash}");
    }
    assert!(m["verdict"]["law_error"].as_f64().unwrap() <= 1e-10);
    assert_eq!(m["verdict"]["flagged"], 0);
    assert_eq!(m["verification"]["checks"][0]["passed"], true);
    for phase in [
        "load",
        "detect",
        "factor",
        "free_velocity",
        "condense",
        "derive_laws",
        "solve",
        "certify",
        "finish",
        "rotation",
        "observe",
    ] {
        assert!(m["timings_s"][phase].as_f64().unwrap() >= 0.0, "{phase}");
    }
    assert_eq!(m["timings_s"]["steps"], 20);
    let phases = m["timings_s"].as_object().unwrap();
    let sum: f64 =
        phases.iter().filter(|(k, _)| !["total", "steps"].contains(&k.as_str())).map(|p| p.1.as_f64().unwrap()).sum();
    assert!(sum <= m["timings_s"]["total"].as_f64().unwrap(), "the phases are parts of the whole");
}

#[test]
fn the_hash_of_a_mesh_file() {
    let mesh = include_bytes!("../data/two-cells.msh");
    let rectangle = "Rectangle(corner: (0.1, 0.1), size: (0.2, 0.1), cells: (4, 2))";
    let scene = Scene::new(&edited(BLOCK, &[(rectangle, "File(\"meshes/block.msh\")")]));
    std::fs::create_dir(scene.path("meshes")).unwrap();
    std::fs::write(scene.path("meshes/block.msh"), mesh).unwrap();
    run(&scene, "out", &[]);
    let first = manifest(&scene, "out");
    assert_eq!(first["mesh_hashes"]["plank"], "generated");
    assert_eq!(first["mesh_hashes"]["block"].as_str().unwrap().len(), 64);
    // One byte more, of no meaning: another file, the same state.
    std::fs::write(scene.path("meshes/block.msh"), [&mesh[..], b"\n"].concat()).unwrap();
    run(&scene, "out", &["--force"]);
    let second = manifest(&scene, "out");
    assert_ne!(first["mesh_hashes"]["block"], second["mesh_hashes"]["block"]);
    assert_eq!(first["state_hash"], second["state_hash"]);
}

#[test]
fn the_history() {
    let scene = Scene::new(BLOCK);
    run(&scene, "out", &[]);
    let history = text(&scene.path("out/history.csv"));
    assert!(history.ends_with('\n'));
    let mut lines = history.lines();
    let header = lines.next().unwrap();
    assert!(header.starts_with(&format!("{COLUMNS},")), "{header}");
    let names: Vec<&str> = header.split(',').collect();
    for column in ["slide.force_x", "slide.force_y", "stop.force_x", "tip.ux", "tip.vy", "base.vx"] {
        assert!(names.contains(&column), "no {column} in {header}");
    }
    let rows: Vec<Vec<f64>> = lines.map(|l| l.split(',').map(|x| x.parse().unwrap()).collect()).collect();
    assert_eq!(rows.len(), 21, "the initial state and 20 steps");
    let column = |name: &str| names.iter().position(|n| *n == name).unwrap();
    for (i, row) in rows.iter().enumerate() {
        assert_eq!(row.len(), names.len());
        let time = 1e-4 * i as f64;
        assert!((row[column("step")] - i as f64).abs() < 0.5 && (row[column("time")] - time).abs() < 1e-15);
        assert!(row[column("law_error")] <= 1e-10 && row[column("energy_residual")] < 1e-12, "row {i}");
    }
    // The block of 10 kg starts with 1 m/s, presses down on the plank, and is slowed by friction.
    let (first, last) = (&rows[0], &rows[20]);
    assert!((first[column("kinetic_energy")] - 5.0).abs() < 1e-9);
    assert!((first[column("momentum_x")] - 10.0).abs() < 1e-9);
    let (fx, fy) = (last[column("slide.force_x")], last[column("slide.force_y")]);
    // All of the base slides: Coulomb's law holds for the sum, to the tolerance of the solver.
    assert!(fy > 0.0 && (fx + 0.3 * fy).abs() < 1e-7 * fy, "force ({fx}, {fy}) N");
    assert!(last[column("base.vx")] < 1.0 && last[column("friction_dissipation")] > 0.0);
}

#[test]
fn the_resolved_case_gives_the_same_run() {
    let scene = Scene::new(BLOCK);
    let settings = ["step=5e-5", "bodies.block.spin=0.5"];
    let hash = hash_with(&scene, "out", &settings);
    let resolved = text(&scene.path("out/case.resolved.ron"));
    assert!(resolved.contains("on_failure") && resolved.contains("mass:"), "all defaults are written out: {resolved}");
    let again = Scene::new(&resolved);
    assert_eq!(hash_with(&again, "out", &[]), hash);
    assert_eq!(text(&again.path("out/case.resolved.ron")), resolved, "a resolved case resolves to itself");
}

#[test]
fn threads_change_nothing() {
    let scene = Scene::new(BLOCK);
    let mut found = Vec::new();
    for threads in ["1", "2", "5"] {
        run(&scene, threads, &["--threads", threads]);
        let m = manifest(&scene, threads);
        assert_eq!(m["threads"].to_string(), threads);
        found.push((m["state_hash"].clone(), text(&scene.path(threads).join("history.csv"))));
    }
    assert!(found.iter().all(|f| *f == found[0]), "results depend on the number of threads");
}

/// Every kind of path: at the top, in a list by name and by index, in an enum, a whole enum, a key that was absent.
/// Two ways to say the same give the same state to the last bit, and another state than the case unchanged.
#[test]
fn set_reaches_every_value() {
    let scene = Scene::new(BLOCK);
    let plain = hash_with(&scene, "plain", &[]);
    let check = |settings: &[&str], edits: &[(&str, &str)]| {
        let by_set = hash_with(&scene, "out", settings);
        std::fs::remove_dir_all(scene.path("out")).unwrap();
        let by_hand = hash_with(&Scene::new(&edited(BLOCK, edits)), "out", &[]);
        assert_eq!(by_set, by_hand, "{settings:?}");
        assert_ne!(by_set, plain, "{settings:?} changes nothing");
    };
    check(&["step=5e-5"], &[("step: 1e-4", "step: 5e-5")]);
    check(&["bodies.block.velocity=(2.0, 0.0)"], &[("velocity: (1.0", "velocity: (2.0")]);
    check(&["bodies[0].velocity=(2.0, 0.0)"], &[("velocity: (1.0", "velocity: (2.0")]);
    check(&["bodies.block.velocity[0]=2.0"], &[("velocity: (1.0", "velocity: (2.0")]);
    check(&["integrator.theta=1.0"], &[("theta: 0.6", "theta: 1.0")]);
    check(&["integrator=ThetaEuler(theta: 0.5)"], &[("Theta(theta: 0.6)", "ThetaEuler(theta: 0.5)")]);
    check(&["materials.rubber.law.young=2e7"], &[("young: 1.0e7", "young: 2e7")]);
    check(&["contacts.slide.law=Frictionless"], &[("SignoriniCoulomb(friction: 0.3)", "Frictionless")]);
    check(&["contacts.slide.law.friction=0.5"], &[("friction: 0.3", "friction: 0.5")]);
    check(&["loads[0].acceleration=(0.0, -20.0)"], &[("-9.81", "-20.0")]);
    check(&["bodies.block.mesh.refine=2"], &[("cells: (4, 2)", "cells: (8, 4)")]);
    // Several apply in their order, and the last one wins.
    check(&["step=1e-5", "step=2e-4"], &[("step: 1e-4", "step: 2e-4")]);
}

#[test]
fn force_replaces_results_and_leaves_the_rest() {
    let scene = Scene::new(BLOCK);
    run(&scene, "out", &["--set", "output.every=1"]);
    std::fs::write(scene.path("out/notes.txt"), "mine").unwrap();
    assert_eq!(std::fs::read_dir(scene.path("out/fields")).unwrap().count(), 21);
    run(&scene, "out", &["--force", "--set", "duration=1e-3"]);
    assert_eq!(manifest(&scene, "out")["steps"], 10);
    assert_eq!(text(&scene.path("out/history.csv")).lines().count(), 12);
    assert_eq!(std::fs::read_dir(scene.path("out/fields")).unwrap().count(), 3, "old frames are gone");
    assert_eq!(text(&scene.path("out/notes.txt")), "mine");
}

#[test]
fn the_usual_results_folder() {
    let scene = Scene::new(BLOCK);
    let done = scene.delassus(&["run", "case.ron"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(scene.path("results/case/manifest.json").is_file());
}

/// The reader of stdout has gone before anything is written: the run is none the worse for it.
#[test]
fn a_closed_pipe_is_no_failure() {
    let scene = Scene::new(BLOCK);
    for args in [&["run", "case.ron", "--out", "out"][..], &["check", "case.ron"]] {
        let mut child = scene.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{args:?}");
    }
    assert!(scene.path("out/manifest.json").is_file());
}

/// What was asked for on stdout is lost: that is told, with a code. A run is finished all the same.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_behind_stdout_is_a_failure() {
    let scene = Scene::new(BLOCK);
    let lost = |args: &[&str]| {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = scene.command(args).stdout(full).stderr(Stdio::piped()).output().unwrap();
        assert_eq!(output.status.code(), Some(5), "{args:?}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains("error[E1004]: standard output cannot be written"), "{args:?}: {said}");
    };
    lost(&["run", "case.ron", "--out", "out", "--json"]);
    assert!(scene.path("out/manifest.json").is_file());
    for args in [&["show", "out"][..], &["check", "case.ron"], &["explain", "E0101"]] {
        lost(args);
    }
}

/// A file that may not grow is an error with its name, not the end of the program by a signal; what was saved before goes on.
#[cfg(target_os = "linux")]
#[test]
fn a_limit_to_the_size_of_files_is_an_error_with_a_code() {
    let scene = Scene::new(BLOCK);
    let limited = |args: &str, blocks: usize| {
        let program = env!("CARGO_BIN_EXE_delassus");
        // Blocks of 512 bytes.
        let script = format!("ulimit -f {blocks}; exec '{program}' {args}");
        let output =
            std::process::Command::new("sh").args(["-c", &script]).current_dir(scene.path("")).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, said) = limited("run case.ron --out out --quiet", 4);
    assert_eq!(code, Some(5), "{said}");
    assert!(said.contains("error[E0802]") && said.contains("out/"), "{said}");
    let done = scene.delassus(&["run", "case.ron", "--out", "out", "--force"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
}

#[test]
fn check_tells_sizes_and_times_and_writes_nothing() {
    let scene = Scene::new(BLOCK);
    let done = scene.delassus(&["check", "case.ron", "--set", "bodies.plank.mesh.refine=2"]);
    assert_eq!((done.code, done.stderr.as_str()), (0, ""));
    assert_eq!(std::fs::read_dir(scene.path("")).unwrap().count(), 1, "only the case is there");
    for piece in [
        "body `block`: 15 nodes, 8 cells, 30 dofs (0 prescribed), mass 1.0000e1 kg",
        "body `plank`: 33 nodes, 20 cells, 66 dofs (22 prescribed), mass 3.9000e2 kg",
        // √((λ + 2μ)/ρ) for E = 1e7 Pa, ν = 0.3, ρ = 1000 kg/m³.
        "shortest edge 5.0000e-2 m, fastest wave 1.1602e2 m/s, crossing time 4.309e-4 s",
        "contact `slide`: 5 candidates of `block` against 10 facets of `plank`",
        "contact `slide`: touching at",
        "contact `stop`: smallest initial gap 1.000e-1 m",
        "96 dofs in total",
        "20 steps of h = 1.0000e-4 s",
        "suggested step for impacts: about ",
        "no problem found",
    ] {
        assert!(done.stdout.contains(piece), "no `{piece}` in\n{}", done.stdout);
    }
}

/// The case of the guide: two bars, with pictures against the exact solution.
#[test]
fn bars_with_pictures() {
    let scene = Scene::new(BARS);
    let done = run(&scene, "out", &[]);
    assert!(done.stdout.contains("against the exact solution") && !done.stdout.contains("FAIL"), "{}", done.stdout);
    let header = text(&scene.path("out/history.csv")).lines().next().unwrap().to_owned();
    assert!(header.starts_with(&format!("{COLUMNS},")), "{header}");
    for column in ["faces.force_x", "left_face.vx", "left_face.vx.exact"] {
        assert!(header.split(',').any(|c| c == column), "no {column} in {header}");
    }
    for (picture, curves) in
        [("contact-velocity.svg", &["left_face.vx", "right_face.vx"][..]), ("contact-force.svg", &["faces.force_x"])]
    {
        let svg = text(&scene.path("out").join(picture));
        check_well_formed(&svg);
        for label in curves.iter().chain(&["exact"]) {
            assert!(svg.contains(&format!(">{label}</text>")), "{picture}: no label {label}");
        }
        // A computed and an exact curve each, with a point per step.
        let long = svg.lines().filter(|l| l.starts_with("<path d=\"M") && l.matches('L').count() >= 89).count();
        assert_eq!(long, 2 * curves.len(), "{picture}");
    }
}

/// Every element is closed, in order, every attribute is quoted, and there is one root.
fn check_well_formed(xml: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut roots = 0;
    let mut rest = xml;
    while let Some(start) = rest.find('<') {
        assert!(!rest[..start].contains('>'), "a stray `>` before {:?}", &rest[start..rest.len().min(start + 40)]);
        let end = start + rest[start..].find('>').unwrap();
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if tag.starts_with(['?', '!']) {
            continue;
        }
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name.trim()));
            continue;
        }
        assert!(!tag.contains('<') && tag.matches('"').count().is_multiple_of(2), "{tag}");
        roots += usize::from(open.is_empty());
        if !tag.ends_with('/') {
            open.push(tag.split_whitespace().next().unwrap());
        }
    }
    assert!(open.is_empty() && roots == 1, "{open:?} left open, {roots} roots");
}

/// `cargo run -- run CASE`, as the README has it, works only while one of the default members is a program.
#[test]
fn the_readmes_command_means_this_program() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let manifest = std::fs::read_to_string(root.join("Cargo.toml")).unwrap();
    let list = manifest.split("default-members = [").nth(1).and_then(|rest| rest.split(']').next()).unwrap();
    let members: Vec<&str> = list.split('"').skip(1).step_by(2).collect();
    assert!(members.len() >= 8 && members.iter().all(|m| root.join(m).join("Cargo.toml").is_file()), "{members:?}");
    let programs: Vec<&&str> = members.iter().filter(|m| root.join(m).join("src/main.rs").is_file()).collect();
    assert_eq!(programs, [&"crates/delassus-cli"]);
}
