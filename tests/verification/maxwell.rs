//! Maxwell bodies whose strain is held or led: relaxation and large shear.
//!
//! Reference: closed forms (see `verify/maxwell.rs` of the simulation).
//!
//! Goal (the cases' own checks: `suite.rs`): backward Euler converges with first order to exp(−t/τ), the exact rule is exact at any
//! step where the rate is constant.
//!
//! Parameters: those of `cases/maxwell-relaxation.ron` and `cases/maxwell-shear.ron`.
//!
//! Tolerances: first order within 0.05 over three halvings; 1e-12 for the exact rule (some forty roundings); 1e-3 for the rates.

use verification::{fitted_order, load, run, show};

/// Sheared stress at 2 s for steps of length h, relative to the exact one, when the strain is reached within the first 0.2 s.
fn error(integration: &str, h: f64) -> f64 {
    let settings = [
        format!("step={h:?}"),
        format!("materials.pitch.law.integration={integration}"),
        "boundary[5].x=Table([(0.0, 2.5e-4), (0.201, 2.5e-4), (0.202, 0.0)])".to_owned(),
        "boundary[1].x=Table([(0.0, 5e-4), (0.201, 5e-4), (0.202, 0.0)])".to_owned(),
        "verify=None".to_owned(),
    ];
    let found = run(&load("maxwell-relaxation", &settings.each_ref().map(String::as_str))).last("sheared.sxy");
    // γ̇ = 5e-3/s for 0.2 s, τ = 1 s, η = 4e8 Pa·s
    let exact = 4e8 * 5e-3 * -(-0.2_f64).exp_m1() * (-1.8_f64).exp();
    (found / exact - 1.0).abs()
}

#[test]
fn backward_euler_is_first_order_and_the_exact_rule_exact() {
    let steps = [0.1, 0.05, 0.025, 0.0125];
    let errors = steps.map(|h| error("BackwardEuler", h));
    let order = fitted_order(&steps, &errors);
    show(&format!("Maxwell relaxation, backward Euler: errors {errors:?}, order {order:.3}"));
    assert!((order - 1.0).abs() < 0.05, "{errors:?}: order {order}");
    let exact = steps.map(|h| error("Exact", h));
    show(&format!("Maxwell relaxation, exact rule: errors {exact:?}"));
    assert!(exact.iter().all(|e| *e < 1e-12), "{exact:?}");
}

#[test]
fn jaumann_oscillates_where_green_and_naghdi_grow() {
    let settings = ["bodies.block.kinematics.rate=Jaumann", "verify=None"];
    let jaumann = run(&load("maxwell-shear", &settings)).column("block.sxy");
    let green_naghdi = run(&load("maxwell-shear", &["verify=None"])).column("block.sxy");
    // γ = 1 after 50 of 200 steps
    for (row, [g, j]) in [(50, [0.869784, 0.841471]), (200, [2.317944, -0.756802])] {
        let found = [green_naghdi[row] / 1e6, jaumann[row] / 1e6];
        show(&format!("large shear at step {row}: {found:?}, exact {:?}", [g, j]));
        assert!((found[0] - g).abs() < 1e-3 && (found[1] - j).abs() < 1e-3, "{found:?}");
    }
}
