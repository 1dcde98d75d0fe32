//! The material of a cell, and averages over it.

use nalgebra::Matrix3;

use crate::formulation::Formulation;
use crate::material::Material;
use crate::section::Section;
use crate::tensor::{Mandel, rotated, von_mises};

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
    /// The same, seen from axes in which the cell is turned by R.
    pub fn turned(&self, rotation: Option<&Matrix3<f64>>) -> Self {
        let seen = |a: &Mandel| rotation.map_or(*a, |r| rotated(a, r));
        Self { stress: seen(&self.stress), strain: seen(&self.strain), von_mises: self.von_mises }
    }

    /// Adds a quadrature point with its share of the volume.
    pub fn add(&mut self, stress: &Mandel, strain: &Mandel, share: f64) {
        self.stress += stress * share;
        self.strain += strain * share;
        self.von_mises += von_mises(stress) * share;
    }
}
