//! A case as a document: its file name, its text with the `--set` applied, and the places of its values.

use delassus_error::{Code, Coded};
use serde::de::{DeserializeOwned, IgnoredAny};

use super::de::{KeyProbe, Reading, duplicates, options};
use super::diagnostic::{Diagnostic, Diagnostics};
use super::error::SetError;
use super::expand::Expansion;
use super::joined::{Joined, TextOrigin, joined_text};
use super::json::{self, Language};
use super::nouns::Noun;
use super::path::{at, find};
use super::set::{parse_assignment, splice_in};
use super::tree::{Span, Tree};
use super::units::UnitRules;

/// A text under the name that the user knows it by.
#[derive(Clone, Debug)]
pub struct Document {
    file: String,
    tree: Tree,
    language: Language,
    /// The values given by `--set`, in the order given, with the places of all that was written for them.
    given: Vec<(Span, String)>,
    rules: UnitRules,
    nouns: &'static [Noun],
    /// Where its parts come from, if it has a base.
    joined: Joined,
}

impl Document {
    /// Scans a text; a mark of byte order at its start is dropped. One problem if it is not RON.
    pub fn new(text: &str, file: &str) -> Result<Self, Diagnostics> {
        Self::scan(text, file, Language::Ron)
    }

    /// The same of a text in either language.
    pub fn of(language: Language, text: &str, file: &str) -> Result<Self, Diagnostics> {
        let document = Self::scan(text, file, language)?;
        if language == Language::Json
            && let Err(error) = serde_json::from_str::<IgnoredAny>(document.text())
        {
            return Err(document.diagnostics(vec![json::syntax(&document.tree, file, &error)]));
        }
        Ok(document)
    }

    fn scan(text: &str, file: &str, language: Language) -> Result<Self, Diagnostics> {
        let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
        match Tree::parse(text) {
            Ok(tree) => {
                let (file, given, rules) = (file.to_owned(), Vec::new(), UnitRules::default());
                Ok(Self { file, tree, language, given, rules, nouns: &[], joined: Joined::default() })
            }
            Err(error) => {
                let line = text.lines().nth(error.line - 1).unwrap_or("");
                let start = line.char_indices().nth(error.column - 1).map_or(line.len(), |(i, _)| i);
                let (code, place) = (error.problem.code(), Span::new(start, start + 1));
                let diagnostic = Diagnostic::in_line(code, file, line, error.line, place, error.problem.to_string());
                Err(Diagnostics::new(file, vec![diagnostic]))
            }
        }
    }

    /// Applies `PATH=VALUE`; several apply in the order they are called.
    pub fn set(&mut self, assignment: &str) -> Result<(), SetError> {
        self.set_among(assignment, |_| None)
    }

    /// The same where `defaults` knows the text with all defaults written out, in the same language: what holds the value may then
    /// be absent and is written as its default has it.
    pub fn set_among(
        &mut self,
        assignment: &str,
        defaults: impl FnOnce(&Self) -> Option<String>,
    ) -> Result<(), SetError> {
        let (path, value) = parse_assignment(assignment)?;
        let full = || Tree::parse(&defaults(self)?).ok();
        let splice = splice_in(self.language, &self.tree, path, value, full)?;
        let text = splice.apply(self.tree.text());
        self.tree = Tree::parse(&text).map_err(|error| SetError::TooMuch { problem: error.problem })?;
        self.given.retain_mut(|(span, _)| match splice.carry(*span) {
            Some(moved) => {
                *span = moved;
                true
            }
            None => false,
        });
        self.joined.splice(&splice);
        self.given.push((splice.written, format!("{path}={value}")));
        Ok(())
    }

    /// The same text over another one: its keys without `left_out`, and those keys of the base that it does not have. Problems are shown in the
    /// file they are in; those of keys given twice end it at once.
    pub fn over(self, base: Self, left_out: &str) -> Result<Self, Diagnostics> {
        for part in [&self, &base] {
            let twice = duplicates(&part.tree, &part.file);
            if !twice.is_empty() {
                return Err(part.diagnostics(twice));
            }
        }
        let below = TextOrigin { file: base.file, tree: base.tree.clone() };
        let above = TextOrigin { file: self.file.clone(), tree: self.tree };
        let (text, joined) = joined_text(above, (base.tree, below, base.joined), left_out);
        Ok(Self { joined, ..Self::scan(&text, &self.file, self.language)? })
    }

    /// The number of the file that the value at a path was written in, counted from the lowest base; nothing of a text that is one file, nor of
    /// a value of `--set`.
    pub fn origin_of(&self, path: &str) -> Option<usize> {
        self.joined.origin_of(at(&self.tree, path)?.start)
    }

    /// What it is written in.
    pub fn language(&self) -> Language {
        self.language
    }

    /// Sets the units that each key accepts; without rules, every key accepts all units.
    pub fn set_unit_rules(&mut self, rules: UnitRules) {
        self.rules = rules;
    }

    /// Says what the choices of the text are called; without, they are variants of types.
    pub fn set_nouns(&mut self, nouns: &'static [Noun]) {
        self.nouns = nouns;
    }

    /// The file as the user named it.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The text as written, units in words and every `--set` in it.
    pub fn text(&self) -> &str {
        self.tree.text()
    }

    /// The places of the values.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Reads the whole; the first problem of serde, and all keys given twice.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, Diagnostics> {
        self.read_or(|_| Vec::new())
    }

    /// Reads the whole text; returns all independent problems (see [`collect`](super::collect)).
    pub fn collect<T: DeserializeOwned>(
        &self,
        probes: &[(&str, KeyProbe)],
        required: &[&str],
    ) -> Result<T, Diagnostics> {
        self.read_or(|reading| reading.probe(probes, required))
    }

    fn read_or<T: DeserializeOwned>(&self, probed: impl Fn(&Reading<'_>) -> Vec<Diagnostic>) -> Result<T, Diagnostics> {
        let units = Expansion::new(&self.tree, &self.file, &self.rules);
        let nouns = self.nouns;
        let reading = Reading { tree: &self.tree, file: &self.file, units, language: self.language, nouns };
        let mut problems = duplicates(&self.tree, &self.file);
        problems.extend(reading.units.problems());
        if self.language == Language::Json {
            return self.read_json(&reading, problems, probed);
        }
        let whole = reading.whole();
        match options().from_str::<T>(&whole.text) {
            Ok(value) if problems.is_empty() => return Ok(value),
            Ok(_) => {}
            Err(error) => {
                let is_told = |p: &Diagnostic| reading.units.is_told(self.tree.offset_of(p.line, p.column));
                problems.extend(probed(&reading).into_iter().filter(|problem| !is_told(problem)));
                let first = reading.diagnose(&whole, &error);
                if !self.is_known(&first, &problems) {
                    problems.push(first);
                }
            }
        }
        Err(self.diagnostics(problems))
    }

    fn read_json<T: DeserializeOwned>(
        &self,
        reading: &Reading<'_>,
        mut problems: Vec<Diagnostic>,
        probed: impl Fn(&Reading<'_>) -> Vec<Diagnostic>,
    ) -> Result<T, Diagnostics> {
        let whole = reading.whole();
        match serde_json::from_str::<T>(&whole.text) {
            Ok(value) if problems.is_empty() => return Ok(value),
            Ok(_) => {}
            Err(error) => {
                let is_told = |p: &Diagnostic| reading.units.is_told(self.tree.offset_of(p.line, p.column));
                problems.extend(probed(reading).into_iter().filter(|problem| !is_told(problem)));
                let first = json::diagnose(reading, &whole, &error);
                // Keys given twice have been found in the tree.
                let is_twice = !problems.is_empty() && json::words(&error).starts_with("duplicate field");
                if !is_twice && !self.is_known(&first, &problems) {
                    problems.push(first);
                }
            }
        }
        Err(self.diagnostics(problems))
    }

    /// Whether the first problem of the whole is among those already found: at the same place, in the same
    /// top-level value, or about the keys at the top.
    fn is_known(&self, first: &Diagnostic, problems: &[Diagnostic]) -> bool {
        let place = |problem: &Diagnostic| self.tree.offset_of(problem.line, problem.column);
        let part = |problem: &Diagnostic| {
            let offset = place(problem);
            let whole = |node: super::TextNode<'_>| {
                let key = node.key_span().map_or(node.span().start, |span| span.start);
                Span::new(key, node.span().end)
            };
            self.tree.root().children().position(|child| whole(child).contains(offset))
        };
        problems.iter().any(|problem| place(problem) == place(first) || part(problem) == part(first))
    }

    /// A problem with the value at a path, found after deserialisation. Of a key that was left to its default,
    /// the nearest container is shown.
    pub fn problem(&self, code: Code, path: &str, message: impl Into<String>) -> Diagnostic {
        let span = at(&self.tree, path).unwrap_or(self.tree.root().head());
        self.noted(Diagnostic::new(code, &self.tree, &self.file, span, path, message))
    }

    /// The same so many characters into the text at a path, as far as it is written without escapes.
    pub fn problem_within(&self, code: Code, path: &str, characters: usize, message: impl Into<String>) -> Diagnostic {
        let span = at(&self.tree, path).unwrap_or(self.tree.root().head());
        let node = find(&self.tree, path).ok();
        // A text in a variant: `Expression("…")`, or `{"Expression": "…"}`.
        let text = node.map(|node| node.children().next().unwrap_or(node).span());
        let place = text.and_then(|text| {
            let written = &self.tree.text()[text.range()];
            let quote = written.find('"').filter(|_| !written.contains('\\'))?;
            let inner = &written[quote + 1..];
            let start = text.start + quote + 1 + inner.char_indices().nth(characters)?.0;
            let end = text.start + written.rfind('"')?;
            Some(Span::new(start, end.max(start + 1)))
        });
        self.noted(Diagnostic::new(code, &self.tree, &self.file, place.unwrap_or(span), path, message))
    }

    /// Problems of this document, in the order of their places.
    pub fn diagnostics(&self, problems: Vec<Diagnostic>) -> Diagnostics {
        let shown = problems.into_iter().map(|problem| self.joined.located(&self.tree, self.noted(problem)));
        Diagnostics::new(&self.file, shown.collect())
    }

    /// Says so when the place is in a value given by `--set`: the file does not have it.
    fn noted(&self, problem: Diagnostic) -> Diagnostic {
        let offset = self.tree.offset_of(problem.line, problem.column);
        match self.given.iter().rev().find(|(span, _)| span.contains(offset)) {
            Some((_, given)) if problem.note.is_none() => {
                Diagnostic { note: Some(format!("value given by --set {given}")), ..problem }
            }
            _ => problem,
        }
    }
}
