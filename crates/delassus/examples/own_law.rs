//! A contact law of one's own: the skin of a ski, which glides forward and grips backward.
//!
//! Friction is Coulomb's with a coefficient that depends on the direction of the motion. A block that starts with speed v stops after
//! v²/(2 μ g), with μ of its direction.
#![expect(clippy::print_stdout, reason = "an example shows its result")]

use std::sync::Arc;

use delassus::prelude::*;

/// Unilateral contact with friction that depends on the direction; forward is to the right on a floor.
#[derive(Clone, Copy, Debug)]
struct Skin {
    forward: f64,
    backward: f64,
}

impl Skin {
    /// The coefficient where friction has this sign. The tangent is the normal turned counter-clockwise: on a floor it points backward, so that an
    /// impulse along it resists a motion forward.
    fn coefficient(&self, p_tangential: f64) -> f64 {
        if p_tangential >= 0.0 { self.forward } else { self.backward }
    }
}

impl ContactLaw<2> for Skin {
    fn derive(
        &self,
        x: &ContactInput<2>,
        step: &StepTimes,
        _history: &[f64],
        iterate: Option<&ContactSolution<2>>,
    ) -> Derived<2> {
        // First by the motion without contact, then by the impulse found.
        let against = iterate.map_or(-x.v_free[1], |last| last.impulse[1]);
        let mut derived = Derived::standard(Cone::Coulomb(self.coefficient(against)));
        derived.v_shift[0] = x.gap / step.gap_time;
        derived
    }

    fn implicit(&self) -> bool {
        true
    }

    fn violation(&self, x: &ContactInput<2>, out: &ContactSolution<2>, step: &StepTimes, _history: &[f64]) -> f64 {
        let (opening, mu) = (x.gap / step.gap_time + out.velocity[0], self.coefficient(out.impulse[1]));
        statement::contact(opening, mu, &out.velocity, &out.impulse, &out.scale)
    }
}

impl OwnLaw for Skin {
    fn plane(self: Arc<Self>) -> Option<Arc<dyn ContactLaw<2>>> {
        Some(self)
    }
}

const GRAVITY: f64 = 9.81;
const STEP: f64 = 2e-3;
const SKIN: Skin = Skin { forward: 0.1, backward: 0.5 };

/// How far a block slides that starts with this speed [m], and the verdict's largest law error.
fn slide(speed: f64) -> Result<(f64, f64), Box<dyn std::error::Error>> {
    let case = Case::plane("A ski")
        .material("wood", KelvinVoigt::elastic(1e9, 0.0), 600.0)
        .body(BodyEntry::rectangle("ski", [0.0, 0.0], [1.0, 0.1], [4, 1]).material("wood").velocity([speed, 0.0]))
        .obstacle(ObstacleEntry::half_plane("snow", [0.0, 0.0], [0.0, 1.0]))
        .contact("skin", ("ski", "bottom"), "snow", SKIN)
        .load(LoadEntry::gravity([0.0, -GRAVITY]))
        .start(StartSpec::Equilibrium)
        .integrator(Theta { theta: 1.0 })
        .step(STEP)
        .duration(1.2)
        .probe("ski", ProbeSpec::body("ski"));
    let mut simulation = Simulation::new(&Loaded::of_case(case, ".")?)?;
    simulation.run()?;
    let way = simulation.history().column("ski.ux").and_then(|u| u.last().copied()).unwrap_or(f64::NAN);
    Ok((way, simulation.numbers().law_error))
}

/// Slides forward and backward, and compares the ways with the exact ones.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    for (speed, mu) in [(1.0, SKIN.forward), (-1.0, SKIN.backward)] {
        let (way, law_error) = slide(speed)?;
        // Positions move by the velocity at the end of the step: the way is short by h v/2, and by less than one step of the last part.
        let exact = speed * speed.abs() / (2.0 * mu * GRAVITY);
        println!("{speed:+.1} m/s: slides {way:+.5} m, exact {exact:+.5} m; law error {law_error:.1e}");
        assert!((way - (exact - 0.5 * STEP * speed)).abs() < mu * GRAVITY * STEP * STEP, "{way} {exact}");
    }
    Ok(())
}
