//! Codes of the syntax of a case, of paths and of `--set`.

use crate::source::{PathError, SetError, SyntaxProblem};
use delassus_error::{Code, Coded};

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
