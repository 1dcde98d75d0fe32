//! The two bars in impact (`cases/bars-impact.ron`): exact figures, and the figures a run is judged by.
//!
//! ```text
//! c = √(E/ρ)     contact lasts 2L/c     F = ρ c V A     impulse = 2 ρ L V A     E₀ = ρ L A V²
//! ```
//!
//! Carpenter, Taylor & Katona 1991; Vola, Pratt, Jean & Raous 1998 §6.1.

use crate::{Run, largest, load, run};

/// Young's modulus \[Pa\].
pub const YOUNG: f64 = 0.20684e12;
/// Density \[kg/m³\].
pub const DENSITY: f64 = 7895.7;
/// Length of a bar \[m\].
pub const LENGTH: f64 = 0.254;
/// Speed of each bar \[m/s\].
pub const SPEED: f64 = 5.13588;
/// Step of the benchmark for 20 elements \[s\].
pub const STEP: f64 = 0.2226e-5;

/// 2L/c \[s\].
#[must_use]
pub fn contact_time() -> f64 {
    2.0 * LENGTH / (YOUNG / DENSITY).sqrt()
}

/// ρ c V: force on a section of 1 m² \[N\].
#[must_use]
pub fn contact_force() -> f64 {
    (YOUNG * DENSITY).sqrt() * SPEED
}

/// The bars with `n` elements each and the step of the benchmark scaled with them.
#[must_use]
pub fn run_bars(scheme: &str, n: usize, settings: &[&str]) -> Run {
    let scheme = format!("integrator={scheme}");
    let step = format!("step={:e}", STEP * 20.0 / n as f64);
    let left = format!("bodies.left.mesh.cells=({n}, 1)");
    let right = format!("bodies.right.mesh.cells=({n}, 1)");
    run(&load("bars-impact", &[&[scheme.as_str(), &step, &left, &right], settings].concat()))
}

/// Dimensionless figures of a run.
#[derive(Clone, Copy, Debug)]
pub struct Figures {
    /// max |v| of the left contact face, without drift, from 20 to 80 % of the contact, over V.
    pub oscillation: f64,
    /// Mean force in the same window over ρcVA.
    pub force: f64,
    /// Impulse of the contact over 2ρLVA.
    pub impulse: f64,
    /// Velocity of the left bar at the end, without drift, over V.
    pub rebound: f64,
    /// Kinetic and elastic energy at the end over that at the start.
    pub energy: f64,
    /// End of the last step with more than 2 % of the exact force, over 2L/c.
    pub release: f64,
}

/// Steps that end between 20 and 80 % of the contact.
#[must_use]
pub fn plateau(time: &[f64]) -> Vec<usize> {
    let t = contact_time();
    (1..time.len()).filter(|&i| time[i] >= 0.2 * t && time[i] <= 0.8 * t).collect()
}

/// The figures of a run in which `drift` was added to all velocities \[m/s\].
#[must_use]
pub fn figures(run: &Run, drift: f64) -> Figures {
    let (time, h) = (run.column("time"), run.column("step_size"));
    let (force, face) = (run.column("faces.force_x"), run.column("left_face.vx"));
    let (kinetic, elastic) = (run.column("kinetic_energy"), run.column("elastic_energy"));
    let window = plateau(&time);
    let mean = window.iter().map(|&i| -force[i]).sum::<f64>() / window.len() as f64;
    let impulse: f64 = force.iter().zip(&h).map(|(f, h)| -f * h).sum();
    let last = (0..time.len()).rev().find(|&i| force[i].abs() > 0.02 * contact_force());
    Figures {
        oscillation: largest(&window.iter().map(|&i| face[i] - drift).collect::<Vec<_>>()) / SPEED,
        force: mean / contact_force(),
        impulse: impulse / (2.0 * DENSITY * LENGTH * SPEED),
        rebound: (run.last("left_bar.vx") - drift) / SPEED,
        energy: (run.last("kinetic_energy") + run.last("elastic_energy")) / (kinetic[0] + elastic[0]),
        release: last.map_or(f64::NAN, |i| time[i]) / contact_time(),
    }
}
