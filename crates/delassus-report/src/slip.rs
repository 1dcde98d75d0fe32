//! Sliding velocity and tractions along each contact that slides at the end of the run (what Jean 1995 draws in figure 10).
//!
//! ```text
//! t = (n_y, −n_x), turned round everywhere if it points downwards as a whole
//! slip = v·t          over v₀, the largest prescribed velocity until then, if there is one
//! depth = (x_top − x)·g/|g|, or the way along the candidates where they lie level or there is no gravity
//! ```
//!
//! v is the velocity of the candidate relative to its antagonist. Candidates that face nothing have no contact and are not
//! shown.

use delassus_case::spec::{BoundaryEntry, Case, LoadEntry};
use delassus_chart::chart::ChartCurve;
use delassus_chart::stroke::{BLUE, RED, Stroke};
use delassus_mesh::vtk::GridData;

use super::error::ReportError;
use super::figures::{Figure, MOST_GROUPS};
use super::folder::Results;
use super::tractions::ContactTractions;
use super::upright::{MOST_MARKS, Mark, Upright, Vertical};

/// Fewer candidates make no profile.
const LEAST: usize = 3;
/// Candidates are level when they rise by less than this part of how far they reach across.
const LEVEL: f64 = 0.2;
/// Numbers of a plane vector.
type PlaneVector = [f64; 2];

/// A candidate in contact, or close to it.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    point: PlaneVector,
    normal: PlaneVector,
    /// Relative velocity along the contact \[m/s\].
    slip: PlaneVector,
    /// \[Pa\]
    pressure: f64,
    /// Along the contact \[Pa\].
    shear: PlaneVector,
    friction: f64,
    mark: Mark,
}

/// Candidates in order, each at its place.
struct SlipProfile {
    candidates: Vec<Candidate>,
    /// Depth, or way along the contact \[m\].
    places: Vec<f64>,
    is_depth: bool,
    /// Where the candidates go when they slide with positive velocity.
    towards: &'static str,
    /// +1 or −1: which way along (n_y, −n_x) counts as positive.
    sense: f64,
}

/// The figures of all pairs of a plane case that slide in the last frame.
pub fn along(results: &Results) -> Result<Vec<Figure>, ReportError> {
    let Some((time, file)) = results.contacts.last().filter(|_| results.case.dimension == 2) else {
        return Ok(Vec::new());
    };
    let grid = results.frame(file)?;
    // Pairs whose tractions are shown over exact ones.
    let solution = results.case.verify.as_ref().and_then(|v| v.solution.as_ref());
    let profiles = solution.map(|s| s.solution());
    let exact: Vec<&str> = profiles.iter().flat_map(|s| s.profiles(*time)).map(|p| p.pair).collect();
    let mut out = Vec::new();
    for (k, pair) in results.case.contacts.iter().enumerate() {
        // Two passes: the sides take turns, and neither tells the whole story.
        if pair.both || out.len() >= 2 * MOST_GROUPS {
            continue;
        }
        let found = candidates(&grid, k).map_err(|e| results.frame_error(file, e))?;
        let slides = found.iter().any(|c| c.mark == Mark::Slip && c.friction > 0.0);
        if slides && found.len() >= LEAST {
            let profile = SlipProfile::of(found, gravity(&results.case, *time));
            out.push(velocity(results, k, &profile, *time));
            if !exact.contains(&pair.name.as_str()) {
                out.push(tractions(results, k, &profile, *time));
            }
        }
    }
    Ok(out)
}

fn candidates(grid: &GridData, wanted: usize) -> Result<Vec<Candidate>, delassus_mesh::vtk::VtkReadError> {
    let vector = |name: &str| grid.point_field(name, 3).map(|x| x.as_chunks::<3>().0);
    let (normal, slip) = (vector("normal")?, vector("slip_velocity")?);
    let found = ContactTractions::read(grid)?;
    let [friction, status, pair] =
        [grid.point_field("mu", 1)?, grid.point_field("status", 1)?, grid.point_field("pair", 1)?];
    let two = |x: &[f64; 3]| [x[0], x[1]];
    let candidate = |i: usize| Candidate {
        point: two(&grid.points[i]),
        normal: two(&normal[i]),
        slip: two(&slip[i]),
        pressure: found.pressure[i],
        shear: two(&found.shear[i]),
        friction: friction[i],
        mark: Mark::of(status[i]),
    };
    Ok((0..grid.points.len()).filter(|&i| pair[i].max(0.0) as usize == wanted).map(candidate).collect())
}

/// Unit vector of gravity, if there is any.
fn gravity(case: &Case, time: f64) -> Option<PlaneVector> {
    case.loads.iter().find_map(|load| {
        let LoadEntry::Gravity { acceleration, factor, .. } = load else { return None };
        let part = |k: usize| acceleration.0.get(k).copied().unwrap_or(0.0) * factor.value(time);
        let (g, size) = ([part(0), part(1)], part(0).hypot(part(1)));
        (size > 0.0).then(|| g.map(|x| x / size))
    })
}

/// The largest prescribed velocity \[m/s\] at these times, if anything moves. Of all steps, not of the last alone: what swings to and fro may
/// stand still there, to rounding.
fn reference(case: &Case, times: &[f64]) -> Option<f64> {
    let speed = |b: &BoundaryEntry, t: f64| {
        [&b.x, &b.y, &b.z].map(|f| f.as_ref().map_or(0.0, |f| f.value(t))).into_iter().fold(0.0, f64::hypot)
    };
    let speeds = case.boundary.iter().flat_map(|b| times.iter().map(move |&t| speed(b, t)));
    Some(speeds.fold(0.0, f64::max)).filter(|v| *v > 0.0 && v.is_finite())
}

fn dot(a: PlaneVector, b: PlaneVector) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

impl Candidate {
    fn tangent(&self) -> PlaneVector {
        [self.normal[1], -self.normal[0]]
    }
}

impl SlipProfile {
    fn of(mut candidates: Vec<Candidate>, gravity: Option<PlaneVector>) -> Self {
        let reach = |axis: PlaneVector| {
            let (low, high) = candidates
                .iter()
                .map(|c| dot(c.point, axis))
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
            high - low
        };
        let down = gravity.filter(|g| reach(*g) >= LEVEL * reach([-g[1], g[0]]));
        // Without depth: along the axis on which they reach farther.
        let axis = down.unwrap_or(if reach([1.0, 0.0]) >= reach([0.0, 1.0]) { [1.0, 0.0] } else { [0.0, 1.0] });
        candidates.sort_by(|a, b| dot(a.point, axis).total_cmp(&dot(b.point, axis)));
        let mut places = Vec::with_capacity(candidates.len());
        let mut way = 0.0;
        for (i, c) in candidates.iter().enumerate() {
            let before = candidates[i.saturating_sub(1)].point;
            way += (c.point[0] - before[0]).hypot(c.point[1] - before[1]);
            places.push(if down.is_some() { dot(c.point, axis) - dot(candidates[0].point, axis) } else { way });
        }
        let positive = if down.is_some() { axis.map(|x| -x) } else { axis };
        let sum: f64 = candidates.iter().map(|c| dot(c.tangent(), positive)).sum();
        let towards = match (down, axis[0] > 0.0) {
            (Some(_), _) => "up",
            (None, true) => "towards +x",
            (None, false) => "towards +y",
        };
        Self { candidates, places, is_depth: down.is_some(), towards, sense: if sum < 0.0 { -1.0 } else { 1.0 } }
    }

    /// A value of each candidate.
    fn values(&self, value: impl Fn(&Candidate) -> f64) -> Vec<f64> {
        self.candidates.iter().map(value).collect()
    }

    fn slip(&self, scale: f64) -> Vec<f64> {
        self.values(|c| self.sense * dot(c.slip, c.tangent()) / scale)
    }

    fn marks(&self) -> Vec<Mark> {
        if self.candidates.len() > MOST_MARKS { Vec::new() } else { self.candidates.iter().map(|c| c.mark).collect() }
    }

    fn vertical(&self, unit: &'static str) -> Vertical {
        match self.is_depth {
            true => Vertical { quantity: "depth below the highest candidate", unit, downwards: true },
            false => Vertical { quantity: "distance along the contact", unit, downwards: false },
        }
    }
}

fn velocity(results: &Results, pair: usize, profile: &SlipProfile, time: f64) -> Figure {
    let entry = &results.case.contacts[pair];
    let until: Vec<f64> = results.column("time").into_iter().filter(|t| *t <= time).collect();
    let v0 = reference(&results.case, &until);
    let quantity = v0
        .map_or_else(|| "slip velocity".to_owned(), |v| format!("slip velocity / v₀, v₀ = {}", results.show(v, "m/s")));
    let label = format!("slip velocity along “{}”", entry.name);
    let stroke = Stroke { width: 1.4, ..Stroke::full("#767676") };
    let chart = Upright {
        id: format!("fig-slip-{}", pair + 1),
        label: label.clone(),
        quantity,
        unit: if v0.is_some() { "" } else { results.case.units.symbol("m/s") },
        vertical: profile.vertical(results.case.units.symbol("m")),
        curves: vec![ChartCurve { name: String::new(), values: profile.slip(v0.unwrap_or(1.0)), stroke }],
        marks: profile.marks(),
    };
    let caption = format!(
        "S{} at t = {}: velocity of the candidates relative to the other side, positive where “{}” moves {} along the \
         contact.",
        &label[1..],
        results.show(time, "s"),
        entry.candidates.body,
        profile.towards
    );
    Figure { svg: chart.draw(&profile.places), caption }
}

fn tractions(results: &Results, pair: usize, profile: &SlipProfile, time: f64) -> Figure {
    let name = &results.case.contacts[pair].name;
    let curve = |name: &str, values, stroke| ChartCurve { name: name.to_owned(), values, stroke };
    let chart = Upright {
        id: format!("fig-traction-{}", pair + 1),
        label: format!("tractions along “{name}”"),
        quantity: "traction".to_owned(),
        unit: results.case.units.symbol("Pa"),
        vertical: profile.vertical(results.case.units.symbol("m")),
        curves: vec![
            curve("pressure", profile.values(|c| c.pressure), Stroke::full(BLUE)),
            curve(
                "μ × pressure",
                profile.values(|c| c.friction * c.pressure),
                Stroke { width: 4.0, ..Stroke::exact() },
            ),
            curve("shear", profile.values(|c| dot(c.shear, c.tangent()).abs()), Stroke::dashed(RED, "7 3")),
        ],
        marks: profile.marks(),
    };
    let caption = format!(
        "Tractions along “{name}” at t = {}: for nodes the force over the area, for points on facets the value from \
         the forces of the nodes; shear without sign.",
        results.show(time, "s")
    );
    Figure { svg: chart.draw(&profile.places), caption }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A candidate on a plane that dips by `dip` degrees towards −x, `way` below its upper end; the candidate's side lies
    /// above it and moves up the dip with speed `slip`.
    fn candidate(dip: f64, way: f64, slip: f64) -> Candidate {
        let (sin, cos) = dip.to_radians().sin_cos();
        Candidate {
            point: [-way * cos, -way * sin],
            normal: [-sin, cos],
            slip: [slip * cos, slip * sin],
            pressure: 0.0,
            shear: [0.0, 0.0],
            friction: 0.2,
            mark: Mark::Slip,
        }
    }

    #[test]
    fn a_dipping_contact_is_shown_over_depth() {
        let list = vec![candidate(60.0, 2.0, 1.0), candidate(60.0, 0.0, 3.0), candidate(60.0, 1.0, 2.0)];
        let profile = SlipProfile::of(list, Some([0.0, -1.0]));
        let step = 60.0_f64.to_radians().sin();
        assert!(profile.is_depth);
        for (k, (place, slip)) in profile.places.iter().zip(profile.slip(2.0)).enumerate() {
            assert!((place - k as f64 * step).abs() < 1e-14, "{place}");
            assert!((slip - 0.5 * (3.0 - k as f64)).abs() < 1e-14, "{slip}");
        }
        // Down the dip is negative, and so it is when the candidates are on the other side.
        let down = SlipProfile::of((0..3).map(|k| candidate(60.0, f64::from(k), -1.0)).collect(), Some([0.0, -1.0]));
        assert!(down.slip(1.0).iter().all(|v| (v + 1.0).abs() < 1e-14));
        let below = |k: u8| {
            let c = candidate(60.0, f64::from(k), -1.0);
            Candidate { normal: c.normal.map(|x| -x), ..c }
        };
        let below = SlipProfile::of((0..3).map(below).collect(), Some([0.0, -1.0]));
        assert!(below.slip(1.0).iter().all(|v| (v + 1.0).abs() < 1e-14));
    }

    #[test]
    fn a_velocity_that_swings_is_measured_by_its_largest_value() {
        let text = include_str!("../../../cases/geologic-fault.ron");
        let swings = text.replace("x: 0.33e-10", "x: Sine(amplitude: 2.0, frequency: 0.5)");
        assert_ne!(text, swings);
        let case: Case = delassus_case::source::options().from_str(&swings).unwrap();
        // At t = 1 s the sine is at its zero, to rounding; over that every slip would be infinite.
        assert!(reference(&case, &[1.0]).unwrap() < 1e-15);
        assert!((reference(&case, &[0.0, 0.5, 1.0]).unwrap() - 2.0).abs() < 1e-15);
        assert_eq!(reference(&case, &[0.0]), None);
    }

    #[test]
    fn a_level_contact_and_one_without_gravity_are_shown_over_the_way_along() {
        for (dip, gravity) in [(5.0, Some([0.0, -1.0])), (60.0, None)] {
            let profile = SlipProfile::of((0..4).map(|k| candidate(dip, f64::from(k), 1.0)).collect(), gravity);
            assert!(!profile.is_depth);
            assert!(
                profile.places.iter().enumerate().all(|(k, p)| (p - k as f64).abs() < 1e-14),
                "{:?}",
                profile.places
            );
            // Up the dip is the sense in which the way grows.
            assert!(profile.slip(1.0).iter().all(|v| (v - 1.0).abs() < 1e-14));
        }
    }
}
