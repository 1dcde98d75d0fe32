//! What is written reads back; what is damaged gives an error and never a panic.
#![expect(clippy::float_cmp, reason = "values must come back bit for bit")]

use proptest::prelude::*;

use super::*;
use crate::vtk::{Field, Values, VtuEncoding, write_pvd, write_vtu};

/// Arrays as they are, so that they can be edited.
const PLAIN: VtuEncoding = VtuEncoding { single: false, compress: false };

/// A quad and a triangle with one field of each kind.
fn sample() -> Vec<u8> {
    encoded(VtuEncoding::default())
}

fn encoded(encoding: VtuEncoding) -> Vec<u8> {
    let points = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [2.0, 0.5, 0.0]];
    let displacement: Vec<f64> = (0..15).map(|i| f64::from(i) / 7.0).collect();
    let grid = Grid {
        points: &points,
        cells: Cells::new(&[0, 1, 2, 3, 1, 4, 2], &[4, 7], &[9, 5]),
        point_fields: &[Field::vector("displacement", &displacement)],
        cell_fields: &[
            Field::scalar("von_mises", Values::F64(&[1.5, f64::NAN])),
            Field::scalar("body", Values::I32(&[0, -1])),
        ],
    };
    let mut out = Vec::new();
    write_vtu(&mut out, 0.25, &grid, encoding).unwrap();
    out
}

/// One stretch of the file replaced by another.
fn edited(from: &[u8], to: &[u8]) -> Vec<u8> {
    let file = encoded(PLAIN);
    let at = file.windows(from.len()).position(|w| w == from).expect("nothing to be replaced");
    [&file[..at], to, &file[at + from.len()..]].concat()
}

fn changed(from: &str, to: &str) -> Vec<u8> {
    edited(from.as_bytes(), to.as_bytes())
}

#[test]
fn a_grid_reads_back() {
    let same = |g: &GridData| format!("{g:?}");
    let grid = read_vtu(&sample()).unwrap();
    assert_eq!(same(&grid), same(&read_vtu(&encoded(PLAIN)).unwrap()));
    assert_eq!((grid.points.len(), grid.n_cells()), (5, 2));
    assert_eq!(grid.points[4], [2.0, 0.5, 0.0]);
    assert_eq!((grid.cell(0), grid.cell(1), grid.cell(2)), (&[0, 1, 2, 3][..], &[1, 4, 2][..], &[][..]));
    assert_eq!(grid.types, [9, 5]);
    let displacement = grid.point_field("displacement", 3).unwrap();
    assert!(displacement.iter().enumerate().all(|(i, x)| *x == i as f64 / 7.0));
    let von_mises = grid.cell_field("von_mises", 1).unwrap();
    assert!(von_mises[0] == 1.5 && von_mises[1].is_nan());
    assert_eq!(grid.cell_field("body", 1).unwrap(), [0.0, -1.0]);
}

#[test]
fn an_empty_grid_reads_back_with_its_fields() {
    let grid = Grid { point_fields: &[Field::vector("force", &[])], ..Grid::default() };
    let mut out = Vec::new();
    write_vtu(&mut out, 0.0, &grid, VtuEncoding::default()).unwrap();
    let grid = read_vtu(&out).unwrap();
    assert_eq!((grid.points.len(), grid.n_cells()), (0, 0));
    assert!(grid.point_field("force", 3).unwrap().is_empty());
}

/// Every kind of cell goes out and comes back with VTK's number, nodes in order.
#[test]
fn every_kind_of_cell_reads_back() {
    let points: Vec<[f64; 3]> = (0..20).map(|i| [f64::from(i), f64::from(i * i), 0.5]).collect();
    let (mut connectivity, mut offsets, mut types) = (Vec::new(), Vec::new(), Vec::new());
    for kind in crate::CellKind::all() {
        connectivity.extend((0..kind.n_nodes()).rev());
        offsets.push(connectivity.len());
        types.push(kind.vtk_id());
    }
    let cells = Cells::new(&connectivity, &offsets, &types);
    let mut out = Vec::new();
    write_vtu(&mut out, 0.0, &Grid { points: &points, cells, ..Grid::default() }, PLAIN).unwrap();
    let grid = read_vtu(&out).unwrap();
    assert_eq!(grid.types, [1, 3, 21, 5, 22, 9, 23, 10, 24, 12, 25, 13]);
    assert_eq!((grid.connectivity, grid.offsets), (connectivity, offsets));
}

#[test]
fn a_missing_field_names_those_there_are() {
    let grid = read_vtu(&sample()).unwrap();
    let error = grid.cell_field("stress", 6).unwrap_err();
    assert!(matches!(error, VtkReadError::NoField { location: Location::Cell, components: 6, .. }));
    for piece in ["cell field `stress`", "6 components", "von_mises (1)", "body (1)"] {
        assert!(error.to_string().contains(piece), "{error}");
    }
    let error = read_vtu(&sample()).unwrap().point_field("displacement", 2).unwrap_err();
    assert!(error.to_string().contains("displacement (3)"), "{error}");
}

#[test]
fn each_kind_of_damage_is_named() {
    let check = |bytes: Vec<u8>, piece: &str| {
        let error = read_vtu(&bytes).unwrap_err();
        assert!(error.to_string().contains(piece), "no `{piece}` in: {error}");
    };
    check(vec![b'<', 0xff], "byte 1 is not text");
    check(b"hello".to_vec(), "no <VTKFile>");
    check(changed("\"UnstructuredGrid\"", "\"PolyData\""), "type is `PolyData`");
    check(changed("header_type=\"UInt64\"", "header_type=\"UInt16\""), "header_type `UInt16`");
    check(
        changed(" byte_order=", " compressor=\"vtkZLibDataCompressor\" byte_order="),
        "is cut off or not well encoded",
    );
    check(changed("</VTKFile>", ""), "breaks off before </VTKFile>");
    check(changed("<Points>", "<Paints>"), "0 <Points>");
    check(changed("format=\"appended\"", "format=\"other\""), "`displacement` has the format `other`");
    check(changed("offset=\"0\"", "offset=\"99999\""), "its offset is not in the appended data");
    check(changed("NumberOfComponents=\"3\"", "NumberOfComponents=\"x\""), "`displacement` has `x` components");
    check(changed("NumberOfComponents=\"3\"", "NumberOfComponents=\"2\""), "point field `displacement` has 15 values");

    let numbers = |list: &[i64]| list.iter().flat_map(|i| i.to_le_bytes()).collect::<Vec<u8>>();
    let bad = edited(&numbers(&[1, 4, 2]), &numbers(&[1, 7, 2]));
    let error = read_vtu(&bad).unwrap_err();
    assert!(matches!(error, VtkReadError::Grid(VtkError::NodeOutOfRange { cell: 1, node: 7, count: 5 })), "{error}");
    check(edited(&numbers(&[4, 7]), &numbers(&[8, 7])), "the grid is damaged: cell 0");
}

/// A frame as versions before 0.7 wrote it: arrays within the elements, in base64.
#[test]
fn frames_of_earlier_versions_are_read() {
    let file = "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n\
        <UnstructuredGrid>\n<FieldData><DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">0.5</DataArray></FieldData>\n\
        <Piece NumberOfPoints=\"1\" NumberOfCells=\"1\">\n<PointData>\n</PointData>\n<CellData>\n\
        <DataArray type=\"UInt8\" Name=\"a\" NumberOfComponents=\"1\" format=\"binary\">AQAAAAAAAAAH</DataArray>\n</CellData>\n<Points>\n\
        <DataArray type=\"Float64\" Name=\"Points\" NumberOfComponents=\"3\" format=\"binary\">GAAAAAAAAAAAAAAAAADwPwAAAAAAAABAAAAAAAAACEA=</DataArray>\n\
        </Points>\n<Cells>\n\
        <DataArray type=\"Int64\" Name=\"connectivity\" NumberOfComponents=\"1\" format=\"binary\">CAAAAAAAAAAAAAAAAAAAAA==</DataArray>\n\
        <DataArray type=\"Int64\" Name=\"offsets\" NumberOfComponents=\"1\" format=\"binary\">CAAAAAAAAAABAAAAAAAAAA==</DataArray>\n\
        <DataArray type=\"UInt8\" Name=\"types\" NumberOfComponents=\"1\" format=\"binary\">AQAAAAAAAAAB</DataArray>\n\
        </Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";
    let grid = read_vtu(file.as_bytes()).unwrap();
    assert_eq!(
        (grid.points, grid.connectivity, grid.offsets, grid.types),
        (vec![[1.0, 2.0, 3.0]], vec![0], vec![1], vec![1])
    );
    assert_eq!(grid.cell_fields[0].values, [7.0]);
}

#[test]
fn a_collection_reads_back() {
    let entries = [(0.0, "fields/a.vtu"), (0.1 + 0.2, "a & b/\"<1>\" &lt;.vtu"), (1e-300, "c.vtu")];
    let mut out = Vec::new();
    write_pvd(&mut out, &entries).unwrap();
    let read = read_pvd(&out).unwrap();
    assert_eq!(read.len(), 3);
    for ((t, f), (time, file)) in entries.iter().zip(&read) {
        assert_eq!((t.to_bits(), *f), (time.to_bits(), file.as_str()));
    }
}

#[test]
fn a_damaged_collection_names_the_entry() {
    let mut out = Vec::new();
    write_pvd(&mut out, &[(0.0, "a.vtu"), (0.5, "b.vtu")]).unwrap();
    let text = String::from_utf8(out).unwrap();
    let check = |from: &str, to: &str, piece: &str| {
        assert!(text.contains(from));
        let error = read_pvd(text.replacen(from, to, 1).as_bytes()).unwrap_err();
        assert!(error.to_string().contains(piece), "{error}");
    };
    check("timestep=\"0.5\"", "timestep=\"soon\"", "entry 2 of the collection: timestep `soon`");
    check("timestep=\"0.5\"", "timestep=\"inf\"", "not a finite number");
    check(" timestep=\"0.5\"", "", "entry 2 of the collection: it has no timestep");
    check(" file=\"a.vtu\"", "", "entry 1 of the collection: it has no file");
    check("Collection", "PolyData", "type is `PolyData`");
    check("</VTKFile>", "", "breaks off");
    assert!(matches!(read_pvd(&[0xff]).unwrap_err(), VtkReadError::NotText { byte: 0 }));
}

/// An array whose length is beyond the end of the file.
#[test]
fn an_array_shorter_than_its_length_is_refused() {
    let length = 120_u64.to_le_bytes();
    for wrong in [u64::MAX, 1 << 40, 4000] {
        let e = read_vtu(&edited(&length, &wrong.to_le_bytes())).unwrap_err();
        assert!(e.code() == "E0852" && e.to_string().contains("cut off"), "{e}");
    }
}

/// The time for a tag must not grow with the square of its attributes.
#[test]
fn tags_of_many_attributes_cost_no_more_than_their_length() {
    let attributes: String = (0..200_000).map(|i| format!(" a{i}=\"\"")).collect();
    assert!(read_vtu(&changed("<Points>", &format!("<Points{attributes}>"))).is_ok());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    /// One stretch of the file replaced by something else.
    #[test]
    fn no_damage_makes_the_readers_panic(at in 0.0..1.0_f64, length in 0_usize..200, new in ".{0,12}", kind in 0..4) {
        let mut bytes = sample();
        let from = (at * bytes.len() as f64) as usize;
        let to = (from + length).min(bytes.len());
        match kind {
            0 => bytes.truncate(from),
            1 => { bytes.drain(from..to); }
            2 => { bytes.splice(from..to, new.bytes()); }
            _ => bytes[from] = bytes[from].wrapping_add(1 + (length % 255) as u8),
        }
        if let Ok(grid) = read_vtu(&bytes) {
            // Whatever was accepted can be used without care.
            for i in 0..grid.n_cells() {
                prop_assert!(grid.cell(i).iter().all(|&n| n < grid.points.len()));
            }
            for f in &grid.point_fields {
                prop_assert_eq!(f.values.len(), f.components * grid.points.len());
            }
        }
        let _ = read_pvd(&bytes);
    }
}
