//! The response of one cell at finite strain, total Lagrangian: everything is integrated over the undeformed cell.
//!
//! ```text
//! F = I + Σ_a u_a⊗∇N_a  (+ Σ_a (N_a/R) u_r,a e_θ⊗e_θ, axisymmetric) ,     Ψ = Σ_qp ψ(C) V ,   C = FᵀF ,   δ½C = Σ B_a δu_a
//! f_a  = Σ_qp B_aᵀ S V
//! K_ab = Σ_qp (B_aᵀ 𝒟 B_b + G_ab) V ,      𝒟 = 2 ∂S/∂C ,   G_ab = (∇N_a·S ∇N_b) I  (+ S_θθ (N_a/R)(N_b/R) e_r⊗e_r)
//! ```
//!
//! With mean dilatation (`BBar`) the volume change of all points of a cell is their mean (Simo, Taylor & Pister 1985 with pressure and dilatation constant in
//! the cell, both eliminated; Nagtegaal, Parks & Rice 1974):
//!
//! ```text
//! F̄ = s F ,   s³ = J̄/J ,   J̄ = Σ J V / Σ V ,     Ψ = Σ_qp ψ(s² C) V
//! t_α = ∂ ln J/∂u_α ,   t̄_α = ∂ ln J̄/∂u_α ,   e_α = (t̄_α − t_α)/3 ,     δ½C̄_α = s² (B_α + e_α C)
//! S̄ : δ²½C̄_αβ = s² ((2 e_α e_β + e_αβ) S̄:C + 2 e_β S̄:B_α + 2 e_α S̄:B_β + G_αβ)
//! t_αβ = −tr(F⁻¹F_β F⁻¹F_α) ,   t̄_αβ = Σ J V (t_α t_β + t_αβ)/Σ J V − t̄_α t̄_β
//! ```
//!
//! Forces are the derivatives of Ψ, so K is symmetric wherever the material's tangent is.

use delassus_math as math;
use nalgebra::{Matrix3, SMatrix, SVector};

use crate::element::Element;
use crate::formulation::Formulation;
use crate::kinematics::{in_space, logarithmic_strain};
use crate::mapping::{QuadraturePoint, place, point, rule};
use crate::material::{Stretch, Stretching};
use crate::packed::{first_kept, packed_index};
use crate::respond::{CellMotion, CellResponse, relative};
use crate::tensor::{Mandel, ZZ, matrix, symmetric_part};

/// A quadrature point of the deformed cell.
pub(crate) struct Deformed<const D: usize, const N: usize> {
    pub f: Matrix3<f64>,
    /// det F.
    pub j: f64,
    /// C.
    pub c: Mandel,
}

/// ∂u/∂X.
pub(crate) fn displacement_gradient<const D: usize, const N: usize>(
    point: &QuadraturePoint<D, N>,
    u: &[SVector<f64, D>; N],
    first: usize,
) -> Matrix3<f64> {
    let mut gradient = SMatrix::<f64, D, D>::zeros();
    let mut hoop = 0.0;
    for a in first..N {
        gradient += u[a] * point.gradient.column(a).transpose();
        hoop += u[a][0] * point.hoop[a];
    }
    let mut out = in_space(&gradient);
    out[(ZZ, ZZ)] += hoop;
    out
}

/// B_a of the nodes, sym(FᵀδF) = Σ B_a δu_a.
pub(crate) fn operators<const D: usize, const N: usize>(
    point: &QuadraturePoint<D, N>,
    f: &Matrix3<f64>,
) -> [SMatrix<f64, 6, D>; N] {
    std::array::from_fn(|a| {
        let mut b = SMatrix::<f64, 6, D>::zeros();
        for i in 0..D {
            let outer = Matrix3::from_fn(|k, l| if k < D && l < D { f[(i, k)] * point.gradient[(l, a)] } else { 0.0 });
            b.set_column(i, &symmetric_part(&outer));
        }
        b[(ZZ, 0)] += f[(ZZ, ZZ)] * point.hoop[a];
        b
    })
}

impl<const D: usize, const N: usize> Deformed<D, N> {
    /// None for a point that is flat or turned over.
    pub fn of(point: &QuadraturePoint<D, N>, u: &[SVector<f64, D>; N], first: usize) -> Option<Self> {
        let f = Matrix3::identity() + displacement_gradient(point, u, first);
        let j = f.determinant();
        // in the plane a ring that is turned over and a face that is make a volume together; in space F_zz is of no meaning
        (j > 0.0 && (D == 3 || f[(ZZ, ZZ)] > 0.0)).then(|| Self { c: symmetric_part(&(f.transpose() * f)), f, j })
    }
}

/// The derivatives of a deformed point by the displacements of the nodes.
struct Derivatives<const D: usize, const N: usize> {
    /// B_a: δ½C.
    operators: [SMatrix<f64, 6, D>; N],
    /// F⁻ᵀ∇N_a.
    gradient: SMatrix<f64, D, N>,
    /// (N_a/R)/F_θθ.
    hoop: SVector<f64, N>,
}

impl<const D: usize, const N: usize> Derivatives<D, N> {
    fn of(point: &QuadraturePoint<D, N>, deformed: &Deformed<D, N>) -> Option<Self> {
        let f = &deformed.f;
        let plane: SMatrix<f64, D, D> = SMatrix::from_fn(|i, j| f[(i, j)]);
        let gradient = plane.try_inverse()?.transpose() * point.gradient;
        let hoop = point.hoop / f[(ZZ, ZZ)];
        let operators = operators(point, f);
        Some(Self { operators, gradient, hoop })
    }

    /// t_α.
    fn trace(&self, a: usize, i: usize) -> f64 {
        self.gradient[(i, a)] + if i == 0 { self.hoop[a] } else { 0.0 }
    }

    /// t_αβ.
    fn second_trace(&self, (a, i): (usize, usize), (b, j): (usize, usize)) -> f64 {
        let ring = if i == 0 && j == 0 { self.hoop[a] * self.hoop[b] } else { 0.0 };
        -self.gradient[(i, b)] * self.gradient[(j, a)] - ring
    }
}

/// Mean dilatation of a cell.
struct Mean<const D: usize, const N: usize> {
    /// J̄.
    j: f64,
    /// Σ J V.
    volume: f64,
    /// t̄.
    trace: SMatrix<f64, D, N>,
}

/// J̄ of the points of a cell; none without mean dilatation.
pub(crate) fn mean_dilatation<const D: usize, const N: usize>(
    points: &[QuadraturePoint<D, N>],
    deformed: &[Deformed<D, N>],
    is_mean: bool,
) -> Option<(f64, f64)> {
    let volumes = || points.iter().zip(deformed);
    let now: f64 = volumes().map(|(p, d)| p.volume * d.j).sum();
    let given: f64 = points.iter().map(|p| p.volume).sum();
    is_mean.then(|| (now / given, now))
}

/// s² of a point.
pub(crate) fn stretch<const D: usize, const N: usize>(mean: Option<f64>, point: &Deformed<D, N>) -> f64 {
    mean.map_or(1.0, |mean| {
        let s = math::cbrt(mean / point.j);
        s * s
    })
}

/// What the material sees of a point: C̄ and J̄.
pub(crate) fn seen<const D: usize, const N: usize>(mean: Option<f64>, point: &Deformed<D, N>) -> Stretch {
    Stretch { c: point.c * stretch(mean, point), volume: mean.unwrap_or(point.j) }
}

/// The points of a cell displaced by u.
pub(crate) fn deformed<const D: usize, const N: usize>(
    points: &[QuadraturePoint<D, N>],
    u: &[SVector<f64, D>; N],
    first: usize,
) -> Option<Vec<Deformed<D, N>>> {
    points.iter().map(|p| Deformed::of(p, u, first)).collect()
}

/// Responds; none for a motion that turns the cell over or that its material cannot follow.
pub(crate) fn finite<E: Element<D, N>, const D: usize, const N: usize>(
    cell: &CellMotion<'_, D>,
    out: &mut CellResponse,
) -> Option<()> {
    let (model, section) = (&cell.model, cell.model.section);
    let (n_absolute, first) = (section.n_absolute(), first_kept(section.n_absolute()));
    let rule = rule::<E, D, N>(section);
    let points: Vec<_> = rule.iter().map(|at| point::<E, D, N>(cell.x, at, section)).collect::<Option<_>>()?;
    let (q, dq) = (relative::<D, N>(cell.q, n_absolute), relative::<D, N>(cell.dq, n_absolute));
    let end: [SVector<f64, D>; N] = std::array::from_fn(|a| q[a] + dq[a]);
    let (before, after) = (deformed(&points, &q, first)?, deformed(&points, &end, first)?);
    let is_mean = model.formulation == Formulation::BBar && E::KIND.is_linear() && points.len() > 1;
    let mean_before = mean_dilatation(&points, &before, is_mean).map(|m| m.0);
    let derivatives: Vec<_> = points.iter().zip(&after).map(|(p, d)| Derivatives::of(p, d)).collect::<Option<_>>()?;
    let mean = mean_dilatation(&points, &after, is_mean).map(|(j, volume)| {
        let trace = |i: usize, a: usize| -> f64 {
            let each = points.iter().zip(&after).zip(&derivatives);
            each.map(|((p, d), by)| p.volume * d.j * by.trace(a, i)).sum::<f64>() / volume
        };
        Mean { j, volume, trace: SMatrix::from_fn(trace) }
    });
    let thickness = section.thickness();
    let volume: f64 = points.iter().zip(&after).map(|(p, d)| p.volume * d.j).sum();
    out.average.volume = volume * thickness;
    // Σ s² S̄:C V: what the curvature of J̄ is multiplied by
    let mut pull = 0.0;
    for (k, (p, d)) in points.iter().zip(&after).enumerate() {
        let scale = stretch(mean.as_ref().map(|m| m.j), d);
        let motion = Stretching {
            before: seen(mean_before, &before[k]),
            after: seen(mean.as_ref().map(|m| m.j), d),
            stresses: cell.wanted.stresses,
        };
        let response = out.stretched(cell, k, &motion)?;
        let weight = p.volume * thickness;
        out.add_energies(&response, weight, weight);
        let here =
            Varied { by: &derivatives[k], point: p, c: &d.c, scale, mean: mean.as_ref(), stress: &response.stress };
        for a in first..N {
            let force = here.varied(a).tr_mul(&response.stress) * weight;
            (0..D).for_each(|i| out.force[D * a + i] += force[i]);
        }
        pull += scale * response.stress.dot(&d.c) * weight;
        if cell.wanted.tangent {
            let tangent = response.tangent * weight;
            for a in first..N {
                let left = tangent * here.varied(a);
                for b in first..=a {
                    let mut block = left.tr_mul(&here.varied(b));
                    if cell.wanted.stresses {
                        block += here.second(a, b) * weight;
                    }
                    add_block::<D>(&mut out.tangent, (a - first, b - first), &block);
                }
            }
        }
        if cell.wanted.average {
            let f = d.f * scale.sqrt();
            let cauchy = symmetric_part(&(f * matrix(&response.stress) * f.transpose())) / (f.determinant());
            let place = place::<E, D, N>(cell.x, &rule[k].0);
            let share = p.volume * d.j / volume;
            out.average.add(&cauchy, &logarithmic_strain(&f), share, &place);
            out.average.add_plastic(out.plastic(cell, k), share);
        }
    }
    if let Some(mean) = mean.filter(|_| cell.wanted.tangent && cell.wanted.stresses) {
        for a in first..N {
            for b in first..=a {
                let block = curvature(&mean, &points, &after, &derivatives, (a, b)) * (pull / 3.0);
                add_block::<D>(&mut out.tangent, (a - first, b - first), &block);
            }
        }
    }
    Some(())
}

/// What varies at a quadrature point.
struct Varied<'a, const D: usize, const N: usize> {
    by: &'a Derivatives<D, N>,
    point: &'a QuadraturePoint<D, N>,
    c: &'a Mandel,
    /// s².
    scale: f64,
    mean: Option<&'a Mean<D, N>>,
    /// S̄.
    stress: &'a Mandel,
}

impl<const D: usize, const N: usize> Varied<'_, D, N> {
    /// e of a node.
    fn change(&self, a: usize) -> SVector<f64, D> {
        let change = |mean: &Mean<D, N>| SVector::from_fn(|i, _| (mean.trace[(i, a)] - self.by.trace(a, i)) / 3.0);
        self.mean.map_or_else(SVector::zeros, change)
    }

    /// δ½C̄ of a node.
    fn varied(&self, a: usize) -> SMatrix<f64, 6, D> {
        match self.mean {
            None => self.by.operators[a],
            Some(_) => (self.by.operators[a] + self.c * self.change(a).transpose()) * self.scale,
        }
    }

    /// S̄ : δ²½C̄ of two nodes, but for the curvature of J̄.
    fn second(&self, a: usize, b: usize) -> SMatrix<f64, D, D> {
        let s = matrix(self.stress);
        let gradient = |a: usize| self.point.gradient.column(a);
        let mut product = 0.0;
        for (k, l) in (0..D).flat_map(|k| (0..D).map(move |l| (k, l))) {
            product += gradient(a)[k] * s[(k, l)] * gradient(b)[l];
        }
        let mut out = SMatrix::<f64, D, D>::identity() * product;
        out[(0, 0)] += s[(ZZ, ZZ)] * self.point.hoop[a] * self.point.hoop[b];
        if self.mean.is_none() {
            return out;
        }
        let (e_a, e_b) = (self.change(a), self.change(b));
        let [by_a, by_b] = [a, b].map(|n| self.by.operators[n].tr_mul(self.stress));
        let pull = self.stress.dot(self.c);
        for (i, j) in (0..D).flat_map(|i| (0..D).map(move |j| (i, j))) {
            let bent = 2.0 * e_a[i] * e_b[j] - self.by.second_trace((a, i), (b, j)) / 3.0;
            out[(i, j)] += bent * pull + 2.0 * (e_b[j] * by_a[i] + e_a[i] * by_b[j]);
        }
        out * self.scale
    }
}

/// t̄_αβ of two nodes.
fn curvature<const D: usize, const N: usize>(
    mean: &Mean<D, N>,
    points: &[QuadraturePoint<D, N>],
    after: &[Deformed<D, N>],
    derivatives: &[Derivatives<D, N>],
    (a, b): (usize, usize),
) -> SMatrix<f64, D, D> {
    SMatrix::from_fn(|i, j| {
        let each = points.iter().zip(after).zip(derivatives);
        let sum: f64 = each
            .map(|((p, d), by)| p.volume * d.j * (by.trace(a, i) * by.trace(b, j) + by.second_trace((a, i), (b, j))))
            .sum();
        sum / mean.volume - mean.trace[(i, a)] * mean.trace[(j, b)]
    })
}

/// Adds the block of two nodes to a packed matrix.
pub(crate) fn add_block<const D: usize>(packed: &mut [f64], (a, b): (usize, usize), block: &SMatrix<f64, D, D>) {
    for i in 0..D {
        for j in 0..if a == b { i + 1 } else { D } {
            packed[packed_index(D * a + i, D * b + j)] += block[(i, j)];
        }
    }
}
