//! The bodies of a case: an entry with `copies` describes several.
//!
//! The name of an entry means all its copies wherever a case names a body; `name-3` means the fourth alone.

use std::ops::Range;

use super::names::find_name;
use crate::codes;
use crate::problem::Problems;
use crate::spec::{Case, MeshSpec};

/// Bodies beyond which a number of copies is a slip of the pen.
pub(super) const MAX_COPIES: usize = 100_000;

/// Copies made of an entry whose number is refused, so that the rest of the case can be looked at: a refused number must cost nothing.
const REFUSED_COPIES: usize = 2;

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
            let counted = match (&body.mesh, &body.copies) {
                (MeshSpec::Packing(packing), _) => Some((packing.count(), "mesh.sizes")),
                (MeshSpec::Blocks(blocks), _) => Some((blocks.n_blocks(), "mesh")),
                (_, Some(copies)) => Some((copies.count, "copies.count")),
                (_, None) => None,
            };
            match counted {
                None => out.members.push(Member { entry, copy: 0, name: body.name.clone() }),
                Some((mut count, key)) => {
                    let path = format!("bodies[{entry}].{key}");
                    if !(1..=MAX_COPIES).contains(&count) {
                        problems.input(
                            codes::COPIES,
                            path,
                            format!("count = {count} must lie between 1 and {MAX_COPIES}"),
                        );
                        count = count.clamp(1, REFUSED_COPIES);
                    } else if first + count > MAX_COPIES {
                        let message =
                            format!("count = {count} after {first} other bodies: at most {MAX_COPIES} in all");
                        problems.input(codes::TOO_MANY_BODIES, path, message);
                        count = count.min(REFUSED_COPIES);
                    }
                    let member = |copy| Member { entry, copy, name: format!("{}-{copy}", body.name) };
                    out.members.extend((0..count).map(member));
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
        let has_copies = |k: usize| self.members.iter().any(|m| m.entry == k && m.name != self.entries[k].0);
        let clash = |w: &&[(&str, usize)]| w[0].0 == w[1].0 && w[0].1 != w[1].1;
        for twice in names.windows(2).filter(clash).filter(|w| w.iter().any(|x| has_copies(x.1))) {
            let message = format!("a copy has the name `{}`, which bodies[{}] has too", twice[1].0, twice[0].1);
            problems.input(codes::COPY_NAME, format!("bodies[{}].copies", twice[1].1), message);
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
                codes::UNKNOWN_COPY,
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
            problems.input(codes::WHICH_COPY, path, message);
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::Loaded;

    /// The number of bodies, and every problem: code, path and message.
    fn roster(counts: &[usize]) -> (usize, Vec<String>) {
        let body = |(i, n): (usize, &usize)| {
            format!(
                "(name: \"b{i}\", mesh: Rectangle(corner: (0, 0), size: (1, 1), cells: (1, 1)), material: \"m\", copies: (count: {n})),"
            )
        };
        let bodies: String = counts.iter().enumerate().map(body).collect();
        let materials = "(name: \"m\", density: 1, law: KelvinVoigt(young: 1, poisson: 0.3))";
        let text = format!(
            "(title: \"x\", kinematics: SmallStrain, materials: [{materials}], bodies: [{bodies}], integrator: Theta(theta: 0.5), step: 1, duration: 1)"
        );
        let case = Loaded::from_text(Path::new("x.ron"), text, &[]).unwrap().case;
        let mut problems = Problems::default();
        let roster = Roster::new(&case, &mut problems);
        (roster.members.len(), problems.0.iter().map(|p| format!("{} {}: {}", p.code, p.path, p.message)).collect())
    }

    /// A refused number of copies must not be made all the same: it took 140 MB.
    #[test]
    fn refused_copies_cost_nothing() {
        let (n, problems) = roster(&[usize::MAX]);
        assert_eq!((n, problems.len()), (REFUSED_COPIES, 1));
        assert!(
            problems[0].starts_with("E0314 bodies[0].copies.count: count = 18446744073709551615 must lie"),
            "{problems:?}"
        );
        assert_eq!(roster(&[0]).0, 1);
    }

    #[test]
    fn copies_of_all_entries_are_counted() {
        assert!(roster(&[60_000, 40_000]).1.is_empty());
        let (n, problems) = roster(&[60_000, 60_000]);
        assert_eq!(n, 60_000 + REFUSED_COPIES);
        let expected = "E0315 bodies[1].copies.count: count = 60000 after 60000 other bodies: at most 100000 in all";
        assert_eq!(problems, [expected]);
    }
}
