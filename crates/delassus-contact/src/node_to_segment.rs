//! Projection of a node on chains of segments (2D).
//!
//! A segment runs from a to b with the solid on its left; e = b − a, outward normal n = (e_y, −e_x)/|e|. Two products determine
//! the place of a point x, each exact to rounding near its own end:
//!
//! ```text
//! (x − a)·e ≤ 0   at the start        (x − b)·e ≥ 0   at the end        else inside, at λ = (x−a)·e / |e|²
//! inside:            g = n·(x − a),   weights (1 − λ, λ)
//! at a vertex v of two segments, for both of which v is the closest point:
//!                    g = ±‖x − v‖,    normal ±(x − v)/‖x − v‖, + on the side of the pseudo-normal m ∥ n₁ + n₂
//! past an open end:  g = n·(x − v)    up to END_OVERHANG |e| past it, weights on v; farther out nothing
//! ```
//!
//! At a vertex, {x : (x−v)·e₁ ≥ 0, (x−v)·e₂ ≤ 0} is the cone between the two normals at a convex vertex (outside: +) and the
//! opposite cone at a re-entrant one (inside: −). So g is the signed distance to the chain: continuous, and it changes by
//! no more than the point moves. Where x is v (to rounding) the normal is m, on a straight chain the segments' normal.
//! A segment whose end is the closest of its points while its neighbour has a nearer one gives no answer: every answer is a local
//! minimum of the distance, and a candidate of the surface itself, whose own segments are left out, gets no spurious end.
//! Conventions of sign: Jean, Acary & Monerie 2001; the candidate-node, antagonist-line description is that of Jean 1995.

use std::collections::BTreeMap;

use delassus_math as math;

use crate::{Aabb, ContactError, Dimension, FacetNodes, FacetSurface, Few, NarrowPhase, Projection, Vector};

/// How far past an open end a node still faces the end segment, as a fraction of that segment's length.
///
/// Nodes of a body wider than its support by rounding, or by the lateral strain of an impact, must not fall off the end; a node
/// farther out is free.
pub const END_OVERHANG: f64 = 0.05;

/// Distance below which a point is on a vertex but for rounding, relative to the coordinates and the segment's length.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// First node of a segment, as ridge 0 of the neighbours; its last node is ridge 1.
const START: usize = 0;
const END: usize = 1;

struct ChainSegment {
    corners: [Vector<2>; 2],
    /// b − a (m).
    edge: Vector<2>,
    length: f64,
    normal: Vector<2>,
}

/// Where the closest point of a segment is.
#[derive(Debug, Clone, Copy, PartialEq)]
enum SegmentPlace {
    Inside(f64),
    /// At a corner, `past` times the length beyond it.
    Corner {
        corner: usize,
        past: f64,
    },
}

impl ChainSegment {
    fn new(corners: [Vector<2>; 2]) -> Self {
        let edge = corners[1] - corners[0];
        let length = math::hypot(edge.x, edge.y);
        Self { corners, edge, length, normal: Vector::<2>::new(edge.y / length, -edge.x / length) }
    }

    fn of(surface: &FacetSurface<2>, positions: &[f64], facet: usize) -> Self {
        Self::of_corners(&surface.corners(facet, positions))
    }

    fn of_corners(corners: &[Vector<2>]) -> Self {
        Self::new([corners[START], corners[END]])
    }

    fn place(&self, point: &Vector<2>) -> SegmentPlace {
        let from_start = (point - self.corners[START]).dot(&self.edge);
        let from_end = (point - self.corners[END]).dot(&self.edge);
        let length2 = self.length * self.length;
        if from_start <= 0.0 {
            SegmentPlace::Corner { corner: START, past: -from_start / length2 }
        } else if from_end >= 0.0 {
            SegmentPlace::Corner { corner: END, past: from_end / length2 }
        } else {
            // from_start − from_end = |e|²; written so, λ stays strictly between 0 and 1.
            SegmentPlace::Inside(from_start / (from_start - from_end))
        }
    }

    fn inside(&self, point: &Vector<2>, lambda: f64) -> Projection<2> {
        // From the nearer end, so that the gap vanishes exactly at a node that lies there.
        let nearer = self.corners[if lambda < 0.5 { START } else { END }];
        let gap = self.normal.dot(&(point - nearer));
        Projection { distance: gap.abs(), gap, normal: self.normal, weights: Few::from([1.0 - lambda, lambda]) }
    }

    /// The segment's own normal, from its corner.
    fn at_corner(&self, point: &Vector<2>, corner: usize) -> Projection<2> {
        let gap = self.normal.dot(&(point - self.corners[corner]));
        Projection { distance: gap.abs(), gap, normal: self.normal, weights: all_on(corner) }
    }

    /// Lengths that are rounding noise here.
    fn noise(&self, point: &Vector<2>) -> f64 {
        ROUNDING * self.length.max(self.corners[END].amax()).max(point.amax())
    }

    /// The whole segment, lengthened by the overhang at its open ends.
    fn reach_points(&self, open: [bool; 2]) -> [Vector<2>; 2] {
        let overhang = |corner: usize| if open[corner] { self.edge * END_OVERHANG } else { Vector::<2>::zeros() };
        [self.corners[START] - overhang(START), self.corners[END] + overhang(END)]
    }
}

fn all_on(corner: usize) -> Few<f64> {
    Few::from(if corner == START { [1.0, 0.0] } else { [0.0, 1.0] })
}

/// Unit pseudo-normal of the vertex between two segments: the direction of n₁ + n₂, outward.
fn pseudo_normal(before: &ChainSegment, after: &ChainSegment) -> Vector<2> {
    let sum = before.normal + after.normal;
    let [t1, t2] = [before.edge / before.length, after.edge / after.length];
    // Parallel to the sum, outward if the turn is to the left (convex), and long where the sum is short: on a spike or a slit.
    let across = t1 - t2;
    let turn = t1.perp(&t2);
    let m = if sum.norm_squared() >= across.norm_squared() {
        sum
    } else if turn < 0.0 {
        -across
    } else {
        across
    };
    m / m.norm()
}

/// The vertex as antagonist point, seen as `corner` of the facet asked about.
fn vertex(before: &ChainSegment, after: &ChainSegment, corner: usize, point: &Vector<2>) -> Projection<2> {
    let v = before.corners[END];
    let from_vertex = point - v;
    let distance = math::hypot(from_vertex.x, from_vertex.y);
    let outward = pseudo_normal(before, after);
    let height = from_vertex.dot(&outward);
    let weights = all_on(corner);
    if distance <= before.noise(point).max(after.noise(point)) {
        return Projection { distance, gap: height, normal: outward, weights };
    }
    let sign = if height < 0.0 { -1.0 } else { 1.0 };
    Projection { distance, gap: sign * distance, normal: from_vertex * (sign / distance), weights }
}

impl NarrowPhase<2> for Dimension<2> {
    const CORNERS: [usize; 2] = [2, 2];

    fn ridge(_: usize, ridge: usize) -> Few<usize> {
        Few::from([ridge])
    }

    fn connect(facets: &[FacetNodes]) -> Result<Vec<Few<Option<usize>>>, ContactError> {
        let mut at_node: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
        for (facet, nodes) in facets.iter().enumerate() {
            for (corner, &node) in nodes.iter().enumerate() {
                at_node.entry(node).or_default().push((facet, corner));
            }
        }
        let mut neighbours = vec![[None; 2]; facets.len()];
        for (&node, corners) in &at_node {
            match corners[..] {
                [(first, i), (second, j)] => {
                    if i == j {
                        return Err(ContactError::InconsistentOrientation { node, first, second });
                    }
                    neighbours[first][i] = Some(second);
                    neighbours[second][j] = Some(first);
                }
                [_] => {}
                _ => {
                    let facets = corners.iter().map(|&(facet, _)| facet).collect();
                    return Err(ContactError::BranchingChain { node, count: corners.len(), facets });
                }
            }
        }
        Ok(neighbours.into_iter().map(Few::from).collect())
    }

    fn normal(corners: &[Vector<2>]) -> Option<Vector<2>> {
        let segment = ChainSegment::of_corners(corners);
        // The square of the length divides: it must not have underflown.
        (segment.length * segment.length).is_normal().then_some(segment.normal)
    }

    fn corner_normal(corners: &[Vector<2>], _: usize) -> Vector<2> {
        <Self as NarrowPhase<2>>::normal(corners).unwrap_or_else(Vector::<2>::zeros)
    }

    fn size(corners: &[Vector<2>]) -> f64 {
        ChainSegment::of_corners(corners).length
    }

    fn distance(corners: &[Vector<2>], point: &Vector<2>) -> f64 {
        let segment = ChainSegment::of_corners(corners);
        match segment.place(point) {
            SegmentPlace::Inside(lambda) => segment.inside(point, lambda).distance,
            SegmentPlace::Corner { corner, .. } => {
                let from_corner = point - corners[corner];
                math::hypot(from_corner.x, from_corner.y)
            }
        }
    }

    fn bounds(surface: &FacetSurface<2>, positions: &[f64], facet: usize) -> Aabb<2> {
        let open = [START, END].map(|ridge| surface.neighbours(facet)[ridge].is_none());
        Aabb::around(ChainSegment::of(surface, positions, facet).reach_points(open))
    }

    fn project(
        surface: &FacetSurface<2>,
        positions: &[f64],
        facet: usize,
        point: &Vector<2>,
        _: f64,
    ) -> Option<Projection<2>> {
        let segment = ChainSegment::of(surface, positions, facet);
        let (corner, past) = match segment.place(point) {
            SegmentPlace::Inside(lambda) => return Some(segment.inside(point, lambda)),
            SegmentPlace::Corner { corner, past } => (corner, past),
        };
        let Some(neighbour) = surface.neighbours(facet)[corner] else {
            return (past <= END_OVERHANG).then(|| segment.at_corner(point, corner));
        };
        let other = ChainSegment::of(surface, positions, neighbour);
        let shared = 1 - corner;
        match other.place(point) {
            SegmentPlace::Corner { corner: c, .. } if c == shared => {
                let (before, after) = if corner == END { (&segment, &other) } else { (&other, &segment) };
                Some(vertex(before, after, corner, point))
            }
            // The foot is the corner itself: the limit of a point inside. The neighbour is nearer, but it may be one that the
            // caller leaves out.
            _ if past * segment.length <= segment.noise(point) => Some(segment.at_corner(point, corner)),
            _ => None,
        }
    }

    fn project_past_ridge(
        surface: &FacetSurface<2>,
        positions: &[f64],
        facet: usize,
        point: &Vector<2>,
    ) -> Option<Projection<2>> {
        let segment = ChainSegment::of(surface, positions, facet);
        let SegmentPlace::Corner { corner, past } = segment.place(point) else { return None };
        let neighbour = ChainSegment::of(surface, positions, surface.neighbours(facet)[corner]?);
        let SegmentPlace::Inside(lambda) = neighbour.place(point) else { return None };
        let end = segment.at_corner(point, corner);
        let inside = end.gap < 0.0 && neighbour.inside(point, lambda).gap < 0.0;
        // The corner is the point answered with, so that its distance ranks; the gap is that of the segment's line.
        let from_corner = point - segment.corners[corner];
        let distance = math::hypot(from_corner.x, from_corner.y);
        (inside && past <= END_OVERHANG).then_some(Projection { distance, ..end })
    }

    fn onto_facet(corners: &[Vector<2>], point: &Vector<2>) -> Option<Projection<2>> {
        let segment = ChainSegment::of_corners(corners);
        <Self as NarrowPhase<2>>::normal(corners)?;
        Some(match segment.place(point) {
            SegmentPlace::Inside(lambda) => segment.inside(point, lambda),
            SegmentPlace::Corner { corner, .. } => segment.at_corner(point, corner),
        })
    }

    fn pieces(corners: &[Vector<2>], n: usize) -> Vec<(Few<f64>, f64)> {
        let count = n as f64;
        let length = ChainSegment::of_corners(corners).length / count;
        let middle = |i: usize| (i as f64 + 0.5) / count;
        (0..n).map(|i| (Few::from([1.0 - middle(i), middle(i)]), length)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COS45: f64 = std::f64::consts::FRAC_1_SQRT_2;

    fn nearest(nodes: &[[f64; 2]], closed: bool, point: [f64; 2]) -> Option<(f64, [f64; 2], Vec<f64>)> {
        let n = nodes.len();
        let facets: Vec<[usize; 2]> = (0..if closed { n } else { n - 1 }).map(|i| [i, (i + 1) % n]).collect();
        let surface = FacetSurface::<2>::new(0, facets.clone()).unwrap();
        let x: Vec<f64> = nodes.concat();
        let all = (0..facets.len())
            .filter_map(|f| Dimension::<2>::project(&surface, &x, f, &point.into(), f64::INFINITY).map(|p| (f, p)));
        let (f, p) = all.min_by(|a, b| a.1.distance.total_cmp(&b.1.distance))?;
        let mut weights = vec![0.0; n];
        weights[facets[f][0]] += p.weights[0];
        weights[facets[f][1]] += p.weights[1];
        Some((p.gap, p.normal.into(), weights))
    }

    fn check(nodes: &[[f64; 2]], closed: bool, point: [f64; 2], gap: f64, normal: [f64; 2], weights: &[f64]) {
        let (g, n, w) = nearest(nodes, closed, point).expect("an antagonist");
        let error = (g - gap).abs() + (n[0] - normal[0]).abs() + (n[1] - normal[1]).abs();
        let error_w: f64 = w.iter().zip(weights).map(|(a, b)| (a - b).abs()).sum();
        // A few roundings of numbers of order one.
        assert!(error < 4e-15 && error_w < 4e-15 && w.len() == weights.len(), "{point:?}: {g}, {n:?}, {w:?}");
    }

    /// Unit square, solid inside.
    const SQUARE: [[f64; 2]; 4] = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    /// A notch (re-entrant vertex at the origin) opening upwards; solid below.
    const NOTCH: [[f64; 2]; 3] = [[1.0, 1.0], [0.0, 0.0], [-1.0, 1.0]];
    /// A floor of two equal pieces run from right to left, normal up.
    const FLOOR: [[f64; 2]; 3] = [[1.0, 0.0], [0.0, 0.0], [-1.0, 0.0]];

    #[test]
    fn inside_a_segment_the_normal_is_the_segments() {
        check(&SQUARE, true, [0.25, -0.1], 0.1, [0.0, -1.0], &[0.75, 0.25, 0.0, 0.0]);
        check(&SQUARE, true, [0.25, 0.1], -0.1, [0.0, -1.0], &[0.75, 0.25, 0.0, 0.0]);
        check(&SQUARE, true, [0.25, 0.0], 0.0, [0.0, -1.0], &[0.75, 0.25, 0.0, 0.0]);
        check(&SQUARE, true, [1.5, 0.75], 0.5, [1.0, 0.0], &[0.0, 0.25, 0.75, 0.0]);
    }

    #[test]
    fn in_the_wedge_of_a_convex_vertex_the_normal_comes_from_the_vertex() {
        check(&SQUARE, true, [1.3, -0.4], 0.5, [0.6, -0.8], &[0.0, 1.0, 0.0, 0.0]);
        check(&SQUARE, true, [1.0, -0.4], 0.4, [0.0, -1.0], &[0.0, 1.0, 0.0, 0.0]);
        check(&SQUARE, true, [1.3, 0.0], 0.3, [1.0, 0.0], &[0.0, 1.0, 0.0, 0.0]);
        check(&SQUARE, true, [1.0, 0.0], 0.0, [COS45, -COS45], &[0.0, 1.0, 0.0, 0.0]);
    }

    #[test]
    fn below_a_re_entrant_vertex_the_gap_is_minus_the_distance() {
        check(&NOTCH, false, [0.0, -0.5], -0.5, [0.0, 1.0], &[0.0, 1.0, 0.0]);
        check(&NOTCH, false, [0.06, -0.08], -0.1, [-0.6, 0.8], &[0.0, 1.0, 0.0]);
        check(&NOTCH, false, [0.0, 0.0], 0.0, [0.0, 1.0], &[0.0, 1.0, 0.0]);
        // Above it both sides are equally near; one of them answers, with its own normal.
        let (gap, normal, _) = nearest(&NOTCH, false, [0.0, 0.2]).unwrap();
        assert!((gap - 0.2 * COS45).abs() < 1e-15 && (normal[1] - COS45).abs() < 1e-15, "{gap} {normal:?}");
    }

    #[test]
    fn at_a_vertex_of_a_straight_chain_the_normal_is_the_segments() {
        for y in [0.3, 1e-9, 5e-324, 0.0, -1e-9, -0.3] {
            check(&FLOOR, false, [0.0, y], y, [0.0, 1.0], &[0.0, 1.0, 0.0]);
        }
        // Inclined, and with a node off the vertex by a rounding or two: still a gap of zero and a sensible normal.
        let slope = [[0.9, 0.3], [0.6, 0.2], [0.3, 0.1]];
        let n = [-0.1f64.sqrt(), 0.9f64.sqrt()];
        for point in [[0.6, 0.2], [0.6f64.next_up(), 0.2], [0.6, 0.2f64.next_down()], [0.3, 0.1], [0.9, 0.3]] {
            let (gap, normal, _) = nearest(&slope, false, point).expect("an antagonist");
            assert!(
                gap.abs() < 1e-15 && (normal[0] - n[0]).hypot(normal[1] - n[1]) < 1e-14,
                "{point:?}: {gap} {normal:?}"
            );
        }
    }

    #[test]
    fn an_open_end_reaches_a_little_past_itself() {
        check(&FLOOR, false, [1.0, 0.2], 0.2, [0.0, 1.0], &[1.0, 0.0, 0.0]);
        check(&FLOOR, false, [1.0, 0.0], 0.0, [0.0, 1.0], &[1.0, 0.0, 0.0]);
        check(&FLOOR, false, [1.0 + 0.99 * END_OVERHANG, -0.1], -0.1, [0.0, 1.0], &[1.0, 0.0, 0.0]);
        check(&FLOOR, false, [-1.0 - 0.99 * END_OVERHANG, 0.0], 0.0, [0.0, 1.0], &[0.0, 0.0, 1.0]);
        assert_eq!(nearest(&FLOOR, false, [1.0 + 1.01 * END_OVERHANG, 0.1]), None);
        assert_eq!(nearest(&FLOOR, false, [-1.0 - 1.01 * END_OVERHANG, 0.0]), None);
    }

    #[test]
    fn inside_the_solid_a_segment_reaches_a_little_past_a_blunt_corner() {
        // Two segments that turn by 45° at the origin, solid above; the point is under the second one, just past the first.
        let surface = FacetSurface::<2>::new(0, vec![[0, 1], [1, 2]]).unwrap();
        let x = [-1.0, 0.0, 0.0, 0.0, 1.0, 1.0];
        let past = |facet, p: [f64; 2]| Dimension::<2>::project_past_ridge(&surface, &x, facet, &p.into());
        let found = past(0, [0.03, 0.04]).expect("inside both, 3 % past");
        assert!((found.gap + 0.04).abs() < 1e-16 && (found.distance - 0.05).abs() < 1e-16, "{found:?}");
        assert_eq!((found.normal, found.weights), (Vector::<2>::new(0.0, -1.0), Few::from([0.0, 1.0])));
        assert!(
            Dimension::<2>::project(&surface, &x, 0, &Vector::<2>::new(0.03, 0.04), 1.0).is_none(),
            "left to the neighbour"
        );
        for (facet, p) in
            [(1, [0.03, 0.04]), (0, [0.06, 0.07]), (0, [0.03, 0.02]), (0, [0.03, -0.02]), (0, [-0.1, 0.1])]
        {
            assert_eq!(past(facet, p), None, "{facet} {p:?}");
        }
    }

    #[test]
    fn spikes_and_slits_have_a_sign() {
        // A spike of almost no thickness: beyond its tip is outside. The same points the other way round: a slit, inside.
        let spike = [[-1.0, 0.0], [0.0, 1e-9], [-1.0, 2e-9]];
        let slit = [spike[2], spike[1], spike[0]];
        let (gap, normal, _) = nearest(&spike, false, [0.3, 0.0]).unwrap();
        assert!((gap - 0.3).abs() < 1e-8 && (normal[0] - 1.0).abs() < 1e-8);
        let (gap, normal, _) = nearest(&slit, false, [0.3, 0.0]).unwrap();
        assert!((gap + 0.3).abs() < 1e-8 && (normal[0] + 1.0).abs() < 1e-8);
        let (gap, normal, _) = nearest(&spike, false, spike[1]).unwrap();
        assert!(gap.abs() < 1e-300 && (normal[0] - 1.0).abs() < 1e-8);
    }

    #[test]
    fn a_fold_of_no_thickness_is_a_spike() {
        // The normals add up to nothing; beyond the tip is outside, and nothing is divided by zero.
        let fold = [[-1.0, 0.0], [0.0, 0.0], [-1.0, 0.0]];
        check(&fold, false, [0.5, 0.0], 0.5, [1.0, 0.0], &[0.0, 1.0, 0.0]);
        check(&fold, false, [0.0, 0.0], 0.0, [1.0, 0.0], &[0.0, 1.0, 0.0]);
    }

    #[test]
    fn small_gaps_near_either_end_are_exact_to_rounding() {
        // With the end at the origin the point is known to 1e-16 of its distance from that end, and so must be the gap:
        // measured from the far end it would be wrong by 1e-16 of the segment, 1e-4 of this gap.
        let far = Vector::<2>::new(0.9, 0.3);
        let n = Vector::<2>::new(0.3, -0.9) / far.norm();
        for (corners, sign) in [([Vector::<2>::zeros(), far], 1.0), ([-far, Vector::<2>::zeros()], -1.0)] {
            let p = far * (sign * 1e-10) + n * 1e-12;
            let nodes = corners.map(|c| [c.x, c.y]);
            let (gap, ..) = nearest(&nodes, false, p.into()).unwrap();
            assert!((gap - 1e-12).abs() < 1e-24, "{gap}");
        }
    }

    #[test]
    fn both_facets_of_a_vertex_give_the_same_answer_to_the_last_bit() {
        let surface = FacetSurface::<2>::new(0, vec![[0, 1], [1, 2]]).unwrap();
        let x = [0.0, 0.1, 0.7, -0.2, 1.3, 0.9];
        let p = Vector::<2>::new(0.75, -0.31);
        let [first, second] = [0, 1].map(|f| Dimension::<2>::project(&surface, &x, f, &p, 1.0).unwrap());
        assert_eq!((first.gap, first.normal, first.distance), (second.gap, second.normal, second.distance));
        assert_eq!((first.weights, second.weights), (Few::from([0.0, 1.0]), Few::from([1.0, 0.0])));
    }

    #[test]
    fn a_segment_without_length_has_no_normal() {
        let a = Vector::<2>::new(1.0, 2.0);
        assert_eq!(Dimension::<2>::normal(&[a, a]), None);
        assert_eq!(Dimension::<2>::normal(&[Vector::<2>::zeros(), Vector::<2>::new(1e-170, 0.0)]), None);
        assert_eq!(Dimension::<2>::normal(&[a, a + Vector::<2>::new(2.0, 0.0)]), Some(Vector::<2>::new(0.0, -1.0)));
    }
}
