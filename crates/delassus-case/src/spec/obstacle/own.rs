//! `Own`: a shape that a program brings along.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use delassus_contact::Obstacle;
use delassus_error::Own;

use super::{ObstacleSpec, PlaneOutline, ShapeReader, ShapeSpec};

/// A shape that a program made, for one dimension.
pub struct OwnShape {
    /// Its dimension.
    pub dimension: usize,
    /// An `Arc<dyn Obstacle<D>>` of that dimension.
    shape: Box<dyn Any + Send + Sync>,
}

impl fmt::Debug for OwnShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a shape of {} dimensions", self.dimension)
    }
}

impl OwnShape {
    /// The obstacle, if D is its dimension.
    #[must_use]
    pub fn obstacle<const D: usize>(&self) -> Option<Arc<dyn Obstacle<D>>> {
        self.shape.downcast_ref::<Arc<dyn Obstacle<D>>>().cloned()
    }
}

impl ObstacleSpec {
    /// A shape of one's own. Its `Debug` text, with its numbers, stands for it in files.
    #[must_use]
    pub fn own<const D: usize>(shape: impl Obstacle<D> + 'static) -> Self {
        let name = format!("{shape:?}");
        let shape: Arc<dyn Obstacle<D>> = Arc::new(shape);
        Self::Own(Own::new(name, Arc::new(OwnShape { dimension: D, shape: Box::new(shape) })))
    }
}

impl<const D: usize> ShapeSpec<D> for Own<OwnShape> {
    fn obstacle(&self, read: &mut dyn ShapeReader<D>) -> Option<Arc<dyn Obstacle<D>>> {
        read.own(self)
    }

    /// Nothing is known of the shape where a report is made.
    fn in_plane(&self) -> PlaneOutline {
        PlaneOutline::Closed { points: Vec::new(), is_hollow: false }
    }
}
