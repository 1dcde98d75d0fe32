//! Contacts that are tied.
//!
//! ```text
//! Never:      g⁺ = 0, u_T⁺ = 0                                          what was glued stays where it was
//! InTension:  0 ≤ g⁺ ⟂ p_N ≥ 0,   p_N > 0 ⇒ U_T = 0                     sticks without limit while pressed, opens freely
//! ```
//!
//! The bilateral kernel of Jean, Acary & Monerie 2001 (§4, "no bound on the reaction") with a_N = g/τ and a_T = u_Tc/τ.
//!
//! Never ties the points that touch when the run begins; points that come later are contacts without friction. InTension ties every point
//! while it is pressed, wherever it landed. Its outer fixed point goes one way at a contact whose neighbours do not change: free → tied if it
//! penetrates; tied → Coulomb with a coefficient of 100 if it is pulled, and there it stays. A solution that sticks without bound need
//! not exist (where sliding would press the contact open, as in Painlevé's paradox); this friction has one, and it is then the law's.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::statement::{self, tangent};
use super::{ContactInput, ContactLaw, HistoryEntry, LawEnergy, StepTimes};
use crate::error::SolverError;
use crate::linalg::{Vector, length, relative};
use crate::local::Status;
use crate::problem::{Cone, Derived};
use crate::solution::ContactSolution;

/// Friction that counts as without bound where sticking is impossible.
const UNBOUNDED: f64 = 100.0;

/// Bodies tied together at their contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Tied {
    /// When the tie is released.
    pub release: Release,
}

/// When a tie is released.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Release {
    /// Never: points that touch at the start stay together.
    #[default]
    Never,
    /// As soon as it is pulled; it holds again when it is pressed.
    InTension,
}

impl Tied {
    /// There is nothing to check.
    ///
    /// # Errors
    /// None.
    pub fn validate(&self) -> Result<(), SolverError> {
        Ok(())
    }

    fn glued(&self, z: &[f64]) -> bool {
        self.release == Release::Never && z[0] > 0.5
    }

    /// Cone of a contact that is not glued.
    fn cone<const D: usize>(
        &self,
        x: &ContactInput<D>,
        step: &StepTimes,
        iterate: Option<&ContactSolution<D>>,
    ) -> Cone {
        let closing = |v: &Vector<D>| x.gap + step.gap_time * v[0] < 0.0;
        let tied = |yes| if yes { Cone::Bilateral } else { Cone::Open };
        match (self.release, iterate) {
            (Release::Never, _) => Cone::Coulomb(0.0),
            (Release::InTension, None) => tied(closing(&x.v_free)),
            (Release::InTension, Some(out)) => match out.status {
                Status::Open => tied(closing(&out.velocity)),
                Status::Bonded if out.impulse[0] >= 0.0 => Cone::Bilateral,
                Status::Bonded | Status::Stick | Status::Slip => Cone::Coulomb(UNBOUNDED),
            },
        }
    }
}

/// u_Tc, the way along the contact up to the contact configuration.
fn configured<const D: usize>(x: &ContactInput<D>, z: &[f64]) -> Vector<D> {
    tangent(&(Vector::<D>::from_column_slice(&z[1..=D]) + x.drift))
}

impl<const D: usize> ContactLaw<D> for Tied {
    fn history_entries(&self) -> &'static [HistoryEntry] {
        const { &[HistoryEntry::scalar("bonded"), HistoryEntry::vector("tangential_displacement")] }
    }

    fn start(&self, at_start: bool, z: &mut [f64]) {
        z.fill(0.0);
        z[0] = f64::from(u8::from(at_start && self.release == Release::Never));
    }

    fn reaches(&self, z: &[f64]) -> bool {
        self.glued(z)
    }

    fn implicit(&self) -> bool {
        self.release == Release::InTension
    }

    fn derive(
        &self,
        x: &ContactInput<D>,
        step: &StepTimes,
        z: &[f64],
        iterate: Option<&ContactSolution<D>>,
    ) -> Derived<D> {
        let glued = self.glued(z);
        let cone = if glued { Cone::Bilateral } else { self.cone(x, step, iterate) };
        let mut derived = Derived::standard(cone);
        if glued {
            derived.v_shift = configured(x, z) / step.gap_time;
        }
        derived.v_shift[0] = x.gap / step.gap_time;
        derived
    }

    fn violation(&self, x: &ContactInput<D>, out: &ContactSolution<D>, step: &StepTimes, z: &[f64]) -> f64 {
        let opening = x.gap / step.gap_time + out.velocity[0];
        if self.glued(z) {
            let mut moved = tangent(&out.velocity) + configured(x, z) / step.gap_time;
            moved[0] = opening;
            return relative(length(&moved), out.scale.velocity);
        }
        let signorini = statement::complementary(opening, out.impulse[0], &out.scale);
        let along = match self.release {
            Release::Never => statement::coulomb(0.0, &out.velocity, &out.impulse, &out.scale),
            Release::InTension => {
                let coulomb = statement::coulomb(UNBOUNDED, &out.velocity, &out.impulse, &out.scale);
                // Without a push there is nothing to hold by.
                let stuck = if out.impulse[0] > 0.0 {
                    relative(length(&tangent(&out.velocity)), out.scale.velocity)
                } else {
                    relative(length(&tangent(&out.impulse)), out.scale.impulse)
                };
                if stuck.is_nan() || coulomb.is_nan() { f64::NAN } else { stuck.min(coulomb) }
            }
        };
        statement::worst([signorini, along])
    }

    fn commit(
        &self,
        x: &ContactInput<D>,
        out: &ContactSolution<D>,
        step: &StepTimes,
        old: &[f64],
        new: &mut [f64],
    ) -> LawEnergy<D> {
        new.copy_from_slice(old);
        if !self.glued(old) {
            return LawEnergy::default();
        }
        let slid = configured(x, old) + tangent(&out.velocity) * step.rest;
        new[1..=D].copy_from_slice(slid.as_slice());
        // A tie holds by itself: all of its impulse is the bond's. It is rigid: its path has no length, it neither stores nor loses.
        LawEnergy { bond: out.impulse, ..LawEnergy::default() }
    }
}
