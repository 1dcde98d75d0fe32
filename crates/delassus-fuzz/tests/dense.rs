//! Long inputs of the densest records of each format: memory stays within 64 MiB and 20 bytes for each byte of the input.
//!
//! Fuzzing makes short inputs, for which a generous bound must do. What a reader holds for a long one follows from its densest record:
//! the fewest bytes that become a structure of their own.

#![expect(clippy::unwrap_used, reason = "helpers of tests may panic")]

use std::fmt::Write as _;
use std::time::Duration;

use delassus_fuzz::Judge;
use delassus_fuzz::targets::find;

/// Head, records until the length is reached, tail. A record is told its number, from 1.
fn dense(length: usize, head: &str, record: impl Fn(usize) -> String, tail: &str) -> String {
    let mut text = head.to_owned();
    let mut n = 0;
    while text.len() + tail.len() < length {
        n += 1;
        text.push_str(&record(n));
    }
    // A count that stands before the records, as wide as it may be.
    text.replace("COUNT", &format!("{n:<5}")) + tail
}

fn same(record: &str) -> impl Fn(usize) -> String {
    move |_| record.to_owned()
}

fn msh2(body: &str) -> String {
    format!("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n{body}")
}

fn msh4(body: &str) -> String {
    format!("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n{body}")
}

fn vtu(inside: &str) -> String {
    let head = "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">";
    format!("{head}<UnstructuredGrid>{inside}")
}

/// Target, what is dense, and the input.
fn inputs(length: usize) -> Vec<(&'static str, &'static str, String)> {
    let dense = |head: &str, record: &dyn Fn(usize) -> String, tail: &str| dense(length, head, record, tail);
    let three = "$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n";
    let mut all = vec![
        ("msh22-ascii", "nodes", dense(&msh2("$Nodes\nCOUNT\n"), &|n| format!("{n} 0 0 {n}\n"), "$EndNodes\n")),
        (
            "msh22-ascii",
            "points",
            dense(&msh2(&format!("{three}$Elements\nCOUNT\n")), &|n| format!("{n} 15 0 1\n"), "$EndElements\n"),
        ),
        (
            "msh22-ascii",
            "triangles",
            dense(&msh2(&format!("{three}$Elements\nCOUNT\n")), &|n| format!("{n} 2 0 1 2 3\n"), "$EndElements\n"),
        ),
        (
            "msh22-ascii",
            "names",
            dense(&msh2("$PhysicalNames\nCOUNT\n"), &|n| format!("1 {n} \"{n}\"\n"), "$EndPhysicalNames\n"),
        ),
        ("msh22-ascii", "sections", dense(&msh2(""), &same("$A\n$EndA\n"), "")),
        (
            "msh41-ascii",
            "entities",
            dense(&msh4("$Entities\nCOUNT 0 0 0\n"), &|n| format!("{n} 0 0 0 0\n"), "$EndEntities\n"),
        ),
        ("msh41-ascii", "node blocks", dense(&msh4("$Nodes\nCOUNT 0 0 0\n"), &same("0 1 0 0\n"), "$EndNodes\n")),
        (
            "msh41-ascii",
            "element blocks",
            dense(&msh4("$Elements\nCOUNT 0 0 0\n"), &same("0 1 15 0\n"), "$EndElements\n"),
        ),
        ("inp", "nodes", dense("*NODE\n", &|n| format!("{n}\n"), "")),
        ("inp", "lines", dense("*NODE\n1\n*ELEMENT,TYPE=T3D2\n", &|n| format!("{n},1,1\n"), "")),
        ("inp", "sets", dense("*NODE\n1\n", &|n| format!("*NSET,NSET={n}\n1\n"), "")),
        ("inp", "members", dense("*NODE,NSET=a\n1\n*NSET,NSET=b\n", &same("1,1,1,1,1,1,1,1\n"), "")),
        ("inp", "names", dense("*NODE,NSET=a\n1\n*NSET,NSET=b\n", &same("a,a,a,a,a,a,a,a\n"), "")),
        ("inp", "faces", dense("*NODE\n1\n*ELEMENT,TYPE=S3\n1,1,1,1\n*SURFACE,NAME=s\n", &same("1,S1\n"), "")),
        ("inp", "parts", dense("", &|n| format!("*PART,NAME={n}\n"), "")),
        ("inp", "types", dense("", &|n| format!("*ELEMENT,TYPE={n}\n1\n"), "")),
        ("obj", "facets", dense("v 0 0 0\ng a b c d\no e\n", &same("f 1 1 1\n"), "")),
        ("obj", "groups", dense("v 0 0 0\n", &|n| format!("g {n}\n"), "f 1 1 1\n")),
        ("obj", "points", dense("", &same("v 0 0 0\n"), "f 1 1 1\n")),
        ("unv", "nodes", dense("-1\n2411\n", &|n| format!("{n}\n0 0 0\n"), "-1\n")),
        ("unv", "elements", dense("-1\n2411\n1\n0 0 0\n-1\n-1\n2412\n", &|n| format!("{n} 161 1\n1\n"), "-1\n")),
        ("unv", "groups", dense("-1\n2411\n1\n0 0 0\n-1\n-1\n2467\n", &|n| format!("{n} 1\n{n}\n7 1 0 0\n"), "-1\n")),
        ("unv", "datasets", dense("", &same("-1\n9\n-1\n"), "")),
        (
            "stl",
            "facets",
            dense(
                "solid\n",
                &|n| format!("facet normal\nouter loop vertex 0 0 {n} vertex 0 1 0 vertex 1 0 0 endloop endfacet\n"),
                "endsolid",
            ),
        ),
        ("stl", "solids", dense("", &|n| format!("solid {n}\nendsolid\n"), "")),
        (
            "vtu-mesh",
            "numbers",
            dense(
                "<VTKFile type=\"UnstructuredGrid\"><Piece><CellData><DataArray type=\"Int8\" format=\"ascii\">",
                &same("0 "),
                "</DataArray></CellData></Piece></VTKFile>",
            ),
        ),
        ("vtu-mesh", "pieces", dense("<VTKFile type=\"UnstructuredGrid\">", &same("<Piece>"), "</VTKFile>")),
        ("case-ron", "numbers", dense("[", &same("1,"), "]")),
        ("case-ron", "brackets", dense("[", &same("[],"), "]")),
        ("case-ron", "fields", dense("(", &same("a:1,"), ")")),
        ("case-ron", "bodies", dense("(bodies:[", &same("(),"), "])")),
        ("case-ron", "loads", dense("(loads:[", &same("A,"), "])")),
        ("case-json", "numbers", dense("[1", &same(",1"), "]")),
        ("case-json", "bodies", dense("{\"bodies\":[{}", &same(",{}"), "]}")),
        ("set-path", "numbers", dense("step=[", &same("1,"), "]")),
        ("set-path", "parts", dense("a", &same(".a"), "=1")),
        ("csv", "rows", dense("time\n", &same("0\n"), "")),
        ("csv", "columns", dense("time", &|n| format!(",{n}"), "\n0\n")),
        ("reference-csv", "rows", dense("t,u\n", &|n| format!("{n},0\n"), "")),
        ("reference-csv", "columns", dense("t,u", &same(",a"), "\n0,0\n")),
        ("manifest", "arrays", dense("{\"case\":[[]", &same(",[]"), "]}")),
        ("manifest", "numbers", dense("{\"case\":[1", &same(",1"), "]}")),
        ("manifest", "settings", dense("{\"settings\":[\"\"", &same(",\"\""), "]}")),
        ("expression", "sum", dense("1", &same("+t"), "")),
        ("expression", "signs", dense("", &same("-"), "t")),
        ("vtu", "tags", dense(&vtu(""), &same("<a/>"), "</UnstructuredGrid></VTKFile>")),
        ("vtu", "pieces", dense(&vtu(""), &same("<Piece/>"), "</UnstructuredGrid></VTKFile>")),
        (
            "vtu",
            "arrays",
            dense(
                &vtu("<Piece NumberOfPoints=\"0\" NumberOfCells=\"0\"><PointData>"),
                &same("<DataArray type=\"Int8\"/>"),
                "</PointData></Piece></UnstructuredGrid></VTKFile>",
            ),
        ),
        (
            "vtu",
            "numbers",
            dense(
                &vtu("<FieldData><DataArray type=\"Float64\" Name=\"a\" format=\"ascii\">"),
                &same("0 "),
                "</DataArray></FieldData></UnstructuredGrid></VTKFile>",
            ),
        ),
    ];
    let pvd = "<?xml version=\"1.0\"?><VTKFile type=\"Collection\"><Collection>";
    all.push(("pvd", "data sets", dense(pvd, &same("<DataSet timestep=\"0\" file=\"\"/>"), "</Collection></VTKFile>")));
    all.push(("pvd", "tags", dense(pvd, &same("<a/>"), "</Collection></VTKFile>")));
    all
}

/// MED files of about this length: many families, many members of few cells' groups, many nodes.
fn med(length: usize) -> Vec<(&'static str, &'static str, Vec<u8>)> {
    use hdf5_pure::{AttrValue, FileBuilder};

    let file = |nodes: usize, families: usize, empty: usize| {
        let mut file = FileBuilder::new();
        let mut meshes = file.create_group("ENS_MAA");
        let mut mesh = meshes.create_group("m");
        let mut step = mesh.create_group("s");
        let mut of = step.create_group("NOE");
        let places: Vec<f64> = (0..3 * nodes).map(|i| i as f64).collect();
        of.create_dataset("COO").with_f64_data(&places).set_attr("NBR", AttrValue::I64(nodes as i64));
        of.create_dataset("FAM").with_i32_data(&vec![1; nodes]);
        step.add_group(of.finish());
        mesh.add_group(step.finish());
        meshes.add_group(mesh.finish());
        file.add_group(meshes.finish());
        let mut all = file.create_group("FAS");
        let mut of_mesh = all.create_group("m");
        let mut side = of_mesh.create_group("NOEUD");
        for k in 0..families {
            let mut family = side.create_group(&format!("{k}"));
            family.set_attr("NUM", AttrValue::I64(1));
            let mut group = family.create_group("GRO");
            group.create_dataset("NOM").with_u8_data(&[b'a'; 80]);
            family.add_group(group.finish());
            side.add_group(family.finish());
        }
        for k in 0..empty {
            let mut family = side.create_group(&format!("e{k}"));
            family.set_attr("NUM", AttrValue::I64(k as i64));
            side.add_group(family.finish());
        }
        of_mesh.add_group(side.finish());
        all.add_group(of_mesh.finish());
        file.add_group(all.finish());
        file.finish().unwrap()
    };
    vec![
        ("med", "nodes", file(length / 28, 1, 0)),
        ("med", "groups", file(1, length / 600, 0)),
        ("med", "families", file(1, 0, length / 150)),
    ]
}

/// Memory is measured by records of the process, so inputs of one length are judged by the same bound.
fn check(length: usize) {
    let mut broken = String::new();
    let texts = inputs(length).into_iter().map(|(name, what, text)| (name, what, text.into_bytes()));
    for (name, what, bytes) in texts.chain(med(length)) {
        let mut judge = Judge::new(find(name).unwrap());
        judge.longest = Duration::from_secs(120);
        if let Err(failure) = judge.run(&bytes).result {
            let _ = writeln!(broken, "{name}, {what}: {failure}");
        }
    }
    assert!(broken.is_empty(), "{broken}");
}

/// What believes a header or takes quadratic memory shows here.
#[test]
fn inputs_of_some_length() {
    check(256 << 10);
}

/// Long enough that the 20 bytes count for more than the 64 MiB.
#[test]
#[ignore = "takes a minute: a stage of scripts/test --full"]
fn long_inputs_need_memory_by_their_length() {
    check(6 << 20);
}
