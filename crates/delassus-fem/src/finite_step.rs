//! The force of a step of one cell at finite strain that keeps momentum, angular momentum and energy.
//!
//! ```text
//! ΔE = sym(F_½ᵀ ΔF) = ½ΔC ,   F_½ = ½(F + F⁺)                          exact, however large the step is
//! S* = ½(S + S⁺) + γ ΔE ,   γ = (W − ½(S + S⁺):ΔE)/|ΔE|²  + (θ−½) 𝔻 ΔE      W work of the stress on the way that the material integrates
//! F_a = Σ_qp B_½,aᵀ S* V ,       F·Δx = Σ_qp (W + (θ−½) ΔE:𝔻 ΔE) V
//! ```
//!
//! The sum of F vanishes, and Σ x_½ × F too, as S* is symmetric and acts with F_½ (Simo & Tarnow 1992). The projection on ΔE is that of Gonzalez 2000 with W in the place
//! of Δψ, which it is for hyperelastic materials; so laws that flow or relax have their dissipation in W (Meng & Laursen 2002). 𝔻 is the tangent of the natural state:
//! θ > ½ takes energy from every change of strain, whatever the stress is.
//!
//! With mean dilatation strains are Ē = ½(s²C − I), and S* is that of ΔĒ. Λ is a secant of ln J by the same projection, so that ΔĒ is linear in ΔE of all points of
//! the cell, exactly:
//!
//! ```text
//! Δ ln J = Λ:ΔE ,   Λ = ½(C⁻¹ + C⁺⁻¹) + λ ΔE ,       L(a, b) = (b − a)/(ln b − ln a)
//! Δ ln J̄ = Σ_l V_l w_l Λ_l:ΔE_l ,   w = L(J, J⁺)/(L(J̄, J̄⁺) ΣV)
//! ΔĒ = a ΔE + C_½ ⅓ℓ (Δ ln J̄ − Λ:ΔE) ,   a = mean of s² and s⁺² ,   ℓ = L(s², s⁺²) ,   C_½ = ½(C + C⁺)
//! S = a S* + Λ (w Q − ⅓ℓ S*:C_½) ,   Q = Σ_l V_l ⅓ℓ_l S*_l:C_½,l          takes the place of S* in F
//! ```
//!
//! γ and λ are of the size of ΔE, but rounding of W over |ΔE| grows as ΔE falls: both fade below |ΔE| ~ 2e-5, where they do nothing that could be seen in the energy.
//!
//! The tangent is the symmetric part of ∂F/∂x⁺ but for the curvature of the means, which is that of the middle; F has no potential, and what is left out vanishes with Δx.

use delassus_math as math;
use nalgebra::{Matrix3, SMatrix, SVector};

use crate::element::Element;
use crate::finite::{Deformed, add_block, deformed, displacement_gradient, mean_dilatation, operators, seen, stretch};
use crate::formulation::Formulation;
use crate::mapping::{QuadraturePoint, point, rule};
use crate::material::{Stretch, Stretching};
use crate::packed::first_kept;
use crate::respond::{CellMotion, CellResponse, relative};
use crate::tensor::{Mandel, Tangent, ZZ, matrix, rotated, symmetric_part};

/// |ΔE| below which projections fade.
const FADING: f64 = 2.0e-5;

/// (b − a)/(ln b − ln a).
fn logarithmic_mean(a: f64, b: f64) -> f64 {
    let x = (b - a) / a;
    if x.abs() > 0.0 { a * x / math::ln_1p(x) } else { a }
}

/// ln(b/a).
fn log_change(a: f64, b: f64) -> f64 {
    math::ln_1p((b - a) / a)
}

/// The factor of a projection on a change, 1/|ΔE|² where it does not fade.
fn share(change: &Mandel) -> f64 {
    let square = change.norm_squared();
    square / (square * square + FADING * FADING * FADING * FADING)
}

/// How a quadrature point moves.
struct Way<const D: usize, const N: usize> {
    /// B_½.
    operators: [SMatrix<f64, 6, D>; N],
    /// ΔE.
    change: Mandel,
    /// C_½.
    middle: Mandel,
    /// Λ; zero without mean dilatation.
    volume: Mandel,
    /// Λ:ΔE.
    log_change: f64,
    /// a.
    scale: f64,
    /// ⅓ℓ.
    slope: f64,
    /// w \[1/m³\].
    weight: f64,
}

impl<const D: usize, const N: usize> Way<D, N> {
    /// Without mean dilatation.
    fn of(
        point: &QuadraturePoint<D, N>,
        [before, after]: [&Deformed<D, N>; 2],
        dq: &[SVector<f64, D>; N],
        first: usize,
    ) -> Self {
        let middle = (before.f + after.f) * 0.5;
        let change = symmetric_part(&(middle.transpose() * displacement_gradient(point, dq, first)));
        Self {
            operators: operators(point, &middle),
            change,
            middle: (before.c + after.c) * 0.5,
            volume: Mandel::zeros(),
            log_change: 0.0,
            scale: 1.0,
            slope: 0.0,
            weight: 0.0,
        }
    }

    /// Gives it the secant of ln J; none for a point that is flat.
    fn find_volume(&mut self, before: &Deformed<D, N>, after: &Deformed<D, N>) -> Option<()> {
        let [a, b] = [matrix(&before.c).try_inverse()?, matrix(&after.c).try_inverse()?];
        let mean = symmetric_part(&((a + b) * 0.5));
        let missing = log_change(before.j, after.j) - mean.dot(&self.change);
        self.volume = mean + self.change * (missing * share(&self.change));
        self.log_change = self.volume.dot(&self.change);
        Some(())
    }
}

/// The stress of a step at a quadrature point.
struct Stressed {
    /// S*.
    stress: Mandel,
    /// ∂S*/∂Ē⁺, symmetric.
    tangent: Tangent,
}

/// Responds to a step at the level θ of strains; none for a motion that turns the cell over or that its material cannot follow.
pub(crate) fn finite_step<E: Element<D, N>, const D: usize, const N: usize>(
    cell: &CellMotion<'_, D>,
    theta: f64,
    out: &mut CellResponse,
) -> Option<()> {
    let (model, section) = (&cell.model, cell.model.section);
    let (n_absolute, first) = (section.n_absolute(), first_kept(section.n_absolute()));
    let points: Vec<_> =
        rule::<E, D, N>(section).iter().map(|at| point::<E, D, N>(cell.x, at, section)).collect::<Option<_>>()?;
    let (q, dq) = (relative::<D, N>(cell.q, n_absolute), relative::<D, N>(cell.dq, n_absolute));
    let end: [SVector<f64, D>; N] = std::array::from_fn(|a| q[a] + dq[a]);
    let (before, after) = (deformed(&points, &q, first)?, deformed(&points, &end, first)?);
    let pairs = || points.iter().zip(before.iter().zip(&after));
    let mut ways: Vec<Way<D, N>> = pairs().map(|(p, (b, a))| Way::of(p, [b, a], &dq, first)).collect();
    let is_mean = model.formulation == Formulation::BBar && E::KIND.is_linear() && points.len() > 1;
    let means = [&before, &after].map(|d| mean_dilatation(&points, d, is_mean).map(|m| m.0));
    // Δ ln J̄
    let mut mean_change = 0.0;
    if let [Some(start), Some(end)] = means {
        let total: f64 = points.iter().map(|p| p.volume).sum();
        for (way, (p, (b, a))) in ways.iter_mut().zip(pairs()) {
            way.find_volume(b, a)?;
            way.weight = logarithmic_mean(b.j, a.j) / (logarithmic_mean(start, end) * total);
            let scales = [stretch(Some(start), b), stretch(Some(end), a)];
            way.scale = 0.5 * (scales[0] + scales[1]);
            way.slope = logarithmic_mean(scales[0], scales[1]) / 3.0;
            mean_change += p.volume * way.weight * way.log_change;
        }
    }
    let thickness = section.thickness();
    let share_of_strains = theta - 0.5;
    let natural = if share_of_strains > 0.0 { Some(model.material.instantaneous().tangent) } else { None };
    let (mut stressed, mut pull) = (Vec::with_capacity(points.len()), 0.0);
    for (k, (way, (p, (b, a)))) in ways.iter().zip(pairs()).enumerate() {
        let ends = [seen(means[0], b), seen(means[1], a)];
        let motion = |after: Stretch| Stretching { before: ends[0], after, stresses: cell.wanted.stresses };
        let start = out.stretched(&CellMotion { h: 0.0, ..*cell }, k, &motion(ends[0]))?.stress;
        let response = out.stretched(cell, k, &motion(ends[1]))?;
        let change = way.change * way.scale + way.middle * (way.slope * (mean_change - way.log_change));
        let mean = (start + response.stress) * 0.5;
        let (missing, share) = (response.path_work - mean.dot(&change), share(&change));
        let mut stress = mean + change * (missing * share);
        let mut tangent = response.tangent * 0.5;
        if cell.wanted.tangent && cell.wanted.stresses {
            // γ varies with ΔĒ
            let fourth = FADING * FADING * FADING * FADING;
            let square = change.norm_squared();
            let fading = (fourth - square * square) / ((square * square + fourth) * (square * square + fourth));
            let slope = (response.stress - start - response.tangent * change) * (0.5 * share)
                + change * (2.0 * missing * fading);
            let bent = change * slope.transpose();
            tangent += Tangent::identity() * (missing * share) + (bent + bent.transpose()) * 0.5;
        }
        let weight = p.volume * thickness;
        if let Some(natural) = &natural {
            let damping = natural * change * share_of_strains;
            stress += damping;
            tangent += natural * share_of_strains;
            out.numerical += damping.dot(&change) * weight;
        }
        out.add_energies(&response, weight, weight);
        pull += p.volume * way.slope * stress.dot(&way.middle);
        stressed.push(Stressed { stress, tangent });
    }
    for ((way, p), at) in ways.iter().zip(&points).zip(&stressed) {
        let acting = way.acting(&at.stress, pull);
        let weight = p.volume * thickness;
        for a in first..N {
            let force = way.operators[a].tr_mul(&acting) * weight;
            (0..D).for_each(|i| out.force[D * a + i] += force[i]);
        }
    }
    if cell.wanted.tangent {
        let bent = Bent::of(&points, &ways, &stressed, pull)?;
        let is_counted = [cell.wanted.stresses, is_mean];
        for a in first..N {
            for b in first..=a {
                let block = Bent::block(&bent, (a, b), is_counted, pull) * (thickness / theta);
                add_block::<D>(&mut out.tangent, (a - first, b - first), &block);
            }
        }
    }
    Some(())
}

impl<const D: usize, const N: usize> Way<D, N> {
    /// S in the place of S*, for Q.
    fn acting(&self, stress: &Mandel, pull: f64) -> Mandel {
        stress * self.scale + self.volume * (self.weight * pull - self.slope * stress.dot(&self.middle))
    }
}

/// What varies at a quadrature point, in the middle of the step.
struct Bent<'a, const D: usize, const N: usize> {
    point: &'a QuadraturePoint<D, N>,
    way: &'a Way<D, N>,
    stressed: &'a Stressed,
    /// S.
    acting: Matrix3<f64>,
    /// ∂Ē/∂u.
    varied: [SMatrix<f64, 6, D>; N],
    /// C_½⁻¹ B C_½⁻¹.
    turned: [SMatrix<f64, 6, D>; N],
    /// t = Λ:B and e = (t̄ − t)/3.
    trace: SMatrix<f64, D, N>,
    change: SMatrix<f64, D, N>,
    /// B:S*.
    pushed: SMatrix<f64, D, N>,
}

impl<'a, const D: usize, const N: usize> Bent<'a, D, N> {
    fn of(
        points: &'a [QuadraturePoint<D, N>],
        ways: &'a [Way<D, N>],
        stressed: &'a [Stressed],
        pull: f64,
    ) -> Option<Vec<Self>> {
        let each = |way: &Way<D, N>, with: &Mandel| -> SMatrix<f64, D, N> {
            SMatrix::from_fn(|i, a| way.operators[a].column(i).dot(with))
        };
        let mut mean = SMatrix::<f64, D, N>::zeros();
        for (way, p) in ways.iter().zip(points) {
            mean += each(way, &way.volume) * (p.volume * way.weight);
        }
        let all = ways.iter().zip(points).zip(stressed).map(|((way, point), stressed)| {
            let inverse = matrix(&way.middle).try_inverse()?;
            let trace = each(way, &way.volume);
            let change = (mean - trace) / 3.0;
            let turned = std::array::from_fn(|a| {
                let columns: [Mandel; D] =
                    std::array::from_fn(|i| rotated(&way.operators[a].column(i).clone_owned(), &inverse));
                SMatrix::from_columns(&columns)
            });
            let varied = std::array::from_fn(|a| {
                way.operators[a] * way.scale + way.middle * change.column(a).transpose() * (3.0 * way.slope)
            });
            let acting = matrix(&way.acting(&stressed.stress, pull));
            let pushed = each(way, &stressed.stress);
            Some(Self { point, way, stressed, acting, varied, turned, trace, change, pushed })
        });
        all.collect()
    }

    /// The block of two nodes of the symmetric part of ∂F/∂x⁺.
    fn block(
        all: &[Self],
        (a, b): (usize, usize),
        [with_stresses, is_mean]: [bool; 2],
        pull: f64,
    ) -> SMatrix<f64, D, D> {
        let mut out = SMatrix::<f64, D, D>::zeros();
        let (mut means, mut curvature) = ([SVector::<f64, D>::zeros(); 2], SMatrix::<f64, D, D>::zeros());
        for here in all {
            let mut block = (here.stressed.tangent * here.varied[a]).tr_mul(&here.varied[b]);
            if with_stresses {
                block += here.geometric(a, b) * 0.5;
            }
            if with_stresses && is_mean {
                let second = here.turned[a].tr_mul(&here.way.operators[b]);
                let along = here.stressed.stress.dot(&here.way.middle);
                let (e_a, e_b) = (here.change.column(a), here.change.column(b));
                let (p_a, p_b) = (here.pushed.column(a), here.pushed.column(b));
                let bent =
                    (e_a * e_b.transpose() + second / 3.0) * along + p_a * e_b.transpose() + e_a * p_b.transpose();
                block += bent * here.way.scale;
                let (t_a, t_b) = (here.trace.column(a), here.trace.column(b));
                let share = here.point.volume * here.way.weight;
                means[0] += t_a * share;
                means[1] += t_b * share;
                curvature += (t_a * t_b.transpose() - second * 2.0) * share;
            }
            out += block * here.point.volume;
        }
        out + (curvature - means[0] * means[1].transpose()) * (0.5 * pull)
    }

    /// What the stress does as the nodes turn.
    fn geometric(&self, a: usize, b: usize) -> SMatrix<f64, D, D> {
        let gradient = |a: usize| self.point.gradient.column(a);
        let mut product = 0.0;
        for (k, l) in (0..D).flat_map(|k| (0..D).map(move |l| (k, l))) {
            product += gradient(a)[k] * self.acting[(k, l)] * gradient(b)[l];
        }
        let mut out = SMatrix::<f64, D, D>::identity() * product;
        out[(0, 0)] += self.acting[(ZZ, ZZ)] * self.point.hoop[a] * self.point.hoop[b];
        out
    }
}
