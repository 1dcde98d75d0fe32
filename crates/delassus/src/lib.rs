//! Finite-element dynamics with exact frictional contact (Non-Smooth Contact Dynamics), as a library.
//!
//! Two elastic bars meet head-on. Until the waves return from their free ends, the contact force is ρ c V A, with c = √(E/ρ):
//!
//! ```
//! use delassus::prelude::*;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let (young, density, speed) = (2e11, 8000.0, 1.0);
//! let bar = |name: &str, x: f64, v: f64| {
//!     BodyEntry::rectangle(name, [x, 0.0], [1.0, 0.1], [50, 1])
//!         .material("steel")
//!         .section(Section::PlaneStress { thickness: 0.1 })
//!         .velocity([v, 0.0])
//! };
//! let case = Case::plane("Two bars")
//!     .material("steel", KelvinVoigt::elastic(young, 0.0), density)
//!     .body(bar("left", -1.0, speed))
//!     .body(bar("right", 0.0, -speed))
//!     .contact("faces", ("left", "right"), ("right", "left"), SignoriniCoulomb { friction: 0.0 })
//!     .integrator(ModifiedTheta { theta: 0.55 })
//!     .step(4e-6)
//!     .duration(1e-3);
//! let mut simulation = Simulation::new(&Loaded::of_case(case, ".")?)?;
//! simulation.run_until(2e-4)?;
//! let force: f64 = simulation.contacts().iter().map(|c| c.world_impulse[0] / c.step_length).sum();
//! let exact = -density * f64::sqrt(young / density) * speed * 0.01;
//! assert!((force / exact - 1.0).abs() < 0.01);
//! println!("{}", simulation.verdict().sentence);
//! # Ok(())
//! # }
//! ```
//!
//! The case could as well be a file: `Loaded::read(path, &[])`. [`run_case`](run::run_case) writes a results folder besides. Keys, defaults, checks and error codes are the
//! same.
//!
//! # Where to look
//!
//! | module | what it is for |
//! |---|---|
//! | [`prelude`] | what most programs need, in one line |
//! | [`case`] | cases: their keys as types, builders, reading of text, all checks |
//! | [`run`] | runs: `Simulation` in memory, results folders, checkpoints, verdict |
//! | [`sim`] | the model and one time step, without files |
//! | [`solver`] | contact problems by themselves: operator, laws, solvers, certificate |
//! | [`fem`] | bodies: elements, materials, loads, functions of time |
//! | [`dynamics`] | time integrators, factors, condensed operators |
//! | [`contact`] | detection: gaps, frames, obstacles |
//! | [`mesh`] | meshes: generators, gmsh files, groups |
//! | [`verify`] | exact solutions and what is compared with them |
//! | [`fclib`] | contact problems in HDF5 files |
//! | [`error`] | codes of errors, interrupts, things of one's own |
//! | [`math`] | elementary functions with the same bits everywhere |
#![cfg_attr(feature = "report", doc = "| [`report`] | `report.html` of a results folder |")]
//!
//! # Things of your own
//!
//! A contact law, a material, a function of time, an obstacle or a mesh of your own is a type that implements one trait; it goes into a case
//! where one of the list would. The examples `own_law`, `own_load` and `own_observer` show how, `contact_problem` solves a contact problem
//! without bodies.
//!
//! # Features
//!
//! `parallel` (default) uses threads, by rayon; without it everything is done in order, with the same bits. `report` (default) has the module
//! `report`. `native` (default) lets the libraries choose the instructions of the processor; `portable` instead gives the same bits on every
//! x86-64. `default-features = false, features = ["native"]` leaves out threads and reports.

pub use delassus_case as case;
pub use delassus_contact as contact;
pub use delassus_dynamics as dynamics;
pub use delassus_error as error;
pub use delassus_fclib as fclib;
pub use delassus_fem as fem;
pub use delassus_math as math;
pub use delassus_mesh as mesh;
#[cfg(feature = "report")]
pub use delassus_report as report;
pub use delassus_run as run;
pub use delassus_sim as sim;
pub use delassus_solver as solver;
pub use delassus_verify as verify;

/// What most programs need: `use delassus::prelude::*;`.
///
/// This list is stable: within a minor version names are added, never removed.
pub mod prelude {
    pub use delassus_case::spec::{
        AnnulusSpec, AntagonistSpec, BallSpec, BodyEntry, BoundaryEntry, BoxShape, BoxSpec, Case, CircleShape,
        Components, ContactEntry, CylinderSpec, DiskSpec, FailurePolicy, HalfPlaneShape, InterfaceSpec, LoadEntry,
        MeshSpec, NlgsSpec, NormalsSpec, ObstacleEntry, ObstacleSpec, ObstacleVelocity, PointsSpec, ProbeSpec,
        RectangleSpec, SolverSpec, SpaceAxis, StartSpec, SurfaceSpec, TieEntry, Units,
    };
    pub use delassus_case::{CaseError, Loaded};
    pub use delassus_contact::Obstacle;
    pub use delassus_dynamics::integrator::{Explicit, ModifiedTheta, Newmark, QuasiStatic, Theta, ThetaEuler};
    pub use delassus_error::{Coded, Failure};
    pub use delassus_fem::{
        Formulation, GeneralizedMaxwell, Hardening, KelvinVoigt, Kinematics, MassKind, Material, Maxwell, OwnFunction,
        OwnMaterial, Section, TimeFunction,
    };
    pub use delassus_mesh::{CellKind, Mesh};
    pub use delassus_run::simulation::{ContactState, Simulation, StateView, StepObserver};
    pub use delassus_run::{Monitor, RunError, RunOptions, Silent, Summary, run_case};
    pub use delassus_sim::observer::ObserverError;
    pub use delassus_solver::law::{
        Adhesive, BilinearCohesive, Cohesive, Compliant, ElasticShear, EllipticFriction, FrictionPoint, MohrCoulomb,
        OwnLaw, RateAndState, Restitution, SignoriniCoulomb, SmoothFriction, StaticDynamic, Tied, VariableFriction,
        statement,
    };
    pub use delassus_solver::{
        BlockMatrix, Cone, ContactInput, ContactLaw, ContactProblem, ContactSolution, Derived, HistoryEntry, LawEnergy,
        LawSpec, Method, SolverOptions, StepTimes, certify, solve_in_order,
    };
    pub use delassus_verify::{CheckSpec, Measure, VerifySpec};
}
