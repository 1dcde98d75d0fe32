//! Changes of inputs: of bytes, of lines, of words and numbers, of machine integers, and one input grafted on another.
//!
//! Every change looks only at the neighbourhood of a random place, so making an input costs less than reading it.

use std::ops::Range;

use crate::pool::Pool;
use crate::random::Random;
use crate::targets::{Form, FuzzTarget};

/// Longest input \[B\]: everything that can go wrong with a header does so in less, and short inputs run fast.
pub const LONGEST_INPUT: usize = 8192;

/// Numbers at the edges of what types can hold, and beyond.
const NUMBERS: [&str; 36] = [
    "0",
    "-0.0",
    "1",
    "-1",
    "2",
    "3",
    "7",
    "64",
    "65",
    "100",
    "101",
    "255",
    "256",
    "65536",
    "2147483647",
    "2147483648",
    "-2147483648",
    "-2147483649",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "0.5",
    "1e308",
    "-1e308",
    "1e309",
    "1e-308",
    "5e-324",
    "1e-400",
    "NaN",
    "inf",
    "-inf",
];

/// Integers at the same edges, as a machine holds them; the low bytes of each are used too.
const INTEGERS: [u64; 19] = [
    0,
    1,
    2,
    3,
    8,
    15,
    16,
    127,
    128,
    255,
    65536,
    0x7FFF_FFFF,
    0x8000_0000,
    0xFFFF_FFFF,
    0x1_0000_0000,
    0x7FFF_FFFF_FFFF_FFFF,
    0x8000_0000_0000_0000,
    0xFFFF_FFFF_FFFF_FFFF,
    // A double that is not a number.
    0x7FF8_0000_0000_0000,
];

/// Pieces that readers of text trip over.
const PIECES: [&str; 30] = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    ",",
    ":",
    ";",
    "=",
    ".",
    "..",
    "\"",
    "'",
    "`",
    "\\",
    "#",
    "$",
    "&",
    "-",
    "\n",
    "\r\n",
    "\t",
    " ",
    "\0",
    "\u{e9}",
    "\u{feff}",
    "\u{1f600}",
];

/// Makes inputs for a target.
pub struct Mutator {
    form: Form,
    words: Vec<Vec<u8>>,
}

impl Mutator {
    /// With the words of the target and those of its seeds.
    #[must_use]
    pub fn new(target: &FuzzTarget, seeds: &[Vec<u8>]) -> Self {
        let mut words: Vec<Vec<u8>> = (target.words)().into_iter().map(String::into_bytes).collect();
        for seed in seeds.iter().filter(|_| target.form == Form::Text) {
            let mut at = 0;
            while at < seed.len() {
                let word = word_at(seed, at);
                at = word.end.max(at + 1);
                if word.len() > 2 {
                    words.push(seed[word].to_vec());
                }
            }
        }
        words.sort();
        words.dedup();
        Self { form: target.form, words }
    }

    /// Puts a new input into `out`: one of the pool with one or a few changes.
    pub fn make(&mut self, random: &mut Random, pool: &Pool, out: &mut Vec<u8>) {
        out.clear();
        out.extend_from_slice(pool.pick(random));
        self.alter(random, pool, out);
    }

    /// One or a few changes of an input.
    pub fn alter(&mut self, random: &mut Random, pool: &Pool, out: &mut Vec<u8>) {
        // Mostly one or two changes: each more makes it likelier that the first complaint hides the rest.
        let changes = 1 + [0, 0, 1, 1, 2, 3, 5, 8][random.below(8)];
        for _ in 0..changes {
            self.change(random, pool, out);
        }
        out.truncate(LONGEST_INPUT);
    }

    fn change(&mut self, random: &mut Random, pool: &Pool, out: &mut Vec<u8>) {
        let at = random.below(out.len() + 1);
        let kind = match self.form {
            Form::Text => random.below(20),
            // Half of the changes of binary files are of integers; the rest as in text, for their headers.
            Form::Binary => random.below(40),
        };
        match kind {
            0 => flip(random, out),
            1 => set_byte(random, out),
            2 if random.one_in(4) => out.truncate(at),
            2 | 3 => insert(out, at, random.pick(&PIECES).map_or(b"", |piece| piece.as_bytes())),
            4 => cut(out, short(random, out, at)),
            5 => repeat(random, out, at),
            6 => cut(out, line_at(out, at)),
            7 => copy(random, out, line_at(out, at)),
            8 => swap_lines(random, out, at),
            9 => cut(out, word_at(out, at)),
            10 => copy(random, out, word_at(out, at)),
            11 => {
                let other = pool.pick(random);
                graft(random, out, other);
            }
            12..=14 => replace_number(random, out, at),
            15 => nudge_number(random, out, at),
            16 => insert(out, at, random.pick(&self.words).map_or(b"", Vec::as_slice)),
            17 | 18 => replace(out, word_at(out, at), random.pick(&self.words).map_or(b"", Vec::as_slice)),
            19 => {
                let other = pool.pick(random);
                borrow_word(random, out, at, other);
            }
            _ => replace_integer(random, out, at),
        }
        out.truncate(2 * LONGEST_INPUT);
    }
}

fn flip(random: &mut Random, out: &mut [u8]) {
    let (at, bit) = (random.below(out.len()), random.below(8));
    if let Some(byte) = out.get_mut(at) {
        *byte ^= 1 << bit;
    }
}

fn set_byte(random: &mut Random, out: &mut [u8]) {
    let (at, value) = (random.below(out.len()), random.bits() as u8);
    if let Some(byte) = out.get_mut(at) {
        *byte = value;
    }
}

fn insert(out: &mut Vec<u8>, at: usize, piece: &[u8]) {
    replace(out, at..at, piece);
}

fn replace(out: &mut Vec<u8>, range: Range<usize>, piece: &[u8]) {
    out.splice(range, piece.iter().copied());
}

fn cut(out: &mut Vec<u8>, range: Range<usize>) {
    out.drain(range);
}

/// A stretch that is mostly short.
fn short(random: &mut Random, out: &[u8], at: usize) -> Range<usize> {
    let longest = 1 << random.below(8);
    at..(at + 1 + random.below(longest)).min(out.len()).max(at)
}

/// Copies a piece to another place.
fn copy(random: &mut Random, out: &mut Vec<u8>, range: Range<usize>) {
    let piece = out[range].to_vec();
    let to = random.below(out.len() + 1);
    insert(out, to, &piece);
}

/// Says a short piece again, now and then so often that brackets are nested deeply.
fn repeat(random: &mut Random, out: &mut Vec<u8>, at: usize) {
    let range = short(random, out, at);
    let (end, piece) = (range.end, out[range].to_vec());
    let times = if random.one_in(8) { 1 + random.below(1000) } else { 1 + random.below(3) };
    let times = times.min(LONGEST_INPUT / piece.len().max(1));
    insert(out, end, &piece.repeat(times));
}

/// The line around a place, with its end.
fn line_at(out: &[u8], at: usize) -> Range<usize> {
    let at = at.min(out.len());
    let start = out[..at].iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
    let end = out[at..].iter().position(|&b| b == b'\n').map_or(out.len(), |i| at + i + 1);
    start..end
}

fn swap_lines(random: &mut Random, out: &mut Vec<u8>, at: usize) {
    let a = line_at(out, at);
    let b = line_at(out, random.below(out.len() + 1));
    let (first, second) = if a.start <= b.start { (a, b) } else { (b, a) };
    if first.end <= second.start {
        let swapped = [&out[second.clone()], &out[first.end..second.start], &out[first.clone()]].concat();
        replace(out, first.start..second.end, &swapped);
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'+' | b'-' | b'$')
}

/// The word or number around a place; a single byte where there is none.
fn word_at(out: &[u8], at: usize) -> Range<usize> {
    let at = at.min(out.len());
    let start = out[..at].iter().rposition(|&b| !is_word(b)).map_or(0, |i| i + 1);
    let end = out[at..].iter().position(|&b| !is_word(b)).map_or(out.len(), |i| at + i);
    if start < end { start..end } else { at..(at + 1).min(out.len()) }
}

/// The number that begins next after a place.
fn number_after(out: &[u8], at: usize) -> Option<Range<usize>> {
    let at = at.min(out.len());
    let digit = at + out[at..].iter().position(u8::is_ascii_digit)?;
    let word = word_at(out, digit);
    Some(word)
}

fn replace_number(random: &mut Random, out: &mut Vec<u8>, at: usize) {
    if let (Some(range), Some(number)) = (number_after(out, at), random.pick(&NUMBERS)) {
        replace(out, range, number.as_bytes());
    }
}

/// A number one more or one less, or a factor of ten away.
fn nudge_number(random: &mut Random, out: &mut Vec<u8>, at: usize) {
    let Some(range) = number_after(out, at) else { return };
    let text = std::str::from_utf8(&out[range.clone()]).ok();
    let new = match text.and_then(|text| text.parse::<i64>().ok()) {
        Some(n) => match random.below(4) {
            0 => n.saturating_add(1).to_string(),
            1 => n.saturating_sub(1).to_string(),
            2 => n.saturating_mul(10).to_string(),
            _ => n.saturating_neg().to_string(),
        },
        None => return,
    };
    replace(out, range, new.as_bytes());
}

/// The front of this input and the end of another.
fn graft(random: &mut Random, out: &mut Vec<u8>, other: &[u8]) {
    let (front, end) = (random.below(out.len() + 1), random.below(other.len() + 1));
    // At the ends of lines the two are likelier to fit.
    let (front, end) = (line_at(out, front).end, line_at(other, end).start);
    out.truncate(front);
    out.extend_from_slice(&other[end..]);
}

/// A word of another input in the place of one of this.
fn borrow_word(random: &mut Random, out: &mut Vec<u8>, at: usize, other: &[u8]) {
    let word = word_at(other, random.below(other.len() + 1));
    replace(out, word_at(out, at), &other[word]);
}

/// A machine integer of 1 to 8 bytes, in either byte order, in the place of others; mostly where integers lie.
fn replace_integer(random: &mut Random, out: &mut [u8], at: usize) {
    let size = [1, 2, 4, 4, 4, 8, 8, 8][random.below(8)];
    if out.len() < size {
        return;
    }
    let at = at.min(out.len() - size);
    let place = at..at + size;
    let mut bytes = [0; 8];
    bytes[..size].copy_from_slice(&out[place.clone()]);
    let old = u64::from_le_bytes(bytes);
    let new = match random.below(4) {
        0 => old.wrapping_add(1),
        1 => old.wrapping_sub(1),
        _ => random.pick(&INTEGERS).copied().unwrap_or(0),
    };
    let mut bytes = new.to_le_bytes();
    if random.one_in(4) {
        bytes[..size].reverse();
    }
    out[place].copy_from_slice(&bytes[..size]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_in_text() {
        let text = b"ab 12.5e-3,\n(x)\n";
        assert_eq!(&text[word_at(text, 5)], b"12.5e-3");
        assert_eq!(&text[word_at(text, 12)], b"(");
        assert_eq!(&text[line_at(text, 13)], b"(x)\n");
        assert_eq!(number_after(text, 0), Some(3..10));
        assert_eq!(number_after(text, 12), None);
        assert_eq!(word_at(b"", 0), 0..0);
    }

    #[test]
    fn lines_are_swapped_whole() {
        for seed in 0..20 {
            let mut text = b"a\nbb\nccc\n".to_vec();
            swap_lines(&mut Random::new(seed), &mut text, 0);
            let mut lines: Vec<&[u8]> = text.split_inclusive(|&b| b == b'\n').collect();
            lines.sort_unstable();
            assert_eq!(lines, [&b"a\n"[..], b"bb\n", b"ccc\n"]);
        }
    }

    /// Every change bears every input, also the empty one, and inputs stay short.
    #[test]
    fn changes_bear_anything() {
        let target = FuzzTarget {
            name: "none",
            form: Form::Binary,
            words: || vec!["word".to_owned()],
            memory: crate::targets::Bound { fixed: 0, per_byte: 0 },
            run: |_| crate::Answer::Accepted(0),
        };
        let mut random = Random::new(1);
        let mut out = Vec::new();
        for seeds in [vec![], vec![vec![]], vec![b"1".to_vec(), vec![b'('; 5000], b"a b\n1 2\n".to_vec()]] {
            let mut mutator = Mutator::new(&target, &seeds);
            let pool = Pool::new(seeds);
            for _ in 0..20_000 {
                mutator.make(&mut random, &pool, &mut out);
                assert!(out.len() <= LONGEST_INPUT);
            }
        }
    }
}
