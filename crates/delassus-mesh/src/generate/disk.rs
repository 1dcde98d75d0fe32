//! Full disks of quadrilaterals (O-grid): a core of m × n cells joined to the circle by layers.
//!
//! ```text
//! N = 2(m + n) boundary nodes, δ = 2π/N apart; the sides of the core end at ±α = ±mδ/2 about the
//! vertical axis and ±α′ = ±nδ/2 about the horizontal one (α + α′ = 90°), s, t ∈ [−1, 1]:
//!   side point  = (1−β)·chord + β·arc
//!   bottom, top   X_b(s) = (1−β) s sin α + β sin(αs),     Y_b(s) = (1−β) cos α + β cos(αs)
//!   right, left   X_r(t) = (1−β) sin α + β cos(α′t),      Y_r(t) = (1−β) t cos α + β sin(α′t)
//! core (Coons patch of its sides, scaled by ρ):
//!   x(s,t) = X_b(s) + s (X_r(t) − sin α),   y(s,t) = Y_r(t) + t (Y_b(s) − cos α)
//! layers: straight lines from the side points to the nodes on the circle, equally divided.
//! ```
//! β = 0 is a rectangle (right angles in the core, flat ones outside its corners), β = 1 a circle (flat
//! angles at the core's corners); β = 0.4 shares the three angles round a corner about evenly: the
//! smallest sine of any cell angle is 0.80 for 12 × 24 with 4 layers, and above 0.6 for all m, n ≤ 60.

use std::f64::consts::PI;

use delassus_math as math;

use super::{GeneratedParts, cells, finite, length, on_circle, total};
use crate::{CellKind, Mesh, MeshError};

/// How round the core is.
const BETA: f64 = 0.4;
/// Thickness of a layer over the mean size of a core cell.
const LAYER: f64 = 0.8;
/// The core never shrinks below this part of the radius, however many layers are asked for.
const SMALLEST_CORE: f64 = 0.2;

/// A full disk with `core` = \[m, n\] cells in the middle and `rings` layers round it (all multiplied by
/// `refine`): (m+1)(n+1) + 2(m+n)·rings nodes, of which 2(m+n) lie on the circle at equal angles.
///
/// The mesh is symmetric about both axes through the centre. Groups: `body`; `boundary` (segments);
/// `bottom`, `top` (if m is even), `left`, `right` (if n is even), `centre` (if both are): points.
/// Core nodes come first, in rows from the lower left, then the layers outward, each counter-clockwise
/// from the lower right corner of the core.
///
/// # Errors
/// [`MeshError::Parameter`]; [`MeshError::BadCell`] when the cells are below the rounding of `centre`.
pub fn disk(
    centre: [f64; 2],
    radius: f64,
    core: [usize; 2],
    rings: usize,
    refine: usize,
) -> Result<Mesh<2>, MeshError> {
    const SHAPE: &str = "disk";
    finite(SHAPE, "centre", centre)?;
    length(SHAPE, "radius", radius)?;
    let m = cells(SHAPE, "core[0]", core[0], refine, 1)?;
    let n = cells(SHAPE, "core[1]", core[1], refine, 1)?;
    let rings = cells(SHAPE, "rings", rings, refine, 1)?;
    let around = 2 * (m + n);
    total(SHAPE, m.saturating_mul(n).saturating_add(around.saturating_mul(rings)))?;

    let core_node = |i: usize, j: usize| j * (m + 1) + i;
    let perimeter: Vec<usize> = (0..n)
        .map(|j| core_node(m, j))
        .chain((0..m).map(|i| core_node(m - i, n)))
        .chain((0..n).map(|j| core_node(0, n - j)))
        .chain((0..m).map(|i| core_node(i, 0)))
        .collect();
    let n_core = (m + 1) * (n + 1);
    // Node k of layer r; layer 0 is the outline of the core.
    let node = |r: usize, k: usize| match r {
        0 => perimeter[k % around],
        _ => n_core + (r - 1) * around + k % around,
    };

    let mut points = core_points(m, n, rings, &perimeter);
    for r in 1..=rings {
        let s = r as f64 / rings as f64;
        for (k, &inner) in perimeter.iter().enumerate() {
            // Node 0 is mδ/2 past the lowest point: −90° + 360°(m/2 + k)/N, in quarters of δ.
            let [cos, sin] = on_circle(3 * around + 2 * m + 4 * k, around);
            let [x, y] = points[inner];
            points.push([(1.0 - s) * x + s * cos, (1.0 - s) * y + s * sin]);
        }
    }
    for [x, y] in &mut points {
        (*x, *y) = (centre[0] + radius * *x, centre[1] + radius * *y);
    }

    let mut bulk = Vec::with_capacity(4 * (m * n + around * rings));
    for (i, j) in (0..n).flat_map(|j| (0..m).map(move |i| (i, j))) {
        let [lower, upper] = [core_node(i, j), core_node(i, j + 1)];
        bulk.extend([lower, lower + 1, upper + 1, upper]);
    }
    for (r, k) in (0..rings).flat_map(|r| (0..around).map(move |k| (r, k))) {
        bulk.extend([node(r, k), node(r + 1, k), node(r + 1, k + 1), node(r, k + 1)]);
    }
    GeneratedParts {
        points,
        kind: CellKind::Quad4,
        cells: bulk,
        segments: (0..around).map(|k| [node(rings, k), node(rings, k + 1)]).collect(),
        curves: vec![("boundary", 0..around)],
        vertices: named_points(m, n, |k| node(rings, k)),
    }
    .finish()
}

/// The lowest, highest, leftmost, rightmost and middle nodes that exist; `outer` numbers the circle.
fn named_points(m: usize, n: usize, outer: impl Fn(usize) -> usize) -> Vec<(&'static str, usize)> {
    let (even_m, even_n) = (m.is_multiple_of(2), n.is_multiple_of(2));
    let mut named = Vec::new();
    if even_m {
        named.push(("bottom", outer(2 * n + m + m / 2)));
        named.push(("top", outer(n + m / 2)));
    }
    if even_n {
        named.push(("left", outer(n + m + n / 2)));
        named.push(("right", outer(n / 2)));
    }
    if even_m && even_n {
        named.push(("centre", (n / 2) * (m + 1) + m / 2));
    }
    named
}

/// Points of the core for a disk of radius 1 about the origin, scaled so that the layers fit round it.
fn core_points(m: usize, n: usize, rings: usize, perimeter: &[usize]) -> Vec<[f64; 2]> {
    // From −1 to 1 with exactly opposite values: the mesh mirrors itself to the last bit.
    let along = |i: usize, n: usize| (2.0 * i as f64 - n as f64) / n as f64;
    let alpha = 0.5 * PI * m as f64 / (m + n) as f64;
    let alpha_right = 0.5 * PI * n as f64 / (m + n) as f64;
    let [x_corner, y_corner] = [math::sin(alpha), math::sin(alpha_right)];
    let blend = |chord: f64, arc: f64| (1.0 - BETA) * chord + BETA * arc;
    let mut points = Vec::with_capacity((m + 1) * (n + 1));
    for j in 0..=n {
        let t = along(j, n);
        let x_right = blend(x_corner, math::cos(alpha_right * t));
        let y_right = blend(y_corner * t, math::sin(alpha_right * t));
        for i in 0..=m {
            let s = along(i, m);
            let x_bottom = blend(x_corner * s, math::sin(alpha * s));
            let y_bottom = blend(y_corner, math::cos(alpha * s));
            points.push([x_bottom + s * (x_right - x_corner), y_right + t * (y_bottom - y_corner)]);
        }
    }
    let next = perimeter.iter().cycle().skip(1);
    let area: f64 = perimeter
        .iter()
        .zip(next)
        .map(|(&a, &b)| 0.5 * (points[a][0] * points[b][1] - points[a][1] * points[b][0]))
        .sum();
    let cell = (area / (m * n) as f64).sqrt();
    let scale = (1.0 / (1.0 + LAYER * cell * rings as f64)).max(SMALLEST_CORE);
    for x in points.iter_mut().flatten() {
        *x *= scale;
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn point(mesh: &Mesh<2>, name: &str) -> [f64; 2] {
        mesh.points[mesh.group_nodes(mesh.group(name).unwrap())[0]]
    }

    /// Smallest sine of the angle at any corner of any cell.
    fn smallest_sine(mesh: &Mesh<2>) -> f64 {
        let mut smallest = f64::INFINITY;
        for (_, kind, nodes) in mesh.bulk_cells() {
            for corner in kind.corners() {
                let [o, a, b] = [0, 1, 2].map(|i| mesh.points[nodes[corner[i]]]);
                let (u, v) = ([a[0] - o[0], a[1] - o[1]], [b[0] - o[0], b[1] - o[1]]);
                let sine = (u[0] * v[1] - u[1] * v[0]) / (u[0].hypot(u[1]) * v[0].hypot(v[1]));
                smallest = smallest.min(sine);
            }
        }
        smallest
    }

    /// The mesh size of the cylinder of Vola, Pratt, Jean & Raous 1998, §6.2.
    #[test]
    fn the_cylinder_of_vola_1998() {
        let mesh = disk([0.0, 0.0], 1.0, [12, 24], 4, 1).unwrap();
        mesh.validate().unwrap();
        assert_eq!((mesh.n_points(), mesh.bulk_cells().count()), (613, 576));
        let boundary = mesh.group_facets("boundary").unwrap();
        assert_eq!((boundary.len(), mesh.boundary().len()), (72, 72));
        for facet in &boundary {
            let angle = |i: usize| mesh.points[facet.nodes[i]][1].atan2(mesh.points[facet.nodes[i]][0]);
            let step = (angle(1) - angle(0)).rem_euclid(std::f64::consts::TAU);
            assert!((step.to_degrees() - 5.0).abs() < 1e-12, "{step}");
        }
        for (name, at) in [
            ("bottom", [0.0, -1.0]),
            ("top", [0.0, 1.0]),
            ("left", [-1.0, 0.0]),
            ("right", [1.0, 0.0]),
            ("centre", [0.0, 0.0]),
        ] {
            let found = point(&mesh, name);
            assert!((0..2).all(|d| (found[d] - at[d]).abs() < 1e-15), "{name}: {found:?}");
        }
        let sine = smallest_sine(&mesh);
        assert!(sine > 0.79, "{sine}");
        let sizes: Vec<f64> = (0..576).map(|i| mesh.cell_measure(i)).collect();
        let ratio = sizes.iter().copied().fold(0.0, f64::max) / sizes.iter().copied().fold(1.0, f64::min);
        assert!(ratio < 3.5, "largest over smallest cell {ratio}");
    }

    proptest! {
        #[test]
        fn any_disk(m in 1..20_usize, n in 1..20_usize, rings in 1..8_usize, refine in 1..3_usize) {
            let (centre, radius) = ([3.0, -2.0], 2.5);
            let mesh = disk(centre, radius, [m, n], rings, refine).unwrap();
            mesh.validate().unwrap();
            let (m, n, rings) = (m * refine, n * refine, rings * refine);
            let around = 2 * (m + n);
            prop_assert_eq!(mesh.n_points(), (m + 1) * (n + 1) + around * rings);
            prop_assert_eq!(mesh.bulk_cells().count(), m * n + around * rings);
            prop_assert!(smallest_sine(&mesh) > 0.6);
            // Regular polygon of `around` sides.
            let area = 0.5 * around as f64 * (std::f64::consts::TAU / around as f64).sin() * radius * radius;
            prop_assert!((mesh.total_measure() / area - 1.0).abs() < 1e-12);
            for node in mesh.group_nodes(mesh.group("boundary").unwrap()) {
                let [x, y] = mesh.points[node];
                prop_assert!(((x - centre[0]).hypot(y - centre[1]) - radius).abs() < 2e-15);
            }
            for (name, there) in [("bottom", m % 2 == 0), ("left", n % 2 == 0), ("centre", m % 2 + n % 2 == 0)] {
                prop_assert_eq!(mesh.group(name).is_ok(), there);
            }
            // Both mirror images of every point are points of the mesh.
            let mut sorted: Vec<[f64; 2]> = mesh.points.clone();
            sorted.sort_by(|a, b| a[0].total_cmp(&b[0]));
            for [x, y] in &mesh.points {
                for [u, v] in [[2.0 * centre[0] - x, *y], [*x, 2.0 * centre[1] - y]] {
                    let from = sorted.partition_point(|p| p[0] < u - 1e-12);
                    let found = sorted[from..].iter().take_while(|p| p[0] <= u + 1e-12)
                        .any(|p| (p[1] - v).abs() < 1e-12);
                    prop_assert!(found, "no mirror image of ({}, {})", x, y);
                }
            }
        }
    }
}
