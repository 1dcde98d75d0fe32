//! Laws that a program brings along.

use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

use delassus_error::Own;

use super::{ContactLaw, LawSpec};
use crate::error::SolverError;

/// What messages call it.
pub(super) const KIND: &str = "contact law";

/// A contact law of one's own: it says for which dimensions it exists. `LawSpec::from(law)` puts it into a case.
///
/// ```
/// use std::sync::Arc;
/// use delassus_solver::law::OwnLaw;
/// use delassus_solver::{Cone, ContactInput, ContactLaw, ContactSolution, Derived, LawSpec, StepTimes};
///
/// /// Tied across and along, for good: U = 0.
/// #[derive(Debug)]
/// struct Glued;
///
/// impl<const D: usize> ContactLaw<D> for Glued {
///     fn derive(&self, _: &ContactInput<D>, _: &StepTimes, _: &[f64], _: Option<&ContactSolution<D>>) -> Derived<D> {
///         Derived::standard(Cone::Bilateral)
///     }
///     fn violation(&self, _: &ContactInput<D>, out: &ContactSolution<D>, _: &StepTimes, _: &[f64]) -> f64 {
///         out.velocity.norm() / out.scale.velocity
///     }
/// }
///
/// impl OwnLaw for Glued {
///     fn plane(self: Arc<Self>) -> Option<Arc<dyn ContactLaw<2>>> {
///         Some(self)
///     }
/// }
///
/// let law = LawSpec::from(Glued);
/// assert!(law.build::<2>().is_ok() && law.build::<3>().is_err());
/// ```
pub trait OwnLaw: Debug + Send + Sync {
    /// The name that stands for the law in files; its `Debug` text, with its parameters, unless another is given.
    fn name(&self) -> String {
        format!("{self:?}")
    }

    /// Checks the law's parameters.
    ///
    /// # Errors
    /// The parameter that is out of range, with its value: [`SolverError::Law`].
    fn validate(&self) -> Result<(), SolverError> {
        Ok(())
    }

    /// The law in the plane; `None` if there is none.
    fn plane(self: Arc<Self>) -> Option<Arc<dyn ContactLaw<2>>> {
        None
    }

    /// The law in space; `None` if there is none.
    fn space(self: Arc<Self>) -> Option<Arc<dyn ContactLaw<3>>> {
        None
    }
}

impl<L: OwnLaw + 'static> From<L> for LawSpec {
    fn from(law: L) -> Self {
        Self::Own(Own::new(law.name(), Arc::new(law)))
    }
}

/// The law in D dimensions.
pub(super) fn in_dimension<const D: usize>(own: &Own<dyn OwnLaw>) -> Result<Arc<dyn ContactLaw<D>>, SolverError> {
    let law = own.get(KIND)?;
    let (plane, space) = (Arc::clone(law).plane(), Arc::clone(law).space());
    // One of the two types is the wanted one.
    let found =
        [&plane as &dyn Any, &space].into_iter().find_map(<dyn Any>::downcast_ref::<Option<Arc<dyn ContactLaw<D>>>>);
    let missing = || SolverError::LawDimension { law: own.name().to_owned(), dimension: D };
    found.cloned().flatten().ok_or_else(missing)
}
