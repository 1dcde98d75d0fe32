//! The codes of cases, runs and files, and all explanations (see `delassus_error`).

pub mod case;
mod explain;
mod files;
mod solver;
mod text;

pub use delassus_error::{Code, Coded, Explanation};
pub use explain::{all, explain, find, overview};
