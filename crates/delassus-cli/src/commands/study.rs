//! `delassus study`.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use delassus_run::Monitor;
use delassus_suite::study::{
    PlannedLevel, Refinement, StudiedLevel, StudyOptions, StudyWatcher, study_case, write_study,
};

use crate::interrupts::heard;
use crate::progress::Progress;
use crate::{CommandError, Reply};

/// Run a case at several levels of refinement and write observed orders of convergence to study.html and study.json
#[derive(Args)]
pub struct StudyCommand {
    /// Case file (RON, or JSON if its name ends in .json)
    case: PathBuf,
    /// What to halve from level to level: step, mesh or step,mesh
    #[arg(long, value_name = "WHAT")]
    refine: Refinement,
    /// Number of levels, including the case itself
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=12))]
    levels: u8,
    /// Change a value of the case at all levels
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// Quantity to study: a column of history.csv, final:COLUMN, curve:COLUMN or check:NAME; default: all columns with a reference, and the probes
    #[arg(long, value_name = "NAME")]
    quantity: Vec<String>,
    /// Folder of the study, instead of results/CASE-study
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Number of threads (the results do not depend on it)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Run finished levels again
    #[arg(long)]
    force: bool,
    /// Print no progress
    #[arg(long, short)]
    quiet: bool,
}

impl StudyCommand {
    pub fn execute(self) -> Result<Reply, CommandError> {
        let stem = self.case.file_stem().map_or_else(|| "case".into(), |s| s.to_string_lossy().into_owned());
        let out = self.out.unwrap_or_else(|| Path::new("results").join(format!("{stem}-study")));
        let options = StudyOptions {
            refinement: self.refine,
            levels: usize::from(self.levels),
            settings: self.set,
            quantities: self.quantity,
            out: out.clone(),
            force: self.force,
            threads: self.threads.map(usize::from),
            stop: heard("discarding the unfinished step and saving the state"),
        };
        let study = study_case(&self.case, &options, &mut LevelLines { quiet: self.quiet })?;
        let [page, json] = write_study(&study, &out)?;
        let text = format!("{}  page       {}\n  numbers    {}", study.text(), page.display(), json.display());
        Ok(Reply { text, exit_code: study.exit_code })
    }
}

/// Lines on stderr for every level.
struct LevelLines {
    quiet: bool,
}

impl LevelLines {
    fn line(&self, text: &str) {
        if !self.quiet {
            let _ = writeln!(std::io::stderr(), "{text}");
        }
    }
}

impl StudyWatcher for LevelLines {
    fn planned(&mut self, levels: &[PlannedLevel]) {
        let first = levels.first().map_or(1.0, PlannedLevel::work);
        for l in levels {
            let work = format!("about {:.0} times the work of the case", l.work() / first);
            self.line(&format!("level {}: {} steps, about {:.0} dofs, {work}", l.number, l.steps, l.dofs));
        }
    }

    fn started(&mut self, number: usize, of: usize, seconds: Option<f64>) {
        let time = seconds.map_or(String::new(), |s| format!(", about {:.0} s", s.ceil()));
        self.line(&format!("[{number}/{of}{time}]"));
    }

    fn monitor(&mut self) -> Box<dyn Monitor> {
        Box::new(Progress::new(self.quiet, self.quiet))
    }

    fn ended(&mut self, level: &StudiedLevel) {
        let how = if level.kept { "kept from an earlier run".to_owned() } else { format!("{:.1} s", level.wall) };
        self.line(&format!("      {} ({how})", level.verdict));
    }
}
