//! Properties every element, material and body must have.
#![cfg(test)]

mod axisymmetric;
mod bending;
mod body;
mod cell_frames;
mod corotation;
mod damping;
mod drucker_prager;
mod element;
mod errors;
mod finite;
mod finite_dynamics;
mod finite_paths;
mod finite_statics;
mod finite_step;
mod floating;
mod following;
mod forces;
mod frozen;
mod inelastic;
mod loads;
mod locking;
mod material;
mod modes;
mod nodal;
mod orthotropic;
mod patch;
mod placed;
mod plane_stress;
mod plastic;
mod point;
mod rate;
mod rotation;
mod support;
mod thermal;
mod twin;
