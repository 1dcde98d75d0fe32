//! A simulation in memory is the run of the same case, to the last bit, and an error leaves it as it was.

use std::path::Path;
use std::sync::mpsc::channel;
use std::thread;

use delassus_case::load::Loaded;
use delassus_error::{Coded, Failure, Interrupt};
use delassus_mesh::vtk::read_vtu;
use serde_json::json;

use super::*;
use crate::judgement::Word;
use crate::run::{RunOptions, Silent, run_case};

/// A block that slides along a plank towards a wall: 20 steps.
const BLOCK: &str = include_str!("../../../delassus-cli/tests/data/block.ron");

/// So few sweeps that whole steps fail, and halves of them do not.
const CUT: &str = "solver=Nlgs(tolerance: 1e-9, max_iterations: 2, fallback: [], on_failure: CutStep(halvings: 8))";

fn block(settings: &[&str]) -> Loaded {
    let settings: Vec<String> = settings.iter().map(|s| (*s).to_owned()).collect();
    Loaded::from_text(Path::new("block.ron"), BLOCK.to_owned(), &settings).unwrap()
}

fn shipped(name: &str, settings: &[&str]) -> Loaded {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../cases/{name}.ron"));
    let settings: Vec<String> = settings.iter().map(|s| (*s).to_owned()).collect();
    Loaded::read(&path, &settings).unwrap()
}

fn bits(history: &History) -> Vec<Vec<u64>> {
    history.rows().iter().map(|row| row.iter().map(|x| x.to_bits()).collect()).collect()
}

/// All that a simulation says of itself: NaN equals NaN.
fn told(simulation: &Simulation) -> String {
    let contacts = simulation.contacts();
    let of_end = json!([simulation.verdict(), simulation.numbers(), simulation.verification()]);
    let (hash, rows) = (simulation.state_hash(), bits(simulation.history()));
    format!("{hash} {:?} {contacts:?} {of_end} {rows:?}", simulation.ledger())
}

fn code(result: Result<(), RunError>) -> &'static str {
    result.unwrap_err().code().as_str()
}

/// The simulation against the run: state, rows, verdict, and the fields of the last frame, which went through a file.
fn is_the_run_of(loaded: &Loaded) {
    let dir = tempfile::tempdir().unwrap();
    let summary =
        run_case(loaded, &RunOptions { out: Some(dir.path().to_owned()), ..RunOptions::default() }, &mut Silent)
            .unwrap();
    let mut simulation = Simulation::new(loaded).unwrap();
    assert_eq!(simulation.verdict().word, Word::Unfinished);
    simulation.run().unwrap();
    assert_eq!(simulation.state_hash(), summary.state_hash);
    assert_eq!(simulation.history().names(), summary.history.names());
    assert_eq!(bits(simulation.history()), bits(&summary.history));
    assert_eq!(simulation.verdict(), summary.judgement);
    assert_eq!(json!(simulation.numbers()), json!(summary.verdict));
    assert_eq!(json!(simulation.verification()), json!(summary.verification));
    let frame = std::fs::read(dir.path().join(format!("fields/fields_{:06}.vtu", summary.steps))).unwrap();
    let frame = read_vtu(&frame).unwrap();
    let written = |name: &str| -> Vec<u64> {
        let field = frame.point_fields.iter().chain(&frame.cell_fields).find(|f| f.name == name).unwrap();
        field.values.iter().map(|x| x.to_bits()).collect()
    };
    let all = |of: &dyn Fn(&str) -> Vec<f64>| -> Vec<u64> {
        simulation.body_names().into_iter().flat_map(of).map(f64::to_bits).collect()
    };
    assert_eq!(all(&|b| simulation.displacements(b).unwrap().concat()), written("displacement"));
    assert_eq!(all(&|b| simulation.velocities(b).unwrap().concat()), written("velocity"));
    assert_eq!(all(&|b| simulation.stresses(b).unwrap().concat()), written("stress"));
}

#[test]
fn it_is_the_run_of_shipped_cases_in_the_plane_and_in_space() {
    is_the_run_of(&shipped("bars-impact", &["duration=5e-5"]));
    is_the_run_of(&shipped("sliding-block", &["duration=1e-3"]));
    is_the_run_of(&shipped("block-slide-3d", &["duration=1e-3"]));
}

#[test]
fn it_is_the_run_of_a_case_whose_steps_are_cut() {
    is_the_run_of(&block(&[CUT]));
}

/// Positions, contacts and energies against identities.
#[test]
fn what_is_seen_of_a_state() {
    let mut simulation = Simulation::new(&block(&[])).unwrap();
    assert_eq!(simulation.body_names(), ["block", "plank"]);
    assert_eq!((simulation.steps_done(), simulation.n_steps(), simulation.contacts().len()), (0, 20, 0));
    let at_rest = simulation.positions("block").unwrap();
    simulation.run_until(1.05e-3).unwrap();
    // The first step that reaches it.
    assert_eq!(simulation.steps_done(), 11);
    simulation.run_until(1.1e-3).unwrap();
    assert_eq!(simulation.steps_done(), 11);
    let (positions, moved) = (simulation.positions(0).unwrap(), simulation.displacements("block").unwrap());
    for ((x, x0), u) in positions.iter().zip(&at_rest).zip(&moved) {
        assert!((0..3).all(|i| (x[i] - (x0[i] + u[i])).abs() <= 0.0) && x[2].abs() <= 0.0, "{x:?} {x0:?} {u:?}");
    }
    // The forces of the contacts are those of the history; rounding of a few sums.
    let row = simulation.history().rows().last().unwrap();
    let column = |name: &str| row[simulation.history().names().iter().position(|n| n == name).unwrap()];
    let contacts = simulation.contacts();
    let slide: Vec<&ContactState> = contacts.iter().filter(|c| c.pair == "slide").collect();
    assert_eq!(slide.len(), 5);
    let force = |axis: usize| slide.iter().map(|c| c.world_impulse[axis] / c.step_length).sum::<f64>();
    let size = column("slide.force_y");
    assert!(size > 0.0, "{size}");
    for (axis, name) in [(0, "slide.force_x"), (1, "slide.force_y")] {
        assert!((force(axis) - column(name)).abs() < 1e-13 * size, "{name}: {} {}", force(axis), column(name));
    }
    for c in &contacts {
        // Local axes are world axes turned: lengths stay, and the first is the normal.
        let dot = |a: &[f64; 3], b: &[f64; 3]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
        assert!((dot(&c.normal, &c.normal) - 1.0).abs() < 1e-14);
        assert!((dot(&c.world_impulse, &c.normal) - c.impulse[0]).abs() <= 1e-14 * c.impulse[0].abs());
        assert!((dot(&c.world_velocity, &c.world_velocity) - dot(&c.velocity, &c.velocity)).abs() < 1e-14);
    }
    let (wall, first) = (contacts.iter().find(|c| c.pair == "stop").unwrap(), slide[0]);
    assert_eq!((first.candidate.as_str(), first.antagonist.as_deref()), ("block", Some("plank")));
    assert_eq!((wall.candidate.as_str(), &wall.antagonist, wall.normal), ("block", &None, [-1.0, 0.0, 0.0]));
    let ledger = simulation.ledger();
    assert!((ledger.kinetic - column("kinetic_energy")).abs() <= 0.0 && ledger.relative_residual() < 1e-12);
}

#[test]
fn a_body_that_is_not_there_is_told_with_the_nearest_name() {
    let simulation = Simulation::new(&block(&[])).unwrap();
    let near = simulation.positions("blok").unwrap_err();
    assert_eq!((near.code().as_str(), near.exit_code()), ("E0845", 2));
    assert_eq!(near.to_string(), "there is no body `blok`; did you mean `block`?");
    let far = simulation.stresses(&"something else".to_owned()).unwrap_err();
    assert_eq!(far.to_string(), "there is no body `something else`; there are 2: `block`, `plank`");
    let beyond = simulation.velocities(2).unwrap_err();
    assert!(beyond.to_string().starts_with("there is no body number 2, counted from 0; there are 2"), "{beyond}");
}

#[test]
fn there_is_no_step_beyond_the_end() {
    let mut simulation = Simulation::new(&block(&["duration=2e-4"])).unwrap();
    simulation.run().unwrap();
    let end = told(&simulation);
    let error = simulation.step().unwrap_err();
    assert_eq!((error.code().as_str(), error.exit_code()), ("E0844", 2));
    assert!(error.to_string().contains("all 2 steps to t = 2e-4 s are done"), "{error}");
    simulation.run().unwrap();
    assert_eq!(told(&simulation), end);
}

#[test]
fn a_case_that_is_refused_makes_no_simulation() {
    let error = Simulation::new(&block(&["dimension=4"])).err().unwrap();
    assert!(matches!(error, RunError::Case(_)), "{error}");
    let overlapping = block(&["bodies.plank.mesh.corner=(0.0, 0.02)"]);
    assert_eq!(Simulation::new(&overlapping).err().unwrap().code(), "E0551");
}

/// Saved at the start, in the middle and at the end, restored in another simulation: all is the same, now and at the end.
#[test]
fn a_restored_simulation_goes_on_with_the_same_bits() {
    for loaded in
        [block(&[CUT]), shipped("bars-impact", &["duration=5e-5"]), shipped("block-slide-3d", &["duration=6e-4"])]
    {
        let mut straight = Simulation::new(&loaded).unwrap();
        straight.run().unwrap();
        let mut first = Simulation::new(&loaded).unwrap();
        for stop in [0, 3, first.n_steps()] {
            while first.steps_done() < stop {
                first.step().unwrap();
            }
            let saved = first.save().unwrap();
            let mut second = Simulation::new(&loaded).unwrap();
            // From somewhere else.
            second.run_until(2.0 * straight.time() / 3.0).unwrap();
            second.restore(&saved).unwrap();
            assert!(second.save().unwrap() == saved, "{}: saved again", stop);
            assert_eq!(told(&second), told(&first));
            second.run().unwrap();
            assert_eq!(told(&second), told(&straight));
        }
    }
}

#[test]
fn bytes_that_are_not_its_own_are_refused_and_nothing_changes() {
    let mut simulation = Simulation::new(&block(&[])).unwrap();
    simulation.step().unwrap();
    let saved = simulation.save().unwrap();
    simulation.step().unwrap();
    let before = told(&simulation);
    let mut refused = |bytes: &[u8], code: &str, says: &str| {
        let error = simulation.restore(bytes).unwrap_err();
        assert_eq!(error.code(), code, "{error}");
        assert!(error.to_string().contains(says), "no `{says}` in {error}");
        assert_eq!(told(&simulation), before);
    };
    for k in (0..saved.len()).step_by(saved.len() / 50) {
        let mut other = saved.clone();
        other[k] ^= 4;
        refused(&other, "E0847", "damaged");
        refused(&saved[..k], "E0847", "damaged");
    }
    let longer = [&saved[..], &[0]].concat();
    refused(&longer, "E0847", "its checksum");
    refused(b"DelassusCheckpt\n", "E0847", "it does not begin like a saved simulation");
    let mut other = Simulation::new(&block(&["duration=1e-3"])).unwrap();
    other.step().unwrap();
    refused(&other.save().unwrap(), "E0848", "the text of the case");
    assert_eq!(simulation.restore(&saved).map_err(|e| e.to_string()), Ok(()));
}

/// A block that falls at 3 m/s and reaches the floor in the last part of its second step of 4 ms, with too few sweeps to solve the impact.
const FALL: &str = r#"(
    title: "A block falls on a floor",
    kinematics: SmallStrain,
    materials: [(name: "soft", density: 1000, law: KelvinVoigt(young: 1e7, poisson: 0.45))],
    bodies: [(name: "block", mesh: Rectangle(corner: (0, 0.0195), size: (1, 0.5), cells: (8, 4)), material: "soft", velocity: (1, -3))],
    obstacles: [(name: "floor", shape: HalfPlane(point: (0, 0), normal: (0, 1)))],
    contacts: [(name: "floor", candidates: (body: "block", group: "bottom"), antagonists: Obstacle("floor"),
                law: SignoriniCoulomb(friction: 0.5))],
    integrator: ThetaEuler(theta: 0.55), step: 4e-3, duration: 2e-2,
    solver: Nlgs(tolerance: 1e-8, max_iterations: 4, fallback: [], on_failure: CutStep(halvings: 3)),
)"#;

/// A nominal step that is given up after parts of it had been accepted leaves nothing, whatever observers have seen of it.
#[test]
fn a_step_that_fails_leaves_the_state_as_it_was() {
    let loaded = Loaded::from_text(Path::new("fall.ron"), FALL.to_owned(), &[]).unwrap();
    let mut simulation = Simulation::new(&loaded).unwrap();
    let (tell, seen) = channel();
    simulation.observe(Box::new(move |state: &StateView<'_>| {
        tell.send(state.time()).map_err(|e| ObserverError::because(e.to_string()))
    }));
    simulation.step().unwrap();
    let (before, saved) = (told(&simulation), simulation.save().unwrap());
    // Twice: the same error, from the same state.
    for _ in 0..2 {
        let error = simulation.step().unwrap_err();
        assert_eq!((error.code().as_str(), error.exit_code()), ("E0701", 4), "{error}");
        assert!(error.to_string().starts_with("step 4 at t = 6.5"), "two parts were accepted: {error}");
        assert!(!error.to_string().contains("last good state"), "there is no folder: {error}");
        assert_eq!(told(&simulation), before);
        assert!(simulation.save().unwrap() == saved);
    }
    assert_eq!((simulation.steps_done(), simulation.history().rows().len(), simulation.numbers().cuts), (1, 2, 0));
    let seen: Vec<f64> = seen.try_iter().collect();
    let times = [4e-3, 6e-3, 6.5e-3, 6e-3, 6.5e-3];
    assert!(seen.len() == 5 && seen.iter().zip(times).all(|(t, e)| (t - e).abs() < 1e-15), "{seen:?}");
}

/// Interrupted at any look, halves of steps included; with a new interrupt it goes on to the same end.
#[test]
fn an_interrupted_step_leaves_the_state_as_it_was() {
    let loaded = block(&[CUT]);
    let all = Interrupt::at_look(usize::MAX);
    let mut straight = Simulation::new(&loaded).unwrap();
    straight.heed(&all);
    straight.run().unwrap();
    assert!(straight.numbers().cuts > 3);
    for part in 0..12 {
        let mut simulation = Simulation::new(&loaded).unwrap();
        simulation.heed(&Interrupt::at_look(all.looks() * part / 12));
        let error = loop {
            let before = told(&simulation);
            if let Err(error) = simulation.step() {
                assert_eq!(told(&simulation), before);
                break error;
            }
        };
        assert_eq!((error.code().as_str(), error.exit_code()), ("E0846", 130), "{error}");
        let stands = format!("after step {} of 20", simulation.steps_done());
        assert!(error.to_string().contains(&stands), "no `{stands}` in {error}");
        assert_eq!(code(simulation.step()), "E0846", "it stays raised");
        simulation.heed(&Interrupt::never());
        simulation.run().unwrap();
        assert_eq!(told(&simulation), told(&straight));
    }
    // From another thread, by the handle.
    let mut simulation = Simulation::new(&loaded).unwrap();
    let handle = simulation.interrupt();
    thread::spawn(move || handle.raise()).join().unwrap();
    assert_eq!((code(simulation.run()), simulation.steps_done()), ("E0846", 0));
}

#[test]
fn observers_see_every_accepted_step_and_may_stop() {
    let mut simulation = Simulation::new(&block(&[])).unwrap();
    let (tell, seen) = channel();
    simulation.observe(Box::new(move |state: &StateView<'_>| {
        let height = state.positions("block")?.iter().map(|x| x[1]).fold(f64::INFINITY, f64::min);
        tell.send((state.step(), state.time(), state.is_output(), height, state.contacts().len()))
            .map_err(|e| ObserverError::because(e.to_string()))
    }));
    simulation.observe(Box::new(
        |state: &StateView<'_>| {
            if state.step() == 8 { Err(ObserverError::because("far enough")) } else { Ok(()) }
        },
    ));
    for _ in 0..7 {
        simulation.step().unwrap();
    }
    let before = told(&simulation);
    let error = simulation.run().unwrap_err();
    assert_eq!((error.code().as_str(), error.exit_code()), ("E0843", 4));
    assert_eq!(error.to_string(), "an observer stopped the run: far enough");
    assert_eq!((simulation.steps_done(), told(&simulation)), (7, before));
    let seen: Vec<_> = seen.try_iter().collect();
    assert_eq!(seen.len(), 8, "the one that stops comes after the one that looks");
    for (k, (step, time, is_output, height, contacts)) in seen.into_iter().enumerate() {
        assert_eq!((step, is_output), (k + 1, (k + 1) % 5 == 0));
        assert!((time - 1e-4 * (k + 1) as f64).abs() < 1e-15 && (height - 0.1).abs() < 1e-3 && contacts == 8);
    }
    // Whatever an observer fails with has its own code.
    let mut other = Simulation::new(&block(&[])).unwrap();
    other.observe(Box::new(|state: &StateView<'_>| Ok(state.positions("blo").map(drop)?)));
    assert_eq!(code(other.step()), "E0845");
}

/// Two at once, in pools of one thread and of three: the same bits.
#[test]
fn simulations_run_on_any_thread_and_side_by_side() {
    fn is_free<T: Send + 'static>() {}
    is_free::<Simulation>();
    let run = |threads: usize| {
        thread::spawn(move || {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut simulation = Simulation::new(&block(&[])).unwrap();
                simulation.run().unwrap();
                simulation
            })
        })
    };
    let (one, other) = (run(1), run(3));
    assert_eq!(told(&one.join().unwrap()), told(&other.join().unwrap()));
}

/// A crank whose joints create energy in long steps: some (hω)²/12 of it, ω = 10 rad/s. The same case passes with short ones, by their real small value.
#[test]
fn joints_that_create_energy_are_not_passed() {
    for (step, word) in [("0.002", Word::Pass), ("0.01", Word::Doubtful), ("0.05", Word::Failed)] {
        let crank = shipped("slider-crank", &[&format!("step={step}"), "duration=0.7", "verify=None"]);
        let mut simulation = Simulation::new(&crank).unwrap();
        simulation.run().unwrap();
        let verdict = simulation.verdict();
        assert_eq!(verdict.word, word, "{step}: {verdict:?}");
        let joints = verdict.findings.iter().filter(|f| f.topic == crate::judgement::Topic::Joints).count();
        assert_eq!(joints, usize::from(word != Word::Pass), "{step}: {verdict:?}");
        // The ledger closes all the same: the line is known, and wrong.
        assert!(simulation.numbers().energy_residual < 1e-12);
    }
}

/// Joints, rigid bodies and both beside a deformable one: the same bits on one, two and eight threads, and from a state saved on the way.
#[test]
fn joints_and_rigid_bodies_have_the_same_bits_on_any_threads_and_after_restoring() {
    for (name, settings) in [
        ("slider-crank", ["step=0.002", "duration=0.08", "verify=None"]),
        ("disks-on-beam", ["step=0.0001", "duration=0.002", "verify=None"]),
        ("newton-cradle", ["step=0.0001", "duration=0.004", "verify=None"]),
    ] {
        let loaded = shipped(name, &settings);
        let whole = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut simulation = Simulation::new(&loaded).unwrap();
                simulation.run().unwrap();
                told(&simulation)
            })
        };
        let one = whole(1);
        assert!(whole(2) == one && whole(8) == one, "{name}: threads");
        let mut first = Simulation::new(&loaded).unwrap();
        for _ in 0..13 {
            first.step().unwrap();
        }
        let mut second = Simulation::new(&loaded).unwrap();
        second.restore(&first.save().unwrap()).unwrap();
        second.run().unwrap();
        assert!(told(&second) == one, "{name}: restored");
    }
}
