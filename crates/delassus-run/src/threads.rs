//! The threads of a command. If the system starts fewer threads than requested, fewer are used: results have the same bits with any number.

use std::sync::{Arc, OnceLock};

use delassus_error::machine::{self, Limit, Room};
use delassus_sim::parallel::{HAS_THREADS, ThreadPool, ThreadPoolBuilder};

use crate::error::RunError;

/// Threads that have been started.
pub struct Threads {
    /// They.
    pub pool: Arc<ThreadPool>,
    /// What to tell if they are fewer than asked for.
    pub note: Option<String>,
}

/// The pool of the present thread alone: a thread can be in one pool only, for good.
static ALONE: OnceLock<Arc<ThreadPool>> = OnceLock::new();

impl Threads {
    /// Starts the requested number of threads, by default one for each core; as many as have room, or half as many, and so on, if the
    /// system refuses; at last the present thread alone.
    ///
    /// # Errors
    /// [`RunError::Threads`] if the system refuses even the bookkeeping of one.
    pub fn start(asked: Option<usize>) -> Result<Self, RunError> {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        if !HAS_THREADS {
            let note = asked
                .filter(|n| *n > 1)
                .map(|n| format!("1 thread instead of {n}: built without the feature `parallel`"));
            let pool = start_all(1).map_err(|reason| RunError::Threads { wanted: 1, reason })?;
            return Ok(Self { pool, note });
        }
        // As rayon itself would choose, RAYON_NUM_THREADS included.
        let asked = asked.unwrap_or_else(|| match std::env::var("RAYON_NUM_THREADS").map(|n| n.parse()) {
            Ok(Ok(n)) if n > 0 => n,
            _ => cores(),
        });
        let mut n = asked.min(fitting(machine::room(), cores()));
        let mut reason = "`ulimit -v` has no room for their stacks".to_owned();
        while n > 1 || n == asked {
            match start_all(n) {
                Ok(pool) => return Ok(Self { note: (n < asked).then(|| told(asked, n, &reason)), pool }),
                Err(other) if n == 1 => {
                    reason = other;
                    break;
                }
                Err(other) => (reason, n) = (other, n / 2),
            }
        }
        let pool = match ALONE.get() {
            Some(pool) => Arc::clone(pool),
            None => match ThreadPoolBuilder::new().num_threads(1).use_current_thread().build() {
                Ok(pool) => Arc::clone(ALONE.get_or_init(|| Arc::new(pool))),
                Err(e) => return Err(RunError::Threads { wanted: asked, reason: e.to_string() }),
            },
        };
        Ok(Self { note: Some(told(asked, 1, &reason)), pool })
    }
}

/// Runs a task on new threads; returns its result and a message about the threads, if there is one.
///
/// # Errors
/// Those of the task, and [`RunError::Threads`].
pub(crate) fn on_threads<T: Send>(
    task: impl FnOnce() -> Result<T, RunError> + Send,
) -> Result<(T, Option<String>), RunError> {
    let Threads { pool, note } = Threads::start(None)?;
    pool.install(task).map(|done| (done, note))
}

/// How many threads leave half of the address space to the work, where that is limited. A thread takes a stack, and the first ones on each core a heap of
/// their own, reserved at once and never given back: to try and fail would use up the room.
fn fitting(room: Option<Room>, cores: usize) -> usize {
    const STACK: u64 = 2 << 20;
    const HEAP: u64 = 64 << 20;
    let Some(Room { left, limit: Limit::AddressSpace, .. }) = room else { return usize::MAX };
    let heaps = 8 * cores as u64;
    let with_heaps = left / 2 / (STACK + HEAP);
    let n = if with_heaps <= heaps { with_heaps } else { (left / 2 - heaps * HEAP) / STACK };
    usize::try_from(n).unwrap_or(usize::MAX).max(1)
}

fn start_all(n: usize) -> Result<Arc<ThreadPool>, String> {
    ThreadPoolBuilder::new().num_threads(n).build().map(Arc::new).map_err(|e| e.to_string())
}

fn told(asked: usize, got: usize, reason: &str) -> String {
    let of = if got == 1 { "1 thread" } else { &format!("{got} threads") };
    format!(
        "{of} instead of {asked}: the system starts no more ({reason}); the run is slower, the results are the same \
         (limits: `ulimit -u`, `ulimit -v`)"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_as_asked_for() {
        let Threads { pool, note } = Threads::start(Some(3)).unwrap();
        assert_eq!((pool.current_num_threads(), note), (3, None));
        let room = |left: u64, limit: Limit| Some(Room { left: left << 20, held: 0, limit });
        assert_eq!(fitting(room(550, Limit::AddressSpace), 2), 4);
        assert_eq!(fitting(room(1, Limit::AddressSpace), 2), 1);
        assert_eq!(fitting(room(2 * (16 * 64 + 200), Limit::AddressSpace), 2), 100);
        assert_eq!((fitting(room(1, Limit::Machine), 2), fitting(None, 2)), (usize::MAX, usize::MAX));
        assert!(told(8, 1, "EAGAIN").starts_with("1 thread instead of 8: the system starts no more (EAGAIN)"));
    }
}
