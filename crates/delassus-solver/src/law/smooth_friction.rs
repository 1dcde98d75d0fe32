//! Coulomb's friction and a free smooth function of the sliding velocity.
//!
//! ```text
//! R_T = R_CT + f(U_T) ,      (U_T, R_CT) Coulomb with μ ,      f(U_T) = −φ(‖U_T‖) R_N U_T/‖U_T‖
//! ```
//!
//! Jean 1995, §1.4 and figure 6: "a friction force obeying Coulomb's law, while the other is a smooth function of the sliding velocity". φ(0) = 0, so that f is
//! smooth through rest too; with μ = 0 the whole law is (his figure 5, smoothed), and nothing sticks. φ goes through given points, by cubics with the slopes of
//! Steffen (1990): its derivative is continuous, and between two points φ is monotone, so that μ + φ ≥ 0 where it is at the points: friction never drives.
//! Beyond the last point φ is constant.
//!
//! The outer fixed point: the first iteration has μ alone, so that what μ holds sticks. From a solution (U, p) then, V is the least speed at which the law has the
//! drag, if the contact comes to it along the line of its mobility (`FrictionCurve::speed`). With m = φ′(V) and N = p_N:
//!
//! - φ falls: Coulomb with μ + φ(V);
//! - φ rises below its tangent through μ, φ − m V ≥ −μ: Newton's method, Coulomb with μ + φ − m V and a dashpot S_T = m N;
//! - else Coulomb with μ, a dashpot S_T = max(m, φ/V) N, which is not less than f has in any direction, and what the dashpot has too much,
//!   s_T = (φ − S_T V/N) N U_T/V.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::keys::Keys;
use super::statement::{self, tangent};
use super::{ContactInput, ContactLaw, StepTimes};
use crate::error::SolverError;
use crate::linalg::Vector;
use crate::problem::{Cone, Derived};
use crate::solution::ContactSolution;

/// Signorini's condition on the gap, Coulomb's law and friction that follows a curve over the speed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SmoothFriction {
    /// Friction coefficient μ ≥ 0 of Coulomb's part: what holds at rest.
    #[serde(default)]
    pub friction: f64,
    /// Points of φ, by increasing speed; (0, 0) comes first by itself.
    pub curve: Vec<FrictionPoint>,
}

/// A point of the curve of friction over speed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FrictionPoint {
    /// Sliding speed > 0 [m/s].
    pub speed: f64,
    /// φ ≥ −μ, what this speed adds to μ; without unit.
    pub added: f64,
}

impl SmoothFriction {
    /// Checks the parameters.
    ///
    /// # Errors
    /// [`SolverError::Law`] with the one that is out of range.
    pub fn validate(&self) -> Result<(), SolverError> {
        let keys = Keys("SmoothFriction");
        keys.not_negative("friction", self.friction)?;
        keys.check("curve", self.curve.len() as f64, !self.curve.is_empty(), || {
            "a list of one point or more".to_owned()
        })?;
        let mut last = 0.0;
        for point in &self.curve {
            let (speed, least) = (point.speed, -self.friction);
            keys.check("speed", speed, speed > last, || {
                format!("above {last}: the points of the curve go by increasing speed")
            })?;
            keys.check("added", point.added, point.added >= least, || {
                format!("at least -friction = {least}: friction does not drive")
            })?;
            last = speed;
        }
        Ok(())
    }

    /// The law itself.
    pub(super) fn curve(&self) -> FrictionCurve {
        FrictionCurve::new(self)
    }
}

/// A cubic from one point to the next.
#[derive(Clone, Copy, Debug)]
struct CurvePiece {
    from: f64,
    to: f64,
    value: f64,
    /// Slope of the chord, and of the curve at both ends [s/m].
    chord: f64,
    slopes: [f64; 2],
}

impl CurvePiece {
    /// φ and φ′ within the piece.
    fn at(&self, v: f64) -> (f64, f64) {
        let (x, [a, b]) = (v - self.from, self.slopes);
        let width = self.to - self.from;
        let (c2, c3) = ((3.0 * self.chord - 2.0 * a - b) / width, (a + b - 2.0 * self.chord) / (width * width));
        (self.value + x * (a + x * (c2 + x * c3)), a + x * (2.0 * c2 + 3.0 * x * c3))
    }
}

/// The law with its curve.
#[derive(Clone, Debug)]
pub(super) struct FrictionCurve {
    friction: f64,
    pieces: Vec<CurvePiece>,
    /// φ beyond the last point.
    end: f64,
}

impl FrictionCurve {
    fn new(law: &SmoothFriction) -> Self {
        let points: Vec<(f64, f64)> =
            std::iter::once((0.0, 0.0)).chain(law.curve.iter().map(|p| (p.speed, p.added))).collect();
        let widths: Vec<f64> = points.windows(2).map(|w| w[1].0 - w[0].0).collect();
        let chords: Vec<f64> = points.windows(2).map(|w| (w[1].1 - w[0].1) / (w[1].0 - w[0].0)).collect();
        let pieces = points.windows(2).enumerate().map(|(i, w)| CurvePiece {
            from: w[0].0,
            to: w[1].0,
            value: w[0].1,
            chord: chords[i],
            slopes: [slope(i, &widths, &chords), slope(i + 1, &widths, &chords)],
        });
        Self { friction: law.friction, pieces: pieces.collect(), end: points.last().map_or(0.0, |p| p.1) }
    }

    /// φ and φ′ at a speed.
    fn at(&self, v: f64) -> (f64, f64) {
        let within = self.pieces.iter().find(|piece| v < piece.to);
        within.map_or((self.end, 0.0), |piece| piece.at(v))
    }

    /// The least speed at which the law has the drag that is left when a contact of the mobility `w` comes to it from a solution: V = V_k + w (p_k − N (μ + φ(V))).
    fn speed(&self, solution: (f64, f64), push: f64, w: f64) -> f64 {
        let (own, drag) = solution;
        let beyond = |v: f64| v - own - w * (drag - push * (self.friction + self.at(v).0));
        if beyond(0.0) >= 0.0 {
            return 0.0;
        }
        let Some(piece) = self.pieces.iter().find(|piece| beyond(piece.to) >= 0.0) else {
            return own + w * (drag - push * (self.friction + self.end));
        };
        let (mut low, mut high) = (piece.from, piece.to);
        while high - low > 2.0 * f64::EPSILON * high {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                break;
            }
            if beyond(middle) < 0.0 { low = middle } else { high = middle }
        }
        0.5 * (low + high)
    }

    /// The change of variables about a solution with a push.
    fn refine<const D: usize>(&self, x: &ContactInput<D>, out: &ContactSolution<D>, derived: &mut Derived<D>) {
        let (slide, drag, push) = (tangent(&out.velocity), tangent(&out.impulse), out.impulse[0]);
        let own = slide.norm();
        // What the drag did to the velocity; without drag, what it could do at most.
        let mobility = match drag.norm() {
            size if size > 0.0 => tangent(&(out.velocity - x.v_free)).norm() / size,
            _ => out.scale.velocity / out.scale.impulse,
        };
        let v = self.speed((own, drag.norm()), push, mobility);
        let (added, slope) = self.at(v);
        let level = self.friction + added;
        let along = |s: f64| Vector::<D>::from_fn(|i, _| if i == 0 { 0.0 } else { s * push });
        if slope <= 0.0 {
            derived.cone = Cone::Coulomb(level);
        } else if level >= slope * v {
            derived.cone = Cone::Coulomb(level - slope * v);
            derived.spring = along(slope);
        } else {
            // Here v > 0, and so is the solution's own speed but where its drag alone is left.
            let steep = slope.max(added / v);
            derived.spring = along(steep);
            if own > 0.0 {
                derived.p_shift = slide * ((added - steep * v) * push / own);
            }
        }
    }
}

/// Slope of the curve at point i: Steffen's between two pieces, the parabola's at the start, none at the end.
fn slope(i: usize, widths: &[f64], chords: &[f64]) -> f64 {
    if i == chords.len() {
        return 0.0;
    }
    if i == 0 {
        let Some(next) = chords.get(1) else { return 2.0 * chords[0] };
        let part = widths[0] / (widths[0] + widths[1]);
        let parabola = chords[0] * (1.0 + part) - next * part;
        return if parabola * chords[0] <= 0.0 { 0.0 } else { limited(parabola, 2.0 * chords[0].abs()) };
    }
    let (before, after) = (chords[i - 1], chords[i]);
    if before * after <= 0.0 {
        return 0.0;
    }
    let parabola = (before * widths[i] + after * widths[i - 1]) / (widths[i - 1] + widths[i]);
    limited(parabola, 2.0 * before.abs().min(after.abs()))
}

fn limited(x: f64, most: f64) -> f64 {
    x.clamp(-most, most)
}

impl<const D: usize> ContactLaw<D> for FrictionCurve {
    fn implicit(&self) -> bool {
        true
    }

    fn derive(
        &self,
        x: &ContactInput<D>,
        step: &StepTimes,
        _z: &[f64],
        iterate: Option<&ContactSolution<D>>,
    ) -> Derived<D> {
        let mut derived = Derived::standard(Cone::Coulomb(self.friction));
        derived.v_shift[0] = x.gap / step.gap_time;
        if let Some(out) = iterate.filter(|out| out.impulse[0] > 0.0) {
            self.refine(x, out, &mut derived);
        }
        derived
    }

    fn violation(&self, x: &ContactInput<D>, out: &ContactSolution<D>, step: &StepTimes, _z: &[f64]) -> f64 {
        let speed = tangent(&out.velocity).norm();
        let opening = x.gap / step.gap_time + out.velocity[0];
        statement::contact(opening, self.friction + self.at(speed).0, &out.velocity, &out.impulse, &out.scale)
    }
}
