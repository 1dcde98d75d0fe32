//! Shapes of rigid bodies: mass properties, contact generation for pairs of shapes, broad phase.
//!
//! The crate knows geometry alone: no body, mesh, law or solver. Everything is written for the plane and for space (`D` = 2 or 3). A
//! [`RigidShape`] is checked when it is made and immutable then; a [`ShapePose`] says where it is. [`contacts`] lists the points where two shapes
//! touch or are about to, [`nearest`] the point of a shape's surface that is nearest to a point, [`BroadPhase`] the pairs of many shapes that are worth a look.
//!
//! ```text
//! gap g ≥ 0 open, g < 0 penetration (m);  n points from b to a;  on_a − on_b = g n
//! ```

mod broad;
mod contact;
mod convex;
mod core;
mod error;
mod features;
mod hit;
mod manifold;
mod masonry;
mod mass;
mod nearest;
mod packing;
mod plane;
mod polygon;
mod polyhedron;
mod pose;
mod shape;
mod space;
mod volume;

pub use broad::BroadPhase;
pub use contact::{FeatureKey, PlacedShape, ShapeContact, contacts};
pub use error::ShapeError;
pub use masonry::{Arch, BrickWall, Colonnade, CourseEnds, Dome, PlacedBlock};
pub use mass::MassProperties;
pub use nearest::{ShapeFoot, feature_distance, nearest};
pub use packing::{PackedBall, SeededRandom, SizeDistribution, deposited, drawn_radii, loose, shuffled, solid_volume};
pub use pose::ShapePose;
pub use shape::{RigidShape, ShapeSurface};
pub use space::ShapeSpace;

/// Explanations of the codes of this crate's errors.
pub const EXPLANATIONS: &str = include_str!("explanations.md");
