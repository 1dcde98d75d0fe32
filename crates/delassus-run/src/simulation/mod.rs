//! A case as an object in memory: stepped by its owner, seen at any time, saved and restored, with no folder.
//!
//! ```text
//! Loaded --Simulation::new--> t = 0 --step, run_until, run--> end
//!                              state, history, verdict        observers
//! ```
//!
//! [`run_case`](crate::run_case) steps and records with the same code and adds the files, so states, rows and verdict are the same to the last bit.

mod saved;
mod view;

use delassus_case::load::Loaded;
use delassus_case::lower::Generate;
use delassus_error::Interrupt;
use delassus_sim::ledger::Ledger;
use delassus_sim::observer::{Frame, ObserverError};
use delassus_sim::space::{Dimension, Space};
use delassus_sim::stepper::Standing;
use delassus_sim::verdict::Verdict;
use delassus_verify::Verification;
use delassus_verify::history::History;

use crate::error::{RunError, SimulationError};
use crate::execution::{Execution, ExecutionWatch, PreparedCase};
use crate::judgement::Judgement;
use crate::records::Records;
use crate::summary::state_hash;

pub use view::{BodyRef, ContactState, StateView};

/// Part of a step by which times may differ: they are sums of steps.
const ROUNDING_OF_TIME: f64 = 1e-6;

/// Something that looks at every accepted step of a [`Simulation`]. A closure is one.
pub trait StepObserver: Send {
    /// Looks at the state that a step led to; an error ends the step.
    fn observe(&mut self, state: &StateView<'_>) -> Result<(), ObserverError>;
}

impl<F> StepObserver for F
where
    F: FnMut(&StateView<'_>) -> Result<(), ObserverError> + Send,
{
    fn observe(&mut self, state: &StateView<'_>) -> Result<(), ObserverError> {
        self(state)
    }
}

/// A case that is stepped in memory, in the plane or in space.
///
/// It owns all it needs and may be sent to another thread. Parallel parts use the pool of rayon in which a method is called; the bits do not depend on it.
///
/// ```
/// use std::path::Path;
///
/// use delassus_case::Loaded;
/// use delassus_run::Simulation;
///
/// let case = r#"(
///     title: "a block falls on the floor",
///     kinematics: SmallStrain,
///     materials: [(name: "rubber", density: 1000, law: KelvinVoigt(young: 1e6, poisson: 0.3))],
///     bodies: [(name: "block", mesh: Rectangle(corner: (0, 1e-3), size: (0.2, 0.1), cells: (2, 1)), material: "rubber")],
///     obstacles: [(name: "floor", shape: HalfPlane(point: (0, 0), normal: (0, 1)))],
///     contacts: [(name: "foot", candidates: (body: "block", group: "bottom"), antagonists: Obstacle("floor"),
///                 law: SignoriniCoulomb(friction: 0.3))],
///     loads: [Gravity(acceleration: (0, -9.81))],
///     integrator: Theta(theta: 0.5), step: 1e-3, duration: 0.02,
/// )"#;
/// let loaded = Loaded::from_text(Path::new("block.ron"), case.to_owned(), &[])?;
/// let mut simulation = Simulation::new(&loaded)?;
/// simulation.run_until(0.01)?;
/// let lowest = simulation.positions("block")?.iter().map(|x| x[1]).fold(f64::INFINITY, f64::min);
/// // Free fall for 10 ms: 1 mm − ½ g t².
/// assert!((lowest - (1e-3 - 0.5 * 9.81 * 0.01 * 0.01)).abs() < 1e-9);
/// simulation.run()?;
/// assert!(simulation.contacts().iter().any(|c| c.impulse[0] > 0.0));
/// println!("{}", simulation.verdict().sentence);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Simulation {
    running: Box<dyn Running>,
    observers: Vec<Box<dyn StepObserver>>,
    interrupt: Interrupt,
}

impl Simulation {
    /// A case at its start. Everything is checked, as `delassus run` does it.
    ///
    /// # Errors
    /// All of a case, with their places in its text; too little memory; no state to start from.
    pub fn new(loaded: &Loaded) -> Result<Self, RunError> {
        Self::heeding(loaded, &Interrupt::new())
    }

    /// The same with an interrupt that others hold already, so that the search for the start can be interrupted too.
    ///
    /// # Errors
    /// Those of [`new`](Self::new).
    pub fn heeding(loaded: &Loaded, interrupt: &Interrupt) -> Result<Self, RunError> {
        let running = match loaded.case.dimension {
            2 => started::<2>(loaded, interrupt)?,
            3 => started::<3>(loaded, interrupt)?,
            other => return Err(loaded.unsupported_dimension(other).into()),
        };
        Ok(Self { running, observers: Vec::new(), interrupt: interrupt.clone() })
    }

    /// One nominal step of the case, which may be taken in halves where the case allows it.
    ///
    /// # Errors
    /// The step cannot be done, an observer stops it, or it is interrupted. The simulation is then in the state before it, to the last bit.
    pub fn step(&mut self) -> Result<(), RunError> {
        if self.is_finished() {
            return Err(SimulationError::Finished { n: self.n_steps(), time: self.time() }.into());
        }
        self.running.step(&mut self.observers)
    }

    /// Nominal steps until the time `t` \[s\] is reached, or the end of the case. Steps keep their length: the last one may end after `t`.
    ///
    /// # Errors
    /// Those of [`step`](Self::step); the steps before are done.
    pub fn run_until(&mut self, t: f64) -> Result<(), RunError> {
        let rounding = ROUNDING_OF_TIME * self.running.step_length();
        while !self.is_finished() && self.time() < t - rounding {
            self.step()?;
        }
        Ok(())
    }

    /// All steps to the end of the case.
    ///
    /// # Errors
    /// Those of [`step`](Self::step); the steps before are done.
    pub fn run(&mut self) -> Result<(), RunError> {
        self.run_until(f64::INFINITY)
    }

    /// From the next accepted step on, `observer` sees each, in the order in which observers were added. Of a nominal step taken in halves it sees each half; if
    /// a later one fails, the whole nominal step is dropped.
    pub fn observe(&mut self, observer: Box<dyn StepObserver>) {
        self.observers.push(observer);
    }

    /// A handle by which any thread can end the step under way. It stays raised: see [`heed`](Self::heed).
    #[must_use]
    pub fn interrupt(&self) -> Interrupt {
        self.interrupt.clone()
    }

    /// From now on another interrupt ends steps: how to go on after the one before was raised.
    pub fn heed(&mut self, interrupt: &Interrupt) {
        self.interrupt = interrupt.clone();
        self.running.heed(interrupt);
    }

    /// Time reached \[s\].
    #[must_use]
    pub fn time(&self) -> f64 {
        self.state().time()
    }

    /// Nominal steps of the case.
    #[must_use]
    pub fn n_steps(&self) -> usize {
        self.running.n_steps()
    }

    /// Nominal steps done.
    #[must_use]
    pub fn steps_done(&self) -> usize {
        self.running.steps_done()
    }

    /// Are all nominal steps done?
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.steps_done() >= self.n_steps()
    }

    /// The accepted state: bodies, contacts, energies.
    #[must_use]
    pub fn state(&self) -> StateView<'_> {
        self.running.state()
    }

    /// Names of the bodies, in their order.
    #[must_use]
    pub fn body_names(&self) -> Vec<&str> {
        self.running.body_names()
    }

    /// Positions of the nodes of a body \[m\]; in the plane z = 0. So for the vectors below.
    ///
    /// # Errors
    /// The body is not there.
    pub fn positions<'b>(&self, body: impl Into<BodyRef<'b>>) -> Result<Vec<[f64; 3]>, RunError> {
        self.state().positions(body)
    }

    /// Displacements of its nodes \[m\].
    ///
    /// # Errors
    /// The body is not there.
    pub fn displacements<'b>(&self, body: impl Into<BodyRef<'b>>) -> Result<Vec<[f64; 3]>, RunError> {
        self.state().displacements(body)
    }

    /// Velocities of its nodes \[m/s\].
    ///
    /// # Errors
    /// The body is not there.
    pub fn velocities<'b>(&self, body: impl Into<BodyRef<'b>>) -> Result<Vec<[f64; 3]>, RunError> {
        self.state().velocities(body)
    }

    /// Cauchy stresses of its cells \[Pa\], tension positive: xx, yy, zz, xy, yz, xz, as in `fields.pvd`.
    ///
    /// # Errors
    /// The body is not there.
    pub fn stresses<'b>(&self, body: impl Into<BodyRef<'b>>) -> Result<Vec<[f64; 6]>, RunError> {
        self.state().stresses(body)
    }

    /// All detected contacts as the last step left them, as in `contacts.pvd`; none at the start.
    #[must_use]
    pub fn contacts(&self) -> Vec<ContactState> {
        self.state().contacts()
    }

    /// Energies so far \[J\].
    #[must_use]
    pub fn ledger(&self) -> Ledger {
        self.state().ledger()
    }

    /// The columns and rows of `history.csv`.
    #[must_use]
    pub fn history(&self) -> &History {
        self.running.records().history()
    }

    /// The numbers that the verdict rests on.
    #[must_use]
    pub fn numbers(&self) -> &Verdict {
        self.running.numbers()
    }

    /// The verdict in words: that of `delassus run` at the end, `Unfinished` with what can be said so far before.
    #[must_use]
    pub fn verdict(&self) -> Judgement {
        self.running.judgement()
    }

    /// At the end, the errors against exact solutions and references and the checks that the case asks for.
    #[must_use]
    pub fn verification(&self) -> Option<Verification> {
        self.is_finished().then(|| self.running.verification()).flatten()
    }

    /// SHA-256 of every bit of the accepted state; at the end that of `manifest.json`.
    #[must_use]
    pub fn state_hash(&self) -> String {
        self.running.state_hash()
    }

    /// All that is needed to go on, as bytes with a checksum.
    ///
    /// # Errors
    /// An error of this program only.
    pub fn save(&self) -> Result<Vec<u8>, RunError> {
        self.running.save()
    }

    /// Goes to a saved state of the same case, with the same bits; observers stay.
    ///
    /// # Errors
    /// The bytes are damaged or belong to something else (another case, version or instruction level). The simulation is then as it was.
    pub fn restore(&mut self, saved: &[u8]) -> Result<(), RunError> {
        self.running.restore(saved)
    }
}

fn started<const D: usize>(loaded: &Loaded, interrupt: &Interrupt) -> Result<Box<dyn Running>, RunError>
where
    Dimension<D>: Generate<D>,
{
    let (mut execution, _) = PreparedCase::<D>::new(loaded, interrupt)?.start(loaded)?;
    execution.show_start(&mut Observers(&mut []))?;
    Ok(Box::new(execution))
}

/// What a simulation does in its dimension.
trait Running: Send {
    fn step(&mut self, observers: &mut [Box<dyn StepObserver>]) -> Result<(), RunError>;
    fn heed(&mut self, interrupt: &Interrupt);
    fn n_steps(&self) -> usize;
    fn step_length(&self) -> f64;
    fn steps_done(&self) -> usize;
    fn body_names(&self) -> Vec<&str>;
    fn state(&self) -> StateView<'_>;
    fn records(&self) -> &Records;
    fn numbers(&self) -> &Verdict;
    fn judgement(&self) -> Judgement;
    fn verification(&self) -> Option<Verification>;
    fn state_hash(&self) -> String;
    fn save(&self) -> Result<Vec<u8>, RunError>;
    fn restore(&mut self, saved: &[u8]) -> Result<(), RunError>;
}

impl<const D: usize> Running for Execution<D>
where
    Dimension<D>: Space<D>,
{
    fn step(&mut self, observers: &mut [Box<dyn StepObserver>]) -> Result<(), RunError> {
        Execution::step(self, &mut Observers(observers)).map_err(|failure| self.error_of(failure, None))
    }

    fn heed(&mut self, interrupt: &Interrupt) {
        self.stepper.heed(interrupt);
    }

    fn n_steps(&self) -> usize {
        self.stepper.model().n_steps
    }

    fn step_length(&self) -> f64 {
        self.stepper.model().h
    }

    fn steps_done(&self) -> usize {
        self.stepper.now().done
    }

    fn body_names(&self) -> Vec<&str> {
        self.stepper.model().bodies.iter().map(|b| b.name.as_str()).collect()
    }

    fn state(&self) -> StateView<'_> {
        StateView::of(self.stepper.frame(false))
    }

    fn records(&self) -> &Records {
        &self.records
    }

    fn numbers(&self) -> &Verdict {
        &self.stepper.now().verdict
    }

    fn judgement(&self) -> Judgement {
        Execution::judgement(self)
    }

    fn verification(&self) -> Option<Verification> {
        Execution::verification(self)
    }

    fn state_hash(&self) -> String {
        let Standing { snapshot, .. } = self.stepper.now();
        state_hash(snapshot)
    }

    fn save(&self) -> Result<Vec<u8>, RunError> {
        saved::save(self)
    }

    fn restore(&mut self, bytes: &[u8]) -> Result<(), RunError> {
        saved::restore(self, bytes)
    }
}

/// Shows recorded states to the observers of a simulation.
struct Observers<'a>(&'a mut [Box<dyn StepObserver>]);

impl<const D: usize> ExecutionWatch<D> for Observers<'_> {
    fn recorded(&mut self, frame: &Frame<'_, D>, _: &Records) -> Result<(), ObserverError> {
        if self.0.is_empty() {
            return Ok(());
        }
        let view = StateView::of(*frame);
        self.0.iter_mut().try_for_each(|observer| observer.observe(&view))
    }
}

#[cfg(test)]
mod tests;
