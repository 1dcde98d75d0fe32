//! How the strain follows from nodal displacements: the standard B matrix, B-bar, or incompatible modes.
//!
//! ```text
//! standard :  ε = Σ B_a u_a
//! B-bar    :  B̄_a = B_a + ⅓ I ⊗ (ḡ_a − g_a) ,   g_a = tr B_a = ∇N_a ,  ḡ_a = (1/V) ∫ g_a dV ;   axisymmetric: g_a = ∇N_a + (N_a/r) e_r
//! modes    :  ε = Σ B_a u_a + Σ_i sym(α_i ⊗ ∇φ_i) ,   φ_i = 1 − ξ_i² ,   ∇φ_i = (|J₀|/|J|) J₀⁻ᵀ ∇_ξ φ_i
//! ```
//!
//! B-bar (mean dilatation, Hughes 1980) replaces the volumetric strain by its mean over the cell, so that a nearly
//! incompressible material is constrained once per cell, not at each quadrature point. The split is the
//! three-dimensional one (⅓ also in plane strain): tr ε̄ is constant in the cell and the deviator is untouched. Both
//! forms pass the patch test, since the correction vanishes for linear displacement fields. Quadratic cells in space must
//! not have it: they contain the fields 2(a·x)x − |x|²a, whose strain 2(a·x)I has no deviator and no mean, so that a cell
//! would have three modes without energy.
//!
//! Incompatible modes (Wilson et al. 1973, with the correction of Taylor, Beresford & Wilson 1976) add what a bilinear or
//! trilinear cell lacks to bend. The modes are not continuous between cells; with the Jacobian J₀ of the centre and the
//! factor |J₀|/|J| the integral of every ∇φ_i over the cell vanishes, whatever its shape, so that constant stress does no
//! work on them and the patch test holds. The α_i belong to the cell and are eliminated there,
//!
//! ```text
//! K = K_uu − K_uα K_αα⁻¹ K_αu ,   α = −K_αα⁻¹ K_αu u
//! ```
//!
//! for the elasticity and for the viscosity each on its own, as in plane stress (exact where the two are proportional).
//! The modes carry no mass.

use nalgebra::SMatrix;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::element::Element;
use crate::mapping::{QuadraturePoint, determinant, jacobian};
use crate::tensor::{Vector, strain_operator, unit};

/// How strains are built from nodal displacements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Formulation {
    /// B as the shape functions give it.
    #[default]
    Standard,
    /// Mean dilatation: no volumetric locking. The same as `Standard` for linear triangles and tetrahedra, and for
    /// quadratic cells; refused in plane stress, where nothing locks (the thickness is free to change) and the volumetric
    /// split would be that of another material. In bending it needs several layers of cells: one layer has no volumetric
    /// energy left and is up to a factor 2/(3(1+ν)) too soft.
    BBar,
    /// Quadratic displacement modes inside each cell: no locking in bending, little in nearly incompressible materials.
    /// For four-node quadrilaterals and eight-node hexahedra; the same as `Standard` for all others. Refused in axisymmetric bodies, whose
    /// constant stress would do work on them through the hoop strain.
    IncompatibleModes,
}

impl Formulation {
    /// The strain operators at every quadrature point of a cell: B_a of the nodes, then those of the modes, if any.
    pub(crate) fn operators<E: Element<D, N>, const D: usize, const N: usize>(
        self,
        x: &[[f64; D]],
        points: &[QuadraturePoint<D, N>],
    ) -> Vec<Vec<SMatrix<f64, 6, D>>> {
        let mut operators: Vec<Vec<SMatrix<f64, 6, D>>> =
            points.iter().map(|p| (0..N).map(|a| p.operator(a)).collect()).collect();
        match self {
            Self::BBar if E::KIND.is_linear() => {
                let volume: f64 = points.iter().map(|p| p.volume).sum();
                let mut mean = SMatrix::<f64, D, N>::zeros();
                for p in points {
                    mean += p.traces() * (p.volume / volume);
                }
                for (operator, p) in operators.iter_mut().zip(points) {
                    for (a, b) in operator.iter_mut().enumerate() {
                        *b += unit() * (mean.column(a) - p.trace(a)).transpose() / 3.0;
                    }
                }
            }
            Self::IncompatibleModes if E::HAS_MODES => {
                let centre = jacobian::<E, D, N>(x, &[0.0; D]);
                // the caller has found every Jacobian positive; a singular centre would only lose the modes
                let Some(inverse) = centre.try_inverse() else { return operators };
                for ((operator, p), (xi, weight)) in operators.iter_mut().zip(points).zip(E::RULE) {
                    let ratio = determinant(centre) / (p.volume / weight);
                    for i in 0..D {
                        let gradient: Vector<D> = inverse.row(i).transpose() * (-2.0 * xi[i] * ratio);
                        operator.push(strain_operator(&gradient));
                    }
                }
            }
            Self::Standard | Self::BBar | Self::IncompatibleModes => {}
        }
        operators
    }
}
