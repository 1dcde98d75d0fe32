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

use crate::block_rotation::BlockRotation;
use crate::condensed::Condensed;
use crate::effective_mass::{Coefficients, EFFECTIVE, combine, diagonal, eliminate, pattern_of};
use crate::error::DynamicsError;
use crate::factor::{Analysis, Factor, Workspace};
use crate::system::System;
use crate::ties;

/// The factored effective mass of one body for one step size.
#[derive(Debug)]
pub struct Operator {
    factor: Arc<Factor>,
    fixed: Vec<usize>,
    tied: Vec<(usize, usize)>,
    rotation: Option<BlockRotation>,
    workspace: Workspace,
}

impl Operator {
    /// Analyses and factors M + c_C C + c_K K, with the body's own K.
    pub fn new(system: &dyn System, coefficients: Coefficients) -> Result<Self, DynamicsError> {
        let analysis = Arc::new(Analysis::new(&pattern_of(system, system.matrices().pattern()), EFFECTIVE)?);
        Self::with_analysis(
            &analysis,
            system,
            combine(system.matrices(), coefficients, system.matrices().stiffness.values()),
        )
    }

    /// Factors M̂ with these values (see [`Integrator::effective_mass`](crate::Integrator::effective_mass)).
    pub fn with_analysis(
        analysis: &Arc<Analysis>,
        system: &dyn System,
        mut values: Vec<f64>,
    ) -> Result<Self, DynamicsError> {
        let (fixed, tied) = (system.prescribed().to_vec(), system.tied().to_vec());
        if !tied.is_empty() {
            let own = system.matrices().pattern();
            // Of an explicit scheme the values are a diagonal.
            let given = if values.len() == own.nnz() { Cow::Borrowed(own) } else { Cow::Owned(diagonal(values.len())) };
            values = ties::reduced_values(&given, &values, analysis.pattern(), &tied);
        }
        eliminate(analysis.pattern(), &mut values, &fixed);
        let factor = Arc::new(Factor::new(analysis, &values, EFFECTIVE)?);
        Ok(Self { factor, fixed, tied, rotation: None, workspace: Workspace::new(analysis) })
    }

    /// The operator of a body that is this one's, rotated and moved: the same factor, w = R w Rᵀ. Bodies with prescribed
    /// dofs may share a factor only without rotation.
    #[must_use]
    pub fn twin(&self, rotation: Option<BlockRotation>) -> Self {
        Self {
            factor: Arc::clone(&self.factor),
            fixed: self.fixed.clone(),
            tied: self.tied.clone(),
            rotation,
            workspace: Workspace::new(self.analysis()),
        }
    }

    /// Turns it: w of the body that was factored, rotated so; `None` for not at all.
    pub fn set_rotation(&mut self, rotation: Option<BlockRotation>) {
        self.rotation = rotation;
    }

    /// x ← w x. Prescribed dofs give and get zero.
    pub fn apply(&mut self, x: &mut [f64]) {
        ties::gather(&self.tied, x);
        for &dof in &self.fixed {
            x[dof] = 0.0;
        }
        if let Some(rotation) = &self.rotation {
            rotation.back(x);
        }
        self.factor.solve(x, &mut self.workspace);
        if let Some(rotation) = &self.rotation {
            rotation.forward(x);
        }
        ties::spread(&self.tied, x);
    }

    /// The layout of w on `sites` of `d` dofs each, before the [rotation](Self::rotation); no panel is
    /// computed yet.
    #[must_use]
    pub fn condensed(&self, d: usize, sites: &[usize]) -> Condensed {
        Condensed::with_ties(self.analysis(), d, sites, &self.fixed, &self.tied)
    }

    /// The factor, before the [rotation](Self::rotation).
    #[must_use]
    pub fn factor(&self) -> &Arc<Factor> {
        &self.factor
    }

    /// The rotation from the body that was factored to this one, if there is one.
    #[must_use]
    pub fn rotation(&self) -> Option<&BlockRotation> {
        self.rotation.as_ref()
    }

    /// The symbolic part, for a factor with another step size.
    #[must_use]
    pub fn analysis(&self) -> &Arc<Analysis> {
        self.factor.analysis()
    }
}
