//! Frames written and decoded again by code of the tests: the layout of VTK's appended raw data, block by block.

use std::io;

use miniz_oxide::inflate::decompress_to_vec_zlib;
use proptest::prelude::*;
use vtkio::Vtk;
use vtkio::model::{Attribute, DataSet, ElementType, UnstructuredGridPiece, VertexNumbers};

use super::*;
use crate::vtk::Cells;

const PLAIN: VtuEncoding = VtuEncoding { single: false, compress: false };
const PACKED: VtuEncoding = VtuEncoding { single: false, compress: true };

fn write(time: f64, grid: &Grid<'_>, encoding: VtuEncoding) -> Vec<u8> {
    let mut out = Vec::new();
    write_vtu(&mut out, time, grid, encoding).unwrap();
    out
}

/// The tags.
fn head(file: &[u8]) -> String {
    let at = file.windows(15).position(|w| w == b"<AppendedData e").unwrap();
    String::from_utf8(file[..at].to_vec()).unwrap()
}

/// The opening tag of the array called `name`.
fn tag(file: &[u8], name: &str) -> String {
    let key = format!(" Name=\"{name}\"");
    head(file).split('<').find(|t| t.contains(&key)).unwrap_or_else(|| panic!("no array {name}")).to_owned()
}

fn value(tag: &str, key: &str) -> String {
    tag.split_once(&format!(" {key}=\"")).unwrap().1.split('"').next().unwrap().to_owned()
}

/// The bytes of an array.
fn bytes(file: &[u8], name: &str) -> Vec<u8> {
    let tag = tag(file, name);
    assert_eq!(value(&tag, "format"), "appended");
    let mark = b"<AppendedData encoding=\"raw\">\n_";
    let start = file.windows(mark.len()).position(|w| w == mark).unwrap() + mark.len();
    let data = &file[start + value(&tag, "offset").parse::<usize>().unwrap()..];
    let word = |k: usize| u64::from_le_bytes(data[8 * k..8 * k + 8].try_into().unwrap()) as usize;
    if !head(file).contains("compressor=") {
        return data[8..8 + word(0)].to_vec();
    }
    let (blocks, whole, last) = (word(0), word(1), word(2));
    let (mut out, mut at) = (Vec::new(), 8 * (3 + blocks));
    for k in 0..blocks {
        let packed = word(3 + k);
        let block = decompress_to_vec_zlib(&data[at..at + packed]).unwrap();
        assert_eq!(block.len(), if k + 1 == blocks && last > 0 { last } else { whole }, "block {k} of {blocks}");
        out.extend(block);
        at += packed;
    }
    out
}

fn bits(file: &[u8], name: &str) -> Vec<u64> {
    assert_eq!(value(&format!("<{}", tag(file, name)), "type"), "Float64");
    bytes(file, name).as_chunks::<8>().0.iter().map(|b| u64::from_le_bytes(*b)).collect()
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
    for encoding in [PLAIN, PACKED] {
        let file = write(0.5, &grid, encoding);
        assert_eq!(bits(&file, "Points"), bits_of(POINTS.as_flattened()));
        let whole = |name: &str| {
            bytes(&file, name).as_chunks::<8>().0.iter().map(|b| i64::from_le_bytes(*b)).collect::<Vec<_>>()
        };
        assert_eq!(
            (whole("connectivity"), whole("offsets")),
            (CONNECTIVITY.map(|i| i as i64).to_vec(), OFFSETS.map(|i| i as i64).to_vec())
        );
        assert_eq!((bytes(&file, "types"), bytes(&file, "status")), (TYPES.to_vec(), status.to_vec()));
        assert_eq!(bits(&file, "displacement"), bits_of(&displacement));
        assert!(head(&file).contains("<PointData Vectors=\"displacement\">"));
        assert_eq!((bits(&file, "special"), bits(&file, "stress")), (bits_of(&special), bits_of(&stress)));
        assert_eq!(value(&tag(&file, "stress"), "NumberOfComponents"), "6");
        assert_eq!(bytes(&file, "body"), body.iter().flat_map(|i| i.to_le_bytes()).collect::<Vec<_>>());
    }
}

/// The file as `vtkio`'s own reader understands it. That reader knows appended data in base64 only (and unpacks nothing as it is built here), so the bytes of each array
/// are put into that encoding; its tag stays as it is, apart from the offset.
fn read_by_vtkio(file: &[u8]) -> UnstructuredGridPiece {
    let mut text = head(file).replace(" compressor=\"vtkZLibDataCompressor\"", "");
    let mut data = String::new();
    let tags: Vec<String> = text.split('<').filter(|t| t.contains("\"appended\"")).map(str::to_owned).collect();
    for tag in tags {
        let moved =
            tag.replace(&format!("offset=\"{}\"", value(&tag, "offset")), &format!("offset=\"{}\"", data.len()));
        text = text.replacen(&tag, &moved, 1);
        let values = IOBuffer::U8(bytes(file, &value(&tag, "Name")));
        let array = DataArray::from_io_buffer(values, ARRAY_ENCODING).unwrap();
        let [xml::Data::Data(base64)] = array.data.as_slice() else { panic!("no text") };
        data += base64;
    }
    text += &format!("<AppendedData encoding=\"base64\">_{data}</AppendedData></VTKFile>");
    let DataSet::UnstructuredGrid { mut pieces, .. } = Vtk::parse_xml(text.as_bytes()).unwrap().data else {
        panic!("not an unstructured grid")
    };
    assert_eq!(pieces.len(), 1);
    pieces.remove(0).into_loaded_piece_data(None).unwrap()
}

#[test]
fn an_independent_reader_finds_the_same_arrays() {
    let displacement: Vec<f64> = (0..15).map(|i| f64::from(i).sin()).collect();
    let stress: Vec<f64> = (0..12).map(|i| f64::from(i).exp() * -1e5).collect();
    let (status, body) = ([0, 1, 2, 3, 255], [i32::MIN, i32::MAX]);
    let grid = Grid {
        points: &POINTS,
        cells: Cells::new(&CONNECTIVITY, &OFFSETS, &TYPES),
        point_fields: &[Field::vector("displacement", &displacement), Field::scalar("status", Values::U8(&status))],
        cell_fields: &[Field::symmetric_tensor("stress", &stress), Field::scalar("body", Values::I32(&body))],
    };
    let array = |list: &[Attribute], k: usize| match &list[k] {
        Attribute::DataArray(d) => (d.name.clone(), d.elem.clone(), d.data.clone()),
        Attribute::Field { .. } => panic!("a field"),
    };
    for encoding in [PLAIN, PACKED] {
        let piece = read_by_vtkio(&write(0.5, &grid, encoding));
        assert_eq!(piece.points, IOBuffer::F64(POINTS.as_flattened().to_vec()));
        let VertexNumbers::XML { connectivity, offsets } = piece.cells.cell_verts else { panic!("legacy cells") };
        assert_eq!(
            (connectivity, offsets),
            (CONNECTIVITY.map(|i| i as u64).to_vec(), OFFSETS.map(|i| i as u64).to_vec())
        );
        assert_eq!(piece.cells.types.iter().map(|t| *t as u8).collect::<Vec<_>>(), TYPES);
        let (point, cell) = (&piece.data.point, &piece.data.cell);
        assert_eq!((point.len(), cell.len()), (2, 2));
        let float = |values: &[f64]| IOBuffer::F64(values.to_vec());
        assert_eq!(array(point, 0), ("displacement".to_owned(), ElementType::Vectors, float(&displacement)));
        assert!(
            matches!(array(point, 1), (name, _, data) if name == "status" && data == IOBuffer::U8(status.to_vec()))
        );
        assert_eq!(array(cell, 0), ("stress".to_owned(), ElementType::Generic(6), float(&stress)));
        assert!(matches!(array(cell, 1), (name, _, data) if name == "body" && data == IOBuffer::I32(body.to_vec())));
    }
}

/// Arrays just below, at and just above a multiple of the block: VTK's last length is 0 where the last block is whole.
#[test]
fn lengths_around_a_multiple_of_the_block() {
    let n = BLOCK / 8;
    for (count, blocks, last) in [(0, 0, 0), (1, 1, 8), (n - 1, 1, BLOCK - 8), (n, 1, 0), (n + 1, 2, 8), (2 * n, 2, 0)]
    {
        let values: Vec<f64> = (0..count).map(|i| (i as f64).sqrt()).collect();
        let points = vec![[0.0; 3]; count];
        let fields = [Field::scalar("a", Values::F64(&values))];
        let grid = Grid { points: &points, cells: Cells::vertices(count), point_fields: &fields, cell_fields: &[] };
        let file = write(0.0, &grid, PACKED);
        assert_eq!(bits(&file, "a"), bits_of(&values), "{count}");
        let mark = b"<AppendedData encoding=\"raw\">\n_";
        let data = &file[file.windows(mark.len()).position(|w| w == mark).unwrap() + mark.len()..];
        let word = |k: usize| u64::from_le_bytes(data[8 * k..8 * k + 8].try_into().unwrap()) as usize;
        assert_eq!((word(0), word(1), word(2)), (blocks, BLOCK, last), "{count}");
        assert_eq!(crate::vtk::read_vtu(&file).unwrap().point_fields[0].values, values);
    }
}

#[test]
fn single_precision_rounds_and_refuses_what_it_cannot_hold() {
    let single = VtuEncoding { single: true, compress: false };
    let third = [1.0 / 3.0, f64::INFINITY, -0.0];
    let grid =
        |values| Grid { points: &POINTS[..3], cells: Cells::vertices(3), point_fields: values, cell_fields: &[] };
    let fields = [Field::scalar("a", Values::F64(&third))];
    let file = write(0.0, &grid(&fields), single);
    let found: Vec<f32> = bytes(&file, "a").as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b)).collect();
    assert_eq!(found.iter().map(|x| x.to_bits()).collect::<Vec<_>>(), third.map(|x| (x as f32).to_bits()));
    let fields = [Field::scalar("a", Values::F64(&[1.0, -3.5e38, 0.0]))];
    let error = write_vtu(&mut Vec::new(), 0.0, &grid(&fields), single).unwrap_err();
    assert!(matches!(&error, VtkError::Encode { array, .. } if array == "a"), "{error}");
    assert!(error.to_string().contains("-3.5e38 is beyond single precision"), "{error}");
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
        prop_assert_eq!(bits(&write(0.0, &grid, PACKED), "a"), raw);
    }
}

#[test]
fn the_time_reads_back_bit_for_bit() {
    for time in [0.0, 0.1 + 0.2, -1e-7 / 3.0, 5e-324, 1.7e308] {
        let text = head(&write(time, &Grid::default(), PACKED));
        let start = text.split_once("Name=\"TimeValue\"").unwrap().1;
        let value = start.split(['>', '<']).nth(1).unwrap();
        let read: f64 = value.parse().unwrap();
        assert_eq!(read.to_bits(), time.to_bits());
    }
    for time in [f64::NAN, f64::INFINITY] {
        let mut out = Vec::new();
        let error = write_vtu(&mut out, time, &Grid::default(), PACKED).unwrap_err();
        assert!(matches!(error, VtkError::TimeNotFinite { .. }), "{error}");
        assert!(out.is_empty());
    }
}

#[test]
fn components_are_named_in_vtk_order() {
    let grid = Grid {
        points: &POINTS[..1],
        cells: Cells::vertices(1),
        point_fields: &[Field::vector("velocity", &[1.0, 2.0, 3.0])],
        cell_fields: &[Field::symmetric_tensor("stress", &[0.0; 6])],
    };
    let text = write(0.0, &grid, PACKED);
    let names = |name: &str| -> Vec<String> {
        let tag = tag(&text, name);
        (0..tag.matches(" ComponentName").count()).map(|i| value(&tag, &format!("ComponentName{i}"))).collect()
    };
    assert_eq!(names("velocity"), ["X", "Y", "Z"]);
    assert_eq!(names("stress"), ["XX", "YY", "ZZ", "XY", "YZ", "XZ"]);
    assert!(names("Points").is_empty());
    // Only `displacement` is marked: `velocity` must not become what a grid is warped by.
    assert!(!head(&text).contains("Vectors="));
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
    for encoding in [PLAIN, PACKED] {
        let file = write(1.0, &grid, encoding);
        assert!(head(&file).contains("NumberOfPoints=\"0\" NumberOfCells=\"0\""));
        for name in ["Points", "gap", "force", "status", "pair", "connectivity", "offsets", "types"] {
            assert!(bytes(&file, name).is_empty(), "{name}");
        }
        assert_eq!(value(&tag(&file, "force"), "NumberOfComponents"), "3");
    }
}

#[test]
fn names_with_markup_come_back_unchanged() {
    let name = "σ_\"xx\" <MPa> & 'more'";
    let field = Field { component_names: &["<\"&\">"], ..Field::scalar(name, Values::U8(&[7])) };
    let grid = Grid { points: &POINTS[..1], cells: Cells::vertices(1), point_fields: &[field], cell_fields: &[] };
    let file = write(0.0, &grid, PACKED);
    let read = crate::vtk::read_vtu(&file).unwrap();
    assert_eq!((read.point_fields[0].name.as_str(), read.point_fields[0].values.as_slice()), (name, &[7.0][..]));
    assert!(head(&file).contains(" ComponentName0=\"&lt;&quot;&amp;&quot;&gt;\""));
}

#[test]
fn an_invalid_grid_leaves_nothing_behind() {
    let grid = Grid { point_fields: &[Field::vector("v", &[1.0])], ..Grid::default() };
    let mut out = Vec::new();
    let error = write_vtu(&mut out, 0.0, &grid, PACKED).unwrap_err();
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
    let size = write(0.0, &grid, PACKED).len();
    write_vtu(&mut Disk(size), 0.0, &grid, PACKED).unwrap();
    for room in 0..size {
        let error = write_vtu(&mut Disk(room), 0.0, &grid, PACKED).unwrap_err();
        assert!(matches!(error, VtkError::Io(_)), "{room}: {error}");
    }
}
