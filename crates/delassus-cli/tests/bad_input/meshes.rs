//! Mesh files: missing, cut short, of a kind that is not read, or with bad cells.

use super::{BLOCK, FILES, INPUT, MESH, Row, Scene, check_refused, edited};

/// Two quadrilaterals with the groups the case asks for, and `middle`, the edge between them.
const TWO_CELLS: &str = include_str!("../data/two-cells.msh");
const GENERATED: &str = "Rectangle(corner: (0.1, 0.1), size: (0.2, 0.1), cells: (4, 2))";
const FROM_FILE: (&str, &str) = (GENERATED, "File(\"block.msh\")");

const FIRST: &str = "9 3 2 7 1 1 2 5 4";
const SECOND: &str = "10 3 2 7 1 2 3 6 5";
const SEVENTH: &str = "$Nodes\n6\n";

/// Changes of `two-cells.msh`; the place in the case is the same in all.
pub const ROWS: &[Row] = &[
    (
        "cut in the nodes",
        "\n4 0.1 0.2 0\n5 0.2 0.2 0\n6 0.3 0.2 0\n",
        "\n4 0.1",
        "E0405 | $Nodes: line 19: node 4 of 6",
    ),
    (
        "cut in the elements",
        "10 3 2 7 1 2 3 6 5\n$EndElements\n",
        "10 3 2 7 1 2",
        "E0405 | $Elements: line 34: | 4 node tags | the end of the file",
    ),
    (
        "cut before the end",
        "$EndElements\n",
        "",
        "E0405 | $Elements: line 35: expected $EndElements | the end of the file",
    ),
    ("no elements", "$Elements\n", "$Else\n", "E0405 | $Else | line"),
    ("hostile count of nodes", SEVENTH, "$Nodes\n99999999999999\n", "E0405 | node 7 of 99999999999999 | `$EndNodes`"),
    (
        "hostile count of elements",
        "$Elements\n10\n",
        "$Elements\n99999999999999\n",
        "E0405 | element 11 of 99999999999999",
    ),
    ("coordinate NaN", "6 0.3 0.2 0", "6 nan 0.2 0", "E0405 | $Nodes: line 21: | a finite coordinate, found `NaN`"),
    ("word for a number", "6 0.3 0.2 0", "6 x 0.2 0", "E0405 | $Nodes: line 21: | `x`"),
    ("node given twice", "6 0.3 0.2 0", "5 0.3 0.2 0", "E0407 | node 5 is given twice"),
    (
        "node that is not there",
        SECOND,
        "10 3 2 7 1 2 3 6 55",
        "E0408 | element 10 uses node 55, which the file does not define",
    ),
    ("folded cell", FIRST, "9 3 2 7 1 1 5 2 4", "E0441 | element 9 of the file | folded | Jacobian | must be positive"),
    ("flat cell", "5 0.2 0.2 0", "5 0.2 0.1 0", "E0441 | element 9 of the file | degenerate | Jacobian 0e0"),
    ("three nodes in a line", "6 0.3 0.2 0", "6 0.2 0.2 0", "E0441 | element 10 of the file | must be positive"),
    ("not plane", "6 0.3 0.2 0", "6 0.3 0.2 1", "E0411 | not plane: node 6 has z = 1"),
    (
        "no cells, only lines",
        "9 3 2 7 1 1 2 5 4\n10 3 2 7 1 2 3 6 5\n",
        LINES,
        "E0412 | no cell of dimension 2 | physical group",
    ),
    ("cell given twice", SECOND, FIRST_AGAIN, "E0413 | (0.3, 0.1) | belongs to no cell of dimension 2 | `bottom`"),
    (
        "version 4.0",
        "2.2 0 8",
        "4.0 0 8",
        "E0404 | MSH version 4.0 is not supported, only 2.2 and 4.1 | Mesh.MshFileVersion",
    ),
];

const LINES: &str = "9 1 2 6 5 2 5\n10 1 2 6 5 2 5\n";
const FIRST_AGAIN: &str = "10 3 2 7 1 1 2 5 4";

fn scene(mesh: &[u8], edits: &[(&str, &str)]) -> Scene {
    let scene = Scene::new(&edited(&edited(BLOCK, &[FROM_FILE]), edits));
    std::fs::write(scene.path("block.msh"), mesh).unwrap();
    scene
}

fn check_mesh(name: &str, mesh: &[u8], says: &str) {
    let place = "case.ron:12:19: bodies[0].mesh: mesh `block.msh`: | ";
    check_refused(name, &scene(mesh, &[]), MESH, &format!("{place}{says}"));
}

/// The unchanged mesh is good: what the rows find is what they changed.
#[test]
fn the_base_mesh_is_good() {
    let done = scene(TWO_CELLS.as_bytes(), &[]).delassus(&["check", "case.ron"]);
    assert_eq!((done.code, done.stderr.as_str()), (0, ""));
    assert!(done.stdout.contains("body `block`: 6 nodes, 2 cells"), "{}", done.stdout);
}

#[test]
fn mistakes_in_a_mesh() {
    for (name, from, to, says) in ROWS {
        check_mesh(name, edited(TWO_CELLS, &[(*from, *to)]).as_bytes(), says);
    }
}

/// A node that only a point uses has no mass.
#[test]
fn a_node_without_mass() {
    let edits = [(SEVENTH, "$Nodes\n7\n"), ("$EndNodes", "7 0.5 0.5 0\n$EndNodes"), ("1 15 2 1 1 1", "1 15 2 1 1 7")];
    let mesh = edited(TWO_CELLS, &edits);
    check_mesh(
        "point off the body",
        mesh.as_bytes(),
        "E0413 | (0.5, 0.5) | belongs to no cell of dimension 2 | `corner`",
    );
}

/// What gmsh leaves over, nodes that nothing uses and cells that run clockwise, is put right instead of refused.
#[test]
fn harmless_oddities_are_put_right() {
    let check = |edits: &[(&str, &str)]| {
        let done = scene(edited(TWO_CELLS, edits).as_bytes(), &[]).delassus(&["check", "case.ron"]);
        assert_eq!(done.code, 0, "{}", done.stderr);
        assert!(done.stdout.contains("body `block`: 6 nodes, 2 cells, 12 dofs"), "{}", done.stdout);
        assert!(done.stdout.contains("mass 1.0000e1 kg"), "{}", done.stdout);
    };
    check(&[(SEVENTH, "$Nodes\n7\n"), ("$EndNodes", "7 0.5 0.5 0\n$EndNodes")]);
    check(&[(FIRST, "9 3 2 7 1 1 4 5 2")]);
}

#[test]
fn files_that_are_no_meshes() {
    let junk: Vec<u8> = (0..4096_u32).map(|i| (i * 37 + 11) as u8).collect();
    check_mesh("junk", &junk, "E0403 | not a gmsh mesh file | `$MeshFormat`");
    check_mesh("empty", b"", "E0403 | not a gmsh mesh file | it is empty");
    check_mesh("a case", BLOCK.as_bytes(), "E0403 | not a gmsh mesh file | `$MeshFormat`");
}

/// The same two cells as an input file of Abaqus and as a grid of VTK are the same body; damaged, they are refused like gmsh's.
#[test]
fn meshes_of_other_programs() {
    let inp = "*NODE\n1, 0.1, 0.1\n2, 0.2, 0.1\n3, 0.3, 0.1\n4, 0.1, 0.2\n5, 0.2, 0.2\n6, 0.3, 0.2\n*ELEMENT, TYPE=CPE4R, ELSET=cells\n\
        9, 1, 2, 5, 4\n10, 2, 3, 6, 5\n*NSET, NSET=bottom_left\n1\n*SURFACE, NAME=bottom\ncells, S1\n*SURFACE, NAME=top\n9, S3\n10, S3\n\
        *SURFACE, NAME=left\n9, S4\n*SURFACE, NAME=right\n10, S2\n";
    let vtu = "<VTKFile type=\"UnstructuredGrid\"><Piece><Points><DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">\
        .1 .1 0 .2 .1 0 .3 .1 0 .1 .2 0 .2 .2 0 .3 .2 0</DataArray></Points><Cells><DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">\
        0 1 4 3 1 2 5 4</DataArray><DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">4 8</DataArray>\
        <DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">9 9</DataArray></Cells></Piece></VTKFile>";
    let faces = "File(\"block.vtu\"), faces: [(name: \"bottom\", all_of: [Plane(point: (0, 0.1), normal: (0, -1))]), \
        (name: \"top\", all_of: [Normal(direction: (0, 1))]), (name: \"left\", all_of: [Box(from: (0.1, 0), to: (0.1, 1))]), \
        (name: \"right\", all_of: [Normal(direction: (1, 0), within: 1), Box(from: (0, 0), to: (1, 1))])]";
    let told = |text: &str, ending: &str, mesh: &str| {
        let scene = Scene::new(&edited(BLOCK, &[(GENERATED, mesh)]));
        std::fs::write(scene.path(&format!("block.{ending}")), text).unwrap();
        scene
    };
    let from_inp = "File(\"block.inp\")";
    let expected = scene(TWO_CELLS.as_bytes(), &[]).delassus(&["check", "case.ron"]);
    assert_eq!(expected.code, 0, "{}", expected.stderr);
    for scene in [told(inp, "inp", from_inp), told(vtu, "vtu", faces)] {
        let done = scene.delassus(&["check", "case.ron"]);
        // The sample has one group more, which takes memory.
        let lines =
            |text: &str| text.lines().filter(|line| !line.contains("memory:")).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!((done.code, done.stderr.as_str(), lines(&done.stdout)), (0, "", lines(&expected.stdout)));
    }
    let place = "case.ron:12:19: bodies[0].mesh: mesh `block.inp`: |";
    for (name, from, to, says) in [
        ("node that is not there", "2, 5, 4", "2, 5, 7", "E0408 | element 9 uses node 7"),
        ("no such set", "cells, S1", "cell, S1", "E0430 | line 13: no element set `cell`"),
        (
            "no such face",
            "10, S2",
            "10, S5",
            "E0439 | line 20: element 10 (Quad4) has no face S5: its faces are S1 to S4",
        ),
        ("another file", "*NODE", "*INCLUDE, INPUT=mesh.inp", "E0444 | *INCLUDE, INPUT=mesh.inp"),
        ("axisymmetric", "CPE4R", "CAX4R", "E0409 | element type CAX4R is not supported"),
        ("no mesh", "*NODE", "NODE", "E0450 | not an Abaqus"),
    ] {
        check_refused(name, &told(&edited(inp, &[(from, to)]), "inp", from_inp), MESH, &format!("{place} {says}"));
    }
    let other = told(&edited(vtu, &[("4 8", "4 9")]), "vtu", faces);
    check_refused(
        "grid",
        &other,
        MESH,
        "E0447 | bodies[0].mesh: mesh `block.vtu`: VTK grid: cell 1: its nodes end at 9",
    );
    for (name, from, to, says) in [
        (
            "wrong side",
            "normal: (0, -1)",
            "normal: (0, 1)",
            "E0449 | bodies[0].faces[0]: faces `bottom`: no facet | from (0.1, 0.1) to (0.3, 0.2)",
        ),
        ("no direction", "direction: (0, 1)", "direction: (0, 0)", "E0443 | bodies[0].faces[1]: faces: direction"),
        (
            "name twice",
            "name: \"top\"",
            "name: \"bottom\"",
            "E0437 | bodies[0].faces[1]: group `bottom` exists already",
        ),
    ] {
        check_refused(name, &told(vtu, "vtu", &edited(faces, &[(from, to)])), MESH, says);
    }
    let short = told(vtu, "vtu", &edited(faces, &[("direction: (0, 1)", "direction: (0, 1, 0)")]));
    check_refused(
        "components",
        &short,
        INPUT,
        "E0308 | bodies[0].faces[1].all_of[0].direction | 3 components, must have 2",
    );
}

/// Files that gmsh wrote: of order 2, three-dimensional, of old versions.
#[test]
fn meshes_of_another_kind() {
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../delassus-mesh/tests/data/");
    let check = |file: &str, says: &str| check_mesh(file, &std::fs::read(format!("{data}{file}")).unwrap(), says);
    check(
        "plate_q9.v22a.msh",
        "E0409 | 4 × 9-node quadrangle (gmsh type 10) | not supported | Mesh.SecondOrderIncomplete = 1",
    );
    check(
        "plate_q9.v41b.msh",
        "E0409 | 4 × 9-node quadrangle (gmsh type 10) | not supported | Mesh.SecondOrderIncomplete = 1",
    );
    check("block_te4.v22a.msh", "E0410 | the mesh is 3D | 4-node tetrahedron | the body is 2D");
    check("sheet.v40.msh", "E0404 | MSH version 4 is not supported");
    check("sheet.v10.msh", "E0404 | MSH version 1.0 is not supported");
}

/// Nothing that is cut from the end of a mesh makes the program fall over.
#[test]
fn meshes_cut_anywhere() {
    let whole = TWO_CELLS.trim_end().len();
    for length in (0..whole).step_by(7) {
        let scene = scene(&TWO_CELLS.as_bytes()[..length], &[]);
        let done = scene.delassus(&["check", "case.ron"]);
        assert_eq!(done.code, MESH, "{length} bytes: {}", done.stderr);
        assert!(done.stderr.contains("mesh `block.msh`: "), "{length} bytes: {}", done.stderr);
    }
}

#[test]
fn groups_inside_a_body_and_without_cells() {
    let mesh = TWO_CELLS.as_bytes();
    let contact = [("group: \"bottom\"),\n            ant", "group: \"middle\"),\n            ant")];
    let says = "E0427 | case.ron:30:48: | group `middle` | is inside the body, between cells [0, 1] | on the boundary";
    check_refused("contact inside", &scene(mesh, &contact), MESH, says);
    let load = [("Traction(body: \"block\", group: \"top\"", "Traction(body: \"block\", group: \"middle\"")];
    check_refused(
        "load inside",
        &scene(mesh, &load),
        MESH,
        "E0427 | case.ron:38:40: loads[1].group: | is inside the body",
    );
    let unmeshed = edited(TWO_CELLS, &[("1 2 4 3 6 5\n6 1 2 4 3 5 4", "1 2 3 3 6 5\n6 1 2 3 3 5 4")]);
    check_refused(
        "empty group",
        &scene(unmeshed.as_bytes(), &[]),
        INPUT,
        "E0423 | case.ron:38:40: | group `top` | has no cells",
    );
    let twice = edited(TWO_CELLS, &[("1 3 \"right\"", "1 3 \"top\"")]);
    let right = [("group: \"right\"", "group: \"left\"")];
    let says = "E0422 | case.ron:38:40: | group `top` is ambiguous | number 3 | number 4 | different names";
    check_refused("ambiguous", &scene(twice.as_bytes(), &right), INPUT, says);
}

#[test]
fn files_that_cannot_be_read() {
    let missing = Scene::new(&edited(BLOCK, &[FROM_FILE]));
    let says = "E0401 | case.ron:12:19: bodies[0].mesh: | `block.msh` | relative to the case file";
    check_refused("missing", &missing, INPUT, says);
    let folder = Scene::new(&edited(BLOCK, &[FROM_FILE]));
    std::fs::create_dir(folder.path("block.msh")).unwrap();
    check_refused(
        "a folder",
        &folder,
        FILES,
        "E0922 | case.ron:12:19: bodies[0].mesh: | cannot read the mesh `block.msh`: it is a folder",
    );
}
