//! A ball that hits a plane slowly: Hertz's contact as a spring between two bodies that move as rigid ones (Hertz 1882; Johnson,
//! Contact Mechanics, 1985, §11.4(a)).
//!
//! With m the mass, V the speed, R and E* as in `hertz_point.rs`,
//!
//! ```text
//! m δ̈ = −F ,   F = k δ^(3/2) ,   k = 4/3 E* √R ,   δ(0) = 0 ,   δ̇(0) = V
//! δ_max = (15 m V² / (16 E* √R))^(2/5) ,   contact time T = 2.9432… δ_max/V ,   F_max = k δ_max^(3/2)
//! ```
//!
//! from ½ m δ̇² + 2/5 k δ^(5/2) = ½ m V², and T = 2 ∫ dδ/δ̇ = 2 (δ_max/V) ∫₀¹ dx/√(1 − x^(5/2)). Assumptions: a ≪ R, and V so small against the speed
//! of waves that they run to and fro many times in T; then nothing is lost. δ is the way of the centre of mass, positive into the plane.

use delassus_math as math;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::hertz_line::one;
use super::{ExactSolution, HistoryPlot};

/// Steps of the Runge–Kutta integration over half the contact time: errors of 3e-9 (of order 2.5 only, for δ^(3/2) is not smooth at 0).
const STEPS: u32 = 400;

/// 2 ∫₀¹ dx/√(1 − x^(5/2)) = 4/5 Γ(2/5) √π / Γ(9/10).
const CONTACT_TIME: f64 = 2.943_275_184_324_704_7;

/// A ball that hits a plane, or another.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct HertzImpact {
    /// Contact modulus E* \[Pa\].
    pub modulus: f64,
    /// Relative radius R \[m\].
    pub radius: f64,
    /// Mass m of the whole ball; of two, m₁ m₂/(m₁ + m₂) \[kg\].
    pub mass: f64,
    /// Speed of approach V \[m/s\].
    pub speed: f64,
    /// The part of the ball that the model has: 0.25 for a quarter.
    #[serde(default = "one")]
    pub part: f64,
    /// Column of `history.csv` with the contact force, positive as it pushes the ball away, such as `ground.force_y`.
    pub force: String,
    /// Column that falls by the approach δ, such as `ball.uy`.
    #[serde(default)]
    pub approach: Option<String>,
}

impl HertzImpact {
    fn stiffness(&self) -> f64 {
        4.0 / 3.0 * self.modulus * self.radius.sqrt()
    }

    /// δ_max \[m\].
    #[must_use]
    pub fn largest_approach(&self) -> f64 {
        math::powf(1.25 * self.mass * self.speed * self.speed / self.stiffness(), 0.4)
    }

    /// T \[s\].
    #[must_use]
    pub fn contact_time(&self) -> f64 {
        CONTACT_TIME * self.largest_approach() / self.speed
    }

    /// F_max of the whole ball \[N\].
    #[must_use]
    pub fn largest_force(&self) -> f64 {
        self.stiffness() * math::powf(self.largest_approach(), 1.5)
    }

    /// δ at time `t` \[m\]: symmetric about T/2, free flight before and after.
    #[must_use]
    pub fn approach_at(&self, t: f64) -> f64 {
        let whole = self.contact_time();
        let t = t.min(whole - t);
        if t <= 0.0 {
            return self.speed * t;
        }
        // In units of δ_max and δ_max/V: ẍ = −5/4 x^(3/2).
        let push = |x: f64| -1.25 * math::powf(x.max(0.0), 1.5);
        let end = t * self.speed / self.largest_approach();
        let h = end / f64::from(STEPS);
        let (mut x, mut v) = (0.0, 1.0);
        for _ in 0..STEPS {
            let (k1, l1) = (v, push(x));
            let (k2, l2) = (v + 0.5 * h * l1, push(x + 0.5 * h * k1));
            let (k3, l3) = (v + 0.5 * h * l2, push(x + 0.5 * h * k2));
            let (k4, l4) = (v + h * l3, push(x + h * k3));
            x += h / 6.0 * (k1 + 2.0 * (k2 + k3) + k4);
            v += h / 6.0 * (l1 + 2.0 * (l2 + l3) + l4);
        }
        x * self.largest_approach()
    }

    /// Contact force of the part at time `t` \[N\].
    #[must_use]
    pub fn force_at(&self, t: f64) -> f64 {
        self.part * self.stiffness() * math::powf(self.approach_at(t).max(0.0), 1.5)
    }
}

impl ExactSolution for HertzImpact {
    fn faults(&self) -> Vec<(&'static str, f64, &'static str)> {
        let positive = [
            ("modulus", self.modulus),
            ("radius", self.radius),
            ("mass", self.mass),
            ("speed", self.speed),
            ("part", self.part),
        ];
        positive
            .into_iter()
            .filter(|(_, x)| !(x.is_finite() && *x > 0.0))
            .map(|(key, x)| (key, x, "must be positive and finite"))
            .collect()
    }

    fn columns(&self) -> Vec<String> {
        std::iter::once(self.force.clone()).chain(self.approach.clone()).collect()
    }

    fn value(&self, column: &str, t: f64, h: f64) -> Option<f64> {
        if column == self.force {
            return Some(self.force_at(t - 0.5 * h));
        }
        (self.approach.as_deref() == Some(column)).then(|| -self.approach_at(t))
    }

    fn plots(&self) -> Vec<HistoryPlot> {
        let force = HistoryPlot {
            file: "contact-force.svg",
            title: "Contact force".into(),
            quantity: "force",
            unit: "N",
            columns: vec![self.force.clone()],
        };
        let approach = self.approach.iter().map(|column| HistoryPlot {
            file: "approach.svg",
            title: "Way of the ball".into(),
            quantity: "displacement",
            unit: "m",
            columns: vec![column.clone()],
        });
        std::iter::once(force).chain(approach).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ball() -> HertzImpact {
        HertzImpact {
            modulus: 2e9,
            radius: 0.05,
            mass: 0.6,
            speed: 0.4,
            part: 0.25,
            force: "ground.force_y".into(),
            approach: Some("ball.uy".into()),
        }
    }

    /// ∫₀¹ dx/√(1 − x^(5/2)) by the midpoint rule in u, x = 1 − u²: the root at the end is gone.
    #[test]
    fn the_contact_time_is_the_integral() {
        let n = 200_000;
        let h = 1.0 / f64::from(n);
        let f = |u: f64| 2.0 * u / (1.0 - (1.0 - u * u).powf(2.5)).sqrt();
        let sum: f64 = (0..n).map(|i| f((f64::from(i) + 0.5) * h) * h).sum();
        // Second order, and x^(5/2) is not smooth at u = 1.
        assert!((2.0 * sum / CONTACT_TIME - 1.0).abs() < 1e-9, "{}", 2.0 * sum);
    }

    #[test]
    fn the_textbook_formula_and_the_balance_of_energy() {
        let b = ball();
        let textbook = (15.0 * b.mass * b.speed.powi(2) / (16.0 * b.modulus * b.radius.sqrt())).powf(0.4);
        assert!((b.largest_approach() / textbook - 1.0).abs() < 1e-14);
        // The force at the largest approach, and the work up to there.
        let energy = 0.4 * b.stiffness() * b.largest_approach().powf(2.5);
        assert!((energy / (0.5 * b.mass * b.speed.powi(2)) - 1.0).abs() < 1e-14);
        assert!((b.force_at(0.5 * b.contact_time()) / (0.25 * b.largest_force()) - 1.0).abs() < 1e-8);
    }

    #[test]
    fn the_motion_obeys_its_equation_and_its_ends() {
        let b = ball();
        let whole = b.contact_time();
        assert!((b.approach_at(0.5 * whole) / b.largest_approach() - 1.0).abs() < 1e-8);
        for s in [0.1, 0.3, 0.45, 0.6, 0.9] {
            let (t, d) = (s * whole, 1e-3 * whole);
            let curvature = (b.approach_at(t + d) - 2.0 * b.approach_at(t) + b.approach_at(t - d)) / (d * d);
            // Central differences are of second order in d; x^(3/2) bends most near the start.
            let force = 4.0 * b.force_at(t) / b.mass;
            assert!((curvature + force).abs() < 2e-4 * b.largest_force() / b.mass, "{s}: {curvature} {force}");
        }
        // Impulse: twice the momentum.
        let n = 2000;
        let sum: f64 =
            (0..n).map(|i| b.force_at((f64::from(i) + 0.5) / f64::from(n) * whole) * whole / f64::from(n)).sum();
        assert!((4.0 * sum / (2.0 * b.mass * b.speed) - 1.0).abs() < 1e-6);
        // Before and after: free flight, no force.
        assert!((b.approach_at(-0.1) + 0.04).abs() < 1e-15 && b.force_at(1.01 * whole).abs() < 1e-300);
        assert!((b.value("ball.uy", whole + 0.1, 0.0).unwrap() - 0.04).abs() < 1e-12);
        assert!((b.value("ground.force_y", 0.5 * whole, 0.0).unwrap() - b.force_at(0.5 * whole)).abs() < 1e-300);
        assert!(b.value("other", 0.0, 0.0).is_none());
        assert_eq!((b.columns().len(), b.plots().len()), (2, 2));
    }

    #[test]
    fn bad_parameters_are_named() {
        assert!(ball().faults().is_empty());
        let b = HertzImpact { modulus: 0.0, radius: -1.0, mass: f64::NAN, speed: 0.0, part: f64::INFINITY, ..ball() };
        let names: Vec<&str> = b.faults().iter().map(|f| f.0).collect();
        assert_eq!(names, ["modulus", "radius", "mass", "speed", "part"]);
    }
}
