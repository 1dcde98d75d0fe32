//! A case with `stages`: one run after the other, each in a folder of its own within the results folder, and each from the end of the one before (`run --from`).
//!
//! ```text
//! results/press/            history.csv, fields.pvd, …: all stages together
//!   1-close/                a results folder like any other
//!   2-pull/
//! ```
//!
//! Each stage has its own checkpoints, verdict and report, so that everything that holds for a run holds for a stage: also that a resumed one has the same bits.

use std::path::{Path, PathBuf};

use delassus_case::Loaded;
use delassus_error::InternalError;
use delassus_mesh::vtk::{read_pvd, write_pvd};

use crate::error::RunError;
use crate::files;
use crate::results::{Contents, Folder};

/// One part of a run.
pub struct StageRun {
    /// Its name.
    pub name: String,
    /// Where its results go.
    pub folder: PathBuf,
    /// Its case.
    pub case: Loaded,
}

/// The stages of a case whose results go into a folder, in their order. All of them have been checked.
///
/// # Errors
/// What is wrong with a case of a stage; [`RunError::Occupied`] for a folder that holds a run.
pub fn stages_of(loaded: &Loaded, out: &Path) -> Result<Vec<StageRun>, RunError> {
    if Contents::of(out)?.has_mark() {
        return Err(RunError::Occupied(out.to_owned()));
    }
    let named = loaded.case.stages.iter().map(|stage| stage.name.clone()).zip(loaded.stages()?);
    let stage = |(k, (name, case)): (usize, (String, Loaded))| {
        let folder = out.join(format!("{}-{}", k + 1, name.replace(' ', "-")));
        StageRun { name, folder, case }
    };
    let stages: Vec<StageRun> = named.enumerate().map(stage).collect();
    for StageRun { case, .. } in &stages {
        match case.case.dimension {
            2 => drop(case.model::<2>()?),
            3 => drop(case.model::<3>()?),
            other => return Err(case.unsupported_dimension(other).into()),
        }
    }
    Ok(stages)
}

/// Writes the frames and rows of all stages together into their common folder: collections of the frames of the stages, and one history where
/// the stages have the same columns. What a stage begins with is what the one before ended with, and stands there once.
///
/// # Errors
/// Files that cannot be read or written.
pub fn join_stages(out: &Path, stages: &[StageRun]) -> Result<(), RunError> {
    let folder = Folder::open(out);
    for name in ["fields.pvd", "contacts.pvd", "contact_surfaces.pvd", "obstacles.pvd", "joints.pvd", "chains.pvd"] {
        let mut entries: Vec<(f64, String)> = Vec::new();
        for stage in stages {
            let Some(bytes) = files::read(&stage.folder.join(name))? else { continue };
            let read = read_pvd(&bytes).map_err(|e| InternalError(format!("{name} of stage `{}`: {e}", stage.name)))?;
            let within = stage.folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let last = entries.last().map(|(time, _)| *time);
            let new = read.into_iter().filter(|(time, _)| last.is_none_or(|last| *time > last));
            entries.extend(new.map(|(time, file)| (time, format!("{within}/{file}"))));
        }
        if entries.is_empty() {
            continue;
        }
        let named: Vec<(f64, &str)> = entries.iter().map(|(time, file)| (*time, file.as_str())).collect();
        let mut bytes = Vec::new();
        write_pvd(&mut bytes, &named).map_err(|source| RunError::Vtk { path: folder.file(name), source })?;
        folder.write(name, &bytes)?;
    }
    let mut rows = Vec::new();
    for stage in stages {
        rows.extend(files::read(&stage.folder.join(HISTORY))?);
    }
    if let Some(history) = joined_rows(&rows) {
        folder.write(HISTORY, &history)?;
    }
    Ok(())
}

const HISTORY: &str = "history.csv";

/// Histories one after the other, without the first rows of the later ones; nothing if their columns differ.
fn joined_rows(tables: &[Vec<u8>]) -> Option<Vec<u8>> {
    let heading = |table: &[u8]| table.split_inclusive(|&byte| byte == b'\n').next().map(<[u8]>::to_vec);
    let first = heading(tables.first()?)?;
    if tables.iter().any(|table| heading(table).as_ref() != Some(&first)) {
        return None;
    }
    let mut out = tables.first()?.clone();
    for table in &tables[1..] {
        // The heading, and the state that the stage before ended with.
        table.split_inclusive(|&byte| byte == b'\n').skip(2).for_each(|row| out.extend_from_slice(row));
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_follow_one_another() {
        let tables = ["a,b\n0,1\n1,2\n", "a,b\n1,2\n2,3\n"].map(|t| t.as_bytes().to_vec());
        assert_eq!(joined_rows(&tables).unwrap(), b"a,b\n0,1\n1,2\n2,3\n");
        let others = ["a,b\n0,1\n", "a,c\n1,2\n"].map(|t| t.as_bytes().to_vec());
        assert!(joined_rows(&others).is_none() && joined_rows(&[]).is_none());
    }
}
