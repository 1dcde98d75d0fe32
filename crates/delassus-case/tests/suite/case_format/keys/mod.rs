//! The keys of the types of a case, asked of serde itself: a deserializer that has no data and only listens to what each
//! type says it wants.

use std::cell::RefCell;

use delassus_case::spec::{
    AllContacts, AntagonistSpec, AttachmentEntry, BlocksSpec, BodyEntry, BoundaryEntry, Case, ContactEntry, CopiesSpec,
    CourseEndsSpec, FaceRuleSpec, FacesEntry, FailurePolicy, GrainCount, InertiaSpec, InitialStressSpec, InterfaceSpec,
    JointCoulombSpec, JointEntry, JointKindSpec, JointMotionSpec, JointSpringSpec, LemkeSpec, LoadEntry, MarginSpec,
    MaterialEntry, MeshSpec, MotionEntry, NlgsSpec, NormalsSpec, ObstacleEntry, ObstacleSpec, ObstacleVelocity,
    OutputSpec, PackingOrder, PackingSizes, PlaneCell, PointsSpec, ProbeEntry, ProbeSpec, RegionEntry, SolidCell,
    SolidSide, SolverSpec, SpaceAxis, SplitEntry, StageEntry, StartSpec, SurfaceSpec, TieEntry, Units,
};
use delassus_dynamics::integrator::{
    EnergyMomentum, Explicit, IntegratorSpec, Masses, ModifiedTheta, Newmark, Theta, ThetaEuler,
};
use delassus_fem::{
    ConeFit, DruckerPrager, Formulation, GeneralizedMaxwell, Hardening, HardeningPoint, Integration, KelvinVoigt,
    Kinematics, MassKind, MaterialSpec, Maxwell, MooneyRivlin, NeoHookean, ObjectiveRate, Orthotropic, PowerLaw,
    PronyTerm, Rayleigh, Section, StVenantKirchhoff, ThermoElastic, TimeCsv, TimeFunction, VonMises,
};
use delassus_solver::law::{
    Adhesive, BilinearCohesive, Cohesive, Compliant, ElasticShear, EllipticFriction, Evolution, FrictionActs,
    FrictionPoint, Glue, MohrCoulomb, Per, RateAndState, Release, Restitution, SignoriniCoulomb, SmoothFriction,
    StaticDynamic, Tied, VariableFriction,
};
use delassus_solver::{LawSpec, Method};
use delassus_verify::{
    BarOnBar, BarsImpact, BouncingBall, CattaneoMindlin, CheckSpec, CurveSpec, HertzImpact, HertzLine, HertzPoint,
    LargeShear, LineCsv, LineCurveSpec, LineField, LineOf, LineSpec, MaxwellLayer, MaxwellLayers, MaxwellRelaxation,
    Measure, Norm, ReferenceSpec, Sliding, SolutionSpec, TractionPart, UnequalBar, UnequalBars, VerifySpec,
};
use serde::de::value::{Error, StrDeserializer};
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error as _, IntoDeserializer, VariantAccess, Visitor,
};

type Names = Vec<&'static str>;

/// What a type asked for.
#[derive(Default)]
struct Heard {
    fields: RefCell<Names>,
    variants: RefCell<Names>,
}

/// Answers a type's wishes with the name of one variant, and nothing else.
#[derive(Clone, Copy)]
struct Listener<'a> {
    heard: &'a Heard,
    variant: &'static str,
}

impl<'de> Deserializer<'de> for Listener<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_enum(self)
    }

    fn deserialize_struct<V: Visitor<'de>>(self, _: &'static str, fields: Names1, _: V) -> Result<V::Value, Error> {
        *self.heard.fields.borrow_mut() = fields.to_vec();
        Err(Error::custom("heard"))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: Names1,
        visitor: V,
    ) -> Result<V::Value, Error> {
        *self.heard.variants.borrow_mut() = variants.to_vec();
        visitor.visit_enum(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit unit_struct seq tuple
        tuple_struct map identifier ignored_any
    }
}

type Names1 = &'static [&'static str];

impl<'de> EnumAccess<'de> for Listener<'_> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self), Error> {
        let name: StrDeserializer<'_, Error> = self.variant.into_deserializer();
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'de> VariantAccess<'de> for Listener<'_> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        Ok(())
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Error> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("heard"))
    }

    fn struct_variant<V: Visitor<'de>>(self, fields: Names1, _: V) -> Result<V::Value, Error> {
        *self.heard.fields.borrow_mut() = fields.to_vec();
        Err(Error::custom("heard"))
    }
}

fn fields<T: DeserializeOwned>(variant: &'static str) -> Names {
    let heard = Heard::default();
    let _ = T::deserialize(Listener { heard: &heard, variant });
    heard.fields.into_inner()
}

/// A function of time may also be a plain number; its named forms are asked for directly.
fn function_fields(variant: &'static str) -> Names {
    let heard = Heard::default();
    let _ = TimeFunction::deserialize(Listener { heard: &heard, variant });
    heard.fields.into_inner()
}

fn variants<T: DeserializeOwned>() -> Names {
    let heard = Heard::default();
    let _ = T::deserialize(Listener { heard: &heard, variant: "" });
    heard.variants.into_inner()
}

/// Every type with keys, as the guide names it.
fn table() -> Vec<(&'static str, Names)> {
    vec![
        ("Case", fields::<Case>("")),
        ("MaterialEntry", fields::<MaterialEntry>("")),
        ("KelvinVoigt", fields::<KelvinVoigt>("")),
        ("BodyEntry", fields::<BodyEntry>("")),
        ("FacesEntry", fields::<FacesEntry>("")),
        ("FaceRuleSpec.Plane", fields::<FaceRuleSpec>("Plane")),
        ("FaceRuleSpec.Box", fields::<FaceRuleSpec>("Box")),
        ("FaceRuleSpec.Normal", fields::<FaceRuleSpec>("Normal")),
        ("SplitEntry", fields::<SplitEntry>("")),
        ("InterfaceSpec.Box", fields::<InterfaceSpec>("Box")),
        ("RegionEntry", fields::<RegionEntry>("")),
        ("Section.PlaneStrain", fields::<Section>("PlaneStrain")),
        ("Section.PlaneStress", fields::<Section>("PlaneStress")),
        ("Rayleigh", fields::<Rayleigh>("")),
        ("MeshSpec.Rectangle", fields::<MeshSpec>("Rectangle")),
        ("MeshSpec.Annulus", fields::<MeshSpec>("Annulus")),
        ("MeshSpec.Disk", fields::<MeshSpec>("Disk")),
        ("MeshSpec.Box", fields::<MeshSpec>("Box")),
        ("MeshSpec.Ball", fields::<MeshSpec>("Ball")),
        ("MeshSpec.QuarterBall", fields::<MeshSpec>("QuarterBall")),
        ("MeshSpec.Cylinder", fields::<MeshSpec>("Cylinder")),
        ("MeshSpec.ShellBlock", fields::<MeshSpec>("ShellBlock")),
        ("MeshSpec.PointMass", fields::<MeshSpec>("PointMass")),
        ("MeshSpec.Round", fields::<MeshSpec>("Round")),
        ("MeshSpec.Capsule", fields::<MeshSpec>("Capsule")),
        ("MeshSpec.Polygon", fields::<MeshSpec>("Polygon")),
        ("MeshSpec.Polyhedron", fields::<MeshSpec>("Polyhedron")),
        ("BlocksSpec.Wall", fields::<BlocksSpec>("Wall")),
        ("BlocksSpec.Arch", fields::<BlocksSpec>("Arch")),
        ("BlocksSpec.Colonnade", fields::<BlocksSpec>("Colonnade")),
        ("BlocksSpec.Dome", fields::<BlocksSpec>("Dome")),
        ("BlocksSpec.File", fields::<BlocksSpec>("File")),
        ("MeshSpec.Surface", fields::<MeshSpec>("Surface")),
        ("MeshSpec.Clump", fields::<MeshSpec>("Clump")),
        ("MeshSpec.Packing", fields::<MeshSpec>("Packing")),
        ("GrainCount", fields::<GrainCount>("")),
        ("PackingSizes.Uniform", fields::<PackingSizes>("Uniform")),
        ("PackingSizes.EqualVolume", fields::<PackingSizes>("EqualVolume")),
        ("InertiaSpec", fields::<InertiaSpec>("")),
        ("CopiesSpec", fields::<CopiesSpec>("")),
        ("MarginSpec", fields::<MarginSpec>("")),
        ("ObstacleEntry", fields::<ObstacleEntry>("")),
        ("ObstacleSpec.HalfPlane", fields::<ObstacleSpec>("HalfPlane")),
        ("ObstacleSpec.Segment", fields::<ObstacleSpec>("Segment")),
        ("ObstacleSpec.Circle", fields::<ObstacleSpec>("Circle")),
        ("ObstacleSpec.Hole", fields::<ObstacleSpec>("Hole")),
        ("ObstacleSpec.Polygon", fields::<ObstacleSpec>("Polygon")),
        ("ObstacleSpec.Container", fields::<ObstacleSpec>("Container")),
        ("ObstacleSpec.Box", fields::<ObstacleSpec>("Box")),
        ("ObstacleSpec.Cylinder", fields::<ObstacleSpec>("Cylinder")),
        ("ObstacleSpec.Bore", fields::<ObstacleSpec>("Bore")),
        ("ObstacleSpec.Mesh", fields::<ObstacleSpec>("Mesh")),
        ("Motion", fields::<ObstacleVelocity>("")),
        ("ContactEntry", fields::<ContactEntry>("")),
        ("AllContacts", fields::<AllContacts>("")),
        ("TurningResistance", fields::<delassus_solver::law::TurningResistance>("")),
        ("AttachmentEntry", fields::<AttachmentEntry>("")),
        ("StageEntry", fields::<StageEntry>("")),
        ("SurfaceSpec", fields::<SurfaceSpec>("")),
        ("SignoriniCoulomb", fields::<SignoriniCoulomb>("")),
        ("StaticDynamic", fields::<StaticDynamic>("")),
        ("RateAndState", fields::<RateAndState>("")),
        ("SmoothFriction", fields::<SmoothFriction>("")),
        ("FrictionPoint", fields::<FrictionPoint>("")),
        ("VariableFriction", fields::<VariableFriction>("")),
        ("ElasticShear", fields::<ElasticShear>("")),
        ("EllipticFriction", fields::<EllipticFriction>("")),
        ("Restitution", fields::<Restitution>("")),
        ("Compliant", fields::<Compliant>("")),
        ("Tied", fields::<Tied>("")),
        ("Cohesive", fields::<Cohesive>("")),
        ("MohrCoulomb", fields::<MohrCoulomb>("")),
        ("Adhesive", fields::<Adhesive>("")),
        ("BilinearCohesive", fields::<BilinearCohesive>("")),
        ("LoadEntry.Gravity", fields::<LoadEntry>("Gravity")),
        ("LoadEntry.Traction", fields::<LoadEntry>("Traction")),
        ("LoadEntry.Pressure", fields::<LoadEntry>("Pressure")),
        ("LoadEntry.Force", fields::<LoadEntry>("Force")),
        ("LoadEntry.Couple", fields::<LoadEntry>("Couple")),
        ("LoadEntry.NodalForce", fields::<LoadEntry>("NodalForce")),
        ("TimeFunction.Ramp", function_fields("Ramp")),
        ("TimeFunction.Sine", function_fields("Sine")),
        ("TimeFunction.Csv", function_fields("Csv")),
        ("TieEntry", fields::<TieEntry>("")),
        ("JointEntry", fields::<JointEntry>("")),
        ("JointSpringSpec", fields::<JointSpringSpec>("")),
        ("JointCoulombSpec", fields::<JointCoulombSpec>("")),
        ("MotionEntry", fields::<MotionEntry>("")),
        ("BoundaryEntry", fields::<BoundaryEntry>("")),
        ("Theta", fields::<Theta>("")),
        ("ModifiedTheta", fields::<ModifiedTheta>("")),
        ("ThetaEuler", fields::<ThetaEuler>("")),
        ("EnergyMomentum", fields::<EnergyMomentum>("")),
        ("Newmark", fields::<Newmark>("")),
        ("Explicit", fields::<Explicit>("")),
        ("Masses.Fictitious", fields::<Masses>("Fictitious")),
        ("Maxwell", fields::<Maxwell>("")),
        ("GeneralizedMaxwell", fields::<GeneralizedMaxwell>("")),
        ("PronyTerm", fields::<PronyTerm>("")),
        ("VonMises", fields::<VonMises>("")),
        ("PowerLaw", fields::<PowerLaw>("")),
        ("DruckerPrager", fields::<DruckerPrager>("")),
        ("Orthotropic", fields::<Orthotropic>("")),
        ("ThermoElastic", fields::<ThermoElastic>("")),
        ("Hardening.Linear", fields::<Hardening>("Linear")),
        ("Hardening.Voce", fields::<Hardening>("Voce")),
        ("Hardening.Table", fields::<Hardening>("Table")),
        ("HardeningPoint", fields::<HardeningPoint>("")),
        ("NeoHookean", fields::<NeoHookean>("")),
        ("MooneyRivlin", fields::<MooneyRivlin>("")),
        ("StVenantKirchhoff", fields::<StVenantKirchhoff>("")),
        ("Kinematics.Corotational", fields::<Kinematics>("Corotational")),
        ("Kinematics.UpdatedGeometry", fields::<Kinematics>("UpdatedGeometry")),
        ("InitialStressSpec.Lithostatic", fields::<InitialStressSpec>("Lithostatic")),
        ("NlgsSpec", fields::<NlgsSpec>("")),
        ("LemkeSpec", fields::<LemkeSpec>("")),
        ("FailurePolicy.CutStep", fields::<FailurePolicy>("CutStep")),
        ("OutputSpec", fields::<OutputSpec>("")),
        ("ProbeEntry", fields::<ProbeEntry>("")),
        ("ProbeSpec.Point", fields::<ProbeSpec>("Point")),
        ("ProbeSpec.Between", fields::<ProbeSpec>("Between")),
        ("VerifySpec", fields::<VerifySpec>("")),
        ("BarsImpact", fields::<BarsImpact>("")),
        ("UnequalBars", fields::<UnequalBars>("")),
        ("BarOnBar", fields::<BarOnBar>("")),
        ("UnequalBar", fields::<UnequalBar>("")),
        ("Sliding", fields::<Sliding>("")),
        ("HertzLine", fields::<HertzLine>("")),
        ("HertzPoint", fields::<HertzPoint>("")),
        ("HertzImpact", fields::<HertzImpact>("")),
        ("BouncingBall", fields::<BouncingBall>("")),
        ("CattaneoMindlin", fields::<CattaneoMindlin>("")),
        ("MaxwellRelaxation", fields::<MaxwellRelaxation>("")),
        ("LargeShear", fields::<LargeShear>("")),
        ("MaxwellLayers", fields::<MaxwellLayers>("")),
        ("MaxwellLayer", fields::<MaxwellLayer>("")),
        ("ReferenceSpec", fields::<ReferenceSpec>("")),
        ("TimeCsv", fields::<TimeCsv>("")),
        ("LineSpec", fields::<LineSpec>("")),
        ("LineOf.Body", fields::<LineOf>("Body")),
        ("LineOf.Contact", fields::<LineOf>("Contact")),
        ("LineCsv", fields::<LineCsv>("")),
        ("CheckSpec", fields::<CheckSpec>("")),
    ]
}

/// The keys of a type named as in the guide.
pub fn of(name: &str) -> Option<Names> {
    table().into_iter().find(|(n, _)| *n == name).map(|(_, keys)| keys).filter(|keys| !keys.is_empty())
}

/// All types with keys.
pub fn all() -> Vec<String> {
    table().into_iter().map(|(n, _)| n.to_owned()).collect()
}

/// All enums with their variants.
pub fn enums() -> Vec<(&'static str, Names)> {
    let list = vec![
        ("StartSpec", variants::<StartSpec>()),
        ("Axis", variants::<SpaceAxis>()),
        ("Units", variants::<Units>()),
        ("MaterialSpec", variants::<MaterialSpec>()),
        ("MeshSpec", variants::<MeshSpec>()),
        ("BlocksSpec", variants::<BlocksSpec>()),
        ("CourseEndsSpec", variants::<CourseEndsSpec>()),
        ("InterfaceSpec", variants::<InterfaceSpec>()),
        ("FaceRuleSpec", variants::<FaceRuleSpec>()),
        ("PlaneCell", variants::<PlaneCell>()),
        ("SolidCell", variants::<SolidCell>()),
        ("PackingOrder", variants::<PackingOrder>()),
        ("PackingSizes", variants::<PackingSizes>()),
        ("Section", variants::<Section>()),
        ("Formulation", variants::<Formulation>()),
        ("MassKind", variants::<MassKind>()),
        ("Integration", variants::<Integration>()),
        ("Kinematics", variants::<Kinematics>()),
        ("ObjectiveRate", variants::<ObjectiveRate>()),
        ("Hardening", variants::<Hardening>()),
        ("ConeFit", variants::<ConeFit>()),
        ("InitialStressSpec", variants::<InitialStressSpec>()),
        ("Masses", variants::<Masses>()),
        ("ObstacleSpec", variants::<ObstacleSpec>()),
        ("SolidSide", variants::<SolidSide>()),
        ("PointsSpec", variants::<PointsSpec>()),
        ("NormalsSpec", variants::<NormalsSpec>()),
        ("AntagonistSpec", variants::<AntagonistSpec>()),
        ("LawSpec", variants::<LawSpec>()),
        ("Evolution", variants::<Evolution>()),
        ("FrictionActs", variants::<FrictionActs>()),
        ("Glue", variants::<Glue>()),
        ("Per", variants::<Per>()),
        ("Release", variants::<Release>()),
        ("Method", variants::<Method>()),
        ("CurveSpec", variants::<CurveSpec>()),
        ("LineCurveSpec", variants::<LineCurveSpec>()),
        ("LineOf", variants::<LineOf>()),
        ("LineField", variants::<LineField>()),
        ("TractionPart", variants::<TractionPart>()),
        ("Norm", variants::<Norm>()),
        ("JointKindSpec", variants::<JointKindSpec>()),
        ("JointMotionSpec", variants::<JointMotionSpec>()),
        ("LoadEntry", variants::<LoadEntry>()),
        ("IntegratorSpec", variants::<IntegratorSpec>()),
        ("SolverSpec", variants::<SolverSpec>()),
        ("FailurePolicy", variants::<FailurePolicy>()),
        ("ProbeSpec", variants::<ProbeSpec>()),
        ("SolutionSpec", variants::<SolutionSpec>()),
        ("Measure", variants::<Measure>()),
    ];
    assert!(list.iter().all(|(_, v)| !v.is_empty()), "an enum said nothing");
    list
}
