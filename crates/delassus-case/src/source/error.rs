//! Errors of the text of a case, of paths and of `--set` assignments.
//!
//! Problems of *types* are serde's and become [`Diagnostics`](super::Diagnostics) at once; the errors here
//! are found before serde reads the text.

use delassus_error::{Code, Coded};
use thiserror::Error;

/// A text that does not have the shape of RON, with its place.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{line}:{column}: {problem}")]
pub struct SyntaxError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Byte offset in the text.
    pub offset: usize,
    /// What is wrong there.
    pub problem: SyntaxProblem,
}

/// The ways in which a text can fail to be RON.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SyntaxProblem {
    /// The text is larger than [`MAX_BYTES`](super::MAX_BYTES).
    #[error("the text has {bytes} bytes; at most {limit} are read")]
    TooLarge {
        /// Size of the text.
        bytes: usize,
        /// The largest size read.
        limit: usize,
    },
    /// Brackets are nested deeper than [`MAX_DEPTH`](super::MAX_DEPTH).
    #[error("brackets are nested more than {limit} deep")]
    TooDeep {
        /// The deepest nesting read.
        limit: usize,
    },
    /// There are more values than [`MAX_VALUES`](super::MAX_VALUES).
    #[error("the text holds more than {limit} values")]
    TooManyValues {
        /// The largest number of values read.
        limit: usize,
    },
    /// The text ends where a value was to come.
    #[error("the text ends where a value should follow")]
    MissingValue,
    /// A character that begins no value.
    #[error("{found:?} does not begin a value")]
    UnexpectedChar {
        /// The character.
        found: char,
    },
    /// The text ends inside a bracket.
    #[error("`{open}` is never closed with `{close}`")]
    Unclosed {
        /// The opening bracket.
        open: char,
        /// The closing bracket that is missing.
        close: char,
    },
    /// A bracket of one kind closed by another kind.
    #[error("`{found}` closes the `{open}` of line {line}; expected `{close}`")]
    Mismatched {
        /// The opening bracket.
        open: char,
        /// Line of the opening bracket.
        line: usize,
        /// What should close it.
        close: char,
        /// What stands there.
        found: char,
    },
    /// Two entries without a comma.
    #[error("expected `,` or `{close}` before {found:?}")]
    MissingComma {
        /// The bracket that could also stand there.
        close: char,
        /// What stands there.
        found: char,
    },
    /// A map key without a colon.
    #[error("expected `:` after this key of a map")]
    MissingColon,
    /// A value without name among named fields.
    #[error("this value needs a name, `name: value`, like the fields before it")]
    MissingName,
    /// A named field among values without names.
    #[error("`{key}:` names a field among values without names")]
    UnexpectedName {
        /// The name.
        key: String,
    },
    /// A string without its closing quote.
    #[error("this string is never closed with `{close}`")]
    UnclosedString {
        /// The end that is missing, with its hashes for a raw string.
        close: String,
    },
    /// A character or byte literal without its closing quote.
    #[error("this character is not closed with `'`")]
    UnclosedChar,
    /// A block comment without its end.
    #[error("this comment is never closed with `*/`")]
    UnclosedComment,
    /// A lone slash.
    #[error("a single `/`; comments begin with `//` or `/*`")]
    LoneSlash,
    /// A `#` that begins no attribute.
    #[error("expected an attribute such as `#![enable(implicit_some)]`")]
    BadAttribute,
    /// Something follows the value.
    #[error("{found:?} follows the end of the value")]
    TrailingText {
        /// The first character too many.
        found: char,
    },
}

/// A path that leads nowhere.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PathError {
    /// The path itself is not well formed.
    #[error("`{path}` is not a path such as `bodies[0].mesh` or `bodies.left.mesh`: {why}")]
    Malformed {
        /// The path as given.
        path: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// A key (or the name of an item) that does not exist.
    #[error("no {what} `{key}` {place}; {there}{hint}")]
    NoKey {
        /// `key` or `item`.
        what: &'static str,
        /// The key looked for.
        key: String,
        /// How far the path went: ``in `integrator` ``, or `at the top`.
        place: String,
        /// The keys that exist there, in words.
        there: String,
        /// The nearest key as a question, or nothing.
        hint: String,
    },
    /// An index outside a list or tuple.
    #[error("no item [{index}] {place}: it has {len}, counted from 0")]
    NoIndex {
        /// The index looked for.
        index: usize,
        /// How far the path went.
        place: String,
        /// Number of items.
        len: usize,
    },
    /// A name that two items of a list share.
    #[error("{count} items {place} are named `{name}`: give an index, such as `[{first}]`")]
    Ambiguous {
        /// The name looked for.
        name: String,
        /// How far the path went.
        place: String,
        /// How many items have it.
        count: usize,
        /// Index of the first.
        first: usize,
    },
    /// A step into a value that holds nothing.
    #[error("cannot go to `{key}` {place}: it is {found}")]
    NotContainer {
        /// The step.
        key: String,
        /// How far the path went.
        place: String,
        /// The value there, in words.
        found: String,
    },
}

/// A `--set` that cannot be applied. The messages do not repeat the assignment: whoever shows them has it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SetError {
    /// No `=`.
    #[error("expected PATH=VALUE, such as `step=1e-4`, found `{text}`")]
    NoEquals {
        /// The text as given.
        text: String,
    },
    /// Nothing before the `=`.
    #[error("there is no path before `=`")]
    NoPath,
    /// The value is not one RON value.
    #[error("the value `{value}` is not well formed at character {column}: {problem}")]
    BadValue {
        /// The value as given, shortened.
        value: String,
        /// Character of the value, from 1.
        column: usize,
        /// What is wrong there.
        problem: String,
    },
    /// The path leads nowhere.
    #[error(transparent)]
    Path(Box<PathError>),
    /// A key that cannot be written as a RON identifier.
    #[error("`{key}` cannot be the name of a field")]
    BadKey {
        /// The last key of the path.
        key: String,
    },
    /// The text with the value in its place exceeds a limit.
    #[error("with this value the text cannot be read: {problem}")]
    TooMuch {
        /// The limit that is exceeded.
        problem: SyntaxProblem,
    },
}

impl Coded for SyntaxProblem {
    fn code(&self) -> Code {
        match self {
            Self::TooLarge { .. } => Code("E0101"),
            Self::TooDeep { .. } => Code("E0102"),
            Self::TooManyValues { .. } => Code("E0103"),
            Self::MissingValue => Code("E0104"),
            Self::UnexpectedChar { .. } => Code("E0105"),
            Self::Unclosed { .. } => Code("E0106"),
            Self::Mismatched { .. } => Code("E0107"),
            Self::MissingComma { .. } => Code("E0108"),
            Self::MissingColon => Code("E0109"),
            Self::MissingName => Code("E0110"),
            Self::UnexpectedName { .. } => Code("E0111"),
            Self::UnclosedString { .. } => Code("E0112"),
            Self::UnclosedChar => Code("E0113"),
            Self::UnclosedComment => Code("E0114"),
            Self::LoneSlash => Code("E0115"),
            Self::BadAttribute => Code("E0116"),
            Self::TrailingText { .. } => Code("E0117"),
        }
    }
}

impl Coded for SetError {
    fn code(&self) -> Code {
        match self {
            Self::NoEquals { .. } => Code("E0201"),
            Self::NoPath => Code("E0202"),
            Self::BadValue { .. } => Code("E0203"),
            Self::BadKey { .. } => Code("E0204"),
            Self::TooMuch { .. } => Code("E0205"),
            Self::Path(e) => e.code(),
        }
    }
}

impl Coded for PathError {
    fn code(&self) -> Code {
        match self {
            Self::Malformed { .. } => Code("E0211"),
            Self::NoKey { .. } => Code("E0212"),
            Self::NoIndex { .. } => Code("E0213"),
            Self::Ambiguous { .. } => Code("E0214"),
            Self::NotContainer { .. } => Code("E0215"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Document, Tree, find, splice};

    /// Every message of a text that cannot be scanned, with its place.
    #[test]
    fn syntax_messages() {
        let check = |text: &str, expected: &str| {
            let error = Tree::parse(text).map(|_| ()).unwrap_err();
            assert_eq!(error.to_string(), expected, "{text}");
        };
        check("", "1:1: the text ends where a value should follow");
        check("(a: )", "1:5: ')' does not begin a value");
        check("(a: §)".replace('§', "@").as_str(), "1:5: '@' does not begin a value");
        check("(a: [1, 2", "1:5: `[` is never closed with `]`");
        check("(é: (1, 2}", "1:10: `}` closes the `(` of line 1; expected `)`");
        check("(\n  a: 1\n  b: 2,\n)", "3:3: expected `,` or `)` before 'b'");
        check("{1 2}", "1:4: expected `:` after this key of a map");
        check("{1", "1:3: expected `:` after this key of a map");
        check("(a: 1, 2)", "1:8: this value needs a name, `name: value`, like the fields before it");
        check("(1, a: 2)", "1:5: `a:` names a field among values without names");
        check("\"abc", "1:1: this string is never closed with `\"`");
        check("[br##\"abc\"#]", "1:2: this string is never closed with `\"##`");
        check("('ab')", "1:2: this character is not closed with `'`");
        check("b'", "1:1: this character is not closed with `'`");
        check("1 /* /* */", "1:3: this comment is never closed with `*/`");
        check("[1, / 2]", "1:5: a single `/`; comments begin with `//` or `/*`");
        check("#[enable] 1", "1:1: expected an attribute such as `#![enable(implicit_some)]`");
        check("#![enable(", "1:1: expected an attribute such as `#![enable(implicit_some)]`");
        check("(1) 2", "1:5: '2' follows the end of the value");
        check("r#", "1:1: 'r' does not begin a value");
        let deep = "[".repeat(129);
        check(&deep, "1:129: brackets are nested more than 128 deep");
    }

    /// The limits on size. The text of 64 MiB + 1 is refused before any of it is looked at.
    #[test]
    fn limits() {
        let error = Tree::parse(&" ".repeat(super::super::MAX_BYTES + 1)).map(|_| ()).unwrap_err();
        assert_eq!(error.to_string(), "1:1: the text has 67108865 bytes; at most 67108864 are read");
        let many = format!("[{}]", "1,".repeat(super::super::MAX_VALUES));
        let error = Tree::parse(&many).map(|_| ()).unwrap_err();
        assert!(error.to_string().ends_with("the text holds more than 2097152 values"), "{error}");
    }

    /// Every message of a path.
    #[test]
    fn path_messages() {
        let text = r#"(integrator: Theta(theta: 0.5), step: 1e-3, empty: (), v: (1, 2), m: {},
            bodies: [(name: "left"), (name: "right"), (name: "twin"), (name: "twin")])"#;
        let tree = Tree::parse(text).unwrap();
        let check = |path: &str, expected: &str| {
            assert_eq!(find(&tree, path).map(|_| ()).unwrap_err().to_string(), expected, "{path}");
        };
        check("integrator.tetha", "no key `tetha` in `integrator`; there are `theta`; did you mean `theta`?");
        check(
            "stepp",
            "no key `stepp` at the top; there are `integrator`, `step`, `empty`, `v`, `m`, `bodies`; did you mean `step`?",
        );
        check("m.a", "no key `a` in `m`; it is empty");
        check(
            "bodies.lft.mesh",
            "no item `lft` in `bodies`; there are `left`, `right`, `twin`, `twin`; did you mean `left`?",
        );
        check("bodies[4]", "no item [4] in `bodies`: it has 4, counted from 0");
        check("v.2", "no item [2] in `v`: it has 2, counted from 0");
        check("bodies.twin", "2 items in `bodies` are named `twin`: give an index, such as `[2]`");
        check("step.x", "cannot go to `x` in `step`: it is the number `1e-3`");
        check("v.x", "cannot go to `x` in `v`: it is the tuple `(1, 2)`");
        check("integrator[0]", "cannot go to `[0]` in `integrator`: it is `Theta(theta: 0.5)`");
        for (path, why) in [
            ("", "it is empty"),
            ("a..b", "a key is empty"),
            ("a.", "a key is empty"),
            ("[1", "`[` is not closed"),
            ("a[]", "the brackets are empty"),
            ("a[0]b", "after `]` a `.` or `[` should follow"),
            ("a[\"x]", "`[\"` is not closed with `\"]`"),
            ("a]", "`]` without `[`"),
        ] {
            check(path, &format!("`{path}` is not a path such as `bodies[0].mesh` or `bodies.left.mesh`: {why}"));
        }
        let steps = |n: usize| super::super::path::parse_path(&vec!["a"; n].join("."));
        assert_eq!(steps(super::super::MAX_DEPTH).unwrap().len(), super::super::MAX_DEPTH);
        let deep = steps(100_000).unwrap_err().to_string();
        assert!(deep.ends_with("it has more than 128 steps"), "{}", deep.len());
    }

    /// Every message of an assignment.
    #[test]
    fn set_messages() {
        let text = "(step: 1, integrator: Euler, list: [1])";
        let check = |assignment: &str, expected: &str| {
            let error = super::super::parse_assignment(assignment)
                .and_then(|(path, value)| splice(&Tree::parse(text).unwrap(), path, value))
                .map(|_| ())
                .unwrap_err();
            assert_eq!(error.to_string(), expected, "{assignment}");
        };
        check("step", "expected PATH=VALUE, such as `step=1e-4`, found `step`");
        check(" =1", "there is no path before `=`");
        let bad = |value: &str, column: usize, problem: &str| {
            let message = format!("the value `{value}` is not well formed at character {column}: {problem}");
            check(&format!("step={value}"), &message);
        };
        bad("1, b: 2", 2, "',' follows the end of the value");
        bad("1)", 2, "')' follows the end of the value");
        bad("", 1, "it is empty");
        bad("#![enable(unwrap_newtypes)] 1", 1, "an attribute can only begin a whole file");
        bad("1.2.3", 1, "expected float");
        check("list.5=1", "no item [5] in `list`: it has 1, counted from 0");
        check("integrator.theta=1", "cannot go to `theta` in `integrator`: it is `Euler`");
        check("a b=1", "`a b` cannot be the name of a field");
        let deep = format!("list[0]={}1{}", "[".repeat(127), "]".repeat(127));
        assert_eq!(
            Document::new(text, "x.ron").unwrap().set(&deep).unwrap_err().to_string(),
            "with this value the text cannot be read: brackets are nested more than 128 deep",
        );
    }
}
