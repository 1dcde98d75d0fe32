//! Candidates in re-entrant corners, which have a contact with each facet of the corner.

use delassus_contact::{
    Antagonist, CandidateSet, Contact, Detector, Dimension, FacetNodes, FacetSurface, NarrowPhase, Normals, Pair,
    Translation, Vector,
};

/// Contacts of one point with a surface that is `given` at rest and `moved` now.
fn contacts<const D: usize>(
    point: [f64; D],
    facets: &[&[usize]],
    given: &[[f64; D]],
    moved: &[[f64; D]],
    corners: bool,
) -> Vec<Contact<D>>
where
    Dimension<D>: NarrowPhase<D>,
{
    let facets = facets.iter().map(|f| FacetNodes::try_from(*f).unwrap()).collect();
    let antagonist = Antagonist::Surface(FacetSurface::<D>::new(1, facets).unwrap());
    let candidates = CandidateSet::new(0, vec![0], vec![1.0]).unwrap();
    let pair =
        Pair { id: 0, pass: 0, candidates, antagonist, reach: 9.0, depth: 1.0, normals: Normals::Facet, corners };
    let (given, moved) = (given.concat(), moved.concat());
    let mut detector = Detector::new(vec![pair], &[&point, &given]).unwrap();
    detector.detect(&[&point, &moved], &[Translation::<D>::default()]).unwrap().contacts
}

/// Gaps and normals, by the keys of the contacts; the first is the nearest.
fn check<const D: usize>(found: &[Contact<D>], expected: &[(f64, [f64; D])]) {
    assert!(found.windows(2).all(|w| w[0].key < w[1].key), "sorted by key");
    assert!(!found[0].key.is_across() && found[1..].iter().all(|c| c.key.is_across()));
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for &(gap, normal) in expected {
        let same = |c: &&Contact<D>| (c.normal() - Vector::<D>::from(normal)).amax() < 1e-14;
        let contact = found.iter().find(same).unwrap_or_else(|| panic!("no contact along {normal:?}: {found:?}"));
        assert!((contact.gap - gap).abs() < 1e-14, "{normal:?}: {} instead of {gap}", contact.gap);
    }
    assert!((found[0].gap - expected[0].0).abs() < 1e-14, "the nearest comes first");
}

const R: f64 = std::f64::consts::FRAC_1_SQRT_2;
/// A notch opening upwards, solid below.
const NOTCH: [[f64; 2]; 3] = [[1.0, 1.0], [0.0, 0.0], [-1.0, 1.0]];
const TWO: [&[usize]; 2] = [&[0, 1], &[1, 2]];

#[test]
fn a_node_in_a_notch_has_both_sides() {
    let sides = |x: [f64; 2]| contacts(x, &TWO, &NOTCH, &NOTCH, true);
    check(&sides([0.1, 0.3]), &[(0.2 * R, [-R, R]), (0.4 * R, [R, R])]);
    check(&sides([-0.1, 0.3]), &[(0.2 * R, [R, R]), (0.4 * R, [-R, R])]);
    check(&sides([0.3, 0.3]), &[(0.0, [-R, R]), (0.6 * R, [R, R])]);
    // Behind the notch, and on its bottom, both have their own normals: not the direction from the bottom.
    check(&sides([0.01, -0.2]), &[(-0.21 * R, [-R, R]), (-0.19 * R, [R, R])]);
    let bottom = sides([0.0, 0.0]);
    assert_eq!(bottom.len(), 2);
    assert!(bottom.iter().all(|c| c.gap.abs() < 1e-300), "{bottom:?}");
    // A pair that does not want it, and a corner that sticks out.
    assert_eq!(contacts([0.1, 0.3], &TWO, &NOTCH, &NOTCH, false).len(), 1);
    let roof = [[-1.0, -1.0], [0.0, 0.0], [1.0, -1.0]].map(|[x, y]: [f64; 2]| [-x, y]);
    assert_eq!(contacts([0.1, 0.3], &TWO, &roof, &roof, true).len(), 1);
}

#[test]
fn past_the_end_of_the_other_side_there_is_none() {
    let short = [[1.0, 1.0], [0.0, 0.0], [-0.1, 0.1]];
    check(&contacts([0.2, 0.9], &TWO, &short, &short, true), &[(0.7 * R, [-R, R])]);
    assert_eq!(contacts([0.05, 0.1], &TWO, &short, &short, true).len(), 2);
}

#[test]
fn bends_by_deformation_are_no_corners() {
    let flat = [[1.0, 0.0], [0.0, 0.0], [-1.0, 0.0]];
    assert_eq!(contacts([0.1, 0.3], &TWO, &flat, &NOTCH, true).len(), 1);
    // As given, from 2° on: here 2 atan(0.017) = 1.95° and 2 atan(0.018) = 2.06°.
    for (height, n) in [(0.017, 1), (0.018, 2)] {
        let bent = [[1.0, height], [0.0, 0.0], [-1.0, height]];
        assert_eq!(contacts([0.1, 0.3], &TWO, &bent, &bent, true).len(), n, "{height}");
    }
}

#[test]
fn a_node_in_the_corner_of_a_box_has_three_sides() {
    let points: [[f64; 3]; 7] =
        [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.], [1., 1., 0.], [0., 1., 1.], [1., 0., 1.]];
    let faces: [&[usize]; 3] = [&[0, 1, 4, 2], &[0, 2, 5, 3], &[0, 3, 6, 1]];
    let (x, y, z) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]);
    let found = contacts([0.2, 0.3, 0.1], &faces, &points, &points, true);
    check(&found, &[(0.1, z), (0.2, x), (0.3, y)]);
    let behind = contacts([-0.02, 0.3, -0.01], &faces, &points, &points, true);
    assert!(behind.iter().any(|c| c.normal()[0] > 0.999 && (c.gap + 0.02).abs() < 1e-14), "{behind:?}");
    assert!(behind.iter().any(|c| c.normal()[2] > 0.999 && (c.gap + 0.01).abs() < 1e-14), "{behind:?}");
}
