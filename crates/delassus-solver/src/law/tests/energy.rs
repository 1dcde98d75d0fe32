//! The energy of bonds: the work on the path of a step, from forces, is what the bond stores and loses.

use super::*;

/// The identity of a step, to some roundings of its terms.
pub(super) fn check<const D: usize>(energy: &LawEnergy<D>, what: &str) -> f64 {
    let LawEnergy { stored, dissipated, friction, path_work, remainder, .. } = *energy;
    let scale = stored.abs() + dissipated.abs() + friction.abs() + path_work.abs() + remainder.abs();
    let left = path_work - stored - dissipated - friction - remainder;
    assert!(left.abs() <= 1e-12 * scale, "{what}: {left:e} of {energy:?}");
    scale
}

/// Stiffness, strength and energy of some order: openings of 1e-6 m matter.
const C: f64 = 1e12;

fn adhesive(viscosity: f64, exponent: f64, theta: f64) -> LawSpec {
    LawSpec::Adhesive(Adhesive {
        normal_stiffness: C,
        tangential_stiffness: 0.4 * C,
        energy: 0.3,
        viscosity,
        exponent,
        theta,
        friction: 0.2,
        friction_acts: FrictionActs::WithAdhesion,
        bonded_friction: None,
        per: Per::Area,
    })
}

/// Bonds that give way.
fn soft() -> [LawSpec; 5] {
    [
        adhesive(0.0, 1.0, 1.0),
        adhesive(1e-4, 1.0, 1.0),
        adhesive(1e-4, 1.6, 0.5),
        LawSpec::BilinearCohesive(BilinearCohesive {
            strength: 4e5,
            stiffness: C,
            energy: 0.5,
            friction: 0.3,
            per: Per::Area,
        }),
        LawSpec::Compliant(Compliant { stiffness: Some(C), damping: None, friction: 0.2, per: Per::Area }),
    ]
}

/// A point that is led along a way, whatever the bodies would do.
struct Led {
    law: std::sync::Arc<dyn ContactLaw<3>>,
    z: Vec<f64>,
    gap: f64,
}

impl Led {
    fn new(spec: &LawSpec) -> Self {
        spec.validate().unwrap();
        let law = spec.build::<3>().unwrap();
        let mut z = vec![f64::NAN; history_len(law.as_ref())];
        law.start(true, &mut z);
        Self { law, z, gap: 0.0 }
    }

    /// A step over `way`, a part `drift` of which lies before the contact configuration.
    fn advance(&mut self, way: Vector<3>, drift: f64, step: &StepTimes, status: Status) -> LawEnergy<3> {
        let zero = Vector::<3>::zeros();
        let drift = way * drift;
        let x = ContactInput {
            gap: self.gap + drift[0],
            area: 0.7,
            v_minus: zero,
            v_free: zero,
            drift,
            frame: Matrix::identity(),
            acted: false,
            place: Vector::zeros(),
            time: 0.0,
        };
        let scale = ContactScale::new(1.0, 1.0);
        let velocity = (way - drift) / step.rest;
        let out = ContactSolution { velocity, impulse: zero, status, push: 0.0, scale };
        let old = self.z.clone();
        let energy = self.law.commit(&x, &out, step, &old, &mut self.z);
        self.gap = x.gap + step.rest * velocity[0];
        energy
    }
}

/// Over random ways, with the times of θ-Euler, of a θ-method and of a scheme whose law looks elsewhere than where positions end.
#[test]
fn work_on_the_path_is_stored_or_lost() {
    let times = [(1e-3, 1e-3, 0.0), (0.55e-3, 0.55e-3, 0.45), (1e-3, 0.55e-3, 0.45)];
    for spec in soft() {
        for (gap_time, rest, drift) in times {
            let mut point = Led::new(&spec);
            let step = StepTimes { h: 1e-3, gap_time, rest };
            let mut random = Random::new(7);
            let (mut stored, mut lost, mut scale) = (0.0, 0.0, 0.0);
            for _ in 0..400 {
                // The bond is drawn open, or pressed.
                let energy = point.advance(random.point::<3>() * 4e-7, drift, &step, Status::Stick);
                scale += check(&energy, &format!("{spec:?}"));
                stored += energy.stored.abs();
                lost += energy.dissipated;
                // The gap is where the last step left it.
                assert!(energy.remainder.abs() <= 1e-12 * scale, "{spec:?}: {energy:?}");
            }
            // Half of either would be seen.
            assert!(stored > 0.1 * scale, "{spec:?}");
            assert!(lost > 1e-3 * scale || matches!(spec, LawSpec::Compliant(_)), "{spec:?}: {lost:e} of {scale:e}");
        }
    }
}

/// A gap that is measured anew, or an area that changed, is the remainder: nothing else notices.
#[test]
fn what_was_predicted_badly_is_the_remainder() {
    for spec in soft() {
        let mut point = Led::new(&spec);
        let step = StepTimes { h: 1e-3, gap_time: 1e-3, rest: 1e-3 };
        let sign = if matches!(spec, LawSpec::Compliant(_)) { -1.0 } else { 1.0 };
        point.advance(Vector::<3>::new(sign * 2e-7, 0.0, 0.0), 0.0, &step, Status::Stick);
        // Twice as far as the law thought: the springs hold four times as much.
        point.gap *= 2.0;
        let energy = point.advance(Vector::<3>::zeros(), 0.0, &step, Status::Stick);
        check(&energy, &format!("{spec:?}"));
        let held = 0.5 * C * 0.7 * 4e-14;
        assert!((energy.remainder / (-3.0 * held) - 1.0).abs() < 1e-9, "{spec:?}: {energy:?}");
        assert!(energy.path_work.abs() < 1e-12 * held, "{spec:?}: {energy:?}");
    }
}

/// The path of short steps is the curve of forces over openings: the work on it is that of the bond's force, to first order in the step.
#[test]
fn work_on_the_path_is_that_of_the_force_in_the_limit() {
    for spec in soft() {
        let sign = if matches!(spec, LawSpec::Compliant(_)) { -1.0 } else { 1.0 };
        let total = |n: u32| {
            let mut point = Led::new(&spec);
            let h = 1e-3 / f64::from(n);
            let step = StepTimes { h, gap_time: h, rest: h };
            let way = Vector::<3>::new(sign * 1.5e-6, 5e-7, -2e-7) / f64::from(n);
            let mut sums = (0.0, 0.0);
            for _ in 0..n {
                let energy = point.advance(way, 0.0, &step, Status::Stick);
                // A push has no bond of its own but for a contact that gives way, whose whole impulse it is.
                let force = match spec {
                    LawSpec::Compliant(_) => Vector::<3>::new(-0.7 * C * point.gap, 0.0, 0.0),
                    _ => energy.bond / h,
                };
                sums = (sums.0 + energy.path_work, sums.1 - force.dot(&way));
            }
            sums
        };
        let [coarse, fine] = [200, 400].map(total);
        let ratio = (coarse.1 - coarse.0) / (fine.1 - fine.0);
        assert!((ratio - 2.0).abs() < 0.1, "{spec:?}: {ratio}, {coarse:?}, {fine:?}");
        assert!((fine.1 / fine.0 - 1.0).abs() < 0.02, "{spec:?}: {fine:?}");
    }
}

/// Bonds that do not give way lose c A over the way on which they break, and nothing else; ties neither store nor lose.
#[test]
fn brittle_bonds_lose_their_work_at_once() {
    let glue = Glue::Never;
    let mohr = MohrCoulomb { cohesion: 3e5, internal_friction: 0.6, friction: 0.4, per: Per::Area, glue };
    let step = StepTimes { h: 1e-3, gap_time: 1e-3, rest: 1e-3 };
    for spec in [LawSpec::MohrCoulomb(mohr), LawSpec::Cohesive(Cohesive { cohesion: 3e5, per: Per::Area, glue })] {
        let mut point = Led::new(&spec);
        let way = Vector::<3>::new(2e-6, 1e-6, 0.0);
        let held = point.advance(Vector::<3>::zeros(), 0.0, &step, Status::Stick);
        assert!(held.path_work.abs() + held.dissipated.abs() <= 0.0 && held.bond[0] < 0.0);
        let broken = point.advance(way, 0.0, &step, Status::Open);
        check(&broken, &format!("{spec:?}"));
        assert!((broken.path_work / (3e5 * 0.7 * 2e-6) - 1.0).abs() < 1e-14);
        assert!((broken.dissipated / broken.path_work - 1.0).abs() < 1e-14);
        assert_eq!(point.advance(way, 0.0, &step, Status::Open), LawEnergy::default());
    }
    let mut tied = Led::new(&LawSpec::Tied(Tied { release: Release::Never }));
    let energy = tied.advance(Vector::<3>::zeros(), 0.0, &step, Status::Bonded);
    assert!(energy.path_work.abs() + energy.stored.abs() + energy.dissipated.abs() + energy.remainder.abs() <= 0.0);
}
