//! The allocator of the program: without memory it ends with an error code and a documented exit code instead of an abort.
//!
//! Stable Rust aborts (SIGABRT, exit 134) when an allocation fails, with a line that has no code; its hook for such failures is unstable.
//! Moreover, Linux overcommits memory: an array that does not fit ends the program later, by SIGKILL and without a message, while it is
//! filled. So an allocation that is [`LARGE`] is first compared with the memory that is available by [`machine::room`], and one that fails or
//! would fail ends the program with one line on stderr (E0921) and exit code 71. Results are as after a kill: the last checkpoint is
//! complete.
//!
//! This is the one crate of the project with `unsafe`: [`GlobalAlloc`] is an unsafe trait, and nothing else can see an allocation fail. It only
//! passes calls on to [`System`]. Only the program registers it (`delassus-cli`); libraries do not choose an allocator.
//!
//! Code that could do without memory (`try_reserve`) does not learn of a failure: nothing in the project relies on it.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

use delassus_error::machine::{self, Limit, NO_ROOM, OUT_OF_MEMORY};

/// From this size on, the available memory is checked, which reads a few files of the system and takes about 50 µs
/// \[B\].
pub const LARGE: usize = 256 << 20;

/// The system's allocator, which ends the program where there is no memory.
pub struct GuardedAllocator;

// SAFETY: every method hands its arguments, unchanged, to `System`, which is a sound allocator, and returns what that returns; the only other thing
// that may happen is that the program ends.
unsafe impl GlobalAlloc for GuardedAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        admit(layout.size());
        // SAFETY: the caller keeps the contract of `alloc`, which is the same here and there.
        given(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        admit(layout.size());
        // SAFETY: as for `alloc`.
        given(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        admit(new_size.saturating_sub(layout.size()));
        // SAFETY: the caller keeps the contract of `realloc`, and `block` came from `System` through this allocator.
        given(unsafe { System.realloc(block, layout, new_size) }, new_size)
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`, and `block` came from `System` through this allocator.
        unsafe { System.dealloc(block, layout) }
    }
}

/// Ends the program if so much more cannot be had.
fn admit(more: usize) {
    if more < LARGE {
        return;
    }
    if let Some(room) = machine::room().filter(|room| more as u64 > room.left) {
        end(more, Some((room.left, room.limit)));
    }
}

fn given(block: *mut u8, size: usize) -> *mut u8 {
    if block.is_null() {
        end(size, None);
    }
    block
}

thread_local! {
    /// Is it this thread that ends the program?
    static ENDING_HERE: Cell<bool> = const { Cell::new(false) };
}

/// Is a thread ending the program?
static ENDING: AtomicBool = AtomicBool::new(false);

/// Tells it and ends the program. Nothing here allocates.
#[cold]
fn end(asked: usize, limit: Option<(u64, Limit)>) -> ! {
    if ENDING.swap(true, Ordering::SeqCst) {
        if ENDING_HERE.get() {
            // Not even the message could be written.
            std::process::abort();
        }
        // Another thread ends the program, and has the word.
        loop {
            std::thread::park();
        }
    }
    ENDING_HERE.set(true);
    let mut line = [0_u8; 512];
    let left = {
        let mut rest = &mut line[..];
        let _ =
            write!(rest, "error[{OUT_OF_MEMORY}]: out of memory: {:.1} MB more are needed at once", asked as f64 / 1e6);
        let _ = match limit {
            Some((left, limit)) => write!(rest, ", but only {:.1} MB are available ({limit})", left as f64 / 1e6),
            None => write!(rest, ", and the system gives no more"),
        };
        let _ = writeln!(rest, "; a run continues from its last checkpoint with --resume");
        let _ = writeln!(rest, "for more: delassus explain {OUT_OF_MEMORY}");
        rest.len()
    };
    let written = line.len() - left;
    let _ = std::io::stderr().write_all(&line[..written]);
    std::process::exit(i32::from(NO_ROOM))
}
