//! The space of a model: the plane or space, as a type.
//!
//! Each crate hangs what it does differently in the plane and in space on [`Dimension`]: contact the projection on facets, solver
//! the kernels of Coulomb's law, case the generators of meshes. A function of this crate asks for all of it by one bound,
//! `Dimension<D>: Space<D>`.

use delassus_contact::NarrowPhase;
use delassus_solver::LocalKernel;

pub use delassus_contact::Dimension;

/// All that a model of dimension D needs.
pub trait Space<const D: usize>: NarrowPhase<D> + LocalKernel<D> {}

impl<T: NarrowPhase<D> + LocalKernel<D>, const D: usize> Space<D> for T {}
