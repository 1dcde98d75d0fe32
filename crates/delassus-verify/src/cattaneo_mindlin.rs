//! Two cylinders of the same material, pressed together and then pushed sideways: partial slip (Cattaneo 1938; Mindlin 1949;
//! Johnson, Contact Mechanics, 1985, §7.2(a)).
//!
//! The load P per unit of length is Hertz's ([`super::HertzLine`]: a, p₀) and does not change while the tangential force Q per
//! unit of length grows. Where bodies are elastically similar, tangential tractions do not change the pressure. The middle
//! sticks, the edges slip:
//!
//! ```text
//! c = a √(1 − |Q|/(μ P))                                              half width of the part that sticks
//! q(x) = μ p₀ √(1 − x²/a²)                          c ≤ |x| < a       slips
//! q(x) = μ p₀ [√(1 − x²/a²) − (c/a) √(1 − x²/c²)]   |x| < c           sticks
//! ```
//!
//! Assumptions: those of Hertz, Q never decreasing in size, and |Q| ≤ μ P (above, everything slips). The same holds for a rigid
//! plane and an incompressible cylinder.

use delassus_fem::TimeFunction;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::hertz_line::{Ellipse, REACH, faults_of_line, one, pressure_profile};
use super::{ExactSolution, HistoryPlot, Profile, ProfileCoordinate, TractionPart};

/// Partial slip of two cylinders of the same material.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct CattaneoMindlin {
    /// Contact modulus E* \[Pa\].
    pub modulus: f64,
    /// Relative radius R \[m\].
    pub radius: f64,
    /// Load P per unit of length \[N/m\].
    pub load: f64,
    /// Factor of P, a function of time that is constant once Q acts.
    #[serde(default)]
    pub factor: TimeFunction,
    /// Coefficient of friction μ.
    pub friction: f64,
    /// Force Q of the contact on the candidates' side along x, per unit of length \[N/m\].
    pub shear: f64,
    /// Factor of Q, a function of time that does not decrease.
    #[serde(default)]
    pub shear_factor: TimeFunction,
    /// Thickness of the bodies \[m\].
    #[serde(default = "one")]
    pub thickness: f64,
    /// Middle of the contact along x \[m\].
    #[serde(default)]
    pub centre: f64,
    /// Contact pair.
    pub pair: String,
}

impl CattaneoMindlin {
    fn load_at(&self, t: f64) -> f64 {
        (self.load * self.factor.value(t)).max(0.0)
    }

    /// The pressure at time `t`.
    #[must_use]
    pub fn pressure(&self, t: f64) -> Ellipse {
        Ellipse::of_load(self.load_at(t), self.radius, self.modulus)
    }

    /// Q at time `t`, at most μ P in size \[N/m\].
    fn shear_at(&self, t: f64) -> f64 {
        let limit = self.friction * self.load_at(t);
        (self.shear * self.shear_factor.value(t)).max(-limit).min(limit)
    }

    /// Half width c of the part that sticks at time `t` \[m\].
    #[must_use]
    pub fn stick_half_width(&self, t: f64) -> f64 {
        let part = self.shear_at(t).abs() / (self.friction * self.load_at(t));
        // Without load there is no contact, and `part` is 0/0.
        self.pressure(t).half_width * (1.0 - part).max(0.0).sqrt()
    }

    /// Shear on the candidates' side at a distance x from the middle at time `t` \[Pa\].
    #[must_use]
    pub fn traction(&self, x: f64, t: f64) -> f64 {
        let whole = self.pressure(t);
        let c = self.stick_half_width(t);
        // The second term is Hertz's pressure again, of half width c and peak p₀ c/a.
        let missing = Ellipse { half_width: c, peak: whole.peak * c / whole.half_width };
        self.shear_at(t).signum() * self.friction * (whole.at(x) - missing.at(x))
    }
}

impl ExactSolution for CattaneoMindlin {
    fn faults(&self) -> Vec<(&'static str, f64, &'static str)> {
        let positive =
            [("modulus", self.modulus), ("radius", self.radius), ("load", self.load), ("thickness", self.thickness)];
        let mut out =
            faults_of_line(&positive, self.centre, &[("factor", &self.factor), ("shear_factor", &self.shear_factor)]);
        if !(self.friction.is_finite() && self.friction > 0.0) {
            out.push(("friction", self.friction, "must be positive and finite"));
        }
        if self.shear.is_nan() || self.shear.abs() > self.friction * self.load {
            out.push(("shear", self.shear, "must not exceed friction times load in size"));
        }
        out
    }

    fn columns(&self) -> Vec<String> {
        ["force_x", "area", "stick_area", "max_pressure"].map(|c| format!("{}.{c}", self.pair)).to_vec()
    }

    fn value(&self, column: &str, t: f64, _: f64) -> Option<f64> {
        let (name, field) = column.rsplit_once('.')?;
        match field {
            _ if name != self.pair => None,
            "force_x" => Some(self.shear_at(t) * self.thickness),
            "area" => Some(2.0 * self.pressure(t).half_width * self.thickness),
            "stick_area" => Some(2.0 * self.stick_half_width(t) * self.thickness),
            "max_pressure" => Some(self.pressure(t).peak),
            _ => None,
        }
    }

    fn plots(&self) -> Vec<HistoryPlot> {
        vec![HistoryPlot {
            file: "contact-force.svg",
            title: "Tangential force of the contact".into(),
            quantity: "force",
            unit: "N",
            columns: vec![format!("{}.force_x", self.pair)],
        }]
    }

    fn profiles(&self, t: f64) -> Vec<Profile<'_>> {
        let pressure = self.pressure(t);
        let Some(normal) = pressure_profile(&self.pair, self.centre, pressure) else { return Vec::new() };
        let shear = Profile {
            file: "shear-profile.svg",
            title: "Shear along the contact",
            pair: &self.pair,
            part: TractionPart::Tangential,
            place: ProfileCoordinate::AlongX(self.centre),
            reach: REACH * pressure.half_width,
            exact: Box::new(move |x| self.traction(x, t)),
        };
        vec![normal, shear]
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;

    fn pushed(shear: f64) -> CattaneoMindlin {
        CattaneoMindlin {
            modulus: 1e9,
            radius: 0.025,
            load: 2e5,
            friction: 0.3,
            shear,
            factor: TimeFunction::Ramp { start: 0.0, end: 1.0, from: 0.0, to: 1.0 },
            shear_factor: TimeFunction::Ramp { start: 1.0, end: 2.0, from: 0.0, to: 1.0 },
            thickness: 0.02,
            centre: 0.0,
            pair: "joint".into(),
        }
    }

    /// ∫ of a function that ends like a root at ±b, by the midpoint rule in x = b sin φ.
    fn integral(b: f64, f: impl Fn(f64) -> f64) -> f64 {
        let n = 200_000;
        let dphi = PI / f64::from(n);
        (0..n).map(|i| -0.5 * PI + (f64::from(i) + 0.5) * dphi).map(|phi| f(b * phi.sin()) * b * phi.cos() * dphi).sum()
    }

    #[test]
    fn half_the_limit_sticks_over_0_70711_of_the_width() {
        let s = pushed(0.5 * 0.3 * 2e5);
        let a = s.pressure(2.0).half_width;
        assert!((100_000.0 * s.stick_half_width(2.0) / a - 70_711.0).abs() < 0.5);
        // While the load grows there is no shear, and everything sticks.
        assert!((s.stick_half_width(0.25) / a - 0.5).abs() < 1e-15 && s.traction(0.0, 0.25).abs() < 1e-300);
        assert!(s.stick_half_width(0.0).abs() < 1e-300 && s.profiles(0.0).is_empty());
        assert!((s.stick_half_width(1.5) / a - 0.75f64.sqrt()).abs() < 1e-14);
        assert!(
            (s.value("joint.stick_area", 2.0, 0.1).unwrap() / s.value("joint.area", 2.0, 0.1).unwrap() - 0.5f64.sqrt())
                .abs()
                < 1e-14
        );
        assert!((s.value("joint.force_x", 1.5, 0.1).unwrap() - 0.25 * 0.3 * 2e5 * 0.02).abs() < 1e-10);
        assert!(s.value("joint.force_y", 1.5, 0.1).is_none() && s.value("other.area", 1.5, 0.1).is_none());
    }

    #[test]
    fn shear_carries_the_force_and_keeps_coulombs_law() {
        for part in [-0.9, -0.5, 0.1, 0.5, 0.99, 1.0] {
            let s = pushed(part * 0.3 * 2e5);
            let (a, c) = (s.pressure(2.0).half_width, s.stick_half_width(2.0));
            let q = integral(a, |x| s.traction(x, 2.0));
            // The rule crosses the kink of q at |x| = c, where it is of order 3/2 in the step of 1.6e-5.
            assert!((q / (part * 0.3 * 2e5) - 1.0).abs() < 1e-6, "{part}: {q}");
            for i in 0..200 {
                let x = a * (f64::from(i) + 0.5) / 200.0;
                let (limit, q) = (0.3 * s.pressure(2.0).at(x), s.traction(x, 2.0));
                assert!(q * part >= 0.0 && q.abs() <= limit * (1.0 + 1e-12));
                // Slip where the limit is reached, stick where it is not.
                assert_eq!(q.abs() < limit * (1.0 - 1e-12), x < c, "{part} {x}");
            }
        }
    }

    #[test]
    fn above_the_limit_everything_slips() {
        let mut s = pushed(0.3 * 2e5);
        s.shear_factor = TimeFunction::Constant(2.0);
        assert!(s.stick_half_width(1.0).abs() < 1e-300);
        assert!((s.traction(0.0, 1.0) / (0.3 * s.pressure(1.0).peak) - 1.0).abs() < 1e-14);
        assert!(s.traction(2.0 * s.pressure(1.0).half_width, 1.0).abs() < 1e-300);
    }

    #[test]
    fn profiles_of_pressure_and_shear() {
        let s = pushed(3e4);
        let profiles = s.profiles(2.0);
        let files: Vec<&str> = profiles.iter().map(|p| p.file).collect();
        assert_eq!(files, ["pressure-profile.svg", "shear-profile.svg"]);
        let a = s.pressure(2.0).half_width;
        assert!(((profiles[1].exact)(0.9 * a) / (profiles[0].exact)(0.9 * a) - 0.3).abs() < 1e-12);
        assert_eq!(profiles[1].part, TractionPart::Tangential);
    }

    #[test]
    fn bad_parameters_are_named() {
        assert!(pushed(6e4).faults().is_empty());
        let s =
            CattaneoMindlin { load: -1.0, friction: 0.0, shear_factor: TimeFunction::Table(Vec::new()), ..pushed(1.0) };
        let names: Vec<&str> = s.faults().iter().map(|f| f.0).collect();
        assert_eq!(names, ["load", "shear_factor", "friction", "shear"]);
        let names: Vec<&str> = pushed(f64::NAN).faults().iter().map(|f| f.0).collect();
        assert_eq!(names, ["shear"]);
    }
}
