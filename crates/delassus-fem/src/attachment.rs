//! What links the nodes of a group to the ground: springs, dashpots, point masses, and dashpots that absorb waves.
//!
//! ```text
//! F = −K_g u − C_g v ,      K_g, C_g = diag of the given totals / n on each of the n nodes ,      M += m / n
//! absorbing:   t = −ρ c_p (v·n) n − ρ c_s (v − (v·n) n)          Lysmer & Kuhlemeyer 1969, eqs. (1), (2) with a = b = 1
//!              C_g,a = ∫ N_a (ρ c_p n nᵀ + ρ c_s (1 − n nᵀ)) dA
//! ```
//!
//! with c_p = √((λ + 2μ)/ρ) and c_s = √(μ/ρ) of the material at the facet; in plane stress λ + 2μ is replaced by λ + 2μ − λ²/(λ + 2μ). A plane wave that
//! meets the boundary at a right angle leaves it without reflection, one at an angle in part (Lysmer & Kuhlemeyer 1969, fig. 3).
//! The blocks are symmetric and not negative, so that the links store and dissipate energy, and never give any.

use std::collections::BTreeMap;

use delassus_dynamics::Matrices;
use delassus_mesh::Mesh;
use nalgebra::{SMatrix, SVector};

use crate::error::{FemError, check_non_negative};
use crate::material::{Kinematics3, Material};
use crate::section::Section;
use crate::sparsity::NodeBlocks;
use crate::surface::facet_forces;

/// A link between the nodes of a group and the ground.
#[derive(Clone, Debug, PartialEq)]
pub struct Attachment<const D: usize> {
    /// Name of the group; of facets, if it absorbs.
    pub group: String,
    /// Stiffness along each axis, of all nodes together \[N/m\].
    pub stiffness: [f64; D],
    /// Damping along each axis, of all nodes together \[N·s/m\].
    pub damping: [f64; D],
    /// Mass, of all nodes together \[kg\].
    pub mass: f64,
    /// Does it absorb waves?
    pub absorbing: bool,
}

impl<const D: usize> Attachment<D> {
    /// Has it more than mass?
    fn acts(&self) -> bool {
        self.absorbing || self.stiffness.iter().chain(&self.damping).any(|x| *x > 0.0)
    }
}

/// The links of a body, node by node.
#[derive(Clone, Debug, Default)]
pub(crate) struct GroundLinks<const D: usize> {
    /// Node, K_g \[N/m\], C_g \[N·s/m\]; nodes ascending.
    blocks: Vec<(usize, SMatrix<f64, D, D>, SMatrix<f64, D, D>)>,
    /// Node and its mass \[kg\].
    masses: Vec<(usize, f64)>,
}

impl<const D: usize> GroundLinks<D> {
    /// Of a body whose facets belong to cells of these materials.
    pub fn new<'m>(
        attachments: &[Attachment<D>],
        mesh: &Mesh<D>,
        section: Section,
        material_of: impl Fn(usize) -> Option<&'m dyn Material>,
    ) -> Result<Self, FemError> {
        let mut blocks = BTreeMap::new();
        let mut masses = Vec::new();
        for link in attachments {
            let place = |e: FemError| e.at(format!("attachment of `{}`", link.group));
            let share = |values: &[f64; D], n: f64| SMatrix::from_diagonal(&SVector::from(values.map(|x| x / n)));
            let named = [("stiffness", &link.stiffness), ("damping", &link.damping)];
            for (name, value) in named.into_iter().flat_map(|(name, values)| values.map(|x| (name, x))) {
                check_non_negative("attachment", name, value).map_err(place)?;
            }
            check_non_negative("attachment", "mass", link.mass).map_err(place)?;
            let nodes = mesh.group_nodes(mesh.group(&link.group).map_err(|e| place(e.into()))?);
            let n = nodes.len() as f64;
            for node in nodes {
                let block = blocks.entry(node).or_insert((SMatrix::zeros(), SMatrix::zeros()));
                block.0 += share(&link.stiffness, n);
                block.1 += share(&link.damping, n);
                if link.mass > 0.0 {
                    masses.push((node, link.mass / n));
                }
            }
            if link.absorbing {
                for (node, damping) in absorbed(link, mesh, section, &material_of).map_err(place)? {
                    blocks.entry(node).or_insert((SMatrix::zeros(), SMatrix::zeros())).1 += damping;
                }
            }
        }
        Ok(Self { blocks: blocks.into_iter().map(|(node, (k, c))| (node, k, c)).collect(), masses })
    }

    /// Does a link do more than add mass?
    pub fn act(attachments: &[Attachment<D>]) -> bool {
        attachments.iter().any(Attachment::acts)
    }

    /// Adds the masses to those of the nodes.
    pub fn add_masses(&self, node_masses: &mut [f64]) {
        self.masses.iter().for_each(|&(node, mass)| node_masses[node] += mass);
    }

    /// Adds K_g and C_g to matrices of this pattern, and the masses to a consistent M; a lumped one has them from the nodes.
    pub fn add_matrices(&self, pattern: &NodeBlocks<D>, matrices: &mut Matrices) {
        if !matrices.lumped {
            for &(node, mass) in &self.masses {
                (0..D).for_each(|i| matrices.mass.values_mut()[pattern.entry(node, 0, i, i)] += mass);
            }
        }
        if matrices.damping.nnz() < pattern.n_entries() {
            // C has no entries yet, or those of a lumped M alone.
            let mut damping = pattern.zeros();
            for (dof, c) in matrices.damping.values().iter().enumerate() {
                damping.values_mut()[pattern.entry(dof / D, 0, dof % D, dof % D)] += c;
            }
            matrices.damping = damping;
        }
        for (node, k, c) in &self.blocks {
            for (i, j) in (0..D).flat_map(|j| (j..D).map(move |i| (i, j))) {
                let at = pattern.entry(*node, 0, i, j);
                matrices.stiffness.values_mut()[at] += k[(i, j)];
                matrices.damping.values_mut()[at] += c[(i, j)];
            }
        }
    }

    /// `out` += K_g u.
    pub fn add_elastic(&self, u: &[f64], out: &mut [f64]) {
        self.blocks.iter().for_each(|(node, k, _)| add(k, *node, u, out));
    }

    /// `out` += C_g v.
    pub fn add_viscous(&self, v: &[f64], out: &mut [f64]) {
        self.blocks.iter().for_each(|(node, _, c)| add(c, *node, v, out));
    }

    /// ½ u·K_g u \[J\].
    pub fn energy(&self, u: &[f64]) -> f64 {
        let of = |(node, k, _): &(usize, SMatrix<f64, D, D>, _)| {
            let u = SVector::<f64, D>::from_column_slice(&u[D * node..D * node + D]);
            0.5 * u.dot(&(k * u))
        };
        self.blocks.iter().map(of).sum()
    }

    /// The degrees of freedom that springs hold, ascending.
    pub fn held(&self) -> Vec<usize> {
        let of = |(node, k, _): &(usize, SMatrix<f64, D, D>, _)| {
            let (node, k) = (*node, *k);
            (0..D).filter(move |&i| k[(i, i)] > 0.0).map(move |i| D * node + i)
        };
        self.blocks.iter().flat_map(of).collect()
    }

    /// Is there damping?
    pub fn damp(&self) -> bool {
        self.blocks.iter().any(|(_, _, c)| c.amax() > 0.0)
    }

    /// Is there anything besides masses?
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Numbers that it keeps.
    pub fn n_numbers(&self) -> usize {
        self.blocks.len() * (1 + 2 * D * D) + 2 * self.masses.len()
    }
}

fn add<const D: usize>(block: &SMatrix<f64, D, D>, node: usize, x: &[f64], out: &mut [f64]) {
    let y = block * SVector::<f64, D>::from_column_slice(&x[D * node..D * node + D]);
    (0..D).for_each(|i| out[D * node + i] += y[i]);
}

/// The dashpots of an absorbing group: node and block, facet by facet.
fn absorbed<'m, const D: usize>(
    link: &Attachment<D>,
    mesh: &Mesh<D>,
    section: Section,
    material_of: &impl Fn(usize) -> Option<&'m dyn Material>,
) -> Result<Vec<(usize, SMatrix<f64, D, D>)>, FemError> {
    let mut found = Vec::new();
    for facet in mesh.group_facets(&link.group)? {
        let Some(material) = material_of(facet.cell) else { continue };
        let [along, across] = impedances(material, section);
        // Row i of the block, from the traction of a unit velocity along i.
        let mut blocks: Vec<(usize, SMatrix<f64, D, D>)> = Vec::new();
        for i in 0..D {
            let traction = |n: [f64; D]| -> [f64; D] {
                std::array::from_fn(|j| {
                    let straight = n[i] * n[j];
                    let unit = if i == j { 1.0 } else { 0.0 };
                    along * straight + across * (unit - straight)
                })
            };
            for (k, (node, force)) in facet_forces(mesh, &facet, section, traction)?.into_iter().enumerate() {
                if i == 0 {
                    blocks.push((node, SMatrix::zeros()));
                }
                blocks[k].1.set_row(i, &SVector::from(force).transpose());
            }
        }
        if let Some((node, _)) = blocks.iter().find(|(_, c)| (0..D).any(|i| c[(i, i)] < 0.0)) {
            return Err(FemError::AbsorbingCorner { node: *node });
        }
        found.extend(blocks);
    }
    Ok(found)
}

/// ρ c_p and ρ c_s \[Pa·s/m\].
fn impedances(material: &dyn Material, section: Section) -> [f64; 2] {
    let mut z = vec![0.0; material.n_internal()];
    let natural = z.clone();
    let tangent = material.respond(&Kinematics3::rest(), 0.0, &natural, &mut z).tangent;
    // Mandel: the shear entries are 2μ.
    let (straight, lateral, double_shear) = (tangent[(0, 0)], tangent[(0, 1)], tangent[(5, 5)]);
    let straight = match section {
        Section::PlaneStress { .. } => straight - lateral * lateral / straight,
        Section::PlaneStrain { .. } | Section::Axisymmetric | Section::Solid => straight,
    };
    [straight, 0.5 * double_shear].map(|modulus| (modulus * material.density()).max(0.0).sqrt())
}
