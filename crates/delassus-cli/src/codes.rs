//! Explanations of the error codes of all crates.

use std::fmt::Write;

use delassus_case::source::nearest;
use delassus_error::{Code, Coded, Explanation, Failure, explanations};

/// `explain` of a code that no error has.
#[derive(Debug, thiserror::Error)]
#[error(
    "there is no error code `{code}`{}; `delassus explain` lists them",
    near.as_ref().map(|n| format!(", did you mean {n}?")).unwrap_or_default()
)]
pub struct NoSuchCode {
    /// As given.
    pub code: String,
    /// The nearest there is.
    pub near: Option<String>,
}

impl Coded for NoSuchCode {
    fn code(&self) -> Code {
        Code("E1003")
    }
}

impl Failure for NoSuchCode {
    fn exit_code(&self) -> u8 {
        2
    }
}

/// All of them, in order.
#[must_use]
pub fn all() -> Vec<Explanation> {
    let texts = [
        delassus_error::EXPLANATIONS,
        delassus_mesh::EXPLANATIONS,
        delassus_dynamics::EXPLANATIONS,
        delassus_fem::EXPLANATIONS,
        delassus_contact::EXPLANATIONS,
        delassus_shapes::EXPLANATIONS,
        delassus_rigid::EXPLANATIONS,
        delassus_solver::EXPLANATIONS,
        delassus_fclib::EXPLANATIONS,
        delassus_verify::EXPLANATIONS,
        delassus_sim::EXPLANATIONS,
        delassus_case::EXPLANATIONS,
        delassus_run::EXPLANATIONS,
        delassus_report::EXPLANATIONS,
        delassus_suite::EXPLANATIONS,
        include_str!("explanations.md"),
    ];
    let mut found: Vec<Explanation> = texts.into_iter().flat_map(explanations).collect();
    found.sort_by_key(|e| e.code);
    found
}

/// The explanation of a code; `E0312`, `e312` and `312` are the same.
#[must_use]
pub fn find(given: &str) -> Option<Explanation> {
    let digits = given.trim().trim_start_matches(['E', 'e']);
    let number: u16 = digits.parse().ok()?;
    let code = format!("E{number:04}");
    all().into_iter().find(|e| e.code == code)
}

/// What `delassus explain CODE` prints.
pub fn explain(given: &str) -> Result<String, NoSuchCode> {
    match find(given) {
        Some(Explanation { code, title, text, .. }) => Ok(format!("{code}: {title}\n\n{text}")),
        None => {
            let near = nearest(given, all().iter().map(|e| e.code)).map(str::to_owned);
            Err(NoSuchCode { code: given.to_owned(), near })
        }
    }
}

/// What `delassus explain` prints: every code with its line, group by group.
#[must_use]
pub fn overview() -> String {
    let (mut out, mut group) = (String::new(), "");
    for e in all() {
        if e.group != group {
            let space = if group.is_empty() { "" } else { "\n" };
            // Writing to a String cannot fail.
            let _ = writeln!(out, "{space}{}", e.group);
            group = e.group;
        }
        let _ = writeln!(out, "  {}  {}", e.code, e.title);
    }
    out + "\n`delassus explain CODE` explains a code."
}
