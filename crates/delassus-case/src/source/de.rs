//! From text to values, with every independent problem found and located.
//!
//! serde stops at the first error. So when the whole text is refused, its top-level values, and the items of its
//! top-level lists, are read once more each from its own slice: three broken bodies give three problems. The
//! caller passes the type of each key in a table of [`KeyProbe`]s.

use std::collections::BTreeMap;

use ron::Options;
use ron::error::SpannedError;
use ron::extensions::Extensions;
use serde::de::DeserializeOwned;

use super::diagnostic::{Diagnostic, Diagnostics};
use super::document::Document;
use super::expand::{Expanded, Expansion};
use super::json::{self, Language};
use super::nouns::Noun;
use super::path::{path_of, variant};
use super::place::{locate, offset};
use super::tree::{NodeKind, Span, TextNode, Tree};
use super::words::{choice, explain};
use crate::codes;

/// No more problems than this are collected.
pub const MAX_PROBLEMS: usize = 200;

/// ron counts up to four levels of recursion for one bracket of the text, and the tree has limited the brackets.
const RECURSION_LIMIT: usize = 4 * super::tree::MAX_DEPTH;

/// How cases are read: `Some(…)` may be left out, and the brackets of newtypes and of variants that wrap a
/// struct too, so that users write `Theta(theta: 0.5)`.
pub fn options() -> Options {
    let extensions = Extensions::IMPLICIT_SOME | Extensions::UNWRAP_NEWTYPES | Extensions::UNWRAP_VARIANT_NEWTYPES;
    Options::default().with_default_extension(extensions).with_recursion_limit(RECURSION_LIMIT)
}

/// How to try the value of a top-level key by itself.
#[derive(Clone, Copy, Debug)]
pub struct KeyProbe {
    /// Whether the value is a list whose items are tried one by one.
    pub list: bool,
    /// Reads the value, or the item, from its own text.
    pub check: fn(&str) -> Result<(), SpannedError>,
    /// The same of JSON.
    pub check_json: fn(&str) -> Result<(), serde_json::Error>,
}

impl KeyProbe {
    /// The value of the key is a `T`.
    pub fn value<T: DeserializeOwned>() -> Self {
        Self { list: false, check: check::<T>, check_json: check_json::<T> }
    }

    /// The value of the key is a list of `T`.
    pub fn list<T: DeserializeOwned>() -> Self {
        Self { list: true, check: check::<T>, check_json: check_json::<T> }
    }
}

fn check<T: DeserializeOwned>(text: &str) -> Result<(), SpannedError> {
    options().from_str::<T>(text).map(drop)
}

fn check_json<T: DeserializeOwned>(text: &str) -> Result<(), serde_json::Error> {
    serde_json::from_str::<T>(text).map(drop)
}

/// Reads a text; the first problem of serde, and all keys given twice.
pub fn from_text<T: DeserializeOwned>(text: &str, file: &str) -> Result<T, Diagnostics> {
    Document::new(text, file)?.read()
}

/// Reads a text; returns all independent problems. `probes` has every key of the top level, `required` those
/// that must.
pub fn collect<T: DeserializeOwned>(
    text: &str,
    file: &str,
    probes: &[(&str, KeyProbe)],
    required: &[&str],
) -> Result<T, Diagnostics> {
    Document::new(text, file)?.collect(probes, required)
}

/// Keys given twice, in structs and maps alike (serde would let the last entry of a map win in silence).
pub(super) fn duplicates(tree: &Tree, file: &str) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for node in tree.nodes().filter(|node| matches!(node.kind(), NodeKind::Struct | NodeKind::Map)) {
        let mut first: BTreeMap<(bool, String), TextNode<'_>> = BTreeMap::new();
        for child in node.children() {
            let (Some(key), Some(written), Some(span)) = (child.key(), child.written_key(), child.key_span()) else {
                continue;
            };
            // In a map the string "1" and the number 1 are different keys.
            let is_string = written.starts_with('"') || written.ends_with(['"', '#']);
            if let Some(before) = first.get(&(is_string, key.clone())) {
                // Within a struct too: each costs the length of its line.
                if found.len() >= MAX_PROBLEMS {
                    return found;
                }
                let (line, _) = tree.line_at(before.key_span().map_or(0, |span| span.start));
                let message = format!("`{key}` is given twice; first in line {line}");
                found.push(Diagnostic::new(codes::KEY_TWICE, tree, file, span, path_of(child), message));
            } else {
                first.insert((is_string, key), child);
            }
        }
    }
    found
}

/// A text being read: its places, and its units replaced.
pub(super) struct Reading<'t> {
    /// The places of the values as written.
    pub tree: &'t Tree,
    /// The file as the user named it.
    pub file: &'t str,
    /// Its units.
    pub units: Expansion,
    /// What it is written in.
    pub language: Language,
    /// What its choices are called.
    pub nouns: &'static [Noun],
}

impl Reading<'_> {
    /// The whole text as serde reads it.
    pub fn whole(&self) -> Expanded {
        self.units.slice(self.tree, "", Span::new(0, self.tree.text().len()))
    }

    /// The problem that an error of ron is.
    pub fn diagnose(&self, read: &Expanded, error: &SpannedError) -> Diagnostic {
        let mapped = |position| read.written(offset(&read.text, position));
        let place = locate(self.tree, &error.code, mapped(error.span.start), mapped(error.span.end));
        let (code, message, help) = explain(&error.code, &place, self.nouns);
        Diagnostic { help, ..Diagnostic::new(code, self.tree, self.file, place.span, place.path, message) }
    }

    /// What is wrong with the keys at the top and with the value of each.
    pub fn probe(&self, probes: &[(&str, KeyProbe)], required: &[&str]) -> Vec<Diagnostic> {
        let (tree, file) = (self.tree, self.file);
        let root = tree.root().unwrapped();
        if !matches!(root.kind(), NodeKind::Struct | NodeKind::Unit | NodeKind::Map) {
            return Vec::new();
        }
        let mut found = Vec::new();
        for &key in required.iter().filter(|key| root.field(key).is_none()) {
            let message = format!("the field `{key}` is missing");
            let help = self.language.add(key);
            found.push(Diagnostic::new(codes::MISSING_FIELD, tree, file, root.head(), "", message).with_help(help));
        }
        let keys: Vec<&str> = probes.iter().map(|(key, _)| *key).collect();
        for child in root.children() {
            let (Some(key), Some(span)) = (child.key(), child.key_span()) else {
                continue;
            };
            match probes.iter().find(|(known, _)| *known == key) {
                Some((_, probe)) => self.probe_value(child, *probe, &mut found),
                None => {
                    let (path, message) = (path_of(child), format!("no field `{key}`"));
                    let diagnostic = Diagnostic::new(codes::UNKNOWN_FIELD, tree, file, span, path, message);
                    found.push(diagnostic.with_help(choice(&key, &keys, "fields")));
                }
            }
            if found.len() >= MAX_PROBLEMS {
                break;
            }
        }
        found.truncate(MAX_PROBLEMS);
        found
    }

    fn probe_value(&self, value: TextNode<'_>, probe: KeyProbe, found: &mut Vec<Diagnostic>) {
        let (tree, file) = (self.tree, self.file);
        let list = value.unwrapped();
        let parts: Vec<TextNode<'_>> = match list.kind() {
            NodeKind::List if probe.list => list.children().collect(),
            // An optional list that is absent has nothing to try.
            NodeKind::None if probe.list => Vec::new(),
            NodeKind::Ident if probe.list && self.language == Language::Json => Vec::new(),
            // A name that stands for a list: the whole text tells what is wrong with it.
            _ if probe.list && (list.name().is_some() || variant(list).is_some()) => Vec::new(),
            _ if probe.list => {
                let message = format!("expected a list [ … ], found {}", list.describe());
                found.push(Diagnostic::new(codes::WRONG_TYPE, tree, file, list.span(), path_of(list), message));
                return;
            }
            _ => vec![value],
        };
        // The attributes of the file hold for its slices too.
        let prefix = match tree.attributes() {
            "" => String::new(),
            attributes => format!("{attributes}\n"),
        };
        for part in parts {
            if self.language == Language::Json {
                let read = self.units.slice(tree, "", part.span());
                let checked = (probe.check_json)(&read.text);
                // Keys given twice are found in the tree, all of them.
                let told = checked.err().filter(|error| !json::words(error).starts_with("duplicate field"));
                found.extend(told.map(|error| json::diagnose(self, &read, &error)));
                if found.len() >= MAX_PROBLEMS {
                    return;
                }
                continue;
            }
            let read = self.units.slice(tree, &prefix, part.span());
            let Err(error) = (probe.check)(&read.text) else {
                continue;
            };
            // Keys given twice are found in the tree, all of them.
            if !matches!(error.code, ron::Error::DuplicateStructField { .. }) {
                found.push(self.diagnose(&read, &error));
            }
            if found.len() >= MAX_PROBLEMS {
                return;
            }
        }
    }
}
