//! Frames of a run: `name/name_000123.vtu`, and the collection `name.pvd` that lists them with their times.

use delassus_case::spec::{NumberPrecision, OutputSpec};
use delassus_mesh::vtk::{Grid, VtuEncoding, write_pvd, write_vtu};
use delassus_sim::observer::Frame;

use super::{WriterCursor, WrittenFile};
use crate::error::RunError;
use crate::results::Folder;

/// Writes frames, and the collection after each.
pub struct Frames {
    folder: Folder,
    name: &'static str,
    encoding: VtuEncoding,
    written: Vec<WrittenFile>,
}

impl Frames {
    /// Frames go into the folder `name` of the results.
    #[must_use]
    pub fn new(folder: &Folder, name: &'static str, output: &OutputSpec) -> Self {
        let encoding = VtuEncoding { single: output.precision == NumberPrecision::Single, compress: output.compress };
        Self { folder: folder.clone(), name, encoding, written: Vec::new() }
    }

    /// Writes one frame and the collection that lists it.
    pub fn write<const D: usize>(&mut self, frame: &Frame<'_, D>, grid: &Grid<'_>) -> Result<(), RunError> {
        let Self { folder, name, encoding, written } = self;
        let time = frame.snapshot.time();
        let file = format!("{name}/{name}_{:06}.vtu", frame.step);
        let vtk = |path: &str| {
            let path = folder.file(path);
            move |source| RunError::Vtk { path, source }
        };
        if written.is_empty() {
            folder.make(name)?;
        }
        let mut bytes = Vec::new();
        write_vtu(&mut bytes, time, grid, *encoding).map_err(vtk(&file))?;
        folder.write(&file, &bytes)?;
        written.push(WrittenFile::of(time, &file, &bytes));
        let entries: Vec<(f64, &str)> = written.iter().map(|w| (w.time, w.file.as_str())).collect();
        let collection = format!("{name}.pvd");
        let mut bytes = Vec::new();
        write_pvd(&mut bytes, &entries).map_err(vtk(&collection))?;
        Ok(folder.write(&collection, &bytes)?)
    }

    /// What is written.
    #[must_use]
    pub fn cursor(&self) -> WriterCursor {
        WriterCursor::Frames(self.written.clone())
    }

    /// Goes on behind what was written then; later frames are written again.
    pub fn resume(&mut self, cursor: &WriterCursor) {
        if let WriterCursor::Frames(written) = cursor {
            self.written.clone_from(written);
        }
    }
}
