//! `line-1.csv`, …: a field along a line of the `verify` block, at the step nearest to its time.
//!
//! A step after a checkpoint may replace a file that the checkpoint speaks of, so the text is in the checkpoint too; it reads back to the same bits.

use delassus_error::FileError;
use delassus_sim::observer::Frame;
use delassus_verify::history::{History, parse};

use super::{Writer, WriterCursor};
use crate::error::RunError;
use crate::records::{LineRecord, Records};
use crate::results::Folder;

/// Writes the lines as they are recorded.
pub struct LineFiles {
    folder: Folder,
    /// Times of the records that are in the files \[s\].
    written: Vec<Option<f64>>,
}

/// The file of line `k`, from 0.
#[must_use]
pub fn line_file(k: usize, ending: &str) -> String {
    format!("line-{}.{ending}", k + 1)
}

impl LineFiles {
    /// Files go into the folder.
    #[must_use]
    pub fn new(folder: &Folder, records: &Records) -> Self {
        Self { folder: folder.clone(), written: vec![None; records.lines().count()] }
    }
}

/// The content of a line's file.
fn text_of(record: &History) -> String {
    let rows: String = record.rows().iter().map(|row| History::line(row) + "\n").collect();
    format!("{}\n{rows}", record.header())
}

impl<const D: usize> Writer<D> for LineFiles {
    fn write(&mut self, _: &Frame<'_, D>, records: &Records) -> Result<(), RunError> {
        for (k, ((_, found), written)) in records.lines().zip(&mut self.written).enumerate() {
            let Some(LineRecord { time, record }) = found else { continue };
            if written.is_none_or(|known| known.to_bits() != time.to_bits()) {
                self.folder.write(&line_file(k, "csv"), text_of(record).as_bytes())?;
                *written = Some(*time);
            }
        }
        Ok(())
    }

    fn cursor(&self, records: &Records) -> WriterCursor {
        let written = records.lines().enumerate().filter_map(|(k, (_, found))| {
            let LineRecord { time, record } = found?;
            Some((*time, line_file(k, "csv"), text_of(record)))
        });
        WriterCursor::Lines(written.collect())
    }

    fn resume(&mut self, cursor: &WriterCursor, records: &mut Records) -> Result<(), RunError> {
        let WriterCursor::Lines(saved) = cursor else { return Ok(()) };
        for (k, written) in self.written.iter_mut().enumerate() {
            let Some((time, file, text)) = saved.iter().find(|(_, f, _)| *f == line_file(k, "csv")) else { continue };
            let path = self.folder.file(file);
            let failed = |source| FileError { action: "continue", path: path.clone(), source };
            // Without candidates on it a line has no rows.
            let record = if text.lines().count() > 1 {
                parse(text, false).map_err(|fault| failed(std::io::Error::other(fault.to_string())))?
            } else {
                records.empty_line(k, *time)
            };
            self.folder.write(file, text.as_bytes())?;
            *written = Some(*time);
            records.set_line(k, vec![LineRecord { time: *time, record }]);
        }
        Ok(())
    }
}
