//! What the gmsh reader sees in MSH files: one line of JSON a file, on the standard output.
//!
//! ```text
//! cargo run -p delassus-mesh --example mesh_info -- file.msh …
//! ```
//!
//! `file` is what the file says (nodes, elements and physical groups under gmsh's numbers), `plane` and `solid` what
//! becomes of it as a mesh of two- or three-dimensional bodies. What cannot be read or converted has an `error` instead.
//! The client tests compare this with what gmsh itself reads.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::ExitCode;

use delassus_mesh::gmsh::{self, MshFile};
use delassus_mesh::{Mesh, MeshError};

fn main() -> ExitCode {
    let mut out = std::io::stdout().lock();
    let mut files = 0;
    for path in std::env::args().skip(1) {
        files += 1;
        let line = match gmsh::read_file(&path) {
            Ok(file) => format!(
                "{{\"path\":{},\"file\":{},\"plane\":{},\"solid\":{}}}",
                text(&path),
                describe_file(&file),
                describe_mesh(file.to_mesh::<2>()),
                describe_mesh(file.to_mesh::<3>()),
            ),
            Err(e) => format!("{{\"path\":{},\"error\":{}}}", text(&path), text(&e.to_string())),
        };
        if writeln!(out, "{line}").is_err() {
            return ExitCode::from(5);
        }
    }
    if files == 0 { ExitCode::from(2) } else { ExitCode::SUCCESS }
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
