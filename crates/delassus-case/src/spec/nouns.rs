//! Names of the choices of a case, and hints for names of other programs.

use crate::source::Noun;

const fn noun(top: &'static str, key: &'static str, one: &'static str, many: &'static str) -> Noun {
    Noun { top, key, one, many, instead: &[] }
}

const QUASI_STATIC: &str = "statics is `QuasiStatic`, without brackets: equilibrium at the end of every step, loads that grow by a `Ramp`; a slow \
                            motion with inertia is `Theta(theta: 1.0)`; to start at equilibrium add `start: Equilibrium`";

const INTEGRATOR: Noun = Noun {
    instead: &[
        (&["static", "statics", "quasistatic", "quasi_static", "implicit", "equilibrium"], QUASI_STATIC),
        (
            &["euler", "impliciteuler", "backwardeuler", "moreaujean", "moreau"],
            "implicit Euler is `Theta(theta: 1.0)`, the scheme of Moreau and Jean `Theta(theta: …)`",
        ),
        (
            &["verlet", "leapfrog", "centraldifference", "centraldifferences", "symplecticeuler", "rungekutta", "rk4"],
            "the explicit scheme is `Explicit()`, with `mass: Lumped` of every body",
        ),
        (
            &["hht", "alpha", "generalizedalpha", "wilson", "houbolt", "bdf", "bdf2", "midpoint"],
            "schemes with numerical damping are `ModifiedTheta(theta: 0.55)` and `ThetaEuler`; the midpoint rule is \
             `Theta(theta: 0.5)`",
        ),
    ],
    ..noun("integrator", "integrator", "integrator", "integrators")
};

const MATERIAL_LAW: Noun = Noun {
    instead: &[
        (
            &["elastic", "linear", "linearelastic", "isotropic", "hooke"],
            "an elastic material is `KelvinVoigt(young: …, poisson: …)`, without viscosity unless one is given",
        ),
        (
            &["hyperelastic", "rubber", "ogden", "yeoh", "arrudaboyce"],
            "hyperelastic materials are `NeoHookean(…)`, `MooneyRivlin(…)` and `StVenantKirchhoff(…)`, with `kinematics: FiniteStrain()`",
        ),
        (
            &["plastic", "elastoplastic", "j2", "mises"],
            "a metal that yields is `VonMises(young: …, poisson: …, yield_stress: …)`",
        ),
        (
            &["mohrcoulomb", "soil", "rock", "camclay"],
            "soils and rock that yield are `DruckerPrager(…)`, whose `cone` meets Mohr's and Coulomb's pyramid; slip can be computed on an interface (`split`) with the \
             contact law `MohrCoulomb`",
        ),
        (
            &["damage", "fracture"],
            "there is no damage in the bulk; fracture can be computed on an interface (`split`) with a contact law such as `BilinearCohesive`",
        ),
        (
            &["thermal", "thermoelasticity", "temperature", "expansion"],
            "a material that expands with a given temperature is `ThermoElastic(…)`",
        ),
        (
            &["anisotropic", "wood", "fibre", "transverselyisotropic"],
            "a material with different moduli along its axes is `Orthotropic(…)`",
        ),
        (
            &["viscoplastic", "cowpersymonds", "perzyna", "johnsoncook"],
            "a metal whose yield stress grows with the rate is `VonMises(…, rate: (reference: …, exponent: …))`",
        ),
        (
            &["rigid"],
            "a rigid body has `rigid: true`, and takes the density of its material; a rigid shape with a prescribed motion may also be an entry of `obstacles`",
        ),
    ],
    ..noun("materials", "law", "material law", "material laws")
};

const MESH: Noun = Noun {
    instead: &[
        (
            &["gmsh", "msh", "ply", "vtk", "vtu", "abaqus", "inp", "exodus", "mesh", "med"],
            "a mesh from a file is `File(\"name.msh\")`: gmsh, Abaqus or CalculiX (.inp), VTK (.vtu)",
        ),
        (
            &["stl", "obj", "triangles", "closedsurface"],
            "a rigid body within a closed surface from a file is `Surface(file: \"name.stl\")`: STL, OBJ, facets of a mesh file",
        ),
        (&["sphere", "circle"], "a rigid disk, in space a rigid ball, is `Round(centre: …, radius: …)`"),
        (&["compound", "multisphere", "cluster"], "several shapes that move together are `Clump(parts: […])`"),
    ],
    ..noun("bodies", "mesh", "mesh", "meshes")
};

const SHAPE: Noun = Noun {
    instead: &[
        (
            &["plane", "wall", "ground", "floor", "line"],
            "a plane is `HalfPlane(point: …, normal: …)`, in space `HalfSpace`",
        ),
        (
            &["stl", "obj", "gmsh", "surface", "triangles", "file"],
            "a surface from a file is `Mesh(file: \"name.stl\", solid: …)`: STL, OBJ, or a `group` of a mesh file",
        ),
        (&["rectangle", "square", "cube", "cuboid", "block"], "a rectangle or cuboid is `Box(centre: …, size: …)`"),
        (&["ball", "disk", "disc"], "a disk is `Circle(centre: …, radius: …)`, in space `Sphere`"),
    ],
    ..noun("obstacles", "shape", "shape of an obstacle", "shapes")
};

const CONTACT_LAW: Noun = Noun {
    instead: &[
        (&["coulomb", "friction", "frictional"], "Coulomb's friction is `SignoriniCoulomb(friction: …)`"),
        (&["signorini", "unilateral", "hard"], "contact without friction is `Frictionless`"),
        (
            &["penalty", "elastic", "spring", "hertz", "soft"],
            "contact needs no stiffness: use `SignoriniCoulomb`; for a compliant layer between the bodies use `Compliant`",
        ),
        (
            &["bonded", "glue", "glued", "bond"],
            "permanently joined bodies are `Tied`, a glue that can break is `Adhesive` or `BilinearCohesive`",
        ),
    ],
    ..noun("contacts", "law", "contact law", "contact laws")
};

const LOAD: Noun = Noun {
    instead: &[
        (
            &["force", "pointload", "concentrated"],
            "a force on the nodes of a group is `NodalForce`, one over its area `Traction`, one on a rigid body `Force`",
        ),
        (
            &["velocity", "displacement", "prescribed", "dirichlet", "support", "fixed", "clamp"],
            "prescribed motions and supports are entries of `boundary`, as velocities",
        ),
        (&["acceleration", "bodyforce", "weight"], "a body force is `Gravity(acceleration: …)`"),
        (
            &["torque", "moment", "twist"],
            "a moment on a surface is `Couple(moment: …)`, on a rigid body `Force(moment: …)`",
        ),
    ],
    ..noun("loads", "loads", "load", "loads")
};

const SOLVER: Noun = Noun {
    instead: &[
        (
            &["newton", "alart", "alartcurnier", "nsn"],
            "Newton's method is a fallback of Gauss-Seidel: `Nlgs(fallback: [Newton])`",
        ),
        (
            &["penalty", "augmentedlagrangian", "uzawa", "jacobi", "psor", "admm", "gaussseidel", "nsgs", "lcp"],
            "the usual solver is nonlinear Gauss-Seidel, `Nlgs()`; exact pivoting in the plane is `Lemke()`",
        ),
    ],
    ..noun("solver", "solver", "solver", "solvers")
};

/// All choices of a case; a test holds them against its schema.
pub const NOUNS: &[Noun] = &[
    INTEGRATOR,
    MATERIAL_LAW,
    MESH,
    SHAPE,
    CONTACT_LAW,
    LOAD,
    SOLVER,
    noun("units", "units", "kind of units", "kinds"),
    noun("materials", "integration", "way of integration", "ways"),
    noun("materials", "hardening", "kind of hardening", "kinds"),
    noun("materials", "cone", "cone", "cones"),
    noun("bodies", "parts", "shape", "shapes"),
    noun("bodies", "element", "kind of cell", "kinds"),
    noun("bodies", "facets", "choice of facets", "choices"),
    noun("bodies", "all_of", "rule for faces", "rules"),
    noun("bodies", "section", "section", "sections"),
    noun("bodies", "formulation", "formulation", "formulations"),
    noun("bodies", "mass", "kind of mass matrix", "kinds"),
    noun("bodies", "ends", "way in which courses end", "ways"),
    noun("bodies", "order", "order of a packing", "orders"),
    noun("bodies", "sizes", "kind of sizes", "kinds"),
    noun("bodies", "kinematics", "kind of kinematics", "kinds"),
    noun("bodies", "rate", "objective rate", "rates"),
    noun("bodies", "frames", "choice of frames", "choices"),
    noun("kinematics", "kinematics", "kind of kinematics", "kinds"),
    noun("kinematics", "rate", "objective rate", "rates"),
    noun("kinematics", "frames", "choice of frames", "choices"),
    noun("bodies", "initial_stress", "initial stress", "initial stresses"),
    noun("obstacles", "solid", "side", "sides"),
    noun("contacts", "contacts", "form of contacts", "forms"),
    noun("contacts", "antagonists", "kind of antagonist", "kinds"),
    noun("contacts", "points", "kind of candidate points", "kinds"),
    noun("contacts", "normals", "kind of normals", "kinds"),
    noun("contacts", "evolution", "law of evolution", "laws"),
    noun("contacts", "friction_acts", "time when friction acts", "times"),
    noun("contacts", "glue", "rule of gluing", "rules"),
    noun("contacts", "per", "measure of a law's numbers", "measures"),
    noun("contacts", "release", "way of release", "ways"),
    noun("joints", "kind", "kind of joint", "kinds"),
    noun("joints", "motion", "kind of motion", "kinds"),
    noun("ties", "components", "direction", "directions"),
    noun("start", "start", "start", "starts"),
    noun("integrator", "masses", "kind of masses", "kinds"),
    noun("solver", "fallback", "solver to fall back on", "solvers"),
    noun("solver", "on_failure", "policy", "policies"),
    noun("output", "precision", "precision", "precisions"),
    noun("probes", "at", "kind of probe", "kinds"),
    noun("verify", "solution", "exact solution", "solutions"),
    noun("verify", "measure", "measure", "measures"),
    noun("verify", "curve", "kind of curve", "kinds"),
    noun("verify", "norm", "norm of an error", "norms"),
    noun("verify", "of", "kind of line", "kinds"),
    noun("verify", "field", "field", "fields"),
    noun("verify", "part", "part of a traction", "parts"),
];
