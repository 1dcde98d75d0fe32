//! Meshes: cells, groups, boundary facets, mesh files, VTK output.
//!
//! A [`Mesh`] is plain data: points, blocks of equal cells, and named groups of cells. It comes from a file
//! ([`formats`]) or from one of the structured generators ([`generate`]), and provides what the other
//! crates need: the nodes of the support `"bottom"`, the facets of the contact surface `"top"` with their
//! outside ([`Mesh::group_facets`]), and the check that every cell has the right orientation
//! ([`Mesh::validate`]).
//!
//! ```
//! use delassus_mesh::{CellKind, generate};
//!
//! // A bar of 1 m by 0.1 m, 10 by 2 bilinear cells.
//! let bar = generate::rectangle([0.0, 0.0], [1.0, 0.1], [10, 2], CellKind::Quad4, 1)?;
//! assert_eq!((bar.n_points(), bar.bulk_cells().count()), (33, 20));
//! assert!((bar.total_measure() - 0.1).abs() < 1e-15);
//!
//! let tip = bar.group_facets("right")?;
//! assert_eq!(bar.facet_normal(&tip[0]), [1.0, 0.0]);
//! # Ok::<(), delassus_mesh::MeshError>(())
//! ```
//!
//! Conventions
//! - Coordinates in metres. Two-dimensional cells are counter-clockwise; facets have the body on their
//!   left, so that the outward normal is (t_y, −t_x) for the tangent t. Facets of three-dimensional cells are
//!   counter-clockwise seen from outside.
//! - Nodes of a cell are in VTK's order.
//! - Cell numbers are global: the blocks of a mesh concatenated in order. Readers and generators put the
//!   cells of the highest dimension first, so the bulk cells are `0..n_bulk`.
//! - Nothing here depends on the order of a hash table: the same input gives the same mesh, bit for bit.

mod abaqus;
mod boundary;
mod cell_kind;
mod draft;
mod error;
mod faces;
pub mod formats;
pub mod generate;
mod geometry;
pub mod gmsh;
mod group;
mod interface;
mod med;
mod mesh;
mod mesh_file;
mod obj;
mod quadratic;
mod split;
mod stl;
mod unv;
pub mod vtk;

pub use boundary::Facet;
pub use cell_kind::{CellKind, LocalFacet};
pub use error::{CellDefect, FilePlace, MeshError, UNREADABLE};
pub use faces::FaceRule;
pub use mesh::{CellBlock, Group, Mesh};
pub use mesh_file::{MeshFile, SurfaceMesh};
pub use split::Interface;

/// Explanations of the codes of this crate's errors.
pub const EXPLANATIONS: &str = include_str!("explanations.md");
