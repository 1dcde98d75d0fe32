//! Full balls of hexahedra (O-grid): a rounded cube in the middle joined to the sphere by layers on its six sides.
//!
//! ```text
//! core, p ∈ [−1, 1]³ on n × n × n cells:   x(p) = ρ [(1−β) p/√3 + β F(p)]
//!   F_i = p_i √(1 − p_j²/2 − p_k²/2 + p_j² p_k²/3)      cube to ball, its surface to the sphere
//! sphere, p on the surface of the cube:    S(p) = c/|c| ,  c_i = tan(π p_i/4)
//! layers: straight lines from x(p) to S(p), equally divided
//! ```
//!
//! The angles between grid lines on the sphere are equal (tan): along a great circle between two mid-sides the nodes are
//! equally spaced, and cells of the sphere differ by a factor of 1.4 in area. β as in the disk: 0 is a cube (flat angles
//! outside its edges), 1 a ball (flat angles inside them).

use std::collections::BTreeMap;
use std::f64::consts::FRAC_PI_4;

use delassus_math as math;

use super::{cells, finite, length, total};
use crate::{CellBlock, CellKind, Group, Mesh, MeshError};

/// How round the core is.
const BETA: f64 = 0.4;
/// Thickness of a layer over the size of a core cell.
const LAYER: f64 = 0.8;
/// The core never shrinks below this part of the radius, however many layers are asked for.
const SMALLEST_CORE: f64 = 0.2;

/// A full ball of `core`³ hexahedra in the middle and `layers` layers of 6 `core`² round them (both multiplied by
/// `refine`).
///
/// The mesh is symmetric about the three planes through the centre, and under exchange of the axes. Groups: `body`;
/// `boundary` (quadrilaterals); if `core` × `refine` is even the points `left`, `right` (lowest and highest x), `bottom`,
/// `top` (y), `front`, `back` (z) and `centre`. Core nodes come first, along x, then y, then z; then the layers outward, in
/// the order of the core nodes below them.
///
/// # Errors
/// [`MeshError::Parameter`]; [`MeshError::BadCell`] when the cells are below the rounding of `centre`.
pub fn ball(centre: [f64; 3], radius: f64, core: usize, layers: usize, refine: usize) -> Result<Mesh<3>, MeshError> {
    const SHAPE: &str = "ball";
    finite(SHAPE, "centre", centre)?;
    length(SHAPE, "radius", radius)?;
    let n = cells(SHAPE, "core", core, refine, 1)?;
    let layers = cells(SHAPE, "layers", layers, refine, 1)?;
    let squares = n.saturating_mul(n);
    total(SHAPE, squares.saturating_mul(n.saturating_add(layers.saturating_mul(6))))?;

    // From −1 to 1 with exactly opposite values: the mesh mirrors itself to the last bit.
    let along = |i: usize| (2.0 * i as f64 - n as f64) / n as f64;
    let node = |[i, j, k]: [usize; 3]| (k * (n + 1) + j) * (n + 1) + i;
    let scale = core_scale(n as f64, layers);

    let mut points = Vec::with_capacity((n + 1).pow(3) + (6 * n * n + 2) * layers);
    // Core nodes on the surface of the core, with their places on the sphere and their numbers among themselves.
    let mut surface: Vec<(usize, [f64; 3])> = Vec::with_capacity(6 * n * n + 2);
    let mut place: BTreeMap<usize, usize> = BTreeMap::new();
    for k in 0..=n {
        for j in 0..=n {
            for i in 0..=n {
                let p = [i, j, k].map(along);
                if [i, j, k].iter().any(|&l| l == 0 || l == n) {
                    place.insert(points.len(), surface.len());
                    surface.push((points.len(), on_sphere(p)));
                }
                points.push(in_core(p).map(|x| scale * x));
            }
        }
    }
    for layer in 1..=layers {
        let s = layer as f64 / layers as f64;
        for (inner, sphere) in &surface {
            let x = points[*inner];
            points.push(std::array::from_fn(|d| (1.0 - s) * x[d] + s * sphere[d]));
        }
    }
    for x in &mut points {
        *x = std::array::from_fn(|d| centre[d] + radius * x[d]);
    }

    let n_core = (n + 1).pow(3);
    let lifted = |layer: usize, core_node: usize| match place.get(&core_node) {
        Some(at) if layer > 0 => n_core + (layer - 1) * surface.len() + at,
        _ => core_node,
    };
    let mut bulk = Vec::with_capacity(8 * n * n * (n + 6 * layers));
    for (k, j, i) in triples(n) {
        let corners = [[0, 0], [1, 0], [1, 1], [0, 1]];
        for dk in 0..2 {
            bulk.extend(corners.map(|[di, dj]| node([i + di, j + dj, k + dk])));
        }
    }
    let faces = faces_of_core(n, node);
    for layer in 0..layers {
        for face in &faces {
            bulk.extend(face.map(|a| lifted(layer, a)));
            bulk.extend(face.map(|a| lifted(layer + 1, a)));
        }
    }
    let boundary = faces.iter().flatten().map(|&a| lifted(layers, a)).collect();

    let middle = n / 2;
    let poles = POLES.map(|at| lifted(layers, node(at.map(|l| [0, middle, n][l]))));
    finish(points, bulk, boundary, if n.is_multiple_of(2) { &poles } else { &[] })
}

/// Names of the points in the middle of each side and in the centre, if there is a node.
const POLE_NAMES: [&str; 7] = ["left", "right", "bottom", "top", "front", "back", "centre"];
/// Where they are: 0 lowest, 1 middle, 2 highest along each axis.
const POLES: [[usize; 3]; 7] = [[0, 1, 1], [2, 1, 1], [1, 0, 1], [1, 2, 1], [1, 1, 0], [1, 1, 2], [1, 1, 1]];

/// The mesh of its points and cells, with groups.
fn finish(
    points: Vec<[f64; 3]>,
    bulk: Vec<usize>,
    boundary: Vec<usize>,
    poles: &[usize],
) -> Result<Mesh<3>, MeshError> {
    let (n_bulk, n_facets) = (bulk.len() / 8, boundary.len() / 4);
    let mut blocks = vec![
        CellBlock { kind: CellKind::Hexahedron8, nodes: bulk },
        CellBlock { kind: CellKind::Quad4, nodes: boundary },
    ];
    let group = |name: &str, tag, dim, cells: Vec<usize>| Group { name: name.to_owned(), tag, dim, cells };
    let mut groups = vec![
        group("body", 1, 3, (0..n_bulk).collect()),
        group("boundary", 2, 2, (n_bulk..n_bulk + n_facets).collect()),
    ];
    for ((tag, cell), (name, _)) in (3..).zip(n_bulk + n_facets..).zip(POLE_NAMES.iter().zip(poles)) {
        groups.push(group(name, tag, 0, vec![cell]));
    }
    if !poles.is_empty() {
        blocks.push(CellBlock { kind: CellKind::Point, nodes: poles.to_vec() });
    }
    let mesh = Mesh { points, blocks, groups };
    mesh.check_indices()?;
    mesh.check_cells()?;
    Ok(mesh)
}

fn triples(n: usize) -> impl Iterator<Item = (usize, usize, usize)> {
    (0..n).flat_map(move |k| (0..n).flat_map(move |j| (0..n).map(move |i| (k, j, i))))
}

/// The quadrilaterals on the surface of the core, outward, by sides.
fn faces_of_core(n: usize, node: impl Fn([usize; 3]) -> usize) -> Vec<[usize; 4]> {
    let mut faces = Vec::with_capacity(6 * n * n);
    for axis in 0..3 {
        for high in [false, true] {
            for a in 0..n {
                for b in 0..n {
                    let mut face = [[0, 0], [1, 0], [1, 1], [0, 1]].map(|[da, db]| {
                        let mut at = [if high { n } else { 0 }; 3];
                        at[(axis + 1) % 3] = a + da;
                        at[(axis + 2) % 3] = b + db;
                        node(at)
                    });
                    if !high {
                        face.reverse();
                    }
                    faces.push(face);
                }
            }
        }
    }
    faces
}

/// Size of the core of n cells a side for a ball of radius 1, such that layers are in proportion to its cells.
fn core_scale(n: f64, layers: usize) -> f64 {
    // Half the side of the core between two mid-sides, by β between the cube and the ball.
    let half_side = (1.0 - BETA) / 3.0_f64.sqrt() + BETA;
    (1.0 / (1.0 + LAYER * 2.0 * half_side / n * layers as f64)).max(SMALLEST_CORE)
}

/// The same for n cells along half a side, from the centre.
pub(super) fn octant_scale(n: usize, layers: usize) -> f64 {
    core_scale(2.0 * n as f64, layers)
}

/// Place in the core of a ball of radius 1, before it is scaled.
pub(super) fn in_core(p: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| {
        let (a, b) = (p[(i + 1) % 3] * p[(i + 1) % 3], p[(i + 2) % 3] * p[(i + 2) % 3]);
        let round = p[i] * (1.0 - 0.5 * (a + b) + a * b / 3.0).sqrt();
        (1.0 - BETA) * p[i] / 3.0_f64.sqrt() + BETA * round
    })
}

/// Place on the sphere of radius 1 of a point on the surface of the cube.
pub(super) fn on_sphere(p: [f64; 3]) -> [f64; 3] {
    let c = p.map(|x| math::tan(FRAC_PI_4 * x));
    let size = c.iter().map(|x| x * x).sum::<f64>().sqrt();
    c.map(|x| x / size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Smallest Jacobian at any corner of any cell over the product of the edge lengths there, and the ratio of the
    /// largest to the smallest cell.
    fn quality(mesh: &Mesh<3>) -> (f64, f64) {
        let mut worst = f64::INFINITY;
        for (_, kind, nodes) in mesh.bulk_cells() {
            for corner in kind.corners() {
                let x = |i: usize| mesh.points[nodes[corner[i]]];
                let edge = |i: usize| -> [f64; 3] { std::array::from_fn(|d| x(i)[d] - x(0)[d]) };
                let [a, b, c] = [edge(1), edge(2), edge(3)];
                let det = a[0] * (b[1] * c[2] - b[2] * c[1])
                    + a[1] * (b[2] * c[0] - b[0] * c[2])
                    + a[2] * (b[0] * c[1] - b[1] * c[0]);
                let norm = |v: [f64; 3]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
                worst = worst.min(det / (norm(a) * norm(b) * norm(c)));
            }
        }
        let sizes: Vec<f64> = mesh.bulk_cells().map(|(cell, ..)| mesh.cell_measure(cell)).collect();
        let (low, high) = sizes.iter().fold((f64::INFINITY, 0.0_f64), |(l, h), &s| (l.min(s), h.max(s)));
        (worst, high / low)
    }

    #[test]
    fn volume_converges_to_that_of_the_ball() {
        let exact = 4.0 / 3.0 * std::f64::consts::PI * 8.0;
        let errors = [2, 4, 8].map(|n| 1.0 - ball([0.0; 3], 2.0, n, n, 1).unwrap().total_measure() / exact);
        assert!(errors.iter().all(|e| *e > 0.0), "inscribed: {errors:?}");
        let rate = (errors[1] / errors[2]).log2();
        assert!((rate - 2.0).abs() < 0.1, "second order: {errors:?}");
        // A chord square of side θ lies θ²/6 inside the unit sphere on average; the mean of θ² is 4π/6n².
        let expected = std::f64::consts::PI / (3.0 * 64.0);
        assert!((errors[2] / expected - 1.0).abs() < 0.05, "{errors:?}, {expected}: cells differ in size");
    }

    #[test]
    fn named_points_are_where_they_are_called() {
        let (centre, radius) = ([1.0, -2.0, 0.5], 3.0);
        let mesh = ball(centre, radius, 2, 1, 2).unwrap();
        for (name, at) in [
            ("left", [-1.0, 0.0, 0.0]),
            ("right", [1.0, 0.0, 0.0]),
            ("bottom", [0.0, -1.0, 0.0]),
            ("top", [0.0, 1.0, 0.0]),
            ("front", [0.0, 0.0, -1.0]),
            ("back", [0.0, 0.0, 1.0]),
            ("centre", [0.0; 3]),
        ] {
            let nodes = mesh.group_nodes(mesh.group(name).unwrap());
            assert_eq!(nodes.len(), 1);
            let x = mesh.points[nodes[0]];
            assert!((0..3).all(|d| (x[d] - centre[d] - radius * at[d]).abs() < 1e-15), "{name}: {x:?}");
        }
        assert!(ball(centre, radius, 3, 1, 1).unwrap().group("top").is_err());
    }

    #[test]
    fn bad_parameters_are_named() {
        for (result, words) in [
            (ball([f64::NAN; 3], 1.0, 2, 1, 1), "ball: centre"),
            (ball([0.0; 3], 0.0, 2, 1, 1), "radius = 0.0"),
            (ball([0.0; 3], 1.0, 0, 1, 1), "core = 0"),
            (ball([0.0; 3], 1.0, 2, 0, 1), "layers = 0"),
            (ball([0.0; 3], 1.0, 1000, 1, 1), "number of cells"),
        ] {
            let text = result.unwrap_err().to_string();
            assert!(text.contains(words), "{text}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn any_ball(n in 1..9_usize, layers in 1..7_usize) {
            let (centre, radius) = ([3.0, -2.0, 1.0], 2.5);
            let mesh = ball(centre, radius, n, layers, 1).unwrap();
            mesh.validate().unwrap();
            prop_assert_eq!(mesh.n_points(), (n + 1).pow(3) + (6 * n * n + 2) * layers);
            prop_assert_eq!(mesh.bulk_cells().count(), n * n * (n + 6 * layers));
            let facets = mesh.group_facets("boundary").unwrap();
            prop_assert_eq!(facets.len(), 6 * n * n);
            prop_assert_eq!(mesh.boundary().len(), facets.len());
            for facet in &facets {
                let (normal, x) = (mesh.facet_normal(facet), mesh.facet_centre(facet));
                prop_assert!((0..3).map(|d| normal[d] * (x[d] - centre[d])).sum::<f64>() > 0.5 * radius);
            }
            for node in mesh.group_nodes(mesh.group("boundary").unwrap()) {
                let x = mesh.points[node];
                let distance = (0..3).map(|d| (x[d] - centre[d]).powi(2)).sum::<f64>().sqrt();
                // rounding of coordinates up to 6
                prop_assert!((distance - radius).abs() < 4e-15);
            }
            let (worst, ratio) = quality(&mesh);
            prop_assert!(worst > 0.3, "scaled Jacobian {}", worst);
            prop_assert!(ratio < 40.0, "cell sizes {}", ratio);
        }
    }

    #[test]
    fn cells_of_a_usual_ball_are_good() {
        let (worst, ratio) = quality(&ball([0.0; 3], 1.0, 6, 4, 1).unwrap());
        assert!(worst > 0.7 && ratio < 6.5, "scaled Jacobian {worst}, sizes {ratio}");
    }
}
