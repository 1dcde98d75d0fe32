//! Errors of models and their steps.

use delassus_contact::ContactError;
use delassus_dynamics::DynamicsError;
use delassus_error::machine::MemoryError;
use delassus_error::{Code, Coded, Failure, InternalError, Interrupted};
use delassus_fem::FemError;
use delassus_solver::SolverError;

use crate::displaced::Displaced;
use crate::overlap::Overlap;

/// Why a model cannot be stepped.
#[derive(Debug, thiserror::Error)]
pub enum SimError {
    /// The dynamics of a body.
    #[error("body `{body}`: {source}")]
    Body {
        /// Name of the body.
        body: String,
        /// What is wrong.
        source: DynamicsError,
    },
    /// A body cannot be held as it is at t = 0.
    #[error(transparent)]
    Fem(#[from] FemError),
    /// Contact detection.
    #[error(transparent)]
    Contact(#[from] ContactError),
    /// The contact problem cannot be posed.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// A law of a contact that has no meaning at a solution.
    #[error("contact `{pair}`: {source}")]
    Law {
        /// Name of the contact.
        pair: String,
        /// What is wrong.
        source: SolverError,
    },
    /// The condensed operators do not fit the memory given to them.
    #[error(
        "memory: the condensed operators of {n_contacts} contacts need {}, but memory = {}; all nodes that can be in \
         contact would need {}.\n\
         Raise `memory`, or use contact groups with fewer nodes",
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
    /// `start: Equilibrium` found no equilibrium.
    #[error(
        "start: Equilibrium: no state of rest was found: after {steps} long steps a fraction {out_of_balance:.1e} of \
         the forces is still not balanced, and body `{}` has moved by {:.3e} m ({judged}).\n\
         Bodies must be supported against their loads at t = 0: close gaps to their supports, hold them by `boundary`, or \
         use `start: Undeformed`.",
        moved.body, moved.by
    )]
    NoEquilibrium {
        /// Long steps taken.
        steps: usize,
        /// Out-of-balance force over all forces.
        out_of_balance: f64,
        /// What has moved farthest.
        moved: Displaced,
        /// Description of the last step: solver, certificate, laws.
        judged: String,
    },
    /// An equilibrium that is far away.
    #[error(
        "start: Equilibrium: after {steps} long steps the state of rest is far from the given geometry: body `{}` \
         has moved by {:.3e} m, and the size of the model, gaps included, is {size:.3e} m.\n\
         Check moduli and loads. Move the bodies close to their supports, hold them by `boundary` against motions \
         that nothing resists (a smooth disk can turn), or use `start: Undeformed`.",
        moved.body, moved.by
    )]
    FarEquilibrium {
        /// Long steps taken.
        steps: usize,
        /// What has moved farthest.
        moved: Displaced,
        /// Size of the model \[m\].
        size: f64,
    },
    /// An equilibrium that does not stay.
    #[error(
        "start: Equilibrium: the state found is not at rest: one step of the run, h = {h:e} s, moves body `{}` by \
         {:.3e} m and changes or releases a fraction {part:.1e} of the forces ({judged}).\n\
         The contacts there allow more than one motion: nodes in corners of their antagonist, or a body that can \
         turn freely. Hold the body by `boundary`, add friction, use `normals: Continuous` in the contact of round \
         bodies, or use `start: Undeformed`.",
        moved.body, moved.by
    )]
    UnconfirmedEquilibrium {
        /// Step of the run \[s\].
        h: f64,
        /// What it has moved farthest.
        moved: Displaced,
        /// Forces that it changes or sets free, over all forces.
        part: f64,
        /// Description of this step: solver, certificate, laws.
        judged: String,
    },
    /// A body that spins faster than it can bear.
    #[error(
        "start: Equilibrium: body `{body}` spins with {spin:.3e} rad/s, which its stiffness cannot hold: it would grow without end.\n\
         Check its moduli and its `spin`, or use `start: Undeformed`."
    )]
    NoSpinEquilibrium {
        /// Name of the body.
        body: String,
        /// Its spin \[rad/s\].
        spin: f64,
    },
    /// A body that neither supports nor contacts hold, in statics.
    #[error(
        "body `{body}` is not held at t = {time:e} s: nothing resists its {motion}, which {force:.3e} N drive.\n\
         Statics needs a body that its supports or its contacts hold: hold it by `boundary`, close its gaps, add friction, or use a scheme with inertia \
         such as `Theta(theta: 1.0)`."
    )]
    NotHeld {
        /// Name of the body.
        body: String,
        /// The rigid motion.
        motion: String,
        /// What drives it \[N\]; of a turn its moment over the size of the body.
        force: f64,
        /// End of the step \[s\].
        time: f64,
    },
    /// A joint whose sides are not where it wants them at the start.
    #[error(
        "joint `{joint}`: its sides are {by:.3e} m apart from where it wants them at the start.\n\
         Its motion must begin with the coordinate 0, and a state that a run goes on from must fit its joints."
    )]
    JointApart {
        /// Name of the joint.
        joint: String,
        /// By how much \[m\].
        by: f64,
    },
    /// Joints and prescribed motions that no velocities fit.
    #[error(
        "joint `{joint}`: the joints and prescribed motions contradict one another at the start: no velocities of the bodies fit them all, {by:.3e} m/s are left.\n\
         Leave out a `motion`, or a joint that holds what another one moves."
    )]
    JointConflict {
        /// Name of the joint with the largest difference.
        joint: String,
        /// Velocity that is left \[m/s\].
        by: f64,
    },
    /// Sides of contacts that overlap in the geometry as given, deeper than the model allows.
    #[error("{} contacts start with candidates behind their antagonist", .0.len())]
    StartOverlap(Vec<Overlap>),
    /// More memory is needed than is available.
    #[error(transparent)]
    NoRoom(#[from] MemoryError),
    /// Interrupted.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
    /// Something that should be impossible.
    #[error(transparent)]
    Internal(#[from] InternalError),
}

impl SimError {
    /// Was M̂ of a body not positive definite? In a shorter step its masses count for more.
    #[must_use]
    pub fn is_indefinite(&self) -> bool {
        matches!(self, Self::Body { source: DynamicsError::NotPositiveDefinite { .. }, .. })
    }
}

/// A number of bytes as people read it.
pub(crate) fn bytes(n: usize) -> String {
    delassus_error::digits::bytes(n as u64)
}

impl Coded for SimError {
    fn code(&self) -> Code {
        match self {
            Self::Body { source, .. } => source.code(),
            Self::Fem(e) => e.code(),
            Self::Contact(e) => e.code(),
            Self::Solver(e) | Self::Law { source: e, .. } => e.code(),
            Self::NoEquilibrium { .. } | Self::NoSpinEquilibrium { .. } => Code("E0702"),
            Self::FarEquilibrium { .. } => Code("E0370"),
            Self::UnconfirmedEquilibrium { .. } => Code("E0371"),
            Self::NotHeld { .. } => Code("E0709"),
            Self::Memory { .. } => Code("E0704"),
            Self::JointApart { .. } => Code("E0657"),
            Self::JointConflict { .. } => Code("E0658"),
            Self::StartOverlap(_) => START_OVERLAP,
            Self::NoRoom(e) => e.code(),
            Self::Interrupted(e) => e.code(),
            Self::Internal(e) => e.code(),
        }
    }
}

/// Sides of a contact that overlap at the start.
pub const START_OVERLAP: Code = Code("E0551");

impl Failure for SimError {
    fn exit_code(&self) -> u8 {
        match self {
            // A material of which nothing is left without viscosity: a value of the case.
            Self::Fem(_) => 2,
            Self::Body { .. }
            | Self::Contact(_)
            | Self::StartOverlap(_)
            | Self::JointApart { .. }
            | Self::JointConflict { .. } => 3,
            Self::Solver(_)
            | Self::Law { .. }
            | Self::Memory { .. }
            | Self::NoEquilibrium { .. }
            | Self::NotHeld { .. }
            | Self::NoSpinEquilibrium { .. }
            | Self::FarEquilibrium { .. }
            | Self::UnconfirmedEquilibrium { .. } => 4,
            Self::NoRoom(e) => e.exit_code(),
            Self::Interrupted(e) => e.exit_code(),
            Self::Internal(e) => e.exit_code(),
        }
    }
}
