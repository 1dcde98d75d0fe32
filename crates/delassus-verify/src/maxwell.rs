//! Maxwell's body in uniform motions, exact.
//!
//! *Relaxation* of a strain that is held. Sheared: s = s₀ e^(−t/τ), τ = η/μ. Pulled with free sides, where the axial rate of flow is
//! σ/(3η): σ = σ₀ e^(−E t/(3η)).
//!
//! *Large simple shear* γ of a body that does not flow, as the objective rate has it (Dienes 1979):
//!
//! ```text
//! Jaumann      :  σ_xy/μ = sin γ
//! Green–Naghdi :  σ_xy/μ = 2 cos 2β (2β − 2 tan 2β ln cos β − tan β) ,   tan β = γ/2
//! ```
//!
//! *Layers* that are shortened between two walls, on a smooth bottom, under their weight (Jean 1995 §5.1 without the fault). With
//! a = σ_xx − σ_yy, b = σ_zz − σ_yy and the rates of strain D_xx = −ε̇, D_zz = 0:
//!
//! ```text
//! ȧ = 2μ (D_xx − D_yy) − a/τ ,   ḃ = −2μ D_yy − b/τ ,   σ̇_yy + (ȧ + ḃ)/3 = κ (D_xx + D_yy)
//! ```
//!
//! In a geometry that stays, ε̇ = v/L and σ_yy is constant, so that a = −ηε̇ [3(1−e^(−kt/τ)) + (1−e^(−t/τ))], k = (3λ+2μ)/(3(λ+2μ)).
//! With the geometry moving, ε̇ = v/(L − v t), and the same weight rests on a shorter layer: σ_yy = −p L/(L − v t). The equations
//! are then integrated by Runge and Kutta's fourth-order rule, to 1e-10.

use delassus_math as math;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ExactSolution, HistoryPlot};

type LayerFault = (&'static str, f64, &'static str);

fn positive(out: &mut Vec<LayerFault>, key: &'static str, value: f64) {
    if !(value.is_finite() && value > 0.0) {
        out.push((key, value, "must be positive and finite"));
    }
}

/// (λ, μ) \[Pa\].
fn lame(young: f64, poisson: f64) -> (f64, f64) {
    (young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)), young / (2.0 * (1.0 + poisson)))
}

/// A strain that is held from the start on.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct MaxwellRelaxation {
    /// Column that relaxes, such as `bar.sxx`.
    pub column: String,
    /// Its value when the strain has been reached \[Pa\].
    pub stress: f64,
    /// Time at which the strain has been reached \[s\].
    #[serde(default)]
    pub from: f64,
    /// Relaxation time: η/μ in shear, 3η/E for a bar with free sides \[s\].
    pub time: f64,
}

impl ExactSolution for MaxwellRelaxation {
    fn faults(&self) -> Vec<LayerFault> {
        let mut out = Vec::new();
        positive(&mut out, "time", self.time);
        if !self.stress.is_finite() {
            out.push(("stress", self.stress, "must be finite"));
        }
        out
    }

    fn columns(&self) -> Vec<String> {
        vec![self.column.clone()]
    }

    fn value(&self, column: &str, t: f64, _h: f64) -> Option<f64> {
        // half a step before: times are sums of steps
        (column == self.column && t >= self.from * (1.0 - 1e-9))
            .then(|| self.stress * math::exp(-(t - self.from) / self.time))
    }

    fn plots(&self) -> Vec<HistoryPlot> {
        vec![HistoryPlot {
            file: "relaxation.svg",
            title: "Relaxation of the stress".into(),
            quantity: "stress",
            unit: "Pa",
            columns: self.columns(),
        }]
    }
}

/// Large simple shear without flow.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct LargeShear {
    /// Stress probe.
    pub probe: String,
    /// Shear modulus \[Pa\].
    pub mu: f64,
    /// γ̇ \[1/s\].
    pub rate: f64,
    /// Is the objective rate Jaumann's? Green and Naghdi's otherwise.
    #[serde(default)]
    pub jaumann: bool,
}

impl ExactSolution for LargeShear {
    fn faults(&self) -> Vec<LayerFault> {
        let mut out = Vec::new();
        positive(&mut out, "mu", self.mu);
        positive(&mut out, "rate", self.rate);
        out
    }

    fn columns(&self) -> Vec<String> {
        vec![format!("{}.sxy", self.probe)]
    }

    fn value(&self, column: &str, t: f64, _h: f64) -> Option<f64> {
        let gamma = self.rate * t;
        let b = math::atan(0.5 * gamma);
        let green_naghdi =
            2.0 * math::cos(2.0 * b) * (2.0 * b - 2.0 * math::tan(2.0 * b) * math::ln(math::cos(b)) - math::tan(b));
        (*column == self.columns()[0]).then(|| self.mu * if self.jaumann { math::sin(gamma) } else { green_naghdi })
    }

    fn plots(&self) -> Vec<HistoryPlot> {
        vec![HistoryPlot {
            file: "shear-stress.svg",
            title: "Shear stress in large simple shear".into(),
            quantity: "stress",
            unit: "Pa",
            columns: self.columns(),
        }]
    }
}

/// Layers of Maxwell bodies shortened between two walls.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct MaxwellLayers {
    /// Young's modulus of all layers \[Pa\].
    pub young: f64,
    /// Poisson's ratio of all layers.
    pub poisson: f64,
    /// The layers.
    pub layers: Vec<MaxwellLayer>,
    /// Length at the start \[m\].
    pub length: f64,
    /// Speed at which it shrinks \[m/s\].
    pub speed: f64,
    /// Whether the geometry moves.
    #[serde(default)]
    pub moving: bool,
}

/// One layer.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct MaxwellLayer {
    /// Its stress probe.
    pub probe: String,
    /// η \[Pa·s\].
    pub viscosity: f64,
    /// Mean weight upon it at the start, −σ_yy \[Pa\].
    #[serde(default)]
    pub pressure: f64,
}

/// Steps of the integration over the time asked for.
const STEPS: usize = 2000;

impl MaxwellLayers {
    /// a(t) of a layer \[Pa\].
    fn differential(&self, layer: &MaxwellLayer, t: f64) -> f64 {
        let (lambda, mu) = lame(self.young, self.poisson);
        let time = layer.viscosity / mu;
        if !self.moving {
            let k = (3.0 * lambda + 2.0 * mu) / (3.0 * (lambda + 2.0 * mu));
            let grown = |rate: f64| -math::exp_m1(-rate * t / time);
            return -layer.viscosity * self.speed / self.length * (3.0 * grown(k) + grown(1.0));
        }
        let bulk = lambda + 2.0 / 3.0 * mu;
        let rates = |t: f64, [a, b]: [f64; 2]| {
            let left = self.length - self.speed * t;
            let strain = -self.speed / left;
            let weight = -layer.pressure * self.length * self.speed / (left * left);
            // the third equation with the first two put in, solved for D_yy
            let across =
                (weight + (2.0 * mu * strain - (a + b) / time) / 3.0 - bulk * strain) / (bulk + 4.0 / 3.0 * mu);
            [2.0 * mu * (strain - across) - a / time, -2.0 * mu * across - b / time]
        };
        // stiff layers: no step longer than a twentieth of the relaxation time
        let n = STEPS.max((20.0 * t / time) as usize);
        let h = t / n as f64;
        let ahead = |y: [f64; 2], k: [f64; 2], h: f64| [y[0] + h * k[0], y[1] + h * k[1]];
        let mut y = [0.0; 2];
        for i in 0..n {
            let t = i as f64 * h;
            let k1 = rates(t, y);
            let k2 = rates(t + 0.5 * h, ahead(y, k1, 0.5 * h));
            let k3 = rates(t + 0.5 * h, ahead(y, k2, 0.5 * h));
            let k4 = rates(t + h, ahead(y, k3, h));
            y = std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
        }
        y[0]
    }
}

impl ExactSolution for MaxwellLayers {
    fn faults(&self) -> Vec<LayerFault> {
        let mut out = Vec::new();
        positive(&mut out, "young", self.young);
        positive(&mut out, "length", self.length);
        positive(&mut out, "speed", self.speed);
        if !(self.poisson > -1.0 && self.poisson < 0.5) {
            out.push(("poisson", self.poisson, "must lie between -1 and 0.5"));
        }
        for layer in &self.layers {
            positive(&mut out, "layers", layer.viscosity);
        }
        out
    }

    fn columns(&self) -> Vec<String> {
        self.layers.iter().map(|l| format!("{}.differential", l.probe)).collect()
    }

    fn value(&self, column: &str, t: f64, _h: f64) -> Option<f64> {
        let probe = column.strip_suffix(".differential")?;
        let layer = self.layers.iter().find(|l| l.probe == probe)?;
        (self.speed * t < self.length).then(|| self.differential(layer, t))
    }

    fn plots(&self) -> Vec<HistoryPlot> {
        vec![HistoryPlot {
            file: "differential-stress.svg",
            title: "Horizontal minus vertical stress of the layers".into(),
            quantity: "stress",
            unit: "Pa",
            columns: self.columns(),
        }]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layers(moving: bool, pressure: f64) -> MaxwellLayers {
        let layer = |probe: &str, viscosity| MaxwellLayer { probe: probe.into(), viscosity, pressure };
        MaxwellLayers {
            young: 1e10,
            poisson: 0.25,
            layers: vec![layer("upper", 1e23), layer("lower", 1e21)],
            length: 2e4,
            speed: 0.33e-10,
            moving,
        }
    }

    const MILLION_YEARS: f64 = 3.15576e13;

    #[test]
    fn layers_of_the_benchmark() {
        let at = |moving, column| layers(moving, 0.0).value(column, MILLION_YEARS, 0.0).unwrap();
        assert!((at(false, "upper.differential") / -3.678e8 - 1.0).abs() < 2e-4);
        assert!((at(false, "lower.differential") / -6.600e6 - 1.0).abs() < 2e-4);
        // with the weight left out, as the published figures have it
        assert!((at(true, "upper.differential") / -3.792e8 - 1.0).abs() < 2e-4);
        assert!((at(true, "lower.differential") / -6.958e6 - 1.0).abs() < 3e-4);
        assert_eq!(layers(true, 0.0).value("upper.sxx", 1.0, 0.0), None);
        assert!(layers(true, 0.0).value("upper.differential", 1e15, 0.0).is_none(), "nothing is left of it");
    }

    /// Integrating with the rates of a geometry that stays must give the closed form: at first both are the same.
    #[test]
    fn both_geometries_begin_alike() {
        let t = 1e-6 * MILLION_YEARS;
        for column in ["upper.differential", "lower.differential"] {
            let [a, b] = [false, true].map(|moving| layers(moving, 0.0).value(column, t, 0.0).unwrap());
            assert!((a / b - 1.0).abs() < 1e-6, "{a} {b}: shortened by 5e-8");
        }
    }

    #[test]
    fn large_shear_has_the_published_values() {
        let at = |jaumann, gamma: f64| {
            let solution = LargeShear { probe: "p".into(), mu: 2.0, rate: 0.5, jaumann };
            solution.value("p.sxy", gamma / 0.5, 0.0).unwrap() / 2.0
        };
        for (gamma, green_naghdi, jaumann) in [(1.0, 0.869784, 0.841471), (4.0, 2.317944, -0.756802)] {
            assert!((at(false, gamma) - green_naghdi).abs() < 1e-6 && (at(true, gamma) - jaumann).abs() < 1e-6);
        }
    }

    #[test]
    fn parameters_are_judged() {
        let bad = MaxwellLayers { young: -1.0, poisson: 0.5, speed: 0.0, ..layers(true, 0.0) };
        let keys: Vec<&str> = bad.faults().iter().map(|f| f.0).collect();
        assert_eq!(keys, ["young", "speed", "poisson"]);
        assert!(layers(true, 0.0).faults().is_empty());
        let relaxation = MaxwellRelaxation { column: "p.sxy".into(), stress: f64::NAN, from: 0.0, time: 0.0 };
        assert_eq!(relaxation.faults().len(), 2);
    }
}
