//! Grids of other programs as meshes of bodies (`foreign`), and VTK output: one XML unstructured grid (`.vtu`) per frame, and the collection (`.pvd`) that gives each frame its time.
//!
//! The writer takes plain slices ([`Grid`]) and any [`std::io::Write`]; it does not depend on meshes or on the file
//! system: the caller chooses names and renames finished files.
//!
//! ```text
//! <VTKFile type="UnstructuredGrid" version="1.0" byte_order="LittleEndian" header_type="UInt64">
//!   <UnstructuredGrid>
//!     <FieldData>  TimeValue: the time t of the frame [s]          </FieldData>
//!     <Piece NumberOfPoints="n" NumberOfCells="m">
//!       <PointData> n × components values per field </PointData>   <CellData> m × components </CellData>
//!       <Points> n × 3 </Points>                                   <Cells> connectivity, offsets, types </Cells>
//!   <AppendedData encoding="raw"> _ all arrays                     </AppendedData>
//! ```
//!
//! Arrays are raw little-endian bytes behind the tags, packed by zlib unless the [`VtuEncoding`] says otherwise: what goes in
//! comes back bit for bit (as `f32` with single precision), NaN and infinities included. `vtkio` encodes the values and writes the elements of the arrays; the frame
//! around them is written here, because `vtkio` has no time value, no component names, no raw appended data and no collections.
//!
//! A grid without points or cells is a valid file with all its arrays declared, so that a filter set up on one frame
//! still finds its field in a frame without contacts. ParaView and VTK read it; meshio (5.3.5) raises an `IndexError` on
//! any file without cells, also on those written by VTK or by itself. Points shown without elements should therefore be
//! given [`Cells::vertices`].
//!
//! ```
//! use delassus_mesh::vtk::{Cells, Field, Grid, Values, VtuEncoding, write_pvd, write_vtu};
//!
//! // One triangle that moves along x.
//! let points = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
//! let displacement = [0.1, 0.0, 0.0, 0.1, 0.0, 0.0, 0.1, 0.0, 0.0];
//! let grid = Grid {
//!     points: &points,
//!     cells: Cells::new(&[0, 1, 2], &[3], &[5]),
//!     point_fields: &[Field::vector("displacement", &displacement)],
//!     cell_fields: &[Field::scalar("body", Values::I32(&[0]))],
//! };
//! let (mut frame, mut collection) = (Vec::new(), Vec::new());
//! write_vtu(&mut frame, 0.5, &grid, VtuEncoding::default())?;
//! write_pvd(&mut collection, &[(0.5, "vtu/frame_00000.vtu")])?;
//! assert!(String::from_utf8_lossy(&collection).contains("timestep=\"0.5\""));
//! # Ok::<(), delassus_mesh::vtk::VtkError>(())
//! ```

mod error;
mod foreign;
mod grid;
mod pvd;
mod read;
mod text;
mod vtu;

pub use error::{Location, VtkError};
pub(crate) use foreign::read as read_foreign;
pub use grid::{Cells, Field, Grid, SYMMETRIC_TENSOR_COMPONENTS, VECTOR_COMPONENTS, Values};
pub use pvd::write_pvd;
pub use read::{FieldData, GridData, VtkReadError, read_pvd, read_vtu};
pub use vtu::{VtuEncoding, write_vtu};
