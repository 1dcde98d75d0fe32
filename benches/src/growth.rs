//! How a time grows with a size: exponents, and a picture with both axes logarithmic.

use delassus_chart::legend::Legend;
use delassus_chart::loglog::{FrameBox, LogLogFrame};
use delassus_chart::stroke::{BLACK, BLUE, GREEN, ORANGE, PURPLE, RED, Stroke};
use delassus_chart::svg::{Anchor, GREY, Svg};

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

/// Width and height of a panel, and the space around its axes.
const PANEL: [f64; 2] = [620.0, 520.0];
const LEFT: f64 = 76.0;
const RIGHT: f64 = 16.0;
const BOTTOM: f64 = 46.0;
const TITLE_ROW: f64 = 36.0;

const STROKES: [Stroke; 7] = [
    Stroke::full(BLACK),
    Stroke::full(BLUE),
    Stroke::full(RED),
    Stroke::full(GREEN),
    Stroke::full(PURPLE),
    Stroke::full(ORANGE),
    Stroke::full(GREY),
];

/// The panels side by side, as an SVG file.
#[must_use]
pub fn picture(panels: &[Panel<'_>]) -> String {
    let width = PANEL[0] * panels.len().max(1) as f64;
    let mut svg = Svg::new("growth", "Growth of the time of a step", width, PANEL[1]);
    for (k, panel) in panels.iter().enumerate() {
        draw(&mut svg, PANEL[0] * k as f64, panel);
    }
    svg.finish_file(width)
}

fn draw(svg: &mut Svg, from: f64, panel: &Panel<'_>) {
    let (left, right) = (from + LEFT, from + PANEL[0] - RIGHT);
    let names: Vec<String> = panel.series.iter().map(|s| format!("{}: exponent {:.2}", s.name, s.exponent())).collect();
    let strokes = || STROKES.into_iter().cycle();
    let legend = Legend::new(names.iter().map(String::as_str).zip(strokes()), left, right);
    let top = TITLE_ROW + legend.height() + 4.0;
    let logs = |s: &Series| s.points.iter().map(|p| [p.0.log10(), p.1.log10()]).collect::<Vec<_>>();
    let at = FrameBox { corner: [left, top], size: [right - left, PANEL[1] - top - BOTTOM] };
    let frame = LogLogFrame::around(panel.series.iter().flat_map(logs), [0.1, 0.2], at);
    svg.text_with([0.5 * (left + right), 24.0], Anchor::Middle, panel.title, "font-size=\"17\" font-weight=\"600\"");
    frame.draw(svg, panel.size, "time of a step [s]");
    for (series, stroke) in panel.series.iter().zip(strokes()) {
        let placed: Vec<[f64; 2]> = logs(series).into_iter().map(|p| frame.place(p)).collect();
        svg.path(&stroke.trace(placed.iter().copied()), &stroke.attributes());
        let dots = Stroke::dots(stroke.colour);
        svg.path(&dots.trace(placed), &dots.attributes());
    }
    legend.draw(svg, TITLE_ROW);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_power_law_is_found_and_drawn() {
        let points = [10.0, 100.0, 400.0].map(|x: f64| (x, 3e-6 * x.powf(1.5))).to_vec();
        let series = Series { name: "law".to_owned(), points };
        assert!((series.exponent() - 1.5).abs() < 1e-12);
        let svg = picture(&[Panel { title: "growth", size: "dofs", series: &[series] }]);
        assert!(svg.starts_with("<?xml") && svg.contains("exponent 1.50") && svg.contains("growth"));
    }
}
