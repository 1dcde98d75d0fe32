//! A ball that bounces until it rests: `cases/bouncing-ball.ron`.
//!
//! Reference: a rigid ball with Newton's restitution e = 0.5: bounce n at t₁ (3 − 2 · 0.5^(n−1)), speed eⁿ √(2 g H), height e²ⁿ H, rest from 3 t₁ on.
//!
//! Goal: impacts with restitution on a deformable body that acts as a rigid one: times, speeds, the accumulation of bounces, rest.
//!
//! Parameters: H = 1 m, g = 9.81 m/s², h = 1 ms (the ball's waves: 20 µs), θ = 1.
//!
//! Tolerances: the law acts in the step in which the gap would close, up to h V above the floor. The first bounce is within a step of its time;
//! each flight after it, e times as fast, is wrong by that height over its speed, h/e, and a step: 3 h for each bounce. Each ratio of
//! speeds 2e-3: the compliance of the ball takes m/(h² k) of the impulse. Ledger 1e-9.

use verification::{load, run, show};

/// Bounces whose flights last more than ten steps of 1 ms.
const BOUNCES: usize = 6;

fn check_bounces(step: f64, settings: &[&str]) {
    let ball = run(&load("bouncing-ball", settings));
    let checks = ball.summary.verification.as_ref().unwrap();
    assert!(checks.passed() && checks.checks.len() == 6, "{:?}", checks.checks);
    let v = &ball.summary.verdict;
    assert!(v.flagged + v.cuts == 0 && v.energy_residual <= 1e-9, "{v:?}");
    let (time, speed, way) = (ball.column("time"), ball.column("ball.vy"), ball.column("ball.uy"));
    let fall = (2.0_f64 / 9.81).sqrt();
    let bounces: Vec<usize> = (1..time.len()).filter(|i| speed[*i] - speed[i - 1] > 0.02).collect();
    assert!(bounces.len() >= BOUNCES, "{bounces:?}");
    let (mut half, mut allowed) = (1.0, 1.0);
    for (n, &i) in bounces.iter().take(BOUNCES).enumerate() {
        let exact = fall * (3.0 - 2.0 * half);
        let late = (time[i] - exact) / step;
        let ratio = -speed[i] / speed[i - 1];
        show(&format!("bounce {}: {late:+.2} steps late, speeds {:+.1e} from e", n + 1, ratio / 0.5 - 1.0));
        assert!(late.abs() <= allowed, "bounce {}: {} s, {exact} s", n + 1, time[i]);
        assert!((ratio / 0.5 - 1.0).abs() < 2e-3, "bounce {}: {ratio}", n + 1);
        (half, allowed) = (0.5 * half, allowed + 3.0);
    }
    // The highest point of the first two flights: too high by less than the way of a step.
    let mut exact = 1.0;
    for (n, flight) in bounces.windows(2).take(2).enumerate() {
        let top = 1.0 + way[flight[0]..flight[1]].iter().copied().fold(f64::NEG_INFINITY, f64::max);
        exact *= 0.25;
        show(&format!("height after bounce {}: {:+.2} %", n + 1, 100.0 * (top / exact - 1.0)));
        assert!((top - exact).abs() < speed[flight[0] - 1].abs() * step, "{top}");
    }
    let rest = time.iter().position(|t| *t > 1.5).unwrap();
    let late = speed[rest..].iter().fold(0.0, |m: f64, v| m.max(v.abs()));
    assert!(late < 1e-9, "{late:e} m/s");
}

#[test]
fn bounces_come_in_time_and_end() {
    check_bounces(1e-3, &[]);
}

/// A shorter step, and a ball so much stiffer that it stays as rigid: the same in steps, so half as late.
#[test]
fn half_the_step_is_half_as_late() {
    check_bounces(5e-4, &["step=5e-4", "materials.steel.law.young=8e11"]);
}

/// In the same long steps without restitution the ball stays where it lands.
#[test]
fn without_restitution_it_stays_down() {
    let ball = run(&load("bouncing-ball", &["contacts.ground.law=Frictionless", "duration=0.6", "verify=()"]));
    let (time, speed) = (ball.column("time"), ball.column("ball.vy"));
    let after = time.iter().position(|t| *t > 0.46).unwrap();
    let up = speed[after..].iter().copied().fold(0.0, f64::max);
    show(&format!("without restitution: at most {up:.1e} m/s upwards after the impact"));
    assert!(up < 0.02, "{up}");
}

/// The first bounce of a rigid body of kinetic energy T with restitution e: p = (1 + e) m V, U_t = (θ(1 + e) − 1) V, so that contact work is
/// 2 (1 + e)(θ(1 + e) − 1) T and numerical dissipation (2θ − 1)(1 + e)² T; what the collision costs is their difference, (1 − e²) T.
/// Tolerance: 2 % of T; the ball is deformable, and keeps up to 0.7 % of T as vibration. The difference itself is exact.
#[test]
fn a_collision_costs_numerical_dissipation_less_contact_work() {
    for (theta, e) in [(0.5_f64, 1.0_f64), (0.6, 1.0), (1.0, 1.0), (0.5, 0.5), (1.0, 0.5)] {
        let settings = [
            format!("integrator=Theta(theta: {theta})"),
            format!("contacts.ground.law.normal={e}"),
            "duration=0.46".to_owned(),
        ];
        let ball = run(&load("bouncing-ball", &settings.each_ref().map(String::as_str)));
        let active = ball.column("active_contacts");
        let bounce = active.iter().position(|n| *n > 0.0).unwrap();
        let change = |name: &str| {
            let column = ball.column(name);
            column[bounce] - column[bounce - 1]
        };
        let before = ball.column("kinetic_energy")[bounce - 1];
        let (contact, numerical) = (change("contact_work") / before, change("numerical_dissipation") / before);
        let exact: [f64; 3] =
            [2.0 * (1.0 + e) * (theta * (1.0 + e) - 1.0), (2.0 * theta - 1.0) * (1.0_f64 + e).powi(2), 1.0 - e * e];
        let found = [contact, numerical, numerical - contact];
        show(&format!("θ = {theta}, e = {e}: contact work, numerical dissipation and their difference {found:.4?} T"));
        assert!(found.iter().zip(exact).all(|(f, x)| (f - x).abs() < 0.02), "{found:?}, expected {exact:?}");
        let lost = change("external_work") - change("kinetic_energy") - change("elastic_energy");
        assert!((lost / before - found[2]).abs() < 1e-9, "{lost} J");
    }
}
