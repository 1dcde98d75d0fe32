//! What the program says of a code: the sections of `explanations.md`, which is part of the program.

use std::fmt::Write;

use crate::error::SimError;
use crate::source::nearest;

/// A heading `# …` begins a group of codes, a heading `## E0000 title` a code.
const TEXT: &str = include_str!("explanations.md");

/// One code and what there is to say of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// What the codes around it are about.
    pub group: &'static str,
    /// Such as `E0312`.
    pub code: &'static str,
    /// One line.
    pub title: &'static str,
    /// What it means, why it happens and what to do.
    pub text: &'static str,
}

/// All of them, in order.
#[must_use]
pub fn all() -> Vec<Explanation> {
    let mut found = Vec::new();
    // What stands before the first group is about the file itself.
    for part in TEXT.split("\n# ").skip(1) {
        let (group, sections) = part.split_once('\n').unwrap_or((part, ""));
        for section in sections.split("\n## ").skip(1) {
            let (heading, text) = section.split_once('\n').unwrap_or((section, ""));
            let (code, title) = heading.split_once(' ').unwrap_or((heading, ""));
            found.push(Explanation { group, code, title, text: text.trim() });
        }
    }
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
