//! Geometry: penetrations, rotations, strains that are not small, and bodies that have moved far away.

use delassus_case::spec::Units;
use delassus_error::digits::{fixed, place as shown_place};
use delassus_fem::{BodyRotation, FrameScope, Kinematics};
use delassus_sim::outcome::worse;
use delassus_sim::sightings::{Sighting, Sightings};
use delassus_sim::verdict::{Worst, turning};

use super::{Evidence, Finding, Topic, Weight, count, percent};

/// A body that has moved by more than this number of model sizes is lost.
pub(super) const LOST: f64 = 10.0;

pub(super) fn weigh(e: &Evidence<'_>) -> Vec<Finding> {
    let v = e.verdict;
    let mut out = Vec::new();
    if v.too_deep > 0 {
        let text = format!(
            "{} a candidate was too deep inside its antagonist for a contact, or a rigid body inside another one: bodies pass through one another.",
            count(v.too_deep, "time", "times")
        );
        out.push(Finding { weight: Weight::Doubtful, topic: Topic::Penetration, text });
    }
    out.extend(sightings(e));
    out.extend(rotation(e));
    out.extend(strain(e));
    if v.displacement.value > LOST || v.displacement.value.is_nan() {
        let w = &v.displacement;
        let text = format!(
            "Body `{}` moved {} times the size of the model ({}).",
            w.place,
            fixed(w.value, 0),
            e.when(w.step, w.time)
        );
        out.push(Finding { weight: Weight::Doubtful, topic: Topic::LostBody, text });
    }
    out
}

/// What the surfaces of the bodies showed, wherever contacts were declared.
fn sightings(e: &Evidence<'_>) -> Vec<Finding> {
    let Sightings { declared, undeclared, edge } = &e.verdict.sightings;
    let all = [(declared, Topic::Penetration), (undeclared, Topic::Penetration), (edge, Topic::GroupEdge)];
    let matters = all.into_iter().filter_map(|(seen, topic)| Some((seen.as_ref().filter(|s| s.steps > 0)?, topic)));
    let finding = |(seen, topic): (&Sighting, Topic)| Finding {
        weight: Weight::Doubtful,
        topic,
        text: capital(&format!("{}.", words(seen, e.case.units))),
    };
    matters.map(finding).collect()
}

/// What was worst, where and when, with the case's units.
fn words(seen: &Sighting, units: Units) -> String {
    let Sighting { what, depth, ratio, place, step, time, since, steps } = seen;
    let [m, s] = [" m", " s"].map(|symbol| units.symbol(symbol));
    format!(
        "{what}: at most by {depth:.3e}{m}, {} of a facet, at {} (step {step}, t = {time:.4e}{s}); \
         since t = {since:.4e}{s}, in {steps} steps",
        fixed(*ratio, 2),
        shown_place(place)
    )
}

/// A text with its first letter large.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The frames of the body of that name; none where it has none.
fn frames_of(e: &Evidence<'_>, name: &str) -> Option<FrameScope> {
    let is_it = |given: &str| name.strip_prefix(given).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'));
    let body = e.case.bodies.iter().filter(|b| is_it(&b.name)).max_by_key(|b| b.name.len())?;
    match e.case.kinematics_of(body) {
        Kinematics::Corotational { frames } => Some(frames),
        Kinematics::SmallStrain | Kinematics::UpdatedGeometry { .. } | Kinematics::FiniteStrain {} => None,
    }
}

/// What a rotation means and what to do about it: against fixed axes, in the one frame of a body, in the frames of its cells.
fn turned(e: &Evidence<'_>, body: &Worst) -> (String, &'static str) {
    let Worst { value, step, time, place } = body;
    let (angle, when) = (value.to_degrees(), e.when(*step, *time));
    match frames_of(e, place) {
        None => (turning(body), "shorten the run, or leave `kinematics: SmallStrain` out"),
        Some(FrameScope::Body) => (
            format!(
                "parts of body `{place}` turn in its frame by {angle:.1}° on average ({when}): one frame is not enough"
            ),
            "give it `kinematics: Corotational(frames: Elements)`",
        ),
        Some(FrameScope::Elements) => (
            format!("cells of body `{place}` bend by {angle:.1}° in their frames on average ({when})"),
            "use smaller cells",
        ),
    }
}

/// Rotation as a whole decides, or what is left of it in frames. A cell may turn by real shear, and a slender body bends with small errors: those are notes.
fn rotation(e: &Evidence<'_>) -> Option<Finding> {
    let (body, cell) = (&e.verdict.rotation, &e.verdict.cell_rotation);
    let (weight, text) = match () {
        () if body.value >= BodyRotation::EXCESSIVE || body.value.is_nan() => {
            let (text, way_out) = turned(e, body);
            (Weight::Doubtful, format!("{text}; {way_out}."))
        }
        () if body.value >= BodyRotation::NOTICEABLE => (Weight::Note, format!("{}.", turned(e, body).0)),
        () if cell.value >= BodyRotation::EXCESSIVE => {
            let Worst { value, step, time, place } = cell;
            let angle = value.to_degrees();
            let when = e.when(*step, *time);
            (
                Weight::Note,
                format!("A cell has turned by {angle:.1}° (body {place}; {when}): strains may be large there."),
            )
        }
        () => return None,
    };
    Some(Finding { weight, topic: Topic::Rotation, text: capital(&text) })
}

/// Strains of linear kinematics: what it leaves out is half of each strain, squared.
fn strain(e: &Evidence<'_>) -> Option<Finding> {
    let most = e.column("cell_strain").into_iter().fold(0.0, worse);
    let (weight, why) = match () {
        () if most.is_nan() || most >= BodyRotation::OVERSTRAINED => {
            (Weight::Doubtful, "strains are not small; check moduli, loads and velocities.")
        }
        () if most >= BodyRotation::STRAINED => {
            (Weight::Note, "the assumption of small strains causes a noticeable error.")
        }
        () => return None,
    };
    let text = format!("A cell is strained by {}{}: {why}", percent(most), e.worst_row("cell_strain"));
    Some(Finding { weight, topic: Topic::Strain, text })
}
