//! From the `mesh` key of a body to a mesh in its place.

use std::path::{Path, PathBuf};

use delassus_contact::{ContactError, FacetNodes, RigidSurface, Solid};
use delassus_error::input::{self, ReadError};
use delassus_error::{Coded, Own, excerpt};
use delassus_mesh::{CellKind, Mesh, MeshError, generate, gmsh};
use delassus_sim::space::{Dimension, Space};
use nalgebra::{Rotation, SVector};

use crate::codes;
use crate::hash::sha256;
use crate::problem::{ProblemKind, Problems};
use crate::spec::{Components, Counts, MeshSpec, OwnMesh, PlaneCell, SolidCell, SolidSide};

/// What must be built differently in each dimension: generated meshes, rigid polygons and surfaces.
pub trait Generate<const D: usize>: Space<D> {
    /// The mesh of a generator; lengths of component lists have been checked.
    fn generate(spec: &MeshSpec) -> Result<Mesh<D>, MeshError>;

    /// A rigid polygon.
    fn polygon(points: Vec<SVector<f64, D>>, solid: Solid) -> Result<RigidSurface<D>, ContactError>;

    /// A rigid surface of triangles and quadrilaterals.
    fn rigid_mesh(
        points: Vec<SVector<f64, D>>,
        facets: Vec<FacetNodes>,
        solid: SolidSide,
    ) -> Result<RigidSurface<D>, ContactError>;
}

impl Generate<2> for Dimension<2> {
    fn generate(spec: &MeshSpec) -> Result<Mesh<2>, MeshError> {
        match spec {
            MeshSpec::Rectangle(r) => {
                let kind = match r.element {
                    PlaneCell::Quad4 => CellKind::Quad4,
                    PlaneCell::Triangle3 => CellKind::Triangle3,
                };
                generate::rectangle(components(&r.corner), components(&r.size), counts(&r.cells), kind, r.refine)
            }
            MeshSpec::Annulus(a) => {
                let [radial, around] = counts(&a.cells);
                generate::annulus(components(&a.centre), a.inner_radius, a.outer_radius, radial, around, a.refine)
            }
            MeshSpec::Disk(d) => generate::disk(components(&d.centre), d.radius, counts(&d.core), d.rings, d.refine),
            MeshSpec::File(_)
            | MeshSpec::Own(_)
            | MeshSpec::Box(_)
            | MeshSpec::Ball(_)
            | MeshSpec::QuarterBall(_)
            | MeshSpec::Cylinder(_)
            | MeshSpec::ShellBlock(_) => Ok(empty()),
        }
    }

    fn polygon(points: Vec<SVector<f64, 2>>, solid: Solid) -> Result<RigidSurface<2>, ContactError> {
        RigidSurface::polygon(points, solid)
    }

    fn rigid_mesh(_: Vec<SVector<f64, 2>>, _: Vec<FacetNodes>, _: SolidSide) -> Result<RigidSurface<2>, ContactError> {
        Err(ContactError::ShapeDimension { shape: "mesh", dimension: 2 })
    }
}

impl Generate<3> for Dimension<3> {
    fn generate(spec: &MeshSpec) -> Result<Mesh<3>, MeshError> {
        match spec {
            MeshSpec::Box(b) => {
                let kind = match b.element {
                    SolidCell::Hexahedron8 => CellKind::Hexahedron8,
                    SolidCell::Tetrahedron4 => CellKind::Tetrahedron4,
                    SolidCell::Prism6 => CellKind::Prism6,
                };
                generate::block(components(&b.corner), components(&b.size), counts(&b.cells), kind, b.refine)
            }
            MeshSpec::Ball(b) => generate::ball(components(&b.centre), b.radius, b.core, b.layers, b.refine),
            MeshSpec::QuarterBall(b) => {
                generate::quarter_ball(components(&b.centre), b.radius, b.patch, b.cells, b.layers, b.refine)
            }
            MeshSpec::Cylinder(c) => {
                let [x, y, z] = components(&c.centre);
                let disk = generate::disk([x, y], c.radius, counts(&c.core), c.rings, c.refine)?;
                generate::extrude(&disk, [z, z + c.length], c.layers.saturating_mul(c.refine))
            }
            MeshSpec::ShellBlock(b) => {
                let (radii, azimuth) = (components(&b.radii), components(&b.azimuth));
                generate::shell_block(radii, azimuth, components(&b.latitude), counts(&b.cells), b.refine)
            }
            MeshSpec::File(_)
            | MeshSpec::Own(_)
            | MeshSpec::Rectangle(_)
            | MeshSpec::Annulus(_)
            | MeshSpec::Disk(_) => Ok(empty()),
        }
    }

    fn polygon(_: Vec<SVector<f64, 3>>, _: Solid) -> Result<RigidSurface<3>, ContactError> {
        Err(ContactError::SegmentDimension { dimension: 3 })
    }

    fn rigid_mesh(
        points: Vec<SVector<f64, 3>>,
        mut facets: Vec<FacetNodes>,
        solid: SolidSide,
    ) -> Result<RigidSurface<3>, ContactError> {
        match solid {
            SolidSide::Inside => RigidSurface::solid(points, facets, Solid::Inside),
            SolidSide::Outside => RigidSurface::solid(points, facets, Solid::Outside),
            SolidSide::Behind => RigidSurface::mesh(points, facets),
            SolidSide::Before => {
                facets.iter_mut().for_each(FacetNodes::reverse);
                RigidSurface::mesh(points, facets)
            }
        }
    }
}

/// What a generator of another dimension gives; that mistake has been noted before.
fn empty<const D: usize>() -> Mesh<D> {
    Mesh { points: Vec::new(), blocks: Vec::new(), groups: Vec::new() }
}

fn components<const N: usize>(c: &Components) -> [f64; N] {
    std::array::from_fn(|i| c.0.get(i).copied().unwrap_or(0.0))
}

fn counts<const N: usize>(c: &Counts) -> [usize; N] {
    std::array::from_fn(|i| c.0.get(i).copied().unwrap_or(0))
}

/// The mesh of a body, and the hash of its file. `folder` is where the case file is.
pub fn load_mesh<const D: usize>(
    problems: &mut Problems,
    path: &str,
    spec: &MeshSpec,
    folder: &Path,
) -> Option<(Mesh<D>, Option<String>)>
where
    Dimension<D>: Generate<D>,
{
    check_lengths(problems, path, spec, D)?;
    let name = match spec {
        MeshSpec::File(name) => name,
        MeshSpec::Own(own) => return own_mesh(problems, path, own),
        _ => {
            let made = Dimension::<D>::generate(spec);
            return problems.check(path, made).map(|mesh| (mesh, None));
        }
    };
    let (file, bytes) = read_file(problems, path, name, folder)?;
    match gmsh::read(&bytes).and_then(|msh| msh.to_mesh::<D>()) {
        Ok(mesh) => Some((mesh, Some(sha256(&bytes)))),
        Err(e) => {
            problems.add(e.code(), path, format!("mesh `{}`: {e}", file.display()), ProblemKind::Mesh);
            None
        }
    }
}

/// What is said of a thing of one's own that has another dimension than the case.
pub fn other_dimension(kind: &str, its: usize, case: usize) -> String {
    format!("this {kind} of the program's own has {its} dimensions, the case has `dimension: {case}`")
}

/// A mesh that a program made, and its hash. Unlike those of files and generators it has not been looked at before.
fn own_mesh<const D: usize>(
    problems: &mut Problems,
    path: &str,
    own: &Own<OwnMesh>,
) -> Option<(Mesh<D>, Option<String>)> {
    let made = problems.check(path, own.get("mesh"))?;
    let Some(mesh) = made.mesh::<D>() else {
        problems.input(codes::OTHER_DIMENSION, path, other_dimension("mesh", made.dimension(), D));
        return None;
    };
    problems.check_mesh(path, mesh.validate())?;
    Some((mesh.clone(), Some(made.hash())))
}

/// Endings, and what the file is besides.
const FOREIGN: &[(&[&str], &str, &str)] = &[
    (&["stl"], "an STL file", MERGE),
    (&["obj", "ply", "off"], "a file of triangles", MERGE),
    (&["vtk", "vtu", "vtp", "pvd"], "a VTK file", CONVERT),
    (&["inp", "bdf", "nas", "med", "cgns", "unv", "exo", "e", "xdmf"], "a mesh of another program", CONVERT),
    (&["geo"], "a geometry for gmsh, without a mesh", "mesh it first: `gmsh -2` or `gmsh -3`, with `-o name.msh`"),
    (&["step", "stp", "iges", "igs", "brep"], "a geometry without a mesh", MERGE),
];

const MERGE: &str = "open it in gmsh, give its surface (and volume) a physical group, mesh it and save it as .msh";
const CONVERT: &str = "open it in gmsh, or convert it with meshio, and save it as .msh with its physical groups";

/// What a file is that gmsh did not write, and what to do with it; by its first bytes or its ending.
fn foreign(file: &Path, bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    // Every section of gmsh's begins so, comments included.
    if bytes.trim_ascii_start().starts_with(b"$") {
        return None;
    }
    let of = |ending: &str| FOREIGN.iter().find(|(endings, ..)| endings.contains(&ending)).map(|f| (f.1, f.2));
    let starts: &[(&[u8], &str)] =
        &[(b"solid", "stl"), (b"# vtk", "vtk"), (b"<VTKFile", "vtu"), (b"ply", "ply"), (b"OFF", "off")];
    let by_bytes = starts.iter().find(|(start, _)| bytes.starts_with(start)).and_then(|(_, ending)| of(ending));
    by_bytes.or_else(|| of(&file.extension()?.to_string_lossy().to_lowercase()))
}

/// The bytes of a mesh file, and where it is.
pub fn read_file(problems: &mut Problems, path: &str, name: &str, folder: &Path) -> Option<(PathBuf, Vec<u8>)> {
    let file = folder.join(name);
    match input::read_file(&file, input::MESH) {
        Ok(bytes) => {
            let Some((what, way)) = foreign(&file, &bytes) else { return Some((file, bytes)) };
            let message =
                format!("`{}` is {what}; meshes are read from gmsh files (MSH 2.2 or 4.1): {way}", file.display());
            problems.add(codes::FOREIGN_MESH, path, message, ProblemKind::Mesh);
            None
        }
        Err(e) => {
            let (code, kind, hint) = match &e {
                _ if e.is_missing() => {
                    (codes::NO_MESH_FILE, ProblemKind::Input, " (paths are relative to the case file)")
                }
                ReadError::File(_) => (codes::MESH_UNREADABLE, ProblemKind::File, ""),
                other => (other.code(), ProblemKind::File, ""),
            };
            let message = format!("cannot read the mesh `{}`: {}{hint}", excerpt(&file.to_string_lossy()), e.reason());
            problems.add(code, path, message, kind);
            None
        }
    }
}

fn check_lengths(problems: &mut Problems, path: &str, spec: &MeshSpec, d: usize) -> Option<()> {
    if let Some((name, dimension)) = spec.generator()
        && dimension != d
    {
        let message = format!("a `{name}` has {dimension} dimensions, the case has `dimension: {d}`");
        problems.input(codes::OTHER_DIMENSION, path, message);
        return None;
    }
    let before = problems.0.len();
    let mut length = |key: &str, found: usize, wanted: usize| {
        if found != wanted {
            let message = format!("{key} has {found} components, must have {wanted}");
            problems.input(codes::COMPONENTS, format!("{path}.{key}"), message);
        }
    };
    match spec {
        MeshSpec::File(_) | MeshSpec::Own(_) => {}
        MeshSpec::Rectangle(r) => {
            length("corner", r.corner.0.len(), d);
            length("size", r.size.0.len(), d);
            length("cells", r.cells.0.len(), d);
        }
        MeshSpec::Annulus(a) => {
            length("centre", a.centre.0.len(), d);
            length("cells", a.cells.0.len(), d);
        }
        MeshSpec::Disk(x) => {
            length("centre", x.centre.0.len(), d);
            length("core", x.core.0.len(), d);
        }
        MeshSpec::Box(b) => {
            length("corner", b.corner.0.len(), d);
            length("size", b.size.0.len(), d);
            length("cells", b.cells.0.len(), d);
        }
        MeshSpec::Ball(b) => length("centre", b.centre.0.len(), d),
        MeshSpec::QuarterBall(b) => length("centre", b.centre.0.len(), d),
        MeshSpec::Cylinder(x) => {
            length("centre", x.centre.0.len(), d);
            // Cells of the disk.
            length("core", x.core.0.len(), 2);
        }
        MeshSpec::ShellBlock(x) => {
            length("radii", x.radii.0.len(), 2);
            length("azimuth", x.azimuth.0.len(), 2);
            length("latitude", x.latitude.0.len(), 2);
            length("cells", x.cells.0.len(), d);
        }
    }
    (problems.0.len() == before).then_some(())
}

/// Turns the mesh about the origin, if it is to be turned, and shifts it.
pub fn place<const D: usize>(mesh: &mut Mesh<D>, turn: Option<&Rotation<f64, D>>, translation: &[f64; D]) {
    for x in &mut mesh.points {
        // An unturned mesh keeps its bits.
        if let Some(turn) = turn {
            *x = (turn * SVector::from(*x)).into();
        }
        for (x, t) in x.iter_mut().zip(translation) {
            *x += t;
        }
    }
}
