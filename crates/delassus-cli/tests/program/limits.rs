//! What is asked of the machine, what is read, and what is repeated of it: bounded, with codes.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails by panicking")]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{BLOCK, Done, Scene};

/// A word that stands in files which are not what they should be, and in no message.
const SECRET: &str = "sesame-7f3a";

/// A strip whose lower side lies on the ground: `cells` + 1 contacts.
fn strip(cells: usize) -> String {
    format!(
        r#"(
    title: "A strip on the ground",
    kinematics: SmallStrain,
    materials: [(name: "rubber", density: 1000.0, law: KelvinVoigt(young: 1e6, poisson: 0.3))],
    bodies: [(
        name: "strip", mesh: Rectangle(corner: (0.0, 0.0), size: (1.0, 0.01), cells: ({cells}, 1)), material: "rubber",
    )],
    obstacles: [(name: "floor", shape: HalfPlane(point: (0.0, 0.0), normal: (0.0, 1.0)))],
    contacts: [(
        name: "ground", candidates: (body: "strip", group: "bottom"), antagonists: Obstacle("floor"),
        law: SignoriniCoulomb(friction: 0.3),
    )],
    integrator: Theta(theta: 0.6), step: 1e-4, duration: 3e-4,
)"#
    )
}

/// The block with its mesh, or a curve to compare with, from a file.
fn with_mesh(file: &str) -> String {
    crate::common::edited(
        &strip(4),
        &[("Rectangle(corner: (0.0, 0.0), size: (1.0, 0.01), cells: (4, 1))", &format!("File(\"{file}\")"))],
    )
}

fn with_reference(file: &str) -> String {
    let verify = format!(
        "duration: 3e-4,\n verify: (references: [(column: \"kinetic_energy\", curve: Csv(file: \"{file}\", time: \"t\", value: \"u\"))]),"
    );
    crate::common::edited(&strip(4), &[("duration: 3e-4,", &verify)])
}

/// Waits for the end, but not for ever: what waits for a pipe that nobody writes is a failure.
fn ended(mut command: Command) -> Done {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let begin = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begin.elapsed() > Duration::from_secs(60) {
            // Its exit code is then none.
            child.kill().unwrap();
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().unwrap();
    Done {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

fn check_told(done: &Done, exit: i32, pieces: &[&str]) {
    assert_eq!(done.code, exit, "{done:?}");
    for piece in pieces {
        assert!(done.stderr.contains(piece), "no `{piece}` in {}", done.stderr);
    }
}

fn make_pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[cfg(unix)]
#[test]
fn devices_pipes_and_folders_are_refused_by_every_reader() {
    let scene = Scene::new(&strip(4));
    make_pipe(&scene.path("pipe"));
    std::fs::create_dir(scene.path("folder")).unwrap();
    for (file, word) in [("/dev/zero", "a device"), ("pipe", "a pipe (FIFO)"), ("folder", "a folder")] {
        let pieces = ["error[E0922]", &format!("it is {word};")];
        check_told(&ended(scene.command(&["check", file])), 5, &pieces);
        check_told(&ended(scene.command(&["solve", file])), 5, &pieces);
        for case in [with_mesh(file), with_reference(file)] {
            std::fs::write(scene.path("case.ron"), case).unwrap();
            check_told(&ended(scene.command(&["check", "case.ron"])), 5, &pieces);
        }
    }
    std::fs::write(scene.path("case.ron"), with_mesh("/dev/random")).unwrap();
    check_told(&ended(scene.command(&["run", "case.ron"])), 5, &["error[E0922]", "it is a device"]);
    // A finished run whose history is a pipe.
    let done = Scene::new(&strip(4));
    assert_eq!(done.delassus(&["run", "case.ron", "--out", "out", "--quiet"]).code, 0);
    std::fs::remove_file(done.path("out").join("history.csv")).unwrap();
    make_pipe(&done.path("out").join("history.csv"));
    for command in ["show", "report"] {
        check_told(&ended(done.command(&[command, "out"])), 5, &["error[E0922]", "history.csv", "a pipe (FIFO)"]);
    }
}

#[test]
fn files_that_are_too_large_are_not_read() {
    let scene = Scene::new(&strip(4));
    // Holes take no room on the disk.
    let hole = |name: &str, size: u64| std::fs::File::create(scene.path(name)).unwrap().set_len(size).unwrap();
    hole("huge", 1 << 40);
    let pieces = ["error[E0923]", "it has 1.10 TB; "];
    for command in ["check", "solve"] {
        check_told(&ended(scene.command(&[command, "huge"])), 5, &pieces);
    }
    for case in [with_mesh("huge"), with_reference("huge")] {
        std::fs::write(scene.path("case.ron"), case).unwrap();
        check_told(&ended(scene.command(&["check", "case.ron"])), 5, &pieces);
    }
    // A mesh that may be read, but not here.
    hole("large.msh", 4 << 30);
    std::fs::write(scene.path("case.ron"), with_mesh("large.msh")).unwrap();
    let pieces = ["error[E0920]", "large.msh", "needs about 4.3", "500.0 MB is available (--memory-limit)"];
    check_told(&ended(scene.command(&["check", "case.ron", "--memory-limit", "500MB"])), 71, &pieces);
}

fn piped(scene: &Scene, args: &[&str], input: &[u8]) -> Done {
    let mut command = scene.command(args);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A reader that has had enough closes the pipe.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    Done {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

#[test]
fn standard_input_is_read_up_to_the_bound() {
    let scene = Scene::new(&strip(4));
    let named = scene.delassus(&["check", "case.ron"]);
    let read = piped(&scene, &["check", "-"], strip(4).as_bytes());
    assert_eq!((read.code, &read.stdout), (0, &named.stdout), "{read:?}");
    let json = scene.delassus(&["check", "case.ron", "--to-json"]).stdout;
    assert_eq!(piped(&scene, &["check", "-"], json.as_bytes()).stdout, named.stdout);
    let wrong = piped(&scene, &["check", "-"], strip(4).replace("step: 1e-4", "step: -1.0").as_bytes());
    check_told(&wrong, 2, &["error[E0305]: stdin:"]);
    let run = piped(&scene, &["run", "-", "--quiet"], strip(4).as_bytes());
    assert_eq!(run.code, 0, "{run:?}");
    assert!(scene.path("results/stdin/manifest.json").is_file());
    let endless = piped(&scene, &["check", "-"], &vec![b' '; 65_000_000]);
    check_told(&endless, 5, &["error[E0923]", "it has no end, or grows while it is read; a case has at most 64.0 MB"]);
    let problem =
        std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../delassus-fclib/tests/data/plane-rows.hdf5"));
    assert_eq!(piped(&scene, &["solve", "-"], &problem.unwrap()).code, 0);
}

/// 801 contacts: W takes half of 801² blocks of 32 bytes, three times: 30.8 MB.
#[test]
fn a_case_that_needs_more_than_there_is_is_refused_before_it_starts() {
    let scene = Scene::new(&strip(800));
    let pieces = [
        "error[E0920]: this run (bodies ",
        "W of the 801 contacts that touch at the start 30.8 MB",
        "30.0 MB is available (--memory-limit)",
        "W grows with the square of the contacts",
    ];
    for command in ["check", "run"] {
        check_told(&scene.delassus(&[command, "case.ron", "--memory-limit", "30MB"]), 71, &pieces);
    }
    assert!(!scene.path("results").exists(), "something was written");
    for limit in ["1GB", "none"] {
        assert_eq!(scene.delassus(&["check", "case.ron", "--memory-limit", limit]).code, 0, "{limit}");
    }
    assert_eq!(scene.delassus(&["check", "case.ron", "--memory-limit", "much"]).code, 2);
    // The same strip a little above the ground: nothing touches yet, and check says what would come.
    let above = ["check", "case.ron", "--set", "bodies.strip.translation=(0.0, 1e-6)", "--memory-limit", "60MB"];
    let above = scene.delassus(&above);
    assert_eq!(above.code, 0, "{above:?}");
    assert!(
        above.stdout.contains("advice: with all candidates in contact at once the run would need "),
        "{}",
        above.stdout
    );
    assert!(above.stdout.contains("60.0 MB is available: it would stop with E0920"), "{}", above.stdout);
}

#[cfg(target_os = "linux")]
fn limited(scene: &Scene, kilobytes: usize, args: &[&str]) -> Done {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("ulimit -v {kilobytes} && exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_delassus")]);
    shell.args(args).current_dir(scene.path(""));
    ended(shell)
}

#[cfg(target_os = "linux")]
#[test]
fn limits_of_the_process_are_known_and_an_allocation_that_fails_has_a_code() {
    let scene = Scene::new(&strip(3000));
    // W takes 432 MB.
    let told = limited(&scene, 400_000, &["check", "case.ron"]);
    check_told(&told, 71, &["error[E0920]", "(the limit of the process on address space, `ulimit -v`)"]);
    // Whoever knows better is believed, until the system gives no more.
    let told = limited(&scene, 400_000, &["run", "case.ron", "--memory-limit", "none", "--threads", "1"]);
    check_told(&told, 71, &["error[E0921]: out of memory: ", "for more: delassus explain E0921"]);
}

/// 400 threads have stacks of 800 MB.
#[cfg(target_os = "linux")]
#[test]
fn fewer_threads_than_asked_for_do_the_same_work() {
    let scene = Scene::new(BLOCK);
    let hash = |out: &str| {
        let text = std::fs::read_to_string(scene.path(out).join("manifest.json")).unwrap();
        serde_json::from_str::<serde_json::Value>(&text).unwrap()["state_hash"].as_str().unwrap().to_owned()
    };
    assert_eq!(scene.delassus(&["run", "case.ron", "--out", "all", "--threads", "2"]).code, 0);
    let few = limited(&scene, 600_000, &["run", "case.ron", "--out", "few", "--threads", "400", "--no-progress"]);
    assert_eq!(few.code, 0, "{few:?}");
    assert_eq!(few.stderr.matches(" instead of 400: the system starts no more").count(), 1, "{}", few.stderr);
    assert_eq!(hash("few"), hash("all"));
}

/// Every reader is given a text that is not of its format; no message has a word of it.
#[test]
fn nothing_is_shown_of_a_file_that_is_something_else() {
    let scene = Scene::new(&strip(4));
    let secrets = [
        format!("{SECRET}:*:19000:0:99999:7:::\n"),
        format!("${SECRET}\nroot\n"),
        format!("(password: \"{SECRET}\")"),
        format!("{{\"password\": \"{SECRET}\", \"dimension\": \"{SECRET}\"}}"),
        format!("\"{SECRET}\""),
        format!("time,{SECRET}\n{SECRET},{SECRET}\n"),
        format!("t,u\n{SECRET},{SECRET}\n"),
        format!("// {SECRET}"),
    ];
    let hidden = |done: &Done, what: &str| {
        assert_ne!(done.code, 0, "{what}");
        let told = format!("{}{}", done.stdout, done.stderr);
        assert!(told.contains("error[E"), "{what}: {told}");
        assert!(!told.contains(SECRET), "{what}: {told}");
    };
    for secret in &secrets {
        for name in ["secret", "secret.json"] {
            std::fs::write(scene.path(name), secret).unwrap();
            let done = scene.delassus(&["check", name]);
            hidden(&done, "a case");
            assert!(done.stderr.starts_with("error[E0927]: "), "{}", done.stderr);
            hidden(&scene.delassus(&["solve", name]), "a contact problem");
        }
        std::fs::write(scene.path("mesh.ron"), with_mesh("secret")).unwrap();
        hidden(&scene.delassus(&["check", "mesh.ron"]), "a mesh");
        std::fs::write(scene.path("reference.ron"), with_reference("secret")).unwrap();
        // A table that has the columns asked for is a table.
        if !secret.starts_with("t,u") {
            hidden(&scene.delassus(&["check", "reference.ron"]), "a table");
        }
    }
    assert_eq!(scene.delassus(&["run", "case.ron", "--out", "out", "--quiet"]).code, 0);
    for file in ["manifest.json", "status.json", "history.csv", "case.resolved.ron", "fields.pvd", "contacts.pvd"] {
        let path = scene.path("out").join(file);
        let good = std::fs::read(&path).unwrap();
        for secret in &secrets[3..6] {
            std::fs::write(&path, secret).unwrap();
            hidden(&scene.delassus(&["show", "out"]), &format!("{file}: {secret}"));
        }
        std::fs::write(&path, good).unwrap();
    }
    assert_eq!(scene.delassus(&["show", "out"]).code, 0);
}

/// However long the input is, at most 200 characters of it come back.
#[test]
fn little_of_an_input_is_repeated() {
    let long = "z".repeat(5000);
    let spaced = "z ".repeat(5000);
    let scene = Scene::new("");
    let short = |done: &Done, what: &str| {
        assert!(done.code != 0 && done.stderr.contains("error["), "{what}: {done:?}");
        for line in done.stderr.lines() {
            // An assignment or a key, and what is said of it: 200 each.
            let z = line.matches('z').count();
            assert!(z <= 410, "{what}: {z} characters of it in {line}");
        }
    };
    let edits = [
        ("a key", "step: 1e-4", format!("{long}: 1, step: 1e-4")),
        ("a name", "name: \"strip\"", format!("name: \"{long}\"")),
        ("a name of words", "name: \"strip\"", format!("name: \"{spaced}\"")),
        ("a material", "material: \"rubber\"", format!("material: \"{spaced}\"")),
        ("a variant", "Theta(theta: 0.6)", format!("{long}(theta: 0.6)")),
        ("a string for a number", "step: 1e-4", format!("step: \"{spaced}\"")),
        ("a number", "step: 1e-4", format!("step: {}z", "9".repeat(5000))),
        ("a file", "Rectangle(corner: (0.0, 0.0), size: (1.0, 0.01), cells: (4, 1))", format!("File(\"{spaced}\")")),
        ("a group", "group: \"bottom\"", format!("group: \"{spaced}\"")),
    ];
    for (what, from, to) in &edits {
        let case = crate::common::edited(&strip(4), &[(from, to)]);
        std::fs::write(scene.path("case.ron"), &case).unwrap();
        short(&scene.delassus(&["check", "case.ron"]), what);
    }
    std::fs::write(scene.path("case.ron"), strip(4)).unwrap();
    for set in [format!("{long}=1"), format!("step=\"{spaced}\""), format!("bodies.{long}.mesh=1"), spaced.clone()] {
        short(&scene.delassus(&["check", "case.ron", "--set", &set]), "--set");
    }
    short(&scene.delassus(&["explain", &long]), "explain");
    short(&scene.delassus(&["show", &"z".repeat(4000)]), "show");
    let problem = format!("{{\"dimension\": 2, \"operator\": \"{spaced}\"}}");
    std::fs::write(scene.path("problem.json"), problem).unwrap();
    short(&scene.delassus(&["solve", "problem.json"]), "solve");
    std::fs::write(scene.path("case.ron"), with_reference("table.csv")).unwrap();
    std::fs::write(scene.path("table.csv"), format!("{long},{}\n0,1\n1,2\n", "zz,".repeat(3000))).unwrap();
    short(&scene.delassus(&["check", "case.ron"]), "columns of a table");
    std::fs::write(scene.path("table.csv"), format!("t,u\n0,1\n{long},2\n")).unwrap();
    short(&scene.delassus(&["check", "case.ron"]), "a cell of a table");
}
