//! How long the assembly of a block takes, and how much it stores: a line for each kind of cell, on the standard output.
//!
//! ```text
//! cargo run --release -p delassus-fem --example assembly_time [degrees of freedom]
//! ```

use std::io::Write as _;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use delassus_dynamics::System as _;
use delassus_fem::{Body, BodyInput, FemError, Formulation, KelvinVoigt, MaterialSpec};
use delassus_mesh::{CellKind, generate};

/// One line: the block has about `n_dof` degrees of freedom.
fn measure(kind: CellKind, formulation: Formulation, n_dof: f64) -> Result<String, FemError> {
    // nodes per cube of the grid, in the middle of a large block
    let (linear, density) = match kind {
        CellKind::Hexahedron20 => (CellKind::Hexahedron8, 4.0),
        CellKind::Tetrahedron10 => (CellKind::Tetrahedron4, 7.0),
        _ => (kind, 1.0),
    };
    let n = ((n_dof / 3.0 / density).cbrt() - 1.0).round().max(1.0) as usize;
    let start = Instant::now();
    let mesh = generate::block([0.0; 3], [1.0; 3], [n; 3], linear, 1)?;
    let mesh = if kind == linear { mesh } else { mesh.to_quadratic()? };
    let mesh_time = start.elapsed().as_secs_f64();
    let steel = MaterialSpec::KelvinVoigt(KelvinVoigt::elastic(2.1e11, 0.3)).build(7800.0)?;
    let n_cells = mesh.bulk_cells().count();
    let input = BodyInput { formulation, ..BodyInput::new("block", Arc::new(mesh), steel) };
    let start = Instant::now();
    let body = Body::new(input)?;
    let time = start.elapsed().as_secs_f64();
    let q = vec![1e-3; body.n_dof()];
    let mut f = vec![0.0; body.n_dof()];
    let start = Instant::now();
    body.elastic_force_into(&q, &mut f);
    let force = start.elapsed().as_secs_f64();
    let per = 1e5 / n_cells as f64 * 1e3;
    Ok(format!(
        "{:14} {:18} {:7} dofs {:6} cells   mesh {:6.0} ms   body {:6.0} ms   force {:6.2} ms   {:8.0} ms body, {:6.1} ms \
         force per 1e5 cells   {:.1} M entries",
        kind.name(),
        format!("{formulation:?}"),
        body.n_dof(),
        n_cells,
        mesh_time * 1e3,
        time * 1e3,
        force * 1e3,
        time * per,
        force * per,
        body.matrices().stiffness.nnz() as f64 * 1e-6,
    ))
}

fn main() -> ExitCode {
    let n_dof = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(50_000.0);
    let mut out = std::io::stdout().lock();
    let h8 = [Formulation::Standard, Formulation::BBar, Formulation::IncompatibleModes];
    let others = [CellKind::Tetrahedron4, CellKind::Prism6, CellKind::Tetrahedron10, CellKind::Hexahedron20];
    let all = h8.map(|f| (CellKind::Hexahedron8, f)).into_iter().chain(others.map(|k| (k, Formulation::Standard)));
    for (kind, formulation) in all {
        let line = match measure(kind, formulation, n_dof) {
            Ok(line) => line,
            Err(error) => error.to_string(),
        };
        if writeln!(out, "{line}").is_err() {
            return ExitCode::from(5);
        }
    }
    ExitCode::SUCCESS
}
