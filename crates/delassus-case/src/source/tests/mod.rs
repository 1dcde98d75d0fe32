//! Tests of the text of a case, by what they look at.

mod de;
mod json;
mod mutation;
mod tree;
mod units;
