//! Curves over time as SVG: axes with units, a legend above, linear or logarithmic.
//!
//! A curve with more points than the picture has columns is drawn by the first, smallest, largest and last value of each
//! column: no peak is lost, and a picture stays small however long the run.

use super::legend::Legend;
use super::scale::{PrefixedUnit, Tick, decade_ticks, linear_ticks};
use super::stroke::Stroke;
use super::svg::{Anchor, GREY, INK, PALE, Svg, polyline};

/// Width of a chart in its own pixels.
pub const WIDTH: f64 = 640.0;
const PLOT_HEIGHT: f64 = 250.0;
/// Space to the left of the plot.
pub const LEFT: f64 = 72.0;
/// Space to the right of the plot.
pub const RIGHT: f64 = 16.0;
const BOTTOM: f64 = 46.0;
/// Space above the legend.
const ABOVE: f64 = 6.0;
/// Width and height of a file in the chart's own pixels, and its width on the screen: texts grow with the rest.
const FILE_SIZE: [f64; 2] = [720.0, 416.0];
const FILE_WIDTH: f64 = 900.0;
/// Height of the title of a file.
const TITLE_ROW: f64 = 36.0;
/// Columns a curve is thinned to.
const COLUMNS: usize = 500;

/// One curve.
#[derive(Clone, Debug)]
pub struct ChartCurve {
    /// Its name in the legend.
    pub name: String,
    /// Values at the times of the chart.
    pub values: Vec<f64>,
    /// Its look.
    pub stroke: Stroke,
}

/// How a vertical axis divides its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxisScale {
    /// Linear, zero always on it.
    Linear,
    /// Linear with ticks at whole numbers.
    Count,
    /// Logarithmic; what is not positive is not drawn.
    Log,
}

/// What the horizontal axis measures.
#[derive(Clone, Copy, Debug)]
pub struct Horizontal {
    /// In words.
    pub quantity: &'static str,
    /// Unit.
    pub unit: &'static str,
}

impl Horizontal {
    /// Time.
    pub const TIME: Self = Self { quantity: "time", unit: "s" };
}

/// A picture of curves over time, or over another quantity.
#[derive(Clone, Debug)]
pub struct Chart {
    /// Identifier in the page.
    pub id: String,
    /// What it shows.
    pub label: String,
    /// What the vertical axis measures.
    pub quantity: &'static str,
    /// Unit of the values, empty for plain numbers.
    pub unit: &'static str,
    /// The horizontal axis.
    pub horizontal: Horizontal,
    /// The scale of the vertical axis.
    pub scale: AxisScale,
    /// Curves; later ones are drawn over earlier ones.
    pub curves: Vec<ChartCurve>,
    /// Horizontal lines with a name.
    pub levels: Vec<(f64, String)>,
    /// Places on the horizontal axis where something is expected: upright lines, broad and pale.
    pub moments: Vec<f64>,
}

/// An axis: maps values to places on it.
pub struct ChartAxis {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
    /// Where numbers stand.
    pub ticks: Vec<Tick>,
    log: bool,
}

impl ChartAxis {
    fn place(&self, value: f64) -> f64 {
        match value {
            _ if !self.log => value,
            _ if value > 0.0 => value.log10().max(self.low),
            _ => f64::NAN,
        }
    }
}

/// The part of a drawing between the axes.
#[derive(Clone, Copy)]
struct PlotArea {
    top: f64,
    /// Width of the whole drawing.
    width: f64,
    height: f64,
}

impl PlotArea {
    fn bottom(self) -> f64 {
        self.top + self.height
    }

    fn right(self) -> f64 {
        self.width - RIGHT
    }

    fn centre(self) -> f64 {
        LEFT + 0.5 * (self.right() - LEFT)
    }
}

impl Chart {
    /// The picture as an element of a page. `time` (or what is in its place) in SI units, ascending, one for each value of
    /// every curve.
    #[must_use]
    pub fn draw(&self, time: &[f64]) -> String {
        let legend = self.legend(WIDTH);
        let area = PlotArea { top: ABOVE + legend.height() + 2.0, width: WIDTH, height: PLOT_HEIGHT };
        let mut svg = Svg::new(&self.id, &self.label, WIDTH, area.bottom() + BOTTOM);
        self.paint(&mut svg, area, time);
        legend.draw(&mut svg, ABOVE);
        svg.finish()
    }

    /// The picture as a file that stands alone, with the label as its title. `time` as in [`Chart::draw`].
    #[must_use]
    pub fn draw_file(&self, time: &[f64]) -> String {
        let [width, height] = FILE_SIZE;
        let legend = self.legend(width);
        let top = TITLE_ROW + legend.height() + 2.0;
        // However long the legend, the plot does not vanish.
        let area = PlotArea { top, width, height: (height - top - BOTTOM).max(0.5 * PLOT_HEIGHT) };
        let mut svg = Svg::new(&self.id, &self.label, width, area.bottom() + BOTTOM);
        svg.text_with([area.centre(), 24.0], Anchor::Middle, &self.label, "font-size=\"17\" font-weight=\"600\"");
        self.paint(&mut svg, area, time);
        legend.draw(&mut svg, TITLE_ROW);
        svg.finish_file(FILE_WIDTH)
    }

    /// Several plots over the same times in one file, one below the other: what differs in its unit has an axis of its own.
    #[must_use]
    pub fn draw_panels(label: &str, panels: &[Self], time: &[f64]) -> String {
        let [width, _] = FILE_SIZE;
        let mut top = TITLE_ROW;
        let mut placed = Vec::new();
        for panel in panels {
            let legend = panel.legend(width);
            let area = PlotArea { top: top + legend.height() + 2.0, width, height: PLOT_HEIGHT };
            placed.push((panel, legend, top, area));
            top = area.bottom() + BOTTOM + 8.0;
        }
        let mut svg = Svg::new("plot", label, width, top - 8.0);
        svg.text_with(
            [0.5 * (LEFT + width - RIGHT), 24.0],
            Anchor::Middle,
            label,
            "font-size=\"17\" font-weight=\"600\"",
        );
        for (panel, legend, row, area) in placed {
            panel.paint(&mut svg, area, time);
            legend.draw(&mut svg, row);
        }
        svg.finish_file(FILE_WIDTH)
    }

    fn legend(&self, width: f64) -> Legend<'_> {
        Legend::new(self.curves.iter().map(|c| (c.name.as_str(), c.stroke)), LEFT, width - RIGHT)
    }

    /// Axes and curves.
    fn paint(&self, svg: &mut Svg, area: PlotArea, time: &[f64]) {
        let end = time.iter().copied().filter(|t| t.is_finite()).fold(f64::NEG_INFINITY, f64::max);
        let end = if end.is_finite() { end } else { 0.0 };
        let start = time.iter().copied().filter(|t| t.is_finite()).fold(end, f64::min);
        let time_unit = PrefixedUnit::fitting(end.abs().max(start.abs()), self.horizontal.unit);
        let (from, to) =
            (start / time_unit.size, if end > start { end / time_unit.size } else { start / time_unit.size + 1.0 });
        let finite = || self.curves.iter().flat_map(|c| &c.values).copied().filter(|x| x.is_finite());
        let log = self.scale == AxisScale::Log;
        let unit = PrefixedUnit::fitting(finite().fold(0.0, |m, x| x.abs().max(m)), if log { "" } else { self.unit });
        let axis = match self.scale {
            AxisScale::Log => log_axis(finite(), self.levels.iter().map(|l| l.0)),
            scale => linear_axis(finite().map(|x| x / unit.size), scale == AxisScale::Count),
        };
        let x = |t: f64| LEFT + (t - from) / (to - from) * (area.right() - LEFT);
        let y = |v: f64| area.top + (axis.high - v) / (axis.high - axis.low) * area.height;

        frame(svg, area, &axis, &y);
        for tick in linear_ticks(from, to, 6, false) {
            let at = x(tick.value);
            svg.line([at, area.bottom()], [at, area.bottom() + 4.0], GREY, "");
            svg.text([at, area.bottom() + 18.0], Anchor::Middle, &tick.text);
        }
        let centre = area.centre();
        let below = area.bottom() + BOTTOM - 8.0;
        svg.text([centre, below], Anchor::Middle, &titled(self.horizontal.quantity, &time_unit.symbol));
        let symbol = if log { self.unit } else { &unit.symbol };
        let title = titled(self.quantity, symbol);
        let middle = area.top + 0.5 * area.height;
        svg.text_with([14.0, middle], Anchor::Middle, &title, &format!("transform=\"rotate(-90 14 {middle})\""));

        for (level, name) in &self.levels {
            let at = y(axis.place(level / unit.size));
            if (area.top..=area.bottom()).contains(&at) {
                svg.line([LEFT, at], [area.right(), at], INK, "stroke-dasharray=\"2 4\"");
                svg.text([area.right() - 4.0, at - 5.0], Anchor::End, name);
            }
        }
        for moment in self.moments.iter().filter(|t| (start..=end).contains(*t)) {
            let at = x(moment / time_unit.size);
            svg.path(&polyline([[at, area.top], [at, area.bottom()]]), &Stroke::exact().attributes());
        }
        for curve in &self.curves {
            let points = thinned(time, &curve.values, (start, end));
            let placed = points.map(|(t, v)| [x(t / time_unit.size), y(axis.place(v / unit.size))]);
            svg.path(&curve.stroke.trace(placed), &curve.stroke.attributes());
        }
        if log && !finite().any(|x| x > 0.0) {
            svg.text([centre, middle], Anchor::Middle, "zero throughout");
        }
    }
}

/// Grid lines, frame and the texts of the vertical axis.
fn frame(svg: &mut Svg, area: PlotArea, axis: &ChartAxis, y: &dyn Fn(f64) -> f64) {
    for tick in &axis.ticks {
        let at = y(tick.value);
        let is_zero = !axis.log && tick.value.abs() <= 0.0;
        svg.line([LEFT, at], [area.right(), at], if is_zero { "#9a9a9a" } else { PALE }, "");
        svg.text([LEFT - 7.0, at + 4.5], Anchor::End, &tick.text);
    }
    svg.rect([LEFT, area.top], [area.right() - LEFT, area.height], &format!("fill=\"none\" stroke=\"{GREY}\""));
}

/// A quantity with its unit, if it has one.
pub fn titled(quantity: &str, symbol: &str) -> String {
    if symbol.is_empty() { quantity.to_owned() } else { format!("{quantity} [{symbol}]") }
}

/// Around these values and zero.
pub fn linear_axis(values: impl Iterator<Item = f64>, whole: bool) -> ChartAxis {
    // Zero is always on the axis: a small change of a large number must not look large.
    let (low, high) = values.fold((0.0_f64, 0.0_f64), |(l, h), x| (l.min(x), h.max(x)));
    let (low, high) = if high > low { (low, high) } else { (-1.0, 1.0) };
    let margin = 0.06 * (high - low);
    let low = if low < 0.0 { low - margin } else { low };
    let high = if high > 0.0 { high + margin } else { high };
    ChartAxis { low, high, ticks: linear_ticks(low, high, 6, whole), log: false }
}

/// Whole decades around the positive values, and up to the levels when those are not far above.
fn log_axis(values: impl Iterator<Item = f64>, levels: impl Iterator<Item = f64>) -> ChartAxis {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for x in values.filter(|x| *x > 0.0) {
        // Below this, numbers are round-off of round-off.
        let e = x.log10().max(-30.0);
        (low, high) = (low.min(e), high.max(e));
    }
    if low > high {
        (low, high) = (-16.0, -15.0);
    }
    for level in levels.filter(|x| *x > 0.0) {
        let e = level.log10();
        high = if (high..high + 8.0).contains(&e) { e + 0.2 } else { high };
    }
    let (low, high) = (low.floor() as i32, (high + 0.1).ceil() as i32);
    let high = high.max(low + 1);
    ChartAxis { low: f64::from(low), high: f64::from(high), ticks: decade_ticks(low, high, 7), log: true }
}

/// At most four points a column of the picture: the first, the smallest, the largest and the last.
fn thinned<'a>(
    time: &'a [f64],
    values: &'a [f64],
    (start, end): (f64, f64),
) -> Box<dyn Iterator<Item = (f64, f64)> + 'a> {
    let n = time.len().min(values.len());
    if n <= 4 * COLUMNS {
        return Box::new(time.iter().copied().zip(values.iter().copied()));
    }
    let column = |t: f64| ((t - start) / (end - start) * COLUMNS as f64) as usize;
    let mut kept: Vec<usize> = Vec::with_capacity(4 * COLUMNS);
    let mut from = 0;
    while from < n {
        let mut to = from + 1;
        while to < n && column(time[to]) == column(time[from]) {
            to += 1;
        }
        let by = |a: &usize, b: &usize| values[*a].total_cmp(&values[*b]);
        // NaN is above all numbers in this order and would hide the largest.
        let known = || (from..to).filter(|i| !values[*i].is_nan());
        let mut four = [Some(from), known().min_by(by), known().max_by(by), Some(to - 1)];
        four.sort_unstable();
        kept.extend(four.into_iter().flatten());
        from = to;
    }
    kept.dedup();
    Box::new(kept.into_iter().map(|i| (time[i], values[i])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stroke::BLUE;
    use crate::svg::tests::assert_well_formed_file;

    fn chart(scale: AxisScale, curves: &[(&str, Vec<f64>)]) -> Chart {
        let curves = curves.iter().map(|(name, values)| ChartCurve {
            name: (*name).to_owned(),
            values: values.clone(),
            stroke: Stroke::full(BLUE),
        });
        Chart {
            id: "fig".into(),
            label: "label".into(),
            quantity: "force",
            unit: "N",
            horizontal: Horizontal::TIME,
            scale,
            curves: curves.collect(),
            levels: vec![(1e-3, "level".into())],
            moments: vec![0.5, 7.0],
        }
    }

    #[test]
    fn axes_say_what_they_measure_with_a_prefix_that_keeps_numbers_short() {
        let svg = chart(AxisScale::Linear, &[("a", vec![0.0, 2.5e6])]).draw(&[0.0, 2e-4]);
        for piece in ["force [MN]", "time [µs]", ">200<", ">2.5<", ">a<"] {
            assert!(svg.contains(piece), "no {piece} in {svg}");
        }
    }

    #[test]
    fn a_logarithmic_axis_leaves_zero_out_and_shows_the_level_above() {
        let svg = chart(AxisScale::Log, &[("a", vec![0.0, 3e-10, 2e-7])]).draw(&[0.0, 1.0, 2.0]);
        for piece in [">10⁻¹⁰<", ">10⁻²<", ">level<"] {
            assert!(svg.contains(piece), "no {piece} in {svg}");
        }
        // Far above all values: a level that cannot be shown is left out.
        assert!(!chart(AxisScale::Log, &[("a", vec![1e-15])]).draw(&[0.0]).contains(">level<"));
        assert!(chart(AxisScale::Log, &[("a", vec![0.0, 0.0])]).draw(&[0.0, 1.0]).contains("zero throughout"));
    }

    #[test]
    fn nothing_to_show_is_no_reason_to_fail() {
        for scale in [AxisScale::Linear, AxisScale::Count, AxisScale::Log] {
            for values in [vec![], vec![0.0, 0.0], vec![f64::NAN, f64::INFINITY]] {
                let svg = chart(scale, &[("a", values)]).draw(&[0.0, 1.0]);
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            }
            assert!(!chart(scale, &[("a", vec![1.0])]).draw(&[0.0]).contains("NaN"));
        }
    }

    #[test]
    fn a_long_curve_keeps_its_peaks() {
        let n = 100_000;
        let time: Vec<f64> = (0..n).map(f64::from).collect();
        let mut values = vec![0.0; n as usize];
        values[12_345] = 7.0;
        values[77_777] = -3.0;
        // Within the columns of the peaks: a gap does not hide them.
        (values[12_350], values[77_770]) = (f64::NAN, f64::NAN);
        let points: Vec<_> = thinned(&time, &values, (0.0, f64::from(n - 1))).collect();
        assert!(points.len() <= 4 * (COLUMNS + 1), "{}", points.len());
        assert!(points.windows(2).all(|w| w[0].0 < w[1].0));
        assert!(points.contains(&(12_345.0, 7.0)) && points.contains(&(77_777.0, -3.0)));
        assert!(points[0].0 < 0.5 && points[points.len() - 1].0 > f64::from(n) - 1.5);
    }

    #[test]
    fn a_file_stands_alone_with_its_title() {
        let mut chart =
            chart(AxisScale::Linear, &[("exact", vec![0.0, 2.0, 3.0]), ("a & b", vec![0.1, f64::NAN, 3.1])]);
        chart.label = "Force < limit".into();
        chart.curves[1].stroke = Stroke::dots(BLUE);
        let text = chart.draw_file(&[0.0, 1.0, 2.0]);
        assert_well_formed_file(&text);
        for piece in [
            "width=\"900\" height=\"520\" viewBox=\"0 0 720 416\"",
            ">Force &lt; limit</text>",
            ">force [N]</text>",
            ">time [s]</text>",
            ">a &amp; b</text>",
        ] {
            assert!(text.contains(piece), "no {piece} in {text}");
        }
        // Two dots, and one in the legend.
        assert_eq!(text.matches("h0").count(), 3, "{text}");
        // An element of a page has neither.
        let element = chart.draw(&[0.0, 1.0, 2.0]);
        assert!(element.starts_with("<svg id=\"fig\"") && !element.contains("limit</text>"), "{element}");
    }
}
