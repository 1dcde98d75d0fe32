//! What a simulation in memory is asked for and does not have.

use delassus_error::{Code, Coded, Failure, excerpt};

/// Why a simulation in memory does not do what it is asked for.
#[derive(Debug, thiserror::Error)]
pub enum SimulationError {
    /// A step beyond the end of the case.
    #[error(
        "the simulation is at its end: all {n} steps to t = {time:e} s are done. Give the case a longer `duration`"
    )]
    Finished {
        /// Nominal steps of the case.
        n: usize,
        /// Time reached \[s\].
        time: f64,
    },
    /// A body that is not there.
    #[error("there is no body {asked}; {}", meant(near.as_deref(), known))]
    UnknownBody {
        /// What was asked for, as the message shows it.
        asked: String,
        /// The name that is nearest to it.
        near: Option<String>,
        /// The bodies that are there.
        known: Vec<String>,
    },
    /// Someone asked to stop.
    #[error(
        "interrupted: the step under way was dropped, and the simulation stands after step {done} of {n} at t = {time:e} s. \
         It goes on when it heeds an interrupt that is not raised"
    )]
    Interrupted {
        /// Nominal steps done.
        done: usize,
        /// Nominal steps of the case.
        n: usize,
        /// Time reached \[s\].
        time: f64,
    },
    /// Bytes that are no saved state.
    #[error("the saved state is damaged: {reason}. The simulation is as it was")]
    Damaged {
        /// What is wrong with it.
        reason: String,
    },
    /// A saved state of something else.
    #[error("the saved state belongs to another simulation: {what}. The simulation is as it was")]
    Foreign {
        /// What differs.
        what: String,
    },
}

impl SimulationError {
    /// A body of this name is not there.
    pub(crate) fn no_body_named(name: &str, near: Option<&str>, known: Vec<String>) -> Self {
        Self::UnknownBody { asked: format!("`{}`", excerpt(name)), near: near.map(str::to_owned), known }
    }

    /// There are not so many bodies.
    pub(crate) fn no_body_number(number: usize, known: Vec<String>) -> Self {
        Self::UnknownBody { asked: format!("number {number}, counted from 0"), near: None, known }
    }
}

/// Bodies that a message lists by name.
const LISTED: usize = 10;

fn meant(near: Option<&str>, known: &[String]) -> String {
    if let Some(near) = near {
        return format!("did you mean `{near}`?");
    }
    let names = known.iter().take(LISTED).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let more = if known.len() > LISTED { ", …" } else { "" };
    format!("there are {}: {names}{more}", known.len())
}

impl Coded for SimulationError {
    fn code(&self) -> Code {
        match self {
            Self::Finished { .. } => Code("E0844"),
            Self::UnknownBody { .. } => Code("E0845"),
            Self::Interrupted { .. } => Code("E0846"),
            Self::Damaged { .. } => Code("E0847"),
            Self::Foreign { .. } => Code("E0848"),
        }
    }
}

impl Failure for SimulationError {
    fn exit_code(&self) -> u8 {
        match self {
            Self::Finished { .. } | Self::UnknownBody { .. } | Self::Foreign { .. } => 2,
            Self::Interrupted { .. } => 130,
            Self::Damaged { .. } => 5,
        }
    }
}
