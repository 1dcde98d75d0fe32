//! Codes of contact surfaces, obstacles and pairs.

use delassus_contact::ContactError;

use super::{Code, Coded};

impl Coded for ContactError {
    fn code(&self) -> Code {
        match self {
            Self::EmptyCandidates { .. } => Code("E0501"),
            Self::AreaCount { .. } => Code("E0502"),
            Self::InvalidArea { .. } => Code("E0503"),
            Self::DuplicateCandidate { .. } => Code("E0504"),
            Self::DuplicatePoint { .. } => Code("E0505"),
            Self::InvalidWeights { .. } => Code("E0506"),
            Self::TooManyCandidates { .. } => Code("E0507"),
            Self::EmptySurface { .. } => Code("E0511"),
            Self::CornerCount { .. } => Code("E0512"),
            Self::RepeatedNode { .. } => Code("E0513"),
            Self::BranchingChain { .. } => Code("E0514"),
            Self::InconsistentOrientation { .. } => Code("E0515"),
            Self::BranchingSurface { .. } => Code("E0516"),
            Self::OppositeFacets { .. } => Code("E0517"),
            Self::FlatFacet { .. } => Code("E0518"),
            Self::ZeroLengthFacet { .. } => Code("E0519"),
            Self::ZeroNormal { .. } => Code("E0521"),
            Self::NonFiniteObstacle { .. } => Code("E0522"),
            Self::ZeroLengthObstacle { .. } => Code("E0523"),
            Self::SegmentDimension { .. } => Code("E0524"),
            Self::ShapeDimension { .. } => Code("E0525"),
            Self::ZeroAxis { .. } => Code("E0526"),
            Self::InvalidSize { .. } => Code("E0527"),
            Self::UnknownPoint { .. } => Code("E0528"),
            Self::FlatObstacleFacet { .. } => Code("E0529"),
            Self::OpenSolid { .. } => Code("E0530"),
            Self::FlatSolid { .. } => Code("E0531"),
            Self::InvalidRadius { .. } => Code("E0532"),
            Self::TooFewPoints { .. } => Code("E0533"),
            Self::FlatPolygon { .. } => Code("E0534"),
            Self::CrossingSides { .. } => Code("E0535"),
            Self::InvalidGapTime { .. } => Code("E0541"),
            Self::InvalidLimit { .. } => Code("E0542"),
            Self::DuplicatePair { .. } => Code("E0543"),
            Self::UnknownBody { .. } => Code("E0544"),
            Self::UnknownNode { .. } => Code("E0545"),
            Self::InvalidPosition { .. } => Code("E0546"),
            Self::MotionCount { .. } => Code("E0547"),
            Self::NonFiniteMotion { .. } => Code("E0548"),
        }
    }
}
