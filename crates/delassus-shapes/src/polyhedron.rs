//! Polyhedra and closed surfaces: the core of their points and faces.

use std::collections::{BTreeMap, BTreeSet};

use delassus_contact::{Aabb, Dimension, Vector};

use crate::core::{Bend, Core, CoreEdge, CoreFace};
use crate::{ShapeError, ShapeSpace};

/// Sine of the angle below which two faces are in one plane.
const FLAT: f64 = 1e-9;

/// Share of the size by which a corner may be beside the plane of its face.
const PLANE: f64 = 1e-9;

/// Share of the size squared (cubed) below which an area (a volume) is lost in rounding.
const LOST: f64 = 1e-14;

/// The core of what a closed surface encloses.
pub(crate) fn core(given: &[Vector<3>], faces: &[Vec<usize>]) -> Result<Core<3>, ShapeError> {
    if given.len() < 4 {
        return Err(ShapeError::FewShapePoints { what: "polyhedron", count: given.len(), needed: 4 });
    }
    for (face, corners) in faces.iter().enumerate() {
        let distinct: BTreeSet<usize> = corners.iter().copied().filter(|&c| c < given.len()).collect();
        if corners.len() < 3 || distinct.len() < corners.len() {
            return Err(ShapeError::ShapeFace { face, corners: corners.clone(), n_points: given.len() });
        }
    }
    let (points, mut loops) = used(given, faces);
    check_closed(&loops)?;
    let size = points.iter().map(|p| (p - points[0]).norm()).fold(0.0, f64::max);
    let volume = loops.iter().map(|l| cone_volume(&points, l)).sum::<f64>();
    if volume.abs().partial_cmp(&(LOST * size * size * size)) != Some(std::cmp::Ordering::Greater) {
        return Err(ShapeError::NoVolume { what: "volume", n_points: points.len(), value: volume });
    }
    if volume < 0.0 {
        loops.iter_mut().for_each(|l| l.reverse());
    }
    check_nested(&points, &loops)?;
    let mut made = Vec::with_capacity(loops.len());
    for (face, corners) in loops.into_iter().enumerate() {
        let normal = plane_normal(&points, &corners, size).map_err(|what| ShapeError::FaceNotPlane {
            face,
            corners: corners.clone(),
            what,
        })?;
        made.push(CoreFace { normal, corners });
    }
    let edges = edges_of(&points, &made);
    let rough = Core::new(points, made, edges, 0.0, false);
    let no_ridge = rough.edges.iter().all(|e| e.bend != Bend::Reentrant);
    if no_ridge && outside(&rough).is_none() {
        let (points, faces) = merged(&rough);
        let edges = edges_of(&points, &faces);
        return Ok(Core::new(points, faces, edges, 0.0, true));
    }
    check_crossing_faces(&rough)?;
    Ok(rough)
}

/// No edge goes through a face.
fn check_crossing_faces(core: &Core<3>) -> Result<(), ShapeError> {
    let Some(tree) = &core.tree else { return Ok(()) };
    let mut worst: Option<[usize; 2]> = None;
    for edge in &core.edges {
        let ends = edge.ends.map(|c| core.points[c]);
        tree.meeting(&Aabb::around(ends), |f| {
            let is_own = core.faces[f].corners.iter().any(|c| edge.ends.contains(c));
            if !is_own && Dimension::<3>::is_pierced(core, f, ends) {
                let other = edge.faces.map_or(f, |[g, _]| g);
                let pair = [f.min(other), f.max(other)];
                worst = Some(worst.map_or(pair, |w| w.min(pair)));
            }
        });
    }
    worst.map_or(Ok(()), |[first, second]| Err(ShapeError::CrossingFaces { first, second }))
}

/// The point farthest outside of a face, if one is: face, point, height (m).
pub(crate) fn outside(core: &Core<3>) -> Option<(usize, usize, f64)> {
    let mut worst = (0, 0, PLANE * core.extent);
    let mut found = false;
    for (f, face) in core.faces.iter().enumerate() {
        let level = face.normal.dot(&core.points[face.corners[0]]);
        for (p, point) in core.points.iter().enumerate() {
            let height = face.normal.dot(point) - level;
            if height > worst.2 {
                worst = (f, p, height);
                found = true;
            }
        }
    }
    found.then_some(worst)
}

/// The points that faces use, and the faces in their numbers.
fn used(given: &[Vector<3>], faces: &[Vec<usize>]) -> (Vec<Vector<3>>, Vec<Vec<usize>>) {
    let numbers: BTreeSet<usize> = faces.iter().flatten().copied().collect();
    let place: BTreeMap<usize, usize> = numbers.iter().enumerate().map(|(new, &old)| (old, new)).collect();
    let points = numbers.iter().map(|&i| given[i]).collect();
    (points, faces.iter().map(|f| f.iter().map(|c| place[c]).collect()).collect())
}

/// The directed edges of a loop.
fn sides(corners: &[usize]) -> impl Iterator<Item = [usize; 2]> + '_ {
    (0..corners.len()).map(|i| [corners[i], corners[(i + 1) % corners.len()]])
}

/// Every edge has one face on each side.
fn check_closed(loops: &[Vec<usize>]) -> Result<(), ShapeError> {
    let mut count: BTreeMap<[usize; 2], [usize; 2]> = BTreeMap::new();
    for [from, to] in loops.iter().flat_map(|l| sides(l)) {
        count.entry([from.min(to), from.max(to)]).or_default()[usize::from(from > to)] += 1;
    }
    match count.iter().find(|(_, n)| **n != [1, 1]) {
        Some((&[from, to], &[along, against])) => Err(ShapeError::OpenSurface { from, to, along, against }),
        None if loops.is_empty() => Err(ShapeError::FewShapePoints { what: "polyhedron", count: 0, needed: 4 }),
        None => Ok(()),
    }
}

/// Volume of the cone from the first point to a face (m³).
fn cone_volume(points: &[Vector<3>], corners: &[usize]) -> f64 {
    let at = |i: usize| points[corners[i]] - points[0];
    (1..corners.len() - 1).map(|i| at(0).dot(&at(i).cross(&at(i + 1))) / 6.0).sum()
}

/// Surfaces that do not hang together: one outside of all others encloses a part, one inside of another a cavity. `loops` have the solid behind them, of the whole.
fn check_nested(points: &[Vector<3>], loops: &[Vec<usize>]) -> Result<(), ShapeError> {
    let mut lowest: Vec<usize> = (0..points.len()).collect();
    let root = |lowest: &mut [usize], mut i: usize| {
        while lowest[i] != i {
            lowest[i] = lowest[lowest[i]];
            i = lowest[i];
        }
        i
    };
    for corners in loops {
        for &c in &corners[1..] {
            let [a, b] = [root(&mut lowest, corners[0]), root(&mut lowest, c)];
            lowest[a.max(b)] = a.min(b);
        }
    }
    let mut parts: BTreeMap<usize, Vec<&Vec<usize>>> = BTreeMap::new();
    for corners in loops {
        parts.entry(root(&mut lowest, corners[0])).or_default().push(corners);
    }
    if parts.len() < 2 {
        return Ok(());
    }
    let lists: Vec<Vec<&Vec<usize>>> = parts.into_values().collect();
    for (part, list) in lists.iter().enumerate() {
        let at = points[list[0][0]];
        let others = lists.iter().enumerate().filter(|(k, _)| *k != part).flat_map(|(_, l)| l);
        let around =
            others.map(|corners| solid_angle(points, corners, &at)).sum::<f64>() / (4.0 * std::f64::consts::PI);
        let volume: f64 = list.iter().map(|corners| cone_volume(points, corners)).sum();
        // 1 inside of another one, 0 outside: half of it is far from both.
        if (around > 0.5) != (volume < 0.0) || !(-0.5..=1.5).contains(&around) {
            return Err(ShapeError::Nested { part });
        }
    }
    Ok(())
}

/// The angle in which a face is seen from a point, positive from behind (Van Oosterom & Strackee 1983).
fn solid_angle(points: &[Vector<3>], corners: &[usize], from: &Vector<3>) -> f64 {
    let one = |i: usize| {
        let [a, b, c] = [corners[0], corners[i], corners[i + 1]].map(|c| points[c] - from);
        let (x, y, z) = (a.norm(), b.norm(), c.norm());
        let below = x * y * z + a.dot(&b) * z + b.dot(&c) * x + c.dot(&a) * y;
        2.0 * delassus_math::atan2(a.dot(&b.cross(&c)), below)
    };
    (1..corners.len() - 1).map(one).sum()
}

/// The unit normal of a face that is plane and convex, or what it is instead.
fn plane_normal(points: &[Vector<3>], corners: &[usize], size: f64) -> Result<Vector<3>, &'static str> {
    let at = |i: usize| points[corners[i % corners.len()]];
    let fan = (1..corners.len() - 1).map(|i| (at(i) - at(0)).cross(&(at(i + 1) - at(0))));
    let twice = fan.sum::<Vector<3>>();
    let area = twice.norm();
    let longest = sides(corners).map(|[a, b]| (points[b] - points[a]).norm()).fold(0.0, f64::max);
    if area.partial_cmp(&(LOST * longest * longest)) != Some(std::cmp::Ordering::Greater) {
        return Err("without area");
    }
    let normal = twice / area;
    if corners.iter().any(|&c| (points[c] - at(0)).dot(&normal).abs() > PLANE * size) {
        return Err("not plane");
    }
    let k = corners.len();
    let turn = |i: usize| {
        let (u, v) = (at(i + 1) - at(i), at(i + 2) - at(i + 1));
        u.cross(&v).dot(&normal) / (u.norm() * v.norm())
    };
    if (0..k).any(|i| turn(i).partial_cmp(&-FLAT).is_none_or(|o| o.is_lt())) {
        return Err("not convex");
    }
    Ok(normal)
}

/// The edges of closed faces.
fn edges_of(points: &[Vector<3>], faces: &[CoreFace<3>]) -> Vec<CoreEdge> {
    let mut first: BTreeMap<[usize; 2], (usize, [usize; 2])> = BTreeMap::new();
    let mut edges = Vec::new();
    for (f, face) in faces.iter().enumerate() {
        for [from, to] in sides(&face.corners) {
            let Some((other, ends)) = first.remove(&[from.min(to), from.max(to)]) else {
                first.insert([from.min(to), from.max(to)], (f, [from, to]));
                continue;
            };
            let (n, m) = (faces[other].normal, face.normal);
            let along = (points[ends[1]] - points[ends[0]]).normalize();
            let sine = n.cross(&m).dot(&along);
            let bend = match sine {
                s if s.abs() <= FLAT && n.dot(&m) > 0.0 => Bend::Flat,
                s if s > 0.0 => Bend::Convex,
                _ => Bend::Reentrant,
            };
            edges.push(CoreEdge { ends, faces: Some([other, f]), bend });
        }
    }
    edges
}

/// The points and faces of a convex polyhedron, faces in one plane made one, points within a face or along an edge left out.
fn merged(core: &Core<3>) -> (Vec<Vector<3>>, Vec<CoreFace<3>>) {
    let of = &core.plane_of;
    // A corner of the polyhedron has three or more planes.
    let corner = &core.is_corner;
    let mut border: BTreeMap<usize, BTreeMap<usize, usize>> = BTreeMap::new();
    let sides_of = |f: usize| sides(&core.faces[f].corners).map(move |s| (s, f));
    let there: BTreeMap<[usize; 2], usize> = (0..core.faces.len()).flat_map(sides_of).collect();
    for (&[from, to], &f) in &there {
        if there.get(&[to, from]).is_none_or(|&g| of[g] != of[f]) {
            border.entry(of[f]).or_default().insert(from, to);
        }
    }
    let mut loops: Vec<CoreFace<3>> = Vec::new();
    for (face, next) in &border {
        let Some((&start, _)) = next.iter().next() else { continue };
        let (mut at, mut corners) = (start, Vec::new());
        for _ in 0..next.len() {
            if corner[at] {
                corners.push(at);
            }
            at = next.get(&at).copied().unwrap_or(start);
        }
        loops.push(CoreFace { normal: core.faces[*face].normal, corners });
    }
    let all: Vec<Vec<usize>> = loops.iter().map(|f| f.corners.clone()).collect();
    let is_whole = loops.iter().all(|f| f.corners.len() >= 3) && check_closed(&all).is_ok();
    if !is_whole {
        // Slivers can make planes ambiguous: the faces stay as they are.
        return (core.points.clone(), core.faces.clone());
    }
    let (points, renumbered) = used(&core.points, &all);
    for (face, corners) in loops.iter_mut().zip(renumbered) {
        // The normal of the whole face: that of one of its triangles would carry more rounding.
        let twice: Vector<3> = (1..corners.len() - 1)
            .map(|i| (points[corners[i]] - points[corners[0]]).cross(&(points[corners[i + 1]] - points[corners[0]])))
            .sum();
        face.normal = twice.try_normalize(0.0).unwrap_or(face.normal);
        face.corners = corners;
    }
    (points, loops)
}
