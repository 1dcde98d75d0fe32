use delassus_error::Coded;
use hdf5_pure::{AttrValue, FileBuilder, FinishedGroup, GroupBuilder};

use super::*;
use crate::mesh_file::MeshFile;

/// A family of a side, and the groups it belongs to.
fn family(side: &mut GroupBuilder, tag: i64, names: &[&str]) {
    let mut family = side.create_group(&format!("FAM_{tag}"));
    family.set_attr("NUM", AttrValue::I64(tag));
    let mut group = family.create_group("GRO");
    let text: String = names.iter().map(|name| format!("{name:<80}")).collect();
    group.create_dataset("NOM").with_u8_data(text.as_bytes());
    family.add_group(group.finish());
    side.add_group(family.finish());
}

/// The mesh of a square of two triangles, the second clockwise, an edge and a node that are named.
fn mesh(meshes: &mut GroupBuilder, name: &str, change: &str) -> FinishedGroup {
    let spoilt = |what: &str| change == what;
    let mut mesh = meshes.create_group(name);
    mesh.set_attr("REP", AttrValue::I64(i64::from(spoilt("polar"))));
    let mut step = mesh.create_group("-1-1");
    if !spoilt("nodeless") {
        let mut nodes = step.create_group("NOE");
        let far = if spoilt("infinite") { f64::INFINITY } else { 1.0 };
        let places = nodes.create_dataset("COO");
        places.with_f64_data(&[0.0, far, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0]);
        places.set_attr("NBR", AttrValue::I64(if spoilt("count") { 3 } else { 4 }));
        nodes.create_dataset("FAM").with_i64_data(&[1, 0, 0, 0]);
        step.add_group(nodes.finish());
    }
    let mut cells = step.create_group("MAI");
    let mut triangles = cells.create_group(if spoilt("kind") { "PY5" } else { "TR3" });
    let nodes = triangles.create_dataset("NOD");
    // First nodes of both, second ones, third ones.
    let last = if spoilt("node") { 5 } else { 4 };
    let whole = [1, 1, 2, last, 3, 3];
    nodes.with_i32_data(if spoilt("width") { &whole[..2] } else { &whole });
    nodes.set_attr("NBR", AttrValue::I64(2));
    if spoilt("pieces") {
        nodes.with_shape(&[6]).with_chunks(&[2]);
    }
    triangles.create_dataset("FAM").with_i64_data(if spoilt("families") { &[-1] } else { &[-1, -1] });
    triangles.create_dataset("NUM").with_i64_data(&[10, 11]);
    cells.add_group(triangles.finish());
    let mut edges = cells.create_group("SE2");
    edges.create_dataset("NOD").with_i32_data(&[4, 1]);
    edges.create_dataset("FAM").with_i64_data(&[-2]);
    cells.add_group(edges.finish());
    step.add_group(cells.finish());
    mesh.add_group(step.finish());
    if spoilt("steps") {
        let other = mesh.create_group("1-1").finish();
        mesh.add_group(other);
    }
    mesh.finish()
}

/// A file with this mesh, whole or with one thing changed.
fn file(change: &str) -> Vec<u8> {
    let spoilt = |what: &str| change == what;
    let mut file = FileBuilder::new();
    let mut about = file.create_group("INFOS_GENERALES");
    about.set_attr("MAJ", AttrValue::I64(if spoilt("version") { 2 } else { 4 }));
    file.add_group(about.finish());
    if !spoilt("meshless") {
        let mut meshes = file.create_group("ENS_MAA");
        let plate = mesh(&mut meshes, "plate mesh", change);
        meshes.add_group(plate);
        if spoilt("meshes") {
            let other = mesh(&mut meshes, "other", "");
            meshes.add_group(other);
        }
        file.add_group(meshes.finish());
    }
    let mut all = file.create_group("FAS");
    let mut of_mesh = all.create_group("plate mesh");
    let mut cells = of_mesh.create_group("ELEME");
    family(&mut cells, -1, &["plate"]);
    family(&mut cells, -2, &["left", "Kanten: größte"]);
    of_mesh.add_group(cells.finish());
    let mut nodes = of_mesh.create_group("NOEUD");
    family(&mut nodes, 1, &["corner"]);
    of_mesh.add_group(nodes.finish());
    all.add_group(of_mesh.finish());
    file.add_group(all.finish());
    file.finish().unwrap()
}

#[test]
fn nodes_cells_and_groups() {
    let draft = read(&file("")).unwrap();
    assert_eq!(draft.kinds, [Segment2, Triangle3, Triangle3, Point]);
    assert_eq!(draft.cell_tags, [1, 10, 11]);
    let groups: Vec<_> = draft.groups.iter().map(|g| (g.name.as_str(), g.dim, g.cells.as_slice())).collect();
    assert_eq!(
        groups,
        [("Kanten: größte", 1, &[0][..]), ("corner", 0, &[3]), ("left", 1, &[0]), ("plate", 2, &[1, 2])]
    );
    let mesh = draft.plane().unwrap();
    assert_eq!((mesh.n_points(), mesh.n_cells()), (4, 4));
    // (0, 0), (1, 0), (1, 1), (0, 1): turned over where clockwise, so that both halves count.
    assert!((mesh.total_measure() - 1.0).abs() < 1e-15);
    assert_eq!(mesh.group_facets("left").unwrap().len(), 1);
    assert_eq!(draft.points[3].map(f64::to_bits), [0.0_f64, 1.0, 0.0].map(f64::to_bits));
}

#[test]
fn faults_are_told_with_their_place() {
    for (change, words) in [
        ("meshless", "an HDF5 file without meshes"),
        ("meshes", "2 of the kind mesh; save each in a file of its own"),
        ("steps", "2 of the kind computing step"),
        ("version", "MED 2, read are MED 3 and 4"),
        ("polar", "not Cartesian"),
        ("nodeless", "no nodes (`NOE`)"),
        ("infinite", "node 2 has a coordinate that is no finite number"),
        ("count", "`COO` has 8 coordinates"),
        ("node", "element 11 (TR3) uses node 5 of 4"),
        ("width", "2 nodes, which is no multiple of 3"),
        ("families", "`FAM` has 1 numbers where 2 should be"),
        ("pieces", "h5repack -l CONTI"),
    ] {
        let error = read(&file(change)).expect_err(change);
        assert_eq!(error.code().as_str(), "E0858", "{change}");
        let text = error.to_string();
        assert!(text.starts_with("MED file: ") && text.contains(words), "{change}: {text}");
    }
    let unknown = read(&file("kind")).unwrap().space().unwrap_err();
    assert!(unknown.to_string().contains("2 × PY5"), "{unknown}");
    assert_eq!(read(b"\x89HDF\r\n\x1a\n").unwrap_err().code().as_str(), "E0858");
}

/// Cut off anywhere, or with any byte changed, a file is refused or read, and nothing else happens.
#[test]
fn damaged_files_are_refused_or_read() {
    let whole = file("");
    let mut refused = 0;
    for length in (0..whole.len()).step_by(7) {
        refused += usize::from(read(&whole[..length]).is_err());
    }
    assert!(refused > whole.len() / 8, "{refused}");
    for at in (0..whole.len()).step_by(3) {
        let mut changed = whole.clone();
        changed[at] ^= 0x55;
        let _ = read(&changed);
    }
}

/// A family of many groups multiplies the members: no more than the file has bytes.
#[test]
fn groups_are_no_larger_than_the_file() {
    let mut file = FileBuilder::new();
    let mut meshes = file.create_group("ENS_MAA");
    let mut mesh = meshes.create_group("m");
    let mut step = mesh.create_group("s");
    let mut nodes = step.create_group("NOE");
    let n = 4000;
    let places = nodes.create_dataset("COO");
    places.with_f64_data(&vec![0.0; n]).set_attr("NBR", AttrValue::I64(n as i64));
    nodes.create_dataset("FAM").with_i64_data(&vec![1; n]);
    step.add_group(nodes.finish());
    mesh.add_group(step.finish());
    meshes.add_group(mesh.finish());
    file.add_group(meshes.finish());
    let mut all = file.create_group("FAS");
    let mut of_mesh = all.create_group("m");
    let mut side = of_mesh.create_group("NOEUD");
    let names: Vec<String> = (0..200).map(|k| format!("g{k}")).collect();
    family(&mut side, 1, &names.iter().map(String::as_str).collect::<Vec<_>>());
    of_mesh.add_group(side.finish());
    all.add_group(of_mesh.finish());
    file.add_group(all.finish());
    assert!(matches!(read(&file.finish().unwrap()), Err(MeshError::SetsTooLarge)));
}
