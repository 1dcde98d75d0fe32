//! Elastic shear of the contact, with memory, in series with Coulomb's friction; elastic across if it is told to be.
//!
//! ```text
//! u̇_T = ė + ṡ            the contact shears elastically by e and slides by s
//! R_T = −k A e            e is remembered: when the motion turns back, the force does not, until the shear has gone back too
//! ‖R_T‖ ≤ μ R_N,          ṡ ≠ 0 ⇒ R_T = −μ R_N ṡ/‖ṡ‖
//! ```
//!
//! Jean 1995, §1.4: "one more variable, the shear elastic displacement, together with Coulomb's law". The graph of his figure 5, friction that is
//! viscous in the step (`Compliant`), has no memory and shows the wrong sign after a reversal. Over a step the law looks at
//! e_law = e_c + τ (U_T − ṡ), with e_c = e + drift:
//!
//! ```text
//! ṡ = U_T + e_c/τ + p_T/(h k A τ) = ṽ_T ,        a_T = e_c/τ ,  B_T = 1/(h k A τ) ,        Coulomb on ṽ_T
//! ```
//!
//! and the change of variables is exact. After the step the shear is mapped back to the bound μ p_N/(h k A), radially. Across, Signorini's condition, or
//! the spring of `Compliant` (his figure 4). A contact that opens forgets its shear.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::compliant::Sunk;
use super::keys::{Keys, Per};
use super::statement::{self, tangent};
use super::{ContactInput, ContactLaw, HistoryEntry, LawEnergy, StepTimes};
use crate::error::SolverError;
use crate::linalg::Vector;
use crate::problem::{Cone, Derived};
use crate::solution::ContactSolution;

/// Coulomb friction behind an elastic shear that is remembered.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ElasticShear {
    /// k > 0, traction per elastic shear [N/m³; N/m per point].
    pub shear_stiffness: f64,
    /// Pressure per penetration, > 0 [N/m³; N/m per point]; Signorini's condition if left out.
    #[serde(default)]
    pub normal_stiffness: Option<f64>,
    /// Friction coefficient μ ≥ 0.
    pub friction: f64,
    /// Whether the numbers are per area or per contact point.
    #[serde(default)]
    pub per: Per,
}

impl ElasticShear {
    /// Checks the parameters.
    ///
    /// # Errors
    /// [`SolverError::Law`] with the one that is out of range.
    pub fn validate(&self) -> Result<(), SolverError> {
        let keys = Keys("ElasticShear");
        keys.positive("shear_stiffness", self.shear_stiffness)?;
        self.normal_stiffness.map_or(Ok(()), |k| keys.positive("normal_stiffness", k))?;
        keys.not_negative("friction", self.friction)
    }
}

/// The shear over one step.
struct Shear<const D: usize> {
    /// k A [N/m].
    stiffness: f64,
    /// e at the start \[m\].
    old: Vector<D>,
    /// e_c, with the way to the contact configuration \[m\].
    configured: Vector<D>,
}

impl<const D: usize> Shear<D> {
    fn new(law: &ElasticShear, x: &ContactInput<D>, z: &[f64]) -> Self {
        let old = tangent(&Vector::<D>::from_column_slice(&z[..D]));
        Self { stiffness: law.shear_stiffness * law.per.area(x.area), old, configured: old + tangent(&x.drift) }
    }

    /// e where the law looks, and the slip up to there: the trial shear is mapped back to `bound` \[m\].
    fn mapped(&self, bound: f64, velocity: &Vector<D>, step: &StepTimes) -> (Vector<D>, Vector<D>) {
        let trial = self.configured + tangent(velocity) * step.gap_time;
        let size = trial.norm();
        let kept = if size > bound { trial * (bound / size) } else { trial };
        (kept, trial - kept)
    }

    /// ½ k A e² \[J\].
    fn energy(&self, e: &Vector<D>) -> f64 {
        0.5 * self.stiffness * e.norm_squared()
    }
}

impl<const D: usize> ContactLaw<D> for ElasticShear {
    fn history_entries(&self) -> &'static [HistoryEntry] {
        const { &[HistoryEntry::vector("elastic_shear"), HistoryEntry::scalar("bond_energy")] }
    }

    fn derive(
        &self,
        x: &ContactInput<D>,
        step: &StepTimes,
        z: &[f64],
        _iterate: Option<&ContactSolution<D>>,
    ) -> Derived<D> {
        let shear = Shear::new(self, x, z);
        let area = self.per.area(x.area);
        let across = self.normal_stiffness.map_or(0.0, |k| 1.0 / (k * area * step.h * step.gap_time));
        let along = 1.0 / (shear.stiffness * step.h * step.gap_time);
        let mut derived = Derived::standard(Cone::Coulomb(self.friction));
        derived.v_shift = shear.configured / step.gap_time;
        derived.v_shift[0] = x.gap / step.gap_time;
        derived.w_shift = Vector::<D>::from_fn(|i, _| if i == 0 { across } else { along });
        derived
    }

    fn violation(&self, x: &ContactInput<D>, out: &ContactSolution<D>, step: &StepTimes, z: &[f64]) -> f64 {
        let shear = Shear::new(self, x, z);
        let area = self.per.area(x.area);
        // What the springs give way by, as velocities: a stiff contact is judged by where it is, not by a force made from its rounding.
        let sunk = self.normal_stiffness.map_or(0.0, |k| out.impulse[0] / (step.h * k * area));
        let opening = (x.gap + step.gap_time * out.velocity[0] + sunk) / step.gap_time;
        // The shear that the force has; what else moved is slip.
        let e = tangent(&out.impulse) / (-step.h * shear.stiffness);
        let slip = tangent(&out.velocity) - (e - shear.configured) / step.gap_time;
        statement::contact(opening, self.friction, &slip, &out.impulse, &out.scale)
    }

    /// The way of the contact is elastic first and slip then, at the force reached. Where the bound has fallen below the shear that there was, the slip goes
    /// on while the force falls: then it is the mean force that slides.
    fn commit(
        &self,
        x: &ContactInput<D>,
        out: &ContactSolution<D>,
        step: &StepTimes,
        old: &[f64],
        new: &mut [f64],
    ) -> LawEnergy<D> {
        let shear = Shear::new(self, x, old);
        let push = out.impulse[0].max(0.0);
        let bound = self.friction * push / (step.h * shear.stiffness);
        let (seen, slipped) = shear.mapped(bound, &out.velocity, step);
        let way = tangent(&x.drift) + tangent(&out.velocity) * step.rest;
        let end = if push > 0.0 { shear.old + way - slipped * (step.rest / step.gap_time) } else { Vector::zeros() };
        let (shift, slip) = (end - shear.old, shear.old + way - end);
        let (last, mean) = (seen * shear.stiffness, (shear.old + end) * (0.5 * shear.stiffness));
        let fell = shear.old.norm() > bound && mean.dot(&slip) > last.dot(&slip);
        let friction = if fell { mean.dot(&slip) } else { last.norm() * slip.norm() };
        let path_work = mean.dot(&shift) + if fell { mean } else { last }.dot(&slip);
        let sunk =
            self.normal_stiffness.map(|k| Sunk::over(k * self.per.area(x.area), x, out, step)).unwrap_or_default();
        let mut bond = seen * (-step.h * shear.stiffness);
        if self.normal_stiffness.is_some() {
            bond[0] = out.impulse[0];
        }
        let stored = shear.energy(&end) + sunk.after;
        new[..D].copy_from_slice(end.as_slice());
        new[D] = stored;
        LawEnergy {
            bond,
            stored: stored - old[D],
            dissipated: 0.0,
            friction,
            path_work: path_work + sunk.path_work,
            remainder: old[D] - (shear.energy(&shear.old) + sunk.before),
        }
    }
}
