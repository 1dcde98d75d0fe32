//! Contact at a point: a ball pressed on a plane, or two balls, without friction (Hertz 1882; Johnson, Contact Mechanics, 1985,
//! §4.2(a)).
//!
//! With P the load, R the relative radius and E* the contact modulus,
//!
//! ```text
//! 1/R = 1/R₁ + 1/R₂ ,   1/E* = (1 − ν₁²)/E₁ + (1 − ν₂²)/E₂              (a rigid plane adds nothing to either)
//! a³ = 3 P R / (4 E*) ,   δ = a²/R ,   p₀ = 3 P / (2 π a²) ,   p(r) = p₀ √(1 − r²/a²)  for r < a
//! ```
//!
//! δ is the approach of points far from the contact. Assumptions: a ≪ R, elastic half spaces near the contact, equilibrium. A finite
//! ball adds to δ a part of the order of a/R: its points are not far. The load may change in time, slowly; its value is taken at the end
//! of the step.

use std::f64::consts::PI;

use delassus_fem::TimeFunction;
use delassus_math as math;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::hertz_line::{Ellipse, REACH, one};
use super::{ExactSolution, HistoryPlot, Profile, ProfileCoordinate, TractionPart};

/// A ball pressed on a plane, or on another.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct HertzPoint {
    /// Contact modulus E* \[Pa\].
    pub modulus: f64,
    /// Relative radius R \[m\].
    pub radius: f64,
    /// Load P of the whole contact \[N\].
    pub load: f64,
    /// Factor of the load, a function of time.
    #[serde(default)]
    pub factor: TimeFunction,
    /// The part of the contact that the model has: 0.25 for a quarter of a ball.
    #[serde(default = "one")]
    pub part: f64,
    /// Middle of the contact \[m\].
    #[serde(default)]
    pub centre: [f64; 3],
    /// Contact pair.
    pub pair: String,
    /// Column of `history.csv` that falls by the approach δ, such as `ball.uy`.
    #[serde(default)]
    pub approach: Option<String>,
}

/// Hertz's contact at a point under a load \[N\]: nothing touches when it does not press.
#[must_use]
pub fn of_load(load: f64, radius: f64, modulus: f64) -> Ellipse {
    let half_width = math::cbrt(0.75 * load.max(0.0) * radius / modulus);
    // 3 P/(2 π a²), written without P.
    Ellipse { half_width, peak: 2.0 * modulus * half_width / (PI * radius) }
}

impl HertzPoint {
    /// The pressure at time `t`.
    #[must_use]
    pub fn pressure(&self, t: f64) -> Ellipse {
        of_load(self.load * self.factor.value(t), self.radius, self.modulus)
    }
}

impl ExactSolution for HertzPoint {
    fn faults(&self) -> Vec<(&'static str, f64, &'static str)> {
        let positive = [("modulus", self.modulus), ("radius", self.radius), ("load", self.load), ("part", self.part)];
        let mut out: Vec<_> = positive
            .into_iter()
            .filter(|(_, x)| !(x.is_finite() && *x > 0.0))
            .map(|(key, x)| (key, x, "must be positive and finite"))
            .collect();
        out.extend(self.centre.iter().filter(|x| !x.is_finite()).map(|x| ("centre", *x, "must be finite")));
        if self.factor.validate().is_err() {
            out.push(("factor", self.factor.value(0.0), "(at t = 0) is not a valid function of time"));
        }
        out
    }

    fn columns(&self) -> Vec<String> {
        let of_pair = ["area", "max_pressure"].map(|c| format!("{}.{c}", self.pair));
        of_pair.into_iter().chain(self.approach.clone()).collect()
    }

    fn value(&self, column: &str, t: f64, _: f64) -> Option<f64> {
        let pressure = self.pressure(t);
        if self.approach.as_deref() == Some(column) {
            return Some(-pressure.half_width * pressure.half_width / self.radius);
        }
        let (name, field) = column.rsplit_once('.')?;
        match field {
            "area" if name == self.pair => Some(self.part * PI * pressure.half_width * pressure.half_width),
            "max_pressure" if name == self.pair => Some(pressure.peak),
            _ => None,
        }
    }

    fn plots(&self) -> Vec<HistoryPlot> {
        let mut out = vec![HistoryPlot {
            file: "max-pressure.svg",
            title: "Largest pressure of the contact".into(),
            quantity: "pressure",
            unit: "Pa",
            columns: vec![format!("{}.max_pressure", self.pair)],
        }];
        out.extend(self.approach.iter().map(|column| HistoryPlot {
            file: "approach.svg",
            title: "Approach".into(),
            quantity: "displacement",
            unit: "m",
            columns: vec![column.clone()],
        }));
        out
    }

    fn profiles(&self, t: f64) -> Vec<Profile<'_>> {
        let pressure = self.pressure(t);
        let profile = || Profile {
            file: "pressure-profile.svg",
            title: "Pressure over the distance from the middle of the contact",
            pair: &self.pair,
            part: TractionPart::Normal,
            place: ProfileCoordinate::From(self.centre),
            reach: REACH * pressure.half_width,
            exact: Box::new(move |r| pressure.at(r)),
        };
        (pressure.half_width > 0.0).then(profile).into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ball(load: f64) -> HertzPoint {
        HertzPoint {
            modulus: 2e9,
            radius: 0.05,
            load,
            factor: TimeFunction::Ramp { start: 0.0, end: 2.0, from: 0.0, to: 1.0 },
            part: 0.25,
            centre: [0.0, 0.1, 0.0],
            pair: "ground".into(),
            approach: Some("ball.uy".into()),
        }
    }

    #[test]
    fn pressure_carries_the_load() {
        // ∫ p 2πr dr by the midpoint rule in r², for which p is a root: exact in the angle, r = a sin φ.
        for t in [0.3, 1.0, 2.0, 5.0] {
            let p = ball(700.0).pressure(t);
            let n = 4000;
            let dphi = 0.5 * PI / f64::from(n);
            let sum: f64 = (0..n)
                .map(|i| (f64::from(i) + 0.5) * dphi)
                .map(|phi| {
                    p.at(p.half_width * phi.sin()) * 2.0 * PI * p.half_width.powi(2) * phi.sin() * phi.cos() * dphi
                })
                .sum();
            let load = 700.0 * (t / 2.0).min(1.0);
            // The midpoint rule is of second order: π²/(4·24·4000²).
            assert!((sum / load - 1.0).abs() < 1e-7, "{t}: {sum} {load}");
            assert!((1.5 * load / (PI * p.half_width.powi(2)) / p.peak - 1.0).abs() < 1e-14);
        }
    }

    /// The displacement under Hertz's pressure in the middle and at the edge, by Boussinesq's solution: u(r) is
    /// π p₀ (2a² − r²)/(4 a E*) (Johnson, eq. 3.41a) and must be δ − r²/(2R).
    #[test]
    fn the_surface_fits_the_ball() {
        let b = ball(700.0);
        let p = b.pressure(2.0);
        let (a, delta) = (p.half_width, -b.value("ball.uy", 2.0, 0.1).unwrap());
        for r in [0.0, 0.3 * a, a] {
            let u = PI * p.peak * (2.0 * a * a - r * r) / (4.0 * a * b.modulus);
            assert!((u - (delta - r * r / (2.0 * b.radius))).abs() < 1e-14 * delta, "{r}");
        }
        assert!((b.value("ground.area", 2.0, 0.1).unwrap() / (0.25 * PI * a * a) - 1.0).abs() < 1e-15);
        assert!((b.value("ground.max_pressure", 2.0, 0.1).unwrap() / p.peak - 1.0).abs() < 1e-15);
        assert!(b.value("other.area", 2.0, 0.1).is_none() && b.value("ground.force_x", 2.0, 0.1).is_none());
    }

    #[test]
    fn profiles_and_plots() {
        let b = ball(700.0);
        let profiles = b.profiles(2.0);
        let [p] = &profiles[..] else { panic!("one profile") };
        let a = b.pressure(2.0).half_width;
        assert!(
            p.place == ProfileCoordinate::From([0.0, 0.1, 0.0])
                && ((p.exact)(0.6 * a) / (p.exact)(0.0) - 0.8).abs() < 1e-12
        );
        assert!(b.profiles(0.0).is_empty() && b.value("ground.area", 0.0, 0.0).unwrap().abs() < 1e-300);
        assert_eq!(b.columns(), ["ground.area", "ground.max_pressure", "ball.uy"]);
        assert_eq!(b.plots().len(), 2);
        assert_eq!(HertzPoint { approach: None, ..b.clone() }.plots().len(), 1);
    }

    #[test]
    fn bad_parameters_are_named() {
        assert!(ball(1.0).faults().is_empty());
        let b = HertzPoint {
            modulus: 0.0,
            radius: -1.0,
            load: f64::NAN,
            part: f64::INFINITY,
            centre: [0.0, f64::NAN, 0.0],
            factor: TimeFunction::Ramp { start: 1.0, end: 0.0, from: 0.0, to: 1.0 },
            ..ball(1.0)
        };
        let names: Vec<&str> = b.faults().iter().map(|f| f.0).collect();
        assert_eq!(names, ["modulus", "radius", "load", "part", "centre", "factor"]);
    }
}
