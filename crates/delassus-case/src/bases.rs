//! Cases that include another: `base: "other.ron"`. The keys of the case replace those of its base, which may have a base itself.
//!
//! Names of files are relative to the text that they are written in.

use std::path::{Path, PathBuf};

use delassus_error::input::{self, read_file};
use delassus_error::{Code, excerpt};

use crate::codes;
use crate::error::CaseError;
use crate::files::for_each_file;
use crate::refused::{not_a_case, refused, shown_name};
use crate::sign::is_case_like;
use crate::source::{Document, Language};
use crate::spec::Case;

/// Texts that may lie over each other.
const MOST_BASES: usize = 16;

/// The key that names the other text.
const KEY: &str = "base";

/// A text with all of its bases in it.
pub(crate) struct Based {
    /// The whole.
    pub document: Document,
    /// The folders of the texts, from the lowest base upwards; empty without a base.
    folders: Vec<PathBuf>,
}

impl Based {
    /// Reads the bases of a text that stands at a path.
    pub fn read(document: Document, path: &Path) -> Result<Self, CaseError> {
        let mut texts = vec![(document, path.to_owned())];
        let mut seen: Vec<PathBuf> = path.canonicalize().into_iter().collect();
        while let Some((upper, of)) = texts.last()
            && let Some(name) = base_of(upper)?
        {
            let file = folder_of(of).join(&name);
            let problem = |code: Code, message: String| {
                let problem = upper.problem(code, KEY, message);
                refused(&upper.diagnostics(vec![problem]), Vec::new())
            };
            let known = file.canonicalize().unwrap_or_else(|_| file.clone());
            if seen.contains(&known) {
                let message = format!("`{}` is a base of itself", excerpt(&name));
                return Err(problem(codes::BASE_CYCLE, message));
            }
            if texts.len() > MOST_BASES {
                return Err(problem(codes::BASE_CYCLE, format!("more than {MOST_BASES} bases lie over each other")));
            }
            let text = text_of(&file).map_err(|why| problem(codes::BASE_UNREAD, why))?;
            let language = Language::of(&file);
            if language != upper.language() {
                let (own, other) = (upper.language().name(), language.name());
                let message = format!("the case is in {own} and its base in {other}: both must be in one of them");
                return Err(problem(codes::BASE_LANGUAGE, message));
            }
            let shown = shown_name(&file);
            let read = Document::of(language, &text, &shown);
            let read = read.map_err(|d| if is_case_like(&text) { refused(&d, Vec::new()) } else { not_a_case(&shown) });
            seen.push(known);
            texts.push((read?, file));
        }
        Self::join(texts)
    }

    /// One text of several, of which each is the base of the one before.
    fn join(mut texts: Vec<(Document, PathBuf)>) -> Result<Self, CaseError> {
        texts.reverse();
        let several = texts.len() > 1;
        let folders = texts.iter().filter(|_| several).map(|(_, path)| folder_of(path).to_owned()).collect();
        let mut texts = texts.into_iter().map(|(document, _)| document);
        let Some(mut document) = texts.next() else { return Err(not_a_case("")) };
        for upper in texts {
            document = upper.over(document, KEY).map_err(|d| refused(&d, Vec::new()))?;
        }
        Ok(Self { document, folders })
    }

    /// Files that a base names are found from its own folder.
    pub fn place_files(&self, case: &mut Case) {
        let Some(top) = self.folders.last() else { return };
        for_each_file(case, |path, name| {
            let origin = self.document.origin_of(path).and_then(|k| self.folders.get(k));
            if let Some(folder) = origin.filter(|folder| *folder != top && Path::new(name.as_str()).is_relative()) {
                // From the top's folder, where all names of the case start.
                let file = folder.join(name.as_str());
                *name = file.strip_prefix(top).map_or_else(|_| absolute(&file), Path::to_owned).display().to_string();
            }
        });
    }

    /// Is the text made of several?
    pub fn has_base(&self) -> bool {
        !self.folders.is_empty()
    }
}

fn absolute(file: &Path) -> PathBuf {
    file.canonicalize().or_else(|_| std::path::absolute(file)).unwrap_or_else(|_| file.to_owned())
}

fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

/// The base that a text names.
fn base_of(document: &Document) -> Result<Option<String>, CaseError> {
    let Some(value) = document.tree().root().unwrapped().field(KEY).map(|v| v.unwrapped()) else { return Ok(None) };
    if value.text() == "None" || value.text() == "null" {
        return Ok(None);
    }
    value.string().filter(|name| !name.is_empty()).map(Some).ok_or_else(|| {
        let message = format!("expected the name of a case file in quotes, found {}", value.describe());
        let problem = document.problem(codes::WRONG_TYPE, KEY, message);
        refused(&document.diagnostics(vec![problem]), Vec::new())
    })
}

/// The text of a base, or why there is none.
fn text_of(file: &Path) -> Result<String, String> {
    let bytes = read_file(file, input::CASE).map_err(|e| e.to_string())?;
    String::from_utf8(bytes).map_err(|e| {
        format!("{}: not a text file (byte {} is not UTF-8)", file.display(), e.utf8_error().valid_up_to())
    })
}
