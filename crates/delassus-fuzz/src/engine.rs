//! The loop: pick, change, run, keep what is new, stop at the first failure.

use std::fs::File;
use std::io::{self, Seek, Write};
use std::time::{Duration, Instant};

use crate::judge::{FuzzFailure, Judge};
use crate::mutate::{LONGEST_INPUT, Mutator};
use crate::pool::Pool;
use crate::random::Random;
use crate::targets::{Answer, FuzzTarget};

/// Stack of the thread that runs the target \[B\]: what std gives a thread, less than the main thread has.
const STACK: usize = 2 << 20;

/// Executions between two looks at the clock.
const BETWEEN_LOOKS: u64 = 64;

/// How long and with what to fuzz.
#[derive(Debug, Default)]
pub struct Options {
    /// Seed of the random numbers.
    pub seed: u64,
    /// Executions after which it stops; no limit when absent.
    pub runs: Option<u64>,
    /// Time after which it stops; no limit when absent.
    pub time: Option<Duration>,
    /// Where the input is written before it runs: what is left when the process dies.
    pub scratch: Option<File>,
}

/// What a run came to.
#[derive(Clone, Debug, Default)]
pub struct FuzzSummary {
    /// Executions.
    pub executions: u64,
    /// Time taken \[s\].
    pub seconds: f64,
    /// Outcomes told apart.
    pub outcomes: usize,
    /// Inputs that were read without complaint.
    pub accepted: u64,
    /// Most bytes held beyond those before the first execution.
    pub peak: usize,
    /// The input that failed, and how.
    pub failure: Option<(Vec<u8>, FuzzFailure)>,
}

/// Fuzzes a target from seeds, in a thread with a stack of ordinary size.
///
/// # Errors
/// When the thread cannot start or the scratch file cannot be written.
pub fn fuzz(target: &'static FuzzTarget, seeds: Vec<Vec<u8>>, options: Options) -> io::Result<FuzzSummary> {
    in_thread(move || run(target, seeds, options))?
}

/// Runs one input of a target in a thread with a stack of ordinary size.
///
/// # Errors
/// When the thread cannot start.
pub fn replay(target: &'static FuzzTarget, input: Vec<u8>) -> io::Result<Result<Answer, FuzzFailure>> {
    in_thread(move || Judge::new(target).run(&input).result)
}

fn in_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> io::Result<T> {
    let thread = std::thread::Builder::new().name("fuzz".to_owned()).stack_size(STACK).spawn(work)?;
    thread.join().map_err(|_| io::Error::other("the engine itself panicked"))
}

fn run(target: &'static FuzzTarget, seeds: Vec<Vec<u8>>, mut options: Options) -> io::Result<FuzzSummary> {
    let start = Instant::now();
    let mut random = Random::new(options.seed);
    let mut mutator = Mutator::new(target, &seeds);
    let mut pool = Pool::new(seeds.clone());
    let mut judge = Judge::new(target);
    let mut summary = FuzzSummary::default();
    let mut input = Vec::with_capacity(2 * LONGEST_INPUT);
    let mut seeds = seeds.into_iter();
    loop {
        let enough = options.runs.is_some_and(|runs| summary.executions >= runs);
        let late = summary.executions.is_multiple_of(BETWEEN_LOOKS)
            && options.time.is_some_and(|time| start.elapsed() >= time);
        if enough || late {
            break;
        }
        // The seeds as they are come first.
        match seeds.next() {
            Some(seed) => input = seed,
            None => mutator.make(&mut random, &pool, &mut input),
        }
        if let Some(scratch) = &mut options.scratch {
            keep(scratch, &input)?;
        }
        let judged = judge.run(&input);
        summary.executions += 1;
        match judged.result {
            Ok(outcome) => {
                summary.accepted += u64::from(matches!(outcome, Answer::Accepted(_)));
                pool.note(&mut random, &input, &outcome, judged.asked);
            }
            Err(failure) => {
                summary.failure = Some((input.clone(), failure));
                break;
            }
        }
    }
    summary.seconds = start.elapsed().as_secs_f64();
    summary.outcomes = pool.n_outcomes();
    summary.peak = judge.peak;
    Ok(summary)
}

/// Length and bytes over what was there; the file is never cut, which would cost more than the execution.
fn keep(scratch: &mut File, input: &[u8]) -> io::Result<()> {
    let mut record = [0; 8 + LONGEST_INPUT];
    let n = input.len().min(LONGEST_INPUT);
    record[..8].copy_from_slice(&(n as u64).to_le_bytes());
    record[8..8 + n].copy_from_slice(&input[..n]);
    scratch.rewind()?;
    scratch.write_all(&record[..8 + n])
}

/// The input in a scratch file.
#[must_use]
pub fn kept(record: &[u8]) -> Option<&[u8]> {
    let (length, rest) = record.split_first_chunk::<8>()?;
    rest.get(..usize::try_from(u64::from_le_bytes(*length)).ok()?)
}
