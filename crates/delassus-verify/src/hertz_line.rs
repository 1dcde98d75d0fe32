//! Contact along a line: a cylinder pressed on a plane, or two parallel cylinders, without friction (Hertz 1882; Johnson,
//! Contact Mechanics, 1985, §4.2(c)).
//!
//! With P the load per unit of length, R the relative radius and E* the contact modulus,
//!
//! ```text
//! 1/R = 1/R₁ + 1/R₂ ,     1/E* = (1 − ν₁²)/E₁ + (1 − ν₂²)/E₂      (plane strain; a rigid plane adds nothing to either)
//! a² = 4 P R / (π E*) ,   p₀ = 2 P / (π a) = E* a / (2 R) ,   p(x) = p₀ √(1 − x²/a²)  for |x| < a
//! ```
//!
//! Assumptions: a ≪ R, elastic half planes near the contact, equilibrium. The load may change in time, slowly; its value is
//! taken at the end of the step.

use std::f64::consts::PI;

use delassus_fem::TimeFunction;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ExactSolution, HistoryPlot, Profile, ProfileCoordinate, TractionPart};

/// How far a profile is compared, over the half width.
pub(super) const REACH: f64 = 1.3;

/// A cylinder pressed on a plane, or on another.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct HertzLine {
    /// Contact modulus E* \[Pa\].
    pub modulus: f64,
    /// Relative radius R \[m\].
    pub radius: f64,
    /// Load P of the whole contact per unit of length \[N/m\].
    pub load: f64,
    /// Factor of the load, a function of time.
    #[serde(default)]
    pub factor: TimeFunction,
    /// Thickness of the bodies \[m\].
    #[serde(default = "one")]
    pub thickness: f64,
    /// The part of the contact that the model has: 0.5 for half a cylinder, cut along the plane of the load.
    #[serde(default = "one")]
    pub part: f64,
    /// Middle of the contact along x \[m\].
    #[serde(default)]
    pub centre: f64,
    /// Contact pair.
    pub pair: String,
}

pub(super) fn one() -> f64 {
    1.0
}

/// Hertz's pressure: its half width and its peak.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ellipse {
    /// a \[m\].
    pub half_width: f64,
    /// p₀ \[Pa\].
    pub peak: f64,
}

impl Ellipse {
    /// Of a load per unit of length; nothing is in contact when it does not press.
    #[must_use]
    pub fn of_load(load: f64, radius: f64, modulus: f64) -> Self {
        let half_width = (4.0 * load.max(0.0) * radius / (PI * modulus)).sqrt();
        Self { half_width, peak: modulus * half_width / (2.0 * radius) }
    }

    /// Its value at x \[Pa\].
    #[must_use]
    pub fn at(&self, x: f64) -> f64 {
        let s = x / self.half_width;
        if s.abs() < 1.0 { self.peak * (1.0 - s * s).sqrt() } else { 0.0 }
    }
}

/// Faults that every solution with a pressed line shares.
pub(super) fn faults_of_line(
    positive: &[(&'static str, f64)],
    centre: f64,
    functions: &[(&'static str, &TimeFunction)],
) -> Vec<(&'static str, f64, &'static str)> {
    let mut out: Vec<_> = positive
        .iter()
        .filter(|(_, x)| !(x.is_finite() && *x > 0.0))
        .map(|&(key, x)| (key, x, "must be positive and finite"))
        .collect();
    if !centre.is_finite() {
        out.push(("centre", centre, "must be finite"));
    }
    for (key, f) in functions {
        if f.validate().is_err() {
            out.push((key, f.value(0.0), "(at t = 0) is not a valid function of time"));
        }
    }
    out
}

impl HertzLine {
    /// The pressure at time `t`.
    #[must_use]
    pub fn pressure(&self, t: f64) -> Ellipse {
        Ellipse::of_load(self.load * self.factor.value(t), self.radius, self.modulus)
    }
}

impl ExactSolution for HertzLine {
    fn faults(&self) -> Vec<(&'static str, f64, &'static str)> {
        let positive = [
            ("modulus", self.modulus),
            ("radius", self.radius),
            ("load", self.load),
            ("thickness", self.thickness),
            ("part", self.part),
        ];
        faults_of_line(&positive, self.centre, &[("factor", &self.factor)])
    }

    fn columns(&self) -> Vec<String> {
        ["area", "max_pressure"].map(|c| format!("{}.{c}", self.pair)).to_vec()
    }

    fn value(&self, column: &str, t: f64, _: f64) -> Option<f64> {
        let (name, field) = column.rsplit_once('.')?;
        let pressure = self.pressure(t);
        match field {
            "area" if name == self.pair => Some(self.part * 2.0 * pressure.half_width * self.thickness),
            "max_pressure" if name == self.pair => Some(pressure.peak),
            _ => None,
        }
    }

    fn plots(&self) -> Vec<HistoryPlot> {
        vec![HistoryPlot {
            file: "max-pressure.svg",
            title: "Largest pressure of the contact".into(),
            quantity: "pressure",
            unit: "Pa",
            columns: vec![format!("{}.max_pressure", self.pair)],
        }]
    }

    fn profiles(&self, t: f64) -> Vec<Profile<'_>> {
        pressure_profile(&self.pair, self.centre, self.pressure(t)).into_iter().collect()
    }
}

/// The profile of a pressure; none when nothing is in contact.
pub(super) fn pressure_profile(pair: &str, centre: f64, pressure: Ellipse) -> Option<Profile<'_>> {
    (pressure.half_width > 0.0).then(|| Profile {
        file: "pressure-profile.svg",
        title: "Pressure along the contact",
        pair,
        part: TractionPart::Normal,
        place: ProfileCoordinate::AlongX(centre),
        reach: REACH * pressure.half_width,
        exact: Box::new(move |x| pressure.at(x)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roller(load: f64) -> HertzLine {
        // NAFEMS: a steel roller on an aluminium block, E = 210 and 70 GPa, ν = 0.3, R = 50 mm.
        let modulus = 1.0 / ((1.0 - 0.09) / 210e9 + (1.0 - 0.09) / 70e9);
        HertzLine {
            modulus,
            radius: 0.05,
            load,
            factor: TimeFunction::Ramp { start: 0.0, end: 2.0, from: 0.0, to: 1.0 },
            thickness: 0.5,
            part: 1.0,
            centre: 0.1,
            pair: "ground".into(),
        }
    }

    #[test]
    fn figures_of_the_nafems_roller() {
        // 35 kN/mm: a = 6.2146 mm, p₀ = 3585.4 MPa, to the last digit.
        let p = roller(35e6).pressure(2.0);
        assert!((p.half_width - 6.2146e-3).abs() < 0.5e-7, "{p:?}");
        assert!((p.peak - 3585.4e6).abs() < 0.05e6, "{p:?}");
        let r = roller(35e6);
        assert!((r.value("ground.area", 3.0, 0.1).unwrap() - p.half_width).abs() < 1e-15);
        assert!((r.value("ground.max_pressure", 3.0, 0.1).unwrap() / p.peak - 1.0).abs() < 1e-15);
        assert!(r.value("other.area", 3.0, 0.1).is_none() && r.value("ground.force_x", 3.0, 0.1).is_none());
    }

    /// Half a cylinder under half the load has half the area, and the pressure of the whole.
    #[test]
    fn a_part_of_the_cylinder() {
        let (whole, half) = (roller(35e6), HertzLine { part: 0.5, ..roller(35e6) });
        let [area, of_half] = [&whole, &half].map(|r| r.value("ground.area", 2.0, 0.1).unwrap());
        assert!((of_half / area - 0.5).abs() < 1e-15);
        let [peak, same] = [&whole, &half].map(|r| r.value("ground.max_pressure", 2.0, 0.1).unwrap());
        assert!((same / peak - 1.0).abs() < 1e-15);
    }

    #[test]
    fn pressure_carries_the_load() {
        // ∫ p dx by the midpoint rule in the angle, x = a sin φ, exact to rounding for p cos φ ~ cos² φ.
        for t in [0.3, 1.0, 2.0, 5.0] {
            let r = roller(2e6);
            let p = r.pressure(t);
            let n = 64;
            let dphi = PI / f64::from(n);
            let sum: f64 = (0..n)
                .map(|i| -0.5 * PI + (f64::from(i) + 0.5) * dphi)
                .map(|phi| p.at(p.half_width * phi.sin()) * p.half_width * phi.cos() * dphi)
                .sum();
            let load = 2e6 * (t / 2.0).min(1.0);
            assert!((sum / load - 1.0).abs() < 1e-13, "{t}: {sum} {load}");
        }
    }

    #[test]
    fn profile_is_where_the_contact_is() {
        let r = roller(35e6);
        let profiles = r.profiles(2.0);
        let [p] = &profiles[..] else { panic!("one profile") };
        let a = r.pressure(2.0).half_width;
        assert!(
            p.place == ProfileCoordinate::AlongX(0.1)
                && p.reach > a
                && p.part == TractionPart::Normal
                && p.pair == "ground"
        );
        assert!(((p.exact)(0.6 * a) / (p.exact)(0.0) - 0.8).abs() < 1e-12);
        assert!((p.exact)(1.01 * a).abs() < 1e-300 && (p.exact)(-a).abs() < 1e-300);
        // No load yet: no contact, and no picture of it.
        assert!(r.profiles(0.0).is_empty() && r.value("ground.area", 0.0, 0.0).unwrap().abs() < 1e-300);
    }

    #[test]
    fn bad_parameters_are_named() {
        assert!(roller(1.0).faults().is_empty());
        let r = HertzLine {
            modulus: 0.0,
            radius: -1.0,
            load: f64::NAN,
            thickness: f64::INFINITY,
            part: 0.0,
            centre: f64::NAN,
            factor: TimeFunction::Ramp { start: 1.0, end: 0.0, from: 0.0, to: 1.0 },
            pair: "ground".into(),
        };
        let names: Vec<&str> = r.faults().iter().map(|f| f.0).collect();
        assert_eq!(names, ["modulus", "radius", "load", "thickness", "part", "centre", "factor"]);
    }
}
