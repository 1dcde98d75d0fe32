//! `--resume` deletes nothing: what cannot be read is an error, and a run begins anew only where none has done anything.

use super::*;
use crate::results::MARK;

fn begun_again(scene: &Scene) {
    let (summary, said) = scene.resume(&[]);
    assert_eq!(summary.unwrap().state_hash, straight().state_hash);
    assert!(said.len() == 1 && said[0].contains("the run starts from the beginning"), "{said:?}");
}

#[test]
fn a_folder_of_checkpoints_that_is_none_is_an_error() {
    let scene = Scene::stopped();
    let place = scene.out().join(CHECKPOINTS);
    fs::rename(&place, scene.dir.path().join("elsewhere")).unwrap();
    fs::write(&place, "a file").unwrap();
    scene.check_refused(&[], (5, "E0816"), &["checkpoints` is a file, but should be a folder", "--out DIR"]);
    #[cfg(unix)]
    for leads in ["nowhere", "../elsewhere"] {
        fs::remove_file(&place).unwrap();
        std::os::unix::fs::symlink(leads, &place).unwrap();
        scene.check_refused(&[], (5, "E0816"), &["checkpoints` is a link", "nothing was changed"]);
    }
    fs::remove_file(&place).unwrap();
    fs::rename(scene.dir.path().join("elsewhere"), &place).unwrap();
    scene.check_resumed(&["resumed after step 12 of 20"]);
}

/// What the system says of a folder that cannot be looked into is told as an error, not as an empty folder. A path through a file stands for all of it: root,
/// who runs some of these tests, may read everything else.
#[test]
fn what_cannot_be_read_is_not_taken_for_empty() {
    let scene = Scene::stopped();
    let through = scene.out().join("history.csv/x");
    for e in [
        list(&through).map(drop).unwrap_err(),
        crate::results::Contents::of(&through).map(drop).unwrap_err(),
        files::read(&through).map(drop).unwrap_err(),
    ] {
        assert!(
            matches!(e, FolderError::Unreadable { .. }) && e.code().as_str() == "E0817" && e.exit_code() == 5,
            "{e}"
        );
        assert!(e.to_string().contains("nothing was changed") && e.to_string().contains("--out DIR"), "{e}");
    }
    let options = RunOptions { out: Some(through), resume: true, ..RunOptions::default() };
    let e = run_case(&loaded(&[]), &options, &mut Silent).unwrap_err();
    assert_eq!(e.code().as_str(), "E0817", "{e}");
}

/// A user who may not look into the folder of checkpoints: nothing is deleted, and when he may the run goes on. Root may always.
#[cfg(unix)]
#[test]
fn permissions_that_are_missing_are_an_error() {
    use std::os::unix::fs::PermissionsExt;
    let scene = Scene::stopped();
    let allow =
        |name: &str, mode| fs::set_permissions(scene.out().join(name), fs::Permissions::from_mode(mode)).unwrap();
    allow(CHECKPOINTS, 0);
    if fs::read_dir(scene.out().join(CHECKPOINTS)).is_err() {
        let e = scene.resume(&[]).0.unwrap_err();
        assert_eq!(e.code().as_str(), "E0817", "{e}");
        assert!(scene.out().join("fields/fields_000005.vtu").exists());
    }
    allow(CHECKPOINTS, 0o755);
    allow(MARK, 0);
    allow("history.csv", 0);
    if fs::read(scene.out().join("history.csv")).is_err() {
        assert_eq!(scene.resume(&[]).0.unwrap_err().code().as_str(), "E0825");
    }
    allow(MARK, 0o644);
    allow("history.csv", 0o644);
    scene.check_resumed(&["resumed after step 12 of 20"]);
}

#[test]
fn a_manifest_that_is_empty_or_damaged_is_an_error() {
    let scene = Scene { dir: tempfile::tempdir().unwrap() };
    begun_again(&scene);
    let manifest = scene.out().join("manifest.json");
    let whole = fs::read(&manifest).unwrap();
    let says = ["manifest.json` is damaged", "nothing was changed", "--out DIR", "--force deletes"];
    for text in [&b""[..], b"{", b"{}", b"[1, 2]", b"\xff\xfe", &whole[..whole.len() / 2], &vec![0; whole.len()]] {
        fs::write(&manifest, text).unwrap();
        scene.check_refused(&[], (5, "E0818"), &says);
    }
    // Without it: results, and nothing to go on from.
    fs::remove_file(&manifest).unwrap();
    scene.check_refused(
        &[],
        (5, "E0819"),
        &["no checkpoint to continue from", "--resume deletes nothing", "--out DIR"],
    );
    fs::create_dir(&manifest).unwrap();
    scene.check_refused(&[], (5, "E0816"), &["manifest.json` is a folder, but should be a file"]);
    fs::remove_dir(&manifest).unwrap();
    fs::write(&manifest, &whole).unwrap();
    scene.check_refused(&[], (0, "E0805"), &["is finished"]);
}

/// A run that has its manifest and was killed before it removed its checkpoints is finished.
#[test]
fn what_a_finished_run_left_behind_goes() {
    let scene = Scene::stopped();
    let checkpoint = fs::read(scene.checkpoint(12)).unwrap();
    scene.check_resumed(&["resumed after step 12 of 20"]);
    let after = tree(&scene.out());
    fs::create_dir(scene.out().join(CHECKPOINTS)).unwrap();
    for name in ["checkpoints/step_000000012.ckpt", "checkpoints/step_000000015.ckpt.part"] {
        fs::write(scene.out().join(name), &checkpoint).unwrap();
    }
    assert_eq!(scene.resume(&[]).0.unwrap_err().code().as_str(), "E0805");
    assert!(tree(&scene.out()) == after);
    // Not by a manifest that is not whole.
    edit(&scene.out().join("manifest.json"), |b| {
        let text = String::from_utf8(b.clone()).unwrap().replace("\"dofs\"", "\"dots\"");
        *b = text.into_bytes();
    });
    fs::create_dir(scene.out().join(CHECKPOINTS)).unwrap();
    fs::write(scene.checkpoint(12), &checkpoint).unwrap();
    scene.check_refused(&[], (0, "E0805"), &["is finished"]);
}

#[test]
fn results_that_have_lost_their_checkpoints_are_not_deleted() {
    let scene = Scene::stopped();
    fs::remove_dir_all(scene.out().join(CHECKPOINTS)).unwrap();
    scene.check_refused(&["duration=1e-3"], (2, "E0823"), &["belongs to another case"]);
    let says =
        ["has results of a run (`", "no checkpoint to continue from", "--resume deletes nothing", "--force to delete"];
    scene.check_refused(&[], (5, "E0819"), &says);
    // One frame, or one row, is work too.
    for keep in ["history.csv", "fields/fields_000000.vtu", "run.log"] {
        let scene = Scene::stopped();
        for (path, content) in tree(&scene.out()) {
            let kept = path.ends_with(keep) || path.ends_with(MARK) || content == b"a folder";
            if !kept {
                fs::remove_file(path).unwrap();
            }
        }
        scene.check_refused(&[], (5, "E0819"), &[&format!("(`{keep}`)")]);
    }
}

/// A run that was killed before its first checkpoint has computed nothing, and begins again; after it, it goes on from there.
#[test]
fn only_a_folder_without_work_is_begun_again() {
    let scene = Scene::stopped();
    let opening = [MARK, "case.ron", "status.json"];
    for (path, content) in tree(&scene.out()) {
        if content != b"a folder" && !opening.iter().any(|name| path.ends_with(name)) {
            fs::remove_file(path).unwrap();
        }
    }
    fs::write(scene.out().join("checkpoints/step_000000000.ckpt.part"), "half").unwrap();
    fs::write(scene.out().join("notes.txt"), "mine").unwrap();
    begun_again(&scene);
    assert_eq!(fs::read(scene.out().join("notes.txt")).unwrap(), b"mine");
    // A mark that cannot be read is not one that is not there.
    let scene = Scene { dir: tempfile::tempdir().unwrap() };
    fs::create_dir_all(scene.out().join(MARK)).unwrap();
    scene.check_refused(&[], (5, "E0816"), &["case.resolved.ron` is a folder"]);
    // Half a mark is that of a run which was killed in its first moment.
    let scene = Scene { dir: tempfile::tempdir().unwrap() };
    fs::create_dir_all(scene.out()).unwrap();
    fs::write(scene.out().join("case.resolved.ron.part"), "(ti").unwrap();
    begun_again(&scene);
}

/// The first checkpoint stands before the first row: from it the run is the straight one, file for file.
#[test]
fn a_run_killed_within_its_first_step_goes_on_from_its_start() {
    let scene = Scene { dir: tempfile::tempdir().unwrap() };
    let mut watch = Watch { stop_after: 1, stop: Interrupt::new(), ..Watch::default() };
    let first = std::sync::Mutex::new(Vec::new());
    let path = scene.checkpoint(0);
    let look = || *first.lock().unwrap() = fs::read(&path).unwrap();
    watch.at = Some((0, &look));
    let options = RunOptions { out: Some(scene.out()), stop: watch.stop.clone(), ..RunOptions::default() };
    run_case(&loaded(&[]), &options, &mut watch).unwrap_err();
    fs::remove_file(scene.checkpoint(1)).unwrap();
    let first = first.into_inner().unwrap();
    assert!(Checkpoint::from_bytes(&first, &scene.checkpoint(0)).unwrap().is_before_all());
    scene.check_resumed(&["resumed after step 0 of 20"]);
    let whole = Scene { dir: tempfile::tempdir().unwrap() };
    begun_again(&whole);
    for file in ["history.csv", "fields.pvd", "contacts.pvd", "fields/fields_000000.vtu", "case.resolved.ron"] {
        assert!(fs::read(scene.out().join(file)).unwrap() == fs::read(whole.out().join(file)).unwrap(), "{file}");
    }
}
