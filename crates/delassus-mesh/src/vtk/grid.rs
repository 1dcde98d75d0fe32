//! The grid as plain slices, and the checks that make it safe to write and to read.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::text::check_name;
use super::{Location, VtkError};

/// Component names of a vector.
pub const VECTOR_COMPONENTS: [&str; 3] = ["X", "Y", "Z"];

/// Component names of a symmetric tensor, in VTK's order: the diagonal, then XY, YZ, XZ.
pub const SYMMETRIC_TENSOR_COMPONENTS: [&str; 6] = ["XX", "YY", "ZZ", "XY", "YZ", "XZ"];

/// Type number of a cell of one point.
const VTK_VERTEX: u8 = 1;

/// The numbers of a field, tuple after tuple.
#[derive(Clone, Copy, Debug)]
pub enum Values<'a> {
    /// Double precision; NaN and infinities are allowed.
    F64(&'a [f64]),
    /// Signed integers: counts, indices, status codes.
    I32(&'a [i32]),
    /// Bytes: flags.
    U8(&'a [u8]),
}

impl Values<'_> {
    /// Number of values over all tuples and components.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::F64(v) => v.len(),
            Self::I32(v) => v.len(),
            Self::U8(v) => v.len(),
        }
    }

    /// Whether there is no value.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A named field on the points or on the cells of a grid.
#[derive(Clone, Copy, Debug)]
pub struct Field<'a> {
    /// Name shown by the readers; unique among the fields of its location.
    pub name: &'a str,
    /// Values per point or cell: 1 scalar, 3 vector, 6 symmetric tensor.
    pub components: usize,
    /// One name per component, or empty.
    pub component_names: &'a [&'a str],
    /// components × points (or cells) values, the components of a tuple side by side.
    pub values: Values<'a>,
}

impl<'a> Field<'a> {
    /// One value per point or cell.
    #[must_use]
    pub fn scalar(name: &'a str, values: Values<'a>) -> Self {
        Self { name, components: 1, component_names: &[], values }
    }

    /// Three components X, Y, Z; the Z of a plane model is zero.
    #[must_use]
    pub fn vector(name: &'a str, values: &'a [f64]) -> Self {
        Self { name, components: 3, component_names: &VECTOR_COMPONENTS, values: Values::F64(values) }
    }

    /// Six components in the order of [`SYMMETRIC_TENSOR_COMPONENTS`]; shear components are those of the tensor, not
    /// twice them.
    #[must_use]
    pub fn symmetric_tensor(name: &'a str, values: &'a [f64]) -> Self {
        Self { name, components: 6, component_names: &SYMMETRIC_TENSOR_COMPONENTS, values: Values::F64(values) }
    }

    fn check(&self, location: Location, count: usize) -> Result<(), VtkError> {
        let Self { name, components, .. } = *self;
        let names = self.component_names.len();
        let found = self.values.len();
        let field = || name.to_owned();
        check_name("field name", name)?;
        if components == 0 || i32::try_from(components).is_err() {
            return Err(VtkError::Components { location, field: field(), components });
        }
        if names != 0 && names != components {
            return Err(VtkError::ComponentNames { location, field: field(), components, names });
        }
        for component in self.component_names {
            check_name("component name", component)?;
        }
        // A product beyond usize cannot be the length of any slice: saturating keeps it a mismatch.
        let expected = components.saturating_mul(count);
        if found != expected {
            return Err(VtkError::FieldLength { location, field: field(), components, count, expected, found });
        }
        Ok(())
    }
}

/// The cells of a grid as VTK stores them: the nodes of all cells one after the other, where each cell ends, its type.
#[derive(Clone, Debug, Default)]
pub struct Cells<'a> {
    /// Point numbers from 0, in VTK's node order of each cell type.
    pub connectivity: Cow<'a, [usize]>,
    /// Per cell, the end of its nodes in `connectivity`; there is no leading zero (give `&starts[1..]` of a list of
    /// starts).
    pub offsets: Cow<'a, [usize]>,
    /// Per cell, VTK's type number (5 triangle, 9 quad, 10 tetrahedron, 12 hexahedron, …).
    pub types: Cow<'a, [u8]>,
}

impl<'a> Cells<'a> {
    /// Cells from borrowed arrays.
    #[must_use]
    pub fn new(connectivity: &'a [usize], offsets: &'a [usize], types: &'a [u8]) -> Self {
        Self { connectivity: Cow::Borrowed(connectivity), offsets: Cow::Borrowed(offsets), types: Cow::Borrowed(types) }
    }

    /// One vertex cell per point: what a cloud of points needs to be drawn, and to be read by meshio.
    #[must_use]
    pub fn vertices(count: usize) -> Cells<'static> {
        Cells {
            connectivity: Cow::Owned((0..count).collect()),
            offsets: Cow::Owned((1..=count).collect()),
            types: Cow::Owned(vec![VTK_VERTEX; count]),
        }
    }

    /// Number of cells.
    #[must_use]
    pub fn count(&self) -> usize {
        self.types.len()
    }

    fn check(&self, n_points: usize) -> Result<(), VtkError> {
        let (offsets, types) = (self.offsets.len(), self.types.len());
        if offsets != types {
            return Err(VtkError::CellCount { offsets, types });
        }
        let to = self.connectivity.len();
        let mut from = 0;
        for (cell, &offset) in self.offsets.iter().enumerate() {
            let Some(nodes) = self.connectivity.get(from..offset) else {
                return Err(VtkError::CellOffset { cell, offset, from, to });
            };
            if let Some(&node) = nodes.iter().find(|&&node| node >= n_points) {
                return Err(VtkError::NodeOutOfRange { cell, node, count: n_points });
            }
            from = offset;
        }
        if from != to {
            return Err(VtkError::ConnectivityLength { expected: from, found: to });
        }
        Ok(())
    }
}

/// A frame: points, cells and the fields on them.
#[derive(Clone, Debug, Default)]
pub struct Grid<'a> {
    /// Positions in metres; z = 0 in plane models.
    pub points: &'a [[f64; 3]],
    /// Cells on these points.
    pub cells: Cells<'a>,
    /// Fields with one tuple per point. A three-component `displacement` becomes the active vector field.
    pub point_fields: &'a [Field<'a>],
    /// Fields with one tuple per cell.
    pub cell_fields: &'a [Field<'a>],
}

impl Grid<'_> {
    /// Checks lengths, names and indices; a grid that passes can be written and read back.
    pub fn check(&self) -> Result<(), VtkError> {
        self.cells.check(self.points.len())?;
        check_fields(self.point_fields, Location::Point, self.points.len())?;
        check_fields(self.cell_fields, Location::Cell, self.cells.count())
    }
}

fn check_fields(fields: &[Field<'_>], location: Location, count: usize) -> Result<(), VtkError> {
    let mut names = BTreeSet::new();
    for field in fields {
        field.check(location, count)?;
        if !names.insert(field.name) {
            return Err(VtkError::DuplicateField { location, field: field.name.to_owned() });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const POINTS: [[f64; 3]; 3] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];

    fn cells_error(connectivity: &[usize], offsets: &[usize], types: &[u8]) -> VtkError {
        let grid = Grid { points: &POINTS, cells: Cells::new(connectivity, offsets, types), ..Grid::default() };
        grid.check().unwrap_err()
    }

    fn field_error(field: Field<'_>, location: Location) -> VtkError {
        let fields = [field];
        let (point_fields, cell_fields): (&[_], &[_]) = match location {
            Location::Point => (&fields, &[]),
            Location::Cell => (&[], &fields),
        };
        let grid = Grid { points: &POINTS, cells: Cells::new(&[0, 1, 2], &[3], &[5]), point_fields, cell_fields };
        grid.check().unwrap_err()
    }

    #[test]
    fn wrong_cells_are_named() {
        assert!(matches!(cells_error(&[0, 1, 2], &[3], &[5, 5]), VtkError::CellCount { offsets: 1, types: 2 }));
        assert!(matches!(
            cells_error(&[0, 1, 2], &[2, 1], &[3, 3]),
            VtkError::CellOffset { cell: 1, offset: 1, from: 2, to: 3 }
        ));
        assert!(matches!(cells_error(&[0, 1, 2], &[usize::MAX], &[5]), VtkError::CellOffset { cell: 0, .. }));
        assert!(matches!(cells_error(&[0, 1, 2], &[2], &[3]), VtkError::ConnectivityLength { expected: 2, found: 3 }));
        let error = cells_error(&[0, 1, 3], &[3], &[5]);
        assert!(matches!(error, VtkError::NodeOutOfRange { cell: 0, node: 3, count: 3 }));
        assert!(error.to_string().contains("refers to point 3"), "{error}");
    }

    #[test]
    fn wrong_lengths_name_the_field_and_its_place() {
        let error = field_error(Field::vector("velocity", &[0.0; 8]), Location::Point);
        assert!(matches!(error, VtkError::FieldLength { expected: 9, found: 8, count: 3, .. }));
        let message = error.to_string();
        assert!(message.contains("point field `velocity` has 8 values"), "{message}");
        assert!(message.contains("3 points need 9"), "{message}");
        let error = field_error(Field::symmetric_tensor("stress", &[0.0; 7]), Location::Cell);
        assert!(error.to_string().contains("cell field `stress` has 7 values"), "{error}");
        let error = field_error(Field::scalar("body", Values::I32(&[])), Location::Cell);
        assert!(matches!(error, VtkError::FieldLength { found: 0, .. }));
    }

    #[test]
    fn wrong_components_are_refused() {
        let field = Field { components: 0, ..Field::scalar("a", Values::U8(&[])) };
        let error = field_error(field, Location::Point);
        assert!(matches!(error, VtkError::Components { components: 0, .. }));
        let field = Field { components: usize::MAX, ..field };
        let error = field_error(field, Location::Cell);
        assert!(matches!(error, VtkError::Components { .. }), "{error}");
        let field = Field { component_names: &["X", "Y"], ..Field::vector("v", &[0.0; 9]) };
        let error = field_error(field, Location::Point);
        assert!(matches!(error, VtkError::ComponentNames { components: 3, names: 2, .. }));
        let field = Field { component_names: &["X", "", "Z"], ..field };
        let error = field_error(field, Location::Point);
        assert!(matches!(error, VtkError::Name { what: "component name", .. }));
    }

    #[test]
    fn names_must_be_unique_within_a_location_only() {
        let a = [1.0; 3];
        let field = Field::scalar("a", Values::F64(&a));
        let mut grid =
            Grid { points: &POINTS, cells: Cells::vertices(3), point_fields: &[field], cell_fields: &[field] };
        grid.check().unwrap();
        let twice = [field, field];
        grid.cell_fields = &twice;
        let error = grid.check().unwrap_err();
        assert!(matches!(
            &error,
            VtkError::DuplicateField { location: Location::Cell, field } if field == "a"
        ));
    }
}
