//! Gmsh files of both versions, in text and in binary: read, then made into meshes and surfaces as a run does.

use delassus_mesh::gmsh::{self, MshFile};

use super::{Answer, Bound, Form, FuzzTarget};

const fn target(name: &'static str, form: Form) -> FuzzTarget {
    FuzzTarget { name, form, words, memory: Bound::READER, run }
}

/// MSH 2.2 in text.
pub const ASCII_2: FuzzTarget = target("msh22-ascii", Form::Text);
/// MSH 2.2 in binary.
pub const BINARY_2: FuzzTarget = target("msh22-binary", Form::Binary);
/// MSH 4.1 in text.
pub const ASCII_4: FuzzTarget = target("msh41-ascii", Form::Text);
/// MSH 4.1 in binary.
pub const BINARY_4: FuzzTarget = target("msh41-binary", Form::Binary);

fn words() -> Vec<String> {
    let sections = ["MeshFormat", "PhysicalNames", "Entities", "PartitionedEntities", "Nodes", "ParametricNodes"];
    let sections = sections.into_iter().chain(["Elements", "Periodic", "Comments", "NOD"]);
    let mut words: Vec<String> = sections.flat_map(|s| [format!("${s}\n"), format!("$End{s}\n")]).collect();
    words.extend(["2.2 0 8", "2.2 1 8", "4.1 0 8", "4.1 1 8", "4 0 8", "2.2 1 4", "\"name\""].map(str::to_owned));
    words
}

fn run(input: &[u8]) -> Answer {
    match gmsh::read(input) {
        Ok(file) => converted(&file),
        Err(error) => Answer::Refused(error.to_string()),
    }
}

fn converted(file: &MshFile) -> Answer {
    let surfaces = file.physical_names.iter().filter(|name| name.dim == 2);
    let facets =
        surfaces.filter_map(|name| file.to_surface(Some(&name.name)).ok()).map(|s| s.facets.len()).sum::<usize>();
    let (plane, space) = (file.to_mesh::<2>(), file.to_mesh::<3>());
    let line = file.to_mesh::<1>();
    // What is left is asked what a run asks: the facets of its groups.
    let facets_2 =
        plane.as_ref().map_or(0, |mesh| mesh.groups.iter().filter_map(|g| mesh.group_facets(&g.name).ok()).count());
    let facets_3 =
        space.as_ref().map_or(0, |mesh| mesh.groups.iter().filter_map(|g| mesh.group_facets(&g.name).ok()).count());
    let sizes = |nodes: usize, cells: usize| vec![nodes, cells, facets, facets_2, facets_3];
    match (plane, space) {
        (Ok(mesh), Err(_)) => Answer::of(Ok::<_, String>(()), |()| sizes(mesh.n_points(), mesh.n_cells())),
        (Err(_), Ok(mesh)) => Answer::of(Ok::<_, String>(()), |()| sizes(mesh.n_points(), mesh.n_cells())),
        (Ok(mesh), Ok(_)) => Answer::Refused(format!("both plane and in space: {} points", mesh.n_points())),
        (Err(plane), Err(space)) => Answer::Refused(format!("{plane}; {space}; {}", line.is_ok())),
    }
}
