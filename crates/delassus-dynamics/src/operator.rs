//! The effective mass of one body, factored.
//!
//! ```text
//! M̂ = M + c_C C + c_K K          with rows and columns of prescribed dofs replaced by the identity
//! w = M̂⁻¹                        never formed; w = 0 on prescribed dofs
//! ```
//!
//! (Jean 1995 §3, Vola et al. 1998 eq. \[6\]–\[7\].) The factor is kept while the coefficients (that is, h) stay the
//! same. The symbolic analysis is shared by all h, and the factor by all bodies that are the same up to a rigid motion.

use std::sync::Arc;

use crate::condensed::Condensed;
use crate::factor::{Analysis, Factor, Workspace};
use crate::integrator::Coefficients;
use crate::turn::Turn;
use crate::{DynamicsError, System};

/// The factored effective mass of one body for one step size.
#[derive(Debug)]
pub struct Operator {
    factor: Arc<Factor>,
    fixed: Vec<usize>,
    turn: Option<Turn>,
    workspace: Workspace,
    coefficients: Coefficients,
}

impl Operator {
    /// Analyses and factors.
    pub fn new(system: &dyn System, coefficients: Coefficients) -> Result<Self, DynamicsError> {
        Self::with_analysis(&Self::analyse(system)?, system, coefficients)
    }

    /// The symbolic part, which no step size changes.
    pub fn analyse(system: &dyn System) -> Result<Arc<Analysis>, DynamicsError> {
        Ok(Arc::new(Analysis::new(&system.matrices().pattern, EFFECTIVE)?))
    }

    /// Factors for one step size.
    pub fn with_analysis(
        analysis: &Arc<Analysis>,
        system: &dyn System,
        coefficients: Coefficients,
    ) -> Result<Self, DynamicsError> {
        let matrices = system.matrices();
        let mut values = matrices.mass.clone();
        let parts = values.iter_mut().zip(&matrices.damping).zip(&matrices.stiffness);
        for ((m, c), k) in parts {
            *m += coefficients.damping * c + coefficients.stiffness * k;
        }
        let fixed = system.prescribed().to_vec();
        eliminate(&matrices.pattern, &mut values, &fixed);
        let factor = Arc::new(Factor::new(analysis, &values, EFFECTIVE)?);
        Ok(Self { factor, fixed, turn: None, workspace: Workspace::new(analysis), coefficients })
    }

    /// The operator of a body that is this one's, turned and moved: the same factor, w = R w Rᵀ. A body with prescribed
    /// dofs has twins that are not turned only.
    #[must_use]
    pub fn twin(&self, turn: Option<Turn>) -> Self {
        Self {
            factor: Arc::clone(&self.factor),
            fixed: self.fixed.clone(),
            turn,
            workspace: Workspace::new(self.analysis()),
            coefficients: self.coefficients,
        }
    }

    /// x ← w x. Prescribed dofs give and get zero.
    pub fn apply(&mut self, x: &mut [f64]) {
        for &dof in &self.fixed {
            x[dof] = 0.0;
        }
        if let Some(turn) = &self.turn {
            turn.back(x);
        }
        self.factor.solve(x, &mut self.workspace);
        if let Some(turn) = &self.turn {
            turn.forward(x);
        }
    }

    /// Lays out w on `sites` of `d` dofs each, before the [turn](Self::turn); nothing is exposed yet.
    #[must_use]
    pub fn condensed(&self, d: usize, sites: &[usize]) -> Condensed {
        Condensed::new(self.analysis(), d, sites, &self.fixed)
    }

    /// The factor, before the [turn](Self::turn).
    #[must_use]
    pub fn factor(&self) -> &Arc<Factor> {
        &self.factor
    }

    /// How the body is turned from the one that was factored, if it is.
    #[must_use]
    pub fn turn(&self) -> Option<&Turn> {
        self.turn.as_ref()
    }

    /// The symbolic part, for a factor with another step size.
    #[must_use]
    pub fn analysis(&self) -> &Arc<Analysis> {
        self.factor.analysis()
    }

    /// The coefficients of C and K in M̂.
    #[must_use]
    pub fn coefficients(&self) -> Coefficients {
        self.coefficients
    }
}

const EFFECTIVE: &str = "effective mass";

/// Rows and columns of `fixed` dofs become those of the identity; the pattern stays.
fn eliminate(pattern: &nalgebra_sparse::pattern::SparsityPattern, values: &mut [f64], fixed: &[usize]) {
    if fixed.is_empty() {
        return;
    }
    let mut is_fixed = vec![false; pattern.major_dim()];
    for &dof in fixed {
        is_fixed[dof] = true;
    }
    let offsets = pattern.major_offsets();
    for j in 0..pattern.major_dim() {
        for k in offsets[j]..offsets[j + 1] {
            let i = pattern.minor_indices()[k];
            if i == j && is_fixed[j] {
                values[k] = 1.0;
            } else if is_fixed[i] || is_fixed[j] {
                values[k] = 0.0;
            }
        }
    }
}

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
        let mut values = matrices.mass.clone();
        eliminate(&matrices.pattern, &mut values, system.prescribed());
        let analysis = Arc::new(Analysis::new(&matrices.pattern, MASS)?);
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
