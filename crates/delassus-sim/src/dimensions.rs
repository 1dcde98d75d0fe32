//! The step in the plane and in space, compiled here.
//!
//! What steps a model is generic over the dimension, and a generic function is compiled by the first crate that names the dimension. Without these
//! tables that would be every crate and every test to the right of this one, each for itself. Nobody calls through the tables.

use std::sync::Arc;

use crate::engine::Engine;
use crate::observer::Observer;
use crate::snapshot::Snapshot;
use crate::space::{Dimension, Space};
use crate::start::Start;
use crate::stepper::{Arrival, StepFailure, Stepper};
use crate::{Model, SimError};

/// The functions that a run begins with; all others follow from them.
pub struct Compiled<const D: usize> {
    /// [`Engine::new`].
    pub engine: fn(&Arc<Model<D>>) -> Result<Engine<D>, SimError>,
    /// [`Start::find`].
    pub start: fn(&mut Engine<D>) -> Result<Start, SimError>,
    /// [`Stepper::step`].
    pub step: fn(&mut Stepper<D>, bool, &mut dyn Observer<D>) -> Result<(), StepFailure<D>>,
    /// [`Stepper::retrace`].
    pub retrace: fn(&mut Stepper<D>, Arc<Snapshot>, f64) -> Result<Arrival<D>, SimError>,
}

impl<const D: usize> Compiled<D>
where
    Dimension<D>: Space<D>,
{
    const TABLE: Self =
        Self { engine: Engine::new, start: Start::find, step: Stepper::step, retrace: Stepper::retrace };
}

/// In the plane.
pub static PLANE: Compiled<2> = Compiled::TABLE;

/// In space.
pub static SPACE: Compiled<3> = Compiled::TABLE;
