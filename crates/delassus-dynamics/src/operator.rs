//! The effective mass of one body, factored.
//!
//! ```text
//! M̂ = M + c_C C + c_K K          with rows and columns of prescribed dofs replaced by the identity
//! w = M̂⁻¹                        never formed; w = 0 on prescribed dofs; tied dofs are eliminated (see [`crate::ties`])
//! ```
//!
//! (Jean 1995 §3, Vola et al. 1998 eq. \[6\]–\[7\].) The factor is kept while the coefficients (that is, h) stay the
//! same. Supports of single components of a body that turns are rows beside the factor (see [`Guides`]). The symbolic analysis is shared by all h, and the factor by all bodies that are the same up to a rigid motion.

use std::borrow::Cow;
use std::sync::Arc;

use crate::block_rotation::BlockRotation;
use crate::condensed::Condensed;
use crate::effective_mass::{Coefficients, EFFECTIVE, combine, diagonal, eliminate, pattern_of};
use crate::error::DynamicsError;
use crate::factor::{Analysis, Factor, Workspace};
use crate::guided::Guided;
use crate::guides::Guides;
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
    /// Rows beside the factor, with S⁻¹ once it was [turned](Self::turn_guided).
    guides: Option<Arc<Guides>>,
    guided: Option<Guided>,
}

impl Operator {
    /// Analyses and factors M + c_C C + c_K K, with the body's own K.
    pub fn new(system: &dyn System, coefficients: Coefficients) -> Result<Self, DynamicsError> {
        let pattern = pattern_of(system.tied(), system.matrices().pattern());
        let analysis = Arc::new(Analysis::new(&pattern, EFFECTIVE)?);
        let values = combine(system.matrices(), coefficients, system.matrices().stiffness.values());
        Self::with_rows(&analysis, system, None, values)
    }

    /// Factors M̂ with these values (see [`Integrator::effective_mass`](crate::Integrator::effective_mass)). If the body has [rows beside its factor](System::guides), it must be
    /// [turned](Self::turn_guided) before it is applied.
    pub fn with_analysis(
        analysis: &Arc<Analysis>,
        system: &dyn System,
        values: Vec<f64>,
    ) -> Result<Self, DynamicsError> {
        Self::with_rows(analysis, system, system.guides(), values)
    }

    fn with_rows(
        analysis: &Arc<Analysis>,
        system: &dyn System,
        guides: Option<&Arc<Guides>>,
        mut values: Vec<f64>,
    ) -> Result<Self, DynamicsError> {
        let (fixed, tied) = match guides {
            Some(guides) => (guides.fixed().to_vec(), guides.tied().to_vec()),
            None => (system.prescribed().to_vec(), system.tied().to_vec()),
        };
        if !tied.is_empty() {
            let own = system.matrices().pattern();
            // Of an explicit scheme the values are a diagonal.
            let given = if values.len() == own.nnz() { Cow::Borrowed(own) } else { Cow::Owned(diagonal(values.len())) };
            values = ties::reduced_values(&given, &values, analysis.pattern(), &tied);
        }
        eliminate(analysis.pattern(), &mut values, &fixed);
        let factor = Arc::new(Factor::new(analysis, &values, EFFECTIVE)?);
        let workspace = Workspace::new(analysis);
        Ok(Self { factor, fixed, tied, rotation: None, workspace, guides: guides.cloned(), guided: None })
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
            guides: self.guides.clone(),
            guided: None,
        }
    }

    /// Turns it: w of the body that was factored, rotated so; `None` for not at all.
    pub fn set_rotation(&mut self, rotation: Option<BlockRotation>) {
        self.rotation = rotation;
    }

    /// Makes the rows beside the factor hold for the rotation that it has, with w condensed on their nodes at least.
    ///
    /// # Errors
    /// [`DynamicsError::NotPositiveDefinite`] for rows that depend on one another.
    pub fn turn_guided(&mut self, w: &Condensed) -> Result<(), DynamicsError> {
        let Some(guides) = &self.guides else { return Ok(()) };
        // All passes of a step have one rotation.
        if !self.guided.as_ref().is_some_and(|guided| guided.is_of(self.rotation.as_ref())) {
            self.guided = Some(Guided::new(guides, w, self.rotation.clone())?);
        }
        Ok(())
    }

    /// The rows beside the factor, and S⁻¹.
    #[must_use]
    pub fn guided(&self) -> Option<(&Guides, &Guided)> {
        self.guides.as_deref().zip(self.guided.as_ref())
    }

    /// x ← w x. Prescribed dofs give and get zero.
    pub fn apply(&mut self, x: &mut [f64]) {
        let Some(guides) = self.guides.clone() else { return self.apply_factor(x) };
        guides.gather(x);
        self.apply_factor(x);
        let Some(guided) = &self.guided else { return };
        let mut held = guided.answer(&guides, x);
        self.apply_factor(&mut held);
        x.iter_mut().zip(&held).for_each(|(x, held)| *x -= held);
        guides.settle(x);
        ties::spread(&self.tied, x);
    }

    /// The same without the rows beside the factor.
    fn apply_factor(&mut self, x: &mut [f64]) {
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
