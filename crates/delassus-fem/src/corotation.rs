//! The frame that turns with a body, and the force of a step in it.
//!
//! ```text
//! c = Σ m x / Σ m ,   ξ = x − c ,   R: polar rotation of Σ ξ Yᵀ ,   Y_b = Σ_a M_ab X_a ,   X about the mass centre
//! ũ = Rᵀ ξ − X                     displacements in the frame;  the polar rotation has Σ Y × ũ = 0
//! Ψ = ½ ũ·K ũ                      strains are small in the frame: its stresses are those of small strains
//! ```
//!
//! The force between two configurations, from the frames R, R⁺ and the force s in the frame (s = K (ũ + θ Δũ) of an elastic body):
//!
//! ```text
//! F = R̄ [s − α × Y] ,   R̄ = ½ (R + R⁺) ,   α from  Σ ξ_½ × F = 0 ,   ξ_½ = ½ (ξ + ξ⁺)
//! Σ F = 0   (Σ s = 0, Σ Y = 0) ;      F·Δx = s·Δũ
//! ```
//!
//! The last identity is exact. With R⁺ = R_m Q, R = R_m Qᵀ, S = ½ (Q + Qᵀ), A = ½ (Q − Qᵀ) = sin(φ/2) \[n\], y = X + ũ and ȳ its mean:
//! Δξ = R_m (S Δũ + 2 A ȳ), ξ_½ = R_m (S ȳ + ½ A Δũ), F = R_m S s', s' = s − α × Y. The moment about n gives
//! cos(φ/2) (n × ȳ)·s' = ½ sin(φ/2) Δũ_⊥·s', hence F·Δx = s'·(S² + sin²(φ/2) (1 − nnᵀ)) Δũ = s'·Δũ, and s'·Δũ = s·Δũ since Σ Y × Δũ = 0.
//!
//! At rest (R⁺ = R) F is −∂Ψ/∂x. Velocities in the frame are ũ̇ = Rᵀ (v − v_c) − ω × y with the spin ω of the frame,
//!
//! ```text
//! (tr S − S) ω = Σ Y × Rᵀ (v − v_c) ,   S = Σ y Yᵀ
//! ```
//!
//! and the viscous force R [C ũ̇ − α × Y], again without moment, dissipates ũ̇·C ũ̇.
//!
//! A step predicts the frame in its middle: with t = ½hω, Q turns by atan |t| about ω, and R_m = R Q. A rigid body that spins freely turns by
//! 2 atan |t| in a step of the midpoint rule, so the prediction is exact for it. A linear force of the first pass measures motion against the chord of the
//! predicted turn,
//!
//! ```text
//! Δ̂ = R_mᵀ (Δx − Δc) − (Q − Qᵀ) y ,     F ≈ R_m s(ũ, Δ̂)
//! ```
//!
//! The derivative of F is not symmetric. For motions that deform the body it is θ R̄ K R⁺ᵀ, in the axes of R_m and to first order K Qᵀ, so that a correction of velocities
//! δ = w r (axes of R_m) would have to be P⁻¹ c K (Q − 1) δ larger, with P = M + c K of the undeformed body. Of stiff motions P⁻¹ c K is one, of slow ones it is zero:
//!
//! ```text
//! δ ← δ + κ (Q − 1) δ_d ,    κ = 1 − |δ_d|²_M / (δ_d·P δ_d) ,    δ_d·P δ_d = δ·r − |δ − δ_d|²_M       δ_d: the part of δ that deforms the body
//! ```
//!
//! What is added is made free of momentum and angular momentum, which δ has right. Iterations of a step end where r vanishes, whatever κ is. For a stiff body it raises the rate of convergence from ½hω to the order of (hω)².
//!
//! Cross products are written with skew matrices, so that the plane and space have one code.

use delassus_math as math;
use nalgebra::{Matrix3, SMatrix, SVector, Vector3};

use crate::kinematics::orthogonal_factor;

/// The undeformed body, as its frame sees it.
pub(crate) struct Corotation<const D: usize> {
    /// X about the mass centre \[m\].
    reference: Vec<SVector<f64, D>>,
    /// Y \[kg·m\].
    moments: Vec<SVector<f64, D>>,
    /// Mass of each node over that of the body.
    shares: Vec<f64>,
    /// Σ m \[kg\].
    mass: f64,
}

/// A frame in a configuration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyFrame<const D: usize> {
    /// R.
    pub rotation: SMatrix<f64, D, D>,
    /// R − I, without the rounding of R where it is small.
    turn: SMatrix<f64, D, D>,
    /// Displacement of the mass centre \[m\].
    pub centre: SVector<f64, D>,
}

/// The skew matrix of ω ×; in the plane of its third component.
pub(crate) fn skew<const D: usize>(w: &Vector3<f64>) -> SMatrix<f64, D, D> {
    let whole = Matrix3::new(0.0, -w.z, w.y, w.z, 0.0, -w.x, -w.y, w.x, 0.0);
    SMatrix::from_fn(|i, j| whole[(i, j)])
}

/// The vector w of A − Aᵀ = [w]; the third component alone in the plane.
pub(crate) fn axial<const D: usize>(a: &SMatrix<f64, D, D>) -> Vector3<f64> {
    let z = a[(1, 0)] - a[(0, 1)];
    if D == 2 { Vector3::new(0.0, 0.0, z) } else { Vector3::new(a[(2, 1)] - a[(1, 2)], a[(0, 2)] - a[(2, 0)], z) }
}

/// Axes about which a body can turn.
fn axes<const D: usize>() -> std::ops::Range<usize> {
    if D == 2 { 2..3 } else { 0..3 }
}

/// w with axial(map([w])) = given.
pub(crate) fn solve_spin<const D: usize>(
    map: impl Fn(&SMatrix<f64, D, D>) -> SMatrix<f64, D, D>,
    given: &Vector3<f64>,
) -> Vector3<f64> {
    let mut matrix = Matrix3::identity();
    for k in axes::<D>() {
        let column = axial(&map(&skew(&Vector3::ith(k, 1.0))));
        matrix.set_column(k, &column);
    }
    matrix.lu().solve(given).unwrap_or_else(|| Vector3::repeat(f64::NAN))
}

/// R − I of the rotation whose half turn has the unit quaternion (w, v): 2 v vᵀ − 2 |v|² + 2 w [v].
fn turn_of(w: f64, v: &Vector3<f64>) -> Matrix3<f64> {
    let n = w * w + v.norm_squared();
    (v * v.transpose() * 2.0 - Matrix3::identity() * (2.0 * v.norm_squared()) + skew::<3>(v) * (2.0 * w)) / n
}

/// The quaternion of a rotation, not normalised: of its four forms the one with the largest length (Shepperd 1978).
fn quaternion(r: &Matrix3<f64>) -> (f64, Vector3<f64>) {
    let trace = r.trace();
    let w = axial(r);
    let diagonal = [r[(0, 0)], r[(1, 1)], r[(2, 2)]];
    let k = (0..3).fold(0, |best, i| if diagonal[i] > diagonal[best] { i } else { best });
    if trace >= diagonal[k] {
        return (1.0 + trace, w);
    }
    let v = Vector3::from_fn(|i, _| if i == k { 1.0 + 2.0 * diagonal[k] - trace } else { r[(i, k)] + r[(k, i)] });
    (w[k], v)
}

/// The rotation of the polar decomposition, and the same less I.
pub(crate) fn polar<const D: usize>(g: &SMatrix<f64, D, D>) -> (SMatrix<f64, D, D>, SMatrix<f64, D, D>) {
    let none = SMatrix::repeat(f64::NAN);
    if !g.iter().all(|x| x.is_finite()) {
        return (none, none);
    }
    if D == 2 {
        let (sin, cos) = (g[(1, 0)] - g[(0, 1)], g[(0, 0)] + g[(1, 1)]);
        let length = math::hypot(sin, cos);
        let (sin, cos) = (sin / length, cos / length);
        // 1 − cos without a difference of near numbers
        let fall = if cos > 0.0 { sin * sin / (1.0 + cos) } else { 1.0 - cos };
        let entry = |i: usize, j: usize, diagonal: f64| match (i, j) {
            (1, 0) => sin,
            (0, 1) => -sin,
            _ => diagonal,
        };
        return (SMatrix::from_fn(|i, j| entry(i, j, cos)), SMatrix::from_fn(|i, j| entry(i, j, -fall)));
    }
    let whole = Matrix3::from_fn(|i, j| g[(i, j)]);
    let whole = whole / whole.amax().max(f64::MIN_POSITIVE);
    // A body turned inside out has no frame.
    if whole.determinant() <= 0.0 {
        return (none, none);
    }
    let (w, v) = quaternion(&orthogonal_factor(&whole));
    let turn = turn_of(w, &v);
    let rotation = turn + Matrix3::identity();
    (SMatrix::from_fn(|i, j| rotation[(i, j)]), SMatrix::from_fn(|i, j| turn[(i, j)]))
}

/// B [s − α × Y] with B of the given matrix and α such that there is no moment about the places ξ.
pub(crate) fn without_moment<const D: usize>(
    matrix: &SMatrix<f64, D, D>,
    s: &[SVector<f64, D>],
    moments: &[SVector<f64, D>],
    places: &[SVector<f64, D>],
) -> Vec<SVector<f64, D>> {
    // Σ f ξᵀ has the moment Σ ξ × f as its axial vector
    let against = |f: &[SVector<f64, D>]| {
        f.iter().zip(places).fold(SMatrix::<f64, D, D>::zeros(), |sum, (f, x)| sum + f * x.transpose())
    };
    let (given, weights) = (against(s), against(moments));
    let alpha = solve_spin(|w| matrix * w * weights, &axial(&(matrix * given)));
    let turn = skew::<D>(&alpha);
    s.iter().zip(moments).map(|(s, y)| matrix * (s - turn * y)).collect()
}

/// The vectors of the nodes.
fn nodes<const D: usize>(x: &[f64]) -> impl Iterator<Item = SVector<f64, D>> + '_ {
    x.chunks_exact(D).map(SVector::from_column_slice)
}

fn flat<const D: usize>(x: impl Iterator<Item = SVector<f64, D>>) -> Vec<f64> {
    let mut out = Vec::with_capacity(x.size_hint().0 * D);
    x.for_each(|x| out.extend_from_slice(x.as_slice()));
    out
}

/// The half turn that a frame of spin ω makes up to the middle of a step, in its own axes, and the angle of the whole turn.
pub(crate) fn half_turn<const D: usize>(spin: &Vector3<f64>, h: f64) -> (SMatrix<f64, D, D>, f64) {
    let t = spin * (0.5 * h);
    let angle = math::atan(t.norm());
    // the quaternion of a turn by the angle: tan(angle/2) along the axis
    let tangent = t / (1.0 + math::hypot(1.0, t.norm()));
    let turn = turn_of(1.0, &tangent);
    (SMatrix::from_fn(|i, j| turn[(i, j)] + if i == j { 1.0 } else { 0.0 }), 2.0 * angle)
}

impl<const D: usize> BodyFrame<D> {
    /// From a rotation.
    pub fn at(rotation: SMatrix<f64, D, D>, centre: SVector<f64, D>) -> Self {
        Self { rotation, turn: rotation - SMatrix::identity(), centre }
    }
}

impl<const D: usize> Corotation<D> {
    /// Of nodes at `points`, with their masses, and M times any vector.
    pub fn new(points: &[[f64; D]], masses: &[f64], times_mass: impl Fn(&[f64], &mut [f64])) -> Self {
        let mass: f64 = masses.iter().sum();
        let shares: Vec<f64> = masses.iter().map(|m| m / mass).collect();
        let origin = SVector::from(points.first().copied().unwrap_or([0.0; D]));
        let relative: Vec<SVector<f64, D>> = points.iter().map(|x| SVector::from(*x) - origin).collect();
        let centre: SVector<f64, D> = relative.iter().zip(&shares).map(|(x, s)| x * *s).sum();
        let reference: Vec<SVector<f64, D>> = relative.iter().map(|x| x - centre).collect();
        let mut moments = vec![0.0; D * points.len()];
        times_mass(&flat(reference.iter().copied()), &mut moments);
        Self { moments: nodes(&moments).collect(), reference, shares, mass }
    }

    /// X of the nodes, flat.
    pub fn places_given(&self) -> Vec<f64> {
        flat(self.reference.iter().copied())
    }

    /// Numbers that it keeps.
    pub fn n_numbers(&self) -> usize {
        (2 * D + 1) * self.shares.len()
    }

    /// Σ m x / Σ m of vectors of the nodes.
    fn mean(&self, x: &[f64]) -> SVector<f64, D> {
        nodes::<D>(x).zip(&self.shares).map(|(x, s)| x * *s).sum()
    }

    /// ξ of the nodes in a configuration with this mean displacement.
    fn places<'a>(&'a self, q: &'a [f64], centre: SVector<f64, D>) -> impl Iterator<Item = SVector<f64, D>> + 'a {
        self.reference.iter().zip(nodes::<D>(q)).map(move |(x, q)| x + (q - centre))
    }

    /// Σ x Yᵀ.
    fn against_moments(&self, x: impl Iterator<Item = SVector<f64, D>>) -> SMatrix<f64, D, D> {
        x.zip(&self.moments).fold(SMatrix::zeros(), |sum, (x, y)| sum + x * y.transpose())
    }

    /// The frame of a configuration.
    pub fn frame(&self, q: &[f64]) -> BodyFrame<D> {
        let centre = self.mean(q);
        let (rotation, turn) = polar(&self.against_moments(self.places(q, centre)));
        BodyFrame { rotation, turn, centre }
    }

    /// ũ.
    pub fn local(&self, frame: &BodyFrame<D>, q: &[f64]) -> Vec<f64> {
        let (back, turn) = (frame.rotation.transpose(), frame.turn.transpose());
        flat(self.reference.iter().zip(nodes::<D>(q)).map(|(x, q)| turn * x + back * (q - frame.centre)))
    }

    /// The spin ω of the frame for velocities v, in its own axes \[rad/s\].
    pub fn spin(&self, frame: &BodyFrame<D>, local: &[f64], v: &[f64]) -> Vector3<f64> {
        let (back, mean) = (frame.rotation.transpose(), self.mean(v));
        let given = axial(&self.against_moments(nodes::<D>(v).map(|v| back * (v - mean))));
        let shape = self.against_moments(self.shape(local));
        solve_spin(|w| w * shape, &given)
    }

    /// y = X + ũ.
    fn shape<'a>(&'a self, local: &'a [f64]) -> impl Iterator<Item = SVector<f64, D>> + 'a {
        self.reference.iter().zip(nodes::<D>(local)).map(|(x, u)| x + u)
    }

    /// ũ̇.
    pub fn local_velocity(&self, frame: &BodyFrame<D>, local: &[f64], v: &[f64]) -> Vec<f64> {
        let (back, mean) = (frame.rotation.transpose(), self.mean(v));
        let spin = skew(&self.spin(frame, local, v));
        flat(nodes::<D>(v).zip(self.shape(local)).map(|(v, y)| back * (v - mean) - spin * y))
    }

    /// δ + κ (Q − 1) δ_d for a correction δ = w r of velocities, given R_m and Q, ũ and r.
    pub fn turn_on(
        &self,
        [middle, half]: [&SMatrix<f64, D, D>; 2],
        local: &[f64],
        cause: &[f64],
        correction: &mut [f64],
    ) {
        let frame = BodyFrame::at(*middle, SVector::zeros());
        let deforming = self.local_velocity(&frame, local, correction);
        let (mut deformed, mut rigid) = (0.0, 0.0);
        for ((share, d), e) in self.shares.iter().zip(nodes::<D>(correction)).zip(nodes::<D>(&deforming)) {
            deformed += share * self.mass * e.norm_squared();
            rigid += share * self.mass * (d - middle * e).norm_squared();
        }
        let work = cause.iter().zip(&*correction).map(|(r, d)| r * d).sum::<f64>() - rigid;
        let kappa = if work > deformed { 1.0 - deformed / work } else { 0.0 };
        let turn = middle * (half - SMatrix::identity()) * kappa;
        let more = flat(nodes::<D>(&deforming).map(|e| turn * e));
        let added = self.local_velocity(&frame, local, &more);
        for (d, e) in correction.chunks_exact_mut(D).zip(nodes::<D>(&added)) {
            let e = middle * e;
            d.iter_mut().zip(e.iter()).for_each(|(d, e)| *d += e);
        }
    }

    /// [`without_moment`] of the body's Y.
    fn without_moment(&self, matrix: &SMatrix<f64, D, D>, s: &[f64], places: &[SVector<f64, D>]) -> Vec<f64> {
        let s: Vec<SVector<f64, D>> = nodes(s).collect();
        flat(without_moment(matrix, &s, &self.moments, places).into_iter())
    }

    /// The force of a configuration, from that in its frame.
    pub fn force(&self, frame: &BodyFrame<D>, q: &[f64], s: &[f64]) -> Vec<f64> {
        let places: Vec<SVector<f64, D>> = self.places(q, frame.centre).collect();
        self.without_moment(&frame.rotation, s, &places)
    }

    /// F of a step between two configurations, from the force in the frame.
    pub fn step_force(&self, frames: [&BodyFrame<D>; 2], q: [&[f64]; 2], s: &[f64]) -> Vec<f64> {
        let [before, after] = [0, 1].map(|k| self.places(q[k], frames[k].centre));
        let middle: Vec<SVector<f64, D>> = before.zip(after).map(|(x, y)| (x + y) * 0.5).collect();
        let mean = (frames[0].rotation + frames[1].rotation) * 0.5;
        self.without_moment(&mean, s, &middle)
    }

    /// Δ̂: the motion in the frame that turns as predicted, R_m = R Q.
    pub fn predicted_motion(
        &self,
        middle: &SMatrix<f64, D, D>,
        half: &SMatrix<f64, D, D>,
        local: &[f64],
        dq: &[f64],
    ) -> Vec<f64> {
        let (back, mean, chord) = (middle.transpose(), self.mean(dq), half - half.transpose());
        flat(nodes::<D>(dq).zip(self.shape(local)).map(|(d, y)| back * (d - mean) - chord * y))
    }

    /// |(T − I) v|²_M for the velocities v = ω × ξ of a rigid body in the place of this one, which turns by T \[J\].
    pub fn spin_change(&self, local: &[f64], spin: &Vector3<f64>, turn: &SMatrix<f64, D, D>) -> f64 {
        let change = (turn - SMatrix::identity()) * skew::<D>(spin);
        self.mass * self.shape(local).zip(&self.shares).map(|(y, s)| s * (change * y).norm_squared()).sum::<f64>()
    }
}
