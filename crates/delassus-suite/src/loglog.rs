//! Errors of a study over size, both axes logarithmic: the points, the line through them, and what was expected.

use delassus_chart::chart::{LEFT, RIGHT, WIDTH};
use delassus_chart::loglog::{FrameBox, LogLogFrame};
use delassus_chart::stroke::{BLUE, GREEN, Stroke};
use delassus_chart::svg::{Anchor, Svg, polyline};

use super::Expect;
use super::run::StudyResult;

const TOP: f64 = 34.0;
const HEIGHT: f64 = 260.0;
const BOTTOM: f64 = 46.0;

/// The picture of a study.
#[must_use]
pub fn draw(id: &str, study: &StudyResult) -> String {
    let label = format!("{} over {}", study.quantity, study.variable);
    let mut svg = Svg::new(id, &label, WIDTH, TOP + HEIGHT + BOTTOM);
    let points: Vec<[f64; 2]> = study
        .levels
        .iter()
        .filter(|l| l.size > 0.0 && l.error > 0.0 && l.error.is_finite())
        .map(|l| [l.size.log10(), l.error.log10()])
        .collect();
    let centre = LEFT + 0.5 * (WIDTH - LEFT - RIGHT);
    if points.len() < 2 {
        svg.text([centre, TOP + 0.5 * HEIGHT], Anchor::Middle, "no errors to be drawn");
        return svg.finish();
    }
    let expected = expected_lines(study, &points);
    let at = FrameBox { corner: [LEFT, TOP], size: [WIDTH - LEFT - RIGHT, HEIGHT] };
    let frame = LogLogFrame::around(points.iter().chain(expected.iter().flatten()).copied(), [0.12, 0.2], at);
    frame.draw(&mut svg, &study.variable, "error");
    // What is allowed lies between these lines, or below the one.
    for line in &expected {
        let placed = line.iter().map(|p| frame.place(*p));
        svg.path(&polyline(placed), &Stroke { width: 1.4, ..Stroke::dashed(GREEN, "6 4") }.attributes());
    }
    svg.path(&polyline(points.iter().map(|p| frame.place(*p))), &Stroke::full(BLUE).attributes());
    for [x, y] in points.iter().map(|p| frame.place(*p)) {
        svg.rect([x - 4.0, y - 4.0], [8.0, 8.0], &format!("fill=\"{BLUE}\""));
    }
    let legend = match study.expect {
        Expect::Order { order, tolerance } => {
            format!("observed order {:.2}; dashed: {order} ± {tolerance}", study.order)
        }
        Expect::Below { factor, order } => format!("dashed: the bound, {factor} times the size to the power {order}"),
    };
    svg.text([LEFT, 20.0], Anchor::Start, &legend);
    svg.finish()
}

/// The borders of what is allowed: slopes through the middle of the points, or the bound.
fn expected_lines(study: &StudyResult, points: &[[f64; 2]]) -> Vec<Vec<[f64; 2]>> {
    let n = points.len() as f64;
    let middle = points.iter().fold([0.0, 0.0], |m, p| [m[0] + p[0] / n, m[1] + p[1] / n]);
    let ends = [points[0][0], points[points.len() - 1][0]];
    let line = |slope: f64, through: [f64; 2]| ends.map(|x| [x, through[1] + slope * (x - through[0])]).to_vec();
    match study.expect {
        Expect::Order { order, tolerance } => vec![line(order - tolerance, middle), line(order + tolerance, middle)],
        Expect::Below { factor, order } => vec![line(order, [0.0, factor.log10()])],
    }
}
