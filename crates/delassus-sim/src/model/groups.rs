//! Bodies that a probe measures together: grains, blocks of masonry.

use nalgebra::Vector3;

/// Disks or balls that are measured together.
#[derive(Clone, Debug, PartialEq)]
pub struct GrainGroup {
    /// Bodies, ascending.
    pub bodies: Vec<usize>,
    /// In the plane their thickness \[m\]; 1 in space.
    pub thickness: f64,
}

/// A point of a joint.
#[derive(Clone, Debug, PartialEq)]
pub struct MasonryJoint {
    /// The two blocks, a and b.
    pub bodies: [usize; 2],
    /// The point in the axes of each, from its centre of mass at the start \[m\].
    pub points: [Vector3<f64>; 2],
    /// From b to a at the start.
    pub normal: Vector3<f64>,
}

/// A block as it was at the start.
#[derive(Clone, Debug, PartialEq)]
pub struct MasonryBlock {
    /// Number of the body.
    pub body: usize,
    /// Its centre of mass \[m\].
    pub centre: Vector3<f64>,
    /// Its height \[m\].
    pub height: f64,
}

/// Blocks that are measured together.
#[derive(Clone, Debug, PartialEq)]
pub struct MasonryGroup {
    /// The blocks.
    pub blocks: Vec<MasonryBlock>,
    /// Their joints.
    pub joints: Vec<MasonryJoint>,
    /// Against gravity, of length 1.
    pub up: Vector3<f64>,
}
