//! Head-on impact of two equal elastic bars, exact (d'Alembert; Carpenter, Taylor & Katona 1991; Vola et al. 1998 §6.1).
//!
//! Bar 1 occupies [−L, 0] and moves with +V, bar 2 [0, L] with −V; they touch at t = 0. With c = √(E/ρ):
//!
//! ```text
//! 0 < t < 2L/c   contact faces at rest, stress σ = −ρ c V there; the front is at distance ct (then 2L − ct) from them
//! t > 2L/c       both bars fly apart undeformed with ∓V
//! strain energy of both bars   ρ L A V² (1 − |1 − ct/L|)     for t < 2L/c, then 0
//! mean velocity of bar 1       V (1 − ct/L)                   for t < 2L/c, then −V
//! ```
//!
//! A uniform velocity `drift` may be added to both bars (Galilean shift); a gap delays everything by gap/(2V).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ExactSolution, HistoryPlot};

/// Two bars in impact, with the names of the probes and the pair they are compared with.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct BarsImpact {
    /// Young's modulus E \[Pa\].
    pub young: f64,
    /// Density ρ \[kg/m³\].
    pub density: f64,
    /// Length of each bar L \[m\].
    pub length: f64,
    /// Section A \[m²\].
    pub area: f64,
    /// Half the closing speed V \[m/s\].
    pub speed: f64,
    /// Velocity added to both bars \[m/s\].
    #[serde(default)]
    pub drift: f64,
    /// Initial gap \[m\].
    #[serde(default)]
    pub gap: f64,
    /// Contact pair whose candidates are on the left bar.
    #[serde(default)]
    pub pair: Option<String>,
    /// Probe on the contact face of the left bar.
    #[serde(default)]
    pub left_face: Option<String>,
    /// Probe on the contact face of the right bar.
    #[serde(default)]
    pub right_face: Option<String>,
    /// Probe of the left bar as a whole.
    #[serde(default)]
    pub left_bar: Option<String>,
    /// Probe of the right bar as a whole.
    #[serde(default)]
    pub right_bar: Option<String>,
}

impl BarsImpact {
    /// c = √(E/ρ) \[m/s\].
    #[must_use]
    pub fn wave_speed(&self) -> f64 {
        (self.young / self.density).sqrt()
    }

    /// Contact lasts for 2L/c \[s\].
    #[must_use]
    pub fn contact_time(&self) -> f64 {
        2.0 * self.length / self.wave_speed()
    }

    /// Time of first touch \[s\].
    fn touch(&self) -> f64 {
        self.gap / (2.0 * self.speed)
    }

    /// ρ c V \[Pa\].
    #[must_use]
    pub fn contact_stress(&self) -> f64 {
        self.density * self.wave_speed() * self.speed
    }

    /// Velocity of the left face without drift.
    fn face_velocity(&self, t: f64) -> f64 {
        let s = t - self.touch();
        if s < 0.0 {
            self.speed
        } else if s < self.contact_time() {
            0.0
        } else {
            -self.speed
        }
    }

    /// Mean velocity of the left bar without drift.
    fn bar_velocity(&self, t: f64) -> f64 {
        let phase = ((t - self.touch()) / self.contact_time()).clamp(0.0, 1.0);
        self.speed * (1.0 - 2.0 * phase)
    }
}

impl ExactSolution for BarsImpact {
    fn faults(&self) -> Vec<(&'static str, f64, &'static str)> {
        let positive = [
            ("young", self.young),
            ("density", self.density),
            ("length", self.length),
            ("area", self.area),
            ("speed", self.speed),
        ];
        let mut out: Vec<_> = positive
            .into_iter()
            .filter(|(_, x)| !(x.is_finite() && *x > 0.0))
            .map(|(key, x)| (key, x, "must be positive and finite"))
            .collect();
        if !(self.gap.is_finite() && self.gap >= 0.0) {
            out.push(("gap", self.gap, "must be finite and not negative"));
        }
        if !self.drift.is_finite() {
            out.push(("drift", self.drift, "must be finite"));
        }
        out
    }

    fn columns(&self) -> Vec<String> {
        let probes = [&self.left_face, &self.right_face, &self.left_bar, &self.right_bar];
        let mut out: Vec<String> = probes.into_iter().flatten().map(|p| format!("{p}.vx")).collect();
        out.extend(self.pair.iter().map(|p| format!("{p}.force_x")));
        out.push("elastic_energy".into());
        out
    }

    fn value(&self, column: &str, t: f64, h: f64) -> Option<f64> {
        let is = |name: &Option<String>, field: &str| {
            name.as_ref()
                .is_some_and(|n| column.strip_prefix(n.as_str()).and_then(|x| x.strip_prefix('.')) == Some(field))
        };
        if is(&self.left_face, "vx") {
            Some(self.drift + self.face_velocity(t))
        } else if is(&self.right_face, "vx") {
            Some(self.drift - self.face_velocity(t))
        } else if is(&self.left_bar, "vx") {
            Some(self.drift + self.bar_velocity(t))
        } else if is(&self.right_bar, "vx") {
            Some(self.drift - self.bar_velocity(t))
        } else if is(&self.pair, "force_x") {
            let s = t - 0.5 * h - self.touch();
            let touching = s > 0.0 && s < self.contact_time();
            Some(if touching { -self.contact_stress() * self.area } else { 0.0 })
        } else if column == "elastic_energy" {
            let phase = ((t - self.touch()) / self.contact_time()).clamp(0.0, 1.0);
            let all = self.density * self.length * self.area * self.speed * self.speed;
            Some(all * (1.0 - (1.0 - 2.0 * phase).abs()))
        } else {
            None
        }
    }

    fn plots(&self) -> Vec<HistoryPlot> {
        let faces: Vec<String> =
            [&self.left_face, &self.right_face].into_iter().flatten().map(|p| format!("{p}.vx")).collect();
        let mut out = Vec::new();
        if !faces.is_empty() {
            out.push(HistoryPlot {
                file: "contact-velocity.svg",
                title: "Velocity of the contact faces".into(),
                quantity: "velocity",
                unit: "m/s",
                columns: faces,
            });
        }
        if let Some(pair) = &self.pair {
            out.push(HistoryPlot {
                file: "contact-force.svg",
                title: "Contact force on the left bar".into(),
                quantity: "force",
                unit: "N",
                columns: vec![format!("{pair}.force_x")],
            });
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bars() -> BarsImpact {
        BarsImpact {
            young: 0.20684e12,
            density: 7895.7,
            length: 0.254,
            area: 1.0,
            speed: 5.13588,
            drift: 0.0,
            gap: 0.0,
            pair: Some("faces".into()),
            left_face: Some("l".into()),
            right_face: Some("r".into()),
            left_bar: Some("lb".into()),
            right_bar: Some("rb".into()),
        }
    }

    #[test]
    fn figures_of_the_benchmark() {
        // Independent figures: Carpenter's data worked out by hand to seven digits.
        let b = bars();
        assert!((b.wave_speed() / 5118.2553 - 1.0).abs() < 1e-7);
        assert!((b.contact_time() / 9.925257e-5 - 1.0).abs() < 1e-6);
        assert!((b.contact_stress() / 2.075523e8 - 1.0).abs() < 1e-6);
    }

    #[test]
    fn impulse_of_the_contact_reverses_the_bar() {
        let b = bars();
        let (n, end) = (20_000, 1.5 * b.contact_time());
        let h = end / f64::from(n);
        let sum: f64 = (1..=n).filter_map(|i| b.value("faces.force_x", f64::from(i) * h, h)).sum::<f64>() * h;
        let change = b.density * b.length * (b.bar_velocity(end) - b.bar_velocity(0.0));
        assert!((sum / change - 1.0).abs() < 2e-4, "{sum} {change}");
    }

    #[test]
    fn energy_is_conserved_at_the_turn() {
        let b = bars();
        let elastic = b.value("elastic_energy", 0.5 * b.contact_time(), 0.0).unwrap();
        let kinetic = b.density * b.length * b.speed * b.speed;
        assert!((elastic / kinetic - 1.0).abs() < 1e-14);
        assert!(b.value("other", 0.0, 1.0).is_none());
    }

    #[test]
    fn a_gap_delays_and_a_drift_shifts() {
        let b = BarsImpact { gap: 1e-3, drift: 7.0, ..bars() };
        let touch = 1e-3 / (2.0 * b.speed);
        assert!((b.value("l.vx", 0.99 * touch, 0.0).unwrap() - 7.0 - b.speed).abs() < 1e-12);
        assert!((b.value("r.vx", 1.01 * touch, 0.0).unwrap() - 7.0).abs() < 1e-12);
    }

    #[test]
    fn bad_parameters_are_named() {
        let b = BarsImpact { young: -1.0, gap: f64::NAN, drift: f64::INFINITY, ..bars() };
        let names: Vec<&str> = b.faults().iter().map(|f| f.0).collect();
        assert_eq!(names, ["young", "gap", "drift"]);
    }
}
