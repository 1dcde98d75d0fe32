//! Polygons: the core of their corners, of one line around it or of several.

use delassus_contact::Vector;

use crate::ShapeError;
use crate::core::{Core, CoreFace};

/// Sine of the angle below which two sides are one, and share of the square of the size below which an area is lost in rounding.
const FLAT: f64 = 1e-12;

/// The core of a polygon that is given by its corners in either order.
pub(crate) fn core(given: &[Vector<2>]) -> Result<Core<2>, ShapeError> {
    if given.len() < 3 {
        return Err(ShapeError::FewShapePoints { what: "polygon", count: given.len(), needed: 3 });
    }
    let n = given.len();
    let area = signed_area(given);
    let size = given.iter().map(|p| (p - given[0]).norm()).fold(0.0, f64::max);
    // Points on a line first: their sides cross too, but that is not what is wrong.
    let far = given.iter().copied().reduce(|b, p| if (p - given[0]).norm() > (b - given[0]).norm() { p } else { b });
    let axis = far.map_or_else(Vector::zeros, |f| f - given[0]);
    if !given.iter().any(|p| axis.perp(&(p - given[0])).abs() > FLAT * size * size) {
        return Err(ShapeError::NoVolume { what: "area", n_points: n, value: area });
    }
    check_crossings(&[given])?;
    if area.abs().partial_cmp(&(FLAT * size * size)) != Some(std::cmp::Ordering::Greater) {
        return Err(ShapeError::NoVolume { what: "area", n_points: n, value: area });
    }
    let mut corners: Vec<Vector<2>> = given.to_vec();
    if area < 0.0 {
        corners.reverse();
    }
    let kept = angular(&corners);
    if kept.len() < 3 {
        return Err(ShapeError::NoVolume { what: "area", n_points: n, value: area });
    }
    let k = kept.len();
    let is_convex = (0..k).all(|i| turn(&kept, i) > 0.0);
    let faces = sides_of(&kept, 0);
    Ok(Core::new(kept, faces, Vec::new(), 0.0, is_convex))
}

/// The core of what several lines enclose, each with the solid on its left: counter-clockwise around a part, clockwise around a hole.
pub(crate) fn core_of_outlines(given: &[Vec<Vector<2>>]) -> Result<Core<2>, ShapeError> {
    if let [one] = given {
        return core(one);
    }
    if let Some(short) = given.iter().find(|l| l.len() < 3) {
        return Err(ShapeError::FewShapePoints { what: "polygon", count: short.len(), needed: 3 });
    }
    let lists: Vec<&[Vector<2>]> = given.iter().map(Vec::as_slice).collect();
    check_crossings(&lists)?;
    let areas: Vec<f64> = lists.iter().map(|l| signed_area(l)).collect();
    let total: f64 = areas.iter().sum();
    let size = given.iter().flatten().map(|p| (p - given[0][0]).norm()).fold(0.0, f64::max);
    if total.partial_cmp(&(FLAT * size * size)) != Some(std::cmp::Ordering::Greater) {
        return Err(ShapeError::NoVolume { what: "area", n_points: given.iter().map(Vec::len).sum(), value: total });
    }
    // A line around a part begins outside of all others, one around a hole inside of one.
    for (part, list) in lists.iter().enumerate() {
        let around: i32 = (0..lists.len()).filter(|k| *k != part).map(|k| winding(lists[k], &list[0])).sum();
        if around != i32::from(areas[part] < 0.0) {
            return Err(ShapeError::Nested { part });
        }
    }
    let (mut points, mut faces) = (Vec::new(), Vec::new());
    for list in lists {
        let kept = angular(list);
        faces.extend(sides_of(&kept, points.len()));
        points.extend(kept);
    }
    Ok(Core::new(points, faces, Vec::new(), 0.0, false))
}

fn signed_area(list: &[Vector<2>]) -> f64 {
    let n = list.len();
    0.5 * (0..n).map(|i| (list[i] - list[0]).perp(&(list[(i + 1) % n] - list[0]))).sum::<f64>()
}

/// How often a closed line goes around a point, counter-clockwise: the sides that cross the ray along x, with sign.
fn winding(list: &[Vector<2>], p: &Vector<2>) -> i32 {
    let n = list.len();
    let crossing = |i: usize| {
        let (a, b) = (list[i], list[(i + 1) % n]);
        let side = (b - a).perp(&(p - a));
        match (a.y <= p.y, b.y <= p.y) {
            (true, false) if side > 0.0 => 1,
            (false, true) if side < 0.0 => -1,
            _ => 0,
        }
    };
    (0..n).map(crossing).sum()
}

/// Sine of the angle by which a closed line turns at a corner.
fn turn(list: &[Vector<2>], i: usize) -> f64 {
    let k = list.len();
    let (to, from) = (list[(i + 1) % k] - list[i], list[i] - list[(i + k - 1) % k]);
    from.perp(&to) / (from.norm() * to.norm())
}

/// The corners with an angle: one without is none.
fn angular(list: &[Vector<2>]) -> Vec<Vector<2>> {
    (0..list.len()).filter(|&i| turn(list, i).abs() > FLAT).map(|i| list[i]).collect()
}

/// The sides of a closed line whose first corner has the number `first`.
fn sides_of(list: &[Vector<2>], first: usize) -> Vec<CoreFace<2>> {
    let k = list.len();
    let face = |i: usize| {
        let along = (list[(i + 1) % k] - list[i]).normalize();
        CoreFace { normal: Vector::<2>::new(along.y, -along.x), corners: vec![first + i, first + (i + 1) % k] }
    };
    (0..k).map(face).collect()
}

/// Sides that are not neighbours must not meet, and neighbours must not fold back on one another. Sides are counted through all lines.
fn check_crossings(lists: &[&[Vector<2>]]) -> Result<(), ShapeError> {
    let corners: Vec<Vector<2>> = lists.concat();
    let n = corners.len();
    let mut next = Vec::with_capacity(n);
    for list in lists {
        let first = next.len();
        next.extend((0..list.len()).map(|i| first + (i + 1) % list.len()));
    }
    let side = |i: usize| [corners[i], corners[next[i]]];
    // In the order of their lowest x only sides whose ranges of x overlap are compared.
    let range = |i: usize| {
        let [a, b] = side(i);
        [a.x.min(b.x), a.x.max(b.x)]
    };
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&a, &b| range(a)[0].total_cmp(&range(b)[0]).then(a.cmp(&b)));
    let mut worst: Option<[usize; 2]> = None;
    for (place, &i) in order.iter().enumerate() {
        for &j in order[place + 1..].iter().take_while(|&&j| range(j)[0] <= range(i)[1]) {
            let pair = [i.min(j), i.max(j)];
            let meet = if next[pair[0]] == pair[1] || next[pair[1]] == pair[0] {
                let [first, second] = if next[pair[0]] == pair[1] { pair } else { [pair[1], pair[0]] };
                let ([a, b], [_, c]) = (side(first), side(second));
                let (u, v) = (b - a, c - b);
                u.perp(&v).abs() <= FLAT * u.norm() * v.norm() && u.dot(&v) <= 0.0
            } else {
                crosses(side(i), side(j))
            };
            if meet && worst.is_none_or(|w| pair < w) {
                worst = Some(pair);
            }
        }
    }
    let Some([first, second]) = worst else { return Ok(()) };
    let ends = |i: usize| side(i).map(|p| [p.x, p.y]);
    Err(ShapeError::SelfCrossing { first, second, first_ends: ends(first), second_ends: ends(second) })
}

/// Do two segments have a point in common?
fn crosses([a, b]: [Vector<2>; 2], [c, d]: [Vector<2>; 2]) -> bool {
    let turn = |p: &Vector<2>, q: &Vector<2>, r: &Vector<2>| (q - p).perp(&(r - p));
    let [s1, s2] = [turn(&a, &b, &c), turn(&a, &b, &d)];
    let [s3, s4] = [turn(&c, &d, &a), turn(&c, &d, &b)];
    let apart = |s: f64, t: f64| (s > 0.0 && t > 0.0) || (s < 0.0 && t < 0.0);
    if apart(s1, s2) || apart(s3, s4) {
        return false;
    }
    // Where all four are on a line the boxes decide.
    let over = |i: usize| a[i].max(b[i]) >= c[i].min(d[i]) && c[i].max(d[i]) >= a[i].min(b[i]);
    over(0) && over(1)
}
