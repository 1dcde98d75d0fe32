//! Meshes of other programs than gmsh: read, then made into meshes and surfaces as a run does.

use delassus_mesh::formats::FORMATS;
use delassus_mesh::{Mesh, MeshFile};

use super::{Answer, Bound, Form, FuzzTarget, no_words, vtu};

/// Abaqus' and CalculiX' input files.
pub const INP: FuzzTarget = FuzzTarget {
    name: "inp",
    form: Form::Text,
    words: inp_words,
    memory: Bound::READER,
    run: |input| run("inp", input),
};
/// VTK grids of other programs.
pub const VTU: FuzzTarget = FuzzTarget {
    name: "vtu-mesh",
    form: Form::Binary,
    words: vtu::words,
    memory: Bound::READER,
    run: |input| run("vtu", input),
};
/// STL files, text and binary.
pub const STL: FuzzTarget = FuzzTarget {
    name: "stl",
    form: Form::Binary,
    words: no_words,
    memory: Bound::READER,
    run: |input| run("stl", input),
};
/// OBJ files.
pub const OBJ: FuzzTarget = FuzzTarget {
    name: "obj",
    form: Form::Text,
    words: no_words,
    memory: Bound::READER,
    run: |input| run("obj", input),
};

/// I-DEAS universal files.
pub const UNV: FuzzTarget = FuzzTarget {
    name: "unv",
    form: Form::Text,
    words: unv_words,
    memory: Bound::READER,
    run: |input| run("unv", input),
};

fn unv_words() -> Vec<String> {
    let words = [
        "    -1\n",
        "  2411\n",
        "  2412\n",
        "  2467\n",
        " 1 1 1 11\n",
        " 0.0D+00 1.0D+00 0\n",
        " 1 111 1 1 7 4\n",
        " 2 11 1 1 7 2\n 0 0 0\n",
        " 1 2 3 4\n",
        " 1 0 0 0 0 0 0 2\nname\n",
        " 8 1 0 0 7 1 0 0\n",
        " 116 ",
        "18446744073709551615",
    ];
    words.map(str::to_owned).to_vec()
}

fn inp_words() -> Vec<String> {
    let words = [
        "*NODE\n",
        "*NODE, NSET=a\n",
        "*ELEMENT, TYPE=C3D4\n",
        "*ELEMENT, TYPE=CPS8, ELSET=e\n",
        "*NSET, NSET=a\n",
        "*NSET, NSET=b, GENERATE\n",
        "*ELSET, ELSET=e\n",
        "*SURFACE, NAME=s\n",
        "*SURFACE, NAME=s, TYPE=NODE\n",
        "e, S1\n",
        "e,\n",
        "*PART, NAME=p\n",
        "*END PART\n",
        "*INSTANCE, NAME=i, PART=p\n",
        "*END INSTANCE\n",
        "*ASSEMBLY, NAME=x\n",
        "INSTANCE=i",
        "i.a",
        "**\n",
        "SPOS",
        "1,999999999999,1\n",
    ];
    words.map(str::to_owned).to_vec()
}

pub(super) fn run(ending: &str, input: &[u8]) -> Answer {
    // The ending decides: other first bytes are for the other targets.
    let format = FORMATS.iter().find(|format| format.endings.contains(&ending));
    let Some(format) = format else { return Answer::Refused("no such format".to_owned()) };
    match format.read(input) {
        Ok(file) => converted(&*file),
        Err(error) => Answer::Refused(error.to_string()),
    }
}

fn converted(file: &dyn MeshFile) -> Answer {
    let surface = file.surface(None).map_or(0, |surface| surface.facets.len());
    let (plane, space) = (file.plane(), file.space());
    let sizes = |n: [usize; 3]| Answer::of(Ok::<_, String>(()), |()| vec![n[0], n[1], n[2], surface]);
    match (&plane, &space) {
        (Ok(mesh), _) => sizes(asked(mesh)),
        (_, Ok(mesh)) => sizes(asked(mesh)),
        (Err(_), Err(_)) if surface > 0 => sizes([0; 3]),
        (Err(plane), Err(space)) => Answer::Refused(format!("{plane}; {space}")),
    }
}

/// Points, cells, and how many groups have facets, as a run asks.
fn asked<const D: usize>(mesh: &Mesh<D>) -> [usize; 3] {
    // A group is looked up by name: many groups of a small mesh would take the square of their number.
    let named = mesh.groups.iter().take(50).filter(|g| mesh.group_facets(&g.name).is_ok()).count();
    [mesh.n_points(), mesh.n_cells(), named]
}
