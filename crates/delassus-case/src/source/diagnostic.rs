//! One problem of a text, or all of them, shown the way compilers do.
//!
//! ```text
//! error[E0361]: cases/x.ron:14:22: integrator.theta: 0.3 is outside [0.5, 1]
//!    14 |     integrator: Theta(theta: 0.3),
//!       |                              ^^^
//!    help: take theta = 0.5
//! ```
//!
//! Plain text without colours. Columns count characters; the marks under the line count the cells that a
//! terminal gives to a character. Control characters of the text never reach the terminal.

use std::error::Error;
use std::fmt;

use delassus_error::{Code, bounded, cut};

use super::tree::{Span, Tree};
use crate::codes;

/// At most this many characters of a line are shown.
const MOST_SHOWN: usize = 100;
/// Characters shown before the place in a line that is shortened.
const SHOWN_BEFORE: usize = 40;

/// One problem and its place in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The reason.
    pub code: Code,
    /// The file as the user named it.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// The key, such as `bodies.left.mesh`; empty where none applies.
    pub path: String,
    /// What is wrong, with the value and what would be right.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// Where the value came from, if not from the file.
    pub note: Option<String>,
    /// The line as shown: tabs widened, control characters replaced, shortened around the place.
    pub source: String,
    /// The cells of `source` before the place, and those that are marked.
    pub marks: (usize, usize),
    /// The bytes of its line that are marked.
    pub marked: usize,
}

impl Diagnostic {
    /// A problem at a span of a text. Of a span over several lines the part in the first is marked.
    pub fn new(
        code: Code,
        tree: &Tree,
        file: &str,
        span: Span,
        path: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        let (line, line_span) = tree.line_at(span.start);
        let text = &tree.text()[line_span.range()];
        let place = Span::new(span.start - line_span.start, span.end.saturating_sub(line_span.start));
        Self { path: path.into(), ..Self::in_line(code, file, text, line, place, message) }
    }

    /// A problem at the bytes `place` of one line, for a text that has no tree.
    pub(super) fn in_line(
        code: Code,
        file: &str,
        text: &str,
        line: usize,
        place: Span,
        message: impl Into<String>,
    ) -> Self {
        let start = boundary(text, place.start);
        let end = boundary(text, place.end).max(start);
        let (source, marks) = shown(text, start, end);
        Self {
            code,
            file: file.to_owned(),
            line,
            column: 1 + text[..start].chars().count(),
            path: String::new(),
            message: message.into(),
            help: None,
            note: None,
            source,
            marks,
            marked: end - start,
        }
    }

    /// The same with a way out.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { code, file, line, column, path, message, .. } = self;
        write!(f, "error[{code}]: {file}:{line}:{column}: ")?;
        if !path.is_empty() {
            write!(f, "{}: ", visible(&cut(path, MOST_SHOWN)))?;
        }
        write!(f, "{}\n{line:>5} | {}\n      | ", visible(&bounded(message)), self.source)?;
        write!(f, "{:before$}{:^>width$}", "", "", before = self.marks.0, width = self.marks.1)?;
        if let Some(help) = &self.help {
            write!(f, "\n   help: {}", visible(&bounded(help)))?;
        }
        if let Some(note) = &self.note {
            write!(f, "\n   note: {}", visible(&bounded(note)))?;
        }
        Ok(())
    }
}

impl Error for Diagnostic {}

/// All problems of a text, in the order of their places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostics {
    file: String,
    items: Vec<Diagnostic>,
}

impl Diagnostics {
    /// The problems of a file and of what it includes, sorted by place; equal ones once.
    pub fn new(file: impl Into<String>, mut items: Vec<Diagnostic>) -> Self {
        fn order(d: &Diagnostic) -> (&str, usize, usize, &str, &str) {
            (&d.file, d.line, d.column, &d.path, &d.message)
        }
        items.sort_by(|a, b| order(a).cmp(&order(b)));
        items.dedup();
        Self { file: file.into(), items }
    }

    /// The file as the user named it.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The code of the first problem.
    pub fn code(&self) -> Code {
        self.items.first().map_or(codes::MALFORMED, |first| first.code)
    }

    /// The problems in the order of their places.
    pub fn items(&self) -> &[Diagnostic] {
        &self.items
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for item in &self.items {
            write!(f, "{item}\n\n")?;
        }
        let plural = if self.items.len() == 1 { "problem" } else { "problems" };
        write!(f, "{} {plural} in {}", self.items.len(), self.file)
    }
}

impl Error for Diagnostics {}

/// The last boundary of characters not after an offset.
fn boundary(text: &str, offset: usize) -> usize {
    (0..=offset.min(text.len())).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0)
}

/// A line as shown, with the cells before and under the marks of its bytes `start..end`.
fn shown(line: &str, start: usize, end: usize) -> (String, (usize, usize)) {
    let is_long = line.chars().nth(MOST_SHOWN).is_some();
    let from = match line[..start].char_indices().rev().nth(SHOWN_BEFORE) {
        Some((from, _)) if is_long => from,
        _ => 0,
    };
    let to = line[from..].char_indices().nth(MOST_SHOWN).map_or(line.len(), |(i, _)| from + i);
    let mut source = String::new();
    let (mut before, mut marked) = (0, 0);
    if from > 0 {
        source.push('…');
        before += 1;
    }
    for (i, c) in line[from..to].char_indices().map(|(i, c)| (from + i, c)) {
        let width = show(c, &mut source);
        if i < start {
            before += width;
        } else if i < end {
            marked += width;
        }
    }
    if to < line.len() {
        source.push('…');
    }
    (source, (before, marked.max(1)))
}

/// A text on one line with nothing that a terminal obeys.
fn visible(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        show(c, &mut line);
    }
    line
}

/// Writes one character as shown and returns its cells.
fn show(c: char, line: &mut String) -> usize {
    if c == '\t' {
        line.push_str("    ");
        return 4;
    }
    // Marks of writing direction could make a line read other than it is.
    let is_hidden = c.is_control()
        || matches!(c, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}');
    line.push(if is_hidden { '\u{FFFD}' } else { c });
    match c as u32 {
        _ if is_hidden => 1,
        0x0300..=0x036F | 0xFE00..=0xFE0F => 0,
        0x1100..=0x115F
        | 0x2E80..=0xA4CF
        | 0xAC00..=0xD7A3
        | 0xF900..=0xFAFF
        | 0xFE30..=0xFE6F
        | 0xFF00..=0xFF60
        | 0xFFE0..=0xFFE6
        | 0x1F300..=0x1FAFF
        | 0x20000..=0x3FFFD => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of a diagnostic at the first occurrence of `place`.
    fn at(text: &str, place: &str) -> Diagnostic {
        let tree = Tree::parse(text).unwrap();
        let start = text.find(place).unwrap();
        Diagnostic::new(codes::WRONG_TYPE, &tree, "x.ron", Span::new(start, start + place.len()), "a.b", "is bad")
    }

    #[test]
    fn display() {
        let text = "(\n    integrator: Theta(theta: 0.3),\n)";
        let diagnostic = at(text, "0.3").with_help("take 0.5");
        let expected = "\
error[E0125]: x.ron:2:30: a.b: is bad
    2 |     integrator: Theta(theta: 0.3),
      |                              ^^^
   help: take 0.5";
        assert_eq!(diagnostic.to_string(), expected);
        let bare = Diagnostic { path: String::new(), help: None, note: Some(String::from("n")), ..diagnostic };
        assert!(bare.to_string().starts_with("error[E0125]: x.ron:2:30: is bad\n"));
        assert!(bare.to_string().ends_with("^^^\n   note: n"));
    }

    /// The marks stand under the place whatever precedes it: (column, cells before, cells marked).
    #[test]
    fn marks() {
        let check = |text: &str, expected: (usize, usize, usize)| {
            let diagnostic = at(text, "9");
            let marks = diagnostic.marks;
            assert_eq!((diagnostic.column, marks.0, marks.1), expected, "{text}");
        };
        check("(a: 9)", (5, 4, 1));
        check("(é: 9)", (5, 4, 1));
        check("(\ta: 9)", (6, 8, 1));
        check("(a: \"日本\", b: 9)", (14, 15, 1));
        check("(a: \"e\u{301}\", b: 9)", (14, 12, 1));
        check("(a: \"\u{1b}[31m\", b: 9)", (17, 16, 1));
    }

    /// Nothing of the text can command the terminal or reverse the line.
    #[test]
    fn harmless() {
        let text = "(a: \"\u{1b}[31m\u{202E}\", b: 9)";
        let mut diagnostic = at(text, "9");
        diagnostic.message = String::from("bad \u{1b}[31m\nvalue");
        let shown = diagnostic.to_string();
        assert!(!shown.contains(['\u{1b}', '\u{202E}']), "{shown}");
        assert_eq!(shown.lines().count(), 3);
    }

    #[test]
    fn long_lines() {
        let text = format!("[{}9, {}]", "1, ".repeat(10_000), "2, ".repeat(10_000));
        let diagnostic = at(&text, "9");
        assert_eq!(diagnostic.column, 30_002);
        assert!(diagnostic.source.chars().count() <= MOST_SHOWN + 2);
        assert_eq!(diagnostic.source.chars().nth(diagnostic.marks.0), Some('9'));
        assert!(diagnostic.source.starts_with('…') && diagnostic.source.ends_with('…'));
        // A mark longer than what is shown ends with it.
        let whole = at(&text, &text);
        assert_eq!(whole.marks, (0, MOST_SHOWN));
    }

    #[test]
    fn places_at_the_edges() {
        let tree = Tree::parse("(\r\n a: 1)").unwrap();
        let at = |start, end| {
            let d = Diagnostic::new(codes::WRONG_TYPE, &tree, "x", Span::new(start, end), "", "m");
            (d.line, d.column, d.marks)
        };
        assert_eq!(at(9, 9), (2, 7, (6, 1)), "the end of the text");
        assert_eq!(at(1, 3), (1, 2, (1, 1)), "the end of a line");
        assert_eq!(at(0, 9), (1, 1, (0, 1)), "several lines");
        assert_eq!(at(99, 99).0, 2, "beyond the end");
    }

    #[test]
    fn all_of_them() {
        let text = "(\n a: 1,\n b: 2)";
        let (one, two) = (at(text, "1"), at(text, "2"));
        let all = Diagnostics::new("x.ron", vec![two.clone(), one.clone(), two.clone()]);
        assert_eq!(all.items(), [one.clone(), two]);
        assert_eq!(all.file(), "x.ron");
        assert!(all.to_string().ends_with("\n\n2 problems in x.ron"), "{all}");
        assert!(Diagnostics::new("x.ron", vec![one]).to_string().ends_with("\n\n1 problem in x.ron"));
    }
}
