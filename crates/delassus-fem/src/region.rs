//! The material of each cell.

use std::sync::Arc;

use delassus_mesh::Mesh;

use crate::cell::CellModel;
use crate::error::FemError;
use crate::formulation::Formulation;
use crate::mapping::centre;
use crate::material::Material;
use crate::section::Section;

/// A part of the body made of one material.
#[derive(Clone, Debug)]
pub struct Region {
    /// Name of the material, for messages and output.
    pub name: String,
    /// Group of cells of the region; `None` for all cells that no other region claims.
    pub group: Option<String>,
    /// The material.
    pub material: Arc<dyn Material>,
}

/// The model of a cell by its global number.
pub(crate) fn cell_model<'a>(
    regions: &'a [Region],
    region_of_cell: &[Option<usize>],
    section: Section,
    formulation: Formulation,
    cell: usize,
) -> Option<CellModel<'a>> {
    let region = region_of_cell.get(cell).copied().flatten()?;
    Some(CellModel { material: &*regions[region].material, section, formulation })
}

/// Coupling of the plane with what is across it, over the largest modulus, that is rounding.
const IN_PLANE: f64 = 1e-12;

/// Plane cells have no shear across their plane: a material must not answer strains in the plane with one.
fn check_plane(region: &Region) -> Result<(), FemError> {
    let tangent = region.material.instantaneous().tangent;
    let across = tangent.fixed_view::<2, 4>(4, 0).amax();
    if across > IN_PLANE * tangent.amax() {
        return Err(FemError::OutOfPlane { material: region.name.clone() });
    }
    Ok(())
}

/// The region of each cell, or an error for cells with none or two.
pub(crate) fn regions_of_cells<const D: usize>(
    mesh: &Mesh<D>,
    regions: &[Region],
) -> Result<Vec<Option<usize>>, FemError> {
    if D == 2 {
        regions.iter().try_for_each(check_plane)?;
    }
    let mut of_cell: Vec<Option<usize>> = vec![None; mesh.n_cells()];
    let is_named = |r: &&(usize, &Region)| r.1.group.is_some();
    let numbered: Vec<(usize, &Region)> = regions.iter().enumerate().collect();
    // named groups first, then the one that takes the rest
    for &(k, region) in numbered.iter().filter(is_named).chain(numbered.iter().filter(|r| !is_named(r))) {
        let two = |cell, first: usize| FemError::TwoMaterials {
            cell,
            first: regions[first].name.clone(),
            second: region.name.clone(),
        };
        if let Some(name) = &region.group {
            let group =
                mesh.group_of_dim(name, D).map_err(|e| FemError::from(e).at(format!("material `{}`", region.name)))?;
            if group.dim != D {
                let (material, group, found) = (region.name.clone(), name.clone(), group.dim);
                return Err(FemError::RegionDimension { material, group, found, dimension: D });
            }
            for &cell in &group.cells {
                if let Some(first) = of_cell[cell].replace(k) {
                    return Err(two(cell, first));
                }
            }
        } else {
            for (cell, _, _) in mesh.bulk_cells() {
                match of_cell[cell] {
                    Some(first) if regions[first].group.is_none() => return Err(two(cell, first)),
                    Some(_) => {}
                    None => of_cell[cell] = Some(k),
                }
            }
        }
    }
    let without: Vec<(usize, &[usize])> =
        mesh.bulk_cells().filter(|c| of_cell[c.0].is_none()).map(|(cell, _, nodes)| (cell, nodes)).collect();
    match without.first() {
        Some(&(cell, nodes)) => {
            let x: Vec<[f64; D]> = nodes.iter().map(|&n| mesh.points[n]).collect();
            Err(FemError::NoMaterial { count: without.len(), cell, centre: centre(&x) })
        }
        None => Ok(of_cell),
    }
}
