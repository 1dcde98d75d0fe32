//! Errors of this crate, and the checks of numbers that make them.

use delassus_error::digits::place;
use delassus_error::{Code, Coded, OwnMissing};
use delassus_mesh::{CellKind, MeshError};

/// What can be wrong with a material, a function of time or a body.
#[derive(Debug, thiserror::Error)]
pub enum FemError {
    /// An error with the place where it happened (body, load, material).
    #[error("{place}: {source}")]
    At {
        /// Where: "body `block`, prescribed velocity on `left`".
        place: String,
        /// What is wrong there.
        source: Box<FemError>,
    },
    /// A number is outside its range.
    #[error("{what}: {parameter} = {value} must be {allowed}")]
    Parameter {
        /// To what the parameter belongs.
        what: String,
        /// Its name, as in a case file.
        parameter: &'static str,
        /// The value given.
        value: f64,
        /// What would be right.
        allowed: &'static str,
    },
    /// A thing of one's own that is only named.
    #[error(transparent)]
    Own(#[from] OwnMissing),
    /// A material of one's own with another density than its entry.
    #[error("the material has density {mine}, its entry says {given}: give its own (material `{material}`)")]
    OwnDensity {
        /// Its name.
        material: String,
        /// Its density \[kg/m³\].
        mine: f64,
        /// That of its entry \[kg/m³\].
        given: f64,
    },
    /// A material of one's own whose stress is not linear in the strain of a step.
    #[error(
        "the stress of the material `{material}` is not linear in the strain of one step, or its tangents are not its derivatives: bodies take one tangent a step"
    )]
    OwnNotLinear {
        /// Its name.
        material: String,
    },
    /// Not exactly one pair of elastic moduli.
    #[error("{law}: give either young and poisson, or lambda and mu (given: {given})")]
    ElasticPair {
        /// The material law.
        law: &'static str,
        /// Names of the moduli given.
        given: String,
    },
    /// Poisson's ratio of an incompressible material.
    #[error(
        "{law}: poisson = 0.5 must be < 0.5: an incompressible material has no bulk modulus, and cells whose unknowns are displacements lock; use 0.499 with formulation BBar for nearly incompressible"
    )]
    Incompressible {
        /// The material law.
        law: &'static str,
    },
    /// Orthotropic moduli that are not positive definite.
    #[error(
        "Orthotropic: young = {young:?} and poisson = {poisson:?} (ν_12, ν_23, ν_13) would store negative energy: each must be smaller than the root of its ratio of Young's moduli, |ν_12| < √(E_1/E_2), and all three together must allow a positive bulk modulus"
    )]
    UnstableOrthotropy {
        /// ν_12, ν_23, ν_13.
        poisson: [f64; 3],
        /// E_1, E_2, E_3 \[Pa\].
        young: [f64; 3],
    },
    /// Axes of an orthotropic material that are none.
    #[error(
        "Orthotropic: axes = {axes:?} give no directions: two vectors are needed that are neither zero nor parallel, such as ((1, 1, 0), (-1, 1, 0))"
    )]
    OrthotropicAxes {
        /// The axes given.
        axes: [[f64; 3]; 2],
    },
    /// A material in a plane body that couples the plane to what is across it.
    #[error(
        "material `{material}` is not symmetric about the plane of the body: one of its axes must be z, such as axes: ((1, 1, 0), (-1, 1, 0)); or compute the body in space"
    )]
    OutOfPlane {
        /// Name of the material.
        material: String,
    },
    /// A formula that cannot be read.
    #[error("the expression cannot be read: character {}: {reason}", .at + 1)]
    Expression {
        /// Characters before the place.
        at: usize,
        /// What is wrong there.
        reason: String,
    },
    /// A table in a file where no file is read.
    #[error("`Csv(file: \"{file}\", …)` is not read here; write the points as a `Table`")]
    UnreadTable {
        /// The file.
        file: String,
    },
    /// A displacement whose rate is not known.
    #[error("a `Displacement` is a number, `Table`, `Ramp`, `Sine`, `Expression` or `Csv`")]
    NoRate,
    /// A table without points.
    #[error("a table needs at least one point (time, value)")]
    EmptyTable,
    /// The times of a table do not ascend.
    #[error("table, row {row}: time {time} must be greater than {previous}, the time of the row before")]
    TableOrder {
        /// Row, from 0.
        row: usize,
        /// Its time \[s\].
        time: f64,
        /// The time before \[s\].
        previous: f64,
    },
    /// The mesh or one of its groups.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// A kind of cell or facet no element is written for.
    #[error("cell {cell} is a {kind:?}, for which there is no element in {dimension}D")]
    NoElement {
        /// Global number of the cell.
        cell: usize,
        /// Its kind.
        kind: CellKind,
        /// The dimension of space.
        dimension: usize,
    },
    /// A material is given to a group of lines or points.
    #[error(
        "material `{material}`: group `{group}` has cells of dimension {found}; a material needs cells of dimension {dimension}"
    )]
    RegionDimension {
        /// The material.
        material: String,
        /// The group.
        group: String,
        /// Dimension of the offending cell.
        found: usize,
        /// The dimension of space.
        dimension: usize,
    },
    /// Cells without material.
    #[error(
        "{count} cells have no material, the first is cell {cell} centred at {}: give a material for their group, \
         or one without group for all other cells",
        place(.centre)
    )]
    NoMaterial {
        /// How many.
        count: usize,
        /// Global number of the first.
        cell: usize,
        /// Its centre \[m\].
        centre: Vec<f64>,
    },
    /// A cell in two groups with materials.
    #[error("cell {cell} is given two materials, `{first}` and `{second}`")]
    TwoMaterials {
        /// Global number of the cell.
        cell: usize,
        /// Material of the region listed first.
        first: String,
        /// Material of the other.
        second: String,
    },
    /// A body with internal variables or moving geometry in plane stress.
    #[error(
        "plane stress is not available with UpdatedGeometry, FiniteStrain, a material that yields or a stress at the start: use PlaneStrain, or a case in space"
    )]
    InelasticPlaneStress,
    /// A body with internal variables or moving geometry with incompatible modes.
    #[error(
        "IncompatibleModes are available for linear bodies only: with internal variables (Maxwell, \
         GeneralizedMaxwell, VonMises, DruckerPrager, ThermoElastic), UpdatedGeometry or FiniteStrain use Standard or BBar"
    )]
    InelasticModes,
    /// A material that needs small strains in a body whose geometry moves.
    #[error(
        "UpdatedGeometry needs a material given by a stress rate (Maxwell; elastic without viscosity): KelvinVoigt \
         and GeneralizedMaxwell need SmallStrain"
    )]
    SmallStrainMaterial,
    /// Viscosity in parallel at finite strain.
    #[error(
        "FiniteStrain: the viscosity of KelvinVoigt would resist rotations: leave it out, or use Maxwell or GeneralizedMaxwell, which relax in logarithmic strains"
    )]
    FiniteViscosity,
    /// A yield stress that falls.
    #[error(
        "{what}: {parameter} = {value} lets the yield stress fall: without a length of the material the result would depend on the size of the cells; give a yield stress that does not fall"
    )]
    Softening {
        /// What has the parameter.
        what: String,
        /// Which.
        parameter: &'static str,
        /// Its value.
        value: f64,
    },
    /// A material that flows in a body with a frame.
    #[error(
        "a material that yields needs `kinematics: SmallStrain` or `FiniteStrain()`: with Corotational its tangent would be taken for constant"
    )]
    CurvedInFrame,
    /// A node of an axisymmetric body on the wrong side of the axis.
    #[error(
        "Axisymmetric: node {node} at {position:?} has x = {}, but x is the radius and must be >= 0: shift or mirror the mesh so that the axis is x = 0",
        position.first().copied().unwrap_or(f64::NAN)
    )]
    NegativeRadius {
        /// Number of the node.
        node: usize,
        /// Its place \[m\].
        position: Vec<f64>,
    },
    /// An axisymmetric body with a frame or moving geometry.
    #[error(
        "Axisymmetric: the body cannot turn out of its axis, and stress rates need a plane: use `kinematics: SmallStrain`, not Corotational or UpdatedGeometry"
    )]
    AxisymmetricKinematics,
    /// An axisymmetric body with incompatible modes.
    #[error(
        "Axisymmetric: IncompatibleModes fail the patch test through the hoop strain: use Standard or BBar, or quadratic cells"
    )]
    AxisymmetricModes,
    /// A load that has no axis.
    #[error(
        "Axisymmetric: {load} is not symmetric about the axis: use loads along the axis (y), pressures or radial tractions"
    )]
    AxisymmetricLoad {
        /// What load.
        load: &'static str,
    },
    /// A node on the axis that shall leave it.
    #[error(
        "Axisymmetric: node {node} is on the axis and cannot move along x, but group `{group}` prescribes a velocity: leave the axis out of the group, or prescribe 0"
    )]
    AxisMotion {
        /// Number of the node.
        node: usize,
        /// Group of the motion.
        group: String,
    },
    /// Damping proportional to the stiffness in a body whose geometry moves.
    #[error("rayleigh: beta = {beta} must be 0 with UpdatedGeometry and FiniteStrain: it would resist rotations")]
    MovingDamping {
        /// Rayleigh's factor of K \[s\].
        beta: f64,
    },
    /// An initial stress for a material that cannot hold one.
    #[error(
        "initial_stress: the stress of KelvinVoigt and GeneralizedMaxwell follows from their strain; only Maxwell can start with one"
    )]
    NoPrestress,
    /// A cell is inverted or has no volume.
    #[error(
        "cell {cell} centred at {} is inverted or flat: its Jacobian determinant is {determinant:e}, must be > 0 \
         (nodes of plane cells are ordered counter-clockwise, and so are those of the first face of volume cells, \
         seen from inside; middle nodes lie near the middle of their edge)",
        place(.centre)
    )]
    InvertedCell {
        /// Global number of the cell.
        cell: usize,
        /// Its centre \[m\].
        centre: Vec<f64>,
        /// The worst determinant.
        determinant: f64,
    },
    /// A node that belongs to no cell.
    #[error("node {node} at {} has mass {mass:e} kg, must be > 0: does it belong to a cell?", place(.position))]
    MasslessNode {
        /// Number of the node.
        node: usize,
        /// Where it is \[m\].
        position: Vec<f64>,
        /// Its mass \[kg\].
        mass: f64,
    },
    /// An expression of the place without a value somewhere.
    #[error("the expression `{text}` is {value} at {place}; it must be finite on the whole group or body")]
    FieldValue {
        /// The expression.
        text: String,
        /// Its value.
        value: f64,
        /// Where.
        place: String,
    },
    /// Springs or dashpots on a body whose forces are not linear.
    #[error("springs, dashpots and absorbing boundaries need `kinematics: SmallStrain` and a `KelvinVoigt` material")]
    AttachedMotion,
    /// A dashpot with a negative share.
    #[error(
        "node {node} has a negative share of an absorbing facet, as corners of quadratic facets have in space: use linear elements there"
    )]
    AbsorbingCorner {
        /// The node.
        node: usize,
    },
    /// A load that follows a surface whose rotation nothing follows.
    #[error(
        "a load that follows its surface needs a body that may turn: `kinematics: SmallStrain` leaves out all rotations"
    )]
    FollowingLoad,
    /// A section for bodies of another dimension.
    #[error(
        "section {section} cannot be used in {dimension}D: PlaneStrain and PlaneStress are for 2D, Solid is for 3D"
    )]
    SectionDimension {
        /// The section given, as a case writes it.
        section: String,
        /// The dimension of space.
        dimension: usize,
    },
    /// B-bar in plane stress.
    #[error("formulation BBar is not available in plane stress, where nothing locks: use Standard")]
    BBarPlaneStress,
    /// A component of a vector that does not exist.
    #[error("component {component} does not exist in {dimension}D: use 0 … {}", dimension - 1)]
    Component {
        /// The component asked for.
        component: usize,
        /// The dimension of space.
        dimension: usize,
    },
    /// A node without a partner.
    #[error(
        "node {node} at {} has no partner: with the translation {} the nearest node is {nearest:e} m away",
        place(.position),
        place(.translation)
    )]
    UnmatchedTie {
        /// The node.
        node: usize,
        /// Where it is \[m\].
        position: Vec<f64>,
        /// Distance of the nearest node of the other group, moved \[m\].
        nearest: f64,
        /// From the other group to its own \[m\].
        translation: Vec<f64>,
    },
    /// Ties lead back to where they began.
    #[error("component {component} of node {node} is tied to itself: the ties form a circle")]
    CyclicTie {
        /// The node.
        node: usize,
        /// The component of its displacement.
        component: usize,
    },
    /// Of two tied dofs one is prescribed, or both are differently.
    #[error(
        "component {component} of node {node} is tied to node {master}, but the two are prescribed differently: \
         prescribe both in the same way, or neither"
    )]
    TiedMotion {
        /// The node that follows.
        node: usize,
        /// The node it follows.
        master: usize,
        /// The component of their displacements.
        component: usize,
    },
    /// One degree of freedom is moved by two different functions.
    #[error("component {component} of node {node} is prescribed differently by the groups `{first}` and `{second}`")]
    ConflictingMotions {
        /// The node.
        node: usize,
        /// The component of its velocity.
        component: usize,
        /// Group of the motion listed first.
        first: String,
        /// Group of the other.
        second: String,
    },
}

impl FemError {
    /// The same error with the place where it happened in front.
    #[must_use]
    pub fn at(self, place: impl Into<String>) -> Self {
        Self::At { place: place.into(), source: Box::new(self) }
    }
}

fn check(what: &str, parameter: &'static str, value: f64, ok: bool, allowed: &'static str) -> Result<(), FemError> {
    if ok { Ok(()) } else { Err(FemError::Parameter { what: what.into(), parameter, value, allowed }) }
}

/// A finite number?
pub(crate) fn check_finite(what: &str, parameter: &'static str, value: f64) -> Result<(), FemError> {
    check(what, parameter, value, value.is_finite(), "a finite number")
}

/// A finite number > 0?
pub(crate) fn check_positive(what: &str, parameter: &'static str, value: f64) -> Result<(), FemError> {
    check(what, parameter, value, value.is_finite() && value > 0.0, "a finite number > 0")
}

/// A finite number ≥ 0?
pub(crate) fn check_non_negative(what: &str, parameter: &'static str, value: f64) -> Result<(), FemError> {
    check(what, parameter, value, value.is_finite() && value >= 0.0, "a finite number >= 0")
}

impl Coded for FemError {
    fn code(&self) -> Code {
        match self {
            Self::At { source, .. } => source.code(),
            Self::Mesh(e) => e.code(),
            Self::NoElement { .. } => Code("E0561"),
            Self::InvertedCell { .. } => Code("E0562"),
            Self::MasslessNode { .. } => Code("E0563"),
            Self::Own(e) => e.code(),
            Self::OwnDensity { .. } => Code("E0149"),
            Self::OwnNotLinear { .. } => Code("E0172"),
            Self::FollowingLoad => Code("E0626"),
            Self::FieldValue { .. } => Code("E0623"),
            Self::AttachedMotion => Code("E0621"),
            Self::AbsorbingCorner { .. } => Code("E0622"),
            Self::Expression { .. } => Code("E0173"),
            Self::NoRate => Code("E0174"),
            Self::UnreadTable { .. } => Code("E0175"),
            Self::Parameter { .. } => Code("E0601"),
            Self::ElasticPair { .. } => Code("E0602"),
            Self::Incompressible { .. } => Code("E0367"),
            Self::UnstableOrthotropy { .. } | Self::OrthotropicAxes { .. } => Code("E0368"),
            Self::OutOfPlane { .. } => Code("E0369"),
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
            Self::NegativeRadius { .. } => Code("E0681"),
            Self::AxisymmetricKinematics => Code("E0682"),
            Self::AxisymmetricModes => Code("E0683"),
            Self::AxisymmetricLoad { .. } => Code("E0684"),
            Self::AxisMotion { .. } => Code("E0685"),
            Self::FiniteViscosity => Code("E0686"),
            Self::Softening { .. } => Code("E0687"),
            Self::CurvedInFrame => Code("E0688"),
            Self::Component { .. } => Code("E0615"),
            Self::UnmatchedTie { .. } => Code("E0616"),
            Self::CyclicTie { .. } => Code("E0617"),
            Self::TiedMotion { .. } => Code("E0618"),
            Self::ConflictingMotions { .. } => Code("E0619"),
        }
    }
}
