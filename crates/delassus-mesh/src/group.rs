//! Search for groups by name or number, with a helpful message if there is none.

use crate::{Group, Mesh, MeshError};

/// Groups named in a message before it is cut short.
const MAX_LISTED: usize = 20;
/// Letters compared for the nearest name: hostile names may be as long as a file.
const MAX_COMPARED: usize = 64;

impl<const D: usize> Mesh<D> {
    /// The group called `name`, or with that number when `name` is an integer and no group is called so.
    ///
    /// # Errors
    /// [`MeshError::UnknownGroup`], [`MeshError::AmbiguousGroup`] (several dimensions use the name),
    /// [`MeshError::EmptyGroup`].
    pub fn group(&self, name: &str) -> Result<&Group, MeshError> {
        self.single(name, self.matching(name))
    }

    /// The group called `name` among those of dimension `dim`; otherwise as [`Mesh::group`].
    ///
    /// # Errors
    /// As [`Mesh::group`].
    pub fn group_of_dim(&self, name: &str, dim: usize) -> Result<&Group, MeshError> {
        let mut found = self.matching(name);
        if found.iter().any(|group| group.dim == dim) {
            found.retain(|group| group.dim == dim);
        }
        self.single(name, found)
    }

    /// Points used by the cells of a group, sorted, unique.
    ///
    /// # Panics
    /// If the group is of another mesh and has cells this one lacks.
    pub fn group_nodes(&self, group: &Group) -> Vec<usize> {
        let mut nodes: Vec<usize> = group.cells.iter().flat_map(|&cell| self.cell(cell).1.iter().copied()).collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    fn matching(&self, name: &str) -> Vec<&Group> {
        let named: Vec<&Group> = self.groups.iter().filter(|group| group.name == name).collect();
        match name.trim().parse::<i32>() {
            Ok(tag) if named.is_empty() => self.groups.iter().filter(|group| group.tag == tag).collect(),
            _ => named,
        }
    }

    fn single<'a>(&'a self, name: &str, found: Vec<&'a Group>) -> Result<&'a Group, MeshError> {
        match found.as_slice() {
            [] => Err(MeshError::UnknownGroup {
                name: name.to_owned(),
                present: list(self.groups.iter()),
                nearest: self.nearest_name(name),
            }),
            [group] if group.cells.is_empty() => {
                Err(MeshError::EmptyGroup { name: group.name.clone(), dim: group.dim })
            }
            [group] => Ok(group),
            several => {
                Err(MeshError::AmbiguousGroup { name: name.to_owned(), candidates: list(several.iter().copied()) })
            }
        }
    }

    /// The most similar name, if it differs in no more than half its letters.
    fn nearest_name(&self, name: &str) -> Option<String> {
        self.groups
            .iter()
            .map(|group| (edit_distance(name, &group.name), group))
            .min_by_key(|(distance, _)| *distance)
            .filter(|(distance, group)| 2 * distance <= group.name.chars().count().max(2))
            .map(|(_, group)| group.name.clone())
    }

    /// Names of the groups that contain a cell, for messages.
    pub(crate) fn names_of_groups_with(&self, cell: usize) -> String {
        let names: Vec<String> = self
            .groups
            .iter()
            .filter(|group| group.cells.contains(&cell))
            .map(|group| format!("`{}`", group.name))
            .collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    }
}

fn list<'a>(groups: impl Iterator<Item = &'a Group>) -> String {
    let mut texts: Vec<String> = groups
        .map(|group| {
            format!("`{}` (number {}, dimension {}, {} cells)", group.name, group.tag, group.dim, group.cells.len())
        })
        .collect();
    if texts.is_empty() {
        return "none".to_owned();
    }
    let n = texts.len();
    texts.truncate(MAX_LISTED);
    if n > MAX_LISTED {
        texts.push(format!("and {} more", n - MAX_LISTED));
    }
    texts.join(", ")
}

/// Levenshtein distance of the lower-case texts (their first letters, if long).
fn edit_distance(a: &str, b: &str) -> usize {
    let letters = |s: &str| -> Vec<char> { s.chars().flat_map(char::to_lowercase).take(MAX_COMPARED).collect() };
    let (a, b) = (letters(a), letters(b));
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.iter().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let replace = diagonal + usize::from(ca != cb);
            diagonal = row[j + 1];
            row[j + 1] = replace.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CellKind, generate};

    fn mesh() -> Mesh<2> {
        generate::rectangle([0.0, 0.0], [1.0, 1.0], [2, 3], CellKind::Quad4, 1).unwrap()
    }

    #[test]
    fn by_name_or_by_number() {
        let mesh = mesh();
        let left = mesh.group("left").unwrap();
        assert_eq!((left.dim, left.cells.len()), (1, 3));
        assert_eq!(mesh.group(&left.tag.to_string()).unwrap().name, "left");
        assert_eq!(mesh.group_nodes(left).len(), 4);
        assert_eq!(mesh.group_nodes(mesh.group("body").unwrap()).len(), 12);
    }

    #[test]
    fn unknown_group_lists_the_others_and_the_nearest() {
        let text = mesh().group("Botom").unwrap_err().to_string();
        assert!(text.contains("no group `Botom`"), "{text}");
        assert!(text.contains("`left` (number"), "{text}");
        assert!(text.contains("dimension 1, 3 cells)"), "{text}");
        assert!(text.ends_with("did you mean `bottom`?"), "{text}");
        let text = mesh().group("zzzzzzzzz").unwrap_err().to_string();
        assert!(!text.contains("did you mean"), "{text}");
        let none = Mesh::<2>::default().group("a").unwrap_err().to_string();
        assert!(none.ends_with("groups present: none"), "{none}");
    }

    #[test]
    fn a_name_used_in_two_dimensions_needs_the_dimension() {
        let mut mesh = mesh();
        for group in &mut mesh.groups {
            if group.name == "left" {
                group.name = "body".to_owned();
            }
        }
        let text = mesh.group("body").unwrap_err().to_string();
        assert!(text.contains("ambiguous"), "{text}");
        assert_eq!(mesh.group_of_dim("body", 1).unwrap().cells.len(), 3);
        assert_eq!(mesh.group_of_dim("body", 2).unwrap().cells.len(), 6);
        assert_eq!(mesh.group_facets("body").unwrap().len(), 3);
    }

    #[test]
    fn an_empty_group_is_not_silently_accepted() {
        let mut mesh = mesh();
        mesh.groups.push(Group { name: "void".into(), tag: 99, dim: 1, cells: vec![] });
        let error = mesh.group("99").unwrap_err();
        assert!(matches!(&error, MeshError::EmptyGroup { dim: 1, .. }), "{error}");
        assert!(error.to_string().contains("`void`"), "{error}");
    }

    #[test]
    fn long_lists_are_cut() {
        let groups = (0..30).map(|tag| Group { name: "g".into(), tag, dim: 0, cells: vec![] });
        let mesh = Mesh::<2> { groups: groups.collect(), ..Mesh::default() };
        let text = mesh.group("x").unwrap_err().to_string();
        assert!(text.contains("and 10 more"), "{text}");
    }

    #[test]
    fn distances() {
        for (a, b, d) in [("", "abc", 3), ("top", "top", 0), ("kitten", "sitting", 3), ("AB", "ab", 0)] {
            assert_eq!(edit_distance(a, b), d, "{a} {b}");
            assert_eq!(edit_distance(b, a), d, "{b} {a}");
        }
    }
}
