//! An elastic bar hits another, of another length or material, head-on: exact by characteristics.
//!
//! Bar 1 (left) moves with V and touches bar 2 (right, at rest) at t = 0. With the impedances Z = ρ c, the times T = 2L/c of a wave to the free
//! end and back, v the velocities of the contact faces and p ≥ 0 the contact pressure, waves that arrive at the faces carry
//!
//! ```text
//! A₁ = v₁ + p/Z₁ ,   A₁(t) = V for t < T₁ ,  else A₁(t − T₁) − 2 p(t − T₁)/Z₁
//! A₂ = v₂ − p/Z₂ ,   A₂(t) = 0 for t < T₂ ,  else A₂(t − T₂) + 2 p(t − T₂)/Z₂
//! touching:  p = max(0, (A₁ − A₂)/(1/Z₁ + 1/Z₂)) ;   apart:  p = 0 ,  gap' = v₂ − v₁ = A₂ − A₁
//! ```
//!
//! All is constant between the times i T₁ + j T₂. Equal impedances make phases in which the faces touch without a force (A₁ = A₂). The
//! solution is known until a gap that has opened would close again.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ExactSolution, HistoryPlot};

/// One of the bars.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct UnequalBar {
    /// Young's modulus E \[Pa\].
    pub young: f64,
    /// Density ρ \[kg/m³\].
    pub density: f64,
    /// Length L \[m\].
    pub length: f64,
    /// Probe on its contact face.
    #[serde(default)]
    pub face: Option<String>,
}

impl UnequalBar {
    /// Z = ρ c \[Pa·s/m\].
    fn impedance(&self) -> f64 {
        (self.young * self.density).sqrt()
    }

    /// T = 2L/c \[s\].
    fn return_time(&self) -> f64 {
        2.0 * self.length * (self.density / self.young).sqrt()
    }
}

/// Two bars in impact, with the names of the probes and the pair they are compared with.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct BarOnBar {
    /// Contact pair whose candidates are on the left bar.
    pub pair: String,
    /// The bar that comes, on the left.
    pub striker: UnequalBar,
    /// The bar at rest, on the right.
    pub target: UnequalBar,
    /// Section A of both \[m²\].
    pub area: f64,
    /// Speed of approach V \[m/s\].
    pub speed: f64,
}

/// Impacts of unequal bars, side by side.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct UnequalBars {
    /// The impacts.
    pub impacts: Vec<BarOnBar>,
}

/// A time in which nothing changes.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Phase {
    /// Its end \[s\].
    end: f64,
    /// Contact pressure \[Pa\].
    pressure: f64,
    /// Velocities of the faces \[m/s\].
    faces: [f64; 2],
}

impl BarOnBar {
    fn bars(&self) -> [&UnequalBar; 2] {
        [&self.striker, &self.target]
    }

    /// The phases until `t` is covered, or until the solution is not known any more.
    fn phases(&self, t: f64) -> Vec<Phase> {
        let z = self.bars().map(UnequalBar::impedance);
        let back = self.bars().map(UnequalBar::return_time);
        // Velocities that differ by rounding are equal: the faces of bars of one impedance touch without a force.
        let rounding = 1e-12 * self.speed.abs();
        let mut out: Vec<Phase> = Vec::new();
        let (mut start, mut gap) = (0.0, 0.0);
        while start <= t {
            let end = next_change(start, back);
            let middle = 0.5 * (start + end);
            // What arrives now left the face one return time ago; before that it is the velocity at the start.
            let arriving = [0, 1].map(|k| {
                let initial = if k == 0 { self.speed } else { 0.0 };
                let sent =
                    |p: &Phase| if k == 0 { p.faces[0] - p.pressure / z[0] } else { p.faces[1] + p.pressure / z[1] };
                out.iter().find(|p| middle - back[k] < p.end).filter(|_| middle > back[k]).map_or(initial, sent)
            });
            let closing = arriving[0] - arriving[1];
            let touching = gap <= 0.0 && closing > rounding;
            let pressure = if touching { closing / (1.0 / z[0] + 1.0 / z[1]) } else { 0.0 };
            if !touching && closing.abs() > rounding {
                gap -= closing * (end - start);
                if gap < 0.0 {
                    // It closes within this phase.
                    return out;
                }
            }
            let faces = [arriving[0] - pressure / z[0], arriving[1] + pressure / z[1]];
            out.push(Phase { end, pressure, faces });
            start = end;
        }
        out
    }

    fn phase(&self, t: f64) -> Option<Phase> {
        self.phases(t).into_iter().find(|p| t < p.end)
    }
}

/// The first time of the form i T₁ + j T₂ after `start`.
fn next_change(start: f64, [first, second]: [f64; 2]) -> f64 {
    let slack = 1e-9 * first.min(second);
    let mut next = f64::INFINITY;
    let mut whole = 0.0;
    while whole <= start + slack {
        let rest = ((start + slack - whole) / second).floor() + 1.0;
        next = next.min(whole + rest * second);
        whole += first;
    }
    next.min(whole)
}

impl ExactSolution for UnequalBars {
    fn faults(&self) -> Vec<(&'static str, f64, &'static str)> {
        let mut positive = Vec::new();
        for impact in &self.impacts {
            positive.extend([("area", impact.area), ("speed", impact.speed)]);
            for bar in impact.bars() {
                positive.extend([("young", bar.young), ("density", bar.density), ("length", bar.length)]);
            }
        }
        let bad = positive.into_iter().filter(|(_, x)| !(x.is_finite() && *x > 0.0));
        bad.map(|(key, x)| (key, x, "must be positive and finite")).collect()
    }

    fn columns(&self) -> Vec<String> {
        let mut out = self.forces();
        let bars = self.impacts.iter().flat_map(BarOnBar::bars);
        out.extend(bars.filter_map(|b| b.face.as_ref()).map(|f| format!("{f}.vx")));
        out
    }

    fn value(&self, column: &str, t: f64, h: f64) -> Option<f64> {
        let (name, field) = column.rsplit_once('.')?;
        self.impacts.iter().find_map(|impact| {
            let face = impact.bars().iter().position(|b| b.face.as_deref() == Some(name));
            match (field, face) {
                ("vx", Some(k)) => Some(impact.phase(t).map_or(f64::NAN, |p| p.faces[k])),
                ("force_x", None) if name == impact.pair => {
                    let phase = impact.phase((t - 0.5 * h).max(0.0));
                    Some(phase.map_or(f64::NAN, |p| -impact.area * p.pressure))
                }
                _ => None,
            }
        })
    }

    fn plots(&self) -> Vec<HistoryPlot> {
        vec![HistoryPlot {
            file: "contact-force.svg",
            title: "Contact forces on the left bars".into(),
            quantity: "force",
            unit: "N",
            columns: self.forces(),
        }]
    }
}

impl UnequalBars {
    fn forces(&self) -> Vec<String> {
        self.impacts.iter().map(|i| format!("{}.force_x", i.pair)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bar(young: f64, density: f64, length: f64, face: &str) -> UnequalBar {
        UnequalBar { young, density, length, face: Some(face.into()) }
    }

    fn bars(striker: UnequalBar, target: UnequalBar) -> UnequalBars {
        UnequalBars { impacts: vec![BarOnBar { striker, target, area: 2.0, speed: 3.0, pair: "faces".into() }] }
    }

    fn force(b: &UnequalBars, t: f64) -> f64 {
        b.value("faces.force_x", t, 0.0).unwrap()
    }

    /// Energy and momentum of both bars, from what the faces did: a bar's momentum is the impulse, its energy the work.
    fn balance(b: &UnequalBars, end: f64) -> [f64; 2] {
        let n = 6_000;
        let h = end / f64::from(n);
        let mut sum = [0.0; 2];
        for i in 0..n {
            let t = (f64::from(i) + 0.5) * h;
            let f = force(b, t);
            sum[0] += h * f;
            let [v1, v2] = ["left.vx", "right.vx"].map(|c| b.value(c, t, 0.0).unwrap());
            sum[1] += h * f * (v1 - v2);
        }
        sum
    }

    /// Two equal bars exchange their velocities: pressure Z V/2 for 2L/c, all momentum passes over.
    #[test]
    fn equal_bars_exchange_their_velocities() {
        let b = bars(bar(4.0, 1.0, 1.0, "left"), bar(4.0, 1.0, 1.0, "right"));
        assert!((force(&b, 0.5) + 2.0 * 2.0 * 1.5).abs() < 1e-12 && force(&b, 1.01).abs() < 1e-12);
        let v = |c: &str, t: f64| b.value(c, t, 0.0).unwrap();
        assert!((v("left.vx", 0.5) - 1.5).abs() < 1e-12 && (v("right.vx", 0.5) - 1.5).abs() < 1e-12);
        assert!(v("left.vx", 1.1).abs() < 1e-12 && (v("right.vx", 1.1) - 3.0).abs() < 1e-12);
        // m V = 2 · 1 · 1 · 3.
        assert!((balance(&b, 1.2)[0] + 6.0).abs() < 3e-3);
    }

    /// A short bar gives all it has to a long one of its kind: it rests, touching without a force, until the wave comes back.
    #[test]
    fn a_short_bar_rests_at_a_long_one() {
        let b = bars(bar(4.0, 1.0, 1.0, "left"), bar(4.0, 1.0, 2.0, "right"));
        for (t, f, left, right) in [(0.5, -6.0, 1.5, 1.5), (1.5, 0.0, 0.0, 0.0), (2.5, 0.0, 0.0, 3.0)] {
            let found = ["faces.force_x", "left.vx", "right.vx"].map(|c| b.value(c, t, 0.0).unwrap());
            assert!(found.iter().zip([f, left, right]).all(|(x, y)| (x - y).abs() < 1e-12), "{t}: {found:?}");
        }
        let [impulse, work] = balance(&b, 2.2);
        assert!((impulse + 6.0).abs() < 3e-3 && work.abs() < 1e-9);
    }

    /// A stiff striker pushes on: each return of its wave leaves (Z₁ − Z₂)/(Z₁ + Z₂) of the pressure.
    #[test]
    fn a_stiff_bar_pushes_on() {
        // Z = 4 and 1, T = 1 and 10.
        let b = bars(bar(8.0, 2.0, 1.0, "left"), bar(1.0, 1.0, 5.0, "right"));
        let first = -2.0 * 3.0 / (1.0 / 4.0 + 1.0);
        for k in 0..8 {
            let t = f64::from(k) + 0.5;
            assert!((force(&b, t) - first * 0.6_f64.powi(k)).abs() < 1e-12, "{k}: {}", force(&b, t));
        }
        // The other way round the striker is thrown back after its own return time.
        let b = bars(bar(1.0, 1.0, 0.5, "left"), bar(8.0, 2.0, 10.0, "right"));
        assert!((force(&b, 0.5) - first).abs() < 1e-12 && force(&b, 1.5).abs() < 1e-12);
        let v = |c: &str, t: f64| b.value(c, t, 0.0).unwrap();
        // 2 p/Z₁ − V back, and the target's face at rest behind its wave.
        assert!((v("left.vx", 1.5) - (3.0 - 2.0 * 2.4)).abs() < 1e-12 && v("right.vx", 1.5).abs() < 1e-12);
    }

    /// Whatever the bars are, the faces do no work on each other in all, and the momentum that passes over is at most twice that of equal velocities.
    #[test]
    fn the_faces_lose_nothing() {
        for (young, length) in [(1.0, 0.4), (8.0, 0.3), (16.0, 3.0), (4.0, 2.0)] {
            let b = bars(bar(8.0, 2.0, 1.3, "left"), bar(young, 1.0, length, "right"));
            let [impulse, work] = balance(&b, 6.0);
            assert!(work.abs() < 1e-9, "{young} {length}: {work}");
            // Plastic and elastic impact of rigid bars.
            let (m1, m2) = (2.0 * 2.0 * 1.3, 2.0 * length);
            let plastic = m1 * m2 / (m1 + m2) * 3.0;
            assert!((0.99 * plastic..2.01 * plastic).contains(&-impulse), "{young} {length}: {impulse} {plastic}");
        }
        let b = bars(bar(1.0, 1.0, 1.0, "left"), bar(1.0, 1.0, 1.0, "right"));
        assert!(b.value("other.vx", 0.1, 0.0).is_none());
    }

    #[test]
    fn bad_parameters_are_named() {
        let mut b = bars(bar(-1.0, 1.0, 1.0, "a"), bar(1.0, f64::NAN, 1.0, "b"));
        b.impacts[0].area = 0.0;
        let names: Vec<&str> = b.faults().iter().map(|f| f.0).collect();
        assert_eq!(names, ["area", "young", "density"]);
    }
}
