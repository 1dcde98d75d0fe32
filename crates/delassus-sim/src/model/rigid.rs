//! A rigid body as a model sees it.
//!
//! Its sites are the nodes of its mesh, then its rotation, then its centre of mass: contacts of shapes act at arms from the centre.

use std::borrow::Cow;
use std::sync::Arc;

use delassus_dynamics::{State, System};
use delassus_fem::FemError;
use delassus_mesh::Mesh;
use delassus_rigid::RigidBody;
use nalgebra::SVector;

use super::spatial::{Jacobian, SpatialBody};

/// Number of the site of the rotation of a rigid body.
#[must_use]
pub fn rotation_site<const D: usize>(mesh: &Mesh<D>) -> usize {
    mesh.n_points()
}

/// Number of the site of its centre of mass.
#[must_use]
pub fn centre_site<const D: usize>(mesh: &Mesh<D>) -> usize {
    mesh.n_points() + 1
}

/// J of a site, column by column.
fn columns<const D: usize>(body: &RigidBody<D>, q: &[f64], site: usize) -> Vec<SVector<f64, D>> {
    let mesh = &body.input().mesh;
    if site == rotation_site(mesh) {
        return body.turn_jacobian(q);
    }
    let arm = if site < mesh.n_points() { body.arm(site) } else { SVector::zeros() };
    body.point_jacobian(q, &arm)
}

impl<const D: usize> SpatialBody<D> for RigidBody<D> {
    fn mesh(&self) -> &Arc<Mesh<D>> {
        &self.input().mesh
    }

    fn n_sites(&self) -> usize {
        self.input().mesh.n_points() + 2
    }

    fn reference(&self) -> Vec<f64> {
        RigidBody::reference(self)
    }

    fn at_start(&self, v: Vec<f64>) -> State {
        RigidBody::at_start(self, v)
    }

    fn displacements<'a>(&'a self, q: &'a [f64]) -> Cow<'a, [f64]> {
        let turn = self.pose(q).rotation - nalgebra::SMatrix::<f64, D, D>::identity();
        let u = SVector::<f64, D>::from_column_slice(&q[..D]);
        let place = |arm: &SVector<f64, D>| <[f64; D]>::from(u + turn * arm);
        // Beyond the nodes: nothing for the rotation, u for the centre of mass.
        let mut out: Vec<f64> = self.arms().iter().flat_map(place).collect();
        out.extend(SVector::<f64, D>::zeros().iter());
        out.extend(u.iter());
        Cow::Owned(out)
    }

    fn site_velocities<'a>(&self, q: &[f64], v: &'a [f64]) -> Cow<'a, [f64]> {
        let rotation = self.pose(q).rotation;
        let of = |columns: Vec<SVector<f64, D>>| columns.iter().zip(v).map(|(c, v)| c * *v).sum::<SVector<f64, D>>();
        let (turn, centre) = (of(self.turn_jacobian(q)), of(self.point_jacobian(q, &SVector::zeros())));
        let point = |arm: &SVector<f64, D>| {
            let arm = rotation * arm;
            centre
                + SVector::<f64, D>::from_fn(|i, _| match (D, i) {
                    (2, 0) => -turn[0] * arm[1],
                    (2, _) => turn[0] * arm[0],
                    _ => turn[(i + 1) % D] * arm[(i + 2) % D] - turn[(i + 2) % D] * arm[(i + 1) % D],
                })
        };
        let mut out: Vec<f64> = self.arms().iter().flat_map(|arm| <[f64; D]>::from(point(arm))).collect();
        out.extend(turn.iter());
        out.extend(centre.iter());
        Cow::Owned(out)
    }

    fn jacobian(&self, q: &[f64], site: usize) -> Option<Jacobian<D>> {
        Some(Jacobian::<D>::from_columns(&columns(self, q, site)))
    }

    fn add_momentum(&self, v: &[f64], total: &mut [f64; D]) {
        total.iter_mut().zip(v).for_each(|(t, v)| *t += self.input().inertia.mass * v);
    }

    fn total_mass(&self) -> f64 {
        self.input().inertia.mass
    }

    fn frozen(&self) -> Result<Box<dyn SpatialBody<D>>, FemError> {
        Ok(Box::new(RigidBody::frozen(self)))
    }

    fn bytes(&self) -> usize {
        2 * size_of::<f64>() * D * (self.input().mesh.n_points() + self.n_dof())
    }

    fn rigid(&self) -> Option<&RigidBody<D>> {
        Some(self)
    }
}
