//! What is drawn of a rigid obstacle: lines in the plane, triangles and quadrilaterals in space.
//!
//! What has no end (half-spaces, bores) is drawn as far as the bodies reach at the time, and a little more; round shapes as many-sided ones.

use std::f64::consts::{PI, TAU};

use delassus_contact::{Antagonist, Obstacle, frame_from_normal};
use nalgebra::{Rotation, SVector};

use crate::model::MovingObstacle;

/// Sides of the polygon drawn for a circle in the plane, and round a ball or cylinder in space.
const SIDES: u32 = 96;
const SIDES_IN_SPACE: u32 = 48;

/// What has no end is drawn beyond the bodies by this part of their extent.
const MARGIN: f64 = 0.1;

type Point<const D: usize> = SVector<f64, D>;

/// A line of two points, or a face of three or four.
pub type Cell<const D: usize> = Vec<Point<D>>;

/// The obstacle at time `t`, with the nodes of all bodies there.
pub fn outline<const D: usize>(obstacle: &MovingObstacle<D>, t: f64, nodes: &[Point<D>]) -> Vec<Cell<D>> {
    let pose = obstacle.pose(t);
    match &obstacle.shape {
        Antagonist::Surface(_) => Vec::new(),
        Antagonist::Rigid(surface) => {
            let place = |i: &usize| pose.place(&surface.points()[*i]);
            surface.facets().iter().map(|f| f.iter().map(place).collect()).collect()
        }
        Antagonist::Obstacle(shape) => match shape.placed(&pose) {
            Obstacle::HalfSpace { point, normal } => half_space(&point, &normal, nodes),
            Obstacle::Segment { a, b } => vec![vec![a, b]],
            Obstacle::Ball { centre, radius } | Obstacle::Cavity { centre, radius } => ball(&centre, radius),
            Obstacle::Box { centre, half_sizes, rotation } => cuboid(&centre, &half_sizes, &rotation),
            Obstacle::Cylinder { centre, axis, radius, half_length } => {
                let axis = axis.normalize();
                let ends = [centre - axis * half_length, centre + axis * half_length];
                let mut cells = tube(&ends, radius);
                cells.extend(ends.iter().zip([-axis, axis]).flat_map(|(end, out)| cap(end, &out, radius)));
                cells
            }
            Obstacle::Bore { point, axis, radius } => {
                let axis = axis.normalize();
                let ends = shadow(&point, &axis, nodes).map(|(low, high)| {
                    let margin = MARGIN * (high - low);
                    [point + axis * (low - margin), point + axis * (high + margin)]
                });
                ends.map_or(Vec::new(), |ends| tube(&ends, radius))
            }
            _ => Vec::new(),
        },
    }
}

/// Between which distances from a point the nodes lie along a direction; none without nodes.
fn shadow<const D: usize>(point: &Point<D>, along: &Point<D>, nodes: &[Point<D>]) -> Option<(f64, f64)> {
    let all = nodes.iter().map(|x| (x - point).dot(along));
    let (low, high) = all.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), s| (l.min(s), h.max(s)));
    (low.is_finite() && high.is_finite()).then_some((low, high))
}

/// The border, below the bodies' shadow on it.
fn half_space<const D: usize>(point: &Point<D>, normal: &Point<D>, nodes: &[Point<D>]) -> Vec<Cell<D>> {
    let Ok(frame) = frame_from_normal(normal) else { return Vec::new() };
    let tangents: Vec<Point<D>> = (1..D).map(|i| frame.column(i).into_owned()).collect();
    let Some(shadows) = tangents.iter().map(|t| shadow(point, t, nodes)).collect::<Option<Vec<_>>>() else {
        return Vec::new();
    };
    let margin = MARGIN * shadows.iter().map(|(low, high)| high - low).fold(0.0, f64::max);
    let at = |ends: &[bool]| {
        let parts = tangents.iter().zip(&shadows).zip(ends);
        parts.fold(*point, |x, ((t, (low, high)), up)| x + t * if *up { high + margin } else { low - margin })
    };
    vec![match D {
        2 => [false, true].map(|end| at(&[end])).to_vec(),
        _ => [[false, false], [true, false], [true, true], [false, true]].map(|ends| at(&ends)).to_vec(),
    }]
}

/// A circle of lines in the plane; a sphere of faces in space.
fn ball<const D: usize>(centre: &Point<D>, radius: f64) -> Vec<Cell<D>> {
    let direction = |i: usize| Point::<D>::from_fn(|k, _| if k == i { 1.0 } else { 0.0 });
    if D == 2 {
        let at = |k: u32| on_circle(centre, &direction(0), &direction(1), radius, k, SIDES);
        return (0..SIDES).map(|k| vec![at(k), at(k + 1)]).collect();
    }
    let rows = SIDES_IN_SPACE / 2;
    let at = |row: u32, k: u32| {
        let (sin, cos) = (PI * f64::from(row) / f64::from(rows)).sin_cos();
        let middle = centre + direction(D - 1) * (radius * cos);
        on_circle(&middle, &direction(0), &direction(1), radius * sin, k, SIDES_IN_SPACE)
    };
    let face = |row: u32, k: u32| {
        let corners = [at(row, k), at(row + 1, k), at(row + 1, k + 1), at(row, k + 1)];
        match row {
            0 => corners[..3].to_vec(),
            _ if row + 1 == rows => vec![corners[0], corners[1], corners[3]],
            _ => corners.to_vec(),
        }
    };
    (0..rows).flat_map(|row| (0..SIDES_IN_SPACE).map(move |k| (row, k))).map(|(row, k)| face(row, k)).collect()
}

/// Corner number k of a many-sided circle.
fn on_circle<const D: usize>(
    centre: &Point<D>,
    x: &Point<D>,
    y: &Point<D>,
    radius: f64,
    k: u32,
    sides: u32,
) -> Point<D> {
    let (sin, cos) = (TAU * f64::from(k % sides) / f64::from(sides)).sin_cos();
    centre + x * (radius * cos) + y * (radius * sin)
}

/// Four sides of a rectangle, six faces of a box.
fn cuboid<const D: usize>(centre: &Point<D>, half: &Point<D>, rotation: &Rotation<f64, D>) -> Vec<Cell<D>> {
    let corner = |signs: [f64; 3]| centre + rotation * Point::<D>::from_fn(|i, _| half[i] * signs[i]);
    if D == 2 {
        let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[x, y]| corner([x, y, 0.0]));
        return (0..4).map(|k| vec![corners[k], corners[(k + 1) % 4]]).collect();
    }
    let mut faces = Vec::new();
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            let face = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[a, b]| {
                let mut signs = [side; 3];
                (signs[(axis + 1) % 3], signs[(axis + 2) % 3]) = (a, b * side);
                corner(signs)
            });
            faces.push(face.to_vec());
        }
    }
    faces
}

/// The round side of a cylinder between two points of its axis.
fn tube<const D: usize>(ends: &[Point<D>; 2], radius: f64) -> Vec<Cell<D>> {
    let Ok(frame) = frame_from_normal(&(ends[1] - ends[0])) else { return Vec::new() };
    let [x, y] = [1, D - 1].map(|i| frame.column(i).into_owned());
    let at = |end: usize, k: u32| on_circle(&ends[end], &x, &y, radius, k, SIDES_IN_SPACE);
    (0..SIDES_IN_SPACE).map(|k| vec![at(0, k), at(0, k + 1), at(1, k + 1), at(1, k)]).collect()
}

/// A flat end, of triangles round its middle.
fn cap<const D: usize>(centre: &Point<D>, out: &Point<D>, radius: f64) -> Vec<Cell<D>> {
    let Ok(frame) = frame_from_normal(out) else { return Vec::new() };
    let [x, y] = [1, D - 1].map(|i| frame.column(i).into_owned());
    let at = |k: u32| on_circle(centre, &x, &y, radius, k, SIDES_IN_SPACE);
    (0..SIDES_IN_SPACE).map(|k| vec![*centre, at(k), at(k + 1)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Axis;
    use delassus_fem::TimeFunction;
    use nalgebra::Vector3;

    type P2 = SVector<f64, 2>;
    type P3 = SVector<f64, 3>;

    #[test]
    fn outlines_lie_on_their_shapes() {
        let v = P2::new;
        let nodes = [v(0.0, 1.0), v(2.0, 3.0), v(1.0, 0.5)];
        let lines = half_space(&v(0.0, 0.0), &v(0.0, 2.0), &nodes);
        // The shadow is [0, 2], a tenth more on either side.
        let [a, b] = lines[0][..] else { panic!("a line") };
        let (left, right) = (a[0].min(b[0]), a[0].max(b[0]));
        assert!(a[1].abs() + b[1].abs() < 1e-15 && (left + 0.2).abs() < 1e-15 && (right - 2.2).abs() < 1e-15);
        let lines = ball(&v(3.0, 4.0), 5.0);
        assert_eq!(lines.len(), 96);
        for line in &lines {
            assert!(((line[0] - v(3.0, 4.0)).norm() - 5.0).abs() < 1e-14 && (line[0] - line[1]).norm() < 0.33);
        }
        assert!(half_space(&v(0.0, 0.0), &v(1.0, 0.0), &[]).is_empty());
        let square = cuboid(&v(1.0, 1.0), &v(2.0, 1.0), &Rotation::<f64, 2>::new(0.5));
        assert_eq!(square.len(), 4);
        assert!((square.iter().map(|l| (l[1] - l[0]).norm()).sum::<f64>() - 12.0).abs() < 1e-14);
    }

    /// Area, volume (from outside inwards negative) and bounds of faces.
    fn area_and_volume(cells: &[Cell<3>], centre: &P3) -> (f64, f64) {
        let (mut area, mut volume) = (0.0, 0.0);
        for cell in cells {
            for k in 1..cell.len() - 1 {
                let [a, b, c] = [cell[0], cell[k], cell[k + 1]].map(|x| x - centre);
                area += 0.5 * (b - a).cross(&(c - a)).norm();
                volume += a.dot(&b.cross(&c)) / 6.0;
            }
        }
        (area, volume)
    }

    fn drawn(shape: Obstacle<3>, nodes: &[P3]) -> Vec<Cell<3>> {
        let obstacle = MovingObstacle {
            number: 0,
            shape: shape.into(),
            velocity: vec![TimeFunction::Constant(0.0), TimeFunction::Constant(1.0), TimeFunction::Constant(0.0)],
            spin: TimeFunction::Constant(0.5),
            axis: Axis::new_normalize(Vector3::new(1.0, 2.0, 2.0)),
            pivot: P3::new(0.3, 0.1, 0.0),
            mesh_hash: None,
        };
        outline(&obstacle, 2.0, nodes)
    }

    #[test]
    fn faces_in_space_enclose_their_shapes() {
        // Many-sided shapes are inscribed: areas and volumes a little below those of the round ones, by the square of the side's angle.
        let little = 0.01;
        let centre = P3::new(1.0, 2.0, 3.0);
        let near = |found: f64, exact: f64| found <= exact * (1.0 + 1e-12) && found >= exact * (1.0 - little);
        let anywhere = P3::new(0.7, -0.2, 0.4);
        let (area, volume) = area_and_volume(&drawn(Obstacle::Ball { centre, radius: 0.5 }, &[]), &anywhere);
        assert!(near(area, PI) && near(volume, PI / 6.0), "{area} {volume}");
        let half_sizes = P3::new(0.5, 1.0, 1.5);
        let cells = drawn(Obstacle::Box { centre, half_sizes, rotation: Rotation::identity() }, &[]);
        let (area, volume) = area_and_volume(&cells, &anywhere);
        assert!((area - 22.0).abs() < 1e-12 && (volume - 6.0).abs() < 1e-12, "{area} {volume}");
        let cylinder = Obstacle::Cylinder { centre, axis: P3::new(1.0, 1.0, 0.0), radius: 0.5, half_length: 1.0 };
        let (area, volume) = area_and_volume(&drawn(cylinder, &[]), &anywhere);
        assert!(near(area, 2.5 * PI) && near(volume, 0.5 * PI), "{area} {volume}");
    }

    #[test]
    fn what_has_no_end_is_drawn_under_the_bodies() {
        let nodes = [P3::new(0.0, 1.0, 0.0), P3::new(2.0, 1.0, 1.0)];
        let cells = half_space(&P3::new(9.0, 0.0, 9.0), &P3::new(0.0, 3.0, 0.0), &nodes);
        let (area, _) = area_and_volume(&cells, &P3::zeros());
        // [0, 2] and [0, 1], with a margin of 0.2 on each side.
        assert!((area - 2.4 * 1.4).abs() < 1e-13 && cells[0].iter().all(|x| x.y.abs() < 1e-15), "{cells:?}");
        let bore = Obstacle::Bore { point: P3::zeros(), axis: P3::new(0.0, 0.0, 2.0), radius: 0.5 };
        assert!(drawn(bore, &[]).is_empty());
        // At rest for this one: its axis is z.
        let still = MovingObstacle {
            number: 0,
            shape: bore.into(),
            velocity: Vec::new(),
            spin: TimeFunction::Constant(0.0),
            axis: Vector3::z_axis(),
            pivot: P3::zeros(),
            mesh_hash: None,
        };
        let cells = outline(&still, 1.0, &nodes);
        let (low, high) = cells.iter().flatten().fold((9.0_f64, -9.0_f64), |(l, h), x| (l.min(x.z), h.max(x.z)));
        assert!((low + 0.1).abs() < 1e-15 && (high - 1.1).abs() < 1e-15);
        assert!(cells.iter().flatten().all(|x| (x.x.hypot(x.y) - 0.5).abs() < 1e-15));
    }
}
