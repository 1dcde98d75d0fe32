//! What is seen of an accepted state, whatever the dimension of space.

use delassus_case::source::nearest;
use delassus_sim::ledger::Ledger;
use delassus_sim::observer::Frame;
use delassus_sim::outcome::Touch;
use delassus_solver::Status;

use crate::error::{RunError, SimulationError};

/// A body by its name or by its number, from 0.
#[derive(Clone, Copy, Debug)]
pub enum BodyRef<'a> {
    /// By its place among the bodies.
    Number(usize),
    /// By its name.
    Name(&'a str),
}

impl From<usize> for BodyRef<'_> {
    fn from(number: usize) -> Self {
        Self::Number(number)
    }
}

impl<'a> From<&'a str> for BodyRef<'a> {
    fn from(name: &'a str) -> Self {
        Self::Name(name)
    }
}

impl<'a> From<&'a String> for BodyRef<'a> {
    fn from(name: &'a String) -> Self {
        Self::Name(name)
    }
}

/// A contact as a step left it. Vectors in world axes have z = 0 in the plane; local ones are along the normal and the tangents.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactState {
    /// Name of the contact in the case.
    pub pair: String,
    /// Body of the candidate.
    pub candidate: String,
    /// Body of the antagonist; none for a rigid obstacle.
    pub antagonist: Option<String>,
    /// Position of the candidate \[m\].
    pub position: [f64; 3],
    /// Unit normal, from the antagonist to the candidate.
    pub normal: [f64; 3],
    /// The gap that the law sees at the step's end \[m\].
    pub gap: f64,
    /// Velocity of the candidate relative to the antagonist, local \[m/s\].
    pub velocity: [f64; 3],
    /// The same in world axes \[m/s\].
    pub world_velocity: [f64; 3],
    /// Impulse on the candidate over the step, local \[N·s\].
    pub impulse: [f64; 3],
    /// The same in world axes \[N·s\].
    pub world_impulse: [f64; 3],
    /// Length of the step \[s\]: impulse over it is the force.
    pub step_length: f64,
    /// Open, sticking, sliding, bonded.
    pub status: Status,
    /// Area of the candidate \[m²\].
    pub area: f64,
}

/// An accepted state: that of a simulation now, or the one shown to an observer.
pub struct StateView<'a>(Box<dyn Viewed + 'a>);

impl<'a> StateView<'a> {
    pub(super) fn of<const D: usize>(frame: Frame<'a, D>) -> Self {
        Self(Box::new(frame))
    }

    /// Number of accepted steps that led here, those of halved length included.
    #[must_use]
    pub fn step(&self) -> usize {
        self.0.step()
    }

    /// Its time \[s\].
    #[must_use]
    pub fn time(&self) -> f64 {
        self.0.time()
    }

    /// Is it one of the states of which a run writes frames? Told to observers only.
    #[must_use]
    pub fn is_output(&self) -> bool {
        self.0.is_output()
    }

    /// Energies so far \[J\].
    #[must_use]
    pub fn ledger(&self) -> Ledger {
        self.0.ledger()
    }

    /// Names of the bodies.
    #[must_use]
    pub fn body_names(&self) -> Vec<&str> {
        self.0.body_names()
    }

    /// Positions of the nodes of a body \[m\].
    ///
    /// # Errors
    /// The body is not there.
    pub fn positions<'b>(&self, body: impl Into<BodyRef<'b>>) -> Result<Vec<[f64; 3]>, RunError> {
        Ok(self.0.positions(self.find(body.into())?))
    }

    /// Displacements of its nodes \[m\].
    ///
    /// # Errors
    /// The body is not there.
    pub fn displacements<'b>(&self, body: impl Into<BodyRef<'b>>) -> Result<Vec<[f64; 3]>, RunError> {
        Ok(self.0.displacements(self.find(body.into())?))
    }

    /// Velocities of its nodes \[m/s\].
    ///
    /// # Errors
    /// The body is not there.
    pub fn velocities<'b>(&self, body: impl Into<BodyRef<'b>>) -> Result<Vec<[f64; 3]>, RunError> {
        Ok(self.0.velocities(self.find(body.into())?))
    }

    /// Cauchy stresses of its cells \[Pa\], tension positive: xx, yy, zz, xy, yz, xz.
    ///
    /// # Errors
    /// The body is not there.
    pub fn stresses<'b>(&self, body: impl Into<BodyRef<'b>>) -> Result<Vec<[f64; 6]>, RunError> {
        Ok(self.0.stresses(self.find(body.into())?))
    }

    /// All detected contacts; none at the start.
    #[must_use]
    pub fn contacts(&self) -> Vec<ContactState> {
        self.0.contacts()
    }

    fn find(&self, body: BodyRef<'_>) -> Result<usize, SimulationError> {
        let names = self.0.body_names();
        let known = || names.iter().map(|n| (*n).to_owned()).collect();
        match body {
            BodyRef::Number(number) if number < names.len() => Ok(number),
            BodyRef::Number(number) => Err(SimulationError::no_body_number(number, known())),
            BodyRef::Name(name) => names
                .iter()
                .position(|n| *n == name)
                .ok_or_else(|| SimulationError::no_body_named(name, nearest(name, names.iter().copied()), known())),
        }
    }
}

/// What a frame of some dimension shows.
trait Viewed {
    fn step(&self) -> usize;
    fn time(&self) -> f64;
    fn is_output(&self) -> bool;
    fn ledger(&self) -> Ledger;
    fn body_names(&self) -> Vec<&str>;
    fn positions(&self, body: usize) -> Vec<[f64; 3]>;
    fn displacements(&self, body: usize) -> Vec<[f64; 3]>;
    fn velocities(&self, body: usize) -> Vec<[f64; 3]>;
    fn stresses(&self, body: usize) -> Vec<[f64; 6]>;
    fn contacts(&self) -> Vec<ContactState>;
}

/// The components of a vector, zeros behind them.
fn three(x: &[f64]) -> [f64; 3] {
    std::array::from_fn(|i| x.get(i).copied().unwrap_or(0.0))
}

impl<const D: usize> Viewed for Frame<'_, D> {
    fn step(&self) -> usize {
        self.step
    }

    fn time(&self) -> f64 {
        self.snapshot.time()
    }

    fn is_output(&self) -> bool {
        self.is_output
    }

    fn ledger(&self) -> Ledger {
        *self.ledger
    }

    fn body_names(&self) -> Vec<&str> {
        self.model.bodies.iter().map(|b| b.name.as_str()).collect()
    }

    fn positions(&self, body: usize) -> Vec<[f64; 3]> {
        self.model.bodies[body].body.positions(&self.snapshot.states[body].q).chunks_exact(D).map(three).collect()
    }

    fn displacements(&self, body: usize) -> Vec<[f64; 3]> {
        let displacements = self.model.bodies[body].body.displacements(&self.snapshot.states[body].q);
        displacements.chunks_exact(D).map(three).collect()
    }

    fn velocities(&self, body: usize) -> Vec<[f64; 3]> {
        let (known, state) = (&self.model.bodies[body].body, &self.snapshot.states[body]);
        // Sites beyond the nodes are rotations.
        let nodes = known.mesh().n_points();
        known.site_velocities(&state.q, &state.v).chunks_exact(D).take(nodes).map(three).collect()
    }

    fn stresses(&self, body: usize) -> Vec<[f64; 6]> {
        self.model.bodies[body].body.cell_fields(&self.snapshot.states[body]).stress
    }

    fn contacts(&self) -> Vec<ContactState> {
        let Some(outcome) = self.outcome else { return Vec::new() };
        let name = |body: usize| self.model.bodies[body].name.clone();
        let state = |t: &Touch<D>| {
            let pass = self.model.pass_of(&t.contact.key);
            ContactState {
                pair: self.model.pairs[t.contact.key.pair as usize].name.clone(),
                candidate: pass.map_or_else(String::new, |p| name(p.candidates.body())),
                antagonist: pass.and_then(|p| p.antagonist.body()).map(name),
                position: three(t.contact.point.as_slice()),
                normal: three(t.contact.normal().as_slice()),
                gap: t.gap,
                velocity: three(t.velocity.as_slice()),
                world_velocity: three((t.contact.frame * t.velocity).as_slice()),
                impulse: three(t.impulse.as_slice()),
                world_impulse: three((t.contact.frame * t.impulse).as_slice()),
                step_length: outcome.h,
                status: t.status,
                area: t.contact.area,
            }
        };
        outcome.touches.iter().map(state).collect()
    }
}
