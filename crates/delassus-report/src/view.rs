//! `view.py`: a state file for ParaView that shows a results folder (`paraview --state=view.py`, or File > Load State).

use std::path::{Path, PathBuf};

use delassus_run::lock::{Holder, Lock};
use delassus_run::results::Folder;

use crate::error::ReportError;
use crate::folder::Results;

/// Name of the state file in its results folder.
pub const VIEW: &str = "view.py";

/// What ParaView carries out.
const STATE: &str = include_str!("view.py");

/// Writes the state file of a results folder into it.
///
/// # Errors
/// No results folder, one without frames, or one in use.
pub fn write_view(folder: &Path) -> Result<PathBuf, ReportError> {
    Results::check_folder(folder)?;
    if !folder.join("fields.pvd").is_file() {
        return Err(ReportError::NoPictures(folder.to_owned()));
    }
    let _lock = Lock::take(folder, Holder::Report)?;
    let out = Folder::open(folder);
    // ParaView runs a state without telling it where it lies.
    let place = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    out.write(VIEW, STATE.replacen("FOLDER_OF_RESULTS", &quoted(&place.to_string_lossy()), 1).as_bytes())?;
    Ok(out.file(VIEW))
}

/// A text as a literal of Python.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out += &format!("\\x{:02x}", c as u32),
            c => out.push(c),
        }
    }
    out + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_cannot_end_the_literal() {
        assert_eq!(quoted("a\"b\\c\n"), "\"a\\\"b\\\\c\\x0a\"");
        assert_eq!(STATE.matches("FOLDER_OF_RESULTS").count(), 1);
    }
}
