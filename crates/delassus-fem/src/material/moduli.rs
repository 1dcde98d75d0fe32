//! The two moduli of isotropic elasticity, from either pair of parameters: their keys, checks and what follows from them, for every law that has them.
//!
//! ```text
//! λ = E ν / ((1+ν)(1−2ν)) ,   μ = E / (2(1+ν)) ,   κ = λ + ⅔ μ ,   c = √((λ + 2μ)/ρ)
//! ```

use crate::error::{FemError, check_positive};
use crate::tensor::{Tangent, isotropic};

/// Lamé's moduli \[Pa\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lame {
    /// λ.
    pub lambda: f64,
    /// μ > 0.
    pub mu: f64,
}

/// Moduli as a case gives them: exactly one pair of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct GivenModuli {
    pub young: Option<f64>,
    pub poisson: Option<f64>,
    pub lambda: Option<f64>,
    pub mu: Option<f64>,
}

/// Isotropic elasticity with its density, checked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Elasticity {
    /// ρ > 0 \[kg/m³\].
    pub density: f64,
    /// Speed of dilatational waves \[m/s\].
    pub wave_speed: f64,
    pub lame: Lame,
}

impl Lame {
    /// From (`young`, `poisson`) or (`lambda`, `mu`), exactly one pair of which is given; `law` names the material in errors.
    pub fn from_pair(law: &'static str, given: GivenModuli) -> Result<Self, FemError> {
        let refuse =
            |parameter, value, allowed| Err(FemError::Parameter { what: law.into(), parameter, value, allowed });
        let GivenModuli { young, poisson, lambda, mu } = given;
        match (young, poisson, lambda, mu) {
            (Some(young), Some(poisson), None, None) => {
                check_positive(law, "young", young)?;
                if (poisson - 0.5).abs() <= 0.0 {
                    return Err(FemError::Incompressible { law });
                }
                if !poisson.is_finite() || poisson <= -1.0 || poisson > 0.5 {
                    return refuse("poisson", poisson, "a number > -1 and < 0.5");
                }
                let lambda = young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson));
                Ok(Self { lambda, mu: young / (2.0 * (1.0 + poisson)) })
            }
            (None, None, Some(lambda), Some(mu)) => {
                check_positive(law, "mu", mu)?;
                if !(lambda.is_finite() && 3.0 * lambda + 2.0 * mu > 0.0) {
                    return refuse("lambda", lambda, "a number > -2/3 mu (positive bulk modulus)");
                }
                Ok(Self { lambda, mu })
            }
            (young, poisson, lambda, mu) => {
                let named = [("young", young), ("poisson", poisson), ("lambda", lambda), ("mu", mu)];
                let given: Vec<&str> = named.iter().filter(|(_, x)| x.is_some()).map(|(name, _)| *name).collect();
                let given = if given.is_empty() { "none of them".into() } else { given.join(", ") };
                Err(FemError::ElasticPair { law, given })
            }
        }
    }

    /// κ \[Pa\].
    pub fn bulk(self) -> f64 {
        self.lambda + 2.0 / 3.0 * self.mu
    }

    /// Hooke's law.
    pub fn tangent(self) -> Tangent {
        isotropic(self.lambda, self.mu)
    }

    /// With its density, checked; `law` names the material in errors.
    pub fn with_density(self, law: &'static str, density: f64) -> Result<Elasticity, FemError> {
        check_positive(law, "density", density)?;
        let wave_speed = ((self.lambda + 2.0 * self.mu) / density).sqrt();
        // moduli and density may each be finite and their combination not
        check_positive(law, "wave speed", wave_speed)?;
        Ok(Elasticity { density, wave_speed, lame: self })
    }
}

/// Declares the parameters of a law with the four keys of its moduli before its own, and with `elasticity`, which checks moduli and density.
macro_rules! law_with_moduli {
    ($(#[$about:meta])* pub struct $law:ident { $($rest:tt)* }) => {
        $(#[$about])*
        pub struct $law {
            /// Young's modulus E > 0 \[Pa\].
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub young: Option<f64>,
            /// Poisson's ratio, −1 < ν < ½ \[-\].
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub poisson: Option<f64>,
            /// First Lamé modulus λ > −⅔ μ \[Pa\].
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub lambda: Option<f64>,
            /// Shear modulus μ > 0 \[Pa\].
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub mu: Option<f64>,
            $($rest)*
        }

        impl $law {
            /// The moduli given, checked.
            fn moduli(&self) -> Result<$crate::material::moduli::Lame, $crate::FemError> {
                let Self { young, poisson, lambda, mu, .. } = *self;
                let given = $crate::material::moduli::GivenModuli { young, poisson, lambda, mu };
                $crate::material::moduli::Lame::from_pair(stringify!($law), given)
            }

            /// Moduli and density, checked.
            fn elasticity(&self, density: f64) -> Result<$crate::material::moduli::Elasticity, $crate::FemError> {
                $crate::error::check_positive(stringify!($law), "density", density)?;
                self.moduli()?.with_density(stringify!($law), density)
            }
        }
    };
}

pub(super) use law_with_moduli;
