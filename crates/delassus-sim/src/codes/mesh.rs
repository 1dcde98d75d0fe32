//! Codes of meshes and mesh files.

use delassus_mesh::MeshError;

use super::{Code, Coded, case};

impl Coded for MeshError {
    fn code(&self) -> Code {
        match self {
            Self::Io { .. } => case::MESH_UNREADABLE,
            Self::NotGmsh { .. } => Code("E0403"),
            Self::UnsupportedVersion { .. } => Code("E0404"),
            Self::Syntax { .. } => Code("E0405"),
            Self::MissingSection { .. } => Code("E0406"),
            Self::DuplicateNode { .. } => Code("E0407"),
            Self::UnknownNode { .. } => Code("E0408"),
            Self::UnsupportedElement { .. } => Code("E0409"),
            Self::TooManyDimensions { .. } => Code("E0410"),
            Self::NotPlane { .. } => Code("E0411"),
            Self::NoBulkCells { .. } => Code("E0412"),
            Self::OffBody { .. } => Code("E0413"),
            Self::Inconsistent { .. } => Code("E0414"),
            Self::UnknownGroup { .. } => Code("E0421"),
            Self::AmbiguousGroup { .. } => Code("E0422"),
            Self::EmptyGroup { .. } => Code("E0423"),
            Self::NoFacets { .. } => Code("E0424"),
            Self::NotASurface { .. } => Code("E0425"),
            Self::FacetOutside { .. } => Code("E0426"),
            Self::FacetInside { .. } => Code("E0427"),
            Self::NotAnInterface { .. } => Code("E0431"),
            Self::OneSidedFacet { .. } => Code("E0432"),
            Self::NoTwoSides { .. } => Code("E0433"),
            Self::NotCells { .. } => Code("E0434"),
            Self::UnclearSide { .. } => Code("E0435"),
            Self::NothingOpens { .. } => Code("E0436"),
            Self::NameTaken { .. } => Code("E0437"),
            Self::NoFacetFound { .. } => Code("E0438"),
            Self::BadCell { .. } => Code("E0441"),
            Self::Overlap { .. } => Code("E0442"),
            Self::Parameter { .. } => Code("E0443"),
            Self::File { source, .. } => source.code(),
        }
    }
}
