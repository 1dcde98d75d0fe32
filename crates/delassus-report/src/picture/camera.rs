//! The viewpoint of pictures of bodies in space.
//!
//! ```text
//! x ↦ (r·x, u·x, t·x)      r to the right, u upwards, t towards the viewer: orthonormal, so the projection is parallel
//! t = cos ε (cos ψ f + sin ψ r₀) + sin ε u₀
//! ```
//!
//! u₀ is the axis that points up in the model, r₀ × u₀ = f the front. The viewer is raised by ε and goes round by ψ, to
//! where the longer sides are seen at less of a slant, or the others. Of these eight places the one is taken from which every body and the
//! contacts are seen ([`super::seen`]), most of the stress is, and obstacles are from the bodies' side; the first one, front right, unless
//! another is clearly better:
//!
//! ```text
//! (0.05 + stress) (0.05 + obstacles) (0.05 + min(1, s/0.3)) (0.25 + 0.75 min(1, c/0.05))      s: share of the body of which least is seen,
//!                                                                                               c: share of the contacts
//! ```
//!
//! If some body is hidden from all eight (s < 0.3), places higher up and below are tried as well.
//! A parallel projection is linear, so magnified displacements can be drawn by the code of plane pictures.

use delassus_case::spec::{Case, LoadEntry, ObstacleSpec};

use super::seen::{Seen, Stage};
use super::shot::{Arrow, Shot, length};
use super::view::Extent;

/// ψ when the front is wider than deep; 90° less this one otherwise.
const ROUND: f64 = 32.0;
/// ε for bodies, and for those that are flat: lower than this part of their width.
const RAISED: [f64; 2] = [22.0, 34.0];
const FLAT: f64 = 0.3;
/// ε of the places that are tried when a body is hidden.
const OTHERWISE: [f64; 2] = [58.0, -22.0];
/// A body is seen when this part of it is, and contacts when this part of them is.
const ENOUGH: [f64; 2] = [0.3, 0.05];
/// Another place than the first must show so many times more.
const BETTER: f64 = 1.15;

/// A polygon in space, counter-clockwise seen from outside.
pub type Ring = Vec<[f64; 3]>;

/// A direction of view.
#[derive(Clone, Copy, Debug)]
pub struct Camera {
    /// Right, up, towards the viewer.
    axes: [[f64; 3]; 3],
}

/// Products of vectors.
pub fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// ½ Σ x_k × x_{k+1}: its direction is the normal of a polygon, its length the area.
#[must_use]
pub fn area_vector(ring: &[[f64; 3]]) -> [f64; 3] {
    let Some(first) = ring.first() else { return [0.0; 3] };
    // From the first corner, so that digits are not lost far from the origin.
    let from = |x: &[f64; 3]| -> [f64; 3] { std::array::from_fn(|k| x[k] - first[k]) };
    ring.windows(2).fold([0.0; 3], |sum, pair| {
        let one = cross(&from(&pair[0]), &from(&pair[1]));
        std::array::from_fn(|k| sum[k] + 0.5 * one[k])
    })
}

/// The axis that points up in a case, with its sign: against gravity, else out of the ground, else y.
#[must_use]
pub fn upwards(case: &Case) -> [f64; 3] {
    let axis = |v: &[f64], sign: f64| -> Option<[f64; 3]> {
        let k = (0..v.len().min(3)).max_by(|&i, &j| v[i].abs().total_cmp(&v[j].abs()).then(j.cmp(&i)))?;
        let mut up = [0.0; 3];
        up[k] = sign * v[k].signum();
        (v[k].abs() > 0.0).then_some(up)
    };
    let gravity = case.loads.iter().find_map(|l| match l {
        LoadEntry::Gravity { acceleration, .. } => axis(&acceleration.0, -1.0),
        _ => None,
    });
    // A plane whose normal lies along x is a wall.
    let ground = case.obstacles.iter().find_map(|o| match &o.shape {
        ObstacleSpec::HalfPlane(plane) => axis(&plane.normal.0, 1.0).filter(|up| up[0].abs() < 0.5),
        _ => None,
    });
    gravity.or(ground).unwrap_or([0.0, 1.0, 0.0])
}

/// To the right and towards the front, both level.
fn level_axes(up: &[f64; 3]) -> ([f64; 3], [f64; 3]) {
    let mut right = [0.0; 3];
    right[usize::from(up[0].abs() > 0.5)] = 1.0;
    (right, cross(&right, up))
}

impl Camera {
    /// Looks at bodies and contacts among obstacles.
    #[must_use]
    pub fn of(stage: &Stage<'_>, up: [f64; 3]) -> Self {
        let (right, front) = level_axes(&up);
        let size = Extent::of(stage.faces.iter().flat_map(|(ring, _)| ring.iter().copied())).size();
        let along = |axis: &[f64; 3]| (0..3).map(|k| axis[k].abs() * size[k]).sum::<f64>();
        let (width, depth, height) = (along(&right), along(&front), along(&up));
        let raised = RAISED[usize::from(height < FLAT * width.max(depth))];
        let round = if width >= depth { ROUND } else { 90.0 - ROUND };
        let other = 90.0 - round;
        let angles = [round, -round, 180.0 - round, 180.0 + round, other, -other, 180.0 - other, 180.0 + other];
        let mut best: Option<(Self, f64, f64)> = None;
        for raised in [raised].into_iter().chain(OTHERWISE) {
            if best.is_some_and(|(_, _, least)| least >= ENOUGH[0]) {
                break;
            }
            for angle in angles {
                let camera = Self::looking(angle, raised, up);
                let (worth, least) = camera.shows(stage);
                if best.is_none_or(|(_, most, _)| worth > BETTER * most) {
                    best = Some((camera, worth, least));
                }
            }
        }
        best.map_or_else(|| Self::looking(round, raised, up), |b| b.0)
    }

    /// Looks from ψ round and ε above the front, both in degrees.
    #[must_use]
    pub fn looking(round: f64, raised: f64, up: [f64; 3]) -> Self {
        let (right, front) = level_axes(&up);
        let (sin, cos) = round.to_radians().sin_cos();
        let (high, flat) = raised.to_radians().sin_cos();
        let r: [f64; 3] = std::array::from_fn(|k| cos * right[k] - sin * front[k]);
        let t: [f64; 3] = std::array::from_fn(|k| flat * (cos * front[k] + sin * right[k]) + high * up[k]);
        Self { axes: [r, cross(&t, &r), t] }
    }

    /// What the place is worth, and the share of the body of which least is seen. Faces of bodies count alike whatever their size: where they
    /// are many, there is most to see.
    fn shows(&self, stage: &Stage<'_>) -> (f64, f64) {
        let part = |all: &mut dyn Iterator<Item = ([f64; 3], f64)>, none: f64| {
            let (seen, whole) = all.fold((0.0, 0.0), |(seen, whole), (normal, weight)| {
                (seen + weight * dot(&normal, &self.axes[2]).max(0.0), whole + weight)
            });
            if whole > 0.0 { seen / whole } else { none }
        };
        let normal = |ring: &Ring| {
            let area = area_vector(ring);
            let size = length(&area);
            (area.map(|a| if size > 0.0 { a / size } else { 0.0 }), size)
        };
        let finite = |s: f64| if s.is_finite() { s } else { 0.0 };
        let stress = part(&mut stage.faces.iter().map(|(ring, s)| (normal(ring).0, finite(*s))), 0.0);
        let clear = part(&mut stage.walls.iter().map(normal), 1.0);
        let seen = Seen::from(self, stage);
        let enough = [seen.least() / ENOUGH[0], seen.contacts / ENOUGH[1]].map(|x| x.min(1.0));
        ((0.05 + stress) * (0.05 + clear) * (0.05 + enough[0]) * (0.25 + 0.75 * enough[1]), seen.least())
    }

    /// A point or vector as it is seen: to the right, upwards, towards the viewer.
    #[must_use]
    pub fn see(&self, x: &[f64; 3]) -> [f64; 3] {
        std::array::from_fn(|k| dot(&self.axes[k], x))
    }

    /// Without the depth.
    #[must_use]
    pub fn flat(&self, x: &[f64; 3]) -> [f64; 2] {
        [dot(&self.axes[0], x), dot(&self.axes[1], x)]
    }

    /// From where one looks, in words: `+x, +y and −z`.
    #[must_use]
    pub fn place(&self) -> String {
        let word = |k: usize| format!("{}{}", if self.axes[2][k] < 0.0 { '−' } else { '+' }, ["x", "y", "z"][k]);
        format!("{}, {} and {}", word(0), word(1), word(2))
    }

    /// The shot as a plane one, in the plane of the picture.
    #[must_use]
    pub fn project(&self, shot: &Shot<3>) -> Shot<2> {
        let arrow = |a: &Arrow<3>| Arrow {
            point: self.flat(&a.point),
            force: self.flat(&a.force),
            normal: self.flat(&a.normal),
            pair: a.pair,
        };
        Shot {
            time: shot.time,
            reason: shot.reason.clone(),
            points: shot.points.iter().map(|x| self.flat(x)).collect(),
            displacement: shot.displacement.iter().map(|x| self.flat(x)).collect(),
            cells: shot.cells.clone(),
            body: shot.body.clone(),
            values: shot.values.clone(),
            arrows: shot.arrows.iter().map(arrow).collect(),
            joints: shot.joints.iter().map(|x| self.flat(x)).collect(),
            skipped: shot.skipped,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{boxes, cuboid};
    use super::*;

    fn camera(size: [f64; 3], stress: impl Fn(usize) -> f64, obstacles: &[Ring], up: [f64; 3]) -> Camera {
        let faces: Vec<(Ring, f64)> =
            cuboid([0.0; 3], size).into_iter().enumerate().map(|(k, ring)| (ring, stress(k))).collect();
        let owners = vec![0; faces.len()];
        Camera::of(&Stage { faces: &faces, owners: &owners, walls: obstacles, contacts: &[] }, up)
    }

    const UP: [f64; 3] = [0.0, 1.0, 0.0];

    #[test]
    fn the_axes_are_orthonormal_and_up_is_up() {
        for up in [[1.0, 0.0, 0.0], UP, [0.0, 0.0, 1.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]] {
            for size in [[1.0, 1.0, 1.0], [5.0, 1.0, 1.0], [1.0, 1.0, 5.0]] {
                let Camera { axes } = camera(size, |_| 1.0, &[], up);
                for i in 0..3 {
                    for j in 0..3 {
                        assert!((dot(&axes[i], &axes[j]) - f64::from(i == j)).abs() < 1e-14);
                    }
                }
                // Right-handed: nothing is seen in a mirror.
                assert!((dot(&cross(&axes[0], &axes[1]), &axes[2]) - 1.0).abs() < 1e-14);
                assert!(dot(&axes[1], &up) > 0.7 && dot(&axes[0], &up).abs() < 1e-14 && dot(&axes[2], &up) > 0.3);
            }
        }
    }

    #[test]
    fn long_bodies_lie_along_the_picture() {
        let wide = |size| {
            let camera = camera(size, |_| 0.0, &[], UP);
            let corners = cuboid([0.0; 3], size).concat();
            Extent::of(corners.iter().map(|x| camera.flat(x))).size()
        };
        let (x, z) = (wide([6.0, 1.0, 1.0]), wide([1.0, 1.0, 6.0]));
        assert!(x[0] > 5.0 && z[0] > 5.0, "{x:?} {z:?}");
        // A flat plate is seen from higher up than a tower.
        let height = |size: [f64; 3]| camera(size, |_| 0.0, &[], UP).axes[2][1];
        assert!(height([1.0, 0.1, 1.0]) > height([1.0, 3.0, 1.0]) + 0.1);
    }

    #[test]
    fn the_viewer_goes_where_stress_is_seen() {
        // Faces 0 to 5: −x, +x, −y, +y, −z, +z.
        for (face, place) in [(1, "+x, +y and +z"), (0, "−x, +y and +z"), (4, "+x, +y and −z")] {
            let camera = camera([1.0; 3], |k| f64::from(k == face), &[], UP);
            assert_eq!(camera.place(), place, "face {face}");
        }
        // What is the same from all sides is seen from the front right.
        assert_eq!(camera([1.0; 3], |_| 1.0, &[], UP).place(), "+x, +y and +z");
        assert_eq!(camera([1.0; 3], |_| f64::NAN, &[], UP).place(), "+x, +y and +z");
        // A wall on the right faces −x: from the front right one would see its back.
        let wall = vec![[1.0, 0.0, 0.0], [1.0, 0.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 0.0]];
        assert!(area_vector(&wall)[0] < -0.9);
        assert_eq!(camera([1.0; 3], |_| 1.0, &[wall], UP).place(), "−x, +y and +z");
    }

    /// A small box behind a large one, seen from nowhere at the front: the viewer goes where it is not hidden.
    #[test]
    fn no_body_is_hidden_that_can_be_seen() {
        // Boxes, and the body that each belongs to.
        let look = |list: &[([f64; 3], [f64; 3])], bodies: &[usize], contacts: &[[f64; 3]]| {
            let (faces, owners) = boxes(list);
            let owners: Vec<usize> = owners.into_iter().map(|k| bodies[k]).collect();
            let stage = Stage { faces: &faces, owners: &owners, walls: &[], contacts };
            let camera = Camera::of(&stage, UP);
            (Seen::from(&camera, &stage), camera)
        };
        let large = ([0.0; 3], [1.0, 1.0, 1.0]);
        let small = |low: [f64; 3]| (low, [0.2; 3]);
        for (low, place) in [([0.4, 0.0, -0.25], "+x, +y and −z"), ([-0.25, 0.0, 0.4], "−x, +y and +z")] {
            let (seen, camera) = look(&[large, small(low)], &[0, 1], &[]);
            assert_eq!(camera.place(), place);
            assert!(seen.least() > 0.9, "{seen:?}");
        }
        // In a hole that is open above, and below a table: from higher up, and from below.
        let hole = [
            ([0.0, 0.0, 0.0], [0.4, 1.0, 1.0]),
            ([0.6, 0.0, 0.0], [0.4, 1.0, 1.0]),
            ([0.4, 0.0, 0.0], [0.2, 1.0, 0.4]),
            ([0.4, 0.0, 0.6], [0.2, 1.0, 0.4]),
            small([0.4, 0.7, 0.4]),
        ];
        let (seen, camera) = look(&hole, &[0, 0, 0, 0, 1], &[]);
        assert!(camera.axes[2][1] > 0.8 && seen.least() > 0.2, "{seen:?} {}", camera.place());
        let cover = [
            ([0.0, 1.0, 0.0], [2.0, 0.2, 2.0]),
            ([0.0, 0.0, 0.0], [2.0, 1.0, 0.1]),
            ([0.0, 0.0, 1.9], [2.0, 1.0, 0.1]),
            ([0.0, 0.0, 0.1], [0.1, 1.0, 1.8]),
            ([1.9, 0.0, 0.1], [0.1, 1.0, 1.8]),
            small([0.9, 0.05, 0.9]),
        ];
        let (seen, camera) = look(&cover, &[0, 0, 0, 0, 0, 1], &[]);
        assert!(camera.axes[2][1] < -0.3 && seen.least() > 0.2, "{seen:?} {}", camera.place());
        // A contact at the back.
        let (seen, camera) = look(&[large], &[0], &[[0.5, 0.5, 0.0], [0.5, 0.6, 0.0]]);
        assert!((seen.contacts - 1.0).abs() < 1e-12 && camera.place() == "+x, +y and −z", "{}", camera.place());
    }

    #[test]
    fn up_is_against_gravity_or_out_of_the_ground() {
        let base = include_str!("../../../../cases/block-slide-3d.ron");
        let up = |from: &str, to: &str| {
            assert!(base.contains(from));
            upwards(&delassus_case::source::options().from_str::<Case>(&base.replace(from, to)).unwrap())
        };
        let gravity = "(0.0, -9.81, 0.0)";
        for (g, expected) in
            [(gravity, UP), ("(1.0, 2.0, -9.81)", [0.0, 0.0, 1.0]), ("(0.0, 9.81, 0.0)", [0.0, -1.0, 0.0])]
        {
            assert_eq!(up(gravity, g).map(|x| x as i32), expected.map(|x| x as i32), "{g}");
        }
        let loads = "Gravity(acceleration: (0.0, -9.81, 0.0)),";
        let without = base.replace(loads, "");
        for (normal, expected) in [("(0.0, 0.0, 2.0)", [0, 0, 1]), ("(1.0, 0.0, 0.0)", [0, 1, 0])] {
            let text = without.replace("normal: (0.0, 1.0, 0.0)", &format!("normal: {normal}"));
            let case: Case = delassus_case::source::options().from_str(&text).unwrap();
            assert_eq!(upwards(&case).map(|x| x as i32), expected, "{normal}");
        }
    }
}
