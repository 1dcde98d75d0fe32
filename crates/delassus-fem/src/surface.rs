//! Integrals over boundary facets.
//!
//! ```text
//! A_a = t ∫ N_a dA ,   F_a = t ∫ N_a T dA ,   T = −p n for a pressure      (t: thickness of the section, 2π r of an axisymmetric one)
//! ```
//!
//! by the quadrature of the facet's own element: half the length of a segment to each end, a third of the area of a
//! triangle to each corner, and the exact ∫ N_a n dA of a warped bilinear quadrilateral. Flat quadratic facets have no
//! area at the corners of triangles, a negative one at those of quadrilaterals: right for loads, not for unilateral
//! contact at nodes.

use std::collections::BTreeMap;

use delassus_mesh::{CellKind, Facet, Mesh};
use nalgebra::SVector;

use crate::assembly::{facet_points, facet_points_of_moments};
use crate::couple::CoupleField;
use crate::error::FemError;
use crate::kernel::FacetPoint;
use crate::section::Section;

/// Quadrature points of a facet of a kind with these corners; none for a kind without a rule.
type FacetRule = fn(CellKind, &[[f64; 3]]) -> Option<Vec<FacetPoint>>;

/// The quadrature points of a facet for integrals of N_a; with the area of an axisymmetric section the next better rule is exact.
fn points<const D: usize>(mesh: &Mesh<D>, facet: &Facet, section: Section) -> Result<Vec<FacetPoint>, FemError> {
    points_by(mesh, facet, section, if section.is_revolved() { facet_points_of_moments } else { facet_points })
}

/// Those of a rule, with the areas of the section.
fn points_by<const D: usize>(
    mesh: &Mesh<D>,
    facet: &Facet,
    section: Section,
    rule: FacetRule,
) -> Result<Vec<FacetPoint>, FemError> {
    let in_space = |&node: &usize| std::array::from_fn(|i| if i < D { mesh.points[node][i] } else { 0.0 });
    let x: Vec<[f64; 3]> = facet.nodes.iter().map(in_space).collect();
    let no_element = FemError::NoElement { cell: facet.cell, kind: facet.kind, dimension: D };
    if facet.kind.dim() + 1 != D {
        return Err(no_element);
    }
    let mut points = rule(facet.kind, &x).ok_or(no_element)?;
    for point in &mut points {
        point.area *= section.thickness() * section.around(radius(&point.shape, &x));
    }
    Ok(points)
}

/// r of a point of a facet.
pub(crate) fn radius<const D: usize>(shape: &[f64], x: &[[f64; D]]) -> f64 {
    shape.iter().zip(x).map(|(share, x)| share * x[0]).sum()
}

/// Where a point of a facet is.
fn place_of<const D: usize>(mesh: &Mesh<D>, facet: &Facet, shape: &[f64]) -> [f64; D] {
    std::array::from_fn(|i| facet.nodes.iter().zip(shape).map(|(&n, share)| share * mesh.points[n][i]).sum())
}

/// The traction field of a couple on facets, of moment M over all of them.
pub(crate) fn group_couple<const D: usize>(
    mesh: &Mesh<D>,
    facets: &[Facet],
    section: Section,
    moment: &[f64; 3],
) -> Result<CoupleField<D>, FemError> {
    let mut all = Vec::new();
    for facet in facets {
        let here = points_by(mesh, facet, section, facet_points_of_moments)?;
        all.extend(here.iter().map(|p| (SVector::from(place_of(mesh, facet, &p.shape)), p.area)));
    }
    Ok(CoupleField::new(&all, moment))
}

/// The force on each node of a facet \[N\] from the force per area at its points, given by the normal: (node, force).
pub(crate) fn facet_forces<const D: usize>(
    mesh: &Mesh<D>,
    facet: &Facet,
    section: Section,
    traction: impl Fn([f64; D]) -> [f64; D],
) -> Result<Vec<(usize, [f64; D])>, FemError> {
    let points = points(mesh, facet, section)?;
    Ok(forces_at(facet, &points, |point| traction(std::array::from_fn(|i| point.normal[i]))))
}

/// The same from the traction of a couple.
pub(crate) fn couple_forces<const D: usize>(
    mesh: &Mesh<D>,
    facet: &Facet,
    section: Section,
    couple: &CoupleField<D>,
) -> Result<Vec<(usize, [f64; D])>, FemError> {
    let points = points_by(mesh, facet, section, facet_points_of_moments)?;
    Ok(forces_at(facet, &points, |point| couple.traction(place_of(mesh, facet, &point.shape))))
}

/// A node, the force of a point on it \[N\], and the place of the point.
pub(crate) type PointForce<const D: usize> = (usize, [f64; D], [f64; D]);

/// The force of each point of a facet on each of its nodes, from the force per area given by the normal: (node, force, place of the point). The rule is exact
/// for tractions of first degree.
pub(crate) fn point_forces<const D: usize>(
    mesh: &Mesh<D>,
    facet: &Facet,
    section: Section,
    traction: &dyn Fn([f64; D]) -> [f64; D],
) -> Result<Vec<PointForce<D>>, FemError> {
    let mut out = Vec::new();
    for point in points_by(mesh, facet, section, facet_points_of_moments)? {
        let place = place_of(mesh, facet, &point.shape);
        let traction = traction(std::array::from_fn(|i| point.normal[i]));
        let force = |share: f64| traction.map(|t| share * point.area * t);
        out.extend(facet.nodes.iter().zip(&point.shape).map(|(&n, &share)| (n, force(share), place)));
    }
    Ok(out)
}

/// Σ N_a T dA over points of a facet.
fn forces_at<const D: usize>(
    facet: &Facet,
    points: &[FacetPoint],
    traction: impl Fn(&FacetPoint) -> [f64; D],
) -> Vec<(usize, [f64; D])> {
    let mut forces: Vec<(usize, [f64; D])> = facet.nodes.iter().map(|&node| (node, [0.0; D])).collect();
    for point in points {
        let traction = traction(point);
        for ((_, force), share) in forces.iter_mut().zip(&point.shape) {
            let area = share * point.area;
            (0..D).for_each(|i| force[i] += area * traction[i]);
        }
    }
    forces
}

/// A quadrature point of a facet.
#[derive(Clone, Debug, PartialEq)]
pub struct FacePoint {
    /// Nodes of the facet and the values of their shape functions, of sum 1.
    pub shares: Vec<(usize, f64)>,
    /// Corners of the facet and the values of their linear shape functions: those of the nodes, and half of those of the middles of the
    /// edges on both sides, because a linear function is the mean of its ends there. None below zero.
    pub corners: Vec<(usize, f64)>,
    /// Its share of the area \[m²\].
    pub area: f64,
}

/// The quadrature points of facets, facet by facet.
pub(crate) fn face_points<const D: usize>(
    mesh: &Mesh<D>,
    facets: &[Facet],
    section: Section,
) -> Result<Vec<FacePoint>, FemError> {
    let mut out = Vec::new();
    for facet in facets {
        for point in points_by(mesh, facet, section, facet_points)? {
            let shares: Vec<(usize, f64)> = facet.nodes.iter().copied().zip(point.shape.iter().copied()).collect();
            out.push(FacePoint { corners: linear(facet, &shares), shares, area: point.area });
        }
    }
    Ok(out)
}

/// The linear shape functions of a facet's corners, from those of all its nodes.
fn linear(facet: &Facet, shares: &[(usize, f64)]) -> Vec<(usize, f64)> {
    let (corners, middles) = shares.split_at(facet.kind.n_corners());
    let mut out = corners.to_vec();
    for (ends, middle) in facet.kind.mid_nodes().iter().zip(middles) {
        ends.iter().for_each(|&end| out[end].1 += 0.5 * middle.1);
    }
    out
}

/// The area that belongs to each node of a surface \[m²\], nodes ascending.
pub(crate) fn tributary_areas<const D: usize>(
    mesh: &Mesh<D>,
    facets: &[Facet],
    section: Section,
) -> Result<Vec<(usize, f64)>, FemError> {
    let mut areas = BTreeMap::new();
    for facet in facets {
        let mut shares = vec![0.0; facet.nodes.len()];
        for point in points(mesh, facet, section)? {
            shares.iter_mut().zip(&point.shape).for_each(|(sum, share)| *sum += share * point.area);
        }
        for (&node, share) in facet.nodes.iter().zip(shares) {
            *areas.entry(node).or_insert(0.0) += share;
        }
    }
    Ok(areas.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_facet_without_an_element_is_an_error() {
        let mesh = Mesh::<2> { points: vec![[0.0, 0.0]], ..Mesh::default() };
        for (kind, nodes) in [(CellKind::Point, vec![0]), (CellKind::Triangle3, vec![0; 3])] {
            let facet = Facet { kind, nodes, cell: 7 };
            let errors = [
                tributary_areas(&mesh, std::slice::from_ref(&facet), Section::default()).unwrap_err(),
                facet_forces(&mesh, &facet, Section::default(), |n| n).unwrap_err(),
            ];
            for message in errors.map(|e| e.to_string()) {
                assert!(message.contains(&format!("cell 7 is a {kind}")) && message.contains("2D"), "{message}");
            }
        }
    }

    /// Half the length times the thickness, and the normal (t_y, −t_x), to the last bit: quadrature adds no rounding to what
    /// plane models have always computed.
    #[test]
    fn a_straight_segment_is_exact_to_the_last_bit() {
        let mut seed = 1_u64;
        let mut next = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
        };
        for _ in 0..200 {
            let points = vec![[next(), next()], [next(), next()]];
            let (thickness, p) = (next().abs(), 1e7 * next());
            let (dx, dy) = (points[1][0] - points[0][0], points[1][1] - points[0][1]);
            let length = (dx * dx + dy * dy).sqrt();
            let area = 0.5 * (length * thickness);
            let exact = [area * (-p * (dy / length)), area * (-p * (-dx / length))];
            let mesh = Mesh::<2> { points, ..Mesh::default() };
            let facet = Facet { kind: CellKind::Segment2, nodes: vec![0, 1], cell: 0 };
            let bits = |f: [f64; 2]| f.map(f64::to_bits);
            for (_, force) in
                facet_forces(&mesh, &facet, Section::PlaneStrain { thickness }, |n| n.map(|n| -p * n)).unwrap()
            {
                assert_eq!(bits(force), bits(exact));
            }
            for (_, share) in tributary_areas(&mesh, &[facet], Section::PlaneStrain { thickness }).unwrap() {
                assert_eq!(share.to_bits(), area.to_bits());
            }
        }
    }

    /// ∫ n dA of a bilinear quadrilateral is half the cross product of its diagonals, however warped.
    #[test]
    fn the_area_vector_of_a_warped_quadrilateral_is_exact() {
        let points = vec![[0.0, 0.0, 0.0], [1.0, 0.1, 0.3], [1.2, 1.0, -0.4], [-0.1, 0.9, 0.5]];
        let mesh = Mesh::<3> { points, ..Mesh::default() };
        let facet = Facet { kind: CellKind::Quad4, nodes: vec![0, 1, 2, 3], cell: 0 };
        let forces = facet_forces(&mesh, &facet, Section::default(), |n| n).unwrap();
        let sum: [f64; 3] = std::array::from_fn(|i| forces.iter().map(|f| f.1[i]).sum());
        let d = |a: usize, b: usize| -> [f64; 3] { std::array::from_fn(|i| mesh.points[b][i] - mesh.points[a][i]) };
        let (a, b) = (d(0, 2), d(1, 3));
        let exact = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
        assert!((0..3).all(|i| (sum[i] - 0.5 * exact[i]).abs() < 1e-15), "{sum:?}: a dozen roundings");
    }

    /// Shares of flat unit facets: ½ and ½; ⅙, ⅙, ⅔; thirds; 0 and ⅓; quarters; −1/12 and ⅓.
    #[test]
    fn shares_of_flat_facets_are_those_of_the_textbooks() {
        let square = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 1.0], [0.0, 0.0, 1.0]];
        let (corner, middle) = (-1.0 / 12.0, 1.0 / 3.0);
        let cases: [(CellKind, &[f64]); 4] = [
            (CellKind::Triangle3, &[1.0 / 6.0; 3]),
            (CellKind::Triangle6, &[0.0, 0.0, 0.0, 1.0 / 6.0, 1.0 / 6.0, 1.0 / 6.0]),
            (CellKind::Quad4, &[0.25; 4]),
            (CellKind::Quad8, &[corner, corner, corner, corner, middle, middle, middle, middle]),
        ];
        for (kind, shares) in cases {
            let mut points = square[..kind.n_corners()].to_vec();
            for &[a, b] in kind.mid_nodes() {
                points.push(std::array::from_fn(|i| 0.5 * (square[a][i] + square[b][i])));
            }
            let mesh = Mesh::<3> { points, ..Mesh::default() };
            let facet = Facet { kind, nodes: (0..kind.n_nodes()).collect(), cell: 0 };
            let areas = tributary_areas(&mesh, &[facet], Section::default()).unwrap();
            for ((_, area), share) in areas.iter().zip(shares) {
                assert!((area - share).abs() < 1e-15, "{kind}: {areas:?}");
            }
        }
        let line = vec![[0.0, 0.0], [1.0, 0.0], [0.5, 0.0]];
        let mesh = Mesh::<2> { points: line, ..Mesh::default() };
        for (kind, shares) in
            [(CellKind::Segment2, &[0.5, 0.5][..]), (CellKind::Segment3, &[1.0 / 6.0, 1.0 / 6.0, 2.0 / 3.0])]
        {
            let facet = Facet { kind, nodes: (0..kind.n_nodes()).collect(), cell: 0 };
            let areas = tributary_areas(&mesh, &[facet], Section::default()).unwrap();
            assert!(areas.iter().zip(shares).all(|((_, area), share)| (area - share).abs() < 1e-15), "{kind}");
        }
    }

    /// With straight edges the place of a point is Σ φ_a x_a of the corners, whatever the middles do; no φ is below zero.
    #[test]
    fn corners_of_face_points_are_linear() {
        let corners = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.5], [2.5, 1.0, 1.0], [0.0, 0.0, 1.5]];
        for kind in [CellKind::Triangle3, CellKind::Triangle6, CellKind::Quad4, CellKind::Quad8] {
            let mut points = corners[..kind.n_corners()].to_vec();
            for &[a, b] in kind.mid_nodes() {
                points.push(std::array::from_fn(|i| 0.5 * (corners[a][i] + corners[b][i])));
            }
            let mesh = Mesh::<3> { points, ..Mesh::default() };
            let facet = Facet { kind, nodes: (0..kind.n_nodes()).collect(), cell: 0 };
            for point in face_points(&mesh, &[facet], Section::default()).unwrap() {
                let place = |shares: &[(usize, f64)], i: usize| -> f64 {
                    shares.iter().map(|&(node, share)| share * mesh.points[node][i]).sum()
                };
                assert_eq!(point.corners.len(), kind.n_corners());
                assert!(point.corners.iter().all(|c| c.1 > 0.0), "{kind}: {point:?}");
                for i in 0..3 {
                    let off = place(&point.corners, i) - place(&point.shares, i);
                    assert!(off.abs() < 1e-14, "{kind}: {point:?}, a dozen roundings");
                }
            }
        }
    }
}
