//! The inverse of the mass of one body, for integrators that keep accelerations.
//!
//! ```text
//! M a = P − C v − f        on free dofs; a is given on prescribed ones
//! ```

use std::sync::Arc;

use crate::effective_mass::eliminate;
use crate::error::DynamicsError;
use crate::factor::{Analysis, Factor, Workspace};
use crate::system::System;

/// M⁻¹ with prescribed accelerations, for integrators that keep accelerations (Newmark).
#[derive(Debug)]
pub enum MassInverse {
    /// Lumped: the diagonal of M.
    Diagonal(Vec<f64>),
    /// Consistent: a factor of M with prescribed dofs eliminated.
    Factor(Box<Factor>),
}

impl MassInverse {
    /// Prepares M⁻¹ of a body.
    pub fn new(system: &dyn System) -> Result<Self, DynamicsError> {
        const MASS: &str = "mass";
        let matrices = system.matrices();
        if matrices.lumped {
            let mut diagonal = vec![0.0; system.n_dof()];
            system.mass_times_into(&vec![1.0; system.n_dof()], &mut diagonal);
            // On a prescribed dof the acceleration is given and the mass not asked for.
            let fixed = system.prescribed();
            let bad = |dof: usize, m: f64| !(m.is_finite() && m > 0.0) && fixed.binary_search(&dof).is_err();
            return match diagonal.iter().enumerate().position(|(dof, &m)| bad(dof, m)) {
                Some(dof) => Err(DynamicsError::NotPositiveDefinite { matrix: MASS, dof }),
                None => Ok(Self::Diagonal(diagonal)),
            };
        }
        let (pattern, mut values) = (matrices.mass.pattern(), matrices.mass.values().to_vec());
        eliminate(pattern, &mut values, system.prescribed());
        let analysis = Arc::new(Analysis::new(pattern, MASS)?);
        Ok(Self::Factor(Box::new(Factor::new(&analysis, &values, MASS)?)))
    }

    /// Memory it takes \[B\].
    #[must_use]
    pub fn bytes(&self) -> usize {
        match self {
            Self::Diagonal(m) => size_of::<f64>() * m.len(),
            Self::Factor(factor) => factor.analysis().bytes() + factor.analysis().factor_bytes(),
        }
    }

    /// The acceleration a with M a = `force` on free dofs and the prescribed one elsewhere; `force` is overwritten.
    pub fn acceleration(&self, system: &dyn System, t: f64, force: &mut [f64]) {
        let fixed = system.prescribed();
        let motion = system.prescribed_motion(t);
        match self {
            Self::Diagonal(mass) => {
                for (f, m) in force.iter_mut().zip(mass) {
                    *f /= m;
                }
            }
            Self::Factor(factor) => {
                if !fixed.is_empty() {
                    let mut given = vec![0.0; force.len()];
                    let mut moved = vec![0.0; force.len()];
                    for (&dof, &(_, a)) in fixed.iter().zip(&motion) {
                        given[dof] = a;
                    }
                    system.mass_times_into(&given, &mut moved);
                    for (f, m) in force.iter_mut().zip(&moved) {
                        *f -= m;
                    }
                    for &dof in fixed {
                        force[dof] = 0.0;
                    }
                }
                factor.solve(force, &mut Workspace::new(factor.analysis()));
            }
        }
        for (&dof, &(_, a)) in fixed.iter().zip(&motion) {
            force[dof] = a;
        }
    }
}
