//! Contact detection: surfaces, broad phase, projection on segments and faces, local frames.
//!
//! The crate computes a list of [`Contact`]s from world positions: the candidate point and its antagonist point, the
//! signed gap, the local frame, and the maps from the velocities of the bodies to the relative velocity. It does not
//! depend on materials, solvers, meshes or integrators. Conventions (those of Jean, Acary & Monerie 2001):
//!
//! ```text
//! gap g ≥ 0 open, g < 0 penetration (m);  n points from the antagonist to the candidate
//! U = frameᵀ (V_candidate − V_antagonist),  dg/dt = U_N,  component 0 is the normal one
//! ```
//!
//! The flow is [`CandidateSet`] and [`Antagonist`] → [`Pair`] → [`Detector::detect`] → [`Contact`] →
//! [`local_velocity`] (Hᵀ) and [`scatter`] (H).

mod broad_phase;
mod candidates;
mod contact;
mod corner;
mod detection;
mod detector;
mod error;
mod face;
mod few;
mod frame;
mod look;
mod motion;
mod narrow_phase;
mod node_to_face;
mod node_to_segment;
mod obstacle;
mod obstacle_solid;
mod pair;
mod pairing;
mod prepared;
mod self_contact;
mod side;
mod solid;
mod surface;
#[cfg(test)]
mod testing;

pub use broad_phase::{Aabb, BoxTree, Nearest};
pub use candidates::{CandidatePoint, CandidateSet, Round};
pub use contact::{Contact, ContactKey, Matrix, Vector};
pub use detection::{Detection, PairPenetration, Penetration};
pub use detector::Detector;
pub use error::ContactError;
pub use few::{FacetNodes, Few, MAX_CORNERS};
pub use frame::{frame_from_normal, local_velocity, scatter};
pub use motion::{Pose, RigidMotion, Translation};
pub use narrow_phase::{Dimension, NarrowPhase, Projection};
pub use node_to_segment::END_OVERHANG;
pub use obstacle::{Ball, Bore, Cavity, Cylinder, HalfSpace, Segment, SolidBox};
pub use obstacle::{Faces, GapFormula, Obstacle, ObstacleGeometry, RigidSurface, Solid};
pub use obstacle_solid::ObstacleSolid;
pub use pair::{Antagonist, Normals, Pair};
pub use pairing::{Pairing, PassNumbers, PassPlace, Target};
pub use side::{Map, Side};
pub use solid::{DepthLimit, PlacedSolid, SolidDepth, SolidShape, SurfacePoint, bounds_of};
pub use surface::FacetSurface;

/// Explanations of the codes of this crate's errors.
pub const EXPLANATIONS: &str = include_str!("explanations.md");
