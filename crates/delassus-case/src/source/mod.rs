//! The *text* of a case: the place of every value, changes of values from the command line, and messages
//! about problems. The module does not depend on the keys of a case.
//!
//! ```text
//! text ── Document::new ──► Tree (byte spans of keys and values)
//!                             │ set("integrator.theta=0.7")   splice, scan again
//!                             │ units replaced: Years(2) ──► 63115200.0, offsets lead back
//!                             │ collect::<Case>(probes, …)    serde judges the types, every problem is located
//!                             │ problem("step", "must be …")  semantic errors found after deserialisation
//!                             ▼
//!                         Diagnostics  ──►  error[E0361]: cases/x.ron:14:22: integrator.theta: …
//! ```
//!
//! A text may also be JSON: for the tree it is RON without names, and serde_json reads it instead of ron.
//!
//! Invariants: the tree accepts every text that ron accepts (it is more lenient, never stricter, within the
//! stated limits); a text is never rewritten through `ron::Value`, which forgets the names of variants;
//! positions always refer to the text as it is after `--set`, with its units in words.

mod de;
mod diagnostic;
mod document;
mod error;
mod expand;
mod joined;
mod json;
mod lex;
mod nearest;
mod nouns;
mod path;
mod place;
mod scan;
mod set;
mod tree;
mod units;
mod words;

pub use de::{KeyProbe, MAX_PROBLEMS, collect, from_text, options};
pub use diagnostic::{Diagnostic, Diagnostics};
pub use document::Document;
pub use error::{PathError, SetError, SyntaxError, SyntaxProblem};
pub use json::Language;
pub use nearest::nearest;
pub use nouns::Noun;
pub use path::{PathStep, at, find, parse_path, path_of};
pub use set::{Splice, parse_assignment, splice};
pub use tree::{MAX_BYTES, MAX_DEPTH, MAX_VALUES, NodeKind, Span, TextNode, Tree};
pub use units::{UNITS, UnitMeasure, UnitPaths, UnitQuantity, UnitRules, UnitWord};

#[cfg(test)]
mod tests;
