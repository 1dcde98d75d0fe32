//! Repeating tasks and timing them.

use std::time::Instant;

/// How much is to be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Once, with tiny sizes: a test.
    Quick,
    /// At full size, long enough for stable minima.
    Full,
}

impl Mode {
    /// As the program was called.
    #[must_use]
    pub fn from_arguments() -> Self {
        Self::of(std::env::args())
    }

    /// `cargo bench` appends `--bench` to the arguments of every bench, `cargo test` appends nothing; `--test` is the
    /// user's wish for a quick run.
    fn of(arguments: impl Iterator<Item = String>) -> Self {
        let (mut bench, mut test) = (false, false);
        for argument in arguments {
            bench |= argument == "--bench";
            test |= argument == "--test";
        }
        if bench && !test { Self::Full } else { Self::Quick }
    }

    /// Full sizes or tiny ones.
    pub fn choose<T>(self, quick: T, full: T) -> T {
        match self {
            Self::Quick => quick,
            Self::Full => full,
        }
    }
}

/// Is this the part of a bench the user asked for? `cargo bench -p benches --bench step_ratio -- "contact 1010"` runs what
/// contains the words; without words everything runs.
#[must_use]
pub fn is_wanted(part: &str) -> bool {
    let word = std::env::args().skip(1).find(|a| !a.starts_with('-'));
    word.is_none_or(|w| part.contains(&w))
}

/// Repeated times of one task.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// Shortest run \[s\].
    pub min: f64,
    /// Median run \[s\].
    pub median: f64,
    /// Number of runs.
    pub runs: usize,
}

impl Measured {
    /// Minimum and median of some times \[s\]; NaN when there are none.
    #[must_use]
    pub fn of(mut times: Vec<f64>) -> Self {
        times.sort_by(f64::total_cmp);
        let at = |i: usize| times.get(i).copied().unwrap_or(f64::NAN);
        Self { min: at(0), median: at(times.len() / 2), runs: times.len() }
    }
}

/// Runs a task again and again for at least `seconds` (once in quick mode).
pub fn measure(mode: Mode, seconds: f64, mut task: impl FnMut()) -> Measured {
    let [measured] = alternate(mode, seconds, [&mut task]);
    measured
}

/// Runs the tasks in turns for at least `seconds` altogether (once each in quick mode), so that what disturbs the machine
/// disturbs all of them alike.
pub fn alternate<const N: usize>(mode: Mode, seconds: f64, mut tasks: [&mut dyn FnMut(); N]) -> [Measured; N] {
    /// Fewer rounds say little about a minimum.
    const LEAST_ROUNDS: usize = 5;
    let mut times: [Vec<f64>; N] = std::array::from_fn(|_| Vec::new());
    let started = Instant::now();
    loop {
        for (task, times) in tasks.iter_mut().zip(&mut times) {
            let before = Instant::now();
            task();
            times.push(before.elapsed().as_secs_f64());
        }
        let rounds = times.first().map_or(usize::MAX, Vec::len);
        let enough = rounds >= LEAST_ROUNDS && started.elapsed().as_secs_f64() >= seconds;
        if mode == Mode::Quick || enough {
            return times.map(Measured::of);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(arguments: &[&str]) -> Mode {
        Mode::of(arguments.iter().map(|&a| a.to_owned()))
    }

    #[test]
    fn only_cargo_bench_without_test_measures_in_full() {
        assert_eq!(mode(&["bench", "--bench"]), Mode::Full);
        assert_eq!(mode(&["bench", "--test", "--bench"]), Mode::Quick);
        assert_eq!(mode(&["bench"]), Mode::Quick);
        assert_eq!(mode(&[]), Mode::Quick);
    }

    #[test]
    fn the_median_lies_in_the_middle() {
        let m = Measured::of(vec![5.0, 1.0, 3.0]);
        assert_eq!(m, Measured { min: 1.0, median: 3.0, runs: 3 });
        assert!(Measured::of(Vec::new()).min.is_nan());
    }

    #[test]
    fn tasks_take_turns_and_quick_runs_are_single() {
        let log = std::cell::RefCell::new(String::new());
        let (mut a, mut b) = (|| log.borrow_mut().push('a'), || log.borrow_mut().push('b'));
        let measured = alternate(Mode::Quick, 10.0, [&mut a, &mut b]);
        assert_eq!(measured.map(|m| m.runs), [1, 1]);
        alternate(Mode::Full, 0.0, [&mut a, &mut b]);
        assert_eq!(log.into_inner(), "ab".repeat(6));
    }
}
