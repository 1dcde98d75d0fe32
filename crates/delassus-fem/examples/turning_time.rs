//! What a step of a body that turns costs beside one of a linear body: all that integrator, forces and factor do, without contact.
//!
//! `cargo run --release -p delassus-fem --example turning_time`. A plate of squares; processor time (on Linux; elsewhere wall time), of which the least of many samples counts, since other programs may run.
//! A step of a linear body has two solves (free velocity, and impulses) and two evaluations of its forces (balance, and its audit); a pass of a body that turns has two solves and one.

use std::error::Error;
use std::io::Write as _;
use std::sync::Arc;
use std::time::Instant;

use delassus_dynamics::integrator::{BodyView, EnergyMomentum, StepStart};
use delassus_dynamics::{Integrator, Operator, State, System};
use delassus_fem::{Body, BodyInput, FrameScope, KelvinVoigt, Kinematics, MaterialSpec};
use delassus_mesh::CellKind;
use delassus_mesh::generate::rectangle;

const SCHEME: EnergyMomentum = EnergyMomentum { theta: 0.5 };

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "    dofs  linear step [ms]  first pass  each further pass   (times the linear step)")?;
    for [nx, ny] in [[66, 32], [114, 56], [222, 111]] {
        let [linear, turning] = [Kinematics::SmallStrain, Kinematics::Corotational { frames: FrameScope::Body }]
            .map(|kinematics| plate([nx, ny], kinematics));
        let (linear, turning) = (linear?, turning?);
        let mut timed = [f64::INFINITY; 3];
        let mut bodies = [(&linear, 1), (&turning, 1), (&turning, 5)].map(|(body, passes)| Stepped::new(body, passes));
        for _ in 0..SAMPLES {
            // in turns, so that a load of the machine meets all
            for (least, body) in timed.iter_mut().zip(&mut bodies) {
                *least = least.min(body.as_mut().map_err(|e| e.to_string())?.sample()?);
            }
        }
        let [step, first, five] = timed;
        let further = (five - first) / 4.0;
        writeln!(out, "{:8}  {:16.3}  {:10.2}  {:17.2}", linear.n_dof(), 1e3 * step, first / step, further / step)?;
    }
    Ok(())
}

/// Samples of each body, and the shortest time of one \[s\]: what Linux tells of a process that runs is behind by up to a tick, 4 ms.
const SAMPLES: usize = 12;
const SAMPLE: f64 = 0.15;

/// Processor time of this process, or else the time that went by \[s\].
fn clock(since: Instant) -> f64 {
    let mut spent = 0.0;
    for task in std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten() {
        let told = std::fs::read_to_string(task.path().join("schedstat")).unwrap_or_default();
        spent += told.split(' ').next().and_then(|t| t.parse().ok()).unwrap_or(0.0) * 1e-9;
    }
    if spent > 0.0 { spent } else { since.elapsed().as_secs_f64() }
}

fn plate(cells: [usize; 2], kinematics: Kinematics) -> Result<Body<2>, Box<dyn Error>> {
    let mesh = Arc::new(rectangle([0.0, 0.0], [2.0, 1.0], cells, CellKind::Quad4, 1)?);
    let material = MaterialSpec::KelvinVoigt(KelvinVoigt::elastic(1000.0, 0.3)).build(1.0)?;
    Ok(Body::new(BodyInput { kinematics, ..BodyInput::new("plate", mesh, material) })?)
}

/// A body with its operator.
struct Stepped<'a> {
    body: &'a Body<2>,
    state: State,
    operator: Operator,
    passes: usize,
}

/// Turns by 0.05 rad.
const H: f64 = 0.05;

impl<'a> Stepped<'a> {
    fn new(body: &'a Body<2>, passes: usize) -> Result<Self, Box<dyn Error>> {
        let spin = if body.turning().is_some() { 1.0 } else { 0.0 };
        let v = body.mesh().points.iter().flat_map(|x| [-spin * (x[1] - 0.5), spin * (x[0] - 1.0)]).collect();
        let state = State::new(0.0, vec![0.0; body.n_dof()], v);
        let start = SCHEME.begin(view(body), &state, H);
        let values = SCHEME.effective_mass(&start, &state.v);
        let operator = Operator::with_analysis(&SCHEME.analyse(body)?, body, values)?;
        drop(start);
        Ok(Self { body, state, operator, passes })
    }

    /// Mean time of some steps \[s\].
    fn sample(&mut self) -> Result<f64, Box<dyn Error>> {
        let since = Instant::now();
        let begin = clock(since);
        for done in 1..10_000 {
            self.step()?;
            let time = clock(since) - begin;
            if time > SAMPLE {
                return Ok(time / f64::from(done));
            }
        }
        Err("the clock stands still".into())
    }

    fn step(&mut self) -> Result<(), Box<dyn Error>> {
        let start = SCHEME.begin(view(self.body), &self.state, H);
        if let Some(turning) = &start.turning {
            self.operator.set_rotation(turning.middle.clone());
        }
        let mut v = SCHEME.first_guess(&start);
        let mut residual = SCHEME.first_residual(&start, &v);
        for pass in 0..self.passes {
            correct(self.body, &mut self.operator, &start, pass, &residual, &mut v);
            let mut impulse = vec![0.0; v.len()];
            self.operator.apply(&mut impulse);
            v.iter_mut().zip(&impulse).for_each(|(v, d)| *v += d);
            residual = SCHEME.residual(&start, &v);
        }
        let end = SCHEME.finish(&start, v);
        let balance = SCHEME.balance(&start, &end, &vec![0.0; residual.len()]);
        if balance.kinetic.is_finite() { Ok(()) } else { Err("a step is out of balance".into()) }
    }
}

/// v ← v + w r, brought closer to the tangent in later passes as in a run.
fn correct(body: &Body<2>, w: &mut Operator, start: &StepStart<'_>, pass: usize, residual: &[f64], v: &mut [f64]) {
    let mut correction = residual.to_vec();
    w.apply(&mut correction);
    if let (Some(body), Some(frame), true) = (body.turning(), &start.turning, pass > 0) {
        body.turn_on(frame, residual, &mut correction);
    }
    v.iter_mut().zip(&correction).for_each(|(v, d)| *v += d);
}

fn view(body: &Body<2>) -> BodyView<'_> {
    BodyView { system: body, mass: None }
}
