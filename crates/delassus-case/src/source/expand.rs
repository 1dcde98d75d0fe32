//! The text that serde reads: numbers in place of units, and the way back to the text as written.
//!
//! serde never sees the name before the brackets of a number, so units are replaced in the text. The replaced text
//! has other offsets; [`Expanded::written`] leads every one of them back, so that problems are shown where the user
//! wrote them. A value with a unit is one place: all of its digits lead to its first byte.

use super::de::MAX_PROBLEMS;
use super::diagnostic::Diagnostic;
use super::path::path_of;
use super::tree::{Span, Tree};
use super::units::{UnitFault, UnitRules, convert};

/// The numbers that take the place of units, and what is wrong with units.
pub(super) struct Expansion {
    /// Bytes as written and the number for them, in the order of the text, none inside another.
    numbers: Vec<(Span, String)>,
    /// Problems with the bytes they are about.
    problems: Vec<(Span, Diagnostic)>,
}

/// A part of a text with its units replaced.
pub(super) struct Expanded {
    /// The text to be read.
    pub text: String,
    prefix: usize,
    slice: Span,
    /// Where each number begins in the text to be read, its length, and the bytes as written.
    places: Vec<(usize, usize, Span)>,
}

impl Expansion {
    /// All units of a text.
    pub fn new(tree: &Tree, file: &str, rules: &UnitRules) -> Self {
        let mut found = Self { numbers: Vec::new(), problems: Vec::new() };
        let mut done = 0;
        for node in tree.nodes() {
            let span = node.span();
            if span.start < done {
                continue;
            }
            let value = match convert(node, rules) {
                None => continue,
                Some(Ok(value)) => value,
                Some(Err(UnitFault { code, message, help })) => {
                    if found.problems.len() < MAX_PROBLEMS {
                        let diagnostic = Diagnostic::new(code, tree, file, span, path_of(node), message);
                        found.problems.push((span, Diagnostic { help, ..diagnostic }));
                    }
                    // Any number will do for serde to go on behind it, but not where a vector or an expression was meant.
                    if node.children().nth(1).is_some() || node.string().is_some() {
                        continue;
                    }
                    1.0
                }
            };
            // `{:?}` is the shortest text that reads back to the same number.
            found.numbers.push((span, format!("{value:?}")));
            done = span.end;
        }
        found
    }

    /// What is wrong with units.
    pub fn problems(&self) -> Vec<Diagnostic> {
        self.problems.iter().map(|(_, problem)| problem.clone()).collect()
    }

    /// Whether a byte belongs to a unit for which a problem was reported.
    pub fn is_told(&self, offset: usize) -> bool {
        let before = self.problems.partition_point(|(span, _)| span.start <= offset);
        before > 0 && self.problems[before - 1].0.contains(offset)
    }

    /// `prefix` and the bytes `slice` of the text, with numbers for the units.
    pub fn slice(&self, tree: &Tree, prefix: &str, slice: Span) -> Expanded {
        let first = self.numbers.partition_point(|(span, _)| span.start < slice.start);
        let inside = self.numbers[first..].iter().take_while(|(span, _)| span.end <= slice.end);
        let (mut text, mut places, mut done) = (prefix.to_owned(), Vec::new(), slice.start);
        for (span, number) in inside {
            text.push_str(&tree.text()[done..span.start]);
            places.push((text.len(), number.len(), *span));
            text.push_str(number);
            done = span.end;
        }
        text.push_str(&tree.text()[done..slice.end]);
        Expanded { text, prefix: prefix.len(), slice, places }
    }
}

impl Expanded {
    /// The byte as written that a byte of the text to be read comes from.
    pub fn written(&self, offset: usize) -> usize {
        let before = self.places.partition_point(|(at, ..)| *at <= offset);
        let written = match before.checked_sub(1).map(|last| self.places[last]) {
            None => self.slice.start + offset.saturating_sub(self.prefix),
            Some((at, len, span)) if offset < at + len => span.start,
            Some((at, len, span)) => span.end + (offset - at - len),
        };
        written.min(self.slice.end)
    }
}
