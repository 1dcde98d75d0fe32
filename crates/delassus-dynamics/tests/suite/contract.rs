//! What the parts of a scheme promise each other.
//!
//! ```text
//! r(v) affine,  −∂r/∂v = M + c_C C + c_K K        residual ↔ coefficients
//! r(v_free) = 0 on free dofs                       residual ↔ free_velocity
//! q⁺ = q_c + τ v⁺ (modified θ: q⁺ + h(1−θ)v⁺)      finish ↔ contact_configuration, gap_time
//! q_c = q(t + delay) in uniform motion             contact_configuration ↔ contact_delay
//! ```

use delassus_dynamics::System;

use crate::common::{Family, Linear, Random, Run, Worst, all_schemes, bits, dense, difference};

const N: usize = 8;

/// Every scheme on lumped and consistent chains, without and with moving supports, several steps.
fn for_all_runs(mut check: impl FnMut(&crate::common::Scheme, &mut Run<'_>, &mut Random)) {
    for scheme in all_schemes() {
        for lumped in [true, false] {
            for fixed in [vec![], vec![0, 5]] {
                for h in [1e-3, 0.2, 4.0] {
                    let mut random = Random::new(77);
                    let system = Linear::busy_chain(&mut random, N, lumped, &fixed);
                    check(&scheme, &mut Run::new(&system, scheme.integrator.as_ref(), h), &mut random);
                }
            }
        }
    }
}

fn plus(x: &[f64], a: f64, y: &[f64]) -> Vec<f64> {
    x.iter().zip(y).map(|(x, y)| x + a * y).collect()
}

#[test]
fn residual_is_affine_with_the_slope_that_coefficients_state() {
    let (mut slope, mut curvature) = (Worst::default(), Worst::default());
    for_all_runs(|scheme, run, random| {
        let from = run.start(0.4, random.vector(N), random.vector(N));
        let start = scheme.integrator.begin(run.body(), &from, run.h);
        let r = |v: &[f64]| scheme.integrator.residual(&start, v);
        let case = || format!("{}, h = {}", scheme.name(), run.h);
        let m = dense::stated(run.system, scheme.integrator.as_ref(), run.h);
        let v = random.vector(N);
        let here = r(&v);
        for j in 0..N {
            let mut unit = vec![0.0; N];
            unit[j] = 1.0;
            let there = r(&plus(&v, 1.0, &unit));
            let column: Vec<f64> = here.iter().zip(&there).map(|(a, b)| a - b).collect();
            let expected: Vec<f64> = m.column(j).iter().copied().collect();
            // Without mass the slope is small beside r, whose rounding the difference has.
            let floor =
                if scheme.integrator.has_inertia() { 0.0 } else { here.iter().fold(0.0, |m: f64, r| m.max(r.abs())) };
            slope.see(difference(&column, &expected, floor), case);
        }
        let x = random.vector(N);
        let (ahead, back) = (r(&plus(&v, 1.0, &x)), r(&plus(&v, -1.0, &x)));
        let twice: Vec<f64> = here.iter().map(|r| 2.0 * r).collect();
        curvature.see(difference(&plus(&ahead, 1.0, &back), &twice, m.amax()), case);
    });
    // Differences over a unit step of an affine function: only rounding is left.
    slope.check(1e-12);
    curvature.check(1e-13);
}

#[test]
fn free_velocity_is_the_root_and_impulses_act_through_w() {
    let mut worst = Worst::default();
    for_all_runs(|scheme, run, random| {
        let from = run.start(0.4, random.vector(N), random.vector(N));
        let impulse = random.vector(N);
        let to = run.step_with(&from, &impulse);
        let start = scheme.integrator.begin(run.body(), &from, run.h);
        let mut left = plus(&scheme.integrator.residual(&start, &to.v), 1.0, &impulse);
        for &dof in run.system.prescribed() {
            left[dof] = 0.0;
        }
        // Without mass the impulses, of size one, are the largest terms.
        let least = if scheme.integrator.has_inertia() { 0.0 } else { 1.0 };
        let scale = dense::stated(run.system, scheme.integrator.as_ref(), run.h).amax().max(least);
        worst.see(difference(&left, &[0.0; N], scale), || format!("{}, h = {}", scheme.name(), run.h));
    });
    worst.check(1e-13);
}

#[test]
fn gap_is_the_contact_configuration_plus_gap_time() {
    let mut worst = Worst::default();
    for_all_runs(|scheme, run, random| {
        let from = run.start(0.4, random.vector(N), random.vector(N));
        let to = run.step_with(&from, &random.vector(N));
        let h = run.h;
        let seen =
            plus(&scheme.integrator.contact_configuration(run.system, &from, h), scheme.integrator.gap_time(h), &to.v);
        let expected = match scheme.family {
            Family::ModifiedTheta(theta) => plus(&to.q, h * (1.0 - theta), &to.v),
            Family::EnergyMomentum(_) => plus(&to.q, 0.5 * h, &to.v),
            _ => to.q.clone(),
        };
        worst.see(difference(&seen, &expected, 1.0), || format!("{}, h = {h}", scheme.name()));
    });
    worst.check(1e-14);
}

#[test]
fn contact_delay_is_the_age_of_the_contact_configuration() {
    for scheme in all_schemes() {
        let h = 0.37;
        let system = Linear::chain(3, 1.0, 0.0, 2.0, true).moved(&[0], |_, _| (2.0, 0.0));
        let run = Run::new(&system, scheme.integrator.as_ref(), h);
        let from = run.start(0.0, vec![5.0; 3], vec![2.0; 3]);
        let (delay, gap_time) = (scheme.integrator.contact_delay(h), scheme.integrator.gap_time(h));
        let name = scheme.name();
        for q in scheme.integrator.contact_configuration(&system, &from, h) {
            assert!((q - (5.0 + 2.0 * delay)).abs() < 1e-14, "{name}: q_c = {q}, delay {delay}");
        }
        let (expected_delay, expected_gap_time) = match scheme.family {
            Family::Theta(theta) => (h * (1.0 - theta), h * theta),
            Family::ModifiedTheta(theta) => (h * (1.0 - theta), h),
            Family::EnergyMomentum(_) => (0.5 * h, h),
            Family::ThetaEuler(_) | Family::QuasiStatic => (0.0, h),
            Family::Newmark { gamma, beta } => (h * (1.0 - beta / gamma), h * beta / gamma),
        };
        assert!((delay - expected_delay).abs() < 1e-15, "{name}: delay {delay}");
        assert!((gap_time - expected_gap_time).abs() < 1e-15, "{name}: gap time {gap_time}");
    }
}

#[test]
fn a_step_is_a_pure_function_and_moves_time_by_h() {
    for_all_runs(|scheme, run, random| {
        let from = run.start(0.4, random.vector(N), random.vector(N));
        let impulse = random.vector(N);
        let (first, second) = (run.step_with(&from, &impulse), run.step_with(&from, &impulse));
        let name = scheme.name();
        assert_eq!(bits(&first.q), bits(&second.q), "{name}");
        assert_eq!(bits(&first.v), bits(&second.v), "{name}");
        assert_eq!(bits(&first.aux), bits(&second.aux), "{name}");
        assert!((first.t - 0.4 - run.h).abs() < 1e-15, "{name}");
        assert_eq!(first.aux.len(), if scheme.integrator.keeps_acceleration() { N } else { 0 }, "{name}");
        assert!(first.is_finite());
    });
}

#[test]
fn is_finite_looks_at_every_number() {
    let good = delassus_dynamics::State { t: 0.0, q: vec![1.0], v: vec![2.0], z: vec![4.0], aux: vec![3.0] };
    assert!(good.is_finite());
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for which in 0..5 {
            let mut state = good.clone();
            *[&mut state.t, &mut state.q[0], &mut state.v[0], &mut state.z[0], &mut state.aux[0]][which] = bad;
            assert!(!state.is_finite(), "number {which} = {bad}");
        }
    }
}
