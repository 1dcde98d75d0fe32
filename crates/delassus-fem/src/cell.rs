//! The material of a cell, and averages over it.

use crate::formulation::Formulation;
use crate::material::Material;
use crate::section::Section;
use crate::tensor::{Mandel, von_mises};

/// What a cell is made of.
#[derive(Clone, Copy)]
pub(crate) struct CellModel<'a> {
    pub material: &'a dyn Material,
    pub section: Section,
    pub formulation: Formulation,
}

/// Volume averages over one cell, for output.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct CellAverage {
    pub stress: Mandel,
    pub strain: Mandel,
    pub von_mises: f64,
}

impl CellAverage {
    /// Adds a quadrature point with its share of the volume.
    pub fn add(&mut self, stress: &Mandel, strain: &Mandel, share: f64) {
        self.stress += stress * share;
        self.strain += strain * share;
        self.von_mises += von_mises(stress) * share;
    }
}
