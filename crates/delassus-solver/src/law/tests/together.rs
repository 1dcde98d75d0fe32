//! Contacts of one body under every law: the outer fixed point where they see each other.

use super::*;
use crate::certify;
use crate::testing::{BodyKind, random_problem};

#[test]
fn contacts_of_one_body_settle_under_every_law() {
    let mut random = Random::new(41);
    let (mut cases, mut unsettled, mut most) = (0, 0, 0);
    for _ in 0..100 {
        let mut problem = random_problem(&mut random, 6, BodyKind::Deformable);
        let h = random.decades(-4.0, -1.0);
        let step = StepTimes { h, gap_time: h, rest: h };
        let zero = Vector::<2>::zeros();
        let input = |v_free| ContactInput { gap: 0.0, area: 1e-2, v_minus: v_free, v_free, drift: zero };
        let block = problem.operator.diagonal(0);
        let trial = Trial {
            contact: input(problem.v_free[0]),
            step,
            operator: BlockMatrix::dense(1, |_, _| block),
            speed: 1.0,
        };
        for spec in every_law(&mut random, &trial) {
            let law = spec.build::<2>();
            let size = Size::of(&trial);
            let mut z = || history(&mut random, law.as_ref(), &size);
            let rule = |&v_free: &Vector<2>| ContactUnderLaw { law: law.as_ref(), input: input(v_free), history: z() };
            let contacts: Vec<_> = problem.v_free.iter().map(rule).collect();
            problem.laws = contacts.iter().map(|c| c.derive(&step, None)).collect();
            problem.validate().unwrap();
            let options = SolverOptions::default();
            let chain = ChainSettings { methods: &[Method::Nlgs], options: &options };
            let mut p = vec![zero; 6];
            let settled = solve_under_laws(&chain, &contacts, &mut problem, &mut p, &step);
            cases += 1;
            // Next to a fold, or where no solution sticks without bound.
            if settled.violation > options.tolerance && law.implicit() {
                unsettled += 1;
                continue;
            }
            most = most.max(settled.iterations);
            // The laws' own statement, and a certificate that knows nothing of them.
            assert!(settled.violation <= 1e-9, "{spec:?} {settled:?}");
            assert!(certify(&problem, &p).unwrap().law_error <= 1e-9, "{spec:?}");
        }
    }
    assert!(cases > 1500 && unsettled * 200 < cases, "{unsettled} of {cases}");
    // The slowest of those that settle is next to a fold too.
    assert!(most < 150, "{most}");
}
