//! Files made here: features gmsh writes seldom, both byte orders, odd numbering.

use delassus_mesh::gmsh;
use delassus_mesh::{Mesh, MeshError};

/// A writer of binary numbers in a byte order, with 4- or 8-byte sizes.
struct Binary {
    bytes: Vec<u8>,
    big: bool,
    wide: bool,
}

impl Binary {
    fn new(version: &str, big: bool, wide: bool) -> Self {
        let mut file = Binary { bytes: Vec::new(), big, wide };
        file.text(&format!("$MeshFormat\n{version} 1 {}\n", if wide { 8 } else { 4 }));
        file.int(1);
        file.text("\n$EndMeshFormat\n");
        file
    }

    fn text(&mut self, text: &str) {
        self.bytes.extend(text.as_bytes());
    }

    fn put<const N: usize>(&mut self, little: [u8; N]) {
        let mut bytes = little;
        if self.big {
            bytes.reverse();
        }
        self.bytes.extend(bytes);
    }

    fn int(&mut self, value: i32) {
        self.put(value.to_le_bytes());
    }

    fn ints(&mut self, values: &[i32]) {
        values.iter().for_each(|&value| self.int(value));
    }

    fn sizes(&mut self, values: &[u64]) {
        for &value in values {
            if self.wide {
                self.put(value.to_le_bytes());
            } else {
                self.put(u32::try_from(value).unwrap().to_le_bytes());
            }
        }
    }

    fn doubles(&mut self, values: &[f64]) {
        values.iter().for_each(|&value| self.put(value.to_le_bytes()));
    }
}

/// Two unit squares side by side, node tags 60, 50, …, the second square clockwise.
const POINTS: [[f64; 3]; 6] = [[0., 0., 0.], [1., 0., 0.], [2., 0., 0.], [0., 1., 0.], [1., 1., 0.], [2., 1., 0.]];
const TAGS: [u64; 6] = [60, 50, 40, 30, 20, 10];
const SQUARES: [[u64; 4]; 2] = [[60, 50, 20, 30], [50, 20, 10, 40]];

fn binary_4(big: bool, wide: bool) -> Vec<u8> {
    let mut f = Binary::new("4.1", big, wide);
    f.text("$PhysicalNames\n1\n2 5 \"two squares\"\n$EndPhysicalNames\n$Entities\n");
    f.sizes(&[0, 0, 1, 0]);
    f.int(9);
    f.doubles(&[0.0, 0.0, 0.0, 2.0, 1.0, 0.0]);
    f.sizes(&[1]);
    f.int(5);
    f.sizes(&[0]);
    f.text("\n$EndEntities\n$Nodes\n");
    // Ten blocks: the first byte of the section is a line feed in little endian.
    f.sizes(&[10, 6, 10, 60]);
    for _ in 0..9 {
        f.ints(&[2, 9, 0]);
        f.sizes(&[0]);
    }
    f.ints(&[2, 9, 1]);
    f.sizes(&[6]);
    f.sizes(&TAGS);
    for x in POINTS {
        f.doubles(&x);
        f.doubles(&x[..2]);
    }
    f.text("\n$EndNodes\n$Elements\n");
    f.sizes(&[1, 2, 7, 8]);
    f.ints(&[2, 9, 3]);
    f.sizes(&[2]);
    for (tag, square) in [7, 8].into_iter().zip(SQUARES) {
        f.sizes(&[tag]);
        f.sizes(&square);
    }
    f.text("\n$EndElements\n");
    f.bytes
}

fn binary_2(big: bool) -> Vec<u8> {
    let mut f = Binary::new("2.2", big, true);
    f.text("$PhysicalNames\n1\n2 5 \"two squares\"\n$EndPhysicalNames\n$Nodes\n6\n");
    for (tag, x) in TAGS.into_iter().zip(POINTS) {
        f.int(i32::try_from(tag).unwrap());
        f.doubles(&x);
    }
    f.text("\n$EndNodes\n$Elements\n2\n");
    // Two runs: one with two tags, one with four of a partitioned file.
    for (tag, square, tags) in [(7, SQUARES[0], &[5, 9][..]), (8, SQUARES[1], &[5, 9, 1, 2][..])] {
        f.ints(&[3, 1, i32::try_from(tags.len()).unwrap(), tag]);
        f.ints(tags);
        f.ints(&square.map(|node| i32::try_from(node).unwrap()));
    }
    f.text("\n$EndElements\n");
    f.bytes
}

fn text_2(elements: &str) -> String {
    let nodes: String = TAGS.iter().zip(POINTS).map(|(tag, [x, y, z])| format!("{tag} {x} {y} {z}\n")).collect();
    format!("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n6\n{nodes}$EndNodes\n{elements}")
}

#[test]
fn both_byte_orders_and_sizes() {
    let mut meshes: Vec<Mesh<2>> = Vec::new();
    for (big, wide) in [(false, true), (true, true), (false, false), (true, false)] {
        meshes.push(gmsh::read(&binary_4(big, wide)).unwrap().to_mesh().unwrap());
    }
    for big in [false, true] {
        let file = gmsh::read(&binary_2(big)).unwrap();
        assert_eq!(file.n_partitions, 2);
        meshes.push(file.to_mesh().unwrap());
    }
    for mesh in &meshes {
        assert_eq!(mesh, &meshes[0]);
    }
    let mesh = &meshes[0];
    assert_eq!((mesh.n_points(), mesh.n_cells()), (6, 2));
    assert!((mesh.total_measure() - 2.0).abs() < 1e-15);
    assert_eq!(mesh.cell(1).1, [1, 2, 5, 4], "the clockwise square is turned over");
    assert_eq!(mesh.group("two squares").unwrap().cells, [0, 1]);
}

/// Elements may have no tags, and then no group; bulk cells stay, lines in no group go.
#[test]
fn elements_without_tags() {
    let file = text_2("$Elements\n3\n1 3 0 60 50 20 30\n2 3 0 50 40 10 20\n3 1 0 60 50\n$EndElements\n");
    let mesh: Mesh<2> = gmsh::read(file.as_bytes()).unwrap().to_mesh().unwrap();
    assert_eq!((mesh.n_cells(), mesh.groups.len()), (2, 0));
}

#[test]
fn a_group_that_is_only_named_is_known_to_be_empty() {
    let file =
        text_2("$PhysicalNames\n1\n1 3 \"lid\"\n$EndPhysicalNames\n$Elements\n1\n1 3 1 4 60 50 20 30\n$EndElements");
    let mesh: Mesh<2> = gmsh::read(file.as_bytes()).unwrap().to_mesh().unwrap();
    assert_eq!(mesh.n_points(), 4, "two nodes belong to nothing");
    assert!(matches!(mesh.group("lid"), Err(MeshError::EmptyGroup { dim: 1, .. })));
    assert_eq!(mesh.group("4").unwrap().cells, [0]);
}

/// gmsh keeps the 80 characters of a name of a MED file.
#[test]
fn names_filled_up_with_blanks() {
    let name = format!("{:<80}", "upper  lid");
    let file = text_2(&format!(
        "$PhysicalNames\n1\n2 4 \"{name}\"\n$EndPhysicalNames\n$Elements\n1\n1 3 1 4 60 50 20 30\n$EndElements"
    ));
    let mesh: Mesh<2> = gmsh::read(file.as_bytes()).unwrap().to_mesh().unwrap();
    assert_eq!(mesh.group("upper  lid").unwrap().cells, [0]);
}

/// A line repeated for a second group, once turned over, is one line in two groups.
#[test]
fn repeated_elements_are_merged_either_way_round() {
    let file = text_2(
        "$Elements\n5\n1 3 1 4 60 50 20 30\n2 3 1 -6 30 20 50 60\n3 1 1 1 60 50\n4 1 1 2 50 60\n5 1 1 1 60 50\n$EndElements",
    );
    let file = gmsh::read(file.as_bytes()).unwrap();
    assert_eq!(file.elements.len(), 2);
    assert_eq!(file.elements[0].physical, [4, 6]);
    assert_eq!(file.elements[1].physical, [1, 2]);
    let mesh: Mesh<2> = file.to_mesh().unwrap();
    assert!((mesh.total_measure() - 1.0).abs() < 1e-15);
    assert_eq!(mesh.group_facets("1").unwrap(), mesh.group_facets("2").unwrap());
}

#[test]
fn comments_and_unknown_sections_anywhere() {
    let body = text_2("$Odd\n$EndOddity\n 1 2 $ 3\n$EndOdd\n$Elements\n1\n1 3 0 60 50 20 30\n$EndElements\n");
    let file =
        format!("$Comments\nmade by hand\n$Nodes\n$EndComments\n{body}$Parametrizations\n1 1\n$EndParametrizations");
    let file = gmsh::read(file.as_bytes()).unwrap();
    assert_eq!(file.skipped, ["Comments", "Odd", "Parametrizations"]);
    assert_eq!(file.elements.len(), 1);
}
