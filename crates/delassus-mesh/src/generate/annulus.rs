//! Rings of quadrilaterals.

use super::{GeneratedParts, cells, finite, length, on_circle, parameter, total};
use crate::{CellKind, Mesh, MeshError};

/// A ring between two circles, of `n_radial` × `refine` layers and `n_around` × `refine` quadrilaterals
/// round the circle, nodes equally spaced in radius and angle, the first on the positive x axis.
///
/// Groups: `body`; `inner`, `outer`, `boundary` (segments). Points are numbered by circles from the
/// inside, each counter-clockwise.
///
/// # Errors
/// [`MeshError::Parameter`]; [`MeshError::BadCell`] when the cells are below the rounding of `centre`.
pub fn annulus(
    centre: [f64; 2],
    inner_radius: f64,
    outer_radius: f64,
    n_radial: usize,
    n_around: usize,
    refine: usize,
) -> Result<Mesh<2>, MeshError> {
    const SHAPE: &str = "annulus";
    finite(SHAPE, "centre", centre)?;
    length(SHAPE, "inner_radius", inner_radius)?;
    length(SHAPE, "outer_radius", outer_radius)?;
    if inner_radius >= outer_radius {
        return parameter(SHAPE, "inner_radius", inner_radius, "less than outer_radius");
    }
    let n_radial = cells(SHAPE, "n_radial", n_radial, refine, 1)?;
    let n_around = cells(SHAPE, "n_around", n_around, refine, 3)?;
    total(SHAPE, n_radial.saturating_mul(n_around))?;

    let node = |i: usize, j: usize| i * n_around + j % n_around;
    let mut points = Vec::with_capacity((n_radial + 1) * n_around);
    for i in 0..=n_radial {
        // Weighted mean, so that both circles are met exactly.
        let s = i as f64 / n_radial as f64;
        let radius = (1.0 - s) * inner_radius + s * outer_radius;
        points.extend((0..n_around).map(|j| {
            let [cos, sin] = on_circle(4 * j, n_around);
            [centre[0] + radius * cos, centre[1] + radius * sin]
        }));
    }
    let mut bulk = Vec::with_capacity(4 * n_radial * n_around);
    for i in 0..n_radial {
        for j in 0..n_around {
            bulk.extend([node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)]);
        }
    }
    let inner = (0..n_around).map(|j| [node(0, j + 1), node(0, j)]);
    let outer = (0..n_around).map(|j| [node(n_radial, j), node(n_radial, j + 1)]);
    GeneratedParts {
        points,
        kind: CellKind::Quad4,
        cells: bulk,
        segments: inner.chain(outer).collect(),
        curves: vec![("inner", 0..n_around), ("outer", n_around..2 * n_around), ("boundary", 0..2 * n_around)],
        vertices: vec![],
    }
    .finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Area and circumferences are those of the regular polygons; normals point out of the ring.
        #[test]
        fn polygon_ring(n in 3..40_usize, layers in 1..6_usize, refine in 1..3_usize,
                        a in 0.1..5.0_f64, t in 0.01..5.0_f64) {
            let (centre, b) = ([2.0, -1.0], a + t);
            let mesh = annulus(centre, a, b, layers, n, refine).unwrap();
            mesh.validate().unwrap();
            let (n, layers) = (n * refine, layers * refine);
            prop_assert_eq!(mesh.n_points(), n * (layers + 1));
            prop_assert_eq!(mesh.bulk_cells().count(), n * layers);
            let step = std::f64::consts::TAU / n as f64;
            let area = 0.5 * n as f64 * step.sin() * (b * b - a * a);
            // Coordinates up to 12 carry 2e-15; the ring may be a hundredth of that wide.
            prop_assert!((mesh.total_measure() / area - 1.0).abs() < 1e-11);
            for (name, radius, sign) in [("inner", a, -1.0), ("outer", b, 1.0)] {
                let facets = mesh.group_facets(name).unwrap();
                prop_assert_eq!(facets.len(), n);
                for facet in &facets {
                    let (normal, middle) = (mesh.facet_normal(facet), mesh.facet_centre(facet));
                    let radial = [middle[0] - centre[0], middle[1] - centre[1]];
                    let expected = sign * radius * (0.5 * step).cos();
                    prop_assert!((normal[0] * radial[0] + normal[1] * radial[1] - expected).abs() < 1e-11);
                }
            }
            prop_assert_eq!(mesh.boundary().len(), 2 * n);
        }
    }
}
