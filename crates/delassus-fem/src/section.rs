//! The section of a body: the assumption for the third direction in plane cases.
//!
//! ```text
//! plane strain :  ε_zz = 0
//! plane stress :  σ_zz = 0  ⇒  ε_zz = −(C_zz,· ε)/C_zz,zz   (ε without its zz part)
//!                 C* = C − C_·,zz C_zz,· / C_zz,zz          (condensed tangent)
//! axisymmetric :  x = r, y along the axis, z around it;  ε_zz = u_r/r ,   dV = 2π r dA
//! ```
//!
//! Axisymmetric forces, masses and areas are those of the full turn of 2π. A node stands for a ring: its radial force is the sum of the sizes of the forces
//! along the ring. Shifts along r and turns in the plane strain such a body; only a shift along the axis is a rigid motion.
//!
//! For Kelvin–Voigt solids in plane stress the elastic and the viscous σ_zz vanish separately: the rate tangent is
//! condensed like the tangent, on its own (exact where the two are proportional). The material must be symmetric about
//! the plane (σ_xz = σ_yz = 0 for ε_xz = ε_yz = 0), as isotropic ones are.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{FemError, check_positive};
use crate::tensor::{Mandel, Tangent, ZZ};

/// The assumption for the third direction of a plane body.
///
/// The default, plane strain of thickness 1 m, means `Solid` in a three-dimensional body.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub enum Section {
    /// A long body: no strain along z.
    PlaneStrain {
        /// Thickness along z, by which masses and forces are multiplied \[m\].
        #[serde(default = "unit_thickness")]
        thickness: f64,
    },
    /// A thin plate: no stress along z.
    PlaneStress {
        /// Thickness along z, by which masses and forces are multiplied \[m\].
        #[serde(default = "unit_thickness")]
        thickness: f64,
    },
    /// A body of revolution about the axis x = 0: x is the radius, y runs along the axis. Masses, forces and areas are those of the full turn.
    Axisymmetric,
    /// A body in three dimensions.
    Solid,
}

fn unit_thickness() -> f64 {
    1.0
}

impl Default for Section {
    fn default() -> Self {
        Self::PlaneStrain { thickness: unit_thickness() }
    }
}

impl Section {
    /// Thickness along z \[m\], by which integrals over the body are multiplied; 1 for a solid.
    #[must_use]
    pub fn thickness(&self) -> f64 {
        match *self {
            Self::PlaneStrain { thickness } | Self::PlaneStress { thickness } => thickness,
            Self::Axisymmetric | Self::Solid => 1.0,
        }
    }

    /// Does the plane turn about an axis?
    #[must_use]
    pub fn is_revolved(&self) -> bool {
        matches!(self, Self::Axisymmetric)
    }

    /// The way around the axis at a radius, 2π r \[m\]; 1 for sections without an axis.
    #[must_use]
    pub fn around(&self, radius: f64) -> f64 {
        if self.is_revolved() { std::f64::consts::TAU * radius } else { 1.0 }
    }

    /// Components of a displacement that count by themselves, not relative to the first node of a cell: a shift along them strains the body.
    pub(crate) fn n_absolute(&self) -> usize {
        usize::from(self.is_revolved())
    }

    /// This section in D dimensions: the default one becomes `Solid` in three.
    ///
    /// # Errors
    /// [`FemError::SectionDimension`] if it is for bodies of another dimension.
    pub fn in_dimension<const D: usize>(self) -> Result<Self, FemError> {
        match (D, self) {
            (2, Self::PlaneStrain { .. } | Self::PlaneStress { .. } | Self::Axisymmetric) | (3, Self::Solid) => {
                Ok(self)
            }
            (3, _) if self == Self::default() => Ok(Self::Solid),
            _ => Err(FemError::SectionDimension { section: format!("{self:?}"), dimension: D }),
        }
    }

    /// Checks the thickness.
    ///
    /// # Errors
    /// [`FemError::Parameter`] unless it is a positive number.
    pub fn validate(&self) -> Result<(), FemError> {
        check_positive("section", "thickness", self.thickness())
    }

    /// The tangent that acts on in-plane strains.
    #[must_use]
    pub fn condense(&self, tangent: &Tangent) -> Tangent {
        let pivot = tangent[(ZZ, ZZ)];
        match self {
            // without stiffness along z (no viscosity) there is nothing to condense
            Self::PlaneStress { .. } if pivot > 0.0 => {
                let mut condensed = tangent - tangent.column(ZZ) * tangent.row(ZZ) / pivot;
                // zero but for rounding
                condensed.row_mut(ZZ).fill(0.0);
                condensed.column_mut(ZZ).fill(0.0);
                condensed
            }
            Self::PlaneStress { .. } | Self::PlaneStrain { .. } | Self::Axisymmetric | Self::Solid => *tangent,
        }
    }

    /// The strain with its out-of-plane part, from the in-plane one and the full tangent.
    #[must_use]
    pub fn complete(&self, tangent: &Tangent, strain: &Mandel) -> Mandel {
        let mut full = *strain;
        let pivot = tangent[(ZZ, ZZ)];
        if matches!(self, Self::PlaneStress { .. }) && pivot > 0.0 {
            full[ZZ] = 0.0;
            full[ZZ] = -(tangent.row(ZZ) * full)[0] / pivot;
        }
        full
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensor::isotropic;

    const STRESS: Section = Section::PlaneStress { thickness: 1.0 };

    #[test]
    fn plane_stress_modulus_is_exact() {
        // C*_xxxx = E/(1 − ν²), C*_xxyy = ν E/(1 − ν²), 2μ in shear (Mandel)
        let (young, poisson) = (210.0, 0.3);
        let mu = young / (2.0 * (1.0 + poisson));
        let c = STRESS.condense(&isotropic(young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)), mu));
        let plate = young / (1.0 - poisson * poisson);
        for (got, exact) in [(c[(0, 0)], plate), (c[(0, 1)], poisson * plate), (c[(3, 3)], 2.0 * mu)] {
            assert!((got - exact).abs() < 1e-13 * exact, "{got} against {exact}: a few roundings");
        }
        assert!(c.column(ZZ).norm() + c.row(ZZ).norm() <= 0.0);
    }

    #[test]
    fn completed_strain_has_no_stress_along_z() {
        let c = isotropic(3.0, 2.0);
        let plane = Mandel::new(0.1, -0.3, 0.0, 0.2, 0.0, 0.0);
        let full = STRESS.complete(&c, &plane);
        let stress = c * full;
        assert!(stress[ZZ].abs() < 1e-16);
        assert!((stress - STRESS.condense(&c) * plane).norm() < 1e-15, "both ways give the same in-plane stress");
        assert_eq!(Section::default().complete(&c, &plane), plane);
        assert_eq!(Section::default().condense(&c), c);
    }

    #[test]
    fn no_viscosity_needs_no_condensation() {
        assert_eq!(STRESS.condense(&Tangent::zeros()), Tangent::zeros());
    }

    #[test]
    fn thickness_must_be_positive() {
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let message = Section::PlaneStress { thickness: bad }.validate().unwrap_err().to_string();
            assert!(message.contains(&format!("thickness = {bad}")), "{message}");
        }
    }

    #[test]
    fn reads_from_ron() {
        assert_eq!(ron::from_str::<Section>("PlaneStrain()").unwrap(), Section::default());
        let plate = ron::from_str::<Section>("PlaneStress(thickness: 0.01)").unwrap();
        assert_eq!(plate, Section::PlaneStress { thickness: 0.01 });
        assert!(ron::from_str::<Section>("PlaneStress(thicknes: 0.01)").is_err());
        assert_eq!(ron::from_str::<Section>("Solid").unwrap(), Section::Solid);
        assert_eq!(ron::from_str::<Section>("Axisymmetric").unwrap(), Section::Axisymmetric);
    }

    #[test]
    fn each_section_has_its_dimension() {
        assert_eq!(Section::default().in_dimension::<3>().unwrap(), Section::Solid);
        assert_eq!(Section::Solid.in_dimension::<3>().unwrap(), Section::Solid);
        assert_eq!(STRESS.in_dimension::<2>().unwrap(), STRESS);
        for message in [
            STRESS.in_dimension::<3>().unwrap_err().to_string(),
            Section::PlaneStrain { thickness: 2.0 }.in_dimension::<3>().unwrap_err().to_string(),
            Section::Solid.in_dimension::<2>().unwrap_err().to_string(),
            Section::Axisymmetric.in_dimension::<3>().unwrap_err().to_string(),
        ] {
            assert!(message.contains("section"), "{message}");
        }
    }
}
