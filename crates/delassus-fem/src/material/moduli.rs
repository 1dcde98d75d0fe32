//! The two moduli of isotropic elasticity, from either pair of parameters.
//!
//! ```text
//! λ = E ν / ((1+ν)(1−2ν)) ,   μ = E / (2(1+ν)) ,   κ = λ + ⅔ μ
//! ```

use crate::error::{FemError, check_positive};

/// Lamé's moduli \[Pa\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lame {
    /// λ.
    pub lambda: f64,
    /// μ > 0.
    pub mu: f64,
}

impl Lame {
    /// From (`young`, `poisson`) or (`lambda`, `mu`), exactly one pair of which is given; `law` names the material in errors.
    pub fn from_pair(
        law: &'static str,
        young: Option<f64>,
        poisson: Option<f64>,
        lambda: Option<f64>,
        mu: Option<f64>,
    ) -> Result<Self, FemError> {
        let refuse =
            |parameter, value, allowed| Err(FemError::Parameter { what: law.into(), parameter, value, allowed });
        match (young, poisson, lambda, mu) {
            (Some(young), Some(poisson), None, None) => {
                check_positive(law, "young", young)?;
                if !poisson.is_finite() || poisson <= -1.0 {
                    return refuse("poisson", poisson, "a number > -1 and < 0.5");
                }
                if poisson >= 0.5 {
                    let allowed = "< 0.5 (use 0.499 with formulation BBar for nearly incompressible)";
                    return refuse("poisson", poisson, allowed);
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

    /// Speed of dilatational waves \[m/s\]; an error if it is not a finite number.
    pub fn wave_speed(self, law: &'static str, density: f64) -> Result<f64, FemError> {
        let speed = ((self.lambda + 2.0 * self.mu) / density).sqrt();
        // moduli and density may each be finite and their combination not
        check_positive(law, "wave speed", speed)?;
        Ok(speed)
    }
}
