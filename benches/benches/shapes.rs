//! Detection between rigid shapes: the broad phase by number of bodies, and contacts by kind of pair.
//!
//! Bodies have sizes over three decades, so many small ones that each body has about six neighbours. A step moves each by a tenth of its size. `built` is
//! the search with a new tree, `refitted` that of the steps after.

use benches::table::Table;
use benches::timing::{Mode, is_wanted, measure};
use benches::{BenchResult, ensure, on_one_thread};
use delassus_contact::{Aabb, Vector};
use delassus_shapes::{BroadPhase, RigidShape, ShapePose, contacts};

/// Time given to each task \[s\].
const SECONDS: f64 = 1.0;

fn main() -> BenchResult {
    let mode = Mode::from_arguments();
    on_one_thread(move || {
        let mut table = Table::new(
            "Broad phase in space",
            &["bodies", "pairs", "a body", "built, ns a body", "refitted, ns a body"],
        );
        for n in mode.choose([10, 20, 100], [1000, 10_000, 100_000]) {
            if is_wanted(&format!("broad {n}")) {
                table.row(broad(mode, n)?);
            }
        }
        table.print()?;
        let mut table = Table::new("Contacts of a pair", &["pair", "contacts", "ns a pair"]);
        for (name, a, b, mut pose) in pairs()? {
            if is_wanted(&format!("contacts {name}")) {
                // Brought to touch along the normal of the least gap.
                let mut out = Vec::new();
                contacts((&a, &pose), (&b, &ShapePose::default()), 10.0, &mut out);
                if let Some(least) = out.iter().min_by(|c, d| c.gap.total_cmp(&d.gap)) {
                    pose.position -= least.normal * least.gap;
                }
                let time = measure(mode, SECONDS, || {
                    for _ in 0..100 {
                        out.clear();
                        contacts((&a, &pose), (&b, &ShapePose::default()), 1e-3, &mut out);
                    }
                });
                ensure(!out.is_empty(), || format!("{name} does not touch"))?;
                table.row(vec![name.to_owned(), out.len().to_string(), format!("{:.0}", time.min * 1e7)]);
            }
        }
        table.print()?;
        Ok(())
    })
}

/// splitmix64, uniform in [0, 1).
fn uniform(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let a = (*state ^ (*state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let b = (a ^ (a >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((b ^ (b >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}

fn broad(mode: Mode, n: usize) -> Result<Vec<String>, Box<dyn std::error::Error + Send + Sync>> {
    let mut state = 1;
    // The share of bodies larger than s falls as s⁻³, as in packings that fill space at every scale.
    let sizes: Vec<f64> =
        (0..n).map(|_| (1e-9 + (1.0 - 1e-9) * uniform(&mut state)).cbrt().recip().min(1000.0)).collect();
    let volume: f64 = sizes.iter().map(|s| s * s * s).sum();
    let side = (2.0 * volume).cbrt();
    let mut centres: Vec<Vector<3>> = (0..n).map(|_| Vector::<3>::from_fn(|_, _| side * uniform(&mut state))).collect();
    let mut steps: Vec<Vec<Aabb<3>>> = Vec::new();
    for _ in 0..8 {
        let half = |i: usize| Vector::<3>::repeat(0.5 * sizes[i]);
        steps.push((0..n).map(|i| Aabb { low: centres[i] - half(i), high: centres[i] + half(i) }).collect());
        for i in 0..n {
            centres[i] += Vector::<3>::from_fn(|_, _| 0.1 * sizes[i] * (uniform(&mut state) - 0.5));
        }
    }
    let mut found = Vec::new();
    let built = measure(mode, SECONDS, || BroadPhase::new().pairs(&steps[0], 0.1, |_, _| true, &mut found));
    let pairs = found.len();
    let mut phase = BroadPhase::new();
    phase.pairs(&steps[0], 0.1, |_, _| true, &mut found);
    let mut k = 0;
    let refitted = measure(mode, SECONDS, || {
        k = (k + 1) % steps.len();
        phase.pairs(&steps[k], 0.1, |_, _| true, &mut found);
    });
    if n <= 10_000 {
        let mut expected = Vec::new();
        BroadPhase::all_pairs(&steps[k], 0.1, |_, _| true, &mut expected);
        ensure(found == expected, || format!("{n} bodies have other pairs than all pairs"))?;
    }
    let each = |seconds: f64| format!("{:.0}", 1e9 * seconds / n as f64);
    let share = format!("{:.1}", 2.0 * pairs as f64 / n as f64);
    Ok(vec![n.to_string(), pairs.to_string(), share, each(built.min), each(refitted.min)])
}

type Pair = (&'static str, RigidShape<3>, RigidShape<3>, ShapePose<3>);

fn pairs() -> Result<Vec<Pair>, delassus_shapes::ShapeError> {
    let v = Vector::<3>::new;
    let (ball, block) = (RigidShape::ball(0.5)?, RigidShape::block(v(1.0, 1.0, 1.0))?);
    let capsule = RigidShape::capsule([v(-0.5, 0.0, 0.0), v(0.5, 0.0, 0.0)], 0.5)?;
    let wall = RigidShape::half_space(v(0.0, 0.0, 1.0))?;
    let ring = |i: usize, z: f64| {
        let angle = std::f64::consts::TAU * i as f64 / 12.0;
        v(0.5 * angle.cos(), 0.5 * angle.sin(), z)
    };
    let points: Vec<_> = (0..24).map(|i| ring(i % 12, if i < 12 { -0.5 } else { 0.5 })).collect();
    let mut faces: Vec<Vec<usize>> = vec![(0..12).rev().collect(), (12..24).collect()];
    faces.extend((0..12).map(|i| vec![i, (i + 1) % 12, 12 + (i + 1) % 12, 12 + i]));
    let prism = RigidShape::polyhedron(&points, &faces)?;
    let on_top = ShapePose::turned_about(v(0.1, 0.05, 1.0), v(0.0, 0.0, 0.3));
    let corner = ShapePose::turned_about(v(0.0, 0.0, 1.366), v(0.6, -0.6, 0.0));
    let edges = ShapePose::turned_about(v(0.0, 0.0, 1.5), v(0.0, 0.0, 1.0))
        .then(&ShapePose::turned_about(v(0.0, 0.0, 0.0), v(0.8, 0.0, 0.0)));
    let tilted = block.moved(&ShapePose::turned_about(v(0.0, 0.0, 0.0), v(0.0, 0.8, 0.0)));
    Ok(vec![
        ("ball, ball", ball.clone(), ball.clone(), ShapePose::at(v(0.0, 0.0, 1.0))),
        ("ball, wall", ball.clone(), wall.clone(), ShapePose::at(v(0.0, 0.0, 0.5))),
        ("ball, block", ball, block.clone(), on_top),
        ("capsule, block", capsule.clone(), block.clone(), on_top),
        ("capsule, capsule", capsule.clone(), capsule, ShapePose::at(v(0.1, 0.0, 1.0))),
        ("block, wall", block.clone(), wall, ShapePose::at(v(0.0, 0.0, 0.5))),
        ("block, block: faces", block.clone(), block.clone(), on_top),
        ("block, block: corner", block.clone(), block.clone(), corner),
        ("block, block: edges", block.clone(), tilted, edges),
        ("prism, prism of 14 faces", prism.clone(), prism, on_top),
    ])
}
