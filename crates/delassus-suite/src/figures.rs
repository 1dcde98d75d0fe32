//! Plots of a run and its reference: exact curves if there are any, otherwise the values that the checks
//! expect.

use delassus_case::spec::Case;
use delassus_chart::chart::{AxisScale, Chart, ChartCurve, Horizontal};
use delassus_chart::stroke::{BLUE, Stroke};
use delassus_error::InternalError;
use delassus_report::figures::Figure;
use delassus_report::folder::Results;
use delassus_report::profiles::profiles;
use delassus_report::references::references;
use delassus_run::plot::{column_quantity, exact_curves};
use delassus_run::summary::Summary;
use delassus_verify::{CheckSpec, HistoryPlot, Measure, exact_column};

use super::error::SuiteError;

/// Most pictures over time of an entry.
const MOST: usize = 3;

/// The pictures of a run.
pub fn of_run(name: &str, summary: &Summary, case: &Case) -> Result<Vec<Figure>, SuiteError> {
    let Some(verify) = &case.verify else { return Ok(Vec::new()) };
    let history = &summary.history;
    let time = history.column("time").unwrap_or_default();
    let mut out = Vec::new();
    let exact: Vec<HistoryPlot> = verify.solution.iter().flat_map(|s| s.solution().plots()).take(MOST).collect();
    for plot in &exact {
        let id = format!("fig-{name}-{}", out.len() + 1);
        let curves = exact_curves(history, &plot.columns).map_err(InternalError)?;
        let drawn = Drawn { quantity: (plot.quantity, plot.unit), curves, moments: Vec::new() };
        let caption = format!("{}: computed (colour) and exact (grey).", plot.title);
        out.push(figure(id, &plot.title, drawn, case, &time, &caption));
    }
    let read = Results::read(&summary.folder)?;
    if verify.solution.is_some() {
        for (k, Figure { svg, caption }) in profiles(&read)?.into_iter().enumerate() {
            // Ids are those of a page with one run on it.
            let svg = svg.replacen(&format!("fig-profile-{}", k + 1), &format!("fig-{name}-profile-{}", k + 1), 1);
            out.push(Figure { svg, caption });
        }
    }
    // References of the case's own: lines first, for there are few of them.
    let (lines, curves): (Vec<Figure>, Vec<Figure>) =
        references(&read)?.into_iter().partition(|f| f.svg.contains("\"fig-line-"));
    for Figure { svg, caption } in lines.into_iter().chain(curves).take(MOST.saturating_sub(out.len())) {
        let svg = svg.replace("fig-line-", &format!("fig-{name}-line-"));
        out.push(Figure { svg: svg.replace("fig-reference-", &format!("fig-{name}-reference-")), caption });
    }
    let shown = |column: &str| {
        exact.iter().any(|plot| plot.columns.iter().any(|c| c == column))
            || verify.references.iter().any(|r| r.column == column)
    };
    let mut columns: Vec<&str> = Vec::new();
    for column in verify.checks.iter().map(|c| c.measure.column()) {
        if column != "energy_residual"
            && !columns.contains(&column)
            && !shown(column)
            && out.len() + columns.len() < MOST
        {
            columns.push(column);
        }
    }
    for column in columns {
        let checks: Vec<&CheckSpec> = verify.checks.iter().filter(|c| c.measure.column() == column).collect();
        let Some(values) = history.column(column) else { continue };
        let id = format!("fig-{name}-{}", out.len() + 1);
        if history.column(&exact_column(column)).is_some() {
            let curves = exact_curves(history, &[column.to_owned()]).map_err(InternalError)?;
            let drawn = Drawn { quantity: column_quantity(column), curves, moments: Vec::new() };
            let caption = format!("{column} of the history: computed (colour) and exact (grey).");
            out.push(figure(id, column, drawn, case, &time, &caption));
            continue;
        }
        let mut curves: Vec<ChartCurve> = checks
            .iter()
            .filter_map(|c| expected_curve(c, &time, &values))
            .map(|values| ChartCurve { name: "expected".to_owned(), values, stroke: Stroke::exact() })
            .collect();
        let moments: Vec<f64> = checks.iter().filter(|c| is_time(&c.measure)).map(|c| c.expected).collect();
        let what = if moments.is_empty() && curves.is_empty() {
            ""
        } else {
            "; broad and pale: the value that a check expects"
        };
        curves.push(ChartCurve { name: column.to_owned(), values, stroke: Stroke::full(BLUE) });
        let caption = format!("{column} of the history{what}.");
        out.push(figure(
            id,
            column,
            Drawn { quantity: column_quantity(column), curves, moments },
            case,
            &time,
            &caption,
        ));
    }
    Ok(out)
}

/// What a figure shows.
struct Drawn {
    /// Quantity and SI unit of the vertical axis.
    quantity: (&'static str, &'static str),
    curves: Vec<ChartCurve>,
    /// Times that are marked \[s\].
    moments: Vec<f64>,
}

fn figure(id: String, label: &str, drawn: Drawn, case: &Case, time: &[f64], caption: &str) -> Figure {
    let chart = Chart {
        id,
        label: label.to_owned(),
        quantity: drawn.quantity.0,
        unit: case.units.symbol(drawn.quantity.1),
        horizontal: Horizontal { unit: case.units.symbol("s"), ..Horizontal::TIME },
        scale: AxisScale::Linear,
        curves: drawn.curves,
        levels: Vec::new(),
        moments: drawn.moments,
    };
    Figure { svg: chart.draw(time), caption: caption.to_owned() }
}

/// Is what it measures a time?
fn is_time(measure: &Measure) -> bool {
    matches!(measure, Measure::TimeOfMaxAbs { .. } | Measure::LastTimeAbove { .. } | Measure::FirstTimeBelow { .. })
}

/// What a check expects, drawn where it looks; none where that is a time or a sum over time.
fn expected_curve(check: &CheckSpec, time: &[f64], values: &[f64]) -> Option<Vec<f64>> {
    let end = time.last().copied()?;
    let within = |from: f64, to: f64, value: &dyn Fn(f64) -> f64| -> Vec<f64> {
        time.iter().map(|&t| if (from..=to).contains(&t) { value(t) } else { f64::NAN }).collect()
    };
    match check.measure {
        Measure::Mean { from, to, .. } => Some(within(from, to, &|_| check.expected)),
        Measure::Final { .. } => Some(within(0.85 * end, end, &|_| check.expected)),
        Measure::MaxAbs { from, to, .. } => {
            let (from, to) = (from.unwrap_or(0.0), to.unwrap_or(end));
            let inside = time.iter().zip(values).filter(|(t, v)| (from..=to).contains(*t) && v.is_finite());
            let extreme = inside.map(|(_, v)| *v).max_by(|a, b| a.abs().total_cmp(&b.abs()))?;
            Some(within(from, to, &|_| check.expected.abs() * extreme.signum()))
        }
        Measure::Slope { from, to, .. } => {
            let inside: Vec<(f64, f64)> =
                time.iter().copied().zip(values.iter().copied()).filter(|(t, _)| (from..=to).contains(t)).collect();
            let n = inside.len() as f64;
            let (mt, mv) = inside.iter().fold((0.0, 0.0), |m, p| (m.0 + p.0 / n, m.1 + p.1 / n));
            Some(within(from, to, &|t| mv + check.expected * (t - mt)))
        }
        _ => None,
    }
}
