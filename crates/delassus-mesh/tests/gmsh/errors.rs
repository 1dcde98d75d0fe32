//! What the reader says of bad files: section, place, what was expected, what was found.

use delassus_mesh::MeshError;
use delassus_mesh::gmsh;

use crate::{FORMS, all_samples, bytes};

const HEADER: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n";
const SQUARE: &str = "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n";

fn error(file: &str) -> MeshError {
    match gmsh::read(file.as_bytes()).and_then(|file| file.to_mesh::<2>()) {
        Ok(_) => panic!("accepted: {file}"),
        Err(error) => error,
    }
}

fn check(file: &str, message: &str) {
    assert_eq!(error(file).to_string(), message, "\n{file}");
}

fn square(elements: &str) -> String {
    format!("{HEADER}{SQUARE}{elements}")
}

#[test]
fn not_a_mesh() {
    check("", "not a gmsh mesh file: it must begin with `$MeshFormat`, and it is empty");
    check("solid cube\n", "not a gmsh mesh file: it must begin with `$MeshFormat`");
    check(SQUARE, "not a gmsh mesh file: it must begin with `$MeshFormat`");
    let long = "x".repeat(1000);
    assert!(error(&long).to_string().len() < 150);
    assert!(matches!(gmsh::read(&[0xff, 0xfe, 0, 1, 2]), Err(MeshError::NotGmsh { .. })));
}

#[test]
fn headers() {
    let end = "\n$EndMeshFormat\n";
    check(
        &format!("$MeshFormat\n2.1 0 8{end}"),
        "MSH version 2.1 is not supported, only 2.2 and 4.1; \
         open the file in gmsh and save it with Mesh.MshFileVersion = 4.1",
    );
    check(
        &format!("$MeshFormat\n2.2 7 8{end}"),
        "$MeshFormat: line 2: expected the file type 0 (text) or 1 (binary), found `7`",
    );
    check(&format!("$MeshFormat\n2.2 0 4{end}"), "$MeshFormat: line 2: expected the data size 8, found `4`");
    check(&format!("$MeshFormat\nnew 0 4{end}"), "$MeshFormat: line 2: expected the format version, found `new`");
    check(
        "$MeshFormat\n2.2 0 8\n",
        "$MeshFormat: line 3: expected $EndMeshFormat after the format line, found the end of the file",
    );
    check("$MeshFormat\n4.1 1 8\nab", "$MeshFormat: line 3: expected the integer 1 in binary, found `ab`");
    check(
        "$MeshFormat\n4.1 1 8\nabcd\n$EndMeshFormat",
        "$MeshFormat: line 3: expected the integer 1 in binary, found `bytes [97, 98, 99, 100]`",
    );
    check(&format!("{HEADER}{HEADER}"), "$MeshFormat: line 4: a second section of this name; a file has one");
    check(HEADER, "the file has no $Nodes section; is it complete?");
    check(&square(""), "the file has no $Elements section; is it complete?");
    check(&format!("{HEADER}12 13\n"), "between sections: line 4: expected a section, `$…`, found `12`");
    check(&format!("{HEADER}$Nodes 4\n"), "between sections: line 4: expected the end of the line, found `4`");
}

#[test]
fn names() {
    let names = |text: &str| format!("{HEADER}$PhysicalNames\n{text}$EndPhysicalNames\n");
    let at = "$PhysicalNames: line 6: physical name 1 of 1: expected";
    check(&names("1\n2 1 lid\n"), &format!("{at} a name in quotes, found `lid`"));
    check(&names("1\n2 1 \"lid\n"), &format!("{at} the closing quote of a name, found the end of the line"));
    check(&names("1\n4 1 \"lid\"\n"), &format!("{at} a dimension from 0 to 3, found `4`"));
    check(
        &names("1\n2 1 \"a\"\n2 2 \"b\"\n"),
        "$PhysicalNames: line 7: expected $EndPhysicalNames after the 1 names announced, found `2`",
    );
    check(&names("x\n"), "$PhysicalNames: line 5: expected the number of physical names, found `x`");
}

#[test]
fn nodes_of_version_2() {
    let nodes = |text: &str| format!("{HEADER}$Nodes\n{text}$EndNodes\n");
    check(&nodes("1\n1 0 abc 0\n"), "$Nodes: line 6: node 1 of 1: expected 3 coordinates, found `abc`");
    check(&nodes("1\n1 0 0\n"), "$Nodes: line 6: node 1 of 1: expected 3 coordinates, found the end of the line");
    check(&nodes("1\n1 0 0 0 0\n"), "$Nodes: line 6: node 1 of 1: expected the end of the line, found `0`");
    check(&nodes("1\n1 0 nan 0\n"), "$Nodes: line 6: node 1 of 1: expected a finite coordinate, found `NaN`");
    check(&nodes("1\n-1 0 0 0\n"), "$Nodes: line 6: node 1 of 1: expected a node tag, found `-1`");
    check(&nodes("2\n1 0 0 0\n"), "$Nodes: line 7: node 2 of 2: expected a node tag, found `$EndNodes`");
    check(&nodes("1\n1 0 0 0\n2 0 0 0\n"), "$Nodes: line 7: expected $EndNodes after the 1 nodes announced, found `2`");
    let twice = square("$Elements\n0\n$EndElements\n").replace("\n2 1 0 0\n", "\n1 1 0 0\n");
    check(&twice, "node 1 is given twice; the numbers of nodes must be unique");
    check(&format!("{HEADER}{SQUARE}{SQUARE}"), "$Nodes: line 11: a second section of this name; a file has one");
}

#[test]
fn elements_of_version_2() {
    let elements = |text: &str| square(&format!("$Elements\n{text}$EndElements\n"));
    let at = "$Elements: line 13: element 1 of 1: expected";
    check(
        &elements("1\n1 3 0 1 2 3\n"),
        &format!("{at} 4 node tags of a 4-node quadrangle (gmsh type 3), found the end of the line"),
    );
    check(&elements("1\n1 3 0 1 2 3 4 5\n"), &format!("{at} the end of the line, found `5`"));
    check(&elements("1\n1 34 0 1 2 3 4\n"), &format!("{at} a gmsh element type of fixed size, found `type 34`"));
    check(&elements("1\n1 3 -1 1 2 3 4\n"), &format!("{at} the number of tags, 0 or more, found `-1`"));
    check(&elements("1\n1 3 900000 1 2 3 4\n"), &format!("{at} a tag of the element, found the end of the line"));
    check(&elements("1\n1 3 0 1 2 3 7\n"), "element 1 uses node 7, which the file does not define");
    check(
        &elements("2\n1 3 0 1 2 3 4\n"),
        "$Elements: line 14: element 2 of 2: expected an element tag, found `$EndElements`",
    );
    check(
        &elements("0\n"),
        "the mesh has no cell of dimension 2; in gmsh, is the surface (2D) or volume (3D) meshed and in a physical group?",
    );
}

#[test]
fn meshes_that_are_no_bodies() {
    let elements = |text: &str| square(&format!("$Elements\n{text}$EndElements\n"));
    let text = error(&elements("1\n77 3 0 1 3 2 4\n")).to_string();
    assert!(text.contains("cell 0 (Quad4, element 77 of the file, centre (0.5, 0.5)) is folded"), "{text}");
    let text = error(&elements("1\n77 2 0 1 3 3\n")).to_string();
    assert!(text.contains("degenerate"), "{text}");
    let text = error(&elements("2\n1 2 0 1 2 3\n2 2 0 1 2 4\n")).to_string();
    assert!(text.contains("cells [0, 1] overlap"), "{text}");
    let text = error(&elements("2\n1 2 0 1 2 3\n2 15 1 8 4\n")).to_string();
    assert!(text.contains("cell 1 (Point) uses the point (0, 1), which belongs to no cell of dimension 2"), "{text}");
    let bent = elements("1\n1 3 0 1 2 3 4\n").replace("3 1 1 0\n", "3 1 1 0.1\n");
    check(&bent, "the mesh is not plane: node 3 has z = 0.1, other nodes have z = 0; a 2D mesh needs one value");
    // A body may lie in any plane z = constant.
    let lifted = elements("1\n1 3 0 1 2 3 4\n").replace(" 0\n2 ", " 5\n2 ").replace(" 0\n3 ", " 5\n3 ");
    let lifted = lifted.replace(" 0\n4 ", " 5\n4 ").replace("4 0 1 0\n", "4 0 1 5\n");
    gmsh::read(lifted.as_bytes()).unwrap().to_mesh::<2>().unwrap();
}

/// Changes the first `from` of a text sample and checks the message.
fn change(name: &str, from: &str, to: &str, message: &str) {
    let text = String::from_utf8(bytes(name)).unwrap();
    assert!(text.contains(from), "{name} has no {from:?}");
    check(&text.replacen(from, to, 1), message);
}

#[test]
fn version_4() {
    let q = "plate_q4.v41a.msh";
    change(q, "9 25 1 25", "9 24 1 25", "$Nodes: line 26: expected the number of nodes in the blocks (25), found `24`");
    change(
        q,
        "9 25 1 25",
        "10 25 1 25",
        "$Nodes: line 86: node block 10 of 10: expected the dimension of a node block, found `$EndNodes`",
    );
    change(
        q,
        "6 33 1 33",
        "6 34 1 33",
        "$Elements: line 88: expected the number of elements in the blocks (33), found `34`",
    );
    change(
        q,
        "\n0 2 0 1\n",
        "\n0 2 3 1\n",
        "$Nodes: line 30: node block 2 of 9: expected the parametric flag 0 or 1, found `3`",
    );
    change(
        q,
        "\n0 2 0 1\n",
        "\n5 2 0 1\n",
        "$Nodes: line 30: node block 2 of 9: expected the dimension of a node block, 0 to 3, found `5`",
    );
    change(
        q,
        "\n1 1 0\n",
        "\n1 1\n",
        "$Nodes: line 35: position of a node 1 of 1: expected 3 coordinates, found the end of the line",
    );
    change(
        q,
        "2 1 3 16",
        "1 1 3 16",
        "$Elements: line 111: element block 6 of 6: expected dimension 2 for a 4-node quadrangle (gmsh type 3), found `1`",
    );
    change(
        q,
        "4 4 1 0",
        "4 4 1 1",
        "$Entities: line 24: volume entity 1 of 1: expected an entity tag, found `$EndEntities`",
    );
    change(
        q,
        "1 0 0 0 1 100",
        "1 0 0 0 1000000000000000000 100",
        "$Entities: line 24: physical group number 79 of 1000000000000000000: \
         expected a physical group number, found `$EndEntities`",
    );
    change(
        q,
        "$EndNodes",
        "$EndKnots",
        "$Nodes: line 86: expected $EndNodes after the 25 nodes announced, found `$EndKnots`",
    );
    change(
        "periodic_t3.v41a.msh",
        "$EndPeriodic",
        "$End",
        "$Periodic: line 112: the section that begins here has no $EndPeriodic",
    );
}

#[test]
fn an_entity_in_absurdly_many_groups() {
    let groups: String = (1..=101).map(|i| format!("{i} ")).collect();
    let text = String::from_utf8(bytes("plate_q4.v41a.msh")).unwrap();
    let text = error(&text.replacen("1 0 0 0 1 100", &format!("1 0 0 0 101 {groups}"), 1)).to_string();
    assert!(text.contains("expected at most 100 physical groups of one entity, found `101`"), "{text}");
}

/// Errors in binary files give the byte.
#[test]
fn binary_places() {
    let mut file = bytes("plate_q4.v41b.msh");
    file.truncate(900);
    let text = gmsh::read(&file).unwrap_err().to_string();
    assert!(text.contains("$Nodes: byte "), "{text}");
    assert!(text.contains("expected"), "{text}");
    let mut file = bytes("plate_q4.v22b.msh");
    // "$Elements\n33\n", then the type of the first run.
    let at = file.windows(10).position(|w| w == b"$Elements\n").unwrap() + 13;
    file[at] = 34;
    let text = gmsh::read(&file).unwrap_err().to_string();
    let place = format!("$Elements: byte {at}: expected ");
    assert!(text.starts_with(&place), "{text} ({place})");
}

/// A header may claim 10¹⁸ of anything: the answer is an error, at once and without the memory.
#[test]
fn hostile_counts() {
    let huge = "1000000000000000000";
    for text in [
        format!("{HEADER}$Nodes\n{huge}\n1 0 0 0\n$EndNodes\n"),
        format!("{HEADER}$PhysicalNames\n{huge}\n1 1 \"a\"\n$EndPhysicalNames\n"),
        square(&format!("$Elements\n{huge}\n1 3 0 1 2 3 4\n$EndElements\n")),
        square("$Elements\n1\n1 3 2147483647 1 2 3 4\n$EndElements\n"),
        format!("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n{huge} {huge} 1 1\n2 1 0 {huge}\n1\n"),
        format!("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n{huge} {huge} {huge} {huge}\n1 0 0 0 {huge}"),
        format!("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PartitionedEntities\n{huge} {huge}\n1 1\n"),
        format!("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Elements\n{huge} {huge} 1 1\n2 1 3 {huge}\n1 1 1 1 1\n"),
    ] {
        assert!(matches!(error(&text), MeshError::Syntax { .. }), "{text}");
    }
    // The same in binary: a block of 2⁶³ nodes.
    let mut file = b"$MeshFormat\n4.1 1 8\n\x01\0\0\0\n$EndMeshFormat\n$Nodes\n".to_vec();
    for value in [1_u64, 1 << 63, 1, 1] {
        file.extend(value.to_le_bytes());
    }
    file.extend([2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
    file.extend((1_u64 << 63).to_le_bytes());
    file.extend([0; 64]);
    assert!(matches!(gmsh::read(&file), Err(MeshError::Syntax { .. })));
}

/// Cut anywhere before the elements are complete, a file is an error, never a smaller mesh.
#[test]
fn truncated_files() {
    let mut n_cut = 0;
    for name in ["plate_t3", "two_blocks_q4", "sheet_param"] {
        for form in FORMS {
            let file = bytes(&format!("{name}.{form}.msh"));
            let end = file.windows(12).rposition(|w| w == b"$EndElements").unwrap() + 12;
            for length in 0..end {
                assert!(gmsh::read(&file[..length]).is_err(), "{name}.{form} cut at {length}");
                n_cut += 1;
            }
            assert!(gmsh::read(&file[..end]).is_ok());
        }
    }
    assert!(n_cut > 20_000, "{n_cut}");
}

#[test]
fn there_are_samples() {
    assert_eq!(all_samples().len(), 67);
}
