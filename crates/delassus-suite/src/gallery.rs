//! The shipped cases and their meshes, carried in the binary: they can be run, or written down as a start for own ones, without the
//! repository.
//!
//! A case names its meshes by paths relative to itself (`../meshes/x.msh`). [`write_case`] keeps that layout, so that the text of a
//! case is the shipped one to the letter:
//!
//! ```text
//! FOLDER/cases/NAME.ron
//! FOLDER/meshes/x.msh
//! ```

use std::path::{Path, PathBuf};

use delassus_case::source::nearest;
use delassus_error::FileError;

use crate::error::SuiteError;

include!(concat!(env!("OUT_DIR"), "/gallery.rs"));

/// A file of the gallery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GalleryFile {
    /// File name with its ending.
    pub file: &'static str,
    /// Its text.
    pub text: &'static str,
}

impl GalleryFile {
    /// The name without its ending.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.file.rsplit_once('.').map_or(self.file, |(name, _)| name)
    }
}

fn table(rows: &'static [(&'static str, &'static str)]) -> impl Iterator<Item = GalleryFile> {
    rows.iter().map(|&(file, text)| GalleryFile { file, text })
}

/// The shipped cases, by name.
pub fn cases() -> impl Iterator<Item = GalleryFile> {
    table(CASE_FILES)
}

/// The shipped meshes and the geometries they are made from, by name.
pub fn meshes() -> impl Iterator<Item = GalleryFile> {
    table(MESH_FILES)
}

/// The shipped case of this name (without ending).
#[must_use]
pub fn case(name: &str) -> Option<GalleryFile> {
    cases().find(|c| c.name() == name)
}

/// The shipped meshes that a text names (a case, or a `--set`).
pub fn meshes_named_in(text: &str) -> impl Iterator<Item = GalleryFile> {
    meshes().filter(move |m| text.contains(&format!("meshes/{}", m.file)))
}

/// Where the shipped cases look for their meshes; a copy for a user has them beside it.
const MESH_FOLDER: &str = "../meshes/";

/// Copies a case and its meshes into a folder of a user; returns the path of the case. Nothing is overwritten.
pub fn copy_case(name: &str, folder: &Path) -> Result<PathBuf, SuiteError> {
    let wanted = name.strip_suffix(".ron").unwrap_or(name);
    let Some(case) = case(wanted) else {
        let near = nearest(wanted, cases().map(|c| c.name()));
        let near = near.map_or_else(String::new, |near| format!(" did you mean `{near}`?"));
        return Err(SuiteError::NoSuchExample { name: name.to_owned(), near });
    };
    let mut files = vec![(case.file, case.text.replace(MESH_FOLDER, ""))];
    for mesh in meshes_named_in(case.text) {
        // With the geometry it was made from, to be changed.
        files.extend(meshes().filter(|m| m.name() == mesh.name()).map(|m| (m.file, m.text.to_owned())));
    }
    // All are looked at before the first is written.
    if let Some(taken) = files.iter().map(|(name, _)| folder.join(name)).find(|path| path.exists()) {
        return Err(SuiteError::Taken(taken));
    }
    for (name, text) in &files {
        write_file(folder, name, text)?;
    }
    Ok(folder.join(case.file))
}

/// Writes a case and the meshes it names into a folder, as they lie in the repository, and returns the path of the case.
pub fn write_case(case: GalleryFile, folder: &Path) -> Result<PathBuf, SuiteError> {
    write_meshes_named_in(case.text, folder)?;
    write_file(&folder.join("cases"), case.file, case.text)
}

/// Writes the meshes that a text names into a folder, beside those of a case.
pub fn write_meshes_named_in(text: &str, folder: &Path) -> Result<(), SuiteError> {
    meshes_named_in(text).try_for_each(|mesh| write_file(&folder.join("meshes"), mesh.file, mesh.text).map(drop))
}

fn write_file(folder: &Path, name: &str, text: &str) -> Result<PathBuf, SuiteError> {
    let path = folder.join(name);
    let io = |action: &'static str, path: &Path| {
        let path = path.to_owned();
        move |source| FileError { action, path, source }
    };
    std::fs::create_dir_all(folder).map_err(io("create", folder))?;
    std::fs::write(&path, text).map_err(io("write", &path))?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use delassus_error::Failure;

    use super::*;
    use delassus_case::Loaded;

    /// File names in a folder of the repository with one of these endings, by their names without.
    fn listing(folder: &str, endings: &[&str]) -> Vec<String> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
        let entries = std::fs::read_dir(path).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = entries.filter(|n| endings.iter().any(|e| n.ends_with(e))).collect();
        names.sort_by_key(|n| n.rsplit_once('.').map(|(stem, ending)| (stem.to_owned(), ending.to_owned())));
        names
    }

    #[test]
    fn the_gallery_is_what_the_folders_hold() {
        assert_eq!(cases().map(|c| c.file).collect::<Vec<_>>(), listing("cases", &[".ron"]));
        assert_eq!(meshes().map(|m| m.file).collect::<Vec<_>>(), listing("meshes", &[".geo", ".msh", ".obj"]));
        assert!(cases().count() >= 26 && meshes().count() >= 20);
    }

    #[test]
    fn every_case_is_complete_when_written_elsewhere() {
        let dir = tempfile::tempdir().unwrap();
        for case in cases() {
            let path = write_case(case, dir.path()).unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), case.text, "{}", case.file);
            let loaded = Loaded::read(&path, &[]).unwrap();
            // The model looks for every mesh file.
            let built = match loaded.case.dimension {
                2 => loaded.model::<2>().map(drop),
                _ => loaded.model::<3>().map(drop),
            };
            assert!(built.is_ok(), "{}: {:?}", case.file, built.err().map(|e| e.to_string()));
        }
    }

    #[test]
    fn only_the_meshes_of_the_case_are_written() {
        let dir = tempfile::tempdir().unwrap();
        write_case(case("oblique-impact").unwrap(), dir.path()).unwrap();
        let files: Vec<_> =
            std::fs::read_dir(dir.path().join("meshes")).unwrap().map(|e| e.unwrap().file_name()).collect();
        assert_eq!(files, ["oblique-plate.msh"]);
        assert!(case("no-such-case").is_none());
    }

    /// Every copy can be built: its meshes are found.
    #[test]
    fn copies_are_whole() {
        let folder = tempfile::tempdir().unwrap();
        for case in cases() {
            let path = copy_case(case.name(), &folder.path().join(case.name())).unwrap();
            let loaded = Loaded::read(&path, &[]).unwrap();
            let (copy, original) = (&loaded.given, case.text);
            let changed = copy.lines().zip(original.lines()).filter(|(a, b)| a != b).count();
            let meshes = original.matches(MESH_FOLDER).count();
            assert_eq!((changed, copy.lines().count()), (meshes, original.lines().count()), "only paths differ");
            for mesh in meshes_named_in(case.text) {
                assert!(path.with_file_name(mesh.file).is_file(), "{}: {}", case.file, mesh.file);
            }
            // Those with meshes of their own are built, the others have been by other tests.
            if meshes > 0 {
                match loaded.case.dimension {
                    2 => drop(loaded.model::<2>().unwrap()),
                    _ => drop(loaded.model::<3>().unwrap()),
                }
            }
        }
    }

    #[test]
    fn nothing_is_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("slab.geo"), "mine").unwrap();
        let refused = copy_case("blocks-gmsh", folder.path()).unwrap_err();
        assert!(matches!(&refused, SuiteError::Taken(p) if p.ends_with("slab.geo")) && refused.exit_code() == 5);
        assert!(refused.to_string().contains("slab.geo") && !folder.path().join("blocks-gmsh.ron").exists());
        assert_eq!(std::fs::read_to_string(folder.path().join("slab.geo")).unwrap(), "mine");
    }

    #[test]
    fn an_unknown_name_gets_the_nearest() {
        let refused = copy_case("bar-impact", Path::new("x")).unwrap_err();
        assert!(refused.to_string().contains("did you mean `bars-impact`?") && refused.exit_code() == 2, "{refused}");
        assert!(!copy_case("qqqqqqqqq", Path::new("x")).unwrap_err().to_string().contains("did you mean"));
    }
}
