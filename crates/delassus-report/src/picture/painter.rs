//! In which order faces are painted so that the near ones cover the far ones.
//!
//! ```text
//! A covers B  if  ∫ (z_A − z_B) dA > 0  over the part of the picture that both of them fill,   z towards the viewer
//! level of a face = its least one (given), or one more than the highest level of those it covers
//! ```
//!
//! Faces of one level do not overlap: level after level is a right order, and within a level faces of one colour may be
//! drawn together. Faces are cut into triangles, on which z is linear and the integral exact: the area that two triangles
//! have in common, times the difference at its middle. Faces that pierce each other or cover each other in a circle have no
//! right order; of these the farthest is painted first. After Newell, Newell and Sancha, A solution to the hidden surface
//! problem, Proc. ACM 1972, with the cut at the circles left out.

/// A point: to the right, upwards, towards the viewer \[px\].
pub type Point = [f64; 3];

/// Overlaps below this area are not seen \[px²\].
const SMALLEST: f64 = 0.02;
/// Mean differences in depth below this one are none \[px\].
const TOUCHING: f64 = 1e-6;

/// The level of each face, not below `least` of it; faces are polygons, their projections without holes.
#[must_use]
pub fn levels(faces: &[Vec<Point>], least: Vec<usize>) -> Vec<usize> {
    let mut covered: Vec<Vec<usize>> = vec![Vec::new(); faces.len()];
    let mut above: Vec<Vec<usize>> = vec![Vec::new(); faces.len()];
    for (a, b) in overlapping_boxes(faces) {
        let nearer = depth_difference(&faces[a], &faces[b]);
        if nearer > 0.0 {
            covered[a].push(b);
            above[b].push(a);
        } else if nearer < 0.0 {
            covered[b].push(a);
            above[a].push(b);
        }
    }
    layered(&covered, &above, faces, least)
}

/// Pairs of faces whose boxes in the picture overlap.
fn overlapping_boxes(faces: &[Vec<Point>]) -> Vec<(usize, usize)> {
    let span = |face: &Vec<Point>, k: usize| {
        face.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), p| (low.min(p[k]), high.max(p[k])))
    };
    let boxes: Vec<[(f64, f64); 2]> = faces.iter().map(|f| [span(f, 0), span(f, 1)]).collect();
    let mut order: Vec<usize> = (0..faces.len()).collect();
    order.sort_by(|&a, &b| boxes[a][0].0.total_cmp(&boxes[b][0].0));
    let mut pairs = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for &a in &order {
        open.retain(|&b| boxes[b][0].1 > boxes[a][0].0);
        let [_, (low, high)] = boxes[a];
        pairs.extend(open.iter().filter(|&&b| boxes[b][1].0 < high && boxes[b][1].1 > low).map(|&b| (a, b)));
        open.push(a);
    }
    pairs
}

/// ∫ (z_A − z_B) dA over the common part \[px³\]; zero if there is none to speak of.
fn depth_difference(a: &[Point], b: &[Point]) -> f64 {
    let (mut area, mut sum) = (0.0, 0.0);
    for s in triangles(a) {
        for t in triangles(b) {
            let (part, at) = common(&s, &t);
            if part > 0.0 {
                area += part;
                sum += part * (depth(&s, at) - depth(&t, at));
            }
        }
    }
    if area < SMALLEST || sum.abs() < TOUCHING * area { 0.0 } else { sum }
}

fn triangles(face: &[Point]) -> impl Iterator<Item = [Point; 3]> + '_ {
    let triangle = |k: usize| [face[0], face[k], face[k + 1]];
    // Those seen edge on have no depth.
    (1..face.len().saturating_sub(1)).map(triangle).filter(|t| twice_area(t).abs() > 1e-9)
}

fn twice_area(t: &[Point; 3]) -> f64 {
    (t[1][0] - t[0][0]) * (t[2][1] - t[0][1]) - (t[1][1] - t[0][1]) * (t[2][0] - t[0][0])
}

/// z of the plane of a triangle.
fn depth(t: &[Point; 3], at: [f64; 2]) -> f64 {
    let p = [at[0], at[1], 0.0];
    let whole = twice_area(t);
    (twice_area(&[p, t[1], t[2]]) * t[0][2]
        + twice_area(&[t[0], p, t[2]]) * t[1][2]
        + twice_area(&[t[0], t[1], p]) * t[2][2])
        / whole
}

/// Area and middle of what two triangles have in common in the picture. Sutherland and Hodgman: one is cut along the edges
/// of the other.
fn common(a: &[Point; 3], b: &[Point; 3]) -> (f64, [f64; 2]) {
    let mut kept: Vec<[f64; 2]> = a.iter().map(|p| [p[0], p[1]]).collect();
    let turn = twice_area(b).signum();
    for k in 0..3 {
        let (p, q) = (b[k], b[(k + 1) % 3]);
        let inside = |x: &[f64; 2]| turn * ((q[0] - p[0]) * (x[1] - p[1]) - (q[1] - p[1]) * (x[0] - p[0]));
        let mut next = Vec::with_capacity(kept.len() + 1);
        for i in 0..kept.len() {
            let (x, y) = (kept[i], kept[(i + 1) % kept.len()]);
            let (s, t) = (inside(&x), inside(&y));
            if s >= 0.0 {
                next.push(x);
            }
            if (s > 0.0 && t < 0.0) || (s < 0.0 && t > 0.0) {
                let part = s / (s - t);
                next.push(std::array::from_fn(|k| x[k] + part * (y[k] - x[k])));
            }
        }
        kept = next;
    }
    middle(&kept)
}

/// Area and centre of a convex polygon.
fn middle(polygon: &[[f64; 2]]) -> (f64, [f64; 2]) {
    let Some(&o) = polygon.first() else { return (0.0, [0.0; 2]) };
    let (mut area, mut sum) = (0.0, [0.0; 2]);
    for pair in polygon.windows(2).skip(1) {
        let (p, q) = (pair[0], pair[1]);
        let part = 0.5 * ((p[0] - o[0]) * (q[1] - o[1]) - (p[1] - o[1]) * (q[0] - o[0])).abs();
        area += part;
        sum = std::array::from_fn(|k| sum[k] + part * (o[k] + p[k] + q[k]) / 3.0);
    }
    if area > 0.0 { (area, sum.map(|s| s / area)) } else { (0.0, o) }
}

/// Levels from who covers whom.
fn layered(covered: &[Vec<usize>], above: &[Vec<usize>], faces: &[Vec<Point>], least: Vec<usize>) -> Vec<usize> {
    let mean = |face: &Vec<Point>| face.iter().map(|p| p[2]).sum::<f64>() / face.len().max(1) as f64;
    // The farthest first, for when nothing is free.
    let mut far: Vec<usize> = (0..faces.len()).collect();
    far.sort_by(|&a, &b| mean(&faces[a]).total_cmp(&mean(&faces[b])));
    let mut far = far.into_iter();
    let mut waits: Vec<usize> = covered.iter().map(Vec::len).collect();
    let mut level = least;
    let mut done = vec![false; faces.len()];
    let mut free: Vec<usize> = (0..faces.len()).filter(|&i| waits[i] == 0).collect();
    loop {
        let next = free.pop().or_else(|| far.find(|&i| !done[i]));
        let Some(i) = next else { return level };
        if std::mem::replace(&mut done[i], true) {
            continue;
        }
        // None are left unless this one was not free.
        for &j in covered[i].iter().filter(|&&j| !done[j]) {
            level[j] = level[j].max(level[i] + 1);
        }
        for &j in &above[i] {
            if !done[j] {
                level[j] = level[j].max(level[i] + 1);
                waits[j] -= 1;
                if waits[j] == 0 {
                    free.push(j);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::cuboid;
    use super::*;

    /// A viewer at the front, above and to the right: towards him (1, 1, 1).
    fn seen(ring: &[[f64; 3]]) -> Vec<Point> {
        let (a, b) = (0.5_f64.sqrt(), 6.0_f64.sqrt().recip());
        let axes = [[a, 0.0, -a], [-b, 2.0 * b, -b], [3.0_f64.sqrt().recip(); 3]];
        let dot = |u: &[f64; 3], x: &[f64; 3]| (0..3).map(|k| u[k] * x[k]).sum::<f64>();
        ring.iter().map(|x| std::array::from_fn(|k| 100.0 * dot(&axes[k], x))).collect()
    }

    /// Faces that look at the viewer.
    fn front(boxes: &[([f64; 3], [f64; 3])]) -> Vec<(usize, Vec<Point>)> {
        let all =
            boxes.iter().enumerate().flat_map(|(k, (low, size))| cuboid(*low, *size).into_iter().map(move |r| (k, r)));
        all.map(|(k, ring)| (k, seen(&ring))).filter(|(_, f)| twice_area(&[f[0], f[1], f[2]]) > 1e-9).collect()
    }

    /// The box whose face is on top at a point of the picture when faces are painted in this order.
    fn on_top(faces: &[(usize, Vec<Point>)], order: &[usize], at: [f64; 2]) -> Option<usize> {
        let p = [at[0], at[1], 0.0];
        let holds = |f: &Vec<Point>| (0..f.len()).all(|k| twice_area(&[f[k], f[(k + 1) % f.len()], p]) > 0.0);
        order.iter().rev().find(|&&i| holds(&faces[i].1)).map(|&i| faces[i].0)
    }

    /// The box that is nearest there, by the depths themselves.
    fn nearest(faces: &[(usize, Vec<Point>)], at: [f64; 2]) -> Option<usize> {
        let p = [at[0], at[1], 0.0];
        let holds = |f: &Vec<Point>| (0..f.len()).all(|k| twice_area(&[f[k], f[(k + 1) % f.len()], p]) > 0.0);
        let z = |f: &Vec<Point>| depth(&[f[0], f[1], f[2]], at);
        faces.iter().filter(|(_, f)| holds(f)).max_by(|a, b| z(&a.1).total_cmp(&z(&b.1))).map(|f| f.0)
    }

    /// Share of a fine grid of points at which the painted picture is wrong.
    fn wrong(faces: &[(usize, Vec<Point>)], order: &[usize]) -> f64 {
        let n = 60;
        let at = |i: usize| -300.0 + 600.0 * (i as f64 + 0.5) / n as f64;
        let points = (0..n * n).map(|k| [at(k % n), at(k / n)]);
        let (mut bad, mut all) = (0, 0);
        for p in points {
            if let Some(there) = nearest(faces, p) {
                all += 1;
                bad += u32::from(on_top(faces, order, p) != Some(there));
            }
        }
        f64::from(bad) / f64::from(all.max(1))
    }

    fn order(faces: &[(usize, Vec<Point>)]) -> (Vec<usize>, Vec<usize>) {
        let rings: Vec<Vec<Point>> = faces.iter().map(|f| f.1.clone()).collect();
        let level = levels(&rings, vec![0; rings.len()]);
        let mut order: Vec<usize> = (0..faces.len()).collect();
        order.sort_by_key(|&i| level[i]);
        (order, level)
    }

    #[test]
    fn a_cube_seen_from_its_corner_shows_three_faces_side_by_side() {
        let faces = front(&[([0.0; 3], [1.0; 3])]);
        assert_eq!(faces.len(), 3);
        assert_eq!(order(&faces).1, [0, 0, 0]);
    }

    #[test]
    fn a_cube_in_front_of_another_hides_it_and_a_wrong_order_is_noticed() {
        // Both orders of the list; the second box is 3 m nearer along the line of sight.
        for boxes in [[0.0, 3.0], [3.0, 0.0]].map(|far| far.map(|s| ([s; 3], [1.0; 3]))) {
            let faces = front(&boxes);
            assert_eq!(faces.len(), 6);
            let (order, level) = order(&faces);
            let near = usize::from(boxes[1].0[0] > 1.0);
            assert!(faces.iter().zip(&level).all(|(f, &l)| l == usize::from(f.0 == near)), "{level:?}");
            assert!(wrong(&faces, &order) <= 0.0);
            let reversed: Vec<usize> = order.iter().rev().copied().collect();
            assert!(wrong(&faces, &reversed) >= 1.0, "the far cube is on top everywhere");
        }
    }

    /// A rod that lies across a long plank: the middle of the plank is nearer than that of the rod, and still below it.
    #[test]
    fn depth_counts_where_faces_overlap_not_in_their_middles() {
        let plank = ([0.0, 0.0, -10.0], [1.0, 0.1, 20.0]);
        let rod = ([-0.5, 0.1, -2.0], [2.0, 0.2, 0.2]);
        let faces = front(&[plank, rod]);
        let (order, _) = order(&faces);
        assert!(wrong(&faces, &order) <= 0.0);
        let mut by_middle: Vec<usize> = (0..faces.len()).collect();
        let mean = |i: usize| faces[i].1.iter().map(|p| p[2]).sum::<f64>();
        by_middle.sort_by(|&a, &b| mean(a).total_cmp(&mean(b)));
        assert!(wrong(&faces, &by_middle) > 0.01, "middles would do here: no test");
    }

    #[test]
    fn any_heap_of_separate_boxes_is_painted_right() {
        let mut word = 7_u64;
        let mut random = || {
            word = word.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (word >> 40) as f64 / f64::from(1 << 24)
        };
        for _ in 0..20 {
            // One box in each cell of a grid, of any size that keeps it there.
            let boxes: Vec<([f64; 3], [f64; 3])> = (0..27)
                .map(|k| {
                    let cell = [k % 3, k / 3 % 3, k / 9].map(|i| i as f64 - 1.5);
                    let size = [random(), random(), random()].map(|r| 0.1 + 0.9 * r);
                    (std::array::from_fn(|i| cell[i] + (1.0 - size[i]) * random()), size)
                })
                .collect();
            let faces = front(&boxes);
            let (order, level) = order(&faces);
            assert!(wrong(&faces, &order) <= 0.0);
            assert!(level.iter().max() > Some(&1));
        }
    }

    #[test]
    fn three_that_cover_each_other_in_a_circle_are_all_painted() {
        let turned = |k: usize, p: Point| {
            let (sin, cos) = (std::f64::consts::TAU * k as f64 / 3.0).sin_cos();
            [cos * p[0] - sin * p[1], sin * p[0] + cos * p[1], p[2]]
        };
        // Each bar is high at one end and low at the other.
        let bar = [[-50.0, 20.0, 0.0], [50.0, 20.0, 30.0], [50.0, 30.0, 30.0], [-50.0, 30.0, 0.0]];
        let faces: Vec<Vec<Point>> = (0..3).map(|k| bar.iter().map(|p| turned(k, *p)).collect()).collect();
        let level = levels(&faces, vec![0; 3]);
        assert!(level.len() == 3 && level.iter().all(|&l| l < 3) && level.iter().max() > Some(&0), "{level:?}");
    }

    #[test]
    fn nothing_and_faces_without_area_do_no_harm() {
        assert!(levels(&[], vec![]).is_empty());
        let line = vec![[0.0; 3], [1.0, 1.0, 1.0], [2.0, 2.0, 2.0]];
        let lost = vec![[f64::NAN; 3]; 4];
        let good = vec![[0.0, 0.0, 5.0], [9.0, 0.0, 5.0], [0.0, 9.0, 5.0]];
        assert_eq!(levels(&[vec![], line, lost, good], vec![0, 0, 3, 0]), [0, 0, 3, 0]);
    }

    /// Depth and area of a known overlap: the unit squares [0, 2]² and [1, 3]².
    #[test]
    fn the_integral_is_exact() {
        let square =
            |x: f64, z: [f64; 2]| vec![[x, x, z[0]], [x + 2.0, x, z[1]], [x + 2.0, x + 2.0, z[1]], [x, x + 2.0, z[0]]];
        // z = 4 x on the first; z = 7 on the second. Over [1, 2]²: 4·1.5 − 7 = −1.
        let found = depth_difference(&square(0.0, [0.0, 8.0]), &square(1.0, [7.0, 7.0]));
        assert!((found + 1.0).abs() < 1e-12, "{found}");
    }
}
