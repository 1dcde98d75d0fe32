//! Errors of shapes.

use delassus_error::{Code, Coded};
use thiserror::Error;

/// What is wrong with a shape.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ShapeError {
    /// A size that is not a length.
    #[error("the {what} of a shape is {value} m: it must be positive and finite (1e-50 to 1e50)")]
    ShapeSize {
        /// Which size.
        what: &'static str,
        /// Its value (m).
        value: f64,
    },
    /// A coordinate that is not a number.
    #[error("point {point} of a shape is {value:?}: its coordinates must be finite (and below 1e50 m in size)")]
    ShapePoint {
        /// Index of the point.
        point: usize,
        /// Its coordinates (m).
        value: Vec<f64>,
    },
    /// A normal without direction.
    #[error("the normal {normal:?} of a half-space has no direction: it must be finite and not zero")]
    ShapeNormal {
        /// The components.
        normal: Vec<f64>,
    },
    /// Too few points.
    #[error("a {what} of {count} points encloses nothing: it needs at least {needed}")]
    FewShapePoints {
        /// What it should be.
        what: &'static str,
        /// Number of points.
        count: usize,
        /// How many it takes.
        needed: usize,
    },
    /// Two sides of a polygon that meet elsewhere than at a common corner.
    #[error(
        "sides {first} {first_ends:?} and {second} {second_ends:?} of a polygon meet: give the corners in their order around it, each once"
    )]
    SelfCrossing {
        /// The lower side, counted from zero.
        first: usize,
        /// The higher side.
        second: usize,
        /// Ends of the lower side (m).
        first_ends: [[f64; 2]; 2],
        /// Ends of the higher side (m).
        second_ends: [[f64; 2]; 2],
    },
    /// A shape without volume (area in 2D).
    #[error("the shape of {n_points} points has the {what} {value}: it must be positive and not lost in rounding")]
    NoVolume {
        /// `area` or `volume`.
        what: &'static str,
        /// Number of points.
        n_points: usize,
        /// The signed volume (m³), or the area (m²) in 2D.
        value: f64,
    },
    /// A face that names a point which is not there, or one point twice.
    #[error(
        "face {face} of a shape has the corners {corners:?}: it needs three or more different numbers below {n_points}"
    )]
    ShapeFace {
        /// Index of the face.
        face: usize,
        /// Its corners.
        corners: Vec<usize>,
        /// Number of points.
        n_points: usize,
    },
    /// A face that has no area, or is not plane or not convex.
    #[error("face {face} of a shape, with corners {corners:?}, is {what}: divide it into triangles that have an area")]
    FaceNotPlane {
        /// Index of the face.
        face: usize,
        /// Its corners.
        corners: Vec<usize>,
        /// What is wrong.
        what: &'static str,
    },
    /// An edge that does not have exactly two faces running along it in opposite directions.
    #[error(
        "the edge from point {from} to point {to} of a surface has {along} faces in this direction and {against} in the other: a closed surface has one each"
    )]
    OpenSurface {
        /// First end.
        from: usize,
        /// Second end.
        to: usize,
        /// Faces that run from the first to the second end.
        along: usize,
        /// Faces that run from the second to the first.
        against: usize,
    },
    /// A polyhedron that should be convex.
    #[error(
        "point {point} of a polyhedron lies {height} m outside of its face {face}: it is not convex; give it as a closed surface"
    )]
    NotConvex {
        /// Index of the face.
        face: usize,
        /// The point farthest outside.
        point: usize,
        /// How far outside (m).
        height: f64,
    },
    /// Two faces of a closed surface that go through one another.
    #[error("faces {first} and {second} of a surface go through one another: inside and outside are not defined")]
    CrossingFaces {
        /// The lower face.
        first: usize,
        /// The higher face.
        second: usize,
    },
    /// A line or a surface within another one that encloses the same again, or a hole in nothing.
    #[error(
        "part {part} of a boundary (counted from 0) does not fit the others: outside of them its solid must be within it, inside of one of them around it"
    )]
    Nested {
        /// Which of the closed lines, or of the surfaces that hang together.
        part: usize,
    },
    /// A clump of nothing, or with walls in it.
    #[error("a clump {what}: it needs one or more parts that are bounded")]
    ClumpParts {
        /// What is wrong.
        what: &'static str,
    },
    /// A pose of a part that is not a rigid motion.
    #[error("the pose of part {part} of a clump is not a rigid motion: its rotation is off by {error}")]
    ClumpPose {
        /// The part.
        part: usize,
        /// Largest entry of RᵀR − 1, or what is not finite.
        error: f64,
    },
    /// A density that no body has.
    #[error("the density {density} of a shape must be positive and finite")]
    ShapeDensity {
        /// The density.
        density: f64,
    },
    /// A mass of a shape that has no volume, or an endless one.
    #[error("a {what} has no mass by density: give its mass")]
    NoMass {
        /// Which shape.
        what: &'static str,
    },
}

impl Coded for ShapeError {
    fn code(&self) -> Code {
        match self {
            Self::ShapeSize { .. } => Code("E0571"),
            Self::ShapePoint { .. } => Code("E0572"),
            Self::ShapeNormal { .. } => Code("E0573"),
            Self::FewShapePoints { .. } => Code("E0574"),
            Self::SelfCrossing { .. } => Code("E0575"),
            Self::NoVolume { .. } => Code("E0576"),
            Self::ShapeFace { .. } => Code("E0577"),
            Self::FaceNotPlane { .. } => Code("E0578"),
            Self::OpenSurface { .. } => Code("E0579"),
            Self::NotConvex { .. } => Code("E0580"),
            Self::CrossingFaces { .. } => Code("E0581"),
            Self::Nested { .. } => Code("E0593"),
            Self::ClumpParts { .. } => Code("E0582"),
            Self::ClumpPose { .. } => Code("E0583"),
            Self::ShapeDensity { .. } => Code("E0584"),
            Self::NoMass { .. } => Code("E0585"),
        }
    }
}
