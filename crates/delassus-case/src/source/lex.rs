//! The tokens of RON as far as their ends: blanks, comments, identifiers, strings, characters, numbers.
//!
//! More lenient than ron on purpose (see [`scan`](super::scan)): ron checks the contents of tokens.

use super::error::SyntaxProblem;

/// A result with the byte offset of the problem.
pub(super) type Scanned<T> = Result<T, (usize, SyntaxProblem)>;

/// A place in a text.
pub(super) struct TextCursor<'a> {
    pub text: &'a str,
    pub at: usize,
}

impl<'a> TextCursor<'a> {
    pub fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub fn looking_at(&self, start: &str) -> bool {
        self.rest().starts_with(start)
    }

    pub fn take(&mut self, start: &str) -> bool {
        let found = self.looking_at(start);
        if found {
            self.at += start.len();
        }
        found
    }

    pub fn skip_while(&mut self, condition: impl Fn(char) -> bool) {
        let rest = self.rest();
        self.at += rest.find(|c| !condition(c)).unwrap_or(rest.len());
    }

    pub fn skip_blank(&mut self) -> Scanned<()> {
        loop {
            self.skip_while(is_blank);
            if self.looking_at("//") {
                self.skip_while(|c| c != '\n');
            } else if self.looking_at("/*") {
                self.block_comment()?;
            } else if self.looking_at("/") {
                return Err((self.at, SyntaxProblem::LoneSlash));
            } else {
                return Ok(());
            }
        }
    }

    pub fn block_comment(&mut self) -> Scanned<()> {
        let start = self.at;
        self.at += 2;
        let mut level = 1;
        while level > 0 {
            self.skip_while(|c| c != '/' && c != '*');
            if self.take("/*") {
                level += 1;
            } else if self.take("*/") {
                level -= 1;
            } else if self.rest().is_empty() {
                return Err((start, SyntaxProblem::UnclosedComment));
            } else {
                self.at += 1;
            }
        }
        Ok(())
    }

    /// An identifier, `r#` included; nothing is consumed if there is none.
    pub fn identifier(&mut self) -> Option<&'a str> {
        let start = self.at;
        if self.at_raw_string() || ["b\"", "b'", "br#", "br\""].iter().any(|literal| self.looking_at(literal)) {
            return None;
        }
        if self.take("r#") {
            self.skip_while(|c| is_ident(c) || matches!(c, '.' | '+' | '-'));
            if self.at == start + 2 {
                self.at = start;
                return None;
            }
        } else if self.peek().is_some_and(is_ident_start) {
            self.skip_while(is_ident);
        } else {
            return None;
        }
        Some(&self.text[start..self.at])
    }

    /// `"…"` at the cursor; `start` is where the literal began.
    pub fn string(&mut self, start: usize) -> Scanned<()> {
        self.at += 1;
        loop {
            self.skip_while(|c| c != '"' && c != '\\');
            if self.take("\"") {
                return Ok(());
            }
            // A backslash hides the character after it, also a quote.
            if !self.take("\\") {
                let close = String::from("\"");
                return Err((start, SyntaxProblem::UnclosedString { close }));
            }
            self.at += self.peek().map_or(0, char::len_utf8);
        }
    }

    pub fn at_raw_string(&self) -> bool {
        self.looking_at("r\"") || self.looking_at("r#\"") || self.looking_at("r##")
    }

    /// A raw string whose hashes begin `prefix` bytes after the cursor.
    pub fn raw_string(&mut self, start: usize, prefix: usize) -> Scanned<()> {
        self.at += prefix;
        let hashes = self.rest().len() - self.rest().trim_start_matches('#').len();
        self.at += hashes;
        let close = format!("\"{}", "#".repeat(hashes));
        if self.take("\"")
            && let Some(end) = self.rest().find(&close)
        {
            self.at += end + close.len();
            return Ok(());
        }
        Err((start, SyntaxProblem::UnclosedString { close }))
    }

    /// `'x'` at the cursor, with any escape; `start` is where the literal began.
    pub fn character(&mut self, start: usize) -> Scanned<()> {
        let unclosed = (start, SyntaxProblem::UnclosedChar);
        self.at += 1;
        let Some(first) = self.peek() else {
            return Err(unclosed);
        };
        self.at += first.len_utf8();
        if first == '\\' {
            // The longest escape is `\u{10FFFF}`: its first character is always hidden.
            self.at += self.peek().map_or(0, char::len_utf8);
            self.skip_while(|c| c.is_ascii_hexdigit() || matches!(c, '{' | '}'));
        }
        if self.take("'") { Ok(()) } else { Err(unclosed) }
    }

    /// A number or range; only its end matters.
    pub fn number(&mut self) -> Scanned<()> {
        loop {
            if self.looking_at("b'") {
                let start = self.at;
                self.at += 1;
                self.character(start)?;
            }
            while !self.looking_at("..")
                && self.peek().is_some_and(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '+' | '-'))
            {
                self.at += 1;
            }
            if !self.take("..=") && !self.take("..") {
                return Ok(());
            }
        }
    }

    /// `#![…]`; ron checks its contents. Only strings can contain its closing bracket.
    pub fn attribute(&mut self) -> Scanned<()> {
        let start = self.at;
        let bad = (start, SyntaxProblem::BadAttribute);
        for part in ["#", "!", "["] {
            if !self.take(part) {
                return Err(bad);
            }
            self.skip_blank()?;
        }
        loop {
            self.skip_blank()?;
            match self.peek() {
                None => return Err(bad),
                Some(']') => {
                    self.at += 1;
                    return Ok(());
                }
                Some('"') => self.string(self.at)?,
                Some('r') if self.at_raw_string() => self.raw_string(self.at, 1)?,
                Some(c) if is_ident_start(c) => self.skip_while(is_ident),
                Some(c) => self.at += c.len_utf8(),
            }
        }
    }
}

/// The blanks of ron, which are not those of `char::is_whitespace`.
fn is_blank(c: char) -> bool {
    matches!(c, '\t'..='\r' | ' ' | '\u{85}' | '\u{200E}' | '\u{200F}' | '\u{2028}' | '\u{2029}')
}

/// Every character beyond ASCII may be part of a name here; ron knows the Unicode tables.
fn is_ident_start(c: char) -> bool {
    c == '_' || c.is_ascii_alphabetic() || (!c.is_ascii() && !is_blank(c))
}

fn is_ident(c: char) -> bool {
    is_ident_start(c) || c.is_ascii_digit()
}
