//! Pictures of a run beside its exact solution: histories over time, and tractions along contacts.
//!
//! The charts are used for the files of the results folder and for reports.

use delassus_case::spec::Units;
use delassus_chart::chart::{AxisScale, Chart, ChartCurve, Horizontal};
use delassus_chart::stroke::{BLUE, GREEN, PURPLE, RED, Stroke};
use delassus_verify::history::History;
use delassus_verify::{HistoryPlot, LineSpec, PointTraction, Profile, exact_column};

/// Computed curves in colour over the exact ones in grey, as a file.
///
/// # Errors
/// A column that the history does not have, in words.
pub fn against_exact(plot: &HistoryPlot, history: &History, units: Units) -> Result<String, String> {
    let time = history.column("time").ok_or("the history has no time")?;
    let chart = Chart {
        id: stem(plot.file),
        label: plot.title.clone(),
        quantity: plot.quantity,
        unit: units.symbol(plot.unit),
        horizontal: Horizontal { unit: units.symbol("s"), ..Horizontal::TIME },
        scale: AxisScale::Linear,
        curves: exact_curves(history, &plot.columns)?,
        levels: Vec::new(),
        moments: Vec::new(),
    };
    Ok(chart.draw_file(&time))
}

/// The chart of a column over its reference.
///
/// # Errors
/// A column that the history does not have, in words.
pub fn reference_chart(id: String, column: &str, history: &History, units: Units) -> Result<Chart, String> {
    let (quantity, unit) = column_quantity(column);
    Ok(Chart {
        id,
        label: format!("{column} against its reference"),
        quantity,
        unit: units.symbol(unit),
        horizontal: Horizontal { unit: units.symbol("s"), ..Horizontal::TIME },
        scale: AxisScale::Linear,
        curves: reference_curves(history, &exact_column(column), column)?,
        levels: Vec::new(),
        moments: Vec::new(),
    })
}

/// A computed column over that of its reference.
fn reference_curves(history: &History, reference: &str, computed: &str) -> Result<Vec<ChartCurve>, String> {
    let values = |name: &str| history.column(name).ok_or_else(|| format!("no column {name}"));
    Ok(vec![
        ChartCurve { name: "reference".to_owned(), values: values(reference)?, stroke: Stroke::exact() },
        ChartCurve { name: computed.to_owned(), values: values(computed)?, stroke: Stroke::full(BLUE) },
    ])
}

/// The picture of a column over its reference, the `k`-th from 0, as a file.
///
/// # Errors
/// A column that the history does not have, in words.
pub fn against_reference(k: usize, column: &str, history: &History, units: Units) -> Result<String, String> {
    let time = history.column("time").ok_or("the history has no time")?;
    Ok(reference_chart(format!("reference-{}", k + 1), column, history, units)?.draw_file(&time))
}

/// The chart of what was recorded along a line, and the places of its values \[m\].
///
/// # Errors
/// A column that the record does not have, in words.
pub fn line_chart(id: String, line: &LineSpec, record: &History, units: Units) -> Result<(Chart, Vec<f64>), String> {
    let (quantity, unit) = line.of.quantity();
    let time = record.column("time").and_then(|t| t.first().copied()).unwrap_or(f64::NAN);
    let mut curves = reference_curves(record, "exact", "computed")?;
    curves[1].stroke = Stroke::dots(BLUE);
    let chart = Chart {
        id,
        label: format!("{} at t = {time:.4e}{}", line.name, units.symbol(" s")),
        quantity,
        unit: units.symbol(unit),
        horizontal: Horizontal { quantity: "distance along the line", unit: units.symbol("m") },
        scale: AxisScale::Linear,
        curves,
        levels: Vec::new(),
        moments: Vec::new(),
    };
    Ok((chart, record.column("s").ok_or("no column s")?))
}

/// The picture of a line, the `k`-th from 0, as a file.
///
/// # Errors
/// A column that the record does not have, in words.
pub fn along_line(k: usize, line: &LineSpec, record: &History, units: Units) -> Result<String, String> {
    let (chart, places) = line_chart(format!("line-{}", k + 1), line, record, units)?;
    Ok(chart.draw_file(&places))
}

/// What a column of `history.csv` measures, and its unit, by how its name ends.
#[must_use]
pub fn column_quantity(column: &str) -> (&'static str, &'static str) {
    let ending = column.rsplit_once('.').map_or(column, |(_, e)| e);
    match ending {
        "force_x" | "force_y" | "force_z" => ("force", "N"),
        "moment_x" | "moment_y" | "moment_z" => ("moment", "N·m"),
        "momentum_x" | "momentum_y" | "momentum_z" => ("momentum", "N·s"),
        "vx" | "vy" | "vz" | "v" => ("velocity", "m/s"),
        "ux" | "uy" | "uz" | "u" => ("displacement", "m"),
        "area" | "stick_area" | "bonded_area" => ("area", "m²"),
        "max_pressure" => ("pressure", "Pa"),
        "sxx" | "syy" | "szz" | "sxy" | "syz" | "sxz" | "differential" => ("stress", "Pa"),
        "max_penetration" | "true_penetration" => ("penetration", "m"),
        "time" | "step_size" => ("time", "s"),
        e if e.ends_with("energy") || e.ends_with("dissipation") || e.ends_with("work") => ("energy", "J"),
        _ => ("value", ""),
    }
}

/// The exact curves of columns, those there are, and the computed ones over them.
///
/// # Errors
/// A column that the history does not have, in words.
pub fn exact_curves(history: &History, columns: &[String]) -> Result<Vec<ChartCurve>, String> {
    let strokes = [
        Stroke::full(BLUE),
        Stroke::dashed(RED, "7 3"),
        Stroke::dashed(GREEN, "2 2"),
        Stroke::dashed(PURPLE, "9 3 2 3"),
    ];
    let exact = columns.iter().filter_map(|c| history.column(&exact_column(c)));
    // One word in the legend for all exact curves.
    let mut out: Vec<ChartCurve> =
        exact.map(|values| ChartCurve { name: "exact".to_owned(), values, stroke: Stroke::exact() }).collect();
    for (column, stroke) in columns.iter().zip(strokes.into_iter().cycle()) {
        let values = history.column(column).ok_or_else(|| format!("no column {column}"))?;
        out.push(ChartCurve { name: column.clone(), values, stroke });
    }
    Ok(out)
}

/// Computed tractions as dots over the exact profile, as a file.
#[must_use]
pub fn along_contact(profile: &Profile<'_>, tractions: &[PointTraction], units: Units) -> String {
    let (chart, places) = profile_chart(stem(profile.file), profile, tractions, units);
    chart.draw_file(&places)
}

/// Points of the exact curve of a profile, beside those at the candidates.
const FINE: u32 = 400;

/// Computed tractions as dots over the exact profile: the chart, and the places of its values \[m\].
#[must_use]
pub fn profile_chart(
    id: String,
    profile: &Profile<'_>,
    tractions: &[PointTraction],
    units: Units,
) -> (Chart, Vec<f64>) {
    let part = |i: u32| f64::from(i) / f64::from(FINE);
    let fine = (0..=FINE).map(|i| profile.reach * (part(i) + (1.0 - part(i)) * profile.place.least()));
    let mut points: Vec<(f64, f64)> =
        fine.map(|x| (x, f64::NAN)).chain(tractions.iter().map(|t| (t.x, t.value))).collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (places, computed): (Vec<f64>, Vec<f64>) = points.into_iter().unzip();
    let exact = places.iter().map(|&x| (profile.exact)(x)).collect();
    let chart = Chart {
        id,
        label: profile.title.to_owned(),
        quantity: profile.part.quantity(),
        unit: units.symbol("Pa"),
        horizontal: Horizontal { quantity: "distance from the middle of the contact", unit: units.symbol("m") },
        scale: AxisScale::Linear,
        curves: vec![
            ChartCurve { name: "exact".to_owned(), values: exact, stroke: Stroke::exact() },
            ChartCurve { name: "computed".to_owned(), values: computed, stroke: Stroke::dots(BLUE) },
        ],
        levels: Vec::new(),
        moments: Vec::new(),
    };
    (chart, places)
}

/// A file's name without its ending.
fn stem(file: &str) -> String {
    file.strip_suffix(".svg").unwrap_or(file).to_owned()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use delassus_error::Coded;
    use delassus_verify::{ProfileCoordinate, TractionPart};

    use super::*;
    use crate::error::RunError;

    fn history() -> History {
        let mut history = History::new(["time", "ball.vy", "ball.vy.exact"].map(str::to_owned).to_vec());
        for k in 0..5 {
            let t = 1e-3 * f64::from(k);
            history.push(vec![t, -9.8 * t, -9.81 * t]);
        }
        history
    }

    fn plot(columns: &[&str]) -> HistoryPlot {
        HistoryPlot {
            file: "velocity.svg",
            title: "Velocity".to_owned(),
            quantity: "velocity",
            unit: "m/s",
            columns: columns.iter().map(|c| (*c).to_owned()).collect(),
        }
    }

    #[test]
    fn computed_over_exact_with_units_or_bare() {
        let svg = against_exact(&plot(&["ball.vy"]), &history(), Units::Si).unwrap();
        for piece in [">Velocity</text>", ">exact</text>", ">ball.vy</text>", ">time [ms]<", ">velocity [mm/s]<"] {
            assert!(svg.contains(piece), "no {piece} in {svg}");
        }
        let bare = against_exact(&plot(&["ball.vy"]), &history(), Units::Plain).unwrap();
        assert!(bare.contains(">time<") && bare.contains(">velocity<") && !bare.contains('['), "{bare}");
    }

    #[test]
    fn a_picture_of_a_missing_column_is_e0808() {
        let reason = against_exact(&plot(&["ball.vy", "ball.vx"]), &history(), Units::Si).unwrap_err();
        assert_eq!(reason, "no column ball.vx");
        let error = RunError::Plot { path: Path::new("velocity.svg").to_owned(), reason };
        assert_eq!(error.code().to_string(), "E0808");
        assert_eq!(error.to_string(), "cannot draw `velocity.svg`: no column ball.vx");
    }

    #[test]
    fn every_candidate_of_a_profile_is_a_dot() {
        let profile = |place| Profile {
            file: "pressure-profile.svg",
            title: "Pressure",
            pair: "ground",
            part: TractionPart::Normal,
            place,
            reach: 2.0,
            exact: Box::new(|x: f64| 1e6 * (4.0 - x * x)),
        };
        // Two candidates at one distance are two dots.
        let tractions = [0.5, 0.5, 1.5].map(|x| PointTraction { x, value: 3e6 * x, area: 1.0 });
        let (chart, places) =
            profile_chart("p".into(), &profile(ProfileCoordinate::From([0.0; 3])), &tractions, Units::Si);
        assert!(places.is_sorted() && places[0].abs() < 1e-15 && (places[places.len() - 1] - 2.0).abs() < 1e-15);
        assert_eq!(chart.curves[1].values.iter().filter(|v| v.is_finite()).count(), 3);
        assert!(chart.curves[0].values.iter().all(|v| v.is_finite()));
        let svg = along_contact(&profile(ProfileCoordinate::AlongX(0.0)), &tractions, Units::Si);
        // One more in the legend.
        assert_eq!(svg.matches("h0").count(), 4);
        for piece in [">pressure [MPa]<", ">distance from the middle of the contact [m]<", ">exact<", ">computed<"] {
            assert!(svg.contains(piece), "no {piece} in {svg}");
        }
    }
}
