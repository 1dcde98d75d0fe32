//! A body as a model sees it: a [`System`] whose *sites* contacts act on. This is the door for other kinds of bodies.
//!
//! ```text
//! V_k = J_k(q) v             velocity of site k, D numbers
//! f   = Σ_k J_kᵀ(q) p_k      impulses at the sites, on the degrees of freedom
//! w_kl = J_k M̂⁻¹ J_lᵀ        what the Delassus operator is made of (Jean 1995 §3)
//! ```
//!
//! The nodes of the body's mesh are its first sites. A body that turns has one more, the site of its rotation: V = ω in space, (ω, 0) in the
//! plane; an impulse there is a moment. A contact names sites and weights, or an arm from a site of a body that turns
//! ([`Map`](delassus_contact::Map)), so a row of a contact may act on points, on rotations, or on several bodies. A law with more rows than D (rolling friction)
//! is a second contact of the same points, whose rows act on the rotations.
//!
//! The step, the solvers and the laws see q, v and sites alone. A deformable body has J_k = the D degrees of freedom of node k, a large sparse M̂,
//! and its w is condensed on the nodes of contact. Every other body has a few degrees of freedom; its J_k are small matrices ([`SpatialBody::jacobian`]) and its w
//! is one dense matrix.
//!
//! A new kind of body is a type that implements [`System`] and [`SpatialBody`]; nothing is registered.

use std::borrow::Cow;
use std::sync::Arc;

use delassus_dynamics::{State, System};
use delassus_fem::{Body, BodyRotation, CellFields, FemError};
use delassus_mesh::Mesh;
use delassus_rigid::RigidBody;
use nalgebra::{Const, Dyn, OMatrix};

/// J_k of a site: D rows, a column for each degree of freedom.
pub type Jacobian<const D: usize> = OMatrix<f64, Const<D>, Dyn>;

/// A body with sites in D dimensions.
pub trait SpatialBody<const D: usize>: System {
    /// Its mesh as it is drawn, in the reference configuration. Every node is a site.
    fn mesh(&self) -> &Arc<Mesh<D>>;
    /// Number of sites: the nodes, and the rotation if it has one.
    fn n_sites(&self) -> usize {
        self.mesh().n_points()
    }
    /// The configuration as it is given: q of the mesh where it stands.
    fn reference(&self) -> Vec<f64> {
        vec![0.0; self.n_position()]
    }
    /// The state at t = 0 with velocities `v`.
    fn at_start(&self, v: Vec<f64>) -> State {
        State::new(0.0, self.reference(), v)
    }
    /// Displacements of the nodes from the reference configuration, D numbers each \[m\]; further sites may follow.
    fn displacements<'a>(&'a self, q: &'a [f64]) -> Cow<'a, [f64]>;
    /// J v: velocities of the sites in the configuration `q`, D numbers each \[m/s\].
    fn site_velocities<'a>(&self, q: &[f64], v: &'a [f64]) -> Cow<'a, [f64]> {
        let v = nalgebra::DVector::from_column_slice(v);
        let sites = (0..self.n_sites()).filter_map(|k| self.jacobian(q, k));
        Cow::Owned(sites.flat_map(|j| (j * &v).iter().copied().collect::<Vec<_>>()).collect())
    }
    /// Jᵀ p: impulses at the sites, on the degrees of freedom \[N·s\].
    fn gathered(&self, q: &[f64], impulses: Vec<f64>) -> Vec<f64> {
        let mut out = nalgebra::DVector::zeros(self.n_dof());
        for (k, p) in impulses.chunks_exact(D).enumerate().filter(|(_, p)| p.iter().any(|x| x.abs() > 0.0)) {
            if let Some(j) = self.jacobian(q, k) {
                out += j.tr_mul(&nalgebra::SVector::<f64, D>::from_column_slice(p));
            }
        }
        out.as_slice().to_vec()
    }
    /// J_k(q) of a site; `None` if it is the D degrees of freedom `D * k`…, as in a deformable body.
    fn jacobian(&self, q: &[f64], site: usize) -> Option<Jacobian<D>>;
    /// Adds the momentum of the body \[N·s\].
    fn add_momentum(&self, v: &[f64], total: &mut [f64; D]);
    /// Mass of the body \[kg\].
    fn total_mass(&self) -> f64;
    /// The body as it is at t = 0, for the search of an equilibrium: no viscosity, no damping, supports at rest, loads at their value of t = 0.
    ///
    /// # Errors
    /// A [`FemError`] for a body that cannot be at rest.
    fn frozen(&self) -> Result<Box<dyn SpatialBody<D>>, FemError>;
    /// How far the body has turned, if rotations make its result wrong.
    fn rotation(&self, _state: &State) -> Option<BodyRotation> {
        None
    }
    /// Stress and strain of the cells that have them.
    fn cell_fields(&self, _state: &State) -> CellFields {
        CellFields::default()
    }
    /// Memory it takes \[B\].
    fn bytes(&self) -> usize {
        size_of::<f64>() * D * self.mesh().n_points()
    }
    /// The finite-element body, if it is one: for what elements and materials alone have.
    fn finite_elements(&self) -> Option<&Body<D>> {
        None
    }
    /// The rigid body, if it is one: for what a place and a rotation alone have.
    fn rigid(&self) -> Option<&RigidBody<D>> {
        None
    }
}

impl<const D: usize> dyn SpatialBody<D> + '_ {
    /// World coordinates of the nodes in a configuration \[m\].
    #[must_use]
    pub fn positions(&self, q: &[f64]) -> Vec<f64> {
        self.mesh().points.iter().flatten().zip(self.displacements(q).iter()).map(|(x, u)| x + u).collect()
    }

    /// World coordinates of the nodes in the reference configuration \[m\].
    #[must_use]
    pub fn rest_positions(&self) -> Vec<f64> {
        self.mesh().points.iter().flatten().copied().collect()
    }
}

impl<const D: usize> SpatialBody<D> for Body<D> {
    fn mesh(&self) -> &Arc<Mesh<D>> {
        Body::mesh(self)
    }

    fn at_start(&self, v: Vec<f64>) -> State {
        Body::at_start(self, v)
    }

    fn displacements<'a>(&'a self, q: &'a [f64]) -> Cow<'a, [f64]> {
        Cow::Borrowed(q)
    }

    fn site_velocities<'a>(&self, _q: &[f64], v: &'a [f64]) -> Cow<'a, [f64]> {
        Cow::Borrowed(v)
    }

    fn gathered(&self, _q: &[f64], impulses: Vec<f64>) -> Vec<f64> {
        impulses
    }

    fn jacobian(&self, _q: &[f64], _site: usize) -> Option<Jacobian<D>> {
        None
    }

    fn add_momentum(&self, v: &[f64], total: &mut [f64; D]) {
        let mut p = vec![0.0; v.len()];
        self.mass_times_into(v, &mut p);
        for node in p.chunks_exact(D) {
            for (t, x) in total.iter_mut().zip(node) {
                *t += x;
            }
        }
    }

    fn total_mass(&self) -> f64 {
        Body::total_mass(self)
    }

    fn frozen(&self) -> Result<Box<dyn SpatialBody<D>>, FemError> {
        Ok(Box::new(Body::frozen(self)?))
    }

    fn rotation(&self, state: &State) -> Option<BodyRotation> {
        Body::rotation(self, state)
    }

    fn cell_fields(&self, state: &State) -> CellFields {
        Body::cell_fields(self, state)
    }

    fn bytes(&self) -> usize {
        Body::bytes(self)
    }

    fn finite_elements(&self) -> Option<&Body<D>> {
        Some(self)
    }
}
