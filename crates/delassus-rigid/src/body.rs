//! A rigid body.
//!
//! ```text
//! q = (u, orientation)       u: displacement of the centre of mass; (cos φ, sin φ) in the plane, a unit quaternion (w, x, y, z) of the principal axes in space
//! v = (ẋ, Ω)                 ẋ in the axes of space, Ω in principal axes: M = diag(m, …, I₁, I₂, I₃)
//! z = L                      angular momentum in the axes of space (in space only)
//! V(X) = ẋ + R (Ω × a)       a: from the centre of mass to a point, in principal axes
//! ```
//!
//! One step (Jean & Moreau 1992 §4 with an exact free rotation): drift to the contact configuration with L kept, impulses there with the inertia R_c I R_cᵀ, drift to the
//! end with the new L. In the plane Ω does not change on the way. A point mass has no rotation.

use std::sync::Arc;

use delassus_dynamics::{Drifted, Drifting, Matrices, State, System};
use delassus_fem::{Gravity, TimeFunction};
use delassus_math::{atan2, sin_cos};
use delassus_mesh::Mesh;
use delassus_shapes::RigidShape;
use nalgebra::{Matrix3, Quaternion, SMatrix, SVector, UnitQuaternion, Vector3};
use nalgebra_sparse::CscMatrix;

use crate::free_turn::{body_spin, normalised, turned};
use crate::{AppliedForce, RigidError, RigidGuide, RigidInertia};

/// What a rigid body is made of.
#[derive(Clone, Debug)]
pub struct RigidInput<const D: usize> {
    /// Name.
    pub name: String,
    /// The body as it is drawn, where it stands at the start.
    pub mesh: Arc<Mesh<D>>,
    /// Mass, centre, moments.
    pub inertia: RigidInertia<D>,
    /// Accelerations.
    pub gravity: Vec<Gravity<D>>,
    /// Forces and moments.
    pub forces: Vec<AppliedForce<D>>,
    /// Prescribed velocities.
    pub guide: RigidGuide<D>,
    /// Its shape, whose origin is the centre of mass; none for a body that touches by points and facets of its mesh alone.
    pub shape: Option<Arc<RigidShape<D>>>,
    /// What of it touches surfaces that have no shape of their own: points of one radius in each entry.
    pub touching: Vec<TouchingPoints>,
    /// In the plane its thickness \[m\]; 1 in space.
    pub thickness: f64,
    /// How it is drawn if its mesh has no cells; none: as a point.
    pub picture: Option<RigidPicture<D>>,
}

/// A picture that bodies of all sizes share.
#[derive(Clone, Debug)]
pub struct RigidPicture<const D: usize> {
    /// Cells about the origin, which is the centre of mass.
    pub mesh: Arc<Mesh<D>>,
    /// What its coordinates are multiplied by \[m\].
    pub scale: f64,
}

/// The points by which a rigid body touches obstacles and facets.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TouchingPoints {
    /// Nodes of its mesh.
    pub nodes: Vec<usize>,
    /// Radius of the balls about them; 0 for points \[m\].
    pub radius: f64,
}

/// Where a rigid body is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidPose<const D: usize> {
    /// Centre of mass \[m\].
    pub centre: SVector<f64, D>,
    /// Rotation from the body as it is given.
    pub rotation: SMatrix<f64, D, D>,
}

/// A rigid body.
#[derive(Clone, Debug)]
pub struct RigidBody<const D: usize> {
    input: RigidInput<D>,
    matrices: Matrices,
    /// From the centre of mass to the nodes as given \[m\].
    arms: Vec<SVector<f64, D>>,
    /// Principal moments; in the plane the third. None for a point mass \[kg m²\].
    moments: Option<Vector3<f64>>,
    /// Principal axes in the body as given.
    axes: UnitQuaternion<f64>,
    /// Degrees of freedom that are prescribed, ascending, with factor and function.
    prescribed: Vec<usize>,
    guided: Vec<(f64, TimeFunction)>,
}

/// Moments of inertia below zero, or over the sum of the others, by this part of the largest are rounding.
const ROUNDED: f64 = 1e-9;

impl<const D: usize> RigidBody<D> {
    /// Checks mass and moments.
    ///
    /// # Errors
    /// [`RigidError`] for a mass or moments that no body has.
    pub fn new(input: RigidInput<D>) -> Result<Self, RigidError> {
        let mass = input.inertia.mass;
        if !(mass > 0.0 && mass.is_finite()) {
            return Err(RigidError::RigidMass { body: input.name, mass });
        }
        let (moments, axes) = match &input.inertia.moments {
            None => (None, UnitQuaternion::identity()),
            Some(inertia) => {
                let (moments, axes) = principal::<D>(inertia);
                let known = if D == 2 { moments.as_slice()[2..].to_vec() } else { moments.as_slice().to_vec() };
                let largest = known.iter().fold(0.0, |m: f64, i| m.max(*i));
                let positive = known.iter().all(|i| *i > 0.0 && i.is_finite());
                let possible = D == 2 || 2.0 * largest <= known.iter().sum::<f64>() + ROUNDED * largest;
                if !(positive && possible) {
                    return Err(RigidError::RigidInertia { body: input.name, moments: known });
                }
                (Some(moments), axes)
            }
        };
        let centre = input.inertia.centre;
        let arms = input.mesh.points.iter().map(|x| SVector::from(*x) - centre).collect();
        let mut masses = vec![mass; D];
        if let Some(i) = &moments {
            masses.extend(if D == 2 { &i.as_slice()[2..] } else { i.as_slice() });
        }
        let mut out = Self {
            matrices: diagonal(&masses),
            arms,
            moments,
            axes,
            prescribed: Vec::new(),
            guided: Vec::new(),
            input,
        };
        out.prescribe();
        Ok(out)
    }

    fn prescribe(&mut self) {
        let guide = &self.input.guide;
        for (dof, f) in guide.velocity.iter().enumerate() {
            if let Some(f) = f {
                self.prescribed.push(dof);
                self.guided.push((1.0, f.clone()));
            }
        }
        if let (Some(f), Some(_)) = (&guide.spin, &self.moments) {
            if D == 2 {
                self.prescribed.push(D);
                self.guided.push((1.0, f.clone()));
            } else {
                let axis = self.axes.inverse_transform_vector(&guide.axis);
                for (k, share) in axis.iter().enumerate() {
                    self.prescribed.push(D + k);
                    self.guided.push((*share, f.clone()));
                }
            }
        }
    }

    /// What it was made of.
    #[must_use]
    pub fn input(&self) -> &RigidInput<D> {
        &self.input
    }

    /// How it is drawn: cells that move with it where it stands at the start, and from its centre of mass to their points \[m\]. A grain without a picture has none.
    #[must_use]
    pub fn drawn(&self) -> (&Mesh<D>, Vec<SVector<f64, D>>) {
        match &self.input.picture {
            Some(picture) => {
                let arm = |x: &[f64; D]| SVector::from(*x) * picture.scale;
                (&picture.mesh, picture.mesh.points.iter().map(arm).collect())
            }
            None => (&self.input.mesh, self.arms.clone()),
        }
    }

    /// Its radius if it is a disk or a ball \[m\].
    #[must_use]
    pub fn ball_radius(&self) -> Option<f64> {
        match &self.input.touching[..] {
            [TouchingPoints { nodes, radius }] => (nodes.len() == 1 && *radius > 0.0).then_some(*radius),
            _ => None,
        }
    }

    /// Does it turn? A point mass does not.
    #[must_use]
    pub fn turns(&self) -> bool {
        self.moments.is_some()
    }

    /// Number of degrees of freedom of the rotation.
    fn n_turn(&self) -> usize {
        match (self.moments, D) {
            (None, _) => 0,
            (Some(_), 2) => 1,
            _ => 3,
        }
    }

    /// Is the rotation prescribed?
    fn is_guided(&self) -> bool {
        self.input.guide.spin.is_some()
    }

    /// From the centre of mass to a node, as given \[m\].
    #[must_use]
    pub fn arm(&self, node: usize) -> SVector<f64, D> {
        self.arms[node]
    }

    /// From the centre of mass to the nodes, as given \[m\].
    #[must_use]
    pub fn arms(&self) -> &[SVector<f64, D>] {
        &self.arms
    }

    /// The configuration as it is given.
    #[must_use]
    pub fn reference(&self) -> Vec<f64> {
        let mut q = vec![0.0; D];
        match self.n_turn() {
            0 => {}
            1 => q.extend([1.0, 0.0]),
            _ => q.extend(parts(&self.axes)),
        }
        q
    }

    /// v of a velocity of the centre and an angular velocity in the axes of space, as given; in the plane the third component.
    #[must_use]
    pub fn velocity(&self, centre: &[f64; D], spin: &Vector3<f64>) -> Vec<f64> {
        let mut v = centre.to_vec();
        match self.n_turn() {
            0 => {}
            1 => v.push(spin[2]),
            _ => v.extend(self.axes.inverse_transform_vector(spin).iter()),
        }
        v
    }

    /// The state at t = 0 with velocities `v`.
    #[must_use]
    pub fn at_start(&self, v: Vec<f64>) -> State {
        let q = self.reference();
        let z = self.momentum_of(&q, &v);
        State { z, ..State::new(0.0, q, v) }
    }

    /// A state with other velocities.
    #[must_use]
    pub fn with_velocity(&self, state: &State, v: Vec<f64>) -> State {
        State { z: self.momentum_of(&state.q, &v), v, ..state.clone() }
    }

    /// L in the axes of space; nothing in the plane and for a point mass.
    fn momentum_of(&self, q: &[f64], v: &[f64]) -> Vec<f64> {
        match (&self.moments, self.n_turn()) {
            (Some(moments), 3) => {
                let own = Vector3::from_column_slice(&v[D..]).component_mul(moments);
                quaternion(&q[D..]).transform_vector(&own).iter().copied().collect()
            }
            _ => Vec::new(),
        }
    }

    /// Principal axes to space; in the plane, and for a point mass, the rotation from the body as given.
    fn axes_at(&self, q: &[f64]) -> SMatrix<f64, D, D> {
        match self.n_turn() {
            0 => SMatrix::identity(),
            1 => plane(&q[D..]),
            _ => block(&quaternion(&q[D..]).to_rotation_matrix().into_inner()),
        }
    }

    /// The axes of the angular velocities Ω, in the axes of space: one in the plane, none for a point mass.
    #[must_use]
    pub fn axes(&self, q: &[f64]) -> Vec<Vector3<f64>> {
        match self.n_turn() {
            0 => Vec::new(),
            1 => vec![Vector3::z()],
            _ => [Vector3::x(), Vector3::y(), Vector3::z()].map(|e| quaternion(&q[D..]).transform_vector(&e)).to_vec(),
        }
    }

    /// Where it is in a configuration.
    #[must_use]
    pub fn pose(&self, q: &[f64]) -> RigidPose<D> {
        let centre = self.input.inertia.centre + SVector::<f64, D>::from_column_slice(&q[..D]);
        let rotation = match self.n_turn() {
            3 => block(&(quaternion(&q[D..]) * self.axes.inverse()).to_rotation_matrix().into_inner()),
            _ => self.axes_at(q),
        };
        RigidPose { centre, rotation }
    }

    /// Angular velocity in the axes of space; in the plane its third component \[rad/s\].
    #[must_use]
    pub fn spin(&self, q: &[f64], v: &[f64]) -> Vector3<f64> {
        match self.n_turn() {
            0 => Vector3::zeros(),
            1 => Vector3::new(0.0, 0.0, v[D]),
            _ => quaternion(&q[D..]).transform_vector(&Vector3::from_column_slice(&v[D..])),
        }
    }

    /// Angular momentum about the centre of mass in the axes of space \[kg m²/s\].
    #[must_use]
    pub fn angular_momentum(&self, state: &State) -> Vector3<f64> {
        match (&self.moments, self.n_turn()) {
            (Some(moments), 1) => Vector3::new(0.0, 0.0, moments[2] * state.v[D]),
            (_, 3) => Vector3::from_column_slice(&state.z),
            _ => Vector3::zeros(),
        }
    }

    /// The rotation from the body as given as a rotation vector; in the plane its third component, in (−π, π] \[rad\].
    #[must_use]
    pub fn turn(&self, q: &[f64]) -> Vector3<f64> {
        match self.n_turn() {
            0 => Vector3::zeros(),
            1 => Vector3::new(0.0, 0.0, atan2(q[D + 1], q[D])),
            _ => (quaternion(&q[D..]) * self.axes.inverse()).scaled_axis(),
        }
    }

    /// Kinetic energy of the rotation \[J\].
    #[must_use]
    pub fn rotation_energy(&self, v: &[f64]) -> f64 {
        let masses = self.matrices.mass.values();
        (D..masses.len()).map(|i| 0.5 * masses[i] * v[i] * v[i]).sum()
    }

    /// The columns of J for the velocity of a point at an arm, as given, from the centre of mass: V = J v.
    #[must_use]
    pub fn point_jacobian(&self, q: &[f64], arm: &SVector<f64, D>) -> Vec<SVector<f64, D>> {
        let mut columns: Vec<SVector<f64, D>> = (0..D).map(unit).collect();
        let arm = self.pose(q).rotation * arm;
        match self.n_turn() {
            0 => {}
            1 => columns.push(SVector::from_fn(|i, _| if i == 0 { -arm[1] } else { arm[0] })),
            _ => {
                let axes = self.axes_at(q);
                columns.extend((0..D).map(|k| cross(&axes.column(k).into_owned(), &arm)));
            }
        }
        columns
    }

    /// The columns of J for the angular velocity: ω in space, (ω, 0) in the plane.
    #[must_use]
    pub fn turn_jacobian(&self, q: &[f64]) -> Vec<SVector<f64, D>> {
        let mut columns = vec![SVector::<f64, D>::zeros(); D];
        match self.n_turn() {
            0 => {}
            1 => columns.push(unit(0)),
            _ => {
                let axes = self.axes_at(q);
                columns.extend((0..D).map(|k| axes.column(k).into_owned()));
            }
        }
        columns
    }

    /// The body with loads as at t = 0, at rest where its motion is prescribed.
    #[must_use]
    pub fn frozen(&self) -> Self {
        let mut out = self.clone();
        let still = |f: &mut TimeFunction| *f = TimeFunction::Constant(f.value(0.0));
        out.input.gravity.iter_mut().for_each(|g| still(&mut g.factor));
        out.input.forces.iter_mut().for_each(|f| still(&mut f.factor));
        out.guided.iter_mut().for_each(|(_, f)| *f = TimeFunction::Constant(0.0));
        out
    }
}

impl<const D: usize> System for RigidBody<D> {
    fn n_dof(&self) -> usize {
        D + self.n_turn()
    }

    fn matrices(&self) -> &Matrices {
        &self.matrices
    }

    fn mass_times_into(&self, x: &[f64], out: &mut [f64]) {
        let masses = self.matrices.mass.values();
        out.iter_mut().zip(masses).zip(x).for_each(|((y, m), x)| *y = m * x);
    }

    fn elastic_force_into(&self, _q: &[f64], out: &mut [f64]) {
        out.fill(0.0);
    }

    fn elastic_energy(&self, _q: &[f64]) -> f64 {
        0.0
    }

    fn viscous_force_into(&self, _q: &[f64], _v: &[f64], out: &mut [f64]) {
        out.fill(0.0);
    }

    fn is_damped(&self) -> bool {
        false
    }

    fn loads_into(&self, t: f64, out: &mut [f64]) {
        self.loads_at_into(t, &self.reference(), out);
    }

    fn prescribed(&self) -> &[usize] {
        &self.prescribed
    }

    fn prescribed_motion(&self, t: f64) -> Vec<(f64, f64)> {
        self.guided.iter().map(|(share, f)| (share * f.value(t), share * f.derivative(t))).collect()
    }

    fn n_position(&self) -> usize {
        self.reference().len()
    }

    fn moved(&self, q: &[f64], motion: &[f64]) -> Vec<f64> {
        let mut out: Vec<f64> = (0..D).map(|i| q[i] + motion[i]).collect();
        out.extend(turned_by(&q[D..], &motion[D..]));
        out
    }

    fn motion_between(&self, q: &[f64], q_plus: &[f64]) -> Vec<f64> {
        let mut out: Vec<f64> = (0..D).map(|i| q_plus[i] - q[i]).collect();
        match self.n_turn() {
            0 => {}
            1 => {
                let (p, q) = (&q_plus[D..], &q[D..]);
                out.push(atan2(q[0] * p[1] - q[1] * p[0], q[0] * p[0] + q[1] * p[1]));
            }
            _ => out.extend((quaternion(&q[D..]).inverse() * quaternion(&q_plus[D..])).scaled_axis().iter()),
        }
        out
    }

    fn drifting(&self) -> Option<&dyn Drifting> {
        Some(self)
    }
}

impl<const D: usize> Drifting for RigidBody<D> {
    fn drift(&self, from: &State, time: f64) -> Drifted {
        let mut q: Vec<f64> = (0..D).map(|i| from.q[i] + time * from.v[i]).collect();
        let (mut v, turn) = (from.v.clone(), from.v[D..].iter().map(|w| w * time).collect::<Vec<_>>());
        match &self.moments {
            Some(moments) if self.n_turn() == 3 && !self.is_guided() => {
                let l = Vector3::from_column_slice(&from.z);
                let at = turned(quaternion(&from.q[D..]), &l, moments, time);
                q.extend(parts(&at));
                // Without a way the velocity is the one that is known.
                if time.abs() > 0.0 {
                    v[D..].copy_from_slice(body_spin(&at, &l, moments).as_slice());
                }
            }
            _ => q.extend(turned_by(&from.q[D..], &turn)),
        }
        Drifted { q, v }
    }

    fn finish(&self, from: &State, at: &Drifted, v: &[f64], rest: f64) -> State {
        let mut here = State::new(from.t, at.q.clone(), v.to_vec());
        if let (Some(moments), 3) = (&self.moments, self.n_turn()) {
            here.z = if self.is_guided() {
                self.momentum_of(&at.q, v)
            } else {
                // Nothing but what impulses gave is added: without them L keeps its bits.
                let change = Vector3::from_fn(|k, _| v[D + k] - at.v[D + k]).component_mul(moments);
                let gained = quaternion(&at.q[D..]).transform_vector(&change);
                from.z.iter().zip(gained.iter()).map(|(l, d)| l + d).collect()
            };
        }
        let Drifted { q, v } = self.drift(&here, rest);
        if self.is_guided() { State { z: self.momentum_of(&q, &v), q, v, ..here } } else { State { q, v, ..here } }
    }

    fn loads_at_into(&self, t: f64, q: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        let mass = self.input.inertia.mass;
        for g in &self.input.gravity {
            let factor = mass * g.factor.value(t);
            (0..D).for_each(|i| out[i] += factor * g.acceleration[i]);
        }
        if self.input.forces.is_empty() {
            return;
        }
        let rotation = self.pose(q).rotation;
        let mut moment = Vector3::zeros();
        for f in &self.input.forces {
            let factor = f.factor.value(t);
            (0..D).for_each(|i| out[i] += factor * f.force[i]);
            let arm = whole(&(rotation * f.arm));
            moment += (f.moment + arm.cross(&whole(&f.force))) * factor;
        }
        match self.n_turn() {
            0 => {}
            1 => out[D] += moment[2],
            _ => {
                let own = quaternion(&q[D..]).inverse_transform_vector(&moment);
                (0..3).for_each(|k| out[D + k] += own[k]);
            }
        }
    }
}

/// Principal moments and axes; those of space where they are principal.
fn principal<const D: usize>(inertia: &Matrix3<f64>) -> (Vector3<f64>, UnitQuaternion<f64>) {
    let diagonal = inertia.diagonal();
    let beside = [inertia[(0, 1)], inertia[(1, 2)], inertia[(0, 2)]].iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    // Rounding of sums over facets is no reason to turn the axes.
    if D == 2 || !inertia.iter().all(|x| x.is_finite()) || beside <= 64.0 * f64::EPSILON * diagonal.amax() {
        return (diagonal, UnitQuaternion::identity());
    }
    let eigen = inertia.symmetric_eigen();
    let mut axes = eigen.eigenvectors;
    if axes.determinant() < 0.0 {
        axes.column_mut(2).neg_mut();
    }
    let axes = nalgebra::Rotation3::from_matrix_unchecked(axes);
    (eigen.eigenvalues, UnitQuaternion::from_rotation_matrix(&axes))
}

fn diagonal(masses: &[f64]) -> Matrices {
    let n = masses.len();
    let mut mass = CscMatrix::identity(n);
    mass.values_mut().copy_from_slice(masses);
    let mut stiffness = CscMatrix::identity(n);
    stiffness.values_mut().fill(0.0);
    Matrices { mass, damping: CscMatrix::zeros(n, n), stiffness, lumped: true }
}

/// The unit quaternion of four numbers.
fn quaternion(q: &[f64]) -> UnitQuaternion<f64> {
    UnitQuaternion::new_unchecked(Quaternion::new(q[0], q[1], q[2], q[3]))
}

fn parts(q: &UnitQuaternion<f64>) -> [f64; 4] {
    [q.w, q.i, q.j, q.k]
}

/// An orientation after a further turn: an angle in the plane, a rotation vector in the axes of the body in space.
fn turned_by(orientation: &[f64], turn: &[f64]) -> Vec<f64> {
    match turn {
        [angle] => {
            let (s, c) = sin_cos(*angle);
            let (x, y) = (orientation[0] * c - orientation[1] * s, orientation[1] * c + orientation[0] * s);
            let length = (x * x + y * y).sqrt();
            vec![x / length, y / length]
        }
        [x, y, z] => {
            let by = UnitQuaternion::from_scaled_axis(Vector3::new(*x, *y, *z));
            parts(&normalised(quaternion(orientation) * by)).to_vec()
        }
        _ => Vec::new(),
    }
}

fn plane<const D: usize>(turn: &[f64]) -> SMatrix<f64, D, D> {
    SMatrix::from_fn(|i, j| match (i, j) {
        (0, 1) => -turn[1],
        (1, 0) => turn[1],
        _ => turn[0],
    })
}

fn block<const D: usize>(m: &Matrix3<f64>) -> SMatrix<f64, D, D> {
    SMatrix::from_fn(|i, j| m[(i, j)])
}

/// The i-th axis.
fn unit<const D: usize>(i: usize) -> SVector<f64, D> {
    SVector::from_fn(|k, _| f64::from(u8::from(k == i)))
}

fn whole<const D: usize>(x: &SVector<f64, D>) -> Vector3<f64> {
    Vector3::from_fn(|i, _| if i < D { x[i] } else { 0.0 })
}

fn cross<const D: usize>(a: &SVector<f64, D>, b: &SVector<f64, D>) -> SVector<f64, D> {
    let c = whole(a).cross(&whole(b));
    SVector::from_fn(|i, _| c[i])
}
