//! Bodies that spin at the start, or may: the turn in a step, and the spin that the scheme takes over the run.
//!
//! ```text
//! phase of a turn   wrong by (hω)²/12 of it                     midpoint rule: 2 atan(hω/2) for hω
//! energy of a spin  falls by 2m (hω)² of it in a step           m = θ − ½ (θ, modified θ), ½ (θ-Euler), γ − ½ (Newmark)
//! ```
//!
//! A rigid body turns exactly in any step; but its contacts and joints are looked at in one configuration of it.
//!
//! A body that is still at the start may turn if nothing holds its rotation: it is told for schemes with m > 0.

use delassus_case::spec::AntagonistSpec;
use delassus_dynamics::System;
use delassus_dynamics::integrator::{IntegratorSpec, ModifiedTheta, Newmark, Theta};
use delassus_error::digits::{percent, short};
use delassus_math as math;

use super::loss::round_to;
use super::{Advice, AdviceView, EntryAdvice, Listed, gathered};

/// Turn in a step above which an iteration of the step becomes slow, and its phase noticeably wrong \[rad\].
const FAR: f64 = 0.1;

/// Turn in a step above which the contacts and joints of a rigid body that is not round are somewhere else by the end of it \[rad\].
const RIGID_FAR: f64 = 0.5;

/// Smallest fraction of the energy of a spin for which advice is given.
const TOLD: f64 = 0.01;

pub(super) fn advise<const D: usize>(view: &AdviceView<'_, D>) -> Vec<Advice> {
    let model = view.model;
    let mut findings = Vec::new();
    for (entry, given) in view.loaded.case.bodies.iter().enumerate() {
        let body = model.bodies.iter().zip(&view.start.states).find(|(b, _)| b.entry == entry);
        let Some((b, turning, state)) = body.and_then(|(b, state)| Some((b, b.body.turning()?, state))) else {
            continue;
        };
        let spin = turning.begin(state, model.h).spin.iter().fold(0.0, |length: f64, w| math::hypot(length, *w));
        let turn = model.h * spin;
        let found = |text: String| EntryAdvice { name: given.name.clone(), text, set: String::new() };
        if turn > FAR {
            findings.push(found(format!(
                "it turns by {} rad in a step at the start, and steps above {FAR} rad need many iterations or are cut; better: --set step={}",
                short(round_to(turn, 2)),
                short(round_to(0.5 * FAR / spin, 2)),
            )));
        }
        let share = share(&view.loaded.case.integrator);
        let lost = 1.0 - math::exp(-2.0 * share * turn * turn * model.n_steps as f64);
        if lost > TOLD {
            findings.push(found(format!(
                "the scheme takes {} of the energy of its spin over the run; better: --set 'integrator=EnergyMomentum(theta: 0.5)', which \
                 leaves it",
                percent(lost)
            )));
        } else if share > 0.0 && turn <= FAR && may_turn(&*b.body) {
            findings.push(found(format!(
                "nothing holds its rotation, and the scheme slows a spin down (by {} of its energy in a step of {FAR} rad); better, if it turns: \
                 --set 'integrator=EnergyMomentum(theta: 0.5)', which leaves it",
                percent(2.0 * share * FAR * FAR)
            )));
        }
    }
    findings.extend(rigid(view));
    gathered("spin", Listed::Bodies, findings)
}

/// Rigid bodies that turn far in a step, and touch something or are held.
fn rigid<const D: usize>(view: &AdviceView<'_, D>) -> Vec<EntryAdvice> {
    let (model, case) = (view.model, &view.loaded.case);
    let mut findings = Vec::new();
    for (entry, given) in case.bodies.iter().enumerate() {
        let Some((b, state)) = model.bodies.iter().zip(&view.start.states).find(|(b, _)| b.entry == entry) else {
            continue;
        };
        let Some(body) = b.body.rigid().filter(|r| r.ball_radius().is_none()) else { continue };
        let is_in = |name: &str| name == given.name || name == b.name;
        let touches = case.contacts.iter().any(|c| {
            is_in(&c.candidates.body) || matches!(&c.antagonists, AntagonistSpec::Surface(s) if is_in(&s.body))
        });
        let is_held = case.joints.iter().any(|j| is_in(&j.body) || j.to.as_deref().is_some_and(is_in));
        let spin = body.spin(&state.q, &state.v).norm();
        if (touches || is_held) && spin * model.h > RIGID_FAR {
            findings.push(EntryAdvice {
                name: given.name.clone(),
                text: format!(
                    "it turns by {} rad in a step at the start, and its contacts and joints are looked at once in a step; better: --set step={}",
                    short(round_to(spin * model.h, 2)),
                    short(round_to(0.5 * RIGID_FAR / spin, 2)),
                ),
                set: String::new(),
            });
        }
    }
    findings
}

/// Is a rotation among the rigid motions that supports leave free?
fn may_turn(system: &dyn System) -> bool {
    system.floating().is_some_and(|floating| floating.modes.iter().any(|mode| mode.turns))
}

/// m.
fn share(spec: &IntegratorSpec) -> f64 {
    match spec {
        IntegratorSpec::Theta(Theta { theta }) | IntegratorSpec::ModifiedTheta(ModifiedTheta { theta }) => theta - 0.5,
        IntegratorSpec::ThetaEuler(_) => 0.5,
        IntegratorSpec::Newmark(Newmark { gamma, .. }) => gamma - 0.5,
        IntegratorSpec::EnergyMomentum(_) | IntegratorSpec::Explicit(_) | IntegratorSpec::QuasiStatic => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{advice_of, check_advice};

    fn plate(scheme: &str, step: f64, spin: f64) -> String {
        format!(
            r#"(title: "plate", materials: [(name: "m", density: 1.0, law: KelvinVoigt(young: 1e3, poisson: 0.3))],
                bodies: [(name: "plate", mesh: Rectangle(corner: (0, 0), size: (2, 1), cells: (4, 2)), material: "m", spin: {spin})],
                integrator: {scheme}, step: {step}, duration: 2.0)"#
        )
    }

    fn about_spin(text: &str) -> Vec<String> {
        advice_of(text).into_iter().filter(|a| a.contains("turns by") || a.contains("its spin")).collect()
    }

    #[test]
    fn a_fast_turn_and_a_lossy_scheme_are_told() {
        check_advice(
            &plate("EnergyMomentum(theta: 0.5)", 0.05, 4.0),
            &["body `plate`", "turns by 0.2 rad", "--set step=0.013"],
        );
        // 2 · ½ · (hω)² · n = 0.02
        check_advice(&plate("Theta(theta: 1.0)", 0.01, 1.0), &["body `plate`", "takes 2 % of the energy of its spin"]);
        check_advice(&plate("ThetaEuler(theta: 0.5)", 0.01, 1.0), &["takes 2 %", "EnergyMomentum(theta: 0.5)"]);
        check_advice(&plate("Newmark(gamma: 1.0, beta: 0.6)", 0.01, 1.0), &["takes 2 %"]);
        for scheme in ["EnergyMomentum(theta: 1.0)", "Theta(theta: 0.5)", "Newmark(gamma: 0.5, beta: 0.25)"] {
            assert_eq!(about_spin(&plate(scheme, 0.01, 1.0)), Vec::<String>::new(), "{scheme}");
        }
    }

    /// A rigid box that turns by 3 rad in a step beside a floor; a round body, a slow one and one that touches nothing are left alone.
    #[test]
    fn a_rigid_body_that_turns_far_beside_another_is_told() {
        let scene = |mesh: &str, spin: f64, law: &str| {
            format!(
                r#"(title: "t", materials: [], bodies: [(name: "die", mesh: {mesh}, rigid: true, inertia: (mass: 1), spin: {spin})],
                    obstacles: [(name: "floor", shape: HalfPlane(point: (0, -1), normal: (0, 1)))], contacts: [{law}],
                    integrator: ModifiedTheta(theta: 0.5), step: 0.01, duration: 1.0)"#
            )
        };
        let die = "Rectangle(corner: (0, 0), size: (1, 1), cells: (1, 1))";
        let law = r#"(name: "c", candidates: (body: "die"), antagonists: Obstacle("floor"), law: Restitution())"#;
        check_advice(
            &scene(die, 300.0, law),
            &["body `die`", "turns by 3 rad", "once in a step", "--set step=0.00083"],
        );
        for text in
            [scene(die, 30.0, law), scene(die, 300.0, ""), scene("Round(centre: (0, 0), radius: 0.5)", 300.0, law)]
        {
            assert_eq!(about_spin(&text), Vec::<String>::new());
        }
    }

    /// One that is still, or loses little, is told that it may turn, unless it is held or has no frame.
    #[test]
    fn a_body_that_may_turn_is_told() {
        let may = ["body `plate`", "nothing holds its rotation", "EnergyMomentum(theta: 0.5)"];
        for (scheme, spin) in [("ThetaEuler(theta: 1.0)", 0.0), ("Theta(theta: 0.55)", 1.0)] {
            check_advice(&plate(scheme, 0.01, spin), &may);
        }
        let still = plate("Theta(theta: 1.0)", 0.01, 0.0);
        let held =
            still.replace("integrator:", "boundary: [(body: \"plate\", group: \"left\", x: 0, y: 0)], integrator:");
        let linear = still.replace("integrator:", "kinematics: SmallStrain, integrator:");
        for text in [held, linear, plate("EnergyMomentum(theta: 0.5)", 0.01, 0.0)] {
            assert!(!advice_of(&text).iter().any(|a| a.contains("nothing holds")), "{text}");
        }
    }
}
