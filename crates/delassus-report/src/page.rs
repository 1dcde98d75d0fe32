//! The page: HTML and style in one text, no script, nothing from the network, nothing that changes from one writing to
//! the next.

use std::fmt::Write;

use delassus_case::spec::Units;
use delassus_chart::svg::escape;
use delassus_run::judgement::{SIGN_LIMIT, Weight, ledger_lines, small, worst_row};

use super::figures::{self, Figure, MOST_GROUPS};
use super::folder::Results;
use super::html::{STYLE, data, figure};
use super::judgement::{JudgedRun, class, judge};
use super::picture::Gallery;
use super::tables::{checks, exact_errors, provenance, timings};

/// Most bytes of a text shown whole; longer ones are cut, and say so.
const MOST_TEXT: usize = 200_000;

/// The whole page.
#[must_use]
pub fn page(results: &Results, galleries: &[Gallery], profiles: &[Figure], references: &[Figure]) -> String {
    let judged = judge(results);
    let title = escape(&results.case.title);
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title} – Delassus report</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n"
    );
    header(&mut out, results, &judged);
    out += "<div class=\"tables\">\n";
    if judged.steps > 0 {
        glance(&mut out, results, &judged);
    }
    out += &checks(results);
    out += &exact_errors(results);
    out += "</div>\n";
    pictures(&mut out, galleries);
    if judged.steps > 0 {
        section(&mut out, "references", "Against references", references, "");
        plots(&mut out, results, &judged, profiles);
    } else {
        out += "<p class=\"note\">No step was accepted, so there is nothing to plot.</p>\n";
    }
    out += &timings(results);
    out += &provenance(results);
    texts(&mut out, results);
    out += "</main>\n</body>\n</html>\n";
    out
}

/// Everything over time.
fn plots(out: &mut String, results: &Results, judged: &JudgedRun, profiles: &[Figure]) {
    section(out, "profiles", "Along the contact", profiles, "");
    energy(out, results, judged);
    section(out, "trust", "Errors and penetration", &figures::trust(results), "");
    let more = |ending: &str, what: &str| match results.groups(ending).len() {
        n if n > MOST_GROUPS => format!("The first {MOST_GROUPS} of {n} {what}; the others are in history.csv."),
        _ => String::new(),
    };
    let forces = more("force_x", "contact pairs");
    section(out, "forces", "Contact forces", &figures::forces(results), &forces);
    section(out, "probes", "Probes", &figures::probes(results), &more("vx", "probes"));
    section(out, "solver", "Contact solver", &figures::solver(results), "");
}

fn header(out: &mut String, results: &Results, judged: &JudgedRun) {
    let time = results.history.rows().last().and(results.column("time").last().copied()).unwrap_or(0.0);
    let mut facts = vec![
        format!("{} to t = {}", count(judged.steps, "step", "steps"), results.show(time, "s")),
        count(results.case.n_bodies(), "body", "bodies"),
        count(results.case.contacts.len(), "contact pair", "contact pairs"),
    ];
    if let Some(m) = &results.manifest {
        facts.push(format!("{} degrees of freedom", m.dofs));
        if let Some(case) = &m.case {
            facts.insert(0, case.clone());
        }
    }
    let _ = writeln!(
        out,
        "<header>\n<h1>{}</h1>\n<p>{}</p>\n</header>",
        escape(&results.case.title),
        escape(&facts.join(" · "))
    );
    let judgement = &judged.judgement;
    let (class, word) = (class(judgement.word), judgement.word.text());
    let _ = writeln!(
        out,
        "<section id=\"verdict\" class=\"{class}\">\n<p><strong>{word}.</strong> {}</p>",
        escape(&judgement.sentence)
    );
    if !judgement.findings.is_empty() {
        out.push_str("<ul>\n");
        for finding in &judgement.findings {
            let label = match finding.weight {
                Weight::Note => "Note: ",
                Weight::Doubtful | Weight::Failed => "",
            };
            let _ = writeln!(out, "<li>{label}{}</li>", escape(&finding.text));
        }
        out.push_str("</ul>\n");
    }
    out.push_str("</section>\n");
}

fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// The numbers of the verdict, with where they occurred.
fn glance(out: &mut String, results: &Results, judged: &JudgedRun) {
    let v = &judged.verdict;
    let place = |column: &str| {
        worst_row(&results.history, column).map_or_else(
            || "zero throughout".to_owned(),
            |(row, t)| format!("step {row}, t = {}", results.show(t, "s")),
        )
    };
    let mut rows: Vec<(&str, String, String)> = Vec::new();
    let mut row = |name, value: f64, text: String, remark: String| rows.push((name, data(value, &text), remark));
    let has_contact = !results.case.contacts.is_empty();
    if has_contact {
        let met = judged.steps.saturating_sub(v.flagged);
        let tolerance = format!("of {}, tolerance {:.0e}", judged.steps, results.tolerance());
        row("Steps at tolerance", met as f64, met.to_string(), tolerance);
        row("Worst law error", v.law_error, small(v.law_error), place("law_error"));
    }
    row("Audit, error over limit", v.audit.value, small(v.audit.value), place("audit_error"));
    row("Energy ledger residual", v.energy_residual, small(v.energy_residual), place("energy_residual"));
    if has_contact {
        let depth = |x: f64| format!("{} {}", small(x), results.case.units.symbol("m")).trim_end().to_owned();
        let seen = place("max_penetration");
        row("Penetration in the contact law", v.max_penetration, depth(v.max_penetration), seen);
        row(
            "Penetration at the end of a step",
            v.true_penetration,
            depth(v.true_penetration),
            place("true_penetration"),
        );
        row("Active contacts, at most", v.max_active as f64, v.max_active.to_string(), place("active_contacts"));
        let mean = v.total_iterations as f64 / judged.steps.max(1) as f64;
        let sweeps = format!("{mean:.1} per step on average");
        row("Iterations in a step, at most", v.max_iterations as f64, v.max_iterations.to_string(), sweeps);
    }
    // Folders of older versions do not have these columns.
    let most = |name: &str| results.history.column(name).map(|c| c.into_iter().fold(0.0, f64::max));
    if let Some(depth) = most("surface_penetration") {
        let text = format!("{} {}", small(depth), results.case.units.symbol("m")).trim_end().to_owned();
        row("Penetration of all surfaces", depth, text, place("surface_penetration"));
    }
    if let Some(angle) = most("frame_rotation") {
        row("Largest turn of a frame", angle, format!("{:.1}°", angle.to_degrees()), place("frame_rotation"));
    }
    if let Some(angle) = most("body_rotation") {
        row("Largest rotation of a body", angle, format!("{:.2}°", angle.to_degrees()), place("body_rotation"));
    }
    if v.cuts > 0 {
        row("Steps cut in half", v.cuts as f64, v.cuts.to_string(), "tried again with half the length".to_owned());
    }
    out.push_str("<section id=\"glance\">\n<h2>At a glance</h2>\n<div class=\"wide\"><table>\n<tbody>\n");
    for (name, value, remark) in rows {
        let _ = writeln!(
            out,
            "<tr><th scope=\"row\">{name}</th><td class=\"n\">{value}</td><td>{}</td></tr>",
            escape(&remark)
        );
    }
    out.push_str("</tbody>\n</table></div>\n</section>\n");
}

/// A section of figures; nothing when there are none.
fn section(out: &mut String, id: &str, title: &str, figures: &[Figure], note: &str) {
    if figures.is_empty() {
        return;
    }
    let _ = writeln!(out, "<section id=\"{id}\">\n<h2>{title}</h2>\n<div class=\"figures\">");
    for f in figures {
        figure(out, &f.svg, &f.caption);
    }
    out.push_str("</div>\n");
    if !note.is_empty() {
        let _ = writeln!(out, "<p class=\"note\">{}</p>", escape(note));
    }
    out.push_str("</section>\n");
}

fn pictures(out: &mut String, galleries: &[Gallery]) {
    out.push_str("<section id=\"pictures\">\n<h2>Deformed bodies</h2>\n");
    let mut notes: Vec<&str> = Vec::new();
    if let Some((first, others)) = galleries.split_first() {
        gallery(out, first);
        besides(out, others);
        notes = galleries.iter().flat_map(|g| &g.notes).map(String::as_str).collect();
    }
    for (_, note) in notes.iter().enumerate().filter(|(k, note)| !notes[..*k].contains(note)) {
        let _ = writeln!(out, "<p class=\"note\">{}</p>", escape(note));
    }
    out.push_str("</section>\n");
}

fn gallery(out: &mut String, gallery: &Gallery) {
    if gallery.pictures.is_empty() {
        return;
    }
    let _ = writeln!(out, "<div class=\"wide key\">{}</div>\n<div class=\"figures pictures\">", gallery.key);
    for p in &gallery.pictures {
        figure(out, &p.svg, &p.caption);
    }
    out.push_str("</div>\n");
}

/// Single pictures in other colours, each below a key of its own.
fn besides(out: &mut String, galleries: &[Gallery]) {
    if galleries.iter().all(|g| g.pictures.is_empty()) {
        return;
    }
    out.push_str("<div class=\"figures besides\">\n");
    for g in galleries {
        for p in &g.pictures {
            let both = format!("<div class=\"key\">{}</div>\n{}", g.key, p.svg);
            figure(out, &both, &format!("{}, {}.", capital(g.title), p.caption));
        }
    }
    out.push_str("</div>\n");
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// Figures of the energies and the ledger as a table.
fn energy(out: &mut String, results: &Results, judged: &JudgedRun) {
    out.push_str("<section id=\"energy\">\n<h2>Energy</h2>\n<div class=\"figures\">\n");
    for f in figures::energies(results) {
        figure(out, &f.svg, &f.caption);
    }
    out.push_str("</div>\n<div class=\"wide\"><table>\n<thead><tr><th scope=\"col\">Energy ledger</th>");
    out.push_str("<th scope=\"col\">at the end</th><th scope=\"col\">sign</th></tr></thead>\n<tbody>\n");
    let at = |column: &str, last: bool| {
        let values = results.column(column);
        if last { values.last().copied() } else { values.first().copied() }.unwrap_or(0.0)
    };
    let mut row = |name: &str, value: f64, sign: &str| {
        let text = data(value, &results.show(value, "J"));
        let _ =
            writeln!(out, "<tr><th scope=\"row\">{name}</th><td class=\"n\">{text}</td><td>{}</td></tr>", escape(sign));
    };
    row("energy at the start", at("kinetic_energy", false) + at("elastic_energy", false), "");
    for line in ledger_lines(&results.case, &results.history, judged.verdict.joint_rounding) {
        let prefix = if line.entry.is_taken() { "− " } else { "+ " };
        let sign = match (line.entry.is_loss(), line.sign_is_right) {
            _ if line.end.abs() + line.highest + line.lowest.abs() <= 0.0 => "zero throughout".to_owned(),
            (false, _) => "may have either sign".to_owned(),
            (true, true) if line.is_certain => "creates no energy, as required".to_owned(),
            (true, true) => "may create energy with this scheme".to_owned(),
            (true, false) => format!("has created energy: {}", results.show(line.created, "J")),
        };
        row(&format!("{prefix}{}", line.entry.name), line.end, &sign);
    }
    let (kinetic, elastic) = (at("kinetic_energy", true), at("elastic_energy", true));
    let bonds = at("bond_energy", true);
    let mut parts = format!("kinetic {}, elastic {}", results.show(kinetic, "J"), results.show(elastic, "J"));
    if results.case.contacts.iter().any(|c| c.law.keeps_history()) {
        parts.push_str(&format!(", bonds {}", results.show(bonds, "J")));
    }
    row("= energy at the end", kinetic + elastic + bonds, &parts);
    out.push_str("</tbody>\n</table></div>\n");
    let _ = writeln!(
        out,
        "<p class=\"note\">The normal contact loss is minus the work of the normal contact impulses. With θ = ½ it \
         is the energy lost in impacts; with other schemes a part of that energy is in the numerical dissipation, and \
         only the sum of the two lines has a meaning. Energy counts as created if this sum is negative, or another \
         loss decreases, by more than {SIGN_LIMIT:.0e} of the largest energy.</p>\n</section>",
    );
}

/// The case, and the log of a run that did not finish.
fn texts(out: &mut String, results: &Results) {
    let open = if results.manifest.is_none() { " open" } else { "" };
    if !results.log.trim().is_empty() {
        let _ = writeln!(
            out,
            "<details id=\"log\"{open}>\n<summary>Log of the run</summary>\n{}</details>",
            pre(&results.log)
        );
    }
    let _ = writeln!(
        out,
        "<details id=\"case\">\n<summary>The case as given</summary>\n{}</details>",
        pre(&results.case_text)
    );
    out.push_str(
        "<p class=\"note\">Curves of more than 2000 steps show the first, smallest, largest and last value of each \
         of 500 intervals. ",
    );
    out.push_str(match results.case.units {
        Units::Si => "Units are SI with the usual prefixes.</p>\n",
        Units::Plain => "Numbers are in the units of the case.</p>\n",
    });
}

fn pre(text: &str) -> String {
    let mut end = text.len().min(MOST_TEXT);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let rest = if end < text.len() { format!("\n… {} more bytes", text.len() - end) } else { String::new() };
    format!("<pre>{}{rest}</pre>\n", escape(&text[..end]))
}
