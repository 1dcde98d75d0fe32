//! Values without meaning: out of range, not a number, contradictory.

use super::{INPUT, Row, check_rows};

const PLANK: &str = "Rectangle(corner: (0.0, 0.0), size: (0.5, 0.1), cells: (5, 1))";
const TABLE: &str = "Table([(0.0, 0.0), (0.01, 1.0)])";
const BOW_TIE: &str = "Polygon(points: [(0.4, 0.0), (1.0, 1.0), (1.0, 0.0), (0.4, 1.0)])";
const WALL_SPIN: (&str, &str) = ("normal: (-1.0, 0.0))),", "normal: (-1.0, 0.0)), spin: inf),");
const WALL: &str = "HalfPlane(point: (0.4, 0.0), normal: (-1.0, 0.0))";
const SCHEME: &str = "Theta(theta: 0.6)";
const MEASURE: &str = "Final(column: \"base.vx\"), expected: 1.0, tolerance: 0.1";

pub const ROWS: &[Row] = &[
    (
        "dimension 3",
        "dimension: 2",
        "dimension: 3",
        "E0309 | E0308 | bodies[1].mesh | a `Rectangle` has 2 dimensions, the case has `dimension: 3`",
    ),
    ("dimension 7", "dimension: 2", "dimension: 7", "E0301 | case.ron:4:16: | dimension = 7 | only 2 and 3"),
    // Materials.
    (
        "negative density",
        "density: 1000.0",
        "density: -1000.0",
        "E0601 | case.ron:6: | `rubber` | density = -1000 | > 0",
    ),
    ("zero density", "density: 1000.0", "density: 0.0", "E0601 | case.ron:6: | `rubber` | density = 0 must | > 0"),
    ("density NaN", "density: 1000.0", "density: NaN", "E0601 | case.ron:6: | `rubber` | density = NaN | finite"),
    ("E = 0", "young: 1.0e7", "young: 0.0", "E0601 | case.ron:6: | `rubber` | young = 0 must | > 0"),
    ("E infinite", "young: 1.0e7", "young: inf", "E0601 | case.ron:6: | `rubber` | young = inf | finite"),
    ("nu = 0.5", "poisson: 0.3)", "poisson: 0.5)", "E0367 | case.ron:6: | poisson = 0.5 must be < 0.5 | lock | BBar"),
    ("nu = -1", "poisson: 0.3)", "poisson: -1.0)", "E0601 | case.ron:6: | poisson = -1 | > -1 and < 0.5"),
    (
        "one modulus",
        "young: 1.0e7, poisson: 0.3",
        "young: 1.0e7",
        "E0602 | case.ron:6: | young and poisson | (given: young)",
    ),
    (
        "negative viscosity",
        "poisson: 0.3)",
        "poisson: 0.3, shear_viscosity: -1.0)",
        "E0601 | shear_viscosity = -1 | >= 0",
    ),
    (
        "no material",
        "            material: \"steel\",\n",
        "",
        "E0304 | case.ron:18: | `plank` has no material | `regions`",
    ),
    // Directions and shapes of another dimension.
    (
        "box in the plane",
        "Rectangle(corner: (0.0, 0.0), size: (0.5, 0.1), cells: (5, 1))",
        "Box(corner: (0, 0, 0), size: (1, 1, 1), cells: (1, 1, 1))",
        "E0309 | case.ron:20: | bodies[1].mesh | a `Box` has 3 dimensions, the case has `dimension: 2`",
    ),
    (
        "z of a boundary",
        "x: 0.0, y: 0.0)",
        "x: 0.0, z: 0.0)",
        "E0310 | boundary[0].z | a plane case has no such direction",
    ),
    (
        "z of an obstacle",
        "normal: (-1.0, 0.0))),",
        "normal: (-1.0, 0.0)), velocity: (z: 1.0)),",
        "E0310 | obstacles[0].velocity.z | a plane case has no such direction",
    ),
    // Bodies.
    ("0 cells", "cells: (5, 1)", "cells: (0, 1)", "E0443 | case.ron:20: | bodies[1].mesh | cells[0] = 0 | at least 1"),
    (
        "too many cells",
        "cells: (5, 1)",
        "cells: (500000000, 9)",
        "E0443 | case.ron:20: | cells[0] = 500000000 | 50 million",
    ),
    ("refine 0", "cells: (5, 1)", "cells: (5, 1), refine: 0", "E0443 | case.ron:20: | refine = 0 | at least 1"),
    ("negative size", "size: (0.5,", "size: (-0.5,", "E0443 | case.ron:20: | rectangle: size[0] = -0.5 | > 0"),
    ("size infinite", "size: (0.5,", "size: (inf,", "E0443 | case.ron:20: | size[0] = inf | finite"),
    (
        "one coordinate",
        "corner: (0.0, 0.0)",
        "corner: (0.0)",
        "E0308 | case.ron:20:37: | corner has 1 components, must have 2",
    ),
    ("cells below rounding", "corner: (0.0, 0.0)", "corner: (1e17, 0.0)", "E0441 | case.ron:20: | degenerate | 1e17"),
    ("ring inside out", PLANK, RING, "E0443 | case.ron:20: | annulus: inner_radius = 2.0 | less than outer_radius"),
    ("disk without radius", PLANK, DISK, "E0443 | case.ron:20: | disk: radius = 0.0 | > 0"),
    (
        "thickness 0",
        "thickness: 0.5",
        "thickness: 0.0",
        "E0601 | case.ron:14: | bodies[0].section | thickness = 0 must | > 0",
    ),
    (
        "BBar in plane stress",
        "PlaneStrain(thickness: 0.5)",
        "PlaneStress(), formulation: BBar",
        "E0614 | BBar | plane stress | Standard",
    ),
    (
        "negative damping",
        "beta: 1e-5",
        "beta: -1e-5",
        "E0307 | case.ron:15:41: | damping.beta | beta = -0.00001 | >= 0",
    ),
    ("damping NaN", "alpha: 0.1", "alpha: NaN", "E0307 | case.ron:15:30: | damping.alpha | alpha = NaN | finite"),
    (
        "velocity infinite",
        "velocity: (1.0",
        "velocity: (inf",
        "E0306 | case.ron:16:23: bodies[0].velocity: inf | finite",
    ),
    (
        "velocity in 3D",
        "velocity: (1.0",
        "velocity: (1.0, 0.0",
        "E0308 | case.ron:16: | 3 components where 2 are needed",
    ),
    (
        "rotation NaN",
        "velocity: (1.0, 0.0)",
        "rotation: NaN",
        "E0306 | case.ron:16:23: bodies[0].rotation: NaN | degrees",
    ),
    ("spin NaN", "velocity: (1.0, 0.0)", "spin: NaN", "E0306 | case.ron:16:19: bodies[0].spin: NaN | finite"),
    (
        "a quarter turn",
        "velocity: (1.0, 0.0)",
        "spin: -785.4",
        "E0364 | case.ron:16:19: bodies[0].spin: -785.4 rad/s over the duration of 0.002 s | by 90.000° | allows 5° | \
         factor of 1.862 | 1.1e-4 s | leave `kinematics` out",
    ),
    // Obstacles and contacts.
    (
        "zero normal",
        "normal: (-1.0",
        "normal: (0.0",
        "E0521 | case.ron:25: | obstacles[0].shape | [0.0, 0.0] has no direction",
    ),
    (
        "normal NaN",
        "normal: (-1.0",
        "normal: (NaN",
        "E0306 | case.ron:25:68: | obstacles[0].shape.normal: NaN | finite",
    ),
    (
        "segment of no length",
        WALL,
        "Segment(a: (0.4, 0.0), b: (0.4, 0.0))",
        "E0523 | case.ron:25: | [0.4, 0.0] | no length",
    ),
    (
        "circle without size",
        WALL,
        "Circle(centre: (0.4, 0.0), radius: 0.0)",
        "E0532 | case.ron:25: | obstacles[0].shape | radius",
    ),
    ("hole inside out", WALL, "Hole(centre: (0.4, 0.0), radius: -1.0)", "E0532 | case.ron:25: | -1 | radius"),
    ("polygon of two points", WALL, "Polygon(points: [(0.4, 0.0), (1.0, 0.0)])", "E0533 | case.ron:25: | 2 points"),
    ("polygon that crosses itself", WALL, BOW_TIE, "E0535 | case.ron:25: | cross"),
    (
        "corner in space",
        WALL,
        "Container(points: [(0.4, 0.0, 0.0)])",
        "E0308 | case.ron:25: | points[0] | 3 components",
    ),
    ("spin without end", WALL_SPIN.0, WALL_SPIN.1, "E0601 | case.ron:25: | spin | finite"),
    (
        "negative friction",
        "friction: 0.3",
        "friction: -0.3",
        "E0631 | case.ron:32: | contacts[0].law | friction = -0.3 | ≥ 0",
    ),
    (
        "friction NaN",
        "friction: 0.3",
        "friction: NaN",
        "E0631 | case.ron:32: | contacts[0].law | friction = NaN | finite",
    ),
    (
        "both with an obstacle",
        "law: Frictionless",
        "law: Frictionless, both: true",
        "E0345 | case.ron:34: | `both` needs two bodies",
    ),
    // Loads and boundary conditions.
    ("traction NaN", "traction: (0.0", "traction: (NaN", "E0306 | case.ron:38:57: loads[1].traction: NaN | finite"),
    ("pressure infinite", TRACTION, PRESSURE, "E0306 | case.ron:38:57: loads[1].pressure: inf | finite"),
    (
        "table not ascending",
        "(0.01, 1.0)",
        "(-0.01, 1.0)",
        "E0604 | case.ron:38:81: | factor | row 1: time -0.01 | than 0",
    ),
    ("empty table", TABLE, "Table([])", "E0603 | case.ron:38:81: loads[1].factor: | at least one point"),
    (
        "ramp backwards",
        TABLE,
        "Ramp(start: 1.0, end: 0.5, to: 1.0)",
        "E0601 | case.ron:38:81: | end = 0.5 must be > start",
    ),
    (
        "negative frequency",
        TABLE,
        "Sine(amplitude: 1.0, frequency: -1.0)",
        "E0601 | case.ron:38:81: | frequency = -1 | >= 0",
    ),
    ("nothing prescribed", ", x: 0.0, y: 0.0", "", "E0341 | case.ron:41:9: boundary[0]: no component is prescribed"),
    (
        "prescribed differently",
        "y: 0.0),",
        "y: 0.0), (body: \"plank\", group: \"left\", x: 1.0),",
        "E0619 | `plank` | `bottom` and `left`",
    ),
    // Time, solver, output, verification.
    ("theta 0.3", "theta: 0.6", "theta: 0.3", "E0361 | case.ron:43:17: integrator: | theta = 0.3 | [0.5, 1]"),
    ("theta 1.2", "theta: 0.6", "theta: 1.2", "E0361 | case.ron:43:17: integrator: | theta = 1.2 | [0.5, 1]"),
    ("theta NaN", "theta: 0.6", "theta: NaN", "E0361 | case.ron:43:17: integrator: | theta = NaN | [0.5, 1]"),
    (
        "beta too small",
        SCHEME,
        "Newmark(gamma: 0.5, beta: 0.1)",
        "E0361 | case.ron:43: | Newmark: beta = 0.1 | [gamma/2, 1]",
    ),
    (
        "gamma too small",
        SCHEME,
        "Newmark(gamma: 0.4, beta: 0.3)",
        "E0361 | case.ron:43: | Newmark: gamma = 0.4 | [0.5, 1]",
    ),
    ("h = 0", "step: 1e-4", "step: 0.0", "E0305 | case.ron:44:11: step: step = 0 must be positive"),
    ("h NaN", "step: 1e-4", "step: NaN", "E0305 | case.ron:44:11: step: step = NaN must be positive and finite"),
    (
        "negative duration",
        "duration: 2e-3",
        "duration: -2e-3",
        "E0305 | case.ron:45:15: | duration = -0.002 must be positive",
    ),
    ("duration infinite", "duration: 2e-3", "duration: inf", "E0305 | case.ron:45:15: | duration = inf | finite"),
    ("1e12 steps", "step: 1e-4", "step: 2e-15", "E0313 | case.ron:44:11: | duration/step = 1.000e12 steps | 1e9"),
    (
        "tolerance 0",
        "tolerance: 1e-10",
        "tolerance: 0.0",
        "E0321 | case.ron:46:29: solver.tolerance: tolerance = 0 | between 0 and 1",
    ),
    (
        "tolerance NaN",
        "tolerance: 1e-10",
        "tolerance: NaN",
        "E0321 | case.ron:46:29: | tolerance = NaN | between 0 and 1",
    ),
    ("no sweep", "max_iterations: 2000", "max_iterations: 0", "E0322 | case.ron:46: | max_iterations = 0 | at least 1"),
    ("endless halving", "max_iterations: 2000", HALVINGS, "E0323 | case.ron:46: | halvings = 4000000000 | at most 30"),
    ("a frame every 0 steps", "every: 5", "every: 0", "E0318 | case.ron:47:21: output.every: 0 steps | at least 1"),
    (
        "probe nowhere",
        "point: (0.3, 0.2)",
        "point: (NaN, 0.2)",
        "E0306 | case.ron:49: | probes[0].at.point: NaN | finite",
    ),
    (
        "negative error allowed",
        "tolerance: 0.1",
        "tolerance: -0.1",
        "E0305 | case.ron:54: | tolerance = -0.1 must be positive",
    ),
    (
        "NaN expected",
        "expected: 1.0",
        "expected: NaN",
        "E0306 | case.ron:54:82: verify.checks[0].expected: NaN | finite",
    ),
    (
        "column",
        "\"base.vx\"",
        "\"base.vz\"",
        "E0335 | case.ron:54: | no column of history.csv | `base.vz` | did you mean `base.vx`?",
    ),
    ("measure", MEASURE, "Last(column: \"base.vx\")", "E0122 | case.ron:54: | no measure `Last` | `Final` | `MaxAbs`"),
];

const TRACTION: &str = "Traction(body: \"block\", group: \"top\", traction: (0.0, -1000.0)";
const PRESSURE: &str = "Pressure(body: \"block\", group: \"top\", pressure: inf";
const RING: &str = "Annulus(centre: (0.0, 0.0), inner_radius: 2.0, outer_radius: 1.0, cells: (2, 12))";
const DISK: &str = "Disk(centre: (0.0, 0.0), radius: 0.0, core: (2, 2), rings: 2)";
const HALVINGS: &str = "on_failure: CutStep(halvings: 4000000000)";

#[test]
fn values_without_meaning() {
    check_rows(ROWS, INPUT);
}
