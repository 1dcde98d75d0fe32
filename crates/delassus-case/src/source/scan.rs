//! The scanner of the RON grammar behind [`Tree`](super::Tree).
//!
//! It accepts a superset of what ron 0.12 accepts: digits, escapes and identifiers are not checked beyond
//! finding where they end, for serde will; brackets, commas, colons, comments and quotes are. Two habits of ron
//! are followed on purpose: `Some 5` is `Some(5)` where `implicit_some` is on, and `Some(a: 1)` has its fields
//! unwrapped. Time and memory are linear in the text; recursion is limited to [`MAX_DEPTH`].

use super::error::{SyntaxError, SyntaxProblem};
use super::lex::{Scanned, TextCursor};
use super::tree::{MAX_BYTES, MAX_DEPTH, MAX_VALUES, NONE, NodeKind, StoredNode};

/// The nodes of a text, the root first, and the end of its attributes.
pub(super) fn scan(text: &str) -> Result<(Vec<StoredNode>, usize), SyntaxError> {
    if text.len() > MAX_BYTES {
        let problem = SyntaxProblem::TooLarge { bytes: text.len(), limit: MAX_BYTES };
        return Err(SyntaxError { line: 1, column: 1, offset: 0, problem });
    }
    let scanner = Scanner { cursor: TextCursor { text, at: 0 }, nodes: Vec::new(), depth: 0 };
    scanner.document().map_err(|(offset, problem)| {
        let before = text.get(..offset).unwrap_or(text);
        let line = 1 + before.matches('\n').count();
        let column = 1 + before.chars().rev().take_while(|&c| c != '\n').count();
        SyntaxError { line, column, offset, problem }
    })
}

struct Scanner<'a> {
    cursor: TextCursor<'a>,
    nodes: Vec<StoredNode>,
    depth: usize,
}

/// An opening bracket and what closes it.
#[derive(Clone, Copy)]
struct Bracket {
    at: usize,
    open: char,
    close: char,
}

/// Whether the entries of round brackets have names.
#[derive(Clone, Copy, PartialEq)]
enum BracketEntries {
    Undecided,
    Named,
    Positional,
}

impl Scanner<'_> {
    fn document(mut self) -> Scanned<(Vec<StoredNode>, usize)> {
        self.cursor.skip_blank()?;
        let mut attributes = 0;
        while self.cursor.peek() == Some('#') {
            self.cursor.attribute()?;
            attributes = self.cursor.at;
            self.cursor.skip_blank()?;
        }
        self.value(NONE)?;
        self.cursor.skip_blank()?;
        match self.cursor.peek() {
            Some(found) => Err((self.cursor.at, SyntaxProblem::TrailingText { found })),
            None => Ok((self.nodes, attributes)),
        }
    }

    fn new_node(&mut self, kind: NodeKind, start: usize, parent: u32) -> Scanned<u32> {
        if self.nodes.len() >= MAX_VALUES {
            return Err((start, SyntaxProblem::TooManyValues { limit: MAX_VALUES }));
        }
        let id = self.nodes.len() as u32;
        self.nodes.push(StoredNode {
            kind,
            start: start as u32,
            end: start as u32,
            key: (0, 0),
            name_len: 0,
            body: NONE,
            comma: NONE,
            parent,
            first: NONE,
            next: NONE,
        });
        Ok(id)
    }

    fn node(&mut self, id: u32) -> &mut StoredNode {
        &mut self.nodes[id as usize]
    }

    /// One value with all that is in it; `parent` is the node it belongs to.
    fn value(&mut self, parent: u32) -> Scanned<u32> {
        let start = self.cursor.at;
        let Some(first) = self.cursor.peek() else {
            return Err((start, SyntaxProblem::MissingValue));
        };
        let id = self.new_node(NodeKind::Unit, start, parent)?;
        let kind = match first {
            '(' => self.round(id)?,
            '[' => {
                self.bracketed(id, '[', ']')?;
                NodeKind::List
            }
            '{' => {
                self.bracketed(id, '{', '}')?;
                NodeKind::Map
            }
            '"' => {
                self.cursor.string(start)?;
                NodeKind::Str
            }
            '\'' => {
                self.cursor.character(start)?;
                NodeKind::Char
            }
            'b' if self.cursor.looking_at("b\"") => {
                self.cursor.at += 1;
                self.cursor.string(start)?;
                NodeKind::Bytes
            }
            'b' if self.cursor.looking_at("br\"") || self.cursor.looking_at("br#") => {
                self.cursor.raw_string(start, 2)?;
                NodeKind::Bytes
            }
            'r' if self.cursor.at_raw_string() => {
                self.cursor.raw_string(start, 1)?;
                NodeKind::Str
            }
            _ if first.is_ascii_digit() || matches!(first, '+' | '-' | '.') || self.cursor.looking_at("b'") => {
                self.cursor.number()?;
                NodeKind::Number
            }
            _ => self.named(id, first)?,
        };
        let end = self.cursor.at as u32;
        let node = self.node(id);
        node.kind = kind;
        node.end = end;
        Ok(id)
    }

    /// A value that begins with an identifier.
    fn named(&mut self, id: u32, first: char) -> Scanned<NodeKind> {
        let start = self.cursor.at;
        let Some(name) = self.cursor.identifier() else {
            return Err((start, SyntaxProblem::UnexpectedChar { found: first }));
        };
        self.node(id).name_len = name.len() as u32;
        let after_name = self.cursor.at;
        if matches!(name, "inf" | "NaN" | "inff32" | "inff64" | "NaNf32" | "NaNf64") && self.cursor.looking_at("..") {
            self.cursor.number()?;
        }
        let after_number = self.cursor.at;
        self.cursor.skip_blank()?;
        if self.cursor.peek() == Some('(') {
            let kind = self.round(id)?;
            // `Some(1, 2)` is a tuple with its brackets unwrapped.
            let holds_one =
                self.nodes.get(self.nodes[id as usize].first as usize).is_some_and(|child| child.next == NONE);
            return Ok(if name == "Some" && kind == NodeKind::Tuple && holds_one { NodeKind::Some } else { kind });
        }
        let ends = |c| matches!(c, ',' | ')' | ']' | '}' | ':');
        if name == "Some" && self.cursor.peek().is_some_and(|c| !ends(c)) {
            self.enter(start)?;
            let child = self.value(id)?;
            self.depth -= 1;
            self.node(id).first = child;
            return Ok(NodeKind::Some);
        }
        // The blanks looked through belong to the container.
        self.cursor.at = after_number;
        Ok(match name {
            "true" | "false" => NodeKind::Bool,
            "None" => NodeKind::None,
            "inf" | "NaN" | "inff32" | "inff64" | "NaNf32" | "NaNf64" => NodeKind::Number,
            _ if after_number > after_name => NodeKind::Number,
            _ => NodeKind::Ident,
        })
    }

    fn enter(&mut self, at: usize) -> Scanned<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err((at, SyntaxProblem::TooDeep { limit: MAX_DEPTH }));
        }
        Ok(())
    }

    /// `(…)` after an optional name.
    fn round(&mut self, id: u32) -> Scanned<NodeKind> {
        Ok(match self.bracketed(id, '(', ')')? {
            BracketEntries::Undecided => NodeKind::Unit,
            BracketEntries::Named => NodeKind::Struct,
            BracketEntries::Positional => NodeKind::Tuple,
        })
    }

    /// The entries between two brackets, made the children of a node.
    fn bracketed(&mut self, id: u32, open: char, close: char) -> Scanned<BracketEntries> {
        let bracket = Bracket { at: self.cursor.at, open, close };
        self.enter(bracket.at)?;
        self.cursor.at += 1;
        self.node(id).body = self.cursor.at as u32;
        let mut entries = BracketEntries::Undecided;
        let mut last = NONE;
        loop {
            self.cursor.skip_blank()?;
            if self.closed(bracket)? {
                self.depth -= 1;
                return Ok(entries);
            }
            let child = self.entry(id, bracket, &mut entries)?;
            if last == NONE {
                self.node(id).first = child;
            } else {
                self.node(last).next = child;
            }
            last = child;
            self.cursor.skip_blank()?;
            let comma = self.cursor.at as u32;
            let found = self.cursor.take(",");
            self.node(id).comma = if found { comma } else { NONE };
            if !found && !self.closes(bracket)? {
                let found = self.cursor.peek().unwrap_or(close);
                return Err((self.cursor.at, SyntaxProblem::MissingComma { close, found }));
            }
        }
    }

    /// Whether the closing bracket stands here; another closing bracket or the end of the text are errors.
    fn closes(&self, bracket: Bracket) -> Scanned<bool> {
        let Bracket { at, open, close } = bracket;
        match self.cursor.peek() {
            None => Err((at, SyntaxProblem::Unclosed { open, close })),
            Some(found) if found == close => Ok(true),
            Some(found @ (')' | ']' | '}')) => {
                let line = 1 + self.cursor.text[..at].matches('\n').count();
                Err((self.cursor.at, SyntaxProblem::Mismatched { open, line, close, found }))
            }
            Some(_) => Ok(false),
        }
    }

    fn closed(&mut self, bracket: Bracket) -> Scanned<bool> {
        let closed = self.closes(bracket)?;
        if closed {
            self.cursor.at += 1;
        }
        Ok(closed)
    }

    /// One entry: a value, with its key where there is one.
    fn entry(&mut self, id: u32, bracket: Bracket, entries: &mut BracketEntries) -> Scanned<u32> {
        let start = self.cursor.at;
        let key = match bracket.open {
            '(' => self.field_name()?,
            '{' => Some(self.map_key(id)?),
            _ => None,
        };
        let kind = if key.is_some() { BracketEntries::Named } else { BracketEntries::Positional };
        match (*entries, key) {
            (BracketEntries::Named, None) => return Err((start, SyntaxProblem::MissingName)),
            (BracketEntries::Positional, Some((from, to))) => {
                let key = self.cursor.text[from..to].to_owned();
                return Err((start, SyntaxProblem::UnexpectedName { key }));
            }
            _ => *entries = kind,
        }
        if key.is_some() {
            self.cursor.at += 1;
            self.cursor.skip_blank()?;
        }
        let child = self.value(id)?;
        let (from, to) = key.unwrap_or((0, 0));
        self.node(child).key = (from as u32, to as u32);
        Ok(child)
    }

    /// `name` if `name :` stands here, leaving the cursor at the colon; else nothing is consumed.
    fn field_name(&mut self) -> Scanned<Option<(usize, usize)>> {
        let start = self.cursor.at;
        if self.cursor.identifier().is_some() {
            let end = self.cursor.at;
            self.cursor.skip_blank()?;
            if self.cursor.peek() == Some(':') {
                return Ok(Some((start, end)));
            }
        }
        self.cursor.at = start;
        Ok(None)
    }

    /// The key of a map entry, any value; the cursor is left at the colon.
    fn map_key(&mut self, id: u32) -> Scanned<(usize, usize)> {
        let (start, nodes) = (self.cursor.at, self.nodes.len());
        self.value(id)?;
        // A key is a place, not a value of the tree.
        self.nodes.truncate(nodes);
        let end = self.cursor.at;
        self.cursor.skip_blank()?;
        if self.cursor.peek() != Some(':') {
            return Err((self.cursor.at, SyntaxProblem::MissingColon));
        }
        Ok((start, end))
    }
}
