//! Mistakes on the command line: sub-commands, options, `--set`, the results folder.

use super::{BLOCK, FILES, INPUT, Scene, check_message, listing};

/// Arguments after `run case.ron --out out`, and what the message has to say.
const ROWS: &[(&[&str], &str)] = &[
    (
        &["--set", "bodies.blok.velocity=(0.0, 0.0)"],
        "E0212 | --set bodies.blok.velocity=(0.0, 0.0): | no item `blok` | did you mean `block`?",
    ),
    (&["--set", "bodies[7].velocity=(0.0, 0.0)"], "E0213 | no item [7] in `bodies`: it has 2"),
    (&["--set", "step.x=1"], "E0215 | --set step.x=1: | cannot go to `x` in `step` | the number `1e-4`"),
    (&["--set", "a..b=1"], "E0211 | `a..b` is not a path | a key is empty"),
    (&["--set", "stepp=1"], "E0121 | no field `stepp` | did you mean `step`?"),
    (
        &["--set", "outptu.every=1"],
        "E0212 | --set outptu.every=1: | no key `outptu` at the top | did you mean `output`?",
    ),
    (
        &["--set", "bodies.plank.damping.gamma=1"],
        "E0121 | bodies.plank.damping.gamma: no field `gamma` | value given by --set bodies.plank.damping.gamma=1",
    ),
    (&["--set", "bodies.plank.damping.beta=-1.0"], "E0307 | value given by --set bodies.plank.damping.beta=-1.0"),
    (&["--set", "step=(1"], "E0203 | --set step=(1: | `(1` is not well formed | never closed"),
    (&["--set", "step="], "E0203 | --set step=: | it is empty"),
    (&["--set", "step=1e-4, duration: 1.0"], "E0203 | not well formed | ',' follows the end"),
    (&["--set", "step=\"a\""], "E0125 | case.ron:44:11: step: | a number | value given by --set step=\"a\""),
    (&["--set", "step=-1.0"], "E0305 | case.ron:44:11: step: | step = -1 | value given by --set step=-1.0"),
    (&["--set", "step"], "E0201 | --set step: expected PATH=VALUE, such as `step=1e-4`"),
    (&["--set", "=1"], "E0202 | --set =1: there is no path before `=`"),
    (&["--set"], "--set <PATH=VALUE>"),
    (&["--threads", "0"], "'0' for '--threads <N>' | 1..=1024"),
    (&["--threads", "many"], "'many' for '--threads <N>'"),
    (&["--threads", "-1"], "'-1'"),
    (&["--thread", "2"], "'--thread' | '--threads'"),
    (&["second.ron"], "unexpected argument 'second.ron'"),
    (&["--out", "elsewhere"], "'--out <DIR>' cannot be used multiple times"),
];

#[test]
fn options_of_run() {
    for (args, says) in ROWS {
        let scene = Scene::new(BLOCK);
        let all = [&["run", "case.ron", "--out", "out"][..], args].concat();
        check_message(&args.join(" "), &scene.delassus(&all), INPUT, says);
        assert_eq!(listing(&scene), ["case.ron"], "{args:?}: something was written");
    }
}

#[test]
fn sub_commands() {
    let scene = Scene::new(BLOCK);
    check_message("unknown", &scene.delassus(&["rnu", "case.ron"]), INPUT, "'rnu' | Usage: delassus");
    check_message("no case", &scene.delassus(&["run"]), INPUT, "<CASE>");
    check_message("check writes nothing", &scene.delassus(&["check", "case.ron", "--out", "out"]), INPUT, "'--out'");
    let bare = scene.delassus(&[]);
    assert_eq!(bare.code, INPUT);
    assert!(bare.stderr.contains("Usage: delassus") && bare.stderr.contains("check"), "{}", bare.stderr);
    assert_eq!(listing(&scene), ["case.ron"]);
}

/// The results folder cannot be made: a file is there, a file is above it, or the system refuses.
#[test]
fn places_where_nothing_can_be_written() {
    let scene = Scene::new(BLOCK);
    let run = |out: &str| scene.delassus(&["run", "case.ron", "--out", out]);
    check_message("a file", &run("case.ron"), FILES, "E0802 | cannot create `case.ron`");
    check_message("below a file", &run("case.ron/out"), FILES, "E0802 | cannot create `case.ron/out`");
    if cfg!(target_os = "linux") {
        check_message(
            "no place for files",
            &run("/proc/delassus/out"),
            FILES,
            "E0802 | cannot create `/proc/delassus/out`",
        );
    }
    assert_eq!(std::fs::read_to_string(scene.path("case.ron")).unwrap(), BLOCK);
    assert_eq!(listing(&scene), ["case.ron"]);
}

/// Files that are named like results but were made by nobody knows whom are not replaced.
#[test]
fn a_folder_that_no_run_made() {
    let scene = Scene::new(BLOCK);
    std::fs::create_dir(scene.path("out")).unwrap();
    std::fs::write(scene.path("out/history.csv"), "mine").unwrap();
    let done = scene.delassus(&["run", "case.ron", "--out", "out", "--force"]);
    check_message("not results", &done, FILES, "E0804 | no run made it | --out DIR");
    assert_eq!(std::fs::read_to_string(scene.path("out/history.csv")).unwrap(), "mine");
}

#[test]
fn explanations() {
    let scene = Scene::new(BLOCK);
    for code in ["E0361", "e0361", "361"] {
        let done = scene.delassus(&["explain", code]);
        assert_eq!((done.code, done.stderr.as_str()), (0, ""));
        assert!(done.stdout.starts_with("E0361: a parameter of the integrator") && done.stdout.contains("right:"));
    }
    let list = scene.delassus(&["explain"]);
    assert!(list.code == 0 && list.stdout.contains("\n  E0801  the case file does not exist\n"), "{}", list.stdout);
    let unknown = scene.delassus(&["explain", "E9999"]);
    check_message("no code", &unknown, INPUT, "E1003 | no error code `E9999` | `delassus explain` lists them");
}

/// Earlier results stay as they are, to the last byte.
#[test]
fn a_folder_with_results() {
    let scene = Scene::new(BLOCK);
    let run = ["run", "case.ron", "--out", "out"];
    assert_eq!(scene.delassus(&run).code, 0);
    let manifest = std::fs::read(scene.path("out/manifest.json")).unwrap();
    check_message(
        "occupied",
        &scene.delassus(&run),
        FILES,
        "E0803 | `out` holds results already | --force | --out DIR",
    );
    assert_eq!(std::fs::read(scene.path("out/manifest.json")).unwrap(), manifest);
    // A case that is wrong does not cost the results of the right one, even with --force.
    let wrong = scene.delassus(&["run", "case.ron", "--out", "out", "--force", "--set", "step=0.0"]);
    check_message("wrong case", &wrong, INPUT, "E0305 | step = 0 must be positive");
    assert_eq!(std::fs::read(scene.path("out/manifest.json")).unwrap(), manifest);
}
