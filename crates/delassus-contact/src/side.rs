//! One side of a contact: a body and the linear map from its velocity dofs to the velocity of the contact point.
//!
//! ```text
//! V(P) = Σ_k w_k v_k + V_prescribed        (nodes k of the body, weights w_k; an obstacle has the last term only)
//! ```
//!
//! The transpose sends a world impulse p to the dofs: f_k += w_k p. Another kind of body is another variant of [`Map`].

use crate::Vector;

/// One side of a contact.
#[derive(Debug, Clone, PartialEq)]
pub struct Side<const D: usize> {
    /// Index of the body; `None` for an obstacle.
    pub body: Option<usize>,
    /// How the velocity dofs of the body make the velocity of the contact point.
    pub map: Map<D>,
    /// Prescribed velocity of an obstacle (m/s), zero for a body.
    pub velocity: Vector<D>,
}

/// Linear map from the velocity dofs of a body to the velocity of a contact point.
#[derive(Debug, Clone, PartialEq)]
pub enum Map<const D: usize> {
    /// Nodes and shape weights of a deformable body; the dof of component i of a node is `D * node + i`.
    Nodes(Vec<(usize, f64)>),
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

    /// A point of an obstacle that moves with the given velocity (m/s).
    #[must_use]
    pub fn on_obstacle(velocity: Vector<D>) -> Self {
        Self { body: None, map: Map::Fixed, velocity }
    }

    /// World velocity of the contact point (m/s); `velocities[body][D * node + i]`.
    ///
    /// # Panics
    /// If the body or a node is not in `velocities`.
    #[must_use]
    pub fn point_velocity(&self, velocities: &[&[f64]]) -> Vector<D> {
        let mut result = self.velocity;
        if let (Some(body), Map::Nodes(weights)) = (self.body, &self.map) {
            let v = velocities[body];
            for &(node, weight) in weights {
                for i in 0..D {
                    result[i] += weight * v[D * node + i];
                }
            }
        }
        result
    }

    /// Adds the world impulse (N·s) acting on the contact point to the vector of the body, `out[body][D * node + i]`.
    ///
    /// # Panics
    /// If the body or a node is not in `out`.
    pub fn add_impulse(&self, impulse: &Vector<D>, out: &mut [Vec<f64>]) {
        if let (Some(body), Map::Nodes(weights)) = (self.body, &self.map) {
            let f = &mut out[body];
            for &(node, weight) in weights {
                for i in 0..D {
                    f[D * node + i] += weight * impulse[i];
                }
            }
        }
    }
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

    #[test]
    fn the_velocity_is_the_weighted_mean_of_the_nodes() {
        let side = Side::<2>::on_nodes(1, [(0, 0.25), (2, 0.75)]);
        let v = [4.0, 8.0, 100.0, 100.0, 8.0, 16.0];
        assert_eq!(side.point_velocity(&[&[], &v]), Vector::<2>::new(7.0, 14.0));
    }
}
