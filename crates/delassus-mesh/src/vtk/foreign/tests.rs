//! One grid in every encoding; damaged files give an error and never a panic.

use miniz_oxide::deflate::compress_to_vec_zlib;
use proptest::prelude::*;

use super::*;
use crate::mesh_file::MeshFile;
use crate::vtk::{Cells, Field, Grid, Values, write_vtu};

const POINTS: [[f64; 3]; 5] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [2.0, 0.5, 0.0]];
const CONNECTIVITY: [i64; 7] = [0, 1, 2, 3, 1, 4, 2];
const OFFSETS: [i64; 2] = [4, 7];
const TYPES: [i64; 2] = [9, 5];
const TAGS: [i64; 2] = [3, -1];

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let bits = chunk.iter().chain(&[0, 0]).take(3).fold(0_u32, |sum, b| (sum << 8) | u32::from(*b));
        for k in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * k)) as usize & 63] as char;
            out.push(if k > chunk.len() { '=' } else { letter });
        }
    }
    out
}

/// How a test file is written.
#[derive(Clone, Copy)]
struct Form {
    big: bool,
    wide: bool,
    packed: bool,
    place: &'static str,
}

/// The grid in a form, with arrays of types that differ from form to form.
fn written(form: Form) -> Vec<u8> {
    let Form { big, wide, packed, place } = form;
    let order = |mut bytes: Vec<u8>| {
        if big {
            bytes.reverse();
        }
        bytes
    };
    let whole =
        |n: usize| order(if wide { (n as u64).to_le_bytes().to_vec() } else { (n as u32).to_le_bytes().to_vec() });
    let integers = |list: &[i64], n: usize| -> Vec<u8> {
        list.iter().flat_map(|x| order(x.to_le_bytes()[..n].to_vec())).collect()
    };
    let reals = |list: &[[f64; 3]]| -> Vec<u8> {
        list.iter().flatten().flat_map(|x| order(x.to_le_bytes().to_vec())).collect()
    };
    let arrays: [(&str, &str, Vec<u8>, String); 5] = [
        (
            "Float64",
            "Points\" NumberOfComponents=\"3",
            reals(&POINTS),
            format!("{POINTS:?}").replace(['[', ']', ','], " "),
        ),
        (
            "Int32",
            "connectivity",
            integers(&CONNECTIVITY, 4),
            format!("{CONNECTIVITY:?}").replace(['[', ']', ','], " "),
        ),
        ("Int64", "offsets", integers(&OFFSETS, 8), format!("{OFFSETS:?}").replace(['[', ']', ','], " ")),
        ("UInt8", "types", integers(&TYPES, 1), format!("{TYPES:?}").replace(['[', ']', ','], " ")),
        ("Int16", "tag", integers(&TAGS, 2), format!("{TAGS:?}").replace(['[', ']', ','], " ")),
    ];
    let mut appended = Vec::new();
    let mut element = |(kind, name, bytes, text): &(&str, &str, Vec<u8>, String)| {
        let (head, body) = if packed {
            // Two blocks of unequal size.
            let half = bytes.len().div_ceil(2);
            let blocks: Vec<Vec<u8>> = bytes.chunks(half).map(|b| compress_to_vec_zlib(b, 6)).collect();
            let last = if bytes.len() % half == 0 { 0 } else { bytes.len() % half };
            let mut head = [whole(blocks.len()), whole(half), whole(last)].concat();
            blocks.iter().for_each(|b| head.extend(whole(b.len())));
            (head, blocks.concat())
        } else {
            (whole(bytes.len()), bytes.clone())
        };
        let letters =
            if packed { base64(&head) + &base64(&body) } else { base64(&[head.clone(), body.clone()].concat()) };
        let open = format!("<DataArray type=\"{kind}\" Name=\"{name}\" format=");
        match place {
            "ascii" => format!("{open}\"ascii\">\n{text}\n</DataArray>"),
            "binary" => format!("{open}\"binary\">\n  {letters}\n</DataArray>"),
            _ => {
                let offset = appended.len();
                if place == "raw" {
                    appended.extend([head, body].concat());
                } else {
                    appended.extend(letters.bytes());
                }
                format!("{open}\"appended\" offset=\"{offset}\"/>")
            }
        }
    };
    let [points, connectivity, offsets, types, tags] = arrays.each_ref().map(&mut element);
    let mut out = format!(
        "<?xml version=\"1.0\"?>\n<!-- <Piece> --><VTKFile type=\"UnstructuredGrid\" byte_order=\"{}\" header_type=\"{}\"{}><UnstructuredGrid>\
         <Piece NumberOfPoints=\"5\" NumberOfCells=\"2\"><PointData/><CellData Scalars=\"a>b\">{tags}</CellData>\
         <Points>{points}</Points><Cells>{connectivity}{offsets}{types}</Cells></Piece></UnstructuredGrid>",
        if big { "BigEndian" } else { "LittleEndian" },
        if wide { "UInt64" } else { "UInt32" },
        if packed { " compressor=\"vtkZLibDataCompressor\"" } else { "" },
    )
    .into_bytes();
    if !appended.is_empty() {
        let encoding = if place == "raw" { "raw" } else { "base64" };
        out.extend(format!("<AppendedData encoding=\"{encoding}\">\n _").bytes());
        out.extend(appended);
        out.extend(b"\n</AppendedData>");
    }
    out.extend(b"</VTKFile>\n");
    out
}

fn check(bytes: &[u8], what: &str) {
    let draft = read(bytes).unwrap_or_else(|e| panic!("{what}: {e}"));
    assert_eq!(draft.points, POINTS, "{what}");
    assert_eq!(draft.kinds, [CellKind::Quad4, CellKind::Triangle3], "{what}");
    assert_eq!(draft.nodes, [0, 1, 2, 3, 1, 4, 2], "{what}");
    let groups: Vec<_> = draft.groups.iter().map(|g| (g.name.as_str(), g.dim, g.cells.as_slice())).collect();
    assert_eq!(groups, [("tag=-1", 2, &[1][..]), ("tag=3", 2, &[0])], "{what}");
    let mesh = draft.plane().unwrap();
    assert!((mesh.total_measure() - 1.5).abs() < 1e-15);
}

#[test]
fn every_encoding_gives_the_same_mesh() {
    let mut forms = 0;
    for place in ["ascii", "binary", "raw", "base64"] {
        for k in 0..8 {
            let form = Form { big: k & 1 > 0, wide: k & 2 > 0, packed: k & 4 > 0, place };
            check(&written(form), &format!("{place} {k}"));
            forms += 1;
        }
    }
    assert_eq!(forms, 32);
}

/// What this program writes is read too, and two pieces are joined.
#[test]
fn own_files_and_several_pieces() {
    let grid = Grid {
        points: &POINTS,
        cells: Cells::new(&[0, 1, 2, 3, 1, 4, 2], &[4, 7], &[9, 5]),
        point_fields: &[],
        cell_fields: &[
            Field::scalar("tag", Values::I32(&[3, -1])),
            Field::scalar("von_mises", Values::F64(&[1.0, f64::NAN])),
        ],
    };
    let mut out = Vec::new();
    write_vtu(&mut out, 0.0, &grid, crate::vtk::VtuEncoding::default()).unwrap();
    check(&out, "our own");
    let place = |word: &str| out.windows(word.len()).position(|w| w == word.as_bytes()).unwrap();
    let (from, to) = (place("<Piece"), place("</Piece>") + 8);
    // Both have the same arrays.
    let draft = read(&[&out[..to], &out[from..]].concat()).unwrap();
    assert_eq!((draft.points.len(), draft.kinds.len(), draft.nodes[7]), (10, 4, 5));
    assert_eq!(draft.groups[1].cells, [0, 2]);
}

#[test]
fn pixels_voxels_and_others() {
    let ascii = String::from_utf8(written(Form { big: false, wide: true, packed: false, place: "ascii" })).unwrap();
    let pixel = ascii.replace(" 0  1  2  3  1  4  2", " 0  1  3  2  1  4  2").replace(" 9  5 ", " 8  5 ");
    assert_ne!(pixel, ascii);
    check(pixel.as_bytes(), "a pixel");
    let polygon = read(ascii.replace(" 9  5 ", " 7  5 ").as_bytes()).unwrap();
    let text = polygon.plane().unwrap_err().to_string();
    assert!(text.contains("1 × VTK cell type 7 is not supported; supported: Point"), "{text}");
    let solid = read(ascii.replace(" 9  5 ", " 14  5 ").as_bytes()).unwrap();
    assert!(matches!(solid.plane(), Err(MeshError::TooManyDimensions { mesh_dim: 3, count: 1, .. })));
}

#[test]
fn faults_say_what_is_wrong() {
    let ascii = String::from_utf8(written(Form { big: false, wide: true, packed: false, place: "ascii" })).unwrap();
    for (from, to, words) in [
        ("UnstructuredGrid\"", "PolyData\"", "its type is `PolyData`"),
        (" 4  7 ", " 4  8 ", "cell 1: its nodes end at 8, which must lie between 4 and 7"),
        (" 4  7 ", " 4  3 ", "its nodes end at 3"),
        (" 4  7 ", " 3  7 ", "cell 0 (Quad4) has 3 nodes, it must have 4"),
        (" 4  7 ", " 4 ", "1 cells have offsets and 2 have types"),
        (" 1  4  2 ", " 1  5  2 ", "cell 1 refers to point 5 of 5"),
        (" 1  4  2 ", " 1  -1  2 ", "cell 1 refers to point -1"),
        (" 1  4  2 ", " 1  x  2 ", "array `connectivity`: `x` is not a number"),
        ("2.0", "inf", "not triples of finite numbers"),
        ("2.0", "", "not triples of finite numbers"),
        ("\"offsets\"", "\"offset\"", "a piece has no offsets"),
        ("<Piece N", "<Pieces N", "there is no <Piece> element"),
        ("NumberOfComponents=\"3\"", "NumberOfComponents=\"2\"", "points have `2` components"),
        ("UInt64", "UInt16", "header_type `UInt16`"),
        ("LittleEndian", "Middle", "byte_order `Middle`"),
        ("byte_order", "compressor=\"vtkLZ4DataCompressor\" byte_order", "only vtkZLibDataCompressor"),
        ("Int32", "String", "an array has the type `String`"),
        ("Int32", "Float32", "array `connectivity` must have whole numbers"),
        ("\"ascii\"", "\"odd\"", "has the format `odd`"),
        (" 3  -1 ", " 3 ", "array `tag` has 1 values for 2 cells"),
    ] {
        assert!(ascii.contains(from), "{from}");
        let error = read(ascii.replacen(from, to, 1).as_bytes()).expect_err(words);
        assert_eq!(delassus_error::Coded::code(&error).as_str(), "E0447");
        assert!(error.to_string().contains(words), "{error}");
    }
    assert!(read(b"").is_err() && read(b"\xff<VTKFile").is_err() && read(b"<VTKFile").is_err());
}

/// A few bytes that claim to be much, or are.
#[test]
fn bombs_are_refused() {
    let packed = compress_to_vec_zlib(&vec![0; 4 << 20], 9);
    let mut head: Vec<u8> = [1_u64, 4 << 20, 0].iter().flat_map(|x| x.to_le_bytes()).collect();
    head.extend((packed.len() as u64).to_le_bytes());
    let array = base64(&head) + &base64(&packed);
    let file = |array: &str| {
        format!(
            "<VTKFile type=\"UnstructuredGrid\" header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\"><Piece><Points>\
             <DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"binary\">{array}</DataArray></Points></Piece></VTKFile>"
        )
    };
    let error = read(file(&array).as_bytes()).unwrap_err();
    assert_eq!(delassus_error::Coded::code(&error).as_str(), "E0448", "{error}");
    for claim in [[u64::MAX, 8, 0], [1 << 40, 8, 0], [1, u64::MAX, 0], [2, 8, 8]] {
        let head: Vec<u8> = claim.iter().chain(&[8]).flat_map(|x| x.to_le_bytes()).collect();
        assert!(read(file(&base64(&head)).as_bytes()).is_err());
    }
}

proptest! {
    /// Bytes changed and files cut anywhere: an answer, never a panic.
    #[test]
    fn damaged_files_never_panic(k in 0..8_u8, place in 0..4_usize, at in 0.0..1.0_f64, byte: u8, cut: bool) {
        let place = ["ascii", "binary", "raw", "base64"][place];
        let mut bytes = written(Form { big: k & 1 > 0, wide: k & 2 > 0, packed: k & 4 > 0, place });
        let i = (at * bytes.len() as f64) as usize;
        if cut { bytes.truncate(i) } else { bytes[i] = byte }
        if let Ok(draft) = read(&bytes) {
            let _ = (draft.plane(), draft.space(), draft.surface(None));
        }
    }
}
