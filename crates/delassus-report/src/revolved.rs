//! The solid that plane frames of axisymmetric bodies stand for: their cells turned about the axis x = 0.
//!
//! ```text
//! plane k of n, φ = 2πk/n :    (r, y) → (r cos φ, y, −r sin φ) ,   vectors R v ,   tensors R σ Rᵀ  (σ_zz is the hoop stress)
//! Q4 → H8,  with a side on the axis → prism ;     T3 → prism,  with a corner on the axis → pyramid,  with a side → tetrahedron
//! ```
//!
//! Points have the values of their plane, cells those of their middle plane. Quadratic cells are taken by their corners. Forces of nodes are those of whole rings: each copy has its share. A quadrilateral with one corner on the axis becomes a hexahedron with
//! this corner twice.

use delassus_mesh::vtk::{FieldData, GridData};
use nalgebra::{Matrix3, Vector3};

/// Part of the largest radius below which a point is on the axis.
const ON_AXIS: f64 = 1e-9;

/// Fields of nodes that are sums over a ring.
const SUMS: [&str; 1] = ["reaction"];

/// VTK's numbers of cells.
mod vtk {
    pub const TRIANGLE: u8 = 5;
    pub const QUAD: u8 = 9;
    pub const TETRAHEDRON: u8 = 10;
    pub const HEXAHEDRON: u8 = 12;
    pub const PRISM: u8 = 13;
    pub const PYRAMID: u8 = 14;
    pub const QUADRATIC_TRIANGLE: u8 = 22;
    pub const QUADRATIC_QUAD: u8 = 23;
}

/// R of a plane, `position` of `n` planes from the first.
fn turn(position: f64, n: usize) -> Matrix3<f64> {
    let (s, c) = (std::f64::consts::TAU * position / n as f64).sin_cos();
    Matrix3::new(c, 0.0, s, 0.0, 1.0, 0.0, -s, 0.0, c)
}

/// How many corners a plane cell has; none for other cells.
fn corners(kind: u8) -> Option<usize> {
    match kind {
        vtk::TRIANGLE | vtk::QUADRATIC_TRIANGLE => Some(3),
        vtk::QUAD | vtk::QUADRATIC_QUAD => Some(4),
        _ => None,
    }
}

/// The cell between a plane and the next: its kind and its nodes, each as a corner and whether it is on the next plane. `corners` run counter-clockwise.
fn cell(corners: &[usize], on_axis: impl Fn(usize) -> bool) -> (u8, Vec<(usize, bool)>) {
    let n = corners.len();
    // With the corners on the axis first, if they follow one another.
    let first = (0..n).find(|&k| on_axis(corners[k]) && !on_axis(corners[(k + n - 1) % n])).unwrap_or(0);
    let c: Vec<usize> = (0..n).map(|k| corners[(first + k) % n]).collect();
    let (here, next) = (|k: usize| (c[k], false), |k: usize| (c[k], true));
    match (n, c.iter().filter(|&&k| on_axis(k)).count()) {
        (3, 0) => (vtk::PRISM, (0..3).map(next).chain((0..3).map(here)).collect()),
        (3, 1) => (vtk::PYRAMID, vec![here(1), here(2), next(2), next(1), here(0)]),
        (3, _) => (vtk::TETRAHEDRON, vec![here(0), here(1), next(2), here(2)]),
        (_, 2) => (vtk::PRISM, vec![here(0), next(3), here(3), here(1), next(2), here(2)]),
        _ => (vtk::HEXAHEDRON, (0..4).map(next).chain((0..4).map(here)).collect()),
    }
}

/// The values of a point or cell, turned.
fn turned(field: &FieldData, index: usize, r: &Matrix3<f64>, share: f64) -> Vec<f64> {
    let x = &field.values[field.components * index..field.components * (index + 1)];
    match *x {
        [x, y, z] => (r * Vector3::new(x, y, z) * share).as_slice().to_vec(),
        [xx, yy, zz, xy, yz, xz] => {
            let t = r * Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz) * r.transpose();
            vec![t[(0, 0)], t[(1, 1)], t[(2, 2)], t[(0, 1)], t[(1, 2)], t[(0, 2)]]
        }
        _ => x.to_vec(),
    }
}

/// The frame of axisymmetric bodies turned to `n` sectors.
pub(crate) fn revolved(frame: &GridData, n: usize) -> GridData {
    let largest = frame.points.iter().fold(0.0, |m: f64, p| m.max(p[0].abs()));
    let on_axis = |k: usize| frame.points[k][0] <= ON_AXIS * largest;
    let plane: Vec<(usize, Vec<usize>)> = (0..frame.n_cells())
        .filter_map(|c| corners(frame.types[c]).map(|n| (c, frame.cell(c)[..n].to_vec())))
        .collect();
    let mut is_corner = vec![false; frame.points.len()];
    plane.iter().flat_map(|(_, nodes)| nodes).for_each(|&k| is_corner[k] = true);
    // Points plane by plane; those on the axis belong to the first.
    let (mut number, mut chosen) = (vec![vec![0; frame.points.len()]; n], Vec::new());
    for k in 0..n {
        for point in (0..frame.points.len()).filter(|&p| is_corner[p]) {
            number[k][point] = if k > 0 && on_axis(point) { number[0][point] } else { chosen.len() };
            if k == 0 || !on_axis(point) {
                chosen.push((point, k));
            }
        }
    }
    let turns: Vec<Matrix3<f64>> = (0..n).map(|k| turn(k as f64, n)).collect();
    let middles: Vec<Matrix3<f64>> = (0..n).map(|k| turn(k as f64 + 0.5, n)).collect();
    let place = |&(point, k): &(usize, usize)| -> [f64; 3] { (turns[k] * Vector3::from(frame.points[point])).into() };
    let mut out = GridData { points: chosen.iter().map(place).collect(), ..GridData::default() };
    let mut cells = Vec::new();
    for k in 0..n {
        for (c, nodes) in &plane {
            let (kind, nodes) = cell(nodes, on_axis);
            let at = |&(node, is_next): &(usize, bool)| number[if is_next { (k + 1) % n } else { k }][node];
            out.connectivity.extend(nodes.iter().map(at));
            out.offsets.push(out.connectivity.len());
            out.types.push(kind);
            cells.push((*c, k));
        }
    }
    let fields = |given: &[FieldData], chosen: &[(usize, usize)], turns: &[Matrix3<f64>], are_points: bool| {
        let of = |f: &FieldData| {
            let is_sum = are_points && SUMS.contains(&f.name.as_str());
            let share = |point: usize| if is_sum && !on_axis(point) { 1.0 / n as f64 } else { 1.0 };
            let values = chosen.iter().flat_map(|&(i, k)| turned(f, i, &turns[k], share(i))).collect();
            FieldData { values, ..f.clone() }
        };
        given.iter().map(of).collect()
    };
    out.point_fields = fields(&frame.point_fields, &chosen, &turns, true);
    out.cell_fields = fields(&frame.cell_fields, &cells, &middles, false);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(name: &str, components: usize, values: &[f64]) -> FieldData {
        FieldData { name: name.to_owned(), components, values: values.to_vec() }
    }

    /// Volume of a cell by tetrahedra about its centre, with the faces that its kind has, seen from outside counter-clockwise.
    fn volume(grid: &GridData, c: usize) -> f64 {
        let x: Vec<Vector3<f64>> = grid.cell(c).iter().map(|&n| Vector3::from(grid.points[n])).collect();
        let faces: &[&[usize]] = match grid.types[c] {
            vtk::HEXAHEDRON => {
                &[&[0, 3, 2, 1], &[4, 5, 6, 7], &[0, 1, 5, 4], &[1, 2, 6, 5], &[2, 3, 7, 6], &[3, 0, 4, 7]]
            }
            vtk::PRISM => &[&[0, 2, 1], &[3, 4, 5], &[0, 1, 4, 3], &[1, 2, 5, 4], &[2, 0, 3, 5]],
            vtk::PYRAMID => &[&[0, 3, 2, 1], &[0, 1, 4], &[1, 2, 4], &[2, 3, 4], &[3, 0, 4]],
            _ => &[&[0, 2, 1], &[0, 1, 3], &[1, 2, 3], &[2, 0, 3]],
        };
        let triangle = |a: usize, b: usize, c: usize| x[a].dot(&x[b].cross(&x[c])) / 6.0;
        faces.iter().map(|f| (1..f.len() - 1).map(|k| triangle(f[0], f[k], f[k + 1])).sum::<f64>()).sum()
    }

    /// Cells of all kinds: a quadrilateral with a side on the axis and one without, triangles with a side, a corner, nothing on the axis.
    fn frame() -> GridData {
        GridData {
            points: vec![
                [0.0, 0.0, 0.0],
                [1.0, 0.0, 0.0],
                [1.0, 1.0, 0.0],
                [0.0, 1.0, 0.0],
                [2.0, 0.0, 0.0],
                [2.0, 1.0, 0.0],
                [0.0, 2.0, 0.0],
                [2.0, 2.0, 0.0],
            ],
            connectivity: vec![0, 1, 2, 3, 1, 4, 5, 2, 3, 2, 6, 2, 7, 6, 5, 7, 2],
            offsets: vec![4, 8, 11, 14, 17],
            types: vec![9, 9, 5, 5, 5],
            point_fields: vec![
                field("v", 3, &[1.0, 2.0, 0.0].repeat(8)),
                field("reaction", 3, &[0.0, 3.0, 0.0].repeat(8)),
            ],
            cell_fields: vec![
                field("s", 6, &[1.0, 2.0, 3.0, 0.5, 0.0, 0.0].repeat(5)),
                field("body", 1, &[0.0, 0.0, 1.0, 1.0, 2.0]),
            ],
        }
    }

    #[test]
    fn volumes_are_positive_and_those_of_prisms_with_n_sides() {
        let n = 24;
        let solid = revolved(&frame(), n);
        assert_eq!(solid.n_cells(), 5 * n);
        let volumes: Vec<f64> = (0..solid.n_cells()).map(|c| volume(&solid, c)).collect();
        assert!(volumes.iter().all(|v| *v > 0.0), "{volumes:?}");
        // a regular polygon of n sides in place of each circle
        let exact = 4.0 * 2.0 * 0.5 * n as f64 * (std::f64::consts::TAU / n as f64).sin();
        assert!((volumes.iter().sum::<f64>() / exact - 1.0).abs() < 1e-12, "{} {exact}", volumes.iter().sum::<f64>());
        let kinds: std::collections::BTreeSet<u8> = solid.types.iter().copied().collect();
        assert_eq!(kinds.into_iter().collect::<Vec<_>>(), [10, 12, 13, 14]);
    }

    #[test]
    fn fields_turn_along() {
        let (n, given) = (8, frame());
        let solid = revolved(&given, n);
        for (p, v) in solid.points.iter().zip(solid.point_fields[0].values.chunks(3)) {
            let radius = p[0].hypot(p[2]);
            if radius > 0.5 {
                // along the radius 1, around 0
                assert!(((p[0] * v[0] + p[2] * v[2]) / radius - 1.0).abs() < 1e-14);
                assert!((p[2] * v[0] - p[0] * v[2]).abs() < 1e-14 && (v[1] - 2.0).abs() < 1e-14);
            }
        }
        // every ring has its sum
        let sum: f64 = solid.point_fields[1].values.chunks(3).map(|v| v[1]).sum();
        assert!((sum - 24.0).abs() < 1e-12, "{sum}");
        for (c, s) in solid.cell_fields[0].values.chunks(6).enumerate() {
            let k = c / 5;
            let around = turn(k as f64 + 0.5, n) * Vector3::z();
            let t = Matrix3::new(s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2]);
            assert!((t * around - around * 3.0).norm() < 1e-14, "the hoop stress acts around");
            assert!((t.trace() - 6.0).abs() < 1e-14);
        }
        assert_eq!(solid.cell_fields[1].values.iter().filter(|b| **b > 1.5).count(), n);
    }
}
