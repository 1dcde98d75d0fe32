//! Measures of masonry: how far joints have opened and slid, and how many blocks have fallen.
//!
//! ```text
//! joint     two blocks that touched at the start, in the points where they did; X_a, X_b: such a point in the axes of its block, n: normal from b to a in those of b
//! d         R_bᵀ (x_a − x_b) − (x_a − x_b at the start)          x: where the points are, R_b: turn of b since the start
//! opening   n · d        sliding   ‖d − (n · d) n‖
//! fallen    a block whose centre of mass has sunk by more than half of the height that the block had at the start
//! ```
//!
//! All are functions of the state and of the start alone, so that they need no memory of a run. A motion of both blocks as one is no opening.

use nalgebra::{SVector, Vector3};

use crate::model::{MasonryBlock, MasonryGroup, Model};
use crate::snapshot::Snapshot;

/// Columns of a probe of masonry, behind its name and a dot.
pub const MASONRY_COLUMNS: [&str; 3] = ["opening", "sliding", "fallen"];

/// Opening and sliding of a joint: places of its points, turned back into the axes of b, and at the start.
fn moved(now: &Vector3<f64>, start: &Vector3<f64>, normal: &Vector3<f64>) -> [f64; 2] {
    let d = now - start;
    let opening = normal.dot(&d);
    [opening, (d - normal * opening).norm()]
}

fn in_space<const D: usize>(x: &SVector<f64, D>) -> Vector3<f64> {
    Vector3::from_fn(|i, _| x.get(i).copied().unwrap_or(0.0))
}

fn in_plane<const D: usize>(x: &Vector3<f64>) -> SVector<f64, D> {
    SVector::from_fn(|i, _| x[i])
}

/// The largest opening and sliding of a joint \[m\], and the number of fallen blocks.
pub fn masonry_measures<const D: usize>(model: &Model<D>, snapshot: &Snapshot, group: &MasonryGroup) -> Vec<f64> {
    let pose = |body: usize| Some(model.bodies[body].body.rigid()?.pose(&snapshot.states[body].q));
    let centre_at_start = |body: usize| group.blocks.iter().find(|b| b.body == body).map(|b| b.centre);
    let (mut opening, mut sliding) = (0.0_f64, 0.0_f64);
    // Joints of one pair follow one another: the same poses serve them all.
    for joints in group.joints.chunk_by(|a, b| a.bodies == b.bodies) {
        let [a, b] = joints[0].bodies;
        let (Some(at_a), Some(at_b)) = (pose(a), pose(b)) else { continue };
        let (Some(start_a), Some(start_b)) = (centre_at_start(a), centre_at_start(b)) else { continue };
        for joint in joints {
            let x_a = at_a.centre + at_a.rotation * in_plane::<D>(&joint.points[0]);
            let x_b = at_b.centre + at_b.rotation * in_plane::<D>(&joint.points[1]);
            let now = in_space(&at_b.rotation.tr_mul(&(x_a - x_b)));
            let start = start_a + joint.points[0] - start_b - joint.points[1];
            let [o, s] = moved(&now, &start, &joint.normal);
            (opening, sliding) = (opening.max(o), sliding.max(s));
        }
    }
    let has_fallen = |block: &&MasonryBlock| {
        let sunk = |centre: Vector3<f64>| group.up.dot(&(block.centre - centre)) > 0.5 * block.height;
        pose(block.body).is_some_and(|at| sunk(in_space(&at.centre)))
    };
    vec![opening, sliding, group.blocks.iter().filter(has_fallen).count() as f64]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opening_is_along_the_normal_and_sliding_across() {
        let (start, n) = (Vector3::new(0.0, 0.1, 0.0), Vector3::y());
        let [opening, sliding] = moved(&Vector3::new(0.3, 0.25, 0.4), &start, &n);
        assert!((opening - 0.15).abs() < 1e-15 && (sliding - 0.5).abs() < 1e-15, "{opening} {sliding}");
    }
}
