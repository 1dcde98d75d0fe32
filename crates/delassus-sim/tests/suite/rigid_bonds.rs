//! Bonds between rigid blocks: areas of faces, thresholds of strength, and histories that stay with their contacts.

use super::rigid::{close, made, run};

/// A box of 600 kg that hangs below a slab by a law, with a force off its centre; the face that is glued is 2 m × 1 m of the box on a larger slab.
fn hung(law: &str, force: f64, at: f64) -> std::sync::Arc<delassus_sim::Model<3>> {
    made::<3>(&format!(
        "step: 0.001, bodies: [\
         (name: \"slab\", rigid: true, inertia: (density: 2000.0), mesh: Box(corner: (-2, -2, 0), size: (4, 4, 1), cells: (1, 1, 1))), \
         (name: \"box\", rigid: true, inertia: (mass: 600.0), mesh: Box(corner: (-1, -0.5, -0.5), size: (2, 1, 0.5), cells: (1, 1, 1)))], \
         motions: [(body: \"slab\", x: 0.0, y: 0.0, z: 0.0, spin: 0.0)], \
         contacts: [(name: \"glue\", candidates: (body: \"box\"), antagonists: Surface(body: \"slab\"), law: {law})], \
         loads: [Force(body: \"box\", force: (0.0, 0.0, {}), point: ({at}, 0.0, -0.25))]",
        -force
    ))
}

/// A bond of strength c on the area A carries up to c A in its middle. Off it by e, the corner on that side carries F (1/2 + e/b) of the force and holds c A/2: F ≤ c A/(1 + 2e/b), b = 2 m. In the plane, where two corners
/// have one way to share a force; A = 2 m × 0.1 m, the lesser thickness. In space four corners may share it unevenly, and one may break before.
#[test]
fn a_bond_carries_its_strength_times_the_area() {
    for law in ["Cohesive(cohesion: 1e4)", "Cohesive(cohesion: 1e3, per: Point)"] {
        for (at, most) in [(0.0, 2e3), (0.5, 2e3 / 1.5), (-0.5, 2e3 / 1.5)] {
            for (part, holds) in [(0.999, true), (1.001, false)] {
                let model = made::<2>(&format!(
                    "step: 0.001, bodies: [\
                     (name: \"slab\", rigid: true, inertia: (mass: 1.0), section: PlaneStrain(thickness: 0.3), mesh: Rectangle(corner: (-2, 0), size: (4, 1), cells: (1, 1))), \
                     (name: \"box\", rigid: true, inertia: (mass: 600.0), section: PlaneStrain(thickness: 0.1), mesh: Rectangle(corner: (-1, -0.5), size: (2, 0.5), cells: (1, 1)))], \
                     motions: [(body: \"slab\", x: 0.0, y: 0.0, spin: 0.0)], \
                     contacts: [(name: \"glue\", candidates: (body: \"box\"), antagonists: Surface(body: \"slab\"), law: {law})], \
                     loads: [Force(body: \"box\", force: (0.0, {}), point: ({at}, -0.25))]",
                    -part * most
                ));
                let end = run(&model, 20, |k, o| {
                    if k == 0 {
                        close(o.touches.iter().map(|t| t.contact.area).sum(), 0.2, 1e-12, "area");
                    }
                });
                // Rounding of places is taken off the gaps, 1e-13 of them.
                let fallen = -end.states[1].q[1];
                assert!(if holds { fallen.abs() < 1e-12 } else { fallen > 1e-4 }, "{part} of {most}: {fallen}");
            }
        }
    }
}

/// The same in space, where four corners share the pull in many ways: the face still carries c A = 2e4 N in its middle. Off the middle by e along x the two corners on that side carry F (1/2 + e/b), whichever of them, and hold c A/2.
#[test]
fn a_face_in_space_carries_its_strength_however_corners_share_it() {
    for (at, most) in [(0.0, 2e4), (0.5, 2e4 / 1.5)] {
        for (part, holds) in [(0.999, true), (1.001, false)] {
            let end = run(&hung("Cohesive(cohesion: 1e4)", part * most, at), 20, |_, _| {});
            let fallen = -end.states[1].q[2];
            assert!(if holds { fallen.abs() < 1e-12 } else { fallen > 1e-6 }, "{part} of {most}: {fallen}");
        }
    }
}

/// Mohr and Coulomb: a block on a fixed one, in the plane with a thickness of 0.1 m, pushed along: it slides above tanφ (W + c A). Two corners share the push in no unique way, and one may be at its bound while the other holds the block:
/// the joint breaks where both together cannot carry it.
#[test]
fn a_joint_resists_shear_by_cohesion_and_weight() {
    let most = 0.5 * (1000.0 + 3e4 * 0.05);
    for (part, holds) in [(0.499, true), (0.75, true), (0.999, true), (1.001, false), (1.5, false)] {
        let model = made::<2>(&format!(
            "step: 0.001, bodies: [\
             (name: \"base\", rigid: true, inertia: (mass: 100.0), section: PlaneStrain(thickness: 0.2), mesh: Rectangle(corner: (-1, -1), size: (2, 1), cells: (1, 1))), \
             (name: \"block\", rigid: true, inertia: (mass: 100.0), section: PlaneStrain(thickness: 0.1), mesh: Rectangle(corner: (-0.25, 0), size: (0.5, 0.2), cells: (1, 1)))], \
             motions: [(body: \"base\", x: 0.0, y: 0.0, spin: 0.0)], \
             contacts: [(name: \"joint\", candidates: (body: \"block\"), antagonists: Surface(body: \"base\"), law: MohrCoulomb(cohesion: 3e4, internal_friction: 0.5, friction: 0.1))], \
             loads: [Force(body: \"block\", force: ({}, -1000.0), point: (0.0, 0.0))]",
            part * most
        ));
        let end = run(&model, 20, |_, _| {});
        let slid = end.states[1].q[0];
        assert!(if holds { slid.abs() < 1e-12 } else { slid > 1e-6 }, "{part}: {slid}");
    }
}

/// The same in space: c tanφ A in any direction, and pushed back and forth below it, where the corners take their shares anew in every step.
#[test]
fn a_joint_in_space_resists_shear_in_any_direction() {
    let most = 0.5 * (1000.0 + 3e4 * 0.5);
    for (part, holds) in [(0.999, true), (1.001, false)] {
        for angle in [0.0_f64, 0.4, 2.0] {
            let (x, y) = (part * most * angle.cos(), part * most * angle.sin());
            let model = made::<3>(&format!(
                "step: 0.001, bodies: [\
                 (name: \"base\", rigid: true, inertia: (mass: 100.0), mesh: Box(corner: (-1, -1, -1), size: (2, 2, 1), cells: (1, 1, 1))), \
                 (name: \"block\", rigid: true, inertia: (mass: 100.0), mesh: Box(corner: (-0.5, -0.25, 0), size: (1, 0.5, 0.2), cells: (1, 1, 1)))], \
                 motions: [(body: \"base\", x: 0.0, y: 0.0, z: 0.0, spin: 0.0)], \
                 contacts: [(name: \"joint\", candidates: (body: \"block\"), antagonists: Surface(body: \"base\"), law: MohrCoulomb(cohesion: 3e4, internal_friction: 0.5, friction: 0.1))], \
                 loads: [Force(body: \"block\", force: ({x}, {y}, -1000.0), point: (0.0, 0.0, 0.0))]"
            ));
            let end = run(&model, 20, |_, _| {});
            let slid = end.states[1].q[0].hypot(end.states[1].q[1]);
            assert!(if holds { slid < 1e-12 } else { slid > 1e-6 }, "{part} at {angle}: {slid}");
        }
    }
}

/// Blocks that lie flush, and shear in an elastic bond: corners leave the faces they were on, the keys of contacts change, the bond stays. A force that is laid on stretches a spring C_T A twice as far as
/// at rest, with the period 2π √(m/(C_T A)).
#[test]
fn a_bond_survives_the_exchange_of_features() {
    // C_T A = 4e7 N/m, m = 1000 kg: the frequency is 200 rad/s, the way at rest 1e-4 m.
    let model = made::<3>(
        "step: 1e-4, bodies: [\
         (name: \"base\", rigid: true, inertia: (mass: 100.0), mesh: Box(corner: (0, 0, -1), size: (1, 1, 1), cells: (1, 1, 1))), \
         (name: \"block\", rigid: true, inertia: (mass: 1000.0), mesh: Box(corner: (0, 0, 0), size: (1, 1, 1), cells: (1, 1, 1)))], \
         motions: [(body: \"base\", x: 0.0, y: 0.0, z: 0.0, spin: 0.0), (body: \"block\", spin: 0.0)], \
         contacts: [(name: \"bond\", candidates: (body: \"block\"), antagonists: Surface(body: \"base\"), law: Adhesive(normal_stiffness: 1e9, tangential_stiffness: 4e7, energy: 1e6))], \
         loads: [Force(body: \"block\", force: (2400.0, 3200.0, 0.0))]",
    );
    let (mut far, mut keys) = (0.0_f64, std::collections::BTreeSet::new());
    let steps = (std::f64::consts::PI / 200.0 / 1e-4).round() as usize;
    let end = run(&model, steps, |_, o| {
        assert_eq!(o.touches.len(), 4);
        keys.extend(o.touches.iter().map(|t| t.contact.key));
        assert!(o.touches.iter().all(|t| t.contact.area > 0.249));
        let q = &o.snapshot.states[1].q;
        far = far.max((q[0] * q[0] + q[1] * q[1]).sqrt());
    });
    // Half a period: the farthest point, to the order of the step (the law has the spring at the end of a step).
    close(far / 2e-4, 1.0, 2e-2, "farthest");
    close(end.states[1].q[0] / end.states[1].q[1], 0.75, 1e-9, "direction");
    assert_eq!(keys.len(), 4, "{keys:?}");
}

/// Bits after a resumed run: the histories are those of the snapshot alone, so that a step from it is the same in a new engine.
#[test]
fn a_bond_is_remembered_by_the_snapshot_alone() {
    let model = hung("Adhesive(normal_stiffness: 1e7, tangential_stiffness: 1e7, energy: 1e3)", 5e3, 0.3);
    let whole = run(&model, 40, |_, _| {});
    let mut engine = delassus_sim::engine::Engine::new(&model).unwrap();
    let mut snapshot = engine.start().unwrap();
    for k in 0..40 {
        if k % 7 == 3 {
            engine = delassus_sim::engine::Engine::new(&model).unwrap();
        }
        let timings = &mut delassus_sim::timings::Timings::default();
        snapshot = delassus_sim::step::step(&mut engine, timings, &snapshot, model.h).unwrap().snapshot;
    }
    assert_eq!(format!("{:?}", whole.states), format!("{:?}", snapshot.states));
    assert_eq!(whole.histories, snapshot.histories);
}
