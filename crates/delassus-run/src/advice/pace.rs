//! The step against waves, against the slow motion, and against an impact.
//!
//! ```text
//! T = 2L/c        a wave along a body, there and back (`scales`): for so long a bar stays on what it strikes; round faces stay longer
//! e/c             a wave through the smallest cell: nothing in the mesh is faster
//! ```
//!
//! | found | advice |
//! |---|---|
//! | an impact, T < 5 h | a shorter step: the impact is over in a few steps |
//! | no impact, T < 20 h, and neither scheme nor body damps | Theta(1): vibrations that are not resolved would continue |
//! | h < 0.02 e/c, implicit scheme | a longer step: the waves are resolved with far fewer |

use std::f64::consts::TAU;

use delassus_error::digits::{percent, short};
use delassus_math as math;
use delassus_sim::model::ModelAntagonist;
use delassus_solver::LawSpec;

use super::loss::{lost_over, own_decay, round_to, vibration};
use super::{Advice, AdviceView, EntryAdvice, Listed, gathered};

/// Steps of a period that resolve it.
pub(super) const RESOLVED: f64 = 20.0;

/// Steps of T below which an impact is not resolved, whatever the faces that meet: round ones stay together for some T.
const FOR_AN_IMPACT: f64 = 5.0;

/// The part of the crossing time of the smallest cell that a step for impacts takes.
const FOR_IMPACTS: f64 = 0.9;

/// The part of that time below which a step is needlessly short.
const SHORT: f64 = 0.02;

/// The part of the energy of an unresolved vibration that must be gone by the end of the run.
const DAMPED: f64 = 0.9;

pub(super) fn advise<const D: usize>(view: &AdviceView<'_, D>) -> Vec<Advice> {
    // Statics has no waves.
    if !view.model.integrator.has_inertia() {
        return Vec::new();
    }
    let mut advice = gathered("step", Listed::Bodies, unresolved(view));
    advice.extend(needlessly_short(view));
    advice
}

/// Bodies whose slowest motion the step does not resolve.
fn unresolved<const D: usize>(view: &AdviceView<'_, D>) -> Vec<EntryAdvice> {
    let model = view.model;
    let s = view.loaded.case.units.symbol(" s");
    let struck = struck_bodies(view);
    let mut findings = Vec::new();
    for (entry, given) in view.loaded.case.bodies.iter().enumerate() {
        let Some(b) = model.bodies.iter().find(|b| b.entry == entry) else { continue };
        let Some(body) = b.body.finite_elements() else { continue };
        let Some(wave) = vibration(body).filter(|w| w.period < RESOLVED * model.h) else { continue };
        let steps = short(round_to(wave.period / model.h, 2));
        let is_struck = model.bodies.iter().zip(&struck).any(|(b, struck)| b.entry == entry && *struck);
        let crossing = body.characteristics().crossing_time;
        let period = short(round_to(wave.period, 3));
        if is_struck {
            if wave.period >= FOR_AN_IMPACT * model.h {
                continue;
            }
            let text = format!(
                "it hits something, and a wave travels through it and back in {period}{s}: {steps} steps of {}{s}, \
                 too few for the impact; better: --set step={} (in which a wave crosses its smallest cell)",
                short(model.h),
                short(round_to(FOR_IMPACTS * crossing, 2)),
            );
            findings.push(EntryAdvice { name: view.entry_name(entry).to_owned(), text, set: String::new() });
            continue;
        }
        let duration = model.h * model.n_steps as f64;
        let own = 1.0 - math::exp(-own_decay(body, given, TAU / wave.period) * duration);
        let Some(lost) = lost_over(&*model.integrator, wave.period, model.h, model.n_steps) else { continue };
        if lost < DAMPED && own < DAMPED && duration > wave.period {
            // It damps vibrations and leaves the spin.
            let calm = if b.body.turning().is_some() { "EnergyMomentum" } else { "Theta" };
            let text = format!(
                "a wave travels through it and back in {period}{s}, {steps} steps: too few to resolve its \
                 vibrations, of whose energy the scheme dissipates only {} over the run; better: --set \
                 'integrator={calm}(theta: 1.0)' for a slow motion, or --set step={} to resolve the vibrations",
                percent(lost),
                short(round_to(wave.period / RESOLVED, 2)),
            );
            findings.push(EntryAdvice { name: view.entry_name(entry).to_owned(), text, set: String::new() });
        }
    }
    findings
}

/// Which bodies something approaches at t = 0, so fast that it arrives within the run. An impact with a law of restitution is over at
/// once, whatever the step.
fn struck_bodies<const D: usize>(view: &AdviceView<'_, D>) -> Vec<bool> {
    let model = view.model;
    let duration = model.h * model.n_steps as f64;
    let mut struck = vec![false; model.bodies.len()];
    for contact in view.contacts {
        let Some(pass) = model.pass_of(&contact.key) else { continue };
        if matches!(view.loaded.case.contacts[contact.key.pair as usize].law, LawSpec::Restitution(_)) {
            continue;
        }
        let body = pass.candidates.body();
        let mut approach = -mean_velocity::<D>(&view.start.states[body].v, &contact.normal());
        let other = match pass.antagonist {
            ModelAntagonist::Surface(surface) => {
                approach += mean_velocity::<D>(&view.start.states[surface.body()].v, &contact.normal());
                Some(surface.body())
            }
            ModelAntagonist::Obstacle(obstacle) => {
                let at = |i: usize| obstacle.velocity.get(i).map_or(0.0, |f| f.value(0.0));
                approach += (0..D).map(|i| at(i) * contact.normal()[i]).sum::<f64>();
                None
            }
        };
        let speeds = [Some(body), other].into_iter().flatten().map(|b| fastest(&view.start.states[b].v));
        // Mean velocities of bodies at rest have rounding only.
        if approach > 1e-6 * speeds.fold(0.0, f64::max) && contact.gap < approach * duration && approach > 0.0 {
            struck[body] = true;
            if let Some(other) = other {
                struck[other] = true;
            }
        }
    }
    struck
}

fn fastest(v: &[f64]) -> f64 {
    v.iter().fold(0.0, |m: f64, x| m.max(x.abs()))
}

/// Mean velocity of the nodes along a direction \[m/s\].
fn mean_velocity<const D: usize>(v: &[f64], along: &nalgebra::SVector<f64, D>) -> f64 {
    let sum: f64 = v.chunks_exact(D).map(|v| v.iter().zip(along.iter()).map(|(v, n)| v * n).sum::<f64>()).sum();
    sum / (v.len() / D).max(1) as f64
}

/// A step that no wave of the mesh needs.
fn needlessly_short<const D: usize>(view: &AdviceView<'_, D>) -> Option<Advice> {
    let model = view.model;
    let crossing = model.crossing_time();
    // An explicit scheme has a step of its own; with contact laws in time (rate and state, damage) h may have other reasons.
    let is_explicit = model
        .bodies
        .iter()
        .zip(&view.start.states)
        .any(|(b, state)| model.integrator.critical_step(&*b.body, state, model.h).is_some());
    let has_history = model.pairs.iter().any(|p| !p.law.history_entries().is_empty());
    let is_inelastic = model.bodies.iter().any(|b| b.body.inelastic().is_some_and(|body| !body.is_elastic()));
    // Rigid bodies have no waves.
    if is_explicit || has_history || is_inelastic || !crossing.is_finite() || model.h >= SHORT * crossing {
        return None;
    }
    let s = view.loaded.case.units.symbol(" s");
    let text = format!(
        "the step of {}{s} is {} of the time in which a wave crosses the smallest cell, the shortest time of the \
         mesh; better: --set step={} resolves waves and impacts equally well, in {} steps instead of {}",
        short(model.h),
        percent(model.h / crossing),
        short(round_to(FOR_IMPACTS * crossing, 2)),
        (model.h * model.n_steps as f64 / (FOR_IMPACTS * crossing)).ceil().max(1.0),
        model.n_steps,
    );
    Some(Advice { topic: "step", text })
}

#[cfg(test)]
mod tests {
    use super::super::tests::{advice_of, check_advice};

    /// A block of 1 m, c = 1 m/s, T = 2 s, cells of 0.1 m, above a floor with a speed.
    fn block(speed: f64, scheme: &str, step: f64, duration: f64) -> String {
        format!(
            r#"(title: "block",
                kinematics: SmallStrain,
                materials: [(name: "m", density: 1.0, law: KelvinVoigt(young: 1.0, poisson: 0.0))],
                bodies: [(name: "block", mesh: Rectangle(corner: (0, 0.01), size: (1, 1), cells: (10, 10)), material: "m", velocity: (0, {speed}))],
                obstacles: [(name: "floor", shape: HalfPlane(point: (0, 0), normal: (0, 1)))],
                contacts: [(name: "c", candidates: (body: "block", group: "bottom"), antagonists: Obstacle("floor"), law: Frictionless)],
                integrator: {scheme}, step: {step}, duration: {duration})"#
        )
    }

    fn of_steps(text: &str) -> Vec<String> {
        advice_of(text).into_iter().filter(|a| !a.contains("energy of its longitudinal vibration")).collect()
    }

    /// No waves, no step that resolves them: not "inf".
    #[test]
    fn rigid_bodies_get_no_advice_about_waves() {
        let text = r#"(title: "top", materials: [], bodies: [(name: "disk", mesh: Round(centre: (0, 0), radius: 1), inertia: (mass: 1), spin: 1)],
            integrator: ModifiedTheta(theta: 0.5), step: 1e-3, duration: 1)"#;
        assert!(advice_of(text).is_empty(), "{:?}", advice_of(text));
    }

    #[test]
    fn an_impact_in_four_steps() {
        let pieces = ["body `block`: it hits something", "in 2 s: 4 steps of 0.5 s", "--set step=0.09"];
        check_advice(&block(-0.1, "ModifiedTheta(theta: 0.5)", 0.5, 5.0), &pieces);
        // It flies away, or lies still: no impact.
        for speed in [0.1, 0.0] {
            let all = of_steps(&block(speed, "Theta(theta: 1.0)", 0.5, 50.0));
            assert!(all.is_empty(), "{all:?}");
        }
    }

    /// Fifteen steps of T are enough for round faces, and flat ones are not told apart.
    #[test]
    fn an_impact_in_fifteen_steps() {
        let all = of_steps(&block(-0.1, "ModifiedTheta(theta: 0.5)", 2.0 / 15.0, 5.0));
        assert!(all.is_empty(), "{all:?}");
    }

    #[test]
    fn vibrations_that_nothing_follows_nor_damps() {
        let pieces = ["in 2 s, 4 steps: too few", "'integrator=Theta(theta: 1.0)'", "--set step=0.1 "];
        check_advice(&block(0.0, "Theta(theta: 0.5)", 0.5, 5.0), &pieces);
    }

    #[test]
    fn a_step_for_no_wave() {
        let all = of_steps(&block(-0.1, "ModifiedTheta(theta: 0.5)", 1e-3, 1.0));
        let [one] = &all[..] else { panic!("{all:?}") };
        assert!(
            one.contains("is 1 % of the time") && one.contains("--set step=0.09") && one.contains("in 12 steps"),
            "{one}"
        );
        let all = of_steps(&block(-0.1, "ModifiedTheta(theta: 0.5)", 0.09, 1.0));
        assert!(all.is_empty(), "{all:?}");
    }
}
