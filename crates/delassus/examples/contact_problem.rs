//! A contact problem without bodies: W, v_free and μ are given, the impulses are found and certified.
//!
//! A rigid block of mass m on two feet is pushed down and sideways. The block can move, not turn, so that W_ij = I/m for all pairs of feet, and the
//! total impulse is that of one contact: it stops the fall, and friction takes μ times as much from the sliding.
#![expect(clippy::print_stdout, reason = "an example shows its result")]

use delassus::error::InternalError;
use delassus::prelude::*;
use delassus::solver::{Matrix, Vector};

/// Solves it, prints the certificate and compares with the exact answer.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mass, friction) = (2.0, 0.3);
    // Normal first: it falls at 1 m/s and slides at 0.5 m/s.
    let free = Vector::<2>::new(-1.0, 0.5);
    let problem = ContactProblem::<2> {
        operator: BlockMatrix::dense(2, |_, _| Matrix::identity() / mass),
        v_free: vec![free; 2],
        laws: vec![Derived::standard(Cone::Coulomb(friction)); 2],
    };
    problem.validate()?;

    let mut p = vec![Vector::zeros(); problem.n()];
    let options = SolverOptions { tolerance: 1e-12, ..SolverOptions::default() };
    let reports = solve_in_order(&[Method::Nlgs, Method::Newton], &problem, &mut p, &options);
    let last = reports.last().ok_or(InternalError("no solver applies".into()))?;
    let certificate = certify(&problem, &p)?;

    let total: Vector<2> = p.iter().sum();
    println!("{}; law error {:.1e} at contact {:?}", last.effort(), certificate.law_error, certificate.worst);
    println!("normal impulse {:.6} N·s, tangential {:.6} N·s", total[0], total[1]);

    // m v_N is taken from the fall, μ of it from the sliding; 0.5 − 0.3 = 0.2 m/s are left.
    let exact = Vector::<2>::new(mass, -friction * mass);
    assert!(last.converged && certificate.law_error < 1e-12, "{certificate:?}");
    assert!((total - exact).norm() < 1e-11, "{total}: rounding, and ten times the tolerance");
    Ok(())
}
