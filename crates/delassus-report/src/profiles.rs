//! Tractions along contacts at the end of the run, over the exact profiles of the case's solution.

use delassus_case::spec::Units;
use delassus_run::plot::profile_chart;
use delassus_verify::{PointTraction, Profile, TractionPart};

use super::error::ReportError;
use super::figures::Figure;
use super::folder::Results;
use super::tractions::ContactTractions;

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

/// The tractions of the candidates within reach, by ascending distance from the middle.
fn tractions(results: &Results, file: &str, profile: &Profile<'_>) -> Result<Vec<PointTraction>, ReportError> {
    let grid = results.frame(file)?;
    let broken = |e| results.frame_error(file, e);
    let normal = grid.point_field("normal", 3).map_err(broken)?.as_chunks::<3>().0;
    let found = ContactTractions::read(&grid).map_err(broken)?;
    let area = grid.point_field("area", 1).map_err(broken)?;
    let pair = grid.point_field("pair", 1).map_err(broken)?;
    // Two passes share the traction in ways that mean nothing.
    let wanted = results.case.contacts.iter().position(|c| c.name == profile.pair && !c.both);
    let part = |i: usize| match profile.part {
        TractionPart::Normal => found.pressure[i],
        TractionPart::Tangential => found.shear[i][0],
    };
    let mut out: Vec<PointTraction> = (0..grid.points.len())
        .filter(|&i| wanted == Some(pair[i].max(0.0) as usize))
        .map(|i| {
            let x = profile.place.of(grid.points[i], normal[i]);
            PointTraction { x, value: part(i), area: area[i] }
        })
        .filter(|t| t.x.abs() <= profile.reach)
        .collect();
    out.sort_by(|a, b| a.x.total_cmp(&b.x));
    Ok(out)
}

fn figure(units: Units, number: usize, profile: &Profile<'_>, found: &[PointTraction]) -> Figure {
    let (chart, places) = profile_chart(format!("fig-profile-{number}"), profile, found, units);
    let caption = format!("{} at the end of the run: force of each candidate over its area.", profile.title);
    Figure { svg: chart.draw(&places), caption }
}
