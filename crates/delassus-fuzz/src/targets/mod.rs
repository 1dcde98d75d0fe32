//! What is fuzzed: one file a target, and its line in [`TARGETS`].

mod blocks;
mod case_json;
mod case_model;
mod case_ron;
mod checkpoint;
mod csv;
mod end_state;
mod expression;
mod fclib;
mod manifest;
mod med;
mod mesh_formats;
mod msh;
mod pvd;
mod reference_csv;
mod set_path;
mod solve;
mod vtu;

/// All targets, in the order they run.
pub static TARGETS: [FuzzTarget; 26] = [
    msh::ASCII_2,
    msh::BINARY_2,
    msh::ASCII_4,
    msh::BINARY_4,
    mesh_formats::INP,
    mesh_formats::VTU,
    mesh_formats::STL,
    mesh_formats::OBJ,
    mesh_formats::UNV,
    med::TARGET,
    blocks::JSON,
    blocks::DATBOX,
    case_ron::TARGET,
    case_json::TARGET,
    case_model::TARGET,
    set_path::TARGET,
    vtu::TARGET,
    pvd::TARGET,
    csv::TARGET,
    manifest::TARGET,
    checkpoint::TARGET,
    end_state::TARGET,
    fclib::TARGET,
    solve::TARGET,
    expression::TARGET,
    reference_csv::TARGET,
];

/// The target of this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static FuzzTarget> {
    TARGETS.iter().find(|target| target.name == name)
}

/// Something that reads bytes from outside.
#[derive(Clone, Copy, Debug)]
pub struct FuzzTarget {
    /// Its name, also that of its folder of seeds.
    pub name: &'static str,
    /// What its inputs are.
    pub form: Form,
    /// Words that mean something to it, beside those of the seeds.
    pub words: fn() -> Vec<String>,
    /// The memory it may hold.
    pub memory: Bound,
    /// Reads an input.
    pub run: fn(&[u8]) -> Answer,
}

/// What inputs are: decides which changes are likely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Lines of words and numbers.
    Text,
    /// Machine numbers, with some text around.
    Binary,
}

/// Memory in terms of the length of the input \[B\].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// Whatever the input.
    pub fixed: usize,
    /// For every byte of it.
    pub per_byte: usize,
}

impl Bound {
    /// For readers, whose memory follows what is really in the file, never what a header claims. The densest record is an entity or
    /// an element of a few bytes that becomes some vectors of a hundred bytes, held two or three times on the way to a mesh;
    /// the rest is room for messages. A count of 2³¹ that is believed needs at least 2 GiB and is far beyond it.
    pub const READER: Self = Self { fixed: 1 << 20, per_byte: 4000 };

    /// For everything that reads, whatever the length: what a mesh of a hundred megabytes may cost. It is the smaller one for inputs of more than
    /// some 16 kB; `tests/dense.rs` holds readers to it.
    pub const LONG: Self = Self { fixed: 64 << 20, per_byte: 20 };

    /// The most for an input of this length: [`Bound::LONG`], or less.
    #[must_use]
    pub fn of(&self, length: usize) -> usize {
        let of = |bound: &Self| bound.fixed.saturating_add(bound.per_byte.saturating_mul(length));
        of(self).min(of(&Self::LONG))
    }
}

/// What came of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It was read; a number that tells what was read apart from others, roughly.
    Accepted(u64),
    /// It was refused with these words.
    Refused(String),
}

impl Answer {
    /// A result as an outcome: its sizes, or the words of its error.
    pub fn of<T, E: std::fmt::Display>(result: Result<T, E>, sizes: impl FnOnce(T) -> Vec<usize>) -> Self {
        match result {
            // Sizes by their orders of magnitude: each a few more or less is nothing new.
            Ok(value) => {
                // Counts that a text only claims may be as large as they like.
                let order = |n: usize| u64::from(n.saturating_add(1).ilog2());
                Self::Accepted(
                    sizes(value).into_iter().fold(0_u64, |all, n| all.wrapping_mul(32).wrapping_add(order(n))),
                )
            }
            Err(error) => Self::Refused(error.to_string()),
        }
    }

    /// A number that is the same for outcomes of the same kind: of a message numbers, names and quotations are left out, and of several lines all
    /// that do not tell what is wrong (those show the input).
    #[must_use]
    pub fn shape(&self) -> u64 {
        let mut hash = Fnv::default();
        match self {
            Self::Accepted(sizes) => {
                hash.add(b'+');
                sizes.to_le_bytes().into_iter().for_each(|byte| hash.add(byte));
            }
            Self::Refused(message) => {
                let told = |line: &&str| line.starts_with("error") || line.trim_start().starts_with("help");
                hash.add(b'-');
                for line in message.lines().take(1).chain(message.lines().skip(1).filter(told)) {
                    hash.words(line);
                }
            }
        }
        hash.0
    }
}

/// The hash of Fowler, Noll and Vo: fast on short texts, and the same on every machine.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }
}

impl Fnv {
    fn add(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
    }

    /// The words of the program: small letters, not quoted, and not part of a section, a key or a name.
    fn words(&mut self, line: &str) {
        // The mark that ends the quotation: the other kind may stand in it.
        let mut quoted = None;
        let bytes = line.as_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            quoted = match quoted {
                Some(mark) if mark == byte => None,
                None if matches!(byte, b'`' | b'"') => Some(byte),
                other => other,
            };
            let is_word = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'$' | b'_' | b'-' | b'[' | b']');
            let length = bytes[at..].iter().position(|b| !is_word(b)).unwrap_or(bytes.len() - at);
            let word = &bytes[at..at + length];
            if quoted.is_none() && length > 2 && word.iter().all(u8::is_ascii_lowercase) {
                word.iter().for_each(|&byte| self.add(byte));
                self.add(b' ');
            }
            at += length.max(1);
        }
    }
}

/// No words of its own.
fn no_words() -> Vec<String> {
    Vec::new()
}

/// An input as text, as readers of text files take it: refused where it is not UTF-8.
fn text(input: &[u8]) -> Result<&str, Answer> {
    std::str::from_utf8(input).map_err(|_| Answer::Refused("not UTF-8".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_size_is_an_outcome() {
        let of = |sizes: Vec<usize>| Answer::of(Ok::<_, String>(sizes), |sizes| sizes);
        assert_eq!(of(vec![3, 4]), of(vec![4, 5]));
        assert_ne!(of(vec![3, 4]), of(vec![3, usize::MAX]));
    }

    #[test]
    fn names_are_unique() {
        for target in &TARGETS {
            assert_eq!(TARGETS.iter().filter(|t| t.name == target.name).count(), 1, "{}", target.name);
        }
        assert!(find("no-such-target").is_none());
    }

    #[test]
    fn shapes_forget_numbers_and_quotations() {
        let shape = |text: &str| Answer::Refused(text.to_owned()).shape();
        assert_eq!(shape("line 3: found `x`, wanted 2"), shape("line 40: found `yyy`, wanted 1"));
        assert_ne!(shape("line 3: found `x`, wanted 2"), shape("line 3: lost `x`, wanted 2"));
        assert_eq!(shape("found `a\"b`, wanted"), shape("found `c`, wanted"));
        assert_eq!(shape("error: a\n  | input"), shape("error: a\n  | other"));
        assert_ne!(shape("error: one\nerror: two"), shape("error: one\nerror: other"));
        assert_ne!(shape(""), Answer::Accepted(0).shape());
    }
}
