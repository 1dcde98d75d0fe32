//! Models and steps from outside of the crate: one program, so that it is compiled and linked once.

mod audit;
mod condense;
mod granular;
mod guides;
mod interrupt;
mod joints;
mod many;
mod other_bodies;
mod rest;
mod rigid;
mod rigid_bonds;
mod rigid_cases;
mod rigid_limits;
mod rigid_proofs;
mod rigid_shapes;
mod rolling;
mod rough_joints;
mod spin;
mod static_joints;
mod surfaces;
mod twins;
