//! How a time grows with a size: exponents, and a picture with both axes logarithmic.

use plotters::prelude::*;

/// A named series of (size, seconds).
#[derive(Clone, Debug)]
pub struct Series {
    /// What was timed.
    pub name: String,
    /// Sizes and times, both > 0.
    pub points: Vec<(f64, f64)>,
}

impl Series {
    /// k of the power law t ∝ sizeᵏ that fits best in logarithms; NaN for fewer than two sizes.
    #[must_use]
    pub fn exponent(&self) -> f64 {
        let n = self.points.len() as f64;
        let logs: Vec<(f64, f64)> = self.points.iter().map(|&(x, y)| (x.ln(), y.ln())).collect();
        let mean = |f: fn(&(f64, f64)) -> f64| logs.iter().map(f).sum::<f64>() / n;
        let (x, y) = (mean(|p| p.0), mean(|p| p.1));
        let (above, below) =
            logs.iter().fold((0.0, 0.0), |(a, b), p| (a + (p.0 - x) * (p.1 - y), b + (p.0 - x) * (p.0 - x)));
        above / below
    }
}

/// A panel of the picture: title, name of the size, and what is drawn.
pub struct Panel<'a> {
    /// Title.
    pub title: &'a str,
    /// Name of the horizontal axis.
    pub size: &'a str,
    /// Series.
    pub series: &'a [Series],
}

const COLOURS: [RGBColor; 7] = [
    RGBColor(20, 20, 20),
    RGBColor(31, 119, 180),
    RGBColor(214, 86, 39),
    RGBColor(44, 140, 60),
    RGBColor(140, 70, 160),
    RGBColor(150, 120, 20),
    RGBColor(120, 120, 120),
];

/// The panels side by side, as SVG.
///
/// # Errors
/// What the drawing library cannot do, in its words.
pub fn picture(panels: &[Panel<'_>]) -> Result<String, String> {
    let mut text = String::new();
    draw(&mut text, panels).map_err(|e| e.to_string())?;
    Ok(text)
}

fn draw(text: &mut String, panels: &[Panel<'_>]) -> Result<(), Box<dyn std::error::Error>> {
    let width = 620 * panels.len().max(1) as u32;
    let root = SVGBackend::with_string(text, (width, 520)).into_drawing_area();
    root.fill(&WHITE)?;
    for (area, panel) in root.split_evenly((1, panels.len().max(1))).iter().zip(panels) {
        let points = || panel.series.iter().flat_map(|s| s.points.iter());
        let range = |f: fn(&(f64, f64)) -> f64, low: f64, high: f64| {
            let ends = points().map(f).fold((f64::INFINITY, 0.0_f64), |(l, h), x| (l.min(x), h.max(x)));
            (ends.0 * low..ends.1 * high).log_scale()
        };
        let mut chart = ChartBuilder::on(area)
            .caption(panel.title, ("sans-serif", 18))
            .margin(14)
            .x_label_area_size(44)
            .y_label_area_size(64)
            .build_cartesian_2d(range(|p| p.0, 0.8, 1.25), range(|p| p.1, 0.5, 100.0))?;
        chart
            .configure_mesh()
            .x_desc(panel.size)
            .y_desc("time of a step [s]")
            .x_label_formatter(&|x| round_number(*x))
            .x_labels(20)
            .y_label_formatter(&|y| format!("{y:.0e}"))
            .max_light_lines(0)
            .bold_line_style(RGBColor(225, 225, 225))
            .draw()?;
        for (series, colour) in panel.series.iter().zip(COLOURS.iter().cycle()) {
            let style = colour.stroke_width(2);
            let name = format!("{}: exponent {:.2}", series.name, series.exponent());
            chart
                .draw_series(LineSeries::new(series.points.iter().copied(), style).point_size(3))?
                .label(name)
                .legend(move |(x, y)| PathElement::new(vec![(x, y), (x + 18, y)], style));
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .background_style(WHITE.mix(0.85))
            .border_style(RGBColor(200, 200, 200))
            .draw()?;
    }
    root.present()?;
    Ok(())
}

/// 1, 2 and 5 times a power of ten as they are, nothing for other numbers: they would stand in each other's way.
fn round_number(x: f64) -> String {
    let power = 10_f64.powf((x.log10() + 1e-9).floor());
    let is_round = [1.0, 2.0, 5.0].iter().any(|k| (x / power - k).abs() < 1e-6);
    if is_round { format!("{x:.0}") } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_do_not_crowd() {
        let shown: Vec<String> = [100.0, 150.0, 2000.0, 3000.0, 50_000.0].iter().map(|&x| round_number(x)).collect();
        assert_eq!(shown, ["100", "", "2000", "", "50000"]);
    }

    #[test]
    fn a_power_law_is_found_and_drawn() {
        let points = [10.0, 100.0, 400.0].map(|x: f64| (x, 3e-6 * x.powf(1.5))).to_vec();
        let series = Series { name: "law".to_owned(), points };
        assert!((series.exponent() - 1.5).abs() < 1e-12);
        let svg = picture(&[Panel { title: "growth", size: "dofs", series: &[series] }]).unwrap();
        assert!(svg.starts_with("<svg") && svg.contains("exponent 1.50") && svg.contains("growth"));
    }
}
