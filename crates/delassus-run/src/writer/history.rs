//! `history.csv`: a row per accepted step.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::PathBuf;

use delassus_case::hash::hexadecimal;
use delassus_error::FileError;
use delassus_sim::observer::{Frame, Observer, ObserverError};
use delassus_sim::record::{Columns, Row};
use delassus_sim::space::{Dimension, Space};
use delassus_verify::history::{History, parse};
use delassus_verify::{ExactCurves, exact_column};
use sha2::{Digest, Sha256};

use super::{Writer, WriterCursor};
use crate::error::RunError;
use crate::files::{self, EntryKind};
use crate::results::Folder;

/// Writes rows as they come and keeps them for the verification at the end.
pub struct HistoryFile {
    columns: Columns,
    /// Exact solution and references, whose curves go beside the computed ones.
    exact: ExactCurves,
    /// All rows so far.
    pub history: History,
    path: PathBuf,
    /// Once there is something to write.
    file: Option<File>,
    /// What the file holds.
    bytes: u64,
    hash: Sha256,
}

impl HistoryFile {
    /// The file is created with the first row.
    #[must_use]
    pub fn new(folder: &Folder, columns: Columns, exact: ExactCurves) -> Self {
        let mut names = columns.names();
        names.extend(exact.columns().iter().map(|c| exact_column(c)));
        let (history, path) = (History::new(names), folder.file("history.csv"));
        Self { columns, exact, history, path, file: None, bytes: 0, hash: Sha256::new() }
    }

    fn failed(&self, action: &'static str) -> impl FnOnce(std::io::Error) -> RunError + use<> {
        let path = self.path.clone();
        move |source| FileError { action, path, source }.into()
    }

    /// One whole line in one write, so that a killed run leaves whole lines.
    fn line(&mut self, text: &str) -> Result<(), RunError> {
        let line = format!("{text}\n");
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(files::create(&self.path)?),
        };
        if let Err(source) = file.write_all(line.as_bytes()) {
            // Half a line would be worse than none.
            let _ = file.set_len(self.bytes);
            return Err(self.failed("write")(source));
        }
        self.bytes += line.len() as u64;
        self.hash.update(&line);
        Ok(())
    }

    /// Waits until everything is on the disk.
    pub fn synchronise(&self) -> Result<(), RunError> {
        self.file.as_ref().map_or(Ok(()), |f| f.sync_data().map_err(self.failed("write")))
    }
}

impl<const D: usize> Observer<D> for HistoryFile
where
    Dimension<D>: Space<D>,
{
    fn observe(&mut self, frame: &Frame<'_, D>) -> Result<(), ObserverError> {
        let Frame { step, snapshot, ledger, outcome, seen, .. } = *frame;
        let mut row = self.columns.row(frame.model, &Row { step, snapshot, ledger, outcome, seen });
        row.extend(self.exact.values(snapshot.time(), outcome.map_or(0.0, |o| o.h)));
        let line = History::line(&row);
        if self.bytes == 0 {
            let header = self.history.header();
            self.line(&header)?;
        }
        self.history.push(row);
        Ok(self.line(&line)?)
    }
}

impl<const D: usize> Writer<D> for HistoryFile
where
    Dimension<D>: Space<D>,
{
    fn cursor(&self) -> WriterCursor {
        WriterCursor::Text { bytes: self.bytes, sha256: hexadecimal(&self.hash.clone().finalize()) }
    }

    /// Rows that came later are cut off.
    fn resume(&mut self, cursor: &WriterCursor) -> Result<(), RunError> {
        let WriterCursor::Text { bytes, .. } = cursor else { return Ok(()) };
        if *bytes == 0 && EntryKind::of(&self.path)? == EntryKind::Missing {
            return Ok(());
        }
        let mut file = files::open(&self.path)?;
        let text = files::read_first(&mut file, *bytes).map_err(self.failed("read"))?;
        let damaged = |reason: String| FileError {
            action: "continue",
            path: self.path.clone(),
            source: std::io::Error::new(std::io::ErrorKind::InvalidData, reason),
        };
        let text = String::from_utf8(text).map_err(|e| damaged(e.to_string()))?;
        if !text.is_empty() {
            self.history =
                parse(&text, false).map_err(|fault| damaged(format!("line {}: {}", fault.line, fault.reason)))?;
        }
        file.set_len(*bytes).map_err(self.failed("cut"))?;
        file.seek(SeekFrom::End(0)).map_err(self.failed("open"))?;
        (self.file, self.bytes, self.hash) = (Some(file), *bytes, Sha256::new());
        self.hash.update(&text);
        Ok(())
    }
}
