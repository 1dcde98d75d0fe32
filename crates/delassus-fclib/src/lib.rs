//! Frictional contact problems as other codes exchange them: the files of FCLIB (Acary, Brémond & Huber 2014).
//!
//! ```text
//! local    u = W r + q                                        fclib_local/W, vectors/q, vectors/mu
//! global   M v = H r + f,  u = Hᵀ v + w                       fclib_global/M, H, vectors/f, w, mu; condensed on reading
//! ```
//!
//! (`fclib_local_rolling`, `fclib_global_rolling` with vectors/mu_r: rolling friction, two moments a contact more)
//!
//! with Coulomb's law between u and r at every contact, normal component first. FCLIB files are HDF5; [`hdf5`] reads and writes
//! the part of that format which they use, so that no library has to be installed.

mod error;
pub mod hdf5;
mod judge;
mod read;
mod write;

pub use error::FclibError;
pub use judge::natural_map_error;
pub use read::in_file_order;
pub use read::{Fclib, FclibProblem, read};
pub use write::{standard_form, write};

/// Explanations of the codes of this crate's errors.
pub const EXPLANATIONS: &str = include_str!("explanations.md");
