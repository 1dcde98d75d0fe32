//! Rigid bodies that lie in one another deeper than a step explains, or went through one another within a step.
//!
//! ```text
//! deep       −g⁺ − allowed > 5 % of s                    g⁺: gap at the end of the step; s: thickness of the thinner one ([`thickness`])
//! suspected  c U_N > s_a + s_b ,  g − c U_N < −(s_a + s_b)     c: time to the contact configuration; g − c U_N: gap at the start for a straight way
//! passed     a gap below −5 % of s at a place on that way
//! ```
//!
//! Shapes of rigid bodies are exact: no mesh explains a depth, as it does for bodies of finite elements (`surfaces`). A first touch leaves h V/2. More is left where contacts cannot be met (a body between two that are
//! moved towards each other), where impulses of bodies that differ by many orders in mass are known to less than the light one weighs, and where steps are too long.
//! Contacts are looked for in one configuration of a step: a body that moves farther on the way there than the other is thick is beyond it by then, and no contact tells.

use delassus_contact::{Contact, local_velocity};
use delassus_dynamics::Drifting as _;
use delassus_dynamics::integrator::StepStart;
use delassus_shapes::{ShapePose, contacts};

use crate::model::Model;
use crate::outcome::Touch;
use crate::snapshot::Snapshot;
use crate::space::{Dimension, Space};
use crate::velocities::seen;

/// Part of its thickness by which a rigid body may be inside another one.
const DEEP: f64 = 0.05;

/// Places that are looked at on the way of a pair, at most.
const MOST_PLACES: f64 = 1000.0;

/// Thicknesses of the bodies \[m\]: of convex shapes the radius of a ball that is not larger than they are thick, of others that of the ball around them. None of point masses and of bodies that deform.
pub(crate) fn thicknesses<const D: usize>(model: &Model<D>) -> Vec<Option<f64>> {
    let of = |b: &crate::model::ModelBody<D>| {
        let shape = b.body.rigid()?.input().shape.clone()?;
        let size = if shape.is_convex() { shape.inner_size() } else { shape.bounding_radius() };
        Some(size).filter(|s| *s > 0.0 && s.is_finite())
    };
    model.bodies.iter().map(of).collect()
}

/// What a step starts from, for the way to the contact configuration.
pub(crate) struct StepWay<'a> {
    pub from: &'a Snapshot,
    pub starts: &'a [StepStart<'a>],
    pub q_c: &'a [Vec<f64>],
    /// Time to the contact configuration \[s\].
    pub delay: f64,
}

/// Pairs of bodies that are too deep in one another at the end of a step or passed through one another: how many, and the first in words.
pub(crate) fn too_deep<const D: usize>(
    model: &Model<D>,
    thick: &[Option<f64>],
    (contacts, touches): (&[Contact<D>], &[Touch<D>]),
    way: &StepWay<'_>,
) -> (usize, Option<String>)
where
    Dimension<D>: Space<D>,
{
    let mut found: Vec<(u32, u64, String)> = touches.iter().filter_map(|t| deep(model, thick, t)).collect();
    found.extend(passed(model, thick, contacts, way));
    found.sort();
    found.dedup_by_key(|f| (f.0, f.1));
    let first = found.first().map(|f| f.2.clone());
    (found.len(), first)
}

/// Thickness of the thinner of the rigid sides; none where a side deforms.
fn thinner<const D: usize>(thick: &[Option<f64>], contact: &Contact<D>) -> Option<f64> {
    let sides = contact.sides.iter().filter_map(|side| side.body);
    // A point mass is as thick as what it touches.
    sides.map(|body| thick[body]).fold(None, |least, s| match (least, s) {
        (Some(a), Some(b)) => Some(f64::min(a, b)),
        (a, b) => a.or(b),
    })
}

fn are_rigid<const D: usize>(model: &Model<D>, contact: &Contact<D>) -> bool {
    contact.sides.iter().filter_map(|side| side.body).all(|body| model.bodies[body].body.rigid().is_some())
}

fn names<const D: usize>(model: &Model<D>, contact: &Contact<D>) -> [String; 2] {
    [0, 1].map(|k| match contact.sides[k].body {
        Some(body) => format!("`{}`", model.bodies[body].name),
        None => format!("the obstacle of contact `{}`", model.pairs[contact.key.pair as usize].name),
    })
}

fn deep<const D: usize>(model: &Model<D>, thick: &[Option<f64>], touch: &Touch<D>) -> Option<(u32, u64, String)> {
    let contact = &touch.contact;
    let depth = -touch.true_gap - model.pairs[contact.key.pair as usize].initial_penetration;
    if depth <= 0.0 || !are_rigid(model, contact) {
        return None;
    }
    let size = thinner(thick, contact)?;
    let [one, other] = names(model, contact);
    let text = || format!("{one} is inside {other} by {depth:.3e} m, {:.0} % of its thickness", 100.0 * depth / size);
    (depth > DEEP * size).then(|| (contact.key.pair, contact.key.pass, text()))
}

/// The pairs that passed through one another on the way to the contact configuration.
fn passed<const D: usize>(
    model: &Model<D>,
    thick: &[Option<f64>],
    contacts: &[Contact<D>],
    way: &StepWay<'_>,
) -> Vec<(u32, u64, String)>
where
    Dimension<D>: Space<D>,
{
    let rigid = |c: &Contact<D>| Some([c.sides[0].body?, c.sides[1].body?]);
    let sizes = |[a, b]: [usize; 2]| match (thick[a], thick[b]) {
        (None, None) => None,
        (a, b) => Some(a.unwrap_or(0.0) + b.unwrap_or(0.0)),
    };
    let least = contacts.iter().filter_map(|c| sizes(rigid(c)?)).fold(f64::INFINITY, f64::min);
    // No pair is faster than twice the fastest point.
    if way.delay <= 0.0 || 2.0 * way.delay * model.largest_speed(way.from, way.delay) <= least {
        return Vec::new();
    }
    let v: Vec<&[f64]> = way.starts.iter().map(StepStart::velocity).collect();
    let v = model.site_velocities(way.q_c, &v);
    let v = seen(&v);
    let mut out = Vec::new();
    for contact in contacts.iter().filter(|c| !c.key.is_moment() && are_rigid(model, c)) {
        let Some((pair, size)) = rigid(contact).and_then(|pair| Some((pair, sizes(pair)?))) else { continue };
        let came = way.delay * local_velocity(contact, &v)[0];
        if came > size && contact.gap - came < -size && meets(model, pair, size, way) {
            let [one, other] = names(model, contact);
            out.push((contact.key.pair, contact.key.pass, format!("{one} went through {other} within a step")));
        }
    }
    out
}

/// Is one of two bodies inside the other on the way from the start of the step to the contact configuration?
fn meets<const D: usize>(model: &Model<D>, pair: [usize; 2], size: f64, way: &StepWay<'_>) -> bool
where
    Dimension<D>: Space<D>,
{
    let [Some((a, shape_a)), Some((b, shape_b))] = pair.map(|k| {
        let rigid = model.bodies[k].body.rigid()?;
        Some((rigid, rigid.input().shape.clone()?))
    }) else {
        return false;
    };
    let pose = |rigid: &delassus_rigid::RigidBody<D>, k: usize, time: f64| {
        let at = rigid.pose(&rigid.drift(&way.from.states[pair[k]], time).q);
        ShapePose { position: at.centre, rotation: at.rotation }
    };
    let [from, to] = [0.0, way.delay].map(|t| pose(a, 0, t).position - pose(b, 1, t).position);
    let turned = [(a, pair[0]), (b, pair[1])].into_iter().map(|(r, k)| {
        let state = &way.from.states[k];
        r.spin(&state.q, &state.v).norm() * way.delay * r.input().shape.as_ref().map_or(0.0, |s| s.bounding_radius())
    });
    let far = (to - from).norm() + turned.sum::<f64>();
    let n = (2.0 * far / size).ceil().clamp(2.0, MOST_PLACES);
    let mut found = Vec::new();
    (1..n as usize).any(|k| {
        let time = way.delay * k as f64 / n;
        found.clear();
        contacts((&shape_a, &pose(a, 0, time)), (&shape_b, &pose(b, 1, time)), 0.0, &mut found);
        found.iter().any(|c| c.gap < -DEEP * size)
    })
}
