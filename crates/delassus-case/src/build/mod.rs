//! Cases made in code: the same types as a text gives, filled by chained calls, with the defaults of the text.
//!
//! ```
//! use delassus_case::spec::{BodyEntry, Case};
//! use delassus_dynamics::integrator::ModifiedTheta;
//! use delassus_fem::KelvinVoigt;
//! use delassus_solver::LawSpec;
//!
//! let bar = |name: &str, x: f64, speed: f64| {
//!     BodyEntry::rectangle(name, [x, 0.0], [1.0, 0.1], [20, 1]).material("steel").velocity([speed, 0.0])
//! };
//! let case = Case::plane("Two bars")
//!     .material("steel", KelvinVoigt::elastic(2e11, 0.0), 7800.0)
//!     .body(bar("left", -1.0, 1.0))
//!     .body(bar("right", 0.0, -1.0))
//!     .contact("faces", ("left", "right"), ("right", "left"), LawSpec::Frictionless)
//!     .integrator(ModifiedTheta { theta: 0.55 })
//!     .step(5e-6)
//!     .duration(5e-4);
//! let model = delassus_case::Loaded::of_case(case, ".")?.model::<2>()?;
//! assert_eq!(model.bodies.len(), 2);
//! # Ok::<(), delassus_case::CaseError>(())
//! ```
//!
//! Nothing is checked here: [`Loaded::of_case`](crate::Loaded::of_case) leads to the checks and codes that a text meets. Every key is a
//! public field; what has no call of its own is set there, `BodyEntry { spin: 2.0, ..BodyEntry::new("disk", mesh) }`.

mod bodies;
mod contacts;
mod driven;

use delassus_dynamics::integrator::{IntegratorSpec, Theta};
use delassus_fem::{Kinematics, MaterialSpec};
use delassus_solver::LawSpec;
use delassus_verify::VerifySpec;

use crate::spec::{
    AntagonistSpec, AttachmentEntry, BodyEntry, BoundaryEntry, Case, ContactEntry, LemkeSpec, LoadEntry, MaterialEntry,
    NlgsSpec, ObstacleEntry, OutputSpec, ProbeEntry, ProbeSpec, SolverSpec, StartSpec, SurfaceSpec, TieEntry,
    USUAL_MEMORY, Units, usual_kinematics,
};

impl Case {
    /// A case in the plane without bodies. `integrator`, `step` and `duration` must follow: they have no defaults, and a case without
    /// them is refused (with NaN or 0 as the value).
    #[must_use]
    pub fn plane(title: impl Into<String>) -> Self {
        Self::empty(title.into(), 2)
    }

    /// A case in space without bodies; see [`Case::plane`].
    #[must_use]
    pub fn space(title: impl Into<String>) -> Self {
        Self::empty(title.into(), 3)
    }

    fn empty(title: String, dimension: usize) -> Self {
        Self {
            base: None,
            title,
            units: Units::default(),
            dimension,
            kinematics: usual_kinematics(),
            materials: Vec::new(),
            bodies: Vec::new(),
            obstacles: Vec::new(),
            contacts: Vec::new(),
            loads: Vec::new(),
            boundary: Vec::new(),
            motions: Vec::new(),
            joints: Vec::new(),
            ties: Vec::new(),
            attachments: Vec::new(),
            start: StartSpec::default(),
            integrator: Theta { theta: f64::NAN }.into(),
            step: 0.0,
            duration: 0.0,
            stages: Vec::new(),
            solver: SolverSpec::default(),
            memory: USUAL_MEMORY,
            output: OutputSpec::default(),
            probes: Vec::new(),
            verify: None,
        }
    }

    /// How strains are measured in bodies that do not say it themselves; by default bodies may turn.
    #[must_use]
    pub fn kinematics(self, kinematics: Kinematics) -> Self {
        Self { kinematics, ..self }
    }

    /// The units of its numbers, for labels.
    #[must_use]
    pub fn units(self, units: Units) -> Self {
        Self { units, ..self }
    }

    /// Adds a material of this density \[kg/m³\], to which bodies refer by its name.
    #[must_use]
    pub fn material(mut self, name: impl Into<String>, law: impl Into<MaterialSpec>, density: f64) -> Self {
        self.materials.push(MaterialEntry { name: name.into(), density, law: law.into() });
        self
    }

    /// Adds a deformable body.
    #[must_use]
    pub fn body(mut self, body: BodyEntry) -> Self {
        self.bodies.push(body);
        self
    }

    /// Adds a rigid obstacle.
    #[must_use]
    pub fn obstacle(mut self, obstacle: ObstacleEntry) -> Self {
        self.obstacles.push(obstacle);
        self
    }

    /// Adds a contact: candidates `("body", "group")`, antagonists `("body", "group")` or the name of an obstacle.
    #[must_use]
    pub fn contact(
        self,
        name: impl Into<String>,
        candidates: impl Into<SurfaceSpec>,
        antagonists: impl Into<AntagonistSpec>,
        law: impl Into<LawSpec>,
    ) -> Self {
        self.contact_entry(ContactEntry::new(name, candidates, antagonists, law))
    }

    /// Adds a contact with all its keys.
    #[must_use]
    pub fn contact_entry(mut self, contact: ContactEntry) -> Self {
        self.contacts.push(contact);
        self
    }

    /// Adds a load.
    #[must_use]
    pub fn load(mut self, load: LoadEntry) -> Self {
        self.loads.push(load);
        self
    }

    /// Adds prescribed velocities of a group.
    #[must_use]
    pub fn boundary(mut self, entry: BoundaryEntry) -> Self {
        self.boundary.push(entry);
        self
    }

    /// Adds nodes that move as others do.
    #[must_use]
    pub fn tie(mut self, tie: TieEntry) -> Self {
        self.ties.push(tie);
        self
    }

    /// Links nodes of a body to the ground.
    #[must_use]
    pub fn attachment(mut self, attachment: AttachmentEntry) -> Self {
        self.attachments.push(attachment);
        self
    }

    /// How the bodies are deformed at t = 0.
    #[must_use]
    pub fn start(self, start: StartSpec) -> Self {
        Self { start, ..self }
    }

    /// The time-stepping scheme.
    #[must_use]
    pub fn integrator(self, scheme: impl Into<IntegratorSpec>) -> Self {
        Self { integrator: scheme.into(), ..self }
    }

    /// The step h \[s\].
    #[must_use]
    pub fn step(self, step: f64) -> Self {
        Self { step, ..self }
    }

    /// The simulated time \[s\].
    #[must_use]
    pub fn duration(self, duration: f64) -> Self {
        Self { duration, ..self }
    }

    /// The contact solver.
    #[must_use]
    pub fn solver(self, solver: impl Into<SolverSpec>) -> Self {
        Self { solver: solver.into(), ..self }
    }

    /// Most memory for condensed operators \[B\].
    #[must_use]
    pub fn memory(self, memory: f64) -> Self {
        Self { memory, ..self }
    }

    /// Steps between two frames of `fields.pvd` and `contacts.pvd`.
    #[must_use]
    pub fn output_every(self, steps: usize) -> Self {
        Self { output: OutputSpec { every: Some(steps), ..self.output }, ..self }
    }

    /// Which fields are written, how, and how often.
    #[must_use]
    pub fn output(self, output: OutputSpec) -> Self {
        Self { output, ..self }
    }

    /// Follows something in `history.csv`.
    #[must_use]
    pub fn probe(mut self, name: impl Into<String>, at: ProbeSpec) -> Self {
        self.probes.push(ProbeEntry { name: name.into(), at });
        self
    }

    /// The exact solution and the checks.
    #[must_use]
    pub fn verify(self, verify: VerifySpec) -> Self {
        Self { verify: Some(verify), ..self }
    }
}

impl From<NlgsSpec> for SolverSpec {
    fn from(spec: NlgsSpec) -> Self {
        Self::Nlgs(spec)
    }
}

impl From<LemkeSpec> for SolverSpec {
    fn from(spec: LemkeSpec) -> Self {
        Self::Lemke(spec)
    }
}
