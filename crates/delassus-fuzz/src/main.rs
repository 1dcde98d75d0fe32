//! `delassus-fuzz`: fuzzes one target or all of them, and says how to run again what failed.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use delassus_fuzz::engine::replay;
use delassus_fuzz::supervise::{FOUND, FoundFailure, Told, line_of, supervise};
use delassus_fuzz::targets::{TARGETS, find};
use delassus_fuzz::{Answer, FuzzTarget, Options, corpus, fuzz};

/// Exit code for arguments and files that make no sense.
const WRONG: u8 = 2;

/// Feeds changed files to everything in Delassus that reads one. Exit code 0: nothing failed, 1: an input failed, 2: wrong arguments.
#[derive(Parser)]
#[command(version)]
struct FuzzArguments {
    /// What is fuzzed: the name of a target, or `all`.
    #[arg(long, default_value = "all")]
    target: String,
    /// Seed of the random numbers: the same seed and number of runs give the same inputs.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Executions of each target; no limit when absent.
    #[arg(long)]
    runs: Option<u64>,
    /// Seconds for each target; 10 when neither this nor --runs is given.
    #[arg(long)]
    seconds: Option<f64>,
    /// Folder of seeds, with a folder for each target; those of the repository when absent.
    #[arg(long)]
    corpus: Option<PathBuf>,
    /// Where failing inputs are written.
    #[arg(long, default_value = ".")]
    failures: PathBuf,
    /// Runs the input in a file and nothing else; the target is the one named at the start of the file's name, or --target.
    #[arg(long)]
    replay: Option<PathBuf>,
    /// Lists the targets.
    #[arg(long)]
    list: bool,
    /// Fuzzes in this process, with the current input in a file.
    #[arg(long, hide = true)]
    worker: Option<PathBuf>,
    /// Tells of a replay as a worker does.
    #[arg(long, hide = true)]
    worker_replay: bool,
}

fn main() -> ExitCode {
    match FuzzArguments::parse().execute() {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            // Nobody is left to tell when this fails too.
            drop(writeln!(io::stderr(), "error: {error}"));
            ExitCode::from(WRONG)
        }
    }
}

impl FuzzArguments {
    fn execute(self) -> io::Result<u8> {
        if self.list {
            for target in &TARGETS {
                writeln!(io::stdout(), "{}", target.name)?;
            }
            return Ok(0);
        }
        if let Some(file) = &self.replay {
            return self.replay(file);
        }
        if let Some(scratch) = &self.worker {
            return self.work(scratch);
        }
        let targets: Vec<&FuzzTarget> =
            if self.target == "all" { TARGETS.iter().collect() } else { vec![known(&self.target)?] };
        self.all(&targets)
    }

    fn all(&self, targets: &[&FuzzTarget]) -> io::Result<u8> {
        let mut arguments = vec!["--seed".to_owned(), self.seed.to_string()];
        let seconds = self.seconds.or(if self.runs.is_none() { Some(10.0) } else { None });
        arguments.extend(seconds.iter().flat_map(|s| ["--seconds".to_owned(), s.to_string()]));
        arguments.extend(self.runs.iter().flat_map(|n| ["--runs".to_owned(), n.to_string()]));
        arguments.extend(self.corpus.iter().flat_map(|c| ["--corpus".to_owned(), c.display().to_string()]));
        let mut out = io::stdout();
        let head = ["executions", "per second", "outcomes", "accepted", "peak bytes", "failures"];
        writeln!(out, "{:<14}{}", "target", head.map(|word| format!("{word:>13}")).concat())?;
        let mut code = 0;
        for target in targets {
            // Told here: a worker has no words for what is wrong with its arguments.
            self.seeds(target)?;
            let told = supervise(target.name, &arguments)?;
            let Told { executions, seconds, outcomes, accepted, peak, found } = &told;
            let rate = *executions as f64 / seconds.max(1e-9);
            let failures = usize::from(found.is_some());
            writeln!(
                out,
                "{:<14}{executions:>13}{rate:>13.0}{outcomes:>13}{accepted:>13}{peak:>13}{failures:>13}",
                target.name
            )?;
            if let Some(found) = found {
                code = FOUND;
                self.report(target, found)?;
            }
            out.flush()?;
        }
        Ok(code)
    }

    fn report(&self, target: &FuzzTarget, found: &FoundFailure) -> io::Result<()> {
        std::fs::create_dir_all(&self.failures)?;
        let file = self.failures.join(format!("{}.{:016x}.failure", target.name, name_of(&found.input)));
        std::fs::write(&file, &found.input)?;
        let (words, file, n) = (&found.words, file.display(), found.input.len());
        writeln!(io::stdout(), "  {words}\n  {n} bytes in {file}; again: delassus-fuzz --replay {file}")
    }

    fn seeds(&self, target: &FuzzTarget) -> io::Result<Vec<Vec<u8>>> {
        let folder = self.corpus.clone().unwrap_or_else(corpus::seeds_folder);
        let seeds = corpus::load(&folder, target.name)?;
        if seeds.is_empty() {
            return Err(io::Error::other(format!("no seeds for {} in {}", target.name, folder.display())));
        }
        Ok(seeds)
    }

    fn work(&self, scratch: &Path) -> io::Result<u8> {
        let target = known(&self.target)?;
        let mut seeds = self.seeds(target)?;
        seeds.extend(corpus::load(&corpus::regressions_folder(), target.name)?);
        let options = Options {
            seed: self.seed,
            runs: self.runs,
            time: self.seconds.map(|s| Duration::from_secs_f64(s.clamp(0.0, 1e9))),
            scratch: Some(OpenOptions::new().write(true).open(scratch)?),
        };
        let summary = fuzz(target, seeds, options)?;
        io::stdout().write_all(line_of(&summary).as_bytes())?;
        Ok(if summary.failure.is_some() { FOUND } else { 0 })
    }

    fn replay(&self, file: &Path) -> io::Result<u8> {
        let input = std::fs::read(file).map_err(|e| io::Error::other(format!("{}: {e}", file.display())))?;
        let named = file.file_name().and_then(|name| name.to_str()?.split('.').next());
        let name = if self.target == "all" { named.unwrap_or_default() } else { &self.target };
        let mut out = io::stdout();
        match replay(known(name)?, input)? {
            Err(failure) if self.worker_replay => writeln!(out, "{}\n{failure}", failure.kind())?,
            Err(failure) => writeln!(out, "{failure}")?,
            Ok(outcome) => {
                match outcome {
                    _ if self.worker_replay => {}
                    Answer::Accepted(_) => writeln!(out, "accepted")?,
                    Answer::Refused(words) => writeln!(out, "refused: {words}")?,
                }
                return Ok(0);
            }
        }
        Ok(FOUND)
    }
}

fn known(name: &str) -> io::Result<&'static FuzzTarget> {
    find(name).ok_or_else(|| {
        let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
        io::Error::other(format!("no target `{name}`; the targets are all, {}", names.join(", ")))
    })
}

/// A name for an input: the same input has the same file.
fn name_of(input: &[u8]) -> u64 {
    Answer::Refused(input.iter().map(|byte| char::from(b'a' + byte % 16)).collect()).shape()
}
