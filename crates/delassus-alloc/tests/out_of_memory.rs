//! The program that asks for too much: this very test, started again with a word in its environment.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails by panicking")]

use std::process::Command;

use delassus_alloc::GuardedAllocator;

#[global_allocator]
static ALLOCATOR: GuardedAllocator = GuardedAllocator;

const WORD: &str = "DELASSUS_TEST_ASKS_FOR";

/// What the child does: takes so many bytes, and uses them.
fn child(asked: &str) {
    let n: usize = asked.parse().unwrap();
    let block = vec![1_u8; n];
    assert_eq!(block.iter().map(|b| usize::from(*b)).sum::<usize>(), n);
}

fn run_child(bytes: usize, limit: Option<&str>) -> (i32, String) {
    let program = std::env::current_exe().unwrap();
    let name = "what_cannot_be_had_ends_with_a_code";
    let mut command = match limit {
        None => Command::new(&program),
        Some(limit) => {
            let mut shell = Command::new("sh");
            shell.args(["-c", &format!("ulimit -v {limit} && exec \"$0\" \"$@\"")]).arg(&program);
            shell
        }
    };
    let done = command.args(["--exact", name, "--nocapture"]).env(WORD, bytes.to_string()).output().unwrap();
    (done.status.code().unwrap_or(-1), String::from_utf8_lossy(&done.stderr).into_owned())
}

#[test]
fn what_cannot_be_had_ends_with_a_code() {
    if let Ok(asked) = std::env::var(WORD) {
        return child(&asked);
    }
    // A little is given.
    assert_eq!(run_child(1 << 20, None).0, 0);
    // More than any machine has.
    let (code, told) = run_child(1 << 50, None);
    assert_eq!(code, 71, "{told}");
    assert!(told.contains("error[E0921]: out of memory: 1125899906.8 MB more are needed at once"), "{told}");
    assert!(told.ends_with("for more: delassus explain E0921\n"), "{told}");
    if cfg!(target_os = "linux") {
        // 300 MB where the process may have 300 MB in all: known beforehand.
        let (code, told) = run_child(300 << 20, Some("300000"));
        assert_eq!(code, 71, "{told}");
        assert!(told.contains("are available (the limit of the process on address space, `ulimit -v`)"), "{told}");
        // 200 MB, which nobody asks about: the allocation itself fails.
        let (code, told) = run_child(200 << 20, Some("200000"));
        assert_eq!(code, 71, "{told}");
        assert!(told.contains("and the system gives no more"), "{told}");
    }
}
