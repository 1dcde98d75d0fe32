//! The internal variables of a body: where those of each cell are, and their values at the start.
//!
//! They are those of the cells, one after the other in the order of assembly, quadrature point by quadrature point: the
//! material's own, then what the kinematics keep, then ε_zz in plane stress.

use crate::assembly::Assembly;
use crate::cell::CellModel;
use crate::error::{FemError, check_finite};
use crate::formulation::Formulation;
use crate::kinematics::Kinematics;
use crate::section::Section;
use crate::sparsity::NodeBlocks;
use crate::tensor::{Mandel, unit};

/// Stress of a body at the start.
#[derive(Clone, Debug, PartialEq)]
pub enum InitialStress<const D: usize> {
    /// The weight of what lies above.
    Lithostatic(Lithostatic<D>),
}

/// Stress that carries the weight of the column above a point: σ_v = −ρ |g| depth along gravity, k σ_v across.
#[derive(Clone, Debug, PartialEq)]
pub struct Lithostatic<const D: usize> {
    /// A point of the free surface, which is normal to gravity \[m\].
    pub surface: [f64; D],
    /// Density of the column \[kg/m³\].
    pub density: f64,
    /// Acceleration \[m/s²\].
    pub gravity: [f64; D],
    /// k: horizontal over vertical stress; 1 is the pressure of a fluid.
    pub lateral: f64,
}

impl<const D: usize> InitialStress<D> {
    fn validate(&self) -> Result<(), FemError> {
        let Self::Lithostatic(l) = self;
        let what = "Lithostatic";
        check_finite(what, "density", l.density)?;
        check_finite(what, "lateral", l.lateral)?;
        l.surface.iter().try_for_each(|&x| check_finite(what, "surface", x))?;
        l.gravity.iter().try_for_each(|&g| check_finite(what, "gravity", g))
    }

    /// The stress at a point; none above the surface.
    fn at(&self, x: &[f64; D]) -> Mandel {
        let Self::Lithostatic(l) = self;
        let size = l.gravity.iter().map(|g| g * g).sum::<f64>().sqrt();
        if size <= 0.0 {
            return Mandel::zeros();
        }
        let down: [f64; D] = l.gravity.map(|g| g / size);
        let depth: f64 = (0..D).map(|i| (x[i] - l.surface[i]) * down[i]).sum();
        let vertical = -l.density * size * depth.max(0.0);
        let along = crate::tensor::symmetric_part(&nalgebra::Matrix3::from_fn(|i, j| {
            if i < D && j < D { down[i] * down[j] } else { 0.0 }
        }));
        unit() * (l.lateral * vertical) + along * ((1.0 - l.lateral) * vertical)
    }
}

/// What a body keeps to be inelastic.
pub(crate) struct InternalVariables<const D: usize> {
    pub kinematics: Kinematics,
    /// First internal variable of each cell, and the end.
    pub offsets: Vec<usize>,
    /// Internal variables at the start.
    pub initial: Vec<f64>,
    /// Where the tangents of the cells go.
    pub pattern: NodeBlocks<D>,
    /// Is the stress of some material not linear in the increment?
    pub is_curved: bool,
}

impl<const D: usize> InternalVariables<D> {
    /// None for a body that is linear; errors for what an inelastic one cannot be.
    pub fn new<'a>(
        assembly: &Assembly<D>,
        points: &[[f64; D]],
        kinematics: Kinematics,
        stress: Option<&InitialStress<D>>,
        model: impl Fn(usize) -> Option<CellModel<'a>>,
    ) -> Result<Option<Self>, FemError> {
        if let Some(stress) = stress {
            stress.validate()?;
        }
        let any = |what: &dyn Fn(&CellModel<'a>) -> bool| {
            assembly.cells().filter_map(|(cell, _)| model(cell)).any(|m| what(&m))
        };
        let has_internal = any(&|m| m.material.n_internal() > 0);
        let is_curved = any(&|m| !m.material.is_linear());
        let moves = kinematics != Kinematics::SmallStrain;
        if !has_internal && !moves {
            return if stress.is_some() { Err(FemError::NoPrestress) } else { Ok(None) };
        }
        let (mut offsets, mut initial) = (vec![0], Vec::new());
        for (kernel, cell, nodes) in assembly.kernels() {
            let Some(model) = model(cell) else { continue };
            check(&model, kinematics, stress.is_some())?;
            let x: Vec<[f64; D]> = nodes.iter().map(|&n| points[n]).collect();
            for place in (kernel.quadrature)(&x, model.section) {
                let mut z = vec![0.0; model.material.n_internal()];
                if let Some(stress) = stress
                    && !model.material.prestress(&stress.at(&place), &mut z)
                {
                    return Err(FemError::NoPrestress);
                }
                initial.extend(z);
                initial.extend(kinematics.initial_kept());
                // ε_zz
                initial.extend(matches!(model.section, Section::PlaneStress { .. }).then_some(0.0));
            }
            offsets.push(initial.len());
        }
        let pattern = NodeBlocks::new(points.len(), assembly.cells().map(|(_, nodes)| nodes));
        Ok(Some(Self { kinematics, offsets, initial, pattern, is_curved }))
    }
}

/// Can this cell be inelastic?
fn check(model: &CellModel, kinematics: Kinematics, is_stressed: bool) -> Result<(), FemError> {
    // With the geometry moving the thickness would change; a stress at the start may have a part along z.
    let moves = kinematics != Kinematics::SmallStrain;
    let is_curved = !model.material.is_linear();
    if matches!(model.section, Section::PlaneStress { .. }) && (moves || is_stressed || is_curved) {
        return Err(FemError::InelasticPlaneStress);
    }
    if model.formulation == Formulation::IncompatibleModes {
        return Err(FemError::InelasticModes);
    }
    if kinematics.dilates() && !model.material.follows_increments() {
        return Err(FemError::SmallStrainMaterial);
    }
    if kinematics == (Kinematics::FiniteStrain {}) && model.material.instantaneous().rate_tangent.amax() > 0.0 {
        return Err(FemError::FiniteViscosity);
    }
    Ok(())
}

/// What an axisymmetric body cannot have.
pub(crate) fn check_revolved(kinematics: &Kinematics, formulation: Formulation) -> Result<(), FemError> {
    if formulation == Formulation::IncompatibleModes {
        return Err(FemError::AxisymmetricModes);
    }
    match kinematics {
        Kinematics::SmallStrain | Kinematics::FiniteStrain {} => Ok(()),
        Kinematics::Corotational { .. } | Kinematics::UpdatedGeometry { .. } => Err(FemError::AxisymmetricKinematics),
    }
}
