//! Codes of the problems that reading and lowering find in a case. They have no enum of errors: the texts are made where
//! the problems are found.

use delassus_error::Code;

// The text.

/// Bytes that are not UTF-8.
pub const NOT_TEXT: Code = Code("E0118");
/// A `.json` that is not JSON.
pub const NOT_JSON: Code = Code("E0119");
/// A key that does not exist.
pub const UNKNOWN_FIELD: Code = Code("E0121");
/// A variant that does not exist.
pub const UNKNOWN_VARIANT: Code = Code("E0122");
/// A key that must be there.
pub const MISSING_FIELD: Code = Code("E0123");
/// A key given twice.
pub const KEY_TWICE: Code = Code("E0124");
/// A value of another type.
pub const WRONG_TYPE: Code = Code("E0125");
/// Too few or too many values.
pub const WRONG_LENGTH: Code = Code("E0126");
/// A whole number that its type cannot hold.
pub const OUT_OF_BOUNDS: Code = Code("E0127");
/// A value that none of the forms allowed fits.
pub const NO_FORM: Code = Code("E0128");
/// A value that is written wrongly in itself.
pub const MALFORMED: Code = Code("E0130");
/// A base that cannot be read.
pub const BASE_UNREAD: Code = Code("E0131");
/// A case that is its own base.
pub const BASE_CYCLE: Code = Code("E0132");
/// A base in another language.
pub const BASE_LANGUAGE: Code = Code("E0133");
/// A base of a case that was made in code.
pub const BASE_IN_CODE: Code = Code("E0134");
/// A unit without its one number.
pub const UNIT_NUMBER: Code = Code("E0141");
/// A word that is no unit.
pub const UNKNOWN_UNIT: Code = Code("E0142");
/// A unit of another quantity.
pub const UNIT_OF_OTHER: Code = Code("E0143");
/// A unit where a bare number is due.
pub const UNIT_OF_BARE: Code = Code("E0144");
/// A unit in a case without units.
pub const UNIT_IN_PLAIN: Code = Code("E0145");
/// A displacement where no velocity is asked for.
pub const NO_DISPLACEMENT: Code = Code("E0176");
/// A formula without a value at some time of the run.
pub const FUNCTION_NOT_FINITE: Code = Code("E0177");
/// A displacement at the start where there can be none.
pub const NO_DISPLACEMENTS: Code = Code("E0178");
/// An attachment without spring, dashpot, mass or absorption.
pub const NOTHING_ATTACHED: Code = Code("E0325");
/// A case with stages where one run is asked for.
pub const STAGES: Code = Code("E0327");
/// An attachment of a rigid body.
pub const RIGID_ATTACHMENT: Code = Code("E0326");
/// A field of a load that cannot have one.
pub const NO_FIELD: Code = Code("E0179");
/// A number too large in SI units.
pub const UNIT_OVERFLOW: Code = Code("E0146");

/// A text that has nothing of a case.
pub const NOT_A_CASE: Code = Code("E0927");

// Values.

/// Neither 2 nor 3 dimensions.
pub const DIMENSION: Code = Code("E0301");
/// No body.
pub const NO_BODIES: Code = Code("E0302");
/// No material.
pub const NO_MATERIALS: Code = Code("E0303");
/// A body without material.
pub const BODY_WITHOUT_MATERIAL: Code = Code("E0304");
/// A number that must be positive and finite.
pub const NOT_POSITIVE: Code = Code("E0305");
/// NaN or infinity.
pub const NOT_FINITE: Code = Code("E0306");
/// A number that must not be negative.
pub const NEGATIVE: Code = Code("E0307");
/// Components for another dimension.
pub const COMPONENTS: Code = Code("E0308");
/// A shape of another dimension.
pub const OTHER_DIMENSION: Code = Code("E0309");
/// A direction that a plane case does not have.
pub const NO_Z: Code = Code("E0310");
/// An axis in a plane case.
pub const AXIS_IN_PLANE: Code = Code("E0311");
/// An axis without direction.
pub const ZERO_AXIS: Code = Code("E0312");
/// More steps than a run can end.
pub const TOO_MANY_STEPS: Code = Code("E0313");
/// A number of copies out of range.
pub const COPIES: Code = Code("E0314");
/// More bodies than can be.
pub const TOO_MANY_BODIES: Code = Code("E0315");
/// More cells than can be.
pub const TOO_MANY_CELLS: Code = Code("E0316");
/// `OnFacets` with a number out of range.
pub const POINTS: Code = Code("E0317");
/// `All(…)` of too many entries of bodies.
pub const TOO_MANY_PAIRS: Code = Code("E0319");
/// `scale` of a mesh that is not from a file.
pub const SCALE_WITHOUT_FILE: Code = Code("E0181");
/// A frame every 0 steps.
pub const NO_FRAMES: Code = Code("E0318");
/// A tolerance of the solver out of range.
pub const TOLERANCE: Code = Code("E0321");
/// A solver that may do nothing.
pub const NO_ITERATIONS: Code = Code("E0322");
/// Too many halvings.
pub const HALVINGS: Code = Code("E0323");
/// One of two margins.
pub const ONE_MARGIN: Code = Code("E0324");

// Names.

/// An empty name.
pub const EMPTY_NAME: Code = Code("E0331");
/// A name with characters that a column cannot have.
pub const BAD_NAME: Code = Code("E0332");
/// Two of one name.
pub const NAME_TWICE: Code = Code("E0333");
/// A copy with the name of another body.
pub const COPY_NAME: Code = Code("E0334");
/// A name that nothing has.
pub const UNKNOWN_NAME: Code = Code("E0335");
/// A copy that is not there.
pub const UNKNOWN_COPY: Code = Code("E0336");
/// A name of several copies where one is wanted.
pub const WHICH_COPY: Code = Code("E0337");

// What contradicts what.

/// A support that prescribes nothing.
pub const NOTHING_PRESCRIBED: Code = Code("E0341");
/// Tied nodes that start apart.
pub const TIED_VELOCITIES: Code = Code("E0342");
/// An explicit scheme without lumped mass.
pub const EXPLICIT_MASS: Code = Code("E0343");
/// Newmark with ties.
pub const NEWMARK_TIES: Code = Code("E0344");
/// `both` with an obstacle.
pub const BOTH_WITH_OBSTACLE: Code = Code("E0345");
/// The stress of a group without cells.
pub const STRESS_PROBE: Code = Code("E0346");
/// A parameter of an exact solution.
pub const SOLUTION: Code = Code("E0351");
/// A parameter of a measure.
pub const MEASURE: Code = Code("E0352");
/// A comparison with a curve that there is not.
pub const NO_EXACT_CURVE: Code = Code("E0353");
/// A velocity or a spin at the start of statics.
pub const STATIC_VELOCITY: Code = Code("E0391");
/// A law of impacts in statics.
pub const STATIC_IMPACT: Code = Code("E0392");
/// A body in statics that neither supports nor contacts can hold.
pub const FREE_BODY: Code = Code("E0393");
/// A spin that small strains do not bear for as long as the run takes.
pub const SPIN_TOO_FAR: Code = Code("E0364");
/// Axisymmetric bodies beside others.
pub const MIXED_SECTIONS: Code = Code("E0366");

// Rigid bodies.

/// A key that only deformable bodies have.
pub const RIGID_KEY: Code = Code("E0381");
/// `both` between shapes.
pub const RIGID_BOTH: Code = Code("E0382");
/// A law per area at points without one.
pub const RIGID_LAW: Code = Code("E0383");
/// Rolling resistance of a body that deforms.
pub const RESISTANCE: Code = Code("E0691");
/// A load, support or tie that rigid bodies do not take.
pub const RIGID_LOAD: Code = Code("E0384");
/// Something for rigid bodies alone, on a deformable one.
pub const NOT_RIGID: Code = Code("E0385");
/// A scheme without rigid bodies.
pub const RIGID_SCHEME: Code = Code("E0386");
/// Equilibrium at the start with rigid bodies.
pub const RIGID_EQUILIBRIUM: Code = Code("E0387");
/// Parts of a clump that have the same space twice.
pub const CLUMP_OVERLAP: Code = Code("E0594");
/// A mesh whose outline passes a node twice.
pub const RIGID_OUTLINE: Code = Code("E0388");
/// A rigid body without mass or density.
pub const NO_INERTIA: Code = Code("E0389");
/// A collection of blocks that cannot be made.
pub const BLOCKS: Code = Code("E0586");
/// A key that collections of blocks do not have.
pub const BLOCKS_KEY: Code = Code("E0587");
/// A packing that cannot be made.
pub const PACKING: Code = Code("E0696");
/// A key that packings do not have.
pub const PACKING_KEY: Code = Code("E0697");
/// Measures of grains that are not disks or balls.
pub const GRAINS_PROBE: Code = Code("E0698");

// Joints.

/// A body that is jointed to itself.
pub const JOINT_ITSELF: Code = Code("E0651");
/// A joint without a point or a direction.
pub const JOINT_PLACE: Code = Code("E0652");
/// A key that a kind of joint does not have.
pub const JOINT_KEY: Code = Code("E0653");
/// A joint that holds the rotation of a side without one.
pub const JOINT_TURN: Code = Code("E0654");
/// A scheme without joints.
pub const JOINT_SCHEME: Code = Code("E0655");
/// `Bonded` between other sides than nodes and a rigid body.
pub const JOINT_BONDED: Code = Code("E0656");
/// The radius of a rough pin is missing, or there is no pin.
pub const JOINT_RADIUS: Code = Code("E0660");
/// A joint of a point mass that is not where the point mass is.
pub const JOINT_POINT: Code = Code("E0661");
/// Point masses that should touch one another.
pub const POINTS_TOUCH: Code = Code("E0662");

// References of one's own.

/// A file of a reference that cannot be read.
pub const REFERENCE_FILE: Code = Code("E0635");
/// A reference that covers nothing of the run, or of the line.
pub const REFERENCE_RANGE: Code = Code("E0640");
/// A column with two references.
pub const REFERENCE_TWICE: Code = Code("E0641");
/// A line without length, or with too few or too many places.
pub const LINE: Code = Code("E0642");
/// A place of a line that its body does not hold.
pub const LINE_OUTSIDE: Code = Code("E0643");
/// A time at which there is no step.
pub const LINE_TIME: Code = Code("E0644");
/// Tractions of a pair that shares them between two passes.
pub const LINE_BOTH: Code = Code("E0645");

// Meshes and contact surfaces.

/// A mesh file of a format that is not read.
pub const FOREIGN_MESH: Code = Code("E0373");
/// A mesh file that is not there.
pub const NO_MESH_FILE: Code = Code("E0401");
/// A mesh file that cannot be read.
pub const MESH_UNREADABLE: Code = delassus_mesh::UNREADABLE;
/// Candidates on quadratic facets other than at quadrature points.
pub const QUADRATIC_CANDIDATES: Code = Code("E0552");
/// Quadratic facets as antagonists.
pub const QUADRATIC_ANTAGONISTS: Code = Code("E0553");
/// Points on the facets of a group without facets.
pub const NO_FACETS_FOR_POINTS: Code = Code("E0554");
/// A candidate inside its body.
pub const NODE_INSIDE: Code = Code("E0555");
/// A facet of a number of nodes that no linear one has.
pub const NOT_LINEAR: Code = Code("E0556");
