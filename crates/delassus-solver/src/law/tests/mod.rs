//! One suite for every law: random one-contact problems, solved through `derive` and judged by `violation`.

use delassus_error::Interrupt;

use super::*;
use crate::implicit::{ContactUnderLaw, Settlement, solve_under_laws};
use crate::linalg::Matrix;
use crate::local::{Dimension, LocalKernel, Status};
use crate::operator::BlockMatrix;
use crate::problem::ContactProblem;
use crate::report::SolverOptions;
use crate::solution::ContactScale;
use crate::solvers::Method;
use crate::solvers::chain::ChainSettings;
use crate::testing::Random;

mod adhesive;
mod bonds;
mod driven;
mod elliptic;
mod energy;
mod friction;
mod impact;
mod shear;
mod smooth;
mod together;
mod variable;

/// Every law with some parameters, of the size that matters in the trial. A new law is added here and gets all tests.
fn every_law<const D: usize>(random: &mut Random, trial: &Trial<D>) -> Vec<LawSpec> {
    let size = Size::of(trial);
    let mut friction = || random.between(0.0, 1.2);
    let mut laws = vec![
        LawSpec::SignoriniCoulomb(SignoriniCoulomb { friction: friction() }),
        LawSpec::SignoriniCoulomb(SignoriniCoulomb::default()),
        LawSpec::Frictionless,
    ];
    let (stiffness, strength) = (size.stiffness * random.decades(-2.0, 1.0), size.pressure * random.decades(-2.0, 0.0));
    let energy = strength * strength / (2.0 * stiffness) * random.between(1.1, 10.0);
    let friction = random.between(0.0, 1.2);
    laws.push(LawSpec::BilinearCohesive(BilinearCohesive { strength, stiffness, energy, friction, per: Per::Area }));
    laws.extend(adhesive::some(random, &size));
    laws.extend(bonds::some(random, &size));
    laws.extend(friction::some(random, &size));
    laws.extend(impact::some(random, &size));
    laws.extend(smooth::some(random, &size));
    laws.extend(shear::some(random, &size));
    laws.extend(variable::some(random, &size));
    if D == 3 {
        laws.extend(elliptic::some(random));
    }
    laws
}

/// Natural sizes of a trial, so that a law has its say in it.
struct Size {
    /// Stiffness per area that holds back as much as the bodies' inertia does [N/m³].
    stiffness: f64,
    /// Way of a step at the speed of the trial [m].
    way: f64,
    /// Speed of the trial [m/s].
    speed: f64,
    /// Pressure that stops the trial's speed within a step [Pa].
    pressure: f64,
    h: f64,
}

impl Size {
    fn of<const D: usize>(trial: &Trial<D>) -> Self {
        let (h, tau, area) = (trial.step.h, trial.step.gap_time, trial.contact.area);
        let mass = D as f64 / trial.operator.diagonal(0).trace();
        Self {
            stiffness: mass / (h * tau * area),
            way: tau * trial.speed,
            speed: trial.speed,
            pressure: mass * trial.speed / (h * area),
            h,
        }
    }
}

struct Trial<const D: usize> {
    contact: ContactInput<D>,
    step: StepTimes,
    operator: BlockMatrix<D>,
    speed: f64,
}

fn random_trial<const D: usize>(random: &mut Random) -> Trial<D> {
    let h = random.decades(-6.0, -1.0);
    let gap_time = h * random.between(0.5, 1.0);
    let step = StepTimes { h, gap_time, rest: gap_time };
    let speed = random.decades(-3.0, 2.0);
    let g = Matrix::<D>::from_fn(|_, _| random.between(-1.0, 1.0));
    let block = (g * g.transpose() + Matrix::<D>::identity() * 0.05) * random.decades(-4.0, 4.0);
    // Gaps of the size a step can close, sometimes none at all, sometimes a little penetration left over.
    let gap = match random.below(4) {
        0 => 0.0,
        1 => -0.1 * h * speed,
        _ => random.between(0.0, 1.5) * step.gap_time * speed,
    };
    let contact = ContactInput {
        gap,
        area: random.decades(-6.0, 0.0),
        v_minus: random.point() * speed,
        v_free: random.point() * speed,
        drift: random.point() * (speed * (h - gap_time)),
        frame: turned_frame(random),
        acted: random.below(2) == 0,
        place: Vector::zeros(),
        time: 0.0,
    };
    Trial { contact, step, operator: BlockMatrix::dense(1, |_, _| block), speed }
}

/// Any rotation: what is left of random columns after they are made orthogonal.
fn turned_frame<const D: usize>(random: &mut Random) -> Matrix<D> {
    let mut frame = Matrix::<D>::identity();
    for k in 0..D {
        let mut column = random.point::<D>();
        for l in 0..k {
            let other = frame.column(l).into_owned();
            column -= other * other.dot(&column);
        }
        frame.set_column(k, &column.normalize());
    }
    frame
}

/// Solution of the contact alone, with the history `z`.
fn solve_one<const D: usize>(law: &dyn ContactLaw<D>, trial: &Trial<D>, z: &[f64]) -> Settlement<D>
where
    Dimension<D>: LocalKernel<D>,
{
    let contact = ContactUnderLaw { law, input: trial.contact, history: z.to_vec() };
    let laws = vec![contact.derive(&trial.step, None)];
    let mut problem = ContactProblem { operator: trial.operator.clone(), v_free: vec![trial.contact.v_free], laws };
    problem.validate().unwrap();
    let mut p = vec![Vector::<D>::zeros()];
    let options = SolverOptions { tolerance: 1e-12, ..SolverOptions::default() };
    let chain = ChainSettings { methods: &[Method::Nlgs], options: &options, interrupt: &Interrupt::never() };
    let settled = solve_under_laws(&chain, &[contact], &mut problem, &mut p, &trial.step);
    assert!(settled.reports[0].residual <= options.tolerance, "{settled:?}");
    settled
}

/// A history that the law may have in the trial: of a contact new or old, worn and shifted.
fn history<const D: usize>(random: &mut Random, law: &dyn ContactLaw<D>, size: &Size) -> Vec<f64> {
    let mut z = vec![f64::NAN; history_len(law)];
    law.start(random.below(4) > 0, &mut z);
    if random.below(2) == 0 {
        return z;
    }
    let mut at = 0;
    for entry in law.history_entries() {
        match entry.name {
            "damage" => z[at] = random.between(0.0, 1.0),
            "tangential_displacement" | "elastic_shear" => {
                let u = statement::tangent(&random.point::<D>()) * size.way;
                z[at..at + D].copy_from_slice(u.as_slice());
            }
            "bonded" | "sliding" => z[at] = random.below(2) as f64,
            "state" => z[at] *= random.decades(-2.0, 2.0),
            _ => {}
        }
        at += entry.len::<D>();
    }
    z
}

#[test]
fn solutions_satisfy_every_law_and_wrong_ones_do_not() {
    check_every_law::<2>(31);
    check_every_law::<3>(32);
}

fn check_every_law<const D: usize>(seed: u64)
where
    Dimension<D>: LocalKernel<D>,
{
    let mut random = Random::new(seed);
    let mut seen = [0_usize; 4];
    let (mut cases, mut caught, mut unsettled, mut worst) = (0, 0, 0, 0.0_f64);
    for _ in 0..3000 {
        let trial = random_trial::<D>(&mut random);
        for spec in every_law(&mut random, &trial) {
            spec.validate().unwrap();
            let law = spec.build::<D>().unwrap();
            let z = history(&mut random, law.as_ref(), &Size::of(&trial));
            let settled = solve_one(law.as_ref(), &trial, &z);
            let out = settled.solutions[0];
            // Next to a fold a fixed point may want more iterations than there are; whoever steps takes a shorter step then.
            if law.implicit() && settled.violation > 1e-12 {
                unsettled += 1;
                continue;
            }
            seen[usize::from(out.status.code())] += 1;
            let e = law.violation(&trial.contact, &out, &trial.step, &z);
            // One contact is solved in closed form; g/τ and back costs a few roundings.
            assert!(e <= 1e-12, "{spec:?} {z:?}: {e} {out:?}");
            worst = worst.max(e);
            // A wrong impulse of a hundredth of the scale, in any direction, with the velocity that goes with it, must be seen.
            let mut wrong = out;
            let push = random.point::<D>().normalize() * (0.01 * out.scale.impulse);
            wrong.impulse += push;
            wrong.velocity += trial.operator.diagonal(0) * push;
            let seen = law.violation(&trial.contact, &wrong, &trial.step, &z);
            caught += usize::from(seen > 1e-6);
            cases += 1;
            let mut new = vec![f64::NAN; history_len(law.as_ref())];
            let energy = law.commit(&trial.contact, &out, &trial.step, &z, &mut new);
            assert!(
                new.iter().all(|x| x.is_finite())
                    && energy.dissipated >= 0.0
                    && energy.friction >= 0.0
                    && energy.stored.is_finite()
            );
            energy::check(&energy, &format!("{spec:?}"));
        }
    }
    assert!(cases >= 9000);
    assert!(unsettled * 500 < cases, "{unsettled} of {cases}");
    // The solution is unique in these problems up to blocks with μ|W_NT| ≥ W_NN, so every perturbation is wrong.
    assert_eq!(caught, cases);
    // Sticking is rare, and rarer with two tangents.
    assert!(seen[0] > 500 && seen[1] > 100 && seen[2] > 500, "{seen:?}");
    assert!(worst < 1e-12);
}

#[test]
fn signorini_on_the_gap_uses_the_gap_time() {
    let law = SignoriniCoulomb { friction: 0.3 };
    let contact = ContactInput {
        gap: 2e-3,
        area: 1.0,
        v_minus: Vector::<2>::zeros(),
        v_free: Vector::<2>::zeros(),
        drift: Vector::<2>::zeros(),
        frame: Matrix::identity(),
        acted: false,
        place: Vector::zeros(),
        time: 0.0,
    };
    let derived =
        ContactLaw::<2>::derive(&law, &contact, &StepTimes { h: 1e-2, gap_time: 5e-3, rest: 5e-3 }, &[], None);
    assert!((derived.v_shift - Vector::<2>::new(0.4, 0.0)).norm() < 1e-15);
    assert_eq!(derived.cone, crate::problem::Cone::Coulomb(0.3));
}

#[test]
fn laws_hold_in_three_dimensions() {
    // Sliding along (0.6, 0.8) on a closed gap: p_T = −μ p_N (0.6, 0.8); turned by a right angle it is wrong.
    let law = LawSpec::SignoriniCoulomb(SignoriniCoulomb { friction: 0.5 }).build::<3>().unwrap();
    let zero = Vector::<3>::zeros();
    let contact = ContactInput {
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
    let step = StepTimes { h: 1e-3, gap_time: 1e-3, rest: 1e-3 };
    let mut out = ContactSolution {
        velocity: Vector::<3>::new(0.0, 0.6, 0.8),
        impulse: Vector::<3>::new(2.0, -0.6, -0.8),
        status: Status::Slip,
        push: 2.0,
        scale: ContactScale::new(1.0, 2.0),
    };
    assert!(law.violation(&contact, &out, &step, &[]) < 1e-15);
    out.impulse = Vector::<3>::new(2.0, 0.8, -0.6);
    assert!(law.violation(&contact, &out, &step, &[]) > 0.1);
}

/// The law's own statement and the natural map are measures of one thing: also where a slip is slow and its direction a little off.
#[test]
fn the_own_statement_is_that_of_the_natural_map_whatever_the_slip() {
    let mut random = Random::new(77);
    let mut compared = 0;
    for _ in 0..5000 {
        let friction = random.between(0.1, 1.0);
        let law = SignoriniCoulomb { friction };
        // Unit mobility and a unit push: velocities and impulses have the scale 1.
        let (speed, off) = (10f64.powf(random.between(-9.0, -0.5)), 10f64.powf(random.between(-6.0, -0.5)));
        let (sin, cos) = random.between(-3.2, 3.2).sin_cos();
        let slide = Vector::<3>::new(0.0, cos, sin) * speed;
        let (sin, cos) = (off.sin(), off.cos());
        let turned = Vector::<3>::new(0.0, cos * slide[1] - sin * slide[2], sin * slide[1] + cos * slide[2]) / speed;
        let impulse = Vector::<3>::new(1.0, 0.0, 0.0) - turned * friction;
        let contact = ContactInput {
            gap: 0.0,
            area: 1.0,
            v_minus: slide,
            v_free: slide,
            drift: Vector::<3>::zeros(),
            frame: Matrix::identity(),
            acted: false,
            place: Vector::zeros(),
            time: 0.0,
        };
        let scale = ContactScale::new(1.0, 1.0);
        let out = ContactSolution { velocity: slide, impulse, status: Status::Slip, push: 1.0, scale };
        let own = law.violation(&contact, &out, &StepTimes { h: 1.0, gap_time: 1.0, rest: 1.0 }, &[]);
        let map = crate::natural_map::natural_map(crate::problem::Cone::Coulomb(friction), 1.0, &slide, &impulse);
        // Below this, rounding of numbers of order one.
        if map > 1e-14 {
            compared += 1;
            assert!((0.05..20.0).contains(&(own / map)), "{friction} {speed:e} {off:e}: {own:e} {map:e}");
        }
    }
    assert!(compared > 2000, "{compared}");
}

#[test]
fn no_law_hides_a_nan() {
    let mut random = Random::new(8);
    for _ in 0..50 {
        let trial = random_trial::<3>(&mut random);
        for spec in every_law(&mut random, &trial) {
            let law = spec.build::<3>().unwrap();
            let z = history(&mut random, law.as_ref(), &Size::of(&trial));
            let out = solve_one(law.as_ref(), &trial, &z).solutions[0];
            let judge = |out: &ContactSolution<3>| law.violation(&trial.contact, out, &trial.step, &z);
            for i in 0..3 {
                let (mut velocity, mut impulse) = (out, out);
                velocity.velocity[i] = f64::NAN;
                impulse.impulse[i] = f64::NAN;
                // Impact says nothing of the velocity where nothing closes, and a tie nothing of its impulse.
                assert!(judge(&velocity).is_nan() || matches!(spec, LawSpec::Restitution(_)), "{spec:?} {i} {out:?}");
                assert!(judge(&impulse).is_nan() || matches!(spec, LawSpec::Tied(_)), "{spec:?} {i} {out:?}");
            }
        }
    }
}

#[test]
fn violation_keeps_nan() {
    let law = SignoriniCoulomb { friction: 0.3 };
    let zero = Vector::<2>::zeros();
    let contact = ContactInput {
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
    let scale = ContactScale::new(1.0, 1.0);
    for (velocity, impulse) in [
        (Vector::<2>::new(f64::NAN, 0.0), zero),
        (zero, Vector::<2>::new(f64::NAN, 0.0)),
        (zero, Vector::<2>::new(0.0, f64::NAN)),
    ] {
        let out = ContactSolution { velocity, impulse, status: Status::Open, push: 0.0, scale };
        assert!(law.violation(&contact, &out, &step, &[]).is_nan(), "{out:?}");
    }
}

/// Laws as a case has them, and what is said of the key that is wrong.
const REFUSED: &[(&str, &str)] = &[
    (
        r#"{"Adhesive": {"normal_stiffness": 0.0, "tangential_stiffness": 1.0, "energy": 1.0}}"#,
        "law `Adhesive`: normal_stiffness = 0 must be a finite number > 0",
    ),
    (
        r#"{"Adhesive": {"normal_stiffness": 1.0, "tangential_stiffness": -1.0, "energy": 1.0}}"#,
        "tangential_stiffness = -1 must",
    ),
    (r#"{"Adhesive": {"normal_stiffness": 1.0, "tangential_stiffness": 1.0, "energy": 0.0}}"#, "energy = 0 must"),
    (
        r#"{"Adhesive": {"normal_stiffness": 1.0, "tangential_stiffness": 1.0, "energy": 1.0, "viscosity": -1.0}}"#,
        "viscosity = -1 must",
    ),
    (
        r#"{"Adhesive": {"normal_stiffness": 1.0, "tangential_stiffness": 1.0, "energy": 1.0, "exponent": 0.0}}"#,
        "exponent = 0 must",
    ),
    (
        r#"{"Adhesive": {"normal_stiffness": 1.0, "tangential_stiffness": 1.0, "energy": 1.0, "theta": 0.4}}"#,
        "theta = 0.4 must be from 0.5 to 1",
    ),
    (
        r#"{"Adhesive": {"normal_stiffness": 1.0, "tangential_stiffness": 1.0, "energy": 1.0, "friction": -0.4}}"#,
        "friction = -0.4 must",
    ),
    (
        r#"{"MohrCoulomb": {"cohesion": -1.0, "internal_friction": 0.5}}"#,
        "law `MohrCoulomb`: cohesion = -1 must be a finite number ≥ 0",
    ),
    (r#"{"MohrCoulomb": {"cohesion": 1.0, "internal_friction": -0.5}}"#, "internal_friction = -0.5 must"),
    (r#"{"MohrCoulomb": {"cohesion": 1.0, "internal_friction": 0.5, "friction": -1.0}}"#, "friction = -1 must"),
    (r#"{"Cohesive": {"cohesion": -1.0}}"#, "law `Cohesive`: cohesion = -1 must"),
    (r#"{"Restitution": {"normal": 1.1}}"#, "law `Restitution`: normal = 1.1 must be from 0 to 1"),
    (r#"{"Restitution": {"tangential": -1.0}}"#, "tangential = -1 must be above -1 and up to 1"),
    (r#"{"Restitution": {"dissipation_index": -0.1}}"#, "dissipation_index = -0.1 must"),
    (
        r#"{"Adhesive": {"normal_stiffness": 1, "tangential_stiffness": 1, "energy": 1, "bonded_friction": -1}}"#,
        "bonded_friction = -1 must",
    ),
    (
        r#"{"Adhesive": {"normal_stiffness": 1, "tangential_stiffness": 1, "energy": 1, "bonded_friction": 1, "friction_acts": "AfterAdhesion"}}"#,
        "give bonded_friction or friction_acts, not both",
    ),
    (r#"{"Restitution": {"dissipation_index": 0.1, "normal": 0.5}}"#, "give dissipation_index or normal, not both"),
    (r#"{"Compliant": {"stiffness": 0.0}}"#, "law `Compliant`: stiffness = 0 must"),
    (r#"{"Compliant": {"damping": -2.0}}"#, "damping = -2 must"),
    (
        r#"{"StaticDynamic": {"static_friction": 0.2, "dynamic_friction": 0.3}}"#,
        "static_friction = 0.2 must be at least dynamic_friction = 0.3",
    ),
    (r#"{"StaticDynamic": {"static_friction": 0.5, "dynamic_friction": 0.3, "velocity": 0.0}}"#, "velocity = 0 must"),
    (r#"{"SmoothFriction": {"friction": -0.1, "curve": []}}"#, "law `SmoothFriction`: friction = -0.1 must"),
    (r#"{"SmoothFriction": {"curve": []}}"#, "curve = 0 must be a list of one point or more"),
    (r#"{"SmoothFriction": {"curve": [{"speed": 0, "added": 1}]}}"#, "speed = 0 must be above 0: the points"),
    (
        r#"{"SmoothFriction": {"curve": [{"speed": 2, "added": 1}, {"speed": 2, "added": 1}]}}"#,
        "speed = 2 must be above 2: the points of the curve go by increasing speed",
    ),
    (
        r#"{"SmoothFriction": {"friction": 0.5, "curve": [{"speed": 2, "added": -0.6}]}}"#,
        "added = -0.6 must be at least -friction = -0.5: friction does not drive",
    ),
    (
        r#"{"EllipticFriction": {"along": 0, "across": 0.5, "direction": [1, 0, 0]}}"#,
        "law `EllipticFriction`: along = 0 must be a finite number > 0",
    ),
    (r#"{"EllipticFriction": {"along": 1, "across": -0.5, "direction": [1, 0, 0]}}"#, "across = -0.5 must"),
    (
        r#"{"EllipticFriction": {"along": 1, "across": 0.5, "direction": [0, 0, 0]}}"#,
        "direction = 0 must be a vector of finite numbers that is not zero",
    ),
    (r#"{"ElasticShear": {"shear_stiffness": 0, "friction": 0.5}}"#, "law `ElasticShear`: shear_stiffness = 0 must"),
    (r#"{"ElasticShear": {"shear_stiffness": 1, "friction": -0.5}}"#, "friction = -0.5 must"),
    (
        r#"{"ElasticShear": {"shear_stiffness": 1, "friction": 0.5, "normal_stiffness": -1}}"#,
        "normal_stiffness = -1 must",
    ),
    (
        r#"{"RateAndState": {"reference_friction": 0.6, "direct_effect": 0.0, "evolution_effect": 0.1, "reference_velocity": 1e-6, "slip_distance": 1.0}}"#,
        "law `RateAndState`: direct_effect = 0 must be a finite number > 0",
    ),
    (
        r#"{"RateAndState": {"reference_friction": 0.6, "direct_effect": 0.1, "evolution_effect": -0.1, "reference_velocity": 1e-6, "slip_distance": 1.0}}"#,
        "evolution_effect = -0.1 must",
    ),
    (
        r#"{"RateAndState": {"reference_friction": 0.6, "direct_effect": 0.1, "evolution_effect": 0.1, "reference_velocity": 1e-6, "slip_distance": 0.0}}"#,
        "slip_distance = 0 must",
    ),
    (
        r#"{"RateAndState": {"reference_friction": 0.6, "direct_effect": 0.1, "evolution_effect": 0.1, "reference_velocity": 1e-6, "slip_distance": 1.0, "initial_state": -1.0}}"#,
        "initial_state = -1 must",
    ),
];

#[test]
fn specs_read_and_refuse() {
    let spec: LawSpec = serde_json::from_str("{\"SignoriniCoulomb\": {\"friction\": 0.25}}").unwrap();
    assert_eq!(spec, LawSpec::SignoriniCoulomb(SignoriniCoulomb { friction: 0.25 }));
    assert_eq!(serde_json::from_str::<LawSpec>("\"Frictionless\"").unwrap(), LawSpec::Frictionless);
    let default: LawSpec = serde_json::from_str("{\"SignoriniCoulomb\": {}}").unwrap();
    assert_eq!(default, LawSpec::SignoriniCoulomb(SignoriniCoulomb { friction: 0.0 }));
    assert!(serde_json::from_str::<LawSpec>("{\"SignoriniCoulomb\": {\"mu\": 0.25}}").is_err());
    for (text, refused) in REFUSED {
        let fault = serde_json::from_str::<LawSpec>(text).unwrap().validate().unwrap_err();
        assert!(fault.to_string().contains(refused), "{fault}");
    }
    for name in [
        "Adhesive",
        "MohrCoulomb",
        "Cohesive",
        "Restitution",
        "Compliant",
        "StaticDynamic",
        "RateAndState",
        "Tied",
        "SmoothFriction",
        "ElasticShear",
        "EllipticFriction",
    ] {
        assert!(serde_json::from_str::<LawSpec>(&format!("{{\"{name}\": {{\"frction\": 0.1}}}}")).is_err(), "{name}");
    }
    let mut random = Random::new(6);
    let trial = random_trial::<2>(&mut random);
    for spec in every_law(&mut random, &trial) {
        let text = serde_json::to_string(&spec).unwrap();
        // JSON may lose the last digit of a number.
        let read = serde_json::from_str::<LawSpec>(&text).unwrap();
        assert_eq!(std::mem::discriminant(&read), std::mem::discriminant(&spec), "{text}");
    }
    for friction in [-0.1, f64::NAN, f64::INFINITY] {
        let fault = LawSpec::SignoriniCoulomb(SignoriniCoulomb { friction }).validate().unwrap_err();
        assert!(fault.to_string().starts_with("law `SignoriniCoulomb`: friction = "), "{fault}");
    }
}
