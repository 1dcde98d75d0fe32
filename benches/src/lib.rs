//! What the benches share: clocks, tables and scenes.
//!
//! Times on a shared machine wander by a factor of two; ratios of minima taken in turns in one run do not. So every bench
//! measures its subject beside a yardstick (the triangular solves of the same body) and prints both.
//!
//! `cargo bench -p benches` measures at full size. Run as a test (`cargo test`, or `cargo bench -- --test`) every bench
//! runs once with tiny sizes, checks its results and asserts nothing about time.

pub mod cubes;
pub mod growth;
pub mod heap;
pub mod memory;
pub mod scene;
pub mod table;
pub mod timing;

/// Why a bench could not be run or gave a wrong result.
pub type BenchResult = Result<(), Box<dyn std::error::Error + Send + Sync>>;

/// Runs a bench as a run of the simulation would be: inside a pool of one thread, so that handing work to other threads
/// is neither measured nor gained from.
///
/// # Errors
/// Those of the bench, or the pool cannot be made.
pub fn on_one_thread(bench: impl FnOnce() -> BenchResult + Send) -> BenchResult {
    rayon::ThreadPoolBuilder::new().num_threads(1).build()?.install(bench)
}

/// An error unless `right`; benches check their results with it, in every mode.
///
/// # Errors
/// `what` is not as it should be.
pub fn ensure(right: bool, what: impl FnOnce() -> String) -> BenchResult {
    if right { Ok(()) } else { Err(what().into()) }
}
