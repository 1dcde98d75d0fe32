//! Errors of meshes, mesh files and the parameters of generators.

use std::path::PathBuf;

use delassus_error::digits::place;
use delassus_error::{Code, Coded};

use crate::CellKind;

/// Where in a file: a line of a text file, a byte of a binary one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilePlace {
    /// Line number, from 1.
    Line(usize),
    /// Offset from the beginning of the file, from 0.
    Byte(usize),
}

impl std::fmt::Display for FilePlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            FilePlace::Line(line) => write!(f, "line {line}"),
            FilePlace::Byte(byte) => write!(f, "byte {byte}"),
        }
    }
}

/// What is wrong with the shape of a bulk cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellDefect {
    /// Every corner has a negative Jacobian: the nodes run the wrong way round.
    Inverted,
    /// Some corner has a negative Jacobian: the cell is not convex, or crosses itself.
    Folded,
    /// Some corner has no area: nodes coincide or lie on a line.
    Degenerate,
}

impl std::fmt::Display for CellDefect {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            CellDefect::Inverted => "inverted (its nodes run clockwise)",
            CellDefect::Folded => "folded or not convex",
            CellDefect::Degenerate => "degenerate (corner without area)",
        })
    }
}

/// Error of this crate. Messages name the thing, the place, the value and what would be right.
#[derive(Debug, thiserror::Error)]
pub enum MeshError {
    /// A group was asked for which the mesh does not have.
    #[error("no group `{name}` in the mesh; groups present: {present}{}", suggestion(.nearest.as_deref()))]
    UnknownGroup {
        /// As asked for.
        name: String,
        /// The groups of the mesh with dimension and number of cells.
        present: String,
        /// The name that looks most like it, if any does.
        nearest: Option<String>,
    },
    /// Several groups answer to the name or number.
    #[error("group `{name}` is ambiguous: it fits {candidates}; give the groups different names in gmsh")]
    AmbiguousGroup {
        /// As asked for.
        name: String,
        /// The groups it may mean.
        candidates: String,
    },
    /// The group is declared but holds nothing.
    #[error("group `{name}` (dimension {dim}) has no cells; was its geometry meshed and saved?")]
    EmptyGroup {
        /// Name of the group.
        name: String,
        /// Its dimension.
        dim: usize,
    },
    /// Facets were asked of a group that is neither of the boundary nor of the bulk.
    #[error("group of {} has no facets: `{name}` is {dim}-dimensional, facets need dimension {} or {mesh_dim}",
        things(*dim), mesh_dim.saturating_sub(1))]
    NoFacets {
        /// Name of the group.
        name: String,
        /// Its dimension.
        dim: usize,
        /// Dimension of the mesh.
        mesh_dim: usize,
    },
    /// A surface was asked of a group that is none.
    #[error(
        "group `{name}` is {dim}-dimensional: a rigid surface needs a group of dimension 2 (triangles, quadrilaterals)"
    )]
    NotASurface {
        /// Name of the group.
        name: String,
        /// Its dimension.
        dim: usize,
    },
    /// A boundary cell lies on no bulk cell.
    #[error("group `{group}`: cell {cell} ({kind}, nodes {nodes:?}) is not a facet of any cell of the body")]
    FacetOutside {
        /// Name of the group.
        group: String,
        /// Global cell number of the boundary cell.
        cell: usize,
        /// Its kind.
        kind: CellKind,
        /// Its nodes.
        nodes: Vec<usize>,
    },
    /// A boundary cell lies between bulk cells.
    #[error(
        "group `{group}`: cell {cell} (nodes {nodes:?}) is inside the body, between cells {owners:?}; \
         a contact or load surface must be on the boundary"
    )]
    FacetInside {
        /// Name of the group.
        group: String,
        /// Global cell number of the boundary cell.
        cell: usize,
        /// Its nodes.
        nodes: Vec<usize>,
        /// The bulk cells that share it.
        owners: Vec<usize>,
    },
    /// A mesh is to be split along a group that is no interface.
    #[error(
        "group `{name}` is {dim}-dimensional: a {mesh_dim}D mesh is split along a group of dimension {}, {} inside the body",
        mesh_dim.saturating_sub(1), things(mesh_dim.saturating_sub(1))
    )]
    NotAnInterface {
        /// Name of the group.
        name: String,
        /// Its dimension.
        dim: usize,
        /// Dimension of the mesh.
        mesh_dim: usize,
    },
    /// A facet of an interface has a cell on one side only.
    #[error(
        "group `{group}`: cell {cell} (nodes {nodes:?}) is on the boundary: it is a facet of cell {owner} only; a \
         mesh is split along facets between two cells"
    )]
    OneSidedFacet {
        /// Name of the group.
        group: String,
        /// Global number of the facet's cell.
        cell: usize,
        /// Its nodes.
        nodes: Vec<usize>,
        /// The bulk cell it belongs to.
        owner: usize,
    },
    /// An interface without two distinct sides.
    #[error(
        "group `{group}` does not have two sides: at {} it branches, or meets itself from the other side; divide it \
         into groups with different names, or name the cells of one side (`plus`)",
        place(.point)
    )]
    NoTwoSides {
        /// Name of the group.
        group: String,
        /// Where it was found out \[m\].
        point: Vec<f64>,
    },
    /// Cells were asked of a group that has none.
    #[error(
        "group `{name}` is {dim}-dimensional: the side of an interface is named by a group of cells, of dimension {mesh_dim}"
    )]
    NotCells {
        /// Name of the group.
        name: String,
        /// Its dimension.
        dim: usize,
        /// Dimension of the mesh.
        mesh_dim: usize,
    },
    /// A named side does not lie on one side of a facet.
    #[error(
        "group `{group}`, cell {cell}: {} of the cells {owners:?} on its two sides belong to `{side}`; exactly one \
         must", if *.both { "both" } else { "none" }
    )]
    UnclearSide {
        /// Name of the interface's group.
        group: String,
        /// Name of the group of cells that was to be the plus side.
        side: String,
        /// Global number of the facet's cell.
        cell: usize,
        /// The bulk cells beside it.
        owners: [usize; 2],
        /// Whether both belong to the side, or none.
        both: bool,
    },
    /// An interface without a node that can be doubled.
    #[error(
        "group `{group}` does not open: the material is connected around every node of its {facets} facets; \
         a crack needs at least one inner node, or an end on the boundary"
    )]
    NothingOpens {
        /// Name of the group.
        group: String,
        /// Number of its facets.
        facets: usize,
    },
    /// A group is to be made under a name that is taken.
    #[error("group `{name}` exists already; a new group of facets needs a name of its own")]
    NameTaken {
        /// The name.
        name: String,
    },
    /// A group of facets found by a rule has none.
    #[error("interface `{name}`: no facet between two cells lies {place}")]
    NoFacetFound {
        /// Name the group would have.
        name: String,
        /// Where facets were looked for.
        place: String,
    },
    /// A bulk cell with a bad shape.
    #[error("cell {cell} ({kind}{}, centre {}) is {defect}: Jacobian {jacobian:e} at corner {corner}, \
        every corner must be positive{}", file_tag_text(*.file_tag), place(.centre), others_text(*.others))]
    BadCell {
        /// Global cell number.
        cell: usize,
        /// Its kind.
        kind: CellKind,
        /// Its number in the file, where it came from one.
        file_tag: Option<u64>,
        /// Mean of its nodes \[m\].
        centre: Vec<f64>,
        /// What is wrong.
        defect: CellDefect,
        /// Local number of the worst corner.
        corner: usize,
        /// Jacobian there \[m^D\].
        jacobian: f64,
        /// How many more cells are bad.
        others: usize,
    },
    /// Bulk cells overlap or meet three at a facet.
    #[error("cells {cells:?} overlap: they share the facet with nodes {nodes:?} on the same side")]
    Overlap {
        /// Nodes of the facet.
        nodes: Vec<usize>,
        /// The bulk cells.
        cells: Vec<usize>,
    },
    /// A boundary cell uses a node that no bulk cell has.
    #[error(
        "cell {cell} ({kind}) uses the point {}, which belongs to no cell of dimension {mesh_dim}; groups: {groups}",
        place(.point)
    )]
    OffBody {
        /// Global cell number before dropping nodes.
        cell: usize,
        /// Its kind.
        kind: CellKind,
        /// Coordinates of the orphan node \[m\].
        point: Vec<f64>,
        /// Dimension of the mesh.
        mesh_dim: usize,
        /// Names of the groups that contain the cell.
        groups: String,
    },
    /// The parts of the mesh contradict each other.
    #[error("inconsistent mesh: {what}")]
    Inconsistent {
        /// What contradicts what.
        what: String,
    },
    /// A mesh without bulk cells.
    #[error("the mesh has no cell of dimension {dim}; {hint}")]
    NoBulkCells {
        /// Dimension wanted.
        dim: usize,
        /// What to look at.
        hint: &'static str,
    },
    /// A parameter of a generator is out of range.
    #[error("{shape}: {name} = {value}, must be {expected}")]
    Parameter {
        /// Generator.
        shape: &'static str,
        /// Parameter.
        name: &'static str,
        /// Value given.
        value: String,
        /// What is allowed.
        expected: &'static str,
    },
    /// The bytes are not a gmsh mesh.
    #[error("not a gmsh mesh file: it must begin with `$MeshFormat`{}", if *.is_empty { ", and it is empty" } else { "" })]
    NotGmsh {
        /// There are no bytes at all.
        is_empty: bool,
    },
    /// A gmsh version this reader does not know.
    #[error(
        "MSH version {version} is not supported, only 2.2 and 4.1; open the file in gmsh and save it with Mesh.MshFileVersion = 4.1"
    )]
    UnsupportedVersion {
        /// As the file states it.
        version: String,
    },
    /// The text or the bytes of a section are not as the format wants them.
    #[error("{section}: {place}: {message}")]
    Syntax {
        /// Section, with its `$`.
        section: String,
        /// Line or byte.
        place: FilePlace,
        /// What was expected and what was found.
        message: String,
    },
    /// A section without which there is no mesh.
    #[error("the file has no {section} section; is it complete?")]
    MissingSection {
        /// Section, with its `$`.
        section: &'static str,
    },
    /// Two nodes with one tag.
    #[error("node {tag} is given twice; the numbers of nodes must be unique")]
    DuplicateNode {
        /// The tag.
        tag: u64,
    },
    /// An element whose node does not exist.
    #[error("element {element} uses node {node}, which the file does not define")]
    UnknownNode {
        /// Tag of the element.
        element: u64,
        /// Tag of the node.
        node: u64,
    },
    /// Elements of a kind Delassus does not have.
    #[error("{found} not supported; supported: {supported}{hint}")]
    UnsupportedElement {
        /// The element types with their gmsh numbers and counts.
        found: String,
        /// The kinds that can be used.
        supported: String,
        /// What to do in gmsh, if that is simple.
        hint: &'static str,
    },
    /// The mesh has more dimensions than the body.
    #[error("the mesh is {mesh_dim}D ({count} × {element}), but the body is {dim}D")]
    TooManyDimensions {
        /// Dimension of the elements found.
        mesh_dim: usize,
        /// How many there are.
        count: usize,
        /// The type of the first.
        element: String,
        /// Dimension wanted.
        dim: usize,
    },
    /// A plane body with nodes out of its plane.
    #[error(
        "the mesh is not plane: node {node} has {axis} = {value}, other nodes have {axis} = {reference}; a {dim}D mesh needs one value"
    )]
    NotPlane {
        /// Tag of the node.
        node: u64,
        /// Axis letter.
        axis: char,
        /// Its coordinate \[m\].
        value: f64,
        /// The coordinate of the first node \[m\].
        reference: f64,
        /// Dimension of the body.
        dim: usize,
    },
    /// The bytes are not an Abaqus input file.
    #[error(
        "not an Abaqus or CalculiX input file: there is no `*NODE` or `*ELEMENT` in it, or text before the first keyword"
    )]
    NotAbaqus,
    /// A set or surface names something that is not there.
    #[error("line {line}: no {what} `{name}` in the file; sets must be defined before they are used")]
    UnknownSet {
        /// What is missing.
        what: &'static str,
        /// Its name or number.
        name: String,
        /// Line of the keyword that needs it.
        line: usize,
    },
    /// A surface names a face that an element does not have.
    #[error("line {line}: element {element} ({kind}) has no face S{face}: its faces are S1 to S{faces}")]
    UnknownFace {
        /// Number of the element.
        element: u64,
        /// Its kind.
        kind: CellKind,
        /// The face, from 1.
        face: usize,
        /// How many it has.
        faces: usize,
        /// Line of the surface.
        line: usize,
    },
    /// Sets that together are out of proportion to the file.
    #[error(
        "the sets of the file have more members together than the file has bytes; write only the sets that the case names"
    )]
    SetsTooLarge,
    /// A file that goes on in another.
    #[error("the file includes another (*INCLUDE, INPUT={file}), which is not read; put its lines in this one")]
    IncludedFile {
        /// Name of the other file.
        file: String,
    },
    /// Parts and instances that do not make one mesh.
    #[error("{reason}; each part must have one instance (`copies` of a body multiplies it)")]
    Instances {
        /// What is wrong.
        reason: String,
    },
    /// A facet with more corners than four.
    #[error(
        "line {line}: a facet with {corners} corners; triangles and quadrilaterals are read: triangulate the surface"
    )]
    Polygon {
        /// Line of the facet.
        line: usize,
        /// Its corners.
        corners: usize,
    },
    /// A file of triangles that is none.
    #[error("not {format}: {reason}")]
    NotASurfaceFile {
        /// The format it should have.
        format: &'static str,
        /// What is missing.
        reason: &'static str,
    },
    /// A VTK grid that cannot be read.
    #[error("VTK grid: {reason}")]
    VtkGrid {
        /// What is wrong.
        reason: String,
    },
    /// A MED file that cannot be read.
    #[error("MED file: {reason}")]
    MedFile {
        /// What is wrong.
        reason: String,
    },
    /// Compressed arrays that are out of proportion to the file.
    #[error("VTK grid: the compressed arrays unpack to more than {most} bytes; save the file without compression")]
    UnpacksTooFar {
        /// How much is unpacked.
        most: usize,
    },
    /// Faces described by a rule of which there are none.
    #[error("faces `{name}`: no facet of the boundary lies {place}; the mesh reaches from {low} to {high}")]
    NoFaceFound {
        /// Name the group would have.
        name: String,
        /// Where facets were looked for.
        place: String,
        /// Least coordinates of the mesh.
        low: String,
        /// Greatest coordinates.
        high: String,
    },
    /// The file cannot be read.
    #[error("{}: cannot be read: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
    /// The file is not read for what it is.
    #[error(transparent)]
    Refused(delassus_error::input::ReadError),
    /// A mesh that is larger than the memory there is.
    #[error(transparent)]
    Memory(#[from] delassus_error::machine::MemoryError),
    /// Something is wrong inside a file.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What.
        source: Box<MeshError>,
    },
}

fn suggestion(nearest: Option<&str>) -> String {
    nearest.map_or(String::new(), |name| format!("; did you mean `{name}`?"))
}

fn things(dim: usize) -> &'static str {
    match dim {
        0 => "points",
        1 => "curves",
        2 => "surfaces",
        _ => "volumes",
    }
}

fn file_tag_text(tag: Option<u64>) -> String {
    tag.map_or(String::new(), |tag| format!(", element {tag} of the file"))
}

fn others_text(others: usize) -> String {
    if others == 0 { String::new() } else { format!("; {others} more cells are bad") }
}

/// A mesh file that cannot be read.
pub const UNREADABLE: Code = Code("E0402");

impl Coded for MeshError {
    fn code(&self) -> Code {
        match self {
            Self::Io { .. } => UNREADABLE,
            Self::Refused(e) => e.code(),
            Self::Memory(e) => e.code(),
            Self::NotGmsh { .. } => Code("E0403"),
            Self::UnsupportedVersion { .. } => Code("E0404"),
            Self::Syntax { .. } => Code("E0405"),
            Self::MissingSection { .. } => Code("E0406"),
            Self::DuplicateNode { .. } => Code("E0407"),
            Self::UnknownNode { .. } => Code("E0408"),
            Self::UnsupportedElement { .. } => Code("E0409"),
            Self::TooManyDimensions { .. } => Code("E0410"),
            Self::NotPlane { .. } => Code("E0411"),
            Self::NoBulkCells { .. } => Code("E0412"),
            Self::OffBody { .. } => Code("E0413"),
            Self::Inconsistent { .. } => Code("E0414"),
            Self::UnknownGroup { .. } => Code("E0421"),
            Self::AmbiguousGroup { .. } => Code("E0422"),
            Self::EmptyGroup { .. } => Code("E0423"),
            Self::NoFacets { .. } => Code("E0424"),
            Self::NotASurface { .. } => Code("E0425"),
            Self::FacetOutside { .. } => Code("E0426"),
            Self::FacetInside { .. } => Code("E0427"),
            Self::NotAnInterface { .. } => Code("E0431"),
            Self::OneSidedFacet { .. } => Code("E0432"),
            Self::NoTwoSides { .. } => Code("E0433"),
            Self::NotCells { .. } => Code("E0434"),
            Self::UnclearSide { .. } => Code("E0435"),
            Self::NothingOpens { .. } => Code("E0436"),
            Self::NameTaken { .. } => Code("E0437"),
            Self::NoFacetFound { .. } => Code("E0438"),
            Self::BadCell { .. } => Code("E0441"),
            Self::Overlap { .. } => Code("E0442"),
            Self::Parameter { .. } => Code("E0443"),
            Self::UnknownSet { .. } => Code("E0430"),
            Self::UnknownFace { .. } => Code("E0439"),
            Self::SetsTooLarge => Code("E0440"),
            Self::IncludedFile { .. } => Code("E0444"),
            Self::Instances { .. } => Code("E0445"),
            Self::Polygon { .. } => Code("E0446"),
            Self::VtkGrid { .. } => Code("E0447"),
            Self::MedFile { .. } => Code("E0858"),
            Self::UnpacksTooFar { .. } => Code("E0448"),
            Self::NoFaceFound { .. } => Code("E0449"),
            Self::NotAbaqus => Code("E0450"),
            Self::NotASurfaceFile { .. } => Code("E0451"),
            Self::File { source, .. } => source.code(),
        }
    }
}
