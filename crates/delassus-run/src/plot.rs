//! Pictures of histories as SVG.

use plotters::prelude::*;

use delassus_case::spec::Units;
use delassus_verify::history::History;
use delassus_verify::{HistoryPlot, Profile, Traction, exact_column};

const SIZE: (u32, u32) = (900, 520);
const COLOURS: [RGBColor; 4] =
    [RGBColor(31, 119, 180), RGBColor(214, 86, 39), RGBColor(44, 140, 60), RGBColor(140, 70, 160)];

/// Computed curves in colour over the exact ones in grey.
pub fn against_exact(plot: &HistoryPlot, history: &History, units: Units) -> Result<String, String> {
    let time = history.column("time").ok_or("the history has no time")?;
    let mut curves = Vec::new();
    for column in &plot.columns {
        let found = history.column(column).ok_or_else(|| format!("no column {column}"))?;
        curves.push((column.as_str(), found, history.column(&exact_column(column))));
    }
    let all = curves.iter().flat_map(|(_, a, b)| a.iter().chain(b.iter().flatten())).copied();
    let (mut low, mut high) = all.filter(|x| x.is_finite()).fold((0.0_f64, 0.0_f64), |(l, h), x| (l.min(x), h.max(x)));
    let margin = 0.08 * (high - low).max(f64::MIN_POSITIVE);
    (low, high) = (low - margin, high + margin);
    let end = time.last().copied().unwrap_or(1.0);

    let mut text = String::new();
    draw(&mut text, plot, &time, &curves, (end, low, high), units).map_err(|e| e.to_string())?;
    Ok(text)
}

type ExactPair<'a> = (&'a str, Vec<f64>, Option<Vec<f64>>);

fn draw(
    text: &mut String,
    plot: &HistoryPlot,
    time: &[f64],
    curves: &[ExactPair<'_>],
    (end, low, high): (f64, f64, f64),
    units: Units,
) -> Result<(), Box<dyn std::error::Error>> {
    let root = SVGBackend::with_string(text, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption(&plot.title, ("sans-serif", 22))
        .margin(14)
        .x_label_area_size(44)
        .y_label_area_size(86)
        .build_cartesian_2d(0.0..end, low..high)?;
    chart
        .configure_mesh()
        .x_desc(titled("time [s]", units))
        .y_desc(titled(&plot.label, units))
        .x_label_formatter(&|x| format!("{x:.1e}"))
        .y_label_formatter(&|y| label(*y, high - low))
        .max_light_lines(0)
        .bold_line_style(RGBColor(225, 225, 225))
        .draw()?;
    let pairs = |y: &[f64]| time.iter().copied().zip(y.iter().copied()).collect::<Vec<_>>();
    let grey = RGBColor(90, 90, 90).stroke_width(1);
    for (k, exact) in curves.iter().filter_map(|c| c.2.as_ref()).enumerate() {
        let drawn = chart.draw_series(LineSeries::new(pairs(exact), grey))?;
        // One word in the legend for all exact curves.
        if k == 0 {
            drawn.label("exact").legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], grey));
        }
    }
    for (k, (name, found, _)) in curves.iter().enumerate() {
        let style = COLOURS[k % COLOURS.len()].stroke_width(2);
        chart
            .draw_series(LineSeries::new(pairs(found), style))?
            .label(*name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], style));
    }
    chart.configure_series_labels().background_style(WHITE.mix(0.85)).border_style(RGBColor(200, 200, 200)).draw()?;
    root.present()?;
    Ok(())
}

/// The title of an axis, without its unit in a case that has none.
fn titled(title: &str, units: Units) -> &str {
    match units {
        Units::Si => title,
        Units::Plain => title.split(" [").next().unwrap_or(title),
    }
}

/// A number on an axis that spans `range`: as many digits as tell neighbouring labels apart.
fn label(value: f64, range: f64) -> String {
    if !(1e-3..1e4).contains(&range) {
        return format!("{value:.1e}");
    }
    let digits = (2.0 - range.log10()).ceil().clamp(0.0, 6.0) as usize;
    format!("{value:.digits$}")
}

/// Points of the exact curve of a profile.
const PROFILE_POINTS: u32 = 400;

/// Computed tractions as dots over the exact profile.
pub fn along_contact(profile: &Profile<'_>, tractions: &[Traction], units: Units) -> Result<String, String> {
    let curve: Vec<(f64, f64)> = (0..=PROFILE_POINTS)
        .map(|i| f64::from(i) / f64::from(PROFILE_POINTS))
        .map(|s| profile.reach * (s + (1.0 - s) * profile.place.least()))
        .map(|x| (x, (profile.exact)(x)))
        .collect();
    let dots: Vec<(f64, f64)> = tractions.iter().map(|t| (t.x, t.value)).collect();
    let mut text = String::new();
    draw_profile(&mut text, profile, &curve, &dots, units).map_err(|e| e.to_string())?;
    Ok(text)
}

fn draw_profile(
    text: &mut String,
    profile: &Profile<'_>,
    curve: &[(f64, f64)],
    dots: &[(f64, f64)],
    units: Units,
) -> Result<(), Box<dyn std::error::Error>> {
    let all = curve.iter().chain(dots).map(|p| p.1).filter(|y| y.is_finite());
    let (low, high) = all.fold((0.0_f64, 0.0_f64), |(l, h), y| (l.min(y), h.max(y)));
    let margin = 0.08 * (high - low).max(f64::MIN_POSITIVE);
    let root = SVGBackend::with_string(text, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption(profile.title, ("sans-serif", 22))
        .margin(14)
        .x_label_area_size(44)
        .y_label_area_size(86)
        .build_cartesian_2d(-profile.reach..profile.reach, low - margin..high + margin)?;
    chart
        .configure_mesh()
        .x_desc(titled("distance from the middle of the contact [m]", units))
        .y_desc(titled(profile.label, units))
        .x_label_formatter(&|x| format!("{x:.1e}"))
        .y_label_formatter(&|y| label(*y, high - low))
        .max_light_lines(0)
        .bold_line_style(RGBColor(225, 225, 225))
        .draw()?;
    let grey = RGBColor(90, 90, 90).stroke_width(1);
    chart
        .draw_series(LineSeries::new(curve.iter().copied(), grey))?
        .label("exact")
        .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], grey));
    chart
        .draw_series(dots.iter().map(|&p| Circle::new(p, 3, COLOURS[0].filled())))?
        .label("computed")
        .legend(|(x, y)| Circle::new((x + 9, y), 3, COLOURS[0].filled()));
    chart.configure_series_labels().background_style(WHITE.mix(0.85)).border_style(RGBColor(200, 200, 200)).draw()?;
    root.present()?;
    Ok(())
}
