//! Values along a line such as a contact, drawn upright: the place on the vertical axis, depth downwards, values to the
//! right. Marks show the state at each place.
//!
//! ```text
//!  0 +-----------o--
//!    |        o
//!    |    o              points joined from one place to the next
//!    |  o
//!  z v  o   value →
//! ```

use delassus_chart::chart::{ChartAxis, ChartCurve, LEFT, RIGHT, WIDTH, linear_axis, titled};
use delassus_chart::legend::LEGEND_ROW;
use delassus_chart::scale::PrefixedUnit;
use delassus_chart::stroke::{BLUE, RED};
use delassus_chart::svg::{Anchor, GREY, PALE, Svg, num, polyline};

const PLOT_HEIGHT: f64 = 330.0;
const BOTTOM: f64 = 46.0;
/// Most places with marks; more would be a band of ink.
pub const MOST_MARKS: usize = 400;

/// State of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// No force.
    Open,
    /// Closed, not sliding.
    Stick,
    /// Closed and sliding.
    Slip,
    /// Held by a bond.
    Bonded,
}

impl Mark {
    const ALL: [Self; 4] = [Self::Slip, Self::Stick, Self::Bonded, Self::Open];

    /// From the number in the frames of the contacts.
    #[must_use]
    pub fn of(status: f64) -> Self {
        match status.round() as i64 {
            1 => Self::Stick,
            2 => Self::Slip,
            3 => Self::Bonded,
            _ => Self::Open,
        }
    }

    /// In words.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Stick => "stick",
            Self::Slip => "slip",
            Self::Bonded => "bonded",
        }
    }

    /// Shapes differ, so that colour need not be seen.
    fn draw(self, svg: &mut Svg, [x, y]: [f64; 2]) {
        let closed = |points: &[[f64; 2]]| polyline(points.iter().copied()) + "Z";
        let d = match self {
            Self::Slip => closed(&[[x, y - 5.0], [x + 5.0, y], [x, y + 5.0], [x - 5.0, y]]),
            Self::Bonded => closed(&[[x - 4.0, y - 4.0], [x + 4.0, y - 4.0], [x + 4.0, y + 4.0], [x - 4.0, y + 4.0]]),
            Self::Stick | Self::Open => format!("M{} {}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0Z", num(x - 4.0), num(y)),
        };
        let look = match self {
            Self::Slip => format!("fill=\"{RED}\" stroke=\"#fff\""),
            Self::Stick | Self::Bonded => format!("fill=\"{BLUE}\" stroke=\"#fff\""),
            Self::Open => format!("fill=\"#fff\" stroke=\"{GREY}\" stroke-width=\"1.4\""),
        };
        svg.path(&d, &format!("class=\"{}\" {look}", self.word()));
    }
}

/// What the vertical axis measures.
#[derive(Clone, Debug)]
pub struct Vertical {
    /// In words.
    pub quantity: &'static str,
    /// Unit, empty for plain numbers.
    pub unit: &'static str,
    /// Does it grow downwards?
    pub downwards: bool,
}

/// A picture of values along a line.
#[derive(Clone, Debug)]
pub struct Upright {
    /// Identifier in the page.
    pub id: String,
    /// What it shows.
    pub label: String,
    /// What the horizontal axis measures.
    pub quantity: String,
    /// Unit of the values, empty for plain numbers.
    pub unit: &'static str,
    /// The vertical axis.
    pub vertical: Vertical,
    /// Curves, with a value for each place.
    pub curves: Vec<ChartCurve>,
    /// State at each place, shown on the last curve; may be empty.
    pub marks: Vec<Mark>,
}

impl Upright {
    /// The picture; `places` ascending.
    #[must_use]
    pub fn draw(&self, places: &[f64]) -> String {
        let top = 8.0 + LEGEND_ROW;
        let mut svg = Svg::new(&self.id, &self.label, WIDTH, top + PLOT_HEIGHT + BOTTOM);
        let size =
            |values: &mut dyn Iterator<Item = f64>| values.filter(|v| v.is_finite()).fold(0.0, |m, v| v.abs().max(m));
        let all = || self.curves.iter().flat_map(|c| &c.values).copied();
        let unit = PrefixedUnit::fitting(size(&mut all()), self.unit);
        let length = PrefixedUnit::fitting(size(&mut places.iter().copied()), self.vertical.unit);
        let across = linear_axis(all().filter(|v| v.is_finite()).map(|v| v / unit.size), false);
        let along = linear_axis(places.iter().filter(|v| v.is_finite()).map(|v| v / length.size), false);
        let x = |v: f64| LEFT + (v - across.low) / (across.high - across.low) * (WIDTH - LEFT - RIGHT);
        let y = |p: f64| {
            let part = (p - along.low) / (along.high - along.low);
            top + PLOT_HEIGHT * if self.vertical.downwards { part } else { 1.0 - part }
        };
        frame(&mut svg, top, &across, &along, &x, &y);
        let below = top + PLOT_HEIGHT + BOTTOM - 8.0;
        let centre = LEFT + 0.5 * (WIDTH - LEFT - RIGHT);
        svg.text([centre, below], Anchor::Middle, &titled(&self.quantity, &unit.symbol));
        let middle = top + 0.5 * PLOT_HEIGHT;
        let turn = format!("transform=\"rotate(-90 14 {middle})\"");
        svg.text_with([14.0, middle], Anchor::Middle, &titled(self.vertical.quantity, &length.symbol), &turn);

        let at = |value: f64, place: f64| [x(value / unit.size), y(place / length.size)];
        for curve in &self.curves {
            let points = curve.values.iter().zip(places).map(|(v, p)| at(*v, *p));
            svg.path(&curve.stroke.trace(points), &curve.stroke.attributes());
        }
        let marked = self.curves.last().map_or(&[][..], |c| &c.values);
        for ((value, place), mark) in marked.iter().zip(places).zip(&self.marks) {
            if value.is_finite() && place.is_finite() {
                mark.draw(&mut svg, at(*value, *place));
            }
        }
        self.legend(&mut svg);
        svg.finish()
    }

    /// Names of the curves when there are several, and of the marks that occur.
    fn legend(&self, svg: &mut Svg) {
        let (mut x, y) = (LEFT, 6.0 + 0.5 * LEGEND_ROW);
        // Mean width of a letter at this size; a guess is enough for a legend.
        let width = |text: &str| 7.0 * text.chars().count() as f64 + 20.0;
        for ChartCurve { name, stroke, .. } in self.curves.iter().filter(|_| self.curves.len() > 1) {
            svg.path(&stroke.sample([x, y]), &stroke.attributes());
            svg.text([x + 32.0, y + 4.5], Anchor::Start, name);
            x += 32.0 + width(name);
        }
        for mark in Mark::ALL.into_iter().filter(|m| self.marks.contains(m)) {
            mark.draw(svg, [x + 6.0, y]);
            svg.text([x + 16.0, y + 4.5], Anchor::Start, mark.word());
            x += 16.0 + width(mark.word());
        }
    }
}

/// Grid lines, frame and numbers of both axes.
fn frame(
    svg: &mut Svg,
    top: f64,
    across: &ChartAxis,
    along: &ChartAxis,
    x: &dyn Fn(f64) -> f64,
    y: &dyn Fn(f64) -> f64,
) {
    let bottom = top + PLOT_HEIGHT;
    for tick in &across.ticks {
        let at = x(tick.value);
        let colour = if tick.value.abs() <= 0.0 { "#9a9a9a" } else { PALE };
        svg.line([at, top], [at, bottom], colour, "");
        svg.text([at, bottom + 18.0], Anchor::Middle, &tick.text);
    }
    for tick in &along.ticks {
        let at = y(tick.value);
        svg.line([LEFT, at], [WIDTH - RIGHT, at], PALE, "");
        svg.text([LEFT - 7.0, at + 4.5], Anchor::End, &tick.text);
    }
    svg.rect([LEFT, top], [WIDTH - LEFT - RIGHT, PLOT_HEIGHT], &format!("fill=\"none\" stroke=\"{GREY}\""));
}

#[cfg(test)]
mod tests {
    use super::*;
    use delassus_chart::stroke::Stroke;

    fn upright(values: Vec<f64>, downwards: bool) -> Upright {
        Upright {
            id: "fig".into(),
            label: "label".into(),
            quantity: "slip velocity".into(),
            unit: "m/s",
            vertical: Vertical { quantity: "depth", unit: "m", downwards },
            marks: vec![Mark::Slip, Mark::Stick, Mark::Open],
            curves: vec![ChartCurve { name: "a".into(), values, stroke: Stroke::full(BLUE) }],
        }
    }

    /// Points of the curve in pixels.
    fn points(svg: &str) -> Vec<[f64; 2]> {
        let path = svg.split("<path d=\"M").nth(1).unwrap().split('"').next().unwrap();
        let point = |p: &str| p.split_once(' ').map(|(x, y)| [x.parse().unwrap(), y.parse().unwrap()]).unwrap();
        path.split('L').map(point).collect()
    }

    #[test]
    fn depth_grows_downwards_and_values_to_the_right() {
        let places = [0.0, 2500.0, 5000.0];
        for downwards in [true, false] {
            let svg = upright(vec![3e-3, 1e-3, 0.0], downwards).draw(&places);
            for piece in ["slip velocity [mm/s]", "depth [km]", ">slip<", ">stick<", ">open<"] {
                assert!(svg.contains(piece), "no {piece} in {svg}");
            }
            let p = points(&svg);
            assert!(p[0][0] > p[1][0] && p[1][0] > p[2][0], "{p:?}");
            assert!(p.windows(2).all(|w| (w[0][1] < w[1][1]) == downwards), "{p:?}");
            // The middle place lies in the middle, and 1 at a third of 3.
            assert!((p[1][1] - 0.5 * (p[0][1] + p[2][1])).abs() < 0.02, "{p:?}");
            assert!((3.0 * (p[1][0] - p[2][0]) - (p[0][0] - p[2][0])).abs() < 0.05, "{p:?}");
        }
    }

    #[test]
    fn each_state_has_its_own_mark() {
        let svg = upright(vec![3.0, 1.0, 0.0], true).draw(&[0.0, 1.0, 2.0]);
        for word in ["slip", "stick", "open"] {
            // One on the curve and one in the legend.
            assert_eq!(svg.matches(&format!("class=\"{word}\"")).count(), 2, "{word}");
        }
        assert!(!svg.contains("class=\"bonded\""));
        assert_eq!([0.0, 1.0, 2.0, 3.0].map(Mark::of), [Mark::Open, Mark::Stick, Mark::Slip, Mark::Bonded]);
    }

    #[test]
    fn nothing_to_show_is_no_reason_to_fail() {
        for (values, places) in [(vec![], vec![]), (vec![0.0], vec![0.0]), (vec![f64::NAN; 2], vec![0.0, f64::NAN])] {
            let svg = upright(values, true).draw(&places);
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }
}
