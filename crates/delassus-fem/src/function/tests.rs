//! Tests of functions of time: calculus, validation, RON form.

use std::f64::consts::PI;

use ron::extensions::Extensions;

use super::*;

/// The options of case files.
fn options() -> ron::Options {
    ron::Options::default().with_default_extension(
        Extensions::IMPLICIT_SOME | Extensions::UNWRAP_NEWTYPES | Extensions::UNWRAP_VARIANT_NEWTYPES,
    )
}

fn read(text: &str) -> Result<TimeFunction, String> {
    options().from_str(text).map_err(|e| e.to_string())
}

fn sine(amplitude: f64, frequency: f64, phase: f64, offset: f64) -> TimeFunction {
    TimeFunction::Sine { amplitude, frequency, phase, offset }
}

fn examples() -> Vec<TimeFunction> {
    vec![
        TimeFunction::Constant(-2.5),
        TimeFunction::Table(vec![(0.5, 1.0)]),
        TimeFunction::Table(vec![(0.0, 0.0), (1.0, 2.5), (1.5, -1.0), (3.0, 0.25)]),
        TimeFunction::Ramp { start: 0.25, end: 1.75, from: -1.0, to: 5.0 },
        sine(1.5, 0.7, 0.3, -0.2),
        sine(1.5, 0.0, 0.3, 0.0),
        sine(1.0, 1e-7, 0.3, 0.0),
    ]
}

#[test]
fn derivative_is_the_slope_to_the_right() {
    for f in examples() {
        for k in 0..40 {
            let (t, dt) = (-0.5 + 0.1 * f64::from(k), 1e-6);
            let secant = (f.value(t + dt) - f.value(t)) / dt;
            // one-sided difference: error ½ |f''| dt ≤ ½ · 1.5 (2π 0.7)² · 1e-6 = 1.5e-5
            assert!((f.derivative(t) - secant).abs() < 2e-5, "{f:?} at {t}: {} against {secant}", f.derivative(t));
        }
    }
}

#[test]
fn integral_matches_a_fine_midpoint_sum() {
    for f in examples() {
        for (t0, t1) in [(-1.0, 4.0), (0.1, 0.2), (2.0, 0.5), (1.0, 1.0)] {
            let n = 20_000;
            let dt = (t1 - t0) / f64::from(n);
            let sum: f64 = (0..n).map(|k| f.value(t0 + (f64::from(k) + 0.5) * dt) * dt).sum();
            // midpoint error ≤ |t1 − t0| dt² |f''|/24 = 4e-7, and dt² |jump of slope|/8 = 8e-8 at each kink
            assert!((f.integral(t0, t1) - sum).abs() < 1e-6, "{f:?} over {t0}..{t1}");
        }
    }
}

#[test]
fn integral_adds_up_and_known_values() {
    for f in examples() {
        let whole = f.integral(-1.0, 4.0);
        let parts = f.integral(-1.0, 0.77) + f.integral(0.77, 4.0);
        assert!((whole - parts).abs() < 1e-14 * (1.0 + whole.abs()) * 10.0);
    }
    assert!((sine(2.0, 0.5, 0.0, 0.0).integral(0.0, 1.0) - 4.0 / PI).abs() < 1e-15, "∫₀¹ 2 sin πt = 4/π");
    let table = TimeFunction::Table(vec![(0.0, 0.0), (1.0, 2.0)]);
    assert!((table.integral(-1.0, 3.0) - 5.0).abs() < 1e-15, "0 + 1 + 4");
}

#[test]
fn values_at_and_beyond_the_ends() {
    let f = TimeFunction::Ramp { start: 0.0, end: 1.0, from: 0.0, to: 5.0 };
    for (t, v) in [(-1.0, 0.0), (0.0, 0.0), (0.5, 2.5), (1.0, 5.0), (f64::INFINITY, 5.0), (-f64::INFINITY, 0.0)] {
        assert!((f.value(t) - v).abs() < 1e-15, "{t}");
    }
}

#[test]
fn functions_without_meaning_are_refused() {
    let check = |f: TimeFunction, words: &str| {
        let message = f.validate().unwrap_err().to_string();
        assert!(message.contains(words), "`{words}` is not in: {message}");
    };
    examples().iter().for_each(|f| f.validate().unwrap());
    check(TimeFunction::Constant(f64::NAN), "value = NaN");
    check(TimeFunction::Table(vec![]), "at least one");
    check(TimeFunction::Table(vec![(0.0, 0.0), (1.0, 0.0), (1.0, 2.0)]), "row 2");
    check(TimeFunction::Table(vec![(0.0, f64::INFINITY)]), "row 0: value = inf");
    check(TimeFunction::Ramp { start: 1.0, end: 1.0, from: 0.0, to: 1.0 }, "end = 1");
    check(TimeFunction::Ramp { start: 0.0, end: 1.0, from: 0.0, to: f64::NAN }, "to = NaN");
    check(sine(1.0, -2.0, 0.0, 0.0), "frequency = -2");
    check(sine(1.0, f64::INFINITY, 0.0, 0.0), "frequency = inf");
}

#[test]
fn reads_numbers_and_named_functions_from_ron() {
    for (text, exact) in [("2e-4", 2e-4), ("3", 3.0), ("-1", -1.0), ("0.1", 0.1), ("1234567.891", 1_234_567.891)] {
        assert_eq!(read(text).unwrap(), TimeFunction::Constant(exact), "{text}: no loss through f32");
    }
    assert_eq!(read("Sine(amplitude: 1, frequency: 2)").unwrap(), sine(1.0, 2.0, 0.0, 0.0));
    assert_eq!(read("Sine(amplitude: 0.1, frequency: 2, phase: 1.5, offset: -1)").unwrap(), sine(0.1, 2.0, 1.5, -1.0));
    let table = TimeFunction::Table(vec![(0.0, 0.0), (1.0, 2.5)]);
    assert_eq!(read("Table([(0, 0), (1, 2.5)])").unwrap(), table);
    assert_eq!(read("Table([(0.1, 3)])").unwrap(), TimeFunction::Table(vec![(0.1, 3.0)]));
    assert_eq!(
        read("Ramp(start: 0.5, end: 1.0, from: 0.0, to: 5.0)").unwrap(),
        TimeFunction::Ramp { start: 0.5, end: 1.0, from: 0.0, to: 5.0 }
    );
    assert_eq!(read("Ramp(end: 1, to: 5)").unwrap(), TimeFunction::Ramp { start: 0.0, end: 1.0, from: 0.0, to: 5.0 });
}

#[test]
fn reads_inside_structures() {
    #[derive(Deserialize, Debug, PartialEq)]
    #[serde(deny_unknown_fields)]
    struct Load {
        group: String,
        factor: Option<TimeFunction>,
        list: Vec<TimeFunction>,
    }
    let text =
        r#"(group: "top", factor: Sine(amplitude: 1, frequency: 2), list: [1, Table([(0, 0), (1, 2.5)]), -2.5])"#;
    let load: Load = options().from_str(text).unwrap();
    assert_eq!(load.factor, Some(sine(1.0, 2.0, 0.0, 0.0)));
    assert_eq!(load.list[2], TimeFunction::Constant(-2.5));
    assert_eq!(load.list[1], TimeFunction::Table(vec![(0.0, 0.0), (1.0, 2.5)]));
}

#[test]
fn says_what_is_wrong_in_ron() {
    for (text, words) in [
        ("Sine(amplitud: 1, frequency: 2)", "amplitud"),
        ("Sine(amplitude: 1)", "frequency"),
        ("Cosine(amplitude: 1, frequency: 2)", "Cosine"),
        ("Table([(0, 0), (1)])", "tuple"),
        ("\"fast\"", "fast"),
    ] {
        let message = read(text).unwrap_err();
        assert!(message.contains(words) && message.contains("a function of time is"), "{text}: {message}");
    }
}

#[test]
fn writes_what_it_reads() {
    for f in examples() {
        let text = options().to_string(&f).unwrap();
        assert_eq!(read(&text).unwrap(), f, "{text}");
    }
    assert_eq!(options().to_string(&TimeFunction::Constant(2.5)).unwrap(), "2.5");
}

/// The rate of a displacement is its derivative, and its integral the displacement, without quadrature.
#[test]
fn displacements_have_rates() {
    let sine = TimeFunction::Sine { amplitude: 2.0, frequency: 3.0, phase: 0.4, offset: 5.0 };
    let formula = TimeFunction::Expression(TimeExpression::new("5 + 2*sin(2*pi*3*t + 0.4)"));
    let ramp = TimeFunction::Ramp { start: 0.1, end: 0.6, from: 1.0, to: 3.0 };
    for t in [0.0, 0.2, 0.7] {
        for f in [&sine, &formula, &ramp] {
            f.validate().unwrap();
            let rate = TimeFunction::Displacement(Box::new(f.clone()));
            rate.validate().unwrap();
            assert_eq!(rate.value(t).to_bits(), f.derivative(t).to_bits());
            assert_eq!(rate.integral(0.1, t).to_bits(), (f.value(t) - f.value(0.1)).to_bits());
        }
        // Both ways of writing the same function; derivatives are as large as (2π 3)² · 2 = 710.
        let rates = [&sine, &formula].map(|f| TimeFunction::Displacement(Box::new(f.clone())));
        assert!((rates[0].value(t) - rates[1].value(t)).abs() < 1e-12);
        assert!((rates[0].derivative(t) - rates[1].derivative(t)).abs() < 1e-10);
        assert!((sine.integral(0.0, t) - formula.integral(0.0, t)).abs() < 1e-12, "by quadrature");
    }
    let nested = TimeFunction::Displacement(Box::new(TimeFunction::Displacement(Box::new(ramp))));
    assert!(matches!(nested.validate(), Err(FemError::NoRate)));
}

#[test]
fn formulas_and_files_are_written_as_they_were() {
    for text in [
        "Expression(\"2*t\")",
        "Displacement(Expression(\"t^2\"))",
        "Displacement(Ramp(start:0.0,end:1.0,from:0.0,to:2.0))",
    ] {
        let function: TimeFunction = options().from_str(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(options().to_string(&function).unwrap(), text);
    }
    let csv: TimeFunction = options().from_str("Csv(file: \"a.csv\", value: \"a\")").unwrap();
    assert!(matches!(&csv, TimeFunction::Csv(TimeCsv { time, .. }) if time == "time"));
    let unread = csv.validate().unwrap_err();
    assert_eq!(delassus_error::Coded::code(&unread).as_str(), "E0175", "{unread}");
    assert!(csv.value(0.0).is_nan());
    let wrong: TimeFunction = options().from_str("Expression(\"2*y\")").unwrap();
    assert!(matches!(wrong.validate(), Err(FemError::Expression { at: 2, .. })));
}
