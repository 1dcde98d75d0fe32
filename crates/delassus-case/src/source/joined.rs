//! A text that is put together from several: a case with a `base`. Its values come whole from one text or the other, and every place of the
//! joined text leads back to the file, line and column where it was written.
//!
//! ```text
//! base.ron      (title: "a", step: 1, duration: 2)          pieces of the joined text:
//! case.ron      (base: "base.ron", step: 0.5)               (          case.ron
//! joined        (title: "a",                                title: "a" base.ron
//!               duration: 2,                                …
//!               step: 0.5)                                  step: 0.5  case.ron
//! ```

use super::diagnostic::Diagnostic;
use super::set::Splice;
use super::tree::{Span, TextNode, Tree};

/// A text that others are joined from.
#[derive(Clone, Debug)]
pub(super) struct TextOrigin {
    /// The file as the user named it.
    pub file: String,
    /// The text and the places of its values.
    pub tree: Tree,
}

/// Bytes of a joined text, and where they were written.
#[derive(Clone, Copy, Debug)]
struct TextPiece {
    span: Span,
    origin: usize,
    start: usize,
}

impl TextPiece {
    /// What of it lies in a span, which begins at `at` in a new text.
    fn within(self, slice: Span, at: usize) -> Option<Self> {
        let (start, end) = (self.span.start.max(slice.start), self.span.end.min(slice.end));
        let moved = |offset: usize| offset - slice.start + at;
        let span = (start < end).then(|| Span::new(moved(start), moved(end)))?;
        Some(Self { span, start: self.start + start - self.span.start, ..self })
    }
}

/// Where the bytes of a joined text come from; empty of a text that is one file.
#[derive(Clone, Debug, Default)]
pub(super) struct Joined {
    origins: Vec<TextOrigin>,
    /// In the order of the text.
    pieces: Vec<TextPiece>,
}

/// A joined text being made.
struct Making {
    text: String,
    joined: Joined,
}

impl Making {
    /// Takes bytes of one text, which is an origin itself or joined.
    fn take(&mut self, tree: &Tree, slice: Span, from: &[TextPiece]) {
        let at = self.text.len();
        self.joined.pieces.extend(from.iter().filter_map(|piece| piece.within(slice, at)));
        self.text.push_str(&tree.text()[slice.range()]);
    }
}

/// A key and its value.
fn entry(field: TextNode<'_>) -> Span {
    let start = field.key_span().map_or(field.span().start, |key| key.start);
    Span::new(start, field.span().end)
}

/// The text of `over`, without its key `left_out`, and all keys of `base` that it does not have.
pub(super) fn joined_text(over: TextOrigin, base: (Tree, TextOrigin, Joined), left_out: &str) -> (String, Joined) {
    let (base_tree, base_origin, base_joined) = base;
    let (root, below) = (over.tree.root().unwrapped(), base_tree.root().unwrapped());
    let mut origins = base_joined.origins;
    let mut from_base = base_joined.pieces;
    if origins.is_empty() {
        from_base.push(TextPiece { span: Span::new(0, base_tree.text().len()), origin: 0, start: 0 });
        origins.push(base_origin);
    }
    let from_over = [TextPiece { span: Span::new(0, over.tree.text().len()), origin: origins.len(), start: 0 }];
    let mut made = Making { text: String::new(), joined: Joined { origins, pieces: Vec::new() } };
    let Span { start, end } = root.span();
    let body = root.body_start().unwrap_or(start);
    // The brackets of the upper text: what is missing at the top is missing there.
    made.take(&over.tree, Span::new(start, body), &from_over);
    for field in below.children().filter(|f| f.key().is_some_and(|key| root.field(&key).is_none())) {
        made.take(&base_tree, entry(field), &from_base);
        made.text.push_str(",\n");
    }
    for field in root.children().filter(|f| f.key().is_none_or(|key| key != left_out)) {
        made.take(&over.tree, entry(field), &from_over);
        made.text.push_str(",\n");
    }
    // JSON knows no comma at the end.
    made.text.truncate(made.text.trim_end_matches([',', '\n']).len());
    made.take(&over.tree, Span::new(end.saturating_sub(1).max(body), end), &from_over);
    let Making { text, mut joined } = made;
    joined.origins.push(over);
    (text, joined)
}

impl Joined {
    /// The number of the file that a byte comes from, counted from the lowest base.
    pub fn origin_of(&self, offset: usize) -> Option<usize> {
        self.piece_at(offset).map(|piece| piece.origin)
    }

    fn piece_at(&self, offset: usize) -> Option<&TextPiece> {
        let after = self.pieces.partition_point(|piece| piece.span.start <= offset);
        self.pieces.get(after.checked_sub(1)?).filter(|piece| piece.span.contains(offset))
    }

    /// What remains of the pieces when a part of the text is replaced.
    pub fn splice(&mut self, splice: &Splice) {
        let old = splice.old;
        let after = old.start + splice.text.len();
        let whole = usize::MAX;
        let parts = |piece: &TextPiece| {
            let before = piece.within(Span::new(0, old.start), 0);
            [before, piece.within(Span::new(old.end, whole), after)].into_iter().flatten().collect::<Vec<_>>()
        };
        self.pieces = self.pieces.iter().flat_map(parts).collect();
    }

    /// A problem of the joined text, brought to the file and line where it was written.
    pub fn located(&self, tree: &Tree, problem: Diagnostic) -> Diagnostic {
        if self.pieces.is_empty() {
            return problem;
        }
        let offset = tree.offset_of(problem.line, problem.column);
        if let Some(piece) = self.piece_at(offset) {
            let Some(origin) = self.origins.get(piece.origin) else { return problem };
            let start = piece.start + offset - piece.span.start;
            let span = Span::new(start, start + problem.marked);
            let Diagnostic { code, path, message, help, note, .. } = problem;
            return Diagnostic { help, note, ..Diagnostic::new(code, &origin.tree, &origin.file, span, path, message) };
        }
        // A value of `--set` is in no file: the line after which it was written.
        let before = self.pieces.iter().rev().find(|piece| piece.span.end <= offset);
        let Some((piece, origin)) = before.and_then(|p| Some((p, self.origins.get(p.origin)?))) else { return problem };
        let (line, _) = origin.tree.line_at(piece.start + (piece.span.end - piece.span.start).saturating_sub(1));
        Diagnostic { file: origin.file.clone(), line, ..problem }
    }
}
