//! A block on a rigid plane along x, pressed and driven by a constant acceleration, exact for a rigid block (Coulomb).
//!
//! With g_x, g_y the components of gravity (g_y < 0), V the initial speed along x and N = −g_y per unit of mass:
//!
//! ```text
//! slides towards +x (V > 0):        v̇ = g_x − μ N      until v = 0, at t* = V/(μ N − g_x) if μ N > g_x
//! at rest, |g_x| ≤ μ N:             stays at rest (stick)
//! at rest, |g_x| > μ N:             v̇ = g_x − μ N sign(g_x)
//! force of the plane per mass:      (−μ N sign(v), N) while sliding,  (−g_x, N) while sticking
//! ```
//!
//! V < 0 is the mirror image. A deformable block follows it with the velocity of its centre of mass, up to its vibration.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ExactSolution, HistoryPlot};
use crate::components::Components;

/// A block sliding on, or sticking to, a plane along x.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Sliding {
    /// Gravity (g_x, g_y), g_y < 0 \[m/s²\].
    pub gravity: Components,
    /// Coefficient of friction μ.
    pub friction: f64,
    /// Initial velocity along x \[m/s\].
    #[serde(default)]
    pub speed: f64,
    /// Mass of the block \[kg\].
    pub mass: f64,
    /// Probe of the block as a whole.
    pub block: String,
    /// Contact pair of the block with the plane.
    #[serde(default)]
    pub pair: Option<String>,
}

impl Sliding {
    fn gravity(&self, axis: usize) -> f64 {
        self.gravity.0.get(axis).copied().unwrap_or(0.0)
    }

    /// N per unit of mass.
    fn pressing(&self) -> f64 {
        -self.gravity(1)
    }

    /// Acceleration while sliding in the direction `sign` (±1).
    fn slip_acceleration(&self, sign: f64) -> f64 {
        self.gravity(0) - sign * self.friction * self.pressing()
    }

    /// Does a block at rest stay so?
    #[must_use]
    pub fn sticks(&self) -> bool {
        self.gravity(0).abs() <= self.friction * self.pressing()
    }

    /// Time at which the block stops first; none if it never does, 0 if it starts at rest \[s\].
    #[must_use]
    pub fn stop_time(&self) -> Option<f64> {
        if self.speed.abs() == 0.0 {
            return Some(0.0);
        }
        let a = self.slip_acceleration(self.speed.signum());
        (a * self.speed < 0.0).then(|| -self.speed / a)
    }

    /// Displacement, velocity, and acceleration at time `t`.
    fn motion(&self, t: f64) -> (f64, f64, f64) {
        let first = self.slip_acceleration(self.speed.signum());
        match self.stop_time() {
            Some(stop) if t >= stop => {
                let (x, later) = (self.speed * stop + 0.5 * first * stop * stop, t - stop);
                let a = if self.sticks() { 0.0 } else { self.slip_acceleration(self.gravity(0).signum()) };
                (x + 0.5 * a * later * later, a * later, a)
            }
            _ => (self.speed * t + 0.5 * first * t * t, self.speed + first * t, first),
        }
    }
}

impl ExactSolution for Sliding {
    fn faults(&self) -> Vec<(&'static str, f64, &'static str)> {
        let mut out = Vec::new();
        if !(self.gravity.0.len() == 2 && self.gravity.0.iter().all(|x| x.is_finite()) && self.pressing() > 0.0) {
            out.push(("gravity", self.gravity(1), "needs two finite components, the second below zero"));
        }
        if !(self.friction.is_finite() && self.friction >= 0.0) {
            out.push(("friction", self.friction, "must be finite and not negative"));
        }
        if !self.speed.is_finite() {
            out.push(("speed", self.speed, "must be finite"));
        }
        if !(self.mass.is_finite() && self.mass > 0.0) {
            out.push(("mass", self.mass, "must be positive and finite"));
        }
        out
    }

    fn columns(&self) -> Vec<String> {
        let mut out: Vec<String> = ["ux", "vx"].map(|c| format!("{}.{c}", self.block)).to_vec();
        out.extend(self.pair.iter().flat_map(|p| ["force_x", "force_y"].map(|c| format!("{p}.{c}"))));
        out
    }

    fn value(&self, column: &str, t: f64, h: f64) -> Option<f64> {
        let (name, field) = column.rsplit_once('.')?;
        let is_pair = self.pair.as_deref() == Some(name);
        match field {
            "ux" if name == self.block => Some(self.motion(t).0),
            "vx" if name == self.block => Some(self.motion(t).1),
            // The plane carries what gravity along it does not accelerate.
            "force_x" if is_pair => Some(self.mass * (self.motion(t - 0.5 * h).2 - self.gravity(0))),
            "force_y" if is_pair => Some(self.mass * self.pressing()),
            _ => None,
        }
    }

    fn plots(&self) -> Vec<HistoryPlot> {
        vec![HistoryPlot {
            file: "velocity.svg",
            title: "Velocity of the block along the plane".into(),
            quantity: "velocity",
            unit: "m/s",
            columns: vec![format!("{}.vx", self.block)],
        }]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(gx: f64, speed: f64) -> Sliding {
        Sliding {
            gravity: Components(vec![gx, -9.81]),
            friction: 0.25,
            speed,
            mass: 2.0,
            block: "block".into(),
            pair: Some("ground".into()),
        }
    }

    #[test]
    fn stops_as_the_textbook_says() {
        // v = 2 m/s, μ = 0.25: t = v/(μ g) = 0.815494 s, x = v²/(2 μ g) = 0.815494 m.
        let b = block(0.0, 2.0);
        assert!((b.stop_time().unwrap() - 0.815494).abs() < 1e-6);
        let x = |t: f64| b.value("block.ux", t, 0.0).unwrap();
        assert!((x(5.0) - 0.815494).abs() < 1e-6 && (x(0.4) - (0.8 - 0.5 * 0.25 * 9.81 * 0.16)).abs() < 1e-12);
        assert!((b.value("ground.force_x", 0.5, 0.0).unwrap() + 0.25 * 9.81 * 2.0).abs() < 1e-12);
        assert!(b.value("ground.force_x", 1.0, 0.0).unwrap().abs() < 1e-15);
        assert!(b.value("other.ux", 1.0, 0.0).is_none());
    }

    #[test]
    fn mirror_image_and_momentum() {
        let (b, m) = (block(1.5, 2.0), block(-1.5, -2.0));
        for t in [0.1, 0.7, 1.9, 3.0] {
            for c in ["block.ux", "block.vx", "ground.force_x"] {
                let (x, y) = (b.value(c, t, 0.0).unwrap(), m.value(c, t, 0.0).unwrap());
                assert!((x + y).abs() < 1e-14, "{c} {t}");
            }
        }
        // Velocity is the integral of force and gravity per mass.
        let (n, end) = (30_000, 2.5);
        let h = end / f64::from(n);
        let force: f64 = (1..=n).map(|i| b.value("ground.force_x", f64::from(i) * h, h).unwrap()).sum::<f64>() * h;
        let v = b.value("block.vx", end, 0.0).unwrap();
        assert!((2.0 + force / 2.0 + 1.5 * end - v).abs() < 1e-3);
    }

    #[test]
    fn threshold() {
        assert!(block(0.2499 * 9.81, 0.0).sticks() && !block(0.2501 * 9.81, 0.0).sticks());
        let steep = block(3.0, 0.0);
        let v = steep.value("block.vx", 2.0, 0.0).unwrap();
        assert!((v - 2.0 * (3.0 - 0.25 * 9.81)).abs() < 1e-12);
        // Thrown up a steep plane: stops, and comes back.
        let thrown = block(-3.0, 1.0);
        let stop = thrown.stop_time().unwrap();
        assert!(thrown.value("block.vx", stop + 1.0, 0.0).unwrap() < 0.0);
        // Gravity drives faster than friction brakes: never stops.
        assert!(block(5.0, 1.0).stop_time().is_none());
    }

    #[test]
    fn bad_parameters_are_named() {
        let b = Sliding {
            gravity: Components(vec![0.0, 9.81]),
            friction: -0.1,
            speed: f64::NAN,
            mass: 0.0,
            ..block(0.0, 0.0)
        };
        let names: Vec<&str> = b.faults().iter().map(|f| f.0).collect();
        assert_eq!(names, ["gravity", "friction", "speed", "mass"]);
    }
}
