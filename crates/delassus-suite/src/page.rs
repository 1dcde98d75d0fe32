//! `verification.html`: one page with all that was checked, self-contained like the report of a run, whose style it shares.

use std::fmt::Write;

use delassus_chart::svg::escape;
use delassus_report::html::{STYLE, data, figure};
use delassus_report::tables::{check_row, error_row, table_head};
use delassus_run::judgement::small;
use delassus_verify::ColumnError;

use super::Expect;
use super::list::time_in_words;
use super::loglog;
use super::run::{EntryResult, RunResult, StudyResult, SuiteResult};

/// What this page has beside the report's style.
const MORE: &str = include_str!("style.css");

const TABLE_END: &str = "</tbody>\n</table></div>\n";

/// The whole page.
#[must_use]
pub fn page(result: &SuiteResult) -> String {
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Delassus {} – verification</title>\n<style>\n{STYLE}{MORE}</style>\n</head>\n<body>\n<main>\n",
        result.version
    );
    header(&mut out, result);
    contents(&mut out, result);
    for e in &result.entries {
        entry(&mut out, e);
    }
    out += "<p class=\"note\">Relative errors, absolute where 0 is expected. Law error and ledger residual are those \
            of the worst step; both are relative. \
            The JSON file beside this page has all digits.</p>\n";
    out += "</main>\n</body>\n</html>\n";
    out
}

fn header(out: &mut String, r: &SuiteResult) {
    let which = if r.quick { "the quick part of the suite" } else { "the suite" };
    let _ = writeln!(
        out,
        "<header>\n<h1>Verification of Delassus {}</h1>\n<p>{which}, {}</p>\n</header>",
        escape(r.version),
        escape(&r.date)
    );
    let (class, word) = if r.all_passed() { ("pass", "Pass") } else { ("failed", "Failed") };
    let _ = writeln!(
        out,
        "<section id=\"verdict\" class=\"{class}\">\n<p><strong>{word}.</strong> {} of {} entries passed in {}.</p>",
        r.passed,
        r.total,
        time_in_words(r.wall)
    );
    let failed: Vec<&EntryResult> = r.entries.iter().filter(|e| !e.passed).collect();
    if !failed.is_empty() {
        out.push_str("<ul>\n");
        for e in failed {
            let name = escape(&e.name);
            let _ = writeln!(out, "<li><a href=\"#{name}\">{name}</a>: {}</li>", escape(&e.failures.join("; ")));
        }
        out.push_str("</ul>\n");
    }
    out.push_str("</section>\n<div class=\"wide\"><table class=\"facts\">\n<tbody>\n");
    let threads = r.threads.to_string();
    let cores = format!("{} · {} cores", r.machine.cpu, r.machine.cores);
    for (name, value) in
        [("machine", cores.as_str()), ("system", &r.machine.os), ("commit", r.commit), ("threads of a run", &threads)]
    {
        let _ = writeln!(out, "<tr><th scope=\"row\">{name}</th><td>{}</td></tr>", escape(value));
    }
    out.push_str(TABLE_END);
}

fn mark(passed: bool) -> &'static str {
    if passed { "<span class=\"pass\">✓ passed</span>" } else { "<span class=\"attention\">✗ failed</span>" }
}

fn contents(out: &mut String, r: &SuiteResult) {
    out.push_str("<nav id=\"contents\">\n<h2>Contents</h2>\n");
    out.push_str(&table_head(&["entry", "result", "reference", "result", "time"]));
    for e in &r.entries {
        let name = escape(&e.name);
        let _ = writeln!(
            out,
            "<tr><th scope=\"row\"><a href=\"#{name}\">{name}</a></th><td>{}</td><td>{}</td><td>{}</td><td class=\"n\">{}</td></tr>",
            mark(e.passed),
            e.kind.text(),
            escape(&outcome(e)),
            time_in_words(e.wall)
        );
    }
    out.push_str(TABLE_END);
    out.push_str("</nav>\n");
}

/// The result of an entry in a few words.
fn outcome(e: &EntryResult) -> String {
    match (&e.run, &e.study) {
        (Some(run), _) => {
            let n = run.checks.iter().filter(|c| c.passed).count();
            format!("{n} of {} checks", run.checks.len())
        }
        (_, Some(study)) => match study.expect {
            Expect::Order { order, tolerance } => format!("order {:.2}, expected {order} ± {tolerance}", study.order),
            Expect::Below { .. } => format!("bound at {} levels", study.levels.len()),
        },
        _ => "did not finish".to_owned(),
    }
}

fn entry(out: &mut String, e: &EntryResult) {
    let name = escape(&e.name);
    let _ = writeln!(out, "<section class=\"entry\" id=\"{name}\">\n<h2>{name} {}</h2>", mark(e.passed));
    let _ = writeln!(out, "<p class=\"problem\">{}</p>", escape(&e.problem));
    let _ = writeln!(
        out,
        "<p class=\"citation\"><strong>Reference: {}.</strong> {}</p>",
        e.kind.text(),
        escape(&e.citation)
    );
    if !e.failures.is_empty() {
        out.push_str("<ul class=\"failures\">\n");
        for failure in &e.failures {
            let _ = writeln!(out, "<li>{}</li>", escape(failure));
        }
        out.push_str("</ul>\n");
    }
    if let Some(run) = &e.run {
        run_tables(out, e, run);
    }
    if let Some(study) = &e.study {
        study_table(out, e, study);
    }
    if !e.figures.is_empty() {
        out.push_str("<div class=\"figures\">\n");
        for f in &e.figures {
            figure(out, &f.svg, &f.caption);
        }
        out.push_str("</div>\n");
    }
    out.push_str("<p class=\"back\"><a href=\"#contents\">contents</a></p>\n</section>\n");
}

fn run_tables(out: &mut String, e: &EntryResult, run: &RunResult) {
    if !run.checks.is_empty() {
        out.push_str(&table_head(&["check", "result", "found", "expected", "error", "allowed"]));
        for c in &run.checks {
            out.push_str(&check_row(&c.name, c.passed, [c.found, c.expected, c.error, c.tolerance]));
        }
        out.push_str(TABLE_END);
    }
    if !run.errors.is_empty() {
        out.push_str(&table_head(&["against the exact curve", "mean (L1)", "root mean square (L2)", "largest"]));
        for c in &run.errors {
            out.push_str(&error_row(&c.column, [c.l1, c.l2, c.max]));
        }
        out.push_str(TABLE_END);
        let part = |c: &ColumnError| {
            let [from, to] = c.window?.map(|t| data(t, &format!("{t:.4e}")));
            Some(format!("{} from t = {from} to {to}", escape(&c.column)))
        };
        let parts: Vec<String> = run.errors.iter().filter_map(part).collect();
        if !parts.is_empty() {
            let _ = writeln!(out, "<p class=\"note\">Compared over a part of the run: {}.</p>", parts.join("; "));
        }
    }
    let _ = writeln!(
        out,
        "<p class=\"note\">Case {}.ron{}: {} steps, {} degrees of freedom, {}. Worst law error {} (tolerance \
         {:.0e}), energy ledger closes to {}.</p>",
        escape(&e.case),
        settings(&run.settings),
        data(run.steps as f64, &run.steps.to_string()),
        data(run.dofs as f64, &run.dofs.to_string()),
        data(run.wall, &time_in_words(run.wall)),
        data(run.law_error, &small(run.law_error)),
        run.tolerance,
        data(run.energy_residual, &small(run.energy_residual)),
    );
}

fn settings(list: &[String]) -> String {
    let shown: Vec<String> = list.iter().map(|s| format!("<code>{}</code>", escape(s))).collect();
    if shown.is_empty() { String::new() } else { format!(" with {}", shown.join(", ")) }
}

fn study_table(out: &mut String, e: &EntryResult, study: &StudyResult) {
    out.push_str("<div class=\"study\">\n<div>\n");
    let head = ["size", "error", "order", "law error", "ledger residual", "steps", "time"];
    out.push_str(&table_head(&head));
    for l in &study.levels {
        let cells = [
            data(l.size, &format!("{}", l.size)),
            data(l.error, &format!("{:.3e}", l.error)),
            l.order.map_or_else(String::new, |o| data(o, &format!("{o:.3}"))),
            data(l.law_error, &small(l.law_error)),
            data(l.energy_residual, &small(l.energy_residual)),
            data(l.steps as f64, &l.steps.to_string()),
            data(l.wall, &time_in_words(l.wall)),
        ];
        out.push_str("<tr>");
        for cell in cells {
            let _ = write!(out, "<td class=\"n\">{cell}</td>");
        }
        out.push_str("</tr>\n");
    }
    out.push_str(TABLE_END);
    let expected = match study.expect {
        Expect::Order { order, tolerance } => format!(
            "Observed order {} (straight line through all levels), expected {order} ± {tolerance}.",
            data(study.order, &format!("{:.3}", study.order))
        ),
        Expect::Below { factor, order } => format!(
            "Every error must be at most {factor} times the size to the power {order}; the slope over all levels is {}.",
            data(study.order, &format!("{:.3}", study.order))
        ),
    };
    let _ = writeln!(
        out,
        "<p>{expected}</p>\n<p class=\"note\">Size: {}. Error: {}. Case {}.ron{}.</p>\n</div>",
        escape(&study.variable),
        escape(&study.quantity),
        escape(&e.case),
        settings(&study.common)
    );
    let caption = format!("{} over {}.", study.quantity, study.variable);
    figure(out, &loglog::draw(&format!("fig-{}", e.name), study), &capital(&caption));
    out.push_str("</div>\n");
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
