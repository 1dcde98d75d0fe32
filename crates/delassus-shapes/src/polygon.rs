//! Polygons: the core of their corners.

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
    let area = 0.5 * (0..n).map(|i| (given[i] - given[0]).perp(&(given[(i + 1) % n] - given[0]))).sum::<f64>();
    let size = given.iter().map(|p| (p - given[0]).norm()).fold(0.0, f64::max);
    // Points on a line first: their sides cross too, but that is not what is wrong.
    let far = given.iter().copied().reduce(|b, p| if (p - given[0]).norm() > (b - given[0]).norm() { p } else { b });
    let axis = far.map_or_else(Vector::zeros, |f| f - given[0]);
    if !given.iter().any(|p| axis.perp(&(p - given[0])).abs() > FLAT * size * size) {
        return Err(ShapeError::NoVolume { what: "area", n_points: n, value: area });
    }
    check_crossings(given)?;
    if area.abs().partial_cmp(&(FLAT * size * size)) != Some(std::cmp::Ordering::Greater) {
        return Err(ShapeError::NoVolume { what: "area", n_points: n, value: area });
    }
    let mut corners: Vec<Vector<2>> = given.to_vec();
    if area < 0.0 {
        corners.reverse();
    }
    // A corner without an angle is none.
    let turn = |list: &[Vector<2>], i: usize| {
        let k = list.len();
        let (to, from) = (list[(i + 1) % k] - list[i], list[i] - list[(i + k - 1) % k]);
        from.perp(&to) / (from.norm() * to.norm())
    };
    let kept: Vec<Vector<2>> = (0..n).filter(|&i| turn(&corners, i).abs() > FLAT).map(|i| corners[i]).collect();
    if kept.len() < 3 {
        return Err(ShapeError::NoVolume { what: "area", n_points: n, value: area });
    }
    let k = kept.len();
    let is_convex = (0..k).all(|i| turn(&kept, i) > 0.0);
    let face = |i: usize| {
        let along = (kept[(i + 1) % k] - kept[i]).normalize();
        CoreFace { normal: Vector::<2>::new(along.y, -along.x), corners: vec![i, (i + 1) % k] }
    };
    let faces = (0..k).map(face).collect();
    Ok(Core::new(kept, faces, Vec::new(), 0.0, is_convex))
}

/// Sides that are not neighbours must not meet, and neighbours must not fold back on one another.
fn check_crossings(corners: &[Vector<2>]) -> Result<(), ShapeError> {
    let n = corners.len();
    let side = |i: usize| [corners[i], corners[(i + 1) % n]];
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
            let meet = if pair[0] + 1 == pair[1] || (pair[0] == 0 && pair[1] == n - 1) {
                let [first, second] = if pair[0] + 1 == pair[1] { pair } else { [pair[1], pair[0]] };
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
