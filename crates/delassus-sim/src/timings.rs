//! Wall time of a run by phase.

use std::time::Instant;

/// Seconds spent in each phase of a step.
#[derive(Clone, Debug)]
pub struct Timings {
    last: Instant,
    phases: Vec<(&'static str, f64)>,
}

impl Default for Timings {
    fn default() -> Self {
        Self { last: Instant::now(), phases: Vec::new() }
    }
}

impl Timings {
    /// The time since the last lap belongs to `phase`.
    pub fn lap(&mut self, phase: &'static str) {
        let now = Instant::now();
        let spent = (now - self.last).as_secs_f64();
        self.last = now;
        match self.phases.iter_mut().find(|(name, _)| *name == phase) {
            Some((_, sum)) => *sum += spent,
            None => self.phases.push((phase, spent)),
        }
    }

    /// The phases in the order in which they were first met.
    #[must_use]
    pub fn phases(&self) -> &[(&'static str, f64)] {
        &self.phases
    }
}
