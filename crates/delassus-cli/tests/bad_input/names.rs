//! Names that lead nowhere, or cannot be names.

use super::{INPUT, MESH, Row, check_rows};

const CANDIDATES: &str = "candidates: (body: \"block\", group: \"bottom\")";
const TOP: &str = "Surface(body: \"plank\", group: \"top\")";
const LOAD: &str = "Traction(body: \"block\", group: \"top\"";
const SUPPORT: &str = "(body: \"plank\", group: \"bottom\", x";
const BASE: &str = "Group(body: \"block\", group: \"bottom\")";
const REGION: &str = "regions: [(group: \"bdy\", material: \"steel\")],";
const LINE: &str = "regions: [(group: \"top\", material: \"steel\")],";
const SOLUTION: &str = "verify: (\n        solution: BarsImpact(young: -1.0, density: 1.0, length: 1.0, area: 1.0, \
                        speed: 1.0, pair: \"slid\"),";

pub const INPUT_ROWS: &[Row] = &[
    (
        "material",
        "\"steel\",\n        )",
        "\"stel\",\n        )",
        "E0335 | case.ron:21:23: | `stel` | `rubber`, `steel` | did you mean `steel`?",
    ),
    (
        "body of candidates",
        CANDIDATES,
        "candidates: (body: \"blok\", group: \"bottom\")",
        "E0335 | case.ron:30:32: | `blok` | did you mean `block`?",
    ),
    (
        "body of antagonists",
        TOP,
        "Surface(body: \"plnk\", group: \"top\")",
        "E0335 | case.ron:31:40: | `plnk` | did you mean `plank`?",
    ),
    (
        "body of a probe",
        "Point(body: \"block\"",
        "Point(body: \"blck\"",
        "E0335 | case.ron:49:39: | `blck` | `block`, `plank`",
    ),
    (
        "body of a load",
        LOAD,
        "Traction(body: \"brick\", group: \"top\"",
        "E0335 | case.ron:38:24: | `brick` | `block`, `plank`",
    ),
    (
        "body of gravity",
        "[\"block\"]",
        "[\"blocks\"]",
        "E0335 | case.ron:37:54: loads[0].bodies[0]: | `blocks` | did you mean `block`?",
    ),
    (
        "body of a support",
        SUPPORT,
        "(body: \"planck\", group: \"bottom\", x",
        "E0335 | case.ron:41:16: | `planck` | did you mean `plank`?",
    ),
    (
        "group of antagonists",
        TOP,
        "Surface(body: \"plank\", group: \"topp\")",
        "E0421 | case.ron:31:56: | `topp` | `bottom` | 5 cells | did you mean `top`?",
    ),
    (
        "group of candidates",
        CANDIDATES,
        "candidates: (body: \"block\", group: \"botom\")",
        "E0421 | case.ron:30:48: | `botom` | did you mean `bottom`?",
    ),
    (
        "group of a load",
        LOAD,
        "Traction(body: \"block\", group: \"roof\"",
        "E0421 | case.ron:38:40: | `roof` | groups present: | `top` | `left`",
    ),
    (
        "group of a support",
        SUPPORT,
        "(body: \"plank\", group: \"botom\", x",
        "E0421 | case.ron:41:32: | `botom` | did you mean `bottom`?",
    ),
    (
        "group of a probe",
        BASE,
        "Group(body: \"block\", group: \"base\")",
        "E0421 | case.ron:50:56: | `base` | groups present: | `bottom`",
    ),
    (
        "group of a region",
        "material: \"steel\",\n",
        REGION,
        "E0421 | case.ron:18: | `plank` | `bdy` | did you mean `body`?",
    ),
    (
        "region of lines",
        "material: \"steel\",\n",
        LINE,
        "E0605 | case.ron:18: | `plank` | group `top` has cells of dimension 1 | dimension 2",
    ),
    (
        "obstacle",
        "Obstacle(\"wall\")",
        "Obstacle(\"wal\")",
        "E0335 | case.ron:34:82: | no obstacle is named `wal` | did you mean `wall`?",
    ),
    (
        "exact solution",
        "verify: (",
        SOLUTION,
        "E0335 | E0351 | young = -1 must be positive | `slid.force_x` | did you mean `slide.force_x`? | 2 problems",
    ),
    (
        "two bodies of one name",
        "name: \"plank\"",
        "name: \"block\"",
        "E0333 | E0335 | case.ron:19:19: | `block` is already used by bodies[0]",
    ),
    (
        "two probes of one name",
        "name: \"base\"",
        "name: \"tip\"",
        "E0333 | E0335 | case.ron:50:16: | `tip` is already used by probes[0]",
    ),
    (
        "two pairs of one name",
        "name: \"stop\"",
        "name: \"slide\"",
        "E0333 | case.ron:34:16: | `slide` is already used by contacts[0]",
    ),
    (
        "two materials of one name",
        "(name: \"steel\"",
        "(name: \"rubber\"",
        "E0333 | E0335 | case.ron:7:16: | `rubber` is already used by materials[0]",
    ),
    (
        "empty name",
        "name: \"wall\"",
        "name: \" \"",
        "E0331 | E0335 | case.ron:25:16: obstacles[0].name: a name must not be empty",
    ),
    ("comma in a name", "name: \"tip\"", "name: \"tip,x\"", "E0332 | case.ron:49:16: | `tip,x` | letters, digits"),
];

pub const MESH_ROWS: &[Row] = &[
    (
        "antagonists that are points",
        TOP,
        "Surface(body: \"plank\", group: \"top_left\")",
        "E0424 | case.ron:31:56: | group of points has no facets: `top_left` | dimension 1 or 2",
    ),
    (
        "traction on points",
        LOAD,
        "Traction(body: \"block\", group: \"top_left\"",
        "E0424 | case.ron:38:40: loads[1].group: | group of points has no facets: `top_left`",
    ),
];

#[test]
fn names_that_lead_nowhere() {
    check_rows(INPUT_ROWS, INPUT);
}

#[test]
fn groups_of_the_wrong_kind() {
    check_rows(MESH_ROWS, MESH);
}
