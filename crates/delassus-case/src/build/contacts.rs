//! Contacts, and the obstacles they may be with.

use delassus_fem::TimeFunction;
use delassus_solver::LawSpec;
use delassus_solver::law::TurningResistance;

use crate::spec::{
    AllContacts, AntagonistSpec, BoreShape, BoxShape, CircleShape, Components, ContactEntry, ContainerShape,
    CylinderShape, HalfPlaneShape, HoleShape, MeshShape, NormalsSpec, ObstacleEntry, ObstacleSpec, ObstacleVelocity,
    PointsSpec, PolygonShape, SegmentShape, SurfaceSpec,
};

impl ContactEntry {
    /// A contact of nodes with facets or an obstacle, with the defaults of a case.
    #[must_use]
    pub fn new(
        name: impl Into<String>,
        candidates: impl Into<SurfaceSpec>,
        antagonists: impl Into<AntagonistSpec>,
        law: impl Into<LawSpec>,
    ) -> Self {
        Self {
            name: name.into(),
            candidates: candidates.into(),
            antagonists: antagonists.into(),
            law: law.into(),
            points: PointsSpec::default(),
            normals: NormalsSpec::default(),
            both: false,
            initial_penetration: 0.0,
            resistance: None,
        }
    }

    /// Contacts of every body with every other body and every obstacle, by one law.
    #[must_use]
    pub fn all(law: impl Into<LawSpec>) -> Self {
        let (points, normals) = (PointsSpec::default(), NormalsSpec::default());
        AllContacts { law: law.into(), points, normals, initial_penetration: 0.0, resistance: None }.into()
    }

    /// Which points of the candidates' side may touch.
    #[must_use]
    pub fn points(self, points: PointsSpec) -> Self {
        Self { points, ..self }
    }

    /// Which normal contacts with facets get.
    #[must_use]
    pub fn normals(self, normals: NormalsSpec) -> Self {
        Self { normals, ..self }
    }

    /// Also lets the antagonist's nodes touch the candidates' facets: two passes.
    #[must_use]
    pub fn both(self) -> Self {
        Self { both: true, ..self }
    }

    /// Rolling and spinning resistance \[m\], between rigid bodies and of these with obstacles.
    #[must_use]
    pub fn resistance(self, rolling: f64, spinning: f64) -> Self {
        Self { resistance: Some(TurningResistance { rolling, spinning }), ..self }
    }

    /// The deepest penetration accepted in the geometry as it is given \[m\].
    #[must_use]
    pub fn initial_penetration(self, depth: f64) -> Self {
        Self { initial_penetration: depth, ..self }
    }
}

impl<B: Into<String>, G: Into<String>> From<(B, G)> for SurfaceSpec {
    /// The group of a body: `("block", "bottom")`.
    fn from((body, group): (B, G)) -> Self {
        Self { body: body.into(), group: group.into() }
    }
}

impl<B: Into<String>, G: Into<String>> From<(B, G)> for AntagonistSpec {
    fn from(surface: (B, G)) -> Self {
        Self::Surface(surface.into())
    }
}

impl From<&str> for AntagonistSpec {
    /// The obstacle of this name.
    fn from(obstacle: &str) -> Self {
        Self::Obstacle(obstacle.to_owned())
    }
}

impl ObstacleEntry {
    /// An obstacle at rest.
    #[must_use]
    pub fn new(name: impl Into<String>, shape: impl Into<ObstacleSpec>) -> Self {
        Self {
            name: name.into(),
            shape: shape.into(),
            velocity: ObstacleVelocity::default(),
            spin: None,
            spin_axis: Components::default(),
            pivot: Components::default(),
        }
    }

    /// All points on the side that the normal points away from: a half-plane, in space a half-space.
    #[must_use]
    pub fn half_plane(name: impl Into<String>, point: impl Into<Components>, normal: impl Into<Components>) -> Self {
        Self::new(name, HalfPlaneShape { point: point.into(), normal: normal.into() })
    }

    /// A disk, in space a ball.
    #[must_use]
    pub fn circle(name: impl Into<String>, centre: impl Into<Components>, radius: f64) -> Self {
        Self::new(name, CircleShape { centre: centre.into(), radius })
    }

    /// The velocity of its translation \[m/s\].
    #[must_use]
    pub fn velocity(self, velocity: ObstacleVelocity) -> Self {
        Self { velocity, ..self }
    }

    /// The angular velocity about a point, counter-clockwise, in space about z \[rad/s\].
    #[must_use]
    pub fn spin(self, spin: impl Into<TimeFunction>, pivot: impl Into<Components>) -> Self {
        Self { spin: Some(spin.into()), pivot: pivot.into(), ..self }
    }
}

impl ObstacleVelocity {
    /// The same with a velocity along x \[m/s\].
    #[must_use]
    pub fn x(self, velocity: impl Into<TimeFunction>) -> Self {
        Self { x: Some(velocity.into()), ..self }
    }

    /// The same with a velocity along y \[m/s\].
    #[must_use]
    pub fn y(self, velocity: impl Into<TimeFunction>) -> Self {
        Self { y: Some(velocity.into()), ..self }
    }

    /// The same with a velocity along z \[m/s\].
    #[must_use]
    pub fn z(self, velocity: impl Into<TimeFunction>) -> Self {
        Self { z: Some(velocity.into()), ..self }
    }
}

/// `impl From<XShape> for ObstacleSpec`, each for its variant.
macro_rules! shape_of {
    ($($variant:ident: $shape:ty,)*) => {
        $(impl From<$shape> for ObstacleSpec {
            fn from(shape: $shape) -> Self {
                Self::$variant(shape)
            }
        })*
    };
}

shape_of! {
    HalfPlane: HalfPlaneShape,
    Segment: SegmentShape,
    Circle: CircleShape,
    Hole: HoleShape,
    Polygon: PolygonShape,
    Container: ContainerShape,
    Box: BoxShape,
    Cylinder: CylinderShape,
    Bore: BoreShape,
    Mesh: MeshShape,
}
