//! `delassus show`: a summary of a results folder, in a few lines or as JSON. Only the folder is read, so it works
//! for runs that finished, failed, were killed or are in progress.

use std::fmt::Write as _;
use std::path::Path;

use delassus_error::input::{RECORD, read_file};
use delassus_run::json_fault;
use delassus_run::judgement::Weight;
use delassus_run::results::file_names;
use delassus_run::status::{Ending, ending};
use delassus_verify::CheckResult;
use serde_json::{Value, json};

use super::error::ReportError;
use super::folder::Results;
use super::judgement::judge;

/// Columns of pairs and probes that are shown; the rest is in the file.
const SHOWN: usize = 8;

/// Columns every history has that tell most.
const GENERAL: [&str; 4] = ["kinetic_energy", "elastic_energy", "energy_residual", "active_contacts"];

/// The summary as a person reads it.
pub fn show(folder: &Path) -> Result<String, ReportError> {
    let results = Results::read(folder)?;
    let judgement = judge(&results).judgement;
    let mut text = format!("{}\n  {}: {}\n", results.case.title, judgement.word.text(), judgement.sentence);
    let mut line = |label: &str, content: String| {
        let _ = writeln!(text, "  {label:<10} {content}");
    };
    for finding in &judgement.findings {
        line(label(finding.weight), finding.text.clone());
    }
    match &results.manifest {
        Some(m) => {
            let settings: String = m.settings.iter().map(|s| format!(" --set {s}")).collect();
            line("case", format!("{}{settings}", m.case.as_deref().unwrap_or("?")));
            let seconds = m.timings_s.get("total").copied().unwrap_or(f64::NAN);
            line("run", format!("{} dofs, {seconds:.2} s on {} threads, version {}", m.dofs, m.threads, m.version));
            for check in m.verification.iter().flat_map(|v| &v.checks) {
                line(if check.passed { "pass" } else { "FAIL" }, words(check));
            }
        }
        None => {
            if let Some(last) = results.log.lines().last() {
                line("log", last.to_owned());
            }
        }
    }
    let names = results.history.names();
    let rows = results.history.rows();
    if let Some(row) = rows.last() {
        let value = |name: &str| names.iter().position(|n| n == name).map_or(f64::NAN, |k| row[k]);
        line("last row", format!("step {}, t = {}", value("step"), results.show(value("time"), "s")));
        for name in GENERAL {
            line("", format!("{name} = {}", number(value(name))));
        }
        let own: Vec<&String> = names.iter().filter(|n| n.contains('.') && !n.starts_with("exact")).collect();
        for name in own.iter().take(SHOWN) {
            line("", format!("{name} = {}", number(value(name))));
        }
        if own.len() > SHOWN {
            line("", format!("and {} more", own.len() - SHOWN));
        }
    }
    line("files", files(folder).join(", "));
    line("history", format!("{} rows, {} columns", rows.len(), names.len()));
    let place = folder.display();
    match results.fields.len() {
        0 => line("ParaView", "no frame of the fields yet".to_owned()),
        n => line("ParaView", format!("open {place}/fields.pvd ({n} frames), press Apply, add Warp By Vector")),
    }
    if !folder.join(super::FILE).is_file() {
        line("report", format!("delassus report {place}"));
    }
    Ok(text.trim_end().to_owned())
}

/// The same for programs, with the whole manifest; `null` where there is none.
pub fn show_json(folder: &Path) -> Result<Value, ReportError> {
    let results = Results::read(folder)?;
    let judgement = judge(&results).judgement;
    let path = folder.join("manifest.json");
    let manifest: Value = match &results.manifest {
        None => Value::Null,
        Some(_) => read_file(&path, RECORD).map_err(ReportError::from).and_then(|bytes| {
            serde_json::from_slice(&bytes)
                .map_err(|e| ReportError::Damaged { path: path.clone(), reason: json_fault(&e) })
        })?,
    };
    let names = results.history.names();
    let last: serde_json::Map<String, Value> = match results.history.rows().last() {
        Some(row) => names.iter().cloned().zip(row.iter().map(|x| json!(x))).collect(),
        None => serde_json::Map::new(),
    };
    Ok(json!({
        "folder": folder.display().to_string(),
        "title": results.case.title,
        "finished": results.manifest.is_some(),
        "verdict": judgement.word.text(),
        "sentence": judgement.sentence,
        "findings": judgement.findings,
        "state": state(&results),
        "manifest": manifest,
        "history": { "rows": results.history.rows().len(), "columns": names, "last": last },
        "frames": {
            "fields": results.fields.len(), "contacts": results.contacts.len(), "obstacles": results.obstacles.len(),
        },
        "files": files(folder),
        "log": results.log.lines().collect::<Vec<_>>(),
    }))
}

fn label(weight: Weight) -> &'static str {
    match weight {
        Weight::Note => "note",
        Weight::Doubtful => "doubtful",
        Weight::Failed => "failed",
    }
}

/// What the run does or how it ended, for programs.
fn state(results: &Results) -> &'static str {
    match &results.manifest {
        Some(_) => "finished",
        None => match ending(results.path(), results.status.as_ref()) {
            Ending::Going => "running",
            Ending::Interrupted => "interrupted",
            Ending::Failed(_) => "failed",
            Ending::Killed => "killed",
        },
    }
}

fn words(c: &CheckResult) -> String {
    if c.found.is_nan() {
        return format!("{}: its measure has no value in this run, expected {:.6e}", c.name, c.expected);
    }
    let CheckResult { name, found, expected, error, tolerance, .. } = c;
    format!("{name}: {found:.6e}, expected {expected:.6e} (error {error:.2e}, allowed {tolerance:.2e})")
}

/// Whole numbers as such, others with seven digits.
fn number(x: f64) -> String {
    if x.fract() == 0.0 && x.abs() < 1e15 { format!("{x}") } else { format!("{x:.6e}") }
}

/// The files of a run that are there.
fn files(folder: &Path) -> Vec<&'static str> {
    file_names().iter().copied().filter(|name| folder.join(name).is_file()).collect()
}
