//! Joints: what two sides may do relative to each other, and where they are in a configuration.
//!
//! ```text
//! d = x_A − x_B                 from the point of side B to that of side A
//! F_A, F_B                      the axes of the joint, fixed in A and in B: columns a_k, b_k; F_A = F_B at the start; the last is the axis of the joint
//! translations   d·b_k          rate b_k·(V_A − V_B), both velocities at one point of space
//! rotations      −a_3·b_2, a_3·b_1, φ       rates (ω_A − ω_B)·{b_2 × a_3, a_3 × b_1, b_3};   in the plane φ alone
//! φ = atan2(a_1·b_2, a_1·b_1)   angle about the axis, followed over whole turns
//! ```
//!
//! | joint | held | free coordinate |
//! |---|---|---|
//! | ball (in the plane: pin) | translations | |
//! | hinge | translations, and in space the first two rotations | φ |
//! | slider | translations but that along the axis, rotations | d·b_D |
//! | fixed | all | |
//! | distance | \|d\| | |
//! | spring | | \|d\| less its length at the start |
//!
//! A side that does not turn (a point mass, nodes of a deformable body) has no rotations to hold.

use delassus_contact::{Contact, ContactKey, Side};
use delassus_fem::TimeFunction;
use delassus_math::atan2;
use nalgebra::{Matrix3, SMatrix, SVector, Vector3};

use super::Model;
use super::rigid::{centre_site, rotation_site};

/// What a joint holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointKind {
    /// A common point.
    Ball,
    /// A common point and a common axis.
    Hinge,
    /// A common axis along which the sides move.
    Slider,
    /// Everything.
    Fixed,
    /// The distance of two points.
    Distance,
    /// Nothing: a spring, a dashpot or friction along the line between two points.
    Spring,
}

impl JointKind {
    /// Does it act along the line between two points?
    #[must_use]
    pub fn is_line(self) -> bool {
        matches!(self, Self::Distance | Self::Spring)
    }
}

/// The place of a joint on one side.
#[derive(Clone, Debug)]
pub enum JointSide<const D: usize> {
    /// A point of space \[m\].
    Ground(SVector<f64, D>),
    /// A point of a rigid body, from its centre of mass, as given \[m\].
    Rigid {
        /// Body.
        body: usize,
        /// Arm \[m\].
        arm: SVector<f64, D>,
    },
    /// The weighted mean of nodes of a deformable body.
    Nodes {
        /// Body.
        body: usize,
        /// Nodes and weights of sum 1.
        weights: Vec<(usize, f64)>,
    },
}

impl<const D: usize> JointSide<D> {
    /// Number of its body.
    #[must_use]
    pub fn body(&self) -> Option<usize> {
        match self {
            Self::Ground(_) => None,
            Self::Rigid { body, .. } | Self::Nodes { body, .. } => Some(*body),
        }
    }
}

/// Prescribed motion of the coordinate of a joint.
#[derive(Clone, Debug)]
pub enum JointMotion {
    /// The coordinate itself \[m, rad\].
    Coordinate(TimeFunction),
    /// Its rate \[m/s, rad/s\].
    Rate(TimeFunction),
}

impl JointMotion {
    /// The coordinate at a time.
    #[must_use]
    pub fn coordinate(&self, t: f64) -> f64 {
        match self {
            Self::Coordinate(f) => f.value(t),
            Self::Rate(f) => f.integral(0.0, t),
        }
    }

    /// Its rate.
    #[must_use]
    pub fn rate(&self, t: f64) -> f64 {
        match self {
            Self::Coordinate(f) => f.derivative(t),
            Self::Rate(f) => f.value(t),
        }
    }
}

/// A spring and a damper on the coordinate: force −k (s − s₀) − c ṡ.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JointSpring {
    /// k \[N/m, N·m\].
    pub stiffness: f64,
    /// c \[N·s/m, N·m·s\].
    pub damping: f64,
    /// s₀ \[m, rad\].
    pub rest: f64,
}

/// Dry friction on the coordinate of a joint: its limit is F + μ r |R|, with the reaction R that the joint holds across its coordinate (of a hinge across its axis).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JointFriction {
    /// F \[N, N·m\].
    pub limit: f64,
    /// μ r of a hinge whose pin has the radius r \[m\]; μ of a slider.
    pub per_force: f64,
}

/// A joint.
#[derive(Clone, Debug)]
pub struct Joint<const D: usize> {
    /// Name; those of several nodes that follow one body have the same.
    pub name: String,
    /// What it holds.
    pub kind: JointKind,
    /// A and B.
    pub sides: [JointSide<D>; 2],
    /// F as given: in the plane its third axis is z.
    pub axes: Matrix3<f64>,
    /// Length at the start, of a distance or a spring \[m\].
    pub length: f64,
    /// Prescribed coordinate.
    pub motion: Option<JointMotion>,
    /// Spring and damper on the free coordinate.
    pub spring: Option<JointSpring>,
    /// Friction on the free coordinate.
    pub friction: Option<JointFriction>,
    /// Is it one of several that the history tells as one, and not the first?
    pub follows: bool,
}

/// Where a joint is.
#[derive(Clone, Debug)]
pub struct JointPlace<const D: usize> {
    /// x_A and x_B \[m\].
    pub points: [SVector<f64, D>; 2],
    /// F_A and F_B.
    pub axes: [Matrix3<f64>; 2],
}

fn whole<const D: usize>(x: &SVector<f64, D>) -> Vector3<f64> {
    Vector3::from_fn(|i, _| if i < D { x[i] } else { 0.0 })
}

fn block<const D: usize>(m: &Matrix3<f64>) -> SMatrix<f64, D, D> {
    SMatrix::from_fn(|i, j| m[(i, j)])
}

/// A matrix of space that turns as one of the plane, or is one.
fn turn<const D: usize>(r: &SMatrix<f64, D, D>) -> Matrix3<f64> {
    Matrix3::from_fn(|i, j| if i < D && j < D { r[(i, j)] } else { f64::from(u8::from(i == j)) })
}

impl<const D: usize> JointPlace<D> {
    /// d.
    #[must_use]
    pub fn gap(&self) -> SVector<f64, D> {
        self.points[0] - self.points[1]
    }

    /// The translations; |d| first, of a distance.
    #[must_use]
    pub fn translations(&self, kind: JointKind) -> [f64; 3] {
        let d = whole(&self.gap());
        if kind.is_line() {
            return [d.norm(), 0.0, 0.0];
        }
        std::array::from_fn(|k| if k < D { d.dot(&self.translation_axes().column(k)) } else { 0.0 })
    }

    /// The axes of translations: in the plane the axis of a slider is the second, in space the third.
    fn translation_axes(&self) -> Matrix3<f64> {
        self.axes[1]
    }

    /// The rotations; φ without whole turns. In the plane φ is the first.
    #[must_use]
    pub fn rotations(&self) -> [f64; 3] {
        let [a, b] = &self.axes;
        let dot = |i: usize, j: usize| a.column(i).dot(&b.column(j));
        let angle = atan2(dot(0, 1), dot(0, 0));
        if D == 2 { [angle, 0.0, 0.0] } else { [-dot(2, 1), dot(2, 0), angle] }
    }

    /// Directions of the translations as columns.
    #[must_use]
    pub fn translation_frame(&self, kind: JointKind) -> SMatrix<f64, D, D> {
        if !kind.is_line() {
            return block(&self.translation_axes());
        }
        let d = self.gap();
        let length = d.norm();
        SMatrix::from_fn(|i, j| if j == 0 && length > 0.0 { d[i] / length } else { 0.0 })
    }

    /// Directions of the rotations as columns; in the plane the number of the rotation is the first of two.
    #[must_use]
    pub fn rotation_frame(&self) -> SMatrix<f64, D, D> {
        if D == 2 {
            return SMatrix::identity();
        }
        let [a, b] = &self.axes;
        let (a3, b1, b2, b3) = (a.column(2), b.column(0), b.column(1), b.column(2));
        block(&Matrix3::from_columns(&[b2.cross(&a3), a3.cross(&b1), b3.into_owned()]))
    }
}

impl<const D: usize> Joint<D> {
    /// Does a side turn?
    fn side_turns(model: &Model<D>, side: &JointSide<D>) -> bool {
        match side {
            JointSide::Ground(_) => true,
            JointSide::Rigid { body, .. } => {
                model.bodies[*body].body.rigid().is_some_and(delassus_rigid::RigidBody::turns)
            }
            JointSide::Nodes { .. } => false,
        }
    }

    /// Have both sides a rotation?
    #[must_use]
    pub fn turns(&self, model: &Model<D>) -> bool {
        self.sides.iter().all(|s| Self::side_turns(model, s))
    }

    /// Has it a coordinate?
    #[must_use]
    pub fn has_coordinate(&self) -> bool {
        self.kind.is_line() || matches!(self.kind, JointKind::Hinge | JointKind::Slider)
    }

    /// Where it is in configurations of the bodies.
    #[must_use]
    pub fn place(&self, model: &Model<D>, q: &[Vec<f64>]) -> JointPlace<D> {
        let of = |side: &JointSide<D>| match side {
            JointSide::Ground(x) => (*x, Matrix3::identity()),
            JointSide::Rigid { body, arm } => match model.bodies[*body].body.rigid() {
                Some(rigid) => {
                    let pose = rigid.pose(&q[*body]);
                    (pose.centre + pose.rotation * arm, turn(&pose.rotation))
                }
                None => (SVector::zeros(), Matrix3::identity()),
            },
            JointSide::Nodes { body, weights } => {
                let (points, u) = (&model.bodies[*body].body.mesh().points, &q[*body]);
                let place = |n: usize| SVector::<f64, D>::from_fn(|i, _| points[n][i] + u[D * n + i]);
                (weights.iter().map(|&(n, w)| place(n) * w).sum(), Matrix3::identity())
            }
        };
        let [(x_a, r_a), (x_b, r_b)] = [of(&self.sides[0]), of(&self.sides[1])];
        JointPlace { points: [x_a, x_b], axes: [r_a * self.axes, r_b * self.axes] }
    }

    /// The coordinate at a place, φ in the turn that is nearest to `near`.
    #[must_use]
    pub fn coordinate(&self, place: &JointPlace<D>, near: f64) -> f64 {
        match self.kind {
            JointKind::Hinge => {
                let angle = place.rotations()[if D == 2 { 0 } else { 2 }];
                angle + ((near - angle) / std::f64::consts::TAU).round() * std::f64::consts::TAU
            }
            JointKind::Slider => place.translations(self.kind)[D - 1],
            JointKind::Distance | JointKind::Spring => place.translations(self.kind)[0] - self.length,
            JointKind::Ball | JointKind::Fixed => 0.0,
        }
    }

    /// Where a side acts: one point for both, so that λ and −λ have no couple. It is that of nodes if there are any, else that of A. A rod pulls along itself.
    #[must_use]
    pub fn acting_point(&self, place: &JointPlace<D>, side: usize) -> SVector<f64, D> {
        let nodes = |k: usize| matches!(self.sides[k], JointSide::Nodes { .. });
        match self.kind {
            kind if kind.is_line() => place.points[side],
            _ if nodes(side) => place.points[side],
            _ => place.points[usize::from(nodes(1))],
        }
    }

    /// The rows of translations as a contact.
    #[must_use]
    pub fn translation(&self, model: &Model<D>, q: &[Vec<f64>], place: &JointPlace<D>) -> Contact<D> {
        let side = |k: usize| match &self.sides[k] {
            JointSide::Ground(_) => Side::on_obstacle(SVector::zeros()),
            JointSide::Nodes { body, weights } => Side::on_nodes(*body, weights.iter().copied()),
            JointSide::Rigid { body, .. } => {
                let known = &model.bodies[*body].body;
                let centre = known.rigid().map_or_else(SVector::zeros, |r| r.pose(&q[*body]).centre);
                Side::on_arm(
                    *body,
                    centre_site(known.mesh()),
                    rotation_site(known.mesh()),
                    self.acting_point(place, k) - centre,
                )
            }
        };
        row_block([side(0), side(1)], place.translation_frame(self.kind), place.points[0])
    }

    /// The rows of rotations as a contact.
    #[must_use]
    pub fn rotation(&self, model: &Model<D>, place: &JointPlace<D>) -> Contact<D> {
        let side = |k: usize| match &self.sides[k] {
            JointSide::Rigid { body, .. } => {
                Side::on_nodes(*body, [(rotation_site(model.bodies[*body].body.mesh()), 1.0)])
            }
            _ => Side::on_obstacle(SVector::zeros()),
        };
        row_block([side(0), side(1)], place.rotation_frame(), place.points[0])
    }

    /// The joint with its motion as at t = 0, without damping.
    #[must_use]
    pub fn frozen(&self) -> Self {
        let motion = self.motion.as_ref().map(|m| JointMotion::Coordinate(TimeFunction::Constant(m.coordinate(0.0))));
        let spring = self.spring.map(|s| JointSpring { damping: 0.0, ..s });
        Self { motion, spring, ..self.clone() }
    }
}

/// D rows with sides and directions.
fn row_block<const D: usize>(sides: [Side<D>; 2], frame: SMatrix<f64, D, D>, point: SVector<f64, D>) -> Contact<D> {
    let key = ContactKey::nearest(u32::MAX, 0, 0);
    Contact { key, sides, further: Vec::new(), gap: 0.0, frame, area: 0.0, point }
}
