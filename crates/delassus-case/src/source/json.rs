//! Texts in JSON: the errors of serde_json brought to their places and into words.
//!
//! serde_json says a line and the number of bytes of it that it has read. The last of these bytes lies in the value that
//! is wrong, in its key, or is the bracket that closes it; the tree tells which.

use std::path::Path;

use serde_json::Error;
use serde_json::error::Category;

use super::de::Reading;
use super::diagnostic::Diagnostic;
use super::expand::Expanded;
use super::nouns::noun_at;
use super::path::{path_of, variant};
use super::tree::{NodeKind, Span, TextNode, Tree};
use super::words::{choice, no_variant};
use crate::codes;

/// What a text is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// RON, with units in words.
    Ron,
    /// JSON; a unit is an object with its word as the key.
    Json,
}

impl Language {
    /// By the ending of a file: JSON for `.json`, else RON.
    #[must_use]
    pub fn of(path: &Path) -> Self {
        let is_json = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
        if is_json { Self::Json } else { Self::Ron }
    }

    /// By its first character, for a text without a name.
    #[must_use]
    pub fn of_text(text: &str) -> Self {
        let begins = text.trim_start_matches('\u{feff}').trim_start().starts_with('{');
        if begins { Self::Json } else { Self::Ron }
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Ron => "RON",
            Self::Json => "JSON",
        }
    }

    /// How a key that is missing is added.
    pub(super) fn add(self, key: &str) -> String {
        match self {
            Self::Ron => format!("add `{key}: …`"),
            Self::Json => format!("add `\"{key}\": …`"),
        }
    }
}

/// The words of an error without its place.
pub(super) fn words(error: &Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    text.strip_suffix(&place).unwrap_or(&text).to_owned()
}

/// The last byte of a text that was read.
fn last_read(text: &str, error: &Error) -> usize {
    let before: usize = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    let offset = (before + error.column()).saturating_sub(1).min(text.len());
    (0..=offset).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0)
}

/// A text that is not JSON although its brackets are right.
pub(super) fn syntax(tree: &Tree, file: &str, error: &Error) -> Diagnostic {
    let at = last_read(tree.text(), error);
    let node = tree.deepest(at);
    let message = match node.kind() {
        NodeKind::Struct | NodeKind::Tuple | NodeKind::Unit | NodeKind::Some | NodeKind::None => {
            format!("{} is not JSON; a name with values is written {{\"Name\": …}} there", node.describe())
        }
        NodeKind::Ident => format!("{} is not JSON; a name is written in quotes there", node.describe()),
        _ if tree.text()[at..].starts_with(['}', ']']) && tree.text()[..at].trim_end().ends_with(',') => {
            String::from("not JSON: comma before the closing bracket")
        }
        _ => format!("not JSON: {}", words(error)),
    };
    let span = if matches!(node.kind(), NodeKind::List | NodeKind::Map) { Span::new(at, at + 1) } else { node.head() };
    Diagnostic::new(codes::NOT_JSON, tree, file, span, path_of(node), message)
}

/// The problem that an error of serde_json is, in a text that is JSON.
pub(super) fn diagnose(reading: &Reading<'_>, read: &Expanded, error: &Error) -> Diagnostic {
    let Reading { tree, file, nouns, .. } = *reading;
    let at = read.written(last_read(&read.text, error));
    let said = words(error);
    let node = value_at(tree, at);
    let new = |code, span, path: String, message: String| Diagnostic::new(code, tree, file, span, path, message);
    if let Some((key, names)) = unknown(&said, "unknown field ") {
        let field = std::iter::successors(Some(node), |n| n.parent()).find_map(|n| n.field(&key));
        let (span, path) =
            field.map_or((node.head(), path_of(node)), |f| (f.key_span().unwrap_or(f.head()), path_of(f)));
        return new(codes::UNKNOWN_FIELD, span, path, format!("no field `{key}`"))
            .with_help(choice(&key, &names, "fields"));
    }
    if let Some((name, names)) = unknown(&said, "unknown variant ") {
        let span = std::iter::successors(Some(node), |n| n.parent())
            .find_map(|n| n.field(&name))
            .and_then(TextNode::key_span)
            .unwrap_or(node.head());
        let (message, help) = no_variant(noun_at(nouns, node, &name), &name, &names);
        return new(codes::UNKNOWN_VARIANT, span, path_of(node), message).with_help(help);
    }
    if let Some(key) = said.strip_prefix("missing field ").map(|key| key.trim_matches('`')) {
        let message = format!("the field `{key}` is missing");
        return new(codes::MISSING_FIELD, node.head(), path_of(node), message).with_help(Language::Json.add(key));
    }
    let invalid = ["invalid type: ", "invalid value: "].iter().find_map(|start| said.strip_prefix(start));
    let (code, node, message) = match invalid.and_then(|rest| rest.rsplit_once(", expected ")) {
        Some((_, expected)) => {
            (codes::WRONG_TYPE, node, format!("expected {}, found {}", shape(expected), node.describe()))
        }
        // The text is JSON, so the syntax that serde_json missed is that of a variant.
        None if error.classify() == Category::Syntax => {
            let found = node.describe();
            let message = format!("expected a variant, \"Name\" or {{\"Name\": …}} with no other key, found {found}");
            (codes::WRONG_TYPE, node, message)
        }
        None if said.starts_with("invalid length") => (codes::WRONG_LENGTH, node, said),
        // A type's own words, said when the comma or bracket behind the value had been read already.
        None => {
            let about = tree.deepest(at).children().filter(|child| child.span().end <= at).last().unwrap_or(node);
            (codes::NO_FORM, about, said)
        }
    };
    new(code, node.span(), path_of(node), message)
}

/// The value that a byte belongs to: also the one whose key it is in, and not the wrapping of a variant.
fn value_at(tree: &Tree, at: usize) -> TextNode<'_> {
    let node = tree.deepest(at);
    let keyed = node.children().find(|child| child.key_span().is_some_and(|span| span.contains(at)));
    keyed.or_else(|| variant(node)).unwrap_or(node)
}

/// `` `x`, expected one of `a`, `b` `` as x and its alternatives.
fn unknown<'a>(said: &'a str, start: &str) -> Option<(String, Vec<&'a str>)> {
    let mut quoted = said.strip_prefix(start)?.split('`').skip(1).step_by(2);
    Some((quoted.next()?.to_owned(), quoted.collect()))
}

/// What a type of Rust looks like in JSON.
fn shape(expected: &str) -> String {
    let words = match expected {
        "f64" => "a number",
        "usize" | "u64" | "u32" | "u16" | "u8" => "a whole number",
        "a boolean" => "true or false",
        "a sequence" => "a list [ … ]",
        // A variant with contents is an object with its name as the key.
        "newtype variant" => "an object { … }",
        _ if expected.starts_with("struct ") || expected.starts_with("internally tagged") => "an object { … }",
        _ if expected.starts_with("a tuple") => "a list [ … ] of as many values as it has",
        _ => return expected.replace('(', "[").replace(')', "]"),
    };
    words.to_owned()
}
