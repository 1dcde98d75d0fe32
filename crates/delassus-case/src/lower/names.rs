//! Names in a case: unique, usable as column names, and found again.

use crate::codes;
use crate::problem::Problems;
use crate::source::nearest;

/// Notes names that are empty, repeated, or would break a column of `history.csv`.
pub fn check_names<'a>(problems: &mut Problems, list: &str, names: impl IntoIterator<Item = &'a str>) {
    let mut seen: Vec<&str> = Vec::new();
    for (i, name) in names.into_iter().enumerate() {
        let path = format!("{list}[{i}].name");
        let fits = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | ' ');
        if name.trim().is_empty() {
            problems.input(codes::EMPTY_NAME, &path, "a name must not be empty");
        } else if !name.chars().all(fits) {
            problems.input(
                codes::BAD_NAME,
                &path,
                format!("name `{name}`: use letters, digits, `_`, `-` and spaces only"),
            );
        } else if let Some(first) = seen.iter().position(|s| *s == name) {
            problems.input(
                codes::NAME_TWICE,
                &path,
                format!("the name `{name}` is already used by {list}[{first}]; names must differ"),
            );
        }
        seen.push(name);
    }
}

/// The index of `wanted` in `names`; a problem that lists the names when it is not there.
pub fn find_name(problems: &mut Problems, path: &str, what: &str, wanted: &str, names: &[&str]) -> Option<usize> {
    let found = names.iter().position(|n| *n == wanted);
    if found.is_none() {
        let listed = names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ");
        let listed = if listed.is_empty() { "the case has none".into() } else { format!("the case has {listed}") };
        let hint = nearest(wanted, names.iter().copied()).map_or(String::new(), |n| format!("; did you mean `{n}`?"));
        problems.input(codes::UNKNOWN_NAME, path, format!("no {what} is named `{wanted}`: {listed}{hint}"));
    }
    found
}
