//! A run that is interrupted and resumed leaves what a run leaves that was not: the same bits.
//!
//! Reference: the straight run.
//!
//! Goal: every shipped case, and cases that cut steps, that remember (bonds, materials), that begin in equilibrium: equal hash of the
//! final state, equal bytes of `history.csv`, of all frames and collections, equal verdict and log.
//!
//! Parameters: a few steps of each case, a stop after some of them; other numbers of threads before and after.
//!
//! Tolerance: none, bits are compared. Wall times in `manifest.json` and `run.log` are left out.

use std::collections::BTreeMap;
use std::path::Path;

use delassus_case::Loaded;
use delassus_error::Interrupt;
use delassus_run::{Monitor, RunError, RunOptions, Silent, Summary, run_case};
use tempfile::TempDir;
use verification::{case_path, show};

/// Asks the run to stop after so many nominal steps.
struct StopAfter {
    steps: usize,
    stop: Interrupt,
}

impl Monitor for StopAfter {
    fn started(&mut self, _: &str, _: usize) {}
    fn progressed(&mut self, done: usize, _: f64) {
        if done >= self.steps {
            self.stop.raise();
        }
    }
    fn message(&mut self, _: &str) {}
    fn ended(&mut self) {}
}

/// Every file that has no wall times in it.
fn files(folder: &Path) -> std::io::Result<BTreeMap<String, Vec<u8>>> {
    let mut out = BTreeMap::new();
    let mut todo = vec![folder.to_owned()];
    while let Some(next) = todo.pop() {
        for entry in std::fs::read_dir(next)? {
            let path = entry?.path();
            let name = path.strip_prefix(folder).map(|p| p.display().to_string()).unwrap_or_default();
            if path.is_dir() {
                todo.push(path);
            } else if !["manifest.json", "run.log"].contains(&name.as_str()) {
                out.insert(name, std::fs::read(path)?);
            }
        }
    }
    Ok(out)
}

/// Threads of the parts of a run.
const THREADS: [usize; 3] = [1, 2, 8];

/// The same case with a stop after each of these numbers of steps, by 1, 2, 8 threads.
fn in_parts(loaded: &Loaded, stops: &[usize]) -> Result<(Summary, TempDir), RunError> {
    let folder = tempfile::tempdir().map_err(|e| RunError::Internal(delassus_error::InternalError(e.to_string())))?;
    let options = |k: usize, stop: Interrupt| RunOptions {
        out: Some(folder.path().to_owned()),
        threads: Some(THREADS[k % THREADS.len()]),
        resume: k > 0,
        stop,
        ..RunOptions::default()
    };
    for (k, &steps) in stops.iter().enumerate() {
        let stop = Interrupt::new();
        let mut monitor = StopAfter { steps, stop: stop.clone() };
        match run_case(loaded, &options(k, stop), &mut monitor) {
            Err(RunError::Interrupted { done, .. }) if done == steps => {}
            Err(e) => return Err(e),
            Ok(_) => {
                return Err(RunError::Internal(delassus_error::InternalError(format!(
                    "not stopped after {steps} steps"
                ))));
            }
        }
    }
    let summary = run_case(loaded, &options(stops.len(), Interrupt::never()), &mut Silent)?;
    Ok((summary, folder))
}

/// What differs between the straight run and the one in parts.
fn difference(loaded: &Loaded, stops: &[usize]) -> Result<Option<String>, RunError> {
    let io = |e: std::io::Error| RunError::Internal(delassus_error::InternalError(e.to_string()));
    let straight = in_parts(loaded, &[])?;
    let parts = in_parts(loaded, stops)?;
    let (a, b) = (files(straight.1.path()).map_err(io)?, files(parts.1.path()).map_err(io)?);
    if a.keys().ne(b.keys()) {
        return Ok(Some(format!("files {:?} and {:?}", a.keys(), b.keys())));
    }
    let changed: Vec<&String> = a.iter().filter(|(name, bytes)| b[*name] != **bytes).map(|(name, _)| name).collect();
    if !changed.is_empty() {
        return Ok(Some(format!("the bytes of {changed:?}")));
    }
    let (a, b) = (&straight.0, &parts.0);
    if a.state_hash != b.state_hash {
        return Ok(Some("the state".to_owned()));
    }
    let verdicts = [&a.verdict, &b.verdict].map(|v| format!("{v:?}"));
    Ok((verdicts[0] != verdicts[1]).then(|| format!("the verdicts {verdicts:?}")))
}

/// A shipped case cut to `steps` steps, with a frame every other step.
fn short(path: &Path, steps: f64, settings: &[&str]) -> Result<Loaded, RunError> {
    let mut all: Vec<String> = settings.iter().map(|s| (*s).to_owned()).collect();
    let step = Loaded::read(path, &all)?.case.step;
    all.extend([format!("duration={:e}", steps * step), "output=(every: 2)".to_owned()]);
    Ok(Loaded::read(path, &all)?)
}

/// Cases whose single steps take seconds in a test build; they are resumed with the release build (`scripts/endurance hashes`).
const LONG: [&str; 6] = ["dome", "dome-cohesive", "fibre-matrix", "masonry-arch", "punch", "shrink-fit"];

#[test]
fn every_case_is_the_same_when_resumed() {
    let mut cases: Vec<_> =
        std::fs::read_dir(case_path("x").parent().unwrap()).unwrap().map(|e| e.unwrap().path()).collect();
    cases.sort();
    assert!(cases.len() >= 26);
    for path in &cases {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        if LONG.contains(&name.as_str()) {
            continue;
        }
        let began = std::time::Instant::now();
        // A reference may begin later than a few steps reach: then the case is run without it.
        let resumed = |settings: &[&str]| difference(&short(path, 7.0, settings)?, &[2, 5]);
        let found = resumed(&[]).or_else(|_| resumed(&["verify=None"])).unwrap();
        assert_eq!(found, None, "{name}");
        show(&format!("resumed {name}: same bits ({:.1} s)", began.elapsed().as_secs_f64()));
    }
}

/// In the middle of contact, with steps that are cut and with solvers that take over.
#[test]
fn rejected_steps_leave_no_trace() {
    for solver in [
        "solver=Nlgs(tolerance: 1e-12, max_iterations: 4, fallback: [], on_failure: CutStep(halvings: 10))",
        "solver=Nlgs(tolerance: 1e-12, max_iterations: 3)",
        "solver=Nlgs(tolerance: 1e-12, max_iterations: 2, fallback: [], on_failure: AcceptAndFlag)",
    ] {
        let loaded = short(&case_path("bars-impact-2d"), 60.0, &[solver]).unwrap();
        assert_eq!(difference(&loaded, &[33, 47]).unwrap(), None, "{solver}");
    }
}

/// Rigid bodies and joints, stopped between impacts and within them: rocking, rolling, jointed, on deformable bodies.
#[test]
fn rigid_bodies_are_the_same_when_resumed() {
    for (name, steps, stops, settings) in [
        ("rocking-rigid", 300.0, [167, 290], &["step=1e-3"][..]),
        ("sliding-rod", 60.0, [1, 30], &["step=1e-3"][..]),
        ("top", 60.0, [21, 40], &[][..]),
        ("newton-cradle", 200.0, [103, 150], &["step=1e-3"][..]),
        ("pendulum-stop", 140.0, [88, 128], &["step=5e-3"][..]),
        ("slider-crank", 60.0, [13, 40], &["step=5e-3"][..]),
        ("disks-on-beam", 60.0, [30, 46], &["step=1e-3"][..]),
        ("confined-particle", 60.0, [20, 41], &[][..]),
        ("rolling-resistance", 100.0, [50, 80], &["step=5e-3"][..]),
    ] {
        let settings: Vec<&str> = settings.iter().copied().chain(["verify=None"]).collect();
        let loaded = short(&case_path(name), steps, &settings).unwrap();
        assert_eq!(difference(&loaded, &stops).unwrap(), None, "{name}");
    }
}

/// Contact that comes and goes, bonds that break, materials that flow: stopped where something is remembered.
#[test]
fn what_is_remembered_is_remembered() {
    for (name, steps, stops, settings) in [
        ("sliding-block", 120.0, [40, 90], &[][..]),
        ("two-blocks-shear", 60.0, [20, 50], &["step=2e-5"][..]),
        ("maxwell-shear", 40.0, [13, 14], &[][..]),
        ("tumbling-block", 130.0, [95, 110], &["verify=None"][..]),
        ("tumbling-block", 100.0, [90, 95], &["kinematics=Corotational(frames: Elements)", "verify=None"][..]),
        ("snap-through", 60.0, [20, 45], &["integrator=EnergyMomentum(theta: 1.0)", "verify=None"][..]),
        ("bouncing-ball", 400.0, [150, 390], &["step=1e-3"][..]),
        (
            "sliding-block",
            60.0,
            [20, 45],
            &["contacts.ground.law=ElasticShear(shear_stiffness: 1e6, normal_stiffness: 1e8, friction: 0.3)"][..],
        ),
        (
            "sliding-block",
            60.0,
            [20, 45],
            &["contacts.ground.law=SmoothFriction(friction: 0.1, curve: [(speed: 0.5, added: 0.2)])"][..],
        ),
        (
            "block-slide-3d",
            20.0,
            [7, 15],
            &["contacts.ground.law=EllipticFriction(along: 0.1, across: 0.4, direction: (1, 0, 1))"][..],
        ),
    ] {
        let loaded = short(&case_path(name), steps, settings).unwrap();
        assert_eq!(difference(&loaded, &stops).unwrap(), None, "{name}");
    }
}
