//! Viscosity and Rayleigh damping.

use std::sync::Arc;

use delassus_dynamics::{State, System};
use delassus_fem::{Body, BodyInput, Formulation, KelvinVoigt, MassKind, Rayleigh, Section};
use delassus_mesh::{CellKind, Mesh, generate};
use nalgebra::{DMatrix, DVector};

use crate::support::{Numbers, build, dense, distorted, kinds, max_abs, models, soft, stiffness};

const YOUNG: f64 = 3.0;
const POISSON: f64 = 0.3;

/// Viscosities τ times the moduli.
fn proportional(tau: f64) -> KelvinVoigt {
    let (bulk, shear) = (YOUNG / (3.0 * (1.0 - 2.0 * POISSON)), YOUNG / (2.0 * (1.0 + POISSON)));
    KelvinVoigt::elastic(YOUNG, POISSON).with_viscosity(tau * bulk, tau * shear)
}

fn viscous_force<const D: usize>(body: &Body<D>, v: &[f64]) -> DVector<f64> {
    let mut f = vec![f64::NAN; v.len()];
    body.viscous_force_into(&vec![0.0; v.len()], v, &mut f);
    DVector::from_vec(f)
}

#[test]
fn proportional_viscosity_gives_proportional_damping() {
    fn check<const D: usize>() {
        let tau = 0.02;
        for kind in kinds::<D>() {
            for (section, formulation) in models::<D>() {
                let mesh: Mesh<D> = distorted(kind, 2);
                let input = BodyInput::new("test", Arc::new(mesh), build(proportional(tau), 2.5));
                let body = Body::new(BodyInput { section, formulation, ..input }).unwrap();
                let (k, c) = (stiffness(&body), dense(&body.matrices().damping));
                assert!((&c - &k * tau).amax() < 1e-12 * c.amax(), "{kind} {section:?} {formulation:?}: C = τ K");
                assert!(body.is_damped());
            }
        }
    }
    check::<2>();
    check::<3>();
}

/// A fluid-like viscosity of one kind only leaves some incompatible modes without resistance: they are left alone, and
/// the damping matrix has no negative eigenvalue.
#[test]
fn damping_is_never_negative() {
    for (bulk, shear) in [(1.0, 0.0), (0.0, 1.0)] {
        let material = build(KelvinVoigt::elastic(YOUNG, POISSON).with_viscosity(bulk, shear), 2.5);
        for formulation in [Formulation::Standard, Formulation::BBar, Formulation::IncompatibleModes] {
            let input = BodyInput::new("test", Arc::new(distorted::<3>(CellKind::Hexahedron8, 1)), material.clone());
            let body = Body::new(BodyInput { formulation, ..input }).unwrap();
            let c = dense(&body.matrices().damping);
            let (low, high) = (c.symmetric_eigenvalues().min(), c.amax());
            assert!(low > -1e-14 * high && high > 0.0, "{formulation:?}: {low:e}");
        }
    }
}

/// The bar of the Kelvin–Voigt benchmark: η = τ E, ζ_n = η ω_n/(2E) = τ ω_n/2 for every mode.
#[test]
fn every_mode_of_a_kelvin_voigt_bar_has_its_damping_ratio() {
    let tau = 0.02;
    let mesh = generate::rectangle([0.0, 0.0], [5.0, 1.0], [10, 2], CellKind::Quad4, 1).unwrap();
    let body = Body::new(BodyInput::new("bar", Arc::new(mesh), build(proportional(tau), 2.5))).unwrap();
    let root: Vec<f64> = body.node_masses().iter().flat_map(|m| [m.sqrt(), m.sqrt()]).collect();
    let k = stiffness(&body);
    let scaled = DMatrix::from_fn(root.len(), root.len(), |i, j| k[(i, j)] / (root[i] * root[j]));
    let modes = scaled.symmetric_eigen();
    let mut checked = 0;
    for (k, square) in modes.eigenvalues.iter().enumerate().filter(|(_, square)| **square > 1e-6) {
        let phi: Vec<f64> = modes.eigenvectors.column(k).iter().zip(&root).map(|(x, r)| x / r).collect();
        let omega = square.sqrt();
        // φᵀ M φ = 1
        let zeta = viscous_force(&body, &phi).dot(&DVector::from_column_slice(&phi)) / (2.0 * omega);
        assert!((zeta / (0.5 * tau * omega) - 1.0).abs() < 1e-9, "mode {k}: {zeta} (eigenvectors to 1e-12)");
        checked += 1;
    }
    assert_eq!(checked, body.n_dof() - 3);
}

/// v·C v of a linear velocity field is the power of the viscous stress of the output, σ_v:ε̇ V, and in plane stress the
/// viscous σ_zz vanishes by itself; viscosities in another proportion than the moduli.
#[test]
fn viscous_power_is_that_of_the_viscous_stress() {
    const RATE: [[f64; 3]; 3] = [[0.3, 0.1, 0.2], [-0.2, -0.7, 0.4], [0.1, -0.3, 0.5]];
    fn check<const D: usize>() {
        let material = build(KelvinVoigt::elastic(YOUNG, POISSON).with_viscosity(0.2, 1.1), 2.5);
        for kind in kinds::<D>() {
            for (section, formulation) in models::<D>() {
                let mesh: Mesh<D> = distorted(kind, 2);
                let input = BodyInput::new("test", Arc::new(mesh), material.clone());
                let body = Body::new(BodyInput { section, formulation, ..input }).unwrap();
                let speed = |x: &[f64; D], i: usize| (0..D).map(|j| RATE[i][j] * x[j]).sum::<f64>();
                let points = &body.mesh().points;
                let v: Vec<f64> = points.iter().flat_map(|x| (0..D).map(|i| speed(x, i)).collect::<Vec<_>>()).collect();
                let fields = body.cell_fields(&State::new(0.0, vec![0.0; v.len()], v.clone()));
                let volume = body.mesh().total_measure() * section.thickness();
                let index = [[0, 3, 5], [3, 1, 4], [5, 4, 2]];
                let exact = viscous_force(&body, &v).dot(&DVector::from_column_slice(&v));
                for stress in &fields.stress {
                    let pairs = (0..D).flat_map(|i| (0..D).map(move |j| (i, j)));
                    let power = volume * pairs.map(|(i, j)| RATE[i][j] * stress[index[i][j]]).sum::<f64>();
                    assert!((power / exact - 1.0).abs() < 1e-12, "{kind} {section:?} {formulation:?}: {power} {exact}");
                    if matches!(section, Section::PlaneStress { .. }) {
                        assert!(stress[2].abs() < 1e-15, "σ_zz = {:e}", stress[2]);
                    }
                }
            }
        }
    }
    check::<2>();
    check::<3>();
}

#[test]
fn rayleigh_damping_is_alpha_m_plus_beta_k() {
    let (alpha, beta, tau) = (0.3, 0.01, 0.02);
    for mass in [MassKind::Lumped, MassKind::Consistent] {
        let mesh = Arc::new(distorted::<2>(CellKind::Quad4, 3));
        let input = BodyInput::new("test", mesh, build(proportional(tau), 2.5));
        let body = Body::new(BodyInput { mass, rayleigh: Rayleigh { alpha, beta }, ..input }).unwrap();
        let matrices = body.matrices();
        let c = dense(&matrices.damping);
        let exact = dense(&matrices.mass) * alpha + stiffness(&body) * (beta + tau);
        assert!((&c - &exact).amax() < 1e-12 * c.amax());
        let v = Numbers::new(6).vector(body.n_dof());
        let f = viscous_force(&body, &v);
        let error = (&f - &c * DVector::from_column_slice(&v)).amax();
        assert!(error < 1e-12 * f.amax(), "the force is C v: {error:e}");
    }
}

#[test]
fn viscosity_does_not_resist_rigid_motion_and_mass_damping_does() {
    let mesh = Arc::new(distorted::<2>(CellKind::Quad4, 3));
    let input = BodyInput::new("test", mesh, build(proportional(0.02), 2.5));
    let viscous = Body::new(input.clone()).unwrap();
    let v = vec![12_345.678; viscous.n_dof()];
    assert!(viscous_force(&viscous, &v).amax() <= 0.0);
    let rayleigh = Rayleigh { alpha: 0.5, beta: 0.0 };
    let braked = Body::new(BodyInput { rayleigh, ..input }).unwrap();
    let total = viscous_force(&braked, &v).sum();
    assert!((total / (0.5 * 2.0 * braked.total_mass() * 12_345.678) - 1.0).abs() < 1e-13, "α m v in both directions");
}

#[test]
fn a_body_without_damping_says_so() {
    let body = Body::new(BodyInput::new("test", Arc::new(distorted::<2>(CellKind::Quad4, 2)), soft())).unwrap();
    assert!(!body.is_damped() && max_abs(body.matrices().damping.values()) <= 0.0);
    assert!(viscous_force(&body, &Numbers::new(1).vector(body.n_dof())).amax() <= 0.0);
}
