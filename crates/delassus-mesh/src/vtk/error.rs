//! Errors of the data passed to the VTK writers.

use std::fmt;

use delassus_error::{Code, Coded};
use thiserror::Error;

/// Where a field lives on a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    /// One tuple per point.
    Point,
    /// One tuple per cell.
    Cell,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Point => "point",
            Self::Cell => "cell",
        })
    }
}

/// Reasons why a VTK file cannot be written. Nothing has been written when a variant other than [`VtkError::Io`] or
/// [`VtkError::Encode`] is returned.
#[derive(Debug, Error)]
pub enum VtkError {
    /// The time of a frame is NaN or infinite; no reader can order such a frame.
    #[error("time of {of} is {time}: it must be a finite number of seconds")]
    TimeNotFinite {
        /// The grid, or the file of a collection.
        of: String,
        /// The time given, in seconds.
        time: f64,
    },
    /// A field, component or file name is empty or holds a character that an XML attribute cannot carry.
    #[error("{what} {name:?}: a name must not be empty nor contain control characters")]
    Name {
        /// What the name is for.
        what: &'static str,
        /// The name given.
        name: String,
    },
    /// Two fields of the same location share a name; readers keep only one of them.
    #[error("{location} field `{field}` is given twice: names must be unique among the {location} fields")]
    DuplicateField {
        /// Point or cell field.
        location: Location,
        /// The name used twice.
        field: String,
    },
    /// The number of components is zero or more than VTK can count.
    #[error("{location} field `{field}` has {components} components: it must have between 1 and 2147483647")]
    Components {
        /// Point or cell field.
        location: Location,
        /// Name of the field.
        field: String,
        /// Components given.
        components: usize,
    },
    /// Some but not all components are named, or more names than components are given.
    #[error(
        "{location} field `{field}` has {components} components but {names} component names: give one name per component, or none"
    )]
    ComponentNames {
        /// Point or cell field.
        location: Location,
        /// Name of the field.
        field: String,
        /// Components of the field.
        components: usize,
        /// Component names given.
        names: usize,
    },
    /// The number of values is not components × points (or cells).
    #[error(
        "{location} field `{field}` has {found} values: {components} components on {count} {location}s need {expected}"
    )]
    FieldLength {
        /// Point or cell field.
        location: Location,
        /// Name of the field.
        field: String,
        /// Components per tuple.
        components: usize,
        /// Points or cells of the grid.
        count: usize,
        /// components × count.
        expected: usize,
        /// Values given.
        found: usize,
    },
    /// The arrays describing the cells disagree on how many there are.
    #[error("cells have {offsets} offsets but {types} types: there must be one of each per cell")]
    CellCount {
        /// Length of the offset array.
        offsets: usize,
        /// Length of the type array.
        types: usize,
    },
    /// An offset lies before the previous one or beyond the connectivity.
    #[error("cell {cell}: its nodes end at offset {offset}, which must lie between {from} and {to}")]
    CellOffset {
        /// Index of the cell, from 0.
        cell: usize,
        /// The offset given.
        offset: usize,
        /// End of the previous cell (0 for the first).
        from: usize,
        /// Length of the connectivity.
        to: usize,
    },
    /// Nodes are left over after the last cell.
    #[error("connectivity has {found} nodes but the last cell ends at {expected}: the two must be equal")]
    ConnectivityLength {
        /// Last offset (0 without cells).
        expected: usize,
        /// Length of the connectivity.
        found: usize,
    },
    /// A cell refers to a point that does not exist.
    #[error("cell {cell} refers to point {node}, but the grid has {count} points (numbered from 0)")]
    NodeOutOfRange {
        /// Index of the cell, from 0.
        cell: usize,
        /// The point number given.
        node: usize,
        /// Points of the grid.
        count: usize,
    },
    /// The VTK library could not encode an array.
    #[error("array `{array}` could not be encoded: {reason}")]
    Encode {
        /// Name of the array.
        array: String,
        /// The library's own words.
        reason: String,
    },
    /// The file could not be written; it may be incomplete.
    #[error("VTK output failed: {0}")]
    Io(#[from] std::io::Error),
}

impl Coded for VtkError {
    fn code(&self) -> Code {
        match self {
            Self::TimeNotFinite { .. } => Code("E0831"),
            Self::Name { .. } => Code("E0832"),
            Self::DuplicateField { .. } => Code("E0833"),
            Self::Components { .. } => Code("E0834"),
            Self::ComponentNames { .. } => Code("E0835"),
            Self::FieldLength { .. } => Code("E0836"),
            Self::CellCount { .. } => Code("E0837"),
            Self::CellOffset { .. } => Code("E0838"),
            Self::ConnectivityLength { .. } => Code("E0839"),
            Self::NodeOutOfRange { .. } => Code("E0840"),
            Self::Encode { .. } => Code("E0841"),
            Self::Io(_) => Code("E0842"),
        }
    }
}
