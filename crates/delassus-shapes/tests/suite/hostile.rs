//! No input makes it panic: random, degenerate, huge and tiny shapes and poses.
use delassus_contact::{Dimension, Matrix, Vector};
use delassus_shapes::{RigidShape, ShapePose, ShapeSpace, contacts, nearest};
use proptest::prelude::*;

/// Numbers that often coincide, vanish, are far from 1 or are none.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        8 => (-4i8..=4).prop_map(f64::from),
        4 => -1.0..1.0f64,
        1 => prop::sample::select(vec![1e-300, 1e-150, 1e-20, 1e-9, 1e9, 1e49, -1e49, 1e99, 1e300, f64::NAN, f64::INFINITY]),
    ]
}

fn vector<const D: usize>() -> impl Strategy<Value = Vector<D>> {
    prop::collection::vec(number(), D).prop_map(|v| Vector::from_column_slice(&v))
}

fn pose<const D: usize>() -> impl Strategy<Value = ShapePose<D>> {
    // Often turned by quarters, sometimes by what is no rotation at all.
    (vector::<D>(), 0usize..5, prop::collection::vec(number(), D * D)).prop_map(|(position, kind, entries)| {
        let mut rotation = Matrix::identity();
        match kind {
            0 => rotation = Matrix::from_column_slice(&entries),
            1 => (rotation[(0, 0)], rotation[(1, 1)], rotation[(0, 1)], rotation[(1, 0)]) = (0.0, 0.0, -1.0, 1.0),
            2 => (rotation[(0, 0)], rotation[(1, 1)], rotation[(0, 1)], rotation[(1, 0)]) = (0.6, 0.6, -0.8, 0.8),
            _ => {}
        }
        ShapePose { position, rotation }
    })
}

fn simple<const D: usize>() -> BoxedStrategy<RigidShape<D>>
where
    Dimension<D>: ShapeSpace<D>,
{
    prop_oneof![
        number().prop_filter_map("a size", |r| RigidShape::ball(r).ok()),
        (vector(), vector(), number()).prop_filter_map("a capsule", |(a, b, r)| RigidShape::capsule([a, b], r).ok()),
        vector().prop_filter_map("lengths", |l| RigidShape::block(l).ok()),
        vector().prop_filter_map("a direction", |n| RigidShape::half_space(n).ok()),
        Just(RigidShape::point()),
    ]
    .boxed()
}

fn shape_2() -> impl Strategy<Value = RigidShape<2>> {
    let polygon =
        prop::collection::vec(vector::<2>(), 3..8).prop_filter_map("a polygon", |c| RigidShape::polygon(&c).ok());
    prop_oneof![
        simple::<2>(),
        polygon,
        (simple::<2>(), pose::<2>()).prop_filter_map("a clump", |p| RigidShape::clump(&[p]).ok())
    ]
}

fn shape_3() -> impl Strategy<Value = RigidShape<3>> {
    let faces = |n: usize| prop::collection::vec(prop::collection::vec(0..n + 1, 2..5), 0..8);
    let soup = (prop::collection::vec(vector::<3>(), 0..8)).prop_flat_map(move |p| (Just(p.clone()), faces(p.len())));
    let tetrahedron = prop::collection::vec(vector::<3>(), 4).prop_filter_map("a tetrahedron", |p| {
        let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]].map(|f| f.to_vec());
        RigidShape::surface_of(&p, &faces).ok()
    });
    // A cube with a corner anywhere: often re-entrant, sometimes through itself.
    let dented = vector::<3>().prop_filter_map("a dented cube", |corner| {
        let mut points: Vec<_> =
            (0..8).map(|i| Vector::<3>::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64)).collect();
        points[7] = corner;
        let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let faces: Vec<Vec<usize>> =
            quads.iter().flat_map(|f| [vec![f[0], f[1], f[2]], vec![f[0], f[2], f[3]]]).collect();
        RigidShape::surface_of(&points, &faces).ok()
    });
    let any = soup.prop_map(|(p, f)| RigidShape::surface_of(&p, &f).unwrap_or_else(|_| RigidShape::point()));
    prop_oneof![4 => simple::<3>(), 1 => any, 4 => tetrahedron, 4 => dented]
}

fn all_of<const D: usize>(
    a: &RigidShape<D>,
    p: &ShapePose<D>,
    b: &RigidShape<D>,
    q: &ShapePose<D>,
    reach: f64,
    x: &Vector<D>,
) -> Result<(), TestCaseError>
where
    Dimension<D>: ShapeSpace<D>,
{
    let mut out = Vec::new();
    contacts((a, p), (b, q), reach, &mut out);
    prop_assert!(out.is_sorted_by(|c, d| c.key < d.key), "{:?}", out);
    // Whatever is found of shapes of ordinary sizes at rigid poses is finite, within reach and has unit normals.
    let is_tame = |pose: &ShapePose<D>| {
        (pose.rotation.tr_mul(&pose.rotation) - Matrix::identity()).amax() < 1e-9 && pose.position.amax() < 1e50
    };
    if is_tame(p) && is_tame(q) {
        for c in &out {
            prop_assert!(c.gap <= reach && c.gap.is_finite() && (c.normal.norm() - 1.0).abs() < 1e-9, "{:?}", c);
        }
    }
    let _ = nearest(a, p, x);
    let _ = (a.mass_properties(1.0), a.surface(5), a.aabb(p), a.bounding_radius(), a.inner_size());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, max_local_rejects: 1 << 24, ..ProptestConfig::default() })]

    #[test]
    fn in_the_plane(a in shape_2(), p in pose::<2>(), b in shape_2(), q in pose::<2>(), reach in number(), x in vector::<2>()) {
        all_of(&a, &p, &b, &q, reach, &x)?;
    }

    #[test]
    fn in_space(a in shape_3(), p in pose::<3>(), b in shape_3(), q in pose::<3>(), reach in number(), x in vector::<3>()) {
        all_of(&a, &p, &b, &q, reach, &x)?;
    }
}
