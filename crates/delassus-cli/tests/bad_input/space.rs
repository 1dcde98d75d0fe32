//! Mistakes of cases in space: obstacles, candidate points, axes; and what a plane case may not have of these.

use super::{BLOCK, INPUT, MESH, Row, Scene, check_refused, edited};

/// A block on a floor, with a roof from a mesh above it.
const SPACE: &str = r#"(
    title: "space", kinematics: SmallStrain,
    dimension: 3,
    materials: [(name: "m", density: 1000.0, law: KelvinVoigt(young: 1e7, poisson: 0.3))],
    bodies: [
        (name: "block", mesh: Box(corner: (0, 0, 0), size: (1, 1, 1), cells: (1, 1, 1)), material: "m", rotation: 0.0, spin: 0.0),
        (name: "stone", mesh: File("h20.msh"), material: "m", translation: (5, 0, 0)),
    ],
    obstacles: [
        (name: "it", shape: HalfSpace(point: (0, 0, 0), normal: (0, 1, 0)), spin: 0.0),
        (name: "roof", shape: Mesh(file: "tent.msh", group: "roof", solid: Behind)),
    ],
    contacts: [
        (name: "a", candidates: (body: "block", group: "bottom"), antagonists: Obstacle("it"), law: Frictionless, points: OnFacets(2)),
        (name: "b", candidates: (body: "stone", group: "bottom"), antagonists: Surface(body: "block", group: "top"), law: Frictionless, points: Quadrature),
        (name: "c", candidates: (body: "block", group: "top"), antagonists: Obstacle("roof"), law: Frictionless, normals: Continuous),
    ],
    integrator: Theta(theta: 0.6),
    step: 1e-4,
    duration: 1e-3,
)"#;

/// Two facets far above, looking down.
const TENT: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n1 5 \"edge\"\n2 7 \"roof\"\n3 8 \"void\"\n$EndPhysicalNames\n\
    $Nodes\n5\n2 0 9 0\n3 1 9 0\n4 1 9 1\n5 0 9 1\n7 2 9 0\n$EndNodes\n\
    $Elements\n3\n1 3 2 7 1 2 3 4 5\n2 2 2 7 1 3 7 4\n3 1 2 5 1 2 3\n$EndElements\n";

const STONE: &[u8] = include_bytes!("../../../delassus-mesh/tests/data/block_h20.v22a.msh");
const FLOOR: &str = "HalfSpace(point: (0, 0, 0), normal: (0, 1, 0))";
const ROOF: &str = "Mesh(file: \"tent.msh\", group: \"roof\", solid: Behind)";

fn scene(tent: &str, edits: &[(&str, &str)]) -> Scene {
    let scene = Scene::new(&edited(SPACE, edits));
    std::fs::write(scene.path("tent.msh"), tent).unwrap();
    std::fs::write(scene.path("h20.msh"), STONE).unwrap();
    scene
}

pub const INPUT_ROWS: &[Row] = &[
    ("segment in space", FLOOR, "Segment(a: (0, 0, 0), b: (1, 0, 0))", "E0524 | obstacles[0].shape | segment | 3"),
    ("polygon in space", FLOOR, "Polygon(points: [(0, 0, 0), (1, 0, 0), (0, 1, 0)])", "E0524 | obstacles[0].shape | 3"),
    ("flat point", FLOOR, "HalfSpace(point: (0, 0), normal: (0, 1, 0))", "E0308 | shape.point | 2 components where 3"),
    ("sphere without size", FLOOR, "Sphere(centre: (0, -1, 0), radius: 0)", "E0532 | obstacles[0].shape | radius"),
    ("cavity of no size", FLOOR, "Cavity(centre: (0, 0, 0), radius: NaN)", "E0532 | obstacles[0].shape | NaN"),
    (
        "box of no height",
        FLOOR,
        "Box(centre: (0, -1, 0), size: (1, 0, 1))",
        "E0305 | shape.size | size[1] = 0 must be positive",
    ),
    (
        "box without axis",
        FLOOR,
        "Box(centre: (0, -1, 0), size: (1, 1, 1), rotation: 5, rotation_axis: (0, 0, 0))",
        "E0312 | shape.rotation_axis | the axis (0, 0, 0) has no direction",
    ),
    (
        "box turned by nothing",
        FLOOR,
        "Box(centre: (0, -1, 0), size: (1, 1, 1), rotation: inf)",
        "E0306 | shape.rotation | inf is not a finite number of degrees",
    ),
    ("box without size", FLOOR, "Box(centre: (0, -1, 0))", "E0123 | the field `size` of `Box` is missing"),
    (
        "cylinder without axis",
        FLOOR,
        "Cylinder(centre: (0, -1, 0), axis: (0, 0, 0), radius: 1, length: 1)",
        "E0526 | obstacles[0].shape | [0.0, 0.0, 0.0]",
    ),
    (
        "cylinder of no length",
        FLOOR,
        "Cylinder(centre: (0, -1, 0), axis: (0, 0, 1), radius: 1, length: -2)",
        "E0305 | shape.length | length = -2 must be positive",
    ),
    (
        "cylinder of no radius",
        FLOOR,
        "Cylinder(centre: (0, -1, 0), axis: (0, 0, 1), radius: -1, length: 2)",
        "E0532 | obstacles[0].shape | -1",
    ),
    ("bore without axis", FLOOR, "Bore(point: (0, 0, 0), axis: (0, 0, NaN), radius: 9)", "E0306 | shape.axis | NaN"),
    (
        "bore of no radius",
        FLOOR,
        "Bore(point: (0, 0, 0), axis: (0, 0, 1), radius: 0)",
        "E0532 | obstacles[0].shape | radius",
    ),
    (
        "mesh that is not there",
        "tent.msh",
        "none.msh",
        "E0401 | shape.file | cannot read the mesh `none.msh` | relative to the case",
    ),
    ("side that is none", "solid: Behind", "solid: Above", "E0122 | no side `Above` | `Behind` | `Inside`"),
    (
        "spin about nothing",
        "spin: 0.0),\n        (name: \"roof\"",
        "spin: 1.0, spin_axis: (0, 0)),\n        (name: \"roof\"",
        "E0308 | obstacles[0].spin_axis | 2 components where 3",
    ),
    (
        "turned about nothing",
        "rotation: 0.0",
        "rotation: 9.0, rotation_axis: (0, 0, 0)",
        "E0312 | bodies[0].rotation_axis | no direction",
    ),
    (
        "spun about infinity",
        "rotation: 0.0, spin: 0.0",
        "spin: 1.0, spin_axis: (inf, 0, 0)",
        "E0306 | bodies[0].spin_axis | inf is not",
    ),
    ("no point on a facet", "OnFacets(2)", "OnFacets(0)", "E0317 | contacts[0].points | OnFacets(0) | from 1 to 64"),
    ("too many points", "OnFacets(2)", "OnFacets(1000)", "E0317 | contacts[0].points | OnFacets(1000) | from 1 to 64"),
    (
        "points of no kind",
        "OnFacets(2)",
        "Corners",
        "E0122 | no kind of candidate points `Corners` | `Nodes` | `OnFacets`",
    ),
    ("normals of no kind", "Continuous", "Smooth", "E0122 | no kind of normals `Smooth` | `Facet` | `Continuous`"),
    (
        "quarter ball with a wide patch",
        "Box(corner: (0, 0, 0), size: (1, 1, 1), cells: (1, 1, 1))",
        "QuarterBall(centre: (0, 0, 0), radius: 1, patch: 0.8, cells: 2, layers: 2)",
        "E0443 | bodies[0].mesh | patch = 0.8 | at most half the radius",
    ),
    (
        "quarter ball in the plane",
        "Box(corner: (0, 0, 0), size: (1, 1, 1), cells: (1, 1, 1))",
        "QuarterBall(centre: (0, 0), radius: 1, patch: 0.1, cells: 2, layers: 2)",
        "E0308 | bodies[0].mesh.centre | centre has 2 components, must have 3",
    ),
];

pub const MESH_ROWS: &[Row] = &[
    (
        "group that is not there",
        "\"roof\", solid",
        "\"rof\", solid",
        "E0421 | shape.group | tent.msh | no group `rof` | did you mean `roof`?",
    ),
    (
        "group of lines",
        "\"roof\", solid",
        "\"edge\", solid",
        "E0425 | shape.group | `edge` is 1-dimensional | dimension 2",
    ),
    ("group without cells", "\"roof\", solid", "\"void\", solid", "E0423 | shape.group | `void` | no cells"),
    (
        "open surface as a solid",
        ROOF,
        "Mesh(file: \"tent.msh\", group: \"roof\", solid: Inside)",
        "E0530 | shape.solid | tent.msh | `roof`",
    ),
    (
        "nodes of quadratic facets",
        "points: Quadrature",
        "points: Nodes",
        "E0552 | contacts[1].candidates.group | `bottom` of `stone` | quadratic elements | `points: Quadrature`",
    ),
    (
        "pieces of quadratic facets",
        "points: Quadrature",
        "points: OnFacets(2)",
        "E0552 | contacts[1].candidates.group | `bottom` of `stone` | quadratic elements | `points: Quadrature`",
    ),
    (
        "quadratic antagonists",
        "antagonists: Surface(body: \"block\", group: \"top\")",
        "antagonists: Surface(body: \"stone\", group: \"top\")",
        "E0553 | contacts[1].antagonists.group | quadratic elements | only be candidates",
    ),
    (
        "points on a corner",
        "(body: \"block\", group: \"bottom\")",
        "(body: \"block\", group: \"bottom_left_front\")",
        "E0554 | contacts[0].candidates.group | `bottom_left_front` of `block` has no facets to put points on",
    ),
];

/// The base case is good: what the rows find is what they changed.
#[test]
fn the_case_in_space_is_good() {
    let scene = scene(TENT, &[]);
    let done = scene.delassus(&["run", "case.ron", "--out", "out"]);
    assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{done:?}");
}

#[test]
fn mistakes_in_space() {
    for (rows, code) in [(INPUT_ROWS, INPUT), (MESH_ROWS, MESH)] {
        for (name, from, to, says) in rows {
            check_refused(name, &scene(TENT, &[(from, to)]), code, says);
        }
    }
}

/// Facets that do not make a surface: turned against each other, or flat.
#[test]
fn surfaces_that_are_none() {
    for (name, from, to, says) in [
        ("facets turned against each other", "1 3 7 4\n", "1 4 7 3\n", "E0517 | obstacles[1].shape.solid | tent.msh"),
        ("a facet without area", "7 2 9 0", "7 1 9 2", "E0529 | obstacles[1].shape.solid | tent.msh"),
        (
            "a curved facet",
            "2 2 2 7 1 3 7 4",
            "2 9 2 7 1 3 7 4 2 5 3",
            "E0409 | obstacles[1].shape.group | 6-node triangle | ElementOrder",
        ),
    ] {
        check_refused(name, &scene(&edited(TENT, &[(from, to)]), &[]), MESH, says);
    }
}

/// Surfaces of files in other formats: what is wrong is told of the file, or of its group.
#[test]
fn surfaces_of_other_programs() {
    let stl = "solid tent\nfacet normal 0 0 1\nouter loop\nvertex 0 9 0\nvertex 1 9 0\nvertex 1 9 1\nendloop\nendfacet\nendsolid\n";
    let file = "case.ron:11:42: obstacles[1].shape.file:";
    for (name, text, to, says) in [
        (
            "no such solid",
            stl,
            "tent.stl\", group: \"roof",
            "E0421 | obstacles[1].shape.group: | no group `roof` | `tent` (number 1",
        ),
        ("STL cut off", &stl[..40], "tent.stl\", group: \"roof", &format!("E0405 | {file} | STL: line 3: expected")),
        ("no STL", "hello", "tent.stl\", group: \"roof", &format!("E0451 | {file} | not an STL file")),
        (
            "polygon",
            "v 0 0 0\nf 1 1 1 1 1\n",
            "tent.obj\", group: \"roof",
            &format!("E0446 | {file} | line 2: a facet with 5 corners"),
        ),
        (
            "no mesh",
            "nothing\n",
            "tent.msh\", group: \"roof",
            "E0403 | obstacles[1].shape.file: | not a gmsh mesh file",
        ),
        (
            "PLY",
            "ply\n",
            "tent.ply\", group: \"roof",
            &format!("E0373 | {file} | a file of triangles, which is not read | meshio convert"),
        ),
    ] {
        let edits = [("tent.msh\", group: \"roof", to)];
        let scene = scene(text, &edits);
        for ending in ["stl", "obj", "ply"] {
            std::fs::write(scene.path(&format!("tent.{ending}")), text).unwrap();
        }
        check_refused(name, &scene, MESH, says);
    }
}

/// In the plane nothing turns about an axis of its own, and shapes of space are refused.
#[test]
fn space_in_the_plane() {
    let wall = "HalfPlane(point: (0.4, 0.0), normal: (-1.0, 0.0))";
    for (name, from, to, says) in [
        (
            "axis of a rotation",
            "velocity: (1.0, 0.0)",
            "rotation_axis: (0, 0, 1)",
            "E0311 | bodies[0].rotation_axis | all rotations are about z",
        ),
        (
            "axis of a spin",
            "velocity: (1.0, 0.0)",
            "spin_axis: (0, 0, 1)",
            "E0311 | bodies[0].spin_axis | all rotations are about z",
        ),
        (
            "cylinder",
            wall,
            "Cylinder(centre: (9, 0), axis: (0, 1), radius: 1, length: 1)",
            "E0525 | obstacles[0].shape | cylinder | 2",
        ),
        ("bore", wall, "Bore(point: (0, 0), axis: (0, 1), radius: 9)", "E0525 | obstacles[0].shape | bore | 2"),
        (
            "mesh",
            wall,
            "Mesh(file: \"a.msh\", group: \"g\", solid: Inside)",
            "E0309 | obstacles[0].shape | in space | `Polygon`",
        ),
        ("flat box", wall, "Box(centre: (9, 0), size: (1, -1))", "E0305 | obstacles[0].shape.size | size[1] = -1"),
    ] {
        check_refused(name, &Scene::new(&edited(BLOCK, &[(from, to)])), INPUT, says);
    }
}
