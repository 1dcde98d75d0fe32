//! Frames of a results folder for other programs.
//!
//! `blocks.pvd`: a multi-block data set for each frame, with a block for every body and every contact pair under its name. ParaView lists the blocks, so that they can be
//! hidden and coloured one by one. The arrays are those of `fields.pvd` and `contacts.pvd`.
//!
//! `solid.pvd`: the frames of axisymmetric bodies turned to solids (`revolved`).
//!
//! `fields.vtkhdf`: all frames of `fields.pvd` in one file of the format VTKHDF, version 2.0, which VTK 9.3 and ParaView 5.12 read. Values have the bits of the frames:
//!
//! ```text
//! /VTKHDF  Version = [2, 0], Type = UnstructuredGrid
//!   NumberOfPoints, NumberOfCells, NumberOfConnectivityIds     of each part: one for frames with one mesh
//!   Points, Connectivity, Offsets, Types                       of all parts, one after the other
//!   PointData, CellData                                        of all frames, one after the other
//!   Steps  NSteps, Values (times), NumberOfParts, PartOffsets, PointOffsets, CellOffsets, ConnectivityIdOffsets
//!     PointDataOffsets, CellDataOffsets                        where the values of a frame begin
//! ```

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use delassus_chart::svg::escape;
use delassus_error::input::{RECORD, read_file};
use delassus_mesh::vtk::{
    Cells, Field, FieldData, Grid, GridData, Values, VtkError, VtkReadError, VtuEncoding, write_pvd, write_vtu,
};
use delassus_run::lock::{Holder, Lock};
use delassus_run::results::{Folder, NAMES};
use hdf5_pure::{AttrValue, FileBuilder};

use crate::error::ReportError;
use crate::folder::Results;
use crate::revolved::revolved;

/// The collection of blocks.
const BLOCKS: &str = "blocks.pvd";
/// The folder of its files.
const BLOCK_FOLDER: &str = "blocks";
/// All frames in one file.
const VTKHDF: &str = "fields.vtkhdf";
/// The collection of solids.
const SOLID: &str = "solid.pvd";
/// The folder of its files.
const SOLID_FOLDER: &str = "solid";

/// The arrays that frames have as 32-bit whole numbers (`run/src/writer`).
const WHOLE: [&str; 4] = ["body", "material", "pair", "status"];

fn is_whole(field: &FieldData) -> bool {
    WHOLE.contains(&field.name.as_str())
}

/// What frames are written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportFormat {
    /// Named blocks.
    Blocks,
    /// VTKHDF.
    Vtkhdf,
    /// Solids of revolution, of this many sectors.
    Solid(usize),
}

/// Writes the frames of a results folder into it; the file to open, and how many frames it has.
///
/// # Errors
/// What cannot be read, or written; a run without frames.
pub fn export(folder: &Path, format: ExportFormat) -> Result<(PathBuf, usize), ReportError> {
    Results::check_folder(folder)?;
    let _lock = Lock::take(folder, Holder::Report)?;
    let results = Results::read(folder)?;
    if results.fields.is_empty() {
        return Err(ReportError::NoPictures(folder.to_owned()));
    }
    let out = Folder::open(folder);
    match format {
        ExportFormat::Blocks => write_blocks(&results, &out)?,
        ExportFormat::Solid(sectors) => write_solid(&results, &out, sectors)?,
        ExportFormat::Vtkhdf => {
            let bytes = vtkhdf(&results)?.finish();
            let bytes = bytes.map_err(|e| damaged(&out.file(VTKHDF), &e.to_string()))?;
            out.write(VTKHDF, &bytes)?;
        }
    }
    let file = match format {
        ExportFormat::Blocks => BLOCKS,
        ExportFormat::Vtkhdf => VTKHDF,
        ExportFormat::Solid(_) => SOLID,
    };
    Ok((out.file(file), results.fields.len()))
}

fn damaged(path: &Path, reason: &str) -> ReportError {
    ReportError::Damaged { path: path.to_owned(), reason: reason.to_owned() }
}

/// Number and name of the things of a kind, from `names.csv`.
fn names(folder: &Path, kind: &str) -> Result<Vec<(usize, String)>, ReportError> {
    let path = folder.join(NAMES);
    let bytes = read_file(&path, RECORD)?;
    let text = std::str::from_utf8(&bytes).map_err(|_| damaged(&path, "it is not text"))?;
    let rows = rows(text).ok_or_else(|| damaged(&path, "a quoted name does not end"))?;
    let mut found = Vec::new();
    for row in rows.iter().skip(1).filter(|row| row.first().is_some_and(|k| k == kind)) {
        let [_, number, name] = &row[..] else { return Err(damaged(&path, "a line has not three values")) };
        let number = number.parse().map_err(|_| damaged(&path, &format!("`{number}` is no number")))?;
        found.push((number, name.clone()));
    }
    Ok(found)
}

/// The rows of a table with commas, in which values may be quoted; `None` if a quote does not end.
fn rows(text: &str) -> Option<Vec<Vec<String>>> {
    let (mut out, mut row, mut value, mut quoted) = (Vec::new(), Vec::new(), String::new(), false);
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '"' if quoted && rest.peek() == Some(&'"') => {
                value.push('"');
                rest.next();
            }
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(std::mem::take(&mut value)),
            '\n' if !quoted => {
                row.push(std::mem::take(&mut value));
                out.push(std::mem::take(&mut row));
            }
            '\r' if !quoted => {}
            c => value.push(c),
        }
    }
    if !row.is_empty() || !value.is_empty() {
        row.push(value);
        out.push(row);
    }
    (!quoted).then_some(out)
}

fn write_blocks(results: &Results, out: &Folder) -> Result<(), ReportError> {
    let (bodies, pairs) = (names(out.path(), "body")?, names(out.path(), "pair")?);
    out.make(BLOCK_FOLDER)?;
    let mut entries = Vec::new();
    for (k, (time, file)) in results.fields.iter().enumerate() {
        let bodies = parts(&results.frame(file)?, "body", &bodies, FramePlace::Cells, |source| {
            results.frame_error(file, source)
        })?;
        // Frames of both are written at the same times.
        let pairs = match results.contacts.get(k) {
            Some((_, file)) => parts(&results.frame(file)?, "pair", &pairs, FramePlace::Points, |source| {
                results.frame_error(file, source)
            })?,
            None => Vec::new(),
        };
        let mut text = "<?xml version=\"1.0\"?>\n<VTKFile type=\"vtkMultiBlockDataSet\" version=\"1.0\" byte_order=\"LittleEndian\" \
                        header_type=\"UInt64\">\n  <vtkMultiBlockDataSet>\n"
            .to_owned();
        for (block, (title, parts)) in [("bodies", bodies), ("contacts", pairs)].into_iter().enumerate() {
            let _ = writeln!(text, "    <Block index=\"{block}\" name=\"{title}\">");
            for (i, (name, grid)) in parts.into_iter().enumerate() {
                let part = format!("{BLOCK_FOLDER}_{k:06}_{block}_{i}.vtu");
                let path = format!("{BLOCK_FOLDER}/{part}");
                let bytes = encoded(&grid, *time).map_err(|e| damaged(&out.file(&path), &e.to_string()))?;
                out.write(&path, &bytes)?;
                let _ = writeln!(text, "      <DataSet index=\"{i}\" name=\"{}\" file=\"{part}\"/>", escape(&name));
            }
            text += "    </Block>\n";
        }
        text += "  </vtkMultiBlockDataSet>\n</VTKFile>\n";
        let file = format!("{BLOCK_FOLDER}/{BLOCK_FOLDER}_{k:06}.vtm");
        out.write(&file, text.as_bytes())?;
        entries.push((*time, file));
    }
    write_list(out, BLOCKS, &entries)
}

fn write_solid(results: &Results, out: &Folder, sectors: usize) -> Result<(), ReportError> {
    if let Some(body) = results.case.bodies.iter().find(|b| !b.section.is_revolved()) {
        return Err(ReportError::NotRevolved { path: out.path().to_owned(), body: body.name.clone() });
    }
    out.make(SOLID_FOLDER)?;
    let mut entries = Vec::new();
    for (k, (time, file)) in results.fields.iter().enumerate() {
        let solid = revolved(&results.frame(file)?, sectors);
        let file = format!("{SOLID_FOLDER}/{SOLID_FOLDER}_{k:06}.vtu");
        let bytes = encoded(&solid, *time).map_err(|e| damaged(&out.file(&file), &e.to_string()))?;
        out.write(&file, &bytes)?;
        entries.push((*time, file));
    }
    write_list(out, SOLID, &entries)
}

/// Writes a collection.
fn write_list(out: &Folder, name: &str, entries: &[(f64, String)]) -> Result<(), ReportError> {
    let listed: Vec<(f64, &str)> = entries.iter().map(|(t, f)| (*t, f.as_str())).collect();
    let mut bytes = Vec::new();
    write_pvd(&mut bytes, &listed).map_err(|e| damaged(&out.file(name), &e.to_string()))?;
    Ok(out.write(name, &bytes)?)
}

/// Where the number of a part is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FramePlace {
    Cells,
    Points,
}

/// The parts of a grid by the number that a field gives to each cell or point, under their names; a name without cells has an empty grid.
fn parts(
    grid: &GridData,
    field: &str,
    names: &[(usize, String)],
    place: FramePlace,
    wrong: impl Fn(VtkReadError) -> ReportError,
) -> Result<Vec<(String, GridData)>, ReportError> {
    let numbers = match place {
        FramePlace::Cells => grid.cell_field(field, 1),
        FramePlace::Points => grid.point_field(field, 1),
    };
    let numbers = numbers.map_err(wrong)?;
    let of = |(number, name): &(usize, String)| {
        let own = |i: &usize| numbers.get(*i).is_some_and(|x| (x - *number as f64).abs() < 0.5);
        // A cloud of points has a cell for each.
        let cells: Vec<usize> = (0..grid.n_cells()).filter(own).collect();
        (name.clone(), part(grid, &cells))
    };
    Ok(names.iter().map(of).collect())
}

/// These cells of a grid with the points they have, in the order of the grid.
fn part(grid: &GridData, cells: &[usize]) -> GridData {
    let mut is_used = vec![false; grid.points.len()];
    cells.iter().flat_map(|&c| grid.cell(c)).for_each(|&n| is_used[n] = true);
    let points: Vec<usize> = (0..grid.points.len()).filter(|&n| is_used[n]).collect();
    let mut number = vec![0; grid.points.len()];
    points.iter().enumerate().for_each(|(new, &old)| number[old] = new);
    let mut out = GridData { points: points.iter().map(|&n| grid.points[n]).collect(), ..GridData::default() };
    for &c in cells {
        out.connectivity.extend(grid.cell(c).iter().map(|&n| number[n]));
        out.offsets.push(out.connectivity.len());
        out.types.push(grid.types[c]);
    }
    let taken = |fields: &[FieldData], chosen: &[usize]| -> Vec<FieldData> {
        let of = |f: &FieldData| {
            let tuple = |&i: &usize| f.values[f.components * i..f.components * (i + 1)].iter().copied();
            FieldData { values: chosen.iter().flat_map(tuple).collect(), ..f.clone() }
        };
        fields.iter().map(of).collect()
    };
    out.point_fields = taken(&grid.point_fields, &points);
    out.cell_fields = taken(&grid.cell_fields, cells);
    out
}

/// A grid as a file.
fn encoded(data: &GridData, time: f64) -> Result<Vec<u8>, VtkError> {
    let integers = |fields: &[FieldData]| -> Vec<Vec<i32>> {
        // Whole numbers were written as 32 bits.
        fields.iter().map(|f| if is_whole(f) { whole(&f.values) } else { Vec::new() }).collect()
    };
    let kept = [integers(&data.point_fields), integers(&data.cell_fields)];
    let point_fields = shown(&data.point_fields, &kept[0]);
    let cell_fields = shown(&data.cell_fields, &kept[1]);
    let grid = Grid {
        points: &data.points,
        cells: Cells::new(&data.connectivity, &data.offsets, &data.types),
        point_fields: &point_fields,
        cell_fields: &cell_fields,
    };
    let mut bytes = Vec::new();
    write_vtu(&mut bytes, time, &grid, VtuEncoding::default())?;
    Ok(bytes)
}

fn whole(values: &[f64]) -> Vec<i32> {
    values.iter().map(|x| *x as i32).collect()
}

/// Fields that were read as fields to write.
fn shown<'a>(fields: &'a [FieldData], integers: &'a [Vec<i32>]) -> Vec<Field<'a>> {
    let of = |(f, integers): (&'a FieldData, &'a Vec<i32>)| match f.components {
        _ if is_whole(f) => {
            Field { name: &f.name, components: f.components, component_names: &[], values: Values::I32(integers) }
        }
        3 => Field::vector(&f.name, &f.values),
        6 => Field::symmetric_tensor(&f.name, &f.values),
        components => Field { name: &f.name, components, component_names: &[], values: Values::F64(&f.values) },
    };
    fields.iter().zip(integers).map(of).collect()
}

/// Arrays that grow from frame to frame.
#[derive(Default)]
struct FrameColumns {
    /// Of points or cells.
    fields: Vec<FieldData>,
    /// Tuples before each frame.
    offsets: Vec<i64>,
    tuples: i64,
}

impl FrameColumns {
    /// Adds the fields of a frame; `false` if they are not those of the frames before.
    fn add(&mut self, fields: Vec<FieldData>, tuples: usize) -> bool {
        self.offsets.push(self.tuples);
        self.tuples += tuples as i64;
        if self.offsets.len() == 1 {
            self.fields = fields;
            return true;
        }
        let same = self.fields.len() == fields.len()
            && self.fields.iter().zip(&fields).all(|(a, b)| (&a.name, a.components) == (&b.name, b.components));
        self.fields.iter_mut().zip(fields).for_each(|(all, new)| all.values.extend(new.values));
        same
    }

    /// The arrays as a group of the file.
    fn group(&self, root: &mut hdf5_pure::GroupBuilder, name: &str) {
        let mut group = root.create_group(name);
        for f in &self.fields {
            let tuples = (f.values.len() / f.components.max(1)) as u64;
            let shape: &[u64] = if f.components == 1 { &[tuples] } else { &[tuples, f.components as u64] };
            let array = group.create_dataset(&f.name);
            if is_whole(f) {
                array.with_i32_data(&whole(&f.values))
            } else {
                array.with_f64_data(&f.values)
            };
            array.with_shape(shape);
        }
        root.add_group(group.finish());
    }

    /// Where frames begin, for every array.
    fn steps(&self, steps: &mut hdf5_pure::GroupBuilder, name: &str) {
        let mut group = steps.create_group(name);
        for f in &self.fields {
            group.create_dataset(&f.name).with_i64_data(&self.offsets);
        }
        steps.add_group(group.finish());
    }
}

/// The file of all frames.
fn vtkhdf(results: &Results) -> Result<FileBuilder, ReportError> {
    let (mut points, mut cells) = (FrameColumns::default(), FrameColumns::default());
    let mut mesh = GridData::default();
    // Of every part its points, cells and nodes of cells; of every frame its part.
    let (mut sizes, mut part_of): (Vec<[i64; 3]>, Vec<i64>) = (Vec::new(), Vec::new());
    let (mut places, mut nodes, mut ends, mut types) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut times = Vec::new();
    for (time, file) in &results.fields {
        let mut frame = results.frame(file)?;
        let fields = [std::mem::take(&mut frame.point_fields), std::mem::take(&mut frame.cell_fields)];
        let (n_points, n_cells) = (frame.points.len(), frame.n_cells());
        let [of_points, of_cells] = fields;
        if !(points.add(of_points, n_points) && cells.add(of_cells, n_cells)) {
            return Err(damaged(&results.path().join(file), "it has other arrays than the frames before it"));
        }
        if sizes.is_empty() || frame != mesh {
            sizes.push([n_points as i64, n_cells as i64, frame.connectivity.len() as i64]);
            places.extend(frame.points.iter().flatten().copied());
            nodes.extend(frame.connectivity.iter().map(|n| *n as i64));
            ends.push(0);
            ends.extend(frame.offsets.iter().map(|n| *n as i64));
            types.extend_from_slice(&frame.types);
            mesh = frame;
        }
        part_of.push(sizes.len() as i64 - 1);
        times.push(*time);
    }
    let mut file = FileBuilder::new();
    let mut root = file.create_group("VTKHDF");
    root.set_attr("Version", AttrValue::I64Array(vec![2, 0]));
    root.set_attr("Type", AttrValue::AsciiString("UnstructuredGrid".to_owned()));
    for (k, name) in ["NumberOfPoints", "NumberOfCells", "NumberOfConnectivityIds"].into_iter().enumerate() {
        root.create_dataset(name).with_i64_data(&sizes.iter().map(|s| s[k]).collect::<Vec<_>>());
    }
    root.create_dataset("Points").with_f64_data(&places).with_shape(&[places.len() as u64 / 3, 3]);
    root.create_dataset("Connectivity").with_i64_data(&nodes);
    root.create_dataset("Offsets").with_i64_data(&ends);
    root.create_dataset("Types").with_u8_data(&types);
    points.group(&mut root, "PointData");
    cells.group(&mut root, "CellData");
    let n = times.len();
    let mut steps = root.create_group("Steps");
    steps.set_attr("NSteps", AttrValue::I64(n as i64));
    steps.create_dataset("Values").with_f64_data(&times);
    steps.create_dataset("NumberOfParts").with_i64_data(&vec![1; n]);
    steps.create_dataset("PartOffsets").with_i64_data(&part_of);
    // Points, cells and nodes of the parts before that of a frame.
    let before = |k: usize| -> Vec<i64> {
        let sums = sizes.iter().scan(0, |sum, s| Some(std::mem::replace(sum, *sum + s[k])));
        let sums: Vec<i64> = sums.collect();
        part_of.iter().map(|p| sums.get(*p as usize).copied().unwrap_or(0)).collect()
    };
    steps.create_dataset("PointOffsets").with_i64_data(&before(0));
    for (name, k) in [("CellOffsets", 1), ("ConnectivityIdOffsets", 2)] {
        steps.create_dataset(name).with_i64_data(&before(k)).with_shape(&[n as u64, 1]);
    }
    points.steps(&mut steps, "PointDataOffsets");
    cells.steps(&mut steps, "CellDataOffsets");
    root.add_group(steps.finish());
    file.add_group(root.finish());
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_of_names_are_read_as_they_are_written() {
        let text = "kind,number,name\nbody,0,plain\nbody,1,\"a, \"\"b\"\"\"\npair,0,\"two\nlines\"\n";
        let found = rows(text).unwrap();
        assert_eq!(found[2], ["body", "1", "a, \"b\""]);
        assert_eq!(found[3], ["pair", "0", "two\nlines"]);
        assert_eq!(found.len(), 4);
        assert!(rows("kind\n\"open").is_none() && rows("").unwrap().is_empty());
        assert_eq!(rows("a,b").unwrap(), [["a", "b"]]);
    }

    #[test]
    fn a_part_keeps_its_own_points_and_values() {
        let field = |name: &str, components: usize, values: &[f64]| FieldData {
            name: name.to_owned(),
            components,
            values: values.to_vec(),
        };
        let grid = GridData {
            points: (0..4).map(|i| [f64::from(i), 0.0, 0.0]).collect(),
            connectivity: vec![0, 1, 2, 3, 1, 3],
            offsets: vec![2, 4, 6],
            types: vec![3, 3, 3],
            point_fields: vec![field("f", 2, &[0.0, 1.0, 10.0, 11.0, 20.0, 21.0, 30.0, 31.0])],
            cell_fields: vec![field("body", 1, &[0.0, 1.0, 1.0])],
        };
        let names = [(0, "a".to_owned()), (1, "b".to_owned()), (2, "none".to_owned())];
        let found =
            parts(&grid, "body", &names, FramePlace::Cells, |e| damaged(Path::new("x"), &e.to_string())).unwrap();
        let b = &found[1].1;
        assert_eq!((b.connectivity.as_slice(), b.offsets.as_slice()), ([1, 2, 0, 2].as_slice(), [2, 4].as_slice()));
        assert_eq!(b.points.iter().map(|p| p[0]).collect::<Vec<_>>(), [1.0, 2.0, 3.0]);
        assert_eq!(b.point_fields[0].values, [10.0, 11.0, 20.0, 21.0, 30.0, 31.0]);
        assert_eq!(found[2].1.n_cells(), 0);
        assert!(parts(&grid, "no", &names, FramePlace::Cells, |e| damaged(Path::new("x"), &e.to_string())).is_err());
        let bytes = encoded(b, 0.5).unwrap();
        assert_eq!(&delassus_mesh::vtk::read_vtu(&bytes).unwrap(), b);
    }
}
