//! Errors of a study over size, both axes logarithmic: the points, the line through them, and what was expected.

use delassus_chart::chart::{BLUE, GREEN, LEFT, RIGHT, Stroke, WIDTH};
use delassus_chart::scale::power_of_ten;
use delassus_chart::svg::{Anchor, GREY, PALE, Svg, polyline};

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
    let range = |k: usize, margin: f64| {
        let all = points.iter().chain(expected.iter().flatten()).map(|p| p[k]);
        let (low, high) = all.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
        (low - margin, high + margin)
    };
    let ((x0, x1), (y0, y1)) = (range(0, 0.12), range(1, 0.2));
    let x = |v: f64| LEFT + (v - x0) / (x1 - x0) * (WIDTH - LEFT - RIGHT);
    let y = |v: f64| TOP + (y1 - v) / (y1 - y0) * HEIGHT;
    for (value, text) in ticks(y0, y1) {
        svg.line([LEFT, y(value)], [WIDTH - RIGHT, y(value)], PALE, "");
        svg.text([LEFT - 7.0, y(value) + 4.5], Anchor::End, &text);
    }
    for (value, text) in ticks(x0, x1) {
        svg.line([x(value), TOP], [x(value), TOP + HEIGHT], PALE, "");
        svg.text([x(value), TOP + HEIGHT + 18.0], Anchor::Middle, &text);
    }
    svg.rect([LEFT, TOP], [WIDTH - LEFT - RIGHT, HEIGHT], &format!("fill=\"none\" stroke=\"{GREY}\""));
    // What is allowed lies between these lines, or below the one.
    for line in &expected {
        let placed = line.iter().map(|p| [x(p[0]), y(p[1])]);
        svg.path(&polyline(placed), &Stroke { width: 1.4, ..Stroke::dashed(GREEN, "6 4") }.attributes());
    }
    svg.path(&polyline(points.iter().map(|p| [x(p[0]), y(p[1])])), &Stroke::full(BLUE).attributes());
    for p in &points {
        svg.rect([x(p[0]) - 4.0, y(p[1]) - 4.0], [8.0, 8.0], &format!("fill=\"{BLUE}\""));
    }
    let legend = match study.expect {
        Expect::Order { order, tolerance } => {
            format!("observed order {:.2}; dashed: {order} ± {tolerance}", study.order)
        }
        Expect::Below { factor, order } => format!("dashed: the bound, {factor} times the size to the power {order}"),
    };
    svg.text([LEFT, 20.0], Anchor::Start, &legend);
    svg.text([centre, TOP + HEIGHT + BOTTOM - 8.0], Anchor::Middle, &study.variable);
    let middle = TOP + 0.5 * HEIGHT;
    svg.text_with([14.0, middle], Anchor::Middle, "error", &format!("transform=\"rotate(-90 14 {middle})\""));
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

/// (logarithm, text) of 1, 2, 5 times powers of ten within; of the powers alone when there are many.
fn ticks(low: f64, high: f64) -> Vec<(f64, String)> {
    let mut out = Vec::new();
    for e in low.floor() as i32..=high.ceil() as i32 {
        let steps: &[f64] = if high - low > 2.2 { &[1.0] } else { &[1.0, 2.0, 5.0] };
        for f in steps {
            let at = f.log10() + f64::from(e);
            if (low..=high).contains(&at) {
                let text = if *f > 1.0 { format!("{f}·{}", power_of_ten(e)) } else { power_of_ten(e) };
                out.push((at, text));
            }
        }
    }
    out
}
