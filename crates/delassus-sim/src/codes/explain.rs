//! What the program says of a code: the explanations of all crates.

use std::fmt::Write;

use delassus_error::{Explanation, explanations};

use crate::error::SimError;
use crate::source::nearest;

/// All of them, in order.
#[must_use]
pub fn all() -> Vec<Explanation> {
    let texts = [
        delassus_error::EXPLANATIONS,
        delassus_mesh::EXPLANATIONS,
        delassus_dynamics::EXPLANATIONS,
        delassus_fem::EXPLANATIONS,
        delassus_contact::EXPLANATIONS,
        delassus_solver::EXPLANATIONS,
        delassus_fclib::EXPLANATIONS,
        include_str!("../explanations.md"),
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
pub fn explain(given: &str) -> Result<String, SimError> {
    match find(given) {
        Some(Explanation { code, title, text, .. }) => Ok(format!("{code}: {title}\n\n{text}")),
        None => {
            let near = nearest(given, all().iter().map(|e| e.code)).map(str::to_owned);
            Err(SimError::NoSuchCode { code: given.to_owned(), near })
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
    out + "\n`delassus explain CODE` tells more."
}
