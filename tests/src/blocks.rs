//! The block on a rough plane (`cases/sliding-block.ron`, `cases/incline.ron`): its data, problems similar to it, and what is compared.
//!
//! ```text
//! thrown along a level plane:    stops after V/(μg) and V²/(2μg)
//! laid on a slope α:             sticks for tan α ≤ μ, else slides with g (sin α − μ cos α)
//! ```
//!
//! Two problems are similar if all numbers of one are those of the other times a factor L^a M^b T^c of their dimension. A change of
//! units is one kind of it; a model of scale s with the same density and gravity is another: L = s, T = √s, M = s³, so that E ∝ s.

use crate::{Run, distance, largest};

/// Width and height of the block \[m\].
pub const SIZE: [f64; 2] = [0.2, 0.1];
/// Young's modulus \[Pa\].
pub const YOUNG: f64 = 1e9;
/// Poisson's ratio.
pub const POISSON: f64 = 0.3;
/// Density \[kg/m³\].
pub const DENSITY: f64 = 1000.0;
/// Viscosity over modulus \[s\].
pub const KELVIN_VOIGT: f64 = 2e-5;
/// Coefficient of friction.
pub const FRICTION: f64 = 0.3;
/// Gravity \[m/s²\].
pub const GRAVITY: f64 = 9.81;
/// Speed at which the block is thrown \[m/s\].
pub const SPEED: f64 = 0.5;
/// Step \[s\].
pub const STEP: f64 = 1e-4;

/// V/(μg) \[s\].
#[must_use]
pub fn stop_time() -> f64 {
    SPEED / (FRICTION * GRAVITY)
}

/// V²/(2μg) \[m\].
#[must_use]
pub fn stop_distance() -> f64 {
    0.5 * SPEED * stop_time()
}

/// Gravity along and across a slope of tan α = `part` · μ \[m/s²\].
#[must_use]
pub fn slope(part: f64) -> [f64; 2] {
    let angle = (part * FRICTION).atan();
    [GRAVITY * angle.sin(), -GRAVITY * angle.cos()]
}

/// g (sin α − μ cos α) for tan α = `part` · μ \[m/s²\].
#[must_use]
pub fn slide_acceleration(part: f64) -> f64 {
    let [along, across] = slope(part);
    along + FRICTION * across
}

/// A problem similar to that of the case, turned as a whole.
#[derive(Clone, Copy, Debug)]
pub struct Similar {
    /// Name in messages.
    pub name: &'static str,
    /// Number that stands for 1 m.
    pub length: f64,
    /// Number that stands for 1 kg.
    pub mass: f64,
    /// Number that stands for 1 s.
    pub time: f64,
    /// Angle by which everything is turned about the origin, counter-clockwise \[degrees\].
    pub degrees: f64,
}

impl Similar {
    /// The problem of the case itself.
    pub const ITSELF: Self = Self { name: "itself", length: 1.0, mass: 1.0, time: 1.0, degrees: 0.0 };

    /// The model of scale `s` with the same density and gravity.
    #[must_use]
    pub fn model(name: &'static str, s: f64) -> Self {
        Self { name, length: s, mass: s.powi(3), time: s.sqrt(), degrees: 0.0 }
    }

    /// Number that stands for 1 m/s.
    #[must_use]
    pub fn speed(&self) -> f64 {
        self.length / self.time
    }

    /// Number that stands for 1 m/s².
    #[must_use]
    pub fn acceleration(&self) -> f64 {
        self.speed() / self.time
    }

    /// Number that stands for 1 N.
    #[must_use]
    pub fn force(&self) -> f64 {
        self.mass * self.acceleration()
    }

    /// Number that stands for 1 J.
    #[must_use]
    pub fn energy(&self) -> f64 {
        self.force() * self.length
    }

    /// A vector given along and across the plane, as a case writes it.
    fn turned(&self, [along, across]: [f64; 2], unit: f64) -> String {
        let (sin, cos) = self.degrees.to_radians().sin_cos();
        format!("({:e}, {:e})", unit * (cos * along - sin * across), unit * (sin * along + cos * across))
    }

    /// The `--set` assignments that make the similar problem of a case: the block is thrown with `speed` m/s under `gravity` (along
    /// and across the plane, m/s²) for `duration` s. Checks are dropped: their numbers are those of the case.
    #[must_use]
    pub fn settings(&self, gravity: [f64; 2], speed: f64, duration: f64) -> Vec<String> {
        let pressure = self.force() / self.length.powi(2);
        let viscosity = pressure * self.time * KELVIN_VOIGT * YOUNG;
        let (bulk, shear) = (viscosity / (3.0 - 6.0 * POISSON), viscosity / (2.0 + 2.0 * POISSON));
        vec![
            format!(
                "materials.resin=(name: \"resin\", density: {:e}, law: KelvinVoigt(young: {:e}, poisson: {POISSON}, \
                 bulk_viscosity: {bulk:e}, shear_viscosity: {shear:e}))",
                DENSITY * self.mass / self.length.powi(3),
                YOUNG * pressure
            ),
            format!("bodies.block.mesh.size=({:e}, {:e})", SIZE[0] * self.length, SIZE[1] * self.length),
            format!("bodies.block.section=PlaneStrain(thickness: {:e})", self.length),
            format!("bodies.block.rotation={}", self.degrees),
            format!("bodies.block.velocity={}", self.turned([speed, 0.0], self.speed())),
            format!("obstacles.plane.shape.normal={}", self.turned([0.0, 1.0], 1.0)),
            format!("loads[0].acceleration={}", self.turned(gravity, self.acceleration())),
            format!("step={:e}", STEP * self.time),
            format!("duration={:e}", duration * self.time),
            "verify=(checks: [])".to_owned(),
        ]
    }

    /// What a run of the similar problem says of the original: SI units, along and across the plane.
    #[must_use]
    pub fn track(&self, run: &Run) -> Track {
        let (sin, cos) = self.degrees.to_radians().sin_cos();
        let scalar = |name: &str, unit: f64| run.column(name).iter().map(|x| x / unit).collect::<Vec<f64>>();
        let vector = |name: &str, ends: [&str; 2], unit: f64| {
            let [x, y] = ends.map(|end| scalar(&format!("{name}{end}"), unit));
            let along = x.iter().zip(&y).map(|(x, y)| cos * x + sin * y).collect();
            let across = x.iter().zip(&y).map(|(x, y)| cos * y - sin * x).collect();
            (along, across)
        };
        let (u, rise) = vector("block.u", ["x", "y"], self.length);
        let (v, lift) = vector("block.v", ["x", "y"], self.speed());
        let (force, normal) = vector("ground.force_", ["x", "y"], self.force());
        Track {
            time: scalar("time", self.time),
            u,
            rise,
            v,
            lift,
            force,
            normal,
            kinetic: scalar("kinetic_energy", self.energy()),
            elastic: scalar("elastic_energy", self.energy()),
            friction: scalar("friction_dissipation", self.energy()),
            numerical: scalar("numerical_dissipation", self.energy()),
        }
    }
}

/// The motion of the block, in SI units, along and across the plane.
#[derive(Clone, Debug)]
pub struct Track {
    /// Ends of the steps \[s\].
    pub time: Vec<f64>,
    /// Displacement along the plane \[m\].
    pub u: Vec<f64>,
    /// Displacement away from the plane \[m\].
    pub rise: Vec<f64>,
    /// Velocity along the plane \[m/s\].
    pub v: Vec<f64>,
    /// Velocity away from the plane \[m/s\].
    pub lift: Vec<f64>,
    /// Force of the plane along it \[N\].
    pub force: Vec<f64>,
    /// Force of the plane away from it \[N\].
    pub normal: Vec<f64>,
    /// Kinetic energy \[J\].
    pub kinetic: Vec<f64>,
    /// Elastic energy \[J\].
    pub elastic: Vec<f64>,
    /// Work lost in friction \[J\].
    pub friction: Vec<f64>,
    /// Energy lost by the scheme \[J\].
    pub numerical: Vec<f64>,
}

impl Track {
    /// End of the first step with less speed than friction takes in one step \[s\].
    #[must_use]
    pub fn stop_time(&self) -> f64 {
        let stopped = self.v.iter().position(|v| v.abs() <= FRICTION * GRAVITY * STEP);
        stopped.map_or(f64::INFINITY, |i| self.time[i])
    }

    /// Way along the plane \[m\].
    #[must_use]
    pub fn distance(&self) -> f64 {
        self.u[self.u.len() - 1] - self.u[0]
    }

    /// Friction work over the kinetic energy at the start.
    #[must_use]
    pub fn friction_ratio(&self) -> f64 {
        self.friction[self.friction.len() - 1] / self.kinetic[0]
    }

    /// Mean acceleration along the plane from the time `from` to the end \[m/s²\].
    #[must_use]
    pub fn acceleration(&self, from: f64) -> f64 {
        let (first, last) = (self.time.iter().position(|t| *t >= from).unwrap_or(0), self.time.len() - 1);
        (self.v[last] - self.v[first]) / (self.time[last] - self.time[first])
    }

    /// Every column with its name and the size it is compared with: its largest value, for velocities that of the whole velocity (a
    /// solution of the contact law is one up to a part of the velocity, whatever its direction).
    fn columns(&self) -> [(&'static str, &[f64], f64); 11] {
        let speed = largest(&self.v).max(largest(&self.lift));
        let own = |name: &'static str, x| (name, x, largest(x));
        [
            own("time", &self.time),
            own("u", &self.u),
            own("rise", &self.rise),
            ("v", &self.v, speed),
            ("lift", &self.lift, speed),
            own("force", &self.force),
            own("normal", &self.normal),
            own("kinetic", &self.kinetic),
            own("elastic", &self.elastic),
            own("friction", &self.friction),
            own("numerical", &self.numerical),
        ]
    }

    /// Largest relative difference of another run in any of the columns, all if none is named, and where it is.
    #[must_use]
    pub fn difference(&self, other: &Self, names: &[&str]) -> (f64, &'static str) {
        let pairs = self.columns().into_iter().zip(other.columns());
        let wanted = pairs.filter(|((name, ..), _)| names.is_empty() || names.contains(name));
        let relative = wanted.map(|((name, x, size), (_, y, _))| (distance(x, y) / size, name));
        relative.fold((0.0, "none"), |m, x| if x.0 > m.0 || x.0.is_nan() { x } else { m })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_of_a_model_keep_gravity_and_density() {
        let s = Similar::model("1/10", 0.1);
        assert!((s.acceleration() - 1.0).abs() < 1e-15 && (s.mass / s.length.powi(3) - 1.0).abs() < 1e-15);
        // E ∝ s.
        assert!((s.force() / s.length.powi(2) - 0.1).abs() < 1e-15);
        let quarter = Similar { degrees: 90.0, ..Similar::ITSELF };
        assert_eq!(quarter.turned([0.0, 2.0], 1.0), "(-2e0, 1.2246467991473532e-16)");
    }

    #[test]
    fn slopes() {
        let [along, across] = slope(1.01);
        assert!((along / -across - 1.01 * FRICTION).abs() < 1e-15 && (along.hypot(across) - GRAVITY).abs() < 1e-14);
        assert!((slide_acceleration(1.01) - 0.0281654650953).abs() < 1e-12);
        assert!(slide_acceleration(1.0).abs() < 1e-14 && slide_acceleration(0.99) < 0.0);
    }
}
