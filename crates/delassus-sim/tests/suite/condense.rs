//! W put together from condensed operators is what unit impulses do to velocities.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails by panicking")]

use std::path::Path;
use std::sync::Arc;

use delassus_case::Loaded;
use delassus_contact::{local_velocity, scatter};
use delassus_sim::Model;
use delassus_sim::condense::{Sites, condense};
use delassus_sim::engine::Engine;
use delassus_sim::operators::Operators;
use delassus_solver::Matrix;

/// Block a on block b, beside block c; contact pairs: a with b, and those of `floor_bodies` with an inclined floor.
fn model(floor_bodies: &[&str]) -> Arc<Model<2>> {
    let block = |name: &str, x: f64, y: f64, width: f64| {
        format!(
            "(name: \"{name}\", mesh: Rectangle(corner: ({x}, {y}), size: ({width:?}, 0.5), cells: (3, 2)), \
             material: \"m\"),"
        )
    };
    let on_floor = |body: &&str| {
        format!(
            "(name: \"{body} floor\", candidates: (body: \"{body}\", group: \"bottom\"), \
             antagonists: Obstacle(\"floor\"), law: SignoriniCoulomb(friction: 0.3)),"
        )
    };
    let text = format!(
        "(title: \"t\", kinematics: SmallStrain, materials: [(name: \"m\", density: 1000.0, law: KelvinVoigt(young: 1e7, poisson: 0.3))],\n\
         bodies: [{}{}{}],\n\
         obstacles: [(name: \"floor\", shape: HalfPlane(point: (0.0, 0.0), normal: (0.1, 1.0)))],\n\
         contacts: [(name: \"a b\", candidates: (body: \"a\", group: \"bottom\"), \
         antagonists: Surface(body: \"b\", group: \"top\"), law: Frictionless), {}],\n\
         boundary: [(body: \"b\", group: \"left\", x: 0.0)],\n\
         integrator: Theta(theta: 0.5), step: 1e-3, duration: 1.0)",
        block("a", 0.1, 0.5, 0.8),
        block("b", 0.0, 0.0, 1.0),
        block("c", 2.0, 0.0, 1.0),
        floor_bodies.iter().map(on_floor).collect::<String>(),
    );
    Loaded::from_text(Path::new("t.ron"), text, &[]).and_then(|l| l.model()).unwrap()
}

/// W must be what unit impulses do to velocities, by whole solves instead of condensed ones.
fn check(floor_bodies: &[&str], n_contacts: usize, n_blocks: usize) {
    let model = model(floor_bodies);
    let q: Vec<Vec<f64>> = model.start().states.into_iter().map(|s| s.q).collect();
    let contacts = Engine::new(&model).unwrap().detect(&q, &model.start(), model.h).unwrap().contacts;
    assert_eq!(contacts.len(), n_contacts);
    let mut operators = Operators::at_start(&model, model.h).unwrap();
    let w = condense(&contacts.iter().collect::<Vec<_>>(), &operators, Sites { model: &model, q: &q }).unwrap();
    assert_eq!(w.n_blocks(), n_blocks);
    let scale = (0..n_contacts).map(|i| w.diagonal(i).amax()).fold(0.0, f64::max);
    for (j, source) in contacts.iter().enumerate() {
        for c in 0..2 {
            let mut v: Vec<Vec<f64>> = q.iter().map(|q| vec![0.0; q.len()]).collect();
            scatter(source, &Matrix::<2>::identity().column(c).into_owned(), &mut v);
            for (v, operator) in v.iter_mut().zip(&mut operators.bodies) {
                operator.apply(v);
            }
            let views: Vec<&[f64]> = v.iter().map(Vec::as_slice).collect();
            for (i, contact) in contacts.iter().enumerate() {
                let error = (local_velocity(contact, &views) - w.block(i, j).column(c)).amax();
                // rounding of solves with a well-conditioned matrix of 24 dofs
                assert!(error <= 1e-12 * scale, "block ({i}, {j}): {error:e} of {scale:e}");
            }
        }
    }
    // only the diagonal blocks are turned from both sides, with a rounding each
    assert!(w.max_asymmetry() <= 1e-15, "{:e}", w.max_asymmetry());
}

#[test]
fn contacts_that_all_share_a_body_see_each_other() {
    // b carries a and lies on the floor: 4 + 4 contacts
    check(&["b"], 8, 64);
}

#[test]
fn contacts_without_a_common_body_do_not_see_each_other() {
    // a on b; c on the floor: two separate groups of 4
    check(&["c"], 8, 2 * 16);
    // a on b on the floor, c on the floor
    check(&["b", "c"], 12, 64 + 16);
}
