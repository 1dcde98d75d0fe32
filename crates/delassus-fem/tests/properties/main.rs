//! Properties every element, material and body must have.
#![cfg(test)]

mod bending;
mod body;
mod corotation;
mod damping;
mod element;
mod errors;
mod forces;
mod frozen;
mod inelastic;
mod loads;
mod locking;
mod material;
mod patch;
mod rotation;
mod support;
mod twin;
