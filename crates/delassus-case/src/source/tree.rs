//! The span tree of a RON text: for every value its byte range, its kind, its key and the values in it.
//!
//! The tree holds places, not values: only serde checks types. Nodes lie in one array in the order of the
//! text, so a tree is built and dropped without deep recursion.

use std::ops::Range;

use super::error::SyntaxError;
use super::scan;

/// The largest text that is read, in bytes (64 MiB).
pub const MAX_BYTES: usize = 64 << 20;
/// The deepest nesting of brackets that is read.
pub const MAX_DEPTH: usize = 128;
/// The largest number of values that is read: a node takes 44 bytes, and the shortest value of a list two.
pub const MAX_VALUES: usize = 2 << 20;

/// A byte range of a text, `start..end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// `start..end`.
    pub fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// Whether a byte lies in the span.
    pub fn contains(self, offset: usize) -> bool {
        self.start <= offset && offset < self.end
    }

    /// Whether all of `other` lies in the span.
    pub fn covers(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// As a range to index a text with.
    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

/// What a value looks like in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// `Name(a: 1)` or `(a: 1)`: a struct or a struct variant.
    Struct,
    /// `Name(1, 2)` or `(1, 2)`: a tuple, a tuple variant or a newtype.
    Tuple,
    /// `()` or `Name()`.
    Unit,
    /// `[1, 2]`.
    List,
    /// `{key: value}`.
    Map,
    /// `Some(x)`; its only child is x.
    Some,
    /// `None`.
    None,
    /// `Name`: a unit variant.
    Ident,
    /// `"…"` or `r#"…"#`.
    Str,
    /// `b"…"` or `br#"…"#`.
    Bytes,
    /// A number, a byte such as `b'x'`, or a range such as `0..10`.
    Number,
    /// `true` or `false`.
    Bool,
    /// `'x'`.
    Char,
}

/// "No such node" and "no such place".
pub(super) const NONE: u32 = u32::MAX;

/// One node as stored: 32-bit offsets suffice below [`MAX_BYTES`].
#[derive(Clone, Debug)]
pub(super) struct StoredNode {
    pub kind: NodeKind,
    pub start: u32,
    pub end: u32,
    /// The key of a field or map entry; empty when there is none.
    pub key: (u32, u32),
    /// Length of the name before the bracket, or of an identifier.
    pub name_len: u32,
    /// First byte after the opening bracket.
    pub body: u32,
    /// The comma after the last child.
    pub comma: u32,
    pub parent: u32,
    pub first: u32,
    pub next: u32,
}

/// A text with the places of its values.
#[derive(Clone, Debug)]
pub struct Tree {
    text: String,
    nodes: Vec<StoredNode>,
    attributes: usize,
    lines: Vec<usize>,
}

impl Tree {
    /// Scans a text.
    pub fn parse(text: &str) -> Result<Self, SyntaxError> {
        let (nodes, attributes) = scan::scan(text)?;
        let starts = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n').map(|(i, _)| i + 1);
        let lines = std::iter::once(0).chain(starts).collect();
        Ok(Self { text: text.to_owned(), nodes, attributes, lines })
    }

    /// The text scanned.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The value that the whole text is.
    pub fn root(&self) -> TextNode<'_> {
        TextNode { tree: self, id: 0 }
    }

    /// Number of values.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: a text without a value has no tree.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// All values in the order of the text, a container before its contents.
    pub fn nodes(&self) -> impl Iterator<Item = TextNode<'_>> {
        (0..self.nodes.len()).map(|id| TextNode { tree: self, id })
    }

    /// The attributes at the top, `#![enable(…)]`, with the comments around them; they apply to every value.
    pub fn attributes(&self) -> &str {
        &self.text[..self.attributes]
    }

    /// The innermost value at a byte. A byte in a key belongs to the container; one outside everything, to the root.
    pub fn deepest(&self, offset: usize) -> TextNode<'_> {
        let mut node = self.root();
        while let Some(child) = node.children().find(|child| child.span().contains(offset)) {
            node = child;
        }
        node
    }

    /// Line (from 1) and the range of its text without the line end.
    pub(super) fn line_at(&self, offset: usize) -> (usize, Span) {
        let line = self.lines.partition_point(|&start| start <= offset).max(1);
        let start = self.lines.get(line - 1).copied().unwrap_or(0);
        let end = self.lines.get(line).map_or(self.text.len(), |&next| next - 1);
        let trimmed = self.text[start..end].trim_end_matches('\r').len();
        (line, Span::new(start, start + trimmed))
    }

    /// Byte offset of a line and column (characters), both from 1; clamped to the text.
    pub(super) fn offset_of(&self, line: usize, column: usize) -> usize {
        let start = self.lines.get(line.saturating_sub(1)).copied().unwrap_or(self.text.len());
        let rest = &self.text[start..];
        start + rest.char_indices().nth(column.saturating_sub(1)).map_or(rest.len(), |(i, _)| i)
    }
}

/// A value of a [`Tree`].
#[derive(Clone, Copy, Debug)]
pub struct TextNode<'t> {
    tree: &'t Tree,
    id: usize,
}

impl PartialEq for TextNode<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.tree, other.tree) && self.id == other.id
    }
}

impl<'t> TextNode<'t> {
    fn data(self) -> &'t StoredNode {
        &self.tree.nodes[self.id]
    }

    fn other(self, id: u32) -> Option<TextNode<'t>> {
        (id != NONE).then_some(TextNode { tree: self.tree, id: id as usize })
    }

    /// What the value looks like.
    pub fn kind(self) -> NodeKind {
        self.data().kind
    }

    /// Its bytes, brackets and name included, comments around it not.
    pub fn span(self) -> Span {
        Span::new(self.data().start as usize, self.data().end as usize)
    }

    /// Its text.
    pub fn text(self) -> &'t str {
        &self.tree.text[self.span().range()]
    }

    /// The name before the brackets, or the identifier that the value is; without `r#`.
    pub fn name(self) -> Option<&'t str> {
        let name = &self.text()[..self.data().name_len as usize];
        (!name.is_empty()).then(|| name.strip_prefix("r#").unwrap_or(name))
    }

    /// The bytes that show best which value is meant: name and opening bracket of a container, else everything.
    pub fn head(self) -> Span {
        let Span { start, end } = self.span();
        let body = self.data().body;
        Span::new(start, if body == NONE { end } else { body as usize })
    }

    /// First byte after the opening bracket, if there is one.
    pub fn body_start(self) -> Option<usize> {
        let body = self.data().body;
        (body != NONE).then_some(body as usize)
    }

    /// The byte after the comma that follows the last child, if one does.
    pub fn after_comma(self) -> Option<usize> {
        let comma = self.data().comma;
        (comma != NONE).then_some(comma as usize + 1)
    }

    /// Where the key stands, for a field of a struct or an entry of a map.
    pub fn key_span(self) -> Option<Span> {
        let (start, end) = self.data().key;
        (start != end).then_some(Span::new(start as usize, end as usize))
    }

    /// The key as it is written.
    pub fn written_key(self) -> Option<&'t str> {
        Some(&self.tree.text[self.key_span()?.range()])
    }

    /// The key: an identifier without `r#`, the contents of a string, or else the text of the map key.
    pub fn key(self) -> Option<String> {
        let text = self.written_key()?;
        let in_map = self.parent().is_some_and(|parent| parent.kind() == NodeKind::Map);
        if in_map && let Ok(key) = ron::from_str::<String>(text) {
            return Some(key);
        }
        Some(text.strip_prefix("r#").unwrap_or(text).to_owned())
    }

    /// The contents of a string.
    pub fn string(self) -> Option<String> {
        (self.kind() == NodeKind::Str).then(|| ron::from_str(self.text()).ok())?
    }

    /// The container.
    pub fn parent(self) -> Option<TextNode<'t>> {
        self.other(self.data().parent)
    }

    /// The values directly inside, in the order of the text.
    pub fn children(self) -> impl Iterator<Item = TextNode<'t>> {
        std::iter::successors(self.other(self.data().first), |node| node.other(node.data().next))
    }

    /// Position among the children of its container.
    pub fn index(self) -> usize {
        self.parent().map_or(0, |parent| parent.children().take_while(|&child| child != self).count())
    }

    /// The field or entry with this key; the first if there are several.
    pub fn field(self, key: &str) -> Option<TextNode<'t>> {
        self.children().find(|child| child.key().is_some_and(|found| found == key))
    }

    /// The value itself, or the value inside `Some(…)`.
    pub fn unwrapped(self) -> TextNode<'t> {
        let mut node = self;
        while node.kind() == NodeKind::Some
            && let Some(child) = node.children().next()
        {
            node = child;
        }
        node
    }

    /// The value in words for a message: ``the string `"abc"` ``.
    pub fn describe(self) -> String {
        let what = match self.kind() {
            NodeKind::Struct if self.name().is_none() => "the struct ",
            NodeKind::Tuple if self.name().is_none() => "the tuple ",
            NodeKind::Struct | NodeKind::Tuple | NodeKind::Unit | NodeKind::Some | NodeKind::None | NodeKind::Ident => {
                ""
            }
            NodeKind::List => "the list ",
            NodeKind::Map => "the map ",
            NodeKind::Str => "the string ",
            NodeKind::Bytes => "the byte string ",
            NodeKind::Number => "the number ",
            NodeKind::Bool => "the boolean ",
            NodeKind::Char => "the character ",
        };
        format!("{what}`{}`", shortened(self.text()))
    }
}

/// A text on one line, at most 40 characters.
pub(super) fn shortened(text: &str) -> String {
    const MOST: usize = 40;
    // The first characters are enough: the value may be megabytes long.
    let start = text.char_indices().nth(4 * MOST).map_or(text, |(end, _)| &text[..end]);
    let words: Vec<&str> = start.split_whitespace().collect();
    let line = words.join(" ");
    if line.chars().count() <= MOST && start.len() == text.len() {
        return line;
    }
    line.chars().take(MOST - 1).chain(['…']).collect()
}
