//! A rigid ball dropped on a floor, with Newton's restitution: V⁺ = −e V⁻ at each bounce, free flight between them.
//!
//! With H the height of the fall and t₁ = √(2H/g) its time, V = g t₁,
//!
//! ```text
//! bounce n = 1, 2, …:  t_n = t₁ (1 + 2 (e + e² + … + e^(n−1))),   leaves with eⁿ V,   rises to e²ⁿ H
//! t_∞ = t₁ (1 + e)/(1 − e),   at rest from then on
//! ```

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ExactSolution, HistoryPlot};

/// Bounces that are counted one by one: e = 0.99 takes 2300 to a speed of 1e-10 V. What comes after them is rest.
const BOUNCES: usize = 100_000;

/// A ball that is dropped and bounces.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct BouncingBall {
    /// Height H of the fall, from the lowest point to the floor \[m\].
    pub height: f64,
    /// g > 0, downwards along y \[m/s²\].
    pub gravity: f64,
    /// Newton's coefficient e, from 0 to 1.
    pub restitution: f64,
    /// Probe of the ball as a whole.
    pub ball: String,
}

impl BouncingBall {
    /// t₁, time of the first bounce \[s\].
    #[must_use]
    pub fn fall_time(&self) -> f64 {
        (2.0 * self.height / self.gravity).sqrt()
    }

    /// t_∞, from when on it is at rest \[s\]; infinite for e = 1.
    #[must_use]
    pub fn rest_time(&self) -> f64 {
        self.fall_time() * (1.0 + self.restitution) / (1.0 - self.restitution)
    }

    /// Height above the floor \[m\] and velocity upwards \[m/s\] at time `t`; at a bounce the velocity is the one after it.
    #[must_use]
    pub fn at(&self, t: f64) -> (f64, f64) {
        let first = self.fall_time();
        if t < first {
            return (self.height - 0.5 * self.gravity * t * t, -self.gravity * t);
        }
        let (mut since, mut speed) = (t - first, self.restitution * self.gravity * first);
        for _ in 0..BOUNCES {
            let flight = 2.0 * speed / self.gravity;
            if t >= self.rest_time() || flight <= f64::EPSILON * t {
                break;
            }
            if since < flight {
                return (since * (speed - 0.5 * self.gravity * since), speed - self.gravity * since);
            }
            since -= flight;
            speed *= self.restitution;
        }
        (0.0, 0.0)
    }

    fn columns_of(&self) -> [String; 2] {
        [format!("{}.uy", self.ball), format!("{}.vy", self.ball)]
    }
}

impl ExactSolution for BouncingBall {
    fn faults(&self) -> Vec<(&'static str, f64, &'static str)> {
        let mut out = Vec::new();
        for (key, value) in [("height", self.height), ("gravity", self.gravity)] {
            if !(value.is_finite() && value > 0.0) {
                out.push((key, value, "positive and finite"));
            }
        }
        if !(0.0..=1.0).contains(&self.restitution) {
            out.push(("restitution", self.restitution, "from 0 to 1"));
        }
        out
    }

    fn columns(&self) -> Vec<String> {
        self.columns_of().to_vec()
    }

    fn value(&self, column: &str, t: f64, _h: f64) -> Option<f64> {
        let [way, velocity] = self.columns_of();
        let (height, speed) = self.at(t);
        match column {
            c if c == way => Some(height - self.height),
            c if c == velocity => Some(speed),
            _ => None,
        }
    }

    fn plots(&self) -> Vec<HistoryPlot> {
        let [way, velocity] = self.columns_of();
        vec![
            HistoryPlot {
                file: "bounces.svg",
                title: "Displacement of the ball".to_owned(),
                quantity: "displacement",
                unit: "m",
                columns: vec![way],
            },
            HistoryPlot {
                file: "velocity.svg",
                title: "Velocity of the ball".to_owned(),
                quantity: "velocity",
                unit: "m/s",
                columns: vec![velocity],
            },
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ball() -> BouncingBall {
        BouncingBall { height: 1.0, gravity: 9.81, restitution: 0.5, ball: "ball".to_owned() }
    }

    #[test]
    fn bounces_lose_a_quarter_of_the_height_each() {
        let b = ball();
        let first = b.fall_time();
        assert!((first - 0.451_523_640_986).abs() < 1e-12 && (b.rest_time() - 3.0 * first).abs() < 1e-14);
        let (mut t, mut flight) = (first, first);
        for n in 1..20 {
            let e = 0.5_f64.powi(n);
            let (before, after) = (b.at(t - 1e-9), b.at(t + 1e-9));
            assert!(before.0 < 1e-8 && after.0 < 1e-8, "bounce {n}");
            assert!((after.1 + 0.5 * before.1).abs() < 1e-7, "bounce {n}: {before:?} {after:?}");
            // The top of the next flight.
            let (height, speed) = b.at(t + 0.5 * flight);
            assert!((height / (e * e) - 1.0).abs() < 1e-9 && speed.abs() < 1e-9, "bounce {n}: {height}");
            t += flight;
            flight *= 0.5;
        }
        let (height, speed) = b.at(b.rest_time());
        assert!(height.abs() < 1e-15 && speed.abs() < 1e-15);
    }

    #[test]
    fn extreme_coefficients() {
        let dead = BouncingBall { restitution: 0.0, ..ball() };
        assert!((dead.rest_time() - dead.fall_time()).abs() < 1e-15);
        let (height, speed) = dead.at(0.46);
        assert!(height.abs() < 1e-15 && speed.abs() < 1e-15);
        // Nothing lost: the motion has the period 2 t₁.
        let lively = BouncingBall { restitution: 1.0, ..ball() };
        let (early, late) = (lively.at(0.3), lively.at(0.3 + 20.0 * lively.fall_time()));
        assert!((early.0 - late.0).abs() < 1e-12 && (early.1 - late.1).abs() < 1e-12, "{early:?} {late:?}");
    }

    #[test]
    fn columns_are_those_of_the_probe() {
        let b = ball();
        assert_eq!((b.columns().len(), b.plots().len()), (2, 2));
        assert!((b.value("ball.uy", 0.2, 0.0).unwrap() + 0.1962).abs() < 1e-12);
        assert!((b.value("ball.vy", 0.2, 0.0).unwrap() + 1.962).abs() < 1e-12);
        assert!(b.value("other", 0.0, 0.0).is_none());
    }

    #[test]
    fn bad_parameters_are_named() {
        assert!(ball().faults().is_empty());
        let b = BouncingBall { height: 0.0, gravity: f64::NAN, restitution: 1.5, ..ball() };
        let names: Vec<&str> = b.faults().iter().map(|f| f.0).collect();
        assert_eq!(names, ["height", "gravity", "restitution"]);
    }
}
