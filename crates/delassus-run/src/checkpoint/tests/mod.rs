//! What becomes of a run when its checkpoints, its files or its folder are not what they were.

mod flips;
mod never_deletes;

use std::path::Path;

use delassus_case::load::Loaded;
use delassus_error::Coded;
use delassus_error::{Failure, Interrupt};
use delassus_sim::SimError;
use sha2::{Digest, Sha256};

use super::*;
use crate::run::{Monitor, RunOptions, Silent, Summary, run_case};

/// A block that slides along a plank towards a wall: 20 steps, a frame every fifth.
const BLOCK: &str = include_str!("../../../../delassus-cli/tests/data/block.ron");

fn loaded(settings: &[&str]) -> Loaded {
    let settings: Vec<String> = settings.iter().map(|s| (*s).to_owned()).collect();
    Loaded::from_text(Path::new("block.ron"), BLOCK.to_owned(), &settings).unwrap()
}

/// Does something after a step, asks for a stop after another, and writes down what it is told.
#[derive(Default)]
struct Watch<'a> {
    stop_after: usize,
    stop: Interrupt,
    at: Option<(usize, &'a (dyn Fn() + Sync))>,
    said: Vec<String>,
}

impl Monitor for Watch<'_> {
    fn started(&mut self, _: &str, _: usize) {}
    fn progressed(&mut self, done: usize, _: f64) {
        if let Some((_, act)) = self.at.filter(|(step, _)| *step == done) {
            act();
        }
        if done == self.stop_after {
            self.stop.raise();
        }
    }
    fn message(&mut self, text: &str) {
        self.said.push(text.to_owned());
    }
    fn ended(&mut self) {}
}

struct Scene {
    dir: tempfile::TempDir,
}

impl Scene {
    /// A run that was stopped after step 12, with checkpoints of the steps 10 and 12.
    fn stopped() -> Self {
        let scene = Self { dir: tempfile::tempdir().unwrap() };
        let mut watch = Watch { stop_after: 12, stop: Interrupt::new(), ..Watch::default() };
        let options = RunOptions {
            out: Some(scene.out()),
            stop: watch.stop.clone(),
            checkpoints: Cadence { steps: Some(5), ..Cadence::default() },
            ..RunOptions::default()
        };
        let e = run_case(&loaded(&[]), &options, &mut watch).unwrap_err();
        assert!(matches!(e, RunError::Interrupted { done: 12, n: 20, .. }) && e.exit_code() == 130, "{e}");
        assert!(e.to_string().contains("after step 12 of 20") && e.to_string().contains("--resume"), "{e}");
        assert_eq!(list(&scene.out()).unwrap().iter().map(|(step, _)| *step).collect::<Vec<_>>(), [12, 10]);
        scene
    }

    fn out(&self) -> PathBuf {
        self.dir.path().join("out")
    }

    fn checkpoint(&self, step: usize) -> PathBuf {
        self.out().join(format!("checkpoints/step_{step:09}.ckpt"))
    }

    /// How a resumed run ends, and what it says.
    fn resume(&self, settings: &[&str]) -> (Result<Summary, RunError>, Vec<String>) {
        let options = RunOptions { out: Some(self.out()), resume: true, ..RunOptions::default() };
        let mut watch = Watch::default();
        (run_case(&loaded(settings), &options, &mut watch), watch.said)
    }

    /// The resumed run ends as the straight one did.
    fn check_resumed(&self, says: &[&str]) {
        let (summary, said) = self.resume(&[]);
        assert_eq!(summary.unwrap().state_hash, straight().state_hash);
        assert_eq!(said.len(), says.len(), "{said:?}");
        assert!(said.iter().zip(says).all(|(a, b)| a.contains(b)), "{said:?}");
        assert!(!self.out().join(CHECKPOINTS).exists(), "a finished run needs no checkpoint");
    }

    fn check_refused(&self, settings: &[&str], (exit, code): (u8, &str), says: &[&str]) {
        let before = tree(&self.out());
        let e = self.resume(settings).0.unwrap_err();
        assert_eq!((e.exit_code(), e.code().as_str()), (exit, code), "{e}");
        for piece in says {
            assert!(e.to_string().contains(piece), "no `{piece}` in {e}");
        }
        assert!(tree(&self.out()) == before, "something was changed: {e}");
    }
}

/// All that is in a folder: files with their content, links with where they lead.
fn tree(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for (name, kind) in files::list(folder).unwrap() {
        let path = folder.join(name);
        match kind {
            EntryKind::Folder => {
                found.extend(tree(&path));
                found.insert(path, b"a folder".to_vec());
            }
            EntryKind::Link => {
                let leads = fs::read_link(&path).unwrap();
                found.insert(path, leads.to_string_lossy().into_owned().into_bytes());
            }
            _ => {
                let content = fs::read(&path).unwrap();
                found.insert(path, content);
            }
        }
    }
    found
}

fn straight() -> Summary {
    let dir = tempfile::tempdir().unwrap();
    let options = RunOptions { out: Some(dir.path().to_owned()), ..RunOptions::default() };
    run_case(&loaded(&[]), &options, &mut Silent).unwrap()
}

fn edit(path: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = std::fs::read(path).unwrap();
    change(&mut bytes);
    std::fs::write(path, bytes).unwrap();
}

/// Other content with a right checksum.
fn forge(path: &Path, change: impl FnOnce(&mut Checkpoint)) {
    let mut checkpoint = Checkpoint::from_bytes(&std::fs::read(path).unwrap(), path).unwrap();
    change(&mut checkpoint);
    std::fs::write(path, checkpoint.to_bytes().unwrap()).unwrap();
}

#[test]
fn a_good_checkpoint_is_taken_up() {
    Scene::stopped().check_resumed(&["resumed after step 12 of 20"]);
}

#[test]
fn of_a_damaged_one_the_one_before_is_taken() {
    let flip = |bytes: &mut Vec<u8>| {
        let middle = bytes.len() / 2;
        bytes[middle] ^= 0x10;
    };
    for (change, reason) in [
        (&flip as &dyn Fn(&mut Vec<u8>), "its checksum is not that of its content"),
        (&|b| b.truncate(b.len() - 1), "its checksum"),
        (&|b| b.truncate(b.len() / 2), "it is shorter than its first line states"),
        (&|b| b.truncate(20), "it ends within its first line"),
        (&Vec::clear, "it does not begin like a checkpoint"),
        (&|b| b.push(0), "its checksum"),
        (&|b| b[SEAL.magic.len()] = 99, "its checksum"),
        (&|b| with_format(b, 99), "checkpoint format 99, and this is of format 10"),
    ] {
        let scene = Scene::stopped();
        edit(&scene.checkpoint(12), change);
        scene.check_resumed(&[reason, "resumed after step 10 of 20"]);
    }
}

/// Another number of the format, under a right checksum.
fn with_format(bytes: &mut Vec<u8>, format: u32) {
    bytes.truncate(bytes.len() - 32);
    let begin = SEAL.magic.len();
    bytes[begin..begin + 4].copy_from_slice(&format.to_le_bytes());
    let sum = Sha256::digest(&*bytes);
    bytes.extend(sum);
}

/// A newest one that cannot even be read: a folder, a link, one that leads nowhere.
#[cfg(unix)]
#[test]
fn of_one_that_is_no_file_the_one_before_is_taken() {
    let scene = Scene::stopped();
    let newest = scene.checkpoint(12);
    fs::remove_file(&newest).unwrap();
    fs::create_dir(&newest).unwrap();
    scene.check_refused(&["step=5e-5"], (2, "E0823"), &["step_000000010.ckpt` belongs to another case"]);
    let (summary, said) = scene.resume(&[]);
    assert_eq!(summary.unwrap().state_hash, straight().state_hash);
    assert!(said[0].contains("step_000000012.ckpt` is damaged: it is a folder; trying the previous one"), "{said:?}");
    assert!(newest.is_dir(), "what is not ours stays");
    for leads in ["nowhere", "step_000000010.ckpt"] {
        let scene = Scene::stopped();
        fs::remove_file(scene.checkpoint(12)).unwrap();
        std::os::unix::fs::symlink(leads, scene.checkpoint(12)).unwrap();
        let (summary, said) = scene.resume(&[]);
        assert_eq!(summary.unwrap().state_hash, straight().state_hash);
        assert!(said[0].contains("it is a link") && said[1].contains("resumed after step 10"), "{said:?}");
    }
}

/// One that could not be used does not take the place of a good one when the next is written.
#[test]
fn two_good_ones_are_kept() {
    let scene = Scene::stopped();
    edit(&scene.checkpoint(12), |b| b.truncate(100));
    let mut watch = Watch { stop_after: 16, stop: Interrupt::new(), ..Watch::default() };
    let options =
        RunOptions { out: Some(scene.out()), resume: true, stop: watch.stop.clone(), ..RunOptions::default() };
    run_case(&loaded(&[]), &options, &mut watch).unwrap_err();
    edit(&scene.checkpoint(16), |b| b.truncate(100));
    let says = ["step_000000016.ckpt` is damaged", "step_000000012.ckpt` is damaged", "resumed after step 10 of 20"];
    scene.check_resumed(&says);
}

#[test]
fn if_none_is_good_nothing_is_touched() {
    let scene = Scene::stopped();
    for step in [10, 12] {
        edit(&scene.checkpoint(step), |b| b.truncate(100));
    }
    let says = ["no checkpoint in", "step_000000012.ckpt", "step_000000010.ckpt", "shorter than its first line states"];
    scene.check_refused(&[], (5, "E0825"), &says);
    scene.check_refused(
        &[],
        (5, "E0825"),
        &["Keep the folder", "--out DIR", "--force deletes the contents of this one"],
    );
}

#[test]
fn of_another_case_mesh_or_version_it_is_refused() {
    let scene = Scene::stopped();
    scene.check_refused(
        &["step=5e-5"],
        (2, "E0823"),
        &["belongs to another case", "the text of the case", "--out DIR"],
    );
    let scene = Scene::stopped();
    forge(&scene.checkpoint(12), |c| c.origin.meshes[0].1.push('0'));
    scene.check_refused(&[], (2, "E0823"), &["the file of `block` is not the same"]);
    let scene = Scene::stopped();
    forge(&scene.checkpoint(12), |c| drop(c.origin.meshes.pop()));
    scene.check_refused(&[], (2, "E0823"), &["the list of meshes"]);
    let scene = Scene::stopped();
    forge(&scene.checkpoint(12), |c| c.origin.version = "0.0.1".into());
    let says = ["was written by delassus 0.0.1, and this is", env!("CARGO_PKG_VERSION"), "--force"];
    scene.check_refused(&[], (2, "E0822"), &says);
    let scene = Scene::stopped();
    for step in [10, 12] {
        edit(&scene.checkpoint(step), |b| with_format(b, 3));
    }
    scene.check_refused(&[], (2, "E0822"), &["checkpoint format 3", "of format 10", "Use that version", "--out DIR"]);
    let scene = Scene::stopped();
    forge(&scene.checkpoint(12), |c| c.origin.level = "another".into());
    let says = ["on instruction level `another`", "the rest of the run would have other bits", "--out DIR"];
    scene.check_refused(&[], (2, "E0826"), &says);
}

/// A right checksum over content that is not a state of this model: no panic, and the one before is taken.
#[test]
fn a_forged_one_does_no_harm() {
    for change in [
        &(|c: &mut Checkpoint| drop(c.snapshot.states.pop())) as &dyn Fn(&mut Checkpoint),
        &|c| c.snapshot.states[0].q.truncate(1),
        &|c| c.snapshot.states[1].v.push(0.0),
        &|c| c.snapshot.states[1].aux.push(0.0),
        &|c| c.snapshot.impulses[0].0.pair = 7,
        &|c| c.snapshot.impulses[0].0.candidate = 1_000_000,
        &|c| c.snapshot.impulses[0].1.push(0.0),
        &|c| c.snapshot.histories[0].1.z.push(1.0),
        &|c| c.done = 20,
    ] {
        let scene = Scene::stopped();
        forge(&scene.checkpoint(12), change);
        scene.check_resumed(&["it does not fit the model", "resumed after step 10 of 20"]);
    }
}

#[test]
fn results_that_changed_are_noticed() {
    let history = |scene: &Scene| scene.out().join("history.csv");
    // Cut within the rows after step 10: the earlier checkpoint still fits.
    let scene = Scene::stopped();
    edit(&history(&scene), |b| b.truncate(b.len() - 3));
    scene.check_resumed(&["history.csv` has changed since the checkpoint of step 12", "resumed after step 10 of 20"]);
    let scene = Scene::stopped();
    edit(&history(&scene), |b| b[0] = b'S');
    scene.check_refused(&[], (5, "E0825"), &["its rows have changed", "step 12", "step 10"]);
    let scene = Scene::stopped();
    std::fs::remove_file(scene.out().join("fields/fields_000005.vtu")).unwrap();
    scene.check_refused(&[], (5, "E0825"), &["fields_000005.vtu", "the file is gone"]);
    // Of each kind of frames, a byte that is missing, one that is too many, and one that is another.
    for file in ["fields/fields_000005.vtu", "contacts/contacts_000010.vtu", "obstacles/obstacles_000000.vtu"] {
        for (change, reason) in [
            (&(|b: &mut Vec<u8>| b.truncate(b.len() - 1)) as &dyn Fn(&mut Vec<u8>), "bytes instead of"),
            (&|b| b.push(b'\n'), "bytes instead of"),
            (&|b| b[200] ^= 1, "its content has changed"),
        ] {
            let scene = Scene::stopped();
            edit(&scene.out().join(file), change);
            scene.check_refused(&[], (5, "E0825"), &[file, reason, "since the checkpoint of step 10 was written"]);
        }
    }
    // What was written after the checkpoint does not matter.
    let scene = Scene::stopped();
    edit(&history(&scene), |b| b.extend(b"half a li"));
    std::fs::write(scene.out().join("fields.pvd.part"), "half").unwrap();
    scene.check_resumed(&["resumed after step 12 of 20"]);
}

#[test]
fn a_finished_run_is_not_run_again() {
    let scene = Scene { dir: tempfile::tempdir().unwrap() };
    scene.check_resumed(&["no checkpoint in"]);
    scene.check_refused(&[], (0, "E0805"), &["is finished", "--force"]);
    scene.check_refused(&["duration=1e-3"], (2, "E0823"), &["manifest.json` belongs to another case"]);
}

#[test]
fn a_folder_that_vanishes_is_named() {
    let scene = Scene { dir: tempfile::tempdir().unwrap() };
    let out = scene.out();
    let vanish = || std::fs::remove_dir_all(&out).unwrap();
    let options = RunOptions { out: Some(out.clone()), ..RunOptions::default() };
    let mut watch = Watch { at: Some((7, &vanish)), ..Watch::default() };
    let e = run_case(&loaded(&[]), &options, &mut watch).unwrap_err();
    assert!(e.exit_code() == 5 && e.to_string().contains("cannot create") && e.to_string().contains("out/"), "{e}");
}

#[test]
fn the_cadence_counts_steps_or_time() {
    let now = Instant::now();
    let by_steps = Cadence { steps: Some(5), time: Duration::from_secs(1000) };
    assert!(by_steps.is_due(10, now) && !by_steps.is_due(11, now));
    let by_time = Cadence { steps: None, time: Duration::ZERO };
    assert!(by_time.is_due(11, now) && !Cadence::default().is_due(11, now));
}

/// Asked to stop at any look, within a step, a halving of one, or before the first: the state between two nominal steps is saved, or nothing is
/// there, and the resumed run ends as the straight one, file for file.
#[test]
fn an_interrupt_anywhere_within_a_step_is_between_steps_when_resumed() {
    // So few sweeps that whole steps fail, and halves of them do not.
    let settings = ["solver=Nlgs(tolerance: 1e-9, max_iterations: 2, fallback: [], on_failure: CutStep(halvings: 8))"];
    let case = loaded(&settings);
    let in_folder = |out: &Path, resume: bool, stop: &Interrupt| {
        let options = RunOptions { out: Some(out.to_owned()), resume, stop: stop.clone(), ..RunOptions::default() };
        run_case(&case, &RunOptions { threads: Some(1), ..options }, &mut Silent)
    };
    let texts = |out: &Path| {
        let names = ["history.csv", "contacts.pvd", "fields.pvd"];
        names.map(|name| std::fs::read(out.join(name)).unwrap())
    };
    let dir = tempfile::tempdir().unwrap();
    let (straight, all) = (dir.path().join("straight"), Interrupt::at_look(usize::MAX));
    let whole = in_folder(&straight, false, &all).unwrap();
    assert!(whole.verdict.cuts > 3 && whole.steps > 23, "{} cuts", whole.verdict.cuts);
    let (mut before, mut within) = (0, 0);
    for part in 0..24 {
        let out = dir.path().join(format!("part-{part}"));
        match in_folder(&out, false, &Interrupt::at_look(all.looks() * part / 24)).unwrap_err() {
            RunError::Interrupted { done, time, .. } => {
                within += 1;
                let h = whole.time / 20.0;
                assert!((time - done as f64 * h).abs() < 1e-9 * h, "saved at {time} after {done} steps");
            }
            RunError::Sim(SimError::Interrupted(_)) => {
                before += 1;
                assert!(!out.exists(), "nothing is left");
            }
            e => panic!("{e}"),
        }
        let resumed = in_folder(&out, true, &Interrupt::never()).unwrap();
        assert_eq!((&resumed.state_hash, resumed.steps), (&whole.state_hash, whole.steps), "part {part}");
        assert_eq!(resumed.verdict.cuts, whole.verdict.cuts, "part {part}");
        assert!(texts(&out) == texts(&straight), "part {part}");
    }
    assert!(before > 0 && within > 10, "{before} before the first step, {within} within one");
}
