//! Friction that varies with time, place and pressure, against closed forms.

use delassus_error::Coded as _;

use super::driven::Driven;
use super::*;

pub(super) fn some(random: &mut Random, size: &Size) -> Vec<LawSpec> {
    let (mu, pressure) = (random.between(0.0, 0.8), size.pressure * random.decades(-1.0, 1.0));
    let texts = [
        format!("{mu} + 0.1*sin(t) + 0.1"),
        format!("{mu} + 0.3/(1 + p/{pressure:e}) + x^2"),
        format!("min(0.9, {mu}*(p/{pressure:e})^(-1/3))"),
    ];
    texts.into_iter().map(law).collect()
}

fn law(text: impl Into<String>) -> LawSpec {
    VariableFriction { friction: text.into() }.into()
}

fn built(text: &str) -> Arc<dyn ContactLaw<2>> {
    law(text).build::<2>().unwrap()
}

/// A block on a slope of tan α = 0.3 under μ = 0.5 − 0.1 t: it starts at t = 2 s, then v = h Σ g cos α (0.3 − μ(t_k)) over the ends t_k of the steps, which is
/// ½ g cos α 0.1 T (T + h) after T.
#[test]
fn a_slope_holds_until_its_friction_has_fallen() {
    let (h, weight, tan) = (1e-3, 9.81, 0.3);
    let mut block = Driven::<2>::of_mobility(law("0.5 - 0.1*t"), h, 1.0);
    let mut start = None;
    for _ in 0..3000 {
        let out = block.push(Vector::<2>::new(-weight, tan * weight)).out;
        if out.velocity[1] > 1e-9 && start.is_none() {
            start = Some(block.time);
        }
    }
    let start = start.unwrap();
    assert!((start - 2.0).abs() <= 1.5 * h, "{start}");
    let run = block.time - 2.0;
    let exact = 0.5 * weight * 0.1 * run * (run + h);
    assert!((block.velocity[1] / exact - 1.0).abs() < 1e-9, "{} {exact}", block.velocity[1]);
}

/// μ = 0.2 + 0.5 x stops a block of v = 1 m/s, g = 10 m/s² where ½ v² = g (0.2 d + 0.25 d²): d = 0.2 m. The step ends at x + h v⁺, so that d is off by at most
/// h v/2, and that the law sees x before the step changes d by d²/dμ of h v.
#[test]
fn rougher_ground_stops_a_block_where_its_energy_ends() {
    let h = 1e-4;
    let mut block = Driven::<2>::of_mobility(law("0.2 + 0.5*x"), h, 1.0);
    block.velocity[1] = 1.0;
    let mut steps = 0;
    while block.velocity[1] > 0.0 && steps < 20_000 {
        let out = block.push(Vector::<2>::new(-10.0, 0.0)).out;
        block.place[0] += h * out.velocity[1];
        steps += 1;
    }
    assert!((block.place[0] - 0.2).abs() <= h, "{}", block.place[0]);
}

/// Archard's μ = c (p/p₀)^(−1/3): the drag of a point that slides is c N (N/(A p₀))^(−1/3).
#[test]
fn drag_of_a_pressure_is_that_of_its_own_coefficient() {
    let (h, area) = (1e-3, 2e-4);
    let mut point = Driven::<2>::of_mobility(law("0.12*(p/1e6)^(-1/3)"), h, 1.0);
    point.area = area;
    for force in [10.0, 200.0, 5000.0] {
        let out = point.push(Vector::<2>::new(-force, 10.0 * force)).force(&StepTimes { h, gap_time: h, rest: h });
        let exact = 0.12 * force * (force / (area * 1e6)).powf(-1.0 / 3.0);
        assert!((out[0] / force - 1.0).abs() < 1e-10 && (out[1] / -exact - 1.0).abs() < 1e-10, "{out} {exact}");
    }
}

/// Where sliding presses the point (W couples the two), pressure and drag belong together: 0 = v_N + w_NN p + w_NT (−μ(p/hA) p), solved by bisection.
#[test]
fn pressure_and_friction_are_found_together() {
    let (h, area) = (1e-2, 1e-3);
    for (coupling, text, mu) in [
        (0.4, "0.6/(1 + p/2e4)", (|p: f64| 0.6 / (1.0 + p / 2e4)) as fn(f64) -> f64),
        (-0.4, "0.1 + 0.4*tanh(p/1e4)", |p: f64| 0.1 + 0.4 * (p / 1e4).tanh()),
    ] {
        let mut point = Driven::<2>::of_mobility(law(text), h, 1.0);
        point.area = area;
        point.w = Matrix::<2>::new(1.0, coupling, coupling, 1.0);
        let out = point.advance(Vector::<2>::new(-0.2, 5.0)).out;
        let rest = |p: f64| -0.2 + p - coupling * mu(p / (h * area)) * p;
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            if rest(middle) < 0.0 { low = middle } else { high = middle }
        }
        assert!((out.impulse[0] / low - 1.0).abs() < 1e-10, "{} {low}", out.impulse[0]);
        assert!((out.impulse[1] / (-mu(low / (h * area)) * low) - 1.0).abs() < 1e-10, "{}", out.impulse[1]);
    }
}

/// Friction of a shear strength that unloads the point, μ W_NT/W_NN = −0.7: each pressure of the plain iteration is off by 2.3 times the last. Exact: p = −(v_N + w_NT p_T)/w_NN with
/// p_T = −τ h A.
#[test]
fn iterations_that_overshoot_are_held_back() {
    let (h, area, strength) = (1e-2, 1e-3, 4e4);
    let mut point = Driven::<2>::of_mobility(law("4e4/p"), h, 1.0);
    point.area = area;
    point.w = Matrix::<2>::new(1.0, -0.5, -0.5, 1.0);
    let drag = strength * h * area;
    let out = point.advance(Vector::<2>::new(-0.4857, 5.0)).out;
    let push = 0.4857 - 0.5 * drag;
    assert!((drag / push * -0.5 + 0.7).abs() < 1e-2, "the case is not what it should be: {}", drag / push);
    assert!((out.impulse[1] / -drag - 1.0).abs() < 1e-10 && (out.impulse[0] / push - 1.0).abs() < 1e-10, "{out:?}");
}

/// A coefficient that is none is refused with what it is of; one that is infinite without pressure is not asked for.
#[test]
fn coefficients_that_are_none_are_refused() {
    let x = ContactInput {
        gap: 0.0,
        area: 0.5,
        v_minus: Vector::<2>::zeros(),
        v_free: Vector::<2>::zeros(),
        drift: Vector::<2>::zeros(),
        frame: Matrix::<2>::identity(),
        acted: true,
        place: Vector::<2>::new(3.0, 4.0),
        time: 0.25,
    };
    let step = StepTimes { h: 0.1, gap_time: 0.1, rest: 0.1 };
    let pressed = |push: f64| ContactSolution {
        velocity: Vector::<2>::zeros(),
        impulse: Vector::<2>::new(push, 0.0),
        status: Status::Stick,
        push,
        scale: ContactScale { velocity: 1.0, impulse: 1.0, sliding: 1.0, drag: 1.0 },
    };
    for (text, push, refused) in [
        ("0.3", 1.0, false),
        ("0.1 - t", 1.0, true),
        ("sqrt(x - 5)", 0.0, true),
        ("1/p", 1.0, false),
        ("1/p", 0.0, false),
        ("-1/p", 0.0, true),
        ("1/(x - 3)", 0.0, true),
        ("1/(p - 20)", 1.0, true),
    ] {
        let found = built(text).refuse(&x, &pressed(push), &step);
        assert_eq!(found.is_err(), refused, "{text}: {found:?}");
        if let Err(error) = found {
            assert_eq!(error.code().as_str(), "E0180");
            assert!(error.to_string().contains("t = 2.5e-1 s, at (3, 4), under the pressure"), "{error}");
        }
    }
    // Held at t = 0 it does not know the time of the step.
    let held = built("0.1 - t").frozen().unwrap();
    assert!(held.refuse(&x, &pressed(1.0), &step).is_ok());
}

#[test]
fn expressions_are_those_of_the_dimension() {
    let code = |text: &str| law(text).validate().and_then(|()| law(text).build::<2>().map(|_| ())).unwrap_err();
    let error = code("0.1 + z");
    assert_eq!(error.code().as_str(), "E0634");
    assert!(error.to_string().contains("no variable `z`: the variables are t, p, x, y"), "{error}");
    assert!(law("0.1 + z").build::<3>().is_ok());
    assert_eq!(code("0.1*").code().as_str(), "E0634");
    assert!(law("0.1*p").counts_by_area() && !law("0.1*x + t").counts_by_area() && !law("p*").counts_by_area());
    assert!(!law("0.1*t").keeps_history());
}
