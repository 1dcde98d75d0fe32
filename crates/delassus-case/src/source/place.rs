//! Which value an error of ron is about.
//!
//! ron reports its cursor before and after the last token. Depending on the error that is the value itself, the
//! blank before it, the bracket that closes it, or the byte after it; the tree tells which value was meant.

use ron::Error;
use ron::error::Position;

use super::path::path_of;
use super::tree::{NodeKind, Span, TextNode, Tree};

/// A place to point at.
pub(super) struct TextPlace<'t> {
    /// The value concerned: for an unknown or missing field the one that holds it.
    pub node: TextNode<'t>,
    /// The bytes to mark.
    pub span: Span,
    /// The path shown.
    pub path: String,
}

impl<'t> TextPlace<'t> {
    fn of(node: TextNode<'t>) -> Self {
        Self { node, span: node.span(), path: path_of(node) }
    }
}

/// Byte offset in `text` of a position of ron: line and column in characters, from 1.
pub(super) fn offset(text: &str, position: Position) -> usize {
    let before: usize = text.split_inclusive('\n').take(position.line.saturating_sub(1)).map(str::len).sum();
    let rest = &text[before..];
    before + rest.char_indices().nth(position.col.saturating_sub(1)).map_or(rest.len(), |(i, _)| i)
}

/// The place of an error whose cursor went from byte `start` to byte `end`.
pub(super) fn locate<'t>(tree: &'t Tree, error: &Error, start: usize, end: usize) -> TextPlace<'t> {
    match error {
        Error::NoSuchStructField { found, .. } => unknown_field(tree, found, start),
        Error::DuplicateStructField { field, .. } => unknown_field(tree, field, start),
        Error::MissingStructField { .. } => {
            let node = holder(tree, if tree.text()[end..].starts_with(')') { end } else { start });
            TextPlace { span: node.head(), ..TextPlace::of(node) }
        }
        Error::NoSuchEnumVariant { .. } => {
            let node = tree.deepest(start);
            let name = node.name().map_or(node.head(), |_| Span::new(node.span().start, name_end(node)));
            TextPlace { span: name, ..TextPlace::of(node) }
        }
        Error::ExpectedDifferentLength { .. } => TextPlace::of(tree.deepest(end)),
        Error::InvalidValueForType { .. } | Error::Message(_) | Error::IntegerOutOfBounds => {
            TextPlace::of(consumed(tree, start))
        }
        Error::ExpectedStructLike | Error::ExpectedNamedStructLike(_) if tree.deepest(end).span().start != end => {
            TextPlace::of(consumed(tree, end))
        }
        _ => {
            // The parser stands before the value it cannot read.
            let node = tree.deepest(end);
            TextPlace {
                span: if node.span().start == end { node.span() } else { unread(node, end) },
                ..TextPlace::of(node)
            }
        }
    }
}

fn name_end(node: TextNode<'_>) -> usize {
    let raw = if node.text().starts_with("r#") { 2 } else { 0 };
    node.span().start + raw + node.name().map_or(0, str::len)
}

/// The innermost value around a byte that can hold fields.
fn holder(tree: &Tree, offset: usize) -> TextNode<'_> {
    let mut node = tree.deepest(offset);
    while !matches!(node.kind(), NodeKind::Struct | NodeKind::Map | NodeKind::Unit | NodeKind::Tuple)
        && let Some(parent) = node.parent()
    {
        node = parent;
    }
    node
}

/// The field with a key, looked for around a byte and outwards; the last one, for that is where ron stopped.
fn unknown_field<'t>(tree: &'t Tree, key: &str, offset: usize) -> TextPlace<'t> {
    let start = tree.deepest(offset);
    let around = std::iter::successors(Some(start), |node| node.parent());
    for node in around {
        let field = node.children().filter(|child| child.key().is_some_and(|found| found == key)).last();
        if let Some(field) = field
            && let Some(span) = field.key_span()
        {
            return TextPlace { node, span, path: path_of(field) };
        }
    }
    TextPlace::of(start)
}

/// The value whose reading ended near a byte.
fn consumed(tree: &Tree, offset: usize) -> TextNode<'_> {
    let node = tree.deepest(offset);
    let is_before = |child: &TextNode<'_>| {
        let end = child.span().end;
        end <= offset && tree.text()[end..offset].trim().is_empty()
    };
    // A variant without fields is followed by blanks before ron looks at what it is.
    node.children().filter(|child| child.kind() == NodeKind::Ident).find(is_before).unwrap_or(node)
}

/// What to mark when the cursor is inside a value: the number that was read in part, else one byte or the head.
fn unread(node: TextNode<'_>, cursor: usize) -> Span {
    if node.children().next().is_some() || cursor >= node.span().end { node.head() } else { node.span() }
}
