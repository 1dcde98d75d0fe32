//! Contact problems in files, as `delassus solve` takes them: read, solved by all methods, judged.

use delassus_fclib::{FclibProblem, natural_map_error, read, standard_form};
use delassus_solver::{ContactProblem, Dimension, LocalKernel, Method, SolverOptions, Vector, certify, solve_in_order};

use super::{Answer, Bound, Form, FuzzTarget, no_words};

/// FCLIB files, and the `failed-problem.json` that a run leaves.
pub const TARGET: FuzzTarget =
    FuzzTarget { name: "solve", form: Form::Binary, words: no_words, memory: Bound::READER, run };

/// Contacts beyond which a problem is only read.
const MOST_CONTACTS: usize = 16;

const OPTIONS: SolverOptions = SolverOptions { tolerance: 1e-8, max_iterations: 50 };

fn run(input: &[u8]) -> Answer {
    if input.iter().find(|b| !b.is_ascii_whitespace()) != Some(&b'{') {
        return match read(input).map(|file| file.problem) {
            Ok(FclibProblem::Plane(problem)) => {
                solved(&problem, &[Method::Nlgs, Method::Lemke, Method::Admm, Method::Newton, Method::Interior])
            }
            Ok(FclibProblem::Space(problem)) => {
                solved(&problem, &[Method::Nlgs, Method::Admm, Method::Newton, Method::Interior])
            }
            Err(error) => Answer::Refused(error.to_string()),
        };
    }
    match serde_json::from_slice::<ContactProblem<2>>(input) {
        Ok(problem) => solved(&problem, &[Method::Nlgs, Method::Lemke, Method::Admm, Method::Newton, Method::Interior]),
        Err(plane) => match serde_json::from_slice::<ContactProblem<3>>(input) {
            Ok(problem) => solved(&problem, &[Method::Nlgs, Method::Admm, Method::Newton, Method::Interior]),
            Err(space) => Answer::Refused(format!("{plane}; {space}")),
        },
    }
}

/// Each method by itself: where the first one converges, the others would never be asked.
fn solved<const D: usize>(problem: &ContactProblem<D>, methods: &[Method]) -> Answer
where
    Dimension<D>: LocalKernel<D>,
{
    if problem.n() > MOST_CONTACTS {
        return Answer::Refused("large".to_owned());
    }
    if let Err(error) = problem.validate() {
        return Answer::Refused(error.to_string());
    }
    let plain = standard_form(problem);
    let mut sizes = vec![D, problem.n(), usize::from(plain.is_ok())];
    for &method in methods {
        let mut p = vec![Vector::<D>::zeros(); problem.n()];
        let reports = solve_in_order(&[method], problem, &mut p, &OPTIONS);
        let claimed = reports.last().is_some_and(|report| report.converged);
        let error = match certify(problem, &p) {
            Ok(certificate) => certificate.law_error,
            Err(error) => return Answer::Refused(error.to_string()),
        };
        let accepted = claimed && error <= OPTIONS.tolerance;
        let finite = p.iter().all(|p| p.iter().all(|x| x.is_finite()));
        assert!(finite || !accepted, "impulses that are no numbers are accepted");
        let natural = plain.as_ref().is_ok_and(|plain| plain.n() == p.len() && natural_map_error(plain, &p) < 1.0);
        sizes.extend([reports.len(), usize::from(claimed), usize::from(accepted), usize::from(natural)]);
    }
    Answer::of(Ok::<_, String>(sizes), |sizes| sizes)
}
