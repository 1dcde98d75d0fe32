//! The effective mass of one body, factored.
//!
//! ```text
//! M̂ = M + c_C C + c_K K          with rows and columns of prescribed dofs replaced by the identity
//! w = M̂⁻¹                        never formed; w = 0 on prescribed dofs; tied dofs are eliminated (see [`crate::ties`])
//! ```
//!
//! (Jean 1995 §3, Vola et al. 1998 eq. \[6\]–\[7\].) The factor is kept while the coefficients (that is, h) stay the
//! same. The symbolic analysis is shared by all h, and the factor by all bodies that are the same up to a rigid motion.

use std::borrow::Cow;
use std::sync::Arc;

use nalgebra_sparse::pattern::SparsityPattern;

use crate::condensed::Condensed;
use crate::factor::{Analysis, Factor, Workspace};
use crate::integrator::{Coefficients, Integrator, Start};
use crate::ties;
use crate::turn::Turn;
use crate::{DynamicsError, Matrices, System};

/// The factored effective mass of one body for one step size.
#[derive(Debug)]
pub struct Operator {
    factor: Arc<Factor>,
    fixed: Vec<usize>,
    tied: Vec<(usize, usize)>,
    turn: Option<Turn>,
    workspace: Workspace,
}

impl Operator {
    /// Analyses and factors M + c_C C + c_K K, with the body's own K.
    pub fn new(system: &dyn System, coefficients: Coefficients) -> Result<Self, DynamicsError> {
        let analysis = Arc::new(Analysis::new(&pattern_of(system, &system.matrices().pattern), EFFECTIVE)?);
        Self::with_analysis(&analysis, system, combine(system.matrices(), coefficients, &system.matrices().stiffness))
    }

    /// The symbolic part, which no step size changes: that of a diagonal for an explicit scheme.
    pub fn analyse(integrator: &dyn Integrator, system: &dyn System) -> Result<Arc<Analysis>, DynamicsError> {
        let pattern = &system.matrices().pattern;
        let analysis = if integrator.is_explicit() {
            Analysis::new(&diagonal(pattern.major_dim()), EFFECTIVE)?
        } else {
            Analysis::new(&pattern_of(system, pattern), EFFECTIVE)?
        };
        Ok(Arc::new(analysis))
    }

    /// Factors M̂ with these values (see [`effective_mass`]).
    pub fn with_analysis(
        analysis: &Arc<Analysis>,
        system: &dyn System,
        mut values: Vec<f64>,
    ) -> Result<Self, DynamicsError> {
        let (fixed, tied) = (system.prescribed().to_vec(), system.tied().to_vec());
        if !tied.is_empty() {
            let own = &system.matrices().pattern;
            // Of an explicit scheme the values are a diagonal.
            let given = if values.len() == own.nnz() { Cow::Borrowed(own) } else { Cow::Owned(diagonal(values.len())) };
            values = ties::reduced_values(&given, &values, analysis.pattern(), &tied);
        }
        eliminate(analysis.pattern(), &mut values, &fixed);
        let factor = Arc::new(Factor::new(analysis, &values, EFFECTIVE)?);
        Ok(Self { factor, fixed, tied, turn: None, workspace: Workspace::new(analysis) })
    }

    /// The operator of a body that is this one's, turned and moved: the same factor, w = R w Rᵀ. A body with prescribed
    /// dofs has twins that are not turned only.
    #[must_use]
    pub fn twin(&self, turn: Option<Turn>) -> Self {
        Self {
            factor: Arc::clone(&self.factor),
            fixed: self.fixed.clone(),
            tied: self.tied.clone(),
            turn,
            workspace: Workspace::new(self.analysis()),
        }
    }

    /// x ← w x. Prescribed dofs give and get zero.
    pub fn apply(&mut self, x: &mut [f64]) {
        ties::gather(&self.tied, x);
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
        ties::spread(&self.tied, x);
    }

    /// Lays out w on `sites` of `d` dofs each, before the [turn](Self::turn); nothing is exposed yet.
    #[must_use]
    pub fn condensed(&self, d: usize, sites: &[usize]) -> Condensed {
        Condensed::with_ties(self.analysis(), d, sites, &self.fixed, &self.tied)
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
}

const EFFECTIVE: &str = "effective mass";

/// The values of M̂ for a step, linearised at the velocity `v` of its end: lower triangle in the pattern of the body's matrices, or
/// the diagonal for an explicit scheme \[kg\].
#[must_use]
pub fn effective_mass(integrator: &dyn Integrator, start: &Start<'_>, v: &[f64]) -> Vec<f64> {
    if let Some(masses) = &start.masses {
        return masses.clone();
    }
    let dq = integrator.displacement(start.from, v, start.h);
    let system = start.system();
    combine(system.matrices(), integrator.coefficients(start.h), &system.tangent(&start.motion(&dq)))
}

/// M + c_C C + c_K K, lower triangle.
#[must_use]
pub fn combine(matrices: &Matrices, coefficients: Coefficients, stiffness: &[f64]) -> Vec<f64> {
    let parts = matrices.mass.iter().zip(&matrices.damping).zip(stiffness);
    parts.map(|((m, c), k)| m + (coefficients.damping * c + coefficients.stiffness * k)).collect()
}

/// The pattern of a body's M̂, with tied dofs eliminated.
fn pattern_of<'a>(system: &dyn System, pattern: &'a SparsityPattern) -> Cow<'a, SparsityPattern> {
    match system.tied() {
        [] => Cow::Borrowed(pattern),
        tied => Cow::Owned(ties::reduced_pattern(pattern, tied)),
    }
}

/// The pattern of a diagonal matrix.
fn diagonal(n: usize) -> SparsityPattern {
    SparsityPattern::try_from_offsets_and_indices(n, n, (0..=n).collect(), (0..n).collect())
        .unwrap_or_else(|_| SparsityPattern::zeros(n, n))
}

/// Rows and columns of `fixed` dofs become those of the identity; the pattern stays.
fn eliminate(pattern: &SparsityPattern, values: &mut [f64], fixed: &[usize]) {
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
