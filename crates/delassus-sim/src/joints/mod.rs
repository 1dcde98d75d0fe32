//! Joints in a step: bilateral rows that hold where the step ends, eliminated exactly before the contacts are solved.
//!
//! ```text
//! r(v⁺) + H p + Jᵀλ = 0 ,   g(q⁺) = g*(t⁺)                            J at the contact configuration q_c, q⁺ = q_c ⊕ (h − delay) v⁺
//! pass k    J v + E (λ − λ_k) = b_k ,   b_k = J v_k − (g(q⁺(v_k)) − g*)/(h − delay)
//!           λ = (A + E)⁻¹ (b_k + E λ_k − J v_free) − (A + E)⁻¹ C p ,   A = J w Jᵀ ,  C = J w H
//! contact   U = Hᵀ(v_free + w Jᵀλ₀) + (W − Cᵀ (A + E)⁻¹ C) p
//! until     g(q⁺) = g* to rounding
//! ```
//!
//! With θ = ½ the step is symmetric in time: the energy of a linkage does not drift. On the level of velocities g would drift, and a projection at the end of a
//! step would lose energy. E = 1e-12 A_ii makes loops with more rows than needed solvable: λ_k moves it to the right side, so that it changes nothing at the end.
//! The order of elimination is that of the case.
//!
//! The coordinate s of a joint may have a spring and a damper, which is a row with E > 0, and friction with a limit F, which is a row that sticks or slips:
//!
//! ```text
//! spring     λ = −h k (s_θ − s₀) − c (s⁺ − s)           ½ k (s − s₀)² is exchanged without loss for θ = ½
//! friction   |λ| ≤ h F ,   J v⁺ = 0 or λ = −h F sign(J v⁺)
//! ```
//!
//! F may grow with the reaction R that the joint holds across its coordinate: F + μ r |R| of a pin with the radius r, F + μ |R| of a guide. A row that slips then has the limit of the
//! last pass, and passes follow until it is that of its own reaction.
//!
//! Rows that must change between sticking and slipping do so all at once, and one at a time if this does not end.

mod coupled;
mod ends;
mod envelope;
mod phase;
mod rows;
mod start;

pub(crate) use coupled::Coupled;
pub(crate) use ends::{JointAction, actions, describe, frictions, springs};
pub use ends::{JointEnd, JointError, JointWork};
pub(crate) use phase::JointPhase;
pub(crate) use start::fit_velocities;
