//! The properties that every scheme, system and factor of this crate must have.
//!
//! A new scheme is added to the list in `common::schemes` and gets all suites that hold for every scheme. One binary, so
//! that it links once.

#[cfg(test)]
mod amplification;
#[cfg(test)]
mod common;
#[cfg(test)]
mod condensed;
#[cfg(test)]
mod conservation;
#[cfg(test)]
mod contract;
#[cfg(test)]
mod convergence;
#[cfg(test)]
mod energy;
#[cfg(test)]
mod equivalence;
#[cfg(test)]
mod errors;
#[cfg(test)]
mod explicit;
#[cfg(test)]
mod factor;
#[cfg(test)]
mod mass_inverse;
#[cfg(test)]
mod operator;
#[cfg(test)]
mod order;
#[cfg(test)]
mod quasi_static;
#[cfg(test)]
mod scripted_contact;
#[cfg(test)]
mod supports;
