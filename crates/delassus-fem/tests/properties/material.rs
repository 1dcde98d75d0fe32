//! Properties of every material.

use delassus_fem::material::{Kinematics3, Material, MaterialSpec, Response};
use delassus_fem::tensor::{Mandel, trace, unit};
use delassus_fem::{
    GeneralizedMaxwell, Integration, KelvinVoigt, Maxwell, MooneyRivlin, NeoHookean, Orthotropic, PronyTerm,
    StVenantKirchhoff, ThermoElastic, TimeExpression, TimeFunction,
};

use crate::support::Numbers;

/// Every material whose stress of small strains is linear in a step, with parameters of order one: a new one is one line here.
fn materials() -> Vec<std::sync::Arc<dyn Material>> {
    let euler = Integration::BackwardEuler;
    let terms = vec![PronyTerm { share: 0.5, time: 0.2 }, PronyTerm { share: 0.3, time: 2.0 }];
    let prony = GeneralizedMaxwell { young: Some(2.0), poisson: Some(0.3), terms, ..GeneralizedMaxwell::default() };
    let specs = [
        MaterialSpec::KelvinVoigt(KelvinVoigt::elastic(2.0, 0.3)),
        MaterialSpec::KelvinVoigt(KelvinVoigt::lame(-0.3, 0.9).with_viscosity(0.0, 0.4)),
        MaterialSpec::KelvinVoigt(KelvinVoigt::elastic(2.0, 0.45).with_viscosity(0.7, 0.0)),
        MaterialSpec::KelvinVoigt(KelvinVoigt::elastic(2.0, -0.4).with_viscosity(0.7, 1.3)),
        MaterialSpec::Maxwell(Maxwell::new(2.0, 0.3, 0.15)),
        MaterialSpec::Maxwell(Maxwell { integration: euler, ..Maxwell::new(2.0, 0.3, 0.15) }),
        MaterialSpec::Maxwell(Maxwell { viscosity: None, ..Maxwell::new(2.0, 0.3, 0.15) }),
        MaterialSpec::GeneralizedMaxwell(prony.clone()),
        MaterialSpec::GeneralizedMaxwell(GeneralizedMaxwell { integration: euler, ..prony }),
        wood().into(),
        NeoHookean::new(2.0, 0.3).into(),
        MooneyRivlin { c1: 0.3, c2: 0.2, bulk: 2.0 }.into(),
        StVenantKirchhoff::new(2.0, 0.3).into(),
        ThermoElastic::new(2.0, 0.3, 0.1, TimeFunction::Expression(TimeExpression::new("sin(3*t)"))).into(),
    ];
    specs.iter().map(|s| s.build(1.3).unwrap()).collect()
}

/// An orthotropic solid in axes askew.
pub fn wood() -> Orthotropic {
    Orthotropic::new([3.0, 1.0, 0.6], [0.35, 0.4, 0.3], [0.5, 0.2, 0.4]).axes([1.0, 2.0, -0.5], [0.3, 0.1, 1.0])
}

/// A material point that has been through something: internal variables reached by a step from the natural state.
struct Point<'a> {
    material: &'a dyn Material,
    z: Vec<f64>,
    kin: Kinematics3,
}

impl Point<'_> {
    fn respond(&self, kin: &Kinematics3, h: f64) -> Response {
        self.material.respond(kin, h, &self.z, &mut self.z.clone())
    }

    /// The kinematics with the strain (and its increment) moved by `d`, at rest.
    fn moved(&self, d: Mandel) -> Kinematics3 {
        Kinematics3 { strain: self.kin.strain + d, increment: self.kin.increment + d, strain_rate: Mandel::zeros() }
    }
}

fn check(property: impl Fn(&Point)) {
    let mut numbers = Numbers::new(5);
    let mut tensor = || Mandel::from_fn(|_, _| numbers.next());
    for material in materials() {
        for _ in 0..20 {
            let (before, increment, strain_rate) = (tensor(), tensor(), tensor());
            let first = Kinematics3 { strain: before, increment: before, strain_rate };
            let mut z = vec![0.0; material.n_internal()];
            material.respond(&first, 0.1, &z.clone(), &mut z);
            let kin = Kinematics3 { strain: before + increment, increment, strain_rate };
            property(&Point { material: &*material, z, kin });
        }
    }
}

const STEP: f64 = 1e-4;

/// Central differences of quadratic functions are exact; what is left is rounding, 1e-16·(a few)/1e-4.
const TOLERANCE: f64 = 1e-10;

#[test]
fn sudden_stress_is_the_derivative_of_the_stored_energy() {
    check(|p| {
        let stress = p.respond(&p.moved(Mandel::zeros()), 0.0).stress;
        for k in 0..6 {
            let d = Mandel::ith(k, STEP);
            let energy = |d| p.respond(&p.moved(d), 0.0).stored;
            let secant = (energy(d) - energy(-d)) / (2.0 * STEP);
            assert!((stress[k] - secant).abs() < TOLERANCE, "{:?} component {k}: {} {secant}", p.material, stress[k]);
        }
    });
}

#[test]
fn tangents_are_the_derivatives_of_the_stress_and_symmetric() {
    check(|p| {
        let h = 0.1;
        let r = p.respond(&p.kin, h);
        for k in 0..6 {
            let d = Mandel::ith(k, STEP);
            let by_strain = {
                let stress = |d: Mandel| {
                    let kin = Kinematics3 { strain_rate: p.kin.strain_rate, ..p.moved(d) };
                    p.respond(&kin, h).stress
                };
                (stress(d) - stress(-d)) / (2.0 * STEP)
            };
            let by_rate = {
                let stress = |d| p.respond(&Kinematics3 { strain_rate: p.kin.strain_rate + d, ..p.kin }, h).stress;
                (stress(d) - stress(-d)) / (2.0 * STEP)
            };
            assert!((r.tangent.column(k) - by_strain).norm() < TOLERANCE, "{:?} component {k}", p.material);
            assert!((r.rate_tangent.column(k) - by_rate).norm() < TOLERANCE, "{:?} component {k}", p.material);
        }
        assert!((r.tangent - r.tangent.transpose()).norm() < 1e-15);
        assert!((r.rate_tangent - r.rate_tangent.transpose()).norm() < 1e-15);
    });
}

/// Work that is neither stored nor dissipated when the increment is cut into n steps, relative to all of it (trapezoidal rule).
fn unaccounted(p: &Point, n: usize) -> f64 {
    let h = 0.4;
    let before = p.kin.strain - p.kin.increment;
    let kinematics = |k: usize, increment: Mandel| Kinematics3 {
        strain: before + p.kin.increment * (k as f64 / n as f64),
        increment,
        strain_rate: p.kin.increment / h,
    };
    let mut z = p.z.clone();
    let start = p.respond(&kinematics(0, Mandel::zeros()), 0.0);
    let (mut stress, mut stored, mut work, mut dissipated) = (start.stress, start.stored, 0.0, 0.0);
    for k in 1..=n {
        let increment = p.kin.increment / n as f64;
        let r = p.material.respond(&kinematics(k, increment), h / n as f64, &z.clone(), &mut z);
        assert!(r.dissipated >= -1e-16 && r.stored >= 0.0, "{:?}: rounding below zero at most", p.material);
        work += 0.5 * (stress + r.stress).dot(&increment);
        dissipated += r.dissipated - r.supplied;
        (stress, stored) = (r.stress, r.stored);
    }
    (work - dissipated - (stored - start.stored)).abs() / (work.abs() + start.stored + dissipated.abs())
}

#[test]
fn dissipation_is_never_negative_and_closes_the_work() {
    check(|p| {
        // first order at the least; linear materials without memory close at once
        let (coarse, fine) = (unaccounted(p, 100), unaccounted(p, 200));
        assert!(fine <= 0.6 * coarse + 1e-14 && fine < 0.01, "{:?}: {coarse:e}, then {fine:e}", p.material);
    });
}

/// What a material says of the work of its stress has a formula of its own. It is what is stored and dissipated, to rounding, at once and not only
/// in the limit of short steps.
#[test]
fn path_work_is_what_is_stored_and_dissipated() {
    check(|p| {
        let before = Kinematics3 { strain: p.kin.strain - p.kin.increment, ..Kinematics3::rest() };
        let stored = p.respond(&before, 0.0).stored;
        for h in [1e-9, 1e-3, 0.1, 0.4, 20.0] {
            // energies of viscosity in parallel grow with the rate: of the order of one
            let (increment, h_rate) = (p.kin.increment, p.kin.increment / h);
            let r = p.respond(&Kinematics3 { increment, strain_rate: h_rate, ..p.kin }, h);
            let left = r.path_work - (r.stored - stored) - r.dissipated + r.supplied;
            let scale = stored + r.stored + r.dissipated + r.supplied.abs() + r.path_work.abs();
            assert!(left.abs() < 1e-14 * scale, "{:?}, h = {h}: {left:e} of {scale:e}", p.material);
        }
    });
}

#[test]
fn without_increment_and_time_the_state_stays() {
    check(|p| {
        let still = Kinematics3 { strain: p.kin.strain - p.kin.increment, ..Kinematics3::rest() };
        let mut z = vec![0.0; p.z.len()];
        p.material.respond(&still, 0.0, &p.z, &mut z);
        for (a, b) in z.iter().zip(&p.z) {
            assert!((a - b).abs() < 1e-15, "{:?}: one rounding of the split into deviator and pressure", p.material);
        }
    });
}

#[test]
fn isotropic_materials_answer_pressure_with_volume() {
    for m in materials().into_iter().filter(|m| m.is_isotropic()) {
        let strain = unit() * 0.1;
        let kin = Kinematics3 { strain, increment: strain, strain_rate: Mandel::zeros() };
        let z = vec![0.0; m.n_internal()];
        let stress = m.respond(&kin, 0.1, &z, &mut z.clone()).stress;
        assert!((stress - unit() * (trace(&stress) / 3.0)).norm() < 1e-15);
        assert!(trace(&stress) > 0.0);
    }
}

#[test]
fn wave_speed_is_that_of_the_uniaxial_strain_modulus() {
    for m in materials() {
        let modulus = m.instantaneous().tangent[(0, 0)];
        let ratio = m.wave_speed().powi(2) * m.density() / modulus;
        // one number for all directions: at least the fastest
        let is_right = if m.is_isotropic() { (ratio - 1.0).abs() < 1e-14 } else { ratio >= 1.0 };
        assert!(is_right, "{m:?}: {ratio}");
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
