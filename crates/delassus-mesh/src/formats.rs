//! The formats of mesh files: one row each.
//!
//! A new format is a reader (a function from bytes to something that is a [`MeshFile`], usually by way of the crate's `Draft`), and a row of
//! [`FORMATS`].

use crate::{MeshError, MeshFile, abaqus, gmsh, med, obj, stl, unv, vtk};

/// The contents of a file of any format.
type AnyMesh = Result<Box<dyn MeshFile>, MeshError>;

/// A format that is read.
#[derive(Debug)]
pub struct FileFormat {
    /// Name in messages.
    pub name: &'static str,
    /// Endings of file names, in small letters.
    pub endings: &'static [&'static str],
    /// First bytes that no other format has.
    starts: &'static [&'static [u8]],
    read: fn(&[u8]) -> AnyMesh,
}

/// All formats that are read. The first is taken for what nothing tells apart.
pub static FORMATS: [FileFormat; 7] = [
    // Every section of gmsh's begins so, comments included.
    FileFormat { name: "gmsh (MSH 2.2 or 4.1)", endings: &["msh"], starts: &[b"$"], read: |b| boxed(gmsh::read(b)) },
    FileFormat {
        name: "Abaqus or CalculiX",
        endings: &["inp"],
        starts: &[b"*HEADING", b"*Heading", b"*NODE", b"*Node", b"**"],
        read: |b| boxed(abaqus::read(b)),
    },
    FileFormat {
        name: "VTK XML grid",
        endings: &["vtu"],
        starts: &[b"<VTKFile", b"<?xml"],
        read: |b| boxed(vtk::read_foreign(b)),
    },
    FileFormat { name: "STL", endings: &["stl"], starts: &[b"solid"], read: |b| boxed(stl::read(b)) },
    FileFormat {
        name: "I-DEAS universal",
        endings: &["unv"],
        starts: &[b"-1\n", b"-1\r\n"],
        read: |b| boxed(unv::read(b)),
    },
    FileFormat { name: "MED", endings: &["med", "rmed", "mmed"], starts: &[b"\x89HDF"], read: |b| boxed(med::read(b)) },
    FileFormat { name: "OBJ", endings: &["obj"], starts: &[], read: |b| boxed(obj::read(b)) },
];

fn boxed<T: MeshFile + 'static>(read: Result<T, MeshError>) -> AnyMesh {
    read.map(|file| Box::new(file) as Box<dyn MeshFile>)
}

/// The format of a file, by its first bytes or the ending of its name (without the dot).
#[must_use]
pub fn find(ending: &str, bytes: &[u8]) -> Option<&'static FileFormat> {
    let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    let by_start = FORMATS.iter().find(|format| format.starts.iter().any(|s| start.starts_with(s)));
    let ending = ending.to_lowercase();
    by_start.or_else(|| FORMATS.iter().find(|format| format.endings.contains(&ending.as_str())))
}

impl FileFormat {
    /// Reads a file of this format from its bytes.
    ///
    /// # Errors
    /// If the bytes are not of this format, are damaged, or contradict themselves.
    pub fn read(&self, bytes: &[u8]) -> Result<Box<dyn MeshFile>, MeshError> {
        (self.read)(bytes)
    }
}

/// Reads a mesh file from its bytes, in the format that [`find`] sees, else gmsh's.
///
/// # Errors
/// As [`FileFormat::read`].
pub fn read(ending: &str, bytes: &[u8]) -> Result<Box<dyn MeshFile>, MeshError> {
    find(ending, bytes).unwrap_or(&FORMATS[0]).read(bytes)
}

/// The formats, for messages.
#[must_use]
pub fn names() -> String {
    let names: Vec<String> = FORMATS.iter().map(|f| format!("{} (.{})", f.name, f.endings.join(", ."))).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_decide_before_the_ending() {
        let name = |ending: &str, bytes: &[u8]| find(ending, bytes).map(|format| format.name);
        assert_eq!(name("inp", b"\n$MeshFormat\n"), Some("gmsh (MSH 2.2 or 4.1)"));
        assert_eq!(name("txt", b"*Heading\n"), Some("Abaqus or CalculiX"));
        assert_eq!(name("INP", b"*MATERIAL\n"), Some("Abaqus or CalculiX"));
        assert_eq!(name("vtu", b"<?xml?><VTKFile"), Some("VTK XML grid"));
        assert_eq!(name("stl", &[0; 100]), Some("STL"));
        assert_eq!(name("obj", b"# x"), Some("OBJ"));
        assert_eq!(name("txt", b"    -1\n  2411\n"), Some("I-DEAS universal"));
        assert_eq!(name("txt", b"\x89HDF\r\n\x1a\n"), Some("MED"));
        assert_eq!(name("exo", b"CDF"), None);
    }
}
