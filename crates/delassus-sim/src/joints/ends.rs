//! Joints at the end of a step: forces, coordinates, and what they did to the energy.
//!
//! ```text
//! work on the bodies    λ·U_t ,  U_t = J v_t
//! held       external λ Δg*/h ,           error −λ (U_t − Δg*/h)
//! spring     stored Δ ½k(s − s₀)² ,       viscous c Δs²/h ,     numerical (θ − ½) k Δs² ,   error −λ (U_t − Δs/h)
//! friction   dissipated −λ U_t
//! ```
//!
//! Δs and Δg* are changes over the step: J at q_c is not their exact quotient, so a joint does some work of its own, of the order h². With θ = ½ it comes and goes. This error has a line of its own in the ledger (`joint_work`), which the verdict judges.
//! Its rounding is |λ| times that of the rows.

use nalgebra::{SVector, Vector3};

use super::phase::JointPhase;
use super::rows::RowLaw;
use crate::model::{Joint, JointSide, Model};

/// How far a joint is from where it should be at the end of a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JointError {
    /// Over the size of the model; of angles in rad.
    pub error: f64,
    /// What it may be.
    pub limit: f64,
    /// Name of the joint.
    pub joint: String,
}

impl JointError {
    /// Does every joint hold?
    #[must_use]
    pub fn holds(&self) -> bool {
        self.error <= self.limit
    }
}

/// What a joint did to the energy of the bodies over a step \[J\].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JointWork {
    /// Work of what drives it.
    pub external: f64,
    /// Energy dissipated by its friction.
    pub friction: f64,
    /// Energy that went into its spring.
    pub stored: f64,
    /// Energy dissipated by its damper.
    pub viscous: f64,
    /// What θ > ½ takes from its spring.
    pub numerical: f64,
    /// Energy it takes besides: the error of the time step in its rows, of either sign.
    pub error: f64,
    /// What rounding may make of that: |λ| times the error that a joint may have.
    pub rounding: f64,
}

impl JointWork {
    /// Sum of the sizes.
    #[must_use]
    pub fn turnover(&self) -> f64 {
        [self.external, self.friction, self.stored, self.viscous, self.numerical, self.error]
            .iter()
            .map(|x| x.abs())
            .sum()
    }
}

/// A joint at the end of a step.
#[derive(Clone, Debug)]
pub struct JointEnd<const D: usize> {
    /// Force on side A over the step \[N\].
    pub force: SVector<f64, D>,
    /// Moment on side A about the point of the joint; in the plane its third component \[N·m\].
    pub moment: Vector3<f64>,
    /// Angle over whole turns, displacement or change of length \[rad, m\].
    pub coordinate: f64,
    /// What it did to the energy.
    pub work: JointWork,
}

/// An impulse that a joint gives a body.
pub(crate) struct JointAction<'m, const D: usize> {
    /// Where it acts.
    pub side: &'m JointSide<D>,
    /// The place of that \[m\].
    pub at: SVector<f64, D>,
    /// Impulse \[N·s\].
    pub impulse: SVector<f64, D>,
    /// Moment besides \[N·m·s\].
    pub moment: Vector3<f64>,
}

/// Impulse and moment on side A of every joint, in world axes.
fn sums<const D: usize>(phase: &JointPhase<'_, D>, n: usize) -> Vec<(SVector<f64, D>, Vector3<f64>)> {
    let mut out = vec![(SVector::<f64, D>::zeros(), Vector3::zeros()); n];
    for (row, lambda) in phase.rows.rows.iter().zip(&phase.lambda) {
        let direction = phase.rows.blocks[row.block].frame.column(row.component) * *lambda;
        let (force, moment) = &mut out[row.joint];
        match (row.turns, D) {
            (false, _) => *force += direction,
            (true, 2) => moment[2] += direction[0],
            (true, _) => *moment += Vector3::from_fn(|i, _| direction[i]),
        }
    }
    out
}

/// The impulses of all joints on bodies.
pub(crate) fn actions<'m, const D: usize>(
    model: &'m Model<D>,
    phase: &JointPhase<'_, D>,
    q_c: &[Vec<f64>],
) -> Vec<JointAction<'m, D>> {
    let mut out = Vec::new();
    for (joint, (impulse, moment)) in model.joints.iter().zip(sums(phase, model.joints.len())) {
        let place = joint.place(model, q_c);
        for (k, sign) in [1.0, -1.0].into_iter().enumerate() {
            let at = joint.acting_point(&place, k);
            out.push(JointAction { side: &joint.sides[k], at, impulse: impulse * sign, moment: moment * sign });
        }
    }
    out
}

/// Every joint as the step left it; `v_t` are the velocities on which reactions do their work in the scheme.
pub(crate) fn describe<const D: usize>(
    model: &Model<D>,
    phase: &JointPhase<'_, D>,
    q_plus: &[Vec<f64>],
    v_t: &[&[f64]],
) -> Vec<JointEnd<D>> {
    let h = phase.step();
    let end = |(k, joint): (usize, &Joint<D>)| {
        let coordinate = joint.coordinate(&joint.place(model, q_plus), phase.before()[k]);
        JointEnd { force: SVector::zeros(), moment: Vector3::zeros(), coordinate, work: JointWork::default() }
    };
    let mut out: Vec<JointEnd<D>> = model.joints.iter().enumerate().map(end).collect();
    for (end, (impulse, moment)) in out.iter_mut().zip(sums(phase, model.joints.len())) {
        (end.force, end.moment) = (impulse / h, moment / h);
    }
    let rates = phase.rates(v_t);
    for ((row, lambda), rate) in phase.rows.rows.iter().zip(&phase.lambda).zip(rates) {
        let (joint, end) = (&model.joints[row.joint], &mut out[row.joint]);
        let work = &mut end.work;
        work.rounding += (lambda * phase.still(row)).abs();
        match row.law {
            RowLaw::Held => {
                let [t, t_plus] = phase.span();
                let driven = (row.target(joint, t_plus) - row.target(joint, t)) / h;
                work.external += lambda * driven;
                work.error -= lambda * (rate - driven);
            }
            RowLaw::Spring(s) => {
                let (before, after) = (phase.before()[row.joint], end.coordinate);
                let moved = after - before;
                let energy = |x: f64| 0.5 * s.stiffness * (x - s.rest) * (x - s.rest);
                work.stored += energy(after) - energy(before);
                work.viscous += s.damping * moved * moved / h;
                work.numerical += (phase.theta() - 0.5) * s.stiffness * moved * moved;
                work.error -= lambda * (rate - moved / h);
            }
            RowLaw::Friction(_) => work.friction -= lambda * rate,
        }
    }
    out
}

/// Of every row with friction its joint, and 0 where its law holds: |λ| ≤ h F, and no work is gained at the end of the step.
pub(crate) fn frictions<const D: usize>(phase: &JointPhase<'_, D>) -> Vec<(usize, f64)> {
    let law = |(r, (row, lambda)): (usize, (&super::rows::JointRow, &f64))| {
        let RowLaw::Friction(_) = row.law else { return None };
        // Rounding of a limit of nothing, where the joint has no reaction.
        let limit = phase.limit(row);
        let over = if lambda.abs() <= 0.0 && limit <= 0.0 { 0.0 } else { lambda.abs() / limit - 1.0 };
        let rate = phase.rate(r);
        // Beyond the limit, or pushed along, or moving although the limit is not reached.
        let moves = rate.abs() > phase.still(row);
        let bad = over > 1e-9 || (moves && (lambda * rate > 0.0 || over < -1e-9));
        Some((row.joint, if bad { 2.0 } else { 0.0 }))
    };
    phase.rows.rows.iter().zip(&phase.lambda).enumerate().filter_map(law).collect()
}

/// Of every spring its joint, and how far λ is from −h k (s_θ − s₀) − c Δs at the coordinates that the bodies reached, over its size.
pub(crate) fn springs<const D: usize>(
    model: &Model<D>,
    phase: &JointPhase<'_, D>,
    q_plus: &[Vec<f64>],
) -> Vec<(usize, f64)> {
    let law = |(row, lambda): (&super::rows::JointRow, &f64)| {
        let RowLaw::Spring(s) = row.law else { return None };
        let (joint, before) = (&model.joints[row.joint], phase.before()[row.joint]);
        let moved = joint.coordinate(&joint.place(model, q_plus), before) - before;
        let stretch = before + phase.theta() * moved - s.rest;
        let exact = -phase.step() * s.stiffness * stretch - s.damping * moved;
        // Places are known to the rounding of the model's size.
        let size = if row.turns { 1.0 } else { model.size() };
        let scale = lambda.abs() + (phase.step() * s.stiffness + s.damping) * size;
        Some((row.joint, if scale > 0.0 { (lambda - exact).abs() / scale } else { 0.0 }))
    };
    phase.rows.rows.iter().zip(&phase.lambda).filter_map(law).collect()
}
