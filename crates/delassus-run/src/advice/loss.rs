//! Energy of a vibration that the scheme dissipates over the run.
//!
//! ```text
//! w = 2π h/T ,   kept = ρ(w)^(2 steps)                      (`delassus_dynamics::oscillator`)
//! own = exp(−c t) ,   c = α + (β + η/E) ω²                  what the damping of the body leaves
//! ```
//!
//! T is the period of the slowest stretching of the body ([`LongWave`]); faster ones lose more, with the square of their
//! frequency. The advice is given for motions that the step resolves: for longer steps a dissipative scheme is the right
//! choice.

use std::f64::consts::TAU;

use delassus_case::spec::BodyEntry;
use delassus_dynamics::integrator::{IntegratorSpec, ModifiedTheta};
use delassus_dynamics::oscillator::energy_kept;
use delassus_dynamics::{Inelastic, Integrator, System};
use delassus_error::digits::{percent, short};
use delassus_fem::Body;
use delassus_math as math;

use super::pace::RESOLVED;
use super::scales::LongWave;
use super::{Advice, AdviceView, EntryAdvice, Listed, gathered};

/// Smallest fraction of the energy for which advice is given.
const TOLD: f64 = 0.1;

/// Loss that a shorter step should have at most, where one is named.
const SMALL: f64 = 0.02;

/// Periods that a run must last for vibrations to matter.
const LEAST_PERIODS: f64 = 0.5;

pub(super) fn advise<const D: usize>(view: &AdviceView<'_, D>) -> Vec<Advice> {
    let model = view.model;
    if !model.integrator.has_inertia() {
        return Vec::new();
    }
    let duration = model.h * model.n_steps as f64;
    let mut findings = Vec::new();
    for (entry, given) in view.loaded.case.bodies.iter().enumerate() {
        let Some(b) = model.bodies.iter().find(|b| b.entry == entry) else { continue };
        let Some(body) = b.body.finite_elements() else { continue };
        let Some(wave) = vibration(body) else { continue };
        if wave.period < RESOLVED * model.h || duration < LEAST_PERIODS * wave.period {
            continue;
        }
        let Some(lost) = lost_over(&*model.integrator, wave.period, model.h, model.n_steps) else { continue };
        let own = 1.0 - math::exp(-own_decay(body, given, TAU / wave.period) * duration);
        if lost >= TOLD && lost > own {
            findings.push(finding(view, entry, &wave, lost));
        }
    }
    gathered("loss", Listed::Bodies, findings)
}

fn finding<const D: usize>(view: &AdviceView<'_, D>, entry: usize, wave: &LongWave, lost: f64) -> EntryAdvice {
    let model = view.model;
    let [m, s] = [" m", " s"].map(|symbol| view.loaded.case.units.symbol(symbol));
    let duration = model.h * model.n_steps as f64;
    let (name, theta) = scheme(&view.loaded.case.integrator);
    let calm = ModifiedTheta { theta: 0.5 };
    let calm_lost = lost_over(&calm, wave.period, model.h, model.n_steps).unwrap_or(0.0);
    // The loss goes with h for all these schemes: so does the number of steps, its inverse, and the loss of a step with its square.
    let shorter = model.h * math::ln(1.0 - SMALL) / math::ln((1.0 - lost).max(f64::MIN_POSITIVE));
    let text = format!(
        "`{name}{theta}` dissipates {} of the energy of its longitudinal vibration (length {}{m}, period {}{s}, \
         {:.0} steps) over the {} periods of the run, and more of faster vibrations; better, if vibrations matter: \
         --set 'integrator=ModifiedTheta(theta: 0.5)' ({}), or \
         --set step={} ({})",
        percent(lost),
        short(round_to(wave.length, 3)),
        short(round_to(wave.period, 3)),
        wave.period / model.h,
        short(round_to(duration / wave.period, 2)),
        percent(calm_lost),
        short(round_to(shorter, 2)),
        percent(SMALL),
    );
    EntryAdvice { name: view.entry_name(entry).to_owned(), text, set: String::new() }
}

/// Name and parameters of a scheme as a case writes them.
fn scheme(spec: &IntegratorSpec) -> (&'static str, String) {
    let of_theta = |theta: f64| format!("(theta: {theta})");
    match spec {
        IntegratorSpec::Theta(s) => ("Theta", of_theta(s.theta)),
        IntegratorSpec::ModifiedTheta(s) => ("ModifiedTheta", of_theta(s.theta)),
        IntegratorSpec::ThetaEuler(s) => ("ThetaEuler", of_theta(s.theta)),
        IntegratorSpec::Newmark(s) => ("Newmark", format!("(gamma: {}, beta: {})", s.gamma, s.beta)),
        IntegratorSpec::EnergyMomentum(s) => ("EnergyMomentum", of_theta(s.theta)),
        IntegratorSpec::Explicit(_) => ("Explicit", String::new()),
        IntegratorSpec::QuasiStatic => ("QuasiStatic", String::new()),
    }
}

/// The wave along a body that vibrates: not one whose material flows, nor one that is held everywhere.
pub(super) fn vibration<const D: usize>(body: &Body<D>) -> Option<LongWave> {
    let system: &dyn System = body;
    let can_move = system.prescribed().len() < system.n_dof();
    (can_move && system.inelastic().is_none_or(Inelastic::is_elastic)).then(|| LongWave::of(body)).flatten()
}

/// The part of a vibration's energy that a scheme takes over some steps.
pub(super) fn lost_over(integrator: &dyn Integrator, period: f64, h: f64, n_steps: usize) -> Option<f64> {
    let kept = energy_kept(integrator, TAU * h / period).ok()?;
    Some(1.0 - math::powf(kept, n_steps as f64))
}

/// c: rate at which the damping of a body takes energy from a vibration of frequency ω \[1/s\].
pub(super) fn own_decay<const D: usize>(body: &Body<D>, given: &BodyEntry, omega: f64) -> f64 {
    // Time in which the material's viscosity acts, of pulls along x with nothing free: the same for viscosities in proportion.
    let time = |region: &delassus_fem::Region| {
        let response = region.material.instantaneous();
        response.rate_tangent[(0, 0)] / response.tangent[(0, 0)]
    };
    let slowest = body.regions().iter().map(time).fold(0.0, f64::max);
    given.damping.alpha + (given.damping.beta + slowest) * omega * omega
}

/// A number to so many digits.
pub(crate) fn round_to(x: f64, digits: usize) -> f64 {
    format!("{x:.*e}", digits - 1).parse().unwrap_or(x)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{advice_of, check_advice};

    /// A free bar of L = 1 m, c = 1 m/s: T = 2 s.
    fn bar(scheme: &str, step: f64, duration: f64, damping: &str) -> String {
        format!(
            r#"(title: "bar",
                kinematics: SmallStrain,
                materials: [(name: "m", density: 1.0, law: KelvinVoigt(young: 1.0, poisson: 0.0))],
                bodies: [(name: "bar", mesh: Rectangle(corner: (0, 0), size: (1, 0.5), cells: (10, 5)), material: "m", damping: ({damping}))],
                integrator: {scheme}, step: {step}, duration: {duration})"#
        )
    }

    /// θ-Euler's loss over four periods of 300 steps, 1 − (1 + 0.55 w²)^(−1200) with w = 2π/300: 25 %.
    #[test]
    fn theta_euler_over_four_periods() {
        check_advice(
            &bar("ThetaEuler(theta: 0.55)", 2.0 / 300.0, 8.0, ""),
            &[
                "body `bar`: `ThetaEuler(theta: 0.55)` dissipates 25 %",
                "length 1 m, period 2 s, 300 steps",
                "4 periods",
                "'integrator=ModifiedTheta(theta: 0.5)' (0 %)",
                "--set step=0.0004",
            ],
        );
    }

    /// Nothing is said of a scheme that loses nothing, of a body that damps more itself, of a short run and of a run whose steps are
    /// too long for vibrations.
    #[test]
    fn no_false_alarm() {
        let is_silent =
            |text: &str| advice_of(text).iter().all(|a| !a.contains("energy of its longitudinal vibration"));
        let euler = "ThetaEuler(theta: 0.55)";
        assert!(is_silent(&bar("ModifiedTheta(theta: 0.5)", 2.0 / 300.0, 8.0, "")));
        assert!(is_silent(&bar(euler, 2.0 / 300.0, 8.0, "alpha: 0.1")));
        assert!(is_silent(&bar(euler, 2.0 / 300.0, 0.8, "")));
        assert!(is_silent(&bar("Theta(theta: 1.0)", 0.5, 50.0, "")));
        assert!(!is_silent(&bar(euler, 2.0 / 300.0, 8.0, "alpha: 0.01")));
    }
}
