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
        let input = |v_free| ContactInput {
            gap: 0.0,
            area: 1e-2,
            v_minus: v_free,
            v_free,
            drift: zero,
            frame: Matrix::identity(),
            acted: false,
            place: Vector::zeros(),
            time: 0.0,
        };
        let block = problem.operator.diagonal(0);
        let trial = Trial {
            contact: input(problem.v_free[0]),
            step,
            operator: BlockMatrix::dense(1, |_, _| block),
            speed: 1.0,
        };
        for spec in every_law(&mut random, &trial) {
            let law = spec.build::<2>().unwrap();
            let size = Size::of(&trial);
            let mut z = || history(&mut random, law.as_ref(), &size);
            let rule = |&v_free: &Vector<2>| ContactUnderLaw { law: law.as_ref(), input: input(v_free), history: z() };
            let contacts: Vec<_> = problem.v_free.iter().map(rule).collect();
            problem.laws = contacts.iter().map(|c| c.derive(&step, None)).collect();
            problem.validate().unwrap();
            let options = SolverOptions::default();
            let chain = ChainSettings { methods: &[Method::Nlgs], options: &options, interrupt: &Interrupt::never() };
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

/// Asked to stop at any look, the fixed point of the laws ends with the solve under way.
#[test]
fn an_interrupt_ends_the_iterations() {
    let step = StepTimes { h: 1e-2, gap_time: 1e-2, rest: 1e-2 };
    let mut problem = random_problem(&mut Random::new(43), 6, BodyKind::Deformable);
    let law = LawSpec::RateAndState(friction::FAULT).build::<2>().unwrap();
    let input = |v: Vector<2>| ContactInput {
        gap: 0.0,
        area: 1e-2,
        v_minus: v,
        v_free: v,
        drift: Vector::<2>::zeros(),
        frame: Matrix::identity(),
        acted: false,
        place: Vector::zeros(),
        time: 0.0,
    };
    let mut z = vec![f64::NAN; history_len(law.as_ref())];
    law.start(true, &mut z);
    let rule = |&v: &Vector<2>| ContactUnderLaw { law: law.as_ref(), input: input(v), history: z.clone() };
    let contacts: Vec<_> = problem.v_free.iter().map(rule).collect();
    let options = SolverOptions::default();
    let mut settle = |interrupt: &Interrupt| {
        problem.laws = contacts.iter().map(|c| c.derive(&step, None)).collect();
        let chain = ChainSettings { methods: &[Method::Nlgs], options: &options, interrupt };
        solve_under_laws(&chain, &contacts, &mut problem, &mut [Vector::<2>::zeros(); 6], &step).iterations
    };
    let all = Interrupt::at_look(usize::MAX);
    let iterations = settle(&all);
    assert!(iterations > 3 && all.looks() > iterations, "{iterations}");
    let mut before = 1;
    for look in 0..all.looks() {
        let interrupt = Interrupt::at_look(look);
        let done = settle(&interrupt);
        assert!(
            (before..=before + 1).contains(&done) && interrupt.looks() <= look + 2,
            "look {look}: {before}, {done}"
        );
        before = done;
    }
    assert_eq!(before, iterations);
}
