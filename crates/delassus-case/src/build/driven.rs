//! Loads, supports, ties and probes.

use delassus_fem::TimeFunction;

use crate::spec::{AttachmentEntry, BoundaryEntry, Components, LoadEntry, ProbeSpec, SpaceAxis, TieEntry};

impl LoadEntry {
    /// A uniform acceleration of all bodies \[m/s²\].
    #[must_use]
    pub fn gravity(acceleration: impl Into<Components>) -> Self {
        Self::Gravity {
            acceleration: acceleration.into(),
            bodies: Vec::new(),
            factor: TimeFunction::default(),
            field: None,
        }
    }

    /// A force per area on the facets of a group \[Pa\].
    #[must_use]
    pub fn traction(body: impl Into<String>, group: impl Into<String>, traction: impl Into<Components>) -> Self {
        let factor = TimeFunction::default();
        Self::Traction {
            body: body.into(),
            group: group.into(),
            traction: traction.into(),
            follows: false,
            factor,
            field: None,
        }
    }

    /// A pressure against the facets of a group; positive pushes inward \[Pa\].
    #[must_use]
    pub fn pressure(body: impl Into<String>, group: impl Into<String>, pressure: f64) -> Self {
        let factor = TimeFunction::default();
        Self::Pressure { body: body.into(), group: group.into(), pressure, follows: false, factor, field: None }
    }

    /// A couple about z on the facets of a group, a traction that is linear over it \[N·m\].
    #[must_use]
    pub fn couple(body: impl Into<String>, group: impl Into<String>, moment: f64) -> Self {
        let (axis, factor) = (Components::default(), TimeFunction::default());
        Self::Couple { body: body.into(), group: group.into(), moment, axis, follows: false, factor }
    }

    /// The same, turning with the surface it acts on; gravity and forces on nodes stay as they are.
    #[must_use]
    pub fn following(mut self) -> Self {
        if let Self::Traction { follows, .. } | Self::Pressure { follows, .. } | Self::Couple { follows, .. } =
            &mut self
        {
            *follows = true;
        }
        self
    }

    /// A total force, shared in equal parts by the nodes of a group \[N\].
    #[must_use]
    pub fn nodal_force(body: impl Into<String>, group: impl Into<String>, force: impl Into<Components>) -> Self {
        let factor = TimeFunction::default();
        Self::NodalForce { body: body.into(), group: group.into(), force: force.into(), factor }
    }

    /// The same multiplied by an expression of the place, `1 - y/0.2`; couples and forces stay as they are.
    #[must_use]
    pub fn field(mut self, expression: impl Into<String>) -> Self {
        if let Self::Gravity { field, .. } | Self::Traction { field, .. } | Self::Pressure { field, .. } = &mut self {
            *field = Some(expression.into());
        }
        self
    }

    /// The same multiplied by a function of time.
    #[must_use]
    pub fn factor(mut self, function: impl Into<TimeFunction>) -> Self {
        let (Self::Gravity { factor, .. }
        | Self::Traction { factor, .. }
        | Self::Pressure { factor, .. }
        | Self::Couple { factor, .. }
        | Self::Force { factor, .. }
        | Self::NodalForce { factor, .. }) = &mut self;
        *factor = function.into();
        self
    }
}

impl BoundaryEntry {
    /// The nodes of a group, free in all directions: prescribe at least one.
    #[must_use]
    pub fn new(body: impl Into<String>, group: impl Into<String>) -> Self {
        Self { body: body.into(), group: group.into(), x: None, y: None, z: None }
    }

    /// The velocity along x \[m/s\].
    #[must_use]
    pub fn x(self, velocity: impl Into<TimeFunction>) -> Self {
        Self { x: Some(velocity.into()), ..self }
    }

    /// The velocity along y \[m/s\].
    #[must_use]
    pub fn y(self, velocity: impl Into<TimeFunction>) -> Self {
        Self { y: Some(velocity.into()), ..self }
    }

    /// The velocity along z \[m/s\].
    #[must_use]
    pub fn z(self, velocity: impl Into<TimeFunction>) -> Self {
        Self { z: Some(velocity.into()), ..self }
    }
}

impl TieEntry {
    /// The nodes of the group `slaves` have all displacements of those of `masters`.
    #[must_use]
    pub fn new(body: impl Into<String>, slaves: impl Into<String>, masters: impl Into<String>) -> Self {
        let (slaves, masters) = (slaves.into(), masters.into());
        Self { body: body.into(), slaves, masters, components: Vec::new(), translation: Components::default() }
    }

    /// Only these components are equal.
    #[must_use]
    pub fn components(self, components: &[SpaceAxis]) -> Self {
        Self { components: components.to_vec(), ..self }
    }
}

impl ProbeSpec {
    /// The mass-weighted mean of a body.
    #[must_use]
    pub fn body(body: impl Into<String>) -> Self {
        Self::Body(body.into())
    }

    /// The mean of the nodes of a group.
    #[must_use]
    pub fn group(body: impl Into<String>, group: impl Into<String>) -> Self {
        Self::Group((body, group).into())
    }

    /// The node nearest to a point of the undeformed body \[m\].
    #[must_use]
    pub fn point(body: impl Into<String>, point: impl Into<Components>) -> Self {
        Self::Point { body: body.into(), point: point.into() }
    }

    /// The mean stress of the cells of a group.
    #[must_use]
    pub fn stress(body: impl Into<String>, group: impl Into<String>) -> Self {
        Self::Stress((body, group).into())
    }
}

impl AttachmentEntry {
    /// A boundary that waves leave.
    #[must_use]
    pub fn absorbing(body: impl Into<String>, group: impl Into<String>) -> Self {
        Self { absorbing: true, ..Self::mass(body, group, 0.0) }
    }

    /// A mass shared by the nodes of a group \[kg\].
    #[must_use]
    pub fn mass(body: impl Into<String>, group: impl Into<String>, mass: f64) -> Self {
        let (stiffness, damping) = (Components::default(), Components::default());
        Self { body: body.into(), group: group.into(), stiffness, damping, mass, absorbing: false }
    }

    /// Springs and dashpots along the axes, of all nodes of a group together \[N/m, N·s/m\].
    #[must_use]
    pub fn springs(
        body: impl Into<String>,
        group: impl Into<String>,
        stiffness: impl Into<Components>,
        damping: impl Into<Components>,
    ) -> Self {
        Self { stiffness: stiffness.into(), damping: damping.into(), ..Self::mass(body, group, 0.0) }
    }
}
