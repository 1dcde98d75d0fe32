//! Materials that a program brings along.

use std::sync::Arc;

use delassus_error::Own;

use super::{Kinematics3, Material, MaterialSpec};
use crate::error::{FemError, check_positive};
use crate::tensor::Mandel;

/// What messages call it.
pub(super) const KIND: &str = "material";

/// A material of one's own; `MaterialSpec::from(material)` puts it into a case.
///
/// Its stress must be linear in the strain of a step, with tangents that depend on the length of the step alone: linear elasticity and
/// viscoelasticity in small strains. Bodies take one tangent a step, so that others (plasticity) would be computed wrongly; they are refused.
pub trait OwnMaterial: Material {
    /// The name that stands for the material in files; its `Debug` text, with its parameters, unless another is given.
    fn name(&self) -> String {
        format!("{self:?}")
    }
}

impl<M: OwnMaterial + 'static> From<M> for MaterialSpec {
    fn from(material: M) -> Self {
        Self::Own(Own::new(material.name(), Arc::new(material)))
    }
}

/// The material, if its density is the one that the case gives.
pub(super) fn build(own: &Own<dyn Material>, density: f64) -> Result<Arc<dyn Material>, FemError> {
    let material = own.get(KIND)?;
    let (what, mine) = (own.name(), material.density());
    check_positive(what, "density", mine)?;
    check_positive(what, "wave speed", material.wave_speed())?;
    if mine.to_bits() != density.to_bits() {
        return Err(FemError::OwnDensity { material: what.to_owned(), mine, given: density });
    }
    if !is_linear(material.as_ref()) {
        return Err(FemError::OwnNotLinear { material: what.to_owned() });
    }
    Ok(Arc::clone(material))
}

/// Rounding of a stress, relative to the tangent times the strain, that still counts as linear.
const LINEAR: f64 = 1e-9;

/// Is the stress linear in the increment, by the same tangents for small and large strains, from the natural state and from another?
fn is_linear(material: &dyn Material) -> bool {
    let natural = vec![0.0; material.n_internal()];
    let h = 1.0;
    // A state with internal variables: after a step of all strains at once.
    let strained = Mandel::repeat(1.0);
    let mut later = natural.clone();
    let moved = Kinematics3 { strain: strained, increment: strained, strain_rate: strained / h };
    material.respond(&moved, h, &natural, &mut later);
    let starts = [(Mandel::zeros(), natural), (strained, later)];
    starts.iter().all(|(before, z)| {
        let at = |increment: Mandel| {
            let k = Kinematics3 { strain: before + increment, increment, strain_rate: increment / h };
            material.respond(&k, h, z, &mut z.clone())
        };
        let still = at(Mandel::zeros());
        let (size, rate_size) = (still.tangent.amax(), still.rate_tangent.amax());
        (0..6).flat_map(|i| [1e-6, 1.0].map(|a| (i, a))).all(|(i, a)| {
            let mut increment = Mandel::zeros();
            increment[i] = a;
            let found = at(increment);
            let linear = still.stress + still.tangent * increment + still.rate_tangent * increment / h;
            let allowed = LINEAR * (size + rate_size / h) * (a + before.amax());
            (found.stress - linear).amax() <= allowed
                && (found.tangent - still.tangent).amax() <= LINEAR * size
                && (found.rate_tangent - still.rate_tangent).amax() <= LINEAR * rate_size
        })
    })
}

#[cfg(test)]
mod tests {
    use super::super::Response;
    use super::*;
    use crate::tensor::isotropic;
    use crate::{KelvinVoigt, Maxwell};

    /// Hooke's law up to a stress, none beyond.
    #[derive(Clone, Debug)]
    struct Soft {
        limit: f64,
        density: f64,
    }

    impl Material for Soft {
        fn density(&self) -> f64 {
            self.density
        }

        fn wave_speed(&self) -> f64 {
            2.0
        }

        fn respond(&self, kinematics: &Kinematics3, _h: f64, _: &[f64], _: &mut [f64]) -> Response {
            let tangent = isotropic(1.0, 1.0);
            let stress = tangent * kinematics.strain;
            let factor = (self.limit / stress.amax()).min(1.0);
            let (stress, rate_tangent) = (factor * stress, isotropic(0.0, 0.0));
            Response { stress, tangent, rate_tangent, stored: 0.0, dissipated: 0.0, supplied: 0.0, path_work: 0.0 }
        }

        fn without_viscosity(&self) -> Result<Arc<dyn Material>, FemError> {
            Ok(Arc::new(self.clone()))
        }
    }

    impl OwnMaterial for Soft {}

    #[test]
    fn what_bodies_cannot_compute_is_refused() {
        let soft = |limit: f64, density: f64| MaterialSpec::from(Soft { limit, density });
        assert!(soft(f64::INFINITY, 3.0).build(3.0).is_ok());
        assert!(matches!(soft(0.5, 3.0).build(3.0), Err(FemError::OwnNotLinear { .. })));
        assert!(matches!(soft(f64::INFINITY, 3.0).build(2.0), Err(FemError::OwnDensity { .. })));
        assert!(matches!(soft(f64::INFINITY, -3.0).build(-3.0), Err(FemError::Parameter { .. })));
        let named: MaterialSpec = ron::from_str("Own(\"Soft\")").unwrap();
        assert!(matches!(named.build(3.0), Err(FemError::Own(_))));
    }

    /// The materials of the list are linear, so that the test refuses none that bodies can compute.
    #[test]
    fn the_materials_of_the_list_are_linear() {
        let voigt = KelvinVoigt::elastic(2.0, 0.3).with_viscosity(0.7, 1.3);
        for spec in [MaterialSpec::from(voigt), Maxwell::new(2.0, 0.3, 0.15).into()] {
            assert!(is_linear(spec.build(1.0).unwrap().as_ref()), "{spec:?}");
        }
    }
}
