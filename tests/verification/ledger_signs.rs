//! Friction, normal contact loss and numerical dissipation as lines of the ledger of their own: signs and sizes, scheme by scheme.
//!
//! Reference: what the gap law g⁺ = g_c + τ U_N⁺ = 0 of a closed contact makes of p_N U_t,N, with the test velocity U_t of the scheme's
//! energy identity, on a flat obstacle at rest (g, U⁻, A⁻: gap, velocity and acceleration at the step's start):
//!
//! ```text
//! θ, θ-Euler     contact = −p_N g/h                                   ≤ 0; nothing while a contact lasts (g = 0)
//! modified θ     contact = p_N (−θ g/h + (1−θ)² U⁻)
//!                        = p_N (−θ g_c/h + (1−θ) U⁻) , g_c ≥ 0        ≤ 0 unless the contact was opening, U⁻ > 0
//! Newmark        contact = p_N (−g/h − (β/γ−½)(ΔU + hγ ΔA))           ≤ 0 but for the last term (none at β/γ = ½)
//! all of them    friction: −p_T·U_T⁺ ≥ 0 at every contact (Coulomb); the ledger has −p_T·U_t,T
//! θ = 1, θ-Euler U_t = U⁺: friction never goes down
//! θ < 1          friction = −θ p_T·U_T⁺ − (1−θ) p_T·U_T⁻: may dip where the slip turns round, at most by (1−θ)|p_T·U_T⁻|
//! numerical      ≥ 0 in every step for θ ≥ ½, none for θ and modified θ at ½, Newmark (½, ¼);
//!                Newmark: ≥ 0 once the change of ½h²(β−γ/2) a·M a is taken off
//! ```
//!
//! Goal: each of these, step by step, and their sum. That the sum closes whatever acts is shown by the test `ledger`.
//!
//! ```text
//!    +--+--+--+--+--+--+
//!    |                 |      block 0.2 m x 0.1 m, 6 x 3 Q4, plane strain, all of its boundary candidates
//!    +--+--+--+--+--+--+
//!   /////////////////////     floor, μ = 0.3
//! ```
//!
//! Parameters: E = 1e9 Pa, ν = 0.3, ρ = 1000 kg/m³. Impact at (3, −2) m/s from 10.37 steps above the floor, h = 5 µs; the same at
//! (0, −2) m/s without friction; sliding at 1 m/s under 1000 m/s² until it stops, h = 20 µs.
//!
//! Tolerances: 1e-14 of the initial energy for each line of a step (rounding: some 1e-17 measured); 1e-12 for the sum of all lines.

use delassus_case::Loaded;
use delassus_contact::{Map, local_velocity};
use delassus_dynamics::State;
use delassus_dynamics::integrator::{IntegratorSpec, energies};
use delassus_sim::engine::Engine;
use delassus_sim::ledger::Ledger;
use delassus_sim::model::Model;
use delassus_sim::step::{Outcome, Snapshot, step};
use delassus_sim::timings::Timings;
use verification::{SCHEMES, fitted_order, load_text, show};

const CASE: &str = r#"(
    title: "A block on a floor",
    kinematics: SmallStrain,
    materials: [(name: "m", density: 1000.0, law: KelvinVoigt(young: 1e9, poisson: 0.3))],
    bodies: [(
        name: "block",
        mesh: Rectangle(corner: (0.0, 1.037e-4), size: (0.2, 0.1), cells: (6, 3)),
        material: "m",
        velocity: (3.0, -2.0),
    )],
    obstacles: [(name: "floor", shape: HalfPlane(point: (0.0, 0.0), normal: (0.0, 1.0)))],
    contacts: [(
        name: "sole",
        candidates: (body: "block", group: "boundary"),
        antagonists: Obstacle("floor"),
        law: SignoriniCoulomb(friction: 0.3),
    )],
    integrator: Theta(theta: 0.5),
    step: 5e-6,
    duration: 1.5e-3,
    // Laws that hold to 1e-12 leave as much of the work of contacts, more than rounding.
    solver: Nlgs(tolerance: 1e-13, max_iterations: 100000),
)"#;

const IMPACT: &[&str] = &[];
const BOUNCE: &[&str] = &["bodies.block.velocity=(0.0, -2.0)", "contacts.sole.law=Frictionless"];
const SLIDE: &[&str] = &[
    "bodies.block.velocity=(1.0, 0.0)",
    "bodies.block.mesh.corner=(0.0, 0.0)",
    "loads=[Gravity(acceleration: (0.0, -1000.0))]",
    "step=2e-5",
    "duration=5e-3",
];

/// Rounding of a line of one step, relative to the initial energy.
const LINE: f64 = 1e-14;
/// Rounding of the sum of all lines.
const SUM: f64 = 1e-12;

/// The lines of one step \[J\], and what theory says of them.
#[derive(Clone, Copy, Debug, Default)]
struct Lines {
    /// Work of normal impulses, and the same by the formula of the scheme.
    contact: [f64; 2],
    /// (1−θ) Σ p_N max(U⁻, 0): the most by which the modified θ-method may go up.
    reopening: f64,
    /// Energy taken by friction.
    friction: f64,
    /// Least −p_T·U_T⁺ of a contact.
    friction_of_law: f64,
    /// Σ |p_T·U_T⁻|, the scale of a dip.
    slip_before: f64,
    /// Energy taken by the scheme.
    numerical: f64,
    /// Change of Newmark's algorithmic energy.
    algorithmic: f64,
}

/// A run, step by step; energies relative to the initial one.
struct Story {
    steps: Vec<Lines>,
    last: Ledger,
    residual: f64,
}

impl Story {
    fn of(loaded: &Loaded) -> Self {
        let model = loaded.model::<2>().unwrap();
        let mut engine = Engine::new(&model).unwrap();
        let mut timings = Timings::default();
        let mut from = model.start();
        let (kinetic, elastic) = energies(&*model.bodies[0].body, &from.states[0]);
        let mut ledger = Ledger::new(kinetic, elastic);
        let mut story = Self { steps: Vec::new(), last: ledger, residual: 0.0 };
        for i in 0..model.n_steps {
            let outcome = step(&mut engine, &mut timings, &from, model.h).unwrap();
            assert!(outcome.is_accepted(model.solver_options.tolerance), "step {i}: {}", outcome.description());
            let next = ledger.after(&outcome);
            story.steps.push(lines(&model, &loaded.case.integrator, (&from, &outcome), (&ledger, &next)));
            story.residual = story.residual.max(next.relative_residual());
            (ledger, from) = (next, outcome.snapshot);
        }
        story.last = ledger;
        story
    }

    /// The largest of a figure over the steps, relative to the initial energy.
    fn most(&self, of: impl Fn(&Lines) -> f64) -> f64 {
        self.steps.iter().map(of).fold(f64::NEG_INFINITY, f64::max) / self.last.initial
    }

    /// The least.
    fn least(&self, of: impl Fn(&Lines) -> f64) -> f64 {
        -self.most(|x| -of(x))
    }
}

fn algorithmic_energy(model: &Model<2>, spec: &IntegratorSpec, state: &State, h: f64) -> f64 {
    let IntegratorSpec::Newmark(s) = spec else { return 0.0 };
    let mut inertia = vec![0.0; state.aux.len()];
    model.bodies[0].body.mass_times_into(&state.aux, &mut inertia);
    0.5 * h * h * (s.beta - 0.5 * s.gamma) * inertia.iter().zip(&state.aux).map(|(f, a)| f * a).sum::<f64>()
}

fn lines(
    model: &Model<2>,
    spec: &IntegratorSpec,
    (from, outcome): (&Snapshot, &Outcome<2>),
    (before, after): (&Ledger, &Ledger),
) -> Lines {
    let (h, a, b) = (outcome.h, &from.states[0], &outcome.snapshot.states[0]);
    let mut found = Lines {
        contact: [after.contact - before.contact, 0.0],
        friction: after.friction - before.friction,
        numerical: after.numerical - before.numerical,
        algorithmic: algorithmic_energy(model, spec, b, h) - algorithmic_energy(model, spec, a, h),
        ..Lines::default()
    };
    let heights = &model.positions(Some(std::slice::from_ref(&a.q)))[0];
    for t in &outcome.touches {
        let Map::Nodes(nodes) = &t.contact.sides[0].map else { panic!("candidates are nodes") };
        let y = 2 * nodes[0].0 + 1;
        let gap = heights[y];
        let velocity = match spec {
            IntegratorSpec::Theta(_)
            | IntegratorSpec::ThetaEuler(_)
            | IntegratorSpec::Explicit(_)
            | IntegratorSpec::QuasiStatic => -gap / h,
            IntegratorSpec::ModifiedTheta(s) => -s.theta * gap / h + (1.0 - s.theta).powi(2) * a.v[y],
            IntegratorSpec::EnergyMomentum(_) => -0.5 * gap / h + 0.25 * a.v[y],
            IntegratorSpec::Newmark(s) => {
                let lag = b.v[y] - a.v[y] + h * s.gamma * (b.aux[y] - a.aux[y]);
                -gap / h - (s.beta / s.gamma - 0.5) * lag
            }
        };
        found.contact[1] += t.impulse[0] * velocity;
        if let IntegratorSpec::EnergyMomentum(_) = spec {
            found.reopening += 0.5 * t.impulse[0] * a.v[y].max(0.0);
        }
        if let IntegratorSpec::ModifiedTheta(s) = spec {
            found.reopening += (1.0 - s.theta) * t.impulse[0] * a.v[y].max(0.0);
        }
        found.friction_of_law = found.friction_of_law.min(-t.impulse[1] * t.velocity[1]);
        found.slip_before += (t.impulse[1] * local_velocity(&t.contact, &[&a.v])[1]).abs();
    }
    found
}

/// Weight of U⁻ in the test velocity, where that is a mean of U⁻ and U⁺.
fn weight_before(spec: &IntegratorSpec) -> Option<f64> {
    match spec {
        IntegratorSpec::Theta(s) => Some(1.0 - s.theta),
        IntegratorSpec::ModifiedTheta(s) => Some(1.0 - s.theta),
        IntegratorSpec::EnergyMomentum(_) => Some(0.5),
        IntegratorSpec::ThetaEuler(_) | IntegratorSpec::Explicit(_) | IntegratorSpec::QuasiStatic => Some(0.0),
        IntegratorSpec::Newmark(s) => ((s.beta / s.gamma - 0.5).abs() < 1e-15).then_some(0.5),
    }
}

/// Is the numerical dissipation zero by theory?
fn conserves(spec: &IntegratorSpec) -> bool {
    match spec {
        IntegratorSpec::Theta(s) => s.theta <= 0.5,
        IntegratorSpec::ModifiedTheta(s) => s.theta <= 0.5,
        IntegratorSpec::EnergyMomentum(s) => s.theta <= 0.5,
        IntegratorSpec::ThetaEuler(_) | IntegratorSpec::Explicit(_) | IntegratorSpec::QuasiStatic => false,
        IntegratorSpec::Newmark(s) => s.gamma <= 0.5,
    }
}

/// Follows a scene with a scheme and checks all that holds for any scene.
fn follow(scene: &str, settings: &[&str], scheme: &str) -> Story {
    let integrator = format!("integrator={scheme}");
    let loaded = load_text(CASE, &[settings, &[integrator.as_str()]].concat());
    let (story, spec) = (Story::of(&loaded), &loaded.case.integrator);
    let e = story.last.initial;
    let up = story.most(|x| x.contact[0]);
    let dip = story.least(|x| x.friction);
    show(&format!(
        "{scene:7} {scheme:34} of E0: friction {:.4} (dip {dip:.0e})  contact {:9.2e} (up {up:.0e})  numerical {:.4}  left {:.4}  sum {:.0e}",
        story.last.friction / e,
        story.last.contact / e,
        story.last.numerical / e,
        (story.last.kinetic + story.last.elastic) / e,
        story.residual
    ));
    let what = format!("{scene}, {scheme}");
    assert!(story.residual <= SUM, "{what}: {:e}", story.residual);

    // Contact: the formula, its sign.
    let formula = story.most(|x| (x.contact[0] - x.contact[1]).abs());
    assert!(formula <= LINE, "{what}: contact work is {formula:e} off");
    match spec {
        IntegratorSpec::Newmark(s) if s.beta / s.gamma - 0.5 > 1e-15 => {
            assert!(story.last.contact < 0.0 && up < 1e-4, "{what}: up {up:e}");
        }
        _ => assert!(story.most(|x| x.contact[0] - x.reopening) <= LINE, "{what}: up {up:e}"),
    }

    // Friction: Coulomb's law, and what the weight of U⁻ makes of it.
    assert!(story.least(|x| x.friction_of_law) >= -LINE, "{what}");
    if let Some(weight) = weight_before(spec) {
        assert!(story.least(|x| x.friction + weight * x.slip_before) >= -LINE, "{what}: dip {dip:e}");
    }
    assert!(dip > -1e-3, "{what}: dip {dip:e}");

    // Numerical dissipation.
    assert!(story.least(|x| x.numerical - x.algorithmic) >= -LINE, "{what}");
    if conserves(spec) {
        assert!(story.most(|x| x.numerical.abs()) <= LINE, "{what}");
    } else {
        assert!(story.last.numerical > 1e-3 * e, "{what}: {:e}", story.last.numerical / e);
    }
    story
}

#[test]
fn frictional_impact() {
    for scheme in SCHEMES {
        let story = follow("impact", IMPACT, scheme);
        let e = story.last.initial;
        // It slides all the time, so it loses μ(1+e)·2 m/s of its 3 m/s, 0.6 for e = 0 and 1.2 for e = 1: of E0 = 13/2 per kilogram
        // (9 − 2.4²)/13 and (9 − 1.8²)/13.
        assert!((0.249..0.443).contains(&(story.last.friction / e)), "{scheme}");
        assert!(story.last.contact <= LINE * e, "{scheme}: impacts give no energy");
    }
}

#[test]
fn bouncing_without_friction() {
    for scheme in SCHEMES {
        let story = follow("bounce", BOUNCE, scheme);
        assert!(story.last.friction.abs() <= LINE * story.last.initial, "{scheme}");
        // Touched at 0.37 of a step: the loss is there in every scheme.
        assert!(story.last.contact < -1e-2 * story.last.initial, "{scheme}: {:e}", story.last.contact);
    }
}

#[test]
fn sliding_to_rest() {
    for scheme in SCHEMES {
        let story = follow("slide", SLIDE, scheme);
        assert!(story.last.friction > 0.9 * story.last.initial, "{scheme}: friction stops the block");
    }
    // Dips are no rounding: after the stop the sole creeps to and fro, and half the work is that of the velocity before.
    let dip = follow("slide", SLIDE, "Theta(theta: 0.5)").least(|x| x.friction);
    assert!(dip < -1e-6, "{dip:e}");
}

/// The normal contact loss is that of the mass on the surface: it goes with the size of the cells.
#[test]
fn impact_loss_vanishes_with_the_mesh() {
    for scheme in ["Theta(theta: 0.5)", "ModifiedTheta(theta: 0.5)", "ThetaEuler(theta: 0.55)"] {
        let loss = [1, 2, 4].map(|refine| {
            let h = 5e-6 / f64::from(refine);
            let settings = [
                format!("bodies.block.mesh.refine={refine}"),
                format!("step={h:e}"),
                format!("bodies.block.mesh.corner=(0.0, {:e})", 10.37 * h * 2.0),
            ];
            let settings: Vec<&str> = BOUNCE.iter().copied().chain(settings.iter().map(String::as_str)).collect();
            let story = follow("bounce", &settings, scheme);
            -story.last.contact / story.last.initial
        });
        let order = fitted_order(&[1.0, 0.5, 0.25], &loss);
        show(&format!("normal contact loss {scheme}: {loss:.4?}, order {order:.2}"));
        // One row of nodes out of 3, 6, 12 rows of cells, touched at the same part of a step.
        assert!((order - 1.0).abs() < 0.05, "{scheme}: {loss:?}, order {order}");
    }
}
