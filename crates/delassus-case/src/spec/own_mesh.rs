//! `Own` meshes: those that a program makes in memory.

use std::any::Any;
use std::sync::Arc;

use delassus_error::Own;
use delassus_mesh::Mesh;
use sha2::{Digest, Sha256};

use super::MeshSpec;
use crate::hash::hexadecimal;

/// A mesh that a program made, for one dimension.
#[derive(Clone, Debug)]
pub enum OwnMesh {
    /// In the plane.
    Plane(Mesh<2>),
    /// In space.
    Space(Mesh<3>),
}

impl OwnMesh {
    /// Its dimension.
    #[must_use]
    pub fn dimension(&self) -> usize {
        match self {
            Self::Plane(_) => 2,
            Self::Space(_) => 3,
        }
    }

    /// The mesh, if D is its dimension.
    #[must_use]
    pub fn mesh<const D: usize>(&self) -> Option<&Mesh<D>> {
        let mesh: &dyn Any = match self {
            Self::Plane(mesh) => mesh,
            Self::Space(mesh) => mesh,
        };
        mesh.downcast_ref()
    }

    /// Hash of its points, cells and groups, as that of a mesh file.
    #[must_use]
    pub fn hash(&self) -> String {
        match self {
            Self::Plane(mesh) => hash_of(mesh),
            Self::Space(mesh) => hash_of(mesh),
        }
    }
}

fn hash_of<const D: usize>(mesh: &Mesh<D>) -> String {
    let mut hash = Sha256::new();
    let mut number = |n: usize| hash.update((n as u64).to_le_bytes());
    // Lengths first, so that no two meshes write the same bytes.
    number(mesh.points.len());
    mesh.points.iter().flatten().for_each(|x| number(x.to_bits() as usize));
    for block in &mesh.blocks {
        number(block.nodes.len());
        format!("{:?}", block.kind).bytes().for_each(|b| number(usize::from(b)));
        block.nodes.iter().for_each(|&n| number(n));
    }
    for group in &mesh.groups {
        number(group.name.len());
        group.name.bytes().for_each(|b| number(usize::from(b)));
        [group.tag as usize, group.dim, group.cells.len()].into_iter().for_each(&mut number);
        group.cells.iter().for_each(|&n| number(n));
    }
    hexadecimal(&hash.finalize())
}

impl From<OwnMesh> for MeshSpec {
    /// The mesh, named after its hash.
    fn from(mesh: OwnMesh) -> Self {
        let name = format!("mesh {}", &mesh.hash()[..16]);
        Self::Own(Own::new(name, Arc::new(mesh)))
    }
}

impl From<Mesh<2>> for MeshSpec {
    fn from(mesh: Mesh<2>) -> Self {
        OwnMesh::Plane(mesh).into()
    }
}

impl From<Mesh<3>> for MeshSpec {
    fn from(mesh: Mesh<3>) -> Self {
        OwnMesh::Space(mesh).into()
    }
}
