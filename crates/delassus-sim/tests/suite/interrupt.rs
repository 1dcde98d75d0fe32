//! Someone asks to stop in the middle of a step, or of the search for an equilibrium: it ends there, without a trace.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails by panicking")]

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use delassus_case::Loaded;
use delassus_error::{Coded, Failure, Interrupt};
use delassus_sim::engine::Engine;
use delassus_sim::observer::{Frame, Observer, ObserverError};
use delassus_sim::snapshot::Snapshot;
use delassus_sim::start::Start;
use delassus_sim::step::step;
use delassus_sim::stepper::{FailureReason, Standing, Stepper};
use delassus_sim::timings::Timings;
use delassus_sim::{Model, SimError};

/// Two blocks on each other and on the floor, the upper one of moving geometry: factors, panels, a contact problem in each Newton iteration.
fn model() -> Arc<Model<2>> {
    let text = "(title: \"t\", kinematics: SmallStrain, materials: [(name: \"m\", density: 1000.0, law: Maxwell(young: 1e7, poisson: 0.3))],
        bodies: [(name: \"a\", mesh: Rectangle(corner: (0.1, 0.5), size: (0.8, 0.5), cells: (3, 2)), material: \"m\",
                  kinematics: UpdatedGeometry(rate: GreenNaghdi)),
                 (name: \"b\", mesh: Rectangle(corner: (0, 0), size: (1, 0.5), cells: (3, 2)), material: \"m\")],
        obstacles: [(name: \"floor\", shape: HalfPlane(point: (0, 0), normal: (0, 1)))],
        contacts: [(name: \"ab\", candidates: (body: \"a\", group: \"bottom\"), antagonists: Surface(body: \"b\", group: \"top\"),
                    law: SignoriniCoulomb(friction: 0.3)),
                   (name: \"floor\", candidates: (body: \"b\", group: \"bottom\"), antagonists: Obstacle(\"floor\"),
                    law: SignoriniCoulomb(friction: 0.3))],
        loads: [Gravity(acceleration: (0, -9.81))], start: Equilibrium,
        integrator: Theta(theta: 0.6), step: 1e-3, duration: 1.0)";
    Loaded::from_text(Path::new("t.ron"), text.to_owned(), &[]).and_then(|l| l.model()).unwrap()
}

fn is_interrupted(e: &SimError) -> bool {
    matches!(e, SimError::Interrupted(_)) && e.exit_code() == 130 && e.code().as_str() == "E0720"
}

/// The looks to try: all of a few, else some of each part.
fn some_of(looks: usize) -> impl Iterator<Item = usize> {
    (0..looks).step_by((looks / 60).max(1))
}

#[test]
fn a_step_ends_at_any_look_and_leaves_no_trace() {
    let model = model();
    let from = Engine::new(&model).unwrap().start().unwrap();
    let stepped = |interrupt: &Interrupt, from: &Snapshot| {
        let mut engine = Engine::new(&model).unwrap().heeding(interrupt);
        step(&mut engine, &mut Timings::default(), from, model.h).map(|outcome| outcome.snapshot)
    };
    let all = Interrupt::at_look(usize::MAX);
    let whole = stepped(&all, &from).unwrap();
    // Analysis and factor of two bodies, panels, blocks of W, sweeps, iterations.
    assert!(all.looks() > 60, "{}", all.looks());
    for look in some_of(all.looks()) {
        let interrupt = Interrupt::at_look(look);
        assert!(is_interrupted(&stepped(&interrupt, &from).unwrap_err()), "look {look}");
        // Blocks of W are looked at one by one, and bodies side by side.
        assert!(interrupt.looks() - look <= 150, "{} looks after number {look}", interrupt.looks() - look);
    }
    let again = stepped(&Interrupt::never(), &from).unwrap();
    assert!(again.states == whole.states && again.impulses == whole.impulses);
}

#[test]
fn an_engine_that_was_interrupted_can_be_used_again() {
    let model = model();
    let from = Engine::new(&model).unwrap().start().unwrap();
    let mut engine = Engine::new(&model).unwrap().heeding(&Interrupt::at_look(40));
    let first = step(&mut engine, &mut Timings::default(), &from, model.h).unwrap_err();
    assert!(is_interrupted(&first));
    let mut engine = engine.heeding(&Interrupt::never());
    let later = step(&mut engine, &mut Timings::default(), &from, model.h).unwrap();
    let mut fresh = Engine::new(&model).unwrap();
    let straight = step(&mut fresh, &mut Timings::default(), &from, model.h).unwrap();
    assert_eq!(later.snapshot.states, straight.snapshot.states);
}

#[test]
fn the_search_for_an_equilibrium_ends_at_any_look() {
    let model = model();
    let found = |interrupt: &Interrupt| Start::find(&mut Engine::new(&model).unwrap().heeding(interrupt));
    let all = Interrupt::at_look(usize::MAX);
    let steps = found(&all).unwrap().equilibrium.unwrap().steps;
    assert!(steps > 1 && all.looks() > 100, "{steps} steps, {} looks", all.looks());
    for look in some_of(all.looks()) {
        let interrupt = Interrupt::at_look(look);
        let Err(e) = found(&interrupt) else { panic!("look {look} of {} was not heard", all.looks()) };
        assert!(is_interrupted(&e) && interrupt.looks() - look <= 150, "{e}");
    }
}

/// Counts what it is shown, and fails at a step.
struct Counter {
    seen: Arc<AtomicUsize>,
    fails_at: usize,
}

impl Observer<2> for Counter {
    fn observe(&mut self, frame: &Frame<'_, 2>) -> Result<(), ObserverError> {
        self.seen.fetch_add(1, Ordering::Relaxed);
        if frame.step == self.fails_at { Err(ObserverError::because("no more")) } else { Ok(()) }
    }
}

/// Whatever ends a nominal step, the stepper stands where it stood; all observers see what is accepted, in their order.
#[test]
fn a_stepper_is_in_the_state_before_a_step_that_was_not_done() {
    let model = model();
    let mut engine = Engine::new(&model).unwrap();
    let start = Start::find(&mut engine).unwrap().snapshot;
    let mut stepper = Stepper::new(engine, start, Timings::default());
    let [first, second] = [(); 2].map(|()| Arc::new(AtomicUsize::new(0)));
    let counter = |seen: &Arc<AtomicUsize>, fails_at| -> Box<dyn Observer<2>> {
        Box::new(Counter { seen: Arc::clone(seen), fails_at })
    };
    let mut observers = vec![counter(&first, usize::MAX), counter(&second, 3)];
    stepper.show(true, &mut observers).unwrap();
    stepper.step(false, &mut observers).unwrap();
    stepper.step(false, &mut observers).unwrap();
    let stands = |stepper: &Stepper<2>| {
        let Standing { done, step, snapshot, ledger, verdict, last } = stepper.now();
        let h = last.as_ref().map(|l| l.outcome.h);
        (*done, *step, snapshot.states.clone(), *ledger, serde_json::to_string(verdict).unwrap(), h)
    };
    let before = stands(&stepper);
    let failure = stepper.step(false, &mut observers).unwrap_err();
    assert!(matches!(failure.reason, FailureReason::Observer(_)) && failure.step == 3, "{failure}");
    assert!(failure.to_string().ends_with("an observer stopped the run: no more"), "{failure}");
    assert_eq!(stands(&stepper), before);
    stepper.heed(&Interrupt::at_look(30));
    let failure = stepper.step(false, &mut observers).unwrap_err();
    assert!(matches!(failure.reason, FailureReason::Interrupted(_)), "{failure}");
    assert_eq!(stands(&stepper), before);
    assert_eq!([first, second].map(|seen| seen.load(Ordering::Relaxed)), [4, 4]);
    // What led here is found again from the state before it.
    let last = Arc::clone(stepper.now().last.as_ref().unwrap());
    stepper.heed(&Interrupt::never());
    let again = stepper.retrace(Arc::clone(&last.from), last.outcome.h).unwrap();
    assert_eq!(again.outcome.snapshot.states, stepper.now().snapshot.states);
    assert_eq!(stands(&stepper), before);
    // Without observers it goes on.
    stepper.step(false, &mut Vec::new()).unwrap();
    assert_eq!((stepper.now().done, stepper.now().step), (3, 3));
}
