//! Measures of cells against known ones.

use proptest::prelude::*;

use super::*;
use crate::{CellBlock, Group, generate};

fn single<const D: usize>(kind: CellKind, points: &[[f64; D]]) -> Mesh<D> {
    Mesh {
        points: points.to_vec(),
        blocks: vec![CellBlock { kind, nodes: (0..points.len()).collect() }],
        groups: vec![],
    }
}

fn check<const D: usize>(kind: CellKind, points: &[[f64; D]], expected: Option<CellDefect>) {
    match (single(kind, points).validate(), expected) {
        (Ok(()), None) => {}
        (Err(MeshError::BadCell { defect, .. }), Some(wanted)) => assert_eq!(defect, wanted),
        (other, _) => panic!("{points:?}: {other:?}, wanted {expected:?}"),
    }
}

#[test]
fn shapes_of_single_cells() {
    use CellDefect::{Degenerate, Folded, Inverted};
    let q = CellKind::Quad4;
    let t = CellKind::Triangle3;
    check(q, &[[0., 0.], [2., 0.], [2., 1.], [0., 1.]], None);
    check(q, &[[0., 0.], [0., 1.], [2., 1.], [2., 0.]], Some(Inverted));
    check(q, &[[0., 0.], [2., 0.], [0.5, 0.4], [0., 1.]], Some(Folded));
    check(q, &[[0., 0.], [2., 1.], [2., 0.], [0., 1.]], Some(Folded));
    check(q, &[[0., 0.], [2., 0.], [1., 0.5], [0., 1.]], Some(Degenerate));
    check(q, &[[0., 0.], [2., 0.], [2., 0.], [0., 1.]], Some(Degenerate));
    check(t, &[[0., 0.], [1., 0.], [0., 1.]], None);
    check(t, &[[0., 0.], [0., 1.], [1., 0.]], Some(Inverted));
    check(t, &[[0., 0.], [1., 1.], [2., 2.]], Some(Degenerate));
    check(t, &[[0., 0.], [1e200, 0.], [0., 1e200]], Some(Degenerate));
    // A sliver of aspect 10⁶ and a mesh of nanometres are unusual, not wrong.
    check(t, &[[0., 0.], [1., 0.], [0.5, 1e-6]], None);
    check(q, &[[0., 0.], [2e-9, 0.], [2e-9, 1e-9], [0., 1e-9]], None);
}

#[test]
fn shapes_of_single_cells_in_space() {
    use CellDefect::{Degenerate, Folded, Inverted};
    let cube = [0., 1.].map(|z| [[0., 0., z], [1., 0., z], [1., 1., z], [0., 1., z]]).concat();
    let (h, t, p) = (CellKind::Hexahedron8, CellKind::Tetrahedron4, CellKind::Prism6);
    check(h, &cube, None);
    let turned: Vec<[f64; 3]> = h.flipped().iter().map(|&l| cube[l]).collect();
    check(h, &turned, Some(Inverted));
    let mut folded = cube.clone();
    // beyond the plane of its neighbours
    folded[6] = [0.3, 0.3, 0.3];
    check(h, &folded, Some(Folded));
    let mut flat = cube.clone();
    flat[6] = flat[2];
    check(h, &flat, Some(Degenerate));
    let tet = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]];
    check(t, &tet, None);
    check(t, &[tet[0], tet[2], tet[1], tet[3]], Some(Inverted));
    check(t, &[tet[0], tet[1], tet[2], [0.3, 0.3, 0.]], Some(Degenerate));
    let prism = [cube[0], cube[1], cube[3], cube[4], cube[5], cube[7]];
    check(p, &prism, None);
    check(p, &p.flipped().iter().map(|&l| prism[l]).collect::<Vec<_>>(), Some(Inverted));
    check(p, &[prism[0], prism[1], prism[2], prism[3], prism[5], prism[4]], Some(Folded));
}

/// The volume of a trilinear cell with warped faces: ∫ det J over the reference cube by 3×3×3 Gauss points (the
/// determinant is of degree 2 in each coordinate).
#[test]
fn warped_hexahedra_and_prisms_have_their_exact_volume() {
    let side = |z: f64| [[0., 0.1, z], [1.2, -0.1, z + 0.3], [0.9, 1.1, z - 0.2], [-0.1, 0.8, z + 0.1]];
    let x = [side(0.0), side(1.0)].concat();
    let gauss = [(-0.6_f64.sqrt(), 5.0 / 9.0), (0.0, 8.0 / 9.0), (0.6_f64.sqrt(), 5.0 / 9.0)];
    let signs = [[-1., -1.], [1., -1.], [1., 1.], [-1., 1.]];
    let mut volume = 0.0;
    for (a, wa) in gauss {
        for (b, wb) in gauss {
            for (c, wc) in gauss {
                let mut edges = [[0.0; 3]; 3];
                for (k, x) in x.iter().enumerate() {
                    let [s, t] = signs[k % 4];
                    let u = if k < 4 { -1. } else { 1. };
                    let f = [1. + s * a, 1. + t * b, 1. + u * c];
                    for d in 0..3 {
                        edges[0][d] += s * f[1] * f[2] / 8.0 * x[d];
                        edges[1][d] += t * f[0] * f[2] / 8.0 * x[d];
                        edges[2][d] += u * f[0] * f[1] / 8.0 * x[d];
                    }
                }
                volume += wa * wb * wc * content::<3>(3, &edges);
            }
        }
    }
    let hexahedron = single(CellKind::Hexahedron8, &x);
    assert!((hexahedron.cell_measure(0) - volume).abs() < 1e-14, "{} {volume}", hexahedron.cell_measure(0));
    // two prisms that share a diagonal quadrilateral fill the same volume, whatever diagonals their splits take
    let prism = |l: [usize; 6]| single(CellKind::Prism6, &l.map(|l| x[l])).cell_measure(0);
    let sum = prism([0, 1, 2, 4, 5, 6]) + prism([0, 2, 3, 4, 6, 7]);
    // their triangles replace the two warped end faces: the difference is that of flat and bilinear ends, equal here
    // because the two ends are the same
    assert!((sum - volume).abs() < 1e-14, "{sum} {volume}");
}

#[test]
fn cells_turned_over_in_space_are_turned_back() {
    for kind in [CellKind::Tetrahedron4, CellKind::Hexahedron8, CellKind::Prism6] {
        let linear = generate::block([0.0; 3], [1.0, 2.0, 3.0], [2, 1, 2], kind, 1).unwrap();
        for good in [Some(linear.clone()), linear.to_quadratic().ok()].into_iter().flatten() {
            let kind = good.blocks[0].kind;
            let mut mesh = good.clone();
            for cell in mesh.blocks[0].nodes.chunks_mut(kind.n_nodes()).step_by(2) {
                let old = cell.to_vec();
                (0..old.len()).for_each(|l| cell[l] = old[kind.flipped()[l]]);
            }
            assert!(mesh.cell_measure(0) < 0.0 && mesh.validate().is_err());
            assert_eq!(mesh.orient_cells().unwrap(), good.bulk_cells().count().div_ceil(2), "{kind}");
            assert_eq!(mesh, good, "{kind}");
        }
    }
}

#[test]
fn a_bad_cell_is_described() {
    let points = [[0., 0.], [2., 0.], [0.5, 0.25], [0., 1.]];
    let text = single(CellKind::Quad4, &points).validate().unwrap_err().to_string();
    // Jacobian at corner 2: (-0.5, 0.75) × (1.5, -0.25) = 0.125 - 1.125.
    assert_eq!(
        text,
        "cell 0 (Quad4, centre (0.625, 0.3125)) is folded or not convex: Jacobian -1e0 at corner 2, \
         every corner must be positive"
    );
    let mut mesh = single(CellKind::Triangle3, &[[0., 0.], [1., 1.], [2., 2.]]);
    mesh.blocks[0].nodes.extend([0, 2, 1, 1, 0, 2]);
    let text = mesh.validate().unwrap_err().to_string();
    assert!(text.ends_with("; 2 more cells are bad"), "{text}");
}

#[test]
fn contradictions_are_reported() {
    fn check(change: impl FnOnce(&mut Mesh<2>), words: &str) {
        let mut mesh = generate::rectangle([0.0, 0.0], [1.0, 1.0], [2, 2], CellKind::Quad4, 1).unwrap();
        mesh.validate().unwrap();
        change(&mut mesh);
        let text = mesh.validate().unwrap_err().to_string();
        assert!(text.contains(words), "{text}");
    }
    check(|m| m.blocks[0].nodes.push(0), "17 node numbers, not a multiple of 4");
    check(|m| m.blocks[0].nodes[5] = 77, "its cell 1: node 77 does not exist, there are 9 points");
    check(|m| m.points[3][1] = f64::NAN, "point 3 is at [0.0, NaN]");
    check(|m| m.groups[0].cells.push(1000), "has cell 1000");
    check(|m| m.groups[0].cells.reverse(), "must be sorted and unique");
    check(|m| m.groups[1].dim = 2, "group `bottom` has dimension 2, but its cell 4 is a Segment2");
    check(|m| m.blocks.clear(), "there are 0 cells");
    check(
        |m| {
            m.groups.clear();
            m.blocks.clear();
        },
        "no cell of dimension 2",
    );
    check(
        |m| {
            let again = m.cell(0).1.to_vec();
            m.blocks.push(CellBlock { kind: CellKind::Quad4, nodes: again });
        },
        "overlap",
    );
    check(|m| m.groups.push(Group { name: "g".into(), tag: 0, dim: 1, cells: vec![0] }), "`g`");
}

#[test]
fn measures_of_lower_cells() {
    let mesh = Mesh::<3> {
        points: vec![[0., 0., 0.], [3., 0., 4.], [0., 2., 0.]],
        blocks: vec![
            CellBlock { kind: CellKind::Triangle3, nodes: vec![0, 1, 2] },
            CellBlock { kind: CellKind::Segment2, nodes: vec![0, 1] },
            CellBlock { kind: CellKind::Point, nodes: vec![2] },
        ],
        groups: vec![],
    };
    // Right triangle with legs 5 and 2.
    for (cell, measure) in [(0, 5.0), (1, 5.0), (2, 1.0)] {
        assert!((mesh.cell_measure(cell) - measure).abs() < 1e-14);
    }
    assert!(mesh.total_measure().abs() < 1e-300, "no bulk cells");
}

proptest! {
    /// Turning cells over changes the sign of the area and nothing else; orienting undoes it.
    #[test]
    fn orientation_is_restored(flips in proptest::collection::vec(any::<bool>(), 12), tri in any::<bool>()) {
        let kind = if tri { CellKind::Triangle3 } else { CellKind::Quad4 };
        let good = generate::rectangle([-1.0, 2.0], [3.0, 1.5], [4, 3], kind, 1).unwrap();
        let mut mesh = good.clone();
        let n = kind.n_nodes();
        for (cell, _) in flips.iter().enumerate().filter(|(_, flip)| **flip) {
            mesh.blocks[0].nodes[cell * n..(cell + 1) * n].reverse();
            // Two terms of order 1 differ by rounding only.
            prop_assert!((mesh.cell_measure(cell) + good.cell_measure(cell)).abs() < 1e-14);
        }
        let count = flips.iter().filter(|f| **f).count();
        prop_assert_eq!(mesh.validate().is_err(), count > 0);
        prop_assert_eq!(mesh.orient_cells().unwrap(), count);
        mesh.validate().unwrap();
        prop_assert!((mesh.total_measure() - 4.5).abs() < 1e-13);
    }

    /// Area does not depend on position, and scales with the square of the size.
    #[test]
    fn area_is_invariant(x in -5.0..5.0_f64, y in -5.0..5.0_f64, s in 0.1..10.0_f64) {
        let base = [[0.0, 0.0], [1.3, 0.1], [1.1, 0.9], [-0.2, 1.2]];
        let moved = base.map(|[a, b]| [x + s * a, y + s * b]);
        let (a, b) = (single(CellKind::Quad4, &base), single(CellKind::Quad4, &moved));
        // Coordinates up to 20 carry 4e-15; times edges of up to 15.
        prop_assert!((b.cell_measure(0) - s * s * a.cell_measure(0)).abs() < 1e-12);
    }
}
