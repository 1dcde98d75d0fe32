//! Which curves the report shows, taken from the columns of `history.csv`.

use delassus_chart::chart::{AxisScale, Chart, ChartCurve, Horizontal};
use delassus_chart::stroke::{BLACK, BLUE, GREEN, ORANGE, PURPLE, RED, Stroke};
use delassus_run::judgement::{LedgerLine, ledger_lines};
use delassus_sim::record::AXES;
use delassus_verify::exact_column;

use super::folder::Results;

/// Most contact pairs, and most probes, with figures of their own.
pub const MOST_GROUPS: usize = 12;

/// A figure of a page.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The SVG element.
    pub svg: String,
    /// What is written below it.
    pub caption: String,
}

/// Kinetic, elastic and total energy; and the works and losses summed since the start.
#[must_use]
pub fn energies(results: &Results) -> Vec<Figure> {
    let bonds = results.column("bond_energy");
    let mut total = sum(&results.column("kinetic_energy"), &results.column("elastic_energy"));
    if !bonds.is_empty() {
        total = sum(&total, &bonds);
    }
    let mut stored = FigureDraft::new(results, "fig-energy", "Energies over time", "energy", "J");
    stored.exact("elastic_energy", "elastic");
    stored.exact("kinetic_energy", "kinetic");
    stored.curve("kinetic", results.column("kinetic_energy"), Stroke::full(BLUE));
    stored.curve("elastic", results.column("elastic_energy"), Stroke::dashed(GREEN, "7 3"));
    if !bonds.is_empty() {
        stored.curve("bonds", bonds, Stroke::full(ORANGE));
    }
    stored.curve("total", total, Stroke::dashed(BLACK, "2 2"));
    let mut spent =
        FigureDraft::new(results, "fig-ledger", "Works and losses over time", "energy since the start", "J");
    let lines = ledger_lines(&results.case, &results.history, 0.0);
    for line in &lines {
        spent.curve(line.entry.name, line.values.clone(), stroke(line));
    }
    let mut losses =
        FigureDraft::new(results, "fig-losses", "Losses over time, logarithmic", "energy lost since the start", "J");
    losses.chart.scale = AxisScale::Log;
    for line in lines.iter().filter(|l| l.entry.is_loss()) {
        losses.curve(line.entry.name, line.values.clone(), stroke(line));
    }
    vec![
        stored.figure("Energy of the bodies."),
        spent.figure("Work and losses since the start; losses are positive."),
        losses.figure("The losses on a logarithmic axis. Zero is not drawn."),
    ]
}

/// How a line of the energy ledger is drawn.
fn stroke(line: &LedgerLine) -> Stroke {
    match line.entry.column {
        "viscous_dissipation" => Stroke::dashed(GREEN, "7 3"),
        "plastic_dissipation" => Stroke::full(GREEN),
        "friction_dissipation" => Stroke::full(RED),
        "damage_dissipation" => Stroke::full(ORANGE),
        "contact_work" => Stroke::full(BLUE),
        "numerical_dissipation" => Stroke::dashed(PURPLE, "9 3 2 3"),
        _ => Stroke::dashed(BLACK, "2 2"),
    }
}

/// Residual of the ledger and law error, and the penetrations.
#[must_use]
pub fn trust(results: &Results) -> Vec<Figure> {
    let has_contact = !results.case.contacts.is_empty();
    let mut residual = FigureDraft::new(results, "fig-residual", "Ledger residual and law error", "relative error", "");
    residual.chart.scale = AxisScale::Log;
    residual.curve("energy ledger residual", results.column("energy_residual"), Stroke::full(BLUE));
    if !has_contact {
        return vec![residual.figure("Residual of the energy ledger, relative to the energy. Zero is not drawn.")];
    }
    residual.curve("law error", results.column("law_error"), Stroke::dashed(RED, "7 3"));
    residual.chart.levels.push((results.tolerance(), "tolerance of the law error".to_owned()));
    let mut depth = FigureDraft::new(results, "fig-penetration", "Penetration over time", "penetration", "m");
    depth.curve("at the end of the step", results.column("true_penetration"), Stroke::full(BLUE));
    depth.curve("in the contact law", results.column("max_penetration"), Stroke::dashed(RED, "7 3"));
    vec![
        residual.figure("Residual of the energy ledger, relative to the energy, and law error. Zero is not drawn."),
        depth.figure("Deepest penetration of each step."),
    ]
}

/// Forces of each contact pair.
#[must_use]
pub fn forces(results: &Results) -> Vec<Figure> {
    let mut out = Vec::new();
    for (k, pair) in results.groups("force_x").iter().take(MOST_GROUPS).enumerate() {
        let label = format!("Contact force of pair {pair}");
        let mut plot = FigureDraft::new(results, &format!("fig-force-{}", k + 1), &label, "force", "N");
        plot.components(pair, "force_");
        out.push(plot.figure(&format!("Contact pair “{pair}”: force on its candidate side.")));
        let label = format!("Contact area of pair {pair}");
        let mut plot = FigureDraft::new(results, &format!("fig-area-{}", k + 1), &label, "area", "m²");
        for (ending, name, stroke) in
            [("area", "in contact", Stroke::full(BLUE)), ("stick_area", "sticking", Stroke::dashed(RED, "7 3"))]
        {
            let column = format!("{pair}.{ending}");
            plot.exact(&column, name);
            plot.curve(name, results.column(&column), stroke);
        }
        out.push(plot.figure(&format!("Contact pair “{pair}”: area of the candidates that carry a force.")));
    }
    out
}

/// Velocity and displacement of each probe.
#[must_use]
pub fn probes(results: &Results) -> Vec<Figure> {
    let mut out = Vec::new();
    for (k, probe) in results.groups("vx").iter().take(MOST_GROUPS).enumerate() {
        for (what, quantity, unit, prefix) in
            [("velocity", "velocity", "m/s", "v"), ("displacement", "displacement", "m", "u")]
        {
            let label = format!("{what} of probe {probe}");
            let mut plot = FigureDraft::new(results, &format!("fig-probe-{}-{what}", k + 1), &label, quantity, unit);
            plot.components(probe, prefix);
            out.push(plot.figure(&format!("Probe “{probe}”: {what}.")));
        }
    }
    out
}

/// Active contacts and sweeps of each step.
#[must_use]
pub fn solver(results: &Results) -> Vec<Figure> {
    if results.case.contacts.is_empty() {
        return Vec::new();
    }
    let mut active = FigureDraft::new(results, "fig-active", "Active contacts over time", "contacts", "");
    active.curve("active contacts", results.column("active_contacts"), Stroke::full(BLUE));
    let mut sweeps = FigureDraft::new(results, "fig-iterations", "Solver iterations over time", "iterations", "");
    sweeps.curve("sweeps and pivots of the contact solver", results.column("solver_iterations"), Stroke::full(ORANGE));
    active.chart.scale = AxisScale::Count;
    sweeps.chart.scale = AxisScale::Count;
    vec![
        active.figure("Contacts that carry a force."),
        sweeps.figure("Sweeps (or pivots) of the contact solver in each step."),
    ]
}

fn sum(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

/// A chart in the making.
struct FigureDraft<'a> {
    results: &'a Results,
    chart: Chart,
    has_exact: bool,
}

impl<'a> FigureDraft<'a> {
    fn new(results: &'a Results, id: &str, label: &str, quantity: &'static str, unit: &'static str) -> Self {
        let chart = Chart {
            id: id.to_owned(),
            label: label.to_owned(),
            quantity,
            unit: results.case.units.symbol(unit),
            horizontal: Horizontal { unit: results.case.units.symbol("s"), ..Horizontal::TIME },
            scale: AxisScale::Linear,
            curves: Vec::new(),
            levels: Vec::new(),
            moments: Vec::new(),
        };
        Self { results, chart, has_exact: false }
    }

    fn curve(&mut self, name: &str, values: Vec<f64>, stroke: Stroke) {
        self.chart.curves.push(ChartCurve { name: name.to_owned(), values, stroke });
    }

    /// The exact curve of a column, if the history has one.
    fn exact(&mut self, column: &str, name: &str) {
        if let Some(values) = self.results.history.column(&exact_column(column)) {
            self.curve(&format!("{name}, exact"), values, Stroke::exact());
            self.has_exact = true;
        }
    }

    /// All components of `<group>.<prefix>`, over their exact curves.
    fn components(&mut self, group: &str, prefix: &str) {
        let strokes = [Stroke::full(BLUE), Stroke::dashed(RED, "7 3"), Stroke::dashed(GREEN, "2 2")];
        let axes: Vec<(&str, String, Stroke)> = AXES
            .into_iter()
            .zip(strokes)
            .map(|(axis, stroke)| (axis, format!("{group}.{prefix}{axis}"), stroke))
            .filter(|(_, column, _)| self.results.history.column(column).is_some())
            .collect();
        for (axis, column, _) in &axes {
            self.exact(column, axis);
        }
        for (axis, column, stroke) in axes {
            self.curve(axis, self.results.column(&column), stroke);
        }
    }

    fn figure(&self, caption: &str) -> Figure {
        let exact = if self.has_exact { " Broad grey: exact solution." } else { "" };
        Figure { svg: self.chart.draw(&self.results.column("time")), caption: format!("{caption}{exact}") }
    }
}
