//! `history.csv`: a row per accepted step.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;

use delassus_contact::{NarrowPhase, NodeToFacet};

use super::{Frame, Observer};
use crate::error::SimError;
use crate::history::History;
use crate::record::{Columns, Row};
use crate::results::Folder;

/// Writes rows as they come and keeps them for the verification at the end.
pub struct HistoryFile {
    columns: Columns,
    /// All rows so far.
    pub history: History,
    file: File,
    path: PathBuf,
}

impl HistoryFile {
    /// Creates the file with its header.
    pub fn create(folder: &Folder, columns: Columns) -> Result<Self, SimError> {
        let path = folder.file("history.csv");
        let file =
            File::create(&path).map_err(|source| SimError::Io { action: "create", path: path.clone(), source })?;
        let history = History::new(columns.all_names());
        let mut out = Self { columns, history, file, path };
        let header = out.history.header();
        out.line(&header)?;
        Ok(out)
    }

    /// One whole line in one write, so that a killed run leaves whole lines.
    fn line(&mut self, text: &str) -> Result<(), SimError> {
        self.file.write_all(format!("{text}\n").as_bytes()).map_err(|source| SimError::Io {
            action: "write",
            path: self.path.clone(),
            source,
        })
    }
}

impl<const D: usize> Observer<D> for HistoryFile
where
    NodeToFacet: NarrowPhase<D>,
{
    fn observe(&mut self, frame: &Frame<'_, D>) -> Result<(), SimError> {
        let Frame { step, snapshot, ledger, outcome, .. } = *frame;
        let row = self.columns.row(frame.model, &Row { step, snapshot, ledger, outcome });
        let line = History::line(&row);
        self.history.push(row);
        self.line(&line)
    }
}
