//! Orthotropic elasticity: three planes of symmetry, nine moduli, in axes of the undeformed body.
//!
//! ```text
//! ε_1 =  σ_1/E_1      − ν_12 σ_2/E_1 − ν_13 σ_3/E_1            2 ε_12 = σ_12/G_12
//! ε_2 = −ν_12 σ_1/E_1 + σ_2/E_2      − ν_23 σ_3/E_2            2 ε_23 = σ_23/G_23
//! ε_3 = −ν_13 σ_1/E_1 − ν_23 σ_2/E_2 + σ_3/E_3                 2 ε_13 = σ_13/G_13
//! σ = C ε ,   C the inverse, turned into the axes of space
//! ```
//!
//! ν_12 is how much shorter the axis 2 becomes where the body is pulled along 1 (ν_21 = ν_12 E_2/E_1). With `FiniteStrain` the strain is the logarithmic one; C and its axes
//! belong to the undeformed body, so that they turn along with it, as they do in the frames of `Corotational`.

use std::sync::Arc;

use nalgebra::{Matrix3, Vector3};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Kinematics3, Material, Response};
use crate::error::{FemError, check_finite, check_positive};
use crate::tensor::{Tangent, rotated_tangent};

const LAW: &str = "Orthotropic";

/// Axes that are parallel up to this sine do not span a plane.
const PARALLEL: f64 = 1e-6;

/// Parameters of the orthotropic solid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Orthotropic {
    /// E_1, E_2, E_3 > 0 \[Pa\].
    pub young: [f64; 3],
    /// ν_12, ν_23, ν_13 \[-\].
    pub poisson: [f64; 3],
    /// G_12, G_23, G_13 > 0 \[Pa\].
    pub shear: [f64; 3],
    /// Directions of the axes 1 and 2, of any length; of the second the part across the first counts. x and y when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axes: Option<[[f64; 3]; 2]>,
}

impl Orthotropic {
    /// E_1, E_2, E_3 \[Pa\], ν_12, ν_23, ν_13 and G_12, G_23, G_13 \[Pa\], in the axes x, y, z.
    #[must_use]
    pub fn new(young: [f64; 3], poisson: [f64; 3], shear: [f64; 3]) -> Self {
        Self { young, poisson, shear, axes: None }
    }

    /// The same with other axes 1 and 2.
    #[must_use]
    pub fn axes(self, first: [f64; 3], second: [f64; 3]) -> Self {
        Self { axes: Some([first, second]), ..self }
    }

    /// Checks the parameters and makes the material.
    pub(super) fn build(&self, density: f64) -> Result<OrthotropicSolid, FemError> {
        check_positive(LAW, "density", density)?;
        for (values, name) in [(self.young, "young"), (self.shear, "shear")] {
            values.iter().try_for_each(|&x| check_positive(LAW, name, x))?;
        }
        self.poisson.iter().try_for_each(|&x| check_finite(LAW, "poisson", x))?;
        let [e1, e2, e3] = self.young;
        let [n12, n23, n13] = self.poisson;
        let compliance = Matrix3::new(
            1.0 / e1,
            -n12 / e1,
            -n13 / e1, //
            -n12 / e1,
            1.0 / e2,
            -n23 / e2, //
            -n13 / e1,
            -n23 / e2,
            1.0 / e3,
        );
        // in a unit without size, so that only the ratios of the moduli count
        let scale = Matrix3::from_diagonal(&Vector3::new(e1, e2, e3).map(f64::sqrt));
        let stiffness = (scale * compliance * scale).cholesky().map(|c| scale * c.inverse() * scale);
        let Some(normal) = stiffness.filter(|c| c.iter().all(|x| x.is_finite())) else {
            return Err(FemError::UnstableOrthotropy { poisson: self.poisson, young: self.young });
        };
        let mut inside = Tangent::zeros();
        inside.fixed_view_mut::<3, 3>(0, 0).copy_from(&((normal + normal.transpose()) * 0.5));
        for (k, shear) in self.shear.iter().enumerate() {
            inside[(3 + k, 3 + k)] = 2.0 * shear;
        }
        let turned = rotated_tangent(&inside, &self.rotation()?);
        let elastic = (turned + turned.transpose()) * 0.5;
        // no wave is faster than by the stiffest of all strains
        let wave_speed = (elastic.symmetric_eigenvalues().max() / density).sqrt();
        check_positive(LAW, "wave speed", wave_speed)?;
        Ok(OrthotropicSolid { density, wave_speed, elastic })
    }

    /// Columns: the three axes.
    fn rotation(&self) -> Result<Matrix3<f64>, FemError> {
        let Some(given) = self.axes else { return Ok(Matrix3::identity()) };
        let [first, second] = given.map(Vector3::from);
        let unit = |v: Vector3<f64>| v.try_normalize(0.0).filter(|v| v.iter().all(|x| x.is_finite()));
        let axes = unit(first).zip(unit(second)).and_then(|(a, b)| {
            let across = b - a * a.dot(&b);
            Some((a, unit(across).filter(|_| across.norm() > PARALLEL)?))
        });
        let (a, b) = axes.ok_or(FemError::OrthotropicAxes { axes: given })?;
        Ok(Matrix3::from_columns(&[a, b, a.cross(&b)]))
    }
}

/// An orthotropic solid with checked parameters.
#[derive(Clone, Debug)]
pub(super) struct OrthotropicSolid {
    density: f64,
    wave_speed: f64,
    elastic: Tangent,
}

impl Material for OrthotropicSolid {
    fn density(&self) -> f64 {
        self.density
    }

    fn wave_speed(&self) -> f64 {
        self.wave_speed
    }

    fn is_isotropic(&self) -> bool {
        false
    }

    fn respond(&self, kinematics: &Kinematics3, _h: f64, _z_old: &[f64], _z_new: &mut [f64]) -> Response {
        let Kinematics3 { strain, increment, .. } = kinematics;
        let stress = self.elastic * strain;
        Response {
            stress,
            tangent: self.elastic,
            rate_tangent: Tangent::zeros(),
            stored: 0.5 * stress.dot(strain),
            dissipated: 0.0,
            supplied: 0.0,
            path_work: (stress - self.elastic * increment * 0.5).dot(increment),
        }
    }

    fn without_viscosity(&self) -> Result<Arc<dyn Material>, FemError> {
        Ok(Arc::new(self.clone()))
    }
}
