//! Penetrations that candidates do not see, and contacts that outgrow their groups.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails by panicking")]

use std::path::Path;
use std::sync::Arc;

use delassus_case::Loaded;
use delassus_case::lower::Generate;
use delassus_contact::CandidateSet;
use delassus_sim::Model;
use delassus_sim::engine::Engine;
use delassus_sim::model::{Direction, ModelAntagonist};
use delassus_sim::space::{Dimension, Space};
use delassus_sim::start::Start;
use delassus_sim::step::step;
use delassus_sim::surfaces::{
    EdgeSide, Entered, SLIGHT, SurfaceFindings, SurfacePenetration, SurfaceView, SurfaceWatch,
};
use delassus_sim::timings::Timings;

/// Soft blocks: they carry themselves with a strain of 1e-4.
const MATERIAL: &str = "materials: [(name: \"m\", density: 1000, law: KelvinVoigt(young: 1e8, poisson: 0.3)), \
    (name: \"hard\", density: 1000, law: KelvinVoigt(young: 1e10, poisson: 0.3))]";

fn model<const D: usize>(text: &str) -> Arc<Model<D>>
where
    Dimension<D>: Generate<D>,
{
    let text = format!("(title: \"t\", kinematics: SmallStrain, dimension: {D}, {MATERIAL}, {text})");
    Loaded::from_text(Path::new("t.ron"), text, &[]).unwrap().model::<D>().unwrap()
}

/// What the surfaces show after every step, with the mean displacement of the first body.
fn run<const D: usize>(model: &Arc<Model<D>>, steps: usize) -> Vec<(SurfaceView<D>, [f64; D])>
where
    Dimension<D>: Space<D>,
{
    let mut engine = Engine::new(model).unwrap();
    let mut watch = SurfaceWatch::new(model).unwrap();
    assert!(watch.unseen().is_empty());
    let mut snapshot = Start::find(&mut engine).unwrap().snapshot;
    let mut out = Vec::new();
    for _ in 0..steps {
        let outcome = step(&mut engine, &mut Timings::default(), &snapshot, model.h).unwrap();
        assert!(outcome.is_accepted(model.solver_options.tolerance), "{}", outcome.description());
        let seen = watch.see(model, &outcome).unwrap();
        // A function of the state alone: a watch that has seen nothing before sees the same.
        if out.len() == steps / 2 {
            assert_eq!(SurfaceWatch::new(model).unwrap().see(model, &outcome).unwrap(), seen);
        }
        snapshot = outcome.snapshot;
        let q = &snapshot.states[0].q;
        let mean = |i: usize| q.iter().skip(i).step_by(D).sum::<f64>() * D as f64 / q.len() as f64;
        out.push((seen, std::array::from_fn(mean)));
    }
    out
}

const FALL: &str =
    "loads: [Gravity(acceleration: (0, -9.81))], integrator: ThetaEuler(theta: 0.55), step: 2e-3, duration: 0.4";

/// A wide block of one cell above a narrow one of four, which stands on its fixed bottom.
fn two_blocks(contacts: &str) -> String {
    format!(
        "bodies: [(name: \"big\", mesh: Rectangle(corner: (-0.5, 0.01), size: (1, 0.5), cells: (1, 1)), material: \"m\"), \
         (name: \"small\", mesh: Rectangle(corner: (-0.1, -0.2), size: (0.2, 0.2), cells: (4, 4)), material: \"m\")], \
         contacts: [{contacts}], boundary: [(body: \"small\", group: \"bottom\", x: 0, y: 0)], {FALL}"
    )
}

const BIG_ON_SMALL: &str = "(name: \"g\", candidates: (body: \"big\", group: \"bottom\"), \
    antagonists: Surface(body: \"small\", group: \"top\"), law: SignoriniCoulomb(friction: 0.3))";
const SMALL_ON_BIG: &str = "(name: \"g\", candidates: (body: \"small\", group: \"top\"), \
    antagonists: Surface(body: \"big\", group: \"bottom\"), law: SignoriniCoulomb(friction: 0.3))";

/// Depth of the points of the small block (every eighth of its height, on both sides) in the big one, which is h high and has its bottom
/// at y, far from its sides.
fn depth_in_big(y: f64, h: f64) -> f64 {
    let heights = (0..=8).map(|k| -0.2 + 0.025 * f64::from(k));
    heights.map(|p| (p - y).min(y + h - p)).fold(0.0, f64::max)
}

#[test]
fn a_coarse_block_that_falls_through_is_seen() {
    for (contacts, declared) in [(BIG_ON_SMALL, true), ("", false)] {
        let model = model::<2>(&two_blocks(contacts));
        let mut deepest: f64 = 0.0;
        for (SurfaceView { penetrations, .. }, [_, fallen]) in run(&model, 200) {
            let expected = depth_in_big(0.01 + fallen, 0.5);
            let SurfaceFindings { declared: known, undeclared: unknown } = penetrations;
            let (seen, none) = if declared { (known, unknown) } else { (unknown, known) };
            assert_eq!(none, None);
            let found = seen.map_or(0.0, |p| p.depth);
            // Both deform by 2e-5 of their size, and what is less than 1e-3 of a facet of 0.05 m is none.
            assert!((found - expected).abs() < 1e-4, "fallen {fallen}: {found}, expected {expected}");
            if let Some(p) = seen.filter(|_| expected > 1e-3) {
                assert_eq!((p.body, p.into, p.declared), (1, Entered::Body(0), declared));
                assert!((p.ratio - p.depth / 0.05).abs() < 1e-6, "{p:?}");
            }
            deepest = deepest.max(found);
        }
        // Half the height of the block: there the way back is as long as the way on.
        assert!(deepest > 0.24 && deepest <= 0.25, "{deepest}");
    }
}

#[test]
fn what_lies_on_another_is_not_inside_it() {
    for contacts in [SMALL_ON_BIG.to_owned(), BIG_ON_SMALL.replace("law", "both: true, law")] {
        for (SurfaceView { penetrations, edge }, [_, fallen]) in run(&model::<2>(&two_blocks(&contacts)), 100) {
            assert_eq!((penetrations, edge), (SurfaceFindings::default(), None));
            // The gap of 0.01, and what both give way: at 0.44 m/s they are strained by 1.4e-3 in front of a wave of 316 m/s.
            assert!(fallen > -0.012, "{fallen}");
        }
    }
}

#[test]
fn in_space_too() {
    let text = |contacts: &str| {
        format!(
            "bodies: [(name: \"big\", mesh: Box(corner: (-0.5, 0.01, -0.5), size: (1, 0.5, 1), cells: (1, 1, 1)), material: \"m\"), \
             (name: \"small\", mesh: Box(corner: (-0.1, -0.2, -0.1), size: (0.2, 0.2, 0.2), cells: (2, 2, 2)), material: \"m\")], \
             contacts: [{contacts}], boundary: [(body: \"small\", group: \"bottom\", x: 0, y: 0, z: 0)], {}",
            FALL.replace("(0, -9.81)", "(0, -9.81, 0)").replace("2e-3", "4e-3")
        )
    };
    let mut deepest: f64 = 0.0;
    for (SurfaceView { penetrations, .. }, [_, fallen, _]) in run(&model::<3>(&text(BIG_ON_SMALL)), 90) {
        // Nodes at the quarters of the height and middles of facets between them: as in the plane, every 0.05 m.
        let y = 0.01 + fallen;
        let heights = (0..=4).map(|k| -0.2 + 0.05 * f64::from(k));
        let expected = heights.map(|p| (p - y).min(y + 0.5 - p)).fold(0.0, f64::max);
        let found = penetrations.declared.map_or(0.0, |p| p.depth);
        assert!((found - expected).abs() < 1e-4 + SLIGHT * 0.1, "fallen {fallen}: {found}, expected {expected}");
        deepest = deepest.max(found);
    }
    assert!(deepest > 0.22, "{deepest}");
    for (seen, _) in run(&model::<3>(&text(SMALL_ON_BIG)), 40) {
        assert_eq!(seen, SurfaceView::default());
    }
}

#[test]
fn nodes_that_are_no_candidates_are_seen_in_obstacles() {
    // The candidates are those of the top; the bottom passes into the floor.
    let text = |obstacle: &str, cells: &str, group: &str| {
        format!(
            "bodies: [(name: \"b\", mesh: Rectangle(corner: (-0.5, 0.01), size: (1, 0.5), cells: {cells}), material: \"m\")], \
             obstacles: [(name: \"o\", shape: {obstacle})], contacts: [(name: \"c\", candidates: (body: \"b\", group: \"{group}\"), \
             antagonists: Obstacle(\"o\"), law: Frictionless)], {FALL}"
        )
    };
    let floor = "HalfPlane(point: (0, 0), normal: (0, 1))";
    for (seen, [_, fallen]) in run(&model::<2>(&text(floor, "(4, 2)", "top")), 120) {
        let p = seen.penetrations.declared;
        // Until the top arrives nothing holds the block.
        let expected = (-0.01 - fallen).max(0.0);
        assert!((p.map_or(0.0, |p| p.depth) - expected).abs() < 1e-9 + SLIGHT * 0.25, "{fallen}: {p:?}");
        assert!(p.is_none_or(|p| p.into == Entered::Obstacle(0) && (p.ratio - p.depth / 0.25).abs() < 1e-12));
    }
    // A small disk below the middle of a wide facet: no node meets it.
    let disk = "Circle(centre: (0.2, -0.05), radius: 0.05)";
    let mut deepest: f64 = 0.0;
    for (seen, [_, fallen]) in run(&model::<2>(&text(disk, "(1, 1)", "bottom")), 80) {
        let p = seen.penetrations.declared;
        // The facet's lowest gap is that above the centre: up to there it is as deep as it has come.
        let expected = (-0.01 - fallen).clamp(0.0, 0.05);
        if fallen > -0.055 {
            assert!((p.map_or(0.0, |p| p.depth) - expected).abs() < 1e-4 + SLIGHT, "{fallen}: {p:?}, {expected}");
        }
        deepest = deepest.max(p.map_or(0.0, |p| p.depth));
    }
    assert!(deepest > 0.04, "{deepest}");
}

#[test]
fn what_is_allowed_at_the_start_is_taken_off() {
    let contact = SMALL_ON_BIG.replace("law", "initial_penetration: 0.02, law");
    let text = two_blocks(&contact).replace("(-0.5, 0.01)", "(-0.5, -0.02)");
    let model = model::<2>(&text);
    let mut watch = SurfaceWatch::new(&model).unwrap();
    assert_eq!(watch.look(&model, &model.start()).unwrap(), SurfaceFindings::default());
    let text = two_blocks("").replace("(-0.5, 0.01)", "(-0.5, -0.02)");
    let model = self::model::<2>(&text);
    let found = SurfaceWatch::new(&model).unwrap().look(&model, &model.start()).unwrap();
    let p = found.undeclared.unwrap();
    assert!(found.declared.is_none() && (p.depth - 0.02).abs() < 1e-15 && (p.ratio - 0.4).abs() < 1e-12, "{p:?}");
    assert_eq!(found.worst(), Some(p));
}

/// A disk pressed on a plane, or on a block, by its own weight in a heavy field.
fn disk(antagonists: &str, more: &str) -> String {
    format!(
        "bodies: [(name: \"disk\", mesh: Disk(centre: (0, 0.1), radius: 0.1, core: (16, 16), rings: 6), material: \"m\"), {more}], \
         obstacles: [(name: \"floor\", shape: HalfPlane(point: (0, 0), normal: (0, 1)))], \
         contacts: [(name: \"c\", candidates: (body: \"disk\", group: \"boundary\"), antagonists: {antagonists}, law: Frictionless)], \
         loads: [Gravity(acceleration: (0, -2e4))], integrator: Theta(theta: 1), step: 5e-3, duration: 1"
    )
}

/// The pair of a model with only those candidates that are less than `width` from the middle.
fn narrow(model: &mut Arc<Model<2>>, width: f64) {
    let model = Arc::get_mut(model).unwrap();
    let points = model.bodies[0].body.mesh().points.clone();
    let direction = &mut model.pairs[0].directions[0];
    let set = &direction.candidates()[0];
    let chosen = set.nodes().iter().copied().zip(set.areas().iter().copied());
    let chosen = chosen.filter(|&(n, _)| points[n][0].abs() < width && points[n][1] < 0.1);
    let (nodes, areas): (Vec<usize>, Vec<f64>) = chosen.unzip();
    let mut dofs: Vec<usize> = nodes.iter().flat_map(|n| [2 * n, 2 * n + 1]).collect();
    dofs.sort_unstable();
    let chosen = CandidateSet::new(0, nodes, areas).unwrap();
    *direction = Direction::new(vec![chosen], direction.antagonists().to_vec(), false);
    model.bodies[0].contact_dofs = dofs;
}

#[test]
fn a_contact_that_outgrows_its_candidates_is_seen() {
    // All nodes, those of a quarter of the width, and the few that the contact has outgrown.
    for (width, is_outgrown) in [(1.0, false), (0.05, false), (0.012, true), (0.001, true)] {
        let mut model = model::<2>(&disk("Obstacle(\"floor\")", ""));
        narrow(&mut model, width);
        let (seen, _) = run(&model, 12).pop().unwrap();
        let edge = seen.edge;
        assert_eq!(edge.is_some(), is_outgrown, "{width}: {edge:?}");
        if let Some(e) = edge {
            assert_eq!((e.pair, e.body, e.side), (0, 0, EdgeSide::Candidates));
            assert!(e.place[1] < 0.0 && (e.place[1] + e.depth).abs() < 1e-15 && e.place[0].abs() > width, "{e:?}");
        }
    }
}

#[test]
fn a_contact_that_outgrows_its_facets_is_seen() {
    let block = "(name: \"block\", mesh: Rectangle(corner: (-0.2, -0.2), size: (0.4, 0.2), cells: (40, 8)), material: \"hard\")";
    let text = disk("Surface(body: \"block\", group: \"top\")", block);
    let text = text.replace("integrator", "boundary: [(body: \"block\", group: \"bottom\", x: 0, y: 0)], integrator");
    for (width, is_outgrown) in [(1.0, false), (0.0401, false), (0.0101, true)] {
        let mut shared = model::<2>(&text);
        let model = Arc::get_mut(&mut shared).unwrap();
        let points = model.bodies[1].body.mesh().points.clone();
        let direction = &mut model.pairs[0].directions[0];
        let s = direction.surfaces().next().unwrap();
        let kept = s.facets().iter().filter(|f| f.iter().all(|&n| points[n][0].abs() < width)).copied();
        let s = delassus_contact::FacetSurface::new(1, kept.collect::<Vec<_>>()).unwrap();
        let antagonists = vec![ModelAntagonist::Surface(s.clone())];
        *direction = Direction::new(direction.candidates().to_vec(), antagonists, false);
        model.bodies[1].contact_dofs = s.nodes().flat_map(|n| [2 * n, 2 * n + 1]).collect();
        let (seen, _) = run(&shared, 12).pop().unwrap();
        let edge = seen.edge;
        assert_eq!(edge.is_some(), is_outgrown, "{width}: {edge:?}");
        if let Some(e) = edge {
            assert_eq!((e.pair, e.body, e.side), (0, 1, EdgeSide::Antagonists));
            assert!(e.count > 0 && e.depth > 0.0 && e.place[0].abs() > width, "{e:?}");
        }
    }
}

#[test]
fn a_group_may_end_at_a_corner() {
    // The bottom of a block ends at its corners, where the contact acts.
    let text = "bodies: [(name: \"b\", mesh: Rectangle(corner: (0, 0), size: (1, 0.5), cells: (4, 2)), material: \"m\")], \
        obstacles: [(name: \"o\", shape: HalfPlane(point: (0, 0), normal: (0, 1)))], \
        contacts: [(name: \"c\", candidates: (body: \"b\", group: \"GROUP\"), antagonists: Obstacle(\"o\"), law: Frictionless)], "
        .to_owned()
        + FALL;
    for (seen, _) in run(&model::<2>(&text.replace("GROUP", "bottom")), 5) {
        assert_eq!(seen, SurfaceView::default());
    }
    // Of its nodes but the last two, the last is an end.
    let mut model = model::<2>(&text.replace("GROUP", "bottom"));
    narrow(&mut model, 0.6);
    let (seen, _) = run(&model, 5).pop().unwrap();
    let edge = seen.edge.unwrap();
    assert!((edge.place[0] - 0.75).abs() < 1e-3 && edge.count == 1, "{edge:?}");
    // At the start too, where all touch and nothing acts.
    let mut engine = Engine::new(&model).unwrap();
    let start = Start::find(&mut engine).unwrap().snapshot;
    let q: Vec<Vec<f64>> = start.states.iter().map(|s| s.q.clone()).collect();
    let contacts = engine.detect_between(&q, 0.0, model.h).unwrap().contacts;
    let found = engine.surfaces().unwrap().edge_at_start(&model, &start, &contacts).unwrap().unwrap();
    assert!((found.place[0] - 0.75).abs() < 1e-12 && found.count == 1, "{found:?}");
}

/// Worst penetrations of a shipped case, and the first step with a contact beyond its group.
fn shipped<const D: usize>(loaded: &Loaded, most_steps: usize) -> (SurfaceFindings<D>, Option<usize>)
where
    Dimension<D>: Generate<D>,
{
    let model = loaded.model::<D>().unwrap();
    let mut engine = Engine::new(&model).unwrap();
    let mut snapshot = Start::find(&mut engine).unwrap().snapshot;
    let mut watch = SurfaceWatch::new(&model).unwrap();
    assert!(watch.unseen().is_empty());
    let (mut worst, mut edge) = (SurfaceFindings::<D>::default(), None);
    for number in 1..=model.n_steps.min(most_steps) {
        let outcome = step(&mut engine, &mut Timings::default(), &snapshot, model.h).unwrap();
        let seen = watch.see(&model, &outcome).unwrap();
        let ratio = |p: &Option<SurfacePenetration<D>>| p.map_or(0.0, |p| p.ratio);
        let SurfaceFindings { declared, undeclared } = seen.penetrations;
        if ratio(&declared) > ratio(&worst.declared) {
            worst.declared = declared;
        }
        if ratio(&undeclared) > ratio(&worst.undeclared) {
            worst.undeclared = undeclared;
        }
        edge = edge.or(seen.edge.map(|_| number));
        snapshot = outcome.snapshot;
    }
    (worst, edge)
}

/// Is something found that is an alarm?
fn is_alarm(name: &str, most_steps: usize) -> bool {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases").join(name);
    let loaded = Loaded::read(&path, &[]).unwrap();
    let (ratio, edge) = match loaded.case.dimension {
        2 => {
            let (worst, edge) = shipped::<2>(&loaded, most_steps);
            (worst.worst().map_or(0.0, |p| p.ratio), edge)
        }
        _ => {
            let (worst, edge) = shipped::<3>(&loaded, most_steps);
            (worst.worst().map_or(0.0, |p| p.ratio), edge)
        }
    };
    ratio > 0.5 || edge.is_some()
}

#[test]
fn shipped_cases_raise_no_alarm() {
    for name in ["bars-impact.ron", "bouncing-ball.ron", "sliding-block.ron", "h8-cubes.ron", "incline.ron"] {
        assert!(!is_alarm(name, 100), "{name}");
    }
}
