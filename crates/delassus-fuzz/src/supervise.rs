//! Each target runs in a separate process: an input that kills the process is a failure like any other, and is reported.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant, SystemTime};

use crate::engine::{FuzzSummary, kept};
use crate::minimise::minimise;

/// An input on which the process is busy for this long hangs.
const HANGS: Duration = Duration::from_secs(20);

/// Between two looks at the process.
const LOOK: Duration = Duration::from_millis(2);

/// Tries to make a failing input smaller: each is a process of some milliseconds, or of seconds when it is slow.
const TRIES: usize = 2000;

/// Time for these tries.
const SMALLER: Duration = Duration::from_secs(20);

/// Exit code of a process that found a failure.
pub const FOUND: u8 = 1;

/// How a child tells its parent what it did: one line of `key=value`, then the failure in words.
#[must_use]
pub fn line_of(summary: &FuzzSummary) -> String {
    let FuzzSummary { executions, seconds, outcomes, accepted, peak, failure } = summary;
    let numbers =
        format!("executions={executions} seconds={seconds} outcomes={outcomes} accepted={accepted} peak={peak}\n");
    match failure {
        Some((_, failure)) => format!("{numbers}{}\n{failure}\n", failure.kind()),
        None => numbers,
    }
}

/// A failure as the parent knows it.
#[derive(Clone, Debug)]
pub struct FoundFailure {
    /// The input, made smaller.
    pub input: Vec<u8>,
    /// Its kind; failures of one kind count as the same.
    pub kind: String,
    /// In words.
    pub words: String,
}

/// What a child did.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// Executions; 0 when the process died, for then nobody counted.
    pub executions: u64,
    /// Time taken \[s\].
    pub seconds: f64,
    /// Outcomes told apart.
    pub outcomes: u64,
    /// Inputs that were read without complaint.
    pub accepted: u64,
    /// Most bytes held.
    pub peak: u64,
    /// The failure.
    pub found: Option<FoundFailure>,
}

/// Runs this program on one target with these arguments, and makes an input that fails smaller.
///
/// # Errors
/// When the process cannot be started or its files not be read.
pub fn supervise(target: &str, arguments: &[String]) -> io::Result<Told> {
    let scratch = Scratch::new(target)?;
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["--target", target, "--worker"]).arg(&scratch.path).args(arguments);
    let (status, output) = wait(&mut command, Some(&scratch.path))?;
    let mut told = read_line(&output);
    if status.is_some_and(|status| status.success()) {
        return Ok(told);
    }
    let (kind, words) = failure_of(status, &output);
    let record = std::fs::read(&scratch.path)?;
    let Some(input) = kept(&record) else {
        return Err(io::Error::other(format!("{target}: {words} before the first input")));
    };
    let file = Scratch::new(&format!("{target}-smaller"))?;
    let start = Instant::now();
    let input = minimise(input, if kind == "hangs" { 0 } else { TRIES }, |candidate| {
        start.elapsed() < SMALLER
            && replay(target, candidate, &file.path).is_ok_and(|again| again == Some(kind.clone()))
    });
    told.found = Some(FoundFailure { input, kind, words });
    Ok(told)
}

/// The kind of failure of an input in a process of its own; none when it is well.
fn replay(target: &str, input: &[u8], file: &Path) -> io::Result<Option<String>> {
    std::fs::write(file, input)?;
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["--target", target, "--worker-replay", "--replay"]).arg(file);
    let (status, output) = wait(&mut command, Some(file))?;
    Ok(if status.is_some_and(|s| s.success()) { None } else { Some(failure_of(status, &output).0) })
}

/// Waits for a process and gives its output. None for a process that was busy for too long after the file was last written.
fn wait(command: &mut Command, busy: Option<&Path>) -> io::Result<(Option<ExitStatus>, String)> {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        let written = busy.and_then(|path| std::fs::metadata(path).ok()?.modified().ok());
        let idle = written.and_then(|at| SystemTime::now().duration_since(at).ok());
        if idle.unwrap_or_default() > HANGS && start.elapsed() > HANGS {
            child.kill()?;
            child.wait()?;
            break None;
        }
        // Replays end at once, long runs do not need to be looked at often.
        std::thread::sleep(if start.elapsed() < Duration::from_millis(100) { LOOK } else { 25 * LOOK });
    };
    Ok((status, output_of(&mut child)?))
}

fn output_of(child: &mut Child) -> io::Result<String> {
    let mut output = String::new();
    if let Some(stdout) = &mut child.stdout {
        stdout.read_to_string(&mut output)?;
    }
    Ok(output)
}

/// Kind and words of a failure: the child's own, or how it died.
fn failure_of(status: Option<ExitStatus>, output: &str) -> (String, String) {
    let mut lines = output.lines().filter(|line| !line.starts_with("executions="));
    if let (Some(kind), Some(words)) = (lines.next(), lines.next()) {
        return (kind.to_owned(), words.to_owned());
    }
    match status {
        None => ("hangs".to_owned(), format!("hangs: busy for more than {} s", HANGS.as_secs())),
        Some(status) => {
            let words = format!("dies: {status} (a stack that overflows, or memory beyond all bounds)");
            (format!("dies: {status}"), words)
        }
    }
}

fn read_line(output: &str) -> Told {
    let line = output.lines().find(|line| line.starts_with("executions=")).unwrap_or_default();
    let value = |key: &str| line.split(' ').find_map(|pair| pair.strip_prefix(key)?.strip_prefix('=')).unwrap_or("0");
    let count = |key: &str| value(key).parse().unwrap_or(0);
    Told {
        executions: count("executions"),
        seconds: value("seconds").parse().unwrap_or(0.0),
        outcomes: count("outcomes"),
        accepted: count("accepted"),
        peak: count("peak"),
        found: None,
    }
}

/// A file that is removed in the end.
struct Scratch {
    path: PathBuf,
}

impl Scratch {
    fn new(name: &str) -> io::Result<Self> {
        let path = std::env::temp_dir().join(format!("delassus-fuzz-{}-{name}", std::process::id()));
        File::create(&path)?;
        Ok(Self { path })
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A file left behind in the folder for such files does no harm.
        drop(std::fs::remove_file(&self.path));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FuzzFailure;

    #[test]
    fn a_child_is_understood() {
        let failure = FuzzFailure::Panic { at: "a.rs:3".to_owned(), message: "index out of bounds".to_owned() };
        let summary = FuzzSummary {
            executions: 7,
            seconds: 0.25,
            outcomes: 3,
            accepted: 2,
            peak: 99,
            failure: Some((b"x".to_vec(), failure)),
        };
        let told = read_line(&line_of(&summary));
        assert_eq!((told.executions, told.outcomes, told.accepted, told.peak), (7, 3, 2, 99));
        assert!((told.seconds - 0.25).abs() < 1e-15);
        let (kind, words) = failure_of(None, &line_of(&summary));
        assert_eq!(kind, "panic at a.rs:3");
        assert_eq!(words, "panic at a.rs:3: index out of bounds");
        assert_eq!(failure_of(None, "").0, "hangs");
    }
}
