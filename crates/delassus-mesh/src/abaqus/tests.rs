//! Input files written by hand, as Abaqus CAE, CalculiX and gmsh write them; damaged ones.

use delassus_error::Coded;
use proptest::prelude::*;

use super::*;
use crate::Mesh;
use crate::mesh_file::MeshFile;

/// Two cubes side by side along x, numbered with gaps, as CalculiX has them: everything outside of parts.
const CUBES: &str = "*HEADING\n two cubes\n** nodes\n*NODE, NSET=Nall\n\
    11, 0, 0, 0\n12, 1., 0, 0\n13, 1, 1, 0\n14, 0, 1.D0, 0\n15, 0, 0, 1\n16, 1, 0, 1\n17, 1, 1, 1\n18, 0, 1, 1\n\
    21, 2, 0, 0\n22, 2, 1, 0\n23, 2, 0, 1\n24, 2, 1, 1\n\
    *Element, type=C3D8R, elset=Eall\n5, 11, 12, 13, 14, 15, 16,\n 17, 18\n7, 12, 21, 22, 13, 16, 23, 24, 17\n\
    *NSET, NSET=floor\n11, 12, 13, 14,\n21, 22\n*NSET, nset=even, generate\n11, 24, 2\n\
    *ELSET, ELSET=left\n5\n*ELSET, ELSET=both\nleft, 7\n\
    *SURFACE, NAME=ends, TYPE=ELEMENT\nLEFT, S6\n7, s4\n*SURFACE, NAME=free\nEall,\n*SURFACE, NAME=corner, TYPE=NODE\n11,\n\
    *MATERIAL, NAME=steel\n*ELASTIC\n210000., .3\n*STEP\n*STATIC\n1., 1.\n*END STEP\n";

fn mesh(text: &str) -> Mesh<3> {
    read(text.as_bytes()).and_then(|draft| draft.space()).unwrap_or_else(|e| panic!("{e}"))
}

fn nodes(mesh: &Mesh<3>, name: &str) -> Vec<usize> {
    mesh.group_nodes(mesh.group(name).unwrap())
}

fn area(mesh: &Mesh<3>, name: &str) -> f64 {
    mesh.group_facets(name).unwrap().iter().map(|f| mesh.facet_measure(f)).sum()
}

#[test]
fn nodes_elements_sets_and_surfaces() {
    let mesh = mesh(CUBES);
    assert_eq!((mesh.n_points(), mesh.bulk_cells().count()), (12, 2));
    assert!((mesh.total_measure() - 2.0).abs() < 1e-15);
    assert_eq!(nodes(&mesh, "floor"), [0, 1, 2, 3, 8, 9]);
    // Every second number from 11 on: 11, 13, 15, 17, 21, 23.
    assert_eq!(nodes(&mesh, "even"), [0, 2, 4, 6, 8, 10]);
    assert_eq!(nodes(&mesh, "Nall").len(), 12);
    assert_eq!((mesh.group("left").unwrap().cells.len(), mesh.group("both").unwrap().cells.len()), (1, 2));
    assert_eq!(mesh.group("Eall").unwrap().cells, [0, 1]);
    let ends = mesh.group_facets("ends").unwrap();
    assert_eq!(ends.iter().map(|f| mesh.facet_normal(f)[0]).collect::<Vec<_>>(), [-1.0, 1.0]);
    assert!((area(&mesh, "free") - 10.0).abs() < 1e-14);
    assert_eq!(nodes(&mesh, "corner"), [0]);
}

/// Abaqus' faces of every kind (Abaqus Elements Guide, "Element faces"), by the nodes they are made of.
#[test]
fn faces_are_those_of_the_manual() {
    let faces: [(CellKind, &[&[usize]]); 9] = [
        (CellKind::Triangle3, &[&[1, 2], &[2, 3], &[3, 1]]),
        (CellKind::Triangle6, &[&[1, 2, 4], &[2, 3, 5], &[3, 1, 6]]),
        (CellKind::Quad4, &[&[1, 2], &[2, 3], &[3, 4], &[4, 1]]),
        (CellKind::Quad8, &[&[1, 2, 5], &[2, 3, 6], &[3, 4, 7], &[4, 1, 8]]),
        (CellKind::Tetrahedron4, &[&[1, 2, 3], &[1, 4, 2], &[2, 4, 3], &[3, 4, 1]]),
        (
            CellKind::Tetrahedron10,
            &[&[1, 2, 3, 5, 6, 7], &[1, 4, 2, 8, 9, 5], &[2, 4, 3, 9, 10, 6], &[3, 4, 1, 10, 8, 7]],
        ),
        (CellKind::Prism6, &[&[1, 2, 3], &[4, 6, 5], &[1, 4, 5, 2], &[2, 5, 6, 3], &[3, 6, 4, 1]]),
        (
            CellKind::Hexahedron8,
            &[&[1, 2, 3, 4], &[5, 8, 7, 6], &[1, 5, 6, 2], &[2, 6, 7, 3], &[3, 7, 8, 4], &[4, 8, 5, 1]],
        ),
        (
            CellKind::Hexahedron20,
            &[
                &[1, 2, 3, 4, 9, 10, 11, 12],
                &[5, 8, 7, 6, 16, 15, 14, 13],
                &[1, 5, 6, 2, 17, 13, 18, 9],
                &[2, 6, 7, 3, 18, 14, 19, 10],
                &[3, 7, 8, 4, 19, 15, 20, 11],
                &[4, 8, 5, 1, 20, 16, 17, 12],
            ],
        ),
    ];
    for (kind, expected) in faces {
        assert_eq!(kind.facets().len(), expected.len(), "{kind}");
        for (k, nodes) in expected.iter().enumerate() {
            let mut own: Vec<usize> = facet(kind, k).unwrap().nodes.iter().map(|l| l + 1).collect();
            let mut theirs = nodes.to_vec();
            own.sort_unstable();
            theirs.sort_unstable();
            assert_eq!(own, theirs, "{kind}, S{}", k + 1);
        }
    }
}

/// As Abaqus CAE writes: parts, an assembly with moved instances, sets of the same name in several places.
#[test]
fn parts_and_instances() {
    let part = "*Node\n1, 0., 0., 0.\n2, 1., 0., 0.\n3, 0., 1., 0.\n4, 0., 0., 1.\n*Element, type=C3D4\n1, 1, 2, 3, 4\n\
        *Nset, nset=Set-1\n1, 2, 3\n*Elset, elset=Set-1\n1,\n*Surface, type=ELEMENT, name=base\nSet-1, S1\n";
    let text = format!(
        "*Heading\n*Part, name=A\n{part}*End Part\n*Part, name=B\n{part}*Nset, nset=only\n4\n*End Part\n*Part, name=unused\n*Node\n9, 5, 5, 5\n*End Part\n\
         *Assembly, name=Assembly\n*Instance, name=A-1, part=A\n*End Instance\n*Instance, name=B-1, part=B\n10., 0., 0.\n\
         10., 0., 0., 10., 0., 1., 90.\n*End Instance\n*Nset, nset=top, instance=A-1\n4\n*Nset, nset=tops\ntop, B-1.only\n\
         *Elset, elset=all, instance=B-1\nSet-1\n*End Assembly\n"
    );
    let mesh = mesh(&text);
    assert_eq!((mesh.n_points(), mesh.bulk_cells().count()), (8, 2), "a part without an instance is not there");
    // A turn by 90 degrees about the vertical through (10, 0, 0) brings x to y.
    let x = mesh.points[5];
    assert!((x[0] - 10.0).abs() < 1e-14 && (x[1] - 1.0).abs() < 1e-14, "{x:?}");
    assert_eq!((nodes(&mesh, "A-1.Set-1"), nodes(&mesh, "B-1.Set-1")), (vec![0, 1, 2], vec![4, 5, 6]));
    assert_eq!(mesh.group("A-1.Set-1.elements").unwrap().cells, [0]);
    assert_eq!((nodes(&mesh, "top"), nodes(&mesh, "tops")), (vec![3], vec![3, 7]));
    assert_eq!(nodes(&mesh, "only"), [7], "a name that no other part has needs no instance");
    assert_eq!(mesh.group("all").unwrap().cells, [1]);
    assert!((area(&mesh, "B-1.base") - 0.5).abs() < 1e-14);
}

/// Plane elements of both cases, quadratic ones over several lines, and a curve as gmsh writes it.
#[test]
fn plane_files() {
    let text = "*NODE\n1,0,0,0\n2,1,0\n3,1,1\n4,0,1\n5,.5,0\n6,1,.5\n7,.5,1\n8,0,.5\n9,2,0\n10,2,1\n11,1.5,0\n12,2,.5\n13,1.5,1\n\
        *ELEMENT, TYPE=CPE8R, ELSET=square\n1,1,2,3,4,\n5,6,7,8\n*ELEMENT, TYPE=CPS8\n2, 2, 9, 10, 3, 11, 12, 13, 6\n\
        *ELEMENT, TYPE=T3D3, ELSET=left\n3, 1, 4, 8\n*SURFACE, NAME=right\n2, S2\n";
    let mesh = read(text.as_bytes()).unwrap().plane().unwrap();
    assert!((mesh.total_measure() - 2.0).abs() < 1e-15);
    assert!((mesh.facet_normal(&mesh.group_facets("left").unwrap()[0])[0] + 1.0).abs() < 1e-15);
    let right = mesh.group_facets("right").unwrap();
    assert_eq!((right.len(), right[0].nodes.len(), mesh.facet_normal(&right[0])), (1, 3, [1.0, 0.0]));
    assert!(matches!(read(CUBES.as_bytes()).unwrap().plane(), Err(MeshError::TooManyDimensions { mesh_dim: 3, .. })));
}

#[test]
fn faults_say_line_and_reason() {
    for (from, to, code, words) in [
        ("12, 1., 0, 0", "12, x, 0, 0", "E0405", "*NODE: line 6: expected a finite coordinate, found `x`"),
        ("12, 1., 0, 0", "12., 1., 0, 0", "E0405", "expected the number of a node, found `12.`"),
        ("12, 1., 0, 0", "11, 1., 0, 0", "E0407", "node 11 is given twice"),
        ("7, 12, 21", "5, 12, 21", "E0414", "element 5 is given twice"),
        (" 17, 18\n", " 17, 18, 19\n", "E0405", "*ELEMENT: line 19: element 5 of type C3D8R has 8 nodes, found more"),
        (" 17, 18\n", " 17\n*NSET,NSET=a\n", "E0405", "element 5 has 7 of 8 nodes"),
        (" 17, 18\n", " 17, 99\n", "E0408", "element 5 uses node 99"),
        ("type=C3D8R", "type=C3D27", "E0409", "element type C3D27 is not supported"),
        ("type=C3D8R", "typ=C3D8R", "E0405", "expected the parameter TYPE=…"),
        ("generate\n11, 24, 2", "generate\n24, 11, 2", "E0405", "found 24, 11, 2"),
        ("generate\n11, 24, 2", "generate\n11, 24, 0", "E0405", "step >= 1"),
        ("ELSET=left\n5\n", "ELSET=left\n6\n", "E0430", "no element `6` in the file"),
        ("both\nleft, 7", "both\nright, 7", "E0430", "no element set `right` in the file"),
        ("LEFT, S6", "LEFT, S7", "E0405", "expected a face S1 … S6, SPOS or SNEG, found `S7`"),
        (
            "type=C3D8R, elset=Eall\n5, 11, 12, 13, 14, 15, 16,\n 17, 18\n7, 12, 21, 22, 13, 16, 23, 24, 17\n",
            "type=C3D4, elset=Eall\n5, 11, 12, 13, 15\n7, 12, 21, 22, 23\n",
            "E0439",
            "element 5 (Tetrahedron4) has no face S6: its faces are S1 to S4",
        ),
        ("*HEADING", "*INCLUDE, INPUT=a.inp", "E0444", "*INCLUDE, INPUT=a.inp"),
        ("*HEADING\n two cubes\n", "*INSTANCE, NAME=a, PART=b\n", "E0445", "part `b`, which is not in the file"),
    ] {
        assert!(CUBES.contains(from), "{from}");
        let text = CUBES.replacen(from, to, 1);
        let error = read(text.as_bytes()).and_then(|draft| draft.space()).expect_err(words);
        assert_eq!(error.code().as_str(), code, "{error}");
        assert!(error.to_string().contains(words), "{error}");
    }
    let twice = "*PART,NAME=a\n*END PART\n*INSTANCE,NAME=x,PART=a\n*INSTANCE,NAME=y,PART=A\n";
    let error = read(twice.as_bytes()).unwrap_err();
    assert!(error.to_string().contains("instances `x` and `y`"), "{error}");
    for (text, code) in [
        ("hello\n", "E0450"),
        ("", "E0450"),
        ("*STEP\n", "E0450"),
        ("*HEADING\n", "E0406"),
        ("\u{feff}1, 2\n", "E0450"),
    ] {
        assert_eq!(read(text.as_bytes()).unwrap_err().code().as_str(), code, "{text}");
    }
}

/// A few bytes may name everything again and again: the sum is bounded.
#[test]
fn sets_of_sets_do_not_multiply() {
    let mut text = "*NODE,NSET=N\n".to_owned();
    (1..=300).for_each(|i| text.push_str(&format!("{i},0,0,{i}\n")));
    let again =
        |n: usize, block: &str| text.clone() + &(0..n).map(|i| block.replace('%', &i.to_string())).collect::<String>();
    for block in ["*NSET,NSET=A%,GENERATE\n1,999999999999,1\n", "*NSET,NSET=A\nN\n", "*SURFACE,NAME=S%,TYPE=NODE\nN,\n"]
    {
        assert!(read(again(3, block).as_bytes()).is_ok());
        let error = read(again(300, block).as_bytes()).unwrap_err();
        assert_eq!(error.code().as_str(), "E0440", "{block}");
    }
}

proptest! {
    /// Bytes changed, lines cut or repeated: an answer, never a panic.
    #[test]
    fn damaged_files_never_panic(at in 0..CUBES.len(), byte: u8, how in 0..3_u8) {
        let mut bytes = CUBES.as_bytes().to_vec();
        match how {
            0 => bytes[at] = byte,
            1 => bytes.truncate(at),
            _ => bytes.extend_from_slice(&CUBES.as_bytes()[at..]),
        }
        if let Ok(draft) = read(&bytes) {
            let _ = (draft.plane(), draft.space(), draft.surface(None));
        }
    }
}
