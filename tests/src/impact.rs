//! A body thrown on the rigid `ground`: figures of a run, a walk through its steps, a mesh of a plate with a round side.
//!
//! Used by the cylinder (`cases/cylinder-impact.ron`) and the plate (`cases/oblique-impact.ron`), whose contact pair is named
//! `ground`; the probe of the whole body bears its name.

use std::fmt::Write;
use std::path::Path;

use delassus_case::Loaded;
use delassus_contact::{Map, Side};
use delassus_sim::engine::Engine;
use delassus_sim::model::Model;
use delassus_sim::step::{Outcome, Touch, step};
use delassus_sim::timings::Timings;

use crate::{Run, show};

/// What an impact is judged by.
#[derive(Clone, Copy, Debug)]
pub struct Figures {
    /// Largest normal force of the pair \[N\].
    pub peak: f64,
    /// End of the step with that force \[s\].
    pub peak_time: f64,
    /// End of the last step with any force \[s\].
    pub release: f64,
    /// Σ h F over the run, along x and y \[N·s\].
    pub impulse: [f64; 2],
    /// Velocity of the centre of mass at the end \[m/s\].
    pub velocity: [f64; 2],
    /// Kinetic and elastic energy at the end over that at the start.
    pub energy: f64,
}

/// Kinetic plus elastic energy after every step \[J\].
#[must_use]
pub fn energy(run: &Run) -> Vec<f64> {
    run.column("kinetic_energy").iter().zip(&run.column("elastic_energy")).map(|(k, e)| k + e).collect()
}

/// The figures of the body's impact; they are shown under `name`, with the solver's effort and the worst certificate.
#[must_use]
pub fn figures(name: &str, run: &Run, body: &str) -> Figures {
    let (time, h) = (run.column("time"), run.column("step_size"));
    let force = ["ground.force_x", "ground.force_y"].map(|c| run.column(c));
    let (mut i_peak, mut i_last) = (0, 0);
    for (i, f) in force[1].iter().enumerate() {
        i_peak = if *f > force[1][i_peak] { i } else { i_peak };
        i_last = if f.abs() > 0.0 { i } else { i_last };
    }
    let energy = energy(run);
    let out = Figures {
        peak: force[1][i_peak],
        peak_time: time[i_peak],
        release: time[i_last],
        impulse: force.each_ref().map(|f| f.iter().zip(&h).map(|(f, h)| f * h).sum()),
        velocity: ["vx", "vy"].map(|c| run.last(&format!("{body}.{c}"))),
        energy: energy[energy.len() - 1] / energy[0],
    };
    let v = &run.summary.verdict;
    show(&format!(
        "{name:34} peak {:.4e} at {:.4e}  release {:.4e}  N {:.5}  T/N {:+.5}  vx {:.4}  vy {:.5}  E/E0 {:.4}  sweeps {:.1} \
         a step, most {}  law error {:.1e}",
        out.peak,
        out.peak_time,
        out.release,
        out.impulse[1],
        out.impulse[0] / out.impulse[1],
        out.velocity[0],
        out.velocity[1],
        out.energy,
        v.total_iterations as f64 / run.summary.steps as f64,
        v.max_iterations,
        v.law_error
    ));
    out
}

/// Takes all steps of a case and shows each to `look`, with the time at its end.
pub fn walk(loaded: &Loaded, mut look: impl FnMut(&Model<2>, &Outcome<2>, f64)) {
    let model = loaded.model::<2>().unwrap_or_else(|e| panic!("{e}"));
    let mut engine = Engine::new(&model).unwrap_or_else(|e| panic!("{e}"));
    let mut timings = Timings::default();
    let mut from = model.start();
    for i in 0..model.n_steps {
        let outcome = step(&mut engine, &mut timings, &from, model.h).unwrap_or_else(|e| panic!("{e}"));
        assert!(outcome.is_accepted(model.solver_options.tolerance), "step {i}: {}", outcome.description());
        look(&model, &outcome, outcome.snapshot.time());
        from = outcome.snapshot;
    }
}

/// Node of the body that a contact's candidate is.
#[must_use]
pub fn candidate(touch: &Touch<2>) -> usize {
    match &touch.contact.sides {
        [Side { map: Map::Nodes(nodes), .. }, _] if nodes.len() == 1 => nodes[0].0,
        sides => panic!("the candidate is not a node: {sides:?}"),
    }
}

/// Writes a mesh (MSH 2.2) of the plate of `meshes/oblique-plate.geo` with another number of cells across and up: columns of
/// nodes on straight lines from equal angles of the arc to equal parts of the upper side. Group `round` is the arc.
pub fn write_plate(path: &Path, across: usize, up: usize) {
    let (half, height, radius) = (0.02_f64, 0.08, 0.101_f64);
    let mut text =
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n1 10 \"round\"\n2 1 \"plate\"\n".to_owned();
    let mut line = |x: String| writeln!(text, "{x}").unwrap_or_else(|e| panic!("{e}"));
    line(format!("$EndPhysicalNames\n$Nodes\n{}", (across + 1) * (up + 1)));
    let number = |i: usize, j: usize| j * (across + 1) + i + 1;
    for j in 0..=up {
        let t = j as f64 / up as f64;
        for i in 0..=across {
            // From −1 to 1 with exactly opposite values.
            let s = (2.0 * i as f64 - across as f64) / across as f64;
            let angle = s * (half / radius).asin();
            // R (1 − cos φ) without cancellation: the lowest node is at 0.
            let lower = [radius * angle.sin(), 2.0 * radius * (0.5 * angle).sin().powi(2)];
            let [x, y] = [(1.0 - t) * lower[0] + t * half * s, (1.0 - t) * lower[1] + t * height];
            line(format!("{} {x:e} {y:e} 0", number(i, j)));
        }
    }
    line(format!("$EndNodes\n$Elements\n{}", across + across * up));
    for i in 0..across {
        line(format!("{} 1 2 10 1 {} {}", i + 1, number(i, 0), number(i + 1, 0)));
    }
    for (j, i) in (0..up).flat_map(|j| (0..across).map(move |i| (j, i))) {
        let corners = [number(i, j), number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)];
        let [a, b, c, d] = corners;
        line(format!("{} 3 2 1 1 {a} {b} {c} {d}", across + j * across + i + 1));
    }
    line("$EndElements".to_owned());
    std::fs::write(path, text).unwrap_or_else(|e| panic!("{e}"));
}
