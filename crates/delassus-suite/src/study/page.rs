//! `study.html`: the levels, and every quantity with its orders and a picture; self-contained like the report of a run.

use std::fmt::Write;

use delassus_chart::svg::escape;
use delassus_report::html::{STYLE, data, figure};
use delassus_report::tables::table_head;

use super::{CaseStudy, Followed, FollowedKind};
use crate::list::time_in_words;
use crate::loglog::{ErrorPicture, sloped};

/// What this page has beside the report's style.
const MORE: &str = include_str!("../style.css");

const TABLE_END: &str = "</tbody>\n</table></div>\n";

/// The whole page.
#[must_use]
pub fn study_page(study: &CaseStudy) -> String {
    let title = escape(&study.title);
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title} – convergence study</title>\n<style>\n{STYLE}{MORE}</style>\n</head>\n<body>\n<main>\n"
    );
    let _ = writeln!(
        out,
        "<header>\n<h1>{title}</h1>\n<p>convergence study of {} · {} levels of {} · Delassus {}</p>\n</header>",
        escape(&study.case),
        study.levels.len(),
        study.refined,
        study.version
    );
    if let Some(stopped) = &study.stopped {
        let _ = writeln!(
            out,
            "<section id=\"verdict\" class=\"failed\">\n<p><strong>Stopped.</strong> {}</p>\n</section>",
            escape(stopped)
        );
    }
    orders_at_a_glance(&mut out, study);
    levels(&mut out, study);
    for (k, followed) in study.followed.iter().enumerate() {
        quantity(&mut out, k, followed, study);
    }
    if study.left_out > 0 {
        let _ = writeln!(
            out,
            "<p class=\"note\">{} more were left out: select quantities by <code>--quantity</code>.</p>",
            study.left_out
        );
    }
    out += "<p class=\"note\">The order between two levels is log₂ of the ratio of their errors, or of their differences from the level \
            before where there is no reference (Richardson). Errors are relative. study.json has all digits.</p>\n";
    out += "</main>\n</body>\n</html>\n";
    out
}

fn shown(order: Option<f64>) -> String {
    order.map_or_else(|| "–".to_owned(), |o| data(o, &format!("{o:.2}")))
}

/// The last error and order of every quantity.
fn orders_at_a_glance(out: &mut String, study: &CaseStudy) {
    out.push_str("<section id=\"orders\" class=\"entry\">\n<h2>Observed orders</h2>\n");
    out.push_str(&table_head(&["quantity", "what", "at the finest level", "order", "extrapolated"]));
    for (k, f) in study.followed.iter().enumerate() {
        let last = f.errors.iter().copied().flatten().last();
        let note = f.note.as_ref().map_or(String::new(), |n| format!(" <small>({})</small>", escape(n)));
        let _ = writeln!(
            out,
            "<tr><th scope=\"row\"><a href=\"#quantity-{}\">{}</a></th><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}{note}</td><td class=\"n\">{}</td></tr>",
            k + 1,
            escape(&f.name),
            escape(&f.about),
            last.map_or_else(|| "–".to_owned(), |e| data(e, &format!("{e:.3e}"))),
            shown(f.order),
            f.extrapolated.map_or_else(String::new, |v| data(v, &format!("{v:.7e}"))),
        );
    }
    out.push_str(TABLE_END);
    out.push_str("</section>\n");
}

fn levels(out: &mut String, study: &CaseStudy) {
    out.push_str("<section id=\"levels\" class=\"entry\">\n<h2>Levels</h2>\n");
    let step = if study.second.is_empty() { "step".to_owned() } else { format!("step [{}]", study.second) };
    out.push_str(&table_head(&["level", "verdict", &step, "degrees of freedom", "steps", "time", "checks", "folder"]));
    for l in &study.levels {
        let checks = if l.checks[1] > 0 { format!("{} of {}", l.checks[0], l.checks[1]) } else { "–".to_owned() };
        let folder = escape(&l.folder);
        let _ = write!(
            out,
            "<tr><th scope=\"row\">{}</th><td><span class=\"{}\">{}</span></td>",
            l.number, l.class, l.verdict
        );
        for cell in [
            data(l.step, &format!("{:.4e}", l.step)),
            data(l.dofs as f64, &l.dofs.to_string()),
            data(l.steps as f64, &l.steps.to_string()),
            data(l.wall, &time_in_words(l.wall)),
            checks,
        ] {
            let _ = write!(out, "<td class=\"n\">{cell}</td>");
        }
        let _ = writeln!(out, "<td><a href=\"{folder}/\">{folder}</a></td></tr>");
    }
    out.push_str(TABLE_END);
    out.push_str("</section>\n");
}

fn quantity(out: &mut String, k: usize, f: &Followed, study: &CaseStudy) {
    let number = k + 1;
    let _ = writeln!(
        out,
        "<section class=\"entry\" id=\"quantity-{number}\">\n<h2>{}</h2>\n<p class=\"problem\">{}</p>\n<div class=\"study\">\n<div>",
        escape(&f.name),
        escape(&capital(&f.about))
    );
    let (value, error) = match f.kind {
        FollowedKind::Error => ("", "relative error"),
        FollowedKind::Value => ("value", "difference"),
        FollowedKind::Curve => ("largest value", "relative difference"),
    };
    let head: Vec<&str> = ["level", "size", value, error, "order"].into_iter().filter(|h| !h.is_empty()).collect();
    out.push_str(&table_head(&head));
    for (k, l) in study.levels.iter().enumerate() {
        let size = data(l.size, &format!("1/{:.0}", 1.0 / l.size));
        let _ = write!(out, "<tr><th scope=\"row\">{}</th><td class=\"n\">{size}</td>", l.number);
        if f.kind != FollowedKind::Error {
            let v = f.values[k];
            let _ = write!(out, "<td class=\"n\">{}</td>", data(v, &format!("{v:.7e}")));
        }
        let error = f.errors[k].map_or_else(String::new, |e| data(e, &format!("{e:.3e}")));
        let order = f.orders[k].map_or_else(String::new, |o| data(o, &format!("{o:.2}")));
        let _ = writeln!(out, "<td class=\"n\">{error}</td><td class=\"n\">{order}</td></tr>");
    }
    out.push_str(TABLE_END);
    if let (Some(value), Some(uncertainty)) = (f.extrapolated, f.uncertainty) {
        let _ = writeln!(
            out,
            "<p>Extrapolated to {}; the last level is {} from it.</p>",
            data(value, &format!("{value:.7e}")),
            data(uncertainty, &format!("{uncertainty:.1e}"))
        );
    }
    if let Some(note) = &f.note {
        let _ = writeln!(out, "<p class=\"note\">{}.</p>", escape(&capital(note)));
    }
    out.push_str("</div>\n");
    let id = format!("fig-quantity-{number}");
    // The nearest whole order, to be compared with.
    let whole = f.order.map(|o| o.round().clamp(1.0, 4.0));
    let legend = match (f.order, whole) {
        (Some(order), Some(whole)) => format!("observed order {order:.2}; dashed: {whole:.0}"),
        _ => "no order".to_owned(),
    };
    let axis = format!("size of {}, relative to the case", study.refined);
    let points = study.levels.iter().zip(&f.errors).filter_map(|(l, e)| e.map(|e| [l.size, e]));
    let picture = ErrorPicture {
        id: &id,
        label: format!("{}: {error} over the {axis}", f.name),
        axes: [&axis, error],
        points: points.collect(),
        legend,
    };
    let svg =
        picture.draw(|points| whole.map(|order| sloped(points, order, points[points.len() - 1])).into_iter().collect());
    figure(out, &svg, &format!("{}: {error}.", f.name));
    out.push_str("</div>\n</section>\n");
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
