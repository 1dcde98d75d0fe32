//! Two elastic bars meet head-on, as in `cases/bars-impact.ron`, built in code: the same model, the same bits.
//!
//! Exact (Carpenter, Taylor & Katona 1991): the faces rest under the stress ρ c V until the waves return after 2L/c, then the bars fly apart.
#![expect(clippy::print_stdout, reason = "an example shows its result")]

use delassus::prelude::*;

const YOUNG: f64 = 0.20684e12;
const DENSITY: f64 = 7895.7;
const LENGTH: f64 = 0.254;
const SPEED: f64 = 5.13588;

/// The case.
pub fn bars() -> Case {
    let bar = |name: &str, x: f64, speed: f64| {
        BodyEntry::rectangle(name, [x, 0.0], [LENGTH, 1.0], [20, 1])
            .material("steel")
            .section(Section::PlaneStress { thickness: 1.0 })
            .mass(MassKind::Lumped)
            .velocity([speed, 0.0])
    };
    Case::plane("Impact of two elastic bars")
        .kinematics(Kinematics::SmallStrain)
        .material("steel", KelvinVoigt::elastic(YOUNG, 0.0), DENSITY)
        .body(bar("left", -LENGTH, SPEED))
        .body(bar("right", 0.0, -SPEED))
        .contact("faces", ("left", "right"), ("right", "left"), LawSpec::Frictionless)
        .integrator(ModifiedTheta { theta: 0.55 })
        .step(0.2226e-5)
        .duration(0.2e-3)
        .solver(NlgsSpec { tolerance: 1e-12, ..NlgsSpec::default() })
}

/// The bars at the end of the run.
pub fn run() -> Result<Simulation, Box<dyn std::error::Error>> {
    let mut simulation = Simulation::new(&Loaded::of_case(bars(), ".")?)?;
    simulation.run()?;
    Ok(simulation)
}

/// Prints the contact force beside the exact one.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let simulation = run()?;
    let column = |name: &str| simulation.history().column(name).unwrap_or_default();
    let (times, forces) = (column("time"), column("faces.force_x"));
    let wave = (YOUNG / DENSITY).sqrt();
    let (force, release) = (-DENSITY * wave * SPEED, 2.0 * LENGTH / wave);
    println!("        t [s]   force [N]   exact [N]");
    for (t, f) in times.iter().zip(&forces).step_by(9) {
        let exact = if *t < release { force } else { 0.0 };
        println!("{t:13.4e} {f:11.3e} {exact:11.3e}");
    }
    // The mean of the flat part, away from both jumps; 1 % is what 20 cells a bar give.
    let flat: Vec<f64> =
        times.iter().zip(&forces).filter(|(t, _)| (0.2..0.8).contains(&(**t / release))).map(|(_, f)| *f).collect();
    let mean = flat.iter().sum::<f64>() / flat.len() as f64;
    println!("mean force {mean:.5e} N, exact {force:.5e} N; {}", simulation.verdict().sentence);
    assert!((mean / force - 1.0).abs() < 0.01, "{mean} {force}");
    Ok(())
}
