//! A program outside with a contact law of its own: a block slides on an oil film, v = v₀ e^(−ηt/(ρH)).
use std::sync::Arc;

use delassus::prelude::*;

/// Contact without friction, with a drag along it: p_T = −η A h U_T, η in Pa·s/m.
#[derive(Debug)]
struct Oil {
    eta: f64,
}

impl<const D: usize> ContactLaw<D> for Oil {
    fn derive(&self, x: &ContactInput<D>, step: &StepTimes, _: &[f64], _: Option<&ContactSolution<D>>) -> Derived<D> {
        let mut law = Derived::<D>::standard(Cone::Coulomb(0.0));
        law.v_shift[0] = x.gap / step.gap_time;
        law.spring.rows_mut(1, D - 1).fill(self.eta * x.area * step.h);
        law
    }

    fn violation(&self, x: &ContactInput<D>, out: &ContactSolution<D>, step: &StepTimes, _: &[f64]) -> f64 {
        let drag = out.impulse + out.velocity * (self.eta * x.area * step.h);
        let opening = x.gap / step.gap_time + out.velocity[0];
        let normal = statement::complementary(opening, out.impulse[0], &out.scale);
        normal.max(statement::nothing(&statement::tangent(&drag), &out.scale))
    }
}

impl OwnLaw for Oil {
    fn plane(self: Arc<Self>) -> Option<Arc<dyn ContactLaw<2>>> {
        Some(self)
    }

    fn space(self: Arc<Self>) -> Option<Arc<dyn ContactLaw<3>>> {
        Some(self)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (density, height, eta, step, end) = (1000.0, 0.1, 200.0, 1e-3, 0.5);
    let case = Case::plane("A block on oil")
        .material("m", KelvinVoigt::elastic(1e8, 0.3), density)
        .body(BodyEntry::rectangle("block", [0.0; 2], [0.2, height], [4, 2]).material("m").velocity([1.0, 0.0]))
        .obstacle(ObstacleEntry::half_plane("plate", [0.0; 2], [0.0, 1.0]))
        .contact("film", ("block", "bottom"), "plate", Oil { eta })
        .load(LoadEntry::gravity([0.0, -9.81]))
        .start(StartSpec::Equilibrium)
        .integrator(Theta { theta: 1.0 })
        .step(step)
        .duration(end)
        .probe("block", ProbeSpec::body("block"));
    let mut simulation = Simulation::new(&Loaded::of_case(case, ".")?)?;
    simulation.run()?;
    let speed = simulation.history().column("block.vx").and_then(|v| v.last().copied()).unwrap_or(f64::NAN);
    let time = density * height / eta;
    let exact = f64::exp(-end / time);
    println!("speed {speed:.6} m/s, exact {exact:.6} m/s; {}", simulation.verdict().sentence);
    // Implicit Euler, (1 + h/T)^(−t/h): too fast by h t/(2 T²), to first order.
    let expected = step * end / (2.0 * time * time);
    assert!((speed / exact - 1.0 - expected).abs() < 0.05 * expected, "{speed} {exact}");
    Ok(())
}
