//! The list of `delassus verify`, run as the command runs it.
//!
//! Reference: that of each entry (`crates/delassus-suite/src/suite.ron`), tolerances in the `verify` blocks of the cases.
//!
//! Goal: what the list says passes; the page shows every figure that the results hold; a wrong reference is found.
//!
//! Parameters: every quick entry (30 s of processor time in the profile of the tests).

use std::collections::BTreeSet;

use delassus_suite::{EntryResult, SuiteOptions, SuiteResult, Watcher, list, page, run_suite};
use serde_json::Value;
use verification::show;

struct Nobody;

impl Watcher for Nobody {
    fn started(&mut self, _: usize, _: usize, _: &str, _: f64) {}
    fn ended(&mut self, _: &EntryResult) {}
}

fn run_those(wanted: impl Fn(&str, bool) -> bool, settings: &[&str]) -> SuiteResult {
    let entries: Vec<_> = list().unwrap().into_iter().filter(|e| wanted(&e.name, e.quick)).collect();
    assert!(!entries.is_empty());
    let settings = settings.iter().map(|s| (*s).to_owned()).collect();
    run_suite(&entries, &SuiteOptions { settings, ..SuiteOptions::default() }, &mut Nobody).unwrap()
}

/// Every number of a JSON value, as the page writes it.
fn numbers(value: &Value, out: &mut BTreeSet<String>) {
    match value {
        Value::Number(n) => {
            out.insert(format!("{:e}", n.as_f64().unwrap()));
        }
        Value::Array(all) => all.iter().for_each(|v| numbers(v, out)),
        Value::Object(all) => all.values().for_each(|v| numbers(v, out)),
        _ => {}
    }
}

#[test]
fn the_list_passes_and_the_page_has_every_figure() {
    let result = run_those(|_, quick| quick, &[]);
    for e in &result.entries {
        show(&format!("suite: {} in {:.1} s {}", e.name, e.wall, e.failures.join("; ")));
    }
    assert!(result.all_passed(), "{}", result.text());
    let page = page(&result);
    let json = serde_json::to_value(&result).unwrap();
    for entry in json["entries"].as_array().unwrap() {
        let name = entry["name"].as_str().unwrap();
        let mut figures = BTreeSet::new();
        for part in ["run", "study"] {
            let mut part = entry[part].clone();
            if let Some(o) = part.as_object_mut() {
                // Said in words: what was asked for, and how the judgement is made.
                for key in ["tolerance", "flagged", "expect"] {
                    o.remove(key);
                }
            }
            numbers(&part, &mut figures);
        }
        assert!(figures.len() > 5, "{name}: {figures:?}");
        let start = page.find(&format!("<section class=\"entry\" id=\"{name}\">")).unwrap();
        let section = &page[start..start + page[start..].find("</section>").unwrap()];
        for figure in figures {
            assert!(section.contains(&format!("<data value=\"{figure}\">")), "{name}: {figure} is not on the page");
        }
        assert!(section.contains("<svg "), "{name} has no picture");
    }
    // Nothing is fetched, no identifier twice.
    for outside in ["http:", "https:", "src=", "<script", "<link"] {
        assert!(!page.contains(outside), "{outside}");
    }
    let ids: Vec<&str> = page.split(" id=\"").skip(1).map(|s| &s[..s.find('"').unwrap()]).collect();
    assert_eq!(ids.len(), ids.iter().collect::<BTreeSet<_>>().len(), "{ids:?}");
}

#[test]
fn a_wrong_reference_is_found() {
    let result = run_those(|name, _| name == "oscillator", &["verify.checks[0].expected=0.91"]);
    assert!(!result.all_passed() && result.passed == 0, "{}", result.text());
    let text = result.text();
    assert!(
        text.contains("FAIL  oscillator: The check “way, v0 sin t” failed") && text.contains("0 of 1 passed"),
        "{text}"
    );
    assert!(page(&result).contains("✗ failed"));
    // Second order where first is expected.
    let result = run_those(|name, _| name == "oscillator-step-theta", &["integrator=Theta(theta: 0.5)"]);
    assert!(!result.all_passed() && result.text().contains("expected 1 ± 0.05"), "{}", result.text());
}

#[test]
fn an_entry_that_does_not_run_is_a_failure_and_the_rest_go_on() {
    let result =
        run_those(|name, _| ["bars-impact", "oscillator"].contains(&name), &["contacts.faces.law=Frictionless"]);
    let outcomes: Vec<bool> = result.entries.iter().map(|e| e.passed).collect();
    assert_eq!(outcomes, [true, false], "{}", result.text());
    assert!(result.text().contains("oscillator: it did not finish"), "{}", result.text());
    assert!(page(&result).contains("did not finish"));
}
