//! Place and direction of a shape.

use delassus_contact::{Matrix, Vector};

/// Where a shape is: x = position + rotation X for a point X of the shape's own frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShapePose<const D: usize> {
    /// Position of the origin of the shape's frame (m).
    pub position: Vector<D>,
    /// Rotation of the shape's frame: orthonormal columns, determinant 1.
    pub rotation: Matrix<D>,
}

impl<const D: usize> Default for ShapePose<D> {
    fn default() -> Self {
        Self::at(Vector::zeros())
    }
}

impl<const D: usize> ShapePose<D> {
    /// A place (m) without rotation.
    #[must_use]
    pub fn at(position: Vector<D>) -> Self {
        Self { position, rotation: Matrix::identity() }
    }

    /// Where a point of the shape's frame is (m).
    #[must_use]
    pub fn place(&self, own: &Vector<D>) -> Vector<D> {
        self.position + self.rotation * own
    }

    /// A point of space in the shape's frame (m).
    #[must_use]
    pub fn own(&self, point: &Vector<D>) -> Vector<D> {
        self.rotation.tr_mul(&(point - self.position))
    }

    /// The pose of `inner`, given in the frame of this one, in space.
    #[must_use]
    pub fn then(&self, inner: &Self) -> Self {
        Self { position: self.place(&inner.position), rotation: self.rotation * inner.rotation }
    }

    /// This pose as seen from the frame of another.
    #[must_use]
    pub(crate) fn seen_from(&self, frame: &Self) -> Self {
        Self { position: frame.own(&self.position), rotation: frame.rotation.tr_mul(&self.rotation) }
    }

    pub(crate) fn is_finite(&self) -> bool {
        self.position.iter().chain(self.rotation.iter()).all(|c| c.is_finite())
    }
}

impl ShapePose<2> {
    /// A place (m) and an angle (rad, counter-clockwise).
    #[must_use]
    pub fn turned(position: Vector<2>, angle: f64) -> Self {
        let (s, c) = (delassus_math::sin(angle), delassus_math::cos(angle));
        Self { position, rotation: Matrix::<2>::new(c, -s, s, c) }
    }
}

impl ShapePose<3> {
    /// A place (m) and a rotation vector (rad, along the axis, right-handed).
    #[must_use]
    pub fn turned_about(position: Vector<3>, rotation: Vector<3>) -> Self {
        let angle = rotation.norm();
        if angle.partial_cmp(&0.0) != Some(std::cmp::Ordering::Greater) {
            return Self::at(position);
        }
        // Rodrigues' formula.
        let k = (rotation / angle).cross_matrix();
        let turned =
            Matrix::<3>::identity() + k * delassus_math::sin(angle) + k * k * (1.0 - delassus_math::cos(angle));
        Self { position, rotation: turned }
    }
}
