//! The passes of a step over the joints: λ for the velocities of the last pass, and whether g(q⁺) = g* holds.

use delassus_contact::{local_velocity, scatter};
use delassus_dynamics::Integrator;
use delassus_dynamics::integrator::{StepStart, finish};
use delassus_solver::StepTimes;

use super::coupled::EliminatedJoints;
use super::ends::JointError;
use super::envelope::Envelope;
use super::rows::{JointRow, JointRows, RowLaw};
use crate::condense::{Sites, condense};
use crate::error::SimError;
use crate::model::Model;
use crate::operators::Operators;
use crate::snapshot::Snapshot;
use crate::velocities::{corrected, seen, views};
use crate::w_memory::admit_w;

/// E over A_ii of a held row.
const SOFT: f64 = 1e-12;

/// Error of a joint over the size of the model that a step may leave.
pub(crate) const HELD: f64 = 1e-12;

/// The same below which no pass follows: rounding.
const SHARP: f64 = 1e-15;

/// A pass that leaves more than this part of the last error is at rounding.
const STALLED: f64 = 0.5;

/// Passes after which a step counts as not converged.
const MOST_PASSES: usize = 60;

/// Passes after which one row alone changes between sticking and slipping.
const TOGETHER: usize = 20;

/// Rate over that of rounding at which a row that slips the other way sticks.
const SLOW: f64 = 0.1;

/// Part by which friction may exceed its limit.
const OVER: f64 = 1e-10;

/// Part of its limit to which friction is known that depends on the reaction: passes follow until it is.
const SETTLED: f64 = 1e-12;

/// The joints in a step.
pub(crate) struct JointPhase<'a, const D: usize> {
    model: &'a Model<D>,
    starts: &'a [StepStart<'a>],
    q_c: &'a [Vec<f64>],
    /// Coordinates of the joints at the start of the step.
    before: &'a [f64],
    times: StepTimes,
    /// Level of forces in the scheme.
    theta: f64,
    pub rows: JointRows<D>,
    /// Length against which errors are seen, and rounding of places over it \[m\].
    size: f64,
    rounding: f64,
    /// λ by row \[N·s, N·m·s\].
    pub lambda: Vec<f64>,
    /// Directions of the rows that slip; 0 for others.
    slip: Vec<f64>,
    /// J v_k, and the values of the rows at q⁺(v_k).
    rates: Vec<f64>,
    values: Vec<f64>,
    /// A by rows: (column ≤ row, value).
    a: Vec<Vec<(usize, f64)>>,
    pub eliminated: Option<EliminatedJoints>,
    /// Largest error of a row over the size, and its joint.
    pub error: f64,
    pub worst: usize,
    passes: usize,
}

/// The bodies without contacts, held by joints.
pub(crate) struct Freed {
    /// Velocities \[m/s\].
    pub v: Vec<Vec<f64>>,
    /// Jᵀ λ₀ on the degrees of freedom \[N·s\].
    pub impulse: Vec<Vec<f64>>,
}

impl<'a, const D: usize> JointPhase<'a, D> {
    /// The joints of a model in a step; none without joints.
    pub fn new(
        model: &'a Model<D>,
        starts: &'a [StepStart<'a>],
        q_c: &'a [Vec<f64>],
        from: &'a Snapshot,
        times: StepTimes,
    ) -> Option<Self> {
        if model.joints.is_empty() {
            return None;
        }
        let rows = JointRows::at(model, q_c);
        let n = rows.rows.len();
        let farthest = rows.blocks.iter().map(|b| b.point.amax()).fold(0.0, f64::max);
        let size = model.size();
        Some(Self {
            model,
            starts,
            q_c,
            before: &from.joints,
            times,
            theta: model.integrator.force_level().unwrap_or(1.0),
            rounding: 16.0 * f64::EPSILON * farthest / size,
            size,
            lambda: vec![0.0; n],
            slip: vec![0.0; n],
            rates: vec![0.0; n],
            values: vec![0.0; n],
            a: Vec::new(),
            eliminated: None,
            error: f64::INFINITY,
            worst: 0,
            passes: 0,
            rows,
        })
    }

    /// Length of the step \[s\].
    pub fn step(&self) -> f64 {
        self.times.h
    }

    /// Its start and its end \[s\].
    pub fn span(&self) -> [f64; 2] {
        let t = self.starts[0].from.t;
        [t, t + self.times.h]
    }

    /// Rate of a row at the end of the step.
    pub fn rate(&self, row: usize) -> f64 {
        self.rates[row]
    }

    /// A rate that is rounding.
    pub fn still(&self, row: &JointRow) -> f64 {
        HELD * if row.turns { 1.0 } else { self.size } / self.times.rest
    }

    /// Level of forces in the scheme.
    pub fn theta(&self) -> f64 {
        self.theta
    }

    /// Coordinates of the joints at the start of the step.
    pub fn before(&self) -> &[f64] {
        self.before
    }

    /// Rates of the rows for velocities of the bodies.
    pub fn rates(&self, v: &[&[f64]]) -> Vec<f64> {
        let sites = self.model.site_velocities(self.q_c, v);
        let sites = seen(&sites);
        let blocks: Vec<_> = self.rows.blocks.iter().map(|b| local_velocity(b, &sites)).collect();
        self.rows.rows.iter().map(|r| blocks[r.block][r.component]).collect()
    }

    /// Values of the rows where a step with velocities `v` ends.
    fn values(&self, v: &[Vec<f64>]) -> Vec<f64> {
        let q = end_configurations(&*self.model.integrator, self.model, self.starts, v);
        values(self.model, &self.rows.rows, &q, self.before)
    }

    /// Jᵀ λ on the degrees of freedom \[N·s\].
    pub fn impulse(&self, lambda: &[f64]) -> Vec<Vec<f64>> {
        let mut sites = self.model.no_impulses();
        for (k, block) in self.rows.blocks.iter().enumerate() {
            let mut p = delassus_solver::Vector::<D>::zeros();
            let own = self.rows.rows.iter().zip(lambda).filter(|(r, _)| r.block == k);
            own.for_each(|(r, x)| p[r.component] += x);
            scatter(block, &p, &mut sites);
        }
        self.model.gathered(self.q_c, sites)
    }

    /// The velocities of the bodies without contacts, for those without any impulse.
    pub fn free(&mut self, operators: &mut Operators, v_free: &[Vec<f64>]) -> Result<Freed, SimError> {
        if self.passes == 0 {
            self.rates = self.rates(&views(v_free));
            self.values = self.values(v_free);
        }
        let varies = (0..self.model.bodies.len()).any(|b| self.model.operator_varies(b));
        if self.a.is_empty() || varies {
            self.a = self.matrix(operators)?;
            self.eliminated = None;
        }
        if self.eliminated.is_none() {
            self.eliminated = Some(self.eliminate());
        }
        let rates = self.rates(&views(v_free));
        let slipping: Vec<f64> = self.rows.rows.iter().zip(&self.slip).map(|(r, s)| s * self.limit(r)).collect();
        let pushed = self.product(&slipping);
        let eliminated = self.eliminated.take().unwrap_or_else(|| self.eliminate());
        let mut x: Vec<f64> = eliminated
            .active
            .iter()
            .map(|&r| {
                let soft = if matches!(self.rows.rows[r].law, RowLaw::Spring(_)) { 0.0 } else { self.softness(r) };
                self.aim(r) + soft * self.lambda[r] - rates[r] - pushed[r]
            })
            .collect();
        eliminated.factor.forward(&mut x);
        eliminated.factor.backward(&mut x);
        self.lambda = slipping;
        eliminated.active.iter().zip(&x).for_each(|(&r, x)| self.lambda[r] = *x);
        self.eliminated = Some(eliminated);
        let impulse = self.impulse(&self.lambda);
        let v = operators.for_each_body(|i, w| corrected(w, &v_free[i], &impulse[i]));
        Ok(Freed { v, impulse })
    }

    /// h F + μ r |Λ| of a row with friction, Λ the impulse that the joint has held across its coordinate in the last pass.
    pub fn limit(&self, row: &JointRow) -> f64 {
        let RowLaw::Friction(f) = row.law else { return 0.0 };
        if f.per_force <= 0.0 {
            return self.times.h * f.limit;
        }
        let joint = &self.model.joints[row.joint];
        let own = self.rows.rows.iter().zip(&self.lambda).filter(|(r, _)| r.joint == row.joint && r.is_reaction(joint));
        let reaction = own.map(|(_, x)| x * x).sum::<f64>().sqrt();
        self.times.h * f.limit + f.per_force * reaction
    }

    /// Is there a row that slips, with friction that is not yet that of the reaction?
    fn is_unsettled(&self) -> bool {
        let off = |(r, row): (usize, &JointRow)| {
            let limit = self.limit(row);
            self.slip[r].abs() > 0.0 && (self.lambda[r].abs() - limit).abs() > SETTLED * limit
        };
        self.rows.rows.iter().enumerate().any(off)
    }

    /// κ of a spring: λ = −h k (s − s₀) − κ (s⁺ − s).
    fn stiffness(&self, spring: &crate::model::JointSpring) -> f64 {
        self.times.h * spring.stiffness * self.theta + spring.damping
    }

    /// E of a row.
    fn softness(&self, r: usize) -> f64 {
        match self.rows.rows[r].law {
            RowLaw::Spring(s) => 1.0 / (self.stiffness(&s) * self.times.rest),
            _ => SOFT * self.a[r].last().map_or(0.0, |e| e.1),
        }
    }

    /// b of a row.
    fn aim(&self, r: usize) -> f64 {
        let row = &self.rows.rows[r];
        let (joint, rest) = (&self.model.joints[row.joint], self.times.rest);
        match row.law {
            RowLaw::Held => {
                let target = row.target(joint, self.starts[0].from.t + self.times.h);
                self.rates[r] - (self.values[r] - target) / rest
            }
            RowLaw::Spring(s) => {
                let before = self.before[row.joint];
                let pull = self.times.h * s.stiffness * (before - s.rest) / self.stiffness(&s);
                self.rates[r] - (self.values[r] - before + pull) / rest
            }
            RowLaw::Friction(_) => 0.0,
        }
    }

    /// A = J w Jᵀ.
    fn matrix(&self, operators: &mut Operators) -> Result<Vec<Vec<(usize, f64)>>, SimError> {
        let blocks: Vec<_> = self.rows.blocks.iter().collect();
        admit_w(&blocks)?;
        operators.expose(self.model, &blocks)?;
        let w = condense(&blocks, operators, Sites { model: self.model, q: self.q_c })?;
        let mut of_block: Vec<Vec<usize>> = vec![Vec::new(); blocks.len()];
        self.rows.rows.iter().enumerate().for_each(|(r, row)| of_block[row.block].push(r));
        let entries = |(r, row): (usize, &JointRow)| {
            let mut list: Vec<(usize, f64)> = Vec::new();
            for (k, block) in w.row(row.block) {
                let own = of_block[k].iter().filter(|&&c| c <= r);
                list.extend(own.map(|&c| (c, block[(row.component, self.rows.rows[c].component)])));
            }
            list.sort_unstable_by_key(|e| e.0);
            list
        };
        Ok(self.rows.rows.iter().enumerate().map(entries).collect())
    }

    /// A x.
    fn product(&self, x: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; x.len()];
        if x.iter().all(|x| x.abs() <= 0.0) {
            return out;
        }
        for (r, entries) in self.a.iter().enumerate() {
            for &(c, a) in entries {
                out[r] += a * x[c];
                if c < r {
                    out[c] += a * x[r];
                }
            }
        }
        out
    }

    /// The factor of A + E of the rows that do not slip.
    fn eliminate(&self) -> EliminatedJoints {
        let active: Vec<usize> = (0..self.slip.len()).filter(|&r| self.slip[r].abs() <= 0.0).collect();
        let place = |c: usize| active.binary_search(&c).ok();
        let entries: Vec<Vec<(usize, f64)>> = active
            .iter()
            .map(|&r| {
                let add = |c: usize, a: f64| if c == r { a + self.softness(r) } else { a };
                self.a[r].iter().filter_map(|&(c, a)| place(c).map(|k| (k, add(c, a)))).collect()
            })
            .collect();
        EliminatedJoints { factor: Envelope::factored(&entries), active }
    }

    /// Takes the end of a pass over; true if the joints hold, or if they never will. `known` says whether W of the contacts is still the same.
    pub fn is_done(&mut self, v_plus: &[Vec<f64>], added: Option<&[f64]>) -> JointVerdict {
        self.passes += 1;
        if let Some(added) = added {
            self.lambda.iter_mut().zip(added).for_each(|(x, d)| *x += d);
        }
        let rates = self.rates(&views(v_plus));
        let values = self.values(v_plus);
        let before = std::mem::replace(&mut self.error, 0.0);
        let t = self.starts[0].from.t + self.times.h;
        for (r, row) in self.rows.rows.iter().enumerate() {
            let wanted = match row.law {
                RowLaw::Held => row.target(&self.model.joints[row.joint], t),
                RowLaw::Spring(_) => self.values[r] + self.times.rest * (rates[r] - self.rates[r]),
                RowLaw::Friction(_) => continue,
            };
            let off = (values[r] - wanted).abs() / if row.turns { 1.0 } else { self.size };
            if off > self.error || off.is_nan() {
                (self.error, self.worst) = (off, row.joint);
            }
        }
        (self.rates, self.values) = (rates, values);
        let unsettled = self.is_unsettled();
        let changed = self.change_friction();
        if changed {
            self.eliminated = None;
        }
        let stalled = self.error > STALLED * before && self.error <= HELD.max(self.rounding);
        let holds = self.error <= SHARP || stalled;
        JointVerdict {
            done: (holds && !changed && !unsettled) || self.passes >= MOST_PASSES || self.error.is_nan(),
            changed,
        }
    }

    /// The largest error of a joint.
    pub fn error(&self) -> JointError {
        let joint = self.model.joints[self.worst].name.clone();
        JointError { error: self.error, limit: HELD.max(self.rounding), joint }
    }

    /// Rows with friction that stick beyond their limit slip, and those that slip the other way stick. Returns whether there was one.
    fn change_friction(&mut self) -> bool {
        let mut changed = false;
        for (r, row) in self.rows.rows.iter().enumerate() {
            let RowLaw::Friction(_) = row.law else { continue };
            let limit = self.limit(row);
            let slow = SLOW * self.still(row);
            let next = if self.slip[r].abs() > 0.0 {
                if self.rates[r] * self.slip[r] > slow { 0.0 } else { self.slip[r] }
            } else if self.lambda[r].abs() > limit * (1.0 + OVER) {
                self.lambda[r].signum()
            } else {
                0.0
            };
            if next.to_bits() != self.slip[r].to_bits() {
                (self.slip[r], changed) = (next, true);
                if self.passes >= TOGETHER {
                    break;
                }
            }
        }
        changed
    }
}

/// What a pass found.
pub(crate) struct JointVerdict {
    pub done: bool,
    /// Did a row change between sticking and slipping?
    pub changed: bool,
}

/// Configurations where a step with velocities `v` ends.
fn end_configurations<const D: usize>(
    integrator: &dyn Integrator,
    model: &Model<D>,
    starts: &[StepStart<'_>],
    v: &[Vec<f64>],
) -> Vec<Vec<f64>> {
    let mut named = vec![false; model.bodies.len()];
    model.joints.iter().flat_map(|j| &j.sides).filter_map(|s| s.body()).for_each(|b| named[b] = true);
    let end = |(k, (start, v)): (usize, (&StepStart<'_>, &Vec<f64>))| {
        if !named[k] {
            return Vec::new();
        }
        if start.system().drifting().is_some() {
            return finish(integrator, start, v.clone()).state.q;
        }
        start.system().moved(&start.from.q, &integrator.displacement(start.from, v, start.h))
    };
    starts.iter().zip(v).enumerate().map(end).collect()
}

/// Values of rows in configurations, near the coordinates that were.
pub(crate) fn values<const D: usize>(model: &Model<D>, rows: &[JointRow], q: &[Vec<f64>], near: &[f64]) -> Vec<f64> {
    let places: Vec<_> = model.joints.iter().map(|j| j.place(model, q)).collect();
    rows.iter().map(|r| r.value(&model.joints[r.joint], &places[r.joint], near[r.joint])).collect()
}
