//! Errors of runs with their exit codes.

mod checkpoint;
mod end_state;
mod folder;
mod simulation;
mod solve;

use std::path::PathBuf;

use delassus_case::error::CaseError;
use delassus_error::input::ReadError;
use delassus_error::machine::{MEMORY, MemoryError, NO_ROOM};
use delassus_error::{Code, Coded, Failure, FileError, InternalError, Interrupted};
use delassus_mesh::vtk::VtkError;
use delassus_sim::error::SimError;
use delassus_sim::observer::ObserverError;

pub use checkpoint::CheckpointError;
pub use end_state::EndStateError;
pub use folder::FolderError;
pub use simulation::SimulationError;
pub use solve::SolveError;

/// Why a case was not run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The case is wrong.
    #[error(transparent)]
    Case(#[from] CaseError),
    /// The model cannot be stepped.
    #[error(transparent)]
    Sim(#[from] SimError),
    /// An observer failed.
    #[error("{0}")]
    Observer(Box<dyn Failure + Send + Sync>),
    /// The contact problem was not solved to tolerance.
    #[error(
        "step {step} at t = {time:e} s: the step ({contacts} contacts) was not solved to tolerance \
         {tolerance:.1e}: {judged}; smallest step tried {h:e} s.\n\
         {}Try a smaller `step`, more `solver.max_iterations`, or `solver.on_failure: AcceptAndFlag`.",
        problem_in(saved.as_deref())
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
        /// Description of the step: solver, certificate, laws.
        judged: String,
        /// Required law error.
        tolerance: f64,
        /// Smallest step tried \[s\].
        h: f64,
        /// Where things were saved, if there is a results folder.
        saved: Option<String>,
    },
    /// The contact problem is solved, but the step does not satisfy its own equations.
    #[error(
        "step {step} at t = {time:e} s does not satisfy its own equations: the {what} has an error of {error:.1e}, limit {limit:.1e}{}.\n\
         Either the matrices of the bodies are so badly conditioned that rounding decides, or the program is wrong: \
         check units and element sizes, and please report the case. `solver.on_failure: AcceptAndFlag` continues with a verdict of Failed.",
        state_in(saved.as_deref())
    )]
    Audit {
        /// Number of the step that failed.
        step: usize,
        /// Time at its start \[s\].
        time: f64,
        /// The check and the body or pair.
        what: String,
        /// Its error.
        error: f64,
        /// What it may be.
        limit: f64,
        /// Where things were saved, if there is a results folder.
        saved: Option<String>,
    },
    /// A step could not even be tried.
    #[error("step {step} at t = {time:e} s: {source}{}", state_in(saved.as_deref()))]
    Step {
        /// Number of the step.
        step: usize,
        /// Time at its start \[s\].
        time: f64,
        /// Where things were saved, if there is a results folder.
        saved: Option<String>,
        /// What is wrong.
        source: Box<SimError>,
    },
    /// The state is no longer finite.
    #[error(
        "step {step} at t = {time:e} s: body `{body}` is no longer finite (NaN or infinity){}", state_in(saved.as_deref())
    )]
    NotFinite {
        /// Number of the step.
        step: usize,
        /// Time at its start \[s\].
        time: f64,
        /// The body.
        body: String,
        /// Where things were saved, if there is a results folder.
        saved: Option<String>,
    },
    /// A body at finite strain cannot follow its motion.
    #[error(
        "step {step} at t = {time:e} s: body `{body}` cannot follow its motion, also in a step of {h:e} s: a cell turns over, or its \
         material finds no stress{}.\nTry a smaller `step`, more halvings in `solver.on_failure`, or larger cells where it is squeezed.",
        state_in(saved.as_deref())
    )]
    NotFollowed {
        /// Number of the step.
        step: usize,
        /// Time at its start \[s\].
        time: f64,
        /// The body.
        body: String,
        /// The shortest step tried \[s\].
        h: f64,
        /// Where things were saved, if there is a results folder.
        saved: Option<String>,
    },
    /// The results folder holds a run already.
    #[error("`{0}` holds results already; give --force to replace them, or --out DIR for another folder")]
    Occupied(PathBuf),
    /// `--force` on a folder with files named like results, but not made by a run.
    #[error(
        "`{0}` has files named like results but no case.resolved.ron, so no run made it; give --out DIR for another folder"
    )]
    NotResults(PathBuf),
    /// The user or the system asked the run to stop.
    #[error(
        "interrupted after step {done} of {n} at t = {time:e} s; the state is saved in {folder}.\n\
         Continue with the same command and --resume."
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
    /// The user or the system asked to stop before there was anything to save.
    #[error(transparent)]
    Stopped(#[from] Interrupted),
    /// `--resume` of a run that is finished.
    #[error("the run in `{0}` is finished; give --force to run the case again")]
    Finished(PathBuf),
    /// A contact problem of a file.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// A checkpoint that cannot be used.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The end of another run from which this one cannot go on.
    #[error(transparent)]
    EndState(#[from] EndStateError),
    /// A simulation in memory was asked for something it does not have.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// A results folder that is not touched.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file that is not read for what it is.
    #[error(transparent)]
    Read(ReadError),
    /// More memory is needed than is available.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// Not one thread can be started.
    #[error(
        "no thread can be started ({reason}): neither {wanted} nor fewer. Raise the limits of the process (`ulimit -u`, `ulimit -v`)"
    )]
    Threads {
        /// Threads wanted.
        wanted: usize,
        /// What the system said.
        reason: String,
    },
    /// A VTK file cannot be written.
    #[error("cannot write `{path}`: {source}")]
    Vtk {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: VtkError,
    },
    /// A picture cannot be drawn: the history lacks a column of it.
    #[error("cannot draw `{path}`: {reason}")]
    Plot {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// Something that should be impossible.
    #[error(transparent)]
    Internal(#[from] InternalError),
}

/// Where the last good state and the problem are, in a line of its own.
fn problem_in(saved: Option<&str>) -> String {
    saved.map_or_else(String::new, |place| {
        format!(
            "The last good state and the contact problem are in {place}: `delassus solve` reads failed-problem.json or failed-problem.hdf5 (FCLIB).\n"
        )
    })
}

/// Where the last good state is, as the end of a sentence.
fn state_in(saved: Option<&str>) -> String {
    saved.map_or_else(String::new, |place| format!("; the last good state is in {place}"))
}

impl Coded for RunError {
    fn code(&self) -> Code {
        match self {
            Self::Case(e) => e.code(),
            Self::Sim(e) => e.code(),
            Self::Observer(e) => e.code(),
            Self::Step { source, .. } => source.code(),
            Self::Solve(e) => e.code(),
            Self::Checkpoint(e) => e.code(),
            Self::EndState(e) => e.code(),
            Self::Vtk { source, .. } => source.code(),
            Self::NotConverged { .. } => Code("E0701"),
            Self::Audit { .. } => Code("E0708"),
            Self::NotFinite { .. } => Code("E0703"),
            Self::NotFollowed { .. } => Code("E0374"),
            Self::Interrupted { .. } => Code("E0705"),
            Self::Stopped(e) => e.code(),
            Self::Occupied(_) => Code("E0803"),
            Self::NotResults(_) => Code("E0804"),
            Self::Finished(_) => Code("E0805"),
            Self::Plot { .. } => Code("E0808"),
            Self::Simulation(e) => e.code(),
            Self::Folder(e) => e.code(),
            Self::File(e) => e.code(),
            Self::Read(e) => e.code(),
            Self::Memory(e) => e.code(),
            Self::Threads { .. } => Code("E0924"),
            Self::Internal(e) => e.code(),
        }
    }
}

impl Failure for RunError {
    fn exit_code(&self) -> u8 {
        match self {
            Self::Case(e) => e.exit_code(),
            Self::Sim(e) => e.exit_code(),
            Self::Observer(e) => e.exit_code(),
            Self::Solve(_) => 2,
            Self::Step { source, .. } if source.code() == MEMORY => NO_ROOM,
            Self::Step { .. }
            | Self::NotConverged { .. }
            | Self::Audit { .. }
            | Self::NotFinite { .. }
            | Self::NotFollowed { .. } => 4,
            Self::Occupied(_) | Self::NotResults(_) | Self::Vtk { .. } | Self::Plot { .. } => 5,
            Self::Checkpoint(e) => e.exit_code(),
            Self::EndState(e) => e.exit_code(),
            Self::Interrupted { .. } => 130,
            Self::Stopped(e) => e.exit_code(),
            Self::Finished(_) => 0,
            Self::Simulation(e) => e.exit_code(),
            Self::Folder(e) => e.exit_code(),
            Self::File(e) => e.exit_code(),
            Self::Read(e) => e.exit_code(),
            Self::Memory(e) => e.exit_code(),
            Self::Threads { .. } => NO_ROOM,
            Self::Internal(e) => e.exit_code(),
        }
    }
}

impl From<ReadError> for RunError {
    fn from(e: ReadError) -> Self {
        match e {
            ReadError::File(e) => Self::File(e),
            ReadError::Memory(e) => Self::Memory(e),
            other => Self::Read(other),
        }
    }
}

impl From<ObserverError> for RunError {
    fn from(ObserverError(e): ObserverError) -> Self {
        Self::Observer(e)
    }
}
