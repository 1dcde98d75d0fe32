//! `history.csv`: a row per accepted step.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::PathBuf;

use delassus_case::hash::hexadecimal;
use delassus_error::FileError;
use delassus_sim::observer::Frame;
use delassus_verify::history::{History, parse};
use sha2::{Digest, Sha256};

use super::{Writer, WriterCursor};
use crate::error::RunError;
use crate::files::{self, EntryKind};
use crate::records::Records;
use crate::results::Folder;

/// Writes rows as they come.
pub struct HistoryFile {
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
    pub fn new(folder: &Folder) -> Self {
        Self { path: folder.file("history.csv"), file: None, bytes: 0, hash: Sha256::new() }
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
}

impl<const D: usize> Writer<D> for HistoryFile {
    fn write(&mut self, _: &Frame<'_, D>, records: &Records) -> Result<(), RunError> {
        let history = records.history();
        let Some(row) = history.rows().last() else { return Ok(()) };
        if self.bytes == 0 {
            self.line(&history.header())?;
        }
        self.line(&History::line(row))
    }

    fn cursor(&self, _: &Records) -> WriterCursor {
        WriterCursor::Text { bytes: self.bytes, sha256: hexadecimal(&self.hash.clone().finalize()) }
    }

    /// Rows that came later are cut off.
    fn resume(&mut self, cursor: &WriterCursor, records: &mut Records) -> Result<(), RunError> {
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
            let rows = parse(&text, false);
            records.set_history(rows.map_err(|fault| damaged(format!("line {}: {}", fault.line, fault.reason)))?);
        }
        file.set_len(*bytes).map_err(self.failed("cut"))?;
        file.seek(SeekFrom::End(0)).map_err(self.failed("open"))?;
        (self.file, self.bytes, self.hash) = (Some(file), *bytes, Sha256::new());
        self.hash.update(&text);
        Ok(())
    }
    /// Waits until everything is on the disk.
    fn synchronise(&self) -> Result<(), RunError> {
        self.file.as_ref().map_or(Ok(()), |f| f.sync_data().map_err(self.failed("write")))
    }
}
