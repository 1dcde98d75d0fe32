//! The bodies of a case one by one: an entry with `copies` stands for several.
//!
//! The name of an entry means all its copies wherever a case names a body; `name-3` means the fourth alone.

use std::ops::Range;

use super::names::find_name;
use crate::case::Case;
use crate::problem::Problems;

/// Copies beyond which a number is a slip of the pen.
const MAX_COPIES: usize = 100_000;

/// One body.
pub(super) struct Member {
    /// Its entry in the case.
    pub entry: usize,
    /// Which copy it is, from 0.
    pub copy: usize,
    /// Its own name.
    pub name: String,
}

/// All bodies, in the order of the model.
pub(super) struct Roster {
    pub members: Vec<Member>,
    /// Of every entry: its name and its members.
    entries: Vec<(String, Range<usize>)>,
}

impl Roster {
    pub fn new(case: &Case, problems: &mut Problems) -> Self {
        let mut out = Self { members: Vec::new(), entries: Vec::new() };
        for (entry, body) in case.bodies.iter().enumerate() {
            let first = out.members.len();
            match &body.copies {
                None => out.members.push(Member { entry, copy: 0, name: body.name.clone() }),
                Some(copies) => {
                    let count = copies.count;
                    if !(1..=MAX_COPIES).contains(&count) {
                        let message = format!("count = {count} must lie between 1 and {MAX_COPIES}");
                        problems.input(format!("bodies[{entry}].copies.count"), message);
                    }
                    let member = |copy| Member { entry, copy, name: format!("{}-{copy}", body.name) };
                    out.members.extend((0..count.clamp(1, MAX_COPIES)).map(member));
                }
            }
            out.entries.push((body.name.clone(), first..out.members.len()));
        }
        out.check_names(problems);
        out
    }

    /// A copy must not have the name of another body.
    fn check_names(&self, problems: &mut Problems) {
        let mut names: Vec<(&str, usize)> = self.members.iter().map(|m| (m.name.as_str(), m.entry)).collect();
        names.extend(self.entries.iter().enumerate().filter(|(_, e)| e.1.len() > 1).map(|(k, e)| (e.0.as_str(), k)));
        names.sort_unstable();
        for twice in names.windows(2).filter(|w| w[0].0 == w[1].0 && w[0].1 != w[1].1) {
            let message = format!("a copy has the name `{}`, which bodies[{}] has too", twice[1].0, twice[0].1);
            problems.input(format!("bodies[{}].copies", twice[1].1), message);
        }
    }

    /// The bodies that a name means: a problem if there is none.
    pub fn find(&self, problems: &mut Problems, path: &str, name: &str) -> Option<Range<usize>> {
        if let Some((_, members)) = self.entries.iter().find(|e| e.0 == name) {
            return Some(members.clone());
        }
        if let Some(k) = self.members.iter().position(|m| m.name == name) {
            return Some(k..k + 1);
        }
        let is_copy_of = |e: &&(String, Range<usize>)| e.1.len() > 1 && name.starts_with(&format!("{}-", e.0));
        if let Some((family, members)) = self.entries.iter().find(is_copy_of) {
            let last = members.len() - 1;
            problems.input(
                path,
                format!("no body is named `{name}`: the copies of `{family}` are `{family}-0` … `{family}-{last}`"),
            );
        } else {
            let names: Vec<&str> = self.entries.iter().map(|e| e.0.as_str()).collect();
            find_name(problems, path, "body", name, &names);
        }
        None
    }

    /// The one body that a name means.
    pub fn find_one(&self, problems: &mut Problems, path: &str, name: &str) -> Option<usize> {
        let found = self.find(problems, path, name)?;
        if found.len() > 1 {
            let message = format!("`{name}` has {} copies: say which, `{name}-0` for the first", found.len());
            problems.input(path, message);
            return None;
        }
        Some(found.start)
    }

    /// Does a name mean this body?
    pub fn means(&self, name: &str, body: usize) -> bool {
        let member = &self.members[body];
        member.name == name || self.entries[member.entry].0 == name
    }
}
