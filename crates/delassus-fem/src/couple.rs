//! A couple on a group of facets, as a field of tractions.
//!
//! ```text
//! T(x) = λ × (x − c) ,    ∫ (x − c) × T dA = (∫ |x − c|² I − (x − c)(x − c)ᵀ dA) λ = M         c: centre of the group
//! ```
//!
//! Among the fields without resultant it is the one with the least ∫|T|² dA.

use nalgebra::{Matrix3, SVector, Vector3};

/// The traction field of a couple.
pub(crate) struct CoupleField<const D: usize> {
    /// Centre of the group \[m\].
    pub centre: SVector<f64, D>,
    /// λ \[Pa/m\].
    pub slope: Vector3<f64>,
}

impl<const D: usize> CoupleField<D> {
    /// From points of the group with their areas.
    pub fn new(points: &[(SVector<f64, D>, f64)], moment: &[f64; 3]) -> Self {
        let area: f64 = points.iter().map(|p| p.1).sum();
        let centre = points.iter().fold(SVector::zeros(), |sum, (x, a)| sum + x * (a / area));
        let mut inertia = Matrix3::zeros();
        for (x, a) in points {
            let arm = Vector3::from_fn(|i, _| if i < D { x[i] - centre[i] } else { 0.0 });
            inertia += (Matrix3::identity() * arm.norm_squared() - arm * arm.transpose()) * *a;
        }
        if D == 2 {
            // only the axis z is there
            (inertia[(0, 0)], inertia[(1, 1)], inertia[(0, 1)], inertia[(1, 0)]) = (1.0, 1.0, 0.0, 0.0);
        }
        let slope = inertia.lu().solve(&Vector3::from(*moment)).unwrap_or_else(|| Vector3::repeat(f64::NAN));
        Self { centre, slope }
    }

    /// T at a place.
    pub fn traction(&self, x: [f64; D]) -> [f64; D] {
        let arm = Vector3::from_fn(|i, _| if i < D { x[i] - self.centre[i] } else { 0.0 });
        let t = self.slope.cross(&arm);
        std::array::from_fn(|i| t[i])
    }
}
