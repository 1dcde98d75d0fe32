//! Measures of granular matter: stress, fabric, coordination, voids, sliding and rolling, slope.
//!
//! ```text
//! σ = 1/V Σ_c ½ (l ⊗ f + f ⊗ l)      l: from the centre of a grain to the contact, f: force on the grain; once for each grain of the contact (Love, Weber)
//! F = 1/N_c Σ_c n ⊗ n                fabric: N_c contacts that push
//! Z = (2 N_gg + N_gw)/N              coordination: contacts between two grains count for both, those with anything else once
//! e = V/V_s − 1                      void ratio: V the box of least size around the grains, V_s what they fill
//! φ = asin((σ_1 − σ_3)/|σ_1 + σ_3|)             mobilised friction, of the largest and the least principal stress
//! v_r = r̄ |(ω_a − ω_b) × n|          rolling: r̄ = r_a r_b/(r_a + r_b), with anything else r_a and its own ω; sliding is |U_T|
//! ```
//!
//! In equilibrium without body forces Σ l ⊗ f over the grains is Σ x ⊗ f over the forces of the walls: with flat walls that touch the grains, σ is wall force over area,
//! exactly. In motion it lacks the inertia of the grains. Stress is positive in tension; in the plane V is times the thickness.
//!
//! The slope is that of the cone (in the plane the triangle) that has the same medians of height and of distance from its axis. Of a cone of height H and base R half of the volume lies
//! above H (1 − 2^(−1/3)) and half within R/2; of a triangle above H (1 − 2^(−1/2)) and within R (1 − 2^(−1/2)). Medians do not see the few grains that have rolled far away.

use delassus_contact::{Contact, Map, Side};
use delassus_fem::principal;
use delassus_rigid::RigidBody;
use delassus_solver::{Status, Vector};
use nalgebra::{SMatrix, SVector, Vector3};

use crate::model::{GrainGroup, Model};
use crate::outcome::Touch;
use crate::snapshot::Snapshot;

/// Components of a symmetric tensor, as columns name them.
const TENSOR: [&str; 6] = ["xx", "yy", "zz", "xy", "yz", "xz"];

/// Names of the measures, behind the name of the probe and a dot.
#[must_use]
pub fn grain_columns(dimension: usize) -> Vec<String> {
    let tensor =
        |prefix: &str| components(dimension).iter().map(|&k| format!("{prefix}{}", TENSOR[k])).collect::<Vec<_>>();
    let mut out = tensor("s");
    out.extend(tensor("fabric_"));
    out.extend(
        ["coordination", "void_ratio", "slipping", "rolling", "floating", "slope", "mobilised"].map(str::to_owned),
    );
    out
}

/// Which components a tensor has in the plane, and in space.
fn components(dimension: usize) -> &'static [usize] {
    if dimension == 3 { &[0, 1, 2, 3, 4, 5] } else { &[0, 1, 3] }
}

fn parts<const D: usize>(tensor: &SMatrix<f64, D, D>) -> Vec<f64> {
    const PLACES: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2)];
    components(D).iter().map(|&k| tensor[PLACES[k]]).collect()
}

/// A grain where it is.
struct Grain<const D: usize> {
    radius: f64,
    centre: SVector<f64, D>,
    spin: Vector3<f64>,
    /// Contacts that push.
    contacts: usize,
}

/// What touches of grains add up to.
struct TouchSums<const D: usize> {
    stress: SMatrix<f64, D, D>,
    fabric: SMatrix<f64, D, D>,
    contacts: usize,
    sides: usize,
    slipping: usize,
    rolling: usize,
}

/// The values of [`grain_columns`]; shares of contacts are 0 where none pushes.
#[must_use]
pub fn grain_measures<const D: usize>(
    model: &Model<D>,
    snapshot: &Snapshot,
    touches: &[Touch<D>],
    h: f64,
    group: &GrainGroup,
) -> Vec<f64> {
    let mut grains: Vec<Option<Grain<D>>> = (0..model.bodies.len()).map(|_| None).collect();
    for &body in &group.bodies {
        let state = &snapshot.states[body];
        let grain = |rigid: &RigidBody<D>| {
            let (centre, spin) = (rigid.pose(&state.q).centre, rigid.spin(&state.q, &state.v));
            Some(Grain { radius: rigid.ball_radius()?, centre, spin, contacts: 0 })
        };
        grains[body] = model.bodies[body].body.rigid().and_then(grain);
    }
    let sums = contacts(touches, h, &mut grains);
    let known: Vec<&Grain<D>> = grains.iter().flatten().collect();
    let n = known.len().max(1) as f64;
    let share = |part: usize| if sums.contacts > 0 { part as f64 / sums.contacts as f64 } else { 0.0 };
    let box_size = extent(&known);
    let filled: f64 = known.iter().map(|g| ball_volume::<D>(g.radius)).sum();
    let mut out = parts(&(sums.stress / (box_size * group.thickness)));
    out.extend(parts(&(sums.fabric / sums.contacts.max(1) as f64)));
    out.push(sums.sides as f64 / n);
    out.push(box_size / filled - 1.0);
    out.extend([share(sums.slipping), share(sums.rolling)]);
    out.push(known.iter().filter(|g| g.contacts == 0).count() as f64 / n);
    out.push(slope(&known));
    out.push(mobilised(&sums.stress));
    out
}

/// Angle of friction that a stress needs \[rad\]; 0 without a stress.
fn mobilised<const D: usize>(stress: &SMatrix<f64, D, D>) -> f64 {
    let (difference, sum) = if D == 2 {
        let (apart, shear) = (stress[(0, 0)] - stress[(1, 1)], 2.0 * stress[(0, 1)]);
        ((apart * apart + shear * shear).sqrt(), stress.trace().abs())
    } else {
        let mut whole = [0.0; 6];
        components(D).iter().zip(parts(stress)).for_each(|(&k, x)| whole[k] = x);
        let values = principal(&whole).values;
        (values[0] - values[2], (values[0] + values[2]).abs())
    };
    let along = ((sum - difference) * (sum + difference)).max(0.0).sqrt();
    if difference > 0.0 { delassus_math::atan2(difference, along) } else { 0.0 }
}

/// The mean stress in every disk and ball \[Pa\], XX YY ZZ XY YZ XZ: that of its own contacts over its own volume.
#[must_use]
pub fn stress_of_grains<const D: usize>(model: &Model<D>, touches: &[Touch<D>], h: f64) -> Vec<Option<[f64; 6]>> {
    let volume = |body: usize| {
        let rigid = model.bodies[body].body.rigid()?;
        Some(ball_volume::<D>(rigid.ball_radius()?) * rigid.input().thickness)
    };
    let volumes: Vec<Option<f64>> = (0..model.bodies.len()).map(volume).collect();
    let mut out: Vec<Option<[f64; 6]>> = volumes.iter().map(|v| v.map(|_| [0.0; 6])).collect();
    for touch in touches.iter().filter(|t| t.impulse[0] > 0.0) {
        let force: Vector<D> = touch.contact.frame * touch.impulse / h;
        for (sign, side) in touch.contact.signed_sides() {
            let (Some(body), Map::Arm { arm, .. }) = (side.body, &side.map) else { continue };
            if let (Some(volume), Some(sum)) = (volumes[body], out[body].as_mut()) {
                let moment = arm * (force * (sign / volume)).transpose();
                let found = parts(&((moment + moment.transpose()) * 0.5));
                components(D).iter().zip(found).for_each(|(&k, x)| sum[k] += x);
            }
        }
    }
    out
}

/// Adds up the contacts that push on a grain.
fn contacts<const D: usize>(touches: &[Touch<D>], h: f64, grains: &mut [Option<Grain<D>>]) -> TouchSums<D> {
    let (stress, fabric) = (SMatrix::zeros(), SMatrix::zeros());
    let mut sums = TouchSums { stress, fabric, contacts: 0, sides: 0, slipping: 0, rolling: 0 };
    for touch in touches.iter().filter(|t| t.impulse[0] > 0.0) {
        let force: Vector<D> = touch.contact.frame * touch.impulse / h;
        let mut of_grains = 0;
        for (sign, side) in touch.contact.signed_sides() {
            let Some(grain) = side.body.and_then(|body| grains[body].as_mut()) else { continue };
            let Some(arm) = arm_of(side, &touch.contact, &grain.centre) else { continue };
            let moment = arm * (force * sign).transpose();
            sums.stress += (moment + moment.transpose()) * 0.5;
            grain.contacts += 1;
            of_grains += 1;
        }
        if of_grains == 0 {
            continue;
        }
        let n = touch.contact.normal();
        sums.fabric += n * n.transpose();
        sums.contacts += 1;
        sums.sides += of_grains;
        sums.slipping += usize::from(touch.status == Status::Slip);
        let sliding = touch.velocity.iter().skip(1).map(|t| t * t).sum::<f64>().sqrt();
        sums.rolling += usize::from(rolling(&touch.contact, grains) > sliding);
    }
    sums
}

/// From the centre of a grain to the contact.
fn arm_of<const D: usize>(side: &Side<D>, contact: &Contact<D>, centre: &SVector<f64, D>) -> Option<Vector<D>> {
    match &side.map {
        Map::Arm { arm, .. } => Some(*arm),
        Map::Nodes(_) => Some(contact.point - centre),
        Map::Fixed => None,
    }
}

/// Speed at which the sides of a contact roll on each other \[m/s\].
fn rolling<const D: usize>(contact: &Contact<D>, grains: &[Option<Grain<D>>]) -> f64 {
    let of = |k: usize| contact.sides[k].body.and_then(|body| grains[body].as_ref());
    let (turn, radius) = match (of(0), of(1)) {
        (Some(a), Some(b)) => (a.spin - b.spin, a.radius * b.radius / (a.radius + b.radius)),
        (Some(a), None) | (None, Some(a)) => (a.spin, a.radius),
        (None, None) => return 0.0,
    };
    let n = Vector3::from_fn(|i, _| contact.normal().get(i).copied().unwrap_or(0.0));
    radius * turn.cross(&n).norm()
}

/// Area, in space volume, of a ball.
fn ball_volume<const D: usize>(radius: f64) -> f64 {
    use std::f64::consts::PI;
    if D == 2 { PI * radius * radius } else { 4.0 / 3.0 * PI * radius * radius * radius }
}

/// Area, in space volume, of the box around the grains.
fn extent<const D: usize>(grains: &[&Grain<D>]) -> f64 {
    let (mut low, mut high) = (SVector::<f64, D>::repeat(f64::INFINITY), SVector::<f64, D>::repeat(f64::NEG_INFINITY));
    for g in grains {
        let around = SVector::repeat(g.radius);
        (low, high) = (low.inf(&(g.centre - around)), high.sup(&(g.centre + around)));
    }
    (high - low).iter().product()
}

/// Angle of the cone (triangle) with the same medians of height and of distance from the axis \[rad\]; the last axis points upwards.
fn slope<const D: usize>(grains: &[&Grain<D>]) -> f64 {
    let of = |value: &dyn Fn(&Grain<D>) -> f64| {
        median(grains.iter().map(|g| (value(g), ball_volume::<D>(g.radius))).collect())
    };
    let base = grains.iter().map(|g| g.centre[D - 1] - g.radius).fold(f64::INFINITY, f64::min);
    let axis: Vec<f64> = (0..D - 1).map(|k| of(&|g| g.centre[k])).collect();
    let away = of(&|g| axis.iter().enumerate().map(|(k, x)| (g.centre[k] - x).powi(2)).sum::<f64>().sqrt());
    let height = of(&|g| g.centre[D - 1]) - base;
    let (of_height, of_base) = medians::<D>();
    delassus_math::atan2(height / of_height, away / of_base)
}

/// Medians of height over H, and of distance from the axis over R.
fn medians<const D: usize>() -> (f64, f64) {
    if D == 2 {
        let both = 1.0 - 0.5_f64.sqrt();
        (both, both)
    } else {
        // 1 − 2^(−1/3)
        (0.206_299_474_015_900_2, 0.5)
    }
}

/// The value below which half of the weight lies; 0 without any.
fn median(mut values: Vec<(f64, f64)>) -> f64 {
    values.sort_by(|a, b| a.0.total_cmp(&b.0));
    let half = 0.5 * values.iter().map(|v| v.1).sum::<f64>();
    let mut sum = 0.0;
    for &(value, weight) in &values {
        sum += weight;
        if sum >= half {
            return value;
        }
    }
    0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grain<const D: usize>(centre: [f64; D], radius: f64) -> Grain<D> {
        Grain { radius, centre: centre.into(), spin: Vector3::zeros(), contacts: 0 }
    }

    /// Heaps of grains of one size on a fine lattice whose lowest row lies on the floor, cut to the shape: medians of N grains are exact to the size of the lattice over the heap, 1 and 2 %.
    #[test]
    fn the_slope_of_a_triangle_and_of_a_cone_is_their_angle() {
        let steps = |n: i32| (-n..=n).map(move |k| f64::from(k) / f64::from(n));
        let (base, height) = (2.0, 0.7);
        let mut triangle: Vec<Grain<2>> = Vec::new();
        for x in steps(100) {
            let inside = (0..100).map(|k| (f64::from(k) + 0.5) / 100.0).filter(|z| *z < 1.0 - x.abs());
            triangle.extend(inside.map(|z| grain([3.0 + base * x, height * z], 0.005 * height)));
        }
        // Two that have rolled far away.
        triangle.extend([90.0, -70.0].map(|x| grain([x, 0.01], 0.005 * height)));
        let found = slope(&triangle.iter().collect::<Vec<_>>());
        assert!((found / delassus_math::atan2(height, base) - 1.0).abs() < 0.02, "{found}");
        let mut cone: Vec<Grain<3>> = Vec::new();
        for x in steps(25) {
            for y in steps(25) {
                let r = (x * x + y * y).sqrt();
                let inside = (0..50).map(|k| (f64::from(k) + 0.5) / 50.0).filter(|z| *z < 1.0 - r);
                cone.extend(inside.map(|z| grain([base * x - 1.0, base * y, height * z], 0.01 * height)));
            }
        }
        let found = slope(&cone.iter().collect::<Vec<_>>());
        assert!((found / delassus_math::atan2(height, base) - 1.0).abs() < 0.03, "{found}");
    }

    #[test]
    fn weights_count_in_a_median() {
        assert!((median(vec![(3.0, 1.0), (1.0, 1.0), (2.0, 5.0), (9.0, 1.0)]) - 2.0).abs() <= 0.0);
        assert!((median(vec![(3.0, 1.0), (1.0, 7.0), (2.0, 5.0)]) - 1.0).abs() <= 0.0);
        assert!(median(Vec::new()).abs() <= 0.0);
    }
}
