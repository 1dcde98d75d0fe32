//! What is written reads back; what is damaged gives an error and never a panic.
#![expect(clippy::float_cmp, reason = "values must come back bit for bit")]

use proptest::prelude::*;

use super::*;
use crate::vtk::{Field, Values, write_pvd, write_vtu};

/// A quad and a triangle with one field of each kind.
fn sample() -> Vec<u8> {
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
    write_vtu(&mut out, 0.25, &grid).unwrap();
    out
}

fn edited(from: &str, to: &str) -> Vec<u8> {
    let text = String::from_utf8(sample()).unwrap();
    assert!(text.contains(from), "no `{from}` to be replaced");
    text.replacen(from, to, 1).into_bytes()
}

#[test]
fn a_grid_reads_back() {
    let grid = read_vtu(&sample()).unwrap();
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
    write_vtu(&mut out, 0.0, &grid).unwrap();
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
    write_vtu(&mut out, 0.0, &Grid { points: &points, cells, ..Grid::default() }).unwrap();
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
    check(vec![b'<', 0xff], "byte 1 is not UTF-8");
    check(b"hello".to_vec(), "no <VTKFile>");
    check(edited("\"UnstructuredGrid\"", "\"PolyData\""), "type is `PolyData`");
    check(edited("header_type=\"UInt64\"", "header_type=\"UInt32\""), "header_type is `UInt32`");
    check(edited(" byte_order=", " compressor=\"vtkZLibDataCompressor\" byte_order="), "compressed");
    check(edited("</VTKFile>", ""), "breaks off before </VTKFile>");
    check(edited("<Points>", "<Paints>"), "0 <Points>");
    check(edited("format=\"binary\"", "format=\"ascii\""), "`displacement` is not inline base64");
    check(edited("NumberOfPoints=\"5\"", "NumberOfPoints=\"4\""), "not a VTK file as this program writes it");
    check(edited("NumberOfComponents=\"3\"", "NumberOfComponents=\"x\""), "`displacement` has `x` components");

    // A cell that refers to a point beyond the last: the number 4 of the triangle becomes 7.
    let numbers = |list: &[i64]| {
        use std::fmt::Write as _;
        let bytes = (list.len() as u64 * 8).to_le_bytes().into_iter().chain(list.iter().flat_map(|i| i.to_le_bytes()));
        let mut out = String::new();
        for b in bytes {
            write!(out, "{b:08b}").unwrap();
        }
        // Base64 by bits: six at a time, padded to whole groups of four.
        const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let digit = |bits: &[u8]| {
            let value = bits.iter().fold(0, |v, b| 2 * v + usize::from(b - b'0')) << (6 - bits.len());
            char::from(DIGITS[value])
        };
        let mut text: String = out.as_bytes().chunks(6).map(digit).collect();
        while !text.len().is_multiple_of(4) {
            text.push('=');
        }
        text
    };
    let bad = edited(&numbers(&[0, 1, 2, 3, 1, 4, 2]), &numbers(&[0, 1, 2, 3, 1, 7, 2]));
    let error = read_vtu(&bad).unwrap_err();
    assert!(matches!(error, VtkReadError::Grid(VtkError::NodeOutOfRange { cell: 1, node: 7, count: 5 })), "{error}");
    check(edited(&numbers(&[4, 7]), &numbers(&[8, 7])), "the grid is damaged: cell 0");
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

/// A stretch cut out of an array so that what is left looks like base64 but holds fewer bytes than a length.
#[test]
fn an_array_shorter_than_its_length_is_refused() {
    let text = String::from_utf8(sample()).unwrap();
    let content = text.split("<DataArray").nth(2).unwrap().split_once('>').unwrap().1.split('<').next().unwrap().trim();
    for short in ["AAAAAAAAAA==", "AAAAAAAAAAA", "AAAA====AAAA", "CAAAAAAAAA==", "++//AAA=", "ÄAAAAAAAAAA"] {
        let damaged = text.replacen(content, short, 1);
        assert!(matches!(read_vtu(damaged.as_bytes()), Err(VtkReadError::Format(_))), "{short}");
    }
    assert_eq!(decoded_length("AAAAAAAAAAA="), Some(8));
}

/// RUSTSEC-2026-0194: the time for a tag grew with the square of its attributes.
#[test]
fn tags_of_many_attributes_are_refused() {
    let attributes = |n: usize| (0..n).map(|i| format!(" a{i}=\"\"")).collect::<String>();
    let with = |inside: &str| read_vtu(&edited("<Points>", &format!("<Points{inside}>")));
    assert!(with(&attributes(MOST_ATTRIBUTES)).is_ok());
    for many in [attributes(MOST_ATTRIBUTES + 1), format!(" b='<>'{}", attributes(MOST_ATTRIBUTES))] {
        let e = with(&many).unwrap_err();
        assert!(e.code() == "E0852" && e.to_string().contains("more than 256 attributes"), "{e}");
    }
    for hidden in ["<!-- ' -->", "<?a ' ?>", "<![CDATA[']]>"] {
        let e = read_vtu(&edited("<Points>", &format!("{hidden}<Points{}>", attributes(500)))).unwrap_err();
        assert!(e.to_string().contains("a comment, a declaration or an instruction"), "{e}");
    }
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
