//! Tractions along contacts at the end of the run, over the exact profiles of the case's solution.

use super::error::ReportError;
use super::figures::Figure;
use super::folder::Results;
use delassus_case::spec::Units;
use delassus_chart::chart::{AxisScale, Chart, ChartCurve, Horizontal};
use delassus_chart::stroke::{BLUE, Stroke};
use delassus_verify::{Part, Profile};

/// Points of the exact curve, beside those at the candidates.
const FINE: u32 = 200;

/// A figure for every profile the exact solution knows.
pub fn profiles(results: &Results) -> Result<Vec<Figure>, ReportError> {
    let Some(solution) = results.case.verify.as_ref().and_then(|v| v.solution.as_ref()) else { return Ok(Vec::new()) };
    let Some((time, file)) = results.contacts.last() else { return Ok(Vec::new()) };
    let mut out = Vec::new();
    for (k, profile) in solution.solution().profiles(*time).iter().enumerate() {
        let found = tractions(results, file, profile)?;
        if !found.is_empty() {
            out.push(figure(results.case.units, k + 1, profile, &found));
        }
    }
    Ok(out)
}

/// (distance from the middle, traction) of the candidates within reach, by ascending distance.
fn tractions(results: &Results, file: &str, profile: &Profile<'_>) -> Result<Vec<(f64, f64)>, ReportError> {
    let grid = results.frame(file)?;
    let broken = |e| results.frame_error(file, e);
    let force = grid.point_field("force", 3).map_err(broken)?.as_chunks::<3>().0;
    let normal = grid.point_field("normal", 3).map_err(broken)?.as_chunks::<3>().0;
    let pressing = grid.point_field("force_normal", 1).map_err(broken)?;
    let area = grid.point_field("area", 1).map_err(broken)?;
    let pair = grid.point_field("pair", 1).map_err(broken)?;
    // Two passes share the traction in ways that mean nothing.
    let wanted = results.case.contacts.iter().position(|c| c.name == profile.pair && !c.both);
    let part = |i: usize| match profile.part {
        Part::Normal => pressing[i],
        Part::Tangential => force[i][0] - pressing[i] * normal[i][0],
    };
    let mut out: Vec<(f64, f64)> = (0..grid.points.len())
        .filter(|&i| wanted == Some(pair[i].max(0.0) as usize))
        .map(|i| (profile.place.of(grid.points[i], normal[i]), part(i) / area[i]))
        .filter(|(x, _)| x.abs() <= profile.reach)
        .collect();
    out.sort_by(|a, b| a.0.total_cmp(&b.0));
    Ok(out)
}

fn figure(units: Units, number: usize, profile: &Profile<'_>, found: &[(f64, f64)]) -> Figure {
    let part = |i: u32| f64::from(i) / f64::from(FINE);
    let fine = (0..=FINE).map(|i| profile.reach * (part(i) + (1.0 - part(i)) * profile.place.least()));
    let mut places: Vec<f64> = fine.chain(found.iter().map(|p| p.0)).collect();
    places.sort_by(f64::total_cmp);
    let curve = |name: &str, values: Vec<f64>, stroke| ChartCurve { name: name.to_owned(), values, stroke };
    let chart = Chart {
        id: format!("fig-profile-{number}"),
        label: profile.title.to_owned(),
        quantity: match profile.part {
            Part::Normal => "pressure",
            Part::Tangential => "shear traction",
        },
        unit: units.symbol("Pa"),
        horizontal: Horizontal { quantity: "distance from the middle of the contact", unit: units.symbol("m") },
        scale: AxisScale::Linear,
        curves: vec![
            curve("exact", places.iter().map(|&x| (profile.exact)(x)).collect(), Stroke::exact()),
            curve("computed", places.iter().map(|&x| between(found, x)).collect(), Stroke::full(BLUE)),
        ],
        levels: Vec::new(),
        moments: Vec::new(),
    };
    let caption = format!("{} at the end of the run: force of each candidate over its area.", profile.title);
    Figure { svg: chart.draw(&places), caption }
}

/// The straight line between neighbouring candidates; nothing outside them.
fn between(found: &[(f64, f64)], x: f64) -> f64 {
    let after = found.partition_point(|p| p.0 < x);
    match (after.checked_sub(1).and_then(|i| found.get(i)), found.get(after)) {
        (_, Some(right)) if right.0 <= x => right.1,
        (Some(left), Some(right)) => left.1 + (x - left.0) / (right.0 - left.0) * (right.1 - left.1),
        _ => f64::NAN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_between_candidates() {
        let found = [(-1.0, 2.0), (1.0, 4.0), (2.0, 0.0)];
        for (x, y) in [(-1.0, 2.0), (0.0, 3.0), (1.0, 4.0), (1.5, 2.0), (2.0, 0.0)] {
            assert!((between(&found, x) - y).abs() < 1e-15, "{x}");
        }
        assert!(between(&found, -1.1).is_nan() && between(&found, 2.1).is_nan() && between(&[], 0.0).is_nan());
    }
}
