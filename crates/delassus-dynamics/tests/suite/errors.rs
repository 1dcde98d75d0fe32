//! Every error of the crate, and what its message tells.

use std::sync::Arc;

use delassus_dynamics::DynamicsError;
use delassus_dynamics::factor::{Analysis, Factor};
use delassus_dynamics::integrator::{IntegratorSpec, ModifiedTheta, Newmark, Theta, ThetaEuler};
use nalgebra_sparse::pattern::SparsityPattern;

/// The scheme is refused for this parameter, and the message names scheme, parameter, value and range.
fn refused(spec: &IntegratorSpec, scheme: &str, parameter: &str, value: f64, range: &str) {
    let error = spec.build().unwrap_err();
    let message = error.to_string();
    for part in [scheme, parameter, &format!("= {value}"), range] {
        assert!(message.contains(part), "`{message}` lacks `{part}`");
    }
    let DynamicsError::Parameter { scheme: s, parameter: p, value: v, .. } = error else {
        panic!("{error:?} is not about a parameter");
    };
    assert_eq!((s, p, v.to_bits()), (scheme, parameter, value.to_bits()));
}

#[test]
fn theta_outside_its_range() {
    for theta in [0.3, 0.5 - 1e-12, 1.0 + 1e-12, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        refused(&IntegratorSpec::Theta(Theta { theta }), "Theta", "theta", theta, "[0.5, 1]");
        refused(&IntegratorSpec::ModifiedTheta(ModifiedTheta { theta }), "ModifiedTheta", "theta", theta, "[0.5, 1]");
        refused(&IntegratorSpec::ThetaEuler(ThetaEuler { theta }), "ThetaEuler", "theta", theta, "[0.5, 1]");
    }
}

#[test]
fn newmark_outside_its_range() {
    let newmark = |gamma: f64, beta: f64| IntegratorSpec::Newmark(Newmark { gamma, beta });
    for gamma in [0.3, 1.1, -0.5, f64::NAN, f64::INFINITY] {
        refused(&newmark(gamma, 0.25), "Newmark", "gamma", gamma, "[0.5, 1]");
    }
    for beta in [0.249_999, 0.0, -1.0, 1.5, f64::NAN, f64::INFINITY] {
        refused(&newmark(0.5, beta), "Newmark", "beta", beta, "[gamma/2, 1]");
    }
    refused(&newmark(0.6, 0.25), "Newmark", "beta", 0.25, "[gamma/2, 1]");
}

#[test]
fn ends_of_the_ranges_are_allowed() {
    for theta in [0.5, 1.0] {
        assert!(IntegratorSpec::Theta(Theta { theta }).build().is_ok());
        assert!(IntegratorSpec::ModifiedTheta(ModifiedTheta { theta }).build().is_ok());
        assert!(IntegratorSpec::ThetaEuler(ThetaEuler { theta }).build().is_ok());
    }
    for (gamma, beta) in [(0.5, 0.25), (1.0, 0.5), (1.0, 1.0)] {
        assert!(IntegratorSpec::Newmark(Newmark { gamma, beta }).build().is_ok());
    }
}

#[test]
fn not_positive_definite_names_matrix_and_dof() {
    let pattern = SparsityPattern::try_from_offsets_and_indices(3, 3, vec![0, 1, 2, 3], vec![0, 1, 2]).unwrap();
    let analysis = Arc::new(Analysis::new(&pattern, "mass").unwrap());
    let error = Factor::new(&analysis, &[1.0, -1.0, 1.0], "mass").unwrap_err();
    assert_eq!(error, DynamicsError::NotPositiveDefinite { matrix: "mass", dof: 1 });
    let message = error.to_string();
    assert!(message.contains("mass matrix") && message.contains("degree of freedom 1"), "{message}");
}

#[test]
fn factorisation_of_nothing() {
    // Besides this only lack of memory or of index range leads here.
    let empty = SparsityPattern::zeros(0, 0);
    let error = Analysis::new(&empty, "mass").unwrap_err();
    assert!(matches!(error, DynamicsError::Factorisation { matrix: "mass", .. }), "{error:?}");
    assert_eq!(error.to_string(), "the factorisation of the mass matrix failed: it has no degree of freedom");
}
