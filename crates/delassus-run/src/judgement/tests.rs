//! Every reason for a verdict, on evidence made by hand.

use std::path::Path;

use delassus_case::load::Loaded;
use delassus_case::spec::NlgsSpec;
use delassus_dynamics::integrator::{IntegratorSpec, Theta};
use delassus_sim::sightings::{Sighting, Sightings};
use delassus_sim::verdict::Worst;

use super::*;

const CASE: &str = r#"(
    title: "two blocks",
    kinematics: SmallStrain,
    materials: [(name: "m", density: 1000, law: KelvinVoigt(young: 1e8, poisson: 0.3))],
    bodies: [
        (name: "a", mesh: Rectangle(corner: (0, 0), size: (1, 1), cells: (2, 2)), material: "m"),
        (name: "b", mesh: Rectangle(corner: (0, 1), size: (1, 1), cells: (2, 2)), material: "m"),
    ],
    contacts: [(
        name: "c", candidates: (body: "b", group: "bottom"), antagonists: Surface(body: "a", group: "top"),
        law: SignoriniCoulomb(friction: 0.3),
    )],
    integrator: ThetaEuler(theta: 0.55), step: 1e-3, duration: 1e-2, solver: Nlgs(tolerance: 1e-10),
)"#;

/// Evidence that can be spoilt.
struct Trial {
    case: Case,
    verdict: Verdict,
    history: History,
    verification: Option<Verification>,
    steps: usize,
}

impl Trial {
    /// A run of ten steps that loses 1 of 100 J to the scheme and 20 J to friction.
    fn good() -> Self {
        let columns = [
            "step",
            "time",
            "kinetic_energy",
            "elastic_energy",
            "external_work",
            "viscous_dissipation",
            "friction_dissipation",
            "contact_work",
            "numerical_dissipation",
            "energy_residual",
            "law_error",
        ];
        let mut history = History::new(columns.map(str::to_owned).to_vec());
        for k in 0..=10 {
            let k = f64::from(k);
            let row = [k, 1e-3 * k, 100.0 - 2.05 * k, 0.0, 0.0, 0.0, 2.0 * k, 0.0, 0.05 * k, 1e-15 * k, 1e-12 * k];
            history.push(row.to_vec());
        }
        let case = Loaded::from_text(Path::new("case.ron"), CASE.to_owned(), &[]).unwrap().case;
        let verdict = Verdict { law_error: 1e-11, energy_residual: 1e-14, ..Verdict::default() };
        Self { case, verdict, history, verification: None, steps: 10 }
    }

    fn judged(&self) -> Judgement {
        judge(&Evidence {
            case: &self.case,
            verdict: &self.verdict,
            history: &self.history,
            verification: self.verification.as_ref(),
            steps: self.steps,
        })
    }

    /// The history with other values of a column.
    fn with(mut self, column: &str, values: impl Fn(f64) -> f64) -> Self {
        let names = self.history.names().to_vec();
        let k = names.iter().position(|n| n == column).unwrap();
        let mut history = History::new(names);
        for row in self.history.rows() {
            let mut row = row.clone();
            row[k] = values(row[0]);
            history.push(row);
        }
        self.history = history;
        self
    }

    /// The history with strains, by the step.
    fn with_strain(self, values: impl Fn(f64) -> f64) -> Self {
        self.adding("cell_strain", values)
    }

    /// The history with another column, by the step.
    fn adding(mut self, column: &str, values: impl Fn(f64) -> f64) -> Self {
        let mut names = self.history.names().to_vec();
        names.push(column.to_owned());
        let mut history = History::new(names);
        for row in self.history.rows() {
            history.push(row.iter().copied().chain([values(row[0])]).collect());
        }
        self.history = history;
        self
    }

    /// The word, and the finding of a topic.
    fn says(&self, word: Word, topic: Topic, pieces: &[&str]) {
        let judged = self.judged();
        let found: Vec<&Finding> = judged.findings.iter().filter(|f| f.topic == topic).collect();
        assert_eq!((judged.word, found.len()), (word, 1), "{judged:?}");
        for piece in pieces {
            assert!(found[0].text.contains(piece), "no `{piece}` in {:?}", found[0]);
        }
    }
}

#[test]
fn a_run_with_nothing_against_it_passes() {
    let judged = Trial::good().judged();
    assert_eq!((judged.word, judged.findings.len()), (Word::Pass, 0), "{judged:?}");
    let sentence = "10 of 10 steps at tolerance 1e-10; worst law error 1.0e-11; energy ledger closes to 1.0e-14; \
                    deepest penetration 0 m in the contact law, 0 m at the end of a step.";
    assert_eq!(judged.sentence, sentence);
}

#[test]
fn a_law_error_beyond_tolerance_is_doubtful_and_a_broken_law_has_failed() {
    let mut trial = Trial::good();
    trial.verdict.law_error = 1e-6;
    trial.says(Word::Doubtful, Topic::Law, &["above the tolerance 1e-10", "1.0e-6", "step 10, t = 1.0000e-2 s"]);
    trial.verdict.flagged = 3;
    trial.says(Word::Doubtful, Topic::Law, &["3 steps were accepted above the tolerance"]);
    for broken in [0.1, f64::NAN] {
        trial.verdict.law_error = broken;
        trial.says(Word::Failed, Topic::Law, &[]);
    }
}

#[test]
fn a_ledger_that_does_not_close_is_told_with_its_step() {
    let mut trial = Trial::good();
    for (residual, word) in [(1e-7, Word::Doubtful), (1e-3, Word::Failed), (f64::NAN, Word::Failed)] {
        trial.verdict.energy_residual = residual;
        trial.says(word, Topic::Ledger, &["does not close", "step 10"]);
    }
}

/// Energy that a loss creates is named, and not set against what other lines, or the same line before, have lost.
#[test]
fn energy_that_is_created_is_named_with_its_line() {
    let spoilt = |column: &str, size: f64| Trial::good().with(column, move |k| if k > 6.5 { -size } else { 0.0 });
    let tiny = 1e-6;
    spoilt("viscous_dissipation", tiny).says(Word::Doubtful, Topic::EnergyCreated, &["viscous", "step 7"]);
    spoilt("numerical_dissipation", 5.0).says(
        Word::Failed,
        Topic::EnergyCreated,
        &["numerical", "fell by 5.0e0 J", "5.0 %"],
    );
    // Minus the work of normal forces is the normal contact loss.
    spoilt("contact_work", -5.0).says(Word::Failed, Topic::EnergyCreated, &["normal contact loss", "4.7e0 J"]);
    // What normal impulses give on the velocity of the rebound, the numerical line takes back.
    let bounce = spoilt("contact_work", -5.0).with("numerical_dissipation", |k| if k > 6.5 { 5.1 } else { 0.0 });
    assert_eq!(bounce.judged().word, Word::Pass);
    let falls = Trial::good().with("numerical_dissipation", |k| if k > 6.5 { 2.0 } else { k });
    falls.says(Word::Failed, Topic::EnergyCreated, &["numerical dissipation", "4.0e0 J", "step 7"]);
    // A law that holds to 1e-4 lets friction be wrong by as much, and viscosity by nothing.
    let loose = |column: &str| {
        let mut trial = spoilt(column, 5e-3);
        trial.case.solver = SolverSpec::Nlgs(NlgsSpec { tolerance: 1e-4, ..NlgsSpec::default() });
        trial.judged().findings.len()
    };
    assert_eq!((loose("friction_dissipation"), loose("viscous_dissipation")), (0, 1));
    // With θ < 1 friction may dip at a slip reversal.
    let mut theta = spoilt("friction_dissipation", 0.5);
    theta.case.integrator = IntegratorSpec::Theta(Theta { theta: 0.5 });
    theta.says(Word::Pass, Topic::EnergyCreated, &["friction", "this scheme allows it"]);
    let mut theta = spoilt("friction_dissipation", 5.0);
    theta.case.integrator = IntegratorSpec::Theta(Theta { theta: 0.5 });
    theta.says(Word::Doubtful, Topic::EnergyCreated, &["friction"]);
}

/// Flush blocks at rest are pushed apart by the rounding of their coordinates: 1e-35 J from nothing are no reason to doubt. Energy that moves something is.
#[test]
fn energies_of_rounding_at_rest_are_not_weighed() {
    let rest = |strain: f64, displacement: f64| {
        let mut trial = Trial::good().with("kinetic_energy", |k| if k > 0.5 { 1e-35 } else { 0.0 });
        for column in ["friction_dissipation", "numerical_dissipation"] {
            trial = trial.with(column, |_| 0.0);
        }
        let mut trial = trial.with("contact_work", |k| if k > 0.5 { 1e-35 } else { 0.0 }).with_strain(|_| strain);
        trial.verdict.displacement = Worst { value: displacement, ..Worst::default() };
        trial
    };
    rest(3e-16, 1e-17).says(Word::Pass, Topic::EnergyCreated, &["normal contact loss"]);
    rest(1e-9, 1e-17).says(Word::Failed, Topic::EnergyCreated, &["normal contact loss"]);
    rest(3e-16, 1e-9).says(Word::Failed, Topic::EnergyCreated, &["normal contact loss"]);
}

#[test]
fn what_the_scheme_takes_is_told_as_a_share() {
    // The remainder has either sign: no energy counts as created, but its size is told.
    let left = Trial::good().adding("energy_remainder", |k| -0.5 * k);
    left.says(Word::Pass, Topic::Ledger, &["remainder", "5.0 %"]);
    // A large one is no detail any more, whatever its sign, and also if it was large on the way alone.
    for (size, word) in [(-2.0, Word::Doubtful), (2.0, Word::Doubtful), (7.0, Word::Failed), (-7.0, Word::Failed)] {
        Trial::good().adding("energy_remainder", move |k| size * k).says(word, Topic::Ledger, &["remainder"]);
        let way = Trial::good().adding("energy_remainder", move |k| if k < 9.5 && k > 8.5 { 10.0 * size } else { 0.0 });
        way.says(word, Topic::Ledger, &["remainder"]);
    }
    let lossy = Trial::good().with("numerical_dissipation", |k| 1.2 * k);
    lossy.says(Word::Pass, Topic::NumericalDissipation, &["12 % of the energy"]);
}

/// Joints that create or take energy: 100 J are the largest energy of the trial.
#[test]
fn joints_that_create_or_take_energy_are_weighed() {
    let at_step_7 = |size: f64| Trial::good().adding("joint_work", move |k| if k > 6.5 { size } else { 0.0 });
    for small in [-0.09, 0.09, 0.9] {
        assert!(at_step_7(small).judged().findings.is_empty(), "{small}");
    }
    at_step_7(-0.11).says(Word::Doubtful, Topic::Joints, &["Joints created 0.1 %", "step 7", "shorter steps"]);
    at_step_7(-1.1).says(Word::Failed, Topic::Joints, &["created 1.1 %", "step 7"]);
    at_step_7(1.1).says(Word::Doubtful, Topic::Joints, &["took 1.1 %", "step 7", "0.5"]);
    at_step_7(90.0).says(Word::Doubtful, Topic::Joints, &["took 90 %"]);
    // From the largest value on, as of a loss; not set against what was taken before.
    let falls = Trial::good().adding("joint_work", |k| if k > 6.5 { 2.0 } else { k });
    falls.says(Word::Failed, Topic::Joints, &["created 4.0 %", "step 7"]);
    let comes_and_goes = Trial::good().adding("joint_work", |k| if (k as u8).is_multiple_of(2) { 0.0 } else { 0.5 });
    comes_and_goes.says(Word::Doubtful, Topic::Joints, &["created 0.5 %"]);
    // What joints may do by rounding alone is nothing, of bodies at rest.
    let mut rest = at_step_7(-1.1);
    rest.verdict.joint_rounding = 1.2;
    assert!(rest.judged().findings.is_empty());
}

/// A stack at rest: what its contacts do is what the tolerance of their laws leaves, and nothing else is there to compare it with.
#[test]
fn what_the_tolerance_leaves_of_the_work_of_contacts_is_nothing() {
    let mut rest = Trial::good().with("contact_work", |k| 3.0 * k);
    rest.says(Word::Failed, Topic::EnergyCreated, &["normal contact loss"]);
    rest.verdict.joint_rounding = 40.0;
    assert!(rest.judged().findings.iter().all(|f| f.topic != Topic::EnergyCreated));
    // Not of other lines.
    let mut other = Trial::good().with("viscous_dissipation", |k| -3.0 * k);
    other.verdict.joint_rounding = 40.0;
    other.says(Word::Failed, Topic::EnergyCreated, &["viscous dissipation"]);
}

#[test]
fn bodies_inside_others_and_bodies_that_are_gone_are_doubtful() {
    let mut trial = Trial::good();
    trial.verdict.too_deep = 2;
    trial.says(Word::Doubtful, Topic::Penetration, &["2 times a candidate was too deep inside"]);
    let mut trial = Trial::good();
    trial.verdict.displacement = Worst { value: 31.4, step: 4, time: 4e-3, place: "b".to_owned() };
    trial.says(Word::Doubtful, Topic::LostBody, &["`b`", "31 times", "step 4"]);
    trial.verdict.displacement.value = f64::NAN;
    trial.says(Word::Doubtful, Topic::LostBody, &[]);
}

/// Linear kinematics lets a body that turns by φ grow by 1/cos φ: told from 1°, Doubtful from 5°.
#[test]
fn bodies_that_turn_are_told_and_doubted() {
    let turned = |degrees: f64| {
        let mut trial = Trial::good();
        trial.verdict.rotation = Worst { value: degrees.to_radians(), step: 3, time: 3e-3, place: "b".to_owned() };
        trial.verdict.cell_rotation = trial.verdict.rotation.clone();
        trial
    };
    assert!(turned(0.9).judged().findings.is_empty());
    turned(2.0).says(Word::Pass, Topic::Rotation, &["Body `b` has turned by 2.0°", "step 3", "grow by 0.06 %"]);
    turned(73.0).says(
        Word::Doubtful,
        Topic::Rotation,
        &["73.0°", "grow by 242.03 %", "leave `kinematics: SmallStrain` out"],
    );
    turned(f64::NAN).says(Word::Doubtful, Topic::Rotation, &[]);
    let mut bent = turned(30.0);
    bent.verdict.rotation = Worst::default();
    bent.says(Word::Pass, Topic::Rotation, &["A cell has turned by 30.0°", "body b"]);
    // what is left in frames says that one is not enough, or that the cells are too large
    for (frames, words) in [
        ("Body", ["in its frame by 12.0°", "one frame is not enough", "frames: Elements"]),
        ("Elements", ["body `b` bend by 12.0°", "in their frames", "use smaller cells"]),
    ] {
        let text = CASE.replace("SmallStrain", &format!("Corotational(frames: {frames})"));
        let mut trial = turned(12.0);
        trial.case = Loaded::from_text(Path::new("case.ron"), text, &[]).unwrap().case;
        trial.says(Word::Doubtful, Topic::Rotation, &words);
    }
}

/// What small strains leave out of a strain ε is ε²/2: told from a strain of 0.1, Doubtful from 0.5.
#[test]
fn bodies_that_are_strained_too_far_are_doubted() {
    // Worst on the way, not at the end.
    let strained = |s: f64| Trial::good().with_strain(|k| if k > 6.5 && k < 7.5 { s } else { 1e-3 });
    assert!(strained(0.09).judged().findings.is_empty());
    strained(0.2).says(Word::Pass, Topic::Strain, &["strained by 20 %", "step 7"]);
    strained(35.0).says(
        Word::Doubtful,
        Topic::Strain,
        &["strained by 3500 %", "step 7, t = 7.0000e-3 s", "strains are not small"],
    );
    strained(f64::NAN).says(Word::Doubtful, Topic::Strain, &[]);
}

#[test]
fn steps_that_were_hard_are_counted() {
    let mut trial = Trial::good();
    trial.steps = 1000;
    trial.verdict.takeovers = 20;
    trial.says(Word::Pass, Topic::Effort, &["20 steps were solved by a fallback solver (2.0 % of all)"]);
    trial.verdict.takeovers = 0;
    trial.verdict.cuts = 600;
    trial.says(Word::Doubtful, Topic::Effort, &["600 steps were tried again"]);
}

#[test]
fn a_failed_check_is_a_failed_run() {
    let mut trial = Trial::good();
    let check = |found: f64, passed| CheckResult {
        name: "stop time".into(),
        found,
        expected: 1.0,
        error: 0.2,
        tolerance: 0.1,
        passed,
    };
    trial.verification = Some(Verification { errors: Vec::new(), checks: vec![check(1.0, true), check(1.2, false)] });
    trial.says(Word::Failed, Topic::Check, &["“stop time” failed: 1.2", "allowed 1.00e-1"]);
    assert!(trial.judged().sentence.ends_with("checks: 1 of 2 passed."));
    trial.verification = Some(Verification { errors: Vec::new(), checks: vec![check(f64::NAN, false)] });
    trial.says(Word::Failed, Topic::Check, &["its measure has no value"]);
}

/// The heaviest finding decides, and comes first.
#[test]
fn the_heaviest_finding_comes_first() {
    let mut trial = Trial::good().with("numerical_dissipation", |k| 1.2 * k);
    trial.verdict.too_deep = 1;
    trial.verdict.energy_residual = 0.5;
    let judged = trial.judged();
    let weights: Vec<Weight> = judged.findings.iter().map(|f| f.weight).collect();
    assert_eq!(weights, [Weight::Failed, Weight::Doubtful, Weight::Note]);
    assert_eq!((judged.word, judged.reasons().count()), (Word::Failed, 2));
    let text = serde_json::to_string(&judged).unwrap();
    assert_eq!(serde_json::from_str::<Judgement>(&text).unwrap(), judged);
    assert!(text.contains(r#""word":"Failed""#) && text.contains(r#""topic":"ledger""#), "{text}");
}

#[test]
fn the_worst_keeps_the_first_of_equals_and_nan_for_good() {
    let mut worst = Worst::default();
    for (k, x) in [1.0, 3.0, 3.0, 2.0].into_iter().enumerate() {
        worst.see(x, k, 0.1 * k as f64, || format!("body {k}"));
    }
    assert_eq!((worst.step, worst.place.as_str()), (1, "body 1"));
    worst.see(f64::NAN, 7, 0.7, || "lost".to_owned());
    worst.see(1e9, 8, 0.8, || "later".to_owned());
    assert!(worst.value.is_nan() && worst.step == 7);
}

/// What the surfaces showed is told where it mattered, in the units of the case; what never mattered is not.
#[test]
fn a_sighting_that_mattered_is_doubtful_and_another_is_not_told() {
    let seen = |steps: usize| Sighting {
        what: "the surface of `b` is inside `a`".to_owned(),
        depth: 0.09,
        ratio: 0.9,
        place: vec![0.5, 1.0],
        step: 3,
        time: 3e-3,
        since: 2e-3,
        steps,
    };
    let mut trial = Trial::good();
    trial.verdict.sightings = Sightings { declared: Some(seen(3)), ..Sightings::default() };
    let pieces = ["The surface of `b`", "by 9.000e-2 m, 0.90 of a facet", "t = 3.0000e-3 s", "in 3 steps"];
    trial.says(Word::Doubtful, Topic::Penetration, &pieces);
    trial.verdict.sightings = Sightings { edge: Some(seen(1)), ..Sightings::default() };
    trial.case.units = delassus_case::spec::Units::Plain;
    trial.says(Word::Doubtful, Topic::GroupEdge, &["by 9.000e-2, 0.90 of a facet"]);
    trial.verdict.sightings = Sightings { undeclared: Some(seen(0)), ..Sightings::default() };
    assert_eq!(trial.judged().findings, []);
}
