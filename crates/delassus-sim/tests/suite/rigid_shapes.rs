//! Shapes of rigid bodies as keys of a case, through the step: closed surfaces of files, clumps, rings.

use delassus_error::Coded;
use delassus_sim::SimError;
use delassus_sim::engine::Engine;
use delassus_sim::start::Start;

use super::rigid::{close, made, run};

/// The surface of a file, two shells in millimetres, moves as the box that it has outside, through impacts with friction on its corners.
#[test]
fn a_surface_of_a_file_moves_as_the_box_it_is() {
    let scene = |mesh: &str| {
        made::<3>(&format!(
            "step: 0.005, bodies: [(name: \"crate\", rigid: true, mesh: {mesh}, inertia: (mass: 56, moments: (1.6, 1.7, 1.8), centre: (0, 0, 0.2)), rotation: 35.0, \
             rotation_axis: (1, 2, 0.3), translation: (0, 0, 0.4), velocity: (0.4, 0.1, -2), spin: 2.0, spin_axis: (0.2, 1, 0))], \
             obstacles: [(name: \"floor\", shape: HalfSpace(point: (0, 0, 0), normal: (0, 0, 1)))], \
             contacts: [(name: \"c\", candidates: (body: \"crate\"), antagonists: Obstacle(\"floor\"), law: Restitution(normal: 0.3, friction: 0.4))], \
             loads: [Gravity(acceleration: (0, 0, -9.81))]"
        ))
    };
    let plain = scene("Box(corner: (-0.2, -0.2, 0), size: (0.4, 0.4, 0.4), cells: (1, 1, 1))");
    let mut impacts = 0;
    let exact = run(&plain, 80, |_, o| impacts += o.touches.iter().filter(|t| t.impulse[0] > 0.0).count());
    assert!(impacts > 2, "{impacts}");
    let surface = scene("Surface(file: \"../../meshes/hollow-crate.obj\", scale: 0.001)");
    let found = run(&surface, 80, |_, _| {});
    let [a, b] = [&found.states[0], &exact.states[0]];
    for (f, e) in a.q.iter().zip(&b.q).chain(a.v.iter().zip(&b.v)) {
        // The same motion up to rounding, which impacts let grow.
        close(*f, *e, 1e-9, "crate");
    }
}

/// A clump of a ball, a capsule and a larger ball lies on its ends, frictionless: the moments about the centre that is given share the weight 0.6 to 0.4, on an obstacle and on a rigid slab, by contacts of points and of shapes.
#[test]
fn a_clump_lies_on_its_ends() {
    let clump = "(name: \"c\", mesh: Clump(parts: [Round(centre: (0, 0.1), radius: 0.1), Capsule(from: (0, 0.1), to: (1, 0.2), radius: 0.05), \
                 Round(centre: (1, 0.2), radius: 0.2)]), inertia: (mass: 3, centre: (0.4, 0.2), moments: [1]), translation: (5, 1), copies: (count: 2, translation: (3, 0)))";
    for (scene, on) in [
        ("obstacles: [(name: \"floor\", shape: HalfPlane(point: (0, 1), normal: (0, 1)))],", "Obstacle(\"floor\")"),
        ("motions: [(body: \"slab\", x: 0.0, y: 0.0, spin: 0.0)],", "Surface(body: \"slab\")"),
    ] {
        let model = made::<2>(&format!(
            "step: 0.01, bodies: [{clump}, (name: \"slab\", rigid: true, inertia: (mass: 1), mesh: Rectangle(corner: (0, 0), size: (20, 1), cells: (1, 1)))], {scene} \
             contacts: [(name: \"c\", candidates: (body: \"c\"), antagonists: {on}, law: Restitution())], loads: [Gravity(acceleration: (0, -10))]"
        ));
        let end = run(&model, 50, |k, o| {
            let mut force = [0.0; 2];
            for t in &o.touches {
                let place = if t.contact.point[0] > 7.0 { t.contact.point[0] - 3.0 } else { t.contact.point[0] };
                force[usize::from(place > 5.5)] += 0.5 * t.impulse[0] / model.h;
            }
            close(force[0], 18.0, 1e-9, &format!("small end on {on}, step {k}"));
            close(force[1], 12.0, 1e-9, &format!("large end on {on}, step {k}"));
        });
        for s in &end.states[..2] {
            assert!(s.v.iter().all(|v| v.abs() < 1e-11), "{on}: {s:?}");
        }
    }
}

/// Three balls as a tripod in space, turned and placed: a third of the weight on each; on a body that deforms, the sum.
#[test]
fn a_tripod_shares_its_weight() {
    let balls = [0.0_f64, 120.0, 240.0]
        .map(|a| format!("Round(centre: ({}, {}, 0.1), radius: 0.1)", a.to_radians().cos(), a.to_radians().sin()))
        .join(", ");
    let model = made::<3>(&format!(
        "step: 0.01, bodies: [(name: \"t\", mesh: Clump(parts: [{balls}]), inertia: (density: 500), rotation: 20, translation: (3, 2, 0))], \
         obstacles: [(name: \"floor\", shape: HalfSpace(point: (0, 0, 0), normal: (0, 0, 1)))], \
         contacts: [(name: \"c\", candidates: (body: \"t\"), antagonists: Obstacle(\"floor\"), law: Restitution(friction: 0.3))], loads: [Gravity(acceleration: (0, 0, -10))]"
    ));
    let third = 500.0 * 4.0 / 3.0 * std::f64::consts::PI * 1e-3 * 10.0;
    close(model.bodies[0].body.total_mass(), 3.0 * third / 10.0, 1e-12, "mass");
    run(&model, 20, |k, o| {
        assert_eq!(o.touches.len(), 3);
        o.touches.iter().for_each(|t| close(t.impulse[0] / model.h, third, 1e-10, &format!("leg, step {k}")));
    });
}

/// A disk in the lowest corner of a ring of eight sides that is held: two forces N = W/(2 cos 22.5°).
#[test]
fn a_disk_lies_in_a_ring() {
    let half = std::f64::consts::FRAC_PI_8;
    let low = (0.5 * half.cos() - 0.1) / half.cos();
    let model = made::<2>(&format!(
        "step: 0.01, bodies: [(name: \"ring\", rigid: true, mesh: Annulus(centre: (0, 0), inner_radius: 0.5, outer_radius: 0.6, cells: (1, 8)), inertia: (density: 100)), \
         (name: \"disk\", mesh: Round(centre: (0, -{low}), radius: 0.1), inertia: (mass: 2))], \
         motions: [(body: \"ring\", x: 0.0, y: 0.0, spin: 0.0)], \
         contacts: [(name: \"c\", candidates: (body: \"disk\"), antagonists: Surface(body: \"ring\"), law: Restitution())], loads: [Gravity(acceleration: (0, -10), bodies: [\"disk\"])]"
    ));
    let end = run(&model, 50, |k, o| {
        assert_eq!(o.touches.iter().filter(|t| t.impulse[0] > 0.0).count(), 2, "step {k}");
        for t in o.touches.iter().filter(|t| t.impulse[0] > 0.0) {
            close(t.impulse[0] / model.h, 10.0 / half.cos(), 1e-9, "force");
        }
    });
    assert!(end.states[1].q[..2].iter().all(|u| u.abs() < 1e-12), "{:?}", end.states[1].q);
}

/// Bodies that overlap at the start are refused with depth and place: shapes with shapes (convex, re-entrant, of clumps), with obstacles, and nodes of a deformable body with a shape. What the case allows passes.
#[test]
fn overlaps_at_the_start_are_refused() {
    let plate = "(name: \"plate\", rigid: true, inertia: (mass: 1), mesh: Rectangle(corner: (0, 0), size: (2, 1), cells: (1, 1)))";
    let soft = "(name: \"plate\", material: \"m\", mesh: Rectangle(corner: (0, 0), size: (2, 1), cells: (4, 2)))";
    let disk = "(name: \"other\", mesh: Round(centre: (1, 1.49), radius: 0.5), inertia: (mass: 1))";
    let hook = "(name: \"other\", mesh: Polygon(points: [(0.5, 0.99), (3, 0.99), (3, 2), (1, 1.5), (0.5, 3)]), inertia: (mass: 1))";
    let clump = "(name: \"other\", mesh: Clump(parts: [Round(centre: (1, 3), radius: 0.5), Round(centre: (1, 1.69), radius: 0.7)]), inertia: (mass: 1))";
    let other = "antagonists: Surface(body: \"other\")";
    for (body, second, contact) in [
        (plate, disk, format!("candidates: (body: \"plate\"), {other}")),
        (plate, hook, format!("candidates: (body: \"plate\"), {other}")),
        (plate, clump, format!("candidates: (body: \"plate\"), {other}")),
        (soft, disk, format!("candidates: (body: \"plate\", group: \"top\"), {other}")),
        (plate, disk, "candidates: (body: \"plate\"), antagonists: Obstacle(\"floor\")".to_owned()),
        (plate, clump, "candidates: (body: \"other\"), antagonists: Obstacle(\"shelf\")".to_owned()),
    ] {
        let made = |more: &str| {
            let model = made::<2>(&format!(
                "step: 0.01, materials: [(name: \"m\", density: 1000, law: KelvinVoigt(young: 1e6, poisson: 0.3))], bodies: [{body}, {second}], \
                 obstacles: [(name: \"floor\", shape: HalfPlane(point: (0, 0.01), normal: (0, 1))), (name: \"shelf\", shape: HalfPlane(point: (0, 1), normal: (0, 1)))], \
                 contacts: [(name: \"c\", {contact}, law: Restitution(){more})]"
            ));
            Start::find(&mut Engine::new(&model).unwrap()).map(|start| start.overlaps)
        };
        let Err(SimError::StartOverlap(refused)) = made("") else { panic!("{contact}: not refused") };
        assert_eq!(SimError::StartOverlap(refused.clone()).code().0, "E0551");
        close(refused[0].depth, 0.01, 1e-12, &contact);
        let allowed = made(", initial_penetration: 0.011").unwrap();
        close(allowed[0].depth, 0.01, 1e-12, &contact);
    }
}
