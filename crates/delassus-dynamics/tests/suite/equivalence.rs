//! Schemes that must coincide: all θ = 1 members, and Newmark (½, ¼) with θ = ½, on a chain with everything switched on.

use delassus_dynamics::integrator::{ModifiedTheta, Newmark, Theta, ThetaEuler};
use delassus_dynamics::{Integrator, State};

use crate::common::{Linear, Random, Run, Worst, difference};

/// Steps two schemes side by side under the same random contact impulses and compares states and balances.
fn compare(a: &dyn Integrator, b: &dyn Integrator, tolerance: f64) {
    let mut worst = Worst::default();
    for (seed, fixed) in [(1, vec![]), (2, vec![0]), (3, vec![2, 7])] {
        for lumped in [true, false] {
            for h in [1e-3, 0.1, 2.0] {
                let mut random = Random::new(seed);
                let system = Linear::busy_chain(&mut random, 9, lumped, &fixed);
                let (mut run_a, mut run_b) = (Run::new(&system, a, h), Run::new(&system, b, h));
                let (q, v) = (random.vector(9), random.vector(9));
                let (mut x, mut y) = (run_a.start(0.3, q.clone(), v.clone()), run_b.start(0.3, q, v));
                for step in 0..20 {
                    let impulse = random.vector(9);
                    let (to_x, to_y) = (run_a.step_with(&x, &impulse), run_b.step_with(&y, &impulse));
                    let case = || format!("seed {seed}, lumped {lumped}, h = {h}, step {step}");
                    worst.see(difference(&to_x.q, &to_y.q, 1.0), case);
                    worst.see(difference(&to_x.v, &to_y.v, 1.0), case);
                    let (s, t) = (supports(&run_a, &x, &to_x, &impulse), supports(&run_b, &y, &to_y, &impulse));
                    assert_eq!(s.len(), fixed.len());
                    worst.see(difference(&s, &t, 1.0), case);
                    (x, y) = (to_x, to_y);
                }
            }
        }
    }
    worst.check(tolerance);
}

fn supports(run: &Run<'_>, from: &State, to: &State, impulse: &[f64]) -> Vec<f64> {
    run.balance(from, to, impulse).support_impulse
}

#[test]
fn theta_one_is_one_scheme() {
    // The three differ in the order of roundings only.
    compare(&Theta { theta: 1.0 }, &ThetaEuler { theta: 1.0 }, 1e-13);
    compare(&Theta { theta: 1.0 }, &ModifiedTheta { theta: 1.0 }, 1e-13);
}

#[test]
fn newmark_half_quarter_is_theta_half_in_contact() {
    // Twenty undamped steps without dissipation let roundings add up; the acceleration is one more solve.
    compare(&Theta { theta: 0.5 }, &Newmark { gamma: 0.5, beta: 0.25 }, 1e-12);
}

#[test]
fn modified_theta_moves_as_theta() {
    for theta in [0.5, 0.55, 0.75] {
        compare(&Theta { theta }, &ModifiedTheta { theta }, 0.0);
    }
}
