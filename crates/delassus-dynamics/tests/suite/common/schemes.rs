//! The one list of schemes. Every suite loops over it.

use delassus_dynamics::Integrator;
use delassus_dynamics::integrator::{EnergyMomentum, IntegratorSpec, ModifiedTheta, Newmark, Theta, ThetaEuler};

/// Which closed forms a scheme has to obey.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Family {
    Theta(f64),
    ModifiedTheta(f64),
    ThetaEuler(f64),
    Newmark { gamma: f64, beta: f64 },
    EnergyMomentum(f64),
    QuasiStatic,
}

pub struct Scheme {
    pub family: Family,
    pub integrator: Box<dyn Integrator>,
    /// Order of convergence on smooth motion.
    pub order: f64,
}

impl Scheme {
    pub fn name(&self) -> String {
        format!("{:?}", self.family)
    }

    /// The weight of t + h in means of loads: θ or γ.
    pub fn weight(&self) -> f64 {
        match self.family {
            Family::Theta(theta) | Family::ModifiedTheta(theta) | Family::ThetaEuler(theta) => theta,
            Family::Newmark { gamma, .. } => gamma,
            Family::EnergyMomentum(_) => 0.5,
            Family::QuasiStatic => 1.0,
        }
    }
}

/// All schemes: those with inertia, and statics.
pub fn all_schemes() -> Vec<Scheme> {
    let mut list = schemes();
    let integrator = IntegratorSpec::QuasiStatic.build().unwrap();
    list.push(Scheme { family: Family::QuasiStatic, integrator, order: 1.0 });
    list
}

/// All schemes with inertia, with parameters at both ends of their ranges and between.
pub fn schemes() -> Vec<Scheme> {
    let mut list = Vec::new();
    let mut add = |family: Family, spec: IntegratorSpec, order: f64| {
        list.push(Scheme { family, integrator: spec.build().unwrap(), order });
    };
    for theta in [0.5, 0.55, 0.75, 1.0] {
        let order = if theta > 0.5 { 1.0 } else { 2.0 };
        add(Family::Theta(theta), IntegratorSpec::Theta(Theta { theta }), order);
        add(Family::ModifiedTheta(theta), IntegratorSpec::ModifiedTheta(ModifiedTheta { theta }), order);
        add(Family::ThetaEuler(theta), IntegratorSpec::ThetaEuler(ThetaEuler { theta }), 1.0);
        add(Family::EnergyMomentum(theta), IntegratorSpec::EnergyMomentum(EnergyMomentum { theta }), order);
    }
    for (gamma, beta) in [(0.5, 0.25), (0.6, 0.3025), (0.55, 0.35)] {
        let order = if gamma > 0.5 { 1.0 } else { 2.0 };
        add(Family::Newmark { gamma, beta }, IntegratorSpec::Newmark(Newmark { gamma, beta }), order);
    }
    list
}
