//! Codes of elements, materials, supports and integrators.

use delassus_dynamics::DynamicsError;
use delassus_fem::FemError;

use super::{Code, Coded};

impl Coded for FemError {
    fn code(&self) -> Code {
        match self {
            Self::At { source, .. } => source.code(),
            Self::Mesh(e) => e.code(),
            Self::NoElement { .. } => Code("E0561"),
            Self::InvertedCell { .. } => Code("E0562"),
            Self::MasslessNode { .. } => Code("E0563"),
            Self::Parameter { .. } => Code("E0601"),
            Self::ElasticPair { .. } => Code("E0602"),
            Self::EmptyTable => Code("E0603"),
            Self::TableOrder { .. } => Code("E0604"),
            Self::RegionDimension { .. } => Code("E0605"),
            Self::NoMaterial { .. } => Code("E0606"),
            Self::TwoMaterials { .. } => Code("E0607"),
            Self::InelasticPlaneStress => Code("E0608"),
            Self::InelasticModes => Code("E0609"),
            Self::SmallStrainMaterial => Code("E0610"),
            Self::MovingDamping { .. } => Code("E0611"),
            Self::NoPrestress => Code("E0612"),
            Self::SectionDimension { .. } => Code("E0613"),
            Self::BBarPlaneStress => Code("E0614"),
            Self::Component { .. } => Code("E0615"),
            Self::UnmatchedTie { .. } => Code("E0616"),
            Self::CyclicTie { .. } => Code("E0617"),
            Self::TiedMotion { .. } => Code("E0618"),
            Self::ConflictingMotions { .. } => Code("E0619"),
        }
    }
}

impl Coded for DynamicsError {
    fn code(&self) -> Code {
        match self {
            Self::Parameter { .. } => Code("E0361"),
            Self::NotPositiveDefinite { .. } => Code("E0706"),
            Self::Factorisation { .. } => Code("E0707"),
        }
    }
}
