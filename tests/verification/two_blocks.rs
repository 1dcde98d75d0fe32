//! Two blocks glued together, pulled and sheared apart: `cases/two-blocks-pull.ron` and `cases/two-blocks-shear.ron`.
//!
//! Reference: adhesion of Frémond, Cangémi and Raous without viscosity of damage (Jean, Acary & Monerie 2001, §6 e): traction C u up to √(C w) at
//! u₀ = √(w/C), then w²/(C u³); energy w for each square metre; friction μ p beside the bond.
//!
//! Goal: the law in a run: peak, softening branch, energies, with bonds that snap (10⁴ u₀ of stretch in the blocks) and with bonds that
//! can be followed slowly.
//!
//! ```text
//!        ^ V                        V ->
//!      o-----o                     o-----o p
//!      | Q4  |  uniaxial strain    | Q4  |  simple shear: sides tied
//!      o-----o  glue               o-----o  glue
//!      | Q4  |                     | Q4  |
//!      o-----o                     o-----o
//! ```
//!
//! Parameters: as the cases say; for the slow run C = 1e7 N/m³, w = 10 J/m²: 3 C is below the stiffness M/2L = 8.75e7 N/m³ of the
//! blocks, so that the whole branch is stable.
//!
//! Tolerances: peak 1e-4 (what a step adds to the opening before the peak is 2e-5 of it). The energy is first order in the step (the ledger counts
//! damage at the opening from which a step starts): extrapolated 0.5 %. Ledger 1e-9 of the energy put in, which is 1e-5 of w A.

use verification::{Run, largest, load, run, show};

const STIFFNESS: f64 = 1e12;
const ENERGY: f64 = 0.1;

fn assert_certified(what: &str, run: &Run) {
    let v = &run.summary.verdict;
    assert!(v.flagged + v.cuts == 0 && v.energy_residual <= 1e-9, "{what}: {v:?}");
    let checks = run.summary.verification.as_ref().unwrap();
    assert!(checks.passed() && checks.checks.len() == 5, "{what}: {:?}", checks.checks);
}

/// Energy that damage takes at three steps, each half the last, and what they tend to.
fn energies(case: &str) -> ([f64; 3], f64) {
    let taken = [8, 4, 2].map(|step| {
        // The coarse runs alone would miss the case's own check of the energy.
        let run = run(&load(case, &[&format!("step={step}e-6"), "verify.checks[1].tolerance=0.15"]));
        assert_certified(case, &run);
        // Opened to more than 500 u₀: what the bond still holds is nothing.
        assert!(run.last("bond_energy") < 4e-6 * ENERGY && run.last("glue.bonded_area") < 4e-6);
        run.last("damage_dissipation")
    });
    (taken, 2.0 * taken[2] - taken[1])
}

fn check_energy(case: &str) {
    let (taken, limit) = energies(case);
    let off = taken.map(|e| format!("{:.2} %", 100.0 * (e / ENERGY - 1.0)));
    show(&format!("{case}: energy off by {}; extrapolated {:+.2e}", off.join(", "), limit / ENERGY - 1.0));
    assert!((limit / ENERGY - 1.0).abs() < 5e-3, "{case}: {taken:?}");
    let order = ((ENERGY - taken[1]) / (ENERGY - taken[2])).log2();
    assert!((order - 1.0).abs() < 0.2, "{case}: order {order}, {taken:?}");
}

#[test]
fn a_bond_that_snaps_open_takes_its_energy() {
    check_energy("two-blocks-pull");
}

#[test]
fn a_bond_that_snaps_in_shear_takes_its_energy() {
    check_energy("two-blocks-shear");
}

#[test]
fn the_peak_is_that_of_the_law() {
    let pull = run(&load("two-blocks-pull", &[]));
    let shear = run(&load("two-blocks-shear", &[]));
    let strength = (STIFFNESS * ENERGY).sqrt();
    let peaks =
        [("pull", pull.largest("glue.force_y"), strength), ("shear", shear.largest("glue.force_x"), strength + 1e4)];
    for (what, found, exact) in peaks {
        show(&format!("two blocks, {what}: peak off by {:+.1e}", found / exact - 1.0));
        // A step that ends beside the kink can only be lower.
        assert!((found / exact - 1.0).abs() < 1e-4, "{what}: {found:e}");
    }
    // Up to the peak nothing is lost, and the opening is that of the springs.
    for (run, force, friction) in [(&pull, "glue.force_y", 0.0), (&shear, "glue.force_x", 0.1)] {
        let (f, u, n) = (run.column(force), run.column("joint.u"), run.column("glue.force_y"));
        let damage = run.column("damage_dissipation");
        let peak = damage.iter().position(|d| *d > 0.0).unwrap() - 1;
        let u0 = (ENERGY / STIFFNESS).sqrt();
        assert!((u[peak] / u0 - 1.0).abs() < 1e-3, "{:e}", u[peak]);
        // From where friction slides on: with the opening at the end of a step.
        let strained = (1..peak).filter(|i| u[*i] > 0.1 * u0);
        let off = strained.map(|i| f[i].abs() - friction * n[i].abs() - STIFFNESS * u[i]);
        let off = largest(&off.collect::<Vec<_>>()) / strength;
        show(&format!("two blocks, {force}: spring off by {off:.1e} of the strength"));
        assert!(off < 1e-6, "{force}: {off:e}");
    }
}

/// A bond softer than the blocks: the traction follows the closed form over the whole branch.
#[test]
fn a_soft_bond_is_followed_down_the_whole_branch() {
    let (stiffness, energy, step): (f64, f64, f64) = (1e7, 10.0, 1e-4);
    let law = format!("Adhesive(normal_stiffness: {stiffness}, tangential_stiffness: {stiffness}, energy: {energy})");
    let slow = run(&load(
        "two-blocks-pull",
        &[
            &format!("contacts.glue.law={law}"),
            "integrator=Theta(theta: 1.0)",
            &format!("step={step}"),
            "duration=0.3",
            "verify=()",
        ],
    ));
    let v = &slow.summary.verdict;
    assert!(v.flagged + v.cuts == 0 && v.energy_residual <= 1e-9, "{v:?}");
    let (u0, strength) = ((energy / stiffness).sqrt(), (stiffness * energy).sqrt());
    let (f, u) = (slow.column("glue.force_y"), slow.column("joint.u"));
    let exact = |u: f64| if u < u0 { stiffness * u } else { energy * energy / (stiffness * u.powi(3)) };
    let off = largest(&f.iter().zip(&u).map(|(f, u)| (-f - exact(*u)) / strength).collect::<Vec<_>>());
    // Monotone: no snap.
    let back = u.windows(2).map(|w| w[0] - w[1]).fold(0.0, f64::max);
    let jump = u.windows(2).map(|w| w[1] - w[0]).fold(0.0, f64::max);
    let last = slow.last("joint.u");
    let taken = slow.last("damage_dissipation");
    let whole = energy * (1.0 - (u0 / last).powi(2));
    let peak = slow.largest("glue.force_y");
    let kinetic = slow.largest("kinetic_energy");
    show(&format!(
        "soft bond: curve off by {off:.1e}, peak {:+.1e}, energy {:+.2e} at {:.1} u0; kinetic {kinetic:.2e} J",
        peak / strength - 1.0,
        taken / whole - 1.0,
        last / u0
    ));
    // The solver judges impulses against the gap over the step (u/h) m = 5e4 N s: 1e-10 of that is 0.05 N, where the bond is all but spent.
    assert!(off < 1e-5, "{off:e}");
    assert!((peak / strength - 1.0).abs() < 0.01, "{peak:e}");
    assert!(last > 8.0 * u0 && back == 0.0 && jump < 0.05 * u0, "{last:e} {back:e} {jump:e}");
    // Left sums over steps of 0.5 % of u₀.
    assert!((taken / whole - 1.0).abs() < 0.01, "{taken}, {whole}");
}
