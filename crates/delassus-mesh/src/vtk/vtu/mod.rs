//! XML unstructured grids.
//!
//! Each array goes through `vtkio`: `IOBuffer` (values) → `DataArray` (base64, type, name, components) → XML text. Only
//! one array is held as text at a time. The text is handed over with `write_all`: `vtkio`'s own stream writer ignores
//! short writes and drops the error of its last flush, so that a full disk would look like success.

#[cfg(test)]
mod tests;

use std::io::Write;

use vtkio::IOBuffer;
use vtkio::model::ByteOrder;
use vtkio::xml::{self, Compressor, DataArray, EncodingInfo, ScalarType};

use super::text::escape;
use super::{Cells, Field, Grid, Values, VtkError};

/// How every array is encoded; must agree with the attributes of [`OPEN_FILE`].
const ENCODING: EncodingInfo = EncodingInfo {
    byte_order: ByteOrder::LittleEndian,
    header_type: ScalarType::UInt64,
    compressor: Compressor::None,
    compression_level: 0,
};

const OPEN_FILE: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
    <VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n\
    <UnstructuredGrid>\n";

const CLOSE_FILE: &str = "</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";

/// The start of a data array as `vtkio` serialises it.
const OPEN_ARRAY: &str = "<DataArray";

/// The point field that readers should warp the grid by.
const WARP_FIELD: &str = "displacement";

/// Writes `grid` at `time` (in seconds) as an XML unstructured grid and flushes `w`. The grid is checked first; nothing is
/// written if it is not valid.
pub fn write_vtu(w: &mut impl Write, time: f64, grid: &Grid<'_>) -> Result<(), VtkError> {
    if !time.is_finite() {
        return Err(VtkError::TimeNotFinite { of: "the grid".to_owned(), time });
    }
    grid.check()?;
    let (n_points, n_cells) = (grid.points.len(), grid.cells.count());
    w.write_all(OPEN_FILE.as_bytes())?;
    writeln!(
        w,
        "<FieldData><DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">{time:?}</DataArray></FieldData>"
    )?;
    writeln!(w, "<Piece NumberOfPoints=\"{n_points}\" NumberOfCells=\"{n_cells}\">")?;
    let warp = |f: &Field<'_>| f.name == WARP_FIELD && f.components == 3;
    if grid.point_fields.iter().any(warp) {
        writeln!(w, "<PointData Vectors=\"{WARP_FIELD}\">")?;
    } else {
        writeln!(w, "<PointData>")?;
    }
    write_fields(w, grid.point_fields)?;
    writeln!(w, "</PointData>\n<CellData>")?;
    write_fields(w, grid.cell_fields)?;
    writeln!(w, "</CellData>\n<Points>")?;
    let points = IOBuffer::F64(grid.points.as_flattened().to_vec());
    write_array(w, "Points", 3, &[], points)?;
    writeln!(w, "</Points>\n<Cells>")?;
    write_cells(w, &grid.cells)?;
    writeln!(w, "</Cells>")?;
    w.write_all(CLOSE_FILE.as_bytes())?;
    w.flush()?;
    Ok(())
}

fn write_fields(w: &mut impl Write, fields: &[Field<'_>]) -> Result<(), VtkError> {
    for field in fields {
        let values = match field.values {
            Values::F64(v) => IOBuffer::F64(v.to_vec()),
            Values::I32(v) => IOBuffer::I32(v.to_vec()),
            Values::U8(v) => IOBuffer::U8(v.to_vec()),
        };
        // `Grid::check` bounds the components by i32::MAX.
        let components = field.components as u32;
        write_array(w, field.name, components, field.component_names, values)?;
    }
    Ok(())
}

fn write_cells(w: &mut impl Write, cells: &Cells<'_>) -> Result<(), VtkError> {
    // Signed 64-bit integers are VTK's own index type; lengths of slices always fit.
    let indices = |list: &[usize]| IOBuffer::I64(list.iter().map(|&i| i as i64).collect());
    write_array(w, "connectivity", 1, &[], indices(&cells.connectivity))?;
    write_array(w, "offsets", 1, &[], indices(&cells.offsets))?;
    write_array(w, "types", 1, &[], IOBuffer::U8(cells.types.to_vec()))
}

/// Writes one array, with its component names put into the tag that `vtkio` opens.
fn write_array(
    w: &mut impl Write,
    name: &str,
    components: u32,
    component_names: &[&str],
    values: IOBuffer,
) -> Result<(), VtkError> {
    let mut array = DataArray::from_io_buffer(values, ENCODING)
        .map_err(|e| encode_error(name, &e))?
        .with_name(name)
        .with_num_comp(components);
    // The range is optional. vtkio takes it over single components where VTK means the norm of a tuple, and would print
    // infinities.
    array.range_min = None;
    array.range_max = None;
    let text = xml::se::to_string(&array).map_err(|e| encode_error(name, &e.into()))?;
    let Some(rest) = text.strip_prefix(OPEN_ARRAY) else {
        return Err(encode_error(name, &xml::Error::Unknown));
    };
    write!(w, "{OPEN_ARRAY}")?;
    for (i, component) in component_names.iter().enumerate() {
        write!(w, " ComponentName{i}=\"{}\"", escape(component))?;
    }
    w.write_all(rest.as_bytes())?;
    writeln!(w)?;
    Ok(())
}

fn encode_error(array: &str, reason: &xml::Error) -> VtkError {
    VtkError::Encode { array: array.to_owned(), reason: reason.to_string() }
}
