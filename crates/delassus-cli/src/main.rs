//! The program `delassus`.

use delassus_alloc::GuardedAllocator;

#[global_allocator]
static ALLOCATOR: GuardedAllocator = GuardedAllocator;

fn main() -> std::process::ExitCode {
    delassus_cli::main()
}
