//! The lines of a file of a DATBOX.
//!
//! Files have comments (`!`, `#`), lines with a `$` that begin something, and lines of data: words, and values behind `key=`. A number may have an exponent of D or E.

use delassus_error::excerpt;

use super::DatboxError;

/// A line of data.
#[derive(Clone, Debug)]
pub struct RecordLine {
    /// Its file.
    pub file: &'static str,
    /// Number from 1.
    pub number: usize,
    /// Its text.
    pub text: String,
}

impl RecordLine {
    /// The words of the line.
    pub fn words(&self) -> Vec<&str> {
        self.text.split_whitespace().collect()
    }

    /// What is wrong with the line.
    pub fn fault(&self, wanted: &str) -> DatboxError {
        let (file, line, found) = (self.file, self.number, excerpt(self.text.trim()));
        DatboxError::RecordLine { file, line, found, wanted: wanted.to_owned() }
    }

    /// Something in the line that this program does not have.
    pub fn lacks(&self, what: String, remedy: &'static str) -> DatboxError {
        DatboxError::Lacks { file: self.file, line: self.number, what, remedy }
    }

    /// The word behind `key=`, where the key is a word of its own; blanks may stand before the sign.
    pub fn word(&self, key: &str) -> Option<&str> {
        let mut from = 0;
        while let Some(at) = self.text[from..].find(key).map(|k| from + k) {
            let (before, after) = (&self.text[..at], &self.text[at + key.len()..]);
            if before.chars().next_back().is_none_or(char::is_whitespace)
                && let Some(value) = after.trim_start().strip_prefix('=')
            {
                return value.split_whitespace().next();
            }
            from = at + key.len();
        }
        None
    }
}

/// A finite number, with an exponent of D or E.
pub fn number(word: &str) -> Option<f64> {
    word.replace(['D', 'd'], "E").parse::<f64>().ok().filter(|x| x.is_finite())
}

/// The lines of data behind a word with `$`.
#[derive(Clone, Debug)]
pub struct RecordSection {
    /// The word, without its `$`.
    pub name: String,
    /// The lines.
    pub lines: Vec<RecordLine>,
}

impl RecordSection {
    /// The number behind a key, in any of the lines.
    pub fn find(&self, key: &str) -> Option<Result<f64, DatboxError>> {
        let (line, word) = self.lines.iter().find_map(|l| Some((l, l.word(key)?)))?;
        Some(number(word).ok_or_else(|| line.fault(&format!("`{key}=` and a finite number"))))
    }

    /// The number behind a key, that must be there.
    pub fn get(&self, key: &str) -> Result<f64, DatboxError> {
        self.find(key).unwrap_or_else(|| {
            let fault = |line: &RecordLine| line.fault(&format!("a line with `{key}=`"));
            Err(self.lines.first().map_or(DatboxError::Empty { file: "", wanted: key.to_owned() }, fault))
        })
    }

    /// The number behind a key, 0 where it is not given.
    pub fn or_zero(&self, key: &str) -> Result<f64, DatboxError> {
        self.find(key).unwrap_or(Ok(0.0))
    }
}

/// The sections of a file in their order; `$$$$$$` ends one and begins none.
pub fn sections(file: &'static str, text: &str) -> Vec<RecordSection> {
    let mut out: Vec<RecordSection> = Vec::new();
    let mut is_open = false;
    for (k, line) in text.lines().enumerate() {
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with(['!', '#']) {
            continue;
        }
        if let Some(name) = trimmed.strip_prefix('$') {
            let name = name.split_whitespace().next().unwrap_or_default();
            is_open = !name.starts_with('$');
            if is_open {
                out.push(RecordSection { name: name.to_owned(), lines: Vec::new() });
            }
            continue;
        }
        if let Some(section) = out.last_mut().filter(|_| is_open) {
            section.lines.push(RecordLine { file, number: k + 1, text: line.to_owned() });
        }
    }
    out
}
