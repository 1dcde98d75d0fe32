//! Detection among very many rigid bodies of very different sizes.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails by panicking")]

use std::time::Instant;

use delassus_sim::engine::Engine;

use super::rigid::made;

/// Balls in a row of small ones beside large ones, a hundred times as large: each touches its neighbours. The number of contacts is that of neighbours, and the time of a detection grows as the number of bodies.
fn detected(n: usize) -> (usize, f64) {
    let large = n / 100;
    let model = made::<2>(&format!(
        "step: 0.001, bodies: [\
         (name: \"s\", mesh: Round(centre: (0, 0.01), radius: 0.01), inertia: (density: 10.0), copies: (count: {n}, translation: (0.02, 0))), \
         (name: \"l\", mesh: Round(centre: (0, 1.02), radius: 1.0), inertia: (density: 10.0), copies: (count: {large}, translation: (2, 0)))], \
         contacts: [(name: \"ss\", candidates: (body: \"s\"), antagonists: Surface(body: \"s\"), law: Restitution(friction: 0.5)), \
         (name: \"sl\", candidates: (body: \"s\"), antagonists: Surface(body: \"l\"), law: Restitution(friction: 0.5)), \
         (name: \"ll\", candidates: (body: \"l\"), antagonists: Surface(body: \"l\"), law: Restitution(friction: 0.5))]"
    ));
    let mut engine = Engine::new(&model).unwrap();
    let start = engine.start().unwrap();
    let q = model.contact_configuration(&start, model.h);
    let begin = Instant::now();
    let contacts = engine.detect(&q, &start, model.h).unwrap().contacts;
    let seconds = begin.elapsed().as_secs_f64();
    // Every neighbour touches; nothing else is near.
    let touching = contacts.iter().filter(|c| c.gap < 1e-9).count();
    assert!(touching >= n - 1 + large - 1, "{touching} of {n}");
    (contacts.len(), seconds)
}

/// All neighbours are found, and no more than a few a body are looked at.
#[test]
fn small_balls_beside_large_ones() {
    let (contacts, _) = detected(400);
    assert!(contacts < 3 * 400, "{contacts}");
}

/// Time and memory by number of bodies; printed, since tests assert no times. A case has at most 10⁵ bodies.
#[test]
#[ignore = "measures: a minute"]
#[expect(clippy::print_stdout, reason = "times are there to be read, not to be asserted")]
fn detection_by_number_of_bodies() {
    let mut last: Option<(usize, f64)> = None;
    for n in [1000, 10_000, 99_000] {
        let (contacts, seconds) = detected(n);
        let peak = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let peak = peak.lines().find(|l| l.starts_with("VmHWM")).unwrap_or("VmHWM: ?").to_owned();
        let order = last.map_or(f64::NAN, |(m, t)| (seconds / t).ln() / (n as f64 / m as f64).ln());
        println!(
            "{n} bodies: {contacts} contacts, {:.1} us a body, exponent {order:.2}, {peak}",
            1e6 * seconds / n as f64
        );
        assert!(contacts < 3 * n, "{contacts}");
        last = Some((n, seconds));
    }
}
