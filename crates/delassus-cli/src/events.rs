//! `run --json`: the progress of a run for programs, one JSON object per line on stdout and nothing else.
//!
//! `started`, then `progress` (at most ten a second, and the last step always) and `message`, then `ended`, then `summary`
//! or `error`. Numbers that are not finite are `null`.

use std::path::Path;
use std::time::{Duration, Instant};

use delassus_error::Failure;
use delassus_report::ReportError;
use delassus_report::show::show_json;
use delassus_run::Monitor;
use serde_json::{Value, json};

use crate::output::say;
use crate::pace::Pace;

/// Time between two `progress` lines.
const INTERVAL: Duration = Duration::from_millis(100);

/// Tells a run line by line.
pub struct Events {
    pace: Pace,
    done: usize,
    last: Option<Instant>,
}

impl Events {
    pub fn new() -> Self {
        Self { pace: Pace::new(0), done: 0, last: None }
    }
}

/// One line. A reader that has ended does not stop a run, nor does a line that cannot be written: the results are more important.
fn tell(event: &Value) {
    say(event);
}

/// The run is over: what its manifest says.
pub fn summary(folder: &Path, page: Option<&Path>, exit_code: u8) -> Result<(), ReportError> {
    let shown = show_json(folder)?;
    let part = |key: &str| shown.get(key).cloned().unwrap_or(Value::Null);
    tell(&json!({
        "event": "summary", "exit_code": exit_code, "folder": folder.display().to_string(),
        "report": page.map(|p| p.display().to_string()),
        "verdict": part("verdict"), "sentence": part("sentence"), "findings": part("findings"), "manifest": part("manifest"),
    }));
    Ok(())
}

/// The run is over, or never began.
pub fn error(e: &dyn Failure) {
    tell(&json!({ "event": "error", "exit_code": e.exit_code(), "code": e.code().as_str(), "message": e.to_string() }));
}

impl Monitor for Events {
    fn started(&mut self, title: &str, n_steps: usize) {
        self.pace = Pace::new(n_steps);
        tell(&json!({ "event": "started", "title": title, "steps": n_steps }));
    }

    fn progressed(&mut self, done: usize, time: f64) {
        self.done = done;
        let (rate, left) = self.pace.look(done);
        if done < self.pace.steps() && self.last.is_some_and(|last| last.elapsed() < INTERVAL) {
            return;
        }
        self.last = Some(Instant::now());
        tell(&json!({
            "event": "progress", "step": done, "steps": self.pace.steps(), "time": time,
            "rate": rate, "eta_s": left, "wall": self.pace.wall(),
        }));
    }

    fn message(&mut self, text: &str) {
        tell(&json!({ "event": "message", "text": text }));
    }

    fn ended(&mut self) {
        tell(&json!({ "event": "ended", "step": self.done, "steps": self.pace.steps(), "wall": self.pace.wall() }));
    }
}
