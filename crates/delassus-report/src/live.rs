//! A run as it goes: plots for a terminal, and a page that follows it.

use std::fmt::Write;

use delassus_chart::svg::escape;
use delassus_run::status::{Ending, RunPace, RunState, RunStatus, ending};

use crate::figures;
use crate::folder::Results;
use crate::plot::column_chart;

/// Rows of a plot in a terminal.
const ROWS: usize = 5;
/// Parts of a character cell, from below.
const BARS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// What is shown unless columns are named.
const USUAL: [&str; 3] = ["kinetic_energy", "elastic_energy", "active_contacts"];

/// Is there nothing more to wait for?
#[must_use]
pub fn is_over(results: &Results) -> bool {
    results.manifest.is_some() || ending(results.path(), results.status.as_ref()) != Ending::Going
}

/// State, steps and time left, in a line.
#[must_use]
pub fn headline(results: &Results) -> String {
    let Some(RunStatus { state, done, steps, time, pace, .. }) = &results.status else {
        return results.case.title.clone();
    };
    let word = match (state, ending(results.path(), results.status.as_ref())) {
        (RunState::Finished, _) => "finished",
        (_, Ending::Going) => "running",
        (_, Ending::Interrupted) => "interrupted",
        (_, Ending::Failed(_)) => "failed",
        (_, Ending::Killed) => "killed",
    };
    let percent = if *steps > 0 { 100.0 * *done as f64 / *steps as f64 } else { 100.0 };
    let mut out = format!(
        "{}: {word}, step {done} of {steps} ({percent:.0} %), t = {}",
        results.case.title,
        results.show(*time, "s")
    );
    if let Some(RunPace { remaining_s: Some(seconds), .. }) = pace {
        let _ = write!(out, ", {} left", duration(*seconds));
    }
    out
}

/// A duration as people say it.
fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 90.0 => format!("{s:.0} s"),
        s if s < 5400.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

/// Plots of columns for a terminal of so many characters; the usual ones where none are named. Names of columns that are not there are told.
#[must_use]
pub fn terminal(results: &Results, columns: &[String], width: usize) -> String {
    let usual: Vec<String> = USUAL.iter().map(|c| (*c).to_owned()).collect();
    let columns = if columns.is_empty() { &usual } else { columns };
    let mut out = headline(results) + "\n";
    for name in columns {
        match results.history.column(name) {
            Some(values) => out += &bars(name, &values, width.clamp(20, 200)),
            None => {
                let _ = writeln!(out, "{name}: no such column of history.csv");
            }
        }
    }
    out
}

/// One plot: the values in columns of characters, from the smallest to the largest.
fn bars(name: &str, values: &[f64], width: usize) -> String {
    let finite = || values.iter().copied().filter(|x| x.is_finite());
    let (low, high) = finite().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
    let last = finite().next_back().unwrap_or(f64::NAN);
    let mut out = format!("{name}: last {last:.4e}, from {low:.4e} to {high:.4e}\n");
    if high <= low || high.is_nan() || low.is_infinite() {
        return out;
    }
    let n = width.min(values.len());
    // The last value of each column of characters.
    let seen: Vec<f64> = (1..=n).map(|k| values[k * values.len() / n - 1]).collect();
    let eighths = |x: &f64| ((x - low) / (high - low) * (8 * ROWS) as f64).round() as usize;
    for row in (0..ROWS).rev() {
        let letter = |x: &f64| if x.is_finite() { BARS[eighths(x).saturating_sub(8 * row).min(8)] } else { ' ' };
        out.extend(seen.iter().map(letter));
        out.push('\n');
    }
    out
}

/// A page that shows the run so far, with these columns of its history before energies and errors, and asks for itself again every two seconds until the run is over.
#[must_use]
pub fn page(results: &Results, columns: &[String]) -> String {
    let again = if is_over(results) { "" } else { "<meta http-equiv=\"refresh\" content=\"2\">" };
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">{again}<title>{title}</title>\n\
         <style>body{{font-family:system-ui,sans-serif;max-width:52rem;margin:1rem auto;padding:0 1rem}}svg{{width:100%;height:auto}}</style></head><body>\n\
         <h1>{title}</h1>\n<p>{}</p>\n",
        escape(&headline(results)),
        title = escape(&results.case.title),
    );
    for (k, name) in columns.iter().enumerate() {
        // A column that is not there is told in its place: a page cannot end with an error.
        let _ = match column_chart(results, name, format!("column-{k}")) {
            Ok(svg) => writeln!(out, "<figure>{svg}<figcaption>{}</figcaption></figure>", escape(name)),
            Err(e) => writeln!(out, "<p>{}</p>", escape(&e.to_string())),
        };
    }
    for figure in figures::energies(results).into_iter().chain(figures::trust(results)) {
        let _ = writeln!(out, "<figure>{}<figcaption>{}</figcaption></figure>", figure.svg, escape(&figure.caption));
    }
    out + "</body></html>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_rise_with_the_values() {
        let text = bars("a", &[0.0, 1.0, 2.0, 3.0, 4.0, f64::NAN], 6);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "a: last 4.0000e0, from 0.0000e0 to 4.0000e0");
        assert_eq!((lines[1], lines[5], lines.len()), ("    █ ", " ████ ", 6));
        assert_eq!(bars("a", &[2.0, 2.0], 10).lines().count(), 1);
        assert_eq!(bars("a", &[], 10).lines().count(), 1);
    }

    #[test]
    fn times_are_short() {
        assert_eq!((duration(4.2), duration(600.0), duration(9000.0)), ("4 s".into(), "10 min".into(), "2.5 h".into()));
    }
}
