//! What a folder lets be done to it.

use delassus_error::{Coded, Failure};

use super::*;

#[test]
fn a_run_is_not_overwritten_without_force_and_strangers_are_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a/b");
    let folder = Folder::create(&path, false).unwrap();
    folder.write(MARK, b"()").unwrap();
    folder.write("manifest.json", b"{}").unwrap();
    folder.make("fields").unwrap();
    folder.write("fields/fields_000001.vtu", b"x").unwrap();
    fs::write(path.join("notes.txt"), "mine").unwrap();
    fs::write(path.join("fields/mine.vtu"), "mine").unwrap();
    let refused = Folder::create(&path, false).unwrap_err();
    assert!(matches!(refused, RunError::Occupied(_)) && refused.exit_code() == 5);
    assert!(refused.to_string().contains("--force"));
    Folder::create(&path, true).unwrap();
    assert!(!path.join("manifest.json").exists() && !path.join("fields/fields_000001.vtu").exists());
    for name in ["notes.txt", "fields/mine.vtu"] {
        assert_eq!(fs::read_to_string(path.join(name)).unwrap(), "mine");
    }
}

#[test]
fn force_does_not_touch_a_folder_that_is_not_of_a_run() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("case.ron"), "my own case").unwrap();
    let refused = Folder::create(dir.path(), true).unwrap_err();
    assert!(matches!(refused, RunError::NotResults(_)) && refused.exit_code() == 5, "{refused}");
    assert!(refused.to_string().contains("case.resolved.ron"));
    assert_eq!(fs::read_to_string(dir.path().join("case.ron")).unwrap(), "my own case");
}

#[test]
fn a_file_in_the_way_is_an_error_that_names_it() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("results");
    fs::write(&path, "a file").unwrap();
    let e = Folder::create(&path, false).unwrap_err();
    assert!(e.to_string().contains("results") && e.exit_code() == 5, "{e}");
}

/// A folder with results in it, and one beside it.
#[cfg(unix)]
fn with_stranger() -> (tempfile::TempDir, PathBuf, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let (path, other) = (dir.path().join("results"), dir.path().join("other"));
    let folder = Folder::create(&path, false).unwrap();
    folder.write(MARK, b"()").unwrap();
    folder.write("history.csv", b"t\n0\n").unwrap();
    fs::create_dir(&other).unwrap();
    fs::write(other.join("fields_000001.vtu"), "not yours").unwrap();
    fs::write(other.join("step_000000001.ckpt"), "not yours").unwrap();
    (dir, path, other)
}

/// Links are neither followed nor removed, whatever they lead to; nor is anything else that a run does not make.
#[cfg(unix)]
#[test]
fn force_does_not_reach_through_links() {
    use std::os::unix::fs::symlink;
    for name in ["fields", "checkpoints", "obstacles", "manifest.json", "history.csv.part", "line-1.csv", "report.html"]
    {
        for target in ["../other", "../other/fields_000001.vtu", "nowhere"] {
            let (_dir, path, other) = with_stranger();
            symlink(target, path.join(name)).unwrap();
            let refused = Folder::create(&path, true).unwrap_err();
            assert_eq!((refused.code().as_str(), refused.exit_code()), ("E0816", 5), "{refused}");
            assert!(refused.to_string().contains(&format!("{name}` is a link")), "{refused}");
            assert_eq!(fs::read(path.join("history.csv")).unwrap(), b"t\n0\n", "nothing was removed");
            for file in ["fields_000001.vtu", "step_000000001.ckpt"] {
                assert_eq!(fs::read(other.join(file)).unwrap(), b"not yours");
            }
        }
    }
    let (_dir, path, other) = with_stranger();
    fs::create_dir(path.join("fields")).unwrap();
    symlink("../../other/fields_000001.vtu", path.join("fields/fields_000002.vtu")).unwrap();
    fs::create_dir(path.join("fields.pvd")).unwrap();
    for place in ["fields_000002.vtu` is a link", "fields.pvd` is a folder, but should be a file"] {
        let refused = Folder::create(&path, true).unwrap_err();
        assert!(refused.to_string().contains(place), "{refused}");
        let _ = fs::remove_file(path.join("fields/fields_000002.vtu"));
    }
    assert!(other.join("fields_000001.vtu").exists());
}

/// Neither a link in the place of a file, nor one where the file is written aside, nor one that leads nowhere is written through.
#[cfg(unix)]
#[test]
fn nothing_is_written_through_links() {
    use std::os::unix::fs::symlink;
    let (_dir, path, other) = with_stranger();
    let folder = Folder::open(&path);
    for (name, link, target) in [
        ("run.log", "run.log", "../other/fields_000001.vtu"),
        ("run.log", "run.log.part", "../other/fields_000001.vtu"),
        ("run.log", "run.log.part", "../other/new"),
        ("fields/fields_000009.vtu", "fields", "../other"),
    ] {
        symlink(target, path.join(link)).unwrap();
        for refused in [folder.write(name, b"ours").unwrap_err(), folder.write_durably(name, b"ours").unwrap_err()] {
            assert!(
                refused.code() == "E0816" && refused.to_string().contains(&format!("{link}` is a link")),
                "{refused}"
            );
        }
        assert!(link.contains('.') || folder.make(link).unwrap_err().code() == "E0816");
        fs::remove_file(path.join(link)).unwrap();
    }
    symlink("../other/new", path.join(crate::lock::LOCK)).unwrap();
    assert_eq!(folder.hold(Holder::Run).unwrap_err().code().as_str(), "E0816");
    assert_eq!(fs::read_dir(&other).unwrap().count(), 2, "nothing came");
    assert_eq!(fs::read(other.join("fields_000001.vtu")).unwrap(), b"not yours");
    // Half a file of a run that was killed is no link.
    fs::write(path.join("run.log.part"), "half of it, and more than the whole").unwrap();
    folder.write("run.log", b"ours").unwrap();
    assert_eq!(fs::read(path.join("run.log")).unwrap(), b"ours");
    folder.synchronise().unwrap();
}

/// The folder itself may be a link, to a larger disk for example.
#[cfg(unix)]
#[test]
fn a_results_folder_may_be_a_link() {
    let (dir, path, _) = with_stranger();
    let link = dir.path().join("link");
    std::os::unix::fs::symlink("results", &link).unwrap();
    let refused = Folder::create(&link, false).unwrap_err();
    assert!(matches!(refused, RunError::Occupied(_)), "{refused}");
    let folder = Folder::create(&link, true).unwrap();
    folder.write(MARK, b"()").unwrap();
    assert!(path.join(MARK).exists() && !path.join("history.csv").exists());
    fs::remove_dir_all(&path).unwrap();
    let refused = folder.hold(Holder::Run).unwrap_err();
    assert!(refused.to_string().contains("link"), "{refused}");
}

/// Files of one's own are not removed because a run might have such a name, and no run was asked to replace anything.
#[test]
fn numbered_files_of_ones_own_stay() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("line-1.csv"), "mine").unwrap();
    for force in [false, true] {
        assert!(matches!(Folder::create(dir.path(), force).unwrap_err(), RunError::NotResults(_)));
    }
    assert_eq!(fs::read_to_string(dir.path().join("line-1.csv")).unwrap(), "mine");
}

/// Killed anywhere on its way, `--force` leaves no folder that says that a run is finished, and none that it would not take again.
#[test]
fn the_manifest_goes_first_and_the_mark_last() {
    let dir = tempfile::tempdir().unwrap();
    let folder = Folder::create(dir.path(), false).unwrap();
    for name in ["case.ron", MARK, "history.csv", "manifest.json", "status.json"] {
        folder.write(name, b"x").unwrap();
    }
    let contents = Contents::of(dir.path()).unwrap();
    let names: Vec<_> = contents.removable().iter().map(|p| p.file_name().unwrap().to_string_lossy()).collect();
    assert_eq!((&*names[0], &**names.last().unwrap(), names.len()), ("manifest.json", MARK, 5));
}
