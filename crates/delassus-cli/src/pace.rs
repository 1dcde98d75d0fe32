//! Speed and remaining time of a run, counted from the step at which this process started or resumed it.

use std::time::Instant;

/// The pace of a run.
pub struct Pace {
    began: Instant,
    /// Steps that were done before, and all.
    first: Option<usize>,
    steps: usize,
}

impl Pace {
    /// Of a run of so many steps that begins now.
    pub fn new(steps: usize) -> Self {
        Self { began: Instant::now(), first: None, steps }
    }

    /// All steps.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// Wall time so far \[s\].
    pub fn wall(&self) -> f64 {
        self.began.elapsed().as_secs_f64()
    }

    /// Steps a second and seconds left, with `done` steps done; neither is a number before the first step.
    pub fn look(&mut self, done: usize) -> (f64, f64) {
        let first = *self.first.get_or_insert(done);
        self.at(done - first.min(done), done, self.wall())
    }

    fn at(&self, new: usize, done: usize, wall: f64) -> (f64, f64) {
        if new == 0 {
            return (f64::NAN, f64::NAN);
        }
        let rate = new as f64 / wall;
        (rate, self.steps.saturating_sub(done) as f64 / rate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten steps in two seconds are five a second, whatever was done before.
    #[test]
    fn a_resumed_run_is_not_faster() {
        let pace = Pace::new(1000);
        for before in [0, 900] {
            let (rate, left) = pace.at(10, before + 10, 2.0);
            assert!((rate - 5.0).abs() < 1e-12 && (left - (990 - before) as f64 / 5.0).abs() < 1e-9);
        }
        let mut pace = Pace::new(1000);
        assert!(pace.look(900).0.is_nan() && pace.look(910).0 > 0.0);
    }
}
