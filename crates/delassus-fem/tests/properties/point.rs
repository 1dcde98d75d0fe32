//! A material point that is driven by strains.

use std::sync::Arc;

use delassus_fem::material::{Kinematics3, Material, MaterialSpec, Response};
use delassus_fem::tensor::Mandel;

/// A point, the strain that it has and its internal variables.
pub struct Point {
    pub law: Arc<dyn Material>,
    pub strain: Mandel,
    pub z: Vec<f64>,
    /// Time of a step \[s\].
    pub h: f64,
}

impl Point {
    pub fn new(law: impl Into<MaterialSpec>) -> Self {
        let law = law.into().build(1.0).unwrap();
        Self { z: vec![0.0; law.n_internal()], law, strain: Mandel::zeros(), h: 1.0 }
    }

    /// What a step to a strain would give.
    pub fn trial(&self, strain: Mandel) -> Response {
        let kinematics = Kinematics3 { strain, increment: strain - self.strain, strain_rate: Mandel::zeros() };
        self.law.respond(&kinematics, self.h, &self.z, &mut self.z.clone())
    }

    pub fn to(&mut self, strain: Mandel) -> Response {
        let kinematics = Kinematics3 { strain, increment: strain - self.strain, strain_rate: Mandel::zeros() };
        let response = self.law.respond(&kinematics, self.h, &self.z.clone(), &mut self.z);
        self.strain = strain;
        response
    }

    /// The strain along x with no stress across it, by Newton's method on the strain across, the same along y and z, within the bracket that the signs give; then the step.
    pub fn pull(&mut self, strain: f64) -> Response {
        let most = 4.0 * strain.abs() + 0.1;
        let (mut low, mut high, mut across) = (-most, most, self.strain[1]);
        let at = |across: f64| Mandel::new(strain, across, across, 0.0, 0.0, 0.0);
        let mut best = (f64::INFINITY, across);
        for k in 0..240 {
            let r = self.trial(at(across));
            if r.stress[1].abs() < best.0 {
                best = (r.stress[1].abs(), across);
            }
            *(if r.stress[1] > 0.0 { &mut high } else { &mut low }) = across;
            let next = across - r.stress[1] / (r.tangent[(1, 1)] + r.tangent[(1, 2)]);
            across = if next > low && next < high && k % 3 < 2 { next } else { 0.5 * (low + high) };
        }
        self.to(at(best.1))
    }

    /// The largest difference between the tangent of a step to a strain and central differences of the stress.
    pub fn tangent_error(&self, strain: Mandel, step: f64) -> f64 {
        let tangent = self.trial(strain).tangent;
        let column = |k: usize| {
            let d = Mandel::ith(k, step);
            let secant = (self.trial(strain + d).stress - self.trial(strain - d).stress) / (2.0 * step);
            (secant - tangent.column(k)).norm()
        };
        (0..6).map(column).fold(0.0, f64::max)
    }

    /// W − Δψ − D + Q of a step to a strain.
    pub fn work_left(&self, strain: Mandel) -> f64 {
        let still = Kinematics3 { strain: self.strain, ..Kinematics3::rest() };
        let before = self.law.respond(&still, 0.0, &self.z, &mut self.z.clone()).stored;
        let r = self.trial(strain);
        r.path_work - (r.stored - before) - r.dissipated + r.supplied
    }
}
