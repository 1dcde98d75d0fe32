//! Areas of boundary facets and their shares on nodes.
//!
//! ```text
//! A_a = t ∫ N_a ds      (t: thickness of the section; a straight segment gives half its length to each end)
//! ```

use std::collections::BTreeMap;

use delassus_mesh::{CellKind, Facet, Mesh};

use crate::FemError;

/// ∫ N_a ds of each node of a facet, relative to the measure of the facet.
fn shares(kind: CellKind) -> Option<&'static [f64]> {
    match kind {
        CellKind::Segment2 => Some(&[0.5, 0.5]),
        _ => None,
    }
}

/// The outward unit normal of a facet; facets have the body on their left.
pub(crate) fn facet_normal<const D: usize>(mesh: &Mesh<D>, facet: &Facet) -> Result<[f64; D], FemError> {
    match (D, facet.kind, facet.nodes.as_slice()) {
        (2, CellKind::Segment2, &[a, b]) => {
            let along: [f64; D] = std::array::from_fn(|i| mesh.points[b][i] - mesh.points[a][i]);
            let length = along.iter().map(|x| x * x).sum::<f64>().sqrt();
            Ok(std::array::from_fn(|i| if i == 0 { along[1] / length } else { -along[0] / length }))
        }
        _ => Err(FemError::NoElement { cell: facet.cell, kind: facet.kind, dimension: D }),
    }
}

/// The area of each node of a facet \[m²\]: (node, area).
pub(crate) fn facet_areas<const D: usize>(
    mesh: &Mesh<D>,
    facet: &Facet,
    thickness: f64,
) -> Result<impl Iterator<Item = (usize, f64)>, FemError> {
    let no_element = FemError::NoElement { cell: facet.cell, kind: facet.kind, dimension: D };
    let shares = shares(facet.kind).ok_or(no_element)?;
    let area = mesh.facet_measure(facet) * thickness;
    Ok(facet.nodes.iter().copied().zip(shares.iter().map(move |share| share * area)))
}

/// The area that belongs to each node of a surface \[m²\], nodes ascending.
pub(crate) fn tributary_areas<const D: usize>(
    mesh: &Mesh<D>,
    facets: &[Facet],
    thickness: f64,
) -> Result<Vec<(usize, f64)>, FemError> {
    let mut areas = BTreeMap::new();
    for facet in facets {
        for (node, area) in facet_areas(mesh, facet, thickness)? {
            *areas.entry(node).or_insert(0.0) += area;
        }
    }
    Ok(areas.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_facet_without_shares_is_an_error() {
        let mesh = Mesh::<2> { points: vec![[0.0, 0.0]], ..Mesh::default() };
        let facet = Facet { kind: CellKind::Point, nodes: vec![0], cell: 7 };
        let errors = [
            tributary_areas(&mesh, std::slice::from_ref(&facet), 1.0).unwrap_err(),
            facet_normal(&mesh, &facet).unwrap_err(),
        ];
        for message in errors.map(|e| e.to_string()) {
            assert!(message.contains("cell 7 is a Point") && message.contains("2D"), "{message}");
        }
    }
}
