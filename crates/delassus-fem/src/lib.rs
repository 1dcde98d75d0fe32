//! Finite elements, materials, sections and deformable bodies.
//!
//! A [`Body`] is a mesh with materials, a section, loads and prescribed motions; it implements
//! [`System`](delassus_dynamics::System), so the integrators see flat vectors of degrees of freedom only
//! (dof = D·node + component).
//!
//! ```text
//! M dv + (C v + K q) dt = P(t) dt + H dp
//!
//! K_ab = Σ_qp B_aᵀ 𝐂 B_b w |J| t ,   M_ab = ρ t ∫ N_a N_b ,   C = C_visc + α M + β K
//! ```
//!
//! Strains and stresses are always three-dimensional (Mandel notation, see [`tensor`]): a material does not depend
//! on plane strain or plane stress, which the [`Section`] adds; an element does not depend on materials.
//!
//! ```
//! use delassus_fem::{Body, BodyInput, KelvinVoigt, MaterialSpec, Section};
//! use delassus_mesh::{CellKind, generate};
//!
//! let mesh = generate::rectangle([0.0, 0.0], [1.0, 0.1], [20, 2], CellKind::Quad4, 1)?;
//! let steel = MaterialSpec::KelvinVoigt(KelvinVoigt::elastic(2.1e11, 0.3)).build(7800.0)?;
//! let plate = BodyInput::new("plate", mesh.into(), steel);
//! let plate = Body::new(BodyInput { section: Section::PlaneStress { thickness: 0.01 }, ..plate })?;
//! assert!((plate.total_mass() - 7.8).abs() < 1e-12);
//! # Ok::<(), delassus_fem::FemError>(())
//! ```
//!
//! The same in space, where a body needs no section:
//!
//! ```
//! use delassus_fem::{Body, BodyInput, Formulation, KelvinVoigt, MaterialSpec};
//! use delassus_mesh::{CellKind, generate};
//!
//! let mesh = generate::block([0.0; 3], [1.0, 0.1, 0.1], [10, 1, 1], CellKind::Hexahedron8, 1)?;
//! let steel = MaterialSpec::KelvinVoigt(KelvinVoigt::elastic(2.1e11, 0.3)).build(7800.0)?;
//! let beam = BodyInput::new("beam", mesh.into(), steel);
//! // one layer of hexahedra bends as it should with incompatible modes only
//! let beam = Body::new(BodyInput { formulation: Formulation::IncompatibleModes, ..beam })?;
//! assert!((beam.total_mass() - 78.0).abs() < 1e-12);
//! # Ok::<(), delassus_fem::FemError>(())
//! ```
//!
//! To add an element: one file in `element/`, one row of the table of `CellKind` and one arm of the `match` in `assembly.rs`. To add a material: one file
//! in `material/` and one variant of [`MaterialSpec`].

mod assembly;
mod attachment;
mod body;
mod cell;
mod cell_frames;
mod corotation;
mod couple;
pub mod element;
mod error;
mod field_load;
mod fields;
mod finite;
mod finite_step;
mod floating;
mod following;
mod formulation;
mod function;
mod internal_variables;
mod kernel;
mod kinematics;
mod load;
mod mapping;
pub mod material;
mod motion;
mod nodal;
mod packed;
mod region;
mod respond;
mod rotation;
mod section;
mod sparsity;
mod surface;
pub mod tensor;
mod tie;
mod twin;

pub use attachment::Attachment;
pub use body::{Body, BodyInput, Characteristics, MassKind, Rayleigh};
pub use error::FemError;
pub use field_load::{FieldLoad, FieldLoadKind};
pub use fields::CellFields;
pub use formulation::Formulation;
pub use function::{Expression, ExpressionError, OwnFunction, SpaceExpression, TimeCsv, TimeExpression, TimeFunction};
pub use internal_variables::{InitialStress, Lithostatic};
pub use kinematics::{FrameScope, Kinematics, ObjectiveRate};
pub use load::{Gravity, NodalForce, PrescribedVelocity, SurfaceLoad, Traction};
pub use material::{
    ConeFit, DruckerPrager, GeneralizedMaxwell, Hardening, HardeningPoint, Integration, KelvinVoigt, Material,
    MaterialSpec, Maxwell, MooneyRivlin, NeoHookean, Orthotropic, OwnMaterial, PowerLaw, PronyTerm, StVenantKirchhoff,
    ThermoElastic, VonMises,
};
pub use nodal::{NodalStress, Principal, principal};
pub use region::Region;
pub use rotation::BodyRotation;
pub use section::Section;
pub use surface::FacePoint;
pub use tensor::Vector;
pub use tie::Tie;
pub use twin::Look;

/// Explanations of the codes of this crate's errors.
pub const EXPLANATIONS: &str = include_str!("explanations.md");
