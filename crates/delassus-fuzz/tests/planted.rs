//! The engine finds what is planted: a fuzzer that finds nothing must be known to find something.

#![expect(clippy::unwrap_used, reason = "helpers of tests may panic")]

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use delassus_fuzz::targets::Bound;
use delassus_fuzz::{Answer, Form, FuzzFailure, FuzzTarget, Options, fuzz};

const SEED: &[u8] = b"$Nodes\n3\n1 2 3\n$EndNodes\n";

fn no_words() -> Vec<String> {
    Vec::new()
}

/// Memory is counted for the whole process: one test at a time.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

fn find(target: &'static FuzzTarget) -> Option<(Vec<u8>, FuzzFailure)> {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let options = Options { seed: 1, runs: Some(3_000_000), time: Some(Duration::from_secs(60)), ..Options::default() };
    fuzz(target, vec![SEED.to_vec()], options).unwrap().failure
}

/// The count in the second line.
fn count(input: &[u8]) -> Option<u64> {
    std::str::from_utf8(input).ok()?.lines().nth(1)?.parse().ok()
}

/// A panic on a number that only the list of hostile numbers has, behind a header that must stay whole.
#[test]
fn a_panic() {
    fn run(input: &[u8]) -> Answer {
        match count(input) {
            Some(n) if input.starts_with(b"$Nodes\n") => {
                assert_ne!(n, 4_294_967_296, "planted");
                Answer::Accepted(0)
            }
            _ => Answer::Refused("no count".to_owned()),
        }
    }
    static TARGET: FuzzTarget =
        FuzzTarget { name: "panics", form: Form::Text, words: no_words, memory: Bound::READER, run };
    let (input, failure) = find(&TARGET).expect("the panic is not found");
    assert_eq!(count(&input), Some(4_294_967_296));
    assert!(
        matches!(&failure, FuzzFailure::Panic { at, message } if at.contains("planted.rs") && message.contains("planted")),
        "{failure}"
    );
}

/// Memory by what a header claims.
#[test]
fn memory_by_a_header() {
    fn run(input: &[u8]) -> Answer {
        match count(input) {
            // Beyond this the allocator itself refuses, which ends the process.
            Some(n) if n < 1 << 30 => Answer::Accepted(Vec::<u8>::with_capacity(n as usize).capacity() as u64),
            _ => Answer::Refused("no count".to_owned()),
        }
    }
    static TARGET: FuzzTarget = FuzzTarget {
        name: "allocates",
        form: Form::Text,
        words: || vec!["100000000".to_owned()],
        memory: Bound::READER,
        run,
    };
    let (input, failure) = find(&TARGET).expect("the allocation is not found");
    assert!(count(&input).is_some_and(|n| n > 1 << 20), "{}", String::from_utf8_lossy(&input));
    assert!(matches!(failure, FuzzFailure::Memory { bytes, bound } if bytes > bound), "{failure}");
}

#[test]
fn slowness() {
    fn run(input: &[u8]) -> Answer {
        if count(input) == Some(255) {
            std::thread::sleep(Duration::from_millis(1100));
        }
        Answer::Accepted(count(input).unwrap_or(0))
    }
    static TARGET: FuzzTarget =
        FuzzTarget { name: "sleeps", form: Form::Text, words: no_words, memory: Bound::READER, run };
    let (input, failure) = find(&TARGET).expect("the slow input is not found");
    assert_eq!(count(&input), Some(255));
    assert!(matches!(failure, FuzzFailure::Slow { seconds, .. } if seconds > 1.0), "{failure}");
}

/// Two tokens in the right places: found only if the input with the first is kept and changed again.
#[test]
fn two_steps_deep() {
    fn run(input: &[u8]) -> Answer {
        let text = String::from_utf8_lossy(input);
        match (count(input), text.lines().nth(2)) {
            (Some(65), Some("64 2 3")) => panic!("planted"),
            (Some(65), _) => Answer::Refused("one of two".to_owned()),
            _ => Answer::Refused("none".to_owned()),
        }
    }
    static TARGET: FuzzTarget =
        FuzzTarget { name: "deep", form: Form::Text, words: no_words, memory: Bound::READER, run };
    let (input, _) = find(&TARGET).expect("the panic is not found");
    assert!(input.windows(6).any(|w| w == b"64 2 3"));
}
