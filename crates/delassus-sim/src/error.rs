//! Errors of a run, with the exit code each asks for.

use std::path::PathBuf;

use delassus_contact::ContactError;
use delassus_dynamics::DynamicsError;
use delassus_mesh::vtk::VtkError;
use delassus_solver::SolverError;

use crate::checkpoint::CheckpointError;
use crate::codes::Code;
use crate::problem::{Problem, ProblemKind};
use crate::report::ReportError;
use crate::solve::SolveError;
use crate::source::SetError;

/// Why a case was not run to its end.
#[derive(Debug, thiserror::Error)]
pub enum SimError {
    /// The case file is not there.
    #[error("there is no case file `{0}`")]
    NoCase(PathBuf),
    /// The case is wrong; the text shows every problem with its place.
    #[error("{text}")]
    Case {
        /// All problems as a user reads them.
        text: String,
        /// The problems found after reading, empty when the text itself could not be read.
        problems: Vec<Problem>,
        /// Code of the first problem.
        code: Code,
    },
    /// No entry of the verification suite has this name.
    #[error(
        "the verification suite has no entry `{name}`{}; `delassus verify --list` shows all",
        near.as_ref().map(|n| format!(", did you mean `{n}`?")).unwrap_or_default()
    )]
    NoEntry {
        /// As given.
        name: String,
        /// The nearest there is.
        near: Option<String>,
    },
    /// A `--set` that cannot be applied.
    #[error("--set {assignment}: {source}")]
    Set {
        /// As given.
        assignment: String,
        /// What is wrong.
        source: SetError,
    },
    /// The dynamics of a body.
    #[error("body `{body}`: {source}")]
    Body {
        /// Name of the body.
        body: String,
        /// What is wrong.
        source: DynamicsError,
    },
    /// Contact detection.
    #[error(transparent)]
    Contact(#[from] ContactError),
    /// The contact problem cannot be posed.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// The contact problem was not solved to tolerance.
    #[error(
        "step {step} at t = {time:e} s: the contact problem ({contacts} contacts) was not solved to tolerance \
         {tolerance:.1e}: {judged}; smallest step tried {h:e} s.\n\
         The last good state and the problem are in {saved}: `delassus solve` takes failed-problem.json and .hdf5 (FCLIB).\n\
         Try a smaller `step`, more `solver.max_iterations`, or `solver.on_failure: AcceptAndFlag`."
    )]
    NotConverged {
        /// Number of the step that failed.
        step: usize,
        /// Time at its start \[s\].
        time: f64,
        /// Number of contacts in the problem.
        contacts: usize,
        /// Law error reached.
        law_error: f64,
        /// Sweeps done.
        iterations: usize,
        /// What solver, certificate and laws said.
        judged: String,
        /// Law error wanted.
        tolerance: f64,
        /// Smallest step tried \[s\].
        h: f64,
        /// Where things were saved.
        saved: String,
    },
    /// A step could not even be tried.
    #[error("step {step} at t = {time:e} s: {source}; the last good state is in {saved}")]
    Step {
        /// Number of the step.
        step: usize,
        /// Time at its start \[s\].
        time: f64,
        /// Where things were saved.
        saved: String,
        /// What is wrong.
        source: Box<SimError>,
    },
    /// The condensed operators do not fit the memory given to them.
    #[error(
        "memory: the condensed operators of {n_contacts} contacts take {} and memory = {} is all they may; \
         all nodes that can be in contact would take {}.\n\
         Give more `memory`, or fewer nodes to the groups in contact",
        bytes(*needed), bytes(*memory), bytes(*all)
    )]
    Memory {
        /// Number of contacts in the problem.
        n_contacts: usize,
        /// What the case allows \[B\].
        memory: usize,
        /// What the contacts need at least \[B\].
        needed: usize,
        /// What all nodes that can be in contact would need \[B\].
        all: usize,
    },
    /// `start: Equilibrium` where there is none.
    #[error(
        "start: Equilibrium: no state of rest was found: after {steps} long steps a part {out_of_balance:.1e} of the forces \
         is still not balanced ({judged}).\n\
         Bodies must be supported against their loads at t = 0: close gaps to their supports, hold them by `boundary`, or \
         use `start: Undeformed`."
    )]
    NoEquilibrium {
        /// Long steps taken.
        steps: usize,
        /// Out-of-balance force over all forces.
        out_of_balance: f64,
        /// What solver, certificate and laws said of the last step.
        judged: String,
    },
    /// The state is no longer made of numbers.
    #[error(
        "step {step} at t = {time:e} s: body `{body}` is no longer finite (NaN or infinity); the last good state is in {saved}"
    )]
    NotFinite {
        /// Number of the step.
        step: usize,
        /// Time at its start \[s\].
        time: f64,
        /// The body.
        body: String,
        /// Where things were saved.
        saved: String,
    },
    /// The results folder holds a run already.
    #[error("`{0}` holds results already; give --force to replace them, or --out DIR for another folder")]
    Occupied(PathBuf),
    /// `--force` on a folder with files named like results, but not made by a run.
    #[error(
        "`{0}` has files named like results but no case.resolved.ron, so no run made it; give --out DIR for another folder"
    )]
    NotResults(PathBuf),
    // Of the commands around a run: `init`, `show`, `diff`.
    /// `init` with a name that no case of the gallery has.
    #[error("there is no case `{name}` in the gallery;{near} `delassus init` lists them")]
    NoSuchExample {
        /// As given.
        name: String,
        /// The nearest name in words, or nothing.
        near: String,
    },
    /// `init` would overwrite a file.
    #[error("`{0}` is there already and is not overwritten; give --out DIR for another folder")]
    Taken(PathBuf),
    /// `diff` with a tolerance that is none.
    #[error("--tolerance {0}: it must be a number ≥ 0, such as 1e-9")]
    BadTolerance(f64),
    /// `explain` of a code that no error has.
    #[error(
        "there is no error code `{code}`{}; `delassus explain` lists them",
        near.as_ref().map(|n| format!(", did you mean {n}?")).unwrap_or_default()
    )]
    NoSuchCode {
        /// As given.
        code: String,
        /// The nearest there is.
        near: Option<String>,
    },
    /// The user or the system asked the run to stop.
    #[error(
        "interrupted after step {done} of {n} at t = {time:e} s; the state is saved in {folder}.\n\
         Go on with the same command and --resume."
    )]
    Interrupted {
        /// Nominal steps done.
        done: usize,
        /// Nominal steps of the run.
        n: usize,
        /// Time reached \[s\].
        time: f64,
        /// Results folder.
        folder: String,
    },
    /// `--resume` of a run that is finished.
    #[error("the run in `{0}` is finished; give --force to run the case again")]
    Finished(PathBuf),
    /// A contact problem of a file.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// A checkpoint that cannot be used.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// A file cannot be read or written.
    #[error("cannot {action} `{path}`: {source}")]
    Io {
        /// What was tried.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A VTK file cannot be written.
    #[error("cannot write `{path}`: {source}")]
    Vtk {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: VtkError,
    },
    /// A picture cannot be drawn.
    #[error("cannot draw `{path}`: {reason}")]
    Plot {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A report cannot be made of a results folder.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// Something that should be impossible.
    #[error("internal error, please report it: {0}")]
    Internal(String),
}

/// A number of bytes as people read it.
pub(crate) fn bytes(n: usize) -> String {
    let n = n as f64;
    match n {
        n if n < 1e4 => format!("{n} B"),
        n if n < 1e6 => format!("{:.1} kB", n / 1e3),
        n if n < 1e9 => format!("{:.1} MB", n / 1e6),
        n => format!("{:.2} GB", n / 1e9),
    }
}

impl SimError {
    /// 0 nothing to do, 2 bad input, 3 mesh or geometry, 4 not converged, 5 input/output, 130 interrupted.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::NoCase(_)
            | Self::NoEntry { .. }
            | Self::NoSuchExample { .. }
            | Self::BadTolerance(_)
            | Self::NoSuchCode { .. }
            | Self::Set { .. }
            | Self::Solve(_) => 2,
            Self::Case { problems, .. } => match problems.iter().map(|p| p.kind).min() {
                None | Some(ProblemKind::Input) => 2,
                Some(ProblemKind::Mesh) => 3,
                Some(ProblemKind::File) => 5,
            },
            Self::Body { .. } | Self::Contact(_) => 3,
            Self::Solver(_)
            | Self::Step { .. }
            | Self::Memory { .. }
            | Self::NoEquilibrium { .. }
            | Self::NotConverged { .. }
            | Self::NotFinite { .. } => 4,
            Self::Occupied(_)
            | Self::NotResults(_)
            | Self::Taken(_)
            | Self::Io { .. }
            | Self::Vtk { .. }
            | Self::Plot { .. } => 5,
            Self::Report(e) => e.exit_code(),
            Self::Checkpoint(e) => e.exit_code(),
            Self::Interrupted { .. } => 130,
            Self::Finished(_) => 0,
            Self::Internal(_) => 70,
        }
    }
}
