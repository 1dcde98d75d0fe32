//! The cases that come with the program, inside of it: a list, and copies to start from.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::error::SimError;
use crate::load::Loaded;
use crate::source::nearest;

include!(concat!(env!("OUT_DIR"), "/gallery.rs"));

/// Where the cases of the repository look for their meshes; a copy has them beside it.
const MESH_FOLDER: &str = "../meshes/";

/// Seconds that a run takes on two cores, roughly.
const TIMES: &[(&str, f64)] = &[
    ("bars-impact", 0.1),
    ("bars-impact-2d", 0.1),
    ("bars-impact-3d", 0.1),
    ("block-slide-3d", 0.3),
    ("blocks-gmsh", 0.2),
    ("bouncing-ball", 0.1),
    ("cattaneo-mindlin", 0.3),
    ("cylinder-impact", 0.2),
    ("dome", 110.0),
    ("dome-cohesive", 660.0),
    ("double-cantilever", 0.7),
    ("fibre-matrix", 80.0),
    ("geologic-fault", 5.0),
    ("geologic-fault-explicit", 25.0),
    ("geologic-layers", 1.0),
    ("h8-cubes", 2.0),
    ("hertz-cylinder", 0.3),
    ("hertz-sphere", 4.0),
    ("incline", 0.2),
    ("maxwell-relaxation", 0.2),
    ("maxwell-shear", 0.1),
    ("oblique-impact", 0.1),
    ("sliding-block", 0.2),
    ("sphere-impact", 6.0),
    ("two-blocks-pull", 1.2),
    ("two-blocks-shear", 1.6),
];

/// A case of the gallery.
#[derive(Clone, Debug)]
pub struct GalleryCase {
    /// Its name.
    pub name: String,
    /// Its title.
    pub title: String,
    /// Dimension of space.
    pub dimension: usize,
    /// About how long a run takes \[s\]; none when nobody has measured it.
    pub seconds: Option<f64>,
    /// Its text as in the repository.
    pub text: String,
}

impl GalleryCase {
    /// The names of the meshes its text speaks of, once each.
    #[must_use]
    pub fn meshes(&self) -> Vec<&str> {
        let mut names: Vec<&str> =
            self.text.split(MESH_FOLDER).skip(1).filter_map(|rest| rest.split('"').next()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

/// All cases of the gallery, by name.
pub fn gallery() -> Result<Vec<GalleryCase>, SimError> {
    CASES.iter().map(|(file, bytes)| entry(file, bytes)).collect()
}

fn entry(file: &str, bytes: &[u8]) -> Result<GalleryCase, SimError> {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let case = Loaded::from_text(Path::new(file), text.clone(), &[])?.case;
    let name = file.trim_end_matches(".ron").to_owned();
    let seconds = TIMES.iter().find(|(known, _)| *known == name).map(|(_, seconds)| *seconds);
    Ok(GalleryCase { name, title: case.title, dimension: case.dimension, seconds, text })
}

/// The list as a person reads it.
pub fn gallery_text() -> Result<String, SimError> {
    let cases = gallery()?;
    let width = cases.iter().map(|c| c.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for GalleryCase { name, title, dimension, seconds, .. } in &cases {
        let time = seconds.map_or_else(String::new, duration);
        let _ = writeln!(text, "{name:<width$}  {dimension}D  {time:>8}  {title}");
    }
    Ok(text + "\ndelassus init NAME copies a case and its meshes into a new folder NAME")
}

fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => "< 1 s".to_owned(),
        s if s < 60.0 => format!("~ {s:.0} s"),
        s => format!("~ {:.0} min", (s / 60.0).ceil()),
    }
}

/// Copies a case and its meshes into a folder; returns the path of the case. Nothing is overwritten.
pub fn copy_case(name: &str, folder: &Path) -> Result<PathBuf, SimError> {
    let wanted = name.strip_suffix(".ron").unwrap_or(name);
    let Some((file, bytes)) = CASES.iter().find(|(file, _)| file.trim_end_matches(".ron") == wanted) else {
        let names = CASES.iter().map(|(file, _)| file.trim_end_matches(".ron"));
        let near = nearest(wanted, names).map_or_else(String::new, |near| format!(" did you mean `{near}`?"));
        return Err(SimError::NoSuchExample { name: name.to_owned(), near });
    };
    let case = entry(file, bytes)?;
    let mut files = vec![((*file).to_owned(), case.text.replace(MESH_FOLDER, "").into_bytes())];
    for mesh in case.meshes() {
        let stem = mesh.trim_end_matches(".msh");
        let own = |name: &str| name == mesh || name.strip_suffix(".geo") == Some(stem);
        files.extend(
            MESHES.iter().filter(|(name, _)| own(name)).map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec())),
        );
    }
    // All are looked at before the first is written.
    if let Some(taken) = files.iter().map(|(name, _)| folder.join(name)).find(|path| path.exists()) {
        return Err(SimError::Taken(taken));
    }
    let io = |action: &'static str, path: &Path| {
        let path = path.to_owned();
        move |source| SimError::Io { action, path, source }
    };
    std::fs::create_dir_all(folder).map_err(io("create", folder))?;
    for (name, content) in &files {
        let path = folder.join(name);
        let mut file = std::fs::File::create_new(&path).map_err(io("create", &path))?;
        std::io::Write::write_all(&mut file, content).map_err(io("write", &path))?;
    }
    Ok(folder.join(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_of_the_folder_is_there_and_timed() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases");
        let mut there: Vec<String> =
            std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        there.retain(|name| name.ends_with(".ron"));
        there.iter_mut().for_each(|name| name.truncate(name.len() - 4));
        there.sort();
        let cases = gallery().unwrap();
        let names: Vec<String> = cases.iter().map(|c| c.name.clone()).collect();
        assert_eq!(names, there);
        for case in &cases {
            assert!(case.seconds.is_some(), "{}: add it to TIMES", case.name);
            assert!(!case.title.is_empty() && matches!(case.dimension, 2 | 3));
        }
        for (name, _) in TIMES {
            assert!(cases.iter().any(|c| c.name == *name), "{name} of TIMES is not a case");
        }
    }

    /// Every copy can be built: its meshes are found.
    #[test]
    fn copies_are_whole() {
        let folder = tempfile::tempdir().unwrap();
        for case in gallery().unwrap() {
            let path = copy_case(&case.name, &folder.path().join(&case.name)).unwrap();
            let loaded = Loaded::read(&path, &[]).unwrap();
            let (copy, original) = (&loaded.given, &case.text);
            let changed = copy.lines().zip(original.lines()).filter(|(a, b)| a != b).count();
            let meshes = original.matches(MESH_FOLDER).count();
            assert_eq!((changed, copy.lines().count()), (meshes, original.lines().count()), "only paths differ");
            for mesh in case.meshes() {
                assert!(path.with_file_name(mesh).is_file(), "{}: {mesh}", case.name);
            }
            // Those with meshes of their own are built, the others have been by other tests.
            match case.dimension {
                _ if meshes == 0 => {}
                2 => drop(loaded.model::<2>().unwrap()),
                _ => drop(loaded.model::<3>().unwrap()),
            }
        }
    }

    #[test]
    fn nothing_is_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("slab.geo"), "mine").unwrap();
        let refused = copy_case("blocks-gmsh", folder.path()).unwrap_err();
        assert!(matches!(&refused, SimError::Taken(p) if p.ends_with("slab.geo")) && refused.exit_code() == 5);
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
