//! XML unstructured grids: tags as text, arrays as raw bytes behind them.
//!
//! ```text
//! plain         [bytes][values]
//! compressed    [blocks][bytes of a block][bytes of the last block, 0 if it is whole][packed bytes of each block …][packed blocks …]
//! ```
//!
//! Lengths have 64 bits. A block is a zlib stream of its own, as VTK's writers make it; the last one is whole if the length of an array is a multiple of the block.
//!
//! `vtkio` encodes the values of an array (`IOBuffer` → length and little-endian bytes) and writes its element (`DataArray`: type, name, components, format).
//! Ours are the blocks (those of `vtkio` end with an empty one if the last is whole), the names of components, offsets beyond 32 bits, and the frame around the arrays.

#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::fmt::Display;
use std::io::Write;

use miniz_oxide::deflate::compress_to_vec_zlib;
use vtkio::IOBuffer;
use vtkio::model::ByteOrder;
use vtkio::xml::{self, Compressor, DataArray, DataArrayFormat, EncodingInfo, ScalarType};

use super::text::escape;
use super::{Field, Grid, Values, VtkError};

/// How the numbers of a grid are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VtuEncoding {
    /// Numbers that are not whole have 32 bits instead of 64; those beyond the largest of these are refused.
    pub single: bool,
    /// Arrays are packed by zlib.
    pub compress: bool,
}

impl Default for VtuEncoding {
    fn default() -> Self {
        Self { single: false, compress: true }
    }
}

/// Bytes of a block before it is packed.
const BLOCK: usize = 1 << 16;

/// zlib's level: what higher levels save of such numbers is a hundredth, for twice the time.
const LEVEL: u8 = 3;

/// How `vtkio` encodes an array before it is packed; agrees with the attributes of `<VTKFile>`.
const ARRAY_ENCODING: EncodingInfo = EncodingInfo {
    byte_order: ByteOrder::LittleEndian,
    header_type: ScalarType::UInt64,
    compressor: Compressor::None,
    compression_level: 0,
};

/// Bytes of the length before the values of such an array.
const LENGTH: usize = 8;

/// How `vtkio` ends an element without content.
const CLOSE_ARRAY: &str = "/>";

/// The point field that readers should warp the grid by.
const WARP_FIELD: &str = "displacement";

/// Writes `grid` at `time` (in seconds) as an XML unstructured grid and flushes `w`. The grid is checked first; nothing is
/// written if it is not valid.
pub fn write_vtu(w: &mut impl Write, time: f64, grid: &Grid<'_>, encoding: VtuEncoding) -> Result<(), VtkError> {
    if !time.is_finite() {
        return Err(VtkError::TimeNotFinite { of: "the grid".to_owned(), time });
    }
    grid.check()?;
    let (n_points, n_cells) = (grid.points.len(), grid.cells.count());
    let mut arrays = Arrays { encoding, data: Vec::new() };
    let compressor = if encoding.compress { " compressor=\"vtkZLibDataCompressor\"" } else { "" };
    writeln!(
        w,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\"{compressor}>\n\
         <UnstructuredGrid>\n\
         <FieldData><DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">{time:?}</DataArray></FieldData>\n\
         <Piece NumberOfPoints=\"{n_points}\" NumberOfCells=\"{n_cells}\">"
    )?;
    let warp = |f: &Field<'_>| f.name == WARP_FIELD && f.components == 3;
    if grid.point_fields.iter().any(warp) {
        writeln!(w, "<PointData Vectors=\"{WARP_FIELD}\">")?;
    } else {
        writeln!(w, "<PointData>")?;
    }
    grid.point_fields.iter().try_for_each(|field| arrays.field(w, field))?;
    writeln!(w, "</PointData>\n<CellData>")?;
    grid.cell_fields.iter().try_for_each(|field| arrays.field(w, field))?;
    writeln!(w, "</CellData>\n<Points>")?;
    let points = Values::F64(grid.points.as_flattened());
    arrays.field(w, &Field { name: "Points", components: 3, component_names: &[], values: points })?;
    writeln!(w, "</Points>\n<Cells>")?;
    // Signed 64-bit integers are VTK's own index type; lengths of slices always fit.
    for (name, indices) in [("connectivity", &grid.cells.connectivity), ("offsets", &grid.cells.offsets)] {
        let values = IOBuffer::I64(indices.iter().map(|&i| i as i64).collect());
        arrays.add(w, name, 1, &[], values)?;
    }
    arrays.field(w, &Field::scalar("types", Values::U8(&grid.cells.types)))?;
    // A reader of raw data looks for the line break before the last tag.
    w.write_all(b"</Cells>\n</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_")?;
    w.write_all(&arrays.data)?;
    w.write_all(b"\n</AppendedData>\n</VTKFile>\n")?;
    w.flush()?;
    Ok(())
}

/// Numbers in single precision.
fn in_single(array: &str, values: &[f64]) -> Result<Vec<f32>, VtkError> {
    if let Some(large) = values.iter().find(|x| x.is_finite() && !(**x as f32).is_finite()) {
        return Err(refused(array, format!("{large:e} is beyond single precision; write it in double precision")));
    }
    Ok(values.iter().map(|x| *x as f32).collect())
}

fn refused(array: &str, reason: impl Display) -> VtkError {
    VtkError::Encode { array: array.to_owned(), reason: reason.to_string() }
}

/// The arrays so far.
struct Arrays {
    encoding: VtuEncoding,
    data: Vec<u8>,
}

impl Arrays {
    fn field(&mut self, w: &mut impl Write, field: &Field<'_>) -> Result<(), VtkError> {
        let values = match field.values {
            Values::F64(v) if self.encoding.single => IOBuffer::F32(in_single(field.name, v)?),
            Values::F64(v) => IOBuffer::F64(v.to_vec()),
            Values::I32(v) => IOBuffer::I32(v.to_vec()),
            Values::U8(v) => IOBuffer::U8(v.to_vec()),
        };
        // `Grid::check` bounds the components by i32::MAX.
        self.add(w, field.name, field.components as u32, field.component_names, values)
    }

    /// Writes the element of an array, and keeps its bytes for the end of the file.
    fn add(
        &mut self,
        w: &mut impl Write,
        name: &str,
        components: u32,
        component_names: &[&str],
        values: IOBuffer,
    ) -> Result<(), VtkError> {
        let element = DataArray {
            scalar_type: values.scalar_type().into(),
            name: name.to_owned(),
            // A single component goes without saying: meshio makes a column of a scalar that says so.
            num_comp: components,
            format: DataArrayFormat::Appended,
            offset: None,
            range_min: None,
            range_max: None,
            data: Vec::new(),
        };
        let mut text = xml::se::to_string(&element).map_err(|e| refused(name, e))?;
        if !text.ends_with(CLOSE_ARRAY) {
            return Err(refused(name, "its element has content"));
        }
        text.truncate(text.len() - CLOSE_ARRAY.len());
        for (i, component) in component_names.iter().enumerate() {
            text += &format!(" ComponentName{i}=\"{}\"", escape(component));
        }
        writeln!(w, "{text} offset=\"{}\"{CLOSE_ARRAY}", self.data.len())?;
        self.keep(values).map_err(|e| refused(name, e))
    }

    fn keep(&mut self, values: IOBuffer) -> Result<(), vtkio::model::Error> {
        let (encoding, data) = (self.encoding, RefCell::new(&mut self.data));
        // What should make text of the bytes takes them as they are: the length, then the values.
        let keep = |bytes: &[u8], _: &mut String| {
            let mut data = data.borrow_mut();
            if encoding.compress { pack(&mut data, &bytes[LENGTH..]) } else { data.extend(bytes) }
        };
        values.into_bytes_with_size_encoded(ARRAY_ENCODING, keep).map(|_| ())
    }
}

/// Adds the blocks of an array.
fn pack(data: &mut Vec<u8>, bytes: &[u8]) {
    let packed: Vec<Vec<u8>> = bytes.chunks(BLOCK).map(|block| compress_to_vec_zlib(block, LEVEL)).collect();
    let head = [packed.len(), BLOCK, bytes.len() % BLOCK];
    let lengths = head.into_iter().chain(packed.iter().map(Vec::len));
    data.extend(lengths.flat_map(|n| (n as u64).to_le_bytes()));
    packed.iter().for_each(|block| data.extend(block));
}
