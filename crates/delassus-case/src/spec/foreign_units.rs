//! The rules of types that other crates define: schemes, materials, contact laws, exact solutions.

use super::units::UnitRule::Within;
use super::units::{ANY, COUNT, FACTOR_IN_TIME, LENGTH, MASS, PRESSURE, PURE, SPEED, TIME, UnitTable, bare, in_time};

/// `MaterialSpec` of `delassus-fem`.
pub(super) const MATERIAL: UnitTable = &[
    ("KelvinVoigt", Within(KELVIN_VOIGT)),
    ("Maxwell", Within(MAXWELL)),
    ("GeneralizedMaxwell", Within(GENERALIZED_MAXWELL)),
    ("VonMises", Within(VON_MISES)),
    ("NeoHookean", Within(NEO_HOOKEAN)),
    ("MooneyRivlin", Within(MOONEY_RIVLIN)),
    ("StVenantKirchhoff", Within(NEO_HOOKEAN)),
    ("DruckerPrager", Within(DRUCKER_PRAGER)),
    ("Orthotropic", Within(ORTHOTROPIC)),
    ("ThermoElastic", Within(THERMO_ELASTIC)),
];

const KELVIN_VOIGT: UnitTable = &[
    ("young", PRESSURE),
    ("poisson", PURE),
    ("lambda", PRESSURE),
    ("mu", PRESSURE),
    ("bulk_viscosity", bare("Pa·s")),
    ("shear_viscosity", bare("Pa·s")),
];

const MAXWELL: UnitTable =
    &[("young", PRESSURE), ("poisson", PURE), ("lambda", PRESSURE), ("mu", PRESSURE), ("viscosity", bare("Pa·s"))];

const GENERALIZED_MAXWELL: UnitTable = &[
    ("young", PRESSURE),
    ("poisson", PURE),
    ("lambda", PRESSURE),
    ("mu", PRESSURE),
    ("terms[].share", PURE),
    ("terms[].time", TIME),
];

const VON_MISES: UnitTable = &[
    ("young", PRESSURE),
    ("poisson", PURE),
    ("lambda", PRESSURE),
    ("mu", PRESSURE),
    ("yield_stress", PRESSURE),
    ("hardening.Linear.modulus", PRESSURE),
    ("hardening.Voce.saturation", PRESSURE),
    ("hardening.Voce.exponent", PURE),
    ("hardening.Voce.modulus", PRESSURE),
    ("hardening.Table.points[].strain", PURE),
    ("hardening.Table.points[].stress", PRESSURE),
    ("kinematic", PRESSURE),
    ("rate.reference", bare("1/s")),
    ("rate.exponent", PURE),
];

const DRUCKER_PRAGER: UnitTable = &[
    ("young", PRESSURE),
    ("poisson", PURE),
    ("lambda", PRESSURE),
    ("mu", PRESSURE),
    ("cohesion", PRESSURE),
    ("friction_angle", bare("degrees")),
    ("dilation_angle", bare("degrees")),
    ("hardening.Linear.modulus", PRESSURE),
    ("hardening.Voce.saturation", PRESSURE),
    ("hardening.Voce.exponent", PURE),
    ("hardening.Voce.modulus", PRESSURE),
    ("hardening.Table.points[].strain", PURE),
    ("hardening.Table.points[].stress", PRESSURE),
];

const ORTHOTROPIC: UnitTable = &[("young", PRESSURE), ("poisson", PURE), ("shear", PRESSURE), ("axes", PURE)];

const THERMO_ELASTIC: UnitTable = &[
    ("young", PRESSURE),
    ("poisson", PURE),
    ("lambda", PRESSURE),
    ("mu", PRESSURE),
    ("expansion", bare("1/K")),
    ("temperature", in_time("K")),
];

const MOONEY_RIVLIN: UnitTable = &[("c1", PRESSURE), ("c2", PRESSURE), ("bulk", PRESSURE)];

const NEO_HOOKEAN: UnitTable = &[("young", PRESSURE), ("poisson", PURE), ("lambda", PRESSURE), ("mu", PRESSURE)];

/// `Section` of `delassus-fem`.
pub(super) const SECTION: UnitTable = &[("PlaneStrain.thickness", LENGTH), ("PlaneStress.thickness", LENGTH)];

/// `Rayleigh` of `delassus-fem`.
pub(super) const DAMPING: UnitTable = &[("alpha", bare("1/s")), ("beta", TIME)];

/// `IntegratorSpec` of `delassus-dynamics`.
pub(super) const INTEGRATOR: UnitTable = &[
    ("Theta.theta", PURE),
    ("ModifiedTheta.theta", PURE),
    ("ThetaEuler.theta", PURE),
    ("Newmark.gamma", PURE),
    ("Newmark.beta", PURE),
    ("EnergyMomentum.theta", PURE),
    ("Explicit.damping", PURE),
    ("Explicit.masses.Fictitious.safety", PURE),
];

/// `LawSpec` of `delassus-solver`.
pub(super) const CONTACT_LAW: UnitTable = &[
    ("SignoriniCoulomb.friction", PURE),
    ("StaticDynamic", Within(STATIC_DYNAMIC)),
    ("RateAndState", Within(RATE_AND_STATE)),
    ("Restitution", Within(RESTITUTION)),
    ("SmoothFriction", Within(SMOOTH_FRICTION)),
    ("ElasticShear", Within(ELASTIC_SHEAR)),
    ("EllipticFriction", Within(ELLIPTIC_FRICTION)),
    ("Compliant", Within(COMPLIANT)),
    ("Cohesive.cohesion", PRESSURE),
    ("MohrCoulomb", Within(MOHR_COULOMB)),
    ("Adhesive", Within(ADHESIVE)),
    ("BilinearCohesive", Within(BILINEAR_COHESIVE)),
];

const STATIC_DYNAMIC: UnitTable = &[("static_friction", PURE), ("dynamic_friction", PURE), ("velocity", SPEED)];

const RATE_AND_STATE: UnitTable = &[
    ("reference_friction", PURE),
    ("direct_effect", PURE),
    ("evolution_effect", PURE),
    ("reference_velocity", SPEED),
    ("slip_distance", LENGTH),
    ("initial_state", TIME),
];

const RESTITUTION: UnitTable =
    &[("normal", PURE), ("tangential", PURE), ("dissipation_index", PURE), ("friction", PURE)];

const SMOOTH_FRICTION: UnitTable = &[("friction", PURE), ("curve[].speed", SPEED), ("curve[].added", PURE)];

const ELASTIC_SHEAR: UnitTable =
    &[("shear_stiffness", bare("N/m³")), ("normal_stiffness", bare("N/m³")), ("friction", PURE)];

const ELLIPTIC_FRICTION: UnitTable = &[("along", PURE), ("across", PURE), ("direction", PURE)];

const COMPLIANT: UnitTable = &[("stiffness", bare("N/m³")), ("damping", bare("N·s/m³")), ("friction", PURE)];

const MOHR_COULOMB: UnitTable = &[("cohesion", PRESSURE), ("internal_friction", PURE), ("friction", PURE)];

const ADHESIVE: UnitTable = &[
    ("normal_stiffness", bare("N/m³")),
    ("tangential_stiffness", bare("N/m³")),
    ("energy", bare("J/m²")),
    ("viscosity", bare("J·s/m²")),
    ("exponent", PURE),
    ("theta", PURE),
    ("friction", PURE),
    ("bonded_friction", PURE),
];

const BILINEAR_COHESIVE: UnitTable =
    &[("strength", PRESSURE), ("stiffness", bare("N/m³")), ("energy", bare("J/m²")), ("friction", PURE)];

/// `MarginSpec` of `delassus-sim`.
pub(super) const MARGINS: UnitTable = &[("gap", LENGTH), ("force", bare("N")), ("sliding", SPEED), ("drag", bare("N"))];

/// `FailurePolicy` of `delassus-sim`.
pub(super) const ON_FAILURE: UnitTable = &[("CutStep.halvings", COUNT)];

/// `VerifySpec` of `delassus-verify`.
pub(super) const VERIFY: UnitTable = &[
    ("solution", Within(SOLUTION)),
    ("references[]", Within(REFERENCE)),
    ("lines[]", Within(LINE)),
    ("checks[]", Within(CHECK)),
];

const REFERENCE: UnitTable = &[
    ("curve.Csv.time_unit", TIME),
    // The unit of the column.
    ("curve.Csv.value_unit", ANY),
    ("from", TIME),
    ("to", TIME),
    ("tolerance", PURE),
];

const LINE: UnitTable = &[
    ("from", LENGTH),
    ("to", LENGTH),
    ("samples", COUNT),
    ("time", TIME),
    ("curve.Csv.s_unit", LENGTH),
    // The unit of the field.
    ("curve.Csv.value_unit", ANY),
    ("tolerance", PURE),
];

const CHECK: UnitTable = &[
    ("measure.Mean.from", TIME),
    ("measure.Mean.to", TIME),
    ("measure.MaxAbs.from", TIME),
    ("measure.MaxAbs.to", TIME),
    ("measure.Integral.from", TIME),
    ("measure.Integral.to", TIME),
    ("measure.Slope.from", TIME),
    ("measure.Slope.to", TIME),
    // These have the unit of the column.
    ("measure.LastTimeAbove.level", ANY),
    ("measure.FirstTimeBelow.level", ANY),
    ("expected", ANY),
    ("tolerance", PURE),
];

const SOLUTION: UnitTable = &[
    ("BarsImpact", Within(BARS_IMPACT)),
    ("UnequalBars", Within(UNEQUAL_BARS)),
    ("Sliding", Within(SLIDING)),
    ("HertzLine", Within(HERTZ_LINE)),
    ("HertzPoint", Within(HERTZ_POINT)),
    ("HertzImpact", Within(HERTZ_IMPACT)),
    ("BouncingBall", Within(BOUNCING_BALL)),
    ("CattaneoMindlin", Within(CATTANEO_MINDLIN)),
    ("MaxwellRelaxation", Within(MAXWELL_RELAXATION)),
    ("LargeShear", Within(LARGE_SHEAR)),
    ("MaxwellLayers", Within(MAXWELL_LAYERS)),
];

const BARS_IMPACT: UnitTable = &[
    ("young", PRESSURE),
    ("density", bare("kg/m³")),
    ("length", LENGTH),
    ("area", bare("m²")),
    ("speed", SPEED),
    ("drift", SPEED),
    ("gap", LENGTH),
];

const UNEQUAL_BARS: UnitTable = &[
    ("impacts[].striker", Within(UNEQUAL_BAR)),
    ("impacts[].target", Within(UNEQUAL_BAR)),
    ("impacts[].area", bare("m²")),
    ("impacts[].speed", SPEED),
];

const UNEQUAL_BAR: UnitTable = &[("young", PRESSURE), ("density", bare("kg/m³")), ("length", LENGTH)];

const SLIDING: UnitTable = &[("gravity", bare("m/s²")), ("friction", PURE), ("speed", SPEED), ("mass", MASS)];

const HERTZ_LINE: UnitTable = &[
    ("modulus", PRESSURE),
    ("radius", LENGTH),
    ("load", bare("N/m")),
    ("factor", FACTOR_IN_TIME),
    ("thickness", LENGTH),
    ("part", PURE),
    ("centre", LENGTH),
];

const HERTZ_POINT: UnitTable = &[
    ("modulus", PRESSURE),
    ("radius", LENGTH),
    ("load", bare("N")),
    ("factor", FACTOR_IN_TIME),
    ("part", PURE),
    ("centre", LENGTH),
];

const HERTZ_IMPACT: UnitTable =
    &[("modulus", PRESSURE), ("radius", LENGTH), ("mass", MASS), ("speed", SPEED), ("part", PURE)];

const BOUNCING_BALL: UnitTable = &[("height", LENGTH), ("gravity", bare("m/s²")), ("restitution", PURE)];

const CATTANEO_MINDLIN: UnitTable = &[
    ("modulus", PRESSURE),
    ("radius", LENGTH),
    ("load", bare("N/m")),
    ("factor", FACTOR_IN_TIME),
    ("friction", PURE),
    ("shear", bare("N/m")),
    ("shear_factor", FACTOR_IN_TIME),
    ("thickness", LENGTH),
    ("centre", LENGTH),
];

const MAXWELL_RELAXATION: UnitTable = &[("stress", PRESSURE), ("from", TIME), ("time", TIME)];

const LARGE_SHEAR: UnitTable = &[("mu", PRESSURE), ("rate", bare("1/s"))];

const MAXWELL_LAYERS: UnitTable = &[
    ("young", PRESSURE),
    ("poisson", PURE),
    ("layers[].viscosity", bare("Pa·s")),
    ("layers[].pressure", PRESSURE),
    ("length", LENGTH),
    ("speed", SPEED),
];
