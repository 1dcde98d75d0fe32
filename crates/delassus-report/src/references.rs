//! Plots of columns and their references, and of comparisons along lines.

use delassus_run::plot::{line_chart, reference_chart};
use delassus_run::writer::line_file;
use delassus_verify::{CurveSpec, LineCurveSpec, ReferenceSpec};

use super::error::ReportError;
use super::figures::Figure;
use super::folder::Results;

/// A figure for every reference and every line of the case; none for a line that the run has not come to.
pub fn references(results: &Results) -> Result<Vec<Figure>, ReportError> {
    let Some(verify) = &results.case.verify else { return Ok(Vec::new()) };
    let (units, time) = (results.case.units, results.column("time"));
    let mut out = Vec::new();
    for (k, reference) in verify.references.iter().enumerate() {
        let id = format!("fig-reference-{}", k + 1);
        // Columns are checked before a run: only an altered history has none.
        if let Ok(chart) = reference_chart(id, &reference.column, &results.history, units) {
            out.push(Figure { svg: chart.draw(&time), caption: caption(reference) });
        }
    }
    for (k, line) in verify.lines.iter().enumerate() {
        let Some(record) = results.table(&line_file(k, "csv"))? else { continue };
        if let Ok((chart, places)) = line_chart(format!("fig-line-{}", k + 1), line, &record, units) {
            let from = match &line.curve {
                LineCurveSpec::Expression(text) => text.clone(),
                LineCurveSpec::Csv(csv) => format!("column {} of {}", csv.value, name_of(&csv.file)),
            };
            let caption = format!("{}. Broad grey: reference, {from}.", chart.label);
            out.push(Figure { svg: chart.draw(&places), caption });
        }
    }
    Ok(out)
}

fn caption(reference: &ReferenceSpec) -> String {
    let from = match &reference.curve {
        CurveSpec::Expression(text) => text.clone(),
        CurveSpec::Csv(csv) => format!("column {} of {}", csv.value, name_of(&csv.file)),
    };
    format!("{} of the history. Broad grey: reference, {from}.", reference.column)
}

/// A file without its folders.
fn name_of(file: &str) -> &str {
    file.rsplit(['/', '\\']).next().unwrap_or(file)
}
