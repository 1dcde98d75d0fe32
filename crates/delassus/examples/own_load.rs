//! A load of one's own: a pulse F e^(−t/T) pushes a free block.
//!
//! Its momentum is the impulse of the pulse, m v = F T (1 − e^(−t/T)).
#![expect(clippy::print_stdout, reason = "an example shows its result")]

use delassus::math;
use delassus::prelude::*;

/// e^(−t/T).
#[derive(Debug)]
struct Pulse {
    time: f64,
}

impl OwnFunction for Pulse {
    fn value(&self, t: f64) -> f64 {
        math::exp(-t / self.time)
    }

    fn derivative(&self, t: f64) -> f64 {
        -self.value(t) / self.time
    }
}

/// Pushes the block and compares its speed with the exact one.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (density, force, time, step, end) = (2000.0, 30.0, 0.05, 1e-3, 0.1);
    let case = Case::plane("A pulse")
        .material("stone", KelvinVoigt::elastic(1e9, 0.2), density)
        .body(BodyEntry::rectangle("block", [0.0, 0.0], [0.1, 0.1], [2, 2]).material("stone"))
        .load(LoadEntry::nodal_force("block", "left", [force, 0.0]).factor(Pulse { time }))
        .integrator(Theta { theta: 0.5 })
        .step(step)
        .duration(end)
        .probe("block", ProbeSpec::body("block"));
    let mut simulation = Simulation::new(&Loaded::of_case(case, ".")?)?;
    simulation.run()?;
    let speed = simulation.history().column("block.vx").and_then(|v| v.last().copied()).unwrap_or(f64::NAN);

    let exact = force * time * (1.0 - math::exp(-end / time)) / (density * 0.01);
    println!("speed {speed:.8} m/s, exact {exact:.8} m/s, error {:.1e}", speed / exact - 1.0);
    // The trapezium rule over steps h: h²/(12 T²) of the impulse.
    let expected = step * step / (12.0 * time * time);
    assert!((speed / exact - 1.0 - expected).abs() < 0.01 * expected, "{speed} {exact}");
    Ok(())
}
