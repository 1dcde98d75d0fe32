//! Lowering in the plane and in space, compiled here, for the reason that [`delassus_sim::dimensions`] has. Nobody calls through these.

use crate::error::CaseError;
use crate::load::Loaded;
use crate::lower::Lowered;

/// [`Loaded::lowered`] in the plane.
pub static PLANE: fn(&Loaded) -> Result<Lowered<2>, CaseError> = Loaded::lowered::<2>;

/// [`Loaded::lowered`] in space.
pub static SPACE: fn(&Loaded) -> Result<Lowered<3>, CaseError> = Loaded::lowered::<3>;
