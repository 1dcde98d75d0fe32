//! Stress and strain of the cells, for output.

use crate::cell::CellAverage;
use crate::tensor::{components, shear_invariant};

/// Averages over the quadrature points of each bulk cell, weighted by volume.
///
/// Tensors have the components XX YY ZZ XY YZ XZ of the tensor itself (shears are ε_xy, not γ_xy); the out-of-plane
/// components are those of the section: σ_zz in plane strain, ε_zz in plane stress (the elastic one). Stresses include
/// the viscous part.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CellFields {
    /// Global numbers of the cells, ascending.
    pub cells: Vec<usize>,
    /// Cauchy stress, tension positive \[Pa\].
    pub stress: Vec<[f64; 6]>,
    /// Strain \[-\].
    pub strain: Vec<[f64; 6]>,
    /// Von Mises stress, the average of its values at the points (in bending more than that of the average stress)
    /// \[Pa\].
    pub von_mises: Vec<f64>,
    /// Second invariant √(½ s:s) of the deviator of the average stress \[Pa\].
    pub stress_invariant: Vec<f64>,
    /// The same of the average strain \[-\].
    pub strain_invariant: Vec<f64>,
    /// Equivalent plastic strain, the average; zero where nothing yields \[-\].
    pub plastic_strain: Vec<f64>,
    /// Its largest value at a quadrature point \[-\].
    pub largest_plastic_strain: Vec<f64>,
    /// Yield stress, the average; zero where nothing yields \[Pa\].
    pub yield_stress: Vec<f64>,
}

impl CellFields {
    /// Adds a cell.
    pub(crate) fn push(&mut self, cell: usize, average: &CellAverage) {
        self.cells.push(cell);
        self.stress.push(components(&average.stress));
        self.strain.push(components(&average.strain));
        self.von_mises.push(average.von_mises);
        self.stress_invariant.push(shear_invariant(&average.stress));
        self.strain_invariant.push(shear_invariant(&average.strain));
        let (mean, most) = average.plastic.unwrap_or_default();
        self.plastic_strain.push(mean.strain);
        self.largest_plastic_strain.push(most);
        self.yield_stress.push(mean.yield_stress);
    }
}
