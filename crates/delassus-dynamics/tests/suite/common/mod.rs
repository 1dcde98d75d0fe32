//! Small systems with known answers, the list of all schemes, and one step as the simulation does it.

pub mod dense;
mod random;
mod schemes;
mod system;

use delassus_dynamics::integrator::{Balance, BodyView, StepEnd, free_velocity};
use delassus_dynamics::{Condensed, Integrator, MassInverse, Operator, State, System};

pub use random::Random;
pub use schemes::{Family, Scheme, all_schemes, schemes};
pub use system::{Form, Linear};

/// A system, a scheme and a step size: all that a run needs.
pub struct Run<'a> {
    pub system: &'a Linear,
    pub integrator: &'a dyn Integrator,
    pub operator: Operator,
    pub mass: Option<MassInverse>,
    pub h: f64,
}

impl<'a> Run<'a> {
    pub fn new(system: &'a Linear, integrator: &'a dyn Integrator, h: f64) -> Self {
        let operator = if integrator.has_inertia() {
            Operator::new(system, integrator.coefficients(h)).unwrap()
        } else {
            let n = system.n_dof();
            let from = State::new(0.0, vec![0.0; n], vec![0.0; n]);
            let start = integrator.begin(BodyView { system, mass: None }, &from, h);
            let values = integrator.effective_mass(&start, &from.v);
            Operator::with_analysis(&integrator.analyse(system).unwrap(), system, values).unwrap()
        };
        let mass = integrator.keeps_acceleration().then(|| MassInverse::new(system).unwrap());
        Self { system, integrator, operator, mass, h }
    }

    /// w_ij.
    pub fn w(&self, i: usize, j: usize) -> f64 {
        condensed(&self.operator, 1, &[i.min(j), i.max(j)]).entry(i, j).unwrap()
    }

    pub fn body(&self) -> BodyView<'_> {
        BodyView { system: self.system, mass: self.mass.as_ref() }
    }

    /// A consistent state at time `t`.
    pub fn start(&self, t: f64, q: Vec<f64>, v: Vec<f64>) -> State {
        let mut state = State::new(t, q, v);
        self.body().start(&mut state);
        state
    }

    pub fn free_velocity(&mut self, from: &State) -> Vec<f64> {
        let body = BodyView { system: self.system, mass: self.mass.as_ref() };
        let start = self.integrator.begin(body, from, self.h);
        let guess = self.integrator.first_guess(&start);
        free_velocity(self.integrator, &start, &mut self.operator, &guess)
    }

    /// The end of a step that ends with velocity `v`.
    pub fn finish(&self, from: &State, v: Vec<f64>) -> State {
        self.integrator.finish(&self.integrator.begin(self.body(), from, self.h), v).state
    }

    /// Energy terms of a step.
    pub fn balance(&self, from: &State, to: &State, impulse: &[f64]) -> Balance {
        let end = StepEnd { state: to.clone(), response: None, turned: None, reached: None };
        self.integrator.balance(&self.integrator.begin(self.body(), from, self.h), &end, impulse)
    }

    /// One step under the contact impulses `impulse` = H p on the dofs.
    pub fn step_with(&mut self, from: &State, impulse: &[f64]) -> State {
        let mut v = self.free_velocity(from);
        let mut change = impulse.to_vec();
        self.operator.apply(&mut change);
        for (v, d) in v.iter_mut().zip(&change) {
            *v += d;
        }
        self.finish(from, v)
    }

    /// One step without contact.
    pub fn step(&mut self, from: &State) -> State {
        let v = self.free_velocity(from);
        self.finish(from, v)
    }
}

/// w on these sites, all exposed.
pub fn condensed(operator: &Operator, d: usize, sites: &[usize]) -> Condensed {
    let mut sites = sites.to_vec();
    sites.dedup();
    let mut w = operator.condensed(d, &sites);
    w.expose_all(operator.factor()).unwrap();
    w
}

/// The largest of many errors, and the case it came from.
#[derive(Default)]
pub struct Worst {
    error: f64,
    case: String,
    n: usize,
}

impl Worst {
    pub fn see(&mut self, error: f64, case: impl FnOnce() -> String) {
        self.n += 1;
        // A NaN must win, or a broken scheme would pass.
        if error.is_nan() || error > self.error {
            (self.error, self.case) = (error, case());
        }
    }

    /// At least one case was seen and none was off by more than `tolerance`.
    pub fn check(&self, tolerance: f64) {
        assert!(self.n > 0, "no case was run");
        assert!(self.error <= tolerance, "error {:.3e} > {tolerance:.1e} in {}", self.error, self.case);
    }
}

/// max |x − y| / max(|x|, |y|, floor).
pub fn difference(x: &[f64], y: &[f64], floor: f64) -> f64 {
    assert_eq!(x.len(), y.len());
    let largest = |x: &[f64]| x.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let scale = largest(x).max(largest(y)).max(floor);
    // fold with a NaN-keeping maximum
    let error =
        x.iter().zip(y).map(|(x, y)| (x - y).abs()).fold(0.0, |m: f64, e| if e > m || e.is_nan() { e } else { m });
    if error > 0.0 || error.is_nan() { error / scale } else { 0.0 }
}

/// The bits of every number: equality to the last digit.
pub fn bits(x: &[f64]) -> Vec<u64> {
    x.iter().map(|x| x.to_bits()).collect()
}

pub fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}
