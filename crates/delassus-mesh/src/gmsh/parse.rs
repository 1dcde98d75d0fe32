//! Words and numbers of the MSH formats, in text and in binary, with faults that know where they are.
//!
//! A parser gets what is left of the file and returns what is left after it (nom). The number parsers of
//! [`Encoding`] hide whether the file is text or binary, so that a section of MSH 4.1 is written once.

use std::borrow::Cow;

use nom::bytes::complete::{take_till, take_till1};
use nom::character::complete::{line_ending, multispace0, space0};
use nom::combinator::opt;
use nom::error::{ErrorKind, ParseError};
use nom::number::Endianness;
use nom::number::complete::{f64 as binary_f64, i32 as binary_i32, u32 as binary_u32, u64 as binary_u64};
use nom::sequence::preceded;
use nom::{IResult, Parser};

/// Result of a parser: the rest of the file and the value.
pub(super) type Parsed<'a, T> = IResult<&'a [u8], T, ParseFault<'a>>;

/// Longest piece of the file quoted in a message, in bytes.
const MAX_QUOTE: usize = 32;

/// Why a parser stopped. Borrows the file; becomes a [`crate::MeshError::Syntax`] at the boundary.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ParseFault<'a> {
    /// The file from the offending place on.
    pub(super) at: &'a [u8],
    /// What should be there.
    pub(super) expected: Cow<'static, str>,
    /// What is there, where the bytes alone do not say it.
    pub(super) found: Option<String>,
    /// Which item of how many, e.g. ("node", 3, 25).
    pub(super) item: Option<(&'static str, u64, u64)>,
}

impl<'a> ParseError<&'a [u8]> for ParseFault<'a> {
    /// The callers put their own words in place of these.
    fn from_error_kind(at: &'a [u8], kind: ErrorKind) -> Self {
        ParseFault { at, expected: kind.description().to_owned().into(), found: None, item: None }
    }

    fn append(_: &'a [u8], _: ErrorKind, other: Self) -> Self {
        other
    }
}

/// Stops at `at`, where `expected` should have been.
pub(super) fn fail<'a, T>(at: &'a [u8], expected: impl Into<Cow<'static, str>>) -> Parsed<'a, T> {
    Err(nom::Err::Error(ParseFault { at, expected: expected.into(), found: None, item: None }))
}

/// Stops at `at`, where the value `found` was read instead of `expected`.
pub(super) fn fail_value<'a, T>(
    at: &'a [u8],
    expected: impl Into<Cow<'static, str>>,
    found: impl std::fmt::Display,
) -> Parsed<'a, T> {
    let found = Some(found.to_string());
    Err(nom::Err::Error(ParseFault { at, expected: expected.into(), found, item: None }))
}

/// Parses `n` items one after the other. Memory follows what is really in the file, not `n`: a header
/// can claim anything, but each item must take at least one byte.
pub(super) fn items<'a, T>(
    what: &'static str,
    n: u64,
    mut input: &'a [u8],
    mut parser: impl FnMut(&'a [u8]) -> Parsed<'a, T>,
) -> Parsed<'a, Vec<T>> {
    let mut list = Vec::with_capacity(usize::try_from(n).map_or(0, |n| n.min(input.len() / 8)));
    for i in 0..n {
        let (rest, item) = parser(input).map_err(|error| {
            error.map(|mut fault| {
                fault.item = fault.item.or(Some((what, i + 1, n)));
                fault
            })
        })?;
        if rest.len() == input.len() {
            return fail(input, what);
        }
        list.push(item);
        input = rest;
    }
    Ok((input, list))
}

fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace()
}

/// The next word, on this line or a later one.
pub(super) fn word(input: &[u8]) -> Parsed<'_, &[u8]> {
    preceded(multispace0, take_till1(is_space)).parse(input)
}

/// The next word on this line.
fn word_in_line(input: &[u8]) -> Parsed<'_, &[u8]> {
    preceded(space0, take_till1(is_space)).parse(input)
}

/// Blanks and the end of the line (or of the file); exactly one line, because binary data may follow.
pub(super) fn end_of_line(input: &[u8]) -> Parsed<'_, ()> {
    let (rest, _) = space0(input)?;
    if rest.is_empty() {
        return Ok((rest, ()));
    }
    match line_ending::<_, ParseFault<'_>>(rest) {
        Ok((rest, _)) => Ok((rest, ())),
        Err(_) => fail(rest, "the end of the line"),
    }
}

/// A number in text, which `word` has to find.
fn number<'a, T: std::str::FromStr>(
    input: &'a [u8],
    word: fn(&'a [u8]) -> Parsed<'a, &'a [u8]>,
    expected: &'static str,
) -> Parsed<'a, T> {
    let Ok((rest, text)) = word(input) else {
        return fail(input, expected);
    };
    match std::str::from_utf8(text).ok().and_then(|text| text.parse().ok()) {
        Some(value) => Ok((rest, value)),
        None => fail(&input[input.len() - rest.len() - text.len()..], expected),
    }
}

/// An integer in text (some counts are text in binary files too).
pub(super) fn text_count<'a>(input: &'a [u8], expected: &'static str) -> Parsed<'a, u64> {
    number(input, word, expected)
}

/// A signed integer in text.
pub(super) fn text_int<'a>(input: &'a [u8], expected: &'static str) -> Parsed<'a, i32> {
    number(input, word, expected)
}

/// How numbers are written in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    /// Decimal text.
    Text,
    /// Machine numbers.
    Binary {
        /// Byte order of the machine that wrote the file.
        endian: Endianness,
        /// `size_t` has 8 bytes (else 4).
        wide: bool,
    },
}

impl Encoding {
    pub(super) fn is_binary(self) -> bool {
        self != Encoding::Text
    }

    /// A C `int`.
    pub(super) fn int<'a>(self, input: &'a [u8], expected: &'static str) -> Parsed<'a, i32> {
        match self {
            Encoding::Text => number(input, word, expected),
            Encoding::Binary { endian, .. } => machine(binary_i32(endian), input, expected),
        }
    }

    /// A `size_t`.
    pub(super) fn size<'a>(self, input: &'a [u8], expected: &'static str) -> Parsed<'a, u64> {
        match self {
            Encoding::Text => number(input, word, expected),
            Encoding::Binary { endian, wide: true } => machine(binary_u64(endian), input, expected),
            Encoding::Binary { endian, wide: false } => machine(binary_u32(endian).map(u64::from), input, expected),
        }
    }

    /// A `double`.
    pub(super) fn double<'a>(self, input: &'a [u8], expected: &'static str) -> Parsed<'a, f64> {
        match self {
            Encoding::Text => number(input, word, expected),
            Encoding::Binary { endian, .. } => machine(binary_f64(endian), input, expected),
        }
    }

    /// A `size_t` that, in text, must be on the same line as what came before it.
    pub(super) fn size_in_line<'a>(self, input: &'a [u8], expected: &'static str) -> Parsed<'a, u64> {
        match self {
            Encoding::Text => number(input, word_in_line, expected),
            Encoding::Binary { .. } => self.size(input, expected),
        }
    }

    /// An `int` that, in text, must be on the same line as what came before it.
    pub(super) fn int_in_line<'a>(self, input: &'a [u8], expected: &'static str) -> Parsed<'a, i32> {
        match self {
            Encoding::Text => number(input, word_in_line, expected),
            Encoding::Binary { .. } => self.int(input, expected),
        }
    }

    /// A finite `double` that, in text, must be on the same line as what came before it.
    pub(super) fn coordinate<'a>(self, input: &'a [u8], expected: &'static str) -> Parsed<'a, f64> {
        let (rest, value) = match self {
            Encoding::Text => number::<f64>(input, word_in_line, expected)?,
            Encoding::Binary { .. } => self.double(input, expected)?,
        };
        if value.is_finite() {
            return Ok((rest, value));
        }
        fail_value(input, "a finite coordinate", value)
    }

    /// The end of a record: of the line in text, nothing in binary.
    pub(super) fn end_of_record(self, input: &[u8]) -> Parsed<'_, ()> {
        match self {
            Encoding::Text => end_of_line(input),
            Encoding::Binary { .. } => Ok((input, ())),
        }
    }

    /// `n` doubles that are not kept.
    pub(super) fn skip_doubles<'a>(self, n: usize, mut input: &'a [u8], expected: &'static str) -> Parsed<'a, ()> {
        for _ in 0..n {
            input = self.double(input, expected)?.0;
        }
        Ok((input, ()))
    }

    /// A count followed by that many ints.
    pub(super) fn counted_ints<'a>(
        self,
        input: &'a [u8],
        count: &'static str,
        each: &'static str,
    ) -> Parsed<'a, Vec<i32>> {
        let (input, n) = self.size(input, count)?;
        items(each.trim_start_matches("a "), n, input, |input| self.int(input, each))
    }
}

fn machine<'a, T>(
    mut parser: impl Parser<&'a [u8], Output = T, Error = ParseFault<'a>>,
    input: &'a [u8],
    expected: &'static str,
) -> Parsed<'a, T> {
    parser.parse(input).or_else(|_| fail(input, expected))
}

/// The tag that ends a section, after optional blank lines.
pub(super) fn end_of_section<'a>(input: &'a [u8], section: &str, n: &str) -> Parsed<'a, ()> {
    let end = format!("$End{section}");
    let (from, _) = multispace0(input)?;
    match take_till::<_, _, ParseFault<'_>>(is_space)(from) {
        Ok((rest, text)) if text == end.as_bytes() => Ok((opt(end_of_line).parse(rest)?.0, ())),
        _ => fail(from, format!("{end} after {n}")),
    }
}

/// The words of a message for what is at a place in a text file.
pub(super) fn quote(at: &[u8]) -> String {
    let start = at.iter().position(|&b| b != b' ' && b != b'\t').unwrap_or(at.len());
    let at = &at[start..];
    match at.first() {
        None => "the end of the file".to_owned(),
        Some(b'\n' | b'\r') => "the end of the line".to_owned(),
        Some(_) => {
            let end = at.iter().position(|&b| is_space(b)).unwrap_or(at.len());
            let text = String::from_utf8_lossy(&at[..end.min(MAX_QUOTE)]);
            let text: String = text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
            let more = if end > MAX_QUOTE { "…" } else { "" };
            format!("`{text}{more}`")
        }
    }
}
