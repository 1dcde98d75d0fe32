//! Rigid motions that neither supports, ties nor drag of a body resist.

/// A rigid motion.
#[derive(Clone, Debug, PartialEq)]
pub struct RigidMode {
    /// In words: a shift or a turn.
    pub name: String,
    /// Is it a turn?
    pub turns: bool,
    /// The part of the body that moves.
    pub part: usize,
    /// The motion of the dofs that take part; at most 1 \[–\].
    pub motion: Vec<(usize, f64)>,
}

/// The rigid motions of a body that are free.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Floating {
    /// The free motions, for each part of the body that hangs together.
    pub modes: Vec<RigidMode>,
    /// The dofs of each such part that has free motions.
    pub parts: Vec<Vec<usize>>,
}
