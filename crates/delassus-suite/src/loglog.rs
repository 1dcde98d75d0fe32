//! Errors over size, both axes logarithmic: the points, the line through them, and lines to compare them with.

use delassus_chart::chart::{LEFT, RIGHT, WIDTH};
use delassus_chart::loglog::{FrameBox, LogLogFrame};
use delassus_chart::stroke::{BLUE, GREEN, Stroke};
use delassus_chart::svg::{Anchor, Svg, polyline};

use super::Expect;
use super::run::StudyResult;

const TOP: f64 = 34.0;
const HEIGHT: f64 = 260.0;
const BOTTOM: f64 = 46.0;

/// Errors over size.
pub struct ErrorPicture<'a> {
    /// Identifier in the page.
    pub id: &'a str,
    /// What it shows.
    pub label: String,
    /// What the axes measure.
    pub axes: [&'a str; 2],
    /// Sizes and errors; those that are not positive are not drawn.
    pub points: Vec<[f64; 2]>,
    /// Written above.
    pub legend: String,
}

impl ErrorPicture<'_> {
    /// The picture, with straight lines that `lines` makes of the logarithms of the points.
    #[must_use]
    pub fn draw(&self, lines: impl Fn(&[[f64; 2]]) -> Vec<Vec<[f64; 2]>>) -> String {
        let mut svg = Svg::new(self.id, &self.label, WIDTH, TOP + HEIGHT + BOTTOM);
        let is_drawn = |[size, error]: &&[f64; 2]| *size > 0.0 && *error > 0.0 && error.is_finite();
        let points: Vec<[f64; 2]> = self.points.iter().filter(is_drawn).map(|p| p.map(f64::log10)).collect();
        let centre = LEFT + 0.5 * (WIDTH - LEFT - RIGHT);
        if points.len() < 2 {
            svg.text([centre, TOP + 0.5 * HEIGHT], Anchor::Middle, "no errors to draw");
            return svg.finish();
        }
        let compared = lines(&points);
        let at = FrameBox { corner: [LEFT, TOP], size: [WIDTH - LEFT - RIGHT, HEIGHT] };
        let frame = LogLogFrame::around(points.iter().chain(compared.iter().flatten()).copied(), [0.12, 0.2], at);
        frame.draw(&mut svg, self.axes[0], self.axes[1]);
        for line in &compared {
            let placed = line.iter().map(|p| frame.place(*p));
            svg.path(&polyline(placed), &Stroke { width: 1.4, ..Stroke::dashed(GREEN, "6 4") }.attributes());
        }
        svg.path(&polyline(points.iter().map(|p| frame.place(*p))), &Stroke::full(BLUE).attributes());
        for [x, y] in points.iter().map(|p| frame.place(*p)) {
            svg.rect([x - 4.0, y - 4.0], [8.0, 8.0], &format!("fill=\"{BLUE}\""));
        }
        svg.text([LEFT, 20.0], Anchor::Start, &self.legend);
        svg.finish()
    }
}

/// A line of a slope over all sizes of the points, through a point.
#[must_use]
pub fn sloped(points: &[[f64; 2]], slope: f64, through: [f64; 2]) -> Vec<[f64; 2]> {
    let ends = [points[0][0], points[points.len() - 1][0]];
    ends.map(|x| [x, through[1] + slope * (x - through[0])]).to_vec()
}

/// The picture of a study.
#[must_use]
pub fn draw(id: &str, study: &StudyResult) -> String {
    let legend = match study.expect {
        Expect::Order { order, tolerance } => {
            format!("observed order {:.2}; dashed: {order} ± {tolerance}", study.order)
        }
        Expect::Below { factor, order } => format!("dashed: the bound, {factor} times the size to the power {order}"),
    };
    let picture = ErrorPicture {
        id,
        label: format!("{} over {}", study.quantity, study.variable),
        axes: [&study.variable, "error"],
        points: study.levels.iter().map(|l| [l.size, l.error]).collect(),
        legend,
    };
    picture.draw(|points| expected_lines(study, points))
}

/// The borders of what is allowed: slopes through the middle of the points, or the bound.
fn expected_lines(study: &StudyResult, points: &[[f64; 2]]) -> Vec<Vec<[f64; 2]>> {
    let n = points.len() as f64;
    let middle = points.iter().fold([0.0, 0.0], |m, p| [m[0] + p[0] / n, m[1] + p[1] / n]);
    match study.expect {
        Expect::Order { order, tolerance } => {
            vec![sloped(points, order - tolerance, middle), sloped(points, order + tolerance, middle)]
        }
        Expect::Below { factor, order } => vec![sloped(points, order, [0.0, factor.log10()])],
    }
}
