//! Elasticity that expands with a given temperature: free, held, and its energy.

use std::sync::Arc;

use delassus_dynamics::{Inelastic, Motion, System};
use delassus_error::Coded;
use delassus_fem::material::MaterialSpec;
use delassus_fem::tensor::{Mandel, trace, unit};
use delassus_fem::{Body, BodyInput, FrameScope, Kinematics, Section, ThermoElastic, TimeExpression, TimeFunction};
use delassus_mesh::CellKind;

use crate::point::Point;
use crate::support::{distorted, max_abs};

const YOUNG: f64 = 200.0;
const POISSON: f64 = 0.3;
const EXPANSION: f64 = 1e-4;

fn heated(formula: &str) -> ThermoElastic {
    ThermoElastic::new(YOUNG, POISSON, EXPANSION, TimeFunction::Expression(TimeExpression::new(formula)))
}

/// Held on all sides σ = −E α T/(1 − 2ν) I, along x alone −E α T; free to move there is no stress. The temperature is that of the end of each step, whatever the steps.
#[test]
fn stress_is_that_of_the_temperature_now() {
    let temperature = |t: f64| 30.0 * t * t - 5.0;
    for steps in [&[0.1, 0.2, 0.3][..], &[0.6], &[0.0, 0.25, 0.35]] {
        let mut held = Point::new(heated("30*t^2 - 5"));
        let mut bar = Point::new(heated("30*t^2 - 5"));
        let mut free = Point::new(heated("30*t^2 - 5"));
        let mut t = 0.0;
        for &h in steps {
            t += h;
            (held.h, bar.h, free.h) = (h, h, h);
            let expanded = EXPANSION * temperature(t);
            let r = held.to(Mandel::zeros());
            let exact = unit() * (-YOUNG * expanded / (1.0 - 2.0 * POISSON));
            assert!((r.stress - exact).norm() < 1e-12 * exact.norm(), "{} {exact}", r.stress);
            let r = bar.pull(0.0);
            assert!((r.stress[0] / (-YOUNG * expanded) - 1.0).abs() < 1e-10 && r.stress[1].abs() < 1e-14);
            assert!(free.to(unit() * expanded).stress.norm() < 1e-14);
        }
    }
}

/// What the heat supplies: held, all that is stored; free, nothing; against a spring the work that the spring takes.
#[test]
fn heat_does_the_work() {
    let mut held = Point { h: 0.5, ..Point::new(heated("100*t")) };
    let (mut supplied, mut stored) = (0.0, 0.0);
    for _ in 0..4 {
        let left = held.work_left(Mandel::zeros());
        let r = held.to(Mandel::zeros());
        supplied += r.supplied;
        stored = r.stored;
        assert!(left.abs() < 1e-15 && r.path_work.abs() < 1e-15, "{left:e}");
    }
    // ½ 3κ·3 (αT)² = 9/2 κ (α T)²
    let exact = 4.5 * YOUNG / (3.0 * (1.0 - 2.0 * POISSON)) * (EXPANSION * 200.0_f64).powi(2);
    assert!((stored / exact - 1.0).abs() < 1e-12 && (supplied / exact - 1.0).abs() < 1e-12, "{stored} {supplied}");
    let mut free = Point { h: 0.5, ..Point::new(heated("100*t")) };
    let r = free.to(unit() * (EXPANSION * 50.0));
    assert!(r.supplied.abs() < 1e-16 && r.stored.abs() < 1e-20);
    // under a pressure p that stays the heat lifts it: p 3α ΔT
    let mut loaded = Point { h: 0.0, ..Point::new(heated("100*t")) };
    let pressed = unit() * -1e-3;
    let pressure = -trace(&loaded.to(pressed).stress) / 3.0;
    loaded.h = 0.5;
    let r = loaded.to(pressed + unit() * (EXPANSION * 50.0));
    assert!((r.supplied / (pressure * 3.0 * EXPANSION * 50.0) - 1.0).abs() < 1e-10, "{}", r.supplied);
    assert!((r.path_work + r.supplied).abs() < 1e-15, "{} {}", r.path_work, r.supplied);
}

fn body(law: ThermoElastic, kinematics: Kinematics, section: Section) -> Body<2> {
    let law = MaterialSpec::from(law).build(1.0).unwrap();
    let mut mesh = distorted::<2>(CellKind::Quad4, 2);
    mesh.points.iter_mut().for_each(|x| x[0] += 1.5);
    let input = BodyInput::new("plate", Arc::new(mesh), law);
    Body::new(BodyInput { kinematics, section, ..input }).unwrap()
}

/// A body that expands as its temperature wants has no forces, with every kinematics and section, turned or not; one that is held supplies what it stores.
#[test]
fn a_body_expands_without_forces() {
    let frames = [FrameScope::Body, FrameScope::Elements].map(|frames| Kinematics::Corotational { frames });
    let all = frames.into_iter().chain([Kinematics::SmallStrain, Kinematics::FiniteStrain {}]);
    for kinematics in all {
        for section in [Section::PlaneStress { thickness: 0.5 }, Section::Axisymmetric] {
            let is_finite = kinematics == (Kinematics::FiniteStrain {});
            let turns = matches!(kinematics, Kinematics::Corotational { .. });
            if matches!(section, Section::PlaneStress { .. }) && is_finite || section.is_revolved() && turns {
                continue;
            }
            let body = body(heated("80*t"), kinematics, section);
            let h = 0.5;
            let expanded = EXPANSION * 80.0 * h;
            let by = if is_finite { expanded.exp_m1() } else { expanded };
            let angle: f64 = if turns { 0.9 } else { 0.0 };
            let (sin, cos) = (angle.sin(), angle.cos());
            let to = |x: &[f64; 2]| {
                let y = [x[0] * (1.0 + by), x[1] * (1.0 + by)];
                [cos * y[0] - sin * y[1] - x[0], sin * y[0] + cos * y[1] - x[1]]
            };
            let dq: Vec<f64> = body.mesh().points.iter().flat_map(to).collect();
            let from = body.at_start(vec![0.0; dq.len()]);
            let r = Inelastic::respond(&body, &Motion { from: &from, dq: &dq, h });
            assert!(max_abs(&r.force) < 1e-12 * YOUNG, "{kinematics:?} {section:?}: {:e}", max_abs(&r.force));
            assert!(r.stored < 1e-15 * YOUNG, "{kinematics:?} {section:?}: {:e}", r.stored);
            let still = vec![0.0; dq.len()];
            let r = Inelastic::respond(&body, &Motion { from: &from, dq: &still, h });
            assert!(r.stored > 1e-6, "{kinematics:?} {section:?}");
            let left = r.path_work - r.stored - r.dissipated - r.plastic + r.supplied + r.dilated;
            assert!(left.abs() < 1e-14 * r.stored.max(1.0), "{kinematics:?} {section:?}: {left:e}");
            assert!(r.dissipated.abs() + r.plastic.abs() <= 0.0);
        }
    }
}

/// The search of an equilibrium at the start uses up no time of the history, and sees the temperature of the start.
#[test]
fn the_frozen_body_keeps_its_time() {
    let frozen = body(heated("40 + 80*t"), Kinematics::SmallStrain, Section::default()).frozen().unwrap();
    let n = frozen.n_dof();
    let (from, still) = (frozen.at_start(vec![0.0; n]), vec![0.0; n]);
    let [short, long] = [0.0, 1e6].map(|h| Inelastic::respond(&frozen, &Motion { from: &from, dq: &still, h }));
    assert!(max_abs(&short.force) > 0.1, "it is warm at the start");
    assert_eq!(short, long);
}

#[test]
fn what_is_no_history_is_refused() {
    let code = |law: ThermoElastic| MaterialSpec::from(law).build(1.0).unwrap_err();
    let error = code(ThermoElastic::new(YOUNG, POISSON, f64::NAN, 20.0));
    assert_eq!(error.code().0, "E0601");
    let error = code(heated("20*x"));
    assert_eq!(error.code().0, "E0173");
    assert!(error.to_string().contains("temperature"), "{error}");
    for law in [
        MaterialSpec::from(ThermoElastic::new(YOUNG, 0.5, EXPANSION, 20.0)),
        delassus_fem::KelvinVoigt::elastic(YOUNG, 0.5).into(),
        delassus_fem::NeoHookean::new(YOUNG, 0.5).into(),
        delassus_fem::VonMises::new(YOUNG, 0.5, 1.0).into(),
        delassus_fem::DruckerPrager::new(YOUNG, 0.5, 1.0, 20.0).into(),
    ] {
        let error = law.build(1.0).unwrap_err();
        assert_eq!(error.code().0, "E0367", "{error}");
        assert!(error.to_string().contains("BBar") && error.to_string().contains("lock"), "{error}");
    }
}
