//! Bodies and their meshes.

use delassus_fem::{Formulation, Kinematics, MassKind, Rayleigh, Section};

use crate::spec::{
    AnnulusSpec, BallSpec, BlocksSpec, BodyEntry, BoxSpec, Components, CopiesSpec, CylinderSpec, DiskSpec,
    FaceRuleSpec, FacesEntry, InitialStressSpec, InterfaceSpec, MeshSpec, PackingOrder, PackingSizes, PackingSpec,
    PlaneCell, QuarterBallSpec, RectangleSpec, RegionEntry, ShellBlockSpec, SolidCell, SplitEntry,
};

impl BodyEntry {
    /// A body of this mesh, with the defaults of a case; it still needs a material.
    #[must_use]
    pub fn new(name: impl Into<String>, mesh: impl Into<MeshSpec>) -> Self {
        Self {
            name: name.into(),
            mesh: mesh.into(),
            scale: 1.0,
            rigid: false,
            inertia: None,
            copies: None,
            faces: Vec::new(),
            split: Vec::new(),
            material: None,
            regions: Vec::new(),
            section: Section::default(),
            formulation: Formulation::default(),
            mass: MassKind::default(),
            damping: Rayleigh::default(),
            kinematics: None,
            initial_stress: None,
            rotation: 0.0,
            rotation_axis: Components::default(),
            translation: Components::default(),
            velocity: Components::default(),
            spin: 0.0,
            spin_axis: Components::default(),
            velocity_field: Vec::new(),
            displacement_field: Vec::new(),
        }
    }

    /// A rectangle of quadrilaterals from its lower left corner, with the groups `left`, `right`, `bottom` and `top`.
    #[must_use]
    pub fn rectangle(name: impl Into<String>, corner: [f64; 2], size: [f64; 2], cells: [usize; 2]) -> Self {
        Self::new(name, RectangleSpec::new(corner, size, cells))
    }

    /// A box of hexahedra from its corner of least coordinates.
    #[must_use]
    pub fn block(name: impl Into<String>, corner: [f64; 3], size: [f64; 3], cells: [usize; 3]) -> Self {
        Self::new(name, BoxSpec::new(corner, size, cells))
    }

    /// The mesh of a file (gmsh, Abaqus, VTK), relative to the folder of the case.
    #[must_use]
    pub fn file(name: impl Into<String>, file: impl Into<String>) -> Self {
        Self::new(name, MeshSpec::File(file.into()))
    }

    /// The material of all cells that no region has.
    #[must_use]
    pub fn material(self, name: impl Into<String>) -> Self {
        Self { material: Some(name.into()), ..self }
    }

    /// The material of a group of cells.
    #[must_use]
    pub fn region(mut self, group: impl Into<String>, material: impl Into<String>) -> Self {
        self.regions.push(RegionEntry { group: group.into(), material: material.into() });
        self
    }

    /// Plane strain or plane stress, with thickness.
    #[must_use]
    pub fn section(self, section: Section) -> Self {
        Self { section, ..self }
    }

    /// How strains are taken from displacements.
    #[must_use]
    pub fn formulation(self, formulation: Formulation) -> Self {
        Self { formulation, ..self }
    }

    /// Lumped or consistent mass.
    #[must_use]
    pub fn mass(self, mass: MassKind) -> Self {
        Self { mass, ..self }
    }

    /// Rayleigh damping C += α M + β K.
    #[must_use]
    pub fn damping(self, alpha: f64, beta: f64) -> Self {
        Self { damping: Rayleigh { alpha, beta }, ..self }
    }

    /// Small strains, or the geometry moving along.
    #[must_use]
    pub fn kinematics(self, kinematics: Kinematics) -> Self {
        Self { kinematics: Some(kinematics), ..self }
    }

    /// The stress at the start.
    #[must_use]
    pub fn initial_stress(self, stress: InitialStressSpec) -> Self {
        Self { initial_stress: Some(stress), ..self }
    }

    /// The unit of the coordinates in its mesh file: 1e-3 of one in millimetres \[m\].
    #[must_use]
    pub fn scale(self, metres: f64) -> Self {
        Self { scale: metres, ..self }
    }

    /// Turns the mesh about the origin, counter-clockwise, before the translation \[degrees\].
    #[must_use]
    pub fn rotation(self, degrees: f64) -> Self {
        Self { rotation: degrees, ..self }
    }

    /// Moves the mesh \[m\].
    #[must_use]
    pub fn translation(self, translation: impl Into<Components>) -> Self {
        Self { translation: translation.into(), ..self }
    }

    /// The initial velocity \[m/s\].
    #[must_use]
    pub fn velocity(self, velocity: impl Into<Components>) -> Self {
        Self { velocity: velocity.into(), ..self }
    }

    /// The initial angular velocity about the centre of mass, counter-clockwise \[rad/s\].
    #[must_use]
    pub fn spin(self, spin: f64) -> Self {
        Self { spin, ..self }
    }

    /// An initial velocity that varies from place to place: an expression of x, y, z for each component \[m/s\].
    #[must_use]
    pub fn velocity_field<T: Into<String>>(self, components: impl IntoIterator<Item = T>) -> Self {
        Self { velocity_field: components.into_iter().map(Into::into).collect(), ..self }
    }

    /// An initial displacement: an expression of x, y, z for each component \[m\].
    #[must_use]
    pub fn displacement_field<T: Into<String>>(self, components: impl IntoIterator<Item = T>) -> Self {
        Self { displacement_field: components.into_iter().map(Into::into).collect(), ..self }
    }

    /// So many bodies instead of one, each moved from the one before \[m\].
    #[must_use]
    pub fn copies(self, count: usize, translation: impl Into<Components>) -> Self {
        let (rotation, rotation_axis) = (0.0, Components::default());
        Self { copies: Some(CopiesSpec { count, rotation, rotation_axis, translation: translation.into() }), ..self }
    }

    /// Names the facets of the boundary for which all rules hold.
    #[must_use]
    pub fn faces(mut self, name: impl Into<String>, all_of: Vec<FaceRuleSpec>) -> Self {
        self.faces.push(FacesEntry { name: name.into(), all_of });
        self
    }

    /// Splits the mesh along an interface, whose sides become the groups `name-plus` and `name-minus`.
    #[must_use]
    pub fn split(mut self, name: impl Into<String>, facets: InterfaceSpec) -> Self {
        self.split.push(SplitEntry { name: name.into(), facets, plus: None });
        self
    }
}

impl RectangleSpec {
    /// A rectangle of quadrilaterals from its lower left corner \[m\].
    #[must_use]
    pub fn new(corner: [f64; 2], size: [f64; 2], cells: [usize; 2]) -> Self {
        let (corner, size, cells) = (corner.into(), size.into(), cells.into());
        Self { corner, size, cells, element: PlaneCell::default(), refine: 1 }
    }
}

impl AnnulusSpec {
    /// A ring with so many cells through it and around it \[m\].
    #[must_use]
    pub fn new(centre: [f64; 2], inner_radius: f64, outer_radius: f64, cells: [usize; 2]) -> Self {
        Self { centre: centre.into(), inner_radius, outer_radius, cells: cells.into(), refine: 1 }
    }
}

impl DiskSpec {
    /// A disk: a core of cells, and rings of cells from it to the circle \[m\].
    #[must_use]
    pub fn new(centre: [f64; 2], radius: f64, core: [usize; 2], rings: usize) -> Self {
        Self { centre: centre.into(), radius, core: core.into(), rings, refine: 1 }
    }
}

impl BoxSpec {
    /// A box of hexahedra from its corner of least coordinates \[m\].
    #[must_use]
    pub fn new(corner: [f64; 3], size: [f64; 3], cells: [usize; 3]) -> Self {
        let (corner, size, cells) = (corner.into(), size.into(), cells.into());
        Self { corner, size, cells, element: SolidCell::default(), refine: 1 }
    }
}

impl BallSpec {
    /// A ball: a core of `core`³ cells, and layers of cells from it to the sphere \[m\].
    #[must_use]
    pub fn new(centre: [f64; 3], radius: f64, core: usize, layers: usize) -> Self {
        Self { centre: centre.into(), radius, core, layers, refine: 1 }
    }
}

impl CylinderSpec {
    /// A cylinder along z from the middle of its lower end \[m\].
    #[must_use]
    pub fn new(centre: [f64; 3], radius: f64, length: f64, core: [usize; 2], [rings, layers]: [usize; 2]) -> Self {
        Self { centre: centre.into(), radius, length, core: core.into(), rings, layers, refine: 1 }
    }
}

impl PackingSpec {
    /// Disks or balls of these sizes above a base \[m\] at the origin, loose; what differs is a field.
    #[must_use]
    pub fn new(sizes: PackingSizes, base: impl Into<Components>) -> Self {
        let (order, corner) = (PackingOrder::default(), Components::default());
        Self { sizes, order, base: base.into(), corner, seed: 0, around: None }
    }
}

/// `impl From<XSpec> for MeshSpec`, each for its variant.
macro_rules! mesh_of {
    ($($variant:ident: $spec:ty,)*) => {
        $(impl From<$spec> for MeshSpec {
            fn from(spec: $spec) -> Self {
                Self::$variant(spec)
            }
        })*
    };
}

mesh_of! {
    Blocks: BlocksSpec,
    Rectangle: RectangleSpec,
    Annulus: AnnulusSpec,
    Disk: DiskSpec,
    Box: BoxSpec,
    Ball: BallSpec,
    QuarterBall: QuarterBallSpec,
    Cylinder: CylinderSpec,
    ShellBlock: ShellBlockSpec,
    Packing: PackingSpec,
}
