//! Frames written and read again by another library.

use std::io;

use proptest::prelude::*;
use vtkio::Vtk;
use vtkio::model::{Attribute, DataSet, ElementType, UnstructuredGridPiece, VertexNumbers};

use super::*;

fn write(time: f64, grid: &Grid<'_>) -> String {
    let mut out = Vec::new();
    write_vtu(&mut out, time, grid).unwrap();
    String::from_utf8(out).unwrap()
}

/// The file as `vtkio`'s own reader understands it.
fn read(text: &str) -> UnstructuredGridPiece {
    let vtk = Vtk::parse_xml(text.as_bytes()).unwrap();
    let DataSet::UnstructuredGrid { mut pieces, .. } = vtk.data else {
        panic!("not an unstructured grid");
    };
    assert_eq!(pieces.len(), 1);
    pieces.remove(0).into_loaded_piece_data(None).unwrap()
}

fn array<'a>(attributes: &'a [Attribute], name: &str) -> (&'a IOBuffer, &'a ElementType) {
    attributes
        .iter()
        .find_map(|a| match a {
            Attribute::DataArray(d) if d.name == name => Some((&d.data, &d.elem)),
            _ => None,
        })
        .unwrap_or_else(|| panic!("no array {name}"))
}

fn bits(buffer: &IOBuffer) -> Vec<u64> {
    let IOBuffer::F64(v) = buffer else { panic!("not Float64") };
    v.iter().map(|x| x.to_bits()).collect()
}

fn bits_of(values: &[f64]) -> Vec<u64> {
    values.iter().map(|x| x.to_bits()).collect()
}

const POINTS: [[f64; 3]; 5] =
    [[0.0, -0.0, 1e-300], [1.0, 0.1 + 0.2, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [2.0, 0.5, -1.0 / 3.0]];
/// A quad and a triangle.
const CONNECTIVITY: [usize; 7] = [0, 1, 2, 3, 1, 4, 2];
const OFFSETS: [usize; 2] = [4, 7];
const TYPES: [u8; 2] = [9, 5];

#[test]
fn every_value_comes_back_bit_for_bit() {
    let displacement: Vec<f64> = (0..15).map(|i| f64::from(i).sin()).collect();
    let special = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, 5e-324];
    let stress: Vec<f64> = (0..12).map(|i| f64::from(i).exp() * -1e5).collect();
    let (status, body) = ([0, 1, 2, 3, 255], [i32::MIN, i32::MAX]);
    let grid = Grid {
        points: &POINTS,
        cells: Cells::new(&CONNECTIVITY, &OFFSETS, &TYPES),
        point_fields: &[
            Field::vector("displacement", &displacement),
            Field::scalar("special", Values::F64(&special)),
            Field::scalar("status", Values::U8(&status)),
        ],
        cell_fields: &[Field::symmetric_tensor("stress", &stress), Field::scalar("body", Values::I32(&body))],
    };
    let piece = read(&write(0.5, &grid));
    assert_eq!(bits(&piece.points), bits_of(POINTS.as_flattened()));
    let VertexNumbers::XML { connectivity, offsets } = piece.cells.cell_verts else {
        panic!("legacy cells");
    };
    assert_eq!(connectivity, CONNECTIVITY.map(|i| i as u64));
    assert_eq!(offsets, OFFSETS.map(|i| i as u64));
    assert_eq!(piece.cells.types.len(), 2);
    assert!(piece.cells.types.iter().zip(TYPES).all(|(&a, b)| a as u8 == b));
    let (point, cell) = (&piece.data.point, &piece.data.cell);
    assert_eq!((point.len(), cell.len()), (3, 2));
    let (values, elem) = array(point, "displacement");
    assert_eq!(bits(values), bits_of(&displacement));
    // The reader gives this kind only to the field that PointData names in its Vectors attribute.
    assert!(matches!(elem, ElementType::Vectors));
    assert_eq!(bits(array(point, "special").0), bits_of(&special));
    assert_eq!(*array(point, "status").0, IOBuffer::U8(status.to_vec()));
    let (values, elem) = array(cell, "stress");
    assert_eq!(bits(values), bits_of(&stress));
    assert!(matches!(elem, ElementType::Generic(6)));
    assert_eq!(*array(cell, "body").0, IOBuffer::I32(body.to_vec()));
}

proptest! {
    #[test]
    fn any_bits_survive(raw in prop::collection::vec(any::<u64>(), 0..300)) {
        let values: Vec<f64> = raw.iter().map(|&b| f64::from_bits(b)).collect();
        let points = vec![[0.0; 3]; values.len()];
        let grid = Grid {
            points: &points,
            cells: Cells::vertices(values.len()),
            point_fields: &[Field::scalar("a", Values::F64(&values))],
            cell_fields: &[],
        };
        let piece = read(&write(0.0, &grid));
        prop_assert_eq!(bits(array(&piece.data.point, "a").0), raw);
    }
}

#[test]
fn the_time_reads_back_bit_for_bit() {
    for time in [0.0, 0.1 + 0.2, -1e-7 / 3.0, 5e-324, 1.7e308] {
        let text = write(time, &Grid::default());
        let start = text.split_once("Name=\"TimeValue\"").unwrap().1;
        let value = start.split(['>', '<']).nth(1).unwrap();
        let read: f64 = value.parse().unwrap();
        assert_eq!(read.to_bits(), time.to_bits());
    }
    for time in [f64::NAN, f64::INFINITY] {
        let mut out = Vec::new();
        let error = write_vtu(&mut out, time, &Grid::default()).unwrap_err();
        assert!(matches!(error, VtkError::TimeNotFinite { .. }), "{error}");
        assert!(out.is_empty());
    }
}

/// The opening tag of the array called `name`.
fn tag<'a>(text: &'a str, name: &str) -> &'a str {
    let key = format!(" Name=\"{name}\"");
    text.split('<').find(|t| t.contains(&key)).unwrap()
}

#[test]
fn components_are_named_in_vtk_order() {
    let grid = Grid {
        points: &POINTS[..1],
        cells: Cells::vertices(1),
        point_fields: &[Field::vector("velocity", &[1.0, 2.0, 3.0])],
        cell_fields: &[Field::symmetric_tensor("stress", &[0.0; 6])],
    };
    let text = write(0.0, &grid);
    let names = |name: &str| -> Vec<String> {
        let tag = tag(&text, name);
        let name_of = |i| {
            let rest = tag.split_once(&format!(" ComponentName{i}=\"")).unwrap().1;
            rest.split('"').next().unwrap().to_owned()
        };
        (0..tag.matches(" ComponentName").count()).map(name_of).collect()
    };
    assert_eq!(names("velocity"), ["X", "Y", "Z"]);
    assert_eq!(names("stress"), ["XX", "YY", "ZZ", "XY", "YZ", "XZ"]);
    assert!(names("Points").is_empty());
    // Only `displacement` is marked: `velocity` must not become what a grid is warped by.
    assert!(!text.contains("Vectors="));
}

#[test]
fn an_empty_frame_declares_all_its_arrays() {
    let grid = Grid {
        point_fields: &[
            Field::scalar("gap", Values::F64(&[])),
            Field::vector("force", &[]),
            Field::scalar("status", Values::U8(&[])),
        ],
        cell_fields: &[Field::scalar("pair", Values::I32(&[]))],
        ..Grid::default()
    };
    let text = write(1.0, &grid);
    assert!(text.contains("NumberOfPoints=\"0\" NumberOfCells=\"0\""));
    let piece = read(&text);
    assert_eq!(piece.points, IOBuffer::F64(vec![]));
    assert!(piece.cells.types.is_empty());
    assert_eq!((piece.data.point.len(), piece.data.cell.len()), (3, 1));
    let (values, elem) = array(&piece.data.point, "force");
    assert_eq!(*values, IOBuffer::F64(vec![]));
    assert!(matches!(elem, ElementType::Generic(3)));
    assert_eq!(*array(&piece.data.cell, "pair").0, IOBuffer::I32(vec![]));
}

#[test]
fn names_with_markup_come_back_unchanged() {
    let name = "σ_\"xx\" <MPa> & 'more'";
    let field = Field { component_names: &["<\"&\">"], ..Field::scalar(name, Values::U8(&[7])) };
    let grid = Grid { points: &POINTS[..1], cells: Cells::vertices(1), point_fields: &[field], cell_fields: &[] };
    let text = write(0.0, &grid);
    assert_eq!(*array(&read(&text).data.point, name).0, IOBuffer::U8(vec![7]));
    assert!(text.contains(" ComponentName0=\"&lt;&quot;&amp;&quot;&gt;\""));
}

#[test]
fn an_invalid_grid_leaves_nothing_behind() {
    let grid = Grid { point_fields: &[Field::vector("v", &[1.0])], ..Grid::default() };
    let mut out = Vec::new();
    let error = write_vtu(&mut out, 0.0, &grid).unwrap_err();
    assert!(matches!(error, VtkError::FieldLength { .. }), "{error}");
    assert!(out.is_empty());
}

/// A disk with room for so many bytes, taking at most ten at a time.
struct Disk(usize);

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = bytes.len().min(10).min(self.0);
        self.0 -= n;
        if n == 0 && !bytes.is_empty() {
            return Err(io::ErrorKind::StorageFull.into());
        }
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_is_an_error_wherever_it_fills_up() {
    let grid = Grid { points: &POINTS, cells: Cells::new(&CONNECTIVITY, &OFFSETS, &TYPES), ..Grid::default() };
    let size = write(0.0, &grid).len();
    write_vtu(&mut Disk(size), 0.0, &grid).unwrap();
    for room in 0..size {
        let error = write_vtu(&mut Disk(room), 0.0, &grid).unwrap_err();
        assert!(matches!(error, VtkError::Io(_)), "{room}: {error}");
    }
}

#[test]
fn encoding_errors_name_the_array() {
    let error = encode_error("stress", &xml::Error::InvalidType);
    assert!(matches!(&error, VtkError::Encode { array, .. } if array == "stress"));
    assert!(error.to_string().starts_with("array `stress` could not be encoded"));
}
