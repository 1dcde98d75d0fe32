//! Small and dense linear algebra.

pub(crate) mod dense;
pub(crate) mod eigen;
