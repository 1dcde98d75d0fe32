//! Studies of a mass on a spring, whose solution is known: x = sin t, v = cos t.

use std::path::{Path, PathBuf};

use delassus_error::{Coded, Failure, Interrupt};
use delassus_run::lock::{Holder, Lock};
use delassus_run::run::{Monitor, Silent};

use super::*;

/// Nobody; may stop the run after some steps.
struct Quiet {
    stop: Option<(usize, Interrupt)>,
    kept: Vec<bool>,
}

struct Stopper(usize, Interrupt);

impl Monitor for Stopper {
    fn started(&mut self, _: &str, _: usize) {}
    fn progressed(&mut self, done: usize, _: f64) {
        if done >= self.0 {
            self.1.raise();
        }
    }
    fn message(&mut self, _: &str) {}
    fn ended(&mut self) {}
}

impl StudyWatcher for Quiet {
    fn planned(&mut self, _: &[PlannedLevel]) {}
    fn started(&mut self, _: usize, _: usize, _: Option<f64>) {}
    fn monitor(&mut self) -> Box<dyn Monitor> {
        match &self.stop {
            Some((steps, flag)) => Box::new(Stopper(*steps, flag.clone())),
            None => Box::new(Silent),
        }
    }
    fn ended(&mut self, level: &StudiedLevel) {
        self.kept.push(level.kept);
    }
}

/// The oscillator with a step of 0.1 s, this θ and this `verify` block.
fn write_case(folder: &Path, theta: f64, verify: &str) -> PathBuf {
    let text = include_str!("../oscillator.ron");
    let (head, _) = text.split_once("    verify: (").unwrap();
    let head = head.replacen("step: 0.01", "step: 0.1", 1).replacen("theta: 0.5", &format!("theta: {theta}"), 1);
    assert!(head.contains("step: 0.1,") && head.contains(&format!("theta: {theta}")));
    let path = folder.join("case.ron");
    std::fs::write(&path, format!("{head}    verify: ({verify}),\n)\n")).unwrap();
    path
}

fn options(folder: &Path, levels: usize) -> StudyOptions {
    StudyOptions {
        refinement: Refinement { step: true, mesh: false },
        levels,
        settings: Vec::new(),
        quantities: Vec::new(),
        out: folder.join("study"),
        force: false,
        threads: Some(1),
        stop: Interrupt::never(),
    }
}

fn study(path: &Path, options: &StudyOptions) -> Result<(CaseStudy, Vec<bool>), SuiteError> {
    let mut quiet = Quiet { stop: None, kept: Vec::new() };
    study_case(path, options, &mut quiet).map(|study| (study, quiet.kept))
}

const REFERENCES: &str = r#"references: [
    (column: "mass.ux", curve: Expression("sin(t)"), norm: L2, tolerance: 0.05),
    (column: "mass.vx", curve: Expression("cos(t)")),
]"#;

fn order(study: &CaseStudy, name: &str, kind: FollowedKind) -> f64 {
    let found = study.followed.iter().find(|f| f.name == name && f.kind == kind);
    found.unwrap_or_else(|| panic!("no {name} {kind:?} in {:?}", study.followed)).order.unwrap()
}

/// The θ-method has order 2 at θ = ½ and order 1 else; with references and without, for the two follow the same errors. The orders of
/// the last two of five levels, where h = 0.0125 and 0.00625, are off by O(h).
#[test]
fn orders_of_the_theta_method_with_and_without_reference() {
    for (theta, expected) in [(0.5, 2.0), (1.0, 1.0)] {
        let dir = tempfile::tempdir().unwrap();
        let known = study(&write_case(dir.path(), theta, REFERENCES), &options(dir.path(), 5)).unwrap().0;
        assert_eq!(known.levels.len(), 5);
        assert!(known.levels.windows(2).all(|w| (w[0].steps * 2, w[0].step) == (w[1].steps, 2.0 * w[1].step)));
        let dir = tempfile::tempdir().unwrap();
        let unknown = study(&write_case(dir.path(), theta, ""), &options(dir.path(), 5)).unwrap().0;
        for column in ["mass.ux", "mass.vx"] {
            let found = order(&known, column, FollowedKind::Error);
            assert!((found - expected).abs() < 0.02, "θ = {theta}, {column}: {found}");
            for kind in [FollowedKind::Curve, FollowedKind::Value] {
                let found = order(&unknown, column, kind);
                assert!((found - expected).abs() < 0.03, "θ = {theta}, {column} {kind:?}: {found}");
            }
        }
        // The extrapolated value is ten times nearer to the exact one than that of the finest level.
        let at_end = unknown.followed.iter().find(|f| f.name == "mass.ux" && f.kind == FollowedKind::Value).unwrap();
        let (last, exact) = (at_end.values[4], 2_f64.sin());
        let rest = (at_end.extrapolated.unwrap() - exact).abs();
        assert!(rest < 0.1 * (last - exact).abs(), "{rest:e} of {:e}", last - exact);
        // mass.uy does not move and is not followed.
        assert!(unknown.followed.iter().all(|f| !f.name.ends_with('y')), "{:?}", unknown.followed);
    }
}

/// A wrong curve has an error that does not fall, and fails its check at every level.
#[test]
fn a_wrong_reference_has_no_order() {
    let dir = tempfile::tempdir().unwrap();
    let wrong = REFERENCES.replacen("sin(t)", "1.2*sin(t)", 1);
    let found = study(&write_case(dir.path(), 0.5, &wrong), &options(dir.path(), 3)).unwrap().0;
    assert!(order(&found, "mass.ux", FollowedKind::Error).abs() < 0.1);
    assert!(found.levels.iter().all(|l| l.checks == [0, 1] && l.verdict != "Pass"), "{:?}", found.levels);
}

#[test]
fn finished_levels_are_kept_while_nothing_has_changed() {
    let dir = tempfile::tempdir().unwrap();
    let csv = r#"references: [(column: "mass.ux", curve: Csv(file: "exact.csv", time: "t", value: "x"))]"#;
    let rows: Vec<String> = (0..=200).map(|k| 0.01 * f64::from(k)).map(|t| format!("{t},{}", t.sin())).collect();
    std::fs::write(dir.path().join("exact.csv"), format!("t,x\n{}\n", rows.join("\n"))).unwrap();
    let path = write_case(dir.path(), 0.5, csv);
    let first = study(&path, &options(dir.path(), 2)).unwrap();
    assert_eq!(first.1, [false, false]);
    // One level more: the others are there.
    let more = study(&path, &options(dir.path(), 3)).unwrap();
    assert_eq!(more.1, [true, true, false]);
    assert_eq!(more.0.followed[0].values[..2], first.0.followed[0].values[..]);
    // Another file under the same name, and another case, are refused; --force runs them.
    let other = std::fs::read_to_string(dir.path().join("exact.csv")).unwrap().replacen("t,x\n0,0", "t,x\n0,1", 1);
    std::fs::write(dir.path().join("exact.csv"), other).unwrap();
    let refused = study(&path, &options(dir.path(), 2)).unwrap_err();
    assert_eq!((refused.code().as_str(), refused.exit_code()), ("E0913", 5), "{refused}");
    let changed = StudyOptions { settings: vec!["duration=1.0".to_owned()], ..options(dir.path(), 2) };
    assert_eq!(study(&path, &changed).unwrap_err().code().as_str(), "E0913");
    let forced = study(&path, &StudyOptions { force: true, ..changed }).unwrap();
    assert!(forced.1 == [false, false] && forced.0.levels[1].steps == 20);
}

/// Lines before and after the interruption at 1.5 s: the first one must be found again in its file.
#[test]
fn an_interrupted_study_goes_on() {
    let line = |name: &str, time: f64| {
        format!(
            r#"(name: "{name}", of: Body(body: "cell", field: Ux), from: (0, 0.5), to: (100, 0.5), samples: 5, time: {time},
            curve: Expression("0.01*x*sin(t)"), tolerance: 0.01)"#
        )
    };
    let verify = format!("{REFERENCES}, lines: [{}, {}]", line("early", 0.72), line("late", 1.9));
    let straight = tempfile::tempdir().unwrap();
    let whole = study(&write_case(straight.path(), 0.5, &verify), &options(straight.path(), 2)).unwrap().0;
    assert!(whole.levels.iter().all(|l| l.checks == [3, 3]), "{:?}", whole.levels);
    let dir = tempfile::tempdir().unwrap();
    let path = write_case(dir.path(), 0.5, &verify);
    let options = options(dir.path(), 2);
    let stop = Interrupt::new();
    // Level 1 has 20 steps, so that it is level 2 that stops at 30.
    let mut stopped = Quiet { stop: Some((30, stop.clone())), kept: Vec::new() };
    let error = study_case(&path, &StudyOptions { stop, ..options.clone() }, &mut stopped).unwrap_err();
    assert_eq!((error.code().as_str(), error.exit_code()), ("E0914", 130), "{error}");
    assert!(error.to_string().contains("level 2 of 2, after step 30 of 40"), "{error}");
    let (resumed, kept) = study(&path, &options).unwrap();
    assert_eq!(kept, [true, false]);
    for file in ["history.csv", "line-1.csv", "line-2.csv", "line-1.svg", "line-2.svg", "reference-1.svg"] {
        let read = |folder: &Path| std::fs::read(folder.join("study/level-2").join(file)).unwrap();
        assert!(read(straight.path()) == read(dir.path()), "{file}");
    }
    // The step nearest to 0.72 s of those of 0.05 s.
    let early = std::fs::read_to_string(dir.path().join("study/level-2/line-1.csv")).unwrap();
    let time: f64 = early.lines().nth(1).unwrap().split(',').next().unwrap().parse().unwrap();
    assert!((time - 0.7).abs() < 1e-9, "{early}");
    for (a, b) in whole.followed.iter().zip(&resumed.followed) {
        let bits = |f: &Followed| f.values.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(a), bits(b), "{}", a.name);
    }
}

#[test]
fn only_generated_meshes_can_be_refined_and_only_columns_followed() {
    let dir = tempfile::tempdir().unwrap();
    let path = write_case(dir.path(), 0.5, REFERENCES);
    let both = Refinement { step: true, mesh: true };
    let unknown = StudyOptions { quantities: vec!["final:mass.uz".to_owned()], ..options(dir.path(), 2) };
    let error = study(&path, &unknown).unwrap_err();
    assert_eq!((error.code().as_str(), error.exit_code()), ("E0912", 2), "{error}");
    let asked = ["check:none", "curve:mass", "nothing"].map(|q| vec![q.to_owned()]);
    for quantities in asked {
        assert!(study(&path, &StudyOptions { quantities, ..options(dir.path(), 2) }).is_err());
    }
    let settings = vec![r#"bodies.cell.mesh=File("cell.msh")"#.to_owned()];
    let error = study(&path, &StudyOptions { refinement: both, settings, ..options(dir.path(), 2) }).unwrap_err();
    assert_eq!((error.code().as_str(), error.exit_code()), ("E0911", 2), "{error}");
    assert!(error.to_string().contains("body `cell`") && !dir.path().join("study").exists(), "{error}");
    // Refined, the one cell becomes four, and the step half; a duration of 2.05 s is 21 steps, and so 2.1 s at both levels.
    let settings = vec!["duration=2.05".to_owned()];
    let options =
        StudyOptions { refinement: both, settings, quantities: vec!["mass.vx".into()], ..options(dir.path(), 2) };
    let found = study(&path, &options).unwrap().0;
    assert_eq!(found.levels.iter().map(|l| (l.dofs, l.steps)).collect::<Vec<_>>(), [(8, 21), (18, 42)]);
    assert_eq!(found.levels[1].settings, ["duration=2.1", "step=0.05", "bodies[0].mesh.refine=2"]);
    assert!(found.followed.len() == 1 && found.followed[0].kind == FollowedKind::Error);
}

#[test]
fn the_page_is_whole_and_the_figures_are_json() {
    let dir = tempfile::tempdir().unwrap();
    let found = study(&write_case(dir.path(), 0.5, REFERENCES), &options(dir.path(), 3)).unwrap().0;
    let [page, json] = write_study(&found, &dir.path().join("study")).unwrap();
    let page = std::fs::read_to_string(page).unwrap();
    for piece in ["A mass on a spring", "Observed orders", "id=\"quantity-2\"", "<svg ", "level-3", "observed order "] {
        assert!(page.contains(piece), "no {piece}");
    }
    assert!(!page.contains("src=\"http") && !page.contains("href=\"http"), "nothing from the network");
    assert_eq!(page.matches("<section").count(), page.matches("</section>").count());
    let json: serde_json::Value = serde_json::from_slice(&std::fs::read(json).unwrap()).unwrap();
    assert_eq!(json["levels"].as_array().unwrap().len(), 3);
    assert_eq!(json["followed"][0]["kind"], "Error");
    let text = found.text();
    assert!(text.contains("mass.ux: root mean square error (L2) against its reference"), "{text}");
    assert!(text.contains("order 2.0") || text.contains("order 1.99"), "{text}");
}

/// Two studies in one folder would take each other's levels.
#[test]
fn a_folder_has_one_study() {
    let dir = tempfile::tempdir().unwrap();
    let (case, options) = (write_case(dir.path(), 0.5, ""), options(dir.path(), 1));
    std::fs::create_dir(&options.out).unwrap();
    let lock = Lock::take(&options.out, Holder::Study).unwrap();
    let refused = study(&case, &options).map(drop).unwrap_err();
    assert!(refused.exit_code() == 5 && refused.code() == "E0809", "{refused}");
    assert!(refused.to_string().contains("in use by another study (process "), "{refused}");
    assert!(!options.out.join("level-1").exists());
    drop(lock);
    let done = study(&case, &options).unwrap().0;
    let lock = Lock::take(&options.out, Holder::Study).unwrap();
    assert_eq!(write_study(&done, &options.out).unwrap_err().code().as_str(), "E0809");
    drop(lock);
    write_study(&done, &options.out).unwrap();
    assert!(!options.out.join("lock").exists());
}
