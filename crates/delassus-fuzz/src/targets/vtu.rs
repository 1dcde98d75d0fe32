//! A frame of results, as `delassus report` reads it back.

use delassus_mesh::vtk::read_vtu;

use super::{Answer, Bound, Form, FuzzTarget};

/// Grids.
pub const TARGET: FuzzTarget = FuzzTarget { name: "vtu", form: Form::Text, words, memory: Bound::READER, run };

pub(super) fn words() -> Vec<String> {
    let words =
        ["VTKFile", "UnstructuredGrid", "Piece", "Points", "Cells", "PointData", "CellData", "DataArray", "FieldData"];
    let tags = words.into_iter().flat_map(|word| [format!("<{word} "), format!("</{word}>"), format!("<{word}/>")]);
    let attributes = [
        "type=\"Float64\"",
        "type=\"UInt8\"",
        "type=\"Int32\"",
        "type=\"Bit\"",
        "type=\"String\"",
        "format=\"ascii\"",
        "format=\"appended\"",
        "format=\"binary\"",
        "NumberOfComponents=\"3\"",
        "NumberOfTuples=\"1\"",
        "compressor=\"vtkZLibDataCompressor\"",
        "header_type=\"UInt32\"",
        "byte_order=\"BigEndian\"",
        "AAAAAAAAAAA=",
        "/////////////w==",
        "<!--",
        "-->",
        "<![CDATA[",
        "<!DOCTYPE",
        "&#0;",
        "&amp;",
        "_",
    ];
    tags.chain(attributes.into_iter().map(str::to_owned)).collect()
}

fn run(input: &[u8]) -> Answer {
    Answer::of(read_vtu(input), |grid| {
        vec![grid.points.len(), grid.types.len(), grid.point_fields.len(), grid.cell_fields.len()]
    })
}
