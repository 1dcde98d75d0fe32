//! `delassus check --export-matrices`: M, C and K of every body as Matrix Market files, to compare operators with other codes.
//!
//! A matrix is the assembled one: supports and ties are not eliminated. Row and column 3 n + i (2 n + i in the plane), from 1, is
//! component i of node n, in the order of the body's mesh. K of a body with internal variables is that of a sudden small motion from
//! the start.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use delassus_case::Loaded;
use delassus_case::lower::Generate;
use delassus_dynamics::matrix_market::write_symmetric;
use delassus_error::FileError;
use delassus_sim::space::Dimension;

use crate::error::RunError;

/// Writes `BODY.mass.mtx`, `BODY.damping.mtx` and `BODY.stiffness.mtx` of every body into a folder and returns their paths. Files that
/// are there already are not overwritten.
pub fn export_matrices(loaded: &Loaded, folder: &Path) -> Result<Vec<PathBuf>, RunError> {
    match loaded.case.dimension {
        2 => export_in::<2>(loaded, folder),
        3 => export_in::<3>(loaded, folder),
        other => Err(loaded.unsupported_dimension(other).into()),
    }
}

fn export_in<const D: usize>(loaded: &Loaded, folder: &Path) -> Result<Vec<PathBuf>, RunError>
where
    Dimension<D>: Generate<D>,
{
    let model = loaded.model::<D>()?;
    let failed = |action: &'static str, path: &Path| {
        let path = path.to_owned();
        move |source| FileError { action, path, source }
    };
    std::fs::create_dir_all(folder).map_err(failed("create", folder))?;
    let mut written = Vec::new();
    for b in &model.bodies {
        let matrices = b.body.matrices();
        let all = [("mass", &matrices.mass), ("damping", &matrices.damping), ("stiffness", &matrices.stiffness)];
        for (name, matrix) in all {
            let path = folder.join(format!("{}.{name}.mtx", b.name));
            let file = File::create_new(&path).map_err(failed("create", &path))?;
            // Half a matrix is of no use.
            write_symmetric(matrix, BufWriter::new(file)).map_err(failed("write", &path)).inspect_err(|_| {
                let _ = std::fs::remove_file(&path);
            })?;
            written.push(path);
        }
    }
    Ok(written)
}
