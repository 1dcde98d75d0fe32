//! Fuzzing of everything that reads what others wrote: meshes, cases, `--set`, results read back.
//!
//! ```text
//! corpus ──► Pool ──mutate──► input ──run, watched──► Judged ──new outcome?──► Pool
//!                                                        └── FuzzFailure ──► minimise ──► a file to replay
//! ```
//!
//! The engine is our own and needs the stable toolchain only: no coverage from the compiler. In its place an input is kept
//! when its outcome is new: another message (numbers and quotations left out), another size of what was read, another
//! order of magnitude of the memory taken. A failure is a panic, an execution that takes too long, or memory beyond what
//! the length of the input explains. What kills the process (a stack that overflows, memory beyond [`memory::LIMIT`]) is seen
//! by the parent that the binary runs each target under.

pub mod corpus;
pub mod engine;
pub mod judge;
pub mod memory;
pub mod minimise;
pub mod mutate;
pub mod pool;
pub mod random;
pub mod supervise;
pub mod targets;

pub use engine::{FuzzSummary, Options, fuzz};
pub use judge::{FuzzFailure, Judge};
pub use targets::{Answer, Form, FuzzTarget};
