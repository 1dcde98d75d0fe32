//! Properties of every material.

use delassus_fem::KelvinVoigt;
use delassus_fem::material::{Kinematics3, Material, MaterialSpec};
use delassus_fem::tensor::{Mandel, trace, unit};

use crate::support::Numbers;

/// Every material, with parameters of order one: a new material is one line here.
fn materials() -> Vec<Box<dyn Material>> {
    let specs = [
        MaterialSpec::KelvinVoigt(KelvinVoigt::elastic(2.0, 0.3)),
        MaterialSpec::KelvinVoigt(KelvinVoigt::lame(-0.3, 0.9).with_viscosity(0.0, 0.4)),
        MaterialSpec::KelvinVoigt(KelvinVoigt::elastic(2.0, 0.45).with_viscosity(0.7, 0.0)),
        MaterialSpec::KelvinVoigt(KelvinVoigt::elastic(2.0, -0.4).with_viscosity(0.7, 1.3)),
    ];
    specs.iter().map(|s| s.build(1.3).unwrap()).collect()
}

fn kinematics(numbers: &mut Numbers) -> Kinematics3 {
    Kinematics3 { strain: Mandel::from_fn(|_, _| numbers.next()), strain_rate: Mandel::from_fn(|_, _| numbers.next()) }
}

fn check(property: impl Fn(&dyn Material, &Kinematics3)) {
    let mut numbers = Numbers::new(5);
    for material in materials() {
        for _ in 0..20 {
            property(&*material, &kinematics(&mut numbers));
        }
    }
}

const STEP: f64 = 1e-4;

/// Central differences of quadratic functions are exact; what is left is rounding, 1e-16·(a few)/1e-4.
const TOLERANCE: f64 = 1e-10;

#[test]
fn elastic_stress_is_the_derivative_of_the_stored_energy() {
    check(|m, kin| {
        let still = |strain| Kinematics3 { strain, strain_rate: Mandel::zeros() };
        let stress = m.respond(&still(kin.strain), 0.1, &[], &mut []).stress;
        for k in 0..6 {
            let d = Mandel::ith(k, STEP);
            let energy = |strain| m.respond(&still(strain), 0.1, &[], &mut []).stored;
            let secant = (energy(kin.strain + d) - energy(kin.strain - d)) / (2.0 * STEP);
            assert!((stress[k] - secant).abs() < TOLERANCE, "{m:?} component {k}");
        }
    });
}

#[test]
fn tangents_are_the_derivatives_of_the_stress_and_symmetric() {
    check(|m, kin| {
        let r = m.respond(kin, 0.1, &[], &mut []);
        let stress = |strain, strain_rate| m.respond(&Kinematics3 { strain, strain_rate }, 0.1, &[], &mut []).stress;
        let (e, v) = (kin.strain, kin.strain_rate);
        for k in 0..6 {
            let d = Mandel::ith(k, STEP);
            let by_strain = (stress(e + d, v) - stress(e - d, v)) / (2.0 * STEP);
            let by_rate = (stress(e, v + d) - stress(e, v - d)) / (2.0 * STEP);
            assert!((r.tangent.column(k) - by_strain).norm() < TOLERANCE, "{m:?} component {k}");
            assert!((r.rate_tangent.column(k) - by_rate).norm() < TOLERANCE, "{m:?} component {k}");
        }
        assert!((r.tangent - r.tangent.transpose()).norm() < 1e-15);
        assert!((r.rate_tangent - r.rate_tangent.transpose()).norm() < 1e-15);
    });
}

#[test]
fn dissipation_is_never_negative_and_closes_the_work() {
    check(|m, kin| {
        let h = 0.1;
        let r = m.respond(kin, h, &[], &mut []);
        // a purely viscous response at no strain: all work is dissipated
        let flow = m.respond(&Kinematics3 { strain: Mandel::zeros(), ..*kin }, h, &[], &mut []);
        assert!(r.dissipated >= -1e-16, "{m:?}: rounding below zero at most");
        assert!((flow.stress.dot(&kin.strain_rate) * h - flow.dissipated).abs() < 1e-14);
        assert!(r.stored >= 0.0);
    });
}

#[test]
fn isotropic_materials_answer_pressure_with_volume() {
    check(|m, _| {
        let kin = Kinematics3 { strain: unit() * 0.1, strain_rate: Mandel::zeros() };
        let stress = m.respond(&kin, 0.1, &[], &mut []).stress;
        assert!((stress - unit() * (trace(&stress) / 3.0)).norm() < 1e-15);
        assert!(trace(&stress) > 0.0);
    });
}

#[test]
fn wave_speed_is_that_of_the_uniaxial_strain_modulus() {
    for m in materials() {
        let modulus = m.respond(&Kinematics3::rest(), 0.1, &[], &mut []).tangent[(0, 0)];
        assert!((m.wave_speed().powi(2) * m.density() / modulus - 1.0).abs() < 1e-14, "{m:?}");
    }
}

#[test]
fn reads_from_ron_as_a_case_writes_it() {
    use ron::extensions::Extensions;
    let options = ron::Options::default().with_default_extension(
        Extensions::IMPLICIT_SOME | Extensions::UNWRAP_NEWTYPES | Extensions::UNWRAP_VARIANT_NEWTYPES,
    );
    let spec: MaterialSpec = options.from_str("KelvinVoigt(young: 2e11, poisson: 0.3, shear_viscosity: 5)").unwrap();
    assert_eq!(spec, MaterialSpec::KelvinVoigt(KelvinVoigt::elastic(2e11, 0.3).with_viscosity(0.0, 5.0)));
    assert_eq!(options.from_str::<MaterialSpec>(&options.to_string(&spec).unwrap()).unwrap(), spec);
    let wrong = options.from_str::<MaterialSpec>("KelvinVoigt(young: 2e11, nu: 0.3)").unwrap_err().to_string();
    assert!(wrong.contains("nu") && wrong.contains("poisson"), "{wrong}");
}
