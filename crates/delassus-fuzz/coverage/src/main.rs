//! One target under libFuzzer: `DELASSUS_FUZZ_TARGET` names it, `scripts/fuzz --coverage` builds and runs this.
//!
//! libFuzzer picks the inputs by the coverage they reach. The target, the judge of an execution (panic, time, memory) and half of the
//! changes are those of `delassus-fuzz`; a failure ends the process, and libFuzzer keeps the input.

#![no_main]

use std::cell::RefCell;
use std::time::Duration;

use delassus_fuzz::mutate::Mutator;
use delassus_fuzz::pool::Pool;
use delassus_fuzz::random::Random;
use delassus_fuzz::targets::find;
use delassus_fuzz::{FuzzFailure, FuzzTarget, Judge, corpus};
use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};

/// The variable that names the target.
const CHOICE: &str = "DELASSUS_FUZZ_TARGET";

/// Long runs have the lowest priority, and may have to wait in the middle of an execution.
const PATIENCE: Duration = Duration::from_secs(30);

/// What every execution needs.
struct Watch {
    judge: Judge<'static>,
    mutator: Mutator,
    seeds: Pool,
}

impl Watch {
    fn new() -> Self {
        let name = std::env::var(CHOICE).unwrap_or_default();
        let Some(target) = find(&name) else {
            eprintln!("error: {CHOICE}=`{name}` is not a target; `delassus-fuzz --list` lists them");
            std::process::exit(2);
        };
        let seeds = seeds(target);
        let mut judge = Judge::new(target);
        judge.longest = PATIENCE;
        Self { judge, mutator: Mutator::new(target, &seeds), seeds: Pool::new(seeds) }
    }
}

/// Words and pieces that changes borrow.
fn seeds(target: &FuzzTarget) -> Vec<Vec<u8>> {
    corpus::load(&corpus::seeds_folder(), target.name).unwrap_or_else(|error| {
        eprintln!("error: the seeds of {} cannot be read: {error}", target.name);
        std::process::exit(2);
    })
}

thread_local! {
    static WATCH: RefCell<Watch> = RefCell::new(Watch::new());
}

fuzz_target!(|input: &[u8]| {
    WATCH.with_borrow_mut(|watch| {
        let mut result = watch.judge.run(input).result;
        // One that only had to wait for the processor does not do so every time.
        for _ in 0..2 {
            if matches!(result, Err(FuzzFailure::Slow { .. })) {
                result = watch.judge.run(input).result;
            }
        }
        if let Err(failure) = result {
            eprintln!("FAILURE: {failure}");
            std::process::abort();
        }
    });
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let mut random = Random::new(u64::from(seed));
    if random.one_in(2) {
        return fuzzer_mutate(data, size, max_size);
    }
    WATCH.with_borrow_mut(|watch| {
        let mut input = data[..size].to_vec();
        watch.mutator.alter(&mut random, &watch.seeds, &mut input);
        let n = input.len().min(max_size);
        data[..n].copy_from_slice(&input[..n]);
        n
    })
});
