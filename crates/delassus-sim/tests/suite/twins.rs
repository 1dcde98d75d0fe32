//! Bodies that are the same up to a rigid motion share a factor; nobody can tell from the numbers.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails by panicking")]

use std::path::Path;
use std::sync::Arc;

use delassus_case::Loaded;
use delassus_case::lower::Generate;
use delassus_contact::{Contact, local_velocity, scatter};
use delassus_dynamics::Operator;
use delassus_sim::Model;
use delassus_sim::condense::{Sites, condense};
use delassus_sim::engine::Engine;
use delassus_sim::operators::Operators;
use delassus_sim::space::{Dimension, Space};
use nalgebra::SVector;

/// A body of the scene: name, rotation in degrees, translation, what else is said of it.
type Entry<'a> = (&'a str, f64, [f64; 3], &'a str);

/// Blocks, each with its bottom over an inclined plane, and the first two with each other.
fn scene<const D: usize>(entries: &[Entry<'_>], boundary: &str) -> Arc<Model<D>>
where
    Dimension<D>: Generate<D>,
{
    let list = |x: &[f64]| format!("{:?}", &x[..D]).replace('[', "(").replace(']', ")");
    let (shape, cells) = if D == 2 { ("Rectangle", "(4, 3)") } else { ("Box", "(4, 3, 2)") };
    let body = |&(name, rotation, translation, rest): &Entry<'_>| {
        let rest = if rest.contains("material") { rest.to_owned() } else { format!("material: \"m\", {rest}") };
        format!(
            "(name: \"{name}\", mesh: {shape}(corner: {}, size: {}, cells: {cells}), rotation: {rotation:?}, \
             translation: {}, {rest}),",
            list(&[0.0; 3]),
            list(&[0.5, 0.3, 0.2]),
            list(&translation)
        )
    };
    let floor = |e: &Entry<'_>| {
        format!(
            "(name: \"{} floor\", candidates: (body: \"{}\", group: \"bottom\"), antagonists: Obstacle(\"floor\"), \
             law: SignoriniCoulomb(friction: 0.3)),",
            e.0, e.0
        )
    };
    let material = |name: &str| {
        format!(
            "(name: \"{name}\", density: 1000.0, law: KelvinVoigt(young: 1e7, poisson: 0.3, shear_viscosity: 2e3)),"
        )
    };
    let text = format!(
        "(title: \"t\", kinematics: SmallStrain, dimension: {D}, materials: [{}{}], bodies: [{}],\n\
         obstacles: [(name: \"floor\", shape: HalfPlane(point: {}, normal: {}))],\n\
         contacts: [(name: \"pair\", candidates: (body: \"{}\", group: \"right\"), \
         antagonists: Surface(body: \"{}\", group: \"left\"), law: Frictionless), {}],\n\
         boundary: [{boundary}], integrator: Theta(theta: 0.55), step: 1e-3, duration: 1.0)",
        material("m"),
        material("n"),
        entries.iter().map(body).collect::<String>(),
        list(&[0.0, -50.0, 0.0]),
        list(&[0.2, 1.0, 0.1]),
        entries[0].0,
        entries[1].0,
        entries.iter().map(floor).collect::<String>(),
    );
    Loaded::from_text(Path::new("t.ron"), text, &[]).and_then(|l| l.model()).unwrap()
}

/// W and w against a factor of its own for every body. Returns the number of distinct factors.
fn check<const D: usize>(model: &Arc<Model<D>>) -> usize
where
    Dimension<D>: Space<D>,
{
    let mut operators = Operators::at_start(model, model.h).unwrap();
    let coefficients = model.integrator.coefficients(model.h);
    let mut own: Vec<Operator> = model.bodies.iter().map(|b| Operator::new(&*b.body, coefficients).unwrap()).collect();
    let q = model.reference();
    for (body, (shared, own)) in operators.bodies.iter_mut().zip(&mut own).enumerate() {
        let mut x: Vec<f64> = (0..q[body].len()).map(|i| ((i * 37) % 101) as f64 - 50.0).collect();
        let mut y = x.clone();
        shared.apply(&mut x);
        own.apply(&mut y);
        let scale = y.iter().fold(0.0, |m: f64, y| m.max(y.abs()));
        let error = x.iter().zip(&y).fold(0.0, |m: f64, (x, y)| m.max((x - y).abs()));
        // well-conditioned matrices of coordinates rounded to 1e-15
        assert!(error <= 1e-12 * scale, "body {body}: {error:e} of {scale:e}");
    }
    let contacts = Engine::new(model).unwrap().detect(&q, &model.start(), model.h).unwrap().contacts;
    let contacts: Vec<&Contact<D>> = contacts.iter().collect();
    operators.expose(model, &contacts).unwrap();
    let w = condense(&contacts, &operators, Sites { model, q: &q }).unwrap();
    let scale = (0..contacts.len()).map(|i| w.diagonal(i).amax()).fold(0.0, f64::max);
    let mut n_acting = 0;
    for (j, source) in contacts.iter().enumerate() {
        for c in 0..D {
            let mut v = q.clone();
            let mut unit = SVector::<f64, D>::zeros();
            unit[c] = 1.0;
            scatter(source, &unit, &mut v);
            for (v, operator) in v.iter_mut().zip(&mut own) {
                operator.apply(v);
            }
            let views: Vec<&[f64]> = v.iter().map(Vec::as_slice).collect();
            for (i, contact) in contacts.iter().enumerate() {
                let u = local_velocity(contact, &views);
                let found = w.block(i, j).column(c).into_owned();
                n_acting += usize::from(found.amax() > 1e-3 * scale && i != j);
                assert!((u - found).amax() <= 1e-12 * scale, "W({i}, {j}): {found} for {u}");
            }
        }
    }
    assert!(n_acting > contacts.len(), "contacts see each other");
    model.twins.classes.len()
}

#[test]
fn turned_blocks_share_one_factor() {
    let plane = [
        ("a", 0.0, [0.0, 0.0, 0.0], ""),
        ("b", 0.0, [0.6, 0.05, 0.0], ""),
        ("c", 30.0, [3.0, 1.0, 0.0], ""),
        ("d", -137.0, [-7.3, 2.0, 0.0], ""),
    ];
    let model = scene::<2>(&plane, "");
    assert_eq!(check(&model), 1);
    let turned: Vec<bool> = model.twins.of_body.iter().map(|(_, turn)| turn.is_some()).collect();
    assert_eq!(turned, [false, false, true, true]);
    let space = plane.map(|(name, rotation, [x, y, _], rest)| (name, rotation, [x, y, 0.01 * x], rest));
    assert_eq!(check(&scene::<3>(&space, "")), 1);
}

/// The two that touch are both turned, each in its own way.
#[test]
fn a_contact_of_two_turned_twins() {
    let blocks = [("a", 20.0, [0.0, 0.0, 0.0], ""), ("b", 25.0, [0.6, 0.3, 0.0], ""), ("c", 0.0, [5.0, 0.0, 0.0], "")];
    assert_eq!(check(&scene::<2>(&blocks, "")), 1);
    assert_eq!(check(&scene::<3>(&blocks, "")), 1);
}

#[test]
fn other_bodies_have_factors_of_their_own() {
    let blocks = [
        ("a", 0.0, [0.0, 0.0, 0.0], ""),
        ("b", 0.0, [0.6, 0.0, 0.0], "material: \"n\", "),
        ("c", 10.0, [5.0, 0.0, 0.0], "mass: Consistent, "),
        ("d", 10.0, [8.0, 0.0, 0.0], ""),
        ("e", 10.0, [11.0, 0.0, 0.0], "damping: (alpha: 1.0), "),
        ("f", 80.0, [14.0, 0.0, 0.0], "mass: Consistent, "),
    ];
    // the materials differ in name only, but differ: a and d, c and f
    let model = scene::<2>(&blocks, "");
    assert_eq!(check(&model), 4);
    assert_eq!(model.twins.of_body.iter().map(|(class, _)| *class).collect::<Vec<_>>(), [0, 1, 2, 0, 3, 2]);
    assert_eq!(check(&scene::<3>(&blocks, "")), 4);
}

#[test]
fn held_bodies_share_with_those_held_alike() {
    let blocks = [
        ("a", 0.0, [0.0, 0.0, 0.0], ""),
        ("b", 0.0, [0.6, 0.0, 0.0], ""),
        ("c", 0.0, [5.0, 0.0, 0.0], ""),
        ("d", 40.0, [8.0, 0.0, 0.0], ""),
    ];
    let hold = |name: &str, key: &str| format!("(body: \"{name}\", group: \"top\", {key}: 0.5),");
    // a and c held along x, b along y, d turned and held: only a and c are the same
    let boundary = ["a", "c", "d"].map(|name| hold(name, "x")).concat() + &hold("b", "y");
    assert_eq!(check(&scene::<2>(&blocks, &boundary)), 3);
    assert_eq!(check(&scene::<3>(&blocks, &boundary)), 3);
}

/// The classes, and every bit of w, on one thread and on two.
#[test]
fn same_bits_on_any_number_of_threads() {
    let names: Vec<String> = (0..12).map(|k| format!("b{k}")).collect();
    let rest = |k: usize| if k.is_multiple_of(3) { "mass: Consistent, " } else { "" };
    let place = |k: usize| [0.6 * k as f64, 0.1, 0.0];
    let blocks: Vec<Entry<'_>> =
        names.iter().enumerate().map(|(k, n)| (n.as_str(), 7.0 * (k / 2) as f64, place(k), rest(k))).collect();
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let model = scene::<3>(&blocks, "");
            let mut operators = Operators::at_start(&model, model.h).unwrap();
            let q = model.reference();
            let contacts = Engine::new(&model).unwrap().detect(&q, &model.start(), model.h).unwrap().contacts;
            let contacts: Vec<&Contact<3>> = contacts.iter().collect();
            let w = condense(&contacts, &operators, Sites { model: &model, q: &q }).unwrap();
            let n = contacts.len();
            let blocks = (0..n * n).flat_map(|k| w.block(k / n, k % n).iter().map(|x| x.to_bits()).collect::<Vec<_>>());
            let mut bits: Vec<u64> = blocks.collect();
            let moved = operators.for_each_body(|i, op| {
                let mut x: Vec<f64> = (0..q[i].len()).map(|k| (k as f64).sin()).collect();
                op.apply(&mut x);
                x
            });
            bits.extend(moved.iter().flatten().map(|x| x.to_bits()));
            (model.twins.classes.len(), bits)
        })
    };
    let one = run(1);
    assert_eq!(one.0, 2);
    assert!(one == run(2) && one == run(4));
}
