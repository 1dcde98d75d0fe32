//! The shipped cases of rigid bodies, stepped here as a run steps them: every step is accepted, and what their `verify` blocks check is close to its reference.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails by panicking")]

use std::path::Path;
use std::sync::Arc;

use delassus_case::Loaded;
use delassus_case::lower::Generate;
use delassus_sim::Model;
use delassus_sim::snapshot::Snapshot;
use delassus_sim::space::Dimension;
use delassus_sim::step::step;
use delassus_sim::timings::Timings;
use delassus_sim::{engine::Engine, outcome::Outcome};

fn shipped<const D: usize>(name: &str) -> Arc<Model<D>>
where
    Dimension<D>: Generate<D>,
{
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases").join(format!("{name}.ron"));
    let text = std::fs::read_to_string(&file).unwrap();
    Loaded::from_text(&file, text, &[]).unwrap().model::<D>().unwrap()
}

fn run<const D: usize>(model: &Arc<Model<D>>, mut look: impl FnMut(f64, &Outcome<D>)) -> Snapshot
where
    Dimension<D>: Generate<D>,
{
    let mut engine = Engine::new(model).unwrap();
    let mut snapshot = engine.start().unwrap();
    for k in 0..model.n_steps {
        let outcome = step(&mut engine, &mut Timings::default(), &snapshot, model.h).unwrap();
        assert!(outcome.is_accepted(model.solver_options.tolerance), "step {k}: {}", outcome.description());
        look(model.h * (k + 1) as f64, &outcome);
        snapshot = outcome.snapshot;
    }
    snapshot
}

fn close(found: f64, exact: f64, tolerance: f64, what: &str) {
    assert!((found - exact).abs() <= tolerance, "{what}: {found}, not {exact}");
}

#[test]
fn the_top_precesses() {
    let model = shipped::<3>("top");
    let rigid = model.bodies[0].body.rigid().unwrap();
    let (w, radius) = (1.123_417_419_176, 0.119_856_384_651_050_75);
    let mut worst = [0.0_f64; 2];
    run(&model, |t, o| {
        // The end of the axle is node 1, after the centre.
        let s = &o.snapshot.states[0];
        let tip = rigid.pose(&s.q).rotation * rigid.arm(1);
        worst[0] = worst[0].max((tip[0] - radius * (w * t).cos()).abs()).max((tip[1] - radius * (w * t).sin()).abs());
        worst[1] = worst[1].max((tip[2] - rigid.arm(1)[2]).abs());
    });
    assert!(worst[0] < 1e-3 * 2.0 * radius && worst[1] < 1e-4 * 0.25, "{worst:?}");
}

#[test]
fn the_block_rocks_as_housner_says() {
    let model = shipped::<2>("rocking-rigid");
    let mut speeds = [0.0_f64; 5];
    run(&model, |t, o| {
        let w = o.snapshot.states[0].v[2].abs();
        let windows = [(0.0, 1.0), (0.1675, 0.3), (0.35, 0.465), (0.63, 0.73), (0.87, 0.97)];
        for (s, (from, to)) in speeds.iter_mut().zip(windows) {
            if t >= from && t <= to {
                *s = s.max(w);
            }
        }
    });
    for (k, (found, exact)) in speeds.iter().zip([0.623_974, 0.568_917, 0.568_917, 0.518_719, 0.472_949]).enumerate() {
        close(found / exact, 1.0, 1e-2, &format!("speed {k}"));
    }
}

#[test]
fn balls_stop_by_their_resistance() {
    let model = shipped::<3>("rolling-resistance");
    let spin = |o: &Outcome<3>, k: usize| {
        let s = &o.snapshot.states[k];
        model.bodies[k].body.rigid().unwrap().spin(&s.q, &s.v)[2]
    };
    let runner = 1.094658611681316;
    let end = run(&model, |t, o| {
        let v = |k: usize| o.snapshot.states[k].v[0];
        close(v(0), (0.5 - t).max(0.0), 1e-10, "roller");
        close(spin(o, 1), (0.5 - t).max(0.0), 1e-10, "top");
        close(spin(o, 2), t.min(0.25), 1e-10, "passenger");
        close(v(3), 0.0, 1e-10, "sleeper");
        close(v(4), runner * t, 1e-10, "runner");
    });
    close(end.states[0].q[0], 0.125, 1e-10, "distance");
}

#[test]
fn the_cradle_swings_by_moreaus_law() {
    let model = shipped::<2>("newton-cradle");
    let end = run(&model, |_, _| {});
    let v = |k: usize| end.states[k].v[0];
    close(v(0), -4.0 / 3.0, 1e-9, "touching: the first");
    (1..6).for_each(|k| close(v(k), 2.0 / 3.0, 1e-9, "touching: the others"));
    (6..11).for_each(|k| close(v(k), 0.0, 1e-9, "apart: all but the last"));
    close(v(11), 2.0, 1e-9, "apart: the last");
}

#[test]
fn the_particle_is_confined() {
    let model = shipped::<3>("confined-particle");
    let (w, r) = ((9.81_f64 / 0.5).sqrt(), 0.75_f64.sqrt());
    let (mut worst, mut height) = (0.0_f64, 0.0_f64);
    run(&model, |t, o| {
        let q = &o.snapshot.states[0].q;
        worst = worst.max((q[0] - 0.5 * t - r * ((w * t).cos() - 1.0)).abs()).max((q[1] - r * (w * t).sin()).abs());
        height = height.max(q[2].abs());
    });
    assert!(worst < 2e-3 * 2.0 && height < 2e-3, "{worst} {height}");
}

#[test]
fn disks_sink_into_beams() {
    let model = shipped::<2>("disks-on-beam");
    let (mut laid, mut dropped) = (0.0_f64, 0.0_f64);
    run(&model, |_, o| {
        laid = laid.max(-o.snapshot.states[2].q[1]);
        dropped = dropped.max(-o.snapshot.states[3].q[1]);
    });
    close(laid / 0.003_077_397, 1.0, 2e-2, "laid down");
    close(dropped / 0.017_282_635, 1.0, 2e-2, "dropped");
}
