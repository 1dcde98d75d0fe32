//! Lines of an input file: keywords with their parameters, and data.
//!
//! ```text
//! ** a comment
//! *KEYWORD, PARAMETER=VALUE, FLAG          letters of either case; goes on after a comma at the end of the line
//! field, field, field                      data of the keyword above
//! ```

use nom::bytes::complete::{tag, take_till};
use nom::character::complete::char;
use nom::combinator::rest;
use nom::multi::separated_list1;
use nom::sequence::preceded;
use nom::{IResult, Parser};

use crate::{FilePlace, MeshError};

/// Most of a line that a message repeats.
const MAX_QUOTE: usize = 32;

/// What a line is.
#[derive(Debug, PartialEq)]
pub(super) enum Line<'a> {
    /// A keyword and its parameters.
    Keyword(Keyword),
    /// Fields without the spaces around them.
    Data(Vec<&'a [u8]>),
}

/// A keyword line.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Keyword {
    /// Name in capitals, with single spaces.
    pub(super) name: String,
    parameters: Vec<(String, String)>,
}

impl Keyword {
    /// The value of a parameter, as written; empty for a flag.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.parameters.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }
}

/// Goes through the lines of a file and knows where it is.
pub(super) struct InputLines<'a> {
    rest: &'a [u8],
    /// Number of the last line, from 1.
    pub(super) number: usize,
    /// The keyword above, for messages.
    pub(super) section: String,
}

impl<'a> InputLines<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, number: 0, section: String::new() }
    }

    /// The next line that says something.
    pub(super) fn next(&mut self) -> Option<Line<'a>> {
        loop {
            let line = self.raw()?;
            if line.is_empty() || line.starts_with(b"**") {
                continue;
            }
            if !line.starts_with(b"*") {
                return Some(Line::Data(data(line)));
            }
            let mut keyword = keyword(line);
            let mut last = line;
            // A comma at the end promises more.
            while last.ends_with(b",") {
                let Some(next) = self.peek().filter(|next| !next.starts_with(b"*")) else { break };
                let _ = self.raw();
                keyword.parameters.extend(data(next).into_iter().filter_map(parameter));
                last = next;
            }
            self.section = format!("*{}", keyword.name);
            return Some(Line::Keyword(keyword));
        }
    }

    /// The fields of the next line, if it is one of data.
    pub(super) fn next_data(&mut self) -> Option<Vec<&'a [u8]>> {
        loop {
            let next = self.peek()?;
            if next.starts_with(b"*") && !next.starts_with(b"**") {
                return None;
            }
            let line = self.raw()?;
            if !line.is_empty() && !line.starts_with(b"**") {
                return Some(data(line));
            }
        }
    }

    fn peek(&self) -> Option<&'a [u8]> {
        (!self.rest.is_empty()).then(|| split_line(self.rest).0)
    }

    fn raw(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let (line, rest) = split_line(self.rest);
        self.rest = rest;
        self.number += 1;
        Some(line)
    }

    /// The error of something that should be otherwise in the last line.
    pub(super) fn wrong(&self, message: impl Into<String>) -> MeshError {
        let section =
            if self.section.is_empty() { "before the first keyword".to_owned() } else { self.section.clone() };
        MeshError::Syntax { section, place: FilePlace::Line(self.number), message: message.into() }
    }

    /// A whole number that is not negative.
    pub(super) fn count(&self, field: &[u8], what: &str) -> Result<u64, MeshError> {
        whole(field).ok_or_else(|| self.wrong(format!("expected {what}, found {}", quote(field))))
    }

    /// A finite number; Fortran's `1.D0` too.
    pub(super) fn real(&self, field: &[u8], what: &str) -> Result<f64, MeshError> {
        let text = std::str::from_utf8(field).ok();
        let value = text.and_then(|text| text.parse().ok().or_else(|| text.replace(['d', 'D'], "e").parse().ok()));
        value
            .filter(|x: &f64| x.is_finite())
            .ok_or_else(|| self.wrong(format!("expected {what}, found {}", quote(field))))
    }
}

/// A whole number, if the field is one.
pub(super) fn whole(field: &[u8]) -> Option<u64> {
    std::str::from_utf8(field).ok()?.parse().ok()
}

/// A field as a message shows it.
pub(super) fn quote(field: &[u8]) -> String {
    if field.is_empty() {
        return "nothing".to_owned();
    }
    let short: String = String::from_utf8_lossy(field).chars().take(MAX_QUOTE).collect();
    format!("`{}`", delassus_error::excerpt(&short))
}

/// The first line without spaces around it, and what follows.
fn split_line(bytes: &[u8]) -> (&[u8], &[u8]) {
    let end = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len());
    (bytes[..end].trim_ascii(), bytes.get(end + 1..).unwrap_or_default())
}

fn fields(line: &[u8]) -> IResult<&[u8], Vec<&[u8]>> {
    separated_list1(char(','), take_till(|byte| byte == b',')).parse(line)
}

/// The fields of a line; a comma at its end begins no other.
fn data(line: &[u8]) -> Vec<&[u8]> {
    let line = line.strip_suffix(b",").unwrap_or(line);
    fields(line).map_or_else(|_| Vec::new(), |(_, list)| list.into_iter().map(<[u8]>::trim_ascii).collect())
}

fn keyword(line: &[u8]) -> Keyword {
    let named: IResult<&[u8], &[u8]> = preceded(tag("*"), rest).parse(line);
    let mut parts = data(named.map_or(line, |(_, inside)| inside)).into_iter();
    let name = String::from_utf8_lossy(parts.next().unwrap_or_default()).to_uppercase();
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    Keyword { name, parameters: parts.filter_map(parameter).collect() }
}

/// `KEY`, or `KEY=value`; quotes around the value are not part of it.
fn parameter(field: &[u8]) -> Option<(String, String)> {
    let text = String::from_utf8_lossy(field);
    let (key, value) = text.split_once('=').unwrap_or((&text, ""));
    let key = key.split_whitespace().collect::<Vec<_>>().join(" ").to_uppercase();
    let value = value.trim();
    let bare = value.strip_prefix('"').and_then(|v| v.strip_suffix('"')).unwrap_or(value);
    (!key.is_empty()).then(|| (key, bare.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_have_parameters_over_several_lines() {
        let text = b"** comment\r\n\r\n*Solid   section, elset=Set-1,\r\n  MATERIAL=\"My Steel\", flag\r\n 1., 2.\r\n";
        let mut lines = InputLines::new(text);
        let Some(Line::Keyword(found)) = lines.next() else { panic!("a keyword") };
        assert_eq!(found.name, "SOLID SECTION");
        assert_eq!(
            (found.get("ELSET"), found.get("MATERIAL"), found.get("FLAG")),
            (Some("Set-1"), Some("My Steel"), Some(""))
        );
        assert!(!found.has("NSET"));
        assert_eq!(lines.next(), Some(Line::Data(vec![&b"1."[..], b"2."])));
        assert_eq!((lines.next(), lines.number), (None, 5));
    }

    #[test]
    fn numbers_are_whole_or_finite() {
        let lines = InputLines::new(b"");
        assert_eq!(lines.count(b"12", "a tag").unwrap(), 12);
        assert!((lines.real(b"1.5D-1", "x").unwrap() - 0.15).abs() < 1e-16);
        for (field, shown) in [(&b""[..], "nothing"), (b"-1", "`-1`"), (b"1.", "`1.`"), (b"\xff", "`\u{fffd}`")] {
            let text = lines.count(field, "a tag").unwrap_err().to_string();
            assert!(text.contains(&format!("expected a tag, found {shown}")), "{text}");
        }
        for field in [&b"nan"[..], b"inf", b"1e999", b"x"] {
            assert!(lines.real(field, "a coordinate").is_err());
        }
    }
}
