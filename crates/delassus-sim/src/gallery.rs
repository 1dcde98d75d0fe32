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

use crate::error::SimError;

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

/// The shipped meshes, by name.
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

/// Writes a case and the meshes it names into a folder, and returns the path of the case.
pub fn write_case(case: GalleryFile, folder: &Path) -> Result<PathBuf, SimError> {
    for mesh in meshes_named_in(case.text) {
        write_file(&folder.join("meshes"), mesh)?;
    }
    write_file(&folder.join("cases"), case)
}

/// Writes the meshes that a text names into a folder, beside those of a case.
pub fn write_meshes_named_in(text: &str, folder: &Path) -> Result<(), SimError> {
    meshes_named_in(text).try_for_each(|mesh| write_file(&folder.join("meshes"), mesh).map(drop))
}

fn write_file(folder: &Path, file: GalleryFile) -> Result<PathBuf, SimError> {
    let path = folder.join(file.file);
    let io = |action: &'static str, path: &Path| {
        let path = path.to_owned();
        move |source| SimError::Io { action, path, source }
    };
    std::fs::create_dir_all(folder).map_err(io("create", folder))?;
    std::fs::write(&path, file.text).map_err(io("write", &path))?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Loaded;

    /// File names in a folder of the repository with an ending, sorted.
    fn listing(folder: &str, ending: &str) -> Vec<String> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
        let entries = std::fs::read_dir(path).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = entries.filter(|n| n.ends_with(ending)).collect();
        names.sort();
        names
    }

    #[test]
    fn the_gallery_is_what_the_folders_hold() {
        assert_eq!(cases().map(|c| c.file).collect::<Vec<_>>(), listing("cases", ".ron"));
        assert_eq!(meshes().map(|m| m.file).collect::<Vec<_>>(), listing("meshes", ".msh"));
        assert!(cases().count() >= 26 && meshes().count() >= 10);
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
}
