//! Where rigid bodies leave what can be computed: steps in which they pass through one another, contacts that cannot be met, masses that differ by too much. Each step is told; none panics.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails by panicking")]

use delassus_sim::engine::Engine;
use delassus_sim::timings::Timings;
use delassus_sim::verdict::Verdict;
use delassus_solver::law::Restitution;
use delassus_solver::{ContactInput, ContactLaw, ContactSolution, Derived, StepTimes};

use super::rigid::{close, made, run};

/// How many rigid bodies were found too deep in one another, and the first in words, of each step; steps need not be accepted.
fn told<const D: usize>(model: &std::sync::Arc<delassus_sim::Model<D>>, n: usize) -> Vec<(usize, Option<String>)>
where
    delassus_sim::space::Dimension<D>: delassus_case::lower::Generate<D>,
{
    let mut engine = Engine::new(model).unwrap();
    let mut snapshot = engine.start().unwrap();
    (0..n)
        .map(|_| {
            let o = delassus_sim::step::step(&mut engine, &mut Timings::default(), &snapshot, model.h).unwrap();
            snapshot = o.snapshot;
            (o.too_deep, o.deep)
        })
        .collect()
}

fn bullet(speed: f64, from: f64, spin: f64) -> std::sync::Arc<delassus_sim::Model<2>> {
    made::<2>(&format!(
        "step: 0.01, bodies: [(name: \"bullet\", mesh: Round(centre: ({from}, 0.5), radius: 0.05), inertia: (mass: 1.0), velocity: ({speed}, 0)), \
         (name: \"plate\", rigid: true, inertia: (mass: 1.0), mesh: Rectangle(corner: (0, 0), size: (0.1, 1), cells: (1, 1)), spin: {spin})], \
         motions: [(body: \"plate\", x: 0.0, y: 0.0, spin: {spin})], \
         contacts: [(name: \"hit\", candidates: (body: \"bullet\"), antagonists: Surface(body: \"plate\"), law: Restitution())]"
    ))
}

/// A ball of 0.1 m flies at a plate of 0.1 m. Its contacts are looked for in the middle of a step, after h v/2. If that is beyond the plate, no contact acts, and the step says so; if it is before it, the plate stops the ball.
#[test]
fn a_body_that_flies_through_another_within_a_step_is_told() {
    // On the way to the middle of the first step: from −3.3 m to 1.7 m.
    let through = told(&bullet(1000.0, -3.3, 0.0), 2);
    assert_eq!(through[0].0, 1);
    let text = through[0].1.as_deref().unwrap_or("");
    assert!(text.contains("`bullet` went through `plate`"), "{text}");
    assert_eq!(through[1].0, 0, "it is told once");
    // Before the plate in the middle of a step, and beyond it at its end: it is stopped.
    for speed in [10.0, 150.0, 600.0] {
        let stopped = bullet(speed, -3.3, 0.0);
        assert!(told(&stopped, 3).iter().all(|t| t.0 == 0), "{speed}");
    }
    // Past the end of the plate: the straight way back along the normal leads through it, the true one does not.
    let past = made::<2>(
        "step: 0.01, bodies: [(name: \"a\", mesh: Round(centre: (-3.3, 0.2), radius: 0.05), inertia: (mass: 1.0), velocity: (1000, 0)), \
         (name: \"b\", mesh: Round(centre: (0, 0), radius: 0.05), inertia: (mass: 1.0))], \
         contacts: [(name: \"c\", candidates: (body: \"a\"), antagonists: Surface(body: \"b\"), law: Restitution())]",
    );
    assert!(told(&past, 2).iter().all(|t| t.0 == 0));
}

/// A block that is led into the floor: its contacts cannot be met, and impulses that grow without bound make the scale-free error of the law small. The depth tells it.
#[test]
fn a_block_that_is_led_into_the_floor_is_told() {
    let model = made::<2>(
        "step: 0.01, bodies: [(name: \"block\", rigid: true, inertia: (mass: 1000.0), mesh: Rectangle(corner: (0, 0.05), size: (1, 1), cells: (1, 1)))], \
         obstacles: [(name: \"floor\", shape: HalfPlane(point: (0, 0), normal: (0, 1)))], motions: [(body: \"block\", y: -1.0)], \
         contacts: [(name: \"foot\", candidates: (body: \"block\"), antagonists: Obstacle(\"floor\"), law: Restitution(friction: 0.5))]",
    );
    let steps = told(&model, 10);
    // At 5 % of half of its height, 0.025 m, which it reaches after 0.075 s.
    assert!(steps[..6].iter().all(|t| t.0 == 0) && steps[8..].iter().all(|t| t.0 > 0), "{steps:?}");
    let text = steps[9].1.as_deref().unwrap_or("");
    assert!(text.contains("`block` is inside the obstacle of contact `foot` by 5.0"), "{text}");
}

/// Two boxes on one another in space.
fn stack() -> std::sync::Arc<delassus_sim::Model<3>> {
    made::<3>(
        "step: 1e-3, solver: Nlgs(tolerance: 1e-10, max_iterations: 1000), bodies: [\
         (name: \"a\", rigid: true, mesh: Box(corner: (0,0,0), size: (1,1,1), cells: (1,1,1)), inertia: (density: 1000)), \
         (name: \"b\", rigid: true, mesh: Box(corner: (0.25,0.2,1), size: (1,1,0.5), cells: (1,1,1)), inertia: (density: 1000))], \
         obstacles: [(name: \"floor\", shape: HalfSpace(point: (0,0,0), normal: (0,0,1)))], \
         contacts: [(name: \"c\", candidates: (body: \"a\"), antagonists: Obstacle(\"floor\"), law: Restitution(friction: 0.5)), \
         (name: \"d\", candidates: (body: \"b\"), antagonists: Surface(body: \"a\"), law: Restitution(friction: 0.5))], \
         loads: [Gravity(acceleration: (0,0,-9.81))]",
    )
}

/// The work of the normal impulses of all contacts over `n` steps, and what the verdict takes for nothing.
fn work_of_contacts(model: &std::sync::Arc<delassus_sim::Model<3>>, n: usize) -> (f64, f64) {
    let (mut verdict, mut work) = (Verdict::default(), 0.0_f64);
    run(model, n, |_, o| {
        verdict.look_at_tolerance(o, 1e-10);
        work += o.touches.iter().map(|t| t.work.normal).sum::<f64>();
    });
    (work, verdict.joint_rounding)
}

/// The stack, solved to 1e-10 only: the work of the contacts is below what the laws leave by their tolerance, which the verdict takes for nothing, and that is nothing beside p V of a step.
#[test]
fn the_work_of_a_stack_at_rest_is_what_the_tolerance_leaves() {
    let model = stack();
    for n in [1, 10, 200] {
        let (work, nothing) = work_of_contacts(&model, n);
        assert!(work.abs() <= nothing, "{n}: {work:e} {nothing:e}");
        // The bodies weigh 1500 kg; W of a corner is up to 4/m of a block.
        let step = 1500.0 * (9.81 * 1e-3_f64).powi(2);
        assert!(nothing < n as f64 * 10.0 * 1e-10 * step, "{n}: {nothing:e}");
    }
}

/// Restitution that gives every contact a part of its free velocity upwards: it creates energy at rest, and holds by its own statement.
struct Lifting {
    part: f64,
    law: Restitution,
}

impl<const D: usize> ContactLaw<D> for Lifting {
    fn derive(
        &self,
        x: &ContactInput<D>,
        step: &StepTimes,
        z: &[f64],
        iterate: Option<&ContactSolution<D>>,
    ) -> Derived<D> {
        let mut derived = self.law.derive(x, step, z, iterate);
        derived.v_shift[0] -= self.part * x.v_free.norm();
        derived
    }

    fn violation(&self, x: &ContactInput<D>, out: &ContactSolution<D>, step: &StepTimes, z: &[f64]) -> f64 {
        let mut less = *out;
        less.velocity[0] -= self.part * x.v_free.norm();
        self.law.violation(x, &less, step, z)
    }
}

/// A law that lifts resting bodies by 10⁻⁸ of g h in every step, a hundred times the tolerance of the solver, does work beyond what the verdict takes for nothing.
#[test]
fn a_law_that_creates_energy_at_rest_is_not_taken_for_nothing() {
    let mut model = std::sync::Arc::into_inner(stack()).unwrap();
    model.pairs[0].law =
        std::sync::Arc::new(Lifting { part: 1e-8, law: Restitution { friction: 0.5, ..Restitution::default() } });
    let (work, nothing) = work_of_contacts(&std::sync::Arc::new(model), 100);
    // p 10⁻⁸ V of 1500 kg, half of it in the mean of the velocities before and after the first step.
    let lifted = 100.0 * 1e-8 * 1500.0 * (9.81 * 1e-3_f64).powi(2);
    assert!(work > 0.5 * lifted && work < 2.0 * lifted, "{work:e} {lifted:e}");
    assert!(work > 5.0 * nothing, "{work:e} {nothing:e}");
}

/// A ball of a gram on the ground of a continent, which gravity pulls too: what a load and a support cancel leaves its rounding, and the momentum of the ground is judged by that.
#[test]
fn a_small_ball_rests_on_a_large_body_that_is_held() {
    let model = made::<2>(
        "step: 1e-3, bodies: [(name: \"ground\", rigid: true, inertia: (density: 1000.0), mesh: Rectangle(corner: (-1e6, -1e6), size: (2e6, 1e6), cells: (1, 1))), \
         (name: \"ball\", mesh: Round(centre: (0, 1e-3), radius: 1e-3), inertia: (mass: 1e-3))], \
         motions: [(body: \"ground\", x: 0.0, y: 0.0, spin: 0.0)], loads: [Gravity(acceleration: (0, -9.81))], \
         contacts: [(name: \"c\", candidates: (body: \"ball\"), antagonists: Surface(body: \"ground\"), law: Restitution(friction: 0.5))]",
    );
    run(&model, 50, |k, o| {
        let force: f64 = o.touches.iter().map(|t| t.impulse[0]).sum();
        close(force / (1e-3 * 9.81 * 1e-3), 1.0, 1e-9, &format!("weight, step {k}"));
    });
}
