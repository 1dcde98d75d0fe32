//! Contact detection: surfaces, broad phase, node-to-segment projection, local frames.
//!
//! The crate turns world positions into a list of [`Contact`]s: which candidate point faces which antagonist point, the
//! signed gap, the local frame and the maps that lead from the velocities of the bodies to the relative velocity.
//! It knows no material, no solver, no mesh and no integrator. Conventions (those of Jean, Acary & Monerie 2001):
//!
//! ```text
//! gap g ≥ 0 open, g < 0 penetration (m);  n points from the antagonist to the candidate
//! U = frameᵀ (V_candidate − V_antagonist),  dg/dt = U_N,  component 0 is the normal one
//! ```
//!
//! The flow is [`CandidateSet`] and [`Antagonist`] → [`Pair`] → [`Detector::detect`] → [`Contact`] →
//! [`local_velocity`] (Hᵀ) and [`scatter`] (H).

mod broad_phase;
mod contact;
mod detection;
mod detector;
mod error;
mod frame;
mod motion;
mod narrow_phase;
mod node_to_segment;
mod obstacle;
mod pair;
mod rigid_surface;
mod self_contact;
mod side;
mod surface;
mod target;
#[cfg(test)]
mod tests;

pub use broad_phase::{Aabb, BoxTree, Nearest};
pub use contact::{Contact, ContactKey, Matrix, Vector};
pub use detection::{Detection, PairPenetration, Penetration};
pub use detector::Detector;
pub use error::ContactError;
pub use frame::{frame_from_normal, local_velocity, scatter};
pub use motion::{Motion, Pose, RigidMotion};
pub use narrow_phase::{NarrowPhase, NodeToFacet, Projection};
pub use node_to_segment::END_OVERHANG;
pub use obstacle::Obstacle;
pub use pair::{Antagonist, Pair};
pub use rigid_surface::{RigidSurface, Solid};
pub use side::{Map, Side};
pub use surface::{CandidateSet, FacetSurface};
