//! `delassus verify`.

use std::io::Write as _;
use std::path::PathBuf;
use std::time::SystemTime;

use clap::Args;
use delassus_suite::{EntryResult, SuiteOptions, Watcher, listing, page_path, run_suite, select, write};

use crate::interrupts::heard;
use crate::{CommandError, Reply};

/// Exit code when something did not pass.
const FAILED: u8 = 1;

/// Run the verification suite and write a page with all results and references to verification.html
#[derive(Args)]
pub struct Verify {
    /// Entries to run, or cases (with all of their entries); default: the whole suite
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Run only the quick entries: half a minute in total
    #[arg(long)]
    quick: bool,
    /// Page (.html), or folder for verification.html; the same numbers are written beside it as .json
    #[arg(long, value_name = "DIR or FILE", default_value = ".")]
    out: PathBuf,
    /// Keep the results of the runs in this folder
    #[arg(long, value_name = "DIR")]
    results: Option<PathBuf>,
    /// Number of threads (the results do not depend on it)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// List the entries and run nothing
    #[arg(long)]
    list: bool,
    /// Print no progress
    #[arg(long, short)]
    quiet: bool,
    /// Change a value in every case that is run, to see a check fail
    #[arg(long, value_name = "PATH=VALUE", hide = true)]
    set: Vec<String>,
}

impl Verify {
    pub fn execute(self) -> Result<Reply, CommandError> {
        let entries = select(&self.names, self.quick)?;
        if self.list {
            return Ok(listing(&entries).into());
        }
        let options = SuiteOptions {
            threads: self.threads.map(usize::from),
            results: self.results,
            settings: self.set,
            quick: self.quick,
            now: SystemTime::now(),
            stop: heard("stopping"),
        };
        let result = run_suite(&entries, &options, &mut Lines { quiet: self.quiet })?;
        let [page, json] = write(&result, &page_path(&self.out))?;
        let text = format!("{}\n{}\n{}", result.text(), page.display(), json.display());
        Ok(Reply { text, exit_code: if result.all_passed() { 0 } else { FAILED } })
    }
}

/// A line on stderr for every entry.
struct Lines {
    quiet: bool,
}

impl Watcher for Lines {
    fn started(&mut self, number: usize, of: usize, name: &str, left: f64) {
        if !self.quiet {
            let left =
                if left < 60.0 { format!("{:.0} s", left.ceil()) } else { format!("{:.0} min", (left / 60.0).ceil()) };
            let _ = write!(std::io::stderr(), "[{number}/{of}, about {left} left] {name} … ");
        }
    }

    fn ended(&mut self, result: &EntryResult) {
        if !self.quiet {
            let word = if result.passed { "passed" } else { "FAILED" };
            let _ = writeln!(std::io::stderr(), "{word} ({:.1} s)", result.wall);
        }
    }
}
