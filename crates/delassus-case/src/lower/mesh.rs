//! From the `mesh` key of a body to a mesh in its place.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use delassus_contact::{ContactError, FacetNodes, RigidSurface, Solid};
use delassus_error::input::{self, ReadError};
use delassus_error::{Coded, Own, excerpt};
use delassus_mesh::{CellBlock, CellKind, FaceRule, Mesh, MeshError, MeshFile, formats, generate};
use delassus_shapes::{PlacedBlock, RigidShape, ShapeError, ShapePose};
use delassus_sim::space::{Dimension, Space};
use nalgebra::{Rotation, SVector};

use super::blocks;
use super::rigid::{AROUND, drawn};
use crate::codes;
use crate::hash::sha256;
use crate::problem::{ProblemKind, Problems};
use crate::spec::{
    BlocksSpec, ClumpSpec, Components, Counts, FaceRuleSpec, FacesEntry, MeshSpec, OwnMesh, PlaneCell, PolyhedronSpec,
    RigidPolygonSpec, RigidSurfaceSpec, SolidCell, SolidSide,
};

/// What must be built differently in each dimension: generated meshes, rigid polygons and surfaces.
pub trait Generate<const D: usize>: Space<D> {
    /// The mesh of a generator; lengths of component lists have been checked.
    fn generate(spec: &MeshSpec) -> Result<Mesh<D>, MeshError>;

    /// The shape of a rigid body without a mesh, or of a rectangle or box; none for other meshes. Lengths of component lists have been checked.
    fn shape(spec: &MeshSpec) -> Option<Result<RigidShape<D>, ShapeError>>;

    /// The shape that a mesh fills; none if its boundary passes a node twice.
    fn outline(mesh: &Mesh<D>) -> Option<Result<RigidShape<D>, ShapeError>>;

    /// The blocks of a generator; none of those of another dimension, and of files. Lengths of component lists have been checked.
    fn blocks(spec: &BlocksSpec) -> Result<Vec<PlacedBlock<D>>, ShapeError>;

    /// The block with these corners and faces: in the plane a polygon without faces.
    fn block_of(points: &[SVector<f64, 3>], faces: &[Vec<usize>]) -> Result<RigidShape<D>, ShapeError>;

    /// The bodies of a mesh file.
    fn bodies(file: &dyn MeshFile) -> Result<Mesh<D>, MeshError>;

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
            MeshSpec::PointMass(_)
            | MeshSpec::Round(_)
            | MeshSpec::Capsule(_)
            | MeshSpec::Polygon(_)
            | MeshSpec::Polyhedron(_)
            | MeshSpec::Packing(_)
            | MeshSpec::Blocks(_)
            | MeshSpec::Surface(_)
            | MeshSpec::Clump(_)
            | MeshSpec::File(_)
            | MeshSpec::Own(_)
            | MeshSpec::Box(_)
            | MeshSpec::Ball(_)
            | MeshSpec::QuarterBall(_)
            | MeshSpec::Cylinder(_)
            | MeshSpec::ShellBlock(_) => Ok(empty()),
        }
    }

    fn shape(spec: &MeshSpec) -> Option<Result<RigidShape<2>, ShapeError>> {
        Some(match spec {
            MeshSpec::Polygon(p) => RigidShape::polygon(&points_of(&p.points)),
            MeshSpec::Rectangle(r) => {
                let ([x, y], [w, h]) = (components(&r.corner), components(&r.size));
                RigidShape::polygon(&[[x, y], [x + w, y], [x + w, y + h], [x, y + h]].map(SVector::from))
            }
            MeshSpec::Clump(c) => clump_shape(c),
            other => return round_shape(other),
        })
    }

    fn outline(mesh: &Mesh<2>) -> Option<Result<RigidShape<2>, ShapeError>> {
        let facets = mesh.boundary();
        let mut next: BTreeMap<usize, usize> = BTreeMap::new();
        for f in &facets {
            if next.insert(f.nodes[0], f.nodes[1]).is_some() {
                return None;
            }
        }
        let mut lines: Vec<Vec<SVector<f64, 2>>> = Vec::new();
        while let Some((&start, _)) = next.first_key_value() {
            let (mut node, mut corners) = (start, Vec::new());
            while let Some(to) = next.remove(&node) {
                corners.push(SVector::from(mesh.points[node]));
                node = to;
            }
            lines.push(corners);
        }
        Some(RigidShape::outlines(&lines))
    }

    fn blocks(spec: &BlocksSpec) -> Result<Vec<PlacedBlock<2>>, ShapeError> {
        match spec {
            BlocksSpec::Wall(w) => blocks::wall(w),
            BlocksSpec::Arch(a) => blocks::arch(a),
            BlocksSpec::Colonnade(c) => blocks::colonnade(c).plane(),
            BlocksSpec::Dome(_) | BlocksSpec::File(_) => Ok(Vec::new()),
        }
    }

    fn block_of(points: &[SVector<f64, 3>], _: &[Vec<usize>]) -> Result<RigidShape<2>, ShapeError> {
        RigidShape::polygon(&points.iter().map(|p| SVector::from([p[0], p[1]])).collect::<Vec<_>>())
    }

    fn bodies(file: &dyn MeshFile) -> Result<Mesh<2>, MeshError> {
        file.plane()
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
            MeshSpec::PointMass(_)
            | MeshSpec::Round(_)
            | MeshSpec::Capsule(_)
            | MeshSpec::Polygon(_)
            | MeshSpec::Polyhedron(_)
            | MeshSpec::Packing(_)
            | MeshSpec::Blocks(_)
            | MeshSpec::Surface(_)
            | MeshSpec::Clump(_)
            | MeshSpec::File(_)
            | MeshSpec::Own(_)
            | MeshSpec::Rectangle(_)
            | MeshSpec::Annulus(_)
            | MeshSpec::Disk(_) => Ok(empty()),
        }
    }

    fn shape(spec: &MeshSpec) -> Option<Result<RigidShape<3>, ShapeError>> {
        Some(match spec {
            MeshSpec::Polyhedron(p) => RigidShape::polyhedron(&points_of(&p.points), &p.faces),
            MeshSpec::Box(b) => {
                let (corner, size) =
                    (SVector::<f64, 3>::from(components(&b.corner)), SVector::<f64, 3>::from(components(&b.size)));
                RigidShape::block(size).map(|s| s.moved(&ShapePose::at(corner + 0.5 * size)))
            }
            MeshSpec::Clump(c) => clump_shape(c),
            other => return round_shape(other),
        })
    }

    fn outline(mesh: &Mesh<3>) -> Option<Result<RigidShape<3>, ShapeError>> {
        let facets = mesh.boundary();
        let mut places: BTreeMap<usize, usize> = BTreeMap::new();
        let mut points = Vec::new();
        let mut faces: Vec<Vec<usize>> = Vec::new();
        for f in &facets {
            let corners = &f.nodes[..f.kind.n_corners()];
            let mut number = |&node: &usize| {
                *places.entry(node).or_insert_with(|| {
                    points.push(SVector::from(mesh.points[node]));
                    points.len() - 1
                })
            };
            faces.push(corners.iter().map(&mut number).collect());
        }
        Some(closed(&points, &faces))
    }

    fn blocks(spec: &BlocksSpec) -> Result<Vec<PlacedBlock<3>>, ShapeError> {
        match spec {
            BlocksSpec::Wall(w) => blocks::wall(w),
            BlocksSpec::Colonnade(c) => blocks::colonnade(c).space(),
            BlocksSpec::Dome(d) => blocks::dome(d),
            BlocksSpec::Arch(_) | BlocksSpec::File(_) => Ok(Vec::new()),
        }
    }

    fn block_of(points: &[SVector<f64, 3>], faces: &[Vec<usize>]) -> Result<RigidShape<3>, ShapeError> {
        RigidShape::surface_of(points, faces)
    }

    fn bodies(file: &dyn MeshFile) -> Result<Mesh<3>, MeshError> {
        file.space()
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

/// What facets enclose; those that are not plane are cut into triangles.
fn closed(points: &[SVector<f64, 3>], faces: &[Vec<usize>]) -> Result<RigidShape<3>, ShapeError> {
    match RigidShape::surface_of(points, faces) {
        Err(ShapeError::FaceNotPlane { .. }) => {
            RigidShape::surface_of(points, &faces.iter().flat_map(|f| triangles(f)).collect::<Vec<_>>())
        }
        made => made,
    }
}

fn triangles(face: &[usize]) -> Vec<Vec<usize>> {
    (1..face.len().saturating_sub(1)).map(|k| vec![face[0], face[k], face[k + 1]]).collect()
}

/// The shapes of a clump, part by part.
pub(super) fn clump_parts<const D: usize>(spec: &ClumpSpec) -> Result<Vec<RigidShape<D>>, ShapeError>
where
    Dimension<D>: Generate<D>,
{
    spec.parts.iter().filter_map(|part| Dimension::<D>::shape(&part.alone())).collect()
}

fn clump_shape<const D: usize>(spec: &ClumpSpec) -> Result<RigidShape<D>, ShapeError>
where
    Dimension<D>: Generate<D>,
{
    let parts = clump_parts::<D>(spec)?;
    RigidShape::clump(&parts.into_iter().map(|shape| (shape, ShapePose::default())).collect::<Vec<_>>())
}

/// The meshes in which the parts of a clump are drawn, one after another in the mesh of the clump.
pub(super) fn clump_meshes<const D: usize>(
    problems: &mut Problems,
    path: &str,
    spec: &ClumpSpec,
) -> Option<Vec<Mesh<D>>>
where
    Dimension<D>: Generate<D>,
{
    let each = spec.parts.iter().enumerate();
    each.map(|(k, part)| shape_mesh(problems, &format!("{path}.parts[{k}]"), &part.alone())).collect()
}

fn clump_mesh<const D: usize>(problems: &mut Problems, path: &str, spec: &ClumpSpec) -> Option<Mesh<D>>
where
    Dimension<D>: Generate<D>,
{
    if let Err(e @ ShapeError::ClumpParts { .. }) = clump_shape::<D>(spec) {
        problems.add(e.code(), path, e.to_string(), ProblemKind::Mesh);
        return None;
    }
    let mut all = empty::<D>();
    for part in clump_meshes::<D>(problems, path, spec)? {
        let first = all.points.len();
        all.points.extend(part.points);
        for block in part.blocks {
            let nodes = block.nodes.iter().map(|n| n + first);
            match all.blocks.first_mut() {
                Some(known) => known.nodes.extend(nodes),
                None => all.blocks.push(CellBlock { kind: block.kind, nodes: nodes.collect() }),
            }
        }
    }
    Some(all)
}

/// The body within a closed surface of a file, drawn as tetrahedra from the mean of its points: only their outer faces are seen.
fn surface_mesh<const D: usize>(
    problems: &mut Problems,
    path: &str,
    spec: &RigidSurfaceSpec,
    folder: &Path,
) -> Option<(Mesh<D>, Option<String>)> {
    if !(spec.scale > 0.0 && spec.scale.is_finite()) {
        let message = format!("scale = {} must be positive and finite", spec.scale);
        problems.input(codes::NOT_POSITIVE, format!("{path}.scale"), message);
        return None;
    }
    let at = |key: &str| format!("{path}.{key}");
    let (file, bytes) = read_file(problems, &at("file"), &spec.file, folder)?;
    let group = spec.group.as_deref();
    let of_group = at(if group.is_some() { "group" } else { "file" });
    let read = formats::read(&ending(&file), &bytes).map_err(|e| (at("file"), e));
    let surface = match read.and_then(|read| read.surface(group).map_err(|e| (of_group, e))) {
        Ok(surface) => surface,
        Err((path, e)) => {
            problems.add(e.code(), path, format!("mesh `{}`: {e}", file.display()), ProblemKind::Mesh);
            return None;
        }
    };
    let mut points: Vec<SVector<f64, 3>> = surface.points.iter().map(|x| SVector::from(*x) * spec.scale).collect();
    // An open one would be closed by the tetrahedra.
    if let Err(e) = closed(&points, &surface.facets) {
        let message = format!("mesh `{}`: {e}{}", file.display(), places(&e, &points));
        problems.add(e.code(), at("file"), message, ProblemKind::Mesh);
        return None;
    }
    let apex = points.len();
    points.push(points.iter().sum::<SVector<f64, 3>>() / apex as f64);
    let cells = surface.facets.iter().flat_map(|f| triangles(f)).flat_map(|t| std::iter::once(apex).chain(t));
    let blocks = vec![CellBlock { kind: CellKind::Tetrahedron4, nodes: cells.collect() }];
    let points = points.iter().map(|x| std::array::from_fn(|i| x[i])).collect();
    Some((Mesh { points, blocks, groups: Vec::new() }, Some(sha256(&bytes))))
}

/// Where the ends of an edge are that is open.
fn places(e: &ShapeError, points: &[SVector<f64, 3>]) -> String {
    let ShapeError::OpenSurface { from, to, .. } = e else { return String::new() };
    let place = |k: &usize| points.get(*k).map_or_else(String::new, |x| format!("({}, {}, {})", x[0], x[1], x[2]));
    format!("; the edge goes from {} to {}", place(from), place(to))
}

/// Points, capsules and round shapes of either dimension.
fn round_shape<const D: usize>(spec: &MeshSpec) -> Option<Result<RigidShape<D>, ShapeError>> {
    let at = |c: &Components| ShapePose::at(SVector::<f64, D>::from(components(c)));
    Some(match spec {
        MeshSpec::PointMass(p) => Ok(RigidShape::point().moved(&at(&p.at))),
        MeshSpec::Round(r) => RigidShape::ball(r.radius).map(|s| s.moved(&at(&r.centre))),
        MeshSpec::Capsule(c) => RigidShape::capsule([&c.from, &c.to].map(|e| SVector::from(components(e))), c.radius),
        _ => return None,
    })
}

fn points_of<const D: usize>(points: &[Components]) -> Vec<SVector<f64, D>> {
    points.iter().map(|c| SVector::from(components(c))).collect()
}

/// The mesh in which a shape is drawn.
fn shape_mesh<const D: usize>(problems: &mut Problems, path: &str, spec: &MeshSpec) -> Option<Mesh<D>>
where
    Dimension<D>: Generate<D>,
{
    let shape = match Dimension::<D>::shape(spec)? {
        Ok(shape) => shape,
        Err(e) => {
            problems.add(e.code(), path, e.to_string(), ProblemKind::Mesh);
            return None;
        }
    };
    let end = |c: &Components| SVector::<f64, D>::from(components(c));
    let ends: Vec<SVector<f64, D>> = match spec {
        MeshSpec::PointMass(p) => vec![end(&p.at)],
        MeshSpec::Round(r) => vec![end(&r.centre)],
        MeshSpec::Capsule(c) => vec![end(&c.from), end(&c.to)],
        _ => Vec::new(),
    };
    Some(drawn(&shape, &ends, AROUND))
}

/// What a generator of another dimension gives; that mistake has been noted before.
fn empty<const D: usize>() -> Mesh<D> {
    Mesh { points: Vec::new(), blocks: Vec::new(), groups: Vec::new() }
}

pub fn components<const N: usize>(c: &Components) -> [f64; N] {
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
        MeshSpec::Surface(surface) => return surface_mesh(problems, path, surface, folder),
        MeshSpec::Clump(clump) => return clump_mesh(problems, path, clump).map(|mesh| (mesh, None)),
        shape if shape.is_shape() => return shape_mesh(problems, path, shape).map(|mesh| (mesh, None)),
        _ => {
            let made = Dimension::<D>::generate(spec);
            return problems.check(path, made).map(|mesh| (mesh, None));
        }
    };
    let (file, bytes) = read_file(problems, path, name, folder)?;
    match formats::read(&ending(&file), &bytes).and_then(|read| Dimension::<D>::bodies(&*read)) {
        Ok(mesh) => Some((mesh, Some(sha256(&bytes)))),
        Err(e) => {
            let is_surface = D == 3 && ["stl", "obj"].contains(&ending(&file).as_str());
            let way = if is_surface { "; as a rigid body it is `Surface(file: …)`" } else { "" };
            problems.add(e.code(), path, format!("mesh `{}`: {e}{way}", file.display()), ProblemKind::Mesh);
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

/// Endings of files that are not read, what they are, and what to do.
const FOREIGN: &[(&[&str], &str, &str)] = &[
    (&["ply", "off"], "a file of triangles", MESHIO),
    (
        &["vtk", "vtp", "pvd", "pvtu"],
        "a VTK file of another form",
        "save it as .vtu in ParaView, or `meshio convert name.vtk name.vtu`",
    ),
    (&["bdf", "nas", "cgns"], "a mesh of another program", "`gmsh name.bdf -save -format msh41 -o name.msh`"),
    (&["exo", "e", "xdmf", "mesh", "su2"], "a mesh of another program", MESHIO),
    (&["geo"], "a geometry for gmsh, without a mesh", "mesh it first: `gmsh -2` or `gmsh -3`, with `-o name.msh`"),
    (
        &["step", "stp", "iges", "igs", "brep"],
        "a geometry without a mesh",
        "open it in gmsh, give its surfaces and volumes physical groups, and mesh it: `gmsh -3 name.step -o name.msh`",
    ),
];

const MESHIO: &str = "`meshio convert name.exo name.vtu`";

/// What a file is that no reader takes, and what to do with it; by its ending.
fn foreign(file: &Path, bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    let ending = ending(file);
    if formats::find(&ending, bytes).is_some() {
        return None;
    }
    FOREIGN.iter().find(|(endings, ..)| endings.contains(&ending.as_str())).map(|f| (f.1, f.2))
}

/// The ending of a file's name in small letters, without the dot.
pub fn ending(file: &Path) -> String {
    file.extension().map_or_else(String::new, |ending| ending.to_string_lossy().to_lowercase())
}

/// The bytes of a mesh file, and where it is.
pub fn read_file(problems: &mut Problems, path: &str, name: &str, folder: &Path) -> Option<(PathBuf, Vec<u8>)> {
    let file = folder.join(name);
    match input::read_file(&file, input::MESH) {
        Ok(bytes) => {
            let Some((what, way)) = foreign(&file, &bytes) else { return Some((file, bytes)) };
            let message = format!("`{}` is {what}, which is not read ({}); {way}", file.display(), formats::names());
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

pub fn check_lengths(problems: &mut Problems, path: &str, spec: &MeshSpec, d: usize) -> Option<()> {
    if let Some((name, dimension)) = spec.generator()
        && dimension != d
    {
        let message = format!("a `{name}` has {dimension} dimensions, the case has `dimension: {d}`");
        problems.input(codes::OTHER_DIMENSION, path, message);
        return None;
    }
    if let MeshSpec::Clump(clump) = spec {
        let mut good = Some(());
        for (k, part) in clump.parts.iter().enumerate() {
            good = check_lengths(problems, &format!("{path}.parts[{k}]"), &part.alone(), d).and(good);
        }
        return good;
    }
    let before = problems.0.len();
    let mut length = |key: &str, found: usize, wanted: usize| {
        if found != wanted {
            let message = format!("{key} has {found} components, must have {wanted}");
            problems.input(codes::COMPONENTS, format!("{path}.{key}"), message);
        }
    };
    match spec {
        MeshSpec::File(_) | MeshSpec::Own(_) | MeshSpec::Surface(_) | MeshSpec::Clump(_) => {}
        MeshSpec::Blocks(BlocksSpec::Wall(w)) => length("brick", w.brick.0.len(), d),
        MeshSpec::Blocks(BlocksSpec::Dome(x)) => {
            length("radii", x.radii.0.len(), 2);
            length("latitude", x.latitude.0.len(), 2);
        }
        MeshSpec::Blocks(_) => {}
        MeshSpec::Packing(p) => {
            length("base", p.base.0.len(), d - 1);
            if !p.corner.0.is_empty() {
                length("corner", p.corner.0.len(), d);
            }
        }
        MeshSpec::PointMass(p) => length("at", p.at.0.len(), d),
        MeshSpec::Round(r) => length("centre", r.centre.0.len(), d),
        MeshSpec::Capsule(c) => {
            length("from", c.from.0.len(), d);
            length("to", c.to.0.len(), d);
        }
        MeshSpec::Polygon(RigidPolygonSpec { points }) | MeshSpec::Polyhedron(PolyhedronSpec { points, .. }) => {
            points.iter().enumerate().for_each(|(k, p)| length(&format!("points[{k}]"), p.0.len(), d));
        }
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

/// Names faces of a mesh as its entry says; what is wrong is told at the entry.
pub fn name_faces<const D: usize>(
    problems: &mut Problems,
    path: &str,
    mesh: &mut Mesh<D>,
    entries: &[FacesEntry],
) -> Option<()> {
    let mut good = Some(());
    for (k, entry) in entries.iter().enumerate() {
        let at = format!("{path}[{k}]");
        let rules: Option<Vec<FaceRule<D>>> = entry
            .all_of
            .iter()
            .enumerate()
            .map(|(j, rule)| rule_of(problems, &format!("{at}.all_of[{j}]"), rule))
            .collect();
        good = rules.and_then(|rules| problems.check_mesh(&at, mesh.add_faces(&entry.name, &rules))).and(good);
    }
    good
}

fn rule_of<const D: usize>(problems: &mut Problems, path: &str, rule: &FaceRuleSpec) -> Option<FaceRule<D>> {
    let mut point = |key: &str, given: &Components| {
        if given.0.len() == D {
            return Some(components(given));
        }
        let message = format!("{key} has {} components, must have {D}", given.0.len());
        problems.input(codes::COMPONENTS, format!("{path}.{key}"), message);
        None
    };
    Some(match rule {
        FaceRuleSpec::Plane { point: on, normal } => {
            FaceRule::Plane { point: point("point", on)?, normal: point("normal", normal)? }
        }
        FaceRuleSpec::Box { from, to } => FaceRule::Box { from: point("from", from)?, to: point("to", to)? },
        FaceRuleSpec::Normal { direction, within } => {
            FaceRule::Normal { direction: point("direction", direction)?, within: *within }
        }
    })
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
