//! Adhesion with damage against its closed forms, at one driven point.

use super::driven::Driven;
use super::*;

pub(super) fn some(random: &mut Random, size: &Size) -> Vec<LawSpec> {
    let mut law = bond(size.stiffness * random.decades(-2.0, 1.0), 0.0);
    law.tangential_stiffness = size.stiffness * random.decades(-2.0, 1.0);
    law.energy = law.normal_stiffness * size.way * size.way * random.decades(-2.0, 1.0);
    law.friction = random.between(0.0, 1.2);
    law.friction_acts = if random.below(2) == 0 { FrictionActs::WithAdhesion } else { FrictionActs::AfterAdhesion };
    let bonded = random.between(0.0, 1.2);
    law.bonded_friction = (law.friction_acts == FrictionActs::WithAdhesion).then_some(bonded);
    let mut slow = law;
    slow.viscosity = law.energy * size.h * random.decades(-1.0, 1.0);
    slow.exponent = if random.below(2) == 0 { 1.0 } else { random.between(0.5, 2.0) };
    slow.theta = random.between(0.5, 1.0);
    vec![LawSpec::Adhesive(law), LawSpec::Adhesive(slow)]
}

fn bond(stiffness: f64, energy: f64) -> Adhesive {
    Adhesive {
        normal_stiffness: stiffness,
        tangential_stiffness: stiffness,
        energy,
        viscosity: 0.0,
        exponent: 1.0,
        theta: 1.0,
        friction: 0.0,
        friction_acts: FrictionActs::WithAdhesion,
        bonded_friction: None,
        per: Per::Area,
    }
}

/// Data of a bond between stiff solids: u₀ = √(w/C) = 3.16e-7 m, strength √(C w) = 3.16e5 Pa.
const C: f64 = 1e12;
const W: f64 = 0.1;

fn intensity<const D: usize>(point: &Driven<D>) -> f64 {
    1.0 - point.z[0]
}

/// A bond drawn along `direction` from nothing to `last` u₀ in `n` steps, one of which ends at u₀: peak traction and the work done on it.
fn draw<const D: usize>(direction: Vector<D>, n: usize, last: f64) -> (f64, f64)
where
    Dimension<D>: LocalKernel<D>,
{
    let u0 = (W / C).sqrt();
    let way = u0 * last / n as f64;
    let mut point = Driven::<D>::held(LawSpec::Adhesive(bond(C, W)), 1e-6, C);
    let (mut peak, mut work, mut before) = (0.0_f64, 0.0, 0.0);
    let mut drawn = Vector::<D>::zeros();
    for i in 1..=n {
        let v = (direction * (way * i as f64) - drawn) / point.step.h;
        let done = point.advance(v);
        drawn += done.out.velocity * point.step.h;
        let pull = done.bond(&point.step).norm();
        peak = peak.max(pull);
        // Trapezoids: second order, whatever the scheme.
        work += 0.5 * (pull + before) * way;
        before = pull;
    }
    (peak, work)
}

#[test]
fn a_bond_has_its_strength_and_its_energy_in_every_mode() {
    let (u0, last) = ((W / C).sqrt(), 25.0);
    // What is left beyond the last opening: ∫ w²/(C u³) = w²/(2 C u²).
    let tail = W * W / (2.0 * C * (u0 * last).powi(2));
    let check = |(peak, work): (f64, f64)| {
        assert!((peak / (C * W).sqrt() - 1.0).abs() < 1e-6, "{peak}");
        assert!(((work + tail) / W - 1.0).abs() < 1e-6, "{work}");
    };
    check(draw(Vector::<2>::new(1.0, 0.0), 100_000, last));
    check(draw(Vector::<2>::new(0.0, -1.0), 100_000, last));
    check(draw(Vector::<3>::new(0.6, 0.0, 0.8), 100_000, last));
}

#[test]
fn the_ledger_of_a_bond_closes_step_by_step() {
    let u0 = (W / C).sqrt();
    let law = Adhesive { tangential_stiffness: 0.3 * C, ..bond(C, W) };
    let mut point = Driven::<3>::held(LawSpec::Adhesive(law), 1e-3, C);
    let mut random = Random::new(5);
    let (mut lost, mut scale) = (0.0, 0.0_f64);
    let mut drawn = Vector::<3>::zeros();
    let stiffness = Vector::<3>::new(C, 0.3 * C, 0.3 * C);
    for _ in 0..2000 {
        let mut way = random.point::<3>() * (0.4 * u0);
        // The gap stays open: what closes is not the bond's.
        way[0] = way[0].max(-0.9 * drawn[0]);
        let left = |z: &[f64]| (1.0 - z[0]).powi(2);
        let before = (drawn, left(&point.z));
        let done = point.advance(way / point.step.h);
        let way = done.out.velocity * point.step.h;
        drawn += way;
        let energy = |k: f64, u: &Vector<3>| 0.5 * k * u.component_mul(u).dot(&stiffness);
        let k = left(&point.z);
        let work = -done.bond(&point.step).dot(&way);
        let numerical = energy(k, &way);
        scale = scale.max(work.abs()).max(energy(k, &drawn));
        let error = work - done.energy.stored - done.energy.dissipated - numerical;
        // Rounding of the energies of the way so far.
        assert!(error.abs() < 1e-12 * scale, "{error:e} {scale:e}");
        let damage = energy(before.1, &before.0) - energy(k, &before.0);
        assert!((done.energy.dissipated - damage).abs() < 1e-12 * scale);
        lost += done.energy.dissipated;
    }
    assert!((point.z[5] - lost).abs() < 1e-12 * lost && point.z[0] > 0.5 && lost > 0.2 * W);
    // What is stored telescopes.
    let stored = 0.5 * (1.0 - point.z[0]).powi(2) * drawn.component_mul(&drawn).dot(&stiffness);
    assert!((point.z[4] - stored).abs() < 1e-12 * scale);
}

#[test]
fn a_worn_bond_unloads_and_loads_again_along_its_secant() {
    let u0 = (W / C).sqrt();
    let mut point = Driven::<2>::held(LawSpec::Adhesive(bond(C, W)), 1e-3, C);
    let pull = |point: &mut Driven<2>, to: f64| {
        let v = (to - point.gap) / point.step.h;
        -point.advance(Vector::<2>::new(v, 0.0)).bond(&point.step)[0]
    };
    let worn = pull(&mut point, 2.0 * u0);
    // β = w/(C u²) = 1/4.
    assert!((intensity(&point) - 0.25).abs() < 1e-8);
    assert!((worn / (2.0 * u0 * C / 16.0) - 1.0).abs() < 1e-8);
    for part in [0.9, 0.3, 0.0, 0.5, 1.0] {
        let now = pull(&mut point, 2.0 * u0 * part);
        assert!((now - worn * part).abs() < 1e-8 * worn, "{part}");
        assert!((intensity(&point) - 0.25).abs() < 1e-8);
    }
    assert!(pull(&mut point, 2.1 * u0) < worn * (2.0_f64 / 2.1).powi(3) * (1.0 + 1e-8));
}

/// β of a bond held at 2 u₀, after b/w by `n` steps, and its error against w/k + (1 − w/k) exp(−k t/b), k = C u².
fn held_open(theta: f64, n: usize) -> f64 {
    let u0 = (W / C).sqrt();
    let viscosity = 1e-3;
    let time = 0.2 * viscosity / W;
    let h = time / n as f64;
    let law = Adhesive { viscosity, theta, ..bond(C, W) };
    let mut point = Driven::<2>::held(LawSpec::Adhesive(law), h, C);
    // Open from the start: the bond is drawn before time begins.
    point.gap = 2.0 * u0;
    for _ in 0..n {
        point.advance(Vector::<2>::zeros());
    }
    let k = 4.0 * W;
    intensity(&point) - (0.25 + 0.75 * (-k * time / viscosity).exp())
}

#[test]
fn viscous_damage_is_of_the_order_of_its_scheme() {
    for (theta, order) in [(1.0, 1.0), (0.5, 2.0)] {
        let (coarse, fine) = (held_open(theta, 50), held_open(theta, 100));
        let measured = (coarse / fine).abs().log2();
        assert!((measured - order).abs() < 0.05, "theta {theta}: {measured} {coarse:e} {fine:e}");
        assert!(fine.abs() < 3e-3);
    }
}

/// With p = 2 the root of the force falls in proportion to time: √(β A − w) = √(A − w) − A t/(2 √b), until the bond is at rest at β = w/A.
#[test]
fn damage_with_an_exponent_comes_to_rest_in_finite_time() {
    let (u0, viscosity, n) = ((W / C).sqrt(), 1e-3, 4000);
    let drawn = 4.0 * W;
    let end = 2.0 * f64::sqrt(viscosity) * (drawn - W).sqrt() / drawn;
    let law = Adhesive { viscosity, exponent: 2.0, ..bond(C, W) };
    let h = 2.0 * end / f64::from(n);
    let mut point = Driven::<2>::held(LawSpec::Adhesive(law), h, C);
    point.gap = 2.0 * u0;
    for i in 1..=n {
        point.advance(Vector::<2>::zeros());
        let root = ((drawn - W).sqrt() * (1.0 - f64::from(i) * h / end)).max(0.0);
        let exact = (W + root * root) / drawn;
        // First order: the force changes by 1/1000 of itself in the first step.
        assert!((intensity(&point) - exact).abs() < 1e-3, "{i}: {} {exact}", intensity(&point));
    }
    assert!((intensity(&point) - 0.25).abs() < 1e-6);
}

#[test]
fn friction_waits_for_the_bond_where_it_is_told_to() {
    let of = |law: Adhesive, damage: f64| {
        let zero = Vector::<2>::zeros();
        let x = ContactInput {
            gap: 0.0,
            area: 1.0,
            v_minus: zero,
            v_free: zero,
            drift: zero,
            frame: Matrix::identity(),
            acted: false,
            place: Vector::zeros(),
            time: 0.0,
        };
        let step = StepTimes { h: 1.0, gap_time: 1.0, rest: 1.0 };
        match ContactLaw::<2>::derive(&law, &x, &step, &[damage, 0.0, 0.0, 0.0, 0.0], None).cone {
            crate::problem::Cone::Coulomb(mu) => mu,
            other => panic!("{other:?}"),
        }
    };
    let mu = |acts, damage: f64| of(Adhesive { friction: 0.4, friction_acts: acts, ..bond(C, W) }, damage);
    for (damage, after) in [(0.0, 0.0), (0.99, 0.0), (0.9995, 0.4), (1.0, 0.4)] {
        assert!((mu(FrictionActs::AfterAdhesion, damage) - after).abs() < 1e-15);
        assert!((mu(FrictionActs::WithAdhesion, damage) - 0.4).abs() < 1e-15);
        // One coefficient for each status: 0.7 while the bond lasts.
        let two = Adhesive { friction: 0.4, bonded_friction: Some(0.7), ..bond(C, W) };
        assert!((of(two, damage) - if after > 0.0 { 0.4 } else { 0.7 }).abs() < 1e-15);
    }
}

/// A bond counted by points is one of unit area; counted by area it grows with it.
#[test]
fn a_bond_counts_by_area_or_by_point() {
    let pull = |per, area| {
        let mut point = Driven::<2>::held(LawSpec::Adhesive(Adhesive { per, ..bond(C, W) }), 1e-3, C);
        point.area = area;
        -point.advance(Vector::<2>::new(1e-4, 0.0)).bond(&point.step)[0]
    };
    assert!((pull(Per::Area, 0.25) / (0.25 * C * 1e-7) - 1.0).abs() < 1e-8);
    assert!((pull(Per::Point, 0.25) / (C * 1e-7) - 1.0).abs() < 1e-8);
}

/// A bond under a steady pull along the contact, without any pressure, comes to rest: nothing moves any more, and there is still a law to hold.
#[test]
fn a_loaded_bond_comes_to_rest() {
    let law = Adhesive { per: Per::Point, ..bond(1e4, 1.0) };
    let mut point = Driven::<2>::of_mobility(LawSpec::Adhesive(law), 1e-2, 0.5);
    for _ in 0..2000 {
        point.push(Vector::<2>::new(0.0, 20.0));
    }
    // u = F/C.
    assert!((point.z[2] - 2e-3).abs() < 1e-15 && point.velocity.norm() < 1e-14, "{:?} {}", point.z, point.velocity);
}

/// A softening bond on a spring, next to the fold: u + ω/u³ = U (in units of u₀ and of the strength), where iterations shrink the error by 0.9.
#[test]
fn turns_that_creep_are_leapt_over() {
    let (u, ratio): (f64, f64) = (1.05, 0.9);
    // 4 x/(1 + x) = 0.9, x = ω/u⁴.
    let x = ratio / (4.0 - ratio);
    let (compliance, free) = (x * u.powi(4), u * (1.0 + x));
    let law = Adhesive { per: Per::Point, ..bond(1.0, 1.0) };
    let velocity = Vector::<2>::new(free, 0.0);
    let step = StepTimes { h: 1.0, gap_time: 1.0, rest: 1.0 };
    let trial = Trial {
        contact: ContactInput {
            gap: 0.0,
            area: 1.0,
            v_minus: velocity,
            v_free: velocity,
            drift: Vector::zeros(),
            frame: Matrix::identity(),
            acted: false,
            place: Vector::zeros(),
            time: 0.0,
        },
        step,
        operator: BlockMatrix::dense(1, |_, _| Matrix::<2>::identity() * compliance),
        speed: 1.0,
    };
    let mut z = vec![0.0; history_len::<2>(&law)];
    ContactLaw::<2>::start(&law, true, &mut z);
    let settled = solve_one::<2>(&law, &trial, &z);
    // One iteration after another.
    let (mut plain, mut iterations) = (free / (1.0 + compliance), 1);
    while (plain - u).abs() > 1e-10 {
        plain = free / (1.0 + compliance / plain.powi(4));
        iterations += 1;
    }
    assert!(plain > 1.0 && settled.violation <= SolverOptions::default().tolerance, "{settled:?}");
    assert!((settled.solutions[0].velocity[0] - u).abs() < 1e-8, "{settled:?}");
    assert!(iterations > 150 && settled.iterations < 40, "{} for {iterations} iterations", settled.iterations);
}
