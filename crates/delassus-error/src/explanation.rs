//! The texts of `delassus explain`: sections `## E0000 title` of the `explanations.md` of each crate.

/// The groups of codes by their first two digits, in order.
pub const GROUPS: [(&str, &str); 10] = [
    ("E01", "E01xx: the text of a case"),
    ("E02", "E02xx: --set and paths"),
    ("E03", "E03xx: what a case means"),
    ("E04", "E04xx: meshes"),
    ("E05", "E05xx: geometry, elements and contact surfaces"),
    ("E06", "E06xx: materials, laws, sections, supports and references"),
    ("E07", "E07xx: a run"),
    ("E08", "E08xx: files and folders"),
    ("E09", "E09xx: contact problems in files, studies, memory and input files"),
    ("E10", "E10xx: command line and the program itself"),
];

/// A code and its explanation.
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

/// The sections of a text.
#[must_use]
pub fn explanations(text: &'static str) -> Vec<Explanation> {
    let section = |section: &'static str| {
        let (heading, text) = section.split_once('\n').unwrap_or((section, ""));
        let (code, title) = heading.split_once(' ').unwrap_or((heading, ""));
        let group = GROUPS.iter().find(|(begin, _)| code.starts_with(begin)).map_or("", |(_, group)| *group);
        Explanation { group, code, title, text: text.trim() }
    };
    // What stands before the first section is about the file itself.
    text.split("\n## ").skip(1).map(section).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_become_explanations() {
        let found =
            explanations("About the file.\n\n## E0312 an axis\n\nIt has none.\n\n## E1099 a fault\n\nReport it.\n");
        let shown: Vec<_> = found.iter().map(|e| (e.code, e.title, e.text)).collect();
        assert_eq!(shown, [("E0312", "an axis", "It has none."), ("E1099", "a fault", "Report it.")]);
        assert_eq!(found[0].group, "E03xx: what a case means");
    }
}
