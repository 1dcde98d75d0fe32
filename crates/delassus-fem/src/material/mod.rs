//! Materials: the stress of a material point, always in three dimensions.
//!
//! A material integrates its own stress over a step h and returns the algorithmic tangents; plane strain and plane
//! stress belong to the [`Section`](crate::Section), time integration to the integrator.

mod branch;
mod drucker_prager;
mod generalized_maxwell;
mod hardening;
mod invariants;
mod kelvin_voigt;
mod logarithm;
mod maxwell;
mod moduli;
mod mooney_rivlin;
mod neo_hookean;
mod orthotropic;
mod own;
mod rate;
mod st_venant_kirchhoff;
mod thermo_elastic;
mod von_mises;

use std::sync::Arc;

use delassus_error::Own;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::FemError;
use crate::tensor::{Mandel, Tangent, matrix};

pub use branch::Integration;
pub use drucker_prager::{ConeFit, DruckerPrager};
pub use generalized_maxwell::{GeneralizedMaxwell, PronyTerm};
pub use hardening::{Hardening, HardeningPoint};
pub use kelvin_voigt::KelvinVoigt;
pub use maxwell::Maxwell;
pub use mooney_rivlin::MooneyRivlin;
pub use neo_hookean::NeoHookean;
pub use orthotropic::Orthotropic;
pub use own::OwnMaterial;
pub use rate::PowerLaw;
pub use st_venant_kirchhoff::StVenantKirchhoff;
pub use thermo_elastic::ThermoElastic;
pub use von_mises::VonMises;

/// What happens to a material point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kinematics3 {
    /// Strain at the end of the step \[-\].
    pub strain: Mandel,
    /// Its change within the step \[-\].
    pub increment: Mandel,
    /// Strain rate, for materials with viscosity in parallel \[1/s\].
    pub strain_rate: Mandel,
}

impl Kinematics3 {
    /// A point at rest, unstrained.
    #[must_use]
    pub fn rest() -> Self {
        Self { strain: Mandel::zeros(), increment: Mandel::zeros(), strain_rate: Mandel::zeros() }
    }
}

/// The plastic state of a material point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlasticState {
    /// Equivalent plastic strain α \[-\].
    pub strain: f64,
    /// Yield stress that it has reached \[Pa\].
    pub yield_stress: f64,
}

/// A stretch: the right Cauchy–Green tensor C = FᵀF of a material point, with its change of volume.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stretch {
    /// C \[-\].
    pub c: Mandel,
    /// J = det F \[-\]. J² is det C, but where a point is squeezed C keeps fewer digits of it: its smallest principal value is known to the rounding of the largest.
    pub volume: f64,
}

impl Stretch {
    /// Of C alone; the volume is no number where C is no stretch.
    #[must_use]
    pub fn of(c: Mandel) -> Self {
        Self { volume: matrix(&c).determinant().sqrt(), c }
    }
}

/// A finite strain: what happens to the stretch of a material point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stretching {
    /// At the start of the step.
    pub before: Stretch,
    /// At its end.
    pub after: Stretch,
    /// Shall the tangent count what the present stress does? Without, it need not be the derivative but should be positive definite.
    pub stresses: bool,
}

/// How the material responds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Response {
    /// Cauchy stress, tension positive \[Pa\].
    pub stress: Mandel,
    /// ∂σ/∂Δε, the strain at the end moving along, at fixed strain rate; not symmetric where the material [says so](Material::has_symmetric_tangent) \[Pa\].
    pub tangent: Tangent,
    /// ∂σ/∂ε̇ at fixed strain \[Pa·s\].
    pub rate_tangent: Tangent,
    /// Stored energy at the end of the step \[J/m³\].
    pub stored: f64,
    /// Energy dissipated over the step, ≥ 0 \[J/m³\].
    pub dissipated: f64,
    /// Energy that came from outside by another way than the stress (heat that expands the material), of either sign \[J/m³\].
    pub supplied: f64,
    /// Work of the stress on the increment, along the path that the material itself integrates over the step \[J/m³\]. It is computed from stresses and
    /// increments, without `stored`, `dissipated` and `supplied`: the energy ledger closes if it is the growth of what is stored and what is dissipated, less what is
    /// supplied, and shows an error in any of them.
    pub path_work: f64,
}

/// A constitutive law at a material point.
pub trait Material: Send + Sync + std::fmt::Debug {
    /// Mass density \[kg/m³\].
    fn density(&self) -> f64;

    /// Number of internal variables per quadrature point, all zero in the natural state.
    fn n_internal(&self) -> usize {
        0
    }

    /// Is the response the same in all directions? Bodies of materials that say so share their factors when one is the other
    /// rotated.
    fn is_isotropic(&self) -> bool {
        true
    }

    /// Speed of dilatational waves in the unbounded medium, an upper bound of all others \[m/s\].
    fn wave_speed(&self) -> f64;

    /// The stress after a step of length `h` \[s\], with internal variables `z_old` before and `z_new` after it. Without
    /// increment and time it is the stress of the state.
    fn respond(&self, kinematics: &Kinematics3, h: f64, z_old: &[f64], z_new: &mut [f64]) -> Response;

    /// The same at finite strain, per undeformed volume: `stress` is the second Piola–Kirchhoff stress S, `tangent` is 2 ∂S/∂C. None for a motion that the
    /// material cannot follow. A law of small strains is taken in logarithmic strains, unless it says otherwise.
    fn respond_finite(&self, motion: &Stretching, h: f64, z_old: &[f64], z_new: &mut [f64]) -> Option<Response> {
        logarithm::in_logarithms(motion, |kinematics| self.respond(kinematics, h, z_old, z_new))
    }

    /// Is the stress of small strains linear in the increment, for given internal variables and time? Then one tangent serves all iterations of a step.
    fn is_linear(&self) -> bool {
        true
    }

    /// Is the tangent symmetric? Of one that is not, bodies use the symmetric part for their operator: forces stay exact, and Newton's iteration needs more passes.
    fn has_symmetric_tangent(&self) -> bool {
        true
    }

    /// The plastic state, from the internal variables; none for materials that do not yield. What those dissipate is plastic work.
    fn plastic(&self, _z: &[f64]) -> Option<PlasticState> {
        None
    }

    /// Does the stress follow from increments and internal variables alone? Then increments may be given in a frame that rotates
    /// with the material.
    fn follows_increments(&self) -> bool {
        false
    }

    /// The same material without what slows it down: it takes its equilibrium at once (Maxwell's, which has none under shear,
    /// that of its springs).
    ///
    /// # Errors
    /// [`FemError::Parameter`] for a material of which nothing is left then.
    fn without_viscosity(&self) -> Result<Arc<dyn Material>, FemError>;

    /// Sets internal variables of the natural state to those of a given stress; `false` if the material cannot hold one.
    fn prestress(&self, _stress: &Mandel, _z: &mut [f64]) -> bool {
        false
    }
}

impl dyn Material + '_ {
    /// The response of the natural state to a sudden strain: elastic tangent and viscosity.
    #[must_use]
    pub fn instantaneous(&self) -> Response {
        let z = vec![0.0; self.n_internal()];
        self.respond(&Kinematics3::rest(), 0.0, &z, &mut z.clone())
    }
}

/// A material law with its parameters, as a case file gives it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub enum MaterialSpec {
    /// Isotropic linear elasticity with viscosity in parallel.
    KelvinVoigt(KelvinVoigt),
    /// Elasticity and viscosity in series.
    Maxwell(Maxwell),
    /// A Prony series; the standard linear solid.
    GeneralizedMaxwell(GeneralizedMaxwell),
    /// Isotropic elasticity that flows at von Mises' yield stress.
    VonMises(VonMises),
    /// Isotropic elasticity that flows on Drucker's and Prager's cone: soils and rock.
    DruckerPrager(DruckerPrager),
    /// Compressible rubber of Neo-Hooke.
    NeoHookean(NeoHookean),
    /// Rubber of Mooney and Rivlin.
    MooneyRivlin(MooneyRivlin),
    /// Hooke's law in Green's strain.
    StVenantKirchhoff(StVenantKirchhoff),
    /// Linear elasticity with three planes of symmetry.
    Orthotropic(Orthotropic),
    /// Elasticity that expands with a given temperature.
    ThermoElastic(ThermoElastic),
    /// A material of the program that makes the case; a text has only its name and cannot be run.
    Own(Own<dyn Material>),
}

impl MaterialSpec {
    /// Checks the parameters and makes the material.
    ///
    /// # Errors
    /// [`FemError::Parameter`] or [`FemError::ElasticPair`] for parameters without physical meaning. For a material of one's own
    /// [`FemError::Own`] if it is only named, [`FemError::OwnDensity`] if it has another density.
    pub fn build(&self, density: f64) -> Result<Arc<dyn Material>, FemError> {
        match self {
            Self::KelvinVoigt(law) => Ok(Arc::new(law.build(density)?)),
            Self::Maxwell(law) => Ok(Arc::new(law.build(density)?)),
            Self::GeneralizedMaxwell(law) => Ok(Arc::new(law.build(density)?)),
            Self::VonMises(law) => Ok(Arc::new(law.build(density)?)),
            Self::NeoHookean(law) => Ok(Arc::new(law.build(density)?)),
            Self::MooneyRivlin(law) => Ok(Arc::new(law.build(density)?)),
            Self::StVenantKirchhoff(law) => Ok(Arc::new(law.build(density)?)),
            Self::DruckerPrager(law) => Ok(Arc::new(law.build(density)?)),
            Self::Orthotropic(law) => Ok(Arc::new(law.build(density)?)),
            Self::ThermoElastic(law) => Ok(Arc::new(law.build(density)?)),
            Self::Own(material) => own::build(material, density),
        }
    }

    /// Has it a yield stress?
    #[must_use]
    pub fn yields(&self) -> bool {
        match self {
            Self::VonMises(_) | Self::DruckerPrager(_) => true,
            Self::Own(own) => own.thing().is_some_and(|m| m.plastic(&vec![0.0; m.n_internal()]).is_some()),
            Self::KelvinVoigt(_)
            | Self::Maxwell(_)
            | Self::GeneralizedMaxwell(_)
            | Self::NeoHookean(_)
            | Self::MooneyRivlin(_)
            | Self::StVenantKirchhoff(_)
            | Self::Orthotropic(_)
            | Self::ThermoElastic(_) => false,
        }
    }

    /// The same material without what slows it down: it takes its equilibrium at once (Maxwell's, which has none under shear,
    /// that of its springs).
    ///
    /// # Errors
    /// [`FemError::Own`] for a material of one's own that is only named, or what it says itself.
    pub fn without_viscosity(&self) -> Result<Self, FemError> {
        Ok(match self {
            Self::KelvinVoigt(law) => Self::KelvinVoigt(law.clone().with_viscosity(0.0, 0.0)),
            Self::Maxwell(law) => Self::Maxwell(Maxwell { viscosity: None, ..law.clone() }),
            Self::GeneralizedMaxwell(law) => Self::GeneralizedMaxwell(law.at_rest()),
            Self::VonMises(law) => Self::VonMises(VonMises { rate: None, ..law.clone() }),
            Self::ThermoElastic(law) => Self::ThermoElastic(law.at_start()),
            Self::DruckerPrager(_)
            | Self::NeoHookean(_)
            | Self::MooneyRivlin(_)
            | Self::StVenantKirchhoff(_)
            | Self::Orthotropic(_) => self.clone(),
            Self::Own(material) => {
                let rest = material.get(own::KIND)?.without_viscosity()?;
                Self::Own(Own::new(format!("{}, without viscosity", material.name()), rest))
            }
        })
    }
}

/// `impl From<Law> for MaterialSpec`, each for its variant.
macro_rules! material_of {
    ($($law:ident,)*) => {
        $(impl From<$law> for MaterialSpec {
            fn from(law: $law) -> Self {
                Self::$law(law)
            }
        })*
    };
}

material_of! {
    KelvinVoigt, Maxwell, GeneralizedMaxwell, VonMises, DruckerPrager, NeoHookean, MooneyRivlin, StVenantKirchhoff, Orthotropic, ThermoElastic,
}
