//! What the readers see in mesh files: one line of JSON a file, on the standard output.
//!
//! ```text
//! cargo run -p delassus-mesh --example mesh_info -- file.msh …
//! ```
//!
//! `file` is what the file says (nodes, elements and physical groups under gmsh's numbers), `plane` and `solid` what
//! becomes of it as a mesh of two- or three-dimensional bodies. Files of other formats than gmsh's have `surface` instead of `file`: points and facets of
//! the surface for an obstacle. What cannot be read or converted has an `error` instead. The client tests compare this with what gmsh, meshio and VTK read.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

use delassus_error::input;
use delassus_mesh::gmsh::{self, MshFile};
use delassus_mesh::{Mesh, MeshError, SurfaceMesh, formats};

fn main() -> ExitCode {
    let mut out = std::io::stdout().lock();
    let mut files = 0;
    for path in std::env::args().skip(1) {
        files += 1;
        let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
        let line = if ending == "msh" { gmsh_line(&path) } else { line(&path, ending) };
        if writeln!(out, "{line}").is_err() {
            return ExitCode::from(5);
        }
    }
    if files == 0 { ExitCode::from(2) } else { ExitCode::SUCCESS }
}

fn gmsh_line(path: &str) -> String {
    match gmsh::read_file(path) {
        Ok(file) => format!(
            "{{\"path\":{},\"file\":{},\"plane\":{},\"solid\":{}}}",
            text(path),
            describe_file(&file),
            describe_mesh(file.to_mesh::<2>()),
            describe_mesh(file.to_mesh::<3>()),
        ),
        Err(e) => failed(path, &e.to_string()),
    }
}

/// A file of another format than gmsh's.
fn line(path: &str, ending: &str) -> String {
    let bytes = match input::read_file(Path::new(path), input::MESH) {
        Ok(bytes) => bytes,
        Err(e) => return failed(path, &e.to_string()),
    };
    match formats::read(ending, &bytes) {
        Ok(file) => format!(
            "{{\"path\":{},\"surface\":{},\"plane\":{},\"solid\":{}}}",
            text(path),
            describe_surface(file.surface(None)),
            describe_mesh(file.plane()),
            describe_mesh(file.space()),
        ),
        Err(e) => failed(path, &e.to_string()),
    }
}

fn failed(path: &str, why: &str) -> String {
    format!("{{\"path\":{},\"error\":{}}}", text(path), text(why))
}

fn describe_surface(surface: Result<SurfaceMesh, MeshError>) -> String {
    match surface {
        Ok(surface) => {
            let points = list(surface.points.iter().map(|x| format!("[{}]", numbers(x))));
            format!("{{\"points\":{points},\"facets\":{:?}}}", surface.facets)
        }
        Err(e) => format!("{{\"error\":{}}}", text(&e.to_string())),
    }
}

fn describe_file(file: &MshFile) -> String {
    let nodes = list(file.nodes.iter().map(|n| format!("[{},{}]", n.tag, numbers(&n.x))));
    let elements =
        list(file.elements.iter().map(|e| format!("[{},{},{:?},{:?}]", e.tag, e.type_id, e.nodes, e.physical)));
    let names = list(file.physical_names.iter().map(|n| format!("[{},{},{}]", n.dim, n.tag, text(&n.name))));
    format!(
        "{{\"version\":\"{}\",\"binary\":{},\"partitions\":{},\"names\":{names},\"nodes\":{nodes},\"elements\":{elements}}}",
        file.version, file.binary, file.n_partitions
    )
}

fn describe_mesh<const D: usize>(mesh: Result<Mesh<D>, MeshError>) -> String {
    let mesh = match mesh {
        Ok(mesh) => mesh,
        Err(e) => return format!("{{\"error\":{}}}", text(&e.to_string())),
    };
    let mut cells: BTreeMap<i32, usize> = BTreeMap::new();
    for (_, kind, _) in mesh.cells() {
        *cells.entry(kind.gmsh_id()).or_default() += 1;
    }
    let cells: Vec<String> = cells.iter().map(|(kind, count)| format!("\"{kind}\":{count}")).collect();
    let groups = list(mesh.groups.iter().map(|g| {
        let nodes = mesh.group_nodes(g).len();
        format!("[{},{},{},{},{nodes}]", g.dim, g.tag, text(&g.name), g.cells.len())
    }));
    let points = list(mesh.points.iter().map(|x| format!("[{}]", numbers(x))));
    format!(
        "{{\"points\":{points},\"cells\":{{{}}},\"groups\":{groups},\"measure\":{:?},\"boundary_facets\":{}}}",
        cells.join(","),
        mesh.total_measure(),
        mesh.boundary().len()
    )
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(","))
}

/// Shortest decimals that read back to the same bits.
fn numbers(x: &[f64]) -> String {
    x.iter().map(|x| format!("{x:?}")).collect::<Vec<_>>().join(",")
}

/// A JSON string.
fn text(s: &str) -> String {
    let mut out = String::from("\"");
    for c in s.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c < ' ' => {
                // Writing to a `String` does not fail.
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
