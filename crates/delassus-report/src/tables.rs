//! Tables of the page: checks, errors against the exact solution, provenance; and where the time went.

use std::fmt::Write;

use delassus_chart::scale::PrefixedUnit;
use delassus_chart::stroke::BLUE;
use delassus_chart::svg::{Anchor, Svg, escape};
use delassus_run::manifest::Manifest;
use delassus_verify::Verification;

use super::folder::Results;
use super::html::data;

fn verification(results: &Results) -> Option<&Verification> {
    results.manifest.as_ref().and_then(|m| m.verification.as_ref())
}

fn head(out: &mut String, id: &str, title: &str, columns: &[&str]) {
    let _ = write!(out, "<section id=\"{id}\">\n<h2>{title}</h2>\n{}", table_head(columns));
}

/// The beginning of a table, up to its first row.
#[must_use]
pub fn table_head(columns: &[&str]) -> String {
    let mut out = String::from("<div class=\"wide\"><table>\n<thead><tr>\n");
    for column in columns {
        let _ = write!(out, "<th scope=\"col\">{column}</th>");
    }
    out + "</tr></thead>\n<tbody>\n"
}

/// The row of a check: found, expected, error, tolerance. Its cells carry the names of their columns: in a narrow window they stand one below
/// the other.
#[must_use]
pub fn check_row(name: &str, passed: bool, [found, expected, error, tolerance]: [f64; 4]) -> String {
    let (class, word) = if passed { ("pass", "passed") } else { ("attention", "failed") };
    let mut out = format!(
        "<tr class=\"labelled\"><th scope=\"row\">{}</th><td data-label=\"result\"><span class=\"{class}\">{word}</span></td>",
        escape(name)
    );
    for (label, x, text) in [
        ("found", found, format!("{found:.6e}")),
        ("expected", expected, format!("{expected:.6e}")),
        ("error", error, format!("{error:.2e}")),
        ("allowed", tolerance, format!("{tolerance:.2e}")),
    ] {
        let _ = write!(out, "<td class=\"n\" data-label=\"{label}\">{}</td>", data(x, &text));
    }
    out + "</tr>\n"
}

/// What the errors of a column are.
const ERRORS: [&str; 3] = ["mean (L1)", "root mean square (L2)", "largest"];

/// The row of a column's errors.
#[must_use]
pub fn error_row(column: &str, errors: [f64; 3]) -> String {
    let mut out = format!("<tr class=\"labelled\"><th scope=\"row\">{}</th>", escape(column));
    for (x, label) in errors.into_iter().zip(ERRORS) {
        let _ = write!(out, "<td class=\"n\" data-label=\"{label}\">{}</td>", data(x, &format!("{x:.2e}")));
    }
    out + "</tr>\n"
}

const END: &str = "</tbody>\n</table></div>\n</section>\n";

/// The checks of the case; nothing when it has none.
#[must_use]
pub fn checks(results: &Results) -> String {
    let mut out = String::new();
    let checks = verification(results).map_or(&[][..], |v| &v.checks);
    if checks.is_empty() {
        return out;
    }
    head(&mut out, "checks", "Checks", &["check", "result", "found", "expected", "error", "allowed"]);
    for c in checks {
        out.push_str(&check_row(&c.name, c.passed, [c.found, c.expected, c.error, c.tolerance]));
    }
    out + END
}

/// Errors against the exact solution; nothing when there is none.
#[must_use]
pub fn exact_errors(results: &Results) -> String {
    let mut out = String::new();
    let errors = verification(results).map_or(&[][..], |v| &v.errors);
    if errors.is_empty() {
        return out;
    }
    let [mean, square, largest] = ERRORS;
    let title = "Relative errors against the exact solution or a reference";
    head(&mut out, "exact", title, &["column", mean, square, largest]);
    for e in errors {
        let part = e.window.map_or(String::new(), |[from, to]| {
            format!(", t from {} to {}", results.show(from, "s"), results.show(to, "s"))
        });
        out.push_str(&error_row(&format!("{}{part}", e.column), [e.l1, e.l2, e.max]));
    }
    out + END
}

/// What ran, on what; nothing when the run did not finish.
#[must_use]
pub fn provenance(results: &Results) -> String {
    let Some(m) = &results.manifest else { return String::new() };
    let mut out = String::new();
    head(&mut out, "provenance", "Provenance", &["what", "value"]);
    let mut row = |name: &str, value: &str| {
        let _ =
            writeln!(out, "<tr><th scope=\"row\">{}</th><td class=\"hash\">{}</td></tr>", escape(name), escape(value));
    };
    row("program", &format!("{} {}", m.program, m.version));
    row("commit", &m.commit);
    if let Some(case) = &m.case {
        row("case", case);
    }
    row("case, SHA-256", &m.case_hash);
    let set = if m.settings.is_empty() { "none".to_owned() } else { m.settings.join("; ") };
    row("changed by --set", &set);
    for (body, hash) in &m.mesh_hashes {
        let of = if body.starts_with("reference ") { String::new() } else { "mesh of ".to_owned() };
        let name = if hash == "generated" { format!("{of}{body}") } else { format!("{of}{body}, SHA-256") };
        row(&name, hash);
    }
    row("final state, SHA-256", &m.state_hash);
    row("threads", &m.threads.to_string());
    row("steps", &m.steps.to_string());
    row("degrees of freedom", &m.dofs.to_string());
    out + END
}

/// Bars of the time spent in each phase, the longest first; nothing when the run did not finish.
#[must_use]
pub fn timings(results: &Results) -> String {
    let Some(m) = &results.manifest else { return String::new() };
    let phases = phases(m);
    if phases.is_empty() {
        return String::new();
    }
    let total = m.timings_s.get("total").copied().unwrap_or(0.0);
    let (width, left, row) = (640.0, 130.0, 22.0);
    let mut svg = Svg::new("fig-timings", "Time spent in each phase", width, row * phases.len() as f64 + 8.0);
    let longest = phases.iter().map(|p| p.1).fold(0.0, f64::max).max(f64::MIN_POSITIVE);
    for (k, (name, seconds)) in phases.iter().enumerate() {
        let y = 4.0 + row * k as f64;
        let length = (width - left - 130.0) * seconds / longest;
        svg.text([left - 8.0, y + 15.0], Anchor::End, &name.replace('_', " "));
        svg.rect([left, y + 3.0], [length.max(1.0), row - 6.0], &format!("fill=\"{BLUE}\""));
        let share = if total > 0.0 { format!(", {:.1} %", 100.0 * seconds / total) } else { String::new() };
        svg.text(
            [left + length.max(1.0) + 6.0, y + 15.0],
            Anchor::Start,
            &format!("{}{share}", PrefixedUnit::show(*seconds, "s")),
        );
    }
    let speed = if total > 0.0 { format!(", {:.0} steps a second", m.steps as f64 / total) } else { String::new() };
    format!(
        "<section id=\"timings\">\n<h2>Time of each phase</h2>\n<div class=\"figures\">\n<figure>\n<div class=\"wide\">{}</div>\n\
         <figcaption>Wall time of each phase; the whole run took {}{speed}.</figcaption>\n</figure>\n</div>\n</section>\n",
        svg.finish(),
        escape(&PrefixedUnit::show(total, "s"))
    )
}

/// (name, seconds) of the phases and of what none of them accounts for, the longest first.
fn phases(m: &Manifest) -> Vec<(String, f64)> {
    let named = m.timings_s.iter().filter(|(name, _)| !["total", "steps"].contains(&name.as_str()));
    let mut out: Vec<(String, f64)> = named.map(|(n, s)| (n.clone(), *s)).filter(|p| p.1.is_finite()).collect();
    let rest = m.timings_s.get("total").copied().unwrap_or(0.0) - out.iter().map(|p| p.1).sum::<f64>();
    if rest > 0.0 && !out.is_empty() {
        out.push(("the rest".to_owned(), rest));
    }
    out.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    out
}
