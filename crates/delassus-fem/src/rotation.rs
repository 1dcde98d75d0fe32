//! Rotation and strain of a body with respect to its undeformed state. Small-strain kinematics is valid only if both
//! are small.
//!
//! ```text
//! F = I + ∂u/∂X ,   F = R U ,   R the rotation nearest to F:  tr(Rᵀ F) → max  over all rotations
//!
//! plane   tan φ = (F₂₁ − F₁₂) / (F₁₁ + F₂₂)
//! space   2 sin φ n = (R₃₂ − R₂₃, R₁₃ − R₃₁, R₂₁ − R₁₂) ,   2 cos φ = tr R − 1
//!
//! mean      F̄ = Σ V_c F_c / Σ V_c   over the cells, F_c at the centre of a cell, V_c its volume by that point
//! in a frame: φ_rms = √(Σ V_c |w_c|² / Σ V_c) in place of the mean, w the axial vector of the skew part of F_c
//! largest   max φ(F_c)
//! strain    max |ε(F_c)|   the largest principal value, in size, of ε = ½ (F + Fᵀ) − I
//! ```
//!
//! Linear kinematics takes the displacements of a rotation φ for a strain cos φ − 1 ≈ −φ²/2, and lets a body that turns freely grow by
//! 1/cos φ. The mean is what the body does as a whole: opposite rotations cancel in it (bending), and parts that slide along each other
//! do not turn it. The largest is that of one cell: a shear γ turns by tan φ = γ/2 as well, since small strains are in doubt there too.
//!
//! ε is the strain that linear kinematics computes stresses from. What it leaves out is ½ (∂u/∂X)ᵀ ∂u/∂X: beside ε, half of ε where nothing turns.
//!
//! R exists for every F. Where det F > 0 it is the factor of the polar decomposition, by Newton's iteration (Higham 1986). A cell that is
//! flat or turned inside out has the rotation nearest to it, by the largest eigenvalue of the quadratic form of unit quaternions
//! q = (q₀, v) (Davenport's method; Horn 1987),
//!
//! ```text
//! tr(R(q)ᵀ F) = qᵀ N q ,   N = | tr F   zᵀ              | ,   z = (F₃₂ − F₂₃, F₁₃ − F₃₁, F₂₁ − F₁₂)
//!                              | z      F + Fᵀ − tr F I |
//! ```
//!
//! and where several are equally near, the smallest of them.
//!
//! A cell is passed over when a bound says that it turns less than another: with G = F − I and w the axial vector of its skew part,
//! sin φ ≤ |w| / (1 − |G|) for |G| ≤ ½. (Along the axis n of R, n·w = s sin φ with s the mean of two stretches, each ≥ 1 − |G|; and φ < 90°,
//! because R, the nearest rotation, is no farther from F than I is.)

use delassus_math as math;
use nalgebra::{Matrix3, Matrix4, SMatrix, SymmetricEigen, Vector3, Vector4};

use crate::kinematics::{in_space, orthogonal_factor};

/// How far a body has turned from its undeformed state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyRotation {
    /// Rotation of the mean deformation gradient, 0 to π; in a frame the root mean square of the rotations, by volume \[rad\]; not a number where the displacements are none.
    pub mean: f64,
    /// Largest rotation of a cell, 0 to π \[rad\]; not a number where the displacements are none.
    pub largest: f64,
    /// The first cell that turns so far, by its number in the mesh.
    pub cell: usize,
    /// Largest principal strain of a cell, in size; not a number where the displacements are none.
    pub strain: f64,
}

impl BodyRotation {
    /// From 1° on the error of small strains shows: 1 − cos φ = 1.5e-4 \[rad\].
    pub const NOTICEABLE: f64 = 1.0_f64.to_radians();
    /// Beyond 5° a body of small strains is not computed rightly: 1 − cos φ = 3.8e-3, more than most solids bear \[rad\].
    pub const EXCESSIVE: f64 = 5.0_f64.to_radians();
    /// From a strain of 0.1 on the error of small strains shows: a twentieth of each strain.
    pub const STRAINED: f64 = 0.1;
    /// Beyond a strain of 0.5 strains are not small: a quarter of each strain is wrong, and at −1 a cell has no volume left.
    pub const OVERSTRAINED: f64 = 0.5;
}

/// The rotation of a body, gathered cell by cell.
pub(crate) struct RotationSum<const D: usize> {
    /// Σ V_c (F_c − I).
    gradient: SMatrix<f64, D, D>,
    /// Σ V_c |w_c|², w the axial vector of the skew part of F_c.
    squares: f64,
    volume: f64,
    largest: f64,
    /// Its sine; 1 from a right angle on.
    sine: f64,
    cell: Option<usize>,
    strain: f64,
}

impl<const D: usize> RotationSum<D> {
    /// No cell so far.
    pub fn new() -> Self {
        Self { gradient: SMatrix::zeros(), squares: 0.0, volume: 0.0, largest: 0.0, sine: 0.0, cell: None, strain: 0.0 }
    }

    /// Takes in a cell of a displacement gradient and a volume.
    pub fn add(&mut self, cell: usize, gradient: &SMatrix<f64, D, D>, volume: f64) {
        self.gradient += gradient * volume;
        self.volume += volume;
        // the norm of a skew matrix is √2 |w|
        self.squares += 0.125 * (gradient - gradient.transpose()).norm_squared() * volume;
        self.strain = larger_strain(self.strain, gradient);
        if self.cell.is_some() && (self.largest.is_nan() || turns_less(gradient, self.sine)) {
            return;
        }
        let angle = rotation_angle(gradient);
        if self.cell.is_none() || angle.is_nan() || angle > self.largest {
            self.largest = angle;
            self.sine = if angle < std::f64::consts::FRAC_PI_2 { math::sin(angle) } else { 1.0 };
            self.cell = Some(cell);
        }
    }

    /// Takes in a strain across the plane.
    pub fn add_strain(&mut self, strain: f64) {
        if strain.is_nan() || strain.abs() > self.strain {
            self.strain = strain.abs();
        }
    }

    /// What is left in a frame. Opposite rotations would cancel in a mean: a frame that turns with the whole has none.
    pub fn result_in_frame(&self) -> BodyRotation {
        BodyRotation { mean: (self.squares / self.volume).sqrt(), ..self.result() }
    }

    pub fn result(&self) -> BodyRotation {
        BodyRotation {
            mean: rotation_angle(&(self.gradient / self.volume)),
            largest: self.largest,
            cell: self.cell.unwrap_or_default(),
            strain: self.strain,
        }
    }
}

/// The larger of a strain and the largest principal one, in size, of a displacement gradient; NaN is the largest of all.
fn larger_strain<const D: usize>(known: f64, g: &SMatrix<f64, D, D>) -> f64 {
    // halves first, so that the sum cannot overflow
    let strain = g * 0.5 + g.transpose() * 0.5;
    // the root of the sum of squares is no smaller than any principal value; no comparison with NaN is true
    if known.is_nan() || strain.norm() <= known {
        return known;
    }
    let size = strain.amax();
    if !strain.iter().all(|x| x.is_finite()) {
        return f64::NAN;
    }
    let scaled = in_space(&strain) / size.max(f64::MIN_POSITIVE);
    let Some(eigen) = SymmetricEigen::try_new(scaled, f64::EPSILON, MOST_SWEEPS) else { return f64::NAN };
    known.max(eigen.eigenvalues.amax() * size)
}

/// Is the rotation of I + G surely not beyond the one of this sine?
fn turns_less<const D: usize>(g: &SMatrix<f64, D, D>, sine: f64) -> bool {
    let size = g.norm();
    let mut twice: f64 = 0.0;
    for i in 0..D {
        for j in 0..i {
            let skew = g[(i, j)] - g[(j, i)];
            twice += skew * skew;
        }
    }
    // |w| = ½ √twice; no comparison with NaN is true
    let most = sine * (1.0 - size);
    size <= 0.5 && 0.25 * twice <= most * most
}

/// The angle of the rotation nearest to F = I + G, 0 to π \[rad\]; NaN if G is not finite.
pub(crate) fn rotation_angle<const D: usize>(g: &SMatrix<f64, D, D>) -> f64 {
    if !g.iter().all(|x| x.is_finite()) {
        return f64::NAN;
    }
    if D == 2 {
        // a sum of halves, so that it cannot overflow
        return math::atan2(0.5 * g[(1, 0)] - 0.5 * g[(0, 1)], 1.0 + 0.5 * g[(0, 0)] + 0.5 * g[(1, 1)]).abs();
    }
    // without unit, so that no power of it overflows
    let f = in_space(g) + Matrix3::identity();
    let f = f / f.amax().max(f64::MIN_POSITIVE);
    if f.determinant() > REGULAR { angle_of(&orthogonal_factor(&f)) } else { angle_by_quaternion(&f) }
}

/// Determinant of an F of size one from which on Newton's iteration is used: a dozen iterations or less.
const REGULAR: f64 = 1e-3;

/// Largest eigenvalues that differ by less than this part are one: rounding.
const SAME: f64 = 1e-12;

/// Sweeps in which the eigenvalues of four rows are found, many times over.
const MOST_SWEEPS: usize = 1000;

/// The angle of a rotation.
fn angle_of(r: &Matrix3<f64>) -> f64 {
    let axis = Vector3::new(r[(2, 1)] - r[(1, 2)], r[(0, 2)] - r[(2, 0)], r[(1, 0)] - r[(0, 1)]);
    math::atan2(axis.norm(), r.trace() - 1.0)
}

/// The angle of the nearest rotation of any F; of several the smallest.
fn angle_by_quaternion(f: &Matrix3<f64>) -> f64 {
    let trace = f.trace();
    let z = Vector3::new(f[(2, 1)] - f[(1, 2)], f[(0, 2)] - f[(2, 0)], f[(1, 0)] - f[(0, 1)]);
    let rest = f + f.transpose() - Matrix3::identity() * trace;
    let mut n = Matrix4::zeros();
    n[(0, 0)] = trace;
    n.fixed_view_mut::<3, 1>(1, 0).copy_from(&z);
    n.fixed_view_mut::<1, 3>(0, 1).copy_from(&z.transpose());
    n.fixed_view_mut::<3, 3>(1, 1).copy_from(&rest);
    let Some(eigen) = SymmetricEigen::try_new(n, f64::EPSILON, MOST_SWEEPS) else { return f64::NAN };
    let largest = eigen.eigenvalues.max();
    let rounding = SAME * eigen.eigenvalues.amax();
    // the projection of the unit rotation on the space of the largest eigenvalue is the smallest rotation in it
    let mut q = Vector4::zeros();
    for (value, vector) in eigen.eigenvalues.iter().zip(eigen.eigenvectors.column_iter()) {
        if *value >= largest - rounding {
            q += vector * vector[0];
        }
    }
    let axis = q.fixed_rows::<3>(1).norm();
    if axis <= 0.0 && q[0] <= 0.0 { std::f64::consts::PI } else { 2.0 * math::atan2(axis, q[0]) }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use nalgebra::{Matrix2, Rotation3, Unit};

    use super::*;

    /// Near a half turn, beyond it none: the angle is that of the shorter way.
    const ANGLES: [f64; 9] = [0.0, 1e-9, 1e-3, 0.3, 1.5, 3.0, PI - 1e-3, PI - 1e-9, PI];

    fn axes() -> [Unit<Vector3<f64>>; 4] {
        [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0], [1.0, -2.0, 2.0]]
            .map(|a| Unit::new_normalize(Vector3::from(a)))
    }

    fn plane(f: Matrix2<f64>) -> f64 {
        rotation_angle(&(f - Matrix2::identity()))
    }

    fn space(f: Matrix3<f64>) -> f64 {
        rotation_angle(&(f - Matrix3::identity()))
    }

    fn turned(angle: f64) -> Matrix2<f64> {
        let (sin, cos) = angle.sin_cos();
        Matrix2::new(cos, -sin, sin, cos)
    }

    #[test]
    fn rotations_of_any_angle_are_found() {
        // a few roundings of entries of size one; beyond a stretch of 1.6 the same
        let stretch = Matrix3::new(1.3, 0.2, -0.1, 0.2, 0.8, 0.3, -0.1, 0.3, 1.1);
        for angle in ANGLES {
            let r = turned(angle);
            assert!((plane(r) - angle).abs() < 1e-15, "{angle}");
            assert!((plane(r.transpose()) - angle).abs() < 1e-15, "{angle} the other way");
            assert!((plane(r * stretch.fixed_view::<2, 2>(0, 0)) - angle).abs() < 4e-15, "{angle}, stretched");
            for axis in axes() {
                let r = Rotation3::from_axis_angle(&axis, angle).into_inner();
                for f in [r, r.transpose(), r * stretch, r * stretch * 1e8, r * stretch * 1e-7] {
                    let error = (space(f) - angle).abs();
                    // 1 is added to a part of 1e-7
                    let tolerance = if f.amax() < 1e-5 { 1e-8 } else { 1e-14 };
                    assert!(error < tolerance, "{angle} about {axis:?}: {error:e}");
                    let error = (angle_by_quaternion(&f) - angle).abs();
                    assert!(error < 1e-14, "{angle} about {axis:?} by quaternion: {error:e}");
                }
            }
        }
    }

    #[test]
    fn a_shear_turns_by_half_of_it() {
        for gamma in [1e-6, 0.1, 1.7, -1.7] {
            let exact = (0.5 * f64::abs(gamma)).atan();
            assert!((plane(Matrix2::new(1.0, gamma, 0.0, 1.0)) - exact).abs() < 1e-15);
            assert!((space(Matrix3::new(1.0, 0.0, gamma, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)) - exact).abs() < 1e-14);
        }
    }

    /// What has no rotation of its own has the nearest: found here by trying all of a fine net.
    #[test]
    fn flat_and_inverted_cells_have_the_nearest_rotation() {
        let mirrored = Matrix3::new(0.9, 0.3, 0.1, -0.2, 0.8, 0.2, 0.3, -0.1, -0.4);
        let flat = Matrix3::new(1.0, 0.5, 0.0, -0.5, 1.0, 0.0, 0.2, 0.1, 0.0);
        for f in [mirrored, flat] {
            assert!(f.determinant() < 1e-15);
            let angle = space(f);
            let net = net();
            let best = net.iter().map(|q| (gain(q, &f), 2.0 * q.fixed_rows::<3>(1).norm().atan2(q[0].abs())));
            let best = best.fold((f64::NEG_INFINITY, 0.0), |a, b| if b.0 > a.0 { b } else { a });
            // the net is 2/20 wide
            assert!((best.1 - angle).abs() < 0.1, "{} {angle}", best.1);
        }
        // none is nearer than no rotation: nothing left, a line along an axis, a mirror
        for f in [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 0.0, 1e-3], [1.0, 1.0, -1.0], [1.0, -1.0, 1.0], [-0.5, 1.0, 1.0]] {
            let angle = space(Matrix3::from_diagonal(&Vector3::from(f)));
            assert!(angle.abs() < 1e-14, "{f:?}: {angle}");
        }
        assert!(plane(Matrix2::zeros()).abs() <= 0.0 && plane(Matrix2::new(1.0, 0.0, 0.0, -1.0)).abs() <= 0.0);
        // a line turned by a right angle, a half turn about an axis
        let line = Matrix3::new(0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0);
        assert!((space(line) - 0.5 * PI).abs() < 1e-14, "{}", space(line));
        assert!((space(Matrix3::from_diagonal(&Vector3::new(-1.0, -1.0, 0.0))) - PI).abs() < 1e-14);
    }

    /// Unit quaternions, the cells of a cube's surface in four dimensions.
    fn net() -> Vec<Vector4<f64>> {
        let n = 20;
        let at = |k: usize| 2.0 * k as f64 / f64::from(n) - 1.0;
        let n = n as usize;
        let points = (0..=n).flat_map(|a| (0..=n).flat_map(move |b| (0..=n).map(move |c| [at(a), at(b), at(c)])));
        let faces = points.flat_map(|[a, b, c]| {
            [[1.0, a, b, c], [a, 1.0, b, c], [a, b, 1.0, c], [a, b, c, 1.0]].map(|q| Vector4::from(q).normalize())
        });
        faces.collect()
    }

    /// tr(R(q)ᵀ F), by the matrix of the rotation.
    fn gain(q: &Vector4<f64>, f: &Matrix3<f64>) -> f64 {
        let unit = nalgebra::UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(q[0], q[1], q[2], q[3]));
        (unit.to_rotation_matrix().into_inner().transpose() * f).trace()
    }

    #[test]
    fn numbers_that_are_none_give_none_and_large_ones_are_borne() {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for k in 0..4 {
                let mut g = Matrix2::new(0.1, 0.2, 0.3, 0.4);
                g[k] = bad;
                assert!(rotation_angle(&g).is_nan());
            }
            for k in 0..9 {
                let mut g = Matrix3::identity();
                g[k] = bad;
                assert!(rotation_angle(&g).is_nan());
            }
        }
        let huge = 1e308;
        assert!((rotation_angle(&Matrix2::new(0.0, -huge, huge, 0.0)) - 0.5 * PI).abs() < 1e-15);
        assert!((rotation_angle(&Matrix2::new(-huge, 0.0, 0.0, -huge)) - PI).abs() < 1e-15);
        let about_x = Matrix3::new(0.0, 0.0, 0.0, 0.0, 0.0, -huge, 0.0, huge, 0.0);
        assert!((rotation_angle(&about_x) - 0.5 * PI).abs() < 1e-14);
    }

    /// Along axes, aslant, in shear (half of it), beyond what squares bear, and none where nothing is a number.
    #[test]
    fn the_largest_principal_strain_is_found() {
        let turn = Rotation3::from_axis_angle(&axes()[3], 0.7).into_inner();
        for [a, b, c] in
            [[0.3, -0.1, 0.2], [-0.4, 0.1, 0.0], [1e-9, 2e-9, -3e-9], [35.0, 0.0, 1.0], [1e200, -1e100, 0.0]]
        {
            let exact = f64::max(f64::abs(a), f64::max(f64::abs(b), f64::abs(c)));
            let along = Matrix3::from_diagonal(&Vector3::new(a, b, c));
            for g in [along, turn * along * turn.transpose()] {
                let found = larger_strain(0.0, &g);
                assert!((found - exact).abs() < 1e-14 * exact, "{found} {exact}");
                assert!((larger_strain(2.0 * exact, &g) - 2.0 * exact).abs() <= 0.0, "the larger one stays");
            }
        }
        for gamma in [1e-6, -0.8] {
            let found = larger_strain(0.0, &Matrix2::new(0.0, gamma, 0.0, 0.0));
            assert!((found - 0.5 * f64::abs(gamma)).abs() < 1e-15, "{found}");
        }
        // A rotation is taken for the strain cos φ − 1.
        assert!((larger_strain(0.0, &(turned(0.3) - Matrix2::identity())) - (1.0 - f64::cos(0.3))).abs() < 1e-15);
        for bad in [f64::NAN, f64::INFINITY] {
            assert!(larger_strain(0.1, &Matrix2::new(0.0, bad, 0.0, 0.0)).is_nan());
        }
        assert!(larger_strain(f64::NAN, &Matrix2::zeros()).is_nan());
    }

    /// The bound by which cells are passed over holds for rotations and strains of every size, and tells something.
    #[test]
    fn the_bound_is_one() {
        let mut state = 1_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        let mut passed = 0;
        for k in 0..3000 {
            let size = 10.0_f64.powi(-(k % 5));
            let g = Matrix3::from_fn(|_, _| size * next());
            let angle = rotation_angle(&g);
            let below = angle.sin() * (1.0 - 1e-12);
            assert!(!(angle < 0.5 * PI && turns_less(&g, below)), "{g}");
            let g2: Matrix2<f64> = g.fixed_view::<2, 2>(0, 0).into_owned();
            let angle = rotation_angle(&g2);
            assert!(!(angle < 0.5 * PI && turns_less(&g2, angle.sin() * (1.0 - 1e-12))), "{g2}");
            // tight to first order
            passed += usize::from(g.norm() < 0.1 && turns_less(&g, rotation_angle(&g).sin() * 1.5));
        }
        assert!(passed > 1000, "{passed}");
        assert!(!turns_less(&Matrix2::new(f64::NAN, 0.0, 0.0, 0.0), 1.0));
    }
}
