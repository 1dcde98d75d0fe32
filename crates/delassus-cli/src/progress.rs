//! Progress of a run: a bar with speed and ETA on a terminal, plain lines elsewhere.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use delassus_sim::Monitor;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Seconds between two plain lines when there is no terminal.
const PLAIN_INTERVAL: Duration = Duration::from_secs(10);

/// Shows a run on stderr.
pub struct Progress {
    hidden: bool,
    quiet: bool,
    bar: Option<ProgressBar>,
    total: usize,
    started: Instant,
    last_line: Instant,
}

impl Progress {
    /// `hidden`: no progress; `quiet`: no messages either.
    pub fn new(hidden: bool, quiet: bool) -> Self {
        let now = Instant::now();
        Self { hidden, quiet, bar: None, total: 0, started: now, last_line: now }
    }
}

impl Monitor for Progress {
    fn started(&mut self, title: &str, n_steps: usize) {
        self.total = n_steps;
        self.started = Instant::now();
        self.last_line = self.started;
        if self.hidden || !std::io::stderr().is_terminal() {
            return;
        }
        let bar = ProgressBar::with_draw_target(Some(n_steps as u64), ProgressDrawTarget::stderr_with_hz(8));
        let template = "{msg} [{wide_bar}] {pos}/{len} steps, {per_sec}, ETA {eta}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_message(title.to_owned());
        self.bar = Some(bar);
    }

    fn progressed(&mut self, done: usize, time: f64) {
        if let Some(bar) = &self.bar {
            bar.set_position(done as u64);
        } else if !self.hidden && self.last_line.elapsed() >= PLAIN_INTERVAL {
            self.last_line = Instant::now();
            let rate = done as f64 / self.started.elapsed().as_secs_f64();
            let left = (self.total - done) as f64 / rate;
            let _ = writeln!(
                std::io::stderr(),
                "step {done}/{}, t = {time:.4e} s, {rate:.1} steps/s, ETA {left:.0} s",
                self.total
            );
        }
    }

    fn message(&mut self, text: &str) {
        if self.quiet {
            return;
        }
        match &self.bar {
            Some(bar) => bar.println(text),
            None => {
                let _ = writeln!(std::io::stderr(), "{text}");
            }
        }
    }

    fn ended(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}
