//! Brittle bonds and ties against their closed forms.

use super::driven::Driven;
use super::*;

pub(super) fn some(random: &mut Random, size: &Size) -> Vec<LawSpec> {
    let cohesion = size.pressure * random.decades(-2.0, 1.0);
    let glue = [Glue::Never, Glue::OnContact, Glue::UnderPressure][random.below(3)];
    let (internal_friction, friction) = (random.between(0.0, 1.2), random.between(0.0, 1.2));
    vec![
        LawSpec::MohrCoulomb(MohrCoulomb { cohesion, internal_friction, friction, per: Per::Area, glue }),
        LawSpec::Cohesive(Cohesive { cohesion, per: Per::Area, glue }),
        LawSpec::Tied(Tied { release: Release::Never }),
        LawSpec::Tied(Tied { release: Release::InTension }),
    ]
}

/// A block of 2 kg on the ground, a step of 1 ms.
fn block(spec: LawSpec) -> Driven<2> {
    Driven::<2>::of_mobility(spec, 1e-3, 0.5)
}

const COHESIVE: MohrCoulomb =
    MohrCoulomb { cohesion: 30.0, internal_friction: 0.7, friction: 0.4, per: Per::Point, glue: Glue::Never };

fn bonded(point: &Driven<2>) -> bool {
    point.z[0] > 0.5
}

#[test]
fn a_cohesive_bond_breaks_at_its_strength() {
    let cohesive = LawSpec::Cohesive(Cohesive { cohesion: 30.0, per: Per::Point, glue: Glue::Never });
    for spec in [cohesive, LawSpec::MohrCoulomb(COHESIVE)] {
        let mut point = block(spec);
        let mut pull = 0.0;
        while bonded(&point) {
            pull += 0.01;
            assert!(pull < 31.0);
            let done = point.push(Vector::<2>::new(pull, 0.0));
            if bonded(&point) {
                assert!((done.force(&point.step)[0] + pull).abs() < 1e-10 && point.gap.abs() < 1e-15);
            } else {
                // On the last step it pulls with its strength over the way it opens.
                assert!((done.force(&point.step)[0] + 30.0).abs() < 1e-10);
                assert!((done.energy.dissipated - 30.0 * point.gap).abs() < 1e-15);
                assert!((point.z[1] - done.energy.dissipated).abs() < 1e-18 && point.gap > 0.0);
            }
        }
        // To the step of the ramp.
        assert!((pull - 30.0).abs() < 0.011, "{pull}");
        // Broken: nothing holds any more.
        assert!(point.push(Vector::<2>::new(pull, 0.0)).out.impulse.norm() < 1e-300);
    }
}

#[test]
fn shear_strength_is_that_of_mohr_and_coulomb_and_the_rest_is_friction() {
    let (pressure, mut shear) = (20.0, 0.0);
    let mut point = block(LawSpec::MohrCoulomb(COHESIVE));
    let mut peak = 0.0_f64;
    while bonded(&point) {
        shear += 0.01;
        assert!(shear < 40.0);
        let done = point.push(Vector::<2>::new(-pressure, shear));
        peak = peak.max(-done.force(&point.step)[1]);
    }
    // tanφ (N + c), to the step of the ramp; then μ N.
    assert!((peak - 0.7 * (pressure + 30.0)).abs() < 1e-9, "{peak}");
    assert!((shear - peak).abs() < 0.011);
    let done = point.push(Vector::<2>::new(-pressure, shear));
    assert!((done.force(&point.step) - Vector::<2>::new(pressure, -0.4 * pressure)).norm() < 1e-9);
    // A cohesive bond without friction slides and holds.
    let mut point = block(LawSpec::Cohesive(Cohesive { cohesion: 30.0, per: Per::Point, glue: Glue::Never }));
    let done = point.push(Vector::<2>::new(-pressure, 5.0));
    assert!(bonded(&point) && done.out.impulse[1].abs() < 1e-15 && point.velocity[1] > 0.0);
}

#[test]
fn broken_bonds_are_glued_by_their_rule() {
    // What each rule says after a contact without pressure, and after one with it.
    for (glue, touched, pressed) in
        [(Glue::Never, false, false), (Glue::OnContact, true, true), (Glue::UnderPressure, false, true)]
    {
        for spec in [
            LawSpec::MohrCoulomb(MohrCoulomb { glue, ..COHESIVE }),
            LawSpec::Cohesive(Cohesive { cohesion: 30.0, per: Per::Point, glue }),
        ] {
            let mut point = block(spec);
            point.push(Vector::<2>::new(40.0, 0.0));
            assert!(!bonded(&point) && point.gap > 0.0);
            // Back to where the gap closes without a push.
            point.advance(Vector::<2>::new(-point.gap / point.step.h, 0.0));
            assert!(point.gap.abs() < 1e-18);
            point.velocity = Vector::<2>::zeros();
            assert_eq!(bonded(&point), touched, "{glue:?}");
            point.push(Vector::<2>::new(-1.0, 0.0));
            assert_eq!(bonded(&point), pressed, "{glue:?}");
            assert_eq!(point.law.reaches(&point.z), pressed);
        }
    }
}

#[test]
fn what_is_tied_stays_where_it_was() {
    let mut point = block(LawSpec::Tied(Tied { release: Release::Never }));
    let mut random = Random::new(3);
    for _ in 0..100 {
        let force = random.point::<2>() * 1e3;
        let done = point.push(force);
        assert!((done.force(&point.step) + force).norm() < 1e-9);
        assert!(point.gap.abs() < 1e-17 && point.z[2].abs() < 1e-17);
        assert_eq!(done.out.status, Status::Bonded);
    }
    // Moved away from there, it comes back in a step.
    point.z[2] = 1e-5;
    point.push(Vector::<2>::zeros());
    assert!(point.z[2].abs() < 1e-17);
}

#[test]
fn a_tie_that_is_pulled_opens_and_holds_again_when_pressed() {
    let mut point = block(LawSpec::Tied(Tied { release: Release::InTension }));
    let held = point.push(Vector::<2>::new(-1.0, 50.0));
    assert!((held.force(&point.step) - Vector::<2>::new(1.0, -50.0)).norm() < 1e-9);
    let free = point.push(Vector::<2>::new(1.0, 50.0));
    assert!(free.out.impulse.norm() < 1e-300 && point.gap > 0.0 && point.velocity[1] > 0.0);
    // Thrown back it lands, and stops at once.
    point.advance(Vector::<2>::new(-1.0, 0.3));
    assert!(point.gap.abs() < 1e-15 && point.velocity[1].abs() < 1e-15);
}
