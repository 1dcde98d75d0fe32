//! Natural frequencies and mode shapes of the bodies of a case: `modes.csv`, and `modes.pvd` with a shape in the place of each time.
//!
//! The modes are those of the undeformed bodies with their supports and ties, K φ = ω² M φ, with the stiffness that materials have at once. Contacts, loads and damping take no part. Each body
//! vibrates by itself; a frame shows one mode of one body, the others are at rest.

use std::f64::consts::PI;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use delassus_case::load::Loaded;
use delassus_case::lower::Generate;
use delassus_dynamics::{Mode, modes};
use delassus_error::Interrupt;
use delassus_mesh::vtk::{Cells, Field, Grid, Values, VtuEncoding, write_pvd, write_vtu};
use delassus_sim::error::SimError;
use delassus_sim::model::{Model, ModelBody};
use delassus_sim::space::Dimension;

use crate::error::RunError;
use crate::execution::PreparedCase;
use crate::lock::Holder;
use crate::results::{Folder, MARK};
use crate::threads::Threads;

/// Size of the largest displacement of a shape in frames, as a part of the size of its body.
const SHOWN: f64 = 0.1;

/// How modes are computed.
#[derive(Clone, Debug)]
pub struct ModeOptions {
    /// Results folder; `results/<case>-modes` when absent.
    pub out: Option<PathBuf>,
    /// Replace earlier results.
    pub force: bool,
    /// Modes of each body, rigid motions included.
    pub count: usize,
}

/// A mode of a body.
#[derive(Clone, Debug)]
pub struct BodyMode {
    /// Name of the body.
    pub body: String,
    /// Number of the mode, from 1.
    pub number: usize,
    /// Frequency \[Hz\]; 0 for a rigid motion.
    pub frequency: f64,
    /// Error of K φ = ω² M φ, relative.
    pub residual: f64,
}

/// Computes the modes of a case and writes them; the folder and the table.
///
/// # Errors
/// Those of the case, of the factors and of the files.
pub fn modes_of_case(
    loaded: &Loaded,
    options: &ModeOptions,
    stop: &Interrupt,
) -> Result<(PathBuf, Vec<BodyMode>), RunError> {
    let Threads { pool, .. } = Threads::start(None)?;
    pool.install(|| match loaded.case.dimension {
        2 => in_dimension::<2>(loaded, options, stop),
        3 => in_dimension::<3>(loaded, options, stop),
        other => Err(loaded.unsupported_dimension(other).into()),
    })
}

fn in_dimension<const D: usize>(
    loaded: &Loaded,
    options: &ModeOptions,
    stop: &Interrupt,
) -> Result<(PathBuf, Vec<BodyMode>), RunError>
where
    Dimension<D>: Generate<D>,
{
    let prepared = PreparedCase::<D>::new(loaded, stop)?;
    let model = &prepared.lowered.model;
    let mut found: Vec<(usize, Vec<Mode>)> = Vec::new();
    for (k, body) in model.bodies.iter().enumerate() {
        stop.check()?;
        let Some(elements) = body.body.finite_elements() else { continue };
        let time = size(body) / elements.characteristics().max_wave_speed;
        let own = modes(elements, options.count, time)
            .map_err(|source| SimError::Body { body: body.name.clone(), source })?;
        found.push((k, own));
    }
    let out = options.out.clone().unwrap_or_else(|| with_ending(&loaded.results_folder()));
    let _lock = Folder::open(&out).hold(Holder::Run)?;
    let folder = Folder::create(&out, options.force)?;
    folder.write_durably(MARK, loaded.resolved_text()?.as_bytes())?;
    let table: Vec<BodyMode> = found.iter().flat_map(|(k, own)| rows(&model.bodies[*k].name, own)).collect();
    folder.write("modes.csv", csv(&table).as_bytes())?;
    write_shapes(&folder, model, &found)?;
    folder.synchronise()?;
    Ok((out, table))
}

fn with_ending(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push("-modes");
    name.into()
}

/// Largest extent of a body \[m\].
fn size<const D: usize>(body: &ModelBody<D>) -> f64 {
    let points = &body.body.mesh().points;
    let extent = |i: usize| {
        let (low, high) =
            points.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x[i]), h.max(x[i])));
        high - low
    };
    (0..D).map(extent).fold(0.0, f64::max)
}

fn rows<'a>(body: &'a str, own: &'a [Mode]) -> impl Iterator<Item = BodyMode> + 'a {
    own.iter().enumerate().map(|(k, mode)| BodyMode {
        body: body.to_owned(),
        number: k + 1,
        frequency: mode.omega / (2.0 * PI),
        residual: mode.residual,
    })
}

fn csv(table: &[BodyMode]) -> String {
    let mut out = "frame,body,mode,frequency_hz,residual\n".to_owned();
    for (frame, mode) in table.iter().enumerate() {
        let _ = writeln!(out, "{},{},{},{:e},{:e}", frame + 1, mode.body, mode.number, mode.frequency, mode.residual);
    }
    out
}

/// A frame for every mode, numbered from 1 in the place of a time.
fn write_shapes<const D: usize>(
    folder: &Folder,
    model: &Model<D>,
    found: &[(usize, Vec<Mode>)],
) -> Result<(), RunError> {
    folder.make("modes")?;
    let three = |x: &[f64]| -> [f64; 3] { std::array::from_fn(|i| x.get(i).copied().unwrap_or(0.0)) };
    let (mut points, mut connectivity, mut offsets, mut types) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let (mut owner, mut first) = (Vec::new(), Vec::new());
    for (k, body) in model.bodies.iter().enumerate() {
        let (mesh, start) = (body.body.mesh(), points.len());
        first.push(start);
        points.extend(mesh.points.iter().map(|x| three(x)));
        for (cell, ..) in mesh.bulk_cells() {
            let (kind, nodes) = mesh.cell(cell);
            connectivity.extend(nodes.iter().map(|n| start + n));
            offsets.push(connectivity.len());
            types.push(kind.vtk_id());
            owner.push(k as i32);
        }
    }
    let mut written = Vec::new();
    for (k, mode) in found.iter().flat_map(|(k, own)| own.iter().map(move |m| (*k, m))) {
        let number = written.len() + 1;
        let largest = mode.shape.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let scale = SHOWN * size(&model.bodies[k]) / largest;
        let mut shape = vec![0.0; 3 * points.len()];
        for (node, u) in mode.shape.chunks_exact(D).enumerate() {
            let at = 3 * (first[k] + node);
            shape[at..at + D].iter_mut().zip(u).for_each(|(x, u)| *x = scale * u);
        }
        let point_fields = [Field::vector("displacement", &shape)];
        let cell_fields = [Field::scalar("body", Values::I32(&owner))];
        let cells = Cells::new(&connectivity, &offsets, &types);
        let grid = Grid { points: &points, cells, point_fields: &point_fields, cell_fields: &cell_fields };
        let file = format!("modes/modes_{number:06}.vtu");
        let failed = |source| RunError::Vtk { path: folder.file(&file), source };
        let mut bytes = Vec::new();
        write_vtu(&mut bytes, number as f64, &grid, VtuEncoding::default()).map_err(failed)?;
        folder.write(&file, &bytes)?;
        written.push((number as f64, file));
    }
    let entries: Vec<(f64, &str)> = written.iter().map(|(n, file)| (*n, file.as_str())).collect();
    let mut bytes = Vec::new();
    write_pvd(&mut bytes, &entries).map_err(|source| RunError::Vtk { path: folder.file("modes.pvd"), source })?;
    Ok(folder.write("modes.pvd", &bytes)?)
}
