//! Cases: the text, the places of its values, and the model that it describes.
//!
//! ```text
//! text --source--> Case (spec) --lower--> Model
//! code --build---->
//! ```
//!
//! [`Loaded`] is a case that has been read; [`Loaded::model`] finds all its problems at once.

mod bases;
pub mod block_files;
mod build;
pub mod codes;
pub mod datbox;
pub mod dimensions;
pub mod error;
mod files;
pub mod hash;
pub mod load;
pub mod lower;
pub mod problem;
mod refused;
pub mod schema;
mod sign;
pub mod source;
pub mod spec;

pub use error::CaseError;
pub use load::Loaded;
pub use spec::Case;

/// Explanations of the codes of this crate's errors.
pub const EXPLANATIONS: &str = include_str!("explanations.md");
