//! The dimension of a model, plane or space, as a type.
//!
//! Each crate implements on [`Dimension`] what differs between the plane and space: contact the projection on facets, shapes the features of rigid bodies, solver the
//! kernels of Coulomb's law, case the mesh generators. A function of this crate requires all of it by one bound, `Dimension<D>:
//! Space<D>`.

use delassus_contact::NarrowPhase;
use delassus_shapes::ShapeSpace;
use delassus_solver::LocalKernel;

pub use delassus_contact::Dimension;

/// All that a model of dimension D needs.
pub trait Space<const D: usize>: NarrowPhase<D> + LocalKernel<D> + ShapeSpace<D> {}

impl<T: NarrowPhase<D> + LocalKernel<D> + ShapeSpace<D>, const D: usize> Space<D> for T {}
