use delassus_case::load::Loaded;
use delassus_error::Failure;

use super::*;
use crate::gallery;

fn case_of(entry: &Entry, settings: &[String], dir: &Path) -> Loaded {
    let path = gallery::write_case(entry.case().unwrap(), dir).unwrap();
    Loaded::read(&path, settings).unwrap_or_else(|e| panic!("{}: {e}", entry.name))
}

#[test]
fn every_shipped_case_that_checks_itself_is_in_the_list() {
    let list = list().unwrap();
    for case in gallery::cases() {
        let dir = tempfile::tempdir().unwrap();
        let path = gallery::write_case(case, dir.path()).unwrap();
        let checks = Loaded::read(&path, &[]).unwrap().case.verify.map_or(0, |v| {
            let references = v.references.iter().filter(|r| r.tolerance.is_some()).count();
            v.checks.len() + references + v.lines.iter().filter(|l| l.tolerance.is_some()).count()
        });
        let is_in = list.iter().any(|e| e.study.is_none() && e.case_name() == case.name());
        assert_eq!(checks > 0, is_in, "{}", case.name());
    }
}

#[test]
fn every_entry_is_told_and_names_are_told_once() {
    let list = list().unwrap();
    for (k, e) in list.iter().enumerate() {
        assert!(e.problem.len() > 40 && e.problem.ends_with('.'), "{}: {}", e.name, e.problem);
        assert!(e.citation.len() > 10 && e.citation.ends_with('.'), "{}: {}", e.name, e.citation);
        assert!(e.cost > 0.0 && e.cost.is_finite(), "{}", e.name);
        assert!(list[..k].iter().all(|o| o.name != e.name), "{} twice", e.name);
    }
    let quick: f64 = list.iter().filter(|e| e.quick).map(|e| e.cost).sum();
    assert!(quick < 60.0, "the quick ones take {quick} s: two minutes are the limit, and machines differ");
}

#[test]
fn studies_refine_and_look_at_errors_that_the_case_tells() {
    let dir = tempfile::tempdir().unwrap();
    let mut studies = 0;
    for e in list().unwrap() {
        let Some(study) = &e.study else {
            case_of(&e, &e.settings, dir.path());
            continue;
        };
        assert!(e.settings.is_empty(), "{}: a study has its settings at its levels", e.name);
        studies += 1;
        assert!(study.levels.len() >= 3, "{}: two points are always on a line", e.name);
        assert!(study.levels.windows(2).all(|w| w[1].size < w[0].size), "{}: the coarsest comes first", e.name);
        for level in &study.levels {
            // A setting that does not fit its case is an error here.
            let loaded = case_of(&e, &[&study.common[..], &level.settings[..]].concat(), dir.path());
            let verify = loaded.case.verify.unwrap();
            let told = match &study.quantity {
                StudiedQuantity::Check(name) => verify.checks.iter().any(|c| c.name == *name),
                StudiedQuantity::Column { column, .. } => {
                    verify.solution.is_some_and(|s| s.solution().columns().contains(column))
                }
            };
            assert!(told, "{}: {}", e.name, study.quantity.text());
        }
    }
    assert!(studies >= 10);
}

#[test]
fn names_select_and_unknown_ones_are_refused() {
    let names = |list: &[Entry]| list.iter().map(|e| e.name.clone()).collect::<Vec<_>>();
    let all = list().unwrap();
    assert_eq!(names(&select(&[], false).unwrap()), names(&all));
    assert!(names(&select(&["sliding-block-step".into()], false).unwrap()) == ["sliding-block-step"]);
    // A case stands for all of its entries.
    let entries = ["sliding-block", "sliding-block-step", "sliding-block-curve"];
    assert_eq!(names(&select(&["sliding-block".into()], false).unwrap()), entries);
    assert!(select(&["dome".into()], true).unwrap().is_empty() && select(&[], true).unwrap().len() < all.len());
    let e = select(&["sliding-blok".into()], false).err().unwrap();
    assert!(e.to_string().contains("did you mean `sliding-block`?") && e.exit_code() == 2, "{e}");
    let e = select(&["xyz".into()], false).err().unwrap();
    assert!(!e.to_string().contains("did you mean") && e.to_string().contains("--list"), "{e}");
}

#[test]
fn the_page_is_named_by_the_user_or_put_into_a_folder() {
    for (out, page) in [(".", "./verification.html"), ("a/b", "a/b/verification.html"), ("a/my.html", "a/my.html")] {
        assert_eq!(page_path(Path::new(out)), Path::new(page));
    }
}

/// `--force` removes what a run writes: every picture of an exact solution is in the list.
#[test]
fn every_picture_of_a_case_is_a_file_of_its_results() {
    let dir = tempfile::tempdir().unwrap();
    let mut pictures = 0;
    for case in gallery::cases() {
        let loaded = Loaded::read(&gallery::write_case(case, dir.path()).unwrap(), &[]).unwrap();
        let Some(solution) = loaded.case.verify.and_then(|v| v.solution) else { continue };
        let plots = solution.solution().plots().into_iter().map(|p| p.file);
        let profiles = solution.solution().profiles(loaded.case.duration).into_iter().map(|p| p.file);
        for file in plots.chain(profiles) {
            assert!(delassus_run::results::file_names().contains(&file), "{}: {file}", case.file);
            pictures += 1;
        }
    }
    assert!(pictures >= 15, "{pictures} pictures were looked for");
}
