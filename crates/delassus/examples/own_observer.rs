//! An observer of one's own: it adds up the impulses of all contacts, step by step.
//!
//! What it finds is an identity: the impulse on the left bar is the change of its momentum, m (v⁺ − v⁻).
#![expect(clippy::print_stdout, reason = "an example shows its result")]

use std::sync::{Arc, Mutex, PoisonError};

use delassus::prelude::*;

/// The sum of the impulses along x [N·s], shared with whoever asks.
#[derive(Clone, Debug, Default)]
struct Impulses(Arc<Mutex<f64>>);

impl Impulses {
    fn total(&self) -> f64 {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl StepObserver for Impulses {
    fn observe(&mut self, state: &StateView<'_>) -> Result<(), ObserverError> {
        let of_step: f64 = state.contacts().iter().map(|c| c.world_impulse[0]).sum();
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) += of_step;
        Ok(())
    }
}

/// Two bars collide; the impulses are compared with the momentum.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (density, speed) = (8000.0, 1.0);
    let bar = |name: &str, x: f64, v: f64| {
        BodyEntry::rectangle(name, [x, 0.0], [1.0, 0.1], [20, 1]).material("steel").velocity([v, 0.0])
    };
    let case = Case::plane("Two bars, observed")
        .material("steel", KelvinVoigt::elastic(2e11, 0.0), density)
        .body(bar("left", -1.0, speed))
        .body(bar("right", 0.0, -speed))
        .contact("faces", ("left", "right"), ("right", "left"), SignoriniCoulomb { friction: 0.0 })
        .integrator(Theta { theta: 0.5 })
        .step(1e-5)
        .duration(6e-4)
        .probe("left", ProbeSpec::body("left"));

    let impulses = Impulses::default();
    let mut simulation = Simulation::new(&Loaded::of_case(case, ".")?)?;
    simulation.observe(Box::new(impulses.clone()));
    simulation.run()?;

    let end = simulation.history().column("left.vx").and_then(|v| v.last().copied()).unwrap_or(f64::NAN);
    let momentum = density * 0.1 * (end - speed);
    println!("impulses {:.9} N·s, change of momentum {momentum:.9} N·s; {end:.4} m/s after", impulses.total());
    // Rounding of 60 steps.
    assert!((impulses.total() - momentum).abs() < 1e-12 * momentum.abs(), "{} {momentum}", impulses.total());
    Ok(())
}
