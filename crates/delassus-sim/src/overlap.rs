//! Contacts whose sides overlap in the geometry as given.

/// A contact pair whose sides overlap in the geometry as given.
#[derive(Clone, Debug)]
pub struct Overlap {
    /// Number of the pair.
    pub pair: usize,
    /// Candidates behind their antagonist.
    pub candidates: usize,
    /// Depth of the deepest \[m\].
    pub depth: f64,
    /// Where that is \[m\].
    pub place: Vec<f64>,
}
