//! Meshes, frames and contact problems in files; and the few errors that nothing outside can provoke.

use std::io::Write;

use delassus_dynamics::DynamicsError;
use delassus_error::Coded;
use delassus_error::InternalError;
use delassus_fclib::hdf5::{Hdf5Content, Hdf5Group, to_bytes};
use delassus_fem::FemError;
use delassus_mesh::vtk::{Cells, Field, Grid, Values, VtuEncoding, read_pvd, read_vtu, write_pvd, write_vtu};
use delassus_mesh::{CellBlock, CellKind, Group, Mesh, MeshError, gmsh};
use delassus_run::RunError;
use delassus_run::error::CheckpointError;
use delassus_run::error::SolveError;
use delassus_sim::SimError;
use delassus_solver::{BlockMatrix, Cone, ContactProblem, Derived, Matrix, Vector};

fn check<T, E: Coded + std::fmt::Debug>(result: Result<T, E>, code: &str) {
    let error = result.map(|_| ()).unwrap_err();
    assert_eq!(error.code(), code, "{error:?}");
}

#[test]
fn meshes() {
    let missing = std::path::Path::new("no-such-folder/no.msh");
    let source = std::fs::read(missing).unwrap_err();
    check::<(), _>(Err(MeshError::Io { path: missing.to_owned(), source }), "E0402");
    let read = gmsh::read(b"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n0\n$EndNodes\n");
    check(read.and_then(|msh| msh.to_mesh::<2>()), "E0406");
    let mesh = Mesh::<2> {
        points: vec![[0., 0.], [1., 0.], [0.5, 1.], [0.5, -1.], [0.2, 0.5]],
        blocks: vec![CellBlock { kind: CellKind::Triangle3, nodes: vec![0, 1, 2, 1, 0, 3, 0, 1, 4] }],
        groups: vec![],
    };
    check(mesh.validate(), "E0442");
    let outside = Mesh {
        blocks: vec![
            CellBlock { kind: CellKind::Triangle3, nodes: vec![0, 1, 2] },
            CellBlock { kind: CellKind::Segment2, nodes: vec![3, 4] },
        ],
        groups: vec![Group { name: "off".into(), tag: 1, dim: 1, cells: vec![1] }],
        ..mesh.clone()
    };
    check(outside.group_facets("off"), "E0426");
    let broken = Mesh { blocks: vec![CellBlock { kind: CellKind::Triangle3, nodes: vec![0, 1, 99] }], ..mesh };
    check(broken.validate(), "E0414");
}

/// Threads are refused by the system alone.
#[test]
fn threads() {
    check::<(), _>(Err(RunError::Threads { wanted: 8, reason: "no".into() }), "E0924");
}

/// A disk with no room.
struct Full;

impl Write for Full {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        Err(std::io::Error::other("full"))
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

const POINTS: [[f64; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];

#[test]
fn frames_that_cannot_be_written() {
    let write = |cells, fields: &[Field<'_>]| {
        let grid = Grid { points: &POINTS, cells, point_fields: fields, cell_fields: &[] };
        write_vtu(&mut Vec::new(), 0.0, &grid, VtuEncoding { single: true, compress: true })
    };
    let triangle = || Cells::new(&[0, 1, 2], &[3], &[5]);
    write(triangle(), &[]).unwrap();
    let ones = [1.0; 3];
    let field = Field::scalar("a", Values::F64(&ones));
    check(write(triangle(), &[Field { name: "", ..field }]), "E0832");
    check(write(triangle(), &[field, field]), "E0833");
    check(write(triangle(), &[Field { components: 0, ..field }]), "E0834");
    check(write(triangle(), &[Field { component_names: &["X", "Y"], ..field }]), "E0835");
    check(write(triangle(), &[Field::vector("v", &[0.0; 8])]), "E0836");
    check(write(Cells::new(&[0, 1, 2], &[3], &[5, 5]), &[]), "E0837");
    check(write(Cells::new(&[0, 1, 2], &[2, 1], &[3, 3]), &[]), "E0838");
    check(write(Cells::new(&[0, 1, 2], &[2], &[3]), &[]), "E0839");
    check(write(Cells::new(&[0, 1, 3], &[3], &[5]), &[]), "E0840");
    check(write_pvd(&mut Vec::new(), &[(f64::NAN, "a.vtu")]), "E0831");
    check(write_pvd(&mut Full, &[(0.0, "a.vtu")]), "E0842");
    let error = write(triangle(), &[Field::scalar("a", Values::F64(&[0.0, 1e39, 0.0]))]).unwrap_err();
    assert_eq!(RunError::Vtk { path: "a.vtu".into(), source: error }.code(), "E0841");
}

#[test]
fn frames_that_cannot_be_read() {
    check(read_pvd(&[0xff]), "E0851");
    check(read_vtu(b"<VTKFile>"), "E0852");
    check(read_pvd(b"<VTKFile type=\"Collection\"><DataSet file=\"a.vtu\"/></VTKFile>"), "E0853");
    let grid = Grid { points: &POINTS, cells: Cells::new(&[0, 1, 2], &[3], &[5]), ..Grid::default() };
    let mut file = Vec::new();
    write_vtu(&mut file, 0.0, &grid, VtuEncoding::default()).unwrap();
    check(read_vtu(&file).unwrap().point_field("velocity", 3), "E0854");
}

const FILE: &[u8] = include_bytes!("../../../delassus-fclib/tests/data/space-columns.hdf5");

#[test]
fn contact_problems_in_files() {
    check(delassus_fclib::read(b"(title: \"x\")"), "E0901");
    check(delassus_fclib::read(&FILE[..FILE.len() / 2]), "E0902");
    check(delassus_fclib::read(include_bytes!("../../../delassus-fclib/tests/data/new-format.hdf5")), "E0903");
    let damaged = (0..FILE.len()).any(|k| {
        let mut bytes = FILE.to_vec();
        bytes[k] ^= 0xff;
        delassus_fclib::read(&bytes).is_err_and(|e| e.code() == "E0904")
    });
    assert!(damaged, "no byte of the file matters");
    let local =
        |content: Hdf5Group| to_bytes(Hdf5Group::default().with("fclib_local", Hdf5Content::Group(content))).unwrap();
    check(delassus_fclib::read(&local(Hdf5Group::default())), "E0905");
    let other = to_bytes(Hdf5Group::default().with("solution", Hdf5Content::Group(Hdf5Group::default()))).unwrap();
    check(delassus_fclib::read(&other), "E0906");
    let numbers = |n: &[i32]| Hdf5Content::Integers(n.to_vec());
    let w = [("m", &[2][..]), ("n", &[2]), ("nz", &[-2]), ("p", &[0, 2, 4]), ("i", &[0, 1, 0, 1])]
        .into_iter()
        .fold(Hdf5Group::default(), |group, (name, n)| group.with(name, numbers(n)))
        .with("x", Hdf5Content::Floats(vec![1.0, 0.0, 0.0, 1.0]));
    let vectors = Hdf5Group::default().with("q", Hdf5Content::Floats(vec![-1.0, 0.5]));
    let vectors = vectors.with("mu", Hdf5Content::Floats(vec![0.3]));
    let four = Hdf5Group::default().with("spacedim", numbers(&[4]));
    let four = four.with("W", Hdf5Content::Group(w)).with("vectors", Hdf5Content::Group(vectors));
    check(delassus_fclib::read(&local(four)), "E0907");
    let problem = |n: usize, law: Derived<3>| ContactProblem {
        operator: BlockMatrix::from_rows((0..n).map(|i| vec![(i, Matrix::<3>::identity())]).collect()).unwrap(),
        v_free: vec![Vector::<3>::zeros(); n],
        laws: vec![law; n],
    };
    check(delassus_fclib::write(&problem(1, Derived::standard(Cone::Bilateral)), "", ""), "E0908");
    let mut sprung = Derived::standard(Cone::Coulomb(0.3));
    sprung.spring[0] = 1.0;
    check(delassus_fclib::write(&problem(1001, sprung), "", ""), "E0909");
    let wrong = SolveError::Json { path: "a.json".into(), reason: "EOF".into() };
    assert_eq!(RunError::from(wrong).code(), "E0910");
}

/// What no file, case or argument leads to: the code is that of the variant.
#[test]
fn errors_that_nothing_outside_provokes() {
    let place = || vec![0.0, 0.0];
    let fem = [
        (FemError::NoElement { cell: 0, kind: CellKind::Point, dimension: 2 }, "E0561"),
        (FemError::InvertedCell { cell: 0, centre: place(), determinant: -1.0 }, "E0562"),
        (FemError::MasslessNode { node: 0, position: place(), mass: 0.0 }, "E0563"),
        (FemError::Component { component: 7, dimension: 2 }.at("body `a`"), "E0615"),
    ];
    for (error, code) in fem {
        assert_eq!(error.code(), code, "{error}");
    }
    // Quadratic facets are refused before, and all others are linear.
    assert_eq!(delassus_case::codes::NOT_LINEAR, "E0556");
    let body = |source| SimError::Body { body: "a".into(), source };
    let level = CheckpointError::OtherLevel { path: "a.ckpt".into(), found: "x".into(), ours: "y".into() };
    let (what, saved) = ("equation of motion of `a`".to_owned(), Some("out".to_owned()));
    let audit = RunError::Audit { step: 1, time: 0.0, what, error: 1e-3, limit: 1e-8, saved };
    assert!(audit.to_string().contains("error of 1.0e-3, limit 1.0e-8"), "{audit}");
    let run: [(RunError, &str); 7] = [
        (audit, "E0708"),
        (level.into(), "E0826"),
        (RunError::Finished("out".into()), "E0805"),
        (RunError::Plot { path: "a.svg".into(), reason: "no column left_face.vx".into() }, "E0808"),
        (CheckpointError::Damaged { path: "a.ckpt".into(), reason: "checksum".into() }.into(), "E0821"),
        (CheckpointError::Changed { path: "history.csv".into(), step: 1, reason: "gone".into() }.into(), "E0824"),
        (InternalError("x".into()).into(), "E1099"),
    ];
    for (error, code) in run {
        assert_eq!(error.code(), code, "{error}");
    }
    let sim: [(SimError, &str); 4] = [
        (body(DynamicsError::NoModes { wanted: 3, vectors: 40 }), "E0710"),
        (body(DynamicsError::NotPositiveDefinite { matrix: "mass", dof: 0 }), "E0706"),
        (body(DynamicsError::Factorisation { matrix: "mass", reason: "memory".into() }), "E0707"),
        (InternalError("x".into()).into(), "E1099"),
    ];
    for (error, code) in sim {
        assert_eq!(error.code(), code, "{error}");
        let step = RunError::Step { step: 1, time: 0.0, saved: Some("out".into()), source: Box::new(error) };
        assert_eq!(step.code(), code, "a step passes the code on");
    }
}
