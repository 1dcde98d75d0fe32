//! A quarter of a ball, of hexahedra, graded towards its lowest point: for a ball that is pressed on something there, by symmetry.
//!
//! ```text
//!        y                    centre at the origin, radius 1; x ≥ 0, z ≥ 0 (two planes of symmetry)
//!        |`-.
//!        |   \   upper        upper half: an octant of the full ball (`ball.rs`), n × n × n/2 cells in its core
//!   -----+----|--- x          on the equator both halves have the same nodes
//!        |   /   lower        lower half: a fine block of n³ cells at the pole, s wide along the arc and s deep, joined to the
//!        |,-'                 equator by layers that grow
//!      sole
//!
//! block   D(i,j) (1 − s k/n) ,   D ∥ (tan(s i/n), −1, tan(s j/n))
//! layers  from its faces to the equator's disk, A to T:   (1−t) A + t T + (1 − k/n) [arc(D, S; t) − (1−t) D − t S]
//!         S the place on the equator's circle below which T is: at k = 0 the path is an arc on the sphere
//!         t_l = (q^l − 1)/(q^L − 1) ,  q such that the first layer is as thick as a cell of the block
//! ```

use std::collections::BTreeMap;

use delassus_math as math;

use super::ball::{in_core, octant_scale, on_sphere};
use super::{cells, finite, length, parameter, total};
use crate::{CellBlock, CellKind, Group, Mesh, MeshError};

/// Mean length of the lines from the fine block to the equator, over the radius.
const PATH: f64 = 1.2;
/// The fine block may be this wide, over the radius: wider ones leave no room for layers.
const WIDEST: f64 = 0.5;

/// A quarter of a ball: `cells`³ hexahedra in a fine block `patch` wide (along the arc) and deep at its lowest point, `layers` from
/// there to the equator (both multiplied by `refine`), and a coarse upper half.
///
/// The quarter is that of x and z above those of the centre. Groups: `body`; `boundary` and its parts `sphere` (all of the round
/// side), `sole` (the round side of the fine block), `left` (x of the centre) and `front` (z of the centre); the points `bottom`,
/// `top` and `centre`.
///
/// # Errors
/// [`MeshError::Parameter`]; [`MeshError::BadCell`] when the cells are below the rounding of `centre`.
pub fn quarter_ball(
    centre: [f64; 3],
    radius: f64,
    patch: f64,
    cells_along: usize,
    layers: usize,
    refine: usize,
) -> Result<Mesh<3>, MeshError> {
    const SHAPE: &str = "quarter ball";
    finite(SHAPE, "centre", centre)?;
    length(SHAPE, "radius", radius)?;
    length(SHAPE, "patch", patch)?;
    let width = patch / radius;
    if width > WIDEST {
        return parameter(SHAPE, "patch", patch, "at most half the radius");
    }
    let n = cells(SHAPE, "cells", cells_along, refine, 1)?;
    let layers = cells(SHAPE, "layers", layers, refine, 1)?;
    let squares = n.saturating_mul(n);
    total(SHAPE, squares.saturating_mul(n.saturating_mul(4).saturating_add(layers.saturating_mul(3))))?;

    let mut grid = BallNodes::new(n, layers, width);
    let mut bulk = Vec::new();
    hexahedra([n, n], layers, |at, layer| grid.lower(at, layer), &mut bulk);
    hexahedra([n, grid.upper_cells], n, |at, layer| grid.upper(at, layer), &mut bulk);
    let points = grid.points.iter().map(|x| std::array::from_fn(|d| centre[d] + radius * x[d])).collect();
    let mut mesh =
        Mesh { points, blocks: vec![CellBlock { kind: CellKind::Hexahedron8, nodes: bulk }], groups: vec![] };
    mesh.check_indices()?;
    mesh.orient_cells()?;
    mesh.check_cells()?;
    name_parts(&mut mesh, &grid);
    Ok(mesh)
}

/// Cells of a block of n × n × c whose faces at the highest indices are lifted by layers; `node` numbers (place in the block, layer).
fn hexahedra(
    [n, c]: [usize; 2],
    layers: usize,
    mut node: impl FnMut([usize; 3], usize) -> usize,
    out: &mut Vec<usize>,
) {
    const SQUARE: [[usize; 2]; 4] = [[0, 0], [1, 0], [1, 1], [0, 1]];
    for (k, j, i) in (0..c).flat_map(|k| (0..n).flat_map(move |j| (0..n).map(move |i| (k, j, i)))) {
        for dk in 0..2 {
            out.extend(SQUARE.map(|[di, dj]| node([i + di, j + dj, k + dk], 0)));
        }
    }
    for face in 0..3 {
        let rows = if face == 2 { n } else { c };
        let place = |[a, b]: [usize; 2]| match face {
            0 => [n, a, b],
            1 => [a, n, b],
            _ => [a, b, c],
        };
        for (b, a) in (0..rows).flat_map(|b| (0..n).map(move |a| (b, a))) {
            for layer in 0..layers {
                for lift in 0..2 {
                    out.extend(SQUARE.map(|[da, db]| node(place([a + da, b + db]), layer + lift)));
                }
            }
        }
    }
}

/// Nodes of both halves, each once, in a ball of radius 1 about the origin.
struct BallNodes {
    n: usize,
    layers: usize,
    upper_cells: usize,
    width: f64,
    /// Growth q of the layers.
    growth: f64,
    /// Size of the upper half's core.
    scale: f64,
    /// Numbers of the nodes by half, place in its block and layer.
    numbers: BTreeMap<(bool, [usize; 3], usize), usize>,
    points: Vec<[f64; 3]>,
}

impl BallNodes {
    fn new(n: usize, layers: usize, width: f64) -> Self {
        let growth = growth(layers, width / n as f64 / PATH);
        let scale = octant_scale(n, n);
        Self {
            n,
            layers,
            upper_cells: n.div_ceil(2),
            width,
            growth,
            scale,
            numbers: BTreeMap::new(),
            points: Vec::new(),
        }
    }

    fn number(&mut self, key: (bool, [usize; 3], usize), place: impl FnOnce(&Self) -> [f64; 3]) -> usize {
        if let Some(&known) = self.numbers.get(&key) {
            return known;
        }
        let x = place(self);
        self.points.push(x);
        self.numbers.insert(key, self.points.len() - 1);
        self.points.len() - 1
    }

    /// A node of the lower half: place in the fine block, layer above its faces.
    fn lower(&mut self, at: [usize; 3], layer: usize) -> usize {
        self.number((false, at, layer), |g| g.lower_place(at, layer))
    }

    /// A node of the upper half: place in its core, layer above its faces.
    fn upper(&mut self, at: [usize; 3], layer: usize) -> usize {
        let [i, j, k] = at;
        if k == 0 {
            // On the equator's disk: its middle is above the fine block, its rings above the block's sides, the outermost one lowest.
            return self.lower([i, j, self.n - layer], self.layers);
        }
        let place = |g: &Self| {
            let p = [i as f64 / g.n as f64, k as f64 / g.upper_cells as f64, j as f64 / g.n as f64];
            mix(in_core(p).map(|x| g.scale * x), on_sphere(p), layer as f64 / g.n as f64)
        };
        self.number((true, at, layer), place)
    }

    fn lower_place(&self, [i, j, k]: [usize; 3], layer: usize) -> [f64; 3] {
        let part = |l: usize| l as f64 / self.n as f64;
        let direction = normalized([math::tan(self.width * part(i)), -1.0, math::tan(self.width * part(j))]);
        let inner = direction.map(|x| x * (1.0 - self.width * part(k)));
        if layer == 0 {
            return inner;
        }
        let flat = [part(i), 0.0, part(j)];
        let (middle, rim) = (in_core(flat).map(|x| self.scale * x), if i + j > 0 { on_sphere(flat) } else { [0.0; 3] });
        let outward = 1.0 - part(k);
        let t = if self.growth > 1.0 {
            (math::powf(self.growth, layer as f64) - 1.0) / (math::powf(self.growth, self.layers as f64) - 1.0)
        } else {
            layer as f64 / self.layers as f64
        };
        let line = mix(inner, mix(middle, rim, outward), t);
        if k == self.n {
            return line;
        }
        let (arc, chord) = (along_arc(direction, rim, t), mix(direction, rim, t));
        // At k = 0 the line is the chord: this is the arc itself, to the last bits.
        std::array::from_fn(|d| line[d] + outward * (arc[d] - chord[d]))
    }
}

/// q with (q − 1)/(q^L − 1) = first, by bisection; 1 when equal layers are no thicker than that.
fn growth(layers: usize, first: f64) -> f64 {
    if layers as f64 * first >= 1.0 || layers == 1 {
        return 1.0;
    }
    let share = |q: f64| (q - 1.0) / (math::powf(q, layers as f64) - 1.0);
    // q = 1/first makes the first layer thinner than asked for.
    let (mut low, mut high) = (1.0, 1.0 / first);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if share(middle) > first {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

fn mix(a: [f64; 3], b: [f64; 3], t: f64) -> [f64; 3] {
    std::array::from_fn(|d| (1.0 - t) * a[d] + t * b[d])
}

fn normalized(v: [f64; 3]) -> [f64; 3] {
    let size = v.iter().map(|x| x * x).sum::<f64>().sqrt();
    v.map(|x| x / size)
}

/// The point at a part t of the great circle from a to b.
fn along_arc(a: [f64; 3], b: [f64; 3], t: f64) -> [f64; 3] {
    let cos = (0..3).map(|d| a[d] * b[d]).sum::<f64>();
    // From a to b over the direction in their plane that is perpendicular to a.
    let across = normalized(std::array::from_fn(|d| b[d] - cos * a[d]));
    let (sin, cos) = math::sin_cos(t * math::acos(cos));
    std::array::from_fn(|d| cos * a[d] + sin * across[d])
}

/// Parts of the boundary, and their names.
const PARTS: [&str; 5] = ["boundary", "sphere", "sole", "left", "front"];
const BOUNDARY: usize = 0;
const SPHERE: usize = 1;
const SOLE: usize = 2;
const LEFT: usize = 3;
const FRONT: usize = 4;

/// Adds the boundary facets and the named groups.
fn name_parts(mesh: &mut Mesh<3>, grid: &BallNodes) {
    let n_bulk = mesh.n_cells();
    let facets = mesh.boundary();
    let on = |axis: usize, nodes: &[usize]| nodes.iter().all(|&i| grid.points[i][axis].abs() <= 0.0);
    // Lowest nodes of the fine block.
    let lowest = grid.numbers.iter().filter(|((upper, at, layer), _)| !upper && at[2] == 0 && *layer == 0);
    let mut sole: Vec<usize> = lowest.map(|(_, &node)| node).collect();
    sole.sort_unstable();
    let mut parts: [Vec<usize>; 5] = Default::default();
    for (cell, facet) in (n_bulk..).zip(&facets) {
        parts[BOUNDARY].push(cell);
        let place = if on(0, &facet.nodes) {
            LEFT
        } else if on(2, &facet.nodes) {
            FRONT
        } else {
            SPHERE
        };
        parts[place].push(cell);
        if facet.nodes.iter().all(|i| sole.binary_search(i).is_ok()) {
            parts[SOLE].push(cell);
        }
    }
    let find = |key| grid.numbers.get(&key).copied();
    let n = grid.n;
    let points = [
        ("bottom", find((false, [0, 0, 0], 0))),
        ("top", find((true, [0, 0, grid.upper_cells], n))),
        ("centre", find((false, [0, 0, n], grid.layers))),
    ];
    let first_point = n_bulk + facets.len();
    let group = |name: &str, tag, dim, cells| Group { name: name.to_owned(), tag, dim, cells };
    mesh.groups.push(group("body", 1, 3, (0..n_bulk).collect()));
    for ((tag, name), cells) in (2..).zip(PARTS).zip(parts) {
        mesh.groups.push(group(name, tag, 2, cells));
    }
    let mut nodes = Vec::new();
    for (name, node) in points {
        if let Some(node) = node {
            let cell = first_point + nodes.len();
            mesh.groups.push(group(name, 7 + nodes.len() as i32, 0, vec![cell]));
            nodes.push(node);
        }
    }
    mesh.blocks.push(CellBlock { kind: CellKind::Quad4, nodes: facets.into_iter().flat_map(|f| f.nodes).collect() });
    mesh.blocks.push(CellBlock { kind: CellKind::Point, nodes });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    fn usual(refine: usize) -> Mesh<3> {
        quarter_ball([1.0, -2.0, 0.5], 3.0, 0.2, 4, 6, refine).unwrap()
    }

    #[test]
    fn volume_and_areas_converge_to_those_of_a_quarter_ball() {
        let exact = [PI / 3.0 * 27.0, PI * 9.0, 0.5 * PI * 9.0, 0.5 * PI * 9.0];
        let errors = [1, 2, 4].map(|refine| {
            let mesh = usual(refine);
            mesh.validate().unwrap();
            let area = |name| mesh.group_facets(name).unwrap().iter().map(|f| mesh.facet_measure(f)).sum::<f64>();
            let found = [mesh.total_measure(), area("sphere"), area("left"), area("front")];
            std::array::from_fn::<f64, 4, _>(|i| 1.0 - found[i] / exact[i])
        });
        for i in 0..4 {
            let e = errors.map(|e| e[i]);
            assert!(e.iter().all(|e| *e > 0.0), "inscribed: {e:?}");
            let rate = (e[1] / e[2]).log2();
            // The growth of the layers changes with their number, so that halving is not quite halving.
            assert!((rate - 2.0).abs() < 0.25, "second order, part {i}: {e:?}");
        }
    }

    #[test]
    fn parts_are_where_they_are_called() {
        let (mesh, centre) = (usual(2), [1.0, -2.0, 0.5]);
        let from_centre = |node: usize| -> [f64; 3] { std::array::from_fn(|d| mesh.points[node][d] - centre[d]) };
        let nodes = |name| mesh.group_nodes(mesh.group(name).unwrap());
        for node in nodes("sphere") {
            let distance = from_centre(node).iter().map(|x| x * x).sum::<f64>().sqrt();
            assert!((distance - 3.0).abs() < 4e-15, "{distance}: rounding of coordinates up to 5");
        }
        for (name, axis) in [("left", 0), ("front", 2)] {
            assert!(nodes(name).iter().all(|&i| from_centre(i)[axis].abs() <= 0.0), "{name}");
        }
        for (name, y) in [("bottom", -3.0), ("centre", 0.0), ("top", 3.0)] {
            let [node] = nodes(name)[..] else { panic!("{name}: one point") };
            let [x, height, z] = from_centre(node);
            assert!(x.abs() + z.abs() < 1e-15 && (height - y).abs() < 1e-15, "{name}");
        }
        // The fine block: 8 x 8 faces on the sphere, 0.025 wide along both planes.
        assert_eq!(mesh.group("sole").unwrap().cells.len(), 64);
        let along: Vec<f64> = nodes("sole")
            .into_iter()
            .map(from_centre)
            .filter(|x| x[2].abs() <= 0.0)
            .map(|x| (x[0] / -x[1]).atan() * 3.0)
            .collect();
        assert_eq!(along.len(), 9);
        assert!(along.iter().enumerate().all(|(i, s)| (s - 0.025 * i as f64).abs() < 1e-14), "{along:?}");
        // The whole boundary has been named, once but for the sole.
        let count = |name| mesh.group(name).unwrap().cells.len();
        assert_eq!(count("boundary"), count("sphere") + count("left") + count("front"));
    }

    #[test]
    fn layers_grow_from_the_size_of_the_block() {
        for (layers, first) in [(6, 0.01), (12, 0.01), (20, 0.04), (40, 0.001)] {
            let q = growth(layers, first);
            assert!(q > 1.0 && ((q - 1.0) / (q.powf(layers as f64) - 1.0) / first - 1.0).abs() < 1e-9, "{q}");
        }
        assert!((growth(10, 0.2) - 1.0).abs() < 1e-15 && (growth(1, 0.2) - 1.0).abs() < 1e-15);
    }

    #[test]
    fn many_shapes_have_good_cells() {
        for (patch, cells, layers) in
            [(0.5, 1, 1), (0.5, 3, 2), (0.02, 8, 14), (0.1, 6, 10), (0.3, 5, 5), (0.06, 1, 20)]
        {
            let mesh = quarter_ball([0.0; 3], 1.0, patch, cells, layers, 1).unwrap();
            mesh.validate().unwrap();
            let upper = cells.div_ceil(2);
            let expected = cells.pow(3)
                + 3 * cells * cells * layers
                + cells * cells * upper
                + cells * (cells * cells + 2 * cells * upper);
            assert_eq!(mesh.bulk_cells().count(), expected, "{patch} {cells} {layers}");
        }
    }

    #[test]
    fn bad_parameters_are_named() {
        let make = |centre, radius, patch, cells, layers, refine| {
            quarter_ball(centre, radius, patch, cells, layers, refine).map(|_| ()).unwrap_err().to_string()
        };
        let o = [0.0; 3];
        for (text, words) in [
            (make([f64::NAN; 3], 1.0, 0.1, 2, 2, 1), "quarter ball: centre"),
            (make(o, 0.0, 0.1, 2, 2, 1), "radius = 0.0"),
            (make(o, 1.0, -0.1, 2, 2, 1), "patch = -0.1"),
            (make(o, 1.0, 0.6, 2, 2, 1), "patch = 0.6, must be at most half the radius"),
            (make(o, 1.0, 0.1, 0, 2, 1), "cells = 0"),
            (make(o, 1.0, 0.1, 2, 0, 1), "layers = 0"),
            (make(o, 1.0, 0.1, 2, 2, 0), "refine = 0"),
            (make(o, 1.0, 0.1, 1000, 2, 1), "number of cells"),
            (make([1e20, 0.0, 0.0], 1.0, 0.1, 2, 2, 1), "degenerate"),
        ] {
            assert!(text.contains(words), "{text}");
        }
    }
}
