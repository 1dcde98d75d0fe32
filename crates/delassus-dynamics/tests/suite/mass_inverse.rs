//! M⁻¹ with prescribed accelerations, lumped and consistent.

use delassus_dynamics::{DynamicsError, MassInverse, System};
use nalgebra::DVector;

use crate::common::{Linear, Random, Worst, dense, difference};

/// M a = f on free dofs, a = dV/dt on the others: solved densely on the free block.
fn expected(system: &Linear, t: f64, force: &[f64]) -> Vec<f64> {
    let n = system.n_dof();
    let mass = dense::symmetric(system.matrices().mass.pattern(), system.matrices().mass.values());
    let mut given = DVector::zeros(n);
    for (&dof, (_, a)) in system.prescribed().iter().zip(system.prescribed_motion(t)) {
        given[dof] = a;
    }
    let free = dense::inverse_on_free(&mass, system.prescribed());
    let a = free * (DVector::from_column_slice(force) - &mass * &given) + given;
    a.as_slice().to_vec()
}

#[test]
fn acceleration_is_the_dense_one() {
    let mut worst = Worst::default();
    for lumped in [true, false] {
        for fixed in [vec![], vec![0], vec![3, 9], (0..12).collect()] {
            let mut random = Random::new(31);
            let system = Linear::busy_chain(&mut random, 12, lumped, &fixed);
            let inverse = MassInverse::new(&system).unwrap();
            assert_eq!(matches!(inverse, MassInverse::Diagonal(_)), lumped);
            let force = random.vector(12);
            let mut a = force.clone();
            inverse.acceleration(&system, 0.8, &mut a);
            worst.see(difference(&a, &expected(&system, 0.8, &force), 0.0), || format!("lumped {lumped}, {fixed:?}"));
            for (&dof, (_, given)) in fixed.iter().zip(system.prescribed_motion(0.8)) {
                assert_eq!(a[dof].to_bits(), given.to_bits());
            }
        }
    }
    worst.check(1e-13);
}

#[test]
fn bad_masses_are_named() {
    for lumped in [true, false] {
        for bad in [-1.0, f64::NAN, f64::INFINITY] {
            for dof in [0, 4, 6] {
                let system = Linear::chain(7, 1.0, 0.0, 1.0, lumped).with_mass_entry(dof, dof, bad);
                let error = MassInverse::new(&system).unwrap_err();
                assert_eq!(error, DynamicsError::NotPositiveDefinite { matrix: "mass", dof }, "{lumped}, {bad}");
            }
        }
    }
}

#[test]
fn a_prescribed_dof_needs_no_mass() {
    for lumped in [true, false] {
        let system = Linear::chain(7, 1.0, 0.0, 1.0, lumped).moved(&[2], |_, _| (0.0, 6.0)).with_mass_entry(2, 2, 0.0);
        let mut a = vec![1.0; 7];
        MassInverse::new(&system).unwrap().acceleration(&system, 0.0, &mut a);
        assert!((a[2] - 6.0).abs() < 1e-15 && a.iter().all(|a| a.is_finite()), "lumped {lumped}: {a:?}");
    }
}
