//! The material of a cell, and averages over it.

use nalgebra::{Matrix3, SMatrix, Vector3};

use crate::formulation::Formulation;
use crate::material::{Material, PlasticState};
use crate::section::Section;
use crate::tensor::{Mandel, rotated, von_mises};

/// What a cell is made of.
#[derive(Clone, Copy)]
pub(crate) struct CellModel<'a> {
    pub material: &'a dyn Material,
    pub section: Section,
    pub formulation: Formulation,
}

/// Volume averages over one cell, for output, and the moments of the stress from which its linear course is found.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct CellAverage {
    pub stress: Mandel,
    pub strain: Mandel,
    pub von_mises: f64,
    /// Volume of the cell \[m^D\].
    pub volume: f64,
    /// The plastic state: its mean, and the largest strain of a point; none of a material that does not yield.
    pub plastic: Option<(PlasticState, f64)>,
    /// Quadrature points.
    n_points: usize,
    /// Means of x, of x xᵀ and of σ xᵀ, where x is the place of a point from the first node of the cell.
    place: Vector3<f64>,
    spread: Matrix3<f64>,
    moment: SMatrix<f64, 6, 3>,
}

impl CellAverage {
    /// Of a cell of this volume \[m^D\], without any point yet.
    pub fn over(volume: f64) -> Self {
        Self { volume, ..Self::default() }
    }

    /// The same, seen from axes in which the cell is turned by R. Places stay those of the body that has not turned.
    pub fn turned(&self, rotation: Option<&Matrix3<f64>>) -> Self {
        let Some(r) = rotation else { return *self };
        let mut moment = self.moment;
        for mut column in moment.column_iter_mut() {
            let seen = rotated(&column.clone_owned(), r);
            column.copy_from(&seen);
        }
        Self { stress: rotated(&self.stress, r), strain: rotated(&self.strain, r), moment, ..*self }
    }

    /// Adds a quadrature point with its share of the volume, at a place from the first node.
    pub fn add(&mut self, stress: &Mandel, strain: &Mandel, share: f64, place: &Vector3<f64>) {
        self.stress += stress * share;
        self.strain += strain * share;
        self.von_mises += von_mises(stress) * share;
        self.n_points += 1;
        self.place += place * share;
        self.spread += place * place.transpose() * share;
        self.moment += stress * place.transpose() * share;
    }

    /// Adds the plastic state of a point with its share of the volume.
    pub fn add_plastic(&mut self, state: Option<PlasticState>, share: f64) {
        let Some(state) = state else { return };
        let (mean, most) = self.plastic.get_or_insert_default();
        mean.strain += state.strain * share;
        mean.yield_stress += state.yield_stress * share;
        *most = most.max(state.strain);
    }

    /// The stress at a place from the first node: that of the linear course which fits the quadrature points best, weighted by volume; with too few points
    /// for one in space of d dimensions the average.
    pub fn stress_at(&self, d: usize, place: &Vector3<f64>) -> Mandel {
        if self.n_points <= d {
            return self.stress;
        }
        let mut spread = self.spread - self.place * self.place.transpose();
        if d == 2 {
            // The plane has no extent along z: any will do.
            spread[(2, 2)] = 0.5 * spread.trace();
        }
        let slope = spread.try_inverse().map(|inverse| (self.moment - self.stress * self.place.transpose()) * inverse);
        slope.map_or(self.stress, |slope| self.stress + slope * (place - self.place))
    }
}
