//! Finite strain: materials by their stretches, forces and tangents of bodies, patch test.

use std::sync::Arc;

use delassus_dynamics::{Inelastic, Motion, State, System};
use delassus_error::Coded;
use delassus_fem::material::{Material, MaterialSpec, Response, Stretch, Stretching};
use delassus_fem::tensor::{Mandel, rotated, symmetric_part};
use delassus_fem::{
    Body, BodyInput, DruckerPrager, Formulation, GeneralizedMaxwell, Hardening, Integration, KelvinVoigt, Kinematics,
    Maxwell, MooneyRivlin, NeoHookean, PowerLaw, PronyTerm, Section, StVenantKirchhoff, ThermoElastic, TimeExpression,
    TimeFunction, VonMises,
};
use delassus_mesh::CellKind;
use nalgebra::{Matrix3, Rotation3, SMatrix, SVector};

use crate::support::{Numbers, dense_values, distorted, kinds, max_abs};

const FINITE: Kinematics = Kinematics::FiniteStrain {};

/// Hyperelastic materials with moduli of order one: a new one is one line here.
fn elastic_laws() -> Vec<MaterialSpec> {
    vec![
        MooneyRivlin { c1: 0.3, c2: 0.2, bulk: 2.0 }.into(),
        StVenantKirchhoff::new(2.0, 0.3).into(),
        KelvinVoigt::elastic(2.0, 0.3).into(),
        NeoHookean::new(2.0, 0.3).into(),
        NeoHookean::new(2.0, 0.49).into(),
        crate::material::wood().into(),
    ]
}

/// Materials that flow.
fn plastic_laws() -> Vec<MaterialSpec> {
    let voce = Hardening::Voce { saturation: 0.5, exponent: 3.0, modulus: 0.1 };
    let table = Hardening::table(&[(0.0, 0.2), (0.1, 0.3), (0.4, 0.35)]);
    let rate = PowerLaw { reference: 3.0, exponent: 0.4 };
    let soil = DruckerPrager::new(2.0, 0.3, 0.1, 25.0);
    vec![
        VonMises::new(2.0, 0.3, 0.2).into(),
        VonMises { rate: Some(rate), kinematic: 0.1, ..VonMises::new(2.0, 0.3, 0.2).hardening(voce.clone()) }.into(),
        soil.clone().into(),
        DruckerPrager { dilation_angle: Some(5.0), hardening: Hardening::Linear { modulus: 0.2 }, ..soil.clone() }
            .into(),
        DruckerPrager { dilation_angle: Some(0.0), ..soil }.into(),
        VonMises { kinematic: 0.3, ..VonMises::new(2.0, 0.3, 0.2).hardening(Hardening::Linear { modulus: 0.2 }) }
            .into(),
        VonMises::new(2.0, 0.3, 0.2).hardening(voce).into(),
        VonMises::new(2.0, 0.3, 0.2).hardening(table).into(),
    ]
}

/// Materials whose stress depends on time.
fn timed_laws() -> Vec<MaterialSpec> {
    let euler = Integration::BackwardEuler;
    let terms = vec![PronyTerm { share: 0.5, time: 0.2 }, PronyTerm { share: 0.3, time: 2.0 }];
    let temperature = TimeFunction::Expression(TimeExpression::new("sin(3*t)"));
    vec![
        Maxwell::new(2.0, 0.3, 0.15).into(),
        Maxwell { integration: euler, ..Maxwell::new(2.0, 0.3, 0.15) }.into(),
        GeneralizedMaxwell { young: Some(2.0), poisson: Some(0.3), terms, ..GeneralizedMaxwell::default() }.into(),
        ThermoElastic::new(2.0, 0.3, 0.1, temperature).into(),
    ]
}

fn every_law() -> Vec<MaterialSpec> {
    [elastic_laws(), plastic_laws(), timed_laws()].concat()
}

fn built(laws: &[MaterialSpec]) -> Vec<Arc<dyn Material>> {
    laws.iter().map(|s| s.build(1.3).unwrap()).collect()
}

fn elastic() -> Vec<Arc<dyn Material>> {
    built(&elastic_laws())
}

fn all() -> Vec<Arc<dyn Material>> {
    built(&every_law())
}

/// A new law does not compile until it has a place here, and fails until it is in a list above.
#[test]
fn no_law_is_left_out() {
    let place = |law: &MaterialSpec| match law {
        MaterialSpec::KelvinVoigt(_) => 0,
        MaterialSpec::Maxwell(_) => 1,
        MaterialSpec::GeneralizedMaxwell(_) => 2,
        MaterialSpec::VonMises(_) => 3,
        MaterialSpec::DruckerPrager(_) => 4,
        MaterialSpec::NeoHookean(_) => 5,
        MaterialSpec::MooneyRivlin(_) => 6,
        MaterialSpec::StVenantKirchhoff(_) => 7,
        MaterialSpec::Orthotropic(_) => 8,
        MaterialSpec::ThermoElastic(_) => 9,
        MaterialSpec::Own(_) => 10,
    };
    let mut seen: Vec<usize> = every_law().iter().map(place).collect();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen, (0..10).collect::<Vec<_>>(), "all but those of one's own");
}

/// F = I + a random matrix of this size.
fn gradient(numbers: &mut Numbers, size: f64) -> Matrix3<f64> {
    Matrix3::identity() + Matrix3::from_fn(|_, _| size * numbers.next())
}

fn stretch(f: &Matrix3<f64>) -> Mandel {
    symmetric_part(&(f.transpose() * f))
}

fn between(before: &Mandel, after: &Mandel) -> Stretching {
    Stretching { before: Stretch::of(*before), after: Stretch::of(*after), stresses: true }
}

fn respond(material: &dyn Material, before: &Mandel, after: &Mandel, z: &[f64]) -> (Response, Vec<f64>) {
    let mut new = z.to_vec();
    (material.respond_finite(&between(before, after), 0.1, z, &mut new).unwrap(), new)
}

/// A material, C before, internal variables there, and C after.
fn check(materials: Vec<Arc<dyn Material>>, property: impl Fn(&dyn Material, &Mandel, &[f64], &Mandel)) {
    let mut numbers = Numbers::new(11);
    for material in materials {
        for _ in 0..10 {
            let before = stretch(&gradient(&mut numbers, 0.25));
            let still = vec![0.0; material.n_internal()];
            let natural = stretch(&Matrix3::identity());
            let (_, z) = respond(&*material, &natural, &before, &still);
            property(&*material, &before, &z, &stretch(&gradient(&mut numbers, 0.25)));
        }
    }
}

const STEP: f64 = 1e-5;

/// S = 2 ∂ψ/∂C; central differences of 1e-5 leave 1e-10 of curvature and 1e-11 of rounding.
#[test]
fn stress_is_the_derivative_of_the_stored_energy() {
    check(elastic(), |material, before, z, c| {
        let stress = respond(material, before, c, z).0.stress;
        for k in 0..6 {
            let d = Mandel::ith(k, STEP);
            let energy = |c: Mandel| respond(material, before, &c, z).0.stored;
            let secant = (energy(c + d) - energy(c - d)) / STEP;
            assert!((stress[k] - secant).abs() < 1e-8, "{material:?} {k}: {} {secant}", stress[k]);
        }
        let response = respond(material, before, c, z).0;
        let work = response.stored - respond(material, before, before, z).0.stored;
        assert!(
            (response.path_work - work).abs() < 1e-14,
            "{material:?}: the work along any path is that of the energy"
        );
    });
}

#[test]
fn tangent_is_the_derivative_of_the_stress_and_symmetric() {
    check(all(), |material, before, z, c| {
        let tangent = respond(material, before, c, z).0.tangent;
        for k in 0..6 {
            let d = Mandel::ith(k, STEP);
            let stress = |c: Mandel| respond(material, before, &c, z).0.stress;
            let secant = (stress(c + d) - stress(c - d)) / STEP;
            let size = tangent.norm().max(1.0);
            assert!((tangent.column(k) - secant).norm() < 1e-7 * size, "{material:?} {k}: {tangent} {secant}");
        }
        let is_symmetric = (tangent - tangent.transpose()).norm() < 1e-13;
        assert!(is_symmetric || !material.has_symmetric_tangent(), "{material:?}");
    });
}

/// Without what the stresses do a tangent is positive definite, however the point is stretched; there is one to fall back on.
#[test]
fn without_stresses_the_tangent_is_definite() {
    let mut numbers = Numbers::new(21);
    for material in elastic() {
        for k in 0..40 {
            let f = gradient(&mut numbers, 0.25) * (0.6 + 0.05 * f64::from(k));
            let motion = Stretching { stresses: false, ..between(&stretch(&Matrix3::identity()), &stretch(&f)) };
            let z = vec![0.0; material.n_internal()];
            let Some(r) = material.respond_finite(&motion, 0.1, &z, &mut z.clone()) else { continue };
            assert!(r.tangent.symmetric_eigenvalues().min() > 0.0, "{material:?}: {f}");
        }
    }
}

/// Turned axes of the undeformed body change nothing: ψ(QᵀCQ) = ψ(C), S turns along. C itself does not see a rotation of space.
#[test]
fn materials_are_isotropic() {
    let q = Rotation3::from_euler_angles(0.4, 1.2, -0.8).into_inner();
    check(all().into_iter().filter(|m| m.is_isotropic()).collect(), |material, before, z, c| {
        let turned = |z: &[f64]| -> Vec<f64> {
            let mut z = z.to_vec();
            // tensors first, numbers after
            for tensor in z.chunks_exact_mut(6) {
                let turned = rotated(&Mandel::from_column_slice(tensor), &q);
                tensor.copy_from_slice(turned.as_slice());
            }
            z
        };
        let (a, _) = respond(material, before, c, z);
        let (b, _) = respond(material, &rotated(before, &q), &rotated(c, &q), &turned(z));
        assert!((a.stored - b.stored).abs() < 1e-13 && (a.dissipated - b.dissipated).abs() < 1e-13, "{material:?}");
        assert!((rotated(&a.stress, &q) - b.stress).norm() < 1e-12, "{material:?}");
    });
}

/// Work is what is stored and dissipated, each by its own formula, and dissipation is never below zero.
#[test]
fn work_is_stored_or_dissipated() {
    check(all(), |material, before, z, c| {
        // without time, in which a rate would relax
        let still = between(before, before);
        let start = material.respond_finite(&still, 0.0, z, &mut z.to_vec()).unwrap();
        let r = respond(material, before, c, z).0;
        assert!(r.dissipated >= 0.0, "{material:?}");
        let left = r.path_work - (r.stored - start.stored) - r.dissipated + r.supplied;
        assert!(left.abs() < 1e-13, "{material:?}: {left:e}");
    });
}

/// Of materials that relax it is the derivative for a sudden motion.
#[test]
fn sudden_stress_is_the_derivative_of_the_stored_energy() {
    check(built(&timed_laws()), |material, before, z, c| {
        let at = |c: &Mandel| material.respond_finite(&between(before, c), 0.0, z, &mut z.to_vec()).unwrap();
        let stress = at(c).stress;
        for k in 0..6 {
            let d = Mandel::ith(k, STEP);
            let secant = (at(&(c + d)).stored - at(&(c - d)).stored) / STEP;
            assert!((stress[k] - secant).abs() < 1e-8, "{material:?} {k}: {} {secant}", stress[k]);
        }
    });
}

/// Nothing that turns a point inside out is followed.
#[test]
fn no_stretch_no_response() {
    for material in all() {
        let z = vec![0.0; material.n_internal()];
        for bad in [Mandel::new(-1.0, 1.0, 1.0, 0.0, 0.0, 0.0), Mandel::zeros(), Mandel::repeat(f64::NAN)] {
            // whatever its volume is said to be
            let natural = stretch(&Matrix3::identity());
            for volume in [Stretch::of(bad).volume, 1.0, f64::NAN] {
                let motion = Stretching { after: Stretch { c: bad, volume }, ..between(&natural, &natural) };
                assert!(material.respond_finite(&motion, 0.1, &z, &mut z.clone()).is_none(), "{material:?}: {bad}");
            }
        }
    }
}

fn sections<const D: usize>() -> Vec<Section> {
    if D == 3 { vec![Section::Solid] } else { vec![Section::PlaneStrain { thickness: 0.7 }, Section::Axisymmetric] }
}

fn body<const D: usize>(
    kind: CellKind,
    n: usize,
    section: Section,
    formulation: Formulation,
    law: &Arc<dyn Material>,
) -> Body<D> {
    let mut mesh = distorted::<D>(kind, n);
    mesh.points.iter_mut().for_each(|x| x[0] += 1.5);
    let input = BodyInput::new("test", Arc::new(mesh), Arc::clone(law));
    Body::new(BodyInput { section, formulation, kinematics: FINITE, ..input }).unwrap()
}

/// Bodies of every kind, section and formulation, of a law.
fn every<const D: usize>(law: &Arc<dyn Material>, check: impl Fn(&Body<D>, &str)) {
    for kind in kinds::<D>() {
        for section in sections::<D>() {
            for formulation in [Formulation::Standard, Formulation::BBar] {
                check(&body(kind, 1, section, formulation, law), &format!("{kind} {section:?} {formulation:?}"));
            }
        }
    }
}

fn check_derivatives<const D: usize>(body: &Body<D>, name: &str) {
    let n = body.n_dof();
    let mut numbers = Numbers::new(2);
    let from = body.at_start(vec![0.0; n]);
    let dq: Vec<f64> = numbers.vector(n).iter().map(|x| 0.05 * x).collect();
    let at = |dq: &[f64]| body.respond(&Motion { from: &from, dq, h: 0.1 });
    let here = at(&dq);
    let tangent = dense_values(body.matrices().pattern(), &body.tangent(&Motion { from: &from, dq: &dq, h: 0.1 }));
    let size = tangent.amax();
    for column in 0..n {
        let moved = |by: f64| {
            let mut dq = dq.clone();
            dq[column] += by;
            at(&dq)
        };
        let (after, before) = (moved(STEP), moved(-STEP));
        if here.dissipated + here.plastic <= 0.0 {
            let force = (after.stored - before.stored) / (2.0 * STEP);
            assert!(
                (force - here.force[column]).abs() < 1e-8 * size,
                "{name} {column}: {force} {}",
                here.force[column]
            );
        }
        for row in 0..n {
            let slope = (after.force[row] - before.force[row]) / (2.0 * STEP);
            let error = (slope - tangent[(row, column)]).abs();
            assert!(error < 2e-7 * size, "{name} ({row}, {column}): {slope} {}", tangent[(row, column)]);
        }
    }
}

/// f = ∂Ψ/∂u and K = ∂f/∂u for every element, section and formulation, mean dilatation included.
#[test]
fn forces_and_tangents_are_derivatives() {
    let rubber = MaterialSpec::from(NeoHookean::new(2.0, 0.3)).build(1.0).unwrap();
    every::<2>(&rubber, check_derivatives);
    every::<3>(&rubber, |body, name| {
        if !name.contains('0') {
            check_derivatives(body, name)
        }
    });
}

/// The same while the material flows.
#[test]
fn forces_and_tangents_are_derivatives_when_points_flow() {
    let metal = VonMises::new(2.0, 0.3, 0.002).hardening(Hardening::Linear { modulus: 0.2 });
    let metal = MaterialSpec::from(metal).build(1.0).unwrap();
    let check = |body: &Body<2>, name: &str| {
        check_derivatives(body, name);
        let dq: Vec<f64> = Numbers::new(2).vector(body.n_dof()).iter().map(|x| 0.05 * x).collect();
        let from = body.at_start(vec![0.0; body.n_dof()]);
        let response = body.respond(&Motion { from: &from, dq: &dq, h: 0.1 });
        assert!(response.plastic > 0.0 && response.dissipated <= 0.0, "{name}: plastic work has a line of its own");
    };
    every::<2>(&metal, check);
}

/// A rotation and a shift, however large, cause no force; in an axisymmetric body a shift along the axis.
#[test]
fn rigid_motions_are_free() {
    let rubber = MaterialSpec::from(NeoHookean::new(2.0, 0.3)).build(1.0).unwrap();
    fn check<const D: usize>(body: &Body<D>, name: &str) {
        let turn = Rotation3::from_euler_angles(0.0, 0.0, 2.1).into_inner();
        let is_revolved = body.section().is_revolved();
        let move_ = |x: &[f64; D]| -> [f64; D] {
            let x: SVector<f64, D> = SVector::from(*x);
            let r: SMatrix<f64, D, D> = SMatrix::from_fn(|i, j| turn[(i, j)]);
            let mut u = if is_revolved { SVector::zeros() } else { r * x - x };
            u[1] += 30.0;
            u.into()
        };
        let dq: Vec<f64> = body.mesh().points.iter().flat_map(move_).collect();
        let from = body.at_start(vec![0.0; dq.len()]);
        let response = body.respond(&Motion { from: &from, dq: &dq, h: 0.1 });
        assert!(max_abs(&response.force) < 1e-13, "{name}: {:e}", max_abs(&response.force));
        assert!(response.stored.abs() < 1e-14, "{name}");
    }
    every::<2>(&rubber, check);
    every::<3>(&rubber, check);
}

/// Whatever the law, its state and the motion: forces turn with space, and no energy sees a rotation, Q f(x → x⁺) = f(x → Q x⁺).
#[test]
fn forces_turn_with_space() {
    fn check<const D: usize>(kind: CellKind, section: Section, law: &Arc<dyn Material>) {
        let rotation = if D == 2 { [0.0, 0.0, 2.3] } else { [0.7, -1.9, 2.3] };
        let [a, b, c] = rotation;
        let full = Rotation3::from_euler_angles(a, b, c).into_inner();
        let turn: SMatrix<f64, D, D> = SMatrix::from_fn(|i, j| full[(i, j)]);
        for formulation in [Formulation::Standard, Formulation::BBar] {
            let body = body::<D>(kind, 1, section, formulation, law);
            let (n, mut numbers) = (body.n_dof(), Numbers::new(14));
            let mut random = || -> Vec<f64> { numbers.vector(n).iter().map(|x| 0.05 * x).collect() };
            let (first, dq, rest) = (random(), random(), body.at_start(vec![0.0; n]));
            let z = body.respond(&Motion { from: &rest, dq: &first, h: 0.1 }).z;
            let from = State { q: first.clone(), z, ..rest };
            let mut turned = Vec::new();
            for (k, x) in body.mesh().points.iter().enumerate() {
                let of = |u: &[f64]| SVector::<f64, D>::from_column_slice(&u[D * k..D * k + D]);
                let before = SVector::from(*x) + of(&first);
                turned.extend((turn * (before + of(&dq)) - before).iter());
            }
            let [plain, other] = [&dq, &turned].map(|dq| body.respond(&Motion { from: &from, dq, h: 0.1 }));
            let size = max_abs(&plain.force);
            for (f, g) in plain.force.chunks_exact(D).zip(other.force.chunks_exact(D)) {
                let error = turn * SVector::<f64, D>::from_column_slice(f) - SVector::<f64, D>::from_column_slice(g);
                assert!(error.amax() < 1e-12 * size, "{law:?} {kind} {formulation:?}: {error} of {size}");
            }
            let energies = |r: &delassus_dynamics::BodyResponse| [r.stored, r.dissipated, r.plastic, r.supplied];
            for (e, g) in energies(&plain).iter().zip(energies(&other)) {
                assert!((e - g).abs() < 1e-12, "{law:?} {kind} {formulation:?}: {e} {g}");
            }
        }
    }
    for law in all() {
        // axes askew to the plane are refused there
        if law.is_isotropic() {
            check::<2>(CellKind::Quad4, Section::PlaneStrain { thickness: 0.7 }, &law);
        }
        check::<3>(CellKind::Hexahedron8, Section::Solid, &law);
    }
}

/// A uniform deformation gradient leaves inner nodes of a distorted mesh in balance, and its Cauchy stress is that of the material.
#[test]
fn patch_test_at_finite_strain() {
    fn check<const D: usize>(section: Section) {
        let mut numbers = Numbers::new(4);
        let mut f = gradient(&mut numbers, 0.3);
        for i in 0..3 {
            for j in 0..3 {
                let across = (i == 2) != (j == 2) && D == 2;
                if across || (section.is_revolved() && i != j) {
                    f[(i, j)] = 0.0;
                }
            }
        }
        if D == 2 {
            f[(2, 2)] = if section.is_revolved() { f[(0, 0)] } else { 1.0 };
        }
        let law = MaterialSpec::from(NeoHookean::new(2.0, 0.3)).build(1.0).unwrap();
        for kind in kinds::<D>() {
            for formulation in [Formulation::Standard, Formulation::BBar] {
                let body = body::<D>(kind, if D == 2 { 3 } else { 2 }, section, formulation, &law);
                let points = &body.mesh().points;
                let to = |x: &[f64; D]| -> [f64; D] {
                    std::array::from_fn(|i| (0..D).map(|j| f[(i, j)] * x[j]).sum::<f64>() - x[i])
                };
                let dq: Vec<f64> = points.iter().flat_map(to).collect();
                let from = body.at_start(vec![0.0; dq.len()]);
                let response = body.respond(&Motion { from: &from, dq: &dq, h: 0.1 });
                let boundary: std::collections::BTreeSet<usize> =
                    body.mesh().boundary().iter().flat_map(|b| b.nodes.clone()).collect();
                for node in (0..points.len()).filter(|n| !boundary.contains(n)) {
                    let force = &response.force[D * node..D * node + D];
                    assert!(max_abs(force) < 1e-13 * max_abs(&response.force), "{kind} {formulation:?} {force:?}");
                }
                let c = stretch(&f);
                let (exact, _) = respond(&*law, &stretch(&Matrix3::identity()), &c, &[]);
                let s = delassus_fem::tensor::matrix(&exact.stress);
                let cauchy =
                    delassus_fem::tensor::components(&symmetric_part(&(f * s * f.transpose() / f.determinant())));
                let fields = body.cell_fields(&State::new(0.0, dq.clone(), vec![0.0; dq.len()]));
                for got in &fields.stress {
                    assert!((0..6).all(|k| (got[k] - cauchy[k]).abs() < 1e-12), "{kind} {got:?} {cauchy:?}");
                }
            }
        }
    }
    check::<2>(Section::PlaneStrain { thickness: 0.7 });
    check::<2>(Section::Axisymmetric);
    check::<3>(Section::Solid);
}

/// With mean dilatation a cell of a nearly incompressible material has one volume constraint: a motion that keeps its volume costs shear alone.
#[test]
fn mean_dilatation_takes_the_volume_of_the_cell() {
    let stored = |formulation| {
        let law = MaterialSpec::from(NeoHookean::new(2.0, 0.499_999)).build(1.0).unwrap();
        let mesh = delassus_mesh::generate::rectangle([0.0, 0.0], [1.0, 1.0], [1, 1], CellKind::Quad4, 1).unwrap();
        let input = BodyInput::new("cell", Arc::new(mesh), law);
        let body = Body::new(BodyInput { formulation, kinematics: FINITE, ..input }).unwrap();
        // an hourglass: the sides stay, the volume too
        let dq: Vec<f64> = body.mesh().points.iter().flat_map(|x| [0.1 * (x[0] - 0.5) * (x[1] - 0.5), 0.0]).collect();
        let from = body.at_start(vec![0.0; dq.len()]);
        body.respond(&Motion { from: &from, dq: &dq, h: 0.1 }).stored
    };
    let (locked, free) = (stored(Formulation::Standard), stored(Formulation::BBar));
    assert!(free < 1e-3 && locked > 100.0 * free, "{free} {locked}");
}

#[test]
fn what_finite_strain_cannot_do_is_refused() {
    let mesh = Arc::new(distorted::<2>(CellKind::Quad4, 1));
    let damped = MaterialSpec::from(KelvinVoigt::elastic(1.0, 0.3).with_viscosity(0.0, 0.1)).build(1.0).unwrap();
    let refused = |input: BodyInput<2>| Body::new(input).unwrap_err().code().0;
    let input = BodyInput { kinematics: FINITE, ..BodyInput::new("x", Arc::clone(&mesh), damped) };
    assert_eq!(refused(input), "E0686");
    let metal = MaterialSpec::from(VonMises::new(1.0, 0.3, 0.1)).build(1.0).unwrap();
    let turning = Kinematics::Corotational { frames: delassus_fem::FrameScope::Body };
    let input = BodyInput { kinematics: turning, ..BodyInput::new("x", Arc::clone(&mesh), Arc::clone(&metal)) };
    assert_eq!(refused(input), "E0688");
    let plate = Section::PlaneStress { thickness: 1.0 };
    let input = BodyInput { section: plate, ..BodyInput::new("x", Arc::clone(&mesh), metal) };
    assert_eq!(refused(input), "E0608");
}
