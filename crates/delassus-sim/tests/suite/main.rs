//! Models and steps from outside of the crate: one program, so that it is compiled and linked once.

mod audit;
mod condense;
mod interrupt;
mod joints;
mod other_bodies;
mod rest;
mod rigid;
mod rigid_cases;
mod surfaces;
mod twins;
