//! Which of `Facet` and `Continuous`, by the angles at the ridges of the antagonist.
//!
//! Facets approximate a smooth surface: the error of a facet's normal is up to half the angle at its edges, and the normal jumps
//! there. Nodes that lie on edges, as those of a split mesh do, have the normal of one of the two facets, which is not the normal of
//! the surface. `Continuous` normals are those of the nodes, interpolated. A sharp edge (of a box) is rounded by them, and the force
//! on a node on a flat side near the edge is inclined.

use delassus_contact::{FacetSurface, Normals};
use delassus_error::digits::{place, short};
use delassus_fem::Kinematics;
use delassus_math as math;
use nalgebra::SVector;

use super::loss::round_to;
use super::{Advice, AdviceView, EntryAdvice, Listed, gathered};

/// Angles between the facets of a smooth surface: less is flat for any purpose, more may be meant \[degrees\].
const SMOOTH: std::ops::Range<f64> = 1.0..30.0;

/// An edge that is meant \[degrees\].
const SHARP: f64 = 45.0;

/// The part of the ridges that must be smooth ones for a surface to be curved.
const CURVED: f64 = 0.5;

/// A ridge: its angle and where it is.
struct Ridge<const D: usize> {
    degrees: f64,
    place: SVector<f64, D>,
}

pub(super) fn advise<const D: usize>(view: &AdviceView<'_, D>) -> Vec<Advice> {
    let m = view.loaded.case.units.symbol(" m");
    let positions = view.model.positions(None);
    let mut findings = Vec::new();
    for (given, pair) in view.loaded.case.contacts.iter().zip(&view.model.pairs) {
        // Copies have the same shape: the first surface tells.
        let sides = pair.directions.iter().find_map(|d| Some((d.surfaces().next()?, d.candidates().first()?)));
        let Some((surface, candidates)) = sides else { continue };
        let ridges = ridges(surface, &positions[surface.body()]);
        let smooth: Vec<&Ridge<D>> = ridges.iter().filter(|r| SMOOTH.contains(&r.degrees)).collect();
        let sharpest = ridges.iter().max_by(|a, b| a.degrees.total_cmp(&b.degrees));
        let of = &view.model.bodies[surface.body()].name;
        let name = given.name.clone();
        let are_nodes = candidates.points().iter().all(|p| p.nodes().len() == 1);
        match pair.normals {
            Normals::Facet if are_nodes && smooth.len() as f64 > CURVED * ridges.len() as f64 => {
                let largest = smooth.iter().map(|r| r.degrees).fold(0.0, f64::max);
                let entry = &view.loaded.case.bodies[view.model.bodies[surface.body()].entry];
                // Forces along interpolated normals are not along the gradient of the gap: where surfaces roll over one another,
                // twelve disks of 16 facets gained as much energy as they had.
                let turns = view.loaded.case.kinematics_of(entry) != Kinematics::SmallStrain;
                let (better, set) = if turns {
                    ("a finer surface (`normals: Continuous` may create energy where bodies roll over one another)", "")
                } else {
                    ("continuous normals, for a smooth surface", "normals=Continuous")
                };
                let text = format!(
                    "the surface of `{of}` is curved, its facets meet at angles of up to {}°: with `normals: Facet` \
                     the normal is wrong by up to half of that near an edge, and jumps there; better: {better}",
                    short(round_to(largest, 2)),
                );
                findings.push(EntryAdvice { name, text, set: set.into() });
            }
            Normals::Continuous => {
                let Some(edge) = sharpest.filter(|r| r.degrees > SHARP) else { continue };
                let text = format!(
                    "the surface of `{of}` has an edge of {}° at {}{m}, which `normals: Continuous` rounds: near it \
                     the normals of flat sides are inclined; better: normals of the facets, or a separate group for \
                     the round part",
                    short(round_to(edge.degrees, 2)),
                    place(edge.place.as_slice()),
                );
                findings.push(EntryAdvice { name, text, set: "normals=Facet".into() });
            }
            Normals::Facet => {}
        }
    }
    gathered("normals", Listed::contacts(view.loaded), findings)
}

/// The ridges between two facets of a surface, each once.
fn ridges<const D: usize>(surface: &FacetSurface<D>, positions: &[f64]) -> Vec<Ridge<D>> {
    let normals: Vec<SVector<f64, D>> =
        (0..surface.facets().len()).map(|f| normal(&surface.corners(f, positions))).collect();
    let mut found = Vec::new();
    for (f, n) in normals.iter().enumerate() {
        for other in surface.neighbours(f).iter().flatten().filter(|&&other| other > f) {
            let degrees = math::acos(n.dot(&normals[*other]).clamp(-1.0, 1.0)).to_degrees();
            let common = surface.facets()[f].iter().filter(|node| surface.facets()[*other].contains(node));
            let (mut sum, mut count) = (SVector::<f64, D>::zeros(), 0.0_f64);
            for &node in common {
                sum += SVector::<f64, D>::from_fn(|i, _| positions[D * node + i]);
                count += 1.0;
            }
            found.push(Ridge { degrees, place: sum / count.max(1.0) });
        }
    }
    found
}

/// Unit normal of a facet given by its corners, outward as the surface is oriented.
fn normal<const D: usize>(corners: &[SVector<f64, D>]) -> SVector<f64, D> {
    let along = |k: usize| -> [f64; 3] {
        let d = corners[k] - corners[0];
        std::array::from_fn(|i| if i < D { d[i] } else { 0.0 })
    };
    let sum = if D == 2 {
        let [x, y, _] = along(1);
        [y, -x, 0.0]
    } else {
        (2..corners.len()).fold([0.0; 3], |sum, k| {
            let (a, b) = (along(k - 1), along(k));
            let cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
            std::array::from_fn(|i| sum[i] + cross[i])
        })
    };
    SVector::<f64, D>::from_fn(|i, _| sum[i]).normalize()
}

#[cfg(test)]
mod tests {
    use super::super::tests::{advice_of, check_advice};

    /// A pin in a ring, 24 facets around: 15° at every ridge; or in a frame with right angles.
    fn pin(around: &str, normals: &str, points: &str) -> String {
        format!(
            r#"(title: "pin",
                kinematics: SmallStrain,
                materials: [(name: "m", density: 1.0, law: KelvinVoigt(young: 1.0, poisson: 0.3))],
                bodies: [
                    (name: "pin", mesh: Disk(centre: (0, 0), radius: 0.9, core: (6, 6), rings: 2), material: "m"),
                    (name: "ring", mesh: {around}, material: "m"),
                ],
                contacts: [(name: "fit", candidates: (body: "pin", group: "boundary"), antagonists: Surface(body: "ring", group: "{}"),
                            law: Frictionless, normals: {normals}, points: {points}, initial_penetration: 0.1)],
                integrator: Theta(theta: 1.0), step: 10.0, duration: 10.0)"#,
            if around.starts_with("Annulus") { "inner" } else { "boundary" }
        )
    }

    const RING: &str = "Annulus(centre: (0, 0), inner_radius: 1, outer_radius: 2, cells: (2, 24))";
    const BOX: &str = "Rectangle(corner: (2, 0), size: (1, 1), cells: (2, 2))";

    fn is_silent(text: &str) -> bool {
        advice_of(text).iter().all(|a| !a.contains("normals"))
    }

    #[test]
    fn facets_on_a_curved_surface() {
        let pieces =
            ["contact `fit`: the surface of `ring` is curved", "up to 15°", "(--set contacts.fit.normals=Continuous)"];
        check_advice(&pin(RING, "Facet", "Nodes"), &pieces);
        assert!(is_silent(&pin(RING, "Continuous", "Nodes")));
        let rolls = pin(RING, "Facet", "Nodes").replace("kinematics: SmallStrain,", "");
        check_advice(&rolls, &["the surface of `ring` is curved", "better: a finer surface"]);
        assert!(advice_of(&rolls).iter().all(|a| !a.contains("normals=Continuous")));
        assert!(is_silent(&pin(RING, "Facet", "OnFacets(2)")));
    }

    #[test]
    fn continuous_normals_on_edges() {
        let pieces = ["the surface of `ring` has an edge of 90° at (", "(--set contacts.fit.normals=Facet)"];
        check_advice(&pin(BOX, "Continuous", "Nodes"), &pieces);
        assert!(is_silent(&pin(BOX, "Facet", "Nodes")));
    }
}
