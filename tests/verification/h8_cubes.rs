//! Two deformable cubes pressed together and sheared: `cases/h8-cubes.ron`.
//!
//! Reference: Coulomb's law at every contact, ‖p_T‖ = μ p_N against the slip; equilibrium, N = p A; the ledger of energy.
//!
//! Goal: node-to-facet contact of two deformable bodies in space: the law at each of its contacts, sums of forces, what friction takes, for
//! several meshes, whose nodes do not match; no step that is cut.
//!
//! Parameters: the case as it is written, and with other numbers of cells along the edges.
//!
//! Tolerances: 1e-9 at each contact: the solver's 1e-10 in the scale-free measure, and impulses at the rim of the contact are up to a
//! tenth of the largest. Sums as in the case: N 1e-3 (the cubes still swing a little), T 3e-3 (the faces are level up to their deformation).

use delassus_sim::engine::Engine;
use delassus_sim::step::step;
use delassus_sim::timings::Timings;
use delassus_solver::Status;
use verification::{load, run, show};

#[test]
fn forces_are_those_of_the_load_and_of_coulomb() {
    for edges in [[8, 8], [5, 7], [7, 4]] {
        let set = [("upper", edges[0]), ("lower", edges[1])].map(|(b, n)| format!("bodies.{b}.mesh.refine={n}"));
        let run = run(&load("h8-cubes", &[&set[0], &set[1]]));
        let verdict = &run.summary.verdict;
        let checks = run.summary.verification.as_ref().unwrap();
        let errors: Vec<String> = checks.checks.iter().map(|c| format!("{:.1e}", c.error)).collect();
        show(&format!(
            "h8 cubes, {edges:?} cells an edge: N, T, power, ledger off by {}; law {:.1e}, at most {} sweeps",
            errors.join(", "),
            verdict.law_error,
            verdict.max_iterations
        ));
        assert!(checks.passed(), "{edges:?}: {:?}", checks.checks);
        assert!(verdict.flagged + verdict.cuts == 0 && verdict.law_error <= 1e-10 + 1e-12, "{verdict:?}");
    }
}

#[test]
fn every_contact_slides_with_the_full_friction() {
    let loaded =
        load("h8-cubes", &["bodies.upper.mesh.refine=4", "bodies.lower.mesh.refine=4", "solver.tolerance=1e-12"]);
    let model = loaded.model::<3>().unwrap();
    let mut engine = Engine::new(&model).unwrap();
    let mut timings = Timings::default();
    let mut from = model.start();
    let mut slid = 0;
    for _ in 0..model.n_steps {
        let outcome = step(&mut engine, &mut timings, &from, model.h).unwrap();
        assert!(outcome.is_accepted(model.solver_options.tolerance), "{}", outcome.description());
        let largest = outcome.touches.iter().map(|t| t.impulse.norm()).fold(0.0, f64::max);
        for t in outcome.touches.iter().filter(|t| t.impulse[0] > 1e-2 * largest) {
            let (drag, slip) = (t.impulse.fixed_rows::<2>(1), t.velocity.fixed_rows::<2>(1));
            let bound = 0.3 * t.impulse[0];
            assert!(drag.norm() <= bound * (1.0 + 1e-9), "outside the cone");
            // Slips that count: against a speed of 50 mm/s.
            if t.status == Status::Slip && slip.norm() > 1e-4 {
                slid += 1;
                assert!((drag + slip * (bound / slip.norm())).norm() <= 1e-7 * bound, "{drag} {slip}");
                assert!((drag.norm() / bound - 1.0).abs() <= 1e-9, "{} {bound}", drag.norm());
            }
        }
        from = outcome.snapshot;
    }
    show(&format!("h8 cubes: the law holds at {slid} sliding contacts"));
    assert!(slid > 500, "{slid}");
}
