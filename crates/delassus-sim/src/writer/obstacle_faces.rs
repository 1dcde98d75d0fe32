//! The surfaces of rigid obstacles in space, as triangles and quadrilaterals.
//!
//! Corners are counter-clockwise seen from where bodies may be, so a viewer knows which side of a face is solid: the inner
//! side of a ball, the outer side of a cavity. What has no end (a half-space, a bore) is drawn as far as the bodies reach
//! at the time.

use std::f64::consts::{PI, TAU};

use delassus_contact::{Antagonist, Obstacle};
use nalgebra::{SVector, Vector3};

use super::obstacles::{MARGIN, shadow};
use crate::model::MovingObstacle;

/// Sides of what is drawn for a circle.
const SIDES: usize = 48;

/// Rings of a ball from pole to pole.
const RINGS: usize = 24;

/// A surface.
#[derive(Default)]
pub struct Faces {
    /// Points \[m\].
    pub points: Vec<Vector3<f64>>,
    /// Three or four corners each.
    pub faces: Vec<Vec<usize>>,
}

impl Faces {
    /// The same surface seen from the other side.
    fn turned(mut self) -> Self {
        self.faces.iter_mut().for_each(|f| f.reverse());
        self
    }

    /// Rows of points of one length, closed to rings: quadrilaterals between neighbours, with the normal (along the ring)
    /// × (to the next row).
    fn tube(rows: &[Vec<Vector3<f64>>]) -> Self {
        let n = rows.first().map_or(0, Vec::len);
        let quad = |i: usize, k: usize| {
            let next = (k + 1) % n;
            vec![i * n + k, i * n + next, (i + 1) * n + next, (i + 1) * n + k]
        };
        let rings = 0..rows.len().saturating_sub(1);
        Self { points: rows.concat(), faces: rings.flat_map(|i| (0..n).map(move |k| quad(i, k))).collect() }
    }

    /// Triangles from the last of the points to the ring that begins at `first`.
    fn cap(&mut self, first: usize, tip: Vector3<f64>, is_above: bool) {
        let at = self.points.len();
        self.points.push(tip);
        self.faces.extend((0..SIDES).map(|k| {
            let [a, b] = [first + k, first + (k + 1) % SIDES];
            if is_above { vec![a, b, at] } else { vec![b, a, at] }
        }));
    }
}

/// The surface of an obstacle at time `t`, where the bodies have these nodes.
pub fn faces<const D: usize>(obstacle: &MovingObstacle<D>, t: f64, nodes: &[SVector<f64, D>]) -> Faces {
    let pose = obstacle.pose(t);
    let bodies = || nodes.iter().map(space);
    match &obstacle.shape {
        Antagonist::Surface(_) => Faces::default(),
        Antagonist::Rigid(surface) => Faces {
            points: surface.points().iter().map(|x| space(&pose.place(x))).collect(),
            faces: surface.facets().iter().map(|f| f.to_vec()).collect(),
        },
        Antagonist::Obstacle(shape) => match shape.placed(&pose) {
            Obstacle::HalfSpace { point, normal } => half_space(&space(&point), &space(&normal), bodies()),
            Obstacle::Ball { centre, radius } => ball(&space(&centre), radius),
            Obstacle::Cavity { centre, radius } => ball(&space(&centre), radius).turned(),
            Obstacle::Box { centre, half_sizes, rotation } => {
                let corner = |k: usize| {
                    let half = SVector::<f64, D>::from_fn(|i, _| if k >> i & 1 == 1 { 1.0 } else { -1.0 });
                    space(&(centre + rotation * half.component_mul(&half_sizes)))
                };
                cuboid(std::array::from_fn(corner))
            }
            Obstacle::Cylinder { centre, axis, radius, half_length } => {
                cylinder(&space(&centre), &space(&axis), radius, half_length)
            }
            Obstacle::Bore { point, axis, radius } => bore(&space(&point), &space(&axis), radius, bodies()),
            _ => Faces::default(),
        },
    }
}

fn space<const D: usize>(x: &SVector<f64, D>) -> Vector3<f64> {
    Vector3::from_fn(|i, _| x.get(i).copied().unwrap_or(0.0))
}

/// Unit vectors a, b, c with a × b = c along `c`; a lies along one of the axes as far as it can.
fn axes(c: &Vector3<f64>) -> [Vector3<f64>; 3] {
    let c = c.normalize();
    // The axis with the smallest component, the first of equals: it is never along c.
    let k = (0..3).min_by(|&i, &j| c[i].abs().total_cmp(&c[j].abs())).unwrap_or(0);
    let mut a = Vector3::zeros();
    a[k] = 1.0;
    let a = (a - c * c[k]).normalize();
    [a, c.cross(&a), c]
}

/// The rectangle around the bodies' shadow on the border.
fn half_space(point: &Vector3<f64>, normal: &Vector3<f64>, nodes: impl Iterator<Item = Vector3<f64>> + Clone) -> Faces {
    let [a, b, _] = axes(normal);
    let reach = [a, b].map(|d| shadow(nodes.clone().map(|x| (x - point).dot(&d))));
    let [Some(along), Some(across)] = reach else { return Faces::default() };
    let margin = MARGIN * (along.1 - along.0).max(across.1 - across.0);
    let corner = |s: f64, t: f64| point + a * s + b * t;
    let (s, t) = ((along.0 - margin, along.1 + margin), (across.0 - margin, across.1 + margin));
    let points = vec![corner(s.0, t.0), corner(s.1, t.0), corner(s.1, t.1), corner(s.0, t.1)];
    Faces { points, faces: vec![vec![0, 1, 2, 3]] }
}

/// A circle, counter-clockwise about the third axis.
fn ring(centre: &Vector3<f64>, axes: &[Vector3<f64>; 3], radius: f64) -> Vec<Vector3<f64>> {
    let at = |k: usize| {
        let (sin, cos) = (TAU * k as f64 / SIDES as f64).sin_cos();
        centre + (axes[0] * cos + axes[1] * sin) * radius
    };
    (0..SIDES).map(at).collect()
}

fn ball(centre: &Vector3<f64>, radius: f64) -> Faces {
    let up = axes(&Vector3::y());
    let row = |i: usize| {
        let (sin, cos) = (PI * i as f64 / RINGS as f64).sin_cos();
        ring(&(centre - up[2] * (radius * cos)), &up, radius * sin)
    };
    let rows: Vec<Vec<Vector3<f64>>> = (1..RINGS).map(row).collect();
    let mut out = Faces::tube(&rows);
    out.cap(0, centre - up[2] * radius, false);
    out.cap((RINGS - 2) * SIDES, centre + up[2] * radius, true);
    out
}

/// Corner k is on the far side along axis i if bit i of k is set.
fn cuboid(corners: [Vector3<f64>; 8]) -> Faces {
    let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    Faces { points: corners.to_vec(), faces: faces.iter().map(|f| f.to_vec()).collect() }
}

fn cylinder(centre: &Vector3<f64>, axis: &Vector3<f64>, radius: f64, half_length: f64) -> Faces {
    let own = axes(axis);
    let ends = [-half_length, half_length].map(|s| centre + own[2] * s);
    let mut out = Faces::tube(&ends.map(|end| ring(&end, &own, radius)));
    out.cap(0, ends[0], false);
    out.cap(SIDES, ends[1], true);
    out
}

fn bore(point: &Vector3<f64>, axis: &Vector3<f64>, radius: f64, nodes: impl Iterator<Item = Vector3<f64>>) -> Faces {
    let own = axes(axis);
    let Some((low, high)) = shadow(nodes.map(|x| (x - point).dot(&own[2]))) else { return Faces::default() };
    let margin = MARGIN * (high - low);
    let ends = [low - margin, high + margin].map(|s| point + own[2] * s);
    Faces::tube(&ends.map(|end| ring(&end, &own, radius))).turned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (1/3) Σ x·n dA over a surface about `origin`: the volume of what it encloses, negative seen from inside. Fans are
    /// exact here, every face is flat.
    fn volume(faces: &Faces, origin: &Vector3<f64>) -> f64 {
        let of = |f: &Vec<usize>| -> f64 {
            let x = |k: usize| faces.points[f[k]] - origin;
            (1..f.len() - 1).map(|k| x(0).dot(&x(k).cross(&x(k + 1))) / 6.0).sum()
        };
        faces.faces.iter().map(of).sum()
    }

    /// A polygon of so many sides in a circle has this part of its area.
    fn round(sides: usize) -> f64 {
        let angle = TAU / sides as f64;
        angle.sin() / angle
    }

    #[test]
    fn closed_surfaces_enclose_their_volume_and_face_outwards() {
        let c = Vector3::new(3.0, -1.0, 2.0);
        let tilted = Vector3::new(1.0, 2.0, -0.5);
        let found = volume(&cylinder(&c, &tilted, 0.5, 2.0), &c);
        assert!((found - PI * round(SIDES)).abs() < 1e-12, "{found}");
        let found =
            volume(&cuboid(std::array::from_fn(|k| c + Vector3::from_fn(|i, _| f64::from(k as u32 >> i & 1)))), &c);
        assert!((found - 1.0).abs() < 1e-14, "{found}");
        // Facets of a ball lie inside it, by about (π/24)²/4 of the radius at their middles.
        let (found, exact) = (volume(&ball(&c, 2.0), &c), 32.0 * PI / 3.0);
        assert!(found < exact && found > 0.98 * exact, "{found}");
        assert!((volume(&ball(&c, 2.0).turned(), &c) + found).abs() < 1e-12);
    }

    #[test]
    fn every_edge_of_a_closed_surface_is_run_once_each_way() {
        let c = Vector3::zeros();
        for shape in [ball(&c, 1.0), cylinder(&c, &Vector3::x(), 1.0, 1.0), cuboid(std::array::from_fn(|_| c))] {
            let edges = |f: &Vec<usize>| (0..f.len()).map(|k| (f[k], f[(k + 1) % f.len()])).collect::<Vec<_>>();
            let all: Vec<(usize, usize)> = shape.faces.iter().flat_map(edges).collect();
            let once: std::collections::BTreeSet<_> = all.iter().copied().collect();
            assert_eq!(once.len(), all.len());
            assert!(all.iter().all(|&(a, b)| once.contains(&(b, a))));
        }
    }

    #[test]
    fn a_plane_lies_below_the_bodies_and_faces_them() {
        let nodes = [Vector3::new(0.0, 1.0, 0.0), Vector3::new(2.0, 3.0, 1.0), Vector3::new(1.0, 0.5, -1.0)];
        let plane = half_space(&Vector3::new(9.0, 0.25, 9.0), &Vector3::new(0.0, 3.0, 0.0), nodes.iter().copied());
        assert!(plane.points.iter().all(|p| (p.y - 0.25).abs() < 1e-15));
        // The shadow is [0, 2] × [−1, 1]; a tenth more on every side.
        for (k, ends) in [(0, [-0.2, 2.2]), (2, [-1.2, 1.2])] {
            let (low, high) = shadow(plane.points.iter().map(|p| p[k])).unwrap();
            assert!((low - ends[0]).abs() < 1e-14 && (high - ends[1]).abs() < 1e-14, "{low} {high}");
        }
        let [a, b, c] = [0, 1, 2].map(|k| plane.points[plane.faces[0][k]]);
        assert!((b - a).cross(&(c - b)).y > 0.0);
        assert!(half_space(&Vector3::zeros(), &Vector3::x(), [].into_iter()).faces.is_empty());
    }

    #[test]
    fn a_bore_is_as_long_as_the_bodies_and_faces_its_axis() {
        let nodes = [Vector3::new(1.0, 0.0, 0.0), Vector3::new(3.0, 0.1, 0.0)];
        let hole = bore(&Vector3::zeros(), &Vector3::x(), 0.5, nodes.into_iter());
        let (low, high) = shadow(hole.points.iter().map(|p| p.x)).unwrap();
        assert!((low - 0.8).abs() < 1e-14 && (high - 3.2).abs() < 1e-14);
        // The lateral part alone of (1/3) ∮ x·n dA is two thirds of the volume.
        let found = volume(&hole, &Vector3::new(2.0, 0.0, 0.0));
        assert!((found + 2.0 / 3.0 * 2.4 * PI * 0.25 * round(SIDES)).abs() < 1e-12, "{found}");
    }
}
