//! Progress of a run: a bar with speed and ETA on a terminal, plain lines elsewhere.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use delassus_run::Monitor;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::pace::Pace;

/// Seconds between two plain lines when there is no terminal.
const PLAIN_INTERVAL: Duration = Duration::from_secs(10);

/// Shows a run on stderr.
pub struct Progress {
    hidden: bool,
    quiet: bool,
    bar: Option<ProgressBar>,
    pace: Pace,
    last_line: Instant,
}

impl Progress {
    /// `hidden`: no progress; `quiet`: no messages either.
    pub fn new(hidden: bool, quiet: bool) -> Self {
        let now = Instant::now();
        Self { hidden, quiet, bar: None, pace: Pace::new(0), last_line: now }
    }
}

/// The most characters of a title beside a bar.
const TITLE: usize = 24;

/// What fits on one line of a terminal: a line that wraps would be left behind by the next.
fn template(columns: usize) -> &'static str {
    match columns {
        // The words, numbers of 7 digits, a rate and an ETA take 24 + 58.
        90.. => "{msg} [{wide_bar}] {pos}/{len} steps, {per_sec}, ETA {eta}",
        60.. => "[{wide_bar}] {pos}/{len} steps, {per_sec}, ETA {eta}",
        36.. => "[{wide_bar}] {pos}/{len}, ETA {eta}",
        _ => "{percent} %, ETA {eta}",
    }
}

fn shortened(title: &str) -> String {
    match title.char_indices().nth(TITLE) {
        Some((end, _)) => format!("{}…", title[..end].trim_end()),
        None => title.to_owned(),
    }
}

impl Monitor for Progress {
    fn started(&mut self, title: &str, n_steps: usize) {
        self.pace = Pace::new(n_steps);
        self.last_line = Instant::now();
        if self.hidden || !std::io::stderr().is_terminal() {
            return;
        }
        let bar = ProgressBar::with_draw_target(Some(n_steps as u64), ProgressDrawTarget::stderr_with_hz(8));
        let columns = usize::from(console::Term::stderr().size().1);
        if let Ok(style) = ProgressStyle::with_template(template(columns)) {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_message(shortened(title));
        self.bar = Some(bar);
    }

    fn progressed(&mut self, done: usize, time: f64) {
        let (rate, left) = self.pace.look(done);
        if let Some(bar) = &self.bar {
            bar.set_position(done as u64);
            if rate.is_nan() {
                // Steps of an earlier start say nothing about the speed of this one.
                bar.reset_eta();
            }
        } else if !self.hidden && self.last_line.elapsed() >= PLAIN_INTERVAL {
            self.last_line = Instant::now();
            let _ = writeln!(
                std::io::stderr(),
                "step {done}/{}, t = {time:.4e} s, {rate:.1} steps/s, ETA {left:.0} s",
                self.pace.steps()
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

#[cfg(test)]
mod tests {
    use super::*;

    /// With long numbers in it a line is no wider than the terminal, and its bar has some cells left.
    #[test]
    fn a_line_fits() {
        for columns in [20, 35, 36, 40, 59, 60, 80, 89, 90, 132] {
            let mut line = template(columns).to_owned();
            let title = shortened("A title that is far too long for a terminal");
            let words = [
                ("{msg}", title.as_str()),
                ("{wide_bar}", "=>"),
                ("{pos}", "1234567"),
                ("{len}", "1234567"),
                ("{per_sec}", "12,345.6789/s"),
                ("{percent}", "100"),
                ("{eta}", "59m"),
            ];
            for (key, value) in words {
                line = line.replace(key, value);
            }
            assert!(!line.contains('{') && line.chars().count() <= columns, "{columns}: {line}");
        }
    }

    #[test]
    fn titles() {
        assert_eq!(shortened("short"), "short");
        assert_eq!(shortened("A block slides on a rough plane and stops"), "A block slides on a roug…");
        assert_eq!(shortened(&"é".repeat(30)).chars().count(), TITLE + 1);
    }
}
