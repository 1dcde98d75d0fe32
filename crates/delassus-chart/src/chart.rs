//! Curves over time as SVG: axes with units, a legend above, linear or logarithmic.
//!
//! A curve with more points than the picture has columns is drawn by the first, smallest, largest and last value of each
//! column: no peak is lost, and a picture stays small however long the run.

use super::scale::{PrefixedUnit, Tick, decade_ticks, linear_ticks};
use super::svg::{Anchor, GREY, INK, PALE, Svg, polyline};

/// Width of a chart in its own pixels.
pub const WIDTH: f64 = 640.0;
const PLOT_HEIGHT: f64 = 250.0;
/// Space to the left of the plot.
pub const LEFT: f64 = 72.0;
/// Space to the right of the plot.
pub const RIGHT: f64 = 16.0;
const BOTTOM: f64 = 46.0;
/// Height of a row of the legend.
pub const LEGEND_ROW: f64 = 20.0;
/// Columns a curve is thinned to.
const COLUMNS: usize = 500;

/// Colours that people with any kind of colour vision tell apart (Okabe & Ito), without the yellow.
pub const BLUE: &str = "#0072b2";
/// Vermillion.
pub const RED: &str = "#d55e00";
/// Bluish green.
pub const GREEN: &str = "#009e73";
/// Reddish purple.
pub const PURPLE: &str = "#b8578f";
/// Orange.
pub const ORANGE: &str = "#e69f00";
/// Black.
pub const BLACK: &str = "#1a1a1a";

/// How a curve looks. Dashes tell curves apart where colour does not.
#[derive(Clone, Copy, Debug)]
pub struct Stroke {
    /// Colour.
    pub colour: &'static str,
    /// Dash pattern, empty for a full line.
    pub dash: &'static str,
    /// Width in pixels.
    pub width: f64,
}

impl Stroke {
    /// A full line of the usual width.
    #[must_use]
    pub const fn full(colour: &'static str) -> Self {
        Self { colour, dash: "", width: 1.8 }
    }

    /// A dashed line.
    #[must_use]
    pub const fn dashed(colour: &'static str, dash: &'static str) -> Self {
        Self { colour, dash, width: 1.8 }
    }

    /// Exact curves: broad and pale, under the computed ones.
    #[must_use]
    pub const fn exact() -> Self {
        Self { colour: "#b5b5b5", dash: "", width: 5.0 }
    }

    /// As attributes of a path.
    #[must_use]
    pub fn attributes(self) -> String {
        let dash = if self.dash.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{}\"", self.dash) };
        format!(
            "fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\" stroke-linecap=\"{}\"{dash}",
            self.colour,
            self.width,
            // A round cap would fill the gaps of dashes.
            if self.dash.is_empty() { "round" } else { "butt" }
        )
    }
}

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

impl Chart {
    /// The picture. `time` (or what is in its place) in SI units, ascending, one for each value of every curve.
    #[must_use]
    pub fn draw(&self, time: &[f64]) -> String {
        let rows = self.legend_rows();
        let top = 8.0 + LEGEND_ROW * rows.len() as f64;
        let mut svg = Svg::new(&self.id, &self.label, WIDTH, top + PLOT_HEIGHT + BOTTOM);
        let end = time.iter().copied().filter(|t| t.is_finite()).fold(f64::NEG_INFINITY, f64::max);
        let end = if end.is_finite() { end } else { 0.0 };
        let start = time.iter().copied().filter(|t| t.is_finite()).fold(end, f64::min);
        let time_unit = PrefixedUnit::fitting(end.abs().max(start.abs()), self.horizontal.unit);
        let (from, to) = (start / time_unit.size, if end > start { end / time_unit.size } else { start + 1.0 });
        let finite = || self.curves.iter().flat_map(|c| &c.values).copied().filter(|x| x.is_finite());
        let log = self.scale == AxisScale::Log;
        let unit = PrefixedUnit::fitting(finite().fold(0.0, |m, x| x.abs().max(m)), if log { "" } else { self.unit });
        let axis = match self.scale {
            AxisScale::Log => log_axis(finite(), self.levels.iter().map(|l| l.0)),
            scale => linear_axis(finite().map(|x| x / unit.size), scale == AxisScale::Count),
        };
        let x = |t: f64| LEFT + (t - from) / (to - from) * (WIDTH - LEFT - RIGHT);
        let y = |v: f64| top + (axis.high - v) / (axis.high - axis.low) * PLOT_HEIGHT;

        self.frame(&mut svg, top, &axis, &y);
        for tick in linear_ticks(from, to, 6, false) {
            let at = x(tick.value);
            svg.line([at, top + PLOT_HEIGHT], [at, top + PLOT_HEIGHT + 4.0], GREY, "");
            svg.text([at, top + PLOT_HEIGHT + 18.0], Anchor::Middle, &tick.text);
        }
        let centre = LEFT + 0.5 * (WIDTH - LEFT - RIGHT);
        let below = top + PLOT_HEIGHT + BOTTOM - 8.0;
        svg.text([centre, below], Anchor::Middle, &titled(self.horizontal.quantity, &time_unit.symbol));
        let symbol = if log { self.unit } else { &unit.symbol };
        let title = titled(self.quantity, symbol);
        let middle = top + 0.5 * PLOT_HEIGHT;
        svg.text_with([14.0, middle], Anchor::Middle, &title, &format!("transform=\"rotate(-90 14 {middle})\""));

        for (level, name) in &self.levels {
            let at = y(axis.place(level / unit.size));
            if (top..=top + PLOT_HEIGHT).contains(&at) {
                svg.line([LEFT, at], [WIDTH - RIGHT, at], INK, "stroke-dasharray=\"2 4\"");
                svg.text([WIDTH - RIGHT - 4.0, at - 5.0], Anchor::End, name);
            }
        }
        for moment in self.moments.iter().filter(|t| (start..=end).contains(*t)) {
            let at = x(moment / time_unit.size);
            svg.path(&polyline([[at, top], [at, top + PLOT_HEIGHT]]), &Stroke::exact().attributes());
        }
        for curve in &self.curves {
            let points = thinned(time, &curve.values, (start, end));
            let placed = points.map(|(t, v)| [x(t / time_unit.size), y(axis.place(v / unit.size))]);
            svg.path(&polyline(placed), &curve.stroke.attributes());
        }
        if log && !finite().any(|x| x > 0.0) {
            svg.text([centre, middle], Anchor::Middle, "zero throughout");
        }
        self.legend(&mut svg, &rows);
        svg.finish()
    }

    /// Grid lines, frame and the texts of the vertical axis.
    fn frame(&self, svg: &mut Svg, top: f64, axis: &ChartAxis, y: &dyn Fn(f64) -> f64) {
        for tick in &axis.ticks {
            let at = y(tick.value);
            let is_zero = !axis.log && tick.value.abs() <= 0.0;
            svg.line([LEFT, at], [WIDTH - RIGHT, at], if is_zero { "#9a9a9a" } else { PALE }, "");
            svg.text([LEFT - 7.0, at + 4.5], Anchor::End, &tick.text);
        }
        svg.rect([LEFT, top], [WIDTH - LEFT - RIGHT, PLOT_HEIGHT], &format!("fill=\"none\" stroke=\"{GREY}\""));
    }

    /// The entries of the legend, row by row: name, look and position.
    fn legend_rows(&self) -> Vec<Vec<(&str, Stroke, f64)>> {
        let mut rows: Vec<Vec<(&str, Stroke, f64)>> = vec![Vec::new()];
        let mut x = LEFT;
        let mut seen: Vec<&str> = Vec::new();
        for ChartCurve { name, stroke, .. } in &self.curves {
            if seen.contains(&name.as_str()) {
                continue;
            }
            seen.push(name);
            // Mean width of a letter at this size; a guess is enough for a legend.
            let width = 34.0 + 7.0 * name.chars().count() as f64;
            if x + width > WIDTH - RIGHT && x > LEFT {
                rows.push(Vec::new());
                x = LEFT;
            }
            if let Some(row) = rows.last_mut() {
                row.push((name, *stroke, x));
            }
            x += width + 14.0;
        }
        rows
    }

    fn legend(&self, svg: &mut Svg, rows: &[Vec<(&str, Stroke, f64)>]) {
        for (k, row) in rows.iter().enumerate() {
            let y = 6.0 + LEGEND_ROW * (k as f64 + 0.5);
            for (name, stroke, x) in row {
                svg.path(&polyline([[*x, y], [x + 26.0, y]]), &stroke.attributes());
                svg.text([x + 32.0, y + 4.5], Anchor::Start, name);
            }
        }
    }
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
        let mut four = [Some(from), (from..to).min_by(by), (from..to).max_by(by), Some(to - 1)];
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
        let points: Vec<_> = thinned(&time, &values, (0.0, f64::from(n - 1))).collect();
        assert!(points.len() <= 4 * (COLUMNS + 1), "{}", points.len());
        assert!(points.windows(2).all(|w| w[0].0 < w[1].0));
        assert!(points.contains(&(12_345.0, 7.0)) && points.contains(&(77_777.0, -3.0)));
        assert!(points[0].0 < 0.5 && points[points.len() - 1].0 > f64::from(n) - 1.5);
    }

    #[test]
    fn a_long_legend_takes_several_rows() {
        let names =
            ["kinetic energy", "elastic energy", "friction dissipation", "numerical dissipation", "external work"];
        let curves: Vec<_> = names.iter().map(|n| (*n, vec![1.0])).collect();
        let chart = chart(AxisScale::Linear, &curves);
        let rows = chart.legend_rows();
        assert_eq!(rows.len(), 2);
        assert!(rows.iter().flatten().all(|(name, _, x)| x + 34.0 + 7.0 * name.len() as f64 <= WIDTH));
    }
}
