//! One side of a contact: a body and the linear map from the velocities of its sites to the velocity of the contact point.
//!
//! ```text
//! V(P) = Σ_k w_k v_k + V_prescribed        (sites k of the body, weights w_k; an obstacle has the last term only)
//! V(P) = v_c + ω × a                       (a point at the arm a from the site c, on a body that turns with ω)
//! ```
//!
//! A *site* of a body has D numbers as its velocity. The nodes of a body are its first sites. A body that has a rotation has one more for
//! it: ω in space, (ω, 0) in the plane. The transpose sends a world impulse p to the sites: f_k += w_k p; for an arm f_c += p and
//! f_ω += a × p. How the sites of a body move with its degrees of freedom is not known here.

use crate::{Matrix, Vector};

/// One side of a contact.
#[derive(Debug, Clone, PartialEq)]
pub struct Side<const D: usize> {
    /// Index of the body; `None` for an obstacle.
    pub body: Option<usize>,
    /// How the velocities of the sites of the body make the velocity of the contact point.
    pub map: Map<D>,
    /// Prescribed velocity of an obstacle (m/s), zero for a body.
    pub velocity: Vector<D>,
}

/// Linear map from the velocities of the sites of a body to the velocity of a contact point; component i of site k is `D * k + i`.
#[derive(Debug, Clone, PartialEq)]
pub enum Map<const D: usize> {
    /// Sites and weights: nodes of a deformable body with their shape functions, or the rotation of a body.
    Nodes(Vec<(usize, f64)>),
    /// A point at an arm from a site, on a body that turns.
    Arm {
        /// Site from which the arm goes.
        centre: usize,
        /// Site of the rotation.
        rotation: usize,
        /// The arm (m).
        arm: Vector<D>,
    },
    /// No dof: an obstacle.
    Fixed,
}

impl<const D: usize> Side<D> {
    /// A point of a deformable body. Nodes of weight zero are left out: they carry no dof of the contact.
    #[must_use]
    pub fn on_nodes(body: usize, weights: impl IntoIterator<Item = (usize, f64)>) -> Self {
        let weights = weights.into_iter().filter(|&(_, w)| w.abs() > 0.0).collect();
        Self { body: Some(body), map: Map::Nodes(weights), velocity: Vector::zeros() }
    }

    /// A point of a body that turns, at an arm (m) from one of its sites.
    #[must_use]
    pub fn on_arm(body: usize, centre: usize, rotation: usize, arm: Vector<D>) -> Self {
        Self { body: Some(body), map: Map::Arm { centre, rotation, arm }, velocity: Vector::zeros() }
    }

    /// The sites of the body, each with the matrix by which its velocity enters that of the contact point.
    #[must_use]
    pub fn jacobians(&self) -> Vec<(usize, Matrix<D>)> {
        match &self.map {
            Map::Nodes(weights) => weights.iter().map(|&(site, w)| (site, Matrix::identity() * w)).collect(),
            Map::Arm { centre, rotation, arm } => vec![(*centre, Matrix::identity()), (*rotation, turning(arm))],
            Map::Fixed => Vec::new(),
        }
    }

    /// A point of an obstacle that moves with the given velocity (m/s).
    #[must_use]
    pub fn on_obstacle(velocity: Vector<D>) -> Self {
        Self { body: None, map: Map::Fixed, velocity }
    }

    /// World velocity of the contact point (m/s); `velocities[body][D * site + i]`.
    ///
    /// # Panics
    /// If the body or a site is not in `velocities`.
    #[must_use]
    pub fn point_velocity(&self, velocities: &[&[f64]]) -> Vector<D> {
        let mut result = self.velocity;
        let Some(body) = self.body else { return result };
        let v = velocities[body];
        match &self.map {
            Map::Nodes(weights) => {
                for &(node, weight) in weights {
                    for i in 0..D {
                        result[i] += weight * v[D * node + i];
                    }
                }
            }
            Map::Arm { .. } => {
                for (site, jacobian) in self.jacobians() {
                    result += jacobian * Vector::<D>::from_column_slice(&v[D * site..D * site + D]);
                }
            }
            Map::Fixed => {}
        }
        result
    }

    /// Adds the world impulse (N·s) acting on the contact point to the vector of the body, `out[body][D * site + i]`.
    ///
    /// # Panics
    /// If the body or a site is not in `out`.
    pub fn add_impulse(&self, impulse: &Vector<D>, out: &mut [Vec<f64>]) {
        let Some(body) = self.body else { return };
        let f = &mut out[body];
        match &self.map {
            Map::Nodes(weights) => {
                for &(node, weight) in weights {
                    for i in 0..D {
                        f[D * node + i] += weight * impulse[i];
                    }
                }
            }
            Map::Arm { .. } => {
                for (site, jacobian) in self.jacobians() {
                    let part = jacobian.tr_mul(impulse);
                    (0..D).for_each(|i| f[D * site + i] += part[i]);
                }
            }
            Map::Fixed => {}
        }
    }
}

/// The matrix X with X ω = ω × a; in the plane ω is the first of two numbers.
fn turning<const D: usize>(arm: &Vector<D>) -> Matrix<D> {
    let mut x = Matrix::<D>::zeros();
    if D == 2 {
        (x[(0, 0)], x[(1, 0)]) = (-arm[1], arm[0]);
    } else if D == 3 {
        for i in 0..D {
            let (j, k) = ((i + 1) % D, (i + 2) % D);
            (x[(i, j)], x[(i, k)]) = (arm[k], -arm[j]);
        }
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_of_zero_are_left_out() {
        let side = Side::<2>::on_nodes(3, [(4, 0.0), (5, 1.0)]);
        assert_eq!(side.map, Map::Nodes(vec![(5, 1.0)]));
        assert_eq!(side.body, Some(3));
    }

    #[test]
    fn an_obstacle_moves_as_prescribed_and_takes_no_impulse() {
        let side = Side::<2>::on_obstacle(Vector::<2>::new(2.0, -1.0));
        let mut out = vec![vec![0.0; 4]];
        side.add_impulse(&Vector::<2>::new(7.0, 7.0), &mut out);
        assert_eq!(out, vec![vec![0.0; 4]]);
        assert_eq!(side.point_velocity(&[&[9.0; 4]]), Vector::<2>::new(2.0, -1.0));
    }

    /// v_c + ω × a by hand, and its transpose: the moment of an impulse is a × p.
    #[test]
    fn an_arm_turns_with_the_body() {
        // Centre 0 moves with (1, 2), the rotation, site 1, is 3 rad/s: (1 − 3·0.5, 2 + 3·0.25).
        let plane = Side::<2>::on_arm(0, 0, 1, Vector::<2>::new(0.25, 0.5));
        assert_eq!(plane.point_velocity(&[&[1.0, 2.0, 3.0, 0.0]]), Vector::<2>::new(-0.5, 2.75));
        let mut out = vec![vec![0.0; 4]];
        plane.add_impulse(&Vector::<2>::new(4.0, 8.0), &mut out);
        assert_eq!(out, vec![vec![4.0, 8.0, 0.25 * 8.0 - 0.5 * 4.0, 0.0]]);
        let (arm, omega) = (Vector::<3>::new(0.5, -1.0, 2.0), Vector::<3>::new(3.0, 1.0, -2.0));
        let space = Side::<3>::on_arm(0, 0, 1, arm);
        let v = [1.0, 2.0, 3.0, omega[0], omega[1], omega[2]];
        assert_eq!(space.point_velocity(&[&v]), Vector::<3>::new(1.0, 2.0, 3.0) + omega.cross(&arm));
        let p = Vector::<3>::new(4.0, 8.0, -1.0);
        let mut out = vec![vec![0.0; 6]];
        space.add_impulse(&p, &mut out);
        let moment = arm.cross(&p);
        assert_eq!(out, vec![vec![4.0, 8.0, -1.0, moment[0], moment[1], moment[2]]]);
    }

    #[test]
    fn the_velocity_is_the_weighted_mean_of_the_nodes() {
        let side = Side::<2>::on_nodes(1, [(0, 0.25), (2, 0.75)]);
        let v = [4.0, 8.0, 100.0, 100.0, 8.0, 16.0];
        assert_eq!(side.point_velocity(&[&[], &v]), Vector::<2>::new(7.0, 14.0));
    }
}
