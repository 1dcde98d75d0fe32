//! The codes of what is said of a case without an enum of errors, and all explanations (see `delassus_error`).

pub mod case;
mod explain;

pub use delassus_error::{Code, Coded, Explanation};
pub use explain::{NoSuchCode, all, explain, find, overview};
